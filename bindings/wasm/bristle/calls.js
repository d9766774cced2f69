// The functions of bindings/core/table.inc: any number of elements in one call, and objects.
//
// table.js has a line for each, its name and its signature; bindings/core/binding.h explains the signatures.

import { flat, step_size } from "./arrays.js";
import { core, doubles_at, made, put, put_at, put_words, reserve, within, word_at } from "./core.js";
import { ArgumentError } from "./errors.js";
import { TABLE } from "./table.js";

/** @typedef {import("./core.js").Definition} Definition */

/**
 * An argument or a result.
 * @typedef {object} Parameter
 * @property {string} name
 * @property {string} size as the signature has it
 * @property {string} use array, step, number, table or object
 * @property {(string | number)[]} factors of the numbers of an element
 * @property {boolean} is_result
 * @property {boolean} is_written an array of the caller that is changed
 * @property {number} position among the values that a caller passes; -1: none
 */

/**
 * @typedef {object} Line
 * @property {number} index
 * @property {Parameter[]} parameters
 * @property {Parameter | undefined} other an object in the arguments
 */

/**
 * @param {string} word name[flag]:size
 * @param {boolean} is_result
 * @returns {Parameter}
 */
function parameter_of(word, is_result) {
  const [, name, flag, size = "number"] = /^(\w+)([*?+]?)(?::(\w+))?$/.exec(word) ?? [];
  const is_array = /^([\dNnkMx]+|force|bool|int)$/.test(size);
  const scalar = /step|number|table/.exec(size);
  const use = is_array ? "array" : scalar ? scalar[0] : "object";
  const factors = /\d|^[NnkMx]+$/.test(size) ? size.match(/\d+|[NnkM]/g) ?? [] : [];
  return {
    name,
    size,
    use,
    factors: factors.map((factor) => Number(factor) || factor),
    is_result,
    is_written: flag === "*" || (is_result && flag === "?"),
    position: -1,
  };
}

/**
 * @param {string} text
 * @param {number} index
 * @returns {[string, Line]}
 */
function line_from(text, index) {
  const [given, results = ""] = text.split("->");
  const [name, ...inputs] = given.trim().split(" ");
  const parameters = [
    ...inputs.map((word) => parameter_of(word, false)),
    ...results.split(" ").filter(Boolean).map((word) => parameter_of(word, true)),
  ];
  const expected_arguments = parameters.filter((p) => !p.is_result || p.is_written);
  expected_arguments.forEach((p, index) => (p.position = index));
  return [name, { index, parameters, other: parameters.find((p) => p.use === "object") }];
}

const LINES = new Map(TABLE.map(line_from));

/**
 * @param {string} name
 * @returns {Line}
 */
function line_of(name) {
  return /** @type {Line} */ (LINES.get(name));
}

/** The sizes named in signatures, for each object. @type {WeakMap<Definition, Record<string, number>>} */
const SIZES = new WeakMap();

/**
 * @param {number} index
 * @param {Definition} object
 */
function sizes_of(index, object) {
  let sizes = SIZES.get(object);
  if (!sizes) {
    const at = core.binding_sizes_of(index, object._handle);
    const [N, n, memory] = [word_at(at), word_at(at + 4), word_at(at + 8)];
    sizes = { N, n, k: N / n, memory };
    SIZES.set(object, sizes);
  }
  return sizes;
}

/** A call: its elements and arrays, in the order of the signature. */
class Call {
  /** @param {Record<string, number>} sizes */
  constructor(sizes) {
    this.sizes = sizes;
    this.count = 1;
    this.is_many = false;
    /** @type {{ p: Parameter, width: number, given: ArrayLike<number> | null }[]} */
    this.arrays = [];
  }

  /**
   * @param {Parameter} p
   * @param {any} value
   */
  add(p, value) {
    let width = 1;
    for (const factor of p.factors) {
      width *= typeof factor === "number" ? factor : this.sizes[factor];
    }
    const given = p.position < 0 || (p.is_result && !value) ? null : this.#given(p, value, width);
    this.arrays.push({ p, width, given });
  }

  /**
   * Check an argument: a force is not negative, an array that is changed is a Float64Array, the number of elements fits.
   * @param {Parameter} p
   * @param {any} value
   * @param {number} width
   */
  #given({ name, size, is_written }, value, width) {
    if (is_written && !(value instanceof Float64Array)) {
      throw new TypeError(`${name}: is changed, so it must be a Float64Array`);
    }
    const given = flat(value, name);
    for (let i = 0; size === "force" && i < given.length; i++) {
      if (given[i] < 0) {
        throw new ArgumentError(name, `must be >= 0, got ${given[i]}`);
      }
    }
    const count = given.length / width;
    if (!Number.isInteger(count) || count === 0) {
      throw new ArgumentError(name, `must have ${width} numbers for each element, got ${given.length}`);
    }
    if (count > 1 && this.is_many && count !== this.count) {
      throw new ArgumentError(name, `has ${count} elements where others have ${this.count}`);
    }
    if (count > 1) {
      this.count = count;
      this.is_many = true;
    }
    return given;
  }

  /**
   * The address of array i: with the numbers of all elements; a value that is given once is repeated.
   * @param {number} i
   */
  address(i) {
    const { p, width, given } = this.arrays[i];
    const all = this.count * width;
    if (!given) {
      return p.is_written ? 0 : reserve(8 * all);
    }
    if (given.length === all) {
      return put(given);
    }
    if (p.is_written) {
      throw new ArgumentError(p.name, `must have ${all} numbers, got ${given.length}`);
    }
    const address = reserve(8 * all);
    for (let k = 0; k < all; k += given.length) {
      put_at(address + 8 * k, given);
    }
    return address;
  }

  /**
   * Read array i after the call: a result, or numbers that are copied back to the caller.
   * @param {number} i
   * @param {number} address
   * @param {Record<string, any>} results
   */
  finish(i, address, results) {
    const { p, width, given } = this.arrays[i];
    if (p.is_written && given) {
      /** @type {Float64Array} */ (given).set(doubles_at(address, given.length));
    } else if (p.is_result && !p.is_written) {
      const numbers = doubles_at(address, this.count * width);
      const all = p.size === "bool" ? Array.from(numbers, (number) => number !== 0) : numbers;
      const is_single = p.size === "1" || p.size === "bool" || p.size === "int";
      results[p.name] = is_single && !this.is_many ? all[0] : all;
    }
  }
}

/**
 * Compute; returns all results by name.
 * @param {string} name of the line
 * @param {Definition | null} object
 * @param {...any} values its arguments; then arrays for optional results
 * @returns {any}
 */
export function named(name, object, ...values) {
  const { index, parameters, other } = line_of(name);
  const handle = object ? object._handle : 0;
  const to = other ? values[other.position] : null;
  const own = object ? sizes_of(index, object) : {};
  const call = new Call(to ? { ...own, M: sizes_of(index, to).N } : own);
  /** @type {number[]} */
  const scalars = [];
  for (const p of parameters) {
    const value = values[p.position];
    if (p.use === "array") {
      call.add(p, value);
    } else if (p.use !== "object") {
      scalars.push(p.use === "step" ? step_size(value) : value);
    }
  }
  return within(() => {
    const addresses = call.arrays.map((_, i) => call.address(i));
    const memory = own.memory ? put(new Float64Array(own.memory / 8 + 1)) : 0;
    const args = put_words(to ? [...addresses, to._handle] : addresses);
    core.binding_call(index, handle, put(scalars), call.count, args, memory);
    const results = {};
    addresses.forEach((address, i) => call.finish(i, address, results));
    return results;
  });
}

/**
 * Compute; returns the result, or an array if there are several.
 * @param {string} name of the line
 * @param {Definition | null} object
 * @param {...any} values
 * @returns {any}
 */
export function call(name, object, ...values) {
  const results = Object.values(named(name, object, ...values));
  return results.length === 1 ? results[0] : results;
}

/**
 * Create a C object: its address, its destructor, and the objects that it borrows from.
 * @param {string} name of the line
 * @param {...any} values numbers, Definitions, tables of rows; null for optional ones
 * @returns {[address: number, destroy: (address: number) => void, keeps: Definition[]]}
 */
export function make(name, ...values) {
  const { index, parameters } = line_of(name);
  /** @param {string} use */
  const those = (use) => values.filter((_, i) => parameters[i].use === use).flat();
  const objects = those("object");
  const [table] = those("table");
  const address = within(() => {
    const rows = table ? [put(table.numbers), table.rows.length, table.width] : [0, 0, 0];
    const handles = put_words(objects.map((object) => object?._handle ?? 0));
    const numbers = put(those("number").map(Number));
    return made(core.binding_make(index, put_words([numbers, handles, objects.length, ...rows])));
  });
  const destroy = (/** @type {number} */ at) => void core.binding_destroy(index, at);
  return [address, destroy, objects.filter(Boolean)];
}
