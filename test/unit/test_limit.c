/*
 * Exact limit surfaces: independent quadrature, the points where formulas break, the gauge.
 */
#include "limit_shapes.h"

#include "limit/exact_internal.h"
#include "patch/power_law.h"

// --- an independent oracle: samples of the velocity field -----------------------------------------

// Dissipation and wrench of a twist, summed over samples.
typedef struct brute {
    br_twist v;  // at the CoP
    br_vec2 cop; // patch frame
    double mass, D, fx, fy, tau;
} brute;

static void add_sample(brute* sum, br_vec2 at, double mass)
{
    const br_vec2 rho = br_vec2_sub(at, sum->cop);
    const br_vec2 v = {sum->v.vx - sum->v.w * rho.y, sum->v.vy + sum->v.w * rho.x};
    const double speed = br_vec2_norm(v);
    sum->mass += mass;
    if (!(speed > 0.0)) {
        return;
    }
    sum->D += mass * speed;
    sum->fx -= mass * v.x / speed;
    sum->fy -= mass * v.y / speed;
    sum->tau -= mass * br_vec2_cross(rho, v) / speed;
}

static br_vec2 cor_of(const brute* sum)
{
    return (br_vec2){sum->cop.x - sum->v.vy / sum->v.w, sum->cop.y + sum->v.vx / sum->v.w};
}

// From the CoR along rays to a piece of an edge: tensor Gauss points.
static void add_fan(brute* sum, br_vec2 a, br_vec2 b, double p, double slope)
{
    const br_vec2 c = cor_of(sum), oa = br_vec2_sub(a, c), ob = br_vec2_sub(b, c);
    for (int i = 0; i < NODES * NODES; i++) {
        const double s = gauss_x[i % NODES], t = gauss_x[i / NODES];
        const double weight = gauss_w[i % NODES] * gauss_w[i / NODES] * s * br_vec2_cross(oa, ob);
        const br_vec2 on = br_vec2_add(br_vec2_scale(1.0 - t, oa), br_vec2_scale(t, ob));
        const br_vec2 at = br_vec2_add(c, br_vec2_scale(s, on));
        add_sample(sum, at, weight * (p + slope * at.x));
    }
}

// An edge, in pieces that shrink towards the point nearest to the CoR.
static void add_edge(brute* sum, br_vec2 a, br_vec2 b, double p, double slope)
{
    const br_vec2 side = br_vec2_sub(b, a), c = br_vec2_sub(cor_of(sum), a);
    const double foot = fmin(fmax(br_vec2_dot(c, side) / br_vec2_dot(side, side), 0.0), 1.0);
    const br_vec2 nearest = br_vec2_add(a, br_vec2_scale(foot, side));
    for (int end = 0; end < 2; end++) {
        br_vec2 outer = end ? b : a;
        for (int level = 0; level < 12; level++) {
            const br_vec2 middle =
                level == 11 ? nearest : br_vec2_scale(0.5, br_vec2_add(outer, nearest));
            add_fan(sum, end ? middle : outer, end ? outer : middle, p, slope);
            outer = middle;
        }
    }
}

static void add_polygon(brute* sum, const br_vec2* corner, size_t count, double p, double slope)
{
    for (size_t i = 0; i < count; i++) {
        add_edge(sum, corner[i], corner[(i + 1) % count], p, slope);
    }
}

// CoP in the patch frame of a patch that is not placed.
static brute brute_of(const sample* s, br_twist v)
{
    return (brute){v, s->value.cop, 0.0, 0.0, 0.0, 0.0, 0.0};
}

static void compare(const sample* s, const brute* sum, double tolerance)
{
    const double r = s->value.r;
    const br_limit_value at = br_limit_eval(s->surface, sum->v);
    const br_wrench expected = {sum->fx / sum->mass, sum->fy / sum->mass, sum->tau / sum->mass};
    assert_near(at.dissipation, sum->D / sum->mass, tolerance * speed_of(sum->v, r));
    assert_near(wrench_distance(at.wrench, expected, r), 0.0, tolerance);
}

static void assert_finite(const sample* s, br_twist v)
{
    double j[3][3];
    const br_limit_value at = br_limit_eval(s->surface, v);
    br_limit_jacobian_eval(s->surface, v, j);
    if (!(isfinite(at.dissipation) && isfinite(at.wrench.fx + at.wrench.fy + at.wrench.tau))) {
        fail_msg("%s: not finite at %g %g %g", s->name, v.vx, v.vy, v.w);
    }
    for (int i = 0; i < 9; i++) {
        if (!isfinite(j[i / 3][i % 3])) {
            fail_msg("%s: Jacobian not finite at %g %g %g", s->name, v.vx, v.vy, v.w);
        }
    }
    assert_near(power_of(at.wrench, v), -at.dissipation, 1e-12 * speed_of(v, s->value.r));
}

// A twist with its CoR within two sizes.
static br_twist near_twist(uint64_t* seed, double size)
{
    const double w = uniform(seed, 0.5, 1.0) * (uniform(seed, 0.0, 1.0) < 0.5 ? -1.0 : 1.0);
    return (br_twist){w * size * uniform(seed, -2.0, 2.0), w * size * uniform(seed, -2.0, 2.0), w};
}

/* Oracle: tensor Gauss quadrature of the velocity field. */
static void polygons_agree_with_quadrature(void** state)
{
    (void)state;
    uint64_t seed = 7;
    const struct {
        const br_vec2* corner;
        size_t count;
        double from, to, left, right;
    } cases[] = {{triangle, COUNT(triangle), 1, 1, 0, 0.03},
                 {triangle, COUNT(triangle), 0.2, 1, 0, 0.03},
                 {ell, COUNT(ell), 1, 1, 0, 2},
                 {arrow, COUNT(arrow), 1, 0, 5, 6.9}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const double slope = (cases[i].to - cases[i].from) / (cases[i].right - cases[i].left);
        const sample s =
            make_sample("polygon", with_linear(polygon_def(cases[i].corner, cases[i].count),
                                               cases[i].from, cases[i].to));
        for (int n = 0; n < 12; n++) {
            brute sum = brute_of(&s, near_twist(&seed, s.value.r));
            add_polygon(&sum, cases[i].corner, cases[i].count,
                        cases[i].from - slope * cases[i].left, slope);
            compare(&s, &sum, 1e-10);
        }
        destroy_sample(s);
    }
}

// A rectangle with p = 1 + slope x, in panels along its length, for a CoR that is not within it.
static void add_rectangle(brute* sum, double a, double b, double slope)
{
    enum { PANELS = 8 };
    for (int i = 0; i < PANELS * NODES * NODES; i++) {
        const int panel = i / (NODES * NODES), k = i / NODES % NODES;
        const double t = (panel + gauss_x[i % NODES]) / PANELS - 0.5, u = gauss_x[k] - 0.5;
        const br_vec2 at = {a * (a > b ? t : u), b * (a > b ? u : t)};
        add_sample(sum, at, gauss_w[i % NODES] * gauss_w[k] * (1.0 + slope * at.x));
    }
}

/* Oracle: quadrature. However thin a rectangle is, beside it the long edges do not cancel. */
static void thin_rectangles_keep_their_digits(void** state)
{
    (void)state;
    uint64_t seed = 15;
    for (double b = 0.1; b > 1e-9; b *= 0.01) {
        for (int n = 0; n < 16; n++) {
            const int is_tall = n % 2, is_linear = n % 4 < 2;
            const double x = is_tall ? b : 1.0, y = is_tall ? 1.0 : b;
            const sample s =
                make_sample("thin", with_linear(rectangle_def(x, y), is_linear ? 0.5 : 1.0,
                                                is_linear ? 1.5 : 1.0));
            const double away = uniform(&seed, 0.1, 0.6), along = uniform(&seed, -0.6, 0.6);
            const br_twist v = {is_tall ? along : away, is_tall ? away : along, 1.0};
            brute sum = brute_of(&s, v);
            add_rectangle(&sum, x, y, is_linear ? 1.0 / x : 0.0);
            compare(&s, &sum, 1e-13);
            destroy_sample(s);
        }
    }
}

/* Oracle: the same quadrature, cell by cell. */
static void grids_agree_with_quadrature(void** state)
{
    (void)state;
    uint64_t seed = 8;
    const double cells[] = {1, 0, 2, 0.5, 3, 1};
    const sample s = make_sample("grid", grid_def(3.0, 4.0, 3, 2, cells));
    for (int n = 0; n < 12; n++) {
        brute sum = brute_of(&s, near_twist(&seed, s.value.r));
        for (int i = 0; i < 6; i++) {
            const double x = -1.5 + i % 3, y = i < 3 ? 0.0 : -2.0;
            const br_vec2 corner[] = {{x, y}, {x + 1.0, y}, {x + 1.0, y + 2.0}, {x, y + 2.0}};
            add_polygon(&sum, corner, 4, cells[i], 0.0);
        }
        compare(&s, &sum, 1e-10);
    }
    destroy_sample(s);
}

// A cell: fans of rays from a CoR that is close, plain tensor points otherwise.
static void add_cell(brute* sum, br_vec2 centre, double half, double p)
{
    const double away = br_vec2_norm(br_vec2_sub(centre, cor_of(sum)));
    const br_vec2 corner[] = {{centre.x - half, centre.y - half},
                              {centre.x + half, centre.y - half},
                              {centre.x + half, centre.y + half},
                              {centre.x - half, centre.y + half}};
    if (away < 3.0 * half) {
        add_polygon(sum, corner, 4, p, 0.0);
        return;
    }
    for (int i = 0; i < NODES * NODES; i++) {
        const br_vec2 at = {corner[0].x + 2.0 * half * gauss_x[i % NODES],
                            corner[0].y + 2.0 * half * gauss_x[i / NODES]};
        add_sample(sum, at, 4.0 * half * half * p * gauss_w[i % NODES] * gauss_w[i / NODES]);
    }
}

/* Oracle: quadrature over the 441 cells of W&K's resolution, a round pressure with a slope. */
static void a_fine_grid_agrees_with_quadrature(void** state)
{
    (void)state;
    uint64_t seed = 16;
    const double* cells = sloping_cells();
    const sample s = make_sample("grid21", grid_def(0.021, 0.021, GRID_SIDE, GRID_SIDE, cells));
    for (int n = 0; n < 3; n++) {
        brute sum = brute_of(&s, near_twist(&seed, s.value.r));
        for (int i = 0; i < GRID_SIDE * GRID_SIDE; i++) {
            const br_vec2 centre = {0.001 * (i % GRID_SIDE - 10), 0.001 * (10 - i / GRID_SIDE)};
            if (cells[i] > 0.0) {
                add_cell(&sum, centre, 0.0005, cells[i]);
            }
        }
        compare(&s, &sum, 1e-11);
    }
    destroy_sample(s);
}

/* Oracle: the plain compilation. Wider vectors give the same numbers, to the last bit. */
static void wide_vectors_give_the_same_numbers(void** state)
{
    (void)state;
    if (!bri_grid_near(4)) {
        skip();
    }
    uint64_t seed = 14;
    const sample s = make_sample("grid", grid_def(1.0, 1.0, GRID_SIDE, GRID_SIDE, sloping_cells()));
    for (int n = 0; n < 200; n++) {
        const br_vec2 c = {uniform(&seed, -2.0, 2.0), uniform(&seed, -2.0, 2.0)};
        const cor_value plain = bri_grid_near(1)(s.surface->exact, c);
        for (int lanes = 4; lanes <= 8 && bri_grid_near(lanes); lanes *= 2) {
            const cor_value wide = bri_grid_near(lanes)(s.surface->exact, c);
            assert_memory_equal(&plain, &wide, sizeof plain);
        }
    }
    destroy_sample(s);
}

// The disc of radius 1, p = 1 + g x, along rays from a CoR within it.
static void add_disc(brute* sum, double g)
{
    enum { RAYS = 1500 };
    const br_vec2 c = cor_of(sum);
    for (int i = 0; i < RAYS; i++) {
        const double theta = 2.0 * BR_PI * i / RAYS;
        const br_vec2 u = {cos(theta), sin(theta)};
        const double along = br_vec2_dot(c, u), across = br_vec2_cross(c, u);
        const double length = sqrt(1.0 - across * across) - along;
        for (int k = 0; k < NODES; k++) {
            const double s = length * gauss_x[k];
            const br_vec2 at = br_vec2_add(c, br_vec2_scale(s, u));
            add_sample(sum, at, gauss_w[k] * length * s * (1.0 + g * at.x));
        }
    }
}

/* Oracle: quadrature along rays from the CoR; for the ring, equal steps around it. */
static void linear_discs_and_rings_agree_with_quadrature(void** state)
{
    (void)state;
    uint64_t seed = 9;
    const sample disc = make_sample("disc", with_linear(disc_def(1.0), 0.3, 1.7));
    const sample ring = make_sample("ring", with_linear(ring_def(1.0), 0.3, 1.7));
    for (int n = 0; n < 40; n++) {
        brute sum = brute_of(&disc, near_twist(&seed, 0.2));
        add_disc(&sum, 0.7);
        compare(&disc, &sum, 1e-12);
        sum = brute_of(&ring, near_twist(&seed, n % 2 ? 0.2 : 1.2));
        for (int i = 0; i < 20000; i++) {
            const double theta = 2.0 * BR_PI * i / 20000;
            add_sample(&sum, (br_vec2){cos(theta), sin(theta)}, 1.0 + 0.7 * cos(theta));
        }
        const br_vec2 c = cor_of(&sum);
        if (fabs(br_vec2_norm(c) - 1.0) > 0.01) { // equal steps need some distance from the rim
            compare(&ring, &sum, 1e-12);
        }
    }
    destroy_sample(disc);
    destroy_sample(ring);
}

/* Oracle: closed forms that bracket it. k = 1e6 is the uniform disc, k = 2 +- 1e-9 that of Hertz. */
static void power_laws_join_the_closed_forms(void** state)
{
    (void)state;
    uint64_t seed = 10;
    const sample uniform_disc = make_sample("disc", disc_def(1.0));
    const sample flat = make_sample("flat", power_def(1e13)),
                 hertz = make_sample("k=2", power_def(2.0));
    const sample close = make_sample("k", power_def(2.0 + 4e-16));
    double worst = 0.0;
    for (int n = 0; n < 2000; n++) {
        const br_twist v = random_twist(&seed, 0.6);
        const br_limit_value a = br_limit_eval(hertz.surface, v),
                             b = br_limit_eval(close.surface, v);
        worst = fmax(worst, wrench_distance(a.wrench, b.wrench, 0.6));
        assert_near_relative(b.dissipation, a.dissipation, 1e-12);
        const br_limit_value c = br_limit_eval(uniform_disc.surface, v);
        const br_limit_value d = br_limit_eval(flat.surface, v);
        assert_near(wrench_distance(c.wrench, d.wrench, 0.6), 0.0, 1e-11);
    }
    print_message("rings against k = 2: %.2g\n", worst);
    assert_true(worst < 1e-12);
    destroy_sample(uniform_disc);
    destroy_sample(flat);
    destroy_sample(hertz);
    destroy_sample(close);
}

/* Oracle: moments. About the centre T = r = <rho>; far away T d = u/2, for any exponent. */
static void power_laws_have_the_right_moments(void** state)
{
    (void)state;
    const double k[] = {0.15, 0.3, 0.5, 1.0, 1.7, 3.0, 7.5, 50.0, 1e3, 1e6};
    for (size_t i = 0; i < COUNT(k); i++) {
        const sample s = make_sample("k", power_def(k[i]));
        const br_limit_value turns = br_limit_eval(s.surface, (br_twist){0.0, 0.0, 1.0});
        const br_limit_value slides = br_limit_eval(s.surface, (br_twist){1e9, 0.0, 1.0});
        assert_near_relative(turns.wrench.tau, -bri_power_law_moment(k[i], 1), 1e-12);
        assert_near_relative(slides.wrench.tau, -0.5e-9 * bri_power_law_moment(k[i], 2), 1e-12);
        assert_near(slides.wrench.fx, -1.0, 1e-12);
        destroy_sample(s);
    }
}

/* Oracle: the point. As k falls to 0, which k = 2 fn does with the force, the force gathers. */
static void power_laws_with_small_exponents_become_points(void** state)
{
    (void)state;
    const double k[] = {0.06, 0.03, 0.02, 0.015, 0.01, 0.005, 0.0031, 0.0029, 1e-5};
    for (size_t i = 0; i < COUNT(k); i++) {
        const sample s = make_sample("k", power_def(k[i]));
        for (double d = 1e-3; d < 1e3; d *= 10.0) {
            const br_limit_value at = br_limit_eval(s.surface, (br_twist){d, 0.0, 1.0});
            const double u = bri_power_law_moment(k[i], 2);

            // a point is off by the series' first term, F = 1 - u/(4 d^2), and no more
            assert_true(at.wrench.fx >= -1.0 - 1e-12);
            assert_near(at.wrench.fx, -1.0, 1e-12 + u / (d * d));
            assert_near(at.dissipation, d, 1e-12 * d + u / d);
        }
        assert_finite(&s, (br_twist){1e-20, 0.0, 1.0});
        assert_finite(&s, (br_twist){0.0, 0.0, 1.0});
        assert_true(br_limit_gauge(s.surface, (br_wrench){0.1, 0.0, 0.5}, NULL) > 1.0);
        destroy_sample(s);
    }
}

// --- the CoR far away ------------------------------------------------------------------------------

// Torque without cancellation: sum of w q.(v/|v| - u), since sum w q = 0 about the CoP.
static void add_far(brute* sum, br_vec2 at, double mass)
{
    const double V = hypot(sum->v.vx, sum->v.vy), eps = sum->v.w / V;
    const br_vec2 u = {sum->v.vx / V, sum->v.vy / V}, rho = br_vec2_sub(at, sum->cop);
    const br_vec2 q = {-rho.y, rho.x}, delta = br_vec2_scale(eps, q);
    const double a = 2.0 * br_vec2_dot(u, delta) + br_vec2_dot(delta, delta);
    const double n = br_vec2_norm(br_vec2_add(u, delta));
    const br_vec2 change = br_vec2_sub(delta, br_vec2_scale(a / (1.0 + n), u));
    sum->mass += mass;
    sum->D += mass * V * n;
    sum->fx -= mass * (u.x + delta.x) / n;
    sum->fy -= mass * (u.y + delta.y) / n;
    sum->tau -= mass * br_vec2_dot(q, change) / n;
}

// Samples over a rectangle, p = 1 + slope x, all about the CoP.
static brute far_rectangle(const sample* s, br_twist v, double slope)
{
    brute sum = brute_of(s, v);
    const double a = br_patch_get_def(s->patch)->size_x, b = br_patch_get_def(s->patch)->size_y;
    for (int i = 0; i < NODES * NODES; i++) {
        const br_vec2 at = {a * (gauss_x[i % NODES] - 0.5), b * (gauss_x[i / NODES] - 0.5)};
        add_far(&sum, at, gauss_w[i % NODES] * gauss_w[i / NODES] * (1.0 + slope * at.x));
    }
    return sum;
}

static double far_error(const sample* s, const brute* sum)
{
    const br_limit_value at = br_limit_eval(s->surface, sum->v);
    const double fx = sum->fx / sum->mass, fy = sum->fy / sum->mass, tau = sum->tau / sum->mass;
    const double torque = fabs(at.wrench.tau - tau) / fabs(tau);
    const double dissipation = fabs(at.dissipation / (sum->D / sum->mass) - 1.0);
    return fmax(fmax(torque, dissipation), hypot(at.wrench.fx - fx, at.wrench.fy - fy));
}

/* Oracle: quadrature without cancellation. Even the torque, 1e-9 of r, is relatively exact. */
static void a_far_centre_of_rotation_loses_nothing(void** state)
{
    (void)state;
    uint64_t seed = 11;
    double worst = 0.0;
    const double cells[] = {1, 1, 1, 1, 1, 1};
    const br_vec2 corner[] = {{-1, -0.5}, {1, -0.5}, {1, 0.5}, {-1, 0.5}};
    const struct {
        br_patch_def def;
        double slope;
    } cases[] = {{rectangle_def(2.0, 1.0), 0.0},
                 {with_linear(rectangle_def(2.0, 1.0), 0.5, 1.5), 0.5},
                 {grid_def(2.0, 1.0, 3, 2, cells), 0.0},
                 {polygon_def(corner, 4), 0.0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        sample s = make_sample("far", cases[i].def);
        for (int n = 0; n < 200; n++) {
            const double d = pow(10.0, uniform(&seed, 0.3, 9.0)), phi = uniform(&seed, -4.0, 4.0);
            const br_twist v = {d * cos(phi), d * sin(phi), n % 2 ? 1.0 : -1.0};
            sample box = s; // the samples are those of the box in any case
            br_patch* patch = make(rectangle_def(2.0, 1.0));
            box.patch = patch;
            const brute sum = far_rectangle(&box, v, cases[i].slope);
            worst = fmax(worst, far_error(&s, &sum));
            br_patch_destroy(patch);
        }
        destroy_sample(s);
    }
    print_message("CoR up to 1e9 sizes away: relative error %.2g\n", worst);
    assert_true(worst < 1e-12);
}

/* Oracle: the leading term of the series, tau = -(w/V) sum w (u.rho)^2 for all shapes. */
static void torque_far_away_is_the_second_moment(void** state)
{
    (void)state;
    for (int i = 0; i < CHOICES; i++) {
        const sample s = choice(i);
        const double d = 1e7 * s.value.r;
        const br_limit_value x = br_limit_eval(s.surface, (br_twist){d, 0.0, 1.0});
        const br_limit_value y = br_limit_eval(s.surface, (br_twist){0.0, d, 1.0});
        assert_near_relative((x.wrench.tau + y.wrench.tau) * d, -s.value.u, 3e-7 /* next term */);
        assert_near(x.wrench.fx, -1.0, 1e-13);
        assert_near(y.wrench.fy, -1.0, 1e-13);
        destroy_sample(s);
    }
}

/* Oracle: continuity. Series and closed form meet where one takes over from the other. */
static void series_and_closed_form_meet(void** state)
{
    (void)state;
    uint64_t seed = 12;
    for (int i = 0; i < CHOICES; i++) {
        const sample s = choice(i);
        for (int n = 0; n < 200; n++) {
            // the border is somewhere between: 1e-13 in distance must not be seen
            const double d = s.value.r * uniform(&seed, 1.5, 6.0), phi = uniform(&seed, -4.0, 4.0);
            const br_twist v = {d * cos(phi), d * sin(phi), 1.0};
            const br_twist w = {v.vx, v.vy, 1.0 + 1e-14};
            const br_limit_value a = br_limit_eval(s.surface, v), b = br_limit_eval(s.surface, w);
            assert_near(wrench_distance(a.wrench, b.wrench, s.value.r), 0.0, 1e-12);
        }
        destroy_sample(s);
    }
}

// --- where formulas break --------------------------------------------------------------------------

/* Oracle: closed form. Translation: f = -u, tau = 0, whatever the sign of w = 0. */
static void translation_is_exact(void** state)
{
    (void)state;
    for (int i = 0; i < CHOICES; i++) {
        const sample s = choice(i);
        for (int sign = -1; sign <= 1; sign += 2) {
            const br_twist v = {0.3, -0.4, sign * 0.0};
            const br_limit_value at = br_limit_eval(s.surface, v);
            assert_near(at.dissipation, 0.5, 1e-15);
            assert_near(at.wrench.fx, -0.6, 1e-15);
            assert_near(at.wrench.fy, 0.8, 1e-15);
            assert_near(at.wrench.tau, 0.0, 1e-15 * s.value.r);
            assert_int_equal(at.set_valued, 0);
            assert_finite(&s, v);
        }
        destroy_sample(s);
    }
}

/* Oracle: definition. Rotation about the CoP has the torque -r, (23). */
static void rotation_about_the_cop_has_torque_r(void** state)
{
    (void)state;
    for (int i = 0; i < CHOICES; i++) {
        const sample s = choice(i);
        const br_twist v = {0.0, -0.0, -2.0};
        const br_limit_value at = br_limit_eval(s.surface, v);
        assert_near_relative(at.wrench.tau, s.value.r, 1e-12);
        assert_near_relative(at.dissipation, 2.0 * s.value.r, 1e-12);
        assert_finite(&s, v);
        destroy_sample(s);
    }
}

// The twist with a CoR at a point of the contact frame.
static br_twist about(const sample* s, br_vec2 c)
{
    const br_vec2 d = br_vec2_sub(c, s->value.cop);
    return (br_twist){d.y, -d.x, 1.0};
}

/* Oracle: continuity. A CoR on an edge, a corner or a rim is no different from one close by. */
static void a_centre_of_rotation_on_the_border_is_safe(void** state)
{
    (void)state;
    const double cells[] = {1, 2, 3, 0};
    const struct {
        br_patch_def def;
        br_vec2 c;
    } cases[] = {
        {disc_def(1.0), {1, 0}},
        {disc_def(1.0), {0.6, 0.8}},
        {ring_def(1.0), {0, -1}},
        {ring_def(1.0), {0, 0}},
        {power_def(3.0), {1, 0}},
        {power_def(2.0), {0, 1}},
        {with_linear(disc_def(1.0), 1, 0), {1, 0}},
        {with_linear(disc_def(1.0), 1, 0), {0, 0}},
        {with_linear(ring_def(1.0), 1, 0), {-1, 0}},
        {line_def(2.0), {0.5, 0}},
        {line_def(2.0), {1, 0}},
        {line_def(2.0), {1.5, 0}},
        {with_linear(line_def(2.0), 0, 1), {-1, 0}},
        {rectangle_def(2.0, 1.0), {1, 0.5}},
        {rectangle_def(2.0, 1.0), {1, 0}},
        {rectangle_def(2.0, 1.0), {1.5, 0.5}},
        {polygon_def(ell, COUNT(ell)), {1, 1}},
        {polygon_def(ell, COUNT(ell)), {0.5, 2}},
        {with_linear(polygon_def(ell, COUNT(ell)), 0, 1), {1, 1}},
        {grid_def(2.0, 2.0, 2, 2, cells), {0, 0}},
        {grid_def(2.0, 2.0, 2, 2, cells), {1, 1}},
        {grid_def(2.0, 2.0, 2, 2, cells), {-1, 0.3}},
        {grid_def(2.0, 2.0, 2, 2, cells), {0, 1.5}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const sample s = make_sample("border", cases[i].def);
        const br_twist v = about(&s, cases[i].c);
        const br_vec2 beside = {cases[i].c.x + 3e-9, cases[i].c.y - 2e-9};
        const br_wrench here = br_limit_eval(s.surface, v).wrench;
        const br_wrench there = br_limit_eval(s.surface, about(&s, beside)).wrench;
        assert_finite(&s, v);
        assert_finite(&s, about(&s, beside));
        assert_int_equal(br_limit_eval(s.surface, v).set_valued, 0);
        assert_near(wrench_distance(here, there, s.value.r), 0.0, 3e-7 /* 1e-8 ln 1e-8 */);
        destroy_sample(s);
    }
}

// The norm that a set-valued wrench makes smallest.
static double norm_of(br_wrench f, double r)
{
    return hypot(hypot(f.fx, f.fy), f.tau / r);
}

/* Oracle: search. With a support point at rest the wrench is the smallest of all possible ones. */
static void a_support_point_at_rest_gives_the_smallest_wrench(void** state)
{
    (void)state;
    const sample s = make_sample("five", points_def(five, COUNT(five)));
    double total = 0.0;
    for (size_t i = 0; i < COUNT(five); i++) {
        total += five[i].weight;
    }
    for (size_t i = 0; i < COUNT(five); i++) {
        const br_twist v = about(&s, (br_vec2){five[i].x, five[i].y});
        const br_limit_value at = br_limit_eval(s.surface, v);
        assert_int_equal(at.set_valued, 1);
        assert_finite(&s, v);

        // all the wrenches: those of the others, plus a force within a disc at the point
        brute others = brute_of(&s, v);
        for (size_t k = 0; k < COUNT(five); k++) {
            add_sample(&others, (br_vec2){five[k].x, five[k].y}, k == i ? 0.0 : five[k].weight);
        }
        double least = (double)INFINITY;
        const br_vec2 rho = br_vec2_sub((br_vec2){five[i].x, five[i].y}, s.value.cop);
        for (int n = 0; n < 40000; n++) {
            const double b = five[i].weight / total * sqrt((n / 200) / 199.0);
            const br_vec2 f = br_vec2_rotate((br_vec2){b, 0.0}, 2.0 * BR_PI * (n % 200) / 200.0);
            const br_wrench all = {others.fx / total + f.x, others.fy / total + f.y,
                                   others.tau / total + br_vec2_cross(rho, f)};
            least = fmin(least, norm_of(all, s.value.r));
        }
        assert_true(norm_of(at.wrench, s.value.r) <= least + 1e-12);
        assert_near(norm_of(at.wrench, s.value.r), least, 1e-3 /* the search's steps */);
    }
    destroy_sample(s);
}

/* Oracle: definition. At rest the wrench is 0 and set-valued; NaN in gives NaN out. */
static void rest_and_nan_are_reported(void** state)
{
    (void)state;
    for (int i = 0; i < CHOICES; i++) {
        const sample s = choice(i);
        double j[3][3];
        const br_limit_value at = br_limit_eval(s.surface, (br_twist){0.0, -0.0, 0.0});
        br_limit_jacobian_eval(s.surface, (br_twist){0.0, 0.0, 0.0}, j);
        assert_near(at.dissipation + norm_of(at.wrench, s.value.r), 0.0, 0.0);
        assert_int_equal(at.set_valued, 1);
        assert_near(j[0][0] + j[1][1] + j[2][2], 0.0, 0.0);
        for (int k = 0; k < 3; k++) {
            const double bad = (double)NAN;
            const br_twist v = {k == 0 ? bad : 1.0, k == 1 ? bad : 1.0, k == 2 ? bad : 1.0};
            assert_true(isnan(br_limit_eval(s.surface, v).dissipation));
            assert_true(isnan(br_limit_eval(s.surface, v).wrench.tau));
            br_limit_jacobian_eval(s.surface, v, j);
            assert_true(isnan(j[0][0]) && isnan(j[2][2]));
        }
        destroy_sample(s);
    }
}

/* Oracle: homogeneity, at the ends of what a double holds. */
static void twists_of_any_size_are_safe(void** state)
{
    (void)state;
    for (int i = 0; i < CHOICES; i++) {
        const sample s = choice(i);
        const double r = s.value.r;
        const br_twist v = {0.3, -0.2, 0.7 / r};
        const br_limit_value at = br_limit_eval(s.surface, v);
        for (int sign = -1; sign <= 1; sign += 2) {
            const double factor = sign < 0 ? 1e-300 : 1e297;
            const br_limit_value scaled = br_limit_eval(s.surface, twist_scale(factor, v));
            assert_near_relative(scaled.dissipation, factor * at.dissipation, 1e-13);
            assert_near(wrench_distance(scaled.wrench, at.wrench, r), 0.0, 1e-13);
        }
        assert_finite(&s, (br_twist){1e-300, 1.0, 1e-300});
        assert_finite(&s, (br_twist){1.0, 0.0, 1e-300});
        assert_finite(&s, (br_twist){1e-300, 0.0, 1.0});
        assert_finite(&s, (br_twist){0.0, 1e-10 * r, 1.0});
        destroy_sample(s);
    }
}

/* Oracle: closed form. A patch whose radius vanishes is a point: |f| <= 1, no torque. */
static void a_patch_without_extent_is_a_point(void** state)
{
    (void)state;
    br_patch_def def = disc_def(1.0);
    def.radius = (br_by_force){0.01, 1.0 / 3.0, (double)INFINITY};
    br_patch* patch = make(def);
    br_limit_def limit = br_limit_def_default();
    limit.patch = patch;
    limit.fn = 0.0;
    br_limit* surface = NULL;
    assert_status(br_limit_create(&limit, &surface, NULL), BR_OK);
    const br_limit_value slides = br_limit_eval(surface, (br_twist){3.0, 4.0, 5.0});
    const br_limit_value spins = br_limit_eval(surface, (br_twist){0.0, 0.0, 5.0});
    assert_near(slides.dissipation, 5.0, 1e-15);
    assert_near(slides.wrench.fx, -0.6, 1e-15);
    assert_near(slides.wrench.tau, 0.0, 0.0);
    assert_near(spins.dissipation, 0.0, 0.0);
    assert_int_equal(spins.set_valued, 1);
    br_twist slide;
    assert_near(br_limit_gauge(surface, (br_wrench){3.0, 4.0, 0.0}, &slide), 5.0, 1e-15);
    assert_near(slide.vx, 0.6, 1e-15);
    assert_true(isinf(br_limit_gauge(surface, (br_wrench){0.0, 0.0, 1.0}, NULL)));
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

// --- gauge -----------------------------------------------------------------------------------------

/* Oracle: closed form. Pure force: |f|; pure torque on a symmetric patch: |tau|/r. */
static void gauge_of_pure_loads_is_plain(void** state)
{
    (void)state;
    const sample s = make_sample("square", rectangle_def(1.0, 1.0));
    br_twist slide;
    assert_near(br_limit_gauge(s.surface, (br_wrench){0.3, 0.4, 0.0}, &slide), 0.5, 1e-14);
    assert_near(slide.vx, 0.6, 1e-12);
    assert_near(slide.w, 0.0, 1e-12);
    const br_wrench torque = {0.0, 0.0, -2.0 * s.value.r};
    assert_near(br_limit_gauge(s.surface, torque, &slide), 2.0, 1e-13);
    assert_near(slide.w, -1.0 / s.value.r, 1e-10);
    assert_near(br_limit_gauge(s.surface, (br_wrench){0.0, 0.0, 0.0}, &slide), 0.0, 0.0);
    assert_near(slide.vx + slide.vy + slide.w, 0.0, 0.0);
    assert_true(isnan(br_limit_gauge(s.surface, (br_wrench){(double)NAN, 0.0, 0.0}, &slide)));
    destroy_sample(s);
}

/* Oracle: a facet. Loads that a point at rest can carry slide about that point, exactly. */
static void gauge_on_a_facet_is_exact(void** state)
{
    (void)state;
    const sample s = make_sample("tripod", points_def(tripod, COUNT(tripod)));
    uint64_t seed = 13;
    for (size_t i = 0; i < COUNT(tripod); i++) {
        const br_vec2 p = {tripod[i].x, tripod[i].y}, rho = br_vec2_sub(p, s.value.cop);
        const br_twist v = about(&s, p);
        brute others = brute_of(&s, v);
        for (size_t k = 0; k < COUNT(tripod); k++) {
            add_sample(&others, (br_vec2){tripod[k].x, tripod[k].y},
                       k == i ? 0.0 : tripod[k].weight);
        }
        for (int n = 0; n < 100; n++) {
            const double b = uniform(&seed, 0.0, 1.0) * tripod[i].weight;
            const br_vec2 f = br_vec2_rotate((br_vec2){b, 0.0}, uniform(&seed, -4.0, 4.0));
            const br_wrench load = {-others.fx + f.x, -others.fy + f.y,
                                    -others.tau + br_vec2_cross(rho, f)};
            br_twist slide;
            assert_near(br_limit_gauge(s.surface, load, &slide), 1.0, 1e-12);
            assert_near(slide.vx / slide.w, v.vx, 1e-12);
            assert_near(slide.vy / slide.w, v.vy, 1e-12);
        }
    }
    destroy_sample(s);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons_agree_with_quadrature),
        cmocka_unit_test(thin_rectangles_keep_their_digits),
        cmocka_unit_test(grids_agree_with_quadrature),
        cmocka_unit_test(a_fine_grid_agrees_with_quadrature),
        cmocka_unit_test(wide_vectors_give_the_same_numbers),
        cmocka_unit_test(linear_discs_and_rings_agree_with_quadrature),
        cmocka_unit_test(power_laws_join_the_closed_forms),
        cmocka_unit_test(power_laws_have_the_right_moments),
        cmocka_unit_test(power_laws_with_small_exponents_become_points),
        cmocka_unit_test(a_far_centre_of_rotation_loses_nothing),
        cmocka_unit_test(torque_far_away_is_the_second_moment),
        cmocka_unit_test(series_and_closed_form_meet),
        cmocka_unit_test(translation_is_exact),
        cmocka_unit_test(rotation_about_the_cop_has_torque_r),
        cmocka_unit_test(a_centre_of_rotation_on_the_border_is_safe),
        cmocka_unit_test(a_support_point_at_rest_gives_the_smallest_wrench),
        cmocka_unit_test(rest_and_nan_are_reported),
        cmocka_unit_test(twists_of_any_size_are_safe),
        cmocka_unit_test(a_patch_without_extent_is_a_point),
        cmocka_unit_test(gauge_of_pure_loads_is_plain),
        cmocka_unit_test(gauge_on_a_facet_is_exact),
    };
    prepare_gauss();
    return run_group(argc, argv, tests);
}
