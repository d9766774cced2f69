/*
 * Parse the options of bristle cone. An error ends the command with a message that names the option.
 */
#ifndef CLI_CONE_OPTIONS_H
#define CLI_CONE_OPTIONS_H

#include "bristle/polyhedron.h"
#include "options.h"

// --mu and --normal.
br_cone cone_options_cone(const options* o);

// --approx; default inner.
br_polyhedron_side cone_options_side(const options* o);

// --faces, an integer from `min` to `max`.
size_t cone_options_faces(const options* o, size_t min, size_t default_count, size_t max);

// The polyhedron, from all options.
br_polyhedron cone_options_polyhedron(const options* o);

// --print: is it v, not h?
bool cone_options_wants_v(const options* o);

#endif
