/*
 * Disc and ring with linear pressure: an integral over the angle.
 *
 * In units of the radius, the CoR at distance d from the centre along e, n across it, a point of
 * the circle at the angle psi from e is at rho = (X, Y) = (cos psi - d, sin psi) from the CoR. The
 * disc's triangles with the CoR as apex have d(area) = (1 - d cos psi)/2 d(psi):
 *
 *   int f dA = 1/(n + 2) int f (1 - d cos psi) d(psi)   for f of degree n                 (cone)
 *
 * psi and -psi are taken together. The integrand's nearest singularities are at psi = +-i |ln d|:
 * Gauss rules on intervals that halve towards psi = 0 down to that scale reach rounding error.
 */
#include "limit/exact_internal.h"
#include "patch/patch_internal.h"

enum { ANGLE_NODES = 12, MAX_HALVINGS = 52 };

// Gauss-Legendre on 0..1, the numbers of bri_gauss_legendre(ANGLE_NODES).
static const double node[ANGLE_NODES] = {
    0.00921968287664037465, 0.0479413718147625717, 0.115048662902847656, 0.206341022856691276,
    0.316084250500909903,   0.437383295744265542,  0.562616704255734458, 0.683915749499090097,
    0.793658977143308724,   0.884951337097152344,  0.952058628185237428, 0.990780317123359625};
static const double node_weight[ANGLE_NODES] = {
    0.0235876681932559136, 0.0534696629976592155, 0.0800391642716731132, 0.101583713361532961,
    0.116746268269177404,  0.124573522906701393,  0.124573522906701393,  0.116746268269177404,
    0.101583713361532961,  0.0800391642716731132, 0.0534696629976592155, 0.0235876681932559136};

// Pressure p + g_e X + g_n Y about the CoR, up to the norm.
typedef struct tilted {
    int is_disc;
    double d;
    double below; // 1 - d
    double p, g_e, g_n;
} tilted;

// Weights of |rho|, rho/|rho| and its derivative: even in Y, and the factor of Y in the odd part.
typedef struct angle_weights {
    double even[3], odd[3];
} angle_weights;

static angle_weights weights_at(const tilted* at, double X, double half_sine2)
{
    if (!at->is_disc) {
        const double even = 0.5 * (at->p + at->g_e * X), odd = 0.5 * at->g_n;
        return (angle_weights){{even, even, even}, {odd, odd, odd}};
    }
    // degrees 1, 0, -1 for the constant part, one more for the slope                         (cone)
    const double h = at->below + 2.0 * at->d * half_sine2; // 1 - d cos psi
    const double tilt = at->g_e * X;
    return (angle_weights){
        {h * (at->p / 3.0 + tilt / 4.0), h * (at->p / 2.0 + tilt / 3.0), h * (at->p + tilt / 2.0)},
        {h * at->g_n / 4.0, h * at->g_n / 3.0, h * at->g_n / 2.0}};
}

// Add psi and -psi; values along e and n.
static void add_angle(cor_value* sum, const tilted* at, double psi, double weight)
{
    const double sine = sin(0.5 * psi), half_sine2 = sine * sine;
    const double X = at->below - 2.0 * half_sine2, Y = 2.0 * sine * cos(0.5 * psi);
    const double R2 = at->below * at->below + 4.0 * at->d * half_sine2, R = sqrt(R2);
    if (!(R > 0.0)) {
        return; // the point at rest itself
    }
    const angle_weights w = weights_at(at, X, half_sine2);
    const double unit = weight / R, cube = unit / R2;
    sum->G += weight * w.even[0] * R;
    sum->slope.x -= unit * w.even[1] * X;
    sum->slope.y -= unit * w.odd[1] * Y * Y;
    sum->xx += cube * w.even[2] * Y * Y;
    sum->xy -= cube * w.odd[2] * X * Y * Y;
    sum->yy += cube * w.even[2] * X * X;
}

static void add_interval(cor_value* sum, const tilted* at, double from, double to)
{
    const double length = to - from;
    for (int i = 0; i < ANGLE_NODES; i++) {
        // 2/pi: both signs of psi over the norm pi
        const double weight = 2.0 / BR_PI * length * node_weight[i];
        add_angle(sum, at, from + length * node[i], weight);
    }
}

static cor_value integrate(const tilted* at)
{
    cor_value sum = {0};
    double to = BR_PI;
    for (int i = 0; i < MAX_HALVINGS && to > fabs(at->below); i++) {
        add_interval(&sum, at, 0.5 * to, to);
        to *= 0.5;
    }
    add_interval(&sum, at, 0.0, to);
    return sum;
}

// From the axes (e, n) and lengths in radii to (x, y) and lengths in sizes.
static cor_value turn(cor_value at, br_vec2 e, double scale)
{
    const double x = at.slope.x, y = at.slope.y, cc = e.x * e.x, ss = e.y * e.y, cs = e.x * e.y;
    return (cor_value){
        at.G / scale,
        {e.x * x - e.y * y, e.y * x + e.x * y},
        scale * (cc * at.xx - 2.0 * cs * at.xy + ss * at.yy),
        scale * (cs * (at.xx - at.yy) + (cc - ss) * at.xy),
        scale * (ss * at.xx + 2.0 * cs * at.xy + cc * at.yy),
    };
}

static cor_value round_near(const exact* surface, br_vec2 c)
{
    const round_patch* patch = &surface->round;
    const br_vec2 from_centre = {c.x * patch->scale + patch->cop, c.y * patch->scale};
    const double d = br_vec2_norm(from_centre);
    const br_vec2 e = d > 0.0 ? br_vec2_scale(1.0 / d, from_centre) : (br_vec2){1.0, 0.0};
    const tilted at = {.is_disc = patch->is_disc,
                       .d = d,
                       .below = 1.0 - d,
                       .p = 1.0 + patch->g * from_centre.x,
                       .g_e = patch->g * e.x,
                       .g_n = -patch->g * e.y};
    return turn(integrate(&at), e, patch->scale);
}

// Moments about the CoP from points on the circle, by (cone) for the disc.
static void fill_moments(exact* surface)
{
    const round_patch* patch = &surface->round;
    double share[FAR_DEGREE + 1];
    for (int i = 0; i < FAR_CIRCLE; i++) {
        const double psi = 2.0 * BR_PI * i / FAR_CIRCLE, c = patch->cop;
        const br_vec2 rho = {cos(psi) - c, sin(psi)};
        const double p = 1.0 + patch->g * c, tilt = patch->g * rho.x, h = 1.0 - c * cos(psi);
        for (int n = 0; n <= FAR_DEGREE; n++) {
            share[n] = patch->is_disc ? h * (p / (n + 2) + tilt / (n + 3)) : p + tilt;
        }
        bri_far_add(surface->far, br_vec2_scale(1.0 / patch->scale, rho), share);
    }
    bri_far_finish(surface->far);
}

int bri_exact_fill_linear_round(exact* surface, const br_patch_def* def, double radius)
{
    if (!bri_far_create(surface)) {
        return 0;
    }
    const int is_disc = def->shape == BR_SHAPE_DISC;
    const double g = bri_pressure_gradient(def), cop = g / (is_disc ? 4.0 : 2.0);
    surface->round = (round_patch){is_disc, 1.0 + fabs(cop), cop, g};
    surface->per_radius = surface->round.scale;
    surface->size = radius * surface->per_radius;
    surface->shape = &bri_cor_shape;
    surface->near = round_near;
    fill_moments(surface);
    return 1;
}
