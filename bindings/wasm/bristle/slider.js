// Bodies that slide on a plane, and quasi-static pushing.

import { rows_of, some } from "./arrays.js";
import { call, make, named } from "./calls.js";
import { Definition } from "./core.js";
import { LimitSurface } from "./limit.js";
import { expect_options } from "./options.js";
import { Patch } from "./patch.js";

/** @typedef {import("./arrays.js").Numbers} Numbers */
/** @typedef {import("./arrays.js").Scalar} Scalar */

/**
 * Friction over a step.
 * @typedef {object} SliderStep
 * @property {Float64Array} impulse along x, y, and angular at the contact point [N s, N s, N m s] (3 each)
 * @property {Scalar} sigma slip speed at the end [m/s]
 * @property {Float64Array} ecp equivalent contact point, world [m, m] (2 each)
 * @property {any} slides true: slides, false: friction holds it
 */

/**
 * Friction at an instant.
 * @typedef {object} SliderRate
 * @property {Float64Array} friction at the contact point [N, N, N m] (3 each)
 * @property {Float64Array} acceleration of the centre of mass [m/s^2, m/s^2, rad/s^2] (3 each)
 * @property {Scalar} sigma slip speed [m/s]
 * @property {Float64Array} ecp equivalent contact point, world [m, m] (2 each)
 * @property {any} slides false: remains at rest
 */

/**
 * A body on a plane, with friction at an equivalent contact point (Xie & Chakraborty).
 *
 *     const puck = new Slider(0.5, 2e-4, 0.3, { patch: Patch.disc(0.02) });
 *     const [q, v] = [new Float64Array(3), Float64Array.of(1, 0, 5)];
 *     while (puck.step(q, v, 1e-3).slides);
 */
export class Slider extends Definition {
  /**
   * @param {number} mass [kg], > 0
   * @param {number} inertia about the vertical through the centre of mass [kg m^2], > 0
   * @param {number} mu coefficient of friction [-], >= 0
   * @param {object} [options]
   * @param {number} [options.height] of the centre of mass over the plane [m], >= 0
   * @param {Patch | null} [options.patch] gives e = (1, 1, r), the friction ellipsoid
   * @param {Numbers} [options.e] the friction ellipsoid, without a patch [-, -, m]
   * @param {number} [options.gravity] [m/s^2], > 0
   */
  constructor(mass, inertia, mu, options = {}) {
    super();
    expect_options("Slider", options, ["height", "patch", "e", "gravity"]);
    const { height = 0, patch = null, e = [1, 1, 0.01], gravity = 9.81 } = options;
    this.mass = mass;
    this.inertia = inertia;
    this.mu = mu;
    this.height = height;
    this.patch = patch;
    this.gravity = gravity;
    const n = [mass, inertia, height, mu, ...some(e, 3, "e"), gravity];
    this._hold(...make("slider_make", ...n, patch));
    /** the friction ellipsoid [-, -, m] @type {Float64Array} */
    this.e = call("slider_ellipsoid", this);
    Object.freeze(this);
  }

  /**
   * Advance pose and velocity in place.
   * @param {Float64Array} q pose (x, y, theta) (3 each) [m, m, rad], changed
   * @param {Float64Array} v velocity (3 each) [m/s, m/s, rad/s], changed
   * @param {number} h step [s], > 0
   * @param {Numbers} [load] on the centre of mass (3 each) [N, N, N m]
   * @param {Numbers} [lift] height of the load's force over the centre of mass [m]
   * @returns {SliderStep}
   */
  step(q, v, h, load = [0, 0, 0], lift = 0) {
    return named("slider_step", this, q, v, load, lift, h);
  }

  /**
   * Friction and acceleration at an instant.
   * @param {Numbers} q pose (3 each) [m, m, rad]
   * @param {Numbers} v velocity (3 each) [m/s, m/s, rad/s]
   * @param {Numbers} [load] on the centre of mass (3 each) [N, N, N m]
   * @param {Numbers} [lift] height of the load's force over the centre of mass [m]
   * @returns {SliderRate}
   */
  eval(q, v, load = [0, 0, 0], lift = 0) {
    return named("slider_eval", this, q, v, load, lift);
  }
}

/**
 * Result of a slow push; forces are over mu N of the support.
 * @typedef {object} Push
 * @property {Float64Array} twist of the body at its centre of friction (3 each)
 * @property {Float64Array} friction on the body there [-, -, m] (3 each)
 * @property {Float64Array} force of the tip on the body [-, -] (2 each)
 * @property {Float64Array} point of contact, body frame [m, m] (2 each)
 * @property {Scalar} mode 0 sticks, 1 slides to the left, 2 to the right, 3 does not push
 */

/**
 * A round tip that pushes a body slowly over a plane.
 *
 *     const box = new Pusher(Patch.rectangle([0.1, 0.1]), { mu: 0.3 });
 *     const pose = new Float64Array(3);
 *     box.step(pose, [-0.06, 0], [-0.02, 0]); // 3 cm through the middle
 */
export class Pusher extends Definition {
  /**
   * @param {Patch} body the body's shape, which the tip touches, body frame
   * @param {object} [options]
   * @param {number} [options.mu] friction of the tip on the body [-], >= 0
   * @param {number} [options.radius] of the tip [m], >= 0
   * @param {Patch | LimitSurface | null} [options.support] contact area of the body with the plane; null: its whole shape
   */
  constructor(body, options = {}) {
    super();
    expect_options("Pusher", options, ["mu", "radius", "support"]);
    const { mu = 0.25, radius = 0, support = null } = options;
    this.body = body;
    this.mu = mu;
    this.radius = radius;
    this.support = support;
    const own = support instanceof LimitSurface ? null : new LimitSurface(support ?? body);
    const surface = own ?? /** @type {LimitSurface} */ (support);
    try {
      this._hold(...make("pushing_make", mu, radius, surface, body));
    } finally {
      own?.free(); // the pusher keeps what it needs
    }
    Object.freeze(this);
  }

  /**
   * The push at an instant, body frame.
   * @param {Numbers} point of contact [m, m] (2 each)
   * @param {Numbers} normal into the body, of length 1 (2 each)
   * @param {Numbers} velocity of the tip [m/s, m/s] (2 each)
   * @returns {Push}
   */
  push(point, normal, velocity) {
    return named("pushing_eval", this, point, normal, velocity);
  }

  /**
   * The motion cone: unit vectors left and right, between which the tip sticks (2 each).
   * @param {Numbers} point of contact, body frame [m, m] (2 each)
   * @param {Numbers} normal into the body, of length 1 (2 each)
   * @returns {[left: Float64Array, right: Float64Array]}
   */
  cone(point, normal) {
    return call("pushing_cone", this, point, normal);
  }

  /**
   * Move the tip's centre on a straight line and update the body's pose in place.
   * @param {Float64Array} pose of the body (3 each) [m, m, rad], changed
   * @param {Numbers} start of the tip's centre, world [m, m] (2 each)
   * @param {Numbers} end [m, m] (2 each)
   * @returns {Push}
   */
  step(pose, start, end) {
    return named("pushing_step", this, pose, start, end);
  }

  /**
   * Poses (3 each) of a body while the tip moves along points; the first is the start.
   * @param {Numbers} pose of the body at the start [m, m, rad]
   * @param {Numbers} path of the tip's centre, world [m, m]: an array of points
   * @returns {Float64Array}
   */
  follow(pose, path) {
    const points = rows_of(path, 2, "path").rows;
    const now = Float64Array.from(some(pose, 3, "pose"));
    const poses = new Float64Array(3 * points.length);
    points.forEach((point, i) => {
      if (i > 0) {
        this.step(now, points[i - 1], point);
      }
      poses.set(now, 3 * i);
    });
    return poses;
  }

  /**
   * The body's edge, body frame [m, m] (2 each), closed; a disc by n points.
   * @param {number} [n]
   * @returns {Float64Array}
   */
  outline(n = 64) {
    const [corners, [x, y], r] = call("pushing_outline", this);
    if (corners.length > 0) {
      return Float64Array.of(...corners, corners[0], corners[1]);
    }
    return Float64Array.from({ length: 2 * n }, (_, i) => {
      const angle = (2 * Math.PI * Math.floor(i / 2)) / (n - 1);
      return i % 2 === 0 ? x + r * Math.cos(angle) : y + r * Math.sin(angle);
    });
  }
}
