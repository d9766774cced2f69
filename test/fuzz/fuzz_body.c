/* A body on up to two contacts, with profiles, a pusher and an outline: stepped, and run for some steps. */
#include "fuzz.h"

#include <stdlib.h>

#include "bristle/body.h"

enum { MOST = 2, PROFILE = 3, STEPS = 20 };

// Arrays of profiles.
static double times[16][PROFILE], values[16][PROFILE];
static size_t used;

static br_profile vary_profile(input* in, double usual)
{
    if (take_byte(in) < 160) {
        return br_profile_constant(usual);
    }
    used = (used + 1) % 16;
    return take_profile(in, times[used], values[used], PROFILE);
}

static size_t take_contacts(input* in, br_contact* made[MOST], br_body_contact* contacts)
{
    size_t count = 0;
    for (size_t i = 1 + take_index(in, MOST); i > 0; i--) {
        br_contact* contact = take_contact(in);
        if (contact) {
            br_body_contact* c = &contacts[count];
            *c = (br_body_contact){.contact = contact, .count = 1};
            c->frame = (br_frame)take_choice(in, 2);
            c->normal_force = vary_profile(in, 1.0);
            vary(in, &c->weight);
            vary(in, &c->at.x);
            for (int k = 0; k < 3; k++) {
                c->motion[k] = vary_profile(in, 0.0);
            }
            made[count++] = contact;
        }
    }
    return count;
}

static void take_motion(input* in, br_body* body)
{
    double* const numbers[] = {&body->mass,       &body->inertia,     &body->pose.x,
                               &body->pose.theta, &body->velocity.vx, &body->velocity.vy,
                               &body->velocity.w, &body->gravity.x,   &body->gravity.y};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        vary(in, numbers[i]);
    }
    body->start = (br_body_start)take_choice(in, 4);
    body->gravity_change[0] = vary_profile(in, 0.0);
}

// What may be asked of a body before it runs.
static void ask(const br_body* body, input* in)
{
    int bears[MOST] = {1, 1};
    double weight[MOST];
    br_body_friction friction[MOST];
    br_column columns[512];
    br_modes modes;
    br_reason why;
    const unsigned sets = 1u | (unsigned)take_byte(in) << 1;
    for (size_t i = 0; i < body->contact_count; i++) {
        br_body_contact_pose_eval(&body->contacts[i], body->pose, take_number(in));
        friction[i] = (br_body_friction){.law = br_law_from_mu(0.5, 0.01, 0.1, 1.0),
                                         .rule = (unsigned)take_index(in, BR_RULE_ALL + 1),
                                         .value = {.r = take_number(in), .u = take_number(in)}};
        bears[i] = take_byte(in) < 200;
    }
    br_body_stand_eval(body);
    br_body_normal_gravity(body->gravity);
    if (br_body_share_weight(body, bears, weight, &why) == BR_OK) {
        for (size_t i = 0; i < body->contact_count; i++) {
            look_at(weight[i]);
        }
    } else {
        demand(*why.text);
    }
    br_body_complete_friction(body, friction, &modes, &why);
    const size_t count = br_body_get_columns(body, sets, NULL);
    if (count <= sizeof columns / sizeof *columns) {
        demand(br_body_get_columns(body, sets, columns) == count);
        for (size_t i = 0; i < count; i++) {
            demand(br_column_find(columns, count, columns[i].name) <= i);
        }
        demand(br_column_find_numbered(columns, count, "fx", 1) <= count);
    }
}

static void step(const br_body* body, input* in)
{
    br_body_stepper* stepper = NULL;
    br_reason why;
    if (br_body_stepper_create(body, &stepper, &why) == BR_OK) {
        for (int i = 0; i < 3; i++) {
            br_body_step_def def = br_body_step_def_default(1e-3);
            vary(in, &def.h);
            def.order = take_choice(in, 2);
            def.load = take_byte(in) < 128 ? (br_wrench){0.0, 0.0, 0.0} : take_wrench(in);
            br_body_step(stepper, &def, NULL, &why);
            br_body_state* now = br_body_stepper_get_state(stepper);
            const size_t states = br_body_get_state_count(body);
            if (states > 0 && take_byte(in) > 200) {
                now->z[take_byte(in) % states] = take_number(in);
            }
        }
    }
    br_body_stepper_destroy(stepper);
}

static void skip_row(const double* row, void* user)
{
    (void)row, (void)user;
}

static void run(const br_body* body, input* in)
{
    br_run_def def = br_run_def_default();
    br_run_watch watch = br_run_watch_default();
    br_integrator_cost cost;
    br_reason why;
    size_t left = STEPS;
    def.duration = 0.01;
    def.every = 0.005;
    vary(in, &def.duration);
    vary(in, &def.every);
    vary(in, &def.rtol);
    if (take_byte(in) & 1) {
        def.method = BR_INTEGRATOR_FIXED;
        def.step = 1e-3;
        vary(in, &def.step);
    }
    watch.row = skip_row;
    watch.stop = stop_soon;
    watch.user = &left;
    br_body_run(body, &def, &watch, &cost, &why);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    input in = {data, size};
    br_contact* made[MOST] = {NULL, NULL};
    br_body_contact contacts[MOST];
    br_body body = br_body_default();
    body.mass = 0.1, body.inertia = 1e-4;
    const bool runs = take_byte(&in) & 1;
    body.contact_count = take_contacts(&in, made, contacts);
    body.contacts = contacts;
    take_motion(&in, &body);
    br_patch* shape = take_byte(&in) > 180 ? take_patch(&in) : NULL;
    br_outline* outline = NULL;
    br_body_pusher pusher = br_body_pusher_default(0.1);
    if (shape && br_outline_create(shape, 1.0, 0, &outline, NULL) == BR_OK) {
        body.outline = outline;
        pusher.x = vary_profile(&in, 0.0);
        vary(&in, &pusher.radius);
        vary(&in, &pusher.stiffness);
        body.pusher = take_byte(&in) & 1 ? &pusher : NULL;
    }
    br_reason why;
    br_body_stepper* valid = NULL;
    if (br_body_stepper_create(&body, &valid, &why) == BR_OK) { // a body that is valid
        ask(&body, &in);
    }
    br_body_stepper_destroy(valid);
    if (runs) {
        run(&body, &in);
    } else {
        step(&body, &in);
    }
    br_outline_destroy(outline);
    br_patch_destroy(shape);
    br_contact_destroy(made[0]);
    br_contact_destroy(made[1]);
    return 0;
}
