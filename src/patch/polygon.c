/*
 * Exact integrals over a polygon.
 *
 * The polygon is the signed sum of the triangles (O, A, B) that its edges make with an apex O. For
 * f homogeneous of degree n about O
 *
 *   int_triangle f dA = (A x B)/(n + 2) int_0^1 f(A + t (B - A)) dt                      (cone)
 *
 * Polynomials along the edge are at most cubic, so two Gauss points are exact. |rho| and X |rho|
 * have closed forms in the coordinate s along the edge's line, at the signed distance d from O.
 */
#include "patch/polygon.h"

// Integrals along an edge, from s0 to s1 on its line.
typedef struct edge_integrals {
    double root; // int R ds   = [s R + d^2 asinh(s/|d|)]/2
    double cube; // int s R ds = [R^3]/3
} edge_integrals;

// asinh(s1/|d|) - asinh(s0/|d|) for s on one side of the foot, where both are close for a short
// edge: the logarithm of (|s1| + R1)/(|s0| + R0), by log1p.
static double asinh_difference(double s0, double s1, double R0, double change)
{
    const double grows = s0 + s1 > 0.0 ? s1 - s0 : s0 - s1; // of |s|
    const double log_ratio = log1p((grows + change) / (fabs(s0) + R0));
    return s0 + s1 > 0.0 ? log_ratio : -log_ratio;
}

// Differences are factored so that a short edge far away loses no precision.
static edge_integrals edge_integrate(double s0, double s1, double d)
{
    const double R0 = hypot(s0, d), R1 = hypot(s1, d), length = s1 - s0;
    if (!(R0 + R1 > 0.0)) {
        return (edge_integrals){0.0, 0.0};
    }
    const double change = length * (s0 + s1) / (R0 + R1); // R1 - R0
    double log_term = 0.0;                                // limit d -> 0
    if (d != 0.0) {
        const int same_side = s0 * s1 > 0.0;
        log_term = d * d *
                   (same_side ? asinh_difference(s0, s1, R0, change)
                              : asinh(s1 / fabs(d)) - asinh(s0 / fabs(d)));
    }
    return (edge_integrals){0.5 * (length * R1 + s0 * change + log_term),
                            change * (R1 * R1 + R1 * R0 + R0 * R0) / 3.0};
}

// int p |rho| dA over the triangle (O, a, b).
static double triangle_distance(br_vec2 a, br_vec2 b, apex_pressure p)
{
    const br_vec2 side = br_vec2_sub(b, a);
    const double length = br_vec2_norm(side);
    if (!(length > 0.0)) {
        return 0.0;
    }
    const br_vec2 e = br_vec2_scale(1.0 / length, side);
    const double d = br_vec2_cross(a, e);
    const double s0 = br_vec2_dot(a, e);
    const edge_integrals edge = edge_integrate(s0, s0 + length, d);

    // on the line rho = s e + d n, n = (e_y, -e_x), and A x B = length d:
    //   at |rho|: d/3 int R ds,   slope . rho |rho|: d/4 int slope . (s e + d n) R ds      (cone)
    const double along = br_vec2_dot(p.slope, e);
    const double across = p.slope.x * e.y - p.slope.y * e.x;
    return d * (p.at * edge.root / 3.0 + (along * edge.cube + d * across * edge.root) / 4.0);
}

// Add the polynomial integrals over the triangle (O, a, b).
static void add_triangle(polygon_moments* sum, br_vec2 a, br_vec2 b, apex_pressure p)
{
    const double gauss = 0.28867513459481288225; // 1/(2 sqrt 3), half the distance of the points
    const br_vec2 side = br_vec2_sub(b, a);
    const double cross = 0.5 * br_vec2_cross(a, side); // half: the weight of either point
    sum->area += cross;
    for (int i = 0; i < 2; i++) {
        const double t = 0.5 + (i == 0 ? -gauss : gauss);
        const br_vec2 q = br_vec2_add(a, br_vec2_scale(t, side));

        // p = at + slope . rho is of degree 0 and 1; each factor rho adds one              (cone)
        const double tilt = br_vec2_dot(p.slope, q);
        const double first = cross * (p.at / 3.0 + tilt / 4.0);
        sum->mass += cross * (p.at / 2.0 + tilt / 3.0);
        sum->first = br_vec2_add(sum->first, br_vec2_scale(first, q));
        sum->second += cross * (p.at / 4.0 + tilt / 5.0) * br_vec2_dot(q, q);
    }
}

polygon_moments bri_polygon_integrate(const br_vec2* vertices, size_t count,
                                      const polygon_frame* frame, br_vec2 apex, apex_pressure p)
{
    polygon_moments sum = {0};
    br_vec2 a = br_vec2_sub(bri_polygon_local(frame, vertices[count - 1]), apex);
    for (size_t i = 0; i < count; i++) {
        const br_vec2 b = br_vec2_sub(bri_polygon_local(frame, vertices[i]), apex);
        add_triangle(&sum, a, b, p);
        sum.distance += triangle_distance(a, b, p);
        a = b;
    }
    return sum;
}

double bri_rectangle_distance(br_vec2 low, br_vec2 high)
{
    const apex_pressure one = {1.0, {0.0, 0.0}};
    const br_vec2 right = {high.x, low.y}, left = {low.x, high.y};
    return triangle_distance(low, right, one) + triangle_distance(right, high, one) +
           triangle_distance(high, left, one) + triangle_distance(left, low, one);
}
