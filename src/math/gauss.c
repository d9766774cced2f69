/*
 * Gauss-Legendre points: roots of the Legendre polynomial by Newton's method.
 */
#include "math/gauss.h"

#include "bristle/math.h"

// P_n(x) by its three-term recurrence; *slope is P_n'(x).
static double legendre(int n, double x, double* slope)
{
    double before = 1.0, here = x;
    for (int i = 2; i <= n; i++) {
        const double next = ((2 * i - 1) * x * here - (i - 1) * before) / i;
        before = here;
        here = next;
    }
    *slope = n * (x * here - before) / (x * x - 1.0);
    return here;
}

void bri_gauss_legendre(int n, double* x, double* w)
{
    for (int i = 0; i < n; i++) {
        double root = cos(BR_PI * (i + 0.75) / (n + 0.5)), slope;
        for (int round = 0; round < 8; round++) {
            root -= legendre(n, root, &slope) / slope;
        }
        legendre(n, root, &slope);
        x[i] = 0.5 * (1.0 - root);
        w[i] = 1.0 / ((1.0 - root * root) * slope * slope);
    }
}
