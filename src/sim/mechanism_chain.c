/*
 * A chain of links in a vertical plane, its end on a path y(x).
 *
 * With the angles of the links against x, phi_k = theta_1 + ... + theta_k, and m_k the mass from the end of link k on,
 *
 *   sum_j m_max(i,j) l_i l_j (cos(phi_i - phi_j) phi_j'' + sin(phi_i - phi_j) phi_j'^2) = -m_i g l_i cos phi_i
 *
 * in the angles phi; sums from the end of the chain convert it to the joint angles theta.
 */
#include "sim/path_frame.h"

#include <math.h>

enum { MAX_LINKS = BR_CHAIN_MOST };

// Angles and speeds of the links, the mass that each carries, and the end point.
typedef struct posture {
    double s[MAX_LINKS], c[MAX_LINKS], w[MAX_LINKS]; // sine, cosine, speed [rad/s] (n)
    double beyond[MAX_LINKS];                        // mass from a link's end on [kg] (n)
    double x, y, vx, vy;                             // of the end [m], [m/s]
    br_vec2 bias; // acceleration of the end where no joint accelerates [m/s^2]
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

// Convert from the links' angles to the joints': entry i becomes the sum of i and all after it.
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

static planar_point end_of(const posture* p, const double* J)
{
    return (planar_point){{p->x, p->y}, {p->vx, p->vy}, {p->bias.x, p->bias.y}, J};
}

static void constraint(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const br_chain* chain = user;
    const posture p = posture_at(chain, at);
    const path_frame f = bri_path_frame(&chain->motion, 2, 0.0, at);
    double J[2 * MAX_LINKS];
    jacobian(chain, &p, J);
    const planar_point end = end_of(&p, J);
    bri_planar_constraint(&chain->path, &f, &end, chain->n, out);
}

static void contact(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const br_chain* chain = user;
    const posture p = posture_at(chain, at);
    const path_frame f = bri_path_frame(&chain->motion, 2, 0.0, at);
    const planar_point end = end_of(&p, out->J);
    out->point[0] = p.x, out->point[1] = p.y;
    jacobian(chain, &p, out->J);
    out->bias[0] = p.bias.x, out->bias[1] = p.bias.y;
    bri_planar_surface(&chain->path, &f, &end, out);
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
                        .coordinates = BR_COORDINATES_ANGLES,
                        .user = (void*)chain};
    for (size_t i = 0; i < chain->n; i++) {
        out.profiles[i] = &chain->torque[i];
    }
    bri_path_profiles(&chain->motion, 2, &out, chain->n);
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
        const double pivot = 2.0 * both + before * yxx[i - 1]; // yxx: temporarily the factors
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

// The piece of a table that contains x; beyond the table its first or last piece.
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
