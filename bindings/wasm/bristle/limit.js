// Limit surfaces: Coulomb friction of a patch that slides and spins.

import { Call, choose, filled } from "./arrays.js";
import { core, Definition, made } from "./core.js";

/** @typedef {import("./arrays.js").Numbers} Numbers */
/** @typedef {import("./arrays.js").Scalar} Scalar */
/** @typedef {import("./patch.js").Patch} Patch */

const METHODS = [
  "exact",
  "smooth",
  "bilinear",
  "grid",
  "published",
  "ellipsoid",
  "fitted",
  "curve",
];

/**
 * How far a surface is from the exact one, over many directions of h = (fx, fy, tau/r).
 * @typedef {object} LimitError
 * @property {number} max largest distance [-]
 * @property {number} rms root mean square of it [-]
 * @property {number} max_angle largest angle [rad]
 * @property {number} max_size largest difference of sizes [-]
 */

/**
 * All wrenches that friction of a patch can give, for mu fn = 1: multiply them by mu fn.
 *
 * Twists (vx, vy, w) [m/s, m/s, rad/s] and wrenches (fx, fy, tau) [-, -, m] are taken at the centre of
 * pressure. The wrench acts on the body, so it opposes the twist.
 *
 *     const surface = new LimitSurface(Patch.disc(0.01));
 *     surface.wrench([0, 0, 1]); // 0, 0, -0.006667: 2/3 of the radius
 */
export class LimitSurface extends Definition {
  /**
   * @param {Patch} patch where it touches
   * @param {object} [options]
   * @param {string} [options.method] exact; smooth, bilinear, grid, published (tables); ellipsoid, fitted; curve
   * @param {number} [options.fn] normal force of a patch that depends on it [N]
   * @param {number} [options.nodes] of a table, per quarter turn
   * @param {number} [options.resolution] cells across, for grid and published
   */
  constructor(patch, { method = "exact", fn = 1, nodes = 20, resolution = 21 } = {}) {
    super();
    this.patch = patch;
    this.method = method;
    this.fn = fn;
    this.nodes = nodes;
    this.resolution = resolution;
    const how = choose(method, METHODS, "method");
    const surface = made(core.limit_make(patch._handle, fn, how, nodes, resolution));
    this._hold(surface, core.limit_destroy, [patch]);
    Object.freeze(this);
  }

  #numbers() {
    return filled(7, (address) => core.limit_value(this._handle, address));
  }

  /** Centre of pressure, contact frame [m, m]. */
  get cop() {
    return this.#numbers().slice(0, 2);
  }

  /** Largest torque about the centre of pressure of a pure spin [m]. */
  get r() {
    return this.#numbers()[2];
  }

  /** Where the patch turns about with a torque and no force, p_s, contact frame [m, m]. */
  get spin_centre() {
    return this.#numbers().slice(4, 6);
  }

  /** Largest torque with no force, at p_s [m]. */
  get spin_torque() {
    return this.#numbers()[6];
  }

  /**
   * Friction on the body for mu fn = 1 (3 for each twist).
   * @param {Numbers} twists (3 each)
   * @returns {Float64Array}
   */
  wrench(twists) {
    const call = new Call().input("twists", twists, 3).output(3);
    return call.run((count, ...at) => core.limit_wrench(this._handle, count, ...at))[0];
  }

  /**
   * Power lost to friction for mu fn = 1 [m/s]: -wrench . twist.
   * @param {Numbers} twists (3 each)
   * @returns {Scalar}
   */
  dissipation(twists) {
    const call = new Call().input("twists", twists, 3).output(0);
    return call.run((count, ...at) => core.limit_dissipation(this._handle, count, ...at))[0];
  }

  /**
   * Derivative of the wrench by the twist, row by row (9 for each twist).
   * @param {Numbers} twists (3 each)
   * @returns {Float64Array}
   */
  jacobian(twists) {
    const call = new Call().input("twists", twists, 3).output(9);
    return call.run((count, ...at) => core.limit_jacobian(this._handle, count, ...at))[0];
  }

  /**
   * Below 1 friction can hold the wrench, at 1 it is on the surface, above 1 it slides.
   * @param {Numbers} wrenches (3 each), per mu fn
   * @returns {Scalar}
   */
  gauge(wrenches) {
    const call = new Call().input("wrenches", wrenches, 3).output(0);
    return call.run((count, ...at) => core.limit_gauge(this._handle, count, ...at))[0];
  }

  /**
   * How the body slides under a load in the direction of a wrench, scaled to dissipation 1.
   * @param {Numbers} wrenches (3 each)
   * @returns {Float64Array}
   */
  twist(wrenches) {
    const call = new Call().input("wrenches", wrenches, 3).output(3);
    return call.run((count, ...at) => core.limit_twist(this._handle, count, ...at))[0];
  }

  /**
   * How far it is from the exact surface; takes milliseconds.
   * @returns {LimitError}
   */
  error() {
    const numbers = filled(4, (address) => core.limit_error(this._handle, address));
    const [max, rms, max_angle, max_size] = numbers;
    return { max, rms, max_angle, max_size };
  }

  /**
   * Wrenches all over the surface (n rows of 2 n, 3 each), for pictures: rows from spin to spin.
   * @param {number} [n]
   * @returns {Float64Array}
   */
  points(n = 40) {
    const r = this.r || 1;
    const twists = new Float64Array(6 * n * n);
    for (let i = 0; i < n; i++) {
      const up = Math.PI * (i / (n - 1) - 0.5);
      for (let k = 0; k < 2 * n; k++) {
        const around = (2 * Math.PI * k) / (2 * n - 1);
        const twist = [Math.cos(up) * Math.cos(around), Math.cos(up) * Math.sin(around), Math.sin(up) / r];
        twists.set(twist, 3 * (2 * n * i + k));
      }
    }
    return this.wrench(twists).map((number) => -number);
  }
}
