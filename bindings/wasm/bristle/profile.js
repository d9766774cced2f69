// Numbers that change in time.

import { Call, choose, flat, put, within } from "./arrays.js";
import { core, Definition, made } from "./core.js";
import { ArgumentError } from "./errors.js";

/** @typedef {import("./arrays.js").Numbers} Numbers */
/** @typedef {import("./arrays.js").Scalar} Scalar */

const KINDS = ["constant", "sine", "steps", "table"];

/**
 * What a profile is made of; which of these count depends on its kind.
 * @typedef {object} ProfileOptions
 * @property {number} [mean]
 * @property {number} [amplitude]
 * @property {number} [frequency] [Hz]
 * @property {number} [phase] [rad]
 * @property {number} [start] of a sine [s]
 * @property {number} [hold] [s], > 0: held as a digital controller holds it; 0: not
 * @property {Numbers} [times] [s]
 * @property {Numbers} [values]
 */

/**
 * A number over time. A plain number is a constant wherever a Profile is wanted.
 *
 *     const grip = Profile.sine(1.73, 0.91, 2);
 *     grip.at(0.125); // 2.64
 */
export class Profile extends Definition {
  /**
   * @param {string} kind constant, sine, steps or table
   * @param {ProfileOptions} options
   */
  constructor(kind, options) {
    super();
    const { mean = 0, amplitude = 0, frequency = 0, phase = 0, start = 0, hold = 0 } = options;
    const times = Array.from(flat(options.times ?? [], "times"));
    const values = Array.from(flat(options.values ?? [], "values"));
    if (times.length !== values.length) {
      throw new ArgumentError("times", "times and values must be two lists of the same length");
    }
    this.kind = kind;
    Object.assign(this, { mean, amplitude, frequency, phase, start, hold });
    this.times = times;
    this.values = values;
    const n = [mean, amplitude, frequency, phase, start, hold];
    const place = choose(kind, KINDS, "kind");
    this._hold(
      within(() =>
        made(core.profile_make(place, put(n), put(times), put(values), times.length)),
      ),
      core.memory_release,
    );
    Object.freeze(this);
  }

  /**
   * Always the same.
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
   * @param {number} [options.hold] [s]: as a digital controller holds it
   */
  static sine(mean, amplitude, frequency, phase = 0, { start = 0, hold = 0 } = {}) {
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
  static table(times, values, { hold = 0 } = {}) {
    return new Profile("table", { times, values, hold });
  }

  /**
   * The value at a time: Python's profile(t).
   * @param {Numbers} t [s]
   * @returns {Scalar}
   */
  at(t) {
    const call = new Call().input("t", t, 0).output(0);
    return call.run((count, ...at) => core.profile_eval(this._handle, count, ...at))[0];
  }
}

/**
 * A number as a constant profile.
 * @param {number | Profile} value
 */
export function as_profile(value) {
  return value instanceof Profile ? value : Profile.constant(value);
}
