/*
 * Shared by the engine files.
 */
#ifndef BRISTLE_LIMIT_ENGINE_INTERNAL_H
#define BRISTLE_LIMIT_ENGINE_INTERNAL_H

#include "bristle/engine.h"

struct br_engine {
    br_engine_def def;    // def.patch is the patch of `exact`
    br_engine_form form;  // of its limit surface
    br_limit* exact;      // owned
    br_patch_value value; // of the patch at def.fn
    br_patch* points;     // owned: the centres of faces; NULL: another form
    br_limit* faces;      // owned: their limit surface; NULL: another form
    double face;          // length of a face [m]
};

#endif
