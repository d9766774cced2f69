/*
 * Integrals along an edge seen from the CoR: rho = s e + d n on its line, e along it, n = (e_y, -e_x),
 * d the signed distance. With R = |rho| all of them are elementary.
 */
#ifndef BRISTLE_LIMIT_EDGES_H
#define BRISTLE_LIMIT_EDGES_H

#include "limit/exact_internal.h"

// Definite integrals along an edge; L = int ds/R.
typedef struct edge_sums {
    double L, s_R;           // int 1/R, int s/R
    double R, sR;            // int R, int s R
    double s2_R;             // int s^2/R
    double ee, en, nn;       // int (I - rho rho/R^2)/R, along e and n
    double s_ee, s_en, s_nn; // the same with a factor s
} edge_sums;

// int ds/R = ln((s_b + R_b)/(s_a + R_a)), without differences. It is infinite where the CoR is on
// the edge. There its factor vanishes, or the point is excluded, so a floor for d is enough.
static inline double edge_log(double sa, double Ra, double sb, double Rb, double d)
{
    const double floor_d2 = 1e-32, d2 = d * d > floor_d2 ? d * d : floor_d2;
    if (sa < 0.0 && sb > 0.0) {
        return log((sb + Rb) * (Ra - sa) / d2);
    }
    // on one side of the foot, from the nearer end: a short edge loses no precision
    const double near = sa >= 0.0 ? sa : -sb, near_R = sa >= 0.0 ? Ra : Rb, length = sb - sa;
    const double change = length * (fabs(sa) + fabs(sb)) / (Ra + Rb); // of R
    return log1p((length + change) / fmax(near + near_R, sqrt(floor_d2)));
}

// 1/R, or 0 for R = 0: its products with s or d vanish or stay bounded.
static inline double inverse(double R)
{
    return R > 0.0 ? 1.0 / R : 0.0;
}

static inline edge_sums edge_integrate(double sa, double sb, double d)
{
    const double Ra = sqrt(sa * sa + d * d), Rb = sqrt(sb * sb + d * d), d2 = d * d;
    const double ia = inverse(Ra), ib = inverse(Rb);
    const double L = edge_log(sa, Ra, sb, Rb, d);
    const double cosine = sb * ib - sa * ia, product = sb * Rb - sa * Ra;
    edge_sums sum;
    sum.L = L;
    sum.s_R = Rb - Ra;
    sum.R = 0.5 * (product + d2 * L);
    sum.sR = (Rb * Rb * Rb - Ra * Ra * Ra) / 3.0;
    sum.s2_R = 0.5 * (product - d2 * L);
    sum.ee = cosine;              // int d^2/R^3 = s/R
    sum.en = d * (ib - ia);       // -int s d/R^3 = d/R
    sum.nn = L - cosine;          // int s^2/R^3 = L - s/R
    sum.s_ee = -d2 * (ib - ia);   // int s d^2/R^3 = -d^2/R
    sum.s_en = -d * (L - cosine); // -int s^2 d/R^3
    sum.s_nn = Rb - Ra + d2 * (ib - ia);
    return sum;
}

// An edge seen from the CoR.
typedef struct edge {
    br_vec2 e, n; // along and across
    double sa, sb, d;
    double length; // sb - sa
} edge;

static inline edge edge_between(br_vec2 a, br_vec2 b)
{
    const br_vec2 side = br_vec2_sub(b, a);
    const double length = br_vec2_norm(side);
    const br_vec2 e = br_vec2_scale(length > 0.0 ? 1.0 / length : 0.0, side);
    return (edge){e,     {e.y, -e.x}, br_vec2_dot(a, e), br_vec2_dot(b, e), br_vec2_cross(a, e),
                  length};
}

// Subtract an integral of rho/R, given along e and n, from the gradient.
static inline void add_slope(cor_value* sum, const edge* at, double along, double across)
{
    sum->slope.x -= along * at->e.x + across * at->n.x;
    sum->slope.y -= along * at->e.y + across * at->n.y;
}

static inline void add_bend(cor_value* sum, const edge* at, double ee, double en, double nn)
{
    const br_vec2 e = at->e, n = at->n;
    sum->xx += ee * e.x * e.x + 2.0 * en * e.x * n.x + nn * n.x * n.x;
    sum->xy += ee * e.x * e.y + en * (e.x * n.y + e.y * n.x) + nn * n.x * n.y;
    sum->yy += ee * e.y * e.y + 2.0 * en * e.y * n.y + nn * n.y * n.y;
}

// Add the triangle between the CoR and an edge to the integrals over a polygon, pressure
// p + slope . rho.
void bri_add_triangle(cor_value* sum, const edge* at, const edge_sums* along, double p,
                      br_vec2 slope);

// Integrals divided by a mass.
static inline cor_value normalised(cor_value sum, double mass)
{
    return (cor_value){sum.G / mass, br_vec2_scale(1.0 / mass, sum.slope), sum.xx / mass,
                       sum.xy / mass, sum.yy / mass};
}

#endif
