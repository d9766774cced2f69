// The layer in MuJoCo: what the scenes of the table do not have. Oracles: invariance, statics.
#include "bristle_mujoco.h"

#include <cstdio>
#include <cstring>

static bool failed = false;

static void expect(bool ok, const char* what, double value)
{
    printf("%s %s: %.6g\n", ok ? "ok  " : "FAIL", what, value);
    failed |= !ok;
}

struct Scene {
    mjModel* model;
    mjData* data;

    explicit Scene(const std::string& worldbody, const char* options = "")
    {
        const std::string xml = std::string("<mujoco><option timestep='0.002' ") + options +
                                "/><default><geom friction='0.3'/></default><worldbody>"
                                "<geom type='plane' size='5 5 1'/>" +
                                worldbody + "</worldbody></mujoco>";
        static mjVFS files;
        char why[1000] = "";
        mj_defaultVFS(&files);
        mj_makeEmptyFileVFS(&files, "scene.xml", int(xml.size()));
        memcpy(files.filedata[mj_findFileVFS(&files, "scene.xml")], xml.data(), xml.size());
        model = mj_loadXML("scene.xml", &files, why, sizeof why);
        mj_deleteVFS(&files);
        if (!model)
            throw std::runtime_error(why);
        data = mj_makeData(model);
    }
    ~Scene()
    {
        mj_deleteData(data);
        mj_deleteModel(model);
    }
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;
};

// A box that slides and spins, until it rests, for 1 s: x, y and the quaternion's z.
static void slide(const std::string& body, double* out)
{
    Scene s("<body pos='0 0 0.0201'><freejoint/>" + body + "</body>");
    BristleMujoco friction(s.model, s.data);
    for (int i = 0; i < 100; i++)
        friction.step(); // settles
    s.data->qvel[0] = 0.5, s.data->qvel[5] = 10;
    for (int i = 0; i < 500; i++)
        if (friction.step() != BR_OK)
            expect(false, "a step is refused", i);
    out[0] = s.data->qpos[0], out[1] = s.data->qpos[1], out[2] = s.data->qpos[6];
    expect(std::fabs(s.data->qvel[0]) < 1e-6, "rests [m/s]", s.data->qvel[0]);
}

static void welded_bodies_are_one()
{
    double one[3], two[3], massless[3];
    slide("<geom type='box' size='0.06 0.03 0.02' mass='0.4'/>", one);
    // the geom that touches is the same box
    slide("<geom type='box' size='0.06 0.03 0.02' mass='0.2'/>"
          "<body pos='0 0 0'><geom type='box' size='0.06 0.03 0.02' mass='0.2' contype='0' "
          "conaffinity='0'/></body>",
          two);
    slide("<geom type='box' size='0.06 0.03 0.02' mass='0.4'/><body pos='0 0 0.1'><site/></body>",
          massless);
    for (int k = 0; k < 3; k++) { // the order of sums differs
        expect(std::fabs(two[k] - one[k]) < 1e-9, "halves that are welded, off by",
               two[k] - one[k]);
        expect(std::fabs(massless[k] - one[k]) < 1e-9, "with a body without mass, off by",
               massless[k] - one[k]);
    }
}

// A bar of two bodies, whose heavy end makes their common centre another one than that of the body with the joint.
static void welded_bodies_hold_on_a_slope()
{
    Scene s("<body pos='0 0 0.02'><freejoint/><geom type='box' size='0.05 0.05 0.02' mass='0.1'/>"
            "<body pos='0.1 0 0'><geom type='box' size='0.05 0.05 0.02' mass='1'/></body></body>",
            "gravity='1.3 0.6 -9.7'"); // 0.15 of the weight, mu = 0.3
    BristleMujoco friction(s.model, s.data);
    double from[2] = {0, 0};
    for (int i = 0; i < 1500; i++) {
        friction.step();
        if (i == 500)
            mju_copy(from, s.data->qpos, 2);
    }
    const double creep = std::hypot(s.data->qpos[0] - from[0], s.data->qpos[1] - from[1]) / 2;
    expect(creep < 1e-9, "welded bodies creep [m/s]", creep);
    brg_contact contact;
    double fn = 0;
    for (int geom = 1; geom < 3; geom++)
        fn += brg_get_contact(friction.layer(), uint64_t(geom), &contact) ? contact.fn : 0;
    expect(std::fabs(fn - 1.1 * 9.7) < 1e-6, "they press with [N]", fn);
}

static void margins_of_the_model_stay()
{
    Scene s("<body pos='0 0 0.025'><freejoint/><geom type='box' size='0.05 0.05 0.02' mass='0.5' "
            "margin='0.005'/></body>");
    BristleMujoco friction(s.model, s.data);
    for (int i = 0; i < 1000; i++)
        friction.step();
    // the slop of 10 um is left alone
    expect(std::fabs(s.data->qpos[2] - 0.025) < 2e-5, "stands 5 mm above the ground [m]",
           s.data->qpos[2]);
}

static void refuses(const char* options, const brg_def* def, const char* what)
{
    Scene s("", options);
    try {
        BristleMujoco friction(s.model, s.data, def);
        expect(false, what, 0);
    } catch (const std::invalid_argument& e) {
        expect(strstr(e.what(), what), what, 1);
    }
}

int main()
{
    welded_bodies_are_one();
    welded_bodies_hold_on_a_slope();
    margins_of_the_model_stay();
    refuses("integrator='RK4'", nullptr, "integrator");
    brg_def def = brg_def_default();
    def.touch = -1;
    refuses("", &def, "touch");
    return failed;
}
