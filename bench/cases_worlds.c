/*
 * Many bodies at once: 1,024 bodies between two fingers, each with its own mass, position and grip. The grip
 * oscillates, so that at any time some worlds stick and some slip; 16 neighbours have the same phase, in the rows `mixed` each
 * world has its own, which would be the worst case for lanes that wait for each other. One call is one step of 1 ms of one body. The reference
 * is a loop over br_step_coupled(), which `worlds.loop` times as a row of its own.
 */
#include "bench.h"

#include "bristle/step.h"
#include "bristle/worlds.h"

#include <math.h>
#include <string.h>

enum { WORLDS = 1024, STEPS = 40, SETTLING = 300, CALLS = WORLDS * STEPS };

static const double step = 1e-3, gravity = 9.81; // [s], [m/s^2]

typedef struct worlds_case {
    br_patch* patch;
    br_contact* contact;
    br_worlds* worlds;
    size_t states, bytes; // of z; of a number
    int is_float, is_mixed;
    double *mass, *inertia, *load, *fn; // (WORLDS), (3 x WORLDS), (STEPS x WORLDS); in doubles
    double *first, *now;                // pose, twist, z: (6 + states) x WORLDS
    float *few, *few_now;               // the same in floats: parameters; pose, twist, z
    double* work;
} worlds_case;

static double frac(double a)
{
    return a - floor(a);
}

static void destroy(void* setup)
{
    worlds_case* c = setup;
    br_worlds_destroy(c->worlds);
    br_contact_destroy(c->contact);
    br_patch_destroy(c->patch);
    br_release(c->mass);
    br_release(c->few);
    br_release(c);
}

static size_t state_numbers(const worlds_case* c)
{
    return (6 + c->states) * WORLDS;
}

// Normal force of a finger on world i.
static double grip_of(const worlds_case* c, size_t i, double t)
{
    const double phase = 2.0 * BR_PI * frac(0.567143 * (double)(c->is_mixed ? i : i / 16));
    return c->mass[i] / 0.2 *
           (1.3 + 0.9 * frac(0.236068 * (double)i) + 0.91 * sin(4.0 * BR_PI * t + phase));
}

static void fill(worlds_case* c)
{
    for (size_t i = 0; i < WORLDS; i++) {
        const double m = 0.1 + 0.2 * frac(0.732051 * (double)i);
        c->mass[i] = m;
        c->inertia[i] = m / 12.0 * (0.15 * 0.15 + 0.08 * 0.08);
        c->load[WORLDS + i] = -gravity * m;
        c->first[i] = 0.004 * (frac(0.618034 * (double)i) - 0.5);
        c->first[WORLDS + i] = 0.004 * (frac(0.414214 * (double)i) - 0.5);
    }
}

static void fill_grips(worlds_case* c, double t)
{
    for (size_t k = 0; k < STEPS; k++) {
        for (size_t i = 0; i < WORLDS; i++) {
            c->fn[k * WORLDS + i] = grip_of(c, i, t + step * (double)k);
        }
    }
}

static int allocate(worlds_case* c)
{
    const br_step_contact one = {.contact = c->contact};
    const size_t parameters = (5 + STEPS) * WORLDS, states = state_numbers(c);
    c->mass = br_allocate(parameters + 2 * states + br_step_get_work(&one, 1), sizeof(double));
    c->few = br_allocate(parameters + states, sizeof(float));
    if (!c->mass || !c->few) {
        return 0;
    }
    c->inertia = c->mass + WORLDS;
    c->load = c->inertia + WORLDS;
    c->fn = c->load + 3 * WORLDS;
    c->first = c->mass + parameters;
    c->now = c->first + states;
    c->work = c->now + states;
    c->few_now = c->few + parameters;
    return 1;
}

static br_status create_worlds(worlds_case* c, br_method method)
{
    const br_patch_def shape = br_patch_def_default();
    br_contact_def def = br_contact_def_default();
    br_status status = br_patch_create(&shape, &c->patch, NULL);
    def.method = method;
    def.patch = c->patch;
    status = status == BR_OK ? br_contact_create(&def, &c->contact, NULL) : status;
    const br_worlds_contact finger = {.contact = c->contact, .frame = BR_WORLDS_GROUND, .count = 2};
    br_worlds_def worlds = br_worlds_def_default(&finger, 1);
    worlds.type = c->is_float ? BR_WORLDS_FLOAT : BR_WORLDS_DOUBLE;
    return status == BR_OK ? br_worlds_create(&worlds, &c->worlds, NULL) : status;
}

// --- loop -------------------------------------------------------------------------------------------------

// One world through all steps.
static void step_one(worlds_case* c, size_t i)
{
    double* s = c->now + i;
    double z[512];
    br_twist v = {s[3 * WORLDS], s[4 * WORLDS], s[5 * WORLDS]};
    br_pose pose = {s[0], s[WORLDS], s[2 * WORLDS]};
    const br_step_body body = br_step_body_default(c->mass[i], c->inertia[i]);
    for (size_t k = 0; k < c->states; k++) {
        z[k] = s[(6 + k) * WORLDS];
    }
    for (size_t k = 0; k < STEPS; k++) {
        br_step_contact f = {
            .contact = c->contact, .z = z, .count = 2, .fn = c->fn[k * WORLDS + i]};
        const br_wrench load = {0.0, c->load[WORLDS + i], 0.0};
        f.arm = (br_vec2){-(pose.x + 0.5 * step * v.vx), -(pose.y + 0.5 * step * v.vy)};
        const br_step_result r = br_step_coupled(&body, &v, load, step, &f, 1, c->work);
        pose = br_pose_advance(pose, r.mean, step);
    }
    const double end[6] = {pose.x, pose.y, pose.theta, v.vx, v.vy, v.w};
    for (size_t k = 0; k < 6 + c->states; k++) {
        s[k * WORLDS] = k < 6 ? end[k] : z[k - 6];
    }
}

static void loop(worlds_case* c)
{
    for (size_t i = 0; i < WORLDS; i++) {
        step_one(c, i);
    }
}

static double sum_of(const worlds_case* c)
{
    double sum = 0.0;
    for (size_t i = 0; i < WORLDS; i++) {
        sum += c->now[WORLDS + i];
    }
    return sum;
}

// --- rows -------------------------------------------------------------------------------------------------

static void* create(br_method method, int is_float, int is_mixed)
{
    worlds_case* c = br_allocate(1, sizeof *c);
    if (!c) {
        return NULL;
    }
    c->is_float = is_float;
    c->is_mixed = is_mixed;
    if (create_worlds(c, method) != BR_OK) {
        destroy(c);
        return NULL;
    }
    c->states = br_contact_get_state_count(c->contact);
    if (c->states > 512 || !allocate(c)) {
        destroy(c);
        return NULL;
    }
    fill(c);
    // settle, and keep that state as the start of every run
    memcpy(c->now, c->first, state_numbers(c) * sizeof *c->now);
    for (int k = 0; k < SETTLING; k += STEPS) {
        fill_grips(c, step * k);
        loop(c);
    }
    memcpy(c->first, c->now, state_numbers(c) * sizeof *c->now);
    for (size_t i = 0; i < (5 + STEPS) * (size_t)WORLDS; i++) {
        c->few[i] = (float)c->mass[i];
    }
    return c;
}

static double run_loop(void* setup, size_t calls)
{
    worlds_case* c = setup;
    (void)calls;
    memcpy(c->now, c->first, state_numbers(c) * sizeof *c->now);
    loop(c);
    return sum_of(c);
}

static br_worlds_arrays arrays_of(const worlds_case* c, char* parameters, char* states)
{
    const size_t row = WORLDS * (c->is_float ? sizeof(float) : sizeof(double));
    br_worlds_arrays a = {.count = WORLDS,
                          .mass = parameters,
                          .inertia = parameters + row,
                          .load = parameters + 2 * row,
                          .pose = states,
                          .twist = states + 3 * row};
    a.contacts[0] = (br_worlds_contact_arrays){
        .z = states + 6 * row, .fn = parameters + 5 * row, .fn_steps = STEPS};
    return a;
}

static double run_worlds(void* setup, size_t calls)
{
    worlds_case* c = setup;
    (void)calls;
    memcpy(c->now, c->first, state_numbers(c) * sizeof *c->now);
    for (size_t i = 0; c->is_float && i < state_numbers(c); i++) {
        c->few_now[i] = (float)c->first[i];
    }
    const br_worlds_arrays a = c->is_float ? arrays_of(c, (char*)c->few, (char*)c->few_now)
                                           : arrays_of(c, (char*)c->mass, (char*)c->now);
    br_worlds_step(c->worlds, &a, step, STEPS);
    for (size_t i = 0; c->is_float && i < WORLDS; i++) {
        c->now[WORLDS + i] = (double)c->few_now[WORLDS + i];
    }
    return sum_of(c);
}

static bench_size size_of(const void* setup)
{
    return bench_size_of(((const worlds_case*)setup)->contact);
}

#define SETUP(name, method, is_float, is_mixed)                                                    \
    static void* name(void)                                                                        \
    {                                                                                              \
        return create(method, is_float, is_mixed);                                                 \
    }
SETUP(ellipsoid, BR_METHOD_ELLIPSOID, 0, 0)
SETUP(ellipsoid_float, BR_METHOD_ELLIPSOID, 1, 0)
SETUP(ellipsoid_mixed, BR_METHOD_ELLIPSOID, 0, 1)
SETUP(ellipsoid_mixed_float, BR_METHOD_ELLIPSOID, 1, 1)
SETUP(blocks, BR_METHOD_BLOCKS, 0, 0)
SETUP(reduced, BR_METHOD_REDUCED, 0, 0)

#define ROW(its_name, make, ours, loop)                                                            \
    {                                                                                              \
        .name = "worlds." its_name, .calls = CALLS, .setup = make, .run = ours, .reference = loop, \
        .teardown = destroy, .size = size_of                                                       \
    }

const bench_case worlds_cases[] = {
    ROW("step/ellipsoid-1024", ellipsoid, run_worlds, run_loop),
    ROW("step/ellipsoid-1024-float", ellipsoid_float, run_worlds, run_loop),
    ROW("step/ellipsoid-1024-mixed", ellipsoid_mixed, run_worlds, run_loop),
    ROW("step/ellipsoid-1024-mixed-float", ellipsoid_mixed_float, run_worlds, run_loop),
    ROW("step/blocks-1024", blocks, run_worlds, run_loop),
    ROW("step/reduced-1024", reduced, run_worlds, run_loop),
    ROW("loop/ellipsoid-1024", ellipsoid, run_loop, NULL),
    ROW("loop/blocks-1024", blocks, run_loop, NULL),
    ROW("loop/reduced-1024", reduced, run_loop, NULL),
};
const size_t worlds_case_count = sizeof worlds_cases / sizeof *worlds_cases;
