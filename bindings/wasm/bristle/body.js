// Planar bodies in time, held and slowed by contacts.

import { Call, choose, flat, put, some, step_size, within } from "./arrays.js";
import { core, doubles_at, during, last_error, made, put_words, reserve } from "./core.js";
import { as_profile, Profile } from "./profile.js";
import { ENERGY, Result, run_numbers, take_record } from "./result.js";

/** @typedef {import("./arrays.js").Numbers} Numbers */
/** @typedef {import("./arrays.js").Scalar} Scalar */
/** @typedef {import("./contact.js").Contact} Contact */
/** @typedef {import("./patch.js").Patch} Patch */
/** @typedef {import("./result.js").RunOptions} RunOptions */

const FRAMES = ["world", "body"];
const STARTS = ["by motion", "steady", "settled", "relaxed"];
const METHODS = ["rosenbrock", "cvode", "fixed"];
const ORDER_TWO_UP_TO = 1e-3 * (1 + 1e-9); // s; as fixed runs do: longer steps go through stick and slip
const CONTACT_STATES = ["stick", "slip", "open"];

/** A digital controller that holds on with the least normal force that the load needs. */
export class Grip {
  /**
   * @param {object} [options]
   * @param {number} [options.period] [s], > 0
   * @param {number} [options.aim] load that it keeps [-], in (0, 1)
   * @param {number} [options.slip_limit] slip rate that counts as a full load [m/s], > 0
   * @param {number} [options.release] time constant with which the force comes down [s], >= 0
   * @param {number} [options.least] [N], > 0
   * @param {number} [options.most] [N], >= least
   */
  constructor(options = {}) {
    const { period = 0.01, aim = 0.8, slip_limit = 1e-3, release = 0.1 } = options;
    const { least = 0.01, most = Infinity } = options;
    this.period = period;
    this.aim = aim;
    this.slip_limit = slip_limit;
    this.release = release;
    this.least = least;
    this.most = most;
    if (!within(() => core.grip_check(put(this._numbers())))) {
      throw last_error();
    }
    Object.freeze(this);
  }

  _numbers() {
    return [this.period, this.aim, this.slip_limit, this.release, this.least, this.most];
  }

  /**
   * The normal force from an instant on [N], for a loop of one's own.
   * @param {Numbers} fn the force so far [N], > 0
   * @param {Numbers} load of the contact [-], in [0, 1]
   * @param {Numbers} slip_rate of the contact [m/s], >= 0
   * @returns {Scalar}
   */
  eval(fn, load, slip_rate) {
    const call = new Call().force(fn).input("load", load, 0).input("slip_rate", slip_rate, 0);
    return call.output(0).run((count, ...at) => {
      core.grip_eval(put(this._numbers()), count, ...at);
    })[0];
  }
}

/** A contact of a body. */
export class BodyContact {
  /**
   * @param {Contact} contact patch, law and method
   * @param {number | Profile} [normal_force] of one contact [N], >= 0
   * @param {object} [options]
   * @param {string} [options.frame] "world" (a finger that the body slides past) or "body" (it turns along with it)
   * @param {number} [options.count] identical contacts that share the motion, such as two fingers
   * @param {number} [options.weight] share of the body's weight that it bears besides [-]
   * @param {(number | Profile)[]} [options.motion] of what the body touches, x, y [m], angle [rad]
   * @param {Grip | null} [options.grip] controls the normal force
   */
  constructor(contact, normal_force = 0, options = {}) {
    const { frame = "world", count = 1, weight = 0, motion = [0, 0, 0], grip = null } = options;
    this.contact = contact;
    this.normal_force = as_profile(normal_force);
    this.frame = frame;
    this.count = count;
    this.weight = weight;
    this.motion = motion.map(as_profile);
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
    const leaves = has_outline && this.frame === "world" && contact.patch !== null;
    const [x, y, angle] = motion.map((profile) => profile._handle);
    const grip = this.grip ? put(this.grip._numbers()) : 0;
    const patch = leaves && contact.patch ? contact.patch._handle : 0;
    const frame = choose(this.frame, FRAMES, "frame");
    const force = this.normal_force._handle;
    const what = [body, index, frame, contact._handle, force, this.weight, this.count];
    core.body_set_contact(...what, x, y, angle, grip, patch);
  }

  /**
   * Where a step finds it: arm (2), angle, normal force, count.
   * @param {number} t
   * @param {ArrayLike<number>} pose
   */
  _place(t, pose) {
    const [x, y] = this.contact.cop;
    const turns = this.frame === "body";
    const arm = turns ? turned([x, y], pose[2]) : [x - pose[0], y - pose[1]];
    return [...arm, turns ? pose[2] : 0, this.normal_force.at(t), this.count];
  }
}

/** A load on a body; numbers or Profiles. */
export class Load {
  /**
   * @param {object} [options]
   * @param {number | Profile} [options.fx] [N]
   * @param {number | Profile} [options.fy] [N]
   * @param {number | Profile} [options.tau] about the point [N m]
   * @param {Numbers} [options.point] where the force acts [m, m]
   * @param {string} [options.frame] of the point: "body" (from the centre of mass) or "world"
   * @param {string} [options.axes] of fx and fy
   */
  constructor(options = {}) {
    const { fx = 0, fy = 0, tau = 0, point = [0, 0], frame = "body", axes = "world" } = options;
    this.fx = as_profile(fx);
    this.fy = as_profile(fy);
    this.tau = as_profile(tau);
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

  /**
   * At the centre of mass, world axes.
   * @param {number} t
   * @param {ArrayLike<number>} pose
   */
  _wrench(t, pose) {
    const given = [this.fx.at(t), this.fy.at(t)];
    const force = this.axes === "body" ? turned(given, pose[2]) : given;
    const [x, y] = this.point;
    const arm = this.frame === "body" ? turned([x, y], pose[2]) : [x - pose[0], y - pose[1]];
    return [...force, this.tau.at(t) + arm[0] * force[1] - arm[1] * force[0]];
  }
}

/** A round tip that moves as it is told and pushes the body's outline. */
export class BodyPusher {
  /**
   * @param {number | Profile} x of the tip's centre, world [m]
   * @param {number | Profile} y [m]
   * @param {object} [options]
   * @param {number} [options.radius] [m], >= 0
   * @param {number} [options.mu] friction of the tip on the body [-], >= 0
   * @param {number | null} [options.stiffness] of the contact [N/m]; null: what suits the body
   * @param {number | null} [options.damping] [N s/m]; null: what suits the body
   */
  constructor(x, y, options = {}) {
    const { radius = 0.005, mu = 0.3, stiffness = null, damping = null } = options;
    this.x = as_profile(x);
    this.y = as_profile(y);
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
 * What a step did.
 * @typedef {object} BodyStep
 * @property {Float64Array} friction mean wrench of one of each contact, contact frame, at its CoP (n x 3)
 * @property {number} dissipated [J]
 * @property {number} work of load and gravity [J]
 * @property {number} numerical energy lost by the method itself [J]
 * @property {boolean} converged Newton came to its end
 */

/**
 * @param {number[]} v
 * @param {number} angle
 */
function turned([x, y], angle) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [c * x - s * y, s * x + c * y];
}

/**
 * A planar rigid body with friction contacts. `step` advances `pose`, `velocity`, `states` and `t` in place;
 * `simulate` starts from them and leaves them as they are.
 *
 *     const finger = new Contact(Patch.disc(0.01), 1.0);
 *     const cup = new Body(0.2, 5e-4, [new BodyContact(finger, 1.5, { count: 2 })], { gravity: [0, -9.81] });
 *     const result = cup.simulate(0.2);
 */
export class Body {
  /**
   * @param {number} mass [kg], > 0
   * @param {number} inertia about the centre of mass [kg m^2], > 0
   * @param {BodyContact[]} [contacts]
   * @param {object} [options]
   * @param {Numbers} [options.pose] of the centre of mass (x, y, theta) [m, m, rad]
   * @param {Numbers} [options.velocity] (vx, vy, w), world axes [m/s, m/s, rad/s]
   * @param {(number | Profile)[]} [options.gravity] in the plane, world axes [m/s^2, m/s^2]
   * @param {Load[]} [options.loads] what else acts on it
   * @param {Patch | null} [options.outline] the body's shape, body frame, for pushers, and for fingers that it may leave
   * @param {BodyPusher | null} [options.pusher] a tip that pushes it
   * @param {string} [options.start] where the bristles are at first: by motion, steady, settled, relaxed
   */
  constructor(mass, inertia, contacts = [], options = {}) {
    const { pose = [0, 0, 0], velocity = [0, 0, 0], gravity = [0, 0], loads = [] } = options;
    const { outline = null, pusher = null, start = "by motion" } = options;
    this.mass = mass;
    this.inertia = inertia;
    this.contacts = contacts;
    this.pose = Float64Array.from(some(pose, 3, "pose"));
    this.velocity = Float64Array.from(some(velocity, 3, "velocity"));
    this.gravity = gravity.map(as_profile);
    this.loads = loads;
    this.outline = outline;
    this.pusher = pusher;
    this.start = start;
    this.t = 0;
    this.states = contacts.map((entry) => this.#first_state(entry));
  }

  // bristles of steady sliding where the contact moves, else at rest
  /** @param {BodyContact} entry */
  #first_state(entry) {
    const { contact } = entry;
    const z = contact.state();
    const [x, y, angle, fn] = entry._place(0, this.pose);
    const [vx, vy, w] = this.velocity;
    const at_cop = [vx - w * y, vy + w * x];
    const rim = Math.hypot(...at_cop) + contact.r * Math.abs(w);
    const moves = this.start === "by motion" && rim > contact.law.v_stribeck;
    if (moves || this.start === "steady") {
      contact.steady([...turned(at_cop, -angle), w], fn, { z });
    }
    return z;
  }

  // the body in the module's memory, for a run
  #make() {
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
    if (this.outline && !core.body_set_outline(body, this.outline._handle)) {
      throw last_error();
    }
    this.pusher?._put(body);
  }

  /**
   * Run it, with errors that are kept.
   * @param {number} duration [s], > 0
   * @param {RunOptions} [options]
   */
  simulate(duration, options = {}) {
    const names = column_names(this.contacts.length);
    const method = choose(options.method ?? "rosenbrock", METHODS, "method");
    const at = flat(options.at ?? [], "at");
    const { columns, events, cost } = within(() => {
      const body = this.#make();
      try {
        this.#fill(body);
        const n = put(run_numbers(duration, options));
        const run = [body, n, method, put(at), at.length, options.stop ? 1 : 0];
        return during({ stop: options.stop }, () =>
          take_record(made(core.body_run(...run)), names),
        );
      } finally {
        core.body_destroy(body);
      }
    });
    const summary = summary_of(columns, this.contacts.length, cost);
    return new Result("body", with_words(columns), events, summary);
  }

  /**
   * Advance it by one implicit step of any size, in place.
   * @param {number} h step [s], > 0
   * @param {Numbers} [load] besides gravity and `loads`, at the centre of mass, world axes [N, N, N m]
   * @param {number | null} [order] 1 or 2; null: 2 up to 1 ms, else 1
   * @returns {BodyStep}
   */
  step(h, load = [0, 0, 0], order = null) {
    const middle = this.pose.map((number, i) => number + 0.5 * step_size(h) * this.velocity[i]);
    const t = this.t + 0.5 * h;
    const places = this.contacts.flatMap((entry) => entry._place(t, middle));
    const n = [this.mass, this.inertia, ...this.velocity, ...this.#load_at(t, middle, load), h];
    const out = within(() => this.#step(n, order ?? (h <= ORDER_TWO_UP_TO ? 2 : 1), places));
    this.velocity.set(out.subarray(0, 3));
    this.pose.forEach((number, i) => (this.pose[i] = number + h * out[3 + i]));
    this.t += h;
    const [work, , , dissipated, numerical, converged] = out.subarray(8, 14);
    const friction = out.slice(14);
    return { friction, dissipated, work, numerical, converged: converged !== 0 };
  }

  /**
   * @param {number} t
   * @param {Float64Array} pose
   * @param {Numbers} load
   */
  #load_at(t, pose, load) {
    const [gx, gy] = this.gravity.map((profile) => profile.at(t));
    const all = this.loads.map((entry) => entry._wrench(t, pose));
    all.push([this.mass * gx, this.mass * gy, 0]);
    return some(load, 3, "load").map((own, i) => all.reduce((sum, one) => sum + one[i], own));
  }

  /**
   * @param {number[]} n
   * @param {number} order
   * @param {number[]} places
   */
  #step(n, order, places) {
    const count = this.contacts.length;
    const handles = put_words(this.contacts.map((entry) => entry.contact._handle));
    const states = this.states.map(put);
    const size = 14 + 3 * count;
    const out = reserve(8 * size);
    const where = [handles, put_words(states), put(places), out];
    if (!core.body_step(put(n), order, count, ...where)) {
      throw last_error();
    }
    this.states.forEach((z, i) => z.set(doubles_at(states[i], z.length)));
    return doubles_at(out, size);
  }
}

const STATE = ["t", "x", "y", "theta", "vx", "vy", "w", "pusher_fx", "pusher_fy"];
const OF_CONTACT = [
  "fx",
  "fy",
  "tau",
  "fn",
  "tau_cop",
  "state",
  "slip",
  "slipped",
  "load",
  "most_load",
];

/** @param {number} contacts */
function suffixes(contacts) {
  return contacts === 1 ? [""] : Array.from({ length: contacts }, (_, i) => String(i + 1));
}

/** @param {number} contacts */
function column_names(contacts) {
  const of_contacts = suffixes(contacts).flatMap((end) => OF_CONTACT.map((name) => name + end));
  return [...STATE, ...ENERGY, ...of_contacts];
}

/** @param {Record<string, Float64Array>} columns */
function with_words(columns) {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      name.startsWith("state") ? Array.from(column, (state) => CONTACT_STATES[state]) : column,
    ]),
  );
}

/**
 * @param {Record<string, Float64Array>} columns
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
