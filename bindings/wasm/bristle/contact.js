// Planar contacts: friction of a patch that slides and spins, from a law and a method.

import { anisotropy_numbers, anisotropy_of } from "./anisotropy.js";
import { choose, flat, some } from "./arrays.js";
import { call, make, named } from "./calls.js";
import { Definition } from "./core.js";
import { ArgumentError } from "./errors.js";
import { Law } from "./law.js";
import { expect_options } from "./options.js";

/** @typedef {import("./anisotropy.js").Anisotropy} Anisotropy */
/** @typedef {import("./arrays.js").Numbers} Numbers */
/** @typedef {import("./arrays.js").Scalar} Scalar */
/** @typedef {import("./field.js").Field} Field */
/** @typedef {import("./limit.js").LimitSurface} LimitSurface */
/** @typedef {import("./patch.js").Patch} Patch */
/** @typedef {{ rows: ArrayLike<unknown>, width: number, numbers: Float64Array }} Rows */

const HINTS = { mu: "a coefficient is the second argument, in place of a law;" };
const NAMES = ["resolution", "surface", "guard", "r", "u", "cop", "anisotropy", "field", "field_moves", "pose", "_of", "_rows"];
const METHODS = ["blocks", "distributed", "reduced", "ellipsoid"];

/**
 * Derivatives of Contact.eval, row by row; N is the number of states.
 * @typedef {object} Gradient
 * @property {Float64Array} f_z of the wrench by the state (3 x N)
 * @property {Float64Array} f_v of the wrench by the twist (3 x 3)
 * @property {Float64Array} f_fn of the wrench by the normal force, at a constant patch (3)
 * @property {Float64Array} dz_z of the rates by the state (N x N)
 * @property {Float64Array} dz_v of the rates by the twist (N x 3)
 */

/**
 * Slip of a contact.
 * @typedef {object} Slip
 * @property {Scalar} rate speed of the irreversible motion [m/s]
 * @property {Scalar} state 0 sticks, 1 slips, 2 is open
 * @property {Scalar} margin > 0: slips [-]
 */

/**
 * The n parts into which a contact divides its patch.
 * @typedef {object} Parts
 * @property {Float64Array} position from the centre of pressure, patch axes [m] (n x 2)
 * @property {Float64Array} weight share of the normal force [-] (n); 0: padding
 * @property {Float64Array} covariance of the pressure within it: xx, xy, yy [m^2] (n x 3)
 */

/**
 * State and wrench of each part at an instant, contact frame.
 * @typedef {object} PartValues
 * @property {Float64Array} position [m] (n x 2)
 * @property {Float64Array} v velocity over the ground [m/s] (n x 2)
 * @property {Float64Array} z deflection [m] (n x 2)
 * @property {Float64Array} dz its rate [m/s] (n x 2)
 * @property {Float64Array} wrench on the body, about `position` [N, N, N m] (n x 3)
 */

/**
 * @typedef {object} ContactOptions
 * @property {number} [resolution] blocks or cells across, nodes of a table; 0: chosen automatically
 * @property {LimitSurface | null} [surface] for "reduced"; null: chosen for the patch
 * @property {boolean} [guard] reduced, ellipsoid: steps never release more energy than is stored
 * @property {number} [r] of an "ellipsoid" without patch: rim radius [m]
 * @property {number} [u] the same: viscous torque factor [m^2]
 * @property {Numbers} [cop] the same: centre of pressure [m, m]
 * @property {Anisotropy | null} [anisotropy] friction that depends on the direction; null: isotropic, or that of the surface.
 *   With axes of the ground the contact itself is at angle 0 over it; a Body turns it
 * @property {Field | null} [field] factor on mu by position; null: mu is uniform
 * @property {boolean} [field_moves] false: the field is fixed to the patch, in the contact's frame; true: to the other
 *   surface, over which the contact moves: a Body sees to that, Contact.at gives the contact at a pose
 * @property {Numbers} [pose] of the contact's frame over the other surface [m, m, rad]
 * @property {Contact} [_of] whose geometry it borrows
 * @property {Rows | null} [_rows] pressures of triangles, or vertices with pressures
 */

/**
 * Centres of a contact, and how much friction it has.
 * @typedef {object} Centres
 * @property {Float64Array} pressure centre of pressure, contact frame [m] (2)
 * @property {Float64Array} friction centre of friction, of mu p; where mu is uniform, the same [m] (2)
 * @property {number} factor mean of the field's factor [-]; 1 without a field
 */

/**
 * Rows of a pressure, or of x, y and a pressure: a copy, since the caller may change the arrays at the next step.
 * @param {Numbers} pressures
 * @param {Numbers | null} vertices
 * @returns {Rows}
 */
function pressed_rows(pressures, vertices) {
  const heights = Float64Array.from(flat(pressures, "pressures"));
  if (vertices === null) {
    return { rows: heights, width: 1, numbers: heights };
  }
  const corners = flat(vertices, "vertices");
  if (corners.length !== 2 * heights.length) {
    throw new ArgumentError("vertices", `must be ${2 * heights.length} numbers, got ${corners.length}`);
  }
  const numbers = new Float64Array(3 * heights.length);
  heights.forEach((height, i) => numbers.set([corners[2 * i], corners[2 * i + 1], height], 3 * i));
  return { rows: heights, width: 3, numbers };
}

/**
 * A planar contact with bristles.
 *
 * Twists (vx, vy, w) [m/s, m/s, rad/s] of the body over the ground and wrenches (fx, fy, tau) [N, N, N m] on
 * the body are taken at the patch's centre of pressure. The state z belongs to the caller:
 * `contact.state()`. n twists and n states, one after the other, are n contacts.
 *
 *     const contact = new Contact(Patch.disc(0.01, { pressure: "hertz" }), new Law({ mu: 0.3 }));
 *     const z = contact.state();
 *     const wrench = contact.step(z, [0.1, 0, 0], 5, 1e-3);
 */
export class Contact extends Definition {
  /**
   * @param {Patch | null} patch contact area; null only for "ellipsoid" with r, u, cop
   * @param {Law | number} law a Law, or a coefficient of friction [-], new Law({ mu }). Parameters of the law that follow
   *   from its coefficients are adapted to the patch, by a Body to its vibration modes
   * @param {string} [method] blocks (recommended), distributed, reduced or ellipsoid
   * @param {ContactOptions} [options]
   */
  constructor(patch, law, method = "blocks", options = {}) {
    super();
    expect_options("Contact", options, NAMES, HINTS);
    const { surface = null, guard = true, resolution = 0, r = 0, u = 0 } = options;
    const { field = null, field_moves = false, _of = null, _rows = null } = options;
    const fixed = patch !== null && !patch.depends_on_force;
    this.patch = patch;
    const given = law instanceof Law ? law : new Law({ mu: law });
    /** parameters of the law that a Body completes, a sum of br_law_rule @type {number} */
    this._from_mu = _rows && _of ? _of._from_mu : given._rule;
    this.law = given._rule ? given._with_rule(given._rule, fixed ? patch.r : r) : given;
    this.method = method;
    this.surface = surface;
    this.guard = guard;
    this.field = field;
    this.field_moves = field_moves;
    /** of its frame over the other surface [m, m, rad] @type {Float64Array | number[]} */
    this.pose = some(options.pose ?? [0, 0, 0], 3, "pose");
    const cop = some(options.cop ?? [0, 0], 2, "cop");
    const how = choose(method, METHODS, "method");
    if (!(resolution >= 0)) {
      throw new ArgumentError("resolution", `must be >= 0, got ${resolution}`);
    }
    const given_axes = anisotropy_of(options.anisotropy ?? null);
    const grain = anisotropy_numbers(given_axes);
    const numbers_of = [how, resolution, r, u, ...cop, guard, ...grain, field_moves, ...this.pose];
    this._hold(
      ...(_rows
        ? make("contact_press", _of, patch, _rows)
        : _of
          ? make("contact_place", ...this.pose, this.law, _of)
          : make("contact_make", ...numbers_of, this.law, patch, surface, field)),
    );
    const numbers = named("contact_numbers", this);
    /** numbers of state, N @type {number} */
    this.state_count = numbers.state_count;
    /** parts, n @type {number} */
    this.part_count = numbers.part_count;
    /** of blocks, cells or nodes, as used @type {number} */
    this.resolution = numbers.resolution;
    /** centre of pressure, contact frame [m, m] @type {Float64Array} */
    this.cop = numbers.cop;
    /** rim radius [m] @type {number} */
    this.r = numbers.r;
    /** viscous torque factor [m^2] @type {number} */
    this.u = numbers.u;
    /** of the bristles' axes in the contact frame [rad] @type {number} */
    this.angle = numbers.angle;
    const [ratio, angle] = numbers.anisotropy;
    /** of friction, complete @type {Readonly<Required<Anisotropy>>} */
    this.anisotropy = Object.freeze({ ratio, angle, axes: given_axes.axes });
    if (_of && _rows) {
      this.#unpressed = _of;
      this.#set_pressed_patch(_rows);
    }
    Object.freeze(this);
  }

  /**
   * The contact at the pressures of its patch, if this one is at others.
   * @type {Contact | null}
   */
  #unpressed = null;

  /**
   * The patch with these pressures is created when it is needed; without any pressure it stays.
   * @param {Rows} rows
   */
  #set_pressed_patch({ numbers, width }) {
    const mesh = /** @type {Patch} */ (this.patch);
    /** @type {Patch | null} */
    let pressed = null;
    if (numbers.some((number, i) => (i + 1) % width === 0 && number > 0)) {
      Object.defineProperty(this, "patch", { get: () => (pressed ??= mesh._at_pressure(numbers, width)) });
    }
  }

  /**
   * The same contact with another law, which a Body does not change.
   * @param {Law} law
   */
  _with_law(law) {
    const { patch, method, resolution, surface, guard, r, u, cop, anisotropy, field, field_moves, pose } = this;
    const options = { resolution, surface, guard, r, u, cop, anisotropy, field, field_moves, pose };
    return new Contact(patch, law, method, options);
  }

  /**
   * The contact at a pose of its frame over the ground, on whose field or axes it depends: the same states, other weights.
   * @param {Numbers} pose x, y, theta [m, m, rad]
   * @returns {Contact}
   */
  at(pose) {
    if (!(this.field && this.field_moves) && this.anisotropy.axes !== "ground") {
      return this;
    }
    const { patch, law, method, resolution, surface, guard, r, u, cop, anisotropy, field, field_moves } = this;
    const options = { resolution, surface, guard, r, u, cop, anisotropy, field, field_moves, pose, _of: this };
    return new Contact(patch, law, method, options);
  }

  /**
   * The contact on triangles at other pressures, which a hydroelastic model or a sensor gives at each step: the same
   * states, other weights. Only ratios of pressures matter; without any pressure the contact stays as it was created. For
   * "blocks" and "distributed"; where triangles appear or vanish, create another contact and use carry. `free()` it when
   * the next one is there, or use `using`: a loop of many steps gives the garbage collector no time.
   * @param {Numbers} pressures at the vertices of the patch, >= 0, in any unit
   * @param {object} [options]
   * @param {Numbers | null} [options.vertices] their positions (x, y), patch frame [m, m]; null: those of the patch
   * @returns {Contact}
   */
  at_pressure(pressures, options = {}) {
    expect_options("Contact.at_pressure", options, ["vertices"]);
    const base = this.#unpressed ?? this;
    const { patch, law, method, resolution, surface, guard, r, u, cop, anisotropy, field, field_moves } = base;
    const _rows = pressed_rows(pressures, options.vertices ?? null);
    const of = { resolution, surface, guard, r, u, cop, anisotropy, field, field_moves, _of: base, _rows };
    return new Contact(patch, law, method, of);
  }

  /**
   * Centres of pressure and of friction, and the mean factor of the field.
   * @returns {Centres}
   */
  centres() {
    return named("contact_centres", this);
  }

  /**
   * Bristles at rest: N zeros, for each contact.
   * @param {number} [count]
   */
  state(count = 1) {
    return new Float64Array(count * this.state_count);
  }

  /**
   * Wrench on the body (3 each) and rates of the bristles (N each), for your own integrator.
   * @param {Numbers} z state (N each)
   * @param {Numbers} v twist (3 each)
   * @param {Numbers} fn normal force [N], >= 0
   * @returns {[wrench: Float64Array, dz: Float64Array]}
   */
  eval(z, v, fn) {
    return call("contact_eval", this, z, v, fn);
  }

  /**
   * Advance the bristles in place over a step with the twist held; stable at any size of step.
   * @param {Float64Array} z state (N each), changed
   * @param {Numbers} v twist, held (3 each)
   * @param {Numbers} fn normal force, held [N], >= 0; 0 resets the bristles
   * @param {number} h step [s], > 0
   * @param {object} [options]
   * @param {Float64Array | null} [options.energy] where to write stored, work, dissipated [J] (3 each)
   * @returns {Float64Array} mean wrench on the body over the step (3 each)
   */
  step(z, v, fn, h, options = {}) {
    expect_options("Contact.step", options, ["energy"]);
    const { energy = null } = options;
    return call("contact_step", this, z, v, fn, h, energy);
  }

  /**
   * Wrench of steady sliding (3 each).
   * @param {Numbers} v twist (3 each)
   * @param {Numbers} fn normal force [N], >= 0
   * @param {object} [options]
   * @param {Float64Array | null} [options.z] array to which their bristles are written (N each)
   * @returns {Float64Array}
   */
  steady(v, fn, options = {}) {
    expect_options("Contact.steady", options, ["z"]);
    const { z = null } = options;
    return call("contact_steady", this, v, fn, z);
  }

  /**
   * Load of the bristles relative to the friction limit [-]: 0 none, 1 the whole contact slides.
   * @param {Numbers} z state (N each)
   * @param {Numbers} v twist (3 each)
   * @param {Numbers} fn normal force [N], >= 0
   * @returns {Scalar}
   */
  load(z, v, fn) {
    return call("contact_load", this, z, v, fn);
  }

  /**
   * Energy in the bristles [J].
   * @param {Numbers} z state (N each)
   * @param {Numbers} fn normal force [N], >= 0
   * @returns {Scalar}
   */
  stored(z, fn) {
    return call("contact_stored", this, z, fn);
  }

  /**
   * Slip rate [m/s] and whether it sticks (0), slips (1) or is open (2).
   * @param {Numbers} z state (N each)
   * @param {Numbers} v twist (3 each)
   * @param {Numbers} fn normal force [N], >= 0
   * @param {Numbers} [before] the previous state (0, 1 or 2)
   * @returns {Slip}
   */
  slip(z, v, fn, before = 0) {
    return named("contact_slip", this, z, v, fn, before);
  }

  /**
   * Derivatives of wrench and rates, exact; at a kink the mean of both sides. Of one contact.
   * @param {Numbers} z state (N)
   * @param {Numbers} v twist (3)
   * @param {Numbers} fn normal force [N], >= 0
   * @returns {Gradient}
   */
  gradient(z, v, fn) {
    const { f_z, f_v, f_fn, dz_z, dz_v } = named("contact_gradient", this, z, v, fn);
    if (f_fn.length > 3) {
      throw new ArgumentError("", `takes one element, got ${f_fn.length / 3}`);
    }
    return { f_z, f_v, f_fn, dz_z: this.#dense(dz_z), dz_v: this.#by_state(dz_v) };
  }

  // entry (row, column) of part i goes to (row n + i, column n + i)
  /** @param {Float64Array} dz_z */
  #dense(dz_z) {
    const { part_count: n, state_count } = this;
    const k = state_count / n;
    const whole = new Float64Array(state_count * state_count);
    for (let row = 0; row < k; row++) {
      for (let column = 0; column < k; column++) {
        for (let i = 0; i < n; i++) {
          const index = (row * n + i) * state_count + column * n + i;
          whole[index] = dz_z[(k * row + column) * n + i];
        }
      }
    }
    return whole;
  }

  // columns refer to the twist in the patch's axes: rotate them to the contact frame
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
   * The parts of the patch.
   * @returns {Parts}
   */
  parts() {
    return named("contact_parts", this);
  }

  /**
   * State and wrench of each part, for pictures.
   * @param {Numbers} z state (N each)
   * @param {Numbers} v twist (3 each)
   * @param {Numbers} fn normal force [N], >= 0
   * @returns {PartValues}
   */
  part_values(z, v, fn) {
    return named("contact_part_values", this, z, v, fn);
  }

  /**
   * The state of another contact that replaces this one at equal force, e.g. of another shape. The torque is
   * kept as far as no energy is gained and no bristle is bent beyond mu_s/sigma0.
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
    return call("contact_carry", this, z, to);
  }

  /**
   * dz/dt = f(t, z) for your own integrator.
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
   * d(dz/dt)/dz (N x N) for your own implicit integrator.
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
