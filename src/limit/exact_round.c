/*
 * Axisymmetric patches: uniform ring, uniform disc, disc with power-law pressure (44).
 *
 * G depends on d = |c|/R alone. With F = G', T = G - d F, s = sgn w and u = v_t/|v_t|,
 *
 *   f = -F u,   tau = -s T,   D = |v_t| F + |w| T                            (lengths in radii)
 *
 * The closed forms of Goyal et al. are written with the parts B, C, D of the elliptic integrals,
 * inside with m = d^2, outside with m = 1/d^2. That avoids differences: they are accurate from the
 * centre to infinity without a series.
 */
#include "limit/exact_internal.h"
#include "math/elliptic.h"
#include "patch/patch_internal.h"
#include "patch/power_law.h"

static elliptic_parts parts_at(radial_place place)
{
    return bri_elliptic_parts_eval(place.x * place.x, place.below * (1.0 + place.x));
}

static radial_value uniform_ring(const exact* surface, radial_place place)
{
    (void)surface;
    const elliptic_parts i = parts_at(place);
    const double factor = 2.0 / BR_PI;
    if (place.is_outside) {
        return (radial_value){factor * i.E, factor * place.x * i.B, factor * i.D};
    }
    return (radial_value){factor * i.B, factor * i.E, factor * i.D};
}

static radial_value uniform_disc(const exact* surface, radial_place place)
{
    (void)surface;
    const elliptic_parts i = parts_at(place);
    const double m = place.x * place.x, mc = place.below * (1.0 + place.x);
    const double factor = 4.0 / (3.0 * BR_PI), force = factor * (i.B + i.E);
    if (place.is_outside) {
        return (radial_value){force, factor / 3.0 * place.x * (3.0 * i.B - (i.D - i.C)),
                              factor * (i.D - i.C)};
    }
    return (radial_value){force, factor / 3.0 * ((3.0 - 2.0 * m) * i.E + m * i.B),
                          factor * (i.E + mc * i.D)};
}

// Below this k some of the force is closer to the centre than CENTRE, where the nodes start.
#define CENTRE_K 0.1
#define CENTRE   1e-16

// --- power law -------------------------------------------------------------------------------------

// k = 2 far outside: F = sum (1-2n) a_n x^2n, T = sum 2n a_n x^(2n-1), a_n = b_n^2 <rho^2n>.
static radial_value hertz_far(double x)
{
    const double m = x * x;
    radial_value sum = {1.0, 0.0, 0.0};
    double b = 1.0, moment = 1.0, power = 1.0; // power = x^(2n-2)
    for (int n = 1; n <= 40 && power > 1e-18; n++) {
        b *= (1.5 - n) / n;
        moment *= n / (n + 1.5); // <rho^2n> of k = 2
        const double a = b * b * moment * power;
        sum.force += (1 - 2 * n) * a * m;
        sum.torque += 2 * n * a * x;
        sum.bend += 2 * n * (2 * n - 1) * a;
        power *= m;
    }
    return sum;
}

// k = 2, the pressure of Hertz: elementary.
static radial_value hertz_disc(const exact* surface, radial_place place)
{
    (void)surface;
    const double m = place.x * place.x, factor = 3.0 * BR_PI / 8.0;
    if (!place.is_outside) {
        // F = (3 pi/8)(d - d^3/4),   G = 3 pi/16 + (3 pi/8)(d^2/2 - d^4/16)
        return (radial_value){factor * (1.0 - 0.25 * m),
                              factor * (0.5 - 0.5 * m + 3.0 / 16.0 * m * m),
                              factor * (1.0 - 0.75 * m)};
    }
    if (place.x < 0.5) {
        return hertz_far(place.x);
    }
    // F = 3/4 ((d - d^3/4) A + u (2 + d^2)/(4 d)),   A = asin(1/d), u = sqrt(d^2 - 1)
    // G = 3/4 ((1/2 + d^2/2 - d^4/16) A + 15 u/16 + u^3/16)
    const double d = 1.0 / place.x, d2 = d * d;
    const double u = sqrt(place.below * (1.0 + place.x)) * d, A = atan2(1.0, u);
    const double F = 0.75 * ((d - 0.25 * d * d2) * A + u * (2.0 + d2) / (4.0 * d));
    const double G = 0.75 * ((0.5 + 0.5 * d2 - d2 * d2 / 16.0) * A + (15.0 + u * u) * u / 16.0);
    const double bend = 0.75 * ((1.0 - 0.75 * d2) * A + u * (0.75 - 0.5 * m));
    return (radial_value){F, G - d * F, bend * d * d2};
}

// Share of the force per radius at rho, 2 pi rho p; `below` is 1 - rho.
static double ring_share(const ring_rule* rule, double rho, double below)
{
    const double log_rho = below < 0.5 ? log1p(-below) : log(rho);
    return 2.0 * rho * rule->norm * pow(-expm1(rule->k * log_rho), 1.0 / rule->k);
}

// A ring of radius rho around a CoR at x = d or 1/d; `gap` is the distance |rho - d|, with both in
// the same unit.
static void add_ring(radial_value* sum, radial_place place, double rho, double gap, double share)
{
    const double factor = share * 2.0 / BR_PI;
    if (place.is_outside) {
        const double x = rho * place.x; // gap = 1 - x
        const elliptic_parts i = bri_elliptic_parts_eval(x * x, gap * (1.0 + x));
        sum->force += factor * i.E;
        sum->torque += factor * rho * x * i.B;
        sum->bend += factor * rho * rho * i.D;
        return;
    }
    const double d = place.x;
    if (rho > d) {
        const double x = d / rho;
        const elliptic_parts i = bri_elliptic_parts_eval(x * x, gap / rho * (1.0 + x));
        sum->force += factor * i.B / rho;
        sum->torque += factor * i.E * rho;
        sum->bend += factor * i.D / rho;
        return;
    }
    const double x = rho / d;
    const elliptic_parts i = bri_elliptic_parts_eval(x * x, gap / d * (1.0 + x));
    sum->force += factor * i.E / d;
    sum->torque += factor * rho * x * i.B;
    sum->bend += factor * x * x * i.D / d;
}

// Force closer to the centre than the first node, which exists for small k: treated as a point.
static void add_centre(radial_value* sum, radial_place place, double share)
{
    if (place.is_outside) {
        sum->force += share;
    } else if (place.x > CENTRE) {
        sum->force += share / place.x;
    }
}

// Any k: the ring's closed forms, integrated over rings. The singularities, at rho = d (kernel) and
// at 0 and 1 (pressure), are ends of intervals, where the double exponential rule is dense.
static radial_value power_disc(const exact* surface, radial_place place)
{
    const ring_rule* rule = surface->rings;
    const double d = place.is_outside ? 1.0 : place.x; // where the intervals meet
    const double rest = place.is_outside ? 0.0 : place.below;
    radial_value sum = {0.0, 0.0, 0.0};
    double mass = 0.0;
    for (int i = 0; i < RING_NODES; i++) {
        // from 0 to d; outside to 1, where the gap is (1 - x) + x (1 - rho)
        const double rho = d * rule->low[i], left = d * rule->high[i];
        const double gap = place.is_outside ? place.below + place.x * left : left;
        const double inner = d * rule->weight[i] * ring_share(rule, rho, rest + left);
        if (d > 0.0) {
            add_ring(&sum, place, rho, gap, inner);
        }
        // from d to 1
        const double from = rest * rule->low[i], to = rest * rule->high[i];
        const double outer = rest * rule->weight[i] * ring_share(rule, d + from, to);
        if (rest > 0.0) {
            add_ring(&sum, place, d + from, from, outer);
        }
        mass += inner + outer;
    }
    if (rule->k < CENTRE_K) {
        add_centre(&sum, place, 1.0 - mass);
    }
    return sum;
}

// Double exponential rule: x = (1 + tanh((pi/2) sinh t))/2 at equal steps in t.
static void fill_rule(ring_rule* rule)
{
    const double reach = 3.2, step = 2.0 * reach / (RING_NODES - 1);
    for (int i = 0; i < RING_NODES; i++) {
        const double t = -reach + step * i, q = exp(-BR_PI * fabs(sinh(t)));
        const double small = q / (1.0 + q), large = 1.0 / (1.0 + q);
        rule->low[i] = t < 0.0 ? small : large;
        rule->high[i] = t < 0.0 ? large : small;
        rule->weight[i] = step * BR_PI * cosh(t) * small * large;
    }
}

// --- from radial values to twists ------------------------------------------------------------------

static radial_place place_of(double V, double W)
{
    const int is_outside = V > W;
    const double large = is_outside ? V : W, small = is_outside ? W : V;
    return (radial_place){is_outside, small / large, (large - small) / large};
}

static void radial_hessian(br_twist v, double V, radial_place place, radial_value at,
                           double hessian[3][3])
{
    const double unit = place.is_outside ? V : fabs(v.w), s = copysign(1.0, v.w);
    const br_vec2 u = V > 0.0 ? (br_vec2){v.vx / V, v.vy / V} : (br_vec2){1.0, 0.0};

    // Hess D = (F/V) t t + (F'/W) n n,   t across u, n = (u, -s d), which v has no part along
    const double a = place.is_outside ? place.x : 1.0, b = place.is_outside ? 1.0 : place.x;
    const double t[3] = {-u.y, u.x, 0.0}, n[3] = {a * u.x, a * u.y, -s * b};
    for (int i = 0; i < 9; i++) {
        const int row = i / 3, column = i % 3;
        hessian[row][column] =
            (at.force * t[row] * t[column] + at.bend * n[row] * n[column]) / unit;
    }
}

static br_limit_value radial_eval(const exact* surface, br_twist v, double hessian[3][3])
{
    const double V = hypot(v.vx, v.vy), W = fabs(v.w);
    const radial_place place = place_of(V, W);
    const radial_value at = surface->radial(surface, place);
    if (hessian) {
        radial_hessian(v, V, place, at, hessian);
    }
    // f = -F v_t/V
    const double unit = place.is_outside ? V : W, by = at.force / unit;
    const double F = place.is_outside ? at.force : at.force * place.x;
    return (br_limit_value){V * F + W * at.torque,
                            {-by * v.vx, -by * v.vy, v.w == 0.0 ? 0.0 : -copysign(at.torque, v.w)},
                            0};
}

static const exact_shape radial_shape = {radial_eval};

int bri_exact_fill_round(exact* surface, const br_patch_def* def, double radius, double k)
{
    surface->size = radius;
    surface->per_radius = 1.0;
    surface->shape = &radial_shape;
    if (def->shape == BR_SHAPE_RING || isinf(k)) {
        surface->radial = def->shape == BR_SHAPE_RING ? uniform_ring : uniform_disc;
        return 1;
    }
    surface->rings = bri_exact_own(surface, 1, sizeof *surface->rings);
    if (surface->rings) {
        fill_rule(surface->rings);
        bri_exact_change_k(surface, k);
    }
    return surface->rings != NULL;
}

void bri_exact_change_k(exact* surface, double k)
{
    surface->radial = k == 2.0 ? hertz_disc : power_disc;
    surface->rings->k = k;
    surface->rings->norm = bri_power_law_norm(k);
}
