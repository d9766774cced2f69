// Grip forces and grasps.

import { filled, flat, put } from "./arrays.js";
import { call, make, named } from "./calls.js";
import { core, Definition, last_error } from "./core.js";
import { ArgumentError } from "./errors.js";
import { LimitSurface } from "./limit.js";
import { Patch } from "./patch.js";

/** @typedef {import("./arrays.js").Numbers} Numbers */
/** @typedef {import("./arrays.js").Scalar} Scalar */

/**
 * @param {string} name
 * @param {number} value
 */
function expect_positive(name, value) {
  if (!(value > 0)) {
    throw new ArgumentError(name, `must be > 0, got ${value}`);
  }
}

/**
 * The smallest normal force at which the friction of one patch holds loads [N]; infinite if no force is enough (a
 * torque on a point).
 * @param {Patch | LimitSurface} patch contact area of the finger, or its limit surface
 * @param {number} mu coefficient of friction [-], > 0
 * @param {Numbers} load (fx, fy, tau) at the centre of pressure [N, N, N m] (3 each)
 * @returns {Scalar}
 */
export function grip_force(patch, mu, load) {
  expect_positive("mu", mu);
  if (patch instanceof Patch && patch.depends_on_force) {
    return by_search(patch, mu, load);
  }
  const own = patch instanceof Patch ? new LimitSurface(patch) : null;
  const surface = own ?? patch;
  try {
    return call("grip_surface", surface, mu, load);
  } finally {
    own?.free();
  }
}

/**
 * @param {Patch} patch that depends on the force
 * @param {number} mu
 * @param {Numbers} load
 * @returns {Scalar}
 */
function by_search(patch, mu, load) {
  const loads = flat(load, "load");
  const count = loads.length / 3;
  if (!Number.isInteger(count) || count === 0) {
    throw new ArgumentError("load", `must have 3 numbers for each element, got ${loads.length}`);
  }
  const forces = filled(count, (address) => {
    if (!core.grip_patch(patch._handle, mu, count, put(loads), address)) {
      throw last_error();
    }
  });
  return count > 1 ? forces : forces[0];
}

/**
 * Forces with which a grasp holds a load.
 * @typedef {object} GraspForce
 * @property {Float64Array} fn smallest normal forces of both fingers [N] (2 each)
 * @property {Float64Array} wrench friction of each on the body, at its centre of pressure (2 x 3 each)
 */

/**
 * Two fingers that face each other along z.
 *
 *     const grasp = new Grasp([Patch.disc(0.01), Patch.disc(0.01)], [0.5, 0.5], 0.02);
 *     grasp.force([0, -2, 0, 0, 0, 0]).fn; // 2, 2
 */
export class Grasp extends Definition {
  /**
   * @param {[Patch, Patch]} patches of the fingers at z = -half_gap and z = +half_gap
   * @param {[number, number]} mu coefficients of friction [-], > 0
   * @param {number} half_gap half the distance of the contacts [m], > 0
   */
  constructor(patches, mu, half_gap) {
    super();
    expect_positive("mu", Math.min(...mu));
    expect_positive("half_gap", half_gap);
    this.patches = patches;
    this.mu = mu;
    this.half_gap = half_gap;
    const surfaces = patches.map((patch) => new LimitSurface(patch));
    this._hold(...make("grasp_make", ...mu, half_gap, ...surfaces));
    surfaces.forEach((surface) => surface.free()); // the grasp keeps what it needs
    Object.freeze(this);
  }

  /**
   * The smallest squeeze that holds (fx, fy, fz, tx, ty, tz) in the middle.
   * @param {Numbers} load [N, N, N, N m, N m, N m] (6 each)
   * @returns {GraspForce}
   */
  force(load) {
    return named("grasp_eval", this, load);
  }
}
