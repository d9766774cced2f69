/*
 * Weights of one set of candidates: see pressure_trial.h.
 */
#include "fit/pressure_trial.h"

#include <string.h>

enum { STRENGTHS = 13 };

// A lambda that hardly holds the weights to the prior.
static const double hardly = 1e-5;

// lambda from 1 to 1e-6, half a decade apart: below, the rounding of the normal equations would count.
static double strength_of(size_t index)
{
    return pow(10.0, -0.5 * (double)index);
}

void bri_trial_destroy(trial* t)
{
    bri_footprint_destroy(&t->feet);
    bri_pairs_destroy(&t->rows);
    bri_nnls_destroy(t->solver);
    br_release(t->basis);
    br_release(t->memory);
    *t = (trial){.memory = NULL};
}

static int make_room(trial* t)
{
    const size_t m = t->feet.count, blocks = t->rows.blocks;
    const size_t doubles = m * (2 * m + 10 + blocks + 2 * FOLDS) + 2 * t->rows.count;
    double* at = t->memory = br_allocate(doubles, sizeof *at);
    t->solver = bri_nnls_create(m);
    if (!at || !t->solver) {
        return 0;
    }
    t->total = at, at += m * m;
    t->reduced = at, at += m * m;
    t->rhs = at, at += m;
    t->unknown = at, at += m;
    t->room = at, at += 4 * m;
    t->weights = at, at += m;
    t->best = at, at += m;
    t->at = at, at += m;
    t->best_at = at, at += m;
    t->without = at, at += blocks * m;
    t->fold = at, at += FOLDS * m;
    t->trial_fold = at, at += FOLDS * m;
    t->angle = at, at += t->rows.count;
    t->trial_angle = at;
    return 1;
}

br_status bri_trial_create(const br_fit_pair* pairs, size_t count, footprint feet, double* basis,
                           size_t width, trial* out, br_reason* why)
{
    *out = (trial){.feet = feet, .basis = basis, .width = basis ? width : feet.count};
    br_status status = bri_pairs_create(pairs, count, &out->feet, &out->rows, why);
    if (!status && !make_room(out)) {
        br_reason_set(why, "", "no memory for a fit to %zu candidate supports", feet.count);
        status = BR_ERR_MEMORY;
    }
    if (status) {
        bri_trial_destroy(out);
    }
    return status;
}

// Sum the blocks' Gram matrices but for those with a bit in `left_out`.
static void sum_blocks(trial* t, unsigned left_out)
{
    const size_t m = t->feet.count;
    memset(t->total, 0, m * m * sizeof *t->total);
    for (size_t b = 0; b < t->rows.blocks; b++) {
        const double* gram = t->rows.gram + b * m * m;
        for (size_t i = 0; !(left_out >> b & 1) && i < m; i++) {
            for (size_t j = i; j < m; j++) {
                t->total[i * m + j] += gram[i * m + j];
            }
        }
    }
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < i; j++) {
            t->total[i * m + j] = t->total[j * m + i];
        }
    }
}

// Hold the weights to the prior, and their sum to 1 by a spring far stronger than the rows.
static void add_prior(trial* t, double lambda)
{
    const size_t m = t->feet.count;
    double trace = 0.0;
    for (size_t j = 0; j < m; j++) {
        trace += t->total[j * m + j];
    }
    const double spring = 1e3 * trace / (double)m;
    const double hold = lambda * (double)t->rows.count * (double)m;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) {
            t->total[i * m + j] += spring;
        }
        t->total[i * m + i] += hold;
        t->rhs[i] = spring + hold * t->feet.prior[i];
    }
}

// basis gram basis^T and basis rhs: the problem in the unknowns of a family.
static void reduce(trial* t, double* rhs)
{
    const size_t m = t->feet.count;
    for (size_t a = 0; a < t->width; a++) {
        const double* row = t->basis + a * m;
        rhs[a] = 0.0;
        for (size_t i = 0; i < m; i++) {
            rhs[a] += row[i] * t->rhs[i];
            t->room[i] = 0.0;
            for (size_t j = 0; j < m; j++) {
                t->room[i] += t->total[i * m + j] * row[j];
            }
        }
        for (size_t b = 0; b < t->width; b++) {
            double sum = 0.0;
            for (size_t i = 0; i < m; i++) {
                sum += t->basis[b * m + i] * t->room[i];
            }
            t->reduced[b * t->width + a] = sum;
        }
    }
}

static void solve_family(trial* t, double* w)
{
    const size_t m = t->feet.count;
    double* rhs = t->room + m;
    reduce(t, rhs);
    memset(t->unknown, 0, t->width * sizeof *t->unknown);
    bri_nnls_solve(t->solver, t->width, t->reduced, rhs, t->unknown);
    for (size_t j = 0; j < m; j++) {
        w[j] = 0.0;
        for (size_t a = 0; a < t->width; a++) {
            w[j] += t->basis[a * m + j] * t->unknown[a];
        }
    }
}

// Weights from the rows that are not left out; w: where to start.
static void solve(trial* t, double lambda, unsigned left_out, double* w)
{
    const size_t m = t->feet.count;
    sum_blocks(t, left_out);
    add_prior(t, lambda);
    if (t->basis) {
        solve_family(t, w);
    } else {
        bri_nnls_solve(t->solver, m, t->total, t->rhs, w);
    }
    double sum = 0.0;
    for (size_t j = 0; j < m; j++) {
        sum += w[j];
    }
    for (size_t j = 0; j < m; j++) {
        w[j] /= sum;
    }
}

// The angles of the pairs whose blocks have bits, and their sum.
static double angles(trial* t, const double* w, unsigned blocks)
{
    double sum = 0.0;
    for (size_t i = 0; i < t->rows.count; i++) {
        double v[3] = {0.0, 0.0, 0.0};
        if (blocks >> bri_pairs_block(&t->rows, i) & 1) {
            t->trial_angle[i] = bri_pairs_angle(&t->rows, w, i, v);
            sum += t->trial_angle[i];
        }
    }
    return sum;
}

// Mean angle of pairs that were left out; trial_fold becomes the weights that predict them.
static double validate(trial* t, double lambda)
{
    const size_t m = t->feet.count;
    double sum = 0.0;
    for (size_t k = 0; k < FOLDS; k++) {
        const unsigned left_out = bri_blocks_of_fold(k, t->rows.blocks);
        double* w = t->trial_fold + k * m;
        memcpy(w, t->weights, m * sizeof *w);
        solve(t, lambda, left_out, w);
        sum += angles(t, w, left_out);
    }
    return sum / (double)t->rows.count;
}

void bri_trial_keep_prior(trial* t)
{
    const size_t m = t->feet.count;
    t->strength = (double)INFINITY;
    t->score = t->prior_score = angles(t, t->feet.prior, ~0u) / (double)t->rows.count;
    memcpy(t->best, t->feet.prior, m * sizeof *t->best);
    memcpy(t->best_at, t->feet.prior, m * sizeof *t->best_at);
    memcpy(t->angle, t->trial_angle, t->rows.count * sizeof *t->angle);
    for (size_t k = 0; k < FOLDS; k++) {
        memcpy(t->fold + k * m, t->best, m * sizeof *t->best);
    }
}

// The weights that the path has come to are the best so far.
static void keep(trial* t, double lambda, double score)
{
    const size_t m = t->feet.count;
    t->strength = lambda;
    t->score = score;
    memcpy(t->best, t->weights, m * sizeof *t->best);
    memcpy(t->best_at, t->at, m * sizeof *t->best);
    memcpy(t->angle, t->trial_angle, t->rows.count * sizeof *t->angle);
    memcpy(t->fold, t->trial_fold, FOLDS * m * sizeof *t->fold);
}

// The next place of the path: rows at the weights of the one before, and what they predict.
static double advance(trial* t, double lambda)
{
    memcpy(t->at, t->weights, t->feet.count * sizeof *t->at);
    bri_pairs_weigh(&t->rows, t->at, t->room);
    solve(t, lambda, 0, t->weights);
    return validate(t, lambda);
}

void bri_trial_leave_out(trial* t)
{
    const size_t m = t->feet.count;
    bri_pairs_weigh(&t->rows, t->best_at, t->room);
    for (size_t b = 0; b < t->rows.blocks; b++) {
        double* w = t->without + b * m;
        memcpy(w, t->best, m * sizeof *w);
        solve(t, fmin(t->strength, hardly), 1u << b, w);
    }
}

int bri_trial_run(trial* t, const br_fit_watch* watch)
{
    bri_trial_keep_prior(t);
    memcpy(t->weights, t->feet.prior, t->feet.count * sizeof *t->weights);
    t->score = (double)INFINITY; // the prior alone is another choice
    int goes_on = 1;
    for (size_t i = 0; i < STRENGTHS && goes_on; i++) {
        const double lambda = strength_of(i), score = advance(t, lambda);
        if (score < t->score) {
            keep(t, lambda, score);
        }
        if (watch->progress) {
            watch->progress((double)(i + 1) / STRENGTHS, t->score, watch->user);
        }
        goes_on = !(watch->stop && watch->stop(watch->user));
    }
    return goes_on;
}
