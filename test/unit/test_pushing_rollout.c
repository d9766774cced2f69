/*
 * Many pushes in lanes. Oracle: br_pushing_step(), push by push and line by line.
 */
#include "pushed_body.h"

#include "slider/pushing_internal.h"

enum { COUNT = 53, STEPS = 6 }; // no multiple of any number of lanes

typedef struct paths {
    double mu[COUNT];
    br_vec2 tips[COUNT][STEPS + 1];
    br_pose poses[COUNT][STEPS + 1];
    br_push pushes[COUNT][STEPS];
} paths;

// From all around the body to beyond its middle; some tips start in the body, some miss it.
static void fill(uint64_t seed, paths* p)
{
    for (int i = 0; i < COUNT; i++) {
        const double angle = uniform(&seed, 0.0, 2.0 * BR_PI), start = uniform(&seed, 0.03, 0.1);
        const double off = uniform(&seed, -0.04, 0.04), c = cos(angle), s = sin(angle);
        p->mu[i] = i % 10 == 0 ? 0.0 : uniform(&seed, 0.05, 0.9);
        p->poses[i][0] = (br_pose){uniform(&seed, -0.01, 0.01), uniform(&seed, -0.01, 0.01),
                                   uniform(&seed, -9.0, 9.0)};
        for (int k = 0; k <= STEPS; k++) {
            const double along = start - 0.02 * k * (i % 7 == 0 ? 0.1 : 1.0);
            const double across = off + uniform(&seed, -0.005, 0.005);
            p->tips[i][k] = (br_vec2){along * c - across * s, along * s + across * c};
        }
    }
}

static void run(rollout_in_lanes in_lanes, const br_pushing* pushing, int is_shown, paths* p)
{
    const rollout all = {
        pushing, COUNT, STEPS, p->mu, p->tips[0], p->poses[0], is_shown ? p->pushes[0] : NULL};
    in_lanes(&all);
}

// The oracle, on its own copy.
static void run_plainly(const br_pushing* pushing, paths* p)
{
    for (int i = 0; i < COUNT; i++) {
        br_pushing own = *pushing;
        own.mu = p->mu[i];
        for (int k = 0; k < STEPS; k++) {
            br_pose pose = p->poses[i][k];
            p->pushes[i][k] = br_pushing_step(&own, &pose, p->tips[i][k], p->tips[i][k + 1]);
            p->poses[i][k + 1] = pose;
        }
    }
}

// Largest difference of the poses of a push: position over the body's size, angle.
static double difference(const paths* a, const paths* b, int i)
{
    double largest = 0.0;
    for (int k = 0; k <= STEPS; k++) {
        const br_pose p = a->poses[i][k], q = b->poses[i][k];
        largest = fmax(largest, hypot(p.x - q.x, p.y - q.y) / 0.1);
        largest = fmax(largest, fabs(p.theta - q.theta));
    }
    return largest;
}

static void check_poses(const paths* a, const paths* b, double tolerance)
{
    for (int i = 0; i < COUNT; i++) {
        assert_near(difference(a, b, i), 0.0, tolerance);
    }
}

// Where poses agree, so do the pushes that end there.
static void check_pushes(const paths* a, const paths* b, double tolerance)
{
    for (int i = 0; i < COUNT * STEPS; i++) {
        const br_push *p = &a->pushes[i / STEPS][i % STEPS], *q = &b->pushes[i / STEPS][i % STEPS];
        assert_int_equal(p->mode, q->mode);
        assert_near(p->twist.vx, q->twist.vx, tolerance /* m/s */);
        assert_near(p->twist.w, q->twist.w, 100.0 * tolerance /* rad/s */);
        assert_near(p->force.x, q->force.x, 10.0 * tolerance);
        assert_near(p->point.y, q->point.y, tolerance /* m */);
    }
}

// Run all instances, with and without pushes, and compare.
static void check_body(pushed_body* body, double tolerance)
{
    paths *plain = calloc(1, sizeof *plain), *fast = calloc(1, sizeof *fast);
    for (uint64_t seed = 1; seed <= 2; seed++) {
        fill(seed, plain);
        run_plainly(&body->pushing, plain);
        for (int lanes = 2; lanes <= 8; lanes *= 2) {
            const rollout_in_lanes in_lanes = bri_pushing_rollout_with(lanes);
            if (in_lanes) {
                fill(seed, fast);
                run(in_lanes, &body->pushing, 0, fast);
                check_poses(fast, plain, tolerance);
                run(in_lanes, &body->pushing, 1, fast);
                check_poses(fast, plain, tolerance);
                check_pushes(fast, plain, tolerance);
            }
        }
    }
    free(plain);
    free(fast);
    destroy_body(body);
}

// Solutions differ by 1e-14; some 300 sub-steps amplify that where a tip reaches a corner or starts to slide.
static const double of_lanes = 1e-10;

// The normal of a tip of radius 0 is the direction to the nearest point, which is within 1e-9 m: 1e-8 of it is
// rounding, which sub-steps at a corner amplify.
static const double of_sharp_tips = 1e-4;

static void a_box_on_a_smooth_surface(void** state)
{
    (void)state;
    pushed_body body;
    make_body(rectangle(0.1, 0.06), BR_LIMIT_SMOOTH, 0.005, &body);
    check_body(&body, of_lanes);
}

static void a_sharp_tip(void** state)
{
    (void)state;
    pushed_body body;
    make_body(rectangle(0.1, 0.06), BR_LIMIT_SMOOTH, 0.0, &body);
    check_body(&body, of_sharp_tips);
}

static void a_disc_on_a_smooth_surface(void** state)
{
    (void)state;
    pushed_body body;
    br_patch_def disc = br_patch_def_default();
    disc.radius = br_by_force_constant(0.05);
    disc.centre = (br_vec2){0.01, 0.0};
    make_body(disc, BR_LIMIT_SMOOTH, 0.005, &body);
    check_body(&body, of_lanes);
}

static void a_box_on_the_ellipsoid(void** state)
{
    (void)state;
    pushed_body body;
    make_body(rectangle(0.1, 0.06), BR_LIMIT_ELLIPSOID, 0.005, &body);
    body.pushing.surface = NULL;
    body.pushing.e_r = 0.03;
    body.pushing.e_o = 0.8;
    body.pushing.centre = (br_vec2){0.005, 0.002};
    check_body(&body, of_lanes);
}

// How far a tip is from the body, over the body's size.
static double gap_of(const br_pushing* p, br_pose pose, br_vec2 tip)
{
    const br_vec2 away = br_vec2_rotate((br_vec2){tip.x - pose.x, tip.y - pose.y}, -pose.theta);
    return (br_outline_eval(p->outline, away).distance - p->radius) /
           br_outline_get_radius(p->outline);
}

/* Oracle: br_pushing_step() for nine pushes in ten, and no overlap in all of them. A tip in a concave corner touches
   two sides, and rounding decides which of them is nearer. */
static void a_t_with_concave_corners(void** state)
{
    (void)state;
    const br_vec2 corners[] = {{-0.06, 0.0}, {-0.015, 0.0}, {-0.015, -0.09}, {0.015, -0.09},
                               {0.015, 0.0}, {0.06, 0.0},   {0.06, 0.03},    {-0.06, 0.03}};
    br_patch_def t = br_patch_def_default();
    t.shape = BR_SHAPE_POLYGON;
    t.vertices = corners;
    t.count = 8;
    pushed_body body;
    make_body(t, BR_LIMIT_SMOOTH, 0.005, &body);
    paths *plain = calloc(1, sizeof *plain), *fast = calloc(1, sizeof *fast);
    fill(1, plain);
    fill(1, fast);
    run_plainly(&body.pushing, plain);
    br_pushing_rollout(&body.pushing, COUNT, STEPS, fast->mu, fast->tips[0], fast->poses[0], NULL);
    int same = 0;
    for (int i = 0; i < COUNT; i++) {
        same += difference(fast, plain, i) < of_lanes;
        for (int k = 1; k <= STEPS; k++) {
            assert_true(gap_of(&body.pushing, fast->poses[i][k], fast->tips[i][k]) > -1.1e-6);
        }
    }
    assert_true(same >= 9 * COUNT / 10 && same <= COUNT);
    free(plain);
    free(fast);
    destroy_body(&body);
}

/* Oracle: bits. What a lane computes depends neither on its neighbours nor on its number; NaN stays in its push. */
static void pushes_do_not_depend_on_their_neighbours(void** state)
{
    (void)state;
    pushed_body body;
    make_body(rectangle(0.1, 0.06), BR_LIMIT_SMOOTH, 0.005, &body);
    paths *one = calloc(1, sizeof *one), *other = calloc(1, sizeof *other);
    fill(7, one);
    fill(7, other);
    for (int i = 1; i < COUNT; i++) { // all but the first move on by one lane
        other->mu[i] = one->mu[i - 1];
        memcpy(other->tips[i], one->tips[i - 1], sizeof one->tips[i]);
        other->poses[i][0] = one->poses[i - 1][0];
    }
    other->poses[0][0].x = (double)NAN;
    other->tips[40][3].y = (double)NAN; // was number 39
    br_pushing_rollout(&body.pushing, COUNT, STEPS, one->mu, one->tips[0], one->poses[0], NULL);
    br_pushing_rollout(&body.pushing, COUNT, STEPS, other->mu, other->tips[0], other->poses[0],
                       NULL);
    assert_true(isnan(other->poses[0][STEPS].x));
    assert_true(isnan(other->poses[40][3].x));
    for (int i = 1; i < COUNT; i++) {
        const size_t bytes = (i == 40 ? 3 : STEPS + 1) * sizeof(br_pose);
        assert_memory_equal(other->poses[i], one->poses[i - 1], bytes);
    }
    free(one);
    free(other);
    destroy_body(&body);
}

/* Oracle: br_pushing_step() to the last bit, which is what other surfaces use; mu of the pusher; no memory. */
static void other_surfaces_and_sizes(void** state)
{
    (void)state;
    pushed_body body;
    make_body(rectangle(0.1, 0.06), BR_LIMIT_FITTED, 0.005, &body);
    paths* p = calloc(1, sizeof *p);
    fill(3, p);
    counting counter = {0, 0, 0};
    br_set_allocator(counting_allocate, counting_release, &counter);
    br_pushing_rollout(&body.pushing, 5, STEPS, NULL, p->tips[0], p->poses[0], NULL);
    br_pushing_rollout(&body.pushing, 0, STEPS, NULL, NULL, NULL, NULL);
    const br_pose before = p->poses[7][0];
    br_pushing_rollout(&body.pushing, COUNT, 0, NULL, p->tips[0], p->poses[0], NULL);
    br_set_allocator(NULL, NULL, NULL);
    assert_int_equal(counter.calls, 0);
    assert_memory_equal(&p->poses[7][0], &before, sizeof before);
    for (int i = 0; i < 5; i++) {
        br_pose pose = p->poses[i][0];
        for (int k = 0; k < STEPS; k++) {
            br_pushing_step(&body.pushing, &pose, p->tips[i][k], p->tips[i][k + 1]);
        }
        assert_memory_equal(&pose, &p->poses[i][STEPS], sizeof pose);
    }
    free(p);
    destroy_body(&body);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_on_a_smooth_surface),
        cmocka_unit_test(a_sharp_tip),
        cmocka_unit_test(a_disc_on_a_smooth_surface),
        cmocka_unit_test(a_t_with_concave_corners),
        cmocka_unit_test(a_box_on_the_ellipsoid),
        cmocka_unit_test(pushes_do_not_depend_on_their_neighbours),
        cmocka_unit_test(other_surfaces_and_sizes),
    };
    return run_group(argc, argv, tests);
}
