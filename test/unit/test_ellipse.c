/*
 * Ellipses: moments, cells and exact limit surface, against quadrature in the plane and against discs.
 */
#include "limit_shapes.h"

#include <string.h>

#include "bristle/contact.h"
#include "patch/power_law.h"

// --- an independent oracle: tanh-sinh quadrature in x and y, in long double -----------------------------

#define PI_L 3.14159265358979323846264338327950288L

typedef long double real;

// What is integrated, and about which point.
typedef struct plane {
    real a, b, gx, gy, k; // semi-axes; slope on the unit disc; power law, 0: none
    real norm;            // C_k
    real cx, cy;
    int which; // 0: distance, 1: its derivative by c_x, 2: by c_y
} plane;

static real pressure_at(const plane* o, real x, real y)
{
    const real u = x / o->a, v = y / o->b, rho2 = u * u + v * v;
    if (rho2 >= 1.0L) {
        return 0.0L;
    }
    const real p = o->k > 0.0L ? o->norm * powl(1.0L - powl(rho2, 0.5L * o->k), 1.0L / o->k)
                               : 1.0L + o->gx * u + o->gy * v;
    return p / (PI_L * o->a * o->b);
}

static real integrand(const plane* o, real x, real y)
{
    const real dx = x - o->cx, dy = y - o->cy, distance = sqrtl(dx * dx + dy * dy);
    const real f = o->which == 0        ? distance
                   : !(distance > 0.0L) ? 0.0L
                   : o->which == 1      ? -dx / distance
                                        : -dy / distance;
    return f * pressure_at(o, x, y);
}

enum { RULE = 110 };

// x = from + (to - from) of a node, from the nearer end; its weight
static real rule_node(int i, real from, real to, real* weight)
{
    const real step = 6.6L / RULE, t = -3.3L + step * i, q = expl(-PI_L * fabsl(sinhl(t)));
    const real small = q / (1.0L + q), length = to - from;
    *weight = step * PI_L * coshl(t) * small / (1.0L + q) * length;
    return t < 0.0L ? from + length * small : to - length * small;
}

static real along_y(const plane* o, real x, real from, real to)
{
    real sum = 0.0L;
    for (int i = 0; from < to && i <= RULE; i++) {
        real weight;
        const real y = rule_node(i, from, to, &weight);
        sum += weight * integrand(o, x, y);
    }
    return sum;
}

static real along_x(const plane* o, real from, real to)
{
    real sum = 0.0L;
    for (int i = 0; from < to && i <= RULE; i++) {
        real weight;
        const real x = rule_node(i, from, to, &weight), rest = 1.0L - (x / o->a) * (x / o->a);
        const real top = rest > 0.0L ? o->b * sqrtl(rest) : 0.0L;
        const real middle = fminl(fmaxl(o->cy, -top), top);
        // the pressure of a power law is not smooth on the axis
        const real axis = fminl(fmaxl(0.0L, -top), top);
        const real low = fminl(middle, axis), high = fmaxl(middle, axis);
        sum += weight *
               (along_y(o, x, -top, low) + along_y(o, x, low, high) + along_y(o, x, high, top));
    }
    return sum;
}

// Cut where the inner limits or the integrand are not smooth: at c, at the axis, where c_y leaves the ellipse.
static double integrate(plane o, int which)
{
    o.which = which;
    const real rest = 1.0L - (o.cy / o.b) * (o.cy / o.b);
    const real edge = rest > 0.0L ? o.a * sqrtl(rest) : 0.0L;
    real cut[6] = {-o.a, -edge, 0.0L, o.cx, edge, o.a};
    for (int i = 1; i < 5; i++) {
        cut[i] = fminl(fmaxl(cut[i], -o.a), o.a);
        for (int k = i; k > 1 && cut[k] < cut[k - 1]; k--) {
            const real swap = cut[k];
            cut[k] = cut[k - 1], cut[k - 1] = swap;
        }
    }
    real sum = 0.0L;
    for (int i = 0; i < 5; i++) {
        sum += along_x(&o, cut[i], cut[i + 1]);
    }
    return (double)sum;
}

// The patch of an oracle.
static br_patch_def def_of(const plane* o)
{
    br_patch_def def = ellipse_def((double)o->a, (double)o->b);
    if (o->k > 0.0L) {
        return with_power(def, (double)o->k);
    }
    const double g = (double)hypotl(o->gx, o->gy);
    // the slope on the unit disc is (a cos, b sin) of the direction, up to a factor
    const double angle = (double)atan2l(o->gy / o->b, o->gx / o->a);
    return g > 0.0 ? with_slope(def, 1.0 - g, 1.0 + g, angle) : def;
}

static plane oracle(double a, double b, double gx, double gy, double k)
{
    return (plane){a, b, gx, gy, k, k > 0.0 ? bri_power_law_norm(k) : 0.0, 0.0L, 0.0L, 0};
}

static const double quadrature = 1e-13; // of either side; 1e-15 is what they agree to

static void check_at(const sample* s, plane o, double x, double y)
{
    o.cx = x, o.cy = y;
    const double w = 1.5, G = integrate(o, 0), Gx = integrate(o, 1), Gy = integrate(o, 2);
    const br_vec2 c = {x - s->value.cop.x, y - s->value.cop.y};
    const br_twist v = {w * c.y, -w * c.x, w};
    const br_limit_value at = br_limit_eval(s->surface, v);
    const double r = s->value.r;
    assert_near_relative(at.dissipation, w * G, quadrature);
    assert_near(at.wrench.fx, -Gy, quadrature);
    assert_near(at.wrench.fy, Gx, quadrature);
    assert_near(at.wrench.tau, -(G - c.x * Gx - c.y * Gy), quadrature * (r + br_vec2_norm(c)));
}

/* Oracle: quadrature. Centres of rotation inside, on the rim, next to it, outside, far away. */
static void surfaces_agree_with_quadrature(void** state)
{
    (void)state;
    const plane all[] = {oracle(1.0, 0.4, 0.0, 0.0, 0.0), oracle(1.0, 0.4, 0.5, -0.3, 0.0),
                         oracle(0.3, 1.1, 0.0, 0.0, 2.0), oracle(1.0, 0.5, 0.0, 0.0, 1.0),
                         oracle(1.0, 0.7, 0.0, 0.0, 5.0)};
    const double places[][2] = {{0.0, 0.0},   {0.3, 0.5},    {1.0, 0.0}, {0.6, 0.8},
                                {0.0, 1.001}, {0.999, 0.01}, {1.4, 0.3}, {2.0, -4.0}};
    for (size_t i = 0; i < COUNT(all); i++) {
        const plane o = all[i];
        const sample s = make_sample("", def_of(&o));
        const size_t step = o.k > 0.0L && o.k != 2.0L ? 3 : 1; // powl is slow
        for (size_t k = 0; k < COUNT(places); k += step) {
            check_at(&s, o, places[k][0] * (double)o.a, places[k][1] * (double)o.b);
        }
        destroy_sample(s);
    }
}

/* Oracle: quadrature about the CoP for r; closed forms for the rest. */
static void moments_agree_with_quadrature(void** state)
{
    (void)state;
    const plane all[] = {oracle(1.0, 0.4, 0.0, 0.0, 0.0), oracle(2.0, 0.9, 0.6, 0.5, 0.0),
                         oracle(1.0, 0.5, 0.0, 0.0, 2.0), oracle(1.0, 3.0, 0.0, 0.0, 1.0)};
    for (size_t i = 0; i < COUNT(all); i++) {
        plane o = all[i];
        const double a = (double)o.a, b = (double)o.b;
        const br_patch_value value = value_of(def_of(&o));
        const br_vec2 cop = {a * (double)o.gx / 4.0, b * (double)o.gy / 4.0};
        const double second = o.k > 0.0L ? bri_power_law_moment((double)o.k, 2) : 0.5;
        assert_near(value.cop.x, cop.x, 1e-15);
        assert_near(value.cop.y, cop.y, 1e-15);
        assert_near_relative(value.area, BR_PI * a * b, closed);
        assert_near_relative(value.u, 0.5 * second * (a * a + b * b) - br_vec2_dot(cop, cop),
                             closed);
        o.cx = cop.x, o.cy = cop.y;
        assert_near_relative(value.r, integrate(o, 0), quadrature);
    }
}

/* Oracle: the disc, whose surface is computed by other formulas. A ratio next to 1 takes those of the ellipse. */
static void a_disc_is_the_limit_of_ellipses(void** state)
{
    (void)state;
    uint64_t seed = 5;
    const double k[] = {0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0, 100.0, 1e4};
    for (size_t i = 0; i < COUNT(k) + 2; i++) {
        br_patch_def def = disc_def(0.02);
        def = i < COUNT(k)    ? with_power(def, k[i])
              : i == COUNT(k) ? def
                              : with_linear(def, 1.0, 3.0);
        const sample disc = make_sample("disc", def);
        def.shape = BR_SHAPE_ELLIPSE;
        def.ratio = 1.0 + 1e-15;
        const sample ellipse = make_sample("ellipse", def);
        assert_near_relative(ellipse.value.r, disc.value.r, closed);
        assert_near_relative(ellipse.value.u, disc.value.u, closed);
        for (int n = 0; n < 60; n++) {
            const br_twist v = random_twist(&seed, 0.02);
            const br_limit_value a = br_limit_eval(disc.surface, v),
                                 b = br_limit_eval(ellipse.surface, v);
            /* 1e-14 each; k = 1e4 has a layer at its rim that costs a digit */
            assert_near_relative(b.dissipation, a.dissipation, 2e-13);
            assert_near(wrench_distance(a.wrench, b.wrench, 0.02), 0.0, 2e-13);
        }
        destroy_sample(disc);
        destroy_sample(ellipse);
    }
}

/* Oracle: closed form. A thin uniform ellipse is a line under the pressure 2/pi sqrt(1 - x^2), whose sums over
 * Chebyshev nodes of the second kind are exact for polynomials; the distance from a point beside it is smooth. */
static void a_thin_ellipse_is_a_line(void** state)
{
    (void)state;
    enum { N = 400 };
    const sample s = make_sample("thin", ellipse_def(1.0, 1e-6));
    const double places[][2] = {{0.2, 0.3}, {-1.2, 0.1}, {0.0, 0.5}, {0.9, -0.4}};
    for (size_t i = 0; i < COUNT(places); i++) {
        const double x = places[i][0], y = places[i][1];
        double sum = 0.0;
        for (int n = 1; n <= N; n++) {
            const double angle = BR_PI * n / (N + 1), sine = sin(angle);
            sum += 2.0 / (N + 1) * sine * sine * hypot(cos(angle) - x, y);
        }
        const br_limit_value at = br_limit_eval(s.surface, (br_twist){y, -x, 1.0});
        assert_near_relative(at.dissipation, sum, 1e-11 /* b^2/8y^2 */);
    }
    destroy_sample(s);
}

/* Oracle: homogeneity and D(v, 0, 0) = |v|. Nothing cancels where the CoR is far. */
static void a_far_rotation_is_a_translation(void** state)
{
    (void)state;
    const br_patch_def defs[] = {ellipse_def(0.02, 0.01), with_power(ellipse_def(0.02, 0.01), 2.0),
                                 with_slope(ellipse_def(0.02, 0.01), 1.0, 2.0, 1.0)};
    for (size_t i = 0; i < COUNT(defs); i++) {
        const sample s = make_sample("far", defs[i]);
        const double w = 1e-7; // the torque is proportional to it
        const br_limit_value at = br_limit_eval(s.surface, (br_twist){3.0, 4.0, 0.0}),
                             near = br_limit_eval(s.surface, (br_twist){3.0, 4.0, w}),
                             half = br_limit_eval(s.surface, (br_twist){3.0, 4.0, 0.5 * w});
        assert_near_relative(at.dissipation, 5.0, 1e-15);
        assert_near(at.wrench.fx, -0.6, 1e-15);
        assert_near(at.wrench.fy, -0.8, 1e-15);
        assert_near(at.wrench.tau, 0.0, 1e-18);
        assert_near_relative(near.wrench.tau, 2.0 * half.wrench.tau, 1e-8 /* w r/v */);
        destroy_sample(s);
    }
}

/* Oracle: the moments of the patch. Cells of any pressure come to them with the square of their size. */
static void cells_converge_to_the_moments(void** state)
{
    (void)state;
    const br_patch_def defs[] = {ellipse_def(0.02, 0.007), with_power(ellipse_def(0.01, 0.02), 2.0),
                                 with_power(ellipse_def(0.01, 0.006), 0.8),
                                 with_slope(ellipse_def(0.02, 0.013), 0.0, 1.0, -2.0)};
    for (size_t i = 0; i < COUNT(defs); i++) {
        br_patch* patch = make(defs[i]);
        const br_patch_value exact = br_patch_eval(patch, 1.0);
        for (size_t n = 20; n <= 80; n *= 2) {
            br_cells* cells = cut(patch, 1.0, n);
            const br_patch_value sums = br_cells_eval(cells);
            const double share = 8.0 / (double)(n * n); // measured: 2 to 4
            assert_near(sums.r, exact.r, share * exact.r);
            assert_near(sums.u, exact.u, share * exact.u);
            assert_near(sums.cop.x, exact.cop.x, share * exact.r);
            assert_near(sums.cop.y, exact.cop.y, share * exact.r);
            br_cells_destroy(cells);
        }
        br_patch_destroy(patch);
    }
}

/* Oracle: a surface created at that force, and the refusal of what would create one at each force. */
static void an_exponent_may_depend_on_the_force(void** state)
{
    (void)state;
    br_patch_def def = ellipse_def(0.02, 0.01);
    def.pressure = BR_PRESSURE_POWER;
    def.k = (br_by_force){2.0, 1.0, HUGE_VAL};
    br_patch* patch = make(def);
    br_limit_def limit = br_limit_def_default();
    limit.patch = patch;
    br_limit *surface = NULL, *fresh = NULL;
    assert_status(br_limit_create(&limit, &surface, NULL), BR_OK);
    limit.fn = 1.7;
    assert_status(br_limit_create(&limit, &fresh, NULL), BR_OK);
    void* memory = test_calloc(1, br_limit_get_at_force_size(surface));
    const double forces[] = {3.0, 1.7}; // k = 6, then 3.4
    const br_limit* now = NULL;
    for (size_t i = 0; i < COUNT(forces); i++) {
        now = br_limit_at_force(surface, forces[i], memory);
    }
    const br_twist v = {0.01, 0.004, 1.0}, far = {1.0, 0.5, 1.0};
    assert_near_relative(br_limit_eval(now, v).dissipation, br_limit_eval(fresh, v).dissipation,
                         1e-15);
    assert_near_relative(br_limit_eval(now, far).wrench.tau, br_limit_eval(fresh, far).wrench.tau,
                         1e-15);
    br_contact_def contact = br_contact_def_default();
    contact.patch = patch;
    contact.method = BR_METHOD_REDUCED;
    br_contact* reduced = NULL;
    br_reason why = {"", ""};
    assert_status(br_contact_create(&contact, &reduced, &why), BR_ERR_DEF);
    assert_non_null(strstr(why.text, "use the method blocks"));
    test_free(memory);
    br_limit_destroy(surface);
    br_limit_destroy(fresh);
    br_patch_destroy(patch);
}

/* Oracle: the limit surface. All methods slide with the wrench of the exact surface, each to its own error. */
static void contacts_of_all_methods_slide_along_the_surface(void** state)
{
    (void)state;
    const sample s = make_sample("ellipse", placed(ellipse_def(0.02, 0.01), 0.1, 0.0, 0.4));
    const double error[] = {[BR_METHOD_DISTRIBUTED] = 0.01,
                            [BR_METHOD_BLOCKS] = 0.02,
                            [BR_METHOD_REDUCED] = 0.01,
                            [BR_METHOD_ELLIPSOID] = 0.3};
    uint64_t seed = 6;
    for (int method = 0; method < (int)COUNT(error); method++) {
        br_contact_def def = br_contact_def_default();
        def.patch = s.patch;
        def.method = (br_method)method;
        def.law.sigma2 = 0.0;
        br_contact* contact = NULL;
        assert_status(br_contact_create(&def, &contact, NULL), BR_OK);
        for (int i = 0; i < 20; i++) {
            br_twist v = random_twist(&seed, s.value.r);
            v = twist_scale(1.0 / speed_of(v, s.value.r), v); // fast: no Stribeck
            const br_wrench f = br_contact_steady_eval(contact, v, 1.0 / def.law.mu_c, NULL);
            const br_wrench exact = br_limit_eval(s.surface, v).wrench;
            assert_near(wrench_distance(f, exact, s.value.r), 0.0, error[method]);
        }
        br_contact_destroy(contact);
    }
    destroy_sample(s);
}

static void assert_refused(br_patch_def def, const char* field, const char* word)
{
    br_reason why = {"", ""};
    br_patch* patch = NULL;
    assert_status(br_patch_create(&def, &patch, &why), BR_ERR_DEF);
    assert_string_equal(why.field, field);
    assert_non_null(strstr(why.text, word));
}

static void bad_ellipses_are_refused(void** state)
{
    (void)state;
    assert_refused(ellipse_def(1.0, 0.0), "ratio", "1e-06 to 1e+06");
    assert_refused(ellipse_def(1.0, -0.5), "ratio", "got -0.5");
    assert_refused(ellipse_def(1.0, (double)NAN), "ratio", "nan");
    assert_refused(ellipse_def(0.0, 1.0), "radius", "> 0");
    assert_refused(with_slope(ellipse_def(1.0, 0.5), 1.0, 2.0, (double)INFINITY), "pressure.angle",
                   "finite");
    assert_refused(with_power(ellipse_def(1.0, 0.5), -1.0), "pressure.k", "> 0");
}

/* Oracle: the definition of an older caller, which ends before `ratio`, is a disc; a disc has no ratio. */
static void other_shapes_have_no_ratio(void** state)
{
    (void)state;
    br_patch_def def = disc_def(0.02);
    def.ratio = 0.5;
    def.slope_angle = 1.0;
    br_patch* patch = make(def);
    assert_true(br_patch_get_def(patch)->ratio == 1.0);
    assert_near_relative(br_patch_eval(patch, 1.0).r, 0.04 / 3.0, closed);
    br_patch_destroy(patch);
    def.size = offsetof(br_patch_def, ratio);
    def.shape = BR_SHAPE_ELLIPSE;
    patch = make(def);
    assert_true(br_patch_get_def(patch)->ratio == 1.0);
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surfaces_agree_with_quadrature),
        cmocka_unit_test(moments_agree_with_quadrature),
        cmocka_unit_test(a_disc_is_the_limit_of_ellipses),
        cmocka_unit_test(a_thin_ellipse_is_a_line),
        cmocka_unit_test(a_far_rotation_is_a_translation),
        cmocka_unit_test(cells_converge_to_the_moments),
        cmocka_unit_test(an_exponent_may_depend_on_the_force),
        cmocka_unit_test(contacts_of_all_methods_slide_along_the_surface),
        cmocka_unit_test(bad_ellipses_are_refused),
        cmocka_unit_test(other_shapes_have_no_ratio),
    };
    return run_group(argc, argv, tests);
}
