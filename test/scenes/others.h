/*
 * Random cases of what is not a body on friction: cones, pushes, mechanisms and fits, each beside an oracle
 * of its own. A function runs `count` cases, prints those that fail, and returns how many failed.
 */
#ifndef BRISTLE_SCENE_OTHERS_H
#define BRISTLE_SCENE_OTHERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "draw.h"

size_t check_cones(uint64_t seed, size_t count);
size_t check_pushes(uint64_t seed, size_t count);
size_t check_mechanisms(uint64_t seed, size_t count);
size_t check_fits(uint64_t seed, size_t count);

// prints a case that is off by more than is allowed, and returns whether it is
bool is_off(const char* what, size_t index, double value, double expected, double allowed);

#endif
