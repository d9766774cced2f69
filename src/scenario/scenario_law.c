/*
 * law + motion, law + rig: a one-dimensional friction law in time.
 */
#include "bristle/rig.h"
#include "scenario/csv.h"
#include "scenario/kind.h"
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
    "  columns t,v,f,z: f is the law's resistance along +v [N], z its state [m]\n"
    "  law: {kind: coulomb|stiction|stribeck|dahl|lugre|elasto-plastic, mu_c, mu_s, v_s [m/s],\n"
    "        gamma (2), sigma0 [1/m; dahl N/m], sigma1 (0) [s/m], sigma2 (0) [s/m], s_ba (0.9),\n"
    "        alpha (1)}       a law ignores the parameters of others\n"
    "  motion: {file: v.csv, hold [s]}       columns t,v[,fn], or\n"
    "          {velocity: PROFILE [m/s], normal_force: PROFILE (1) [N]}\n";

static const char rig_help[] =
    "law + rig: a mass on a one-dimensional law, pulled by a spring\n"
    "  columns t,x,v,f,z\n"
    "  law: as above\n"
    "  rig: {mass [kg], stiffness (0) [N/m], pull (0) [m/s], force: PROFILE (0) [N],\n"
    "        normal_force: PROFILE (1) [N]}      m x'' = k (pull t - x) + force - f\n";

// Beside a law: exactly one of motion and rig.
static void check_blocks(const node* root)
{
    static const char* const keys[] = {"law",        "motion", "rig",  "duration",
                                       "integrator", "output", "plot", NULL};
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
    static const char* const keys[] = {"file", "hold", NULL};
    static const char* const columns[] = {"t", "v", "fn", NULL};
    bri_node_expect_keys(map, keys);
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
    static const char* const keys[] = {"velocity", "normal_force", NULL};
    if (!bri_node_expect_keys(map, either)) {
        return;
    }
    if (bri_node_find(map, "file")) {
        read_motion_file(map, imposed);
        return;
    }
    bri_node_expect_keys(map, keys);
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
    static const char* const keys[] = {"mass", "stiffness", "pull", "force", "normal_force", NULL};
    if (!bri_node_expect_keys(map, keys)) {
        return;
    }
    rig->mass = bri_value_required(map, "mass", RANGE_POSITIVE);
    rig->stiffness = bri_value_optional(map, "stiffness", RANGE_NOT_NEGATIVE, 0);
    rig->pull = bri_value_optional(map, "pull", RANGE_ANY, 0);
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
                                               .help = motion_help,
                                               .blocks = (const char* const[]){"law", NULL},
                                               .read = read_law_motion,
                                               .run = run_law_motion};

const scenario_kind bri_scenario_law_rig = {.name = "law + rig",
                                            .help = rig_help,
                                            .blocks = (const char* const[]){"rig", NULL},
                                            .read = read_law_rig,
                                            .run = run_law_rig};
