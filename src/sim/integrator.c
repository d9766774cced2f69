/*
 * Common front end of the integrators: one step at a time, cut at events.
 *
 * The method is ahead of the caller, at `reach`; the caller is at `t <= reach`. An event moves the caller to
 * the event and leaves the method at `reach`, so no work is lost by an event.
 *
 * Event functions that change sign within the same bracket of 1e-12 of a step are one event. After an
 * event the next one of the same step is at least 1e-12 of the step later, after each further event
 * twice as much. So a step has at most about 40 events, for any functions.
 */
#include "base/definition.h"
#include "sim/integrator_internal.h"

#include "sim/states.h"

#include <math.h>
#include <string.h>

// Events are located to this share of the step.
static const double event_tolerance = 1e-12;

br_integrator_def br_integrator_def_default(void)
{
    return (br_integrator_def){.size = sizeof(br_integrator_def),
                               .kind = BR_INTEGRATOR_ROSENBROCK,
                               .rtol = 1e-6,
                               .max_step = HUGE_VAL,
                               .max_steps = 10000000};
}

static br_status check_ode(const br_ode* ode, br_integrator_kind kind, br_reason* why)
{
    const int dense = !ode->linearise && !ode->factor && !ode->solve;
    const int structured = !ode->jacobian && ode->linearise && ode->factor && ode->solve;
    const int enough =
        dense ? ode->jacobian || kind == BR_INTEGRATOR_CVODE || kind == BR_INTEGRATOR_FIXED
              : structured;
    if (kind == BR_INTEGRATOR_FIXED && !ode->advance) {
        br_reason_set(why, "ode.advance", "is missing for fixed steps");
        return BR_ERR_DEF;
    }
    if (ode->n < 1 || !ode->rate || !enough) {
        br_reason_set(why, "ode",
                      "needs n >= 1, a rate, and a jacobian or all of linearise, factor, "
                      "solve");
        return BR_ERR_DEF;
    }
    if (ode->apart > ode->n) {
        br_reason_set(why, "ode.apart", "must be at most n = %zu, got %zu", ode->n, ode->apart);
        return BR_ERR_DEF;
    }
    if (ode->events > 0 && !ode->event) {
        br_reason_set(why, "ode.event", "is missing for %zu events", ode->events);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static br_status check_def(const br_ode* ode, const br_integrator_def* def, br_reason* why)
{
    if (!(def->rtol >= 1e-14 && def->rtol < 1.0)) {
        br_reason_set(why, "rtol", "must be in [1e-14, 1), got %g", def->rtol);
        return BR_ERR_DEF;
    }
    for (size_t i = 0; i < ode->n; i++) {
        if (!def->atol || !(def->atol[i] > 0.0) || !isfinite(def->atol[i])) {
            br_reason_set(why, "atol", "must be finite and > 0 for each of %zu states", ode->n);
            return BR_ERR_DEF;
        }
    }
    if (!(def->first_step >= 0.0) || !isfinite(def->first_step)) {
        br_reason_set(why, "first_step", "must be finite and >= 0, got %g", def->first_step);
        return BR_ERR_DEF;
    }
    if (def->kind == BR_INTEGRATOR_FIXED && def->first_step == 0.0) {
        br_reason_set(why, "first_step", "must be > 0 for fixed steps");
        return BR_ERR_DEF;
    }
    if (!(def->max_step > 0.0)) {
        br_reason_set(why, "max_step", "must be > 0, got %g", def->max_step);
        return BR_ERR_DEF;
    }
    if (def->max_steps < 1) {
        br_reason_set(why, "max_steps", "must be >= 1");
        return BR_ERR_DEF;
    }
    if (def->kind != BR_INTEGRATOR_ROSENBROCK && def->kind != BR_INTEGRATOR_CVODE &&
        def->kind != BR_INTEGRATOR_FIXED) {
        br_reason_set(
            why, "kind",
            "must be BR_INTEGRATOR_ROSENBROCK, BR_INTEGRATOR_CVODE or BR_INTEGRATOR_FIXED, got %d",
            (int)def->kind);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

// One block for the arrays of the front end: atol, reach_y, y_trial (n), g, g_trial (events).
static br_status allocate_arrays(br_integrator* s, br_reason* why)
{
    const size_t n = s->ode.n, events = s->ode.events;
    const size_t stride = states_stride(n), lead = states_lead(s->ode.apart);
    s->memory = br_allocate(lead + 3 * stride + 2 * events, sizeof(double));
    s->switched = br_allocate(events + 1, sizeof *s->switched);
    if (!s->memory || !s->switched) {
        br_reason_set(why, "", "no memory for %zu states", n);
        return BR_ERR_MEMORY;
    }
    double* atol = s->memory + lead;
    memcpy(atol, s->def.atol, n * sizeof *atol);
    s->def.atol = atol;
    s->y = s->reach_y = atol + stride;
    s->y_trial = s->reach_y + stride;
    s->g = s->y_trial + stride;
    s->g_trial = s->g + events;
    return BR_OK;
}

static const integrator_method* method_of(br_integrator_kind kind)
{
    return kind == BR_INTEGRATOR_CVODE   ? &bri_cvode_method
           : kind == BR_INTEGRATOR_FIXED ? &bri_fixed_method
                                         : &bri_rosenbrock_method;
}

bool br_integrator_has(br_integrator_kind kind)
{
    return method_of(kind)->step; // NULL if it is not in this build
}

br_ode br_ode_default(void)
{
    return (br_ode){.size = sizeof(br_ode)};
}

br_status br_integrator_create(const br_ode* given_ode, const br_integrator_def* given,
                               br_integrator** out, br_reason* why)
{
    BR_ASSERT(given_ode && given && out);
    *out = NULL;
    br_ode ode = br_ode_default();
    br_integrator_def def = br_integrator_def_default();
    br_status status = DEFINITION_READ(br_ode, given_ode, &ode, why);
    status = status == BR_OK ? DEFINITION_READ(br_integrator_def, given, &def, why) : status;
    status = status == BR_OK ? check_ode(&ode, def.kind, why) : status;
    status = status == BR_OK ? check_def(&ode, &def, why) : status;
    if (status != BR_OK) {
        return status;
    }
    br_integrator* s = br_allocate(1, sizeof *s);
    if (!s) {
        br_reason_set(why, "", "no memory for an integrator");
        return BR_ERR_MEMORY;
    }
    s->ode = ode;
    s->def = def;
    s->method = method_of(def.kind);
    status = allocate_arrays(s, why);
    if (status == BR_OK) {
        status = s->method->create(s, why);
    }
    if (status != BR_OK) {
        br_integrator_destroy(s);
        return status;
    }
    *out = s;
    return BR_OK;
}

void br_integrator_destroy(br_integrator* s)
{
    if (!s) {
        return;
    }
    if (s->data) {
        s->method->destroy(s);
    }
    br_release(s->switched);
    br_release(s->memory);
    br_release(s);
}

void br_integrator_start(br_integrator* s, double t, const double* y)
{
    BR_ASSERT(s && y);
    memmove(s->reach_y, y, s->ode.n * sizeof *y);
    s->y = s->reach_y;
    s->t = s->reach = t;
    s->attempts = 0;
    s->cuts = 0;
    s->is_at_event = 0;
    s->start = t;
    if (s->ode.events > 0) {
        s->ode.event(t, s->y, s->g, s->ode.user);
    }
    s->method->start(s);
}

br_status bri_integrator_stuck(const br_integrator* s, const char* what, br_reason* why)
{
    br_reason_set(why, "", "%s at t = %.9g s", what, s->reach);
    return BR_ERR_CONVERGENCE;
}

// Evaluate the event functions at a time within the method's last step; returns the state there.
static const double* evaluate_events(br_integrator* s, double t)
{
    const double* y = s->reach_y;
    if (t != s->reach) {
        s->method->at(s, t, s->y_trial);
        y = s->y_trial;
    }
    if (s->ode.events > 0) {
        s->ode.event(t, y, s->g_trial, s->ode.user);
    }
    return y;
}

// Value of event function `i` at a time within the method's last step.
static double event_at(br_integrator* s, size_t i, double t)
{
    evaluate_events(s, t);
    return s->g_trial[i];
}

// Has an event function with the value `before` reached zero or the other sign? Never if it was 0.
static int has_switched(double before, double now)
{
    return before > 0.0 ? now <= 0.0 : before < 0.0 ? now >= 0.0 : 0;
}

// Part of a step.
typedef struct bracket {
    double a, b; // [s]
} bracket;

// A point inside (a, b): where the line through both values is zero, or the middle.
static double trial_point(double a, double b, double ga, double gb, int bisect)
{
    const double line = a + (b - a) * (ga / (ga - gb));
    return !bisect && line > a && line < b ? line : 0.5 * (a + b);
}

// Shrink [a, b], in which event function `i` changes sign, to the tolerance: it has its new sign at b.
// Regula falsi that halves the value at the end which stays (Illinois). Every third round is a bisection,
// so that 200 rounds reach the tolerance for any function.
static bracket locate(br_integrator* s, size_t i, bracket in, double ga, double gb)
{
    double a = in.a, b = in.b;
    const double tolerance = event_tolerance * (b - a), before = ga;
    int last_side = 0; // -1: a moved last, 1: b moved last
    for (int round = 0; round < 200 && b - a > tolerance; round++) {
        const double t = trial_point(a, b, ga, gb, round % 3 == 2);
        if (!(t > a && t < b)) {
            break; // no double between them
        }
        const double g = event_at(s, i, t);
        if (has_switched(before, g)) {
            b = t, gb = g;
            ga *= last_side == 1 ? 0.5 : 1.0;
            last_side = 1;
        } else {
            a = t, ga = g;
            gb *= last_side == -1 ? 0.5 : 1.0;
            last_side = -1;
        }
    }
    return (bracket){a, b};
}

// First event function that has switched at the last evaluate_events(); -1 if there is none.
static int find_switched(const br_integrator* s)
{
    for (int i = 0; i < (int)s->ode.events; i++) {
        if (has_switched(s->g[i], s->g_trial[i])) {
            return i;
        }
    }
    return -1;
}

// The first event in (from, end]. None has switched at `from`, and the last evaluate_events() was at `end`.
// A function that has already switched at the left end of a bracket did so earlier: search there again.
static double first_event(br_integrator* s, double from, double end)
{
    bracket in = {from, end};
    for (size_t round = 0; round < 2 * s->ode.events; round++) {
        const int i = find_switched(s);
        if (i < 0) {
            break; // all events are within the last bracket
        }
        in = locate(s, (size_t)i, in, s->g[i], s->g_trial[i]);
        end = in.b;
        evaluate_events(s, in.a);
        in = (bracket){from, in.a};
    }
    return end;
}

// Smallest advance of the caller after an event within the same step [s].
static double min_progress(const br_integrator* s)
{
    return s->cuts == 0 ? 0.0 : ldexp(event_tolerance * (s->reach - s->start), s->cuts - 1);
}

// Move the caller to the first event up to `end`, or to `end`.
static void move_caller(br_integrator* s, double end)
{
    const double from = fmin(s->t + min_progress(s), end);
    const double* y = s->cuts > 0 ? evaluate_events(s, from) : NULL;
    s->t = from;
    if (!y || (from < end && find_switched(s) < 0)) {
        y = evaluate_events(s, end);
        s->t = end;
        if (find_switched(s) >= 0) {
            s->t = first_event(s, from, end);
            y = evaluate_events(s, s->t);
        }
    }
    s->y = y;
}

// The same; returns the first function that switched there, -1 if there is none.
static int cut_at_event(br_integrator* s, double end)
{
    move_caller(s, end);
    const int first = find_switched(s);
    for (size_t i = 0; i < s->ode.events; i++) {
        s->switched[i] = has_switched(s->g[i], s->g_trial[i]);
    }
    memcpy(s->g, s->g_trial, s->ode.events * sizeof *s->g);
    s->is_at_event = first >= 0;
    s->cuts += s->is_at_event;
    return first;
}

// One step of the method, which starts at the caller's time.
static br_status step_method(br_integrator* s, double t_end, br_reason* why)
{
    s->cuts = 0;
    s->start = s->reach;
    return s->method->step(s, t_end, why);
}

br_status br_integrator_step(br_integrator* s, double t_end, int* event, br_reason* why)
{
    BR_ASSERT(s);
    if (!(t_end > s->t)) {
        br_reason_set(why, "t_end", "must be after t = %.9g s, got %.9g s", s->t, t_end);
        return BR_ERR_ARG;
    }
    if (s->is_at_event) {
        s->ode.event(s->t, s->y, s->g, s->ode.user); // the caller may have changed the system
    }
    if (s->t >= s->reach) {
        const br_status status = step_method(s, t_end, why);
        if (status != BR_OK) {
            return status;
        }
    }
    const int first = cut_at_event(s, fmin(s->reach, t_end));
    if (event) {
        *event = first;
    }
    return BR_OK;
}

bool br_integrator_has_switched(const br_integrator* s, size_t i)
{
    BR_ASSERT(s && i < s->ode.events);
    return s->switched[i];
}

double br_integrator_get_t(const br_integrator* s)
{
    return s->t;
}

const double* br_integrator_get_y(const br_integrator* s)
{
    return s->y;
}

void br_integrator_at(const br_integrator* s, double t, double* y)
{
    s->method->at(s, t, y);
}

br_integrator_cost br_integrator_get_cost(const br_integrator* s)
{
    return s->cost;
}
