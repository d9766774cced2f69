// The scenes of `make engines` in engines from npm: node engines.test.mjs BRISTLE, the command.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { JoltFriction } from "../jolt.js";
import { MujocoFriction } from "../mujoco.js";
import { RapierFriction } from "../rapier.js";
import { drag_force, HOLDS, random_pushes, slide_puck } from "../scenes/scenes.mjs";

const GLUE = { rapier: RapierFriction, mujoco: MujocoFriction, jolt: JoltFriction };
const bristle = process.argv[2];

/** Scenes that are too long for a test; `make engines` has them. */
const LONG = ["pyramid of 15"];

/** `bristle run` of the puck: distance [m] and angle [rad]. */
function run_puck(spin) {
  const file = join(mkdtempSync(join(tmpdir(), "bristle-")), "puck.yaml");
  const scenario = `
body: {mass: 0.1, radius: 0.04, velocity: [0.5, 0, ${spin}]}
friction: {mu: 0.2}
contact: {frame: body, patch: {shape: disc, radius: 0.04}}
duration: 2
`;
  writeFileSync(file, scenario);
  const { final } = JSON.parse(execFileSync(bristle, ["run", file, "--json", "-o", `${file}.csv`], { encoding: "utf8" }));
  return { distance: final.x, angle: final.theta };
}

for (const [name, Friction] of Object.entries(GLUE)) {
  const { Engine, steps } = await import(`../scenes/${name}.mjs`);
  const with_engine = (h, scene) => {
    const engine = new Engine(Friction, h);
    try {
      return scene(engine, h);
    } finally {
      engine.free();
    }
  };
  for (const h of steps) {
    const rate = `1/${Math.round(1 / h)} s`;
    for (const [scene, run] of HOLDS.filter(([each]) => !LONG.includes(each))) {
      // Oracle: Coulomb's law. What is held does not move; 1 um/s is the promise of docs/howto/engines_js.md.
      test(`${name}, ${rate}: ${scene}`, () => {
        const speed = with_engine(h, run);
        assert.ok(speed <= 1e-6, `creeps ${1e6 * speed} um/s`);
      });
    }
    // Oracle: `bristle run`, less h v / 2 and h w / 2 of an engine's explicit step. Within 1 %.
    test(`${name}, ${rate}: pucks stop where bristle run has them`, { skip: h > 0.01 }, () => {
      for (const spin of [40, 10]) {
        const expected = run_puck(spin);
        const { distance, angle } = with_engine(h, (engine) => slide_puck(engine, h, spin));
        assert.ok(Math.abs(distance - expected.distance) <= 0.01 * expected.distance + 0.25 * h, `${distance} instead of ${expected.distance} m`);
        assert.ok(Math.abs(angle - expected.angle) <= 0.01 * expected.angle + 0.5 * h * spin, `${angle} instead of ${expected.angle} rad`);
      }
    });
    // Oracle: Coulomb's law: a box that is dragged slowly needs mu m g. 2 %: its start and the law's viscous part.
    test(`${name}, ${rate}: a box drawn by a spring needs mu m g`, () => {
      const force = with_engine(h, drag_force);
      assert.ok(Math.abs(force - 1) < 0.02, `${force} mu m g`);
    });
    // Oracle: invariant. Friction gives no energy but what its bristles held; 1e-12 J is rounding.
    test(`${name}, ${rate}: friction gains no energy in random pushes`, () => {
      const sums = with_engine(h, (engine) => random_pushes(engine, h, 2000));
      assert.ok(sums.friction < 1e-12, `${sums.friction} J`);
    });
  }
}
