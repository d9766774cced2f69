/*
 * body: a planar rigid body held and slowed by friction contacts.
 */
#include "scenario_body.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact_story.h"
#include "friction.h"
#include "memory.h"
#include "message.h"
#include "plot_body.h"
#include "read_profile.h"
#include "read_weight.h"

static const char help[] =
    "body: a planar rigid body, held and slowed by friction contacts\n"
    "  columns t,x,y,theta,vx,vy,w,fx,fy,tau,fn: pose and velocity of the centre of mass (CoM);\n"
    "  friction of one contact on the body, at the origin of the contact's frame, in its axes\n"
    "  body: {mass [kg], size: [a, b] [m] | radius [m] | inertia [kg m^2], pose: [x, y, theta] (0),\n"
    "         velocity: [vx, vy, w] (0), outline: [[x, y], ...]}\n"
    "                         size: a rectangle's, radius: a disc's, of even thickness\n"
    "                         a finger (frame: world) whose patch leaves the body's size, radius or outline\n"
    "                         opens for good; with inertia alone it reaches everywhere\n"
    "  body.start: steady|settled|relaxed   where the bristles begin: as steady sliding has them (the default\n"
    "                         for a body that moves over a contact faster than v_s), as they hold gravity\n"
    "                         and the first loads where they can (else the default), or at 0\n"
    "  gravity: [x, y] (0) [m/s^2]   in the plane of motion, each a number or a PROFILE\n"
    "  contact: {frame: world|body (world), and as in contact + motion}\n"
    "                         world: a finger, its patch starts at the world's origin and does not\n"
    "                         turn; body: an object on a table, its patch starts at the CoM\n"
    "  contact.normal_force: PROFILE [N], or weight, which is the default for frame: body: the body's\n"
    "                         mass times sqrt(9.81^2 - |gravity|^2), the part of gravity that is not in\n"
    "                         the plane (9.81 on a level table, 9.81 cos(slope) on a slope), divided\n"
    "                         evenly among all contacts that bear weight, counted by count\n"
    "  contact.position: [PROFILE, PROFILE] (0) [m], angle: PROFILE (0) [rad]   where what the body touches is\n"
    "                         over time: the finger (frame: world), which takes its patch along; or the table\n"
    "                         or belt (frame: body), whose velocity counts. No steps, no hold, no fixed steps\n"
    "  contacts: [{...}, ...] instead gives several (columns fx1,fy1,tau1,fn1,fx2,...); each may have\n"
    "                         model, blocks and friction of its own\n"
    "  model, blocks, friction: as in contact + motion, without coulomb\n"
    "  loads: [{fx, fy, tau: PROFILE (0) [N, N m], axes: world|body (world), at: [x, y] (0) [m],\n"
    "           frame: body|world (body)}, ...]   axes: of fx and fy; at: where it acts, from the CoM or\n"
    "                         the origin\n"
    "  pusher: {position: [PROFILE, PROFILE] [m], radius (0.005) [m], mu (0.3), stiffness (1e5) [N/m],\n"
    "           damping [N s/m]}   a round tip that moves as it is told and pushes the body's size, radius or\n"
    "                         outline; damped critically for the body's mass by default. Columns\n"
    "                         pusher_fx,pusher_fy: its force on the body, world axes. No fixed steps\n"
    "  integrator: as above, or {kind: fixed, step [s]}; while the body slides, columns of friction take\n"
    "                         sigma1 sigma0 v/g times the error of the bristles: lower atol_z for these\n"
    "  output: {every [s], energy (false), cop (false), contacts (false)}   more columns, in this order:\n"
    "                         kinetic,stored,dissipated,work_loads,work_gravity,work_normal,\n"
    "                         work_contacts,residual [J]; tau_cop: tau at the patch's CoP; state,slip,load\n"
    "                         (state1,slip1,load1,state2,...): stick|slip|open, slip rate [m/s], and\n"
    "                         the share of what friction can hold, 0 to 1\n"
    "  summary: slipped is the way a contact moved for good, the integral of the slip rate (power lost\n"
    "                         in the bristles over the force of sliding); load is the largest share\n"
    "  plot: {kind (time), instants (6), ...}     time has the energy, too, where its columns are asked\n"
    "                         for; a scene has loads and the friction of world contacts as arrows\n";

static const char* const energy_columns[] = {"kinetic",       "stored",       "dissipated",
                                             "work_loads",    "work_gravity", "work_normal",
                                             "work_contacts", "residual"};

enum {
    ENERGY_COLUMNS = sizeof energy_columns / sizeof *energy_columns,
    ENERGY_PANELS = 3,
    REPORT_PANELS = 2,
    PUSHER_COLUMNS = 2
};

// Contacts that pictures over time show, and the panels above theirs.
enum { MOST_DRAWN = PLOT_CURVES, MOTION = 4 };

static void energy_values(const br_body_energy* energy, double values[ENERGY_COLUMNS])
{
    values[0] = energy->kinetic;
    values[1] = energy->stored;
    values[2] = energy->dissipated;
    values[3] = energy->work_loads;
    values[4] = energy->work_gravity;
    values[5] = energy->work_normal;
    values[6] = energy->work_contacts;
    values[7] = energy->residual;
}

// A column of a contact; with a number where there are several.
static const char* numbered(const char* name, size_t contact, size_t contacts)
{
    return contacts == 1 ? name : memory_format("%s%zu", name, contact + 1);
}

// t,x,...,w, then fx,fy,tau,fn or fx1,...,fn1,fx2,..., the energy, tau_cop,
// state,slip,load, then the pusher's force, which pictures look for at the end.
static names make_columns(const body_input* input)
{
    static const char* const state[] = {"t", "x", "y", "theta", "vx", "vy", "w"};
    static const char* const wrench[BODY_CONTACT_COLUMNS] = {"fx", "fy", "tau", "fn"};
    const size_t contacts = input->body.contact_count;
    const size_t of_contacts = (BODY_CONTACT_COLUMNS + 1 + STORY_COLUMNS) * contacts;
    const char** columns = memory_allocate(
        BODY_FX + of_contacts + ENERGY_COLUMNS + PUSHER_COLUMNS + 1, sizeof *columns);
    const char** next = columns;
    for (size_t i = 0; i < BODY_FX; i++) {
        *next++ = state[i];
    }
    for (size_t i = 0; i < BODY_CONTACT_COLUMNS * contacts; i++) {
        *next++ = numbered(wrench[i % BODY_CONTACT_COLUMNS], i / BODY_CONTACT_COLUMNS, contacts);
    }
    for (size_t i = 0; input->energy && i < ENERGY_COLUMNS; i++) {
        *next++ = energy_columns[i];
    }
    for (size_t i = 0; input->cop && i < contacts; i++) {
        *next++ = numbered("tau_cop", i, contacts);
    }
    for (size_t i = 0; input->report && i < STORY_COLUMNS * contacts; i++) {
        *next++ = numbered(contact_columns[i % STORY_COLUMNS], i / STORY_COLUMNS, contacts);
    }
    if (input->body.pusher) {
        *next++ = "pusher_fx";
        *next++ = "pusher_fy";
    }
    return columns;
}

// The first column of the energy, of the torques at the CoP, and of the states of the contacts.
static size_t energy_column(const body_input* input)
{
    return BODY_FX + BODY_CONTACT_COLUMNS * input->body.contact_count;
}

static size_t cop_column(const body_input* input)
{
    return energy_column(input) + (input->energy ? ENERGY_COLUMNS : 0);
}

static size_t report_column(const body_input* input)
{
    return cop_column(input) + (input->cop ? input->body.contact_count : 0);
}

static const names* make_words(const body_input* input)
{
    const size_t contacts = input->report ? input->body.contact_count : 0;
    const size_t first = report_column(input);
    names* words =
        memory_allocate(first + STORY_COLUMNS * contacts + PUSHER_COLUMNS, sizeof *words);
    for (size_t i = 0; i < contacts; i++) {
        words[first + STORY_COLUMNS * i + STORY_STATE] = contact_state_words;
    }
    return words;
}

// A curve of a contact, named as its column.
static plot_curve curve_of(const scenario* s, size_t contact, size_t which)
{
    const size_t column = BODY_FX + BODY_CONTACT_COLUMNS * contact + which;
    return (plot_curve){column, s->columns[column]};
}

// Energies, works, and what is missing, which is smaller by far.
static void add_energy_panels(plot_panel* to, size_t first)
{
    to[0] = (plot_panel){"energy [J]",
                         {{first, energy_columns[0]},
                          {first + 1, energy_columns[1]},
                          {first + 2, energy_columns[2]}}};
    to[1] = (plot_panel){"work [J]", // names without "work_": all four stand in a row
                         {{first + 3, "loads"},
                          {first + 4, "gravity"},
                          {first + 5, "normal"},
                          {first + 6, "contacts"}}};
    to[2] = (plot_panel){"energy [J]", {{first + 7, energy_columns[7]}}};
}

// Slip rates and loads of the contacts.
static void add_report_panels(const scenario* s, plot_panel* to, size_t first, size_t contacts)
{
    to[0].label = "slip [m/s]";
    to[1].label = "load [-]";
    for (size_t i = 0; i < contacts; i++) {
        const size_t slip = first + STORY_COLUMNS * i + STORY_SLIP, load = slip + 1;
        to[0].curves[i] = (plot_curve){slip, s->columns[slip]};
        to[1].curves[i] = (plot_curve){load, s->columns[load]};
    }
}

// Pose and velocity, then a panel with the force of each contact, then all torques, all forces, then
// the energy, slip and load where their columns are asked for.
static void make_panels(scenario* s, const body_input* input)
{
    static const plot_panel motion[MOTION] = {{"position [m]", {{BODY_X, "x"}, {BODY_Y, "y"}}},
                                              {"angle [rad]", {{BODY_THETA, "theta"}}},
                                              {"v [m/s]", {{BODY_VX, "vx"}, {BODY_VY, "vy"}}},
                                              {"spin [rad/s]", {{BODY_W, "w"}}}};
    const size_t contacts = input->body.contact_count;
    const size_t drawn = contacts < MOST_DRAWN ? contacts : MOST_DRAWN;
    plot_panel* panels =
        memory_allocate(MOTION + drawn + 2 + ENERGY_PANELS + REPORT_PANELS, sizeof *panels);
    memcpy(panels, motion, sizeof motion);
    s->panels = panels;
    s->panel_count = drawn ? MOTION + drawn + 2 : MOTION;

    plot_panel* torques = &panels[MOTION + drawn];
    plot_panel* normals = torques + 1;
    torques->label = "torque [N m]";
    normals->label = "normal [N]";
    for (size_t i = 0; i < drawn; i++) {
        plot_panel* forces = &panels[MOTION + i];
        forces->label = "force [N]";
        forces->curves[0] = curve_of(s, i, 0);
        forces->curves[1] = curve_of(s, i, 1);
        torques->curves[i] = curve_of(s, i, 2);
        normals->curves[i] = curve_of(s, i, 3);
    }
    if (input->energy) {
        add_energy_panels(panels + s->panel_count, energy_column(input));
        s->panel_count += ENERGY_PANELS;
    }
    if (input->report && drawn) {
        add_report_panels(s, panels + s->panel_count, report_column(input), drawn);
        s->panel_count += REPORT_PANELS;
    }
}

static void read(scenario* s)
{
    body_input* input = memory_allocate(1, sizeof *input);
    *input = read_body(s->root);
    const size_t contacts = input->body.contact_count;
    s->data = input;
    s->detail = contacts == 0   ? "no contact"
                : contacts == 1 ? contact_model_name(input->contacts[0].model)
                                : memory_format("%zu contacts", contacts);
    s->columns = make_columns(input);
    s->words = make_words(input);
    make_panels(s, input);
    scenario_read_run(s, NULL);
    for (size_t i = 0; i < contacts; i++) {
        const contact_input* c = &input->contacts[i];
        check_not_negative(c->normal_force_from, &c->normal_force, s->run.duration);
    }
    check_weight(s->root, &input->body, s->run.duration);
    warn_unbalanced(s->root, &input->body);
}

// What a run tells besides its rows.
typedef struct body_story {
    const body_input* input;
    result* got;
    br_body_energy energy;
    double turnover; // largest sum of energies and works of a row, without friction [J]
    contact_story* contacts;
} body_story;

static void follow_contacts(body_story* story, const br_body_row* row)
{
    const bool is_first = story->got->rows.rows == 0;
    for (size_t i = 0; i < story->input->body.contact_count; i++) {
        contact_story* contact = &story->contacts[i];
        contact->slipped = row->slipped[i];
        contact->most_load = row->most_load[i];
        if (is_first) {
            contact->first = contact->state = row->state[i];
        }
    }
}

static void report_values(const br_body_row* row, size_t contacts, double* to)
{
    for (size_t i = 0; i < contacts; i++, to += STORY_COLUMNS) {
        to[STORY_STATE] = row->state[i];
        to[STORY_SLIP] = row->slip_rate[i];
        to[STORY_LOAD] = row->load[i];
    }
}

// What friction dissipates came from these, and has most of the error.
static double turnover_of(const br_body_energy* e)
{
    return e->kinetic + e->stored + fabs(e->work_loads) + fabs(e->work_gravity) +
           fabs(e->work_normal) + fabs(e->work_contacts);
}

static void on_row(const br_body_row* row, void* user)
{
    body_story* story = ((result*)user)->data;
    table* rows = &story->got->rows;
    const size_t contacts = story->input->body.contact_count;
    follow_contacts(story, row);
    story->energy = row->energy;
    story->turnover = fmax(story->turnover, turnover_of(&row->energy));

    double* values = memory_allocate(rows->width, sizeof *values);
    const double state[BODY_FX] = {row->t,          row->pose.x,      row->pose.y,
                                   row->pose.theta, row->velocity.vx, row->velocity.vy,
                                   row->velocity.w};
    memcpy(values, state, sizeof state);
    for (size_t i = 0; i < contacts; i++) {
        double* to = values + BODY_FX + BODY_CONTACT_COLUMNS * i;
        to[0] = row->f[i].fx;
        to[1] = row->f[i].fy;
        to[2] = row->f[i].tau;
        to[3] = row->fn[i];
    }
    if (story->input->energy) {
        energy_values(&row->energy, values + energy_column(story->input));
    }
    if (story->input->cop) {
        memcpy(values + cop_column(story->input), row->tau_cop, contacts * sizeof *values);
    }
    if (story->input->report) {
        report_values(row, contacts, values + report_column(story->input));
    }
    if (story->input->body.pusher) {
        values[rows->width - PUSHER_COLUMNS] = row->push.x;
        values[rows->width - PUSHER_COLUMNS + 1] = row->push.y;
    }
    table_append(rows, values);
    memory_release(values);
}

static void warn_overhang(const br_run_event* event)
{
    message_warn(
        "contact %zu: a part of its patch is off the body from t = %.6g s on; its pressure stays "
        "as it is until all of it has left",
        event->contact + 1, event->t);
}

static void on_event(const br_run_event* event, void* user)
{
    body_story* story = ((result*)user)->data;
    if (event->kind == BR_EVENT_OVERHANG) {
        warn_overhang(event);
        return;
    }
    const br_contact_state state = event->kind == BR_EVENT_STICK  ? BR_STICK
                                   : event->kind == BR_EVENT_SLIP ? BR_SLIP
                                                                  : BR_OPEN;
    contact_story_switch(&story->contacts[event->contact], event->t, state,
                         event->kind == BR_EVENT_LEAVE);
    result_add_event(story->got,
                     (result_event){event->t, event->contact + 1, contact_state_words[state]});
}

// The library speaks of contacts[0] where the file may have `contact`.
static void name_as_file_does(const scenario* s, br_reason* why)
{
    static const char listed[] = "contacts[0]", single[] = "contact";
    const size_t longer = strlen(listed), shorter = strlen(single);
    if (node_find(s->root, single) && strncmp(why->field, listed, longer) == 0) {
        memmove(why->field + shorter, why->field + longer, strlen(why->field + longer) + 1);
    }
}

static br_status run(const scenario* s, result* got, br_reason* why)
{
    const body_input* input = s->data;
    body_story* story = memory_allocate(1, sizeof *story);
    story->input = input;
    story->got = got;
    story->contacts = memory_allocate(input->body.contact_count, sizeof *story->contacts);
    for (size_t i = 0; i < input->body.contact_count; i++) {
        story->contacts[i].left = -1;
    }
    got->data = story;
    br_run_watch watch = result_watch(got);
    watch.row.body = on_row;
    watch.event = on_event;
    const br_status status = br_body_run(&input->body, &s->run, &watch, &got->cost, why);
    name_as_file_does(s, why);
    if (status == BR_OK) {
        scenario_judge_energy(s, story->energy.residual, story->turnover);
    }
    return status;
}

static double last_t(const result* got)
{
    return table_row(&got->rows, got->rows.rows - 1)[BODY_T];
}

static const br_law* law_of(const br_body_contact* c)
{
    return &br_contact_get_def(c->contact)->law;
}

// The panel of each contact's force shows when it slips, and the limit of the force.
static const plot_decoration* decorate(const scenario* s, const result* got)
{
    const body_input* input = s->data;
    const body_story* story = got->data;
    plot_decoration* out = memory_allocate(s->panel_count, sizeof *out);
    for (size_t i = 0; i < input->body.contact_count && i < MOST_DRAWN; i++) {
        const br_law* law = law_of(&input->body.contacts[i]);
        plot_decoration* d = &out[MOTION + i];
        *d = contact_story_bands(&story->contacts[i], i + 1, got, last_t(got));
        d->limit_column = curve_of(s, i, 3).column;
        d->limit_factor = law->mu_s;
        d->limit_title = law->mu_s > law->mu_c ? "mu_s fn" : "mu fn";
    }
    return out;
}

static void draw(const scenario* s, const result* got, output* to)
{
    if (s->picture.kind == PICTURE_TIME) {
        scenario_draw_panels(s, got, decorate(s, got), to);
    } else {
        plot_body_draw(s, got, to);
    }
}

static void add_check(const scenario* s, FILE* to)
{
    const body_input* input = s->data;
    const size_t contacts = input->body.contact_count;
    for (size_t i = 0; i < contacts; i++) {
        friction_print(&input->contacts[i], contacts > 1 ? i + 1 : 0, to);
    }
    friction_print_swing(&input->swing, to);
}

static void add_three(json* out, const char* key, const double* values)
{
    json_begin(out, key, '[');
    for (int i = 0; i < 3; i++) {
        json_number(out, NULL, values[i]);
    }
    json_end(out, ']');
}

static void add_final(const scenario* s, const result* got, json* out)
{
    (void)s;
    const double* last = table_row(&got->rows, got->rows.rows - 1);
    add_three(out, "pose", last + BODY_X);
    add_three(out, "velocity", last + BODY_VX);
}

static void add_json(const scenario* s, const result* got, json* out)
{
    const body_story* story = got->data;
    const body_input* input = s->data;
    double values[ENERGY_COLUMNS];
    energy_values(&story->energy, values);
    json_begin(out, "energy", '{');
    for (int i = 0; i < ENERGY_COLUMNS; i++) {
        json_number(out, energy_columns[i], values[i]);
    }
    json_end(out, '}');
    json_begin(out, "contacts", '[');
    for (size_t i = 0; i < input->body.contact_count; i++) {
        contact_story_json(&story->contacts[i], last_t(got), out);
    }
    json_end(out, ']');
}

static void add_text(const scenario* s, const result* got, FILE* to)
{
    const body_story* story = got->data;
    const body_input* input = s->data;
    const double* last = table_row(&got->rows, got->rows.rows - 1);
    fprintf(to, "  final pose: x %.6g m, y %.6g m, theta %.6g rad\n", last[BODY_X], last[BODY_Y],
            last[BODY_THETA]);
    for (size_t i = 0; i < input->body.contact_count; i++) {
        contact_story_text(&story->contacts[i], i + 1, last[BODY_T], to);
    }
    fprintf(to, "  energy: %.4g J dissipated, residual %.2g J\n", story->energy.dissipated,
            story->energy.residual);
}

const scenario_kind scenario_body = {.name = "body",
                                     .help = help,
                                     .blocks = (const char* const[]){"body", NULL},
                                     .output =
                                         (const char* const[]){"energy", "cop", "contacts", NULL},
                                     .fixed_steps = true,
                                     .picture = PICTURE_TIME,
                                     .magnifies = true,
                                     .read = read,
                                     .run = run,
                                     .draw = draw,
                                     .animate = plot_body_animate,
                                     .add_final = add_final,
                                     .add_json = add_json,
                                     .add_text = add_text,
                                     .add_check = add_check};
