/*
 * Complete elliptic integrals by the arithmetic-geometric mean
 * (Abramowitz & Stegun 17.6: K = pi/(2 a_N), E = K (1 - sum 2^(n-1) c_n^2)).
 */
#include "math/elliptic.h"

#include "bristle/math.h"

elliptic elliptic_eval(double mc)
{
    if (mc == 0.0) {
        return (elliptic){HUGE_VAL, 1.0};
    }
    double a = 1.0, b = sqrt(mc);
    double sum = 0.5 * (1.0 - mc); // 2^-1 c_0^2, c_0^2 = m
    double power = 1.0;            // 2^(n-1)

    // quadratic convergence: 8 rounds serve even the smallest mc that a double holds
    for (int n = 1; n <= 12 && a - b > 1e-16 * a; n++) {
        const double c = 0.5 * (a - b);
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
        sum += power * c * c;
        power *= 2.0;
    }
    const double K = BR_PI / (2.0 * a);
    return (elliptic){K, K * (1.0 - sum)};
}
