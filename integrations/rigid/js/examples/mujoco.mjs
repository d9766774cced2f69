// A box on a slope of 15 degrees in MuJoCo 3, with bristle's friction: it stays.

import load from "@mujoco/mujoco";

import { MujocoFriction } from "../mujoco.js";

const mujoco = await load();
const model = mujoco.MjModel.from_xml_string(`
  <mujoco>
    <option gravity="2.539 0 -9.4757"/>
    <worldbody>
      <geom type="plane" size="5 5 1" friction="0.5"/>
      <body pos="0 0 0.05"><freejoint/><geom type="box" size="0.05 0.05 0.05" mass="0.5" friction="0.5"/></body>
    </worldbody>
  </mujoco>`);
const data = new mujoco.MjData(model);

const friction = new MujocoFriction(mujoco, model, data);
for (let second = 0; second <= 5; second++) {
  console.log(`${second} s: ${(1e6 * data.qpos[0]).toFixed(2)} um down the slope`);
  for (let i = 0; i < 500; i++) {
    friction.step(); // instead of mujoco.mj_step(model, data)
  }
}
friction.free();
