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
#include "contact/polygon.h"

// s and R = |rho| at one end of an edge, and the integrals up to there along its line.
typedef struct edge_end {
    double root; // int R ds   = (s R + d^2 asinh(s/|d|))/2
    double cube; // int s R ds = R^3/3
} edge_end;

static edge_end edge_end_at(double s, double d)
{
    const double R = hypot(s, d), d2 = d * d;

    // limit d -> 0: the asinh term vanishes
    const double log_term = d2 > 0.0 ? d2 * asinh(s / fabs(d)) : 0.0;
    return (edge_end){0.5 * (s * R + log_term), R * R * R / 3.0};
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
    const edge_end from = edge_end_at(br_vec2_dot(a, e), d);
    const edge_end to = edge_end_at(br_vec2_dot(b, e), d);

    // on the line rho = s e + d (e_y, -e_x), and A x B = length d:
    //   at |rho|: d/3 int R ds,   slope X |rho|: d/4 int (e_x s + d e_y) R ds              (cone)
    const double root = to.root - from.root;
    const double cube = to.cube - from.cube;
    return d * (p.at * root / 3.0 + p.slope * (e.x * cube + d * e.y * root) / 4.0);
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

        // p = at + slope X is of degree 0 and 1; each factor rho adds one                  (cone)
        const double tilt = p.slope * q.x;
        const double first = cross * (p.at / 3.0 + tilt / 4.0);
        sum->mass += cross * (p.at / 2.0 + tilt / 3.0);
        sum->first = br_vec2_add(sum->first, br_vec2_scale(first, q));
        sum->second += cross * (p.at / 4.0 + tilt / 5.0) * br_vec2_dot(q, q);
    }
}

polygon_moments polygon_integrate(const br_vec2* vertices, size_t count, br_vec2 apex,
                                  apex_pressure p)
{
    polygon_moments sum = {0};
    br_vec2 a = br_vec2_sub(vertices[count - 1], apex);
    for (size_t i = 0; i < count; i++) {
        const br_vec2 b = br_vec2_sub(vertices[i], apex);
        add_triangle(&sum, a, b, p);
        sum.distance += triangle_distance(a, b, p);
        a = b;
    }
    return sum;
}

double rectangle_distance(br_vec2 low, br_vec2 high)
{
    const apex_pressure one = {1.0, 0.0};
    const br_vec2 right = {high.x, low.y}, left = {low.x, high.y};
    return triangle_distance(low, right, one) + triangle_distance(right, high, one) +
           triangle_distance(high, left, one) + triangle_distance(left, low, one);
}
