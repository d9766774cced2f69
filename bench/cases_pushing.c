/*
 * Quasi-static pushing as a planner does it: 512 pushes of 10 steps of some 8 mm each, random changes of one straight
 * push against a box of 100 mm. A call is one step of one push. `rollout` is in lanes with the smooth surface;
 * `step/exact` and `step/smooth` are br_pushing_step(), one by one, on the first pushes of the same set.
 */
#include "bench.h"

#include "bristle/pushing.h"

#include <math.h>
#include <string.h>

enum { PUSHES = 512, STEPS = 10, FEW = 16 };

typedef struct pushing_case {
    br_patch* patch;
    br_limit* surface;
    br_outline* outline;
    br_pushing pushing;
    br_vec2 tips[PUSHES][STEPS + 1];
    br_pose poses[PUSHES][STEPS + 1];
} pushing_case;

static void destroy(void* setup)
{
    pushing_case* c = setup;
    br_limit_destroy(c->surface);
    br_outline_destroy(c->outline);
    br_patch_destroy(c->patch);
    br_release(c);
}

// A number in [-1, 1] that depends on the index alone.
static double noise(size_t index)
{
    const double x = sin(12.9898 * (double)index) * 43758.5453;
    return 2.0 * (x - floor(x)) - 1.0;
}

// Paths from below the box upwards; sideways they differ by a random walk.
static void fill_tips(pushing_case* c)
{
    for (size_t i = 0; i < PUSHES; i++) {
        br_vec2 tip = {0.03 * noise(i), -0.056};
        for (size_t k = 0; k <= STEPS; k++) {
            c->tips[i][k] = tip;
            tip.x += 0.004 * noise(1000 + 20 * i + k);
            tip.y += 0.008 + 0.002 * noise(20000 + 20 * i + k);
        }
    }
}

static void* create(br_limit_method method)
{
    pushing_case* c = br_allocate(1, sizeof *c);
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_RECTANGLE;
    def.size_x = def.size_y = 0.1;
    br_limit_def limit = br_limit_def_default();
    if (!c || br_patch_create(&def, &c->patch, NULL) != BR_OK) {
        return NULL;
    }
    limit.patch = c->patch;
    limit.method = method;
    limit.n = 160; // as bristle.Pusher of Python has it
    if (br_limit_create(&limit, &c->surface, NULL) != BR_OK ||
        br_outline_create(c->patch, 1.0, 0, &c->outline, NULL) != BR_OK) {
        return NULL;
    }
    c->pushing = br_pushing_default();
    c->pushing.surface = c->surface;
    c->pushing.outline = c->outline;
    c->pushing.radius = 0.005;
    fill_tips(c);
    return c;
}

static void* create_exact(void)
{
    return create(BR_LIMIT_EXACT);
}

static void* create_smooth(void)
{
    return create(BR_LIMIT_SMOOTH);
}

static double rollout(void* setup, size_t calls)
{
    pushing_case* c = setup;
    const size_t count = calls / STEPS;
    br_pushing_rollout(&c->pushing, count, STEPS, NULL, c->tips[0], c->poses[0], NULL);
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += c->poses[i][STEPS].theta;
    }
    return sum;
}

static double one_by_one(void* setup, size_t calls)
{
    pushing_case* c = setup;
    double sum = 0.0;
    for (size_t i = 0; i < calls / STEPS; i++) {
        br_pose pose = {0.0, 0.0, 0.0};
        for (size_t k = 0; k < STEPS; k++) {
            br_pushing_step(&c->pushing, &pose, c->tips[i][k], c->tips[i][k + 1]);
        }
        sum += pose.theta;
    }
    return sum;
}

const bench_case pushing_cases[] = {
    BENCH_CASE("pushing.step/exact", FEW* STEPS, create_exact, one_by_one, NULL, destroy),
    BENCH_CASE("pushing.step/smooth", FEW* STEPS, create_smooth, one_by_one, NULL, destroy),
    BENCH_CASE("pushing.rollout/16x10", FEW* STEPS, create_smooth, rollout, one_by_one, destroy),
    BENCH_CASE("pushing.rollout/512x10", PUSHES* STEPS, create_smooth, rollout, NULL, destroy),
};
const size_t pushing_case_count = sizeof pushing_cases / sizeof *pushing_cases;
