/*
 * Random numbers that are the same on every machine.
 */
#ifndef BRISTLE_SCENE_DRAW_H
#define BRISTLE_SCENE_DRAW_H

#include <stdint.h>

// uniform in [low, high): splitmix64
static inline double draw(uint64_t* state, double low, double high)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    return low + (high - low) * ((double)(x >> 11) * 0x1p-53);
}

#endif
