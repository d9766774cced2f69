/*
 * Planar contacts: bristle/contact.h.
 *
 * A patch that changes with the normal force is spread to the force of each element, in memory that the
 * contact keeps: a module of WebAssembly has one thread.
 */
#include "contact.h"

#include <string.h>

#include "bristle/batch.h"
#include "glue.h"

static held_contact* hold(br_contact* contact)
{
    held_contact* held = br_allocate(1, sizeof *held);
    const size_t bytes = br_contact_get_spread_size(contact);
    void* memory = held && bytes > 0 ? br_allocate(bytes, 1) : NULL;
    if (!held || (bytes > 0 && !memory)) {
        br_release(held);
        br_contact_destroy(contact);
        return fail(BR_ERR_MEMORY, &(br_reason){"", ""});
    }
    *held = (held_contact){contact, br_contact_get_state_count(contact),
                           br_contact_get_part_count(contact), memory};
    return held;
}

// `patch` and `surface` may be NULL; `n`: r, u, cop (2)
EXPORT(held_contact*, contact_make, const br_patch* patch, const br_law* law, int method,
       size_t resolution, const br_limit* surface, const double* n, int guard)
{
    br_contact_def def = br_contact_def_default();
    def.method = (br_method)method;
    def.law = *law;
    def.patch = patch;
    def.resolution = resolution;
    def.surface = surface;
    def.r = n[0];
    def.u = n[1];
    def.cop = (br_vec2){n[2], n[3]};
    def.guard = guard;
    br_contact* contact;
    br_reason why = {"", ""};
    const br_status status = br_contact_create(&def, &contact, &why);
    return status == BR_OK ? hold(contact) : fail(status, &why);
}

EXPORT(void, contact_destroy, held_contact* c)
{
    br_contact_destroy(c->contact);
    br_release(c->memory);
    br_release(c);
}

// states, parts, resolution, cop (2), r, u, angle
EXPORT(void, contact_numbers, const held_contact* c, double* out)
{
    const br_patch_value value = br_contact_get_patch_value(c->contact);
    out[0] = (double)c->states;
    out[1] = (double)c->parts;
    out[2] = (double)br_contact_get_def(c->contact)->resolution;
    out[3] = value.cop.x;
    out[4] = value.cop.y;
    out[5] = value.r;
    out[6] = value.u;
    out[7] = br_contact_get_part(c->contact, 0).angle;
}

static const br_contact* at(const held_contact* c, double fn)
{
    return c->memory ? br_contact_spread(c->contact, fn, c->memory) : c->contact;
}

enum { AT_ONCE = 64 }; // contacts handed to a batch

// Contacts that lie one after another, as bristle/batch.h wants them.
static size_t list(const held_contact* c, size_t left, br_batch_contact contacts[AT_ONCE])
{
    const size_t count = left < AT_ONCE ? left : AT_ONCE;
    for (size_t i = 0; i < count; i++) {
        contacts[i].contact = c->contact;
        contacts[i].state = i * c->states;
    }
    return count;
}

EXPORT(void, contact_eval, const held_contact* c, size_t count, const double* z, const double* v,
       const double* fn, double* f, double* dz)
{
    if (c->memory || count == 1) {
        for (size_t i = 0; i < count; i++) {
            put_wrench(f, i,
                       br_contact_eval(at(c, fn[i]), z + i * c->states, twist_at(v, i), fn[i],
                                       dz + i * c->states));
        }
        return;
    }
    br_batch_contact contacts[AT_ONCE];
    for (size_t i = 0, some; i < count; i += some) {
        some = list(c, count - i, contacts);
        br_batch_eval(contacts, some, z + i * c->states, (const br_twist*)(const void*)(v + 3 * i),
                      fn + i, dz + i * c->states, (br_wrench*)(void*)(f + 3 * i));
    }
}

// `energy` may be NULL: stored, work, dissipated of each
EXPORT(void, contact_step, const held_contact* c, size_t count, double* z, const double* v,
       const double* fn, double h, double* f, double* energy)
{
    br_step_energy* to = (br_step_energy*)(void*)energy;
    if (c->memory || count == 1) {
        for (size_t i = 0; i < count; i++) {
            put_wrench(f, i,
                       br_contact_step(at(c, fn[i]), z + i * c->states, twist_at(v, i), fn[i], h,
                                       to ? to + i : NULL));
        }
        return;
    }
    br_batch_contact contacts[AT_ONCE];
    for (size_t i = 0, some; i < count; i += some) {
        some = list(c, count - i, contacts);
        br_batch_step(contacts, some, z + i * c->states, (const br_twist*)(const void*)(v + 3 * i),
                      fn + i, h, (br_wrench*)(void*)(f + 3 * i), to ? to + i : NULL);
    }
}

// `z` may be NULL: the states
EXPORT(void, contact_steady, const held_contact* c, size_t count, const double* v, const double* fn,
       double* f, double* z)
{
    for (size_t i = 0; i < count; i++) {
        double* state = z ? z + i * c->states : NULL;
        put_wrench(f, i, br_contact_steady_eval(at(c, fn[i]), twist_at(v, i), fn[i], state));
    }
}

EXPORT(void, contact_load, const held_contact* c, size_t count, const double* z, const double* v,
       const double* fn, double* load)
{
    for (size_t i = 0; i < count; i++) {
        load[i] = br_contact_load_eval(at(c, fn[i]), z + i * c->states, twist_at(v, i), fn[i]);
    }
}

EXPORT(void, contact_stored, const held_contact* c, size_t count, const double* z, const double* fn,
       double* stored)
{
    for (size_t i = 0; i < count; i++) {
        stored[i] = br_contact_stored(at(c, fn[i]), z + i * c->states, fn[i]);
    }
}

// `before` and `state`: 0 sticks, 1 slips, 2 is open
EXPORT(void, contact_slip, const held_contact* c, size_t count, const double* z, const double* v,
       const double* fn, const double* before, double* rate, double* state, double* margin)
{
    for (size_t i = 0; i < count; i++) {
        const br_contact_state was = before[i] == BR_SLIP ? BR_SLIP : BR_STICK;
        const br_contact_slip slip =
            br_contact_slip_eval(at(c, fn[i]), z + i * c->states, twist_at(v, i), fn[i], was, NULL);
        rate[i] = slip.slip_rate;
        state[i] = (double)slip.state;
        margin[i] = slip.margin;
    }
}

// f_z (3 x states), f_v (3 x 3), f_fn (3), dz_z (k k x parts), dz_v (3 k x parts); k bristles in a part
EXPORT(void, contact_gradient, const held_contact* c, size_t count, const double* z,
       const double* v, const double* fn, double* f_z, double* f_v, double* f_fn, double* dz_z,
       double* dz_v)
{
    const size_t k = c->states / c->parts;
    for (size_t i = 0; i < count; i++) {
        br_contact_gradient out = {.f_z = f_z + i * 3 * c->states,
                                   .dz_z = dz_z + i * k * c->states,
                                   .dz_v = dz_v + i * 3 * c->states};
        br_contact_gradient_eval(at(c, fn[i]), z + i * c->states, twist_at(v, i), fn[i], &out);
        memcpy(f_v + 9 * i, out.f_v, sizeof out.f_v);
        memcpy(f_fn + 3 * i, out.f_fn, sizeof out.f_fn);
    }
}

// f (parameters x 3), dz (parameters x states)
EXPORT(void, contact_sensitivity, const held_contact* c, size_t count, const double* z,
       const double* v, const double* fn, double* f, double* dz)
{
    for (size_t i = 0; i < count; i++) {
        br_contact_sensitivity out = {.dz = dz + i * BR_BY_COUNT * c->states};
        br_contact_sensitivity_eval(at(c, fn[i]), z + i * c->states, twist_at(v, i), fn[i], &out);
        memcpy(f + i * BR_BY_COUNT * 3, out.f, sizeof out.f);
    }
}

// (parts x 6): place from the CoP (2), weight, covariance xx, xy, yy
EXPORT(void, contact_parts, const held_contact* c, double* out)
{
    for (size_t i = 0; i < c->parts; i++) {
        const br_contact_part part = br_contact_get_part(c->contact, i);
        put_three(out, 2 * i, part.position.x, part.position.y, part.weight);
        put_three(out, 2 * i + 1, part.xx, part.xy, part.yy);
    }
}

// position (parts x 2), v (parts x 2), z (parts x 2), dz (parts x 2), wrench (parts x 3)
EXPORT(void, contact_part_values, const held_contact* c, size_t count, const double* z,
       const double* v, const double* fn, br_vec2* position, br_vec2* speed, br_vec2* deflection,
       br_vec2* rate, double* wrench)
{
    for (size_t i = 0; i < count * c->parts; i++) {
        const size_t k = i / c->parts;
        const br_contact_part_value part = br_contact_part_eval(
            at(c, fn[k]), z + k * c->states, twist_at(v, k), fn[k], i % c->parts);
        position[i] = part.position;
        speed[i] = part.v;
        deflection[i] = part.z;
        rate[i] = part.dz;
        put_wrench(wrench, i, part.f);
    }
}

EXPORT(void, contact_carry, const held_contact* c, size_t count, const double* z,
       const held_contact* to, double* out)
{
    for (size_t i = 0; i < count; i++) {
        br_contact_carry(c->contact, z + i * c->states, to->contact, out + i * to->states);
    }
}
