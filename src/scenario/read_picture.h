/*
 * What --plot draws, from `plot` of a scenario.
 */
#ifndef BRISTLE_SCENARIO_READ_PICTURE_H
#define BRISTLE_SCENARIO_READ_PICTURE_H

#include "scenario/node.h"

// The last three in the order of the names in read_picture.c.
typedef enum picture_kind {
    PICTURE_PLAIN, // columns over time, and no choice: there is no scene
    PICTURE_TIME,  // columns over time
    PICTURE_SCENE, // what moves, at some instants
    PICTURE_BOTH
} picture_kind;

typedef struct picture_input {
    const char* title; // never NULL
    picture_kind kind;
    size_t instants; // that a scene shows; 0: not said
    double magnify;  // factor on what a scene shows of the motion; 0: not said [-]
} picture_input;

// Read `plot` of a scenario; mistakes are noted. `otherwise` is its kind by default; `magnify` is
// a key where it `magnifies`; `what` stands in the title by default, after the name of the file.
picture_input bri_read_picture(const node* root, picture_kind otherwise, bool magnifies,
                               const char* what);

#endif
