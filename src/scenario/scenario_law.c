/*
 * law + motion, law + rig: a one-dimensional friction law in time.
 */
#include "bristle/rig.h"
#include "scenario/mappings.h"
#include "scenario/read_contact.h"
#include "scenario/source.h"

static const char motion_help[] =
    "law + motion: a one-dimensional law under an imposed motion\n"
    "  columns t,v,f,z: f is the law's resistance along +v [N], z its state [m]\n";

static const char rig_help[] = "law + rig: a mass on a one-dimensional law, pulled by a spring\n"
                               "  columns t,x,v,f,z\n";

// An imposed motion, as it is read.
typedef struct motion_input {
    br_imposed imposed;
    const char* file; // of the motion; NULL: profiles
    double hold;      // of the file [s]; 0: none
} motion_input;

static void set_motion_default(void* to)
{
    ((motion_input*)to)->imposed = br_imposed_default();
}

// t,v[,fn] from a CSV file
static void finish_file(const node* map, void* to, bool is_good)
{
    static const char* const columns[] = {"t", "v", "fn", NULL};
    motion_input* in = to;
    const csv data = is_good ? bri_csv_read(map->in, in->file, columns, 2) : (csv){0, NULL};
    if (data.rows == 0) {
        return;
    }
    br_imposed* imposed = &in->imposed;
    imposed->velocity = bri_profile_of_table(data.rows, data.columns[0], data.columns[1], in->hold);
    if (data.columns[2]) {
        imposed->normal_force =
            bri_profile_of_table(data.rows, data.columns[0], data.columns[2], in->hold);
    }
}

static const map_key motion_file_keys[] = {
    PLAIN_KEY("file", FILE, REQUIRED, "CSV with t,v[,fn]", AT(motion_input, file)),
    KEY("hold", NUMBER, "s", IN_POSITIVE, "", "keeps the value of instant i hold until the next",
        AT(motion_input, hold))};
static const mapping motion_file =
    MAPPING_OF("motion of a law from a file", motion_file_keys, motion_input, NULL, finish_file);
static const map_key motion_keys[] = {KEY("velocity", PROFILE, "m/s", IN_ANY, REQUIRED,
                                          "of the slip", AT(motion_input, imposed.velocity)),
                                      KEY("normal_force", PROFILE, "N", IN_NOT_NEGATIVE, DEFAULT,
                                          "on it", AT(motion_input, imposed.normal_force))};
static const mapping motion_mapping =
    MAPPING_OF("motion of a law", motion_keys, motion_input, set_motion_default, NULL);

static void set_rig_default(void* to)
{
    *(br_rig*)to = br_rig_default();
}

static const map_key rig_keys[] = {
    KEY("mass", NUMBER, "kg", IN_POSITIVE, REQUIRED, "m x'' = k (pull t - x) + force - f",
        AT(br_rig, mass)),
    KEY("stiffness", NUMBER, "N/m", IN_NOT_NEGATIVE, DEFAULT, "k of the spring",
        AT(br_rig, stiffness)),
    KEY("pull", NUMBER, "m/s", IN_ANY, DEFAULT, "speed of the spring's far end", AT(br_rig, pull)),
    KEY("force", PROFILE, "N", IN_ANY, DEFAULT, "on the mass", AT(br_rig, force)),
    KEY("normal_force", PROFILE, "N", IN_NOT_NEGATIVE, DEFAULT, "of the mass on its support",
        AT(br_rig, normal_force))};
static const mapping rig_mapping = MAPPING_OF("rig", rig_keys, br_rig, set_rig_default, NULL);

#define LAW_KEY                                                                                    \
    PLAIN_KEY("law", MAP, REQUIRED, "the law; it ignores the parameters of others",                \
              BY_HAND("which parameters it needs depends on its kind"), MAPS(&bri_keys_law))

// `motion` and `rig` are read into the whole input, beside the law.
_Static_assert(offsetof(motion_input, imposed) == 0 && offsetof(br_rig, size) == 0, "the first");
static const map_key motion_root_keys[] = {
    LAW_KEY,
    PLAIN_KEY("motion", MAP, REQUIRED, "the slip over time", AT(motion_input, imposed),
              MAPS(&motion_file, &motion_mapping)),
    DURATION_KEY, INTEGRATOR_KEY, RUN_KEYS(bri_keys_output, bri_keys_plot)};
static const mapping motion_root = MAPPING("law + motion scenario", motion_root_keys, motion_input);

static const map_key rig_root_keys[] = {LAW_KEY,
                                        PLAIN_KEY("rig", MAP, REQUIRED, "a mass on that friction",
                                                  AT(br_rig, size), MAPS(&rig_mapping)),
                                        DURATION_REQUIRED_KEY, INTEGRATOR_KEY,
                                        RUN_KEYS(bri_keys_output, bri_keys_plot)};
static const mapping rig_root = MAPPING("law + rig scenario", rig_root_keys, br_rig);

// Beside a law: exactly one of motion and rig.
static void check_blocks(const node* root, const mapping* keys)
{
    static const char* const either[] = {"motion", "rig", NULL};
    node *motion = bri_node_find(root, "motion"), *rig = bri_node_find(root, "rig");
    if (motion && rig) {
        bri_node_fail(rig->line > motion->line ? rig : motion,
                      "a scenario has exactly one of motion and rig; this one has both");
        motion->is_unknown = true; // already reported
    }
    bri_keys_expect(root, keys);
    const node* law = bri_node_require(root, "law");
    if (!motion && !rig && law && !bri_node_is_misspelt(root, either)) {
        bri_node_fail_field(root, "law", "needs exactly one of motion and rig beside it");
    }
}

// Without a normal force, which is 1 N then, mu is the force itself.
static bool has_normal_force(const node* root)
{
    const node *motion = bri_node_find(root, "motion"), *rig = bri_node_find(root, "rig");
    return bri_node_find(rig ? rig : motion, "normal_force");
}

// Everything but the run into `to`, whose law is at `law`.
static void read_law(br_scenario* s, const mapping* keys, void* to, br_law* law)
{
    const node* map = bri_node_find(s->root, "law");
    s->data = to;
    check_blocks(s->root, keys);
    *law = map ? bri_read_law(map) : br_law_default(BR_LAW_COULOMB);
    s->detail = br_law_get_name(law->kind);
    bri_keys_fill(s->root, keys, to, false);
    if (has_normal_force(s->root)) {
        bri_warn_of_coefficients(map);
    }
}

static void read_law_motion(br_scenario* s)
{
    motion_input* in = bri_keys_create(&s->in.memory, &motion_mapping);
    const node* map = bri_node_find(s->root, "motion");
    const size_t before = bri_problems(s->root);
    TAKE_COLUMNS(s, br_imposed_get_columns, BR_COLUMNS_MAIN);
    read_law(s, &motion_root, in, &in->imposed.law);
    const br_profile* velocity = &in->imposed.velocity;
    bri_scenario_read_run(s, velocity->kind == BR_PROFILE_TABLE ? velocity : NULL);
    const node* file = bri_node_find(map, "file");
    if (bri_problems(s->root) == before) {
        bri_check_not_negative(file ? file : bri_node_find(map, "normal_force"),
                               &in->imposed.normal_force, s->run.duration);
    }
}

static void read_law_rig(br_scenario* s)
{
    br_rig* rig = bri_keys_create(&s->in.memory, &rig_mapping);
    const size_t before = bri_problems(s->root);
    TAKE_COLUMNS(s, br_rig_get_columns, BR_COLUMNS_MAIN);
    read_law(s, &rig_root, rig, &rig->law);
    bri_scenario_read_run(s, NULL);
    if (bri_problems(s->root) == before) {
        bri_check_not_negative(bri_node_find(bri_node_find(s->root, "rig"), "normal_force"),
                               &rig->normal_force, s->run.duration);
    }
}

static void get_model_motion(const br_scenario* s, br_scenario_model* to)
{
    to->law = &((const motion_input*)s->data)->imposed.law;
}

static void get_model_rig(const br_scenario* s, br_scenario_model* to)
{
    to->law = &((const br_rig*)s->data)->law;
}

static br_status run_law_motion(const br_scenario* s, br_table* got, br_reason* why)
{
    br_run_watch watch = bri_table_watch(got);
    watch.event = NULL;
    return br_imposed_run(s->data, &s->run, &watch, &got->cost, why);
}

static br_status run_law_rig(const br_scenario* s, br_table* got, br_reason* why)
{
    const br_run_watch watch = bri_table_watch(got);
    return br_rig_run(s->data, &s->run, &watch, &got->cost, why);
}

const scenario_kind bri_scenario_law_motion = {.name = "law + motion",
                                               .help = FOR_HELP(motion_help),
                                               .blocks = (const char* const[]){"law", NULL},
                                               .keys = &motion_root,
                                               .rtol = BR_RTOL,
                                               .atol = BR_ATOL,
                                               .atol_z = BR_ATOL_Z,
                                               .read = read_law_motion,
                                               .get_model = get_model_motion,
                                               .run = run_law_motion};

const scenario_kind bri_scenario_law_rig = {.name = "law + rig",
                                            .help = FOR_HELP(rig_help),
                                            .blocks = (const char* const[]){"rig", NULL},
                                            .keys = &rig_root,
                                            .rtol = BR_RTOL,
                                            .atol = BR_ATOL,
                                            .atol_z = BR_ATOL_Z,
                                            .read = read_law_rig,
                                            .get_model = get_model_rig,
                                            .run = run_law_rig};
