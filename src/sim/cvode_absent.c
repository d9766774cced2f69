/*
 * Replaces cvode.c in builds without SUNDIALS: creating this integrator fails.
 */
#include "sim/integrator_internal.h"

static br_status absent_create(br_integrator* integrator, br_reason* why)
{
    (void)integrator;
    br_reason_set(why, "kind", "this build has no CVODE; configure it with -DBRISTLE_CVODE=ON");
    return BR_ERR_ABSENT;
}

const integrator_method bri_cvode_method = {.create = absent_create};
