/*
 * Pictures of scenarios.
 */
#include "scenario.h"

#include <string.h>

#include "memory.h"
#include "panels.h"
#include "plot_body.h"
#include "plot_choose.h"
#include "plot_mechanism.h"
#include "plot_slider.h"

// How a kind of scenario is drawn.
typedef struct scenario_look {
    const char* kind; // see br_scenario_get_kind(); NULL: any other
    // Panels over time, allocated.
    void (*make_panels)(scenario* s);
    // Their decorations (panel_count); NULL: none
    const plot_decoration* (*decorate)(const scenario* s, const result* got);
    // The moving parts; NULL: only panels
    scene (*make_scene)(const scenario* s, const result* got);
} scenario_look;

static const scenario_look looks[] = {
    {"law + motion", panels_of_law_motion, NULL, NULL},
    {"law + rig", panels_of_law_rig, panels_decorate_object, NULL},
    {"contact + motion", panels_of_contact, NULL, NULL},
    {"body", panels_of_body, panels_decorate_body, plot_body_scene},
    {"slider", panels_of_slider, panels_decorate_object, plot_slider_scene},
    {"mechanism", panels_of_mechanism, panels_decorate_object, plot_mechanism_scene},
    {NULL, panels_by_units, NULL, NULL},
};

static const scenario_look* look_of(const scenario* s)
{
    size_t i = 0;
    while (looks[i].kind && strcmp(looks[i].kind, br_scenario_get_kind(s->read)) != 0) {
        i++;
    }
    return &looks[i];
}

scenario scenario_to_draw(const br_scenario* read)
{
    scenario s = {.read = read,
                  .model = br_scenario_get_model(read),
                  .picture = *br_scenario_get_picture(read)};
    s.columns = br_scenario_get_columns(read, &s.column_count);
    look_of(&s)->make_panels(&s);
    return s;
}

bool scenario_can_move(const scenario* s)
{
    return look_of(s)->make_scene;
}

plot scenario_panels(const scenario* s, const result* got)
{
    const scenario_look* look = look_of(s);
    const plot all = {.title = s->picture.title,
                      .x_label = "t [s]",
                      .panels = s->panels,
                      .count = s->panel_count,
                      .ranks = s->panel_ranks,
                      .decorations = look->decorate ? look->decorate(s, got) : NULL};
    return plot_choose(&all, &got->rows, s->picture.has_all_panels);
}

static void draw_panels(const scenario* s, const result* got, output* to)
{
    const plot picture = scenario_panels(s, got);
    plot_draw(&picture, &got->rows, to);
}

void scenario_draw(const scenario* s, const result* got, output* to)
{
    const scenario_look* look = look_of(s);
    if (look->make_scene && s->picture.kind != BR_PICTURE_TIME) {
        const scene shown = look->make_scene(s, got);
        scene_draw(&shown, to);
    } else {
        draw_panels(s, got, to);
    }
}

void scenario_animate(const scenario* s, const result* got, output* to)
{
    const scene shown = look_of(s)->make_scene(s, got);
    scene_animate(&shown, to);
}

size_t scenario_column(const scenario* s, const char* name)
{
    return br_column_find(s->columns, s->column_count, name);
}

size_t scenario_column_of(const scenario* s, const char* name, size_t number)
{
    return br_column_find_numbered(s->columns, s->column_count, name, number);
}
