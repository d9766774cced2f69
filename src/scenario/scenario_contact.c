/*
 * contact + motion: a contact patch under an imposed planar motion.
 */
#include "bristle/motion.h"
#include "scenario/mappings.h"
#include "scenario/read_contact.h"
#include "scenario/source.h"

static const char help[] =
    "contact + motion: a contact patch under an imposed planar motion\n"
    "  columns t,vx,vy,w,fx,fy,tau,fn: twist and wrench at the centre of pressure (CoP)\n";

// As it is read.
typedef struct motion_input {
    br_motion motion;
    contact_input contact;
    const char* file; // of the motion; NULL: profiles
    double hold;      // of the file [s]; 0: none
} motion_input;

// t,vx,vy,w from a CSV file
static void finish_file(const node* map, void* to, bool is_good)
{
    static const char* const file_columns[] = {"t", "vx", "vy", "w", NULL};
    motion_input* in = to;
    const csv data = is_good ? bri_csv_read(map->in, in->file, file_columns, 4) : (csv){0, NULL};
    br_profile* profiles[] = {&in->motion.vx, &in->motion.vy, &in->motion.w};
    for (int i = 0; data.rows > 0 && i < 3; i++) {
        *profiles[i] =
            bri_profile_of_table(data.rows, data.columns[0], data.columns[i + 1], in->hold);
    }
}

static const map_key file_keys[] = {
    PLAIN_KEY("file", FILE, REQUIRED, "CSV with t,vx,vy,w", AT(motion_input, file)),
    KEY("hold", NUMBER, "s", IN_POSITIVE, "", "keeps the value of instant i hold until the next",
        AT(motion_input, hold))};
static const mapping file_mapping =
    MAPPING_OF("motion of a contact from a file", file_keys, motion_input, NULL, finish_file);
static const map_key twist_keys[] = {
    KEY("vx", PROFILE, "m/s", IN_ANY, DEFAULT, "of the body over the support, at the CoP",
        AT(motion_input, motion.vx)),
    KEY("vy", PROFILE, "m/s", IN_ANY, DEFAULT, "the same", AT(motion_input, motion.vy)),
    KEY("w", PROFILE, "rad/s", IN_ANY, DEFAULT, "spin", AT(motion_input, motion.w))};
static const mapping twist_mapping = MAPPING("motion of a contact", twist_keys, motion_input);

// `motion` is read into the whole input.
_Static_assert(offsetof(motion_input, motion) == 0, "motion is the first");
static const map_key root_keys[] = {
    MODEL_KEYS(bri_contact_models),
    FRICTION_KEY(REQUIRED),
    PLAIN_KEY("contact", MAP, REQUIRED, "what slides", AT(motion_input, contact),
              MAPS(&bri_keys_motion_contact)),
    PLAIN_KEY("motion", MAP, REQUIRED, "the twist over time", AT(motion_input, motion),
              MAPS(&file_mapping, &twist_mapping)),
    DURATION_KEY,
    INTEGRATOR_KEY,
    RUN_KEYS(bri_keys_output_contact, bri_keys_plot)};
static const mapping root_mapping = MAPPING("contact + motion scenario", root_keys, motion_input);

static void read(br_scenario* s)
{
    static const char* const required[] = {"friction", "motion", NULL};
    bri_keys_expect(s->root, &root_mapping);
    bri_node_require_all(
        s->root, required,
        bri_node_find(s->root, "friction") ? NULL : "; of friction mu is enough: {mu: 0.5}");
    motion_input* input = bri_allocate(&s->in, 1, sizeof *input);
    s->data = input;
    input->motion = br_motion_default();
    bri_keys_motion_contact.set_default(&input->contact);
    bri_keys_fill(s->root, &root_mapping, input, false);
    s->detail = bri_contact_models[input->contact.model];
    TAKE_COLUMNS(s, br_motion_get_columns,
                 BR_COLUMNS_MAIN | (s->output.contacts ? BR_COLUMNS_SLIP : 0));
    bri_scenario_read_run(s, input->motion.vx.kind == BR_PROFILE_TABLE ? &input->motion.vx : NULL);
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
        bri_friction_write(&s->text, contact, 1);
    }
}

static br_status run(const br_scenario* s, br_table* got, br_reason* why)
{
    const motion_input* input = s->data;
    br_run_def def = s->run;
    def.atol = 0; // may be in the file; only bristles are integrated
    br_run_watch watch = bri_table_watch(got);
    watch.event = NULL;
    return br_motion_run(&input->motion, &def, &watch, &got->cost, why);
}

const scenario_kind bri_scenario_contact_motion = {.name = "contact + motion",
                                                   .help = FOR_HELP(help),
                                                   .blocks = (const char* const[]){"contact", NULL},
                                                   .keys = &root_mapping,
                                                   .rtol = BR_RTOL,
                                                   .atol = BR_ATOL,
                                                   .atol_z = BR_ATOL_Z,
                                                   .read = read,
                                                   .make = make,
                                                   .run = run};
