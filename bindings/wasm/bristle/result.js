// Results of a run: columns by name, events, a summary.

import { filled } from "./arrays.js";
import { core, doubles_at, text_at, word_at } from "./core.js";

/**
 * An event at an instant.
 * @typedef {object} Event
 * @property {number} t [s]
 * @property {string} kind "stick", "slip", "open", ...
 * @property {number} contact index of the body's contact
 */

/** A column: numbers, or words. @typedef {Float64Array | string[]} Column */

/** The columns of the energy balance [J]. */
export const ENERGY = [
  "kinetic",
  "stored",
  "dissipated",
  "work_loads",
  "work_gravity",
  "work_normal",
  "work_contacts",
  "residual",
];

const COST = ["steps", "rejected", "evaluations", "jacobians", "factorisations"];

/** Columns by name: `result.columns.y`, or `result.get("y")`. Returned by `run` and the `simulate` methods. */
export class Result {
  /**
   * @param {string} kind kind of scenario: "body", "mechanism", ...
   * @param {Record<string, Column>} columns
   * @param {Event[]} events in order
   * @param {Record<string, number | string>} summary numbers of the whole run, by name
   */
  constructor(kind, columns, events = [], summary = {}) {
    this.kind = kind;
    this.columns = columns;
    this.events = events;
    this.summary = summary;
    /** of the columns, if known @type {Record<string, string>} */
    this.units = {};
    /** of the run, sentences @type {string[]} */
    this.warnings = [];
    /** a summary of the run */
    this.text = "";
  }

  /**
   * A column.
   * @param {string} name
   * @returns {any}
   */
  get(name) {
    return this.columns[name];
  }

  /** Names of the columns, in order. */
  names() {
    return Object.keys(this.columns);
  }

  /** Number of rows. */
  get rows() {
    const [first] = Object.values(this.columns);
    return first ? first.length : 0;
  }

  /** The columns of the energy balance [J], by name; empty if there is none. */
  get energy() {
    const there = ENERGY.filter((name) => name in this.columns);
    return Object.fromEntries(there.map((name) => [name, this.columns[name]]));
  }

  /** The columns as CSV, as the command writes them: a header, then a row for each instant. */
  to_csv() {
    const names = this.names();
    const lines = [names.join(",")];
    for (let i = 0; i < this.rows; i++) {
      lines.push(names.map((name) => String(this.columns[name][i])).join(","));
    }
    return lines.join("\n") + "\n";
  }
}

const NAME = 24; // bytes of a column's name; unit and words follow

/** Description of a column. @typedef {{ name: string, unit: string, words: string[] | null }} About */

/**
 * Columns in the module's memory.
 * @param {number} address
 * @param {number} count
 * @returns {About[]}
 */
export function columns_at(address, count) {
  return Array.from({ length: count }, (_, i) => {
    const at = address + (NAME + 8) * i;
    return { name: text_at(at), unit: text_at(word_at(at + NAME)), words: word_list(word_at(at + NAME + 4)) };
  });
}

/** @param {number} address of a 0-terminated array of texts; 0: none */
function word_list(address) {
  if (!address) {
    return null;
  }
  /** @type {string[]} */
  const words = [];
  for (let at = address; word_at(at); at += 4) {
    words.push(text_at(word_at(at)));
  }
  return words;
}

/**
 * Columns from rows of numbers.
 * @param {Float64Array} rows
 * @param {readonly About[]} about
 * @returns {Record<string, Column>}
 */
export function columns_of(rows, about) {
  const count = rows.length / about.length;
  return Object.fromEntries(
    about.map(({ name, words }, k) => {
      const numbers = Float64Array.from({ length: count }, (_, i) => rows[i * about.length + k]);
      return [name, words ? Array.from(numbers, (place) => words[place]) : numbers];
    }),
  );
}

/** @param {readonly About[]} about */
export function units_of(about) {
  return Object.fromEntries(about.map(({ name, unit }) => [name, unit]));
}

/**
 * Copy the data of a record of the module, and free it.
 * @param {number} record
 */
export function take_record(record) {
  try {
    const about = columns_at(core.record_columns(record), core.record_column_count(record));
    const rows = doubles_at(core.record_rows(record), core.record_row_count(record) * about.length);
    const report = doubles_at(core.record_report(record), 9);
    const columns = columns_of(rows, about);
    return { columns, units: units_of(about), events: events_of(record), cost: cost_of(record), report };
  } finally {
    core.record_destroy(record);
  }
}

/**
 * @param {number} record
 * @returns {Event[]}
 */
function events_of(record) {
  const first = core.record_events(record);
  return Array.from({ length: core.record_event_count(record) }, (_, i) => {
    const [t, kind, contact] = doubles_at(first + 24 * i, 3);
    return { t, kind: text_at(core.event_name(kind)), contact };
  });
}

/**
 * @param {number} record
 * @returns {Record<string, number>}
 */
function cost_of(record) {
  const numbers = filled(COST.length, (address) => core.record_cost(record, address));
  return Object.fromEntries(COST.map((name, i) => [name, numbers[i]]));
}

/**
 * Options of a run.
 * @typedef {object} RunOptions
 * @property {number} [every] time between rows [s]; 0: 200 rows
 * @property {import("./arrays.js").Numbers} [at] rows at these times instead [s]
 * @property {string} [method] rosenbrock (adaptive) or fixed
 * @property {number} [step] of "fixed" [s]
 * @property {number} [rtol] tolerance [-]; 0: default
 * @property {number} [atol] of positions and velocities [m, m/s]; 0: default
 * @property {number} [atol_z] of bristles [m]; 0: default
 * @property {number} [max_step] [s]
 * @property {(t: number) => unknown} [stop] called after every step with the time [s]: true ends the run with a
 *   StoppedError
 */

/** Names of the options of a run. */
export const RUN_OPTIONS = ["every", "at", "method", "step", "rtol", "atol", "atol_z", "max_step", "stop"];

/**
 * The numbers of a br_run_def.
 * @param {number} duration
 * @param {RunOptions} options
 */
export function run_numbers(duration, options) {
  const { every = 0, step = 0, rtol = 0, atol = 0, atol_z = 0, max_step = Infinity } = options;
  return [duration, every, step, rtol, atol, atol_z, max_step];
}
