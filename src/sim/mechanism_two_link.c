/*
 * The two-link arm of H+, its end on a parabola.
 *
 * H+ = Huang et al., "Closed-Form Representations of Friction", section VI. Numbers in brackets are
 * its equations. Deviation from print (docs/explanation/equations.md): H-50.
 */
#include "sim/path_frame.h"

// Sines, cosines and speeds of the links, and the position of the end.
typedef struct posture {
    double s1, c1, s12, c12; // of theta1, theta1 + theta2
    double w1, w12;          // of the links [rad/s]
    double x, y;             // of the end [m]
} posture;

static posture posture_at(const br_two_link* arm, const br_mechanism_at* at)
{
    const double l1 = arm->length[0], l2 = arm->length[1];
    posture p = {.s1 = sin(at->q[0]), .c1 = cos(at->q[0])};
    p.s12 = sin(at->q[0] + at->q[1]);
    p.c12 = cos(at->q[0] + at->q[1]);
    p.w1 = at->qd[0];
    p.w12 = at->qd[0] + at->qd[1];
    p.x = l1 * p.c1 + l2 * p.c12;
    p.y = l1 * p.s1 + l2 * p.s12;
    return p;
}

static void dynamics(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const br_two_link* arm = user;
    const posture p = posture_at(arm, at);
    const double m1 = arm->mass[0], m2 = arm->mass[1], l1 = arm->length[0], l2 = arm->length[1];
    const double g = arm->gravity, s2 = sin(at->q[1]), c2 = cos(at->q[1]);
    const double w1 = at->qd[0], w2 = at->qd[1];
    const double tau1 = br_profile_eval(&arm->torque[0], at->t, at->within, NULL);
    const double tau2 = br_profile_eval(&arm->torque[1], at->t, at->within, NULL);

    // m11 = m2 l2^2 + 2 m2 l1 l2 cos th2 + (m1 + m2) l1^2,  m12, m22                   (44)-(46)
    out->M[0] = m2 * l2 * l2 + 2.0 * m2 * l1 * l2 * c2 + (m1 + m2) * l1 * l1;
    out->M[1] = out->M[2] = m2 * l2 * l2 + m2 * l1 * l2 * c2;
    out->M[3] = m2 * l2 * l2;

    // h1 = tau1 + m2 l1 l2 sin th2 th2' (th2' + 2 th1') - gravity                            (47)
    out->Q[0] = tau1 + m2 * l1 * l2 * s2 * w2 * (w2 + 2.0 * w1) - m2 * l2 * g * p.c12 -
                (m1 + m2) * l1 * g * p.c1;
    // h2 = tau2 - m2 l1 l2 sin th2 th1'^2 - gravity                                          (48)
    out->Q[1] = tau2 - m2 * l1 * l2 * s2 * w1 * w1 - m2 * l2 * g * p.c12;

    out->potential = g * (m1 * l1 * p.s1 + m2 * p.y);
    out->power = tau1 * w1 + tau2 * w2;
}

// The end: J = [-l1 sin th1 - l2 sin th12, -l2 sin th12; l1 cos th1 + l2 cos th12, l2 cos th12]    (51)
static planar_point end_of(const br_two_link* arm, const posture* p, double* J)
{
    const double l1 = arm->length[0], l2 = arm->length[1];
    const double a1 = l1 * p->w1 * p->w1, a12 = l2 * p->w12 * p->w12;
    J[0] = -p->y, J[1] = -l2 * p->s12;
    J[2] = p->x, J[3] = l2 * p->c12;
    return (planar_point){.p = {p->x, p->y},
                          .v = {-l1 * p->s1 * p->w1 - l2 * p->s12 * p->w12,
                                l1 * p->c1 * p->w1 + l2 * p->c12 * p->w12},
                          .bias = {-a1 * p->c1 - a12 * p->c12, -a1 * p->s1 - a12 * p->s12},
                          .J = J};
}

// A of (49), J_y - 2 beta x J_x, and b of (50), with two misprints corrected: the first square, and the sign of x'^2.
// The parabola is gamma + beta x^2.
static void constraint(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const br_two_link* arm = user;
    const posture p = posture_at(arm, at);
    const path_frame f = bri_path_frame(&arm->motion, 2, 0.0, at);
    const double c[3] = {arm->gamma, 0.0, arm->beta};
    const br_path path = {.kind = BR_PATH_POLYNOMIAL, .count = 3, .c = c};
    double J[4];
    const planar_point end = end_of(arm, &p, J);
    bri_planar_constraint(&path, &f, &end, 2, out);
}

static void contact(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const br_two_link* arm = user;
    const posture p = posture_at(arm, at);
    const path_frame f = bri_path_frame(&arm->motion, 2, 0.0, at);
    const double c[3] = {arm->gamma, 0.0, arm->beta};
    const br_path path = {.kind = BR_PATH_POLYNOMIAL, .count = 3, .c = c};
    const planar_point end = end_of(arm, &p, out->J);
    for (int i = 0; i < 2; i++) {
        out->point[i] = end.p[i];
        out->bias[i] = end.bias[i];
    }
    bri_planar_surface(&path, &f, &end, out);
}

br_mechanism br_two_link_mechanism(const br_two_link* arm)
{
    BR_ASSERT(arm);
    br_mechanism out = {.n = 2,
                        .m = 1,
                        .d = 2,
                        .normals = 1,
                        .dynamics = dynamics,
                        .constraint = constraint,
                        .contact = contact,
                        .coordinates = BR_COORDINATES_ANGLES,
                        .profiles = {&arm->torque[0], &arm->torque[1]},
                        .user = (void*)arm};
    bri_path_profiles(&arm->motion, 2, &out, 2);
    return out;
}

int br_two_link_start(const br_two_link* arm, br_vec2 end, int elbow_up, double* q)
{
    BR_ASSERT(arm && q);
    const double l1 = arm->length[0], l2 = arm->length[1];
    const double c2 = (br_vec2_dot(end, end) - l1 * l1 - l2 * l2) / (2.0 * l1 * l2);
    if (!(fabs(c2) <= 1.0)) {
        return 0;
    }
    q[1] = elbow_up ? -acos(c2) : acos(c2);
    q[0] = atan2(end.y, end.x) - atan2(l2 * sin(q[1]), l1 + l2 * cos(q[1]));
    return 1;
}
