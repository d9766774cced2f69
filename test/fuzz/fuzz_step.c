/* Steps of bodies, hosts and groups on up to two contacts, their trials and derivatives. */
#include "fuzz.h"

#include <stdlib.h>

enum { MOST = 2 };

// Contacts and what a step of them needs.
typedef struct scene {
    size_t count;
    br_contact* made[MOST];
    br_step_contact contacts[MOST];
    double* work;
} scene;

static void take_scene(input* in, scene* s)
{
    const size_t count = 1 + take_index(in, MOST);
    for (size_t i = 0; i < count; i++) {
        br_contact* contact = take_contact(in);
        if (contact) {
            br_step_contact* c = &s->contacts[s->count];
            s->made[s->count++] = contact;
            *c = (br_step_contact){.contact = contact, .z = take_states(in, contact), .fn = 1.0};
            vary(in, &c->arm.x);
            vary(in, &c->arm.y);
            vary(in, &c->angle);
            vary(in, &c->fn);
            c->count = take_index(in, 3);
            c->ground = take_byte(in) < 128 ? (br_twist){0.0, 0.0, 0.0} : take_twist(in);
        }
    }
    const size_t own = br_step_get_work(s->contacts, s->count);
    const size_t group = br_step_group_get_work(s->contacts, s->count);
    const size_t slopes = br_step_gradient_get_work(s->contacts, s->count);
    s->work = calloc(own + group + slopes + 1, sizeof *s->work);
}

static void destroy_scene(scene* s)
{
    for (size_t i = 0; i < s->count; i++) {
        br_contact_destroy(s->made[i]);
        free(s->contacts[i].z);
    }
    free(s->work);
}

static void step_body(input* in, scene* s, double h)
{
    br_step_body body = br_step_body_default(0.1, 1e-4);
    br_twist v = take_twist(in);
    const br_wrench load = take_wrench(in);
    br_step_record record;
    br_step_contact_adjoint adjoints[MOST] = {{0}};
    br_step_adjoint io = {.v1_bar = {1.0, 0.5, 0.1}, .by_law = take_byte(in) & 1};
    br_reason why;
    body.order = 1 + (take_byte(in) & 1);
    body.passes = 1 + (int)take_index(in, 40);
    vary(in, &body.mass[0][0]);
    vary(in, &body.mass[2][2]);
    if (br_step_check(&body, v, load, h, s->contacts, s->count, &why) != BR_OK) {
        return;
    }
    double* z1[MOST];
    for (size_t i = 0; i < s->count; i++) { // the states before are needed by the derivatives
        const size_t states = br_contact_get_state_count(s->made[i]);
        z1[i] = calloc(states, sizeof **z1);
        for (size_t k = 0; k < states; k++) {
            z1[i][k] = s->contacts[i].z[k];
        }
    }
    br_step_coupled_recorded(&body, &v, load, h, s->contacts, s->count, s->work, &record);
    for (size_t i = 0; i < s->count; i++) {
        double* after = s->contacts[i].z;
        s->contacts[i].z = z1[i];
        z1[i] = after;
        adjoints[i].z1 = after;
    }
    br_step_vjp(&body, &record, load, h, s->contacts, adjoints, s->count, &io, s->work);
    for (size_t i = 0; i < s->count; i++) {
        free(z1[i]);
    }
}

static void step_host(input* in, scene* s, double h)
{
    br_step_host host = br_step_host_default(0.1, 1e-4);
    vary(in, &host.inverse_mass[0][0]);
    vary(in, &host.inverse_mass[2][2]);
    host.start_only = take_byte(in) & 1;
    host.identify = take_byte(in) & 1;
    host.passes = 1 + (int)take_index(in, 40);
    for (int i = 0; i < 3; i++) {
        const br_twist u = take_twist(in);
        br_step_host_step(&host, u, h, s->contacts, s->count, s->work);
        br_step_host_learn(&host, take_twist(in));
    }
    br_step_trial_eval(s->contacts, s->count, take_twist(in), h, s->work);
}

static void step_group(input* in, scene* s, double h)
{
    double A[9 * MOST * MOST], N[3 * MOST * MOST], fn_free[MOST];
    br_twist u[MOST], u1[MOST];
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
    br_step_group_step(&group, u, h, s->contacts, s->count, f, u1, s->work);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static void (*const steps[])(input*, scene*, double) = {step_body, step_host, step_group};
    input in = {data, size};
    scene s = {.count = 0};
    double h = 1e-3;
    const size_t which = take_index(&in, 3);
    take_scene(&in, &s);
    vary(&in, &h);
    if (s.count > 0 && h > 0.0) {
        steps[which](&in, &s, h);
    }
    destroy_scene(&s);
    return 0;
}
