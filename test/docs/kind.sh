#!/usr/bin/env bash
# Oracle: docs/explanation/architecture.md: its kind of scenario is one file and one row of kinds.c; read, run, refused and helped
# as any other. Arguments: source folder, build folder, C compiler, libraries to link.
set -eu
source=$1 build=$2 cc=$3
shift 3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

awk '/^```/ && inside {exit} inside {print} /^```c/ {inside = 1}' "$source/docs/explanation/architecture.md" >scenario_pull.c
sed 's/^    NULL,$/    \&bri_scenario_pull,\n    NULL,/; s/^const scenario_kind\* const/extern const scenario_kind bri_scenario_pull;\n&/' \
    "$source/src/scenario/kinds.c" >kinds.c
cat >main.c <<'END'
#include <bristle/scenario.h>
#include <stdio.h>
#include <string.h>

static int run(const br_scenario* scenario)
{
    br_table* table;
    br_reason why = {"", ""};
    if (br_scenario_run(scenario, NULL, &table, &why) != BR_OK) {
        return 1;
    }
    printf("%s: %zu rows, f = %g N, x = %.4f m\n", br_scenario_get_kind(scenario), br_table_get_row_count(table),
           br_table_find_value(table, "final.f")->number, br_table_find_value(table, "final.x")->number);
    br_table_destroy(table);
    return 0;
}

int main(void)
{
    const char* const bad[] = {"pull.mass=-1", NULL};
    br_scenario* scenario;
    int failed = br_scenario_read_text("pull: {mass: 2, force: 10, mu: 0.5}\nduration: 1\n", "pull", NULL, &scenario);
    failed |= run(scenario);
    br_scenario_destroy(scenario);
    if (br_scenario_read_text("pull: {mass: 2, force: 10, mu: 0.5}\nduration: 1\n", "pull", bad, &scenario) == BR_ERR_DEF) {
        printf("%s: %s\n", br_scenario_get_error(scenario, 0)->key, br_scenario_get_error(scenario, 0)->text);
    }
    br_scenario_destroy(scenario);
    const char* const every[] = {"output.every=0.5", NULL};
    failed |= br_scenario_read_text("pull: {mass: 2, force: 10, mu: 0.5}\nduration: 1\n", "pull", every, &scenario);
    failed |= run(scenario);
    br_scenario_destroy(scenario);
    char* schema;
    failed |= br_scenario_create_schema(&schema);
    printf("%s", strstr(schema, "pull-scenario") ? "schema: pull\n" : "");
    br_release(schema);
    return failed;
}
END
$cc -std=c17 -Wall -Wextra -Werror -I"$source/include" -I"$build/include" -I"$source/src" main.c kinds.c scenario_pull.c "$@" -o pull
./pull | tee printed
# slides with (10 - 0.5 9.81 2)/2 = 0.095 m/s^2 for 1 s
grep -q '^pull: 201 rows, f = 9.81 N, x = 0.0475 m$' printed
grep -q '^pull: 3 rows' printed
grep -q '^schema: pull$' printed
grep -q '^pull.mass: must be > 0; got -1$' printed
