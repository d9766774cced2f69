// The WebAssembly module: loading, memory, errors, and C objects in it.

import { BristleError, BY_STATUS } from "./errors.js";
import { load, spell } from "./load.js";

// --- imports of the module ------------------------------------------------------------------------

/** Thrown through the module's frames when it is out of memory: C's longjmp. */
class Escape {
  /** @param {number} place */
  constructor(place) {
    this.place = place;
  }
}

/**
 * Callbacks of the module during a call.
 * @typedef {object} Callbacks
 * @property {(t: number) => unknown} [stop] shall the run end, at time t [s]?
 * @property {(which: number, t: number, q: number, qd: number, to: number[]) => void} [mechanism] writes the terms of
 *   a mechanism to addresses
 * @property {Record<string, string | Uint8Array>} [files] that a scenario may refer to
 */

/** @type {Callbacks & { error?: { thrown: unknown } }} */
let current = {};

/**
 * Call `body` with these callbacks; an exception in one of them ends the call and is thrown.
 * @template T
 * @param {Callbacks} callbacks
 * @param {() => T} body
 * @returns {T}
 */
export function during(callbacks, body) {
  const before = current;
  current = { ...callbacks };
  try {
    const result = body();
    if (current.error) {
      throw current.error.thrown;
    }
    return result;
  } catch (error) {
    throw current.error ? current.error.thrown : error;
  } finally {
    current = before;
  }
}

// an exception of a callback must not pass through the module's frames: it is stored, and the module stops
/**
 * @template T
 * @param {() => T} body
 * @param {T} default_value
 * @returns {T}
 */
function guarded(body, default_value) {
  if (current.error) {
    return default_value;
  }
  try {
    return body();
  } catch (thrown) {
    current.error = { thrown };
    return default_value;
  }
}

/**
 * A file that the current scenario refers to; null: there is none.
 * @param {number} path
 */
function file_at(path) {
  const file = current.files?.[text_at(path)];
  return typeof file === "string" ? new TextEncoder().encode(file) : (file ?? null);
}

/** @type {Record<string, (...numbers: number[]) => number | void>} */
const host = {
  attempt(place, what, user) {
    const top = stack.value;
    try {
      callee(what)(user);
      return 1;
    } catch (error) {
      if (!(error instanceof Escape) || error.place !== place) {
        throw error;
      }
      stack.value = top;
      return 0;
    }
  },
  leave(place) {
    throw new Escape(place);
  },
  stop(t) {
    return current.error || guarded(() => current.stop?.(t), true) ? 1 : 0;
  },
  mechanism(which, t, q, qd, ...to) {
    guarded(() => current.mechanism?.(which, t, q, qd, to), undefined);
  },
  spell(number, digits, to) {
    put_text_at(to, spell(number, digits));
  },
  parse(text, used) {
    const found = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?/.exec(text_at(text));
    put_word_at(used, found ? found[0].length : 0);
    return found ? Number(found[0]) : 0;
  },
  file_size(path) {
    return file_at(path)?.length ?? -1;
  },
  file_read(path, to) {
    const file = file_at(path);
    refresh_views();
    bytes.set(file ?? [], to);
  },
};

const module = await load("bristle", host);

/**
 * Functions of the module: numbers and addresses in, a number out.
 * @type {Record<string, (...numbers: number[]) => number>}
 */
export const core = /** @type {any} */ (module.exports);

/** The module that was loaded: "bristle-simd.wasm" or "bristle.wasm". */
export const module_name = module.name;

const memory = /** @type {WebAssembly.Memory} */ (module.exports.memory);
const stack = /** @type {WebAssembly.Global} */ (module.exports.__stack_pointer);
const table = /** @type {WebAssembly.Table} */ (module.exports.__indirect_function_table);

/**
 * A function of the module by its address.
 * @param {number} address
 */
function callee(address) {
  return /** @type {(...numbers: number[]) => number} */ (table.get(address));
}

// --- memory ---------------------------------------------------------------------------------------

let doubles = new Float64Array(memory.buffer);
let bytes = new Uint8Array(memory.buffer);

// new views are needed when the module's memory has grown
function refresh_views() {
  if (doubles.buffer !== memory.buffer) {
    doubles = new Float64Array(memory.buffer);
    bytes = new Uint8Array(memory.buffer);
  }
}

/**
 * A copy of doubles in the module's memory.
 * @param {number} address
 * @param {number} count
 */
export function doubles_at(address, count) {
  refresh_views();
  return doubles.slice(address / 8, address / 8 + count);
}

/**
 * A double in the module's memory.
 * @param {number} address
 */
export function double_at(address) {
  refresh_views();
  return doubles[address / 8];
}

/**
 * A word of 32 bits in the module's memory: an address, a count, a status.
 * @param {number} address
 */
export function word_at(address) {
  refresh_views();
  return new DataView(memory.buffer).getUint32(address, true);
}

/**
 * A 0-terminated text in the module's memory.
 * @param {number} address
 */
export function text_at(address) {
  refresh_views();
  return new TextDecoder().decode(bytes.subarray(address, bytes.indexOf(0, address)));
}

const SCRATCH = 1 << 16; // bytes; larger arguments get a separate block
let scratch = core.memory_allocate(SCRATCH);
const scratch_end = scratch + SCRATCH;
/** @type {number[]} */
const blocks = [];

/**
 * Memory for arguments, valid until the innermost within() ends.
 * @param {number} size [bytes]
 */
export function reserve(size) {
  const whole = 8 * Math.ceil(size / 8);
  if (scratch + whole <= scratch_end) {
    scratch += whole;
    return scratch - whole;
  }
  const block = core.memory_allocate(whole);
  if (!block) {
    throw new BY_STATUS[3]("", `no memory for ${size} bytes`);
  }
  blocks.push(block);
  return block;
}

/**
 * Call `body`, then free the memory that it reserved.
 * @template T
 * @param {() => T} body
 * @returns {T}
 */
export function within(body) {
  const mark = scratch;
  const held = blocks.length;
  const top = stack.value;
  try {
    return body();
  } finally {
    scratch = mark;
    stack.value = top; // restores it after an exception through the module's frames
    while (blocks.length > held) {
      core.memory_release(/** @type {number} */ (blocks.pop()));
    }
  }
}

/**
 * Doubles as an argument: their address.
 * @param {ArrayLike<number>} numbers
 */
export function put(numbers) {
  const address = reserve(8 * numbers.length);
  refresh_views();
  doubles.set(numbers, address / 8);
  return address;
}

/**
 * Write doubles to the module's memory.
 * @param {number} address
 * @param {ArrayLike<number>} numbers
 */
export function put_at(address, numbers) {
  refresh_views();
  doubles.set(numbers, address / 8);
}

/**
 * Words of 32 bits as an argument: their address.
 * @param {ArrayLike<number>} words
 */
export function put_words(words) {
  const address = reserve(4 * words.length);
  refresh_views();
  new Uint32Array(memory.buffer, address, words.length).set(words);
  return address;
}

/**
 * A 0-terminated text as an argument: its address.
 * @param {string} text
 */
export function put_text(text) {
  const address = reserve(3 * text.length + 1); // a unit of UTF-16 takes up to three bytes
  put_text_at(address, text);
  return address;
}

/**
 * Write a 0-terminated text to the module's memory.
 * @param {number} address
 * @param {string} text
 */
function put_text_at(address, text) {
  refresh_views();
  const { written } = new TextEncoder().encodeInto(text, bytes.subarray(address));
  bytes[address + (written ?? 0)] = 0;
}

/**
 * @param {number} address
 * @param {number} word
 */
function put_word_at(address, word) {
  new DataView(memory.buffer).setUint32(address, word, true);
}

// --- errors ---------------------------------------------------------------------------------------

/** Bytes of br_reason.field. */
const FIELD = 64;

/** The exception for the failure of the last call. */
export function last_error() {
  const at = core.last_error();
  const status = word_at(at);
  const reason = text_at(at + 4 + FIELD) || text_at(core.status_text(status));
  return new BY_STATUS[status](text_at(at + 4), reason);
}

/**
 * The address that a call returned; throws the exception of the call if it failed.
 * @param {number} address
 */
export function made(address) {
  if (!address) {
    throw last_error();
  }
  return address;
}

// --- C objects in the module's memory -------------------------------------------------------------

/** A C object with its reference count; the objects that it borrows from live as long as it does. */
class Held {
  /**
   * @param {number} address
   * @param {(address: number) => void} destroy
   * @param {Held[]} keeps
   */
  constructor(address, destroy, keeps) {
    this.address = address;
    this.destroy = destroy;
    this.keeps = keeps;
    this.holders = 1;
    keeps.forEach((held) => held.holders++);
  }

  release() {
    this.holders--;
    if (this.holders === 0) {
      this.destroy(this.address);
      this.keeps.forEach((held) => held.release());
    }
  }
}

// objects that were not freed are released by the garbage collector
const unreachable = new FinalizationRegistry((/** @type {Held} */ held) => held.release());

/**
 * Base class of objects with a C object. `free()` releases its memory, as does the end of a block with `using`; a C
 * object that others still use is kept for them.
 */
export class Definition {
  /** @type {Held | null} */
  #held = null;

  /**
   * Take ownership of a C object.
   * @protected
   * @param {number} address
   * @param {(address: number) => void} destroy
   * @param {Definition[]} keeps those it borrows from
   */
  _hold(address, destroy, keeps = []) {
    const borrowed = keeps.map((each) => each.#alive());
    this.#held = new Held(address, destroy, borrowed);
    unreachable.register(this, this.#held, this);
  }

  #alive() {
    if (!this.#held) {
      throw new BristleError(this.constructor.name, "has been freed");
    }
    return this.#held;
  }

  /** Address of the C object. */
  get _handle() {
    return this.#alive().address;
  }

  /** Release its memory; it cannot be used afterwards. Calling it twice is allowed. */
  free() {
    if (this.#held) {
      unreachable.unregister(this);
      this.#held.release();
      this.#held = null;
    }
  }

  [Symbol.dispose]() {
    this.free();
  }
}

/** Version of the library, e.g. "0.3.0". */
export const version = text_at(core.version());
