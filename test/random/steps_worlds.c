/*
 * Steps of many worlds at once, in doubles and in floats, in lanes and one by one.
 */
#include "steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORLDS = 24, EPISODE = 20, STATES = 96, ROWS = 12 };

// Rows of the arrays of a contact, in the order of `names` below.
enum { ROW_FN, ROW_MU_C, ROW_MU_S, ROW_V_S, ROW_SIGMA0, ROW_SIGMA1, ROW_SIGMA2, ROW_S_BA, ROW_V_D };

// Numbers of some worlds: as doubles, or as floats.
typedef union numbers {
    double d[3 * WORLDS];
    float f[3 * WORLDS];
} numbers;

typedef struct arrays {
    bool narrow; // floats
    numbers pose, twist, mass, inertia, load, rows[BR_WORLDS_CONTACTS][ROWS];
    union {
        double d[BR_WORLDS_LEDGER_ROWS * WORLDS];
        float f[BR_WORLDS_LEDGER_ROWS * WORLDS];
    } ledger;
    union {
        double d[STATES * WORLDS];
        float f[STATES * WORLDS];
    } z[BR_WORLDS_CONTACTS];
    uint8_t converged[WORLDS];
} arrays;

static void put(bool narrow, void* to, size_t i, double value)
{
    if (narrow) {
        ((float*)to)[i] = (float)value;
    } else {
        ((double*)to)[i] = value;
    }
}

static double get(bool narrow, const void* from, size_t i)
{
    return narrow ? (double)((const float*)from)[i] : ((const double*)from)[i];
}

// Templates and worlds of an episode.
typedef struct episode {
    br_contact* templates[BR_WORLDS_CONTACTS];
    br_worlds_contact shared[BR_WORLDS_CONTACTS];
    size_t contacts;
    double length[BR_WORLDS_CONTACTS];
    br_worlds* worlds;
} episode;

static br_contact* draw_template(uint64_t* seed, br_method method, double length, bool narrow)
{
    br_contact_def def = br_contact_def_default();
    br_contact* contact = NULL;
    br_patch_def shape = br_patch_def_default();
    br_patch* patch = NULL;
    shape.radius = br_by_force_constant(0.5 * length);
    def.law = draw_law(seed, draw_chance(seed, 0.4) ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC, narrow);
    def.law.gamma = 2.0; // the exponent of lanes
    def.method = method;
    def.resolution = method == BR_METHOD_BLOCKS ? 1 + (size_t)(3.0 * draw_unit(seed)) : 0;
    if (br_patch_create(&shape, &patch, NULL) != BR_OK) {
        abort();
    }
    def.patch = patch;
    if (br_contact_create(&def, &contact, NULL) != BR_OK) {
        abort();
    }
    br_patch_destroy(patch);
    return contact;
}

static void draw_episode(episode* e, uint64_t* seed, bool narrow)
{
    const br_method method =
        draw_chance(seed, 0.7) || narrow ? BR_METHOD_ELLIPSOID : BR_METHOD_BLOCKS;
    e->contacts = 1 + (size_t)(draw_unit(seed) * BR_WORLDS_CONTACTS);
    for (size_t k = 0; k < e->contacts; k++) {
        e->length[k] = draw(seed, RANGE_LENGTH, narrow);
        e->templates[k] = draw_template(seed, method, e->length[k], narrow);
        e->shared[k] =
            (br_worlds_contact){.contact = e->templates[k],
                                .frame = draw_chance(seed, 0.5) ? BR_WORLDS_BODY : BR_WORLDS_GROUND,
                                .position = {draw_signed(seed, RANGE_ARM, narrow),
                                             draw_signed(seed, RANGE_ARM, narrow)},
                                .angle = 6.0 * draw_unit(seed) - 3.0,
                                .count = 1 + draw_chance(seed, 0.2)};
    }
    br_worlds_def def = br_worlds_def_default(e->shared, e->contacts);
    def.type = narrow ? BR_WORLDS_FLOAT : BR_WORLDS_DOUBLE;
    def.plain = draw_chance(seed, 0.2);
    def.passes = draw_chance(seed, 0.7) ? 40 : 1 + (int)(draw_unit(seed) * 4.0);
    if (br_worlds_create(&def, &e->worlds, NULL) != BR_OK) {
        abort();
    }
}

static void destroy_episode(episode* e)
{
    br_worlds_destroy(e->worlds);
    for (size_t k = 0; k < e->contacts; k++) {
        br_contact_destroy(e->templates[k]);
    }
}

static void draw_contact_rows(arrays* a, size_t k, size_t i, uint64_t* seed)
{
    const br_law law = draw_law(seed, BR_LAW_ELASTO_PLASTIC, a->narrow);
    const double values[] = {draw(seed, RANGE_FN, a->narrow),
                             law.mu_c,
                             law.mu_s,
                             law.v_stribeck,
                             law.sigma0,
                             law.sigma1,
                             law.sigma2,
                             law.s_ba,
                             law.v_damping};
    for (size_t row = 0; row < sizeof values / sizeof *values; row++) {
        put(a->narrow, &a->rows[k][row], i, values[row]);
    }
}

static void draw_world(arrays* a, const episode* e, size_t i, uint64_t* seed)
{
    const double mass = draw(seed, RANGE_MASS, a->narrow);
    const double gyration = draw(seed, RANGE_GYRATION, a->narrow);
    const br_twist v = draw_twist(seed, gyration, a->narrow);
    put(a->narrow, &a->mass, i, mass);
    put(a->narrow, &a->inertia, i, mass * gyration * gyration);
    put(a->narrow, &a->twist, i, v.vx);
    put(a->narrow, &a->twist, WORLDS + i, v.vy);
    put(a->narrow, &a->twist, 2 * WORLDS + i, v.w);
    double held = 0.0;
    for (size_t k = 0; k < e->contacts; k++) {
        draw_contact_rows(a, k, i, seed);
        held += get(a->narrow, &a->rows[k][ROW_FN], i) * get(a->narrow, &a->rows[k][ROW_MU_S], i);
    }
    for (size_t row = 0; row < 3; row++) {
        put(a->narrow, &a->load, row * WORLDS + i,
            held * draw_signed(seed, RANGE_LOAD, a->narrow) * (row == 2 ? gyration : 1.0));
    }
}

// Bristles at rest, at the origin: what the law before left is not what this one can have.
static void start_world(arrays* a, const episode* e, size_t i, uint64_t* seed)
{
    draw_world(a, e, i, seed);
    for (size_t row = 0; row < 3; row++) {
        put(a->narrow, &a->pose, row * WORLDS + i, 0.0);
    }
    for (size_t k = 0; k < e->contacts; k++) {
        for (size_t row = 0; row < br_worlds_get_state_count(e->worlds, k); row++) {
            put(a->narrow, &a->z[k], row * WORLDS + i, 0.0);
        }
    }
}

static br_worlds_arrays lay_out(arrays* a, const episode* e)
{
    br_worlds_arrays out = {.count = WORLDS,
                            .pose = &a->pose,
                            .twist = &a->twist,
                            .mass = &a->mass,
                            .inertia = &a->inertia,
                            .load = &a->load,
                            .ledger = &a->ledger,
                            .converged = a->converged};
    for (size_t k = 0; k < e->contacts; k++) {
        numbers* rows = a->rows[k];
        out.contacts[k] = (br_worlds_contact_arrays){.z = &a->z[k],
                                                     .fn = &rows[ROW_FN],
                                                     .mu_c = &rows[ROW_MU_C],
                                                     .mu_s = &rows[ROW_MU_S],
                                                     .v_stribeck = &rows[ROW_V_S],
                                                     .sigma0 = &rows[ROW_SIGMA0],
                                                     .sigma1 = &rows[ROW_SIGMA1],
                                                     .sigma2 = &rows[ROW_SIGMA2],
                                                     .s_ba = &rows[ROW_S_BA],
                                                     .v_damping = &rows[ROW_V_D]};
    }
    return out;
}

// As in steps_body.c: n fn sigma0 (h v)^2 of stiff bristles, at the twist before the step or after it. Arms are those
// from the body to the contact, wherever the body is by now.
static double stiff_energy(const arrays* a, const episode* e, size_t i, double h)
{
    const bool narrow = a->narrow;
    const double w = fabs(get(narrow, &a->twist, 2 * WORLDS + i));
    const double speed = fabs(get(narrow, &a->twist, i)) + fabs(get(narrow, &a->twist, WORLDS + i));
    const double away = fabs(get(narrow, &a->pose, i)) + fabs(get(narrow, &a->pose, WORLDS + i));
    double sum = 0.0;
    for (size_t k = 0; k < e->contacts; k++) {
        const double arm = br_vec2_norm(e->shared[k].position) + e->length[k] +
                           (e->shared[k].frame == BR_WORLDS_GROUND ? away : 0.0);
        const double distance = h * (speed + w * arm);
        sum += (double)e->shared[k].count * get(narrow, &a->rows[k][ROW_FN], i) *
               get(narrow, &a->rows[k][ROW_SIGMA0], i) * distance * distance;
    }
    return sum;
}

// N of steps_body.c, for a step of 1 s.
static double stiffness_of(const arrays* a, const episode* e, size_t i)
{
    const bool narrow = a->narrow;
    const double away = fabs(get(narrow, &a->pose, i)) + fabs(get(narrow, &a->pose, WORLDS + i));
    const double per_mass = 1.0 / get(narrow, &a->mass, i),
                 per_inertia = 1.0 / get(narrow, &a->inertia, i);
    double sum = 0.0;
    for (size_t k = 0; k < e->contacts; k++) {
        const numbers* rows = a->rows[k];
        const double arm = br_vec2_norm(e->shared[k].position) + e->length[k] + away;
        const double stiff = get(narrow, &rows[ROW_SIGMA0], i) + get(narrow, &rows[ROW_SIGMA1], i) +
                             get(narrow, &rows[ROW_SIGMA2], i);
        sum += (double)e->shared[k].count * get(narrow, &rows[ROW_FN], i) * stiff *
               (per_mass + arm * arm * per_inertia);
    }
    return sum;
}

static void check_world(tally* t, const arrays* a, const episode* e, size_t i, double h,
                        double stiff)
{
    double row[BR_WORLDS_LEDGER_ROWS], size = stiff + stiff_energy(a, e, i, h) + 1e-30;
    for (size_t k = 0; k < BR_WORLDS_LEDGER_ROWS; k++) {
        row[k] = get(a->narrow, &a->ledger, k * WORLDS + i);
        size += fabs(row[k]);
    }
    const double gain = row[BR_WORLDS_KINETIC_AFTER] + row[BR_WORLDS_STORED_AFTER] -
                        row[BR_WORLDS_KINETIC_BEFORE] - row[BR_WORLDS_STORED_BEFORE] -
                        row[BR_WORLDS_LOAD] - row[BR_WORLDS_NORMAL];
    note_finite(t, row, BR_WORLDS_LEDGER_ROWS, "energy");
    note(t, &t->gain, gain / size, a->narrow ? 1e-5 : 1e-11, "energy gained");
}

static void take_steps(tally* t, uint64_t seed, bool narrow)
{
    static arrays a;
    episode e = {.contacts = 0};
    memset(&a, 0, sizeof a);
    a.narrow = narrow;
    draw_episode(&e, &seed, narrow);
    const br_worlds_arrays laid = lay_out(&a, &e);
    for (int s = 0; s < EPISODE; s++, t->steps += WORLDS) {
        double stiff[WORLDS], h = draw(&seed, RANGE_STEP, narrow);
        for (size_t i = 0; i < WORLDS; i++) {
            if (s == 0 || draw_chance(&seed, 0.05)) {
                start_world(&a, &e, i, &seed);
            }
            h = fmin(h, MOST_STIFFNESS / fmax(stiffness_of(&a, &e, i), 1e-30));
        }
        for (size_t i = 0; i < WORLDS; i++) {
            stiff[i] = stiff_energy(&a, &e, i, h);
        }
        br_worlds_step(e.worlds, &laid, h, 1);
        for (size_t i = 0; i < WORLDS; i++) {
            check_world(t, &a, &e, i, h, stiff[i]);
            t->unconverged += !a.converged[i];
        }
    }
    destroy_episode(&e);
}

void step_worlds(tally* t, uint64_t seed)
{
    take_steps(t, seed, false);
}

void step_worlds_float(tally* t, uint64_t seed)
{
    take_steps(t, seed, true);
}
