// Constrained systems at an instant, and mechanisms in time, in generalised coordinates.

import { filled, flat, put, rows_of, some, within } from "./arrays.js";
import { core, Definition, doubles_at, during, last_error, made, put_at } from "./core.js";
import { ArgumentError } from "./errors.js";
import { Law } from "./law.js";
import { Result, run_numbers, take_record } from "./result.js";

/** @typedef {import("./arrays.js").Numbers} Numbers */
/** @typedef {import("./result.js").RunOptions} RunOptions */

/**
 * What the equations of Huang et al. give, by their numbers.
 * @typedef {object} ConstrainedValue
 * @property {number} rank of A M^(-1/2)
 * @property {number} inconsistency share of b outside the range of A [-]
 * @property {number} stick the threshold of (25)
 * @property {Float64Array} q_id ideal constraint force (8) (n)
 * @property {Float64Array} multipliers of least norm (m)
 * @property {Float64Array} qdd_ideal acceleration without friction (n)
 * @property {Float64Array} q_nid (9) (n)
 * @property {Float64Array} qdd_with_c (10) (n)
 * @property {Float64Array} q_p (12) (n)
 * @property {Float64Array} q_t (13) (n)
 * @property {Float64Array} f_n frictionless normal force (19) [N] (d)
 * @property {Float64Array} f_t tangential force (20) [N] (d)
 * @property {Float64Array} f_c Coulomb friction (21) [N] (d)
 * @property {Float64Array} q_c the same, generalised (24) (n)
 * @property {Float64Array} f_s stiction (26) [N] (d)
 * @property {Float64Array} q_s the same, generalised (27) (n)
 */

/**
 * A contact that slides.
 * @typedef {object} Slide
 * @property {Float64Array} qdd acceleration (n)
 * @property {number} n_frictionless normal force without friction [N]
 * @property {number} n normal force [N]
 * @property {Float64Array} friction on the mechanism [N] (d)
 * @property {number} margin distance from the Painleve limit [-]
 */

/**
 * A contact point that is held where it is.
 * @typedef {object} Hold
 * @property {Float64Array} qdd acceleration of the rest (n)
 * @property {Float64Array} force that holds the point [N] (d)
 * @property {number} n its normal part [N]
 * @property {number} tangential size of its tangential part [N]
 * @property {Float64Array} friction its tangential part [N] (d)
 * @property {boolean} possible a force can hold the point
 * @property {boolean} sticks and friction can give it
 */

/**
 * Matrices are arrays of rows.
 * @typedef {object} ConstrainedOptions
 * @property {Numbers} [normal] unit normals of the contact (normals x d)
 * @property {number} [mu] Coulomb coefficient [-]
 * @property {number} [mu_s] static coefficient [-]; not given: mu
 * @property {Numbers} [C] force that does work on the constraint (n)
 * @property {Numbers} [bias] Jd qd (d)
 * @property {number} [contact] the row of A that keeps the contact point; not given: found
 */

/**
 * Arrays one behind the other, taken apart again.
 * @param {Float64Array} numbers
 * @param {[string, number][]} parts names and lengths
 * @returns {any}
 */
function parts_of(numbers, parts) {
  let place = 0;
  return Object.fromEntries(
    parts.map(([name, count]) => [name, numbers.slice(place, (place += count))]),
  );
}

/** M qdd = Q + A^T lambda + J^T F, A qdd = b, with friction F at a contact point of velocity J qd. */
export class Constrained extends Definition {
  /**
   * @param {Numbers} M mass matrix (n x n)
   * @param {Numbers} Q applied force, with centrifugal and Coriolis terms (n)
   * @param {Numbers} A constraints (m x n)
   * @param {Numbers} b of A qdd = b (m)
   * @param {Numbers} J Jacobian of the contact point (d x n), d = 2 or 3
   * @param {Numbers} qd velocity (n)
   * @param {ConstrainedOptions} [options]
   */
  constructor(M, Q, A, b, J, qd, options = {}) {
    super();
    const { normal, mu = 0, mu_s = mu, C, bias, contact = -1 } = options;
    /** coordinates */
    this.n = flat(Q, "Q").length;
    /** constraints */
    this.m = flat(b, "b").length;
    /** dimensions of the contact point */
    this.d = rows_of(J, this.n, "J").rows.length;
    const { n, m, d } = this;
    const normals = normal === undefined ? 0 : rows_of(normal, d, "normal").rows.length;
    const arrays = [some(M, n * n, "M"), some(Q, n, "Q"), some(A, m * n, "A"), some(b, m, "b")];
    arrays.push(some(J, d * n, "J"), some(qd, n, "qd"), some(normal ?? [], normals * d, "normal"));
    arrays.push(C === undefined ? [] : some(C, n, "C"));
    arrays.push(bias === undefined ? [] : some(bias, d, "bias"));
    const numbers = arrays.flat();
    const has = [C === undefined ? 0 : 1, bias === undefined ? 0 : 1];
    const system = within(() => {
      const sizes = [n, m, d, normals, put(numbers), numbers.length];
      return made(core.constrained_make(...sizes, ...has, contact, mu, mu_s));
    });
    this._hold(system, core.constrained_destroy);
    Object.freeze(this);
  }

  /**
   * The paper's own equations; their normal force is the frictionless one.
   * @returns {ConstrainedValue}
   */
  eval() {
    const { n, m, d } = this;
    const out = filled(3 + 8 * n + m + 4 * d, (address) => {
      if (!core.constrained_eval(this._handle, address)) {
        throw last_error();
      }
    });
    const [rank, inconsistency, stick] = out;
    const arrays = parts_of(out.subarray(3), [
      ["q_id", n],
      ["multipliers", m],
      ["qdd_ideal", n],
      ["q_nid", n],
      ["qdd_with_c", n],
      ["q_p", n],
      ["q_t", n],
      ["f_n", d],
      ["f_t", d],
      ["f_c", d],
      ["q_c", n],
      ["f_s", d],
      ["q_s", n],
    ]);
    return { rank, inconsistency, stick, ...arrays };
  }

  /**
   * Normal force, friction and acceleration of a contact that slides; Coulomb without a law.
   * @param {Law | null} [law] friction at the contact
   * @param {Numbers | null} [z] its state [m] (d)
   * @param {object} [options]
   * @param {boolean} [options.paper] with the frictionless normal force, as printed
   * @returns {Slide}
   */
  slide(law = null, z = null, { paper = false } = {}) {
    const { n, d } = this;
    const state = z === null ? [0, 0, 0] : some(z, d, "z");
    const out = filled(3 + n + d, (address) => {
      const how = [law ? law._handle : 0, put(state), paper ? 1 : 0];
      core.constrained_slide(this._handle, ...how, address);
    });
    const [n_frictionless, normal, margin] = out;
    const arrays = parts_of(out.subarray(3), [
      ["qdd", n],
      ["friction", d],
    ]);
    return { n_frictionless, n: normal, margin, ...arrays };
  }

  /**
   * The force that holds the contact point, and whether friction can give it.
   * @returns {Hold}
   */
  hold() {
    const { n, d } = this;
    const out = filled(4 + n + 2 * d, (address) => core.constrained_hold(this._handle, address));
    const [normal, tangential, possible, sticks] = out;
    const arrays = parts_of(out.subarray(4), [
      ["qdd", n],
      ["force", d],
      ["friction", d],
    ]);
    return { n: normal, tangential, possible: possible !== 0, sticks: sticks !== 0, ...arrays };
  }
}

/**
 * A function of an instant: time [s], coordinates (n), velocities (n).
 * @template T
 * @typedef {(t: number, q: Float64Array, qd: Float64Array) => T} At
 */

/** M (n x n), Q (n), potential energy [J], power of forces that are not in it [W]. */
/** @typedef {At<[M: Numbers, Q: Numbers, potential: number, power: number]>} Dynamics */
/** A (m x n), b (m), gap (m); the contact's rows come first, d(gap)/dq = A. */
/** @typedef {At<[A: Numbers, b: Numbers, gap: Numbers]>} Constraint */
/** point (d), J (d x n), bias Jd qd (d), unit normals (d - 1 x d). */
/** @typedef {At<[point: Numbers, J: Numbers, bias: Numbers, normal: Numbers]>} Touch */

const PARTS = [
  ["M", "Q", "potential", "power"],
  ["A", "b", "gap"],
  ["point", "J", "bias", "normal"],
];

/** A mechanism with friction at one contact point, from three functions of (t, q, qd). */
export class Mechanism {
  /**
   * @param {Dynamics} dynamics gives M (n x n), Q (n), potential energy [J], power of forces that are not in it [W]
   * @param {Constraint} constraint gives A (m x n), b (m), gap (m); the contact's rows come first, d(gap)/dq = A
   * @param {Touch} contact gives point (d), J (d x n), bias Jd qd (d), unit normals (d - 1 x d)
   * @param {Law} [law] friction at the contact
   * @param {object} [options]
   * @param {boolean} [options.paper] with the frictionless normal force, as printed
   * @param {number} [options.stabilisation] Baumgarte's rate [1/s]
   */
  constructor(dynamics, constraint, contact, law, { paper = false, stabilisation = 20 } = {}) {
    this.dynamics = dynamics;
    this.constraint = constraint;
    this.contact = contact;
    this.law = law ?? new Law({ kind: "coulomb" });
    this.paper = paper;
    this.stabilisation = stabilisation;
  }

  /**
   * Run it; an exception of a function ends the run and is thrown.
   * @param {number} duration [s], > 0
   * @param {Numbers} q start (n)
   * @param {Numbers} [qd] velocity at the start (n); not given: at rest
   * @param {RunOptions & { project?: boolean }} [options] project: move a start that is off the constraint onto it
   */
  simulate(duration, q, qd, options = {}) {
    const start = Float64Array.from(flat(q, "q"));
    const speed = qd === undefined ? start.map(() => 0) : Float64Array.from(flat(qd, "qd"));
    if (speed.length !== start.length) {
      throw new ArgumentError("q", "q and qd must be two lists of the same length");
    }
    const sizes = this.#sizes(start, speed);
    const at = flat(options.at ?? [], "at");
    const { columns, events, cost, report } = within(() => {
      const how = [this.paper ? 1 : 0, options.project ? 1 : 0, this.stabilisation];
      const { n, m, d, normals } = sizes;
      const what = [n, m, d, normals, put([...start, ...speed]), this.law._handle, ...how];
      const run = [put(run_numbers(duration, options)), put(at), at.length];
      return during({ stop: options.stop, mechanism: this.#teller(sizes) }, () =>
        take_record(made(core.mechanism_run(...what, ...run)), column_names(n, d)),
      );
    });
    return new Result("mechanism", columns, events, { ...report_of(report), ...cost });
  }

  /**
   * @param {Float64Array} q
   * @param {Float64Array} qd
   */
  #sizes(q, qd) {
    const n = q.length;
    const m = flat(this.constraint(0, q.slice(), qd.slice())[1], "b").length;
    const [point, , , normal] = this.contact(0, q.slice(), qd.slice());
    const d = flat(point, "point").length;
    return { n, m, d, normals: flat(normal, "normal").length / d };
  }

  // what the module asks: function `which` at an instant, its results to be written at addresses
  /** @param {{ n: number, m: number, d: number, normals: number }} sizes */
  #teller({ n, m, d, normals }) {
    const functions = [this.dynamics, this.constraint, this.contact];
    const counts = [
      [n * n, n, 1, 1],
      [m * n, m, m],
      [d, d * n, d, normals * d],
    ];
    /** @type {(which: number, t: number, q: number, qd: number, to: number[]) => void} */
    return (which, t, q, qd, to) => {
      const answer = functions[which](t, doubles_at(q, n), doubles_at(qd, n));
      PARTS[which].forEach((name, i) => put_at(to[i], some(answer[i], counts[which][i], name)));
    };
  }
}

/**
 * @param {number} n
 * @param {number} d
 */
function column_names(n, d) {
  const axes = ["x", "y", "z"].slice(0, d);
  const coordinates = Array.from({ length: n }, (_, i) => i + 1);
  return [
    ...["t", "fn", "sticks", "work_applied", "work_friction", "drift", "residual"],
    ...coordinates.map((i) => `q${i}`),
    ...coordinates.map((i) => `qd${i}`),
    ...axes,
    ...axes.map((axis) => `f${axis}`),
  ];
}

const REPORT = ["drift", "residual", "turnover", "margin", "kinetic", "potential"];

/** @param {Float64Array} report */
function report_of(report) {
  const names = [...REPORT, "work_applied", "work_friction"];
  return Object.fromEntries(names.map((name, i) => [name, report[i]]));
}
