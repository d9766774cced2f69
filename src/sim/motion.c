/*
 * A contact under an imposed planar motion.
 *
 * A patch that depends on the force is spread before every evaluation; while the normal force stays
 * the same, that costs nothing.
 *
 * The twist is given, so a cell (or block) depends on its own bristles alone: the Jacobian is made of
 * 2 x 2 (3 x 3) matrices, and a step costs O(cells).
 */
#include "bristle/motion.h"

#include <string.h>

#include "math/lu.h"
#include "sim/run.h"

typedef struct motion_system {
    const br_motion* motion;
    const br_run_def* def;
    void (*row)(const br_motion_row* row, void* user);
    double within; // a time inside the smooth piece that counts [s]
    int is_apart;  // no normal force in that piece: the bristles are let go and rest

    // the parts that a model is made of: cells, or blocks; entry (row, column) of the matrix of part i
    // is at (size row + column) parts + i
    size_t states;   // of the integrator
    size_t parts;    // 0: the model has none
    size_t size;     // states of a part: 2, or 3
    double angle;    // of the patch's axes [rad]
    double* dz_z;    // at the last linearisation (size^2 parts)
    double* dz_v;    // the same by the motion of the part (size^2 parts)
    double* inverse; // of shift I - dz_z (size^2 parts)
    double* rates;   // scratch (states)
    double* memory;  // the block that holds these, the state and its tolerances
} motion_system;

static const br_law* law_of(const motion_system* s)
{
    return s->motion->distributed ? br_distributed_get_law(s->motion->distributed)
                                  : br_blocks_get_law(s->motion->blocks);
}

// A cell or block: its place from the CoP, its share of the normal force (0: padding), and the mean
// square of its extent [m^2].
typedef struct part {
    br_vec2 position;
    double weight, extent;
} part;

static part part_at(const motion_system* s, size_t i)
{
    if (s->motion->distributed) {
        const br_distributed_cell cell = br_distributed_get_cell(s->motion->distributed, i);
        return (part){cell.position, cell.weight, 0.0};
    }
    const br_blocks_block block = br_blocks_get_block(s->motion->blocks, i);
    return (part){block.position, block.weight, block.xx + block.yy};
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

static void spread(const motion_system* s, double fn)
{
    const br_motion* m = s->motion;
    if (m->distributed) {
        br_distributed_spread(m->distributed, fn);
    } else if (m->blocks) {
        br_blocks_spread(m->blocks, fn);
    } else if (m->reduced) {
        br_reduced_spread(m->reduced, fn);
    } else {
        br_limit_spread(m->coulomb, fn);
    }
}

// Velocity of a point of the patch that turns and slides.
static br_vec2 velocity_at(br_vec2 slide, double w, br_vec2 at)
{
    return (br_vec2){slide.x - w * at.y, slide.y + w * at.x};
}

// Rates of the bristles at a force that spreads the patch.
static void rates_at(const motion_system* s, const double* y, br_twist v, double fn, double* dy)
{
    if (s->is_apart) {
        memset(dy, 0, s->states * sizeof *dy);
        return;
    }
    spread(s, fn);
    if (s->motion->distributed) {
        br_distributed_eval(s->motion->distributed, y, v, 1.0, dy);
    } else if (s->motion->blocks) {
        br_blocks_eval(s->motion->blocks, y, v, 1.0, dy);
    } else {
        br_reduced_eval(s->motion->reduced, y, v, 1.0, dy);
    }
}

static void rate(double t, const double* y, double* dy, void* user)
{
    const motion_system* s = user;
    rates_at(s, y, twist_at(s, t, NULL), force_at(s, t, NULL), dy);
}

static int depends_on_force(const motion_system* s)
{
    const br_motion* m = s->motion;
    return m->distributed ? br_distributed_depends_on_force(m->distributed)
           : m->blocks    ? br_blocks_depends_on_force(m->blocks)
                          : br_reduced_depends_on_force(m->reduced);
}

// dfdt += d(rate)/dfn dfn/dt, where the patch is spread anew all the time: a central difference
static void add_force_slope(const motion_system* s, double t, const double* y, br_twist v,
                            double* dfdt)
{
    double slope;
    const double fn = force_at(s, t, &slope), step = 1e-5 * fn;
    if (slope == 0.0 || step == 0.0 || !depends_on_force(s)) {
        return;
    }
    for (int side = -1; side <= 1; side += 2) {
        rates_at(s, y, v, fn + side * step, s->rates);
        for (size_t i = 0; i < s->states; i++) {
            dfdt[i] += side * slope / (2.0 * step) * s->rates[i];
        }
    }
    spread(s, fn);
}

static void fill_gradient(motion_system* s, const double* y, br_twist v)
{
    if (s->motion->distributed) {
        const br_distributed_gradient out = {s->dz_z, s->dz_v};
        br_distributed_gradient_eval(s->motion->distributed, y, v, &out);
    } else {
        const br_blocks_gradient out = {s->dz_z, s->dz_v};
        br_blocks_gradient_eval(s->motion->blocks, y, v, &out);
    }
}

// row of (matrix of part i) (x_0, x_1, ...), x_k = vector[k stride]
static double product(const motion_system* s, const double* matrix, size_t row, size_t i,
                      const double* vector, size_t stride)
{
    double sum = 0.0;
    for (size_t k = 0; k < s->size; k++) {
        sum += matrix[(s->size * row + k) * s->parts + i] * vector[k * stride];
    }
    return sum;
}

// d(rate)/dt = d(rate)/dV . dV/dt of each part, V = (v_x, v_y[, w]) there
static void linearise(double t, const double* y, double* dfdt, void* user)
{
    motion_system* s = user;
    br_twist slope;
    const br_twist v = twist_at(s, t, &slope);
    if (s->is_apart) {
        memset(s->dz_z, 0, s->size * s->states * sizeof *s->dz_z);
        memset(dfdt, 0, s->states * sizeof *dfdt);
        return;
    }
    spread(s, force_at(s, t, NULL));
    fill_gradient(s, y, v);
    const br_vec2 slide = br_vec2_rotate((br_vec2){slope.vx, slope.vy}, -s->angle);
    for (size_t i = 0; i < s->parts; i++) {
        const br_vec2 a = velocity_at(slide, slope.w, part_at(s, i).position);
        const double change[3] = {a.x, a.y, slope.w};
        for (size_t row = 0; row < s->size; row++) {
            dfdt[row * s->parts + i] = product(s, s->dz_v, row, i, change, 1);
        }
    }
    add_force_slope(s, t, y, v, dfdt);
}

// Columns of the inverse, one by one, by the small LU.
static int factor(double shift, void* user)
{
    motion_system* s = user;
    const size_t k = s->size, n = s->parts;
    for (size_t i = 0; i < n; i++) {
        double a[9];
        size_t pivot[3];
        for (size_t e = 0; e < k * k; e++) {
            a[e] = (e % (k + 1) == 0 ? shift : 0.0) - s->dz_z[e * n + i];
        }
        if (!lu_factor(a, k, pivot)) {
            return 0;
        }
        for (size_t column = 0; column < k; column++) {
            double unit[3] = {0.0, 0.0, 0.0};
            unit[column] = 1.0;
            lu_solve(a, k, pivot, unit);
            for (size_t row = 0; row < k; row++) {
                s->inverse[(k * row + column) * n + i] = unit[row];
            }
        }
    }
    return 1;
}

static void solve(double* b, void* user)
{
    const motion_system* s = user;
    for (size_t i = 0; i < s->parts; i++) {
        double x[3];
        for (size_t row = 0; row < s->size; row++) {
            x[row] = product(s, s->inverse, row, i, b + i, s->parts);
        }
        for (size_t row = 0; row < s->size; row++) {
            b[row * s->parts + i] = x[row];
        }
    }
}

// --- three bristles ---------------------------------------------------------------------------------

static void reduced_jacobian(double t, const double* y, double* jacobian, double* dfdt, void* user)
{
    const motion_system* s = user;
    br_twist slope;
    const br_twist v = twist_at(s, t, &slope);
    if (s->is_apart) {
        memset(jacobian, 0, 9 * sizeof *jacobian);
        memset(dfdt, 0, 3 * sizeof *dfdt);
        return;
    }
    br_reduced_gradient d;
    spread(s, force_at(s, t, NULL));
    br_reduced_gradient_eval(s->motion->reduced, y, v, 1.0, &d);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            jacobian[3 * i + j] = d.dz_z[i][j];
        }
        dfdt[i] = d.dz_v[i][0] * slope.vx + d.dz_v[i][1] * slope.vy + d.dz_v[i][2] * slope.w;
    }
    add_force_slope(s, t, y, v, dfdt);
}

static double swing_limit(const br_motion* m)
{
    return fmin(fmin(profile_longest_step(&m->vx), profile_longest_step(&m->vy)),
                fmin(profile_longest_step(&m->w), profile_longest_step(&m->normal_force)));
}

// Root mean square over a part of a field that is `mean` at its middle and turns by `turn`.
static double mean_size(br_vec2 mean, double turn, double extent)
{
    return sqrt(br_vec2_dot(mean, mean) + turn * turn * extent);
}

static double longest_step(double t, const double* y, void* user)
{
    const motion_system* s = user;
    const size_t n = s->parts;
    br_twist a;
    const br_twist v = twist_at(s, t, &a);
    const br_vec2 slide = br_vec2_rotate((br_vec2){v.vx, v.vy}, -s->angle);
    const br_vec2 change = br_vec2_rotate((br_vec2){a.vx, a.vy}, -s->angle);
    double longest = swing_limit(s->motion);
    for (size_t i = 0; i < n; i++) {
        const part p = part_at(s, i);
        if (!(p.weight > 0.0)) {
            continue;
        }
        const double speed = mean_size(velocity_at(slide, v.w, p.position), v.w, p.extent);
        const double rate_of_speed = mean_size(velocity_at(change, a.w, p.position), a.w, p.extent);
        longest = fmin(longest, imposed_longest_step(law_of(s), speed, rate_of_speed));

        // bristles of a block that turns are never all in the band: the law's own limit is for cells
        if (!(p.extent > 0.0)) {
            longest = fmin(longest, law_longest_step(law_of(s), hypot(y[i], y[n + i]), speed));
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

// Without normal force there is no contact: the bristles are let go, which costs nothing.
static void enter(void* system, double t, double within, double* y)
{
    (void)t;
    motion_system* s = system;
    s->within = within;
    double slope;
    s->is_apart = force_at(s, within, &slope) == 0.0 && slope == 0.0;
    if (s->is_apart) {
        memset(y, 0, s->states * sizeof *y);
    }
}

static br_wrench wrench_at(const motion_system* s, const double* y, br_twist v, double fn)
{
    if (s->motion->distributed) {
        return br_distributed_eval(s->motion->distributed, y, v, fn, s->rates);
    }
    if (s->motion->blocks) {
        return br_blocks_eval(s->motion->blocks, y, v, fn, s->rates);
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
    const double fn = force_at(s, t, NULL);
    spread(s, fn);
    const br_motion_row row = {t, v, wrench_at(s, y, v, fn), fn};
    s->row(&row, s->def->user);
}

static br_status check(const br_motion* m, const br_run_def* def, br_reason* why)
{
    if (!!m->distributed + !!m->blocks + !!m->reduced + !!m->coulomb != 1) {
        br_reason_set(why, "distributed",
                      "one of distributed, blocks, reduced, coulomb must be set");
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

// The parts of the model, if it has any.
static void count_parts(motion_system* s)
{
    const br_motion* m = s->motion;
    if (m->distributed) {
        s->parts = br_distributed_get_count(m->distributed);
        s->size = 2;
        s->angle = br_distributed_get_angle(m->distributed);
    } else if (m->blocks) {
        s->parts = br_blocks_get_count(m->blocks);
        s->size = 3;
        s->angle = br_blocks_get_angle(m->blocks);
    }
}

// Arrays: state and tolerances, and what the linear algebra needs.
static double* allocate(motion_system* s, br_reason* why)
{
    const size_t matrices = s->size * s->size * s->parts, states = s->states;
    s->memory = br_allocate(3 * states + 3 * matrices, sizeof(double));
    if (!s->memory) {
        br_reason_set(why, "", "no memory for %zu cells", s->parts);
        return NULL;
    }
    s->dz_z = s->memory + 2 * states;
    s->dz_v = s->dz_z + matrices;
    s->inverse = s->dz_v + matrices;
    s->rates = s->inverse + matrices;
    return s->memory;
}

// z_tau and zeta are in m^2: their tolerance is that of z, times a length of the patch.
static void fill_tolerances(const motion_system* s, double atol_z, double* atol)
{
    const br_motion* m = s->motion;
    const double r = m->reduced  ? br_reduced_get_patch_value(m->reduced).r
                     : m->blocks ? br_blocks_get_patch_value(m->blocks).r
                                 : 1.0;
    for (size_t i = 0; i < s->states; i++) {
        const int is_turn = m->reduced ? i == 2 : m->blocks && i >= 2 * s->parts;
        atol[i] = is_turn && r > 0.0 ? atol_z * r : atol_z;
    }
}

static br_ode equations(motion_system* s)
{
    const size_t states = s->states;
    if (s->motion->reduced) {
        return (br_ode){.n = states,
                        .rate = rate,
                        .jacobian = reduced_jacobian,
                        .longest_step = reduced_longest_step,
                        .user = s};
    }
    if (s->parts == 0) {
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
    count_parts(&s);

    // an integrator wants at least one state
    const size_t states = s.states = s.parts > 0 ? s.size * s.parts : motion->reduced ? 3 : 1;
    double* y = allocate(&s, why);
    if (!y) {
        return BR_ERR_MEMORY;
    }
    fill_tolerances(&s, def->atol_z, y + states);
    const br_profile* const profiles[] = {&motion->vx, &motion->vy, &motion->w,
                                          &motion->normal_force, NULL};
    const run_system system = {.system = &s,
                               .n = states,
                               .y = y,
                               .atol = y + states,
                               .ode = equations(&s),
                               .profiles = profiles,
                               .enter = enter,
                               .emit = emit};
    status = run_all(&system, def, cost, why);
    br_release(s.memory);
    return status;
}
