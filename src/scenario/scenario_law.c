/*
 * law + motion, law + rig: a one-dimensional friction law in time.
 */
#include "bristle/rig.h"
#include "scenario/csv.h"
#include "scenario/kind.h"
#include "scenario/mappings.h"
#include "scenario/read_file.h"
#include "scenario/read_law.h"
#include "scenario/read_profile.h"
#include "scenario/value.h"

static const br_column rig_columns[] = {
    {"t", "s", NULL}, {"x", "m", NULL}, {"v", "m/s", NULL}, {"f", "N", NULL}, {"z", "m", NULL}};
static const br_column motion_columns[] = {
    {"t", "s", NULL}, {"v", "m/s", NULL}, {"f", "N", NULL}, {"z", "m", NULL}};

static const char motion_help[] =
    "law + motion: a one-dimensional law under an imposed motion\n"
    "  columns t,v,f,z: f is the law's resistance along +v [N], z its state [m]\n";

static const char rig_help[] = "law + rig: a mass on a one-dimensional law, pulled by a spring\n"
                               "  columns t,x,v,f,z\n";

static const map_key motion_file_keys[] = {
    KEY("file", FILE, "", IN_ANY, REQUIRED, "CSV with t,v[,fn]", BY_HAND),
    KEY("hold", NUMBER, "s", IN_POSITIVE, "", "keeps the value of instant i hold until the next",
        BY_HAND)};
static const mapping motion_file = MAPPING("motion of a law from a file", motion_file_keys);
static const map_key motion_keys[] = {
    KEY("velocity", PROFILE, "m/s", IN_ANY, REQUIRED, "of the slip", BY_HAND),
    KEY("normal_force", PROFILE, "N", IN_NOT_NEGATIVE, "1", "on it", BY_HAND)};
static const mapping motion_mapping = MAPPING("motion of a law", motion_keys);

static const map_key rig_keys[] = {
    KEY("mass", NUMBER, "kg", IN_POSITIVE, REQUIRED, "m x'' = k (pull t - x) + force - f",
        AT(br_rig, mass)),
    KEY("stiffness", NUMBER, "N/m", IN_NOT_NEGATIVE, "0", "k of the spring", AT(br_rig, stiffness)),
    KEY("pull", NUMBER, "m/s", IN_ANY, "0", "speed of the spring's far end", AT(br_rig, pull)),
    KEY("force", PROFILE, "N", IN_ANY, "0", "on the mass", BY_HAND),
    KEY("normal_force", PROFILE, "N", IN_NOT_NEGATIVE, "1", "of the mass on its support", BY_HAND)};
static const mapping rig_mapping = MAPPING("rig", rig_keys);

#define LAW_KEY                                                                                    \
    KEY("law", MAP, "", IN_ANY, REQUIRED, "the law; it ignores the parameters of others", BY_HAND, \
        MAPS(&bri_keys_law))

static const map_key motion_root_keys[] = {LAW_KEY,
                                           KEY("motion", MAP, "", IN_ANY, REQUIRED,
                                               "the slip over time", BY_HAND,
                                               MAPS(&motion_file, &motion_mapping)),
                                           DURATION_KEY,
                                           INTEGRATOR_KEY,
                                           OUTPUT_KEY(bri_keys_output),
                                           PLOT_KEY(bri_keys_plot),
                                           SWEEP_KEY,
                                           NOISE_KEY};
static const mapping motion_root = MAPPING("law + motion scenario", motion_root_keys);

static const map_key rig_root_keys[] = {
    LAW_KEY,
    KEY("rig", MAP, "", IN_ANY, REQUIRED, "a mass on that friction", BY_HAND, MAPS(&rig_mapping)),
    DURATION_REQUIRED_KEY,
    INTEGRATOR_KEY,
    OUTPUT_KEY(bri_keys_output),
    PLOT_KEY(bri_keys_plot),
    SWEEP_KEY,
    NOISE_KEY};
static const mapping rig_root = MAPPING("law + rig scenario", rig_root_keys);

// Beside a law: exactly one of motion and rig.
static void check_blocks(const node* root)
{
    static const char* const keys[] = {"law",    "motion", "rig",   "duration", "integrator",
                                       "output", "plot",   "sweep", "noise",    NULL};
    bri_node_expect_keys(root, keys);
    const node* law = bri_node_require(root, "law");
    const node* motion = bri_node_find(root, "motion");
    const node* rig = bri_node_find(root, "rig");
    if (motion && rig) {
        bri_node_fail(rig->line > motion->line ? rig : motion,
                      "a scenario has exactly one of motion and rig; this one has both");
    }
    static const char* const either[] = {"motion", "rig", NULL};
    if (!motion && !rig && law && !bri_node_is_misspelt(root, either)) {
        bri_node_fail_field(root, "law", "needs exactly one of motion and rig beside it");
    }
}

// t,v[,fn] from a CSV file
static void read_motion_file(const node* map, br_imposed* imposed)
{
    static const char* const columns[] = {"t", "v", "fn", NULL};
    bri_keys_read(map, &motion_file, NULL);
    const double hold = bri_read_hold(map);
    const char* path = bri_read_file_name(bri_node_find(map, "file"));
    const csv data = path ? bri_csv_read(map->in, path, columns, 2) : (csv){0, NULL};
    if (data.rows == 0) {
        return;
    }
    const double* fn = data.columns[2];
    imposed->velocity = bri_profile_of_table(data.rows, data.columns[0], data.columns[1], hold);
    imposed->normal_force =
        fn ? bri_profile_of_table(data.rows, data.columns[0], fn, hold) : br_profile_constant(1);
}

static void read_motion(const node* map, br_imposed* imposed)
{
    static const char* const either[] = {"file", "hold", "velocity", "normal_force", NULL};
    if (!bri_node_expect_keys(map, either)) {
        return;
    }
    if (bri_node_find(map, "file")) {
        read_motion_file(map, imposed);
        return;
    }
    bri_keys_expect(map, &motion_mapping);
    const node* velocity = bri_node_find(map, "velocity");
    static const char* const ways[] = {"file", "velocity", NULL};
    if (!velocity && !bri_node_is_misspelt(map, ways)) {
        bri_node_fail(map, "must have file (columns t,v[,fn]) or velocity");
    }
    imposed->velocity = bri_read_profile(velocity, RANGE_ANY);
    imposed->normal_force = bri_read_profile_or(map, "normal_force", RANGE_NOT_NEGATIVE, 1);
}

static void read_rig(const node* map, br_rig* rig)
{
    if (!map || map->kind != NODE_MAP) {
        bri_keys_expect(map, &rig_mapping);
        return;
    }
    bri_keys_read(map, &rig_mapping, rig);
    rig->force = bri_read_profile_or(map, "force", RANGE_ANY, 0);
    rig->normal_force = bri_read_profile_or(map, "normal_force", RANGE_NOT_NEGATIVE, 1);
}

// The law of a scenario, which may be missing.
static br_law read_law_of(br_scenario* s)
{
    const node* map = bri_node_find(s->root, "law");
    const br_law law = map ? bri_read_law(map) : br_law_default(BR_LAW_COULOMB);
    s->detail = br_law_name(law.kind);
    return law;
}

static void read_law_motion(br_scenario* s)
{
    check_blocks(s->root);
    br_imposed* imposed = bri_scenario_allocate(s, 1, sizeof *imposed);
    const node* map = bri_node_find(s->root, "motion");
    const size_t before = bri_problems(s->root);
    s->data = imposed;
    SET_COLUMNS(s, motion_columns);
    imposed->law = read_law_of(s);
    read_motion(map, imposed);
    bri_scenario_read_run(s,
                          imposed->velocity.kind == BR_PROFILE_TABLE ? &imposed->velocity : NULL);
    const node* file = bri_node_find(map, "file");
    if (bri_problems(s->root) == before) {
        bri_check_not_negative(file ? file : bri_node_find(map, "normal_force"),
                               &imposed->normal_force, s->run.duration);
    }
}

static void read_law_rig(br_scenario* s)
{
    check_blocks(s->root);
    br_rig* rig = bri_scenario_allocate(s, 1, sizeof *rig);
    const node* map = bri_node_find(s->root, "rig");
    const size_t before = bri_problems(s->root);
    s->data = rig;
    SET_COLUMNS(s, rig_columns);
    rig->law = read_law_of(s);
    read_rig(map, rig);
    bri_scenario_read_run(s, NULL);
    if (bri_problems(s->root) == before) {
        bri_check_not_negative(bri_node_find(map, "normal_force"), &rig->normal_force,
                               s->run.duration);
    }
}

static void on_motion_row(const br_rig_row* row, void* user)
{
    bri_table_add_row(user, (const double[]){row->t, row->v, row->f, row->z});
}

static void on_rig_row(const br_rig_row* row, void* user)
{
    bri_table_add_row(user, (const double[]){row->t, row->x, row->v, row->f, row->z});
}

static br_status run_law_motion(const br_scenario* s, br_table* got, br_reason* why)
{
    br_run_watch watch = bri_table_watch(got);
    watch.row.rig = on_motion_row;
    watch.event = NULL;
    return br_imposed_run(s->data, &s->run, &watch, &got->cost, why);
}

static br_status run_law_rig(const br_scenario* s, br_table* got, br_reason* why)
{
    br_run_watch watch = bri_table_watch(got);
    watch.row.rig = on_rig_row;
    return br_rig_run(s->data, &s->run, &watch, &got->cost, why);
}

const scenario_kind bri_scenario_law_motion = {.name = "law + motion",
                                               .help = FOR_HELP(motion_help),
                                               .blocks = (const char* const[]){"law", NULL},
                                               .keys = &motion_root,
                                               .output = &bri_keys_output,
                                               .read = read_law_motion,
                                               .run = run_law_motion};

const scenario_kind bri_scenario_law_rig = {.name = "law + rig",
                                            .help = FOR_HELP(rig_help),
                                            .blocks = (const char* const[]){"rig", NULL},
                                            .keys = &rig_root,
                                            .output = &bri_keys_output,
                                            .read = read_law_rig,
                                            .run = run_law_rig};
