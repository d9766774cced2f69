/*
 * A planar rigid body with its contacts and loads, from YAML.
 */
#include "friction.h"
#include <math.h>

#include "memory.h"
#include "read_extent.h"
#include "read_profile.h"
#include "read_weight.h"
#include "scenario_body.h"
#include "value.h"

// A number each, or a profile.
static void read_gravity(const node* list, br_body* body)
{
    if (!list) {
        return;
    }
    value_list(list, 2);
    double* constant[] = {&body->gravity.x, &body->gravity.y};
    for (int i = 0; i < 2; i++) {
        const br_profile part = read_profile(list->children[i], RANGE_ANY);
        if (part.kind == BR_PROFILE_CONSTANT) {
            *constant[i] = part.mean;
        } else {
            body->gravity_change[i] = part;
        }
    }
}

static br_vec2 read_vec2(const node* map, const char* key)
{
    const node* value = node_find(map, key);
    br_vec2 vector = {0, 0};
    if (value) {
        const double* xy = value_numbers(value, 2, RANGE_ANY);
        vector = (br_vec2){xy[0], xy[1]};
    }
    return vector;
}

static br_frame read_frame(const node* map, const char* key, br_frame otherwise)
{
    static const char* const frames[] = {"world", "body", NULL};
    static const br_frame values[] = {BR_FRAME_WORLD, BR_FRAME_BODY};
    // on a table the patch goes with the body; under a finger it stays where the finger is
    static const char* const meanings[] = {"table",   "body",  "floor",  "body",  "ground", "body",
                                           "support", "body",  "object", "body",  "finger", "world",
                                           "gripper", "world", "wall",   "world", NULL};
    const node* value = node_find(map, key);
    return value ? values[value_choice_meant(value, frames, meanings)] : otherwise;
}

static void read_start(const node* value, br_body* body)
{
    static const char* const words[] = {"steady", "settled", "relaxed", NULL};
    static const br_body_start starts[] = {BR_START_STEADY, BR_START_SETTLED, BR_START_RELAXED};
    if (value) {
        body->start = starts[value_choice(value, words)];
    }
}

static void read_body_block(const node* map, body_input* got)
{
    static const char* const keys[] = {"mass", "size",     "radius", "inertia", "outline",
                                       "pose", "velocity", "start",  NULL};
    node_expect_keys(map, keys);
    br_body* body = &got->body;
    body->mass = value_required(map, "mass", RANGE_POSITIVE);
    read_extent(map, got);
    const node* pose = node_find(map, "pose");
    const node* velocity = node_find(map, "velocity");
    if (pose) {
        const double* p = value_numbers(pose, 3, RANGE_ANY);
        body->pose = (br_pose){p[0], p[1], p[2]};
    }
    if (velocity) {
        const double* v = value_numbers(velocity, 3, RANGE_ANY);
        body->velocity = (br_twist){v[0], v[1], v[2]};
    }
    read_start(node_find(map, "start"), body);
}

static void refuse_coulomb(const node* root, const node* map, contact_model model)
{
    if (model == MODEL_COULOMB) {
        const node* own = node_find(map, "model");
        node_fail(own ? own : node_find(root, "model"),
                  "coulomb is set-valued at rest: it does not tell the force that holds a body; "
                  "use distributed, blocks, reduced or ellipsoid");
    }
}

// A profile of a place, which may not jump.
static br_profile read_place(const node* value)
{
    const br_profile place = read_profile(value, RANGE_ANY);
    if (place.kind == BR_PROFILE_STEPS || place.hold > 0) {
        node_fail(value,
                  "must not jump: steps and hold are not for a place; use table, ramp or sine");
    }
    return place;
}

// Where what the body touches is over time: `position` and `angle`.
static void read_motion(const node* map, br_profile motion[3])
{
    const node* position = node_find(map, "position");
    const node* angle = node_find(map, "angle");
    for (size_t i = 0; position && i < value_list(position, 2); i++) {
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
    *input = read_contact(map, keys);
    refuse_coulomb(root, map, input->model);
    const br_frame frame = read_frame(map, "frame", BR_FRAME_WORLD);
    *bears = read_is_weight(map, frame, input->has_weight);
    br_body_contact contact = {.frame = frame,
                               .normal_force = input->normal_force,
                               .count = input->count,
                               .patch = input->patch};
    read_motion(map, contact.motion);
    return contact;
}

// The models of contacts, once all that presses them is known.
static void make_models(body_input* got, br_body_contact* contacts)
{
    got->swing = friction_on_body(&got->body, got->contacts);
    for (size_t i = 0; i < got->body.contact_count; i++) {
        contact_input* input = &got->contacts[i];
        contact_make_model(input);
        contacts[i].contact = input->contact;
    }
}

// `contact`, or the list `contacts`, or neither.
static void read_contacts(const node* root, body_input* got)
{
    const node* one = node_find(root, "contact");
    const node* list = node_find(root, "contacts");
    if (one && list) {
        node_fail(list, "a scenario has either contact or contacts; this one has both");
    }
    const size_t count = one ? 1 : list ? value_list(list, 0) : 0;
    br_body_contact* contacts = memory_allocate(count, sizeof *contacts);
    got->contacts = memory_allocate(count, sizeof *got->contacts);
    bool* bears = memory_allocate(count, sizeof *bears);
    for (size_t i = 0; i < count; i++) {
        const node* map = one ? one : list->children[i];
        contacts[i] = read_one_contact(root, map, &got->contacts[i], &bears[i]);
    }
    got->body.contacts = contacts;
    got->body.contact_count = count;
    share_weight(root, &got->body, contacts, bears);
    make_models(got, contacts);
}

static br_body_load read_load(const node* map)
{
    static const char* const keys[] = {"fx", "fy", "tau", "at", "frame", "axes", NULL};
    node_expect_keys(map, keys);
    const br_body_load load = {.fx = read_profile_or(map, "fx", RANGE_ANY, 0),
                               .fy = read_profile_or(map, "fy", RANGE_ANY, 0),
                               .tau = read_profile_or(map, "tau", RANGE_ANY, 0),
                               .axes = read_frame(map, "axes", BR_FRAME_WORLD),
                               .frame = read_frame(map, "frame", BR_FRAME_BODY),
                               .point = read_vec2(map, "at")};
    return load;
}

static void read_loads(const node* list, body_input* got)
{
    if (!list) {
        return;
    }
    const size_t count = value_list(list, 0);
    br_body_load* loads = memory_allocate(count, sizeof *loads);
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
    if (!map) {
        return;
    }
    node_expect_keys(map, keys);
    if (!body->outline) {
        node_fail(map,
                  "pushes the outline of a body; give the body a size, a radius or an outline");
    }
    br_body_pusher* pusher = memory_allocate(1, sizeof *pusher);
    *pusher = br_body_pusher_default(body->mass);
    const node* position = node_require(map, "position");
    value_list(position, 2);
    pusher->x = read_place(position->children[0]);
    pusher->y = read_place(position->children[1]);
    pusher->radius = value_optional(map, "radius", RANGE_NOT_NEGATIVE, pusher->radius);
    pusher->mu = value_optional(map, "mu", RANGE_NOT_NEGATIVE, pusher->mu);
    pusher->stiffness = value_optional(map, "stiffness", RANGE_POSITIVE, pusher->stiffness);
    const double critical = 2 * sqrt(pusher->stiffness * body->mass);
    pusher->damping = value_optional(map, "damping", RANGE_NOT_NEGATIVE, critical);
    body->pusher = pusher;
}

// What every run of a body needs; friction may stand with each contact instead.
static void require_blocks(const node* root)
{
    static const char* const with[] = {"friction", "duration", NULL};
    const node* one = node_find(root, "contact");
    const node* list = node_find(root, "contacts");
    bool lacks = one && one->kind == NODE_MAP && !node_find(one, "friction");
    for (size_t i = 0; list && i < list->count; i++) {
        lacks = lacks || !node_find(list->children[i], "friction");
    }
    node_require_all(root, lacks ? with : with + 1,
                     lacks && !node_find(root, "friction") ? "; of friction mu is enough: {mu: 0.5}"
                                                           : NULL);
}

body_input read_body(const node* root)
{
    static const char* const keys[] = {"body",       "gravity",  "model", "blocks", "friction",
                                       "contact",    "contacts", "loads", "pusher", "duration",
                                       "integrator", "output",   "plot",  NULL};
    node_expect_keys(root, keys);
    require_blocks(root);
    body_input got = {.body = br_body_default()};
    read_body_block(node_find(root, "body"), &got);
    read_gravity(node_find(root, "gravity"), &got.body);
    read_contacts(root, &got);
    read_loads(node_find(root, "loads"), &got);
    read_pusher(node_find(root, "pusher"), &got.body);
    got.energy = scenario_output_flag(root, "energy");
    got.report = scenario_output_flag(root, "contacts");
    got.cop = scenario_output_flag(root, "cop");
    return got;
}
