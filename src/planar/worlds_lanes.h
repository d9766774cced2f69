/*
 * Worlds in lanes: what worlds_lanes.inc, which is compiled for each number of lanes, doubles and floats, offers.
 */
#ifndef BRISTLE_PLANAR_WORLDS_LANES_H
#define BRISTLE_PLANAR_WORLDS_LANES_H

#include "planar/worlds_internal.h"

extern const worlds_in_lanes bri_worlds_double_1, bri_worlds_double_2, bri_worlds_double_4,
    bri_worlds_double_8;
extern const worlds_in_lanes bri_worlds_float_1, bri_worlds_float_4, bri_worlds_float_8,
    bri_worlds_float_16;

// Worlds whose contacts are all of blocks.
extern const worlds_in_lanes bri_worlds_blocks_4, bri_worlds_blocks_8;

// Worlds whose contacts are all reduced, with smooth tables.
extern const worlds_in_lanes bri_worlds_smooth_2, bri_worlds_smooth_4, bri_worlds_smooth_8;

extern const worlds_recorder bri_worlds_record_2, bri_worlds_record_4, bri_worlds_record_8;

#endif
