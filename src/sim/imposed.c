/*
 * A law under an imposed motion: states x (distance travelled) and z (the law's own).
 */
#include "bristle/rig.h"

#include "bristle/math.h"

#include "base/definition.h"
#include "sim/run.h"

typedef struct imposed_system {
    const br_imposed* imposed;
    run_row row;
    double within; // a time inside the current smooth piece [s]
} imposed_system;

#define MAIN(X)                                                                                    \
    X("t", "s", NULL, t), X("v", "m/s", NULL, v), X("f", "N", NULL, f), X("z", "m", NULL, y[1])
#define MORE(X) X("x", "m", NULL, y[0])

static const br_column main_columns[] = {MAIN(COLUMN_ENTRY)}, more_columns[] = {MORE(COLUMN_ENTRY)};
static const column_group groups[] = {COLUMN_GROUP(main_columns, BR_COLUMNS_MAIN, 1),
                                      COLUMN_GROUP(more_columns, BR_COLUMNS_MORE, 1)};
enum { GROUPS = sizeof groups / sizeof *groups };

size_t br_imposed_get_columns(unsigned sets, br_column* out)
{
    return bri_columns_list(groups, GROUPS, 1, sets, out);
}

static void rate(double t, const double* y, double* dy, void* user)
{
    const imposed_system* s = user;
    const double v = br_profile_eval(&s->imposed->velocity, t, s->within, NULL);
    const double fn = br_profile_eval(&s->imposed->normal_force, t, s->within, NULL);
    dy[0] = v;
    dy[1] = br_law_eval(&s->imposed->law, y[1], v, fn).dz;
}

static void jacobian(double t, const double* y, double* out, double* dfdt, void* user)
{
    const imposed_system* s = user;
    double v_slope, fn_slope;
    const double v = br_profile_eval(&s->imposed->velocity, t, s->within, &v_slope);
    const double fn = br_profile_eval(&s->imposed->normal_force, t, s->within, &fn_slope);
    const br_law_gradient d = br_law_gradient_eval(&s->imposed->law, y[1], v, fn);
    out[0] = out[1] = out[2] = 0.0;
    out[3] = d.dz_z;
    dfdt[0] = v_slope;
    dfdt[1] = d.dz_v * v_slope + d.dz_fn * fn_slope;
}

static double longest_step(double t, const double* y, void* user)
{
    const imposed_system* s = user;
    double slope;
    const double v = br_profile_eval(&s->imposed->velocity, t, s->within, &slope);
    const double profile_limit = fmin(bri_profile_longest_step(&s->imposed->velocity),
                                      bri_profile_longest_step(&s->imposed->normal_force));
    const double change = bri_imposed_longest_step(&s->imposed->law, v, slope);
    return fmin(fmin(profile_limit, change), bri_law_longest_step(&s->imposed->law, y[1], v));
}

static void enter(void* system, double t, double within, double* y)
{
    (void)t, (void)y;
    ((imposed_system*)system)->within = within;
}

static void emit(void* system, double t, const double* y)
{
    const imposed_system* s = system;
    const double fn = br_profile_eval(&s->imposed->normal_force, t, s->within, NULL);
    const double v = br_profile_eval(&s->imposed->velocity, t, s->within, NULL);
    const double f = br_law_eval(&s->imposed->law, y[1], v, fn).f;
    double* to = s->row.values;
    MAIN(COLUMN_VALUE);
    if (s->row.sets & BR_COLUMNS_MORE) {
        MORE(COLUMN_VALUE);
    }
    bri_row_emit(&s->row);
}

static br_status check(const br_imposed* imposed, double duration, br_reason* why)
{
    br_status status = br_law_check(&imposed->law, why);
    if (status == BR_OK) {
        status = bri_check_profile(&imposed->velocity, "velocity", why);
    }
    return status == BR_OK
               ? bri_check_normal_force(&imposed->normal_force, duration, "normal_force", why)
               : status;
}

static const run_kind kind = {
    .is_adaptive = 1, .rtol = BR_RTOL, .atol = BR_ATOL, .atol_z = BR_ATOL_Z};

br_imposed br_imposed_default(void)
{
    return (br_imposed){.size = sizeof(br_imposed),
                        .law = br_law_default(BR_LAW_COULOMB),
                        .normal_force = br_profile_constant(1.0)};
}

br_status br_imposed_run(const br_imposed* given, const br_run_def* def,
                         const br_run_watch* given_watch, br_integrator_cost* cost, br_reason* why)
{
    BR_ASSERT(given && def && given_watch);
    br_imposed imposed = br_imposed_default();
    br_run_def full;
    br_run_watch watch;
    br_status status = DEFINITION_READ(br_imposed, given, &imposed, why);
    status = status == BR_OK ? bri_run_check(&kind, def, given_watch, &full, &watch, why) : status;
    status = status == BR_OK ? check(&imposed, full.duration, why) : status;
    if (status != BR_OK) {
        return status;
    }
    imposed_system s = {.imposed = &imposed};
    double y[2] = {0.0, 0.0};
    const double atol[2] = {full.atol, full.atol_z};
    const br_profile* const profiles[] = {&imposed.velocity, &imposed.normal_force, NULL};
    const run_system system = {
        .system = &s,
        .n = 2,
        .y = y,
        .atol = atol,
        .ode = {.size = sizeof(br_ode),
                .n = 2,
                .rate = rate,
                .jacobian = jacobian,
                .longest_step = longest_step,
                .user = &s},
        .profiles = profiles,
        .enter = enter,
        .emit = emit,
    };
    status = bri_row_create(&s.row, groups, GROUPS, 1, &full, &watch, why);
    if (status == BR_OK) {
        status = bri_run_all(&system, &full, &watch, cost, why);
    }
    bri_row_release(&s.row);
    return status;
}
