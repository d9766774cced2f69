/*
 * Whether the energy of a run is in balance, and what would bring it there.
 *
 * The residual is the integration's error alone, friction's own losses and gains are booked. It follows
 * the tolerances in proportion, roughly, so that the ratio of what is missing to what may be missing gives
 * the tolerances that would do, with a margin of ten.
 */
#include "scenario/balance.h"

#include <math.h>

static const double LARGE = 1e-2;       // share of the turnover that is worth a warning [-]
static const double MARGIN = 10;        // for the rule above being rough [-]
static const double LEAST_RTOL = 1e-13; // where rounding takes over [-]

// The power of ten below; 1e-6 stays what it is in spite of rounding.
static double round_down(double x)
{
    return pow(10, floor(log10(x) + 1e-9));
}

static char* advise(pool* memory, const br_run_def* run, double factor)
{
    if (run->method == BR_FIXED) {
        return bri_pool_format(memory, "{kind: fixed, step: %g}", round_down(factor * run->step));
    }
    return bri_pool_format(memory, "{rtol: %g, atol: %g, atol_z: %g}",
                           fmax(LEAST_RTOL, round_down(factor * run->rtol)),
                           round_down(factor * run->atol), round_down(factor * run->atol_z));
}

char* bri_balance_judge(pool* memory, const br_run_def* run, double residual, double turnover)
{
    const double missing = fabs(residual) / turnover;
    if (!(turnover > 0) || !(missing > LARGE)) {
        return NULL;
    }
    char* text =
        bri_pool_format(memory,
                        "the energy is out of balance by %.2g J of %.2g J, %.3g %%: the error of "
                        "the integration",
                        fabs(residual), turnover, 100 * missing);
    const double factor = LARGE / MARGIN / missing;
    if (run->method != BR_FIXED && factor * run->rtol < LEAST_RTOL) {
        return bri_pool_format(memory, "%s, which no tolerance will mend", text);
    }
    return bri_pool_format(memory, "%s. integrator: %s would mend it", text,
                           advise(memory, run, factor));
}
