/*
 * The motion of a mechanism with friction: its rate, and the switching of memoryless laws.
 *
 *   slides:  M qdd = Q + A^T lambda + J^T F,  A qdd = b,  F against the slip     br_constrained_slide
 *   sticks:  the same with J qdd = -Jd qd in place of the contact's rows           br_constrained_hold
 *
 * Constraints are stabilised after Baumgarte: b - 2 a A qd - a^2 gap in place of b.
 */
#include "sim/mechanism_internal.h"

#include "math/vector.h"
#include "sim/run.h"

#include <float.h>

// Steps of difference quotients: of coordinates and velocities, of time [s], of the law's state in
// parts of its largest. A normal force near zero bends Dahl's rate within a small part of the first.
static const double state_step = 1e-6;
static const double dahl_state_step = 1e-8;
static const double time_step = 1e-6;
static const double law_step = 1e-5;

// --- terms ----------------------------------------------------------------------------------------

// b - 2 a A qd - a^2 gap; the point is held by the same rule. Forces of rows are those of b itself.
static void stabilise(mechanism_run* r, const double* qd)
{
    const br_mechanism* m = &r->def->mechanism;
    const br_mechanism_terms* x = &r->terms;
    const double a = r->is_row ? 0.0 : r->def->stabilisation;
    for (size_t i = 0; i < m->m; i++) {
        r->b[i] = x->b[i] - 2.0 * a * dot(x->A + i * m->n, qd, m->n) - a * a * x->gap[i];
    }
    for (size_t i = 0; i < m->d; i++) {
        const double away = r->direction == 0.0 && r->decided ? x->point[i] - r->held[i] : 0.0;
        r->bias[i] = x->bias[i] + 2.0 * a * dot(x->J + i * m->n, qd, m->n) + a * a * away;
    }
}

// Friction of the coordinates themselves, an applied force like others.
static void add_joints(mechanism_run* r, const double* y)
{
    const size_t n = r->joint_states;
    for (size_t i = 0; i < n; i++) {
        const br_law* law = &r->def->joints[i];
        const double v = y[n + i];
        br_law_value at = {law->sigma2 * v, 0.0};
        if (law->mu_c > 0.0) {
            at = br_law_eval(law, y[joint_index(r) + i], v, 1.0);
        }
        r->joint_force[i] = -at.f;
        r->joint_rate[i] = at.dz;
        r->terms.Q[i] += r->joint_force[i];
    }
}

void bri_mechanism_look(mechanism_run* r, double t, const double* y)
{
    const br_mechanism* m = &r->def->mechanism;
    const br_mechanism_at at = {t, r->within, y, y + m->n};
    br_mechanism_terms* x = &r->terms;
    memset(x->M, 0, terms_size(m) * sizeof *x->M);
    x->potential = x->power = 0.0;
    m->dynamics(&at, x, m->user);
    add_joints(r, y);
    m->constraint(&at, x, m->user);
    m->contact(&at, x, m->user);
    r->system.qd = at.qd;
    stabilise(r, at.qd);
}

void bri_mechanism_tangent(const mechanism_run* r, double* out)
{
    const double* n = r->terms.normal;
    if (r->def->mechanism.d == 2) {
        out[0] = n[1], out[1] = -n[0];
        return;
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = n[j] * n[3 + k] - n[k] * n[3 + j];
    }
    const double size = sqrt(dot(out, out, 3));
    for (int i = 0; i < 3; i++) {
        out[i] /= size;
    }
}

static void point_velocity(const mechanism_run* r, double* out)
{
    const br_mechanism* m = &r->def->mechanism;
    for (size_t i = 0; i < m->d; i++) {
        out[i] = dot(r->terms.J + i * m->n, r->system.qd, m->n);
    }
}

double bri_mechanism_slip(const mechanism_run* r)
{
    double v[3], along[3];
    point_velocity(r, v);
    bri_mechanism_tangent(r, along);
    return dot(v, along, r->def->mechanism.d);
}

// Take the part across the surface or wire out of a vector at the contact point.
static void keep_tangential(const mechanism_run* r, double* v)
{
    const br_mechanism* m = &r->def->mechanism;
    double along[3];
    if (m->normals + 1 == m->d) {
        bri_mechanism_tangent(r, along);
        const double part = dot(v, along, m->d);
        for (size_t i = 0; i < m->d; i++) {
            v[i] = part * along[i];
        }
        return;
    }
    const double part = dot(v, r->terms.normal, m->d);
    for (size_t i = 0; i < m->d; i++) {
        v[i] -= part * r->terms.normal[i];
    }
}

// --- start ----------------------------------------------------------------------------------------

// Where steady sliding at v (d) has a bristle, g(|v|)/sigma0 along v; slower than v_s it begins at 0. Dahl's
// has no damping that would jump, and begins at 0 as in H+.
static void begin_bristle(const br_law* law, size_t d, const double* v, double* z)
{
    const double speed = norm(v, d);
    if (law->kind != BR_LAW_DAHL && law->mu_c > 0.0 && speed > law->v_stribeck) {
        add(z, br_law_g(law, speed) / (law->sigma0 * speed), v, d);
    }
}

void bri_mechanism_begin_bristles(const mechanism_run* r, double* y)
{
    const br_mechanism* m = &r->def->mechanism;
    const double* qd = y + m->n;
    double v[3];
    point_velocity(r, v);
    keep_tangential(r, v);
    if (r->law_states > 0) {
        begin_bristle(&r->def->law, m->d, v, y + 2 * m->n);
    }
    for (size_t i = 0; i < r->joint_states; i++) {
        begin_bristle(&r->def->joints[i], 1, &qd[i], y + joint_index(r) + i);
    }
}

// --- forces ---------------------------------------------------------------------------------------

static br_resistance memoryless_resistance(const mechanism_run* r, double direction)
{
    br_resistance out = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double along[3];
    bri_mechanism_tangent(r, along);
    const double f = br_law_sliding(&r->def->law, bri_mechanism_slip(r), direction, 1.0, NULL);
    for (size_t i = 0; i < r->def->mechanism.d; i++) {
        out.per_normal[i] = -f * along[i];
    }
    return out;
}

static void slide(mechanism_run* r, const br_resistance* resistance, mechanism_forces* out)
{
    br_constrained_slide_value got;
    br_constrained_slide(&r->system, resistance, r->def->normal, r->work, &got);
    memcpy(out->qdd, got.qdd, r->system.n * sizeof *out->qdd);
    memcpy(out->friction, got.friction, sizeof out->friction);
    out->n = got.n;
    out->margin = got.margin;
    r->margin = isnan(got.margin) ? r->margin : got.margin; // a jammed step goes on from NaN
}

// The normal force that limits Dahl's, F <= mu |N|. At N = 0 the force is zero and its rate infinite:
// any motion wears it off at once. Below ten times what the tolerance of z can tell from nothing we
// let it last, as under that normal force; the two meet smoothly.
static double limiting_normal(const mechanism_run* r, double n)
{
    const br_law* law = &r->def->law;
    const double least =
        law->kind == BR_LAW_DAHL ? 10.0 * law->sigma0 * r->run->atol_z / law->mu_c : 0.0;
    return hypot(n, least);
}

static void slide_with_state(mechanism_run* r, const double* z, mechanism_forces* out)
{
    const br_mechanism_def* def = r->def;
    double v[3];
    point_velocity(r, v);
    keep_tangential(r, v);
    br_resistance resistance = br_point_law_eval(&def->law, def->mechanism.d, z, v);
    keep_tangential(r, resistance.per_normal);
    keep_tangential(r, resistance.fixed);
    slide(r, &resistance, out);
    br_point_law_rate(&def->law, def->dahl, def->mechanism.d, z, v, limiting_normal(r, out->n),
                      out->dz);
}

static double frictionless_normal(mechanism_run* r)
{
    const br_resistance none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    br_constrained_slide_value got;
    br_constrained_slide(&r->system, &none, BR_NORMAL_PAPER, r->work, &got);
    return got.n;
}

static void hold(mechanism_run* r, mechanism_forces* out)
{
    br_constrained_hold_value got;
    br_constrained_hold(&r->system, r->work, &got);
    memcpy(out->qdd, got.qdd, r->system.n * sizeof *out->qdd);
    memcpy(out->friction, got.friction, sizeof out->friction);
    out->n = r->def->normal == BR_NORMAL_PAPER ? frictionless_normal(r) : got.n;
    out->margin = 1.0;
}

void bri_mechanism_solve(mechanism_run* r, double t, const double* y, mechanism_forces* out)
{
    bri_mechanism_look(r, t, y);
    memset(out->dz, 0, sizeof out->dz);
    if (r->law_states > 0) {
        slide_with_state(r, y + 2 * r->system.n, out);
    } else if (r->direction != 0.0) {
        const br_resistance resistance = memoryless_resistance(r, r->direction);
        slide(r, &resistance, out);
    } else {
        hold(r, out);
    }
}

// --- rate and its derivatives ---------------------------------------------------------------------

static void rate(double t, const double* y, double* dy, void* user)
{
    mechanism_run* r = user;
    const size_t n = r->system.n, d = r->system.d;
    mechanism_forces f;
    bri_mechanism_solve(r, t, y, &f);
    double v[3];
    point_velocity(r, v);
    memcpy(dy, y + n, n * sizeof *dy);
    memcpy(dy + n, f.qdd, n * sizeof *dy);
    memcpy(dy + 2 * n, f.dz, r->law_states * sizeof *dy);
    memcpy(dy + joint_index(r), r->joint_rate, r->joint_states * sizeof *dy);
    dy[work_index(r)] = r->terms.power;
    dy[work_index(r) + 1] = dot(f.friction, v, d) + dot(r->joint_force, y + n, r->joint_states);
}

// How far to step in state i, under the normal force n; bristles are short.
static double step_of(const mechanism_run* r, const double* y, double n, size_t i)
{
    const br_law* law = &r->def->law;
    const int dahl = law->kind == BR_LAW_DAHL;
    if (i < 2 * r->system.n) {
        return (dahl ? dahl_state_step : state_step) * fmax(1.0, fabs(y[i]));
    }
    if (i >= joint_index(r)) {
        const br_law* joint = &r->def->joints[i - joint_index(r)];
        return law_step * fmax(joint->mu_c, 1e-9) / joint->sigma0;
    }
    return law_step * law->mu_c / law->sigma0 * (dahl ? limiting_normal(r, n) : 1.0);
}

// Mechanisms are told by their terms alone, so derivatives are central difference quotients; the
// works have no influence on anything.
static void jacobian(double t, const double* y, double* out, double* dfdt, void* user)
{
    mechanism_run* r = user;
    const size_t states = r->states;
    double *x = r->trial, *above = x + states, *below = above + states;
    mechanism_forces f;
    bri_mechanism_solve(r, t, y, &f);
    memset(out, 0, states * states * sizeof *out);
    memcpy(x, y, states * sizeof *x);
    for (size_t j = 0; j < work_index(r); j++) {
        const double h = step_of(r, y, f.n, j);
        x[j] = y[j] + h;
        rate(t, x, above, r);
        x[j] = y[j] - h;
        rate(t, x, below, r);
        x[j] = y[j];
        for (size_t i = 0; i < states; i++) {
            out[i * states + j] = (above[i] - below[i]) / (2.0 * h);
        }
    }
    rate(t + time_step, y, above, r);
    rate(t - time_step, y, below, r);
    for (size_t i = 0; i < states; i++) {
        dfdt[i] = (above[i] - below[i]) / (2.0 * time_step);
    }
}

// Time in which a bristle, bending as the contact moves, gets to the middle of its plastic band.
static double time_to_yield(const br_law* law, size_t d, const double* z, const double* v)
{
    const double speed = sqrt(dot(v, v, d));
    const double z_max = br_law_g(law, speed) / law->sigma0,
                 middle = 0.5 * (1.0 + law->s_ba) * z_max;
    const double along = speed > 0.0 ? dot(z, v, d) / speed : 0.0;
    const double across = dot(z, z, d) - along * along; // squared
    const double way = sqrt(fmax(middle * middle - across, 0.0)) - along;
    const int in_band = along >= law->s_ba * z_max || way <= 0.0;
    return in_band || speed == 0.0 ? HUGE_VAL : way / speed;
}

// Longest step that follows the profiles, and cannot pass over the plastic band of a bristle.
static double longest_step(double t, const double* y, void* user)
{
    mechanism_run* r = user;
    const br_mechanism* m = &r->def->mechanism;
    double longest = HUGE_VAL;
    for (int i = 0; i < BR_MECHANISM_PROFILES && m->profiles[i]; i++) {
        longest = fmin(longest, bri_profile_longest_step(m->profiles[i]));
    }
    if (r->def->law.kind == BR_LAW_ELASTO_PLASTIC) {
        double v[3];
        bri_mechanism_look(r, t, y);
        point_velocity(r, v);
        longest = fmin(longest, time_to_yield(&r->def->law, m->d, y + 2 * m->n, v));
    }
    for (size_t i = 0; i < r->joint_states; i++) {
        const br_law* joint = &r->def->joints[i];
        if (joint->kind == BR_LAW_ELASTO_PLASTIC && joint->mu_c > 0.0) {
            longest = fmin(longest, time_to_yield(joint, 1, y + joint_index(r) + i, y + m->n + i));
        }
    }
    return longest;
}

// --- stick and slip of memoryless laws ------------------------------------------------------------

double bri_mechanism_hold_margin(mechanism_run* r, br_constrained_hold_value* hold)
{
    const br_law* law = &r->def->law;
    br_constrained_hold(&r->system, r->work, hold);
    if (!hold->possible) {
        return -HUGE_VAL;
    }
    // the paper's rule is circular; read: what statics needs, against mu times the force of (19)
    const double holds = r->def->normal == BR_NORMAL_PAPER
                             ? law->mu_c * fabs(frictionless_normal(r))
                             : br_law_holding(law, fabs(hold->n));
    return holds - hold->tangential;
}

static double margin_at(mechanism_run* r, double t, const double* y)
{
    br_constrained_hold_value hold;
    bri_mechanism_look(r, t, y);
    return bri_mechanism_hold_margin(r, &hold);
}

// How fast the margin changes along the motion, up to a factor.
static double margin_trend(mechanism_run* r, double t, const double* y)
{
    double *x = r->trial, *dy = x + r->states;
    double margin[2];
    rate(t, y, dy, r);
    for (int side = 0; side < 2; side++) {
        const double h = side ? time_step : -time_step;
        for (size_t i = 0; i < r->states; i++) {
            x[i] = y[i] + h * dy[i];
        }
        margin[side] = margin_at(r, t + h, x);
    }
    return margin[1] - margin[0];
}

// Acceleration of the point along the tangent [m/s^2]; look first, with qdd of the same instant.
static double slip_acceleration(const mechanism_run* r, const double* qdd)
{
    const br_mechanism* m = &r->def->mechanism;
    double a[3], along[3];
    for (size_t i = 0; i < m->d; i++) {
        a[i] = dot(r->terms.J + i * m->n, qdd, m->n) + r->terms.bias[i];
    }
    bri_mechanism_tangent(r, along);
    return dot(a, along, m->d);
}

// A speed that rounding alone can give a point at rest [m/s].
static const double at_rest = 1e-13;

// g[0]: the mode ends where it becomes negative. The smallest number above zero lets a mode begin
// on its own end; a point that begins to slide is at rest up to rounding. g[1]: its rate; steps are cut at extremes of g[0], so that no dip is passed over.
static void event(double t, const double* y, double* g, void* user)
{
    mechanism_run* r = user;
    if (r->direction == 0.0) {
        g[0] = margin_at(r, t, y) + DBL_MIN;
        g[1] = margin_trend(r, t, y);
    } else {
        mechanism_forces f;
        bri_mechanism_solve(r, t, y, &f);
        g[0] = r->direction * bri_mechanism_slip(r) + at_rest;
        g[1] = slip_acceleration(r, f.qdd);
    }
}

// Take what is left of the point's velocity out of qd, and let the rest of the mechanism follow.
static void stop_point(mechanism_run* r, double* qd)
{
    const br_mechanism* m = &r->def->mechanism;
    double zero[BR_CONSTRAINED_MOST] = {0.0}, left[BR_CONSTRAINED_MOST], v[3];
    for (size_t i = 0; i < m->m; i++) {
        left[i] = -dot(r->terms.A + i * m->n, qd, m->n);
    }
    point_velocity(r, v);
    br_constrained system = r->system;
    system.Q = zero, system.b = left, system.bias = v;
    br_constrained_hold_value change;
    br_constrained_hold(&system, r->work, &change);
    for (size_t i = 0; i < m->n; i++) {
        qd[i] += change.qdd[i];
    }
}

// Which way a point goes that cannot be held: against the friction that statics would need; at a
// fold no friction helps, and the point goes where the mechanism takes it.
static double direction_from_rest(mechanism_run* r, double t, const double* y,
                                  const br_constrained_hold_value* hold)
{
    double along[3];
    bri_mechanism_tangent(r, along);
    if (hold->possible) {
        return dot(hold->friction, along, r->system.d) < 0.0 ? 1.0 : -1.0;
    }
    mechanism_forces f;
    r->direction = 1.0;
    bri_mechanism_solve(r, t, y, &f);
    return slip_acceleration(r, f.qdd) >= 0.0 ? 1.0 : -1.0;
}

static void tell(const mechanism_run* r, double t, double before,
                 const br_constrained_hold_value* hold)
{
    if (!r->decided || !r->watch->event || before == r->direction) {
        return;
    }
    const br_event_kind kind = r->direction == 0.0 ? BR_EVENT_STICK
                               : before == 0.0     ? BR_EVENT_SLIP
                               : hold->possible    ? BR_EVENT_REVERSE
                                                   : BR_EVENT_FOLD;
    r->watch->event(&(br_run_event){.t = t, .kind = kind}, r->watch->user);
}

void bri_mechanism_decide(mechanism_run* r, double t, double* y)
{
    const double before = r->direction;
    br_constrained_hold_value hold;
    bri_mechanism_look(r, t, y);
    const double margin = bri_mechanism_hold_margin(r, &hold);
    if (margin < 0.0) {
        r->direction = direction_from_rest(r, t, y, &hold);
    } else if (before != 0.0 || !r->decided) {
        r->direction = 0.0;
        stop_point(r, y + r->system.n);
        memcpy(r->held, r->terms.point, r->system.d * sizeof *r->held);
    }
    tell(r, t, before, &hold);
    r->decided = 1;
}

br_ode bri_mechanism_ode(mechanism_run* r)
{
    const int switches = r->law_states == 0;
    return (br_ode){.n = r->states,
                    .rate = rate,
                    .jacobian = jacobian,
                    .longest_step = longest_step,
                    .events = switches ? 2 : 0,
                    .event = switches ? event : NULL,
                    .user = r};
}
