/*
 * A contact under an imposed planar motion.
 *
 * A patch that depends on the force is updated before every evaluation; that costs nothing while the
 * normal force is constant.
 *
 * The twist is given, so a part of the contact (contact.h) depends only on its own bristles: the
 * Jacobian consists of 2 x 2 (3 x 3) blocks, and a step costs O(cells).
 */
#include "bristle/motion.h"

#include <string.h>

#include "base/definition.h"
#include "sim/contact.h"
#include "sim/run.h"

// Tolerances of the steps, a share of the requested ones (motion.h), but not below these limits unless
// requested, because of the rounding of the models.
static const double rtol_part = 1e-2, atol_z_part = 1e-3;
static const double atol_z_part_reduced = 1e-4; // three bristles have all kinks of a table
static const double rtol_finest = 1e-9;
static const double atol_z_finest = 1e-15; // [m]

typedef struct motion_system {
    const br_motion* motion;
    const br_run_def* def;
    const br_run_watch* watch;
    run_row row;
    double within;   // a time inside the current smooth piece [s]
    int is_apart;    // no normal force in that piece: the bristles are 0
    contact contact; // without parts for Coulomb friction, which has no bristles
    double* rates;   // scratch (states)
    void* at_memory; // memory of a Coulomb surface that depends on the force, or NULL
    br_slip_state state;
} motion_system;

// Slip of the contact in a row.
typedef struct row_slip {
    br_slip_state state;
    double rate, load;
} row_slip;

#define MAIN(X)                                                                                    \
    X("t", "s", NULL, t), X("vx", "m/s", NULL, v.vx), X("vy", "m/s", NULL, v.vy),                  \
        X("w", "rad/s", NULL, v.w), X("fx", "N", NULL, f.fx), X("fy", "N", NULL, f.fy),            \
        X("tau", "N m", NULL, f.tau), X("fn", "N", NULL, fn)
#define SLIP(X)                                                                                    \
    X("state", "-", contact_state_words, slip.state), X("slip", "m/s", NULL, slip.rate),           \
        X("load", "-", NULL, slip.load)

static const br_column main_columns[] = {MAIN(COLUMN_ENTRY)}, slip_columns[] = {SLIP(COLUMN_ENTRY)};
static const column_group groups[] = {COLUMN_GROUP(main_columns, BR_COLUMNS_MAIN, 1),
                                      COLUMN_GROUP(slip_columns, BR_COLUMNS_SLIP, 1)};
enum { GROUPS = sizeof groups / sizeof *groups };

size_t br_motion_get_columns(unsigned sets, br_column* out)
{
    return bri_columns_list(groups, GROUPS, 1, sets, out);
}

static br_twist twist_at(const motion_system* s, double t, br_twist* slope)
{
    const br_motion* m = s->motion;
    br_twist ignored;
    br_twist* d = slope ? slope : &ignored;
    return (br_twist){br_profile_eval(&m->vx, t, s->within, &d->vx),
                      br_profile_eval(&m->vy, t, s->within, &d->vy),
                      br_profile_eval(&m->w, t, s->within, &d->w)};
}

static double force_at(const motion_system* s, double t, double* slope)
{
    return br_profile_eval(&s->motion->normal_force, t, s->within, slope);
}

// Rates of the bristles, with the patch at the force fn.
static void rates_at(motion_system* s, const double* y, br_twist v, double fn, double* dy)
{
    if (s->is_apart) {
        memset(dy, 0, contact_states(&s->contact) * sizeof *dy);
        return;
    }
    bri_contact_fill_at_force(&s->contact, fn);
    bri_contact_rate(&s->contact, y, v, 1.0, dy);
}

static void rate(double t, const double* y, double* dy, void* user)
{
    motion_system* s = user;
    rates_at(s, y, twist_at(s, t, NULL), force_at(s, t, NULL), dy);
}

// dfdt += d(rate)/dfn dfn/dt where the patch depends on the force: a central difference
static void add_force_slope(motion_system* s, double t, const double* y, br_twist v, double* dfdt)
{
    double slope;
    const double fn = force_at(s, t, &slope), step = 1e-5 * fn;
    if (slope == 0.0 || step == 0.0 || !s->contact.grows) {
        return;
    }
    for (int side = -1; side <= 1; side += 2) {
        rates_at(s, y, v, fn + side * step, s->rates);
        for (size_t i = 0; i < contact_states(&s->contact); i++) {
            dfdt[i] += side * slope / (2.0 * step) * s->rates[i];
        }
    }
    bri_contact_fill_at_force(&s->contact, fn);
}

// d(rate)/dt = d(rate)/dv . dv/dt, and the effect of the normal force
static void linearise(double t, const double* y, double* dfdt, void* user)
{
    motion_system* s = user;
    br_twist slope;
    const br_twist v = twist_at(s, t, &slope);
    if (s->is_apart) {
        bri_contact_rest(&s->contact);
        memset(dfdt, 0, contact_states(&s->contact) * sizeof *dfdt);
        return;
    }
    bri_contact_fill_at_force(&s->contact, force_at(s, t, NULL));
    bri_contact_linearise(&s->contact, y, v);
    bri_contact_push(&s->contact, slope, dfdt);
    add_force_slope(s, t, y, v, dfdt);
}

static int factor(double shift, void* user)
{
    motion_system* s = user;
    double stiffness[3][3];
    return bri_contact_factor(&s->contact, shift, stiffness);
}

static void solve(double* b, void* user)
{
    const motion_system* s = user;
    bri_contact_eliminate(&s->contact, b, b);
}

static double profile_step_limit(const br_motion* m)
{
    return fmin(fmin(bri_profile_longest_step(&m->vx), bri_profile_longest_step(&m->vy)),
                fmin(bri_profile_longest_step(&m->w), bri_profile_longest_step(&m->normal_force)));
}

// Root mean square speed of a part, for the velocity (vx, vy) at the CoP and the spin w.
static double mean_size(const contact* c, size_t i, br_vec2 slide, double w)
{
    const double vx = slide.x - w * c->y[i], vy = slide.y + w * c->x[i];
    return sqrt(vx * vx + vy * vy + w * w * c->extent[i]);
}

static double longest_step(double t, const double* y, void* user)
{
    const motion_system* s = user;
    const contact* c = &s->contact;
    const size_t n = c->parts;
    br_twist a;
    const br_twist v = bri_contact_enter(c, twist_at(s, t, &a)), rate = bri_contact_enter(c, a);
    const br_vec2 slide = {v.vx, v.vy}, change = {rate.vx, rate.vy};
    double longest = profile_step_limit(s->motion);
    for (size_t i = 0; i < n; i++) {
        if (!(c->weight[i] > 0.0)) {
            continue;
        }
        const double speed = mean_size(c, i, slide, v.w);
        const double rate_of_speed = mean_size(c, i, change, a.w);
        longest = fmin(longest, bri_imposed_longest_step(c->law, speed, rate_of_speed));

        // bristles of a turning block are never all in the plastic band: this limit is for cells only
        if (!(c->extent[i] > 0.0)) {
            longest = fmin(longest, bri_law_longest_step(c->law, hypot(y[i], y[n + i]), speed));
        }
    }
    return longest;
}

// As for a cell, with the speed |S v| and the deflection |S^-1 z| of the rim.
static double reduced_longest_step(double t, const double* y, void* user)
{
    const motion_system* s = user;
    const br_law* law = s->contact.law;
    const double r = s->contact.value.r;
    br_twist a;
    const br_twist v = bri_contact_enter(&s->contact, twist_at(s, t, &a));
    const br_twist rate = bri_contact_enter(&s->contact, a);
    const double speed = hypot(hypot(v.vx, v.vy), r * v.w);
    const double z = bri_contact_deflection(&s->contact, y);
    const double change = hypot(hypot(rate.vx, rate.vy), r * rate.w);
    return fmin(profile_step_limit(s->motion), fmin(bri_imposed_longest_step(law, speed, change),
                                                    bri_law_longest_step(law, z, speed)));
}

static void rest(double t, const double* y, double* dy, void* user)
{
    (void)t, (void)y, (void)user;
    dy[0] = 0.0;
}

static void rest_jacobian(double t, const double* y, double* jacobian, double* dfdt, void* user)
{
    (void)t, (void)y, (void)user;
    jacobian[0] = dfdt[0] = 0.0;
}

// Without normal force there is no contact: the bristles are reset to 0, without work.
static void enter(void* system, double t, double within, double* y)
{
    (void)t;
    motion_system* s = system;
    s->within = within;
    double slope;
    s->is_apart = force_at(s, within, &slope) == 0.0 && slope == 0.0;
    if (s->is_apart) {
        memset(y, 0, contact_states(&s->contact) * sizeof *y);
    }
}

// Friction is proportional to fn, so any positive number will do for a closed contact.
static double any_force(const motion_system* s)
{
    return s->is_apart ? 0.0 : 1.0;
}

static br_contact_slip slip_at(const motion_system* s, const double* y, br_twist v)
{
    return br_contact_slip_eval(s->contact.now, y, v, any_force(s), s->state, NULL);
}

// Update the slip state in each step, because rows may be far apart.
static void pass(void* system, const br_integrator* integrator, double t, const double* y)
{
    (void)integrator;
    motion_system* s = system;
    bri_contact_fill_at_force(&s->contact, force_at(s, t, NULL));
    s->state = slip_at(s, y, twist_at(s, t, NULL)).state;
}

static br_wrench wrench_at(motion_system* s, const double* y, br_twist v, double fn)
{
    if (!s->motion->coulomb) {
        bri_contact_fill_at_force(&s->contact, fn);
        return bri_contact_rate(&s->contact, y, v, fn, s->rates);
    }
    const br_limit* surface = br_limit_at_force(s->motion->coulomb, fn, s->at_memory);
    const br_wrench f = br_limit_eval(surface, v).wrench;
    const double scale = s->motion->mu_c * fn;
    return (br_wrench){scale * f.fx, scale * f.fy, scale * f.tau};
}

// Friction without bristles slips wherever it moves.
static row_slip slip_of_coulomb(const motion_system* s, br_twist v, br_wrench f, double fn)
{
    const double power = f.fx * v.vx + f.fy * v.vy + f.tau * v.w;
    const double force = s->motion->mu_c * fn, rate = power < 0.0 ? -power / force : 0.0;
    const br_slip_state state = s->is_apart  ? BR_STATE_OPEN
                                : rate > 0.0 ? BR_STATE_SLIP
                                             : BR_STATE_STICK;
    return (row_slip){state, rate, state == BR_STATE_SLIP};
}

static row_slip slip_of_bristles(motion_system* s, const double* y, br_twist v, double fn)
{
    bri_contact_fill_at_force(&s->contact, fn);
    const br_contact_slip slip = slip_at(s, y, v);
    s->state = slip.state;
    return (row_slip){slip.state, slip.slip_rate,
                      br_contact_load_eval(s->contact.now, y, v, any_force(s))};
}

static void emit(void* system, double t, const double* y)
{
    motion_system* s = system;
    const br_twist v = twist_at(s, t, NULL);
    const double fn = force_at(s, t, NULL);
    const br_wrench f = wrench_at(s, y, v, fn);
    double* to = s->row.values;
    MAIN(COLUMN_VALUE);
    if (s->row.sets & BR_COLUMNS_SLIP) {
        const row_slip slip =
            s->motion->coulomb ? slip_of_coulomb(s, v, f, fn) : slip_of_bristles(s, y, v, fn);
        SLIP(COLUMN_VALUE);
    }
    bri_row_emit(&s->row);
}

static br_status check(const br_motion* m, double duration, br_reason* why)
{
    if (!!m->contact + !!m->coulomb != 1) {
        br_reason_set(why, "contact", "one of contact and coulomb must be set");
        return BR_ERR_DEF;
    }
    if (m->contact && br_contact_depends_on_pose(m->contact)) {
        br_reason_set(
            why, "contact",
            "has a field of mu that is fixed to the ground, but a given twist has no position: fix the field to "
            "the patch, or run a body");
        return BR_ERR_DEF;
    }
    if (m->coulomb && !(m->mu_c > 0.0 && isfinite(m->mu_c))) {
        br_reason_set(why, "mu_c", "must be finite and > 0, got %g", m->mu_c);
        return BR_ERR_DEF;
    }
    const br_profile* profiles[] = {&m->vx, &m->vy, &m->w};
    const char* names[] = {"vx", "vy", "w"};
    br_status status = BR_OK;
    for (int i = 0; status == BR_OK && i < 3; i++) {
        status = bri_check_profile(profiles[i], names[i], why);
    }
    return status == BR_OK ? bri_check_normal_force(&m->normal_force, duration, "normal_force", why)
                           : status;
}

// Three bristles for the whole patch? Coulomb friction has none.
static int is_reduced(const motion_system* s)
{
    return s->contact.parts == 1 && s->contact.size == 3;
}

static br_ode equations(motion_system* s, size_t states)
{
    if (s->motion->coulomb) {
        return (br_ode){.size = sizeof(br_ode),
                        .n = states,
                        .rate = rest,
                        .jacobian = rest_jacobian,
                        .user = s};
    }
    return (br_ode){.size = sizeof(br_ode),
                    .n = states,
                    .rate = rate,
                    .linearise = linearise,
                    .factor = factor,
                    .solve = solve,
                    .longest_step = is_reduced(s) ? reduced_longest_step : longest_step,
                    .user = s};
}

static double well_inside(double asked, double part, double finest)
{
    return fmin(asked, fmax(part * asked, finest));
}

static br_status run(motion_system* s, br_integrator_cost* cost, br_reason* why)
{
    const br_motion* motion = s->motion;

    // an integrator needs at least one state
    const size_t states = motion->coulomb ? 1 : contact_states(&s->contact);
    double* y = br_allocate(3 * states, sizeof *y);
    if (!y) {
        br_reason_set(why, "", "no memory for %zu states", states);
        return BR_ERR_MEMORY;
    }
    double* atol = y + states;
    s->rates = atol + states;
    br_run_def def = *s->def;
    def.rtol = well_inside(def.rtol, rtol_part, rtol_finest);
    def.atol_z =
        well_inside(def.atol_z, is_reduced(s) ? atol_z_part_reduced : atol_z_part, atol_z_finest);
    atol[0] = def.atol_z;
    bri_contact_tolerances(&s->contact, def.atol_z, atol);
    const br_profile* const profiles[] = {&motion->vx, &motion->vy, &motion->w,
                                          &motion->normal_force, NULL};
    const run_system system = {.system = s,
                               .n = states,
                               .y = y,
                               .atol = atol,
                               .ode = equations(s, states),
                               .profiles = profiles,
                               .enter = enter,
                               .passed = motion->coulomb ? NULL : pass,
                               .emit = emit};
    const br_status status = bri_run_all(&system, &def, s->watch, cost, why);
    br_release(y);
    return status;
}

// Allocate the surface of Coulomb friction at a force; returns 0 without memory.
static int allocate_at_force(motion_system* s)
{
    const size_t bytes = br_limit_get_at_force_size(s->motion->coulomb);
    s->at_memory = bytes > 0 ? br_allocate(1, bytes) : NULL;
    return bytes == 0 || s->at_memory;
}

static const run_kind kind = {.is_adaptive = 1, .rtol = BR_RTOL, .atol_z = BR_ATOL_Z};

br_motion br_motion_default(void)
{
    return (br_motion){
        .size = sizeof(br_motion), .mu_c = 1.0, .normal_force = br_profile_constant(1.0)};
}

br_status br_motion_run(const br_motion* given, const br_run_def* def,
                        const br_run_watch* given_watch, br_integrator_cost* cost, br_reason* why)
{
    BR_ASSERT(given && def && given_watch);
    br_motion motion = br_motion_default();
    br_run_def full;
    br_run_watch watch;
    br_status status = DEFINITION_READ(br_motion, given, &motion, why);
    status = status == BR_OK ? bri_run_check(&kind, def, given_watch, &full, &watch, why) : status;
    status = status == BR_OK ? check(&motion, full.duration, why) : status;
    motion_system s = {.motion = &motion, .def = &full, .watch = &watch};
    if (status == BR_OK && !motion.coulomb) {
        status = bri_contact_create(&s.contact, motion.contact, why);
    }
    if (status == BR_OK && motion.coulomb && !allocate_at_force(&s)) {
        br_reason_set(why, "", "no memory for a limit surface");
        status = BR_ERR_MEMORY;
    }
    if (status == BR_OK) {
        status = bri_row_create(&s.row, groups, GROUPS, 1, &full, &watch, why);
    }
    if (status == BR_OK) {
        status = run(&s, cost, why);
    }
    bri_row_release(&s.row);
    br_release(s.at_memory);
    bri_contact_release(&s.contact);
    return status;
}
