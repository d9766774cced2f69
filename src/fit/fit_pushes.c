/*
 * Pressure and tip friction from pushes alone.
 *
 *   least  sum of |end - measured|^2 (Cauchy's loss) + lambda n m |w - p|^2,   w >= 0, sum w = 1, mu >= 0
 *
 * by Gauss and Newton's method with Levenberg's damping, each step a non-negative least-squares problem in the
 * weights and mu themselves. A path from strong to weak lambda, each from the solution before. Cross-validation
 * and the jackknife take the last linearisation: the rows of a fold are left out and predicted along it.
 */
#include "bristle/fit_pushes.h"
#include "bristle/limit.h"
#include "bristle/pushing.h"
#include "fit/left_out.h"
#include "fit/nnls.h"
#include "fit/push_track.h"

#include <string.h>

enum { LEAST_PUSHES = 6, MOST_ROUNDS = 5, STRENGTHS = 5 };

static const double hardly = 1e-5; // lambda that hardly holds the weights to what was expected

br_fit_pushes_def br_fit_pushes_def_default(void)
{
    return (br_fit_pushes_def){.size = sizeof(br_fit_pushes_def), .mu_tip = 0.25, .resolution = 9};
}

// A fit at work: P = m + 1 unknowns, the weights and mu; three residuals a push.
typedef struct job {
    const br_fit_pushes_def* def;
    const br_fit_push* pushes;
    size_t count, blocks, m, P;
    footprint feet;
    br_outline* outline;
    nnls* solver;
    double* x;                          // unknowns (P)
    double* next;                       // (P)
    double* start;                      // what was expected (P)
    double* residual;                   // predicted less measured end, at x (count x 3)
    double* slope;                      // and derivatives (count x 3 x P)
    double *next_residual, *next_slope; // the same at next
    double* weight;                     // of each push (count)
    double* gram;                       // (P x P)
    double* rhs;                        // (P)
    double* room;                       // of a push
    double* held;                       // residuals of pushes that are left out (count x 3)
    double* best;                       // of the best lambda (P)
    double* best_held;                  // (count x 3)
    double* without;                    // of the best lambda, without each block (BLOCKS x P)
    double* memory;
    double strength, score;
    int is_stopped;
} job;

// --- end poses ------------------------------------------------------------------------------------

static double turn_between(double a, double b)
{
    return remainder(a - b, 2.0 * BR_PI);
}

static int is_to_stop(job* j)
{
    const br_fit_watch* w = &j->def->watch;
    j->is_stopped |= w->stop && w->stop(w->user);
    return j->is_stopped;
}

// Residuals at `next` and their derivatives, push by push. Returns 0 where it was stopped.
static int evaluate(job* j)
{
    const double* x = j->next;
    const push_track track = {.feet = &j->feet,
                              .outline = j->outline,
                              .radius = j->def->tip_radius / j->feet.unit,
                              .weights = x,
                              .mu = x[j->m],
                              .room = j->room};
    for (size_t i = 0; i < j->count; i++) {
        double end[3], *r = j->next_residual + 3 * i;
        const br_pose* to = &j->pushes[i].end;
        if (is_to_stop(j)) {
            return 0;
        }
        bri_push_end(&track, &j->pushes[i], end, j->next_slope + 3 * i * j->P);
        r[0] = end[0] - to->x / j->feet.unit;
        r[1] = end[1] - to->y / j->feet.unit;
        r[2] = turn_between(end[2], to->theta);
    }
    return 1;
}

static void swap(double** a, double** b)
{
    double* other = *a;
    *a = *b;
    *b = other;
}

// x becomes what was evaluated last.
static void accept(job* j)
{
    swap(&j->x, &j->next);
    swap(&j->residual, &j->next_residual);
    swap(&j->slope, &j->next_slope);
}

static double size_of(const double r[3])
{
    return sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
}

// Cauchy's loss: beyond the scale, twice the mean error, a push counts less and less.
static double loss(const double* residual, size_t count, double scale)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double e = size_of(residual + 3 * i) / scale;
        sum += scale * scale * log1p(e * e);
    }
    return sum;
}

static double penalty(const job* j, const double* x, double lambda)
{
    double sum = 0.0;
    for (size_t i = 0; i < j->m; i++) {
        sum += (x[i] - j->start[i]) * (x[i] - j->start[i]);
    }
    return lambda * (double)(j->count * j->m) * sum;
}

static double mean_size(const double* r, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += size_of(r + 3 * i);
    }
    return sum / (double)count;
}

static void set_weights(job* j, double scale)
{
    for (size_t i = 0; i < j->count; i++) {
        const double e = size_of(j->residual + 3 * i) / scale;
        j->weight[i] = 1.0 / (1.0 + e * e);
    }
}

// --- one linear problem -----------------------------------------------------------------------------

static size_t block_of(const job* j, size_t push)
{
    return bri_block_of(push, j->count, j->blocks);
}

// Gram matrix and right-hand side of the linearised rows but those with bits in `left_out`.
static void sum_rows(job* j, unsigned left_out)
{
    const size_t P = j->P;
    memset(j->gram, 0, P * P * sizeof *j->gram);
    memset(j->rhs, 0, P * sizeof *j->rhs);
    for (size_t row = 0; row < 3 * j->count; row++) {
        const double *a = j->slope + row * P, weight = j->weight[row / 3];
        if (left_out >> block_of(j, row / 3) & 1) {
            continue;
        }
        double target = -j->residual[row];
        for (size_t p = 0; p < P; p++) {
            target += a[p] * j->x[p];
        }
        for (size_t p = 0; p < P; p++) {
            const double wa = weight * a[p];
            j->rhs[p] += wa * target;
            for (size_t q = p; q < P; q++) {
                j->gram[p * P + q] += wa * a[q];
            }
        }
    }
    for (size_t p = 0; p < P; p++) {
        for (size_t q = 0; q < p; q++) {
            j->gram[p * P + q] = j->gram[q * P + p];
        }
    }
}

// What is expected, the sum of the weights, and damping about x. An infinite lambda holds the weights as they are.
static void add_prior(job* j, double lambda, double damping)
{
    const size_t m = j->m, P = j->P;
    double trace = 1e-300;
    for (size_t p = 0; p < m; p++) {
        trace += j->gram[p * P + p];
    }
    const double spring = 1e3 * trace / (double)m;
    const double hold = isfinite(lambda) ? lambda * (double)(j->count * m) : 1e6 * trace;
    for (size_t p = 0; p < m; p++) {
        for (size_t q = 0; q < m; q++) {
            j->gram[p * P + q] += spring;
        }
        j->gram[p * P + p] += hold + damping * trace / (double)m;
        j->rhs[p] += spring + hold * j->start[p] + damping * trace / (double)m * j->x[p];
    }
    const double fixed = j->def->keeps_mu ? 1e9 * (j->gram[m * P + m] + trace) : 0.0;
    const double some = damping * j->gram[m * P + m] + 1e-9 * trace + fixed;
    j->gram[m * P + m] += some;
    j->rhs[m] += some * j->x[m];
}

// Unknowns of the linear problem, from `x` on.
static void solve(job* j, double lambda, double damping, unsigned left_out, double* x)
{
    sum_rows(j, left_out);
    add_prior(j, lambda, damping);
    bri_nnls_solve(j->solver, j->P, j->gram, j->rhs, x);
    double sum = 0.0;
    for (size_t p = 0; p < j->m; p++) {
        sum += x[p];
    }
    for (size_t p = 0; p < j->m; p++) {
        x[p] /= sum;
    }
}

// --- a place of the path ----------------------------------------------------------------------------

static void tell(const job* j, double fraction)
{
    const br_fit_watch* w = &j->def->watch;
    if (w->progress) {
        w->progress(fraction, j->feet.unit * mean_size(j->residual, j->count), w->user);
    }
}

// Improve x at this lambda.
static void descend(job* j, double lambda, double fraction)
{
    const double held = isfinite(lambda) ? lambda : 0.0;
    double damping = 1e-3, gain = 1.0;
    for (int round = 0; round < MOST_ROUNDS && gain > 1e-3; round++) {
        const double scale = 2.0 * mean_size(j->residual, j->count) + 1e-12;
        const double before = loss(j->residual, j->count, scale) + penalty(j, j->x, held);
        tell(j, fraction);
        set_weights(j, scale);
        memcpy(j->next, j->x, j->P * sizeof *j->x);
        solve(j, lambda, damping, 0, j->next);
        if (!evaluate(j)) {
            return;
        }
        const double after = loss(j->next_residual, j->count, scale) + penalty(j, j->next, held);
        if (after < before) {
            accept(j);
            gain = (before - after) / before;
            damping *= 0.1;
        } else {
            damping *= 30.0;
        }
    }
}

// Residuals of the pushes of each fold, predicted along the linearisation from the others.
static void predict_folds(job* j, double lambda)
{
    for (size_t k = 0; k < FOLDS; k++) {
        const unsigned left_out = bri_blocks_of_fold(k, j->blocks);
        memcpy(j->next, j->x, j->P * sizeof *j->x);
        solve(j, lambda, 0.0, left_out, j->next);
        for (size_t row = 0; row < 3 * j->count; row++) {
            if (left_out >> block_of(j, row / 3) & 1) {
                j->held[row] = j->residual[row];
                for (size_t p = 0; p < j->P; p++) {
                    j->held[row] += j->slope[row * j->P + p] * (j->next[p] - j->x[p]);
                }
            }
        }
    }
}

// Is the place at hand better than the best so far, by more than `errors` standard errors of the difference?
static int is_better(const job* j, double errors)
{
    double sum = 0.0, square = 0.0;
    for (size_t i = 0; i < j->count; i++) {
        const double gain = size_of(j->best_held + 3 * i) - size_of(j->held + 3 * i);
        sum += gain;
        square += gain * gain;
    }
    return bri_is_gain(sum, square, j->count, errors);
}

// Keep x as the best, and what the pushes without each block would make of it.
static void keep(job* j, double lambda)
{
    j->strength = lambda;
    memcpy(j->best, j->x, j->P * sizeof *j->x);
    memcpy(j->best_held, j->held, 3 * j->count * sizeof *j->held);
    for (size_t b = 0; b < j->blocks; b++) {
        double* w = j->without + b * j->P;
        memcpy(w, j->x, j->P * sizeof *w);
        solve(j, fmin(lambda, hardly), 0.0, 1u << b, w);
    }
}

// Only mu first, then the weights, too, ever freer: lambda from 1 to 1e-4. Returns 0 where it was stopped before
// there was anything to tell.
static int run(job* j)
{
    memcpy(j->next, j->start, j->P * sizeof *j->next);
    if (!evaluate(j)) {
        return 0;
    }
    accept(j);
    descend(j, (double)INFINITY, 0.0);
    predict_folds(j, (double)INFINITY);
    keep(j, (double)INFINITY);
    for (int i = 0; i < STRENGTHS && !j->is_stopped; i++) {
        const double lambda = pow(10.0, -i);
        descend(j, lambda, (1.0 + i) / (1.0 + STRENGTHS));
        predict_folds(j, lambda);
        if (is_better(j, isfinite(j->strength) ? 0.0 : 1.0)) {
            keep(j, lambda);
        }
    }
    return 1;
}

// --- memory -----------------------------------------------------------------------------------------

static void job_destroy(job* j)
{
    bri_footprint_destroy(&j->feet);
    br_outline_destroy(j->outline);
    bri_nnls_destroy(j->solver);
    br_release(j->memory);
}

static double* take(double** at, size_t count)
{
    double* here = *at;
    *at += count;
    return here;
}

static br_status make_room(job* j, br_reason* why)
{
    const size_t n = j->count, P = j->P;
    const size_t doubles = 6 * n * P + 13 * n + P * (P + 5 + BLOCKS) + bri_push_room(j->m);
    double* at = j->memory = br_allocate(doubles, sizeof *at);
    j->solver = bri_nnls_create(P);
    if (!at || !j->solver) {
        br_reason_set(why, "", "no memory for %zu pushes and %zu candidate supports", n, j->m);
        return BR_ERR_MEMORY;
    }
    j->x = take(&at, P);
    j->next = take(&at, P);
    j->start = take(&at, P);
    j->best = take(&at, P);
    j->rhs = take(&at, P);
    j->gram = take(&at, P * P);
    j->without = take(&at, BLOCKS * P);
    j->residual = take(&at, 3 * n);
    j->held = take(&at, 3 * n);
    j->best_held = take(&at, 3 * n);
    j->weight = take(&at, n);
    j->slope = take(&at, 3 * n * P);
    j->next_residual = take(&at, 3 * n);
    j->next_slope = take(&at, 3 * n * P);
    j->room = at;
    return BR_OK;
}

// The candidates: the points of a pressure that is given as points, else its own grid and rim.
static br_status make_feet(job* j, br_reason* why)
{
    const br_patch* expected = j->def->patch ? j->def->patch : j->def->outline;
    br_status status = bri_footprint_of_outline(j->def->outline, j->def->resolution, &j->feet, why);
    if (!status && br_patch_get_def(expected)->shape == BR_SHAPE_POINTS) {
        footprint points;
        status = bri_footprint_of_supports(expected, 0.0, &points, why);
        if (!status) {
            bri_footprint_set_unit(&points, j->feet.unit);
            // a cell of a grid is as wide as its neighbours are far: half of what the points would have if even
            points.h = points.count > 8 ? j->feet.h : points.h;
            bri_footprint_destroy(&j->feet);
            j->feet = points;
        }
    }
    return status;
}

static br_status job_create(const br_fit_pushes_def* def, const br_fit_push* pushes, size_t count,
                            job* j, br_reason* why)
{
    *j = (job){
        .def = def, .pushes = pushes, .count = count, .blocks = count < BLOCKS ? count : BLOCKS};
    br_status status = br_outline_create(def->outline, 1.0, 0, &j->outline, why);
    status = status ? status : make_feet(j, why);
    j->m = j->feet.count;
    j->P = j->m + 1;
    status = status ? status : make_room(j, why);
    if (!status) {
        memcpy(j->start, j->feet.prior, j->m * sizeof *j->start);
        j->start[j->m] = def->mu_tip;
    }
    return status;
}

// --- what is given ----------------------------------------------------------------------------------

static br_status check_def(const br_fit_pushes_def* def, br_reason* why)
{
    const struct {
        const char* name;
        double value;
    } numbers[] = {{"tip_radius", def->tip_radius}, {"mu_tip", def->mu_tip}};
    for (int i = 0; i < 2; i++) {
        if (!(numbers[i].value >= 0.0 && isfinite(numbers[i].value))) {
            br_reason_set(why, numbers[i].name, "must be finite and >= 0, got %g",
                          numbers[i].value);
            return BR_ERR_DEF;
        }
    }
    if (def->resolution < 2 || def->resolution > 40) {
        br_reason_set(why, "resolution", "must be in 2..40, got %zu", def->resolution);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static int is_finite_push(const br_fit_push* p)
{
    const double all = p->start.x + p->start.y + p->start.theta + p->end.x + p->end.y +
                       p->end.theta + p->from.x + p->from.y + p->to.x + p->to.y;
    return isfinite(all);
}

static br_status take_pushes(br_fit_push* pushes, size_t* count, br_reason* why)
{
    size_t moved = 0;
    for (size_t i = 0; i < *count; i++) {
        const br_pose *a = &pushes[i].start, *b = &pushes[i].end;
        if (!is_finite_push(&pushes[i])) {
            return bri_refuse_row("pushes", i, "must be finite", why);
        }
        moved += a->x != b->x || a->y != b->y || a->theta != b->theta;
    }
    if (moved == 0 && *count > 0) {
        br_reason_set(why, "pushes", "no motion: every body ends where it began");
        return BR_ERR_ARG;
    }
    const br_status status = bri_drop_doubles(pushes, count, sizeof *pushes, why);
    if (status == BR_OK && *count < LEAST_PUSHES) {
        br_reason_set(why, "pushes", "%zu different pushes are too few: at least %d are needed",
                      *count, LEAST_PUSHES);
        return BR_ERR_ARG;
    }
    return status;
}

// Does the tip come to the body at all?
static br_status check_pushes(const job* j, br_reason* why)
{
    size_t touching = 0;
    const push_track track = {.feet = &j->feet,
                              .outline = j->outline,
                              .radius = j->def->tip_radius / j->feet.unit,
                              .weights = j->start,
                              .mu = j->def->mu_tip,
                              .room = j->room,
                              .steps_per_size = 10};
    for (size_t i = 0; i < j->count; i++) {
        double end[3];
        touching += bri_push_end(&track, &j->pushes[i], end, NULL) > 0.0;
    }
    if (touching < LEAST_PUSHES || touching < j->count / 2) {
        br_reason_set(
            why, "pushes",
            "in %zu of %zu the tip touches the body, in at least %d and half of them it must: are lengths in "
            "m, angles in rad, is the tip's radius right?",
            touching, j->count, LEAST_PUSHES);
        return BR_ERR_ARG;
    }
    return BR_OK;
}

// --- what is told -----------------------------------------------------------------------------------

// CoP, r and mu of the tip.
static void numbers_of(const job* j, const double* x, double out[4])
{
    bri_footprint_moments(&j->feet, x, out);
    out[3] = x[j->m];
}

static void set_estimates(const job* j, br_fit_pushes* out)
{
    double at[4], without[BLOCKS][4];
    numbers_of(j, j->best, at);
    for (size_t b = 0; b < j->blocks; b++) {
        numbers_of(j, j->without + b * j->P, without[b]);
    }
    const jackknife cut = {without[0], 4, j->blocks};
    const double unit = j->feet.unit;
    out->cop[0] = bri_jackknife_estimate("cop_x", "m", at[0], unit, &cut, 0);
    out->cop[1] = bri_jackknife_estimate("cop_y", "m", at[1], unit, &cut, 1);
    out->r = bri_jackknife_estimate("r", "m", at[2], unit, &cut, 2);
    out->mu_tip = bri_jackknife_estimate("mu_tip", "-", at[3], 1.0, &cut, 3);
    out->mu_tip.low = fmax(out->mu_tip.low, 0.0);
    if (j->def->keeps_mu) {
        const double mu = j->def->mu_tip;
        out->mu_tip = (br_fit_estimate){"mu_tip", "-", mu, 0.0, mu, mu, 1, 1, ""};
    }
}

static void set_validation(const job* j, br_fit_pushes* out)
{
    for (size_t i = 0; i < j->count; i++) {
        const double* r = j->best_held + 3 * i;
        out->validation_position_error += j->feet.unit * hypot(r[0], r[1]) / (double)j->count;
        out->validation_angle_error += fabs(r[2]) / (double)j->count;
    }
}

br_status br_fit_pushes_predict(const br_fit_pushes_def* def, const br_patch* pressure,
                                const br_fit_push* pushes, size_t count, br_pose* ends,
                                br_reason* why)
{
    BR_ASSERT(def && def->outline && pressure && ends);
    br_outline* outline = NULL;
    br_limit* surface = NULL;
    br_limit_def limit = br_limit_def_default();
    limit.patch = pressure;
    br_pushing pushing = br_pushing_default();
    br_status status = br_outline_create(def->outline, 1.0, 0, &outline, why);
    status = status ? status : br_limit_create(&limit, &surface, why);
    pushing.surface = surface;
    pushing.outline = outline;
    pushing.radius = def->tip_radius;
    pushing.mu = def->mu_tip;
    status = status ? status : br_pushing_check(&pushing, why);
    for (size_t i = 0; i < count && !status; i++) {
        ends[i] = pushes[i].start;
        br_pushing_step(&pushing, &ends[i], pushes[i].from, pushes[i].to);
    }
    br_limit_destroy(surface);
    br_outline_destroy(outline);
    return status;
}

// Errors of the ends that the exact surface of the result predicts.
static br_status set_errors(const job* j, br_fit_pushes* out, br_reason* why)
{
    br_patch_def points = br_patch_def_default();
    points.shape = BR_SHAPE_POINTS;
    points.points = out->points;
    points.count = out->count;
    br_patch* patch = NULL;
    br_pose* ends = br_allocate(j->count, sizeof *ends);
    br_fit_pushes_def def = *j->def;
    def.mu_tip = out->mu_tip.value;
    br_status status = ends ? br_patch_create(&points, &patch, why) : BR_ERR_MEMORY;
    status = status ? status : br_fit_pushes_predict(&def, patch, j->pushes, j->count, ends, why);
    for (size_t i = 0; i < j->count && !status; i++) {
        const br_pose *a = &ends[i], *b = &j->pushes[i].end;
        out->position_error += hypot(a->x - b->x, a->y - b->y) / (double)j->count;
        out->angle_error += fabs(turn_between(a->theta, b->theta)) / (double)j->count;
    }
    br_patch_destroy(patch);
    br_release(ends);
    return status;
}

// The result in one piece of memory: itself, its points, their errors.
static br_status make_result(const job* j, br_fit_pushes** to, br_reason* why)
{
    const size_t m = j->m;
    br_fit_pushes* out =
        br_allocate(1, sizeof *out + m * (sizeof *out->points + sizeof *out->errors));
    if (!out) {
        br_reason_set(why, "", "no memory for %zu points", m);
        return BR_ERR_MEMORY;
    }
    br_support_point* points = (br_support_point*)(out + 1);
    double* errors = (double*)(points + m);
    const jackknife cut = {j->without, j->P, j->blocks};
    out->points = points;
    out->errors = errors;
    out->count = bri_collect_supports(&j->feet, j->best, &cut, points, errors);
    out->pushes = j->count;
    out->strength = j->strength;
    out->keeps_patch = isinf(j->strength);
    set_estimates(j, out);
    set_validation(j, out);
    const br_status status = set_errors(j, out, why);
    if (status) {
        br_release(out);
        return status;
    }
    *to = out;
    return BR_OK;
}

void br_fit_pushes_destroy(br_fit_pushes* fitted)
{
    br_release(fitted);
}

br_status br_fit_pushes_create(const br_fit_pushes_def* def, const br_fit_push* pushes,
                               size_t count, br_fit_pushes** out, br_reason* why)
{
    BR_ASSERT(def && def->size == sizeof *def && def->outline && (pushes || count == 0) && out);
    *out = NULL;
    br_status status = check_def(def, why);
    if (status) {
        return status;
    }
    br_fit_push* own = br_allocate(count ? count : 1, sizeof *own);
    if (!own) {
        br_reason_set(why, "", "no memory for %zu pushes", count);
        return BR_ERR_MEMORY;
    }
    memcpy(own, pushes, count * sizeof *own);
    job j = {.def = def};
    status = take_pushes(own, &count, why);
    status = status ? status : job_create(def, own, count, &j, why);
    status = status ? status : check_pushes(&j, why);
    if (!status && run(&j)) {
        status = make_result(&j, out, why);
    }
    const int is_stopped = !status && j.is_stopped;
    if (is_stopped) {
        br_reason_set(why, "",
                      *out ? "stopped; the best so far is given"
                           : "stopped before there was anything to tell");
    }
    job_destroy(&j);
    br_release(own);
    return is_stopped ? BR_ERR_STOPPED : status;
}
