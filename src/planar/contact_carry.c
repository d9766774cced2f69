/*
 * Contact changes at equal normal force: the bristles of one model become those of another.
 *
 * Elastic force and torque per fn sigma0, at the CoP, are sums over the cells (or blocks)
 *
 *   F = sum w z,   T = sum w (rho x z + zeta)
 *
 * A part of the new model takes the bristles of the nearest part of the old one. Then all are moved
 * by one rigid motion, z += a + b (z^ x rho), zeta += b t, that gives F and T back:
 *
 *   | S  0  -Sy | | a_x |   | what F_x lacks |        S = sum w = 1, (Sx, Sy) = sum w rho = 0
 *   | 0  S   Sx | | a_y | = | what F_y lacks |        Q = sum w (|rho|^2 + t) = u
 *   |-Sy Sx  Q  | |  b  |   | what T lacks   |
 *
 * Sx, Sy are rounding, but taken into account.
 */
#include "planar/contact_internal.h"

// What carries bristles: cells, or blocks.
typedef struct field {
    size_t n;
    const double *x, *y, *weight; // from the CoP, patch axes (n)
    const double* t;              // extents of blocks; NULL: cells (n)
    axes axes;
    br_vec2 cop;   // contact frame
    double sigma0; // of the law
} field;

static field field_of(const br_contact* c)
{
    const part_arrays* a = &c->arrays;
    return (field){c->parts.count, a->x,    a->y,         a->weight,
                   a->t,           c->axes, c->value.cop, c->def.law.sigma0};
}

// F and T of the bristles, patch axes.
static br_wrench elastic_sum(const field* f, const double* z)
{
    br_wrench sum = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < f->n; i++) {
        const double w = f->weight[i], zx = z[i], zy = z[f->n + i];
        sum.fx += w * zx;
        sum.fy += w * zy;
        sum.tau += w * (f->x[i] * zy - f->y[i] * zx + (f->t ? z[2 * f->n + i] : 0.0));
    }
    return sum;
}

// The same wrench about a point that is `d` away: tau - d x f.
static br_wrench moved(br_wrench f, br_vec2 d)
{
    f.tau -= d.x * f.fy - d.y * f.fx;
    return f;
}

// Turns the axes of one patch into those of another.
static axes turn_between(axes from, axes to)
{
    return (axes){from.cosine * to.cosine + from.sine * to.sine,
                  from.sine * to.cosine - from.cosine * to.sine};
}

static br_vec2 turned(axes a, br_vec2 v)
{
    return (br_vec2){a.cosine * v.x - a.sine * v.y, a.sine * v.x + a.cosine * v.y};
}

// The part of a field, not padding, that is nearest to a place from its CoP, in its axes.
static size_t nearest_part(const field* f, br_vec2 at)
{
    size_t nearest = 0;
    double least = HUGE_VAL;
    for (size_t i = 0; i < f->n; i++) {
        const double dx = f->x[i] - at.x, dy = f->y[i] - at.y, square = dx * dx + dy * dy;
        if (f->weight[i] > 0.0 && square < least) {
            least = square;
            nearest = i;
        }
    }
    return nearest;
}

// Bristles of the nearest parts, in the new axes. A block's spin keeps its angle zeta/t.
static void take_nearest(const field* from, const double* z, const field* to, double* out)
{
    const axes turn = turn_between(from->axes, to->axes), back = {turn.cosine, -turn.sine};
    const br_vec2 shift = br_vec2_sub(to->cop, from->cop);
    const axes enter = {from->axes.cosine, -from->axes.sine};
    const br_vec2 offset = turned(enter, shift); // of the CoP, in the old axes
    memset(out, 0, (to->t ? 3 : 2) * to->n * sizeof *out);
    for (size_t i = 0; i < to->n; i++) {
        if (!(to->weight[i] > 0.0)) {
            continue; // padding
        }
        const br_vec2 place = {to->x[i], to->y[i]};
        const size_t k = nearest_part(from, br_vec2_add(offset, turned(back, place)));
        const br_vec2 taken = turned(turn, (br_vec2){z[k], z[from->n + k]});
        out[i] = taken.x;
        out[to->n + i] = taken.y;
        if (to->t && from->t[k] > 0.0) {
            out[2 * to->n + i] = z[2 * from->n + k] / from->t[k] * to->t[i];
        }
    }
}

// The rigid motion (a, b) that adds a wrench to the sums; no turning of a field that is a point.
static br_twist rigid_motion(const field* f, br_wrench lack)
{
    double one = 0.0, x = 0.0, y = 0.0, square = 0.0;
    for (size_t i = 0; i < f->n; i++) {
        const double w = f->weight[i], t = f->t ? f->t[i] : 0.0;
        one += w;
        x += w * f->x[i];
        y += w * f->y[i];
        square += w * (f->x[i] * f->x[i] + f->y[i] * f->y[i] + t);
    }
    const double arm = square - (x * x + y * y) / one;
    const double b = arm > 0.0 ? (lack.tau - (x * lack.fy - y * lack.fx) / one) / arm : 0.0;
    return (br_twist){(lack.fx + b * y) / one, (lack.fy - b * x) / one, b};
}

static void add_rigid(const field* f, br_twist motion, double* z)
{
    for (size_t i = 0; i < f->n; i++) {
        if (f->weight[i] > 0.0) {
            z[i] += motion.vx - motion.w * f->y[i];
            z[f->n + i] += motion.vy + motion.w * f->x[i];
        }
        if (f->t && f->weight[i] > 0.0) {
            z[2 * f->n + i] += motion.w * f->t[i];
        }
    }
}

static void carry_parts(const field* from, const double* z, const field* to, double* out)
{
    // the wrench to be kept, at the new CoP and in the new axes
    const br_wrench kept =
        moved(axes_leave(from->axes, elastic_sum(from, z)), br_vec2_sub(to->cop, from->cop));
    const double scale = from->sigma0 / to->sigma0;
    const axes enter = {to->axes.cosine, -to->axes.sine};
    const br_wrench wanted =
        axes_leave(enter, (br_wrench){scale * kept.fx, scale * kept.fy, scale * kept.tau});

    // twice: the second time for what rounding has left
    take_nearest(from, z, to, out);
    for (int pass = 0; pass < 2; pass++) {
        const br_wrench now = elastic_sum(to, out);
        const br_wrench lack = {wanted.fx - now.fx, wanted.fy - now.fy, wanted.tau - now.tau};
        add_rigid(to, rigid_motion(to, lack), out);
    }
}

// z_tau moves with the CoP; a point has no torque to keep.
static void carry_reduced(const br_contact* from, const double* z, const br_contact* to,
                          double* out)
{
    const double scale = from->def.law.sigma0 / to->def.law.sigma0;
    const br_vec2 d = br_vec2_sub(to->value.cop, from->value.cop);
    const br_wrench kept =
        moved((br_wrench){scale * z[0], scale * z[1], scale * from->turn * z[2]}, d);
    out[0] = kept.fx;
    out[1] = kept.fy;
    out[2] = to->value.r == 0.0 ? 0.0 : kept.tau / to->turn;
}

void br_contact_carry(const br_contact* from, const double* z, const br_contact* to, double* out)
{
    BR_ASSERT(from && z && to && out && z != out);
    BR_ASSERT(contact_is_reduced(from) == contact_is_reduced(to) && from->size == to->size);
    if (contact_is_reduced(from)) {
        carry_reduced(from, z, to, out);
        return;
    }
    const field a = field_of(from), b = field_of(to);
    carry_parts(&a, z, &b, out);
}
