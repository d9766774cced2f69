/*
 * Local error propagation: deviations of outputs from those of drawn inputs, to first order.
 *
 *   f(x) = f(m) + sum_j s_j (x_j - m_j),   sigma_f^2 = sum_j (s_j sigma_j)^2                           (S-3)
 *
 * m_j and sigma_j are mean and standard deviation of the independent inputs, s_j the derivatives at m (sensitivity.c). The
 * run at m and two more for each input replace the samples of Monte Carlo; what is not linear over sigma_j is lost.
 */
#include <math.h>

#include "sweep/sensitivity.h"
#include "sweep/sweep_internal.h"

// Mean and standard deviation.
typedef struct moments {
    double mean, deviation;
} moments;

static moments of_list(const spec* s)
{
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < s->count; i++) {
        sum += bri_spec_value(s, i);
    }
    const double mean = sum / (double)s->count;
    for (size_t i = 0; i < s->count; i++) {
        const double off = bri_spec_value(s, i) - mean;
        squares += off * off;
    }
    return (moments){mean, sqrt(squares / (double)s->count)};
}

static moments moments_of(const spec* s)
{
    const double a = s->a, b = s->b;
    switch (s->kind) {
    case SPEC_UNIFORM:
        return (moments){0.5 * (a + b), fabs(b - a) / sqrt(12.0)};
    case SPEC_LOG_UNIFORM: {
        const double width = log(b / a), mean = (b - a) / width;
        return (moments){mean, sqrt(fmax((b * b - a * a) / (2.0 * width) - mean * mean, 0.0))};
    }
    case SPEC_NORMAL:
        return (moments){a, b};
    case SPEC_LOG_NORMAL: {
        const double mean = a * exp(0.5 * b * b);
        return (moments){mean, mean * sqrt(expm1(b * b))};
    }
    default:
        return of_list(s);
    }
}

// A call of br_sweep_eval_local().
typedef struct local_call {
    const br_sweep* sweep;
    br_sweep_local* to; // outputs (output_count)
    double* slopes;     // (output_count x input_count)
    double* inputs;     // means (input_count)
    const char* missing;
} local_call;

static double output_of(local_call* call, size_t output, const br_table* table)
{
    return bri_sweep_output_eval(&call->sweep->outputs[output], table, call->inputs,
                                 &call->missing);
}

// After the runs on both sides of input `key`.
static void see_pair(const br_table* own, size_t key, const double values[2],
                     const br_table* const pair[2], void* user)
{
    (void)own;
    local_call* call = user;
    const double mean = call->inputs[key];
    const moments m = moments_of(&call->sweep->inputs[key].values);
    for (size_t i = 0; i < call->sweep->output_count; i++) {
        double found[2];
        for (int side = 0; side < 2; side++) {
            call->inputs[key] = values[side]; // formulas may have it
            found[side] = output_of(call, i, pair[side]);
        }
        const double slope = (found[1] - found[0]) / (values[1] - values[0]);
        call->slopes[i * call->sweep->input_count + key] = slope;
        call->to[i].deviation = hypot(call->to[i].deviation, slope * m.deviation);
    }
    call->inputs[key] = mean;
}

static br_status check_inputs(const br_sweep* sweep, br_reason* why)
{
    if (sweep->input_count == 0 || sweep->drawn_count < sweep->input_count) {
        br_reason_set(why, "local",
                      "needs keys that are drawn, and no others: it describes one point");
        return BR_ERR_DEF;
    }
    for (size_t i = 0; i < sweep->input_count; i++) {
        if (sweep->inputs[i].values.words) {
            br_reason_set(why, sweep->inputs[i].key, "is drawn from words: it has no derivative");
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

// The run at the means, with its derivatives.
static br_status sense_mean(local_call* call, const br_scenario* mean, const char* const* keys,
                            br_reason* why)
{
    const sensitivity_pairs pairs = {see_pair, call};
    br_sensitivity* found;
    const br_status status = bri_sensitivity_create(mean, keys, NULL, &pairs, &found, why);
    for (size_t i = 0; status == BR_OK && i < call->sweep->output_count; i++) {
        call->to[i].value = output_of(call, i, br_sensitivity_get_table(found));
    }
    br_sensitivity_destroy(found);
    if (status == BR_OK && call->missing) {
        br_reason_set(why, call->missing, "there is no such number in the run at the means");
        return BR_ERR_DEF;
    }
    return status;
}

static br_status run_local(local_call* call, br_override* overrides, const char** keys,
                           br_reason* why)
{
    const br_sweep* s = call->sweep;
    for (size_t i = 0; i < s->input_count; i++) {
        call->inputs[i] = moments_of(&s->inputs[i].values).mean;
        keys[i] = s->inputs[i].key;
    }
    br_scenario* mean;
    br_status status = bri_sweep_read_case(s, call->inputs, overrides, &mean);
    if (status == BR_ERR_DEF) {
        br_reason_set(why, "local", "the run at the means: %s",
                      br_scenario_get_error(mean, 0)->text);
    }
    status = status == BR_OK ? sense_mean(call, mean, keys, why) : status;
    br_scenario_destroy(mean);
    return status;
}

br_status br_sweep_eval_local(const br_sweep* sweep, br_sweep_local* outputs, double* slopes,
                              br_reason* why)
{
    BR_ASSERT(sweep && outputs && slopes);
    const size_t n = sweep->input_count;
    for (size_t i = 0; i < sweep->output_count; i++) {
        outputs[i] = (br_sweep_local){(double)NAN, 0.0};
    }
    br_status status = check_inputs(sweep, why);
    if (status != BR_OK) {
        return status;
    }
    local_call call = {sweep, outputs, slopes, br_allocate(n, sizeof *call.inputs), NULL};
    br_override* overrides = br_allocate(n, sizeof *overrides);
    const char** keys = br_allocate(n + 1, sizeof *keys);
    if (call.inputs && overrides && keys) {
        status = run_local(&call, overrides, keys, why);
    } else {
        br_reason_set(why, "", "no memory for %zu inputs", n);
        status = BR_ERR_MEMORY;
    }
    br_release(keys);
    br_release(overrides);
    br_release(call.inputs);
    return status;
}

double br_sweep_get_deviation(const br_sweep* sweep, size_t input)
{
    BR_ASSERT(sweep && input < sweep->input_count);
    const bool is_drawn = input + sweep->drawn_count >= sweep->input_count;
    const spec* s = &sweep->inputs[input].values;
    return is_drawn && !s->words ? moments_of(s).deviation : (double)NAN;
}
