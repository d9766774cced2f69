/*
 * Running cases, in threads.
 *
 * Threads take the next case and give its result under one lock; in between nothing is shared but what is immutable:
 * the sweep, its scenario, and the models that cases share. WebAssembly has no threads: there the caller's runs all.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef __wasm__
#define HAS_THREADS 0
#else
#define HAS_THREADS 1
#include <pthread.h>
#include <unistd.h>
#endif

#include "sweep/sweep_internal.h"

enum { MOST_THREADS = 1024 };

// --- one case -------------------------------------------------------------------------------------

// What a thread works with.
typedef struct worker {
    const br_sweep* sweep;
    const br_sweep_run_def* def;
    struct team* team;
    double* inputs;
    double* wants;
    br_override* overrides;
    char failure[512];
} worker;

br_status bri_sweep_read_case(const br_sweep* sweep, const double* inputs, br_override* room,
                              br_scenario** out)
{
    for (size_t i = 0; i < sweep->input_count; i++) {
        const sweep_value* v = &sweep->inputs[i];
        const names words = v->values.words;
        room[i] = (br_override){v->key, inputs[i], words ? words[(size_t)inputs[i]] : NULL};
    }
    return br_scenario_read_case(sweep->scenario, room, sweep->input_count, out);
}

// "--set mu=-1: friction.mu: must be > 0": the key is known, the command line is not the user's.
static void note_mistake(worker* w, const br_scenario* scenario)
{
    const br_mistake* first = br_scenario_get_mistake(scenario, 0);
    snprintf(w->failure, sizeof w->failure, "%s%s%s", first->key, *first->key ? ": " : "",
             first->text);
}

static void note_reason(worker* w, const br_reason* why, br_status status)
{
    snprintf(w->failure, sizeof w->failure, "%s%s%s", why->field, *why->field ? ": " : "",
             *why->text ? why->text : br_status_text(status));
}

static int asks_to_stop(double t, void* user)
{
    (void)t;
    const worker* w = user;
    return w->def->stop && w->def->stop(w->def->user);
}

static void eval_wants(worker* w, const br_table* table)
{
    const br_sweep* s = w->sweep;
    for (size_t i = 0; i < s->want_count; i++) {
        const char* missing = NULL;
        w->wants[i] = bri_want_eval(&s->wants[i], table, w->inputs, &missing);
        if (missing && !*w->failure) {
            snprintf(w->failure, sizeof w->failure, "%s: there is no such number", missing);
        }
    }
}

static br_status run_scenario(worker* w, const br_scenario* scenario, br_table** table)
{
    const bool keeps_rows = w->def->keeps_rows || w->sweep->needs & NEEDS_ROWS;
    const br_scenario_watch watch = {.stop = asks_to_stop,
                                     .user = w,
                                     .drop_rows = !keeps_rows,
                                     .is_brief = !keeps_rows && !w->sweep->needs};
    br_reason why = {"", ""};
    const br_status status = br_scenario_run(scenario, &watch, table, &why);
    if (status == BR_OK) {
        eval_wants(w, *table);
    } else {
        note_reason(w, &why, status);
    }
    return status;
}

// Run case `index` into the worker's room. BR_ERR_STOPPED and BR_ERR_MEMORY end the sweep, all else is a result.
static br_status run_case(worker* w, size_t index, br_table** table)
{
    *table = NULL;
    *w->failure = '\0';
    br_sweep_eval_inputs(w->sweep, index, w->inputs);
    for (size_t i = 0; i < w->sweep->want_count; i++) {
        w->wants[i] = (double)NAN;
    }
    br_scenario* scenario;
    br_status status = bri_sweep_read_case(w->sweep, w->inputs, w->overrides, &scenario);
    if (status == BR_OK) {
        status = run_scenario(w, scenario, table);
    } else if (status == BR_ERR_DEF) {
        note_mistake(w, scenario);
    }
    br_scenario_destroy(scenario);
    return status;
}

// --- many -----------------------------------------------------------------------------------------

// What threads share, under its lock.
typedef struct team {
    size_t next, end; // cases, where the caller does not say which
    br_status status; // of the first thread that had to end
#if HAS_THREADS
    pthread_mutex_t lock;
#endif
} team;

static void lock(team* t)
{
#if HAS_THREADS
    pthread_mutex_lock(&t->lock);
#else
    (void)t;
#endif
}

static void unlock(team* t)
{
#if HAS_THREADS
    pthread_mutex_unlock(&t->lock);
#else
    (void)t;
#endif
}

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
                                    .wants = w->wants,
                                    .failure = *w->failure ? w->failure : NULL,
                                    .table = table};
    if (w->def->done) {
        w->def->done(&result, w->def->user);
    }
}

static void* work(void* user)
{
    worker* w = user;
    size_t index;
    lock(w->team);
    while (take_next(w, &index)) {
        unlock(w->team);
        br_table* table;
        const br_status status = run_case(w, index, &table);
        lock(w->team);
        if (status == BR_ERR_STOPPED || status == BR_ERR_MEMORY) {
            w->team->status = status;
        } else {
            give(w, index, table);
        }
        unlock(w->team);
        br_table_destroy(table);
        lock(w->team);
    }
    unlock(w->team);
    return NULL;
}

static bool make_room(worker* w, const br_sweep* sweep, const br_sweep_run_def* def, team* t)
{
    w->sweep = sweep;
    w->def = def;
    w->team = t;
    w->inputs = br_allocate(sweep->input_count, sizeof *w->inputs);
    w->wants = br_allocate(sweep->want_count + 1, sizeof *w->wants);
    w->overrides = br_allocate(sweep->input_count, sizeof *w->overrides);
    return w->inputs && w->wants && w->overrides;
}

static void release_room(worker* w)
{
    br_release(w->inputs);
    br_release(w->wants);
    br_release(w->overrides);
}

#if HAS_THREADS
size_t br_sweep_get_thread_count(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (size_t)count : 1;
}

// The caller's thread works, too; threads that cannot be had are done without.
static void run_all(worker* workers, size_t count)
{
    pthread_t threads[MOST_THREADS];
    size_t begun = 1;
    while (begun < count && pthread_create(&threads[begun], NULL, work, &workers[begun]) == 0) {
        begun++;
    }
    work(&workers[0]);
    for (size_t i = 1; i < begun; i++) {
        pthread_join(threads[i], NULL);
    }
}
#else
size_t br_sweep_get_thread_count(void)
{
    return 1;
}

static void run_all(worker* workers, size_t count)
{
    (void)count;
    work(&workers[0]);
}
#endif

static size_t count_threads(const br_sweep_run_def* def, size_t cases)
{
    size_t count = def->threads > 0 ? def->threads : br_sweep_get_thread_count();
    count = count < MOST_THREADS ? count : MOST_THREADS;
    return count < cases ? count : cases > 0 ? cases : 1;
}

br_status br_sweep_run(const br_sweep* sweep, const br_sweep_run_def* def, br_reason* why)
{
    const size_t rest =
        sweep->case_count - (def->first < sweep->case_count ? def->first : sweep->case_count);
    const size_t cases = def->count > 0 && def->count < rest ? def->count : rest;
    team t = {.next = def->first, .end = def->first + cases, .status = BR_OK};
    const size_t count = count_threads(def, def->next ? SIZE_MAX : cases);
    worker* workers = br_allocate(count, sizeof *workers);
    bool has_room = workers;
    for (size_t i = 0; i < count && has_room; i++) {
        has_room = make_room(&workers[i], sweep, def, &t);
    }
    if (has_room) {
#if HAS_THREADS
        pthread_mutex_init(&t.lock, NULL);
#endif
        run_all(workers, count);
#if HAS_THREADS
        pthread_mutex_destroy(&t.lock);
#endif
    }
    for (size_t i = 0; i < count && workers; i++) {
        release_room(&workers[i]);
    }
    br_release(workers);
    t.status = has_room ? t.status : BR_ERR_MEMORY;
    if (t.status != BR_OK) {
        br_reason_set(why, "", "%s", br_status_text(t.status));
    }
    return t.status;
}

// --- checking -------------------------------------------------------------------------------------

static int stop_at_once(double t, void* user)
{
    (void)t;
    (void)user;
    return 1;
}

enum { MOST_NEAR = 256 }; // names that a misspelt one may have been

static const char* nearest_value(const br_table* table, const char* missing)
{
    const char* list[MOST_NEAR + 1] = {NULL};
    size_t count = 0;
    for (size_t i = 0; i < br_table_get_value_count(table) && count < MOST_NEAR; i++) {
        const br_table_value* value = br_table_get_value(table, i);
        if (!value->word) {
            list[count++] = value->path;
        }
    }
    return bri_text_nearest(missing, list);
}

static const char* nearest_column(const br_table* table, const char* missing)
{
    const char* list[MOST_NEAR + 1] = {NULL};
    size_t width, count = 0;
    const br_column* columns = br_table_get_columns(table, &width);
    for (size_t i = 0; i < width && count < MOST_NEAR; i++) {
        if (!columns[i].words) {
            list[count++] = columns[i].name;
        }
    }
    return bri_text_nearest(missing, list);
}

// "contacts[0].slipped; did you mean ...?"
static void name_missing(const br_table* table, const char* missing, br_reason* why)
{
    const bool is_extreme = strncmp(missing, "min.", 4) == 0 || strncmp(missing, "max.", 4) == 0;
    const char* nearest =
        is_extreme ? nearest_column(table, missing + 4) : nearest_value(table, missing);
    if (nearest) {
        br_reason_set(why, "", "want %s: there is no such number; did you mean %.*s%s?", missing,
                      is_extreme ? 4 : 0, missing, nearest);
    } else {
        br_reason_set(why, "", "want %s: there is no such number; %s", missing,
                      is_extreme ? "must be min. or max. and a column of numbers"
                                 : "the summary of a run shows what there is");
    }
}

static br_status check_wants(const br_sweep* sweep, const double* inputs, const br_scenario* one,
                             br_reason* why)
{
    const br_scenario_watch watch = {.stop = stop_at_once};
    br_table* table;
    br_reason unused;
    br_scenario_run(one, &watch, &table, &unused);
    const char* missing = NULL;
    for (size_t i = 0; table && br_table_get_row_count(table) > 0 && i < sweep->want_count; i++) {
        bri_want_eval(&sweep->wants[i], table, inputs, &missing);
    }
    if (missing) {
        name_missing(table, missing, why);
    }
    br_table_destroy(table);
    return missing ? BR_ERR_DEF : BR_OK;
}

// Look at a case: its mistakes, if it has any; else what is wanted.
static br_status check_case(worker* w, size_t index, bool* could_read, br_reason* why)
{
    br_scenario* one;
    br_sweep_eval_inputs(w->sweep, index, w->inputs);
    br_status status = bri_sweep_read_case(w->sweep, w->inputs, w->overrides, &one);
    *could_read = status == BR_OK;
    if (status == BR_OK) {
        status = check_wants(w->sweep, w->inputs, one, why);
    } else if (status == BR_ERR_DEF) {
        note_mistake(w, one);
        br_reason_set(why, "", "%s", w->failure);
    }
    br_scenario_destroy(one);
    return status;
}

br_status br_sweep_check(const br_sweep* sweep, br_reason* why)
{
    const br_sweep_run_def none = {.threads = 1};
    const size_t last = sweep->case_count - 1, places[] = {0, last / 2, last};
    worker w = {.sweep = NULL};
    br_status status = make_room(&w, sweep, &none, NULL) ? BR_ERR_DEF : BR_ERR_MEMORY;
    bool could_read = false;
    for (int i = 0; i < 3 && status == BR_ERR_DEF && !could_read; i++) {
        status = check_case(&w, places[i], &could_read, why);
    }
    release_room(&w);
    return status;
}
