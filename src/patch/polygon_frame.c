/*
 * Frame for the integrals over a polygon: along the polygon if it is many times as long as wide.
 *
 * A thin polygon at an angle is a small difference of large numbers: with vertices of the size of
 * its length, areas have an error of eps length/width. Axes along the polygon avoid that.
 */
#include "patch/polygon.h"

// Smallest ratio of length to width of a thin polygon.
static const double THIN_ASPECT = 16.0;

// Rounding error of a - b = difference (Knuth).
static double difference_error(double a, double b, double difference)
{
    const double minus_b = difference - a;
    return (a - (difference - minus_b)) - (b + minus_b);
}

// The upper 26 bits of a number (Veltkamp): products of such halves are exact.
static double upper_half(double a)
{
    const double shifted = 0x1.0000002p27 * a;
    return shifted - (shifted - a);
}

// Rounding error of a b = product (Dekker).
static double product_error(double a, double b, double product)
{
    const double a_high = upper_half(a), a_low = a - a_high;
    const double b_high = upper_half(b), b_low = b - b_high;
    return (a_high * b_high - product + a_high * b_low + a_low * b_high) + a_low * b_low;
}

// e x (to - from) with one rounding, though its terms may cancel.
static double across(br_vec2 e, br_vec2 from, br_vec2 to)
{
    const double dx = to.x - from.x, dy = to.y - from.y;
    const double p = e.x * dy, q = e.y * dx;
    const double rest = product_error(e.x, dy, p) - product_error(e.y, dx, q) +
                        e.x * difference_error(to.y, from.y, dy) -
                        e.y * difference_error(to.x, from.x, dx);
    return (p - q) + rest;
}

br_vec2 bri_polygon_local(const polygon_frame* frame, br_vec2 point)
{
    const br_vec2 away = br_vec2_sub(point, frame->from);
    return (br_vec2){br_vec2_dot(away, frame->e), across(frame->e, frame->from, point)};
}

// A polygon's extent along and across a frame.
static br_vec2 extent_in(const polygon_frame* frame, const br_vec2* vertices, size_t count)
{
    br_vec2 low = bri_polygon_local(frame, vertices[0]), high = low;
    for (size_t i = 1; i < count; i++) {
        const br_vec2 at = bri_polygon_local(frame, vertices[i]);
        low = (br_vec2){fmin(low.x, at.x), fmin(low.y, at.y)};
        high = (br_vec2){fmax(high.x, at.x), fmax(high.y, at.y)};
    }
    return br_vec2_sub(high, low);
}

// The vector from a vertex to the vertex farthest from it.
static br_vec2 longest_diagonal(const br_vec2* vertices, size_t count, br_vec2 from)
{
    br_vec2 longest = {0.0, 0.0};
    for (size_t i = 0; i < count; i++) {
        const br_vec2 diagonal = br_vec2_sub(vertices[i], from);
        longest = br_vec2_norm(diagonal) > br_vec2_norm(longest) ? diagonal : longest;
    }
    return longest;
}

static br_vec2 longest_edge(const br_vec2* vertices, size_t count)
{
    br_vec2 longest = {0.0, 0.0};
    for (size_t i = 0; i < count; i++) {
        const br_vec2 side = br_vec2_sub(vertices[(i + 1) % count], vertices[i]);
        longest = br_vec2_norm(side) > br_vec2_norm(longest) ? side : longest;
    }
    return longest;
}

static polygon_frame frame_along(br_vec2 from, br_vec2 side)
{
    return (polygon_frame){from, br_vec2_scale(1.0 / br_vec2_norm(side), side), 1};
}

polygon_frame bri_polygon_frame_of(const br_vec2* vertices, size_t count)
{
    // along the longest edge or the longest diagonal, whichever makes it thinner
    const br_vec2 from = vertices[0];
    const br_vec2 end = br_vec2_add(from, longest_diagonal(vertices, count, from));
    const polygon_frame edge = frame_along(from, longest_edge(vertices, count));
    const polygon_frame diagonal = frame_along(from, longest_diagonal(vertices, count, end));
    const br_vec2 by_edge = extent_in(&edge, vertices, count);
    const br_vec2 by_diagonal = extent_in(&diagonal, vertices, count);
    const int is_edge = by_edge.y <= by_diagonal.y;
    const br_vec2 size = is_edge ? by_edge : by_diagonal;
    if (size.x > THIN_ASPECT * size.y) {
        return is_edge ? edge : diagonal;
    }
    return (polygon_frame){{0.0, 0.0}, {1.0, 0.0}, 0};
}
