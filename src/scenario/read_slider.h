/*
 * A slider from YAML: the body, what pushes it, and its steps.
 */
#ifndef BRISTLE_SCENARIO_READ_SLIDER_H
#define BRISTLE_SCENARIO_READ_SLIDER_H

#include "bristle/outline.h"
#include "bristle/profile.h"
#include "bristle/pushing.h"
#include "bristle/slider.h"
#include "scenario/csv.h"
#include "scenario/keys.h"

typedef enum slider_model {
    SLIDER_QUADRATIC,
    SLIDER_NCP,
    SLIDER_QUASISTATIC,
    SLIDER_TRANSLATION,
    SLIDER_SUPPORTS
} slider_model;

// What moves a quasi-static slider.
typedef enum pusher_kind { PUSHER_POINT, PUSHER_PATH } pusher_kind;

typedef struct slider_input {
    slider_model model;
    br_slider slider;
    br_slider_state start;
    double duration, step; // [s]
    size_t steps;          // of the run
    size_t stride;         // steps per row
    size_t rows;           // of a run that is not stopped
    br_outline* hull;      // what the ECP must not leave; NULL: not known
    br_outline* outline;   // of the body; NULL: not known
    bool ignores_topple;

    // what a body on supports stands on
    br_support_point* supports; // body frame (support_count)
    size_t support_count;

    // a force on the body, for the dynamic models
    bool has_push;
    br_vec2 point;     // body frame [m]
    br_vec2 direction; // body frame, a unit vector
    br_profile magnitude;
    double lift; // above the CoM [m]

    // a pusher, for the quasi-static model
    pusher_kind pusher;
    br_pushing pushing;
    br_vec2 contact;  // where it sticks, body frame [m]
    br_vec2 velocity; // world frame [m/s]
    csv path;         // t, x, y of the tip's centre, world frame
} slider_input;

// Of a scenario with a slider: of a dynamic one, of a pushed one.
extern const mapping bri_keys_slider, bri_keys_slider_pushed;

// Read and check; mistakes are noted.
slider_input bri_read_slider(const node* root);

#endif
