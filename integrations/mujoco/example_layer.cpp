// A stack on a slope in MuJoCo, with friction of bristle by the layer for all engines.
#include "bristle_mujoco.h"

#include <cstdio>
#include <cstring>

static const char scene[] = R"(<mujoco>
  <option timestep="0.002" gravity="2.539 0 -9.476"/>
  <default><geom friction="0.5"/></default>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 0.03"><freejoint/><geom type="box" size="0.05 0.05 0.03" mass="0.5"/></body>
    <body pos="0 0 0.09"><freejoint/><geom type="box" size="0.05 0.05 0.03" mass="0.5"/></body>
    <body pos="0 0 0.15"><freejoint/><geom type="box" size="0.05 0.05 0.03" mass="0.5"/></body>
  </worldbody>
</mujoco>)";

int main()
{
    static mjVFS files;
    char why[1000] = "";
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, "scene.xml", sizeof scene - 1);
    std::memcpy(files.filedata[mj_findFileVFS(&files, "scene.xml")], scene, sizeof scene - 1);
    mjModel* model = mj_loadXML("scene.xml", &files, why, sizeof why);
    mj_deleteVFS(&files);
    if (!model)
        return std::printf("%s\n", why), 1;
    mjData* data = mj_makeData(model);
    double settled = 0;
    {
        BristleMujoco friction(model, data);
        while (data->time < 5) {
            if (friction.step() != BR_OK) // in place of mj_step()
                return std::printf("the layer refused a step\n"), 1;
            if (data->time < 1)
                settled = data->qpos[14]; // x of the top
        }
    }
    const double creep = std::fabs(data->qpos[14] - settled) / 4;
    std::printf("stack of three: its top gives way by %.1f um, then creeps by %.2g um/s\n",
                1e6 * settled, 1e6 * creep);
    mj_deleteData(data);
    mj_deleteModel(model);
    return creep < 1e-6 ? 0 : 1;
}
