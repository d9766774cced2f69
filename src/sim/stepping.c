/*
 * Runs that take steps of one size and have their rows at steps.
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
    const double rows = round(def->duration / (def->step * (double)out->stride));
    const size_t last_row = (size_t)rows * out->stride;
    out->steps = last_row > (size_t)steps ? last_row : (size_t)steps;
    return BR_OK;
}

br_status bri_stepping_overflow(double t, br_reason* why)
{
    br_reason_set(why, "", "t = %g s: the motion has left the range of numbers (overflow)", t);
    return BR_ERR_CONVERGENCE;
}
