/*
 * Random smooth motions, and planar contacts run along them: how far is one method from another?
 *
 * The patches are W&K's own grids (golden/wk/surface_*), 21 x 21 cells over 20 mm.
 */
#ifndef BRISTLE_TEST_HISTORY_H
#define BRISTLE_TEST_HISTORY_H

#include "table.h"

#include "bristle/contact.h"

enum { GRID = 21, MOST_STATES = 5 * 4 * GRID * GRID, SAMPLES = 501, HISTORIES = 20 };

static inline br_patch* read_surface(const char* folder, const char* name)
{
    static table stored;
    static double cells[GRID * GRID];
    char file[64];
    snprintf(file, sizeof file, "surface_%s.csv", name);
    table_read(&stored, folder, file);
    memset(cells, 0, sizeof cells);
    for (size_t i = 0; i < stored.rows; i++) {
        const int column = (int)table_get(&stored, i, "ix"), row = (int)table_get(&stored, i, "iy");
        cells[row * GRID + column] = table_get(&stored, i, "fn_cell");
    }
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_GRID;
    def.size_x = def.size_y = 0.02;
    def.columns = def.rows = GRID;
    def.cells = cells;
    br_patch* patch = NULL;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    return patch;
}

// Table I of W&K: p = 0 as LuGre, p = 1 as elasto-plastic.
static inline br_law table_one(int p)
{
    br_law law = br_law_default(p ? BR_LAW_ELASTO_PLASTIC : BR_LAW_LUGRE);
    law.mu_s = p ? 1.2 : 1.0;
    law.sigma2 = p ? 0.2 : 0.0;
    return law;
}

// A motion at the CoP: component i = e(t) sum over k of A_ik sin(W_ik t + P_ik).
typedef struct history {
    double amplitude[3][4]; // [m/s, m/s, rad/s]
    double frequency[3][4]; // [rad/s]
    double phase[3][4];     // [rad]
    double ramp, stop, restart;
} history;

static inline history random_history(uint64_t seed)
{
    history h;
    const double a = 0.005 * pow(10.0, -2.0 * uniform(&seed, 0.0, 1.0));
    const double spin = a / 0.007 * pow(10.0, 0.6 * uniform(&seed, -0.5, 0.5));
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++) {
            h.amplitude[i][k] = 1.6 * (i < 2 ? a : spin) * uniform(&seed, -0.5, 0.5);
            h.frequency[i][k] = 2.0 * BR_PI * (0.5 + 3.0 * k * uniform(&seed, 0.0, 1.0));
            h.phase[i][k] = 2.0 * BR_PI * uniform(&seed, 0.0, 1.0);
        }
    }
    h.ramp = uniform(&seed, 0.15, 0.25);
    h.stop = uniform(&seed, 0.45, 0.55);
    h.restart = uniform(&seed, 0.6, 0.65);
    return h;
}

static inline double smooth_step(double x)
{
    const double c = fmin(fmax(x, 0.0), 1.0);
    return c * c * (3.0 - 2.0 * c);
}

// The motion ramps up, stops, and starts again in a new direction.
static inline br_twist history_at(const history* h, double t)
{
    const double envelope = smooth_step(t / h->ramp) * (1.0 - smooth_step((t - h->stop) / 0.05) +
                                                        smooth_step((t - h->restart) / 0.1));
    double v[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++) {
            v[i] += envelope * h->amplitude[i][k] * sin(h->frequency[i][k] * t + h->phase[i][k]);
        }
    }
    return (br_twist){v[0], v[1], v[2]};
}

// A contact by any method.
typedef struct planar {
    br_contact* contact;
    br_limit* surface; // of a reduced contact
} planar;

static inline planar planar_with(br_contact_def def, br_limit* surface)
{
    planar m = {NULL, surface};
    assert_status(br_contact_create(&def, &m.contact, NULL), BR_OK);
    return m;
}

static inline planar planar_distributed(const br_patch* patch, br_law law, size_t resolution)
{
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_DISTRIBUTED;
    def.patch = patch;
    def.law = law;
    def.resolution = resolution;
    return planar_with(def, NULL);
}

static inline planar planar_blocks(const br_patch* patch, br_law law, size_t across)
{
    br_contact_def def = br_contact_def_default();
    def.patch = patch;
    def.law = law;
    def.resolution = across;
    return planar_with(def, NULL);
}

// W&K's reduced method; as published with BR_LIMIT_PUBLISHED.
static inline planar planar_reduced(const br_patch* patch, br_law law, br_limit_method method)
{
    br_limit_def surface_def = br_limit_def_default();
    surface_def.patch = patch;
    surface_def.method = method;
    br_limit* surface = NULL;
    assert_status(br_limit_create(&surface_def, &surface, NULL), BR_OK);
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_REDUCED;
    def.law = law;
    def.surface = surface;
    def.guard = 0;
    return planar_with(def, surface);
}

static inline void planar_destroy(planar m)
{
    br_contact_destroy(m.contact);
    br_limit_destroy(m.surface);
}

static inline void move_state(const double* z, double h, const double* dz, size_t n, double* out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = z[i] + h * dz[i];
    }
}

// One step of the classical Runge-Kutta method along a history, normal force 1 N.
static inline void runge_kutta_step(planar m, const history* path, double t, double h, double* z)
{
    static double k[4][MOST_STATES], trial[MOST_STATES];
    const br_twist middle = history_at(path, t + 0.5 * h);
    const size_t states = br_contact_get_state_count(m.contact);
    br_contact_eval(m.contact, z, history_at(path, t), 1.0, k[0]);
    move_state(z, 0.5 * h, k[0], states, trial);
    br_contact_eval(m.contact, trial, middle, 1.0, k[1]);
    move_state(z, 0.5 * h, k[1], states, trial);
    br_contact_eval(m.contact, trial, middle, 1.0, k[2]);
    move_state(z, h, k[2], states, trial);
    br_contact_eval(m.contact, trial, history_at(path, t + h), 1.0, k[3]);
    for (size_t i = 0; i < states; i++) {
        z[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}

// Steps from one sample to the next: the bristles relax at up to sigma0 f |v|/g, f <= 2.2.
static inline int steps_between(const history* path, double t, double apart)
{
    const br_twist from = history_at(path, t), to = history_at(path, t + apart);
    const double fastest =
        hypot(fmax(fabs(from.vx), fabs(to.vx)), fmax(fabs(from.vy), fabs(to.vy))) +
        0.014 * fmax(fabs(from.w), fabs(to.w)); // [m/s], at a corner
    return 4 + (int)(apart * 1e6 * fastest / 0.7);
}

// The wrench at every sample of a history: 1 s, every 2 ms.
static inline void run_history(planar m, const history* path, br_wrench out[SAMPLES])
{
    static double z[MOST_STATES], dz[MOST_STATES];
    assert_true(br_contact_get_state_count(m.contact) <= MOST_STATES);
    memset(z, 0, sizeof z);
    const double apart = 1.0 / (SAMPLES - 1);
    for (int i = 0; i < SAMPLES; i++) {
        const double t = apart * i;
        out[i] = br_contact_eval(m.contact, z, history_at(path, t), 1.0, dz);
        const int steps = steps_between(path, t, apart);
        for (int k = 0; k < steps; k++) {
            runge_kutta_step(m, path, t + apart * k / steps, apart / steps, z);
        }
    }
}

// How far a model is from another, summed over all samples of all histories.
typedef struct misfit {
    size_t samples;
    double force, torque;           // sums of squared differences
    double most_force, most_torque; // of the reference
} misfit;

static inline void misfit_add(misfit* sum, br_wrench f, br_wrench reference)
{
    const double dx = f.fx - reference.fx, dy = f.fy - reference.fy, dt = f.tau - reference.tau;
    sum->samples++;
    sum->force += dx * dx + dy * dy;
    sum->torque += dt * dt;
    sum->most_force = fmax(sum->most_force, hypot(reference.fx, reference.fy));
    sum->most_torque = fmax(sum->most_torque, fabs(reference.tau));
}

// Run some models and their reference along the history of a seed.
static inline void misfit_run(misfit* sums, const planar* models, size_t count, planar reference,
                              uint64_t seed)
{
    static br_wrench f[SAMPLES], expected[SAMPLES];
    const history path = random_history(seed);
    run_history(reference, &path, expected);
    for (size_t k = 0; k < count; k++) {
        run_history(models[k], &path, f);
        for (int i = 0; i < SAMPLES; i++) {
            misfit_add(&sums[k], f[i], expected[i]);
        }
    }
}

// Root mean square error over the largest value of the reference [-].
static inline double misfit_force(const misfit* sum)
{
    return sqrt(sum->force / (double)sum->samples) / sum->most_force;
}

static inline double misfit_torque(const misfit* sum)
{
    return sqrt(sum->torque / (double)sum->samples) / sum->most_torque;
}

#endif
