/*
 * bristle fit contact: law, size and pressure of a contact.
 */
#include "fit_contact.h"

#include <math.h>
#include <string.h>

#include "bristle/fit_contact.h"
#include "digits.h"
#include "fit.h"
#include "fit_patch.h"
#include "fit_report.h"
#include "input.h"
#include "memory.h"
#include "message.h"
#include "plot.h"
#include "text.h"

// In the order of BR_METHOD_LIST, those that can be fitted.
static const char* const method_names[] = {"blocks", "distributed", NULL};

static void read_model(const options* o, br_fit_contact_def* def)
{
    static const char* const laws[] = {"lugre", "elasto-plastic", NULL};
    static const br_law_kind kinds[] = {BR_LAW_LUGRE, BR_LAW_ELASTO_PLASTIC};
    def->law = o->law ? kinds[text_choose("--law", o->law, laws)] : def->law;
    if (o->method) {
        def->method = (br_method)text_choose("--method", o->method, method_names);
    }
    const bool is_blocks = def->method == BR_METHOD_BLOCKS;
    def->resolution =
        o->cells ? text_read_whole("--cells", o->cells, is_blocks ? 1 : 2, is_blocks ? 16 : 64) : 0;
    if (o->patch) {
        def->patch = fit_read_anisotropic_patch("--patch", o->patch, &def->anisotropy);
    }
}

static void read_free(const char* text, br_fit_contact_def* def)
{
    static const int parameters[] = {BR_FIT_CONTACT_RATIO, BR_FIT_CONTACT_ANGLE};
    const char* const list[] = {br_fit_contact_get_parameter_name(parameters[0]),
                                br_fit_contact_get_parameter_name(parameters[1]), NULL};
    char* rest = memory_text(text, strlen(text));
    for (char* part; (part = fit_next_part(&rest));) {
        def->free |= 1u << parameters[text_choose("--free", part, list)];
    }
}

static void read_fix(const char* text, br_fit_contact_def* def)
{
    const char* list[BR_FIT_CONTACT_COUNT + 1] = {NULL};
    for (int k = 0; k < BR_FIT_CONTACT_COUNT; k++) {
        list[k] = br_fit_contact_get_parameter_name(k);
    }
    fit_read_fix(text, list, &def->fixed, def->values);
    if (def->fixed >> BR_FIT_CONTACT_RATIO) {
        message_fail(EXIT_USAGE,
                     "--fix %s: the file of --patch gives it: anisotropy: {ratio, angle}", text);
    }
}

static br_fit_contact_data read_data(const options* o)
{
    static const char* const columns[] = {"t", "vx", "vy", "w", "fx", "fy", "tau", "fn", NULL};
    const csv in = input_csv(o->file, columns, o->fn_text ? 7 : 8);
    const double* fn = in.columns[7];
    fit_check_force(o, o->file, fn);
    if (!fn) {
        double* constant = memory_allocate(in.rows, sizeof *constant);
        for (size_t i = 0; i < in.rows; i++) {
            constant[i] = o->fn;
        }
        fn = constant;
    }
    return (br_fit_contact_data){in.rows,       in.columns[0], in.columns[1],
                                 in.columns[2], in.columns[3], in.columns[4],
                                 in.columns[5], in.columns[6], fn};
}

static double value_of(const br_fit_contact_result* fit, int k)
{
    return fit->estimates[k].value;
}

static bool has(const br_fit_contact_result* fit, int k)
{
    return fit->has >> k & 1;
}

// Sizes relative to the given patch, or to the disc of br_patch_def_default().
static double scale_of(const br_patch_def* patch, const br_fit_contact_result* fit)
{
    return has(fit, BR_FIT_CONTACT_RADIUS)
               ? value_of(fit, BR_FIT_CONTACT_RADIUS) / br_by_force_eval(patch->radius, 1)
               : value_of(fit, BR_FIT_CONTACT_SCALE);
}

static br_patch_def patch_of(const br_fit_contact_def* def)
{
    br_patch_def disc = br_patch_def_default();
    disc.pressure = BR_PRESSURE_POWER;
    return def->patch ? *br_patch_get_def(def->patch) : disc;
}

// A scenario of the contact with an example motion.
static void write_yaml(const options* o, const br_fit_contact_def* def,
                       const br_fit_contact_result* fit, output* to)
{
    const br_patch_def patch = patch_of(def);
    char text[DIGITS_SIZE];
    fprintf(to->stream, "# bristle fit contact %s: %.4g N, %.4g N m rms\nfriction:\n", o->file,
            fit->rms_force, fit->rms_torque);
    for (int k = 0; k < BR_FIT_CONTACT_COUNT; k++) {
        const bool is_of_law = k <= BR_FIT_CONTACT_S_BA || k == BR_FIT_CONTACT_V_DAMPING;
        if (has(fit, k) && is_of_law) {
            digits_write(value_of(fit, k), text);
            fprintf(to->stream, "  %s: %s\n", br_fit_contact_get_parameter_name(k), text);
        }
    }
    if (has(fit, BR_FIT_CONTACT_RATIO)) {
        char angle[DIGITS_SIZE];
        digits_write(value_of(fit, BR_FIT_CONTACT_RATIO), text);
        digits_write(value_of(fit, BR_FIT_CONTACT_ANGLE), angle);
        fprintf(to->stream, "  anisotropy: {ratio: %s, angle: %s}\n", text, angle);
    }
    fprintf(to->stream, "  elasto_plastic: %s\nmodel: %s\ncontact:\n  normal_force: 1\n  patch: ",
            def->law == BR_LAW_ELASTO_PLASTIC ? "true" : "false", method_names[def->method]);
    fit_write_patch(&patch, scale_of(&patch, fit), value_of(fit, BR_FIT_CONTACT_K), to);
    fputs("\nmotion: {vx: 0.01, vy: 0, w: 1}\nduration: 1\n", to->stream);
    output_commit(to);
}

static void write_correlations(json* out, const br_fit_contact_result* fit)
{
    json_begin(out, "correlation", '{');
    for (int i = 0; i < BR_FIT_CONTACT_COUNT; i++) {
        if (!has(fit, i) || fit->correlation[i][i] == 0) {
            continue;
        }
        json_begin(out, br_fit_contact_get_parameter_name(i), '{');
        for (int j = 0; j < BR_FIT_CONTACT_COUNT; j++) {
            if (has(fit, j) && fit->correlation[j][j] != 0) {
                json_number(out, br_fit_contact_get_parameter_name(j), fit->correlation[i][j]);
            }
        }
        json_end(out, '}');
    }
    json_end(out, '}');
}

static void print_json(const br_fit_contact_def* def, const br_fit_contact_result* fit)
{
    json out = {stdout, false};
    json_begin(&out, NULL, '{');
    json_text(&out, "law", br_law_get_name(def->law));
    json_text(&out, "method", method_names[def->method]);
    json_begin(&out, "parameters", '{');
    for (int k = 0; k < BR_FIT_CONTACT_COUNT; k++) {
        if (has(fit, k)) {
            fit_write_estimate(&out, &fit->estimates[k]);
        }
    }
    json_end(&out, '}');
    write_correlations(&out, fit);
    json_count(&out, "rows", def->data.count);
    json_number(&out, "bic", fit->bic);
    json_number(&out, "widening", fit->widening);
    json_number(&out, "rms_force", fit->rms_force);
    json_number(&out, "rms_torque", fit->rms_torque);
    json_flag(&out, "converged", fit->is_converged);
    json_count(&out, "evaluations", fit->evaluations);
    fit_write_warnings(&out);
    json_end(&out, '}');
    putchar('\n');
}

static void print_text(const br_fit_contact_def* def, const br_fit_contact_result* fit)
{
    const br_patch_def patch = patch_of(def);
    printf("%s on %s of a %s, %.4g %% intervals\n", br_law_get_name(def->law),
           def->method == BR_METHOD_BLOCKS ? "blocks" : "cells", br_shape_get_name(patch.shape),
           100 * def->level);
    for (int k = 0; k < BR_FIT_CONTACT_COUNT; k++) {
        if (has(fit, k)) {
            fit_print_estimate(&fit->estimates[k]);
        }
    }
    printf("  residuals    %.4g N, %.4g N m rms over %zu rows\n", fit->rms_force, fit->rms_torque,
           def->data.count);
    if (fit->widening > 1) {
        printf("               not white: errors and intervals are widened %.2g times for that\n",
               fit->widening);
    }
}

// Measured and fitted wrenches over time.
static void draw(const options* o, const br_fit_contact_def* def, const br_fit_contact_result* fit,
                 output* to)
{
    static const char* const columns[] = {"t",         "fx",  "fitted fx",  "fy",
                                          "fitted fy", "tau", "fitted tau", NULL};
    const br_fit_contact_data* d = &def->data;
    const size_t n = d->count;
    double* wrench = memory_allocate(3 * n, sizeof *wrench);
    br_reason why = {"", ""};
    if (br_fit_contact_eval(def, fit, d, wrench, &why) != BR_OK) {
        message_fail(EXIT_COMPUTATION, "%s", why.text);
    }
    table rows = table_create(columns);
    for (size_t i = 0; i < n; i++) {
        table_append(&rows, (const double[]){d->t[i], d->fx[i], wrench[i], d->fy[i], wrench[n + i],
                                             d->tau[i], wrench[2 * n + i]});
    }
    const plot_panel panels[] = {{"force along x [N]", {{1, "measured"}, {2, "fitted"}}},
                                 {"force along y [N]", {{3, "measured"}, {4, "fitted"}}},
                                 {"torque [N m]", {{5, "measured"}, {6, "fitted"}}}};
    const br_patch_def patch = patch_of(def);
    const bool is_round = has(fit, BR_FIT_CONTACT_RADIUS);
    const double size =
        is_round ? 1e3 * value_of(fit, BR_FIT_CONTACT_RADIUS) : scale_of(&patch, fit);
    const plot picture = {
        .title = memory_format("%s: %s on a %s, %s %.3g%s", text_stem(o->file),
                               br_law_get_name(def->law), br_shape_get_name(patch.shape),
                               is_round ? "radius" : "scale", size, is_round ? " mm" : ""),
        .x_label = "t [s]",
        .panels = panels,
        .count = 3};
    plot_draw(&picture, &rows, to);
}

static void warn_of_units(const options* o, const br_fit_contact_data* d)
{
    const char* doubt = br_fit_contact_data_doubt(d);
    if (doubt) {
        message_warn("%s: %s", o->file, doubt);
    }
}

static void warn_of_noise(const options* o, const br_fit_contact_result* fit)
{
    if (fit->noise_is_felt) {
        message_warn(
            "%s: noise in the twist, about %.2g m/s, %.2g m/s, %.2g rad/s, is more than a tenth of v_s: "
            "intervals of mu_s, v_s, sigma0 and sigma1 are too narrow; filter it without delay",
            o->file, fit->noise.vx, fit->noise.vy, fit->noise.w);
    }
}

int fit_contact_main(int argc, char** argv)
{
    const options o =
        options_read(argc, argv,
                     OPTION_OUTPUT | OPTION_PLOT | OPTION_JSON | OPTION_QUIET | OPTION_MAX_TIME |
                         OPTION_FN | OPTION_FIT | OPTION_FIT_LAW | OPTION_FIT_CONTACT);
    br_fit_contact_def def = br_fit_contact_def_default();
    def.level = fit_level(&o);
    def.flip_force = o.flip_force;
    if (o.fix) {
        read_fix(o.fix, &def);
    }
    if (o.free) {
        read_free(o.free, &def);
    }
    if (o.robust || o.passive || o.hold_out || o.validate || o.table) {
        message_fail(EXIT_USAGE,
                     "fit contact: takes no --robust, --passive, --hold-out, --validate, --table");
    }
    fit_check_outputs(&o);
    read_model(&o, &def);
    def.data = read_data(&o);
    warn_of_units(&o, &def.data);
    output* yaml = o.output ? output_open(o.output) : NULL;
    output* picture = o.plot ? output_open(o.plot) : NULL;
    fit_watcher watcher = fit_watcher_start(&o);
    const br_fit_watch watch = fit_watch(&watcher);
    br_fit_contact_result fit;
    br_reason why = {"", ""};
    const br_status status = br_fit_contact(&def, &watch, &fit, &why);
    progress_end(&watcher.bar);
    if (status != BR_OK && (status != BR_ERR_STOPPED || fit.evaluations == 0)) {
        message_fail(status == BR_ERR_DEF ? EXIT_USAGE : EXIT_COMPUTATION, "%s: %s%s%s", o.file,
                     why.field, *why.field ? ": " : "", why.text);
    }
    warn_of_noise(&o, &fit);
    if (yaml) {
        write_yaml(&o, &def, &fit, yaml);
    }
    if (o.json) {
        print_json(&def, &fit);
    } else if (fit_prints_text(&o)) {
        print_text(&def, &fit);
    }
    if (picture) {
        draw(&o, &def, &fit, picture);
    }
    return fit_end(status);
}
