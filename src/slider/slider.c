/*
 * Planar sliding with the equivalent contact point: checks, steps, instants.
 *
 * X&C = Xie & Chakraborty, "Dynamic Models of Planar Sliding". Numbers in brackets are that paper's
 * equations.
 *
 *   v, load -> sigma, p (29)-(32) -> v (26)-(28), ECP (11), (12)
 *
 * A load that acts at a height `lift` above the CoM has moments about the horizontal axes, which X&C exclude
 * (section 3.1). With them (9), (10) give
 *
 *   a - q = kappa - q_z (p_t, p_o)/p_n,   kappa = lift (p_x, p_y)/p_n                 (11), (12)
 *
 * and since kappa is not along the friction force, that force has a moment about the CoM:
 *
 *   I_z (w - w^u) = p_r + p_ztau + kappa x (p_t, p_o)                                      (28)
 *
 * Deviations from print (docs/explanation/equations.md).
 */
#include "slider/slider_internal.h"
#include "slider/slip.h"

br_slider br_slider_default(void)
{
    const double mass = 0.5, side = 0.05;
    return (br_slider){.mass = mass,
                       .inertia = mass * (side * side + side * side) / 12.0,
                       .height = 0.08,
                       .mu = 0.31,
                       .e_t = 1.0,
                       .e_o = 1.0,
                       .e_r = 0.01,
                       .gravity = 9.8};
}

br_status br_slider_check(const br_slider* s, br_reason* why)
{
    BR_ASSERT(s);
    const struct {
        const char* name;
        double value;
        int may_be_zero;
    } numbers[] = {{"mass", s->mass, 0}, {"inertia", s->inertia, 0}, {"height", s->height, 1},
                   {"mu", s->mu, 1},     {"e[0]", s->e_t, 0},        {"e[1]", s->e_o, 0},
                   {"e[2]", s->e_r, 0},  {"gravity", s->gravity, 0}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const double value = numbers[i].value;
        const int in_range = numbers[i].may_be_zero ? value >= 0.0 : value > 0.0;
        if (!in_range || !isfinite(value)) {
            br_reason_set(why, numbers[i].name, "must be finite and %s 0, got %g",
                          numbers[i].may_be_zero ? ">=" : ">", value);
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

br_status br_slider_set_patch(br_slider* s, const br_patch* patch, br_reason* why)
{
    BR_ASSERT(s && patch);
    const double r = br_patch_eval(patch, s->mass * s->gravity).r;
    if (!(r > 0.0)) {
        br_reason_set(why, "patch", "must be more than a point to have a friction moment");
        return BR_ERR_ARG;
    }
    s->e_t = s->e_o = 1.0;
    s->e_r = r;
    return BR_OK;
}

slider_step bri_slider_step_init(const br_slider* s, br_twist v, const br_slider_load* load,
                                 double h)
{
    // (26)-(28) without p_t, p_o, p_r
    const double weight = s->mass * s->gravity, shift = load->lift / weight, per_mass = h / s->mass;
    return (slider_step){.h = h,
                         .pn = weight * h,
                         .v = {v.vx + load->f.fx * per_mass, v.vy + load->f.fy * per_mass,
                               v.w + load->f.tau * h / s->inertia},
                         .kappa = {shift * load->f.fx, shift * load->f.fy}};
}

// a - q = kappa - q_z (p_t, p_o)/p_n                                                 (11), (12)
static br_vec2 ecp_of(const br_slider* s, br_vec2 kappa, br_vec2 p, double pn, br_pose q)
{
    const double tilt = s->height / pn;
    return (br_vec2){q.x + kappa.x - tilt * p.x, q.y + kappa.y - tilt * p.y};
}

void bri_slider_step_finish(const br_slider* s, const slider_step* step, br_slider_state* state,
                            br_slider_value* value)
{
    const br_vec2 p = {value->pt, value->po};
    br_twist v = {0.0, 0.0, 0.0};
    if (value->mode == BR_SLIDER_SLIDE) {
        // m (v_x - v_x^u) = p_t + p_x                                                     (26)
        // m (v_y - v_y^u) = p_o + p_y                                                     (27)
        // I_z (w - w^u) = p_r + p_ztau + kappa x (p_t, p_o)                               (28)
        const double per_mass = 1.0 / s->mass;
        v.vx = step->v.vx + p.x * per_mass;
        v.vy = step->v.vy + p.y * per_mass;
        v.w = step->v.w + (value->pr + br_vec2_cross(step->kappa, p)) / s->inertia;
    }
    state->v = v;
    state->q.x += step->h * v.vx;
    state->q.y += step->h * v.vy;
    state->q.theta += step->h * v.w;
    value->ecp = ecp_of(s, step->kappa, p, step->pn, state->q);
}

// Scale by the ellipsoid, see slip.h.
static slip_problem problem_of(const br_slider* s, const slider_step* step)
{
    const double limit = s->mu * step->pn, per_mass = limit / s->mass, per_e_r = 1.0 / s->e_r;
    return (slip_problem){.v = {s->e_t * step->v.vx, s->e_o * step->v.vy, s->e_r * step->v.w},
                          .d = {s->e_t * s->e_t * per_mass, s->e_o * s->e_o * per_mass,
                                s->e_r * s->e_r * limit / s->inertia},
                          .k = {s->e_o * step->kappa.x * per_e_r, s->e_t * step->kappa.y * per_e_r},
                          .turning = s->mu * s->height * s->e_t * s->e_o * per_e_r};
}

static br_slider_value value_of(const br_slider* s, double limit, const slip_solution* slip)
{
    return (br_slider_value){.pt = s->e_t * limit * slip->p[0],
                             .po = s->e_o * limit * slip->p[1],
                             .pr = s->e_r * limit * slip->p[2],
                             .sigma = slip->sigma,
                             .mode = slip->sticks ? BR_SLIDER_STICK : BR_SLIDER_SLIDE,
                             .iterations = slip->iterations};
}

br_slider_value br_slider_step(const br_slider* s, br_slider_state* state,
                               const br_slider_load* load, double h)
{
    BR_ASSERT(s && state && load && !(h <= 0.0));
    const slider_step step = bri_slider_step_init(s, state->v, load, h);
    const slip_problem problem = problem_of(s, &step);
    const slip_solution slip = bri_slip_solve(&problem);
    br_slider_value value = value_of(s, s->mu * step.pn, &slip);
    bri_slider_step_finish(s, &step, state, &value);
    return value;
}

// m sigma + e^2 mu p_n = e |X|,  p = -e mu p_n X/|X|                             (45)-(47), X-44
static slip_solution translate_isotropic(const slip_problem* q)
{
    const double speed = hypot(q->v[0], q->v[1]);
    if (speed <= q->d[0]) {
        const double share = q->d[0] > 0.0 ? 1.0 / q->d[0] : 0.0;
        return (slip_solution){.p = {-q->v[0] * share, -q->v[1] * share, 0.0}, .sticks = 1};
    }
    return (slip_solution){
        .sigma = speed - q->d[0], .p = {-q->v[0] / speed, -q->v[1] / speed, 0.0}, .iterations = 1};
}

br_slider_value br_slider_translation_step(const br_slider* s, br_slider_state* state,
                                           const br_slider_load* load, double h)
{
    BR_ASSERT(s && state && load && !(h <= 0.0));
    slider_step step = bri_slider_step_init(s, state->v, load, h);
    step.v.w = 0.0;
    slip_problem problem = problem_of(s, &step);
    // the shift of the ECP has no effect without rotation
    problem.k[0] = problem.k[1] = problem.turning = 0.0;
    // (44) for e_t != e_o, with e_t^2 and e_o^2 in the numerators, is the scalar equation itself
    const slip_solution slip =
        s->e_t == s->e_o ? translate_isotropic(&problem) : bri_slip_solve(&problem);
    br_slider_value value = value_of(s, s->mu * step.pn, &slip);
    bri_slider_step_finish(s, &step, state, &value);
    value.pr = -br_vec2_cross(step.kappa, (br_vec2){value.pt, value.po}) - load->f.tau * h;
    state->v.w = 0.0;
    return value;
}

static int is_at_rest(br_twist v)
{
    return v.vx == 0.0 && v.vy == 0.0 && v.w == 0.0;
}

br_slider_rate br_slider_eval(const br_slider* s, const br_slider_state* state,
                              const br_slider_load* load)
{
    BR_ASSERT(s && state && load);
    // from rest a step of 1 s has the same forces as any shorter one: (26)-(32) scale with h
    const int rests = is_at_rest(state->v);
    slider_step step = bri_slider_step_init(s, state->v, load, 1.0);
    if (!rests) {
        step.v = state->v;
    }
    const slip_problem problem = problem_of(s, &step);
    const slip_solution slip = rests ? bri_slip_solve(&problem) : bri_slip_instant(&problem);
    const br_slider_value p = value_of(s, s->mu * step.pn, &slip);
    const br_vec2 force = {p.pt, p.po};
    br_slider_rate rate = {.f = {p.pt, p.po, p.pr},
                           .sigma = rests ? 0.0 : p.sigma,
                           .ecp = ecp_of(s, step.kappa, force, step.pn, state->q),
                           .mode = p.mode};
    if (p.mode == BR_SLIDER_SLIDE) {
        // m dv_x = lambda_t + lambda_x, m dv_y = lambda_o + lambda_y                    (5), (6)
        // I_z dw = lambda_r + lambda_ztau + kappa x (lambda_t, lambda_o)                    (7)
        rate.acceleration =
            (br_twist){(p.pt + load->f.fx) / s->mass, (p.po + load->f.fy) / s->mass,
                       (p.pr + load->f.tau + br_vec2_cross(step.kappa, force)) / s->inertia};
    }
    return rate;
}
