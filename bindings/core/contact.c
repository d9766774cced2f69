/*
 * Planar contacts: bristle/contact.h, many at once by bristle/batch.h.
 *
 * A contact that depends on the normal force or on its pose is evaluated at the force of each element, and at the pose
 * of the object, in the call's memory.
 */
#include "loop.h"

#include <math.h>
#include <string.h>

#include "bristle/batch.h"

// An object with this contact at a pose, which it owns from then on.
static br_status own_contact(br_contact* contact, br_pose pose, void** made)
{
    const contact_object all = {contact,
                                br_contact_get_state_count(contact),
                                br_contact_get_part_count(contact),
                                br_contact_get_at_force_size(contact),
                                pose,
                                NULL};
    const br_status status = make_copy(BR_OK, &all, sizeof all, made);
    if (status != BR_OK) {
        br_contact_destroy(contact);
    }
    return status;
}

MAKER(contact_make)
{
    const double* n = from->numbers;
    br_contact_def def = br_contact_def_default();
    def.method = (br_method)whole_of(n[0]);
    def.resolution = whole_of(n[1]);
    def.r = n[2];
    def.u = n[3];
    def.cop = (br_vec2){n[4], n[5]};
    def.guard = n[6] != 0.0;
    def.anisotropy = (br_anisotropy){n[7], n[8], (br_axes)whole_of(n[9])};
    def.law = *(const br_law*)from->objects[0];
    def.patch = from->objects[1];
    def.surface = from->objects[2];
    def.field = from->objects[3];
    def.field_moves = n[10] != 0.0;
    br_contact* contact;
    const br_status status = br_contact_create(&def, &contact, why);
    return status == BR_OK ? own_contact(contact, (br_pose){n[11], n[12], n[13]}, made) : status;
}

// The same contact at another pose or with another law: it borrows from the first one, which the caller keeps.
MAKER(contact_place)
{
    const double* n = from->numbers;
    const contact_object* of = from->objects[1];
    br_contact_def def = br_contact_def_default();
    def.law = *(const br_law*)from->objects[0];
    def.share_geometry_of = of->contact;
    br_contact* contact;
    const br_status status = br_contact_create(&def, &contact, why);
    return status == BR_OK ? own_contact(contact, (br_pose){n[0], n[1], n[2]}, made) : status;
}

// Can the contact on this patch follow pressures? They are rows of a pressure, or of x, y and a pressure.
static br_status check_pressed(const binding_parts* from, br_reason* why)
{
    const contact_object* of = from->objects[0];
    const br_patch_def* mesh = from->objects[1] ? br_patch_get_def(from->objects[1]) : NULL;
    if (!mesh || mesh->shape != BR_SHAPE_TRIANGLES) {
        br_reason_set(why, "patch", "must be triangles, whose vertices have the pressures");
        return BR_ERR_ARG;
    }
    if (br_contact_get_at_pressure_size(of->contact) == 0) {
        br_reason_set(
            why, "method",
            "must be blocks or distributed: others have a surface of one pressure. Create a "
            "contact for each pressure, and carry its state");
        return BR_ERR_ARG;
    }
    if (from->rows != mesh->count) {
        br_reason_set(why, "pressures", "must be as many as there are vertices, %zu, got %zu",
                      mesh->count, from->rows);
        return BR_ERR_ARG;
    }
    for (size_t i = 0; i < from->rows * from->columns; i++) {
        const double number = from->table[i];
        const int is_pressure = (i + 1) % from->columns == 0;
        if (!isfinite(number) || (is_pressure && number < 0.0)) {
            br_reason_set(why, is_pressure ? "pressures" : "vertices",
                          is_pressure ? "must be >= 0 and finite, got %g at vertex %zu"
                                      : "must be finite, got %g at vertex %zu",
                          number, i / from->columns);
            return BR_ERR_ARG;
        }
    }
    return BR_OK;
}

// Write the contact at the pressures of the table to `memory`.
static br_status press(const binding_parts* from, void* memory, const br_contact** now)
{
    const contact_object* of = from->objects[0];
    if (from->columns == 1) {
        *now = br_contact_at_pressure(of->contact, NULL, from->table, memory);
        return BR_OK;
    }
    double* numbers = br_allocate(from->rows, 3 * sizeof *numbers); // vertices, then pressures
    if (!numbers) {
        return BR_ERR_MEMORY;
    }
    double* pressures = numbers + 2 * from->rows;
    for (size_t i = 0; i < from->rows; i++) {
        const double* row = from->table + 3 * i;
        put_vec2(numbers, i, (br_vec2){row[0], row[1]});
        pressures[i] = row[2];
    }
    *now = br_contact_at_pressure(of->contact, (const br_vec2*)(const void*)numbers, pressures,
                                  memory);
    br_release(numbers);
    return BR_OK;
}

// The same contact at other pressures: it borrows from the first one, which the caller keeps.
MAKER(contact_press)
{
    const contact_object* of = from->objects[0];
    br_status status = check_pressed(from, why);
    if (status != BR_OK) {
        return status;
    }
    contact_object all = *of;
    all.pressed = br_allocate(1, br_contact_get_at_pressure_size(of->contact));
    const br_contact* now = NULL;
    status = all.pressed ? press(from, all.pressed, &now) : BR_ERR_MEMORY;
    all.contact = (br_contact*)now; // in memory of ours
    status = make_copy(status, &all, sizeof all, made);
    if (status != BR_OK) {
        br_release(all.pressed);
    }
    return status;
}

LOOP(contact_numbers)
{
    const contact_object* c = object;
    const br_patch_value value = br_contact_get_patch_value(c->contact);
    *args[0] = (double)c->states;
    *args[1] = (double)c->parts;
    *args[2] = (double)br_contact_get_def(c->contact)->resolution;
    put_vec2(args[3], 0, value.cop);
    *args[4] = value.r;
    *args[5] = value.u;
    *args[6] = br_contact_get_part(c->contact, 0).angle;
    const br_anisotropy* a = &br_contact_get_def(c->contact)->anisotropy;
    put_three(args[7], 0, a->ratio, a->angle, (double)a->axes);
}

static const br_contact* at(const contact_object* c, double fn, void* memory)
{
    return memory ? br_contact_at(c->contact, fn, c->pose, memory) : c->contact;
}

// A contact on its field, at the force of its creation.
static const br_contact* placed(const contact_object* c, void* memory)
{
    return br_contact_depends_on_pose(c->contact) ? at(c, 1.0, memory) : c->contact;
}

LOOP(contact_centres)
{
    const br_contact_centres centres = br_contact_get_centres(placed(object, memory));
    put_vec2(args[0], 0, centres.pressure);
    put_vec2(args[1], 0, centres.friction);
    *args[2] = centres.factor;
}

// position from the CoP, weight, covariance xx, xy, yy
LOOP(contact_parts)
{
    const contact_object* c = object;
    const br_contact* now = placed(c, memory);
    for (size_t i = 0; i < c->parts; i++) {
        const br_contact_part part = br_contact_get_part(now, i);
        put_vec2(args[0], i, part.position);
        args[1][i] = part.weight;
        put_three(args[2], i, part.xx, part.xy, part.yy);
    }
}

enum { AT_ONCE = 256 }; // contacts per call of br_batch_*()

// Fill a list of contacts for bristle/batch.h, with consecutive states. Returns their number.
static size_t fill_batch(const contact_object* c, size_t left, br_batch_contact contacts[AT_ONCE])
{
    const size_t count = left < AT_ONCE ? left : AT_ONCE;
    for (size_t i = 0; i < count; i++) {
        contacts[i].contact = c->contact;
        contacts[i].state = i * c->states;
    }
    return count;
}

LOOP(contact_eval)
{
    const contact_object* c = object;
    const double *z = args[0], *v = args[1], *fn = args[2];
    double *f = args[3], *dz = args[4];
    if (memory || count == 1) {
        for (size_t i = 0; i < count; i++) {
            put_wrench(f, i,
                       br_contact_eval(at(c, fn[i], memory), z + i * c->states, twist_at(v, i),
                                       fn[i], dz + i * c->states));
        }
        return;
    }
    br_batch_contact contacts[AT_ONCE];
    for (size_t i = 0, some; i < count; i += some) {
        some = fill_batch(c, count - i, contacts);
        br_batch_eval(contacts, some, z + i * c->states, (const br_twist*)(const void*)(v + 3 * i),
                      fn + i, dz + i * c->states, (br_wrench*)(void*)(f + 3 * i));
    }
}

LOOP(contact_step)
{
    const contact_object* c = object;
    const double *v = args[1], *fn = args[2], h = scalars[0];
    double *z = args[0], *f = args[3];
    br_step_energy* energy = (br_step_energy*)(void*)args[4];
    if (memory || count == 1) {
        for (size_t i = 0; i < count; i++) {
            put_wrench(f, i,
                       br_contact_step(at(c, fn[i], memory), z + i * c->states, twist_at(v, i),
                                       fn[i], h, energy ? energy + i : NULL));
        }
        return;
    }
    br_batch_contact contacts[AT_ONCE];
    for (size_t i = 0, some; i < count; i += some) {
        some = fill_batch(c, count - i, contacts);
        br_batch_step(contacts, some, z + i * c->states, (const br_twist*)(const void*)(v + 3 * i),
                      fn + i, h, (br_wrench*)(void*)(f + 3 * i), energy ? energy + i : NULL);
    }
}

EACH(contact_steady)
{
    const contact_object* c = object;
    const double fn = args[1][i];
    double* z = args[3] ? args[3] + i * c->states : NULL;
    put_wrench(args[2], i, br_contact_steady_eval(at(c, fn, memory), twist_at(args[0], i), fn, z));
}

EACH(contact_load)
{
    const contact_object* c = object;
    const double fn = args[2][i];
    args[3][i] =
        br_contact_load_eval(at(c, fn, memory), args[0] + i * c->states, twist_at(args[1], i), fn);
}

EACH(contact_stored)
{
    const contact_object* c = object;
    const double fn = args[1][i];
    args[2][i] = br_contact_stored(at(c, fn, memory), args[0] + i * c->states, fn);
}

// `before` and the state: 0 sticks, 1 slips, 2 is open
EACH(contact_slip)
{
    const contact_object* c = object;
    const double fn = args[2][i];
    const br_slip_state before = args[3][i] == BR_STATE_SLIP ? BR_STATE_SLIP : BR_STATE_STICK;
    const br_contact_slip slip = br_contact_slip_eval(at(c, fn, memory), args[0] + i * c->states,
                                                      twist_at(args[1], i), fn, before, NULL);
    args[4][i] = slip.slip_rate;
    args[5][i] = (double)slip.state;
    args[6][i] = slip.margin;
}

EACH(contact_gradient)
{
    const contact_object* c = object;
    const size_t k = c->states / c->parts;
    const double fn = args[2][i];
    br_contact_gradient out = {.f_z = args[3] + i * 3 * c->states,
                               .dz_z = args[6] + i * k * c->states,
                               .dz_v = args[7] + i * 3 * c->states};
    br_contact_gradient_eval(at(c, fn, memory), args[0] + i * c->states, twist_at(args[1], i), fn,
                             &out);
    memcpy(args[4] + 9 * i, out.f_v, sizeof out.f_v);
    memcpy(args[5] + 3 * i, out.f_fn, sizeof out.f_fn);
}

LOOP(contact_part_values)
{
    const contact_object* c = object;
    for (size_t i = 0; i < count * c->parts; i++) {
        const size_t k = i / c->parts;
        const double fn = args[2][k];
        const br_contact_part_value part = br_contact_part_eval(
            at(c, fn, memory), args[0] + k * c->states, twist_at(args[1], k), fn, i % c->parts);
        put_vec2(args[3], i, part.position);
        put_vec2(args[4], i, part.v);
        put_vec2(args[5], i, part.z);
        put_vec2(args[6], i, part.dz);
        put_wrench(args[7], i, part.f);
    }
}

EACH(contact_carry)
{
    const contact_object *c = object, *to = (const void*)args[2];
    br_contact_carry(c->contact, args[0] + i * c->states, to->contact, args[1] + i * to->states);
}
