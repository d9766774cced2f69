/*
 * Files that a scenario names: pressure maps, maps of mu, profiles, path logs, motions. The first byte chooses the
 * scenario, the rest is the file.
 */
#include "fuzz.h"

#include <stdio.h>

#include "bristle/scenario.h"

enum { STEPS = 20 };

static const char* const scenarios[] = {
    // pressure map of a foot
    "{body: {mass: 0.1, inertia: 1e-4}, friction: {mu: 0.5}, contact: {frame: body, "
    "normal_force: 1, patch: {shape: grid, size: [0.02, 0.01], file: '%s'}}, duration: 0.01}",
    // map of mu on the ground
    "{body: {mass: 0.1, inertia: 1e-4, velocity: [0.1, 0, 0]}, friction: {mu: 0.5, field: "
    "{size: [0.2, 0.1], file: '%s'}}, contact: {frame: body, normal_force: 1, patch: {shape: "
    "disc, radius: 0.01}}, duration: 0.01}",
    // profile of a force
    "{law: {kind: coulomb, mu_c: 0.3}, rig: {mass: 1, force: {file: '%s', column: value}, "
    "normal_force: 9.81}, duration: 0.1}",
    // path log of a pusher's tip
    "{slider: {patch: {shape: rectangle, size: [0.1, 0.08]}}, model: quasistatic, pusher: "
    "{radius: 0.005, mu: 0.3, path: '%s'}, duration: 0.1}",
    // motion of a law
    "{law: {kind: dahl, mu_c: 0.3, sigma0: 1e4}, motion: {file: '%s'}}",
    // motion of a contact
    "{model: blocks, friction: {mu: 0.5}, contact: {patch: {shape: disc, radius: 0.01}, "
    "normal_force: 1}, motion: {file: '%s'}}",
};

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size == 0 || size > 8192) {
        return 0;
    }
    const size_t count = sizeof scenarios / sizeof *scenarios;
    char text[1024];
    size_t left = STEPS;
    br_scenario* s = NULL;
    br_table* table = NULL;
    br_reason why;
    snprintf(text, sizeof text, scenarios[data[0] % count], file_with(data + 1, size - 1));
    const br_scenario_watch watch = {
        .size = sizeof watch, .stop = stop_soon, .user = &left, .drop_rows = true};
    if (br_scenario_read_text(text, "input", NULL, &s) == BR_OK) {
        br_scenario_run(s, &watch, &table, &why);
        br_table_destroy(table);
    }
    br_scenario_destroy(s);
    return 0;
}
