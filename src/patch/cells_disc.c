/*
 * The force on the cells of a disc, exactly where a closed form is known.
 *
 * By the cone formula (polygon.c) about the disc's centre the force on a cell is a sum over its
 * four sides. With P(theta, rho) the integral of p rho from the centre out to rho,
 *
 *   int p dA = sum over sides of int P dtheta,    dtheta = c ds/(c^2 + s^2)
 *
 * on the line at the distance c, s along it. Beyond the rim P keeps its value at the rim, so the
 * disc's edge needs no clipping: each line is cut where it crosses the circle.
 */
#include "patch/lattice.h"
#include "patch/power_law.h"

#include <string.h>

// A piece of a lattice line: x = c from y = s0 to s1 (upright), or y = c from x = s0 to s1.
typedef struct side {
    int upright;
    double c, s0, s1;
} side;

// int P dtheta within the disc: p is a polynomial, so is P/rho^2.
static double linear_inside(br_vec2 g, side part)
{
    const double s = 0.5 * (part.s0 + part.s1); // mean
    const br_vec2 middle = part.upright ? (br_vec2){part.c, s} : (br_vec2){s, part.c};
    return part.c * (part.s1 - part.s0) * (0.5 + br_vec2_dot(g, middle) / 3.0) / BR_PI;
}

// Angle of a side as seen from the centre.
static double side_angle(side part)
{
    const double along = part.c * (part.s1 - part.s0);
    return atan2(along, part.c * part.c + part.s0 * part.s1);
}

// int P dtheta beyond the rim: P = (1/2 + g . e/3)/pi, e = (cos, sin)(theta).
static double linear_outside(br_vec2 g, side part)
{
    const double rho0 = hypot(part.c, part.s0), rho1 = hypot(part.c, part.s1);
    const double along = part.s1 / rho1 - part.s0 / rho0; // int of e across the line
    const double across = part.c / rho0 - part.c / rho1;  // int of e along the line
    const br_vec2 turn = part.upright ? (br_vec2){along, across} : (br_vec2){across, along};
    return (0.5 * side_angle(part) + br_vec2_dot(g, turn) / 3.0) / BR_PI;
}

// int P dtheta within the disc for the power law, from s0 to s1 on one side of the foot s = 0:
// P = I(rho)/(2 pi), I the share of the force within rho.
static double power_inside_half(disc_pressure p, side part)
{
    static const double node[10] = {0.99312859918509488, 0.96397192727791381, 0.91223442825132595,
                                    0.83911697182221878, 0.7463319064601508,  0.63605368072651502,
                                    0.51086700195082713, 0.37370608871541955, 0.22778585114164507,
                                    0.076526521133497338};
    static const double weight[10] = {
        0.017614007139152118, 0.040601429800386939, 0.062672048334109068, 0.083276741576704755,
        0.10193011981724044,  0.11819453196151841,  0.13168863844917664,  0.14209610931838204,
        0.14917298647260374,  0.15275338713072584};
    const double c = part.c, length = part.s1 - part.s0;
    double sum = 0.0;
    for (int i = 0; i < 20; i++) {
        // s = s0 + length t^2 (3 - 2 t) makes the points dense at the ends, where P may have a root
        const double t = 0.5 * (i < 10 ? 1.0 - node[i] : 1.0 + node[i - 10]);
        const double s = part.s0 + length * t * t * (3.0 - 2.0 * t);
        const double rho = sqrt(c * c + s * s), slope = 6.0 * t * (1.0 - t);
        const double inside = p.table ? bri_power_law_table_inside(p.table, rho)
                                      : bri_power_law_inside(p.k, p.norm, rho);
        sum += 0.5 * weight[i % 10] * slope * inside / (rho * rho);
    }
    return c * length * sum / (2.0 * BR_PI);
}

static double power_inside(disc_pressure p, side part)
{
    if (!(part.s0 < 0.0 && part.s1 > 0.0)) {
        return power_inside_half(p, part);
    }
    const side left = {part.upright, part.c, part.s0, 0.0};
    const side right = {part.upright, part.c, 0.0, part.s1};
    return power_inside_half(p, left) + power_inside_half(p, right);
}

// int P dtheta over the piece of a side from a to b, which does not cross the rim; 0 if b <= a.
static double piece_flux(disc_pressure p, side line, double a, double b, int inside)
{
    if (!(a < b)) {
        return 0.0;
    }
    const side part = {line.upright, line.c, a, b};
    if (p.is_power) {
        return inside ? power_inside(p, part) : side_angle(part) / (2.0 * BR_PI);
    }
    return inside ? linear_inside(p.g, part) : linear_outside(p.g, part);
}

// int P dtheta over a side.
static double side_flux(disc_pressure p, side line)
{
    const double c = line.c, s0 = line.s0, s1 = line.s1;
    if (c == 0.0) {
        return 0.0; // exact: a line through the centre spans no angle
    }
    const double q = fabs(c) < 1.0 ? sqrt((1.0 - c) * (1.0 + c)) : 0.0; // half chord
    return piece_flux(p, line, s0, fmin(s1, -q), 0) +
           piece_flux(p, line, fmax(s0, -q), fmin(s1, q), 1) +
           piece_flux(p, line, fmax(s0, q), s1, 0);
}

// int p dA over the cell by its sides.
static double mass_by_sides(disc_pressure p, br_vec2 low, br_vec2 high)
{
    const side left = {1, low.x, low.y, high.y}, right = {1, high.x, low.y, high.y};
    const side bottom = {0, low.y, low.x, high.x}, top = {0, high.y, low.x, high.x};
    return side_flux(p, right) - side_flux(p, left) + side_flux(p, top) - side_flux(p, bottom);
}

// int p dA by 4 x 4 or 2 x 2 Gauss points, for a cell where p is smooth.
static double mass_by_points(disc_pressure p, br_vec2 centre, br_vec2 half, int points)
{
    static const double node[6] = {-0.57735026918962576, 0.57735026918962576, -0.86113631159405257,
                                   -0.33998104358485626, 0.33998104358485626, 0.86113631159405257};
    static const double weight[6] = {1.0,
                                     1.0,
                                     0.34785484513745385,
                                     0.65214515486254609,
                                     0.65214515486254609,
                                     0.34785484513745385};
    const int first = points - 2; // index of the first of two points, or of the first of four
    double sum = 0.0;
    for (int i = 0; i < points * points; i++) {
        const int a = first + i % points, b = first + i / points;
        const double x = centre.x + node[a] * half.x, y = centre.y + node[b] * half.y;
        sum += weight[a] * weight[b] * bri_power_law_pressure(p.k, p.norm, sqrt(x * x + y * y));
    }
    return sum * half.x * half.y;
}

// W&K's rule: p at the centre times the cell's area, 0 outside.
static double mass_by_centre(disc_pressure p, br_vec2 centre, br_vec2 half)
{
    const double rho = br_vec2_norm(centre);
    if (rho > 1.0) {
        return 0.0;
    }
    return 4.0 * half.x * half.y *
           (p.is_power ? bri_power_law_pressure(p.k, p.norm, rho)
                       : (1.0 + br_vec2_dot(p.g, centre)) / BR_PI);
}

// How a cell is integrated: nothing on it, p linear and all of it inside, few or many Gauss points, by its sides.
typedef enum rule { BY_NOTHING, BY_MIDDLE, BY_FEW, BY_MANY, BY_SIDES } rule;

// Distances from the centre are whole numbers of cells at any size of the disc: rounding must not choose between two rules.
static const double tie = 1e-9;

static rule rule_of(disc_pressure p, br_vec2 centre, br_vec2 half)
{
    const double x = fabs(centre.x), y = fabs(centre.y);
    const br_vec2 inner = {x > half.x ? x - half.x : 0.0, y > half.y ? y - half.y : 0.0};
    const double near = sqrt(br_vec2_dot(inner, inner));
    const double far = sqrt((x + half.x) * (x + half.x) + (y + half.y) * (y + half.y));
    const double cell = (1.0 - tie) * 2.0 * fmax(half.x, half.y);
    const double gap = fmin(near, 1.0 - far); // to centre and rim
    if (near >= 1.0) {
        return BY_NOTHING;
    }
    if (!p.is_power && far <= 1.0) {
        return BY_MIDDLE;
    }
    return !p.is_power || gap < p.away * cell ? BY_SIDES : gap >= p.few * cell ? BY_FEW : BY_MANY;
}

double bri_disc_cell_mass_like(disc_pressure p, br_vec2 centre, br_vec2 half, br_vec2 like_centre,
                               br_vec2 like_half)
{
    if (p.by_centre) {
        return mass_by_centre(p, centre, half);
    }
    switch (rule_of(p, like_centre, like_half)) {
    case BY_NOTHING:
        return 0.0;
    case BY_MIDDLE:
        return 4.0 * half.x * half.y * (1.0 + br_vec2_dot(p.g, centre)) / BR_PI;
    case BY_FEW:
        return mass_by_points(p, centre, half, 2);
    case BY_MANY:
        return mass_by_points(p, centre, half, 4);
    default:
        return mass_by_sides(p, br_vec2_sub(centre, half), br_vec2_add(centre, half));
    }
}

double bri_disc_cell_mass(disc_pressure p, br_vec2 centre, br_vec2 half)
{
    return bri_disc_cell_mass_like(p, centre, half, centre, half);
}

// The first cell, row by row, with the same force by symmetry; for a square lattice about the disc.
static size_t first_alike(const lattice* grid, size_t row, size_t column)
{
    const size_t a = lattice_depth(row, grid->rows), b = lattice_depth(column, grid->columns);
    return a < b ? a * grid->columns + b : b * grid->columns + a;
}

// Masses of a row; `is_round`: those that are alike by symmetry are copied from where they were computed.
static void fill_row(const lattice* grid, disc_pressure p, size_t row, int is_round, double* mass)
{
    const size_t start = row * grid->columns;
    for (size_t column = 0; column < grid->columns; column++) {
        const size_t i = start + column, first = is_round ? first_alike(grid, row, column) : i;
        const br_vec2 centre = {lattice_x(grid, column), lattice_y(grid, row)};
        mass[i] = first < i ? mass[first] : bri_disc_cell_mass(p, centre, grid->half);
    }
}

void bri_disc_masses(const lattice* grid, disc_pressure p, double* mass)
{
    const int is_square = grid->rows == grid->columns && grid->half.x == grid->half.y;
    const int is_uniform = p.g.x == 0.0 && p.g.y == 0.0; // exactly
    const int is_round = is_square && (p.is_power || is_uniform);
    for (size_t row = 0; row < grid->rows; row++) {
        const size_t alike = lattice_depth(row, grid->rows);
        if (is_round && alike < row) {
            memcpy(mass + row * grid->columns, mass + alike * grid->columns,
                   grid->columns * sizeof *mass);
        } else {
            fill_row(grid, p, row, is_round, mass);
        }
    }
}
