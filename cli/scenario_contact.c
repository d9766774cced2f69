/*
 * contact + motion: a contact patch under an imposed planar motion.
 */
#include "bristle/motion.h"
#include "contact_story.h"
#include "csv.h"
#include "friction.h"
#include "memory.h"
#include "read_contact.h"
#include "read_file.h"
#include "read_profile.h"
#include "scenario.h"

static const char* const columns[] = {"t", "vx", "vy", "w", "fx", "fy", "tau", "fn", NULL};

// The same with what `output: {contacts: true}` adds.
enum { STATE = 8, MOST_COLUMNS = 11 };
static const char* const more_columns[] = {"t",   "vx", "vy",    "w",    "fx",   "fy",
                                           "tau", "fn", "state", "slip", "load", NULL};
static const names more_words[MOST_COLUMNS] = {[STATE] = contact_state_words};

static const char help[] =
    "contact + motion: a contact patch under an imposed planar motion\n"
    "  columns t,vx,vy,w,fx,fy,tau,fn: twist and wrench at the centre of pressure (CoP)\n"
    "  model: distributed|blocks|reduced|ellipsoid|coulomb (blocks), blocks: m (5) across for blocks\n"
    "  friction: {mu}, or {as law, without kind; elasto_plastic (true)}, or mu and some of these\n"
    "                         mu: mu_s = mu_c = mu, and what else is not given by a rule:\n"
    "                         sigma2 = 0, v_s = 1 mm/s, gamma = 2, s_ba = 0.9,\n"
    "                         sigma0: mu/sigma0, the deflection at break-away, is 2 um per mm of the\n"
    "                         patch's r (a point: 1 mm), at most 50 um,\n"
    "                         sigma1 = sigma0 T: T = 1 ms here; under a body 2/omega, a damping ratio\n"
    "                         of 1, at most 5 ms, with omega the geometric mean of the slowest and the\n"
    "                         fastest swing on the bristles at the largest normal force.\n"
    "                         bristle check prints what comes out. Friction that slides follows a turn\n"
    "                         of the slip late by T: give sigma1 where bodies spin fast\n"
    "  contact: {patch: as for bristle surface, normal_force: PROFILE (1) [N], count (1),\n"
    "            surface: {method: exact|grid|published (exact), n (20)}, guard (true)}\n"
    "                         the last two for reduced; published gives the ellipsoid the r and u\n"
    "                         of W&K's code, too\n"
    "  output: {every [s], contacts (false)}   contacts adds the columns state,slip,load, see body\n"
    "  motion: {file: v.csv, hold [s]}       columns t,vx,vy,w, or\n"
    "          {vx: PROFILE [m/s], vy: PROFILE [m/s], w: PROFILE [rad/s]}\n";

static const plot_panel panels[] = {{"v [m/s]", {{1, "vx"}, {2, "vy"}}},
                                    {"w [rad/s]", {{3, "w"}}},
                                    {"f [N]", {{4, "fx"}, {5, "fy"}}},
                                    {"tau [N m]", {{6, "tau"}}}};

// t,vx,vy,w from a CSV file, or a profile each
static void read_twist(const node* map, br_motion* motion)
{
    static const char* const either[] = {"file", "hold", "vx", "vy", "w", NULL};
    static const char* const file_columns[] = {"t", "vx", "vy", "w", NULL};
    node_expect_keys(map, either);
    const node* file = node_find(map, "file");
    if (!file) {
        motion->vx = read_profile_or(map, "vx", RANGE_ANY, 0);
        motion->vy = read_profile_or(map, "vy", RANGE_ANY, 0);
        motion->w = read_profile_or(map, "w", RANGE_ANY, 0);
        return;
    }
    const double hold = read_hold(map);
    const csv data = csv_read(read_file_name(file), file_columns, 4);
    br_profile* to[] = {&motion->vx, &motion->vy, &motion->w};
    for (int i = 0; i < 3; i++) {
        *to[i] = profile_of_table(data.rows, data.columns[0], data.columns[i + 1], hold);
    }
}

// What was read.
typedef struct motion_input {
    br_motion motion;
    contact_input contact;
} motion_input;

static void read(scenario* s)
{
    static const char* const keys[] = {"model",    "blocks",     "friction", "contact", "motion",
                                       "duration", "integrator", "output",   "plot",    NULL};
    static const char* const contact_keys[] = {"patch",   "normal_force", "count",
                                               "surface", "guard",        NULL};
    static const char* const required[] = {"friction", "motion", NULL};
    node_expect_keys(s->root, keys);
    node_require_all(s->root, required,
                     node_find(s->root, "friction") ? NULL
                                                    : "; of friction mu is enough: {mu: 0.5}");
    motion_input* input = memory_allocate(1, sizeof *input);
    contact_input* contact = &input->contact;
    *contact = read_contact(node_find(s->root, "contact"), contact_keys);
    friction_in_motion(contact);
    contact_make_model(contact);
    br_motion* motion = &input->motion;
    *motion = (br_motion){.contact = contact->contact,
                          .coulomb = contact->coulomb,
                          .mu_c = contact->friction.law.mu_c,
                          .normal_force = contact->normal_force};
    read_twist(node_find(s->root, "motion"), motion);
    s->data = input;
    s->detail = contact_model_name(contact->model);
    const bool reports = scenario_output_flag(s->root, "contacts");
    s->columns = reports ? more_columns : columns;
    s->words = reports ? more_words : NULL;
    s->panels = panels;
    s->panel_count = sizeof panels / sizeof *panels;
    scenario_read_run(s, motion->vx.kind == BR_PROFILE_TABLE ? &motion->vx : NULL);
    check_not_negative(contact->normal_force_from, &motion->normal_force, s->run.duration);
}

static void on_row(const br_motion_row* row, void* user)
{
    result* got = user;
    const double values[MOST_COLUMNS] = {row->t,     row->v.vx,      row->v.vy,  row->v.w,
                                         row->f.fx,  row->f.fy,      row->f.tau, row->fn,
                                         row->state, row->slip_rate, row->load};
    table_append(&got->rows, values);
}

static br_status run(const scenario* s, result* got, br_reason* why)
{
    const motion_input* input = s->data;
    br_run_def def = s->run;
    def.atol = 0; // may stand in the file; nothing but bristles is integrated
    br_run_watch watch = result_watch(got);
    watch.row.motion = on_row;
    watch.event = NULL;
    return br_motion_run(&input->motion, &def, &watch, &got->cost, why);
}

static void add_check(const scenario* s, FILE* to)
{
    const motion_input* input = s->data;
    friction_print(&input->contact, 0, to);
}

const scenario_kind scenario_contact_motion = {.name = "contact + motion",
                                               .help = help,
                                               .blocks = (const char* const[]){"contact", NULL},
                                               .output = (const char* const[]){"contacts", NULL},
                                               .read = read,
                                               .run = run,
                                               .add_check = add_check};
