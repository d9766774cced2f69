/* Runs of laws, rigs, imposed motions, sliders, pushed bodies and mechanisms, for some steps each. */
#include "fuzz.h"

#include "bristle/mechanism.h"
#include "bristle/motion.h"
#include "bristle/rig.h"
#include "bristle/sliding.h"

enum { PROFILE = 3, STEPS = 30 };

static double times[4][PROFILE], values[4][PROFILE];

static br_profile vary_profile(input* in, size_t which, double usual)
{
    return take_byte(in) < 128 ? br_profile_constant(usual)
                               : take_profile(in, times[which], values[which], PROFILE);
}

static void skip_row(const double* row, void* user)
{
    (void)row, (void)user;
}

static br_run_def take_run(input* in, bool fixed)
{
    br_run_def def = br_run_def_default();
    def.duration = 0.01;
    def.every = fixed ? 0.0 : 0.002;
    vary(in, &def.duration);
    vary(in, &def.every);
    if (fixed) {
        def.method = BR_INTEGRATOR_FIXED;
        def.step = 1e-3;
        vary(in, &def.step);
    } else {
        vary(in, &def.rtol);
        vary(in, &def.max_step);
    }
    return def;
}

static void run_law(input* in, const br_run_watch* watch)
{
    const br_run_def def = take_run(in, false);
    br_integrator_cost cost;
    br_reason why;
    br_rig rig = br_rig_default();
    br_imposed imposed = br_imposed_default();
    rig.law = imposed.law = take_law(in);
    rig.mass = 1.0;
    vary(in, &rig.mass);
    vary(in, &rig.stiffness);
    vary(in, &rig.pull);
    rig.force = imposed.velocity = vary_profile(in, 0, 0.1);
    rig.normal_force = imposed.normal_force = vary_profile(in, 1, 1.0);
    if (take_byte(in) & 1) {
        br_rig_run(&rig, &def, watch, &cost, &why);
    } else {
        br_imposed_run(&imposed, &def, watch, &cost, &why);
    }
}

static void run_motion(input* in, const br_run_watch* watch)
{
    const br_run_def def = take_run(in, false);
    br_contact* contact = take_contact(in);
    br_motion motion = br_motion_default();
    br_integrator_cost cost;
    br_reason why;
    motion.contact = contact;
    motion.vx = vary_profile(in, 0, 0.01);
    motion.w = vary_profile(in, 1, 0.1);
    motion.normal_force = vary_profile(in, 2, 1.0);
    br_motion_run(&motion, &def, watch, &cost, &why);
    br_contact_destroy(contact);
}

static void run_slider(input* in, const br_run_watch* watch)
{
    const br_run_def def = take_run(in, true);
    br_sliding s = br_sliding_default();
    br_sliding_report report;
    br_reason why;
    double* const numbers[] = {&s.slider.mass, &s.slider.inertia, &s.slider.height,
                               &s.slider.mu,   &s.slider.e_t,     &s.slider.e_o,
                               &s.slider.e_r,  &s.slider.gravity, &s.start.v.vx,
                               &s.start.v.w,   &s.point.x,        &s.direction.x,
                               &s.lift};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        vary(in, numbers[i]);
    }
    s.model = (br_sliding_model)take_choice(in, 4);
    s.push = vary_profile(in, 0, 1.0);
    br_sliding_run(&s, &def, watch, &report, &why);
}

static void run_pushed(input* in, const br_run_watch* watch)
{
    const br_run_def def = take_run(in, true);
    br_patch* shape = take_patch(in);
    br_outline* outline = NULL;
    br_pushed p = br_pushed_default();
    size_t steps;
    br_reason why;
    if (shape) {
        br_outline_create(shape, 1.0, 0, &outline, NULL);
    }
    p.pushing.outline = outline;
    double* const numbers[] = {&p.pushing.e_t, &p.pushing.e_o, &p.pushing.e_r, &p.pushing.radius,
                               &p.pushing.mu,  &p.pose.x,      &p.point.x,     &p.velocity.x};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        vary(in, numbers[i]);
    }
    p.sticks = take_byte(in) & 1;
    p.x = vary_profile(in, 0, 0.0);
    p.y = vary_profile(in, 1, 0.0);
    br_pushed_run(&p, &def, watch, &steps, &why);
    br_outline_destroy(outline);
    br_patch_destroy(shape);
}

static void run_mechanism(input* in, const br_run_watch* watch)
{
    const br_run_def def = take_run(in, false);
    br_slope_block block = {.mass = 1.0, .gravity = 9.81, .angle = 0.3};
    br_bead bead = {.mass = 1.0, .gravity = 9.81, .beta = 1.0, .radius = 0.1, .pitch = 0.1};
    br_mechanism_def mechanism = br_mechanism_def_default();
    br_mechanism_report report;
    br_reason why;
    double q[3] = {0.0, 0.0, 0.0}, tangent[3];
    double* const numbers[] = {&block.mass, &block.gravity, &block.angle, &bead.mass,
                               &bead.beta,  &bead.radius,   &bead.pitch,  &mechanism.stabilisation};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        vary(in, numbers[i]);
    }
    bead.wire = (br_bead_wire)take_index(in, 2);
    if (take_byte(in) & 1) {
        mechanism.mechanism = br_slope_block_mechanism(&block);
        br_slope_block_start(&block, take_number(in), q);
    } else {
        mechanism.mechanism = br_bead_mechanism(&bead);
        br_bead_start(&bead, take_number(in), q, tangent);
    }
    mechanism.q = q;
    mechanism.law = take_law(in);
    mechanism.project = take_byte(in) & 1;
    br_mechanism_run(&mechanism, &def, watch, &report, &why);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static void (*const runs[])(input*, const br_run_watch*) = {run_law, run_motion, run_slider,
                                                                run_pushed, run_mechanism};
    input in = {data, size};
    size_t left = STEPS;
    br_run_watch watch = br_run_watch_default();
    watch.row = skip_row;
    watch.stop = stop_soon;
    watch.user = &left;
    runs[take_index(&in, 5)](&in, &watch);
    return 0;
}
