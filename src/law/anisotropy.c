/*
 * Anisotropy of friction: its checks and its matrix.
 */
#include "bristle/anisotropy.h"

#include <math.h>

#include "math/axes.h"

br_anisotropy br_anisotropy_default(void)
{
    return (br_anisotropy){.ratio = 1.0, .angle = 0.0, .axes = BR_AXES_BODY};
}

#define AXES_NAME(axes, name) [axes] = (name),
static const char* const names[] = {BR_AXES_LIST(AXES_NAME)};
#undef AXES_NAME

const char* br_axes_get_name(br_axes which)
{
    return (unsigned)which <= BR_AXES_GROUND ? names[which] : "unknown";
}

br_status br_anisotropy_check(const br_anisotropy* a, br_reason* why)
{
    BR_ASSERT(a);
    if (!(a->ratio >= BR_ANISOTROPY_MIN && a->ratio <= BR_ANISOTROPY_MAX)) {
        br_reason_set(why, "anisotropy.ratio", "must be in %g..%g, got %g", BR_ANISOTROPY_MIN,
                      BR_ANISOTROPY_MAX, a->ratio);
        return BR_ERR_DEF;
    }
    if (!isfinite(a->angle)) {
        br_reason_set(why, "anisotropy.angle", "must be finite, got %g", a->angle);
        return BR_ERR_DEF;
    }
    if ((unsigned)a->axes > BR_AXES_GROUND) {
        br_reason_set(why, "anisotropy.axes", "must be a br_axes, got %d", (int)a->axes);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

void br_anisotropy_get_matrix(const br_anisotropy* anisotropy, double turned, double a[2][2])
{
    BR_ASSERT(anisotropy && a);
    const double angle = anisotropy->angle - (anisotropy->axes == BR_AXES_GROUND ? turned : 0.0);
    const axes n = axes_of(angle);
    const double more = anisotropy->ratio - 1.0;

    // A = 1 + (ratio - 1) n n^T, n the first axis
    a[0][0] = 1.0 + more * n.cosine * n.cosine;
    a[1][1] = 1.0 + more * n.sine * n.sine;
    a[0][1] = a[1][0] = more * n.cosine * n.sine;
}
