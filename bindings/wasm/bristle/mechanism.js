// Constrained systems at an instant, and mechanisms in time, in generalised coordinates.

import { choose, filled, flat, put, rows_of, some, within } from "./arrays.js";
import { core, Definition, doubles_at, during, last_error, made, put_at } from "./core.js";
import { ArgumentError } from "./errors.js";
import { Law } from "./law.js";
import { expect_options } from "./options.js";
import { Result, RUN_OPTIONS, run_numbers, take_record } from "./result.js";

/** @typedef {import("./arrays.js").Numbers} Numbers */
/** @typedef {import("./result.js").RunOptions} RunOptions */

/**
 * Results of the equations of Huang et al., by their numbers.
 * @typedef {object} ConstrainedValue
 * @property {number} rank of A M^(-1/2)
 * @property {number} inconsistency share of b outside the range of A [-]
 * @property {number} stick the threshold of (25)
 * @property {Float64Array} q_id ideal constraint force (8) (n)
 * @property {Float64Array} multipliers of smallest norm (m)
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
 * A sliding contact.
 * @typedef {object} Slide
 * @property {Float64Array} qdd acceleration (n)
 * @property {number} n_frictionless normal force without friction [N]
 * @property {number} n normal force [N]
 * @property {Float64Array} friction on the mechanism [N] (d)
 * @property {number} margin distance from the Painleve limit [-]
 */

/**
 * A contact point held at rest on the surface.
 * @typedef {object} Hold
 * @property {Float64Array} qdd acceleration (n)
 * @property {Float64Array} force that holds the point [N] (d)
 * @property {number} n its normal part [N]
 * @property {number} tangential size of its tangential part [N]
 * @property {Float64Array} friction its tangential part [N] (d)
 * @property {boolean} possible a force can hold the point
 * @property {boolean} sticks and friction can provide it
 */

/**
 * Matrices are arrays of rows.
 * @typedef {object} ConstrainedOptions
 * @property {Numbers} [normal] unit normals of the contact (normals x d)
 * @property {number} [mu] Coulomb coefficient [-]
 * @property {number} [mu_s] static coefficient [-]; not given: mu
 * @property {Numbers} [C] force that does work on the constraint (n)
 * @property {Numbers} [bias] Jd qd (d)
 * @property {Numbers} [surface_velocity] of the surface at the contact point [m/s] (d); not given: 0
 * @property {Numbers} [surface_acceleration] of its particle there [m/s^2] (d); not given: 0
 * @property {number} [contact] the row of A that constrains the contact point; not given: found automatically
 */

const OPTIONAL = /** @type {const} */ (["C", "bias", "surface_velocity", "surface_acceleration"]);

/**
 * Split numbers into consecutive arrays.
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

/**
 * M qdd = Q + A^T lambda + J^T F, A qdd = b, with friction F at a contact point of velocity J qd, against its velocity
 * over the surface.
 */
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
    expect_options("Constrained", options, ["normal", "mu", "mu_s", ...OPTIONAL, "contact"]);
    const { normal, mu = 0, mu_s = mu, contact = -1 } = options;
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
    let has = 0;
    OPTIONAL.forEach((name, i) => {
      const value = options[name];
      if (value !== undefined) {
        arrays.push(some(value, name === "C" ? n : d, name));
        has += 2 ** i;
      }
    });
    const numbers = arrays.flat();
    const system = within(() => {
      const sizes = [n, m, d, normals, put(numbers), numbers.length];
      return made(core.constrained_make(...sizes, has, contact, mu, mu_s));
    });
    this._hold(system, core.constrained_destroy);
    Object.freeze(this);
  }

  /**
   * The paper's equations; their normal force is the frictionless one.
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
   * Normal force, friction and acceleration of a sliding contact; without a law: Coulomb.
   * @param {Law | null} [law] friction at the contact
   * @param {Numbers | null} [z] its state [m] (d)
   * @param {object} [options]
   * @param {boolean} [options.paper] with the frictionless normal force, as printed
   * @returns {Slide}
   */
  slide(law = null, z = null, options = {}) {
    expect_options("Constrained.slide", options, ["paper"]);
    const { paper = false } = options;
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
   * The force that holds the contact point, and whether friction can provide it.
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
/** A (m x n), b (m), gap (m); the contact's rows come first, d(gap)/dq = A; rate (m), d(gap)/dt at fixed q. */
/** @typedef {At<[A: Numbers, b: Numbers, gap: Numbers, rate?: Numbers]>} Constraint */
/** point (d), J (d x n), bias Jd qd (d), unit normals (d - 1 x d); how the surface moves there (d), (d). */
/** @typedef {[point: Numbers, J: Numbers, bias: Numbers, normal: Numbers]} Still */
/** @typedef {At<Still | [...still: Still, surface_velocity: Numbers, surface_acceleration: Numbers]>} Touch */

const PARTS = [
  ["M", "Q", "potential", "power"],
  ["A", "b", "gap", "rate"],
  ["point", "J", "bias", "normal", "surface_velocity", "surface_acceleration"],
];
const FUNCTIONS = ["dynamics", "constraint", "contact"];
// how many of these a function may return
const COUNTS = [[4], [3, 4], [4, 6]];
const FORMS = ["vector", "per-axis", "printed"];

/**
 * Check what a function returned; throws an error that lists the allowed forms.
 * @param {number} which
 * @param {any} answer
 * @returns {any[]}
 */
function checked(which, answer) {
  if (!Array.isArray(answer) || !COUNTS[which].includes(answer.length)) {
    const forms = COUNTS[which].map((count) => `[${PARTS[which].slice(0, count).join(", ")}]`);
    const got = Array.isArray(answer) ? `an array of ${answer.length}` : String(answer);
    throw new TypeError(`${FUNCTIONS[which]}: must return ${forms.join(" or ")}, got ${got}`);
  }
  return answer;
}

/** A mechanism with friction at one contact point, from three functions of (t, q, qd). */
export class Mechanism {
  /**
   * @param {Dynamics} dynamics returns M (n x n), Q (n), potential energy [J], power of forces that are not in it [W]
   * @param {Constraint} constraint returns A (m x n), b (m), gap (m); the contact's rows come first, d(gap)/dq = A. One
   *   that depends on time returns a fourth, rate (m): d(gap)/dt at fixed q
   * @param {Touch} contact returns point (d), J (d x n), bias Jd qd (d), unit normals (d - 1 x d). On a moving surface
   *   it returns two more: surface_velocity (d) at the point and surface_acceleration (d) of its particle there; only
   *   their parts along the surface count
   * @param {Law} [law] friction at the contact
   * @param {object} [options]
   * @param {boolean} [options.paper] with the frictionless normal force, as printed
   * @param {number} [options.stabilisation] Baumgarte's rate [1/s]
   * @param {string} [options.dahl] vector, per-axis or printed: how Dahl's law applies in the plane and in space
   * @param {Numbers} [options.sigma_axes] Dahl's stiffness of each axis [N/m] (d), for the last two; not given: the law's
   * @param {Numbers} [options.alpha_axes] Dahl's exponent of each axis [-] (d), likewise
   */
  constructor(dynamics, constraint, contact, law, options = {}) {
    expect_options("Mechanism", options, ["paper", "stabilisation", "dahl", "sigma_axes", "alpha_axes"]);
    const { paper = false, stabilisation = 20, dahl = "vector", sigma_axes, alpha_axes } = options;
    this.dynamics = dynamics;
    this.constraint = constraint;
    this.contact = contact;
    this.law = law ?? new Law({ kind: "coulomb" });
    this.paper = paper;
    this.stabilisation = stabilisation;
    this.dahl = dahl;
    this.sigma_axes = sigma_axes;
    this.alpha_axes = alpha_axes;
  }

  // sigma and alpha of each axis, three and three; null: the law's
  /** @param {number} d */
  #axes(d) {
    const { sigma_axes: sigma, alpha_axes: alpha, law } = this;
    if (sigma === undefined && alpha === undefined) {
      return null;
    }
    if (law.kind !== "dahl" || this.dahl === "vector") {
      const needs = "sigma_axes and alpha_axes need kind: dahl and dahl: per-axis or printed";
      throw new ArgumentError("sigma_axes", needs);
    }
    const three = (/** @type {any} */ value, /** @type {number} */ default_value, /** @type {string} */ name) =>
      value === undefined ? [default_value, default_value, default_value] : [...some(value, d, name), 1].slice(0, 3);
    return [...three(sigma, law.sigma0, "sigma_axes"), ...three(alpha, law.alpha, "alpha_axes")];
  }

  /**
   * Run it; an exception of a function ends the run and is thrown.
   * @param {number} duration [s], > 0
   * @param {Numbers} q start (n)
   * @param {Numbers} [qd] velocity at the start (n); not given: at rest
   * @param {RunOptions & { project?: boolean }} [options] project: move a start that is off the constraint onto it
   */
  simulate(duration, q, qd, options = {}) {
    expect_options("Mechanism.simulate", options, [...RUN_OPTIONS, "project"]);
    const start = Float64Array.from(flat(q, "q"));
    const speed = qd === undefined ? start.map(() => 0) : Float64Array.from(flat(qd, "qd"));
    if (speed.length !== start.length) {
      throw new ArgumentError("q", "q and qd must be two lists of the same length");
    }
    const sizes = this.#sizes(start, speed);
    const at = flat(options.at ?? [], "at");
    const { columns, units, events, cost, report } = within(() => {
      const how = [this.paper ? 1 : 0, options.project ? 1 : 0, this.stabilisation];
      const { n, m, d, normals } = sizes;
      const axes = this.#axes(d);
      const dahl = [choose(this.dahl, FORMS, "dahl"), axes ? put(axes) : 0];
      const law = [this.law._handle, ...dahl];
      const what = [n, m, d, normals, put([...start, ...speed]), ...law, ...how];
      const run = [put(run_numbers(duration, options)), put(at), at.length];
      return during({ stop: options.stop, mechanism: this.#teller(sizes) }, () =>
        take_record(made(core.mechanism_run(...what, ...run))),
      );
    });
    columns.sticks = Float64Array.from(/** @type {string[]} */ (columns.mode), (mode) => (mode === "stick" ? 1 : 0));
    const result = new Result("mechanism", columns, events, { ...report_of(report), ...cost });
    result.units = { ...units, sticks: "-" };
    return result;
  }

  /**
   * @param {Float64Array} q
   * @param {Float64Array} qd
   */
  #sizes(q, qd) {
    const n = q.length;
    const [A, b] = checked(1, this.constraint(0, q.slice(), qd.slice()));
    const m = flat(b, "b").length;
    const [point, J, , normal] = checked(2, this.contact(0, q.slice(), qd.slice()));
    const d = flat(point, "point").length;
    for (const [name, matrix] of Object.entries({ A, J })) {
      if (Array.isArray(matrix) && typeof matrix[0] !== "number") {
        rows_of(matrix, n, name); // not its transpose
      }
    }
    return { n, m, d, normals: flat(normal, "normal").length / d };
  }

  // callback of the module: calls function `which` at an instant and writes its results to addresses
  /** @param {{ n: number, m: number, d: number, normals: number }} sizes */
  #teller({ n, m, d, normals }) {
    const functions = [this.dynamics, this.constraint, this.contact];
    const counts = [
      [n * n, n, 1, 1],
      [m * n, m, m, m],
      [d, d * n, d, normals * d, d, d],
    ];
    /** @type {(which: number, t: number, q: number, qd: number, to: number[]) => void} */
    return (which, t, q, qd, to) => {
      const answer = checked(which, functions[which](t, doubles_at(q, n), doubles_at(qd, n)));
      answer.forEach((part, i) => put_at(to[i], some(part, counts[which][i], PARTS[which][i])));
    };
  }
}

const WORKS = ["work_applied", "work_friction", "work_constraints"];

const REPORT = ["drift", "residual", "turnover", "margin", "kinetic", "potential"];

/** @param {Float64Array} report */
function report_of(report) {
  const names = [...REPORT, ...WORKS];
  return Object.fromEntries(names.map((name, i) => [name, report[i]]));
}
