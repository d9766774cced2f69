/*
 * Quasi-static pushing at one instant: stick, slide, break.
 *
 * X&C = Xie & Chakraborty, "Dynamic Models of Planar Sliding", section 5.1. Numbers in brackets are
 * that paper's equations. Friction below the body is -grad D(v) of a limit surface; for the
 * ellipsoid (13) D = sqrt(e_t^2 v_x^2 + e_o^2 v_y^2 + e_r^2 w^2). The twist is at the centre of
 * friction, c the contact point from there.
 *
 * A tip that sticks fixes the velocity of c, (33), (34), and has no moment about c, (35): of all
 * twists with that velocity the body takes the one of minimum dissipation, a convex function of one
 * unknown w. A tip that slides pushes along an edge of its friction cone: the wrench is known, the
 * twist is the limit surface's normal, and the normal velocity of c scales it.
 */
#include "slider/pushing_internal.h"

br_pushing br_pushing_default(void)
{
    return (br_pushing){.e_t = 1.0, .e_o = 1.0, .e_r = 0.01, .mu = 0.25};
}

br_status br_pushing_check(const br_pushing* p, br_reason* why)
{
    BR_ASSERT(p);
    const struct {
        const char* name;
        double value;
        int counts, may_be_zero;
    } numbers[] = {{"e[0]", p->e_t, !p->surface, 0},
                   {"e[1]", p->e_o, !p->surface, 0},
                   {"e[2]", p->e_r, !p->surface, 0},
                   {"radius", p->radius, 1, 1},
                   {"mu", p->mu, 1, 1}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const double value = numbers[i].value;
        const int in_range = numbers[i].may_be_zero ? value >= 0.0 : value > 0.0;
        if (numbers[i].counts && (!in_range || !isfinite(value))) {
            br_reason_set(why, numbers[i].name, "must be finite and %s 0, got %g",
                          numbers[i].may_be_zero ? ">=" : ">", value);
            return BR_ERR_DEF;
        }
    }
    if (p->outline && !(br_outline_get_area(p->outline) > 0.0)) {
        br_reason_set(why, "outline", "must enclose an area to be pushed");
        return BR_ERR_DEF;
    }
    return BR_OK;
}

br_vec2 br_pushing_get_centre(const br_pushing* p)
{
    return p->surface ? br_limit_get_patch_value(p->surface).cop : p->centre;
}

// Velocity of the point c of a body.
static br_vec2 velocity_at(br_twist v, br_vec2 c)
{
    return (br_vec2){v.vx - v.w * c.y, v.vy + v.w * c.x};
}

// The twist that gives c a velocity, (33), (34).
static br_twist twist_about(br_vec2 c, br_vec2 velocity, double w)
{
    return (br_twist){velocity.x + w * c.y, velocity.y - w * c.x, w};
}

static br_limit_value ellipsoid_eval(const br_pushing* p, br_twist v)
{
    const double x = p->e_t * v.vx, y = p->e_o * v.vy, z = p->e_r * v.w;
    const double D = sqrt(x * x + y * y + z * z), inverse = D > 0.0 || isnan(D) ? 1.0 / D : 0.0;
    return (br_limit_value){
        D, {-p->e_t * x * inverse, -p->e_o * y * inverse, -p->e_r * z * inverse}, !(D > 0.0)};
}

br_limit_value bri_pushing_friction(const br_pushing* p, br_twist v)
{
    return p->surface ? br_limit_eval(p->surface, v) : ellipsoid_eval(p, v);
}

void bri_pushing_hessian(const br_pushing* p, br_twist v, double hessian[3][3])
{
    if (p->surface) {
        br_limit_jacobian_eval(p->surface, v, hessian);
        for (int ij = 0; ij < 9; ij++) {
            hessian[ij / 3][ij % 3] *= -1.0;
        }
        return;
    }
    // D'' = (diag(e^2) - D' D'^T)/D
    const br_limit_value at = ellipsoid_eval(p, v);
    const double g[3] = {at.wrench.fx, at.wrench.fy, at.wrench.tau};
    const double e[3] = {p->e_t, p->e_o, p->e_r};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            hessian[i][j] = ((i == j ? e[i] * e[i] : 0.0) - g[i] * g[j]) / at.dissipation;
        }
    }
}

// Moment of a friction wrench about c: that of a force through c is 0, (35).
static double moment_about(br_wrench f, br_vec2 c)
{
    return f.tau - br_vec2_cross(c, (br_vec2){f.fx, f.fy});
}

// A guess of w, with the friction and moment there.
typedef struct spin_guess {
    double w;
    br_limit_value value;
    double moment; // about c: -dD/dw
} spin_guess;

static spin_guess guess_spin(const br_limit* surface, br_vec2 c, br_vec2 velocity, double w)
{
    const br_limit_value value = br_limit_eval(surface, twist_about(c, velocity, w));
    return (spin_guess){w, value, moment_about(value.wrench, c)};
}

// w - D'/D''
static double newton_spin(const br_limit* surface, br_vec2 c, br_vec2 velocity,
                          const spin_guess* at)
{
    double jacobian[3][3], bend = 0.0;
    const double along[3] = {c.y, -c.x, 1.0}; // dv/dw
    br_limit_jacobian_eval(surface, twist_about(c, velocity, at->w), jacobian);
    for (int ij = 0; ij < 9; ij++) {
        bend -= along[ij / 3] * jacobian[ij / 3][ij % 3] * along[ij % 3];
    }
    return at->w + at->moment / bend;
}

// At a kink of D (a support point at rest) no guess has moment 0, but a weighted mean of both sides has.
static spin_guess blend(const spin_guess* low, const spin_guess* high)
{
    const double share = low->moment / (low->moment - high->moment);
    const br_wrench a = low->value.wrench, b = high->value.wrench;
    spin_guess mean = *low;
    mean.moment = 0.0;
    mean.value.wrench = (br_wrench){a.fx + share * (b.fx - a.fx), a.fy + share * (b.fy - a.fy),
                                    a.tau + share * (b.tau - a.tau)};
    return mean;
}

// Widen from a first guess until the moment changes sign. It does, because friction opposes a fast spin.
static void bracket_spin(const br_limit* surface, br_vec2 c, br_vec2 velocity, double scale,
                         spin_guess* low, spin_guess* high)
{
    for (int i = 0; i < 60 && low->moment < 0.0; i++, scale *= 2.0) {
        *high = *low;
        *low = guess_spin(surface, c, velocity, low->w - scale);
    }
    for (int i = 0; i < 60 && high->moment > 0.0; i++, scale *= 2.0) {
        *low = *high;
        *high = guess_spin(surface, c, velocity, high->w + scale);
    }
}

// The w of minimum dissipation: Newton's method in a bracket, with bisection as fallback.
static spin_guess find_spin(const br_limit* surface, br_vec2 c, br_vec2 velocity)
{
    const double r = br_limit_get_patch_value(surface).r, size = hypot(r, br_vec2_norm(c));
    const double speed = br_vec2_norm(velocity), scale = size > 0.0 ? speed / size : 0.0;
    const double first = size > 0.0 ? br_vec2_cross(c, velocity) / (size * size) : 0.0;
    spin_guess low = guess_spin(surface, c, velocity, first), high = low, at = low;
    bracket_spin(surface, c, velocity, 0.1 * scale, &low, &high);
    double before = HUGE_VAL; // moment of the previous guess
    for (int round = 0; round < 200 && fabs(at.moment) > 1e-14 * size; round++) {
        if (!(high.w - low.w > 1e-13 * scale)) {
            return blend(&low, &high);
        }
        const double next = newton_spin(surface, c, velocity, &at);
        const int helps = next > low.w && next < high.w && fabs(at.moment) < 0.5 * before;
        before = helps ? fabs(at.moment) : HUGE_VAL;
        at = guess_spin(surface, c, velocity, helps ? next : 0.5 * (low.w + high.w));
        *(at.moment > 0.0 ? &low : &high) = at;
    }
    return at;
}

static br_push push_of(br_twist v, br_limit_value friction, br_vec2 point)
{
    return (br_push){.twist = v,
                     .friction = friction.wrench,
                     .force = {-friction.wrench.fx, -friction.wrench.fy},
                     .sigma = friction.dissipation,
                     .point = point,
                     .mode = BR_PUSH_STICK};
}

br_push br_pushing_stick_eval(const br_pushing* p, br_vec2 point, br_vec2 velocity)
{
    BR_ASSERT(p);
    const br_vec2 c = br_vec2_sub(point, br_pushing_get_centre(p));
    if (p->surface) {
        const spin_guess best = find_spin(p->surface, c, velocity);
        return push_of(twist_about(c, velocity, best.w), best.value, point);
    }
    // w = (x v_py - y v_px)/(c^2 + x^2 + y^2), c = e_r/e_t = e_r/e_o                    (38)-(40)
    const double t2 = p->e_t * p->e_t, o2 = p->e_o * p->e_o;
    const double w = (o2 * c.x * velocity.y - t2 * c.y * velocity.x) /
                     (p->e_r * p->e_r + t2 * c.y * c.y + o2 * c.x * c.x);
    const br_twist v = twist_about(c, velocity, w);
    return push_of(v, ellipsoid_eval(p, v), point);
}

// The sliding twist under a load; scales the load onto the limit surface.
static br_twist slide_under(const br_pushing* p, br_wrench* load)
{
    br_twist slide;
    double gauge;
    if (p->surface) {
        gauge = br_limit_gauge(p->surface, *load, &slide);
    } else {
        const double x = load->fx / p->e_t, y = load->fy / p->e_o, z = load->tau / p->e_r;
        gauge = sqrt(x * x + y * y + z * z);
        slide = (br_twist){x / (p->e_t * gauge), y / (p->e_o * gauge), z / (p->e_r * gauge)};
    }
    *load = (br_wrench){load->fx / gauge, load->fy / gauge, load->tau / gauge};
    return slide;
}

// Wrench of a force through c.
static br_wrench wrench_through(br_vec2 c, br_vec2 force)
{
    return (br_wrench){force.x, force.y, br_vec2_cross(c, force)};
}

static br_vec2 left_of(br_vec2 normal)
{
    return (br_vec2){-normal.y, normal.x};
}

// An edge of the tip's friction cone: side 1 is left, -1 right.
static br_vec2 cone_edge(double mu, br_vec2 normal, double side)
{
    return br_vec2_add(normal, br_vec2_scale(side * mu, left_of(normal)));
}

// The tip slides: side 1 to the left.
static br_push slide(const br_pushing* p, br_vec2 point, br_vec2 normal, br_vec2 velocity,
                     double side)
{
    const br_vec2 c = br_vec2_sub(point, br_pushing_get_centre(p));
    br_wrench load = wrench_through(c, cone_edge(p->mu, normal, side));
    const br_twist v = slide_under(p, &load);
    const double speed = br_vec2_dot(velocity, normal) / br_vec2_dot(velocity_at(v, c), normal);
    return (br_push){.twist = {speed * v.vx, speed * v.vy, speed * v.w},
                     .friction = {-load.fx, -load.fy, -load.tau},
                     .force = {load.fx, load.fy},
                     .sigma = speed, // slide_under() gives the twist of dissipation 1
                     .point = point,
                     .mode = side > 0.0 ? BR_PUSH_LEFT : BR_PUSH_RIGHT};
}

br_push br_pushing_eval(const br_pushing* p, br_vec2 point, br_vec2 normal, br_vec2 velocity)
{
    BR_ASSERT(p);
    if (br_vec2_dot(velocity, normal) <= 0.0) {
        return (br_push){.point = point, .mode = BR_PUSH_BREAK};
    }
    const br_push sticking = br_pushing_stick_eval(p, point, velocity);
    const double across = br_vec2_dot(sticking.force, left_of(normal));
    const int holds = fabs(across) <= p->mu * br_vec2_dot(sticking.force, normal);
    // NaN: in the velocity or the point all of `sticking` is, in the normal or mu all of a push that slides
    return holds || isnan(sticking.sigma)
               ? sticking
               : slide(p, point, normal, velocity, copysign(1.0, across));
}

static br_vec2 cone_direction(const br_pushing* p, br_vec2 c, br_vec2 normal, double side)
{
    br_wrench load = wrench_through(c, cone_edge(p->mu, normal, side));
    const br_vec2 velocity = velocity_at(slide_under(p, &load), c);
    return br_vec2_scale(1.0 / br_vec2_norm(velocity), velocity);
}

br_motion_cone br_pushing_cone_eval(const br_pushing* p, br_vec2 point, br_vec2 normal)
{
    BR_ASSERT(p);
    const br_vec2 c = br_vec2_sub(point, br_pushing_get_centre(p));
    return (br_motion_cone){cone_direction(p, c, normal, 1.0), cone_direction(p, c, normal, -1.0)};
}
