/*
 * Reports of fits.
 */
#include "fit_report.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "digits.h"
#include "memory.h"
#include "message.h"
#include "plot.h"
#include "system.h"
#include "temporary.h"
#include "text.h"

static double read_share(const char* option, const char* text, double default_value, double low,
                         double high, const char* allowed)
{
    double x = default_value;
    if (text && (!br_text_read_number(text, &x) || !(x >= low && x <= high))) {
        message_fail(EXIT_USAGE, "%s %s: must be %s", option, text, allowed);
    }
    return x;
}

double fit_level(const options* o)
{
    return read_share("--level", o->level, 0.95, 0.01, 0.9999, "a number from 0.01 to 0.9999");
}

double fit_hold_out(const options* o)
{
    return read_share("--hold-out", o->hold_out, 0.5, 0, 0.9, "a number from 0 to 0.9");
}

void fit_check_outputs(const options* o)
{
    static const char* const yaml[] = {".yaml", ".yml", NULL};
    if (o->plot) {
        plot_check_name(o->plot);
    }
    if (!o->predict) { // --predict writes a table
        options_check_output(o, yaml);
    }
    options_output_name(o);
}

char* fit_next_part(char** rest)
{
    char* part = *rest;
    if (part) {
        char* comma = strchr(part, ',');
        *rest = comma ? comma + 1 : NULL;
        part[strcspn(part, ",")] = '\0';
    }
    return part;
}

void fit_check_force(const options* o, const char* file, const double* column)
{
    if (o->fn_text && column) {
        message_fail(EXIT_USAGE, "--fn %s: %s has a column fn", o->fn_text, file);
    }
    if (o->fn_text && !(o->fn > 0)) {
        message_fail(EXIT_USAGE, "--fn %s: must be > 0 here [N]", o->fn_text);
    }
}

void fit_read_fix(const char* text, names list, unsigned* fixed, double* values)
{
    char* rest = memory_text(text, strlen(text));
    for (char* part; (part = fit_next_part(&rest));) {
        char* equals = strchr(part, '=');
        if (equals) {
            *equals = '\0';
        }
        const int k = text_choose("--fix", part, list);
        if (!equals || !br_text_read_number(equals + 1, &values[k])) {
            message_fail(EXIT_USAGE, "--fix %s: must be NAME=NUMBER", part);
        }
        if (*fixed >> k & 1) {
            message_fail(EXIT_USAGE, "--fix %s: is given twice", part);
        }
        *fixed |= 1u << k;
    }
}

// --- progress ---------------------------------------------------------------------------------------

static void on_progress(double fraction, double rms, void* user)
{
    fit_watcher* w = user;
    (void)rms;
    progress_show(&w->bar, fraction);
}

static bool stops(void* user)
{
    const fit_watcher* w = user;
    return temporary_signal() != 0 || progress_clock() > w->deadline;
}

fit_watcher fit_watcher_start(const options* o)
{
    temporary_await_signal();
    return (fit_watcher){progress_start(o->quiet || o->json), progress_clock() + o->max_time};
}

br_fit_watch fit_watch(fit_watcher* w)
{
    return (br_fit_watch){on_progress, stops, w};
}

// --- estimates --------------------------------------------------------------------------------------

void fit_print_estimate(const br_fit_estimate* e)
{
    if (e->is_fixed) {
        printf("  %-12s %11.5g %-6s given\n", e->name, e->value, e->unit);
        return;
    }
    printf("  %-12s %11.5g %-6s +- %-9.2g [%.5g, %.5g]%s%s\n", e->name, e->value, e->unit, e->error,
           e->low, e->high, *e->words ? "  " : "", e->words);
}

bool fit_prints_text(const options* o)
{
    return !o->quiet && !(o->output && strcmp(o->output, "-") == 0);
}

int fit_end(br_status status)
{
    if (status == BR_ERR_STOPPED) {
        message_warn("stopped: this is the best so far");
    }
    return status == BR_OK ? EXIT_DONE : EXIT_COMPUTATION;
}

void fit_write_warnings(json* out)
{
    json_begin(out, "warnings", '[');
    for (size_t i = 0; i < message_warning_count(); i++) {
        json_text(out, NULL, message_warning(i));
    }
    json_end(out, ']');
}

void fit_write_estimate(json* out, const br_fit_estimate* e)
{
    json_begin(out, e->name, '{');
    json_number(out, "value", e->value);
    json_text(out, "unit", e->unit);
    json_number(out, "error", e->error);
    json_number(out, "low", e->low);
    json_number(out, "high", e->high);
    json_flag(out, "estimated", !e->is_fixed);
    json_flag(out, "determined", e->is_identifiable);
    json_text(out, "words", e->words);
    json_end(out, '}');
}

// --- a law ------------------------------------------------------------------------------------------

// Is parameter k estimated or fixed in this fit?
static bool has(const fit_law_report* r, int k)
{
    const br_fit_estimate* e = &r->fit->estimates[k];
    return !e->is_fixed || r->def->fixed >> k & 1;
}

static void print_choice(const fit_law_report* r)
{
    printf(
        "laws, from the simplest on: error where they have seen the data, where they have not, BIC\n");
    for (int k = 0; k < BR_FIT_LAW_COUNT; k++) {
        if (r->all->fitted >> k & 1) {
            const br_fit_law_result* fit = &r->all->fits[k];
            printf("  %-15s %10.4g %10.4g %12.1f%s\n", br_fit_law_kind_get_name((br_fit_law_kind)k),
                   fit->rms, fit->rms_held_out, fit->bic, k == (int)r->all->law ? "  <-" : "");
        }
    }
}

static size_t count_fits(const fit_law_report* r)
{
    size_t count = 0;
    for (int k = 0; k < BR_FIT_LAW_COUNT; k++) {
        count += r->all->fitted >> k & 1;
    }
    return count;
}

// what: "the offset depends on it"; to the lowest and the highest value.
static void print_map(const br_fit_offset_map* map, const char* what)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < map->count; i++) {
        low = fmin(low, map->offset[i]);
        high = fmax(high, map->offset[i]);
    }
    if (map->count > 0) {
        printf("  position     %s: %.3g to %.3g at positions from %.3g to %.3g, %zu places\n", what,
               low, high, map->from, map->to, map->count);
    }
}

static void write_map(json* out, const char* name, const char* value, const br_fit_offset_map* map)
{
    json_begin(out, name, '{');
    json_number(out, "from", map->from);
    json_number(out, "to", map->to);
    json_numbers(out, value, map->offset, map->count);
    json_end(out, '}');
}

static void print_residuals(const fit_law_report* r)
{
    const br_fit_law_result* fit = r->fit;
    printf("  residuals    %.4g rms over %zu rows; %s (neighbours correlate by %.2f)\n", fit->rms,
           fit->count, fit->is_white ? "white" : "not white: the law misses something",
           fit->lag_correlation);
    if (fit->widening > 1) {
        printf("               errors and intervals are widened %.2g times for that\n",
               fit->widening);
    }
    if (isfinite(fit->rms_held_out) && r->validate) {
        printf("  validation   %.4g rms on %s\n", fit->rms_held_out, r->validate);
    } else if (isfinite(fit->rms_held_out)) {
        printf("  held out     %.4g rms on the last %.0f %% of the rows, fitted to the others\n",
               fit->rms_held_out, 100 * r->hold_out);
    }
    if (fit->outliers > 0) {
        printf("  outliers     %zu, the first in row %zu\n", fit->outliers, fit->first_outlier + 1);
    }
}

// The parameters that --law auto has added.
static void print_added(unsigned added)
{
    const char* list[BR_FIT_COUNT + 1] = {NULL};
    size_t count = 0;
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        if (added >> k & 1) {
            list[count++] = br_fit_law_get_parameter_name(k);
        }
    }
    if (count > 0) {
        printf("added, since the held-out error is smaller with: %s\n", text_join(list));
    }
}

static void print_text(const fit_law_report* r)
{
    const br_fit_law_result* fit = r->fit;
    if (count_fits(r) > 1) {
        print_choice(r);
    }
    print_added(r->all->added);
    printf("%s, %.4g %% intervals\n", br_fit_law_kind_get_name(fit->kind), 100 * r->def->level);
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        if (has(r, k)) {
            fit_print_estimate(&fit->estimates[k]);
        }
    }
    print_map(&fit->map, "the offset depends on it");
    print_map(&fit->friction_map, "friction is 1 + this times the law's");
    print_residuals(r);
    if (fit->passivity_margin < 0) {
        printf(
            "  passivity    missed by %.3g: some motions may gain energy; --passive forbids that\n",
            -fit->passivity_margin);
    }
    if (fit->next.parameter >= 0 && fit->next.shrinkage < 1) {
        printf("  next         %s: %s would make its error %.2g times what it is\n",
               br_fit_law_get_parameter_name(fit->next.parameter), fit->next.words,
               fit->next.shrinkage);
    }
}

static void write_correlations(json* out, const br_fit_law_result* fit)
{
    json_begin(out, "correlation", '{');
    for (int i = 0; i < BR_FIT_COUNT; i++) {
        if (!(fit->estimated >> i & 1)) {
            continue;
        }
        json_begin(out, br_fit_law_get_parameter_name(i), '{');
        for (int j = 0; j < BR_FIT_COUNT; j++) {
            if (fit->estimated >> j & 1) {
                json_number(out, br_fit_law_get_parameter_name(j), fit->correlation[i][j]);
            }
        }
        json_end(out, '}');
    }
    json_end(out, '}');
}

static void write_fit(json* out, const fit_law_report* r, const br_fit_law_result* fit)
{
    json_text(out, "law", br_fit_law_kind_get_name(fit->kind));
    json_begin(out, "parameters", '{');
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        if (!fit->estimates[k].is_fixed || r->def->fixed >> k & 1) {
            fit_write_estimate(out, &fit->estimates[k]);
        }
    }
    json_end(out, '}');
    write_correlations(out, fit);
    json_count(out, "rows", fit->count);
    json_number(out, "rms", fit->rms);
    json_number(out, "validation_rms", fit->rms_held_out);
    json_number(out, "offset", fit->estimates[BR_FIT_OFFSET].value);
    json_number(out, "delay", fit->estimates[BR_FIT_DELAY].value);
    write_map(out, "offset_by_position", "offset", &fit->map);
    write_map(out, "friction_by_position", "gain", &fit->friction_map);
    json_number(out, "noise", fit->noise);
    json_number(out, "speed_noise", fit->speed_noise);
    json_number(out, "bic", fit->bic);
    json_number(out, "lag_correlation", fit->lag_correlation);
    json_flag(out, "white", fit->is_white);
    json_number(out, "widening", fit->widening);
    json_count(out, "outliers", fit->outliers);
    json_number(out, "passivity_margin", fit->passivity_margin);
    json_flag(out, "converged", fit->is_converged);
    json_count(out, "evaluations", fit->evaluations);
}

static void print_json(const fit_law_report* r)
{
    const br_fit_law_result* fit = r->fit;
    json out = {stdout, false};
    json_begin(&out, NULL, '{');
    write_fit(&out, r, fit);
    json_begin(&out, "next", '{');
    json_text(&out, "parameter",
              fit->next.parameter < 0 ? "" : br_fit_law_get_parameter_name(fit->next.parameter));
    json_text(&out, "words", fit->next.words);
    json_number(&out, "shrinkage", fit->next.shrinkage);
    json_end(&out, '}');
    json_begin(&out, "models", '{');
    for (int k = 0; k < BR_FIT_LAW_COUNT; k++) {
        if (r->all->fitted >> k & 1) {
            json_begin(&out, br_fit_law_kind_get_name((br_fit_law_kind)k), '{');
            write_fit(&out, r, &r->all->fits[k]);
            json_end(&out, '}');
        }
    }
    json_end(&out, '}');
    fit_write_warnings(&out);
    json_end(&out, '}');
    putchar('\n');
}

// --- YAML ----------------------------------------------------------------------------------------------

// A quoted YAML string.
static void write_quoted(const char* text, FILE* to)
{
    fputc('"', to);
    for (; *text; text++) {
        fprintf(to, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    }
    fputc('"', to);
}

// The fastest speed of the data.
static double fastest_of(const br_fit_law_data* d)
{
    double fastest = 0;
    for (size_t i = 0; i < d->count; i++) {
        fastest = fmax(fastest, fabs(d->v[i]));
    }
    return fastest;
}

// A law of a file needs dry friction. Where the fit has none, it gets some that has no effect beside the viscous friction.
static br_law runnable(const fit_law_report* r)
{
    static const double no_effect = 1e-9;
    br_law law = r->fit->law;
    if (!(law.mu_c > 0)) {
        law.mu_c = law.mu_s = no_effect * fmax(law.sigma2 * fastest_of(&r->def->data), no_effect);
        message_warn("%s: the fit has no dry friction, mu_c = 0; the file has %.3g, which has no "
                     "effect, since a law needs some",
                     r->file, law.mu_c);
    }
    return law;
}

// The law with its parameters.
static void write_law(const br_law* law, FILE* to)
{
    fprintf(to, "law:\n  kind: %s\n", br_law_get_name(law->kind));
    for (size_t i = 0; br_law_get_parameter(i); i++) {
        const br_law_parameter* p = br_law_get_parameter(i);
        char text[DIGITS_SIZE];
        if (p->laws >> law->kind & 1) {
            digits_write(*(const double*)((const char*)law + p->offset), text);
            fprintf(to, "  %s: %s # %s\n", p->name, text, p->unit);
        }
    }
}

// The measured motion, for a run with the law. The path is absolute: `run` reads files relative to the YAML file.
static void write_motion(const fit_law_report* r, FILE* to)
{
    char folder[SYSTEM_PATH];
    const br_fit_law_data* d = &r->def->data;
    const bool is_absolute = system_is_absolute(r->file) || !system_current_folder(folder);
    const char* file = is_absolute ? r->file : memory_format("%s/%s", folder, r->file);
    if (!d->t) {
        fprintf(to, "motion: {velocity: {kind: ramp, to: %.9g, end: 1}}\nduration: 1\n",
                fastest_of(d));
        return;
    }
    if (isfinite(r->fn)) {
        fputs("motion:\n  velocity: {file: ", to);
        write_quoted(file, to);
        fprintf(to, ", column: v}\n  normal_force: %.15g\nduration: %.15g\n", r->fn,
                d->t[d->count - 1]);
    } else {
        fputs("motion: {file: ", to);
        write_quoted(file, to);
        fputs("}\n", to);
    }
}

static void write_yaml(const fit_law_report* r, output* to)
{
    fprintf(to->stream, "# bristle fit law %s: %s, %.4g rms over %zu rows\n", r->file,
            br_fit_law_kind_get_name(r->fit->kind), r->fit->rms, r->fit->count);
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        const br_fit_estimate* e = &r->fit->estimates[k];
        if (!e->is_fixed) {
            fprintf(to->stream, "# %s: %.5g [%.5g, %.5g]%s%s\n", e->name, e->value, e->low, e->high,
                    *e->words ? ", " : "", e->words);
        }
    }
    const br_law law = runnable(r);
    write_law(&law, to->stream);
    write_motion(r, to->stream);
    output_commit(to);
}

void fit_law_print(const options* o, const fit_law_report* r, output* yaml)
{
    if (yaml) {
        write_yaml(r, yaml);
    }
    if (o->json) {
        print_json(r);
    } else if (fit_prints_text(o)) {
        print_text(r);
    }
}
