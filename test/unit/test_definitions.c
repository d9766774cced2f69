/*
 * Definitions of older callers: every struct with `size` that a `_create`, `_init` or `_run` takes.
 *
 * An older header lacks the last member. The block below is as short as that caller's struct, so that valgrind sees
 * every read beyond it.
 */
#include "bristle/bristle.h"

#include <string.h>

#include "check.h"

static br_patch* patch;
static br_contact* contact;

static void skip_row(const double* row, void* user)
{
    (void)row, (void)user;
}

static br_run_watch some_watch(void)
{
    br_run_watch watch = br_run_watch_default();
    watch.row = skip_row;
    return watch;
}

static br_run_def some_run(void)
{
    br_run_def def = br_run_def_default();
    def.duration = 0.01;
    return def;
}

static br_run_def some_steps(void)
{
    br_run_def def = some_run();
    def.method = BR_INTEGRATOR_FIXED;
    def.step = 0.005;
    return def;
}

// --- calls that read a definition ------------------------------------------------------------------

#define CALL(name, type)                                                                           \
    static br_status name##_call(const type* def, br_reason* why);                                 \
    static br_status name(const void* def, br_reason* why)                                         \
    {                                                                                              \
        return name##_call(def, why);                                                              \
    }                                                                                              \
    static br_status name##_call(const type* def, br_reason* why)

CALL(rollout_check, br_rollout_def)
{
    return br_rollout_check(def, why);
}

// A call that creates something.
#define CREATE(name, type, thing)                                                                  \
    CALL(name##_create, type##_def)                                                                \
    {                                                                                              \
        thing* out;                                                                                \
        const br_status status = thing##_create(def, &out, why);                                   \
        thing##_destroy(out);                                                                      \
        return status;                                                                             \
    }

// A run of `type` by `run`.
#define RUN(name, type, call, run)                                                                 \
    CALL(name##_run, type)                                                                         \
    {                                                                                              \
        const br_run_watch watch = some_watch();                                                   \
        const br_run_def how = run();                                                              \
        return call(def, &how, &watch, NULL, why);                                                 \
    }

CREATE(patch, br_patch, br_patch)
CREATE(limit, br_limit, br_limit)
CREATE(contact, br_contact, br_contact)
CREATE(stepper, br_stepper, br_stepper)
CREATE(worlds, br_worlds, br_worlds)
CREATE(engine, br_engine, br_engine)
RUN(body, br_body, br_body_run, some_run)
RUN(rig, br_rig, br_rig_run, some_run)
RUN(imposed, br_imposed, br_imposed_run, some_run)
RUN(motion, br_motion, br_motion_run, some_run)
RUN(mechanism, br_mechanism_def, br_mechanism_run, some_run)
RUN(sliding, br_sliding, br_sliding_run, some_steps)
RUN(pushed, br_pushed, br_pushed_run, some_steps)

CALL(run_def_run, br_run_def)
{
    const br_body body = br_body_default();
    const br_run_watch watch = some_watch();
    return br_body_run(&body, def, &watch, NULL, why);
}

CALL(watch_run, br_run_watch)
{
    const br_body body = br_body_default();
    const br_run_def how = some_run();
    return br_body_run(&body, &how, def, NULL, why);
}

CALL(body_stepper_create, br_body)
{
    br_body_stepper* out;
    const br_status status = br_body_stepper_create(def, &out, why);
    br_body_stepper_destroy(out);
    return status;
}

CALL(body_step, br_body_step_def)
{
    const br_body body = br_body_default();
    br_body_stepper* stepper;
    assert_status(br_body_stepper_create(&body, &stepper, NULL), BR_OK);
    const br_status status = br_body_step(stepper, def, NULL, why);
    br_body_stepper_destroy(stepper);
    return status;
}

static void rate(double t, const double* y, double* dy, void* user)
{
    (void)t, (void)user;
    dy[0] = -y[0];
}

static void jacobian(double t, const double* y, double* to, double* dfdt, void* user)
{
    (void)t, (void)y, (void)user;
    to[0] = -1.0;
    dfdt[0] = 0.0;
}

static const double tolerance[1] = {1e-8};

static br_ode some_ode(void)
{
    br_ode ode = br_ode_default();
    ode.n = 1;
    ode.rate = rate;
    ode.jacobian = jacobian;
    return ode;
}

static br_integrator_def some_integrator(void)
{
    br_integrator_def def = br_integrator_def_default();
    def.atol = tolerance;
    return def;
}

static br_status create_integrator(const br_ode* ode, const br_integrator_def* def, br_reason* why)
{
    br_integrator* out;
    const br_status status = br_integrator_create(ode, def, &out, why);
    br_integrator_destroy(out);
    return status;
}

CALL(ode_create, br_ode)
{
    const br_integrator_def how = some_integrator();
    return create_integrator(def, &how, why);
}

CALL(integrator_create, br_integrator_def)
{
    const br_ode ode = some_ode();
    return create_integrator(&ode, def, why);
}

CALL(polyhedron_init, br_polyhedron_def)
{
    br_polyhedron out;
    return br_polyhedron_init(def, &out, why);
}

CALL(online_init, br_online_def)
{
    br_online out;
    return br_online_init(def, &out, why);
}

CALL(fit_law, br_fit_law_def)
{
    static br_fit_law_result out;
    return br_fit_law(def, NULL, &out, why);
}

CALL(fit_contact, br_fit_contact_def)
{
    static br_fit_contact_result out;
    return br_fit_contact(def, NULL, &out, why);
}

CALL(fit_pressure, br_fit_pressure_def)
{
    br_fit_pressure* out = NULL;
    return br_fit_pressure_create(def, NULL, 0, &out, why);
}

CALL(fit_pushes, br_fit_pushes_def)
{
    br_fit_pushes* out = NULL;
    return br_fit_pushes_create(def, NULL, 0, &out, why);
}

#ifdef BRISTLE_HAS_SCENARIO
static br_scenario* some_scenario(void)
{
    br_scenario* scenario;
    assert_status(
        br_scenario_read_text("{law: {kind: coulomb, mu_c: 0.3}, motion: {velocity: "
                              "1e-3}, duration: 0.01, sweep: {vary: {law.mu_c: [0.2, 0.3]}}}",
                              "text", NULL, &scenario),
        BR_OK);
    return scenario;
}

CALL(scenario_run, br_scenario_watch)
{
    br_scenario* scenario = some_scenario();
    br_table* table = NULL;
    const br_status status = br_scenario_run(scenario, def, &table, why);
    br_table_destroy(table);
    br_scenario_destroy(scenario);
    return status;
}

// Create a sweep with `def`, or run one with `run`.
static br_status try_sweep(const br_sweep_def* def, const br_sweep_run_def* run, br_reason* why)
{
    br_scenario* scenario = some_scenario();
    br_sweep* sweep = NULL;
    br_status status = br_sweep_create(scenario, def, &sweep, why);
    if (status == BR_OK && run) {
        status = br_sweep_run(sweep, run, why);
    }
    br_sweep_destroy(sweep);
    br_scenario_destroy(scenario);
    return status;
}

CALL(sweep_create, br_sweep_def)
{
    return try_sweep(def, NULL, why);
}

CALL(sweep_run, br_sweep_run_def)
{
    return try_sweep(NULL, def, why);
}
#endif

// --- the table -------------------------------------------------------------------------------------

// A definition that the call accepts.
#define SET(type, value)                                                                           \
    static void set_##type(void* to)                                                               \
    {                                                                                              \
        *(type*)to = value;                                                                        \
    }

static br_limit_def some_limit(void)
{
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    return def;
}

static br_contact_def some_contact(void)
{
    br_contact_def def = br_contact_def_default();
    def.patch = patch;
    return def;
}

static br_engine_def some_engine(void)
{
    br_engine_def def = br_engine_def_default(BR_ENGINE_MUJOCO);
    def.patch = patch;
    return def;
}

static br_polyhedron_def some_polyhedron(void)
{
    br_polyhedron_def def = br_polyhedron_def_default();
    assert_status(br_cone_init((const double[3]){0.0, 0.0, 1.0}, 0.5, &def.cone, NULL), BR_OK);
    return def;
}

static br_motion some_motion(void)
{
    br_motion motion = br_motion_default();
    motion.contact = contact;
    return motion;
}

static br_mechanism_def some_mechanism(void)
{
    static const br_two_link arm = {
        .mass = {1.0, 1.0}, .length = {1.0, 2.0}, .gravity = 9.8, .beta = 0.25};
    static double q[2];
    assert_true(br_two_link_start(&arm, (br_vec2){1.2, 0.25 * 1.44}, 0, q));
    br_mechanism_def def = br_mechanism_def_default();
    def.mechanism = br_two_link_mechanism(&arm);
    def.q = q;
    return def;
}

static br_worlds_def some_worlds(void)
{
    static br_worlds_contact foot;
    foot.contact = contact;
    return br_worlds_def_default(&foot, 1);
}

SET(br_patch_def, br_patch_def_default())
SET(br_limit_def, some_limit())
SET(br_contact_def, some_contact())
SET(br_stepper_def, br_stepper_def_default())
SET(br_worlds_def, some_worlds())
SET(br_rollout_def, br_rollout_def_default())
SET(br_engine_def, some_engine())
SET(br_polyhedron_def, some_polyhedron())
SET(br_run_def, some_run())
SET(br_run_watch, some_watch())
SET(br_body, br_body_default())
SET(br_body_step_def, br_body_step_def_default(1e-3))
SET(br_rig, br_rig_default())
SET(br_imposed, br_imposed_default())
SET(br_motion, some_motion())
SET(br_mechanism_def, some_mechanism())
SET(br_sliding, br_sliding_default())
SET(br_pushed, br_pushed_default())
SET(br_ode, some_ode())
SET(br_integrator_def, some_integrator())
SET(br_online_def, br_online_def_default())
SET(br_fit_law_def, br_fit_law_def_default())
SET(br_fit_contact_def, br_fit_contact_def_default())
SET(br_fit_pressure_def, br_fit_pressure_def_default())
SET(br_fit_pushes_def, br_fit_pushes_def_default())
#ifdef BRISTLE_HAS_SCENARIO
SET(br_scenario_watch, br_scenario_watch_default())
SET(br_sweep_def, br_sweep_def_default())
SET(br_sweep_run_def, br_sweep_run_def_default())
#endif

typedef struct definition {
    const char* name;
    size_t bytes, shorter; // with and without its last member
    void (*set)(void* to);
    br_status (*call)(const void* def, br_reason* why);
    bool lacks_data; // the call refuses the definition after its size: it has no measurements
} definition;

#define ROW(type, last, call)                                                                      \
    {                                                                                              \
#type, sizeof(type), offsetof(type, last), set_##type, call, false                         \
    }
#define ROW_WITHOUT_DATA(type, last, call)                                                         \
    {                                                                                              \
#type, sizeof(type), offsetof(type, last), set_##type, call, true                          \
    }

static const definition definitions[] = {
    ROW(br_patch_def, angle, patch_create),
    ROW(br_limit_def, resolution, limit_create),
    ROW(br_contact_def, share_geometry_of, contact_create),
    ROW(br_stepper_def, group, stepper_create),
    ROW(br_worlds_def, plain, worlds_create),
    ROW(br_rollout_def, every, rollout_check),
    ROW(br_engine_def, faces, engine_create),
    ROW(br_polyhedron_def, f_max, polyhedron_init),
    ROW(br_run_def, repeats_steps, run_def_run),
    ROW(br_run_watch, user, watch_run),
    ROW(br_body, from, body_run),
    ROW(br_body, from, body_stepper_create),
    ROW(br_body_step_def, user, body_step),
    ROW(br_rig, normal_force, rig_run),
    ROW(br_imposed, normal_force, imposed_run),
    ROW(br_motion, normal_force, motion_run),
    ROW(br_mechanism_def, stabilisation, mechanism_run),
    ROW(br_sliding, support_count, sliding_run),
    ROW(br_pushed, y, pushed_run),
    ROW(br_ode, user, ode_create),
    ROW(br_integrator_def, max_steps, integrator_create),
    ROW(br_online_def, smoothing, online_init),
    ROW_WITHOUT_DATA(br_fit_law_def, speed_noise, fit_law),
    ROW_WITHOUT_DATA(br_fit_contact_def, free, fit_contact),
    ROW_WITHOUT_DATA(br_fit_pressure_def, watch, fit_pressure),
    ROW_WITHOUT_DATA(br_fit_pushes_def, watch, fit_pushes),
#ifdef BRISTLE_HAS_SCENARIO
    ROW(br_scenario_watch, is_brief, scenario_run),
    ROW(br_sweep_def, output_count, sweep_create),
    ROW(br_sweep_run_def, user, sweep_run),
#endif
};
enum { DEFINITIONS = sizeof definitions / sizeof *definitions };

// Call with the first `bytes` of a definition, in a block of that length, which says that it has `size` bytes.
static br_status call_with(const definition* d, size_t bytes, size_t size, br_reason* why)
{
    void* full = test_malloc(d->bytes);
    void* given = test_malloc(bytes);
    d->set(full);
    memcpy(given, full, bytes);
    memcpy(given, &size, sizeof size);
    *why = (br_reason){"", ""};
    const br_status status = d->call(given, why);
    test_free(given);
    test_free(full);
    return status;
}

/* Oracle: br_definition_read(). Members that an older caller does not know have their defaults. */
static void shorter_definitions_of_older_callers_are_accepted(void** state)
{
    (void)state;
    for (size_t i = 0; i < DEFINITIONS; i++) {
        const definition* d = &definitions[i];
        br_reason why;
        const br_status status = call_with(d, d->shorter, d->shorter, &why);
        const bool is_good = d->lacks_data ? strcmp(why.field, "size") != 0 : status == BR_OK;
        if (!is_good) {
            fail_msg("%s: %s: %s", d->name, why.field, why.text);
        }
    }
}

/* Oracle: br_definition_read(). A size of 0 is that of a struct that no default function has filled; a size that is
 * too large is that of a newer header. */
static void definitions_of_other_sizes_are_refused(void** state)
{
    (void)state;
    for (size_t i = 0; i < DEFINITIONS; i++) {
        const definition* d = &definitions[i];
        const size_t sizes[] = {0, sizeof(size_t), d->bytes + 1};
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            br_reason why;
            if (call_with(d, d->bytes, sizes[k], &why) == BR_OK || strcmp(why.field, "size") != 0 ||
                !strstr(why.text, d->name)) {
                fail_msg("%s with size %zu: %s: %s", d->name, sizes[k], why.field, why.text);
            }
        }
    }
}

static int create_shared(void** state)
{
    (void)state;
    const br_patch_def def = br_patch_def_default();
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    const br_contact_def contact_def = some_contact();
    assert_status(br_contact_create(&contact_def, &contact, NULL), BR_OK);
    return 0;
}

static int destroy_shared(void** state)
{
    (void)state;
    br_contact_destroy(contact);
    br_patch_destroy(patch);
    return 0;
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shorter_definitions_of_older_callers_are_accepted),
        cmocka_unit_test(definitions_of_other_sizes_are_refused),
    };
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    return cmocka_run_group_tests(tests, create_shared, destroy_shared);
}
