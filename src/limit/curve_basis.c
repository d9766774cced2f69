/*
 * The numbers that all curves share: product integration of an axisymmetric pressure on fixed radii.
 *
 * A ring of radius rho has the dissipation (per |w|, turning about a point at the distance d)
 *
 *   max(rho, d) f(q),  q = min(rho, d)/max(rho, d),   f(q) = mean |1 - q e^(i phi)|
 *                                                          = sum b_n^2 q^(2n), b_n = binomial(1/2, n)
 *                                                          = 2/pi (1 + q) E(m), m = 4q/(1+q)^2
 *
 * and a pressure p is a sum of rings: g(d) = int_0^1 2 pi rho p(rho) ring(rho, d) drho. With
 * rho = rho(x), 0 <= x <= 1, whose first two derivatives vanish at both ends, the pressure times
 * rho rho'(x) is smooth in x for any exponent of a power law: it is replaced by x^3 times the
 * polynomial through its values, divided by x^3, at CURVE_RINGS Gauss points (x^3 because a ring's
 * curvature is 1/(2 rho) at d = 0). The integrals of these polynomials against the ring, with its
 * kink at rho = d, are computed here, once and to rounding.
 */
#include "limit/curve.h"

#include "math/elliptic.h"
#include "math/gauss.h"

enum {
    POINTS = 16, // Gauss points of a piece of the integration
    LEVELS = 24  // pieces on either side of the kink, each half as long as the one before
};

typedef struct gauss {
    double x[CURVE_RINGS]; // in [0, 1]
    double w[CURVE_RINGS];
} gauss;

// f, f', f'' at q by the series; for q <= 0.4 thirty terms are exact to rounding.
static void ring_series(double q, double f[3])
{
    double b = 1.0, power = 1.0; // b_n, q^(2n-2)
    f[0] = 1.0;
    f[1] = f[2] = 0.0;
    for (int n = 1; n <= 30; n++) {
        b *= (1.5 - n) / n;
        const double term = b * b * power;
        f[0] += term * q * q;
        f[1] += 2 * n * term * q;
        f[2] += 2 * n * (2 * n - 1) * term;
        power *= q * q;
    }
}

// f, f', f'' at q in [0, 1]; f'' grows like the logarithm of 1 - q.
static void ring_mean(double q, double f[3])
{
    if (q <= 0.4) {
        ring_series(q, f);
        return;
    }
    // f'' + f'/q = mean 1/|1 - q e^(i phi)| = 2/pi K/(1 + q): the Laplacian of a distance
    // (K is infinite at q = 1, but only as a logarithm: stop at the last bit)
    const double sum = 1.0 + q, root = fmax(1.0 - q, 1e-17) / sum;
    const elliptic e = bri_elliptic_eval(root * root);
    f[0] = 2.0 / BR_PI * sum * e.E;
    f[1] = (sum * e.E - (1.0 - q) * e.K) / (BR_PI * q);
    f[2] = 2.0 / BR_PI * e.K / sum - f[1] / q;
}

// Value, slope and curvature by d (or e) of a ring of radius rho.
static void ring_numbers(curve_piece piece, double at, double rho, double out[3])
{
    double f[3];
    if (piece == OUTSIDE) { // k(e) = f(rho e)
        ring_mean(rho * at, f);
        out[0] = f[0];
        out[1] = rho * f[1];
        out[2] = rho * rho * f[2];
    } else if (at < rho) { // g(d) = rho f(d/rho)
        ring_mean(at / rho, f);
        out[0] = rho * f[0];
        out[1] = f[1];
        out[2] = f[2] / rho;
    } else { // g(d) = d f(rho/d)
        const double q = rho / at;
        ring_mean(q, f);
        out[0] = at * f[0];
        out[1] = f[0] - q * f[1];
        out[2] = q * q * f[2] / at;
    }
}

// rho(x) = 10 x^3 - 15 x^4 + 6 x^5 and its slope
static double radius_at(double x)
{
    return x * x * x * (10.0 - x * (15.0 - 6.0 * x));
}

static double radius_slope(double x)
{
    return 30.0 * x * x * (1.0 - x) * (1.0 - x);
}

// x at which rho(x) equals a given radius, by bisection.
static double where_radius(double rho)
{
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 60 && rho < 1.0; i++) {
        const double middle = 0.5 * (low + high);
        *(radius_at(middle) < rho ? &low : &high) = middle;
    }
    return high;
}

// The polynomials that are 1 at one sample and 0 at the others, at x (Lagrange, barycentric).
static void lagrange(const gauss* samples, const double* factor, double x, double* out)
{
    double sum = 0.0;
    for (int j = 0; j < CURVE_RINGS; j++) {
        out[j] = factor[j] / (x - samples->x[j]);
        sum += out[j];
    }
    for (int j = 0; j < CURVE_RINGS; j++) {
        out[j] /= sum;
    }
}

// Barycentric factors of Gauss points: (-1)^j sqrt(x (1-x) w).
static void barycentric(const gauss* samples, double* factor)
{
    for (int j = 0; j < CURVE_RINGS; j++) {
        const double x = samples->x[j];
        factor[j] = (j % 2 ? -1.0 : 1.0) * sqrt(x * (1.0 - x) * samples->w[j]);
    }
}

// One integral: its node, and its Gauss points and factors.
typedef struct integral {
    curve_piece piece;
    double at;   // d or e
    size_t node; // index in curve_numbers
    gauss samples, points;
    double factor[CURVE_RINGS];
} integral;

// Add the piece from x0 to x1 of the integrals.
static void integrate(const integral* what, double x0, double x1, curve_basis* out)
{
    for (int i = 0; i < POINTS; i++) {
        const double x = x0 + (x1 - x0) * what->points.x[i], rho = radius_at(x);
        const double w = (x1 - x0) * what->points.w[i];
        double ring[3], basis[CURVE_RINGS];
        ring_numbers(what->piece, what->at, rho, ring);
        lagrange(&what->samples, what->factor, x, basis);
        for (int part = 0; part < 3; part++) {
            // p = 1/pi: int 2 rho rho' ring dx
            out->uniform[part][what->node] += w * 2.0 * rho * radius_slope(x) * ring[part];
            for (int j = 0; j < CURVE_RINGS; j++) {
                out->sample[j][part][what->node] += w * x * x * x * basis[j] * ring[part];
            }
        }
    }
}

// The complete integral, in pieces that shrink towards the kink at rho = d.
static void integrate_all(const integral* what, curve_basis* out)
{
    const double kink = what->piece == OUTSIDE ? 1.0 : where_radius(what->at);
    double far = 1.0; // distance from the kink, 1 at the end
    for (int level = 0; level < LEVELS; level++) {
        const double near = level + 1 < LEVELS ? 0.5 * far : 0.0;
        if (kink > 0.0) {
            integrate(what, kink * (1.0 - far), kink * (1.0 - near), out);
        }
        if (kink < 1.0) {
            integrate(what, kink + (1.0 - kink) * near, kink + (1.0 - kink) * far, out);
        }
        far = near;
    }
}

// Weights of the samples: multiply by 2 rho rho'(x), so that the input is pi p.
static void weigh_samples(const gauss* samples, curve_basis* basis)
{
    for (int j = 0; j < CURVE_RINGS; j++) {
        const double x = samples->x[j], rho = radius_at(x);
        const double share = 2.0 * rho * radius_slope(x);
        basis->log_rho[j] = log(rho);
        basis->weight[j] = samples->w[j] * share;
        for (int k = 0; k < 3 * CURVE_NODES; k++) {
            (&basis->sample[j][0][0])[k] *= share / (x * x * x);
        }
    }
}

// The numbers of plain rings at one node: the rim, and those at the samples.
static void fill_rings(const integral* what, curve_basis* basis)
{
    double numbers[3];
    for (int j = 0; j <= CURVE_RINGS; j++) {
        const int is_rim = j == CURVE_RINGS;
        const double rho = is_rim ? 1.0 : radius_at(what->samples.x[j]);
        ring_numbers(what->piece, what->at, rho, numbers);
        for (int part = 0; part < 3; part++) {
            (is_rim ? basis->ring : basis->rings[j])[part][what->node] = numbers[part];
        }
    }
}

static void fill(curve_basis* basis)
{
    integral what;
    bri_gauss_legendre(CURVE_RINGS, what.samples.x, what.samples.w);
    bri_gauss_legendre(POINTS, what.points.x, what.points.w);
    barycentric(&what.samples, what.factor);
    for (what.node = 0; what.node < CURVE_NODES; what.node++) {
        what.piece = (curve_piece)(what.node / CURVE_WIDTH);
        what.at = curve_argument(what.piece, curve_node(what.node % CURVE_WIDTH));
        integrate_all(&what, basis);
        fill_rings(&what, basis);
    }
    weigh_samples(&what.samples, basis);
}

br_status bri_curve_basis_create(curve_basis** out, br_reason* why)
{
    BR_ASSERT(out);
    *out = br_allocate(1, sizeof **out);
    if (!*out) {
        br_reason_set(why, "", "no memory for the basis of curves");
        return BR_ERR_MEMORY;
    }
    fill(*out);
    return BR_OK;
}

void bri_curve_basis_destroy(curve_basis* basis)
{
    br_release(basis);
}
