// Numbers in and out: single ones, arrays, and many elements in one call.
//
// A function of three numbers also accepts 3 n of them: n elements, one after the other or as an array of
// arrays. A value that is given once applies to all elements. There is a result for each element.

import { doubles_at, put, reserve, within } from "./core.js";
import { ArgumentError } from "./errors.js";

/**
 * Numbers: one, an array, a typed array, an array of arrays.
 * @typedef {number | ArrayLike<number> | ReadonlyArray<ArrayLike<number>>} Numbers
 */

/**
 * A number, or a Float64Array with one for each element of a call with many.
 * @typedef {any} Scalar
 */

/**
 * All numbers of a value, one after the other.
 * @param {any} value
 * @param {string} name
 * @returns {ArrayLike<number>}
 */
export function flat(value, name) {
  if (typeof value === "number") {
    return [value];
  }
  if (value instanceof Float64Array) {
    return value;
  }
  if (value === null || typeof value !== "object" || typeof value.length !== "number") {
    throw new TypeError(`${name}: must be numbers, got ${value === null ? "null" : typeof value}`);
  }
  const list = Array.from(value);
  return list.every((entry) => typeof entry === "number")
    ? list
    : list.flatMap((entry) => Array.from(flat(entry, name)));
}

/**
 * A given number of numbers.
 * @param {any} value
 * @param {number} count
 * @param {string} name
 * @returns {number[]}
 */
export function some(value, count, name) {
  const numbers = Array.from(flat(value, name));
  if (numbers.length !== count) {
    throw new ArgumentError(name, `must be ${count} numbers, got ${numbers.length}`);
  }
  return numbers;
}

/**
 * Rows of equal length, as numbers one after the other.
 * @param {any} value
 * @param {number | null} columns numbers in a row; null: any
 * @param {string} name
 */
export function rows_of(value, columns, name) {
  if (value === null || typeof value !== "object" || typeof value.length !== "number") {
    throw new TypeError(`${name}: must be an array of arrays`);
  }
  const rows = Array.from(value, (/** @type {any} */ row) => Array.from(flat(row, name)));
  const width = columns ?? rows[0]?.length ?? 0;
  const odd = rows.findIndex((row) => row.length !== width);
  if (odd >= 0) {
    throw new ArgumentError(name, `row ${odd} must have ${width} numbers, got ${rows[odd].length}`);
  }
  return { rows, width, numbers: rows.flat() };
}

/**
 * The index of a word in a list of allowed words.
 * @param {string} value
 * @param {readonly string[]} options
 * @param {string} name
 */
export function choose(value, options, name) {
  const index = options.indexOf(value);
  if (index < 0) {
    throw new ArgumentError(name, `must be one of ${options.join(", ")}, got ${value}`);
  }
  return index;
}

/**
 * A step size [s], > 0.
 * @param {number} h
 */
export function step_size(h) {
  if (!(h > 0) || h === Infinity) {
    throw new ArgumentError("h", `must be > 0 and finite, got ${h}`);
  }
  return h;
}

/**
 * Numbers that a function of the module fills in.
 * @param {number} count
 * @param {(address: number) => void} fill
 */
export function filled(count, fill) {
  return within(() => {
    const address = reserve(8 * count);
    fill(address);
    return doubles_at(address, count);
  });
}

export { within, put };
