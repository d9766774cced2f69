/*
 * A contact patch from YAML.
 */
#include "scenario/read_patch.h"

#include <math.h>
#include <string.h>

#include "scenario/csv.h"
#include "scenario/made.h"
#include "scenario/mappings.h"
#include "scenario/read_file.h"
#include "scenario/value.h"

enum { DEFAULT_RESOLUTION = 21, FINEST_RESOLUTION = 4096 };

#define SHAPE_NAME(shape, name) name,
static const char* const shape_names[] = {BR_SHAPE_LIST(SHAPE_NAME) NULL};
#undef SHAPE_NAME

static const map_key by_force_keys[] = {
    KEY("coefficient", NUMBER, "", IN_POSITIVE, REQUIRED, "C of min(C fn^E, M)",
        AT(br_by_force, coefficient)),
    KEY("exponent", NUMBER, "-", IN_NOT_NEGATIVE, REQUIRED, "E", AT(br_by_force, exponent)),
    KEY("max", NUMBER, "", IN_POSITIVE, "", "M", AT(br_by_force, max))};
static const mapping by_force = MAPPING("by force", by_force_keys);

static const map_key exponent_by_force_keys[] = {
    KEY("coefficient", NUMBER, "", IN_POSITIVE, REQUIRED, "C of C fn^E",
        AT(br_by_force, coefficient)),
    KEY("exponent", NUMBER, "-", IN_NOT_NEGATIVE, REQUIRED, "E", AT(br_by_force, exponent))};
static const mapping exponent_by_force = MAPPING("exponent by force", exponent_by_force_keys);

static const map_key uniform_keys[] = {
    KEY("kind", WORD, "", IN_ANY, REQUIRED, "the same everywhere", BY_HAND, WORDS("uniform"))};
static const mapping uniform = MAPPING("uniform pressure", uniform_keys);

static const map_key power_keys[] = {
    KEY("kind", WORD, "", IN_ANY, REQUIRED, "(1 - (rho/a)^k)^(1/k), of a disc", BY_HAND,
        WORDS("power")),
    KEY("k", NUMBER, "-", IN_POSITIVE, REQUIRED, "k", BY_HAND, MAPS(&exponent_by_force))};
static const mapping power = MAPPING("power pressure", power_keys);

static const map_key linear_keys[] = {
    KEY("kind", WORD, "", IN_ANY, REQUIRED, "along x", BY_HAND, WORDS("linear")),
    KEY("from", NUMBER, "", IN_NOT_NEGATIVE, REQUIRED, "at the left end", AT(br_patch_def, from)),
    KEY("to", NUMBER, "", IN_NOT_NEGATIVE, REQUIRED, "at the right end", AT(br_patch_def, to))};
static const mapping linear = MAPPING("linear pressure", linear_keys);

static const char* const sampling_names[] = {"covered", "centre", NULL};

// What all shapes have.
#define SHAPE_KEY(word, text) KEY("shape", WORD, "", IN_ANY, REQUIRED, text, BY_HAND, WORDS(word))
#define COMMON_KEYS                                                                                \
    KEY("pressure", WORD, "", IN_ANY, "uniform", "normalised: the force comes from elsewhere",     \
        BY_HAND, WORDS("uniform"), MAPS(&uniform, &power, &linear)),                               \
        KEY("centre", NUMBERS, "m", IN_ANY, "[0, 0]", "placement in the contact's frame", BY_HAND, \
            COUNT(2)),                                                                             \
        KEY("angle", NUMBER, "rad", IN_ANY, "0", "turned by that", AT(br_patch_def, angle)),       \
        KEY("resolution", COUNT, "", IN(1, FINEST_RESOLUTION), "21", "cells across", BY_HAND),     \
        KEY("sampling", WORD, "", IN_ANY, "covered", "what cells carry", BY_HAND,                  \
            .words = sampling_names)
#define RADIUS_KEY                                                                                 \
    KEY("radius", NUMBER, "m", IN_POSITIVE, REQUIRED, "a number, or by force", BY_HAND,            \
        MAPS(&by_force))
#define SIZE_KEY                                                                                   \
    KEY("size", NUMBERS, "m", IN_POSITIVE, REQUIRED, "along x and y", BY_HAND, COUNT(2))

static const map_key disc_keys[] = {SHAPE_KEY("disc", "a disc"), RADIUS_KEY, COMMON_KEYS};
static const map_key ring_keys[] = {SHAPE_KEY("ring", "a thin ring"), RADIUS_KEY, COMMON_KEYS};
static const map_key rectangle_keys[] = {SHAPE_KEY("rectangle", "a rectangle"), SIZE_KEY,
                                         COMMON_KEYS};
static const map_key line_keys[] = {
    SHAPE_KEY("line", "a line along x"),
    KEY("length", NUMBER, "m", IN_POSITIVE, REQUIRED, "of the line", AT(br_patch_def, length)),
    COMMON_KEYS};
static const map_key polygon_keys[] = {
    SHAPE_KEY("polygon", "a simple polygon, of any orientation, convex or not"),
    KEY("vertices", ROWS, "m", IN_ANY, REQUIRED, "[[x, y], ...]", BY_HAND, COUNT(2)), COMMON_KEYS};
static const map_key points_keys[] = {SHAPE_KEY("points", "support points"),
                                      KEY("points", ROWS, "m", IN_ANY, REQUIRED,
                                          "[[x, y, weight], ...], weights > 0", BY_HAND, COUNT(3)),
                                      COMMON_KEYS};
static const map_key grid_keys[] = {
    SHAPE_KEY("grid", "pressure in cells"), SIZE_KEY,
    KEY("cells", ROWS, "", IN_NOT_NEGATIVE, "", "rows from the top (largest y) to the bottom",
        BY_HAND),
    KEY("file", FILE, "", IN_ANY, "", "the same as CSV without a header", BY_HAND), COMMON_KEYS};

static const mapping disc = MAPPING("disc", disc_keys), ring = MAPPING("ring", ring_keys),
                     rectangle = MAPPING("rectangle", rectangle_keys),
                     line = MAPPING("line", line_keys), polygon = MAPPING("polygon", polygon_keys),
                     point_list = MAPPING("points", points_keys),
                     cell_grid = MAPPING("grid", grid_keys);

// In the order of BR_SHAPE_LIST.
const mapping* const bri_keys_patches[] = {&disc,    &ring,       &rectangle, &line,
                                           &polygon, &point_list, &cell_grid, NULL};

// A number, or {coefficient, exponent, max} where it depends on the normal force.
static br_by_force read_by_force(const node* value, const mapping* keys)
{
    if (!value || value->kind != NODE_MAP) {
        return br_by_force_constant(bri_value_number(value, RANGE_POSITIVE));
    }
    br_by_force number = br_by_force_constant(1);
    number.max = HUGE_VAL;
    bri_keys_read(value, keys, &number);
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
    def->radius = read_by_force(bri_node_find(map, "radius"), &by_force);
}

static void read_size(const node* map, br_patch_def* def)
{
    double size[2] = {1, 1};
    bri_value_fill(bri_node_find(map, "size"), 2, RANGE_POSITIVE, size);
    def->size_x = size[0];
    def->size_y = size[1];
}

static void read_vertices(const node* map, br_patch_def* def)
{
    const node* list = bri_node_find(map, "vertices");
    def->count = bri_value_list(list, 0);
    br_vec2* vertices = bri_allocate(map->in, def->count, sizeof *vertices);
    for (size_t i = 0; i < def->count; i++) {
        vertices[i] = read_vec2(list->children[i]);
    }
    def->vertices = vertices;
}

static void read_points(const node* map, br_patch_def* def)
{
    const node* list = bri_node_find(map, "points");
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
        break; // its length is read
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
    if (bri_keys_read(map, &power, def)) {
        def->k = read_by_force(bri_node_find(map, "k"), &exponent_by_force);
    }
}

// A word, or a map with `kind`.
static void read_pressure(const node* value, br_patch_def* def)
{
    static const char* const kinds[] = {"uniform", "power", "linear", NULL};
    const bool is_map = value->kind == NODE_MAP;
    def->pressure = bri_value_choice(is_map ? bri_node_require(value, "kind") : value, kinds);
    if (def->pressure == BR_PRESSURE_POWER) {
        read_power(value, def);
    } else if (def->pressure == BR_PRESSURE_LINEAR) {
        bri_keys_read(value, &linear, def);
    } else if (is_map) {
        bri_keys_read(value, &uniform, def);
    }
}

static void read_placement(const node* map, br_patch_def* def)
{
    const node* centre = bri_node_find(map, "centre");
    if (centre) {
        def->centre = read_vec2(centre);
    }
}

// What the cells of a model carry.
static br_sampling read_sampling(const node* map)
{
    const node* sampling = bri_node_find(map, "sampling");
    return sampling ? bri_value_choice(sampling, sampling_names) : BR_SAMPLING_COVERED;
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
    const patch_input* made = map ? bri_made_find_patch(map) : NULL;
    if (made) {
        return *made;
    }
    const size_t before = map ? bri_problems(map) : 0;
    const node* shape = bri_node_require(map, "shape");
    def.shape = bri_value_choice(shape, shape_names);
    if (!shape || bri_problems(map) != before) {
        return (patch_input){NULL, DEFAULT_RESOLUTION}; // its other keys depend on its shape
    }
    bri_keys_read(map, bri_keys_patches[def.shape], &def);
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
    const patch_input got = {bri_problems(map) == before ? create(&def, map) : NULL, cells};
    if (got.patch) {
        bri_made_note_patch(map, got);
    }
    return got;
}
