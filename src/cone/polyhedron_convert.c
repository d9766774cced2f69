/*
 * From the faces of a friction polyhedron to its rays and back: cross products of neighbours.
 *
 * S = Savin, "Friction Cone". Numbers in brackets are its equations.
 *
 * Deviation from print (docs/explanation/equations.md): S-16.
 */
#include "bristle/polyhedron.h"

#include "math/vec3.h"

#include <string.h>

// The height of a cap row s n.f <= b: f_max where s > 0, f_min where s < 0.
static double cap_height(const double n[3], const double* row)
{
    return row[3] / vec3_dot(n, row);
}

static double* write_row(double* to, double s, const double a[3], double last)
{
    vec3_combine(s, a, 0.0, a, to);
    to[3] = last;
    return to + 4;
}

// Ray i is in the faces i - 1 and i: their cross product, scaled to n.f = height.
static int write_layer(const double n[3], size_t faces, const double* h, double height, double w,
                       double* v)
{
    for (size_t i = 0; i < faces; i++) {
        double ray[3];
        vec3_cross(h + 4 * ((i + faces - 1) % faces), h + 4 * i, ray);
        const double along = vec3_dot(n, ray);
        if (!(fabs(along) > 0.0)) {
            return 0;
        }
        write_row(v + 4 * i, height / along, ray, w);
    }
    return 1;
}

size_t br_polyhedron_v_from_h(const double n[3], size_t faces, size_t count, const double* h,
                              double* v)
{
    if (faces < 3 || count < faces || count > faces + 2) {
        return 0;
    }
    double f_min = 0.0, f_max = HUGE_VAL;
    for (size_t i = faces; i < count; i++) {
        double* cap = vec3_dot(n, h + 4 * i) > 0.0 ? &f_max : &f_min;
        *cap = cap_height(n, h + 4 * i);
    }
    double* row = v;
    if (f_min > 0.0) {
        if (!write_layer(n, faces, h, f_min, 1.0, row)) {
            return 0;
        }
        row += 4 * faces;
    } else if (isfinite(f_max)) {
        row = write_row(row, 0.0, n, 1.0);
    }
    const int is_capped = isfinite(f_max);
    const int is_good = write_layer(n, faces, h, is_capped ? f_max : 1.0, is_capped, row);
    return is_good ? (size_t)(row - v) / 4 + faces : 0;
}

size_t br_polyhedron_h_from_v(const double n[3], size_t faces, size_t count, const double* v,
                              double* h)
{
    if (faces < 3 || (count != faces && count != faces + 1 && count != 2 * faces)) {
        return 0;
    }
    const double* top = v + 4 * (count - faces); // the last layer has all the directions
    for (size_t i = 0; i < faces; i++) {
        const double *here = top + 4 * i, *next = top + 4 * ((i + 1) % faces);
        double m[3], sum[3], out[3];
        // m_i = v_i x v_{i+1},  a_i = m_i sign(m_i^T P (v_i + v_{i+1})),  P = I - n n^T   (15), (16)
        vec3_cross(here, next, m);
        vec3_combine(1.0, here, 1.0, next, sum);
        vec3_combine(1.0, sum, -vec3_dot(n, sum), n, out);
        const double size = vec3_norm(m);
        if (!(size > 0.0)) {
            return 0;
        }
        write_row(h + 4 * i, copysign(1.0 / size, vec3_dot(m, out)), m, 0.0);
    }
    double* row = h + 4 * faces;
    if (top[3] > 0.0) {
        row = write_row(row, 1.0, n, vec3_dot(n, top));
    }
    if (count == 2 * faces) {
        row = write_row(row, -1.0, n, -vec3_dot(n, v));
    }
    return (size_t)(row - h) / 4;
}
