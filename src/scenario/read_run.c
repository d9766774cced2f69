/*
 * For how long a scenario runs, with which rows, and how it is integrated.
 */
#include <math.h>
#include <string.h>

#include "scenario/kind.h"
#include "scenario/mappings.h"
#include "scenario/read_integrator.h"

static const double MOST_ROWS = 1e8;

enum { DEFAULT_ROWS = 200 };

#define EVERY_KEY(otherwise)                                                                       \
    KEY("every", NUMBER, "s", IN_POSITIVE, otherwise,                                              \
        "rows at t = k every; by default the motion's file's, each step of a slider, else "        \
        "duration/200",                                                                            \
        BY_HAND)
#define CONTACTS_KEY                                                                                               \
    KEY("contacts", FLAG, "", IN_ANY, "false",                                                                     \
        "columns state,slip,load (of several contacts state1,slip1,load1,state2,...): stick|slip|open, slip rate " \
        "[m/s], and the share of what friction can hold, 0 to 1",                                                  \
        BY_HAND)

static const map_key plain_keys[] = {EVERY_KEY(REQUIRED)};
const mapping bri_keys_output = MAPPING("output", plain_keys);
static const map_key contact_keys[] = {EVERY_KEY(""), CONTACTS_KEY};
const mapping bri_keys_output_contact = MAPPING("output of a contact", contact_keys);
static const map_key body_keys[] = {
    EVERY_KEY(""),
    KEY("energy", FLAG, "", IN_ANY, "false",
        "columns kinetic,stored,dissipated,work_loads,work_gravity,work_normal,work_contacts,residual [J]",
        BY_HAND),
    KEY("cop", FLAG, "", IN_ANY, "false", "column tau_cop: tau at the patch's CoP", BY_HAND),
    CONTACTS_KEY};
const mapping bri_keys_output_body = MAPPING("output of a body", body_keys);

// `duration`, by default the last t of the input file (if there is one).
static double read_duration(const node* root, const br_profile* input)
{
    const node* given = bri_node_find(root, "duration");
    const bool has_file = bri_node_find(bri_node_find(root, "motion"), "file");
    if (!given && !input && has_file && bri_problems(root) > 0) {
        return 1; // the file that would tell it is at fault
    }
    if (given || !input) {
        return bri_value_number(given ? given : bri_node_require(root, "duration"), RANGE_POSITIVE);
    }
    const double last = input->t[input->count - 1];
    if (!(last > 0)) {
        bri_node_fail_field(root, "motion", "the file must go beyond t = 0, or duration be given");
    }
    return last;
}

double bri_scenario_read_every(const node* root, const mapping* output)
{
    const node* block = bri_node_find(root, "output");
    if (block) {
        bri_keys_read(block, output, NULL);
    }
    const node* every = bri_node_find(block, "every");
    return every ? bri_value_number(every, RANGE_POSITIVE) : 0;
}

// Whether the motion, or a profile of it, is read from a file; the times of a table in the scenario are corners of
// a curve, not rows that anyone waits for.
static bool has_input_file(const node* root)
{
    const node* motion = bri_node_find(root, "motion");
    if (bri_node_find(motion, "file")) {
        return true;
    }
    for (size_t i = 0; motion && i < motion->count; i++) {
        if (bri_node_find(motion->children[i], "file")) {
            return true;
        }
    }
    return false;
}

// Rows at the times of the input file that lie in the run.
static void use_input_rows(br_scenario* s, const br_profile* input)
{
    double* at = bri_scenario_allocate(s, input->count, sizeof *at);
    for (size_t i = 0; i < input->count; i++) {
        if (input->t[i] >= 0 && input->t[i] <= s->run.duration) {
            at[s->run.at_count++] = input->t[i];
        }
    }
    if (s->run.at_count == 0) {
        bri_node_fail_field(s->root, "motion",
                            "the file has no row between t = 0 and duration; give "
                            "output: {every: ...}");
    }
    s->run.at = at;
    s->rows = s->run.at_count;
}

// The last row decides where the run ends, and may lie before the duration or beyond it.
static void warn_of_last_row(const br_scenario* s)
{
    const double parts = s->run.duration / s->run.every;
    if (bri_problems(s->root) == 0 && fabs(parts - round(parts)) > 1e-6 * parts) {
        const node* every = bri_node_find(bri_node_find(s->root, "output"), "every");
        bri_warn(
            s->root->in,
            "%sdoes not divide duration, %.6g s: the last row, and with it the run, is at %.6g s",
            bri_node_place(every), s->run.duration, round(parts) * s->run.every);
    }
}

static void choose_rows(br_scenario* s, const br_profile* input, double every)
{
    if (!(every > 0) && input && has_input_file(s->root)) {
        use_input_rows(s, input);
        return;
    }
    s->run.every = every > 0 ? every : s->run.duration / DEFAULT_ROWS;
    const double rows = round(s->run.duration / s->run.every) + 1;
    if (!(rows <= MOST_ROWS)) {
        bri_node_fail_field(s->root, "output.every", "gives %.3g rows; at most %.3g", rows,
                            MOST_ROWS);
        return;
    }
    s->rows = (size_t)rows;
    if (every > 0) {
        warn_of_last_row(s);
    }
}

// Every `hold` of the file, wherever a profile stands.
void bri_scenario_check_holds(const node* value, double duration)
{
    if (value->key && strcmp(value->key, "hold") == 0) {
        const double instants = duration / bri_value_number(value, RANGE_POSITIVE);
        if (!(instants <= BR_PROFILE_MOST_INSTANTS)) {
            bri_node_fail(
                value, "gives %.3g instants in %.6g s; at most %.3g, so hold >= %.3g s here",
                instants, duration, BR_PROFILE_MOST_INSTANTS, duration / BR_PROFILE_MOST_INSTANTS);
        }
    }
    for (size_t i = 0; i < value->count; i++) {
        bri_scenario_check_holds(value->children[i], duration);
    }
}

void bri_scenario_read_run(br_scenario* s, const br_profile* input)
{
    const size_t before = bri_problems(s->root);
    s->run.duration = read_duration(s->root, input);
    const double every = bri_scenario_read_every(s->root, s->kind->output);
    if (bri_problems(s->root) == before) {
        bri_scenario_check_holds(s->root, s->run.duration);
        choose_rows(s, input, every);
    }
    bri_read_integrator(bri_node_find(s->root, "integrator"), s->kind->fixed_steps, &s->run);
}
