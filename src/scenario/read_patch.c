/*
 * A contact patch from a tree.
 */
#include "scenario/read_contact.h"

#include <math.h>
#include <string.h>

#include "bristle/hertz.h"
#include "scenario/mappings.h"
#include "scenario/source.h"

enum { DEFAULT_RESOLUTION = 21, FINEST_RESOLUTION = 4096 };

// As it is read.
typedef struct pressure_input {
    int kind; // br_pressure_kind
    br_by_force k;
    double from, to, angle;
} pressure_input;

typedef struct hertz_input {
    double radii[2], ground[2];
    double ground_angle, modulus, max_force;
} hertz_input;

typedef struct patch_reading {
    br_patch_def def;
    size_t resolution;
    pressure_input pressure;
    number_rows rows; // vertices, points or cells
    number_rows triangles;
    hertz_input hertz;
    const char* file;
    br_anisotropy anisotropy;
} patch_reading;

#define BY_FORCE_KEYS(text)                                                                        \
    KEY("coefficient", NUMBER, "", IN_POSITIVE, REQUIRED, text, AT(br_by_force, coefficient)),     \
        KEY("exponent", NUMBER, "-", IN_NOT_NEGATIVE, REQUIRED, "E", AT(br_by_force, exponent))
static const map_key by_force_keys[] = {
    BY_FORCE_KEYS("C of min(C fn^E, M)"),
    KEY("max", NUMBER, "", IN_POSITIVE, "", "M", AT(br_by_force, max))};
static const mapping by_force = MAPPING("by force", by_force_keys, br_by_force);

static const map_key exponent_by_force_keys[] = {BY_FORCE_KEYS("C of C fn^E")};
static const mapping exponent_by_force =
    MAPPING("exponent by force", exponent_by_force_keys, br_by_force);

#define PRESSURE_KIND(word, text, value) TAG_AT("kind", word, text, pressure_input, kind, value)
static const map_key uniform_keys[] = {
    PRESSURE_KIND("uniform", "the same everywhere", BR_PRESSURE_UNIFORM)};
static const mapping uniform = MAPPING("uniform pressure", uniform_keys, pressure_input);

static const map_key power_keys[] = {
    PRESSURE_KIND("power", "(1 - (rho/a)^k)^(1/k), of a disc or ellipse", BR_PRESSURE_POWER),
    KEY("k", NUMBER, "-", IN_POSITIVE, REQUIRED, "k", AT(pressure_input, k),
        MAPS(&exponent_by_force))};
static const mapping power = MAPPING("power pressure", power_keys, pressure_input);

static const map_key linear_keys[] = {
    PRESSURE_KIND("linear", "along x", BR_PRESSURE_LINEAR),
    KEY("from", NUMBER, "", IN_NOT_NEGATIVE, REQUIRED, "at the left end", AT(pressure_input, from)),
    KEY("to", NUMBER, "", IN_NOT_NEGATIVE, REQUIRED, "at the right end", AT(pressure_input, to)),
    KEY("angle", NUMBER, "rad", IN_ANY, DEFAULT, "of an ellipse: its direction, from x",
        AT(pressure_input, angle))};
static const mapping linear = MAPPING("linear pressure", linear_keys, pressure_input);

// Keys of all shapes.
#define SHAPE_KEY(word, text, value) TAG_AT("shape", word, text, patch_reading, def.shape, value)
#define COMMON_KEYS                                                                                \
    PLAIN_KEY("pressure", WORD, DEFAULT, "normalised: the force comes from elsewhere",             \
              AT(patch_reading, pressure), WORDS("uniform"), MAPS(&uniform, &power, &linear)),     \
        KEY("centre", NUMBERS, "m", IN_ANY, DEFAULT, "placement in the contact's frame",           \
            AT(patch_reading, def.centre), COUNT(2)),                                              \
        KEY("angle", NUMBER, "rad", IN_ANY, DEFAULT, "turned by that",                             \
            AT(patch_reading, def.angle)),                                                         \
        KEY("resolution", COUNT, "", IN(1, FINEST_RESOLUTION), DEFAULT, "cells across",            \
            AT(patch_reading, resolution)),                                                        \
        PLAIN_KEY("sampling", WORD, DEFAULT, "what cells carry", AT(patch_reading, def.sampling),  \
                  WORDS("covered", "centre")),                                                     \
        PLAIN_KEY("anisotropy", MAP, "",                                                           \
                  "of a file for surface and fit contact; in scenarios: friction.anisotropy",      \
                  AT(patch_reading, anisotropy), MAPS(&bri_keys_anisotropy))
#define RADIUS_KEY                                                                                 \
    KEY("radius", NUMBER, "m", IN_POSITIVE, REQUIRED, "a number, or by force",                     \
        AT(patch_reading, def.radius), MAPS(&by_force))
#define SIZE_KEY                                                                                   \
    KEY("size", NUMBERS, "m", IN_POSITIVE, REQUIRED, "along x and y",                              \
        AT(patch_reading, def.size_x), COUNT(2))
_Static_assert(offsetof(br_patch_def, size_y) == offsetof(br_patch_def, size_x) + sizeof(double),
               "size is read into both");

static const map_key disc_keys[] = {SHAPE_KEY("disc", "a disc", BR_SHAPE_DISC), RADIUS_KEY,
                                    COMMON_KEYS};
static const map_key ring_keys[] = {SHAPE_KEY("ring", "a thin ring", BR_SHAPE_RING), RADIUS_KEY,
                                    COMMON_KEYS};
static const map_key hertz_keys[] = {
    KEY("radii", NUMBERS, "m", IN_ANY, REQUIRED,
        "of curvature of the body along x and y; 0: flat, < 0: concave", AT(hertz_input, radii),
        COUNT(2)),
    KEY("ground", NUMBERS, "m", IN_ANY, DEFAULT, "the same of the ground, along its own axes",
        AT(hertz_input, ground), COUNT(2)),
    KEY("ground_angle", NUMBER, "rad", IN_ANY, DEFAULT, "of these axes",
        AT(hertz_input, ground_angle)),
    KEY("modulus", NUMBER, "Pa", IN_POSITIVE, REQUIRED,
        "E* of both bodies: 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2", AT(hertz_input, modulus)),
    KEY("max_force", NUMBER, "N", IN_POSITIVE, "", "largest normal force; cells and blocks need it",
        AT(hertz_input, max_force))};
static void set_hertz_default(void* to)
{
    *(hertz_input*)to = (hertz_input){.max_force = HUGE_VAL};
}
static const mapping hertz = MAPPING_OF("hertz", hertz_keys, hertz_input, set_hertz_default, NULL);

static const map_key ellipse_keys[] = {
    SHAPE_KEY("ellipse", "an ellipse", BR_SHAPE_ELLIPSE),
    KEY("radius", NUMBER, "m", IN_POSITIVE, "", "semi-axis along x: a number, or by force",
        AT(patch_reading, def.radius), MAPS(&by_force)),
    KEY("ratio", NUMBER, "-", IN_POSITIVE, "", "semi-axis along y over that along x",
        AT(patch_reading, def.ratio)),
    PLAIN_KEY("hertz", MAP, "",
              "in place of radius, ratio and pressure: those of elastic bodies at each force",
              AT(patch_reading, hertz), MAPS(&hertz)),
    COMMON_KEYS};
static const map_key triangles_keys[] = {
    SHAPE_KEY("triangles", "a pressure field, linear on triangles", BR_SHAPE_TRIANGLES),
    KEY("vertices", ROWS, "m", IN_ANY, REQUIRED, "[[x, y, pressure], ...], pressures >= 0",
        AT(patch_reading, rows), COUNT(3)),
    KEY("triangles", ROWS, "", IN_NOT_NEGATIVE, REQUIRED,
        "[[i, j, k], ...]: numbers of their vertices, from 0", AT(patch_reading, triangles),
        COUNT(3)),
    COMMON_KEYS};
static const map_key rectangle_keys[] = {SHAPE_KEY("rectangle", "a rectangle", BR_SHAPE_RECTANGLE),
                                         SIZE_KEY, COMMON_KEYS};
static const map_key line_keys[] = {
    SHAPE_KEY("line", "a line along x", BR_SHAPE_LINE),
    KEY("length", NUMBER, "m", IN_POSITIVE, REQUIRED, "of the line", AT(patch_reading, def.length)),
    COMMON_KEYS};
static const map_key polygon_keys[] = {
    SHAPE_KEY("polygon", "a simple polygon, of any orientation, convex or not", BR_SHAPE_POLYGON),
    KEY("vertices", ROWS, "m", IN_ANY, REQUIRED, "[[x, y], ...]", AT(patch_reading, rows),
        COUNT(2)),
    COMMON_KEYS};
static const map_key points_keys[] = {SHAPE_KEY("points", "support points", BR_SHAPE_POINTS),
                                      KEY("points", ROWS, "m", IN_ANY, REQUIRED,
                                          "[[x, y, weight], ...], weights > 0",
                                          AT(patch_reading, rows), COUNT(3)),
                                      COMMON_KEYS};
static const map_key grid_keys[] = {
    SHAPE_KEY("grid", "pressure in cells", BR_SHAPE_GRID), SIZE_KEY,
    KEY("cells", ROWS, "", IN_NOT_NEGATIVE, "", "rows from the top (largest y) to the bottom",
        AT(patch_reading, rows)),
    PLAIN_KEY("file", FILE, "", "the same as CSV without a header", AT(patch_reading, file)),
    COMMON_KEYS};

static void set_default(void* to)
{
    patch_reading* in = to;
    in->def = br_patch_def_default();
    in->pressure.k = br_by_force_constant(1);
    in->resolution = DEFAULT_RESOLUTION;
    in->anisotropy = br_anisotropy_default();
    set_hertz_default(&in->hertz);
}

static void check_weights(const node* list, const number_rows* points)
{
    for (size_t i = 0; i < points->rows; i++) {
        if (list->children[i]->count == 3 && !(points->at[3 * i + 2] > 0)) {
            bri_value_number(list->children[i]->children[2], RANGE_POSITIVE);
        }
    }
}

static void finish_grid(const node* map, patch_reading* in)
{
    br_patch_def* def = &in->def;
    if (!bri_node_find(map, "cells") == !bri_node_find(map, "file")) {
        bri_node_fail_field(map, "cells", "a grid has either cells or file, exactly one of them");
        return;
    }
    const csv_grid grid = in->file ? bri_csv_read_grid(map->in, in->file)
                                   : (csv_grid){in->rows.rows, in->rows.columns, in->rows.at};
    def->rows = grid.rows;
    def->columns = grid.columns;
    def->cells = grid.values;
}

// A radius of curvature as files give it, where 0 is flat.
static double curvature_radius(double given)
{
    return given == 0.0 ? HUGE_VAL : given;
}

// Radius and ratio, or both from elastic bodies.
static void finish_ellipse(const node* map, patch_reading* in)
{
    const node* bodies = bri_node_find(map, "hertz");
    static const char* const others[] = {"radius", "ratio", "pressure"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const bool is_given = bri_node_find(map, others[i]) != NULL;
        if (bodies && is_given) {
            bri_node_fail_field(map, others[i], "must not be given: it follows from hertz");
        } else if (!bodies && !is_given && i < 2) {
            bri_node_fail_field(map, others[i],
                                "is missing: an ellipse has radius and ratio, or hertz");
        }
    }
    if (bodies && bodies->kind == NODE_MAP) {
        const hertz_input* h = &in->hertz;
        br_hertz_def def = br_hertz_def_default();
        def.radius_x = curvature_radius(h->radii[0]);
        def.radius_y = curvature_radius(h->radii[1]);
        def.ground_x = curvature_radius(h->ground[0]);
        def.ground_y = curvature_radius(h->ground[1]);
        def.ground_angle = h->ground_angle;
        def.modulus = h->modulus;
        br_reason why = {"", ""};
        bri_node_accept(bodies, br_hertz_patch(&def, h->max_force, &in->def, &why), &why);
    }
}

// Numbers of vertices are whole.
static void finish_triangles(const node* map, patch_reading* in)
{
    pool* memory = &map->in->memory;
    br_patch_def* def = &in->def;
    const size_t count = in->rows.rows, triangles = in->triangles.rows;
    br_vec2* vertices = bri_pool_allocate(memory, count + 1, sizeof *vertices);
    double* pressures = bri_pool_allocate(memory, count + 1, sizeof *pressures);
    uint32_t* indices = bri_pool_allocate(memory, 3 * triangles + 1, sizeof *indices);
    for (size_t i = 0; i < count; i++) {
        vertices[i] = (br_vec2){in->rows.at[3 * i], in->rows.at[3 * i + 1]};
        pressures[i] = in->rows.at[3 * i + 2];
    }
    for (size_t i = 0; i < 3 * triangles; i++) {
        const double x = in->triangles.at[i];
        if (x != floor(x) || x >= (double)count) {
            bri_node_fail_field(map, bri_format(map->in, "triangles[%zu]", i / 3),
                                "must be numbers of vertices, 0 to %zu, got %.15g", count - 1, x);
            return;
        }
        indices[i] = (uint32_t)x;
    }
    def->vertices = vertices;
    def->pressures = pressures;
    def->triangles = indices;
    def->triangle_count = triangles;
}

// Anisotropy is a property of friction: a patch has it only where the file has no friction, and no pose.
static void check_anisotropy(const node* map, const patch_reading* in)
{
    const node* given = bri_node_find(map, "anisotropy");
    if (given && map->parent) {
        bri_node_fail(given, "belongs to friction: friction.anisotropy");
    } else if (given && in->anisotropy.axes == BR_AXES_GROUND) {
        bri_node_fail_field(given, "axes",
                            "must be body: a patch file has no pose over the ground; angle is that "
                            "of the first axis from x of the file's frame");
    }
}

static void finish_patch(const node* map, void* to, bool is_good)
{
    patch_reading* in = to;
    br_patch_def* def = &in->def;
    check_anisotropy(map, in);
    def->pressure = in->pressure.kind;
    def->k = in->pressure.k;
    def->from = in->pressure.from;
    def->to = in->pressure.to;
    def->slope_angle = in->pressure.angle;
    if (def->slope_angle != 0.0 && def->shape != BR_SHAPE_ELLIPSE) {
        bri_node_fail_field(map, "pressure.angle",
                            "is for ellipses only: turn a %s by angle, or draw it as a polygon",
                            br_shape_get_name(def->shape));
    }
    def->count = in->rows.rows;
    if (def->shape == BR_SHAPE_POLYGON) {
        def->vertices = (const br_vec2*)in->rows.at;
    } else if (def->shape == BR_SHAPE_POINTS) {
        def->points = (const br_support_point*)in->rows.at;
        check_weights(bri_node_find(map, "points"), &in->rows);
    } else if (def->shape == BR_SHAPE_GRID) {
        finish_grid(map, in);
    } else if (def->shape == BR_SHAPE_ELLIPSE) {
        finish_ellipse(map, in);
    } else if (def->shape == BR_SHAPE_TRIANGLES && is_good) {
        finish_triangles(map, in);
    }
}

#define SHAPE(name, table) MAPPING_OF(name, table, patch_reading, set_default, finish_patch)
static const mapping disc = SHAPE("disc", disc_keys), ring = SHAPE("ring", ring_keys),
                     rectangle = SHAPE("rectangle", rectangle_keys),
                     line = SHAPE("line", line_keys), polygon = SHAPE("polygon", polygon_keys),
                     point_list = SHAPE("points", points_keys),
                     cell_grid = SHAPE("grid", grid_keys), ellipse = SHAPE("ellipse", ellipse_keys),
                     triangles = SHAPE("triangles", triangles_keys);

const mapping* const bri_keys_patches[] = {
    &disc, &ring, &rectangle, &line, &polygon, &point_list, &cell_grid, &ellipse, &triangles, NULL};

static void destroy_patch(void* patch)
{
    br_patch_destroy(patch);
}

static br_patch* create(const br_patch_def* def, const node* map)
{
    br_patch* patch;
    br_reason why = {"", ""};
    const br_status status = br_patch_create(def, &patch, &why);
    if (strncmp(why.field, "cells", 5) == 0 && bri_node_find(map, "file")) {
        memcpy(why.field, "file", sizeof "file"); // the key of cells that came from a file
    }
    if (!bri_node_accept(map, status, &why)) {
        return NULL;
    }
    bri_pool_own(&map->in->memory, patch, destroy_patch);
    return patch;
}

patch_input bri_read_patch(const node* map)
{
    if (map && map->kind == NODE_MAP && !map->parent) { // a patch that is a file of its own
        bri_quantity_resolve((node*)map, bri_keys_patches);
    }
    const patch_input* known =
        map && map->kind == NODE_MAP ? bri_model_cache_find_patch(map) : NULL;
    if (known) {
        return *known;
    }
    const mapping* shape = map ? bri_keys_choose(map, bri_keys_patches) : NULL;
    patch_reading in;
    set_default(memset(&in, 0, sizeof in));
    const bool is_good = shape && bri_keys_read(map, shape, &in);
    const patch_input got = {is_good ? create(&in.def, map) : NULL, in.resolution, in.anisotropy};
    if (got.patch) {
        bri_model_cache_note_patch(map, got);
    }
    return got;
}

static void destroy_outline(void* outline)
{
    br_outline_destroy(outline);
}

br_outline* bri_outline_create(parse_context* in, const br_patch* shape, double fn, bool is_hull)
{
    br_outline* outline = NULL;
    br_reason why = {"", ""};
    if (shape && br_outline_create(shape, fn, is_hull, &outline, &why) != BR_OK) {
        bri_no_memory(in);
    }
    if (outline) {
        bri_pool_own(&in->memory, outline, destroy_outline);
    }
    return outline;
}
