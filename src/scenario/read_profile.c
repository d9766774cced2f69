/*
 * Numbers over time from YAML: a number, a sine, steps, a table, a ramp, or a column of a CSV file.
 */
#include "scenario/read_profile.h"

#include <math.h>

#include "scenario/csv.h"
#include "scenario/mappings.h"
#include "scenario/read_file.h"

double bri_read_hold(const node* map)
{
    return bri_value_optional(map, "hold", RANGE_POSITIVE, 0);
}

br_profile bri_profile_of_table(size_t count, const double* t, const double* value, double hold)
{
    br_profile profile = br_profile_constant(0);
    profile.kind = BR_PROFILE_TABLE;
    profile.count = count;
    profile.t = t;
    profile.value = value;
    profile.hold = hold;
    return profile;
}

#define HOLD_KEY                                                                                   \
    KEY("hold", NUMBER, "s", IN_POSITIVE, "",                                                      \
        "keeps the value of instant i hold until the next, as a digital controller does", BY_HAND)

static const map_key sine_keys[] = {
    KEY("kind", WORD, "", IN_ANY, REQUIRED, "mean + amplitude sin(2 pi frequency t + phase)",
        BY_HAND, WORDS("sine")),
    KEY("mean", NUMBER, "", IN_ANY, "0", "alone for t < start", AT(br_profile, mean)),
    KEY("amplitude", NUMBER, "", IN_ANY, REQUIRED, "of the swing", AT(br_profile, amplitude)),
    KEY("frequency", NUMBER, "Hz", IN_NOT_NEGATIVE, REQUIRED, "of the swing",
        AT(br_profile, frequency)),
    KEY("phase", NUMBER, "rad", IN_ANY, "0", "at t = 0", AT(br_profile, phase)),
    KEY("start", NUMBER, "s", IN_ANY, "0", "when it begins", AT(br_profile, start)),
    HOLD_KEY};
static const mapping sine = MAPPING("sine", sine_keys);

static const map_key steps_keys[] = {
    KEY("kind", WORD, "", IN_ANY, REQUIRED, "value i from times[i] on, values[0] before", BY_HAND,
        WORDS("steps")),
    KEY("times", NUMBERS, "s", IN_ANY, REQUIRED, "increasing", BY_HAND),
    KEY("values", NUMBERS, "", IN_ANY, REQUIRED, "as many as times", BY_HAND), HOLD_KEY};
static const mapping steps = MAPPING("steps", steps_keys);

static const map_key table_keys[] = {
    KEY("kind", WORD, "", IN_ANY, REQUIRED, "linear between the times, constant outside", BY_HAND,
        WORDS("table")),
    KEY("times", NUMBERS, "s", IN_ANY, REQUIRED, "increasing", BY_HAND),
    KEY("values", NUMBERS, "", IN_ANY, REQUIRED, "as many as times", BY_HAND), HOLD_KEY};
static const mapping table = MAPPING("table", table_keys);

// As it is read.
typedef struct ramp_input {
    double from, to, start, end;
} ramp_input;

static const map_key ramp_keys[] = {
    KEY("kind", WORD, "", IN_ANY, REQUIRED, "linear from start to end, constant outside", BY_HAND,
        WORDS("ramp")),
    KEY("from", NUMBER, "", IN_ANY, "0", "value until start", AT(ramp_input, from)),
    KEY("to", NUMBER, "", IN_ANY, REQUIRED, "value from end on", AT(ramp_input, to)),
    KEY("start", NUMBER, "s", IN_ANY, "0", "when it begins", AT(ramp_input, start)),
    KEY("end", NUMBER, "s", IN_ANY, REQUIRED, "when it ends", AT(ramp_input, end)),
    HOLD_KEY};
static const mapping ramp = MAPPING("ramp", ramp_keys);

static const map_key column_keys[] = {
    KEY("file", FILE, "", IN_ANY, REQUIRED, "CSV with a column t [s]; linear between rows",
        BY_HAND),
    KEY("column", TEXT, "", IN_ANY, REQUIRED, "the column's name", BY_HAND), HOLD_KEY};
static const mapping column = MAPPING("column", column_keys);

const mapping* const bri_keys_profiles[] = {&sine, &steps, &table, &ramp, &column, NULL};

static br_profile read_sine(const node* map)
{
    br_profile profile = br_profile_constant(0);
    profile.kind = BR_PROFILE_SINE;
    bri_keys_read(map, &sine, &profile);
    profile.hold = bri_read_hold(map);
    return profile;
}

static void check_increase(const node* times, const double* t)
{
    for (size_t i = 1; i < times->count; i++) {
        if (t[i] <= t[i - 1]) {
            bri_node_fail(times->children[i], "times must increase; got %.15g after %.15g", t[i],
                          t[i - 1]);
            return;
        }
    }
}

// Steps and tables: times and values.
static br_profile read_rows(const node* map, br_profile_kind kind)
{
    if (!bri_keys_read(map, kind == BR_PROFILE_STEPS ? &steps : &table, NULL)) {
        return br_profile_constant(0);
    }
    const size_t before = bri_problems(map);
    const node* times = bri_node_find(map, "times");
    const node* values = bri_node_find(map, "values");
    const double* t = bri_value_numbers(times, 0, RANGE_ANY);
    const double* numbers = bri_value_numbers(values, 0, RANGE_ANY);
    const double hold = bri_read_hold(map);
    if (bri_problems(map) != before) {
        return br_profile_constant(0);
    }
    if (values->count != times->count) {
        bri_node_fail(values, "must be as long as times: %zu there, %zu here", times->count,
                      values->count);
        return br_profile_constant(0);
    }
    check_increase(times, t);
    br_profile rows = bri_profile_of_table(times->count, t, numbers, hold);
    rows.kind = kind;
    return rows;
}

// A table of two rows.
static br_profile read_ramp(const node* map)
{
    ramp_input in;
    if (!bri_keys_read(map, &ramp, &in)) {
        return br_profile_constant(0);
    }
    if (!(in.end > in.start)) {
        bri_node_fail(bri_node_find(map, "end"), "must be after start, %.15g; got %.15g", in.start,
                      in.end);
    }
    double* t = bri_allocate(map->in, 2, sizeof *t);
    double* value = bri_allocate(map->in, 2, sizeof *value);
    t[0] = in.start;
    t[1] = in.end;
    value[0] = in.from;
    value[1] = in.to;
    return bri_profile_of_table(2, t, value, bri_read_hold(map));
}

static br_profile read_column(const node* map)
{
    bri_keys_read(map, &column, NULL);
    const char* name = bri_value_text(bri_node_find(map, "column"));
    const char* path = bri_read_file_name(bri_node_find(map, "file"));
    const double hold = bri_read_hold(map);
    const char* const wanted[] = {"t", name, NULL};
    const csv data = path && *name ? bri_csv_read(map->in, path, wanted, 2) : (csv){0, NULL};
    if (data.rows == 0) {
        return br_profile_constant(0);
    }
    return bri_profile_of_table(data.rows, data.columns[0], data.columns[1], hold);
}

static br_profile read_map(const node* map)
{
    static const char* const kinds[] = {"sine", "steps", "table", "ramp", NULL};
    enum { SINE, STEPS, TABLE };
    static const char* const keys[] = {"kind", "file", NULL};
    if (bri_node_find(map, "file")) {
        return read_column(map);
    }
    const node* kind = bri_node_find(map, "kind");
    if (!kind) {
        const size_t before = bri_problems(map);
        bri_node_expect_keys(map, keys);
        if (bri_problems(map) == before) {
            bri_node_fail(map, "must have kind (sine, steps, table or ramp) or file");
        }
        return br_profile_constant(0);
    }
    switch (bri_value_choice(kind, kinds)) {
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

br_profile bri_read_profile(const node* value, range allowed)
{
    if (!value || value->kind != NODE_MAP) {
        return br_profile_constant(bri_value_number(value, allowed));
    }
    const size_t before = bri_problems(value);
    const br_profile profile = read_map(value);
    br_reason why = {"", ""};
    if (bri_problems(value) != before) {
        return br_profile_constant(0);
    }
    if (br_profile_check(&profile, &why) != BR_OK) {
        bri_node_fail(value, "%s%s%s", why.field, *why.field ? ": " : "", why.text);
    }
    return profile;
}

br_profile bri_read_profile_or(const node* map, const char* key, range allowed, double otherwise)
{
    const node* found = bri_node_find(map, key);
    return found ? bri_read_profile(found, allowed) : br_profile_constant(otherwise);
}

double bri_profile_largest(const br_profile* profile)
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

void bri_check_not_negative(const node* value, const br_profile* profile, double duration)
{
    const double when = br_profile_negative_from(profile, duration);
    if (when < HUGE_VAL) {
        bri_node_fail(value, "must be >= 0, but is negative from t = %.6g s on", when);
    }
}
