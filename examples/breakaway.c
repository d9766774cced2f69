/* A custom event: at which force does a body break away, when the load grows fast or slowly? */
#include <bristle/bristle.h>
#include <stdio.h>

static void reaches_stribeck_speed(double t, const double* y, double* g, void* user)
{
    (void)t;
    const br_rig_system* system = user;
    g[0] = y[1] - system->rig->law.v_stribeck;
}

// The load at which the speed first reaches v_s, for a load that grows by `rate` [N/s]; < 0: never.
static double breakaway_load(double rate)
{
    const double t[] = {0.0, 20.0}, load[] = {0.0, 20.0 * rate};
    br_law law = br_law_default(BR_LAW_LUGRE);
    law.mu_s = 1.5, law.sigma0 = 1e5, law.sigma1 = 316.2, law.sigma2 = 0.4;
    const br_rig rig = {
        .size = sizeof(br_rig),
        .mass = 1.0,
        .law = law,
        .force = {.kind = BR_PROFILE_TABLE, .count = 2, .t = t, .value = load},
        .normal_force = br_profile_constant(1.0),
    };
    br_rig_system system = {.rig = &rig, .within = 10.0};
    br_ode ode = br_rig_ode(&system);
    ode.events = 1;
    ode.event = reaches_stribeck_speed;

    br_integrator_def def = br_integrator_def_default();
    def.atol = (const double[]){1e-10, 1e-10, 1e-12}; // x, v, z
    br_integrator* run;
    if (br_integrator_create(&ode, &def, &run, NULL) != BR_OK) {
        return -1.0;
    }
    br_integrator_start(run, 0.0, (const double[]){0.0, 0.0, 0.0});
    int event = -1;
    while (event < 0 && br_integrator_get_t(run) < 20.0) {
        if (br_integrator_step(run, 20.0, &event, NULL) != BR_OK) {
            break;
        }
    }
    const double found = event < 0 ? -1.0 : rate * br_integrator_get_t(run);
    br_integrator_destroy(run);
    return found;
}

int main(void)
{
    double last = 1.5; // static friction
    for (double rate = 0.1; rate < 60.0; rate *= 5.0) {
        const double load = breakaway_load(rate);
        printf("%5.1f N/s: breaks away at %.4f N\n", rate, load);
        if (load < 0.0 || load > last) {
            return 1; // the faster the load grows, the earlier it breaks away
        }
        last = load;
    }
    return 0;
}
