/*
 * bristle fit pressure: where a body bears, from wrenches and twists.
 */
#include "fit_pressure.h"

#include <math.h>
#include <string.h>

#include "bristle/fit_pressure.h"
#include "fit.h"
#include "fit_patch.h"
#include "fit_report.h"
#include "input.h"
#include "memory.h"
#include "message.h"
#include "plot.h"
#include "plot_pressure.h"
#include "text.h"

static const double DEGREE = BR_PI / 180;

static unsigned read_choices(const char* text)
{
    const char* list[BR_FIT_CHOICE_COUNT + 1] = {NULL};
    for (int k = 0; k < BR_FIT_CHOICE_COUNT; k++) {
        list[k] = br_fit_choice_get_name((br_fit_choice)k);
    }
    unsigned choices = 0;
    for (const char* part = text; part && *part;) {
        const size_t length = strcspn(part, ",");
        const char* word = memory_text(part, length);
        const int k = br_text_find(word, list);
        if (k < 0) {
            message_fail(EXIT_USAGE, "--try %s: must be of %s%s", word, text_join(list),
                         text_suggest(word, list, ""));
        }
        choices |= 1u << k;
        part += length + (part[length] == ',');
    }
    return choices;
}

static br_fit_pair* read_pairs(const options* o, size_t* count)
{
    static const char* const columns[] = {"fx", "fy", "tau", "vx", "vy", "w", NULL};
    const csv in = input_csv(o->file, columns, 6);
    br_fit_pair* pairs = memory_allocate(in.rows + 1, sizeof *pairs);
    for (size_t i = 0; i < in.rows; i++) {
        const double* const* c = in.columns;
        pairs[i] = (br_fit_pair){{c[0][i], c[1][i], c[2][i]}, {c[3][i], c[4][i], c[5][i]}};
    }
    *count = in.rows;
    return pairs;
}

// Lengths from torques and spins, the lever of the wrench and the distance of the centre of rotation, differ much from
// the size of the outline where units are mixed.
static void warn_of_units(const options* o, const br_patch* body, const br_fit_pair* pairs,
                          size_t count)
{
    const double r = br_patch_eval(body, 1).r;
    double force = 0, torque = 0, slip = 0, spin = 0;
    for (size_t i = 0; i < count; i++) {
        force += hypot(pairs[i].f.fx, pairs[i].f.fy);
        torque += fabs(pairs[i].f.tau);
        slip += hypot(pairs[i].v.vx, pairs[i].v.vy);
        spin += fabs(pairs[i].v.w);
    }
    if (r > 0 && torque > 20 * r * force) {
        message_warn(
            "%s: tau: levers of %.3g m on a patch with r = %.3g m; is it in N mm? N m is expected",
            o->file, torque / force, r);
    }
    if (r > 0 && r * spin > 20 * slip) {
        message_warn(
            "%s: w: %.3g times as fast as vx, vy over r; is it in deg/s? rad/s is expected",
            o->file, r * spin / slip);
    }
    if (r > 0 && 50 * r * spin < slip) {
        message_warn(
            "%s: vx, vy: %.3g times as fast as w times r; are they in mm/s? m/s is expected, and "
            "pushes that turn the body",
            o->file, slip / (r * spin));
    }
}

// Predictions no better than chance suggest an error in the data.
static void warn_of_misfit(const options* o, const br_fit_pressure* p)
{
    if (p->angle_error > 45 * DEGREE) {
        message_warn(
            "%s: twists are %.0f degrees from those that the wrenches predict: are units, frame and "
            "sign right, and those of the outline?",
            o->file, p->angle_error / DEGREE);
    }
}

// --- report ---------------------------------------------------------------------------------

static void print_text(const options* o, const br_fit_pressure* p)
{
    printf("%zu support points, %s, from %zu pairs of %s\n", p->count,
           br_fit_choice_get_name(p->choice), p->pairs, o->file);
    if (p->ignored > 0) {
        printf("  left out     %zu pairs with wrench . twist <= 0, which no friction gives\n",
               p->ignored);
    }
    if (p->repeated > 0) {
        printf("  left out     %zu pairs that are the same as others to the last digit\n",
               p->repeated);
    }
    fit_print_estimate(&p->mu_fn);
    fit_print_estimate(&p->cop[0]);
    fit_print_estimate(&p->cop[1]);
    fit_print_estimate(&p->r);
    if (p->radius > 0) {
        printf("  radius       %11.5g m\n", p->radius);
    }
    if (isfinite(p->angle_error)) {
        printf(
            "  angle error  %.2f degrees between predicted and measured twists; %.2f for pairs left out\n",
            p->angle_error / DEGREE, p->validation_angle_error / DEGREE);
    }
    printf("  chosen by cross-validation:");
    for (int k = 0; k < BR_FIT_CHOICE_COUNT; k++) {
        if (!isnan(p->tried[k])) {
            printf(" %s %.2f%s", br_fit_choice_get_name((br_fit_choice)k), p->tried[k] / DEGREE,
                   k == (int)p->choice ? " <-" : ",");
        }
    }
    printf(" degrees\n");
}

static void write_intervals(json* out, const br_fit_pressure* p)
{
    json_begin(out, "intervals", '{');
    fit_write_interval(out, &p->mu_fn);
    fit_write_interval(out, &p->cop[0]);
    fit_write_interval(out, &p->cop[1]);
    fit_write_interval(out, &p->r);
    json_end(out, '}');
}

static void print_json(const br_fit_pressure* p)
{
    json out = {stdout, false};
    json_begin(&out, NULL, '{');
    json_number(&out, "mu_fn", p->mu_fn.value);
    json_numbers(&out, "cop", (const double[]){p->cop[0].value, p->cop[1].value}, 2);
    json_number(&out, "r", p->r.value);
    json_count(&out, "points", p->count);
    json_number(&out, "angle_error", p->angle_error / DEGREE);
    json_number(&out, "validation_angle_error", p->validation_angle_error / DEGREE);
    json_text(&out, "choice", br_fit_choice_get_name(p->choice));
    write_intervals(&out, p);
    json_begin(&out, "tried", '{');
    for (int k = 0; k < BR_FIT_CHOICE_COUNT; k++) {
        if (!isnan(p->tried[k])) {
            json_number(&out, br_fit_choice_get_name((br_fit_choice)k), p->tried[k] / DEGREE);
        }
    }
    json_end(&out, '}');
    json_number(&out, "strength", p->strength);
    json_number(&out, "radius", p->radius);
    json_count(&out, "pairs", p->pairs);
    json_count(&out, "ignored", p->ignored);
    json_count(&out, "repeated", p->repeated);
    fit_write_supports(&out, p->points, p->errors, p->count);
    fit_write_warnings(&out);
    json_end(&out, '}');
    putchar('\n');
}

static void draw(const options* o, const br_patch* body, const br_fit_pressure* p, output* to)
{
    const plot_pressure picture = {
        .title = memory_format("%s: pressure (%s), %zu points", text_stem(o->file),
                               br_fit_choice_get_name(p->choice), p->count),
        .body = outline_patch(body, 1),
        .points = p->points,
        .count = p->count,
        .cop = {p->cop[0].value, p->cop[1].value},
        .cop_error = {fit_half_width(&p->cop[0]), fit_half_width(&p->cop[1])},
        .r = p->r.value};
    plot_pressure_draw(&picture, to);
}

static void report(const options* o, const br_fit_pressure* p, output* yaml)
{
    if (o->json) {
        print_json(p);
    } else if (fit_prints_text(o)) {
        print_text(o, p);
    }
    if (yaml) {
        const char* angle =
            isfinite(p->validation_angle_error)
                ? memory_format("%.2f degrees cross-validated", p->validation_angle_error / DEGREE)
                : "stopped before it was done";
        const char* comment =
            memory_format("# bristle fit pressure %s: %s, mu fn = %.5g N, %s\n", o->file,
                          br_fit_choice_get_name(p->choice), p->mu_fn.value, angle);
        fit_write_points(comment, p->points, p->count, yaml);
    }
}

static void destroy(void* pressure)
{
    br_fit_pressure_destroy(pressure);
}

int fit_pressure_main(int argc, char** argv)
{
    const options o = options_read(argc, argv,
                                   OPTION_OUTPUT | OPTION_PLOT | OPTION_JSON | OPTION_QUIET |
                                       OPTION_MAX_TIME | OPTION_FIT_PRESSURE);
    fit_check_outputs(&o);
    br_fit_pressure_def def = br_fit_pressure_def_default();
    def.outline = fit_read_patch("--outline", o.outline);
    def.supports = o.supports ? fit_read_patch("--supports", o.supports) : NULL;
    def.tolerance = fit_read_number("--tolerance", o.tolerance, 0, 0, 1);
    def.resolution = o.cells ? text_read_whole("--cells", o.cells, 2, 40) : def.resolution;
    def.choices = read_choices(o.choices);
    size_t count;
    const br_fit_pair* pairs = read_pairs(&o, &count);
    warn_of_units(&o, def.outline, pairs, count);
    output* yaml = o.output ? output_open(o.output) : NULL;
    output* picture = o.plot ? output_open(o.plot) : NULL;
    fit_watcher watcher = fit_watcher_start(&o);
    def.watch = fit_watch(&watcher);
    br_fit_pressure* found;
    br_reason why = {"", ""};
    const br_status status = br_fit_pressure_create(&def, pairs, count, &found, &why);
    progress_end(&watcher.bar);
    if (!found) {
        fit_fail(&o, status, &why);
    }
    memory_own(found, destroy);
    warn_of_misfit(&o, found);
    report(&o, found, yaml);
    if (picture) {
        draw(&o, def.outline, found, picture);
    }
    return fit_end(status);
}
