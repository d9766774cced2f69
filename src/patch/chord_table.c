/*
 * Chords of the power law: integrals on intervals that halve towards the singularities.
 *
 * Near the rim mu0 = h^(1 + 2/k) a(h^2) and mu2 = h^(3 + 2/k) b(h^2), a and b analytic; their nearest
 * singularities are where the pressure vanishes again, 1 - h^2 = exp(4 pi i/k). Near the centre both have
 * a part like q^(k + 1). Halving intervals keep both as far away as the interval is long.
 */
#include "patch/chord_table.h"

#include <math.h>

#include "bristle/math.h"
#include "math/graded.h"
#include "patch/power_law.h"

// The inner part ends where q^(k+1) is below rounding error.
static const double least_bits = 58.0;

typedef struct chord_sum {
    double q, h2, k;
    double scale; // the pressure is divided by it, to the power 1/k
    double mu0, mu2;
} chord_sum;

// x = h (1 - tau^4): the pressure is like tau^(4/k) at the end of the chord.
static void add_point(double tau, double weight, void* data)
{
    chord_sum* to = data;
    const double t3 = tau * tau * tau, s = t3 * tau, x = 1.0 - s;
    const double y = to->h2 * s * (2.0 - s); // 1 - rho^2
    const double rho2 = to->q * to->q + to->h2 * x * x;
    const double log_rho2 = y < 0.5 ? log1p(-y) : log(rho2);
    const double p = pow(-expm1(0.5 * to->k * log_rho2) / to->scale, 1.0 / to->k);
    to->mu0 += 4.0 * t3 * weight * p;
    to->mu2 += 4.0 * t3 * weight * p * x * x;
}

// int p and int (x/h)^2 p over x/h = -1..1, p divided by `scale`^(1/k) and by C_k/pi.
static chord_sum integrate(double k, double q, double h2, double scale)
{
    chord_sum sum = {.q = q, .h2 = h2, .k = k, .scale = scale};
    const double layer = pow(4.0 * BR_PI / (k * h2), 0.25); // in tau
    const graded_point points[] = {
        {0.0, 1e-2}, {0.0, fmin(layer, 1.0)}, {1.0, 0.25 * q / sqrt(h2)}};
    bri_graded_nodes(points, 3, 0.0, 1.0, add_point, &sum);
    sum.mu0 *= 2.0;
    sum.mu2 *= 2.0;
    return sum;
}

// From values at Chebyshev nodes to coefficients.
static void transform(double* values)
{
    double c[CHORD_DEGREE];
    for (int j = 0; j < CHORD_DEGREE; j++) {
        c[j] = 0.0;
        for (int i = 0; i < CHORD_DEGREE; i++) {
            c[j] += values[i] * cos(BR_PI * j * (i + 0.5) / CHORD_DEGREE);
        }
        c[j] *= (j == 0 ? 1.0 : 2.0) / CHORD_DEGREE;
    }
    for (int j = 0; j < CHORD_DEGREE; j++) {
        values[j] = c[j];
    }
}

// On from..to of q (inner) or h^2.
static void fill_piece(chord_piece* piece, double k, double from, double to, int is_inner)
{
    const double factor = bri_power_law_norm(k) / BR_PI;
    for (int i = 0; i < CHORD_DEGREE; i++) {
        const double t = cos(BR_PI * (i + 0.5) / CHORD_DEGREE);
        const double at = 0.5 * (from + to) + 0.5 * (to - from) * t;
        const double q = is_inner ? at : sqrt(1.0 - at),
                     h2 = is_inner ? (1.0 - at) * (1.0 + at) : at;
        const chord_sum sum = integrate(k, q, h2, is_inner ? 1.0 : h2);
        const double length = is_inner ? sqrt(h2) : 1.0;
        piece->mu0[i] = factor * length * sum.mu0;
        piece->mu2[i] = factor * length * (is_inner ? h2 : 1.0) * sum.mu2;
    }
    transform(piece->mu0);
    transform(piece->mu2);
}

void bri_chord_table_fill(chord_table* table, double k)
{
    table->k = k;
    table->layer = 4.0 * BR_PI / k;
    const double inners = ceil(least_bits / (k + 1.0)) + 1.0, outers = ceil(log2(k / 4.0)) + 1.0;
    table->inners = (int)fmax(4.0, fmin(inners, CHORD_INNER));
    table->outers = (int)fmax(3.0, fmin(outers, CHORD_OUTER));
    for (int i = 0; i < table->inners; i++) {
        const double to = ldexp(0.5, -i);
        fill_piece(&table->inner[i], k, i + 1 < table->inners ? 0.5 * to : 0.0, to, 1);
    }
    for (int i = 0; i < table->outers; i++) {
        const double to = ldexp(0.75, -i);
        fill_piece(&table->outer[i], k, i + 1 < table->outers ? 0.5 * to : 0.0, to, 0);
    }
}

// Clenshaw's sum of both at t in -1..1.
static void sum_piece(const chord_piece* piece, double t, double* mu0, double* mu2)
{
    double a1 = 0.0, a2 = 0.0, b1 = 0.0, b2 = 0.0;
    for (int j = CHORD_DEGREE - 1; j > 0; j--) {
        const double a = 2.0 * t * a1 - a2 + piece->mu0[j], b = 2.0 * t * b1 - b2 + piece->mu2[j];
        a2 = a1, a1 = a;
        b2 = b1, b1 = b;
    }
    *mu0 = t * a1 - a2 + piece->mu0[0];
    *mu2 = t * b1 - b2 + piece->mu2[0];
}

// Interval i of those that halve from `to` to 0, and a position -1..1 in it.
typedef struct piece_position {
    int i;
    double t;
} piece_position;

static piece_position find_piece(double x, double to, int count)
{
    int exponent;
    frexp(x / to, &exponent); // x/to in 2^(exponent - 1) .. 2^exponent
    const int i = x > 0.0 && -exponent < count - 1 ? (exponent > 0 ? 0 : -exponent) : count - 1;
    const double high = ldexp(to, -i), low = i + 1 < count ? 0.5 * high : 0.0;
    return (piece_position){i, fmax(-1.0, fmin(1.0, (2.0 * x - high - low) / (high - low)))};
}

void bri_chord_table_eval(const chord_table* table, double q, double h2, double* mu0, double* mu2)
{
    if (q < 0.5) {
        const piece_position at = find_piece(q, 0.5, table->inners);
        sum_piece(&table->inner[at.i], at.t, mu0, mu2);
        return;
    }
    const piece_position at = find_piece(h2, 0.75, table->outers);
    sum_piece(&table->outer[at.i], at.t, mu0, mu2);
    const double power = h2 > 0.0 ? pow(h2, 0.5 + 1.0 / table->k) : 0.0; // h^(1 + 2/k)
    *mu0 *= power;
    *mu2 *= power * h2;
}
