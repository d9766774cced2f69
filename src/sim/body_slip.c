/*
 * Does a contact stick or slip?
 */
#include "sim/body_internal.h"

// How far beyond the limit surface a force must be to have left it [-]: bristles that slide slowly are
// on it up to their tolerance, and must not rattle.
static const double margin = 1e-3;

// Wrench of the limit surface along a direction of slip, in the scale (1, 1, 1/r), against it.
static void limit_wrench(const contact* c, const double n[3], double out[3])
{
    const double r = c->value.r;
    br_wrench f = {0.0, 0.0, 0.0};
    if (c->reduced) {
        // so slow that g = mu_s and nothing is viscous
        const double slow = 1e-9 * c->law->v_stribeck;
        f = br_reduced_steady_eval(
            c->reduced, (br_twist){slow * n[0], slow * n[1], slow * n[2] / r}, 1.0 / c->law->mu_s);
    }
    for (size_t i = 0; !c->reduced && i < c->parts; i++) {
        const double w = n[2] / r, vx = n[0] - w * c->y[i], vy = n[1] + w * c->x[i];
        const double speed = sqrt(vx * vx + vy * vy + w * w * c->extent[i]);
        const double p = speed > 0.0 ? c->weight[i] / speed : 0.0;
        f.fx -= p * vx;
        f.fy -= p * vy;
        f.tau -= p * (c->x[i] * vy - c->y[i] * vx + w * c->extent[i]);
    }
    out[0] = f.fx;
    out[1] = f.fy;
    out[2] = f.tau / r;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// gauge(f) = max over n of f.n/D(n), D(n) = -n.limit_wrench(n): from n = f, which is the answer for
// the ellipsoid, towards where the limit surface's wrench is parallel to f. Each round gives a lower
// bound that is right to second order.
static double gauge(const contact* c, const double f[3])
{
    double n[3] = {f[0], f[1], f[2]}, best = 0.0;
    for (int round = 0; round < 20; round++) {
        const double size = sqrt(dot(n, n));
        double w[3];
        for (int i = 0; i < 3; i++) {
            n[i] /= size;
        }
        limit_wrench(c, n, w);
        const double now = -dot(f, n) / dot(w, n);
        if (!(now > best * (1.0 + 1e-9))) {
            break;
        }
        best = now;
        for (int i = 0; i < 3; i++) {
            n[i] += f[i] / now + w[i];
        }
    }
    return best;
}

// Cells and blocks: the limit surface holds all sums of forces of the parts up to mu_s each, so no
// part beyond mu_s, no force beyond it. A reduced model: the least size of h, in many directions.
double contact_inner(const contact* c)
{
    if (!c->reduced) {
        return 1.0;
    }
    if (!(c->value.r > 0.0)) {
        return 0.0; // a point, for now
    }
    enum { TURNS = 24, TILTS = 12 };
    double least = HUGE_VAL;
    for (int i = 0; i < TURNS * (TILTS + 1); i++) {
        const double turn = 2.0 * BR_PI / TURNS * (i % TURNS),
                     tilt = 0.5 * BR_PI / TILTS * (i / TURNS);
        const double n[3] = {cos(turn) * sin(tilt), sin(turn) * sin(tilt), cos(tilt)};
        double h[3];
        limit_wrench(c, n, h);
        least = fmin(least, sqrt(dot(h, h)));
    }
    return 0.9 * least; // between the directions
}

// Gauge of the bristles' force at mu_s, or a number that is below 1 as it is.
static double bristle_gauge(const held* h, const double* z)
{
    const contact* c = &h->contact;
    const double mu_s = c->law->mu_s, r = c->value.r;
    const double most = c->law->sigma0 * contact_deflection(c, z) / mu_s;
    if (most <= h->inner || !(r > 0.0)) {
        return most - margin;
    }
    const br_wrench f = contact_bristle_wrench(c, z);
    return gauge(c, (const double[3]){-f.fx / mu_s, -f.fy / mu_s, -f.tau / (mu_s * r)}) - margin;
}

double held_rim(const held* h, br_twist v)
{
    const double rim = h->contact.value.r * v.w;
    return sqrt(v.vx * v.vx + v.vy * v.vy + rim * rim);
}

void held_rub(held* h, double dt)
{
    if (h->slips && !h->open) {
        h->way += dt * h->rim;
    }
}

double held_slip(const held* h, const double* y)
{
    const double speed = held_rim(h, held_twist(h, y)) / h->contact.law->v_stribeck;
    return (speed >= 1.0 || h->open ? speed : fmax(speed, bristle_gauge(h, y + h->at))) - 1.0;
}

void body_event(double t, const double* y, double* g, void* user)
{
    body_system* s = user;
    for (size_t i = 0; i < s->body->contact_count; i++) {
        held* h = &s->contacts[i];
        if (h->contact.grows && !h->steady) {
            contact_spread(&h->contact, held_force(s, h, t, NULL));
        }
        g[i] = held_slip(h, y);
    }
}
