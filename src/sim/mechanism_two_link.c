/*
 * The two-link arm of H+, its end on a parabola.
 *
 * H+ = Huang et al., "Closed-Form Representations of Friction", section VI. Numbers in brackets are
 * its equations. Deviation from print (docs/equations.md): H-50.
 */
#include "bristle/mechanism.h"

// Sines, cosines, speeds of the links and the place of the end.
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

static void constraint(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const br_two_link* arm = user;
    const posture p = posture_at(arm, at);
    const double l1 = arm->length[0], l2 = arm->length[1], slope = 2.0 * arm->beta * p.x;

    // A = [slope (l1 sin th1 + l2 sin th12) + x, slope l2 sin th12 + l2 cos th12]            (49)
    out->A[0] = slope * p.y + p.x;
    out->A[1] = slope * l2 * p.s12 + l2 * p.c12;

    // b = l1 sin th1 th1'^2 + l2 sin th12 th12'^2 + 2 beta x'^2
    //     - slope (l1 cos th1 th1'^2 + l2 cos th12 th12'^2)            (50), with its misprints put
    // right: the first square, and the sign of x'^2
    const double a1 = l1 * p.w1 * p.w1, a12 = l2 * p.w12 * p.w12;
    const double vx = -l1 * p.s1 * p.w1 - l2 * p.s12 * p.w12;
    out->b[0] =
        a1 * p.s1 + a12 * p.s12 + 2.0 * arm->beta * vx * vx - slope * (a1 * p.c1 + a12 * p.c12);
    out->gap[0] = p.y - arm->beta * p.x * p.x - arm->gamma;
}

static void contact(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const br_two_link* arm = user;
    const posture p = posture_at(arm, at);
    const double l1 = arm->length[0], l2 = arm->length[1], slope = 2.0 * arm->beta * p.x;
    out->point[0] = p.x;
    out->point[1] = p.y;

    // J = [-l1 sin th1 - l2 sin th12, -l2 sin th12; l1 cos th1 + l2 cos th12, l2 cos th12]   (51)
    out->J[0] = -p.y;
    out->J[1] = -l2 * p.s12;
    out->J[2] = p.x;
    out->J[3] = l2 * p.c12;
    out->bias[0] = -l1 * p.c1 * p.w1 * p.w1 - l2 * p.c12 * p.w12 * p.w12;
    out->bias[1] = -l1 * p.s1 * p.w1 * p.w1 - l2 * p.s12 * p.w12 * p.w12;
    out->normal[0] = -slope / hypot(slope, 1.0);
    out->normal[1] = 1.0 / hypot(slope, 1.0);
}

br_mechanism br_two_link_mechanism(const br_two_link* arm)
{
    BR_ASSERT(arm);
    return (br_mechanism){.n = 2,
                          .m = 1,
                          .d = 2,
                          .normals = 1,
                          .dynamics = dynamics,
                          .constraint = constraint,
                          .contact = contact,
                          .profiles = {&arm->torque[0], &arm->torque[1]},
                          .user = (void*)arm};
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
