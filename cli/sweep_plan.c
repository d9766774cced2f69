/*
 * The input of bristle sweep: options, scenario, sweep.
 */
#include "sweep_plan.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "memory.h"
#include "message.h"
#include "system.h"
#include "text.h"
#include "zip.h"

// --- options --------------------------------------------------------------------------------------

static void read_shard(const char* text, sweep_plan* plan)
{
    char* end;
    errno = 0;
    const unsigned long k = strtoul(text, &end, 10);
    const unsigned long n = *end == '/' ? strtoul(end + 1, &end, 10) : 0;
    if (*end || errno || strspn(text, "0123456789/") != strlen(text) || k < 1 || k > n) {
        message_fail(EXIT_USAGE, "--shard %s: must be K/N with K from 1 to N, such as 1/8", text);
    }
    plan->shard = k;
    plan->shards = n;
}

static br_sweep_key read_key(const option_pair* pair)
{
    static const char* const uses[] = {"vary", "zip", "draw", NULL};
    const char* equals = strchr(pair->value, '=');
    if (!equals || equals == pair->value || !equals[1]) {
        message_fail(EXIT_USAGE, "--%s %s: must read KEY=%s", pair->name, pair->value,
                     strcmp(pair->name, "draw") == 0
                         ? "normal:mean:sd, such as friction.mu=normal:0.4:0.05"
                         : "a:b:n, such as friction.mu=0.2:0.6:41");
    }
    return (br_sweep_key){.use = (br_sweep_use)br_text_find(pair->name, uses),
                          .key = memory_text(pair->value, (size_t)(equals - pair->value)),
                          .spec = equals + 1};
}

static br_sweep_def read_def(const options* o)
{
    static const char* const samplings[] = {"random", "latin", "sobol", NULL};
    br_sweep_def def = br_sweep_def_default();
    br_sweep_key* keys = memory_allocate(o->pair_count, sizeof *keys);
    const char** outputs = memory_allocate(o->pair_count, sizeof *outputs);
    for (size_t i = 0; i < o->pair_count; i++) {
        if (strcmp(o->pairs[i].name, "want") == 0) {
            outputs[def.output_count++] = o->pairs[i].value;
        } else {
            keys[def.key_count++] = read_key(&o->pairs[i]);
        }
    }
    def.keys = keys;
    def.outputs = outputs;
    def.cases = o->cases;
    def.samples =
        o->samples ? text_read_whole("--samples", o->samples, 1, BR_SWEEP_MOST_SAMPLES) : 0;
    def.samples = o->local ? 1 : def.samples; // none is drawn
    def.has_seed = o->seed != NULL;
    def.seed = o->seed ? text_read_whole("--seed", o->seed, 0, 0x1p53) : 0;
    def.indices = o->sobol;
    const int sampling = o->sampling ? br_text_find(o->sampling, samplings) : 0;
    if (sampling < 0) {
        message_fail(EXIT_USAGE, "--sampling %s: must be random, latin or sobol", o->sampling);
    }
    def.sampling = o->sampling ? (br_sweep_sampling)(BR_SWEEP_RANDOM + sampling) : BR_SWEEP_DEFAULT;
    return def;
}

// --- files ----------------------------------------------------------------------------------------

// The files that the scenario refers to, each with its size and checksum.
static const char* describe_files(const br_scenario* scenario)
{
    const char* list = "";
    for (size_t i = 1; i < br_scenario_get_file_count(scenario); i++) {
        const char* path = br_scenario_get_file(scenario, i);
        size_t size;
        char* text = input_text(path, &size);
        list = memory_format("%s%s %zu %08lx\n", list, path, size,
                             (unsigned long)zip_crc(0, text, size));
        memory_release(text);
    }
    return list;
}

static const char* describe_sets(const options* o)
{
    const char* list = "";
    for (size_t i = 0; i < o->set_count; i++) {
        list = memory_format("%s--set %s\n", list, o->sets[i]);
    }
    return list;
}

// --- warnings -------------------------------------------------------------------------------------

// A key of --set or of the sweep in one notation: a[0].b is a.0.b.
static char* plain_key(const char* text, size_t length)
{
    char* key = memory_text(text, length);
    char* to = key;
    for (const char* at = key; *at; at++) {
        if (*at != ']') {
            *to++ = *at == '[' ? '.' : *at;
        }
    }
    *to = '\0';
    return key;
}

// An override of a key that changes from case to case has no effect.
static void check_sets(const options* o, const br_sweep* sweep)
{
    size_t count;
    const br_sweep_column* inputs = br_sweep_get_inputs(sweep, &count);
    for (size_t i = 0; i < o->set_count; i++) {
        const char* key = plain_key(o->sets[i], strcspn(o->sets[i], "="));
        for (size_t k = 0; k < count; k++) {
            if (strcmp(key, plain_key(inputs[k].name, strlen(inputs[k].name))) == 0) {
                message_fail(EXIT_USAGE,
                             "--set %s: has no effect: the sweep itself changes %s; leave one of "
                             "them out",
                             o->sets[i], inputs[k].name);
            }
        }
    }
}

// The warnings that `run` prints for the first case, which is read as one file with --set.
static void warn_of_first_case(const options* o, const br_sweep* sweep)
{
    size_t count;
    const br_sweep_column* inputs = br_sweep_get_inputs(sweep, &count);
    double* values = memory_allocate(count, sizeof *values);
    br_sweep_eval_inputs(sweep, 0, values);
    options first = *o;
    const char** sets = memory_allocate(o->set_count + count, sizeof *sets);
    for (size_t i = 0; i < o->set_count; i++) {
        sets[i] = o->sets[i];
    }
    for (size_t k = 0; k < count; k++) {
        sets[o->set_count + k] =
            inputs[k].words
                ? memory_format("%s=%s", inputs[k].name, inputs[k].words[(size_t)values[k]])
                : memory_format("%s=%.17g", inputs[k].name, values[k]);
    }
    first.sets = sets;
    first.set_count = o->set_count + count;
    const br_scenario* read = input_scenario_unchecked(&first);
    for (size_t i = 0; i < br_scenario_get_warning_count(read); i++) {
        message_warn("%s", br_scenario_get_warning(read, i));
    }
}

// --- the plan -------------------------------------------------------------------------------------

static void destroy_sweep(void* sweep)
{
    br_sweep_destroy(sweep);
}

// --local sets a number of samples, of which errors would speak: is there nothing to draw?
static void refuse_local(const options* o, const br_scenario* scenario, br_sweep_def def)
{
    br_sweep* without;
    def.samples = 0;
    if (o->local && br_sweep_create(scenario, &def, &without, NULL) == BR_OK) {
        br_sweep_destroy(without);
        message_fail(EXIT_USAGE,
                     "--local needs keys that are drawn, and no others: --draw KEY=DIST");
    }
}

static const br_sweep* create(const options* o, const br_scenario* scenario)
{
    const br_sweep_def def = read_def(o);
    br_sweep* sweep;
    br_reason why = {"", ""};
    br_status status = br_sweep_create(scenario, &def, &sweep, &why);
    if (status == BR_OK) {
        memory_own(sweep, destroy_sweep);
        status = br_sweep_check(sweep, &why);
    }
    if (status != BR_OK) {
        refuse_local(o, scenario, def);
        input_check(scenario);
        message_fail(status == BR_ERR_DEF ? EXIT_USAGE : EXIT_COMPUTATION, "%s: %s", o->file,
                     why.text);
    }
    return sweep;
}

sweep_plan sweep_plan_read(const options* o, bool is_leader)
{
    sweep_plan plan = {.shard = 1, .shards = 1};
    plan.threads = o->jobs ? text_read_whole("--jobs", o->jobs, 1, 1024) : 0;
    if (o->shard) {
        read_shard(o->shard, &plan);
    }
    const br_scenario* scenario = input_scenario_unchecked(o);
    if (o->cases) {
        input_remember(o->cases);
    }
    plan.sweep = create(o, scenario);
    check_sets(o, plan.sweep);
    if (is_leader) {
        warn_of_first_case(o, plan.sweep);
    }
    size_t size;
    plan.metadata = sweep_metadata_of(plan.sweep, o->file, input_text(o->file, &size),
                                      describe_sets(o), describe_files(scenario));
    if (plan.metadata.output_count == 0 && !o->tables) {
        message_fail(
            EXIT_USAGE,
            "%s: no output is requested: --want final.x,contacts[0].slipped or --tables DIR",
            o->file);
    }
    if (plan.shards > plan.metadata.case_count) {
        message_fail(EXIT_USAGE, "--shard %s: there are only %zu cases", o->shard,
                     plan.metadata.case_count);
    }
    return plan;
}
