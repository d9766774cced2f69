/*
 * Cells of patches: their weights, their positions, and how fast sums over them converge.
 */
#include "bristle/patch.h"

#include <string.h>

#include "check.h"
#include "patch_shapes.h"

#include "patch/lattice.h"

/* ---- cells: masses ---------------------------------------------------------------------------- */

/* Oracle: each cell by itself. Those that symmetry makes alike are weighed once, but not under a linear pressure. */
static void masses_of_a_disc_are_those_of_its_cells(void** state)
{
    (void)state;
    const disc_pressure pressures[] = {
        {.g = {0.0, 0.0}},
        {.g = {0.7, 0.0}},
        {.is_power = 1, .k = 2.0, .norm = 1.5, .away = 3.0, .few = HUGE_VAL},
        {.is_power = 1, .k = 3.5, .norm = 1.2, .away = 3.0, .few = 8.0}};
    double mass[21 * 21];
    for (size_t k = 0; k < sizeof pressures / sizeof *pressures; k++) {
        for (size_t n = 20; n <= 21; n++) {
            const lattice grid = {{0.0, 0.0}, {1.0 / (double)n, 1.0 / (double)n}, n, n};
            bri_disc_masses(&grid, pressures[k], mass);
            for (size_t i = 0; i < n * n; i++) {
                const br_vec2 at = {lattice_x(&grid, i % n), lattice_y(&grid, i / n)};
                const double alone = bri_disc_cell_mass(pressures[k], at, grid.half);
                assert_near(mass[i], alone, 1e-15 /* rounding of sums of 20 points below 1e-1 */);
            }
        }
    }
}

/* ---- cells: weights -------------------------------------------------------------------------- */

static double weight_sum(const br_cells* cells)
{
    double sum = 0.0;
    for (size_t i = 0; i < cells->count; i++) {
        assert_true(cells->weight[i] > 0.0);
        sum += cells->weight[i];
    }
    return sum;
}

/* Oracle: invariant. Shares of the force are positive and sum to 1, at any resolution. */
static void cells_weights_are_positive_and_sum_to_one(void** state)
{
    (void)state;
    const br_support_point points[] = {{0, 1, 2}, {4, 1, 6}, {2, 2, 1}};
    const double pressures[] = {1, 0, 2, 3, 4, 0};
    const br_patch_def defs[] = {disc_def(0.01),
                                 with_linear(disc_def(0.01), 0, 1),
                                 power_def(0.3),
                                 power_def(2),
                                 power_def(500),
                                 ring_def(0.01),
                                 with_linear(ring_def(0.01), 0, 1),
                                 with_linear(ring_def(0.01), 1, 0),
                                 rectangle_def(0.03, 0.01),
                                 with_linear(rectangle_def(0.03, 0.01), 1, 0),
                                 with_linear(line_def(1), 0, 1),
                                 polygon_def(ell, COUNT(ell)),
                                 with_linear(polygon_def(triangle, COUNT(triangle)), 0, 1),
                                 points_def(points, 3),
                                 grid_def(1, 1, 3, 2, pressures)};
    const size_t resolutions[] = {1, 2, 3, 7, 21, 64};
    for (size_t i = 0; i < COUNT(defs) * COUNT(resolutions); i++) {
        br_patch* patch = make(defs[i / COUNT(resolutions)]);
        br_cells* cells = cut(patch, 1.0, resolutions[i % COUNT(resolutions)]);
        assert_true(cells->count >= 1);
        assert_near(weight_sum(cells), 1.0, 1e-12 /* rounding of some thousand terms */);
        br_cells_destroy(cells);
        br_patch_destroy(patch);
    }
}

// int sqrt(a^2 - y^2) dy from 0 to y <= a.
static double half_moon(double a, double y)
{
    return 0.5 * (y * sqrt(fmax(a * a - y * y, 0.0)) + a * a * asin(fmin(y / a, 1.0)));
}

// Force of the Hertz pressure 3/(2 pi) sqrt(1 - rho^2) on the strip x0..x1, y0..y1 (all >= 0) where
// the circle crosses neither y = y0 nor y = y1 within: closed form in y, Gauss points in x.
static double hertz_strip(double x0, double x1, double y0, double y1)
{
    double sum = 0.0;
    for (int i = 0; i < NODES; i++) {
        const double t = gauss_x[i], s = t * t * (3.0 - 2.0 * t); // crowded at the ends
        const double x = x0 + (x1 - x0) * s, a = sqrt(fmax(1.0 - x * x, 0.0));
        if (a > y0) {
            const double inner = half_moon(a, fmin(y1, a)) - half_moon(a, y0);
            sum += gauss_w[i] * 6.0 * t * (1.0 - t) * (x1 - x0) * inner;
        }
    }
    return 1.5 / BR_PI * sum;
}

// The same for any cell in the first quadrant.
static double hertz_cell(double x0, double x1, double y0, double y1)
{
    const double a = fmin(fmax(sqrt(fmax(1.0 - y1 * y1, 0.0)), x0), x1);
    const double b = fmin(fmax(sqrt(fmax(1.0 - y0 * y0, 0.0)), x0), x1);
    return hertz_strip(x0, a, y0, y1) + hertz_strip(a, b, y0, y1);
}

/* Oracle: quadrature in Cartesian coordinates with breaks where the circle crosses the cell. Since
   no factor is fitted, this also shows that the weights sum to 1 before they are normalised. */
static void cells_of_a_hertz_disc_carry_the_force_on_their_covered_part(void** state)
{
    (void)state;
    const size_t resolutions[] = {4, 7, 20, 40};
    br_patch* patch = make(power_def(2.0));
    for (size_t n = 0; n < COUNT(resolutions); n++) {
        br_cells* cells = cut(patch, 1.0, resolutions[n]);
        for (size_t i = 0; i < cells->count; i++) {
            const double x = cells->x[i], y = cells->y[i], h = cells->half_x;
            if (x < 0.9 * h || y < 0.9 * h) {
                continue; // the first quadrant will do
            }
            assert_near(cells->weight[i], hertz_cell(x - h, x + h, y - h, y + h),
                        1e-10 / (double)cells->count /* promised: 1e-10 of the mean */);
        }
        br_cells_destroy(cells);
    }
    br_patch_destroy(patch);
}

/* Oracle: closed form. A cell within the disc carries its area times the pressure at its centre;
   since no factor is fitted, the weights sum to 1 before they are normalised. */
static void cells_within_a_linear_disc_carry_area_times_pressure(void** state)
{
    (void)state;
    const double radius = 0.02;
    br_patch* patch = make(with_linear(disc_def(radius), 0.5, 1.5));
    br_cells* cells = cut(patch, 1.0, 33);
    for (size_t i = 0; i < cells->count; i++) {
        const double x = cells->x[i] / radius, y = cells->y[i] / radius;
        const double h = cells->half_x / radius;
        const double full = 4.0 * h * h / BR_PI * (1.0 + 0.5 * x);
        if (hypot(fabs(x) + h, fabs(y) + h) < 1.0) {
            assert_near_relative(cells->weight[i], full, closed);
        } else {
            assert_true(cells->weight[i] < full + h * h * h);
        }
    }
    br_cells_destroy(cells);
    br_patch_destroy(patch);
}

// The cells of a patch at two resolutions: force within the box of one coarse cell.
static double sum_within(const br_cells* fine, const br_cells* coarse, size_t i)
{
    double sum = 0.0;
    for (size_t j = 0; j < fine->count; j++) {
        if (fabs(fine->x[j] - coarse->x[i]) < coarse->half_x &&
            fabs(fine->y[j] - coarse->y[i]) < coarse->half_y) {
            sum += fine->weight[j];
        }
    }
    return sum;
}

/* Oracle: additivity. A cell is the sum of the nine that it consists of, however the edge cuts them. */
static void cells_are_the_sum_of_their_parts(void** state)
{
    (void)state;
    const br_patch_def defs[] = {disc_def(1.0),
                                 with_linear(disc_def(1.0), 0, 1),
                                 power_def(0.4),
                                 power_def(1.0),
                                 power_def(3.7),
                                 power_def(80),
                                 with_linear(polygon_def(arrow, COUNT(arrow)), 3, 1),
                                 with_linear(polygon_def(triangle, COUNT(triangle)), 0, 1)};
    for (size_t n = 0; n < COUNT(defs); n++) {
        br_patch* patch = make(defs[n]);
        // resolutions at which the numbers of rows have the ratio 3, too
        br_cells* coarse = cut(patch, 1.0, n < 6 ? 9 : 12);
        br_cells* fine = cut(patch, 1.0, n < 6 ? 27 : 36);
        for (size_t i = 0; i < coarse->count; i++) {
            assert_near(coarse->weight[i], sum_within(fine, coarse, i),
                        1e-10 / (double)coarse->count /* promised: 1e-10 of the mean */);
        }
        br_cells_destroy(coarse);
        br_cells_destroy(fine);
        br_patch_destroy(patch);
    }
}

// Cut a convex outline by the half plane n . x <= limit (Sutherland & Hodgman).
static size_t clip_half_plane(br_vec2* outline, size_t count, br_vec2 n, double limit)
{
    br_vec2 kept[32];
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        const br_vec2 a = outline[i], b = outline[(i + 1) % count];
        const double da = br_vec2_dot(n, a) - limit, db = br_vec2_dot(n, b) - limit;
        if (da <= 0.0) {
            kept[size++] = a;
        }
        if ((da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0)) {
            const br_vec2 side = br_vec2_sub(b, a);
            kept[size++] = br_vec2_add(a, br_vec2_scale(da / (da - db), side));
        }
    }
    memcpy(outline, kept, size * sizeof *kept);
    return size;
}

// int (base + slope x) dA over the part of a polygon within a cell, x from the cell's centre.
static double clipped_mass(const br_vec2* vertices, size_t count, const br_cells* cells, size_t i,
                           double base, double slope)
{
    br_vec2 part[32];
    const br_vec2 centre = {cells->x[i], cells->y[i]};
    for (size_t v = 0; v < count; v++) {
        part[v] = br_vec2_sub(vertices[v], centre);
    }
    size_t size = clip_half_plane(part, count, (br_vec2){1, 0}, cells->half_x);
    size = clip_half_plane(part, size, (br_vec2){-1, 0}, cells->half_x);
    size = clip_half_plane(part, size, (br_vec2){0, 1}, cells->half_y);
    size = clip_half_plane(part, size, (br_vec2){0, -1}, cells->half_y);
    double mass = 0.0;
    for (size_t v = 0; v < size; v++) {
        const br_vec2 a = part[v], b = part[(v + 1) % size];
        mass += br_vec2_cross(a, b) * (base / 2.0 + slope * (a.x + b.x) / 6.0);
    }
    return mass;
}

/* Oracle: clipping by Sutherland & Hodgman; its signed area is right for the non-convex, too. */
static void cells_of_polygons_carry_the_force_on_their_covered_part(void** state)
{
    (void)state;
    const br_vec2* shapes[] = {arrow, ell, triangle};
    const size_t counts[] = {COUNT(arrow), COUNT(ell), COUNT(triangle)};
    const double left[] = {5.0, 0.0, 0.0}, right[] = {6.9, 2.0, 0.03};
    for (size_t n = 0; n < COUNT(shapes); n++) {
        br_patch* patch = make(with_linear(polygon_def(shapes[n], counts[n]), 1.0, 3.0));
        const double slope = 2.0 / (right[n] - left[n]);
        const br_patch_value value = br_patch_eval(patch, 1.0);
        const double uniform_x = value_of(polygon_def(shapes[n], counts[n])).cop.x;
        const double total = value.area * (1.0 + slope * (uniform_x - left[n]));
        br_cells* cells = cut(patch, 1.0, 13);
        for (size_t i = 0; i < cells->count; i++) {
            const double base = 1.0 + slope * (cells->x[i] - left[n]);
            const double mass = clipped_mass(shapes[n], counts[n], cells, i, base, slope);
            assert_near(cells->weight[i], mass / total, closed / (double)cells->count);
        }
        br_cells_destroy(cells);
        br_patch_destroy(patch);
    }
}

/* Oracle: the header. Column and row give back each cell's position; the outermost lines are not empty. */
static void cells_know_their_column_and_row(void** state)
{
    (void)state;
    const double pressures[] = {0, 0, 2, 0, 0, 0, 3, 0}; // its first column and its last are empty
    br_patch_def sampled = disc_def(0.01), grown = disc_def(0.01);
    sampled.sampling = BR_SAMPLING_CENTRE;
    grown.radius = (br_by_force){0.005, 0.5, 0.02};
    const br_patch_def defs[] = {disc_def(0.01),
                                 sampled,
                                 grown,
                                 rectangle_def(0.03, 0.01),
                                 line_def(1),
                                 polygon_def(arrow, COUNT(arrow)),
                                 grid_def(1, 1, 4, 2, pressures)};
    for (size_t i = 0; i < COUNT(defs); i++) {
        br_patch* patch = make(defs[i]);
        br_cells* cells = cut(patch, 1.0, 22);
        size_t left = cells->columns, right = 0, bottom = 0;
        for (size_t k = 0; k < cells->count; k++) {
            const double x = cells->corner.x + 2.0 * cells->half_x * cells->column[k];
            const double y = cells->corner.y - 2.0 * cells->half_y * cells->row[k];
            assert_near(cells->x[k], x, 1e-14 * (1.0 + fabs(x)) /* rounding */);
            assert_near(cells->y[k], y, 1e-14 * (1.0 + fabs(y)) /* rounding */);
            left = cells->column[k] < left ? cells->column[k] : left;
            right = cells->column[k] > right ? cells->column[k] : right;
            bottom = cells->row[k];
        }
        assert_int_equal(cells->row[0], 0);
        assert_int_equal(left, 0);
        assert_int_equal(right, cells->columns - 1);
        assert_int_equal(bottom, cells->rows - 1);
        br_cells_destroy(cells);
        br_patch_destroy(patch);
    }
}

/* Oracle: arithmetic. Rows from the top, columns from the left, sizes that cover the box exactly. */
static void cells_are_in_rows_from_the_top(void** state)
{
    (void)state;
    br_patch* patch = make(rectangle_def(0.5, 0.3));
    br_cells* cells = cut(patch, 1.0, 4); // step 0.125: 2.4, so 3 rows
    assert_int_equal(cells->count, 12);
    assert_near(cells->half_x, 0.0625, 1e-16);
    assert_near(cells->half_y, 0.05, 1e-16);
    for (size_t i = 0; i < 12; i++) {
        assert_near(cells->x[i], -0.1875 + 0.125 * (double)(i % 4), 1e-16);
        assert_near(cells->y[i], 0.1 - 0.1 * (double)(i / 4), 1e-16);
        assert_near(cells->weight[i], 1.0 / 12.0, 1e-15);
    }
    br_cells_destroy(cells);
    br_patch_destroy(patch);
}

/* Oracle: by definition. A grid keeps its own cells and drops those without pressure. */
static void cells_of_a_grid_are_its_own(void** state)
{
    (void)state;
    const double pressures[] = {0, 1, 3, 4}; // upper row first
    br_patch* patch = make(grid_def(2.0, 4.0, 2, 2, pressures));
    br_cells* cells = cut(patch, 1.0, 99);
    const double x[] = {0.5, -0.5, 0.5}, y[] = {1.0, -1.0, -1.0}, w[] = {0.125, 0.375, 0.5};
    assert_int_equal(cells->count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_near(cells->x[i], x[i], 0.0 /* exact */);
        assert_near(cells->y[i], y[i], 0.0 /* exact */);
        assert_near(cells->weight[i], w[i], 1e-16);
    }
    assert_near(cells->half_x, 0.5, 0.0 /* exact */);
    assert_near(cells->half_y, 1.0, 0.0 /* exact */);
    br_cells_destroy(cells);
    br_patch_destroy(patch);
}

/* Oracle: by definition. A point has no size; the points are those given. */
static void cells_of_points_are_the_points(void** state)
{
    (void)state;
    const br_support_point points[] = {{0, 1, 2}, {4, 1, 6}};
    br_patch* patch = make(points_def(points, 2));
    br_cells* cells = cut(patch, 1.0, 5);
    assert_int_equal(cells->count, 2);
    assert_near(cells->x[1], 4.0, 0.0 /* exact */);
    assert_near(cells->weight[1], 0.75, 1e-16);
    assert_near(cells->half_x + cells->half_y, 0.0, 0.0 /* exact */);
    assert_true(cells->columns == 0 && !cells->column && !cells->row);
    br_cells_destroy(cells);
    br_patch_destroy(patch);
}

/* Oracle: the patch's own numbers. Equal angles make sums over a ring exact for the CoP and u. */
static void cells_of_a_ring_have_its_cop_and_u(void** state)
{
    (void)state;
    for (size_t resolution = 1; resolution < 30; resolution++) {
        br_patch* patch = make(with_linear(ring_def(1.0), 1.0, 0.0));
        br_cells* cells = cut(patch, 1.0, resolution);
        const br_patch_value sum = br_cells_eval(cells), exact = br_patch_eval(patch, 1.0);
        assert_int_equal(cells->count, (size_t)lround(BR_PI * (double)resolution));
        assert_near(sum.cop.x, exact.cop.x, 1e-14);
        assert_near(sum.cop.y, 0.0, 1e-14);
        assert_near(sum.u, exact.u, 1e-14);
        assert_near(cells->half_x + cells->half_y, 0.0, 0.0 /* exact */);
        br_cells_destroy(cells);
        br_patch_destroy(patch);
    }
}

/* Oracle: by definition. One cell carries everything, at the middle of the box. */
static void cells_of_resolution_one_are_a_single_cell(void** state)
{
    (void)state;
    const br_patch_def defs[] = {disc_def(0.5), power_def(2.0), rectangle_def(1.0, 1.0),
                                 line_def(1.0), polygon_def(ell, COUNT(ell))};
    for (size_t i = 0; i < COUNT(defs); i++) {
        br_patch* patch = make(defs[i]);
        br_cells* cells = cut(patch, 1.0, 1);
        assert_int_equal(cells->count, 1);
        assert_near(cells->weight[0], 1.0, 0.0 /* exact */);
        assert_near(cells->x[0], i == 4 ? 1.0 : 0.0, 0.0 /* exact */);
        br_cells_destroy(cells);
        br_patch_destroy(patch);
    }
}

/* ---- cells: convergence ---------------------------------------------------------------------- */

static const size_t ladder[] = {10, 14, 20, 28, 40, 57, 80, 113, 160};

typedef struct convergence {
    double order; // fitted: error ~ N^-order
    double rise;  // largest N^2 error over the first one: a staircase would make it grow
} convergence;

// Fit a line through log(error) over log(N).
static convergence fit(const double* error)
{
    const double n = (double)COUNT(ladder);
    double sx = 0, sy = 0, sxx = 0, sxy = 0, largest = 0;
    for (size_t i = 0; i < COUNT(ladder); i++) {
        const double N = (double)ladder[i], x = log(N), y = log(error[i]);
        const double scaled = error[i] * N * N;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
        largest = fmax(largest, scaled);
    }
    const double first = error[0] * (double)(ladder[0] * ladder[0]);
    return (convergence){-(n * sxy - sx * sy) / (n * sxx - sx * sx), largest / first};
}

// Errors of r (relative) and of the CoP (in units of r) over the ladder of resolutions.
static void measure(br_patch_def def, double* of_r, double* of_cop)
{
    br_patch* patch = make(def);
    const br_patch_value exact = br_patch_eval(patch, 1.0);
    for (size_t i = 0; i < COUNT(ladder); i++) {
        br_cells* cells = cut(patch, 1.0, ladder[i]);
        const br_patch_value sum = br_cells_eval(cells);
        of_r[i] = fabs(sum.r - exact.r) / exact.r;
        of_cop[i] = br_vec2_norm(br_vec2_sub(sum.cop, exact.cop)) / exact.r;
        br_cells_destroy(cells);
    }
    br_patch_destroy(patch);
}

// Second order, without jumps: no error sticks out of the first one's c/N^2 by more than half.
static void assert_second_order(const char* name, const double* error)
{
    const convergence seen = fit(error);
    print_message("    %-28s order %.2f, %.1e at N = 160, N^2 error rises %.2f times\n", name,
                  seen.order, error[COUNT(ladder) - 1], seen.rise);
    assert_true(seen.order >= 1.8);
    assert_true(seen.rise < 1.5);
}

/* Oracle: exact r and CoP. Sums over cells converge with the square of the cell size. */
static void cells_converge_with_the_square_of_their_size(void** state)
{
    (void)state;
    const struct {
        const char* name;
        br_patch_def def;
        int symmetric; // CoP at the middle: nothing to fit
    } cases[] = {
        {"disc, uniform", disc_def(0.01), 1},
        {"disc, k = 2", power_def(2.0), 1},
        {"disc, linear", with_linear(disc_def(0.01), 0.0, 1.0), 0},
        {"triangle", polygon_def(triangle, COUNT(triangle)), 0},
        {"off-centre polygon, linear", with_linear(polygon_def(arrow, COUNT(arrow)), 0.0, 1.0), 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        double of_r[COUNT(ladder)], of_cop[COUNT(ladder)];
        measure(cases[i].def, of_r, of_cop);
        print_message("  %s\n", cases[i].name);
        assert_second_order("r", of_r);
        if (!cases[i].symmetric) {
            assert_second_order("CoP", of_cop);
        }
        for (size_t n = 0; cases[i].symmetric && n < COUNT(ladder); n++) {
            assert_near(of_cop[n], 0.0, 1e-14 /* symmetry: rounding only */);
        }
    }
}

/* ---- pieces ----------------------------------------------------------------------------------- */

static void assert_pieces(br_patch_def def, size_t across, size_t most)
{
    br_patch* patch = make(def);
    br_cells* cells = cut(patch, 1.0, 120);
    size_t* part_of_cell = test_calloc(cells->count, sizeof *part_of_cell);
    double* weight = test_calloc(most, sizeof *weight);
    size_t count = 0;
    assert_status(br_cells_cut(cells, across, part_of_cell, &count, NULL), BR_OK);
    assert_true(count >= 1 && count <= most);
    for (size_t i = 0; i < cells->count; i++) {
        assert_true(part_of_cell[i] < count);
        weight[part_of_cell[i]] += cells->weight[i];
    }
    for (size_t k = 0; k < count; k++) {
        assert_true(weight[k] > 0.05 / (double)count); // the light ones have joined others
    }
    test_free(weight);
    test_free(part_of_cell);
    br_cells_destroy(cells);
    br_patch_destroy(patch);
}

/* Oracle: the header. Every cell is in a piece, no piece is empty, and there are no more than requested. */
static void cells_are_cut_into_pieces_that_all_carry_something(void** state)
{
    (void)state;
    for (size_t across = 1; across <= 9; across++) {
        assert_pieces(disc_def(0.01), across, across * across);
        assert_pieces(polygon_def(arrow, COUNT(arrow)), across, across * across);
        assert_pieces(line_def(0.1), across, 2 * across);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_of_a_disc_are_those_of_its_cells),
        cmocka_unit_test(cells_weights_are_positive_and_sum_to_one),
        cmocka_unit_test(cells_of_a_hertz_disc_carry_the_force_on_their_covered_part),
        cmocka_unit_test(cells_within_a_linear_disc_carry_area_times_pressure),
        cmocka_unit_test(cells_are_the_sum_of_their_parts),
        cmocka_unit_test(cells_of_polygons_carry_the_force_on_their_covered_part),
        cmocka_unit_test(cells_know_their_column_and_row),
        cmocka_unit_test(cells_are_in_rows_from_the_top),
        cmocka_unit_test(cells_of_a_grid_are_its_own),
        cmocka_unit_test(cells_of_points_are_the_points),
        cmocka_unit_test(cells_of_a_ring_have_its_cop_and_u),
        cmocka_unit_test(cells_of_resolution_one_are_a_single_cell),
        cmocka_unit_test(cells_converge_with_the_square_of_their_size),
        cmocka_unit_test(cells_are_cut_into_pieces_that_all_carry_something),
    };
    prepare_gauss();
    return run_group(argc, argv, tests);
}
