// Quantities as functions of time.

import { choose, flat } from "./arrays.js";
import { call, make } from "./calls.js";
import { Definition } from "./core.js";
import { ArgumentError } from "./errors.js";
import { expect_options } from "./options.js";

/** @typedef {import("./arrays.js").Numbers} Numbers */
/** @typedef {import("./arrays.js").Scalar} Scalar */

const KINDS = ["constant", "sine", "steps", "table", "move", "accelerate"];
const NAMES = ["mean", "amplitude", "frequency", "phase", "start", "duration", "hold", "times", "values"];

/**
 * The parameters of a profile; its kind determines which are used.
 * @typedef {object} ProfileOptions
 * @property {number} [mean]
 * @property {number} [amplitude]
 * @property {number} [frequency] [Hz]
 * @property {number} [phase] [rad]
 * @property {number} [start] of a sine, a move, an acceleration [s]
 * @property {number} [duration] of a move, an acceleration [s]
 * @property {number} [hold] [s], > 0: sampled and held, as by a digital controller; 0: continuous
 * @property {Numbers} [times] [s]
 * @property {Numbers} [values]
 */

/**
 * A quantity as a function of time. Wherever a Profile is expected, a plain number means a constant.
 *
 *     const grip = Profile.sine(1.73, 0.91, 2);
 *     grip.at(0.125); // 2.64
 */
export class Profile extends Definition {
  /**
   * @param {string} kind constant, sine, steps, table, move or accelerate
   * @param {ProfileOptions} options
   */
  constructor(kind, options) {
    super();
    expect_options("Profile", options, NAMES);
    const { mean = 0, amplitude = 0, frequency = 0, phase = 0, start = 0, hold = 0, duration = 0 } = options;
    const times = Array.from(flat(options.times ?? [], "times"));
    const values = Array.from(flat(options.values ?? [], "values"));
    if (times.length !== values.length) {
      throw new ArgumentError("times", "times and values must be two lists of the same length");
    }
    this.kind = kind;
    Object.assign(this, { mean, amplitude, frequency, phase, start, hold, duration });
    this.times = times;
    this.values = values;
    const n = [choose(kind, KINDS, "kind"), mean, amplitude, frequency, phase, start, hold, duration];
    const points = { numbers: [...times, ...values], rows: [times, values], width: times.length };
    this._hold(...make("profile_make", ...n, points));
    Object.freeze(this);
  }

  /**
   * A constant.
   * @param {number} value
   */
  static constant(value) {
    return new Profile("constant", { mean: value });
  }

  /**
   * mean + amplitude sin(2 pi frequency t + phase), the mean before `start`.
   * @param {number} mean
   * @param {number} amplitude
   * @param {number} frequency [Hz]
   * @param {number} [phase] [rad]
   * @param {object} [options]
   * @param {number} [options.start] [s]
   * @param {number} [options.hold] [s]: sampled and held, as by a digital controller
   */
  static sine(mean, amplitude, frequency, phase = 0, options = {}) {
    expect_options("Profile.sine", options, ["start", "hold"]);
    const { start = 0, hold = 0 } = options;
    return new Profile("sine", { mean, amplitude, frequency, phase, start, hold });
  }

  /**
   * values[i] from times[i] on.
   * @param {Numbers} times [s]
   * @param {Numbers} values
   */
  static steps(times, values) {
    return new Profile("steps", { times, values });
  }

  /**
   * Linear between the points, constant outside.
   * @param {Numbers} times [s]
   * @param {Numbers} values
   * @param {object} [options]
   * @param {number} [options.hold] [s]
   */
  static table(times, values, options = {}) {
    expect_options("Profile.table", options, ["hold"]);
    const { hold = 0 } = options;
    return new Profile("table", { times, values, hold });
  }

  /**
   * `from` until `start`, `to` from `start + duration` on, by minimum jerk: neither the speed nor the acceleration jumps.
   * @param {number} to
   * @param {number} duration [s]
   * @param {object} [options]
   * @param {number} [options.from]
   * @param {number} [options.start] [s]
   * @param {number} [options.hold] [s]
   */
  static move(to, duration, options = {}) {
    expect_options("Profile.move", options, ["from", "start", "hold"]);
    const { from = 0, start = 0, hold = 0 } = options;
    return new Profile("move", { mean: from, amplitude: to - from, start, duration, hold });
  }

  /**
   * At rest at `from` until `start`, then smoothly accelerated to the constant `speed` within `duration`; the largest
   * acceleration is 1.5 speed/duration.
   * @param {number} speed [1/s]
   * @param {number} duration [s]
   * @param {object} [options]
   * @param {number} [options.from]
   * @param {number} [options.start] [s]
   * @param {number} [options.hold] [s]
   */
  static accelerate(speed, duration, options = {}) {
    expect_options("Profile.accelerate", options, ["from", "start", "hold"]);
    const { from = 0, start = 0, hold = 0 } = options;
    return new Profile("accelerate", { mean: from, amplitude: speed, start, duration, hold });
  }

  /**
   * The value at a time: Python's profile(t).
   * @param {Numbers} t [s]
   * @returns {Scalar}
   */
  at(t) {
    return call("profile_eval", this, t);
  }
}

/**
 * A number as a constant profile.
 * @param {number | Profile} value
 * @param {string} name of the argument, for messages
 */
export function as_profile(value, name) {
  if (value instanceof Profile) {
    return value;
  }
  if (!Number.isFinite(value)) {
    const got = typeof value === "object" ? "an object" : `${typeof value} ${value}`;
    throw new ArgumentError(name, `must be a finite number or a Profile, got ${got}`);
  }
  return Profile.constant(value);
}
