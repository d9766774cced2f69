// Planar contacts: a patch, a law and a method make friction that slides and spins.

import { Call, choose, filled, put, some, step_size, within } from "./arrays.js";
import { core, Definition, made } from "./core.js";
import { ArgumentError } from "./errors.js";
import { Law } from "./law.js";

/** @typedef {import("./arrays.js").Numbers} Numbers */
/** @typedef {import("./arrays.js").Scalar} Scalar */
/** @typedef {import("./limit.js").LimitSurface} LimitSurface */
/** @typedef {import("./patch.js").Patch} Patch */

const METHODS = ["blocks", "distributed", "reduced", "ellipsoid"];
const PARAMETERS = 8; // of a law that sensitivity() goes by

/**
 * Derivatives of Contact.eval, row by row; N is the number of states.
 * @typedef {object} Gradient
 * @property {Float64Array} f_z of the wrench by the state (3 x N)
 * @property {Float64Array} f_v of the wrench by the twist (3 x 3)
 * @property {Float64Array} f_fn of the wrench by the normal force, the patch held (3)
 * @property {Float64Array} dz_z of the rates by the state (N x N)
 * @property {Float64Array} dz_v of the rates by the twist (N x 3)
 */

/**
 * Derivatives of Contact.eval by the parameters of the law, in this order: mu_c, mu_s, v_stribeck, gamma,
 * sigma0, sigma1, sigma2, s_ba.
 * @typedef {object} Sensitivity
 * @property {Float64Array} f of the wrench (8 x 3)
 * @property {Float64Array} dz of the rates (8 x N)
 */

/**
 * How a contact slips.
 * @typedef {object} Slip
 * @property {Scalar} rate speed of the motion that does not come back [m/s]
 * @property {Scalar} state 0 sticks, 1 slips, 2 is open
 * @property {Scalar} margin > 0: slips [-]
 */

/**
 * What a contact is made of: n pieces of its patch.
 * @typedef {object} Parts
 * @property {Float64Array} position from the centre of pressure, patch axes [m] (n x 2)
 * @property {Float64Array} weight share of the normal force [-] (n); 0: padding
 * @property {Float64Array} covariance of the pressure within it: xx, xy, yy [m^2] (n x 3)
 */

/**
 * What the parts do at an instant, contact frame.
 * @typedef {object} PartValues
 * @property {Float64Array} position [m] (n x 2)
 * @property {Float64Array} v velocity over the ground [m/s] (n x 2)
 * @property {Float64Array} z deflection [m] (n x 2)
 * @property {Float64Array} dz its rate [m/s] (n x 2)
 * @property {Float64Array} wrench on the body, about `position` [N, N, N m] (n x 3)
 */

/**
 * @typedef {object} ContactOptions
 * @property {number} [resolution] blocks or cells across, nodes of a table; 0: what suits
 * @property {LimitSurface | null} [surface] for "reduced"; null: one that suits the patch
 * @property {boolean} [guard] reduced, ellipsoid: steps never give energy back that was not put in
 * @property {number} [r] of an "ellipsoid" without patch: rim radius [m]
 * @property {number} [u] the same: viscous torque factor [m^2]
 * @property {Numbers} [cop] the same: centre of pressure [m, m]
 */

/**
 * A planar contact with bristles.
 *
 * Twists (vx, vy, w) [m/s, m/s, rad/s] of the body over the ground and wrenches (fx, fy, tau) [N, N, N m] on
 * the body are taken at the patch's centre of pressure. The state z belongs to the caller:
 * `contact.state()`. n twists and n states, one behind the other, are n contacts.
 *
 *     const contact = new Contact(Patch.disc(0.01, { pressure: "hertz" }), new Law({ mu: 0.3 }));
 *     const z = contact.state();
 *     const wrench = contact.step(z, [0.1, 0, 0], 5, 1e-3);
 */
export class Contact extends Definition {
  /**
   * @param {Patch | null} patch where it touches; null only for "ellipsoid" with r, u, cop
   * @param {Law | number} law a Law, or a coefficient of friction [-] (Law.from_mu for this patch)
   * @param {string} [method] blocks (for most), distributed, reduced or ellipsoid
   * @param {ContactOptions} [options]
   */
  constructor(patch, law, method = "blocks", options = {}) {
    super();
    const { surface = null, guard = true, resolution = 0, r = 0, u = 0 } = options;
    const fixed = patch !== null && !patch.depends_on_force;
    this.patch = patch;
    this.law = law instanceof Law ? law : Law.from_mu(law, { r: fixed ? patch.r : r });
    this.method = method;
    this.surface = surface;
    this.guard = guard;
    const n = [r, u, ...some(options.cop ?? [0, 0], 2, "cop")];
    const how = choose(method, METHODS, "method");
    if (!(resolution >= 0)) {
      throw new ArgumentError("resolution", `must be >= 0, got ${resolution}`);
    }
    const places = [patch?._handle ?? 0, this.law._handle, surface?._handle ?? 0];
    const contact = within(() =>
      made(
        core.contact_make(places[0], places[1], how, resolution, places[2], put(n), guard ? 1 : 0),
      ),
    );
    /** @type {Definition[]} */
    const keeps = [];
    keeps.push(...(patch ? [patch] : []), ...(surface ? [surface] : []));
    this._hold(contact, core.contact_destroy, keeps);
    const numbers = filled(8, (address) => core.contact_numbers(contact, address));
    /** numbers of state, N */
    this.state_count = numbers[0];
    /** parts, n */
    this.part_count = numbers[1];
    /** that was taken */
    this.resolution = numbers[2];
    /** centre of pressure, contact frame [m, m] */
    this.cop = numbers.slice(3, 5);
    /** rim radius [m] */
    this.r = numbers[5];
    /** viscous torque factor [m^2] */
    this.u = numbers[6];
    /** of the bristles' axes in the contact frame [rad] */
    this.angle = numbers[7];
    Object.freeze(this);
  }

  /**
   * Bristles at rest: N zeros, for each contact.
   * @param {number} [count]
   */
  state(count = 1) {
    return new Float64Array(count * this.state_count);
  }

  /**
   * @param {Numbers} z
   * @param {Numbers} v
   * @param {Numbers} fn
   */
  #at(z, v, fn) {
    return new Call().input("z", z, this.state_count).input("v", v, 3).force(fn);
  }

  /**
   * Wrench on the body (3 each) and rates of the bristles (N each), for one's own integrator.
   * @param {Numbers} z state (N each)
   * @param {Numbers} v twist (3 each)
   * @param {Numbers} fn normal force [N], >= 0
   * @returns {[wrench: Float64Array, dz: Float64Array]}
   */
  eval(z, v, fn) {
    const call = this.#at(z, v, fn).output(3).output(this.state_count);
    const [f, dz] = call.run((count, ...at) => core.contact_eval(this._handle, count, ...at));
    return [f, dz];
  }

  /**
   * Advance the bristles in place over a step with the twist held; stable at any size of step.
   * @param {Float64Array} z state (N each), changed
   * @param {Numbers} v twist, held (3 each)
   * @param {Numbers} fn normal force, held [N], >= 0; 0 lets the bristles go
   * @param {number} h step [s], > 0
   * @param {object} [options]
   * @param {Float64Array | null} [options.energy] where to write stored, work, dissipated [J] (3 each)
   * @returns {Float64Array} mean wrench on the body over the step (3 each)
   */
  step(z, v, fn, h, { energy = null } = {}) {
    const call = new Call().state("z", z, this.state_count).input("v", v, 3).force(fn).output(3);
    const size = step_size(h);
    if (energy) {
      call.state("energy", energy, 3);
    }
    return call.run((count, state, twist, force, f, to = 0) =>
      core.contact_step(this._handle, count, state, twist, force, size, f, to),
    )[0];
  }

  /**
   * Wrench of steady sliding (3 each).
   * @param {Numbers} v twist (3 each)
   * @param {Numbers} fn normal force [N], >= 0
   * @param {object} [options]
   * @param {Float64Array | null} [options.z] takes the bristles there (N each)
   * @returns {Float64Array}
   */
  steady(v, fn, { z = null } = {}) {
    const call = new Call().input("v", v, 3).force(fn).output(3);
    if (z) {
      call.state("z", z, this.state_count);
    }
    return call.run((count, twist, force, f, to = 0) =>
      core.contact_steady(this._handle, count, twist, force, f, to),
    )[0];
  }

  /**
   * Share of what friction can hold that the bristles carry [-]: 0 none, 1 slides as a whole.
   * @param {Numbers} z state (N each)
   * @param {Numbers} v twist (3 each)
   * @param {Numbers} fn normal force [N], >= 0
   * @returns {Scalar}
   */
  load(z, v, fn) {
    const call = this.#at(z, v, fn).output(0);
    return call.run((count, ...at) => core.contact_load(this._handle, count, ...at))[0];
  }

  /**
   * Energy in the bristles [J].
   * @param {Numbers} z state (N each)
   * @param {Numbers} fn normal force [N], >= 0
   * @returns {Scalar}
   */
  stored(z, fn) {
    const call = new Call().input("z", z, this.state_count).force(fn).output(0);
    return call.run((count, ...at) => core.contact_stored(this._handle, count, ...at))[0];
  }

  /**
   * Slip rate [m/s] and whether it sticks (0), slips (1) or is open (2).
   * @param {Numbers} z state (N each)
   * @param {Numbers} v twist (3 each)
   * @param {Numbers} fn normal force [N], >= 0
   * @param {Numbers} [before] the state before
   * @returns {Slip}
   */
  slip(z, v, fn, before = 0) {
    const call = this.#at(z, v, fn).input("before", before, 0).output(0).output(0).output(0);
    const [rate, state, margin] = call.run((count, ...at) =>
      core.contact_slip(this._handle, count, ...at),
    );
    return { rate, state, margin };
  }

  /**
   * Derivatives of wrench and rates, exact; at a kink the mean of both sides. Of one contact.
   * @param {Numbers} z state (N)
   * @param {Numbers} v twist (3)
   * @param {Numbers} fn normal force [N], >= 0
   * @returns {Gradient}
   */
  gradient(z, v, fn) {
    const n = this.part_count;
    const k = this.state_count / n;
    const call = this.#at(z, v, fn).output(3 * k * n).output(9).output(3).output(k * k * n);
    call.output(3 * k * n);
    call.single();
    const [f_z, f_v, f_fn, dz_z, dz_v] = call.run((count, ...at) =>
      core.contact_gradient(this._handle, count, ...at),
    );
    return { f_z, f_v, f_fn, dz_z: this.#dense(dz_z), dz_v: this.#by_state(dz_v) };
  }

  // entry (row, column) of part i stands at (row n + i, column n + i)
  /** @param {Float64Array} dz_z */
  #dense(dz_z) {
    const { part_count: n, state_count } = this;
    const k = state_count / n;
    const whole = new Float64Array(state_count * state_count);
    for (let row = 0; row < k; row++) {
      for (let column = 0; column < k; column++) {
        for (let i = 0; i < n; i++) {
          const place = (row * n + i) * state_count + column * n + i;
          whole[place] = dz_z[(k * row + column) * n + i];
        }
      }
    }
    return whole;
  }

  // columns are of the twist in the patch's axes: turn them into those of the contact frame
  /** @param {Float64Array} dz_v */
  #by_state(dz_v) {
    const { part_count: n, state_count } = this;
    const [c, s] = [Math.cos(this.angle), Math.sin(this.angle)];
    const turned = new Float64Array(3 * state_count);
    for (let state = 0; state < state_count; state++) {
      const [row, i] = [Math.floor(state / n), state % n];
      const [x, y, w] = [0, 1, 2].map((column) => dz_v[(3 * row + column) * n + i]);
      turned.set([c * x - s * y, s * x + c * y, w], 3 * state);
    }
    return turned;
  }

  /**
   * Derivatives of wrench and rates by the parameters of the law, for identification.
   * @param {Numbers} z state (N each)
   * @param {Numbers} v twist (3 each)
   * @param {Numbers} fn normal force [N], >= 0
   * @returns {Sensitivity}
   */
  sensitivity(z, v, fn) {
    const call = this.#at(z, v, fn).output(3 * PARAMETERS).output(PARAMETERS * this.state_count);
    const [f, dz] = call.run((count, ...at) =>
      core.contact_sensitivity(this._handle, count, ...at),
    );
    return { f, dz };
  }

  /**
   * The pieces of the patch.
   * @returns {Parts}
   */
  parts() {
    const n = this.part_count;
    const table = filled(6 * n, (address) => core.contact_parts(this._handle, address));
    /** @param {number} first @param {number} count */
    const columns = (first, count) =>
      Float64Array.from({ length: count * n }, (_, i) => {
        return table[6 * Math.floor(i / count) + first + (i % count)];
      });
    return { position: columns(0, 2), weight: columns(2, 1), covariance: columns(3, 3) };
  }

  /**
   * What each piece does, for pictures.
   * @param {Numbers} z state (N each)
   * @param {Numbers} v twist (3 each)
   * @param {Numbers} fn normal force [N], >= 0
   * @returns {PartValues}
   */
  part_values(z, v, fn) {
    const n = this.part_count;
    const call = this.#at(z, v, fn).output(2 * n).output(2 * n).output(2 * n).output(2 * n);
    const [position, speed, deflection, rate, wrench] = call
      .output(3 * n)
      .run((count, ...at) => core.contact_part_values(this._handle, count, ...at));
    return { position, v: speed, z: deflection, dz: rate, wrench };
  }

  /**
   * The state of another contact that takes over at equal force and torque, e.g. another shape.
   * @param {Numbers} z state (N each)
   * @param {Contact} to
   * @returns {Float64Array}
   */
  carry(z, to) {
    const own = this.state_count / this.part_count;
    const other = to.state_count / to.part_count;
    if (own !== other) {
      const text = `its parts must have as many bristles: ${own}, got ${other}`;
      throw new ArgumentError("to", text);
    }
    const call = new Call().input("z", z, this.state_count).output(to.state_count);
    return call.run((count, from, out) =>
      core.contact_carry(this._handle, count, from, to._handle, out),
    )[0];
  }

  /**
   * dz/dt = f(t, z) for an integrator of one's own.
   * @param {Numbers | ((t: number) => Numbers)} v twist, a constant or a function of time
   * @param {number | ((t: number) => number)} fn normal force, a constant or a function of time
   * @returns {(t: number, z: Float64Array) => Float64Array}
   */
  rhs(v, fn) {
    return (t, z) => {
      const twist = typeof v === "function" ? v(t) : v;
      return this.eval(z, twist, typeof fn === "function" ? fn(t) : fn)[1];
    };
  }

  /**
   * d(dz/dt)/dz (N x N) for an implicit integrator of one's own.
   * @param {Numbers | ((t: number) => Numbers)} v twist, a constant or a function of time
   * @param {number | ((t: number) => number)} fn normal force, a constant or a function of time
   * @returns {(t: number, z: Float64Array) => Float64Array}
   */
  jac(v, fn) {
    return (t, z) => {
      const twist = typeof v === "function" ? v(t) : v;
      return this.gradient(z, twist, typeof fn === "function" ? fn(t) : fn).dz_z;
    };
  }
}
