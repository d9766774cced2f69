/*
 * Vibration modes of a planar rigid body on the bristles of its contacts while they stick.
 *
 * At the centre of mass, with d = (x, y) the arm of a contact, its stiffness and its damping are k and c
 * times
 *
 *       [ 1   0   -y            ]
 *   J = [ 0   1    x            ]          M q'' + C q' + K q = 0,   M = diag(m, m, I)
 *       [-y   x    x^2 + y^2 + u]
 *
 * Anisotropic friction has A^2 = 1 + (ratio^2 - 1) n n^T in place of 1: J = B^T A^2 B + diag(0, 0, u), B = [1 0 -y; 0 1 x].
 *
 * With coordinates scaled by the roots of M, K is symmetric and Jacobi's rotations give its modes.
 */
#include "bristle/modes.h"

#include "math/axes.h"
#include "math/mat3.h"

// Modes below this share of the largest stiffness are rounding errors: no stiffness.
static const double FREE = 1e-12;

br_mode_contact br_mode_contact_from_law(const br_law* law, double fn, size_t count, double u,
                                         br_vec2 arm)
{
    const double force = (double)count * fn;
    return (br_mode_contact){
        .arm = arm, .u = u, .k = law->sigma0 * force, .c = (law->sigma1 + law->sigma2) * force};
}

// to += factor J, in coordinates scaled by the roots of M
static void add_contact(mat3* to, const br_mode_contact* at, double factor, const double root[3])
{
    const double x = at->arm.x, y = at->arm.y;
    const double more = at->ratio > 0.0 ? at->ratio * at->ratio - 1.0 : 0.0;
    const axes grain = axes_of(at->angle);
    const double n[3] = {grain.cosine, grain.sine, x * grain.sine - y * grain.cosine}; // B^T n
    mat3 J = {{{1.0, 0.0, -y}, {0.0, 1.0, x}, {-y, x, x * x + y * y + at->u}}};
    for (int i = 0; i < 9; i++) {
        J.at[i / 3][i % 3] += more * n[i / 3] * n[i % 3];
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            to->at[i][j] += factor * J.at[i][j] / (root[i] * root[j]);
        }
    }
}

// c of mode i of V: damping ratio = c/(2 omega)
static double modal_damping(mat3 C, mat3 V, int i)
{
    return mat3_multiply(mat3_multiply(mat3_transpose(V), C), V).at[i][i];
}

br_modes br_modes_eval(double mass, double inertia, const br_mode_contact* contacts, size_t count)
{
    const double root[3] = {sqrt(mass), sqrt(mass), sqrt(inertia)};
    mat3 K = {{{0.0}}}, C = {{{0.0}}}, V;
    for (size_t i = 0; i < count; i++) {
        add_contact(&K, &contacts[i], contacts[i].k, root);
        add_contact(&C, &contacts[i], contacts[i].c, root);
    }
    mat3_diagonalise(&K, &V);

    const double largest = fmax(fmax(K.at[0][0], K.at[1][1]), K.at[2][2]);
    br_modes modes = {{0.0, 0.0}, {0.0, 0.0}};
    for (int i = 0; i < 3; i++) {
        if (!(K.at[i][i] > FREE * largest)) {
            continue;
        }
        const double omega = sqrt(K.at[i][i]);
        const br_mode mode = {omega, modal_damping(C, V, i) / (2.0 * omega)};
        modes.slow = modes.slow.omega > 0.0 && modes.slow.omega < omega ? modes.slow : mode;
        modes.fast = modes.fast.omega > omega ? modes.fast : mode;
    }
    return modes;
}

double br_modes_get_mean(const br_modes* modes)
{
    return sqrt(modes->slow.omega) * sqrt(modes->fast.omega);
}
