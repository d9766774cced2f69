/*
 * A planar rigid body with its contacts and loads, from YAML.
 */
#include "scenario/read_body.h"

#include <math.h>

#include "scenario/friction.h"
#include "scenario/mappings.h"
#include "scenario/read_extent.h"
#include "scenario/read_output.h"
#include "scenario/read_profile.h"
#include "scenario/read_weight.h"
#include "scenario/value.h"

// A number each, or a profile.
static void read_gravity(const node* list, br_body* body)
{
    if (bri_value_list(list, 2) == 0) {
        return;
    }
    double* constant[] = {&body->gravity.x, &body->gravity.y};
    for (int i = 0; i < 2; i++) {
        const br_profile part = bri_read_profile(list->children[i], RANGE_ANY);
        if (part.kind == BR_PROFILE_CONSTANT) {
            *constant[i] = part.mean;
        } else {
            body->gravity_change[i] = part;
        }
    }
}

static br_vec2 read_vec2(const node* map, const char* key)
{
    const node* value = bri_node_find(map, key);
    double xy[2] = {0, 0};
    bri_value_fill(value, 2, RANGE_ANY, xy);
    return (br_vec2){xy[0], xy[1]};
}

static br_frame read_frame(const node* map, const char* key, br_frame otherwise)
{
    static const char* const frames[] = {"world", "body", NULL};
    static const br_frame values[] = {BR_FRAME_WORLD, BR_FRAME_BODY};
    // on a table the patch goes with the body; under a finger it stays where the finger is
    static const char* const meanings[] = {"table",   "body",  "floor",  "body",  "ground", "body",
                                           "support", "body",  "object", "body",  "finger", "world",
                                           "gripper", "world", "wall",   "world", NULL};
    const node* value = bri_node_find(map, key);
    return value ? values[bri_value_choice_meant(value, frames, meanings)] : otherwise;
}

static void read_start(const node* value, br_body* body)
{
    static const char* const words[] = {"steady", "settled", "relaxed", NULL};
    static const br_body_start starts[] = {BR_START_STEADY, BR_START_SETTLED, BR_START_RELAXED};
    if (value) {
        body->start = starts[bri_value_choice(value, words)];
    }
}

static const char* const start_words[] = {"steady", "settled", "relaxed", NULL};

// What is read of a body by its table; the rest of it follows.
typedef struct body_numbers {
    double mass;
    double pose[3], velocity[3];
} body_numbers;

static const map_key body_keys[] = {
    KEY("mass", NUMBER, "kg", IN_POSITIVE, REQUIRED, "of the body", AT(body_numbers, mass)),
    KEY("size", NUMBERS, "m", IN_POSITIVE, "", "of a rectangle of even thickness", BY_HAND,
        COUNT(2)),
    KEY("radius", NUMBER, "m", IN_POSITIVE, "", "of a disc of even thickness", BY_HAND),
    KEY("inertia", NUMBER, "kg m^2", IN_POSITIVE, "",
        "about the CoM; exactly one of size, radius and inertia is given", BY_HAND),
    KEY("outline", ROWS, "m", IN_ANY, "size or radius",
        "[[x, y], ...] about the CoM. A finger (frame: world) whose patch leaves the outline opens for good; with "
        "inertia alone it reaches everywhere",
        BY_HAND, COUNT(2)),
    KEY("pose", NUMBERS, "m, m, rad", IN_ANY, "[0, 0, 0]", "x, y, theta of the CoM",
        AT(body_numbers, pose), COUNT(3)),
    KEY("velocity", NUMBERS, "m/s, m/s, rad/s", IN_ANY, "[0, 0, 0]", "vx, vy, w of the CoM",
        AT(body_numbers, velocity), COUNT(3)),
    KEY("start", WORD, "", IN_ANY, "",
        "where the bristles begin: as steady sliding has them (the default for a body that moves over a contact faster "
        "than v_s), as they hold gravity and the first loads where they can (else the default), or at 0; contacts that "
        "begin to press later follow the same rule, and those at rest begin at 0",
        BY_HAND, .words = start_words)};
static const mapping body_mapping = MAPPING("body", body_keys);

static const char* const frame_words[] = {"world", "body", NULL};

static const map_key load_keys[] = {
    KEY("fx", PROFILE, "N", IN_ANY, "0", "force", BY_HAND),
    KEY("fy", PROFILE, "N", IN_ANY, "0", "force", BY_HAND),
    KEY("tau", PROFILE, "N m", IN_ANY, "0", "torque", BY_HAND),
    KEY("axes", WORD, "", IN_ANY, "world", "of fx and fy", BY_HAND, .words = frame_words),
    KEY("at", NUMBERS, "m", IN_ANY, "[0, 0]", "where it acts, from the CoM or the origin", BY_HAND,
        COUNT(2)),
    KEY("frame", WORD, "", IN_ANY, "body", "of at", BY_HAND, .words = frame_words)};
static const mapping load_mapping = MAPPING("load", load_keys);

static const map_key pusher_keys[] = {
    KEY("position", PROFILES, "m", IN_ANY, REQUIRED, "of the tip's centre, over time", BY_HAND,
        COUNT(2)),
    KEY("radius", NUMBER, "m", IN_NOT_NEGATIVE, "0.005", "of the tip", AT(br_body_pusher, radius)),
    KEY("mu", NUMBER, "-", IN_NOT_NEGATIVE, "0.3", "of the tip on the body",
        AT(br_body_pusher, mu)),
    KEY("stiffness", NUMBER, "N/m", IN_POSITIVE, "1e5", "of the tip",
        AT(br_body_pusher, stiffness)),
    KEY("damping", NUMBER, "N s/m", IN_NOT_NEGATIVE, "critical for the body's mass", "of the tip",
        BY_HAND)};
static const mapping pusher_mapping = MAPPING("pusher of a body", pusher_keys);

static const map_key root_keys[] = {
    KEY("body", MAP, "", IN_ANY, REQUIRED, "what moves", BY_HAND, MAPS(&body_mapping)),
    KEY("gravity", PROFILES, "m/s^2", IN_ANY, "[0, 0]", "in the plane of motion", BY_HAND,
        COUNT(2)),
    MODEL_KEYS(bri_body_models),
    FRICTION_KEY("that of each contact"),
    KEY("contact", MAP, "", IN_ANY, "", "what holds and slows it", BY_HAND,
        MAPS(&bri_keys_body_contact)),
    KEY("contacts", MAPS, "", IN_ANY, "",
        "several instead, each with model, blocks and friction of its own if need be (columns fx1,fy1,tau1,fn1,fx2,...)",
        BY_HAND, MAPS(&bri_keys_body_contact)),
    KEY("loads", MAPS, "", IN_ANY, "", "forces on it", BY_HAND, MAPS(&load_mapping)),
    KEY("pusher", MAP, "", IN_ANY, "",
        "a round tip that moves as it is told and pushes the body's size, radius or outline. Columns "
        "pusher_fx,pusher_fy: its force on the body, world axes. No fixed steps",
        BY_HAND, MAPS(&pusher_mapping)),
    DURATION_REQUIRED_KEY,
    KEY("integrator", MAP, "", IN_ANY, "", "how it is integrated in time", BY_HAND,
        MAPS(&bri_keys_integrator, &bri_keys_integrator_fixed)),
    OUTPUT_KEY(bri_keys_output_body),
    PLOT_KEY(bri_keys_plot_magnified),
    SWEEP_KEY,
    NOISE_KEY};
const mapping bri_keys_body = MAPPING("body scenario", root_keys);

static void read_body_block(const node* map, body_input* got)
{
    body_numbers in = {1, {0, 0, 0}, {0, 0, 0}};
    br_body* body = &got->body;
    if (!map || map->kind != NODE_MAP) {
        bri_keys_expect(map, &body_mapping);
        return;
    }
    bri_keys_read(map, &body_mapping, &in);
    body->mass = in.mass;
    body->pose = (br_pose){in.pose[0], in.pose[1], in.pose[2]};
    body->velocity = (br_twist){in.velocity[0], in.velocity[1], in.velocity[2]};
    bri_read_extent(map, got);
    read_start(bri_node_find(map, "start"), body);
}

static void refuse_coulomb(const node* root, const node* map, contact_model model)
{
    if (model == MODEL_COULOMB) {
        const node* own = bri_node_find(map, "model");
        bri_node_fail(
            own ? own : bri_node_find(root, "model"),
            "coulomb is set-valued at rest: it does not tell the force that holds a body; "
            "use distributed, blocks, reduced or ellipsoid");
    }
}

// A profile of a place, which may not jump.
static br_profile read_place(const node* value)
{
    const br_profile place = bri_read_profile(value, RANGE_ANY);
    if (place.kind == BR_PROFILE_STEPS || place.hold > 0) {
        bri_node_fail(value,
                      "must not jump: steps and hold are not for a place; use table, ramp or sine");
    }
    return place;
}

// Where what the body touches is over time: `position` and `angle`.
static void read_motion(const node* map, br_profile motion[3])
{
    const node* position = bri_node_find(map, "position");
    const node* angle = bri_node_find(map, "angle");
    const size_t count = bri_value_list(position, 2);
    for (size_t i = 0; i < count; i++) {
        motion[i] = read_place(position->children[i]);
    }
    if (angle) {
        motion[2] = read_place(angle);
    }
}

static br_body_contact read_one_contact(const node* root, const node* map, contact_input* input,
                                        bool* bears)
{
    *input = bri_read_contact(map, &bri_keys_body_contact);
    if (map->kind != NODE_MAP) {
        return (br_body_contact){.count = 1};
    }
    refuse_coulomb(root, map, input->model);
    const size_t before = bri_problems(map);
    const br_frame frame = read_frame(map, "frame", BR_FRAME_WORLD);
    *bears = bri_problems(map) == before && bri_read_is_weight(map, frame, input->has_weight);
    br_body_contact contact = {.frame = frame,
                               .normal_force = input->normal_force,
                               .grip = input->grip,
                               .count = input->count,
                               .patch = input->patch};
    read_motion(map, contact.motion);
    return contact;
}

void bri_make_body(const node* root, body_input* got)
{
    bri_share_weight(root, &got->body, got->parts, got->bears);
    if (bri_problems(root) > 0) {
        return;
    }
    got->swing = bri_friction_on_body(root->in, &got->body, got->contacts);
    for (size_t i = 0; i < got->body.contact_count && bri_problems(root) == 0; i++) {
        contact_input* input = &got->contacts[i];
        bri_contact_make_model(input);
        got->parts[i].contact = input->contact;
    }
}

// `contact`, or the list `contacts`, or neither.
static void read_contacts(const node* root, body_input* got)
{
    const node* one = bri_node_find(root, "contact");
    const node* list = bri_node_find(root, "contacts");
    if (one && list) {
        bri_node_fail(list, "a scenario has either contact or contacts; this one has both");
    }
    const size_t count = one ? 1 : bri_value_list(list, 0);
    got->parts = bri_allocate(root->in, count, sizeof *got->parts);
    got->contacts = bri_allocate(root->in, count, sizeof *got->contacts);
    got->bears = bri_allocate(root->in, count, sizeof *got->bears);
    for (size_t i = 0; i < count; i++) {
        const node* map = one ? one : list->children[i];
        got->parts[i] = read_one_contact(root, map, &got->contacts[i], &got->bears[i]);
    }
    got->body.contacts = got->parts;
    got->body.contact_count = count;
}

static br_body_load read_load(const node* map)
{
    bri_keys_read(map, &load_mapping, NULL);
    const br_body_load load = {.fx = bri_read_profile_or(map, "fx", RANGE_ANY, 0),
                               .fy = bri_read_profile_or(map, "fy", RANGE_ANY, 0),
                               .tau = bri_read_profile_or(map, "tau", RANGE_ANY, 0),
                               .axes = read_frame(map, "axes", BR_FRAME_WORLD),
                               .frame = read_frame(map, "frame", BR_FRAME_BODY),
                               .point = read_vec2(map, "at")};
    return load;
}

static void read_loads(const node* list, body_input* got)
{
    const size_t count = bri_value_list(list, 0);
    if (count == 0) {
        return;
    }
    br_body_load* loads = bri_allocate(list->in, count, sizeof *loads);
    for (size_t i = 0; i < count; i++) {
        loads[i] = read_load(list->children[i]);
    }
    got->body.loads = loads;
    got->body.load_count = count;
}

// A round tip that moves as it is told.
static void read_pusher(const node* map, br_body* body)
{
    if (!map || map->kind != NODE_MAP) {
        bri_keys_expect(map, &pusher_mapping);
        return;
    }
    if (!body->outline && bri_problems(map) == 0) {
        bri_node_fail(map,
                      "pushes the outline of a body; give the body a size, a radius or an outline");
    }
    br_body_pusher* pusher = bri_allocate(map->in, 1, sizeof *pusher);
    *pusher = br_body_pusher_default(body->mass);
    bri_keys_read(map, &pusher_mapping, pusher);
    const node* position = bri_node_find(map, "position");
    if (bri_value_list(position, 2) > 0) {
        pusher->x = read_place(position->children[0]);
        pusher->y = read_place(position->children[1]);
    }
    const double critical = 2 * sqrt(pusher->stiffness * body->mass);
    pusher->damping = bri_value_optional(map, "damping", RANGE_NOT_NEGATIVE, critical);
    body->pusher = pusher;
}

// What every run of a body needs; friction may stand with each contact instead.
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
    read_body_block(bri_node_find(root, "body"), &got);
    read_gravity(bri_node_find(root, "gravity"), &got.body);
    read_contacts(root, &got);
    read_loads(bri_node_find(root, "loads"), &got);
    read_pusher(bri_node_find(root, "pusher"), &got.body);
    got.energy = bri_read_output_flag(root, "energy");
    got.report = bri_read_output_flag(root, "contacts");
    got.cop = bri_read_output_flag(root, "cop");
    return got;
}
