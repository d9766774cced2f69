/*
 * bristle sweep: many runs of one scenario.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "input.h"
#include "json.h"
#include "memory.h"
#include "message.h"
#include "output.h"
#include "plot_sweep.h"
#include "progress.h"
#include "sweep.h"
#include "sweep_plan.h"
#include "sweep_results.h"
#include "system.h"
#include "table.h"
#include "temporary.h"

const char sweep_help[] =
    "usage: bristle sweep SCENARIO.yaml --vary KEY=SPEC... | --draw KEY=DIST... --samples N |\n"
    "                     --cases CASES.csv  --want PATH[,PATH...] [-o OUT] [--plot FILE]\n"
    "       bristle sweep --merge PART... -o OUT\n"
    "\n"
    "Run a scenario many times with different values of some keys, in threads of one process. Writes one\n"
    "row per case: the keys that change, the requested outputs, and status (ok, or the error); the first\n"
    "--vary changes slowest. The result of a case depends only on its number: any number of threads,\n"
    "processes or shards gives the same bits. Under mpirun many machines share the work. All of these\n"
    "options may also be in the file, as sweep: {vary: {KEY: SPEC}, draw: ..., samples: N, want: ...}.\n"
    "\n"
    "  --vary KEY=SPEC   an axis of a grid: a:b:n, log:a:b:n or [v1, v2, ...], words or numbers\n"
    "  --zip KEY=SPEC    the same; all --zip keys change together, value by value, as one axis\n"
    "  --cases FILE      CSV whose columns are keys that change together, one row per case\n"
    "  --draw KEY=DIST   random: uniform:a:b, loguniform:a:b, normal:mean:sd,\n"
    "                    lognormal:median:sigma or [v1, v2, ...], equally likely\n"
    "  --samples N       number of draws for each point of the grid\n"
    "  --sampling HOW    random (default), latin (hypercube) or sobol (points)\n"
    "  --seed N          seed of the random numbers (default 0)\n"
    "  --sobol           draw for Sobol' sensitivity indices and print them: which key matters\n"
    "  --local           no samples: deviations of the outputs from those of the drawn keys, to first order, by\n"
    "                    the derivatives at their means (two runs for each key); prints them and their shares\n"
    "  --want PATHS      outputs: numbers of the summary (final.x, contacts[0].slipped, energy.dissipated; --json\n"
    "                    of bristle run shows them), min.COLUMN, max.COLUMN, events.slip.first, .last,\n"
    "                    .count (of one contact: events.slip[0].first), NAME=FORMULA of these and of keys;\n"
    "                    may be repeated\n"
    "  --tables DIR      also write the table of each case to DIR/CASE.csv\n"
    "  -o, --output OUT  OUT.npz, OUT.csv (with metadata in OUT.csv.json) or OUT.h5; arrays have the shape\n"
    "                    of the grid. Without it CSV goes to stdout\n"
    "  --plot FILE       draw it: FILE.png, FILE.svg or FILE.pdf (needs gnuplot)\n"
    "  --contour P=V     draw the output P in the picture, and mark where it is V\n"
    "  --set KEY=VALUE   override a key for all cases; may be repeated\n"
    "  --jobs N          threads (one for each usable processor; under mpirun one for each process)\n"
    "  --shard K/N       only every Nth case, from the Kth on; OUT is a part for --merge\n"
    "  --merge           join all parts of a sweep\n"
    "  --resume          continue a sweep that was stopped (OUT.journal)\n"
    "  --json            print a summary as one JSON object (results then need -o)\n"
    "  -q, --quiet       no progress, no summary\n"
    "  -h, --help        print this\n"
    "\n"
    "A sweep that is stopped (Ctrl-C, a killed process, a full disk) leaves OUT.journal; the same command\n"
    "with --resume gives the same bits. docs/howto/sweeps.md has worked examples, docs/howto/cluster.md a\n"
    "script for Slurm.\n"
    "\n"
    "example:\n"
    "  bristle sweep box.yaml --vary friction.mu=0.2:0.6:41 --vary body.mass=log:0.1:1:11 \\\n"
    "      --want final.theta,contacts[0].slipped -o sweep.npz --plot sweep.png\n";

// --- work -----------------------------------------------------------------------------------------

// A running sweep.
typedef struct work {
    const sweep_plan* plan;
    journal* journal;
    unsigned char* is_done; // a bit for each case of this shard
    size_t next;            // next case to run, counted within this shard
    size_t done, before, failed;
    const char* tables; // a folder; NULL: none
    progress bar;
    int problem;            // errno of a write that failed; 0: none
    const char* problem_of; // the file
} work;

static bool get_next_case(size_t* index, void* user)
{
    work* w = user;
    while (w->next < w->journal->slots && (w->is_done[w->next / 8] >> w->next % 8 & 1)) {
        w->next++;
    }
    *index = w->next * w->plan->shards + w->plan->shard - 1;
    return w->next < w->journal->slots && ++w->next;
}

static bool is_stopped(void* user)
{
    const work* w = user;
    return temporary_signal() != 0 || w->problem != 0;
}

// --- tables of cases ------------------------------------------------------------------------------

static bool write_table(const br_table* from, const char* path)
{
    char partial[4096];
    snprintf(partial, sizeof partial, "%s.begun", path);
    FILE* to = system_open_stream(partial, "wb");
    if (!to) {
        return false;
    }
    size_t count;
    const br_column* columns = br_table_get_columns(from, &count);
    const char** titles = memory_allocate(count + 1, sizeof *titles);
    names* words = memory_allocate(count, sizeof *words);
    for (size_t i = 0; i < count; i++) {
        titles[i] = columns[i].name;
        words[i] = columns[i].words;
    }
    table rows = {.columns = titles, .width = count, .words = words};
    rows.rows = rows.capacity = br_table_get_row_count(from);
    rows.values = (double*)br_table_get_rows(from); // only read
    table_write_csv(&rows, to);
    memory_release(titles);
    memory_release(words);
    const bool is_whole = !ferror(to), is_closed = fclose(to) == 0;
    const bool is_written = is_whole && is_closed && system_replace(partial, path);
    const int problem = errno;
    if (!is_written) {
        system_remove(partial);
    }
    errno = problem;
    return is_written;
}

// Digits in the name of each table.
static int count_digits(const sweep_plan* plan)
{
    return snprintf(NULL, 0, "%zu", plan->metadata.case_count - 1);
}

static void keep_table(work* w, const br_sweep_result* got)
{
    char path[4000];
    snprintf(path, sizeof path, "%s/%0*zu.csv", w->tables, count_digits(w->plan), got->index);
    if (!write_table(got->table, path)) {
        w->problem = errno ? errno : EIO;
        w->problem_of = w->tables;
    }
}

// Is a file of this name the table of a case?
static bool is_table(const char* name, const sweep_plan* plan)
{
    const size_t digits = strspn(name, "0123456789");
    return digits == (size_t)count_digits(plan) && strcmp(name + digits, ".csv") == 0 &&
           strtoull(name, NULL, 10) < plan->metadata.case_count;
}

// Tables must not replace inputs.
static void check_tables(const char* folder, const sweep_plan* plan)
{
    size_t count;
    const names inputs = input_get_files(&count);
    system_file tables, other;
    for (size_t i = 0; i < count; i++) {
        if (is_table(system_name(inputs[i]), plan) && system_look(folder, &tables) &&
            system_look(output_folder(inputs[i]), &other) && tables.device == other.device &&
            tables.number == other.number) {
            message_fail(EXIT_USAGE,
                         "--tables %s: would replace %s, an input of this command; give "
                         "another folder",
                         folder, inputs[i]);
        }
    }
}

static void on_done(const br_sweep_result* got, void* user)
{
    work* w = user;
    if (w->tables && got->table && br_table_get_row_count(got->table) > 0) {
        keep_table(w, got);
    }
    if (!w->problem &&
        !journal_note(w->journal, got->index, got->inputs, got->outputs, got->failure)) {
        w->problem = errno;
        w->problem_of = *w->journal->path ? w->journal->path : "the journal";
    }
    w->done += !w->problem;
    w->failed += got->failure != NULL;
    progress_count(&w->bar, w->done, w->journal->slots, w->before, w->failed);
}

// --- journals -------------------------------------------------------------------------------------

// Is the output a device or a pipe? Its folder is no place for files.
static bool is_special(const char* name)
{
    system_file status;
    return system_look(name, &status) && !status.is_regular;
}

// NULL: none, as for stdout.
static const char* journal_name(const options* o)
{
    const bool is_file = o->output && strcmp(o->output, "-") != 0 && !is_special(o->output);
    return is_file ? memory_format("%s.journal", o->output) : NULL;
}

static journal* start_journal(const options* o, const sweep_plan* plan)
{
    const char* path = journal_name(o);
    if (o->resume && !path) {
        message_fail(EXIT_USAGE, "--resume needs -o OUT, a file: the journal is OUT.journal");
    }
    if (!path || !journal_exists(path)) {
        return journal_create(path, system_temporary_folder(), &plan->metadata, plan->shard,
                              plan->shards);
    }
    if (!o->resume) {
        journal_check_idle(path);
        message_fail(
            EXIT_USAGE,
            "%s: left by a sweep that was stopped; continue it with --resume, or remove the file",
            path);
    }
    journal* j = journal_open(path, false);
    if (!journal_is_of(j, &plan->metadata) || j->shard != plan->shard ||
        j->shards != plan->shards) {
        message_fail(
            EXIT_USAGE,
            "%s: belongs to another scenario, sweep, shard or version of bristle; --resume "
            "needs the same ones",
            path);
    }
    return j;
}

// Which cases the journal has; a new one has none, and is not searched: 1e9 cases take many seconds.
static void find_done(work* w, bool is_new)
{
    w->is_done = memory_allocate(w->journal->slots / 8 + 1, 1);
    for (size_t i = 0; i < w->journal->slots && !is_new; i++) {
        const size_t index = i * w->plan->shards + w->plan->shard - 1;
        const journal_case one = journal_read(w->journal, index);
        w->is_done[i / 8] |= (unsigned char)(one.is_done << i % 8);
        w->done += one.is_done;
        w->failed += one.is_done && one.failure;
    }
    w->before = w->done;
}

_Noreturn static void report_stop(const work* w, br_status status, const br_reason* why)
{
    const char* cause =
        w->problem ? memory_format("%s: cannot be written: %s", w->problem_of, strerror(w->problem))
        : temporary_signal() ? "stopped by a signal"
        : *why->text         ? why->text
                             : br_status_get_text(status);
    const char* advice =
        *w->journal->path
            ? memory_format("; they are in %s, and --resume continues", w->journal->path)
            : "; -o OUT would have kept them";
    message_fail(EXIT_COMPUTATION, "%s, after %zu of %zu cases%s", cause, w->done,
                 w->journal->slots, advice);
}

// Cases may fail; that none succeeds is seldom what is wanted, and a table on stdout hides it.
static void warn_of_failure(const work* w, const options* o)
{
    if (w->done > 0 && w->failed == w->done) {
        const char* first = journal_read(w->journal, w->plan->shard - 1).failure;
        message_warn("%s: all %zu cases failed: %s", o->file, w->done, first ? first : "");
    }
}

static void compute(work* w, const sweep_crew* crew)
{
    const br_sweep_run_def def = {.size = sizeof(br_sweep_run_def),
                                  .threads =
                                      w->plan->threads ? w->plan->threads : crew->default_threads,
                                  .keeps_rows = w->tables != NULL,
                                  .next = get_next_case,
                                  .done = on_done,
                                  .stop = is_stopped,
                                  .user = w};
    temporary_await_signal();
    br_reason why = {"", ""};
    const br_status status = crew->run(w->plan->sweep, &def, &why);
    progress_end(&w->bar);
    if (status != BR_OK || w->problem) {
        report_stop(w, status, &why);
    }
}

// --- summaries ------------------------------------------------------------------------------------

static void print_moments(json* out, const sweep_results* r)
{
    const sweep_metadata* s = r->metadata;
    json_begin(out, "wants", '{');
    for (size_t i = 0; i < s->output_count; i++) {
        const sweep_moments m = sweep_results_moments(r, s->input_count + i);
        json_begin(out, s->columns[s->input_count + i].name, '{');
        json_text(out, "unit", s->columns[s->input_count + i].unit);
        json_count(out, "count", m.count);
        json_number(out, "mean", m.count ? m.mean : (double)NAN);
        json_number(out, "deviation", m.count ? m.deviation : (double)NAN);
        json_number(out, "least", m.least);
        json_number(out, "most", m.most);
        json_end(out, '}');
    }
    json_end(out, '}');
}

static void print_json_index(json* out, const char* key, const br_sobol_index* index)
{
    json_begin(out, key, '{');
    json_number(out, "first", index->first);
    json_numbers(out, "first_interval", (const double[]){index->first_low, index->first_high}, 2);
    json_number(out, "total", index->total);
    json_numbers(out, "total_interval", (const double[]){index->total_low, index->total_high}, 2);
    json_end(out, '}');
}

static void print_indices(json* out, const sweep_results* r)
{
    const sweep_metadata* s = r->metadata;
    br_sobol_index* indices = memory_allocate(s->drawn_count, sizeof *indices);
    json_begin(out, "sobol", '{');
    for (size_t i = 0; i < s->output_count; i++) {
        size_t left_out;
        sweep_results_indices(r, s->input_count + i, indices, &left_out);
        json_begin(out, s->columns[s->input_count + i].name, '{');
        for (size_t k = 0; k < s->drawn_count; k++) {
            print_json_index(out, s->columns[s->input_count - s->drawn_count + k].name,
                             &indices[k]);
        }
        json_count(out, "left_out", left_out);
        json_end(out, '}');
    }
    json_end(out, '}');
}

static void print_json(const sweep_results* r, double wall, size_t computed)
{
    const sweep_sums sums = sweep_results_sum(r);
    json out = {stdout, false};
    json_begin(&out, NULL, '{');
    json_count(&out, "cases", r->metadata->case_count);
    json_count(&out, "failed", sums.failed);
    print_moments(&out, r);
    if (r->metadata->has_indices) {
        print_indices(&out, r);
    }
    json_count(&out, "computed", computed);
    json_number(&out, "wall_s", wall);
    json_end(&out, '}');
    putchar('\n');
}

static void print_text_indices(const sweep_results* r, size_t column)
{
    const sweep_metadata* s = r->metadata;
    br_sobol_index* indices = memory_allocate(s->drawn_count, sizeof *indices);
    size_t left_out;
    sweep_results_indices(r, column, indices, &left_out);
    printf("  %s: share of the variance\n", s->columns[column].name);
    printf("    %-32s %-24s %s\n", "", "alone", "with interactions");
    for (size_t k = 0; k < s->drawn_count; k++) {
        printf("    %-32s %5.3f [%6.3f, %5.3f]    %5.3f [%6.3f, %5.3f]\n",
               s->columns[s->input_count - s->drawn_count + k].name, indices[k].first,
               indices[k].first_low, indices[k].first_high, indices[k].total, indices[k].total_low,
               indices[k].total_high);
    }
    if (left_out > 0) {
        printf("    without %zu samples in which a case failed\n", left_out);
    }
}

static void print_text(const char* name, const sweep_results* r, double wall, size_t computed)
{
    const sweep_metadata* s = r->metadata;
    const sweep_sums sums = sweep_results_sum(r);
    printf("%s: %zu cases, %zu failed", name, s->case_count, sums.failed);
    if (computed > 0) {
        printf(", %zu in %.3g s (%.3g/s)", computed, wall, (double)computed / wall);
    }
    putchar('\n');
    if (sums.failed > 0) {
        printf("  case %zu: %s\n", sums.first_failed, sums.first_failure);
    }
    for (size_t i = s->input_count; i < s->input_count + s->output_count; i++) {
        const sweep_moments m = sweep_results_moments(r, i);
        if (s->has_indices) {
            print_text_indices(r, i);
        } else if (m.count > 0) {
            printf("  %s: %.6g to %.6g, mean %.6g %s\n", s->columns[i].name, m.least, m.most,
                   m.mean, s->columns[i].unit);
        }
    }
}

// --- results --------------------------------------------------------------------------------------

// Opened before the run, so that a file that cannot be written is reported at once.
typedef struct outputs {
    output* results; // each NULL: not requested
    output* picture;
} outputs;

static outputs open_outputs(const options* o, const sweep_metadata* metadata)
{
    const char* name = sweep_results_name(o);
    if (o->plot) {
        plot_check_name(o->plot);
        plot_sweep_check(metadata, o->contour);
    }
    if (o->contour && !o->plot) {
        message_fail(EXIT_USAGE, "--contour needs --plot FILE");
    }
    return (outputs){name && !o->shard ? output_open(name) : NULL,
                     o->plot ? output_open(o->plot) : NULL};
}

static void report(const options* o, const sweep_results* r, const outputs* to, double wall,
                   size_t computed)
{
    const bool has_summary = o->output && strcmp(o->output, "-") != 0 && !o->quiet;
    if (o->json) {
        print_json(r, wall, computed);
    } else if (has_summary) {
        print_text(o->output, r, wall, computed);
    }
    if (to->picture) {
        plot_sweep_draw(r, o->contour, to->picture);
        if (has_summary && !o->json) {
            printf("%s: picture\n", o->plot);
        }
    }
}

static void finish(const options* o, const sweep_results* r, const outputs* to, double wall,
                   size_t computed)
{
    if (to->results) {
        sweep_results_write(r, to->results);
    }
    report(o, r, to, wall, computed);
}

// --- merging --------------------------------------------------------------------------------------

static void check_part(const journal* part, const journal* first, journal** known)
{
    if (!journal_is_of(part, &first->metadata) || part->shards != first->shards) {
        message_fail(EXIT_USAGE, "%s: is a part of another sweep than %s", part->path, first->path);
    }
    if (*known) {
        message_fail(EXIT_USAGE, "%s: is the same part as %s, %zu/%zu", part->path, (*known)->path,
                     part->shard, part->shards);
    }
}

static sweep_results open_parts(const options* o)
{
    sweep_results r = {.count = 0};
    const journal* first = NULL;
    for (size_t i = 0; i < o->word_count; i++) {
        journal* part = journal_open(o->words[i], true);
        input_remember(o->words[i]);
        if (!first) {
            first = part;
            r.count = part->shards;
            r.parts = memory_allocate(r.count, sizeof *r.parts);
        }
        check_part(part, first, &r.parts[part->shard - 1]);
        r.parts[part->shard - 1] = part;
        r.metadata = &part->metadata;
    }
    for (size_t i = 0; i < r.count; i++) {
        if (!r.parts[i]) {
            message_fail(EXIT_USAGE, "--merge: part %zu/%zu is missing", i + 1, r.count);
        }
    }
    return r;
}

static void check_whole(const sweep_results* r)
{
    // merge() has read at least one part
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
    for (size_t i = 0; i < r->metadata->case_count; i++) {
        if (!sweep_results_read(r, i).is_done) {
            message_fail(EXIT_COMPUTATION, "%s: case %zu is missing; finish it with --resume",
                         r->parts[i % r->count]->path, i);
        }
    }
}

static int merge(const options* o)
{
    if (o->pair_count > 0 || o->shard || o->resume || o->tables || o->cases || o->set_count > 0) {
        message_fail(EXIT_USAGE, "--merge takes only parts, with -o, --plot, --contour and --json");
    }
    const sweep_results r = open_parts(o);
    check_whole(&r);
    const outputs to = open_outputs(o, r.metadata);
    finish(o, &r, &to, 0, 0);
    return EXIT_DONE;
}

// --- local error propagation ----------------------------------------------------------------------

// What --local prints.
typedef struct local_result {
    const br_sweep_column *inputs, *outputs;
    size_t input_count, output_count;
    br_sweep_local* found; // (output_count)
    double* slopes;        // (output_count x input_count)
    double* deviations;    // of the inputs (input_count)
} local_result;

static void print_local_json(const local_result* r)
{
    json out = {stdout, false};
    json_begin(&out, NULL, '{');
    json_begin(&out, "local", '{');
    for (size_t i = 0; i < r->output_count; i++) {
        json_begin(&out, r->outputs[i].name, '{');
        json_text(&out, "unit", r->outputs[i].unit);
        json_number(&out, "value", r->found[i].value);
        json_number(&out, "deviation", r->found[i].deviation);
        json_begin(&out, "slopes", '{');
        for (size_t k = 0; k < r->input_count; k++) {
            json_number(&out, r->inputs[k].name, r->slopes[i * r->input_count + k]);
        }
        json_end(&out, '}');
        json_end(&out, '}');
    }
    json_end(&out, '}');
    json_end(&out, '}');
    putchar('\n');
}

static void print_local_text(const local_result* r)
{
    for (size_t i = 0; i < r->output_count; i++) {
        const double all = r->found[i].deviation;
        printf("%s: %.6g +- %.4g %s\n", r->outputs[i].name, r->found[i].value, all,
               r->outputs[i].unit);
        for (size_t k = 0; k < r->input_count; k++) {
            const double slope = r->slopes[i * r->input_count + k];
            const double own = slope * r->deviations[k] / all;
            printf("    %-32s slope %-12.5g share of the variance %.3f\n", r->inputs[k].name, slope,
                   all > 0.0 ? own * own : 0.0);
        }
    }
}

static int propagate(const options* o, const sweep_plan* plan)
{
    if (o->output || o->plot || o->shard || o->tables || o->resume || o->sobol || o->samples) {
        message_fail(EXIT_USAGE,
                     "--local draws no samples and prints its results: it takes neither --samples, "
                     "--sobol, -o, --plot, --tables, --shard nor --resume");
    }
    local_result r = {0};
    r.inputs = br_sweep_get_inputs(plan->sweep, &r.input_count);
    r.outputs = br_sweep_get_outputs(plan->sweep, &r.output_count);
    r.found = memory_allocate(r.output_count, sizeof *r.found);
    r.slopes = memory_allocate(r.output_count * r.input_count, sizeof *r.slopes);
    r.deviations = memory_allocate(r.input_count, sizeof *r.deviations);
    br_reason why = {"", ""};
    const br_status status = br_sweep_eval_local(plan->sweep, r.found, r.slopes, &why);
    if (status != BR_OK) {
        const bool is_usage = status == BR_ERR_DEF || status == BR_ERR_ARG;
        message_fail(is_usage ? EXIT_USAGE : EXIT_COMPUTATION, "%s: %s%s%s", o->file, why.field,
                     *why.field ? ": " : "", why.text);
    }
    for (size_t k = 0; k < r.input_count; k++) {
        r.deviations[k] = br_sweep_get_deviation(plan->sweep, k);
    }
    (o->json ? print_local_json : print_local_text)(&r);
    return EXIT_DONE;
}

// --- the command ----------------------------------------------------------------------------------

static void check_options(const options* o)
{
    if (o->word_count > 1) {
        message_fail(EXIT_USAGE, "sweep: takes one file; got %s and %s", o->words[0], o->words[1]);
    }
    if (o->shard && !journal_name(o)) {
        message_fail(EXIT_USAGE, "--shard needs -o PART: a file for --merge");
    }
    if (o->shard && (o->plot || o->json)) {
        message_fail(EXIT_USAGE,
                     "--shard writes a part of the results; use --plot and --json with --merge");
    }
    if (o->tables && !system_make_folder(o->tables)) {
        message_fail(EXIT_COMPUTATION, "%s: cannot be created: %s", o->tables, strerror(errno));
    }
}

// Errors of indices are about 1/sqrt(samples).
static void warn_of_samples(const options* o, const sweep_metadata* s)
{
    enum { LEAST_SAMPLES = 64 };
    const size_t samples = s->case_count / (s->drawn_count + 2);
    if (samples < LEAST_SAMPLES) {
        message_warn("%s: samples: %zu are too few for Sobol' indices, whose errors are about "
                     "1/sqrt(samples); %d or more are needed, hundreds are usual",
                     o->file, samples, LEAST_SAMPLES);
    }
}

static void on_worker_done(const br_sweep_result* got, void* user)
{
    work* w = user;
    if (w->tables && got->table && br_table_get_row_count(got->table) > 0) {
        keep_table(w, got);
    }
}

// A process that is not the leader: compute the cases that it receives.
static int compute_for_leader(const options* o, const sweep_plan* plan, const sweep_crew* crew)
{
    work w = {.plan = plan, .tables = o->tables};
    const br_sweep_run_def def = {.size = sizeof(br_sweep_run_def),
                                  .threads = plan->threads ? plan->threads : crew->default_threads,
                                  .keeps_rows = w.tables != NULL,
                                  .done = on_worker_done,
                                  .user = &w};
    br_reason why = {"", ""};
    return crew->run(plan->sweep, &def, &why) == BR_OK ? EXIT_DONE : EXIT_COMPUTATION;
}

int sweep_command(int argc, char** argv, const sweep_crew* crew)
{
    options o = options_read(argc, argv,
                             OPTION_SWEEP | OPTION_OUTPUT | OPTION_PLOT | OPTION_SET | OPTION_JSON |
                                 OPTION_QUIET | OPTION_FILES);
    if (o.merge) {
        return crew->is_leader ? merge(&o) : EXIT_DONE;
    }
    check_options(&o);
    o.file = o.words[0];
    const sweep_plan plan = sweep_plan_read(&o, crew->is_leader);
    if (o.local) {
        return crew->is_leader ? propagate(&o, &plan) : EXIT_DONE;
    }
    if (o.tables) {
        check_tables(o.tables, &plan);
    }
    if (crew->is_leader && plan.metadata.has_indices) {
        warn_of_samples(&o, &plan.metadata);
    }
    if (!crew->is_leader) {
        return compute_for_leader(&o, &plan, crew);
    }
    if (o.shard) {
        output_check_name(o.output);
    }
    const outputs to = open_outputs(&o, &plan.metadata);
    work w = {.plan = &plan, .journal = start_journal(&o, &plan), .tables = o.tables};
    find_done(&w, !o.resume);
    w.bar = progress_start(o.quiet);
    compute(&w, crew);
    const double wall = progress_clock() - w.bar.start;
    warn_of_failure(&w, &o);
    if (o.shard) {
        journal_finish(w.journal, o.output);
        if (!o.quiet) {
            printf("%s: part %zu/%zu, %zu cases, %zu failed\n", o.output, plan.shard, plan.shards,
                   w.done, w.failed);
        }
        return EXIT_DONE;
    }
    const sweep_results r = {&w.journal->metadata, &w.journal, 1};
    finish(&o, &r, &to, wall, w.done - w.before);
    journal_finish(w.journal, NULL);
    return EXIT_DONE;
}
