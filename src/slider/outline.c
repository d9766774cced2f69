/*
 * Outlines: discs and simple polygons, and the distance of a point from them.
 */
#include "slider/outline_edges.h"

#include "patch/patch_internal.h"

#include <stdlib.h>

struct br_outline {
    br_vec2 centre;
    double radius;
    double area;
    size_t count;        // 0: a disc; 1 and 2: a point and a line, hulls of patches without area
    outline_edge* edges; // after the vertices (count); NULL for a disc
    br_vec2 vertices[];  // counter-clockwise
};

static double area_of(const br_vec2* vertices, size_t count)
{
    double twice = 0.0;
    for (size_t i = 0; i < count; i++) {
        const br_vec2 a = br_vec2_sub(vertices[i], vertices[0]);
        const br_vec2 b = br_vec2_sub(vertices[(i + 1) % count], vertices[0]);
        twice += br_vec2_cross(a, b);
    }
    return 0.5 * twice;
}

static br_vec2 edge_normal(br_vec2 a, br_vec2 b)
{
    const br_vec2 side = br_vec2_sub(b, a);
    const double norm = br_vec2_norm(side);
    return norm > 0.0 ? (br_vec2){side.y / norm, -side.x / norm} : (br_vec2){1.0, 0.0};
}

static outline_edge edge_between(br_vec2 a, br_vec2 b)
{
    const br_vec2 side = br_vec2_sub(b, a);
    const double square = br_vec2_dot(side, side);
    return (outline_edge){.from = a,
                          .side = side,
                          .over = br_vec2_scale(square > 0.0 ? 1.0 / square : 0.0, side),
                          .normal = edge_normal(a, b),
                          .top = b.y,
                          .lean = side.x / side.y};
}

static void fill_edges(br_outline* outline)
{
    const size_t count = outline->count;
    outline->edges = (outline_edge*)(outline->vertices + count);
    for (size_t i = 0; i < count; i++) {
        outline->edges[i] =
            edge_between(outline->vertices[i], outline->vertices[i + 1 < count ? i + 1 : 0]);
    }
}

// Copy vertices counter-clockwise.
static br_outline* make_polygon(const br_vec2* vertices, size_t count)
{
    br_outline* outline =
        br_allocate(1, sizeof *outline + count * (sizeof *vertices + sizeof(outline_edge)));
    if (outline) {
        const double area = area_of(vertices, count);
        for (size_t i = 0; i < count; i++) {
            outline->vertices[i] = vertices[area < 0.0 ? count - 1 - i : i];
        }
        const patch_box box = bri_patch_box_of(vertices, count);
        outline->count = count;
        outline->area = fabs(area);
        outline->centre = box.centre;
        outline->radius = br_vec2_norm(box.half);
        fill_edges(outline);
    }
    return outline;
}

static br_outline* make_disc(br_vec2 centre, double radius)
{
    br_outline* outline = br_allocate(1, sizeof *outline);
    if (outline) {
        outline->centre = centre;
        outline->radius = radius;
        outline->area = BR_PI * radius * radius;
    }
    return outline;
}

static br_status hand_over(br_outline* outline, br_outline** out, br_reason* why)
{
    if (!outline) {
        br_reason_set(why, "", "no memory for an outline");
        return BR_ERR_MEMORY;
    }
    *out = outline;
    return BR_OK;
}

void br_outline_destroy(br_outline* outline)
{
    br_release(outline);
}

static int by_x_then_y(const void* a, const void* b)
{
    const br_vec2 *p = a, *q = b;
    const int x = (p->x > q->x) - (p->x < q->x);
    return x ? x : (p->y > q->y) - (p->y < q->y);
}

// Andrew's monotone chain: `points` are sorted; `hull` has space for 2 count. Returns its length.
static size_t convex_hull(br_vec2* points, size_t count, br_vec2* hull)
{
    qsort(points, count, sizeof *points, by_x_then_y);
    size_t n = 0;
    for (size_t half = 0, start = 0; half < 2; half++, start = n - 1) {
        for (size_t k = 0; k < count; k++) {
            const br_vec2 p = points[half ? count - 1 - k : k];
            while (n >= start + 2 && br_vec2_cross(br_vec2_sub(hull[n - 1], hull[n - 2]),
                                                   br_vec2_sub(p, hull[n - 1])) <= 0.0) {
                n--;
            }
            if (n == 0 || by_x_then_y(&p, &hull[n - 1]) != 0) {
                hull[n++] = p;
            }
        }
    }
    return n > 1 ? n - 1 : n; // the last point repeats the first
}

// An ellipse is a polygon that is at most 4e-5 of its semi-axes inside it.
enum { ELLIPSE_CORNERS = 360 };

static size_t max_corners(const br_patch_def* def)
{
    switch (def->shape) {
    case BR_SHAPE_GRID:
        return 4 * def->rows * def->columns;
    case BR_SHAPE_POLYGON:
    case BR_SHAPE_POINTS:
        return def->count;
    case BR_SHAPE_TRIANGLES:
        return 3 * def->triangle_count;
    case BR_SHAPE_ELLIPSE:
        return ELLIPSE_CORNERS;
    default:
        return 4;
    }
}

// Corners of the grid's cells that carry pressure.
static size_t grid_corners(const br_patch_def* def, br_vec2* corners)
{
    const br_vec2 half = bri_grid_half(def);
    size_t n = 0;
    for (size_t i = 0; i < def->rows * def->columns; i++) {
        br_vec2 cell[4];
        bri_rectangle_corners(2.0 * half.x, 2.0 * half.y, cell);
        for (size_t k = 0; k < 4 && def->cells[i] > 0.0; k++) {
            corners[n++] = br_vec2_add(bri_grid_centre(def, i), cell[k]);
        }
    }
    return n;
}

static size_t ellipse_corners(const br_patch_def* def, double radius, br_vec2* corners)
{
    for (size_t i = 0; i < ELLIPSE_CORNERS; i++) {
        const double angle = 2.0 * BR_PI * (double)i / ELLIPSE_CORNERS;
        corners[i] = (br_vec2){radius * cos(angle), radius * def->ratio * sin(angle)};
    }
    return radius > 0.0 ? ELLIPSE_CORNERS : 1;
}

// Corners of the triangles that carry pressure.
static size_t triangle_corners(const br_patch_def* def, br_vec2* corners)
{
    size_t n = 0;
    for (size_t i = 0; i < def->triangle_count; i++) {
        const uint32_t* t = def->triangles + 3 * i;
        const double* p = def->pressures;
        for (size_t k = 0; k < 3 && p[t[0]] + p[t[1]] + p[t[2]] > 0.0; k++) {
            corners[n++] = def->vertices[t[k]];
        }
    }
    return n;
}

// Corners of a patch that is not a disc or ring, patch frame.
static size_t collect_corners(const br_patch_def* def, double fn, br_vec2* corners)
{
    switch (def->shape) {
    case BR_SHAPE_ELLIPSE:
        return ellipse_corners(def, patch_radius(def, fn), corners);
    case BR_SHAPE_TRIANGLES:
        return triangle_corners(def, corners);
    case BR_SHAPE_GRID:
        return grid_corners(def, corners);
    case BR_SHAPE_LINE:
        corners[0] = (br_vec2){-0.5 * def->length, 0.0};
        corners[1] = (br_vec2){0.5 * def->length, 0.0};
        return 2;
    case BR_SHAPE_RECTANGLE:
        bri_rectangle_corners(def->size_x, def->size_y, corners);
        return 4;
    case BR_SHAPE_POLYGON:
        for (size_t i = 0; i < def->count; i++) {
            corners[i] = def->vertices[i];
        }
        return bri_polygon_open_count(def->vertices, def->count);
    default:
        for (size_t i = 0; i < def->count; i++) {
            corners[i] = (br_vec2){def->points[i].x, def->points[i].y};
        }
        return def->count;
    }
}

br_status br_outline_create(const br_patch* patch, double fn, int hull, br_outline** out,
                            br_reason* why)
{
    BR_ASSERT(patch && out);
    *out = NULL;
    const br_patch_def* def = br_patch_get_def(patch);
    if (def->shape == BR_SHAPE_DISC || def->shape == BR_SHAPE_RING) {
        return hand_over(make_disc(def->centre, patch_radius(def, fn)), out, why);
    }
    const size_t max_count = max_corners(def);
    br_vec2* corners = br_allocate(3 * max_count + 1, sizeof *corners);
    if (!corners) {
        return hand_over(NULL, out, why);
    }
    br_vec2* hulled = corners + max_count;
    const br_pose pose = {def->centre.x, def->centre.y, def->angle};
    size_t count = collect_corners(def, fn, corners);
    for (size_t i = 0; i < count; i++) {
        corners[i] = br_pose_apply(pose, corners[i]);
    }
    const int keep = !hull && def->shape == BR_SHAPE_POLYGON;
    count = keep ? count : convex_hull(corners, count, hulled);
    br_outline* outline = make_polygon(keep ? corners : hulled, count);
    br_release(corners);
    return hand_over(outline, out, why);
}

const br_vec2* br_outline_get_vertices(const br_outline* outline, size_t* count)
{
    BR_ASSERT(outline && count);
    *count = outline->count;
    return outline->vertices;
}

const outline_edge* bri_outline_get_edges(const br_outline* outline)
{
    return outline->edges;
}

br_vec2 br_outline_get_centre(const br_outline* outline)
{
    return outline->centre;
}

double br_outline_get_radius(const br_outline* outline)
{
    return outline->radius;
}

double br_outline_get_area(const br_outline* outline)
{
    return outline->area;
}

static br_outline_place place_at_disc(const br_outline* o, br_vec2 point)
{
    const br_vec2 d = br_vec2_sub(point, o->centre);
    const double norm = br_vec2_norm(d);
    // from the centre all directions are equally near
    const br_vec2 normal =
        norm > 0.0 || isnan(norm) ? br_vec2_scale(1.0 / norm, d) : (br_vec2){1.0, 0.0};
    return (br_outline_place){norm - o->radius,
                              br_vec2_add(o->centre, br_vec2_scale(o->radius, normal)), normal, 0};
}

static br_vec2 nearest_of_edge(br_vec2 a, br_vec2 b, br_vec2 point)
{
    const br_vec2 side = br_vec2_sub(b, a), d = br_vec2_sub(point, a);
    const double square = br_vec2_dot(side, side);
    const double along = square > 0.0 ? br_vec2_dot(d, side) / square : 0.0;
    return br_vec2_add(a, br_vec2_scale(along < 0.0 ? 0.0 : along > 1.0 ? 1.0 : along, side));
}

// Does the ray from the point along x cross this edge?
static int crosses(br_vec2 a, br_vec2 b, br_vec2 point)
{
    return (a.y > point.y) != (b.y > point.y) &&
           point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x);
}

br_outline_place br_outline_eval(const br_outline* o, br_vec2 point)
{
    BR_ASSERT(o);
    if (o->count == 0) {
        return place_at_disc(o, point);
    }
    br_outline_place place = {.distance = HUGE_VAL};
    int inside = 0;
    for (size_t i = 0; i < o->count; i++) {
        const br_vec2 a = o->vertices[i], b = o->vertices[i + 1 < o->count ? i + 1 : 0];
        const br_vec2 nearest = nearest_of_edge(a, b, point);
        const double distance = br_vec2_norm(br_vec2_sub(point, nearest));
        if (!(distance >= place.distance)) {
            place = (br_outline_place){distance, nearest, {0.0, 0.0}, i};
        }
        inside ^= crosses(a, b, point);
    }
    const br_vec2 a = o->vertices[place.edge];
    const br_vec2 b = o->vertices[place.edge + 1 < o->count ? place.edge + 1 : 0];
    const br_vec2 away = br_vec2_sub(point, place.nearest);
    place.distance = inside ? -place.distance : place.distance;
    // on the edge itself the direction to the nearest point is undefined
    place.normal = fabs(place.distance) > 1e-12 * o->radius
                       ? br_vec2_scale(1.0 / place.distance, away)
                       : edge_normal(a, b);
    return place;
}
