/*
 * A round tip with prescribed motion that pushes the body's outline.
 *
 *   N = max(0, k d + c s d'),   F = -N n - mu N clip(v_t/v_e) t,   clip(x) = min(max(x, -1), 1)
 *
 * d is the penetration of the tip, n the outward normal at the nearest point of the edge, t along the edge,
 * v the body's velocity relative to the tip there. The damping increases over the first micrometres,
 * s = d/d_0, so that the force does not jump at touch-down; Coulomb friction is a ramp below v_e.
 *
 * In a fixed step of h this force is implicit, too, at the tip's nearest point at the step's start,
 *
 *   N = k d0 + a v_n,   a = k h + c s,   T = -b v_t,   b = mu N/v_e,   or T = -+mu N where it slides
 *
 * with v_n = g_n.V - w_n, v_t = g_t.V - w_t of the twist V at the step's end, g_n and g_t the rows that map a twist
 * to the edge, w the tip's velocity. The step then uses M + h a g_n g_n^T + h b g_t g_t^T instead of the mass. It is
 * solved again until N, s and the state of the tip (presses, sticks, slides) agree with its result.
 */
#include "sim/body_internal.h"

#include <string.h>

static const double soft_depth = 1e-5; // d_0 [m]
static const double slow = 1e-5;       // v_e [m/s]

// Steps of the differences by x, y, theta, vx, vy, w and t: far below the scales above, far above rounding.
static const double steps[7] = {1e-8, 1e-8, 1e-7, 1e-7, 1e-7, 1e-6, 1e-8};

// Wrench on the CoM at (pose, velocity, t).
static br_wrench push_at(const body_system* s, const double at[7])
{
    const br_body_pusher* p = s->body->pusher;
    br_vec2 tip_v;
    const br_vec2 tip = {br_profile_eval(&p->x, at[6], s->within, &tip_v.x),
                         br_profile_eval(&p->y, at[6], s->within, &tip_v.y)};
    const br_vec2 from_com = {tip.x - at[0], tip.y - at[1]};
    const br_outline_place place =
        br_outline_eval(s->body->outline, br_vec2_rotate(from_com, -at[2]));
    const double depth = p->radius - place.distance;
    if (!(depth > 0.0)) {
        return (br_wrench){0.0, 0.0, 0.0};
    }
    const br_vec2 n = br_vec2_rotate(place.normal, at[2]), t = {-n.y, n.x};
    const br_vec2 arm = br_vec2_rotate(place.nearest, at[2]);
    const br_vec2 v = {at[3] - at[5] * arm.y - tip_v.x, at[4] + at[5] * arm.x - tip_v.y};
    const double damping = p->damping * fmin(depth / soft_depth, 1.0);
    const double normal = fmax(0.0, p->stiffness * depth + damping * br_vec2_dot(v, n));
    const double slip = br_vec2_dot(v, t);
    const double along = -p->mu * normal * fmax(-1.0, fmin(slip / slow, 1.0));
    const br_vec2 f = {along * t.x - normal * n.x, along * t.y - normal * n.y};
    return (br_wrench){f.x, f.y, arm.x * f.y - arm.y * f.x};
}

br_wrench bri_body_push(const body_system* s, double t, const double* y)
{
    if (!s->body->pusher) {
        return (br_wrench){0.0, 0.0, 0.0};
    }
    const double at[7] = {y[0], y[1], y[2], y[3], y[4], y[5], t};
    return push_at(s, at);
}

void bri_body_push_slopes(const body_system* s, double t, const double* y, br_wrench* slope,
                          mat3* by_pose, mat3* by_velocity)
{
    if (!s->body->pusher) {
        return;
    }
    for (int i = 0; i < 7; i++) {
        double at[7] = {y[0], y[1], y[2], y[3], y[4], y[5], t};
        const double middle = at[i];
        at[i] = middle + steps[i];
        const br_wrench above = push_at(s, at);
        at[i] = middle - steps[i];
        const br_wrench below = push_at(s, at);
        const double per = 0.5 / steps[i];
        const br_wrench d = {per * (above.fx - below.fx), per * (above.fy - below.fy),
                             per * (above.tau - below.tau)};
        if (i == 6) {
            add_wrench(slope, 1.0, d);
        } else {
            mat3* to = i < 3 ? by_pose : by_velocity;
            to->at[0][i % 3] += d.fx;
            to->at[1][i % 3] += d.fy;
            to->at[2][i % 3] += d.tau;
        }
    }
}

// --- a fixed step -------------------------------------------------------------------------------------

enum { MAX_ROUNDS = 40, UNDAMPED_ROUNDS = 10 };
static const double same_force = 1e-9; // converged: relative change between two rounds [-]

// The tip at the start of a step. Its velocity relative to the edge is v_n = g_n.V - w_n, v_t = g_t.V - w_t.
typedef struct tip {
    vector3 g_n, g_t;
    double w_n, w_t; // [m/s]
    double depth;    // d0 [m]
} tip;

// Assumed state of the tip in a step.
typedef struct tip_guess {
    int presses;
    int slides;   // direction of sliding, -1 or 1; 0: it sticks
    double force; // N [N]
    double share; // s of its damping [-]
} tip_guess;

static vector3 row_of(br_vec2 direction, br_vec2 arm)
{
    return (vector3){{direction.x, direction.y, arm.x * direction.y - arm.y * direction.x}};
}

// The tip's velocity is its mean over the step, so that its end position is that of the profiles.
static tip tip_at(const body_system* s, double t, double h, const double* y)
{
    const br_body_pusher* p = s->body->pusher;
    const br_vec2 from = {br_profile_eval(&p->x, t, s->within, NULL),
                          br_profile_eval(&p->y, t, s->within, NULL)};
    const br_vec2 to = {br_profile_eval(&p->x, t + h, s->within, NULL),
                        br_profile_eval(&p->y, t + h, s->within, NULL)};
    const br_vec2 w = br_vec2_scale(1.0 / h, (br_vec2){to.x - from.x, to.y - from.y});
    const br_pose pose = pose_of(y);
    const br_vec2 from_com = {from.x - pose.x, from.y - pose.y};
    const br_outline_place place =
        br_outline_eval(s->body->outline, br_vec2_rotate(from_com, -pose.theta));
    const br_vec2 n = br_vec2_rotate(place.normal, pose.theta), along = {-n.y, n.x};
    const br_vec2 arm = br_vec2_rotate(place.nearest, pose.theta);
    return (tip){.g_n = row_of(n, arm),
                 .g_t = row_of(along, arm),
                 .w_n = br_vec2_dot(w, n),
                 .w_t = br_vec2_dot(w, along),
                 .depth = p->radius - place.distance};
}

static vector3 vector_of(br_twist v)
{
    return (vector3){{v.vx, v.vy, v.w}};
}

static void add_square(br_step_body* body, double factor, vector3 g)
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            body->mass[i][k] += factor * g.at[i] * g.at[k];
        }
    }
}

static br_wrench along_row(double force, vector3 g)
{
    return (br_wrench){force * g.at[0], force * g.at[1], force * g.at[2]};
}

// Result of a step with a guess of the tip's state: the twist at its end, the push of the tip, and the
// state of the tip that follows from that twist.
typedef struct push_trial {
    br_step_result result;
    br_twist v;
    br_wrench push;
    tip_guess next;
} push_trial;

// State of the tip at the end of a step, from the speeds v_n and v_t there.
static tip_guess next_guess(const br_body_pusher* p, const tip* at, double h, double v_n,
                            double v_t, const tip_guess* guess)
{
    const double depth = at->depth + h * v_n;
    const double share = fmax(0.0, fmin(depth / soft_depth, 1.0));
    const double force = p->stiffness * depth + p->damping * guess->share * v_n;
    const int slides = v_t > slow ? 1 : v_t < -slow ? -1 : 0;
    const int turns = guess->presses && slides * guess->slides < 0;
    return (tip_guess){.presses = depth > 0.0 && force > 0.0,
                       .slides = turns ? 0 : slides,
                       .force = fmax(force, 0.0),
                       .share = share};
}

static push_trial try_push(body_system* s, const tip* at, const tip_guess* guess, double h,
                           br_wrench load, br_twist v0)
{
    const br_body_pusher* p = s->body->pusher;
    const vector3 before = vector_of(v0);
    const double a = guess->presses ? p->stiffness * h + p->damping * guess->share : 0.0;
    const double sticks = guess->presses && guess->slides == 0 ? 1.0 : 0.0;
    const double b = sticks * p->mu * guess->force / slow;
    const double slip = guess->presses ? guess->slides * p->mu * guess->force : 0.0;
    const double start = guess->presses ? p->stiffness * at->depth : 0.0;
    const double v_n0 = vector3_dot(at->g_n, before) - at->w_n;
    const double v_t0 = vector3_dot(at->g_t, before) - at->w_t;
    br_step_body body = s->steps.body;
    body.order = guess->presses ? 1 : body.order;
    add_square(&body, h * a, at->g_n);
    add_square(&body, h * b, at->g_t);
    add_wrench(&load, 1.0, along_row(-(start + a * v_n0), at->g_n));
    add_wrench(&load, 1.0, along_row(-(slip + b * v_t0), at->g_t));

    push_trial out = {.v = v0};
    out.result = br_step_coupled(&body, &out.v, load, h, s->steps.contacts, s->body->contact_count,
                                 s->steps.work);
    const vector3 after = vector_of(out.v);
    const double v_n = vector3_dot(at->g_n, after) - at->w_n;
    const double v_t = vector3_dot(at->g_t, after) - at->w_t;
    out.push = along_row(-(start + a * v_n), at->g_n);
    add_wrench(&out.push, 1.0, along_row(-(slip + b * v_t), at->g_t));
    out.next = next_guess(p, at, h, v_n, v_t, guess);

    // move with the end twist, as in the force law; else the tip penetrates deeper and ejects the body
    out.result.mean = guess->presses ? out.v : out.result.mean;

    // the added mass has no energy: only the body's part of m |dv|^2/2 is numerical dissipation
    const double d_n = v_n - v_n0, d_t = v_t - v_t0;
    out.result.energy.numerical -= 0.5 * h * (a * d_n * d_n + b * d_t * d_t);
    out.result.energy.ground +=
        h * (out.push.fx * out.v.vx + out.push.fy * out.v.vy + out.push.tau * out.v.w);
    return out;
}

static int is_same(const tip_guess* a, const tip_guess* b)
{
    return a->presses == b->presses &&
           (!a->presses || (a->slides == b->slides && fabs(a->share - b->share) <= same_force &&
                            fabs(a->force - b->force) <= same_force * b->force));
}

// First guess: the state at the end of the last step.
static tip_guess first_guess(const body_system* s, const tip* at, br_twist v)
{
    const double v_t = vector3_dot(at->g_t, vector_of(v)) - at->w_t;
    return (tip_guess){.presses = s->steps.press > 0.0,
                       .slides = v_t > slow    ? 1
                                 : v_t < -slow ? -1
                                               : 0,
                       .force = s->steps.press,
                       .share = 1.0};
}

br_step_result bri_body_push_step(body_system* s, double t, double h, br_wrench load, double* y,
                                  br_twist* v)
{
    const size_t bristles = (s->n - BRISTLES) * sizeof *y;
    double* z = s->y_middle; // bristles before the step
    const tip at = tip_at(s, t, h, y);
    tip_guess guess = first_guess(s, &at, *v);
    memcpy(z, y + BRISTLES, bristles);
    push_trial trial = try_push(s, &at, &guess, h, load, *v);
    int passes = trial.result.passes, round = 1;
    for (; round < MAX_ROUNDS && !is_same(&guess, &trial.next); round++) {
        const double kept = round > UNDAMPED_ROUNDS && guess.presses ? 0.5 : 0.0;
        const tip_guess next = trial.next;
        guess = (tip_guess){.presses = next.presses,
                            .slides = next.slides,
                            .force = kept * guess.force + (1.0 - kept) * next.force,
                            .share = kept * guess.share + (1.0 - kept) * next.share};
        memcpy(y + BRISTLES, z, bristles);
        trial = try_push(s, &at, &guess, h, load, *v);
        passes += trial.result.passes;
    }
    trial.result.passes = passes;
    trial.result.converged = trial.result.converged && round < MAX_ROUNDS;
    s->steps.push = trial.push;
    s->steps.press = guess.presses ? trial.next.force : 0.0;
    *v = trial.v;
    return trial.result;
}
