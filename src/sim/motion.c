/*
 * A contact under an imposed planar motion.
 *
 * The twist is given, so a cell depends on its own bristle alone: the Jacobian is made of 2 x 2
 * blocks, and a step costs O(cells).
 */
#include "bristle/motion.h"

#include "sim/run.h"

typedef struct motion_system {
    const br_motion* motion;
    const br_run_def* def;
    void (*row)(const br_motion_row* row, void* user);
    double within; // a time inside the smooth piece that counts [s]
    size_t cells;
    br_distributed_gradient gradient; // at the last linearisation
    double* inverse;                  // of shift I - dz_z, cell by cell: xx, xy, yx, yy (4 cells)
    double* rates;                    // scratch (2 cells)
    double* memory;                   // the block that holds these, the state and its tolerances
} motion_system;

static br_twist twist_at(const motion_system* s, double t, br_twist* slope)
{
    const br_motion* m = s->motion;
    br_twist ignored;
    br_twist* d = slope ? slope : &ignored;
    return (br_twist){br_profile_eval(&m->vx, t, s->within, &d->vx),
                      br_profile_eval(&m->vy, t, s->within, &d->vy),
                      br_profile_eval(&m->w, t, s->within, &d->w)};
}

// Velocity of a point of the patch that turns and slides.
static br_vec2 velocity_at(br_vec2 slide, double w, br_vec2 at)
{
    return (br_vec2){slide.x - w * at.y, slide.y + w * at.x};
}

static void rate(double t, const double* y, double* dy, void* user)
{
    const motion_system* s = user;
    br_distributed_eval(s->motion->distributed, y, twist_at(s, t, NULL), 1.0, dy);
}

// d(dz)/dt = d(dz)/dv_t . dv_t/dt of each cell
static void linearise(double t, const double* y, double* dfdt, void* user)
{
    motion_system* s = user;
    const br_distributed* model = s->motion->distributed;
    const size_t n = s->cells;
    br_twist slope;
    const br_twist v = twist_at(s, t, &slope);
    br_distributed_gradient_eval(model, y, v, &s->gradient);
    const br_vec2 slide =
        br_vec2_rotate((br_vec2){slope.vx, slope.vy}, -br_distributed_get_angle(model));
    const double* d = s->gradient.dz_v;
    for (size_t i = 0; i < n; i++) {
        const br_vec2 at = br_distributed_get_cell(model, i).position;
        const br_vec2 a = velocity_at(slide, slope.w, at);
        dfdt[i] = d[i] * a.x + d[n + i] * a.y;
        dfdt[n + i] = d[2 * n + i] * a.x + d[3 * n + i] * a.y;
    }
}

static int factor(double shift, void* user)
{
    motion_system* s = user;
    const size_t n = s->cells;
    const double* j = s->gradient.dz_z;
    for (size_t i = 0; i < n; i++) {
        const double a = shift - j[i], b = -j[n + i], c = -j[2 * n + i], d = shift - j[3 * n + i];
        const double over = 1.0 / (a * d - b * c);
        if (!isfinite(over)) {
            return 0;
        }
        s->inverse[i] = d * over;
        s->inverse[n + i] = -b * over;
        s->inverse[2 * n + i] = -c * over;
        s->inverse[3 * n + i] = a * over;
    }
    return 1;
}

static void solve(double* b, void* user)
{
    const motion_system* s = user;
    const size_t n = s->cells;
    for (size_t i = 0; i < n; i++) {
        const double x = b[i], y = b[n + i];
        b[i] = s->inverse[i] * x + s->inverse[n + i] * y;
        b[n + i] = s->inverse[2 * n + i] * x + s->inverse[3 * n + i] * y;
    }
}

// --- three bristles ---------------------------------------------------------------------------------

static void reduced_rate(double t, const double* y, double* dy, void* user)
{
    const motion_system* s = user;
    br_reduced_eval(s->motion->reduced, y, twist_at(s, t, NULL), 1.0, dy);
}

static void reduced_jacobian(double t, const double* y, double* jacobian, double* dfdt, void* user)
{
    const motion_system* s = user;
    br_twist slope;
    const br_twist v = twist_at(s, t, &slope);
    br_reduced_gradient d;
    br_reduced_gradient_eval(s->motion->reduced, y, v, 1.0, &d);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            jacobian[3 * i + j] = d.dz_z[i][j];
        }
        dfdt[i] = d.dz_v[i][0] * slope.vx + d.dz_v[i][1] * slope.vy + d.dz_v[i][2] * slope.w;
    }
}

static double swing_limit(const br_motion* m)
{
    return fmin(fmin(profile_longest_step(&m->vx), profile_longest_step(&m->vy)),
                fmin(profile_longest_step(&m->w), profile_longest_step(&m->normal_force)));
}

// What one cell allows.
static double cell_longest_step(const br_law* law, br_vec2 z, br_vec2 v, br_vec2 a)
{
    const double speed = br_vec2_norm(v);
    return fmin(imposed_longest_step(law, speed, br_vec2_norm(a)),
                law_longest_step(law, br_vec2_norm(z), speed));
}

static double longest_step(double t, const double* y, void* user)
{
    const motion_system* s = user;
    const br_distributed* model = s->motion->distributed;
    const double angle = br_distributed_get_angle(model);
    br_twist a;
    const br_twist v = twist_at(s, t, &a);
    const br_vec2 slide = br_vec2_rotate((br_vec2){v.vx, v.vy}, -angle);
    const br_vec2 change = br_vec2_rotate((br_vec2){a.vx, a.vy}, -angle);
    double longest = swing_limit(s->motion);
    for (size_t i = 0; i < s->cells; i++) {
        const br_distributed_cell cell = br_distributed_get_cell(model, i);
        if (cell.weight > 0.0) {
            longest = fmin(longest, cell_longest_step(br_distributed_get_law(model),
                                                      (br_vec2){y[i], y[s->cells + i]},
                                                      velocity_at(slide, v.w, cell.position),
                                                      velocity_at(change, a.w, cell.position)));
        }
    }
    return longest;
}

// As for a cell, with the speed |S v| and the deflection |S^-1 z| of the rim.
static double reduced_longest_step(double t, const double* y, void* user)
{
    const motion_system* s = user;
    const br_law* law = br_reduced_get_law(s->motion->reduced);
    const double r = br_reduced_get_patch_value(s->motion->reduced).r;
    br_twist a;
    const br_twist v = twist_at(s, t, &a);
    const double speed = hypot(hypot(v.vx, v.vy), r * v.w);
    const double z = hypot(hypot(y[0], y[1]), r > 0.0 ? y[2] / r : 0.0);
    const double change = hypot(hypot(a.vx, a.vy), r * a.w);
    return fmin(swing_limit(s->motion),
                fmin(imposed_longest_step(law, speed, change), law_longest_step(law, z, speed)));
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

static void enter(void* system, double t, double within, double* y)
{
    (void)t, (void)y;
    ((motion_system*)system)->within = within;
}

static br_wrench wrench_at(const motion_system* s, const double* y, br_twist v, double fn)
{
    if (s->motion->distributed) {
        return br_distributed_eval(s->motion->distributed, y, v, fn, s->rates);
    }
    if (s->motion->reduced) {
        double dz[3];
        return br_reduced_eval(s->motion->reduced, y, v, fn, dz);
    }
    const br_wrench f = br_limit_eval(s->motion->coulomb, v).wrench;
    const double scale = s->motion->mu_c * fn;
    return (br_wrench){scale * f.fx, scale * f.fy, scale * f.tau};
}

static void emit(void* system, double t, const double* y)
{
    const motion_system* s = system;
    const br_twist v = twist_at(s, t, NULL);
    const double fn = br_profile_eval(&s->motion->normal_force, t, s->within, NULL);
    const br_motion_row row = {t, v, wrench_at(s, y, v, fn), fn};
    s->row(&row, s->def->user);
}

static br_status check(const br_motion* m, const br_run_def* def, br_reason* why)
{
    if (!!m->distributed + !!m->reduced + !!m->coulomb != 1) {
        br_reason_set(why, "distributed", "one of distributed, reduced and coulomb must be set");
        return BR_ERR_DEF;
    }
    if (m->coulomb && !(m->mu_c > 0.0 && isfinite(m->mu_c))) {
        br_reason_set(why, "mu_c", "must be finite and > 0, got %g", m->mu_c);
        return BR_ERR_DEF;
    }
    const br_profile* profiles[] = {&m->vx, &m->vy, &m->w, &m->normal_force};
    const char* names[] = {"vx", "vy", "w", "normal_force"};
    for (int i = 0; i < 4; i++) {
        const br_status status = check_profile(profiles[i], names[i], i < 3, why);
        if (status != BR_OK) {
            return status;
        }
    }
    return run_check(def, why);
}

// Arrays for `states` states: state and tolerances, and what the linear algebra needs.
static double* allocate(motion_system* s, size_t states, br_reason* why)
{
    const size_t n = s->cells;
    s->memory = br_allocate(2 * states + 14 * n, sizeof(double));
    if (!s->memory) {
        br_reason_set(why, "", "no memory for %zu cells", n);
        return NULL;
    }
    s->gradient.dz_z = s->memory + 2 * states;
    s->gradient.dz_v = s->gradient.dz_z + 4 * n;
    s->inverse = s->gradient.dz_v + 4 * n;
    s->rates = s->inverse + 4 * n;
    return s->memory;
}

static br_ode equations(motion_system* s, size_t states)
{
    if (s->motion->reduced) {
        return (br_ode){.n = states,
                        .rate = reduced_rate,
                        .jacobian = reduced_jacobian,
                        .longest_step = reduced_longest_step,
                        .user = s};
    }
    if (s->cells == 0) {
        return (br_ode){.n = states, .rate = rest, .jacobian = rest_jacobian, .user = s};
    }
    return (br_ode){.n = states,
                    .rate = rate,
                    .linearise = linearise,
                    .factor = factor,
                    .solve = solve,
                    .longest_step = longest_step,
                    .user = s};
}

br_status br_motion_run(const br_motion* motion, const br_run_def* def,
                        void (*row)(const br_motion_row* row, void* user), br_integrator_cost* cost,
                        br_reason* why)
{
    BR_ASSERT(motion && def && row);
    br_status status = check(motion, def, why);
    if (status != BR_OK) {
        return status;
    }
    motion_system s = {.motion = motion, .def = def, .row = row};
    s.cells = motion->distributed ? br_distributed_get_count(motion->distributed) : 0;
    // an integrator wants at least one state
    const size_t states = s.cells > 0 ? 2 * s.cells : motion->reduced ? 3 : 1;
    double* y = allocate(&s, states, why);
    if (!y) {
        return BR_ERR_MEMORY;
    }
    for (size_t i = 0; i < states; i++) {
        y[states + i] = def->atol_z;
    }
    if (motion->reduced) { // z_tau is in m^2; a point has none to control
        const double r = br_reduced_get_patch_value(motion->reduced).r;
        y[states + 2] *= r > 0.0 ? r : 1.0;
    }
    const br_profile* const profiles[] = {&motion->vx, &motion->vy, &motion->w,
                                          &motion->normal_force, NULL};
    const run_system system = {.system = &s,
                               .n = states,
                               .y = y,
                               .atol = y + states,
                               .ode = equations(&s, states),
                               .profiles = profiles,
                               .enter = enter,
                               .emit = emit};
    status = run_all(&system, def, cost, why);
    br_release(s.memory);
    return status;
}
