/*
 * Mean distance from a point c of a pressure on an ellipse: an integral over the chords through c.
 *
 * In the unit disc, gamma = S^-1 c is the point, e = (cos, sin)(phi) the direction of a chord and s the
 * position on it, xi = gamma + s e. |S xi - c| = |s| |S e|, and dA = |s| ds dphi over half a turn:
 *
 *   G       =  int |S e| M2 dphi,          M_n = int s^n p ds over the whole chord               (1)
 *   grad G  = -int n M1 dphi,              n = S e/|S e|                                         (2)
 *   Hess G  =  int (1 - n n^T)/|S e| M0 dphi                                                     (3)
 *
 * The M_n are those of the chord's middle m, its half length h and its moments mu_n about the middle,
 * with no difference between a point inside and one outside:
 *
 *   M0 = mu0,   M1 = m mu0 + mu1,   M2 = m^2 mu0 + 2 m mu1 + mu2                                 (4)
 *
 * A point outside sees the disc within an angle: sin(phi) = sin(t)/|gamma| makes h = cos(t), and
 * the integrand periodic in t. The only singularities are those of |S e|, and of h or dphi/dt, which
 * are near the real axis where the point is near the rim. They are known (find_points).
 *
 * A ring is a plain integral over its points:  G = int |S e(theta) - c| p dtheta                 (5)
 */
#include "patch/oval.h"

#include "math/graded.h"

// --- chords of a disc --------------------------------------------------------------------------------

typedef struct chord_sum {
    const oval* shape;
    br_vec2 gamma;  // the point in the unit disc
    double d;       // |gamma|
    double rest;    // |1 - d^2|
    br_vec2 e0, n0; // along gamma and across
    oval_value sum;
} chord_sum;

// Moments of the pressure on a chord about its middle.
typedef struct chord_moments {
    double mu0, mu1, mu2;
} chord_moments;

static chord_moments chord_of(const oval* shape, br_vec2 middle, br_vec2 e, double h)
{
    if (shape->pressure == OVAL_POWER) {
        chord_moments mu = {0};
        bri_chord_table_eval(shape->chords, br_vec2_norm(middle), h * h, &mu.mu0, &mu.mu2);
        return mu;
    }
    if (shape->pressure == OVAL_HERTZ) {
        const double h2 = h * h; // p = 3/(2 pi) sqrt(h^2 - x^2)
        return (chord_moments){0.75 * h2, 0.0, 0.1875 * h2 * h2};
    }
    const double length = 2.0 * h / BR_PI, third = h * h / 3.0;
    const double at = 1.0 + br_vec2_dot(shape->g, middle);
    return (chord_moments){length * at, length * third * br_vec2_dot(shape->g, e),
                           length * third * at};
}

// Add the chord in direction e whose middle is at m from the point; h its half length.
static void add_chord(chord_sum* to, br_vec2 e, double m, double h, double weight)
{
    const br_vec2 middle = br_vec2_add(to->gamma, br_vec2_scale(m, e));
    const chord_moments mu = chord_of(to->shape, middle, e, h);
    const double M1 = m * mu.mu0 + mu.mu1, M2 = m * (m * mu.mu0 + 2.0 * mu.mu1) + mu.mu2; // (4)
    const br_vec2 along = {to->shape->axes.x * e.x, to->shape->axes.y * e.y};
    const double length = br_vec2_norm(along), bend = weight * mu.mu0 / length;
    const br_vec2 n = br_vec2_scale(1.0 / length, along);
    oval_value* sum = &to->sum;
    sum->G += weight * length * M2;    // (1)
    sum->slope.x -= weight * M1 * n.x; // (2)
    sum->slope.y -= weight * M1 * n.y;
    sum->xx += bend * n.y * n.y; // (3)
    sum->xy -= bend * n.x * n.y;
    sum->yy += bend * n.x * n.x;
}

// Point inside: e at the angle psi from n0, so that h^2 = 1 - d^2 + d^2 sin(psi)^2.
static void add_inside(double psi, double weight, void* data)
{
    chord_sum* to = data;
    const double sine = sin(psi), cosine = cos(psi), m = to->d * sine;
    const br_vec2 e = br_vec2_add(br_vec2_scale(-sine, to->e0), br_vec2_scale(cosine, to->n0));
    add_chord(to, e, m, sqrt(to->rest + m * m), weight);
}

// Point outside: t = pi/2 - tau, h = sin(tau), dphi = h/m dtau, m^2 = d^2 - 1 + h^2.
static void add_outside(double tau, double weight, void* data)
{
    chord_sum* to = data;
    const double h = sin(tau), m = sqrt(to->rest + h * h);
    const br_vec2 e =
        br_vec2_add(br_vec2_scale(-m / to->d, to->e0), br_vec2_scale(cos(tau) / to->d, to->n0));
    if (m > 0.0) {
        add_chord(to, e, m, h, weight * h / m);
    }
}

// The angle modulo pi within -pi/2 .. pi/2.
static double half_turn(double angle)
{
    return angle - BR_PI * floor(angle / BR_PI + 0.5);
}

// |S e| = 0: e at the angle `at` + i away from x, `at` that of the shorter axis.
static graded_point stretch_point(const oval* shape)
{
    const double a = shape->axes.x, b = shape->axes.y;
    return (graded_point){a < b ? 0.0 : 0.5 * BR_PI, atanh(fmin(a, b) / fmax(a, b))};
}

// The square root with a real part >= 0, of a complex number.
static br_vec2 complex_root(br_vec2 z)
{
    const double large = sqrt(0.5 * (br_vec2_norm(z) + fabs(z.x)));
    if (!(large > 0.0)) {
        return (br_vec2){0.0, 0.0};
    }
    const double small = 0.5 * z.y / large;
    return z.x >= 0.0 ? (br_vec2){large, small} : (br_vec2){fabs(small), copysign(large, z.y)};
}

// asin(z) of a complex z, with a real part in -pi/2 .. pi/2, as a point and its distance from the real axis.
static graded_point complex_asin(double re, double im)
{
    const double plus = hypot(re + 1.0, im), minus = hypot(re - 1.0, im);
    return (graded_point){asin(fmax(-1.0, fmin(1.0, 0.5 * (plus - minus)))),
                          acosh(fmax(1.0, 0.5 * (plus + minus)))};
}

// The power law has more singularities on a chord: at the centre, q = 0, like q^(k + 1), at its end like
// h^(1 + 2/k), and near the rim at h^2 = 1 - exp(i layer). Nearer than this to the real axis their part is
// below rounding error.
static const double centre_away = 1e-6, end_away = 1e-3;

// sin^2 = (1 - exp(i layer) - rest)/d^2, rest = 1 - d^2 inside
static graded_point layer_point(double layer, double rest, double d)
{
    const double half = sin(0.5 * layer);
    const br_vec2 root = complex_root((br_vec2){2.0 * half * half - rest, -sin(layer)});
    return complex_asin(root.x / d, root.y / d);
}

// Add the points of the power law, for the sine of the angle from `at`; `centre` is where q = 0.
static size_t add_power_points(const chord_sum* to, double rest, double d, graded_point* points,
                               size_t n)
{
    const double layer = to->shape->chords->layer;
    if (layer < 2.0) {
        const graded_point at = layer_point(layer, rest, d);
        points[n++] = at;
        points[n++] = (graded_point){-at.at, at.away};
    }
    return n;
}

static void integrate_inside(chord_sum* to, double turn)
{
    // h = 0 at psi = i asinh(sqrt(1 - d^2)/d); Hertz's integrand is even in h
    const graded_point stretch = stretch_point(to->shape);
    const double at = half_turn(stretch.at - turn - 0.5 * BR_PI);
    const int has_rim = to->d > 0.0 && to->shape->pressure != OVAL_HERTZ;
    const double rim = has_rim ? asinh(sqrt(to->rest) / to->d) : HUGE_VAL;
    graded_point points[GRADED_MAX_POINTS] = {{at - BR_PI, stretch.away},
                                              {at, stretch.away},
                                              {at + BR_PI, stretch.away},
                                              {-BR_PI, rim},
                                              {0.0, rim},
                                              {BR_PI, rim}};
    size_t count = 6;
    if (has_rim && to->shape->pressure == OVAL_POWER) {
        points[count++] = (graded_point){-0.5 * BR_PI, centre_away};
        points[count++] = (graded_point){0.5 * BR_PI, centre_away};
        count = add_power_points(to, to->rest, to->d, points, count);
    }
    bri_graded_nodes(points, count, -0.5 * BR_PI, 0.5 * BR_PI, add_inside, to);
}

// tau = pi/2 - asin(z), z = d sin(x + i y).
static graded_point outside_point(double d, double x, double y)
{
    const graded_point t = complex_asin(d * sin(x) * cosh(y), d * cos(x) * sinh(y));
    return (graded_point){0.5 * BR_PI - t.at, t.away};
}

static void integrate_outside(chord_sum* to, double turn)
{
    // m = 0 at tau = i asinh(sqrt(d^2 - 1)) and at pi + that
    const graded_point stretch = stretch_point(to->shape);
    const int is_power = to->shape->pressure == OVAL_POWER;
    const double x = half_turn(stretch.at - turn), near = asinh(sqrt(to->rest));
    const double rim = is_power ? fmin(near, end_away) : near;
    const int is_round = isinf(stretch.away);
    graded_point points[GRADED_MAX_POINTS] = {
        {0.0, rim},
        {0.5 * BR_PI, is_power ? centre_away : HUGE_VAL}, // at most a quarter turn at once
        {BR_PI, rim},
        is_round ? stretch : outside_point(to->d, -x, stretch.away)};
    size_t count = 4;
    if (is_power) {
        count = add_power_points(to, 0.0, 1.0, points, count);
        for (size_t i = count, first = 4; i > first; i--) { // and at pi
            points[count++] = (graded_point){BR_PI + points[i - 1].at, points[i - 1].away};
        }
    }
    bri_graded_nodes(points, count, 0.0, BR_PI, add_outside, to);
}

static oval_value disc_eval(const oval* shape, br_vec2 c)
{
    const br_vec2 gamma = {c.x / shape->axes.x, c.y / shape->axes.y};
    const double d = br_vec2_norm(gamma), turn = d > 0.0 ? atan2(gamma.y, gamma.x) : 0.0;
    const br_vec2 e0 = d > 0.0 ? br_vec2_scale(1.0 / d, gamma) : (br_vec2){1.0, 0.0};
    chord_sum to = {.shape = shape,
                    .gamma = gamma,
                    .d = d,
                    .rest = fabs(1.0 - d) * (1.0 + d),
                    .e0 = e0,
                    .n0 = {-e0.y, e0.x}};
    if (d > 1.0) {
        integrate_outside(&to, turn);
    } else {
        integrate_inside(&to, turn);
    }
    return to.sum;
}

// --- points of a ring --------------------------------------------------------------------------------

typedef struct ring_sum {
    const oval* shape;
    double below;   // 1 - |gamma|
    br_vec2 e0, n0; // along gamma and across
    oval_value sum;
} ring_sum;

// The point e(theta) of the circle at the angle psi from e0.
static void add_point(double psi, double weight, void* data)
{
    ring_sum* to = data;
    const double half = sin(0.5 * psi), drop = 2.0 * half * half, sine = sin(psi);
    const br_vec2 e = br_vec2_add(br_vec2_scale(1.0 - drop, to->e0), br_vec2_scale(sine, to->n0));
    const br_vec2 xi =
        br_vec2_add(br_vec2_scale(to->below - drop, to->e0), br_vec2_scale(sine, to->n0));
    const br_vec2 rho = {to->shape->axes.x * xi.x, to->shape->axes.y * xi.y};
    const double length = br_vec2_norm(rho);
    if (!(length > 0.0)) {
        return; // the point at rest itself
    }
    const double p = weight * (1.0 + br_vec2_dot(to->shape->g, e)) / (2.0 * BR_PI);
    const double bend = p / length;
    const br_vec2 n = br_vec2_scale(1.0 / length, rho);
    oval_value* sum = &to->sum;
    sum->G += p * length; // (5)
    sum->slope.x -= p * n.x;
    sum->slope.y -= p * n.y;
    sum->xx += bend * n.y * n.y;
    sum->xy -= bend * n.x * n.y;
    sum->yy += bend * n.x * n.x;
}

// |S e(theta) - c| = 0 with z = exp(i theta), C = c_x + i c_y:
//   (a + b) z^2 - 2 C z + (a - b) = 0                                                          (6)
// and at the reflections 1/conj(z) of its two roots.
static void ring_points(const oval* shape, br_vec2 c, double turn, graded_point out[2])
{
    const double a = shape->axes.x, b = shape->axes.y;
    const br_vec2 square = {(c.x - c.y) * (c.x + c.y) - (a - b) * (a + b), 2.0 * c.x * c.y};
    const br_vec2 root = complex_root(square);
    const double sign = br_vec2_dot(root, c) < 0.0 ? -1.0 : 1.0; // no cancellation
    const br_vec2 w = br_vec2_add(c, br_vec2_scale(sign, root));
    const double size = br_vec2_norm(w), angle = atan2(w.y, w.x) - turn;
    const double other = a < b ? BR_PI - (angle + 2.0 * turn) : -(angle + 2.0 * turn);
    out[0] = (graded_point){angle, size > 0.0 ? fabs(log(size / (a + b))) : HUGE_VAL};
    out[1] = (graded_point){other, a == b ? HUGE_VAL : fabs(log(fabs(a - b) / size))};
    for (int i = 0; i < 2; i++) {
        out[i].at -= 2.0 * BR_PI * floor(out[i].at / (2.0 * BR_PI) + 0.5);
    }
}

static oval_value ring_eval(const oval* shape, br_vec2 c)
{
    const br_vec2 gamma = {c.x / shape->axes.x, c.y / shape->axes.y};
    const double d = br_vec2_norm(gamma), turn = d > 0.0 ? atan2(gamma.y, gamma.x) : 0.0;
    const br_vec2 e0 = d > 0.0 ? br_vec2_scale(1.0 / d, gamma) : (br_vec2){1.0, 0.0};
    ring_sum to = {.shape = shape, .below = 1.0 - d, .e0 = e0, .n0 = {-e0.y, e0.x}};
    graded_point points[9];
    ring_points(shape, c, turn, points);
    for (int i = 0; i < 2; i++) { // those of the turn before and after
        points[2 + i] = (graded_point){points[i].at - 2.0 * BR_PI, points[i].away};
        points[4 + i] = (graded_point){points[i].at + 2.0 * BR_PI, points[i].away};
    }
    for (int i = 0; i < 3; i++) { // at most a quarter turn at once
        points[6 + i] = (graded_point){0.5 * BR_PI * (i - 1), HUGE_VAL};
    }
    bri_graded_nodes(points, 9, -BR_PI, BR_PI, add_point, &to);
    return to.sum;
}

oval_value bri_oval_eval(const oval* shape, br_vec2 c)
{
    return shape->is_ring ? ring_eval(shape, c) : disc_eval(shape, c);
}
