// Prints the table of `make engines` for engines in JavaScript: node table.mjs [rapier] [mujoco] [jolt] [TABLE...], with
// the tables holds, puck, drag, stick, pushes, cost; `unseen` for only the scenes that were kept back, scene=TEXT for some of them,
// pushes=COUNT. Each line has the engine alone at its rates, then with bristle.

import { JoltFriction } from "../jolt.js";
import { MujocoFriction } from "../mujoco.js";
import { RapierFriction } from "../rapier.js";
import { drag_force, HOLDS, KINDS, random_pushes, slide_puck, step_time, stick_slip, STICKY } from "./scenes.mjs";

const GLUE = { rapier: RapierFriction, mujoco: MujocoFriction, jolt: JoltFriction };
const TABLES = ["holds", "puck", "drag", "stick", "pushes", "cost"];

const words = process.argv.slice(2);
const value = (name) => words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
const chosen = (names) => (names.some((name) => words.includes(name)) ? names.filter((name) => words.includes(name)) : names);
const tables = chosen(TABLES);

/** `scene` of the engine alone and with bristle at all rates, each on an engine of its own. */
function columns({ Engine, steps }, Friction, scene, options = {}) {
  return [null, Friction].flatMap((friction) =>
    steps.map((h) => {
      const engine = new Engine(friction, h, options);
      try {
        return scene(engine, h);
      } finally {
        engine.free();
      }
    }),
  );
}

const number = (x, digits = 3) => (Number.isFinite(x) ? Number(x.toPrecision(digits)).toString() : "falls").padStart(11);

function print_holds(engine, Friction) {
  for (const [name, scene, unseen] of HOLDS) {
    if ((unseen || !words.includes("unseen")) && name.includes(value("scene") ?? "")) {
      const speeds = columns(engine, Friction, scene);
      console.log(`  ${name.padEnd(32)} creep [um/s]${speeds.map((v) => number(1e6 * v)).join("")}`);
    }
  }
}

function print_pucks(engine, Friction) {
  for (const spin of [40, 10]) {
    const pucks = columns(engine, Friction, (each, h) => slide_puck(each, h, spin));
    const cells = pucks.map(({ distance, angle }) => `  ${(1e3 * distance).toFixed(1).padStart(6)} ${angle.toFixed(2).padStart(6)}`);
    console.log(`  puck, 0.5 m/s, ${spin} rad/s: mm, rad ${cells.join("")}`);
  }
}

function print_pushes(engine, Friction) {
  const count = Number(value("pushes") ?? 10000);
  const results = columns(engine, Friction, (each, h) => random_pushes(each, h, count));
  results.forEach((sums, k) => {
    const h = engine.steps[k % engine.steps.length];
    const with_bristle = k >= engine.steps.length;
    const friction = with_bristle ? `; of friction ${sums.friction.toExponential(1)} J; unconverged ${sums.unconverged}` : "";
    const rate = `1/${Math.round(1 / h)} s${with_bristle ? ", bristle" : ""}`;
    console.log(`  ${count} pushes, ${rate}: all gains ${Number((1e3 * sums.engine).toPrecision(3))} mJ${friction}`);
  });
}

function print_costs(engine, Friction) {
  KINDS.forEach((kind, k) => {
    const [alone, with_bristle] = columns({ ...engine, steps: engine.steps.slice(0, 1) }, Friction, (each, h) => step_time(each, h, k));
    const times = `${(1e6 * alone).toFixed(1).padStart(7)} us alone, ${(1e6 * with_bristle).toFixed(1).padStart(7)} with bristle`;
    console.log(`  cost, ${kind.padEnd(14)} ${times}: ${(with_bristle / alone).toFixed(2)}`);
  });
}

for (const name of chosen(Object.keys(GLUE))) {
  const engine = await import(`./${name}.mjs`);
  const Friction = GLUE[name];
  const rates = engine.steps.map((h) => `1/${Math.round(1 / h)}`).join(" and ");
  console.log(`-- ${engine.name}: alone at ${rates} s, with bristle at ${rates} s`);
  if (tables.includes("holds")) print_holds(engine, Friction);
  if (tables.includes("puck")) print_pucks(engine, Friction);
  if (tables.includes("drag")) {
    const forces = columns(engine, Friction, drag_force);
    console.log(`  box drawn by a spring: force over mu m g${forces.map((f) => number(f, 4)).join("")}`);
  }
  if (tables.includes("stick")) {
    const slips = columns(engine, Friction, stick_slip, STICKY);
    const cells = slips.map(({ most, least, slips: n }) => `  ${most.toFixed(3)} ${least.toFixed(3)} ${n}`);
    console.log(`  slow spring, mu_s = 1.5 mu_c: force  ${cells.join("")}`);
  }
  if (tables.includes("pushes")) print_pushes(engine, Friction);
  if (tables.includes("cost")) print_costs(engine, Friction);
}
