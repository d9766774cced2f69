/* Scenario text: read, checked, run for some steps, planned as a sweep, upgraded. */
#include "fuzz.h"

#include "bristle/scenario.h"
#include "bristle/sweep.h"

enum { STEPS = 20 };

static void run(const br_scenario* s)
{
    size_t left = STEPS;
    const br_scenario_watch watch = {
        .size = sizeof watch, .stop = stop_soon, .user = &left, .drop_rows = true};
    br_table* table = NULL;
    br_sweep* sweep = NULL;
    br_reason why;
    br_scenario_run(s, &watch, &table, &why);
    br_table_destroy(table);
    if (br_scenario_get_model(s).sweeps) {
        br_sweep_create(s, NULL, &sweep, &why);
        br_sweep_destroy(sweep);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const char* text = text_of(data, size);
    br_scenario* s = NULL;
    char* upgraded = NULL;
    if (!text) {
        return 0;
    }
    if (br_scenario_read_text(text, "input", NULL, &s) == BR_OK) {
        run(s);
    }
    if (s && br_scenario_upgrade(s, text, &upgraded) == BR_OK) {
        br_release(upgraded);
    }
    br_scenario_destroy(s);
    return 0;
}
