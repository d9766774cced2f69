/*
 * Scenarios over time: which columns stand in which panel.
 */
#include "panels.h"

#include <math.h>
#include <string.h>

#include "memory.h"
#include "scenario/read_mechanism.h"
#include "scenario/scenario_body.h"
#include "scenario/text.h"

#define SET_PANELS(s, list) ((s)->panels = (list), (s)->panel_count = sizeof(list) / sizeof *(list))

// --- laws and contacts under an imposed motion -----------------------------------------------------

void panels_of_law_motion(scenario* s)
{
    static const plot_panel panels[] = {{"v [m/s]", {{1, "velocity"}}},
                                        {"f [N]", {{2, "friction"}}}};
    SET_PANELS(s, panels);
}

void panels_of_law_rig(scenario* s)
{
    static const plot_panel panels[] = {
        {"x [m]", {{1, "position"}}}, {"v [m/s]", {{2, "velocity"}}}, {"f [N]", {{3, "friction"}}}};
    SET_PANELS(s, panels);
}

void panels_of_contact(scenario* s)
{
    static const plot_panel panels[] = {{"v [m/s]", {{1, "vx"}, {2, "vy"}}},
                                        {"w [rad/s]", {{3, "w"}}},
                                        {"f [N]", {{4, "fx"}, {5, "fy"}}},
                                        {"tau [N m]", {{6, "tau"}}}};
    SET_PANELS(s, panels);
}

// --- bodies ---------------------------------------------------------------------------------------

// Contacts that pictures over time show, and the panels above theirs.
enum { MOST_DRAWN = PLOT_CURVES, MOTION = 4, ENERGY_PANELS = 3, REPORT_PANELS = 2 };

static plot_curve curve_at(const scenario* s, size_t column)
{
    return (plot_curve){column, s->read->columns[column].name};
}

// A curve of a contact, named as its column.
static plot_curve curve_of(const scenario* s, size_t contact, size_t which)
{
    return curve_at(s, BODY_FX + BODY_CONTACT_COLUMNS * contact + which);
}

// Energies, works, and what is missing, which is smaller by far.
static void add_energy_panels(const scenario* s, plot_panel* to)
{
    const size_t first = scenario_column(s, "kinetic");
    to[0] = (plot_panel){"energy [J]",
                         {curve_at(s, first), curve_at(s, first + 1), curve_at(s, first + 2)}};
    to[1] = (plot_panel){"work [J]", // names without "work_": all four stand in a row
                         {{first + 3, "loads"},
                          {first + 4, "gravity"},
                          {first + 5, "normal"},
                          {first + 6, "contacts"}}};
    to[2] = (plot_panel){"energy [J]", {curve_at(s, first + 7)}};
}

// Slip rates and loads of the contacts.
static void add_report_panels(const scenario* s, plot_panel* to, size_t drawn, size_t contacts)
{
    const size_t first = scenario_column(s, contacts > 1 ? "state1" : "state");
    to[0].label = "slip [m/s]";
    to[1].label = "load [-]";
    for (size_t i = 0; i < drawn; i++) {
        to[0].curves[i] = curve_at(s, first + STORY_COLUMNS * i + STORY_SLIP);
        to[1].curves[i] = curve_at(s, first + STORY_COLUMNS * i + STORY_LOAD);
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
        to[i] = (plot_panel){"force [N]", {curve_of(s, i, 0), curve_of(s, i, 1)}};
        torques->curves[i] = curve_of(s, i, 2);
        normals->curves[i] = curve_of(s, i, 3);
    }
}

// Pose and velocity, the contacts, then the energy, slip and load where their columns are asked for.
void panels_of_body(scenario* s)
{
    static const plot_panel motion[MOTION] = {{"position [m]", {{BODY_X, "x"}, {BODY_Y, "y"}}},
                                              {"angle [rad]", {{BODY_THETA, "theta"}}},
                                              {"v [m/s]", {{BODY_VX, "vx"}, {BODY_VY, "vy"}}},
                                              {"spin [rad/s]", {{BODY_W, "w"}}}};
    const body_input* input = s->data;
    const size_t contacts = input->body.contact_count;
    const size_t drawn = contacts < MOST_DRAWN ? contacts : MOST_DRAWN;
    plot_panel* panels =
        memory_allocate(MOTION + drawn + 2 + ENERGY_PANELS + REPORT_PANELS, sizeof *panels);
    memcpy(panels, motion, sizeof motion);
    s->panels = panels;
    s->panel_count = drawn ? MOTION + drawn + 2 : MOTION;
    if (drawn) {
        add_contact_panels(s, panels + MOTION, drawn);
    }
    if (input->energy) {
        add_energy_panels(s, panels + s->panel_count);
        s->panel_count += ENERGY_PANELS;
    }
    if (input->report && drawn) {
        add_report_panels(s, panels + s->panel_count, drawn, contacts);
        s->panel_count += REPORT_PANELS;
    }
}

static void add_band(plot_decoration* to, double begin, double end, br_contact_state state)
{
    static const plot_shade shades[CONTACT_STATES] = {PLOT_CLEAR, PLOT_WARM, PLOT_GREY};
    if (shades[state] != PLOT_CLEAR && end > begin) {
        to->bands[to->band_count++] =
            (plot_band){begin, end, shades[state], bri_contact_state_words[state]};
    }
}

// When contact `number`, from 1, slipped and was open.
static plot_decoration make_bands(const contact_story* from, size_t number, const br_table* told,
                                  double end)
{
    plot_decoration bands = {.bands = memory_allocate(told->event_count + 1, sizeof(plot_band))};
    br_contact_state state = from->first;
    double since = 0;
    for (size_t i = 0; i < told->event_count; i++) {
        const br_table_event* event = &told->events[i];
        const int next = bri_text_find(event->kind, bri_contact_state_words);
        if (event->contact == number && next >= 0) {
            add_band(&bands, since, fmin(event->t, end), state);
            state = (br_contact_state)next;
            since = event->t;
        }
    }
    add_band(&bands, since, end, state);
    return bands;
}

// The panel of each contact's force shows when it slips, and the limit of the force.
const plot_decoration* panels_decorate_body(const scenario* s, const result* got)
{
    const body_input* input = s->data;
    const body_story* story = got->told->data;
    const double end = bri_table_last(got->told)[BODY_T];
    plot_decoration* out = memory_allocate(s->panel_count, sizeof *out);
    for (size_t i = 0; i < input->body.contact_count && i < MOST_DRAWN; i++) {
        const br_law* law = &br_contact_get_def(input->body.contacts[i].contact)->law;
        plot_decoration* d = &out[MOTION + i];
        *d = make_bands(&story->contacts[i], i + 1, got->told, end);
        d->limit_column = curve_of(s, i, 3).column;
        d->limit_factor = law->mu_s;
        d->limit_title = law->mu_s > law->mu_c ? "mu_s fn" : "mu fn";
    }
    return out;
}

// --- sliders and mechanisms -----------------------------------------------------------------------

void panels_of_slider(scenario* s)
{
    static const plot_panel panels[] = {{"v [m/s]", {{4, "vx"}, {5, "vy"}}},
                                        {"w [rad/s]", {{6, "w"}}}};
    SET_PANELS(s, panels);
}

// As those of the arm, with the friction of the first joints.
static void panels_of_chain(scenario* s, const mechanism_input* in)
{
    const size_t n = in->def.mechanism.n, x = 2 * n + 1;
    plot_panel* panels = memory_allocate(4, sizeof *panels);
    panels[0] = (plot_panel){"fn [N]", {{x + 2, "normal force"}}};
    panels[1] = (plot_panel){"end point [m]", {{x, "x"}, {x + 1, "y"}}};
    panels[2] = (plot_panel){"friction [N]", {{x + 3, "fx"}, {x + 4, "fy"}}};
    panels[3].label = "joints [N m]";
    for (size_t i = 0; i < n && i < PLOT_CURVES; i++) {
        panels[3].curves[i] = (plot_curve){x + 5 + i, memory_format("friction %zu", i + 1)};
    }
    s->panels = panels;
    s->panel_count = in->def.joints ? 4 : 3;
}

// The arm's as Figs. 5 to 7 of H+.
void panels_of_mechanism(scenario* s)
{
    static const plot_panel arm[] = {{"fn [N]", {{7, "normal force"}}},
                                     {"x [m]", {{5, "end point"}}},
                                     {"fx [N]", {{8, "friction"}}},
                                     {"y [m]", {{6, "end point"}}},
                                     {"fy [N]", {{9, "friction"}}}};
    static const plot_panel block[] = {{"position [m]", {{1, "x"}, {2, "y"}}},
                                       {"velocity [m/s]", {{3, "vx"}, {4, "vy"}}},
                                       {"fn [N]", {{5, "normal force"}}},
                                       {"friction [N]", {{6, "fx"}, {7, "fy"}}}};
    static const plot_panel bead[] = {{"position [m]", {{1, "x"}, {2, "y"}, {3, "z"}}},
                                      {"velocity [m/s]", {{4, "vx"}, {5, "vy"}, {6, "vz"}}},
                                      {"fn [N]", {{7, "normal force"}}},
                                      {"friction [N]", {{8, "fx"}, {9, "fy"}, {10, "fz"}}}};
    const mechanism_input* in = s->data;
    if (strcmp(in->kind, "chain") == 0) {
        panels_of_chain(s, in);
    } else if (strcmp(in->kind, "two-link") == 0) {
        SET_PANELS(s, arm);
    } else if (strcmp(in->kind, "bead") == 0) {
        SET_PANELS(s, bead);
    } else {
        SET_PANELS(s, block);
    }
}

// --- any scenario ---------------------------------------------------------------------------------

// Does the column belong into the panel? It has its unit, and there is room.
static plot_curve* room_for(plot_panel* panel, const char* label)
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
    plot_panel* panels = memory_allocate(s->read->column_count, sizeof *panels);
    for (size_t i = 1; i < s->read->column_count; i++) {
        const br_column* column = &s->read->columns[i];
        const char* label = memory_format("[%s]", column->unit);
        plot_curve* curve = NULL;
        for (size_t k = 0; !curve && k < s->panel_count; k++) {
            curve = room_for(&panels[k], label);
        }
        if (!curve) {
            panels[s->panel_count].label = label;
            curve = &panels[s->panel_count++].curves[0];
        }
        *curve = (plot_curve){i, column->name};
    }
    s->panels = panels;
}
