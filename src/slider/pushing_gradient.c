/*
 * Derivatives of quasi-static pushing along a path: the sub-steps of pushing_step.c, differentiated forward.
 *
 * A sub-step maps the pose by contacts, pushes and motions. Each has its tangent here, the values come from the
 * sub-step itself (sub_step_trace). The twist v of a push is the solution of one of two problems, g = D'(v), H = D''(v),
 * c the contact from the centre of friction, u the velocity of the tip, n into the body:
 *
 *   sticks   v = (u, 0) + w k,  k = (c_y, -c_x, 1),  k.g = 0                                        (GP-1)
 *            dw = -(dk.g + k.(H ((du, 0) + w dk) + dg))/(k.H k)
 *   slides   g = lambda f,  f = (e, c x e),  e = n +- mu t,   q.v = u.n,  q = (n, c x n)                (GP-2)
 *            [H  -f] [dv     ]   [lambda df - dg       ]
 *            [q   0] [dlambda] = [d(u.n) - dq.v        ]
 *
 * dg is what factors on the friction change at the same twist: D(F v) has dg = dF g + H dF v at F = 1. H has v in its
 * null space, and the border makes the matrix regular, because f.v > 0 and q.v > 0.
 *
 * All tangents of a sub-step are linear in those of its inputs, so that 14 columns go through together.
 */
#include <string.h>

#include "math/lu.h"
#include "slider/pushing_internal.h"

enum { BY_C = 0, BY_N = 2, BY_U = 4, BY_MU = 6, BY_F = 7, PUSH_INPUTS = 10 };

// Derivatives of the twist of a push: rows vx, vy, w; columns c, n, u, mu, F.
typedef struct push_slopes {
    double by[3][PUSH_INPUTS];
} push_slopes;

// A contact's tangent.
typedef struct touch_change {
    double gap;
    br_vec2 point, inward;
} touch_change;

// One column: how the inputs of a sub-step and the pose change.
typedef struct column {
    br_pose pose;
    br_vec2 tip, delta;
    double mu, radius;
    br_vec2 centre;
    double factor[3];
} column;

static br_vec2 perpendicular(br_vec2 a)
{
    return (br_vec2){-a.y, a.x};
}

// R(angle) (a + turn perpendicular(a)) for tangents: d(R(angle) b) with db = a, d(angle) = turn
static br_vec2 rotate_change(br_vec2 b, br_vec2 db, double angle, double turn)
{
    return br_vec2_rotate(br_vec2_add(db, br_vec2_scale(turn, perpendicular(b))), angle);
}

// --- the twist of a push

static double dot3(const double* a, const double* b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void multiply(double m[3][3], const double* v, double* out)
{
    for (int i = 0; i < 3; i++) {
        out[i] = dot3(m[i], v);
    }
}

// What a push is at its solution.
typedef struct push_point {
    double v[3], g[3], hessian[3][3];
    br_vec2 c, n, u;
    double mu, side; // side 1: slides to the left
} push_point;

// dg at the same twist, for the factor i on the friction.
static void factor_change(push_point* at, int i, double* dg)
{
    for (int k = 0; k < 3; k++) {
        dg[k] = at->hessian[k][i] * at->v[i] + (k == i ? at->g[i] : 0.0);
    }
}

static void stick_slopes(push_point* at, push_slopes* out)
{
    const double k[3] = {at->c.y, -at->c.x, 1.0}, w = at->v[2];
    double hk[3];
    multiply(at->hessian, k, hk);
    const double bend = dot3(k, hk);
    // columns of ((du, 0) + w dk), of dk and of k.dg
    const double fixed[4][3] = {{0.0, -w, 0.0}, {w, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
    const double direct[4] = {-at->g[1], at->g[0], 0.0, 0.0};
    const int columns[4] = {BY_C, BY_C + 1, BY_U, BY_U + 1};
    for (int j = 0; j < 4; j++) {
        const double dw = -(direct[j] + dot3(hk, fixed[j])) / bend;
        for (int i = 0; i < 3; i++) {
            out->by[i][columns[j]] = fixed[j][i] + dw * k[i];
        }
    }
    for (int f = 0; f < 3; f++) {
        double dg[3];
        factor_change(at, f, dg);
        const double dw = -dot3(k, dg) / bend;
        for (int i = 0; i < 3; i++) {
            out->by[i][BY_F + f] = dw * k[i];
        }
    }
}

// The bordered matrix of a sliding tip, scaled so that its entries are of order 1: D H, torques and spins by
// `length`.
static int slide_matrix(push_point* at, const double* f, const double* q, double D, double length,
                        double matrix[16], size_t pivot[4])
{
    const double s[3] = {1.0, 1.0, length};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            matrix[4 * i + j] = D * at->hessian[i][j] / (s[i] * s[j]);
        }
        matrix[4 * i + 3] = -f[i] / s[i];
        matrix[12 + i] = q[i] / s[i];
    }
    matrix[15] = 0.0;
    return lu_factor(matrix, 4, pivot);
}

// Changes of the force's direction e, of c, n and u along one input.
typedef struct slide_change {
    br_vec2 c, n, u, e;
    double g[3];
} slide_change;

static slide_change slide_input(push_point* at, int j)
{
    slide_change d = {0};
    const br_vec2 t = perpendicular(at->n), unit = {j % 2 == 0, j % 2 == 1};
    if (j < BY_N) {
        d.c = unit;
    } else if (j < BY_U) {
        d.n = unit;
        d.e = br_vec2_add(unit, br_vec2_scale(at->side * at->mu, perpendicular(unit)));
    } else if (j < BY_MU) {
        d.u = unit;
    } else if (j == BY_MU) {
        d.e = br_vec2_scale(at->side, t);
    } else {
        factor_change(at, j - BY_F, d.g);
    }
    return d;
}

static void slide_slopes(push_point* at, double length, push_slopes* out)
{
    const br_vec2 e = br_vec2_add(at->n, br_vec2_scale(at->side * at->mu, perpendicular(at->n)));
    const double f[3] = {e.x, e.y, br_vec2_cross(at->c, e)};
    const double q[3] = {at->n.x, at->n.y, br_vec2_cross(at->c, at->n)};
    const double D = dot3(at->g, at->v), lambda = dot3(at->g, f) / dot3(f, f);
    const double s[3] = {1.0, 1.0, length};
    double matrix[16];
    size_t pivot[4];
    const int is_regular = slide_matrix(at, f, q, D, length, matrix, pivot);
    for (int j = 0; j < PUSH_INPUTS; j++) {
        const slide_change d = slide_input(at, j);
        const double df[3] = {d.e.x, d.e.y, br_vec2_cross(d.c, e) + br_vec2_cross(at->c, d.e)};
        const double dq[3] = {d.n.x, d.n.y, br_vec2_cross(d.c, at->n) + br_vec2_cross(at->c, d.n)};
        double b[4] = {0.0, 0.0, 0.0,
                       (br_vec2_dot(d.u, at->n) + br_vec2_dot(at->u, d.n) - dot3(dq, at->v)) / D};
        for (int i = 0; i < 3; i++) {
            b[i] = (lambda * df[i] - d.g[i]) / s[i];
        }
        if (is_regular) {
            lu_solve(matrix, 4, pivot, b);
        }
        for (int i = 0; i < 3; i++) {
            out->by[i][j] = is_regular ? b[i] * D / s[i] : (double)NAN;
        }
    }
}

// A length of the friction below: r of the surface or e_r of the ellipsoid, where it is not 0.
static double length_of(const br_pushing* p)
{
    const double r = p->surface ? br_limit_get_patch_value(p->surface).r : p->e_r;
    return r > 0.0 ? r : br_outline_get_radius(p->outline);
}

// Derivatives of the twist of a push at `point` with the normal `n` and the velocity `u` of the tip.
static void slopes_of(const br_pushing* p, const br_push* push, br_vec2 point, br_vec2 n, br_vec2 u,
                      push_slopes* out)
{
    memset(out, 0, sizeof *out);
    if (push->mode == BR_PUSH_BREAK) {
        return;
    }
    const br_twist v = push->twist;
    const br_wrench f = push->friction;
    push_point at = {.v = {v.vx, v.vy, v.w},
                     .g = {-f.fx, -f.fy, -f.tau},
                     .c = br_vec2_sub(point, br_pushing_get_centre(p)),
                     .n = n,
                     .u = u,
                     .mu = p->mu,
                     .side = push->mode == BR_PUSH_LEFT ? 1.0 : -1.0};
    bri_pushing_hessian(p, v, at.hessian);
    if (push->mode == BR_PUSH_STICK) {
        stick_slopes(&at, out);
    } else {
        slide_slopes(&at, length_of(p), out);
    }
}

static br_twist twist_change(const push_slopes* s, const double* inputs)
{
    double v[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < PUSH_INPUTS; j++) {
            v[i] += inputs[j] != 0.0 ? s->by[i][j] * inputs[j] : 0.0;
        }
    }
    return (br_twist){v[0], v[1], v[2]};
}

// --- contacts

// How contact point and normal follow a tip that moves by a unit along the tangent.
typedef struct curvature {
    double point, normal;
    int is_corner;
} curvature;

static curvature curvature_at(const br_pushing* p, const tip_touch* at, br_vec2 tip)
{
    const double distance = at->gap + p->radius;
    size_t count;
    const br_vec2* vertices = br_outline_get_vertices(p->outline, &count);
    if (count == 0 || at->edge == PUSHING_ENCLOSING) {
        const double radius = br_outline_get_radius(p->outline), all = distance + radius;
        return (curvature){radius / all, 1.0 / all, 0};
    }
    const br_vec2 a = vertices[at->edge], b = vertices[at->edge + 1 < count ? at->edge + 1 : 0];
    const br_vec2 side = br_vec2_sub(b, a);
    const double along = br_vec2_dot(br_vec2_sub(tip, a), side) / br_vec2_dot(side, side);
    const int is_edge = along > 0.0 && along < 1.0;
    return is_edge ? (curvature){1.0, 0.0, 0} : (curvature){0.0, 1.0 / distance, 1};
}

static br_vec2 tip_in_body(br_pose pose, br_vec2 tip)
{
    return br_vec2_rotate((br_vec2){tip.x - pose.x, tip.y - pose.y}, -pose.theta);
}

// Tangent of tip_in_body().
static br_vec2 tip_change(br_pose pose, br_vec2 tip, br_pose dpose, br_vec2 dtip)
{
    const br_vec2 away = {tip.x - pose.x, tip.y - pose.y};
    const br_vec2 daway = {dtip.x - dpose.x, dtip.y - dpose.y};
    return rotate_change(away, daway, -pose.theta, -dpose.theta);
}

// Tangent of a contact for a tip that moves by dx in the body frame.
static touch_change touch_tangent(const tip_touch* at, curvature bend, br_vec2 dx, double dradius)
{
    const br_vec2 t = perpendicular(at->inward);
    const double along = br_vec2_dot(t, dx);
    const double turn = along != 0.0 ? bend.normal * along : 0.0;
    return (touch_change){-br_vec2_dot(at->inward, dx) - dradius,
                          br_vec2_scale(bend.point * along, t), br_vec2_scale(-turn, t)};
}

// --- motions and pushes

// Tangent of bri_pushing_moved().
static br_pose moved_change(const br_pushing* p, br_pose pose, br_twist v, double share,
                            const column* d, br_twist dv)
{
    const br_vec2 c = br_pushing_get_centre(p);
    const double half = 0.5 * share * v.w, dhalf = 0.5 * share * dv.w;
    const int is_small = fabs(half) < 1e-4; // where the quotients lose digits: series
    const double chord = is_small ? 1.0 - half * half / 6.0 : sin(half) / half;
    const double slope = is_small ? -half / 3.0 : (cos(half) - chord) / half;
    const br_vec2 displacement = {share * chord * v.vx, share * chord * v.vy};
    const br_vec2 ddisplacement = {share * (chord * dv.vx + slope * dhalf * v.vx),
                                   share * (chord * dv.vy + slope * dhalf * v.vy)};
    const double theta = pose.theta, dtheta = d->pose.theta, angle = theta + 2.0 * half;
    const br_vec2 before = rotate_change(c, d->centre, theta, dtheta);
    const br_vec2 motion = rotate_change(displacement, ddisplacement, theta + half, dtheta + dhalf);
    const br_vec2 after = rotate_change(c, d->centre, angle, dtheta + 2.0 * dhalf);
    return (br_pose){d->pose.x + before.x + motion.x - after.x,
                     d->pose.y + before.y + motion.y - after.y, dtheta + 2.0 * dhalf};
}

// The velocity of the contact point in a sub-step, body frame, as push_by() has it.
static br_vec2 push_velocity(double theta, const tip_touch* at, br_vec2 delta, double gap)
{
    return br_vec2_sub(br_vec2_rotate(delta, -theta), br_vec2_scale(gap, at->inward));
}

// Tangent of the twist of push_by().
static br_twist push_change(const push_slopes* slopes, double theta, double dtheta, br_vec2 delta,
                            br_vec2 ddelta, const tip_touch* at, const touch_change* dat,
                            double gap, double dgap, const column* d)
{
    const br_vec2 turned = rotate_change(delta, ddelta, -theta, -dtheta);
    const double inputs[PUSH_INPUTS] = {dat->point.x - d->centre.x,
                                        dat->point.y - d->centre.y,
                                        dat->inward.x,
                                        dat->inward.y,
                                        turned.x - dgap * at->inward.x - gap * dat->inward.x,
                                        turned.y - dgap * at->inward.y - gap * dat->inward.y,
                                        d->mu,
                                        d->factor[0],
                                        d->factor[1],
                                        d->factor[2]};
    return twist_change(slopes, inputs);
}

// --- a tip between two contacts

// Tangent of closing_both(): n_a.x = gap_a, n_b.x = gap_b.
static br_vec2 closing_change(const br_pushing* p, const tip_touch* contacts[2],
                              const touch_change* changes, br_vec2 tip, br_vec2 dtip,
                              double dradius, br_vec2* closing)
{
    double matrix[4], x[2], dx[2];
    size_t pivot[2];
    for (int i = 0; i < 2; i++) {
        const br_vec2 n = contacts[i]->inward, away = br_vec2_sub(contacts[i]->point, tip);
        matrix[2 * i] = n.x;
        matrix[2 * i + 1] = n.y;
        x[i] = br_vec2_dot(away, n) - p->radius;
        dx[i] = br_vec2_dot(br_vec2_sub(changes[i].point, dtip), n) +
                br_vec2_dot(away, changes[i].inward) - dradius;
    }
    lu_factor(matrix, 2, pivot);
    lu_solve(matrix, 2, pivot, x);
    for (int i = 0; i < 2; i++) {
        dx[i] -= changes[i].inward.x * x[0] + changes[i].inward.y * x[1];
    }
    lu_solve(matrix, 2, pivot, dx);
    *closing = (br_vec2){x[0], x[1]};
    return (br_vec2){dx[0], dx[1]};
}

// The spin of a sticking tip at `theta` and its tangent; `d` has the changes of centre and factors.
static double spin_change(const br_pushing* p, br_vec2 point, br_vec2 dpoint, br_vec2 velocity,
                          br_vec2 dvelocity, double theta, double dtheta, const column* d,
                          double* spin)
{
    const br_vec2 u = br_vec2_rotate(velocity, -theta);
    const br_vec2 du = rotate_change(velocity, dvelocity, -theta, -dtheta);
    const br_push push = br_pushing_stick_eval(p, point, u);
    push_slopes slopes;
    slopes_of(p, &push, point, (br_vec2){1.0, 0.0}, u, &slopes);
    const double inputs[PUSH_INPUTS] = {
        dpoint.x - d->centre.x, dpoint.y - d->centre.y, 0.0,         0.0, du.x, du.y, 0.0,
        d->factor[0],           d->factor[1],           d->factor[2]};
    *spin = push.twist.w;
    return twist_change(&slopes, inputs).w;
}

// Tangent of br_pushing_stick_step() with h = 1: the same Runge-Kutta method.
static br_pose stick_step_change(const br_pushing* p, br_pose pose, br_vec2 point, br_vec2 dpoint,
                                 br_vec2 velocity, br_vec2 dvelocity, const column* d)
{
    static const double nodes[4] = {0.0, 0.5, 0.5, 1.0}, weights[4] = {1.0, 2.0, 2.0, 1.0};
    const int steps = bri_pushing_stick_steps(p, point, velocity, 1.0);
    const double dt = 1.0 / steps;
    double theta = pose.theta, dtheta = d->pose.theta;
    for (int i = 0; i < steps; i++) {
        double k = 0.0, dk = 0.0, sum = 0.0, dsum = 0.0;
        for (int stage = 0; stage < 4; stage++) {
            const double step = nodes[stage] * dt;
            dk = spin_change(p, point, dpoint, velocity, dvelocity, theta + step * k,
                             dtheta + step * dk, d, &k);
            sum += weights[stage] * k;
            dsum += weights[stage] * dk;
        }
        theta += dt * sum / 6.0;
        dtheta += dt * dsum / 6.0;
    }
    const br_vec2 start = rotate_change(point, dpoint, pose.theta, d->pose.theta);
    const br_vec2 end = rotate_change(point, dpoint, theta, dtheta);
    return (br_pose){d->pose.x + start.x + dvelocity.x - end.x,
                     d->pose.y + start.y + dvelocity.y - end.y, dtheta};
}

// Tangent of push_both().
static br_pose both_change(const br_pushing* p, br_pose pose, br_vec2 from, br_vec2 delta,
                           const sub_step_trace* t, const touch_change* dmid,
                           const touch_change* dend, const column* d)
{
    const br_vec2 tip = tip_in_body(pose, from), dtip = tip_change(pose, from, d->pose, d->tip);
    const tip_touch* contacts[2] = {&t->mid, &t->end};
    const touch_change changes[2] = {*dmid, *dend};
    br_vec2 closing;
    const br_vec2 dclosing = closing_change(p, contacts, changes, tip, dtip, d->radius, &closing);
    const br_vec2 velocity = br_vec2_sub(delta, br_vec2_rotate(closing, pose.theta));
    const br_vec2 dvelocity =
        br_vec2_sub(d->delta, rotate_change(closing, dclosing, pose.theta, d->pose.theta));
    return stick_step_change(p, pose, tip, dtip, velocity, dvelocity, d);
}

// --- sub-steps

// What all columns of a sub-step share.
typedef struct sub_step_slopes {
    push_slopes first, push;
    curvature start, mid, end;
    br_pose pushed;
} sub_step_slopes;

static void prepare(const br_pushing* p, br_pose pose, br_vec2 from, br_vec2 delta,
                    const sub_step_trace* t, sub_step_slopes* s)
{
    const br_vec2 halfway = br_vec2_add(from, br_vec2_scale(0.5, delta));
    const double gap = t->start.gap;
    slopes_of(p, &t->first, t->start.point, t->start.inward,
              push_velocity(pose.theta, &t->start, delta, gap), &s->first);
    slopes_of(p, &t->push, t->mid.point, t->mid.inward,
              push_velocity(t->middle.theta, &t->mid, delta, gap), &s->push);
    s->pushed = bri_pushing_moved(p, pose, t->push.twist, 1.0);
    const br_vec2 to = br_vec2_add(from, delta);
    s->start = curvature_at(p, &t->start, tip_in_body(pose, from));
    s->mid = curvature_at(p, &t->mid, tip_in_body(t->middle, halfway));
    s->end = curvature_at(p, &t->end, tip_in_body(s->pushed, to));
}

// One column through a sub-step in contact; `d` gets the change of the new pose.
static void advance_column(const br_pushing* p, br_pose pose, br_vec2 from, br_vec2 delta,
                           const sub_step_trace* t, const sub_step_slopes* s, column* d)
{
    const double gap = t->start.gap;
    const br_vec2 dx = tip_change(pose, from, d->pose, d->tip);
    const touch_change dstart = touch_tangent(&t->start, s->start, dx, d->radius);
    const br_twist dfirst = push_change(&s->first, pose.theta, d->pose.theta, delta, d->delta,
                                        &t->start, &dstart, gap, dstart.gap, d);
    const br_pose dmiddle = moved_change(p, pose, t->first.twist, 0.5, d, dfirst);
    const br_vec2 halfway = br_vec2_add(from, br_vec2_scale(0.5, delta));
    const br_vec2 dhalfway = br_vec2_add(d->tip, br_vec2_scale(0.5, d->delta));
    const touch_change dmid = touch_tangent(
        &t->mid, s->mid, tip_change(t->middle, halfway, dmiddle, dhalfway), d->radius);
    const br_twist dpush = push_change(&s->push, t->middle.theta, dmiddle.theta, delta, d->delta,
                                       &t->mid, &dmid, gap, dstart.gap, d);
    const br_pose dpushed = moved_change(p, pose, t->push.twist, 1.0, d, dpush);
    if (t->kind == SUB_STEP_BOTH) {
        const br_vec2 to = br_vec2_add(from, delta), dto = br_vec2_add(d->tip, d->delta);
        const touch_change dend =
            touch_tangent(&t->end, s->end, tip_change(s->pushed, to, dpushed, dto), d->radius);
        d->pose = both_change(p, pose, from, delta, t, &dmid, &dend, d);
    } else {
        d->pose = dpushed;
    }
}

// Tangent of a motion along the normal, -gap n.
static br_twist shift_change(const tip_touch* at, const touch_change* dat)
{
    return (br_twist){-dat->gap * at->inward.x - at->gap * dat->inward.x,
                      -dat->gap * at->inward.y - at->gap * dat->inward.y, 0.0};
}

// Tangents of bri_pushing_separate(): `advance` is how far the tip is on its line, in sub-steps.
static void separate(const br_pushing* p, br_pose* pose, br_vec2 tip, double advance, column* d)
{
    tip_touch at;
    br_push push;
    for (int round = 0; round < PUSHING_MAX_ROUNDS; round++) {
        const br_pose before = *pose;
        if (!bri_pushing_separate_once(p, pose, tip, round, &at, &push)) {
            return;
        }
        push_slopes slopes;
        const br_vec2 none = {0.0, 0.0};
        slopes_of(p, &push, at.point, at.inward, push_velocity(before.theta, &at, none, at.gap),
                  &slopes);
        const curvature bend = curvature_at(p, &at, tip_in_body(before, tip));
        for (int j = 0; j < BR_PUSHING_BY_COUNT; j++) {
            const br_vec2 dtip = br_vec2_add(d[j].tip, br_vec2_scale(advance, d[j].delta));
            const touch_change dat =
                touch_tangent(&at, bend, tip_change(before, tip, d[j].pose, dtip), d[j].radius);
            const br_twist dv = push.mode == BR_PUSH_BREAK
                                    ? shift_change(&at, &dat)
                                    : push_change(&slopes, before.theta, d[j].pose.theta, none,
                                                  none, &at, &dat, at.gap, dat.gap, d + j);
            d[j].pose = moved_change(p, before, push.twist, 1.0, d + j, dv);
        }
    }
}

// One sub-step of all columns, whose `tip` is that at its start.
static br_push sub_step(const br_pushing* p, br_pose* pose, br_vec2 from, br_vec2 delta,
                        bool is_last, column* d, br_pushing_gradient* out)
{
    sub_step_trace t;
    sub_step_slopes s;
    const br_pose before = *pose;
    const br_push push = bri_pushing_sub_step(p, pose, from, delta, is_last, &t);
    if (t.kind == SUB_STEP_APART) {
        return push;
    }
    prepare(p, before, from, delta, &t, &s);
    for (int j = 0; j < BR_PUSHING_BY_COUNT; j++) {
        advance_column(p, before, from, delta, &t, &s, d + j);
    }
    if (t.kind == SUB_STEP_SEPARATED) {
        br_pose again = s.pushed;
        separate(p, &again, br_vec2_add(from, delta), 1.0, d);
    }
    out->changes += t.first.mode != t.push.mode || s.start.is_corner != s.mid.is_corner ||
                    (t.start.edge != t.mid.edge && !s.start.is_corner);
    out->corners += t.kind != SUB_STEP_PUSHED;
    return push;
}

// --- lines

// Unit changes of all inputs of a line of `steps` sub-steps.
static void start_columns(int steps, column* d)
{
    memset(d, 0, BR_PUSHING_BY_COUNT * sizeof *d);
    const double share = 1.0 / steps;
    d[BR_PUSHING_BY_X].pose.x = d[BR_PUSHING_BY_Y].pose.y = d[BR_PUSHING_BY_THETA].pose.theta = 1.0;
    d[BR_PUSHING_BY_FROM_X].tip.x = d[BR_PUSHING_BY_FROM_Y].tip.y = 1.0;
    d[BR_PUSHING_BY_FROM_X].delta.x = d[BR_PUSHING_BY_FROM_Y].delta.y = -share;
    d[BR_PUSHING_BY_TO_X].delta.x = d[BR_PUSHING_BY_TO_Y].delta.y = share;
    d[BR_PUSHING_BY_MU].mu = 1.0;
    d[BR_PUSHING_BY_RADIUS].radius = 1.0;
    d[BR_PUSHING_BY_CENTRE_X].centre.x = d[BR_PUSHING_BY_CENTRE_Y].centre.y = 1.0;
    for (int i = 0; i < 3; i++) {
        d[BR_PUSHING_BY_FORCE_X + i].factor[i] = 1.0;
    }
}

br_push br_pushing_step_gradient(const br_pushing* p, br_pose* pose, br_vec2 from, br_vec2 to,
                                 br_pushing_gradient* out)
{
    BR_ASSERT(p && p->outline && pose && out);
    const br_vec2 displacement = br_vec2_sub(to, from);
    const int steps = bri_pushing_sub_steps(p, displacement);
    const br_vec2 delta = br_vec2_scale(1.0 / steps, displacement);
    br_push push = {.mode = BR_PUSH_BREAK};
    br_push_mode before = BR_PUSH_BREAK;
    column d[BR_PUSHING_BY_COUNT];
    start_columns(steps, d);
    *out = (br_pushing_gradient){.changes = 0};
    separate(p, pose, from, 0.0, d);
    for (int i = 0; i < steps; i++) {
        const br_vec2 tip = br_vec2_add(from, br_vec2_scale(i, delta));
        push = sub_step(p, pose, tip, delta, i + 1 == steps, d, out);
        out->changes += before != BR_PUSH_BREAK && push.mode != before;
        before = push.mode;
        for (int j = 0; j < BR_PUSHING_BY_COUNT; j++) {
            d[j].tip = br_vec2_add(d[j].tip, d[j].delta);
        }
    }
    for (int j = 0; j < BR_PUSHING_BY_COUNT; j++) {
        out->by[0][j] = d[j].pose.x;
        out->by[1][j] = d[j].pose.y;
        out->by[2][j] = d[j].pose.theta;
    }
    return bri_pushing_per_line(push, steps);
}

// --- paths

// J^T of one line: adds what the pose after it gives.
static void gather(const br_pushing_gradient* line, const double* pose_bar, double* bar)
{
    for (int j = 0; j < BR_PUSHING_BY_COUNT; j++) {
        bar[j] = 0.0;
        for (int i = 0; i < 3; i++) {
            bar[j] += line->by[i][j] * pose_bar[i];
        }
    }
}

static void add_parameters(const double* bar, br_pushing_adjoint* out)
{
    out->mu += bar[BR_PUSHING_BY_MU];
    out->radius += bar[BR_PUSHING_BY_RADIUS];
    for (int i = 0; i < 2; i++) {
        out->centre[i] += bar[BR_PUSHING_BY_CENTRE_X + i];
    }
    for (int i = 0; i < 3; i++) {
        out->factors[i] += bar[BR_PUSHING_BY_FORCE_X + i];
    }
}

void br_pushing_path_vjp(size_t steps, const br_pushing_gradient* gradients,
                         const br_pose* poses_bar, br_vec2* tips, br_pushing_adjoint* out)
{
    BR_ASSERT((gradients || steps == 0) && poses_bar && out);
    *out = (br_pushing_adjoint){.mu = 0.0};
    double now[3] = {poses_bar[steps].x, poses_bar[steps].y, poses_bar[steps].theta};
    br_vec2 next = {0.0, 0.0}; // what the line after gives its start
    for (size_t k = steps; k-- > 0;) {
        double bar[BR_PUSHING_BY_COUNT];
        gather(gradients + k, now, bar);
        add_parameters(bar, out);
        if (tips) {
            tips[k + 1] =
                (br_vec2){next.x + bar[BR_PUSHING_BY_TO_X], next.y + bar[BR_PUSHING_BY_TO_Y]};
        }
        next = (br_vec2){bar[BR_PUSHING_BY_FROM_X], bar[BR_PUSHING_BY_FROM_Y]};
        now[0] = bar[0] + poses_bar[k].x;
        now[1] = bar[1] + poses_bar[k].y;
        now[2] = bar[2] + poses_bar[k].theta;
    }
    if (tips) {
        tips[0] = next;
    }
    memcpy(out->pose, now, sizeof now);
}

void br_pushing_path_jvp(size_t steps, const br_pushing_gradient* gradients,
                         const br_pushing_adjoint* change, const br_vec2* tips, br_pose* poses)
{
    BR_ASSERT((gradients || steps == 0) && change && poses);
    poses[0] = (br_pose){change->pose[0], change->pose[1], change->pose[2]};
    for (size_t k = 0; k < steps; k++) {
        const br_vec2 none = {0.0, 0.0}, from = tips ? tips[k] : none,
                      to = tips ? tips[k + 1] : none;
        const double in[BR_PUSHING_BY_COUNT] = {poses[k].x,
                                                poses[k].y,
                                                poses[k].theta,
                                                from.x,
                                                from.y,
                                                to.x,
                                                to.y,
                                                change->mu,
                                                change->radius,
                                                change->centre[0],
                                                change->centre[1],
                                                change->factors[0],
                                                change->factors[1],
                                                change->factors[2]};
        double after[3] = {0.0, 0.0, 0.0};
        for (int ij = 0; ij < 3 * BR_PUSHING_BY_COUNT; ij++) {
            const int i = ij / BR_PUSHING_BY_COUNT, j = ij % BR_PUSHING_BY_COUNT;
            after[i] += in[j] != 0.0 ? gradients[k].by[i][j] * in[j] : 0.0;
        }
        poses[k + 1] = (br_pose){after[0], after[1], after[2]};
    }
}
