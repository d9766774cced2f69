/*
 * bristle fit law: a friction law from motion.
 */
#include "fit_law.h"

#include <math.h>
#include <string.h>

#include "bristle/fit_law.h"
#include "fit.h"
#include "fit_report.h"
#include "input.h"
#include "memory.h"
#include "message.h"
#include "plot.h"
#include "plot_fit.h"
#include "temporary.h"

static names law_names(void)
{
    const char** list = memory_allocate(BR_FIT_LAW_COUNT + 2, sizeof *list);
    for (int k = 0; k < BR_FIT_LAW_COUNT; k++) {
        list[k] = br_fit_law_name((br_fit_law_kind)k);
    }
    list[BR_FIT_LAW_COUNT] = "auto";
    return list;
}

static names parameter_names(void)
{
    const char** list = memory_allocate(BR_FIT_COUNT + 1, sizeof *list);
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        list[k] = br_fit_law_get_name(k);
    }
    return list;
}

static void read_free(const char* text, br_fit_law_def* def)
{
    const unsigned may = BR_FIT_EXPONENTS | ~0u << BR_FIT_DELAY;
    char* rest = memory_text(text, strlen(text));
    for (char* part; (part = fit_next_part(&rest));) {
        const int k = fit_find_word("--free", part, parameter_names());
        if (!(may >> k & 1)) {
            message_fail(EXIT_USAGE, "--free %s: is estimated anyway", part);
        }
        def->free |= 1u << k;
    }
}

// --- data -------------------------------------------------------------------------------------------

// Columns of the file; v, t, fn and load may be missing.
static br_fit_law_data read_data(const options* o, const char* file)
{
    static const char* const columns[] = {"f", "t", "v", "fn", "load", NULL};
    const csv in = input_csv(file, columns, 1);
    br_fit_law_data data = {.count = in.rows,
                            .f = in.columns[0],
                            .t = in.columns[1],
                            .v = in.columns[2],
                            .fn = in.columns[3],
                            .load = in.columns[4]};
    if (data.fn && o->fn_text) {
        message_fail(EXIT_USAGE, "--fn %s: %s has a column fn", o->fn_text, file);
    }
    if (o->fn_text) {
        double* fn = memory_allocate(in.rows, sizeof *fn);
        for (size_t i = 0; i < in.rows; i++) {
            fn[i] = o->fn;
        }
        data.fn = fn;
    }
    return data;
}

static void fail(const char* file, br_status status, const br_reason* why)
{
    message_fail(status == BR_ERR_DEF || status == BR_ERR_ARG ? EXIT_USAGE : EXIT_COMPUTATION,
                 "%s: %s%s%s", file, why->field, *why->field ? ": " : "", why->text);
}

// Words on columns that look like other units.
static void warn_of_units(const options* o, const br_fit_law_data* d)
{
    const char* doubt = br_fit_law_data_doubt(d);
    if (doubt) {
        message_warn("%s: %s", o->file, doubt);
    }
}

// --- break-away ------------------------------------------------------------------------------------

// Tests without motion: the force at which it breaks away, over fn.
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

// What a fit is checked on: other measurements, or the last rows of its own.
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
    unseen.other = read_data(o, o->validate);
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

// What the first rows predict of the others; NaN where they cannot be fitted to.
static br_status predict_last(const br_fit_law_def* def, const br_fit_watch* watch, double share,
                              double* rms)
{
    br_fit_law_def part = *def;
    br_fit_law_result first;
    br_reason why;
    part.train = (size_t)((1 - share) * (double)def->data.count);
    part.profile = 0;
    const br_status status = br_fit_law(&part, watch, &first, &why);
    *rms = status == BR_OK ? first.rms_held_out : (double)NAN;
    return status == BR_ERR_STOPPED ? status : BR_OK;
}

// Fit, and ask it what it has not seen.
static br_status fit_one(const br_fit_law_def* def, fit_watcher* watcher, const held_out* unseen,
                         fit_law_outcome* out, br_reason* why)
{
    const br_fit_watch watch = fit_watch(watcher);
    br_status status = br_fit_law(def, &watch, &out->fit, why);
    out->fit.rms_held_out = NAN;
    if (status == BR_OK && unseen->other.count > 0) {
        status = br_fit_law_validate(&out->fit, &unseen->other, &out->fit.rms_held_out, why);
    } else if (status == BR_OK && unseen->share > 0 && def->data.t) {
        status = predict_last(def, &watch, unseen->share, &out->fit.rms_held_out);
    }
    out->is_there = status == BR_OK || (status == BR_ERR_STOPPED && out->fit.count > 0);
    return status;
}

// Of the laws that were fitted: the simplest whose error on what it has not seen is within 1 % of the least,
// by BIC where nothing is held out.
static int choose(const fit_law_outcome* all)
{
    double least = HUGE_VAL, least_bic = HUGE_VAL;
    int by_bic = -1;
    for (int k = 0; k < BR_FIT_LAW_COUNT; k++) {
        if (all[k].is_there) {
            least =
                fmin(least, isfinite(all[k].fit.rms_held_out) ? all[k].fit.rms_held_out : HUGE_VAL);
            by_bic = all[k].fit.bic < least_bic ? k : by_bic;
            least_bic = fmin(least_bic, all[k].fit.bic);
        }
    }
    for (int k = 0; k < BR_FIT_LAW_COUNT && least < HUGE_VAL; k++) {
        if (all[k].is_there && all[k].fit.rms_held_out <= 1.01 * least) {
            return k;
        }
    }
    return by_bic;
}

// All laws that these data can tell, the simplest first.
static int fit_all(const options* o, br_fit_law_def* def, fit_watcher* watcher,
                   const held_out* unseen, fit_law_outcome* all, br_status* status)
{
    const int only =
        o->law && strcmp(o->law, "auto") != 0 ? fit_find_word("--law", o->law, law_names()) : -1;
    br_reason why = {"", ""};
    for (int k = 0; k < BR_FIT_LAW_COUNT && *status == BR_OK; k++) {
        const bool has_bristles = br_law_has_state(br_fit_law_get_law((br_fit_law_kind)k));
        if (only >= 0 ? k != only : has_bristles && !def->data.t) {
            continue;
        }
        def->law = (br_fit_law_kind)k;
        watcher->begin = only >= 0 ? 0 : (double)k / BR_FIT_LAW_COUNT;
        watcher->share = only >= 0 ? 1 : 1.0 / BR_FIT_LAW_COUNT;
        *status = fit_one(def, watcher, unseen, &all[k], &why);
        if (*status != BR_OK && *status != BR_ERR_STOPPED) {
            progress_end(&watcher->bar);
            fail(o->file, *status, &why);
        }
    }
    progress_end(&watcher->bar);
    return only >= 0 ? only : choose(all);
}

static fit_law_report report_of(const options* o, const br_fit_law_def* def,
                                const fit_law_outcome* all, int chosen)
{
    fit_law_report report = {.file = o->file,
                             .def = def,
                             .all = all,
                             .chosen = chosen,
                             .fit = &all[chosen].fit,
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
    fit_check_places(&o);
    def.data = read_data(&o, o.file);
    if (!def.data.v) {
        return fit_break_away(&o, &def.data);
    }
    warn_of_units(&o, &def.data);
    const held_out unseen = read_unseen(&o, &def.data);
    output* yaml = o.output ? output_open(o.output) : NULL;
    output* picture = o.plot ? output_open(o.plot) : NULL;
    fit_watcher watcher = fit_watcher_begin(&o);
    fit_law_outcome all[BR_FIT_LAW_COUNT] = {{.is_there = false}};
    br_status status = BR_OK;
    const int chosen = fit_all(&o, &def, &watcher, &unseen, all, &status);
    if (chosen < 0 || !all[chosen].is_there) {
        message_fail(EXIT_COMPUTATION, "%s: stopped before there was anything to tell", o.file);
    }
    def.law = (br_fit_law_kind)chosen;
    const fit_law_report report = report_of(&o, &def, all, chosen);
    fit_law_tell(&o, &report, yaml);
    if (picture) {
        plot_fit_law(&report, picture);
    }
    return fit_end(status);
}
