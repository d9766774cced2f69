/*
 * A rigid outline that moves in the plane, and the forces on it, for scenes.
 */
#include "plot_rigid.h"

#include <math.h>

#include "memory.h"

enum { MOST_PATH_POINTS = 1000 };

static const char body_colour[] = "#08306b";
static const char fill_colour[] = "#dce8f4";

// Relative to its size: a motion below the first is invisible, below the second it is rounding noise. A
// magnified motion is at most the third.
static const double SEEN = 0.02, ROUNDING = 1e-12, MAGNIFIED = 0.4;

// The largest of 1, 2, 5, 10, ... that is at most `value`.
static double round_down(double value)
{
    const double power = pow(10, floor(log10(value)));
    const double digit = value / power;
    return digit >= 5 ? 5 * power : digit >= 2 ? 2 * power : power;
}

static double find_magnification(const rigid* r)
{
    double farthest = 0;
    for (size_t i = 1; i < r->rows->rows; i++) {
        farthest = fmax(farthest, rigid_distance(r, table_row(r->rows, 0), table_row(r->rows, i)));
        table_release_seldom(r->rows, i);
    }
    const bool is_small = farthest > ROUNDING * r->size && farthest < SEEN * r->size;
    return is_small ? round_down(MAGNIFIED * r->size / farthest) : 1;
}

rigid rigid_create(const table* rows, polygon shape, double size, double magnify)
{
    rigid r = {.rows = rows,
               .outline = shape,
               .size = size,
               .magnify = magnify,
               .x = table_column(rows, "x"),
               .y = table_column(rows, "y"),
               .theta = table_column(rows, "theta")};
    for (size_t i = 0; i < shape.count; i++) {
        r.size = fmax(r.size, br_vec2_norm(shape.points[i]));
    }
    r.magnify = magnify > 0 ? magnify : find_magnification(&r);
    return r;
}

br_pose rigid_pose(const rigid* r, size_t row)
{
    const double *start = table_row(r->rows, 0), *now = table_row(r->rows, row);
    return (br_pose){start[r->x] + r->magnify * (now[r->x] - start[r->x]),
                     start[r->y] + r->magnify * (now[r->y] - start[r->y]),
                     start[r->theta] + r->magnify * (now[r->theta] - start[r->theta])};
}

const char* rigid_note(const rigid* r)
{
    return r->magnify == 1
               ? NULL
               : memory_format("the motion from the start is drawn %.15g times as large",
                               r->magnify);
}

double rigid_distance(const rigid* r, const double* from, const double* to)
{
    return hypot(to[r->x] - from[r->x], to[r->y] - from[r->y]) +
           r->size * fabs(to[r->theta] - from[r->theta]);
}

void rigid_add_path(const rigid* r, size_t last, drawing* to)
{
    mark* path = drawing_add(to, (mark){.kind = MARK_LINE,
                                        .colour = "#606060",
                                        .width = 1.2,
                                        .dashes = "(6, 4)",
                                        .title = "path of CoM"});
    const size_t count = last + 1 < MOST_PATH_POINTS ? last + 1 : MOST_PATH_POINTS;
    for (size_t i = 0; i < count; i++) {
        const br_pose pose = rigid_pose(r, count < 2 ? last : i * last / (count - 1));
        mark_add_point(path, (br_vec2){pose.x, pose.y});
    }
}

void rigid_add_area(const rigid* r, const scene_instant* at, drawing* to)
{
    if (at->is_last && r->outline.count > 2) {
        mark* fill = drawing_add(to, (mark){.kind = MARK_AREA, .colour = fill_colour});
        mark_add_polygon(fill, outline_move(r->outline, rigid_pose(r, at->row)));
    }
}

static void add_outline(const rigid* r, const scene_instant* at, drawing* to)
{
    mark* line = drawing_add(to, (mark){.kind = MARK_LINE,
                                        .colour = scene_colour(body_colour, at->age),
                                        .width = at->is_last ? 3 : 1.4,
                                        .title = at->title});
    mark_add_polygon(line, outline_move(r->outline, rigid_pose(r, at->row)));
}

static void add_stroke(const rigid* r, const scene_instant* at, drawing* to)
{
    const br_pose pose = rigid_pose(r, at->row);
    br_vec2 tip = {0, 0};
    for (size_t i = 0; i < r->outline.count; i++) {
        tip.x = fmax(tip.x, r->outline.points[i].x / 2);
    }
    mark* stroke = drawing_add(to, (mark){.kind = MARK_LINE,
                                          .colour = scene_colour(body_colour, at->age),
                                          .width = 3.5,
                                          .title = "x axis of the body"});
    mark_add_point(stroke, (br_vec2){pose.x, pose.y});
    mark_add_point(stroke, br_pose_apply(pose, tip));
}

void rigid_add(const rigid* r, const scene_instant* at, drawing* to)
{
    const br_pose pose = rigid_pose(r, at->row);
    if (r->outline.count > 0) {
        add_outline(r, at, to);
        add_stroke(r, at, to);
    }
    mark* com = drawing_add(to, (mark){.kind = MARK_DOT,
                                       .colour = scene_colour(body_colour, at->age),
                                       .width = 0.9,
                                       .title = "CoM"});
    mark_add_point(com, (br_vec2){pose.x, pose.y});
}

mark* rigid_add_forces(const rigid_forces* forces, const scene_instant* at, drawing* to)
{
    const char* title =
        memory_format("%s, up to %.3g %s", forces->name, forces->most, forces->unit);
    return drawing_add(to, (mark){.kind = MARK_ARROW,
                                  .colour = scene_colour(forces->colour, at->age),
                                  .width = at->is_last ? 2.4 : 1.8,
                                  .title = title});
}

void rigid_add_force(const rigid_forces* forces, br_vec2 point, br_vec2 force, br_vec2 com,
                     mark* to)
{
    static const double LEAST = 0.02; // of the largest: shorter arrows would be only a head [-]
    if (!(br_vec2_norm(force) > LEAST * forces->most)) {
        return;
    }
    const br_vec2 arrow = br_vec2_scale(forces->length / forces->most, force);
    const bool pushes = br_vec2_dot(force, br_vec2_sub(com, point)) > 0;
    mark_add_arrow(to, pushes ? br_vec2_sub(point, arrow) : point,
                   pushes ? point : br_vec2_add(point, arrow));
}
