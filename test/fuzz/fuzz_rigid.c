/* The layer for rigid-body engines: bodies, points and rows of any numbers, for some steps. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/rigid.h"

enum { BODIES = 3, POINTS = 8, ROWS = 3, STEPS = 4 };

// What an engine passes.
typedef struct scene {
    size_t points, rows;
    brg_body bodies[BODIES];
    brg_point point[POINTS];
    brg_row row[ROWS];
} scene;

static brg_def take_def(input* in)
{
    brg_def def = brg_def_default();
    double* const numbers[] = {&def.touch, &def.radius,       &def.softness,  &def.correction,
                               &def.slop,  &def.static_ratio, &def.v_stribeck};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        vary(in, numbers[i]);
    }
    if (take_byte(in) & 1) {
        def.rounds = (int32_t)take_byte(in) - 2;
        def.keep = (int32_t)take_byte(in) - 2;
        def.largest = (int32_t)take_byte(in) - 2;
    }
    return def;
}

// A body, -1 for the world, at times one that does not exist.
static int32_t take_body(input* in, int32_t usual)
{
    const uint8_t how = take_byte(in);
    return how < 220 ? usual : (int32_t)(how % 8) - 3;
}

static brg_body make_body(void)
{
    brg_body b = {.inv_mass = {1.0, 1.0, 1.0}};
    for (size_t i = 0; i < 9; i += 4) {
        b.inv_inertia[i] = 100.0;
        b.R[i] = 1.0;
    }
    return b;
}

// Boxes on the ground and on each other, whose corners press.
static void make_scene(input* in, scene* s)
{
    for (size_t i = 0; i < BODIES; i++) {
        s->bodies[i] = make_body();
        s->bodies[i].x[2] = 0.05 + 0.1 * (double)i;
    }
    s->points = take_index(in, POINTS + 1);
    for (size_t i = 0; i < s->points; i++) {
        const int32_t b = (int32_t)(i / 4);
        s->point[i] = (brg_point){.x = {i & 1 ? 0.05 : -0.05, i & 2 ? 0.05 : -0.05, 0.1 * b},
                                  .n = {0.0, 0.0, 1.0},
                                  .impulse = 0.01,
                                  .mu = 0.5,
                                  .pair = (uint64_t)b,
                                  .a = b - 1,
                                  .b = b};
    }
    s->rows = take_index(in, ROWS + 1);
    for (size_t i = 0; i < s->rows; i++) {
        s->row[i] = (brg_row){.lower = -INFINITY, .upper = INFINITY, .target = NAN, .a = -1};
        s->row[i].jb[i] = 1.0;
    }
}

static void vary_all(input* in, double* numbers, size_t count)
{
    for (size_t changes = take_index(in, 4); changes > 0; changes--) {
        vary(in, &numbers[take_byte(in) % count]);
    }
}

static void vary_scene(input* in, scene* s)
{
    for (size_t i = 0; i < BODIES; i++) {
        vary_all(in, s->bodies[i].inv_mass, 3 + 9 + 3 + 9 + 3 + 3);
        s->bodies[i].asleep = take_byte(in) > 240;
    }
    for (size_t i = 0; i < s->points; i++) {
        brg_point* p = &s->point[i];
        vary_all(in, p->x, 3 + 3 + 4);
        p->a = take_body(in, p->a);
        p->b = take_body(in, p->b);
        p->pair = take_byte(in) < 240 ? p->pair : take_byte(in);
        p->bounces = take_byte(in) > 240;
    }
    for (size_t i = 0; i < s->rows; i++) {
        brg_row* r = &s->row[i];
        vary_all(in, r->ja, 6 + 6 + 5);
        r->a = take_body(in, r->a);
        r->b = take_body(in, r->b);
    }
}

// A joint in place of the last rows.
static void add_joint(input* in, scene* s)
{
    brg_joint joint = {.axes = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .a = -1, .b = 0};
    brg_row rows[6];
    vary_all(in, joint.x, 3 + 9);
    joint.locked = take_byte(in);
    const size_t count = brg_joint_get_rows(&joint, s->bodies, rows);
    s->rows = count < ROWS ? count : ROWS;
    memcpy(s->row, rows, s->rows * sizeof *rows);
}

static void step(brg_world* world, input* in, scene* s, double h)
{
    double impulse[6 * BODIES];
    brg_change change[BODIES];
    brg_contact contact;
    const bool before = brg_before(world, h, BODIES, impulse) == BR_OK;
    const bool after = brg_after(world, h, s->bodies, BODIES, s->point, s->points, s->row, s->rows,
                                 change) == BR_OK;
    for (size_t i = 0; i < BODIES; i++) {
        for (size_t k = 0; k < 3; k++) {
            // a step that is refused changes nothing
            if ((!after && (change[i].dv[k] != 0.0 || change[i].dw[k] != 0.0)) ||
                (!before && impulse[6 * i + k] != 0.0)) {
                abort();
            }
            s->bodies[i].v[k] += after ? change[i].dv[k] : 0.0;
            s->bodies[i].w[k] += after ? change[i].dw[k] : 0.0;
        }
    }
    brg_get_contact(world, take_byte(in) % 4, &contact);
    brg_get_report(world);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    input in = {data, size};
    const brg_def def = take_def(&in);
    brg_world* world = NULL;
    br_reason why;
    scene s;
    if (brg_create(&def, &world, &why) != BR_OK) {
        if (world || !*why.text) {
            abort();
        }
        return 0;
    }
    make_scene(&in, &s);
    if (take_byte(&in) > 200) {
        add_joint(&in, &s);
    }
    for (int i = 0; i < STEPS; i++) {
        double h = 1e-3;
        vary(&in, &h);
        vary_scene(&in, &s);
        step(world, &in, &s, h);
        if (take_byte(&in) > 240) {
            brg_reset(world);
        }
    }
    brg_destroy(world);
    return 0;
}
