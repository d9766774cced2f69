/*
 * Numbers over time from YAML: a number, a sine, steps, a table, a ramp, or a column of a CSV file.
 */
#include "read_profile.h"

#include <math.h>

#include "csv.h"
#include "memory.h"
#include "read_file.h"

double read_hold(const node* map)
{
    return value_optional(map, "hold", RANGE_POSITIVE, 0);
}

br_profile profile_of_table(size_t count, const double* t, const double* value, double hold)
{
    br_profile profile = br_profile_constant(0);
    profile.kind = BR_PROFILE_TABLE;
    profile.count = count;
    profile.t = t;
    profile.value = value;
    profile.hold = hold;
    return profile;
}

static br_profile read_sine(const node* map)
{
    static const char* const keys[] = {"kind",  "mean",  "amplitude", "frequency",
                                       "phase", "start", "hold",      NULL};
    static const char* const required[] = {"amplitude", "frequency", NULL};
    node_expect_keys(map, keys);
    node_require_all(map, required, NULL);
    br_profile sine = br_profile_constant(value_optional(map, "mean", RANGE_ANY, 0));
    sine.kind = BR_PROFILE_SINE;
    sine.amplitude = value_required(map, "amplitude", RANGE_ANY);
    sine.frequency = value_required(map, "frequency", RANGE_NOT_NEGATIVE);
    sine.phase = value_optional(map, "phase", RANGE_ANY, 0);
    sine.start = value_optional(map, "start", RANGE_ANY, 0);
    sine.hold = read_hold(map);
    return sine;
}

// Steps and tables: times and values.
static br_profile read_rows(const node* map, br_profile_kind kind)
{
    static const char* const keys[] = {"kind", "times", "values", "hold", NULL};
    static const char* const required[] = {"times", "values", NULL};
    node_expect_keys(map, keys);
    node_require_all(map, required, NULL);
    const node* times = node_find(map, "times");
    const node* values = node_find(map, "values");
    const size_t count = value_list(times, 0);
    if (value_list(values, 0) != count) {
        node_fail(values, "must be as long as times: %zu there, %zu here", count, values->count);
    }
    const double* t = value_numbers(times, 0, RANGE_ANY);
    for (size_t i = 1; i < count; i++) {
        if (t[i] <= t[i - 1]) {
            node_fail(times->children[i], "times must increase; got %.15g after %.15g", t[i],
                      t[i - 1]);
        }
    }
    const double* numbers = value_numbers(values, 0, RANGE_ANY);
    br_profile rows = profile_of_table(count, t, numbers, read_hold(map));
    rows.kind = kind;
    return rows;
}

// A table of two rows.
static br_profile read_ramp(const node* map)
{
    static const char* const keys[] = {"kind", "from", "to", "start", "end", "hold", NULL};
    static const char* const required[] = {"to", "end", NULL};
    node_expect_keys(map, keys);
    node_require_all(map, required, NULL);
    double* t = memory_allocate(2, sizeof *t);
    double* value = memory_allocate(2, sizeof *value);
    value[0] = value_optional(map, "from", RANGE_ANY, 0);
    value[1] = value_required(map, "to", RANGE_ANY);
    t[0] = value_optional(map, "start", RANGE_ANY, 0);
    t[1] = value_required(map, "end", RANGE_ANY);
    if (!(t[1] > t[0])) {
        node_fail(node_find(map, "end"), "must be after start, %.15g; got %.15g", t[0], t[1]);
    }
    return profile_of_table(2, t, value, read_hold(map));
}

static br_profile read_column(const node* map)
{
    static const char* const keys[] = {"file", "column", "hold", NULL};
    node_expect_keys(map, keys);
    const char* name = value_text(node_require(map, "column"));
    const double hold = read_hold(map);
    const char* const wanted[] = {"t", name, NULL};
    const csv data = csv_read(read_file_name(node_require(map, "file")), wanted, 2);
    return profile_of_table(data.rows, data.columns[0], data.columns[1], hold);
}

static br_profile read_map(const node* map)
{
    static const char* const kinds[] = {"sine", "steps", "table", "ramp", NULL};
    enum { SINE, STEPS, TABLE };
    static const char* const keys[] = {"kind", "file", NULL};
    if (node_find(map, "file")) {
        return read_column(map);
    }
    const node* kind = node_find(map, "kind");
    if (!kind) {
        node_expect_keys(map, keys);
        node_fail(map, "must have kind (sine, steps, table or ramp) or file");
    }
    switch (value_choice(kind, kinds)) {
    case SINE:
        return read_sine(map);
    case STEPS:
        return read_rows(map, BR_PROFILE_STEPS);
    case TABLE:
        return read_rows(map, BR_PROFILE_TABLE);
    default:
        return read_ramp(map);
    }
}

br_profile read_profile(const node* value, range allowed)
{
    if (value->kind != NODE_MAP) {
        return br_profile_constant(value_number(value, allowed));
    }
    const br_profile profile = read_map(value);
    br_reason why = {"", ""};
    if (br_profile_check(&profile, &why) != BR_OK) {
        node_fail(value, "%s%s%s", why.field, *why.field ? ": " : "", why.text);
    }
    return profile;
}

br_profile read_profile_or(const node* map, const char* key, range allowed, double otherwise)
{
    const node* found = node_find(map, key);
    return found ? read_profile(found, allowed) : br_profile_constant(otherwise);
}

double profile_largest(const br_profile* profile)
{
    if (profile->kind == BR_PROFILE_CONSTANT || profile->kind == BR_PROFILE_SINE) {
        return profile->mean + (profile->kind == BR_PROFILE_SINE ? fabs(profile->amplitude) : 0);
    }
    double largest = profile->value[0];
    for (size_t i = 1; i < profile->count; i++) {
        largest = fmax(largest, profile->value[i]);
    }
    return largest;
}

void check_not_negative(const node* value, const br_profile* profile, double duration)
{
    const double when = br_profile_negative_from(profile, duration);
    if (when < HUGE_VAL) {
        node_fail(value, "must be >= 0, but is negative from t = %.6g s on", when);
    }
}
