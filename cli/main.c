/*
 * bristle: dry friction on the command line.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bristle/base.h"
#include "command.h"
#include "completion.h"
#include "manual.h"
#include "memory.h"
#include "message.h"
#include "output.h"
#include "program.h"
#include "scenario/schema.h"
#include "scenario/text.h"
#include "temporary.h"

// Drives dispatch, help and suggestions.
static const command commands[] = {
    {"run", "simulate a scenario", run_help, run_main},
    {"sweep", "run a scenario many times, with other values", sweep_help, sweep_main},
    {"check", "validate files without running them", check_help, check_main},
    {"surface", "a contact patch: its numbers and its limit surface", surface_help, surface_main},
    {"cone", "friction cones, their polyhedra, and the wrenches of a patch", cone_help, cone_main},
    {"convert", "a contact patch as a physics engine takes it", convert_help, convert_main},
    {"constrained", "a constrained system with friction at one instant", constrained_help,
     constrained_main},
    {"fit", "parameters from measurements, and how sure they are", fit_help, fit_main},
    {"reproduce", "published figures and tables, beside the published values", reproduce_help,
     program_main},
    {"bench", "time bristle on this machine", bench_help, program_main},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static const char usage[] = "usage: bristle COMMAND [FILE] [OPTIONS]\n";

// What it is, and the commands.
static const char* describe(void)
{
    const char* list = "";
    for (int i = 0; i < COMMAND_COUNT; i++) {
        list = memory_format("%s  %-12s %s\n", list, commands[i].name, commands[i].summary);
    }
    return memory_format(
        "Dry friction between surfaces that slide and spin on each other.\n"
        "\n"
        "%s"
        "  help         explain a command: bristle help COMMAND; --man, --bash, --zsh, --schema print the manual\n"
        "               page, completion for these shells and the JSON Schema of scenarios, which make install\n"
        "               puts in place\n"
        "\n"
        "reproduce and bench are programs of their own beside the command; packages leave them out.\n"
        "\n"
        "  bristle --version   print the version\n"
        "  bristle --help      print this\n"
        "\n"
        "SI units and radians throughout. Exit status: 0 done, 1 the computation could not be\n"
        "finished or a file not written, 2 bad usage or bad input.\n",
        list);
}

static void print_overview(FILE* to)
{
    fprintf(to, "%s\n%s", usage, describe());
}

_Noreturn static void fail_unknown(const char* name)
{
    const char* list[COMMAND_COUNT + 4] = {"help", "--help", "--version"};
    for (int i = 0; i < COMMAND_COUNT; i++) {
        list[i + 3] = commands[i].name;
    }
    message_fail(EXIT_USAGE, "unknown %s %s%s see: bristle --help",
                 name[0] == '-' ? "option" : "command", name,
                 bri_text_suggest(memory_pool(), name, list, ";"));
}

static const command* find(const char* name)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    fail_unknown(name);
}

static bool is_help(const char* word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

// Each kind of scenario explains itself, and its keys.
static const char* describe_scenarios(void)
{
    mapping_list told = {.count = 0};
    writer text = {.memory = memory_pool()};
    bri_write(&text, "\n");
    bri_help_write_profiles(&text, &told);
    for (int i = 0; bri_scenario_kinds[i]; i++) {
        bri_write(&text, "\n");
        bri_help_write_kind(&text, bri_scenario_kinds[i], &told);
    }
    return text.text;
}

static void print_schema(void)
{
    char* schema;
    if (br_scenario_create_schema(&schema) != BR_OK) {
        message_fail(EXIT_COMPUTATION, "out of memory");
    }
    fputs(schema, stdout);
    br_release(schema);
}

static void print_help(const command* chosen)
{
    fputs(chosen->help, stdout);
    if (chosen->run == run_main) {
        fputs(describe_scenarios(), stdout);
    }
}

// All of the help, as a page for man.
static void print_manual(void)
{
    manual_begin();
    manual_section("Synopsis");
    manual_text(usage);
    manual_section("Description");
    manual_text(describe());
    for (int i = 0; i < COMMAND_COUNT; i++) {
        manual_section(memory_format("bristle %s", commands[i].name));
        manual_text(commands[i].help);
        if (commands[i].run == run_main) {
            manual_text(describe_scenarios());
        }
    }
}

// Pages that packagers ask for: man's, completion for shells, the schema. Is `word` one of them?
static bool print_page(const char* word)
{
    if (strcmp(word, "--man") == 0) {
        print_manual();
    } else if (strcmp(word, "--schema") == 0) {
        print_schema();
    } else if (strcmp(word, "--bash") == 0) {
        completion_write_bash(commands, COMMAND_COUNT);
    } else if (strcmp(word, "--zsh") == 0) {
        completion_write_zsh(commands, COMMAND_COUNT);
    } else {
        return false;
    }
    return true;
}

// bristle help [COMMAND | --man | --bash | --zsh | --schema]
static int help_main(int argc, char** argv)
{
    if (argc > 2) {
        message_fail(EXIT_USAGE, "help: takes one command; got %s and %s", argv[1], argv[2]);
    }
    if (argc == 2 && print_page(argv[1])) {
        return EXIT_DONE;
    }
    if (argc == 2 && !is_help(argv[1]) && strcmp(argv[1], "help") != 0) {
        print_help(find(argv[1]));
    } else {
        print_overview(stdout);
    }
    return EXIT_DONE;
}

static int dispatch(int argc, char** argv)
{
    if (is_help(argv[0]) || strcmp(argv[0], "help") == 0) {
        return help_main(argc, argv);
    }
    if (strcmp(argv[0], "--version") == 0 || strcmp(argv[0], "-V") == 0) {
        printf("bristle %s\n", br_version());
        return EXIT_DONE;
    }
    const command* chosen = find(argv[0]);
    if (program_asks_for_help(argc, argv)) {
        print_help(chosen);
        return EXIT_DONE;
    }
    return chosen->run(argc, argv);
}

int main(int argc, char** argv)
{
    temporary_arm();
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    const int status = dispatch(argc - 1, argv + 1);
    output_check_stdout();
    return status;
}
