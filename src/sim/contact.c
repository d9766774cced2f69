/*
 * A contact's friction model as an implicit solver sees it.
 */
#include "sim/contact.h"

#include "law/law_internal.h"

#include <string.h>

// Size and law of the model.
static void look_up(contact* c)
{
    double angle = 0.0; // a reduced model turns its surface itself
    c->size = 3;
    if (c->distributed) {
        c->parts = br_distributed_get_count(c->distributed);
        c->size = 2;
        c->law = br_distributed_get_law(c->distributed);
        c->grows = br_distributed_depends_on_force(c->distributed);
        angle = br_distributed_get_angle(c->distributed);
    } else if (c->blocks) {
        c->parts = br_blocks_get_count(c->blocks);
        c->law = br_blocks_get_law(c->blocks);
        c->grows = br_blocks_depends_on_force(c->blocks);
        angle = br_blocks_get_angle(c->blocks);
    } else {
        c->parts = 1;
        c->law = br_reduced_get_law(c->reduced);
        c->grows = br_reduced_depends_on_force(c->reduced);
    }
    c->cosine = cos(angle);
    c->sine = sin(angle);
    c->kernels = contact_kernels_for(c->size);
}

static double inverse_or_zero(double x)
{
    return x > 0.0 ? 1.0 / x : 0.0;
}

static void fill_part(contact* c, size_t i)
{
    if (c->distributed) {
        const br_distributed_cell cell = br_distributed_get_cell(c->distributed, i);
        c->x[i] = cell.position.x;
        c->y[i] = cell.position.y;
        c->weight[i] = cell.weight;
    } else if (c->blocks) {
        const br_blocks_block block = br_blocks_get_block(c->blocks, i);
        c->x[i] = block.position.x;
        c->y[i] = block.position.y;
        c->weight[i] = block.weight;
        c->extent[i] = block.xx + block.yy;
        c->per_turn[i] = inverse_or_zero(c->extent[i]);
    } else {
        c->weight[i] = 1.0;
        c->extent[i] = c->value.u;
        c->per_turn[i] = c->turn * c->turn * inverse_or_zero(c->value.r * c->value.r);
    }
}

// CoP and parts, as the pressure is spread now.
static void fill(contact* c)
{
    c->value = c->distributed ? br_distributed_get_patch_value(c->distributed)
               : c->blocks    ? br_blocks_get_patch_value(c->blocks)
                              : br_reduced_get_patch_value(c->reduced);
    c->turn = c->reduced && c->grows ? br_reduced_get_turn(c->reduced) : 1.0;
    c->reach = 0.0;
    for (size_t i = 0; i < c->parts; i++) {
        fill_part(c, i);
        c->reach = fmax(c->reach, sqrt(c->x[i] * c->x[i] + c->y[i] * c->y[i] + c->extent[i]));
    }
}

void contact_spread(contact* c, double fn)
{
    if (!c->grows || fn == c->spread_at) {
        return;
    }
    if (c->distributed) {
        br_distributed_spread(c->distributed, fn);
    } else if (c->blocks) {
        br_blocks_spread(c->blocks, fn);
    } else {
        br_reduced_spread(c->reduced, fn, NULL); // the state is its angle
    }
    c->spread_at = fn;
    fill(c);
}

br_status contact_create(contact* c, br_distributed* distributed, br_blocks* blocks,
                         br_reduced* reduced, br_reason* why)
{
    *c = (contact){
        .distributed = distributed, .blocks = blocks, .reduced = reduced, .spread_at = (double)NAN};
    look_up(c);
    const size_t n = c->parts, matrix = c->size * c->size * n;
    const size_t places = c->grows ? 9 * n : 5 * n;
    c->memory = br_allocate(places + 4 * matrix, sizeof(double));
    if (!c->memory) {
        br_reason_set(why, "", "no memory for a contact of %zu parts", n);
        return BR_ERR_MEMORY;
    }
    c->x = c->memory;
    c->y = c->x + n;
    c->weight = c->y + n;
    c->extent = c->weight + n;
    c->per_turn = c->extent + n;
    c->x_then = c->grows ? c->per_turn + n : c->x; // x, y, weight, extent follow each other
    c->y_then = c->x_then + n;
    c->weight_then = c->y_then + n;
    c->extent_then = c->weight_then + n;
    c->dz_z = c->memory + places;
    c->dz_v = c->dz_z + matrix;
    c->inverse = c->dz_v + matrix;
    c->reply = c->inverse + matrix;
    fill(c);
    c->turn_then = c->turn;
    return BR_OK;
}

void contact_release(contact* c)
{
    br_release(c->memory);
    c->memory = NULL;
}

// The third state of a reduced model times a factor; other models' states stay.
static void scale_turn(const contact* c, double factor, double* z)
{
    if (c->reduced) {
        z[2] *= factor;
    }
}

void contact_leave(const contact* c, double* z)
{
    scale_turn(c, c->turn, z);
}

void contact_enter(const contact* c, double* z)
{
    scale_turn(c, inverse_or_zero(c->turn), z);
}

void contact_tolerances(const contact* c, double atol_z, double* atol)
{
    const double r = c->value.r > 0.0 ? c->value.r : 1.0;
    const double turn = c->value.r > 0.0 ? c->turn : 1.0;
    for (size_t i = 0; i < contact_states(c); i++) {
        atol[i] = i >= 2 * c->parts ? atol_z * r / turn : atol_z;
    }
}

br_wrench contact_rate(const contact* c, const double* z, br_twist v, double fn, double* dz)
{
    if (!c->reduced) {
        return c->distributed ? br_distributed_eval(c->distributed, z, v, fn, dz)
                              : br_blocks_eval(c->blocks, z, v, fn, dz);
    }
    double own[3] = {z[0], z[1], z[2]};
    contact_leave(c, own);
    const br_wrench f = br_reduced_eval(c->reduced, own, v, fn, dz);
    contact_enter(c, dz);
    return f;
}

void contact_steady_state(const contact* c, br_twist v, double* z)
{
    if (c->distributed) {
        br_distributed_steady_state_eval(c->distributed, v, z);
    } else if (c->blocks) {
        br_blocks_steady_state_eval(c->blocks, v, z);
    } else {
        br_reduced_steady_state_eval(c->reduced, v, z);
        contact_enter(c, z);
    }
}

double contact_stored(const contact* c, const double* z)
{
    const size_t n = c->parts;
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += c->weight[i] * (z[i] * z[i] + z[n + i] * z[n + i]);
    }
    for (size_t i = 0; c->size == 3 && i < n; i++) {
        sum += c->weight[i] * c->per_turn[i] * z[2 * n + i] * z[2 * n + i];
    }
    return 0.5 * c->law->sigma0 * sum;
}

double contact_stored_rate(const contact* c, const double* z, const double* dz)
{
    const size_t n = c->parts;
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += c->weight[i] * (z[i] * dz[i] + z[n + i] * dz[n + i]);
    }
    for (size_t i = 0; c->size == 3 && i < n; i++) {
        sum += c->weight[i] * c->per_turn[i] * z[2 * n + i] * dz[2 * n + i];
    }
    return c->law->sigma0 * sum;
}

double contact_deflection(const contact* c, const double* z)
{
    return sqrt(c->kernels->largest(c, z));
}

// From the contact frame's axes to the patch's, and back.
static void enter_axes(const contact* c, br_twist v, double out[3])
{
    out[0] = c->cosine * v.vx + c->sine * v.vy;
    out[1] = c->cosine * v.vy - c->sine * v.vx;
    out[2] = v.w;
}

static br_wrench leave_axes(const contact* c, const double f[3])
{
    return (br_wrench){c->cosine * f[0] - c->sine * f[1], c->sine * f[0] + c->cosine * f[1], f[2]};
}

br_step_contact contact_in_step(const contact* c, const double* z, int open, double own[3])
{
    const double* state = z;
    if (c->reduced) {
        memcpy(own, z, 3 * sizeof *own);
        contact_leave(c, own);
        state = own;
    }
    return (br_step_contact){.distributed = c->distributed,
                             .blocks = c->blocks,
                             .reduced = c->reduced,
                             .z = (double*)state, // only read
                             .fn = open ? 0.0 : 1.0,
                             .count = 1.0};
}

br_wrench contact_bristle_wrench(const contact* c, const double* z)
{
    const size_t n = c->parts;
    double sum[3] = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < n; i++) {
        const double fx = c->weight[i] * z[i], fy = c->weight[i] * z[n + i];
        sum[0] -= fx;
        sum[1] -= fy;
        sum[2] -= c->x[i] * fy - c->y[i] * fx;
    }
    for (size_t i = 0; c->size == 3 && i < n; i++) {
        sum[2] -= c->weight[i] * z[2 * n + i];
    }
    for (int i = 0; i < 3; i++) {
        sum[i] *= c->law->sigma0;
    }
    return leave_axes(c, sum);
}

// g of all parts, where it is nearly the same: none moves, all slide, or so little is lost that it does
// not matter; else 0.
static double common_g(const contact* c, br_twist v, double lost)
{
    const br_law* law = c->law;
    const double slide = hypot(v.vx, v.vy), spin = c->reach * fabs(v.w);
    const double slowest = fmax(slide - spin, 0.0), fastest = slide + spin;
    if (lost < 1e-9 * law->mu_c * fastest) {
        return law->mu_s;
    }
    const double low = g_nearly(law, fastest * fastest), high = g_nearly(law, slowest * slowest);
    return high - low < 1e-6 * low ? low : 0.0;
}

double contact_slip_rate(const contact* c, const double* z, const double* dz, br_twist v)
{
    const br_wrench f = contact_bristle_wrench(c, z);
    const double taken = -(f.fx * v.vx + f.fy * v.vy + f.tau * v.w);
    const double all_lost = fmax(taken - contact_stored_rate(c, z, dz), 0.0); // rounding
    const double g = common_g(c, v, all_lost);
    if (g > 0.0) {
        return all_lost / g;
    }
    const size_t n = c->parts;
    double at[3], sum = 0.0;
    enter_axes(c, v, at);
    for (size_t i = 0; i < n; i++) {
        const double vx = at[0] - at[2] * c->y[i], vy = at[1] + at[2] * c->x[i];
        const double extent = c->size == 3 ? c->extent[i] : 0.0;
        double lost = z[i] * (vx - dz[i]) + z[n + i] * (vy - dz[n + i]);
        if (extent > 0.0) {
            lost += c->per_turn[i] * z[2 * n + i] * (extent * at[2] - dz[2 * n + i]);
        }
        sum += c->weight[i] * lost / g_nearly(c->law, vx * vx + vy * vy + extent * at[2] * at[2]);
    }
    return fmax(c->law->sigma0 * sum, 0.0); // rounding
}

void contact_linearise(contact* c, const double* z, br_twist v)
{
    if (c->grows) {
        memcpy(c->x_then, c->x, 4 * c->parts * sizeof *c->x); // y, weight and extent with it
        c->turn_then = c->turn;
    }
    if (c->distributed) {
        const br_distributed_gradient out = {c->dz_z, c->dz_v};
        br_distributed_gradient_eval(c->distributed, z, v, &out);
    } else if (c->blocks) {
        const br_blocks_gradient out = {c->dz_z, c->dz_v};
        br_blocks_gradient_eval(c->blocks, z, v, &out);
    } else {
        br_reduced_gradient d;
        double own[3] = {z[0], z[1], z[2]};
        contact_leave(c, own);
        br_reduced_gradient_eval(c->reduced, own, v, 1.0, &d);
        memcpy(c->dz_z, d.dz_z, sizeof d.dz_z);
        memcpy(c->dz_v, d.dz_v, sizeof d.dz_v);
    }
}

void contact_push(const contact* c, br_twist dv, double* out)
{
    double v[3];
    enter_axes(c, dv, v);
    c->kernels->push(c, v, out);
    scale_turn(c, inverse_or_zero(c->turn_then), out);
}

br_wrench contact_wrench_push(const contact* c, const double* z, br_twist v, br_twist dv)
{
    double by_v[3][3];
    if (c->distributed) {
        br_distributed_wrench_gradient d = {.f_z = NULL};
        br_distributed_wrench_gradient_eval(c->distributed, z, v, 1.0, &d);
        memcpy(by_v, d.f_v, sizeof by_v);
    } else if (c->blocks) {
        br_blocks_wrench_gradient d = {.f_z = NULL};
        br_blocks_wrench_gradient_eval(c->blocks, z, v, 1.0, &d);
        memcpy(by_v, d.f_v, sizeof by_v);
    } else {
        br_reduced_gradient d;
        br_reduced_gradient_eval(c->reduced, z, v, 1.0, &d);
        memcpy(by_v, d.f_v, sizeof by_v);
    }
    double f[3];
    for (int i = 0; i < 3; i++) {
        f[i] = by_v[i][0] * dv.vx + by_v[i][1] * dv.vy + by_v[i][2] * dv.w;
    }
    return (br_wrench){f[0], f[1], f[2]};
}

// A matrix from twists to wrenches (3 x 3), from the patch's axes to the contact frame's: its columns are
// what a twist along each axis gives, so turn both sides.
static void leave_axes_both(const contact* c, const double k[9], double stiffness[3][3])
{
    for (int column = 0; column < 3; column++) {
        double v[3];
        enter_axes(c, (br_twist){column == 0, column == 1, column == 2}, v);
        const double f[3] = {k[0] * v[0] + k[1] * v[1] + k[2] * v[2],
                             k[3] * v[0] + k[4] * v[1] + k[5] * v[2],
                             k[6] * v[0] + k[7] * v[1] + k[8] * v[2]};
        const br_wrench turned = leave_axes(c, f);
        stiffness[0][column] = turned.fx;
        stiffness[1][column] = turned.fy;
        stiffness[2][column] = turned.tau;
    }
}

void contact_hold(const contact* c, br_twist moved, double* z, double stiffness[3][3])
{
    const size_t n = c->parts;
    const double most = c->law->mu_s / c->law->sigma0;
    double d[3], k[9] = {0.0};
    enter_axes(c, moved, d);
    for (size_t i = 0; i < n; i++) {
        // z = d_xy + d_tau x (x, y),   zeta = d_tau spin, of which the state is a turn-th part
        const double x = c->x[i], y = c->y[i], per = c->per_turn[i];
        const double spin = per > 0.0 ? c->turn * c->turn / per : 0.0;
        const double zx = d[0] - d[2] * y, zy = d[1] + d[2] * x;
        const double size = sqrt(zx * zx + zy * zy + d[2] * d[2] * spin);
        const double share = size > most ? most / size : 1.0;
        const double w = c->weight[i] * share * c->law->sigma0;
        const int counts = c->weight[i] > 0.0;
        z[i] = counts ? share * zx : 0.0;
        z[n + i] = counts ? share * zy : 0.0;
        if (c->size == 3) {
            z[2 * n + i] = counts ? share * d[2] * spin : 0.0;
        }
        k[0] += w;
        k[2] -= w * y;
        k[5] += w * x;
        k[8] += w * (x * x + y * y + spin);
    }
    contact_enter(c, z);
    k[4] = k[0];
    k[6] = k[2];
    k[7] = k[5];
    leave_axes_both(c, k, stiffness);
}

int contact_factor(contact* c, double shift, double stiffness[3][3])
{
    double k[9];
    c->shift = shift;
    if (!c->kernels->factor(c, k)) {
        return 0;
    }
    leave_axes_both(c, k, stiffness);
    return 1;
}

br_wrench contact_eliminate(const contact* c, double* b)
{
    double sum[3];
    scale_turn(c, c->turn_then, b);
    c->kernels->eliminate(c, b, sum);
    scale_turn(c, inverse_or_zero(c->turn_then), b);
    return leave_axes(c, sum);
}

void contact_restore(const contact* c, br_twist dv, double* b)
{
    double v[3];
    enter_axes(c, dv, v);
    scale_turn(c, c->turn_then, b);
    c->kernels->restore(c, b, v);
    scale_turn(c, inverse_or_zero(c->turn_then), b);
}
