/*
 * Simulation: the stick-slip rig by our Rosenbrock method and, at equal or better error, by CVODE.
 */
#include "bench.h"

#include "bristle/sim.h"

#include <math.h>
#include <string.h>

enum { ROWS = 401 };

// A rig, the tolerances at which both methods are compared, and the rows for the comparison.
typedef struct rig_case {
    br_rig rig;
    double ours_rtol, cvode_rtol;
    double ours_error, cvode_error; // largest error in x [m]
    size_t row, x_column;
    double x[ROWS];
} rig_case;

static void find_x(const br_column* columns, size_t count, void* user)
{
    ((rig_case*)user)->x_column = br_column_find(columns, count, "x");
}

static void store_x(const double* row, void* user)
{
    rig_case* c = user;
    c->x[c->row++] = row[c->x_column];
}

// 20 s of stick-slip; absolute tolerances are proportional to the relative one.
static br_status run_rig(rig_case* c, br_integrator_kind kind, double rtol)
{
    br_run_def def = br_run_def_default();
    def.duration = 20.0;
    def.every = 20.0 / (ROWS - 1);
    def.method = kind;
    def.rtol = rtol;
    def.atol = 1e-2 * rtol;
    def.atol_z = 1e-4 * rtol;
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = find_x, .row = store_x, .user = c};
    c->row = 0;
    return br_rig_run(&c->rig, &def, &watch, NULL, NULL);
}

static double error_against(const rig_case* c, const double* truth)
{
    double worst = 0.0;
    for (size_t i = 0; i < ROWS; i++) {
        worst = fmax(worst, fabs(c->x[i] - truth[i]));
    }
    return worst;
}

// The loosest tolerance at which CVODE is as accurate as our method.
static void match_cvode(rig_case* c, const double* truth)
{
    c->cvode_error = (double)NAN;
    for (double rtol = 1e-4; rtol > 1e-12; rtol *= 0.5) {
        if (run_rig(c, BR_INTEGRATOR_CVODE, rtol) != BR_OK) {
            return;
        }
        c->cvode_rtol = rtol;
        c->cvode_error = error_against(c, truth);
        if (c->cvode_error <= c->ours_error) {
            return;
        }
    }
}

static void* setup_rig(br_law_kind kind)
{
    rig_case* c = br_allocate(1, sizeof *c);
    if (!c) {
        return NULL;
    }
    br_law law = br_law_default(kind);
    law.mu_s = 1.5, law.sigma0 = 1e5, law.sigma1 = 316.2, law.sigma2 = 0.4;
    c->rig = (br_rig){.size = sizeof(br_rig),
                      .mass = 1.0,
                      .stiffness = 2.0,
                      .pull = 0.1,
                      .law = law,
                      .force = br_profile_constant(0.0),
                      .normal_force = br_profile_constant(1.0)};
    double truth[ROWS];
    run_rig(c, BR_INTEGRATOR_ROSENBROCK, 1e-12);
    memcpy(truth, c->x, sizeof truth);
    c->ours_rtol = 1e-6;
    run_rig(c, BR_INTEGRATOR_ROSENBROCK, c->ours_rtol);
    c->ours_error = error_against(c, truth);
    match_cvode(c, truth);
    return c;
}

static void* setup_lugre(void)
{
    return setup_rig(BR_LAW_LUGRE);
}

static void* setup_elasto_plastic(void)
{
    return setup_rig(BR_LAW_ELASTO_PLASTIC);
}

static double run_ours(void* setup, size_t calls)
{
    rig_case* c = setup;
    for (size_t i = 0; i < calls; i++) {
        run_rig(c, BR_INTEGRATOR_ROSENBROCK, c->ours_rtol);
    }
    return c->x[ROWS - 1];
}

#ifdef BRISTLE_HAS_CVODE
static double run_cvode(void* setup, size_t calls)
{
    rig_case* c = setup;
    for (size_t i = 0; i < calls; i++) {
        run_rig(c, BR_INTEGRATOR_CVODE, c->cvode_rtol);
    }
    return c->x[ROWS - 1];
}
#else
#define run_cvode NULL
#endif

const bench_case sim_cases[] = {
    BENCH_CASE("sim.rig/lugre", 1, setup_lugre, run_ours, run_cvode, br_release),
    BENCH_CASE("sim.rig/elasto-plastic", 1, setup_elasto_plastic, run_ours, run_cvode, br_release),
};
const size_t sim_case_count = sizeof sim_cases / sizeof *sim_cases;
