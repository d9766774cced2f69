/*
 * Rows of the caller's arrays in the device's memory: one block of numbers of the worlds' type, a row for each row of each array,
 * filled up to full groups with the last world.
 */
#include "opencl_internal.h"

#include <string.h>

// --- which rows -------------------------------------------------------------------------------------------

// Add an array; returns its first row plus 1, or 0 if the caller does not have it.
static int add(call_rows* r, const void* from, void* to, size_t count, row_kind kind)
{
    if (!from && !to) {
        return 0;
    }
    BR_ASSERT(r->array_count < MOST_ARRAYS);
    r->arrays[r->array_count++] =
        (array_rows){.from = from, .to = to, .first = r->rows, .count = count, .kind = kind};
    r->rows += count;
    return (int)(r->rows - count + 1);
}

static int add_input(call_rows* r, const void* from, size_t count)
{
    return add(r, from, NULL, count, ROWS_OF_REALS);
}

static void add_contact(call_rows* r, size_t k)
{
    const br_worlds_contact_arrays* own = &r->a->contacts[k];
    const size_t forces = own->fn_steps > 1 ? own->fn_steps : 1;
    r->device.contacts[k] = (device_contact_arrays){
        .z = add(r, own->z, own->z, br_worlds_get_state_count(r->w, k), ROWS_OF_REALS),
        .fn = add_input(r, own->fn, forces),
        .fn_steps = (int)forces,
        .position = add_input(r, own->position, 2),
        .angle = add_input(r, own->angle, 1),
        .scale = add_input(r, own->scale, 1),
        .mu_c = add_input(r, own->mu_c, 1),
        .mu_s = add_input(r, own->mu_s, 1),
        .v_stribeck = add_input(r, own->v_stribeck, 1),
        .sigma0 = add_input(r, own->sigma0, 1),
        .sigma1 = add_input(r, own->sigma1, 1),
        .sigma2 = add_input(r, own->sigma2, 1),
        .s_ba = add_input(r, own->s_ba, 1),
        .v_damping = add_input(r, own->v_damping, 1),
        .ratio = add_input(r, own->ratio, 1),
        .ground = add_input(r, own->ground, 3),
        .f = add(r, NULL, own->f, 3, ROWS_OF_REALS)};
}

call_rows bri_opencl_rows(const br_worlds* w, const br_worlds_arrays* a, size_t lanes)
{
    call_rows r = {.w = w, .a = a};
    const size_t loads = a->load_steps > 1 ? a->load_steps : 1;
    r.bytes = w->def.type == BR_WORLDS_FLOAT ? sizeof(float) : sizeof(double);
    r.stride = (a->count + lanes - 1) / lanes * lanes;
    r.device.pose = add(&r, a->pose, a->pose, 3, ROWS_OF_REALS);
    r.device.twist = add(&r, a->twist, a->twist, 3, ROWS_OF_REALS);
    r.device.mass = add_input(&r, a->mass, 1);
    r.device.inertia = add_input(&r, a->inertia, 1);
    r.device.load = add_input(&r, a->load, 3 * loads);
    r.device.load_steps = (int)loads;
    r.device.mask = add(&r, a->mask, NULL, 1, ROWS_OF_BYTES);
    r.device.ledger = add(&r, NULL, a->ledger, BR_WORLDS_LEDGER_ROWS, ROWS_OF_REALS);
    r.device.passes = add(&r, NULL, a->passes, 1, ROWS_OF_INTS);
    r.device.converged = add(&r, NULL, a->converged, 1, ROWS_OF_BYTES);
    for (size_t k = 0; k < w->def.contact_count; k++) {
        add_contact(&r, k);
    }
    return r;
}

// --- copies -----------------------------------------------------------------------------------------------

// Fill a row up with its last world.
static void fill_up(const call_rows* r, char* row)
{
    const char* last = row + (r->a->count - 1) * r->bytes;
    for (size_t i = r->a->count; i < r->stride; i++) {
        memcpy(row + i * r->bytes, last, r->bytes);
    }
}

static void copy_row_in(const call_rows* r, const array_rows* array, size_t k, char* row)
{
    const size_t n = r->a->count, at = k * worlds_stride(r->a);
    if (array->kind == ROWS_OF_REALS) {
        memcpy(row, (const char*)array->from + at * r->bytes, n * r->bytes);
    } else {
        for (size_t i = 0; i < n; i++) {
            worlds_put(r->w, row, i, ((const uint8_t*)array->from)[i] ? 1.0 : 0.0);
        }
    }
    fill_up(r, row);
}

void bri_opencl_copy_in(const call_rows* r, void* memory)
{
    for (size_t j = 0; j < r->array_count; j++) {
        const array_rows* array = &r->arrays[j];
        for (size_t k = 0; array->from && k < array->count; k++) {
            copy_row_in(r, array, k, (char*)memory + (array->first + k) * r->stride * r->bytes);
        }
    }
}

// Number i of a row of the device into element `at` of the caller's array.
static void copy_number_out(const call_rows* r, const array_rows* array, size_t at, const char* row,
                            size_t i)
{
    switch (array->kind) {
    case ROWS_OF_REALS:
        memcpy((char*)array->to + at * r->bytes, row + i * r->bytes, r->bytes);
        break;
    case ROWS_OF_BYTES:
        ((uint8_t*)array->to)[at] = (uint8_t)worlds_get(r->w, row, i);
        break;
    case ROWS_OF_INTS:
        ((int32_t*)array->to)[at] = (int32_t)worlds_get(r->w, row, i);
        break;
    }
}

static void copy_row_out(const call_rows* r, const array_rows* array, size_t k, const char* row)
{
    const size_t n = r->a->count, at = k * worlds_stride(r->a);
    if (array->kind == ROWS_OF_REALS && !r->a->mask) {
        memcpy((char*)array->to + at * r->bytes, row, n * r->bytes);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (!r->a->mask || r->a->mask[i]) {
            copy_number_out(r, array, at + i, row, i);
        }
    }
}

void bri_opencl_copy_out(const call_rows* r, const void* memory)
{
    for (size_t j = 0; j < r->array_count; j++) {
        const array_rows* array = &r->arrays[j];
        for (size_t k = 0; array->to && k < array->count; k++) {
            copy_row_out(r, array, k,
                         (const char*)memory + (array->first + k) * r->stride * r->bytes);
        }
    }
}
