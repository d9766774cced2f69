/*
 * Runs and what they need: integrators, bodies, imposed motions, sliders, mechanisms.
 */
#include "creates.h"

#include "bristle/sim.h"
#include "patch_shapes.h"

static br_patch* patch;
static br_contact* contact;
static br_body_contact feet[3];
static br_body body;

void faults_sim_create(void)
{
    patch = make(disc_def(0.01));
    br_contact_def def = br_contact_def_default();
    def.patch = patch;
    def.method = BR_METHOD_BLOCKS;
    assert_status(br_contact_create(&def, &contact, NULL), BR_OK);
    static const br_vec2 at[3] = {{0.05, 0.0}, {-0.05, 0.05}, {-0.05, -0.05}};
    for (int i = 0; i < 3; i++) {
        feet[i] = (br_body_contact){.frame = BR_FRAME_BODY,
                                    .contact = contact,
                                    .normal_force = br_profile_constant(1.0),
                                    .count = 1,
                                    .at = at[i],
                                    .patch = patch};
    }
    body = br_body_default();
    body.velocity.vx = 0.1;
    body.contacts = feet, body.contact_count = 3;
}

void faults_sim_destroy(void)
{
    br_contact_destroy(contact);
    br_patch_destroy(patch);
}

// --- what runs need -------------------------------------------------------------------------------

static void rate(double t, const double* y, double* dy, void* user)
{
    (void)t, (void)user;
    dy[0] = -y[0];
}

static void jacobian(double t, const double* y, double* slopes, double* dfdt, void* user)
{
    (void)t, (void)y, (void)user;
    slopes[0] = -1.0, dfdt[0] = 0.0;
}

static br_status create_integrator(br_integrator_kind kind)
{
    const br_ode ode = {.size = sizeof(br_ode), .n = 1, .rate = rate, .jacobian = jacobian};
    br_integrator_def def = br_integrator_def_default();
    br_integrator* out;
    def.kind = kind;
    def.atol = (const double[]){1e-8};
    const br_status status = br_integrator_create(&ode, &def, &out, NULL);
    return FAULT_CREATED(status, out, br_integrator_destroy);
}

static br_status integrator_create(void)
{
    return create_integrator(BR_INTEGRATOR_ROSENBROCK);
}

static br_status body_stepper_create(void)
{
    br_body_stepper* out;
    const br_status status = br_body_stepper_create(&body, &out, NULL);
    return FAULT_CREATED(status, out, br_body_stepper_destroy);
}

static br_status share_weight(void)
{
    const int bears[3] = {1, 1, 1};
    double weight[3];
    return br_body_share_weight(&body, bears, weight, NULL);
}

static br_status complete_friction(void)
{
    br_body_friction friction[3];
    for (int i = 0; i < 3; i++) {
        friction[i] = (br_body_friction){
            .law = br_law_default(BR_LAW_LUGRE), .rule = BR_RULE_SIGMA0, .patch = patch};
    }
    br_modes modes;
    return br_body_complete_friction(&body, friction, &modes, NULL);
}

static br_status run_steps_create(void)
{
    br_run_steps* out;
    const br_status status = br_run_steps_create(&out, NULL);
    return FAULT_CREATED(status, out, br_run_steps_destroy);
}

// --- runs -----------------------------------------------------------------------------------------

static void ignore_row(const double* row, void* user)
{
    (void)row, (void)user;
}

static br_run_watch some_watch(void)
{
    br_run_watch watch = br_run_watch_default();
    watch.row = ignore_row;
    return watch;
}

static br_run_def short_run(double step)
{
    br_run_def def = br_run_def_default();
    def.duration = 0.01, def.every = 5e-3, def.step = step;
    def.method = step > 0.0 ? BR_INTEGRATOR_FIXED : def.method;
    return def;
}

static br_status run_body(double step)
{
    const br_run_def def = short_run(step);
    const br_run_watch watch = some_watch();
    br_reason why = {"", ""};
    const br_status status = br_body_run(&body, &def, &watch, NULL, &why);
    if (status == BR_ERR_DEF) {
        fail_msg("%s: %s", why.field, why.text);
    }
    return status;
}

static br_status body_adaptive(void)
{
    return run_body(0.0);
}

static br_status body_fixed(void)
{
    return run_body(1e-3);
}

static br_status body_recorded(void)
{
    br_run_def def = short_run(0.0);
    const br_run_watch watch = some_watch();
    br_status status = br_run_steps_create(&def.steps, NULL);
    if (status == BR_OK) {
        status = br_body_run(&body, &def, &watch, NULL, NULL);
    }
    br_run_steps_destroy(def.steps);
    return status;
}

static br_status motion_run(void)
{
    const br_motion motion = {.size = sizeof(br_motion),
                              .contact = contact,
                              .vx = br_profile_constant(1e-3),
                              .normal_force = br_profile_constant(1.0)};
    const br_run_def def = short_run(0.0);
    const br_run_watch watch = some_watch();
    return br_motion_run(&motion, &def, &watch, NULL, NULL);
}

static br_status imposed_run(void)
{
    const br_imposed imposed = {.size = sizeof(br_imposed),
                                .law = br_law_default(BR_LAW_LUGRE),
                                .velocity = br_profile_constant(1e-3),
                                .normal_force = br_profile_constant(1.0)};
    const br_run_def def = short_run(0.0);
    const br_run_watch watch = some_watch();
    return br_imposed_run(&imposed, &def, &watch, NULL, NULL);
}

static br_status rig_run(void)
{
    const br_rig rig = {.size = sizeof(br_rig),
                        .mass = 1.0,
                        .law = br_law_default(BR_LAW_LUGRE),
                        .force = br_profile_constant(2.0),
                        .normal_force = br_profile_constant(1.0)};
    const br_run_def def = short_run(0.0);
    const br_run_watch watch = some_watch();
    return br_rig_run(&rig, &def, &watch, NULL, NULL);
}

static br_status sliding_run(void)
{
    const br_sliding sliding = br_sliding_default();
    const br_run_def def = short_run(5e-3);
    const br_run_watch watch = some_watch();
    return br_sliding_run(&sliding, &def, &watch, NULL, NULL);
}

static br_status pushed_run(void)
{
    const br_pushed pushed = br_pushed_default();
    const br_run_def def = short_run(5e-3);
    const br_run_watch watch = some_watch();
    return br_pushed_run(&pushed, &def, &watch, NULL, NULL);
}

static br_status mechanism_run(void)
{
    const br_two_link arm = {
        .mass = {1.0, 1.0}, .length = {1.0, 2.0}, .gravity = 9.8, .beta = 0.25};
    double q[2];
    assert_true(br_two_link_start(&arm, (br_vec2){1.2, 0.25 * 1.44}, 0, q));
    br_mechanism_def mechanism = br_mechanism_def_default();
    mechanism.mechanism = br_two_link_mechanism(&arm);
    mechanism.q = q;
    const br_run_def def = short_run(0.0);
    const br_run_watch watch = some_watch();
    return br_mechanism_run(&mechanism, &def, &watch, NULL, NULL);
}

const fault_case faults_sim[] = {
    {"br_integrator_create", integrator_create, 0},
    {"br_body_stepper_create", body_stepper_create, 0},
    {"br_body_share_weight", share_weight, 0},
    {"br_body_complete_friction", complete_friction, 0},
    {"br_run_steps_create", run_steps_create, 0},
    {"br_body_run", body_adaptive, 0},
    {"br_body_run", body_fixed, 0},
    {"br_body_run", body_recorded, 0},
    {"br_motion_run", motion_run, 0},
    {"br_imposed_run", imposed_run, 0},
    {"br_rig_run", rig_run, 0},
    {"br_sliding_run", sliding_run, 0},
    {"br_pushed_run", pushed_run, 0},
    {"br_mechanism_run", mechanism_run, 0},
    {NULL, NULL, 0},
};
