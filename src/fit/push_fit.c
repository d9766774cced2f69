/*
 * Pressure and tip friction from pushes: see push_fit.h.
 */
#include "fit/push_fit.h"

#include <string.h>

#include "fit/numbers.h"
#include "math/vec3.h"

enum { MOST_ROUNDS = 5, STRENGTHS = 5 };

// An offset as an unknown >= 0, which the solver needs: this much is added to it, in units of the footprint.
static const double most_offset = 0.25;

// --- end poses ------------------------------------------------------------------------------------

push_tip bri_push_tip(const push_fit* f, const double* x)
{
    const double *at = x + f->s.feet.count + 1, unit = f->s.feet.unit;
    push_tip out = {f->def->tip_offset,
                    f->has_radius ? unit * x[f->s.unknowns - 1] : f->def->tip_radius};
    if (f->has_offset) {
        out.offset = (br_vec2){unit * (at[0] - most_offset), unit * (at[1] - most_offset)};
    } else if (!f->def->keeps_offset) {
        out.offset = (br_vec2){0.0, 0.0};
    }
    return out;
}

push_track bri_push_track(const push_fit* f, const double* x)
{
    const push_tip at = bri_push_tip(f, x);
    const double unit = f->s.feet.unit;
    return (push_track){.feet = &f->s.feet,
                        .outline = f->outline,
                        .radius = at.radius / unit,
                        .weights = x,
                        .mu = x[f->s.feet.count],
                        .offset = {at.offset.x / unit, at.offset.y / unit},
                        .has_offset = f->has_offset,
                        .has_radius = f->has_radius,
                        .work = f->scratch};
}

double bri_push_gap(const push_fit* f, push_tip at, const br_fit_push* push, br_pose pose,
                    br_vec2* normal)
{
    const br_vec2 tip = br_vec2_add(push->to, at.offset), origin = {pose.x, pose.y};
    const br_outline_place place =
        br_outline_eval(f->outline, br_vec2_rotate(br_vec2_sub(tip, origin), -pose.theta));
    if (normal) {
        *normal = br_vec2_rotate(place.normal, pose.theta);
    }
    return place.distance - at.radius;
}

// Residuals at `next` and their derivatives, push by push. Returns 0 where it was stopped.
static int evaluate(push_fit* f)
{
    const push_track track = bri_push_track(f, f->next.x);
    const double unit = f->s.feet.unit;
    for (size_t i = 0; i < f->s.rows; i++) {
        double end[3], *r = f->next.residual + 3 * i;
        const br_pose* to = &f->pushes[i].end;
        if (bri_supports_stops(&f->s)) {
            return 0;
        }
        bri_push_end(&track, &f->pushes[i], end, f->next.slope + 3 * i * f->s.unknowns);
        r[0] = end[0] - to->x / unit;
        r[1] = end[1] - to->y / unit;
        r[2] = remainder(end[2] - to->theta, 2.0 * BR_PI);
    }
    return 1;
}

// The point that was evaluated last becomes the present one.
static void accept(push_fit* f)
{
    const push_point last = f->now;
    f->now = f->next;
    f->next = last;
    f->s.x = f->now.x;
}

static double mean_size(const push_fit* f)
{
    double sum = 0.0;
    for (size_t i = 0; i < f->s.rows; i++) {
        sum += vec3_norm(f->now.residual + 3 * i);
    }
    return sum / (double)f->s.rows;
}

// --- gaps -------------------------------------------------------------------------------------------

// A tip with unknown offset or radius touches the outline at the measured ends: gap(offset, radius) = 0. Ends with a
// large gap do not count. (F-18)
static int is_near(const push_fit* f, double gap)
{
    return fabs(gap) < loose * br_outline_get_radius(f->outline);
}

// Weight of gaps: the squared ratio of the mean error of ends to the mean gap.
static void set_gap_weight(push_fit* f)
{
    static const double limit = 100.0;
    const push_tip at = bri_push_tip(f, f->s.x);
    const double unit = f->s.feet.unit;
    double sum = 0.0, count = 1e-300;
    for (size_t i = 0; i < f->s.rows; i++) {
        const double gap = bri_push_gap(f, at, &f->pushes[i], f->pushes[i].end, NULL);
        sum += is_near(f, gap) ? fabs(gap) : 0.0;
        count += is_near(f, gap);
    }
    const double mean = fmax(sum / count, 1e-6 * unit), ratio = mean_size(f) * unit / mean;
    f->gap_scale = 2.0 * mean;
    f->gap_weight = fmin(ratio * ratio, limit) / (unit * unit);
}

static double gap_loss(const push_fit* f, const double* x)
{
    const push_tip at = bri_push_tip(f, x);
    double sum = 0.0;
    for (size_t i = 0; f->has_gaps && i < f->s.rows; i++) {
        const double gap = bri_push_gap(f, at, &f->pushes[i], f->pushes[i].end, NULL);
        const double e = fmin(fabs(gap), loose * br_outline_get_radius(f->outline)) / f->gap_scale;
        sum += f->gap_weight * f->gap_scale * f->gap_scale * log1p(e * e);
    }
    return sum;
}

// --- the model of supports.h ------------------------------------------------------------------------

// Add a row of slopes (unknowns from `first` on) and its target to the normal equations.
static void add_row(supports* s, size_t first, const double* slope, double target, double weight)
{
    const size_t P = s->unknowns;
    for (size_t p = first; p < P; p++) {
        target += slope[p - first] * s->x[p];
    }
    for (size_t p = first; p < P; p++) {
        const double by = weight * slope[p - first];
        s->rhs[p] += by * target;
        for (size_t q = p; q < P; q++) {
            s->gram[p * P + q] += by * slope[q - first];
        }
    }
}

// Rows of the gaps: normal.d offset - d radius = -gap.
static void sum_gaps(push_fit* f, unsigned left_out)
{
    const push_tip at = bri_push_tip(f, f->s.x);
    const double unit = f->s.feet.unit;
    for (size_t i = 0; i < f->s.rows; i++) {
        br_vec2 n;
        const double gap = bri_push_gap(f, at, &f->pushes[i], f->pushes[i].end, &n);
        if (is_near(f, gap) && !(left_out >> bri_supports_block(&f->s, i) & 1)) {
            const double e = gap / f->gap_scale;
            const double slope[3] = {f->has_offset ? unit * n.x : -unit, unit * n.y, -unit};
            add_row(&f->s, f->s.feet.count + 1, slope, -gap, f->gap_weight / (1.0 + e * e));
        }
    }
}

static void sum_rows(supports* s, unsigned left_out)
{
    push_fit* f = (push_fit*)s;
    for (size_t row = 0; row < 3 * s->rows && !bri_supports_stops(s); row++) {
        if (!(left_out >> bri_supports_block(s, row / 3) & 1)) {
            add_row(s, 0, f->now.slope + row * s->unknowns, -f->now.residual[row],
                    f->weight[row / 3]);
        }
    }
    if (f->has_gaps) {
        sum_gaps(f, left_out);
    }
}

// Hold mu where it is known. The tip has no prior.
static void expect(supports* s, double trace, double damping)
{
    const push_fit* f = (push_fit*)s;
    const size_t m = s->feet.count, P = s->unknowns;
    for (size_t p = m; p < P; p++) {
        double* own = &s->gram[p * P + p];
        const double fixed = p == m && f->def->keeps_mu ? 1e9 * (*own + trace) : 0.0;
        const double some = damping * *own + 1e-9 * trace + fixed;
        *own += some;
        s->rhs[p] += some * s->x[p];
    }
}

// Residuals of the pushes of blocks with bits, along the linearisation.
static void predict(supports* s, const double* x, unsigned blocks)
{
    const push_fit* f = (push_fit*)s;
    for (size_t row = 0; row < 3 * s->rows; row++) {
        if (blocks >> bri_supports_block(s, row / 3) & 1) {
            s->held[row] = f->now.residual[row];
            for (size_t p = 0; p < s->unknowns; p++) {
                s->held[row] += f->now.slope[row * s->unknowns + p] * (x[p] - s->x[p]);
            }
        }
    }
}

// --- solution ---------------------------------------------------------------------------------------

// Cauchy's loss of the ends, which count less beyond `scale`, twice the mean error; the prior; gaps.
static double cost_of(const push_fit* f, const push_point* at, double scale, double lambda)
{
    const size_t n = f->s.rows, m = f->s.feet.count;
    double ends = 0.0, weights = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double e = vec3_norm(at->residual + 3 * i) / scale;
        ends += scale * scale * log1p(e * e);
    }
    for (size_t i = 0; i < m; i++) {
        weights += (at->x[i] - f->s.start[i]) * (at->x[i] - f->s.start[i]);
    }
    return ends + lambda * (double)(n * m) * weights + gap_loss(f, at->x);
}

// Improve x at this lambda.
static void descend(push_fit* f, double lambda, double fraction)
{
    const double hold = isfinite(lambda) ? lambda : 0.0;
    const br_fit_watch* w = &f->def->watch;
    double damping = 1e-3, gain = 1.0;
    for (int round = 0; round < MOST_ROUNDS && gain > 1e-3; round++) {
        const double scale = 2.0 * mean_size(f) + 1e-12;
        set_gap_weight(f);
        const double before = cost_of(f, &f->now, scale, hold);
        if (w->progress) {
            w->progress(f->done + f->share * fraction, f->s.feet.unit * mean_size(f), w->user);
        }
        for (size_t i = 0; i < f->s.rows; i++) {
            const double e = vec3_norm(f->now.residual + 3 * i) / scale;
            f->weight[i] = 1.0 / (1.0 + e * e);
        }
        memcpy(f->next.x, f->s.x, f->s.unknowns * sizeof *f->next.x);
        bri_supports_solve(&f->s, lambda, damping, 0, f->next.x);
        if (!evaluate(f)) {
            return;
        }
        const double after = cost_of(f, &f->next, scale, hold);
        damping *= after < before ? 0.1 : 30.0;
        if (after < before) {
            accept(f);
            gain = (before - after) / before;
        }
    }
}

// Fit with one lambda, and keep it if it predicts pushes that are left out better.
static void try_strength(push_fit* f, double lambda, double fraction)
{
    descend(f, lambda, fraction);
    bri_supports_predict_folds(&f->s, lambda);
    for (size_t row = 0; row < 3 * f->s.rows && f->s.is_stopped; row++) {
        f->s.held[row] = (double)NAN; // not complete
    }
    const double errors = isfinite(f->s.strength) ? 0.0 : 1.0;
    if (isinf(lambda) ||
        (!f->s.is_stopped && bri_is_better(&f->s, f->s.held, f->s.best_held, errors))) {
        bri_supports_keep(&f->s, lambda);
        bri_supports_leave_out(&f->s);
    }
}

// First mu alone, then also the weights, with lambda from 1 to 1e-4.
void bri_push_fit_run(push_fit* f)
{
    memcpy(f->next.x, f->s.start, f->s.unknowns * sizeof *f->next.x);
    f->is_run = evaluate(f);
    if (!f->is_run) {
        return;
    }
    accept(f);
    try_strength(f, (double)INFINITY, 0.0);
    for (int i = 0; i < STRENGTHS && !f->s.is_stopped; i++) {
        try_strength(f, pow(10.0, -i), (1.0 + i) / (1.0 + STRENGTHS));
    }
}

// --- memory -----------------------------------------------------------------------------------------

void bri_push_fit_destroy(push_fit* f)
{
    bri_supports_destroy(&f->s);
    br_outline_destroy(f->outline);
}

static br_status allocate(push_fit* f, br_reason* why)
{
    const size_t n = f->s.rows, P = f->s.unknowns;
    double* at;
    const br_status status =
        bri_supports_create(&f->s, 6 * n * P + 7 * n + P + bri_push_get_work(P), &at, why);
    if (status) {
        return status;
    }
    f->now = (push_point){f->s.x, at, at + 3 * n};
    at += 3 * n * (P + 1);
    f->next = (push_point){at, at + P, at + P + 3 * n};
    f->weight = f->next.slope + 3 * n * P;
    f->scratch = f->weight + n;
    return BR_OK;
}

// The candidates: the points of a pressure that is given as points, else its own grid and rim.
static br_status make_feet(push_fit* f, br_reason* why)
{
    const br_patch* expected = f->def->patch ? f->def->patch : f->def->outline;
    br_status status =
        bri_footprint_of_outline(f->def->outline, f->def->resolution, &f->s.feet, why);
    if (!status && br_patch_get_def(expected)->shape == BR_SHAPE_POINTS) {
        footprint points;
        status = bri_footprint_of_supports(expected, 0.0, &points, why);
        if (!status) {
            bri_footprint_set_unit(&points, f->s.feet.unit);
            // points of a grid are as wide as its cells
            points.h = points.count > 8 ? f->s.feet.h : points.h;
            bri_footprint_destroy(&f->s.feet);
            f->s.feet = points;
        }
    }
    return status;
}

br_status bri_push_fit_create(const br_fit_pushes_def* def, const br_fit_push* pushes, size_t count,
                              int has_offset, push_fit* f, br_reason* why)
{
    *f = (push_fit){.def = def,
                    .pushes = pushes,
                    .s = {.rows = count,
                          .per_row = 3,
                          .sum = sum_rows,
                          .expect = expect,
                          .predict = predict,
                          .watch = &def->watch},
                    .done = has_offset ? 0.5 : 0.0,
                    .share = def->keeps_offset ? 1.0 : 0.5,
                    .has_offset = has_offset,
                    .has_radius = def->fits_radius,
                    .has_gaps = has_offset || def->fits_radius};
    br_status status = br_outline_create(def->outline, 1.0, 0, &f->outline, why);
    status = status ? status : make_feet(f, why);
    const size_t m = f->s.feet.count;
    f->s.unknowns = m + 1 + (has_offset ? 2 : 0) + (def->fits_radius ? 1 : 0);
    status = status ? status : allocate(f, why);
    if (!status) {
        f->s.start[m] = def->mu_tip;
        for (size_t p = m + 1; p < f->s.unknowns; p++) {
            f->s.start[p] = most_offset;
        }
        if (f->has_radius) {
            f->s.start[f->s.unknowns - 1] = def->tip_radius / f->s.feet.unit;
        }
    }
    return status;
}
