// Friction of bristle for rigid-body engines in JavaScript: libbristle-rigid (bristle/rigid.h).
//
// Bodies, contact points and rows are written into arrays in the module's memory, at addresses that body(), add_point()
// and add_row() return; a step allocates nothing in JavaScript. SI units, world axes, matrices row by row.
//
//     const friction = new RigidFriction();
//     friction.before(h, count);            // the last friction: apply numbers[friction.impulse(i) + 0..5]
//     ...                                   // the engine's step, its own friction 0
//     friction.clear(count);                // then body(i), add_point(), add_row()
//     friction.after(h, count);             // velocities += numbers[friction.change(i) + 0..5]

import { BY_STATUS } from "./errors.js";
import { load, spell } from "./load.js";

/** @type {(number: number, digits: number, to: number) => void} */
const spell_to = (number, digits, to) => {
  const text = new TextEncoder().encode(`${spell(number, digits)}\0`);
  new Uint8Array(memory.buffer, to, text.length).set(text);
};

const module = await load("bristle-rigid", { spell: spell_to });
/** @type {Record<string, (...numbers: number[]) => number>} */
const core = /** @type {any} */ (module.exports);
const memory = /** @type {WebAssembly.Memory} */ (module.exports.memory);

/** The module that was loaded: "bristle-rigid-simd.wasm" or "bristle-rigid.wasm". */
export const rigid_module_name = module.name;

// --- layout of bristle/rigid.h --------------------------------------------------------------------

const LAYOUT = {
  body: ["inv_mass", "inv_inertia", "x", "R", "v", "w", "asleep", "size"],
  point: ["x", "n", "impulse", "gap", "mu", "disc", "pair", "a", "b", "bounces", "size"],
  row: ["ja", "jb", "impulse", "lower", "upper", "target", "softness", "a", "b", "size"],
  joint: ["x", "axes", "a", "b", "locked", "size"],
  change: ["dv", "dw", "size"],
};

/** Integers of a struct; everything else is doubles. */
const INTEGERS = ["asleep", "pair", "a", "b", "bounces", "locked"];

/**
 * Offsets of one struct: in doubles, or in integers of 32 bits for those that are integers.
 * @param {keyof typeof LAYOUT} name
 * @returns {Readonly<Record<string, number>>}
 */
function offsets(name) {
  const names = Object.keys(LAYOUT);
  const first = names
    .slice(0, names.indexOf(name))
    .reduce((sum, each) => sum + LAYOUT[/** @type {keyof typeof LAYOUT} */ (each)].length, 0);
  const bytes = new Int32Array(memory.buffer, core.rigid_layout() + 4 * first, LAYOUT[name].length);
  const of = (/** @type {string} */ key, /** @type {number} */ i) => [key, bytes[i] / (INTEGERS.includes(key) ? 4 : 8)];
  return Object.freeze(Object.fromEntries(LAYOUT[name].map(of)));
}

/** Offsets of a body in `numbers`; `asleep` in `words`. */
export const BODY = offsets("body");
/** Offsets of a contact point in `numbers`; `pair` (two words), `a`, `b`, `bounces` in `words`. */
export const POINT = offsets("point");
/** Offsets of a constraint row in `numbers`; `a`, `b` in `words`. */
export const ROW = offsets("row");
const JOINT = offsets("joint");

/** Members of brg_report: doubles, then integers. */
const REPORT_NUMBERS = ["stored", "dissipated", "work", "gain"];
const REPORT_WORDS = [
  "islands", "contacts", "rows", "kept", "rounds", "passes",
  "changed", "unsettled", "swept", "unconverged", "parts", "largest", "refused",
]; // prettier-ignore

/** Members of brg_contact with their lengths. */
const CONTACT = { fn: 1, cop: 3, n: 3, t: 3, v: 3, f: 3, r: 1 };

const OPTIONS = [
  "touch", "radius", "softness", "correction", "slop", "static_ratio", "v_stribeck",
  "rounds", "keep", "largest",
]; // prettier-ignore

/**
 * An array of structs in the module's memory that grows.
 */
class Block {
  /** @param {number} size of an element [bytes] */
  constructor(size) {
    this.size = size;
    this.room = 0;
    this.address = 0;
  }

  /**
   * Room for `count` elements; those that are there are kept.
   * @param {number} count
   */
  reserve(count) {
    if (count <= this.room) {
      return;
    }
    const room = Math.max(2 * this.room, count, 16);
    const address = core.memory_allocate(room * this.size);
    if (!address) {
      throw new BY_STATUS[3]("", `no memory for ${room * this.size} bytes`);
    }
    const bytes = new Uint8Array(memory.buffer);
    bytes.copyWithin(address, this.address, this.address + this.room * this.size);
    this.free();
    this.address = address;
    this.room = room;
  }

  free() {
    if (this.address) {
      core.memory_release(this.address);
    }
    this.address = 0;
    this.room = 0;
  }
}

/**
 * @param {number} address
 */
function text_at(address) {
  const bytes = new Uint8Array(memory.buffer, address);
  return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
}

/** Bytes of br_reason.field. */
const FIELD = 64;

/** The exception for the failure of the last call. */
function last_error() {
  const at = core.last_error();
  const status = new Int32Array(memory.buffer, at, 1)[0];
  const reason = text_at(at + 4 + FIELD) || text_at(core.status_text(status));
  return new BY_STATUS[status](text_at(at + 4), reason);
}

/**
 * Options of the layer, brg_def of bristle/rigid.h; all have defaults.
 * @typedef {object} RigidOptions
 * @property {number} [touch] gap below which a point belongs to the patch [m]
 * @property {number} [radius] of the patch of a single point [m]
 * @property {number} [softness] of normal rows over their inverse mass [-]
 * @property {number} [correction] share of a penetration that normal rows remove in a step [-]
 * @property {number} [slop] penetration that is left alone [m]
 * @property {number} [static_ratio] static over sliding friction, mu_s/mu_c >= 1 [-]
 * @property {number} [v_stribeck] speed at which most of the difference is lost [m/s]
 * @property {number} [rounds] largest number of rounds of friction and normal forces
 * @property {number} [keep] steps that a point is kept for after the engine dropped it
 * @property {number} [largest] contacts of the largest island that is solved at once
 */

/** Friction of all contacts of one world of an engine. */
export class RigidFriction {
  #world;
  #bodies = new Block(8 * BODY.size);
  #points = new Block(8 * POINT.size);
  #rows = new Block(8 * ROW.size);
  #impulses = new Block(48);
  #changes = new Block(48);
  #joint = new Block(8 * JOINT.size);

  /** Doubles of the module's memory. Read it again after before(), after() and add_...(), which may replace it. */
  numbers = new Float64Array(memory.buffer);
  /** The same memory as integers of 32 bits. */
  words = new Int32Array(memory.buffer);
  point_count = 0;
  row_count = 0;

  /** @param {RigidOptions} [options] */
  constructor(options = {}) {
    const unknown = Object.keys(options).find((key) => !OPTIONS.includes(key));
    if (unknown) {
      throw new BY_STATUS[1](unknown, `is not an option; there are ${OPTIONS.join(", ")}`);
    }
    this.#impulses.reserve(2);
    this.#refresh();
    const given = /** @type {Record<string, number | undefined>} */ (options);
    OPTIONS.forEach((key, i) => (this.numbers[this.#impulses.address / 8 + i] = given[key] ?? NaN));
    this.#world = core.rigid_create(this.#impulses.address);
    if (!this.#world) {
      throw last_error();
    }
    this.#joint.reserve(1);
    this.#refresh();
  }

  #refresh() {
    if (this.numbers.buffer !== memory.buffer) {
      this.numbers = new Float64Array(memory.buffer);
      this.words = new Int32Array(memory.buffer);
    }
  }

  /** @param {number} count of bodies */
  #reserve(count) {
    this.#bodies.reserve(count);
    this.#impulses.reserve(count);
    this.#changes.reserve(count);
    this.#refresh();
  }

  /**
   * Impulses of the last step's friction on `count` bodies, at impulse(i) in `numbers`.
   * @param {number} h step [s]
   * @param {number} count
   */
  before(h, count) {
    this.#reserve(count);
    const status = core.rigid_before(this.#world, h, count, this.#impulses.address);
    this.#refresh();
    if (status) {
      throw last_error();
    }
  }

  /**
   * Start the lists of this step.
   * @param {number} [count] of bodies
   */
  clear(count = 0) {
    this.#reserve(count);
    this.point_count = 0;
    this.row_count = 0;
  }

  /**
   * Position of body i in `numbers`; members by BODY.
   * @param {number} i
   */
  body(i) {
    return this.#bodies.address / 8 + i * BODY.size;
  }

  /**
   * Position of the impulse of body i in `numbers`: force [N s], torque [N m s].
   * @param {number} i
   */
  impulse(i) {
    return this.#impulses.address / 8 + 6 * i;
  }

  /**
   * Position of the change of body i in `numbers`: dv [m/s], dw [rad/s].
   * @param {number} i
   */
  change(i) {
    return this.#changes.address / 8 + 6 * i;
  }

  /**
   * A new contact point, all 0; returns its position in `numbers`.
   * @param {number} a first body, -1: the world
   * @param {number} b second body, -1: the world
   * @param {number} low of the pair's key, 32 bits
   * @param {number} high of the pair's key, 32 bits
   */
  add_point(a, b, low, high) {
    this.#points.reserve(this.point_count + 1);
    this.#refresh();
    const at = this.#points.address / 8 + this.point_count++ * POINT.size;
    this.numbers.fill(0, at, at + POINT.size);
    this.words[2 * at + POINT.a] = a;
    this.words[2 * at + POINT.b] = b;
    this.words[2 * at + POINT.pair] = low;
    this.words[2 * at + POINT.pair + 1] = high;
    return at;
  }

  /** A new constraint row, not limited, at the velocity that the engine left; returns its position in `numbers`. */
  add_row() {
    this.#rows.reserve(this.row_count + 1);
    this.#refresh();
    const at = this.#rows.address / 8 + this.row_count++ * ROW.size;
    this.numbers.fill(0, at, at + ROW.size);
    this.numbers[at + ROW.lower] = -Infinity;
    this.numbers[at + ROW.upper] = Infinity;
    this.numbers[at + ROW.target] = NaN;
    this.words[2 * at + ROW.a] = -1;
    this.words[2 * at + ROW.b] = -1;
    return at;
  }

  /**
   * The rows of a joint; after the bodies are set.
   * @param {number} a first body, -1: the world
   * @param {number} b second body, -1: the world
   * @param {ArrayLike<number>} x anchor [m]
   * @param {ArrayLike<number>} axes three unit axes, row by row
   * @param {number} locked bits 0..2: no motion of b over a along the axes; 3..5: no rotation about them
   * @param {ArrayLike<number>} [targets] velocities of the six directions [m/s, rad/s]; without: those the engine left
   */
  add_joint(a, b, x, axes, locked, targets) {
    const at = this.#joint.address / 8;
    for (let i = 0; i < 3; i++) {
      this.numbers[at + JOINT.x + i] = x[i];
    }
    for (let i = 0; i < 9; i++) {
      this.numbers[at + JOINT.axes + i] = axes[i];
    }
    this.words[2 * at + JOINT.a] = a;
    this.words[2 * at + JOINT.b] = b;
    this.words[2 * at + JOINT.locked] = locked;
    this.#rows.reserve(this.row_count + 6);
    const to = this.#rows.address + 8 * this.row_count * ROW.size;
    this.row_count += core.rigid_joint_rows(8 * at, this.#bodies.address, to);
    this.#refresh();
    for (let i = 0, row = to / 8; targets && i < 6; i++) {
      if (locked & (1 << i)) {
        this.numbers[row + ROW.target] = targets[i];
        row += ROW.size;
      }
    }
  }

  /**
   * Friction of the step: changes of velocity at change(i) in `numbers`.
   * @param {number} h step [s]
   * @param {number} count of bodies
   */
  after(h, count) {
    const status = core.rigid_after(
      this.#world, h, this.#bodies.address, count, this.#points.address, this.point_count,
      this.#rows.address, this.row_count, this.#changes.address,
    ); // prettier-ignore
    this.#refresh();
    if (status) {
      throw last_error();
    }
  }

  /** Forget all pairs: after bodies were moved or removed. */
  reset() {
    core.rigid_reset(this.#world);
  }

  /**
   * Contact of a pair in the last step, by its key; null: it does not touch.
   * @param {number} low
   * @param {number} high
   * @returns {Record<string, any> | null}
   */
  contact(low, high) {
    const address = core.rigid_contact(this.#world, low, high);
    if (!address) {
      return null;
    }
    /** @type {Record<string, any>} */
    const out = {};
    let at = address / 8;
    for (const [name, length] of Object.entries(CONTACT)) {
      out[name] = length === 1 ? this.numbers[at] : Array.from(this.numbers.subarray(at, at + length));
      at += length;
    }
    out.slider = this.words[2 * at];
    return out;
  }

  /**
   * Statistics of the last step, brg_report.
   * @returns {Record<string, number>}
   */
  get report() {
    const at = core.rigid_report(this.#world) / 8;
    const words = 2 * (at + REPORT_NUMBERS.length);
    return Object.fromEntries([
      ...REPORT_NUMBERS.map((name, i) => [name, this.numbers[at + i]]),
      ...REPORT_WORDS.map((name, i) => [name, this.words[words + i]]),
    ]);
  }

  /** Release its memory; it cannot be used afterwards. Calling it twice is allowed. */
  free() {
    core.rigid_destroy(this.#world);
    this.#world = 0;
    for (const block of [this.#bodies, this.#points, this.#rows, this.#impulses, this.#changes, this.#joint]) {
      block.free();
    }
  }

  [Symbol.dispose]() {
    this.free();
  }
}
