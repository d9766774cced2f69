// Friction laws at a point, along one line.

import { Call, choose, filled, put, step_size, within } from "./arrays.js";
import { core, Definition, made } from "./core.js";

/** @typedef {import("./arrays.js").Numbers} Numbers */
/** @typedef {import("./arrays.js").Scalar} Scalar */

/** The laws, in the order of C. */
export const LAWS = ["coulomb", "stiction", "stribeck", "dahl", "lugre", "elasto-plastic"];

const NAMES = /** @type {const} */ ([
  "mu_c",
  "mu_s",
  "v_stribeck",
  "gamma",
  "sigma0",
  "sigma1",
  "sigma2",
  "s_ba",
  "alpha",
]);

/**
 * @typedef {object} LawOptions
 * @property {number} [mu] coefficient of friction [-], sets mu_c and mu_s
 * @property {string} [kind] coulomb, stiction, stribeck, dahl, lugre or elasto-plastic
 * @property {number} [mu_c] Coulomb coefficient [-], > 0
 * @property {number} [mu_s] static coefficient [-], >= mu_c
 * @property {number} [v_stribeck] Stribeck speed [m/s], > 0
 * @property {number} [gamma] Stribeck exponent [-], > 0
 * @property {number} [sigma0] stiffness of the bristles [1/m], for Dahl [N/m], > 0
 * @property {number} [sigma1] damping of the bristles [s/m], >= 0
 * @property {number} [sigma2] viscous coefficient [s/m], >= 0
 * @property {number} [s_ba] breakaway fraction [-], in [0, 1)
 * @property {number} [alpha] Dahl's exponent [-], > 0
 */

/**
 * A friction law and its parameters.
 *
 * With `mu` alone it is dry friction that holds still and slides with that coefficient (see Law.from_mu);
 * without it, the measured parameters of Waltersson & Karayiannidis, Table I. Everything else that is named
 * replaces what that gives. Forces are per normal force; a law resists along +v.
 *
 *     const law = new Law({ mu: 0.3 });
 *     const z = law.state();
 *     law.step(z, 0.1, 10, 10); // 3: 0.3 times 10 N, once it slides
 */
export class Law extends Definition {
  /** @param {LawOptions} [options] */
  constructor(options = {}) {
    super();
    const { mu, kind = "elasto-plastic" } = options;
    const place = choose(kind, LAWS, "kind");
    const start = filled(NAMES.length, (address) => {
      if (mu === undefined) {
        core.law_default(place, address);
      } else {
        core.law_from_mu(mu, 0, 0, 0, address);
      }
    });
    const numbers = NAMES.map((name, i) => options[name] ?? start[i]);
    const [mu_c, mu_s, v_stribeck, gamma, sigma0, sigma1, sigma2, s_ba, alpha] = numbers;
    /** which law */
    this.kind = kind;
    /** Coulomb coefficient [-] */
    this.mu_c = mu_c;
    /** static coefficient [-] */
    this.mu_s = mu_s;
    /** Stribeck speed [m/s] */
    this.v_stribeck = v_stribeck;
    /** Stribeck exponent [-] */
    this.gamma = gamma;
    /** stiffness of the bristles [1/m], for Dahl [N/m] */
    this.sigma0 = sigma0;
    /** damping of the bristles [s/m] */
    this.sigma1 = sigma1;
    /** viscous coefficient [s/m] */
    this.sigma2 = sigma2;
    /** breakaway fraction [-] */
    this.s_ba = s_ba;
    /** Dahl's exponent [-] */
    this.alpha = alpha;
    this._hold(
      within(() => made(core.law_make(place, put(numbers)))),
      core.memory_release,
    );
    Object.freeze(this);
  }

  /**
   * Friction from its coefficient alone, with bristles that suit a patch and a body: elasto-plastic,
   * mu_s = mu_c = mu; the bristles give way by 2 um for each mm of the patch's r before it breaks away, and
   * are damped so that the body does not ring on them.
   * @param {number} mu coefficient of friction [-], > 0
   * @param {object} [options]
   * @param {number} [options.r] mean distance of the patch from its centre of pressure [m]; 0: a point
   * @param {number} [options.mass] that swings on the bristles [kg]; 0: the motion is given
   * @param {number} [options.fn] normal force of all contacts that share the motion [N]
   */
  static from_mu(mu, { r = 0, mass = 0, fn = 0 } = {}) {
    const numbers = filled(NAMES.length, (address) => core.law_from_mu(mu, r, mass, fn, address));
    return new Law(Object.fromEntries(NAMES.map((name, i) => [name, numbers[i]])));
  }

  /** Does the law have a bristle? If not it is set-valued at rest. */
  get has_state() {
    return core.law_has_state(this._handle) !== 0;
  }

  /**
   * sigma2 - sigma1 (mu_s - mu_c)/mu_c [s/m]; negative: some motions may take energy out of the bristles
   * that nobody put in. Infinity for laws without sigma1.
   */
  get passivity_margin() {
    return core.law_passivity_margin(this._handle);
  }

  /**
   * Bristles at rest [m]: zeros, one for each element.
   * @param {number} [count]
   */
  state(count = 1) {
    return new Float64Array(count);
  }

  /**
   * Steady-state coefficient at a speed: mu_s at rest, mu_c at high speed [-].
   * @param {Numbers} v [m/s]
   * @returns {Scalar}
   */
  g(v) {
    const call = new Call().input("v", v, 0).output(0);
    return call.run((count, at, g) => core.law_g(this._handle, count, at, g))[0];
  }

  /**
   * Resistance along +v [N] and rate of the bristle [m/s], at an instant.
   * @param {Numbers} z bristle [m]
   * @param {Numbers} v velocity [m/s]
   * @param {Numbers} fn normal force [N], >= 0
   * @returns {[f: Scalar, dz: Scalar]}
   */
  eval(z, v, fn) {
    const call = new Call().input("z", z, 0).input("v", v, 0).force(fn).output(0).output(0);
    const [f, dz] = call.run((count, ...at) => core.law_eval(this._handle, count, ...at));
    return [f, dz];
  }

  /**
   * Derivatives of eval, row by row (2 x 3 for each element): of f and dz by z, v and fn.
   * @param {Numbers} z
   * @param {Numbers} v
   * @param {Numbers} fn
   * @returns {Float64Array}
   */
  gradient(z, v, fn) {
    const call = new Call().input("z", z, 0).input("v", v, 0).force(fn).output(6);
    return call.run((count, ...at) => core.law_gradient(this._handle, count, ...at))[0];
  }

  /**
   * Advance the bristles in place over a step with the velocity held; any size of step is stable.
   * @param {Float64Array} z bristles [m], changed
   * @param {Numbers} v velocity, held [m/s]
   * @param {Numbers} fn normal force, held [N], >= 0
   * @param {number} h step [s], > 0
   * @returns {Scalar} mean resistance along +v over the step [N]
   */
  step(z, v, fn, h) {
    const call = new Call().state("z", z, 0).input("v", v, 0).force(fn).output(0);
    const size = step_size(h);
    return call.run((count, state, speed, force, f) =>
      core.law_step(this._handle, count, state, speed, force, size, f),
    )[0];
  }
}
