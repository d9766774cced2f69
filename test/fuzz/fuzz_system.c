/* Integrators of small systems with any tolerances and steps; runs that repeat recorded steps; sensitivities. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>

#include "bristle/rig.h"
#include "bristle/sensitivity.h"

enum { STATES = 3, STEPS = 40 };

// dy = A y + b, events where states change their sign
typedef struct linear_system {
    double A[STATES * STATES], b[STATES];
} linear_system;

static void rate(double t, const double* y, double* dy, void* user)
{
    const linear_system* s = user;
    (void)t;
    for (size_t i = 0; i < STATES; i++) {
        dy[i] = s->b[i];
        for (size_t k = 0; k < STATES; k++) {
            dy[i] += s->A[i * STATES + k] * y[k];
        }
    }
}

static void jacobian(double t, const double* y, double* j, double* dfdt, void* user)
{
    const linear_system* s = user;
    (void)t, (void)y;
    for (size_t i = 0; i < STATES * STATES; i++) {
        j[i] = s->A[i];
    }
    for (size_t i = 0; i < STATES; i++) {
        dfdt[i] = 0.0;
    }
}

static size_t advance(double t, double h, double* y, void* user)
{
    double dy[STATES];
    rate(t, y, dy, user);
    for (size_t i = 0; i < STATES; i++) {
        y[i] += h * dy[i];
    }
    return 1;
}

static void event(double t, const double* y, double* g, void* user)
{
    (void)t, (void)user;
    g[0] = y[0];
    g[1] = y[1] - y[2];
}

static double longest(double t, const double* y, void* user)
{
    (void)t, (void)y;
    return ((const linear_system*)user)->b[0];
}

static void take_ode(input* in, br_ode* ode, linear_system* s)
{
    take_numbers(in, s->A, STATES * STATES);
    take_numbers(in, s->b, STATES);
    ode->n = take_byte(in) < 250 ? STATES : 0;
    ode->apart = take_index(in, STATES + 2);
    ode->rate = take_byte(in) < 250 ? rate : NULL;
    ode->jacobian = take_byte(in) < 240 ? jacobian : NULL;
    ode->advance = take_byte(in) & 1 ? advance : NULL;
    ode->longest_step = take_byte(in) > 200 ? longest : NULL;
    ode->events = 2 * take_index(in, 2);
    ode->event = take_byte(in) < 250 ? event : NULL;
    ode->user = s;
}

static void integrate(input* in)
{
    linear_system s;
    br_ode ode = br_ode_default();
    br_integrator_def def = br_integrator_def_default();
    br_integrator* integrator = NULL;
    br_reason why;
    double atol[STATES], y[STATES];
    take_ode(in, &ode, &s);
    for (size_t i = 0; i < STATES; i++) {
        atol[i] = 1e-6;
        vary(in, &atol[i]);
        y[i] = take_number(in);
    }
    def.atol = take_byte(in) < 250 ? atol : NULL;
    def.kind = (br_integrator_kind)take_choice(in, 3);
    def.max_steps = STEPS;
    vary(in, &def.rtol);
    vary(in, &def.max_step);
    vary(in, &def.first_step);
    if (br_integrator_create(&ode, &def, &integrator, &why) != BR_OK) {
        if (integrator || !*why.text) {
            abort();
        }
        return;
    }
    const double t_end = take_number(in);
    int which = -1;
    br_integrator_start(integrator, take_number(in), y);
    for (int i = 0; i < STEPS; i++) {
        if (br_integrator_step(integrator, t_end, &which, &why) != BR_OK) {
            break;
        }
        br_integrator_at(integrator, br_integrator_get_t(integrator), y);
        for (size_t k = 0; k < STATES; k++) {
            look_at(br_integrator_get_y(integrator)[k]);
        }
        if (which >= 0) {
            br_integrator_has_switched(integrator, (size_t)which);
        }
    }
    br_integrator_get_cost(integrator);
    br_integrator_destroy(integrator);
}

static void skip_row(const double* row, void* user)
{
    (void)row, (void)user;
}

// A run is recorded, changed and repeated.
static void repeat(input* in)
{
    br_run_steps* steps = NULL;
    br_rig rig = br_rig_default();
    br_run_def def = br_run_def_default();
    br_run_watch watch = br_run_watch_default();
    br_integrator_cost cost;
    br_reason why;
    if (br_run_steps_create(&steps, NULL) != BR_OK) {
        return;
    }
    rig.law = take_law(in);
    rig.mass = 1.0;
    rig.force = br_profile_constant(take_number(in));
    def.duration = 0.01;
    def.every = 0.002;
    def.steps = steps;
    watch.row = skip_row;
    watch.stop = stop_soon;
    for (int i = 0; i < 3; i++) {
        size_t left = STEPS;
        watch.user = &left;
        def.repeats_steps = i > 0;
        vary(in, &rig.mass);
        vary(in, &rig.stiffness);
        vary(in, &rig.law.mu_c);
        vary(in, &def.duration);
        br_rig_run(&rig, &def, &watch, &cost, &why);
        br_run_steps_get_count(steps);
    }
    br_run_steps_destroy(steps);
}

// Derivatives by keys that exist, that do not, and that are no numbers.
static void differentiate(input* in)
{
    static const char text[] = "body: {mass: 1, radius: 0.02, velocity: [0.1, 0, 0]}\n"
                               "friction: {mu: 0.3}\n"
                               "contact: {patch: {shape: disc, radius: 0.02}, normal_force: 10}\n"
                               "duration: 0.05\n";
    static const char* const known[] = {"friction.mu", "body.mass",           "body.velocity[0]",
                                        "duration",    "contact.patch.shape", "body.velocity[7]",
                                        "contact",     "friction.sigma9",     ""};
    enum { KNOWN = sizeof known / sizeof *known };
    const char* keys[3] = {known[take_index(in, KNOWN)], NULL, NULL};
    keys[1] = take_byte(in) & 1 ? known[take_index(in, KNOWN)] : NULL;
    br_scenario* s = NULL;
    br_sensitivity* out = NULL;
    br_reason why;
    if (br_scenario_read_text(text, "input", NULL, &s) == BR_OK &&
        br_sensitivity_create(s, keys, NULL, &out, &why) == BR_OK) {
        size_t count;
        br_sensitivity_get_columns(out, &count);
        look_at(br_sensitivity_get_value(out, 0, 0));
        look_at((double)br_table_get_row_count(br_sensitivity_get_table(out)));
        look_at(count > 0 ? br_sensitivity_get_rows(out)[count - 1] : 0.0);
    } else if (out || !*why.text) {
        abort();
    }
    br_sensitivity_destroy(out);
    br_scenario_destroy(s);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    input in = {data, size};
    const uint8_t which = take_byte(&in);
    if (which < 160) {
        integrate(&in);
    } else if (which < 250) {
        repeat(&in);
    } else {
        differentiate(&in);
    }
    return 0;
}
