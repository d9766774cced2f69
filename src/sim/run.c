/*
 * Run of a scenario: from break to break of its profiles, with a row at every requested time.
 */
#include "sim/run.h"
#include "base/definition.h"

#include "bristle/math.h"
#include "sim/integrator_internal.h"
#include "sim/stepping.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

// Breaks closer together than this share of the duration are one; so are a row and a break.
static const double same_time = 1e-12;

// A last row closer to the previous one than this share of `every` is the same row.
static const double same_row = 1e-6;

// A run has stalled if this number of consecutive steps advance it by less than this share of its
// duration: it would then need 1e11 steps.
enum { MAX_WITHOUT_PROGRESS = 100000 };
static const double min_progress = 1e-6;

// Number of rows that can be counted exactly.
static const double max_rows = 1e15;
static const double max_steps = 1e9;      // of a fixed size
static const double default_rows = 200.0; // besides the first

br_run_def br_run_def_default(void)
{
    return (br_run_def){.size = sizeof(br_run_def),
                        .duration = 1.0,
                        .method = BR_INTEGRATOR_ROSENBROCK,
                        .max_step = HUGE_VAL,
                        .columns = BR_COLUMNS_ALL};
}

br_run_watch br_run_watch_default(void)
{
    return (br_run_watch){.size = sizeof(br_run_watch)};
}

const char* br_event_get_name(br_event_kind kind)
{
#define TEXT(name, text) text,
    static const char* const names[] = {BR_EVENT_LIST(TEXT)};
#undef TEXT
    return (unsigned)kind < BR_EVENT_COUNT ? names[kind] : NULL;
}

// --- checks of the definition ----------------------------------------------------------------------

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

static br_status check_times(double start, const br_run_def* def, br_reason* why)
{
    const double end = start + def->duration;
    for (size_t i = 0; i < def->at_count; i++) {
        const int follows = i == 0 ? def->at[i] >= start : def->at[i] > def->at[i - 1];
        if (!follows || !(def->at[i] <= end)) {
            br_reason_set(why, "at", "must increase within [%g, %g], but entry %zu is %g", start,
                          end, i, def->at[i]);
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
    const unsigned of_bodies = BR_COLUMNS_WORLD | BR_COLUMNS_BRISTLES;
    if (!(def->columns & BR_COLUMNS_MAIN) ||
        (def->columns & ~(BR_COLUMNS_ALL | (kind->is_body ? of_bodies : 0u)))) {
        br_reason_set(
            why, "columns",
            "must be a sum of br_column_set with BR_COLUMNS_MAIN, those beyond BR_COLUMNS_ALL "
            "for bodies alone; got %u",
            def->columns);
        return BR_ERR_DEF;
    }
    if (def->ends_only && !kind->is_body) {
        return refuse("ends_only", "must be 0: only runs of bodies can leave rows out", why);
    }
    if (def->at) {
        return def->every != 0.0
                   ? refuse("every", "must be 0 where `at` gives the times of rows", why)
                   : check_times(kind->start, def, why);
    }
    if (def->every != 0.0 && positive("every", def->every, why) != BR_OK) {
        return BR_ERR_DEF;
    }
    if (def->every != 0.0 && !(def->duration / def->every < max_rows)) {
        br_reason_set(why, "every", "gives more than %g rows, got %g", max_rows, def->every);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

// A tolerance must be 0, or in [min, max) if this kind of run has it (own != 0).
static br_status check_tolerance(const char* field, double value, double own, double min,
                                 double max, br_reason* why)
{
    if (value == 0.0) {
        return BR_OK;
    }
    if (own == 0.0) {
        return refuse(field, "must be 0: this run has nothing with such a tolerance", why);
    }
    if (value >= min && value < max) {
        return BR_OK;
    }
    br_reason_set(why, field, "must be in [%g, %g), or 0 for the run's own, got %g", min, max,
                  value);
    return BR_ERR_DEF;
}

static br_status check_adaptive(const run_kind* kind, const br_run_def* def, br_reason* why)
{
    if (!kind->is_adaptive) {
        return refuse("method", "must be BR_INTEGRATOR_FIXED: this run takes steps of one size",
                      why);
    }
    if (def->step != 0.0) {
        return refuse("step", "must be 0: it is that of fixed steps, method BR_INTEGRATOR_FIXED",
                      why);
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

// Only the Rosenbrock method records and repeats its steps.
static br_status check_steps(const br_run_def* def, br_reason* why)
{
    if (def->repeats_steps && !def->steps) {
        return refuse("repeats_steps", "must be 0 without `steps`", why);
    }
    return def->steps && def->method != BR_INTEGRATOR_ROSENBROCK
               ? refuse("steps", "must be NULL: only BR_INTEGRATOR_ROSENBROCK records its steps",
                        why)
               : BR_OK;
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
    if (def->duration / def->step > max_steps) {
        br_reason_set(why, "step", "gives more than %g steps, got %g", max_steps, def->step);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static br_status check_watch(const run_kind* kind, const br_run_watch* watch, br_reason* why)
{
    if (!watch->row) {
        return refuse("row", "must be set: it gets every row", why);
    }
    if (watch->event && !kind->has_events) {
        return refuse("event", "must be NULL: this run has none", why);
    }
    return BR_OK;
}

static double value_or(double value, double default_value)
{
    return value != 0.0 ? value : default_value;
}

br_status bri_run_check(const run_kind* kind, const br_run_def* def,
                        const br_run_watch* given_watch, br_run_def* full, br_run_watch* watch,
                        br_reason* why)
{
    *full = br_run_def_default();
    *watch = br_run_watch_default();
    br_status status = DEFINITION_READ(br_run_def, def, full, why);
    status = status == BR_OK ? DEFINITION_READ(br_run_watch, given_watch, watch, why) : status;
    status = status == BR_OK ? check_watch(kind, watch, why) : status;
    status = status == BR_OK ? check_rows(kind, full, why) : status;
    if (status == BR_OK) {
        status = full->method == BR_INTEGRATOR_FIXED ? check_fixed(kind, full, why)
                                                     : check_adaptive(kind, full, why);
    }
    status = status == BR_OK ? check_steps(full, why) : status;
    full->every = full->at ? 0.0 : value_or(full->every, full->duration / default_rows);
    full->rtol = value_or(full->rtol, kind->rtol);
    full->atol = value_or(full->atol, kind->atol);
    full->atol_z = value_or(full->atol_z, kind->atol_z);
    return status;
}

double bri_profile_longest_step(const br_profile* p)
{
    if (p->hold == 0.0 && (p->kind == BR_PROFILE_MOVE || p->kind == BR_PROFILE_ACCELERATE)) {
        return p->duration / 16.0; // a move is half an oscillation
    }
    const int oscillates = p->kind == BR_PROFILE_SINE && p->hold == 0.0 && p->frequency != 0.0;
    return oscillates ? 1.0 / (32.0 * fabs(p->frequency)) : HUGE_VAL;
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
    // a tenth of the speed, or of the speed from which it stops within a bristle's deflection
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

size_t br_run_def_get_row_count(const br_run_def* def)
{
    BR_ASSERT(def);
    if (def->at) {
        return def->at_count;
    }
    const double parts = def->every > 0.0 ? def->duration / def->every : default_rows;
    const int is_multiple = round(parts) >= 1.0 && fabs(parts - round(parts)) <= same_row;
    return (size_t)(is_multiple ? round(parts) : ceil(parts)) + 1;
}

static double row_time(const run_progress* r, size_t row)
{
    if (r->def->at) {
        return r->def->at[row];
    }
    return row + 1 == r->rows ? r->system->start + r->def->duration
                              : r->system->start + bri_stepping_time(row, r->def->every);
}

static void report_passed(const run_progress* r, double t, const double* y)
{
    if (r->system->passed) {
        r->system->passed(r->system->system, r->integrator, t, y);
    }
}

static int is_left_out(const run_progress* r, size_t row)
{
    return r->def->ends_only && row > 0 && row + 1 < r->rows;
}

// Times closer together than this are equal [s].
static double slack_of(const run_progress* r)
{
    return same_time * fmax(fabs(r->end), r->end - r->system->start);
}

static double fraction_at(const run_progress* r, double t)
{
    return (t - r->system->start) / (r->end - r->system->start);
}

// Write all rows up to time t, from the last step's interpolant. A step of a body at rest may have all rows of a run, so
// that they, too, can be stopped.
static br_status write_rows(run_progress* r, double t, br_reason* why)
{
    enum { ROWS_BETWEEN_REPORTS = 4096 };
    const double slack = slack_of(r);
    size_t written = 0;
    br_status status = BR_OK;
    for (; status == BR_OK && r->next_row < r->rows && row_time(r, r->next_row) <= t + slack;
         r->next_row++) {
        const double time = row_time(r, r->next_row);
        if (is_left_out(r, r->next_row)) {
            continue;
        }
        if (time >= t) {
            memcpy(r->system->y, br_integrator_get_y(r->integrator), r->system->n * sizeof(double));
        } else {
            br_integrator_at(r->integrator, time, r->system->y);
        }
        report_passed(r, fmin(time, t), r->system->y);
        r->system->emit(r->system->system, time, r->system->y);
        if (++written % ROWS_BETWEEN_REPORTS == 0) {
            status = bri_run_report(r->watch, time, fraction_at(r, time), why);
        }
    }
    return status;
}

// The end of the smooth piece that starts at t; r->end if it is close to it.
static double find_piece_end(const run_progress* r)
{
    const double slack = slack_of(r);
    double end = HUGE_VAL;
    for (const br_profile* const* p = r->system->profiles; *p; p++) {
        end = fmin(end, br_profile_next_break(*p, r->t + slack));
    }
    return fabs(r->end - end) < slack ? r->end : end;
}

static void restart(run_progress* r)
{
    br_integrator_start(r->integrator, r->t, r->system->y);
}

br_status bri_run_report(const br_run_watch* watch, double t, double fraction, br_reason* why)
{
    if (watch->progress) {
        watch->progress(fraction, watch->user);
    }
    if (watch->stop && watch->stop(t, watch->user)) {
        br_reason_set(why, "", "stopped at t = %.9g s", t);
        return BR_ERR_STOPPED;
    }
    return BR_OK;
}

// Count a step; fails if the run has stalled.
static br_status check_progress(run_progress* r, int is_event, br_reason* why)
{
    r->steps++;
    r->events += is_event != 0;
    if (r->t - r->mark > min_progress * (r->end - r->system->start)) {
        r->mark = r->t;
        r->steps = r->events = 0;
    }
    if (r->steps < MAX_WITHOUT_PROGRESS) {
        return BR_OK;
    }
    br_reason_set(why, "",
                  "stalled at t = %.9g s: the last %zu steps, of which %zu ended at events, "
                  "advanced by %.3g s",
                  r->t, r->steps, r->events, r->t - r->mark);
    return BR_ERR_CONVERGENCE;
}

// Record or repeat an event that restarts the integration.
static br_status mark_event(const run_progress* r, int event, br_reason* why)
{
    br_run_steps* steps = r->def->steps;
    if (!steps) {
        return BR_OK;
    }
    if (!r->def->repeats_steps) {
        return bri_run_steps_add(steps, (run_mark){0.0, false, event}, why);
    }
    return bri_run_steps_take_event(steps, event) ? BR_OK : bri_run_steps_another_course(r->t, why);
}

// Report all events of this instant to the system, in the order of their functions.
static br_status switch_at_event(run_progress* r, int event, br_reason* why)
{
    const run_system* system = r->system;
    int is_changed = 0;
    memcpy(system->y, br_integrator_get_y(r->integrator), system->n * sizeof(double));
    for (size_t i = 0; i < system->ode.events; i++) {
        if (br_integrator_has_switched(r->integrator, i)) {
            is_changed |= system->switched(system->system, r->t, system->y, (int)i);
        }
    }
    if (!is_changed) {
        return BR_OK;
    }
    restart(r);
    return mark_event(r, event, why);
}

// One step, its rows, and the event at its end.
static br_status advance(run_progress* r, double end, br_reason* why)
{
    int event = -1;
    br_status status = br_integrator_step(r->integrator, end, &event, why);
    if (status != BR_OK) {
        return status;
    }
    r->t = br_integrator_get_t(r->integrator);
    status = write_rows(r, r->t, why);
    if (status != BR_OK) {
        return status;
    }
    report_passed(r, r->t, br_integrator_get_y(r->integrator));
    status = event >= 0 ? switch_at_event(r, event, why) : BR_OK;
    if (status != BR_OK) {
        return status;
    }
    if (r->system->fails && *r->system->fails) {
        return BR_ERR_DEF;
    }
    const br_status stalled = check_progress(r, event >= 0, why);
    return stalled == BR_OK ? bri_run_report(r->watch, r->t, fraction_at(r, r->t), why) : stalled;
}

// Continue through the smooth piece around t, up to its end or r->end.
static br_status run_piece(run_progress* r, br_reason* why)
{
    if (!(r->t < r->piece_end)) {
        r->piece_end = find_piece_end(r);
        const double end = fmin(r->piece_end, r->end);
        r->system->enter(r->system->system, r->t, 0.5 * (r->t + end), r->system->y);
    }
    restart(r);
    br_status status = r->next_row == 0 ? write_rows(r, r->t, why) : BR_OK;
    const double end = fmin(r->piece_end, r->end);
    while (status == BR_OK && r->t < end) {
        status = advance(r, end, why);
    }
    memcpy(r->system->y, br_integrator_get_y(r->integrator), r->system->n * sizeof(double));
    return status;
}

br_status bri_run_to(run_progress* r, double end, br_reason* why)
{
    br_status status = BR_OK;
    r->end = end;
    r->mark = r->t;
    r->steps = r->events = 0;
    while (status == BR_OK && r->t < end) {
        status = run_piece(r, why);
    }
    return status;
}

static br_status check_holds(const run_system* system, const br_run_def* def, br_reason* why)
{
    const double end = system->start + def->duration;
    for (const br_profile* const* p = system->profiles; *p; p++) {
        if (!br_profile_has_instants(*p, end)) {
            br_reason_set(why, "hold", "gives more than %g instants, got %g",
                          BR_PROFILE_MOST_INSTANTS, (*p)->hold);
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

br_status bri_run_create(run_progress* r, const run_system* system, const br_run_def* def,
                         const br_run_watch* watch, br_reason* why)
{
    br_integrator_def how = br_integrator_def_default();
    how.kind = def->method;
    how.first_step = def->step; // 0 for the adaptive methods: chosen
    how.rtol = def->rtol;
    how.atol = system->atol;
    how.max_step = def->max_step;
    how.max_steps = SIZE_MAX; // the caller decides how long a run is; `stop` can end it
    *r = (run_progress){.system = system,
                        .def = def,
                        .watch = watch,
                        .t = system->start,
                        .piece_end = system->start};
    br_status status = check_holds(system, def, why);
    if (status == BR_OK) {
        status = br_integrator_create(&system->ode, &how, &r->integrator, why);
    }
    if (status == BR_OK) {
        r->integrator->passes = system->passes;
        r->integrator->steps = def->steps;
        r->integrator->repeats_steps = def->repeats_steps;
    }
    if (status == BR_OK && def->steps) {
        status = bri_run_steps_start(def->steps, def->repeats_steps, system->n, why);
    }
    return status;
}

void bri_run_release(run_progress* r)
{
    br_integrator_destroy(r->integrator);
    r->integrator = NULL;
}

br_status bri_run_all(const run_system* system, const br_run_def* def, const br_run_watch* watch,
                      br_integrator_cost* cost, br_reason* why)
{
    run_progress r;
    br_status status = bri_run_create(&r, system, def, watch, why);
    r.rows = br_run_def_get_row_count(def);
    if (status == BR_OK) {
        status = bri_run_to(&r, system->start + def->duration, why);
    }
    if (cost && r.integrator) {
        *cost = br_integrator_get_cost(r.integrator);
    }
    bri_run_release(&r);
    return status;
}
