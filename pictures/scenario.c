/*
 * A scenario as the command draws it.
 */
#include "scenario.h"

#include <string.h>

#include "memory.h"
#include "panels.h"
#include "plot_body.h"
#include "plot_mechanism.h"
#include "plot_slider.h"

// How a kind of scenario is drawn.
typedef struct scenario_look {
    const scenario_kind* kind;
    // Panels over time, allocated.
    void (*make_panels)(scenario* s);
    // What they show besides (panel_count); NULL: nothing
    const plot_decoration* (*decorate)(const scenario* s, const result* got);
    // What moves; NULL: there is nothing but the panels
    scene (*make_scene)(const scenario* s, const result* got);
} scenario_look;

static const scenario_look looks[] = {
    {&bri_scenario_law_motion, panels_of_law_motion, NULL, NULL},
    {&bri_scenario_law_rig, panels_of_law_rig, NULL, NULL},
    {&bri_scenario_contact_motion, panels_of_contact, NULL, NULL},
    {&bri_scenario_body, panels_of_body, panels_decorate_body, plot_body_scene},
    {&bri_scenario_slider, panels_of_slider, NULL, plot_slider_scene},
    {&bri_scenario_mechanism, panels_of_mechanism, NULL, plot_mechanism_scene},
    {NULL, panels_by_units, NULL, NULL},
};

static const scenario_look* look_of(const scenario* s)
{
    size_t i = 0;
    while (looks[i].kind && looks[i].kind != s->read->kind) {
        i++;
    }
    return &looks[i];
}

scenario scenario_to_draw(const br_scenario* read)
{
    scenario s = {.read = read, .data = read->data, .picture = read->picture};
    look_of(&s)->make_panels(&s);
    return s;
}

bool scenario_can_move(const scenario* s)
{
    return look_of(s)->make_scene;
}

static void draw_panels(const scenario* s, const result* got, output* to)
{
    const scenario_look* look = look_of(s);
    const plot picture = {.title = s->picture.title,
                          .x_label = "t [s]",
                          .panels = s->panels,
                          .count = s->panel_count,
                          .decorations = look->decorate ? look->decorate(s, got) : NULL};
    plot_draw(&picture, &got->rows, to);
}

void scenario_draw(const scenario* s, const result* got, output* to)
{
    const scenario_look* look = look_of(s);
    if (look->make_scene && s->picture.kind != PICTURE_TIME) {
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
    size_t i = 0;
    while (i < s->read->column_count && strcmp(s->read->columns[i].name, name) != 0) {
        i++;
    }
    return i;
}
