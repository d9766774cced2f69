/*
 * Motion of a mechanism with friction: its rate, and the stick-slip switching of memoryless laws.
 *
 *   slides:  M qdd = Q + A^T lambda + J^T F,  A qdd = b,  F against the slip     br_constrained_slide
 *   sticks:  the same with J qdd = a_s - Jd qd in place of the contact's rows      br_constrained_hold
 *
 * The slip is J qd - v_s, tangential; v_s and a_s are velocity and acceleration of the surface. Along the normals
 * the surface moves with the constraint: A qd = -d(gap)/dt, H+ (2). Constraints are stabilised after
 * Baumgarte: b - 2 a (A qd + d(gap)/dt) - a^2 gap in place of b.
 */
#include "sim/mechanism_internal.h"

#include "law/law_internal.h"
#include "math/vector.h"
#include "sim/run.h"

#include <float.h>

// Steps of difference quotients: of coordinates and velocities, of time [s], of the law's state relative
// to its maximum. Dahl's law needs a shorter first one: its rate is nonlinear near zero normal force.
static const double state_step = 1e-6;
static const double dahl_state_step = 1e-8;
static const double time_step = 1e-6;
static const double law_step = 1e-5;

// --- terms ----------------------------------------------------------------------------------------

// Row i of A is s normal_i J: the factor s; 0 where normal_i J is 0.
static double row_factor(const mechanism_run* r, size_t row)
{
    const br_mechanism* m = &r->def->mechanism;
    double along[BR_CONSTRAINED_MOST] = {0.0};
    add_transposed(r->terms.J, r->terms.normal + row * m->d, m->d, m->n, along);
    const double size = dot(along, along, m->n);
    return size > 0.0 ? dot(r->terms.A + row * m->n, along, m->n) / size : 0.0;
}

// The vector x at the contact point, in the span of the normals, for which the contact's rows of A have the values
// `wanted` (m): s_i normal_i x = wanted_i.
static void across_surface(const mechanism_run* r, const double* wanted, double* x)
{
    const br_mechanism* m = &r->def->mechanism;
    const double* normal = r->terms.normal;
    double part[2] = {0.0, 0.0};
    for (size_t i = 0; i < m->normals; i++) {
        const double factor = row_factor(r, i);
        // wanted has a value for each row, the contact's are the first
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
        part[i] = factor != 0.0 ? wanted[i] / factor : 0.0;
    }
    memset(x, 0, 3 * sizeof *x);
    if (m->normals == 1) {
        add(x, part[0], normal, m->d);
        return;
    }
    const double c = dot(normal, normal + 3, 3), gram = 1.0 - c * c;
    add(x, (part[0] - c * part[1]) / gram, normal, 3);
    add(x, (part[1] - c * part[0]) / gram, normal + 3, 3);
}

// Set the bias of a held point, used instead of Jd qd: along the tangent it follows the surface, stabilised; along the
// normals it follows the rows of A.
static void hold_bias(mechanism_run* r, double a, double slipped)
{
    const br_mechanism* m = &r->def->mechanism;
    const br_mechanism_terms* x = &r->terms;
    double along[3], across[3], tangential = a * a * slipped + 2.0 * a * bri_mechanism_slip(r);
    bri_mechanism_tangent(r, along);
    across_surface(r, r->b, across);
    for (size_t i = 0; i < m->d; i++) {
        tangential += (x->bias[i] - x->surface_acceleration[i]) * along[i];
    }
    for (size_t i = 0; i < m->d; i++) {
        r->bias[i] = tangential * along[i] - across[i];
    }
}

// b - 2 a (A qd + d(gap)/dt) - a^2 gap; a held point is stabilised alike. Output rows use b itself.
static void stabilise(mechanism_run* r, const double* y)
{
    const br_mechanism* m = &r->def->mechanism;
    const br_mechanism_terms* x = &r->terms;
    const double a = r->is_row ? 0.0 : r->def->stabilisation;
    for (size_t i = 0; i < m->m; i++) {
        const double closing = dot(x->A + i * m->n, y + m->n, m->n) + x->rate[i];
        r->b[i] = x->b[i] - 2.0 * a * closing - a * a * x->gap[i];
    }
    if (r->hold_states > 0) {
        hold_bias(r, a, r->direction == 0.0 && r->decided ? y[hold_index(r)] : 0.0);
    }
}

// Add the friction of the joints to the applied forces.
static void add_joints(mechanism_run* r, const double* y)
{
    const size_t n = r->joint_states;
    for (size_t i = 0; i < n; i++) {
        const br_law* law = &r->def->joints[i];
        const double v = y[n + i];
        br_law_value at = {br_law_f_v(law, v, NULL), 0.0};
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
    stabilise(r, y);
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

// Velocity of the contact point minus that of the surface; only its tangential part is meaningful.
static void relative_velocity(const mechanism_run* r, double* out)
{
    const br_mechanism* m = &r->def->mechanism;
    for (size_t i = 0; i < m->d; i++) {
        out[i] = dot(r->terms.J + i * m->n, r->system.qd, m->n) - r->terms.surface_velocity[i];
    }
}

double bri_mechanism_slip(const mechanism_run* r)
{
    double v[3] = {0.0}, along[3] = {0.0};
    relative_velocity(r, v);
    bri_mechanism_tangent(r, along);
    return dot(v, along, r->def->mechanism.d);
}

// Remove the normal part of a vector at the contact point.
static void keep_tangential(const mechanism_run* r, double* v)
{
    const br_mechanism* m = &r->def->mechanism;
    double along[3] = {0.0};
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

// The tangential velocity for the friction law (law_states): a number along the tangent, or a vector.
static void law_velocity(const mechanism_run* r, double* v)
{
    if (r->law_states == 1) {
        v[0] = bri_mechanism_slip(r);
        return;
    }
    relative_velocity(r, v);
    keep_tangential(r, v);
}

// Convert a force of the law (law_states) to a force at the contact point (d).
static void to_point(const mechanism_run* r, double* force)
{
    if (r->law_states > 1) {
        keep_tangential(r, force);
        return;
    }
    const double size = force[0];
    bri_mechanism_tangent(r, force);
    for (size_t i = 0; i < r->system.d; i++) {
        force[i] *= size;
    }
}

// --- start ----------------------------------------------------------------------------------------

// Deflection of steady sliding at v (d), g(|v|)/sigma0 along v; slower than v_s the bristle starts at 0. Dahl's
// law has no damping that would jump, and starts at 0 as in H+.
static void start_bristle(const br_law* law, size_t d, const double* v, double* z)
{
    const double speed = norm(v, d);
    if (law->kind != BR_LAW_DAHL && law->mu_c > 0.0 && speed > law_rest_speed(law)) {
        add(z, br_law_g(law, speed) / (law->sigma0 * speed), v, d);
    }
}

void bri_mechanism_start_bristles(const mechanism_run* r, double* y)
{
    const br_mechanism* m = &r->def->mechanism;
    const double* qd = y + m->n;
    double v[3];
    if (r->law_states > 0) {
        law_velocity(r, v);
        start_bristle(&r->def->law, r->law_states, v, y + 2 * m->n);
    }
    for (size_t i = 0; i < r->joint_states; i++) {
        start_bristle(&r->def->joints[i], 1, &qd[i], y + joint_index(r) + i);
    }
}

// --- forces ---------------------------------------------------------------------------------------

static br_resistance memoryless_resistance(const mechanism_run* r, double direction)
{
    br_resistance out = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double along[3] = {0.0};
    bri_mechanism_tangent(r, along);
    const double f = br_law_sliding(&r->def->law, bri_mechanism_slip(r), direction, 1.0, NULL);
    for (size_t i = 0; i < r->def->mechanism.d; i++) {
        out.per_normal[i] = -f * along[i];
    }
    return out;
}

// Power of the constraints: lambda^T A qd = -lambda^T d(gap)/dt.
static double constraint_power(const mechanism_run* r, const double* lambda)
{
    return -dot(lambda, r->terms.rate, r->system.m);
}

static void slide(mechanism_run* r, const br_resistance* resistance, mechanism_forces* out)
{
    br_constrained_slide_value got;
    br_constrained_slide(&r->system, resistance, r->def->normal, r->work, &got);
    memcpy(out->qdd, got.qdd, r->system.n * sizeof *out->qdd);
    memcpy(out->friction, got.friction, sizeof out->friction);
    out->n = got.n;
    out->power = constraint_power(r, got.lambda);
    out->margin = got.margin;
    r->margin = isnan(got.margin) ? r->margin : got.margin; // a jammed step gives NaN
}

// The normal force that limits Dahl's friction, F <= mu |N|. At N = 0 friction is zero and decays at an
// infinite rate. So we bound N smoothly from below, by ten times the normal force whose limit is within
// the tolerance of z.
static double limiting_normal(const mechanism_run* r, double n)
{
    const br_law* law = &r->def->law;
    double sigma = 0.0;
    for (size_t i = 0; i < r->law_states; i++) {
        sigma = fmax(sigma, r->def->dahl_axes ? r->def->dahl_axes->sigma[i] : law->sigma0);
    }
    const double min_n = law->kind == BR_LAW_DAHL ? 10.0 * sigma * r->run->atol_z / law->mu_c : 0.0;
    return hypot(n, min_n);
}

static void slide_with_state(mechanism_run* r, const double* z, mechanism_forces* out)
{
    const br_mechanism_def* def = r->def;
    double v[3];
    law_velocity(r, v);
    br_resistance resistance = br_point_law_eval(&def->law, def->dahl_axes, r->law_states, z, v);
    to_point(r, resistance.per_normal);
    to_point(r, resistance.fixed);
    slide(r, &resistance, out);
    br_point_law_rate(&def->law, def->dahl, def->dahl_axes, r->law_states, z, v,
                      limiting_normal(r, out->n), out->dz);
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
    double minus_rate[BR_CONSTRAINED_MOST] = {0.0}, across[3], force[3];
    br_constrained_hold(&r->system, r->work, &got);
    for (size_t i = 0; i < r->system.m; i++) {
        minus_rate[i] = -r->terms.rate[i];
    }
    // the point of the normal force moves with the surface
    across_surface(r, minus_rate, across);
    memcpy(force, got.force, sizeof force);
    add(force, -1.0, got.friction, 3);
    out->power = constraint_power(r, got.lambda) + dot(force, across, r->system.d);
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
    relative_velocity(r, v);
    memcpy(dy, y + n, n * sizeof *dy);
    memcpy(dy + n, f.qdd, n * sizeof *dy);
    memcpy(dy + 2 * n, f.dz, r->law_states * sizeof *dy);
    if (r->hold_states > 0) {
        dy[hold_index(r)] = r->direction == 0.0 ? bri_mechanism_slip(r) : 0.0;
    }
    memcpy(dy + joint_index(r), r->joint_rate, r->joint_states * sizeof *dy);
    double* power = dy + work_index(r);
    power[0] = r->terms.power;
    power[1] = dot(f.friction, v, d) + dot(r->joint_force, y + n, r->joint_states);
    power[2] = dot(f.friction, r->terms.surface_velocity, d) + f.power;
}

// Step of the difference quotient in state i, under the normal force n; smaller for bristles.
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
    const br_dahl_axes* axes = r->def->dahl_axes;
    const double sigma = axes ? axes->sigma[i - 2 * r->system.n] : law->sigma0;
    return law_step * law->mu_c / sigma * (dahl ? limiting_normal(r, n) : 1.0);
}

// Only the terms of a mechanism are known, so derivatives are central difference quotients. Nothing depends on the
// works; the slip of a held point stays so close to zero that its effect is neglected.
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
        if (r->hold_states > 0 && j == hold_index(r)) {
            continue;
        }
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

// Time until a bristle, deflected at the velocity v, reaches the middle of its plastic band.
static double time_to_yield(const br_law* law, size_t d, const double* z, const double* v)
{
    const double speed = sqrt(dot(v, v, d));
    const double z_max = br_law_g(law, speed) / law->sigma0,
                 middle = 0.5 * (1.0 + law->s_ba) * z_max;
    const double along = speed > 0.0 ? dot(z, v, d) / speed : 0.0;
    const double across = dot(z, z, d) - along * along; // squared
    const double distance = sqrt(fmax(middle * middle - across, 0.0)) - along;
    const int in_band = along >= law->s_ba * z_max || distance <= 0.0;
    return in_band || speed == 0.0 ? HUGE_VAL : distance / speed;
}

// Longest step that resolves the profiles and cannot skip the plastic band of a bristle.
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
        law_velocity(r, v);
        longest = fmin(longest, time_to_yield(&r->def->law, r->law_states, y + 2 * m->n, v));
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
    // the paper's rule is circular; we compare the static friction with mu times the force of (19)
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

// Rate of the margin along the motion, up to a factor.
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

// Rate of the slip along the tangent [m/s^2]; r->terms and qdd must be of the same instant.
static double slip_acceleration(const mechanism_run* r, const double* qdd)
{
    const br_mechanism* m = &r->def->mechanism;
    double a[3], along[3];
    for (size_t i = 0; i < m->d; i++) {
        a[i] = dot(r->terms.J + i * m->n, qdd, m->n) + r->terms.bias[i] -
               r->terms.surface_acceleration[i];
    }
    bri_mechanism_tangent(r, along);
    return dot(a, along, m->d);
}

// g[0]: the mode ends where it becomes negative; a tiny positive offset allows a mode to start at its limit.
// g[1]: the rate of g[0]; steps are cut at extremes of g[0], so that no short negative interval is missed.
static void event(double t, const double* y, double* g, void* user)
{
    mechanism_run* r = user;
    if (r->direction == 0.0) {
        g[0] = margin_at(r, t, y) + DBL_MIN;
        g[1] = margin_trend(r, t, y);
    } else {
        mechanism_forces f;
        bri_mechanism_solve(r, t, y, &f);
        g[0] = r->direction * bri_mechanism_slip(r) + mechanism_at_rest;
        g[1] = slip_acceleration(r, f.qdd);
    }
}

// Remove the remaining slip from qd, consistently with the constraints.
static void stop_point(mechanism_run* r, double* qd)
{
    const br_mechanism* m = &r->def->mechanism;
    double zero[BR_CONSTRAINED_MOST] = {0.0}, left[BR_CONSTRAINED_MOST], v[3], across[3];
    for (size_t i = 0; i < m->m; i++) {
        left[i] = -dot(r->terms.A + i * m->n, qd, m->n) - r->terms.rate[i];
    }
    across_surface(r, left, across);
    bri_mechanism_tangent(r, v);
    const double slip = bri_mechanism_slip(r);
    for (size_t i = 0; i < m->d; i++) {
        // d is 2 or 3
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
        v[i] = slip * v[i] - across[i];
    }
    br_constrained system = r->system;
    system.Q = zero, system.b = left, system.bias = v;
    br_constrained_hold_value change;
    br_constrained_hold(&system, r->work, &change);
    for (size_t i = 0; i < m->n; i++) {
        qd[i] += change.qdd[i];
    }
}

// Direction in which a point that cannot be held starts to slide: against the static friction that would
// be required. At a fold no friction can hold it, and the mechanism's acceleration decides.
static double direction_from_rest(mechanism_run* r, double t, const double* y,
                                  const br_constrained_hold_value* hold)
{
    double along[3] = {0.0, 0.0, 0.0};
    bri_mechanism_tangent(r, along);
    if (hold->possible) {
        return dot(hold->friction, along, r->system.d == 3 ? 3 : 2) < 0.0 ? 1.0 : -1.0;
    }
    mechanism_forces f;
    r->direction = 1.0;
    bri_mechanism_solve(r, t, y, &f);
    return slip_acceleration(r, f.qdd) >= 0.0 ? 1.0 : -1.0;
}

static void report_event(const mechanism_run* r, double t, double before,
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

void bri_mechanism_slide_from(mechanism_run* r, double t, double direction)
{
    const double before = r->direction;
    r->direction = direction;
    report_event(r, t, before, &(br_constrained_hold_value){.possible = 1});
    r->decided = 1;
}

void bri_mechanism_decide(mechanism_run* r, double t, double* y)
{
    const double before = r->direction;
    br_constrained_hold_value hold;
    bri_mechanism_look(r, t, y);
    const double margin = bri_mechanism_hold_margin(r, &hold);
    if (margin < 0.0) {
        if (before == 0.0 && hold.possible) {
            stop_point(r, y + r->system.n); // a held point slips within the tolerance
        }
        r->direction = direction_from_rest(r, t, y, &hold);
    } else if (before != 0.0 || !r->decided) {
        r->direction = 0.0;
        stop_point(r, y + r->system.n);
        y[hold_index(r)] = 0.0;
        // a margin that is negative from the start of a mode would never change sign
        bri_mechanism_look(r, t, y);
        if (bri_mechanism_hold_margin(r, &hold) < 0.0) {
            r->direction = direction_from_rest(r, t, y, &hold);
        }
    }
    report_event(r, t, before, &hold);
    r->decided = 1;
}

br_ode bri_mechanism_ode(mechanism_run* r)
{
    const int switches = r->law_states == 0;
    return (br_ode){.size = sizeof(br_ode),
                    .n = r->states,
                    .rate = rate,
                    .jacobian = jacobian,
                    .longest_step = longest_step,
                    .events = switches ? 2 : 0,
                    .event = switches ? event : NULL,
                    .user = r};
}
