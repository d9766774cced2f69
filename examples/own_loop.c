/* Friction inside your own fixed-step loop: a block slides on a belt and comes to rest. */
#include <bristle/bristle.h>
#include <stdio.h>

int main(void)
{
    const double mass = 0.5;     // [kg]
    const double gravity = 9.81; // [m/s^2]
    const double step = 1e-4;    // [s]

    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    law.mu_c = 0.3, law.mu_s = 0.35;
    law.sigma0 = 2e4, law.sigma1 = 50.0, law.sigma2 = 0.0;
    br_reason why;
    if (br_law_check(&law, &why) != BR_OK) {
        fprintf(stderr, "%s: %s\n", why.field, why.text);
        return 1;
    }

    double x = 0.0, v = 1.0, z = 0.0; // we store the bristle's state
    for (int i = 0; i <= 10000; i++) {
        if (i % 1000 == 0) {
            printf("t %.1f s  x %.4f m  v %8.1e m/s\n", i * step, x, v);
        }
        // mean friction over the step at constant velocity; advances z
        const double friction = br_law_step(&law, &z, v, mass * gravity, step);
        v -= step * friction / mass;
        x += step * v;
    }

    // Coulomb's result: v^2/(2 mu g) = 0.1699 m
    return x > 0.165 && x < 0.175 && v < 1e-9 && v > -1e-9 ? 0 : 1;
}
