/*
 * law + motion, law + rig: a one-dimensional friction law in time.
 */
#include "bristle/rig.h"
#include "csv.h"
#include "memory.h"
#include "read_file.h"
#include "read_law.h"
#include "read_profile.h"
#include "scenario.h"
#include "value.h"

static const char* const rig_columns[] = {"t", "x", "v", "f", "z", NULL};
static const char* const motion_columns[] = {"t", "v", "f", "z", NULL};

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

static const plot_panel rig_panels[] = {
    {"x [m]", {{1, "position"}}}, {"v [m/s]", {{2, "velocity"}}}, {"f [N]", {{3, "friction"}}}};
static const plot_panel motion_panels[] = {{"v [m/s]", {{1, "velocity"}}},
                                           {"f [N]", {{2, "friction"}}}};

// Beside a law: exactly one of motion and rig.
static void check_blocks(const node* root)
{
    static const char* const keys[] = {"law",        "motion", "rig",  "duration",
                                       "integrator", "output", "plot", NULL};
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

static void read_law_motion(scenario* s)
{
    check_blocks(s->root);
    br_imposed* imposed = memory_allocate(1, sizeof *imposed);
    imposed->law = read_law(node_find(s->root, "law"));
    read_motion(node_find(s->root, "motion"), imposed);
    s->data = imposed;
    s->detail = br_law_name(imposed->law.kind);
    s->columns = motion_columns;
    s->panels = motion_panels;
    s->panel_count = sizeof motion_panels / sizeof *motion_panels;
    scenario_read_run(s, imposed->velocity.kind == BR_PROFILE_TABLE ? &imposed->velocity : NULL);
    const node* map = node_find(s->root, "motion");
    const node* file = node_find(map, "file");
    check_not_negative(file ? file : node_find(map, "normal_force"), &imposed->normal_force,
                       s->run.duration);
}

static void read_law_rig(scenario* s)
{
    check_blocks(s->root);
    br_rig* rig = memory_allocate(1, sizeof *rig);
    rig->law = read_law(node_find(s->root, "law"));
    read_rig(node_find(s->root, "rig"), rig);
    s->data = rig;
    s->detail = br_law_name(rig->law.kind);
    s->columns = rig_columns;
    s->panels = rig_panels;
    s->panel_count = sizeof rig_panels / sizeof *rig_panels;
    scenario_read_run(s, NULL);
    check_not_negative(node_find(node_find(s->root, "rig"), "normal_force"), &rig->normal_force,
                       s->run.duration);
}

static void on_motion_row(const br_rig_row* row, void* user)
{
    result* got = user;
    table_append(&got->rows, (const double[]){row->t, row->v, row->f, row->z});
}

static void on_rig_row(const br_rig_row* row, void* user)
{
    result* got = user;
    table_append(&got->rows, (const double[]){row->t, row->x, row->v, row->f, row->z});
}

static br_status run_law_motion(const scenario* s, result* got, br_reason* why)
{
    br_run_watch watch = result_watch(got);
    watch.row.rig = on_motion_row;
    watch.event = NULL;
    return br_imposed_run(s->data, &s->run, &watch, &got->cost, why);
}

static br_status run_law_rig(const scenario* s, result* got, br_reason* why)
{
    br_run_watch watch = result_watch(got);
    watch.row.rig = on_rig_row;
    return br_rig_run(s->data, &s->run, &watch, &got->cost, why);
}

const scenario_kind scenario_law_motion = {.name = "law + motion",
                                           .help = motion_help,
                                           .blocks = (const char* const[]){"law", NULL},
                                           .read = read_law_motion,
                                           .run = run_law_motion};

const scenario_kind scenario_law_rig = {.name = "law + rig",
                                        .help = rig_help,
                                        .blocks = (const char* const[]){"rig", NULL},
                                        .read = read_law_rig,
                                        .run = run_law_rig};
