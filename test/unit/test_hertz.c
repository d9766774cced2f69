/*
 * Elliptic Hertz contact: closed forms, the integral equation that defines it, quadrature, limits.
 */
#include "bristle/hertz.h"

#include <string.h>

#include "patch_shapes.h"

static br_hertz_value eval(br_hertz_def def, double fn)
{
    br_hertz_value value;
    br_reason why = {"", ""};
    if (br_hertz_eval(&def, fn, &value, &why) != BR_OK) {
        fail_msg("refused: %s: %s", why.field, why.text);
    }
    return value;
}

static br_hertz_def bodies(double rx, double ry, double modulus)
{
    br_hertz_def def = br_hertz_def_default();
    def.radius_x = rx;
    def.radius_y = ry;
    def.modulus = modulus;
    return def;
}

/* Oracle: closed form. a^3 = 3 fn R/(4 E*), depth = a^2/R, p0 = 3 fn/(2 pi a^2), d fn/d depth = 2 E* a. */
static void a_sphere_on_a_plane_has_its_closed_form(void** state)
{
    (void)state;
    const double R = 0.02, E = 2e9, fn = 30.0, a = cbrt(0.75 * fn * R / E);
    const br_hertz_value h = eval(bodies(R, R, E), fn);
    assert_near_relative(h.a, a, 1e-14);
    assert_near_relative(h.b, a, 1e-14);
    assert_near_relative(h.depth, a * a / R, 1e-14);
    assert_near_relative(h.pressure, 1.5 * fn / (BR_PI * a * a), 1e-14);
    assert_near_relative(h.stiffness, 2.0 * E * a, 1e-14);
    assert_near(h.angle, 0.0, 1e-15);

    // at no force there is a point
    const br_hertz_value none = eval(bodies(R, R, E), 0.0);
    assert_true(none.a == 0.0 && none.depth == 0.0 && none.pressure == 0.0 &&
                none.stiffness == 0.0);
}

/* Oracle: symmetry. Equal cylinders at right angles are a sphere on a plane; a ball in a socket has the
 * difference of the curvatures. */
static void only_relative_curvatures_matter(void** state)
{
    (void)state;
    br_hertz_def crossed = bodies(0.02, HUGE_VAL, 1e9);
    crossed.ground_x = 0.02;
    crossed.ground_angle = 0.5 * BR_PI;
    const br_hertz_value a = eval(crossed, 5.0), b = eval(bodies(0.02, 0.02, 1e9), 5.0);
    assert_near_relative(a.a, b.a,
                         1e-12 /* cos(pi/2) is 6e-17, and the ratio has its root at a circle */);
    assert_near_relative(a.b, b.b, 1e-12);
    assert_near_relative(a.depth, b.depth, 1e-12);
    br_hertz_def socket = bodies(0.01, 0.01, 1e9);
    socket.ground_x = socket.ground_y = -0.02;
    assert_near_relative(eval(socket, 5.0).a, b.a, 1e-14);

    // which body is which, and how the axes are named, does not matter
    br_hertz_def one = bodies(0.01, 0.03, 1e9), other = bodies(0.05, HUGE_VAL, 1e9);
    one.ground_x = 0.05, one.ground_y = HUGE_VAL, one.ground_angle = 0.7;
    other.ground_x = 0.01, other.ground_y = 0.03, other.ground_angle = -0.7;
    const br_hertz_value c = eval(one, 5.0), d = eval(other, 5.0);
    assert_near_relative(fmax(c.a, c.b), fmax(d.a, d.b), 1e-14);
    assert_near_relative(c.depth, d.depth, 1e-14);
    assert_near(sin(2.0 * (c.angle - (d.angle + 0.7))), 0.0, 1e-14);

    // turned by a quarter: x and y swap
    const br_hertz_value e = eval(bodies(0.01, 0.04, 1e9), 5.0),
                         f = eval(bodies(0.04, 0.01, 1e9), 5.0);
    assert_true(e.b > e.a); // longer along the larger radius
    assert_near_relative(e.a, f.b, 1e-15);
    assert_near_relative(e.b, f.a, 1e-15);
    assert_near(e.angle, 0.0, 1e-15);
    assert_near(f.angle, 0.0, 1e-15);
}

// Displacement at (x, y): 1/(pi E*) int p/rho dA. About the point, along a line in the direction theta, p is
// p0 sqrt(C) sqrt(h^2 - (s - m)^2): a half circle of the area pi h^2/2. The trapezoidal rule over theta.
static double displacement(const br_hertz_value* h, double modulus, double x, double y)
{
    enum { N = 100000 }; // converges like exp(-2 N b/a)
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        const double theta = BR_PI * i / N, c = cos(theta) / h->a, s = sin(theta) / h->b;
        const double u = x / h->a, v = y / h->b, C = c * c + s * s, m = (u * c + v * s) / C;
        const double h2 = (1.0 - u * u - v * v) / C + m * m;
        sum += 0.5 * BR_PI * h2 * sqrt(C);
    }
    return h->pressure * sum / N / modulus;
}

/* Oracle: the integral equation, without elliptic integrals. The surfaces fit: displacement = depth - gap. */
static void the_surfaces_fit_within_the_ellipse(void** state)
{
    (void)state;
    const double E = 3e9, ratios[] = {1.0, 1.001, 2.0, 10.0, 300.0, 1e5};
    for (size_t i = 0; i < COUNT(ratios); i++) {
        const double rx = 0.01 * ratios[i], ry = 0.01;
        const br_hertz_value h = eval(bodies(rx, ry, E), 20.0);
        const double places[][2] = {{0, 0}, {0.5, 0}, {0, 0.5}, {0.6, 0.6}, {1, 0}, {0, 1}};
        for (size_t k = 0; k < COUNT(places); k++) {
            const double x = places[k][0] * h.a, y = places[k][1] * h.b;
            const double gap = 0.5 * x * x / rx + 0.5 * y * y / ry;
            assert_near(displacement(&h, E, x, y), h.depth - gap, 1e-11 * h.depth);
        }
        assert_near_relative(2.0 / 3.0 * BR_PI * h.a * h.b * h.pressure, 20.0, 1e-14);
    }
}

// Parts of the complete elliptic integrals, int sin^2/w and int cos^2/w over a quarter turn, w^2 = cos^2 + ratio^2 sin^2.
// With tan(phi) = e^s they are integrals over all s, whose integrands fall at least as e^-|s| beyond the ends below and have
// no pole within pi/2 of the real axis: the trapezoidal rule errs by e^(-pi^2/step), 1e-85.
typedef struct integrals {
    long double D, B;
} integrals;

static integrals integrate(long double ratio)
{
    const long double step = 0.05L, end = 50.0L - logl(ratio);
    integrals sum = {0.0L, 0.0L};
    for (long double s = -50.0L; s < end; s += step) {
        const long double t = expl(s), cos2 = 1.0L / (1.0L + t * t), sin2 = t * t * cos2;
        const long double share = step * t * cos2 / sqrtl(cos2 + ratio * ratio * sin2);
        sum.D += share * sin2;
        sum.B += share * cos2;
    }
    return sum;
}

/* Oracle: quadrature in long double. With the semi-axes, the peak pressure and the depth of br_hertz_eval(), the integrals
 * give back the curvatures A and B, the force and the depth. */
static void the_integrals_give_back_the_curvatures(void** state)
{
    (void)state;
    const double modulus = 1e9, fn = 7.0, rx = 0.01;
    for (double q = 1.0; q < 2e6; q *= 3.7) {
        const br_hertz_value h = eval(bodies(rx, q * rx, modulus), fn); // b along x, a along y
        const long double a = fmaxl(h.a, h.b), b = fminl(h.a, h.b), p0 = h.pressure;
        const integrals i = integrate(b / a);
        /* 60 bisections of the ratio, rounding of cube roots */
        assert_near_relative((double)(p0 * b * i.D / (modulus * a * a)), 0.5 / (q * rx), 1e-12);
        assert_near_relative((double)(p0 * i.B / (modulus * b)), 0.5 / rx, 1e-12);
        assert_near_relative((double)(p0 * b * (i.B + i.D) / modulus), h.depth, 1e-12);
        assert_near_relative((double)(2.0L / 3.0L * p0 * 3.14159265358979323846L * a * b), fn,
                             1e-12);
    }
}

/* Oracle: closed form of a line contact. Where the ellipse is long, its middle is that of a cylinder on a plane with the
 * load per length P = pi p0 b/2 there: b^2 = 4 P R/(pi E*). */
static void a_long_ellipse_is_a_line_contact(void** state)
{
    (void)state;
    const double modulus = 1e9, rx = 0.01;
    for (double q = 1e2; q < 2e6; q *= 10.0) {
        const br_hertz_value h = eval(bodies(rx, q * rx, modulus), 7.0);
        const double a = fmax(h.a, h.b), b = fmin(h.a, h.b),
                     per_length = 0.5 * BR_PI * h.pressure * b;
        const double slender = b / a;
        /* the next term of the integral of b/a: (b/a)^2 (ln(4 a/b) - 1/2)/2 */
        assert_near_relative(4.0 * per_length * rx / (BR_PI * modulus), b * b,
                             slender * slender * log(4.0 / slender));
    }
}

/* Oracle: the formulas of Hamrock & Brewe (1983), k = 1.0339 q^0.636 and E = 1.0003 + 0.5968/q, F = 1.5277 +
 * 0.6023 ln q, q = Rx/Ry >= 1, which are said to be within 3 %. */
static void handbook_approximations_are_near(void** state)
{
    (void)state;
    for (double q = 1.0; q <= 100.0; q *= 1.7) {
        const double ry = 0.01, rx = q * ry, fn = 12.0, modulus = 2e9;
        const double k = 1.0339 * pow(q, 0.636), E = 1.0003 + 0.5968 / q,
                     F = 1.5277 + 0.6023 * log(q), R = 1.0 / (1.0 / rx + 1.0 / ry);
        const br_hertz_value h = eval(bodies(rx, ry, modulus), fn);
        const double unit = 6.0 * E * fn * R / (BR_PI * 2.0 * modulus);
        assert_near_relative(h.a, cbrt(k * k * unit), 0.04);
        assert_near_relative(h.b, cbrt(unit / k), 0.04);
        const double load = fn / (BR_PI * k * 2.0 * modulus);
        /* the errors of F, E and k add up: 5.4 % for a sphere */
        assert_near_relative(h.depth, F * cbrt(4.5 / (E * R) * load * load), 0.06);
    }
}

/* Oracle: br_hertz_eval(). The patch grows as the contact does. */
static void the_patch_is_that_of_every_force(void** state)
{
    (void)state;
    br_hertz_def def = bodies(0.03, 0.01, 5e7);
    def.ground_x = 0.02, def.ground_angle = 0.5;
    br_patch_def shape = br_patch_def_default();
    shape.angle = 0.1;
    shape.centre = (br_vec2){0.3, 0.4};
    assert_status(br_hertz_patch(&def, 50.0, &shape, NULL), BR_OK);
    br_patch* patch = make(shape);
    for (double fn = 0.1; fn < 100.0; fn *= 3.0) {
        const br_hertz_value h = eval(def, fmin(fn, 50.0));
        const double radius = br_by_force_eval(br_patch_get_def(patch)->radius, fn);
        assert_near_relative(radius, h.a, 1e-14);
        assert_near_relative(radius * br_patch_get_def(patch)->ratio, h.b, 1e-14);
        assert_near_relative(br_patch_eval(patch, fn).u, 0.2 * (h.a * h.a + h.b * h.b), 1e-13);
        assert_near(br_patch_get_def(patch)->angle, 0.1 + h.angle, 1e-15);
    }
    assert_near_relative(br_patch_get_full_force(patch), 50.0, 1e-13);
    br_patch_destroy(patch);
}

/* Oracle: closed form. Steel on a rigid body; two equal bodies. */
static void moduli_combine(void** state)
{
    (void)state;
    assert_near_relative(br_hertz_modulus(210e9, 0.3, HUGE_VAL, 0.5), 210e9 / 0.91, 1e-15);
    assert_near_relative(br_hertz_modulus(210e9, 0.3, 210e9, 0.3), 105e9 / 0.91, 1e-15);
}

static void assert_refused(br_hertz_def def, const char* field, const char* word)
{
    br_reason why = {"", ""};
    br_hertz_value value;
    assert_status(br_hertz_eval(&def, 1.0, &value, &why), BR_ERR_DEF);
    assert_string_equal(why.field, field);
    assert_non_null(strstr(why.text, word));
    assert_true(value.a == 0.0);
}

static void bodies_that_touch_in_no_point_are_refused(void** state)
{
    (void)state;
    assert_refused(bodies(0.01, HUGE_VAL, 1e9), "radii", "touch in a point"); // a line
    assert_refused(bodies(0.01, -0.02, 1e9), "radii", "touch in a point");
    assert_refused(bodies(0.01, 0.0, 1e9), "radii[1]", "must not be 0");
    assert_refused(bodies((double)NAN, 1.0, 1e9), "radii[0]", "nan");
    assert_refused(bodies(0.01, 0.01, -1e9), "modulus", "> 0");
    br_hertz_def def = bodies(0.01, 0.01, 1e9);
    def.ground_x = -0.005;
    assert_refused(def, "radii", "1/m");
    def.ground_x = HUGE_VAL, def.ground_angle = (double)NAN;
    assert_refused(def, "ground_angle", "finite");
    def = bodies(0.01, 0.01, 1e9);
    br_hertz_value value;
    br_reason why = {"", ""};
    assert_status(br_hertz_eval(&def, -1.0, &value, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "fn");
    br_patch_def shape = br_patch_def_default();
    assert_status(br_hertz_patch(&def, 0.0, &shape, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "max_force");
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_on_a_plane_has_its_closed_form),
        cmocka_unit_test(only_relative_curvatures_matter),
        cmocka_unit_test(the_surfaces_fit_within_the_ellipse),
        cmocka_unit_test(the_integrals_give_back_the_curvatures),
        cmocka_unit_test(a_long_ellipse_is_a_line_contact),
        cmocka_unit_test(handbook_approximations_are_near),
        cmocka_unit_test(the_patch_is_that_of_every_force),
        cmocka_unit_test(moduli_combine),
        cmocka_unit_test(bodies_that_touch_in_no_point_are_refused),
    };
    return run_group(argc, argv, tests);
}
