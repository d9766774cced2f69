// Friction of joints that `bristle convert` prints, run in MuJoCo 3: node joint.test.mjs BRISTLE, the command.

import load from "@mujoco/mujoco";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const mujoco = await load();
const bristle = process.argv[2];
const INERTIA = 0.05;
const PUSH = { until: 0.5, torque: 0.5, then: 0.1 }; // it slides, stops, and is held by friction
const DURATION = 2;

/** A joint that is pushed and then held, as a scenario with this law. */
function scenario(law) {
  const file = join(mkdtempSync(join(tmpdir(), "bristle-")), "joint.yaml");
  const force = `{kind: steps, times: [0, ${PUSH.until}], values: [${PUSH.torque}, ${PUSH.then}]}`;
  writeFileSync(file, `law: ${law}\nrig: {mass: ${INERTIA}, force: ${force}}\nduration: ${DURATION}\noutput: {every: 0.5}\n`);
  return file;
}

/** The printed angles of `bristle run` every 0.5 s, and the numbers of `bristle convert`. */
function expected(law) {
  const file = scenario(law);
  const rows = execFileSync(bristle, ["run", file, "-q", "-o", "-"], { encoding: "utf8" }).trim().split("\n");
  const column = rows[0].split(",").indexOf("x");
  const angles = rows.slice(2).map((row) => Number(row.split(",")[column]));
  const numbers = JSON.parse(execFileSync(bristle, ["convert", file, "--to", "mujoco", "--json"], { encoding: "utf8" }));
  return { angles, numbers };
}

/** The angles every 0.5 s in MuJoCo. */
function run(joint, actuator, h) {
  const model = mujoco.MjModel.from_xml_string(`<mujoco>
  <option timestep="${h}" gravity="0 0 0" integrator="implicitfast"/>
  <worldbody><body>
    <inertial pos="0 0 0" mass="1" diaginertia="${INERTIA} ${INERTIA} ${INERTIA}"/>
    <joint name="joint" type="hinge" axis="0 0 1" ${joint}/>
  </body></worldbody>
  <actuator>${actuator}</actuator>
</mujoco>`);
  const data = new mujoco.MjData(model);
  const angles = [];
  for (let step = 0; step < DURATION / h; step++) {
    data.qfrc_applied[0] = (step + 0.5) * h < PUSH.until ? PUSH.torque : PUSH.then;
    mujoco.mj_step(model, data);
    if ((step + 1) % Math.round(0.5 / h) === 0) angles.push(data.qpos[0]);
  }
  data.delete();
  model.delete();
  return angles;
}

function assert_near(found, expected, tolerance) {
  found.forEach((angle, i) => assert.ok(Math.abs(angle - expected[i]) <= tolerance, `row ${i}: ${angle} instead of ${expected[i]} rad`));
}

// Oracle: `bristle run` of the same law, which turns the joint by 1.6 rad. 1 mrad is the error of steps of order 1, another
// one the creep of MuJoCo's soft friction.
test("frictionloss and damping", () => {
  const { angles, numbers } = expected("{kind: stribeck, mu_c: 0.2, mu_s: 0.2, v_s: 0.05, sigma2: 0.04}");
  const found = run(`frictionloss="${numbers.frictionloss}" damping="${numbers.damping}"`, "", 1e-4);
  assert_near(found, angles, 2e-3);
});

// Oracle: as above. MuJoCo's steps are of order 1: without that error, from two steps, 1e-4 of the turn is left.
test("the bristles of a dcmotor", () => {
  const { angles, numbers } = expected("{kind: lugre, mu_c: 0.2, mu_s: 0.3, v_s: 0.05, sigma0: 200, sigma1: 1, sigma2: 0.04}");
  // a motor without torque of its own: its back-EMF is 1e-12 N m s
  const motor = `<dcmotor joint="joint" motorconst="1e-6" resistance="1" lugre="${numbers.lugre.join(" ")}"/>`;
  const [whole, half] = [2e-4, 1e-4].map((h) => run(`damping="${numbers.damping}"`, motor, h));
  assert_near(half.map((angle, i) => 2 * angle - whole[i]), angles, 1e-4);
});
