/*
 * Friction in a control loop.
 *
 *   twist -> smoothed -> slips? -> mu from the power of friction (F-8) -> load, margin
 *
 * After the slip control of Waltersson & Karayiannidis (arXiv 2410.19660, 2507.06824), who hold an object by
 * the wrench that a limit surface allows; the estimator is ours.
 */
#include "bristle/online.h"

#include <math.h>

#include "base/definition.h"
#include "fit/numbers.h"

br_online_def br_online_def_default(void)
{
    return (br_online_def){.size = sizeof(br_online_def),
                           .r = 5e-3,
                           .mu = 0.5,
                           .mu_error = 0.3,
                           .force_noise = 0.02,
                           .torque_noise = 2e-4,
                           .speed_noise = 1e-3,
                           .spin_noise = 0.1,
                           .memory = 2.0,
                           .smoothing = 5e-3};
}

// Squares and quotients of numbers in this range are finite.
#define IN_RANGE(x)                                                                                \
    NUMBER_RULE(!(def->x >= 1e-50 && def->x <= 1e50), #x, "must be 1e-50 to 1e50", def->x)

br_status br_online_init(const br_online_def* given, br_online* out, br_reason* why)
{
    br_online_def full = br_online_def_default();
    const br_online_def* def = &full;
    br_status status = DEFINITION_READ(br_online_def, given, &full, why);
    const fit_rule rules[] = {IN_RANGE(r),
                              IN_RANGE(mu),
                              IN_RANGE(mu_error),
                              IN_RANGE(force_noise),
                              IN_RANGE(torque_noise),
                              IN_RANGE(speed_noise),
                              IN_RANGE(spin_noise),
                              POSITIVE(memory),
                              NUMBER_RULE(!(def->smoothing >= 0.0 && def->smoothing <= 1e50),
                                          "smoothing", "must be 0 to 1e50", def->smoothing)};
    status = status ? status : bri_check_rules(rules, sizeof rules / sizeof *rules, why);
    if (!status) {
        *out = (br_online){
            .def = *def, .mu = def->mu, .variance = def->mu_error * def->mu_error, .gain = 1.0};
    }
    return status;
}

// The exponential mean of the twists, and the share of their noise variance that remains in it.
static void smooth(br_online* o, br_twist v, double h)
{
    const double T = o->def.smoothing, share = T > 0.0 ? -expm1(-h / T) : 1.0;
    o->twist.vx += share * (v.vx - o->twist.vx);
    o->twist.vy += share * (v.vy - o->twist.vy);
    o->twist.w += share * (v.w - o->twist.w);
    o->gain = share / (2.0 - share);
}

// Confidence that the smoothed twist is not noise: of three normal numbers, 1 - P(chi^2 > x).
static double slip_confidence(const br_online* o)
{
    const double per_v = 1.0 / (o->def.speed_noise * o->def.speed_noise * o->gain);
    const double per_w = 1.0 / (o->def.spin_noise * o->def.spin_noise * o->gain);
    const br_twist v = o->twist;
    const double x = (v.vx * v.vx + v.vy * v.vy) * per_v + v.w * v.w * per_w;
    return erf(sqrt(0.5 * x)) - sqrt(0.63661977236758134 * x) * exp(-0.5 * x); // 2/pi
}

// Power of friction for mu fn = 1 at a twist [m/s]: D(v) of the limit surface.
static double power_of(const br_online* o, br_twist v)
{
    if (o->def.surface) {
        const br_wrench s = br_limit_eval(o->def.surface, v).wrench;
        return fabs(s.fx * v.vx + s.fy * v.vy + s.tau * v.w);
    }
    return sqrt(v.vx * v.vx + v.vy * v.vy + o->def.r * o->def.r * v.w * v.w);
}

// Force of a wrench on the ellipsoid [N]: |f| with the torque over r.
static double size_of(const br_online* o, br_wrench f)
{
    const double tau = f.tau / o->def.r;
    return sqrt(f.fx * f.fx + f.fy * f.fy + tau * tau);
}

// Variance of one measurement of mu.
static double variance_of(const br_online* o, double mu, double fn)
{
    const double tau = o->def.torque_noise / o->def.r, force = o->def.force_noise;
    return (force * force * (1.0 + mu * mu) + tau * tau) / (fn * fn);
}

// mu = -f.v/(fn D(v)) while it slips                                                            (F-8)
static void learn(br_online* o, br_wrench f, double fn)
{
    const br_twist v = o->twist;
    const double measured = -(f.fx * v.vx + f.fy * v.vy + f.tau * v.w) / (fn * power_of(o, v));
    const double noise = variance_of(o, o->mu, fn), gain = o->variance / (o->variance + noise);
    o->mu = fmax(o->mu + gain * (measured - o->mu), 1e-6);
    o->variance *= 1.0 - gain;
}

/*
 * Whether this sample's own twist v is at least half of the mean m along it, v.m > m.m/2. After a stop the mean takes
 * some smoothing times to decrease, and the friction of a contact that sticks again is below its limit.
 */
static bool is_moving(const br_online* o, br_twist v)
{
    const br_twist m = o->twist;
    const double r2 = o->def.r * o->def.r;
    return v.vx * m.vx + v.vy * m.vy + r2 * v.w * m.w >
           0.5 * (m.vx * m.vx + m.vy * m.vy + r2 * m.w * m.w);
}

// A contact at rest can hold at least the present load: a lower bound of mu, used where it exceeds the noise.
static void learn_bound(br_online* o, double load, double fn)
{
    const double noise = sqrt(variance_of(o, o->mu, fn)), bound = load - 2.0 * noise;
    if (bound > o->mu) {
        const double gain = o->variance / (o->variance + noise * noise);
        o->mu += gain * (bound - o->mu);
    }
}

static void forget(br_online* o, double h)
{
    const double prior = o->def.mu_error * o->def.mu_error;
    o->variance = fmin(o->variance * exp(h / o->def.memory), prior);
}

// Products of numbers in this range are finite; NaN is out of it.
static bool is_in_range(double x)
{
    return fabs(x) <= 1e50;
}

static bool is_sample(br_twist v, br_wrench f, double fn, double h)
{
    return is_in_range(v.vx) && is_in_range(v.vy) && is_in_range(v.w) && is_in_range(f.fx) &&
           is_in_range(f.fy) && is_in_range(f.tau) && is_in_range(fn) && h > 0.0;
}

br_online_value br_online_step(br_online* o, br_twist v, br_wrench f, double fn, double h)
{
    const int is_good = is_sample(v, f, fn, h);
    const double size = size_of(o, f), noise = o->def.force_noise;
    const double touches = 0.5 * erfc(-(fn - 2.0 * noise) / (noise * 1.4142135623730951));
    const double slip = is_good ? (smooth(o, v, h), slip_confidence(o)) : (double)o->is_slipping;
    o->is_slipping = o->is_slipping ? slip > 0.9 : slip > 0.999;
    if (is_good && fn > 4.0 * noise) {
        forget(o, h);
        if (o->is_slipping && is_moving(o, v)) {
            learn(o, f, fn);
        } else if (!o->is_slipping) {
            learn_bound(o, size / fn, fn);
        }
    }
    const double needed = size / o->mu; // the smallest fn that would hold this wrench
    return (br_online_value){.mu = o->mu,
                             .mu_error = sqrt(o->variance),
                             .load = fn > 0.0 ? needed / fn : HUGE_VAL,
                             .margin = fn - needed,
                             .slip_speed = power_of(o, o->twist),
                             .slip = slip,
                             .is_slipping = o->is_slipping,
                             .contact = touches};
}
