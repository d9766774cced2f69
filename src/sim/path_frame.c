/*
 * A moving path: see path_frame.h for its equations.
 */
#include "sim/path_frame.h"

#include "math/vector.h"
#include "sim/run.h"

#include <math.h>
#include <string.h>

// e x r: e is z in the plane, y in space.
static void turn(const path_frame* f, const double* r, double* out)
{
    const double x = r[0], y = r[1], z = r[2];
    if (f->d == 2) {
        out[0] = -y, out[1] = x, out[2] = 0.0;
    } else {
        out[0] = z, out[1] = 0.0, out[2] = -x;
    }
}

// Rotate r about e by the frame's angle; with the negative sine, back.
static void rotate(const path_frame* f, double sine, const double* r, double* out)
{
    const double x = r[0], y = r[1], z = r[2];
    if (f->d == 2) {
        out[0] = f->c * x - sine * y, out[1] = sine * x + f->c * y, out[2] = 0.0;
    } else {
        out[0] = f->c * x + sine * z, out[1] = y, out[2] = f->c * z - sine * x;
    }
}

void bri_path_outward(const path_frame* f, const double* x, double* out)
{
    rotate(f, f->s, x, out);
}

void bri_path_inward(const path_frame* f, const double* x, double* out)
{
    rotate(f, -f->s, x, out);
}

path_frame bri_path_frame(const br_path_motion* m, size_t d, double angle,
                          const br_mechanism_at* at)
{
    path_frame f = {.d = d};
    for (size_t i = 0; i < d; i++) {
        f.o[i] = br_profile_eval(&m->offset[i], at->t, at->within, &f.v[i]);
        f.a[i] = br_profile_second(&m->offset[i], at->t, at->within);
    }
    const double turned = angle + br_profile_eval(&m->angle, at->t, at->within, &f.w);
    f.dw = br_profile_second(&m->angle, at->t, at->within);
    f.c = cos(turned), f.s = sin(turned);
    f.u = br_profile_eval(&m->velocity, at->t, at->within, &f.du);
    return f;
}

// R^T (x - y), y may be NULL; (d) to (3)
static void inward_difference(const path_frame* f, const double* x, const double* y, double* out)
{
    double difference[3] = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < f->d; i++) {
        difference[i] = (x ? x[i] : 0.0) - y[i];
    }
    bri_path_inward(f, difference, out);
}

path_state bri_path_state(const path_frame* f, const double* p, const double* v, const double* bias)
{
    path_state x;
    double across[3], twice[3], coriolis[3];
    inward_difference(f, p, f->o, x.s);
    turn(f, x.s, across);
    turn(f, across, twice);

    // ds/dt at fixed p = -R^T o' - w e x s,  s' = R^T p' + that
    inward_difference(f, NULL, f->v, x.rate);
    add(x.rate, -f->w, across, 3);
    inward_difference(f, v, f->v, x.sd);
    add(x.sd, -f->w, across, 3);

    // s'' - R^T J qdd = R^T (Jd qd - o'') - 2 w e x s' - w^2 e x (e x s) - w' e x s
    inward_difference(f, bias, f->a, x.bias);
    turn(f, x.sd, coriolis);
    add(x.bias, -2.0 * f->w, coriolis, 3);
    add(x.bias, -f->w * f->w, twice, 3);
    add(x.bias, -f->dw, across, 3);
    return x;
}

void bri_path_surface(const path_frame* f, const double* s, const double* along,
                      br_mechanism_terms* out)
{
    if (!out->surface_velocity || !out->surface_acceleration) {
        return;
    }
    double across[3], twice[3], x[3] = {0.0};
    turn(f, s, across);
    turn(f, across, twice);

    // v_s = o' + R (w e x s + u t),  a_s = o'' + R (w^2 e x (e x s) + w' e x s + u' t) + ... across t
    double v[3] = {0.0, 0.0, 0.0}, a[3] = {0.0, 0.0, 0.0};
    add(v, f->w, across, 3);
    add(v, f->u, along, 3);
    add(a, f->w * f->w, twice, 3);
    add(a, f->dw, across, 3);
    add(a, f->du, along, 3);
    bri_path_outward(f, v, x);
    for (size_t i = 0; i < f->d; i++) {
        out->surface_velocity[i] = f->v[i] + x[i];
    }
    bri_path_outward(f, a, x);
    for (size_t i = 0; i < f->d; i++) {
        out->surface_acceleration[i] = f->a[i] + x[i];
    }
}

// gap = s_y - f(s_x),  g = d(gap)/ds = (-f', 1),  A = g R^T J,  rate = g ds/dt,
// b = f'' s_x'^2 - g (s'' - R^T J qdd)
void bri_planar_constraint(const br_path* path, const path_frame* f, const planar_point* point,
                           size_t n, br_mechanism_terms* out)
{
    const path_state x = bri_path_state(f, point->p, point->v, point->bias);
    double slope, bend, normal[3];
    out->gap[0] = x.s[1] - br_path_eval(path, x.s[0], &slope, &bend);
    const double g[3] = {-slope, 1.0, 0.0};
    bri_path_outward(f, g, normal);
    memset(out->A, 0, n * sizeof *out->A);
    add_transposed(point->J, normal, 2, n, out->A);
    if (out->rate) {
        out->rate[0] = dot(g, x.rate, 2);
    }
    out->b[0] = bend * x.sd[0] * x.sd[0] - dot(g, x.bias, 2);
}

void bri_planar_surface(const br_path* path, const path_frame* f, const planar_point* point,
                        br_mechanism_terms* out)
{
    const path_state x = bri_path_state(f, point->p, point->v, NULL);
    double slope, bend, normal[3];
    br_path_eval(path, x.s[0], &slope, &bend);
    const double size = hypot(slope, 1.0), along[3] = {1.0 / size, slope / size, 0.0};
    bri_path_outward(f, (const double[3]){-slope / size, 1.0 / size, 0.0}, normal);
    memcpy(out->normal, normal, 2 * sizeof *normal);
    bri_path_surface(f, x.s, along, out);
}

void bri_path_profiles(const br_path_motion* motion, size_t d, br_mechanism* out, size_t count)
{
    for (size_t i = 0; i < d; i++) {
        out->profiles[count++] = &motion->offset[i];
    }
    out->profiles[count++] = &motion->angle;
    out->profiles[count] = &motion->velocity;
}

void br_path_place(const br_path_motion* motion, size_t d, double t, const double* s, double* p,
                   double* velocity)
{
    BR_ASSERT(motion && (d == 2 || d == 3) && s && p);
    const path_frame f = bri_path_frame(motion, d, 0.0, &(br_mechanism_at){.t = t, .within = t});
    double where[3] = {0.0, 0.0, 0.0}, x[3] = {0.0}, across[3];
    memcpy(where, s, d * sizeof *s);
    bri_path_outward(&f, where, x);
    turn(&f, x, across);
    for (size_t i = 0; i < d; i++) {
        p[i] = f.o[i] + x[i];
        if (velocity) {
            // d is 2 or 3
            // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
            velocity[i] = f.v[i] + f.w * across[i];
        }
    }
}
