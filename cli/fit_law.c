/*
 * bristle fit law: a friction law from motion.
 */
#include "fit_law.h"

#include <math.h>
#include <string.h>

#include "bristle/fit_law.h"
#include "fit.h"
#include "fit_report.h"
#include "fit_table.h"
#include "input.h"
#include "memory.h"
#include "message.h"
#include "plot.h"
#include "plot_fit.h"
#include "temporary.h"
#include "text.h"

static names law_names(void)
{
    const char** list = memory_allocate(BR_FIT_LAW_COUNT + 2, sizeof *list);
    for (int k = 0; k < BR_FIT_LAW_COUNT; k++) {
        list[k] = br_fit_law_kind_get_name((br_fit_law_kind)k);
    }
    list[BR_FIT_LAW_COUNT] = "auto";
    return list;
}

static names parameter_names(void)
{
    const char** list = memory_allocate(BR_FIT_COUNT + 1, sizeof *list);
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        list[k] = br_fit_law_get_parameter_name(k);
    }
    return list;
}

static void read_free(const char* text, br_fit_law_def* def)
{
    const unsigned optional = BR_FIT_EXPONENTS | ~0u << BR_FIT_DELAY;
    char* rest = memory_text(text, strlen(text));
    for (char* part; (part = fit_next_part(&rest));) {
        const int k = text_choose("--free", part, parameter_names());
        if (k == BR_FIT_V_DAMPING) {
            message_fail(EXIT_USAGE, "--free %s: is not estimated; --fix %s=... gives it", part,
                         part);
        }
        if (!(optional >> k & 1)) {
            message_fail(EXIT_USAGE, "--free %s: is estimated anyway", part);
        }
        def->free |= 1u << k;
    }
}

// A named law must have the parameters that --fix and --free name; with --law auto some of the laws have them.
static void check_parameters(const options* o, const br_fit_law_def* def)
{
    if (!o->law || strcmp(o->law, "auto") == 0) {
        return;
    }
    const br_fit_law_kind law = (br_fit_law_kind)text_choose("--law", o->law, law_names());
    const unsigned viscous = 1u << BR_FIT_MU_C | 1u << BR_FIT_SIGMA2;
    for (int k = 0; k < BR_FIT_OFFSET; k++) {
        const bool has = law == BR_FIT_LAW_VISCOUS
                             ? viscous >> k & 1
                             : br_law_get_parameter((size_t)k)->laws >> br_fit_law_get_law(law) & 1;
        if ((def->fixed | def->free) >> k & 1 && !has) {
            message_fail(EXIT_USAGE, "--%s %s: %s has no such parameter",
                         def->fixed >> k & 1 ? "fix" : "free", br_fit_law_get_parameter_name(k),
                         o->law);
        }
    }
}

// Measurements.
typedef struct fit_law_data {
    br_fit_law_data rows;
    const double* x;    // NULL: not given
    double speed_noise; // in v; NaN: unknown
} fit_law_data;

// --- data -------------------------------------------------------------------------------------------

// The same normal force in all rows.
static const double* repeat(double value, size_t count)
{
    double* all = memory_allocate(count, sizeof *all);
    for (size_t i = 0; i < count; i++) {
        all[i] = value;
    }
    return all;
}

// Columns of the file; v, t, x, fn and load may be missing.
static fit_law_data read_columns(const options* o, const char* file)
{
    static const char* const columns[] = {"f",    "t",         "v",    "fn",      "load", "x",
                                          "time", "timestamp", "Time", "seconds", NULL};
    const csv in = input_csv(file, columns, 1);
    // without t rows would count as steady points: a wrong answer without a word
    for (size_t i = 6; columns[i] && !in.columns[1]; i++) {
        if (in.columns[i]) {
            message_fail(
                EXIT_USAGE,
                "%s: %s: the column of time must be called t [s]; rows without t are steady "
                "points (v, f)",
                file, columns[i]);
        }
    }
    fit_law_data data = {.rows = {.count = in.rows,
                                  .f = in.columns[0],
                                  .t = in.columns[1],
                                  .v = in.columns[2],
                                  .fn = in.columns[3],
                                  .load = in.columns[4]},
                         .x = in.columns[5],
                         .speed_noise = (double)NAN};
    fit_check_force(o, file, data.rows.fn);
    if (o->fn_text) {
        data.rows.fn = repeat(o->fn, in.rows);
    }
    return data;
}

static void fail(const char* file, br_status status, const br_reason* why)
{
    message_fail(status == BR_ERR_DEF || status == BR_ERR_ARG ? EXIT_USAGE : EXIT_COMPUTATION,
                 "%s: %s%s%s", file, why->field, *why->field ? ": " : "", why->text);
}

// Warn of columns that look like other units.
static void warn_of_units(const options* o, const br_fit_law_data* d)
{
    const char* doubt = br_fit_law_data_doubt(d);
    if (doubt) {
        message_warn("%s: %s", o->file, doubt);
    }
}

// Speeds of positions.
static void differentiate(const char* file, fit_law_data* d)
{
    double* v = memory_allocate(d->rows.count, sizeof *v);
    br_fit_speed speed;
    br_reason why = {"", ""};
    const br_status status = br_fit_law_speed(d->rows.count, d->rows.t, d->x, v, &speed, &why);
    if (status != BR_OK) {
        fail(file, status, &why);
    }
    message_warn(
        "%s: v: x was differentiated by parabolas over %zu rows; noise of x about %.2g, of v %.2g",
        file, speed.rows, speed.position_noise, speed.noise);
    d->rows.v = v;
    d->speed_noise = speed.noise;
}

// Warn of noise in v that shifts estimates.
static void warn_of_noise(const options* o, const br_fit_law_result* fit)
{
    const char* list[BR_FIT_COUNT + 1] = {NULL};
    size_t count = 0;
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        if (fit->noise_felt >> k & 1) {
            list[count++] = br_fit_law_get_parameter_name(k);
        }
    }
    if (count > 0) {
        message_warn(
            "%s: noise in v of about %.2g m/s shifts %s: their intervals are widened for it; filter v "
            "without delay, or measure it better",
            o->file, fit->speed_noise, text_join(list));
    }
}

// Break-away tests have neither t nor x nor v; all other rows need a speed.
static fit_law_data read_data(const options* o, const char* file)
{
    fit_law_data d = read_columns(o, file);
    const bool has_time = d.rows.t, has_position = d.x;
    if (!d.rows.v && has_time && has_position) {
        differentiate(file, &d);
    }
    if (!d.rows.v && (has_time || has_position)) {
        message_fail(
            EXIT_USAGE,
            "%s: %s: the column is missing: motion needs t and v, or t and x; break-away tests are the "
            "columns f and fn alone, without t and x",
            file, has_time ? "v" : "t");
    }
    return d;
}

// --- break-away ------------------------------------------------------------------------------------

// Tests without motion: mu_s from the break-away force over fn.
static int fit_break_away(const options* o, const br_fit_law_data* d)
{
    br_fit_estimate mu_s;
    br_reason why;
    const br_status status = br_fit_break_away(d->count, d->f, d->fn, fit_level(o), &mu_s, &why);
    if (status != BR_OK) {
        fail(o->file, status, &why);
    }
    if (o->json) {
        json out = {stdout, false};
        json_begin(&out, NULL, '{');
        json_count(&out, "rows", d->count);
        json_begin(&out, "parameters", '{');
        fit_write_estimate(&out, &mu_s);
        json_end(&out, '}');
        json_end(&out, '}');
        putchar('\n');
    } else {
        fit_print_estimate(&mu_s);
    }
    return EXIT_DONE;
}

// --- fits --------------------------------------------------------------------------------------------

// Validation data of a fit: other measurements, or the last rows.
typedef struct held_out {
    br_fit_law_data other; // count 0: none
    double share;          // of the rows
} held_out;

static held_out read_unseen(const options* o, const br_fit_law_data* data)
{
    held_out unseen = {.share = fit_hold_out(o)};
    br_reason why = {"", ""};
    if (!o->validate) {
        return unseen;
    }
    if (o->hold_out) {
        message_fail(EXIT_USAGE, "--validate and --hold-out: give one of them");
    }
    unseen.other = read_data(o, o->validate).rows;
    if (!unseen.other.v || (data->t && !unseen.other.t)) {
        message_fail(EXIT_USAGE, "%s: %s: the column is missing, which %s has", o->validate,
                     unseen.other.v ? "t" : "v", o->file);
    }
    const br_status status = br_fit_law_data_check(&unseen.other, &why);
    if (status != BR_OK) {
        fail(o->validate, status, &why);
    }
    return unseen;
}

// What --law auto may add: the direction, and the load in terms of their own.
static unsigned offered(const options* o, const br_fit_law_def* def)
{
    const unsigned of_load = BR_FIT_LOADS & ~(1u << BR_FIT_LOAD_GAIN);
    const bool is_named = o->law && strcmp(o->law, "auto") != 0;
    if (is_named && def->data.load && !((def->free | def->fixed) & BR_FIT_LOADS)) {
        message_warn("%s: load: the column is not used: --free load_c, or --law auto", o->file);
    }
    return is_named ? 0 : of_load | 1u << BR_FIT_ASYMMETRY;
}

// Fit the named law, or all that are possible with these data.
static br_status fit_all(const options* o, const br_fit_law_def* def, const held_out* unseen,
                         br_fit_law_choice* all)
{
    const bool is_auto = !o->law || strcmp(o->law, "auto") == 0;
    const unsigned laws = is_auto ? 0 : 1u << text_choose("--law", o->law, law_names());
    br_reason why = {"", ""};
    fit_watcher watcher = fit_watcher_start(o);
    const br_fit_watch watch = fit_watch(&watcher);
    const br_status status =
        br_fit_law_choose(def, laws, unseen->other.count > 0 ? &unseen->other : NULL, unseen->share,
                          &watch, all, &why);
    progress_end(&watcher.bar);
    if (status != BR_OK && status != BR_ERR_STOPPED) {
        fail(o->file, status, &why);
    }
    if (all->fitted == 0) {
        message_fail(EXIT_COMPUTATION, "%s: stopped before there was a result", o->file);
    }
    return status;
}

static fit_law_report report_of(const options* o, const br_fit_law_def* def,
                                const br_fit_law_choice* all)
{
    fit_law_report report = {.file = o->file,
                             .def = def,
                             .all = all,
                             .fit = &all->fits[all->law],
                             .hold_out = fit_hold_out(o),
                             .validate = o->validate,
                             .fn = o->fn_text ? o->fn : (double)NAN};
    double* force = memory_allocate(def->data.count, sizeof *force);
    br_reason why;
    const br_status status = br_fit_law_eval(report.fit, &def->data, force, &why);
    if (status != BR_OK) {
        fail(o->file, status, &why);
    }
    report.force = force;
    return report;
}

int fit_law_main(int argc, char** argv)
{
    const options o = options_read(argc, argv,
                                   OPTION_OUTPUT | OPTION_PLOT | OPTION_JSON | OPTION_QUIET |
                                       OPTION_MAX_TIME | OPTION_FN | OPTION_FIT | OPTION_FIT_LAW);
    br_fit_law_def def = br_fit_law_def_default();
    def.level = fit_level(&o);
    def.robust = o.robust;
    def.passive = o.passive;
    if (o.free) {
        read_free(o.free, &def);
    }
    if (o.fix) {
        fit_read_fix(o.fix, parameter_names(), &def.fixed, def.values);
    }
    check_parameters(&o, &def);
    fit_check_outputs(&o);
    def.flip_force = o.flip_force;
    const fit_law_data data = read_data(&o, o.file);
    if (!data.rows.v && o.table) {
        message_fail(EXIT_USAGE, "%s: v: the column is missing: a table needs speeds", o.file);
    }
    def.data = data.rows;
    def.speed_noise = data.speed_noise;
    if (!def.data.v) {
        return fit_break_away(&o, &def.data);
    }
    warn_of_units(&o, &def.data);
    if (o.table) {
        return fit_table(&o, &def.data);
    }
    const held_out unseen = read_unseen(&o, &def.data);
    def.offered = offered(&o, &def);
    output* yaml = o.output ? output_open(o.output) : NULL;
    output* picture = o.plot ? output_open(o.plot) : NULL;
    static br_fit_law_choice all;
    const br_status status = fit_all(&o, &def, &unseen, &all);
    def.law = all.law;
    def.free |= all.added;
    warn_of_noise(&o, &all.fits[all.law]);
    const fit_law_report report = report_of(&o, &def, &all);
    fit_law_print(&o, &report, yaml);
    if (picture) {
        plot_fit_law(&report, picture);
    }
    return fit_end(status);
}
