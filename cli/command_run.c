/*
 * bristle run: simulate a scenario.
 */
#include <stdio.h>
#include <string.h>

#include "bristle/sensitivity.h"
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
    "                   [--set KEY=VALUE]... [--sensitivity KEY,KEY] [--json] [--max-time SECONDS]\n"
    "                   [--keep-partial]\n"
    "\n"
    "Simulate a scenario and write a table, in s, m, rad, m/s, rad/s, N, N m. The keys\n"
    "of the file determine the kind of scenario; the kinds are listed below.\n"
    "\n"
    "  -o, --output OUT  write the table to OUT.csv, or OUT.npz (NumPy's format), instead of\n"
    "                    stdout; complete or not at all; - is stdout\n"
    "  --plot FILE       also draw it: FILE.png, FILE.svg or FILE.pdf (needs gnuplot)\n"
    "  --animate FILE    draw a body, slider or mechanism moving: FILE.gif (needs gnuplot, which is\n"
    "                    stopped after 300 s, or after the environment variable BRISTLE_GNUPLOT_SECONDS)\n"
    "  --set KEY=VALUE   override a key, e.g. --set friction.mu=0.5; may be repeated\n"
    "  --sensitivity KEYS  add columns with the derivatives of all columns by these keys of the file, with\n"
    "                    commas between them: friction.mu,body.mass gives d(x)/d(friction.mu), ... in SI units; two\n"
    "                    more runs for each key\n"
    "  --json            print a summary as one JSON object (the table then needs -o)\n"
    "  --max-time S      stop with exit status 1 after S seconds of reading and computing\n"
    "  --keep-partial    when stopped (--max-time, Ctrl-C, SIGTERM, SIGHUP), write the rows computed so far;\n"
    "                    without it, no file is written\n"
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
    "Keys: units in brackets, defaults in parentheses. bristle help KEY prints a key and the keys below it,\n"
    "bristle new KIND a commented scenario to start from. bristle help --schema prints all keys as a JSON Schema,\n"
    "which make install installs for editors.\n";

// The library refused to run the scenario: report the reason and end the command.
_Noreturn static void fail(const br_scenario* s, const char* file, br_status status,
                           const br_reason* why)
{
    br_reason reported = *why;
    if (!*reported.text) {
        br_reason_set(&reported, why->field, "%s", br_status_get_text(status));
    }
    if (status == BR_ERR_DEF || status == BR_ERR_ARG) {
        message_fail(EXIT_USAGE, "%s%s", input_place(s, reported.field), reported.text);
    }
    message_fail(EXIT_COMPUTATION, "%s: %s%s%s", file, reported.field, *reported.field ? ": " : "",
                 reported.text);
}

// A run stopped early: report why and when, and end the command unless its rows are to be kept.
static void report_stop(const br_scenario* s, const result* got, const options* o, br_status status,
                        br_reason* why)
{
    if (status == BR_ERR_STOPPED) {
        const double duration = br_scenario_get_duration(s);
        const char* cause = temporary_signal()
                                ? "stopped by a signal"
                                : memory_format("--max-time %.15g is used up", o->max_time);
        br_reason_set(why, "", "%s, at t = %.6g s of %.6g s", cause, got->fraction * duration,
                      duration);
    }
    if (!got->report || !o->keep_partial || got->rows.rows == 0) {
        fail(s, o->file, status, why);
    }
    message_warn("%s: %s; keeping %zu rows", o->file, why->text, got->rows.rows);
}

// The folder of the results, whose disk can hold rows that do not fit into memory. NULL: no results file.
static const char* spool_folder(const options* o)
{
    const bool has_table = o->output && strcmp(o->output, "-") != 0;
    const char* file = has_table ? o->output : o->plot ? o->plot : o->animate;
    return file ? output_folder(file) : NULL;
}

static void destroy_table(void* report)
{
    br_table_destroy(report);
}

static void report_warnings(const br_table* report)
{
    for (size_t i = 0; i < br_table_get_warning_count(report); i++) {
        message_warn("%s", br_table_get_warning(report, i));
    }
}

// `deadline`: when --max-time has passed, on the clock of progress.h [s].
static result compute(const br_scenario* s, const options* o, double deadline, int* exit_status)
{
    size_t count;
    const br_column* columns = br_scenario_get_columns(s, &count);
    result got = {.rows = result_table(columns, count),
                  .bar = progress_start(o->quiet),
                  .deadline = deadline};
    got.rows.folder = spool_folder(o);
    got.rows.has_last_only = !options_table_name(o) && !o->plot && !o->animate;

    br_reason why = {"", ""};
    br_table* report;
    const br_scenario_watch watch = result_watch(&got);
    const br_status status = br_scenario_run(s, &watch, &report, &why);
    progress_end(&got.bar);
    got.wall = progress_clock() - got.bar.start;
    got.report = report;
    if (report) {
        memory_own(report, destroy_table);
        report_warnings(report);
    }
    if (status != BR_OK) {
        report_stop(s, &got, o, status, &why);
    }
    *exit_status = status == BR_OK ? EXIT_DONE : EXIT_COMPUTATION;
    return got;
}

// Names with commas between them, ended by NULL.
static const char** split_keys(const char* text)
{
    const char** keys = memory_allocate(strlen(text) + 2, sizeof *keys);
    size_t count = 0;
    while (*text) {
        text += strspn(text, ", ");
        const size_t length = strcspn(text, ", ");
        if (length > 0) {
            const char* key = memory_format("%.*s", (int)length, text);
            keys[count] = NULL;
            if (br_text_find(key, keys) >= 0) {
                message_fail(EXIT_USAGE, "--sensitivity: %s: the key is there twice", key);
            }
            keys[count++] = key;
        }
        text += length;
    }
    keys[count] = NULL;
    return keys;
}

static void destroy_sensitivity(void* found)
{
    br_sensitivity_destroy(found);
}

// The rows of the run, each with its derivatives behind it.
static table sensitivity_rows(const br_sensitivity* found)
{
    size_t width, more;
    const br_table* own = br_sensitivity_get_table(found);
    const br_column* columns = br_table_get_columns(own, &width);
    const br_sensitivity_column* slopes = br_sensitivity_get_columns(found, &more);
    const char** header = memory_allocate(width + more + 1, sizeof *header);
    names* words = memory_allocate(width + more, sizeof *words);
    for (size_t i = 0; i < width + more; i++) {
        header[i] = i < width ? columns[i].name : slopes[i - width].name;
        words[i] = i < width ? columns[i].words : NULL;
    }
    header[width + more] = NULL;
    table rows = table_create(header);
    rows.words = words;
    double* row = memory_allocate(width + more, sizeof *row);
    for (size_t r = 0; r < br_table_get_row_count(own); r++) {
        memcpy(row, br_table_get_rows(own) + r * width, width * sizeof *row);
        memcpy(row + width, br_sensitivity_get_rows(found) + r * more, more * sizeof *row);
        table_append(&rows, row);
    }
    return rows;
}

// --sensitivity: the run and its derivatives.
static result compute_sensitivity(const br_scenario* s, const options* o, double deadline)
{
    result got = {.bar = progress_start(o->quiet), .deadline = deadline};
    br_scenario_watch watch = result_watch(&got);
    br_reason why = {"", ""};
    br_sensitivity* found;
    watch.row = NULL;
    const br_status status =
        br_sensitivity_create(s, split_keys(o->sensitivity), &watch, &found, &why);
    progress_end(&got.bar);
    got.wall = progress_clock() - got.bar.start;
    if (status != BR_OK) {
        report_stop(s, &got, o, status, &why);
    }
    memory_own(found, destroy_sensitivity);
    got.report = br_sensitivity_get_table(found);
    got.rows = sensitivity_rows(found);
    report_warnings(got.report);
    return got;
}

// Reading does not check the deadline and may block on a pipe or a large table, so a timer ends the command.
static const br_scenario* read_in_time(const options* o)
{
    const char* message = memory_format("bristle: %s: --max-time %.15g is used up, while reading\n",
                                        o->file, o->max_time);
    temporary_end_after(o->max_time, message, EXIT_COMPUTATION);
    const br_scenario* s = input_scenario(o);
    temporary_cancel_end();
    return s;
}

// Opened before the run, so that a file that cannot be written is reported at once.
typedef struct outputs {
    output* table; // each NULL: not requested
    output* picture;
    output* film;
} outputs;

static void check_names(const options* o)
{
    options_table_name(o);
    if (o->plot) {
        plot_check_name(o->plot);
    }
    if (o->animate && !text_ends_with(o->animate, ".gif")) {
        message_fail(EXIT_USAGE, "--animate %s: must end with .gif", o->animate);
    }
}

static outputs open_outputs(const options* o, const scenario* s)
{
    if (o->animate && !scenario_can_move(s)) {
        message_fail(EXIT_USAGE,
                     "--animate draws a body, a slider or a mechanism; %s is of the kind %s",
                     o->file, br_scenario_get_kind(s->read));
    }
    const char* name = options_table_name(o);
    const outputs to = {name ? output_open(name) : NULL, o->plot ? output_open(o->plot) : NULL,
                        o->animate ? output_open(o->animate) : NULL};
    return to;
}

// Is stdout free for a summary?
static bool has_summary(const options* o)
{
    return !o->json && !o->quiet && o->output && strcmp(o->output, "-") != 0;
}

static void print_summary(const options* o, const scenario* s, const result* got)
{
    if (o->json) {
        summary_print_json(br_scenario_get_kind(s->read), got, stdout);
    } else if (has_summary(o)) {
        summary_print_text(br_scenario_get_kind(s->read), got, o->output, stdout);
    }
}

static void draw_all(const options* o, const scenario* s, const result* got, const outputs* to)
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
                         OPTION_SENSITIVITY | OPTION_MAX_TIME | OPTION_KEEP_PARTIAL | OPTION_QUIET);
    check_names(&o);
    const double deadline = progress_clock() + o.max_time;
    const br_scenario* read = read_in_time(&o);
    const scenario s = scenario_to_draw(read);
    const outputs to = open_outputs(&o, &s);
    if (o.keep_partial) {
        temporary_await_signal();
    }
    int exit_status = EXIT_DONE;
    const result got = o.sensitivity ? compute_sensitivity(read, &o, deadline)
                                     : compute(read, &o, deadline, &exit_status);
    if (to.table) {
        table_write(&got.rows, to.table);
    }
    print_summary(&o, &s, &got);
    draw_all(&o, &s, &got, &to);
    return exit_status;
}
