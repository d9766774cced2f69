/*
 * The effect of noise in v on a fit, which does not model it.
 *
 * As much noise again is added to v, and the fit is solved again: estimates move by about as much as the noise in v
 * has moved them already (simulation and extrapolation, Cook and Stefanski 1994; F-17). Noise is added with both
 * signs: the mean of the two moves is the shift, half of their difference is scatter.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fit/law_problem.h"
#include "fit/numbers.h"
#include "math/random.h"

// Pairs of noise with both signs: many rows need fewer pairs.
enum { MOST_PAIRS = 6, ROWS_OF_PAIRS = 6000 };

// How estimates move with noise, in the unknowns theta: means over pairs. Index 0: with as much noise again, sqrt(2)
// times the noise in all; 1: with sqrt(3) times as much again, twice the noise in all. Squares are of the first.
typedef struct moves {
    double shift[2][BR_FIT_COUNT];
    double scatter[BR_FIT_COUNT], square[BR_FIT_COUNT]; // mean squares of the scatter, of the shift
    int pairs;
} moves;

// A shift goes with a power of the noise: 2 where friction is smooth, 1 where it jumps at v = 0. With
//
//   shift(s) = b s^p:   further/shift = 2^(p/2) + 1,   b s^p/shift = 1/(2^(p/2) - 1)               (F-17)
//
// this is how many times the shift the noise has added already, limited where it levels off.
static double extrapolate(double shift, double further)
{
    static const double low = 1.5, high = 6.0;
    const double growth = further / shift - 2.0;
    return growth > 0.0 ? fmax(low, fmin(1.0 / growth, high)) : high;
}

// The fit solved again with `amount` times the noise added to v; theta less that of the fit.
static br_status solve_with(law_problem* q, const information* s, const double* noise,
                            double amount, double* noisy, double* move, br_reason* why)
{
    const double* v = q->history.data.v;
    const fit_point best = q->e.at;
    for (size_t i = 0; i < q->history.data.count; i++) {
        noisy[i] = v[i] == 0.0 ? 0.0 : v[i] + amount * noise[i]; // rows at rest stay there
    }
    const double rest = q->rest, ratio = amount / q->speed_noise;
    q->rest *= sqrt(1.0 + ratio * ratio); // so much more noise is in v
    q->history.data.v = noisy;
    const br_status status = bri_solve(&q->e, 1e-4, why);
    q->history.data.v = v;
    q->rest = rest;
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        q->e.at.p[k] = fmax(q->e.lower[k], fmin(q->e.at.p[k], q->e.upper[k]));
    }
    bri_get_theta(&q->e, move);
    for (size_t i = 0; i < s->n; i++) {
        move[i] -= s->theta[i];
    }
    q->e.at = best;
    return status;
}

// Noise with both signs, as much again (0) or sqrt(3) times as much (1): add to the means over all pairs.
static br_status add_pair(law_problem* q, const information* s, double* noise, int more, moves* to,
                          br_reason* why)
{
    double up[BR_FIT_COUNT], down[BR_FIT_COUNT], *noisy = noise + q->history.data.count;
    const double amount = (more ? sqrt(3.0) : 1.0) * q->speed_noise;
    br_status status = solve_with(q, s, noise, amount, noisy, up, why);
    status = status ? status : solve_with(q, s, noise, -amount, noisy, down, why);
    for (size_t i = 0; i < s->n && status == BR_OK; i++) {
        const double mean = 0.5 * (up[i] + down[i]), half = 0.5 * (up[i] - down[i]);
        to->shift[more][i] += mean / to->pairs;
        to->square[i] += more ? 0.0 : mean * mean / to->pairs;
        to->scatter[i] += more ? 0.0 : half * half / to->pairs;
    }
    return status;
}

// noise: memory for the noise and for noisy speeds (2 x count).
static br_status find_moves(law_problem* q, const information* s, double* noise, moves* out,
                            br_reason* why)
{
    const size_t count = q->history.data.count;
    uint64_t seed = 1; // fixed, so that a fit is the same each time
    br_status status = BR_OK;
    *out = (moves){.pairs = (int)fmax(2.0, fmin(ROWS_OF_PAIRS / (double)count, MOST_PAIRS))};
    for (int pair = 0; pair < out->pairs && status == BR_OK; pair++) {
        for (size_t i = 0; i < count; i++) {
            noise[i] = random_normal(&seed);
        }
        status = add_pair(q, s, noise, 0, out, why);
        status = status ? status : add_pair(q, s, noise, 1, out, why);
    }
    return status;
}

// An end of an unknown's interval, moved and stretched in theta.
static double widened(const estimator* e, int k, double end, double theta, double stretch,
                      double further)
{
    const double p = bri_to_theta(e, k, end);
    return isfinite(p) ? bri_from_theta(e, k, theta + stretch * (p - theta) + further) : end;
}

// Does noise hide a parameter? Its interval spans two decades, or noise has removed more of sigma1 than is left.
static int is_hidden(fit_scale scale, int k, const br_fit_estimate* e, double shift)
{
    return scale == LOGARITHM ? !(e->low > 0.0 && e->high < 100.0 * e->low)
                              : k == BR_FIT_SIGMA1 && shift < -e->value;
}

static const char hidden[] = "not identifiable: noise in v hides it";

static void widen(law_problem* q, const information* s, size_t i, const moves* by,
                  br_fit_law_result* out)
{
    static const double felt = 0.5; // standard errors
    const int k = s->parameter[i];
    br_fit_estimate* e = &out->estimates[k];
    const double slope = fabs(bri_slope(&q->e, k, q->e.at.p[k])), error = e->error / slope;
    const double scatter = sqrt(by->scatter[i]);
    const double shift = by->shift[0][i], times = extrapolate(shift, by->shift[1][i]);
    const double far = times * shift, variance = fmax(by->square[i] - shift * shift, 0.0);
    const double margin = times * sqrt(variance / (by->pairs - 1)); // of the shift itself
    if (!(fabs(far) > felt * error || scatter > error)) {
        return;
    }
    // the shift is subtracted: the truth is on the other side
    const double stretch = fmax(1.0, scatter / error);
    e->low = widened(&q->e, k, e->low, s->theta[i], stretch, -fmax(far, 0.0) - margin);
    e->high = widened(&q->e, k, e->high, s->theta[i], stretch, -fmin(far, 0.0) + margin);
    e->low = bri_has_zero(&q->e, k) ? fmax(e->low, 0.0) : e->low;
    e->error = slope * hypot(stretch * error, far);
    out->noise_shift[k] = slope * far;
    out->noise_felt |= 1u << k;
    if (is_hidden(bri_parameter(&q->e, k)->scale, k, e, out->noise_shift[k])) {
        bri_unbounded(&q->e, 1u << k, hidden);
    } else if (*e->words == '\0') {
        snprintf(e->words, sizeof e->words, "noise in v adds about %.2g: widened for it",
                 out->noise_shift[k]);
    }
}

br_status bri_law_widen_for_noise(law_problem* q, const information* s, br_fit_law_result* out,
                                  br_reason* why)
{
    const size_t count = q->history.data.count;
    if (!(q->speed_noise > 0.0) || s->n == 0 || !q->def->profile) {
        return BR_OK;
    }
    double* noise = br_allocate(2 * count, sizeof *noise);
    if (!noise) {
        return bri_out_of_memory(why);
    }
    moves by;
    const br_status status = find_moves(q, s, noise, &by, why);
    for (size_t i = 0; i < s->n && status == BR_OK; i++) {
        widen(q, s, i, &by, out);
    }
    br_fit_estimate* sigma1 = &out->estimates[BR_FIT_SIGMA1];
    if (out->noise_felt && !bri_is_estimated(&q->e, BR_FIT_SIGMA1) && !sigma1->is_fixed) {
        bri_unbounded(&q->e, BIT(SIGMA1), hidden); // at its edge 0
    }
    br_fit_estimate* mu_s = &out->estimates[BR_FIT_MU_S];
    if (out->noise_felt & BIT(MU_S)) {
        mu_s->low = fmax(mu_s->low, out->estimates[BR_FIT_MU_C].low);
    }
    br_release(noise);
    return status;
}
