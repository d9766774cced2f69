/*
 * Random worlds in arrays of doubles or floats, and the same worlds one by one: contacts that br_contact_create() makes of
 * each world's own patch and law, stepped by br_step_coupled().
 */
#ifndef BRISTLE_TEST_WORLDS_FIXTURE_H
#define BRISTLE_TEST_WORLDS_FIXTURE_H

#include "check.h"

#include "bristle/bristle.h"

#include <string.h>

enum { MOST_WORLDS = 40, MOST_STATES = 96, MOST_STEPS = 64, GUARD = 24 };
enum { W_ELLIPSOID, W_BLOCKS, W_REDUCED, W_METHODS };
enum { ALIKE = 1, MIXED = 0 }; // all contacts of one method, or of the methods in turn

// Parameters of a contact that may differ from world to world, in the order of br_worlds_contact_arrays.
enum { SCALE, MU_C, MU_S, V_S, SIGMA0, SIGMA1, SIGMA2, S_BA, V_D, LAW_ROWS };

// One contact of all worlds, in doubles.
typedef struct contact_rows {
    int method;
    br_law_kind kind; // 0: the law by default
    double gamma;     // Stribeck exponent; 0: that of the law
    int has_grain;    // 1: anisotropic friction in the axes of fixture_grain()
    double ratio[MOST_WORLDS];
    double z[MOST_STATES * MOST_WORLDS];
    double fn[MOST_STEPS * MOST_WORLDS];
    double position[2 * MOST_WORLDS], angle[MOST_WORLDS], ground[3 * MOST_WORLDS];
    double numbers[LAW_ROWS][MOST_WORLDS];
    double f[3 * MOST_WORLDS], slip_rate[MOST_WORLDS], load[MOST_WORLDS];
    uint8_t state[MOST_WORLDS];
} contact_rows;

// All worlds, in doubles.
typedef struct world_rows {
    size_t count, steps, contacts;
    double h;
    br_worlds_contact shared[BR_WORLDS_CONTACTS];
    double pose[3 * MOST_WORLDS], twist[3 * MOST_WORLDS], mass[MOST_WORLDS], inertia[MOST_WORLDS];
    double forces[3 * MOST_STEPS * MOST_WORLDS]; // loads
    double ledger[BR_WORLDS_LEDGER_ROWS * MOST_WORLDS];
    int32_t passes[MOST_WORLDS];
    uint8_t converged[MOST_WORLDS];
    contact_rows contact[BR_WORLDS_CONTACTS];
} world_rows;

// --- templates ---------------------------------------------------------------------------------------------

// A rectangle whose CoP is not at the origin, turned in the contact frame, `scale` times as large.
static inline br_patch* fixture_patch(double scale)
{
    br_patch* patch = NULL;
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_RECTANGLE;
    def.size_x = 0.02 * scale;
    def.size_y = 0.012 * scale;
    def.pressure = BR_PRESSURE_LINEAR;
    def.from = 1.0;
    def.to = 2.0;
    def.centre = (br_vec2){0.003 * scale, -0.002 * scale};
    def.angle = 0.4;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    return patch;
}

static inline br_contact* fixture_contact(int method, double scale, br_law law)
{
    static const br_method methods[] = {BR_METHOD_ELLIPSOID, BR_METHOD_BLOCKS, BR_METHOD_REDUCED};
    br_contact* contact = NULL;
    br_patch* patch = fixture_patch(scale);
    br_contact_def def = br_contact_def_default();
    def.method = methods[method];
    def.patch = patch;
    def.law = law;
    def.resolution = method == W_BLOCKS ? 4 : method == W_REDUCED ? 8 : 0;
    assert_status(br_contact_create(&def, &contact, NULL), BR_OK);
    br_patch_destroy(patch);
    return contact;
}

// A contact of the ellipsoid with anisotropic friction; without a patch its r and u do not depend on the ratio.
static inline br_contact* fixture_grain(double scale, double ratio, br_law law)
{
    br_contact* contact = NULL;
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_ELLIPSOID;
    def.law = law;
    def.r = 0.006 * scale;
    def.u = 5e-5 * scale * scale;
    def.anisotropy.ratio = ratio;
    def.anisotropy.angle = 0.7;
    assert_status(br_contact_create(&def, &contact, NULL), BR_OK);
    return contact;
}

// --- random worlds -----------------------------------------------------------------------------------------

static inline void fill_rows(double* to, size_t count, uint64_t* seed, double low, double high)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = uniform(seed, low, high);
    }
}

// Fill the numbers of a contact: its law, size, position and forces.
static inline void fill_contact(world_rows* w, size_t k, uint64_t* seed)
{
    contact_rows* c = &w->contact[k];
    const size_t n = w->count;
    static const double low[LAW_ROWS] = {0.5, 0.2, 0.0, 5e-4, 3e4, 50.0, 0.0, 0.3, 0.0};
    static const double high[LAW_ROWS] = {2.0, 0.8, 0.4, 5e-3, 1e6, 800.0, 0.3, 0.95, 0.02};
    for (int row = 0; row < LAW_ROWS; row++) {
        fill_rows(c->numbers[row], n, seed, low[row], high[row]);
    }
    for (size_t i = 0; i < n; i++) {
        c->numbers[MU_S][i] += c->numbers[MU_C][i];
        c->numbers[V_D][i] = i % 3 ? c->numbers[V_D][i] : 0.0; // constant in every third
    }
    fill_rows(c->position, 2 * n, seed, -0.03, 0.03);
    fill_rows(c->angle, n, seed, -3.0, 3.0);
    fill_rows(c->ground, 3 * n, seed, -0.01, 0.01);
    for (size_t s = 0; s < w->steps; s++) {
        for (size_t i = 0; i < n; i++) {
            const double slow = sin(0.4 * (double)s + (double)i + (double)k);
            c->fn[s * n + i] = 1.5 + 1.4 * slow; // slips and sticks
        }
    }
}

// Worlds with `contacts` contacts of the methods that `first_method` and the next ones are.
static inline void fixture_fill(world_rows* w, size_t count, size_t steps, size_t contacts,
                                int first_method, int alike, uint64_t seed)
{
    memset(w, 0, sizeof *w);
    w->count = count;
    w->steps = steps;
    w->contacts = contacts;
    w->h = 1e-3;
    fill_rows(w->pose, 3 * count, &seed, -0.01, 0.01);
    fill_rows(w->pose + 2 * count, count, &seed, -3.0, 3.0);
    fill_rows(w->twist, 2 * count, &seed, -0.02, 0.02);
    fill_rows(w->twist + 2 * count, count, &seed, -1.0, 1.0);
    fill_rows(w->mass, count, &seed, 0.1, 0.4);
    fill_rows(w->inertia, count, &seed, 1e-4, 1e-3);
    for (size_t s = 0; s < steps; s++) {
        fill_rows(w->forces + 3 * s * count, 2 * count, &seed, -1.0, 1.0);
        fill_rows(w->forces + (3 * s + 2) * count, count, &seed, -5e-3, 5e-3);
    }
    for (size_t k = 0; k < contacts; k++) {
        w->contact[k].method = alike ? first_method : (first_method + (int)k) % W_METHODS;
        w->shared[k] = (br_worlds_contact){.frame = k % 2 ? BR_WORLDS_GROUND : BR_WORLDS_BODY,
                                           .count = 1 + k % 2};
        fill_contact(w, k, &seed);
    }
}

// --- one by one --------------------------------------------------------------------------------------------

static inline br_law law_of_world(const contact_rows* c, size_t i)
{
    br_law law = br_contact_def_default().law;
    law.kind = c->kind ? c->kind : law.kind;
    law.gamma = c->gamma > 0.0 ? c->gamma : law.gamma;
    law.mu_c = c->numbers[MU_C][i];
    law.mu_s = c->numbers[MU_S][i];
    law.v_stribeck = c->numbers[V_S][i];
    law.sigma0 = c->numbers[SIGMA0][i];
    law.sigma1 = c->numbers[SIGMA1][i];
    law.sigma2 = c->numbers[SIGMA2][i];
    law.s_ba = c->numbers[S_BA][i];
    law.v_damping = c->numbers[V_D][i];
    return law;
}

// Arm and angle of a contact of world i whose body is at `pose`.
static inline void place_in_world(const world_rows* w, size_t k, size_t i, br_pose pose,
                                  br_step_contact* out)
{
    const contact_rows* c = &w->contact[k];
    const br_pose frame = {c->position[i], c->position[w->count + i], c->angle[i]};
    const br_vec2 cop = br_pose_apply(frame, br_contact_get_patch_value(out->contact).cop);
    const int on_body = w->shared[k].frame == BR_WORLDS_BODY;
    out->arm =
        on_body ? br_vec2_rotate(cop, pose.theta) : br_vec2_sub(cop, (br_vec2){pose.x, pose.y});
    out->angle = on_body ? pose.theta + frame.theta : frame.theta;
    const br_twist g = {c->ground[i], c->ground[w->count + i], c->ground[2 * w->count + i]};
    out->ground = (br_twist){g.vx + g.w * out->arm.y, g.vy - g.w * out->arm.x, g.w};
}

static inline void add_to_ledger(double* rows, size_t n, size_t i, const br_step_ledger* e,
                                 size_t step)
{
    if (step == 0) {
        rows[BR_WORLDS_KINETIC_BEFORE * n + i] = e->kinetic_before;
        rows[BR_WORLDS_STORED_BEFORE * n + i] = e->stored_before;
    } else {
        rows[BR_WORLDS_NORMAL * n + i] += e->stored_before - rows[BR_WORLDS_STORED_AFTER * n + i];
    }
    rows[BR_WORLDS_LOAD * n + i] += e->load;
    rows[BR_WORLDS_GROUND_WORK * n + i] += e->ground;
    rows[BR_WORLDS_KINETIC_AFTER * n + i] = e->kinetic_after;
    rows[BR_WORLDS_STORED_AFTER * n + i] = e->stored_after;
    rows[BR_WORLDS_DISSIPATED * n + i] += e->dissipated;
    rows[BR_WORLDS_NUMERICAL * n + i] += e->numerical;
}

// Slip, load and force of a contact at the end.
static inline void report_of_world(world_rows* w, size_t k, size_t i, br_pose pose, br_twist v,
                                   br_step_contact* at)
{
    contact_rows* c = &w->contact[k];
    const size_t n = w->count;
    const double f[3] = {at->f.fx, at->f.fy, at->f.tau};
    place_in_world(w, k, i, pose, at);
    const br_twist over = {v.vx - at->ground.vx, v.vy - at->ground.vy, v.w - at->ground.w};
    const br_vec2 here = br_vec2_rotate(
        (br_vec2){over.vx - over.w * at->arm.y, over.vy + over.w * at->arm.x}, -at->angle);
    const br_twist slip = {here.x, here.y, over.w};
    const br_contact_slip s =
        br_contact_slip_eval(at->contact, at->z, slip, at->fn, (br_slip_state)c->state[i], NULL);
    c->state[i] = (uint8_t)s.state;
    c->slip_rate[i] = s.slip_rate;
    c->load[i] = br_contact_load_eval(at->contact, at->z, slip, at->fn);
    for (int row = 0; row < 3; row++) {
        c->f[row * (int)n + (int)i] = f[row];
    }
}

// All steps of world i.
static inline void step_world(world_rows* w, size_t i)
{
    static double z[BR_WORLDS_CONTACTS][MOST_STATES], work[BR_WORLDS_CONTACTS * 12 * MOST_STATES];
    const size_t n = w->count;
    br_step_contact contacts[BR_WORLDS_CONTACTS] = {{0}};
    br_contact* made[BR_WORLDS_CONTACTS];
    br_pose pose = {w->pose[i], w->pose[n + i], w->pose[2 * n + i]};
    br_twist v = {w->twist[i], w->twist[n + i], w->twist[2 * n + i]};
    const br_step_body body = br_step_body_default(w->mass[i], w->inertia[i]);
    for (size_t k = 0; k < w->contacts; k++) {
        const contact_rows* c = &w->contact[k];
        const br_law law = law_of_world(c, i);
        made[k] = c->has_grain ? fixture_grain(c->numbers[SCALE][i], c->ratio[i], law)
                               : fixture_contact(c->method, c->numbers[SCALE][i], law);
        for (size_t row = 0; row < br_contact_get_state_count(made[k]); row++) {
            z[k][row] = c->z[row * n + i];
        }
        contacts[k] = (br_step_contact){.contact = made[k], .z = z[k], .count = w->shared[k].count};
    }
    w->converged[i] = 1;
    for (size_t s = 0; s < w->steps; s++) {
        const double* load = w->forces + 3 * s * n + i;
        for (size_t k = 0; k < w->contacts; k++) {
            contacts[k].fn = w->contact[k].fn[s * n + i];
            place_in_world(w, k, i, br_pose_advance(pose, v, 0.5 * w->h), &contacts[k]);
        }
        const br_step_result r =
            br_step_coupled(&body, &v, (br_wrench){load[0], load[n], load[2 * n]}, w->h, contacts,
                            w->contacts, work);
        pose = br_pose_advance(pose, r.mean, w->h);
        add_to_ledger(w->ledger, n, i, &r.energy, s);
        w->passes[i] += r.passes;
        w->converged[i] = w->converged[i] && r.converged;
    }
    for (size_t k = 0; k < w->contacts; k++) {
        for (size_t row = 0; row < br_contact_get_state_count(made[k]); row++) {
            w->contact[k].z[row * n + i] = z[k][row];
        }
        report_of_world(w, k, i, pose, v, &contacts[k]);
        br_contact_destroy(made[k]);
    }
    const double numbers[6] = {pose.x, pose.y, pose.theta, v.vx, v.vy, v.w};
    for (size_t row = 0; row < 3; row++) {
        w->pose[row * n + i] = numbers[row];
        w->twist[row * n + i] = numbers[3 + row];
    }
}

// --- all at once -------------------------------------------------------------------------------------------

// Worlds of templates with the law by default.
typedef struct many_worlds {
    br_contact* templates[BR_WORLDS_CONTACTS];
    br_worlds* worlds;
} many_worlds;

static inline many_worlds create_many(const world_rows* w, br_worlds_type type, bool plain)
{
    many_worlds m = {{0}, NULL};
    br_worlds_contact shared[BR_WORLDS_CONTACTS];
    for (size_t k = 0; k < w->contacts; k++) {
        br_law law = br_contact_def_default().law;
        law.kind = w->contact[k].kind ? w->contact[k].kind : law.kind;
        law.gamma = w->contact[k].gamma > 0.0 ? w->contact[k].gamma : law.gamma;
        m.templates[k] = w->contact[k].has_grain ? fixture_grain(1.0, 2.0, law)
                                                 : fixture_contact(w->contact[k].method, 1.0, law);
        shared[k] = w->shared[k];
        shared[k].contact = m.templates[k];
    }
    br_worlds_def def = br_worlds_def_default(shared, w->contacts);
    def.type = type;
    def.plain = plain;
    assert_status(br_worlds_create(&def, &m.worlds, NULL), BR_OK);
    return m;
}

static inline void destroy_many(many_worlds* m)
{
    br_worlds_destroy(m->worlds);
    for (size_t k = 0; k < BR_WORLDS_CONTACTS; k++) {
        br_contact_destroy(m->templates[k]);
    }
}

// The arrays of a struct of rows, all of them given and all results requested.
static inline br_worlds_arrays arrays_of(world_rows* w)
{
    br_worlds_arrays a = {.count = w->count,
                          .pose = w->pose,
                          .twist = w->twist,
                          .mass = w->mass,
                          .inertia = w->inertia,
                          .load = w->forces,
                          .load_steps = w->steps,
                          .ledger = w->ledger,
                          .passes = w->passes,
                          .converged = w->converged};
    for (size_t k = 0; k < w->contacts; k++) {
        contact_rows* c = &w->contact[k];
        a.contacts[k] = (br_worlds_contact_arrays){.z = c->z,
                                                   .fn = c->fn,
                                                   .fn_steps = w->steps,
                                                   .position = c->position,
                                                   .angle = c->angle,
                                                   .scale = c->numbers[SCALE],
                                                   .mu_c = c->numbers[MU_C],
                                                   .mu_s = c->numbers[MU_S],
                                                   .v_stribeck = c->numbers[V_S],
                                                   .sigma0 = c->numbers[SIGMA0],
                                                   .sigma1 = c->numbers[SIGMA1],
                                                   .sigma2 = c->numbers[SIGMA2],
                                                   .s_ba = c->numbers[S_BA],
                                                   .v_damping = c->numbers[V_D],
                                                   .ratio = c->has_grain ? c->ratio : NULL,
                                                   .ground = c->ground,
                                                   .f = c->f,
                                                   .state = c->state,
                                                   .slip_rate = c->slip_rate,
                                                   .load = c->load};
    }
    return a;
}

// --- arrays that are exactly as long -----------------------------------------------------------------------

enum { NUMBER_ARRAYS = 6 + 18 * BR_WORLDS_CONTACTS };

// One of the arrays of numbers in br_worlds_arrays.
typedef struct number_array {
    const void** at;
    size_t count;
} number_array;

static inline size_t list_arrays(br_worlds_arrays* a, const br_worlds* worlds,
                                 number_array list[NUMBER_ARRAYS])
{
    const size_t n = a->count, loads = a->load_steps > 1 ? a->load_steps : 1;
    const number_array shared[] = {{(const void**)&a->pose, 3 * n},
                                   {(const void**)&a->twist, 3 * n},
                                   {&a->mass, n},
                                   {&a->inertia, n},
                                   {&a->load, 3 * n * loads},
                                   {(const void**)&a->ledger, BR_WORLDS_LEDGER_ROWS * n}};
    size_t count = sizeof shared / sizeof *shared;
    memcpy(list, shared, sizeof shared);
    for (size_t k = 0; k < br_worlds_get_contact_count(worlds); k++) {
        br_worlds_contact_arrays* c = &a->contacts[k];
        const number_array own[] = {{(const void**)&c->z, n * br_worlds_get_state_count(worlds, k)},
                                    {&c->fn, n * (c->fn_steps > 1 ? c->fn_steps : 1)},
                                    {&c->position, 2 * n},
                                    {&c->angle, n},
                                    {&c->scale, n},
                                    {&c->mu_c, n},
                                    {&c->mu_s, n},
                                    {&c->v_stribeck, n},
                                    {&c->sigma0, n},
                                    {&c->sigma1, n},
                                    {&c->sigma2, n},
                                    {&c->s_ba, n},
                                    {&c->v_damping, n},
                                    {&c->ratio, n},
                                    {&c->ground, 3 * n},
                                    {(const void**)&c->f, 3 * n},
                                    {(const void**)&c->slip_rate, n},
                                    {(const void**)&c->load, n}};
        memcpy(list + count, own, sizeof own);
        count += sizeof own / sizeof *own;
    }
    return count;
}

// Arrays of doubles, and copies of each as doubles or floats in a block of memory that is exactly as long.
typedef struct exact_arrays {
    br_worlds_arrays doubles, copies;
    number_array from[NUMBER_ARRAYS], to[NUMBER_ARRAYS];
    size_t count, bytes;
} exact_arrays;

// Freed by put_back().
static inline void copy_exactly(const br_worlds_arrays* doubles, const br_worlds* worlds,
                                br_worlds_type type, exact_arrays* out)
{
    out->doubles = out->copies = *doubles;
    out->bytes = type == BR_WORLDS_FLOAT ? sizeof(float) : sizeof(double);
    out->count = list_arrays(&out->doubles, worlds, out->from);
    list_arrays(&out->copies, worlds, out->to);
    for (size_t k = 0; k < out->count; k++) {
        const double* from = *out->from[k].at;
        void* to = from ? malloc(out->from[k].count * out->bytes) : NULL;
        assert_true(to || !from);
        for (size_t i = 0; from && i < out->from[k].count; i++) {
            if (type == BR_WORLDS_FLOAT) {
                ((float*)to)[i] = (float)from[i];
            } else {
                ((double*)to)[i] = from[i];
            }
        }
        *out->to[k].at = to;
    }
}

// Copy all numbers back, which is exact, and free the copies.
static inline void put_back(exact_arrays* e)
{
    for (size_t k = 0; k < e->count; k++) {
        double* to = (double*)*e->from[k].at;
        void* from = (void*)*e->to[k].at;
        for (size_t i = 0; to && i < e->from[k].count; i++) {
            to[i] = e->bytes == sizeof(float) ? (double)((const float*)from)[i]
                                              : ((const double*)from)[i];
        }
        free(from);
    }
}

// br_worlds_step() of worlds of any type, over arrays of doubles.
static inline void step_as(br_worlds_type type, br_worlds* worlds, const br_worlds_arrays* doubles,
                           double h, size_t steps)
{
    exact_arrays e;
    copy_exactly(doubles, worlds, type, &e);
    br_worlds_step(worlds, &e.copies, h, steps);
    put_back(&e);
}

#endif
