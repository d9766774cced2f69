/*
 * The results of a sweep.
 */
#include "sweep_results.h"

#include <math.h>
#include <string.h>

#include "digits.h"
#include "json.h"
#include "memory.h"
#include "message.h"
#include "text.h"

journal_case sweep_results_read(const sweep_results* r, size_t index)
{
    return journal_read(r->parts[index % r->count], index);
}

double sweep_results_number(const sweep_results* r, size_t index, size_t column)
{
    return sweep_results_read(r, index).numbers[column];
}

// --- statistics -----------------------------------------------------------------------------------

sweep_sums sweep_results_sum(const sweep_results* r)
{
    sweep_sums sums = {.failed = 0};
    for (size_t i = 0; i < r->metadata->case_count; i++) {
        const char* failure = sweep_results_read(r, i).failure;
        if (failure) {
            const size_t length = strlen(failure);
            if (sums.failed++ == 0) {
                sums.first_failure = memory_format("%s", failure);
                sums.first_failed = i;
            }
            sums.longest_failure = length > sums.longest_failure ? length : sums.longest_failure;
        }
    }
    return sums;
}

// Welford's algorithm, which avoids cancellation.
sweep_moments sweep_results_moments(const sweep_results* r, size_t column)
{
    sweep_moments m = {.least = HUGE_VAL, .most = -HUGE_VAL};
    double squares = 0;
    for (size_t i = 0; i < r->metadata->case_count; i++) {
        const double x = sweep_results_number(r, i, column);
        if (isfinite(x)) {
            const double before = x - m.mean;
            m.mean += before / (double)++m.count;
            squares += before * (x - m.mean);
            m.least = fmin(m.least, x);
            m.most = fmax(m.most, x);
        }
    }
    m.deviation = m.count > 1 ? sqrt(squares / (double)(m.count - 1)) : 0;
    return m;
}

void sweep_results_indices(const sweep_results* r, size_t column, br_sobol_index* indices,
                           size_t* left_out)
{
    const size_t inputs = r->metadata->drawn_count, cases = inputs + 2;
    const double centre = sweep_results_moments(r, column).mean;
    br_sobol_sums* sums = memory_allocate(inputs, sizeof *sums);
    double* f = memory_allocate(cases, sizeof *f);
    const size_t samples = r->metadata->case_count / cases;
    for (size_t s = 0; s < samples; s++) {
        for (size_t i = 0; i < cases; i++) {
            f[i] = sweep_results_number(r, s * cases + i, column);
        }
        br_sobol_add(sums, inputs, f, centre);
    }
    for (size_t i = 0; i < inputs; i++) {
        indices[i] = br_sobol_eval(&sums[i]);
    }
    *left_out = samples - (size_t)sums[0].n;
    memory_release(sums);
    memory_release(f);
}

// --- CSV ------------------------------------------------------------------------------------------

static void write_quoted(const char* text, FILE* to)
{
    if (!strpbrk(text, ",\"\n\r")) {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    for (; *text; text++) {
        fputs(*text == '"' ? "\"\"" : *text == '\n' ? " " : (char[]){*text, '\0'}, to);
    }
    fputc('"', to);
}

static void write_number(const br_sweep_column* column, double x, FILE* to)
{
    char digits[DIGITS_SIZE];
    if (column->words) {
        write_quoted(column->words[(size_t)x], to);
    } else {
        const size_t length = digits_write(x, digits);
        fwrite(digits, 1, length, to);
    }
}

static void write_csv(const sweep_results* r, FILE* to)
{
    const sweep_metadata* s = r->metadata;
    const size_t width = s->input_count + s->output_count;
    for (size_t i = 0; i < width; i++) {
        write_quoted(s->columns[i].name, to);
        fputc(',', to);
    }
    fputs("status\n", to);
    for (size_t c = 0; c < s->case_count && !ferror(to); c++) {
        const journal_case one = sweep_results_read(r, c);
        for (size_t i = 0; i < width; i++) {
            write_number(&s->columns[i], one.numbers[i], to);
            fputc(',', to);
        }
        write_quoted(one.failure ? one.failure : "ok", to);
        fputc('\n', to);
    }
}

// --- formats --------------------------------------------------------------------------------------

void sweep_results_describe(const sweep_results* r, FILE* to)
{
    const sweep_metadata* s = r->metadata;
    json out = {to, false};
    json_begin(&out, NULL, '{');
    json_text(&out, "bristle", s->version);
    json_count(&out, "cases", s->case_count);
    json_begin(&out, "shape", '[');
    for (size_t i = 0; i < s->axis_count; i++) {
        json_count(&out, NULL, s->shape[i]);
    }
    json_end(&out, ']');
    json_begin(&out, "columns", '[');
    for (size_t i = 0; i < s->input_count + s->output_count; i++) {
        json_begin(&out, NULL, '{');
        json_text(&out, "name", s->columns[i].name);
        json_text(&out, "unit", s->columns[i].unit);
        if (i < s->input_count) {
            json_count(&out, "axis", s->axes[i]);
        }
        json_end(&out, '}');
    }
    json_end(&out, ']');
    json_text(&out, "sweep", s->plan);
    json_text(&out, "file", s->name);
    json_text(&out, "set", s->set);
    json_text(&out, "scenario", s->scenario);
    json_end(&out, '}');
    fputc('\n', to);
}

static bool is_hdf5(const char* name)
{
    return text_ends_with(name, ".h5") || text_ends_with(name, ".hdf5");
}

const char* sweep_results_name(const options* o)
{
    static const char* const allowed[] = {".csv", ".npz", ".h5", ".hdf5", NULL};
    if (o->shard) { // a part may have any suffix
        return options_output_name(o);
    }
    options_check_output(o, allowed);
    const char* name = options_output_name(o);
    if (name && is_hdf5(name) && !sweep_hdf5_is_known()) {
        message_fail(EXIT_USAGE,
                     "%s: this bristle was built without HDF5 (cmake -DBRISTLE_HDF5=ON); write "
                     ".npz or .csv",
                     name);
    }
    return name;
}

// A CSV file cannot contain metadata; it is written to a JSON file next to it.
static void describe_beside(const sweep_results* r, const char* name)
{
    output* to = output_open(memory_format("%s.json", name));
    sweep_results_describe(r, to->stream);
    output_commit(to);
}

void sweep_results_write(const sweep_results* r, output* to)
{
    if (is_hdf5(to->name)) {
        sweep_results_write_hdf5(r, to);
    } else if (text_ends_with(to->name, ".npz")) {
        sweep_results_write_npz(r, to);
    } else {
        write_csv(r, to->stream);
        if (*to->temporary) {
            describe_beside(r, to->name);
        }
    }
    output_commit(to);
}
