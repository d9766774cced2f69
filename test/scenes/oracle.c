/*
 * The oracle: points on springs that slide at the limit of Coulomb's law, explicit steps.
 *
 *   z' = u while |k z| <= g,  f = -fn w min(1, g/|k z + c u|) (k z + c u) - fn w sigma2 u
 *   v(t + h) = v + h F(t + h/2)/m,  x(t + h) = x + h (v(t) + v(t + h))/2
 *
 * u is the velocity of the point over its support, w its share of the normal force, g = mu_c +
 * (mu_s - mu_c) exp(-(|u|/v_s)^2). Springs are kept in the world's axes. With anisotropy u is A u and
 * f is A f, A = R diag(ratio, 1) R^T.
 */
#include <math.h>
#include <string.h>

#include "oracle.h"

// a contact as the oracle runs it
typedef struct held {
    const contact* of;
    oracle_patch patch;
    double z[2][ORACLE_POINTS];
    double k, c; // spring and damper over the normal force [1/m, s/m]
    double mu_c, mu_s;
} held;

typedef struct motion {
    double x[3], v[3];
} motion;

typedef struct simulation {
    const scene* of;
    oracle_def def;
    held contacts[SCENE_CONTACTS];
    motion now;
    double h;
} simulation;

static void hold_contact(simulation* in, int index, int points)
{
    held* out = &in->contacts[index];
    const contact* of = &in->of->contacts[index];
    out->of = of;
    memset(out->z, 0, sizeof out->z);
    oracle_sample(&of->patch, points, &out->patch);
    for (int i = 0; i < out->patch.count; i++) {
        const double f = in->def.size_factor, *cop = out->patch.cop, r = out->patch.radius;
        out->patch.x[i] = cop[0] + f * (out->patch.x[i] - cop[0]) + r * in->def.offset[0];
        out->patch.y[i] = cop[1] + f * (out->patch.y[i] - cop[1]) + r * in->def.offset[1];
    }
    out->mu_c = of->law.mu_c * in->def.mu_factor;
    out->mu_s = of->law.mu_s * in->def.mu_factor;
    out->k = out->mu_s / in->def.deflection;
}

// the largest stiffness of all springs together, over mass and inertia [1/s^2]
static double fastest(simulation* in)
{
    double shift = 0, turn = 0, force = 0;
    for (int i = 0; i < in->of->contact_count; i++) {
        held* foot = &in->contacts[i];
        const double fn = foot->of->count * wave_largest(&foot->of->normal, in->of->duration);
        const double aniso = fmax(1, foot->of->law.ratio * foot->of->law.ratio);
        // a finger may be anywhere below the body: its lever is at most some of its own distances
        const double lever = foot->of->in_body ? hypot(foot->of->at[0], foot->of->at[1]) : 0.05;
        const double grown = pow(fmax(1, fn), foot->of->patch.exponent) * foot->patch.radius;
        shift += foot->k * fn * aniso;
        turn += foot->k * fn * aniso * (pow(lever, 2) + pow(grown, 2) * 2);
        force += fn;
    }
    for (int i = 0; i < in->of->contact_count; i++) {
        in->contacts[i].c =
            in->def.damping * 0.7 * sqrt(in->contacts[i].k * in->of->mass / fmax(force, 1e-9));
    }
    if (in->of->pusher.is) {
        const double arm = fmax(in->of->radius, hypot(in->of->size[0], in->of->size[1]) / 2);
        shift += 9 * in->of->pusher.stiffness;
        turn += 9 * in->of->pusher.stiffness * arm * arm;
    }
    return fmax(shift / in->of->mass, turn / in->of->inertia);
}

// A of a contact in the world's axes: xx, xy, yy
static void stretch(const held* of, double theta, double a[3])
{
    const law* friction = &of->of->law;
    const double angle = friction->angle + (of->of->in_body == friction->ground ? 0 : theta);
    const double c = cos(angle), s = sin(angle);
    a[0] = friction->ratio * c * c + s * s;
    a[1] = (friction->ratio - 1) * c * s;
    a[2] = friction->ratio * s * s + c * c;
}

// limit of friction of a point that moves at `speed`
static double limit(const held* of, double speed)
{
    const double more = of->mu_s - of->mu_c;
    const double share = speed / of->of->law.v_s;
    return more > 0 ? of->mu_c + more * exp(-share * share) : of->mu_c;
}

// force over the normal force of point i, which moves at u
static void point_force(held* of, int i, const double u[2], double h, double f[2])
{
    const double g = limit(of, hypot(u[0], u[1]));
    double zx = of->z[0][i] + h * u[0], zy = of->z[1][i] + h * u[1];
    const double stretched = of->k * sqrt(zx * zx + zy * zy);
    if (stretched > g) {
        zx *= g / stretched;
        zy *= g / stretched;
    }
    of->z[0][i] = zx;
    of->z[1][i] = zy;
    double tx = of->k * zx + of->c * u[0], ty = of->k * zy + of->c * u[1];
    const double size = sqrt(tx * tx + ty * ty);
    const double cut = size > g ? g / size : 1;
    f[0] = -cut * tx - of->of->law.sigma2 * u[0];
    f[1] = -cut * ty - of->of->law.sigma2 * u[1];
}

// where a contact's frame is, how its patch is turned and stretched, and the velocity of its support
typedef struct placed {
    double origin[2], c, s, grown, support[2];
} placed;

static placed place(const held* of, const motion* now, double t, double fn)
{
    const contact* foot = of->of;
    placed out = {.c = 1, .s = 0, .grown = pow(fn, foot->patch.exponent)};
    const double along = wave_value(&foot->support, t), rate = wave_slope(&foot->support, t);
    for (int i = 0; i < 2; i++) {
        out.origin[i] = foot->at[i] + along * foot->direction[i] - now->x[i];
        out.support[i] = rate * foot->direction[i];
    }
    if (foot->in_body) {
        out.c = cos(now->x[2]);
        out.s = sin(now->x[2]);
        out.origin[0] = out.c * foot->at[0] - out.s * foot->at[1];
        out.origin[1] = out.s * foot->at[0] + out.c * foot->at[1];
    }
    return out;
}

// factor of the field on a point at r from the CoM, world axes
static double factor_at(const held* of, const motion* now, double rx, double ry)
{
    const field* map = &of->of->law.field;
    if (!map->is) {
        return 1;
    }
    const double c = cos(now->x[2]), s = sin(now->x[2]);
    return map->in_body ? field_factor(map, c * rx + s * ry, -s * rx + c * ry)
                        : field_factor(map, now->x[0] + rx, now->x[1] + ry);
}

static void contact_force(held* of, const motion* now, double t, double h, double turn,
                          double force[3])
{
    const double fn = wave_value(&of->of->normal, t);
    if (!(fn > 0)) {
        memset(of->z, 0, sizeof of->z);
        return;
    }
    const placed at = place(of, now, t, fn);
    const bool is_stretched = of->of->law.ratio != 1;
    double a[3] = {1, 0, 1};
    if (is_stretched) {
        stretch(of, now->x[2], a);
    }
    for (int i = 0; i < of->patch.count; i++) {
        const double px = at.grown * of->patch.x[i], py = at.grown * of->patch.y[i];
        const double rx = at.origin[0] + at.c * px - at.s * py;
        const double ry = at.origin[1] + at.s * px + at.c * py;
        const double vx = now->v[0] - now->v[2] * ry - at.support[0];
        const double vy = now->v[1] + now->v[2] * rx - at.support[1];
        const double u[2] = {a[0] * vx + a[1] * vy, a[1] * vx + a[2] * vy};
        double f[2];
        point_force(of, i, u, h, f);
        const double share = fn * of->of->count * of->patch.weight[i] * factor_at(of, now, rx, ry);
        const double straight[2] = {a[0] * f[0] + a[1] * f[1], a[1] * f[0] + a[2] * f[1]};
        const double fx = share * (straight[0] - turn * straight[1]);
        const double fy = share * (straight[1] + turn * straight[0]);
        force[0] += fx;
        force[1] += fy;
        force[2] += rx * fy - ry * fx;
    }
}

static void load_force(const scene* of, double t, double force[3])
{
    force[0] = of->mass * of->gravity[0];
    force[1] = of->mass * of->gravity[1];
    force[2] = 0;
    for (int i = 0; i < of->load_count; i++) {
        const double value = wave_value(&of->loads[i].wave, t);
        force[0] += value * of->loads[i].x;
        force[1] += value * of->loads[i].y;
        force[2] += value * of->loads[i].torque;
    }
}

// depth of a point (x, y) of the body's frame inside the body's outline, and its outward normal
static double outline_depth(const scene* of, double x, double y, double normal[2])
{
    if (of->radius > 0) {
        const double d = hypot(x, y);
        normal[0] = x / d;
        normal[1] = y / d;
        return of->radius - d;
    }
    const double dx = fabs(x) - of->size[0] / 2, dy = fabs(y) - of->size[1] / 2;
    if (dx > 0 && dy > 0) { // beside a corner
        normal[0] = copysign(dx, x) / hypot(dx, dy);
        normal[1] = copysign(dy, y) / hypot(dx, dy);
        return -hypot(dx, dy);
    }
    const bool on_x = dx > dy;
    normal[0] = on_x ? copysign(1, x) : 0;
    normal[1] = on_x ? 0 : copysign(1, y);
    return -fmax(dx, dy);
}

/*
 * The tip: a spring and a damper along the normal, and along the edge the impulse that stops the slip
 * within the step, at most mu times the normal one.
 */
static void pusher_force(const simulation* in, double t, double force[3])
{
    const pusher* tip = &in->of->pusher;
    const motion* now = &in->now;
    const double along = wave_value(&tip->wave, t), rate = wave_slope(&tip->wave, t);
    const double c = cos(now->x[2]), s = sin(now->x[2]);
    const double dx = tip->from[0] + along * tip->direction[0] - now->x[0];
    const double dy = tip->from[1] + along * tip->direction[1] - now->x[1];
    double n[2];
    const double depth = outline_depth(in->of, c * dx + s * dy, -s * dx + c * dy, n) + tip->radius;
    if (depth <= 0) {
        return;
    }
    const double nx = c * n[0] - s * n[1], ny = s * n[0] + c * n[1];
    const double rx = dx - nx * (tip->radius - depth / 2), ry = dy - ny * (tip->radius - depth / 2);
    const double ux = now->v[0] - now->v[2] * ry - rate * tip->direction[0];
    const double uy = now->v[1] + now->v[2] * rx - rate * tip->direction[1];
    // the outward normal points from the body to the tip: the body nears it at u.n
    const double rise = fmin(1, depth / (10e-6 / in->of->length_unit));
    const double fn = fmax(0, tip->stiffness * depth + rise * tip->damping * (ux * nx + uy * ny));
    const double slip = -ux * ny + uy * nx, arm = rx * nx + ry * ny;
    const double stop = slip / in->h / (1 / in->of->mass + arm * arm / in->of->inertia);
    const double ft = -copysign(fmin(fabs(stop), tip->mu * fn), slip);
    const double fx = -fn * nx - ft * ny, fy = -fn * ny + ft * nx;
    force[0] += fx;
    force[1] += fy;
    force[2] += rx * fy - ry * fx;
}

static void move(simulation* in, const double force[3])
{
    for (int i = 0; i < 3; i++) {
        const double dv = in->h * force[i] / (i < 2 ? in->of->mass : in->of->inertia);
        in->now.x[i] += in->h * (in->now.v[i] + dv / 2);
        in->now.v[i] += dv;
    }
}

static void advance(simulation* in, double t)
{
    double force[3];
    load_force(in->of, t + in->h / 2, force);
    for (int i = 0; i < in->of->contact_count; i++) {
        contact_force(&in->contacts[i], &in->now, t + in->h / 2, in->h, in->def.turn, force);
    }
    if (in->of->pusher.is) {
        pusher_force(in, t + in->h / 2, force);
    }
    move(in, force);
}

// whether a body starts at rest on supports at rest
static bool starts_at_rest(const scene* of)
{
    double speed = fabs(of->velocity[0]) + fabs(of->velocity[1]) + fabs(of->velocity[2]);
    for (int i = 0; i < of->contact_count; i++) {
        speed += fabs(wave_slope(&of->contacts[i].support, 0));
    }
    return !(speed > 0);
}

// springs that hold the loads of t = 0: these grow slowly, and a strong damping takes the vibrations
static void settle(simulation* in)
{
    enum { STEPS = 3000 };
    for (int step = 0; step < STEPS; step++) {
        double force[3];
        load_force(in->of, 0, force);
        for (int i = 0; i < 3; i++) {
            force[i] *= fmin(1, 1.5 * step / STEPS);
            in->now.v[i] *= 0.9;
        }
        for (int i = 0; i < in->of->contact_count; i++) {
            contact_force(&in->contacts[i], &in->now, 0, in->h, in->def.turn, force);
        }
        move(in, force);
    }
    memcpy(in->now.x, in->of->pose, sizeof in->now.x);
    memset(in->now.v, 0, sizeof in->now.v);
}

size_t oracle_run(const scene* of, const oracle_def* def, oracle_rows* rows)
{
    static simulation in; // large; the oracle runs in one thread
    in.of = of;
    in.def = *def;
    in.def.deflection /= of->length_unit;
    memcpy(in.now.x, of->pose, sizeof in.now.x);
    memcpy(in.now.v, of->velocity, sizeof in.now.v);
    for (int i = 0; i < of->contact_count; i++) {
        hold_contact(&in, i, (int)fmax(def->points / of->contact_count, 12));
    }
    const double every = of->duration / SCENE_ROWS;
    // a tip that slides along a corner has an error that falls with less than the step itself
    const double share = def->long_steps ? 0.3 : of->pusher.is ? 0.04 : 0.15;
    const int steps = (int)ceil(every / (share / sqrt(fastest(&in))));
    in.h = every / steps;
    if (starts_at_rest(of)) {
        settle(&in);
    }
    for (int row = 0; row <= SCENE_ROWS; row++) {
        memcpy(rows->at[row], in.now.x, sizeof in.now.x);
        memcpy(rows->at[row] + 3, in.now.v, sizeof in.now.v);
        for (int i = 0; i < steps && row < SCENE_ROWS; i++) {
            advance(&in, (row * steps + i) * in.h);
        }
    }
    return (size_t)steps * SCENE_ROWS;
}
