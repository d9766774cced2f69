/*
 * Patches of fits: read, and written as YAML and JSON.
 */
#include "fit_patch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digits.h"
#include "input.h"
#include "message.h"
#include "text.h"

static const br_scenario* read_file(const char* option, const char* file)
{
    if (!file) {
        message_fail(EXIT_USAGE, "%s is missing: a patch in YAML; see: bristle help fit", option);
    }
    const options none = {.file = file};
    return input_model(file, BR_MODEL_PATCH, &none);
}

const br_patch* fit_read_patch(const char* option, const char* file)
{
    return input_isotropic_patch(read_file(option, file));
}

const br_patch* fit_read_anisotropic_patch(const char* option, const char* file,
                                           br_anisotropy* anisotropy)
{
    const br_scenario_model model = br_scenario_get_model(read_file(option, file));
    *anisotropy = model.anisotropy;
    return model.patch;
}

double fit_read_number(const char* option, const char* text, double default_value, double low,
                       double high)
{
    double x = default_value;
    if (text && (!br_text_read_number(text, &x) || !(x >= low && x <= high))) {
        message_fail(EXIT_USAGE, "%s %s: must be a number from %g to %g", option, text, low, high);
    }
    return x;
}

// a text, then x
static void write_number(output* to, const char* before, double x)
{
    char digits[DIGITS_SIZE];
    output_write(to, before, strlen(before));
    output_write(to, digits, digits_write(x, digits));
}

void fit_write_points(const char* comment, const br_support_point* points, size_t count, output* to)
{
    static const char head[] = "shape: points\npoints:\n";
    output_write(to, comment, strlen(comment));
    output_write(to, head, sizeof head - 1);
    for (size_t i = 0; i < count; i++) {
        write_number(to, "  - [", points[i].x);
        write_number(to, ", ", points[i].y);
        write_number(to, ", ", points[i].weight);
        output_write(to, "]\n", 2);
    }
    output_commit(to);
}

// --- a patch of any shape ---------------------------------------------------------------------------

static void write_pair(output* to, const char* before, double x, double y, double scale)
{
    write_number(to, before, scale * x);
    write_number(to, ", ", scale * y);
    output_write(to, "]", 1);
}

static void write_extents(const br_patch_def* d, double scale, output* to)
{
    if (d->shape == BR_SHAPE_DISC || d->shape == BR_SHAPE_RING || d->shape == BR_SHAPE_ELLIPSE) {
        write_number(to, ", radius: ", scale * br_by_force_eval(d->radius, 1));
        if (d->shape == BR_SHAPE_ELLIPSE) {
            write_number(to, ", ratio: ", d->ratio);
        }
    } else if (d->shape == BR_SHAPE_RECTANGLE || d->shape == BR_SHAPE_GRID) {
        write_pair(to, ", size: [", d->size_x, d->size_y, scale);
    } else if (d->shape == BR_SHAPE_LINE) {
        write_number(to, ", length: ", scale * d->length);
    }
}

// Rows of a list of lists.
static void write_rows(const br_patch_def* d, double scale, output* to)
{
    for (size_t i = 0; d->shape == BR_SHAPE_POLYGON && i < d->count; i++) {
        write_pair(to, i ? ", [" : ", vertices: [[", d->vertices[i].x, d->vertices[i].y, scale);
    }
    for (size_t i = 0; d->shape == BR_SHAPE_POINTS && i < d->count; i++) {
        write_number(to, i ? ", [" : ", points: [[", scale * d->points[i].x);
        write_pair(to, ", ", scale * d->points[i].y, d->points[i].weight, 1);
    }
    for (size_t i = 0; d->shape == BR_SHAPE_GRID && i < d->rows * d->columns; i++) {
        const bool is_first = i % d->columns == 0, is_last = (i + 1) % d->columns == 0;
        write_number(to, i == 0 ? ", cells: [[" : is_first ? ", [" : ", ", d->cells[i]);
        output_write(to, "]", is_last ? 1 : 0);
    }
    for (size_t i = 0; d->shape == BR_SHAPE_TRIANGLES && i < d->count; i++) {
        write_number(to, i ? ", [" : ", vertices: [[", scale * d->vertices[i].x);
        write_pair(to, ", ", scale * d->vertices[i].y, d->pressures[i], 1);
    }
    for (size_t i = 0; d->shape == BR_SHAPE_TRIANGLES && i < d->triangle_count; i++) {
        const uint32_t* t = d->triangles + 3 * i;
        write_number(to, i ? ", [" : "], triangles: [[", t[0]);
        write_pair(to, ", ", t[1], t[2], 1);
    }
    if (d->shape >= BR_SHAPE_POLYGON && d->shape != BR_SHAPE_ELLIPSE) {
        output_write(to, "]", 1);
    }
}

static void write_pressure(const br_patch_def* d, double k, output* to)
{
    static const char linear[] = ", pressure: {kind: linear, from: ";
    if (d->pressure == BR_PRESSURE_POWER) {
        write_number(to, ", pressure: {kind: power, k: ", k);
        output_write(to, "}", 1);
    } else if (d->pressure == BR_PRESSURE_LINEAR) {
        write_number(to, linear, d->from);
        write_number(to, ", to: ", d->to);
        if (d->slope_angle != 0) {
            write_number(to, ", angle: ", d->slope_angle);
        }
        output_write(to, "}", 1);
    }
}

void fit_write_patch(const br_patch_def* d, double scale, double k, output* to)
{
    const char* name = br_shape_get_name(d->shape);
    output_write(to, "{shape: ", 8);
    output_write(to, name, strlen(name));
    write_extents(d, scale, to);
    write_rows(d, scale, to);
    write_pressure(d, k, to);
    write_pair(to, ", centre: [", d->centre.x, d->centre.y, 1);
    write_number(to, ", angle: ", d->angle);
    output_write(to, "}", 1);
}

double fit_half_width(const br_fit_estimate* e)
{
    return isfinite(e->high) ? e->high - e->value : 0;
}

void fit_write_interval(json* out, const br_fit_estimate* e)
{
    json_numbers(out, e->name, (const double[]){e->low, e->high}, 2);
}

void fit_write_supports(json* out, const br_support_point* points, const double* errors,
                        size_t count)
{
    json_begin(out, "supports", '[');
    for (size_t i = 0; i < count; i++) {
        const br_support_point q = points[i];
        json_numbers(out, NULL, (const double[]){q.x, q.y, q.weight, errors[i]}, 4);
    }
    json_end(out, ']');
}

// A reason has the index of a row in brackets: print its number.
_Noreturn void fit_fail(const options* o, br_status status, const br_reason* why)
{
    const int code = status == BR_ERR_DEF || status == BR_ERR_ARG ? EXIT_USAGE : EXIT_COMPUTATION;
    const char* index = strchr(why->field, '[');
    if (index) {
        message_fail(code, "%s: row %lu: %s", o->file, strtoul(index + 1, NULL, 10) + 1, why->text);
    }
    message_fail(code, "%s: %s", o->file, why->text);
}
