/*
 * Centre of pressure, r (23), u (27) and area of a patch: closed forms and exact integrals.
 *
 * W&K = Waltersson & Karayiannidis, "Planar Friction Modelling with LuGre Dynamics and Limit
 * Surfaces", section V. Numbers in brackets are that paper's equations.
 *
 *   CoP = int p x dA,   r = int p |rho| dA  (23),   u = int p |rho|^2 dA  (27),   rho = x - CoP
 *
 * What does not depend on the force is computed once, at creation; evaluation scales it.
 */
#include <float.h>

#include "math/elliptic.h"
#include "patch/mesh.h"
#include "patch/patch_internal.h"
#include "patch/polygon.h"
#include "patch/power_law.h"

double bri_pressure_gradient(const br_patch_def* def)
{
    if (def->pressure != BR_PRESSURE_LINEAR) {
        return 0.0;
    }
    const double from = 0.5 * def->from, to = 0.5 * def->to; // halves: their sum cannot overflow
    return (to - from) / (to + from);
}

// Means over the unit circle of s^n, s the distance from a point c inside it.
typedef struct circle_means {
    double s1, s3, s5; // <s>, <s^3>, <s^5>
} circle_means;

static circle_means circle_means_at(double c)
{
    // s^2 = 1 + c^2 - 2 c cos(theta);  with 1 - m = ((1 - c)/(1 + c))^2
    //   <s> = (2/pi) (1 + c) E(m),   <1/s> = (2/pi) K(m)/(1 + c)
    const double q = (1.0 - c) / (1.0 + c);
    const elliptic integral = bri_elliptic_eval(q * q);
    const double over = 2.0 / BR_PI * integral.K / (1.0 + c);
    const double s1 = 2.0 / BR_PI * integral.E * (1.0 + c);

    // n <s^n> = 2 (n-1)(1 + c^2) <s^(n-2)> - (n-2)(1 - c^2)^2 <s^(n-4)>
    const double plus = 1.0 + c * c, minus = (1.0 - c * c) * (1.0 - c * c);
    const double s3 = (4.0 * plus * s1 - minus * over) / 3.0;
    const double s5 = (8.0 * plus * s3 - 3.0 * minus * s1) / 5.0;
    return (circle_means){s1, s3, s5};
}

// Disc of radius 1, p = (1 + g x)/pi.
static br_patch_value linear_disc(double g)
{
    // r by the cone formula (polygon.c) about the CoP c = g/4, on the circle:
    //   r = (1/pi) int (1 - c cos)((1 + g c) s/3 + g (cos - c) s/4) dtheta
    // and cos = (1 + c^2 - s^2)/(2 c) makes it a sum of odd powers of s                       (23)
    const double c = fabs(g) / 4.0, c2 = c * c;
    const circle_means mean = circle_means_at(c);
    const double r =
        5.0 / 6.0 * (1.0 - c2 * c2) * mean.s1 + (1.0 + 4.0 * c2) / 3.0 * mean.s3 - 0.5 * mean.s5;
    return (br_patch_value){{g / 4.0, 0.0}, r, 0.5 - c2, BR_PI};
}

// Disc of radius 1 with the power law (44).
static br_patch_value power_disc(double k)
{
    return (br_patch_value){
        {0.0, 0.0}, bri_power_law_moment(k, 1), bri_power_law_moment(k, 2), BR_PI};
}

// Ring of radius 1, p = (1 + g cos(theta))/(2 pi).
static br_patch_value linear_ring(double g)
{
    // r = <(1 + g cos) s> about c = g/2; cos = (1 + c^2 - s^2)/(2 c), so g cos = 1 + c^2 - s^2 (23)
    const double c = fabs(g) / 2.0, c2 = c * c;
    const circle_means mean = circle_means_at(c);
    const double r = (2.0 + c2) * mean.s1 - mean.s3;
    return (br_patch_value){{g / 2.0, 0.0}, r, 1.0 - c2, 0.0};
}

br_vec2 bri_round_slope(const br_patch_def* def)
{
    // along (cos, sin) of the slope's angle, stretched back to the unit disc
    const double g = bri_pressure_gradient(def);
    const br_vec2 to = {cos(def->slope_angle), def->ratio * sin(def->slope_angle)};
    return br_vec2_scale(g / br_vec2_norm(to), to);
}

oval bri_round_oval(const br_patch_def* def)
{
    return (oval){.axes = {1.0, def->ratio},
                  .is_ring = def->shape == BR_SHAPE_RING,
                  .pressure = def->pressure == BR_PRESSURE_POWER ? OVAL_HERTZ : OVAL_LINEAR,
                  .g = bri_round_slope(def)};
}

// Ellipse or elliptic ring, semi-axes 1 and b, p ~ 1 + g . xi: the CoP is at S g/4 (ring: S g/2) and r is the
// mean distance from it.
static br_patch_value linear_oval(const br_patch_def* def)
{
    const oval shape = bri_round_oval(def);
    const double b = def->ratio, part = shape.is_ring ? 0.5 : 0.25;
    const br_vec2 cop = {part * shape.g.x, part * b * shape.g.y};
    const double u = part * (1.0 + b * b) - br_vec2_dot(cop, cop); // (27)
    return (br_patch_value){cop, bri_oval_eval(&shape, cop).G, u, shape.is_ring ? 0.0 : BR_PI * b};
}

// Ellipse of semi-axes 1 and b with the power law: <|S xi|> = <|xi|> <|S e|>, e around the circle.
static br_patch_value power_ellipse(double k, double b)
{
    const double large = fmax(1.0, b), q = fmin(1.0, b) / large;
    const double mean = 2.0 / BR_PI * large * bri_elliptic_eval(q * q).E;
    return (br_patch_value){{0.0, 0.0},
                            mean * bri_power_law_moment(k, 1),
                            0.5 * (1.0 + b * b) * bri_power_law_moment(k, 2),
                            BR_PI * b};
}

// Line of half length h, p = (1 + g x/h)/(2 h).
static br_patch_value linear_line(double h, double g)
{
    // c = g/3:  r = (1 - c^2)^2/2 (23),   u = 1/3 - c^2 (27),   in units of h
    const double c = g / 3.0, q = 1.0 - c * c;
    return (br_patch_value){{c * h, 0.0}, 0.5 * q * q * h, (1.0 / 3.0 - c * c) * h * h, 0.0};
}

patch_box bri_patch_box_of(const br_vec2* corners, size_t count)
{
    br_vec2 low = corners[0], high = corners[0];
    for (size_t i = 1; i < count; i++) {
        low = (br_vec2){fmin(low.x, corners[i].x), fmin(low.y, corners[i].y)};
        high = (br_vec2){fmax(high.x, corners[i].x), fmax(high.y, corners[i].y)};
    }
    const br_vec2 a = br_vec2_scale(0.5, low), b = br_vec2_scale(0.5, high);
    return (patch_box){br_vec2_add(a, b), br_vec2_sub(b, a)};
}

void bri_rectangle_corners(double size_x, double size_y, br_vec2 corners[4])
{
    const double x = 0.5 * size_x, y = 0.5 * size_y;
    corners[0] = (br_vec2){-x, -y};
    corners[1] = (br_vec2){x, -y};
    corners[2] = (br_vec2){x, y};
    corners[3] = (br_vec2){-x, y};
}

// Extent of a polygon in its frame, and the range along the x axis of the patch.
typedef struct polygon_extent {
    br_vec2 middle;
    double low, high;
} polygon_extent;

static polygon_extent extent_of(const br_vec2* vertices, size_t count, const polygon_frame* frame)
{
    const br_vec2 x = polygon_axis_x(frame), first = bri_polygon_local(frame, vertices[0]);
    br_vec2 low = first, high = first;
    polygon_extent out = {first, br_vec2_dot(first, x), br_vec2_dot(first, x)};
    for (size_t i = 1; i < count; i++) {
        const br_vec2 at = bri_polygon_local(frame, vertices[i]);
        low = (br_vec2){fmin(low.x, at.x), fmin(low.y, at.y)};
        high = (br_vec2){fmax(high.x, at.x), fmax(high.y, at.y)};
        out.low = fmin(out.low, br_vec2_dot(at, x));
        out.high = fmax(out.high, br_vec2_dot(at, x));
    }
    out.middle = br_vec2_add(br_vec2_scale(0.5, low), br_vec2_scale(0.5, high));
    return out;
}

// Polygon, p ~ 1 + g (x - x_mid)/half: first about the middle for the CoP, then about that.
static br_patch_value linear_polygon(const br_vec2* vertices, size_t count, double g)
{
    const polygon_frame frame = bri_polygon_frame_of(vertices, count);
    const polygon_extent extent = extent_of(vertices, count, &frame);
    const br_vec2 x = polygon_axis_x(&frame);
    const double slope = g / (0.5 * extent.high - 0.5 * extent.low);
    const double off = br_vec2_dot(extent.middle, x) - (0.5 * extent.low + 0.5 * extent.high);
    const apex_pressure middle = {1.0 + slope * off, br_vec2_scale(slope, x)};
    const polygon_moments rough =
        bri_polygon_integrate(vertices, count, &frame, extent.middle, middle);
    const br_vec2 offset = br_vec2_scale(1.0 / rough.mass, rough.first);
    const br_vec2 cop = br_vec2_add(extent.middle, offset);

    const apex_pressure there = {middle.at + br_vec2_dot(middle.slope, offset), middle.slope};
    const polygon_moments fine = bri_polygon_integrate(vertices, count, &frame, cop, there);
    const br_vec2 turned = {frame.e.x * cop.x - frame.e.y * cop.y,
                            frame.e.y * cop.x + frame.e.x * cop.y};
    return (br_patch_value){br_vec2_add(frame.from, turned), fine.distance / fine.mass,
                            fine.second / fine.mass, fabs(fine.area)};
}

static br_patch_value rectangle_value(const br_patch_def* def)
{
    br_vec2 corners[4];
    bri_rectangle_corners(def->size_x, def->size_y, corners);
    return linear_polygon(corners, 4, bri_pressure_gradient(def));
}

int bri_points_coincide(const br_patch_def* def)
{
    const double rounding = 4.0 * DBL_EPSILON;
    const br_support_point first = def->points[0];
    double away = 0.0, size = 0.0;
    for (size_t i = 0; i < def->count; i++) {
        const br_support_point point = def->points[i];
        away = fmax(away, hypot(point.x - first.x, point.y - first.y));
        size = fmax(size, hypot(point.x, point.y));
    }
    return away <= rounding * size;
}

static br_patch_value points_value(const br_patch_def* def)
{
    const br_support_point first = def->points[0];
    br_patch_value value = {{first.x, first.y}, 0.0, 0.0, 0.0};
    if (bri_points_coincide(def)) {
        return value;
    }
    double total = 0.0;
    for (size_t i = 0; i < def->count; i++) {
        total += def->points[i].weight;
    }
    for (size_t i = 0; i < def->count; i++) {
        const br_support_point point = def->points[i];
        value.cop.x += point.weight / total * (point.x - first.x);
        value.cop.y += point.weight / total * (point.y - first.y);
    }
    for (size_t i = 0; i < def->count; i++) {
        const br_support_point point = def->points[i];
        const double rho = hypot(point.x - value.cop.x, point.y - value.cop.y);
        value.r += point.weight / total * rho;       // r = sum w |rho|                        (23)
        value.u += point.weight / total * rho * rho; // u = sum w |rho|^2                      (27)
    }
    return value;
}

br_vec2 bri_grid_half(const br_patch_def* def)
{
    return (br_vec2){0.5 * def->size_x / (double)def->columns,
                     0.5 * def->size_y / (double)def->rows};
}

br_vec2 bri_grid_centre(const br_patch_def* def, size_t index)
{
    const br_vec2 half = bri_grid_half(def);
    const double column = (double)(index % def->columns), row = (double)(index / def->columns);
    return (br_vec2){(2.0 * column + 1.0 - (double)def->columns) * half.x,
                     ((double)def->rows - 1.0 - 2.0 * row) * half.y};
}

// Sum of the pressures, and the number of cells with a pressure.
static double grid_total(const br_patch_def* def, size_t* filled)
{
    double total = 0.0;
    *filled = 0;
    for (size_t i = 0; i < def->columns * def->rows; i++) {
        total += def->cells[i];
        *filled += def->cells[i] > 0.0;
    }
    return total;
}

static br_vec2 grid_cop(const br_patch_def* def, double total)
{
    br_vec2 cop = {0.0, 0.0};
    for (size_t i = 0; i < def->columns * def->rows; i++) {
        cop = br_vec2_add(cop, br_vec2_scale(def->cells[i] / total, bri_grid_centre(def, i)));
    }
    return cop;
}

// Piecewise constant pressure: every cell is a rectangle, not a point.
static br_patch_value grid_value(const br_patch_def* def)
{
    size_t filled;
    const double total = grid_total(def, &filled);
    const br_vec2 half = bri_grid_half(def), cop = grid_cop(def, total);
    const double cell_area = 4.0 * half.x * half.y;
    const double spread = br_vec2_dot(half, half) / 3.0; // u of one cell about its own centre
    br_patch_value value = {cop, 0.0, 0.0, cell_area * (double)filled};
    for (size_t i = 0; i < def->columns * def->rows; i++) {
        if (!(def->cells[i] > 0.0)) {
            continue;
        }
        const br_vec2 d = br_vec2_sub(bri_grid_centre(def, i), cop);
        const double share = def->cells[i] / total;
        const double sum = bri_rectangle_distance(br_vec2_sub(d, half), br_vec2_add(d, half));

        // r = sum w <|rho|>, the mean over each cell                                          (23)
        value.r += share * sum / cell_area;
        // u = sum w (|d|^2 + u of the cell)                                                   (27)
        value.u += share * (br_vec2_dot(d, d) + spread);
    }
    return value;
}

// At a force; the radius is 1.
static br_patch_value power_round(const br_patch_def* def, double fn)
{
    const double k = br_by_force_eval(def->k, fn);
    return def->ratio == 1.0 ? power_disc(k) : power_ellipse(k, def->ratio);
}

static br_patch_value round_value(const br_patch_def* def)
{
    if (def->pressure == BR_PRESSURE_POWER) {
        return power_round(def, 1.0);
    }
    if (def->ratio != 1.0 || def->slope_angle != 0.0) { // neither is a disc or ring
        return linear_oval(def);
    }
    const double g = bri_pressure_gradient(def);
    return def->shape == BR_SHAPE_RING ? linear_ring(g) : linear_disc(g);
}

br_patch_value bri_patch_unit_value(const br_patch_def* def)
{
    switch (def->shape) {
    case BR_SHAPE_DISC:
    case BR_SHAPE_RING:
    case BR_SHAPE_ELLIPSE:
        return round_value(def);
    case BR_SHAPE_RECTANGLE:
        return rectangle_value(def);
    case BR_SHAPE_LINE:
        return linear_line(0.5 * def->length, bri_pressure_gradient(def));
    case BR_SHAPE_POLYGON:
        return linear_polygon(def->vertices, def->count, bri_pressure_gradient(def));
    case BR_SHAPE_POINTS:
        return points_value(def);
    case BR_SHAPE_TRIANGLES:
        return bri_mesh_value(def);
    case BR_SHAPE_GRID:
        break;
    }
    return grid_value(def);
}

br_patch_value br_patch_eval(const br_patch* patch, double fn)
{
    BR_ASSERT(patch);
    const br_patch_def* def = &patch->def;
    br_patch_value value = patch->unit;
    if (def->pressure == BR_PRESSURE_POWER && def->k.exponent > 0.0) {
        value = power_round(def, fn);
    }
    const double scale = patch_is_round(def) ? patch_radius(def, fn) : 1.0;
    value.cop = br_vec2_scale(scale, value.cop);
    value.r *= scale;
    value.u *= scale * scale;
    value.area *= scale * scale;

    // r, u and area do not depend on the pose of the patch
    value.cop = br_vec2_add(def->centre, br_vec2_rotate(value.cop, def->angle));
    return value;
}
