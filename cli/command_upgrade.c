/*
 * bristle upgrade: replace old names in scenario files by the current ones.
 */
#include <string.h>

#include "bristle/scenario.h"
#include "command.h"
#include "input.h"
#include "memory.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "system.h"

const char upgrade_help[] =
    "usage: bristle upgrade FILE.yaml [-o FILE.yaml | --in-place]\n"
    "\n"
    "Replace old names of keys, and of functions in formulas of sweeps, by the current ones. Everything else stays\n"
    "unchanged, including comments and blanks. All commands still read files with old names.\n"
    "\n"
    "  -o, --output FILE.yaml\n"
    "                    write it to this file instead of stdout\n"
    "  --in-place        replace the file itself\n"
    "  -h, --help        print this\n"
    "\n"
    "old names: least, most (grip controllers; formulas) become min, max\n"
    "\n"
    "example: bristle upgrade old.yaml --in-place\n";

static void destroy_scenario(void* scenario)
{
    br_scenario_destroy(scenario);
}

int upgrade_main(int argc, char** argv)
{
    static const char* const suffixes[] = {".yaml", ".yml", NULL};
    const options o = options_read(argc, argv, OPTION_OUTPUT | OPTION_IN_PLACE);
    options_check_output(&o, suffixes);
    if (o.in_place && o.output) {
        message_fail(EXIT_USAGE, "upgrade: takes one of -o and --in-place");
    }
    br_scenario* read; // not registered as an input, so --in-place may write to it
    char* upgraded = NULL;
    br_status status = br_scenario_read_model(o.file, BR_MODEL_ANY, NULL, &read);
    if (status != BR_ERR_MEMORY) {
        memory_own(read, destroy_scenario);
        input_check(read);
        size_t size;
        status = br_scenario_upgrade(read, input_text(o.file, &size), &upgraded);
    }
    if (status != BR_OK) {
        message_fail(EXIT_COMPUTATION, "%s: %s", o.file, br_status_get_text(status));
    }
    memory_own(upgraded, br_release);
    output* to = output_open(o.in_place ? o.file : options_output_name(&o));
    output_write(to, upgraded, strlen(upgraded));
    output_commit(to);
    return EXIT_DONE;
}
