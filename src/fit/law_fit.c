/*
 * A friction law from measured motion: the functions of fit_law.h.
 */
#include "bristle/fit_law.h"

#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "fit/law_problem.h"
#include "fit/numbers.h"

static const struct {
    const char* name;
    br_law_kind law;
} kinds[] = {
#define ROW(kind, name, law) {name, law},
    BR_FIT_LAW_LIST(ROW)
#undef ROW
};

const char* br_fit_law_kind_get_name(br_fit_law_kind kind)
{
    return kind < BR_FIT_LAW_COUNT ? kinds[kind].name : "unknown law";
}

br_law_kind br_fit_law_get_law(br_fit_law_kind kind)
{
    return kind < BR_FIT_LAW_COUNT ? kinds[kind].law : BR_LAW_COULOMB;
}

const char* br_fit_law_get_parameter_name(int k)
{
    return k >= 0 && k < BR_FIT_COUNT ? bri_parameter_name(bri_law_nuisances, k) : NULL;
}

br_fit_law_def br_fit_law_def_default(void)
{
    return (br_fit_law_def){.size = sizeof(br_fit_law_def),
                            .law = BR_FIT_LAW_LUGRE,
                            .free = BIT(OFFSET) | BIT(START),
                            .level = 0.95,
                            .by_position = 1,
                            .profile = 1,
                            .starts = 3,
                            .speed_noise = (double)NAN};
}

// --- checks ------------------------------------------------------------------------------------------

// Known parameters of the law itself must be possible in a law. Its viscous part may be known to be all there is.
static br_status check_fixed(const br_fit_law_def* def, br_reason* why)
{
    const int may_be_viscous = def->law == BR_FIT_LAW_VISCOUS;
    for (int k = 0; k < BR_FIT_V_DAMPING; k++) {
        const br_law_parameter* own = br_law_get_parameter((size_t)k);
        const double x = def->values[k];
        const int may_be_low = own->may_be_low || (k == BR_FIT_MU_C && may_be_viscous);
        if (def->fixed >> k & 1 &&
            !((x > own->low || (x == own->low && may_be_low)) && x < own->high)) {
            return REFUSE(BR_ERR_DEF, why, own->name, "is given as %g, which it cannot be", x);
        }
    }
    const unsigned both = BIT(MU_C) | BIT(MU_S);
    if ((def->fixed & both) == both && def->values[BR_FIT_MU_S] < def->values[BR_FIT_MU_C]) {
        return REFUSE(BR_ERR_DEF, why, "mu_s", "is given as %g, but must be at least mu_c, %g",
                      def->values[BR_FIT_MU_S], def->values[BR_FIT_MU_C]);
    }
    return BR_OK;
}

static br_status check(const br_fit_law_def* def, br_reason* why)
{
    const int has_offset = def->fixed >> BR_FIT_OFFSET & 1;
    const int has_delay = (def->free | def->fixed) >> BR_FIT_DELAY & 1;
    const double v_damping =
        def->fixed >> BR_FIT_V_DAMPING & 1 ? def->values[BR_FIT_V_DAMPING] : 0.0;
    const fit_rule rules[] = {
        RULE((int)def->law < 0 || def->law >= BR_FIT_LAW_COUNT, "law", "must be a br_fit_law_kind"),
        RULE(!(def->level > 0.0 && def->level < 1.0), "level", "must be in (0, 1)"),
        RULE(def->starts < 1 || def->starts > 16, "starts", "must be 1 to 16"),
        RULE(
            !def->data.t && br_law_has_state(br_fit_law_get_law(def->law)), "t",
            "is missing: a law with bristles needs the motion over time; steady points identify coulomb, "
            "viscous and stribeck"),
        RULE(!def->data.t && has_delay, "t", "is missing: a delay needs the motion over time"),
        RULE(def->free >> BR_FIT_V_DAMPING & 1, "v_damping", "can be fixed, but not estimated"),
        RULE(!(v_damping >= 0.0), "v_damping", "must be >= 0; 0 and infinity: constant damping"),
        RULE(!def->data.load && (def->free | def->fixed) & BR_FIT_LOADS, "load",
             "is missing: load_gain, load_c and other parameters of the load need it"),
        RULE(def->speed_noise < 0.0 || isinf(def->speed_noise), "speed_noise",
             "must be >= 0, or NaN: estimated")};
    br_status status = bri_check_rules(rules, sizeof rules / sizeof *rules, why);
    status = status ? status : check_fixed(def, why);
    status = status ? status : br_fit_law_data_check(&def->data, why);
    return status ? status
                  : bri_law_check_sign(&def->data, def->flip_force ? -1.0 : 1.0,
                                       has_offset ? def->values[BR_FIT_OFFSET] : 0.0, why);
}

// --- forces ------------------------------------------------------------------------------------------

br_status br_fit_law_eval(const br_fit_law_result* result, const br_fit_law_data* data, double* f,
                          br_reason* why)
{
    double p[BR_FIT_COUNT];
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        p[k] = result->estimates[k].value;
    }
    law_history h = {.kind = br_fit_law_get_law(result->kind), .data = *data};
    if ((br_law_has_state(h.kind) || result->map.count + result->friction_map.count > 0) &&
        !data->t) {
        return REFUSE(BR_ERR_DEF, why, "t", "is missing: this fit needs the motion over time");
    }
    if (p[BR_FIT_DELAY] != 0.0) {
        h.speed = br_allocate(2 * data->count, sizeof *h.speed);
        if (!h.speed) {
            return bri_out_of_memory(why);
        }
    }
    bri_law_history(&h, p, f, NULL);
    br_release(h.speed);
    bri_position_add(result, data, f);
    for (size_t i = 0; result->flip_force && i < data->count; i++) {
        f[i] = -f[i];
    }
    return BR_OK;
}

// Root mean square of the errors of a fit at the rows from `first` on.
static br_status error_from(const br_fit_law_result* fit, const br_fit_law_data* data, size_t first,
                            double* rms, br_reason* why)
{
    double* f = br_allocate(data->count, sizeof *f);
    if (!f) {
        return bri_out_of_memory(why);
    }
    const br_status status = br_fit_law_eval(fit, data, f, why);
    double sum = 0.0;
    for (size_t i = first; status == BR_OK && i < data->count; i++) {
        sum += (f[i] - data->f[i]) * (f[i] - data->f[i]);
    }
    *rms = sqrt(sum / (double)(data->count - first));
    br_release(f);
    return status;
}

br_status br_fit_law_validate(const br_fit_law_result* result, const br_fit_law_data* data,
                              double* rms, br_reason* why)
{
    br_fit_law_result there = *result;
    br_status status = br_fit_law_data_check(data, why);
    status = status ? status
                    : bri_law_check_sign(data, result->flip_force ? -1.0 : 1.0,
                                         result->estimates[BR_FIT_OFFSET].value, why);
    if (status != BR_OK) {
        return status;
    }
    const double v = data->v[0] - result->estimates[BR_FIT_SPEED_OFFSET].value;
    const double unit = result->law.kind == BR_LAW_DAHL && data->fn ? data->fn[0] : 1.0;
    const double steady =
        unit * (result->law.kind == BR_LAW_DAHL ? result->law.mu_c : br_law_g(&result->law, v));
    there.map.count = there.friction_map.count = 0;
    there.estimates[BR_FIT_START].value = v == 0.0 ? 0.0 : copysign(steady, v);
    return error_from(&there, data, 0, rms, why);
}

// --- fits --------------------------------------------------------------------------------------------

br_status br_fit_law(const br_fit_law_def* given, const br_fit_watch* watch, br_fit_law_result* out,
                     br_reason* why)
{
    memset(out, 0, sizeof *out);
    law_problem problem = {.memory = NULL};
    br_fit_law_def def = br_fit_law_def_default();
    br_status status = DEFINITION_READ(br_fit_law_def, given, &def, why);
    status = status ? status : check(&def, why);
    status = status ? status : bri_law_problem_create(&problem, &def, watch, why);
    status = status ? status : bri_law_fit(&problem, out, why);
    br_release(problem.memory);
    out->rms_held_out = (double)NAN;
    const int has_fit = status == BR_OK || (status == BR_ERR_STOPPED && out->count > 0);
    if (has_fit && def.train > 0 && def.train < def.data.count) {
        const br_status held_out = error_from(out, &def.data, def.train, &out->rms_held_out, why);
        status = status ? status : held_out;
    }
    return status;
}

br_status br_fit_law_profile(const br_fit_law_def* given, const br_fit_law_result* result,
                             int parameter, const double* value, size_t count, double* out,
                             br_reason* why)
{
    law_problem q = {.memory = NULL};
    br_fit_law_def def = br_fit_law_def_default();
    br_status status = DEFINITION_READ(br_fit_law_def, given, &def, why);
    status = status ? status : check(&def, why);
    status = status ? status : bri_law_problem_create(&q, &def, NULL, why);
    if (status == BR_OK) {
        bri_restore(&q.e, result->estimates, result->estimated);
        if (q.distance) {
            bri_law_set_position(&q, result->map.count, result->friction_map.count);
        }
        if (def.robust) {
            bri_law_set_huber(&q);
        }
        status = bri_profile_values(&q.e, parameter, value, count, out, why);
    }
    br_release(q.memory);
    return status;
}

// --- choice ------------------------------------------------------------------------------------------

// Progress of one of several fits.
typedef struct part_of_work {
    const br_fit_watch* all;
    double done, share; // of all fits
} part_of_work;

static void on_progress(double fraction, double rms, void* user)
{
    const part_of_work* part = user;
    if (part->all->progress) {
        part->all->progress(part->done + part->share * fraction, rms, part->all->user);
    }
}

static bool is_stopped(void* user)
{
    const part_of_work* part = user;
    return part->all->stop && part->all->stop(part->all->user);
}

// The error of the last rows, predicted from the others; NaN where these cannot be fitted to.
static br_status predict_last(const br_fit_law_def* def, const br_fit_watch* watch, double share,
                              double* rms, br_reason* why)
{
    br_fit_law_def first = *def;
    br_fit_law_result fit;
    first.train = (size_t)((1.0 - share) * (double)def->data.count);
    first.profile = 0;
    const br_status status = br_fit_law(&first, watch, &fit, NULL);
    *rms = status == BR_OK ? fit.rms_held_out : (double)NAN;
    if (status == BR_ERR_MEMORY) {
        return bri_out_of_memory(why);
    }
    return status == BR_ERR_STOPPED ? status : BR_OK;
}

static br_status fit_one(const br_fit_law_def* def, const br_fit_law_data* validation,
                         double hold_out, const br_fit_watch* watch, br_fit_law_choice* out,
                         br_reason* why)
{
    br_fit_law_result* fit = &out->fits[def->law];
    br_status status = br_fit_law(def, watch, fit, why);
    fit->rms_held_out = (double)NAN;
    if (status == BR_OK && validation) {
        status = br_fit_law_validate(fit, validation, &fit->rms_held_out, why);
    } else if (status == BR_OK && hold_out > 0.0 && def->data.t) {
        status = predict_last(def, watch, hold_out, &fit->rms_held_out, why);
    }
    const int has_fit = status == BR_OK || (status == BR_ERR_STOPPED && fit->count > 0);
    out->fitted |= has_fit ? 1u << def->law : 0u;
    return status;
}

// The simplest law whose error is within 1 % of the smallest; by BIC where no error is known.
static br_fit_law_kind choose(const br_fit_law_choice* c)
{
    double smallest = HUGE_VAL;
    int best = BR_FIT_LAW_COUNT;
    for (int k = 0; k < BR_FIT_LAW_COUNT; k++) {
        if (c->fitted >> k & 1) {
            smallest = fmin(smallest, c->fits[k].rms_held_out); // ignores NaN
            best = best == BR_FIT_LAW_COUNT || c->fits[k].bic < c->fits[best].bic ? k : best;
        }
    }
    for (int k = BR_FIT_LAW_COUNT; k-- > 0 && isfinite(smallest);) {
        best = c->fitted >> k & 1 && c->fits[k].rms_held_out <= 1.01 * smallest ? k : best;
    }
    return (br_fit_law_kind)best;
}

// Fit the laws in `tried`, each for its share of the work.
static br_status fit_laws(br_fit_law_def* def, unsigned tried, const br_fit_law_data* validation,
                          double hold_out, part_of_work* part, br_fit_law_choice* out,
                          br_reason* why)
{
    const br_fit_watch inner = {on_progress, is_stopped, part};
    br_status status = BR_OK;
    for (int k = 0; k < BR_FIT_LAW_COUNT && status == BR_OK; k++) {
        if (tried >> k & 1) {
            def->law = (br_fit_law_kind)k;
            status = fit_one(def, validation, hold_out, &inner, out, why);
            part->done += part->share;
        }
    }
    out->law = choose(out);
    return status;
}

// --- offered parameters ------------------------------------------------------------------------------

// The law with the smallest error on rows not used in the fit; by BIC where no error is known.
static br_fit_law_kind find_best(const br_fit_law_choice* c)
{
    int best = (int)c->law;
    for (int k = 0; k < BR_FIT_LAW_COUNT; k++) {
        const br_fit_law_result *fit = &c->fits[k], *so_far = &c->fits[best];
        const bool has_error = isfinite(fit->rms_held_out) && isfinite(so_far->rms_held_out);
        if (c->fitted >> k & 1 &&
            (has_error ? fit->rms_held_out < so_far->rms_held_out : fit->bic < so_far->bic)) {
            best = k;
        }
    }
    return (br_fit_law_kind)best;
}

// How much better a fit is, as a multiple of what it must be at least; below 1: not enough.
static double improvement(const br_fit_law_result* to, const br_fit_law_result* from)
{
    static const double least_share = 0.01, least_bic = 10.0;
    const double share = 1.0 - to->rms_held_out / from->rms_held_out;
    return isfinite(share) ? share / least_share : (from->bic - to->bic) / least_bic;
}

// Add the offered parameter that lowers the error most. 0: none does.
static unsigned add_one(br_fit_law_def* def, const br_fit_law_data* validation, double hold_out,
                        const br_fit_watch* watch, br_fit_law_choice* trial,
                        br_fit_law_result* best, br_status* status, br_reason* why)
{
    const br_fit_law_result before = *best;
    const unsigned free = def->free;
    unsigned added = 0;
    double most = 1.0;
    for (int k = BR_FIT_OFFSET; k < BR_FIT_COUNT && *status == BR_OK; k++) {
        if (!(def->offered & ~free & ~def->fixed & 1u << k)) {
            continue;
        }
        def->free = free | 1u << k;
        *status = fit_one(def, validation, hold_out, watch, trial, why);
        const br_fit_law_result* fit = &trial->fits[def->law];
        if (*status == BR_OK && fit->estimated >> k & 1 && improvement(fit, &before) > most) {
            most = improvement(fit, &before);
            added = 1u << k;
            *best = *fit;
        }
    }
    def->free = free | added;
    return added;
}

// Drop parameters that others have replaced: without them the error is no more than 1 % larger.
static void drop_replaced(br_fit_law_def* def, unsigned* added, const br_fit_law_data* validation,
                          double hold_out, const br_fit_watch* watch, br_fit_law_choice* trial,
                          br_fit_law_result* best, br_status* status, br_reason* why)
{
    for (int k = BR_FIT_OFFSET; k < BR_FIT_COUNT && *status == BR_OK; k++) {
        const unsigned bit = 1u << k;
        if (!(*added & bit)) {
            continue;
        }
        def->free &= ~bit;
        *status = fit_one(def, validation, hold_out, watch, trial, why);
        const bool is_needed = *status != BR_OK || improvement(best, &trial->fits[def->law]) > 1.0;
        def->free |= is_needed ? bit : 0u;
        *added &= is_needed ? ~0u : ~bit;
        *best = is_needed ? *best : trial->fits[def->law];
    }
}

// Bits of the parameters to add, found by the law with the smallest error.
static unsigned find_added(const br_fit_law_def* given, const br_fit_law_data* validation,
                           double hold_out, const br_fit_watch* watch, const br_fit_law_choice* c,
                           br_status* status, br_reason* why)
{
    br_fit_law_def def = *given;
    br_fit_law_choice* trial = br_allocate(1, sizeof *trial); // too large for small stacks
    unsigned added = 0, one = 1;
    if (!trial) {
        *status = bri_out_of_memory(why);
        return 0;
    }
    def.law = find_best(c);
    def.profile = false;
    br_fit_law_result best = c->fits[def.law];
    for (int round = 0; one && *status == BR_OK && round < BR_FIT_COUNT; round++) {
        one = add_one(&def, validation, hold_out, watch, trial, &best, status, why);
        added |= one;
        if (one && added != one) {
            drop_replaced(&def, &added, validation, hold_out, watch, trial, &best, status, why);
        }
    }
    br_release(trial);
    return added;
}

// Parameters that these data can show: those of the load need one that varies.
static unsigned offered_by(const br_fit_law_def* def)
{
    const bool has_load = def->data.load && !bri_is_constant(def->data.load, def->data.count, 0.02);
    return def->offered & ~0u << BR_FIT_OFFSET & (has_load ? ~0u : ~BR_FIT_LOADS);
}

br_status br_fit_law_choose(const br_fit_law_def* given, unsigned laws,
                            const br_fit_law_data* validation, double hold_out,
                            const br_fit_watch* watch, br_fit_law_choice* out, br_reason* why)
{
    const br_fit_watch none = {NULL, NULL, NULL};
    part_of_work part = {.all = watch ? watch : &none};
    br_fit_law_def one = br_fit_law_def_default();
    br_status status = DEFINITION_READ(br_fit_law_def, given, &one, why);
    unsigned tried = laws;
    memset(out, 0, sizeof *out);
    out->law = BR_FIT_LAW_COUNT;
    if (laws >> BR_FIT_LAW_COUNT) {
        status = REFUSE(BR_ERR_DEF, why, "laws", "must be a sum of 1 << br_fit_law_kind");
    }
    if (!(hold_out >= 0.0 && hold_out <= 0.9)) {
        status = REFUSE(BR_ERR_DEF, why, "hold_out", "must be in [0, 0.9]");
    }
    for (int k = 0; k < BR_FIT_LAW_COUNT; k++) {
        const int is_steady = !br_law_has_state(br_fit_law_get_law((br_fit_law_kind)k));
        tried |= laws == 0 && (one.data.t || is_steady) ? 1u << k : 0u;
        part.share += tried >> k & 1;
    }
    part.share = 1.0 / fmax(part.share, 1.0);
    status = status ? status : fit_laws(&one, tried, validation, hold_out, &part, out, why);
    one.offered = offered_by(&one);
    if (status == BR_OK && one.offered) {
        part.done = 1.0;
        part.share = 0.0;
        const br_fit_watch inner = {NULL, is_stopped, &part};
        out->added = find_added(&one, validation, hold_out, &inner, out, &status, why);
        one.free |= out->added;
        status = status || !out->added
                     ? status
                     : fit_laws(&one, tried, validation, hold_out, &part, out, why);
    }
    return status;
}
