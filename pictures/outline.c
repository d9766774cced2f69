/*
 * Shapes as polygons, for pictures.
 */
#include "outline.h"

#include <math.h>

#include "memory.h"

enum { CIRCLE_POINTS = 72 };

static polygon create_polygon(size_t count)
{
    const polygon shape = {memory_allocate(count, sizeof(br_vec2)), count};
    return shape;
}

polygon outline_rectangle(double size_x, double size_y)
{
    const polygon shape = create_polygon(4);
    const double x = size_x / 2, y = size_y / 2;
    shape.points[0] = (br_vec2){-x, -y};
    shape.points[1] = (br_vec2){x, -y};
    shape.points[2] = (br_vec2){x, y};
    shape.points[3] = (br_vec2){-x, y};
    return shape;
}

static polygon outline_ellipse(double a, double b)
{
    const polygon shape = create_polygon(CIRCLE_POINTS);
    for (size_t i = 0; i < CIRCLE_POINTS; i++) {
        const double angle = 2 * BR_PI * (double)i / CIRCLE_POINTS;
        shape.points[i] = (br_vec2){a * cos(angle), b * sin(angle)};
    }
    return shape;
}

polygon outline_circle(double radius)
{
    return outline_ellipse(radius, radius);
}

polygon outline_move(polygon shape, br_pose pose)
{
    const polygon moved = create_polygon(shape.count);
    for (size_t i = 0; i < shape.count; i++) {
        moved.points[i] = br_pose_apply(pose, shape.points[i]);
    }
    return moved;
}

static polygon outline_line(double length)
{
    const polygon shape = create_polygon(2);
    shape.points[0] = (br_vec2){-length / 2, 0};
    shape.points[1] = (br_vec2){length / 2, 0};
    return shape;
}

static polygon copy_vertices(const br_patch_def* def)
{
    const polygon shape = create_polygon(def->count);
    for (size_t i = 0; i < def->count; i++) {
        shape.points[i] = def->vertices[i];
    }
    return shape;
}

static outline outline_points(const br_patch_def* def)
{
    outline all = {memory_allocate(def->count, sizeof(polygon)), def->count};
    for (size_t i = 0; i < def->count; i++) {
        all.parts[i] = create_polygon(1);
        all.parts[i].points[0] = (br_vec2){def->points[i].x, def->points[i].y};
    }
    return all;
}

// A grid: a square for each cell under pressure.
static outline outline_cells(const br_patch_def* def)
{
    outline all = {memory_allocate(def->rows * def->columns, sizeof(polygon)), 0};
    const double wide = def->size_x / (double)def->columns;
    const double high = def->size_y / (double)def->rows;
    for (size_t i = 0; i < def->rows * def->columns; i++) {
        if (def->cells[i] > 0) {
            const br_pose centre = {((double)(i % def->columns) + 0.5) * wide - def->size_x / 2,
                                    def->size_y / 2 - ((double)(i / def->columns) + 0.5) * high, 0};
            all.parts[all.count++] = outline_move(outline_rectangle(wide, high), centre);
        }
    }
    return all;
}

// Triangles that carry pressure.
static outline outline_triangles(const br_patch_def* def)
{
    outline all = {memory_allocate(def->triangle_count, sizeof(polygon)), 0};
    for (size_t i = 0; i < def->triangle_count; i++) {
        const uint32_t* t = def->triangles + 3 * i;
        if (def->pressures[t[0]] + def->pressures[t[1]] + def->pressures[t[2]] > 0) {
            const polygon shape = create_polygon(3);
            for (size_t k = 0; k < 3; k++) {
                shape.points[k] = def->vertices[t[k]];
            }
            all.parts[all.count++] = shape;
        }
    }
    return all;
}

static outline single(polygon shape)
{
    const outline all = {memory_allocate(1, sizeof shape), 1};
    all.parts[0] = shape;
    return all;
}

// In the patch's own frame.
static outline outline_shape(const br_patch_def* def, double fn)
{
    switch (def->shape) {
    case BR_SHAPE_RECTANGLE:
        return single(outline_rectangle(def->size_x, def->size_y));
    case BR_SHAPE_LINE:
        return single(outline_line(def->length));
    case BR_SHAPE_POLYGON:
        return single(copy_vertices(def));
    case BR_SHAPE_POINTS:
        return outline_points(def);
    case BR_SHAPE_GRID:
        return outline_cells(def);
    case BR_SHAPE_TRIANGLES:
        return outline_triangles(def);
    case BR_SHAPE_DISC:
    case BR_SHAPE_RING:
    case BR_SHAPE_ELLIPSE:
        break;
    }
    const double radius = br_by_force_eval(def->radius, fn);
    return single(outline_ellipse(radius, radius * def->ratio));
}

outline outline_patch(const br_patch* patch, double fn)
{
    const br_patch_def* def = br_patch_get_def(patch);
    const br_pose place = {def->centre.x, def->centre.y, def->angle};
    outline all = outline_shape(def, fn);
    for (size_t i = 0; i < all.count; i++) {
        all.parts[i] = outline_move(all.parts[i], place);
    }
    return all;
}

polygon outline_body(const br_outline* shape)
{
    if (!shape) {
        return (polygon){NULL, 0};
    }
    size_t count;
    const br_vec2* corners = br_outline_get_vertices(shape, &count);
    if (count == 0) {
        const br_vec2 centre = br_outline_get_centre(shape);
        const br_pose there = {centre.x, centre.y, 0};
        return outline_move(outline_circle(br_outline_get_radius(shape)), there);
    }
    const polygon given = {(br_vec2*)corners, count};
    return outline_move(given, (br_pose){0, 0, 0});
}
