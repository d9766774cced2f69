/*
 * body: a planar rigid body held and slowed by friction contacts.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "bristle/step.h"
#include "scenario/mappings.h"
#include "scenario/read_body.h"

static const char help[] =
    "body: a planar rigid body, held and slowed by friction contacts\n"
    "  columns t,x,y,theta,vx,vy,w,fx,fy,tau,fn: pose and velocity of the centre of mass (CoM), and\n"
    "  friction of one contact on the body, at the origin of the contact's frame and in its axes.\n"
    "  With frame: body fx and fy turn with the body; output: {axes: world} gives them in the world's\n"
    "  axes. Summary: slipped is the slip distance of a contact, the integral of the slip rate (power\n"
    "  lost in the bristles over the sliding force). load is the largest share of the friction limit.\n"
    "  With friction: {field: ...} there are cop_x,cop_y, the centre of pressure, and cof_x,cof_y, the\n"
    "  centre of friction, in the contact's frame, and mu_factor, the mean factor of the field.\n"
    "  With output: {bristles: true} there are z1,z2,... [m], the deflections of all bristles.\n"
    "  Pictures over time show the energy, too, where its columns are requested. A scene shows loads\n"
    "  and the friction of world contacts as arrows\n";

// --- reading --------------------------------------------------------------------------------------

// Has a contact a field of mu, and so a centre of friction of its own?
static bool has_field(const body_input* input)
{
    size_t i = 0;
    while (i < input->body.contact_count && !input->contacts[i].friction.field.from) {
        i++;
    }
    return i < input->body.contact_count;
}

// Columns of the table, without those of the bristles: their number is known when the contacts have been created.
static unsigned sets_of(const br_scenario* s)
{
    const body_input* input = s->data;
    return BR_COLUMNS_MAIN | (s->output.energy ? BR_COLUMNS_ENERGY : 0) |
           (s->output.cop ? BR_COLUMNS_COP : 0) | (s->output.contacts ? BR_COLUMNS_SLIP : 0) |
           (input->body.pusher ? BR_COLUMNS_PUSHER : 0) |
           (has_field(input) ? BR_COLUMNS_CENTRES : 0);
}

static void read(br_scenario* s)
{
    body_input* input = bri_allocate(&s->in, 1, sizeof *input);
    *input = bri_read_body(s->root);
    const size_t contacts = input->body.contact_count;
    s->data = input;
    s->detail = contacts == 0   ? "no contact"
                : contacts == 1 ? bri_contact_models[input->contacts[0].model]
                                : bri_format(&s->in, "%zu contacts", contacts);
    TAKE_COLUMNS(s, br_body_get_columns, &input->body, sets_of(s));
    bri_scenario_read_run(s, NULL);
}

// The axes of fx and fy, where they turn.
static void write_axes(br_scenario* s)
{
    const br_body* body = &((const body_input*)s->data)->body;
    size_t on_body = 0;
    for (size_t i = 0; i < body->contact_count; i++) {
        on_body += body->contacts[i].frame == BR_FRAME_BODY;
    }
    if (on_body > 0 && !s->output.in_world) {
        bri_write(
            &s->text,
            "  fx and fy of contacts with frame: body turn with the body; output: {axes: world} "
            "gives them in the world's axes\n");
    }
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
    if (s->output.bristles) {
        TAKE_COLUMNS(s, br_body_get_columns, &input->body, sets_of(s) | BR_COLUMNS_BRISTLES);
    }
    bri_check_weight(s->root, &input->body, s->run.duration);
    bri_warn_unbalanced(s->root, &input->body);
    if (s->is_case) {
        return;
    }
    bri_warn_implausible(s->root, input, s->run.duration, s->run.every);
    bri_friction_write(&s->text, input->contacts, contacts);
    bri_write(&s->text, "%s", bri_friction_modes_text(&s->in, &input->modes));
    write_axes(s);
}

static void get_model(const br_scenario* s, br_scenario_model* to)
{
    to->body = &((const body_input*)s->data)->body;
    to->outline = to->body->outline;
    to->in_world = s->output.in_world;
}

// --- running --------------------------------------------------------------------------------------

enum { CONTACT_STATES = 3 };

// The history of a contact.
typedef struct contact_stats {
    br_slip_state state;          // now
    double since;                 // start of that [s]
    double spent[CONTACT_STATES]; // time in each state, up to `since` [s]
    double left;                  // when its patch left the body [s], < 0: it did not
} contact_stats;

// Energies and works that a run turns over. Friction takes its dissipation from these, and the dissipation has most of
// the error.
static const char* const turned_over[] = {"kinetic",      "stored",      "work_loads",
                                          "work_gravity", "work_normal", "work_contacts"};
enum { TURNED_OVER = sizeof turned_over / sizeof *turned_over };

// Results of a run besides its table: `data` of the table.
typedef struct body_stats {
    const br_body* body;
    br_column* columns; // of the rows of the run, all (count)
    size_t count;
    double* last;                 // its last row (count)
    size_t energies[TURNED_OVER]; // positions of what it turns over
    double turnover;              // largest sum of them in a row [J]
    contact_stats* contacts;      // (body->contact_count)
} body_stats;

// The last number of a column of a contact, from 0.
static double last_of(const body_stats* stats, const char* name, size_t contact)
{
    return stats->last[br_column_find_numbered(stats->columns, stats->count, name, contact + 1)];
}

static void on_row(const double* row, void* user)
{
    br_table* got = user;
    body_stats* stats = got->data;
    memcpy(stats->last, row, stats->count * sizeof *row);
    for (size_t i = 0; got->rows_given == 0 && i < stats->body->contact_count; i++) {
        stats->contacts[i].state = (br_slip_state)last_of(stats, "state", i);
    }
    double turnover = 0;
    for (int i = 0; i < TURNED_OVER; i++) {
        turnover += fabs(row[stats->energies[i]]);
    }
    stats->turnover = fmax(stats->turnover, turnover);
    bri_table_add_row(row, got);
}

static void on_event(const br_run_event* event, void* user)
{
    br_table* got = user;
    contact_stats* contact = &((body_stats*)got->data)->contacts[event->contact];
    if (event->kind == BR_EVENT_OVERHANG) {
        bri_table_warn(got,
                       "contact %zu: a part of its patch is off the body from t = %.6g s on; its "
                       "pressure stays as it is until all of it has left",
                       event->contact + 1, event->t);
        return;
    }
    contact->spent[contact->state] += event->t - contact->since;
    contact->since = event->t;
    contact->state = event->kind == BR_EVENT_STICK  ? BR_STATE_STICK
                     : event->kind == BR_EVENT_SLIP ? BR_STATE_SLIP
                                                    : BR_STATE_OPEN;
    contact->left = event->kind == BR_EVENT_LEAVE ? event->t : contact->left;
    const bool is_open = contact->state == BR_STATE_OPEN;
    bri_table_add_event(got, event->t, event->contact + 1,
                        br_event_get_name(is_open ? BR_EVENT_OPEN : event->kind));
}

// The library reports contacts[0] where the file may have `contact`.
static void name_as_file_does(const br_scenario* s, br_reason* why)
{
    static const char listed[] = "contacts[0]", single[] = "contact";
    const size_t longer = strlen(listed), shorter = strlen(single);
    if (bri_node_find(s->root, single) && strncmp(why->field, listed, longer) == 0) {
        memmove(why->field + shorter, why->field + longer, strlen(why->field + longer) + 1);
    }
}

// Summaries need all columns, whichever the table has.
static body_stats* create_stats(const br_body* body, br_table* got)
{
    body_stats* stats = bri_pool_allocate(&got->memory, 1, sizeof *stats);
    stats->body = body;
    stats->count = br_body_get_columns(body, BR_COLUMNS_ALL, NULL);
    stats->columns = bri_pool_allocate(&got->memory, stats->count, sizeof *stats->columns);
    br_body_get_columns(body, BR_COLUMNS_ALL, stats->columns);
    stats->last = bri_pool_allocate(&got->memory, stats->count, sizeof *stats->last);
    for (int i = 0; i < TURNED_OVER; i++) {
        stats->energies[i] = br_column_find(stats->columns, stats->count, turned_over[i]);
    }
    stats->contacts = bri_pool_allocate(&got->memory, body->contact_count, sizeof *stats->contacts);
    for (size_t i = 0; i < body->contact_count; i++) {
        stats->contacts[i].left = -1;
    }
    return stats;
}

static double last_value(const body_stats* stats, const char* name)
{
    return stats->last[br_column_find(stats->columns, stats->count, name)];
}

static br_status run(const br_scenario* s, br_table* got, br_reason* why)
{
    const body_input* input = s->data;
    body_stats* stats = create_stats(&input->body, got);
    got->data = stats;
    br_run_watch watch = bri_table_watch(got);
    watch.row = on_row;
    watch.event = on_event;
    br_run_def def = s->run;
    def.columns = BR_COLUMNS_ALL | (s->output.in_world ? BR_COLUMNS_WORLD : 0) |
                  (s->output.bristles ? BR_COLUMNS_BRISTLES : 0);
    def.ends_only = got->watch.is_brief && got->noise_count == 0; // noise counts rows
    const br_status status = br_body_run(&input->body, &def, &watch, &got->cost, why);
    name_as_file_does(s, why);
    if (status == BR_OK) {
        bri_scenario_judge_energy(s, got, last_value(stats, "residual"), stats->turnover);
    }
    return status;
}

// --- summing up -----------------------------------------------------------------------------------

static void sum_up_vector(br_table* got, const char* name, names columns)
{
    for (int i = 0; columns[i]; i++) {
        bri_table_sum(got, bri_table_last_of(got, columns[i]), "final.%s[%d]", name, i);
    }
}

static void sum_up_energy(const body_stats* stats, br_table* got)
{
    const size_t count = br_body_get_columns(stats->body, BR_COLUMNS_ENERGY, NULL);
    br_column* energies = bri_pool_allocate(&got->memory, count, sizeof *energies);
    br_body_get_columns(stats->body, BR_COLUMNS_ENERGY, energies);
    for (size_t i = 0; i < count; i++) {
        bri_table_sum(got, last_value(stats, energies[i].name), "energy.%s", energies[i].name);
    }
}

// Time in a state until `end` [s]; a run that was stopped may have an event after it.
static double time_in(const contact_stats* from, br_slip_state state, double end)
{
    return from->spent[state] + (from->state == state ? fmax(0, end - from->since) : 0);
}

// Contact `index` of a run that ended at `end` [s].
static void sum_up_contact(const body_stats* stats, size_t index, double end, br_table* to)
{
    const contact_stats* from = &stats->contacts[index];
    const double slipped = last_of(stats, "slipped", index);
    const double load = last_of(stats, "most_load", index);
    const double sticks = time_in(from, BR_STATE_STICK, end);
    const double stuck =
        sticks > DBL_EPSILON * end ? sticks : 0.0; // below: rounding of the first event
    const double open = time_in(from, BR_STATE_OPEN, end);
    bri_table_sum(to, slipped, "contacts[%zu].slipped", index);
    bri_table_sum(to, stuck, "contacts[%zu].stuck", index);
    bri_table_sum(to, open, "contacts[%zu].open", index);
    bri_table_sum(to, load, "contacts[%zu].load", index);
    bri_table_print(to, "  contact %zu: slipped %.4g m, stuck for %.4g s of %.4g s", index + 1,
                    slipped, stuck, end);
    if (open > 0) {
        bri_table_print(to, ", open for %.4g s", open);
    }
    bri_table_print(to, ", load up to %.3g\n", load);
    if (from->left >= 0) {
        bri_table_sum(to, from->left, "contacts[%zu].left", index);
        bri_table_print(to,
                        "  contact %zu: left the body at t = %.6g s and is open from there on\n",
                        index + 1, from->left);
    }
}

static void sum_up(const br_scenario* s, br_table* got)
{
    (void)s;
    const body_stats* stats = got->data;
    sum_up_vector(got, "pose", (const char* const[]){"x", "y", "theta", NULL});
    sum_up_vector(got, "velocity", (const char* const[]){"vx", "vy", "w", NULL});
    sum_up_energy(stats, got);
    bri_table_print(got, "  final pose: x %.6g m, y %.6g m, theta %.6g rad\n",
                    bri_table_last_of(got, "x"), bri_table_last_of(got, "y"),
                    bri_table_last_of(got, "theta"));
    for (size_t i = 0; i < stats->body->contact_count; i++) {
        sum_up_contact(stats, i, bri_table_last_of(got, "t"), got);
    }
    bri_table_print(got, "  energy: %.4g J dissipated, residual %.2g J\n",
                    last_value(stats, "dissipated"), last_value(stats, "residual"));
}

const scenario_kind bri_scenario_body = {.name = "body",
                                         .help = FOR_HELP(help),
                                         .blocks = (const char* const[]){"body", NULL},
                                         .keys = &bri_keys_body,
                                         .picture = BR_PICTURE_TIME,
                                         .rtol = BR_BODY_RTOL,
                                         .atol = BR_BODY_ATOL,
                                         .atol_z = BR_BODY_ATOL_Z,
                                         .read = read,
                                         .make = make,
                                         .run = run,
                                         .get_model = get_model,
                                         .sum_up = sum_up};
