/*
 * A digital controller of a normal force.
 */
#include "bristle/grip.h"

#include <math.h>

// Largest growth factor of the force between two instants, so that an impact does not crush the object.
static const double max_growth = 2.0;

br_grip br_grip_default(void)
{
    return (br_grip){.period = 0.01,
                     .aim = 0.8,
                     .slip_limit = 1e-3,
                     .release = 0.1,
                     .least = 0.01,
                     .most = HUGE_VAL};
}

static br_status refuse(br_reason* why, const char* field, const char* allowed, double value)
{
    br_reason_set(why, field, "must be %s, got %g", allowed, value);
    return BR_ERR_DEF;
}

static int is_positive(double value)
{
    return value > 0.0 && isfinite(value);
}

br_status br_grip_check(const br_grip* g, br_reason* why)
{
    BR_ASSERT(g);
    if (!is_positive(g->period)) {
        return refuse(why, "period", "finite and > 0", g->period);
    }
    if (!(g->aim > 0.0 && g->aim < 1.0)) {
        return refuse(why, "aim", "in (0, 1)", g->aim);
    }
    if (!is_positive(g->slip_limit)) {
        return refuse(why, "slip_limit", "finite and > 0", g->slip_limit);
    }
    if (!(g->release >= 0.0 && isfinite(g->release))) {
        return refuse(why, "release", "finite and >= 0", g->release);
    }
    if (!is_positive(g->least)) {
        return refuse(why, "least", "finite and > 0", g->least);
    }
    return g->most >= g->least ? BR_OK : refuse(why, "most", ">= least", g->most);
}

double br_grip_eval(const br_grip* g, double fn, double load, double slip_rate)
{
    const double demand = fmax(load, slip_rate / g->slip_limit);
    const double wanted = fn * fmin(demand / g->aim, max_growth);

    // increase at once; decrease as exp(-t/release)
    const double share = g->release > 0.0 ? -expm1(-g->period / g->release) : 1.0;
    const double next = wanted > fn ? wanted : fn + share * (wanted - fn);
    return fmin(fmax(next, g->least), g->most);
}
