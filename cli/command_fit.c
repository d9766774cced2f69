/*
 * bristle fit: parameters from measurements.
 */
#include <string.h>

#include "command.h"
#include "fit.h"
#include "fit_contact.h"
#include "fit_law.h"
#include "fit_pressure.h"
#include "fit_pushes.h"
#include "memory.h"
#include "message.h"
#include "scenario/text.h"

const char fit_help[] =
    "usage: bristle fit law|pressure|pushes|contact DATA.csv [OPTIONS]\n"
    "\n"
    "Friction parameters and pressures from measurements, and how sure they are.\n"
    "\n" FIT_LAW_HELP "\n" FIT_PRESSURE_HELP "\n" FIT_PUSHES_HELP "\n" FIT_CONTACT_HELP "\n"
    "  -o, --output OUT  what was found, in YAML for run or as a patch; - is stdout\n"
    "  --plot FILE       draw it: FILE.png, .svg, .pdf (needs gnuplot)\n"
    "  --json            print one JSON object instead of a summary\n"
    "  --level P         of the intervals of law and contact (0.95)\n"
    "  --hold-out P      share of a law's rows, the last ones, kept to check it (0.5)\n"
    "  --max-time S      stop after S seconds, as Ctrl-C does: the best so far, exit status 1\n"
    "  -q, --quiet       no progress bar, no summary\n"
    "  -h, --help        print this\n"
    "\n"
    "example: bristle fit law sweep.csv --law lugre --plot fit.png -o lugre.yaml\n";

typedef struct fit_kind {
    const char* name;
    int (*run)(int argc, char** argv);
} fit_kind;

static const fit_kind kinds[] = {
    {"law", fit_law_main},
    {"pressure", fit_pressure_main},
    {"pushes", fit_pushes_main},
    {"contact", fit_contact_main},
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

_Noreturn static void fail_unknown(const char* name)
{
    const char* list[KIND_COUNT + 1] = {NULL};
    for (int i = 0; i < KIND_COUNT; i++) {
        list[i] = kinds[i].name;
    }
    message_fail(EXIT_USAGE, "fit %s: must be one of %s%s", name,
                 bri_text_join(memory_pool(), list),
                 bri_text_suggest(memory_pool(), name, list, ""));
}

int fit_main(int argc, char** argv)
{
    if (argc < 2) {
        message_fail(EXIT_USAGE, "fit: what to fit is missing; see: bristle help fit");
    }
    for (int i = 0; i < KIND_COUNT; i++) {
        if (strcmp(argv[1], kinds[i].name) == 0) {
            argv[1] = argv[0];
            return kinds[i].run(argc - 1, argv + 1);
        }
    }
    fail_unknown(argv[1]);
}
