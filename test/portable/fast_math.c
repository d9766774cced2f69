/*
 * A user's program around the library, for -ffast-math: evaluations and steps of all models, printed to the last bit.
 * Compiled with and without that option it must print the same. With it the processor flushes subnormal numbers to 0
 * (crtfastmath.o), in the library as well: numbers below 1e-290 are printed as 0.
 */
#include <bristle/bristle.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Below this a body is at rest; what is left of its velocity depends on subnormal numbers.
#define REST 1e-290

static void print(const char* what, const double* numbers, size_t count)
{
    printf("%s", what);
    for (size_t i = 0; i < count; i++) {
        printf(" %a", fabs(numbers[i]) < REST ? 0.0 : numbers[i]);
    }
    printf("\n");
}

static void print_wrench(const char* what, br_wrench f)
{
    print(what, (const double[]){f.fx, f.fy, f.tau}, 3);
}

static br_contact* create_contact(br_method method, br_law_kind kind)
{
    br_patch_def shape = br_patch_def_default();
    shape.shape = BR_SHAPE_RECTANGLE;
    shape.size_x = 0.04;
    shape.size_y = 0.02;
    br_patch* patch = NULL;
    br_contact* contact = NULL;
    br_contact_def def = br_contact_def_default();
    def.method = method;
    def.law.kind = kind;
    def.patch = br_patch_create(&shape, &patch, NULL) == BR_OK ? patch : NULL;
    if (!patch || br_contact_create(&def, &contact, NULL) != BR_OK) {
        exit(1);
    }
    br_patch_destroy(patch);
    return contact;
}

// From rest to fast, along and across.
static const br_twist twists[] = {{0.0, 0.0, 0.0},   {1e-280, 0.0, 0.0}, {1e-12, 2e-13, 1e-9},
                                  {1e-3, 2e-4, 0.1}, {0.3, -0.2, 4.0},   {0.0, 0.0, -20.0}};

static void print_evaluations(const br_contact* contact)
{
    const size_t count = br_contact_get_state_count(contact);
    double *z = calloc(count, sizeof *z), *dz = calloc(count, sizeof *dz);
    for (size_t i = 0; z && dz && i < sizeof twists / sizeof *twists; i++) {
        print_wrench("eval", br_contact_eval(contact, z, twists[i], 3.0, dz));
        for (int k = 0; k < 50; k++) {
            (void)br_contact_step(contact, z, twists[i], 3.0, 1e-3, NULL);
        }
        print_wrench("step", br_contact_step(contact, z, twists[i], 3.0, 1e-3, NULL));
        print("state", z, count < 6 ? count : 6);
        print_wrench("steady", br_contact_steady_eval(contact, twists[i], 3.0, NULL));
    }
    free(z);
    free(dz);
}

// A body that slides, spins and comes to rest; at the end its bristles are at rest for long.
static void print_motion(const br_contact* contact)
{
    br_step_contact at = {.contact = contact, .fn = 3.0};
    br_stepper_def def = br_stepper_def_default();
    br_stepper* stepper = NULL;
    def.contacts = &at;
    def.count = 1;
    if (br_stepper_create(&def, &stepper, NULL) != BR_OK) {
        exit(1);
    }
    const br_step_body body = br_step_body_default(0.3, 1e-4);
    br_twist v = {0.4, -0.1, 8.0};
    for (int k = 1; k <= 2000; k++) {
        (void)br_stepper_step(stepper, &body, &v, (br_wrench){0.01, 0.0, 0.0}, 1e-3);
        if (k % 250 == 0) {
            print("motion", (const double[]){v.vx, v.vy, v.w}, 3);
        }
    }
    br_stepper_destroy(stepper);
}

// Numbers that a definition refuses: -ffast-math assumes that they do not exist, the library does not.
static void print_refusals(void)
{
    static const char* const bad[] = {"nan", "inf", "-1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        br_law law = br_law_default(BR_LAW_LUGRE);
        br_reason why = {{0}, {0}};
        law.sigma0 = strtod(bad[i], NULL);
        const br_status status = br_law_check(&law, &why);
        printf("law %s: %s, %s\n", bad[i], br_status_get_text(status), why.field);
    }
}

int main(void)
{
    for (int kind = BR_LAW_LUGRE; kind <= BR_LAW_ELASTO_PLASTIC; kind++) {
        for (int method = 0; method <= BR_METHOD_ELLIPSOID; method++) {
            br_contact* contact = create_contact((br_method)method, (br_law_kind)kind);
            print_evaluations(contact);
            print_motion(contact);
            br_contact_destroy(contact);
        }
    }
    print_refusals();
    return 0;
}
