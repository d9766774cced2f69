/*
 * Edges of the cube: corrections that make a table of the dissipation C1 across them.
 *
 * On the edge where s_k = 1 and s_m = sigma = +-1, D is a function E(t) of the third component
 * s_q = t. Both faces have the same cubics E; the slopes across the edge are cubics P = D_m on face
 * k and Q = D_k on face m, and D is C1 where Euler's identity holds along the whole edge,
 *
 *   D_k + sigma D_m + t D_q = D:   Q = E - sigma P - t E'
 *
 * The right side is a cubic with the right values at the nodes. It has the right slopes, too, if
 * E'' is continuous and D_kq + sigma D_mq + t E'' = 0 at the nodes. So E becomes a cubic spline
 * (C2, exact values, exact slopes at the corners), and the residuals of the identities are divided
 * equally. All changes are of the size of the interpolation error.
 */
#include "limit/smooth.h"

typedef struct edge {
    size_t k, m, q;
    double sigma;
} edge;

// E'' at the ends of the edges, by corner (s_0 = 1; see corner_index()) and direction q.
typedef double corner_curvatures[4][3];

static size_t corner_index(const double s[3])
{
    return (s[1] * s[0] > 0.0) + 2u * (s[2] * s[0] > 0.0);
}

// The node of a face in the direction of s.
static double* node_towards(const smooth* table, size_t face, const double s[3])
{
    const double n = (double)table->n;
    const double a = s[(face + 1) % 3] / s[face], b = s[(face + 2) % 3] / s[face];
    return node_at(table, face, (size_t)floor(0.5 * n * (a + 1.0) + 0.5),
                   (size_t)floor(0.5 * n * (b + 1.0) + 0.5));
}

// Pointer to the slope along an axis, as a face stores it.
static double* slope_along(double* node, size_t face, size_t axis)
{
    return node + (axis == (face + 1) % 3 ? BY_A : BY_B);
}

// The direction of node i of an edge.
static void edge_direction(const smooth* table, const edge* e, size_t i, double s[3])
{
    s[e->k] = 1.0;
    s[e->m] = e->sigma;
    s[e->q] = (2.0 * (double)i - (double)table->n) / (double)table->n;
}

// Slopes of the cubic spline through the values; the first and the last are given.
//   slope_(i-1) + 4 slope_i + slope_(i+1) = 3 (value_(i+1) - value_(i-1))/step
static void spline_slopes(size_t n, double step, const double* value, double* slope)
{
    double factor[SMOOTH_MAX + 1] = {0.0};
    for (size_t i = 1; i < n; i++) {
        const double right = 3.0 * (value[i + 1] - value[i - 1]) / step;
        factor[i] = 1.0 / (4.0 - factor[i - 1]);
        slope[i] = (right - slope[i - 1]) * factor[i];
    }
    for (size_t i = n - 1; i > 0; i--) {
        // the loop above has set it; n >= 2
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign)
        slope[i] -= factor[i] * slope[i + 1];
    }
}

// E'' at the left end of a cell.
static double left_curvature(double step, const double* value, const double* slope)
{
    return (6.0 * (value[1] - value[0]) / step - 4.0 * slope[0] - 2.0 * slope[1]) / step;
}

// E'' at the right end of a cell; the pointers are to its left end.
static double right_curvature(double step, const double* value, const double* slope)
{
    return (2.0 * slope[0] + 4.0 * slope[1] - 6.0 * (value[1] - value[0]) / step) / step;
}

// Make both faces agree at a node between the corners.
static void join(const smooth* table, const edge* e, const double s[3], double slope,
                 double curvature)
{
    double* on_k = node_towards(table, e->k, s);
    double* on_m = node_towards(table, e->m, s); // seen from -s if sigma < 0: slopes change sign
    double* d_m = slope_along(on_k, e->k, e->m);
    double* d_k = slope_along(on_m, e->m, e->k);
    const double t = s[e->q], sigma = e->sigma;

    // D_k + sigma D_m + t D_q = D
    const double lack = on_k[VALUE] - sigma * *d_k - sigma * *d_m - t * slope;
    *d_m += 0.5 * sigma * lack;
    *d_k += 0.5 * sigma * lack;
    *slope_along(on_k, e->k, e->q) = slope;
    *slope_along(on_m, e->m, e->q) = sigma * slope;

    // D_kq + sigma D_mq + t D_qq = 0
    const double mixed = -(on_m[BY_AB] + sigma * on_k[BY_AB] + t * curvature);
    on_m[BY_AB] += 0.5 * mixed;
    on_k[BY_AB] += 0.5 * sigma * mixed;
}

static void smooth_edge(const smooth* table, const edge* e, corner_curvatures corners)
{
    const size_t n = table->n;
    const double step = 2.0 / (double)n;
    double value[SMOOTH_MAX + 1], slope[SMOOTH_MAX + 1], s[3];
    for (size_t i = 0; i <= n; i++) {
        edge_direction(table, e, i, s);
        double* node = node_towards(table, e->k, s);
        value[i] = node[VALUE];
        slope[i] = *slope_along(node, e->k, e->q);
    }
    spline_slopes(n, step, value, slope);
    for (size_t i = 0; i <= n; i++) {
        const double curvature = i < n ? left_curvature(step, value + i, slope + i)
                                       : right_curvature(step, value + n - 1, slope + n - 1);
        edge_direction(table, e, i, s);
        if (i > 0 && i < n) {
            join(table, e, s, slope[i], curvature);
        } else {
            corners[corner_index(s)][e->q] = curvature;
        }
    }
}

// At a corner s_p = +-1, three edges meet. With X_pq = s_p s_q D_pq the identities are
// X_pq + X_qr = -D_qq for the three q; their solution is below.
static void smooth_corner(const smooth* table, const double s[3], const double curvature[3])
{
    for (size_t face = 0; face < 3; face++) {
        const size_t p = (face + 1) % 3, q = (face + 2) % 3;
        const double x = 0.5 * (curvature[face] - curvature[p] - curvature[q]);
        node_towards(table, face, s)[BY_AB] = s[p] * s[q] * x;
    }
}

void bri_smooth_seams(smooth* table)
{
    corner_curvatures corners = {{0.0}};
    for (size_t q = 0; q < 3; q++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            const edge e = {(q + 1) % 3, (q + 2) % 3, q, sign};
            smooth_edge(table, &e, corners);
        }
    }
    for (int corner = 0; corner < 4; corner++) {
        const double s[3] = {1.0, corner % 2 ? 1.0 : -1.0, corner / 2 ? 1.0 : -1.0};
        smooth_corner(table, s, corners[corner]);
    }
}
