/*
 * Anisotropic friction beside MuJoCo's contact with two tangential coefficients: a body on one point that
 * slides over a plane.
 */
#include <stdio.h>

#include <mujoco/mujoco.h>

#include "bristle/bristle.h"
#include "check.h"

static const double mass = 0.1, gravity = 9.81, mu = 0.2, ratio = 2.0;

// MuJoCo bounds the forces of a contact by the ellipse (f_1/mu_1)^2 + (f_2/mu_2)^2 <= fn^2; on a level plane its first
// tangent is along y, the second along -x. The body slides along x and y and sinks along z.
static mjModel* make_model(double h)
{
    char text[2048], path[] = "/tmp/bristle_grain_XXXXXX", error[512] = "";
    snprintf(text, sizeof text,
             "<mujoco><option timestep=\"%g\" gravity=\"0 0 -%g\" cone=\"elliptic\" "
             "tolerance=\"1e-12\"/><worldbody>"
             "<geom name=\"plane\" type=\"plane\" size=\"5 5 1\"/><body pos=\"0 0 0.04\">"
             "<joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 1 0\"/>"
             "<joint type=\"slide\" axis=\"0 0 1\"/>"
             "<inertial pos=\"0 0 0\" mass=\"%g\" diaginertia=\"1e-4 1e-4 1e-4\"/>"
             "<geom name=\"ball\" type=\"sphere\" size=\"0.04\"/></body></worldbody>"
             "<contact><pair geom1=\"plane\" geom2=\"ball\" condim=\"3\" "
             "friction=\"%g %g 0 0 0\"/></contact></mujoco>",
             h, gravity, mass, mu, ratio * mu);
    const int file = mkstemp(path);
    assert_true(file >= 0);
    FILE* xml = fdopen(file, "w");
    fputs(text, xml);
    fclose(xml);
    mjModel* model = mj_loadXML(path, NULL, error, sizeof error);
    remove(path);
    if (!model) {
        fail_msg("MuJoCo refuses the model: %s", error);
    }
    return model;
}

/* Oracle: MuJoCo. Its contact force at many velocities is that of the limit surface of a point with this anisotropy. */
static void contact_forces_are_those_of_the_surface(void** state)
{
    (void)state;
    const br_support_point point = {0.0, 0.0, 1.0};
    br_patch_def shape = br_patch_def_default();
    shape.shape = BR_SHAPE_POINTS;
    shape.count = 1;
    shape.points = &point;
    br_patch* patch = NULL;
    assert_status(br_patch_create(&shape, &patch, NULL), BR_OK);
    br_limit_def def = br_limit_def_default();
    br_limit* surface = NULL;
    def.patch = patch;
    def.anisotropy.ratio = ratio;
    assert_status(br_limit_create(&def, &surface, NULL), BR_OK);

    mjModel* model = make_model(1e-3);
    mjData* data = mj_makeData(model);
    for (int i = 0; i < 1000; i++) { // until it presses with its weight
        mj_step(model, data);
    }
    assert_int_equal(data->ncon, 1);
    assert_near(fabs(data->contact[0].frame[4]), 1.0, 1e-12); // the first tangent is along y

    // its friction opposes v + a/b, a its own acceleration, b = 2/(dmax timeconst) of the default solref and solimp
    const double b = 2.0 / (0.95 * 0.02);
    uint64_t seed = 5;
    for (int i = 0; i < 50; i++) {
        const double to = uniform(&seed, 0.0, 6.28), speed = uniform(&seed, 1.0, 3.0);
        const br_twist v = {speed * cos(to), speed * sin(to), 0.0};
        data->qvel[0] = v.vx;
        data->qvel[1] = v.vy;
        mj_forward(model, data);
        mjtNum f[6], world[3];
        mj_contactForce(model, data, 0, f);
        mju_rotVecMatT(world, f, data->contact[0].frame); // rows of the frame: normal, tangents
        const br_twist slips = {v.vx + data->qacc[0] / b, v.vy + data->qacc[1] / b, 0.0};
        const br_wrench want = br_limit_eval(surface, slips).wrench;
        assert_near(world[0] / (mu * f[0]), want.fx, 1e-5 /* tolerance of its solver */);
        assert_near(world[1] / (mu * f[0]), want.fy, 1e-5);
    }
    mj_deleteData(data);
    mj_deleteModel(model);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(contact_forces_are_those_of_the_surface)};
    return run_group(argc, argv, tests);
}
