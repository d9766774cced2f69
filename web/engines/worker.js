/**
 * Runs scenes in one engine, which the worker is named after. Messages in: {id, kind, values, rate};
 * out, for each run: {id, mode: "alone" | "bristle", result} or {id, error}.
 * A worker, so that nothing blocks the page, and because two of the packages generate code from text, which the
 * page's own policy forbids.
 */
import { record } from "./runs.js";

/** @type {Record<string, () => Promise<{engine: any, Friction: any}>>} an engine, and bristle's friction for it */
const LOAD = {
  rapier: async () => ({
    engine: await import("./rapier.js"),
    Friction: (await import("../rigid/rapier.js")).RapierFriction,
  }),
  mujoco: async () => ({
    engine: await import("./mujoco.js"),
    Friction: (await import("../rigid/mujoco.js")).MujocoFriction,
  }),
  jolt: async () => ({ engine: await import("./jolt.js"), Friction: (await import("../rigid/jolt.js")).JoltFriction }),
  box2d: async () => ({ engine: await import("./box2d.js"), Friction: null }),
};

const loading = LOAD[name]();
let newest = 0; // request: an older one ends

/** Messages that came in the meantime are read first. */
const breathe = () => new Promise((done) => setTimeout(done, 0));

/** @param {any} request */
async function run({ id, kind, values, rate }) {
  const { engine, Friction } = await loading;
  // MuJoCo has one step, its own; others run at the rate of a program's frames
  const h = engine.steps.length > 1 ? 1 / rate : engine.steps[0];
  for (const mode of Friction ? ["alone", "bristle"] : ["alone"]) {
    await breathe();
    if (id !== newest) return;
    const world = new engine.Engine(mode === "alone" ? null : Friction, h);
    try {
      const result = record(world, h, kind, values);
      postMessage({ id, mode, result });
    } finally {
      world.free();
    }
  }
}

addEventListener("message", async ({ data }) => {
  newest = data.id;
  try {
    await run(data);
  } catch (error) {
    postMessage({ id: data.id, error: String(/** @type {Error} */ (error).message ?? error) });
  }
});
