/*
 * What the fuzz targets share.
 */
#define _GNU_SOURCE
#include "fuzz.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// --- memory: a definition may ask for more than there is -----------------------------------------------------

enum { MOST_BYTES = 1 << 26 };

static void* allocate(size_t bytes, void* user)
{
    (void)user;
    return bytes <= MOST_BYTES ? malloc(bytes) : NULL;
}

static void release(void* memory, void* user)
{
    (void)user;
    free(memory);
}

int LLVMFuzzerInitialize(int* argc, char*** argv);
int LLVMFuzzerInitialize(int* argc, char*** argv)
{
    (void)argc, (void)argv;
    br_set_allocator(allocate, release, NULL);
    return 0;
}

// --- numbers --------------------------------------------------------------------------------------------------

uint8_t take_byte(input* in)
{
    if (in->left == 0) {
        return 0;
    }
    in->left--;
    return *in->at++;
}

size_t take_index(input* in, size_t count)
{
    return take_byte(in) % count;
}

static double take_any(input* in)
{
    double x = 0.0;
    const size_t bytes = in->left < sizeof x ? in->left : sizeof x;
    memcpy(&x, in->at, bytes);
    in->at += bytes;
    in->left -= bytes;
    return x;
}

double take_number(input* in)
{
    static const double special[] = {
        0.0,          -0.0,     1.0,    -1.0,   0.5,   (double)NAN, INFINITY, -INFINITY,
        DBL_TRUE_MIN, DBL_MIN,  1e-300, 1e-150, 1e-20, 1e20,        1e150,    1e300,
        DBL_MAX,      -DBL_MAX, 1e-9,   1e9,    1e-3,  1e3,         -1e300,   -1e-300};
    enum { SPECIAL = sizeof special / sizeof *special, ANY = SPECIAL + 8 };
    const uint8_t first = take_byte(in);
    if (first < SPECIAL) {
        return special[first];
    }
    if (first < ANY) {
        return take_any(in);
    }
    // -8..8 times a power of ten from 1e-6 to 1e6
    return ((double)take_byte(in) - 128.0) / 16.0 * pow(10.0, first % 13 - 6);
}

void take_numbers(input* in, double* to, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = take_number(in);
    }
}

int take_choice(input* in, size_t count)
{
    return (int)take_index(in, count + 1);
}

void vary(input* in, double* number)
{
    const uint8_t how = take_byte(in);
    *number = how < 160 ? *number * (how < 100 ? 1.0 : (how - 100) / 30.0) : take_number(in);
}

void vary_size(input* in, size_t* number, size_t most)
{
    const uint8_t how = take_byte(in);
    *number = how < 128    ? *number
              : how == 255 ? SIZE_MAX
              : how == 254 ? SIZE_MAX / 16
                           : how % (most + 1);
}

br_twist take_twist(input* in)
{
    br_twist v;
    v.vx = take_number(in);
    v.vy = take_number(in);
    v.w = take_number(in);
    return v;
}

br_wrench take_wrench(input* in)
{
    const br_twist v = take_twist(in);
    return (br_wrench){v.vx, v.vy, v.w};
}

// --- laws, profiles, patches, contacts ------------------------------------------------------------------------

// A table of g, f_v or both, in one law of eight. Laws borrow it.
static void take_curve(input* in, br_law* law)
{
    enum { NODES = 3 };
    static br_curve curves[4];
    static size_t used;
    double v[NODES] = {0.0, 0.01, 0.1}, g[NODES] = {0.6, 0.5, 0.4}, f_v[NODES] = {0.0, 0.1, 0.2};
    const uint8_t which = take_byte(in);
    if (which % 8 > 0) {
        return;
    }
    for (size_t i = 0; i < NODES; i++) {
        vary(in, &v[i]);
        vary(in, &g[i]);
        vary(in, &f_v[i]);
    }
    used = (used + 1) % 4;
    br_law_set_curve(law, &curves[used], 2 + which / 8 % 2, v, which & 64 ? NULL : g,
                     which & 128 ? f_v : NULL, NULL);
}

br_law take_law(input* in)
{
    br_law law = br_law_default((br_law_kind)take_choice(in, 6));
    double* const numbers[] = {&law.mu_c,   &law.mu_s,     &law.v_stribeck, &law.gamma,
                               &law.sigma0, &law.sigma1,   &law.sigma2,     &law.s_ba,
                               &law.alpha,  &law.v_damping};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        vary(in, numbers[i]);
    }
    take_curve(in, &law);
    return law;
}

br_profile take_profile(input* in, double* t, double* value, size_t most)
{
    br_profile p = br_profile_constant(take_number(in));
    p.kind = (br_profile_kind)take_choice(in, 7);
    p.amplitude = take_number(in);
    p.frequency = take_number(in);
    p.start = take_number(in);
    p.duration = take_number(in);
    p.hold = take_byte(in) < 200 ? 0.0 : take_number(in);
    p.count = take_index(in, most + 1);
    p.t = t;
    p.value = value;
    for (size_t i = 0; i < most; i++) {
        t[i] = take_byte(in) < 200 ? 0.1 * (double)i : take_number(in);
        value[i] = take_number(in);
    }
    return p;
}

enum { POINTS = 6 };

static void vary_shape(input* in, br_patch_def* def)
{
    double* const numbers[] = {&def->radius.coefficient,
                               &def->radius.exponent,
                               &def->radius.max,
                               &def->size_x,
                               &def->size_y,
                               &def->length,
                               &def->k.coefficient,
                               &def->k.exponent,
                               &def->from,
                               &def->to,
                               &def->centre.x,
                               &def->centre.y,
                               &def->angle,
                               &def->ratio,
                               &def->slope_angle};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        vary(in, numbers[i]);
    }
    def->shape = (br_shape)take_choice(in, 9);
    def->pressure = (br_pressure_kind)take_choice(in, 3);
    def->sampling = (br_sampling)take_choice(in, 2);
}

br_patch* take_patch(input* in)
{
    static br_vec2 vertices[POINTS];
    static br_support_point points[POINTS];
    static double cells[POINTS], pressures[POINTS];
    static uint32_t triangles[3 * POINTS];
    br_patch_def def = br_patch_def_default();
    vary_shape(in, &def);
    def.count = take_index(in, POINTS + 1);
    def.columns = take_index(in, 3);
    def.rows = take_index(in, 3);
    def.triangle_count = take_index(in, POINTS + 1);
    for (size_t i = 0; i < POINTS; i++) {
        vertices[i] = (br_vec2){cos((double)i), sin((double)i)};
        vary(in, &vertices[i].x);
        vary(in, &vertices[i].y);
        points[i] = (br_support_point){vertices[i].x, vertices[i].y, 1.0};
        vary(in, &points[i].weight);
        cells[i] = pressures[i] = points[i].weight;
        for (size_t k = 0; k < 3; k++) {
            triangles[3 * i + k] = take_byte(in) % (POINTS + 1);
        }
    }
    def.vertices = vertices, def.points = points, def.cells = cells;
    def.pressures = pressures, def.triangles = triangles;
    br_patch* patch = NULL;
    br_reason why;
    if (br_patch_create(&def, &patch, &why) != BR_OK && (patch || !*why.text)) {
        abort(); // a refusal has a reason, and leaves nothing
    }
    return patch;
}

// A field of friction, in one contact of four.
static br_field* take_field(input* in)
{
    double factors[4];
    br_field_def def = br_field_def_default();
    br_field* field = NULL;
    if (take_byte(in) % 4 > 0) {
        return NULL;
    }
    for (size_t i = 0; i < 4; i++) {
        factors[i] = 0.5;
        vary(in, &factors[i]);
    }
    def.factors = factors;
    def.columns = def.rows = 2;
    def.size_x = def.size_y = 1.0;
    vary(in, &def.size_x);
    vary(in, &def.outside);
    def.interpolation = (br_interpolation)take_index(in, 2);
    br_field_create(&def, &field, NULL);
    return field;
}

br_contact* take_contact(input* in)
{
    double forces[2] = {1.0, 2.0};
    br_patch* patch = take_patch(in);
    br_field* field = take_field(in);
    br_contact_def def = br_contact_def_default();
    def.method = (br_method)take_choice(in, 4);
    def.law = take_law(in);
    def.patch = patch;
    def.resolution = 3;
    vary_size(in, &def.resolution, 6);
    vary(in, &def.r);
    vary(in, &def.u);
    def.guard = take_byte(in) & 1;
    def.plain = take_byte(in) & 1;
    vary(in, &def.anisotropy.ratio);
    vary(in, &def.anisotropy.angle);
    def.field = field;
    def.field_moves = take_byte(in) & 1;
    vary(in, &forces[0]);
    def.forces = forces;
    def.force_count = take_index(in, 3);
    br_contact* contact = NULL;
    br_reason why;
    const br_status checked = br_contact_check(&def, NULL);
    const br_status created = br_contact_create(&def, &contact, &why);
    if ((created != BR_OK && (contact || !*why.text)) || (created == BR_OK && checked != BR_OK)) {
        abort();
    }
    br_field_destroy(field);
    br_patch_destroy(patch);
    return contact;
}

double* take_states(input* in, const br_contact* contact)
{
    const size_t count = br_contact_get_state_count(contact);
    double* z = calloc(count, sizeof *z);
    for (size_t i = 0; i < count && i < 12; i++) {
        z[i] = take_byte(in) < 128 ? 0.0 : take_number(in);
    }
    return z;
}

// --- files ----------------------------------------------------------------------------------------------------

const char* file_with(const void* bytes, size_t size)
{
    static int descriptor = -1;
    static char path[64];
    if (descriptor < 0) {
        descriptor = memfd_create("input", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    }
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, bytes, size, 0) != (ssize_t)size) {
        abort();
    }
    return path;
}

const char* text_of(const uint8_t* data, size_t size)
{
    static char text[8193];
    if (size >= sizeof text) {
        return NULL;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

void demand(bool holds)
{
    if (!holds) {
        abort();
    }
}

bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

bool is_ordinary(const double* numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double size = fabs(numbers[i]);
        if (size != 0.0 && !(size > 1e-12 && size < 1e6)) {
            return false;
        }
    }
    return true;
}

void look_at(double number)
{
    static volatile double last;
    last = number;
    (void)last;
}

bool stop_soon(double t, void* user)
{
    (void)t;
    size_t* left = user;
    return *left == 0 || --*left == 0;
}
