/*
 * A warning where the energy of a run is out of balance, with tolerances that would correct it.
 *
 * The residual is the error of the integration alone, as losses and gains of friction are accounted for. It is roughly
 * proportional to the tolerances, so that the ratio of the allowed to the present residual gives sufficient tolerances,
 * with a margin of ten.
 */
#include <math.h>

#include "scenario/kind.h"

static const double LARGE = 1e-2;     // share of the turnover that is worth a warning [-]
static const double MARGIN = 10;      // as the rule above is rough [-]
static const double MIN_RTOL = 1e-13; // where rounding takes over [-]

// The next lower power of ten; 1e-6 stays 1e-6 in spite of rounding.
static double round_down(double x)
{
    return pow(10, floor(log10(x) + 1e-9));
}

static char* advise(pool* memory, const br_run_def* run, double factor)
{
    if (run->method == BR_INTEGRATOR_FIXED) {
        return bri_pool_format(memory, "{kind: fixed, step: %g}", round_down(factor * run->step));
    }
    return bri_pool_format(memory, "{rtol: %g, atol: %g, atol_z: %g}",
                           fmax(MIN_RTOL, round_down(factor * run->rtol)),
                           round_down(factor * run->atol), round_down(factor * run->atol_z));
}

void bri_scenario_judge_energy(const br_scenario* s, br_table* got, double residual,
                               double turnover)
{
    const double missing = fabs(residual) / turnover;
    if (!(turnover > 0) || !(missing > LARGE)) {
        return;
    }
    const double factor = LARGE / MARGIN / missing;
    const bool is_exhausted =
        s->run.method != BR_INTEGRATOR_FIXED && factor * s->run.rtol < MIN_RTOL;
    const node* integrator = bri_node_find(s->root, "integrator");
    bri_table_warn(got,
                   "%sthe energy is out of balance by %.2g J of %.2g J, %.3g %%: the error of the "
                   "integration%s",
                   bri_node_place_in(&got->memory, integrator ? integrator : s->root),
                   fabs(residual), turnover, 100 * missing,
                   is_exhausted ? ", which no tolerance will correct"
                                : bri_pool_format(&got->memory, ". integrator: %s would correct it",
                                                  advise(&got->memory, &s->run, factor)));
}
