// Fields of mu: friction that depends on the position on a surface.

import { choose, rows_of, some } from "./arrays.js";
import { call, make } from "./calls.js";
import { Definition } from "./core.js";
import { expect_options } from "./options.js";

/** @typedef {import("./arrays.js").Numbers} Numbers */
/** @typedef {import("./arrays.js").Scalar} Scalar */

const INTERPOLATIONS = ["constant", "bilinear"];

/**
 * Factors on mu over a grid: a worn spot, a wet strip, the boundary between two floors. A cell of a contact has the
 * friction, stiffness and damping of its law times the factor under it.
 *
 *     const floors = new Field([[1, 0.1]], [1, 1]); // ice for x > 0
 */
export class Field extends Definition {
  /**
   * @param {number[][]} grid factors [-], >= 0, rows from the top (largest y) to the bottom; 0: no friction
   * @param {Numbers} size of the grid along x and y [m, m]
   * @param {object} [options]
   * @param {Numbers} [options.centre] of the grid on its surface [m, m]
   * @param {number} [options.angle] of the grid [rad]
   * @param {string} [options.interpolation] constant, in cells whose edges are jumps, or bilinear, between the centres
   * @param {number | null} [options.outside] factor around the grid; null: the outermost cells continue
   */
  constructor(grid, size, options = {}) {
    super();
    expect_options("Field", options, ["centre", "angle", "interpolation", "outside"]);
    const { angle = 0, interpolation = "constant", outside = null } = options;
    this.grid = grid;
    this.size = some(size, 2, "size");
    this.centre = some(options.centre ?? [0, 0], 2, "centre");
    this.angle = angle;
    this.interpolation = interpolation;
    this.outside = outside;
    const how = choose(interpolation, INTERPOLATIONS, "interpolation");
    const numbers = [...this.size, ...this.centre, angle, how, outside ?? NaN];
    this._hold(...make("field_make", ...numbers, rows_of(grid, null, "grid")));
    Object.freeze(this);
  }

  /**
   * Factor at points of the surface.
   * @param {Numbers} at [m] (2 each)
   * @returns {Scalar}
   */
  eval(at) {
    return call("field_eval", this, at);
  }
}
