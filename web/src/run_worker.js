/**
 * Runs scenarios beside the page, with the same module. Message in: {id, trees}; out: {ready} once, then for each
 * request {id, index, t, duration} while it computes, and {id, runs} or {id, error}.
 * A run is one call of the module and reads no messages: it is cancelled by ending this worker.
 */
import { runScenario } from "./module.js";

const EVERY = 100; // between two reports of progress [ms]

// a worker has no import map
const loading = import(new URL("../bristle/bristle.js", import.meta.url).href);
loading.then(
  () => postMessage({ ready: true }),
  () => {}, // each request reports it
);

/** @param {any} bristle @param {number} id @param {any} tree @param {number} index */
function run(bristle, id, tree, index) {
  let next = performance.now() + EVERY;
  return runScenario(bristle, tree, (t, duration) => {
    if (performance.now() < next) return;
    next = performance.now() + EVERY;
    postMessage({ id, index, t, duration });
  });
}

/** Memory that need not be copied: the numbers of all columns. @param {any[]} runs */
const buffersOf = (runs) =>
  runs.flatMap(({ columns }) => Object.values(columns).flatMap((column) => (column instanceof Float64Array ? [column.buffer] : [])));

addEventListener("message", async ({ data: { id, trees } }) => {
  try {
    const bristle = await loading,
      runs = trees.map((/** @type {any} */ tree, /** @type {number} */ index) => ({ ...run(bristle, id, tree, index) }));
    postMessage({ id, runs }, { transfer: buffersOf(runs) });
  } catch (error) {
    postMessage({ id, error: String(/** @type {Error} */ (error).message ?? error) });
  }
});
