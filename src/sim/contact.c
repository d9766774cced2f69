/*
 * A contact's friction model for an implicit solver.
 */
#include "sim/contact.h"

#include "law/law_internal.h"
#include "math/scalar.h"
// needs the number type of scalar.h
#include "law/law_formulas.inc"
#include "planar/contact_some.h"

#include <string.h>

static double inverse_or_zero(double x)
{
    return x > 0.0 ? 1.0 / x : 0.0;
}

static int is_reduced(const contact* c)
{
    const br_method method = br_contact_get_def(c->model)->method;
    return method == BR_METHOD_REDUCED || method == BR_METHOD_ELLIPSOID;
}

// The spin of a reduced contact is z_tau = turn z[2]: its energy is sigma0 (z_tau/r)^2/2.
static void fill_reduced(contact* c)
{
    double dz[3];
    const double sigma0 = c->law->sigma0;
    const br_wrench f = br_contact_eval(c->now, (const double[3]){0.0, 0.0, 1.0},
                                        (br_twist){0.0, 0.0, 0.0}, 1.0, dz);
    c->turn = -f.tau / sigma0;
    c->weight[0] = 1.0;
    c->extent[0] = c->value.u;
    c->per_turn[0] =
        2.0 / sigma0 * br_contact_stored(c->now, (const double[3]){0.0, 0.0, 1.0}, 1.0);
}

// Fill in CoP and parts at the current pressure.
static void fill(contact* c)
{
    double map[2][2];
    br_contact_get_map(c->now, map);
    c->map = (map2){map[0][0], map[0][1], map[1][0], map[1][1]};
    c->value = br_contact_get_patch_value(c->now);
    c->turn = 1.0;
    c->reach = c->value.r;
    if (is_reduced(c)) {
        fill_reduced(c);
        return;
    }
    for (size_t i = 0; i < c->parts; i++) {
        const br_contact_part part = bri_contact_get_bristle_part(c->now, i);
        c->x[i] = part.position.x;
        c->y[i] = part.position.y;
        c->weight[i] = part.weight;
        c->extent[i] = part.xx + part.yy;
        c->per_turn[i] = inverse_or_zero(c->extent[i]);
        c->reach = fmax(c->reach, sqrt(c->x[i] * c->x[i] + c->y[i] * c->y[i]) + sqrt(c->extent[i]));
    }
}

static int is_same(br_pose a, br_pose b)
{
    return a.x == b.x && a.y == b.y && a.theta == b.theta;
}

void bri_contact_fill_at(contact* c, double fn, br_pose pose)
{
    if (!c->grows || (fn == c->at_fn && (!c->on_pose || is_same(pose, c->at_pose)))) {
        return;
    }
    c->now = br_contact_at(c->model, fn, pose, c->at_memory);
    c->at_fn = fn;
    c->at_pose = pose;
    fill(c);
}

void bri_contact_hold_field(contact* c, br_pose pose)
{
    bri_contact_hold_cells(c->now, pose);
    fill(c);
}

// Number of parts in a tile; all parts of a small contact. Each tile of cells on a lattice computes the
// speeds of all rows and columns, about 2 sqrt(parts), so a tile should have many more parts than that.
static size_t tile_of(size_t parts)
{
    static const double small = 1024.0, parts_per_line = 6.0;
    const double wanted = fmax(small, parts_per_line * 2.0 * sqrt((double)parts));
    const size_t tiles = (size_t)ceil((double)parts / wanted), even = (parts + tiles - 1) / tiles;
    return tiles == 1 ? parts : (even + BRI_SOME_UNIT - 1) / BRI_SOME_UNIT * BRI_SOME_UNIT;
}

// Read size and law of the contact from its model.
static void read_model(contact* c)
{
    c->parts = br_contact_get_part_count(c->model);
    c->size = br_contact_get_state_count(c->model) / c->parts;
    c->law = &br_contact_get_def(c->model)->law;
    c->grows = br_contact_get_at_force_size(c->model) > 0;
    c->on_pose = br_contact_depends_on_pose(c->model);
    c->on_field = br_contact_get_def(c->model)->field != NULL;
    c->jumps = bri_contact_jumps(c->model);
    c->fades = damping_fades(c->law) && c->law->sigma1 > 0.0;
    c->softest = fmin(1.0, br_contact_get_def(c->model)->anisotropy.ratio);
    c->kernels = bri_contact_kernels_for(c->size, c->parts);
    c->most_tile = tile_of(c->parts);
}

// Number of doubles in all arrays.
static size_t count_doubles(const contact* c)
{
    const size_t places = c->grows ? 9 : 5, algebra = c->size == 2 ? 2 * 5 : 4 * 9;
    const size_t fading = c->fades ? 1 + 4 * c->size : 0;
    return c->parts * (places + c->size + algebra + fading) + 3 * c->size * c->most_tile;
}

// Place the arrays of fading damping; their values are those at rest.
static void point_fading(contact* c, double* memory)
{
    const size_t n = c->parts;
    c->damping = memory;
    c->fading = c->damping + n;
    c->rates = c->fading + 3 * c->size * n;
    for (size_t i = 0; i < n; i++) {
        c->damping[i] = c->law->sigma1;
    }
    memset(c->fading, 0, 3 * c->size * n * sizeof *c->fading);
}

static void point_arrays(contact* c)
{
    const size_t n = c->parts;
    c->x = c->memory;
    c->y = c->x + n;
    c->weight = c->y + n;
    c->extent = c->weight + n;
    c->per_turn = c->extent + n;
    c->x_then = c->grows ? c->per_turn + n : c->x; // x, y, weight, extent follow each other
    c->y_then = c->x_then + n;
    c->weight_then = c->y_then + n;
    c->extent_then = c->weight_then + n;
    c->z_then = c->per_turn + (c->grows ? 5 : 1) * n;
    c->tile = c->z_then + c->size * n;
    double* algebra = c->tile + 3 * c->size * c->most_tile;
    if (c->size == 2) {
        c->decay = algebra;
        c->solver = c->decay + 5 * n;
    } else {
        c->dz_z = algebra;
        c->dz_v = c->dz_z + 9 * n;
        c->inverse = c->dz_v + 9 * n;
        c->reply = c->inverse + 9 * n;
    }
    if (c->fades) {
        point_fading(c, algebra + (c->size == 2 ? 2 * 5 : 4 * 9) * n);
    }
}

br_status bri_contact_create(contact* c, const br_contact* model, br_reason* why)
{
    *c = (contact){.model = model, .now = model, .at_fn = (double)NAN};
    read_model(c);
    c->memory = br_allocate(count_doubles(c), sizeof(double));
    c->at_memory = c->grows ? br_allocate(1, br_contact_get_at_force_size(model)) : NULL;
    if (!c->memory || (c->grows && !c->at_memory)) {
        bri_contact_release(c);
        br_reason_set(why, "", "no memory for a contact of %zu parts", c->parts);
        return BR_ERR_MEMORY;
    }
    point_arrays(c);
    fill(c);
    c->turn_then = c->turn;
    return BR_OK;
}

void bri_contact_release(contact* c)
{
    br_release(c->memory);
    br_release(c->at_memory);
    c->memory = c->at_memory = NULL;
}

void bri_contact_tolerances(const contact* c, double atol_z, double* atol)
{
    const double r = c->value.r > 0.0 ? c->value.r : 1.0;
    const double turn = c->value.r > 0.0 ? c->turn : 1.0;
    for (size_t i = 0; i < contact_states(c); i++) {
        atol[i] = i >= 2 * c->parts ? atol_z * r / turn : atol_z;
    }
}

br_wrench bri_contact_rate(const contact* c, const double* z, br_twist v, double fn, double* dz)
{
    return br_contact_eval(c->now, z, v, fn, dz);
}

void bri_contact_steady_state(const contact* c, br_twist v, double* z)
{
    br_contact_steady_eval(c->now, v, 1.0, z);
}

double bri_contact_energy_per_force(const contact* c, const double* z)
{
    return 0.5 * c->law->sigma0 * c->kernels->product(c, z, z);
}

double bri_contact_energy_rate_per_force(const contact* c, const double* z, const double* dz)
{
    return c->law->sigma0 * c->kernels->product(c, z, dz);
}

double bri_contact_deflection(const contact* c, const double* z)
{
    return sqrt(c->kernels->largest(c, z));
}

// From the contact frame to the bristles, M v, and back, M^T f.
static void enter_axes(map2 map, br_twist v, double out[3])
{
    const br_twist u = map2_enter(map, v);
    out[0] = u.vx;
    out[1] = u.vy;
    out[2] = u.w;
}

static br_wrench leave_axes(map2 map, const double f[3])
{
    return map2_leave(map, (br_wrench){f[0], f[1], f[2]});
}

br_twist bri_contact_enter(const contact* c, br_twist v)
{
    return map2_enter(c->map, v);
}

br_wrench bri_contact_bristle_wrench(const contact* c, const double* z)
{
    double sum[3];
    c->kernels->sum(c, z, sum);
    for (int i = 0; i < 3; i++) {
        sum[i] *= -c->law->sigma0;
    }
    return leave_axes(c->map, sum);
}

// s = sigma1 e of part i that moves with v (bristles' axes), and sigma1 dz de/dv.                      (D-1)
static void fade_part(contact* c, size_t i, const double v[3])
{
    const size_t n = c->parts;
    const double x = c->x[i], y = c->y[i], sigma1 = c->law->sigma1;
    const double extent = is_reduced(c)  ? c->value.r * c->value.r
                          : c->size == 3 ? c->extent[i]
                                         : 0.0;
    const double vx = v[0] - v[2] * y, vy = v[1] + v[2] * x;
    const double speed = sqrt(vx * vx + vy * vy + extent * v[2] * v[2]), v_d = c->law->v_damping;
    double e_speed;
    c->damping[i] = sigma1 * damping_by(speed / v_d, 1.0 / v_d, &e_speed);
    const double fall = speed > 0.0 ? sigma1 * e_speed / speed : 0.0;
    const double by[3] = {fall * vx, fall * vy, fall * (x * vy - y * vx + extent * v[2])};
    for (size_t row = 0; row < c->size; row++) {
        for (size_t k = 0; k < 3; k++) {
            c->fading[(3 * row + k) * n + i] = c->rates[row * n + i] * by[k];
        }
    }
}

static void linearise_fading(contact* c, const double* z, br_twist twist)
{
    double v[3];
    enter_axes(c->map, twist, v);
    br_contact_eval(c->now, z, twist, 1.0, c->rates);
    for (size_t i = 0; i < c->parts; i++) {
        fade_part(c, i, v);
    }
}

void bri_contact_linearise(contact* c, const double* z, br_twist v)
{
    if (c->fades) {
        linearise_fading(c, z, v);
    }
    if (c->grows) {
        memcpy(c->x_then, c->x, 4 * c->parts * sizeof *c->x); // y, weight and extent with it
        c->turn_then = c->turn;
    }
    c->map_then = c->map;
    memcpy(c->z_then, z, contact_states(c) * sizeof *z);
    if (c->size == 2) {
        bri_contact_decay_eval(c->now, z, v, c->decay);
        return;
    }
    br_contact_gradient out = {.dz_z = c->dz_z, .dz_v = c->dz_v, .rates_only = 1};
    br_contact_gradient_eval(c->now, z, v, 1.0, &out);
}

void bri_contact_rest(contact* c)
{
    if (c->size == 2) {
        memset(c->decay, 0, 5 * c->parts * sizeof *c->decay);
    } else {
        memset(c->dz_z, 0, 9 * c->parts * sizeof *c->dz_z);
    }
}

void bri_contact_push(const contact* c, br_twist dv, double* out)
{
    double v[3];
    enter_axes(c->map_then, dv, v);
    c->kernels->push(c, v, out);
}

br_wrench bri_contact_wrench_push(const contact* c, const double* z, br_twist v, br_twist dv)
{
    br_contact_gradient out = {.f_z = NULL};
    br_contact_gradient_eval(c->now, z, v, 1.0, &out);
    double f[3];
    for (int i = 0; i < 3; i++) {
        f[i] = out.f_v[i][0] * dv.vx + out.f_v[i][1] * dv.vy + out.f_v[i][2] * dv.w;
    }
    return (br_wrench){f[0], f[1], f[2]};
}

// A matrix from twists to wrenches (3 x 3) from the bristles to the contact frame, on both
// sides: each column is the wrench of a unit twist.
static void leave_axes_both(map2 map, const double k[9], double stiffness[3][3])
{
    for (int column = 0; column < 3; column++) {
        double v[3];
        enter_axes(map, (br_twist){column == 0, column == 1, column == 2}, v);
        const double f[3] = {k[0] * v[0] + k[1] * v[1] + k[2] * v[2],
                             k[3] * v[0] + k[4] * v[1] + k[5] * v[2],
                             k[6] * v[0] + k[7] * v[1] + k[8] * v[2]};
        const br_wrench turned = leave_axes(map, f);
        stiffness[0][column] = turned.fx;
        stiffness[1][column] = turned.fy;
        stiffness[2][column] = turned.tau;
    }
}

// A part of the contact after a displacement d.
typedef struct part_hold {
    double j[3][3]; // J = B^T T^2 B: its bristle d, the force J d on the body, |J d|^2 = d.J d
    double u[3];    // J d
    double size;    // deflection of its bristle without slip [m]
} part_hold;

// z = d_xy + d_tau x (x, y),   zeta = d_tau spin; its state is zeta/turn
static part_hold hold_part(const contact* c, size_t i, const double d[3], double spin)
{
    const double x = c->x[i], y = c->y[i], polar = x * x + y * y + spin;
    const double zx = d[0] - d[2] * y, zy = d[1] + d[2] * x;
    return (part_hold){.j = {{1.0, 0.0, -y}, {0.0, 1.0, x}, {-y, x, polar}},
                       .u = {zx, zy, x * zy - y * zx + spin * d[2]},
                       .size = sqrt(zx * zx + zy * zy + d[2] * d[2] * spin)};
}

// Potential: sigma0 |z|^2/2 below z_max, linear with the slope mu_s above (Huber):
//   f = sigma0 share J d,   df/dd = sigma0 share (J - [slips] u u^T/|z|^2),   share = min(1, z_max/|z|)
static void add_part(const part_hold* p, double weight, double z_max, contact_hold* sum,
                     double tangent[9])
{
    const int slips = p->size > z_max;
    const double share = slips ? z_max / p->size : 1.0;
    const double per_square = slips ? 1.0 / (p->size * p->size) : 0.0;
    sum->potential += weight * (slips ? z_max * (p->size - 0.5 * z_max) : 0.5 * p->size * p->size);
    for (int i = 0; i < 3; i++) {
        sum->f[i] += weight * share * p->u[i];
        for (int k = 0; k < 3; k++) {
            tangent[3 * i + k] += weight * share * (p->j[i][k] - per_square * p->u[i] * p->u[k]);
        }
    }
}

contact_hold bri_contact_hold(const contact* c, br_twist moved, double* z)
{
    const size_t n = c->parts;
    const double z_max = br_law_holding(c->law, 1.0) / c->law->sigma0;
    contact_hold sum = {.potential = 0.0};
    double d[3], tangent[9] = {0.0};
    enter_axes(c->map, moved, d);
    memset(z, 0, contact_states(c) * sizeof *z);
    for (size_t i = 0; i < n; i++) {
        if (c->weight[i] == 0.0) {
            continue; // padding
        }
        const double spin = c->turn * c->turn * inverse_or_zero(c->per_turn[i]);
        const part_hold part = hold_part(c, i, d, spin);
        const double share = part.size > z_max ? z_max / part.size : 1.0;
        z[i] = share * (d[0] - d[2] * c->y[i]);
        z[n + i] = share * (d[1] + d[2] * c->x[i]);
        if (c->size == 3) {
            z[2 * n + i] = share * d[2] * spin * inverse_or_zero(c->turn);
        }
        add_part(&part, c->weight[i] * c->law->sigma0, z_max, &sum, tangent);
    }
    const br_wrench f = leave_axes(c->map, sum.f);
    memcpy(sum.f, (const double[3]){f.fx, f.fy, f.tau}, sizeof sum.f);
    leave_axes_both(c->map, tangent, sum.tangent);
    return sum;
}

void bri_contact_slide(const contact* c, br_twist moved, double* z)
{
    const double far = 1e3 * br_law_holding(c->law, 1.0) / c->law->sigma0;
    const br_twist distance = bri_contact_enter(c, moved);
    const double size = hypot(hypot(distance.vx, distance.vy), c->value.r * distance.w);
    const double slow = 1e-9 * c->law->v_stribeck / size; // mu_s counts, not mu_c
    if (c->size == 3 && size > far && slow > 0.0) {
        const br_twist v = {slow * moved.vx, slow * moved.vy, slow * moved.w};
        bri_contact_steady_state(c, v, z);
    }
}

int bri_contact_factor(contact* c, double shift, double stiffness[3][3])
{
    double k[9];
    c->shift = shift;
    if (!c->kernels->factor(c, k)) {
        return 0;
    }
    leave_axes_both(c->map_then, k, stiffness);
    return 1;
}

br_wrench bri_contact_eliminate(const contact* c, const double* b, double* x)
{
    double sum[3];
    c->kernels->eliminate(c, b, x, sum);
    return leave_axes(c->map_then, sum);
}

void bri_contact_restore(const contact* c, br_twist dv, double* b)
{
    double v[3];
    enter_axes(c->map_then, dv, v);
    c->kernels->restore(c, b, v);
}

// The tile whose first part is `from`.
static contact_tile tile_at(const contact* c, size_t from)
{
    const size_t left = c->parts - from, count = left < c->most_tile ? left : c->most_tile;
    const size_t states = c->size * c->most_tile;
    return (contact_tile){from, count, c->tile, c->tile + states, c->tile + 2 * states};
}

// Add the explicit time derivative to the right side.
static void add_change(const contact* c, const stage* g, size_t first, const contact_tile* t)
{
    for (size_t row = 0; row < c->size; row++) {
        const double* dfdt = g->dfdt + first + row * c->parts + t->from;
        for (size_t i = 0; i < t->count; i++) {
            t->right[row * t->count + i] += g->by_time * dfdt[i];
        }
    }
}

// Store the state of the last stage, which the end of the step needs.
static void keep_at(const contact* c, const stage* g, size_t first, const contact_tile* t)
{
    for (size_t row = 0; row < c->size; row++) {
        memcpy(g->at + first + row * c->parts + t->from, t->at + row * t->count,
               t->count * sizeof *g->at);
    }
}

void bri_contact_take_stage(const contact* c, const stage* g, size_t first, br_twist du, br_twist v,
                            br_wrench* f, br_wrench* back)
{
    double dv[3], sum[3] = {0.0}, part[3];
    double* u = g->u + (size_t)g->before * g->stride + first;
    enter_axes(c->map_then, du, dv);
    *f = (br_wrench){0.0, 0.0, 0.0};
    for (size_t from = 0; from < c->parts; from += c->most_tile) {
        const contact_tile t = tile_at(c, from);
        c->kernels->start(c, g, first, dv, &t);
        if (g->changing > first) { // dfdt of the bristles is not 0
            add_change(c, g, first, &t);
        }
        if (g->at) {
            keep_at(c, g, first, &t);
        }
        const br_wrench here = bri_contact_eval_some(c->now, from, t.count, t.at, v, 1.0, t.rate);
        *f = (br_wrench){f->fx + here.fx, f->fy + here.fy, f->tau + here.tau};
        c->kernels->finish(c, g->y + first, &t, u, part);
        for (int i = 0; i < 3; i++) {
            sum[i] += part[i];
        }
    }
    *back = leave_axes(c->map_then, sum);
}

double bri_contact_end_step(const contact* c, const stage_end* g, size_t first, br_twist du)
{
    double v[3];
    enter_axes(c->map_then, du, v);
    return c->kernels->end(c, g, first, v);
}
