/*
 * A contact patch from YAML.
 */
#include "scenario/read_patch.h"

#include <math.h>
#include <string.h>

#include "scenario/csv.h"
#include "scenario/read_file.h"
#include "scenario/value.h"

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
    bri_node_expect_keys(map, keys);
}

// A number, or {coefficient, exponent, max} where it depends on the normal force.
static br_by_force read_by_force(const node* value, names keys)
{
    if (!value || value->kind != NODE_MAP) {
        return br_by_force_constant(bri_value_number(value, RANGE_POSITIVE));
    }
    static const char* const required[] = {"coefficient", "exponent", NULL};
    if (!bri_node_expect_keys(value, keys) || !bri_node_require_all(value, required, NULL)) {
        return br_by_force_constant(1);
    }
    br_by_force number;
    number.coefficient = bri_value_required(value, "coefficient", RANGE_POSITIVE);
    number.exponent = bri_value_required(value, "exponent", RANGE_NOT_NEGATIVE);
    number.max = bri_value_optional(value, "max", RANGE_POSITIVE, HUGE_VAL);
    return number;
}

static br_vec2 read_vec2(const node* value)
{
    double xy[2] = {0, 0};
    bri_value_fill(value, 2, RANGE_ANY, xy);
    return (br_vec2){xy[0], xy[1]};
}

static void read_radius(const node* map, br_patch_def* def)
{
    static const char* const keys[] = {"coefficient", "exponent", "max", NULL};
    def->radius = read_by_force(bri_node_require(map, "radius"), keys);
}

static void read_size(const node* map, br_patch_def* def)
{
    double size[2] = {1, 1};
    bri_value_fill(bri_node_require(map, "size"), 2, RANGE_POSITIVE, size);
    def->size_x = size[0];
    def->size_y = size[1];
}

static void read_vertices(const node* map, br_patch_def* def)
{
    const node* list = bri_node_require(map, "vertices");
    def->count = bri_value_list(list, 0);
    br_vec2* vertices = bri_allocate(map->in, def->count, sizeof *vertices);
    for (size_t i = 0; i < def->count; i++) {
        vertices[i] = read_vec2(list->children[i]);
    }
    def->vertices = vertices;
}

static void read_points(const node* map, br_patch_def* def)
{
    const node* list = bri_node_require(map, "points");
    def->count = bri_value_list(list, 0);
    br_support_point* points = bri_allocate(map->in, def->count, sizeof *points);
    for (size_t i = 0; i < def->count; i++) {
        const node* point = list->children[i];
        double numbers[3] = {0, 0, 1};
        bri_value_fill(point, 3, RANGE_ANY, numbers);
        points[i] = (br_support_point){numbers[0], numbers[1], numbers[2]};
        if (point->count == 3 && !(numbers[2] > 0)) {
            bri_value_number(point->children[2], RANGE_POSITIVE);
        }
    }
    def->points = points;
}

static void read_cells(const node* list, br_patch_def* def)
{
    def->rows = bri_value_list(list, 0);
    def->columns = def->rows ? bri_value_list(list->children[0], 0) : 0;
    double* cells = bri_allocate(list->in, def->rows * def->columns, sizeof *cells);
    for (size_t i = 0; i < def->rows && def->columns; i++) {
        bri_value_fill(list->children[i], def->columns, RANGE_NOT_NEGATIVE,
                       cells + i * def->columns);
    }
    def->cells = cells;
}

static void read_grid(const node* map, br_patch_def* def)
{
    read_size(map, def);
    const node* cells = bri_node_find(map, "cells");
    const node* file = bri_node_find(map, "file");
    if (!cells == !file) {
        bri_node_fail_field(map, "cells", "a grid has either cells or file, exactly one of them");
        return;
    }
    if (cells) {
        read_cells(cells, def);
        return;
    }
    const char* path = bri_read_file_name(file);
    const csv_grid grid = path ? bri_csv_read_grid(map->in, path) : (csv_grid){0, 0, NULL};
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
        def->length = bri_value_required(map, "length", RANGE_POSITIVE);
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
    if (!bri_node_expect_keys(map, keys)) {
        return;
    }
    def->k = read_by_force(bri_node_require(map, "k"), k_keys);
}

static void read_linear(const node* map, br_patch_def* def)
{
    static const char* const keys[] = {"kind", "from", "to", NULL};
    if (!bri_node_expect_keys(map, keys) || !bri_node_require_all(map, keys, NULL)) {
        return;
    }
    def->from = bri_value_required(map, "from", RANGE_NOT_NEGATIVE);
    def->to = bri_value_required(map, "to", RANGE_NOT_NEGATIVE);
}

// A word, or a map with `kind`.
static void read_pressure(const node* value, br_patch_def* def)
{
    static const char* const kinds[] = {"uniform", "power", "linear", NULL};
    static const char* const keys[] = {"kind", NULL};
    const bool is_map = value->kind == NODE_MAP;
    def->pressure = bri_value_choice(is_map ? bri_node_require(value, "kind") : value, kinds);
    if (def->pressure == BR_PRESSURE_POWER) {
        read_power(value, def);
    } else if (def->pressure == BR_PRESSURE_LINEAR) {
        read_linear(value, def);
    } else if (is_map) {
        bri_node_expect_keys(value, keys);
    }
}

static void read_placement(const node* map, br_patch_def* def)
{
    const node* centre = bri_node_find(map, "centre");
    if (centre) {
        def->centre = read_vec2(centre);
    }
    def->angle = bri_value_optional(map, "angle", RANGE_ANY, 0);
}

// What the cells of a model carry.
static br_sampling read_sampling(const node* map)
{
    static const char* const samplings[] = {"covered", "centre", NULL};
    const node* sampling = bri_node_find(map, "sampling");
    return sampling ? bri_value_choice(sampling, samplings) : BR_SAMPLING_COVERED;
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
    if (status == BR_ERR_MEMORY) {
        bri_no_memory(map->in);
    }
    if (status != BR_OK) {
        // cells that came from a file are known by the file's key
        const bool filed = strncmp(why.field, "cells", 5) == 0 && bri_node_find(map, "file");
        bri_node_fail_field(map, filed ? "file" : why.field, "%s", why.text);
        return NULL;
    }
    bri_pool_own(&map->in->memory, patch, destroy_patch);
    return patch;
}

patch_input bri_read_patch(const node* map)
{
    br_patch_def def = br_patch_def_default();
    if (map && map->kind != NODE_MAP) {
        bri_node_fail(map, "must be a map that begins with shape; got %s", bri_node_describe(map));
        return (patch_input){NULL, DEFAULT_RESOLUTION};
    }
    const size_t before = map ? bri_problems(map) : 0;
    const node* shape = bri_node_require(map, "shape");
    def.shape = bri_value_choice(shape, shape_names);
    if (!shape || bri_problems(map) != before) {
        return (patch_input){NULL, DEFAULT_RESOLUTION}; // its other keys depend on its shape
    }
    expect_shape_keys(map, def.shape);
    read_shape(map, &def);
    const node* pressure = bri_node_find(map, "pressure");
    if (pressure) {
        read_pressure(pressure, &def);
    }
    read_placement(map, &def);
    def.sampling = read_sampling(map);
    const node* resolution = bri_node_find(map, "resolution");
    const size_t cells =
        resolution ? bri_value_count(resolution, 1, FINEST_RESOLUTION) : DEFAULT_RESOLUTION;
    return (patch_input){bri_problems(map) == before ? create(&def, map) : NULL, cells};
}
