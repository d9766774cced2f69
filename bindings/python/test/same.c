/*
 * The oracle of test_same.py: a sample of every function of the library, as C computes it. Prints a name and
 * numbers in hexadecimal on each line.
 */
#include "same.h"

static const br_twist twists[4] = {
    {0.1, 0.0, 0.0}, {0.0, -0.02, 3.0}, {1e-4, 2e-4, -0.5}, {0.0, 0.0, 0.0}};
static const double forces[4] = {5.0, 2.0, 0.7, 1.0};
static const br_vec2 polygon[6] = {{0.0, 0.0},   {0.03, 0.0},  {0.03, 0.01},
                                   {0.01, 0.01}, {0.01, 0.04}, {0.0, 0.04}};

static void show_law(const br_law* law)
{
    double z = 1e-5;
    const br_law_value value = br_law_eval(law, z, 0.003, 2.0);
    name("law", "eval");
    line((const double[]){value.f, value.dz}, 2);
    const br_law_gradient g = br_law_gradient_eval(law, z, 0.003, 2.0);
    name("law", "gradient");
    line((const double[]){g.f_z, g.f_v, g.f_fn, g.dz_z, g.dz_v, g.dz_fn}, 6);
    const double f = br_law_step(law, &z, 0.003, 2.0, 1e-3);
    name("law", "step");
    line((const double[]){f, z}, 2);
}

static void show_patch(const br_patch* patch)
{
    const br_patch_value p = br_patch_eval(patch, 1.0);
    printf("patch");
    line((const double[]){p.cop.x, p.cop.y, p.r, p.u, p.area}, 5);
}

static void show_limit(const br_limit* surface)
{
    double gauge[3];
    name("limit", "wrench");
    for (int i = 0; i < 4; i++) {
        const br_wrench f = br_limit_eval(surface, twists[i]).wrench;
        wrench(f);
        if (i < 3) {
            const br_wrench load = {0.7 * f.fx, 0.7 * f.fy, 0.7 * f.tau};
            gauge[i] = br_limit_gauge(surface, load, NULL);
        }
    }
    printf("\n");
    name("limit", "gauge");
    line(gauge, 3);
    name("limit", "jacobian");
    for (int i = 0; i < 4; i++) {
        double jacobian[3][3];
        br_limit_jacobian_eval(surface, twists[i], jacobian);
        numbers(jacobian[0], 9);
    }
    printf("\n");
}

static void show_engines(const br_patch* patch)
{
    for (int kind = 0; kind <= BR_ENGINE_GENESIS; kind++) {
        br_engine_def def = br_engine_def_default((br_engine_kind)kind);
        br_engine_number taken[BR_ENGINE_NUMBERS];
        br_engine* engine;
        def.patch = patch;
        def.mu = 0.5;
        def.fn = 2.0;
        if (br_engine_create(&def, &engine, NULL) != BR_OK) {
            return;
        }
        name(br_engine_get_name(def.kind), "numbers");
        const size_t count = br_engine_get_numbers(engine, taken);
        for (size_t i = 0; i < count; i++) {
            numbers(&taken[i].value, 1);
        }
        printf("\n");
        name(br_engine_get_name(def.kind), "wrench");
        for (int i = 0; i < 4; i++) {
            wrench(br_engine_eval(engine, twists[i]).wrench);
        }
        printf("\n");
        br_engine_destroy(engine);
    }
}

static void show_steps(const char* method, const br_contact* contact, double* z, size_t n)
{
    br_step_energy energy[4];
    name(method, "step");
    for (size_t i = 0; i < 4; i++) {
        wrench(br_contact_step(contact, z + i * n, twists[i], forces[i], 1e-3, &energy[i]));
    }
    printf("\n");
    name(method, "energy");
    for (size_t i = 0; i < 4; i++) {
        numbers((const double[]){energy[i].stored, energy[i].work, energy[i].dissipated}, 3);
    }
    printf("\n");
}

static void show_rates(const char* method, const br_contact* contact, const double* z, size_t n)
{
    double* dz = calloc(4 * n, sizeof *dz);
    name(method, "eval");
    for (size_t i = 0; i < 4; i++) {
        wrench(br_contact_eval(contact, z + i * n, twists[i], forces[i], dz + i * n));
    }
    line(dz, 4 * n);
    free(dz);
    name(method, "steady");
    for (size_t i = 0; i < 4; i++) {
        wrench(br_contact_steady_eval(contact, twists[i], forces[i], NULL));
    }
    printf("\n");
}

static void show_scalars(const char* method, const br_contact* contact, const double* z, size_t n)
{
    double load[4], stored[4];
    for (size_t i = 0; i < 4; i++) {
        load[i] = br_contact_load_eval(contact, z + i * n, twists[i], forces[i]);
        stored[i] = br_contact_stored(contact, z + i * n, forces[i]);
    }
    name(method, "load");
    line(load, 4);
    name(method, "stored");
    line(stored, 4);
}

static void show_derivatives(const char* method, const br_contact* contact, const double* z,
                             size_t n)
{
    double* f_z = calloc(3 * n, sizeof *f_z);
    br_contact_gradient gradient = {.f_z = f_z};
    br_contact_gradient_eval(contact, z, twists[0], forces[0], &gradient);
    name(method, "gradient");
    line(f_z, 3 * n);
    free(f_z);
}

static void show_contact(const char* name_of_method, br_method method, const br_patch* patch)
{
    br_contact* contact = make_contact(method, patch);
    const size_t n = br_contact_get_state_count(contact);
    double* z = calloc(4 * n, sizeof *z);
    show_steps(name_of_method, contact, z, n);
    show_rates(name_of_method, contact, z, n);
    show_scalars(name_of_method, contact, z, n);
    show_derivatives(name_of_method, contact, z, n);
    free(z);
    br_contact_destroy(contact);
}

int main(void)
{
    const br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POLYGON;
    def.count = 6;
    def.vertices = polygon;
    def.centre = (br_vec2){0.01, 0.02};
    def.angle = 0.3;
    br_patch* patch = make_patch(&def);
    br_limit* surface = make_surface(patch);
    show_law(&law);
    show_patch(patch);
    show_limit(surface);
    show_engines(patch);
#define SHOW_METHOD(method, method_name) show_contact(method_name, method, patch);
    BR_METHOD_LIST(SHOW_METHOD)
    show_cones(surface);
    show_sliders(patch, surface);
    show_runs();
    show_rest();
    show_sweep();
    br_limit_destroy(surface);
    br_patch_destroy(patch);
    return 0;
}
