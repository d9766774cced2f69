/*
 * Rows of Jacobians: the velocity of two bodies relative to each other, in one direction.
 */
#include "internal.h"

#include <math.h>
#include <string.h>

int brgi_is_fixed(const brg_body* b)
{
    double sum = b->inv_mass[0] + b->inv_mass[1] + b->inv_mass[2];
    for (int i = 0; i < 9; i++) {
        sum += fabs(b->inv_inertia[i]);
    }
    return sum == 0.0;
}

// m = M^-1 j; the inverse inertia of engines in single precision is not quite symmetric
static void respond(const brg_body* b, const double j[6], double m[6])
{
    const double* I = b->inv_inertia;
    for (int i = 0; i < 3; i++) {
        m[i] = b->inv_mass[i] * j[i];
        m[3 + i] = 0.5 * ((I[3 * i] + I[i]) * j[3] + (I[3 * i + 1] + I[3 + i]) * j[4] +
                          (I[3 * i + 2] + I[6 + i]) * j[5]);
    }
}

void brgi_row_set(row* r, const brg_body* bodies, const int* local, const int body[2],
                  const double* j)
{
    r->outside = 0.0;
    for (int k = 0; k < 2; k++) {
        r->body[k] = body[k] < 0 ? -1 : local[body[k]];
        if (r->body[k] >= 0) {
            memcpy(r->j[k], j + 6 * k, sizeof r->j[k]);
            respond(&bodies[body[k]], j + 6 * k, r->m[k]);
        } else if (body[k] >= 0) {
            r->outside +=
                dot3(j + 6 * k, bodies[body[k]].v) + dot3(j + 6 * k + 3, bodies[body[k]].w);
        }
    }
}

// Mean velocity of a kinematic body over a step, beyond its velocity w x arm now, at the centre of mass of the body on
// it, which the engine moves on a straight line. It moves on an arc: with the angle t = h |w|
//   (sin t/t - 1) w x arm + h (1 - cos t)/t^2 w x (w x arm)
static double velocity_of_arc(const brg_body* bodies, const int body[2], int k,
                              const double* direction, double h)
{
    const double *w = bodies[body[k]].w, *c = bodies[body[k]].x, t = h * sqrt(dot3(w, w));
    if (!(t > 0.0) || body[1 - k] < 0) {
        return 0.0;
    }
    const double* x = bodies[body[1 - k]].x;
    const double arm[3] = {x[0] - c[0], x[1] - c[1], x[2] - c[2]};
    double once[3], twice[3];
    cross3(w, arm, once);
    cross3(w, once, twice);
    const double half = sin(0.5 * t) / (0.5 * t);
    return (sin(t) / t - 1.0) * dot3(direction, once) +
           0.5 * h * half * half * dot3(direction, twice);
}

void brgi_row_at(row* r, const brg_body* bodies, const int* local, const int body[2],
                 const double* x, const double* direction, double sign, double h)
{
    double j[2][6] = {{0.0}}, arc = 0.0;
    for (int k = 0; k < 2; k++) {
        const double side = k == 1 ? sign : -sign;
        for (int i = 0; i < 3; i++) {
            j[k][i] = side * direction[i];
        }
        if (body[k] >= 0) {
            const double* c = bodies[body[k]].x;
            const double arm[3] = {x[0] - c[0], x[1] - c[1], x[2] - c[2]};
            cross3(arm, j[k], j[k] + 3);
            arc += local[body[k]] < 0 ? velocity_of_arc(bodies, body, k, j[k], h) : 0.0;
        }
    }
    brgi_row_set(r, bodies, local, body, j[0]);
    r->outside += arc;
}

void brgi_row_about(row* r, const brg_body* bodies, const int* local, const int body[2],
                    const double* axis, double sign)
{
    double j[2][6] = {{0.0}};
    for (int i = 0; i < 3; i++) {
        j[0][3 + i] = -sign * axis[i];
        j[1][3 + i] = sign * axis[i];
    }
    brgi_row_set(r, bodies, local, body, j[0]);
}

size_t brg_joint_get_rows(const brg_joint* joint, const brg_body* bodies, brg_row* rows)
{
    size_t count = 0;
    for (int i = 0; i < 6; i++) {
        if (!(joint->locked >> i & 1)) {
            continue;
        }
        const double* axis = joint->axes + 3 * (i % 3);
        brg_row* r = &rows[count++];
        *r = (brg_row){.a = joint->a,
                       .b = joint->b,
                       .lower = -HUGE_VAL,
                       .upper = HUGE_VAL,
                       .target = (double)NAN};
        for (int k = 0; k < 3; k++) {
            r->ja[(i < 3 ? 0 : 3) + k] = -axis[k];
            r->jb[(i < 3 ? 0 : 3) + k] = axis[k];
        }
        const int body[2] = {joint->a, joint->b};
        for (int k = 0; i < 3 && k < 2; k++) {
            const double* c = body[k] >= 0 ? bodies[body[k]].x : joint->x;
            const double arm[3] = {joint->x[0] - c[0], joint->x[1] - c[1], joint->x[2] - c[2]};
            double* j = k == 0 ? r->ja : r->jb;
            cross3(arm, j, j + 3);
        }
    }
    return count;
}
