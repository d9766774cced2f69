/*
 * Objects that consist of several objects of the library.
 */
#ifndef BRISTLE_BINDING_OBJECTS_H
#define BRISTLE_BINDING_OBJECTS_H

#include "bristle/limit_polyhedron.h"
#include "bristle/pushing.h"
#include "bristle/wrench_cone.h"
#include "loop.h"

typedef struct limit_polyhedron_object {
    br_limit_polyhedron* polyhedra;
    br_polyhedron_side side;
} limit_polyhedron_object;

// A pusher (the first member) and the outline that it owns.
typedef struct pushing_object {
    br_pushing pushing;
    br_outline* outline;
} pushing_object;

#endif
