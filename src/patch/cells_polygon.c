/*
 * The force on the cells of a polygon, exactly.
 *
 * int p dA over the polygon is -oint p y dx. Within a cell y is clamped between the cell's bottom
 * and top: each edge adds to each cell the part under the edge and above the cell's bottom,
 *
 *   mass += -+ int p(x) clamp(y_edge(x) - bottom, 0, height) dx      over the cell's columns
 *
 * which is exact for any simple polygon, convex or not, and needs no clipped outline.
 */
#include "patch/lattice.h"

// The part of an edge over one column: ends from left to right, and the pressure there.
typedef struct span {
    br_vec2 a, b;
    double pa, pb;
} span;

// int p f dx of two linear functions given by their ends.
static double product_integral(double width, double pa, double pb, double fa, double fb)
{
    return width / 6.0 * (2.0 * pa * fa + pa * fb + pb * fa + 2.0 * pb * fb);
}

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

// Position along the span, 0 to 1, where it crosses the height y. 0 for a level span: unused.
static double passing(span edge, double y)
{
    const double rise = edge.b.y - edge.a.y;
    return rise != 0.0 ? clamp((y - edge.a.y) / rise, 0.0, 1.0) : 0.0;
}

// int p clamp(y - bottom, 0, height) dx under a span: linear from bottom to top, constant beyond.
static double mass_under(span edge, double bottom, double height)
{
    const double low = passing(edge, bottom), high = passing(edge, bottom + height);
    const double t[4] = {0.0, fmin(low, high), fmax(low, high), 1.0};
    const double width = edge.b.x - edge.a.x, rise = edge.b.y - edge.a.y, dp = edge.pb - edge.pa;
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        const double u = t[i], v = t[i + 1];
        const double fu = clamp(edge.a.y + u * rise - bottom, 0.0, height);
        const double fv = clamp(edge.a.y + v * rise - bottom, 0.0, height);
        sum += product_integral((v - u) * width, edge.pa + u * dp, edge.pa + v * dp, fu, fv);
    }
    return sum;
}

// Add the area under a span to the cells of its column, bottom row first, up to its upper end.
static void add_column(const lattice* grid, size_t column, span edge, double sign, double* mass)
{
    const double height = 2.0 * grid->half.y;
    for (size_t row = grid->rows; row-- > 0;) {
        const double bottom = lattice_y(grid, row) - grid->half.y;
        if (bottom >= fmax(edge.a.y, edge.b.y)) {
            break;
        }
        mass[row * grid->columns + column] += sign * mass_under(edge, bottom, height);
    }
}

// The part of the edge from a to b, left to right, between two abscissae.
static span span_between(br_vec2 a, br_vec2 b, double left, double right, double slope)
{
    const double rate = (b.y - a.y) / (b.x - a.x);
    const double xa = fmax(a.x, left), xb = fmin(b.x, right);
    const br_vec2 start = {xa, a.y + (xa - a.x) * rate}, end = {xb, b.y + (xb - b.x) * rate};
    return (span){start, end, 1.0 + slope * xa, 1.0 + slope * xb};
}

// The column that contains x.
static size_t column_of(const lattice* grid, double x)
{
    const double last = (double)(grid->columns - 1);
    const double column = floor(0.5 * (x / grid->half.x + (double)grid->columns));
    return (size_t)clamp(column, 0.0, last);
}

// Add the area under the edge from a to b.
static void add_edge(const lattice* grid, br_vec2 a, br_vec2 b, double slope, double* mass)
{
    const double sign = a.x < b.x ? -1.0 : 1.0;
    const br_vec2 left = a.x < b.x ? a : b, right = a.x < b.x ? b : a;
    const size_t last = column_of(grid, right.x);
    for (size_t column = column_of(grid, left.x); column <= last; column++) {
        const double middle = lattice_x(grid, column);
        const span part =
            span_between(left, right, middle - grid->half.x, middle + grid->half.x, slope);
        if (part.a.x < part.b.x) {
            add_column(grid, column, part, sign, mass);
        }
    }
}

void bri_polygon_masses(const lattice* grid, const br_vec2* vertices, size_t count, double g,
                        double* mass)
{
    const double slope = g / ((double)grid->columns * grid->half.x);
    br_vec2 a = br_vec2_sub(vertices[count - 1], grid->centre);
    for (size_t i = 0; i < count; i++) {
        const br_vec2 b = br_vec2_sub(vertices[i], grid->centre);
        if (a.x != b.x) { // an upright edge has nothing under it
            add_edge(grid, a, b, slope, mass);
        }
        a = b;
    }
}

// Is a point within the polygon? Counts the edges to its right.
static int is_inside(const br_vec2* vertices, size_t count, br_vec2 at)
{
    int inside = 0;
    br_vec2 a = vertices[count - 1];
    for (size_t i = 0; i < count; i++) {
        const br_vec2 b = vertices[i];
        if ((a.y > at.y) != (b.y > at.y)) {
            const double x = a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x);
            inside ^= at.x < x;
        }
        a = b;
    }
    return inside;
}

void bri_polygon_samples(const lattice* grid, const br_vec2* vertices, size_t count, double g,
                         double* mass)
{
    const double half_width = grid->half.x * (double)grid->columns;
    for (size_t i = 0; i < grid->columns * grid->rows; i++) {
        const br_vec2 from = {lattice_x(grid, i % grid->columns),
                              lattice_y(grid, i / grid->columns)};
        const br_vec2 at = br_vec2_add(grid->centre, from);
        mass[i] = is_inside(vertices, count, at) ? 1.0 + g * from.x / half_width : 0.0;
    }
}
