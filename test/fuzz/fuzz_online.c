/* The online estimator, grip controllers, profiles and rollouts of any numbers. */
#include "fuzz.h"

#include <stdlib.h>

#include "bristle/online.h"
#include "bristle/rollout.h"

enum { PROFILE = 4, STEPS = 4 };

static void estimate(input* in)
{
    br_online_def def = br_online_def_default();
    br_online online;
    br_reason why;
    double* const numbers[] = {&def.r,           &def.mu,           &def.mu_error,
                               &def.force_noise, &def.torque_noise, &def.speed_noise,
                               &def.spin_noise,  &def.memory,       &def.smoothing};
    def.r = 0.01;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        vary(in, numbers[i]);
    }
    if (br_online_init(&def, &online, &why) == BR_OK) {
        for (int i = 0; i < 4; i++) {
            const br_twist v = take_twist(in);
            const br_wrench f = take_wrench(in);
            const double fn = take_number(in), h = take_number(in);
            if (h > 0.0) {
                br_online_step(&online, v, f, fn, h);
            }
        }
    }
}

static void follow(input* in)
{
    double t[PROFILE], value[PROFILE], slope;
    const br_profile p = take_profile(in, t, value, PROFILE);
    br_grip grip = br_grip_default();
    br_reason why;
    if (br_profile_check(&p, &why) == BR_OK) {
        const double at = take_number(in);
        br_profile_eval(&p, at, at, &slope);
        br_profile_second(&p, at, at);
        br_profile_next_break(&p, at);
        br_profile_jump(&p, 1.0);
        br_profile_negative_from(&p, 1.0);
        br_profile_get_largest(&p);
    }
    vary(in, &grip.aim);
    vary(in, &grip.release);
    vary(in, &grip.least);
    if (br_grip_check(&grip, &why) == BR_OK) {
        br_grip_eval(&grip, take_number(in), take_number(in), take_number(in));
    }
}

static void roll(input* in)
{
    br_contact* contact = take_contact(in);
    const br_rollout_contact on = {.contact = contact, .count = 1};
    const double fn[2] = {1.0, take_number(in)};
    br_rollout_def def = br_rollout_def_default();
    br_pose pose[STEPS + 1];
    br_twist v[STEPS + 1];
    br_reason why;
    def.mass = 0.1, def.inertia = 1e-4, def.h = 1e-3, def.steps = STEPS;
    def.contacts = &on, def.count = 1, def.knots = 2, def.fn = fn;
    vary(in, &def.mass);
    vary(in, &def.h);
    def.order = take_choice(in, 2);
    def.v = take_twist(in);
    if (contact && br_rollout_check(&def, &why) == BR_OK) {
        double* tape = calloc(br_rollout_get_tape(&def) + 1, sizeof *tape);
        double* z = calloc(br_contact_get_state_count(contact), sizeof *z);
        br_rollout_output out = {.pose = pose, .v = v, .z = z};
        br_pose bar[STEPS + 1] = {{0}};
        br_rollout_adjoint io = {.pose_bar = bar};
        bar[STEPS].x = 1.0;
        br_rollout_run(&def, tape, &out);
        br_rollout_vjp(&def, tape, &io);
        free(tape);
        free(z);
    }
    br_contact_destroy(contact);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    input in = {data, size};
    const size_t which = take_index(&in, 3);
    if (which == 0) {
        estimate(&in);
    } else if (which == 1) {
        follow(&in);
    } else {
        roll(&in);
    }
    return 0;
}
