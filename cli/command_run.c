/*
 * bristle run: simulate a scenario.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "input.h"
#include "memory.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "plot.h"
#include "progress.h"
#include "scenario.h"
#include "summary.h"
#include "table.h"
#include "temporary.h"

const char run_help[] =
    "usage: bristle run SCENARIO.yaml [-o OUT] [--plot FILE] [--animate FILE.gif]\n"
    "                   [--set KEY=VALUE]... [--json] [--max-time SECONDS] [--keep-partial]\n"
    "\n"
    "Simulate a scenario and write a table, in s, m, rad, m/s, rad/s, N, N m. What stands in the\n"
    "file says what runs; the kinds of scenarios follow below.\n"
    "\n"
    "  -o, --output OUT  write the table to OUT (CSV, or NumPy's format for OUT.npz) instead of\n"
    "                    stdout; whole or not at all; - is stdout\n"
    "  --plot FILE       draw it, too: FILE.png, FILE.svg or FILE.pdf (needs gnuplot)\n"
    "  --animate FILE    draw a body, slider or mechanism moving: FILE.gif (needs gnuplot)\n"
    "  --set KEY=VALUE   override a key, e.g. --set friction.mu=0.5; may be repeated\n"
    "  --json            print a summary as one JSON object (the table then needs -o)\n"
    "  --max-time S      give up (exit status 1) after S seconds of reading and computing\n"
    "  --keep-partial    when it gives up, or is stopped (Ctrl-C, SIGTERM, SIGHUP), write what was\n"
    "                    computed; without it, nothing is left behind\n"
    "  -q, --quiet       no progress bar, no summary\n"
    "  -h, --help        print this\n"
    "\n"
    "example:\n"
    "  cat > box.yaml <<END\n"
    "  body: {mass: 0.5, size: [0.12, 0.08], velocity: [0.6, 0, 5]}\n"
    "  friction: {mu: 0.3}\n"
    "  contact: {frame: body, patch: {shape: rectangle, size: [0.12, 0.08]}}\n"
    "  duration: 0.5\n"
    "  END\n"
    "  bristle run box.yaml -o box.csv --plot box.png\n"
    "\n"
    "Keys: units in brackets, defaults in parentheses; bristle help --schema prints them as a JSON Schema, which\n"
    "make install puts in place for editors.\n";

// The library would not run it: say why and end the command.
_Noreturn static void fail(const br_scenario* s, br_status status, const br_reason* why)
{
    br_reason told = *why;
    if (!*told.text) {
        br_reason_set(&told, why->field, "%s", br_status_text(status));
    }
    if (status == BR_ERR_DEF || status == BR_ERR_ARG) {
        message_fail(EXIT_USAGE, "%s", bri_scenario_blame(s, memory_pool(), &told));
    }
    message_fail(EXIT_COMPUTATION, "%s: %s%s%s", bri_node_file(s->root), told.field,
                 *told.field ? ": " : "", told.text);
}

// A run ended too early: say why and when, and end the command unless its rows are to be kept.
static void report_stop(const br_scenario* s, const result* got, const options* o, br_status status,
                        br_reason* why)
{
    if (status == BR_ERR_STOPPED) {
        const char* cause = temporary_signal()
                                ? "stopped by a signal"
                                : memory_format("--max-time %.15g is used up", o->max_time);
        br_reason_set(why, "", "%s, at t = %.6g s of %.6g s", cause,
                      got->fraction * s->run.duration, s->run.duration);
    }
    if (!got->told || !o->keep_partial || got->rows.rows == 0) {
        fail(s, status, why);
    }
    message_warn("%s: %s; keeping %zu rows", bri_node_file(s->root), why->text, got->rows.rows);
}

// A disk where rows may wait: the one that the results go to. NULL: they go to none.
static const char* spool_folder(const options* o)
{
    const bool has_table = o->output && strcmp(o->output, "-") != 0;
    const char* file = has_table ? o->output : o->plot ? o->plot : o->animate;
    return file ? output_folder(file) : NULL;
}

static void destroy_table(void* told)
{
    br_table_destroy(told);
}

static void tell_warnings(const br_table* told)
{
    for (size_t i = 0; i < br_table_get_warning_count(told); i++) {
        message_warn("%s", br_table_get_warning(told, i));
    }
}

// `deadline` is when --max-time is used up, on the clock of progress.h [s].
static result compute(const br_scenario* s, const options* o, double deadline, int* exit_status)
{
    result got = {.rows = result_table(s->columns, s->column_count),
                  .bar = progress_begin(o->quiet),
                  .deadline = deadline};
    got.rows.folder = spool_folder(o);
    got.rows.has_last_only = !options_table_name(o) && !o->plot && !o->animate;

    br_reason why = {"", ""};
    br_table* told;
    const br_scenario_watch watch = result_watch(&got);
    const br_status status = br_scenario_run(s, &watch, &told, &why);
    progress_end(&got.bar);
    got.wall = progress_clock() - got.bar.start;
    got.told = told;
    if (told) {
        memory_own(told, destroy_table);
        tell_warnings(told);
    }
    if (status != BR_OK) {
        report_stop(s, &got, o, status, &why);
    }
    *exit_status = status == BR_OK ? EXIT_DONE : EXIT_COMPUTATION;
    return got;
}

// Reading asks no clock: files may be pipes that nothing comes from, and tables take their time.
static const br_scenario* read_in_time(const options* o)
{
    const char* message = memory_format("bristle: %s: --max-time %.15g is used up, while reading\n",
                                        o->file, o->max_time);
    temporary_end_after(o->max_time, message, EXIT_COMPUTATION);
    const br_scenario* s = input_scenario(o);
    temporary_carry_on();
    return s;
}

// Opened before the work, so that a place that cannot be written is known at once.
typedef struct places {
    output* table; // each NULL: not wanted
    output* picture;
    output* film;
} places;

static void check_names(const options* o)
{
    options_table_name(o);
    if (o->plot) {
        plot_check_name(o->plot);
    }
    if (o->animate && !bri_text_ends_with(o->animate, ".gif")) {
        message_fail(EXIT_USAGE, "--animate %s: must end with .gif", o->animate);
    }
}

static places open_places(const options* o, const scenario* s)
{
    if (o->animate && !scenario_can_move(s)) {
        message_fail(EXIT_USAGE,
                     "--animate draws a body, a slider or a mechanism; %s is of the kind %s",
                     o->file, s->read->kind->name);
    }
    const char* name = options_table_name(o);
    const places to = {name ? output_open(name) : NULL, o->plot ? output_open(o->plot) : NULL,
                       o->animate ? output_open(o->animate) : NULL};
    return to;
}

// Is there room on stdout for words to people?
static bool has_summary(const options* o)
{
    return !o->json && !o->quiet && o->output && strcmp(o->output, "-") != 0;
}

static void print_summary(const options* o, const scenario* s, const result* got)
{
    if (o->json) {
        summary_print_json(s->read->kind->name, got, stdout);
    } else if (has_summary(o)) {
        summary_print_text(s->read->kind->name, got, o->output, stdout);
    }
}

static void draw_all(const options* o, const scenario* s, const result* got, const places* to)
{
    if (to->picture) {
        scenario_draw(s, got, to->picture);
    }
    if (to->film) {
        scenario_animate(s, got, to->film);
    }
    if (has_summary(o) && to->picture) {
        printf("%s: picture\n", o->plot);
    }
    if (has_summary(o) && to->film) {
        printf("%s: moving picture\n", o->animate);
    }
}

int run_main(int argc, char** argv)
{
    const options o =
        options_read(argc, argv,
                     OPTION_OUTPUT | OPTION_PLOT | OPTION_ANIMATE | OPTION_SET | OPTION_JSON |
                         OPTION_MAX_TIME | OPTION_KEEP_PARTIAL | OPTION_QUIET);
    check_names(&o);
    const double deadline = progress_clock() + o.max_time;
    const br_scenario* read = read_in_time(&o);
    const scenario s = scenario_to_draw(read);
    const places to = open_places(&o, &s);
    if (o.keep_partial) {
        temporary_await_signal();
    }
    int exit_status;
    const result got = compute(read, &o, deadline, &exit_status);
    if (to.table) {
        table_write(&got.rows, to.table);
    }
    print_summary(&o, &s, &got);
    draw_all(&o, &s, &got, &to);
    return exit_status;
}
