/*
 * Patches in and out of fits.
 */
#include "fit_patch.h"

#include <stdlib.h>
#include <string.h>

#include "digits.h"
#include "input.h"
#include "message.h"
#include "scenario/read_patch.h"
#include "scenario/text.h"

const br_patch* fit_read_patch(const char* option, const char* file)
{
    if (!file) {
        message_fail(EXIT_USAGE, "%s is missing: a patch in YAML; see: bristle help fit", option);
    }
    const options none = {.file = file};
    const node* root = input_yaml(file, &none);
    const patch_input input = bri_read_patch(root);
    input_check(root->in);
    return input.patch;
}

double fit_read_number(const char* option, const char* text, double otherwise, double low,
                       double high)
{
    double x = otherwise;
    if (text && (bri_text_number(text, &x) != NUMBER_GOOD || !(x >= low && x <= high))) {
        message_fail(EXIT_USAGE, "%s %s: must be a number from %g to %g", option, text, low, high);
    }
    return x;
}

static void write_number(output* to, const char* before, double x)
{
    char digits[DIGITS_ROOM];
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

// A reason names a row of the data by its place: tell its line, the first being the header.
_Noreturn void fit_fail(const options* o, br_status status, const br_reason* why)
{
    const int code = status == BR_ERR_DEF || status == BR_ERR_ARG ? EXIT_USAGE : EXIT_COMPUTATION;
    const char* place = strchr(why->field, '[');
    if (place) {
        message_fail(code, "%s: row %lu: %s", o->file, strtoul(place + 1, NULL, 10) + 1, why->text);
    }
    message_fail(code, "%s: %s", o->file, why->text);
}
