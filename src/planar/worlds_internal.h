/*
 * Internals of worlds: what they share, the numbers of one world, and steps of one world at a time.
 */
#ifndef BRISTLE_PLANAR_WORLDS_INTERNAL_H
#define BRISTLE_PLANAR_WORLDS_INTERNAL_H

#include "bristle/worlds_gradient.h"

#include "limit/limit_internal.h"
#include "limit/smooth.h"
#include "planar/contact_internal.h"

// Worlds in lanes, compiled for one number of them.
typedef struct worlds_in_lanes {
    int lanes;
    size_t bytes; // of its workspace, which is aligned as the vectors are
    size_t (*more_bytes)(const br_worlds* w); // for parts of contacts; NULL: none
    // Steps of all worlds; a mask is obeyed.
    void (*step)(const br_worlds* w, const br_worlds_arrays* a, double h, size_t steps, void* work);
} worlds_in_lanes;

// A block of a template in the lanes: its geometry and products with its weight w.
typedef struct lane_block {
    double x, y;                    // position from the CoP [m]
    double t, root_t, per_root_t;   // trace of the covariance [m^2], its root, 1/root or 0
    double xx, xy, yy, turn;        // as kernel_bundles
    double r2;                      // x^2 + y^2
    double w, wx, wy, wt, wr2, w_t; // w, w x, w y, w sqrt(t), w r2, w t
    size_t row;                     // of its bristles in the state
} lane_block;

// The blocks of a template whose weight is not 0.
typedef struct block_list {
    lane_block* at; // (count)
    size_t count;
    size_t rows;                        // of all x bristles in the state
    double one, mean_x, mean_y, square; // as kernel_bundles
    double arm, longest; // sum of w (sqrt(r2) + sqrt(t)), and its largest without w [m]
    double half_gamma;
    int square_law; // 1: gamma = 2
} block_list;

// The smooth table of a template in the lanes.
typedef struct smooth_shape {
    const smooth* table;
    double rest[3][3]; // dy/dv at rest, the mean of both sides; its last column is times the scale
} smooth_shape;

// A contact of one world: the template with this world's law, size and anisotropy.
typedef struct world_contact {
    br_contact contact;
    br_limit surface; // of a reduced contact of another size
    smooth table;
    double* parts; // of blocks of another size: x, y, t, per_t (4 n)
    double* z;     // state (3 n)
} world_contact;

struct br_worlds {
    br_worlds_def def; // its contacts are those below
    br_worlds_contact contacts[BR_WORLDS_CONTACTS];
    world_contact models[BR_WORLDS_CONTACTS]; // of the world that is computed
    double* numbers;                          // memory of the models, workspace of a step
    double* work;                             // of br_step_coupled(), within numbers
    const worlds_in_lanes* in_lanes;          // NULL: one by one
    void* window;                             // workspace of in_lanes, within `memory`
    void* memory;
    block_list blocks[BR_WORLDS_CONTACTS];   // of the templates, if they are in lanes
    smooth_shape shapes[BR_WORLDS_CONTACTS]; // of the templates, if they are in lanes
};

// Contacts of the ellipsoid that lanes support.
static inline int worlds_is_for_lanes(const br_contact* c)
{
    return c->def.method == BR_METHOD_ELLIPSOID && c->law.gamma == 2.0;
}

// Elements from a row to the next.
static inline size_t worlds_stride(const br_worlds_arrays* a)
{
    return a->stride > 0 ? a->stride : a->count;
}

static inline double worlds_get(const br_worlds* w, const void* from, size_t index)
{
    return w->def.type == BR_WORLDS_FLOAT ? (double)((const float*)from)[index]
                                          : ((const double*)from)[index];
}

static inline void worlds_put(const br_worlds* w, void* to, size_t index, double value)
{
    if (w->def.type == BR_WORLDS_FLOAT) {
        ((float*)to)[index] = (float)value;
    } else {
        ((double*)to)[index] = value;
    }
}

// The number of world i, or the one that all share.
static inline double worlds_number(const br_worlds* w, const void* from, size_t i, double shared)
{
    return from ? worlds_get(w, from, i) : shared;
}

// The index in fn, and of the first number of the load, of world i in step k.
static inline size_t worlds_fn_index(const br_worlds_arrays* a, size_t contact, size_t i, size_t k)
{
    return (a->contacts[contact].fn_steps > 1 ? k * worlds_stride(a) : 0) + i;
}

static inline size_t worlds_load_index(const br_worlds_arrays* a, size_t i, size_t k)
{
    return (a->load_steps > 1 ? 3 * k * worlds_stride(a) : 0) + i;
}

// The law of world i.
br_law bri_worlds_law(const br_worlds* w, const br_worlds_arrays* a, size_t contact, size_t i);

// Set the contacts of world i: w->models.
void bri_worlds_set_models(br_worlds* w, const br_worlds_arrays* a, size_t i);

// Where a contact is in a world whose body is at `pose`: arm of the CoP from the centre of mass in the world's axes [m], and
// the angle of the contact frame [rad].
typedef struct world_position {
    br_vec2 arm;
    double angle;
} world_position;
world_position bri_worlds_position(const br_worlds* w, const br_worlds_arrays* a, size_t contact,
                                   size_t i, br_pose pose);

// One world between two steps; its bristles are those of w->models.
typedef struct world_run {
    br_step_body body;
    br_pose pose;
    br_twist v;
    br_step_contact contacts[BR_WORLDS_CONTACTS];
} world_run;

// Set the body and the models of world i.
void bri_worlds_start_one(br_worlds* w, const br_worlds_arrays* a, size_t i, world_run* out);

// Set the contacts of a step whose middle is at `pose`.
void bri_worlds_place_contacts(br_worlds* w, const br_worlds_arrays* a, size_t i, size_t step,
                               br_pose pose, br_step_contact* out);
br_wrench bri_worlds_load(const br_worlds* w, const br_worlds_arrays* a, size_t i, size_t step);

// A step of world i; record may be NULL.
br_step_result bri_worlds_advance_one(br_worlds* w, const br_worlds_arrays* a, size_t i,
                                      size_t step, double h, world_run* run,
                                      br_step_record* record);

// Steps of world i by br_step_coupled(): the plain twin, and what lanes do not support. keeper: records them; NULL: none.
typedef struct worlds_keeper worlds_keeper;
void bri_worlds_step_one(br_worlds* w, const br_worlds_arrays* a, size_t i, double h, size_t steps,
                         const worlds_keeper* keeper);

// --- recorded steps (worlds_gradient.c) ---------------------------------------------------------------------

// Blocks of rows, one for each step that is kept: row r of block b starts at at[(b rows + r) stride]. Rows: pose (3), twist (3),
// bristles of all contacts; then Newton's twist of the step that starts there (3) and how it was closed (1).
typedef struct worlds_blocks {
    double* at;
    size_t rows, stride;
} worlds_blocks;

enum { KEPT_POSE = 0, KEPT_TWIST = 3, KEPT_Z = 6, KEPT_RECORD = 4 };
enum { KEPT_OPEN = 4 }; // added to br_step_closing: Newton's iteration did not converge

struct worlds_keeper {
    const br_worlds_record* record;
    worlds_blocks blocks;
    size_t every, steps, stride;
};

static inline double* worlds_row(const worlds_blocks* b, size_t block, size_t row)
{
    return b->at + (block * b->rows + row) * b->stride;
}

// Sums over the steps behind, of one contact and of one world, and the adjoints of the world between two steps.
typedef struct contact_sums {
    double fn, position[2], angle, scale, ground[3], law[BR_BY_COUNT];
} contact_sums;

typedef struct world_sums {
    double pose[3], v[3];
    double load[3], mass, inertia, h, pivot;
    unsigned flags;
    contact_sums contact[BR_WORLDS_CONTACTS];
} world_sums;

// Where things are on a tape.
typedef struct worlds_tape {
    size_t every, segments;
    worlds_blocks kept; // before the first step of each segment; all steps and the end if every = 1
    worlds_blocks
        between;     // of the steps of a segment and its end, for as many worlds as there are lanes
    double *z1, *zb; // states and adjoints of one world
    double* work;
} worlds_tape;

// What is swept.
typedef struct worlds_sweep {
    br_worlds* w;
    const br_worlds_arrays* a;
    const br_worlds_adjoint* io;
    double h;
    size_t steps, stride;
    worlds_tape tape;
    bool by_law;
} worlds_sweep;

// Back over step `step` of world i, from column j of a block; tape.zb: adjoints of its bristles. What L depends on after the step is in
// the sums already.
void bri_worlds_sweep_one(const worlds_sweep* t, const worlds_blocks* b, size_t block, size_t i,
                          size_t j, size_t step, world_sums* s);

// Recorded steps in lanes (worlds_record.inc): of the worlds from `first` on, of which `live` are within the arrays.
typedef struct worlds_recorder {
    void (*step)(const br_worlds* w, const br_worlds_arrays* a, size_t first, size_t live, double h,
                 const worlds_keeper* keeper);
    void (*sweep)(const worlds_sweep* t, size_t first, size_t live);
} worlds_recorder;

// Before and after step `step` of world i.
void bri_worlds_keep_start(const worlds_keeper* keeper, const br_worlds* w, size_t i, size_t step,
                           const world_run* run);
void bri_worlds_keep_end(const worlds_keeper* keeper, const br_worlds* w, size_t i, size_t step,
                         const world_run* run, const br_step_record* record);

// Slip state, slip rate and load of the contacts of world i, where requested.
void bri_worlds_report_slip(br_worlds* w, const br_worlds_arrays* a, size_t i, size_t last_step);

#endif
