/*
 * The reduced model with the ellipsoid as the published Python code computes it.
 *
 *   dz = S S v - beta z sigma0 |v_S|/g,   f = -(sigma0 z + sigma1 dz + sigma2 U v) f_N   (24)-(26)
 *
 * It differs from the paper in two points: the unit vectors in beta are divided by |.| + 1e-10,
 * while |z| is about 1e-6; and u is taken about the middle of the grid instead of the CoP.
 */
#include "wk_ellipsoid.h"

#include <math.h>

#include "memory.h"
#include "message.h"
#include "surface.h"

static const double BLUR = 1e-10;

static const double PI = 3.14159265358979323846;

typedef struct ellipsoid {
    br_law law;
    double s[3]; // S = diag(1, 1, r)
    double u;
    br_twist v; // constant
} ellipsoid;

static double norm3(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

// (17), (18) for bristles S^-1 z and the velocity S v
static double plastic_share(const br_law* law, const double z[3], const double v[3], double g)
{
    const double z_norm = norm3(z), z_max = g / law->sigma0, z_ba = law->s_ba * z_max;
    const double dot = z[0] * v[0] + z[1] * v[1] + z[2] * v[2];
    const double cosine = dot / ((z_norm + BLUR) * (norm3(v) + BLUR));
    const double alpha =
        z_norm <= z_ba    ? 0
        : z_norm >= z_max ? 1
                          : 0.5 + 0.5 * sin(PI * (z_norm - 0.5 * (z_max + z_ba)) / (z_max - z_ba));
    return alpha * 0.5 * (1 + cosine);
}

static void rate(double t, const double* z, double* dz, void* user)
{
    const ellipsoid* e = user;
    (void)t;
    const double twist[3] = {e->v.vx, e->v.vy, e->v.w};
    double vs[3], zeta[3];
    for (int i = 0; i < 3; i++) {
        vs[i] = e->s[i] * twist[i];
        zeta[i] = z[i] / e->s[i];
    }
    const double speed = norm3(vs), g = br_law_g(&e->law, speed);
    const double decay = plastic_share(&e->law, zeta, vs, g) * e->law.sigma0 * speed / g;
    for (int i = 0; i < 3; i++) {
        dz[i] = e->s[i] * vs[i] - decay * z[i];
    }
}

// By central differences: few states and few runs.
static void jacobian(double t, const double* z, double* matrix, double* dfdt, void* user)
{
    const ellipsoid* e = user;
    for (int j = 0; j < 3; j++) {
        const double step = 1e-12 * e->s[j];
        double below[3] = {z[0], z[1], z[2]}, above[3] = {z[0], z[1], z[2]}, low[3], high[3];
        below[j] -= step;
        above[j] += step;
        rate(t, below, low, user);
        rate(t, above, high, user);
        for (int i = 0; i < 3; i++) {
            matrix[3 * i + j] = (high[i] - low[i]) / (above[j] - below[j]);
        }
        dfdt[j] = 0;
    }
}

static br_wrench wrench(ellipsoid* e, const double z[3])
{
    double dz[3];
    rate(0, z, dz, e);
    const br_law* l = &e->law;
    return (br_wrench){-(l->sigma0 * z[0] + l->sigma1 * dz[0] + l->sigma2 * e->v.vx),
                       -(l->sigma0 * z[1] + l->sigma1 * dz[1] + l->sigma2 * e->v.vy),
                       -(l->sigma0 * z[2] + l->sigma1 * dz[2] + l->sigma2 * e->u * e->v.w)};
}

static ellipsoid create(wk_shape shape)
{
    const br_patch* patch = wk_grid(shape, WK_CELLS, 0);
    const br_patch_value value =
        br_limit_get_patch_value(surface_create(patch, 1, BR_LIMIT_PUBLISHED, 2, WK_CELLS));
    const double shift = br_vec2_dot(value.cop, value.cop);
    return (ellipsoid){wk_law(1, true), {1, 1, value.r}, value.u + shift, {0, 0, 0}};
}

// Integrate over one interval.
static void advance(br_integrator* integrator, double* z, double t, double hold)
{
    br_reason why = {"", ""};
    br_integrator_start(integrator, t, z);
    while (br_integrator_get_t(integrator) < t + hold) {
        if (br_integrator_step(integrator, t + hold, NULL, &why) != BR_OK) {
            message_fail(EXIT_COMPUTATION, "%s", why.text);
        }
    }
    br_integrator_at(integrator, t + hold, z);
}

br_wrench* wk_python_ellipsoid(wk_shape shape, double hold, size_t count)
{
    ellipsoid e = create(shape);
    const br_motion motion = wk_motion((br_vec2){0, 0}, 0);
    const double atol[3] = {1e-12, 1e-12, 1e-12 * e.s[2]};
    br_integrator_def def = br_integrator_def_default();
    def.atol = atol;
    def.rtol = 1e-8;
    const br_ode ode = {
        .size = sizeof(br_ode), .n = 3, .rate = rate, .jacobian = jacobian, .user = &e};
    br_integrator* integrator;
    if (br_integrator_create(&ode, &def, &integrator, NULL) != BR_OK) {
        message_fail(EXIT_COMPUTATION, "out of memory");
    }
    br_wrench* out = memory_allocate(count, sizeof *out);
    double z[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        e.v = wk_twist_at(&motion, hold * (double)i);
        advance(integrator, z, hold * (double)i, hold);
        out[i] = wrench(&e, z);
    }
    br_integrator_destroy(integrator);
    return out;
}
