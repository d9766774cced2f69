/*
 * Scenarios: reading them, asking them, running them.
 *
 *   file or text -> tree (document.c) -> overrides (set.c) -> definitions (scenario_*.c: read)
 *                -> models (make) -> rows, events, sums (run)
 *
 * Every entry sets a way out for the case that memory ends (escape.h); nothing jumps across frames of other
 * libraries.
 */
#include "bristle/scenario.h"

#include <stdio.h>
#include <string.h>

#include "scenario/balance.h"
#include "scenario/document.h"
#include "scenario/kind.h"
#include "scenario/set.h"
#include "scenario/tree.h"

// --- reading --------------------------------------------------------------------------------------

// Where a tree comes from; one of them is set.
typedef struct origin {
    const char* path;
    const char* text;
    const br_tree* tree;
    const node* from;
    const br_scenario* case_of;
    const char* name;
} origin;

static node* read_tree(reading* in, const origin* where)
{
    if (where->path) {
        return bri_document_read(in, where->path);
    }
    if (where->text) {
        return bri_document_read_text(in, where->name, where->text, strlen(where->text));
    }
    if (where->tree) {
        return bri_tree_read(in, where->name, where->tree);
    }
    if (where->case_of) {
        return bri_node_share(in, where->case_of->root, "sweep");
    }
    return bri_node_copy(in, where->from, NULL);
}

static bool has_all(const node* root, names blocks)
{
    for (names block = blocks; *block; block++) {
        if (!bri_node_find(root, *block)) {
            return false;
        }
    }
    return true;
}

static const scenario_kind* find_kind(const node* root)
{
    size_t i = 0;
    while (bri_scenario_kinds[i + 1]) {
        i++;
    }
    while (i > 0 && !has_all(root, bri_scenario_kinds[i]->blocks)) {
        i--;
    }
    return bri_scenario_kinds[i];
}

static void read_kind(br_scenario* s)
{
    const node* shape = bri_node_find(s->root, "shape");
    if (shape) {
        bri_node_fail(shape, "this is a contact patch, not a scenario; see: bristle surface");
        return;
    }
    s->kind = find_kind(s->root);
    s->run = br_run_def_default();
    s->run.rtol = 1e-6; // what the runs take of themselves, to be told in advice
    s->run.atol = 1e-8;
    s->run.atol_z = 1e-10;
    s->detail = "";
    s->kind->read(s);
    s->noises = bri_read_noise(s->root, s->columns, s->column_count, &s->noise_count);
    s->picture = bri_read_picture(s->root, s->kind->picture, s->kind->magnifies,
                                  bri_format(&s->in, "%s, %s", s->kind->name, s->detail));
    s->sweep = bri_read_sweep(s->root);
    if (s->in.problems == 0 && s->kind->make) {
        s->kind->make(s);
    }
}

// What stands in place of values of the file: texts ended by NULL, or values.
typedef struct override_list {
    const char* const* texts; // NULL: none
    const br_override* values;
    size_t count;
} override_list;

static void override_all(node* root, override_list list)
{
    for (; list.texts && *list.texts; list.texts++) {
        bri_set_apply(root, *list.texts);
    }
    for (size_t i = 0; i < list.count; i++) {
        bri_set_value(root, &list.values[i]);
    }
}

// What is being read, from where.
typedef struct reading_call {
    br_scenario* into;
    const origin* where;
    override_list overrides;
} reading_call;

static void read_all(void* call)
{
    const reading_call* with = call;
    br_scenario* s = with->into;
    s->text = "";
    s->is_case = with->where->case_of;
    s->root = read_tree(&s->in, with->where);
    if (s->root) {
        override_all(s->root, with->overrides);
    }
    if (s->root && s->in.problems == 0) {
        read_kind(s);
    }
}

static br_status read_scenario(const origin* where, override_list overrides, br_scenario** out)
{
    *out = NULL;
    br_scenario* s = br_allocate(1, sizeof *s);
    if (!s) {
        return BR_ERR_MEMORY;
    }
    s->in.memory.no_memory = bri_escape_leave;
    s->in.memory.user = &s->in.way_out;
    reading_call call = {s, where, overrides};
    if (!bri_escape_run(&s->in.way_out, read_all, &call)) {
        br_scenario_destroy(s);
        return BR_ERR_MEMORY;
    }
    *out = s;
    return br_scenario_check(s);
}

br_status br_scenario_read_file(const char* path, const char* const* overrides, br_scenario** out)
{
    const br_status status =
        read_scenario(&(origin){.path = path}, (override_list){.texts = overrides}, out);
    return status == BR_ERR_DEF && !bri_document_is_known() ? BR_ERR_ABSENT : status;
}

br_status br_scenario_read_text(const char* text, const char* name, const char* const* overrides,
                                br_scenario** out)
{
    const origin where = {.text = text, .name = name};
    const br_status status = read_scenario(&where, (override_list){.texts = overrides}, out);
    return status == BR_ERR_DEF && !bri_document_is_known() ? BR_ERR_ABSENT : status;
}

br_status br_scenario_read_tree(const br_tree* tree, const char* name, const char* const* overrides,
                                br_scenario** out)
{
    return read_scenario(&(origin){.tree = tree, .name = name}, (override_list){.texts = overrides},
                         out);
}

br_status bri_scenario_read_node(const node* root, br_scenario** out)
{
    return read_scenario(&(origin){.from = root}, (override_list){.count = 0}, out);
}

br_status br_scenario_read_variant(const br_scenario* from, const char* const* overrides,
                                   br_scenario** out)
{
    BR_ASSERT(from->root);
    return read_scenario(&(origin){.from = from->root}, (override_list){.texts = overrides}, out);
}

br_status br_scenario_read_case(const br_scenario* from, const br_override* overrides, size_t count,
                                br_scenario** out)
{
    BR_ASSERT(from->root);
    const override_list list = {.values = overrides, .count = count};
    return read_scenario(&(origin){.case_of = from}, list, out);
}

br_status br_scenario_check(const br_scenario* scenario)
{
    return scenario->in.problems > 0 ? BR_ERR_DEF : BR_OK;
}

void br_scenario_destroy(br_scenario* scenario)
{
    if (scenario) {
        bri_pool_clear(&scenario->in.memory);
        br_release(scenario);
    }
}

// --- asking ---------------------------------------------------------------------------------------

size_t br_scenario_get_mistake_count(const br_scenario* scenario)
{
    return scenario->in.mistake_count;
}

const br_mistake* br_scenario_get_mistake(const br_scenario* scenario, size_t index)
{
    BR_ASSERT(index < scenario->in.mistake_count);
    return &scenario->in.mistakes[index];
}

size_t br_scenario_get_warning_count(const br_scenario* scenario)
{
    return scenario->in.warning_count;
}

const char* br_scenario_get_warning(const br_scenario* scenario, size_t index)
{
    BR_ASSERT(index < scenario->in.warning_count);
    return scenario->in.warnings[index];
}

size_t br_scenario_get_file_count(const br_scenario* scenario)
{
    return scenario->in.file_count;
}

const char* br_scenario_get_file(const br_scenario* scenario, size_t index)
{
    BR_ASSERT(index < scenario->in.file_count);
    return scenario->in.files[index];
}

const char* br_scenario_get_kind(const br_scenario* scenario)
{
    return scenario->kind ? scenario->kind->name : "";
}

double br_scenario_get_duration(const br_scenario* scenario)
{
    return scenario->in.problems > 0 ? 0 : scenario->run.duration;
}

size_t br_scenario_get_row_count(const br_scenario* scenario)
{
    return scenario->in.problems > 0 ? 0 : scenario->rows;
}

const char* br_scenario_get_text(const br_scenario* scenario)
{
    return scenario->text;
}

const br_column* br_scenario_get_columns(const br_scenario* scenario, size_t* count)
{
    const bool may_run = scenario->in.problems == 0;
    *count = may_run ? scenario->column_count : 0;
    return may_run ? scenario->columns : NULL;
}

// --- for the kinds --------------------------------------------------------------------------------

void* bri_scenario_allocate(br_scenario* s, size_t count, size_t bytes)
{
    return bri_allocate(&s->in, count, bytes);
}

void bri_scenario_say(br_scenario* s, const char* text)
{
    s->text = bri_format(&s->in, "%s%s", s->text, text);
}

const char* bri_scenario_place(br_table* got, const node* value)
{
    return bri_node_place_in(&got->memory, value);
}

void bri_scenario_judge_energy(const br_scenario* s, br_table* got, double residual,
                               double turnover)
{
    const char* verdict = bri_balance_judge(&got->memory, &s->run, residual, turnover);
    if (verdict) {
        const node* integrator = bri_node_find(s->root, "integrator");
        bri_table_warn(got, "%s%s", bri_scenario_place(got, integrator ? integrator : s->root),
                       verdict);
    }
}

const char* bri_scenario_blame(const br_scenario* s, pool* to, const br_reason* why)
{
    return bri_pool_format(to, "%s%s", bri_node_field_place_in(to, s->root, why->field), why->text);
}

// --- running --------------------------------------------------------------------------------------

static void sum_up_last_row(br_table* got)
{
    const double* last = bri_table_last(got);
    for (size_t i = 0; i < got->width; i++) {
        const br_column* column = &got->columns[i];
        if (column->words) {
            char path[128];
            snprintf(path, sizeof path, "final.%s", column->name);
            bri_table_sum_word(got, column->words[(size_t)last[i]], path);
        } else {
            bri_table_sum(got, last[i], "final.%s", column->name);
        }
    }
}

static void sum_up(const br_scenario* s, br_table* got)
{
    if (got->rows == 0) {
        return;
    }
    sum_up_last_row(got);
    if (s->kind->sum_up_final) {
        s->kind->sum_up_final(s, got);
    }
    if (s->kind->sum_up) {
        s->kind->sum_up(s, got);
    }
    bri_table_sum(got, (double)got->cost.steps, "steps");
    bri_table_sum(got, (double)got->cost.rejected, "rejected");
    bri_table_sum(got, (double)got->cost.evaluations, "evaluations");
}

// What is being run, into which table; `status` is that of the run.
typedef struct running_call {
    const br_scenario* s;
    br_table* got;
    br_reason* why;
    br_status status;
} running_call;

// Is what a run gave worth to be kept?
static bool has_rows(br_status status)
{
    return status == BR_OK || status == BR_ERR_STOPPED || status == BR_ERR_CONVERGENCE;
}

// The run, inside its way out.
static void run_all(void* call)
{
    running_call* with = call;
    br_table* got = with->got;
    got->text = "";
    bri_table_set_columns(got, with->s->columns, with->s->column_count);
    bri_table_set_noise(got, with->s->noises, with->s->noise_count);
    with->status = with->s->kind->run(with->s, got, with->why);
    if (got->is_broken) {
        bri_escape_leave(&got->way_out);
    }
    if (has_rows(with->status)) {
        sum_up(with->s, got);
    }
}

static br_status run_table(const br_scenario* s, br_table* got, br_reason* why)
{
    got->memory.no_memory = bri_escape_leave;
    got->memory.user = &got->way_out;
    running_call call = {s, got, why, BR_OK};
    if (!bri_escape_run(&got->way_out, run_all, &call)) {
        br_reason_set(why, "", "%s", br_status_text(BR_ERR_MEMORY));
        return BR_ERR_MEMORY;
    }
    return call.status;
}

br_status br_scenario_run(const br_scenario* scenario, const br_scenario_watch* watch,
                          br_table** out, br_reason* why)
{
    br_reason unused = {"", ""};
    why = why ? why : &unused;
    *why = (br_reason){"", ""};
    *out = NULL;
    if (br_scenario_check(scenario) != BR_OK) {
        br_reason_set(why, "", "the scenario has mistakes");
        return BR_ERR_DEF;
    }
    br_table* got = br_allocate(1, sizeof *got);
    if (!got) {
        br_reason_set(why, "", "%s", br_status_text(BR_ERR_MEMORY));
        return BR_ERR_MEMORY;
    }
    got->watch = watch ? *watch : (br_scenario_watch){0};
    const br_status status = run_table(scenario, got, why);
    if (has_rows(status)) {
        *out = got;
    } else {
        br_table_destroy(got);
    }
    return status;
}
