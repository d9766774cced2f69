/*
 * Times of the table in docs/explanation/worlds.md: 1,024 bodies between two fingers, stepped by br_worlds_step() and on the first device of
 * OpenCL. CPU time of all threads, minimum over repetitions, of one step of one world, copies included.
 */
#include "bristle/bristle.h"
#include "bristle/worlds_opencl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { WORLDS = 1024, STEPS = 40, REPETITIONS = 30 };

// pose, twist, z; mass, inertia, load, grip: doubles or floats
typedef struct scene {
    double now[9 * WORLDS], first[9 * WORLDS], mass[WORLDS], inertia[WORLDS], load[3 * WORLDS];
    double grip[STEPS * WORLDS];
} scene;

static scene scenes[2]; // the second holds the floats

static double frac(double a)
{
    return a - floor(a);
}

static void fill(scene* s)
{
    for (size_t i = 0; i < WORLDS; i++) {
        s->mass[i] = 0.1 + 0.2 * frac(0.732051 * (double)i);
        s->inertia[i] = s->mass[i] / 12.0 * (0.15 * 0.15 + 0.08 * 0.08);
        s->load[WORLDS + i] = -9.81 * s->mass[i];
        s->first[i] = 0.004 * (frac(0.618034 * (double)i) - 0.5);
        for (size_t k = 0; k < STEPS; k++) {
            const double phase = 2.0 * BR_PI * frac(0.567143 * (double)(i / 16));
            s->grip[k * WORLDS + i] =
                s->mass[i] / 0.2 *
                (1.3 + 0.9 * frac(0.236068 * (double)i) + 0.91 * sin(0.16 * (double)k + phase));
        }
    }
}

static void to_floats(scene* s)
{
    const double* from = (const double*)&scenes[0];
    float* to = (float*)s;
    for (size_t i = 0; i < sizeof(scene) / sizeof(double); i++) {
        to[i] = (float)from[i];
    }
}

static void* row(const scene* s, size_t member_offset, int is_float)
{
    const size_t bytes = is_float ? sizeof(float) : sizeof(double);
    return (char*)s + member_offset / sizeof(double) * bytes;
}

#define ROW(s, member) row(s, offsetof(scene, member), is_float)

static br_worlds_arrays arrays_of(scene* s, int is_float)
{
    const size_t bytes = is_float ? sizeof(float) : sizeof(double);
    br_worlds_arrays a = {.count = WORLDS,
                          .pose = ROW(s, now),
                          .twist = (char*)ROW(s, now) + 3 * WORLDS * bytes,
                          .mass = ROW(s, mass),
                          .inertia = ROW(s, inertia),
                          .load = ROW(s, load)};
    a.contacts[0] = (br_worlds_contact_arrays){
        .z = (char*)ROW(s, now) + 6 * WORLDS * bytes, .fn = ROW(s, grip), .fn_steps = STEPS};
    return a;
}

static double cpu_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The least time of a step of a world [s], on the device unless it is NULL.
static double time_of(br_worlds* worlds, br_worlds_opencl* device, scene* s, int is_float)
{
    const br_worlds_arrays a = arrays_of(s, is_float);
    const size_t bytes = 9 * WORLDS * (is_float ? sizeof(float) : sizeof(double));
    double least = 1e9;
    for (int k = 0; k < REPETITIONS; k++) {
        memcpy(ROW(s, now), ROW(s, first), bytes);
        const double start = cpu_time();
        if (!device) {
            br_worlds_step(worlds, &a, 1e-3, STEPS);
        } else if (br_worlds_opencl_step(device, &a, 1e-3, STEPS, NULL) != BR_OK) {
            return (double)NAN;
        }
        least = fmin(least, cpu_time() - start);
    }
    return least / (WORLDS * STEPS);
}

static br_status print_row(const br_contact* contact, int is_float, int lanes, br_reason* why)
{
    const br_worlds_contact finger = {.contact = contact, .frame = BR_WORLDS_GROUND, .count = 2};
    br_worlds_def def = br_worlds_def_default(&finger, 1);
    br_worlds* worlds = NULL;
    br_worlds_opencl* device = NULL;
    def.type = is_float ? BR_WORLDS_FLOAT : BR_WORLDS_DOUBLE;
    br_status status = br_worlds_create(&def, &worlds, why);
    status = status == BR_OK
                 ? br_worlds_opencl_create(worlds, BR_OPENCL_ANY, 0, lanes, &device, why)
                 : status;
    if (status == BR_OK) {
        scene* s = &scenes[is_float];
        const double c = time_of(worlds, NULL, s, is_float);
        const double opencl = time_of(worlds, device, s, is_float);
        printf("| %s, %d | %.0f | %.0f | %.2f |\n", is_float ? "float" : "double",
               br_worlds_opencl_get_lanes(device), 1e9 * c, 1e9 * opencl, opencl / c);
    }
    br_worlds_opencl_destroy(device);
    br_worlds_destroy(worlds);
    return status;
}

int main(void)
{
    const br_patch_def shape = br_patch_def_default();
    br_contact_def def = br_contact_def_default();
    br_patch* patch = NULL;
    br_contact* contact = NULL;
    br_reason why = {"", ""};
    def.method = BR_METHOD_ELLIPSOID;
    fill(&scenes[0]);
    to_floats(&scenes[1]);
    br_status status = br_patch_create(&shape, &patch, &why);
    def.patch = patch;
    status = status == BR_OK ? br_contact_create(&def, &contact, &why) : status;
    printf("| type, worlds in a vector | C lanes, ns | OpenCL, ns | ratio |\n|---|---|---|---|\n");
    for (int k = 0; k < 4 && status == BR_OK; k++) {
        status = print_row(contact, k / 2, k % 2, &why);
    }
    if (status != BR_OK) {
        fprintf(stderr, "%s: %s\n", why.field, why.text);
    }
    br_contact_destroy(contact);
    br_patch_destroy(patch);
    return status != BR_OK;
}
