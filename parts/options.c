/*
 * Parse the options and arguments of a command.
 */
#include "options.h"

#include <getopt.h>
#include <math.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "system.h"

// Nodes per quarter turn of tables: what br_limit_def allows.
enum { LEAST_N = 2, DEFAULT_N = 20, MOST_N = 512 };

// An option and the member of `options` for its value: a text, or a bool if it takes no value. --set is a list.
typedef struct entry {
    const char* name;
    int bit;
    bool has_value;
    size_t offset; // offset in `options`
} entry;

static const entry all[] = {
    {"output", OPTION_OUTPUT, true, offsetof(options, output)},
    {"plot", OPTION_PLOT, true, offsetof(options, plot)},
    {"set", OPTION_SET, true, offsetof(options, sets)},
    {"json", OPTION_JSON, false, offsetof(options, json)},
    {"quiet", OPTION_QUIET, false, offsetof(options, quiet)},
    {"fn", OPTION_FN, true, offsetof(options, fn_text)},
    {"list", OPTION_LIST, false, offsetof(options, list)},
    {"force", OPTION_FORCE, false, offsetof(options, force)},
    {"in-place", OPTION_IN_PLACE, false, offsetof(options, in_place)},
    {"only", OPTION_ONLY, true, offsetof(options, only)},
    {"twists", OPTION_TWISTS, true, offsetof(options, twists)},
    {"method", OPTION_METHOD | OPTION_FIT_CONTACT, true, offsetof(options, method)},
    {"n", OPTION_N, true, offsetof(options, n_text)},
    {"animate", OPTION_ANIMATE, true, offsetof(options, animate)},
    {"max-time", OPTION_MAX_TIME, true, offsetof(options, max_time_text)},
    {"keep-partial", OPTION_KEEP_PARTIAL, false, offsetof(options, keep_partial)},
    {"sensitivity", OPTION_SENSITIVITY, true, offsetof(options, sensitivity)},
    {"as-published", OPTION_AS_PUBLISHED, false, offsetof(options, as_published)},
    {"to", OPTION_ENGINE, true, offsetof(options, to)},
    {"cone", OPTION_ENGINE, true, offsetof(options, cone)},
    {"mu", OPTION_CONE | OPTION_ENGINE, true, offsetof(options, mu)},
    {"normal", OPTION_CONE, true, offsetof(options, normal)},
    {"faces", OPTION_CONE | OPTION_ENGINE, true, offsetof(options, faces)},
    {"approx", OPTION_CONE, true, offsetof(options, approx)},
    {"fmin", OPTION_CONE, true, offsetof(options, fmin)},
    {"fmax", OPTION_CONE, true, offsetof(options, fmax)},
    {"print", OPTION_CONE, true, offsetof(options, print)},
    {"check", OPTION_CONE, true, offsetof(options, check)},
    {"project", OPTION_CONE, true, offsetof(options, project)},
    {"patch-wrench", OPTION_CONE, true, offsetof(options, patch_wrench)},
    {"pressure", OPTION_CONE, true, offsetof(options, pressure)},
    {"level", OPTION_FIT, true, offsetof(options, level)},
    {"hold-out", OPTION_FIT, true, offsetof(options, hold_out)},
    {"validate", OPTION_FIT_LAW, true, offsetof(options, validate)},
    {"robust", OPTION_FIT_LAW, false, offsetof(options, robust)},
    {"passive", OPTION_FIT_LAW, false, offsetof(options, passive)},
    {"flip-force", OPTION_FIT_LAW, false, offsetof(options, flip_force)},
    {"law", OPTION_FIT_LAW, true, offsetof(options, law)},
    {"table", OPTION_FIT_LAW, true, offsetof(options, table)},
    {"free", OPTION_FIT_LAW, true, offsetof(options, free)},
    {"fix", OPTION_FIT_LAW, true, offsetof(options, fix)},
    {"outline", OPTION_FIT_PRESSURE | OPTION_FIT_PUSHES, true, offsetof(options, outline)},
    {"supports", OPTION_FIT_PRESSURE, true, offsetof(options, supports)},
    {"tolerance", OPTION_FIT_PRESSURE, true, offsetof(options, tolerance)},
    {"try", OPTION_FIT_PRESSURE, true, offsetof(options, choices)},
    {"cells", OPTION_FIT_PRESSURE | OPTION_FIT_PUSHES | OPTION_FIT_CONTACT, true,
     offsetof(options, cells)},
    {"tip-radius", OPTION_FIT_PUSHES, true, offsetof(options, tip_radius)},
    {"fit-tip-radius", OPTION_FIT_PUSHES, false, offsetof(options, fit_tip_radius)},
    {"tip-offset", OPTION_FIT_PUSHES, true, offsetof(options, tip_offset)},
    {"patch", OPTION_FIT_PUSHES | OPTION_FIT_CONTACT, true, offsetof(options, patch)},
    {"mu-tip", OPTION_FIT_PUSHES, true, offsetof(options, mu_tip)},
    {"predict", OPTION_FIT_PUSHES, false, offsetof(options, predict)},
    {"vary", OPTION_SWEEP, true, offsetof(options, pairs)},
    {"zip", OPTION_SWEEP, true, offsetof(options, pairs)},
    {"draw", OPTION_SWEEP, true, offsetof(options, pairs)},
    {"want", OPTION_SWEEP, true, offsetof(options, pairs)},
    {"samples", OPTION_SWEEP, true, offsetof(options, samples)},
    {"sampling", OPTION_SWEEP, true, offsetof(options, sampling)},
    {"seed", OPTION_SWEEP, true, offsetof(options, seed)},
    {"cases", OPTION_SWEEP, true, offsetof(options, cases)},
    {"tables", OPTION_SWEEP, true, offsetof(options, tables)},
    {"jobs", OPTION_SWEEP, true, offsetof(options, jobs)},
    {"shard", OPTION_SWEEP, true, offsetof(options, shard)},
    {"contour", OPTION_SWEEP, true, offsetof(options, contour)},
    {"resume", OPTION_SWEEP, false, offsetof(options, resume)},
    {"merge", OPTION_SWEEP, false, offsetof(options, merge)},
    {"sobol", OPTION_SWEEP, false, offsetof(options, sobol)},
    {"local", OPTION_SWEEP, false, offsetof(options, local)},
};

enum { OPTION_COUNT = sizeof all / sizeof *all, FIRST = 256 }; // getopt's `val`, above any char

// Select the options that a command accepts.
static void select_options(int accepted, struct option* selected)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (all[i].bit & accepted) {
            const int needs = all[i].has_value ? required_argument : no_argument;
            *selected++ = (struct option){all[i].name, needs, NULL, FIRST + i};
        }
    }
    memset(selected, 0, sizeof *selected);
}

// Report an unknown option, such as "--jsn", with the nearest accepted one.
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
    message_fail(EXIT_USAGE, "unknown option %s%s see: bristle help %s", given,
                 text_suggest(given, list, ";"), command);
}

// The option that the command does not accept, as the user wrote it: one that getopt rejected ('?'), or a
// letter of other commands.
static const char* offender(char** argv, int found)
{
    const char* last = argv[optind - 1];
    const int letter = found == '?' ? optopt : found;
    const bool is_short =
        letter > 0 && letter < FIRST && (found != '?' || strncmp(last, "--", 2) != 0);
    return is_short ? memory_format("-%c", letter) : last;
}

static double read_force(const char* text)
{
    double fn;
    if (!br_text_read_number(text, &fn) || fn < 0) {
        message_fail(EXIT_USAGE, "--fn %s: must be a number >= 0 [N]", text);
    }
    return fn;
}

static double read_max_time(const char* text)
{
    double seconds;
    if (!br_text_read_number(text, &seconds) || !(seconds > 0)) {
        message_fail(EXIT_USAGE, "--max-time %s: must be a number > 0 [s]", text);
    }
    return seconds;
}

static void store_value(options* o, const entry* option)
{
    void* value = (char*)o + option->offset;
    if (option->bit == OPTION_SET) {
        o->sets = memory_grow(o->sets, o->set_count + 1, sizeof *o->sets);
        o->sets[o->set_count++] = optarg;
    } else if (option->offset == offsetof(options, pairs)) {
        o->pairs = memory_grow(o->pairs, o->pair_count + 1, sizeof *o->pairs);
        o->pairs[o->pair_count++] = (option_pair){option->name, optarg};
    } else if (option->has_value) {
        *(const char**)value = optarg;
    } else {
        *(bool*)value = true;
    }
}

// The entry that getopt found; -o and -q mean --output and --quiet; NULL: none.
static const entry* find_entry(int found)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const char* name = all[i].name;
        if (found == FIRST + i || (found == name[0] && strchr("oq", found) &&
                                   (all[i].bit & (OPTION_OUTPUT | OPTION_QUIET)))) {
            return &all[i];
        }
    }
    return NULL;
}

static void expect_no_empty_word(int argc, char** argv)
{
    for (int i = optind; i < argc; i++) {
        if (!*argv[i]) {
            message_fail(EXIT_USAGE, "%s: a name is empty; see: bristle help %s", argv[0], argv[0]);
        }
    }
}

static void expect_no_file(int argc, char** argv)
{
    if (optind < argc) {
        message_fail(EXIT_USAGE, "%s: takes no file; got %s", argv[0], argv[optind]);
    }
}

static void expect_file(int argc, char** argv)
{
    if (optind == argc) {
        message_fail(EXIT_USAGE, "%s: a file is missing; see: bristle help %s", argv[0], argv[0]);
    }
}

static void read_file(options* o, int argc, char** argv, int accepted)
{
    expect_file(argc, argv);
    for (int i = optind; i < argc && accepted & OPTION_SET; i++) {
        if (strchr(argv[i], '=') && optind + 1 < argc && !system_exists(argv[i])) {
            message_fail(EXIT_USAGE, "%s: takes one file; did you mean --set %s?", argv[0],
                         argv[i]);
        }
    }
    if (optind + 1 < argc) {
        message_fail(EXIT_USAGE, "%s: takes one file; got %s and %s", argv[0], argv[optind],
                     argv[optind + 1]);
    }
    o->file = argv[optind];
}

options options_read(int argc, char** argv, int accepted)
{
    options o = {.file = NULL};
    struct option selected[OPTION_COUNT + 1];
    select_options(accepted, selected);

    opterr = 0;
    for (int found; (found = getopt_long(argc, argv, ":o:q", selected, NULL)) != -1;) {
        const entry* option = find_entry(found);
        if (found == ':') {
            message_fail(EXIT_USAGE, "option %s needs a value; see: bristle help %s",
                         argv[optind - 1], argv[0]);
        }
        if (!option || !(option->bit & accepted)) {
            fail_unknown(argv[0], offender(argv, found), selected);
        }
        if (option->has_value && !*optarg) {
            message_fail(EXIT_USAGE,
                         "option --%s needs a value, which is empty here; see: bristle "
                         "help %s",
                         option->name, argv[0]);
        }
        store_value(&o, option);
    }
    o.fn = o.fn_text ? read_force(o.fn_text) : 1;
    o.max_time = o.max_time_text ? read_max_time(o.max_time_text) : HUGE_VAL;
    o.n = o.n_text ? text_read_whole("--n", o.n_text, LEAST_N, MOST_N) : DEFAULT_N;
    expect_no_empty_word(argc, argv);
    if (accepted & OPTION_FILES) {
        expect_file(argc, argv);
    }
    if (accepted & (OPTION_WORDS | OPTION_FILES)) {
        o.words = argv + optind;
        o.word_count = (size_t)(argc - optind);
    } else if (accepted & OPTION_NO_FILE) {
        expect_no_file(argc, argv);
    } else {
        read_file(&o, argc, argv, accepted);
    }
    return o;
}

// The suffix of a file's name, with its dot; "" for none.
static const char* suffix_of(const char* name)
{
    const char* base = system_name(name);
    const char* dot = strrchr(base, '.');
    return dot && dot != base && dot[1] ? dot : "";
}

// A pipe or a device may have any name.
static bool is_special(const char* name)
{
    system_file status;
    return system_look(name, &status) && !status.is_regular;
}

double options_mu(const options* o)
{
    static const double most = 5; // as in scenarios
    double mu;
    if (!o->mu) {
        message_fail(EXIT_USAGE, "--mu is missing: the friction coefficient, > 0");
    }
    if (!br_text_read_number(o->mu, &mu) || !(mu > 0)) {
        message_fail(EXIT_USAGE, "--mu %s: must be a number > 0", o->mu);
    }
    if (mu > most) {
        message_warn("--mu %s: dry friction has about 0.1 to 1.5; did you mean %.6g?", o->mu,
                     0.01 * mu);
    }
    return mu;
}

void options_check_output(const options* o, names allowed)
{
    const char* suffix = o->output ? suffix_of(o->output) : "";
    if (*suffix && br_text_find(suffix, allowed) < 0 && !is_special(o->output)) {
        message_fail(EXIT_USAGE, "-o %s: must end with one of %s", o->output, text_join(allowed));
    }
}

const char* options_output_name(const options* o)
{
    if (o->output && o->json && strcmp(o->output, "-") == 0) {
        message_fail(EXIT_USAGE, "--json prints on stdout: -o needs a file");
    }
    return o->output ? o->output : o->json ? NULL : "-";
}

const char* options_table_name(const options* o)
{
    static const char* const tables[] = {".csv", ".npz", NULL};
    options_check_output(o, tables);
    return options_output_name(o);
}
