/*
 * bristle fit: parameters from measurements.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "fit.h"
#include "fit_contact.h"
#include "fit_law.h"
#include "fit_pressure.h"
#include "fit_pushes.h"
#include "memory.h"
#include "message.h"
#include "text.h"

#define FIT_OPTIONS                                                                                \
    "  -o, --output OUT  the result, in YAML for run or as a patch: OUT.yaml; - is stdout\n"       \
    "  --plot FILE       draw it: FILE.png, .svg, .pdf (needs gnuplot)\n"                          \
    "  --json            print one JSON object\n"                                                  \
    "  --level P         of the intervals of law and contact (0.95)\n"                             \
    "  --hold-out P      share of a law's rows, the last ones, kept to check it (0.5)\n"           \
    "  --max-time S      stop after S seconds, as Ctrl-C does: the best so far, exit status 1\n"   \
    "  -q, --quiet       no progress bar, no summary\n"                                            \
    "  -h, --help        print this\n"

const char fit_help[] =
    "usage: bristle fit law|pressure|pushes|contact DATA.csv [OPTIONS]\n"
    "\n"
    "Friction parameters and pressures from measurements, with intervals.\n"
    "\n" FIT_LAW_HELP "\n" FIT_PRESSURE_HELP "\n" FIT_PUSHES_HELP "\n" FIT_CONTACT_HELP
    "\n" FIT_OPTIONS "\n"
    "example: bristle fit law sweep.csv --law lugre --plot fit.png -o lugre.yaml\n";

typedef struct fit_kind {
    const char* name;
    int (*run)(int argc, char** argv);
    const char* help;
} fit_kind;

static const fit_kind kinds[] = {
    {"law", fit_law_main, FIT_LAW_HELP},
    {"pressure", fit_pressure_main, FIT_PRESSURE_HELP},
    {"pushes", fit_pushes_main, FIT_PUSHES_HELP},
    {"contact", fit_contact_main, FIT_CONTACT_HELP},
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

bool fit_print_help(const char* name)
{
    for (int i = 0; i < KIND_COUNT; i++) {
        if (strcmp(name, kinds[i].name) == 0) {
            printf("usage: bristle fit %s DATA.csv [OPTIONS]\n\n%s\n%s", name, kinds[i].help,
                   FIT_OPTIONS);
            return true;
        }
    }
    return false;
}

int fit_main(int argc, char** argv)
{
    if (argc < 2) {
        message_fail(EXIT_USAGE, "fit: what to fit is missing; see: bristle help fit");
    }
    const char* list[KIND_COUNT + 1] = {NULL};
    for (int i = 0; i < KIND_COUNT; i++) {
        list[i] = kinds[i].name;
    }
    const int kind = text_choose("fit", argv[1], list);
    argv[1] = argv[0];
    return kinds[kind].run(argc - 1, argv + 1);
}
