// Planar bodies in time, held and slowed by contacts.

import { anisotropy_numbers } from "./anisotropy.js";
import { choose, flat, put, some, step_size, within } from "./arrays.js";
import { call, make } from "./calls.js";
import { core, Definition, doubles_at, during, last_error, made, reserve } from "./core.js";
import { ArgumentError } from "./errors.js";
import { Law } from "./law.js";
import { expect_options } from "./options.js";
import { as_profile, Profile } from "./profile.js";
import { Result, RUN_OPTIONS, run_numbers, take_record } from "./result.js";

/** @typedef {import("./arrays.js").Numbers} Numbers */
/** @typedef {import("./arrays.js").Scalar} Scalar */
/** @typedef {import("./contact.js").Contact} Contact */
/** @typedef {import("./patch.js").Patch} Patch */
/** @typedef {import("./result.js").RunOptions} RunOptions */

const FRAMES = ["world", "body"];
const STARTS = ["by motion", "steady", "settled", "relaxed"];
const METHODS = ["rosenbrock", "cvode", "fixed"];
const CONTACT_OPTIONS = ["frame", "count", "weight", "at", "support", "motion", "grip"];
const CONTACT_HINTS = {
  position: "its position is 'at', the motion of what it touches 'support';",
  normal_force: "it is the second argument, before the options;",
};
const FRONT = 7; // numbers of a body's state: t, pose, velocity
const COURSE = 5; // and of a contact, besides its bristles: state, left, overhangs, grip force and instant

/** A digital controller that applies the smallest normal force that the load needs. */
export class Grip extends Definition {
  /**
   * @param {object} [options]
   * @param {number} [options.period] [s], > 0
   * @param {number} [options.aim] target of the load [-], in (0, 1)
   * @param {number} [options.slip_limit] slip rate that counts as a full load [m/s], > 0
   * @param {number} [options.release] time constant with which the force decreases [s], >= 0
   * @param {number} [options.least] smallest force [N], > 0
   * @param {number} [options.most] largest force [N], >= least
   */
  constructor(options = {}) {
    super();
    expect_options("Grip", options, ["period", "aim", "slip_limit", "release", "least", "most"]);
    const { period = 0.01, aim = 0.8, slip_limit = 1e-3, release = 0.1 } = options;
    const { least = 0.01, most = Infinity } = options;
    this.period = period;
    this.aim = aim;
    this.slip_limit = slip_limit;
    this.release = release;
    this.least = least;
    this.most = most;
    this._hold(...make("grip_make", period, aim, slip_limit, release, least, most));
    Object.freeze(this);
  }

  /**
   * The normal force from an instant on [N], for your own control loop.
   * @param {Numbers} fn the previous force [N], > 0
   * @param {Numbers} load of the contact [-], in [0, 1]
   * @param {Numbers} slip_rate of the contact [m/s], >= 0
   * @returns {Scalar}
   */
  eval(fn, load, slip_rate) {
    return call("grip_eval", this, fn, load, slip_rate);
  }
}

/**
 * Motion of the table, belt or finger that a body touches.
 * @typedef {object} Support
 * @property {(number | Profile)[]} [position] of a finger, relative to `at`; or of a table or belt [m, m]
 * @property {number | Profile} [angle] [rad]
 */

/** A contact of a body. */
export class BodyContact {
  /**
   * @param {Contact} contact patch, law and method
   * @param {number | Profile | "weight"} [normal_force] of one contact [N], >= 0; "weight", with frame "body": its part
   *   of the body's weight, by the lever rule for two and three feet, by least squares for more
   * @param {object} [options]
   * @param {string} [options.frame] "world" (a finger that the body slides past) or "body" (it moves with the body)
   * @param {number} [options.count] identical contacts that share the motion, such as two fingers
   * @param {number} [options.weight] share of the body's weight that it carries in addition [-]
   * @param {Numbers} [options.at] position [m, m]: a foot on the body, from the centre of mass in its axes, or a
   *   finger in the world
   * @param {Support} [options.support] motion of the table, belt or finger
   * @param {(number | Profile)[]} [options.motion] the same: x, y [m], angle [rad]
   * @param {Grip | null} [options.grip] controls the normal force
   */
  constructor(contact, normal_force = 0, options = {}) {
    expect_options("BodyContact", options, CONTACT_OPTIONS, CONTACT_HINTS);
    const { frame = "world", count = 1, weight = 0, grip = null, at = [0, 0] } = options;
    expect_options("BodyContact.support", options.support ?? {}, ["position", "angle"]);
    const { position = [0, 0], angle = 0 } = options.support ?? {};
    if (options.support && options.motion) {
      throw new ArgumentError("support", "is the same as motion: give one of them");
    }
    const motion = options.motion ?? [...position, angle];
    if (typeof normal_force === "object" && !(normal_force instanceof Profile)) {
      throw new ArgumentError("normal_force", 'is missing before the options: a number, a Profile or "weight"');
    }
    const bears = normal_force === "weight";
    if (bears && frame !== "body") {
      throw new ArgumentError("normal_force", 'weight is for frame "body", an object on a table');
    }
    this.contact = contact;
    this.normal_force = as_profile(bears ? 0 : normal_force, "normal_force");
    this.frame = frame;
    this.count = count;
    this.weight = bears ? NaN : weight; // NaN: the weight is shared by all such contacts
    this.at = some(at, 2, "at");
    this.motion = motion.map((each) => as_profile(each, options.motion ? "motion" : "support"));
    this.grip = grip;
    Object.freeze(this);
  }

  /**
   * @param {number} body
   * @param {number} index
   * @param {boolean} has_outline
   */
  _put(body, index, has_outline) {
    const { contact, motion } = this;
    const leaves = has_outline && this.frame === "world";
    const needs_patch = leaves || Number.isNaN(this.weight);
    const [x, y, angle] = motion.map((profile) => profile._handle);
    const grip = this.grip?._handle ?? 0;
    const patch = needs_patch && contact.patch ? contact.patch._handle : 0;
    const frame = choose(this.frame, FRAMES, "frame");
    const force = this.normal_force._handle;
    const what = [body, index, frame, contact._handle, force, this.weight, this.count];
    core.body_set_contact(...what, put(this.at), x, y, angle, grip, patch);
  }

  /**
   * @param {number} body
   * @param {number} index
   */
  _put_friction(body, index) {
    const { law, patch, r, u, cop, anisotropy, _from_mu } = this.contact;
    const n = put([r, u, ...cop, ...anisotropy_numbers(anisotropy)]);
    core.body_set_friction(body, index, law._handle, _from_mu, patch?._handle ?? 0, n);
  }

  /**
   * A copy with another contact.
   * @param {Contact} contact
   */
  _with_contact(contact) {
    const force = Number.isNaN(this.weight) ? "weight" : this.normal_force;
    const { frame, count, weight, at, motion, grip } = this;
    return new BodyContact(contact, force, { frame, count, weight, at, motion, grip });
  }

  // the arguments for the module
  _keeps() {
    const { contact, normal_force, motion, grip } = this;
    const more = [contact.patch, grip].flatMap((each) => (each ? [each] : []));
    return [contact, normal_force, ...motion, ...more];
  }
}

/** A load on a body; numbers or Profiles. */
export class Load {
  /**
   * @param {object} [options]
   * @param {number | Profile} [options.fx] [N]
   * @param {number | Profile} [options.fy] [N]
   * @param {number | Profile} [options.tau] about the point [N m]
   * @param {Numbers} [options.point] point of application [m, m]
   * @param {string} [options.frame] of the point: "body" (from the centre of mass) or "world"
   * @param {string} [options.axes] of fx and fy
   */
  constructor(options = {}) {
    expect_options("Load", options, ["fx", "fy", "tau", "point", "frame", "axes"]);
    const { fx = 0, fy = 0, tau = 0, point = [0, 0], frame = "body", axes = "world" } = options;
    this.fx = as_profile(fx, "fx");
    this.fy = as_profile(fy, "fy");
    this.tau = as_profile(tau, "tau");
    this.point = some(point, 2, "point");
    this.frame = frame;
    this.axes = axes;
    Object.freeze(this);
  }

  /**
   * @param {number} body
   * @param {number} index
   */
  _put(body, index) {
    const axes = choose(this.axes, FRAMES, "axes");
    const frame = choose(this.frame, FRAMES, "frame");
    const [fx, fy, tau] = [this.fx, this.fy, this.tau].map((profile) => profile._handle);
    core.body_set_load(body, index, fx, fy, tau, axes, frame, this.point[0], this.point[1]);
  }

  _keeps() {
    return [this.fx, this.fy, this.tau];
  }
}

/** A round tip with a prescribed motion that pushes the body's outline. */
export class BodyPusher {
  /**
   * @param {number | Profile} x of the tip's centre, world [m]
   * @param {number | Profile} y [m]
   * @param {object} [options]
   * @param {number} [options.radius] [m], >= 0
   * @param {number} [options.mu] friction of the tip on the body [-], >= 0
   * @param {number | null} [options.stiffness] of the contact [N/m]; null: chosen for the body
   * @param {number | null} [options.damping] [N s/m]; null: chosen for the body
   */
  constructor(x, y, options = {}) {
    expect_options("BodyPusher", options, ["radius", "mu", "stiffness", "damping"]);
    const { radius = 0.005, mu = 0.3, stiffness = null, damping = null } = options;
    this.x = as_profile(x, "x");
    this.y = as_profile(y, "y");
    this.radius = radius;
    this.mu = mu;
    this.stiffness = stiffness;
    this.damping = damping;
    Object.freeze(this);
  }

  /** @param {number} body */
  _put(body) {
    const how = [this.radius, this.mu, this.stiffness ?? -1, this.damping ?? -1];
    core.body_set_pusher(body, this.x._handle, this.y._handle, ...how);
  }
}

/**
 * Result of a step.
 * @typedef {object} BodyStep
 * @property {Float64Array} friction mean wrench of one of each contact, contact frame, at its CoP (n x 3)
 * @property {number} dissipated [J]
 * @property {number} work of load and gravity [J]
 * @property {number} numerical energy lost by the method itself [J]
 * @property {boolean} converged did Newton's method converge?
 * @property {number} work_contacts of moving contacts and of the pusher [J]
 * @property {Float64Array} push force of the pusher, mean over the step, world axes [N, N]
 */

/**
 * An array with new numbers: the same array if it has the right length.
 * @param {Float64Array} array
 * @param {Float64Array} numbers
 */
function in_place(array, numbers) {
  if (array instanceof Float64Array) {
    array.set(numbers);
    return array;
  }
  return numbers;
}

/** The C object of a body. */
class MadeBody extends Definition {
  /**
   * @param {number} address
   * @param {Definition[]} keeps
   */
  constructor(address, keeps) {
    super();
    this._hold(address, core.body_destroy, keeps);
  }
}

/**
 * A planar rigid body with friction contacts. `step` advances `t`, `pose`, `velocity` and `states` in place;
 * `simulate` runs from them and does not change them. `states` are the bristles of each contact; `start` gives their
 * initial values.
 *
 *     const finger = new Contact(Patch.disc(0.01), 1.0);
 *     const cup = new Body(0.2, 5e-4, [new BodyContact(finger, 1.5, { count: 2 })], { gravity: [0, -9.81] });
 *     const result = cup.simulate(0.2);
 */
export class Body {
  /** @type {MadeBody | null} */
  #body = null;
  /** @type {any[]} */
  #parts = [];
  #course;

  /**
   * @param {number} mass [kg], > 0
   * @param {number} inertia about the centre of mass [kg m^2], > 0
   * @param {BodyContact[]} [contacts] those created from a coefficient of friction get the law of a scenario with
   *   `friction: {mu: ...}`; later changes of `mass` or `contacts` do not affect it
   * @param {object} [options]
   * @param {Numbers} [options.pose] of the centre of mass (x, y, theta) [m, m, rad]
   * @param {Numbers} [options.velocity] (vx, vy, w), world axes [m/s, m/s, rad/s]
   * @param {(number | Profile)[]} [options.gravity] in the plane, world axes [m/s^2, m/s^2]
   * @param {Load[]} [options.loads] other forces on it
   * @param {Patch | null} [options.outline] the body's shape, body frame, for pushers, and for fingers that it may leave
   * @param {BodyPusher | null} [options.pusher] a tip that pushes it
   * @param {string} [options.start] initial state of the bristles: by motion, steady, settled (at their limit if
   *   friction cannot hold the body), relaxed
   */
  constructor(mass, inertia, contacts = [], options = {}) {
    expect_options("Body", options, ["pose", "velocity", "gravity", "loads", "outline", "pusher", "start"]);
    const { pose = [0, 0, 0], velocity = [0, 0, 0], gravity = [0, 0], loads = [] } = options;
    const { outline = null, pusher = null, start = "by motion" } = options;
    this.mass = mass;
    this.inertia = inertia;
    this.contacts = contacts;
    /** @type {Float64Array} */
    this.pose = Float64Array.from(some(pose, 3, "pose"));
    /** @type {Float64Array} */
    this.velocity = Float64Array.from(some(velocity, 3, "velocity"));
    if (gravity.length !== 2) {
      throw new ArgumentError("gravity", `must be 2 numbers or Profiles, got ${gravity.length}`);
    }
    this.gravity = gravity.map((each) => as_profile(each, "gravity"));
    this.loads = loads;
    this.outline = outline;
    this.pusher = pusher;
    this.start = start;
    this.t = 0;
    this.states = contacts.map((entry) => entry.contact.state());
    this.#course = new Float64Array(COURSE * contacts.length);
    within(() => {
      const state = this.#write_state();
      this.#make(state, true);
      if (contacts.some((entry) => entry.contact._from_mu)) {
        this.contacts = this.#completed();
        this.#make(state, true);
      }
      this.#read_state(state);
    });
  }

  // the contacts; those created from a coefficient alone get laws for this body
  #completed() {
    const body = /** @type {MadeBody} */ (this.#body)._handle;
    this.contacts.forEach((entry, i) => entry._put_friction(body, i));
    const out = reserve(24 * this.contacts.length);
    if (!core.body_complete_friction(body, out)) {
      throw last_error();
    }
    const numbers = doubles_at(out, 3 * this.contacts.length);
    return this.contacts.map((entry, i) => {
      const { contact } = entry;
      const [sigma0, sigma1, v_damping] = numbers.slice(3 * i, 3 * i + 3);
      const law = () => new Law({ ...contact.law, sigma0, sigma1, v_damping });
      return contact._from_mu ? entry._with_contact(contact._with_law(law())) : entry;
    });
  }

  // t, pose, velocity, course and states, one after the other
  #write_state() {
    this.#check_states();
    const { t, pose, velocity, states } = this;
    const front = [t, ...some(pose, 3, "pose"), ...some(velocity, 3, "velocity"), ...this.#course];
    return put([...front, ...states.flatMap((z) => Array.from(z))]);
  }

  /** @param {number} state */
  #read_state(state) {
    const course = this.#course.length;
    const all = this.states.reduce((sum, z) => sum + z.length, FRONT + course);
    const numbers = doubles_at(state, all);
    this.t = numbers[0];
    this.pose = in_place(this.pose, numbers.slice(1, 4));
    this.velocity = in_place(this.velocity, numbers.slice(4, 7));
    this.#course = numbers.slice(FRONT, FRONT + course);
    let from = FRONT + course;
    for (const z of this.states) {
      z.set(numbers.subarray(from, from + z.length));
      from += z.length;
    }
  }

  #all_parts() {
    const { mass, inertia, start, outline, pusher } = this;
    return [mass, inertia, start, outline, pusher, ...this.gravity, ...this.contacts, ...this.loads];
  }

  // the body in the module's memory; created again if a property was changed
  /** @param {number} state */
  #current_body(state) {
    const parts = this.#all_parts();
    const is_same = parts.every((part, i) => part === this.#parts[i]);
    if (!this.#body || !is_same || parts.length !== this.#parts.length) {
      this.#make(state, false);
    }
    return /** @type {MadeBody} */ (this.#body)._handle;
  }

  /**
   * @param {number} state
   * @param {boolean} is_new
   */
  #make(state, is_new) {
    const address = this.#allocate();
    const pusher = this.pusher ? [this.pusher.x, this.pusher.y] : [];
    const used = [...this.contacts, ...this.loads].flatMap((entry) => entry._keeps());
    const body = new MadeBody(address, [...this.gravity, ...pusher, ...used]);
    this.#fill(address);
    if (!core.body_prepare(address, state, is_new ? 1 : 0)) {
      body.free();
      throw last_error();
    }
    this.#body?.free();
    this.#body = body;
    this.#parts = this.#all_parts();
  }

  #allocate() {
    const n = [this.mass, this.inertia, ...this.pose, ...this.velocity];
    const [x, y] = this.gravity.map((profile) => profile._handle);
    const start = choose(this.start, STARTS, "start");
    const counts = [this.contacts.length, this.loads.length];
    return made(core.body_make(put(n), start, x, y, ...counts));
  }

  /** @param {number} body */
  #fill(body) {
    const has_outline = this.outline !== null;
    this.contacts.forEach((entry, i) => entry._put(body, i, has_outline));
    this.loads.forEach((load, i) => load._put(body, i));
    if (!core.body_share_weight(body)) {
      throw last_error();
    }
    if (this.outline && !core.body_set_outline(body, this.outline._handle)) {
      throw last_error();
    }
    this.pusher?._put(body);
  }

  /**
   * Run it from `t`, `pose`, `velocity` and `states` to `t + duration`, with errors below the tolerances; rows
   * at t + k every, and one at the end.
   * @param {number} duration [s], > 0
   * @param {RunOptions} [options]
   */
  simulate(duration, options = {}) {
    expect_options("Body.simulate", options, RUN_OPTIONS);
    const method = choose(options.method ?? "rosenbrock", METHODS, "method");
    const at = flat(options.at ?? [], "at");
    const { columns, units, events, cost } = within(() => {
      const state = this.#write_state();
      const n = put(run_numbers(duration, options));
      const run = [this.#current_body(state), state, n, method, put(at), at.length, options.stop ? 1 : 0];
      return during({ stop: options.stop }, () => take_record(made(core.body_run(...run))));
    });
    const summary = summary_of(columns, this.contacts.length, cost);
    const result = new Result("body", columns, events, summary);
    result.units = units;
    return result;
  }

  /**
   * Advance it by one implicit step of any size, in place. It does what `simulate` does with fixed steps: weight,
   * motion, grip, pusher, outline, loads and gravity act.
   * @param {number} h step [s], > 0
   * @param {Numbers} [load] in addition to gravity and `loads`, at the centre of mass, world axes [N, N, N m]
   * @param {number | null} [order] 1 or 2; null: 2 up to 1 ms, else 1
   * @returns {BodyStep}
   */
  step(h, load = [0, 0, 0], order = null) {
    if (order !== null && order !== 1 && order !== 2) {
      throw new ArgumentError("order", `must be 1, 2 or null, got ${order}`);
    }
    const n = [step_size(h), ...some(load, 3, "load")];
    const out = within(() => this.#step(n, order ?? 0));
    const [dissipated, work, numerical, work_contacts] = out;
    const [push, friction] = [out.slice(4, 6), out.slice(7)];
    return { friction, dissipated, work, numerical, converged: out[6] !== 0, work_contacts, push };
  }

  // the module assumes these lengths when it reads and writes
  #check_states() {
    const { contacts, states } = this;
    if (states.length !== contacts.length) {
      throw new ArgumentError("states", `must be ${contacts.length} arrays, got ${states.length}`);
    }
    states.forEach((z, i) => {
      const count = contacts[i].contact.state_count;
      if (!(z instanceof Float64Array) || z.length !== count) {
        const got = `${/** @type {any} */ (z)?.constructor?.name} of ${/** @type {any} */ (z)?.length}`;
        throw new ArgumentError(`states[${i}]`, `must be a Float64Array of ${count}, got ${got}`);
      }
    });
  }

  /**
   * @param {number[]} n
   * @param {number} order
   */
  #step(n, order) {
    const size = 7 + 3 * this.contacts.length;
    const state = this.#write_state();
    const out = reserve(8 * size);
    if (!core.body_step(this.#current_body(state), state, put(n), order, out)) {
      throw last_error();
    }
    this.#read_state(state);
    return doubles_at(out, size);
  }
}

/** @param {number} contacts */
function suffixes(contacts) {
  return contacts === 1 ? [""] : Array.from({ length: contacts }, (_, i) => String(i + 1));
}

/**
 * @param {Record<string, any>} columns
 * @param {number} contacts
 * @param {Record<string, number>} cost
 */
function summary_of(columns, contacts, cost) {
  const ends = suffixes(contacts);
  const of_contacts = ends.flatMap((end) => ["slipped" + end, "most_load" + end]);
  const names = ["x", "y", "theta", ...(contacts ? of_contacts : []), "dissipated", "residual"];
  const last = names.map((name) => [name, columns[name][columns[name].length - 1]]);
  return { ...Object.fromEntries(last), ...cost };
}
