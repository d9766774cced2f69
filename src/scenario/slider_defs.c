/*
 * What was read of a slider, as the library runs it.
 */
#include "scenario/slider_defs.h"

#include "scenario/read_profile.h"

br_sliding bri_slider_sliding(const slider_input* in)
{
    static const br_sliding_model models[] = {[SLIDER_QUADRATIC] = BR_SLIDING_QUADRATIC,
                                              [SLIDER_NCP] = BR_SLIDING_NCP,
                                              [SLIDER_TRANSLATION] = BR_SLIDING_TRANSLATION,
                                              [SLIDER_SUPPORTS] = BR_SLIDING_SUPPORTS};
    br_sliding out = br_sliding_default();
    out.slider = in->slider;
    out.model = models[in->model];
    out.start = in->start;
    out.hull = in->hull;
    out.goes_on = in->ignores_topple;
    out.supports = in->supports;
    out.support_count = in->support_count;
    if (in->has_push) {
        out.point = in->point;
        out.direction = in->direction;
        out.push = in->magnitude;
        out.lift = in->lift;
    }
    return out;
}

br_pushed bri_slider_pushed(const slider_input* in)
{
    br_pushed out = br_pushed_default();
    out.pushing = in->pushing;
    out.pose = in->start.q;
    out.sticks = in->pusher == PUSHER_POINT;
    if (out.sticks) {
        out.point = in->contact;
        out.velocity = in->velocity;
    } else {
        double* const* path = in->path.columns;
        out.x = bri_profile_of_table(in->path.rows, path[0], path[1], 0);
        out.y = bri_profile_of_table(in->path.rows, path[0], path[2], 0);
    }
    return out;
}

br_run_def bri_slider_run(const slider_input* in)
{
    br_run_def run = br_run_def_default();
    run.duration = in->duration;
    run.method = BR_FIXED;
    run.step = in->step;
    run.every = in->step * (double)in->stride;
    return run;
}
