/**
 * Runs of scenarios in a worker (run_worker.js), so that the page goes on meanwhile: one at a time, the newest request
 * next. Where there are no workers of modules, runs are computed at once, within the page's budget.
 */
import { startBudget } from "./budget.js";
import { runScenario } from "./module.js";

/** A request that was replaced or cancelled before it was answered. */
export class Outdated extends Error {}

const PATIENCE = 300; // a run that is outdated has this long to end; then its worker ends, and a new one starts [ms]

/** How far the runs of a request are. @typedef {{index: number, count: number, t: number, duration: number}} Progress */
/**
 * @typedef {{id: number, trees: any[], since: number, outdated: boolean, progress: (at: Progress) => void,
 *            resolve: (runs: any[]) => void, reject: (error: Error) => void}} Request
 */

export class Runs {
  #bristle;
  /** @type {Worker | null} */
  #worker = null;
  #ready = false; // a worker has answered: it can be loaded
  #loaded = false; // the present one has
  #works = typeof Worker === "function";
  /** @type {Request | null} */
  #running = null;
  /** @type {Request | null} */
  #waiting = null;
  #timer = 0;
  #count = 0;

  /** @param {any} bristle */
  constructor(bristle) {
    this.#bristle = bristle;
  }

  /**
   * Run scenarios. An earlier request that still runs may be answered within PATIENCE; then it is Outdated.
   * @param {any[]} trees @param {(at: Progress) => void} progress @returns {Promise<any[]>} their Results
   */
  request(trees, progress) {
    return new Promise((resolve, reject) => {
      this.outdate();
      this.#waiting = { id: ++this.#count, trees, since: 0, outdated: false, progress, resolve, reject };
      if (!this.#running) this.#next();
    });
  }

  /** No answer is needed any more. */
  outdate() {
    this.#waiting?.reject(new Outdated());
    this.#waiting = null;
    clearTimeout(this.#timer);
    if (!this.#running) return;
    this.#running.outdated = true;
    if (this.#loaded) this.#endLater(); // else when it is loaded
  }

  /** End the run that is outdated, once its time is over. */
  #endLater() {
    if (!this.#running) return;
    const rest = Math.max(this.#running.since + PATIENCE - performance.now(), 0);
    this.#timer = setTimeout(() => {
      this.#end();
      this.#next();
    }, rest);
  }

  /** End all at once. */
  cancel() {
    this.outdate();
    this.#end();
  }

  /** End the run, with its worker. */
  #end() {
    clearTimeout(this.#timer);
    if (!this.#running) return;
    this.#worker?.terminate();
    this.#worker = null;
    this.#running.reject(new Outdated());
    this.#running = null;
  }

  #next() {
    if (!this.#waiting) return;
    const request = (this.#running = this.#waiting);
    this.#waiting = null;
    if (!this.#works) return this.#compute(request);
    request.since = performance.now();
    this.#worker ??= this.#make();
    this.#worker.postMessage({ id: request.id, trees: request.trees });
  }

  #make() {
    this.#loaded = false;
    const worker = new Worker(new URL("run_worker.js", import.meta.url), { type: "module", name: "runs" });
    worker.addEventListener("message", ({ data }) => {
      if (worker === this.#worker) this.#read(data);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#broken(event.message);
    });
    return worker;
  }

  /** @param {any} message */
  #read({ id, ready, runs, error, ...at }) {
    const request = this.#running;
    if (ready) {
      this.#ready = this.#loaded = true;
      if (request) request.since = performance.now(); // loading is not its time
      if (request?.outdated) this.#endLater();
    }
    if (!request || request.id !== id) return;
    if (!runs && error === undefined) return request.progress({ ...at, count: request.trees.length });
    this.#answer(request, () => {
      if (error !== undefined) throw new Error(error);
      return runs.map((/** @type {any} */ run) => this.#resultOf(run));
    });
  }

  /** @param {any} run its fields @returns {any} a Result */
  #resultOf({ kind, columns, events, summary, ...rest }) {
    return Object.assign(new this.#bristle.Result(kind, columns, events, summary), rest);
  }

  /** @param {Request} request @param {() => any[]} results */
  #answer(request, results) {
    clearTimeout(this.#timer);
    this.#running = null;
    try {
      request.resolve(results());
    } catch (error) {
      request.reject(/** @type {Error} */ (error));
    }
    this.#next();
  }

  /** The worker failed: one that never was ready cannot be loaded by this browser. @param {string} message */
  #broken(message) {
    const request = this.#running;
    this.#worker?.terminate();
    this.#worker = null;
    this.#works = this.#ready;
    if (!request) return;
    if (!this.#works) return this.#compute(request);
    this.#answer(request, () => {
      throw new Error(`the run ended early: ${message}`);
    });
  }

  /** Compute it here, within the budget. @param {Request} request */
  #compute(request) {
    this.#answer(request, () => {
      startBudget();
      return request.trees.map((tree) => runScenario(this.#bristle, tree));
    });
  }
}
