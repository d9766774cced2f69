/*
 * The choice of an instance of a contact's history for the processor.
 */
#include "fit/contact_history_lanes.h"

#include <string.h>

contact_history_fn* bri_contact_history_with(int lanes)
{
    switch (processor_has(lanes) ? lanes & HISTORY_LANES : 0) {
#if HISTORY_LANES & 8
    case 8:
        return bri_contact_history_8;
    case 4:
        return bri_contact_history_4;
#endif
#if HISTORY_LANES & 2
    case 2:
        return bri_contact_history_2;
#endif
    case 1:
        return bri_contact_history_1;
    default:
        return NULL;
    }
}

contact_map bri_contact_map(double ratio, double angle)
{
    const br_anisotropy anisotropy = {ratio, angle, BR_AXES_BODY};
    double a[2][2];
    br_anisotropy_get_matrix(&anisotropy, 0.0, a);
    return (contact_map){.a = {a[0][0], a[0][1], a[1][0], a[1][1]}};
}

// A = 1 + (ratio - 1) n n^T: dA/dratio = n n^T
contact_map bri_contact_map_by_ratio(double ratio, double angle)
{
    const axes n = axes_of(angle);
    contact_map out = bri_contact_map(ratio, angle);
    const double xy = n.cosine * n.sine;
    out.slope = (map2){n.cosine * n.cosine, xy, xy, n.sine * n.sine};
    out.by_this = 1;
    return out;
}

// dA/dangle = (ratio - 1)(n t^T + t n^T), t the second axis
contact_map bri_contact_map_by_angle(double ratio, double angle)
{
    const axes twice = axes_of(2.0 * angle);
    contact_map out = bri_contact_map(ratio, angle);
    const double xx = -(ratio - 1.0) * twice.sine, xy = (ratio - 1.0) * twice.cosine;
    out.slope = (map2){xx, xy, xy, -xx};
    out.by_this = 1;
    return out;
}

// f = A f', and along the slope of A: df = A df' + dA f'
static void leave(const contact_map* m, size_t count, double* wrench, double* jacobian)
{
    double* slope = jacobian + 3 * count * CONTACT_K;
    for (size_t i = 0; i < count; i++) {
        const br_vec2 added = map2_apply(m->slope, (br_vec2){wrench[i], wrench[count + i]});
        for (size_t k = 0; k <= CONTACT_INPUTS; k++) {
            double* at = (k < CONTACT_INPUTS ? jacobian + 3 * count * k : wrench) + i;
            const br_vec2 f = map2_apply(m->a, (br_vec2){at[0], at[count]});
            at[0] = f.x;
            at[count] = f.y;
        }
        slope[i] += m->by_this ? added.x : 0.0;
        slope[count + i] += m->by_this ? added.y : 0.0;
    }
}

void bri_contact_history(const contact_history* h, const double p[CONTACT_INPUTS], double* wrench,
                         double* jacobian)
{
    contact_history_fn* best = NULL;
    for (int lanes = 8; !best; lanes /= 2) {
        best = bri_contact_history_with(lanes);
    }
    bri_parts_set(h->parts, p[CONTACT_K]);
    memset(wrench, 0, 3 * h->data.count * sizeof *wrench);
    memset(jacobian, 0, 3 * CONTACT_INPUTS * h->data.count * sizeof *jacobian);
    best(h, p, wrench, jacobian);
    if (h->parts->map) {
        leave(h->parts->map, h->data.count, wrench, jacobian);
    }
}
