/*
 * A bead on a wire in space: two constraints, one direction of sliding.
 */
#include "sim/path_frame.h"

#include "bristle/math.h"
#include "math/vector.h"

// The two surfaces whose intersection is the wire: values, gradients, and the negative second
// derivatives along the velocity.
typedef struct surfaces {
    double gap[2];
    double gradient[2][3];
    double b[2];
} surfaces;

// y - beta x^2 - gamma = 0,  z = 0
static surfaces parabola(const br_bead* bead, const double* q, const double* qd)
{
    return (surfaces){.gap = {q[1] - bead->beta * q[0] * q[0] - bead->gamma, q[2]},
                      .gradient = {{-2.0 * bead->beta * q[0], 1.0, 0.0}, {0.0, 0.0, 1.0}},
                      .b = {2.0 * bead->beta * qd[0] * qd[0], 0.0}};
}

// z cos ky - x sin ky = 0 (a spiral staircase),  (x^2 + z^2 - R^2)/(2 R) = 0,  k = 2 pi/pitch
static surfaces helix(const br_bead* bead, const double* q, const double* qd)
{
    const double k = 2.0 * BR_PI / bead->pitch, R = bead->radius;
    const double s = sin(k * q[1]), c = cos(k * q[1]), turn = k * qd[1];
    const double out = q[0] * c + q[2] * s, across = q[2] * c - q[0] * s;
    return (surfaces){.gap = {across, (q[0] * q[0] + q[2] * q[2] - R * R) / (2.0 * R)},
                      .gradient = {{-s, -k * out, c}, {q[0] / R, 0.0, q[2] / R}},
                      .b = {turn * (2.0 * (c * qd[0] + s * qd[2]) + turn * across),
                            -(qd[0] * qd[0] + qd[2] * qd[2]) / R}};
}

static surfaces surfaces_at(const br_bead* bead, const double* q, const double* qd)
{
    return bead->wire == BR_BEAD_WIRE_HELIX ? helix(bead, q, qd) : parabola(bead, q, qd);
}

// Unit vector along the wire: the cross product of both gradients.
static void direction(const surfaces* s, double* out)
{
    const double *a = s->gradient[0], *b = s->gradient[1];
    for (int i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
    const double size = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    for (int i = 0; i < 3; i++) {
        out[i] /= size;
    }
}

// The wire at an instant: its frame, the bead on it, and the surfaces there.
typedef struct wire_state {
    path_frame frame;
    path_state bead;
    surfaces at;
} wire_state;

static wire_state wire_at(const br_bead* bead, const br_mechanism_at* at)
{
    wire_state x = {.frame = bri_path_frame(&bead->motion, 3, 0.0, at)};
    x.bead = bri_path_state(&x.frame, at->q, at->qd, NULL);
    x.at = surfaces_at(bead, x.bead.s, x.bead.sd);
    return x;
}

static void dynamics(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const br_bead* bead = user;
    const wire_state x = wire_at(bead, at);
    const double force = br_profile_eval(&bead->force, at->t, at->within, NULL);
    double along[3];
    direction(&x.at, along);
    bri_path_outward(&x.frame, along, along);
    for (int i = 0; i < 3; i++) {
        out->M[4 * i] = bead->mass;
        out->Q[i] = force * along[i];
        out->power += force * along[i] * at->qd[i];
    }
    out->Q[1] -= bead->mass * bead->gravity;
    out->potential = bead->mass * bead->gravity * at->q[1];
}

static void constraint(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const wire_state x = wire_at(user, at);
    for (int i = 0; i < 2; i++) {
        const double* gradient = x.at.gradient[i];
        bri_path_outward(&x.frame, gradient, out->A + 3 * i);
        out->b[i] = x.at.b[i] - dot(gradient, x.bead.bias, 3);
        out->gap[i] = x.at.gap[i];
        if (out->rate) {
            out->rate[i] = dot(gradient, x.bead.rate, 3);
        }
    }
}

static void contact(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const wire_state x = wire_at(user, at);
    double along[3];
    for (int i = 0; i < 3; i++) {
        out->point[i] = at->q[i];
        out->J[4 * i] = 1.0;
    }
    for (int i = 0; i < 2; i++) {
        const double* g = x.at.gradient[i];
        const double size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
        bri_path_outward(&x.frame, (const double[3]){g[0] / size, g[1] / size, g[2] / size},
                         out->normal + 3 * i);
    }
    direction(&x.at, along);
    bri_path_surface(&x.frame, x.bead.s, along, out);
}

br_mechanism br_bead_mechanism(const br_bead* bead)
{
    BR_ASSERT(bead);
    br_mechanism out = {.n = 3,
                        .m = 2,
                        .d = 3,
                        .normals = 2,
                        .dynamics = dynamics,
                        .constraint = constraint,
                        .contact = contact,
                        .coordinates = BR_COORDINATES_POINT,
                        .profiles = {&bead->force},
                        .user = (void*)bead};
    bri_path_profiles(&bead->motion, 3, &out, 1);
    return out;
}

void br_bead_start(const br_bead* bead, double at, double* q, double* tangent)
{
    BR_ASSERT(bead && q && tangent);
    const double rest[3] = {0.0, 0.0, 0.0};
    const int is_helix = bead->wire == BR_BEAD_WIRE_HELIX;
    q[0] = is_helix ? bead->radius * cos(at) : at;
    q[1] = is_helix ? bead->pitch * at / (2.0 * BR_PI) : bead->beta * at * at + bead->gamma;
    q[2] = is_helix ? bead->radius * sin(at) : 0.0;
    const surfaces s = surfaces_at(bead, q, rest);
    direction(&s, tangent);
}
