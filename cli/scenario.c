/*
 * A scenario from YAML: what runs, for how long, with which rows.
 */
#include "scenario.h"

#include <math.h>
#include <string.h>

#include "balance.h"
#include "memory.h"
#include "message.h"
#include "read_integrator.h"
#include "value.h"

static const double MOST_ROWS = 1e8;

enum { DEFAULT_ROWS = 200, MOST_OUTPUT_KEYS = 4 };

// In the order of the help. The first that fits runs, looking from the last; the first one fits
// every file and says what it misses.
static const scenario_kind* const kinds[] = {
    &scenario_law_motion, &scenario_law_rig, &scenario_contact_motion,
    &scenario_body,       &scenario_slider,  &scenario_mechanism,
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

const char* scenario_help(int index)
{
    return index < KIND_COUNT ? kinds[index]->help : NULL;
}

static void refuse_patch(const node* root)
{
    const node* shape = node_find(root, "shape");
    if (shape) {
        node_fail(shape, "this is a contact patch, not a scenario; see: bristle surface");
    }
}

static bool has_all(const node* root, names blocks)
{
    for (names block = blocks; *block; block++) {
        if (!node_find(root, *block)) {
            return false;
        }
    }
    return true;
}

static const scenario_kind* find_kind(const node* root)
{
    refuse_patch(root);
    size_t i = KIND_COUNT - 1;
    while (i > 0 && !has_all(root, kinds[i]->blocks)) {
        i--;
    }
    return kinds[i];
}

// `duration`, by default the last t of the input file (if there is one).
static double read_duration(const node* root, const br_profile* input)
{
    const node* given = node_find(root, "duration");
    if (given || !input) {
        return value_number(given ? given : node_require(root, "duration"), RANGE_POSITIVE);
    }
    const double last = input->t[input->count - 1];
    if (!(last > 0)) {
        node_fail_field(root, "motion", "the file must go beyond t = 0, or duration be given");
    }
    return last;
}

static const node* find_every(const scenario* s)
{
    const char* keys[MOST_OUTPUT_KEYS + 2] = {"every"};
    for (size_t i = 0; s->kind->output && s->kind->output[i]; i++) {
        keys[i + 1] = s->kind->output[i];
    }
    const node* block = node_find(s->root, "output");
    if (!block) {
        return NULL;
    }
    node_expect_keys(block, keys);
    return s->kind->output ? node_find(block, "every") : node_require(block, "every");
}

bool scenario_output_flag(const node* root, const char* key)
{
    const node* block = node_find(root, "output");
    const node* flag = block && block->kind == NODE_MAP ? node_find(block, key) : NULL;
    return flag && value_flag(flag);
}

// Rows at the times of the input file that lie in the run.
static void use_input_rows(scenario* s, const br_profile* input)
{
    double* at = memory_allocate(input->count, sizeof *at);
    for (size_t i = 0; i < input->count; i++) {
        if (input->t[i] >= 0 && input->t[i] <= s->run.duration) {
            at[s->run.at_count++] = input->t[i];
        }
    }
    if (s->run.at_count == 0) {
        node_fail_field(s->root, "motion",
                        "the file has no row between t = 0 and duration; give "
                        "output: {every: ...}");
    }
    s->run.at = at;
    s->rows = s->run.at_count;
}

static void read_rows(scenario* s, const br_profile* input)
{
    const node* every = find_every(s);
    if (!every && input) {
        use_input_rows(s, input);
        return;
    }
    s->run.every = every ? value_number(every, RANGE_POSITIVE) : s->run.duration / DEFAULT_ROWS;
    const double rows = round(s->run.duration / s->run.every) + 1;
    if (!(rows <= MOST_ROWS)) {
        node_fail_field(s->root, "output.every",
                        memory_format("gives %.3g rows; at most %.3g", rows, MOST_ROWS));
    }
    s->rows = (size_t)rows;
}

// Every `hold` of the file, wherever a profile stands.
void scenario_check_holds(const node* value, double duration)
{
    if (value->key && strcmp(value->key, "hold") == 0) {
        const double instants = duration / value_number(value, RANGE_POSITIVE);
        if (!(instants <= BR_PROFILE_MOST_INSTANTS)) {
            node_fail(value, "gives %.3g instants in %.6g s; at most %.3g, so hold >= %.3g s here",
                      instants, duration, BR_PROFILE_MOST_INSTANTS,
                      duration / BR_PROFILE_MOST_INSTANTS);
        }
    }
    for (size_t i = 0; i < value->count; i++) {
        scenario_check_holds(value->children[i], duration);
    }
}

void scenario_read_run(scenario* s, const br_profile* input)
{
    s->run.duration = read_duration(s->root, input);
    scenario_check_holds(s->root, s->run.duration);
    read_rows(s, input);
    read_integrator(node_find(s->root, "integrator"), s->kind->fixed_steps, &s->run);
}

scenario scenario_read(const node* root)
{
    scenario s = {.root = root, .kind = find_kind(root), .run = br_run_def_default()};
    s.run.rtol = 1e-6; // what the runs take of themselves, to be told in advice
    s.run.atol = 1e-8;
    s.run.atol_z = 1e-10;
    s.kind->read(&s);
    s.picture = read_picture(root, s.kind->picture, s.kind->magnifies,
                             memory_format("%s, %s", s.kind->name, s.detail));
    return s;
}

void scenario_draw_panels(const scenario* s, const result* got, const plot_decoration* decorations,
                          output* to)
{
    const plot picture = {.title = s->picture.title,
                          .x_label = "t [s]",
                          .panels = s->panels,
                          .count = s->panel_count,
                          .decorations = decorations};
    plot_draw(&picture, &got->rows, to);
}

void scenario_judge_energy(const scenario* s, double residual, double turnover)
{
    const char* verdict = balance_judge(&s->run, residual, turnover);
    if (verdict) {
        const node* integrator = node_find(s->root, "integrator");
        message_warn("%s%s", node_place(integrator ? integrator : s->root), verdict);
    }
}

void scenario_fail(const scenario* s, br_status status, const br_reason* why)
{
    const char* text = *why->text ? why->text : br_status_text(status);
    if (status == BR_ERR_DEF || status == BR_ERR_ARG) {
        node_fail_field(s->root, why->field, text);
    }
    message_fail(EXIT_COMPUTATION, "%s: %s%s%s", node_file(s->root), why->field,
                 *why->field ? ": " : "", text);
}
