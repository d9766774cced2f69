/*
 * Is a polygon simple? Every pair of edges is tested; bounding boxes decide most pairs.
 */
#include "patch/patch_internal.h"

// A polygon thinner than this share of its length counts as a line.
static const double flat = 1e-12;

static br_vec2 vertex_after(const br_vec2* vertices, size_t count, size_t i)
{
    return vertices[i + 1 < count ? i + 1 : 0];
}

static br_status check_repeats(const br_vec2* vertices, size_t count, br_reason* why)
{
    for (size_t i = 0; i < count; i++) {
        const br_vec2 a = vertices[i], b = vertex_after(vertices, count, i);
        if (a.x == b.x && a.y == b.y) {
            br_reason_set(why, "vertices",
                          "neighbours must differ; vertices %zu and %zu are both "
                          "(%g, %g)",
                          i, (i + 1) % count, a.x, a.y);
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

// Do all vertices lie on one line?
static int is_flat(const br_vec2* vertices, size_t count)
{
    br_vec2 longest = {0.0, 0.0};
    for (size_t i = 1; i < count; i++) {
        const br_vec2 side = br_vec2_sub(vertices[i], vertices[0]);
        longest = br_vec2_norm(side) > br_vec2_norm(longest) ? side : longest;
    }
    double widest = 0.0;
    for (size_t i = 1; i < count; i++) {
        const br_vec2 side = br_vec2_sub(vertices[i], vertices[0]);
        widest = fmax(widest, fabs(br_vec2_cross(longest, side)));
    }
    return !(widest > flat * br_vec2_dot(longest, longest));
}

// Side of c relative to the line a b: 1 left, -1 right, 0 on it.
static int side_of(br_vec2 a, br_vec2 b, br_vec2 c)
{
    const double turn = br_vec2_cross(br_vec2_sub(b, a), br_vec2_sub(c, a));
    return (turn > 0.0) - (turn < 0.0);
}

static int boxes_overlap(br_vec2 a, br_vec2 b, br_vec2 c, br_vec2 d)
{
    return fmin(a.x, b.x) <= fmax(c.x, d.x) && fmin(c.x, d.x) <= fmax(a.x, b.x) &&
           fmin(a.y, b.y) <= fmax(c.y, d.y) && fmin(c.y, d.y) <= fmax(a.y, b.y);
}

// Do the segments a b and c d have a common point?
static int segments_meet(br_vec2 a, br_vec2 b, br_vec2 c, br_vec2 d)
{
    return boxes_overlap(a, b, c, d) && side_of(a, b, c) * side_of(a, b, d) <= 0 &&
           side_of(c, d, a) * side_of(c, d, b) <= 0;
}

// Does the outline turn back on itself at b?
static int folds_back(br_vec2 a, br_vec2 b, br_vec2 c)
{
    const br_vec2 in = br_vec2_sub(b, a), out = br_vec2_sub(c, b);
    return side_of(a, b, c) == 0 && br_vec2_dot(in, out) < 0.0;
}

// Do the edges i < j share more than the vertex between neighbours?
static int edges_collide(const br_vec2* vertices, size_t count, size_t i, size_t j)
{
    const br_vec2 a = vertices[i], b = vertex_after(vertices, count, i);
    const br_vec2 c = vertices[j], d = vertex_after(vertices, count, j);
    if (j == i + 1) {
        return folds_back(a, b, d);
    }
    if (i == 0 && j == count - 1) {
        return folds_back(c, a, b);
    }
    return segments_meet(a, b, c, d);
}

static br_status check_edges(const br_vec2* vertices, size_t count, br_reason* why)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            if (edges_collide(vertices, count, i, j)) {
                br_reason_set(why, "vertices",
                              "edges must not cross or touch; edge %zu (vertices %zu, %zu) and "
                              "edge %zu (vertices %zu, %zu) do",
                              i, i, i + 1, j, j, (j + 1) % count);
                return BR_ERR_DEF;
            }
        }
    }
    return BR_OK;
}

br_status bri_polygon_check(const br_vec2* vertices, size_t count, br_reason* why)
{
    if (check_repeats(vertices, count, why) != BR_OK) {
        return BR_ERR_DEF;
    }
    if (is_flat(vertices, count)) {
        br_reason_set(why, "vertices", "must enclose an area, got %zu vertices on one line", count);
        return BR_ERR_DEF;
    }
    return check_edges(vertices, count, why);
}
