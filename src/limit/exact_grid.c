/*
 * Pressure grids: piecewise constant pressure as a sum over lattice corners.
 *
 * With X, Y from the CoR, R = |(X, Y)|, and h_XY = R,
 *
 *   h = X Y R/3 + X^3/6 A + Y^3/6 B,   A = asinh(Y/|X|), B = asinh(X/|Y|)
 *   h_X = (Y R + X^2 A)/2,  h_Y = (X R + Y^2 B)/2,  h_XX = X A,  h_XY = R,  h_YY = Y B
 *
 * the integral over a cell is the signed sum over its corners; over the grid, the sum over the
 * lattice's corners with the second difference of the pressure as weights.
 */
#include "limit/exact_internal.h"
#include "math/fast_log.h"
#include "math/gauss.h"
#include "math/processor.h"
#include "patch/patch_internal.h"

// Sums over the columns for a few rows at once, so that loops of constant length over rows become
// vector code. w is the corner's weight, a = w ln(|Y| + R) - w ln|X|, b = w (ln(|X| + R) - ln|Y|).
typedef struct strip {
    double Y[GRID_LANES], abs_Y[GRID_LANES], log_Y[GRID_LANES];
    double R[GRID_LANES], XR[GRID_LANES];                  // sum of w R, w X R
    double a1[GRID_LANES], a2[GRID_LANES], a3[GRID_LANES]; // sum of X a, X^2 a, X^3 a
    double b[GRID_LANES];                                  // sum of sgn(X) b
} strip;

INLINE strip strip_at(const double* y, double c)
{
    strip rows = {.R = {0.0}};
    for (int i = 0; i < GRID_LANES; i++) {
        rows.Y[i] = y[i] - c;
        rows.abs_Y[i] = fabs(rows.Y[i]);
        rows.log_Y[i] = fast_log(rows.abs_Y[i]);
    }
    return rows;
}

// asinh(Y/|X|) = sgn(Y) (ln(|Y| + R) - ln|X|). Where X or Y is 0 the logarithm is finite (fast_log)
// and its factor vanishes.
INLINE void add_column(strip* rows, const double* weight, double X)
{
    const double abs_X = fabs(X), log_X = fast_log(abs_X), sign = copysign(1.0, X);
    for (int i = 0; i < GRID_LANES; i++) {
        const double w = weight[i], R = sqrt(X * X + rows->Y[i] * rows->Y[i]);
        const double a = X * w * (fast_log(rows->abs_Y[i] + R) - log_X);
        const double b = sign * w * (fast_log(abs_X + R) - rows->log_Y[i]);
        rows->R[i] += w * R;
        rows->XR[i] += w * X * R;
        rows->a1[i] += a;
        rows->a2[i] += X * a;
        rows->a3[i] += X * X * a;
        rows->b[i] += b;
    }
}

// Add the rows of a strip to G and its derivatives.
INLINE void add_strip(cor_value* sum, const strip* rows)
{
    for (int i = 0; i < GRID_LANES; i++) {
        const double Y = rows->Y[i], sign = copysign(1.0, Y), b = rows->b[i];
        sum->G += Y * rows->XR[i] / 3.0 + (sign * rows->a3[i] + Y * Y * Y * b) / 6.0;
        sum->slope.x -= 0.5 * (Y * rows->R[i] + sign * rows->a2[i]);
        sum->slope.y -= 0.5 * (rows->XR[i] + Y * Y * b);
        sum->xx += sign * rows->a1[i];
        sum->xy += rows->R[i];
        sum->yy += Y * b;
    }
}

INLINE cor_value sum_corners(const corner_grid* grid, br_vec2 c)
{
    cor_value sum = {0};
    for (size_t j = 0; j < grid->strips; j++) {
        strip rows = strip_at(grid->y + j * GRID_LANES, c.y);
        for (size_t i = grid->first[j]; i < grid->first[j + 1]; i++) {
            add_column(&rows, grid->weight + i * GRID_LANES, grid->x[i] - c.x);
        }
        add_strip(&sum, &rows);
    }
    return sum;
}

// The same source compiled for wider vectors: the same operations, so the results are identical.
#define NEAR(NAME, ATTRIBUTE)                                                                      \
    ATTRIBUTE static cor_value NAME(const exact* surface, br_vec2 c)                               \
    {                                                                                              \
        return sum_corners(&surface->grid, c);                                                     \
    }

NEAR(near_1, )
NEAR(near_4, FOR_4)
NEAR(near_8, FOR_8)

cor_function bri_grid_near(int lanes)
{
    return !processor_has(lanes) ? NULL : lanes == 8 ? near_8 : lanes == 4 ? near_4 : near_1;
}

static cor_function best_near(void)
{
    return processor_has(8) ? near_8 : processor_has(4) ? near_4 : near_1;
}

// --- creation --------------------------------------------------------------------------------------

// The part of a grid that carries pressure, without the empty columns and rows around it. This
// keeps full precision for a patch that is small in its grid.
typedef struct lit_part {
    const br_patch_def* def;
    size_t left, bottom;  // empty columns and rows before it, rows from the bottom
    size_t columns, rows; // of the part
} lit_part;

// Pressure of the cell of the part left of line i and below line j (from the bottom), 0 outside.
static double pressure_at(const lit_part* part, size_t i, size_t j)
{
    if (i < 1 || j < 1 || i > part->columns || j > part->rows) {
        return 0.0;
    }
    const br_patch_def* def = part->def;
    return def->cells[(def->rows - part->bottom - j) * def->columns + part->left + (i - 1)];
}

// Is there any pressure in `rows` x `columns` cells of the part, starting after (i, j)?
static int is_lit(const lit_part* part, size_t i, size_t j, size_t columns, size_t rows)
{
    for (size_t a = 1; a <= columns; a++) {
        for (size_t b = 1; b <= rows; b++) {
            if (pressure_at(part, i + a, j + b) > 0.0) {
                return 1;
            }
        }
    }
    return 0;
}

static lit_part find_lit_part(const br_patch_def* def)
{
    lit_part part = {def, 0, 0, def->columns, def->rows};
    while (part.columns > 1 && !is_lit(&part, part.columns - 1, 0, 1, part.rows)) {
        part.columns--;
    }
    while (part.columns > 1 && !is_lit(&part, 0, 0, 1, part.rows)) {
        part.left++;
        part.columns--;
    }
    while (part.rows > 1 && !is_lit(&part, 0, part.rows - 1, part.columns, 1)) {
        part.rows--;
    }
    while (part.rows > 1 && !is_lit(&part, 0, 0, part.columns, 1)) {
        part.bottom++;
        part.rows--;
    }
    return part;
}

// The second difference of the pressure at the corner where lines i and j meet.
static double corner_weight(const lit_part* part, size_t i, size_t j)
{
    // upper right of one cell, lower left of another: +; the other two: -
    const double right = pressure_at(part, i + 1, j + 1) - pressure_at(part, i + 1, j);
    const double left = pressure_at(part, i, j + 1) - pressure_at(part, i, j);
    return right - left;
}

// Weights of a column in the strip of rows that starts at j; returns 0 if all are 0.
static int fill_column(const lit_part* part, size_t i, size_t j, double unit, double* weight)
{
    int is_filled = 0;
    for (size_t k = 0; k < GRID_LANES; k++) {
        weight[k] = j + k <= part->rows ? corner_weight(part, i, j + k) / unit : 0.0;
        is_filled = is_filled || weight[k] != 0.0; // exact: differences of equal pressures
    }
    return is_filled;
}

// Fill strip after strip with the columns that are not empty.
static void fill_strips(corner_grid* grid, const lit_part* part, const double* x, double unit)
{
    size_t count = 0;
    for (size_t j = 0; j < grid->strips; j++) {
        grid->first[j] = count;
        for (size_t i = 0; i <= part->columns; i++) {
            grid->x[count] = x[i];
            count += fill_column(part, i, j * GRID_LANES, unit, grid->weight + count * GRID_LANES);
        }
    }
    grid->first[grid->strips] = count;
}

// Moments x^a over the cells between lattice lines, by Gauss points: no differences of powers.
static void line_moments(const double* line, size_t cells, double* moment)
{
    double t[FAR_GAUSS], weight[FAR_GAUSS];
    bri_gauss_legendre(FAR_GAUSS, t, weight);
    for (size_t i = 0; i < cells; i++) {
        const double length = line[i + 1] - line[i];
        for (int k = 0; k < FAR_GAUSS; k++) {
            const double x = line[i] + t[k] * length;
            double power = weight[k] * length;
            for (int a = 0; a <= FAR_DEGREE; a++) {
                moment[i * (FAR_DEGREE + 1) + a] += power;
                power *= x;
            }
        }
    }
}

// int x^a y^b p dA, (FAR_DEGREE + 1)^2, from those of columns and rows.
static void area_moments(const lit_part* part, const double* columns, const double* rows,
                         double* area)
{
    enum { N = FAR_DEGREE + 1 };
    for (size_t j = 0; j < part->rows; j++) {
        double across[N] = {0.0};
        for (size_t i = 0; i < part->columns; i++) {
            for (int a = 0; a < N; a++) {
                across[a] += pressure_at(part, i + 1, j + 1) * columns[i * N + a];
            }
        }
        for (int a = 0; a < N; a++) {
            for (int b = 0; a + b < N; b++) {
                area[a * N + b] += across[a] * rows[j * N + b];
            }
        }
    }
}

// Coefficients of (-y + t)^j (-y - t)^k by the powers of t, t = i x.
static void expand(int j, int k, double* coefficient)
{
    for (int a = 0; a <= FAR_DEGREE; a++) {
        coefficient[a] = a == 0 ? 1.0 : 0.0;
    }
    for (int factor = 0; factor < j + k; factor++) {
        const double sign = factor < j ? 1.0 : -1.0;
        for (int a = factor + 1; a > 0; a--) {
            coefficient[a] = sign * coefficient[a - 1] - coefficient[a];
        }
        coefficient[0] = -coefficient[0];
    }
}

// Complex moments from those of x^a y^b: zeta = -y + i x.
static void fill_series(far_series* series, const double* area)
{
    enum { N = FAR_DEGREE + 1 };
    static const double real[4] = {1.0, 0.0, -1.0, 0.0}, imaginary[4] = {0.0, 1.0, 0.0, -1.0};
    double coefficient[N];
    for (int n = 0; n < N; n++) {
        for (int order = n % 2; order <= n; order += 2) {
            br_vec2* term = &series->term[far_index(n, order)];
            expand((n + order) / 2, (n - order) / 2, coefficient);
            for (int a = 0; a <= n; a++) {
                const double part = coefficient[a] * area[a * N + n - a];
                term->x += real[a % 4] * part;
                term->y += imaginary[a % 4] * part;
            }
        }
    }
}

// The series; returns the force on the grid in units of the given pressures, or 0: no memory.
static double fill_moments(exact* surface, const lit_part* part, const double* x)
{
    enum { N = FAR_DEGREE + 1 };
    double* scratch = br_allocate((part->columns + part->rows) * N + N * N, sizeof *scratch);
    if (!scratch) {
        return 0.0;
    }
    double* rows = scratch + part->columns * N;
    double* area = rows + part->rows * N;
    line_moments(x, part->columns, scratch);
    line_moments(surface->grid.y, part->rows, rows);
    area_moments(part, scratch, rows, area);
    fill_series(surface->far, area);
    br_release(scratch);
    const double mass = surface->far->term[0].x;
    bri_far_finish(surface->far);
    return mass;
}

// Lattice lines of a part that starts after `first` of `cells` cells, measured from the CoP, from
// left to right or from the bottom up [m].
static void fill_lines(double* line, size_t lines, size_t first, size_t cells, double half,
                       double cop)
{
    for (size_t i = 0; i < lines; i++) {
        line[i] = (2.0 * (double)(first + i) - (double)cells) * half - cop;
    }
}

// Scale the lines so that the farthest corner is at distance 1.
static double scale_lines(const lit_part* part, double* x, double* y)
{
    const double far_x = fmax(fabs(x[0]), fabs(x[part->columns]));
    const double far_y = fmax(fabs(y[0]), fabs(y[part->rows]));
    const double size = hypot(far_x, far_y);
    for (size_t i = 0; i <= part->columns; i++) {
        x[i] /= size;
    }
    for (size_t j = 0; j <= part->rows; j++) {
        y[j] /= size;
    }
    return size;
}

// Memory for all corners; x are the lattice's columns. 0: no memory.
static int allocate(exact* surface, const lit_part* part, double** x)
{
    corner_grid* grid = &surface->grid;
    const size_t strips = part->rows / GRID_LANES + 1,
                 lines = part->columns + 1; // rows + 1 corners
    const size_t max = strips * lines, count = max * (GRID_LANES + 1) + strips * GRID_LANES;
    double* memory = bri_exact_own(surface, count + lines, sizeof *memory);
    size_t* first = bri_exact_own(surface, strips + 1, sizeof *first);
    if (!memory || !first) {
        return 0;
    }
    *grid = (corner_grid){strips, memory + max * (GRID_LANES + 1), first, memory + max * GRID_LANES,
                          memory};
    *x = memory + count;
    return 1;
}

int bri_exact_fill_grid(exact* surface, const br_patch_def* def, br_vec2 cop)
{
    corner_grid* grid = &surface->grid;
    const lit_part part = find_lit_part(def);
    const br_vec2 half = bri_grid_half(def);
    double* x;
    if (!allocate(surface, &part, &x) || !bri_far_create(surface)) {
        return 0;
    }
    surface->shape = &bri_cor_shape;
    surface->near = best_near();
    fill_lines(x, part.columns + 1, part.left, def->columns, half.x, cop.x);
    fill_lines(grid->y, part.rows + 1, part.bottom, def->rows, half.y, cop.y);
    surface->size = scale_lines(&part, x, grid->y);
    const double mass = fill_moments(surface, &part, x);
    fill_strips(grid, &part, x, mass);
    return mass > 0.0;
}
