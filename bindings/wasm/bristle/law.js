// Friction laws at a point, along one line.

import { choose } from "./arrays.js";
import { call, make } from "./calls.js";
import { Definition } from "./core.js";
import { DefinitionError } from "./errors.js";
import { expect_options } from "./options.js";

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
  "v_damping",
]);

const ALL = 7; // BR_RULE_ALL: sigma0, sigma1 and v_damping
const ONE_COEFFICIENT = ["coulomb", "dahl"]; // they do not use mu_s

/**
 * mu_c and mu_s; undefined if no coefficient is given.
 * @param {string} kind
 * @param {LawOptions} options
 */
function coefficients(kind, { mu, mu_c, mu_s }) {
  if (mu !== undefined) {
    if (mu_c !== undefined && mu_s !== undefined) {
      throw new DefinitionError("mu", "has no meaning beside mu_c and mu_s: leave it, or one of them, out");
    }
    return { mu_c: mu_c ?? mu, mu_s: mu_s ?? mu };
  }
  if (mu_s === undefined && ONE_COEFFICIENT.includes(kind)) {
    return { mu_c, mu_s: mu_c };
  }
  if ((mu_c === undefined) !== (mu_s === undefined)) {
    const [given, missing] = mu_c === undefined ? ["mu_s", "mu_c"] : ["mu_c", "mu_s"];
    throw new DefinitionError(given, `needs ${missing}, too; or give mu, and what is not given follows from it`);
  }
  return { mu_c, mu_s };
}

/**
 * @typedef {object} LawOptions
 * @property {number} [mu] coefficient of friction [-], sets mu_c and mu_s; one of them may be given in addition
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
 * @property {number} [v_damping] speed at which half of sigma1 is left [m/s], >= 0; 0 and Infinity: constant
 */

/**
 * A friction law and its parameters.
 *
 * With only `mu`, or `mu_c` and `mu_s` without `sigma0`, it is dry friction that sticks and slides with these
 * coefficients, as `friction` of a scenario: parameters that are not given follow from them, here for a point (see
 * Law.from_mu); a Contact adapts them to its patch, a Body to its vibration modes. Without coefficients, or with
 * `mu_c`, `mu_s` and `sigma0`, what is not given is that of Waltersson & Karayiannidis, Table I. A given sigma1 is
 * constant unless v_damping is also given. Forces are per normal force; a law resists along +v.
 *
 *     const law = new Law({ mu: 0.3 });
 *     const z = law.state();
 *     law.step(z, 0.1, 10, 10); // 3: 0.3 times 10 N, once it slides
 */
export class Law extends Definition {
  #rule = 0;

  /** @param {LawOptions} [options] */
  constructor(options = {}) {
    super();
    expect_options("Law", options, ["mu", "kind", ...NAMES]);
    const { mu, kind = "elasto-plastic" } = options;
    const place = choose(kind, LAWS, "kind");
    /** @type {LawOptions} */
    let given = { ...options, ...coefficients(kind, options) };
    if (mu !== undefined || (given.mu_c !== undefined && given.sigma0 === undefined)) {
      const is_free = given.sigma1 === undefined;
      const by_rule = [given.sigma0 === undefined, is_free, is_free && given.v_damping === undefined];
      this.#rule = by_rule.reduce((sum, flag, i) => sum + (flag ? 1 << i : 0), 0);
      given = { ...given, sigma2: given.sigma2 ?? 0 };
    }
    const start = call("law_default", null, place);
    let numbers = NAMES.map((name, i) => given[name] ?? start[i]);
    this._hold(...make("law_make", place, ...numbers));
    if (this.#rule) {
      numbers = this.#completed(this.#rule);
      this.free();
      this._hold(...make("law_make", place, ...numbers));
    }
    const [mu_c, mu_s, v_stribeck, gamma, sigma0, sigma1, sigma2, s_ba, alpha, v_damping] = numbers;
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
    /** speed at which half of sigma1 is left [m/s]; 0 and Infinity: constant damping */
    this.v_damping = v_damping;
    Object.freeze(this);
  }

  /** The parameters that follow from the coefficients, a sum of br_law_rule; contacts and bodies adapt them. */
  get _rule() {
    return this.#rule;
  }

  /**
   * The numbers with those in `rule` from the coefficients.
   * @param {number} rule
   * @returns {number[]}
   */
  #completed(rule, r = 0, mass = 0, fn = 0) {
    return Array.from(call("law_complete", this, rule, r, mass, fn));
  }

  /**
   * A law with fixed parameters, of which those in `rule` follow from the coefficients.
   * @param {number} rule
   */
  _with_rule(rule, r = 0, mass = 0, fn = 0) {
    const numbers = this.#completed(rule, r, mass, fn);
    return new Law({ kind: this.kind, ...Object.fromEntries(NAMES.map((name, i) => [name, numbers[i]])) });
  }

  /**
   * Friction from only its coefficient, with bristles chosen for a patch and a body: elasto-plastic,
   * mu_s = mu_c = mu. The bristles deflect by 2 um for each mm of the patch's r before breakaway, and are
   * damped so that the body does not vibrate on them. The damping fades with speed, so that it does not
   * affect sliding.
   * @param {number} mu coefficient of friction [-], > 0
   * @param {object} [options]
   * @param {number} [options.r] mean distance of the patch from its centre of pressure [m]; 0: a point
   * @param {number} [options.mass] mass that vibrates on the bristles [kg]; 0: the motion is imposed
   * @param {number} [options.fn] normal force of all contacts that share the motion [N]
   */
  static from_mu(mu, options = {}) {
    expect_options("Law.from_mu", options, ["r", "mass", "fn"]);
    const { r = 0, mass = 0, fn = 0 } = options;
    return new Law({ mu })._with_rule(ALL, r, mass, fn);
  }

  /** Does the law have a bristle? If not it is set-valued at rest. */
  get has_state() {
    return /** @type {boolean} */ (call("law_has_state", this));
  }

  /**
   * Margin of a sufficient condition for passivity [s/m]: sigma2 - sigma1 (mu_s - mu_c)/mu_c or, if it
   * is larger, 3.5 mu_c/v_damping - sigma1. Negative: some motions may extract more energy from the
   * bristles than was stored. Infinity for laws without sigma1.
   */
  get passivity_margin() {
    return /** @type {number} */ (call("law_passivity_margin", this));
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
    return call("law_g", this, v);
  }

  /**
   * Resistance along +v [N] and rate of the bristle [m/s], at an instant.
   * @param {Numbers} z bristle [m]
   * @param {Numbers} v velocity [m/s]
   * @param {Numbers} fn normal force [N], >= 0
   * @returns {[f: Scalar, dz: Scalar]}
   */
  eval(z, v, fn) {
    return call("law_eval", this, z, v, fn);
  }

  /**
   * Derivatives of eval, row by row (2 x 3 for each element): of f and dz by z, v and fn.
   * @param {Numbers} z
   * @param {Numbers} v
   * @param {Numbers} fn
   * @returns {Float64Array}
   */
  gradient(z, v, fn) {
    return call("law_gradient", this, z, v, fn);
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
    return call("law_step", this, z, v, fn, h);
  }
}
