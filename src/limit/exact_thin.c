/*
 * Polygons many times as long as wide, with uniform or linear pressure.
 *
 * If the CoR is beside such a polygon, the triangles of exact_corners.c are as large as its length
 * squared and nearly cancel, and a pressure that changes across the width is extrapolated far. Here
 * nothing is larger than the polygon: it is the signed sum of the trapezoids between its edges and
 * the line `low` along its lower side, all within its width. Gauss points divide a trapezoid across
 * its width into lines with a quadratic weight, which have closed forms. A trapezoid that is short
 * as seen from the CoR uses Gauss points along its length, too.
 *
 * If the CoR is within a few widths of the polygon's axis, the triangles are as thin as the polygon
 * and do not cancel; but the integrals of short edges far away must not be computed as differences.
 */
#include "limit/edges.h"
#include "math/gauss.h"
#include "patch/polygon.h"

// A CoR at least this many widths from the axis is beside the polygon: THIN_GAUSS points across it
// are then exact, with a remainder of 12^-20.
static const double BESIDE = 3.0;

// The same along a piece of unit length, in lengths from its middle: remainder 8^-20.
static const double SHORT = 2.0;

static double pressure_at(const corner_list* list, br_vec2 rho)
{
    return list->at + br_vec2_dot(list->slope, rho);
}

// Add the force at a point, rho from the CoR, with weights for G, its slope and its bend.
static void add_point(cor_value* sum, br_vec2 rho, double one, double zero, double less)
{
    const double R = br_vec2_norm(rho), x = rho.x / R, y = rho.y / R, over = less / R;
    sum->G += one * R;
    sum->slope.x -= zero * x;
    sum->slope.y -= zero * y;
    sum->xx += over * y * y;
    sum->xy -= over * x * y;
    sum->yy += over * x * x;
}

// --- a CoR near the axis ----------------------------------------------------------------------------

static int is_short(const edge* at)
{
    const double middle = at->sa + 0.5 * at->length;
    return SHORT * at->length < hypot(middle, at->d);
}

// A triangle with a short edge a b, by points along it; c is the CoR and p the pressure there.
static void add_short_triangle(cor_value* sum, const corner_list* list, br_vec2 a, br_vec2 b,
                               br_vec2 c, double p)
{
    const br_vec2 side = br_vec2_sub(b, a), from = br_vec2_sub(a, c);
    const double cross = br_vec2_cross(from, side);
    const double p_a = pressure_at(list, a), change = pressure_at(list, b) - p_a;
    for (int i = 0; i < THIN_GAUSS; i++) {
        const double t = list->thin_x[i], weight = cross * list->thin_w[i], q = p_a + t * change;
        const br_vec2 rho = br_vec2_add(from, br_vec2_scale(t, side));

        // p + (q - p) lambda, lambda from the CoR to the edge, by (cone) of exact_corners.c
        add_point(sum, rho, weight * (p / 12.0 + q / 4.0), weight * (p / 6.0 + q / 3.0),
                  weight * (p / 2.0 + q / 2.0));
    }
}

static cor_value near_axis(const corner_list* list, br_vec2 c)
{
    const double p = pressure_at(list, c); // extrapolated by a few widths
    cor_value sum = {0};
    for (size_t i = 0; i < list->count; i++) {
        const br_vec2 a = list->corner[i], b = list->corner[(i + 1) % list->count];
        const edge at = edge_between(br_vec2_sub(a, c), br_vec2_sub(b, c));
        if (is_short(&at)) {
            add_short_triangle(&sum, list, a, b, c, p);
        } else {
            const edge_sums along = edge_integrate(at.sa, at.sb, at.d);
            bri_add_triangle(&sum, &at, &along, p, list->slope);
        }
    }
    return sum;
}

// --- a CoR beside -----------------------------------------------------------------------------------

// A line that carries q0 + q1 s + q2 s^2.
static void add_weighted_line(cor_value* sum, const edge* at, double q0, double q1, double q2)
{
    const edge_sums i = edge_integrate(at->sa, at->sb, at->d);
    const double d = at->d, d2 = d * d;
    const double Ra = hypot(at->sa, d), Rb = hypot(at->sb, d);

    // int s^2 R = ([s R^3] - d^2 int R)/4,   int s^3/R = int s R - d^2 int s/R
    const double s2R = 0.25 * (at->sb * Rb * Rb * Rb - at->sa * Ra * Ra * Ra - d2 * i.R);
    const double s3_R = i.sR - d2 * i.s_R;
    sum->G += q0 * i.R + q1 * i.sR + q2 * s2R;
    add_slope(sum, at, q0 * i.s_R + q1 * i.s2_R + q2 * s3_R,
              d * (q0 * i.L + q1 * i.s_R + q2 * i.s2_R));

    // s^2 (d^2, -s d, s^2)/R^3
    const double ee = d2 * i.nn, en = -d * i.s_nn, nn = i.s2_R - d2 * i.nn;
    add_bend(sum, at, q0 * i.ee + q1 * i.s_ee + q2 * ee, q0 * i.en + q1 * i.s_en + q2 * en,
             q0 * i.nn + q1 * i.s_nn + q2 * nn);
}

// The trapezoid between the edge a b and the line `low`, by lines along it.
static void add_lines(cor_value* sum, const corner_list* list, br_vec2 a, br_vec2 b, br_vec2 c)
{
    const double height_a = a.y - list->low, height_b = b.y - list->low;
    for (int i = 0; i < THIN_GAUSS; i++) {
        const br_vec2 from = {a.x, list->low + list->thin_x[i] * height_a};
        const br_vec2 to = {b.x, list->low + list->thin_x[i] * height_b};
        const edge at = edge_between(br_vec2_sub(from, c), br_vec2_sub(to, c));

        // height and pressure are linear in s; the ends of the line give their values at s = 0
        const double rise = (height_b - height_a) / at.length, p_a = pressure_at(list, from);
        const double slope = (pressure_at(list, to) - p_a) / at.length;
        const double height = height_a - at.sa * rise, p = p_a - at.sa * slope;
        const double weight = -list->thin_w[i] * at.e.x; // an edge from left to right is below
        add_weighted_line(sum, &at, weight * height * p, weight * (height * slope + rise * p),
                          weight * rise * slope);
    }
}

// The same for a short trapezoid, by points.
static void add_points(cor_value* sum, const corner_list* list, br_vec2 a, br_vec2 b, br_vec2 c)
{
    for (int i = 0; i < THIN_GAUSS * THIN_GAUSS; i++) {
        const int k = i / THIN_GAUSS, l = i % THIN_GAUSS;
        const double height = a.y - list->low + list->thin_x[k] * (b.y - a.y);
        const br_vec2 at = {a.x + list->thin_x[k] * (b.x - a.x),
                            list->low + list->thin_x[l] * height};
        const double area = -(b.x - a.x) * list->thin_w[k] * height * list->thin_w[l];
        const double weight = area * pressure_at(list, at);
        add_point(sum, br_vec2_sub(at, c), weight, weight, weight);
    }
}

static cor_value beside(const corner_list* list, br_vec2 c)
{
    cor_value sum = {0};
    for (size_t i = 0; i < list->count; i++) {
        const br_vec2 a = list->corner[i], b = list->corner[(i + 1) % list->count];
        const int is_empty = a.x == b.x || (a.y == list->low && b.y == list->low);
        const double away = hypot(0.5 * (a.x + b.x) - c.x, list->low - c.y);
        if (!is_empty && SHORT * fabs(b.x - a.x) < away) {
            add_points(&sum, list, a, b, c);
        } else if (!is_empty) {
            add_lines(&sum, list, a, b, c);
        }
    }
    return sum;
}

static cor_value thin_near(const exact* surface, br_vec2 c)
{
    const corner_list* list = &surface->corners;
    const double off = fabs(c.y - (0.5 * list->low + 0.5 * list->high));
    const int is_beside = off > BESIDE * (list->high - list->low);
    return normalised(is_beside ? beside(list, c) : near_axis(list, c), list->mass);
}

// --- creation --------------------------------------------------------------------------------------

// Rotate the axes of the surface by the angle of e.
static void turn_axes(exact* surface, br_vec2 e)
{
    const double cosine = surface->cosine, sine = surface->sine;
    surface->cosine = cosine * e.x - sine * e.y;
    surface->sine = sine * e.x + cosine * e.y;
}

int bri_exact_lay_thin(exact* surface, br_vec2 cop, br_vec2* x)
{
    corner_list* list = &surface->corners;
    if (list->count < 3) {
        return 0; // a line
    }
    const polygon_frame frame = bri_polygon_frame_of(list->corner, list->count);
    if (!frame.is_thin) {
        return 0;
    }
    const br_vec2 centre = bri_polygon_local(&frame, cop);
    for (size_t i = 0; i < list->count; i++) {
        list->corner[i] = br_vec2_sub(bri_polygon_local(&frame, list->corner[i]), centre);
    }
    bri_gauss_legendre(THIN_GAUSS, list->thin_x, list->thin_w);
    turn_axes(surface, frame.e);
    *x = polygon_axis_x(&frame);
    surface->near = thin_near;
    return 1;
}
