/*
 * Worlds on a device of OpenCL: the device, its program, and steps. One buffer holds what the worlds share, one which rows a call
 * has, one all rows (rows.c).
 */
#include "opencl_internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct br_worlds_opencl {
    const br_worlds* worlds;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem shared, arrays, memory; // memory: NULL before the first step
    size_t bytes;                  // of memory
    int lanes;
    cl_uint units; // that compute at the same time
    char name[128];
};

// --- the device -------------------------------------------------------------------------------------------

enum { MOST_PLATFORMS = 32, MOST_DEVICES = 64 };

static cl_device_type type_of(br_opencl_kind kind)
{
    return kind == BR_OPENCL_CPU   ? CL_DEVICE_TYPE_CPU
           : kind == BR_OPENCL_GPU ? CL_DEVICE_TYPE_GPU
                                   : CL_DEVICE_TYPE_ALL;
}

// The device of this kind with an index over all platforms.
static br_status find_device(br_opencl_kind kind, size_t index, cl_device_id* out, br_reason* why)
{
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint platform_count = 0;
    size_t seen = 0;
    if (clGetPlatformIDs(MOST_PLATFORMS, platforms, &platform_count) != CL_SUCCESS) {
        platform_count = 0;
    }
    if (platform_count == 0) {
        br_reason_set(why, "", "there is no OpenCL platform: install the driver of a device");
        return BR_ERR_ABSENT;
    }
    for (cl_uint p = 0; p < platform_count && p < MOST_PLATFORMS; p++) {
        cl_device_id devices[MOST_DEVICES];
        cl_uint count = 0;
        if (clGetDeviceIDs(platforms[p], type_of(kind), MOST_DEVICES, devices, &count) !=
            CL_SUCCESS) {
            continue; // it has none of this kind
        }
        count = count < MOST_DEVICES ? count : MOST_DEVICES;
        if (index < seen + count) {
            *out = devices[index - seen];
            return BR_OK;
        }
        seen += count;
    }
    br_reason_set(why, "index", "there are %zu devices of this kind, got index %zu", seen, index);
    return seen > 0 ? BR_ERR_ARG : BR_ERR_ABSENT;
}

static int is_float(const br_worlds_opencl* o)
{
    return o->worlds->def.type == BR_WORLDS_FLOAT;
}

static br_status check_doubles(const br_worlds_opencl* o, br_reason* why)
{
    cl_device_fp_config doubles = 0;
    const cl_int error =
        clGetDeviceInfo(o->device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL);
    if (!is_float(o) && (error != CL_SUCCESS || doubles == 0)) {
        br_reason_set(why, "worlds", "%.100s has no doubles: use worlds of BR_WORLDS_FLOAT",
                      o->name);
        return BR_ERR_ABSENT;
    }
    return BR_OK;
}

// One world in a work item of a GPU, whose threads are lanes; vectors of 512 bits elsewhere.
static int lanes_for(const br_worlds_opencl* o)
{
    cl_device_type type = 0;
    clGetDeviceInfo(o->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    return type & CL_DEVICE_TYPE_GPU ? 1 : is_float(o) ? 16 : 8;
}

static br_status choose_device(br_worlds_opencl* o, br_opencl_kind kind, size_t index, int lanes,
                               br_reason* why)
{
    const br_status status = find_device(kind, index, &o->device, why);
    if (status != BR_OK) {
        return status;
    }
    if (clGetDeviceInfo(o->device, CL_DEVICE_NAME, sizeof o->name, o->name, NULL) != CL_SUCCESS) {
        snprintf(o->name, sizeof o->name, "device %zu", index); // a longer name is not returned
    }
    clGetDeviceInfo(o->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof o->units, &o->units, NULL);
    o->lanes = lanes > 0 ? lanes : lanes_for(o);
    return check_doubles(o, why);
}

// --- the program ------------------------------------------------------------------------------------------

static br_status fail(const char* what, cl_int error, br_reason* why)
{
    br_reason_set(why, "", "%s failed: OpenCL error %d", what, (int)error);
    return error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_OUT_OF_RESOURCES ||
                   error == CL_OUT_OF_HOST_MEMORY || error == CL_INVALID_BUFFER_SIZE
               ? BR_ERR_MEMORY
               : BR_ERR_ABSENT;
}

static br_status fail_to_build(const br_worlds_opencl* o, cl_int error, br_reason* why)
{
    size_t size = 0;
    clGetProgramBuildInfo(o->program, o->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char* log = br_allocate(size + 1, 1);
    if (log) {
        clGetProgramBuildInfo(o->program, o->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    }
    br_reason_set(why, "", "the driver of %.60s cannot compile the step, error %d: %s", o->name,
                  (int)error, log ? log : "");
    br_release(log);
    return BR_ERR_ABSENT;
}

static br_status build(br_worlds_opencl* o, br_reason* why)
{
    const char* source = bri_opencl_source;
    char options[128];
    cl_int error = CL_SUCCESS;
    snprintf(options, sizeof options, "-cl-std=CL1.2 -DLANES=%d -DCONTACTS=%d%s", o->lanes,
             (int)o->worlds->def.contact_count,
             is_float(o) ? " -DREAL_IS_FLOAT -cl-single-precision-constant" : "");
    o->program = clCreateProgramWithSource(o->context, 1, &source, NULL, &error);
    if (error != CL_SUCCESS) {
        return fail("creating the program", error, why);
    }
    error = clBuildProgram(o->program, 1, &o->device, options, NULL, NULL);
    if (error != CL_SUCCESS) {
        return fail_to_build(o, error, why);
    }
    o->kernel = clCreateKernel(o->program, "step_worlds", &error);
    return error == CL_SUCCESS ? BR_OK : fail("creating the kernel", error, why);
}

static br_status prepare(br_worlds_opencl* o, br_reason* why)
{
    cl_int error = CL_SUCCESS;
    o->context = clCreateContext(NULL, 1, &o->device, NULL, NULL, &error);
    if (error != CL_SUCCESS) {
        return fail("creating a context", error, why);
    }
    o->queue = clCreateCommandQueue(o->context, o->device, 0, &error);
    if (error != CL_SUCCESS) {
        return fail("creating a queue", error, why);
    }
    o->shared = (is_float(o) ? bri_opencl_worlds_float
                             : bri_opencl_worlds_double)(o->context, o->worlds, &error);
    if (error == CL_SUCCESS) {
        o->arrays =
            clCreateBuffer(o->context, CL_MEM_READ_ONLY, sizeof(device_arrays), NULL, &error);
    }
    return error == CL_SUCCESS ? build(o, why) : fail("allocating memory", error, why);
}

static br_status check(const br_worlds* w, br_opencl_kind kind, int lanes, br_reason* why)
{
    if (kind != BR_OPENCL_ANY && kind != BR_OPENCL_CPU && kind != BR_OPENCL_GPU) {
        br_reason_set(why, "kind", "must be BR_OPENCL_ANY, BR_OPENCL_CPU or BR_OPENCL_GPU");
        return BR_ERR_ARG;
    }
    if (lanes < 0 || lanes > 16 || (lanes & (lanes - 1)) != 0) {
        br_reason_set(why, "lanes", "must be 0, 1, 2, 4, 8 or 16, got %d", lanes);
        return BR_ERR_ARG;
    }
    for (size_t k = 0; k < w->def.contact_count; k++) {
        if (!worlds_is_for_lanes(w->contacts[k].contact)) {
            char field[64];
            snprintf(field, sizeof field, "contacts[%zu].contact", k);
            br_reason_set(why, field,
                          "must be of BR_METHOD_ELLIPSOID with the Stribeck exponent 2: OpenCL "
                          "has nothing else");
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

br_status br_worlds_opencl_create(const br_worlds* worlds, br_opencl_kind kind, size_t index,
                                  int lanes, br_worlds_opencl** out, br_reason* why)
{
    BR_ASSERT(worlds && out);
    *out = NULL;
    br_status status = check(worlds, kind, lanes, why);
    if (status != BR_OK) {
        return status;
    }
    br_worlds_opencl* o = br_allocate(1, sizeof *o);
    if (!o) {
        br_reason_set(why, "", "no memory for worlds on a device");
        return BR_ERR_MEMORY;
    }
    o->worlds = worlds;
    status = choose_device(o, kind, index, lanes, why);
    status = status == BR_OK ? prepare(o, why) : status;
    if (status != BR_OK) {
        br_worlds_opencl_destroy(o);
        return status;
    }
    *out = o;
    return BR_OK;
}

static void release_memory(cl_mem memory)
{
    if (memory) {
        clReleaseMemObject(memory);
    }
}

void br_worlds_opencl_destroy(br_worlds_opencl* o)
{
    if (!o) {
        return;
    }
    release_memory(o->memory);
    release_memory(o->arrays);
    release_memory(o->shared);
    if (o->kernel) {
        clReleaseKernel(o->kernel);
    }
    if (o->program) {
        clReleaseProgram(o->program);
    }
    if (o->queue) {
        clReleaseCommandQueue(o->queue);
    }
    if (o->context) {
        clReleaseContext(o->context);
    }
    br_release(o);
}

const char* br_worlds_opencl_get_name(const br_worlds_opencl* o)
{
    BR_ASSERT(o);
    return o->name;
}

int br_worlds_opencl_get_lanes(const br_worlds_opencl* o)
{
    BR_ASSERT(o);
    return o->lanes;
}

// --- steps ------------------------------------------------------------------------------------------------

// Pointers, strides and steps by br_worlds_check() without worlds; numbers are not checked.
static br_status check_call(const br_worlds_opencl* o, const br_worlds_arrays* a, double h,
                            size_t steps, br_reason* why)
{
    br_worlds_arrays shape = *a;
    shape.count = 0;
    if (a->stride > 0 && a->stride < a->count) {
        br_reason_set(why, "stride", "must be 0 or at least count");
        return BR_ERR_ARG;
    }
    if (steps > INT_MAX / 4) {
        br_reason_set(why, "steps", "must be less than %d, got %zu", INT_MAX / 4, steps);
        return BR_ERR_ARG;
    }
    for (size_t k = 0; k < o->worlds->def.contact_count; k++) {
        const br_worlds_contact_arrays* own = &a->contacts[k];
        if (own->state || own->slip_rate || own->load) {
            char field[64];
            snprintf(field, sizeof field, "contacts[%zu].%s", k,
                     own->state       ? "state"
                     : own->slip_rate ? "slip_rate"
                                      : "load");
            br_reason_set(why, field, "must be NULL: OpenCL does not compute it");
            return BR_ERR_ARG;
        }
    }
    return br_worlds_check(o->worlds, &shape, h, steps, why);
}

// Memory of the device for a call.
static cl_int reserve(br_worlds_opencl* o, size_t bytes)
{
    cl_int error = CL_SUCCESS;
    if (bytes > o->bytes) {
        release_memory(o->memory);
        o->bytes = 0;
        o->memory = clCreateBuffer(o->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes,
                                   NULL, &error);
        o->bytes = error == CL_SUCCESS ? bytes : 0;
    }
    return error;
}

static void* map(br_worlds_opencl* o, cl_map_flags access, size_t bytes, cl_int* error)
{
    return clEnqueueMapBuffer(o->queue, o->memory, CL_TRUE, access, 0, bytes, 0, NULL, NULL, error);
}

static cl_int upload(br_worlds_opencl* o, const call_rows* r, size_t bytes)
{
    cl_int error = CL_SUCCESS;
    void* memory = map(o, CL_MAP_WRITE_INVALIDATE_REGION, bytes, &error);
    if (error != CL_SUCCESS) {
        return error;
    }
    bri_opencl_copy_in(r, memory);
    error = clEnqueueUnmapMemObject(o->queue, o->memory, memory, 0, NULL, NULL);
    return error != CL_SUCCESS ? error
                               : clEnqueueWriteBuffer(o->queue, o->arrays, CL_TRUE, 0,
                                                      sizeof r->device, &r->device, 0, NULL, NULL);
}

// Groups of lanes that a work item steps together: many, so that those that slip fill vectors, but all units have work.
static cl_int groups_in_item(const br_worlds_opencl* o, size_t groups)
{
    enum { WINDOW = 16 }; // as in worlds_window.inc
    const size_t share = groups / (o->units > 0 ? o->units : 1);
    return o->lanes == 1 || share < 1 ? 1 : share < WINDOW ? (cl_int)share : WINDOW;
}

static cl_int run(br_worlds_opencl* o, const call_rows* r, double h, size_t steps)
{
    const cl_ulong stride = r->stride;
    const cl_double h_double = h;
    const cl_float h_float = (cl_float)h;
    const cl_int step_count = (cl_int)steps;
    const size_t groups = r->stride / (size_t)o->lanes;
    const cl_int per_item = groups_in_item(o, groups);
    const size_t items = (groups + (size_t)per_item - 1) / (size_t)per_item, alone = 1;
    cl_int error = clSetKernelArg(o->kernel, 0, sizeof o->shared, &o->shared);
    error |= clSetKernelArg(o->kernel, 1, sizeof o->arrays, &o->arrays);
    error |= clSetKernelArg(o->kernel, 2, sizeof o->memory, &o->memory);
    error |= clSetKernelArg(o->kernel, 3, sizeof stride, &stride);
    error |= is_float(o) ? clSetKernelArg(o->kernel, 4, sizeof h_float, &h_float)
                         : clSetKernelArg(o->kernel, 4, sizeof h_double, &h_double);
    error |= clSetKernelArg(o->kernel, 5, sizeof step_count, &step_count);
    error |= clSetKernelArg(o->kernel, 6, sizeof per_item, &per_item);
    if (error != CL_SUCCESS) {
        return CL_INVALID_KERNEL_ARGS;
    }
    error = clEnqueueNDRangeKernel(o->queue, o->kernel, 1, NULL, &items,
                                   o->lanes > 1 ? &alone : NULL, 0, NULL, NULL);
    return error == CL_SUCCESS ? clFinish(o->queue) : error;
}

static cl_int download(br_worlds_opencl* o, const call_rows* r, size_t bytes)
{
    cl_int error = CL_SUCCESS;
    void* memory = map(o, CL_MAP_READ, bytes, &error);
    if (error != CL_SUCCESS) {
        return error;
    }
    bri_opencl_copy_out(r, memory);
    error = clEnqueueUnmapMemObject(o->queue, o->memory, memory, 0, NULL, NULL);
    return error == CL_SUCCESS ? clFinish(o->queue) : error;
}

br_status br_worlds_opencl_step(br_worlds_opencl* o, const br_worlds_arrays* a, double h,
                                size_t steps, br_reason* why)
{
    BR_ASSERT(o && a);
    const br_status status = check_call(o, a, h, steps, why);
    if (status != BR_OK || steps == 0 || a->count == 0) {
        return status;
    }
    const call_rows r = bri_opencl_rows(o->worlds, a, (size_t)o->lanes);
    const size_t bytes = r.rows * r.stride * r.bytes;
    cl_int error = reserve(o, bytes);
    error = error == CL_SUCCESS ? upload(o, &r, bytes) : error;
    error = error == CL_SUCCESS ? run(o, &r, h, steps) : error;
    error = error == CL_SUCCESS ? download(o, &r, bytes) : error;
    return error == CL_SUCCESS ? BR_OK : fail("the step", error, why);
}
