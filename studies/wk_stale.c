/*
 * W&K's slip-stick experiment with k = 2 as the published code runs its reduced model: while r (23)
 * changes with the normal force, u (27) keeps its value at the force for which the table was
 * computed. The library does not have this error, so it is added here:
 *
 *   tau = tau of the library - sigma2 (u of the table - u of the force) w f_N                (26), (27)
 */
#include "wk_stale.h"

#include <math.h>

#include "memory.h"
#include "message.h"

enum { STATES = 9 }; // pose, velocity, bristles

static const double HOLD = 0.01; // [s]

static const double MASS = 0.2, INERTIA = 0.2 / 12 * (0.15 * 0.15 + 0.08 * 0.08);

typedef struct grasp {
    const br_contact* contact; // at fn
    double fn;                 // constant [N]
    double u;                  // of the table [m^2]
} grasp;

// Wrench of one finger on the object at the origin.
static br_wrench friction(const grasp* g, const double* y, double* dz)
{
    const br_twist v = {y[3] + y[5] * y[1], y[4] - y[5] * y[0], y[5]};
    br_wrench f = br_contact_eval(g->contact, y + 6, v, g->fn, dz);
    const double late = g->u - br_contact_get_patch_value(g->contact).u;
    f.tau -= br_contact_get_def(g->contact)->law.sigma2 * late * v.w * g->fn;
    return f;
}

static void rate(double t, const double* y, double* dy, void* user)
{
    (void)t;
    const br_wrench f = friction(user, y, dy + 6);
    dy[0] = y[3], dy[1] = y[4], dy[2] = y[5];
    dy[3] = 2 * f.fx / MASS;
    dy[4] = 2 * f.fy / MASS - 9.81;
    dy[5] = 2 * (f.tau - y[0] * f.fy + y[1] * f.fx) / INERTIA;
}

// By central differences: few states and one run.
static void jacobian(double t, const double* y, double* matrix, double* dfdt, void* user)
{
    static const double step[STATES] = {1e-7, 1e-7, 1e-7, 1e-8, 1e-8, 1e-6, 1e-12, 1e-12, 1e-14};
    for (int j = 0; j < STATES; j++) {
        double at[STATES], low[STATES], high[STATES];
        for (int i = 0; i < STATES; i++) {
            at[i] = y[i];
        }
        at[j] = y[j] - step[j];
        rate(t, at, low, user);
        at[j] = y[j] + step[j];
        rate(t, at, high, user);
        for (int i = 0; i < STATES; i++) {
            matrix[STATES * i + j] = (high[i] - low[i]) / (2 * step[j]);
        }
        dfdt[j] = 0;
    }
}

static void advance(br_integrator* integrator, double* y, double from, double until)
{
    br_reason why = {"", ""};
    br_integrator_start(integrator, from, y);
    while (br_integrator_get_t(integrator) < until) {
        if (br_integrator_step(integrator, until, NULL, &why) != BR_OK) {
            message_fail(EXIT_COMPUTATION, "%s", why.text);
        }
    }
    br_integrator_at(integrator, until, y);
}

static br_integrator* create_integrator(grasp* g)
{
    static const double atol[STATES] = {1e-11, 1e-11, 1e-10, 1e-10, 1e-10,
                                        1e-9,  1e-13, 1e-13, 1e-15};
    br_integrator_def def = br_integrator_def_default();
    def.atol = atol;
    def.rtol = 1e-8;
    const br_ode ode = {
        .size = sizeof(br_ode), .n = STATES, .rate = rate, .jacobian = jacobian, .user = g};
    br_integrator* integrator;
    if (br_integrator_create(&ode, &def, &integrator, NULL) != BR_OK) {
        message_fail(EXIT_COMPUTATION, "out of memory");
    }
    return integrator;
}

wk_grip_result* wk_run_stale_grip(const wk_grip* grip)
{
    const br_profile force = wk_grip_force(grip);
    const br_contact* contact = wk_reduced(wk_grid(grip->shape, WK_CELLS, 0), wk_law(1, true),
                                           BR_LIMIT_PUBLISHED, WK_NODES);
    void* memory = memory_allocate(1, br_contact_get_at_force_size(contact));
    grasp g = {contact, 0, br_contact_get_patch_value(contact).u};
    wk_grip_result* got = memory_allocate(1, sizeof *got);
    br_integrator* integrator = create_integrator(&g);
    double y[STATES] = {grip->case_number == 1 ? 0.025 : 0.002}, dz[3];
    for (got->count = 0; got->count < WK_GRIP_ROWS; got->count++) {
        const double from = HOLD * (double)got->count, until = HOLD * (double)(got->count + 1);
        g.fn = br_profile_eval(&force, from, from, NULL);
        g.contact = br_contact_at_force(contact, g.fn, memory);
        advance(integrator, y, from, until);
        got->rows[got->count] = (wk_grip_row){until, g.fn, {y[0], y[1], y[2]}, friction(&g, y, dz)};
    }
    br_integrator_destroy(integrator);
    return got;
}
