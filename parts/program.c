/*
 * Separate programs that the command starts.
 */
#include "program.h"

#include <stdio.h>
#include <string.h>

#include "bristle/base.h"
#include "memory.h"
#include "message.h"
#include "output.h"
#include "system.h"
#include "temporary.h"

const char bench_help[] =
    "usage: bristle bench [--list] [--only GLOB] [--json]\n"
    "\n"
    "Time each case and, alternating with it, its reference if there is one: scalar code instead of\n"
    "vector code, plain code that follows the paper, or CVODE if this build has it. Times are per call\n"
    "[ns], minimum and median of 31 runs: processor time, or wall-clock time with two threads. ratio =\n"
    "reference/ours; careful is a loop compiled for this processor with fast maths (make bench builds\n"
    "it); live is the number of computed cells or blocks that contribute, allocs the number of\n"
    "allocations per call.\n"
    "\n"
    "  --list            print the names of the cases\n"
    "  --only GLOB       only cases that match, e.g. --only 'law.*'\n"
    "  --json            print one JSON object: version, compiler, cpu, cases\n"
    "  -h, --help        print this\n"
    "\n"
    "A separate program, bristle-bench, next to the command; make bench builds it from the source.\n"
    "\n"
    "example: bristle bench --only 'sim.rig/*'\n";

const char reproduce_help[] =
    "usage: bristle reproduce NAME...|all [-o DIR] [--as-published] [--list]\n"
    "\n"
    "Recompute published figures and tables. Writes NAME.csv and NAME.png for each NAME to the folder\n"
    "DIR. report.md compares our numbers with others and names the source of each. The column published\n"
    "has numbers printed in the paper. The column reference has results of the authors' code run by us,\n"
    "of our own oracle, or of a closed form. Verdicts: agrees; differs, because ...; no reference; shown.\n"
    "A number without tolerance (a timing) is shown for context; so is an item without any tolerance.\n"
    "The verdict applies to what is drawn: ours, or with --as-published the published protocol.\n"
    "\n"
    "  --list            the names, with a line on each\n"
    "  -o, --output DIR  folder for the results, created if missing (default reproduction)\n"
    "  --as-published    follow the published protocol exactly (zero-order hold of 10 ms, cell\n"
    "                    grids, truncated tables, no guard) instead of our better defaults\n"
    "  -q, --quiet       no progress on stderr\n"
    "  -h, --help        print this\n"
    "\n"
    "A separate program, bristle-reproduce, next to the command; make reproduce builds it from the\n"
    "source.\n"
    "\n"
    "Exit status: 0 all as expected, 1 something differs without a known reason or could not be created,\n"
    "2 bad usage.\n"
    "\n"
    "example: bristle reproduce wk-fig5 wk-fig29 -o figures\n";

bool program_asks_for_help(int argc, char** argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

// The folder of this program, with a trailing slash; "" if the system does not report it.
static const char* find_own_folder(void)
{
    char path[SYSTEM_PATH];
    return system_find_program(path) ? memory_text(path, (size_t)(system_name(path) - path)) : "";
}

void program_become(const char* name, char** argv, const char* advice)
{
    const char* command = argv[0];
    const char* folder = find_own_folder();
    const char* path = memory_format("%sbristle-%s", folder, name);
    argv[0] = memory_format("%s", path);
    system_become(path, argv);
    message_fail(
        EXIT_USAGE,
        "%s: needs the program bristle-%s next to the command%s%s: there is none, or it cannot be "
        "started; %s",
        command, name, *folder ? ", in " : "", folder, advice);
}

int program_main(int argc, char** argv)
{
    (void)argc;
    program_become(argv[0], argv,
                   memory_format("make %s, in bristle's source tree, builds and runs it", argv[0]));
}

int program_run(const char* name, const char* help, int (*run)(int argc, char** argv), int argc,
                char** argv)
{
    system_start(&argc, &argv);
    temporary_arm();
    int status = EXIT_DONE;
    if (program_asks_for_help(argc, argv)) {
        fputs(help, stdout);
    } else if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("bristle-%s %s\n", name, br_get_version());
    } else {
        argv[0] = memory_format("%s", name);
        status = run(argc, argv);
    }
    output_check_stdout();
    return status;
}
