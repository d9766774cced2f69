/*
 * A slider and its pusher as a scene.
 *
 * As X&C draw it in their figures 2b and 3d: the outline at instants along the path with the centre of
 * mass (CoM) and the equivalent contact point (ECP). The push is an arrow, the tip of a pusher a circle, supports are dots.
 */
#include "plot_slider.h"

#include <math.h>

#include "memory.h"
#include "plot_rigid.h"

enum { MOST_INSTANTS = 16, MOST_PATH_PARTS = 1000, MOST_FEET = 16 };

static const double GAP = 0.35;  // between instants, of the slider's size [-]
static const double ARROW = 0.7; // length of the largest push, of the slider's size [-]
static const double POINT = 0.2; // size of a slider without an outline, of its distance [-]

static const char ecp_colour[] = "#e6550d";
static const char tip_colour[] = "#4d9221";
static const char support_colour[] = "#f2a65a";

// Data of the scene.
typedef struct slider_scene {
    const br_scenario_model* model;
    rigid r;
    rigid_forces push;
    size_t t, pt, po, ax, ay; // columns
} slider_scene;

static bool has_pusher(const slider_scene* b)
{
    return b->model->pushed;
}

// The tip's centre, world frame.
static br_vec2 tip_at(const slider_scene* b, double t)
{
    return br_pushed_tip(b->model->pushed, t);
}

static br_vec2 com_of(const slider_scene* b, size_t row)
{
    const br_pose pose = rigid_pose(&b->r, row);
    return (br_vec2){pose.x, pose.y};
}

// --- the push -------------------------------------------------------------------------------------

// The force on the slider [N]; of a pusher, minus friction over mu N [-]. The row of t = 0 has no force.
static br_vec2 push_at(const slider_scene* b, size_t row)
{
    const br_sliding* sliding = b->model->sliding;
    const double* now = table_row(b->r.rows, row);
    if (has_pusher(b)) {
        return (br_vec2){-now[b->pt], -now[b->po]};
    }
    // the row of t shows the step that led to it, and so the push at its start
    const double step = b->model->run->step, t = row > 0 ? now[b->t] - step : 0;
    const double force = br_profile_eval(&sliding->push, t, t + 1e-9 * step, NULL);
    return br_vec2_rotate(br_vec2_scale(force, sliding->direction), now[b->r.theta]);
}

// Its point of application, in the slider's frame.
static br_vec2 push_point(const slider_scene* b, size_t row)
{
    if (!has_pusher(b)) {
        return b->model->sliding->point;
    }
    if (b->model->pushed->sticks) {
        return b->model->pushed->point;
    }
    const double* now = table_row(b->r.rows, row);
    const br_vec2 tip = tip_at(b, now[b->t]);
    const br_vec2 offset = {tip.x - now[b->r.x], tip.y - now[b->r.y]};
    return br_outline_eval(b->model->outline, br_vec2_rotate(offset, -now[b->r.theta])).nearest;
}

static void measure_push(slider_scene* b)
{
    for (size_t i = 0; i < b->r.rows->rows; i++) {
        b->push.most = fmax(b->push.most, br_vec2_norm(push_at(b, i)));
        table_release_seldom(b->r.rows, i);
    }
    b->push.length = ARROW * b->r.size;
}

static void add_push(const slider_scene* b, const scene_instant* at, drawing* to)
{
    const br_vec2 point = br_pose_apply(rigid_pose(&b->r, at->row), push_point(b, at->row));
    rigid_add_force(&b->push, point, push_at(b, at->row), com_of(b, at->row),
                    rigid_add_forces(&b->push, at, to));
}

// --- the pusher's tip -----------------------------------------------------------------------------

static void add_tip_path(const slider_scene* b, size_t last, drawing* to)
{
    mark* path = drawing_add(to, (mark){.kind = MARK_LINE,
                                        .colour = tip_colour,
                                        .width = 1.4,
                                        .dashes = "(4, 4)",
                                        .title = "path of the tip"});
    const size_t count = last < MOST_PATH_PARTS ? last : MOST_PATH_PARTS;
    for (size_t i = 0; i <= count; i++) {
        const size_t row = count > 0 ? i * last / count : 0;
        mark_add_point(path, tip_at(b, table_row(b->r.rows, row)[b->t]));
    }
}

static void add_tip(const slider_scene* b, const scene_instant* at, drawing* to)
{
    const double radius = b->model->pushed->pushing.radius;
    const br_vec2 tip = tip_at(b, table_row(b->r.rows, at->row)[b->t]);
    mark* round = drawing_add(to, (mark){.kind = radius > 0 ? MARK_LINE : MARK_DOT,
                                         .colour = scene_colour(tip_colour, at->age),
                                         .width = radius > 0 && at->is_last ? 2.4 : 1,
                                         .title = "tip"});
    if (radius > 0) {
        mark_add_polygon(round, outline_move(outline_circle(radius), (br_pose){tip.x, tip.y, 0}));
    } else {
        mark_add_point(round, tip);
    }
}

// --- the supports ---------------------------------------------------------------------------------

// Feet are dots at every instant; of a face in many cells only the last instant shows them, smaller.
static void add_supports(const slider_scene* b, const scene_instant* at, drawing* to)
{
    const br_sliding* sliding = b->model->sliding;
    const bool are_many = sliding->support_count > MOST_FEET;
    if (are_many && !at->is_last) {
        return;
    }
    const br_pose pose = rigid_pose(&b->r, at->row);
    mark* dots = drawing_add(to, (mark){.kind = MARK_DOT,
                                        .colour = scene_colour(support_colour, at->age),
                                        .width = are_many      ? 0.25
                                                 : at->is_last ? 1.3
                                                               : 0.7,
                                        .title = at->is_last ? "supports" : NULL});
    for (size_t i = 0; i < sliding->support_count; i++) {
        const br_vec2 point = {sliding->supports[i].x, sliding->supports[i].y};
        mark_add_point(dots, br_pose_apply(pose, point));
    }
}

// --- the scene ------------------------------------------------------------------------------------

// The ECP at its true distance from the CoM. The first row has no impulses, so no ECP.
static void add_ecp(const slider_scene* b, const scene_instant* at, drawing* to)
{
    const double* now = table_row(b->r.rows, at->row);
    const br_vec2 com = com_of(b, at->row);
    const br_vec2 arm = {now[b->ax] - now[b->r.x], now[b->ay] - now[b->r.y]};
    const char* colour = scene_colour(ecp_colour, at->age);
    if (at->row > 0) {
        mark* line = drawing_add(to, (mark){.kind = MARK_LINE, .colour = colour, .width = 1});
        mark_add_point(line, com);
        mark_add_point(line, br_vec2_add(com, arm));
    }
    mark* cross = drawing_add(to, (mark){.kind = MARK_CROSS,
                                         .colour = colour,
                                         .width = 0.9,
                                         .title = has_pusher(b) ? "centre of friction" : "ECP"});
    if (at->row > 0) {
        mark_add_point(cross, br_vec2_add(com, arm));
    }
}

static void add_ground(const scene* sc, size_t last, drawing* to)
{
    const slider_scene* b = sc->data;
    rigid_add_path(&b->r, last, to);
    if (has_pusher(b)) {
        add_tip_path(b, last, to);
    }
}

static void add_instant(const scene* sc, const scene_instant* at, drawing* to)
{
    const slider_scene* b = sc->data;
    rigid_add_area(&b->r, at, to);
    if (b->model->sliding && b->model->sliding->support_count > 0) {
        add_supports(b, at, to);
    }
    rigid_add(&b->r, at, to);
    add_ecp(b, at, to);
    if (has_pusher(b)) {
        add_tip(b, at, to);
    }
    if (b->push.most > 0) {
        add_push(b, at, to);
    }
}

static double distance(const scene* sc, const double* from, const double* to)
{
    const slider_scene* b = sc->data;
    return rigid_distance(&b->r, from, to);
}

static double measure_distance(const rigid* r)
{
    double distance = 0;
    for (size_t i = 1; i < r->rows->rows; i++) {
        distance += rigid_distance(r, table_row(r->rows, i - 1), table_row(r->rows, i));
        table_release_seldom(r->rows, i);
    }
    return distance;
}

// One for each GAP of distance, so that outlines are distinct.
static size_t count_instants(const rigid* r)
{
    const double distance = r->magnify * measure_distance(r);
    const double parts = r->size > 0 ? floor(distance / (GAP * r->size)) : 0;
    return 2 + (size_t)fmin(parts, MOST_INSTANTS - 2);
}

static slider_scene create_slider_scene(const scenario* s, const result* got)
{
    slider_scene b = {
        .model = &s->model,
        .r = rigid_create(&got->rows, outline_body(s->model.outline), 0, s->picture.magnify),
        .push = {.name = "push", .colour = "#b2182b"},
        .t = scenario_column(s, "t"),
        .pt = scenario_column(s, "pt"),
        .po = scenario_column(s, "po"),
        .ax = scenario_column(s, "ax"),
        .ay = scenario_column(s, "ay"),
    };
    if (!(b.r.size > 0)) {
        b.r.size = POINT * measure_distance(&b.r);
    }
    b.push.unit = has_pusher(&b) ? "mu N" : "N";
    measure_push(&b);
    return b;
}

scene plot_slider_scene(const scenario* s, const result* got)
{
    slider_scene* b = memory_allocate(1, sizeof *b);
    *b = create_slider_scene(s, got);
    return (scene){
        .s = s,
        .got = got,
        .rows = &got->rows,
        .data = b,
        .name = "slider",
        .labels = {"x [m]", "y [m]"},
        .note = rigid_note(&b->r),
        .instants = count_instants(&b->r),
        .add_ground = add_ground,
        .add_instant = add_instant,
        .distance = distance,
    };
}
