/*
 * Candidate supports and their friction: see footprint.h.
 */
#include "fit/footprint.h"

#include <string.h>

#include "bristle/outline.h"
#include "fit/numbers.h"
#include "math/vec3.h"

// --- candidates -------------------------------------------------------------------------------------

enum { RING = 8 }; // positions around a known support, at its tolerance

static br_status allocate(footprint* f, size_t max, br_reason* why)
{
    *f = (footprint){.memory = br_allocate(3 * max, sizeof *f->memory)};
    f->x = f->memory;
    f->y = f->x + max;
    f->prior = f->y + max;
    return f->memory ? BR_OK : bri_out_of_memory(why);
}

void bri_footprint_destroy(footprint* f)
{
    br_release(f->memory);
    *f = (footprint){0};
}

static void add(footprint* f, br_vec2 at, double prior)
{
    f->x[f->count] = at.x;
    f->y[f->count] = at.y;
    f->prior[f->count++] = prior;
}

// Lengths over the root mean square distance of the prior from its centre, at least 1e-9 m.
static void scale(footprint* f)
{
    double sum = 0.0, x = 0.0, y = 0.0, square = 0.0;
    for (size_t j = 0; j < f->count; j++) {
        sum += f->prior[j];
        x += f->prior[j] * f->x[j];
        y += f->prior[j] * f->y[j];
    }
    for (size_t j = 0; j < f->count; j++) {
        f->prior[j] /= sum;
        square += f->prior[j] * (pow(f->x[j] - x / sum, 2.0) + pow(f->y[j] - y / sum, 2.0));
    }
    f->unit = fmax(sqrt(square), 1e-9);
    for (size_t j = 0; j < f->count; j++) {
        f->x[j] /= f->unit;
        f->y[j] /= f->unit;
    }
}

void bri_footprint_set_unit(footprint* f, double unit)
{
    const double ratio = f->unit / unit;
    for (size_t j = 0; j < f->count; j++) {
        f->x[j] *= ratio;
        f->y[j] *= ratio;
    }
    f->h *= ratio;
    f->unit = unit;
}

// Points along the rim, `spacing` [m] apart or a little less; returns their number. f: NULL to count them only.
static size_t add_rim(footprint* f, const br_outline* outline, double spacing)
{
    size_t corners, count = 0;
    const br_vec2 *v = br_outline_get_vertices(outline, &corners),
                  c = br_outline_get_centre(outline);
    const double radius = br_outline_get_radius(outline);
    for (size_t i = 0; i < (corners ? corners : 1); i++) {
        const br_vec2 side =
            corners ? br_vec2_sub(v[(i + 1) % corners], v[i]) : (br_vec2){0.0, 0.0};
        const double length = corners ? br_vec2_norm(side) : 2.0 * BR_PI * radius;
        const size_t n = (size_t)fmax(ceil(length / spacing), 1.0);
        for (size_t k = 0; f && k < n; k++) {
            const double share = (double)k / (double)n, angle = 2.0 * BR_PI * (double)k / (double)n;
            add(f,
                corners ? br_vec2_add(v[i], br_vec2_scale(share, side))
                        : (br_vec2){c.x + radius * cos(angle), c.y + radius * sin(angle)},
                0.0);
        }
        count += n;
    }
    return count;
}

// The cells whose centres are in the outline, in the contact frame, and the rim.
static br_status fill_from(const br_patch_def* def, const br_outline* outline,
                           const br_cells* cells, double spacing, footprint* out, br_reason* why)
{
    const br_pose pose = {def->centre.x, def->centre.y, def->angle};
    const br_status status = allocate(out, cells->count + add_rim(NULL, outline, spacing), why);
    if (status) {
        return status;
    }
    for (size_t i = 0; i < cells->count; i++) {
        add(out, br_pose_apply(pose, (br_vec2){cells->x[i], cells->y[i]}), cells->weight[i]);
    }
    add_rim(out, outline, spacing);
    scale(out);
    // radius of gyration of a square cell: its side over sqrt(6)
    out->h = spacing / sqrt(6.0) / out->unit;
    return BR_OK;
}

br_status bri_footprint_of_outline(const br_patch* outline, size_t resolution, footprint* out,
                                   br_reason* why)
{
    *out = (footprint){0};
    br_patch_def def = *br_patch_get_def(outline);
    def.sampling = BR_SAMPLING_CENTRE; // a cell whose centre is outside is no candidate
    br_patch* centred = NULL;
    br_cells* cells = NULL;
    br_outline* rim = NULL;
    br_status status = br_patch_create(&def, &centred, why);
    status = status ? status : br_cells_create(centred, 1.0, resolution, &cells, why);
    status = status ? status : br_outline_create(outline, 1.0, 0, &rim, why);
    if (!status && !(br_outline_get_radius(rim) > 0.0)) {
        status = REFUSE(BR_ERR_DEF, why, "outline",
                        "the outline is a point: it must bound where a body can bear");
    }
    if (!status) {
        const double cell = 2.0 * fmax(cells->half_x, cells->half_y);
        const double across = 2.0 * br_outline_get_radius(rim) / (double)resolution;
        status = fill_from(&def, rim, cells, cell > 0.0 ? cell : across, out, why);
    }
    br_outline_destroy(rim);
    br_cells_destroy(cells);
    br_patch_destroy(centred);
    return status;
}

br_status bri_footprint_of_supports(const br_patch* supports, double tolerance, footprint* out,
                                    br_reason* why)
{
    const br_patch_def* def = br_patch_get_def(supports);
    const br_pose pose = {def->centre.x, def->centre.y, def->angle};
    const size_t around = tolerance > 0.0 ? RING : 0;
    const br_status status = allocate(out, def->count * (1 + around), why);
    if (status) {
        return status;
    }
    for (size_t i = 0; i < def->count; i++) {
        const br_vec2 centre = br_pose_apply(pose, (br_vec2){def->points[i].x, def->points[i].y});
        add(out, centre, def->points[i].weight);
        for (size_t k = 0; k < around; k++) {
            const double angle = 2.0 * BR_PI * (double)k / RING;
            const br_vec2 off = {tolerance * cos(angle), tolerance * sin(angle)};
            add(out, br_vec2_add(centre, off), 0.0);
        }
    }
    scale(out);
    out->h = fmax(0.5 * tolerance / out->unit, 0.01); // a foot has some width
    return BR_OK;
}

// --- friction ---------------------------------------------------------------------------------------

double bri_footprint_column(const footprint* f, size_t j, const double v[3], double g[3])
{
    const double vx = v[0] - v[2] * f->y[j], vy = v[1] + v[2] * f->x[j], turn = f->h * v[2];
    const double s = sqrt(vx * vx + vy * vy + turn * turn);
    const double inverse = s > 0.0 ? 1.0 / s : 0.0;
    // d s/d v = (v_j, rho x v_j + h^2 w)/s
    g[0] = vx * inverse;
    g[1] = vy * inverse;
    g[2] = (f->x[j] * vy - f->y[j] * vx + f->h * turn) * inverse;
    return s;
}

// Hess s = (M - g g^T)/s, M = sum of squares under the root: (1, 0, -y; 0, 1, x; -y, x, |rho|^2 + h^2)
static void add_bend(const footprint* f, size_t j, double share, const double g[3], double bend[6])
{
    const double x = f->x[j], y = f->y[j];
    bend[0] += share * (1.0 - g[0] * g[0]);
    bend[1] -= share * g[0] * g[1];
    bend[2] += share * (-y - g[0] * g[2]);
    bend[3] += share * (1.0 - g[1] * g[1]);
    bend[4] += share * (x - g[1] * g[2]);
    bend[5] += share * (x * x + y * y + f->h * f->h - g[2] * g[2]);
}

footprint_value bri_footprint_eval(const footprint* f, const double* weights, const double v[3])
{
    footprint_value sum = {0.0, {0.0}, {0.0}};
    for (size_t j = 0; j < f->count; j++) {
        const double weight = weights[j];
        if (!(weight > 0.0)) {
            continue;
        }
        double g[3];
        const double s = bri_footprint_column(f, j, v, g);
        sum.D += weight * s;
        for (int i = 0; i < 3; i++) {
            sum.slope[i] += weight * g[i];
        }
        if (s > 0.0) {
            add_bend(f, j, weight / s, g, sum.bend);
        }
    }
    return sum;
}

void bri_footprint_bend(const double h[6], const double a[3], double out[3])
{
    out[0] = h[0] * a[0] + h[1] * a[1] + h[2] * a[2];
    out[1] = h[1] * a[0] + h[3] * a[1] + h[4] * a[2];
    out[2] = h[2] * a[0] + h[4] * a[1] + h[5] * a[2];
}

void bri_footprint_moments(const footprint* f, const double* weights, double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    for (size_t i = 0; i < f->count; i++) {
        out[0] += f->unit * weights[i] * f->x[i];
        out[1] += f->unit * weights[i] * f->y[i];
    }
    for (size_t i = 0; i < f->count; i++) {
        out[2] += weights[i] * hypot(f->unit * f->x[i] - out[0], f->unit * f->y[i] - out[1]);
    }
}

void bri_footprint_solve(const footprint_value* at, const double b[3], double x[3])
{
    double a[6];
    for (int i = 0, p = 0; i < 3; i++) {
        for (int j = i; j < 3; j++, p++) {
            a[p] = at->slope[i] * at->slope[j] + at->D * at->bend[p];
        }
    }
    // Cholesky's factor L, then L y = b, L^T x = y
    const double l00 = sqrt(a[0]), l10 = a[1] / l00, l20 = a[2] / l00;
    const double l11 = sqrt(a[3] - l10 * l10), l21 = (a[4] - l10 * l20) / l11;
    const double l22 = sqrt(a[5] - l20 * l20 - l21 * l21);
    const double y0 = b[0] / l00, y1 = (b[1] - l10 * y0) / l11;
    const double y2 = (b[2] - l20 * y0 - l21 * y1) / l22;
    x[2] = y2 / l22;
    x[1] = (y1 - l21 * x[2]) / l11;
    x[0] = (y0 - l10 * x[1] - l20 * x[2]) / l00;
}

enum { MOST_ROUNDS = 60, MOST_HALVINGS = 30 };

// Over the load or the speed: where a solution is good enough for derivatives that tests compare to 1e-6.
static const double converged = 1e-12;

int bri_footprint_slide(const footprint* f, const double* weights, const double load[3],
                        double v[3])
{
    const double size = sqrt(vec3_dot(load, load));
    if (vec3_dot(v, v) == 0.0) {
        memcpy(v, load, 3 * sizeof *v); // the ellipsoid's answer: along the load
    }
    footprint_value at = bri_footprint_eval(f, weights, v);
    for (int round = 0; round < MOST_ROUNDS; round++) {
        double residual[3], step[3], next[3];
        vec3_combine(1.0, load, -at.D, at.slope, residual);
        if (vec3_dot(residual, residual) <= converged * converged * size * size) {
            return 1;
        }
        bri_footprint_solve(&at, residual, step);
        // Newton's step, halved until it gains
        const double before = 0.5 * at.D * at.D - vec3_dot(load, v),
                     gain = vec3_dot(residual, step);
        double share = 1.0, after = before;
        for (int half = 0; half < MOST_HALVINGS; half++, share *= 0.5) {
            vec3_combine(1.0, v, share, step, next);
            at = bri_footprint_eval(f, weights, next);
            after = 0.5 * at.D * at.D - vec3_dot(load, next);
            if (after <= before - 1e-4 * share * gain + 1e-15 * size * size) {
                break;
            }
        }
        memcpy(v, next, sizeof next);
        if (!(after <= before + 1e-14 * size * size)) {
            return 0; // also NaN
        }
    }
    return 0;
}

int bri_footprint_stick(const footprint* f, const double* weights, br_vec2 c, br_vec2 velocity,
                        double* spin)
{
    // v = (velocity + w (c_y, -c_x), w),   dD/dw = b.grad D,   b = (c_y, -c_x, 1)
    const double b[3] = {c.y, -c.x, 1.0}, speed = hypot(velocity.x, velocity.y);
    double low = -(double)INFINITY, high = (double)INFINITY, hb[3];
    for (int round = 0; round < 4 * MOST_ROUNDS; round++) {
        const double v[3] = {velocity.x + *spin * b[0], velocity.y + *spin * b[1], *spin};
        const footprint_value at = bri_footprint_eval(f, weights, v);
        const double slope = vec3_dot(b, at.slope);
        bri_footprint_bend(at.bend, b, hb);
        const double bend = vec3_dot(b, hb);
        low = slope < 0.0 ? *spin : low;
        high = slope > 0.0 ? *spin : high;
        double next = *spin - slope / bend;
        if (!(next > low && next < high)) { // Newton leaves the bracket: halve it, or widen it
            next = isfinite(low) && isfinite(high)
                       ? 0.5 * (low + high)
                       : *spin - copysign(2.0 * (speed + fabs(*spin)), slope);
        }
        const double step = fabs(next - *spin);
        *spin = next;
        if (step <= converged * (speed + fabs(next))) {
            return 1;
        }
    }
    return 0;
}
