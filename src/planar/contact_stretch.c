/*
 * Anisotropic friction of cells and blocks: the isotropic contact of a stretched patch.
 *
 *   |A^-1 f| <= g fn,   u = A v,   f = A f',   rho' = cof(A) rho,   A = 1 + (ratio - 1) n n^T           
 *
 * With velocities v + w J rho of a rigid motion, A (v + w J rho) = A v + w J cof(A) rho: the stretched parts move as a
 * rigid body, too, and rho x f = rho' x f'. In principal axes cof(A) = diag(1, ratio). The kernels see u, f' and rho' alone.
 */
#include "planar/contact_internal.h"

// The axes of friction coincide with those of a patch to this angle [rad]: rounding of a quarter turn.
static const double aligned = 1e-14;

// A = 1 + (ratio - 1) n n^T, n the first axis at an angle.
static map2 matrix_at(double ratio, double angle)
{
    const axes n = axes_of(angle);
    const double x = fabs(n.cosine) < aligned ? 0.0 : n.cosine;
    const double y = fabs(n.sine) < aligned ? 0.0 : n.sine, more = ratio - 1.0;
    return (map2){1.0 + more * x * x, more * x * y, more * x * y, 1.0 + more * y * y};
}

// The angle of the first axis from x of the contact frame, which has turned over the ground.
static double angle_of(const br_anisotropy* a, double turned)
{
    return a->axes == BR_AXES_GROUND ? a->angle - turned : a->angle;
}

void bri_contact_set_map(br_contact* c, double turned)
{
    const br_anisotropy* a = &c->def.anisotropy;
    const double angle = angle_of(a, turned);
    c->is_stretched = a->ratio != 1.0;
    c->turns = c->is_stretched && a->axes == BR_AXES_GROUND;
    c->turned = turned;
    c->det = a->ratio;
    c->map = map2_of_axes(c->axes);
    if (!c->is_stretched) {
        return;
    }
    if (contact_is_reduced(c)) {
        // into the principal axes, in which a disc becomes the same ellipse whatever the angle
        c->map = map2_multiply((map2){a->ratio, 0.0, 0.0, 1.0}, map2_of_axes(axes_of(angle)));
        return;
    }
    c->stretch = map2_cofactors(matrix_at(a->ratio, angle - c->pose.theta));
    c->map = map2_multiply(map2_cofactors(c->stretch), c->map);
}

int bri_contact_turn(br_contact* c, double turned)
{
    if (!c->turns || turned == c->turned) {
        return 0;
    }
    bri_contact_set_map(c, turned);
    return 1;
}

int bri_contact_keeps_lattice(const br_contact* c)
{
    return !c->is_stretched || (c->stretch.xy == 0.0 && !c->turns);
}

// r and u of points about the CoP, each with the covariance of four: those of a part, or a large cell.
typedef struct lengths {
    double r, u;
} lengths;

// Add a point at rho with the share w, and its extent: the columns of `half` are half its principal diameters.
static void add_point(lengths* sum, double w, br_vec2 rho, map2 half)
{
    const br_vec2 a = {half.xx, half.yx}, b = {half.xy, half.yy};
    const br_vec2 corner[2] = {br_vec2_add(a, b), br_vec2_sub(a, b)};
    for (int k = 0; k < 4; k++) {
        const double side = k & 1 ? 1.0 : -1.0;
        const double size = br_vec2_norm(br_vec2_add(rho, br_vec2_scale(side, corner[k / 2])));
        sum->r += 0.25 * w * size;
        sum->u += 0.25 * w * size * size;
    }
}

// The same without extent.
static void add_small(lengths* sum, double w, br_vec2 rho)
{
    const double size = br_vec2_norm(rho);
    sum->r += w * size;
    sum->u += w * size * size;
}

// r and u of the stretched cells about their CoP. Large cells count as four points with their covariance.
static lengths measure_cells(const br_contact* c, const br_cells* cells)
{
    const map2 spread = {sqrt(c->cell_spread.x), 0.0, 0.0, sqrt(c->cell_spread.y)};
    const map2 half = map2_multiply(c->stretch, spread);
    const int is_small = !(spread.xx > 0.0 || spread.yy > 0.0);
    lengths sum = {0.0, 0.0};
    for (size_t i = 0; i < cells->count; i++) {
        const br_vec2 rho = {cells->x[i] - c->cop.x, cells->y[i] - c->cop.y};
        if (is_small) {
            add_small(&sum, cells->weight[i], map2_apply(c->stretch, rho));
        } else {
            add_point(&sum, cells->weight[i], map2_apply(c->stretch, rho), half);
        }
    }
    return sum;
}

// A root L of the covariance of block i, L L^T = C (Cholesky).
static map2 root_of(const kernel_bundles* b, size_t i)
{
    const double xx = b->t[i] * b->xx[i], xy = b->t[i] * b->xy[i], yy = b->t[i] * b->yy[i];
    const double l = sqrt(xx), m = l > 0.0 ? xy / l : 0.0;
    return (map2){l, 0.0, m, sqrt(fmax(yy - m * m, 0.0))};
}

// r and u of the parts as they are, blocks as four points each: r of blocks to some 1 %, u exactly.
static lengths measure_parts(const br_contact* c)
{
    const kernel_bundles* b = &c->parts;
    lengths sum = {0.0, 0.0};
    double total = 0.0;
    for (size_t i = 0; i < b->count; i++) {
        const br_vec2 rho = {b->x[i], b->y[i]};
        total += b->weight[i];
        if (b->t) {
            add_point(&sum, b->weight[i], rho, root_of(b, i));
        } else {
            add_small(&sum, b->weight[i], rho);
        }
    }
    return (lengths){sum.r / total, sum.u / total};
}

static void set_lengths(br_contact* c, lengths of)
{
    c->value.r = of.r;
    c->value.u = of.u;
}

// Positions and, of blocks, covariances C' = B C B^T.
static void stretch(const br_contact* c, map2 by)
{
    const kernel_bundles* b = &c->parts;
    for (size_t i = 0; i < b->count; i++) {
        const br_vec2 at = map2_apply(by, (br_vec2){b->x[i], b->y[i]});
        b->x[i] = at.x;
        b->y[i] = at.y;
    }
    if (c->size == 3) {
        bri_blocks_stretch(c, by);
    }
}

static void stretch_lattice(br_contact* c)
{
    const kernel_bundles* b = &c->parts;
    const map2 s = c->stretch;
    for (size_t i = 0; b->columns > 0 && i < kernel_padded(b->columns) + KERNEL_PAD; i++) {
        b->column_x[i] *= s.xx;
    }
    for (size_t i = 0; b->columns > 0 && i < kernel_padded(b->rows); i++) {
        b->row_y[i] *= s.yy;
    }
    c->grid.size = (br_vec2){s.xx * c->grid.size.x, s.yy * c->grid.size.y};
    c->grid.centre = (br_vec2){s.xx * c->grid.centre.x, s.yy * c->grid.centre.y};
}

void bri_parts_measure(br_contact* c, const br_cells* cells)
{
    set_lengths(c, measure_cells(c, cells));
}

void bri_parts_stretch(br_contact* c)
{
    stretch(c, c->stretch);
    if (c->size == 2 && bri_contact_keeps_lattice(c)) {
        stretch_lattice(c);
    } else {
        c->grid = (cell_lattice){0};
    }
}

void bri_parts_turn(br_contact* c, const br_contact* of)
{
    // B B_of^-1, from the parts of the original, so that no rounding adds up
    const map2 a = map2_cofactors(of->stretch);
    const map2 back = {a.xx / of->det, a.xy / of->det, a.yx / of->det, a.yy / of->det};
    stretch(c, map2_multiply(c->stretch, back));
    set_lengths(c, measure_parts(c));
}
