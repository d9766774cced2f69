/*
 * Running cases, in threads.
 *
 * Threads take the next case and store its result under one lock. Otherwise they share only
 * immutable data: the sweep, its scenario, the models. WebAssembly uses only the caller's thread.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/definition.h"
#include "scenario/system.h"
#include "sweep/processors.h"
#include "sweep/sweep_internal.h"

enum { MAX_THREADS = 1024 };

// --- one case -------------------------------------------------------------------------------------

// Working memory of a thread.
typedef struct worker {
    const br_sweep* sweep;
    const br_sweep_run_def* def;
    struct team* team;
    double* inputs;
    double* outputs;
    br_override* overrides;
    char failure[512];
} worker;

br_status bri_sweep_read_case(const br_sweep* sweep, const double* inputs, br_override* overrides,
                              br_scenario** out)
{
    for (size_t i = 0; i < sweep->input_count; i++) {
        const sweep_value* v = &sweep->inputs[i];
        const names words = v->values.words;
        overrides[i] = (br_override){v->key, inputs[i], words ? words[(size_t)inputs[i]] : NULL};
    }
    return br_scenario_read_case(sweep->scenario, overrides, sweep->input_count, out);
}

// "--set mu=-1: friction.mu: must be > 0": report the key; the user has not typed the "--set".
static void note_error(worker* w, const br_scenario* scenario)
{
    const br_scenario_error* first = br_scenario_get_error(scenario, 0);
    snprintf(w->failure, sizeof w->failure, "%s%s%s", first->key, *first->key ? ": " : "",
             first->text);
}

static void note_reason(worker* w, const br_reason* why, br_status status)
{
    snprintf(w->failure, sizeof w->failure, "%s%s%s", why->field, *why->field ? ": " : "",
             *why->text ? why->text : br_status_get_text(status));
}

static bool asks_to_stop(double t, void* user)
{
    (void)t;
    const worker* w = user;
    return w->def->stop && w->def->stop(w->def->user);
}

static void eval_outputs(worker* w, const br_table* table)
{
    const br_sweep* s = w->sweep;
    for (size_t i = 0; i < s->output_count; i++) {
        const char* missing = NULL;
        w->outputs[i] = bri_sweep_output_eval(&s->outputs[i], table, w->inputs, &missing);
        if (missing && !*w->failure) {
            snprintf(w->failure, sizeof w->failure, "%s: there is no such number", missing);
        }
    }
}

static br_status run_scenario(worker* w, const br_scenario* scenario, br_table** table)
{
    const bool keeps_rows = w->def->keeps_rows || w->sweep->needs & NEEDS_ROWS;
    const br_scenario_watch watch = {.size = sizeof(br_scenario_watch),
                                     .stop = asks_to_stop,
                                     .user = w,
                                     .drop_rows = !keeps_rows,
                                     .is_brief = !keeps_rows && !w->sweep->needs};
    br_reason why = {"", ""};
    const br_status status = br_scenario_run(scenario, &watch, table, &why);
    if (status == BR_OK) {
        eval_outputs(w, *table);
    } else {
        note_reason(w, &why, status);
    }
    return status;
}

// Run case `index`. Only BR_ERR_STOPPED and BR_ERR_MEMORY end the sweep; other errors are results.
static br_status run_case(worker* w, size_t index, br_table** table)
{
    *table = NULL;
    *w->failure = '\0';
    br_sweep_eval_inputs(w->sweep, index, w->inputs);
    for (size_t i = 0; i < w->sweep->output_count; i++) {
        w->outputs[i] = (double)NAN;
    }
    br_scenario* scenario;
    br_status status = bri_sweep_read_case(w->sweep, w->inputs, w->overrides, &scenario);
    if (status == BR_OK) {
        status = run_scenario(w, scenario, table);
    } else if (status == BR_ERR_DEF) {
        note_error(w, scenario);
    }
    br_scenario_destroy(scenario);
    return status;
}

// --- many -----------------------------------------------------------------------------------------

// Shared by the threads, protected by its lock.
typedef struct team {
    size_t next, end; // cases, if the caller gives no list
    br_status status; // of the first thread that failed
    system_lock* lock;
} team;

static bool take_next(worker* w, size_t* index)
{
    const br_sweep_run_def* def = w->def;
    if (def->stop && def->stop(def->user)) {
        w->team->status = BR_ERR_STOPPED;
    }
    if (w->team->status != BR_OK) {
        return false;
    }
    if (def->next) {
        return def->next(index, def->user);
    }
    *index = w->team->next;
    return w->team->next < w->team->end && ++w->team->next;
}

static void give(worker* w, size_t index, const br_table* table)
{
    const br_sweep_result result = {.index = index,
                                    .inputs = w->inputs,
                                    .outputs = w->outputs,
                                    .failure = *w->failure ? w->failure : NULL,
                                    .table = table};
    if (w->def->done) {
        w->def->done(&result, w->def->user);
    }
}

static void work(void* item)
{
    worker* w = item;
    size_t index;
    bri_lock_take(w->team->lock);
    while (take_next(w, &index)) {
        bri_lock_give(w->team->lock);
        br_table* table;
        const br_status status = run_case(w, index, &table);
        bri_lock_take(w->team->lock);
        if (status == BR_ERR_STOPPED || status == BR_ERR_MEMORY) {
            w->team->status = status;
        } else {
            give(w, index, table);
        }
        bri_lock_give(w->team->lock);
        br_table_destroy(table);
        bri_lock_take(w->team->lock);
    }
    bri_lock_give(w->team->lock);
}

static bool allocate_worker(worker* w, const br_sweep* sweep, const br_sweep_run_def* def, team* t)
{
    w->sweep = sweep;
    w->def = def;
    w->team = t;
    w->inputs = br_allocate(sweep->input_count, sizeof *w->inputs);
    w->outputs = br_allocate(sweep->output_count + 1, sizeof *w->outputs);
    w->overrides = br_allocate(sweep->input_count, sizeof *w->overrides);
    return w->inputs && w->outputs && w->overrides;
}

static void release_worker(worker* w)
{
    br_release(w->inputs);
    br_release(w->outputs);
    br_release(w->overrides);
}

size_t br_sweep_get_thread_count(void)
{
    return bri_processors_count();
}

static size_t count_threads(const br_sweep_run_def* def, size_t cases)
{
    size_t count = def->threads > 0 ? def->threads : br_sweep_get_thread_count();
    count = count < MAX_THREADS ? count : MAX_THREADS;
    return count < cases ? count : cases > 0 ? cases : 1;
}

br_sweep_run_def br_sweep_run_def_default(void)
{
    return (br_sweep_run_def){.size = sizeof(br_sweep_run_def)};
}

br_status br_sweep_run(const br_sweep* sweep, const br_sweep_run_def* given, br_reason* why)
{
    br_sweep_run_def def = br_sweep_run_def_default();
    const br_status status = DEFINITION_READ(br_sweep_run_def, given, &def, why);
    if (status != BR_OK) {
        return status;
    }
    const size_t rest =
        sweep->case_count - (def.first < sweep->case_count ? def.first : sweep->case_count);
    const size_t cases = def.count > 0 && def.count < rest ? def.count : rest;
    team t = {
        .next = def.first, .end = def.first + cases, .status = BR_OK, .lock = bri_lock_create()};
    const size_t count = count_threads(&def, def.next ? SIZE_MAX : cases);
    worker* workers = br_allocate(count, sizeof *workers);
    bool has_memory = workers && t.lock;
    for (size_t i = 0; i < count && has_memory; i++) {
        has_memory = allocate_worker(&workers[i], sweep, &def, &t);
    }
    if (has_memory) {
        bri_threads_run(work, workers, sizeof *workers, count);
    }
    for (size_t i = 0; i < count && workers; i++) {
        release_worker(&workers[i]);
    }
    br_release(workers);
    bri_lock_destroy(t.lock);
    t.status = has_memory ? t.status : BR_ERR_MEMORY;
    if (t.status != BR_OK) {
        br_reason_set(why, "", "%s", br_status_get_text(t.status));
    }
    return t.status;
}

// --- checking -------------------------------------------------------------------------------------

static bool stop_at_once(double t, void* user)
{
    (void)t;
    (void)user;
    return 1;
}

enum { MAX_NEAR = 256 }; // candidates for a misspelt name

// Paths of values and extremes that end with a name: "final.x, min.x, max.x" for "x"; their number.
static size_t list_endings(const br_table* table, const char* name, char* text, size_t size)
{
    size_t width, count = 0, length = 0;
    const br_column* columns = br_table_get_columns(table, &width);
    for (size_t i = 0; i < br_table_get_value_count(table) && length < size; i++) {
        const br_table_value* value = br_table_get_value(table, i);
        const char* dot = strrchr(value->path, '.');
        if (dot && !value->word && strcmp(dot + 1, name) == 0) {
            length += (size_t)snprintf(text + length, size - length, "%s%s", count++ ? ", " : "",
                                       value->path);
        }
    }
    for (size_t i = 0; i < width && length < size; i++) {
        if (!columns[i].words && strcmp(columns[i].name, name) == 0) {
            length += (size_t)snprintf(text + length, size - length, "%smin.%s, max.%s",
                                       count++ ? ", " : "", name, name);
        }
    }
    return length < size ? count : 0; // a truncated list is useless
}

static const char* nearest_value(const br_table* table, const char* missing)
{
    const char* list[MAX_NEAR + 1] = {NULL};
    size_t count = 0;
    for (size_t i = 0; i < br_table_get_value_count(table) && count < MAX_NEAR; i++) {
        const br_table_value* value = br_table_get_value(table, i);
        if (!value->word) {
            list[count++] = value->path;
        }
    }
    return br_text_find_nearest(missing, list);
}

static const char* nearest_column(const br_table* table, const char* missing)
{
    const char* list[MAX_NEAR + 1] = {NULL};
    size_t width, count = 0;
    const br_column* columns = br_table_get_columns(table, &width);
    for (size_t i = 0; i < width && count < MAX_NEAR; i++) {
        if (!columns[i].words) {
            list[count++] = columns[i].name;
        }
    }
    return br_text_find_nearest(missing, list);
}

// The columns of numbers, as many as fit.
static void list_columns(const br_table* table, char* text, size_t size)
{
    size_t width, length = 0;
    const br_column* columns = br_table_get_columns(table, &width);
    for (size_t i = 0; i < width; i++) {
        if (columns[i].words) {
            continue;
        }
        if (length + strlen(columns[i].name) + sizeof ", ..." > size) {
            snprintf(text + length, size - length, ", ...");
            return;
        }
        length += (size_t)snprintf(text + length, size - length, "%s%s", length ? ", " : "",
                                   columns[i].name);
    }
}

static bool is_extreme(const char* path)
{
    return strncmp(path, "min.", 4) == 0 || strncmp(path, "max.", 4) == 0;
}

// The path most similar to a misspelt one; NULL: none. A single letter is similar to any other.
static const char* nearest_path(const br_table* table, const char* missing)
{
    const char* dot = strrchr(missing, '.');
    if (dot && dot[1] && !dot[2]) {
        return NULL;
    }
    return is_extreme(missing) ? nearest_column(table, missing + 4) : nearest_value(table, missing);
}

// "want x: there is no such number; did you mean ...?"
static void name_missing(const br_table* table, const char* missing, br_reason* why)
{
    char list[96] = "";
    const size_t endings = list_endings(table, missing, list, sizeof list);
    const char* nearest = nearest_path(table, missing);
    if (endings > 0 || nearest) {
        br_reason_set(why, "", "want %s: there is no such number; did you mean %s%.*s%s?", missing,
                      endings > 1 ? "one of " : "", endings == 0 && is_extreme(missing) ? 4 : 0,
                      missing, endings > 0 ? list : nearest);
        return;
    }
    list_columns(table, list, sizeof list);
    br_reason_set(why, "", "want %s: there is no such number; %s%s", missing,
                  is_extreme(missing)
                      ? "must be min. or max. and one of "
                      : "bristle run --json prints what there is; columns are final.NAME, "
                        "min.NAME, max.NAME, with ",
                  list);
}

static br_status check_outputs(const br_sweep* sweep, const double* inputs, const br_scenario* one,
                               br_reason* why)
{
    const br_scenario_watch watch = {.size = sizeof(br_scenario_watch), .stop = stop_at_once};
    br_table* table;
    br_reason unused;
    if (br_scenario_run(one, &watch, &table, &unused) == BR_ERR_MEMORY) {
        br_reason_set(why, "", "out of memory");
        return BR_ERR_MEMORY;
    }
    const char* missing = NULL;
    for (size_t i = 0; table && br_table_get_row_count(table) > 0 && i < sweep->output_count; i++) {
        bri_sweep_output_eval(&sweep->outputs[i], table, inputs, &missing);
    }
    if (missing) {
        name_missing(table, missing, why);
    }
    br_table_destroy(table);
    return missing ? BR_ERR_DEF : BR_OK;
}

// Check a case: report its errors or, if it has none, unknown outputs.
static br_status check_case(worker* w, size_t index, bool* could_read, br_reason* why)
{
    br_scenario* one;
    br_sweep_eval_inputs(w->sweep, index, w->inputs);
    br_status status = bri_sweep_read_case(w->sweep, w->inputs, w->overrides, &one);
    *could_read = status == BR_OK;
    if (status == BR_OK) {
        status = check_outputs(w->sweep, w->inputs, one, why);
    } else if (status == BR_ERR_DEF) {
        note_error(w, one);
        br_reason_set(why, "", "%s", w->failure);
    }
    br_scenario_destroy(one);
    return status;
}

br_status br_sweep_check(const br_sweep* sweep, br_reason* why)
{
    const br_sweep_run_def none = {.size = sizeof(br_sweep_run_def), .threads = 1};
    const size_t last = sweep->case_count - 1, cases[] = {0, last / 2, last};
    worker w = {.sweep = NULL};
    br_status status = allocate_worker(&w, sweep, &none, NULL) ? BR_ERR_DEF : BR_ERR_MEMORY;
    bool could_read = false;
    for (int i = 0; i < 3 && status == BR_ERR_DEF && !could_read; i++) {
        status = check_case(&w, cases[i], &could_read, why);
    }
    release_worker(&w);
    return status;
}
