/*
 * A grip controller from YAML.
 */
#include "scenario/read_grip.h"

#include <math.h>

#include "scenario/value.h"

static const range RANGE_SHARE = {0, 1, true, true}; // (0, 1)

bool bri_is_grip(const node* force)
{
    static const char* const kinds[] = {"sine", "steps", "table", "ramp", "control", NULL};
    enum { CONTROL = 4 };
    const node* kind = force && force->kind == NODE_MAP ? bri_node_find(force, "kind") : NULL;
    return kind && bri_value_choice(kind, kinds) == CONTROL;
}

static void check_start(const node* start, const br_grip* grip, double value)
{
    if (value < grip->least) {
        bri_node_fail(start, "must be at least %.15g, the value of least; got %.15g", grip->least,
                      value);
    }
    if (value > grip->most) {
        bri_node_fail(start, "must be at most %.15g, the value of most; got %.15g", grip->most,
                      value);
    }
}

const br_grip* bri_read_grip(const node* map, double* start)
{
    static const char* const keys[] = {"kind",    "start", "aim",  "period", "slip_limit",
                                       "release", "least", "most", NULL};
    static const char* const required[] = {"start", NULL};
    br_grip* grip = bri_pool_allocate(&map->in->memory, 1, sizeof *grip);
    *grip = br_grip_default();
    *start = 1;
    if (!bri_node_expect_keys(map, keys) || !bri_node_require_all(map, required, NULL)) {
        return grip;
    }
    *start = bri_value_required(map, "start", RANGE_POSITIVE);
    grip->aim = bri_value_optional(map, "aim", RANGE_SHARE, grip->aim);
    grip->period = bri_value_optional(map, "period", RANGE_POSITIVE, grip->period);
    grip->slip_limit = bri_value_optional(map, "slip_limit", RANGE_POSITIVE, grip->slip_limit);
    grip->release = bri_value_optional(map, "release", RANGE_NOT_NEGATIVE, grip->release);
    grip->least = bri_value_optional(map, "least", RANGE_POSITIVE, fmin(grip->least, *start));
    grip->most = bri_value_optional(map, "most", RANGE_POSITIVE, grip->most);
    check_start(bri_node_find(map, "start"), grip, *start);
    return grip;
}
