/*
 * bristle upgrade: replace old names in scenario files by the current ones.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bristle/scenario.h"
#include "command.h"
#include "input.h"
#include "memory.h"
#include "message.h"
#include "options.h"
#include "output.h"

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

static const size_t largest = (size_t)64 << 20; // same limit as for scenario files [bytes]

// The whole text of a file.
static char* read_text(const char* path)
{
    FILE* from = fopen(path, "rb");
    if (!from) {
        message_fail(EXIT_USAGE, "%s: cannot read: %s", path, strerror(errno));
    }
    size_t length = 0, capacity = 1 << 16, got = 1;
    char* text = memory_allocate(capacity, 1);
    while (got > 0 && length < largest) {
        if (length + 1 == capacity) {
            capacity *= 2;
            text = memory_grow(text, capacity, 1);
        }
        got = fread(text + length, 1, capacity - 1 - length, from);
        length += got;
    }
    fclose(from);
    text[length] = '\0';
    return text;
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
        input_check(read);
        status = br_scenario_upgrade(read, read_text(o.file), &upgraded);
        br_scenario_destroy(read);
    }
    if (status != BR_OK) {
        message_fail(EXIT_COMPUTATION, "%s: %s", o.file, br_status_get_text(status));
    }
    output* to = output_open(o.in_place ? o.file : options_output_name(&o));
    output_write(to, upgraded, strlen(upgraded));
    output_commit(to);
    br_release(upgraded);
    return EXIT_DONE;
}
