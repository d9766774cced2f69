/*
 * Runs with a constant step size and rows at multiples of it.
 */
#include "sim/stepping.h"

#include <math.h>

br_status bri_stepping_plan(const br_run_def* def, stepping* out, br_reason* why)
{
    const double steps = round(def->duration / def->step);
    const double stride = def->every != 0.0 ? def->every / def->step : 1.0;
    if (def->at) {
        br_reason_set(why, "at", "must be NULL: this run has rows at its steps; set every");
        return BR_ERR_DEF;
    }
    if (!(steps >= 1.0)) {
        br_reason_set(why, "step", "must be up to the duration, got %g", def->step);
        return BR_ERR_DEF;
    }
    if (!(stride > 0.5) || fabs(stride - round(stride)) > 1e-6 * stride || stride > steps) {
        br_reason_set(why, "every", "must be a multiple of step, up to duration, got %g",
                      def->every);
        return BR_ERR_DEF;
    }
    out->step = def->step;
    out->stride = (size_t)round(stride);
    out->steps = (size_t)steps;
    return BR_OK;
}

int bri_stepping_has_row(const stepping* plan, size_t step)
{
    return step % plan->stride == 0 || step == plan->steps;
}

// With step = n/10^p the quotient of the whole numbers k n and 10^p is rounded once.
double bri_stepping_time(size_t k, double step)
{
    static const double largest =
        9007199254740992.0; // 2^53: doubles represent all integers up to it
    double scale = 1.0;
    for (int places = 0; places <= 12; places++, scale *= 10.0) {
        const double n = round(step * scale);
        if (n / scale == step && n * (double)k <= largest) {
            return n * (double)k / scale;
        }
    }
    return (double)k * step;
}

br_status bri_stepping_overflow(double t, br_reason* why)
{
    br_reason_set(why, "", "t = %g s: the motion has left the range of numbers (overflow)", t);
    return BR_ERR_CONVERGENCE;
}
