/*
 * Shared by the experiments of Waltersson & Karayiannidis.
 */
#include "wk.h"

#include <math.h>

#include "memory.h"
#include "message.h"
#include "surface.h"

static const double EDGE = 0.02; // of the contact area, Table III [m]

static const double PI = 3.14159265358979323846;

const char* wk_shape_name(wk_shape shape)
{
    static const char* const shape_names[] = {"Square",    "Circle",     "Line",
                                              "LineGrad",  "NonConvex1", "NonConvex2",
                                              "LineGradX", "k2",         "k2fN"};
    return shape_names[shape];
}

br_law wk_law(int p, bool is_elasto_plastic)
{
    br_law law = br_law_default(is_elasto_plastic ? BR_LAW_ELASTO_PLASTIC : BR_LAW_LUGRE);
    law.mu_s = p == 1 ? 1.2 : 1;
    law.sigma2 = p == 1 ? 0.2 : 0;
    return law;
}

// Is a cell of the non-convex surfaces in a bar `width` cells wide around the middle?
static bool is_central(size_t i, double n, double width)
{
    // nearbyint rounds halves to even, as Python does
    return (double)i >= nearbyint(n / 2 - width / 2) && (double)i < nearbyint(n / 2 + width / 2);
}

static double non_convex(size_t ix, size_t iy, size_t cells, bool is_second)
{
    const double n = (double)cells;
    const double narrow = floor(0.15 * n), wide = floor(0.7 * n), x = (double)ix;
    if (!is_second) {
        return is_central(iy, n, narrow) && (x < narrow || x >= n - narrow) ? 1 : 0;
    }
    return (is_central(iy, n, narrow) && x < wide) || (is_central(iy, n, wide) && x >= n - narrow)
               ? 1
               : 0;
}

// Pressure of a cell, column from the left, row from the top; any unit.
static double pressure(wk_shape shape, size_t ix, size_t iy, size_t n)
{
    const size_t middle = n / 2;
    const double from_x = (double)ix - (double)middle, from_y = (double)iy - (double)middle;
    const double radius = (double)(middle < n - middle ? middle : n - middle);
    switch (shape) {
    case WK_SQUARE:
        return 1;
    case WK_CIRCLE:
        return sqrt(from_x * from_x + from_y * from_y) <= radius ? 1 : 0;
    case WK_LINE:
        return ix == middle ? 1 : 0;
    case WK_LINE_GRADIENT:
        return ix == middle ? 1 - (double)iy / (double)n : 0;
    case WK_LINE_GRADIENT_X:
        return iy == middle ? 1 - (double)ix / (double)n : 0;
    default:
        break;
    }
    return non_convex(ix, iy, n, shape == WK_NON_CONVEX_2);
}

static void destroy_patch(void* patch)
{
    br_patch_destroy(patch);
}

static const br_patch* create_patch(const br_patch_def* def)
{
    br_patch* patch;
    br_reason why = {"", ""};
    if (br_patch_create(def, &patch, &why) != BR_OK) {
        message_fail(EXIT_COMPUTATION, "%s: %s", why.field, why.text);
    }
    memory_own(patch, destroy_patch);
    return patch;
}

static bool is_growing(wk_shape shape)
{
    return shape == WK_GROWING_K2 || shape == WK_GROWING_K2FN;
}

// a = 6 f_N^(1/3) cells (43), at most half the grid; k = 2 or k = 2 f_N (44)
static const br_patch* create_growing(wk_shape shape, br_sampling sampling)
{
    const double cell = EDGE / WK_CELLS;
    br_patch_def def = br_patch_def_default();
    def.radius = (br_by_force){6 * cell, 1.0 / 3, EDGE / 2};
    def.pressure = BR_PRESSURE_POWER;
    def.k = (br_by_force){2, shape == WK_GROWING_K2FN ? 1 : 0, HUGE_VAL};
    def.sampling = sampling;
    return create_patch(&def);
}

const br_patch* wk_grid(wk_shape shape, size_t n, double size)
{
    if (is_growing(shape)) {
        return create_growing(shape, BR_SAMPLING_CENTRE);
    }
    double* cells = memory_allocate(n * n, sizeof *cells);
    for (size_t i = 0; i < n * n; i++) {
        cells[i] = pressure(shape, i % n, i / n, n);
    }
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_GRID;
    def.size_x = def.size_y = size > 0 ? size : EDGE;
    def.columns = def.rows = n;
    def.cells = cells;
    return create_patch(&def);
}

const br_patch* wk_exact_patch(wk_shape shape)
{
    if (is_growing(shape)) {
        return create_growing(shape, br_patch_def_default().sampling);
    }
    if (shape == WK_NON_CONVEX_1 || shape == WK_NON_CONVEX_2) {
        return wk_grid(shape, WK_CELLS, EDGE);
    }
    br_patch_def def = br_patch_def_default();
    def.radius = br_by_force_constant(EDGE / 2);
    def.size_x = def.size_y = def.length = EDGE;
    def.shape = shape == WK_CIRCLE   ? BR_SHAPE_DISC
                : shape == WK_SQUARE ? BR_SHAPE_RECTANGLE
                                     : BR_SHAPE_LINE;
    if (shape == WK_LINE_GRADIENT || shape == WK_LINE_GRADIENT_X) {
        def.pressure = BR_PRESSURE_LINEAR; // it grows upwards, or to the left
        def.from = shape == WK_LINE_GRADIENT ? 0 : 1;
        def.to = shape == WK_LINE_GRADIENT ? 1 : 0;
    }
    def.angle = shape == WK_LINE || shape == WK_LINE_GRADIENT ? PI / 2 : 0;
    return create_patch(&def);
}

const br_patch* wk_disc(double radius)
{
    br_patch_def def = br_patch_def_default();
    def.radius = br_by_force_constant(radius);
    return create_patch(&def);
}

static void destroy_contact(void* contact)
{
    br_contact_destroy(contact);
}

static const br_contact* create_contact(const br_contact_def* def)
{
    br_contact* contact;
    br_reason why = {"", ""};
    if (br_contact_create(def, &contact, &why) != BR_OK) {
        message_fail(EXIT_COMPUTATION, "%s: %s", why.field, why.text);
    }
    memory_own(contact, destroy_contact);
    return contact;
}

const br_contact* wk_distributed(const br_patch* patch, br_law law, size_t cells)
{
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_DISTRIBUTED;
    def.law = law;
    def.patch = patch;
    def.resolution = cells;
    return create_contact(&def);
}

const br_contact* wk_reduced(const br_patch* patch, br_law law, br_limit_method method,
                             size_t nodes)
{
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_REDUCED;
    def.law = law;
    // the published code computes the table of a growing surface where it is largest
    const double fn = br_patch_depends_on_force(patch) ? 10 : 1;
    def.surface = surface_create(patch, fn, method, nodes, WK_CELLS);
    def.guard = method != BR_LIMIT_PUBLISHED;
    return create_contact(&def);
}

const br_contact* wk_ellipsoid(const br_patch* patch, br_law law, bool as_published)
{
    const br_limit_method method = as_published ? BR_LIMIT_PUBLISHED : BR_LIMIT_ELLIPSOID;
    const br_patch_value value =
        br_limit_get_patch_value(surface_create(patch, 1, method, WK_NODES, WK_CELLS));
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_ELLIPSOID;
    def.law = law;
    def.r = value.r;
    def.u = value.u;
    return create_contact(&def);
}

// The profile: twists at the instants where its slope changes, linear between them.
enum { CORNERS = 13 };
static const double corner_t[CORNERS] = {0, 0.6, 0.8, 1.4, 1.6, 2.2, 2.4, 2.7, 3.4, 4, 4.3, 4.6, 5};

// Linear between the points (t[i], value[i]).
static double between(double at, size_t count, const double* t, const double* value)
{
    const br_profile p = {.kind = BR_PROFILE_TABLE, .count = count, .t = t, .value = value};
    return br_profile_eval(&p, at, at, NULL);
}

static br_twist profile_at(double at)
{
    static const double c = 0.015; // [m/s]
    static const double t_w[] = {0, 0.6, 3.4, 4, 5}, w[] = {0, 1, 1, 0, 0};
    static const double t_x[] = {0, 0.8, 1.4, 1.6, 2.2, 5}, x[] = {0, 0, c, c, 0, 0};
    static const double t_y[] = {0, 2.4, 2.7, 4.3, 4.6, 5}, y[] = {0, 0, 0.4 * c, 0.4 * c, 0, 0};
    return (br_twist){between(at, 6, t_x, x), between(at, 6, t_y, y), between(at, 5, t_w, w)};
}

static br_profile table_of(const double* value, double hold)
{
    return (br_profile){
        .kind = BR_PROFILE_TABLE, .count = CORNERS, .t = corner_t, .value = value, .hold = hold};
}

br_motion wk_motion(br_vec2 from, double hold)
{
    double* value = memory_allocate(3 * CORNERS, sizeof *value);
    for (size_t i = 0; i < CORNERS; i++) {
        const br_twist v = profile_at(corner_t[i]);
        value[i] = v.vx - v.w * from.y;
        value[CORNERS + i] = v.vy + v.w * from.x;
        value[2 * CORNERS + i] = v.w;
    }
    return (br_motion){.size = sizeof(br_motion),
                       .vx = table_of(value, hold),
                       .vy = table_of(value + CORNERS, hold),
                       .w = table_of(value + 2 * CORNERS, hold),
                       .normal_force = br_profile_constant(1)};
}

br_twist wk_twist_at(const br_motion* motion, double t)
{
    return (br_twist){br_profile_eval(&motion->vx, t, t, NULL),
                      br_profile_eval(&motion->vy, t, t, NULL),
                      br_profile_eval(&motion->w, t, t, NULL)};
}

// Collects the rows of a run.
typedef struct collector {
    row_columns columns;
    wk_motion_row* rows;
    size_t count;
} collector;

static void on_row(const double* row, void* user)
{
    collector* to = user;
    to->rows[to->count++] =
        (wk_motion_row){row_twist(&to->columns, row), row_wrench(&to->columns, row)};
}

wk_motion_row* wk_run_motion(br_motion motion, wk_samples samples)
{
    double* at = memory_allocate(samples.count, sizeof *at);
    for (size_t i = 0; i < samples.count; i++) {
        at[i] = samples.first + samples.every * (double)i;
    }
    collector to = {.rows = memory_allocate(samples.count, sizeof *to.rows)};
    br_run_def def = br_run_def_default();
    def.duration = at[samples.count - 1];
    def.at = at;
    def.at_count = samples.count;
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = rows_start, .row = on_row, .user = &to};

    // the steps use a hundredth of rtol and a thousandth of atol, motion.h
    def.rtol = 1e2 * samples.rtol;
    def.atol_z = 1e3 * 1e-5 * samples.rtol;
    br_reason why = {"", ""};
    if (br_motion_run(&motion, &def, &watch, NULL, &why) != BR_OK) {
        message_fail(EXIT_COMPUTATION, "%s: %s", why.field, why.text);
    }
    memory_release(at);
    return to.rows;
}
