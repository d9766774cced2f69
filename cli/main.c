/*
 * bristle: dry friction on the command line.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bristle/base.h"
#include "bristle/scenario.h"
#include "command.h"
#include "completion.h"
#include "manual.h"
#include "memory.h"
#include "message.h"
#include "output.h"
#include "program.h"
#include "system.h"
#include "temporary.h"
#include "text.h"

// The table of commands, for dispatch, help and suggestions.
static const command commands[] = {
    {"run", "simulate a scenario", run_help, run_main},
    {"sweep", "run a scenario many times with different values", sweep_help, sweep_main},
    {"check", "validate files without running them", check_help, check_main},
    {"new", "write a commented scenario to start from", new_help, new_main},
    {"upgrade", "rewrite older keys of a scenario", upgrade_help, upgrade_main},
    {"surface", "a contact patch: its numbers and its limit surface", surface_help, surface_main},
    {"cone", "friction cones, their polyhedra, and the wrenches of a patch", cone_help, cone_main},
    {"convert", "friction parameters of a contact patch for a physics engine", convert_help,
     convert_main},
    {"constrained", "a constrained system with friction at one instant", constrained_help,
     constrained_main},
    {"fit", "parameters from measurements, with confidence intervals", fit_help, fit_main},
    {"reproduce", "published figures and tables, beside the published values", reproduce_help,
     program_main},
    {"bench", "time bristle on this machine", bench_help, program_main},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static const char usage[] = "usage: bristle COMMAND [FILE] [OPTIONS]\n";

// A description of the program and the list of commands.
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
        "  help         explain a command: bristle help COMMAND; or a key of scenario files, such as bristle help\n"
        "               body, friction, profiles or sigma0; bristle help topics lists them. --man, --bash,\n"
        "               --zsh, --schema print the manual page, completion for these shells and the JSON Schema\n"
        "               of scenarios; make install installs them\n"
        "\n"
        "reproduce and bench are separate programs next to the command; packages do not contain them.\n"
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
    if (text_ends_with(name, ".yaml") || text_ends_with(name, ".yml")) {
        message_fail(EXIT_USAGE, "a command is missing before %s; did you mean: bristle run %s?",
                     name, name);
    }
    message_fail(EXIT_USAGE, "unknown %s %s%s see: bristle --help",
                 name[0] == '-' ? "option" : "command", name, text_suggest(name, list, ";"));
}

// NULL if there is no such command.
static const command* find(const char* name)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

static bool is_help(const char* word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

// The help on a key of scenario files (NULL: on all keys). Returns NULL if there is no such key.
static const char* describe_topic(const char* topic)
{
    char* text;
    const br_status status = br_scenario_create_help(topic, &text);
    if (status == BR_ERR_MEMORY) {
        message_fail(EXIT_COMPUTATION, "out of memory");
    }
    if (text) {
        memory_own(text, br_release);
    }
    return text;
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
        printf("\n%s", describe_topic(NULL));
    }
}

// All help texts as one manual page.
static void print_manual(void)
{
    manual_start();
    manual_section("Synopsis");
    manual_text(usage);
    manual_section("Description");
    manual_text(describe());
    for (int i = 0; i < COMMAND_COUNT; i++) {
        manual_section(memory_format("bristle %s", commands[i].name));
        manual_text(commands[i].help);
        if (commands[i].run == run_main) {
            manual_text(memory_format("\n%s", describe_topic(NULL)));
        }
    }
}

// Print what packagers need: manual page, shell completion, schema. Returns false if `word` is none of them.
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

_Noreturn static void fail_topic(const char* word)
{
    names topics = completion_topics(true);
    size_t count = 0;
    while (topics[count]) {
        count++;
    }
    const char** list = memory_allocate(COMMAND_COUNT + count + 1, sizeof *list);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        list[i] = commands[i].name;
    }
    memcpy(list + COMMAND_COUNT, topics, count * sizeof *list);
    message_fail(EXIT_USAGE, "help: unknown command or topic %s%s see: bristle help topics", word,
                 text_suggest(word, list, ";"));
}

// The help on a key of scenario files; "topics" lists the keys.
static void print_topic(const char* word)
{
    const char* text = describe_topic(word);
    if (strcmp(word, "topics") == 0) {
        printf(
            "bristle help TOPIC explains the keys of scenario files. Every key is a topic; those that contain\n"
            "other keys are:\n");
        for (names topic = completion_topics(false); *topic; topic++) {
            printf("  %s%s\n", find(*topic) ? "run " : "", *topic); // not the command of that name
        }
    } else if (text) {
        fputs(text, stdout);
    } else {
        fail_topic(word);
    }
}

// Does the command read files whose keys are topics?
static bool has_topics(const command* c)
{
    return c->run == run_main || c->run == check_main || c->run == sweep_main ||
           c->run == surface_main;
}

// bristle help COMMAND, bristle help [COMMAND] TOPIC, bristle help fit KIND
static void explain(int count, char** words)
{
    const command* chosen = find(words[0]);
    const bool is_topic = count == 2 && describe_topic(words[1]);
    if (count == 2 && chosen && has_topics(chosen) && (is_topic || !find(words[1]))) {
        print_topic(words[1]);
    } else if (count == 2 && chosen && chosen->run == fit_main && fit_print_help(words[1])) {
        return;
    } else if (count > 1) {
        message_fail(EXIT_USAGE, "help: takes one command or topic; got %s and %s", words[0],
                     words[1]);
    } else if (chosen) {
        print_help(chosen);
    } else {
        print_topic(words[0]);
    }
}

// bristle help [COMMAND | TOPIC | --man | --bash | --zsh | --schema]
static int help_main(int argc, char** argv)
{
    if (argc == 2 && print_page(argv[1])) {
        return EXIT_DONE;
    }
    if (argc > 1 && !is_help(argv[1]) && strcmp(argv[1], "help") != 0) {
        explain(argc - 1, argv + 1);
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
        printf("bristle %s\n", br_get_version());
        return EXIT_DONE;
    }
    const command* chosen = find(argv[0]);
    if (!chosen) {
        fail_unknown(argv[0]);
    }
    if (program_asks_for_help(argc, argv)) {
        print_help(chosen);
        return EXIT_DONE;
    }
    return chosen->run(argc, argv);
}

int main(int argc, char** argv)
{
    system_start(&argc, &argv);
    temporary_arm();
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    const int status = dispatch(argc - 1, argv + 1);
    output_check_stdout();
    return status;
}
