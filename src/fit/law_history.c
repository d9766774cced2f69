/*
 * The force of a law along a measured motion: law_history.inc without derivatives, and the delay of the speeds.
 */
#define DUAL_SEEDS   0
#define HISTORY_PASS bri_law_history_values
#include "fit/law_history.inc"

// v(t - delay) and its derivative by the delay at every row, side by side; beyond the ends the first and
// last speeds.
static void delay_speeds(const law_history* h, double delay)
{
    const br_fit_law_data* d = &h->data;
    size_t j = 0;
    for (size_t i = 0; i < d->count; i++) {
        const double t = d->t[i] - delay;
        while (j > 0 && d->t[j] > t) {
            j--;
        }
        while (j + 2 < d->count && d->t[j + 1] <= t) {
            j++;
        }
        const double slope = (d->v[j + 1] - d->v[j]) / (d->t[j + 1] - d->t[j]);
        const int outside = t < d->t[0] || t > d->t[d->count - 1];
        const double edge = t < d->t[0] ? d->v[0] : d->v[d->count - 1];
        h->speed[2 * i] = outside ? edge : d->v[j] + slope * (t - d->t[j]);
        h->speed[2 * i + 1] = outside ? 0.0 : -slope;
    }
}

// The pass with derivatives for this processor.
static void pass_with_slopes(const law_history* h, const double p[BR_FIT_COUNT], double* forces,
                             double* jacobian)
{
#if VECTOR_LANES & 4
    if (processor_has(4)) {
        bri_law_history_slopes_4(h, p, forces, jacobian);
        return;
    }
#endif
    bri_law_history_slopes(h, p, forces, jacobian);
}

void bri_law_history(const law_history* h, const double p[BR_FIT_COUNT], double* forces,
                     double* jacobian)
{
    if (h->speed) {
        delay_speeds(h, p[BR_FIT_DELAY]);
    }
    (jacobian ? pass_with_slopes : bri_law_history_values)(h, p, forces, jacobian);
}
