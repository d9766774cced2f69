// Limit surfaces: Coulomb friction of a patch that slides and spins.

import { anisotropy_of } from "./anisotropy.js";
import { choose } from "./arrays.js";
import { call, make, named } from "./calls.js";
import { Definition } from "./core.js";
import { DefinitionError } from "./errors.js";
import { expect_options } from "./options.js";

/** @typedef {import("./anisotropy.js").Anisotropy} Anisotropy */
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
 * Error of a surface against the exact one, over many directions of h = (fx, fy, tau/r).
 * @typedef {object} LimitError
 * @property {number} max largest distance [-]
 * @property {number} rms root mean square distance [-]
 * @property {number} max_angle largest angle [rad]
 * @property {number} max_size largest difference of sizes [-]
 */

/**
 * All wrenches that friction of a patch can exert, for mu fn = 1: multiply them by mu fn.
 *
 * Twists (vx, vy, w) [m/s, m/s, rad/s] and wrenches (fx, fy, tau) [-, -, m] are taken at the centre of
 * pressure. The wrench acts on the body, so it opposes the twist.
 *
 *     const surface = new LimitSurface(Patch.disc(0.01));
 *     surface.wrench([0, 0, 1]); // 0, 0, -0.006667: 2/3 of the radius
 */
export class LimitSurface extends Definition {
  /**
   * @param {Patch} patch contact area
   * @param {object} [options]
   * @param {string} [options.method] exact; smooth, bilinear, grid, published (tables); ellipsoid, fitted; curve
   * @param {number} [options.fn] normal force of a patch that depends on it [N]
   * @param {number} [options.nodes] of a table, per quarter turn
   * @param {number} [options.resolution] cells across, for grid and published
   * @param {Anisotropy | null} [options.anisotropy] friction that depends on the direction, with axes of the body
   */
  constructor(patch, options = {}) {
    super();
    expect_options("LimitSurface", options, ["method", "fn", "nodes", "resolution", "anisotropy"]);
    const { method = "exact", fn = 1, nodes = 20, resolution = 21 } = options;
    this.patch = patch;
    this.method = method;
    this.fn = fn;
    this.nodes = nodes;
    this.resolution = resolution;
    const how = choose(method, METHODS, "method");
    this.anisotropy = anisotropy_of(options.anisotropy ?? null);
    const { ratio, angle, axes } = this.anisotropy;
    if (axes !== "body") {
      throw new DefinitionError("anisotropy.axes", "must be body: a limit surface is that of one angle over the ground");
    }
    this._hold(...make("limit_make", fn, how, nodes, resolution, ratio, angle, patch));
    Object.freeze(this);
  }

  /** Centre of pressure, contact frame [m, m]. */
  get cop() {
    return /** @type {Float64Array} */ (named("limit_value", this).cop);
  }

  /** Largest torque about the centre of pressure of a pure spin [m]. */
  get r() {
    return /** @type {number} */ (named("limit_value", this).r);
  }

  /** Centre of rotation under a torque without force, p_s, contact frame [m, m]. */
  get spin_centre() {
    return /** @type {Float64Array} */ (named("limit_value", this).spin_centre);
  }

  /** Largest torque with no force, at p_s [m]. */
  get spin_torque() {
    return /** @type {number} */ (named("limit_value", this).spin_torque);
  }

  /**
   * Friction on the body for mu fn = 1 (3 for each twist).
   * @param {Numbers} twists (3 each)
   * @returns {Float64Array}
   */
  wrench(twists) {
    return call("limit_wrench", this, twists);
  }

  /**
   * Power lost to friction for mu fn = 1 [m/s]: -wrench . twist.
   * @param {Numbers} twists (3 each)
   * @returns {Scalar}
   */
  dissipation(twists) {
    return call("limit_dissipation", this, twists);
  }

  /**
   * Derivative of the wrench by the twist, row by row (9 for each twist).
   * @param {Numbers} twists (3 each)
   * @returns {Float64Array}
   */
  jacobian(twists) {
    return call("limit_jacobian", this, twists);
  }

  /**
   * Below 1 friction can hold the wrench, at 1 it is on the surface, above 1 it slides.
   * @param {Numbers} wrenches (3 each), per mu fn
   * @returns {Scalar}
   */
  gauge(wrenches) {
    return call("limit_gauge", this, wrenches);
  }

  /**
   * Twist of a body that slides under a load in the direction of a wrench, scaled to dissipation 1.
   * @param {Numbers} wrenches (3 each)
   * @returns {Float64Array}
   */
  twist(wrenches) {
    return call("limit_twist", this, wrenches);
  }

  /**
   * Error against the exact surface; takes milliseconds.
   * @returns {LimitError}
   */
  error() {
    return named("limit_error", this);
  }

  /**
   * Wrenches on the whole surface (n rows of 2 n, 3 each), for pictures: rows from spin to spin.
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
