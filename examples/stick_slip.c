/* A mass on LuGre friction, pulled by a slow spring: it sticks and slips. Prints t, x, v, f. */
#include <bristle/bristle.h>
#include <stdio.h>

static void print_row(const br_rig_row* row, void* user)
{
    (void)user;
    printf("%6.2f s  x %8.5f m  v %8.5f m/s  f %6.3f N\n", row->t, row->x, row->v, row->f);
}

int main(void)
{
    br_law law = br_law_default(BR_LAW_LUGRE);
    law.mu_s = 1.5;     // [-]
    law.sigma0 = 1e5;   // [1/m]
    law.sigma1 = 316.2; // [s/m]
    law.sigma2 = 0.4;   // [s/m]

    const br_rig rig = {
        .mass = 1.0,      // [kg]
        .stiffness = 2.0, // [N/m]
        .pull = 0.1,      // [m/s]
        .law = law,
        .force = br_profile_constant(0.0),        // [N]
        .normal_force = br_profile_constant(1.0), // [N]
    };

    br_run_def def = br_run_def_default();
    def.duration = 20.0; // [s]
    def.every = 0.5;     // [s]
    const br_run_watch watch = {.row.rig = print_row};

    br_integrator_cost cost;
    br_reason why;
    if (br_rig_run(&rig, &def, &watch, &cost, &why) != BR_OK) {
        fprintf(stderr, "%s: %s\n", why.field, why.text);
        return 1;
    }
    printf("%zu steps, %zu evaluations\n", cost.steps, cost.evaluations);
    return 0;
}
