/*
 * A scenario from YAML: what runs, for how long, with which rows.
 */
#include "scenario.h"

#include <math.h>

#include "csv.h"
#include "memory.h"
#include "message.h"
#include "read_contact.h"
#include "read_file.h"
#include "read_integrator.h"
#include "read_law.h"
#include "read_profile.h"
#include "value.h"

static const double MOST_ROWS = 1e8;

enum { DEFAULT_ROWS = 200 };

// Blocks of scenarios that later versions run.
static void refuse_other_scenarios(const node* root)
{
    static const char* const others[] = {"contacts", "body", "slider", "mechanism", NULL};
    for (names other = others; *other; other++) {
        const node* found = node_find(root, *other);
        if (found) {
            node_fail(found, "this version runs law + motion, law + rig and contact + motion only");
        }
    }
    const node* shape = node_find(root, "shape");
    if (shape) {
        node_fail(shape, "this is a contact patch, not a scenario; see: bristle surface");
    }
}

// Beside a law: exactly one of motion and rig.
static scenario_kind check_law_blocks(const node* root)
{
    static const char* const keys[] = {"law",        "motion", "rig", "duration",
                                       "integrator", "output", NULL};
    node_expect_keys(root, keys);
    node_require(root, "law");
    const node* motion = node_find(root, "motion");
    const node* rig = node_find(root, "rig");
    if (motion && rig) {
        node_fail(rig->line > motion->line ? rig : motion,
                  "a scenario has exactly one of motion and rig; this one has both");
    }
    if (!motion && !rig) {
        node_fail_field(root, "law", "needs exactly one of motion and rig beside it");
    }
    return rig ? SCENARIO_RIG : SCENARIO_IMPOSED;
}

// What the blocks say that runs.
static scenario_kind find_kind(const node* root)
{
    static const char* const keys[] = {"model",    "blocks",     "friction", "contact", "motion",
                                       "duration", "integrator", "output",   NULL};
    refuse_other_scenarios(root);
    if (!node_find(root, "contact")) {
        return check_law_blocks(root);
    }
    node_expect_keys(root, keys);
    return SCENARIO_CONTACT;
}

// t,v[,fn] from a CSV file
static void read_motion_file(const node* map, br_imposed* imposed)
{
    static const char* const keys[] = {"file", "hold", NULL};
    static const char* const columns[] = {"t", "v", "fn", NULL};
    node_expect_keys(map, keys);
    const double hold = read_hold(map);
    const csv data = csv_read(read_file_name(node_find(map, "file")), columns, 2);
    const double* fn = data.columns[2];
    for (size_t i = 0; fn && i < data.rows; i++) {
        if (fn[i] < 0) {
            message_fail(EXIT_USAGE, "%s:%zu: fn: must be >= 0; got %.15g", data.path,
                         data.lines[i], fn[i]);
        }
    }
    imposed->velocity = profile_of_table(data.rows, data.columns[0], data.columns[1], hold);
    imposed->normal_force =
        fn ? profile_of_table(data.rows, data.columns[0], fn, hold) : br_profile_constant(1);
}

static void read_motion(const node* map, br_imposed* imposed)
{
    static const char* const either[] = {"file", "hold", "velocity", "normal_force", NULL};
    static const char* const keys[] = {"velocity", "normal_force", NULL};
    node_expect_keys(map, either);
    if (node_find(map, "file")) {
        read_motion_file(map, imposed);
        return;
    }
    node_expect_keys(map, keys);
    const node* velocity = node_find(map, "velocity");
    if (!velocity) {
        node_fail(map, "must have file (columns t,v[,fn]) or velocity");
    }
    imposed->velocity = read_profile(velocity, RANGE_ANY);
    imposed->normal_force = read_profile_or(map, "normal_force", RANGE_NOT_NEGATIVE, 1);
}

static void read_rig(const node* map, br_rig* rig)
{
    static const char* const keys[] = {"mass", "stiffness", "pull", "force", "normal_force", NULL};
    node_expect_keys(map, keys);
    rig->mass = value_required(map, "mass", RANGE_POSITIVE);
    rig->stiffness = value_optional(map, "stiffness", RANGE_NOT_NEGATIVE, 0);
    rig->pull = value_optional(map, "pull", RANGE_ANY, 0);
    rig->force = read_profile_or(map, "force", RANGE_ANY, 0);
    rig->normal_force = read_profile_or(map, "normal_force", RANGE_NOT_NEGATIVE, 1);
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

static const node* find_every(const node* root)
{
    static const char* const keys[] = {"every", NULL};
    const node* block = node_find(root, "output");
    if (!block) {
        return NULL;
    }
    node_expect_keys(block, keys);
    return node_require(block, "every");
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
    const node* every = find_every(s->root);
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

static void read_law_scenario(const node* root, scenario* s)
{
    const br_law law = read_law(node_find(root, "law"));
    s->rig.law = s->imposed.law = law;
    if (s->kind == SCENARIO_RIG) {
        read_rig(node_find(root, "rig"), &s->rig);
    } else {
        read_motion(node_find(root, "motion"), &s->imposed);
    }
}

// The profile that came from the motion's file; NULL if there is none.
static const br_profile* input_of(const scenario* s)
{
    const br_profile* input = s->kind == SCENARIO_CONTACT ? &s->motion.vx : &s->imposed.velocity;
    return s->kind != SCENARIO_RIG && input->kind == BR_PROFILE_TABLE ? input : NULL;
}

scenario scenario_read(const node* root)
{
    static const char* const kind_names[] = {"law + motion", "law + rig", "contact + motion"};
    scenario s = {.root = root, .run = br_run_def_default()};
    s.kind = find_kind(root);
    s.name = kind_names[s.kind];
    if (s.kind == SCENARIO_CONTACT) {
        s.motion = read_contact_motion(root);
    } else {
        read_law_scenario(root, &s);
    }
    const br_profile* input = input_of(&s);
    s.run.duration = read_duration(root, input);
    read_rows(&s, input);
    read_integrator(node_find(root, "integrator"), &s.run);
    return s;
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
