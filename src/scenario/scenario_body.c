/*
 * body: a planar rigid body held and slowed by friction contacts.
 */
#include "scenario/scenario_body.h"

#include <math.h>
#include <string.h>

#include "scenario/friction.h"
#include "scenario/kind.h"
#include "scenario/mappings.h"
#include "scenario/read_profile.h"
#include "scenario/read_weight.h"

static const char help[] =
    "body: a planar rigid body, held and slowed by friction contacts\n"
    "  columns t,x,y,theta,vx,vy,w,fx,fy,tau,fn: pose and velocity of the centre of mass (CoM);\n"
    "  friction of one contact on the body, at the origin of the contact's frame, in its axes\n"
    "  summary: slipped is the way a contact moved for good, the integral of the slip rate (power lost\n"
    "  in the bristles over the force of sliding); load is the largest share of what friction can hold.\n"
    "  Pictures over time have the energy, too, where its columns are asked for; a scene has loads and\n"
    "  the friction of world contacts as arrows\n";

// --- columns --------------------------------------------------------------------------------------

static const br_column state_columns[BODY_FX] = {
    {"t", "s", NULL},    {"x", "m", NULL},    {"y", "m", NULL},    {"theta", "rad", NULL},
    {"vx", "m/s", NULL}, {"vy", "m/s", NULL}, {"w", "rad/s", NULL}};
static const br_column wrench_columns[BODY_CONTACT_COLUMNS] = {
    {"fx", "N", NULL}, {"fy", "N", NULL}, {"tau", "N m", NULL}, {"fn", "N", NULL}};
static const br_column energy_columns[] = {{"kinetic", "J", NULL},       {"stored", "J", NULL},
                                           {"dissipated", "J", NULL},    {"work_loads", "J", NULL},
                                           {"work_gravity", "J", NULL},  {"work_normal", "J", NULL},
                                           {"work_contacts", "J", NULL}, {"residual", "J", NULL}};
static const br_column cop_columns[] = {{"tau_cop", "N m", NULL}};
static const br_column story_columns[STORY_COLUMNS] = {
    {"state", "-", bri_contact_state_words}, {"slip", "m/s", NULL}, {"load", "-", NULL}};
static const br_column pusher_columns[] = {{"pusher_fx", "N", NULL}, {"pusher_fy", "N", NULL}};

enum {
    ENERGY_COLUMNS = sizeof energy_columns / sizeof *energy_columns,
    PUSHER_COLUMNS = sizeof pusher_columns / sizeof *pusher_columns
};

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

// The same columns for each of several contacts, with its number where there is more than one.
static br_column* put(br_scenario* s, br_column* to, const br_column* list, size_t count,
                      size_t contacts)
{
    for (size_t i = 0; i < contacts; i++) {
        for (size_t k = 0; k < count; k++, to++) {
            *to = list[k];
            to->name = contacts == 1 ? to->name : bri_format(&s->in, "%s%zu", to->name, i + 1);
        }
    }
    return to;
}

// t,x,...,w, then fx,fy,tau,fn or fx1,...,fn1,fx2,..., the energy, tau_cop, state,slip,load, then the
// pusher's force, which pictures look for at the end.
static void make_columns(br_scenario* s, const body_input* input)
{
    const size_t contacts = input->body.contact_count;
    const size_t of_contacts = (BODY_CONTACT_COLUMNS + 1 + STORY_COLUMNS) * contacts;
    br_column* columns = bri_scenario_allocate(
        s, BODY_FX + of_contacts + ENERGY_COLUMNS + PUSHER_COLUMNS, sizeof *columns);
    br_column* next = put(s, columns, state_columns, BODY_FX, 1);
    next = put(s, next, wrench_columns, BODY_CONTACT_COLUMNS, contacts);
    next = put(s, next, energy_columns, ENERGY_COLUMNS, input->energy);
    next = put(s, next, cop_columns, 1, input->cop ? contacts : 0);
    next = put(s, next, story_columns, STORY_COLUMNS, input->report ? contacts : 0);
    next = put(s, next, pusher_columns, PUSHER_COLUMNS, input->body.pusher != NULL);
    s->columns = columns;
    s->column_count = (size_t)(next - columns);
}

// --- reading --------------------------------------------------------------------------------------

static void read(br_scenario* s)
{
    body_input* input = bri_scenario_allocate(s, 1, sizeof *input);
    *input = bri_read_body(s->root);
    const size_t contacts = input->body.contact_count;
    s->data = input;
    s->detail = contacts == 0   ? "no contact"
                : contacts == 1 ? bri_contact_model_name(input->contacts[0].model)
                                : bri_format(&s->in, "%zu contacts", contacts);
    make_columns(s, input);
    s->run.rtol = 2e-6; // what br_body_run() takes of itself
    s->run.atol = 2e-8;
    s->run.atol_z = 2e-10;
    bri_scenario_read_run(s, NULL);
}

static void make(br_scenario* s)
{
    body_input* input = s->data;
    const size_t contacts = input->body.contact_count;
    for (size_t i = 0; i < contacts; i++) {
        const contact_input* c = &input->contacts[i];
        bri_check_not_negative(c->normal_force_from, &c->normal_force, s->run.duration);
    }
    if (s->in.problems == 0) {
        bri_make_body(s->root, input);
    }
    if (s->in.problems > 0) {
        return;
    }
    bri_check_weight(s->root, &input->body, s->run.duration);
    bri_warn_unbalanced(s->root, &input->body);
    if (s->is_case) {
        return;
    }
    for (size_t i = 0; i < contacts; i++) {
        bri_scenario_say(s, bri_friction_text(&input->contacts[i], contacts > 1 ? i + 1 : 0));
    }
    bri_scenario_say(s, bri_friction_swing_text(&s->in, &input->swing));
}

// --- running --------------------------------------------------------------------------------------

static void follow_contacts(body_story* story, const br_body_row* row, bool is_first)
{
    for (size_t i = 0; i < story->input->body.contact_count; i++) {
        contact_story* contact = &story->contacts[i];
        contact->slipped = row->slipped[i];
        contact->most_load = row->most_load[i];
        if (is_first) {
            contact->first = contact->state = row->state[i];
        }
    }
}

// What friction dissipates came from these, and has most of the error.
static double turnover_of(const br_body_energy* e)
{
    return e->kinetic + e->stored + fabs(e->work_loads) + fabs(e->work_gravity) +
           fabs(e->work_normal) + fabs(e->work_contacts);
}

static double* put_state(double* to, const br_body_row* row)
{
    const double state[BODY_FX] = {row->t,          row->pose.x,      row->pose.y,
                                   row->pose.theta, row->velocity.vx, row->velocity.vy,
                                   row->velocity.w};
    memcpy(to, state, sizeof state);
    return to + BODY_FX;
}

static double* put_contacts(double* to, const br_body_row* row, size_t contacts)
{
    for (size_t i = 0; i < contacts; i++) {
        *to++ = row->f[i].fx;
        *to++ = row->f[i].fy;
        *to++ = row->f[i].tau;
        *to++ = row->fn[i];
    }
    return to;
}

static double* put_stories(double* to, const br_body_row* row, size_t contacts)
{
    for (size_t i = 0; i < contacts; i++, to += STORY_COLUMNS) {
        to[STORY_STATE] = row->state[i];
        to[STORY_SLIP] = row->slip_rate[i];
        to[STORY_LOAD] = row->load[i];
    }
    return to;
}

// In the order of make_columns().
static void on_row(const br_body_row* row, void* user)
{
    br_table* got = user;
    body_story* story = got->data;
    const body_input* input = story->input;
    const size_t contacts = input->body.contact_count;
    follow_contacts(story, row, got->rows_given == 0);
    story->energy = row->energy;
    story->turnover = fmax(story->turnover, turnover_of(&row->energy));

    double* next = put_contacts(put_state(story->row, row), row, contacts);
    if (input->energy) {
        energy_values(&row->energy, next);
        next += ENERGY_COLUMNS;
    }
    for (size_t i = 0; input->cop && i < contacts; i++) {
        *next++ = row->tau_cop[i];
    }
    next = put_stories(next, row, input->report ? contacts : 0);
    if (input->body.pusher) {
        next[0] = row->push.x;
        next[1] = row->push.y;
    }
    bri_table_add_row(got, story->row);
}

static void warn_overhang(br_table* got, const br_run_event* event)
{
    bri_table_warn(
        got,
        "contact %zu: a part of its patch is off the body from t = %.6g s on; its pressure stays "
        "as it is until all of it has left",
        event->contact + 1, event->t);
}

static void on_event(const br_run_event* event, void* user)
{
    br_table* got = user;
    body_story* story = got->data;
    if (event->kind == BR_EVENT_OVERHANG) {
        warn_overhang(got, event);
        return;
    }
    const br_contact_state state = event->kind == BR_EVENT_STICK  ? BR_STICK
                                   : event->kind == BR_EVENT_SLIP ? BR_SLIP
                                                                  : BR_OPEN;
    bri_contact_story_switch(&story->contacts[event->contact], event->t, state,
                             event->kind == BR_EVENT_LEAVE);
    bri_table_add_event(got, event->t, event->contact + 1, bri_contact_state_words[state]);
}

// The library speaks of contacts[0] where the file may have `contact`.
static void name_as_file_does(const br_scenario* s, br_reason* why)
{
    static const char listed[] = "contacts[0]", single[] = "contact";
    const size_t longer = strlen(listed), shorter = strlen(single);
    if (bri_node_find(s->root, single) && strncmp(why->field, listed, longer) == 0) {
        memmove(why->field + shorter, why->field + longer, strlen(why->field + longer) + 1);
    }
}

static body_story* begin_story(const body_input* input, br_table* got)
{
    body_story* story = bri_pool_allocate(&got->memory, 1, sizeof *story);
    story->input = input;
    story->row = bri_pool_allocate(&got->memory, got->width, sizeof *story->row);
    story->contacts =
        bri_pool_allocate(&got->memory, input->body.contact_count, sizeof *story->contacts);
    for (size_t i = 0; i < input->body.contact_count; i++) {
        story->contacts[i].left = -1;
    }
    return story;
}

static br_status run(const br_scenario* s, br_table* got, br_reason* why)
{
    const body_input* input = s->data;
    body_story* story = begin_story(input, got);
    got->data = story;
    br_run_watch watch = bri_table_watch(got);
    watch.row.body = on_row;
    watch.event = on_event;
    br_run_def def = s->run;
    def.ends_only = got->watch.is_brief && got->noise_count == 0; // noise counts rows
    const br_status status = br_body_run(&input->body, &def, &watch, &got->cost, why);
    name_as_file_does(s, why);
    if (status == BR_OK) {
        bri_scenario_judge_energy(s, got, story->energy.residual, story->turnover);
    }
    return status;
}

// --- summing up -----------------------------------------------------------------------------------

static void sum_up_final(const br_scenario* s, br_table* got)
{
    (void)s;
    const double* last = bri_table_last(got);
    for (int i = 0; i < 3; i++) {
        bri_table_sum(got, last[BODY_X + i], "final.pose[%d]", i);
    }
    for (int i = 0; i < 3; i++) {
        bri_table_sum(got, last[BODY_VX + i], "final.velocity[%d]", i);
    }
}

static void sum_up(const br_scenario* s, br_table* got)
{
    (void)s;
    const body_story* story = got->data;
    const double* last = bri_table_last(got);
    double values[ENERGY_COLUMNS];
    energy_values(&story->energy, values);
    for (int i = 0; i < ENERGY_COLUMNS; i++) {
        bri_table_sum(got, values[i], "energy.%s", energy_columns[i].name);
    }
    bri_table_say(got, "  final pose: x %.6g m, y %.6g m, theta %.6g rad\n", last[BODY_X],
                  last[BODY_Y], last[BODY_THETA]);
    const size_t contacts = story->input->body.contact_count;
    for (size_t i = 0; i < contacts; i++) {
        bri_contact_story_sum_up(&story->contacts[i], i, last[BODY_T], got);
    }
    got->empty_list = contacts == 0 ? "contacts" : NULL;
    bri_table_say(got, "  energy: %.4g J dissipated, residual %.2g J\n", story->energy.dissipated,
                  story->energy.residual);
}

const scenario_kind bri_scenario_body = {.name = "body",
                                         .help = FOR_HELP(help),
                                         .blocks = (const char* const[]){"body", NULL},
                                         .keys = &bri_keys_body,
                                         .output = &bri_keys_output_body,
                                         .fixed_steps = true,
                                         .picture = PICTURE_TIME,
                                         .magnifies = true,
                                         .read = read,
                                         .make = make,
                                         .run = run,
                                         .sum_up_final = sum_up_final,
                                         .sum_up = sum_up};
