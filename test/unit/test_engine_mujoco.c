/*
 * The friction of a patch as MuJoCo takes it, in MuJoCo itself. The snippet that `bristle convert` prints is pasted
 * into a model: a body that slides along x and y, sinks along z and turns about it, on a sphere that touches a
 * plane in one point. Argument: the command.
 */
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "bristle/engine.h"
#include "patch_shapes.h"

static const char* command; // from the command line
static const double mass = 0.1, radius = 0.04, mu = 0.2, gravity = 9.81, h = 1e-3;

// What it converts: a disc of 40 mm.
static br_engine* make_engine(br_patch** patch, int flat)
{
    br_engine* engine;
    br_engine_def def = br_engine_def_default(BR_ENGINE_MUJOCO);
    *patch = make(disc_def(radius));
    def.patch = *patch, def.mu = mu, def.fn = mass * gravity, def.flat = flat;
    assert_status(br_engine_create(&def, &engine, NULL), BR_OK);
    return engine;
}

// The snippet for that disc, as the command prints it.
static void get_snippet(int flat, char* text, size_t size)
{
    char line[1024], path[] = "/tmp/bristle_disc_XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    FILE* yaml = fdopen(file, "w");
    fprintf(yaml, "shape: disc\nradius: %g\n", radius);
    fclose(yaml);
    snprintf(line, sizeof line, "'%s' convert %s --to mujoco --mu %g --fn %g --cone %s", command,
             path, mu, mass * gravity, flat ? "flat" : "round");
    FILE* pipe = popen(line, "r");
    assert_non_null(pipe);
    text[fread(text, 1, size - 1, pipe)] = '\0';
    assert_int_equal(pclose(pipe), 0);
    remove(path);
}

// The class of the snippet's geoms.
static void get_class(const char* snippet, char name[64])
{
    const char* at = strstr(snippet, "class=\"");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "class=\"%63[^\"]", name), 1);
}

static mjModel* make_model(int flat)
{
    char snippet[4096], name[64], text[8192], path[] = "/tmp/bristle_model_XXXXXX", error[512] = "";
    get_snippet(flat, snippet, sizeof snippet);
    get_class(snippet, name);
    const double inertia = 0.5 * mass * radius * radius;
    snprintf(text, sizeof text,
             "<mujoco>%s<option timestep=\"%g\" gravity=\"0 0 -%g\" tolerance=\"1e-12\"/>"
             "<worldbody><geom type=\"plane\" size=\"5 5 1\"/><body pos=\"0 0 %g\">"
             "<joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 1 0\"/>"
             "<joint type=\"slide\" axis=\"0 0 1\"/><joint type=\"hinge\" axis=\"0 0 1\"/>"
             "<inertial pos=\"0 0 0\" mass=\"%g\" diaginertia=\"%g %g %g\"/>"
             "<geom class=\"%s\" type=\"sphere\" size=\"%g\"/></body></worldbody></mujoco>",
             snippet, h, gravity, radius, mass, inertia, inertia, inertia, name, radius);
    const int file = mkstemp(path);
    FILE* xml = fdopen(file, "w");
    fputs(text, xml);
    fclose(xml);
    mjModel* model = mj_loadXML(path, NULL, error, sizeof error);
    remove(path);
    if (!model) {
        fail_msg("MuJoCo refuses the snippet: %s\n%s", error, snippet);
    }
    return model;
}

// Let it sink to rest, so that it presses with its weight.
static mjData* make_data(const mjModel* model)
{
    mjData* data = mj_makeData(model);
    for (int i = 0; i < 1000; i++) {
        mj_step(model, data);
    }
    return data;
}

static void set_twist(mjData* data, br_twist v)
{
    data->qvel[0] = v.vx, data->qvel[1] = v.vy, data->qvel[3] = v.w;
}

// Coulomb's law on the engine's surface, dv/dt = f/m, dw/dt = tau/I, by Heun's rule until it rests.
static br_pose slide_to_rest(const br_engine* engine, br_twist v)
{
    const double dt = 1e-5, push = mu * gravity,
                 spin = push * mass / (0.5 * mass * radius * radius);
    br_pose pose = {0.0, 0.0, 0.0};
    while (v.vx > 1e-4) {
        const br_wrench a = br_engine_eval(engine, v).wrench;
        const br_twist end = {v.vx + dt * push * a.fx, 0.0, v.w + dt * spin * a.tau};
        const br_wrench b = br_engine_eval(engine, end).wrench;
        const br_twist next = {v.vx + 0.5 * dt * push * (a.fx + b.fx), 0.0,
                               v.w + 0.5 * dt * spin * (a.tau + b.tau)};
        pose.x += 0.5 * dt * (v.vx + next.vx);
        pose.theta += 0.5 * dt * (v.w + next.w);
        v = next;
    }
    return pose;
}

/* Oracle: independent program. MuJoCo's own contact force at many twists is the wrench that the ellipsoid has: its
 * elliptic cone is br_engine_eval(), its torsional coefficient mu r. */
static void contact_forces_are_on_the_converted_surface(void** state)
{
    (void)state;
    br_patch* patch;
    br_engine* engine = make_engine(&patch, 0);
    mjModel* model = make_model(0);
    mjData* data = make_data(model);
    uint64_t seed = 3;
    // friction opposes b v + a, not v: b = 105/s by MuJoCo's default solref, a = 2 m/s^2 and 100 rad/s^2 its own
    // deceleration, so that the direction is off by up to a/(b v)
    const double soft = 0.01;
    for (int i = 0; i < 50; i++) {
        const br_twist v = {uniform(&seed, -2.0, 2.0), uniform(&seed, -2.0, 2.0),
                            uniform(&seed, -50.0, 50.0)};
        set_twist(data, v);
        mj_forward(model, data);
        assert_int_equal(data->ncon, 1);
        mjtNum f[6], world[3];
        mj_contactForce(model, data, 0, f);
        mju_rotVecMatT(world, f, data->contact[0].frame); // rows of the frame: normal, tangents
        const br_wrench want = br_engine_eval(engine, v).wrench;
        const double scale = mu * f[0], r = 2.0 * radius / 3.0;
        assert_near(world[0] / scale, want.fx, soft);
        assert_near(world[1] / scale, want.fy, soft);
        assert_near(f[3] / scale / r, want.tau / r, soft);
        // and on its cone, whatever the direction
        const br_wrench got = {world[0] / scale, world[1] / scale, f[3] / scale};
        assert_near(br_engine_gauge(engine, got), 1.0, 1e-6 /* six digits of the snippet */);
    }
    mj_deleteData(data), mj_deleteModel(model);
    br_engine_destroy(engine), br_patch_destroy(patch);
}

/* Oracle: independent program. A puck with spin comes to rest where the law on the ellipsoid gives. */
static void a_puck_slides_and_turns_by_the_ellipsoid(void** state)
{
    (void)state;
    br_patch* patch;
    br_engine* engine = make_engine(&patch, 0);
    mjModel* model = make_model(0);
    mjData* data = make_data(model);
    const br_twist v = {0.5, 0.0, 40.0};
    const br_pose want = slide_to_rest(engine, v);
    const double x = data->qpos[0], theta = data->qpos[3];
    set_twist(data, v);
    for (int i = 0; i < 2000; i++) {
        mj_step(model, data);
    }
    printf("MuJoCo: %.1f mm, %.2f rad; the ellipsoid: %.1f mm, %.2f rad\n",
           1e3 * (data->qpos[0] - x), data->qpos[3] - theta, 1e3 * want.x, want.theta);
    // it creeps, and sinks while it slides: 1 %
    assert_near_relative(data->qpos[0] - x, want.x, 0.01);
    assert_near_relative(data->qpos[3] - theta, want.theta, 0.01);
    mj_deleteData(data), mj_deleteModel(model);
    br_engine_destroy(engine), br_patch_destroy(patch);
}

// How far it goes in a second under a load, (x, y, theta r) [m].
static double pulled(const mjModel* model, br_wrench load)
{
    mjData* data = make_data(model);
    const double start[3] = {data->qpos[0], data->qpos[1], data->qpos[3]};
    data->qfrc_applied[0] = load.fx, data->qfrc_applied[1] = load.fy;
    data->qfrc_applied[3] = load.tau;
    for (int i = 0; i < 1000; i++) {
        mj_step(model, data);
    }
    const double r = 2.0 * radius / 3.0;
    const double distance = hypot(hypot(data->qpos[0] - start[0], data->qpos[1] - start[1]),
                                  r * (data->qpos[3] - start[2]));
    mj_deleteData(data);
    return distance;
}

/* Oracle: independent program. Loads of force and torque are held below gauge 1 and slip above it, on the
 * elliptic cone and on the pyramidal one. 3 % beyond, mu g 0.03/2 s^2 = 29 mm in a second; 3 % below it creeps. */
static void loads_slip_at_gauge_one(void** state)
{
    (void)state;
    static const double loads[][3] = {{1, 0, 0}, {0, 0, 1},  {1, 0, 1},      {0, 1, -1},
                                      {1, 1, 0}, {1, -1, 1}, {0.3, 0.1, 0.9}};
    for (int flat = 0; flat < 2; flat++) {
        br_patch* patch;
        br_engine* engine = make_engine(&patch, flat);
        mjModel* model = make_model(flat);
        for (size_t i = 0; i < COUNT(loads); i++) {
            const double r = 2.0 * radius / 3.0;
            const br_wrench l = {loads[i][0], loads[i][1], loads[i][2] * r};
            const double scale = mu * mass * gravity / br_engine_gauge(engine, l);
            const double below = 0.97 * scale, above = 1.03 * scale;
            const double holds =
                pulled(model, (br_wrench){below * l.fx, below * l.fy, below * l.tau});
            const double slips =
                pulled(model, (br_wrench){above * l.fx, above * l.fy, above * l.tau});
            printf("%s, load %4.1f %4.1f %4.1f: 3 %% below %.2f mm, 3 %% above %.1f mm\n",
                   flat ? "pyramidal" : "elliptic", loads[i][0], loads[i][1], loads[i][2],
                   1e3 * holds, 1e3 * slips);
            assert_true(holds < 5e-3);
            assert_true(slips > 15e-3);
        }
        mj_deleteModel(model);
        br_engine_destroy(engine), br_patch_destroy(patch);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact_forces_are_on_the_converted_surface),
        cmocka_unit_test(a_puck_slides_and_turns_by_the_ellipsoid),
        cmocka_unit_test(loads_slip_at_gauge_one),
    };
    command = argc > 1 ? argv[1] : "bristle";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
