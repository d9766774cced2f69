/*
 * `noise` of a scenario.
 */
#include "scenario/noise.h"

#include <math.h>
#include <string.h>

#include "bristle/math.h"
#include "scenario/mappings.h"

typedef struct noise_input {
    double deviation, bias;
    size_t seed;
} noise_input;

static const map_key noise_keys[] = {
    KEY("column", TEXT, "", IN_ANY, REQUIRED, "which one", BY_HAND),
    KEY("deviation", NUMBER, "the column's", IN_NOT_NEGATIVE, REQUIRED,
        "standard deviation of normal noise, independent from row to row",
        AT(noise_input, deviation)),
    KEY("bias", NUMBER, "the column's", IN_ANY, "0", "of the sensor", AT(noise_input, bias)),
    KEY("seed", COUNT, "", IN(0, 4294967295.0), "1",
        "the same seed gives the same noise; columns have streams of their own",
        AT(noise_input, seed))};
const mapping bri_keys_noise = MAPPING("noise", noise_keys);

// splitmix64
static uint64_t draw(uint64_t* state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// Uniform in (0, 1).
static double draw_share(uint64_t* state)
{
    return ((double)(draw(state) >> 11) + 0.5) * 0x1p-53;
}

// Standard normal, by Box and Muller.
static double draw_normal(uint64_t* state)
{
    const double size = sqrt(-2.0 * log(draw_share(state)));
    return size * cos(2.0 * BR_PI * draw_share(state));
}

void bri_noise_add(noise* noises, size_t count, double* row)
{
    for (size_t i = 0; i < count; i++) {
        row[noises[i].column] +=
            noises[i].bias + noises[i].deviation * draw_normal(&noises[i].state);
    }
}

// The column that is named, one of numbers; or a mistake.
static size_t find_column(const node* value, const br_column* columns, size_t count)
{
    const char* name = value ? bri_value_text(value) : NULL;
    const char** known = bri_allocate(value->in, count + 1, sizeof *known);
    for (size_t i = 0; i < count; i++) {
        known[i] = columns[i].name;
    }
    const int place = name ? bri_text_find(name, known) : -1;
    if (name && place < 0) {
        bri_node_fail(value, "must be one of %s, got %s", bri_text_join(&value->in->memory, known),
                      name);
    } else if (name && (columns[place].words || strcmp(name, "t") == 0)) {
        bri_node_fail(value, "%s: takes no noise", name);
    }
    return place < 0 ? 0 : (size_t)place;
}

static noise read_one(const node* map, const br_column* columns, size_t count)
{
    noise_input in = {0};
    noise out = {0};
    if (bri_keys_read(map, &bri_keys_noise, &in)) {
        out.column = find_column(bri_node_find(map, "column"), columns, count);
        out.deviation = in.deviation;
        out.bias = in.bias;
        out.state = (uint64_t)in.seed * 0x2545f4914f6cdd1du + out.column;
        draw(&out.state);
    }
    return out;
}

const noise* bri_read_noise(const node* root, const br_column* columns, size_t column_count,
                            size_t* count)
{
    const node* given = bri_node_find(root, "noise");
    *count = 0;
    if (!given || column_count == 0) {
        return NULL;
    }
    const bool is_list = given->kind == NODE_LIST;
    *count = is_list ? given->count : 1;
    noise* out = bri_allocate(given->in, *count + 1, sizeof *out);
    for (size_t i = 0; i < *count; i++) {
        out[i] = read_one(is_list ? given->children[i] : given, columns, column_count);
    }
    return out;
}
