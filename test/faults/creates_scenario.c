/*
 * Scenarios, their tables, sweeps, derivatives, CSV.
 */
#include "creates.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bristle/csv.h"
#include "bristle/scenario.h"
#include "bristle/sensitivity.h"
#include "bristle/sweep.h"

static const char puck[] = "body: {mass: 0.1, radius: 0.04, velocity: [0.5, 0, 10]}\n"
                           "friction: {mu: 0.2}\n"
                           "contact: {frame: body, patch: {shape: disc, radius: 0.04}}\n"
                           "duration: 0.05\n"
                           "output: {every: 0.01}\n";
static const char old[] =
    "body: {mass: 0.2, size: [0.1, 0.1]}\n"
    "friction: {mu: 0.5}\n"
    "contact: {patch: {shape: disc, radius: 0.01}, normal_force: {kind: control, start: 3, "
    "least: 0.5, most: 9}}\n"
    "duration: 0.1\n";
static char puck_file[] = "/tmp/bristle-faults-XXXXXX", disc_file[] = "/tmp/bristle-faults-XXXXXX",
            csv_file[] = "/tmp/bristle-faults-XXXXXX";
static br_scenario *scenario, *older;
static br_sweep *sweep, *local;

static void write_file(char* name, const char* text)
{
    const int descriptor = mkstemp(name);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
    close(descriptor);
}

static const br_sweep_key sweep_keys[] = {
    {.use = BR_SWEEP_VARY, .key = "friction.mu", .spec = "0.1:0.3:2"},
    {.use = BR_SWEEP_DRAW, .key = "body.mass", .spec = "uniform:0.1:0.2"}};

static br_sweep_def sweep_def(void)
{
    static const char* const outputs[] = {"final.x, fast = final.w > 1, max.theta"};
    br_sweep_def def = br_sweep_def_default();
    def.keys = sweep_keys, def.key_count = 2, def.samples = 2;
    def.outputs = outputs, def.output_count = 1;
    return def;
}

static br_sweep_def local_def(void)
{
    br_sweep_def def = sweep_def();
    def.keys = sweep_keys + 1, def.key_count = 1, def.samples = 1;
    return def;
}

static br_sweep* create_sweep(br_sweep_def def)
{
    br_sweep* out;
    br_reason why = {"", ""};
    if (br_sweep_create(scenario, &def, &out, &why) != BR_OK) {
        fail_msg("%s: %s", why.field, why.text);
    }
    return out;
}

void faults_scenario_create(void)
{
    write_file(puck_file, puck);
    write_file(disc_file, "shape: disc\nradius: 0.01\n");
    write_file(csv_file, "theta\n1\n2\n");
    assert_status(br_scenario_read_text(puck, "puck", NULL, &scenario), BR_OK);
    assert_status(br_scenario_read_text(old, "old", NULL, &older), BR_OK);
    sweep = create_sweep(sweep_def());
    local = create_sweep(local_def());
}

void faults_scenario_destroy(void)
{
    br_sweep_destroy(local);
    br_sweep_destroy(sweep);
    br_scenario_destroy(older);
    br_scenario_destroy(scenario);
    unlink(puck_file);
    unlink(disc_file);
    unlink(csv_file);
}

// --- reading --------------------------------------------------------------------------------------

static br_status is_read(br_status status, br_scenario** out)
{
    return FAULT_CREATED(status, *out, br_scenario_destroy);
}

static br_status read_text(void)
{
    br_scenario* out;
    return is_read(br_scenario_read_text(puck, "puck", NULL, &out), &out);
}

static br_status read_file(void)
{
    br_scenario* out;
    return is_read(br_scenario_read_file(puck_file, NULL, &out), &out);
}

static br_status read_model(void)
{
    br_scenario* out;
    return is_read(br_scenario_read_model(disc_file, BR_MODEL_PATCH, NULL, &out), &out);
}

static br_status read_tree(void)
{
    const br_tree friction[] = {{.kind = BR_TREE_NUMBER, .key = "mu_c", .number = 0.3},
                                {.kind = BR_TREE_TEXT, .key = "kind", .text = "coulomb"}};
    const br_tree rig[] = {{.kind = BR_TREE_NUMBER, .key = "mass", .number = 1.0}};
    const br_tree all[] = {{.kind = BR_TREE_MAP, .key = "law", .children = friction, .count = 2},
                           {.kind = BR_TREE_MAP, .key = "rig", .children = rig, .count = 1},
                           {.kind = BR_TREE_NUMBER, .key = "duration", .number = 1.0}};
    const br_tree tree = {.kind = BR_TREE_MAP, .children = all, .count = 3};
    br_scenario* out;
    return is_read(br_scenario_read_tree(&tree, "tree", NULL, &out), &out);
}

static br_status read_variant(void)
{
    const char* const overrides[] = {"friction.mu=0.3", NULL};
    br_scenario* out;
    return is_read(br_scenario_read_variant(scenario, overrides, &out), &out);
}

static br_status read_case(void)
{
    const br_override override = {.key = "friction.mu", .number = 0.3};
    br_scenario* out;
    return is_read(br_scenario_read_case(scenario, &override, 1, &out), &out);
}

static br_status csv_read(void)
{
    static const char* const wanted[] = {"theta", NULL};
    br_csv* out;
    const br_status status = br_csv_read(csv_file, wanted, 1, &out);
    return FAULT_CREATED(status, out, br_csv_destroy);
}

// --- texts ----------------------------------------------------------------------------------------

static br_status is_text(br_status status, char** text)
{
    return FAULT_CREATED(status, *text, br_release);
}

static br_status create_place(void)
{
    char* text;
    return is_text(br_scenario_create_place(scenario, "friction", &text), &text);
}

static br_status upgrade(void)
{
    char* text;
    return is_text(br_scenario_upgrade(older, old, &text), &text);
}

static br_status create_schema(void)
{
    char* text;
    return is_text(br_scenario_create_schema(&text), &text);
}

static br_status create_help(void)
{
    char* text;
    return is_text(br_scenario_create_help("friction", &text), &text);
}

static br_status create_topics(void)
{
    char* text;
    return is_text(br_scenario_create_topics(true, &text), &text);
}

// --- runs -----------------------------------------------------------------------------------------

static br_status scenario_run(void)
{
    br_table* out;
    const br_status status = br_scenario_run(scenario, NULL, &out, NULL);
    return FAULT_CREATED(status, out, br_table_destroy);
}

static br_status sensitivity_create(void)
{
    const char* const keys[] = {"friction.mu", NULL};
    br_sensitivity* out;
    const br_status status = br_sensitivity_create(scenario, keys, NULL, &out, NULL);
    return FAULT_CREATED(status, out, br_sensitivity_destroy);
}

static br_status sweep_create(void)
{
    const br_sweep_def def = sweep_def();
    br_sweep* out;
    const br_status status = br_sweep_create(scenario, &def, &out, NULL);
    return FAULT_CREATED(status, out, br_sweep_destroy);
}

static br_status sweep_check(void)
{
    return br_sweep_check(sweep, NULL);
}

static void count_case(const br_sweep_result* result, void* user)
{
    assert_null(result->failure);
    ++*(size_t*)user;
}

// Threads are not needed: without memory for them the caller computes all cases.
static br_status sweep_run(void)
{
    size_t done = 0;
    br_sweep_run_def def = br_sweep_run_def_default();
    def.threads = 1; // the number of allocations does not depend on chance
    def.done = count_case, def.user = &done;
    const br_status status = br_sweep_run(sweep, &def, NULL);
    assert_true(status != BR_OK || done == br_sweep_get_case_count(sweep));
    return status;
}

static br_status sweep_eval_local(void)
{
    br_sweep_local out[3];
    double slopes[3];
    return br_sweep_eval_local(local, out, slopes, NULL);
}

const fault_case faults_scenario[] = {
    {"br_scenario_read_text", read_text, 0},
    {"br_scenario_read_file", read_file, 0},
    {"br_scenario_read_model", read_model, 0},
    {"br_scenario_read_tree", read_tree, 0},
    {"br_scenario_read_variant", read_variant, 0},
    {"br_scenario_read_case", read_case, 0},
    {"br_csv_read", csv_read, 0},
    {"br_scenario_create_place", create_place, 0},
    {"br_scenario_upgrade", upgrade, 0},
    {"br_scenario_create_schema", create_schema, 0},
    {"br_scenario_create_help", create_help, 0},
    {"br_scenario_create_topics", create_topics, 0},
    {"br_scenario_run", scenario_run, 0},
    {"br_sensitivity_create", sensitivity_create, 0},
    {"br_sweep_create", sweep_create, 0},
    {"br_sweep_check", sweep_check, 0},
    {"br_sweep_run", sweep_run, 1},
    {"br_sweep_eval_local", sweep_eval_local, 0},
    {NULL, NULL, 0},
};
