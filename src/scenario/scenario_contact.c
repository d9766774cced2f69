/*
 * contact + motion: a contact patch under an imposed planar motion.
 */
#include "bristle/motion.h"
#include "scenario/contact_story.h"
#include "scenario/csv.h"
#include "scenario/friction.h"
#include "scenario/kind.h"
#include "scenario/mappings.h"
#include "scenario/read_contact.h"
#include "scenario/read_file.h"
#include "scenario/read_output.h"
#include "scenario/read_profile.h"

// The last three are what `output: {contacts: true}` adds.
static const br_column columns[] = {
    {"t", "s", NULL},      {"vx", "m/s", NULL}, {"vy", "m/s", NULL},
    {"w", "rad/s", NULL},  {"fx", "N", NULL},   {"fy", "N", NULL},
    {"tau", "N m", NULL},  {"fn", "N", NULL},   {"state", "-", bri_contact_state_words},
    {"slip", "m/s", NULL}, {"load", "-", NULL}};

enum { MOST_COLUMNS = sizeof columns / sizeof *columns };

static const char help[] =
    "contact + motion: a contact patch under an imposed planar motion\n"
    "  columns t,vx,vy,w,fx,fy,tau,fn: twist and wrench at the centre of pressure (CoP)\n";

static const map_key file_keys[] = {
    KEY("file", FILE, "", IN_ANY, REQUIRED, "CSV with t,vx,vy,w", BY_HAND),
    KEY("hold", NUMBER, "s", IN_POSITIVE, "", "keeps the value of instant i hold until the next",
        BY_HAND)};
static const mapping file_mapping = MAPPING("motion of a contact from a file", file_keys);
static const map_key twist_keys[] = {
    KEY("vx", PROFILE, "m/s", IN_ANY, "0", "of the body over the support, at the CoP", BY_HAND),
    KEY("vy", PROFILE, "m/s", IN_ANY, "0", "the same", BY_HAND),
    KEY("w", PROFILE, "rad/s", IN_ANY, "0", "spin", BY_HAND)};
static const mapping twist_mapping = MAPPING("motion of a contact", twist_keys);

static const map_key root_keys[] = {MODEL_KEYS(bri_contact_models),
                                    FRICTION_KEY(REQUIRED),
                                    KEY("contact", MAP, "", IN_ANY, REQUIRED, "what slides",
                                        BY_HAND, MAPS(&bri_keys_motion_contact)),
                                    KEY("motion", MAP, "", IN_ANY, REQUIRED, "the twist over time",
                                        BY_HAND, MAPS(&file_mapping, &twist_mapping)),
                                    DURATION_KEY,
                                    INTEGRATOR_KEY,
                                    OUTPUT_KEY(bri_keys_output_contact),
                                    PLOT_KEY(bri_keys_plot),
                                    SWEEP_KEY,
                                    NOISE_KEY};
static const mapping root_mapping = MAPPING("contact + motion scenario", root_keys);

// t,vx,vy,w from a CSV file, or a profile each
static void read_twist(const node* map, br_motion* motion)
{
    static const char* const either[] = {"file", "hold", "vx", "vy", "w", NULL};
    static const char* const file_columns[] = {"t", "vx", "vy", "w", NULL};
    if (!bri_node_expect_keys(map, either)) {
        return;
    }
    const node* file = bri_node_find(map, "file");
    if (!file) {
        motion->vx = bri_read_profile_or(map, "vx", RANGE_ANY, 0);
        motion->vy = bri_read_profile_or(map, "vy", RANGE_ANY, 0);
        motion->w = bri_read_profile_or(map, "w", RANGE_ANY, 0);
        return;
    }
    const double hold = bri_read_hold(map);
    const char* path = bri_read_file_name(file);
    const csv data = path ? bri_csv_read(map->in, path, file_columns, 4) : (csv){0, NULL};
    if (data.rows == 0) {
        return;
    }
    br_profile* to[] = {&motion->vx, &motion->vy, &motion->w};
    for (int i = 0; i < 3; i++) {
        *to[i] = bri_profile_of_table(data.rows, data.columns[0], data.columns[i + 1], hold);
    }
}

// What was read.
typedef struct motion_input {
    br_motion motion;
    contact_input contact;
} motion_input;

static void read(br_scenario* s)
{
    static const char* const required[] = {"friction", "motion", NULL};
    bri_keys_expect(s->root, &root_mapping);
    bri_node_require_all(
        s->root, required,
        bri_node_find(s->root, "friction") ? NULL : "; of friction mu is enough: {mu: 0.5}");
    motion_input* input = bri_scenario_allocate(s, 1, sizeof *input);
    s->data = input;
    input->contact = bri_read_contact(bri_node_find(s->root, "contact"), &bri_keys_motion_contact);
    s->detail = bri_contact_model_name(input->contact.model);
    br_motion* motion = &input->motion;
    read_twist(bri_node_find(s->root, "motion"), motion);
    s->columns = columns;
    s->column_count =
        bri_read_output_flag(s->root, "contacts") ? MOST_COLUMNS : MOST_COLUMNS - STORY_COLUMNS;
    bri_scenario_read_run(s, motion->vx.kind == BR_PROFILE_TABLE ? &motion->vx : NULL);
}

static void make(br_scenario* s)
{
    motion_input* input = s->data;
    contact_input* contact = &input->contact;
    bri_check_not_negative(contact->normal_force_from, &contact->normal_force, s->run.duration);
    bri_friction_in_motion(contact);
    if (s->in.problems == 0) {
        bri_contact_make_model(contact);
    }
    br_motion* motion = &input->motion;
    motion->contact = contact->contact;
    motion->coulomb = contact->coulomb;
    motion->mu_c = contact->friction.law.mu_c;
    motion->normal_force = contact->normal_force;
    if (!s->is_case) {
        bri_scenario_say(s, bri_friction_text(contact, 0));
    }
}

static void on_row(const br_motion_row* row, void* user)
{
    const double values[MOST_COLUMNS] = {row->t,     row->v.vx,      row->v.vy,  row->v.w,
                                         row->f.fx,  row->f.fy,      row->f.tau, row->fn,
                                         row->state, row->slip_rate, row->load};
    bri_table_add_row(user, values);
}

static br_status run(const br_scenario* s, br_table* got, br_reason* why)
{
    const motion_input* input = s->data;
    br_run_def def = s->run;
    def.atol = 0; // may stand in the file; nothing but bristles is integrated
    br_run_watch watch = bri_table_watch(got);
    watch.row.motion = on_row;
    watch.event = NULL;
    return br_motion_run(&input->motion, &def, &watch, &got->cost, why);
}

const scenario_kind bri_scenario_contact_motion = {.name = "contact + motion",
                                                   .help = FOR_HELP(help),
                                                   .blocks = (const char* const[]){"contact", NULL},
                                                   .keys = &root_mapping,
                                                   .output = &bri_keys_output_contact,
                                                   .read = read,
                                                   .make = make,
                                                   .run = run};
