/* Runs of laws, rigs, imposed motions, sliders, pushed bodies and mechanisms, for some steps each. */
#include "fuzz.h"

#include "bristle/mechanism.h"
#include "bristle/motion.h"
#include "bristle/rig.h"
#include "bristle/sliding.h"

enum { PROFILE = 3, STEPS = 30, LINKS = BR_CHAIN_MOST };

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
    if (br_law_has_state(rig.law.kind) && br_law_check(&rig.law, NULL) == BR_OK &&
        br_profile_check(&rig.force, NULL) == BR_OK &&
        br_profile_check(&rig.normal_force, NULL) == BR_OK) {
        br_rig_system system = {&rig, 0.0};
        const br_ode ode = br_rig_ode(&system);
        double y[3], dy[3];
        take_numbers(in, y, 3);
        ode.rate(0.0, y, dy, ode.user);
    }
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
    if (br_profile_check(&p.x, NULL) == BR_OK && br_profile_check(&p.y, NULL) == BR_OK) {
        br_pushed_tip(&p, take_number(in));
    }
    br_pushed_run(&p, &def, watch, &steps, &why);
    br_outline_destroy(outline);
    br_patch_destroy(shape);
}

static br_mechanism take_block(input* in, double* q)
{
    static br_slope_block block;
    block = (br_slope_block){.mass = 1.0, .gravity = 9.81, .angle = 0.3};
    vary(in, &block.mass);
    vary(in, &block.gravity);
    vary(in, &block.angle);
    br_slope_block_start(&block, take_number(in), q);
    return br_slope_block_mechanism(&block);
}

static br_mechanism take_bead(input* in, double* q)
{
    static br_bead bead;
    double tangent[3];
    bead = (br_bead){.mass = 1.0, .gravity = 9.81, .beta = 1.0, .radius = 0.1, .pitch = 0.1};
    vary(in, &bead.mass);
    vary(in, &bead.beta);
    vary(in, &bead.radius);
    vary(in, &bead.pitch);
    bead.wire = (br_bead_wire)take_index(in, 2);
    br_bead_start(&bead, take_number(in), q, tangent);
    return br_bead_mechanism(&bead);
}

static br_mechanism take_two_link(input* in, double* q)
{
    static br_two_link arm;
    arm = (br_two_link){.mass = {1.0, 1.0}, .length = {0.3, 0.3}, .gravity = 9.81, .beta = 1.0};
    for (size_t i = 0; i < 2; i++) {
        vary(in, &arm.mass[i]);
        vary(in, &arm.length[i]);
        arm.torque[i] = vary_profile(in, i, 0.0);
    }
    vary(in, &arm.beta);
    vary(in, &arm.gamma);
    br_two_link_start(&arm, (br_vec2){take_number(in), take_number(in)}, take_byte(in) & 1, q);
    return br_two_link_mechanism(&arm);
}

static br_mechanism take_chain(input* in, double* q)
{
    enum { NODES = 4 };
    static br_chain chain;
    static double c[NODES], x[NODES], bend[NODES];
    double work[NODES];
    chain = (br_chain){.n = 2 + take_index(in, LINKS - 1), .gravity = 9.81};
    chain.path = (br_path){.kind = (br_path_kind)take_index(in, 2), .count = NODES, .c = c};
    for (size_t i = 0; i < NODES; i++) {
        c[i] = 0.0;
        vary(in, &c[i]);
        x[i] = (double)i;
    }
    br_path_bend(NODES, x, c, bend, work);
    chain.path.x = x, chain.path.y = c, chain.path.yxx = bend;
    double slope, more, p[3], velocity[3];
    const double at[3] = {take_number(in), take_number(in), take_number(in)};
    br_path_eval(&chain.path, take_number(in), &slope, &more);
    br_path_place(&chain.motion, 2 + take_index(in, 2), take_number(in), at, p, velocity);
    for (size_t i = 0; i < chain.n; i++) {
        chain.mass[i] = chain.length[i] = 0.3;
        vary(in, &chain.mass[i]);
        vary(in, &chain.length[i]);
        q[i] = take_number(in);
    }
    return br_chain_mechanism(&chain);
}

static void run_mechanism(input* in, const br_run_watch* watch)
{
    static br_mechanism (*const kinds[])(input*, double*) = {take_block, take_bead, take_two_link,
                                                             take_chain};
    const br_run_def def = take_run(in, false);
    br_mechanism_def mechanism = br_mechanism_def_default();
    br_mechanism_report report;
    br_reason why;
    double q[LINKS] = {0.0};
    mechanism.mechanism = kinds[take_index(in, sizeof kinds / sizeof *kinds)](in, q);
    mechanism.q = q;
    vary(in, &mechanism.stabilisation);
    mechanism.law = take_law(in);
    mechanism.project = take_byte(in) & 1;
    br_column columns[256];
    const unsigned sets = 1u | (unsigned)take_byte(in) << 1;
    if (br_mechanism_check(&mechanism, &why) == BR_OK) {
        demand(br_mechanism_get_columns(&mechanism, sets, columns) <=
               sizeof columns / sizeof *columns);
    } else {
        demand(*why.text);
    }
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
