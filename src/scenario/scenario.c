/*
 * Scenarios: reading them, querying them, running them.
 *
 *   file or text -> tree (document.c) -> overrides (set.c) -> definitions (scenario_*.c: read)
 *                -> models (make) -> rows, events, summary (run)
 *
 * Every entry prepares an exit for the case that there is no memory (pool.h); nothing jumps across frames of other
 * libraries.
 */
#include "bristle/scenario.h"

#include <string.h>

#include "base/definition.h"
#include "scenario/kind.h"

// --- reading --------------------------------------------------------------------------------------

static bool has_all(const node* root, names blocks)
{
    while (*blocks && bri_node_find(root, *blocks)) {
        blocks++;
    }
    return !*blocks;
}

static const scenario_kind* find_kind(const node* root)
{
    const scenario_kind* found = bri_scenario_kinds[0];
    for (size_t i = 1; bri_scenario_kinds[i]; i++) {
        found = has_all(root, bri_scenario_kinds[i]->blocks) ? bri_scenario_kinds[i] : found;
    }
    return found;
}

// Does any kind of scenario have this key?
static bool is_known(const char* key)
{
    for (size_t i = 0; bri_scenario_kinds[i]; i++) {
        const scenario_kind* kind = bri_scenario_kinds[i];
        if (bri_keys_have(kind->keys, key) || (kind->also && bri_keys_have(kind->also, key))) {
            return true;
        }
    }
    return false;
}

// Refuse a file without the first block of any kind. If one is misspelt, the kind is not clear, and errors of the other
// keys would be wrong.
static bool refuse_unclear(const node* root)
{
    enum { MAX_KINDS = 16 };
    const char *blocks[MAX_KINDS + 1] = {NULL}, *list = "";
    bool has_block = false;
    for (size_t i = 0; bri_scenario_kinds[i] && i < MAX_KINDS; i++) {
        blocks[i] = bri_scenario_kinds[i]->blocks[0];
        has_block = has_block || bri_node_find(root, blocks[i]);
        list = bri_format(root->in, "%s%s%s", list, i ? ", " : "", bri_scenario_kinds[i]->name);
    }
    for (size_t i = 0; i < root->count; i++) {
        const node* child = root->children[i];
        const char* meant = is_known(child->key) ? NULL : br_text_find_nearest(child->key, blocks);
        if (meant && !bri_node_find(root, meant)) {
            bri_node_fail_with(child, "", meant, "unknown key; did you mean %s?", meant);
            return true;
        }
    }
    if (!has_block) {
        bri_node_fail_with(root->count > 0 ? root->children[0] : root, list, "",
                           "nothing runs: a scenario has one of %s", list);
    }
    return !has_block;
}

void bri_scenario_read_kind(br_scenario* s)
{
    node* root = s->root;
    if (root->kind == NODE_MAP && (bri_refuse_model(root, BR_MODEL_ANY) || refuse_unclear(root))) {
        return;
    }
    const scenario_kind* kind = s->kind = find_kind(root);
    bri_quantity_resolve(root, (const mapping*[]){kind->keys, kind->also, NULL});
    s->run = br_run_def_default();
    s->run.rtol = kind->rtol; // the defaults of its runs, for advice
    s->run.atol = kind->atol;
    s->run.atol_z = kind->atol_z;
    s->detail = "";
    s->picture.kind = kind->picture;
    bri_keys_fill(root, kind->keys, s, true);
    kind->read(s);
    bri_scenario_create_noise(s);
    if (s->in.problems == 0 && !s->is_case && s->run.duration > 0) {
        bri_warn_of_times(root, s->run.duration);
    }
    if (!s->picture.title) {
        const char* stem = bri_text_stem(&s->in.memory, bri_node_file(root));
        s->picture.title = bri_format(&s->in, "%s: %s, %s", stem, kind->name, s->detail);
    }
    if (s->in.problems == 0 && kind->make) {
        kind->make(s);
    }
}

// Arguments of read_all().
typedef struct reading_call {
    br_scenario* into;

    // one of these is set
    const char* path;
    const char* text;
    const br_tree* tree;
    const node* from; // of a variant
    const br_scenario* case_of;

    const char* name;  // of a text or a tree
    bool may_be_model; // of the kind `wanted`; else a scenario
    br_model_kind wanted;
    const char* const* overrides; // ended by NULL; NULL: none
    const br_override* values;    // further ones (value_count)
    size_t value_count;
} reading_call;

static node* read_tree(parse_context* in, const reading_call* with)
{
    if (with->path) {
        return bri_document_read(in, with->path);
    }
    if (with->text) {
        return bri_document_read_text(in, with->name, with->text, strlen(with->text));
    }
    if (with->tree) {
        return bri_tree_read(in, with->name, with->tree);
    }
    return with->case_of ? bri_node_share(in, with->case_of->root, "sweep")
                         : bri_node_copy(in, with->from, NULL);
}

static void read_all(void* call)
{
    const reading_call* with = call;
    br_scenario* s = with->into;
    s->text.memory = &s->in.memory;
    s->is_case = with->case_of;
    s->root = read_tree(&s->in, with);
    for (names text = with->overrides; s->root && text && *text; text++) {
        bri_set_apply(s->root, *text);
    }
    for (size_t i = 0; s->root && i < with->value_count; i++) {
        bri_set_value(s->root, &with->values[i]);
    }
    if (!s->root || s->in.problems > 0) {
        return;
    }
    if (with->may_be_model) {
        bri_read_model(s, with->wanted);
    } else {
        bri_scenario_read_kind(s);
    }
}

static br_status read_scenario(reading_call with, br_scenario** out)
{
    *out = NULL;
    with.into = br_allocate(1, sizeof *with.into);
    if (!with.into) {
        return BR_ERR_MEMORY;
    }
    if (!bri_parse_context_run(&with.into->in, read_all, &with)) {
        br_scenario_destroy(with.into);
        return BR_ERR_MEMORY;
    }
    *out = with.into;
    const br_status status = br_scenario_check(*out);
    const bool is_yaml = with.path || with.text;
    return status == BR_ERR_DEF && is_yaml && !bri_document_is_known() ? BR_ERR_ABSENT : status;
}

br_status br_scenario_read_file(const char* path, const char* const* overrides, br_scenario** out)
{
    return read_scenario((reading_call){.path = path, .overrides = overrides}, out);
}

br_status br_scenario_read_text(const char* text, const char* name, const char* const* overrides,
                                br_scenario** out)
{
    return read_scenario((reading_call){.text = text, .name = name, .overrides = overrides}, out);
}

br_status br_scenario_read_model(const char* path, br_model_kind kind, const char* const* overrides,
                                 br_scenario** out)
{
    const reading_call call = {
        .path = path, .may_be_model = true, .wanted = kind, .overrides = overrides};
    return read_scenario(call, out);
}

br_status br_scenario_read_tree(const br_tree* tree, const char* name, const char* const* overrides,
                                br_scenario** out)
{
    return read_scenario((reading_call){.tree = tree, .name = name, .overrides = overrides}, out);
}

br_status br_scenario_read_variant(const br_scenario* from, const char* const* overrides,
                                   br_scenario** out)
{
    BR_ASSERT(from->root);
    return read_scenario((reading_call){.from = from->root, .overrides = overrides}, out);
}

br_status br_scenario_read_case(const br_scenario* from, const br_override* overrides, size_t count,
                                br_scenario** out)
{
    BR_ASSERT(from->root);
    return read_scenario((reading_call){.case_of = from, .values = overrides, .value_count = count},
                         out);
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

// --- querying -------------------------------------------------------------------------------------

size_t br_scenario_get_error_count(const br_scenario* scenario)
{
    return scenario->in.error_count;
}

const br_scenario_error* br_scenario_get_error(const br_scenario* scenario, size_t index)
{
    BR_ASSERT(index < scenario->in.error_count);
    return &scenario->in.errors[index];
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

// Arguments of write_place().
typedef struct place_call {
    const br_scenario* scenario;
    const char* key;
} place_call;

static void write_place(writer* to, const void* user)
{
    const place_call* of = user;
    const br_scenario* s = of->scenario;
    if (s->root) {
        bri_write(to, "%s", bri_node_field_place_in(to->memory, s->root, of->key));
    } else { // what could not be parsed has an error instead
        bri_write(to, "%s: %s%s", s->in.errors[0].file, of->key, *of->key ? ": " : "");
    }
}

br_status br_scenario_create_place(const br_scenario* scenario, const char* key, char** out)
{
    BR_ASSERT(scenario->root || scenario->in.error_count > 0);
    *out = bri_write_text(write_place, &(place_call){scenario, key});
    return *out ? BR_OK : BR_ERR_MEMORY;
}

const br_picture* br_scenario_get_picture(const br_scenario* scenario)
{
    return scenario->in.problems > 0 || !scenario->picture.title ? NULL : &scenario->picture;
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
    return bri_written(&scenario->text);
}

const br_column* br_scenario_get_columns(const br_scenario* scenario, size_t* count)
{
    const bool may_run = scenario->in.problems == 0;
    *count = may_run ? scenario->column_count : 0;
    return may_run ? scenario->columns : NULL;
}

// --- running --------------------------------------------------------------------------------------

static void sum_up_last_row(br_table* got)
{
    const double* last = bri_table_last(got);
    for (size_t i = 0; i < got->width; i++) {
        const br_column* column = &got->columns[i];
        bri_table_sum(got, column->words ? (double)NAN : last[i], "final.%s", column->name);
        got->sums[got->sum_count - 1].word = column->words ? column->words[(size_t)last[i]] : NULL;
    }
}

static void sum_up(const br_scenario* s, br_table* got)
{
    if (got->rows == 0) {
        return;
    }
    sum_up_last_row(got);
    if (s->kind->sum_up) {
        s->kind->sum_up(s, got);
    }
    bri_table_sum(got, (double)got->cost.steps, "steps");
    bri_table_sum(got, (double)got->cost.rejected, "rejected");
    bri_table_sum(got, (double)got->cost.evaluations, "evaluations");
}

// Arguments of run_all(); `status` is that of the run.
typedef struct running_call {
    const br_scenario* s;
    br_table* got;
    br_reason* why;
    br_status status;
} running_call;

// Does a run with this status leave rows?
static bool has_rows(br_status status)
{
    return status == BR_OK || status == BR_ERR_STOPPED || status == BR_ERR_CONVERGENCE;
}

static void run_all(void* call)
{
    running_call* with = call;
    br_table* got = with->got;
    got->text.memory = &got->memory;
    bri_table_set_columns(got, with->s->columns, with->s->column_count);
    got->noise_count = with->s->noise_count;
    got->noises = bri_pool_allocate(&got->memory, got->noise_count, sizeof *got->noises);
    for (size_t i = 0; i < got->noise_count; i++) {
        got->noises[i] = with->s->noises[i];
    }
    with->status = with->s->kind->run(with->s, got, with->why);
    if (got->is_broken) {
        bri_pool_fail(&got->memory);
    }
    if (has_rows(with->status)) {
        sum_up(with->s, got);
    }
}

br_scenario_watch br_scenario_watch_default(void)
{
    return (br_scenario_watch){.size = sizeof(br_scenario_watch)};
}

br_status br_scenario_run(const br_scenario* scenario, const br_scenario_watch* given_watch,
                          br_table** out, br_reason* why)
{
    br_reason unused = {"", ""};
    why = why ? why : &unused;
    *why = (br_reason){"", ""};
    *out = NULL;
    if (br_scenario_check(scenario) != BR_OK) {
        br_reason_set(why, "", "the scenario has errors");
        return BR_ERR_DEF;
    }
    br_scenario_watch watch = br_scenario_watch_default();
    if (given_watch && DEFINITION_READ(br_scenario_watch, given_watch, &watch, why) != BR_OK) {
        return BR_ERR_DEF;
    }
    br_table* got = br_allocate(1, sizeof *got);
    running_call call = {scenario, got, why, BR_ERR_MEMORY};
    if (got) {
        got->watch = watch;
    }
    const bool is_done = got && bri_pool_run(&got->memory, run_all, &call);
    const br_status status = is_done ? call.status : BR_ERR_MEMORY;
    if (status == BR_ERR_MEMORY) {
        br_reason_set(why, "", "%s", br_status_get_text(status));
    }
    if (has_rows(status)) {
        *out = got;
    } else {
        br_table_destroy(got);
    }
    return status;
}
