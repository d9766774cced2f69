/// @file worlds_opencl.h
/// Worlds (worlds.h) on a device of OpenCL, in libbristle-opencl (CMake option BRISTLE_OPENCL).
///
/// The kernel is the text of the C lanes, compiled by the device's driver. It covers 1 to 4
/// contacts of BR_METHOD_ELLIPSOID with the Stribeck exponent 2, fixed to the body or to the
/// ground, in double or float. All parameters of each world, loads and normal forces of each step,
/// masks, ledger, mean wrench, passes and convergence work. What it does not cover is refused with
/// a reason: other methods and exponents by br_worlds_opencl_create(), slip state, slip rate and
/// load by br_worlds_opencl_step(). Figures: docs/explanation/worlds.md.
///
///     br_worlds_opencl* device;
///     if (br_worlds_opencl_create(worlds, BR_OPENCL_ANY, 0, 0, &device, &why) != BR_OK) { ... why.field, why.text ... }
///     if (br_worlds_opencl_step(device, &arrays, 1e-3, 100, &why) != BR_OK) { ... }
///     br_worlds_opencl_destroy(device);
#ifndef BRISTLE_WORLDS_OPENCL_H
#define BRISTLE_WORLDS_OPENCL_H

#include "bristle/worlds.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of devices.
typedef enum br_opencl_kind {
    BR_OPENCL_ANY, ///< any device, in the order of the platforms
    BR_OPENCL_CPU, ///< processors
    BR_OPENCL_GPU  ///< graphics processors
} br_opencl_kind;

/// Worlds on a device: its program and memory. One thread at a time.
typedef struct br_worlds_opencl br_worlds_opencl;

/// Compile the step of worlds for a device.
/// @param worlds    definition and templates, borrowed until br_worlds_opencl_destroy()
/// @param kind      which devices are counted
/// @param index     of the device among those of this kind, over all platforms; 0: the first
/// @param lanes     worlds in a vector: 1, 2, 4, 8 or 16; 0: 1 on a GPU, otherwise 8 doubles or 16 floats
/// @param[out] out  the worlds on the device, or NULL on failure; free them with br_worlds_opencl_destroy()
/// @param[out] why  may be NULL; why not, with the start of the driver's message where compiling fails
/// @return BR_OK, BR_ERR_ARG (kind, index, lanes), BR_ERR_DEF (worlds that the kernel does not cover), BR_ERR_ABSENT (no
///         platform, no device, a device without doubles, a driver that fails) or BR_ERR_MEMORY
BR_API br_status br_worlds_opencl_create(const br_worlds* worlds, br_opencl_kind kind, size_t index,
                                         int lanes, br_worlds_opencl** out, br_reason* why);

/// Free them; NULL is allowed.
BR_API void br_worlds_opencl_destroy(br_worlds_opencl* device);

/// Name of the device as its driver reports it, truncated to fit; not NULL.
BR_API const char* br_worlds_opencl_get_name(const br_worlds_opencl* device);

/// Worlds in one work item.
BR_API int br_worlds_opencl_get_lanes(const br_worlds_opencl* device);

/// The same as br_worlds_step(), on the device: copies the arrays there, makes all steps, copies the results back. Unlike
/// br_worlds_step() it may fail, and it allocates memory of the device where a call needs more than those before. Where it
/// fails, the arrays are as before.
/// @param arrays  the caller's; `state`, `slip_rate` and `load` of contacts must be NULL. Numbers are not checked, see
///                br_worlds_check()
/// @param h       step [s], > 0
/// @param steps   how many, < 5e8; many steps in one call save copies
/// @param[out] why  may be NULL
/// @return BR_OK, BR_ERR_ARG, BR_ERR_MEMORY (of the device) or BR_ERR_ABSENT (the driver fails)
BR_API br_status br_worlds_opencl_step(br_worlds_opencl* device, const br_worlds_arrays* arrays,
                                       double h, size_t steps, br_reason* why);

#ifdef __cplusplus
}
#endif

#endif
