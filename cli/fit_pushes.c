/*
 * bristle fit pushes: where a body bears and the friction of its pusher, from pushes alone.
 */
#include "fit_pushes.h"

#include <math.h>
#include <string.h>

#include "bristle/fit_pushes.h"
#include "fit.h"
#include "fit_patch.h"
#include "fit_report.h"
#include "input.h"
#include "memory.h"
#include "message.h"
#include "plot_pressure.h"
#include "table.h"
#include "text.h"

static const double DEGREE = BR_PI / 180;

// The rows; ends are optional where they are predicted.
static br_fit_push* read_pushes(const options* o, size_t* count)
{
    static const char* const columns[] = {"x0",    "y0", "th0", "tipx0", "tipy0", "tipx1",
                                          "tipy1", "x1", "y1",  "th1",   NULL};
    const csv in = input_csv(o->file, columns, o->predict ? 7 : 10);
    br_fit_push* pushes = memory_allocate(in.rows + 1, sizeof *pushes);
    const double* const* c = in.columns;
    for (size_t i = 0; i < in.rows; i++) {
        pushes[i] = (br_fit_push){.start = {c[0][i], c[1][i], c[2][i]},
                                  .from = {c[3][i], c[4][i]},
                                  .to = {c[5][i], c[6][i]}};
        if (c[7] && c[8] && c[9]) {
            pushes[i].end = (br_pose){c[7][i], c[8][i], c[9][i]};
        }
    }
    *count = in.rows;
    return pushes;
}

// Larger angles are probably in degrees [rad].
static const double max_angle = 4 * BR_PI;

static void warn_of_degrees(const options* o, const br_fit_push* pushes, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fmax(fabs(pushes[i].start.theta), fabs(pushes[i].end.theta)));
    }
    if (largest > max_angle) {
        message_warn("%s: th0, th1: up to %.3g; are they in degrees? Radians are expected", o->file,
                     largest);
    }
}

// Predictions no better than a body at rest suggest an error in the data.
static void warn_of_misfit(const options* o, const br_fit_push* pushes, size_t count,
                           const br_fit_pushes* p)
{
    double distance = 0;
    for (size_t i = 0; i < count; i++) {
        distance += hypot(pushes[i].end.x - pushes[i].start.x, pushes[i].end.y - pushes[i].start.y);
    }
    if (p->position_error > distance / (double)count) {
        message_warn(
            "%s: ends are %.3g m off, more than bodies move: are units, the tip's radius and the "
            "outline's frame right?",
            o->file, p->position_error);
    }
}

// The tip must touch the outline at the ends of pushes, else frames, outline or radius are wrong.
static void warn_of_gaps(const options* o, size_t count, const br_fit_pushes* p)
{
    if (p->apart > 0) {
        message_warn(
            "%s: %zu of %zu pushes end with the tip more than %.2g mm off the outline, the first in row %zu: "
            "are frames, outline and tip radius right?",
            o->file, p->apart, count, 1e3 * p->most_gap, p->first_apart + 1);
    }
}

static br_vec2 read_offset(const char* text)
{
    br_vec2 offset = {0, 0};
    const char* comma = text ? strchr(text, ',') : NULL;
    if (text && (!comma || !br_text_read_number(comma + 1, &offset.y) ||
                 !br_text_read_number(memory_text(text, (size_t)(comma - text)), &offset.x))) {
        message_fail(EXIT_USAGE, "--tip-offset %s: must be X,Y in metres", text);
    }
    return offset;
}

static int predict(const options* o, const br_fit_pushes_def* def, const br_fit_push* pushes,
                   size_t count)
{
    static const char* const columns[] = {"x1", "y1", "th1", NULL};
    const char* name = options_table_name(o);
    br_pose* ends = memory_allocate(count + 1, sizeof *ends);
    br_reason why = {"", ""};
    const br_patch* pressure = def->patch ? def->patch : def->outline;
    const br_status status = br_fit_pushes_predict(def, pressure, pushes, count, ends, &why);
    if (status != BR_OK) {
        fit_fail(o, status, &why);
    }
    table out = table_create(columns);
    for (size_t i = 0; i < count; i++) {
        table_append(&out, (const double[]){ends[i].x, ends[i].y, ends[i].theta});
    }
    if (name) {
        table_write(&out, output_open(name));
    }
    return EXIT_DONE;
}

static void print_offset(const br_fit_pushes* p)
{
    fit_print_estimate(&p->tip_offset[0]);
    fit_print_estimate(&p->tip_offset[1]);
    if (isfinite(p->offset_position_error)) {
        printf(
            "               %s: pushes left out are off by %.3f mm, %.2f degrees with the offset, %.3f mm, "
            "%.2f degrees without\n",
            p->uses_offset ? "used" : "not used", 1e3 * p->offset_position_error,
            p->offset_angle_error / DEGREE, 1e3 * p->plain_position_error,
            p->plain_angle_error / DEGREE);
    }
    printf("  end gap      %.3f mm between tip and outline at the ends, mean\n", 1e3 * p->end_gap);
}

static void print_text(const options* o, const br_fit_pushes* p)
{
    printf("%zu support points from %zu pushes of %s%s\n", p->count, p->pushes, o->file,
           p->keeps_patch ? ": the expected pressure, which predicts as well as a fitted one" : "");
    fit_print_estimate(&p->mu_tip);
    fit_print_estimate(&p->cop[0]);
    fit_print_estimate(&p->cop[1]);
    fit_print_estimate(&p->r);
    print_offset(p);
    if (!p->tip_radius.is_fixed) {
        fit_print_estimate(&p->tip_radius);
    }
    printf("  end error    %.3f mm, %.2f degrees", 1e3 * p->position_error,
           p->angle_error / DEGREE);
    if (isfinite(p->validation_position_error)) {
        printf("; %.3f mm, %.2f degrees for pushes left out", 1e3 * p->validation_position_error,
               p->validation_angle_error / DEGREE);
    }
    putchar('\n');
}

// The offset and the radius that the fit uses, for --predict, and the errors with and without the offset.
static void write_offset(json* out, const br_fit_pushes* p)
{
    json_begin(out, "tip_offset", '{');
    json_number(out, "x", p->tip_offset[0].value);
    json_number(out, "y", p->tip_offset[1].value);
    json_flag(out, "used", p->uses_offset || p->tip_offset[0].is_fixed);
    json_number(out, "validation_position_error", p->offset_position_error);
    json_number(out, "validation_angle_error", p->offset_angle_error);
    json_number(out, "validation_position_error_without", p->plain_position_error);
    json_number(out, "validation_angle_error_without", p->plain_angle_error);
    json_end(out, '}');
    json_number(out, "tip_radius", p->tip_radius.value);
    json_number(out, "end_gap", p->end_gap);
    json_count(out, "apart", p->apart);
}

static void print_json(const br_fit_pushes* p)
{
    json out = {stdout, false};
    json_begin(&out, NULL, '{');
    json_number(&out, "mu_tip", p->mu_tip.value);
    json_numbers(&out, "cop", (const double[]){p->cop[0].value, p->cop[1].value}, 2);
    json_number(&out, "r", p->r.value);
    json_count(&out, "points", p->count);
    json_number(&out, "position_error", p->position_error);
    json_number(&out, "angle_error", p->angle_error);
    json_number(&out, "validation_position_error", p->validation_position_error);
    json_number(&out, "validation_angle_error", p->validation_angle_error);
    json_flag(&out, "keeps_patch", p->keeps_patch);
    json_number(&out, "strength", p->strength);
    json_count(&out, "pushes", p->pushes);
    json_begin(&out, "intervals", '{');
    fit_write_interval(&out, &p->mu_tip);
    fit_write_interval(&out, &p->cop[0]);
    fit_write_interval(&out, &p->cop[1]);
    fit_write_interval(&out, &p->r);
    fit_write_interval(&out, &p->tip_offset[0]);
    fit_write_interval(&out, &p->tip_offset[1]);
    fit_write_interval(&out, &p->tip_radius);
    json_end(&out, '}');
    write_offset(&out, p);
    fit_write_supports(&out, p->points, p->errors, p->count);
    fit_write_warnings(&out);
    json_end(&out, '}');
    putchar('\n');
}

static void draw(const options* o, const br_patch* body, const br_fit_pushes* p, output* to)
{
    const plot_pressure picture = {
        .title =
            memory_format("%s: pressure, mu of the tip %.3g", text_stem(o->file), p->mu_tip.value),
        .body = outline_patch(body, 1),
        .points = p->points,
        .count = p->count,
        .cop = {p->cop[0].value, p->cop[1].value},
        .cop_error = {fit_half_width(&p->cop[0]), fit_half_width(&p->cop[1])},
        .r = p->r.value};
    plot_pressure_draw(&picture, to);
}

static void destroy(void* fitted)
{
    br_fit_pushes_destroy(fitted);
}

static const char* comment_of(const options* o, const br_fit_pushes* p)
{
    const bool uses = p->uses_offset || p->tip_offset[0].is_fixed;
    return memory_format(
        "# bristle fit pushes %s: mu_tip = %.5g, tip_offset = %.5g,%.5g, tip_radius = %.5g\n",
        o->file, p->mu_tip.value, uses ? p->tip_offset[0].value : 0.0,
        uses ? p->tip_offset[1].value : 0.0, p->tip_radius.value);
}

static int fit(const options* o, br_fit_pushes_def* def, const br_fit_push* pushes, size_t count)
{
    output* yaml = o->output ? output_open(o->output) : NULL;
    output* picture = o->plot ? output_open(o->plot) : NULL;
    fit_watcher watcher = fit_watcher_start(o);
    def->watch = fit_watch(&watcher);
    br_fit_pushes* found;
    br_reason why = {"", ""};
    const br_status status = br_fit_pushes_create(def, pushes, count, &found, &why);
    progress_end(&watcher.bar);
    if (!found) {
        fit_fail(o, status, &why);
    }
    memory_own(found, destroy);
    warn_of_misfit(o, pushes, count, found);
    warn_of_gaps(o, count, found);
    if (o->json) {
        print_json(found);
    } else if (fit_prints_text(o)) {
        print_text(o, found);
    }
    if (yaml) {
        fit_write_points(comment_of(o, found), found->points, found->count, yaml);
    }
    if (picture) {
        draw(o, def->outline, found, picture);
    }
    return fit_end(status);
}

int fit_pushes_main(int argc, char** argv)
{
    const options o = options_read(argc, argv,
                                   OPTION_OUTPUT | OPTION_PLOT | OPTION_JSON | OPTION_QUIET |
                                       OPTION_MAX_TIME | OPTION_FIT_PUSHES);
    fit_check_outputs(&o);
    br_fit_pushes_def def = br_fit_pushes_def_default();
    def.outline = fit_read_patch("--outline", o.outline);
    def.patch = o.patch ? fit_read_patch("--patch", o.patch) : NULL;
    def.tip_radius = fit_read_number("--tip-radius", o.tip_radius, 0, 0, 10);
    def.tip_offset = read_offset(o.tip_offset);
    def.keeps_offset = o.tip_offset != NULL;
    def.fits_radius = o.fit_tip_radius;
    def.mu_tip = fit_read_number("--mu-tip", o.mu_tip, def.mu_tip, 0, 10);
    def.resolution = o.cells ? text_read_whole("--cells", o.cells, 2, 40) : def.resolution;
    size_t count;
    const br_fit_push* pushes = read_pushes(&o, &count);
    warn_of_degrees(&o, pushes, count);
    return o.predict ? predict(&o, &def, pushes, count) : fit(&o, &def, pushes, count);
}
