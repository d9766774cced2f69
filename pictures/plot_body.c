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

enum { INSTANTS = 6 };
enum {
    SHADES = 5,
    SQUARES = 100
}; // of a field of mu: grades of factors from 0 to 1, squares across

static const double LEAST_SPIN = 0.02; // of the fastest spin: no CoR is shown for slower ones [-]
static const double ARROW = 0.8;       // length of the largest force, of the body's size [-]

static const char patch_colour[] = "#f2a65a";
static const char cor_colour[] = "#6a3d9a";

// Columns of a contact.
typedef struct contact_columns {
    size_t fx, fy, fn;
} contact_columns;

// Data of the scene.
typedef struct body_scene {
    const br_body* body;
    bool in_world; // contact forces are given in world axes
    rigid r;
    rigid_forces pushes, fingers;
    double fastest;           // spin [rad/s]
    contact_columns* columns; // (contact_count)
} body_scene;

static const br_body_contact* contact_of(const body_scene* b, size_t index)
{
    return &b->body->contacts[index];
}

static double normal_force(const body_scene* b, size_t contact, size_t row)
{
    return table_row(b->r.rows, row)[b->columns[contact].fn];
}

// The value of a profile that a row shows: before a jump, except at the start.
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
    const double* now = table_row(b->r.rows, row);
    const br_vec2 f = {now[b->columns[contact].fx], now[b->columns[contact].fy]};
    return br_vec2_scale((double)contact_of(b, contact)->count, f);
}

// The pose of a contact's frame at a row.
static br_pose contact_pose(const body_scene* b, size_t contact, size_t row)
{
    const double t = table_value(b->r.rows, row, "t");
    return br_body_contact_pose_eval(contact_of(b, contact), rigid_pose(&b->r, row), t);
}

// The pusher's force at a row, and the position of its tip.
static br_vec2 push_at(const body_scene* b, size_t row)
{
    return (br_vec2){table_value(b->r.rows, row, "pusher_fx"),
                     table_value(b->r.rows, row, "pusher_fy")};
}

static br_vec2 tip_at(const body_scene* b, size_t row)
{
    const br_body_pusher* pusher = b->body->pusher;
    const double t = table_value(b->r.rows, row, "t");
    return (br_vec2){br_profile_eval(&pusher->x, t, t, NULL),
                     br_profile_eval(&pusher->y, t, t, NULL)};
}

// --- forces ---------------------------------------------------------------------------------------

static void measure_forces(body_scene* b)
{
    for (size_t row = 0; row < b->r.rows->rows; row++) {
        const double t = table_value(b->r.rows, row, "t");
        for (size_t i = 0; i < b->body->load_count; i++) {
            b->pushes.most = fmax(b->pushes.most, br_vec2_norm(load_at(&b->body->loads[i], t)));
        }
        if (b->body->pusher) {
            b->pushes.most = fmax(b->pushes.most, br_vec2_norm(push_at(b, row)));
        }
        for (size_t i = 0; i < b->body->contact_count; i++) {
            if (contact_of(b, i)->frame == BR_FRAME_WORLD) {
                b->fingers.most = fmax(b->fingers.most, br_vec2_norm(friction_at(b, i, row)));
            }
        }
        table_release_seldom(b->r.rows, row);
    }
}

// Loads and friction have the same scale.
static void scale_forces(body_scene* b)
{
    const double max = fmax(b->pushes.most, b->fingers.most);
    if (max > 0) {
        b->pushes.length = ARROW * b->r.size * b->pushes.most / max;
        b->fingers.length = ARROW * b->r.size * b->fingers.most / max;
    }
}

static void add_pushes(const body_scene* b, const scene_instant* at, drawing* to)
{
    const br_pose pose = rigid_pose(&b->r, at->row);
    const double t = table_value(b->r.rows, at->row, "t");
    mark* arrows = rigid_add_forces(&b->pushes, at, to);
    for (size_t i = 0; i < b->body->load_count; i++) {
        const br_body_load* load = &b->body->loads[i];
        const br_vec2 point =
            load->frame == BR_FRAME_BODY ? br_pose_apply(pose, load->point) : load->point;
        const br_vec2 f = load_at(load, t);
        rigid_add_force(&b->pushes, point,
                        load->axes == BR_FRAME_BODY ? br_vec2_rotate(f, pose.theta) : f,
                        (br_vec2){pose.x, pose.y}, arrows);
    }
    if (b->body->pusher) {
        rigid_add_force(&b->pushes, tip_at(b, at->row), push_at(b, at->row),
                        (br_vec2){pose.x, pose.y}, arrows);
    }
}

static void add_fingers(const body_scene* b, const scene_instant* at, drawing* to)
{
    mark* arrows = rigid_add_forces(&b->fingers, at, to);
    for (size_t i = 0; i < b->body->contact_count; i++) {
        if (contact_of(b, i)->frame == BR_FRAME_WORLD) {
            const double fn = normal_force(b, i, at->row);
            const br_pose pose = contact_pose(b, i, at->row);
            const br_vec2 cop = br_pose_apply(pose, br_patch_eval(contact_of(b, i)->patch, fn).cop);
            const br_vec2 f =
                br_vec2_rotate(friction_at(b, i, at->row), b->in_world ? 0 : pose.theta);
            rigid_add_force(&b->fingers, cop, f, cop, arrows);
        }
    }
}

// --- the pusher -----------------------------------------------------------------------------------

static void add_tip(const body_scene* b, const scene_instant* at, drawing* to)
{
    const double radius = b->body->pusher->radius;
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
    outline patch = outline_patch(contact_of(b, contact)->patch, normal_force(b, contact, row));
    const br_pose pose = contact_pose(b, contact, row);
    for (size_t i = 0; i < patch.count; i++) {
        patch.parts[i] = outline_move(patch.parts[i], pose);
    }
    return patch;
}

static const char* patch_title(const body_scene* b, size_t contact)
{
    return b->body->contact_count == 1 ? "contact" : memory_format("contact %zu", contact + 1);
}

// Points are dots, lines thick, areas filled at the last instant and outlined before. A patch that moves with
// the body is lighter, since others may cover it.
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
    for (size_t c = 0; c < b->body->contact_count; c++) {
        const outline patch = patch_at(b, c, at->row);
        const size_t corners = patch.count > 0 ? patch.parts[0].count : 1;
        mark* area = drawing_add(to, patch_style(b, c, corners, at));
        for (size_t i = 0; i < patch.count; i++) {
            mark_add_polygon(area, patch.parts[i]);
        }
    }
}

// --- the scene ------------------------------------------------------------------------------------

// The CoR of the motion over the ground, p + (-vy, vx)/w. Not drawn for a magnified motion, where it would
// show noise.
static void add_cor(const body_scene* b, const scene_instant* at, drawing* to)
{
    const table* rows = b->r.rows;
    const double w = table_value(rows, at->row, "w");
    mark* cross = drawing_add(to, (mark){.kind = MARK_CROSS,
                                         .colour = scene_colour(cor_colour, at->age),
                                         .width = 1.4,
                                         .is_stray = true,
                                         .title = "CoR"});
    if (fabs(w) > LEAST_SPIN * b->fastest) {
        const double x = table_value(rows, at->row, "x"), y = table_value(rows, at->row, "y");
        const double vx = table_value(rows, at->row, "vx"), vy = table_value(rows, at->row, "vy");
        mark_add_point(cross, (br_vec2){x - vy / w, y + vx / w});
    }
}

// The field of mu on the ground at rest under the body; NULL: there is none.
static const br_field* ground_field(const br_body* body)
{
    for (size_t i = 0; i < body->contact_count; i++) {
        const br_body_contact* c = &body->contacts[i];
        const br_contact_def* def = br_contact_get_def(c->contact);
        const bool is_still = c->motion[0].kind == BR_PROFILE_CONSTANT &&
                              c->motion[1].kind == BR_PROFILE_CONSTANT &&
                              c->motion[2].kind == BR_PROFILE_CONSTANT;
        if (def->field && def->field_moves && c->frame == BR_FRAME_BODY && is_still) {
            return def->field;
        }
    }
    return NULL;
}

// The part of the ground that the body passes, with a margin.
static box path_box(const body_scene* b)
{
    const double margin = 1.2 * b->r.size;
    box area = BOX_EMPTY;
    for (size_t row = 0; row < b->r.rows->rows; row++) {
        const double x = table_value(b->r.rows, row, "x"), y = table_value(b->r.rows, row, "y");
        area.low = (br_vec2){fmin(area.low.x, x - margin), fmin(area.low.y, y - margin)};
        area.high = (br_vec2){fmax(area.high.x, x + margin), fmax(area.high.y, y + margin)};
    }
    return area;
}

// Squares of the ground whose factor is that of a shade, [i - 1/2, i + 1/2]/SHADES, joined along x.
static void add_shade(const br_field* field, box area, int shade, mark* to)
{
    const double width = area.high.x - area.low.x, step = width / SQUARES;
    for (double y = area.low.y; y < area.high.y; y += step) {
        double start = NAN;
        for (int i = 0; i <= SQUARES; i++) {
            const double x = area.low.x + i * step;
            const double factor = br_field_eval(field, (br_vec2){x + 0.5 * step, y + 0.5 * step});
            const bool is_in = i < SQUARES && fmin(round(factor * SHADES), SHADES) == shade;
            if (is_in && isnan(start)) {
                start = x;
            } else if (!is_in && !isnan(start)) {
                polygon strip = outline_rectangle(x - start, step);
                mark_add_polygon(
                    to, outline_move(strip, (br_pose){0.5 * (start + x), y + 0.5 * step, 0}));
                start = NAN;
            }
        }
    }
}

// Ground with less friction, the bluer the less.
static void add_field(const body_scene* b, drawing* to)
{
    const br_field* field = ground_field(b->body);
    static const char* const colours[SHADES] = {"#cfe6f7", "#d9ebf8", "#e3f0fa", "#ecf4fb",
                                                "#f5f9fd"};
    bool has_title = false;
    for (int shade = 0; field && shade < SHADES; shade++) {
        mark* area = drawing_add(to, (mark){.kind = MARK_AREA,
                                            .colour = colours[shade],
                                            .width = 0,
                                            .is_stray = true,
                                            .title = has_title ? NULL : "less friction"});
        add_shade(field, path_box(b), shade, area);
        has_title = has_title || area->count > 0;
        if (area->count == 0) {
            area->title = NULL;
        }
    }
}

static void add_ground(const scene* sc, size_t last, drawing* to)
{
    const body_scene* b = sc->data;
    add_field(b, to);
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
        if (b->body->pusher) {
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

// Size of a body without an outline: that of its contacts.
static double contact_size(const br_body* body)
{
    double size = 0;
    for (size_t i = 0; i < body->contact_count; i++) {
        const double fn = br_profile_eval(&body->contacts[i].normal_force, 0, 0, NULL);
        const outline patch = outline_patch(body->contacts[i].patch, fn);
        for (size_t k = 0; k < patch.count; k++) {
            for (size_t j = 0; j < patch.parts[k].count; j++) {
                size = fmax(size, br_vec2_norm(patch.parts[k].points[j]));
            }
        }
    }
    return size;
}

static contact_columns* find_columns(const scenario* s, size_t contacts)
{
    contact_columns* out = memory_allocate(contacts, sizeof *out);
    for (size_t i = 0; i < contacts; i++) {
        out[i] = (contact_columns){scenario_column_of(s, "fx", i + 1),
                                   scenario_column_of(s, "fy", i + 1),
                                   scenario_column_of(s, "fn", i + 1)};
    }
    return out;
}

static body_scene create_body_scene(const scenario* s, const result* got)
{
    const br_body* body = s->model.body;
    const polygon shape = outline_body(s->model.outline);
    const double size = shape.count > 0 ? 0 : contact_size(body);
    body_scene b = {
        .body = body,
        .in_world = s->model.in_world,
        .r = rigid_create(&got->rows, shape, size, s->picture.magnify),
        .pushes = {.name = "push", .unit = "N", .colour = "#b2182b"},
        .fingers = {.name = "friction", .unit = "N", .colour = "#1b7837"},
        .columns = find_columns(s, s->model.body->contact_count),
    };
    for (size_t i = 0; i < got->rows.rows; i++) {
        b.fastest = fmax(b.fastest, fabs(table_value(&got->rows, i, "w")));
        table_release_seldom(&got->rows, i);
    }
    measure_forces(&b);
    scale_forces(&b);
    return b;
}

scene plot_body_scene(const scenario* s, const result* got)
{
    body_scene* b = memory_allocate(1, sizeof *b);
    *b = create_body_scene(s, got);
    return (scene){
        .s = s,
        .got = got,
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
