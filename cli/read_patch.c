/*
 * A contact patch from YAML.
 */
#include "read_patch.h"

#include <math.h>
#include <string.h>

#include "csv.h"
#include "memory.h"
#include "message.h"
#include "read_file.h"
#include "value.h"

enum { DEFAULT_RESOLUTION = 21, FINEST_RESOLUTION = 4096 };

#define SHAPE_NAME(shape, name) name,
static const char* const shape_names[] = {BR_SHAPE_LIST(SHAPE_NAME) NULL};
#undef SHAPE_NAME

// The keys that each shape has besides the ones all have; in the order of BR_SHAPE_LIST.
static const char* const shape_keys[][3] = {{"radius"},
                                            {"radius"},
                                            {"size"},
                                            {"length"},
                                            {"vertices"},
                                            {"points"},
                                            {"size", "cells", "file"}};

static void expect_shape_keys(const node* map, br_shape shape)
{
    const char* keys[10] = {"shape", "pressure", "centre", "angle", "resolution", "sampling"};
    for (int i = 0; i < 3; i++) {
        keys[6 + i] = shape_keys[shape][i];
    }
    node_expect_keys(map, keys);
}

// A number, or {coefficient, exponent, max} where it depends on the normal force.
static br_by_force read_by_force(const node* value, names keys)
{
    if (value->kind != NODE_MAP) {
        return br_by_force_constant(value_number(value, RANGE_POSITIVE));
    }
    static const char* const required[] = {"coefficient", "exponent", NULL};
    node_expect_keys(value, keys);
    node_require_all(value, required, NULL);
    br_by_force number;
    number.coefficient = value_required(value, "coefficient", RANGE_POSITIVE);
    number.exponent = value_required(value, "exponent", RANGE_NOT_NEGATIVE);
    number.max = value_optional(value, "max", RANGE_POSITIVE, HUGE_VAL);
    return number;
}

static br_vec2 read_vec2(const node* value)
{
    const double* xy = value_numbers(value, 2, RANGE_ANY);
    const br_vec2 vector = {xy[0], xy[1]};
    return vector;
}

static void read_radius(const node* map, br_patch_def* def)
{
    static const char* const keys[] = {"coefficient", "exponent", "max", NULL};
    def->radius = read_by_force(node_require(map, "radius"), keys);
}

static void read_size(const node* map, br_patch_def* def)
{
    const double* size = value_numbers(node_require(map, "size"), 2, RANGE_POSITIVE);
    def->size_x = size[0];
    def->size_y = size[1];
}

static void read_vertices(const node* map, br_patch_def* def)
{
    const node* list = node_require(map, "vertices");
    def->count = value_list(list, 0);
    br_vec2* vertices = memory_allocate(def->count, sizeof *vertices);
    for (size_t i = 0; i < def->count; i++) {
        vertices[i] = read_vec2(list->children[i]);
    }
    def->vertices = vertices;
}

static void read_points(const node* map, br_patch_def* def)
{
    const node* list = node_require(map, "points");
    def->count = value_list(list, 0);
    br_support_point* points = memory_allocate(def->count, sizeof *points);
    for (size_t i = 0; i < def->count; i++) {
        const node* point = list->children[i];
        const double* numbers = value_numbers(point, 3, RANGE_ANY);
        points[i].x = numbers[0];
        points[i].y = numbers[1];
        points[i].weight = value_number(point->children[2], RANGE_POSITIVE);
    }
    def->points = points;
}

static void read_cells(const node* list, br_patch_def* def)
{
    def->rows = value_list(list, 0);
    def->columns = value_list(list->children[0], 0);
    double* cells = memory_allocate(def->rows * def->columns, sizeof *cells);
    for (size_t i = 0; i < def->rows; i++) {
        const double* row = value_numbers(list->children[i], def->columns, RANGE_NOT_NEGATIVE);
        for (size_t j = 0; j < def->columns; j++) {
            cells[i * def->columns + j] = row[j];
        }
    }
    def->cells = cells;
}

static void read_grid(const node* map, br_patch_def* def)
{
    read_size(map, def);
    const node* cells = node_find(map, "cells");
    const node* file = node_find(map, "file");
    if (!cells == !file) {
        node_fail_field(map, "cells", "a grid has either cells or file, exactly one of them");
    }
    if (cells) {
        read_cells(cells, def);
        return;
    }
    const csv_grid grid = csv_read_grid(read_file_name(file));
    def->rows = grid.rows;
    def->columns = grid.columns;
    def->cells = grid.values;
}

static void read_shape(const node* map, br_patch_def* def)
{
    switch (def->shape) {
    case BR_SHAPE_DISC:
    case BR_SHAPE_RING:
        read_radius(map, def);
        break;
    case BR_SHAPE_RECTANGLE:
        read_size(map, def);
        break;
    case BR_SHAPE_LINE:
        def->length = value_required(map, "length", RANGE_POSITIVE);
        break;
    case BR_SHAPE_POLYGON:
        read_vertices(map, def);
        break;
    case BR_SHAPE_POINTS:
        read_points(map, def);
        break;
    case BR_SHAPE_GRID:
        read_grid(map, def);
        break;
    }
}

static void read_power(const node* map, br_patch_def* def)
{
    static const char* const keys[] = {"kind", "k", NULL};
    static const char* const k_keys[] = {"coefficient", "exponent", NULL};
    node_expect_keys(map, keys);
    def->k = read_by_force(node_require(map, "k"), k_keys);
}

static void read_linear(const node* map, br_patch_def* def)
{
    static const char* const keys[] = {"kind", "from", "to", NULL};
    node_expect_keys(map, keys);
    node_require_all(map, keys, NULL);
    def->from = value_required(map, "from", RANGE_NOT_NEGATIVE);
    def->to = value_required(map, "to", RANGE_NOT_NEGATIVE);
}

// A word, or a map with `kind`.
static void read_pressure(const node* value, br_patch_def* def)
{
    static const char* const kinds[] = {"uniform", "power", "linear", NULL};
    static const char* const keys[] = {"kind", NULL};
    const bool is_map = value->kind == NODE_MAP;
    def->pressure = value_choice(is_map ? node_require(value, "kind") : value, kinds);
    if (def->pressure == BR_PRESSURE_POWER) {
        read_power(value, def);
    } else if (def->pressure == BR_PRESSURE_LINEAR) {
        read_linear(value, def);
    } else if (is_map) {
        node_expect_keys(value, keys);
    }
}

static void read_placement(const node* map, br_patch_def* def)
{
    const node* centre = node_find(map, "centre");
    if (centre) {
        def->centre = read_vec2(centre);
    }
    def->angle = value_optional(map, "angle", RANGE_ANY, 0);
}

// What the cells of a model carry.
static br_sampling read_sampling(const node* map)
{
    static const char* const samplings[] = {"covered", "centre", NULL};
    const node* sampling = node_find(map, "sampling");
    return sampling ? value_choice(sampling, samplings) : BR_SAMPLING_COVERED;
}

static void destroy_patch(void* patch)
{
    br_patch_destroy(patch);
}

static br_patch* create(const br_patch_def* def, const node* map)
{
    br_patch* patch;
    br_reason why = {"", ""};
    const br_status status = br_patch_create(def, &patch, &why);
    if (status == BR_ERR_DEF) {
        // cells that came from a file are known by the file's key
        const bool filed = strncmp(why.field, "cells", 5) == 0 && node_find(map, "file");
        node_fail_field(map, filed ? "file" : why.field, why.text);
    }
    if (status != BR_OK) {
        message_fail(EXIT_COMPUTATION, "%s", br_status_text(status));
    }
    memory_own(patch, destroy_patch);
    return patch;
}

patch_input read_patch(const node* map)
{
    br_patch_def def = br_patch_def_default();
    if (map->kind != NODE_MAP) {
        node_fail(map, "must be a map that begins with shape; got %s", node_describe(map));
    }
    def.shape = value_choice(node_require(map, "shape"), shape_names);
    expect_shape_keys(map, def.shape);
    read_shape(map, &def);
    const node* pressure = node_find(map, "pressure");
    if (pressure) {
        read_pressure(pressure, &def);
    }
    read_placement(map, &def);
    def.sampling = read_sampling(map);
    const node* resolution = node_find(map, "resolution");
    const size_t cells =
        resolution ? value_count(resolution, 1, FINEST_RESOLUTION) : DEFAULT_RESOLUTION;
    const patch_input input = {create(&def, map), cells};
    return input;
}
