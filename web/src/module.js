/** The module in wasm, and trees made into its objects: names are mapped here, all mathematics is the module's. */
import { MOST_ROWS, checkCount, checkSizes, checkTime, spent } from "./budget.js";
import { digits } from "./format.js";

/** The module; importing it loads it. @returns {Promise<any>} */
export const loadBristle = () => import("bristle");

/** @param {any} bristle @param {any} value a number or {coefficient, exponent, max} */
const byForce = (bristle, value) =>
  typeof value === "number"
    ? value
    : new bristle.ByForce(value.coefficient, { exponent: value.exponent, max: value.max });

/** @param {any} bristle @param {any} pressure */
function pressureOf(bristle, pressure) {
  if (pressure?.kind === "power") return new bristle.PowerPressure(byForce(bristle, pressure.k));
  if (pressure?.kind === "linear") return new bristle.LinearPressure(pressure.from, pressure.to, pressure.angle ?? 0);
  return "uniform";
}

/** @param {any} bristle @param {any} tree as `bristle surface` reads it @returns {any} a Patch, to be freed */
export function patchOf(bristle, tree) {
  const { Patch } = bristle;
  checkSizes(tree, "patch");
  const { centre, angle } = tree,
    pressure = pressureOf(bristle, tree.pressure),
    place = { centre, angle };
  switch (tree.shape) {
    case "disc":
      return Patch.disc(byForce(bristle, tree.radius), { pressure, ...place });
    case "ellipse":
      if (tree.hertz) throw new Error("hertz: this page shows ellipses of radius and ratio; the command reads hertz");
      return Patch.ellipse({ radius: byForce(bristle, tree.radius), ratio: tree.ratio }, { pressure, ...place });
    case "triangles":
      return Patch.triangles(
        tree.vertices.map((/** @type {number[]} */ p) => p.slice(0, 2)),
        tree.vertices.map((/** @type {number[]} */ p) => p[2]),
        tree.triangles,
        place,
      );
    case "ring":
      return Patch.ring(byForce(bristle, tree.radius), { centre });
    case "rectangle":
      return Patch.rectangle(tree.size, { pressure, ...place });
    case "line":
      return Patch.line(tree.length, { pressure, ...place });
    case "polygon":
      return Patch.polygon(tree.vertices, { pressure, ...place });
    case "points":
      return Patch.points(
        tree.points.map((/** @type {number[]} */ p) => p.slice(0, 2)),
        { weights: tree.points.map((/** @type {number[]} */ p) => p[2]), ...place },
      );
    case "grid":
      return Patch.grid(tree.cells, tree.size, place);
    default:
      throw new Error(`shape: must be disc, ellipse, ring, rectangle, line, polygon, points, grid or triangles, got ${tree.shape}`);
  }
}

/** Make something of a patch, and free the patch. @template T @param {any} bristle @param {any} tree @param {(patch: any) => T} use @returns {T} */
export function withPatch(bristle, tree, use) {
  const patch = patchOf(bristle, tree);
  try {
    return use(patch);
  } finally {
    patch.free();
  }
}

/**
 * Run a scenario, within the limits of the page.
 * @param {any} bristle @param {any} tree @param {(t: number, duration: number) => void} [progress] called after every step
 * @returns {any} its Result
 */
export function runScenario(bristle, tree, progress) {
  checkSizes(tree);
  const scenario = new bristle.Scenario(tree);
  let t = 0;
  try {
    checkCount("rows of the run", scenario.rows, MOST_ROWS);
    return scenario.run({
      stop: (/** @type {number} */ now) => {
        t = now;
        progress?.(t, scenario.duration);
        return spent();
      },
    });
  } catch (error) {
    if (error instanceof bristle.StoppedError) checkTime(`the run at t = ${digits(t)} s of ${digits(scenario.duration)} s`);
    throw error;
  } finally {
    scenario.free();
  }
}

/**
 * The tree of a dropped scenario, the tables that it names inside; its errors, with their lines, if it has any.
 * @param {any} bristle @param {import('./files.js').Dropped} file
 */
export function takeScenario(bristle, file) {
  try {
    new bristle.Scenario(file.text, { name: file.name, files: file.tables }).free();
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new Error(message.replace("no such file was given", `drop it together with ${file.name}`));
  }
  return file.whole();
}

/** The same of a patch alone. @param {any} bristle @param {import('./files.js').Dropped} file */
export function takePatch(bristle, file) {
  const { resolution: _, ...patch } = file.tree;
  const carrier = { contact: { patch }, friction: { mu: 1 }, motion: { vx: 1 }, duration: 1 };
  try {
    new bristle.Scenario(carrier, { name: file.name, files: file.tables }).free();
  } catch (error) {
    const { problems } = /** @type {any} */ (error);
    if (!problems) throw error;
    throw file.error(
      problems.map((/** @type {any} */ m) => ({ key: m.key.replace(/^contact\.patch\.?/, ""), text: m.text })),
    );
  }
  return file.whole();
}
