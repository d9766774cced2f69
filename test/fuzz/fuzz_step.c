/* Steps of bodies, hosts and groups on up to two contacts, their trials and derivatives. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 2 };

// Contacts and what a step of them needs.
typedef struct scene {
    size_t count;
    br_contact* made[MOST];
    br_step_contact contacts[MOST];
    double* after[MOST]; // states after a step
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

// Derivatives of the twist at the end by that at the start, backwards and forwards: transposes of each other.
static void compare(const br_step_body* body, const br_step_record* record, br_wrench load,
                    double h, const scene* s, const br_step_adjoint* back)
{
    br_step_contact_tangent tangents[MOST] = {{0}};
    br_step_tangent forth = {.v0 = {1.0, -0.5, 0.2}};
    const br_twist v = forth.v0;
    bool is_near = true; // an arm of 1e20 m leaves nothing of the body's mass
    for (size_t i = 0; i < s->count; i++) {
        tangents[i].z1 = s->after[i];
        is_near =
            is_near && is_ordinary((double[2]){s->contacts[i].arm.x, s->contacts[i].arm.y}, 2);
    }
    br_step_jvp(body, record, load, h, s->contacts, tangents, s->count, &forth, s->work);
    const double a[3] = {forth.v1.vx * back->v1_bar.vx, forth.v1.vy * back->v1_bar.vy,
                         forth.v1.w * back->v1_bar.w};
    const double b[3] = {v.vx * back->v0.vx, v.vy * back->v0.vy, v.w * back->v0.w};
    double size = 0.0;
    for (size_t i = 0; i < 3; i++) {
        size += fabs(a[i]) + fabs(b[i]);
    }
    // near a fold the inverse of the tangent amplifies rounding
    if (is_near && back->flags == 0 && forth.flags == 0 && back->pivot > 1e-3 && size < 1e6 &&
        is_ordinary(body->mass[0], 9)) {
        demand(fabs(a[0] + a[1] + a[2] - b[0] - b[1] - b[2]) <= 1e-6 * size);
    }
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
    double *copy[MOST], *before[MOST];
    br_twist other = v;
    for (size_t i = 0; i < s->count; i++) { // the states before are needed by the derivatives
        const size_t states = br_contact_get_state_count(s->made[i]);
        before[i] = s->contacts[i].z;
        copy[i] = calloc(states, sizeof **copy);
        s->after[i] = calloc(states, sizeof **s->after);
        for (size_t k = 0; k < states; k++) {
            copy[i][k] = s->after[i][k] = before[i][k];
        }
        s->contacts[i].z = copy[i];
    }
    br_step_coupled(&body, &other, load, h, s->contacts, s->count, s->work);
    for (size_t i = 0; i < s->count; i++) {
        s->contacts[i].z = s->after[i];
    }
    br_step_coupled_recorded(&body, &v, load, h, s->contacts, s->count, s->work, &record);
    demand(is_same(v.vx, other.vx) && is_same(v.vy, other.vy) && is_same(v.w, other.w));
    for (size_t i = 0; i < s->count; i++) {
        s->contacts[i].z = before[i];
        adjoints[i].z1 = s->after[i];
    }
    br_step_vjp(&body, &record, load, h, s->contacts, adjoints, s->count, &io, s->work);
    compare(&body, &record, load, h, s, &io);
    for (size_t i = 0; i < s->count; i++) {
        free(copy[i]);
        free(s->after[i]);
    }
}

static void step_host(input* in, scene* s, double h)
{
    br_step_host host = br_step_host_default(0.1, 1e-4);
    vary(in, &host.inverse_mass[0][0]);
    vary(in, &host.inverse_mass[2][2]);
    const double fn = take_number(in), square = take_number(in);
    if (fn > 0.0 && square > 0.0) {
        br_step_host_guess(&host, fn, square);
    }
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
    if (s.count > 0 && !(h <= 0.0)) {
        steps[which](&in, &s, h);
    }
    destroy_scene(&s);
    return 0;
}
