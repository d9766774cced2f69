/*
 * A body with its contacts and loads as a scene.
 *
 * As W&K Fig 26: the outline of the object, the contact patch, the centre of mass (CoM) with its
 * path, and the centre of rotation (CoR). Loads, and the friction of fingers, are arrows.
 */
#include "plot_body.h"

#include <math.h>

#include "memory.h"
#include "plot_rigid.h"
#include "scenario/scenario_body.h"

enum { INSTANTS = 6 };

static const double LEAST_SPIN = 0.02; // of the fastest spin: slower ones have no CoR to show
static const double ARROW = 0.8;       // length of the largest force, of the body's size [-]

static const char patch_colour[] = "#f2a65a";
static const char cor_colour[] = "#6a3d9a";

// What is drawn.
typedef struct body_scene {
    const body_input* input;
    rigid r;
    rigid_forces pushes, fingers;
    double fastest; // spin [rad/s]
} body_scene;

static const br_body_contact* contact_of(const body_scene* b, size_t index)
{
    return &b->input->body.contacts[index];
}

static double normal_force(const body_scene* b, size_t contact, size_t row)
{
    return table_row(b->r.rows, row)[BODY_FX + BODY_CONTACT_COLUMNS * contact + 3];
}

// The value of a profile as a row shows it: that before a jump, but at the start.
static double value_at(const br_profile* profile, double t)
{
    const double before = t > 0 ? t - 1e-9 * t : 1e-300;
    return br_profile_eval(profile, t, before, NULL);
}

static br_vec2 load_at(const br_body_load* load, double t)
{
    return (br_vec2){value_at(&load->fx, t), value_at(&load->fy, t)};
}

// Friction of all fingers of a contact, on the body.
static br_vec2 friction_at(const body_scene* b, size_t contact, size_t row)
{
    const double* f = table_row(b->r.rows, row) + BODY_FX + BODY_CONTACT_COLUMNS * contact;
    return br_vec2_scale((double)contact_of(b, contact)->count, (br_vec2){f[0], f[1]});
}

// Where a finger's frame is at a row.
static br_pose finger_pose(const body_scene* b, size_t contact, size_t row)
{
    const br_profile* p = contact_of(b, contact)->motion;
    const double t = table_row(b->r.rows, row)[BODY_T];
    return (br_pose){br_profile_eval(&p[0], t, t, NULL), br_profile_eval(&p[1], t, t, NULL),
                     br_profile_eval(&p[2], t, t, NULL)};
}

// The pusher's force at a row, the last two columns, and where its tip is.
static br_vec2 push_at(const body_scene* b, size_t row)
{
    const double* end = table_row(b->r.rows, row) + b->r.rows->width;
    return (br_vec2){end[-2], end[-1]};
}

static br_vec2 tip_at(const body_scene* b, size_t row)
{
    const br_body_pusher* pusher = b->input->body.pusher;
    const double t = table_row(b->r.rows, row)[BODY_T];
    return (br_vec2){br_profile_eval(&pusher->x, t, t, NULL),
                     br_profile_eval(&pusher->y, t, t, NULL)};
}

// --- forces ---------------------------------------------------------------------------------------

static void measure_forces(body_scene* b)
{
    for (size_t row = 0; row < b->r.rows->rows; row++) {
        const double t = table_row(b->r.rows, row)[BODY_T];
        for (size_t i = 0; i < b->input->body.load_count; i++) {
            b->pushes.most =
                fmax(b->pushes.most, br_vec2_norm(load_at(&b->input->body.loads[i], t)));
        }
        if (b->input->body.pusher) {
            b->pushes.most = fmax(b->pushes.most, br_vec2_norm(push_at(b, row)));
        }
        for (size_t i = 0; i < b->input->body.contact_count; i++) {
            if (contact_of(b, i)->frame == BR_FRAME_WORLD) {
                b->fingers.most = fmax(b->fingers.most, br_vec2_norm(friction_at(b, i, row)));
            }
        }
        table_release_seldom(b->r.rows, row);
    }
}

// Both families have the same scale.
static void scale_forces(body_scene* b)
{
    const double most = fmax(b->pushes.most, b->fingers.most);
    if (most > 0) {
        b->pushes.length = ARROW * b->r.size * b->pushes.most / most;
        b->fingers.length = ARROW * b->r.size * b->fingers.most / most;
    }
}

static void add_pushes(const body_scene* b, const scene_instant* at, drawing* to)
{
    const br_pose pose = rigid_pose(&b->r, at->row);
    const double t = table_row(b->r.rows, at->row)[BODY_T];
    mark* arrows = rigid_add_forces(&b->pushes, at, to);
    for (size_t i = 0; i < b->input->body.load_count; i++) {
        const br_body_load* load = &b->input->body.loads[i];
        const br_vec2 point =
            load->frame == BR_FRAME_BODY ? br_pose_apply(pose, load->point) : load->point;
        const br_vec2 f = load_at(load, t);
        rigid_add_force(&b->pushes, point,
                        load->axes == BR_FRAME_BODY ? br_vec2_rotate(f, pose.theta) : f,
                        (br_vec2){pose.x, pose.y}, arrows);
    }
    if (b->input->body.pusher) {
        rigid_add_force(&b->pushes, tip_at(b, at->row), push_at(b, at->row),
                        (br_vec2){pose.x, pose.y}, arrows);
    }
}

static void add_fingers(const body_scene* b, const scene_instant* at, drawing* to)
{
    mark* arrows = rigid_add_forces(&b->fingers, at, to);
    for (size_t i = 0; i < b->input->body.contact_count; i++) {
        if (contact_of(b, i)->frame == BR_FRAME_WORLD) {
            const double fn = normal_force(b, i, at->row);
            const br_pose pose = finger_pose(b, i, at->row);
            const br_vec2 cop =
                br_pose_apply(pose, br_patch_eval(b->input->contacts[i].patch, fn).cop);
            const br_vec2 f = br_vec2_rotate(friction_at(b, i, at->row), pose.theta);
            rigid_add_force(&b->fingers, cop, f, cop, arrows);
        }
    }
}

// --- the pusher -----------------------------------------------------------------------------------

static void add_tip(const body_scene* b, const scene_instant* at, drawing* to)
{
    const double radius = b->input->body.pusher->radius;
    const br_vec2 tip = tip_at(b, at->row);
    mark* circle = drawing_add(to, (mark){.kind = radius > 0 ? MARK_LINE : MARK_DOT,
                                          .colour = scene_colour(patch_colour, at->age),
                                          .width = 1.4,
                                          .title = at->is_last ? "pusher" : NULL});
    if (radius > 0) {
        mark_add_polygon(circle, outline_move(outline_circle(radius), (br_pose){tip.x, tip.y, 0}));
    } else {
        mark_add_point(circle, tip);
    }
}

// --- contacts -------------------------------------------------------------------------------------

// A contact's patch at a row, in the world.
static outline patch_at(const body_scene* b, size_t contact, size_t row)
{
    outline patch = outline_patch(b->input->contacts[contact].patch, normal_force(b, contact, row));
    const br_pose pose = contact_of(b, contact)->frame == BR_FRAME_BODY
                             ? rigid_pose(&b->r, row)
                             : finger_pose(b, contact, row);
    for (size_t i = 0; i < patch.count; i++) {
        patch.parts[i] = outline_move(patch.parts[i], pose);
    }
    return patch;
}

static const char* patch_title(const body_scene* b, size_t contact)
{
    return b->input->body.contact_count == 1 ? "contact"
                                             : memory_format("contact %zu", contact + 1);
}

// Points are dots, lines thick, areas filled at the last instant and rims before. A patch that goes
// with the body is lighter, as it may lie under others.
static mark patch_style(const body_scene* b, size_t contact, size_t corners,
                        const scene_instant* at)
{
    const bool is_area = corners > 2, in_body = contact_of(b, contact)->frame == BR_FRAME_BODY;
    const char* full = in_body && is_area && at->is_last ? "#fbe0c3" : patch_colour;
    const mark_kind kind = corners == 1 ? MARK_DOT : is_area && at->is_last ? MARK_AREA : MARK_LINE;
    return (mark){.kind = kind,
                  .colour = scene_colour(full, at->age),
                  .width = is_area || corners == 1 ? 1.1 : 4,
                  .title = at->is_last ? patch_title(b, contact) : NULL};
}

static void add_patches(const body_scene* b, const scene_instant* at, drawing* to)
{
    for (size_t c = 0; c < b->input->body.contact_count; c++) {
        const outline patch = patch_at(b, c, at->row);
        const size_t corners = patch.count > 0 ? patch.parts[0].count : 1;
        mark* area = drawing_add(to, patch_style(b, c, corners, at));
        for (size_t i = 0; i < patch.count; i++) {
            mark_add_polygon(area, patch.parts[i]);
        }
    }
}

// --- the scene ------------------------------------------------------------------------------------

// The CoR of the motion over the ground, p + (-vy, vx)/w. One of a motion that is magnified would be
// that of its noise.
static void add_cor(const body_scene* b, const scene_instant* at, drawing* to)
{
    const double* v = table_row(b->r.rows, at->row);
    mark* cross = drawing_add(to, (mark){.kind = MARK_CROSS,
                                         .colour = scene_colour(cor_colour, at->age),
                                         .width = 1.4,
                                         .is_stray = true,
                                         .title = "CoR"});
    if (fabs(v[BODY_W]) > LEAST_SPIN * b->fastest) {
        mark_add_point(cross, (br_vec2){v[BODY_X] - v[BODY_VY] / v[BODY_W],
                                        v[BODY_Y] + v[BODY_VX] / v[BODY_W]});
    }
}

static void add_ground(const scene* sc, size_t last, drawing* to)
{
    const body_scene* b = sc->data;
    rigid_add_path(&b->r, last, to);
}

static void add_instant(const scene* sc, const scene_instant* at, drawing* to)
{
    const body_scene* b = sc->data;
    rigid_add_area(&b->r, at, to);
    add_patches(b, at, to);
    rigid_add(&b->r, at, to);
    if (b->r.magnify == 1) {
        add_cor(b, at, to);
        if (b->input->body.pusher) {
            add_tip(b, at, to);
        }
    }
    if (b->fingers.most > 0) {
        add_fingers(b, at, to);
    }
    if (b->pushes.most > 0) {
        add_pushes(b, at, to);
    }
}

static double distance(const scene* sc, const double* from, const double* to)
{
    const body_scene* b = sc->data;
    return rigid_distance(&b->r, from, to);
}

// A body without an outline is as large as what it stands on.
static double contact_size(const body_input* input)
{
    double size = 0;
    for (size_t i = 0; i < input->body.contact_count; i++) {
        const double fn = br_profile_eval(&input->contacts[i].normal_force, 0, 0, NULL);
        const outline patch = outline_patch(input->contacts[i].patch, fn);
        for (size_t k = 0; k < patch.count; k++) {
            for (size_t j = 0; j < patch.parts[k].count; j++) {
                size = fmax(size, br_vec2_norm(patch.parts[k].points[j]));
            }
        }
    }
    return size;
}

// No points where it is not known.
static polygon shape_of(const body_outline* from)
{
    return from->radius > 0 ? outline_circle(from->radius) : (polygon){from->points, from->count};
}

static body_scene make_body(const scenario* s, const result* got)
{
    const body_input* input = s->data;
    const polygon shape = shape_of(&input->outline);
    const double size = shape.count > 0 ? 0 : contact_size(input);
    body_scene b = {
        .input = input,
        .r = rigid_create(&got->rows, shape, size, s->picture.magnify),
        .pushes = {.name = "push", .unit = "N", .colour = "#b2182b"},
        .fingers = {.name = "friction", .unit = "N", .colour = "#1b7837"},
    };
    for (size_t i = 0; i < got->rows.rows; i++) {
        b.fastest = fmax(b.fastest, fabs(table_row(&got->rows, i)[BODY_W]));
        table_release_seldom(&got->rows, i);
    }
    measure_forces(&b);
    scale_forces(&b);
    return b;
}

scene plot_body_scene(const scenario* s, const result* got)
{
    body_scene* b = memory_allocate(1, sizeof *b);
    *b = make_body(s, got);
    return (scene){
        .s = s,
        .rows = &got->rows,
        .data = b,
        .name = "body",
        .labels = {"x [m]", "y [m]"},
        .note = rigid_note(&b->r),
        .instants = INSTANTS,
        .add_ground = add_ground,
        .add_instant = add_instant,
        .distance = distance,
    };
}
