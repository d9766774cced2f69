/*
 * Where the tip of a quasi-static slider's pusher is.
 */
#include "slider_tip.h"

#include <math.h>

size_t tip_row_after(const csv* path, double t)
{
    size_t low = 0, high = path->rows;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (path->columns[0][middle] > t) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static br_vec2 path_at(const csv* path, double t)
{
    double* const* at = path->columns;
    const size_t after = tip_row_after(path, t);
    const size_t i = after == 0 ? 1 : after < path->rows ? after : path->rows - 1;
    const double share = fmin(fmax((t - at[0][i - 1]) / (at[0][i] - at[0][i - 1]), 0), 1);
    return (br_vec2){at[1][i - 1] + share * (at[1][i] - at[1][i - 1]),
                     at[2][i - 1] + share * (at[2][i] - at[2][i - 1])};
}

br_vec2 tip_at(const slider_input* in, double t)
{
    if (in->pusher == PUSHER_PATH) {
        return path_at(&in->path, t);
    }
    const br_vec2 start = br_pose_apply(in->start.q, in->contact);
    return br_vec2_add(start, br_vec2_scale(t, in->velocity));
}
