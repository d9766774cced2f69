/*
 * Scenarios over time: which columns are in which panel.
 */
#include "panels.h"

#include <math.h>
#include <string.h>

#include "memory.h"
#include "text.h"

// A panel whose curves are columns by name; no title: the name is the title.
typedef struct named_panel {
    const char* label;
    const char *columns[PLOT_CURVES], *titles[PLOT_CURVES];
} named_panel;

static plot_curve curve_of(const scenario* s, const char* name, const char* title)
{
    return (plot_curve){scenario_column(s, name), title ? title : name};
}

static void add_panels(const scenario* s, const named_panel* list, size_t count, plot_panel* to)
{
    for (size_t i = 0; i < count; i++) {
        to[i].label = list[i].label;
        for (int k = 0; k < PLOT_CURVES && list[i].columns[k]; k++) {
            to[i].curves[k] = curve_of(s, list[i].columns[k], list[i].titles[k]);
        }
    }
}

static void set_panels(scenario* s, const named_panel* list, size_t count)
{
    plot_panel* panels = memory_allocate(count, sizeof *panels);
    add_panels(s, list, count, panels);
    s->panels = panels;
    s->panel_count = count;
}

#define SET_PANELS(s, list) set_panels(s, list, sizeof(list) / sizeof *(list))

// --- laws and contacts under an imposed motion ----------------------------------------------------

void panels_of_law_motion(scenario* s)
{
    static const named_panel panels[] = {{"v [m/s]", {"v"}, {"velocity"}},
                                         {"f [N]", {"f"}, {"friction"}}};
    SET_PANELS(s, panels);
}

void panels_of_law_rig(scenario* s)
{
    static const named_panel panels[] = {{"x [m]", {"x"}, {"position"}},
                                         {"v [m/s]", {"v"}, {"velocity"}},
                                         {"f [N]", {"f"}, {"friction"}}};
    SET_PANELS(s, panels);
}

void panels_of_contact(scenario* s)
{
    static const named_panel panels[] = {{"v [m/s]", {"vx", "vy"}, {NULL}},
                                         {"w [rad/s]", {"w"}, {NULL}},
                                         {"f [N]", {"fx", "fy"}, {NULL}},
                                         {"tau [N m]", {"tau"}, {NULL}}};
    SET_PANELS(s, panels);
}

// --- bodies ---------------------------------------------------------------------------------------

// Number of contacts shown over time, and of panels above theirs.
enum { MOST_DRAWN = PLOT_CURVES, MOTION = 4, ENERGY_PANELS = 3, REPORT_PANELS = 2 };

// A curve of a contact, from 0, named as its column.
static plot_curve contact_curve(const scenario* s, size_t contact, const char* name)
{
    const size_t column = scenario_column_of(s, name, contact + 1);
    return (plot_curve){column, s->columns[column].name};
}

static bool has_column(const scenario* s, const char* name)
{
    return scenario_column(s, name) < s->column_count;
}

// Slip rates and loads of the contacts.
static void add_report_panels(const scenario* s, plot_panel* to, size_t drawn)
{
    to[0].label = "slip [m/s]";
    to[1].label = "load [-]";
    for (size_t i = 0; i < drawn; i++) {
        to[0].curves[i] = contact_curve(s, i, "slip");
        to[1].curves[i] = contact_curve(s, i, "load");
    }
}

// A panel with the force of each contact, then all torques, all normal forces.
static void add_contact_panels(const scenario* s, plot_panel* to, size_t drawn)
{
    plot_panel* torques = &to[drawn];
    plot_panel* normals = torques + 1;
    torques->label = "torque [N m]";
    normals->label = "normal [N]";
    for (size_t i = 0; i < drawn; i++) {
        to[i] = (plot_panel){"force [N]", {contact_curve(s, i, "fx"), contact_curve(s, i, "fy")}};
        torques->curves[i] = contact_curve(s, i, "tau");
        normals->curves[i] = contact_curve(s, i, "fn");
    }
}

// Order of importance if not all panels are shown: pose and forces, requested columns, then the rest.
enum { RANK_POSE, RANK_REQUESTED, RANK_VELOCITY, RANK_REST };

static void add_rank(scenario* s, int* ranks, size_t count, int rank)
{
    for (size_t i = 0; i < count; i++) {
        ranks[s->panel_count++] = rank;
    }
}

// Pose and velocity, the contacts, then the energy, slip and load if their columns are requested.
void panels_of_body(scenario* s)
{
    static const named_panel motion[MOTION] = {{"position [m]", {"x", "y"}, {NULL}},
                                               {"angle [rad]", {"theta"}, {NULL}},
                                               {"v [m/s]", {"vx", "vy"}, {NULL}},
                                               {"spin [rad/s]", {"w"}, {NULL}}};
    // energies, works, and the much smaller residual
    static const named_panel energy[ENERGY_PANELS] = {
        {"energy [J]", {"kinetic", "stored", "dissipated"}, {NULL}},
        {"work [J]", // titles without "work_", so that all four fit in a row
         {"work_loads", "work_gravity", "work_normal", "work_contacts"},
         {"loads", "gravity", "normal", "contacts"}},
        {"residual [J]", {"residual"}, {NULL}}};
    const size_t contacts = s->model.body->contact_count;
    const size_t drawn = contacts < MOST_DRAWN ? contacts : MOST_DRAWN;
    const size_t max_count = MOTION + drawn + 2 + ENERGY_PANELS + REPORT_PANELS;
    plot_panel* panels = memory_allocate(max_count, sizeof *panels);
    int* ranks = memory_allocate(max_count, sizeof *ranks);
    add_panels(s, motion, MOTION, panels);
    s->panels = panels;
    s->panel_ranks = ranks;
    add_rank(s, ranks, 2, RANK_POSE);
    add_rank(s, ranks, 2, RANK_VELOCITY);
    if (drawn) {
        add_contact_panels(s, panels + MOTION, drawn);
        add_rank(s, ranks, drawn, RANK_POSE);
        add_rank(s, ranks, 1, RANK_VELOCITY);
        add_rank(s, ranks, 1, RANK_REST);
    }
    if (has_column(s, "kinetic")) {
        add_panels(s, energy, ENERGY_PANELS, panels + s->panel_count);
        add_rank(s, ranks, 1, RANK_REQUESTED);
        add_rank(s, ranks, ENERGY_PANELS - 1, RANK_REST);
    }
    if (has_column(s, contacts > 1 ? "state1" : "state")) {
        add_report_panels(s, panels + s->panel_count, drawn);
        add_rank(s, ranks, REPORT_PANELS, RANK_REQUESTED);
    }
}

// States of a contact, as events name them.
static const char* const state_words[] = {"stick", "slip", "open", NULL};
enum { STATES = 3 };

static void add_band(plot_decoration* to, double start, double end, br_slip_state state)
{
    static const plot_shade shades[STATES] = {PLOT_CLEAR, PLOT_WARM, PLOT_GREY};
    if (shades[state] != PLOT_CLEAR && end > start) {
        to->bands[to->band_count++] = (plot_band){start, end, shades[state], state_words[state]};
    }
}

// The next event of contact `number`, from 1, that changes its state, from event `from` on; NULL: there is none.
static const br_table_event* next_change(const br_table* report, size_t number, size_t* from,
                                         br_slip_state* state)
{
    while (*from < br_table_get_event_count(report)) {
        const br_table_event* event = br_table_get_event(report, (*from)++);
        const int next = br_text_find(event->kind, state_words);
        if (event->contact == number && next >= 0) {
            *state = (br_slip_state)next;
            return event;
        }
    }
    return NULL;
}

static double time_in(const br_table* report, size_t number, const char* state)
{
    return br_table_find_value(report, memory_format("contacts[%zu].%s", number - 1, state))
        ->number;
}

// The state at the start: the one whose total time exceeds what the events explain.
static br_slip_state first_state(const br_table* report, size_t number, double end)
{
    br_slip_state state = BR_STATE_STICK, next;
    double since = 0, first = end, spent[STATES] = {0};
    bool is_first = true;
    const br_table_event* event;
    for (size_t i = 0; (event = next_change(report, number, &i, &next)); is_first = false) {
        first = is_first ? event->t : first;
        spent[state] += is_first ? 0 : event->t - since;
        state = next;
        since = event->t;
    }
    spent[state] += is_first ? 0 : fmax(0, end - since);
    return time_in(report, number, "stuck") - spent[BR_STATE_STICK] > first / 2 ? BR_STATE_STICK
           : time_in(report, number, "open") - spent[BR_STATE_OPEN] > first / 2 ? BR_STATE_OPEN
                                                                                : BR_STATE_SLIP;
}

// When contact `number`, from 1, slipped and was open, if it was in state `first` at t = 0. Number 0: the only object.
static plot_decoration make_bands(const br_table* report, size_t number, br_slip_state first,
                                  double end)
{
    const size_t events = br_table_get_event_count(report);
    plot_decoration bands = {.bands = memory_allocate(events + 1, sizeof(plot_band))};
    br_slip_state state = first, next;
    double since = 0;
    const br_table_event* event;
    for (size_t i = 0; (event = next_change(report, number, &i, &next));) {
        add_band(&bands, since, fmin(event->t, end), state);
        state = next;
        since = event->t;
    }
    add_band(&bands, since, end, state);
    return bands;
}

// The same bands in each panel.
static plot_decoration* repeat_bands(plot_decoration bands, size_t panels)
{
    plot_decoration* out = memory_allocate(panels, sizeof *out);
    for (size_t i = 0; i < panels; i++) {
        out[i] = bands;
    }
    return out;
}

static double last_time(const result* got)
{
    return br_table_get_rows(got->report)[0];
}

// Each panel shows when the contact slips; of several contacts, only the panel of its force. These panels have
// the limit of the force, too.
const plot_decoration* panels_decorate_body(const scenario* s, const result* got)
{
    const br_body* body = s->model.body;
    const double end = last_time(got);
    plot_decoration* out = memory_allocate(s->panel_count, sizeof *out);
    for (size_t i = 0; i < body->contact_count && i < MOST_DRAWN; i++) {
        const br_law* law = &br_contact_get_def(body->contacts[i].contact)->law;
        const plot_decoration bands =
            make_bands(got->report, i + 1, first_state(got->report, i + 1, end), end);
        if (body->contact_count == 1) {
            out = repeat_bands(bands, s->panel_count);
        }
        plot_decoration* d = &out[MOTION + i];
        *d = bands;
        d->limit_column = contact_curve(s, i, "fn").column;
        d->limit_factor = law->mu_s;
        d->limit_title = law->mu_s > law->mu_c ? "mu_s fn" : "mu fn";
    }
    return out;
}

// The state at the start is not the one that the first event leads to. Without events nothing is known.
const plot_decoration* panels_decorate_object(const scenario* s, const result* got)
{
    br_slip_state next;
    size_t from = 0;
    if (!next_change(got->report, 0, &from, &next)) {
        return NULL;
    }
    const br_slip_state first = next == BR_STATE_SLIP ? BR_STATE_STICK : BR_STATE_SLIP;
    return repeat_bands(make_bands(got->report, 0, first, last_time(got)), s->panel_count);
}

// --- sliders and mechanisms -----------------------------------------------------------------------

void panels_of_slider(scenario* s)
{
    static const named_panel panels[] = {{"v [m/s]", {"vx", "vy"}, {NULL}},
                                         {"w [rad/s]", {"w"}, {NULL}}};
    SET_PANELS(s, panels);
}

// As for the arm, with the friction of the first joints.
static void panels_of_chain(scenario* s, const br_mechanism_def* def)
{
    static const named_panel end[] = {{"fn [N]", {"fn"}, {"normal force"}},
                                      {"end point [m]", {"x", "y"}, {NULL}},
                                      {"friction [N]", {"fx", "fy"}, {NULL}}};
    enum { END = sizeof end / sizeof *end };
    plot_panel* panels = memory_allocate(END + 1, sizeof *panels);
    add_panels(s, end, END, panels);
    panels[END].label = "joints [N m]";
    for (size_t i = 0; def->joints && i < def->mechanism.n && i < PLOT_CURVES; i++) {
        panels[END].curves[i] =
            (plot_curve){scenario_column_of(s, "f", i + 1), memory_format("friction %zu", i + 1)};
    }
    s->panels = panels;
    s->panel_count = def->joints ? END + 1 : END;
}

// The arm's panels follow Figs. 5 to 7 of H+.
void panels_of_mechanism(scenario* s)
{
    static const named_panel arm[] = {{"fn [N]", {"fn"}, {"normal force"}},
                                      {"x [m]", {"x"}, {"end point"}},
                                      {"fx [N]", {"fx"}, {"friction"}},
                                      {"y [m]", {"y"}, {"end point"}},
                                      {"fy [N]", {"fy"}, {"friction"}}};
    static const named_panel block[] = {{"position [m]", {"x", "y"}, {NULL}},
                                        {"velocity [m/s]", {"vx", "vy"}, {NULL}},
                                        {"fn [N]", {"fn"}, {"normal force"}},
                                        {"friction [N]", {"fx", "fy"}, {NULL}}};
    static const named_panel bead[] = {{"position [m]", {"x", "y", "z"}, {NULL}},
                                       {"velocity [m/s]", {"vx", "vy", "vz"}, {NULL}},
                                       {"fn [N]", {"fn"}, {"normal force"}},
                                       {"friction [N]", {"fx", "fy", "fz"}, {NULL}}};
    if (s->model.chain) {
        panels_of_chain(s, s->model.mechanism);
    } else if (s->model.two_link) {
        SET_PANELS(s, arm);
    } else if (s->model.bead) {
        SET_PANELS(s, bead);
    } else {
        SET_PANELS(s, block);
    }
}

// --- any scenario ---------------------------------------------------------------------------------

// The next free curve of a panel, if the column has the panel's unit; else NULL.
static plot_curve* free_curve(plot_panel* panel, const char* label)
{
    for (int i = 0; strcmp(panel->label, label) == 0 && i < PLOT_CURVES; i++) {
        if (!panel->curves[i].title) {
            return &panel->curves[i];
        }
    }
    return NULL;
}

void panels_by_units(scenario* s)
{
    plot_panel* panels = memory_allocate(s->column_count, sizeof *panels);
    for (size_t i = 1; i < s->column_count; i++) {
        const br_column* column = &s->columns[i];
        const char* label = memory_format("[%s]", column->unit);
        plot_curve* curve = NULL;
        for (size_t k = 0; !curve && k < s->panel_count; k++) {
            curve = free_curve(&panels[k], label);
        }
        if (!curve) {
            panels[s->panel_count].label = label;
            curve = &panels[s->panel_count++].curves[0];
        }
        *curve = (plot_curve){i, column->name};
    }
    s->panels = panels;
}
