/*
 * `noise` of a scenario: what sensors would add to the columns of its table.
 */
#include <string.h>

#include "math/random.h"
#include "scenario/mappings.h"

// As it is read.
typedef struct noise_input {
    const node* from; // NULL: with errors
    const char* column;
    double deviation, bias;
    size_t seed;
} noise_input;

static void set_default(void* to)
{
    ((noise_input*)to)->seed = 1;
}

static void finish(const node* map, void* to, bool is_good)
{
    ((noise_input*)to)->from = is_good ? map : NULL;
}

static const map_key noise_keys[] = {
    PLAIN_KEY("column", TEXT, REQUIRED, "which one", AT(noise_input, column)),
    KEY("deviation", NUMBER, "the column's", IN_NOT_NEGATIVE, REQUIRED,
        "standard deviation of normal noise, independent from row to row",
        AT(noise_input, deviation)),
    KEY("bias", NUMBER, "the column's", IN_ANY, DEFAULT, "of the sensor", AT(noise_input, bias)),
    KEY("seed", COUNT, "", IN(0, 4294967295.0), DEFAULT,
        "the same seed gives the same noise; columns have streams of their own",
        AT(noise_input, seed))};
const mapping bri_keys_noise = MAPPING_OF("noise", noise_keys, noise_input, set_default, finish);

void bri_noise_add(noise* noises, size_t count, double* row)
{
    for (size_t i = 0; i < count; i++) {
        row[noises[i].column] +=
            noises[i].bias + noises[i].deviation * random_normal(&noises[i].state);
    }
}

// The named column, which must be one of numbers.
static size_t find_column(const noise_input* in, const br_column* columns, size_t count)
{
    const char* name = in->column;
    const node* value = bri_node_find(in->from, "column");
    const char** known = bri_allocate(value->in, count + 1, sizeof *known);
    for (size_t i = 0; i < count; i++) {
        known[i] = columns[i].name;
    }
    const int index = br_text_find(name, known);
    if (index < 0) {
        bri_node_fail(value, "must be one of %s, got %s", bri_text_join(&value->in->memory, known),
                      name);
    } else if (columns[index].words || strcmp(name, "t") == 0) {
        bri_node_fail(value, "%s: takes no noise", name);
    }
    return index < 0 ? 0 : (size_t)index;
}

static noise create(const noise_input* in, const br_column* columns, size_t count)
{
    noise out = {.deviation = in->deviation, .bias = in->bias};
    if (in->from) {
        out.column = find_column(in, columns, count);
        out.state = (uint64_t)in->seed * 0x2545f4914f6cdd1du + out.column;
        random_bits(&out.state);
    }
    return out;
}

void bri_scenario_create_noise(br_scenario* s)
{
    s->noise_count = s->column_count > 0 ? s->noise.count : 0;
    noise* out = bri_allocate(&s->in, s->noise_count, sizeof *out);
    for (size_t i = 0; i < s->noise_count; i++) {
        out[i] = create((const noise_input*)s->noise.at + i, s->columns, s->column_count);
    }
    s->noises = out;
}
