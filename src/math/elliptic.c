/*
 * Complete elliptic integrals by the arithmetic-geometric mean
 * (Abramowitz & Stegun 17.6: K = pi/(2 a_N), E = K (1 - sum 2^(n-1) c_n^2)).
 */
#include "math/elliptic.h"

#include "bristle/math.h"

elliptic bri_elliptic_eval(double mc)
{
    if (mc == 0.0) {
        return (elliptic){HUGE_VAL, 1.0};
    }
    double a = 1.0, b = sqrt(mc);
    double sum = 0.5 * (1.0 - mc); // 2^-1 c_0^2, c_0^2 = m
    double power = 1.0;            // 2^(n-1)

    // quadratic convergence: 8 rounds are enough even for the smallest double mc
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

elliptic_parts bri_elliptic_parts_eval(double m, double mc)
{
    const double min_mc = 1e-32; // square of the smallest distance from 1 that a double can have
    double a = 1.0, b = sqrt(mc > min_mc ? mc : min_mc);

    // c_1 = (1 - b)/2; `over` is c_n/m
    double over = 0.5 / (1.0 + b);
    double c = m * over, sum = 0.0, power = 1.0;
    for (int n = 1; n <= 12; n++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
        sum += power * over * over;
        if (!(c > 1e-9 * a)) {
            break;
        }
        power *= 2.0;

        // c_(n+1) = (a_n - b_n)/2, or without a difference c_n^2/(4 a_(n+1))
        if (b < 0.5 * a) {
            c = 0.5 * (a - b);
            over = c / m;
            continue;
        }
        const double ratio = 0.5 * c / (a + b);
        over *= ratio;
        c *= ratio;
    }
    // D/K = sum over n >= 0 of 2^(n-1) c_n^2/m = 1/2 + m sum,   B/K = 1/2 - m sum
    const double K = BR_PI / (2.0 * a);
    const double B = K * (0.5 - m * sum), D = K * (0.5 + m * sum);
    return (elliptic_parts){B + mc * D, B, 2.0 * K * sum, D};
}
