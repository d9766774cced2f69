/*
 * How a scenario runs: from break to break of its profiles, a row at every time asked for.
 */
#include "sim/run.h"

#include "bristle/math.h"
#include "sim/integrator_internal.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

// Breaks closer together than this share of the duration are one; so are a row and a break.
static const double same_time = 1e-12;

// Rows that can be counted with certainty.
static const double most_rows = 1e15;
static const double most_steps = 1e9;     // of a fixed size
static const double default_rows = 200.0; // besides the first

br_run_def br_run_def_default(void)
{
    return (br_run_def){
        .size = sizeof(br_run_def), .duration = 1.0, .method = BR_ROSENBROCK, .max_step = HUGE_VAL};
}

const char* br_event_name(br_event_kind kind)
{
#define TEXT(name, text) text,
    static const char* const names[] = {BR_EVENT_LIST(TEXT)};
#undef TEXT
    return (unsigned)kind < BR_EVENT_COUNT ? names[kind] : NULL;
}

// --- what is asked for ----------------------------------------------------------------------------

static br_status refuse(const char* field, const char* text, br_reason* why)
{
    br_reason_set(why, field, "%s", text);
    return BR_ERR_DEF;
}

static br_status positive(const char* field, double value, br_reason* why)
{
    if (value > 0.0 && isfinite(value)) {
        return BR_OK;
    }
    br_reason_set(why, field, "must be finite and > 0, got %g", value);
    return BR_ERR_DEF;
}

static br_status check_times(const br_run_def* def, br_reason* why)
{
    for (size_t i = 0; i < def->at_count; i++) {
        const int follows = i == 0 ? def->at[i] >= 0.0 : def->at[i] > def->at[i - 1];
        if (!follows || !(def->at[i] <= def->duration)) {
            br_reason_set(why, "at", "must increase within [0, duration], but entry %zu is %g", i,
                          def->at[i]);
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

static br_status check_rows(const run_kind* kind, const br_run_def* def, br_reason* why)
{
    const br_status status = positive("duration", def->duration, why);
    if (status != BR_OK) {
        return status;
    }
    if (def->ends_only && kind->rows != RUN_ROWS_BODY) {
        return refuse("ends_only", "must be 0: only runs of bodies can leave rows out", why);
    }
    if (def->at) {
        return def->every != 0.0 ? refuse("every", "must be 0 where `at` says when rows are", why)
                                 : check_times(def, why);
    }
    if (def->every != 0.0 && positive("every", def->every, why) != BR_OK) {
        return BR_ERR_DEF;
    }
    if (def->every != 0.0 && !(def->duration / def->every < most_rows)) {
        br_reason_set(why, "every", "gives more than %g rows, got %g", most_rows, def->every);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

// A tolerance: 0, or one that this kind of run has; `most` is beyond the largest.
static br_status check_tolerance(const char* field, double value, double own, double least,
                                 double most, br_reason* why)
{
    if (value == 0.0) {
        return BR_OK;
    }
    if (own == 0.0) {
        return refuse(field, "must be 0: this run has nothing with such a tolerance", why);
    }
    if (value >= least && value < most) {
        return BR_OK;
    }
    br_reason_set(why, field, "must be in [%g, %g), or 0 for the run's own, got %g", least, most,
                  value);
    return BR_ERR_DEF;
}

static br_status check_adaptive(const run_kind* kind, const br_run_def* def, br_reason* why)
{
    if (!kind->is_adaptive) {
        return refuse("method", "must be BR_FIXED: this run takes steps of one size", why);
    }
    if (def->step != 0.0) {
        return refuse("step", "must be 0: it is that of fixed steps, method BR_FIXED", why);
    }
    if (!(def->max_step > 0.0)) {
        br_reason_set(why, "max_step", "must be > 0, got %g", def->max_step);
        return BR_ERR_DEF;
    }
    br_status status = check_tolerance("rtol", def->rtol, kind->rtol, 1e-14, 1.0, why);
    if (status == BR_OK) {
        status = check_tolerance("atol", def->atol, kind->atol, DBL_MIN, HUGE_VAL, why);
    }
    return status == BR_OK
               ? check_tolerance("atol_z", def->atol_z, kind->atol_z, DBL_MIN, HUGE_VAL, why)
               : status;
}

static br_status check_fixed(const run_kind* kind, const br_run_def* def, br_reason* why)
{
    if (!kind->is_fixed) {
        return refuse("method", "must be an adaptive one: this run has no fixed steps", why);
    }
    const char* adaptive = def->rtol != 0.0           ? "rtol"
                           : def->atol != 0.0         ? "atol"
                           : def->atol_z != 0.0       ? "atol_z"
                           : def->max_step < HUGE_VAL ? "max_step"
                                                      : NULL;
    if (adaptive) {
        return refuse(adaptive, "must stay at its default: fixed steps are all of one size", why);
    }
    if (positive("step", def->step, why) != BR_OK) {
        return BR_ERR_DEF;
    }
    if (def->duration / def->step > most_steps) {
        br_reason_set(why, "step", "gives more than %g steps, got %g", most_steps, def->step);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static br_status check_watch(const run_kind* kind, const br_run_watch* watch, br_reason* why)
{
    static const char* const names[RUN_ROWS_COUNT] = {"row.rig",     "row.motion", "row.body",
                                                      "row.sliding", "row.pushed", "row.mechanism"};
    const br_run_rows* row = &watch->row;
    const int is_set[RUN_ROWS_COUNT] = {!!row->rig,     !!row->motion, !!row->body,
                                        !!row->sliding, !!row->pushed, !!row->mechanism};
    for (int i = 0; i < RUN_ROWS_COUNT; i++) {
        if (is_set[i] != (i == (int)kind->rows)) {
            return refuse(names[i],
                          is_set[i] ? "must be NULL: this run has no such rows"
                                    : "must be set: it is told every row",
                          why);
        }
    }
    if (watch->event && !kind->has_events) {
        return refuse("event", "must be NULL: this run has none to tell", why);
    }
    return BR_OK;
}

static double value_or(double value, double otherwise)
{
    return value != 0.0 ? value : otherwise;
}

br_status bri_run_check(const run_kind* kind, const br_run_def* def, const br_run_watch* watch,
                        br_run_def* full, br_reason* why)
{
    if (def->size != sizeof *def) {
        return refuse("size", "start from br_run_def_default()", why);
    }
    br_status status = check_watch(kind, watch, why);
    if (status == BR_OK) {
        status = check_rows(kind, def, why);
    }
    if (status == BR_OK) {
        status =
            def->method == BR_FIXED ? check_fixed(kind, def, why) : check_adaptive(kind, def, why);
    }
    *full = *def;
    full->every = def->at ? 0.0 : value_or(def->every, def->duration / default_rows);
    full->rtol = value_or(def->rtol, kind->rtol);
    full->atol = value_or(def->atol, kind->atol);
    full->atol_z = value_or(def->atol_z, kind->atol_z);
    return status;
}

double bri_profile_longest_step(const br_profile* p)
{
    const int swings = p->kind == BR_PROFILE_SINE && p->hold == 0.0 && p->frequency != 0.0;
    return swings ? 1.0 / (32.0 * fabs(p->frequency)) : HUGE_VAL;
}

double bri_profile_second(const br_profile* p, double t, double within)
{
    if (p->kind != BR_PROFILE_SINE || p->hold > 0.0 || within < p->start) {
        return 0.0;
    }
    const double pulsation = 2.0 * BR_PI * p->frequency;
    return -p->amplitude * pulsation * pulsation * sin(pulsation * t + p->phase);
}

double bri_law_longest_step(const br_law* law, double z, double v)
{
    if (law->kind != BR_LAW_ELASTO_PLASTIC || v == 0.0) {
        return HUGE_VAL;
    }
    const double z_max = br_law_g(law, v) / law->sigma0;
    const double z_ba = law->s_ba * z_max;
    const double along = v > 0.0 ? z : -z; // deflection along the motion
    if (along >= z_ba) {
        return HUGE_VAL;
    }
    return (z_ba - along + 0.5 * (z_max - z_ba)) / fabs(v);
}

double bri_imposed_longest_step(const br_law* law, double speed, double acceleration)
{
    const double a = fabs(acceleration);
    if (!br_law_has_state(law->kind) || a == 0.0) {
        return HUGE_VAL;
    }
    // a tenth of the speed, or of the one from which it comes to rest within the length of a bristle
    const double last = sqrt(2.0 * law->mu_c / law->sigma0 * a);
    return 0.1 * fmax(fabs(speed), last) / a;
}

br_status bri_check_profile(const br_profile* p, const char* field, br_reason* why)
{
    br_reason inner;
    if (br_profile_check(p, &inner) != BR_OK) {
        br_reason_set(why, field, "%s %s", inner.field, inner.text);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

br_status bri_check_normal_force(const br_profile* p, double duration, const char* field,
                                 br_reason* why)
{
    const br_status status = bri_check_profile(p, field, why);
    const double when = status == BR_OK ? br_profile_negative_from(p, duration) : HUGE_VAL;
    if (when < HUGE_VAL) {
        br_reason_set(why, field, "must be >= 0, but is negative from t = %.6g s on", when);
        return BR_ERR_DEF;
    }
    return status;
}

// A run under way.
typedef struct run {
    const run_system* system;
    const br_run_def* def;
    const br_run_watch* watch;
    br_integrator* integrator;
    double end;      // last row or duration, whichever is later [s]
    double t;        // [s]
    size_t rows;     // to be written
    size_t next_row; // first not yet written
} run;

static double row_time(const run* r, size_t row)
{
    return r->def->at ? r->def->at[row] : (double)row * r->def->every;
}

static void tell_passed(const run* r, double t, const double* y)
{
    if (r->system->passed) {
        r->system->passed(r->system->system, r->integrator, t, y);
    }
}

static int is_left_out(const run* r, size_t row)
{
    return r->def->ends_only && row > 0 && row + 1 < r->rows;
}

// All rows up to time t, from the last step's interpolant.
static void write_rows(run* r, double t)
{
    const double slack = same_time * r->end;
    for (; r->next_row < r->rows && row_time(r, r->next_row) <= t + slack; r->next_row++) {
        const double time = row_time(r, r->next_row);
        if (is_left_out(r, r->next_row)) {
            continue;
        }
        if (time >= t) {
            memcpy(r->system->y, br_integrator_y(r->integrator), r->system->n * sizeof(double));
        } else {
            br_integrator_at(r->integrator, time, r->system->y);
        }
        tell_passed(r, fmin(time, t), r->system->y);
        r->system->emit(r->system->system, time, r->system->y);
    }
}

// The end of the smooth piece that begins at t.
static double piece_end(const run* r)
{
    const double slack = same_time * r->end;
    double end = r->end;
    for (const br_profile* const* p = r->system->profiles; *p; p++) {
        end = fmin(end, br_profile_next_break(*p, r->t + slack));
    }
    return r->end - end < slack ? r->end : end;
}

static void restart(run* r)
{
    br_integrator_start(r->integrator, r->t, r->system->y);
}

br_status bri_run_tell(const br_run_watch* watch, double t, double end, br_reason* why)
{
    if (watch->progress) {
        watch->progress(t / end, watch->user);
    }
    if (watch->stop && watch->stop(t, watch->user)) {
        br_reason_set(why, "", "stopped at t = %.9g s", t);
        return BR_ERR_STOPPED;
    }
    return BR_OK;
}

// One step, its rows, and what an event at its end changes.
static br_status advance(run* r, double end, br_reason* why)
{
    int event = -1;
    const br_status status = br_integrator_step(r->integrator, end, &event, why);
    if (status != BR_OK) {
        return status;
    }
    r->t = br_integrator_t(r->integrator);
    write_rows(r, r->t);
    tell_passed(r, r->t, br_integrator_y(r->integrator));
    if (event >= 0) {
        memcpy(r->system->y, br_integrator_y(r->integrator), r->system->n * sizeof(double));
        if (r->system->switched(r->system->system, r->t, r->system->y, event)) {
            restart(r);
        }
    }
    return bri_run_tell(r->watch, r->t, r->end, why);
}

static br_status run_piece(run* r, br_reason* why)
{
    const double end = piece_end(r);
    r->system->enter(r->system->system, r->t, 0.5 * (r->t + end), r->system->y);
    restart(r);
    if (r->next_row == 0) {
        write_rows(r, r->t);
    }
    br_status status = BR_OK;
    while (status == BR_OK && r->t < end) {
        status = advance(r, end, why);
    }
    memcpy(r->system->y, br_integrator_y(r->integrator), r->system->n * sizeof(double));
    return status;
}

static br_status check_holds(const run_system* system, const br_run_def* def, br_reason* why)
{
    for (const br_profile* const* p = system->profiles; *p; p++) {
        if (!br_profile_has_instants(*p, def->duration)) {
            br_reason_set(why, "hold", "gives more than %g instants, got %g",
                          BR_PROFILE_MOST_INSTANTS, (*p)->hold);
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

br_status bri_run_all(const run_system* system, const br_run_def* def, const br_run_watch* watch,
                      br_integrator_cost* cost, br_reason* why)
{
    br_integrator_def how = br_integrator_def_default();
    how.kind = def->method;
    how.first_step = def->step; // 0 for the adaptive methods: chosen
    how.rtol = def->rtol;
    how.atol = system->atol;
    how.max_step = def->max_step;
    how.max_steps = SIZE_MAX; // a long run is the caller's wish; `stop` can end it
    run r = {
        .system = system, .def = def, .watch = watch, .end = def->duration, .rows = def->at_count};
    if (!def->at) {
        r.rows = (size_t)round(def->duration / def->every) + 1;
        r.end = fmax(def->duration, row_time(&r, r.rows - 1));
    }
    br_status status = check_holds(system, def, why);
    if (status == BR_OK) {
        status = br_integrator_create(&system->ode, &how, &r.integrator, why);
    }
    if (status == BR_OK) {
        r.integrator->passes = system->passes;
    }
    while (status == BR_OK && r.t < r.end) {
        status = run_piece(&r, why);
    }
    if (cost && r.integrator) {
        *cost = br_integrator_get_cost(r.integrator);
    }
    br_integrator_destroy(r.integrator);
    return status;
}
