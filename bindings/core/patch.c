/*
 * Contact patches: bristle/patch.h.
 */
#include "bristle/hertz.h"

#include "loop.h"

// Is a number of the table the number of a vertex?
static bool is_vertex(double number, size_t vertices)
{
    return number >= 0.0 && number < (double)vertices && number == (double)(size_t)number;
}

// Triangles: rows of vertices (x, y, pressure), then rows of the numbers of three vertices.
static br_status create_mesh(br_patch_def* def, const binding_parts* from, size_t vertices,
                             br_patch** made, br_reason* why)
{
    if (from->columns != 3 || vertices < 3 || vertices >= from->rows) {
        br_reason_set(why, "numbers",
                      "must be rows of 3: vertices (x, y, pressure), then triangles");
        return BR_ERR_ARG;
    }
    const size_t count = from->rows - vertices;
    br_vec2* at = br_allocate(vertices, sizeof *at);
    double* pressures = br_allocate(vertices, sizeof *pressures);
    uint32_t* triangles = br_allocate(3 * count, sizeof *triangles);
    br_status status = at && pressures && triangles ? BR_OK : BR_ERR_MEMORY;
    for (size_t i = 0; status == BR_OK && i < vertices; i++) {
        at[i] = (br_vec2){from->table[3 * i], from->table[3 * i + 1]};
        pressures[i] = from->table[3 * i + 2];
    }
    for (size_t i = 0; status == BR_OK && i < 3 * count; i++) {
        const double number = from->table[3 * vertices + i];
        if (!is_vertex(number, vertices)) {
            br_reason_set(why, "triangles", "must be numbers of vertices, 0 to %zu, got %g",
                          vertices - 1, number);
            status = BR_ERR_DEF;
            break;
        }
        triangles[i] = (uint32_t)number;
    }
    if (status == BR_OK) {
        def->count = vertices;
        def->vertices = at;
        def->pressures = pressures;
        def->triangle_count = count;
        def->triangles = triangles;
        status = br_patch_create(def, made, why);
    }
    br_release(at);
    br_release(pressures);
    br_release(triangles);
    return status;
}

// The numbers of a polygon (n x 2), of points (n x 3) or of a grid (rows x columns); other shapes have none.
static br_status set_numbers(br_patch_def* def, const binding_parts* from, br_reason* why)
{
    const int is_polygon = def->shape == BR_SHAPE_POLYGON,
              is_points = def->shape == BR_SHAPE_POINTS;
    const char* expected = is_polygon ? "of shape (n, 2)" : is_points ? "of shape (n, 3)" : "None";
    const size_t columns = is_polygon ? 2 : is_points ? 3 : from->columns;
    if (columns != from->columns || !(is_polygon || is_points || def->shape == BR_SHAPE_GRID)) {
        br_reason_set(why, "numbers", "must be %s, got an array of float64 of shape (%zu, %zu)",
                      expected, from->rows, from->columns);
        return BR_ERR_ARG;
    }
    def->count = def->rows = from->rows;
    def->columns = columns;
    def->vertices = (const void*)from->table; // each shape reads its own
    def->points = (const void*)from->table;
    def->cells = from->table;
    return BR_OK;
}

MAKER(patch_make)
{
    const double* n = from->numbers;
    br_patch_def def = br_patch_def_default();
    def.shape = (br_shape)whole_of(n[0]);
    def.radius = (br_by_force){n[1], n[2], n[3]};
    def.size_x = n[4];
    def.size_y = n[5];
    def.length = n[6];
    def.pressure = (br_pressure_kind)whole_of(n[7]);
    def.k = (br_by_force){n[8], n[9], n[10]};
    def.from = n[11];
    def.to = n[12];
    def.sampling = (br_sampling)whole_of(n[13]);
    def.centre = (br_vec2){n[14], n[15]};
    def.angle = n[16];
    def.ratio = n[17];
    def.slope_angle = n[18];
    if (def.shape == BR_SHAPE_TRIANGLES && from->table) {
        return create_mesh(&def, from, whole_of(n[19]), (br_patch**)made, why);
    }
    const br_status status = from->table ? set_numbers(&def, from, why) : BR_OK;
    return status == BR_OK ? br_patch_create(&def, (br_patch**)made, why) : status;
}

LOOP(patch_depends_on_force)
{
    *args[0] = br_patch_depends_on_force(object);
}

EACH(patch_eval)
{
    const br_patch_value value = br_patch_eval(object, args[0][i]);
    put_vec2(args[1], i, value.cop);
    args[2][i] = value.r;
    args[3][i] = value.u;
    args[4][i] = value.area;
}

MAKER(hertz_make)
{
    const double* n = from->numbers;
    br_hertz_def def = br_hertz_def_default();
    br_hertz_value unused;
    def.radius_x = n[0];
    def.radius_y = n[1];
    def.ground_x = n[2];
    def.ground_y = n[3];
    def.ground_angle = n[4];
    def.modulus = n[5];
    return make_copy(br_hertz_eval(&def, 0.0, &unused, why), &def, sizeof def, made);
}

EACH(hertz_eval)
{
    br_hertz_value value;
    if (br_hertz_eval(object, args[0][i], &value, NULL) != BR_OK) {
        const double nan = (double)NAN; // the force is not finite: the bodies were checked
        value = (br_hertz_value){nan, nan, nan, nan, nan, nan};
    }
    const double numbers[] = {value.a,     value.b,        value.angle,
                              value.depth, value.pressure, value.stiffness};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        args[k + 1][i] = numbers[k];
    }
}

LOOP(hertz_patch)
{
    br_patch_def def = br_patch_def_default();
    if (br_hertz_patch(object, scalars[0], &def, NULL) != BR_OK) {
        def.radius.coefficient = (double)NAN; // br_patch_create() refuses it
    }
    *args[0] = def.radius.coefficient;
    *args[1] = def.radius.max;
    *args[2] = def.ratio;
    *args[3] = def.angle;
}
