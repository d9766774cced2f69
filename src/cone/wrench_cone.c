/*
 * Wrench cones of support points.
 *
 * Each ray f of a support at p gives the ray (f, p x f). The faces a of the cone of all of them are
 * the edges of {a : a.ray <= 0 for all rays}: one double description. Torques are divided by the
 * supports' largest distance during this, so that all numbers are of similar size.
 */
#include "bristle/wrench_cone.h"

#include "cone/double_description.h"
#include "math/vec3.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SUPPORTS = 1024 };

struct br_wrench_cone {
    size_t v_count, h_count;
    double* v;       // (v_count x 6)
    double* h;       // (h_count x 6)
    double rounding; // of the faces: relative distance beyond them that still counts as inside
};

// If the cone's own rays miss a face by more than this, the result is wrong: supports are too close
// to each other for the double description, which rounds 1e-11 to 0.
static const double WORST_ROUNDING = 1e-9;

// A row of length 1
static void write_unit(const double row[6], double out[6])
{
    double square = 0.0;
    for (int k = 0; k < 6; k++) {
        square += row[k] * row[k];
    }
    for (int k = 0; k < 6; k++) {
        out[k] = row[k] / sqrt(square);
    }
}

void br_wrench_cone_rectangle(double X, double Y, double mu, double h[16][6])
{
    // |fx|, |fy| <= mu fz;  |tx| <= Y fz, |ty| <= X fz
    for (int i = 0; i < 4; i++) {
        const double sign = i < 2 ? 1.0 : -1.0;
        double friction[6] = {0.0, 0.0, -mu}, pressure[6] = {0.0, 0.0, i % 2 ? -X : -Y};
        friction[i % 2] = sign;
        pressure[3 + i % 2] = sign;
        write_unit(friction, h[i]);
        write_unit(pressure, h[4 + i]);
    }
    // s tz + sx (Y fx + s mu tx) + sy (X fy + s mu ty) <= mu (X + Y) fz   for all signs s, sx, sy
    for (int i = 0; i < 8; i++) {
        const double sx = i < 4 ? 1.0 : -1.0, sy = i % 4 < 2 ? 1.0 : -1.0, s = i % 2 ? -1.0 : 1.0;
        const double row[6] = {sx * Y, sy * X, -mu * (X + Y), s * sx * mu, s * sy * mu, s};
        write_unit(row, h[8 + i]);
    }
}

// The rays of one support, one after the other.
static void write_rays(const br_support* support, double* rays)
{
    for (size_t i = 0; i < support->forces.def.faces; i++, rays += 6) {
        br_polyhedron_get_ray(&support->forces, i, rays);
        vec3_cross(support->place, rays, rays + 3);
    }
}

static double largest_distance(const br_support* supports, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, vec3_norm(supports[i].place));
    }
    return largest > 0.0 ? largest : 1.0;
}

// A face in the scaled axes, as a row; rounding errors become 0.
static void write_face(const double* scaled, double length, double* row)
{
    double face[6];
    for (int k = 0; k < 6; k++) {
        const double entry = fabs(scaled[k]) > 1e-14 ? scaled[k] : 0.0;
        face[k] = k < 3 ? entry : entry / length;
    }
    write_unit(face, row);
}

// Faces from the edges of the description and, in both directions, from its linear space.
static br_status write_faces(br_wrench_cone* cone, const dd* found, double length)
{
    cone->h_count = found->count + 2 * found->space_count;
    cone->h = br_allocate(cone->h_count > 0 ? cone->h_count : 1, 6 * sizeof *cone->h);
    if (!cone->h) {
        return BR_ERR_MEMORY;
    }
    double* row = cone->h;
    for (size_t i = 0; i < found->count; i++, row += 6) {
        write_face(found->ray + 6 * i, length, row);
    }
    for (size_t i = 0; i < found->space_count; i++, row += 12) {
        write_face(found->space[i], length, row);
        for (int k = 0; k < 6; k++) {
            row[6 + k] = -row[k];
        }
    }
    return BR_OK;
}

static br_status find_faces(br_wrench_cone* cone, double length)
{
    dd faces;
    bri_dd_init(&faces, 6, cone->v_count);
    br_status status = BR_OK;
    for (size_t i = 0; status == BR_OK && i < cone->v_count; i++) {
        double scaled[6];
        for (int k = 0; k < 6; k++) {
            scaled[k] = k < 3 ? cone->v[6 * i + k] : cone->v[6 * i + k] / length;
        }
        status = bri_dd_insert(&faces, scaled);
    }
    if (status == BR_OK) {
        status = write_faces(cone, &faces, length);
    }
    bri_dd_release(&faces);
    return status;
}

static double length_of(const double w[6])
{
    return hypot(vec3_norm(w), vec3_norm(w + 3));
}

// Largest distance of the rays beyond the faces, relative to their lengths; infinite where numbers overflow.
static double largest_miss(const br_wrench_cone* cone)
{
    double largest = 0.0;
    for (size_t i = 0; i < cone->v_count; i++) {
        const double* ray = cone->v + 6 * i;
        const double miss = -br_wrench_cone_margin(cone, ray) / length_of(ray);
        if (isnan(miss)) {
            return HUGE_VAL;
        }
        largest = fmax(largest, miss);
    }
    return largest;
}

static br_status check_faces(br_wrench_cone* cone)
{
    // some margin: a sum of rays is as far beyond as they are, and has its own rounding
    cone->rounding = fmax(BR_WRENCH_CONE_ROUNDING, 2.0 * largest_miss(cone));
    return cone->rounding <= WORST_ROUNDING ? BR_OK : BR_ERR_CONVERGENCE;
}

static const char* reason_of(br_status status)
{
    switch (status) {
    case BR_ERR_ARG:
        return "the cone has too many faces";
    case BR_ERR_CONVERGENCE:
        return "supports are so near to each other or so far away that their faces cannot be distinguished";
    default:
        return "out of memory";
    }
}

static const double LARGEST_PLACE = 1e100; // [m]: its square is finite

static br_status check(const br_support* supports, size_t count, br_reason* why)
{
    if (count < 1 || count > MAX_SUPPORTS) {
        br_reason_set(why, "count", "must be 1..1024, got %zu", count);
        return BR_ERR_ARG;
    }
    for (size_t i = 0; i < count; i++) {
        const double* p = supports[i].place;
        if (!isfinite(p[0] + p[1] + p[2]) || supports[i].forces.def.faces < 3) {
            char field[48];
            snprintf(field, sizeof field, "supports[%zu]", i);
            br_reason_set(why, field, "needs a finite place and forces of br_polyhedron_init()");
            return BR_ERR_DEF;
        }
        for (int k = 0; k < 3; k++) {
            if (fabs(p[k]) > LARGEST_PLACE) {
                char field[48];
                snprintf(field, sizeof field, "supports[%zu].place[%d]", i, k);
                br_reason_set(why, field, "must be at most %g m, got %g", LARGEST_PLACE, p[k]);
                return BR_ERR_DEF;
            }
        }
    }
    return BR_OK;
}

br_status br_wrench_cone_create(const br_support* supports, size_t count, br_wrench_cone** out,
                                br_reason* why)
{
    BR_ASSERT(supports && out);
    *out = NULL;
    const br_status fault = check(supports, count, why);
    if (fault != BR_OK) {
        return fault;
    }
    br_wrench_cone* cone = br_allocate(1, sizeof *cone);
    for (size_t i = 0; cone && i < count; i++) {
        cone->v_count += supports[i].forces.def.faces;
    }
    if (cone) {
        cone->v = br_allocate(cone->v_count, 6 * sizeof *cone->v);
    }
    br_status status = cone && cone->v ? BR_OK : BR_ERR_MEMORY;
    if (status == BR_OK) {
        double* rays = cone->v;
        for (size_t i = 0; i < count; i++) {
            write_rays(&supports[i], rays);
            rays += 6 * supports[i].forces.def.faces;
        }
        status = find_faces(cone, largest_distance(supports, count));
    }
    if (status == BR_OK) {
        status = check_faces(cone);
    }
    if (status != BR_OK) {
        br_reason_set(why, "", "%s", reason_of(status));
        br_wrench_cone_destroy(cone);
        return status;
    }
    *out = cone;
    return BR_OK;
}

void br_wrench_cone_destroy(br_wrench_cone* cone)
{
    if (cone) {
        br_release(cone->v);
        br_release(cone->h);
        br_release(cone);
    }
}

size_t br_wrench_cone_get_v_count(const br_wrench_cone* cone)
{
    return cone->v_count;
}

const double* br_wrench_cone_get_v(const br_wrench_cone* cone)
{
    return cone->v;
}

size_t br_wrench_cone_get_h_count(const br_wrench_cone* cone)
{
    return cone->h_count;
}

const double* br_wrench_cone_get_h(const br_wrench_cone* cone)
{
    return cone->h;
}

double br_wrench_cone_margin(const br_wrench_cone* cone, const double w[6])
{
    double margin = HUGE_VAL;
    for (size_t i = 0; i < cone->h_count; i++) {
        const double* a = cone->h + 6 * i;
        const double along = vec3_dot(a, w) + vec3_dot(a + 3, w + 3);
        margin = -along < margin || isnan(along) ? -along : margin;
    }
    return margin;
}

bool br_wrench_cone_contains(const br_wrench_cone* cone, const double w[6])
{
    return br_wrench_cone_margin(cone, w) >= -cone->rounding * length_of(w);
}
