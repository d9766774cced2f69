/*
 * The exact limit surface: transforms the twist from the contact frame to the axes and units of a
 * shape, and the wrench back.
 *
 *   D(v) = int |v(rho)| p dA,   wrench = -grad D,   Jacobian = -Hess D
 *
 * D is homogeneous, so any twist is first scaled by a power of two to about 1, which is exact.
 */
#include "limit/exact_internal.h"
#include "patch/patch_internal.h"

// Below this exponent of a power law, r is less than 1e-49 radii.
#define POINT_K 0.003

void* bri_exact_own(exact* surface, size_t count, size_t bytes)
{
    void** slot = surface->memory;
    while (*slot) {
        slot++;
    }
    return *slot = br_allocate(count, bytes);
}

static double exponent_at(const br_patch_def* def, double fn)
{
    return def->pressure == BR_PRESSURE_POWER ? br_by_force_eval(def->k, fn) : HUGE_VAL;
}

// A disc, ellipse or ring. It is a point if its radius or the exponent of its pressure vanishes.
static int fill_round(exact* surface, const br_patch_def* def, double radius, double k)
{
    if (!(radius > 0.0) || k < POINT_K) {
        return bri_exact_fill_point(surface);
    }
    if (def->ratio != 1.0 || def->slope_angle != 0.0) { // neither is a disc or ring
        return bri_exact_fill_oval(surface, def, radius, k);
    }
    // a linear pressure without slope is a uniform one
    const int is_linear = bri_pressure_gradient(def) < 0.0 || bri_pressure_gradient(def) > 0.0;
    return is_linear ? bri_exact_fill_linear_round(surface, def, radius)
                     : bri_exact_fill_round(surface, def, radius, k);
}

exact* bri_exact_copy(const exact* surface, arena* to)
{
    exact* out = arena_copy(to, surface, sizeof *surface);
    ring_rule* rings = surface->rings ? arena_copy(to, surface->rings, sizeof *rings) : NULL;
    chord_table* chords = surface->chords ? arena_copy(to, surface->chords, sizeof *chords) : NULL;
    far_series* far = surface->chords ? arena_copy(to, surface->far, sizeof *far) : NULL;
    if (to->memory) {
        out->rings = rings;
        out->chords = chords;
        out->oval.shape.chords = chords;
        out->far = chords ? far : surface->far;
    }
    return out;
}

void bri_exact_at_force(exact* surface, const br_patch* patch, double fn)
{
    const br_patch_def* def = br_patch_get_def(patch);
    const double k = exponent_at(def, fn);
    surface->r = br_patch_eval(patch, fn).r;

    // without a size any form is a point
    const double radius = k < POINT_K ? 0.0 : patch_radius(def, fn);
    surface->size = radius * surface->per_radius;
    if (surface->rings) {
        bri_exact_change_k(surface, k < POINT_K ? 1.0 : k);
    }
    if (surface->chords && def->k.exponent > 0.0) {
        bri_exact_change_oval(surface, k < POINT_K ? 1.0 : k);
    }
}

// A patch whose size depends on the force: create it with a size > 0, then set the actual size.
static int fill_growing(exact* surface, const br_patch* patch, double fn)
{
    const br_patch_def* def = br_patch_get_def(patch);
    if (!fill_round(surface, def, 1.0, fmax(exponent_at(def, fn), POINT_K))) {
        return 0;
    }
    bri_exact_at_force(surface, patch, fn);
    return 1;
}

static int fill(exact* surface, const br_patch* patch, double fn)
{
    const br_patch_def* def = br_patch_get_def(patch);
    surface->cosine = cos(def->angle);
    surface->sine = sin(def->angle);
    surface->r = br_patch_eval(patch, fn).r;
    switch (def->shape) {
    case BR_SHAPE_DISC:
    case BR_SHAPE_RING:
    case BR_SHAPE_ELLIPSE:
        return br_patch_depends_on_force(patch)
                   ? fill_growing(surface, patch, fn)
                   : fill_round(surface, def, patch_radius(def, fn), exponent_at(def, fn));
    case BR_SHAPE_POINTS:
        return bri_exact_fill_points(surface, def, patch->unit.cop);
    case BR_SHAPE_GRID:
        return bri_exact_fill_grid(surface, def, patch->unit.cop);
    case BR_SHAPE_TRIANGLES:
        return bri_exact_fill_mesh(surface, def, patch->unit.cop);
    default:
        return bri_exact_fill_corners(surface, def, patch->unit.cop);
    }
}

br_status bri_exact_create(const br_patch* patch, double fn, exact** out, br_reason* why)
{
    exact* surface = br_allocate(1, sizeof *surface);
    *out = surface;
    if (surface && fill(surface, patch, fn)) {
        return BR_OK;
    }
    bri_exact_destroy(surface);
    *out = NULL;
    br_reason_set(why, "", "no memory for the limit surface of a %s",
                  br_shape_get_name(br_patch_get_def(patch)->shape));
    return BR_ERR_MEMORY;
}

void bri_exact_destroy(exact* surface)
{
    if (!surface) {
        return;
    }
    for (size_t i = 0; i < sizeof surface->memory / sizeof *surface->memory; i++) {
        br_release(surface->memory[i]);
    }
    br_release(surface);
}

// The exponent e for which v 2^-e is about 1.
static int exponent_of(br_twist v)
{
    int exponent;
    frexp(fmax(fmax(fabs(v.vx), fabs(v.vy)), fabs(v.w)), &exponent);
    return exponent;
}

// v 2^-e in the patch's axes, with lengths in units of the patch's size.
static br_twist to_local(const exact* surface, br_twist v, int exponent)
{
    const double vx = ldexp(v.vx, -exponent), vy = ldexp(v.vy, -exponent);
    const double c = surface->cosine, s = surface->sine;
    return (br_twist){c * vx + s * vy, c * vy - s * vx, ldexp(v.w, -exponent) * surface->size};
}

static int is_zero(br_twist v)
{
    return v.vx == 0.0 && v.vy == 0.0 && v.w == 0.0;
}

// minus T^T hessian T, T of to_local(). D is of degree 1, its second derivatives are of degree -1.
static void to_contact(const exact* surface, double hessian[3][3], int exponent,
                       double jacobian[3][3])
{
    const double c = surface->cosine, s = surface->sine;
    const double map[3][3] = {{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, surface->size}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int kl = 0; kl < 9; kl++) {
                sum += map[kl / 3][i] * hessian[kl / 3][kl % 3] * map[kl % 3][j];
            }
            jacobian[i][j] = jacobian[j][i] = ldexp(-sum, -exponent);
        }
    }
}

static br_limit_value not_a_number(double jacobian[3][3])
{
    const double nan = (double)NAN;
    for (int i = 0; jacobian && i < 9; i++) {
        jacobian[i / 3][i % 3] = nan;
    }
    return (br_limit_value){nan, {nan, nan, nan}, 0};
}

br_limit_value bri_exact_eval(const exact* surface, br_twist v, double jacobian[3][3])
{
    if (!(isfinite(v.vx) && isfinite(v.vy) && isfinite(v.w))) {
        return not_a_number(jacobian);
    }
    const int exponent = exponent_of(v);
    const br_twist local = to_local(surface, v, exponent);
    double hessian[3][3] = {{0.0}};
    br_limit_value value = {0.0, {0.0, 0.0, 0.0}, 1};
    if (!is_zero(local)) {
        value = surface->shape->eval(surface, local, jacobian ? hessian : NULL);
        const br_wrench f = value.wrench;
        const double c = surface->cosine, s = surface->sine;
        value.dissipation = ldexp(value.dissipation, exponent);
        value.wrench = (br_wrench){c * f.fx - s * f.fy, s * f.fx + c * f.fy, f.tau * surface->size};
    }
    if (jacobian) {
        to_contact(surface, hessian, exponent, jacobian);
    }
    return value;
}

// --- from the CoR ----------------------------------------------------------------------------------

// Is the CoR so far away that the integrals about it would suffer from cancellation?
static int is_far(br_twist v)
{
    return hypot(v.vx, v.vy) > FAR_DISTANCE * fabs(v.w);
}

static br_vec2 centre_of_rotation(br_twist v)
{
    return (br_vec2){-v.vy / v.w, v.vx / v.w};
}

// Hess D = A^T (Hess G) A/|w|,   A = dc/dv w = ((0, -1, -c_x), (1, 0, -c_y))
static void cor_hessian(const cor_value* at, br_vec2 c, double w, double hessian[3][3])
{
    const double a[2][3] = {{0.0, -1.0, -c.x}, {1.0, 0.0, -c.y}};
    for (int i = 0; i < 9; i++) {
        const int row = i / 3, column = i % 3;
        hessian[row][column] = (a[0][row] * (at->xx * a[0][column] + at->xy * a[1][column]) +
                                a[1][row] * (at->xy * a[0][column] + at->yy * a[1][column])) /
                               fabs(w);
    }
}

static br_limit_value cor_eval(const exact* surface, br_twist v, double hessian[3][3])
{
    if (is_far(v)) {
        return bri_far_eval(surface->far, v, hessian);
    }
    const br_vec2 c = centre_of_rotation(v);
    const cor_value at = surface->near(surface, c);
    const double s = copysign(1.0, v.w);
    if (hessian) {
        cor_hessian(&at, c, v.w, hessian);
    }
    // f = s z x grad G,   tau = -s (G - c . grad G)
    return (br_limit_value){
        fabs(v.w) * at.G,
        {-s * at.slope.y, s * at.slope.x, -s * (at.G - br_vec2_dot(c, at.slope))},
        0};
}

const exact_shape bri_cor_shape = {cor_eval};
