/*
 * A chain of links in a vertical plane, its end on a path y(x).
 *
 * With the angles of the links against x, phi_k = theta_1 + ... + theta_k, and m_k all mass from link k's end on,
 *
 *   sum_j m_max(i,j) l_i l_j (cos(phi_i - phi_j) phi_j'' + sin(phi_i - phi_j) phi_j'^2) = -m_i g l_i cos phi_i
 *
 * in the angles phi; what is said in phi is summed from the end to give it in the joint angles theta.
 */
#include "bristle/mechanism.h"

#include <math.h>

enum { MOST = BR_CHAIN_MOST };

// Angles and speeds of the links, what hangs on them, and the end.
typedef struct posture {
    double s[MOST], c[MOST], w[MOST]; // sine, cosine, speed [rad/s] (n)
    double beyond[MOST];              // mass from a link's end on [kg] (n)
    double x, y, vx, vy;              // of the end [m], [m/s]
    br_vec2 bias;                     // its acceleration where no joint accelerates [m/s^2]
} posture;

static posture posture_at(const br_chain* chain, const br_mechanism_at* at)
{
    posture p = {.x = 0.0};
    double phi = 0.0, w = 0.0, mass = 0.0;
    for (size_t i = 0; i < chain->n; i++) {
        const double l = chain->length[i];
        phi += at->q[i];
        w += at->qd[i];
        p.s[i] = sin(phi), p.c[i] = cos(phi), p.w[i] = w;
        p.x += l * p.c[i], p.y += l * p.s[i];
        p.vx -= l * p.s[i] * w, p.vy += l * p.c[i] * w;
        p.bias.x -= l * p.c[i] * w * w, p.bias.y -= l * p.s[i] * w * w;
    }
    for (size_t i = chain->n; i-- > 0;) {
        p.beyond[i] = mass += chain->mass[i];
    }
    return p;
}

// From the links' angles to the joints': entry i becomes the sum of i and all after it.
static void sum_from_end(double* values, size_t n, size_t stride)
{
    for (size_t i = n - 1; i-- > 0;) {
        values[i * stride] += values[(i + 1) * stride];
    }
}

static void dynamics(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const br_chain* chain = user;
    const size_t n = chain->n;
    const posture p = posture_at(chain, at);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const double ml = p.beyond[i > j ? i : j] * chain->length[i] * chain->length[j];
            out->M[i * n + j] = ml * (p.c[i] * p.c[j] + p.s[i] * p.s[j]);
            out->Q[i] -= ml * (p.s[i] * p.c[j] - p.c[i] * p.s[j]) * p.w[j] * p.w[j];
        }
        out->Q[i] -= p.beyond[i] * chain->gravity * chain->length[i] * p.c[i];
        out->potential += p.beyond[i] * chain->gravity * chain->length[i] * p.s[i];
    }
    for (size_t i = 0; i < n; i++) {
        sum_from_end(out->M + i, n, n); // down the columns
    }
    for (size_t i = 0; i < n; i++) {
        sum_from_end(out->M + i * n, n, 1); // along the rows
    }
    sum_from_end(out->Q, n, 1);
    for (size_t i = 0; i < n; i++) {
        const double torque = br_profile_eval(&chain->torque[i], at->t, at->within, NULL);
        out->Q[i] += torque;
        out->power += torque * at->qd[i];
    }
}

// d(x, y)/d theta of the end (2 x n)
static void jacobian(const br_chain* chain, const posture* p, double* J)
{
    for (size_t i = 0; i < chain->n; i++) {
        J[i] = -chain->length[i] * p->s[i];
        J[chain->n + i] = chain->length[i] * p->c[i];
    }
    sum_from_end(J, chain->n, 1);
    sum_from_end(J + chain->n, chain->n, 1);
}

// gap = y - f(x),  A = J_y - f' J_x,  b = f'' x'^2 - (bias_y - f' bias_x)
static void constraint(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const br_chain* chain = user;
    const posture p = posture_at(chain, at);
    double J[2 * MOST], slope, bend;
    jacobian(chain, &p, J);
    out->gap[0] = p.y - br_path_eval(&chain->path, p.x, &slope, &bend);
    for (size_t i = 0; i < chain->n; i++) {
        out->A[i] = J[chain->n + i] - slope * J[i];
    }
    out->b[0] = bend * p.vx * p.vx - (p.bias.y - slope * p.bias.x);
}

static void contact(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const br_chain* chain = user;
    const posture p = posture_at(chain, at);
    double slope, bend;
    br_path_eval(&chain->path, p.x, &slope, &bend);
    out->point[0] = p.x, out->point[1] = p.y;
    jacobian(chain, &p, out->J);
    out->bias[0] = p.bias.x, out->bias[1] = p.bias.y;
    out->normal[0] = -slope / hypot(slope, 1.0);
    out->normal[1] = 1.0 / hypot(slope, 1.0);
}

br_mechanism br_chain_mechanism(const br_chain* chain)
{
    BR_ASSERT(chain && chain->n >= 2 && chain->n <= BR_CHAIN_MOST);
    br_mechanism out = {.n = chain->n,
                        .m = 1,
                        .d = 2,
                        .normals = 1,
                        .dynamics = dynamics,
                        .constraint = constraint,
                        .contact = contact,
                        .user = (void*)chain};
    for (size_t i = 0; i < chain->n; i++) {
        out.profiles[i] = &chain->torque[i];
    }
    return out;
}

// --- paths ----------------------------------------------------------------------------------------

// The tridiagonal system of a natural spline, eliminated downwards and solved upwards.
void br_path_bend(size_t count, const double* x, const double* y, double* yxx, double* work)
{
    BR_ASSERT(count >= 2 && x && y && yxx && work);
    yxx[0] = work[0] = 0.0;
    for (size_t i = 1; i + 1 < count; i++) {
        const double before = x[i] - x[i - 1], after = x[i + 1] - x[i], both = x[i + 1] - x[i - 1];
        const double kink = (y[i + 1] - y[i]) / after - (y[i] - y[i - 1]) / before;
        const double pivot = 2.0 * both + before * yxx[i - 1]; // yxx: factors, for the time being
        yxx[i] = -after / pivot;
        work[i] = (6.0 * kink - before * work[i - 1]) / pivot;
    }
    yxx[count - 1] = 0.0;
    for (size_t i = count - 1; i-- > 0;) {
        yxx[i] = yxx[i] * yxx[i + 1] + work[i];
    }
}

static double polynomial(const br_path* path, double x, double* slope, double* bend)
{
    double y = 0.0;
    *slope = *bend = 0.0;
    for (size_t i = path->count; i-- > 0;) {
        *bend = *bend * x + 2.0 * *slope;
        *slope = *slope * x + y;
        y = y * x + path->c[i];
    }
    return y;
}

// The piece of a table that holds x; its outermost ones beyond.
static size_t piece_of(const br_path* path, double x)
{
    size_t low = 0, high = path->count - 1;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (x < path->x[middle]) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return low;
}

static double spline(const br_path* path, double x, double* slope, double* bend)
{
    const size_t i = piece_of(path, x), last = path->count - 1;
    const double at = fmin(fmax(x, path->x[0]), path->x[last]), h = path->x[i + 1] - path->x[i];
    const double b = (at - path->x[i]) / h, a = 1.0 - b;
    const double ya = path->yxx[i], yb = path->yxx[i + 1];
    const double y = a * path->y[i] + b * path->y[i + 1] +
                     ((a * a * a - a) * ya + (b * b * b - b) * yb) * h * h / 6.0;
    *slope = (path->y[i + 1] - path->y[i]) / h +
             ((3.0 * b * b - 1.0) * yb - (3.0 * a * a - 1.0) * ya) * h / 6.0;
    *bend = a * ya + b * yb; // 0 at the ends and beyond them
    return y + *slope * (x - at);
}

double br_path_eval(const br_path* path, double x, double* slope, double* bend)
{
    BR_ASSERT(path && path->count >= 1 && slope && bend);
    return path->kind == BR_PATH_POLYNOMIAL ? polynomial(path, x, slope, bend)
                                            : spline(path, x, slope, bend);
}
