/*
 * Planning a sweep: keys and their values, the grid of cases, the outputs.
 *
 *   def, scenario's `sweep` -> list of keys -> axes and inputs -> inputs of case i
 *
 * Errors are recorded as those of a file (parse_context.h); the first one is the reason of a failure.
 */
#include <stdio.h>
#include <string.h>

#include "base/definition.h"
#include "scenario/source.h"
#include "scenario/text.h"
#include "sweep/random.h"
#include "sweep/sweep_internal.h"

static const double MAX_CASES = 0x1p53; // an index is a whole number in files, too

br_sweep_def br_sweep_def_default(void)
{
    return (br_sweep_def){.size = sizeof(br_sweep_def)};
}

// --- keys -----------------------------------------------------------------------------------------

// A key before its axis is known.
typedef struct entry {
    br_sweep_use use;
    const char* key;
    const char* what; // "vary friction.mu", for messages
    spec values;
    const char* text; // its values, for the sweep's text
} entry;

typedef struct entry_list {
    entry* at; // (count)
    size_t count, capacity;
} entry_list;

// State while a sweep is created.
typedef struct plan {
    br_sweep* sweep;
    parse_context* in;
    entry_list entries;
    size_t replaceable; // number of entries from the scenario, which the definition may replace
} plan;

static const char* const use_names[] = {"vary", "zip", "draw"};

// Index of a key in the list; the length of the list: not found.
static size_t find_entry(const entry_list* list, const char* key)
{
    size_t i = 0;
    while (i < list->count && strcmp(list->at[i].key, key) != 0) {
        i++;
    }
    return i;
}

// Append an entry; it replaces one of the scenario with the same key.
static void add_entry(plan* p, entry fresh)
{
    entry_list* list = &p->entries;
    const size_t same = find_entry(list, fresh.key);
    if (same < p->replaceable) {
        memmove(&list->at[same], &list->at[same + 1], (--list->count - same) * sizeof *list->at);
        p->replaceable--;
    } else if (same < list->count) {
        bri_fail_file(p->in, fresh.what, 0, "the key is there twice");
    }
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 8;
        list->at = bri_pool_grow(&p->in->memory, list->at, list->capacity, sizeof *list->at);
    }
    list->at[list->count++] = fresh;
}

static void add_text(plan* p, br_sweep_use use, const char* key, const char* text)
{
    const char* what = bri_format(p->in, "%s %s", use_names[use], key);
    const entry fresh = {
        use, bri_format(p->in, "%s", key), what,
        bri_spec_read(p->in, what, bri_sweep_key_unit(p->sweep, key), text, use == BR_SWEEP_DRAW),
        bri_format(p->in, "%s", text)};
    add_entry(p, fresh);
}

// FNV-1a hash, to distinguish lists.
static const unsigned long long FNV_START = 0xcbf29ce484222325u;

static unsigned long long hash_more(unsigned long long hash, const void* bytes, size_t count)
{
    for (const unsigned char* at = bytes; count-- > 0; at++) {
        hash = (hash ^ *at) * 0x100000001b3u;
    }
    return hash;
}

static void add_numbers(plan* p, br_sweep_use use, const char* key, const double* values,
                        size_t count)
{
    const char* what = bri_format(p->in, "%s %s", use_names[use], key);
    double* own = bri_allocate(p->in, count, sizeof *own);
    if (count == 0 || use == BR_SWEEP_DRAW) {
        bri_fail_file(p->in, what, 0, "must have values, or a text with its distribution");
        return;
    }
    memcpy(own, values, count * sizeof *own);
    const entry fresh = {use,
                         bri_format(p->in, "%s", key),
                         what,
                         {.kind = SPEC_LIST, .count = count, .values = own},
                         bri_format(p->in, "%zu values, hash %016llx", count,
                                    hash_more(FNV_START, own, count * sizeof *own))};
    add_entry(p, fresh);
}

// --- cases of a file ------------------------------------------------------------------------------

static void add_words(plan* p, const char* key, names words, size_t count)
{
    unsigned long long hash = FNV_START;
    for (size_t i = 0; i < count; i++) {
        hash = hash_more(hash, words[i], strlen(words[i]) + 1);
    }
    const entry fresh = {BR_SWEEP_ZIP,
                         bri_format(p->in, "%s", key),
                         bri_format(p->in, "%s %s", use_names[BR_SWEEP_ZIP], key),
                         {.kind = SPEC_LIST, .count = count, .words = words},
                         bri_format(p->in, "%zu words, hash %016llx", count, hash)};
    add_entry(p, fresh);
}

static void add_cases(plan* p, const char* path)
{
    const csv_columns cases = bri_csv_read_columns(p->in, path);
    for (size_t i = 0; i < cases.count && cases.rows > 0; i++) {
        const csv_column* c = &cases.at[i];
        if (c->words) {
            add_words(p, c->name, c->words, cases.rows);
        } else {
            add_numbers(p, BR_SWEEP_ZIP, c->name, c->numbers, cases.rows);
        }
    }
}

static size_t count_drawn(const plan* p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->entries.count; i++) {
        count += p->entries.at[i].use == BR_SWEEP_DRAW;
    }
    return count;
}

// --- gathering ------------------------------------------------------------------------------------

static void gather_scenario(plan* p, const sweep_input* input)
{
    const sweep_entries lists[] = {input->vary, input->zip, input->draw};
    for (size_t use = 0; use < 3; use++) {
        for (size_t i = 0; i < lists[use].count; i++) {
            add_text(p, (br_sweep_use)use, lists[use].at[i].key, lists[use].at[i].spec);
        }
    }
    if (input->cases) {
        add_cases(p, input->cases);
    }
    p->sweep->samples = input->samples;
    p->sweep->sampling = (br_sweep_sampling)input->sampling;
    p->sweep->seed = input->seed;
    p->sweep->has_indices = input->indices;
}

static void gather_def(plan* p, const br_sweep_def* def)
{
    br_sweep* s = p->sweep;
    p->replaceable = p->entries.count;
    for (size_t i = 0; i < def->key_count; i++) {
        const br_sweep_key* k = &def->keys[i];
        if (k->spec) {
            add_text(p, k->use, k->key, k->spec);
        } else {
            add_numbers(p, k->use, k->key, k->values, k->count);
        }
    }
    if (def->cases) {
        add_cases(p, def->cases);
    }
    const sweep_input* input = s->scenario->sweep;
    const bool draws_no_more = input && input->draw.count > 0 && count_drawn(p) == 0;
    s->samples = def->samples ? def->samples : draws_no_more ? 0 : s->samples;
    s->sampling = def->sampling ? def->sampling : s->sampling;
    s->seed = def->has_seed ? def->seed : s->seed;
    s->has_indices = s->has_indices || def->indices;
}

// --- axes and inputs ------------------------------------------------------------------------------

static size_t add_axis(plan* p, const entry* e)
{
    br_sweep* s = p->sweep;
    if (s->axis_count == MAX_AXES) {
        bri_fail_file(p->in, e->what, 0, "there may be %d axes at most", MAX_AXES);
        return 0;
    }
    s->shape[s->axis_count] = e->values.count;
    return s->axis_count++;
}

static void add_input(plan* p, const entry* e, size_t axis)
{
    br_sweep* s = p->sweep;
    s->inputs[s->input_count] = (sweep_value){.key = e->key, .values = e->values, .axis = axis};
    s->input_columns[s->input_count++] =
        (br_sweep_column){e->key, bri_sweep_key_unit(s, e->key), e->values.words};
}

static void set_axes(plan* p)
{
    const entry* together = NULL; // the first of the zipped ones
    size_t zip_axis = 0;
    for (size_t i = 0; i < p->entries.count; i++) {
        const entry* e = &p->entries.at[i];
        if (e->use == BR_SWEEP_VARY) {
            add_input(p, e, add_axis(p, e));
        } else if (e->use == BR_SWEEP_ZIP) {
            zip_axis = together ? zip_axis : add_axis(p, e);
            together = together ? together : e;
            if (e->values.count != together->values.count) {
                bri_fail_file(p->in, e->what, 0, "has %zu values, but %s of the same zip has %zu",
                              e->values.count, together->key, together->values.count);
            }
            add_input(p, e, zip_axis);
        }
    }
}

static void set_directions(plan* p, sweep_value* v, unsigned ordinal)
{
    const size_t drawn = p->sweep->drawn_count, sides = p->sweep->has_indices ? 2 : 1;
    if (sides * drawn > SOBOL_DIMENSIONS) {
        bri_fail_file(p->in, "sampling sobol", 0,
                      "has points in %d dimensions at most; %zu keys are drawn%s", SOBOL_DIMENSIONS,
                      drawn, sides == 2 ? ", twice each for indices" : "");
        return;
    }
    v->directions = bri_allocate(p->in, 2, sizeof *v->directions);
    for (unsigned side = 0; side < sides; side++) {
        bri_sobol_directions(ordinal + side * (unsigned)drawn, v->directions[side]);
    }
}

static void check_samples(plan* p)
{
    const br_sweep* s = p->sweep;
    if (p->entries.count == 0) {
        bri_fail_file(p->in, "sweep", 0,
                      "no key changes: give vary, draw, zip or cases, here or in the file");
        return;
    }
    if (s->drawn_count > 0 && s->samples == 0) {
        bri_fail_file(p->in, "draw", 0, "needs the number of samples: `samples`");
    }
    if (s->drawn_count == 0 && s->samples > 0) {
        bri_fail_file(p->in, "samples", 0, "needs keys to draw: `draw`");
    }
    if (s->has_indices && (s->drawn_count == 0 || s->drawn_count != p->entries.count)) {
        bri_fail_file(p->in, "sobol", 0, "needs keys that are drawn, and no others that change");
    }
}

static void set_samples(plan* p)
{
    br_sweep* s = p->sweep;
    s->drawn_count = count_drawn(p);
    check_samples(p);
    if (s->drawn_count == 0 || p->in->problems > 0) {
        return;
    }
    s->has_samples = true;
    s->sampling = s->sampling ? s->sampling : BR_SWEEP_RANDOM;
    const entry axis = {
        .what = "samples",
        .values = {.count = s->samples * (s->has_indices ? s->drawn_count + 2 : 1)}};
    const size_t position = add_axis(p, &axis);
    unsigned ordinal = 0;
    for (size_t i = 0; i < p->entries.count; i++) {
        if (p->entries.at[i].use == BR_SWEEP_DRAW) {
            add_input(p, &p->entries.at[i], position);
            if (s->sampling == BR_SWEEP_SOBOL) {
                set_directions(p, &s->inputs[s->input_count - 1], ordinal);
            }
            ordinal++;
        }
    }
}

static void count_cases(plan* p)
{
    br_sweep* s = p->sweep;
    double count = 1;
    for (size_t i = 0; i < s->axis_count; i++) {
        count *= (double)s->shape[i];
    }
    if (!(count <= MAX_CASES)) {
        bri_fail_file(p->in, "sweep", 0, "%g cases are too many", count);
        return;
    }
    s->case_count = (size_t)count;
}

// --- outputs --------------------------------------------------------------------------------------

static void read_outputs(plan* p, names list)
{
    br_sweep* s = p->sweep;
    size_t count = 0;
    while (list[count]) {
        count++;
    }
    const char** keys = bri_allocate(p->in, s->input_count + 1, sizeof *keys);
    for (size_t i = 0; i < s->input_count; i++) {
        keys[i] = s->inputs[i].key;
    }
    s->outputs = bri_allocate(p->in, count, sizeof *s->outputs);
    s->output_columns = bri_allocate(p->in, count, sizeof *s->output_columns);
    for (size_t i = 0; i < count; i++) {
        sweep_output* w = &s->outputs[i];
        *w = bri_sweep_output_read(p->in, list[i], keys);
        for (size_t k = 0; k < i; k++) {
            if (strcmp(s->outputs[k].name, w->name) == 0) {
                bri_fail_file(p->in, "want", 0, "%s: is requested twice", w->name);
            }
        }
        if (br_text_find(w->name, keys) >= 0) {
            bri_fail_file(p->in, "want", 0, "%s: is an input, which the results always contain",
                          w->name);
        }
        if (p->in->problems > 0) {
            return;
        }
        s->needs |= bri_sweep_output_needs(w);
        s->output_columns[i] =
            (br_sweep_column){w->name, bri_sweep_output_unit(w, s->scenario), NULL};
    }
    s->output_count = count;
}

// Outputs of the caller (commas separate several in a text), else of the scenario; ended by NULL.
static names choose_outputs(plan* p, const br_sweep_def* def)
{
    static const char* const none[] = {NULL};
    const sweep_input* input = p->sweep->scenario->sweep;
    if (def->output_count == 0) {
        return input ? input->outputs : none;
    }
    const char** all = NULL;
    size_t count = 0;
    for (size_t i = 0; i < def->output_count; i++) {
        for (names part = bri_sweep_split(&p->in->memory, def->outputs[i]); *part; part++) {
            all = bri_pool_grow(&p->in->memory, all, count + 2, sizeof *all);
            all[count++] = *part;
        }
    }
    return all ? all : none;
}

// --- text -----------------------------------------------------------------------------------------

static void write_text(plan* p, names outputs)
{
    br_sweep* s = p->sweep;
    writer to = {.memory = &p->in->memory};
    bri_write(&to, "cases %zu\n", s->case_count);
    for (size_t i = 0; i < p->entries.count; i++) {
        const entry* e = &p->entries.at[i];
        bri_write(&to, "%s = %s\n", e->what, e->text);
    }
    bri_write(&to, "samples %zu, sampling %s, seed %llu, sobol %d\n", s->samples,
              s->sampling ? bri_sweep_samplings[s->sampling - BR_SWEEP_RANDOM] : "none",
              (unsigned long long)s->seed, s->has_indices);
    for (size_t i = 0; i < s->output_count; i++) {
        // outputs has output_count names
        // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage)
        bri_write(&to, "want %s\n", outputs[i]);
    }
    s->text = to.text;
}

// --- creation -------------------------------------------------------------------------------------

// Copy the errors of the scenario's `sweep`, which no case has; the cases report all others.
static void copy_sweep_errors(plan* p)
{
    static const char own[] = "sweep";
    const parse_context* from = &p->sweep->scenario->in;
    for (size_t i = 0; i < from->error_count; i++) {
        const char* key = from->errors[i].key;
        if (strncmp(key, own, strlen(own)) == 0 && strchr(".[", key[strlen(own)])) {
            bri_note_error(p->in, from->errors[i]);
        }
    }
}

static void create_plan(br_sweep* s, const br_sweep_def* def)
{
    plan p = {.sweep = s, .in = &s->in};
    const sweep_input* input = s->scenario->sweep;
    copy_sweep_errors(&p);
    if (input) {
        gather_scenario(&p, input);
    }
    gather_def(&p, def);
    s->inputs = bri_allocate(p.in, p.entries.count, sizeof *s->inputs);
    s->input_columns = bri_allocate(p.in, p.entries.count, sizeof *s->input_columns);
    if (s->in.problems == 0) {
        set_axes(&p);
        set_samples(&p);
        count_cases(&p);
    }
    if (s->in.problems == 0) {
        names outputs = choose_outputs(&p, def);
        read_outputs(&p, outputs);
        write_text(&p, outputs);
    }
}

static br_status check_scenario(const br_scenario* scenario, br_reason* why)
{
    if (!scenario->root) {
        br_reason_set(why, "scenario", "could not be read");
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static br_status report_first_error(const br_sweep* s, br_reason* why)
{
    if (s->in.problems == 0) {
        return BR_OK;
    }
    const br_scenario_error* first = &s->in.errors[0];
    char line[32] = "";
    if (first->line > 0) {
        snprintf(line, sizeof line, ":%zu", first->line);
    }
    br_reason_set(why, "", "%s%s: %s%s%s", first->file, line, first->key, *first->key ? ": " : "",
                  first->text);
    return BR_ERR_DEF;
}

// Arguments of create_plan() in a call with error recovery.
typedef struct create_call {
    br_sweep* into;
    const br_sweep_def* def;
} create_call;

static void create_plan_call(void* call)
{
    const create_call* with = call;
    create_plan(with->into, with->def);
}

static br_status create_or_report(br_sweep* s, const br_sweep_def* def, br_reason* why)
{
    if (!bri_parse_context_run(&s->in, create_plan_call, &(create_call){s, def})) {
        br_reason_set(why, "", "no memory for a sweep");
        return BR_ERR_MEMORY;
    }
    return report_first_error(s, why);
}

br_status br_sweep_create(const br_scenario* scenario, const br_sweep_def* def, br_sweep** out,
                          br_reason* why)
{
    br_sweep_def full = br_sweep_def_default();
    *out = NULL;
    if ((def && DEFINITION_READ(br_sweep_def, def, &full, why) != BR_OK) ||
        check_scenario(scenario, why) != BR_OK) {
        return BR_ERR_DEF;
    }
    br_sweep* s = br_allocate(1, sizeof *s);
    if (!s) {
        br_reason_set(why, "", "no memory for a sweep");
        return BR_ERR_MEMORY;
    }
    s->scenario = scenario;
    const br_status status = create_or_report(s, &full, why);
    if (status != BR_OK) {
        br_sweep_destroy(s);
        return status;
    }
    *out = s;
    return BR_OK;
}

void br_sweep_destroy(br_sweep* sweep)
{
    if (sweep) {
        bri_pool_clear(&sweep->in.memory);
        br_release(sweep);
    }
}

// --- getters --------------------------------------------------------------------------------------

size_t br_sweep_get_case_count(const br_sweep* sweep)
{
    return sweep->case_count;
}

const size_t* br_sweep_get_shape(const br_sweep* sweep, size_t* count)
{
    *count = sweep->axis_count;
    return sweep->shape;
}

bool br_sweep_has_indices(const br_sweep* sweep)
{
    return sweep->has_indices;
}

bool br_sweep_has_samples(const br_sweep* sweep)
{
    return sweep->has_samples;
}

const br_sweep_column* br_sweep_get_inputs(const br_sweep* sweep, size_t* count)
{
    *count = sweep->input_count;
    return sweep->input_columns;
}

size_t br_sweep_get_drawn_count(const br_sweep* sweep)
{
    return sweep->drawn_count;
}

size_t br_sweep_get_axis(const br_sweep* sweep, size_t input)
{
    BR_ASSERT(input < sweep->input_count);
    return sweep->inputs[input].axis;
}

const br_sweep_column* br_sweep_get_outputs(const br_sweep* sweep, size_t* count)
{
    *count = sweep->output_count;
    return sweep->output_columns;
}

const char* br_sweep_get_text(const br_sweep* sweep)
{
    return sweep->text;
}

// --- inputs of a case -----------------------------------------------------------------------------

// Streams of random numbers of a drawn input: for the numbers, and for scrambling Sobol' points.
enum { STREAMS = 4, STREAM_SCRAMBLE = 2 };

// Quantile of sample `index` in an input's distribution; `side` 1 is the second draw, for indices.
static double share_of(const br_sweep* s, size_t ordinal, unsigned side, uint64_t index)
{
    const uint32_t number = (uint32_t)ordinal * STREAMS + side;
    const double u = bri_random_uniform(s->seed, number, index);
    if (s->sampling == BR_SWEEP_LATIN) {
        const uint64_t stratum = bri_random_permute(s->seed, number, index, s->samples);
        return ((double)stratum + u) / (double)s->samples;
    }
    if (s->sampling == BR_SWEEP_SOBOL) {
        const sweep_value* v = &s->inputs[s->input_count - s->drawn_count + ordinal];
        const double by = bri_random_uniform(s->seed, number + STREAM_SCRAMBLE, 0);
        const uint32_t point = bri_sobol_point(v->directions[side], index);
        return ((double)bri_sobol_scramble(point, (uint32_t)(by * 0x1p32)) + u) * 0x1p-32;
    }
    return u;
}

static double draw(const br_sweep* s, size_t ordinal, size_t position)
{
    const spec* values = &s->inputs[s->input_count - s->drawn_count + ordinal].values;
    if (!s->has_indices) {
        return bri_spec_draw(values, share_of(s, ordinal, 0, position));
    }

    // cases of a sample: A, AB_1 .. AB_k, B (indices.c)
    const size_t cases = s->drawn_count + 2, block = position % cases;
    const bool is_b = block == cases - 1 || block == ordinal + 1;
    return bri_spec_draw(values, share_of(s, ordinal, is_b, position / cases));
}

void br_sweep_eval_inputs(const br_sweep* sweep, size_t index, double* inputs)
{
    BR_ASSERT(index < sweep->case_count);
    size_t position[MAX_AXES];
    for (size_t i = sweep->axis_count; i-- > 0; index /= sweep->shape[i]) {
        position[i] = index % sweep->shape[i];
    }
    const size_t varied = sweep->input_count - sweep->drawn_count;
    for (size_t i = 0; i < sweep->input_count; i++) {
        const sweep_value* v = &sweep->inputs[i];
        inputs[i] = i < varied ? bri_spec_value(&v->values, position[v->axis])
                               : draw(sweep, i - varied, position[v->axis]);
    }
}
