/*
 * The functions of bindings/core/table.inc for JavaScript, which has the signatures in table.js (make.sh).
 */
#include "bristle/grasp.h"
#include "glue.h"

// N and n of an object that a line computes with, and the memory that it needs [bytes].
EXPORT(const binding_sizes*, binding_sizes_of, size_t index, const void* object)
{
    static binding_sizes sizes;
    const binding_kind_facts* kind = &binding_kinds[bindings[index].kind];
    sizes = kind->get_sizes ? kind->get_sizes(object) : (binding_sizes){0};
    return &sizes;
}

// `memory`: zeroed, of the size that the object needs
EXPORT(void, binding_call, size_t index, const void* object, const double* scalars, size_t count,
       double* const* args, void* memory)
{
    bindings[index].loop(object, scalars, count, args, memory);
}

// `from`: six words
EXPORT(void*, binding_make, size_t index, const binding_parts* from)
{
    void* made;
    br_reason why = {"", ""};
    const br_status status = bindings[index].make(from, &made, &why);
    return status == BR_OK ? made : fail(status, &why);
}

// The object that a line created.
EXPORT(void, binding_destroy, size_t index, void* object)
{
    binding_kinds[bindings[index].kind].destroy(object);
}

// Grip of a patch that depends on the force; returns 1, or 0 and sets last_error()
EXPORT(int, grip_patch, const br_patch* patch, double mu, size_t count, const double* load,
       double* out)
{
    br_reason why = {"", ""};
    br_status status = BR_OK;
    for (size_t i = 0; status == BR_OK && i < count; i++) {
        status = br_grasp_patch_get_force(patch, mu, wrench_at(load, i), &out[i], &why);
    }
    return passed(status, &why);
}
