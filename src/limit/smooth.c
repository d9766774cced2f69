/*
 * A smooth table of the dissipation: C1, so that wrench = -grad D is continuous, f.v = -D and the
 * Jacobian is symmetric, all to rounding.
 *
 * The scaled twist s = (vx, vy, l w) is projected from the centre onto a cube: on the face of its
 * largest component k, with a and b the two others (in cyclic order) divided by it,
 *
 *   D(s) = |s_k| G_k(a, b),   a = s_i/s_k,   b = s_j/s_k,   i = k + 1, j = k + 2 (mod 3)
 *
 * since D(c s) = |c| D(s); three faces serve all twists, without trigonometry. In these coordinates
 * D is convex where G_k is convex as a function of the plane. G_k is bicubic in each cell of a face
 * (Hermite), from the exact G, G_a, G_b and G_ab at the nodes; smooth_seams.c joins the faces
 * smoothly. The axes are those of the patch frame, so that the singular twists of a line, which
 * rotate about a point of its axis, are parallel to the cells.
 */
#include "limit/smooth.h"

#include "limit/methods.h"
#include "limit/mirrors.h"

static double coordinate(size_t n, size_t i)
{
    return (2.0 * (double)i - (double)n) / (double)n;
}

// Rotate a vector from the contact frame to the patch frame, and back.
static br_vec2 to_patch(const smooth* table, double x, double y)
{
    const br_vec2 c = table->axis;
    return (br_vec2){c.x * x + c.y * y, c.x * y - c.y * x};
}
static br_vec2 from_patch(const smooth* table, double x, double y)
{
    const br_vec2 c = table->axis;
    return (br_vec2){c.x * x - c.y * y, c.x * y + c.y * x};
}

// Entry of a Jacobian, rotated to the patch frame and scaled: column i of R times the Jacobian
// times column j of R.
static double turned_entry(const smooth* table, double jacobian[3][3], size_t i, size_t j)
{
    const double c = table->axis.x, d = table->axis.y;
    const double columns[3][3] = {{c, d, 0.0}, {-d, c, 0.0}, {0.0, 0.0, 1.0 / table->length}};
    double sum = 0.0;
    for (int k = 0; k < 9; k++) {
        sum += columns[i][k / 3] * jacobian[k / 3][k % 3] * columns[j][k % 3];
    }
    return sum;
}

// Force at s, the scaled twist in the patch frame; returns D.
static double force_at(const br_limit* surface, const smooth* table, const double s[3], double f[3],
                       double jacobian[3][3])
{
    const br_vec2 vt = from_patch(table, s[0], s[1]);
    const br_twist v = {vt.x, vt.y, s[2] / table->length};
    const br_limit_value value = bri_exact_eval(surface->exact, v, jacobian);
    const br_vec2 ft = to_patch(table, value.wrench.fx, value.wrench.fy);
    f[0] = ft.x;
    f[1] = ft.y;
    f[2] = value.wrench.tau / table->length;
    return value.dissipation;
}

// Rotation about a point near a thin ring: there D_ab grows without bound, like the logarithm of the distance, and on
// the ring it is whatever rounding leaves of that.
static int is_singular(const br_limit* surface, const smooth* table, const double s[3])
{
    return br_patch_get_def(surface->def.patch)->shape == BR_SHAPE_RING &&
           fabs(hypot(s[0], s[1]) - fabs(s[2])) < 2.0 / (double)table->n;
}

// Mean of D_ab over the cells beside a node, by differences of D_a.
static double mean_ab(const br_limit* surface, const smooth* table, const double s[3], size_t a,
                      size_t b)
{
    const double half = 1.0 / (double)table->n; // of a cell
    double low[3] = {s[0], s[1], s[2]}, high[3] = {s[0], s[1], s[2]}, f_low[3], f_high[3];
    low[b] -= half;
    high[b] += half;
    force_at(surface, table, low, f_low, NULL);
    force_at(surface, table, high, f_high, NULL);
    return (f_low[a] - f_high[a]) / (2.0 * half);
}

static void fill_node(const br_limit* surface, smooth* table, size_t face, size_t i, size_t j)
{
    const size_t a = (face + 1) % 3, b = (face + 2) % 3;
    double s[3], f[3], jacobian[3][3];
    s[face] = 1.0;
    s[a] = coordinate(table->n, i);
    s[b] = coordinate(table->n, j);
    double* node = node_at(table, face, i, j);
    node[VALUE] = force_at(surface, table, s, f, jacobian);
    node[BY_A] = -f[a];
    node[BY_B] = -f[b];
    node[BY_AB] = is_singular(surface, table, s) ? mean_ab(surface, table, s, a, b)
                                                 : -turned_entry(table, jacobian, a, b);
}

// Copy a node from the node where the components of s flagged in `turned` change sign, if that node
// comes earlier. A change of sign of s_k changes the signs of both others.
static int copy_image(smooth* table, size_t face, size_t i, size_t j, const int turned[3])
{
    const size_t n = table->n;
    const int a = turned[face] != turned[(face + 1) % 3],
              b = turned[face] != turned[(face + 2) % 3];
    const size_t from_i = a ? n - i : i, from_j = b ? n - j : j;
    if (from_i > i || (from_i == i && from_j >= j)) {
        return 0;
    }
    const double* image = node_at(table, face, from_i, from_j);
    double* node = node_at(table, face, i, j);
    node[VALUE] = image[VALUE];
    node[BY_A] = a ? -image[BY_A] : image[BY_A];
    node[BY_B] = b ? -image[BY_B] : image[BY_B];
    node[BY_AB] = a != b ? -image[BY_AB] : image[BY_AB];
    return 1;
}

// The same for all mirror images of the pressure.
static int copy_mirrored(smooth* table, mirrors has, size_t face, size_t i, size_t j)
{
    static const int turns_y[3] = {0, 1, 0}, turns_x[3] = {1, 0, 0}, turns_both[3] = {1, 1, 0};
    return (has.x && copy_image(table, face, i, j, turns_y)) ||
           (has.y && copy_image(table, face, i, j, turns_x)) ||
           (has.x && has.y && copy_image(table, face, i, j, turns_both));
}

static void fill_table(const br_limit* surface, smooth* table)
{
    const size_t n = table->n, nodes = (n + 1) * (n + 1);
    const double r = surface->value.r;
    const mirrors has = bri_mirrors_of_patch(br_patch_get_def(surface->def.patch));
    table->length = r > 0.0 ? r : 1.0;
    for (size_t k = 0; k < 3 * nodes; k++) {
        const size_t face = k / nodes, i = k / (n + 1) % (n + 1), j = k % (n + 1);
        if (!copy_mirrored(table, has, face, i, j)) {
            fill_node(surface, table, face, i, j);
        }
    }
    bri_smooth_seams(table);
    table->length = r; // a point has no torque
}

static br_status create(br_limit* surface, br_reason* why)
{
    const size_t n = surface->def.n, count = 3 * (n + 1) * (n + 1);
    smooth* table = br_allocate(1, sizeof *table + count * PARTS * sizeof(double));
    if (!table) {
        br_reason_set(why, "", "no memory for the table of a limit surface");
        return BR_ERR_MEMORY;
    }
    const double angle = br_patch_get_def(surface->def.patch)->angle;
    *table = (smooth){n, 1.0, {cos(angle), sin(angle)}, (double*)(table + 1)};
    fill_table(surface, table);
    surface->data = table;
    return BR_OK;
}

static void* copy(const void* data, arena* to)
{
    const smooth* from = data;
    const size_t count = 3 * (from->n + 1) * (from->n + 1);
    smooth* table = arena_copy(to, from, sizeof *from);
    double* node = arena_copy(to, from->node, count * PARTS * sizeof *node);
    if (to->memory) {
        table->node = node;
    }
    return table;
}

// The table depends only on the form of the pressure; the size changes only the length.
static void update(br_limit* surface)
{
    smooth* table = surface->data;
    table->length = surface->value.r;
    if (bri_limit_changes_form(surface)) {
        fill_table(surface, table);
    }
}

// A cubic Hermite basis at t in [0, 1]: factors of value and slope at the left node, then of value
// and slope at the right node; slopes per unit of a or b.
typedef double basis[4];

static void basis_value(double t, double step, basis out)
{
    const double u = 1.0 - t;
    out[0] = u * u * (1.0 + 2.0 * t);
    out[1] = step * t * u * u;
    out[2] = t * t * (3.0 - 2.0 * t);
    out[3] = -step * t * t * u;
}

static void basis_slope(double t, double step, basis out)
{
    out[0] = -6.0 * t * (1.0 - t) / step;
    out[1] = (1.0 - t) * (1.0 - 3.0 * t);
    out[2] = -out[0];
    out[3] = t * (3.0 * t - 2.0);
}

static void basis_curvature(double t, double step, basis out)
{
    out[0] = (12.0 * t - 6.0) / (step * step);
    out[1] = (6.0 * t - 4.0) / step;
    out[2] = -out[0];
    out[3] = (6.0 * t - 2.0) / step;
}

// Position of a twist in the table.
typedef struct lookup {
    size_t face, a, b;       // k, i, j
    double size;             // |s_k|
    double sign;             // of s_k
    double at_a, at_b;       // a and b
    double t_a, t_b;         // within the cell, in [0, 1]
    const double* corner[2]; // nodes of the cell at its lower and upper a, each with the next in b
} lookup;

static size_t cell_of(double at, size_t n)
{
    return (size_t)fmin(at, (double)n - 1.0);
}

static lookup find_point(const smooth* table, br_twist v)
{
    const br_vec2 vt = to_patch(table, v.vx, v.vy);
    const double s[3] = {vt.x, vt.y, table->length * v.w};
    const size_t larger = fabs(s[1]) > fabs(s[0]) ? 1 : 0;
    const size_t k = fabs(s[2]) > fabs(s[larger]) ? 2 : larger, i = (k + 1) % 3, j = (k + 2) % 3;
    lookup at = {.face = k, .a = i, .b = j, .size = fabs(s[k]), .sign = s[k] < 0.0 ? -1.0 : 1.0};
    at.at_a = at.size > 0.0 ? s[i] / s[k] : 0.0;
    at.at_b = at.size > 0.0 ? s[j] / s[k] : 0.0;
    const double x = 0.5 * (double)table->n * (at.at_a + 1.0);
    const double y = 0.5 * (double)table->n * (at.at_b + 1.0);
    const size_t row = cell_of(x, table->n), column = cell_of(y, table->n);
    at.t_a = x - (double)row;
    at.t_b = y - (double)column;
    at.corner[0] = node_at(table, k, row, column);
    at.corner[1] = node_at(table, k, row + 1, column);
    return at;
}

// Sum the nodes with the basis along b; the sum along a remains.
static void along_b(const lookup* at, const basis b, basis out)
{
    for (int i = 0; i < 2; i++) {
        const double* left = at->corner[i];
        const double* right = left + PARTS;
        out[2 * i] =
            b[0] * left[VALUE] + b[1] * left[BY_B] + b[2] * right[VALUE] + b[3] * right[BY_B];
        out[2 * i + 1] =
            b[0] * left[BY_A] + b[1] * left[BY_AB] + b[2] * right[BY_A] + b[3] * right[BY_AB];
    }
}

static double along_a(const basis a, const basis row)
{
    return a[0] * row[0] + a[1] * row[1] + a[2] * row[2] + a[3] * row[3];
}

static br_limit_value eval(const br_limit* surface, br_twist v)
{
    const smooth* table = surface->data;
    const lookup at = find_point(table, v);
    if (!(at.size > 0.0)) { // underflow of l w
        return (br_limit_value){0.0, {0.0, 0.0, 0.0}, 1};
    }
    const double step = 2.0 / (double)table->n;
    basis a, a1, b, b1, row, row1;
    basis_value(at.t_a, step, a);
    basis_slope(at.t_a, step, a1);
    basis_value(at.t_b, step, b);
    basis_slope(at.t_b, step, b1);
    along_b(&at, b, row);
    along_b(&at, b1, row1);
    const double g = along_a(a, row), g_a = along_a(a1, row), g_b = along_a(a, row1);

    // D_i = G_a, D_j = G_b, D_k = G - a G_a - b G_b, times the sign of s_k
    double slope[3];
    slope[at.a] = at.sign * g_a;
    slope[at.b] = at.sign * g_b;
    slope[at.face] = at.sign * (g - at.at_a * g_a - at.at_b * g_b);
    const br_vec2 f = from_patch(table, -slope[0], -slope[1]);
    return (br_limit_value){at.size * g, {f.x, f.y, -table->length * slope[2]}, 0};
}

// Second derivatives of G by a and b: aa, ab, bb.
static void second_derivatives(const lookup* at, double step, double out[3])
{
    basis a, a1, a2, b, b1, b2, row, row1, row2;
    basis_value(at->t_a, step, a);
    basis_slope(at->t_a, step, a1);
    basis_curvature(at->t_a, step, a2);
    basis_value(at->t_b, step, b);
    basis_slope(at->t_b, step, b1);
    basis_curvature(at->t_b, step, b2);
    along_b(at, b, row);
    along_b(at, b1, row1);
    along_b(at, b2, row2);
    out[0] = along_a(a2, row);
    out[1] = along_a(a1, row1);
    out[2] = along_a(a, row2);
}

static void jacobian(const br_limit* surface, br_twist v, double out[3][3])
{
    const smooth* table = surface->data;
    const lookup at = find_point(table, v);
    double g[3] = {0.0, 0.0, 0.0};
    if (at.size > 0.0) { // else underflow of l w
        second_derivatives(&at, 2.0 / (double)table->n, g);
    }
    // Hess D = P^T Hess G P/|s_k|, P = s_k d(a, b)/dv; rows of P by the patch's axes first
    double p[2][3];
    p[0][at.a] = 1.0, p[0][at.b] = 0.0, p[0][at.face] = -at.at_a;
    p[1][at.a] = 0.0, p[1][at.b] = 1.0, p[1][at.face] = -at.at_b;
    for (int i = 0; i < 2; i++) {
        const br_vec2 turned = from_patch(table, p[i][0], p[i][1]);
        p[i][0] = turned.x;
        p[i][1] = turned.y;
        p[i][2] *= table->length;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double h = p[0][i] * p[0][j] * g[0] +
                             (p[0][i] * p[1][j] + p[1][i] * p[0][j]) * g[1] +
                             p[1][i] * p[1][j] * g[2];
            out[i][j] = at.size > 0.0 ? -h / at.size : 0.0;
        }
    }
}

const limit_method bri_limit_smooth = {create, NULL, eval, jacobian, copy, update};
