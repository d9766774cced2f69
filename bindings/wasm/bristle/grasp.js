// How hard to hold on.

import { Call } from "./arrays.js";
import { core, last_error } from "./core.js";
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
 * The smallest normal force with which friction of one patch holds loads [N]; infinite where no force is enough (a
 * torque on a point).
 * @param {Patch | LimitSurface} patch where the finger touches, or its limit surface
 * @param {number} mu coefficient of friction [-], > 0
 * @param {Numbers} load (fx, fy, tau) at the centre of pressure [N, N, N m] (3 each)
 * @returns {Scalar}
 */
export function grip_force(patch, mu, load) {
  expect_positive("mu", mu);
  const call = new Call().input("load", load, 3).output(0);
  if (patch instanceof Patch && patch.depends_on_force) {
    return call.run((count, ...at) => {
      if (!core.grip_patch(patch._handle, mu, count, ...at)) {
        throw last_error();
      }
    })[0];
  }
  const own = patch instanceof Patch ? new LimitSurface(patch) : null;
  const surface = own ?? patch;
  try {
    return call.run((count, ...at) => core.grip_surface(surface._handle, mu, count, ...at))[0];
  } finally {
    own?.free();
  }
}

/**
 * How a grasp holds a load.
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
export class Grasp {
  /**
   * @param {[Patch, Patch]} patches of the fingers at z = -half_gap and z = +half_gap
   * @param {[number, number]} mu coefficients of friction [-], > 0
   * @param {number} half_gap half the distance of the contacts [m], > 0
   */
  constructor(patches, mu, half_gap) {
    expect_positive("mu", Math.min(...mu));
    expect_positive("half_gap", half_gap);
    this.patches = patches;
    this.mu = mu;
    this.half_gap = half_gap;
    Object.freeze(this);
  }

  /**
   * The smallest squeeze that holds (fx, fy, fz, tx, ty, tz) in the middle.
   * @param {Numbers} load [N, N, N, N m, N m, N m] (6 each)
   * @returns {GraspForce}
   */
  force(load) {
    const call = new Call().input("load", load, 6).output(2).output(6);
    const surfaces = this.patches.map((patch) => new LimitSurface(patch));
    const [first, second] = surfaces.map((surface) => surface._handle);
    try {
      const [fn, wrench] = call.run((count, ...at) =>
        core.grasp_eval(first, second, ...this.mu, this.half_gap, count, ...at),
      );
      return { fn, wrench };
    } finally {
      surfaces.forEach((surface) => surface.free());
    }
  }
}
