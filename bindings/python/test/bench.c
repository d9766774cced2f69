/*
 * The cases of bench.py in C: prints a name and the smallest time of a call [ns]. Optional argument: a
 * scenario.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bristle/batch.h"
#include "bristle/bristle.h"
#include "bristle/scenario.h"

// many short runs, of which some are undisturbed
enum { COUNT = 100000, BATCHES = 200, RUNS = 40, SINGLES = 1500, SINGLE = 200 };

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double unit(unsigned* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)*seed / 4294967296.0;
}

static br_contact* make(br_method method, const br_patch* patch)
{
    br_contact_def def = br_contact_def_default();
    def.method = method;
    def.patch = patch;
    def.law = br_law_from_mu(0.3, br_patch_eval(patch, 0.0).r, 0.0, 0.0);
    br_contact* contact;
    if (br_contact_create(&def, &contact, NULL) != BR_OK) {
        exit(1);
    }
    return contact;
}

static void time_single(const char* name, const br_contact* contact)
{
    double* z = calloc(br_contact_get_state_count(contact), sizeof *z);
    double least = 1e300, sum = 0.0;
    for (int k = 0; k < SINGLES; k++) {
        const double start = now();
        for (int i = 0; i < SINGLE; i++) {
            sum += br_contact_step(contact, z, (br_twist){0.1, 0.0, 3.0}, 5.0, 1e-3, NULL).fx;
        }
        const double spent = (now() - start) / SINGLE;
        least = spent < least ? spent : least;
    }
    fprintf(stderr, "%g\n", sum);
    printf("%s.step %.1f\n", name, least);
    free(z);
}

static void time_batch(const char* name, const br_contact* contact, size_t count)
{
    const size_t n = br_contact_get_state_count(contact);
    double* z = calloc(count * n, sizeof *z);
    double* fn = calloc(count, sizeof *fn);
    br_twist* v = calloc(count, sizeof *v);
    br_wrench* f = calloc(count, sizeof *f);
    br_batch_contact* list = calloc(count, sizeof *list);
    unsigned seed = 1;
    for (size_t i = 0; i < count; i++) {
        list[i] = (br_batch_contact){contact, i * n};
        v[i] =
            (br_twist){2.0 * unit(&seed) - 1.0, 2.0 * unit(&seed) - 1.0, 2.0 * unit(&seed) - 1.0};
        fn[i] = 1.0 + 9.0 * unit(&seed);
    }
    double* dz = calloc(count * n, sizeof *dz);
    double step = 1e300, eval = 1e300;
    for (int k = 0; k < BATCHES; k++) {
        const double start = now();
        br_batch_step(list, count, z, v, fn, 1e-3, f, NULL);
        const double middle = now();
        br_batch_eval(list, count, z, v, fn, dz, f);
        const double end = now();
        step = middle - start < step ? middle - start : step;
        eval = end - middle < eval ? end - middle : eval;
    }
    printf("%s.step/batch %.1f\n", name, step / (double)count);
    printf("%s.eval/batch %.1f\n", name, eval / (double)count);
    free(z), free(dz), free(fn), free(v), free(f), free(list);
}

static void time_law(void)
{
    const br_law law = br_law_from_mu(0.3, 0.0, 0.0, 0.0);
    double z = 0.0, least = 1e300, sum = 0.0;
    for (int k = 0; k < SINGLES; k++) {
        const double start = now();
        for (int i = 0; i < SINGLE; i++) {
            sum += br_law_step(&law, &z, 0.1, 5.0, 1e-3);
        }
        const double spent = (now() - start) / SINGLE;
        least = spent < least ? spent : least;
    }
    fprintf(stderr, "%g\n", sum);
    printf("law.step %.1f\n", least);
}

static void time_run(const char* path)
{
    br_scenario* scenario;
    if (br_scenario_read_file(path, NULL, &scenario) != BR_OK) {
        exit(1);
    }
    double least = 1e300;
    for (int k = 0; k < RUNS; k++) {
        br_table* table;
        const double start = now();
        if (br_scenario_run(scenario, NULL, &table, NULL) != BR_OK) {
            exit(1);
        }
        const double spent = now() - start;
        least = spent < least ? spent : least;
        br_table_destroy(table);
    }
    printf("run in_hand.yaml %.1f\n", least);
    br_scenario_destroy(scenario);
}

int main(int argc, char** argv)
{
    br_patch_def def = br_patch_def_default();
    def.pressure = BR_PRESSURE_POWER;
    def.k = br_by_force_constant(2.0);
    br_patch* patch;
    if (br_patch_create(&def, &patch, NULL) != BR_OK) {
        return 1;
    }
    const br_method methods[] = {BR_METHOD_REDUCED, BR_METHOD_ELLIPSOID, BR_METHOD_BLOCKS};
    const char* const names[] = {"reduced", "ellipsoid", "blocks"};
    for (int i = 0; i < 3; i++) {
        br_contact* contact = make(methods[i], patch);
        time_single(names[i], contact);
        time_batch(names[i], contact, methods[i] == BR_METHOD_BLOCKS ? COUNT / 20 : COUNT);
        br_contact_destroy(contact);
    }
    time_law();
    if (argc > 1) {
        time_run(argv[1]);
    }
    br_patch_destroy(patch);
    return 0;
}
