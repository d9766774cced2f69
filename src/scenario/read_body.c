/*
 * A planar rigid body with its contacts and loads, from a tree.
 */
#include "scenario/read_body.h"

#include <math.h>

#include "scenario/mappings.h"

// --- its extent -----------------------------------------------------------------------------------

// Exactly one of size, radius and inertia.
static const node* find_extent(const node* map)
{
    static const char* const keys[] = {"size", "radius", "inertia", NULL};
    const node* found = NULL;
    for (names key = keys; *key; key++) {
        const node* value = bri_node_find(map, *key);
        if (value && found) {
            bri_node_fail(value,
                          "a body has exactly one of size, radius and inertia; this one has %s, "
                          "too",
                          found->key);
        }
        found = value ? value : found;
    }
    if (!found && !bri_node_is_misspelt(map, keys)) {
        bri_node_fail_field(map, "size",
                            "is missing; give size [m, m] of a rectangle, radius [m] of a "
                            "disc, or inertia [kg m^2]");
    }
    return found;
}

static body_outline rectangle(parse_context* in, double x, double y)
{
    body_outline shape = {.points = bri_allocate(in, 4, sizeof *shape.points), .count = 4};
    shape.points[0] = (br_vec2){-x, -y};
    shape.points[1] = (br_vec2){x, -y};
    shape.points[2] = (br_vec2){x, y};
    shape.points[3] = (br_vec2){-x, y};
    return shape;
}

static void destroy_patch(void* patch)
{
    br_patch_destroy(patch);
}

// The outline of a shape that depends on this value alone.
static const br_outline* create_outline(const node* from, const br_patch_def* shape)
{
    const br_outline* known = bri_model_cache_find_outline(from);
    if (known) {
        return known;
    }
    br_patch* patch;
    br_reason why = {"", ""};
    const br_status status = br_patch_create(shape, &patch, &why);
    why.field[0] = '\0'; // of the patch, not of the body
    if (!bri_node_accept(from, status, &why)) {
        return NULL;
    }
    bri_pool_own(&from->in->memory, patch, destroy_patch);
    const br_outline* outline = bri_outline_create(from->in, patch, 1, false);
    bri_model_cache_note_outline(from, outline);
    return outline;
}

// After the keys of `body`: inertia and outline, of a rectangle m (a^2 + b^2)/12, of a disc m R^2/2.
static void finish_extent(const node* map, void* to, bool is_good)
{
    body_input* got = to;
    br_body* body = &got->body;
    br_patch_def shape = br_patch_def_default();
    const node *extent = find_extent(map), *corners = bri_node_find(map, "outline");
    const double x = got->size[0], y = got->size[1], radius = got->outline.radius;
    if (corners && got->corners.rows > 0 && got->corners.rows < 3) {
        bri_node_fail(corners, "must have at least 3 corners; got %zu", got->corners.rows);
        return;
    }
    if (!extent || !is_good) {
        return;
    }
    if (extent->key[0] == 's') {
        body->inertia = body->mass * (x * x + y * y) / 12;
        got->outline = rectangle(map->in, x / 2, y / 2);
    } else if (extent->key[0] == 'r') {
        body->inertia = body->mass * radius * radius / 2;
        shape.radius = br_by_force_constant(radius);
    }
    if (corners) {
        got->outline =
            (body_outline){.points = (br_vec2*)got->corners.at, .count = got->corners.rows};
    }
    if (got->outline.count > 0) {
        shape.shape = BR_SHAPE_POLYGON;
        shape.vertices = got->outline.points;
        shape.count = got->outline.count;
    }
    if (got->outline.count > 0 || got->outline.radius > 0) {
        body->outline = create_outline(corners ? corners : extent, &shape);
    }
}

// --- keys -----------------------------------------------------------------------------------------

static const map_key body_keys[] = {
    KEY("mass", NUMBER, "kg", IN_POSITIVE, REQUIRED, "of the body", AT(body_input, body.mass)),
    KEY("size", NUMBERS, "m", IN_POSITIVE, "", "of a rectangle of uniform thickness",
        AT(body_input, size), COUNT(2)),
    KEY("radius", NUMBER, "m", IN_POSITIVE, "", "of a disc of uniform thickness",
        AT(body_input, outline.radius)),
    KEY("inertia", NUMBER, "kg m^2", IN_POSITIVE, "",
        "about the CoM; exactly one of size, radius and inertia is given",
        AT(body_input, body.inertia)),
    KEY("outline", ROWS, "m", IN_ANY, "size or radius",
        "[[x, y], ...] about the CoM. A finger (frame: world) whose patch leaves the outline opens for good; with "
        "inertia alone it reaches everywhere",
        AT(body_input, corners), COUNT(2)),
    KEY("pose", NUMBERS, "m, m, rad", IN_ANY, DEFAULT, "x, y, theta of the CoM",
        AT(body_input, body.pose), COUNT(3)),
    KEY("velocity", NUMBERS, "m/s, m/s, rad/s", IN_ANY, DEFAULT, "vx, vy, w of the CoM",
        AT(body_input, body.velocity), COUNT(3)),
    PLAIN_KEY(
        "start", WORD, "",
        "initial state of the bristles. steady: deflected as in steady sliding, the default for a body that moves "
        "over a contact faster than v_s. settled: they hold gravity and the initial loads, or are at their limit if "
        "friction cannot; the default for other bodies. relaxed: 0. A contact whose normal force becomes positive "
        "later follows the same rule; at rest it starts at 0",
        AT(body_input, body.start), WORDS("steady", "settled", "relaxed"),
        VALUES(BR_START_STEADY, BR_START_SETTLED, BR_START_RELAXED))};
static const mapping body_mapping = MAPPING_OF("body", body_keys, body_input, NULL, finish_extent);

static void set_load_default(void* to)
{
    ((br_body_load*)to)->frame = BR_FRAME_BODY;
}

static const map_key load_keys[] = {
    KEY("fx", PROFILE, "N", IN_ANY, DEFAULT, "force", AT(br_body_load, fx)),
    KEY("fy", PROFILE, "N", IN_ANY, DEFAULT, "force", AT(br_body_load, fy)),
    KEY("tau", PROFILE, "N m", IN_ANY, DEFAULT, "torque", AT(br_body_load, tau)),
    PLAIN_KEY("axes", WORD, DEFAULT, "of fx and fy", AT(br_body_load, axes), FRAME_WORDS),
    KEY("at", NUMBERS, "m", IN_ANY, DEFAULT, "where it acts, from the CoM or the origin",
        AT(br_body_load, point), COUNT(2)),
    PLAIN_KEY("frame", WORD, DEFAULT, "of at", AT(br_body_load, frame), FRAME_WORDS)};
static const mapping load_mapping =
    MAPPING_OF("load", load_keys, br_body_load, set_load_default, NULL);

static void set_pusher_default(void* to)
{
    *(br_body_pusher*)to = br_body_pusher_default(1);
}

static void finish_pusher(const node* map, void* to, bool is_good)
{
    const br_body_pusher* pusher = to;
    if (is_good) {
        bri_refuse_jumps(map, &pusher->x);
    }
}

static const map_key pusher_keys[] = {
    KEY("position", PROFILES, "m", IN_ANY, REQUIRED, "of the tip's centre, over time",
        AT(br_body_pusher, x), COUNT(2)),
    KEY("radius", NUMBER, "m", IN_NOT_NEGATIVE, DEFAULT, "of the tip", AT(br_body_pusher, radius)),
    KEY("mu", NUMBER, "-", IN_NOT_NEGATIVE, DEFAULT, "of the tip on the body",
        AT(br_body_pusher, mu)),
    KEY("stiffness", NUMBER, "N/m", IN_POSITIVE, DEFAULT, "of the tip",
        AT(br_body_pusher, stiffness)),
    KEY("damping", NUMBER, "N s/m", IN_NOT_NEGATIVE, "critical for the body's mass", "of the tip",
        AT(br_body_pusher, damping))};
static const mapping pusher_mapping =
    MAPPING_OF("pusher of a body", pusher_keys, br_body_pusher, set_pusher_default, finish_pusher);

// `body` is read into the whole input.
_Static_assert(offsetof(body_input, body) == 0, "body is the first");
static const map_key root_keys[] = {
    PLAIN_KEY("body", MAP, REQUIRED, "what moves", AT(body_input, body), MAPS(&body_mapping)),
    KEY("gravity", PROFILES, "m/s^2", IN_ANY, DEFAULT, "in the plane of motion",
        AT(body_input, gravity), COUNT(2),
        HINT("x and y in the plane of motion, none where it is level; normal_force: weight has the "
             "rest")),
    MODEL_KEYS(bri_body_models),
    FRICTION_KEY("that of each contact"),
    PLAIN_KEY("contact", MAP, "", "what holds and slows it", AT(body_input, contact), IS_NEW,
              MAPS(&bri_keys_body_contact)),
    PLAIN_KEY(
        "contacts", MAPS, "",
        "several instead, each with model, blocks and friction of its own if need be (columns fx1,fy1,tau1,fn1,fx2,...)",
        AT(body_input, list), MAPS(&bri_keys_body_contact)),
    PLAIN_KEY("loads", MAPS, "", "forces on it", AT(body_input, loads), MAPS(&load_mapping)),
    PLAIN_KEY(
        "pusher", MAP, "",
        "a round tip that moves as given and pushes the body's size, radius or outline. Columns "
        "pusher_fx,pusher_fy: its force on the body, world axes",
        AT(body_input, pusher), IS_NEW, MAPS(&pusher_mapping)),
    DURATION_REQUIRED_KEY,
    INTEGRATOR_KEY_OF(&bri_keys_integrator, &bri_keys_integrator_fixed),
    RUN_KEYS(bri_keys_output_body, bri_keys_plot_magnified)};
const mapping bri_keys_body = MAPPING("body scenario", root_keys, body_input);

void bri_make_body(const node* root, body_input* got)
{
    bri_share_weight(root, got);
    if (bri_problems(root) > 0) {
        return;
    }
    got->modes = bri_friction_on_body(root->in, &got->body, got->contacts);
    for (size_t i = 0; i < got->body.contact_count && bri_problems(root) == 0; i++) {
        contact_input* input = &got->contacts[i];
        bri_contact_make_model(input);
        got->parts[i].contact = input->contact;
    }
}

// Gravity of numbers and profiles.
static void finish_gravity(body_input* got)
{
    double* constant[] = {&got->body.gravity.x, &got->body.gravity.y};
    for (int i = 0; i < 2; i++) {
        if (got->gravity[i].kind == BR_PROFILE_CONSTANT) {
            *constant[i] = got->gravity[i].mean;
        } else {
            got->body.gravity_change[i] = got->gravity[i];
        }
    }
}

// `contact`, or the list `contacts`, or neither.
static void finish_contacts(const node* root, body_input* got)
{
    const bool is_one = bri_node_find(root, "contact");
    const node* list = bri_node_find(root, "contacts");
    if (is_one && list) {
        bri_node_fail(list, "a scenario has either contact or contacts; this one has both");
    }
    const size_t count = !is_one ? got->list.count : got->contact != NULL;
    got->contacts = is_one ? got->contact : got->list.at;
    got->parts = bri_allocate(root->in, count, sizeof *got->parts);
    for (size_t i = 0; i < count; i++) {
        const contact_input* in = &got->contacts[i];
        got->parts[i] = (br_body_contact){.frame = in->frame,
                                          .normal_force = in->normal_force,
                                          .grip = in->grip,
                                          .count = in->count,
                                          .at = in->at,
                                          .motion = {in->motion[0], in->motion[1], in->motion[2]},
                                          .patch = in->patch};
    }
    got->body.contacts = got->parts;
    got->body.contact_count = count;
}

// Its default damping is critical for the body's mass.
static void finish_pusher_of(const node* map, body_input* got)
{
    br_body_pusher* pusher = got->pusher;
    if (!pusher) {
        return;
    }
    if (!got->body.outline && bri_problems(map) == 0) {
        bri_node_fail(map,
                      "pushes the outline of a body; give the body a size, a radius or an outline");
    }
    if (!bri_node_find(map, "damping")) {
        pusher->damping = 2 * sqrt(pusher->stiffness * got->body.mass);
    }
    got->body.pusher = pusher;
}

// The keys that every run of a body needs; each contact may have its own friction instead.
static void require_blocks(const node* root)
{
    static const char* const with[] = {"friction", "duration", NULL};
    const node* one = bri_node_find(root, "contact");
    const node* list = bri_node_find(root, "contacts");
    bool lacks = one && one->kind == NODE_MAP && !bri_node_find(one, "friction");
    for (size_t i = 0; list && i < list->count; i++) {
        lacks = lacks || !bri_node_find(list->children[i], "friction");
    }
    bri_node_require_all(
        root, lacks ? with : with + 1,
        lacks && !bri_node_find(root, "friction") ? "; of friction mu is enough: {mu: 0.5}" : NULL);
}

body_input bri_read_body(const node* root)
{
    bri_keys_expect(root, &bri_keys_body);
    require_blocks(root);
    body_input got = {.body = br_body_default()};
    bri_keys_fill(root, &bri_keys_body, &got, false);
    finish_gravity(&got);
    finish_contacts(root, &got);
    got.body.loads = got.loads.at;
    got.body.load_count = got.loads.count;
    finish_pusher_of(bri_node_find(root, "pusher"), &got);
    return got;
}
