/*
 * Weights of one set of candidates: see pressure_trial.h.
 */
#include "fit/pressure_trial.h"

#include <string.h>

#include "math/vec3.h"

enum { STRENGTHS = 13 };

// --- rows of pairs ---------------------------------------------------------------------------------

// Whitened errors larger than this count less and less [rad].
static const double tolerated = 0.3;

static void scale_to_unit(double a[3])
{
    const double norm = sqrt(vec3_dot(a, a));
    for (int i = 0; i < 3; i++) {
        a[i] /= norm;
    }
}

// Two unit vectors across the unit vector v.
static void set_across(const double v[3], double b[6])
{
    // the axis with the smallest component of v gives the best conditioned cross product
    size_t smallest = 0;
    for (size_t i = 1; i < 3; i++) {
        smallest = fabs(v[i]) < fabs(v[smallest]) ? i : smallest;
    }
    double axis[3] = {0.0, 0.0, 0.0};
    axis[smallest] = 1.0;
    vec3_cross(v, axis, b);
    scale_to_unit(b);
    vec3_cross(v, b, b + 3);
}

// rho of pair i, a column for each candidate.
static void set_rho(trial* t, size_t i)
{
    const size_t m = t->s.feet.count;
    const double *v = t->v + 3 * i, *f = t->f + 3 * i, *b = t->across + 6 * i;
    const double along[2] = {vec3_dot(b, f) / t->power[i], vec3_dot(b + 3, f) / t->power[i]};
    double *x = t->rho + 2 * i * m, *y = x + m;
    for (size_t j = 0; j < m; j++) {
        double g[3];
        const double s = bri_footprint_column(&t->s.feet, j, v, g);
        x[j] = vec3_dot(b, g) - along[0] * s;
        y[j] = vec3_dot(b + 3, g) - along[1] * s;
    }
}

static void set_pair(trial* t, size_t i, const br_fit_pair* pair)
{
    const double unit = t->s.feet.unit;
    double *v = t->v + 3 * i, *f = t->f + 3 * i;
    v[0] = pair->v.vx, v[1] = pair->v.vy, v[2] = pair->v.w * unit;
    f[0] = pair->f.fx, f[1] = pair->f.fy, f[2] = pair->f.tau / unit;
    scale_to_unit(v);
    t->power[i] = vec3_dot(f, v);
    set_across(v, t->across + 6 * i);
    set_rho(t, i);
}

// H = B^T Hess D B (11, 12, 22)
static void bend_across(const double b[6], const double h[6], double out[3])
{
    double hb[2][3];
    for (int k = 0; k < 2; k++) {
        bri_footprint_bend(h, b + 3 * k, hb[k]);
    }
    out[0] = vec3_dot(b, hb[0]);
    out[1] = vec3_dot(b, hb[1]);
    out[2] = vec3_dot(b + 3, hb[1]);
}

// The lower triangle W of the whitening: W (1 + H^2) W^T = 1, W = L^-1.
static void whiten(const double h[3], double w[3])
{
    const double c11 = 1.0 + h[0] * h[0] + h[1] * h[1], c12 = h[1] * (h[0] + h[2]);
    const double c22 = 1.0 + h[1] * h[1] + h[2] * h[2];
    const double l11 = sqrt(c11), l21 = c12 / l11, l22 = sqrt(c22 - l21 * l21);
    w[0] = 1.0 / l11;
    w[1] = -l21 / (l11 * l22);
    w[2] = 1.0 / l22;
}

// Whitened rows of pair i at these weights (2 x m), times the square root of its weight.
static void weigh_pair(const trial* t, size_t i, const double* weights, double* to)
{
    const size_t m = t->s.feet.count;
    const double *x = t->rho + 2 * i * m, *y = x + m;
    const footprint_value at = bri_footprint_eval(&t->s.feet, weights, t->v + 3 * i);
    double h[3], w[3], e[2] = {0.0, 0.0};
    bend_across(t->across + 6 * i, at.bend, h);
    whiten(h, w);
    for (size_t j = 0; j < m; j++) {
        to[j] = w[0] * x[j];
        to[m + j] = w[1] * x[j] + w[2] * y[j];
        e[0] += to[j] * weights[j];
        e[1] += to[m + j] * weights[j];
    }
    // Cauchy's loss, c^2/2 log(1 + |e|^2/c^2), by its weights
    const double weight = 1.0 / sqrt(1.0 + (e[0] * e[0] + e[1] * e[1]) / (tolerated * tolerated));
    for (size_t j = 0; j < 2 * m; j++) {
        to[j] *= weight;
    }
}

// gram += rows^T rows, its upper triangle, for four rows of m.
static void add_gram(const double* four, size_t m, double* gram)
{
    const double *a = four, *b = a + m, *c = b + m, *d = c + m;
    for (size_t i = 0; i < m; i++) {
        const double ai = a[i], bi = b[i], ci = c[i], di = d[i];
        double* row = gram + i * m;
        for (size_t j = i; j < m; j++) {
            row[j] += (ai * a[j] + bi * b[j]) + (ci * c[j] + di * d[j]);
        }
    }
}

// Gram matrices of the blocks, of the rows whitened at the weights t->at.
static void weigh_rows(trial* t)
{
    const size_t m = t->s.feet.count;
    double* four = t->scratch;
    size_t blocks = 0; // that have been cleared
    for (size_t i = 0, next; i < t->s.rows && !bri_supports_stops(&t->s); i = next) {
        const size_t block = bri_supports_block(&t->s, i);
        if (block >= blocks) { // not all at once: they are 0.5 GB for the finest grid
            memset(t->gram + block * m * m, 0, m * m * sizeof *t->gram);
            blocks = block + 1;
        }
        next = i + 1;
        weigh_pair(t, i, t->at, four);
        if (next < t->s.rows && bri_supports_block(&t->s, next) == block) {
            weigh_pair(t, next++, t->at, four + 2 * m);
        } else {
            memset(four + 2 * m, 0, 2 * m * sizeof *four);
        }
        add_gram(four, m, t->gram + block * m * m);
    }
}

// --- the model of supports.h ------------------------------------------------------------------------

// Sum the blocks' Gram matrices.
static void sum_blocks(supports* s, unsigned left_out)
{
    const trial* t = (trial*)s;
    const size_t m = s->feet.count;
    for (size_t b = 0; b < s->blocks && !bri_supports_stops(s); b++) {
        const double* gram = t->gram + b * m * m;
        for (size_t i = 0; !(left_out >> b & 1) && i < m; i++) {
            for (size_t j = i; j < m; j++) {
                s->gram[i * m + j] += gram[i * m + j];
            }
        }
    }
}

// basis gram basis^T and basis rhs: the problem in the unknowns of a family.
static void reduce(trial* t, double* rhs)
{
    const size_t m = t->s.feet.count;
    for (size_t a = 0; a < t->width; a++) {
        const double* row = t->basis + a * m;
        rhs[a] = 0.0;
        for (size_t i = 0; i < m; i++) {
            rhs[a] += row[i] * t->s.rhs[i];
            t->scratch[i] = 0.0;
            for (size_t j = 0; j < m; j++) {
                t->scratch[i] += t->s.gram[i * m + j] * row[j];
            }
        }
        for (size_t b = 0; b < t->width; b++) {
            double sum = 0.0;
            for (size_t i = 0; i < m; i++) {
                sum += t->basis[b * m + i] * t->scratch[i];
            }
            t->reduced[b * t->width + a] = sum;
        }
    }
}

static void solve_family(supports* s, double* w)
{
    trial* t = (trial*)s;
    const size_t m = s->feet.count;
    double* rhs = t->scratch + m;
    reduce(t, rhs);
    memset(t->unknown, 0, t->width * sizeof *t->unknown);
    bri_nnls_solve(&s->solver, t->width, t->reduced, rhs, t->unknown);
    for (size_t j = 0; j < m; j++) {
        w[j] = 0.0;
        for (size_t a = 0; a < t->width; a++) {
            w[j] += t->basis[a * m + j] * t->unknown[a];
        }
    }
}

// Angles between the twists that wrenches predict and the measured ones [rad], of the pairs of blocks with bits.
static void predict(supports* s, const double* w, unsigned blocks)
{
    const trial* t = (trial*)s;
    for (size_t i = 0; i < s->rows && !bri_supports_stops(s); i++) {
        double v[3] = {0.0, 0.0, 0.0}, c[3];
        if (blocks >> bri_supports_block(s, i) & 1) {
            const int has_twist = bri_footprint_slide(&s->feet, w, t->f + 3 * i, v);
            vec3_cross(v, t->v + 3 * i, c);
            // no twist for this load: as bad as chance
            s->held[i] =
                has_twist ? atan2(sqrt(vec3_dot(c, c)), vec3_dot(v, t->v + 3 * i)) : 0.5 * BR_PI;
        }
    }
}

// --- trials -----------------------------------------------------------------------------------------

void bri_trial_destroy(trial* t)
{
    bri_supports_destroy(&t->s);
    br_release(t->basis);
    *t = (trial){.basis = NULL};
}

br_status bri_trial_create(const br_fit_pair* pairs, size_t count, footprint feet, double* basis,
                           size_t width, const br_fit_watch* watch, trial* t, br_reason* why)
{
    const size_t m = feet.count;
    double* at;
    *t = (trial){.basis = basis,
                 .width = width,
                 .s = {.feet = feet,
                       .rows = count,
                       .per_row = 1,
                       .unknowns = m,
                       .sum = sum_blocks,
                       .solve = basis ? solve_family : NULL,
                       .predict = predict,
                       .watch = watch}};
    const size_t of_pairs = count * (13 + 2 * m) + BLOCKS * m * m;
    const br_status status = bri_supports_create(&t->s, of_pairs + m * (m + 7), &at, why);
    if (status) {
        bri_trial_destroy(t);
        return status;
    }
    t->v = at;
    t->f = t->v + 3 * count;
    t->power = t->f + 3 * count;
    t->across = t->power + count;
    t->rho = t->across + 6 * count;
    t->gram = t->rho + 2 * count * m;
    t->reduced = t->gram + BLOCKS * m * m;
    t->unknown = t->reduced + m * m;
    t->scratch = t->unknown + m;
    t->at = t->scratch + 4 * m;
    t->best_at = t->at + m;
    for (size_t i = 0; i < count; i++) {
        set_pair(t, i, &pairs[i]);
    }
    return BR_OK;
}

// Keep the present weights as the best so far.
static void keep(trial* t, double lambda, double score)
{
    bri_supports_keep(&t->s, lambda);
    memcpy(t->best_at, t->at, t->s.feet.count * sizeof *t->at);
    t->score = score;
}

static double mean_of(const double* x, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += x[i];
    }
    return sum / (double)count;
}

void bri_trial_keep_prior(trial* t)
{
    const size_t m = t->s.feet.count;
    memcpy(t->s.x, t->s.start, m * sizeof *t->s.x);
    memcpy(t->at, t->s.start, m * sizeof *t->at);
    for (size_t k = 0; k < FOLDS; k++) {
        memcpy(t->s.fold + k * m, t->s.start, m * sizeof *t->s.fold);
    }
    predict(&t->s, t->s.x, ~0u);
    keep(t, (double)INFINITY, t->s.is_stopped ? (double)NAN : mean_of(t->s.held, t->s.rows));
}

void bri_trial_leave_out(trial* t)
{
    memcpy(t->at, t->best_at, t->s.feet.count * sizeof *t->at);
    weigh_rows(t);
    bri_supports_leave_out(&t->s);
}

void bri_trial_run(trial* t)
{
    supports* s = &t->s;
    bri_trial_keep_prior(t);
    t->score = (double)NAN; // the prior alone is another choice
    for (size_t i = 0; i < STRENGTHS && !bri_supports_stops(s); i++) {
        // lambda from 1 to 1e-6, half a decade apart: below, the rounding of the normal equations would count
        const double lambda = pow(10.0, -0.5 * (double)i);
        // rows at the weights of the previous lambda
        memcpy(t->at, s->x, s->feet.count * sizeof *t->at);
        weigh_rows(t);
        bri_supports_solve(s, lambda, 0.0, 0, s->x);
        bri_supports_predict_folds(s, lambda);
        if (s->is_stopped) {
            return; // the errors of pairs left out are not complete
        }
        const double score = mean_of(s->held, s->rows);
        if (isnan(t->score) || score < t->score) {
            keep(t, lambda, score);
        }
        if (s->watch->progress) {
            s->watch->progress((double)(i + 1) / STRENGTHS, t->score, s->watch->user);
        }
    }
}
