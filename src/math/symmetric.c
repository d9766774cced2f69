/*
 * Jacobi's method for small symmetric matrices.
 */
#include "math/symmetric.h"

#include <math.h>
#include <string.h>

// Rotate rows and columns i, j so that a[i][j] becomes 0.
static void rotate(symmetric* s, size_t i, size_t j)
{
    const double theta = 0.5 * (s->a[j][j] - s->a[i][i]) / s->a[i][j];
    const double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + hypot(theta, 1.0));
    const double c = 1.0 / hypot(t, 1.0), d = t * c;
    for (size_t k = 0; k < s->n; k++) {
        const double x = s->a[k][i], y = s->a[k][j];
        s->a[k][i] = c * x - d * y;
        s->a[k][j] = d * x + c * y;
    }
    for (size_t k = 0; k < s->n; k++) {
        const double x = s->a[i][k], y = s->a[j][k];
        s->a[i][k] = c * x - d * y;
        s->a[j][k] = d * x + c * y;
        const double u = s->vector[i][k], v = s->vector[j][k];
        s->vector[i][k] = c * u - d * v;
        s->vector[j][k] = d * u + c * v;
    }
}

void bri_symmetric_factor(symmetric* s)
{
    enum { MAX_SWEEPS = 50 }; // it converges quadratically: some 6 are usual
    memset(s->vector, 0, sizeof s->vector);
    for (size_t i = 0; i < s->n; i++) {
        s->vector[i][i] = 1.0;
    }
    int rotated = 1;
    for (int sweep = 0; rotated && sweep < MAX_SWEEPS; sweep++) {
        rotated = 0;
        for (size_t i = 0; i < s->n; i++) {
            for (size_t j = i + 1; j < s->n; j++) {
                if (fabs(s->a[i][j]) > 1e-18 * sqrt(fabs(s->a[i][i] * s->a[j][j]))) {
                    rotate(s, i, j);
                    rotated = 1;
                }
            }
        }
    }
}

void bri_symmetric_invert(const symmetric* s, double min_share,
                          double out[SYMMETRIC_MOST][SYMMETRIC_MOST])
{
    double largest = 0.0;
    for (size_t j = 0; j < s->n; j++) {
        largest = fmax(largest, s->a[j][j]);
    }
    memset(out, 0, sizeof s->a);
    for (size_t j = 0; j < s->n; j++) {
        const double per = 1.0 / fmax(s->a[j][j], min_share * largest);
        for (size_t i = 0; i < s->n; i++) {
            for (size_t k = 0; k < s->n; k++) {
                out[i][k] += per * s->vector[j][i] * s->vector[j][k];
            }
        }
    }
}
