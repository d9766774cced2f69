/*
 * Scenarios in a build without libyaml: linked with document_absent.c instead of document.c, and without
 * libyaml. Trees are read and run, texts are refused.
 */
#include <math.h>
#include <string.h>

#include "bristle/scenario.h"
#include "check.h"

// Dahl's bristle from rest, the speed rising to 2 mm/s in 50 ms
static const double times[] = {0, 0.05}, values[] = {0, 2e-3};
static const br_tree profile[] = {
    {.kind = BR_TREE_TEXT, .key = "kind", .text = "table"},
    {.kind = BR_TREE_NUMBERS, .key = "times", .numbers = times, .count = 2},
    {.kind = BR_TREE_NUMBERS, .key = "values", .numbers = values, .count = 2}};
static const br_tree law[] = {{.kind = BR_TREE_TEXT, .key = "kind", .text = "dahl"},
                              {.kind = BR_TREE_NUMBER, .key = "mu_c", .number = 0.3},
                              {.kind = BR_TREE_NUMBER, .key = "sigma0", .number = 1e4}};
static const br_tree motion = {
    .kind = BR_TREE_MAP, .key = "velocity", .children = profile, .count = 3};
static const br_tree keys[] = {
    {.kind = BR_TREE_MAP, .key = "law", .children = law, .count = 3},
    {.kind = BR_TREE_MAP, .key = "motion", .children = &motion, .count = 1},
    {.kind = BR_TREE_NUMBER, .key = "duration", .number = 0.05}};
static const br_tree root = {.kind = BR_TREE_MAP, .children = keys, .count = 3};

/* Oracle: Dahl's f = mu_c (1 - exp(-sigma0 x/mu_c)), x = 0.05 mm in the first 50 ms and 0.1 mm in the override's other 50;
   1e-5: ten times the run's relative tolerance. */
static void trees_run_with_overrides(void** state)
{
    (void)state;
    static const char* const overrides[] = {"duration=0.1", NULL};
    br_scenario* scenario = NULL;
    assert_status(br_scenario_read_tree(&root, "tree", overrides, &scenario), BR_OK);
    br_table* table = NULL;
    assert_status(br_scenario_run(scenario, NULL, &table, NULL), BR_OK);
    const br_table_value* f = br_table_find_value(table, "final.f");
    assert_non_null(f);
    assert_near(f->number, 0.3 * (1 - exp(-1e4 * 1.5e-4 / 0.3)), 1e-5);
    br_table_destroy(table);
    br_scenario_destroy(scenario);
}

/* Oracle: scenario.h: BR_ERR_ABSENT for texts, an error for an override that is more than a word. */
static void texts_are_refused(void** state)
{
    (void)state;
    br_scenario* scenario = NULL;
    assert_status(br_scenario_read_text("duration: 1", "text", NULL, &scenario), BR_ERR_ABSENT);
    br_scenario_destroy(scenario);
    static const char* const overrides[] = {"motion={velocity: 1}", NULL};
    assert_status(br_scenario_read_tree(&root, "tree", overrides, &scenario), BR_ERR_DEF);
    assert_non_null(strstr(br_scenario_get_error(scenario, 0)->text, "reads no YAML"));
    br_scenario_destroy(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_run_with_overrides),
        cmocka_unit_test(texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
