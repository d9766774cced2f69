/*
 * Fixed steps of 1 ms of a body between two fingers (W&K, section VI-B, case 2), one step per call:
 * sticking, sliding, through slip and stick, and the step of that run with the most passes. By the
 * kernel's best instance and by the scalar instance. And the derivatives of the sticking and sliding steps backwards, beside
 * a pass over the bristles at their end.
 */
#include "bench.h"

#include "bristle/gradient.h"
#include "bristle/step.h"

#include <math.h>
#include <string.h>

enum { STEPS = 2000, GRID = 21, SETTLING = 300 };

static const double step = 1e-3, mass = 0.2, gravity = 9.81,
                    start = 0.002;           // [s], [kg], [m/s^2], [m]
static const double firm = 3.0, loose = 0.5; // grips that hold and that slip [N]

// Everything that a step changes.
typedef struct snapshot {
    br_twist v;
    br_pose pose;
    int at;    // steps so far
    double* z; // (states)
} snapshot;

typedef struct step_case {
    br_patch* patch;
    br_contact *fast, *plain;
    br_step_body body;
    size_t states;
    double* memory;
    double* work;
    double grip;         // normal force of one finger [N]; 0: that of case 2, which oscillates
    snapshot first, now; // start of every run, and current state
} step_case;

static void destroy(void* setup)
{
    step_case* c = setup;
    br_contact_destroy(c->fast);
    br_contact_destroy(c->plain);
    br_patch_destroy(c->patch);
    br_release(c->memory);
    br_release(c);
}

// W&K's circle: a mask of 317 cells.
static br_status create_patch(br_patch** out)
{
    double cells[GRID * GRID];
    for (int i = 0; i < GRID * GRID; i++) {
        cells[i] = hypot(i % GRID - 10, i / GRID - 10) <= 10.0;
    }
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_GRID;
    def.size_x = def.size_y = 0.02;
    def.columns = def.rows = GRID;
    def.cells = cells;
    return br_patch_create(&def, out, NULL);
}

static br_status create_contacts(step_case* c, br_method method)
{
    br_contact_def def = br_contact_def_default();
    br_status status = create_patch(&c->patch);
    def.method = method;
    def.patch = c->patch;
    status = status == BR_OK ? br_contact_create(&def, &c->fast, NULL) : status;
    def.plain = 1;
    return status == BR_OK ? br_contact_create(&def, &c->plain, NULL) : status;
}

static void copy(const step_case* c, const snapshot* from, snapshot* to)
{
    double* z = to->z;
    *to = *from;
    to->z = memcpy(z, from->z, c->states * sizeof *z);
}

// The finger does not move, seen from the body half a step later; its grip changes every 10 ms.
static br_step_contact finger(const step_case* c, const br_contact* contact)
{
    const snapshot* now = &c->now;
    br_step_contact f = {.contact = contact, .z = now->z, .count = 2};
    f.arm =
        (br_vec2){-(now->pose.x + 0.5 * step * now->v.vx), -(now->pose.y + 0.5 * step * now->v.vy)};
    f.fn = c->grip > 0.0 ? c->grip : 1.73 + 0.91 * sin(4.0 * BR_PI * 0.01 * (now->at / 10));
    return f;
}

// Do one step; returns the number of passes over the bristles.
static int advance(step_case* c, const br_contact* contact)
{
    br_step_contact f = finger(c, contact);
    const br_wrench weight = {0.0, -mass * gravity, 0.0};
    const br_step_result r = br_step_coupled(&c->body, &c->now.v, weight, step, &f, 1, c->work);
    c->now.pose = br_pose_advance(c->now.pose, r.mean, step);
    c->now.at++;
    return r.passes;
}

static step_case* create(br_method method, double grip)
{
    step_case* c = br_allocate(1, sizeof *c);
    if (!c || create_contacts(c, method) != BR_OK) {
        return NULL;
    }
    c->states = br_contact_get_state_count(c->fast);
    const br_step_contact one = {.contact = c->fast};
    const size_t work = br_step_get_work(&one, 1);
    c->memory = br_allocate(2 * c->states + work, sizeof *c->memory);
    if (!c->memory) {
        destroy(c);
        return NULL;
    }
    c->first.z = c->memory;
    c->now.z = c->memory + c->states;
    c->work = c->memory + 2 * c->states;
    c->body = br_step_body_default(mass, mass / 12.0 * (0.15 * 0.15 + 0.08 * 0.08));
    c->grip = grip;
    c->first.pose.x = start;
    copy(c, &c->first, &c->now);
    return c;
}

// Steady state of sticking or sliding.
static void* settled(br_method method, double grip)
{
    step_case* c = create(method, grip);
    for (int i = 0; c && i < SETTLING; i++) {
        advance(c, c->fast);
    }
    if (c) {
        copy(c, &c->now, &c->first);
    }
    return c;
}

// The state before the step of case 2 with the most passes.
static void* at_worst(br_method method)
{
    step_case* c = create(method, 0.0);
    int worst = 0, at = 0;
    for (int i = 0; c && i < STEPS; i++) {
        const int passes = advance(c, c->fast);
        at = passes > worst ? i : at;
        worst = passes > worst ? passes : worst;
    }
    if (c) {
        copy(c, &c->first, &c->now);
        for (int i = 0; i < at; i++) {
            advance(c, c->fast);
        }
        copy(c, &c->now, &c->first);
    }
    return c;
}

// Steps one after the other, from the start.
static double follow(step_case* c, const br_contact* contact, size_t calls)
{
    copy(c, &c->first, &c->now);
    for (size_t i = 0; i < calls; i++) {
        advance(c, contact);
    }
    return c->now.pose.y;
}

static double follow_fast(void* setup, size_t calls)
{
    step_case* c = setup;
    return follow(c, c->fast, calls);
}

static double follow_plain(void* setup, size_t calls)
{
    step_case* c = setup;
    return follow(c, c->plain, calls);
}

// The same step repeatedly.
static double repeat(step_case* c, const br_contact* contact, size_t calls)
{
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        copy(c, &c->first, &c->now);
        advance(c, contact);
        sum += c->now.v.vy;
    }
    return sum;
}

static double repeat_fast(void* setup, size_t calls)
{
    step_case* c = setup;
    return repeat(c, c->fast, calls);
}

static double repeat_plain(void* setup, size_t calls)
{
    step_case* c = setup;
    return repeat(c, c->plain, calls);
}

// The step of a setting, done once with a record: what its derivatives need.
typedef struct reverse {
    br_step_contact finger;
    br_step_contact_adjoint contact;
    br_step_record record;
    double *z1, *zb, *work; // memory
} reverse;

static int reverse_init(step_case* c, const br_contact* contact, reverse* r)
{
    const br_wrench weight = {0.0, -mass * gravity, 0.0};
    copy(c, &c->first, &c->now);
    r->finger = finger(c, contact);
    r->z1 = br_allocate(2 * c->states + br_step_gradient_get_work(&r->finger, 1), sizeof *r->z1);
    if (!r->z1) {
        return 0;
    }
    r->zb = r->z1 + c->states;
    r->work = r->zb + c->states;
    br_twist v = c->now.v;
    br_step_coupled_recorded(&c->body, &v, weight, step, &r->finger, 1, c->work, &r->record);
    memcpy(r->z1, c->now.z, c->states * sizeof *r->z1);
    copy(c, &c->first, &c->now);
    return 1;
}

// dL/dx of L = v_y at the end, from the end to the start; the same step repeatedly.
static double sweep_back(step_case* c, const br_contact* contact, size_t calls, bool by_law)
{
    reverse r;
    double sum = 0.0;
    if (!reverse_init(c, contact, &r)) {
        return 0.0;
    }
    for (size_t i = 0; i < calls; i++) {
        br_step_adjoint body = {.v1_bar = {0.0, 1.0, 0.0}, .by_law = by_law};
        r.contact = (br_step_contact_adjoint){.z1 = r.z1, .z0_bar = r.zb};
        br_step_vjp(&c->body, &r.record, (br_wrench){0.0, -mass * gravity, 0.0}, step, &r.finger,
                    &r.contact, 1, &body, r.work);
        sum += r.contact.fn;
    }
    br_release(r.z1);
    return sum;
}

static double back_fast(void* setup, size_t calls)
{
    step_case* c = setup;
    return sweep_back(c, c->fast, calls, 0);
}

static double back_plain(void* setup, size_t calls)
{
    step_case* c = setup;
    return sweep_back(c, c->plain, calls, 0);
}

static double back_law_fast(void* setup, size_t calls)
{
    step_case* c = setup;
    return sweep_back(c, c->fast, calls, 1);
}

static double back_law_plain(void* setup, size_t calls)
{
    step_case* c = setup;
    return sweep_back(c, c->plain, calls, 1);
}

// A pass over the bristles at the twist of the end, as step.pass measures it.
static double pass(step_case* c, const br_contact* contact, size_t calls)
{
    reverse r;
    double sum = 0.0;
    if (!reverse_init(c, contact, &r)) {
        return 0.0;
    }
    for (size_t i = 0; i < calls; i++) {
        sum += br_step_trial_eval(&r.finger, 1, r.record.v1, step, c->work).tangent[1][1];
    }
    br_release(r.z1);
    return sum;
}

static double pass_fast(void* setup, size_t calls)
{
    step_case* c = setup;
    return pass(c, c->fast, calls);
}

static double pass_plain(void* setup, size_t calls)
{
    step_case* c = setup;
    return pass(c, c->plain, calls);
}

static bench_size size_of(const void* setup)
{
    return bench_size_of(((const step_case*)setup)->fast);
}

// The four situations of a method.
#define SETUPS(name, method)                                                                       \
    static void* name##_stick(void)                                                                \
    {                                                                                              \
        return settled(method, firm);                                                              \
    }                                                                                              \
    static void* name##_sliding(void)                                                              \
    {                                                                                              \
        return settled(method, loose);                                                             \
    }                                                                                              \
    static void* name##_slip_stick(void)                                                           \
    {                                                                                              \
        return create(method, 0.0);                                                                \
    }                                                                                              \
    static void* name##_worst(void)                                                                \
    {                                                                                              \
        return at_worst(method);                                                                   \
    }

SETUPS(cells, BR_METHOD_DISTRIBUTED)
SETUPS(blocks, BR_METHOD_BLOCKS)
SETUPS(reduced, BR_METHOD_REDUCED)

#define ROW(what, count, make, ours, plain)                                                        \
    {                                                                                              \
        .name = what, .calls = count, .setup = make, .run = ours, .reference = plain,              \
        .teardown = destroy, .size = size_of                                                       \
    }

// clang-format off
const bench_case step_cases[] = {
    ROW("step.stick/cells", 100, cells_stick, repeat_fast, repeat_plain),
    ROW("step.sliding/cells", 50, cells_sliding, repeat_fast, repeat_plain),
    ROW("step.slip-stick/cells", STEPS, cells_slip_stick, follow_fast, follow_plain),
    ROW("step.worst/cells", 20, cells_worst, repeat_fast, repeat_plain),
    ROW("step.stick/blocks", 100, blocks_stick, repeat_fast, repeat_plain),
    ROW("step.sliding/blocks", 50, blocks_sliding, repeat_fast, repeat_plain),
    ROW("step.slip-stick/blocks", STEPS, blocks_slip_stick, follow_fast, follow_plain),
    ROW("step.worst/blocks", 20, blocks_worst, repeat_fast, repeat_plain),
    ROW("step.stick/reduced", 100, reduced_stick, repeat_fast, repeat_plain),
    ROW("step.sliding/reduced", 50, reduced_sliding, repeat_fast, repeat_plain),
    ROW("step.slip-stick/reduced", STEPS, reduced_slip_stick, follow_fast, follow_plain),
    ROW("step.worst/reduced", 20, reduced_worst, repeat_fast, repeat_plain),
    ROW("gradient.pass/stick/cells", 200, cells_stick, pass_fast, pass_plain),
    ROW("gradient.vjp/stick/cells", 200, cells_stick, back_fast, back_plain),
    ROW("gradient.vjp-law/stick/cells", 200, cells_stick, back_law_fast, back_law_plain),
    ROW("gradient.vjp/sliding/cells", 200, cells_sliding, back_fast, back_plain),
    ROW("gradient.vjp-law/sliding/cells", 200, cells_sliding, back_law_fast, back_law_plain),
    ROW("gradient.pass/stick/blocks", 1000, blocks_stick, pass_fast, pass_plain),
    ROW("gradient.vjp/stick/blocks", 1000, blocks_stick, back_fast, back_plain),
    ROW("gradient.vjp-law/stick/blocks", 1000, blocks_stick, back_law_fast, back_law_plain),
    ROW("gradient.vjp/sliding/blocks", 1000, blocks_sliding, back_fast, back_plain),
    ROW("gradient.vjp-law/sliding/blocks", 1000, blocks_sliding, back_law_fast, back_law_plain),
    ROW("gradient.pass/stick/reduced", 1000, reduced_stick, pass_fast, pass_plain),
    ROW("gradient.vjp/stick/reduced", 1000, reduced_stick, back_fast, back_plain),
    ROW("gradient.vjp-law/stick/reduced", 1000, reduced_stick, back_law_fast, back_law_plain),
    ROW("gradient.vjp/sliding/reduced", 1000, reduced_sliding, back_fast, back_plain),
    ROW("gradient.vjp-law/sliding/reduced", 1000, reduced_sliding, back_law_fast, back_law_plain),
};
// clang-format on
const size_t step_case_count = sizeof step_cases / sizeof *step_cases;
