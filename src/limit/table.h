/*
 * The sampled table h(r, v) of W&K, (29) and (33)-(42).
 */
#ifndef BRISTLE_LIMIT_TABLE_H
#define BRISTLE_LIMIT_TABLE_H

#include "bristle/limit.h"

#include "limit/mirrors.h"

// Nodes theta = i_theta pi/(2 n), 0 <= i_theta <= 4 n, and phi = i_phi pi/(2 n), 0 <= i_phi <= n.
typedef struct limit_table {
    size_t n;  // N_ls
    double r;  // of (33) and (36) [m]
    double* h; // (4 n + 1) x (n + 1) x 3
} limit_table;

static inline size_t table_length(size_t n)
{
    return (4 * n + 1) * (n + 1) * 3;
}

// h at a node, (3)
static inline double* table_node(double* h, size_t n, size_t i_theta, size_t i_phi)
{
    return h + (i_theta * (n + 1) + i_phi) * 3;
}

// The twist at a node.
static inline br_twist table_twist(double r, size_t n, size_t i_theta, size_t i_phi)
{
    const double theta = (double)i_theta * BR_PI / (2.0 * (double)n);
    const double phi = (double)i_phi * BR_PI / (2.0 * (double)n);

    // v_x = r' cos theta sin phi, v_y = r' sin theta sin phi, w = cos phi                    (33)
    return (br_twist){r * cos(theta) * sin(phi), r * sin(theta) * sin(phi), cos(phi)};
}

// The columns of nodes, by theta, to compute; mirror images give the others.
typedef struct table_columns {
    size_t first, last;
} table_columns;

static inline table_columns table_columns_of(mirrors has, size_t n)
{
    if (has.x) {
        return (table_columns){0, has.y ? n : 2 * n};
    }
    return has.y ? (table_columns){n, 3 * n} : (table_columns){0, 4 * n - 1};
}

// Fill the other columns of a table whose axes are those of the mirrors. This includes the last
// column, which equals the first.
void bri_table_mirror(mirrors has, size_t n, double* h);

// h of a twist by (35)-(42), and the derivative of the wrench (h_x, h_y, r h_tau). Any finite twist
// that is not 0.
void bri_table_lookup(const limit_table* table, br_twist v, double h[3]);
void bri_table_jacobian(const limit_table* table, br_twist v, double jacobian[3][3]);

#endif
