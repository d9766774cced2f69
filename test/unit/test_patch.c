/*
 * Values of patches (CoP, r, u, area), their dependence on the normal force, and their memory.
 *
 * Numbers marked "golden/..." are reference results of an independent program, 15 to 20 digits.
 * Other oracles are written out here: plain Gauss quadrature, sums, symmetries.
 */
#include "bristle/patch.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "patch/power_law.h"
#include "patch_shapes.h"

// Sums of p, p x, p y, p |rho| and p |rho|^2, rho from `from`.
typedef struct sums {
    br_vec2 from;
    double base, slope; // p = base + slope x
    double mass, x, y, r, u;
} sums;

static void add_sample(sums* total, br_vec2 at, double area)
{
    const double share = area * (total->base + total->slope * at.x);
    const double rho = hypot(at.x - total->from.x, at.y - total->from.y);
    total->mass += share;
    total->x += share * at.x;
    total->y += share * at.y;
    total->r += share * rho;
    total->u += share * rho * rho;
}

// The signed triangle (from, a, b), by tensor points that crowd at `from`.
static void add_triangle(sums* total, br_vec2 a, br_vec2 b)
{
    const br_vec2 oa = br_vec2_sub(a, total->from), ob = br_vec2_sub(b, total->from);
    for (int i = 0; i < NODES * NODES; i++) {
        const double s = gauss_x[i % NODES], t = gauss_x[i / NODES];
        const double weight = gauss_w[i % NODES] * gauss_w[i / NODES];
        const br_vec2 on = br_vec2_add(br_vec2_scale(1.0 - t, oa), br_vec2_scale(t, ob));
        const br_vec2 at = br_vec2_add(total->from, br_vec2_scale(s, on));
        add_sample(total, at, weight * s * br_vec2_cross(oa, ob));
    }
}

// CoP, r, u of a polygon with p = base + slope x: once for the CoP, then about it.
static br_patch_value brute_polygon(const br_vec2* v, size_t count, double base, double slope)
{
    sums total = {v[0], base, slope, 0, 0, 0, 0, 0};
    for (int round = 0; round < 2; round++) {
        const br_vec2 from = total.from;
        total = (sums){from, base, slope, 0, 0, 0, 0, 0};
        for (size_t i = 0; i < count; i++) {
            add_triangle(&total, v[i], v[(i + 1) % count]);
        }
        if (round == 0) {
            total.from = (br_vec2){total.x / total.mass, total.y / total.mass};
        }
    }
    return (br_patch_value){{total.x / total.mass, total.y / total.mass},
                            total.r / total.mass,
                            total.u / total.mass,
                            0};
}

static void assert_same_value(br_patch_value value, br_patch_value expected, double tolerance)
{
    assert_near(value.cop.x, expected.cop.x, tolerance * expected.r);
    assert_near(value.cop.y, expected.cop.y, tolerance * expected.r);
    assert_near_relative(value.r, expected.r, tolerance);
    assert_near_relative(value.u, expected.u, tolerance);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Oracle: golden/limit_surface/ellipsoid_r_u.csv. */
static void patch_r_and_u_are_the_golden_numbers(void** state)
{
    (void)state;
    const struct {
        br_patch_def def;
        double r, u;
    } golden[] = {
        {disc_def(1.0), 0.66666666666666666667, 0.5},
        {ring_def(1.0), 1.0, 1.0},
        {line_def(1.0), 0.25, 0.083333333333333333333},
        {rectangle_def(1.0, 1.0), 0.38259785823210634567, 0.16666666666666666667},
        {with_linear(line_def(1.0), 0.0, 2.0), 0.1975308641975308642, 0.055555555555555555556},
        {power_def(1), 0.5, 0.3},
        {power_def(2), 0.58904862254808623221, 0.4},
        {power_def(3), 0.6202450073495160557, 0.43829954586189550745},
        {power_def(4), 0.63540981359548431495, 0.45765585810108791284},
        {power_def(6), 0.64951905283832898507, 0.47622031559045984243},
        {power_def(10), 0.65913446390551300544, 0.48930044236920731153},
    };
    for (size_t i = 0; i < COUNT(golden); i++) {
        const br_patch_value value = value_of(golden[i].def);
        assert_near_relative(value.r, golden[i].r, closed);
        assert_near_relative(value.u, golden[i].u, closed);
    }
}

/* Oracle: golden/limit_surface/rect_pure_rotation_radius.csv. */
static void patch_rectangle_rim_radius_is_the_golden_number(void** state)
{
    (void)state;
    const double golden[][3] = {
        {1.0, 1.0, 0.38259785823210634567},    {0.02, 0.02, 7.6519571646421269134e-3},
        {0.04, 0.02, 0.011864668321378997257}, {0.05, 0.05, 0.019129892911605317284},
        {0.15, 0.08, 0.045234855507663906616}, {1.0, 10.0, 2.5319151189326944873},
        {1.0, 1.0e+3, 250.00070285298898962},
    };
    for (size_t i = 0; i < COUNT(golden); i++) {
        const double a = golden[i][0], b = golden[i][1];
        const br_patch_value value = value_of(rectangle_def(a, b));
        assert_near_relative(value.r, golden[i][2], closed);
        assert_near_relative(value.u, (a * a + b * b) / 12.0, closed);
        assert_near_relative(value.area, a * b, closed);
        assert_near(value.cop.x, 0.0, 1e-15 * (a + b) /* symmetry: rounding only */);
    }
}

/* Oracle: golden/limit_surface/power_law_norm.csv; 1.144 of W&K (44) is C_4 alone. */
static void power_law_norm_is_the_golden_number(void** state)
{
    (void)state;
    const double golden[][2] = {
        {1, 3.0},
        {2, 1.5},
        {3, 1.2404900146990321114},
        {4, 1.1441396452527197821},
        {5, 1.0967982332902015731},
        {6, 1.0697611917189897825},
        {8, 1.0413727032435530022},
        {10, 1.0274414900280956549},
    };
    for (size_t i = 0; i < COUNT(golden); i++) {
        assert_near_relative(bri_power_law_norm(golden[i][0]), golden[i][1], closed);
    }
}

/* Oracle: the Beta functions evaluated with 70 digits, k far from the usual. */
static void power_law_moments_hold_for_any_exponent(void** state)
{
    (void)state;
    const double table[][3] = {
        // k, <rho>, <rho^2>
        {0.2, 0.12912796697626420205, 0.02826086956521739595},
        {0.5, 0.35714285714285714286, 0.16666666666666666667},
        {0.75, 0.44718983441979943313, 0.24680717742918501034},
        {1.5, 0.55822050661456445013, 0.36388715166203123600},
        {7.3, 0.65405948303736024158, 0.48234222970764741787},
        {50, 0.66626366446592873316, 0.49940369012436424523},
        {300, 0.66665465774285552106, 0.49998202992396655001},
        {1000, 0.66666557483331303281, 0.49999836344207658128},
        {1e6, 0.66666666666557004876, 0.49999999999835507435},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        const br_patch_value value = value_of(power_def(table[i][0]));
        assert_near_relative(value.r, table[i][1], 1e-13);
        assert_near_relative(value.u, table[i][2], 1e-13);
    }
}

/* Oracle: closed form. With k = 1 the share within rho is 3 rho^2 - 2 rho^3, with k = 2
   1 - (1 - rho^2)^(3/2). */
static void power_law_share_within_a_radius_is_the_integral_of_the_pressure(void** state)
{
    (void)state;
    for (int i = 0; i <= 100; i++) {
        const double rho = i / 100.0;
        const double cone = rho * rho * (3.0 - 2.0 * rho);
        const double hertz = 1.0 - pow(1.0 - rho * rho, 1.5);
        assert_near(bri_power_law_inside(1.0, bri_power_law_norm(1.0), rho), cone, 1e-14);
        assert_near(bri_power_law_inside(2.0, bri_power_law_norm(2.0), rho), hertz, 1e-14);
    }
}

/* Oracle: Gauss quadrature in polar coordinates about the CoP. */
static void patch_linear_disc_agrees_with_quadrature(void** state)
{
    (void)state;
    const double g[] = {1.0, -1.0, 0.5, -0.01};
    for (size_t n = 0; n < COUNT(g); n++) {
        sums total = {{g[n] / 4.0, 0.0}, 1.0, g[n], 0, 0, 0, 0, 0};
        for (int i = 0; i < 400 * NODES; i++) {
            // the ray from the CoP meets the circle at the distance `reach`
            const double angle = 2.0 * BR_PI * (i / NODES) / 400.0;
            const double c = total.from.x, along = c * cos(angle);
            const double reach = -along + sqrt(along * along + 1.0 - c * c);
            const double s = gauss_x[i % NODES] * reach;
            const br_vec2 at = {c + s * cos(angle), s * sin(angle)};
            add_sample(&total, at, s * reach * gauss_w[i % NODES] * 2.0 * BR_PI / 400.0);
        }
        const br_patch_value value = value_of(with_linear(disc_def(1.0), 1.0 - g[n], 1.0 + g[n]));
        const br_patch_value expected = {
            {total.x / total.mass, 0.0}, total.r / total.mass, total.u / total.mass, 0.0};
        assert_same_value(value, expected, closed);
        assert_near_relative(value.area, BR_PI, closed);
    }
}

/* Oracle: the periodic trapezoid rule, which converges faster than any power. */
static void patch_linear_ring_agrees_with_quadrature(void** state)
{
    (void)state;
    const double g[] = {1.0, -1.0, 0.3};
    for (size_t n = 0; n < COUNT(g); n++) {
        sums total = {{g[n] / 2.0, 0.0}, 1.0, g[n], 0, 0, 0, 0, 0};
        for (int i = 0; i < 1000; i++) {
            const double angle = 2.0 * BR_PI * i / 1000.0;
            add_sample(&total, (br_vec2){cos(angle), sin(angle)}, 1.0);
        }
        const br_patch_value value = value_of(with_linear(ring_def(1.0), 1.0 - g[n], 1.0 + g[n]));
        const br_patch_value expected = {
            {total.x / total.mass, 0.0}, total.r / total.mass, total.u / total.mass, 0.0};
        assert_same_value(value, expected, closed);
        assert_near(value.area, 0.0, 0.0 /* exact */);
    }
}

/* Oracle: golden/README.md: the CoP of a line with gradient g is at g L/6 from its middle. */
static void patch_linear_line_has_its_cop_at_a_sixth_of_the_gradient(void** state)
{
    (void)state;
    const br_patch_value value = value_of(with_linear(line_def(0.02), 1.0, 3.0));
    assert_near(value.cop.x, 0.5 * 0.02 / 6.0, 1e-16 /* m: rounding */);
    assert_near(value.area, 0.0, 0.0 /* exact */);
}

/* Oracle: Gauss quadrature over triangles about the CoP. */
static void patch_linear_polygons_agree_with_quadrature(void** state)
{
    (void)state;
    const struct {
        const br_vec2* vertices;
        size_t count;
        double left, right; // ends along x
    } shapes[] = {{triangle, COUNT(triangle), 0.0, 0.03},
                  {ell, COUNT(ell), 0.0, 2.0},
                  {arrow, COUNT(arrow), 5.0, 6.9}};
    const double ends[][2] = {{1.0, 1.0}, {0.0, 1.0}, {3.0, 0.0}, {2.0, 5.0}};
    for (size_t i = 0; i < COUNT(shapes) * COUNT(ends); i++) {
        const double from = ends[i % 4][0], to = ends[i % 4][1];
        const double left = shapes[i / 4].left, right = shapes[i / 4].right;
        const double slope = (to - from) / (right - left);
        const br_vec2* vertices = shapes[i / 4].vertices;
        const size_t count = shapes[i / 4].count;
        const br_patch_value expected = brute_polygon(vertices, count, from - slope * left, slope);
        const br_patch_value value = value_of(with_linear(polygon_def(vertices, count), from, to));
        assert_same_value(value, expected,
                          1e-11 /* the quadrature's error where an edge is near */);
    }
}

/* Oracle: a rectangle is a polygon; from quadrature. */
static void patch_linear_rectangle_agrees_with_quadrature(void** state)
{
    (void)state;
    const br_vec2 corners[] = {{-0.02, -0.01}, {0.02, -0.01}, {0.02, 0.01}, {-0.02, 0.01}};
    const br_patch_value expected = brute_polygon(corners, 4, 1.0, -20.0);
    const br_patch_value value = value_of(with_linear(rectangle_def(0.04, 0.02), 1.4, 0.6));
    assert_same_value(value, expected, closed);
}

/* Oracle: two rectangles. Moments of the L about its CoP are the sums of those of its parts. */
static void patch_non_convex_polygon_is_the_sum_of_its_rectangles(void** state)
{
    (void)state;
    const br_patch_value whole = value_of(polygon_def(ell, COUNT(ell)));
    assert_near_relative(whole.area, 3.0, closed);
    assert_near(whole.cop.x, (2.0 * 1.0 + 1.0 * 0.5) / 3.0, closed);
    assert_near(whole.cop.y, (2.0 * 0.5 + 1.0 * 1.5) / 3.0, closed);

    const br_vec2 lower[] = {{0, 0}, {2, 0}, {2, 1}, {0, 1}},
                  upper[] = {{0, 1}, {1, 1}, {1, 2}, {0, 2}};
    sums total = {whole.cop, 1.0, 0.0, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < 4; i++) {
        add_triangle(&total, lower[i], lower[(i + 1) % 4]);
        add_triangle(&total, upper[i], upper[(i + 1) % 4]);
    }
    assert_near_relative(whole.r, total.r / 3.0, 1e-11 /* the quadrature's error */);
    assert_near_relative(whole.u, total.u / 3.0, closed);
}

/* Oracle: the polygon of the same outline. Cells are rectangles, not points. */
static void patch_grid_is_exact_for_the_rectangles_of_its_cells(void** state)
{
    (void)state;
    const double cells[] = {1, 0, 1, 1}; // the L, upper row first
    const br_patch_value grid = value_of(grid_def(2.0, 2.0, 2, 2, cells));
    const br_patch_value polygon = value_of(polygon_def(ell, COUNT(ell)));
    assert_near_relative(grid.r, polygon.r, closed);
    assert_near_relative(grid.u, polygon.u, closed);
    assert_near_relative(grid.area, 3.0, closed);
    assert_near(grid.cop.x, polygon.cop.x - 1.0, closed);
    assert_near(grid.cop.y, polygon.cop.y - 1.0, closed);
}

/* Oracle: the uniform rectangle, whatever the number of cells (shows loss by cancellation). */
static void patch_grid_of_many_cells_loses_no_digits(void** state)
{
    (void)state;
    enum { SIDE = 200 };
    double* cells = malloc(SIDE * SIDE * sizeof *cells);
    assert_non_null(cells);
    for (int i = 0; i < SIDE * SIDE; i++) {
        cells[i] = 3.0;
    }
    const br_patch_value grid = value_of(grid_def(0.04, 0.02, SIDE, SIDE, cells));
    free(cells);
    const br_patch_value whole = value_of(rectangle_def(0.04, 0.02));
    assert_near_relative(grid.r, whole.r, closed);
    assert_near_relative(grid.u, whole.u, closed);
}

/* Oracle: closed form. Points at one position are one point, whatever their weights, and but for rounding. */
static void patch_points_at_one_place_are_one(void** state)
{
    (void)state;
    const br_support_point points[] = {{0.1, 0.7, 0.3}, {0.1, 0.7, 0.5}, {0.1, 0.7, 0.71}};
    const br_support_point rounded[] = {{0.3, 0.7, 0.3}, {0.1 + 0.2, 0.7, 0.5}};
    const br_patch_value value = value_of(points_def(points, 3));
    assert_near(value.r, 0.0, 0.0);
    assert_near(value.u, 0.0, 0.0);
    assert_near(value.cop.x, 0.1, 0.0);
    assert_near(value.cop.y, 0.7, 0.0);
    assert_near(value_of(points_def(rounded, 2)).r, 0.0, 0.0);
}

/* Oracle: arithmetic. Weights 1 : 3 at distance 4 m. */
static void patch_points_are_weighted_sums(void** state)
{
    (void)state;
    const br_support_point points[] = {{0.0, 1.0, 2.0}, {4.0, 1.0, 6.0}};
    const br_patch_value value = value_of(points_def(points, 2));
    assert_near(value.cop.x, 3.0, 1e-15);
    assert_near(value.cop.y, 1.0, 1e-15);
    assert_near(value.r, 0.25 * 3.0 + 0.75 * 1.0, 1e-15);
    assert_near(value.u, 0.25 * 9.0 + 0.75 * 1.0, 1e-15);
    assert_near(value.area, 0.0, 0.0 /* exact */);
}

/* Oracle: invariant. The reverse, and closed, it is the same polygon. */
static void patch_polygon_does_not_care_for_orientation_or_closing(void** state)
{
    (void)state;
    br_vec2 turned[COUNT(arrow) + 1];
    for (size_t i = 0; i < COUNT(arrow); i++) {
        turned[i] = arrow[COUNT(arrow) - 1 - i];
    }
    turned[COUNT(arrow)] = turned[0];
    br_patch* patch = make(with_linear(polygon_def(turned, COUNT(turned)), 1.0, 4.0));
    assert_int_equal(br_patch_get_def(patch)->count, COUNT(arrow));
    const br_patch_value value = br_patch_eval(patch, 1.0);
    const br_patch_value plain = value_of(with_linear(polygon_def(arrow, COUNT(arrow)), 1.0, 4.0));
    assert_same_value(value, plain, closed);
    assert_near_relative(value.area, plain.area, closed);
    br_patch_destroy(patch);
}

/* Oracle: the limit of a thin rectangle is a line: r = L/4, from above, with the pressure uniform or
 * falling across it; the next term is of order (W/L)^2 log(L/W). */
static void patch_thin_rectangle_tends_to_a_line(void** state)
{
    (void)state;
    for (double width = 1e-3; width > 1e-14; width *= 0.1) {
        for (int linear = 0; linear < 2; linear++) {
            br_patch_def def = rectangle_def(width, 1.0);
            def.pressure = linear ? BR_PRESSURE_LINEAR : BR_PRESSURE_UNIFORM;
            def.from = 0.0, def.to = 1.0;
            br_patch* patch = make(def);
            const double r = br_patch_eval(patch, 1.0).r;
            assert_near(r, 0.25, width * width * log(1.0 / width) + 1e-14 /* rounding */);
            br_patch_destroy(patch);
        }
    }
}

/* Oracle: invariant. Placement moves the CoP as a rigid body and changes nothing else. */
static void patch_placement_moves_the_cop_alone(void** state)
{
    (void)state;
    const br_patch_def defs[] = {
        with_linear(polygon_def(arrow, COUNT(arrow)), 1.0, 4.0),
        with_linear(disc_def(0.02), 0.0, 1.0), with_linear(line_def(0.02), 5.0, 1.0),
        with_linear(ring_def(0.02), 0.0, 1.0), with_linear(rectangle_def(0.1, 0.2), 1.0, 0.0)};
    for (size_t i = 0; i < COUNT(defs); i++) {
        const br_patch_value plain = value_of(defs[i]);
        br_patch_def placed = defs[i];
        placed.centre = (br_vec2){0.7, -0.2};
        placed.angle = 2.0;
        const br_patch_value value = value_of(placed);
        const br_vec2 expected = br_pose_apply((br_pose){0.7, -0.2, 2.0}, plain.cop);
        assert_near(value.cop.x, expected.x, 1e-14);
        assert_near(value.cop.y, expected.y, 1e-14);
        assert_near(value.r, plain.r, 0.0 /* the same computation */);
        assert_near(value.u, plain.u, 0.0 /* the same computation */);
        assert_near(value.area, plain.area, 0.0 /* the same computation */);
    }
}

/* Oracle: invariant. In other units of length r scales by the first, u by the second power. */
static void patch_scales_with_the_unit_of_length(void** state)
{
    (void)state;
    const double scales[] = {1e-12, 1e-3, 1e9};
    for (size_t n = 0; n < COUNT(scales); n++) {
        br_vec2 scaled[COUNT(arrow)];
        for (size_t i = 0; i < COUNT(arrow); i++) {
            scaled[i] = br_vec2_scale(scales[n], arrow[i]);
        }
        const br_patch_value one = value_of(with_linear(polygon_def(arrow, COUNT(arrow)), 1, 4));
        const br_patch_value value = value_of(with_linear(polygon_def(scaled, COUNT(arrow)), 1, 4));
        assert_near_relative(value.r, scales[n] * one.r, closed);
        assert_near_relative(value.u, scales[n] * scales[n] * one.u, closed);
    }
}

/* ---- dependence on the normal force ---------------------------------------------------------- */

/* Oracle: arithmetic. min(C fn^E, M). */
static void by_force_number_grows_up_to_its_maximum(void** state)
{
    (void)state;
    const br_by_force number = {2.0, 0.5, 5.0};
    assert_near(br_by_force_eval(number, 0.0), 0.0, 0.0);
    assert_near(br_by_force_eval(number, 4.0), 4.0, 1e-15);
    assert_near(br_by_force_eval(number, 100.0), 5.0, 0.0);
    assert_true(isnan(br_by_force_eval(number, (double)NAN)));
    assert_near(br_by_force_eval(br_by_force_constant(3.0), (double)NAN), 3.0, 0.0);
}

/* Oracle: the disc of the radius and exponent that the force gives. */
static void patch_that_depends_on_force_is_the_one_of_that_force(void** state)
{
    (void)state;
    br_patch_def def = power_def(2.0);
    def.radius = (br_by_force){0.006, 1.0 / 3.0, HUGE_VAL};
    def.k = (br_by_force){2.0, 1.0, HUGE_VAL};
    br_patch* patch = make(def);
    assert_true(br_patch_depends_on_force(patch));
    const br_patch_value value = br_patch_eval(patch, 2.0);
    const double radius = 0.006 * cbrt(2.0);
    assert_near_relative(value.r, 0.63540981359548431495 * radius, closed);          // k = 4
    assert_near_relative(value.u, 0.45765585810108791284 * radius * radius, closed); // k = 4
    assert_near_relative(value.area, BR_PI * radius * radius, closed);
    br_patch_destroy(patch);
}

/* Oracle: by definition. Without force such a patch is a point. */
static void patch_whose_radius_vanishes_is_a_point(void** state)
{
    (void)state;
    br_patch_def def = power_def(2.0);
    def.radius = (br_by_force){0.006, 1.0 / 3.0, HUGE_VAL};
    def.k = (br_by_force){2.0, 1.0, HUGE_VAL};
    def.centre = (br_vec2){0.1, 0.2};
    br_patch* patch = make(def);
    const br_patch_value value = br_patch_eval(patch, 0.0);
    assert_near(value.r + value.u + value.area, 0.0, 0.0 /* exact */);
    assert_near(value.cop.x, 0.1, 0.0 /* exact */);
    br_cells* cells = cut(patch, 0.0, 21);
    assert_int_equal(cells->count, 1);
    assert_near(cells->weight[0], 1.0, 0.0 /* exact */);
    assert_near(cells->half_x + cells->half_y, 0.0, 0.0 /* exact */);
    br_cells_destroy(cells);
    br_patch_destroy(patch);
}

/* Oracle: by definition. NaN comes out only where the force matters. */
static void patch_eval_passes_nan_on_only_where_the_force_matters(void** state)
{
    (void)state;
    br_patch_def def = disc_def(1.0);
    br_patch* constant = make(def);
    def.radius.exponent = 0.5;
    br_patch* growing = make(def);
    assert_false(br_patch_depends_on_force(constant));
    assert_near(br_patch_eval(constant, (double)NAN).r, 2.0 / 3.0, 1e-15);
    assert_true(isnan(br_patch_eval(growing, (double)NAN).r));
    br_patch_destroy(constant);
    br_patch_destroy(growing);
}

/* ---- memory ---------------------------------------------------------------------------------- */

// Create a patch and its cells and destroy both. Which status came first that is not BR_OK?
static br_status live_and_die(br_patch_def def)
{
    br_reason why = {"", ""};
    br_patch* patch;
    br_cells* cells;
    br_status status = br_patch_create(&def, &patch, &why);
    if (status != BR_OK) {
        assert_null(patch);
        return status;
    }
    status = br_cells_create(patch, 1.0, 5, &cells, &why);
    if (status != BR_OK) {
        assert_null(cells);
    }
    br_cells_destroy(cells);
    br_patch_destroy(patch);
    return status;
}

/* Oracle: a counting allocator whose calls fail one after the other. */
static void patch_and_cells_survive_every_failing_allocation(void** state)
{
    (void)state;
    const br_support_point points[] = {{0, 0, 1}, {1, 0, 1}};
    const double pressures[] = {1, 2};
    const br_patch_def defs[] = {disc_def(1),           power_def(2),
                                 ring_def(1),           rectangle_def(1, 2),
                                 line_def(1),           polygon_def(ell, COUNT(ell)),
                                 points_def(points, 2), grid_def(1, 1, 2, 1, pressures)};
    for (size_t i = 0; i < COUNT(defs); i++) {
        counting count = {0};
        br_set_allocator(counting_allocate, counting_release, &count);
        assert_int_equal(live_and_die(defs[i]), BR_OK);
        assert_int_equal(count.alive, 0);
        const size_t calls = count.calls;
        for (size_t fail_at = 1; fail_at <= calls; fail_at++) {
            count = (counting){.fail_at = fail_at};
            assert_int_equal(live_and_die(defs[i]), BR_ERR_MEMORY);
            assert_int_equal(count.alive, 0);
        }
        br_set_allocator(NULL, NULL, NULL);
    }
}

/* Oracle: a counting allocator. A refused definition leaves nothing behind. */
static void patch_that_is_refused_late_leaks_nothing(void** state)
{
    (void)state;
    counting count = {0};
    br_set_allocator(counting_allocate, counting_release, &count);
    const double cell = 1.0;
    assert_int_equal(live_and_die(grid_def(1e-200, 1e-200, 1, 1, &cell)), BR_ERR_DEF);
    assert_int_equal(count.alive, 0);
    br_set_allocator(NULL, NULL, NULL);
}

/* Oracle: a counting allocator. */
static void eval_allocates_nothing(void** state)
{
    (void)state;
    counting count = {0};
    br_set_allocator(counting_allocate, counting_release, &count);
    br_patch_def def = power_def(2.0);
    def.k.exponent = 1.0;
    br_patch* patch = make(def);
    br_cells* cells = cut(patch, 1.0, 10);
    const size_t before = count.calls;
    (void)br_patch_eval(patch, 3.0);
    (void)br_cells_eval(cells);
    assert_int_equal(count.calls, before);
    br_cells_destroy(cells);
    br_patch_destroy(patch);
    assert_int_equal(count.alive, 0);
    br_set_allocator(NULL, NULL, NULL);
}

/* Oracle: by definition. The caller's arrays may go after creation. */
static void patch_keeps_its_own_copies(void** state)
{
    (void)state;
    br_vec2 vertices[COUNT(ell)];
    memcpy(vertices, ell, sizeof ell);
    br_patch* patch = make(polygon_def(vertices, COUNT(ell)));
    memset(vertices, 0, sizeof vertices);
    const br_patch_def* def = br_patch_get_def(patch);
    assert_ptr_not_equal(def->vertices, vertices);
    assert_near(def->vertices[2].x, 2.0, 0.0 /* exact */);
    br_cells* cells = cut(patch, 1.0, 4);
    assert_int_equal(cells->count, 12);
    br_cells_destroy(cells);
    br_patch_destroy(patch);
    br_patch_destroy(NULL);
    br_cells_destroy(NULL);
}

/* Oracle: the command's spelling. */
static void shapes_have_the_names_of_the_command(void** state)
{
    (void)state;
    assert_string_equal(br_shape_get_name(BR_SHAPE_DISC), "disc");
    assert_string_equal(br_shape_get_name(BR_SHAPE_GRID), "grid");
    assert_string_equal(br_shape_get_name((br_shape)99), "unknown shape");
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patch_r_and_u_are_the_golden_numbers),
        cmocka_unit_test(patch_rectangle_rim_radius_is_the_golden_number),
        cmocka_unit_test(power_law_norm_is_the_golden_number),
        cmocka_unit_test(power_law_moments_hold_for_any_exponent),
        cmocka_unit_test(power_law_share_within_a_radius_is_the_integral_of_the_pressure),
        cmocka_unit_test(patch_linear_disc_agrees_with_quadrature),
        cmocka_unit_test(patch_linear_ring_agrees_with_quadrature),
        cmocka_unit_test(patch_linear_line_has_its_cop_at_a_sixth_of_the_gradient),
        cmocka_unit_test(patch_linear_polygons_agree_with_quadrature),
        cmocka_unit_test(patch_linear_rectangle_agrees_with_quadrature),
        cmocka_unit_test(patch_non_convex_polygon_is_the_sum_of_its_rectangles),
        cmocka_unit_test(patch_grid_is_exact_for_the_rectangles_of_its_cells),
        cmocka_unit_test(patch_grid_of_many_cells_loses_no_digits),
        cmocka_unit_test(patch_points_are_weighted_sums),
        cmocka_unit_test(patch_points_at_one_place_are_one),
        cmocka_unit_test(patch_polygon_does_not_care_for_orientation_or_closing),
        cmocka_unit_test(patch_placement_moves_the_cop_alone),
        cmocka_unit_test(patch_scales_with_the_unit_of_length),
        cmocka_unit_test(by_force_number_grows_up_to_its_maximum),
        cmocka_unit_test(patch_that_depends_on_force_is_the_one_of_that_force),
        cmocka_unit_test(patch_whose_radius_vanishes_is_a_point),
        cmocka_unit_test(patch_eval_passes_nan_on_only_where_the_force_matters),
        cmocka_unit_test(patch_and_cells_survive_every_failing_allocation),
        cmocka_unit_test(patch_thin_rectangle_tends_to_a_line),
        cmocka_unit_test(patch_that_is_refused_late_leaks_nothing),
        cmocka_unit_test(eval_allocates_nothing),
        cmocka_unit_test(patch_keeps_its_own_copies),
        cmocka_unit_test(shapes_have_the_names_of_the_command),
    };
    prepare_gauss();
    return run_group(argc, argv, tests);
}
