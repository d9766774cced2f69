/*
 * Wrench cones of supports, polyhedra of limit surfaces, and how hard to hold on.
 */
#include "cone_cases.h"

#include "bristle/grasp.h"
#include "bristle/limit_polyhedron.h"
#include "bristle/wrench_cone.h"
#include "patch_shapes.h"

#include <string.h>

// Supports at random positions with random normals.
static void random_supports(uint64_t* seed, size_t count, br_support* out)
{
    for (size_t i = 0; i < count; i++) {
        random_vector(seed, 0.2, out[i].place);
        const br_cone cone = make_cone(uniform(seed, -0.4, 0.4), uniform(seed, -0.4, 0.4), 1.0,
                                       uniform(seed, 0.2, 1.0));
        out[i].forces = make_polyhedron(cone, 3 + i % 3, BR_POLYHEDRON_INNER);
    }
}

static br_wrench_cone* wrench_cone_of(const br_support* supports, size_t count)
{
    br_wrench_cone* cone = NULL;
    br_reason why;
    if (br_wrench_cone_create(supports, count, &cone, &why) != BR_OK) {
        fail_msg("no wrench cone: %s", why.text);
    }
    return cone;
}

// Number of rays in the plane of face a; asserts that none is beyond.
static size_t rays_on(const br_wrench_cone* cone, const double* a)
{
    size_t on = 0;
    for (size_t i = 0; i < br_wrench_cone_get_v_count(cone); i++) {
        const double along = dot_of(a, br_wrench_cone_get_v(cone) + 6 * i, 6);
        assert_true(along <= 1e-12); // the error that the header states
        on += along >= -1e-12;
    }
    return on;
}

/* Oracle: geometry. No ray is beyond a face; a face of a cone in six dimensions holds five rays. */
static void faces_of_supports_hold_five_rays(void** state)
{
    (void)state;
    uint64_t seed = 21;
    br_support supports[7];
    for (size_t round = 0; round < 20; round++) {
        const size_t count = 3 + round % 5;
        random_supports(&seed, count, supports);
        br_wrench_cone* cone = wrench_cone_of(supports, count);
        const double* h = br_wrench_cone_get_h(cone);
        assert_true(br_wrench_cone_get_h_count(cone) > 6);
        for (size_t i = 0; i < br_wrench_cone_get_h_count(cone); i++) {
            assert_near(dot_of(h + 6 * i, h + 6 * i, 6), 1.0, 1e-15); // rounding
            assert_true(rays_on(cone, h + 6 * i) >= 5);
        }
        const double* v = br_wrench_cone_get_v(cone);
        for (size_t i = 0; i < br_wrench_cone_get_v_count(cone); i++) {
            assert_true(br_wrench_cone_contains(cone, v + 6 * i)); // the boundary counts as inside
        }
        br_wrench_cone_destroy(cone);
    }
}

/* Oracle: the rays. A sum of rays with factors >= 0 is inside; one turned round is not. */
static void sums_of_rays_are_inside(void** state)
{
    (void)state;
    uint64_t seed = 22;
    br_support supports[5];
    random_supports(&seed, 5, supports);
    br_wrench_cone* cone = wrench_cone_of(supports, 5);
    const double* v = br_wrench_cone_get_v(cone);
    for (int round = 0; round < 1000; round++) {
        double w[6] = {0.0}, minus[6];
        for (size_t i = 0; i < br_wrench_cone_get_v_count(cone); i++) {
            const double share = uniform(&seed, 0.0, 1.0);
            for (int k = 0; k < 6; k++) {
                w[k] += share * v[6 * i + k];
            }
        }
        for (int k = 0; k < 6; k++) {
            minus[k] = -w[k];
        }
        assert_true(br_wrench_cone_margin(cone, w) >= 0.0);
        assert_true(br_wrench_cone_margin(cone, minus) < 0.0);
        assert_false(br_wrench_cone_contains(cone, minus));
    }
    assert_true(isnan(br_wrench_cone_margin(cone, (double[]){1, 1, 1, 1, 1, (double)NAN})));
    br_wrench_cone_destroy(cone);
}

// Supports on a ring that lean outwards, and their friction: faces that meet at small angles.
static void leaning_supports(uint64_t* seed, size_t count, size_t faces, br_support* out)
{
    const double radius = pow(10.0, uniform(seed, -3.0, 1.0)), phase = uniform(seed, 0.0, 7.0);
    for (size_t i = 0; i < count; i++) {
        const double angle = phase + 2.0 * BR_PI * (double)i / (double)count;
        out[i].place[0] = radius * cos(angle);
        out[i].place[1] = radius * sin(angle);
        out[i].place[2] = uniform(seed, -0.1, 0.1) * radius;
        const br_cone cone = make_cone(0.3 * cos(angle), 0.3 * sin(angle), 1.0, 0.5);
        out[i].forces = make_polyhedron(cone, faces, BR_POLYHEDRON_OUTER);
    }
}

/* Oracle: definition. The rays of a cone are in it, whatever rounding did to its faces; supports that are too
   near to each other are refused instead. */
static void a_cone_contains_its_own_rays(void** state)
{
    (void)state;
    uint64_t seed = 25;
    br_support supports[6];
    int missed = 0, refused = 0;
    for (size_t round = 0; round < 600; round++) {
        const size_t count = 3 + round % 4;
        leaning_supports(&seed, count, 4 + round % 5, supports);
        if (round >= 400) {
            const double apart = pow(10.0, uniform(&seed, -13.0, -4.0));
            for (int k = 0; k < 3; k++) {
                supports[1].place[k] =
                    supports[0].place[k] * (1.0 + apart * uniform(&seed, -1.0, 1.0));
            }
        }
        br_wrench_cone* cone = NULL;
        br_reason why;
        if (br_wrench_cone_create(supports, count, &cone, &why) != BR_OK) {
            assert_true(round >= 400);
            assert_non_null(strstr(why.text, "so near to each other"));
            assert_null(cone);
            refused++;
            continue;
        }
        const double* v = br_wrench_cone_get_v(cone);
        for (size_t i = 0; i < br_wrench_cone_get_v_count(cone); i++) {
            const double* w = v + 6 * i;
            missed += br_wrench_cone_margin(cone, w) < -1e-12 * sqrt(dot_of(w, w, 6));
            assert_true(br_wrench_cone_contains(cone, w));
        }
        br_wrench_cone_destroy(cone);
    }
    assert_true(missed > 0 && refused > 0); // the cases are there
}

/* Oracle: Caron's rows. The faces of four corners with the square pyramid are these 16. */
static void a_rectangle_has_sixteen_faces(void** state)
{
    (void)state;
    const double X = 0.1, Y = 0.06, mu = 0.7;
    br_polyhedron_def def = br_polyhedron_def_default();
    def.cone = make_cone(0.0, 0.0, 1.0, mu);
    def.side = BR_POLYHEDRON_OUTER;
    def.phase = 0.25 * BR_PI;
    br_support corners[4];
    for (int i = 0; i < 4; i++) {
        corners[i] = (br_support){.place = {i < 2 ? X : -X, i % 2 ? Y : -Y, 0.0}};
        assert_status(br_polyhedron_init(&def, &corners[i].forces, NULL), BR_OK);
    }
    br_wrench_cone* cone = wrench_cone_of(corners, 4);
    double h[16][6];
    br_wrench_cone_rectangle(X, Y, mu, h);
    assert_int_equal(br_wrench_cone_get_h_count(cone), 16);
    for (size_t i = 0; i < 16; i++) {
        double least = HUGE_VAL;
        for (size_t j = 0; j < 16; j++) {
            double square = 0.0;
            for (size_t k = 0; k < 6; k++) {
                const double off = h[i][k] - br_wrench_cone_get_h(cone)[6 * j + k];
                square += off * off;
            }
            least = fmin(least, sqrt(square));
        }
        assert_near(least, 0.0, 1e-13); // rounding of a few steps of the double description
    }
    br_wrench_cone_destroy(cone);
}

/* Oracle: dimensions. One point: three equations and its own faces. Points that push from both sides
   on three corners carry everything. */
static void flat_and_full_cones_are_reported(void** state)
{
    (void)state;
    br_support supports[6];
    for (int i = 0; i < 6; i++) {
        const double angle = 2.0 * BR_PI * i / 3.0;
        const br_cone cone = make_cone(0.0, 0.0, i < 3 ? 1.0 : -1.0, 0.5);
        supports[i] = (br_support){{cos(angle), sin(angle), i < 3 ? -0.1 : 0.1},
                                   make_polyhedron(cone, 5, BR_POLYHEDRON_INNER)};
    }
    br_wrench_cone* point = wrench_cone_of(supports, 1);
    assert_int_equal(br_wrench_cone_get_h_count(point), 5 + 2 * 3);
    const double force[6] = {0.0, 0.0, 1.0, 0.0, -1.0, 0.0}; // (1, 0, -0.1) x (0, 0, 1)
    assert_near(br_wrench_cone_margin(point, force), 0.0, 1e-15);
    assert_true(br_wrench_cone_margin(point, (double[]){0, 0, 1, 0, -0.5, 0}) < -0.1);
    br_wrench_cone_destroy(point);
    br_wrench_cone* all = wrench_cone_of(supports, 6);
    assert_int_equal(br_wrench_cone_get_h_count(all), 0);
    assert_true(isinf(br_wrench_cone_margin(all, force)));
    br_wrench_cone_destroy(all);
}

/* Oracle: statement. Squares of such distances overflow: no cone with faces that are not numbers. */
static void supports_at_extreme_distances_are_refused(void** state)
{
    (void)state;
    uint64_t seed = 29;
    for (int exponent = 160; exponent <= 300; exponent += 20) {
        br_support supports[2];
        br_wrench_cone* cone;
        br_reason why;
        random_supports(&seed, 2, supports);
        supports[1].place[1] = -pow(10.0, exponent);
        assert_status(br_wrench_cone_create(supports, 2, &cone, &why), BR_ERR_DEF);
        assert_non_null(strstr(why.field, "place"));
        assert_null(cone);
    }
}

/* Oracle: statement, and a counting allocator. */
static void bad_supports_are_refused_and_memory_may_fail(void** state)
{
    (void)state;
    uint64_t seed = 23;
    br_support supports[4];
    random_supports(&seed, 4, supports);
    br_wrench_cone* cone;
    br_reason why;
    assert_status(br_wrench_cone_create(supports, 0, &cone, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "count");
    supports[3].place[0] = (double)NAN;
    assert_status(br_wrench_cone_create(supports, 4, &cone, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "supports[3]");
    supports[3].place[0] = 1e200; // its faces would overflow, and not contain the wrench 0
    assert_status(br_wrench_cone_create(supports, 4, &cone, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "supports[3].place[0]");
    supports[3].place[0] = 0.1;
    br_support far[4];
    for (int i = 0; i < 12; i++) {
        far[i / 3] = i % 3 ? far[i / 3] : supports[i / 3];
        far[i / 3].place[i % 3] *= 1e99;
    }
    assert_status(br_wrench_cone_create(far, 4, &cone, &why), BR_OK);
    assert_true(br_wrench_cone_contains(cone, (double[6]){0.0}));
    br_wrench_cone_destroy(cone);
    for (size_t fail_at = 1;; fail_at++) {
        counting count = {0, 0, fail_at};
        br_set_allocator(counting_allocate, counting_release, &count);
        const br_status status = br_wrench_cone_create(supports, 4, &cone, NULL);
        br_wrench_cone_destroy(cone);
        br_set_allocator(NULL, NULL, NULL);
        assert_int_equal(count.alive, 0);
        if (status == BR_OK) {
            assert_true(fail_at > 4);
            return;
        }
        assert_int_equal(status, BR_ERR_MEMORY);
        assert_null(cone);
    }
}

/* ---- polyhedra of limit surfaces ------------------------------------------------------------ */

static const br_support_point tripod[] = {{0.0, 0.0, 0.5}, {0.03, 0.0, 0.2}, {0.01, 0.02, 0.3}};

static br_patch_def shape_of(size_t i)
{
    return i == 0   ? disc_def(0.01)
           : i == 1 ? rectangle_def(0.04, 0.01)
           : i == 2 ? line_def(0.02)
                    : points_def(tripod, 3);
}

enum { SHAPES = 4 };
static const char* const shape_names[SHAPES] = {"disc", "rectangle", "line", "tripod"};

// A surface with what it borrows.
typedef struct held {
    br_patch* patch;
    br_limit* surface;
    double r;
} held;

static held hold(br_patch_def patch)
{
    held out = {.patch = make(patch)};
    br_limit_def def = br_limit_def_default();
    def.patch = out.patch;
    assert_status(br_limit_create(&def, &out.surface, NULL), BR_OK);
    out.r = br_limit_get_patch_value(out.surface).r;
    return out;
}

static void destroy_held(held* h)
{
    br_limit_destroy(h->surface);
    br_patch_destroy(h->patch);
}

static br_limit_polyhedron* polyhedra_of(const br_limit* surface, size_t points)
{
    br_limit_polyhedron* out = NULL;
    assert_status(br_limit_polyhedron_create(surface, points, &out, NULL), BR_OK);
    return out;
}

/* Oracle: the exact gauge. Inside the inner one: holds. Holds: inside the outer one. The surface
   shrunk by the inner's error is inside the inner, and so on. */
static void limit_polyhedra_enclose_the_surface(void** state)
{
    (void)state;
    const double slack = 2e-9; // the gauge is exact to 1e-9
    uint64_t seed = 24;
    for (size_t s = 0; s < SHAPES; s++) {
        held h = hold(shape_of(s));
        br_limit_polyhedron* p = polyhedra_of(h.surface, 40);
        const double inner = br_limit_polyhedron_get_error(p, BR_POLYHEDRON_INNER);
        const double outer = br_limit_polyhedron_get_error(p, BR_POLYHEDRON_OUTER);
        for (int i = 0; i < 300; i++) {
            const double gauge = uniform(&seed, 0.8, 1.2);
            const br_wrench some = {uniform(&seed, -1.0, 1.0), uniform(&seed, -1.0, 1.0),
                                    h.r * uniform(&seed, -1.0, 1.0)};
            const double scale = gauge / br_limit_gauge(h.surface, some, NULL);
            const br_wrench w = {some.fx * scale, some.fy * scale, some.tau * scale};
            const double in_inner = br_limit_polyhedron_margin(p, BR_POLYHEDRON_INNER, w);
            const double in_outer = br_limit_polyhedron_margin(p, BR_POLYHEDRON_OUTER, w);
            assert_true(in_inner < -slack || gauge <= 1.0 + slack);
            assert_true(in_outer >= -slack || gauge > 1.0 - slack);
            assert_true(gauge * (1.0 + inner) > 1.0 || in_inner >= -slack);
            assert_true(gauge < (1.0 + outer) || in_outer < slack);
        }
        br_limit_polyhedron_destroy(p);
        destroy_held(&h);
    }
}

/* Oracle: each representation checks the other, and the surface checks both. */
static void limit_polyhedra_are_consistent(void** state)
{
    (void)state;
    for (size_t s = 0; s < SHAPES; s++) {
        held held_surface = hold(shape_of(s));
        br_limit_polyhedron* p = polyhedra_of(held_surface.surface, 60);
        for (br_polyhedron_side side = BR_POLYHEDRON_INNER; side <= BR_POLYHEDRON_OUTER; side++) {
            const double* h = br_limit_polyhedron_get_h(p, side);
            const double* v = br_limit_polyhedron_get_v(p, side);
            const size_t vertices = br_limit_polyhedron_get_v_count(p, side);
            assert_true(vertices >= 60 && br_limit_polyhedron_get_h_count(p, side) >= 60);
            for (size_t i = 0; i < br_limit_polyhedron_get_h_count(p, side); i++) {
                size_t on = 0;
                for (size_t k = 0; k < vertices; k++) {
                    const double beyond = dot_of(h + 4 * i, v + 3 * k, 3) - h[4 * i + 3];
                    assert_true(beyond <= 1e-10); // rounding over the smallest angle of faces
                    on += beyond >= -1e-10;
                }
                assert_true(on >= 3);
            }
            for (size_t k = 0; k < vertices; k++) {
                const br_wrench w = {v[3 * k], v[3 * k + 1], v[3 * k + 2]};
                const double gauge = br_limit_gauge(held_surface.surface, w, NULL);
                assert_true(side == BR_POLYHEDRON_INNER ? gauge <= 1.0 + 1e-9
                                                        : gauge >= 1.0 - 1e-9);
                const br_wrench out = {1.0001 * w.fx, 1.0001 * w.fy, 1.0001 * w.tau};
                assert_true(br_limit_polyhedron_contains(p, side, w));
                assert_false(br_limit_polyhedron_contains(p, side, out));
            }
        }
        br_limit_polyhedron_destroy(p);
        destroy_held(&held_surface);
    }
}

/* Oracle: order of convergence. A smooth body is met to 1/points: four times the points, a quarter of
   the error; 0.35 leaves room for the uneven first points. */
static void limit_polyhedra_converge(void** state)
{
    (void)state;
    for (size_t s = 0; s < SHAPES; s++) {
        held h = hold(shape_of(s));
        double before[2] = {HUGE_VAL, HUGE_VAL};
        for (size_t points = 16; points <= 256; points *= 4) {
            br_limit_polyhedron* p = polyhedra_of(h.surface, points);
            double error[2];
            for (int side = 0; side < 2; side++) {
                error[side] = br_limit_polyhedron_get_error(p, side);
                assert_true(error[side] > 0.0 && error[side] <= 0.35 * before[side]);
                before[side] = error[side];
            }
            print_message("%s, %zu points: inner %.3g, outer %.3g\n", shape_names[s], points,
                          error[0], error[1]);
            br_limit_polyhedron_destroy(p);
        }
        destroy_held(&h);
    }
}

/* Oracle: statement. */
static void bad_limit_polyhedra_are_refused(void** state)
{
    (void)state;
    const br_support_point point = {0.0, 0.0, 1.0};
    held disc = hold(disc_def(0.01)), single = hold(points_def(&point, 1));
    br_limit_polyhedron* p;
    br_reason why;
    assert_status(br_limit_polyhedron_create(single.surface, 40, &p, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "surface");
    assert_status(br_limit_polyhedron_create(disc.surface, 5, &p, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "points");
    counting count = {0, 0, 4};
    br_set_allocator(counting_allocate, counting_release, &count);
    const br_status status = br_limit_polyhedron_create(disc.surface, 40, &p, NULL);
    br_set_allocator(NULL, NULL, NULL);
    assert_int_equal(status, BR_ERR_MEMORY);
    assert_int_equal(count.alive, 0);
    assert_null(p);
    destroy_held(&disc);
    destroy_held(&single);
}

/* ---- grasps --------------------------------------------------------------------------------- */

/* Oracle: closed form. A force needs F/mu, a torque tau/(mu r); a point holds no torque. */
static void one_patch_needs_the_gauge_over_mu(void** state)
{
    (void)state;
    const br_support_point point = {0.0, 0.0, 1.0};
    held disc = hold(disc_def(0.01)), single = hold(points_def(&point, 1));
    const br_wrench force = {3.0, -4.0, 0.0}, torque = {0.0, 0.0, 0.02};
    assert_near(br_grasp_one_patch(disc.surface, 0.5, force), 10.0, 1e-8); // the gauge's 1e-9
    assert_near(br_grasp_one_patch(disc.surface, 0.5, torque), 6.0, 1e-8); // r = 2/3 radius
    assert_near(br_grasp_one_patch(single.surface, 0.5, force), 10.0, 1e-14);
    assert_true(isinf(br_grasp_one_patch(single.surface, 0.5, torque)));
    destroy_held(&disc);
    destroy_held(&single);
}

/* Oracle: closed form. A uniform disc with R = c fn^(1/3) holds a torque tau = (2/3) mu c fn^(4/3); a
   disc that does not change is the gauge's; a point holds no torque. */
static void a_soft_patch_needs_less_than_in_proportion(void** state)
{
    (void)state;
    br_patch_def def = disc_def(0.01);
    def.radius = (br_by_force){0.004, 1.0 / 3.0, 1.0};
    const br_support_point point = {0.0, 0.0, 1.0};
    br_patch *soft = make(def), *stiff = make(disc_def(0.01)),
             *single = make(points_def(&point, 1));
    const br_wrench torque = {0.0, 0.0, 0.05}, mixed = {2.0, 1.0, 0.02};
    double fn;
    assert_status(br_grasp_patch_get_force(soft, 0.5, torque, &fn, NULL), BR_OK);
    assert_near_relative(fn, pow(1.5 * 0.05 / (0.5 * 0.004), 0.75), 2e-9); // stated: 1e-9, twice
    assert_status(br_grasp_patch_get_force(stiff, 0.5, mixed, &fn, NULL), BR_OK);
    held disc = hold(disc_def(0.01));
    assert_near_relative(fn, br_grasp_one_patch(disc.surface, 0.5, mixed), 2e-9);
    assert_status(br_grasp_patch_get_force(single, 0.5, torque, &fn, NULL), BR_OK);
    assert_true(isinf(fn));
    assert_status(br_grasp_patch_get_force(soft, 0.5, (br_wrench){0, 0, 0}, &fn, NULL), BR_OK);
    assert_near(fn, 0.0, 0.0);
    assert_status(br_grasp_patch_get_force(soft, 0.0, torque, &fn, NULL), BR_ERR_ARG);
    destroy_held(&disc);
    br_patch_destroy(soft);
    br_patch_destroy(stiff);
    br_patch_destroy(single);
}

/* Oracle: a counting allocator. */
static void evaluations_do_not_allocate(void** state)
{
    (void)state;
    held disc = hold(disc_def(0.01));
    br_limit_polyhedron* p = polyhedra_of(disc.surface, 20);
    const br_polyhedron cone = make_polyhedron(make_cone(1, 2, 3, 0.5), 8, BR_POLYHEDRON_OUTER);
    const br_grasp grasp = {{disc.surface, disc.surface}, {0.5, 0.5}, 0.02};
    double h[4 * 8], v[4 * 8], f[3] = {1.0, 2.0, 3.0}, slope[3][3];
    counting count = {0, 0, 0};
    br_set_allocator(counting_allocate, counting_release, &count);
    br_polyhedron_get_h(&cone, h);
    br_polyhedron_get_v(&cone, v);
    br_cone_project(&cone.def.cone, f, f, slope);
    br_grasp_eval(&grasp, (double[]){1, 2, 3, 0.1, 0.2, 0.01});
    br_limit_polyhedron_margin(p, BR_POLYHEDRON_OUTER, (br_wrench){0.1, 0.2, 0.0});
    br_set_allocator(NULL, NULL, NULL);
    assert_int_equal(count.calls, 0);
    br_limit_polyhedron_destroy(p);
    destroy_held(&disc);
}

/* Oracle: hand. Equal fingers share uniformly; a moment across takes a couple of forces; a load along
   the axis is the difference of the normal forces. */
static void equal_fingers_share_equally(void** state)
{
    (void)state;
    held disc = hold(disc_def(0.01));
    const br_grasp grasp = {{disc.surface, disc.surface}, {0.5, 0.5}, 0.02};
    const double tolerance = 1e-7; // [N]: the gauge's 1e-9 of 10 N, with room for the flat minimum
    const br_grasp_value weight = br_grasp_eval(&grasp, (double[]){0, -10, 0, 0, 0, 0});
    assert_near(weight.fn[0], 10.0, tolerance);
    assert_near(weight.wrench[0].fy, 5.0, 1e-15);
    const br_grasp_value twist = br_grasp_eval(&grasp, (double[]){0, 0, 0, 0, 0, 0.04});
    assert_near(twist.fn[1], 6.0, tolerance);
    assert_near(twist.wrench[0].tau, -0.02, 1e-9);
    const br_grasp_value moment = br_grasp_eval(&grasp, (double[]){0, 0, 0, 0.2, 0, 0});
    assert_near(moment.fn[0], 10.0, tolerance); // couple of 5 N at 0.04 m
    assert_near(moment.wrench[0].fy, -5.0, 1e-14);
    assert_near(moment.wrench[1].fy, 5.0, 1e-14);
    const br_grasp_value push = br_grasp_eval(&grasp, (double[]){0, -10, 3, 0, 0, 0});
    assert_near(push.fn[0], 10.0, tolerance);
    assert_near(push.fn[1], 13.0, tolerance);
    destroy_held(&disc);
}

// The least squeeze of finger 0 over an even grid of torques.
static double least_on_grid(const br_grasp* g, const br_grasp_value* at, double fz)
{
    const double sum = at->wrench[0].tau + at->wrench[1].tau;
    double least = HUGE_VAL;
    for (int i = -300; i <= 300; i++) {
        br_wrench first = at->wrench[0], second = at->wrench[1];
        first.tau = sum * (0.5 + i / 100.0);
        second.tau = sum - first.tau;
        const double n0 = br_grasp_one_patch(g->surface[0], g->mu[0], first);
        const double n1 = br_grasp_one_patch(g->surface[1], g->mu[1], second);
        least = fmin(least, fmax(n0, n1 - fz));
    }
    return least;
}

/* Oracle: balance, and a grid over the one unknown. */
static void unequal_fingers_share_as_is_cheapest(void** state)
{
    (void)state;
    held disc = hold(disc_def(0.01)), plate = hold(rectangle_def(0.03, 0.01));
    const br_grasp g = {{disc.surface, plate.surface}, {0.8, 0.4}, 0.03};
    uint64_t seed = 25;
    for (int i = 0; i < 5; i++) {
        double load[6];
        for (int k = 0; k < 6; k++) {
            load[k] = uniform(&seed, -1.0, 1.0) * (k < 3 ? 5.0 : k < 5 ? 0.05 : 0.08);
        }
        const br_grasp_value at = br_grasp_eval(&g, load);
        const br_wrench *a = &at.wrench[0], *b = &at.wrench[1];
        assert_near(a->fx + b->fx + load[0], 0.0, 1e-14); // rounding
        assert_near(a->fy + b->fy + load[1], 0.0, 1e-14);
        assert_near(at.fn[0] - at.fn[1] + load[2], 0.0, 1e-13);
        assert_near(g.half_gap * (a->fy - b->fy) + load[3], 0.0, 1e-14);
        assert_near(g.half_gap * (b->fx - a->fx) + load[4], 0.0, 1e-14);
        assert_near(a->tau + b->tau + load[5], 0.0, 1e-15);
        // both hold, and no point of the grid is cheaper
        assert_true(br_grasp_one_patch(g.surface[0], g.mu[0], *a) <= at.fn[0] + 1e-9);
        assert_true(br_grasp_one_patch(g.surface[1], g.mu[1], *b) <= at.fn[1] + 1e-9);
        const double grid = least_on_grid(&g, &at, load[2]);
        assert_true(at.fn[0] <= grid + 1e-7);
        assert_true(at.fn[0] >= 0.97 * grid); // a step is 1/100 of the torque
    }
    destroy_held(&disc);
    destroy_held(&plate);
}

/* Oracle: hand. A point takes no torque; two points hold none. */
static void points_leave_the_torque_to_the_patch(void** state)
{
    (void)state;
    const br_support_point point = {0.0, 0.0, 1.0};
    held disc = hold(disc_def(0.01)), single = hold(points_def(&point, 1));
    const double load[6] = {0, 0, 0, 0, 0, 0.02};
    const br_grasp mixed = {{single.surface, disc.surface}, {0.5, 0.5}, 0.02};
    assert_near(br_grasp_eval(&mixed, load).fn[0], 6.0, 1e-8);
    const br_grasp pinch = {{single.surface, single.surface}, {0.5, 0.5}, 0.02};
    assert_true(isinf(br_grasp_eval(&pinch, load).fn[0]));
    assert_true(isnan(br_grasp_eval(&mixed, (double[]){(double)NAN, 0, 0, 0, 0, 0}).fn[0]));
    // a table of one cell has no torque, though its patch has a length
    br_limit* coarse = NULL;
    br_limit_def def = br_limit_def_default();
    def.patch = disc.patch;
    def.method = BR_LIMIT_GRID;
    def.n = 3;
    def.resolution = 1;
    assert_status(br_limit_create(&def, &coarse, NULL), BR_OK);
    const br_grasp both = {{coarse, coarse}, {0.5, 0.5}, 0.02};
    assert_true(isinf(br_grasp_eval(&both, load).fn[0]));
    const br_grasp one = {{disc.surface, coarse}, {0.5, 0.5}, 0.02};
    assert_near(br_grasp_eval(&one, load).fn[0], 6.0, 1e-8);
    br_limit_destroy(coarse);
    destroy_held(&disc);
    destroy_held(&single);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_of_supports_hold_five_rays),
        cmocka_unit_test(a_cone_contains_its_own_rays),
        cmocka_unit_test(sums_of_rays_are_inside),
        cmocka_unit_test(a_rectangle_has_sixteen_faces),
        cmocka_unit_test(flat_and_full_cones_are_reported),
        cmocka_unit_test(supports_at_extreme_distances_are_refused),
        cmocka_unit_test(bad_supports_are_refused_and_memory_may_fail),
        cmocka_unit_test(limit_polyhedra_enclose_the_surface),
        cmocka_unit_test(limit_polyhedra_are_consistent),
        cmocka_unit_test(limit_polyhedra_converge),
        cmocka_unit_test(bad_limit_polyhedra_are_refused),
        cmocka_unit_test(one_patch_needs_the_gauge_over_mu),
        cmocka_unit_test(a_soft_patch_needs_less_than_in_proportion),
        cmocka_unit_test(evaluations_do_not_allocate),
        cmocka_unit_test(equal_fingers_share_equally),
        cmocka_unit_test(unequal_fingers_share_as_is_cheapest),
        cmocka_unit_test(points_leave_the_torque_to_the_patch),
    };
    return run_group(argc, argv, tests);
}
