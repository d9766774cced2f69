/*
 * The options of bristle cone as numbers; mistakes end the command and name the option.
 */
#ifndef CLI_CONE_OPTIONS_H
#define CLI_CONE_OPTIONS_H

#include "bristle/polyhedron.h"
#include "options.h"

// --mu and --normal.
br_cone cone_options_cone(const options* o);

// --approx; inner if it is not there.
br_polyhedron_side cone_options_side(const options* o);

// --faces, a whole number in this range.
size_t cone_options_faces(const options* o, size_t least, size_t usual, size_t most);

// All of them: the polyhedron.
br_polyhedron cone_options_polyhedron(const options* o);

// --print: is it v, not h?
bool cone_options_wants_v(const options* o);

#endif
