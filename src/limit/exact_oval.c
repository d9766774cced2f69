/*
 * Ellipses and elliptic rings: G by the chords through the CoR (patch/oval.c).
 */
#include "limit/exact_internal.h"
#include "patch/patch_internal.h"
#include "patch/power_law.h"

static cor_value oval_near(const exact* surface, br_vec2 c)
{
    const oval_patch* patch = &surface->oval;
    const br_vec2 at = br_vec2_add(br_vec2_scale(patch->scale, c), patch->cop);
    const oval_value value = bri_oval_eval(&patch->shape, at);
    return (cor_value){value.G / patch->scale, value.slope, patch->scale * value.xx,
                       patch->scale * value.xy, patch->scale * value.yy};
}

// Moments about the CoP from points of the rim. The disc's triangles with the CoP gamma as apex have
// d(area) = (1 - gamma . e)/2 d(theta), see (cone) of exact_linear_round.c; the power law, which is
// about the centre, has those of its radial moments.
static void fill_moments(exact* surface, double k)
{
    *surface->far = (far_series){0};
    const oval_patch* patch = &surface->oval;
    const oval* shape = &patch->shape;
    const br_vec2 gamma = {patch->cop.x / shape->axes.x, patch->cop.y / shape->axes.y};
    double share[FAR_DEGREE + 1];
    for (int i = 0; i < FAR_CIRCLE; i++) {
        const double angle = 2.0 * BR_PI * i / FAR_CIRCLE;
        const br_vec2 e = {cos(angle), sin(angle)}, xi = br_vec2_sub(e, gamma);
        const double h = 1.0 - br_vec2_dot(gamma, e), tilt = br_vec2_dot(shape->g, xi);
        const double p = 1.0 + br_vec2_dot(shape->g, gamma);
        for (int n = 0; n <= FAR_DEGREE; n++) {
            share[n] = shape->is_ring                   ? p + tilt
                       : shape->pressure == OVAL_LINEAR ? h * (p / (n + 2) + tilt / (n + 3))
                                                        : bri_power_law_moment(k, n);
        }
        const br_vec2 rho = {shape->axes.x * xi.x, shape->axes.y * xi.y};
        bri_far_add(surface->far, br_vec2_scale(1.0 / patch->scale, rho), share);
    }
    bri_far_finish(surface->far);
}

void bri_exact_change_oval(exact* surface, double k)
{
    oval* shape = &surface->oval.shape;
    if (surface->chords) {
        shape->pressure = k == 2.0 ? OVAL_HERTZ : OVAL_POWER;
        shape->chords = surface->chords;
        if (shape->pressure == OVAL_POWER && k != surface->chords->k) {
            bri_chord_table_fill(surface->chords, k);
        }
    }
    fill_moments(surface, k);
}

int bri_exact_fill_oval(exact* surface, const br_patch_def* def, double radius, double k)
{
    if (!bri_far_create(surface)) {
        return 0;
    }
    const oval shape = bri_round_oval(def);
    const double part = shape.is_ring ? 0.5 : 0.25;
    const br_vec2 cop = {part * shape.axes.x * shape.g.x, part * shape.axes.y * shape.g.y};
    const double reach = fmax(shape.axes.x, shape.axes.y) + br_vec2_norm(cop);
    surface->oval = (oval_patch){shape, cop, reach};
    surface->per_radius = reach;
    surface->size = radius * reach;
    surface->shape = &bri_cor_shape;
    surface->near = oval_near;
    if (def->pressure == BR_PRESSURE_POWER && (k != 2.0 || def->k.exponent > 0.0)) {
        surface->chords = bri_exact_own(surface, 1, sizeof *surface->chords);
        if (!surface->chords) {
            return 0;
        }
    }
    bri_exact_change_oval(surface, k);
    return 1;
}
