/*
 * Sensitivities of scenario runs, by central differences over frozen steps.
 *
 *   dr/dp = (r(p + e) - r(p - e))/(2 e),   e = 1e-6 |p|, or 1e-8 where p = 0                          (S-1)
 *
 * r is the run with the step sizes of the run at p (run_steps.c), a smooth function of p as far as the model is: neither
 * the error control nor the number of steps contributes. What remains is e^2 r'''/6 and the rounding of r over e. Breaks
 * of profiles, and events that change the system, move with p: each copy locates its own, so that the differences
 * contain the jump conditions. Where a copy takes another course, e is reduced twice by 10; then the run is refused.
 *
 * Definitions come from the reader of scenarios with the changed number: any key that is a number has a derivative.
 */
#include "bristle/sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/definition.h"
#include "scenario/kind.h"
#include "sweep/sensitivity.h"
#include "sweep/sweep_internal.h"

static const double RELATIVE_CHANGE = 1e-6; // of a number that is not 0 [-]
static const double CHANGE_OF_ZERO = 1e-8;  // of one that is 0, in its unit
static const double ALLOWED_UNEVENNESS =
    0.05;                         // of the derivatives on both sides, without a warning [-]
static const double NOISE = 1e-9; // smallest relative change of a column that is judged [-]
enum { ATTEMPTS = 3 };

struct br_sensitivity {
    pool memory;
    br_table* table;
    size_t key_count;
    br_sensitivity_column* columns; // (column_count)
    size_t column_count;
    double* rows;   // (rows x column_count)
    double* values; // (values of the table x key_count)
};

// A call of br_sensitivity_create().
typedef struct sensing {
    const br_scenario* from;
    const char* const* keys;
    br_scenario_watch watch;
    br_sensitivity* to;
    br_run_steps* steps;
    bool is_frozen;                 // steps are repeated, not fixed
    size_t done;                    // runs so far
    const sensitivity_pairs* pairs; // NULL: none
    br_reason* why;
    br_status status;
} sensing;

// --- keys -----------------------------------------------------------------------------------------

// The value that a full key names; NULL: there is none.
static const node* find_value(const node* root, const char* key)
{
    const node* at = root;
    while (at && *key) {
        const bool is_entry = *key == '[';
        key += is_entry || *key == '.';
        const size_t length = strcspn(key, ".[]");
        char part[64];
        if (length == 0 || length >= sizeof part) {
            return NULL;
        }
        snprintf(part, sizeof part, "%.*s", (int)length, key);
        if (at->kind == NODE_LIST) {
            double index;
            const bool is_index = bri_text_number(part, &index) == NUMBER_GOOD && index >= 0 &&
                                  index < (double)at->count;
            at = is_index ? at->children[(size_t)index] : NULL;
        } else {
            at = at->kind == NODE_MAP ? bri_node_find(at, part) : NULL;
        }
        key += length + is_entry;
    }
    return at;
}

static br_status refuse_key(sensing* s, const char* key, const char* text)
{
    br_reason_set(s->why, key, "%s", text);
    return BR_ERR_ARG;
}

static br_status read_changed(const sensing* s, const char* key, double value, br_scenario** out)
{
    const br_override change = {key, value, NULL};
    return br_scenario_read_case(s->from, &change, 1, out);
}

// A key that the scenario does not have: is it unknown, or has it a default?
static br_status refuse_missing(sensing* s, const char* key)
{
    br_scenario* trial;
    const br_status status = read_changed(s, key, 1.0, &trial);
    if (status == BR_ERR_DEF) {
        br_reason_set(s->why, key, "%s", br_scenario_get_error(trial, 0)->text);
    } else if (status == BR_OK) {
        br_reason_set(s->why, key, "has no value in the scenario: give it one, as --set %s=VALUE",
                      key);
    }
    br_scenario_destroy(trial);
    return status == BR_ERR_MEMORY ? status : BR_ERR_ARG;
}

static br_status read_number(sensing* s, const char* key, double* out)
{
    const node* value = find_value(s->from->root, key);
    if (!value) {
        return refuse_missing(s, key);
    }
    if (value->kind != NODE_SCALAR) {
        return refuse_key(s, key,
                          value->kind == NODE_LIST
                              ? "is a list: name one of its numbers, as KEY[0]"
                              : "is no number but a map: name one of the numbers below it");
    }
    if (!value->is_number && !value->reads_number) {
        return refuse_key(s, key, "is no number: it has no derivative");
    }
    *out = value->number;
    return isfinite(*out) ? BR_OK : refuse_key(s, key, "must be finite to have a derivative");
}

// Does a changed scenario have the same rows, computed in the same way?
static bool has_same_run(const br_scenario* a, const br_scenario* b)
{
    const br_run_def *x = &a->run, *y = &b->run;
    return x->duration == y->duration && x->every == y->every && x->step == y->step &&
           x->rtol == y->rtol && x->atol == y->atol && x->atol_z == y->atol_z &&
           x->max_step == y->max_step && x->method == y->method && a->rows == b->rows &&
           a->column_count == b->column_count;
}

// --- runs -----------------------------------------------------------------------------------------

static void on_row(const double* row, void* user)
{
    const sensing* s = user;
    if (s->watch.row && s->done == 0) {
        s->watch.row(row, s->watch.user);
    }
}

static void on_event(const br_table_event* event, void* user)
{
    const sensing* s = user;
    if (s->watch.event && s->done == 0) {
        s->watch.event(event, s->watch.user);
    }
}

static void on_progress(double fraction, void* user)
{
    const sensing* s = user;
    const double all = 1.0 + 2.0 * (double)s->to->key_count;
    if (s->watch.progress) {
        s->watch.progress(fmin(((double)s->done + fraction) / all, 1.0), s->watch.user);
    }
}

static bool stops(double t, void* user)
{
    const sensing* s = user;
    return s->watch.stop && s->watch.stop(t, s->watch.user);
}

static br_status run_with_steps(sensing* s, br_scenario* scenario, bool repeats, br_table** out)
{
    const br_scenario_watch watch = {.size = sizeof(br_scenario_watch),
                                     .row = on_row,
                                     .event = on_event,
                                     .progress = on_progress,
                                     .stop = stops,
                                     .user = s};
    scenario->run.steps = s->is_frozen ? s->steps : NULL;
    scenario->run.repeats_steps = s->is_frozen && repeats;
    const br_status status = br_scenario_run(scenario, &watch, out, s->why);
    if (status != BR_OK) {
        br_table_destroy(*out);
        *out = NULL;
    }
    return status;
}

static br_status run_itself(sensing* s, br_table** out)
{
    br_scenario* own = NULL;
    br_status status = br_scenario_read_case(s->from, NULL, 0, &own);
    status = status == BR_OK ? run_with_steps(s, own, false, out) : status;
    br_scenario_destroy(own);
    return status;
}

// The run with another value of a key.
static br_status run_changed(sensing* s, const char* key, double value, br_table** out)
{
    br_scenario* changed = NULL;
    *out = NULL;
    br_status status = read_changed(s, key, value, &changed);
    if (status == BR_ERR_DEF) {
        br_reason_set(s->why, key, "cannot change to %.9g for a difference: %s", value,
                      br_scenario_get_error(changed, 0)->text);
        status = BR_ERR_ARG;
    } else if (status == BR_OK && !has_same_run(s->from, changed)) {
        status = refuse_key(
            s, key, "sets how the run is computed, or its rows: not a parameter of the run");
    }
    status = status == BR_OK ? run_with_steps(s, changed, true, out) : status;
    br_scenario_destroy(changed);
    return status;
}

static br_status check_pair(sensing* s, const char* key, const br_table* low, const br_table* high)
{
    const br_table* own = s->to->table;
    if (low->rows == own->rows && high->rows == own->rows && low->sum_count == own->sum_count &&
        high->sum_count == own->sum_count) {
        return BR_OK;
    }
    br_reason_set(s->why, key,
                  "decides how far the run gets, or which parts it has: no derivative here");
    return BR_ERR_CONVERGENCE;
}

// The runs on both sides of a key's value, `change` apart from it.
static br_status run_pair(sensing* s, const char* key, double value, double change,
                          br_table* pair[2])
{
    pair[0] = pair[1] = NULL;
    br_status status = run_changed(s, key, value - change, &pair[0]);
    s->done += status == BR_OK;
    status = status == BR_OK ? run_changed(s, key, value + change, &pair[1]) : status;
    status = status == BR_OK ? check_pair(s, key, pair[0], pair[1]) : status;
    s->done += status == BR_OK;
    if (status != BR_OK) {
        s->done -= pair[0] != NULL;
        br_table_destroy(pair[0]);
        br_table_destroy(pair[1]);
    }
    return status;
}

// --- results --------------------------------------------------------------------------------------

static void fill_rows(const br_sensitivity* to, size_t key, br_table* const pair[2], double width)
{
    const size_t table_width = to->table->width;
    for (size_t c = 0; c < to->column_count; c++) {
        for (size_t r = 0; to->columns[c].key == key && r < to->table->rows; r++) {
            const size_t at = r * table_width + to->columns[c].column;
            to->rows[r * to->column_count + c] =
                (pair[1]->values[at] - pair[0]->values[at]) / width;
        }
    }
    for (size_t i = 0; i < to->table->sum_count; i++) {
        const br_table_value* value = &to->table->sums[i];
        to->values[i * to->key_count + key] =
            value->word ? (double)NAN : (pair[1]->sums[i].number - pair[0]->sums[i].number) / width;
    }
}

// A jump or a kink within the difference: the slopes on both sides of p differ.
//   |r(p + e) - 2 r(p) + r(p - e)|/|r(p + e) - r(p - e)|, each the largest of a column                 (S-2)
static double unevenness(const br_sensitivity* to, br_table* const pair[2], size_t column,
                         size_t* row)
{
    const size_t width = to->table->width;
    double bend = 0.0, change = 0.0, size = 0.0;
    for (size_t r = 0; r < to->table->rows; r++) {
        const size_t i = r * width + column;
        const double low = pair[0]->values[i], own = to->table->values[i],
                     high = pair[1]->values[i];
        *row = fabs(high - 2.0 * own + low) > bend ? r : *row;
        bend = fmax(bend, fabs(high - 2.0 * own + low));
        change = fmax(change, fabs(high - low));
        size = fmax(size, fabs(own));
    }
    return change > NOISE * size ? bend / change : 0.0; // smaller changes are rounding
}

static void warn_of_kinks(sensing* s, size_t key, br_table* const pair[2])
{
    const br_sensitivity* to = s->to;
    double worst = 0.0;
    size_t at = 0, row = 0;
    for (size_t c = 0; c < to->column_count; c++) {
        size_t where = 0;
        const double found =
            to->columns[c].key == key ? unevenness(to, pair, to->columns[c].column, &where) : 0.0;
        if (found > worst) {
            worst = found;
            at = c;
            row = where;
        }
    }
    if (worst > ALLOWED_UNEVENNESS) {
        bri_table_warn(
            to->table,
            "%s: the derivatives on both sides differ, most at t = %.6g s: an event is at that row, or the run "
            "has a kink or a jump at this value of %s",
            to->columns[at].name, to->table->values[row * to->table->width], s->keys[key]);
    }
}

static br_status sense_key(sensing* s, size_t index)
{
    const char* key = s->keys[index];
    double value = 0.0;
    br_table* pair[2];
    br_status status = read_number(s, key, &value);
    double change = value != 0.0 ? RELATIVE_CHANGE * fabs(value) : CHANGE_OF_ZERO;
    for (int i = 0; status == BR_OK; i++, change *= 0.1) {
        status = run_pair(s, key, value, change, pair);
        if (status == BR_OK) {
            fill_rows(s->to, index, pair, (value + change) - (value - change));
            warn_of_kinks(s, index, pair);
            if (s->pairs) {
                s->pairs->see(s->to->table, index, (const double[]){value - change, value + change},
                              (const br_table* const[]){pair[0], pair[1]}, s->pairs->user);
            }
            br_table_destroy(pair[0]);
            br_table_destroy(pair[1]);
            return BR_OK;
        }
        if (status == BR_ERR_CONVERGENCE && i + 1 < ATTEMPTS) {
            status = BR_OK; // nearer, the course may be the same
        }
    }
    if (status == BR_ERR_CONVERGENCE) {
        char text[sizeof s->why->text];
        snprintf(text, sizeof text, "%s", s->why->text);
        br_reason_set(s->why, key, "has no derivative here: %s", text);
    }
    return status;
}

static const char* unit_of(sensing* s, const char* of, const char* key)
{
    pool* memory = &s->to->memory;
    const char* by = bri_key_unit(memory, s->from->kind, key);
    if (!*by || strcmp(by, "-") == 0) {
        return bri_pool_text(memory, of, strlen(of));
    }
    return bri_pool_format(memory, strpbrk(by, "/ *") ? "%s/(%s)" : "%s/%s",
                           strcmp(of, "-") == 0 ? "1" : of, by);
}

static void list_columns(sensing* s)
{
    br_sensitivity* to = s->to;
    const br_table* table = to->table;
    to->columns =
        bri_pool_allocate(&to->memory, to->key_count * table->width + 1, sizeof *to->columns);
    for (size_t k = 0; k < to->key_count; k++) {
        for (size_t c = 0; c < table->width; c++) {
            const br_column* of = &table->columns[c];
            if (of->words || strcmp(of->name, "t") == 0) {
                continue;
            }
            to->columns[to->column_count++] = (br_sensitivity_column){
                bri_pool_format(&to->memory, "d(%s)/d(%s)", of->name, s->keys[k]),
                unit_of(s, of->unit, s->keys[k]), c, k};
        }
    }
    to->rows = bri_pool_allocate(&to->memory, table->rows * to->column_count + 1, sizeof(double));
    to->values =
        bri_pool_allocate(&to->memory, table->sum_count * to->key_count + 1, sizeof(double));
}

static void sense_all(void* call)
{
    sensing* s = call;
    for (size_t k = 0; k < s->to->key_count && s->status == BR_OK; k++) {
        double value;
        s->status = read_number(s, s->keys[k], &value); // before any run
    }
    s->status = s->status == BR_OK ? run_itself(s, &s->to->table) : s->status;
    if (s->status != BR_OK) {
        return;
    }
    s->done = 1;
    list_columns(s);
    for (size_t k = 0; k < s->to->key_count && s->status == BR_OK; k++) {
        s->status = sense_key(s, k);
    }
}

// --- public functions -----------------------------------------------------------------------------

static br_status check_call(const br_scenario* scenario, const br_sensitivity* to, br_reason* why)
{
    if (br_scenario_check(scenario) != BR_OK) {
        br_reason_set(why, "", "the scenario has errors");
        return BR_ERR_DEF;
    }
    if (scenario->run.method == BR_INTEGRATOR_CVODE) {
        br_reason_set(why, "integrator.method",
                      "must be rosenbrock or fixed for sensitivities, got cvode");
        return BR_ERR_DEF;
    }
    // not NULL: a failed allocation has set the status
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
    if (to->key_count == 0) {
        br_reason_set(why, "sensitivity", "needs a key, such as friction.mu");
        return BR_ERR_ARG;
    }
    return BR_OK;
}

br_status br_sensitivity_create(const br_scenario* scenario, const char* const* keys,
                                const br_scenario_watch* given, br_sensitivity** out,
                                br_reason* why)
{
    return bri_sensitivity_create(scenario, keys, given, NULL, out, why);
}

br_status bri_sensitivity_create(const br_scenario* scenario, const char* const* keys,
                                 const br_scenario_watch* given, const sensitivity_pairs* pairs,
                                 br_sensitivity** out, br_reason* why)
{
    BR_ASSERT(scenario && keys && out);
    br_reason unused = {"", ""};
    why = why ? why : &unused;
    *why = (br_reason){"", ""};
    *out = NULL;
    sensing s = {.from = scenario,
                 .keys = keys,
                 .watch = br_scenario_watch_default(),
                 .pairs = pairs,
                 .why = why};
    if (given && DEFINITION_READ(br_scenario_watch, given, &s.watch, why) != BR_OK) {
        return BR_ERR_DEF;
    }
    s.to = br_allocate(1, sizeof *s.to);
    s.status = s.to ? br_run_steps_create(&s.steps, why) : BR_ERR_MEMORY;
    while (s.to && keys[s.to->key_count]) {
        s.to->key_count++;
    }
    s.status = s.status == BR_OK ? check_call(scenario, s.to, why) : s.status;
    s.is_frozen = scenario->run.method == BR_INTEGRATOR_ROSENBROCK;
    if (s.status == BR_OK && !bri_pool_run(&s.to->memory, sense_all, &s)) {
        s.status = BR_ERR_MEMORY;
    }
    br_run_steps_destroy(s.steps);
    if (s.status == BR_ERR_MEMORY) {
        br_reason_set(why, "", "%s", br_status_get_text(s.status));
    }
    if (s.status == BR_OK) {
        *out = s.to;
    } else {
        br_sensitivity_destroy(s.to);
    }
    return s.status;
}

void br_sensitivity_destroy(br_sensitivity* of)
{
    if (of) {
        br_table_destroy(of->table);
        bri_pool_clear(&of->memory);
        br_release(of);
    }
}

const br_table* br_sensitivity_get_table(const br_sensitivity* of)
{
    return of->table;
}

const br_sensitivity_column* br_sensitivity_get_columns(const br_sensitivity* of, size_t* count)
{
    *count = of->column_count;
    return of->columns;
}

const double* br_sensitivity_get_rows(const br_sensitivity* of)
{
    return of->table->rows > 0 ? of->rows : NULL;
}

double br_sensitivity_get_value(const br_sensitivity* of, size_t index, size_t key)
{
    BR_ASSERT(index < of->table->sum_count && key < of->key_count);
    return of->values[index * of->key_count + key];
}
