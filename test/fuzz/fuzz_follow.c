/*
 * Contacts and surfaces that follow the force, the pose and the pressure; derivatives of their steps; batches of them; a
 * contact that shares the geometry of another one.
 */
#include "fuzz.h"

#include <stdlib.h>

enum { VERTICES = 8, BATCH = 5 };

// A step at these bristles, then its derivatives in both directions.
static void differentiate(const br_contact* contact, double fn, const br_contact_slopes* slopes,
                          input* in)
{
    const size_t states = br_contact_get_state_count(contact);
    double *z0 = take_states(in, contact), *z1 = calloc(4 * states, sizeof *z1), *bar = z1 + states;
    const br_twist v = take_twist(in);
    double h = 1e-3;
    vary(in, &h);
    if (h > 0.0) {
        for (size_t i = 0; i < states; i++) {
            z1[i] = z0[i];
            bar[i] = 1.0;
        }
        br_contact_step(contact, z1, v, fn, h, NULL);
        br_contact_step_adjoint back = {.f_bar = take_wrench(in),
                                        .z1_bar = bar,
                                        .by_law = take_byte(in) & 1,
                                        .slopes = slopes,
                                        .z0_bar = bar + states};
        br_contact_step_vjp(contact, z0, z1, v, fn, h, &back);
        br_contact_step_tangent forth = {
            .z0_dot = bar, .slopes = slopes, .v = v, .fn = 1.0, .z1_dot = bar + states};
        br_contact_step_jvp(contact, z0, z1, v, fn, h, &forth);
    }
    free(z0);
    free(z1);
}

static void follow_force(const br_contact* contact, input* in)
{
    void* memory = calloc(1, br_contact_get_at_force_size(contact) + 1);
    for (int i = 0; i < 3; i++) {
        double fn = 1.0;
        vary(in, &fn);
        const br_pose pose = {take_number(in), 0.0, take_number(in)};
        const br_contact* at = br_contact_at(contact, fn, pose, memory);
        void* more = calloc(1, br_contact_slopes_get_size(contact) + 1);
        const br_contact_slopes* slopes = br_contact_slopes_at(contact, fn, pose, more);
        br_contact_get_patch_value(at);
        if (slopes) {
            br_contact_slopes_get_patch_value(slopes);
        }
        differentiate(at, fn, slopes, in);
        free(more);
    }
    free(memory);
}

static void follow_pressure(const br_contact* contact, input* in)
{
    const size_t size = br_contact_get_at_pressure_size(contact);
    br_vec2 vertices[VERTICES];
    double pressures[VERTICES];
    void* memory = calloc(1, size + 1);
    for (int i = 0; size > 0 && i < 3; i++) {
        take_numbers(in, pressures, VERTICES);
        for (size_t k = 0; k < VERTICES; k++) {
            vertices[k] = (br_vec2){take_number(in), take_number(in)};
        }
        const br_vec2* moved = take_byte(in) & 1 ? vertices : NULL;
        const double fn = take_number(in);
        differentiate(br_contact_at_pressure(contact, moved, pressures, memory), fn, NULL, in);
    }
    free(memory);
}

static void share(const br_contact* contact, input* in)
{
    br_contact* other = NULL;
    br_reason why;
    br_contact_def def = br_contact_def_default();
    def.law = take_law(in);
    def.share_geometry_of = contact;
    if (br_contact_create(&def, &other, &why) == BR_OK) {
        differentiate(other, 1.0, NULL, in);
        br_contact_destroy(other);
    } else if (other || !*why.text) {
        abort();
    }
}

// Arrays of a reduced contact or an ellipsoid: each of them is the single call.
static void batch_arrays(const br_contact* contact, const double z[3][BATCH], const br_twist* v,
                         const double* fn, double h)
{
    double to[3][BATCH], by[3][BATCH], f[3][BATCH], energy[3][BATCH], twist[3][BATCH];
    for (size_t i = 0; i < BATCH; i++) {
        twist[0][i] = v[i].vx, twist[1][i] = v[i].vy, twist[2][i] = v[i].w;
        for (size_t k = 0; k < 3; k++) {
            to[k][i] = z[k][i];
        }
    }
    const br_batch_arrays rates = {BATCH, z[0],  z[1],  z[2],  twist[0], twist[1], twist[2],
                                   fn,    by[0], by[1], by[2], f[0],     f[1],     f[2]};
    br_batch_arrays_eval(contact, &rates);
    for (size_t i = 0; i < BATCH; i++) {
        double dz[3];
        const double own[3] = {z[0][i], z[1][i], z[2][i]};
        const br_wrench one = br_contact_eval(contact, own, v[i], fn[i], dz);
        demand(is_same(one.fx, f[0][i]) && is_same(one.fy, f[1][i]) && is_same(one.tau, f[2][i]));
        demand(is_same(dz[0], by[0][i]) && is_same(dz[1], by[1][i]) && is_same(dz[2], by[2][i]));
    }
    if (!(h > 0.0)) {
        return;
    }
    const br_batch_step_arrays steps = {BATCH,    to[0],     to[1],     to[2],    twist[0],
                                        twist[1], twist[2],  fn,        f[0],     f[1],
                                        f[2],     energy[0], energy[1], energy[2]};
    br_batch_arrays_step(contact, &steps, h);
    for (size_t i = 0; i < BATCH; i++) {
        double own[3] = {z[0][i], z[1][i], z[2][i]};
        br_step_energy e;
        const br_wrench one = br_contact_step(contact, own, v[i], fn[i], h, &e);
        demand(is_same(one.fx, f[0][i]) && is_same(one.fy, f[1][i]) && is_same(one.tau, f[2][i]));
        demand(is_same(own[0], to[0][i]) && is_same(own[1], to[1][i]) && is_same(own[2], to[2][i]));
        demand(is_same(e.stored, energy[0][i]) && is_same(e.work, energy[1][i]) &&
               is_same(e.dissipated, energy[2][i]));
    }
}

static void batch(const br_contact* contact, input* in)
{
    const size_t states = br_contact_get_state_count(contact);
    double *z = calloc(3 * states * BATCH, sizeof *z), *dz = z + states * BATCH, fn[BATCH];
    double *single = dz + states * BATCH, rows[3][BATCH] = {{0.0}};
    br_batch_contact contacts[BATCH];
    br_twist v[BATCH];
    br_wrench f[BATCH];
    br_step_energy energy[BATCH];
    const bool is_fixed = br_contact_get_at_force_size(contact) == 0;
    double h = 1e-3;
    vary(in, &h);
    for (size_t i = 0; i < BATCH; i++) {
        contacts[i] = (br_batch_contact){contact, i * states};
        v[i] = take_twist(in);
        fn[i] = is_fixed ? take_number(in) : 1.0;
        z[i * states] = take_number(in);
    }
    br_batch_eval(contacts, BATCH, z, v, fn, dz, f);
    for (size_t i = 0; i < BATCH; i++) {
        const br_wrench one = br_contact_eval(contact, z + i * states, v[i], fn[i], single);
        demand(is_same(one.fx, f[i].fx) && is_same(one.fy, f[i].fy) && is_same(one.tau, f[i].tau));
        for (size_t k = 0; k < states; k++) {
            demand(is_same(single[k], dz[i * states + k]));
            rows[k % 3][i] = k < 3 ? z[i * states + k] : rows[k % 3][i];
        }
    }
    const br_method method = br_contact_get_def(contact)->method;
    if (method == BR_METHOD_REDUCED || method == BR_METHOD_ELLIPSOID) {
        batch_arrays(contact, (const double(*)[BATCH])rows, v, fn, h);
    }
    if (h > 0.0) {
        for (size_t k = 0; k < states * BATCH; k++) {
            single[k] = z[k];
        }
        br_batch_step(contacts, BATCH, z, v, fn, h, f, energy);
        for (size_t i = 0; i < BATCH; i++) {
            const br_wrench one =
                br_contact_step(contact, single + i * states, v[i], fn[i], h, NULL);
            demand(is_same(one.fx, f[i].fx) && is_same(one.fy, f[i].fy) &&
                   is_same(one.tau, f[i].tau));
        }
    }
    free(z);
}

static void follow_surface(input* in)
{
    br_patch* patch = take_patch(in);
    br_limit_def def = br_limit_def_default();
    br_limit* surface = NULL;
    def.patch = patch;
    def.method = (br_limit_method)take_choice(in, 8);
    def.n = 3;
    def.resolution = 4;
    if (patch && br_limit_create(&def, &surface, NULL) == BR_OK) {
        void* memory = calloc(1, br_limit_get_at_force_size(surface) + 1);
        for (int i = 0; i < 3; i++) {
            const br_limit* at = br_limit_at_force(surface, take_number(in), memory);
            br_twist slide;
            br_limit_eval(at, take_twist(in));
            br_limit_gauge(at, take_wrench(in), &slide);
            br_limit_get_patch_value(at);
        }
        free(memory);
        br_limit_destroy(surface);
    }
    br_patch_destroy(patch);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static void (*const uses[])(const br_contact*, input*) = {follow_force, follow_pressure, share,
                                                              batch};
    enum { USES = sizeof uses / sizeof *uses };
    input in = {data, size};
    const size_t which = take_index(&in, USES + 1);
    if (which == USES) {
        follow_surface(&in);
        return 0;
    }
    br_contact* contact = take_contact(&in);
    if (contact) {
        uses[which](contact, &in);
    }
    br_contact_destroy(contact);
    return 0;
}
