/* Recorded steps of hosts, groups and worlds, and their derivatives in both directions; a stepper. */
#include "fuzz.h"

#include <stdlib.h>

enum { MOST = 2, WORLDS = 3, STEPS = 3 };

// Contacts with their states before and after a step.
typedef struct scene {
    size_t count;
    br_contact* made[MOST];
    br_step_contact contacts[MOST];
    double *before[MOST], *after[MOST], *bar[MOST];
    br_step_contact_adjoint adjoints[MOST];
    br_step_contact_tangent tangents[MOST];
    double h, *work;
} scene;

static void take_scene(input* in, scene* s)
{
    for (size_t i = 1 + take_index(in, MOST); i > 0; i--) {
        br_contact* contact = take_contact(in);
        if (contact) {
            br_step_contact* c = &s->contacts[s->count];
            *c = (br_step_contact){.contact = contact, .fn = 1.0};
            vary(in, &c->arm.x);
            vary(in, &c->angle);
            vary(in, &c->fn);
            s->made[s->count] = contact;
            s->before[s->count] = take_states(in, contact);
            s->after[s->count] = calloc(br_contact_get_state_count(contact), sizeof(double));
            s->bar[s->count++] = calloc(br_contact_get_state_count(contact), sizeof(double));
        }
    }
    s->h = 1e-3;
    vary(in, &s->h);
    s->work = calloc(br_step_get_work(s->contacts, s->count) +
                         br_step_group_get_work(s->contacts, s->count) +
                         br_step_gradient_get_work(s->contacts, s->count) +
                         br_step_group_gradient_get_work(s->contacts, s->count) + 1,
                     sizeof *s->work);
}

static void destroy_scene(scene* s)
{
    for (size_t i = 0; i < s->count; i++) {
        br_contact_destroy(s->made[i]);
        free(s->before[i]);
        free(s->after[i]);
        free(s->bar[i]);
    }
    free(s->work);
}

// A step replaces the states of `after`; derivatives start from those before.
static void go(scene* s)
{
    for (size_t i = 0; i < s->count; i++) {
        for (size_t k = 0; k < br_contact_get_state_count(s->made[i]); k++) {
            s->after[i][k] = s->before[i][k];
        }
        s->contacts[i].z = s->after[i];
    }
}

static void go_back(scene* s)
{
    for (size_t i = 0; i < s->count; i++) {
        s->contacts[i].z = s->before[i];
        s->adjoints[i] =
            (br_step_contact_adjoint){.z1 = s->after[i], .f_bar = {1, 1, 1}, .z0_bar = s->bar[i]};
        s->tangents[i] = (br_step_contact_tangent){
            .z1 = s->after[i], .fn = 1.0, .arm = {1.0, 0.0}, .z1_dot = s->bar[i]};
    }
}

static void step_host(input* in, scene* s)
{
    br_step_host host = br_step_host_default(0.1, 1e-4);
    br_step_record record;
    vary(in, &host.inverse_mass[0][0]);
    vary(in, &host.inverse_mass[2][2]);
    host.start_only = take_byte(in) & 1;
    host.passes = 1 + (int)take_index(in, 40);
    br_step_host_adjoint back = {.f_bar = take_wrench(in), .by_law = take_byte(in) & 1};
    br_step_host_tangent forth = {.u = take_twist(in), .h = take_number(in)};
    go(s);
    br_step_host_step_recorded(&host, take_twist(in), s->h, s->contacts, s->count, s->work,
                               &record);
    go_back(s);
    br_step_host_vjp(&host, &record, s->h, s->contacts, s->adjoints, s->count, &back, s->work);
    br_step_host_jvp(&host, &record, s->h, s->contacts, s->tangents, s->count, &forth, s->work);
}

static void step_group(input* in, scene* s)
{
    double A[9 * MOST * MOST], N[3 * MOST * MOST], fn_free[MOST], by_A[9 * MOST * MOST],
        by_N[3 * MOST * MOST], fn_bar[MOST] = {1.0, 1.0};
    br_twist u[MOST], u1[MOST], recorded[MOST], newton[MOST], by_u[MOST];
    br_wrench f[MOST];
    const size_t m = 3 * s->count;
    for (size_t i = 0; i < m * m; i++) {
        A[i] = i % (m + 1) == 0 ? 1.0 : 0.0;
        vary(in, &A[i]);
    }
    take_numbers(in, N, 3 * MOST * MOST);
    take_numbers(in, fn_free, MOST);
    for (size_t i = 0; i < s->count; i++) {
        u[i] = take_twist(in);
    }
    const bool follows = take_byte(in) & 1;
    const br_step_group group = {.inverse_mass = A,
                                 .passes = (int)take_index(in, 30),
                                 .fn_f = follows ? N : NULL,
                                 .fn_free = follows ? fn_free : NULL};
    br_step_group_record record = {.u1 = recorded, .newton = newton};
    go(s);
    br_step_group_step_recorded(&group, u, s->h, s->contacts, s->count, f, u1, s->work, &record);
    go_back(s);
    br_step_group_adjoint back = {.u1_bar = u,
                                  .fn_bar = follows ? fn_bar : NULL,
                                  .by_law = take_byte(in) & 1,
                                  .u = by_u,
                                  .inverse_mass = by_A,
                                  .fn_f = follows ? by_N : NULL};
    br_step_group_vjp(&group, &record, s->h, s->contacts, s->adjoints, s->count, &back, s->work);
    br_step_group_tangent forth = {
        .u = u, .inverse_mass = A, .fn_f = follows ? N : NULL, .u1 = by_u, .f = f};
    br_step_group_jvp(&group, &record, s->h, s->contacts, s->tangents, s->count, &forth, s->work);
}

static void use_stepper(input* in, scene* s)
{
    const br_step_body body = br_step_body_default(0.1, 1e-4);
    br_stepper_def def = br_stepper_def_default();
    br_stepper* stepper = NULL;
    br_reason why;
    br_twist v = take_twist(in);
    def.contacts = s->contacts;
    def.count = s->count;
    def.group = take_byte(in) & 1;
    if (br_stepper_create(&def, &stepper, &why) == BR_OK) {
        for (int i = 0; i < STEPS; i++) {
            br_stepper_step(stepper, &body, &v, take_wrench(in), s->h);
        }
        br_step_contact* contacts = br_stepper_get_contacts(stepper);
        double *work = br_stepper_get_work(stepper), A[9 * MOST * MOST] = {0.0};
        br_step_host host = br_step_host_default(0.1, 1e-4);
        br_step_group group = {.inverse_mass = A, .passes = 5};
        br_twist u[MOST] = {v, v};
        br_wrench f[MOST];
        vary(in, &contacts[0].fn);
        br_step_host_step(&host, v, s->h, contacts, s->count, work);
        br_step_trial_eval(contacts, s->count, v, s->h, work);
        if (def.group) {
            for (size_t i = 0; i < 3 * s->count; i++) {
                A[i * (3 * s->count + 1)] = 1.0;
            }
            br_step_group_step(&group, u, s->h, contacts, s->count, f, NULL, work);
        }
    } else if (stepper || !*why.text) {
        abort();
    }
    br_stepper_destroy(stepper);
}

static void step_worlds(input* in, scene* s)
{
    const br_worlds_contact shared = {.contact = s->made[0], .fn = 1.0, .count = 1};
    const br_worlds_def def = br_worlds_def_default(&shared, 1);
    br_worlds* worlds = NULL;
    if (br_worlds_create(&def, &worlds, NULL) != BR_OK) {
        return;
    }
    const size_t states = br_worlds_get_state_count(worlds, 0) * WORLDS, every = take_index(in, 3);
    double pose[3 * WORLDS], twist[3 * WORLDS], mass[WORLDS], inertia[WORLDS], bar[3 * WORLDS];
    double out[2][3 * WORLDS], *z = calloc(3 * states + 1, sizeof *z);
    double* tape = calloc(br_worlds_get_tape(worlds, WORLDS, STEPS, every) + 1, sizeof *tape);
    take_numbers(in, pose, 3 * WORLDS);
    take_numbers(in, twist, 3 * WORLDS);
    take_numbers(in, bar, 3 * WORLDS);
    for (size_t i = 0; i < WORLDS; i++) {
        mass[i] = 0.1;
        inertia[i] = 1e-4;
        vary(in, &mass[i]);
        vary(in, &inertia[i]);
    }
    const br_worlds_arrays arrays = {.count = WORLDS,
                                     .pose = pose,
                                     .twist = twist,
                                     .mass = mass,
                                     .inertia = inertia,
                                     .contacts = {{.z = z}}};
    const br_worlds_record record = {.every = every, .tape = tape};
    br_reason why;
    if (br_worlds_check(worlds, &arrays, s->h, STEPS, &why) == BR_OK || take_byte(in) & 1) {
        br_worlds_step_recorded(worlds, &arrays, s->h, STEPS, &record);
        const br_worlds_adjoint back = {.pose_bar = bar,
                                        .pose = out[0],
                                        .twist = out[1],
                                        .contacts = {{.z_bar = z + states, .z = z + 2 * states}}};
        br_worlds_step_vjp(worlds, &arrays, s->h, STEPS, &record, &back);
    }
    free(tape);
    free(z);
    br_worlds_destroy(worlds);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static void (*const uses[])(input*, scene*) = {step_host, step_group, use_stepper, step_worlds};
    input in = {data, size};
    scene s = {.count = 0};
    const size_t which = take_index(&in, sizeof uses / sizeof *uses);
    take_scene(&in, &s);
    if (s.count > 0 && !(s.h <= 0.0)) {
        uses[which](&in, &s);
    }
    destroy_scene(&s);
    return 0;
}
