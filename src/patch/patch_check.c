/*
 * Checks of a definition. Every error names the field as the command spells it, the allowed range
 * and the given value.
 */
#include <stdint.h>
#include <stdio.h>

#include "patch/mesh.h"
#include "patch/patch_internal.h"

static br_status check_finite(double value, const char* field, br_reason* why)
{
    if (isfinite(value)) {
        return BR_OK;
    }
    br_reason_set(why, field, "must be finite, got %g", value);
    return BR_ERR_DEF;
}

static br_status check_positive(double value, const char* field, br_reason* why)
{
    if (isfinite(value) && value > 0.0) {
        return BR_OK;
    }
    br_reason_set(why, field, "must be > 0 and finite, got %g", value);
    return BR_ERR_DEF;
}

static br_status check_not_negative(double value, const char* field, br_reason* why)
{
    if (isfinite(value) && value >= 0.0) {
        return BR_OK;
    }
    br_reason_set(why, field, "must be >= 0 and finite, got %g", value);
    return BR_ERR_DEF;
}

// A number that may depend on the force. A plain number is reported under the field's own name,
// the parts of a mapping under theirs.
static br_status check_by_force(br_by_force number, const char* field, br_reason* why)
{
    char part[64];
    const int plain = number.exponent == 0.0 && isinf(number.max) && number.max > 0.0;
    snprintf(part, sizeof part, "%s%s", field, plain ? "" : ".coefficient");
    if (check_positive(number.coefficient, part, why) != BR_OK) {
        return BR_ERR_DEF;
    }
    snprintf(part, sizeof part, "%s.exponent", field);
    if (check_not_negative(number.exponent, part, why) != BR_OK) {
        return BR_ERR_DEF;
    }
    if (!(number.max > 0.0)) {
        snprintf(part, sizeof part, "%s.max", field);
        br_reason_set(why, part, "must be > 0 (it may be infinite), got %g", number.max);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

// Reject a radius that is 0 at every force.
static br_status check_radius(br_by_force radius, br_reason* why)
{
    const br_status status = check_by_force(radius, "radius", why);
    const double longest = radius.exponent == 0.0 ? br_by_force_eval(radius, 1.0) : radius.max;
    if (status == BR_OK && longest < PATCH_LEAST_LENGTH) {
        br_reason_set(why, "radius", "must be at least %g m to compute with, got %g",
                      PATCH_LEAST_LENGTH, longest);
        return BR_ERR_DEF;
    }
    if (status == BR_OK && radius.exponent == 0.0 && longest > PATCH_MOST_LENGTH) {
        br_reason_set(why, "radius", "must be at most %g m to compute with, got %g",
                      PATCH_MOST_LENGTH, longest);
        return BR_ERR_DEF;
    }
    return status;
}

// Beyond this an ellipse is a line.
static const double max_ratio = 1e6;

static br_status check_ellipse(const br_patch_def* def, br_reason* why)
{
    if (check_radius(def->radius, why) != BR_OK) {
        return BR_ERR_DEF;
    }
    if (!(def->ratio >= 1.0 / max_ratio && def->ratio <= max_ratio)) {
        br_reason_set(why, "ratio", "must be %g to %g, semi-axis along y over that along x, got %g",
                      1.0 / max_ratio, max_ratio, def->ratio);
        return BR_ERR_DEF;
    }
    return check_finite(def->slope_angle, "pressure.angle", why);
}

static br_status check_size(const br_patch_def* def, br_reason* why)
{
    if (check_positive(def->size_x, "size[0]", why) != BR_OK) {
        return BR_ERR_DEF;
    }
    return check_positive(def->size_y, "size[1]", why);
}

size_t bri_polygon_open_count(const br_vec2* vertices, size_t count)
{
    const br_vec2 first = vertices[0], last = vertices[count - 1];
    return count > 1 && first.x == last.x && first.y == last.y ? count - 1 : count;
}

static br_status check_vertex(br_vec2 vertex, size_t index, br_reason* why)
{
    char field[64];
    snprintf(field, sizeof field, "vertices[%zu]", index);
    if (check_finite(vertex.x, field, why) != BR_OK) {
        return BR_ERR_DEF;
    }
    return check_finite(vertex.y, field, why);
}

static br_status check_polygon(const br_patch_def* def, br_reason* why)
{
    if (!def->vertices || def->count == 0) {
        br_reason_set(why, "vertices", "must be given: 3 to %d of them", POLYGON_MAX_VERTICES);
        return BR_ERR_DEF;
    }
    const size_t count = bri_polygon_open_count(def->vertices, def->count);
    if (count < 3 || count > POLYGON_MAX_VERTICES) {
        br_reason_set(why, "vertices", "must be 3 to %d different ones, got %zu",
                      POLYGON_MAX_VERTICES, count);
        return BR_ERR_DEF;
    }
    for (size_t i = 0; i < count; i++) {
        if (check_vertex(def->vertices[i], i, why) != BR_OK) {
            return BR_ERR_DEF;
        }
    }
    return bri_polygon_check(def->vertices, count, why);
}

static br_status check_point(br_support_point point, size_t index, br_reason* why)
{
    char field[64];
    snprintf(field, sizeof field, "points[%zu]", index);
    if (check_finite(point.x, field, why) != BR_OK || check_finite(point.y, field, why) != BR_OK) {
        return BR_ERR_DEF;
    }
    if (!(isfinite(point.weight) && point.weight > 0.0)) {
        br_reason_set(why, field, "its weight must be > 0 and finite, got %g", point.weight);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static br_status check_points(const br_patch_def* def, br_reason* why)
{
    if (!def->points || def->count == 0) {
        br_reason_set(why, "points", "must be given: at least 1 of them");
        return BR_ERR_DEF;
    }
    double sum = 0.0;
    for (size_t i = 0; i < def->count; i++) {
        if (check_point(def->points[i], i, why) != BR_OK) {
            return BR_ERR_DEF;
        }
        sum += def->points[i].weight;
    }
    if (!isfinite(sum)) {
        br_reason_set(why, "points", "the sum of the weights must be finite, got %g", sum);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

// Check that there are cells and that their number does not overflow.
static br_status check_grid_shape(const br_patch_def* def, br_reason* why)
{
    if (def->columns == 0 || def->rows == 0) {
        br_reason_set(why, "cells", "must have at least 1 row and 1 column, got %zu rows of %zu",
                      def->rows, def->columns);
        return BR_ERR_DEF;
    }
    if (!def->cells || def->rows > SIZE_MAX / sizeof(double) / def->columns) {
        br_reason_set(why, "cells", "must be given and fit into memory: %zu rows of %zu", def->rows,
                      def->columns);
        return BR_ERR_DEF;
    }
    return check_size(def, why);
}

static br_status refuse_cell(const br_patch_def* def, size_t index, br_reason* why)
{
    char field[64];
    snprintf(field, sizeof field, "cells[%zu][%zu]", index / def->columns, index % def->columns);
    return check_not_negative(def->cells[index], field, why);
}

static br_status check_grid(const br_patch_def* def, br_reason* why)
{
    if (check_grid_shape(def, why) != BR_OK) {
        return BR_ERR_DEF;
    }
    double sum = 0.0;
    for (size_t i = 0; i < def->columns * def->rows; i++) {
        if (!(isfinite(def->cells[i]) && def->cells[i] >= 0.0)) {
            return refuse_cell(def, i, why);
        }
        sum += def->cells[i];
    }
    if (!(sum > 0.0 && isfinite(sum))) {
        br_reason_set(why, "cells", "their sum must be > 0 and finite, got %g", sum);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static br_status check_shape(const br_patch_def* def, br_reason* why)
{
    switch (def->shape) {
    case BR_SHAPE_DISC:
    case BR_SHAPE_RING:
        return check_radius(def->radius, why);
    case BR_SHAPE_RECTANGLE:
        return check_size(def, why);
    case BR_SHAPE_LINE:
        return check_positive(def->length, "length", why);
    case BR_SHAPE_POLYGON:
        return check_polygon(def, why);
    case BR_SHAPE_POINTS:
        return check_points(def, why);
    case BR_SHAPE_GRID:
        return check_grid(def, why);
    case BR_SHAPE_ELLIPSE:
        return check_ellipse(def, why);
    case BR_SHAPE_TRIANGLES:
        return bri_mesh_check(def, why);
    }
    br_reason_set(why, "shape", "must be one of br_shape, got %d", (int)def->shape);
    return BR_ERR_DEF;
}

static br_status check_linear(const br_patch_def* def, br_reason* why)
{
    if (def->shape == BR_SHAPE_POINTS || def->shape == BR_SHAPE_GRID ||
        def->shape == BR_SHAPE_TRIANGLES) {
        br_reason_set(why, "pressure", "must be uniform for %s, which have their own; got linear",
                      br_shape_get_name(def->shape));
        return BR_ERR_DEF;
    }
    if (check_not_negative(def->from, "pressure.from", why) != BR_OK ||
        check_not_negative(def->to, "pressure.to", why) != BR_OK) {
        return BR_ERR_DEF;
    }
    if (!(def->from > 0.0 || def->to > 0.0)) {
        br_reason_set(why, "pressure.to", "from and to must not both be 0, got %g and %g",
                      def->from, def->to);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static br_status check_power(const br_patch_def* def, br_reason* why)
{
    if (def->shape != BR_SHAPE_DISC && def->shape != BR_SHAPE_ELLIPSE) {
        br_reason_set(why, "pressure", "power is for a disc or an ellipse only, got a shape %s",
                      br_shape_get_name(def->shape));
        return BR_ERR_DEF;
    }
    return check_by_force(def->k, "pressure.k", why);
}

static br_status check_pressure(const br_patch_def* def, br_reason* why)
{
    switch (def->pressure) {
    case BR_PRESSURE_UNIFORM:
        return BR_OK;
    case BR_PRESSURE_POWER:
        return check_power(def, why);
    case BR_PRESSURE_LINEAR:
        return check_linear(def, why);
    }
    br_reason_set(why, "pressure", "must be one of br_pressure_kind, got %d", (int)def->pressure);
    return BR_ERR_DEF;
}

static br_status check_sampling(const br_patch_def* def, br_reason* why)
{
    if (def->sampling == BR_SAMPLING_COVERED || def->sampling == BR_SAMPLING_CENTRE) {
        return BR_OK;
    }
    br_reason_set(why, "sampling", "must be one of br_sampling, got %d", (int)def->sampling);
    return BR_ERR_DEF;
}

static br_status check_placement(const br_patch_def* def, br_reason* why)
{
    if (check_finite(def->centre.x, "centre", why) != BR_OK ||
        check_finite(def->centre.y, "centre", why) != BR_OK) {
        return BR_ERR_DEF;
    }
    return check_finite(def->angle, "angle", why);
}

br_status bri_patch_check(const br_patch_def* def, br_reason* why)
{
    br_status status = check_shape(def, why);
    if (status == BR_OK) {
        status = check_pressure(def, why);
    }
    if (status == BR_OK) {
        status = check_sampling(def, why);
    }
    return status == BR_OK ? check_placement(def, why) : status;
}
