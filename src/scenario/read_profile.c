/*
 * Numbers over time from a tree: a number, a sine, steps, a table, a ramp, a move, an acceleration, or a column of a CSV
 * file.
 */
#include <math.h>
#include <string.h>

#include "scenario/mappings.h"
#include "scenario/read_contact.h"
#include "scenario/source.h"

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

// As it is read.
typedef struct profile_input {
    br_profile profile;
    number_list times, values;
    double to, end;
    const char *file, *column;
} profile_input;

#define KIND_KEY(word, text, value) TAG_AT("kind", word, text, profile_input, profile.kind, value)
#define HOLD_KEY                                                                                   \
    KEY("hold", NUMBER, "s", IN_POSITIVE, "",                                                      \
        "keeps the value of instant i hold until the next, as a digital controller does",          \
        AT(profile_input, profile.hold))
#define START_KEY                                                                                  \
    KEY("start", NUMBER, "s", IN_ANY, DEFAULT, "when it starts", AT(profile_input, profile.start))
#define FROM_KEY                                                                                   \
    KEY("from", NUMBER, UNIT_OF_KEY, IN_ANY, DEFAULT, "value until start",                         \
        AT(profile_input, profile.mean))
#define TO_KEY(text) KEY("to", NUMBER, UNIT_OF_KEY, IN_ANY, REQUIRED, text, AT(profile_input, to))
#define DURATION_KEY_OF(text)                                                                      \
    KEY("duration", NUMBER, "s", IN_POSITIVE, REQUIRED, text, AT(profile_input, profile.duration))
#define TABLE_KEYS                                                                                 \
    KEY("times", NUMBERS, "s", IN_ANY, REQUIRED, "increasing", AT(profile_input, times)),          \
        KEY("values", NUMBERS, UNIT_OF_KEY, IN_ANY, REQUIRED, "as many as times",                  \
            AT(profile_input, values)),                                                            \
        HOLD_KEY

static const map_key sine_keys[] = {
    KIND_KEY("sine", "mean + amplitude sin(2 pi frequency t + phase)", BR_PROFILE_SINE),
    KEY("mean", NUMBER, UNIT_OF_KEY, IN_ANY, DEFAULT, "alone for t < start",
        AT(profile_input, profile.mean)),
    KEY("amplitude", NUMBER, UNIT_OF_KEY, IN_ANY, REQUIRED, "of the oscillation",
        AT(profile_input, profile.amplitude)),
    KEY("frequency", NUMBER, "Hz", IN_NOT_NEGATIVE, REQUIRED, "of the oscillation",
        AT(profile_input, profile.frequency)),
    KEY("phase", NUMBER, "rad", IN_ANY, DEFAULT, "at t = 0", AT(profile_input, profile.phase)),
    START_KEY,
    HOLD_KEY};
static const mapping sine = MAPPING("sine", sine_keys, profile_input);

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
static void finish_table(const node* map, void* to, bool is_good)
{
    profile_input* in = to;
    if (!is_good) {
        return;
    }
    if (in->values.count != in->times.count) {
        bri_node_fail(bri_node_find(map, "values"), "must be as long as times: %zu there, %zu here",
                      in->times.count, in->values.count);
        return;
    }
    check_increase(bri_node_find(map, "times"), in->times.at);
    in->profile.count = in->times.count;
    in->profile.t = in->times.at;
    in->profile.value = in->values.at;
}

static const map_key steps_keys[] = {
    KIND_KEY("steps", "value i from times[i] on, values[0] before", BR_PROFILE_STEPS), TABLE_KEYS};
static const mapping steps = MAPPING_OF("steps", steps_keys, profile_input, NULL, finish_table);

static const map_key table_keys[] = {
    KIND_KEY("table", "linear between the times, constant outside", BR_PROFILE_TABLE), TABLE_KEYS};
static const mapping table = MAPPING_OF("table", table_keys, profile_input, NULL, finish_table);

// A table of two rows.
static void finish_ramp(const node* map, void* to, bool is_good)
{
    profile_input* in = to;
    br_profile* ramp = &in->profile;
    if (!is_good) {
        return;
    }
    if (!(in->end > ramp->start)) {
        bri_node_fail(bri_node_find(map, "end"), "must be after start, %.15g; got %.15g",
                      ramp->start, in->end);
    }
    double* rows = bri_allocate(map->in, 4, sizeof *rows);
    memcpy(rows, (const double[]){ramp->start, in->end, ramp->mean, in->to}, 4 * sizeof *rows);
    *ramp = bri_profile_of_table(2, rows, rows + 2, ramp->hold);
}

static const map_key ramp_keys[] = {
    KIND_KEY("ramp", "linear from start to end, constant outside", BR_PROFILE_TABLE),
    FROM_KEY,
    TO_KEY("value from end on"),
    START_KEY,
    KEY("end", NUMBER, "s", IN_ANY, REQUIRED, "when it ends", AT(profile_input, end)),
    HOLD_KEY};
static const mapping ramp = MAPPING_OF("ramp", ramp_keys, profile_input, NULL, finish_ramp);

static void finish_move(const node* map, void* to, bool is_good)
{
    (void)map, (void)is_good;
    profile_input* in = to;
    in->profile.amplitude = in->to - in->profile.mean;
}

static const map_key move_keys[] = {
    KIND_KEY("move",
             "smoothly from start to start + duration (minimum jerk), constant outside: at rest "
             "at both ends",
             BR_PROFILE_MOVE),
    FROM_KEY,
    TO_KEY("value from start + duration on"),
    START_KEY,
    DURATION_KEY_OF("of the move"),
    HOLD_KEY};
static const mapping move = MAPPING_OF("move", move_keys, profile_input, NULL, finish_move);

static const map_key accelerate_keys[] = {
    KIND_KEY("accelerate",
             "smoothly from rest at start to a speed at start + duration, which stays; "
             "acceleration up to 1.5 speed/duration",
             BR_PROFILE_ACCELERATE),
    FROM_KEY,
    KEY("speed", NUMBER, UNIT_OF_KEY_BY_S, IN_ANY, REQUIRED,
        "its change by second from start + duration on", AT(profile_input, profile.amplitude)),
    START_KEY,
    DURATION_KEY_OF("until the speed is reached"),
    HOLD_KEY};
static const mapping accelerate = MAPPING("accelerate", accelerate_keys, profile_input);

static void finish_column(const node* map, void* to, bool is_good)
{
    (void)is_good;
    profile_input* in = to;
    const char* const wanted[] = {"t", in->column, NULL};
    const bool is_named = in->file && in->column && *in->column;
    const csv data = is_named ? bri_csv_read(map->in, in->file, wanted, 2) : (csv){0, NULL};
    if (data.rows > 0) {
        in->profile =
            bri_profile_of_table(data.rows, data.columns[0], data.columns[1], in->profile.hold);
    }
}

static const map_key column_keys[] = {
    PLAIN_KEY("file", FILE, REQUIRED, "CSV with a column t [s]; linear between rows",
              AT(profile_input, file)),
    PLAIN_KEY("column", TEXT, REQUIRED, "the column's name", AT(profile_input, column)), HOLD_KEY};
static const mapping column = MAPPING_OF("column", column_keys, profile_input, NULL, finish_column);

static void finish_polynomial(const node* map, void* to, bool is_good)
{
    (void)map, (void)is_good;
    profile_input* in = to;
    in->profile.count = in->values.count;
    in->profile.value = in->values.at;
}

static const map_key polynomial_keys[] = {
    KIND_KEY("polynomial", "c0 + c1 t + c2 t^2 + ..., of paths alone", BR_PROFILE_POLYNOMIAL),
    KEY("coefficients", NUMBERS, "", IN_ANY, REQUIRED, "[c0, c1, ...], 16 at most",
        AT(profile_input, values))};
const mapping bri_keys_time_polynomial =
    MAPPING_OF("polynomial in time", polynomial_keys, profile_input, NULL, finish_polynomial);

const mapping* const bri_keys_profiles[] = {&sine, &steps,      &table,  &ramp,
                                            &move, &accelerate, &column, NULL};

// ": did you mean kind: sine?" where kinds have all keys of a map; "" where none has.
static const char* suggest_kind(const node* map)
{
    const char* text = "";
    for (size_t i = 0; map->count > 0 && bri_keys_profiles[i]; i++) {
        const mapping* m = bri_keys_profiles[i];
        bool fits = m->keys[0].is_tag;
        for (size_t k = 0; k < map->count && fits; k++) {
            fits = bri_keys_have(m, map->children[k]->key);
        }
        if (fits) {
            text =
                bri_format(map->in, "%s kind: %s",
                           *text ? bri_format(map->in, "%s or", text) : text, m->keys[0].words[0]);
        }
    }
    return *text ? bri_format(map->in, ": did you mean%s?", text) : "";
}

// A map without `kind` and `file`: unless one of these is misspelt, name the kinds.
static void fail_kind(const node* map)
{
    pool* memory = &map->in->memory;
    static const char* const keys[] = {"kind", "file", NULL};
    for (size_t i = 0; i < map->count; i++) {
        const node* child = map->children[i];
        const char* meant = br_text_find_nearest(child->key, keys);
        if (meant) {
            bri_node_fail_with(child, "", meant, "unknown key; did you mean %s?", meant);
            return;
        }
    }
    bri_node_fail_field(
        map, "kind", "is missing; must be one of %s, unless there are file and column%s",
        bri_text_join(memory, bri_keys_list_tags(memory, bri_keys_profiles)), suggest_kind(map));
}

static br_profile read_map(const node* map, const mapping* const* also)
{
    profile_input in = {.profile = br_profile_constant(0)};
    const node* kind = bri_node_find(map, "kind");
    if (!kind && !bri_node_find(map, "file")) {
        fail_kind(map);
        return in.profile;
    }
    const mapping* chosen = also && kind ? bri_keys_find_tagged(also, kind) : NULL;
    chosen = chosen ? chosen : bri_keys_choose(map, bri_keys_profiles);
    return chosen && bri_keys_read(map, chosen, &in) ? in.profile : br_profile_constant(0);
}

br_profile bri_read_profile(const node* value, range allowed, const mapping* const* also)
{
    if (!value || value->kind != NODE_MAP) {
        return br_profile_constant(bri_value_number(value, allowed));
    }
    const size_t before = bri_problems(value);
    const br_profile profile = read_map(value, also);
    br_reason why = {"", ""};
    if (bri_problems(value) != before) {
        return br_profile_constant(0);
    }
    if (br_profile_check(&profile, &why) != BR_OK) {
        bri_node_fail(value, "%s%s%s", why.field, *why.field ? ": " : "", why.text);
    }
    return profile;
}

void bri_check_not_negative(const node* value, const br_profile* profile, double duration)
{
    const double when = br_profile_negative_from(profile, duration);
    if (when < HUGE_VAL) {
        bri_node_fail(value, "must be >= 0, but is negative from t = %.6g s on", when);
    }
}
