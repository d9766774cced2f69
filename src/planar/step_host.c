/*
 * Steps for a host that owns the body: it gives a twist, and takes an impulse.
 *
 * One implicit stage with the host's inverse mass A and nothing else on the body,
 *   u1 = u_free + A p,   p = h f(u1)
 * If the host's true matrix is A/c with c >= 1 the impulse is still passive:
 *   p.u_free + p.(A/c) p/2 <= p.u_free + p.A p/2
 * but a stuck body creeps at (c - 1) h times its acceleration. So c is learnt from the host's answer,
 *   scale = p.(u1 - u_free)/(p.A p)
 * Where only the twist u0 at the start is known, what other forces add to it is observed,
 *   u_free = u0 + o,   o += (u1 - predicted u1)/2
 * and the scale comes from the differences of two steps, in which other forces cancel.
 */
#include "planar/step_stage.h"

static const double gravity = 9.81;     // [m/s^2]
static const double weight_share = 4.0; // how much lighter than its load the body may be
static const double least_answer =
    1e-9; // below it, over what rounding may touch, nothing is learnt
static const double observer_gain = 0.5; // of what was predicted wrongly
static const double scale_step = 10.0;   // most that the scale changes in a step

br_step_host br_step_host_default(double mass, double inertia)
{
    return (br_step_host){
        .inverse_mass = {{1.0 / mass, 0.0, 0.0}, {0.0, 1.0 / mass, 0.0}, {0.0, 0.0, 1.0 / inertia}},
        .passes = 40,
        .scale = 1.0};
}

void br_step_host_guess(br_step_host* host, double fn, double u)
{
    BR_ASSERT(host && fn > 0.0 && u > 0.0);
    const double a = gravity * weight_share / fn;
    memset(host->inverse_mass, 0, sizeof host->inverse_mass);
    host->inverse_mass[0][0] = host->inverse_mass[1][1] = a;
    host->inverse_mass[2][2] = a / u;
    host->softened = 1;
}

static vector3 impulse_of(br_wrench f)
{
    return (vector3){{f.fx, f.fy, f.tau}};
}

// A, the `scale` of it
static mat3 inverse_mass_of(const br_step_host* host, double scale)
{
    mat3 a;
    for (int i = 0; i < 9; i++) {
        a.at[i / 3][i % 3] = scale * host->inverse_mass[i / 3][i % 3];
    }
    return a;
}

br_step_answer br_step_host_step(br_step_host* host, br_twist u, double h,
                                 br_step_contact* contacts, size_t count, double* work)
{
    return br_step_host_step_recorded(host, u, h, contacts, count, work, NULL);
}

br_step_answer br_step_host_step_recorded(br_step_host* host, br_twist u, double h,
                                          br_step_contact* contacts, size_t count, double* work,
                                          br_step_record* record)
{
    BR_ASSERT(host && !(h <= 0.0));
    BR_ASSERT(count == 0 || (contacts && work));
    const mat3 a = inverse_mass_of(host, host->scale), root = mat3_semi_root(&a);
    const vector3 known = vector3_mix(1.0, vector_of(u), host->start_only, vector_of(host->offset));
    vector3 v1, newton;
    double algebra[STAGE_WORK(1, 3, 0)];
    const stage s = {.moves = BODY_MOVES(root.at[0]),
                     .v0 = known.at,
                     .h = h,
                     .passes = host->passes,
                     .contacts = contacts,
                     .count = count,
                     .work = work,
                     .algebra = algebra,
                     .v1 = v1.at,
                     .newton = record ? newton.at : NULL};
    bri_step_prepare(contacts, count, work);
    const stage_result r = bri_stage_run(&s);
    const br_wrench f = bri_step_wrench(contacts, count);
    if (record) {
        *record = (br_step_record){.v0 = twist_of(known),
                                   .v1 = twist_of(v1),
                                   .newton = twist_of(newton),
                                   .closing = stage_closing(&r),
                                   .order = 1,
                                   .converged = r.converged};
    }
    host->given = u;
    host->predicted = twist_of(v1);
    host->impulse_before = host->impulse;
    host->impulse = (br_wrench){h * f.fx, h * f.fy, h * f.tau};
    return (br_step_answer){.f = f,
                            .predicted = host->predicted,
                            .energy = {r.after, r.friction, r.heat},
                            .passes = r.passes,
                            .converged = r.converged,
                            .softened = host->softened};
}

// p.A p, with A as the host gave it
static double answer_to(const br_step_host* host, vector3 p)
{
    const mat3 a = inverse_mass_of(host, 1.0);
    return vector3_dot(p, mat3_apply(&a, p));
}

// |p_x u_x| + |p_y u_y| + |p_w u_w|: what rounding of u makes of an impulse's answer, over 1e-16
static double noise_of(vector3 p, br_twist u)
{
    return fabs(p.at[0] * u.vx) + fabs(p.at[1] * u.vy) + fabs(p.at[2] * u.w);
}

// Scale of A from an impulse p and what it did to the twist, if it exceeds `noise`.
static void learn_scale(br_step_host* host, vector3 p, vector3 change, double noise)
{
    const double expected = answer_to(host, p), scale = vector3_dot(p, change) / expected;
    if (!(expected > least_answer * noise) || !(scale > 0.0)) {
        return;
    }
    host->scale *= fmin(fmax(scale / host->scale, 1.0 / scale_step), scale_step);
    host->softened = 0;
}

void br_step_host_learn(br_step_host* host, br_twist u1)
{
    BR_ASSERT(host);
    const vector3 change = vector3_mix(1.0, vector_of(u1), -1.0, vector_of(host->given));
    const vector3 p = impulse_of(host->impulse);
    const double noise = noise_of(p, u1) + noise_of(p, host->given);
    if (host->identify && !host->start_only) {
        learn_scale(host, p, change, noise);
    } else if (host->identify && host->seen) {
        // in the differences of two steps other forces cancel, as far as they are the same in both
        const vector3 dp = vector3_mix(1.0, p, -1.0, impulse_of(host->impulse_before));
        const vector3 second = vector3_mix(1.0, change, -1.0, vector_of(host->change_before));
        learn_scale(host, dp, second, noise + answer_to(host, p));
    }
    if (host->start_only) {
        const vector3 wrong = vector3_mix(1.0, vector_of(u1), -1.0, vector_of(host->predicted));
        host->offset = twist_of(vector3_mix(1.0, vector_of(host->offset), observer_gain, wrong));
    }
    host->change_before = twist_of(change);
    host->seen = 1;
}

br_step_trial br_step_trial_eval(br_step_contact* contacts, size_t count, br_twist u, double h,
                                 double* work)
{
    BR_ASSERT(!(h <= 0.0) && (count == 0 || (contacts && work)));
    const vector3 v = vector_of(u);
    const stage s = {
        .moves = BODY_MOVES(NULL), .h = h, .contacts = contacts, .count = count, .work = work};
    br_step_trial out;
    double f[3], rest[3];
    bri_step_prepare(contacts, count, work);
    bri_step_clear_memos(&s);
    bri_stage_resist(&s, v.at, BY_LAW, f, out.tangent[0]);
    bri_stage_resist(&s, v.at, FROZEN, rest, out.secant[0]);
    out.f = (br_wrench){-f[0], -f[1], -f[2]};
    return out;
}
