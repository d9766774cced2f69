/*
 * What stands on the command line after the command's name.
 */
#include "options.h"

#include <getopt.h>
#include <math.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "text.h"

enum { OPTION_COUNT = 12 };

// Nodes per quarter turn of tables: what br_limit_def allows.
enum { LEAST_N = 2, DEFAULT_N = 20, MOST_N = 512 };

// All options; getopt's `val` is the bit of each.
static const struct option all[OPTION_COUNT] = {
    {"output", required_argument, NULL, OPTION_OUTPUT},
    {"plot", required_argument, NULL, OPTION_PLOT},
    {"set", required_argument, NULL, OPTION_SET},
    {"json", no_argument, NULL, OPTION_JSON},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"fn", required_argument, NULL, OPTION_FN},
    {"list", no_argument, NULL, OPTION_LIST},
    {"only", required_argument, NULL, OPTION_ONLY},
    {"twists", required_argument, NULL, OPTION_TWISTS},
    {"method", required_argument, NULL, OPTION_METHOD},
    {"n", required_argument, NULL, OPTION_N},
    {"as-published", no_argument, NULL, OPTION_AS_PUBLISHED}};

// Those of the table that a command accepts.
static void select_options(int accepted, struct option* selected)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (all[i].val & accepted) {
            *selected++ = all[i];
        }
    }
    memset(selected, 0, sizeof *selected);
}

// "--jsn" is meant to be one of the accepted ones.
_Noreturn static void fail_unknown(const char* command, const char* given,
                                   const struct option* accepted)
{
    if (strncmp(given, "--", 2) != 0) {
        message_fail(EXIT_USAGE, "unknown option %s; see: bristle help %s", given, command);
    }
    const char* list[OPTION_COUNT + 2];
    size_t count = 0;
    for (; accepted[count].name; count++) {
        list[count] = memory_format("--%s", accepted[count].name);
    }
    list[count++] = "--help";
    list[count] = NULL;
    message_fail(EXIT_USAGE, "unknown option %s; did you mean %s? see: bristle help %s", given,
                 text_nearest(given, list), command);
}

// The option that getopt stumbled over, as the user wrote it.
static const char* offender(char** argv)
{
    const char* last = argv[optind - 1];
    const bool is_short = optopt > 0 && optopt < 256 && strncmp(last, "--", 2) != 0;
    return is_short && strchr("oq", optopt) == NULL ? memory_format("-%c", optopt) : last;
}

static double read_force(const char* text)
{
    double fn;
    if (text_number(text, &fn) != NUMBER_GOOD || fn < 0) {
        message_fail(EXIT_USAGE, "--fn %s: must be a number >= 0 [N]", text);
    }
    return fn;
}

static size_t read_n(const char* text)
{
    double n;
    if (text_number(text, &n) != NUMBER_GOOD || !(n >= LEAST_N && n <= MOST_N) || n != floor(n)) {
        message_fail(EXIT_USAGE, "--n %s: must be a whole number from %d to %d", text, LEAST_N,
                     MOST_N);
    }
    return (size_t)n;
}

static void take(options* o, int option)
{
    switch (option) {
    case OPTION_OUTPUT:
        o->output = optarg;
        break;
    case OPTION_PLOT:
        o->plot = optarg;
        break;
    case OPTION_SET:
        o->sets = memory_grow(o->sets, o->set_count + 1, sizeof *o->sets);
        o->sets[o->set_count++] = optarg;
        break;
    case OPTION_JSON:
        o->json = true;
        break;
    case OPTION_QUIET:
        o->quiet = true;
        break;
    case OPTION_LIST:
        o->list = true;
        break;
    case OPTION_ONLY:
        o->only = optarg;
        break;
    case OPTION_TWISTS:
        o->twists = optarg;
        break;
    case OPTION_METHOD:
        o->method = optarg;
        break;
    case OPTION_AS_PUBLISHED:
        o->as_published = true;
        break;
    case OPTION_N:
        o->n = read_n(optarg);
        break;
    default:
        o->fn = read_force(optarg);
        break;
    }
}

// -o and -q stand for --output and --quiet.
static int long_form(int option)
{
    return option == 'o' ? OPTION_OUTPUT : option == 'q' ? OPTION_QUIET : option;
}

static void expect_no_file(int argc, char** argv)
{
    if (optind < argc) {
        message_fail(EXIT_USAGE, "%s: takes no file; got %s", argv[0], argv[optind]);
    }
}

static void read_file(options* o, int argc, char** argv)
{
    if (optind == argc) {
        message_fail(EXIT_USAGE, "%s: a file is missing; see: bristle help %s", argv[0], argv[0]);
    }
    if (optind + 1 < argc) {
        message_fail(EXIT_USAGE, "%s: takes one file; got %s and %s", argv[0], argv[optind],
                     argv[optind + 1]);
    }
    o->file = argv[optind];
}

options options_read(int argc, char** argv, int accepted)
{
    options o = {.fn = 1, .n = DEFAULT_N};
    struct option selected[OPTION_COUNT + 1];
    select_options(accepted, selected);

    opterr = 0;
    for (int found; (found = getopt_long(argc, argv, ":o:q", selected, NULL)) != -1;) {
        const int option = long_form(found);
        if (found == ':') {
            message_fail(EXIT_USAGE, "option %s needs a value; see: bristle help %s",
                         argv[optind - 1], argv[0]);
        }
        if (found == '?' || !(option & accepted)) {
            fail_unknown(argv[0], offender(argv), selected);
        }
        take(&o, option);
    }
    if (accepted & OPTION_WORDS) {
        o.words = argv + optind;
        o.word_count = (size_t)(argc - optind);
    } else if (accepted & OPTION_NO_FILE) {
        expect_no_file(argc, argv);
    } else {
        read_file(&o, argc, argv);
    }
    return o;
}

const char* options_table_name(const options* o)
{
    if (o->output && o->json && strcmp(o->output, "-") == 0) {
        message_fail(EXIT_USAGE, "--json prints on stdout: -o needs a file");
    }
    return o->output ? o->output : o->json ? NULL : "-";
}
