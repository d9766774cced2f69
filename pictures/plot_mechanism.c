/*
 * A mechanism as a scene: its links, the path of its contact point, and the forces there.
 *
 * A bead on a helix is seen from the front and slightly from above: points farther away (z > 0) are
 * drawn higher, by DEPTH z.
 */
#include "plot_mechanism.h"

#include <math.h>

#include "memory.h"
#include "plot_rigid.h"

enum { INSTANTS = 6, GROUND_POINTS = 200 };

static const double DEPTH = 0.25; // of a projection [-]
static const double ARROW = 0.3; // length of the largest force of a family, of the scene's size [-]
static const double BLOCK = 0.15; // side of a block, of the scene's size (the model has none) [-]
static const double STILL = 0.1;  // size of a scene in which nothing moves [m]

static const char part_colour[] = "#08306b";
static const char ground_colour[] = "#505050";

typedef enum part_kind { ARM, BLOCK_ON_SLOPE, BEAD } part_kind;

// Data of the scene.
typedef struct mechanism_scene {
    const br_scenario_model* model;
    const table* rows;
    part_kind kind;
    double size; // of the scene [m]
    rigid_forces normal, friction, applied;
    // indices of columns; y and z follow x, fy and fz follow fx, the other angles follow theta1
    size_t t, theta1, x, fn, fx;
} mechanism_scene;

static br_vec2 project(const double* p, bool in_space)
{
    return (br_vec2){p[0], p[1] + (in_space ? DEPTH * p[2] : 0)};
}

// The projected contact point.
static br_vec2 point_at(const mechanism_scene* m, size_t row)
{
    return project(table_row(m->rows, row) + m->x, m->kind == BEAD);
}

static const double* lengths_of(const mechanism_scene* m)
{
    return m->model->chain ? m->model->chain->length : m->model->two_link->length;
}

// The ends of the links but the last, which is the contact point (links - 1).
static void joints_at(const mechanism_scene* m, size_t row, br_vec2* joints)
{
    const double* length = lengths_of(m);
    const double* theta = table_row(m->rows, row) + m->theta1;
    double angle = 0;
    br_vec2 end = {0, 0};
    for (size_t i = 0; i + 1 < m->model->mechanism->mechanism.n; i++) {
        angle += theta[i];
        end = br_vec2_add(end, (br_vec2){length[i] * cos(angle), length[i] * sin(angle)});
        joints[i] = end;
    }
}

// --- paths that move ------------------------------------------------------------------------------

static double time_at(const mechanism_scene* m, size_t row)
{
    return table_row(m->rows, row)[m->t];
}

// The path's rotation at a time [rad].
static double turned_at(const mechanism_scene* m, double t)
{
    return br_profile_eval(&m->model->motion->angle, t, t, NULL);
}

// Move a point `s` of the path at rest to its position at t (3). p may be s.
static void move_point(const mechanism_scene* m, double t, const double* s, double* p)
{
    const double from[3] = {s[0], s[1], s[2]};
    p[2] = 0;
    br_path_place(m->model->motion, m->kind == BEAD ? 3 : 2, t, from, p, NULL);
}

// The contact point in the frame of the path, without the path's motion (3).
static void point_on_path(const mechanism_scene* m, size_t row, double* s)
{
    const double t = time_at(m, row), angle = turned_at(m, t), c = cos(angle), sine = sin(angle);
    const double zero[3] = {0, 0, 0}, *now = table_row(m->rows, row) + m->x;
    double o[3];
    move_point(m, t, zero, o);
    const double x = now[0] - o[0], y = now[1] - o[1];
    if (m->kind == BEAD) {
        const double z = now[2] - o[2];
        s[0] = c * x - sine * z, s[1] = y, s[2] = c * z + sine * x;
    } else {
        s[0] = c * x + sine * y, s[1] = c * y - sine * x, s[2] = 0;
    }
}

// The path of the end point: its height and slope.
static double path_at(const mechanism_scene* m, double x, double* slope)
{
    double bend;
    if (m->model->chain) {
        return br_path_eval(&m->model->chain->path, x, slope, &bend);
    }
    const br_two_link* arm = m->model->two_link;
    *slope = 2 * arm->beta * x;
    return arm->beta * x * x + arm->gamma;
}

// --- forces at the contact ------------------------------------------------------------------------

static br_vec2 friction_at(const mechanism_scene* m, size_t row)
{
    return project(table_row(m->rows, row) + m->fx, m->kind == BEAD);
}

// Along n. Not for a wire: it has no single normal, and the table has no direction of its force.
static br_vec2 normal_at(const mechanism_scene* m, size_t row)
{
    const double fn = table_row(m->rows, row)[m->fn];
    if (m->kind == BEAD) {
        return (br_vec2){0, 0};
    }
    double slope = 0, s[3];
    if (m->kind == ARM) {
        point_on_path(m, row, s);
        path_at(m, s[0], &slope);
    } else {
        slope = tan(m->model->block->angle);
    }
    return br_vec2_rotate(br_vec2_scale(fn / hypot(slope, 1), (br_vec2){-slope, 1}),
                          turned_at(m, time_at(m, row)));
}

// The parameter along a bead's wire: x of a parabola, the angle of a helix.
static double wire_parameter(const br_bead* bead, const double* q)
{
    return bead->wire == BR_BEAD_WIRE_HELIX ? 2 * BR_PI * q[1] / bead->pitch : q[0];
}

// The force along the slope or the wire; torques of an arm are not drawn.
static br_vec2 applied_at(const mechanism_scene* m, size_t row)
{
    const double* now = table_row(m->rows, row);
    const double t = now[m->t], before = t > 0 ? t - 1e-9 * t : 1e-300;
    if (m->kind == ARM) {
        return (br_vec2){0, 0};
    }
    if (m->kind == BLOCK_ON_SLOPE) {
        const br_slope_block* block = m->model->block;
        return br_vec2_rotate((br_vec2){br_profile_eval(&block->force, t, before, NULL), 0},
                              block->angle + turned_at(m, t));
    }
    const br_bead* bead = m->model->bead;
    double s[3], q[3], tangent[3], from[3];
    point_on_path(m, row, s);
    br_bead_start(bead, wire_parameter(bead, s), q, tangent);
    move_point(m, t, (const double[3]){0, 0, 0}, from);
    move_point(m, t, tangent, tangent);
    for (int i = 0; i < 3; i++) {
        tangent[i] -= from[i];
    }
    return br_vec2_scale(br_profile_eval(&bead->force, t, before, NULL), project(tangent, true));
}

// Each family has its own scale: friction, mu times the normal force, would hardly be visible.
static void measure_forces(mechanism_scene* m)
{
    for (size_t i = 0; i < m->rows->rows; i++) {
        m->normal.most = fmax(m->normal.most, br_vec2_norm(normal_at(m, i)));
        m->friction.most = fmax(m->friction.most, br_vec2_norm(friction_at(m, i)));
        m->applied.most = fmax(m->applied.most, br_vec2_norm(applied_at(m, i)));
        table_release_seldom(m->rows, i);
    }
    m->normal.length = m->friction.length = m->applied.length = ARROW * m->size;
}

static void add_force(const rigid_forces* forces, const scene_instant* at, br_vec2 point,
                      br_vec2 force, drawing* to)
{
    if (forces->most > 0) {
        rigid_add_force(forces, point, force, point, rigid_add_forces(forces, at, to));
    }
}

// --- the path -------------------------------------------------------------------------------------

// The smallest and largest value of the function `of` over all rows.
static void span(const mechanism_scene* m, double (*of)(const mechanism_scene* m, size_t row),
                 double* low, double* high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t i = 0; i < m->rows->rows; i++) {
        *low = fmin(*low, of(m, i));
        *high = fmax(*high, of(m, i));
        table_release_seldom(m->rows, i);
    }
}

static double x_of(const mechanism_scene* m, size_t row)
{
    double s[3];
    point_on_path(m, row, s);
    return s[0];
}

static double wire_parameter_of(const mechanism_scene* m, size_t row)
{
    double s[3];
    point_on_path(m, row, s);
    return wire_parameter(m->model->bead, s);
}

static mark* add_ground_line(drawing* to, bool is_behind)
{
    return drawing_add(to, (mark){.kind = MARK_LINE,
                                  .colour = is_behind ? "#b0b0b0" : ground_colour,
                                  .width = is_behind ? 1.2 : 1.8,
                                  .title = is_behind ? "path, behind" : "path"});
}

static void add_curve(const mechanism_scene* m, double t, drawing* to)
{
    double low, high;
    span(m, x_of, &low, &high);
    const double more = 0.25 * (high - low) + 0.3 * m->size;
    mark* line = add_ground_line(to, false);
    for (int i = 0; i <= GROUND_POINTS; i++) {
        const double x = low - more + (high - low + 2 * more) * i / GROUND_POINTS;
        double q[3] = {x, 0, 0}, tangent[3], slope;
        if (m->kind == ARM) {
            q[1] = path_at(m, x, &slope);
        } else if (m->kind == BEAD) {
            br_bead_start(m->model->bead, x, q, tangent);
        } else {
            br_slope_block_start(m->model->block, x, q);
        }
        move_point(m, t, q, q);
        mark_add_point(line, project(q, m->kind == BEAD));
    }
}

// Extended by half a turn at both ends; front and back parts are drawn separately.
static void add_helix(const mechanism_scene* m, double t, bool is_behind, drawing* to)
{
    double low, high;
    span(m, wire_parameter_of, &low, &high);
    const double from = low - BR_PI, step = 2 * BR_PI / 72;
    mark* line = add_ground_line(to, is_behind);
    bool was_here = false;
    for (size_t i = 0; from + (double)i * step <= high + BR_PI; i++) {
        double q[3], tangent[3];
        br_bead_start(m->model->bead, from + (double)i * step, q, tangent);
        move_point(m, t, q, q);
        const bool is_here = (q[2] > 0) == is_behind;
        if (is_here || was_here) { // includes the first point of the other side: no gap
            mark_add_point(line, project(q, true));
        }
        if (!is_here && was_here) {
            mark_add_break(line);
        }
        was_here = is_here;
    }
}

static bool is_helix(const mechanism_scene* m)
{
    return m->kind == BEAD && m->model->bead->wire == BR_BEAD_WIRE_HELIX;
}

// The path at the last instant shown.
static void add_ground(const scene* sc, size_t last, drawing* to)
{
    const mechanism_scene* m = sc->data;
    const double t = time_at(m, last);
    if (is_helix(m)) {
        add_helix(m, t, true, to);
        add_helix(m, t, false, to);
    } else {
        add_curve(m, t, to);
    }
}

// --- moving parts ---------------------------------------------------------------------------------

static void add_dot(br_vec2 where, double width, const char* colour, const char* title, drawing* to)
{
    mark* dot =
        drawing_add(to, (mark){.kind = MARK_DOT, .colour = colour, .width = width, .title = title});
    mark_add_point(dot, where);
}

static void add_arm(const mechanism_scene* m, const scene_instant* at, drawing* to)
{
    const char* colour = scene_colour(part_colour, at->age);
    const br_vec2 end = point_at(m, at->row);
    const size_t joint_count = m->model->mechanism->mechanism.n - 1;
    br_vec2 joints[BR_CHAIN_MOST];
    joints_at(m, at->row, joints);
    mark* links = drawing_add(to, (mark){.kind = MARK_LINE,
                                         .colour = colour,
                                         .width = at->is_last ? 4.5 : 2,
                                         .title = at->title});
    mark_add_point(links, (br_vec2){0, 0});
    for (size_t i = 0; i < joint_count; i++) {
        mark_add_point(links, joints[i]);
    }
    mark_add_point(links, end);
    for (size_t i = 0; i < joint_count; i++) {
        add_dot(joints[i], at->is_last ? 1.4 : 1, colour, "masses", to);
    }
    add_dot(end, at->is_last ? 1.4 : 1, colour, "masses", to);
    add_dot((br_vec2){0, 0}, 1.8, "#000000", "base", to);
}

static void add_block(const mechanism_scene* m, const scene_instant* at, drawing* to)
{
    const double side = BLOCK * m->size;
    const br_vec2 foot = point_at(m, at->row);
    const double angle = m->model->block->angle + turned_at(m, time_at(m, at->row));
    const br_vec2 middle = br_vec2_rotate((br_vec2){0, side / 2}, angle);
    const br_pose pose = {foot.x + middle.x, foot.y + middle.y, angle};
    const polygon shape = outline_move(outline_rectangle(side, side), pose);
    if (at->is_last) {
        mark* fill = drawing_add(to, (mark){.kind = MARK_AREA, .colour = "#dce8f4"});
        mark_add_polygon(fill, shape);
    }
    mark* line = drawing_add(to, (mark){.kind = MARK_LINE,
                                        .colour = scene_colour(part_colour, at->age),
                                        .width = at->is_last ? 3 : 1.4,
                                        .title = at->title});
    mark_add_polygon(line, shape);
    add_force(&m->applied, at, (br_vec2){pose.x, pose.y}, applied_at(m, at->row), to);
}

static void add_instant(const scene* sc, const scene_instant* at, drawing* to)
{
    const mechanism_scene* m = sc->data;
    const br_vec2 point = point_at(m, at->row);
    if (m->kind == ARM) {
        add_arm(m, at, to);
    } else if (m->kind == BLOCK_ON_SLOPE) {
        add_block(m, at, to);
    } else {
        add_dot(point, at->is_last ? 2.4 : 1.6, scene_colour(part_colour, at->age), at->title, to);
        add_force(&m->applied, at, point, applied_at(m, at->row), to);
    }
    add_force(&m->normal, at, point, normal_at(m, at->row), to);
    add_force(&m->friction, at, point, friction_at(m, at->row), to);
}

// --- the scene ------------------------------------------------------------------------------------

static double distance(const scene* sc, const double* from, const double* to)
{
    const mechanism_scene* m = sc->data;
    const size_t first = m->x;
    const double dz = m->kind == BEAD ? to[first + 2] - from[first + 2] : 0;
    return hypot(hypot(to[first] - from[first], to[first + 1] - from[first + 1]), dz);
}

// The size of the moving parts [m].
static double measure_size(const mechanism_scene* m)
{
    if (m->kind == ARM) {
        const double* length = lengths_of(m);
        double sum = 0;
        for (size_t i = 0; i < m->model->mechanism->mechanism.n; i++) {
            sum += length[i];
        }
        return 0.5 * sum;
    }
    double size = is_helix(m) ? m->model->bead->radius : 0;
    for (size_t i = 0; i < m->rows->rows; i++) {
        size = fmax(size, br_vec2_norm(br_vec2_sub(point_at(m, i), point_at(m, 0))));
    }
    return size > 0 ? size : STILL;
}

static mechanism_scene create_mechanism_scene(const scenario* s, const result* got)
{
    mechanism_scene m = {
        .model = &s->model,
        .rows = &got->rows,
        .kind = s->model.bead    ? BEAD
                : s->model.block ? BLOCK_ON_SLOPE
                                 : ARM,
        .normal = {.name = "normal", .unit = "N", .colour = "#6a3d9a"},
        .friction = {.name = "friction", .unit = "N", .colour = "#1b7837"},
        .applied = {.name = "push", .unit = "N", .colour = "#b2182b"},
        .t = scenario_column(s, "t"),
        .theta1 = scenario_column(s, "theta1"),
        .x = scenario_column(s, "x"),
        .fn = scenario_column(s, "fn"),
        .fx = scenario_column(s, "fx"),
    };
    m.size = measure_size(&m);
    measure_forces(&m);
    return m;
}

scene plot_mechanism_scene(const scenario* s, const result* got)
{
    mechanism_scene* m = memory_allocate(1, sizeof *m);
    *m = create_mechanism_scene(s, got);
    static const char* const movers[] = {"links", "block", "bead"}; // by part_kind
    const bool in_space = is_helix(m);
    return (scene){
        .s = s,
        .got = got,
        .rows = &got->rows,
        .data = m,
        .name = movers[m->kind],
        .labels = {"x [m]", in_space ? memory_format("y + %g z [m]", DEPTH) : "y [m]"},
        .note = m->kind == BLOCK_ON_SLOPE ? "the size of the block is not to scale" : NULL,
        .instants = INSTANTS,
        .add_ground = add_ground,
        .add_instant = add_instant,
        .distance = distance,
    };
}
