// Numbers in and out: single ones, arrays, and many elements in one call.
//
// Where a function takes three numbers it takes 3 n of them, too: n elements, one behind the other or as an
// array of arrays. What is given once counts for all of them. Results are as many.

import { doubles_at, put, put_at, reserve, within } from "./core.js";
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
 * All numbers of a value, one behind the other.
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
 * Rows of equal length, as numbers one behind the other.
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
 * The place of a word in a list of those allowed.
 * @param {string} value
 * @param {readonly string[]} options
 * @param {string} name
 */
export function choose(value, options, name) {
  const place = options.indexOf(value);
  if (place < 0) {
    throw new ArgumentError(name, `must be one of ${options.join(", ")}, got ${value}`);
  }
  return place;
}

/**
 * @typedef {object} Argument
 * @property {string} name
 * @property {number} width numbers of an element; 0: one number, not an array of one
 * @property {ArrayLike<number> | null} given null: a result
 * @property {Float64Array | null} back where the numbers go after the call
 */

/** A call for any number of elements: its arguments and results, in the order of C's parameters. */
export class Call {
  constructor() {
    /** @type {Argument[]} */
    this.arguments = [];
    this.count = 1;
    this.isMany = false;
  }

  /**
   * @param {string} name
   * @param {any} value
   * @param {number} width
   */
  input(name, value, width) {
    return this.#add(name, flat(value, name), width, null);
  }

  /**
   * A normal force [N], >= 0.
   * @param {any} value
   */
  force(value) {
    const given = flat(value, "fn");
    for (let i = 0; i < given.length; i++) {
      if (given[i] < 0) {
        throw new ArgumentError("fn", `must be >= 0, got ${given[i]}`);
      }
    }
    return this.#add("fn", given, 0, null);
  }

  /**
   * A state, which the call changes where it lies.
   * @param {string} name
   * @param {any} array
   * @param {number} width
   */
  state(name, array, width) {
    if (!(array instanceof Float64Array)) {
      throw new TypeError(`${name}: is changed, so it must be a Float64Array`);
    }
    return this.#add(name, array, width, array);
  }

  /**
   * A result.
   * @param {number} width
   */
  output(width) {
    this.arguments.push({ name: "", width, given: null, back: null });
    return this;
  }

  /** Refuse more than one element. */
  single() {
    if (this.isMany) {
      throw new ArgumentError("", `takes one element, got ${this.count}`);
    }
    return this;
  }

  /**
   * @param {string} name
   * @param {ArrayLike<number>} given
   * @param {number} width
   * @param {Float64Array | null} back
   */
  #add(name, given, width, back) {
    const each = width || 1;
    const count = given.length / each;
    if (!Number.isInteger(count) || count === 0) {
      throw new ArgumentError(name, `must have ${each} numbers for each element, got ${given.length}`);
    }
    if (count > 1 && this.isMany && count !== this.count) {
      throw new ArgumentError(name, `has ${count} elements where others have ${this.count}`);
    }
    if (count > 1) {
      this.count = count;
      this.isMany = true;
    }
    this.arguments.push({ name, width, given, back });
    return this;
  }

  /**
   * Call `body` with the count and the addresses of all arguments; gives the results in their order.
   * @param {(count: number, ...addresses: number[]) => void} body
   * @returns {any[]}
   */
  run(body) {
    return within(() => {
      const addresses = this.arguments.map((argument) => this.#place(argument));
      body(this.count, ...addresses);
      this.arguments.forEach((argument, i) => this.#give_back(argument, addresses[i]));
      const results = addresses.flatMap((address, i) =>
        this.arguments[i].given ? [] : [this.#result(this.arguments[i], address)],
      );
      return results;
    });
  }

  /** @param {Argument} argument */
  #place(argument) {
    const all = this.count * (argument.width || 1);
    const { given } = argument;
    if (!given) {
      return reserve(8 * all);
    }
    if (given.length === all) {
      return put(given);
    }
    if (argument.back) {
      throw new ArgumentError(argument.name, `must have ${all} numbers, got ${given.length}`);
    }
    const address = reserve(8 * all);
    for (let i = 0; i < this.count; i++) {
      put_at(address + 8 * i * given.length, given);
    }
    return address;
  }

  /**
   * @param {Argument} argument
   * @param {number} address
   */
  #give_back(argument, address) {
    argument.back?.set(doubles_at(address, argument.back.length));
  }

  /**
   * @param {Argument} argument
   * @param {number} address
   */
  #result(argument, address) {
    const numbers = doubles_at(address, this.count * (argument.width || 1));
    return argument.width === 0 && !this.isMany ? numbers[0] : numbers;
  }
}

/**
 * A size of step [s], > 0.
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
