#!/usr/bin/env bash
# Oracle: docs/explanation/architecture.md: a key is one row of a table; it is read, checked, given in units, helped and in the schema
# as any other. Arguments: source folder, build folder, C compiler, libraries to link.
set -eu
source=$1 build=$2 cc=$3
shift 3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

row=$(grep -m 1 '^      KEY("mu"' "$source/docs/explanation/architecture.md")
awk -v row="$row" '{print} /^static const map_key rig_keys/ {print row}' "$source/src/scenario/scenario_law.c" >scenario_law.c
grep -qF "$row" scenario_law.c
cat >main.c <<'END'
#include <bristle/scenario.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "law: {kind: coulomb, mu_c: 0.5}\nrig: {mass: 2, force: 10, normal_force: 10}\nduration: 1\n";

static int run(const char* const* overrides)
{
    br_scenario* scenario;
    br_table* table;
    br_reason why = {"", ""};
    if (br_scenario_read_text(text, "rig", overrides, &scenario) != BR_OK) {
        const br_scenario_error* m = br_scenario_get_error(scenario, 0);
        printf("%s: %s\n", m->key, m->text);
        br_scenario_destroy(scenario);
        return 0;
    }
    const br_status status = br_scenario_run(scenario, NULL, &table, &why);
    printf("f = %g N\n", status == BR_OK ? br_table_find_value(table, "final.f")->number : 0);
    br_table_destroy(table);
    br_scenario_destroy(scenario);
    return status != BR_OK;
}

int main(void)
{
    int failed = run(NULL); // the law's
    failed |= run((const char* const[]){"rig.mu=0.2", NULL});
    failed |= run((const char* const[]){"rig.mu=-1", NULL});
    failed |= run((const char* const[]){"rig.mu=2 mm", NULL});
    failed |= run((const char* const[]){"rig.m=1", NULL});
    char *schema, *help;
    failed |= br_scenario_create_schema(&schema) | br_scenario_create_help("rig", &help);
    printf("%s%s", strstr(schema, "Coulomb coefficient in place of the law's [-]") ? "schema\n" : "",
           strstr(help, "mu [-] number > 0") ? "help\n" : "");
    br_release(schema);
    br_release(help);
    return failed;
}
END
$cc -std=c17 -Wall -Wextra -Werror -I"$source/include" -I"$build/include" -I"$source/src" main.c scenario_law.c "$@" -o rig
./rig | tee printed
diff printed - <<'END'
f = 5 N
f = 2 N
rig.mu: must be > 0; got -1
rig.mu: must be a number without a unit; got "2 mm"
rig.m: unknown key; did you mean mu? allowed here: mu, mass, stiffness, pull, force, normal_force
schema
help
END
