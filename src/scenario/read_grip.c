/*
 * A grip controller from YAML.
 */
#include "scenario/read_grip.h"

#include <math.h>

#include "scenario/mappings.h"

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

// As it is read.
typedef struct grip_input {
    br_grip grip;
    double start;
} grip_input;

#define IN_SHARE                                                                                   \
    {                                                                                              \
        0, 1, true, true                                                                           \
    }

static const map_key grip_keys[] = {
    KEY("kind", WORD, "", IN_ANY, REQUIRED, "the least grip that keeps the load at aim", BY_HAND,
        WORDS("control")),
    KEY("start", NUMBER, "N", IN_POSITIVE, REQUIRED, "force at the start", AT(grip_input, start)),
    KEY("aim", NUMBER, "-", IN_SHARE, "0.8", "share of what friction can hold",
        AT(grip_input, grip.aim)),
    KEY("period", NUMBER, "s", IN_POSITIVE, "0.01", "of the controller",
        AT(grip_input, grip.period)),
    KEY("slip_limit", NUMBER, "m/s", IN_POSITIVE, "1e-3", "slip rate that counts as slip",
        AT(grip_input, grip.slip_limit)),
    KEY("release", NUMBER, "s", IN_NOT_NEGATIVE, "0.1", "time in which it lets loose",
        AT(grip_input, grip.release)),
    KEY("least", NUMBER, "N", IN_POSITIVE, "0.01, or start", "least force",
        AT(grip_input, grip.least)),
    KEY("most", NUMBER, "N", IN_POSITIVE, "", "most force", AT(grip_input, grip.most))};
const mapping bri_keys_grip = MAPPING("control", grip_keys);

const br_grip* bri_read_grip(const node* map, double* start)
{
    grip_input* in = bri_pool_allocate(&map->in->memory, 1, sizeof *in);
    in->grip = br_grip_default();
    in->start = 1;
    const bool is_good = bri_keys_read(map, &bri_keys_grip, in);
    if (!bri_node_find(map, "least")) {
        in->grip.least = fmin(in->grip.least, in->start);
    }
    if (is_good) {
        check_start(bri_node_find(map, "start"), &in->grip, in->start);
    }
    *start = in->start;
    return &in->grip;
}
