/*
 * bristle fit law --table: g(v) as a table from rows in steady sliding.
 */
#include "fit_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit_report.h"
#include "memory.h"
#include "message.h"

// Options of fits of laws that a table does not have.
static void refuse_options(const options* o)
{
    if (o->law || o->free || o->fix || o->validate || o->robust || o->passive || o->plot) {
        message_fail(EXIT_USAGE, "--table takes no --law, --free, --fix, --validate, --robust, "
                                 "--passive, --plot");
    }
}

// --table: 0 for auto.
static size_t read_nodes(const char* text)
{
    char* end;
    errno = 0;
    const long nodes = strtol(text, &end, 10);
    if (strcmp(text, "auto") == 0) {
        return 0;
    }
    if (errno || *end || end == text || nodes < 2 || nodes > BR_CURVE_NODES) {
        message_fail(EXIT_USAGE, "--table %s: must be auto or a number of nodes from 2 to %d", text,
                     BR_CURVE_NODES);
    }
    return (size_t)nodes;
}

// The data with the resistance along +v as f.
static br_fit_law_data resistance_of(const options* o, const br_fit_law_data* given)
{
    br_fit_law_data data = *given;
    double* f = memory_allocate(data.count, sizeof *f);
    for (size_t i = 0; i < data.count; i++) {
        f[i] = o->flip_force ? -given->f[i] : given->f[i];
    }
    data.f = f;
    return data;
}

static void write_list(FILE* to, const char* name, const double* numbers, size_t count)
{
    fprintf(to, "    %s: [", name);
    for (size_t i = 0; i < count; i++) {
        fprintf(to, "%s%.9g", i > 0 ? ", " : "", numbers[i]);
    }
    fputs("]\n", to);
}

static void write_yaml(const options* o, const br_fit_table* fit, output* to)
{
    fprintf(to->stream, "# bristle fit law %s --table: %zu nodes, %.4g rms over %zu rows\n",
            o->file, fit->count, fit->rms, fit->rows);
    fprintf(to->stream, "law:\n  kind: stribeck\n  curve:\n");
    write_list(to->stream, "v", fit->v, fit->count);
    write_list(to->stream, "g", fit->g, fit->count);
    fprintf(to->stream, "motion: {velocity: {kind: ramp, to: %.9g, end: 1}}\nduration: 1\n",
            fit->v[fit->count - 1]);
    output_commit(to);
}

static void print_text(const br_fit_table* fit, double hold_out)
{
    printf("%zu rows in motion, rms %.4g", fit->rows, fit->rms);
    if (isfinite(fit->rms_held_out)) {
        printf("; %.4g on ", fit->rms_held_out);
        hold_out > 0 ? printf("the last %.0f %% of the rows", 100 * hold_out)
                     : printf("every other block of rows");
        printf(", predicted from the others");
    }
    printf("\noffset %.5g +- %.2g\n%12s %12s %12s\n", fit->offset, fit->offset_error, "v", "g",
           "interval");
    for (size_t i = 0; i < fit->count; i++) {
        printf("%12.5g %12.5g [%.5g, %.5g]\n", fit->v[i], fit->g[i], fit->low[i], fit->high[i]);
    }
}

static void print_json(const br_fit_table* fit)
{
    json out = {stdout, false};
    json_begin(&out, NULL, '{');
    json_count(&out, "rows", fit->rows);
    json_number(&out, "rms", fit->rms);
    json_number(&out, "rms_held_out", fit->rms_held_out);
    json_number(&out, "offset", fit->offset);
    json_number(&out, "offset_error", fit->offset_error);
    json_numbers(&out, "v", fit->v, fit->count);
    json_numbers(&out, "g", fit->g, fit->count);
    json_numbers(&out, "error", fit->error, fit->count);
    json_numbers(&out, "low", fit->low, fit->count);
    json_numbers(&out, "high", fit->high, fit->count);
    fit_write_warnings(&out);
    json_end(&out, '}');
    putchar('\n');
}

int fit_table(const options* o, const br_fit_law_data* given)
{
    refuse_options(o);
    const size_t nodes = read_nodes(o->table);
    const double hold_out = nodes || o->hold_out ? fit_hold_out(o) : 0.0; // 0: blocks
    const br_fit_law_data data = resistance_of(o, given);
    output* yaml = o->output ? output_open(o->output) : NULL;
    br_fit_table fit;
    br_reason why = {"", ""};
    const br_status status = br_fit_law_table(&data, nodes, hold_out, fit_level(o), &fit, &why);
    if (status != BR_OK) {
        message_fail(status == BR_ERR_MEMORY ? EXIT_COMPUTATION : EXIT_USAGE, "%s: %s: %s", o->file,
                     why.field, why.text);
    }
    if (yaml) {
        write_yaml(o, &fit, yaml);
    }
    if (o->json) {
        print_json(&fit);
    } else if (fit_prints_text(o)) {
        print_text(&fit, hold_out);
    }
    return EXIT_DONE;
}
