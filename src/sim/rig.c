/*
 * A mass on friction, pulled by a spring:  m x'' = k (pull t - x) + force(t) - f.
 *
 * With a bristle law: three states (x, v, z). With a memoryless law: two states (x, v) and a mode;
 * sliding ends where v reaches 0, sticking where the pull reaches the largest static friction.
 */
#include "bristle/rig.h"

#include "bristle/math.h"

#include <float.h>

#include "base/definition.h"
#include "sim/run.h"

#define MAIN(X)                                                                                    \
    X("t", "s", NULL, t), X("x", "m", NULL, y[0]), X("v", "m/s", NULL, y[1]),                      \
        X("f", "N", NULL, f), X("z", "m", NULL, z)

static const br_column main_columns[] = {MAIN(COLUMN_ENTRY)};
static const column_group groups[] = {COLUMN_GROUP(main_columns, BR_COLUMNS_MAIN, 1)};

size_t br_rig_get_columns(unsigned sets, br_column* out)
{
    return bri_columns_list(groups, 1, 1, sets, out);
}

static void emit(const run_row* row, double t, const double* y, double f, double z)
{
    double* to = row->values;
    MAIN(COLUMN_VALUE);
    bri_row_emit(row);
}

// --- bristle laws ---------------------------------------------------------------------------------

// Spring and applied force on the mass, and their time derivative at rest.
static double pull_on_mass(const br_rig* rig, double t, double x, double within, double* slope)
{
    double force_slope;
    const double force = br_profile_eval(&rig->force, t, within, &force_slope);
    if (slope) {
        *slope = rig->stiffness * rig->pull + force_slope;
    }
    return rig->stiffness * (rig->pull * t - x) + force;
}

static void bristle_rate(double t, const double* y, double* dy, void* user)
{
    const br_rig_system* s = user;
    const br_rig* rig = s->rig;
    const double fn = br_profile_eval(&rig->normal_force, t, s->within, NULL);
    const br_law_value friction = br_law_eval(&rig->law, y[2], y[1], fn);
    dy[0] = y[1];
    dy[1] = (pull_on_mass(rig, t, y[0], s->within, NULL) - friction.f) / rig->mass;
    dy[2] = friction.dz;
}

static void bristle_jacobian(double t, const double* y, double* out, double* dfdt, void* user)
{
    const br_rig_system* s = user;
    const br_rig* rig = s->rig;
    double fn_slope, pull_slope;
    const double fn = br_profile_eval(&rig->normal_force, t, s->within, &fn_slope);
    const br_law_gradient d = br_law_gradient_eval(&rig->law, y[2], y[1], fn);
    pull_on_mass(rig, t, y[0], s->within, &pull_slope);

    out[0] = 0.0, out[1] = 1.0, out[2] = 0.0;
    out[3] = -rig->stiffness / rig->mass, out[4] = -d.f_v / rig->mass, out[5] = -d.f_z / rig->mass;
    out[6] = 0.0, out[7] = d.dz_v, out[8] = d.dz_z;
    dfdt[0] = 0.0;
    dfdt[1] = (pull_slope - d.f_fn * fn_slope) / rig->mass;
    dfdt[2] = d.dz_fn * fn_slope;
}

static double profile_step_limit(const br_rig* rig)
{
    return fmin(bri_profile_longest_step(&rig->force),
                bri_profile_longest_step(&rig->normal_force));
}

static double bristle_longest_step(double t, const double* y, void* user)
{
    (void)t;
    const br_rig* rig = ((br_rig_system*)user)->rig;
    return fmin(profile_step_limit(rig), bri_law_longest_step(&rig->law, y[2], y[1]));
}

br_ode br_rig_ode(br_rig_system* system)
{
    BR_ASSERT(system && br_law_has_state(system->rig->law.kind));
    return (br_ode){.size = sizeof(br_ode),
                    .n = 3,
                    .rate = bristle_rate,
                    .jacobian = bristle_jacobian,
                    .longest_step = bristle_longest_step,
                    .user = system};
}

// A run of these equations.
typedef struct bristle_run {
    br_rig_system equations;
    const run_row* row;
} bristle_run;

static void bristle_enter(void* system, double t, double within, double* y)
{
    (void)t, (void)y;
    ((bristle_run*)system)->equations.within = within;
}

static void bristle_emit(void* system, double t, const double* y)
{
    const bristle_run* s = system;
    const br_rig* rig = s->equations.rig;
    const double fn = br_profile_eval(&rig->normal_force, t, s->equations.within, NULL);
    const double f = br_law_eval(&rig->law, y[2], y[1], fn).f;
    emit(s->row, t, y, f, y[2]);
}

// --- memoryless laws ------------------------------------------------------------------------------

typedef struct switching {
    const br_rig* rig;
    const br_run_watch* watch;
    const run_row* row;
    double within;
    double direction; // of sliding: +1, -1; 0: sticks
} switching;

static void switching_rate(double t, const double* y, double* dy, void* user)
{
    const switching* s = user;
    dy[0] = dy[1] = 0.0;
    if (s->direction != 0.0) {
        const double fn = br_profile_eval(&s->rig->normal_force, t, s->within, NULL);
        const double f = br_law_sliding(&s->rig->law, y[1], s->direction, fn, NULL);
        dy[0] = y[1];
        dy[1] = (pull_on_mass(s->rig, t, y[0], s->within, NULL) - f) / s->rig->mass;
    }
}

static void switching_jacobian(double t, const double* y, double* out, double* dfdt, void* user)
{
    const switching* s = user;
    out[0] = out[1] = out[2] = out[3] = dfdt[0] = dfdt[1] = 0.0;
    if (s->direction == 0.0) {
        return;
    }
    double fn_slope, pull_slope, f_v;
    const double fn = br_profile_eval(&s->rig->normal_force, t, s->within, &fn_slope);
    br_law_sliding(&s->rig->law, y[1], s->direction, fn, &f_v);
    const double f_fn = br_law_sliding(&s->rig->law, y[1], s->direction, 1.0, NULL);
    pull_on_mass(s->rig, t, y[0], s->within, &pull_slope);
    out[1] = 1.0;
    out[2] = -s->rig->stiffness / s->rig->mass;
    out[3] = -f_v / s->rig->mass;
    dfdt[1] = (pull_slope - f_fn * fn_slope) / s->rig->mass;
}

static double switching_longest_step(double t, const double* y, void* user)
{
    (void)t, (void)y;
    return profile_step_limit(((switching*)user)->rig);
}

// Largest static friction minus the pull; negative: it slips.
static double hold_margin(const switching* s, double t, double x)
{
    const double fn = br_profile_eval(&s->rig->normal_force, t, s->within, NULL);
    return br_law_holding(&s->rig->law, fn) - fabs(pull_on_mass(s->rig, t, x, s->within, NULL));
}

// Rate of that margin while the mass is at rest.
static double hold_margin_rate(const switching* s, double t, double x)
{
    double fn_slope, pull_slope;
    br_profile_eval(&s->rig->normal_force, t, s->within, &fn_slope);
    const double pull = pull_on_mass(s->rig, t, x, s->within, &pull_slope);
    return br_law_holding(&s->rig->law, fn_slope) - (pull < 0.0 ? -pull_slope : pull_slope);
}

// g[0]: the mode ends where it becomes negative; DBL_MIN allows a mode to start at its own limit. g[1]: the
// rate of g[0]; steps are cut at extremes of g[0], so that no short negative interval is missed.
static void switching_event(double t, const double* y, double* g, void* user)
{
    const switching* s = user;
    if (s->direction == 0.0) {
        g[0] = hold_margin(s, t, y[0]) + DBL_MIN;
        g[1] = hold_margin_rate(s, t, y[0]);
    } else {
        double dy[2];
        switching_rate(t, y, dy, user);
        g[0] = s->direction * y[1] + DBL_MIN;
        g[1] = dy[1];
    }
}

// At rest: stick if friction can hold the pull, else slide in its direction.
static void decide_at_rest(switching* s, double t, double* y)
{
    const double before = s->direction;
    const double pull = pull_on_mass(s->rig, t, y[0], s->within, NULL);
    y[1] = 0.0;
    s->direction = hold_margin(s, t, y[0]) >= 0.0 ? 0.0 : pull > 0.0 ? 1.0 : -1.0;
    if (s->watch->event && (before == 0.0) != (s->direction == 0.0)) {
        const br_event_kind kind = s->direction != 0.0 ? BR_EVENT_SLIP : BR_EVENT_STICK;
        s->watch->event(&(br_run_event){.t = t, .kind = kind}, s->watch->user);
    }
}

static void switching_enter(void* system, double t, double within, double* y)
{
    switching* s = system;
    s->within = within;
    if (y[1] == 0.0) {
        decide_at_rest(s, t, y);
    }
}

static int switching_switched(void* system, double t, double* y, int event)
{
    (void)event;
    const switching* s = system;
    if (s->direction * y[1] <= 0.0) { // not at an extreme of the speed
        decide_at_rest(system, t, y);
    }
    return 1;
}

static void switching_emit(void* system, double t, const double* y)
{
    const switching* s = system;
    const double fn = br_profile_eval(&s->rig->normal_force, t, s->within, NULL);
    const double f = s->direction == 0.0
                         ? pull_on_mass(s->rig, t, y[0], s->within, NULL)
                         : br_law_sliding(&s->rig->law, y[1], s->direction, fn, NULL);
    emit(s->row, t, y, f, 0.0);
}

// --- both -----------------------------------------------------------------------------------------

static br_status check(const br_rig* rig, double duration, br_reason* why)
{
    if (!(rig->mass > 0.0) || !isfinite(rig->mass)) {
        br_reason_set(why, "mass", "must be finite and > 0, got %g", rig->mass);
        return BR_ERR_DEF;
    }
    if (!(rig->stiffness >= 0.0) || !isfinite(rig->stiffness)) {
        br_reason_set(why, "stiffness", "must be finite and >= 0, got %g", rig->stiffness);
        return BR_ERR_DEF;
    }
    if (!isfinite(rig->pull)) {
        br_reason_set(why, "pull", "must be finite, got %g", rig->pull);
        return BR_ERR_DEF;
    }
    br_status status = br_law_check(&rig->law, why);
    if (status == BR_OK) {
        status = bri_check_profile(&rig->force, "force", why);
    }
    return status == BR_OK
               ? bri_check_normal_force(&rig->normal_force, duration, "normal_force", why)
               : status;
}

static const run_kind kind = {
    .is_adaptive = 1, .has_events = 1, .rtol = BR_RTOL, .atol = BR_ATOL, .atol_z = BR_ATOL_Z};

br_rig br_rig_default(void)
{
    return (br_rig){.size = sizeof(br_rig),
                    .mass = 1.0,
                    .law = br_law_default(BR_LAW_COULOMB),
                    .normal_force = br_profile_constant(1.0)};
}

br_status br_rig_run(const br_rig* given, const br_run_def* def, const br_run_watch* given_watch,
                     br_integrator_cost* cost, br_reason* why)
{
    BR_ASSERT(given && def && given_watch);
    br_rig rig = br_rig_default();
    br_run_def full;
    br_run_watch watch;
    br_status status = DEFINITION_READ(br_rig, given, &rig, why);
    status = status == BR_OK ? bri_run_check(&kind, def, given_watch, &full, &watch, why) : status;
    status = status == BR_OK ? check(&rig, full.duration, why) : status;
    if (status != BR_OK) {
        return status;
    }
    double y[3] = {0.0, 0.0, 0.0};
    const double atol[3] = {full.atol, full.atol, full.atol_z};
    const br_profile* const profiles[] = {&rig.force, &rig.normal_force, NULL};
    run_system system = {.y = y, .atol = atol, .profiles = profiles};

    run_row row;
    bristle_run bristle = {.equations = {.rig = &rig}, .row = &row};
    switching modes = {.rig = &rig, .watch = &watch, .row = &row};
    if (br_law_has_state(rig.law.kind)) {
        system.system = &bristle;
        system.ode = br_rig_ode(&bristle.equations);
        system.enter = bristle_enter;
        system.emit = bristle_emit;
    } else {
        system.system = &modes;
        system.ode = (br_ode){.size = sizeof(br_ode),
                              .n = 2,
                              .rate = switching_rate,
                              .jacobian = switching_jacobian,
                              .longest_step = switching_longest_step,
                              .events = 2,
                              .event = switching_event,
                              .user = &modes};
        system.enter = switching_enter;
        system.switched = switching_switched;
        system.emit = switching_emit;
    }
    system.n = system.ode.n;
    status = bri_row_create(&row, groups, 1, 1, &full, &watch, why);
    if (status == BR_OK) {
        status = bri_run_all(&system, &full, &watch, cost, why);
    }
    bri_row_release(&row);
    return status;
}
