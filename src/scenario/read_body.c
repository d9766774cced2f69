/*
 * A planar rigid body with its contacts and loads, from YAML.
 */
#include "scenario/read_body.h"

#include <math.h>

#include "scenario/friction.h"
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

static void read_body_block(const node* map, body_input* got)
{
    static const char* const keys[] = {"mass", "size",     "radius", "inertia", "outline",
                                       "pose", "velocity", "start",  NULL};
    if (!bri_node_expect_keys(map, keys)) {
        return;
    }
    br_body* body = &got->body;
    body->mass = bri_value_required(map, "mass", RANGE_POSITIVE);
    bri_read_extent(map, got);
    double p[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    bri_value_fill(bri_node_find(map, "pose"), 3, RANGE_ANY, p);
    bri_value_fill(bri_node_find(map, "velocity"), 3, RANGE_ANY, v);
    body->pose = (br_pose){p[0], p[1], p[2]};
    body->velocity = (br_twist){v[0], v[1], v[2]};
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
    static const char* const keys[] = {"frame",    "patch",    "normal_force", "count",
                                       "surface",  "guard",    "model",        "blocks",
                                       "friction", "position", "angle",        NULL};
    *input = bri_read_contact(map, keys);
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
    static const char* const keys[] = {"fx", "fy", "tau", "at", "frame", "axes", NULL};
    bri_node_expect_keys(map, keys);
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
    static const char* const keys[] = {"position", "radius", "mu", "stiffness", "damping", NULL};
    if (!map || !bri_node_expect_keys(map, keys)) {
        return;
    }
    if (!body->outline && bri_problems(map) == 0) {
        bri_node_fail(map,
                      "pushes the outline of a body; give the body a size, a radius or an outline");
    }
    br_body_pusher* pusher = bri_allocate(map->in, 1, sizeof *pusher);
    *pusher = br_body_pusher_default(body->mass);
    const node* position = bri_node_require(map, "position");
    if (bri_value_list(position, 2) > 0) {
        pusher->x = read_place(position->children[0]);
        pusher->y = read_place(position->children[1]);
    }
    pusher->radius = bri_value_optional(map, "radius", RANGE_NOT_NEGATIVE, pusher->radius);
    pusher->mu = bri_value_optional(map, "mu", RANGE_NOT_NEGATIVE, pusher->mu);
    pusher->stiffness = bri_value_optional(map, "stiffness", RANGE_POSITIVE, pusher->stiffness);
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
    static const char* const keys[] = {"body",       "gravity",  "model", "blocks", "friction",
                                       "contact",    "contacts", "loads", "pusher", "duration",
                                       "integrator", "output",   "plot",  NULL};
    bri_node_expect_keys(root, keys);
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
