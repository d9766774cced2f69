/*
 * bristle fit contact: law, radius and pressure of a round contact.
 */
#include "fit_contact.h"

#include <math.h>

#include "bristle/fit_contact.h"
#include "digits.h"
#include "fit.h"
#include "fit_report.h"
#include "input.h"
#include "memory.h"
#include "message.h"
#include "plot.h"

static void read_fix(const char* text, br_fit_contact_def* def)
{
    const char* list[BR_FIT_CONTACT_COUNT + 1] = {NULL};
    for (int k = 0; k < BR_FIT_CONTACT_COUNT; k++) {
        list[k] = br_fit_contact_get_name(k);
    }
    fit_read_fix(text, list, &def->fixed, def->values);
}

static br_fit_contact_data read_data(const options* o)
{
    static const char* const columns[] = {"t", "vx", "vy", "w", "fx", "fy", "tau", "fn", NULL};
    const csv in = input_csv(o->file, columns, o->fn_text ? 7 : 8);
    double* fn = in.columns[7];
    if (!fn) {
        fn = memory_allocate(in.rows, sizeof *fn);
        for (size_t i = 0; i < in.rows; i++) {
            fn[i] = o->fn;
        }
    }
    return (br_fit_contact_data){in.rows,       in.columns[0], in.columns[1],
                                 in.columns[2], in.columns[3], in.columns[4],
                                 in.columns[5], in.columns[6], fn};
}

// A scenario of that contact under a motion of its own, to go on from.
static void write_yaml(const options* o, const br_fit_contact_result* fit, output* to)
{
    const struct {
        const char* name;
        double value;
    } law[] = {{"mu_c", fit->law.mu_c},      {"mu_s", fit->law.mu_s},
               {"v_s", fit->law.v_stribeck}, {"sigma0", fit->law.sigma0},
               {"sigma1", fit->law.sigma1},  {"sigma2", fit->law.sigma2}};
    char text[DIGITS_ROOM], k[DIGITS_ROOM];
    fprintf(to->stream, "# bristle fit contact %s: %.4g N, %.4g N m rms\nfriction:\n", o->file,
            fit->rms_force, fit->rms_torque);
    for (size_t i = 0; i < sizeof law / sizeof *law; i++) {
        digits_write(law[i].value, text);
        fprintf(to->stream, "  %s: %s\n", law[i].name, text);
    }
    digits_write(fit->radius, text);
    digits_write(fit->k, k);
    fprintf(
        to->stream,
        "  elasto_plastic: false\nmodel: distributed\ncontact:\n  normal_force: 1\n  patch: {shape: disc, "
        "radius: %s, pressure: {kind: power, k: %s}}\nmotion: {vx: 0.01, vy: 0, w: 1}\nduration: 1\n",
        text, k);
    output_commit(to);
}

static void print_json(const br_fit_contact_result* fit)
{
    json out = {stdout, false};
    json_begin(&out, NULL, '{');
    json_begin(&out, "parameters", '{');
    for (int k = 0; k < BR_FIT_CONTACT_COUNT; k++) {
        fit_write_estimate(&out, &fit->estimates[k]);
    }
    json_end(&out, '}');
    json_begin(&out, "correlation", '{');
    for (int k = 0; k < BR_FIT_CONTACT_COUNT; k++) {
        json_numbers(&out, br_fit_contact_get_name(k), fit->correlation[k], BR_FIT_CONTACT_COUNT);
    }
    json_end(&out, '}');
    json_number(&out, "rms_force", fit->rms_force);
    json_number(&out, "rms_torque", fit->rms_torque);
    json_flag(&out, "converged", fit->is_converged);
    json_count(&out, "evaluations", fit->evaluations);
    json_end(&out, '}');
    putchar('\n');
}

static void print_text(const br_fit_contact_def* def, const br_fit_contact_result* fit)
{
    printf("lugre on a disc, %.4g %% intervals\n", 100 * def->level);
    for (int k = 0; k < BR_FIT_CONTACT_COUNT; k++) {
        fit_print_estimate(&fit->estimates[k]);
    }
    printf("  residuals    %.4g N, %.4g N m rms over %zu rows\n", fit->rms_force, fit->rms_torque,
           def->data.count);
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
    if (br_fit_contact_eval(fit, d, def->rings, wrench) != BR_OK) {
        message_fail(EXIT_COMPUTATION, "out of memory");
    }
    table rows = table_create(columns);
    for (size_t i = 0; i < n; i++) {
        table_append(&rows, (const double[]){d->t[i], d->fx[i], wrench[i], d->fy[i], wrench[n + i],
                                             d->tau[i], wrench[2 * n + i]});
    }
    const plot_panel panels[] = {{"force along x [N]", {{1, "measured"}, {2, "fitted"}}},
                                 {"force along y [N]", {{3, "measured"}, {4, "fitted"}}},
                                 {"torque [N m]", {{5, "measured"}, {6, "fitted"}}}};
    const plot picture = {.title = memory_format("%s: a disc of %.3g mm, k = %.3g",
                                                 bri_text_stem(memory_pool(), o->file),
                                                 1e3 * fit->radius, fit->k),
                          .x_label = "t [s]",
                          .panels = panels,
                          .count = 3};
    plot_draw(&picture, &rows, to);
}

int fit_contact_main(int argc, char** argv)
{
    const options o = options_read(argc, argv,
                                   OPTION_OUTPUT | OPTION_PLOT | OPTION_JSON | OPTION_QUIET |
                                       OPTION_MAX_TIME | OPTION_FN | OPTION_FIT | OPTION_FIT_LAW);
    br_fit_contact_def def = br_fit_contact_def_default();
    def.level = fit_level(&o);
    if (o.fix) {
        read_fix(o.fix, &def);
    }
    if (o.law || o.free || o.robust || o.passive || o.hold_out) {
        message_fail(EXIT_USAGE,
                     "fit contact: takes no --law, --free, --robust, --passive, --hold-out");
    }
    fit_check_places(&o);
    def.data = read_data(&o);
    output* yaml = o.output ? output_open(o.output) : NULL;
    output* picture = o.plot ? output_open(o.plot) : NULL;
    fit_watcher watcher = fit_watcher_begin(&o);
    const br_fit_watch watch = fit_watch(&watcher);
    br_fit_contact_result fit;
    br_reason why = {"", ""};
    const br_status status = br_fit_contact(&def, &watch, &fit, &why);
    progress_end(&watcher.bar);
    if (status != BR_OK && (status != BR_ERR_STOPPED || fit.evaluations == 0)) {
        message_fail(status == BR_ERR_DEF ? EXIT_USAGE : EXIT_COMPUTATION, "%s: %s%s%s", o.file,
                     why.field, *why.field ? ": " : "", why.text);
    }
    if (yaml) {
        write_yaml(&o, &fit, yaml);
    }
    if (o.json) {
        print_json(&fit);
    } else if (fit_is_told(&o)) {
        print_text(&def, &fit);
    }
    if (picture) {
        draw(&o, &def, &fit, picture);
    }
    return fit_end(status);
}
