/*
 * Derivatives of pushes. Oracles: central differences of br_pushing_step(), a closed form, and the identity of the
 * sweeps <w, J d> = <J^T w, d>.
 */
#include "pushed_body.h"

enum { STEPS = 5 };

static int fewer = 1; // a part of the random pushes, under valgrind

// A line with its body: all that br_pushing_gradient has a column for.
typedef struct line {
    br_pushing pushing;
    br_pose pose;
    br_vec2 from, to;
} line;

// The input of a column; NULL: only its factor e counts, or a surface that cannot be changed.
static double* input_of(line* l, int by)
{
    double* const inputs[BR_PUSHING_BY_COUNT] = {&l->pose.x,
                                                 &l->pose.y,
                                                 &l->pose.theta,
                                                 &l->from.x,
                                                 &l->from.y,
                                                 &l->to.x,
                                                 &l->to.y,
                                                 &l->pushing.mu,
                                                 &l->pushing.radius,
                                                 &l->pushing.centre.x,
                                                 &l->pushing.centre.y,
                                                 &l->pushing.e_t,
                                                 &l->pushing.e_o,
                                                 &l->pushing.e_r};
    return l->pushing.surface && by >= BR_PUSHING_BY_CENTRE_X ? NULL : inputs[by];
}

static br_pose end_of(const line* l)
{
    br_pose pose = l->pose;
    br_pushing_step(&l->pushing, &pose, l->from, l->to);
    return pose;
}

// Length of the sub-steps jumps with that of the line where their number does.
static int keeps_its_number(const line* l)
{
    const double n = 300.0 * hypot(l->to.x - l->from.x, l->to.y - l->from.y) /
                     br_outline_get_radius(l->pushing.outline);
    return fabs(n - round(n)) > 0.01;
}

// Central differences of the end by one input. Steps of lengths are over 0.1 m, the body's size.
static void difference(const line* at, int by, double relative, double found[3])
{
    line low = *at, high = *at;
    const int is_plain = by == BR_PUSHING_BY_MU || by == BR_PUSHING_BY_THETA;
    const double value = *input_of(&low, by), step = relative * (is_plain ? 1.0 : 0.1);
    const double by_value = by >= BR_PUSHING_BY_FORCE_X ? value : 1.0;
    *input_of(&low, by) = value - step * by_value;
    *input_of(&high, by) = value + step * by_value;
    const br_pose p = end_of(&low), q = end_of(&high);
    found[0] = (q.x - p.x) / (2.0 * step);
    found[1] = (q.y - p.y) / (2.0 * step);
    found[2] = (q.theta - p.theta) / (2.0 * step);
}

// Largest error of the columns over their size; angles count by 0.1 m.
static double error_at(const line* at, const br_pushing_gradient* g, double relative)
{
    static const double unit[3] = {1.0, 1.0, 0.1};
    double worst = 0.0;
    for (int by = 0; by < BR_PUSHING_BY_COUNT; by++) {
        double found[3], size = 0.1, error = 0.0;
        line copy = *at;
        if (!input_of(&copy, by)) {
            continue;
        }
        difference(at, by, relative, found);
        for (int i = 0; i < 3; i++) {
            size += unit[i] * fabs(found[i]);
            error = fmax(error, unit[i] * fabs(found[i] - g->by[i][by]));
        }
        worst = fmax(worst, error / size);
    }
    return worst;
}

// A kink may be within a difference: the smallest error of three steps.
static double error_of(const line* at, const br_pushing_gradient* g)
{
    return fmin(error_at(at, g, 1e-6), fmin(error_at(at, g, 1e-7), error_at(at, g, 1e-8)));
}

static line random_line(const br_pushing* pushing, uint64_t* seed)
{
    line l = {.pushing = *pushing};
    const double angle = uniform(seed, 0.0, 2.0 * BR_PI), c = cos(angle), s = sin(angle);
    const double start = uniform(seed, 0.06, 0.09), end = start - uniform(seed, 0.02, 0.06);
    const double off = uniform(seed, -0.04, 0.04), shift = uniform(seed, -0.01, 0.01);
    l.pushing.mu = uniform(seed, 0.05, 0.8);
    l.pose =
        (br_pose){uniform(seed, -0.01, 0.01), uniform(seed, -0.01, 0.01), uniform(seed, -3.0, 3.0)};
    l.from = (br_vec2){start * c - off * s, start * s + off * c};
    l.to = (br_vec2){end * c - (off + shift) * s, end * s + (off + shift) * c};
    return l;
}

typedef struct tally {
    int count, off, stick, slide, corners, changes;
} tally;

// Pushes of a body against their differences. Some pushes have a kink so near that no difference avoids it: `off`.
static tally check_body(br_patch_def shape, int method, int trials, uint64_t seed)
{
    tally all = {0};
    pushed_body b;
    make_body(shape, method, 0.004, &b);
    trials /= fewer;
    while (all.count < trials) {
        const line l = random_line(&b.pushing, &seed);
        br_pose pose = l.pose;
        br_pushing_gradient g;
        const br_push push = br_pushing_step_gradient(&l.pushing, &pose, l.from, l.to, &g);
        const br_pose plain = end_of(&l);
        assert_memory_equal(&pose, &plain, sizeof pose); // the same sub-steps
        if (push.mode == BR_PUSH_BREAK || !keeps_its_number(&l)) {
            continue;
        }
        all.count++;
        // 1e-6: differences of solutions that are known to 1e-14 (gauge of the exact surface: 1e-9 at worst)
        all.off += !(error_of(&l, &g) < 1e-6);
        all.stick += push.mode == BR_PUSH_STICK;
        all.slide += push.mode != BR_PUSH_STICK;
        all.corners += g.corners > 0;
        all.changes += g.changes > 0;
    }
    destroy_body(&b);
    if (fewer == 1) { // else chance decides
        assert_true(all.off <= trials / 50);
        assert_true(all.stick > trials / 4 && all.slide > trials / 8 && all.changes > 0);
    }
    return all;
}

/* Oracle: central differences of br_pushing_step(). */
static void boxes_and_discs(void** state)
{
    (void)state;
    br_patch_def disc = br_patch_def_default();
    disc.radius = br_by_force_constant(0.05);
    check_body(rectangle(0.1, 0.06), OWN_ELLIPSOID, 100, 1);
    check_body(disc, OWN_ELLIPSOID, 100, 2);
    check_body(rectangle(0.1, 0.06), BR_LIMIT_SMOOTH, 50, 3);
    check_body(disc, BR_LIMIT_SMOOTH, 50, 3);
    check_body(rectangle(0.1, 0.06), BR_LIMIT_EXACT, 20, 4);
}

/* Oracle: central differences of br_pushing_step(). Some tips are in the concave corner of an L. */
static void concave_corners(void** state)
{
    (void)state;
    const br_vec2 corners[] = {{-0.05, -0.05}, {0.05, -0.05}, {0.05, 0.0},
                               {0.0, 0.0},     {0.0, 0.05},   {-0.05, 0.05}};
    br_patch_def l = br_patch_def_default();
    l.shape = BR_SHAPE_POLYGON;
    l.vertices = corners;
    l.count = 6;
    const tally all = check_body(l, OWN_ELLIPSOID, 150, 5);
    assert_true(all.corners > 0 || fewer > 1);
    check_body(l, BR_LIMIT_SMOOTH, 30, 6);
}

// A line that ends in the concave corner of the L below, at (0, 0) of the body, against both of its edges.
static line line_into_corner(const br_pushing* pushing, uint64_t* seed)
{
    line l = {.pushing = *pushing, .pose = {0.0, 0.0, uniform(seed, -3.0, 3.0)}};
    const double angle = l.pose.theta + BR_PI * uniform(seed, 1.15, 1.35);
    const br_vec2 along = {cos(angle), sin(angle)};
    l.pushing.mu = uniform(seed, 0.2, 0.8);
    l.to = br_vec2_rotate((br_vec2){uniform(seed, -0.01, 0.003), uniform(seed, -0.01, 0.003)},
                          l.pose.theta);
    l.from = br_vec2_sub(l.to, br_vec2_scale(0.03, along));
    return l;
}

/* Oracle: central differences of br_pushing_step(), where the tip pushes against two edges at once. */
static void tips_that_push_two_edges(void** state)
{
    (void)state;
    const br_vec2 corners[] = {{-0.05, -0.05}, {0.05, -0.05}, {0.05, 0.0},
                               {0.0, 0.0},     {0.0, 0.05},   {-0.05, 0.05}};
    br_patch_def shape = br_patch_def_default();
    shape.shape = BR_SHAPE_POLYGON;
    shape.vertices = corners;
    shape.count = 6;
    pushed_body b;
    make_body(shape, OWN_ELLIPSOID, 0.004, &b);
    uint64_t seed = 7;
    int off = 0, count = 0, in_corner = 0;
    while (count < 20 / fewer) {
        const line l = line_into_corner(&b.pushing, &seed);
        br_pose pose = l.pose;
        br_pushing_gradient g;
        br_pushing_step_gradient(&l.pushing, &pose, l.from, l.to, &g);
        if (!keeps_its_number(&l)) {
            continue;
        }
        count++;
        in_corner += g.corners > 0;
        off += !(error_of(&l, &g) < 1e-6); // as in check_body()
    }
    assert_true(off == 0 && (in_corner > count / 2 || fewer > 1));
    destroy_body(&b);
}

/* Oracle: closed form. A tip through the middle of a box moves it straight ahead; sideways it turns by (38) of X&C,
 * to first order. A tip that does not reach the body leaves it: the identity. */
static void through_the_middle(void** state)
{
    (void)state;
    pushed_body b;
    make_body(rectangle(0.1, 0.1), OWN_ELLIPSOID, 0.0, &b);
    b.pushing.centre = (br_vec2){0.0, 0.0};
    b.pushing.e_t = b.pushing.e_o = 1.0;
    b.pushing.mu = 1.0;
    br_pose pose = {0.0, 0.0, 0.0};
    br_pushing_gradient g;
    const br_vec2 from = {-0.05, 0.0}, to = {-0.04, 0.0};
    br_pushing_step_gradient(&b.pushing, &pose, from, to, &g);
    assert_near(g.by[0][BR_PUSHING_BY_TO_X], 1.0, 1e-12 /* rounding */);
    assert_near(g.by[0][BR_PUSHING_BY_MU], 0.0, 0.0 /* sticks */);
    // theta' = (x (v_y - theta v_x) - y v_x)/(e_r^2 + x^2), contact at x = -0.05 m, y = -dy, to first order
    const double rate = 0.05 / (0.03 * 0.03 + 0.05 * 0.05), grown = exp(rate * 0.01);
    assert_near(g.by[2][BR_PUSHING_BY_THETA], 1.0, 1e-12 /* the push stays towards the centre */);
    assert_near(g.by[2][BR_PUSHING_BY_Y], (grown - 1.0) / 0.05, 1e-4 /* midpoint rule */);
    assert_near(g.by[2][BR_PUSHING_BY_TO_Y], -(grown - 1.0) / 0.01, 1e-3 /* likewise */);

    pose = (br_pose){0.0, 0.0, 0.3};
    br_pushing_step_gradient(&b.pushing, &pose, (br_vec2){-0.2, 0.0}, (br_vec2){-0.1, 0.0}, &g);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < BR_PUSHING_BY_COUNT; j++) {
            assert_near(g.by[i][j], i == j ? 1.0 : 0.0, 0.0);
        }
    }
    destroy_body(&b);
}

/* Oracle: the identity <w, J d> = <J^T w, d>, and central differences of the whole path. */
static void paths_forward_and_back(void** state)
{
    (void)state;
    pushed_body b;
    make_body(rectangle(0.1, 0.06), OWN_ELLIPSOID, 0.004, &b);
    b.pushing.mu = 0.3;
    uint64_t seed = 7;
    br_vec2 tips[STEPS + 1], dtips[STEPS + 1], tips_bar[STEPS + 1];
    br_pose pose = {0.002, -0.001, 0.1}, poses_bar[STEPS + 1], changes[STEPS + 1], ends[2];
    br_pushing_gradient lines[STEPS];
    br_pushing_adjoint d, bar;
    double* numbers = (double*)&d;
    for (size_t i = 0; i < sizeof d / sizeof(double); i++) {
        numbers[i] = uniform(&seed, -1.0, 1.0);
    }
    for (int k = 0; k <= STEPS; k++) {
        tips[k] = (br_vec2){-0.06 + 0.0131 * k, 0.01 + uniform(&seed, -0.002, 0.002)};
        dtips[k] = (br_vec2){uniform(&seed, -1.0, 1.0), uniform(&seed, -1.0, 1.0)};
        poses_bar[k] = (br_pose){uniform(&seed, -1.0, 1.0), uniform(&seed, -1.0, 1.0),
                                 uniform(&seed, -1.0, 1.0)};
    }
    for (int side = -1; side <= 1; side += 2) { // ends of paths that differ by +-1e-7 d
        const double e = 1e-7 * side;
        br_pushing other = b.pushing;
        br_pose at = {pose.x + e * d.pose[0], pose.y + e * d.pose[1], pose.theta + e * d.pose[2]};
        other.mu += e * d.mu;
        other.radius += e * d.radius;
        other.centre.x += e * d.centre[0];
        other.centre.y += e * d.centre[1];
        other.e_t *= 1.0 + e * d.factors[0];
        other.e_o *= 1.0 + e * d.factors[1];
        other.e_r *= 1.0 + e * d.factors[2];
        for (int k = 0; k < STEPS; k++) {
            br_pushing_step(&other, &at, br_vec2_add(tips[k], br_vec2_scale(e, dtips[k])),
                            br_vec2_add(tips[k + 1], br_vec2_scale(e, dtips[k + 1])));
        }
        ends[side > 0] = at;
    }
    for (int k = 0; k < STEPS; k++) {
        br_pushing_step_gradient(&b.pushing, &pose, tips[k], tips[k + 1], lines + k);
    }
    br_pushing_path_jvp(STEPS, lines, &d, dtips, changes);
    br_pushing_path_vjp(STEPS, lines, poses_bar, tips_bar, &bar);
    double forward = 0.0, back = 0.0;
    for (int k = 0; k <= STEPS; k++) {
        forward += poses_bar[k].x * changes[k].x + poses_bar[k].y * changes[k].y +
                   poses_bar[k].theta * changes[k].theta;
        back += br_vec2_dot(tips_bar[k], dtips[k]);
    }
    const double* bars = (const double*)&bar;
    for (size_t i = 0; i < sizeof bar / sizeof(double); i++) {
        back += bars[i] * numbers[i];
    }
    assert_near(back, forward, 1e-12 * fabs(forward) /* rounding */);
    assert_near((ends[1].x - ends[0].x) / 2e-7, changes[STEPS].x, 1e-6 * fabs(changes[STEPS].x));
    assert_near((ends[1].theta - ends[0].theta) / 2e-7, changes[STEPS].theta,
                1e-6 * fabs(changes[STEPS].theta) /* differences */);
    destroy_body(&b);
}

// --- columns of a surface ----------------------------------------------------------------------------------

// Central differences of the end by a change of the support below the body, which is made again.
static void difference_of_support(const line* at, br_patch_def shape, br_patch_def low,
                                  br_patch_def high, int method, double step, double found[3])
{
    br_pose ends[2];
    for (int side = 0; side < 2; side++) {
        pushed_body b;
        line l = *at;
        make_body_on(shape, side ? high : low, method, at->pushing.radius, &b);
        l.pushing.surface = b.surface;
        ends[side] = end_of(&l);
        destroy_body(&b);
    }
    found[0] = (ends[1].x - ends[0].x) / (2.0 * step);
    found[1] = (ends[1].y - ends[0].y) / (2.0 * step);
    found[2] = (ends[1].theta - ends[0].theta) / (2.0 * step);
}

// Differences of centre x, centre y and torque: a support that is moved, or larger about its centre.
static void support_columns(const line* l, br_patch_def shape, int method, double step,
                            double found[3][3])
{
    for (int column = 0; column < 3; column++) {
        br_patch_def low = support_def(), high = support_def();
        double* const moved[2][2] = {{&low.centre.x, &low.centre.y},
                                     {&high.centre.x, &high.centre.y}};
        if (column < 2) {
            *moved[0][column] -= step;
            *moved[1][column] += step;
        } else {
            low.size_x *= 1.0 - step, low.size_y *= 1.0 - step;
            high.size_x *= 1.0 + step, high.size_y *= 1.0 + step;
        }
        difference_of_support(l, shape, low, high, method, step, found[column]);
    }
}

/* Oracle: central differences by the support's centre and size. A support of another size has the same surface with its torque
 * times the size: the column of the torque. All three factors together change nothing: their columns add up to 0. */
static void centre_and_factors_of_surfaces(void** state)
{
    (void)state;
    static const int by[3] = {BR_PUSHING_BY_CENTRE_X, BR_PUSHING_BY_CENTRE_Y, BR_PUSHING_BY_TORQUE};
    static const int methods[] = {BR_LIMIT_SMOOTH, BR_LIMIT_EXACT};
    const br_patch_def shape = rectangle(0.1, 0.06);
    for (int m = 0; m < 2; m++) {
        pushed_body b;
        uint64_t seed = 11;
        int count = 0, off = 0;
        make_body(shape, methods[m], 0.004, &b);
        while (count < 12) {
            const line l = random_line(&b.pushing, &seed);
            br_pose pose = l.pose;
            br_pushing_gradient g;
            const br_push push = br_pushing_step_gradient(&l.pushing, &pose, l.from, l.to, &g);
            if (push.mode == BR_PUSH_BREAK || !keeps_its_number(&l)) {
                continue;
            }
            double found[3][3], worst = 0.0;
            support_columns(&l, shape, methods[m], 1e-5, found);
            for (int i = 0; i < 9; i++) {
                const double one = g.by[i % 3][by[i / 3]], other = found[i / 3][i % 3];
                worst = fmax(worst, fabs(one - other) / (0.1 + fabs(other)));
            }
            for (int i = 0; i < 3; i++) {
                const double* row = g.by[i];
                assert_near(
                    row[BR_PUSHING_BY_FORCE_X] + row[BR_PUSHING_BY_FORCE_Y] +
                        row[BR_PUSHING_BY_TORQUE],
                    0.0, 1e-8 /* homogeneous surfaces: rounding, and the gauge of the exact one */);
            }
            count++;
            // 1e-4: surfaces of two supports are each computed to 1e-9, over differences of 1e-5
            off += !(worst < 1e-4);
        }
        assert_true(off <= 1); // a kink within the difference
        destroy_body(&b);
    }
}

/* Oracle: br_pushing's own ellipsoid, whose columns are those of differences, with the same extents. */
static void a_surface_of_an_ellipsoid_has_the_columns_of_an_ellipsoid(void** state)
{
    (void)state;
    pushed_body b;
    uint64_t seed = 13;
    make_body(rectangle(0.1, 0.06), BR_LIMIT_ELLIPSOID, 0.004, &b);
    for (int k = 0; k < 50; k++) {
        const line l = random_line(&b.pushing, &seed);
        br_pushing own = l.pushing;
        br_pose p = l.pose, q = l.pose;
        br_pushing_gradient f, g;
        own.surface = NULL;
        own.centre = support_def().centre;
        own.e_t = own.e_o = 1.0;
        own.e_r = br_patch_eval(b.support, 1.0).r;
        br_pushing_step_gradient(&l.pushing, &p, l.from, l.to, &f);
        br_pushing_step_gradient(&own, &q, l.from, l.to, &g);
        assert_near(p.theta, q.theta, 1e-10 /* rad, rounding of the sub-steps */);
        for (int i = 0; i < 3 * BR_PUSHING_BY_COUNT; i++) {
            const double one = f.by[i / BR_PUSHING_BY_COUNT][i % BR_PUSHING_BY_COUNT];
            const double other = g.by[i / BR_PUSHING_BY_COUNT][i % BR_PUSHING_BY_COUNT];
            assert_near(one, other,
                        1e-7 * (1.0 + fabs(other)) /* likewise, over the body's size */);
        }
    }
    destroy_body(&b);
}

/* Oracle: central differences. A tip much larger than the body starts inside it: the body moves along normals. In a
   slot too narrow for the tip the last round separates the disc around the body. */
static void deep_tips(void** state)
{
    (void)state;
    static const br_vec2 slot[] = {{-0.05, -0.05}, {0.05, -0.05},   {0.05, 0.05},   {0.002, 0.05},
                                   {0.002, -0.04}, {-0.002, -0.04}, {-0.002, 0.05}, {-0.05, 0.05}};
    br_patch_def slotted = br_patch_def_default();
    slotted.shape = BR_SHAPE_POLYGON;
    slotted.vertices = slot;
    slotted.count = sizeof slot / sizeof *slot;
    const struct {
        br_patch_def shape;
        double radius, step; // of differences: many rounds enlarge their rounding
        br_vec2 from, to;
    } cases[] = {{rectangle(0.1, 0.06), 1.0, 1e-4, {-0.02, 0.011}, {-0.031, 0.02}},
                 {rectangle(0.1, 0.06), 30.0, 1e-5, {0.043, 0.021}, {0.031, 0.015}},
                 {slotted, 0.004, 1e-4, {0.0003, -0.01}, {0.0002, -0.012}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pushed_body b;
        make_body(cases[i].shape, OWN_ELLIPSOID, cases[i].radius, &b);
        line l = {.pushing = b.pushing, .from = cases[i].from, .to = cases[i].to};
        l.pose.theta = 0.1;
        br_pose pose = l.pose;
        br_pushing_gradient g;
        br_pushing_step_gradient(&l.pushing, &pose, l.from, l.to, &g);
        const br_pose plain = end_of(&l);
        assert_memory_equal(&pose, &plain, sizeof pose);
        // rounding of differences
        assert_true(error_at(&l, &g, cases[i].step) < 1e-5);
        destroy_body(&b);
    }
}

/* What users may write: NaN comes back as NaN, in the pose and in its derivatives. */
static void nan_in_gives_nan_out(void** state)
{
    (void)state;
    pushed_body b;
    make_body(rectangle(0.1, 0.06), BR_LIMIT_SMOOTH, 0.004, &b);
    br_pose pose = {0.0, 0.0, (double)NAN};
    br_pushing_gradient g;
    br_pushing_step_gradient(&b.pushing, &pose, (br_vec2){-0.06, 0.0}, (br_vec2){-0.04, 0.0}, &g);
    assert_true(isnan(pose.theta) && isnan(g.by[2][BR_PUSHING_BY_TO_X]));
    destroy_body(&b);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_and_discs),
        cmocka_unit_test(concave_corners),
        cmocka_unit_test(tips_that_push_two_edges),
        cmocka_unit_test(through_the_middle),
        cmocka_unit_test(paths_forward_and_back),
        cmocka_unit_test(deep_tips),
        cmocka_unit_test(nan_in_gives_nan_out),
        cmocka_unit_test(centre_and_factors_of_surfaces),
        cmocka_unit_test(a_surface_of_an_ellipsoid_has_the_columns_of_an_ellipsoid),
    };
    if (argc > 1 && strcmp(argv[1], "few") == 0) {
        fewer = 10;
        argc = 1;
    }
    return run_group(argc, argv, tests);
}
