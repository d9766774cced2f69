// What a run in time leaves: columns by name, events, a summary.

import { filled } from "./arrays.js";
import { core, doubles_at, text_at } from "./core.js";

/**
 * Something that happened at an instant.
 * @typedef {object} Event
 * @property {number} t [s]
 * @property {string} kind "stick", "slip", "open", ...
 * @property {number} contact index of the body's contact
 */

/** A column: numbers, or words. @typedef {Float64Array | string[]} Column */

/** The columns of the balance of energy [J]. */
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

/** Columns by name: `result.columns.y`, or `result.get("y")`. Made by `run` and the `simulate` methods. */
export class Result {
  /**
   * @param {string} kind what ran: "body", "mechanism", ...
   * @param {Record<string, Column>} columns
   * @param {Event[]} events in order
   * @param {Record<string, number | string>} summary numbers of the whole run, by name
   */
  constructor(kind, columns, events = [], summary = {}) {
    this.kind = kind;
    this.columns = columns;
    this.events = events;
    this.summary = summary;
    /** of the columns, where they are known @type {Record<string, string>} */
    this.units = {};
    /** of the run, sentences @type {string[]} */
    this.warnings = [];
    /** the run in words */
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

  /** The columns of the balance of energy [J], by name; empty where there is none. */
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

/**
 * Columns from rows of numbers.
 * @param {Float64Array} rows
 * @param {readonly string[]} names
 * @returns {Record<string, Float64Array>}
 */
export function columns_of(rows, names) {
  const count = rows.length / names.length;
  return Object.fromEntries(
    names.map((name, k) => [
      name,
      Float64Array.from({ length: count }, (_, i) => rows[i * names.length + k]),
    ]),
  );
}

/**
 * What a record of the module has; it is freed.
 * @param {number} record
 * @param {readonly string[]} names of its columns
 */
export function take_record(record, names) {
  try {
    const count = core.record_row_count(record);
    const rows = doubles_at(core.record_rows(record), count * names.length);
    const report = doubles_at(core.record_report(record), 8);
    return { columns: columns_of(rows, names), events: events_of(record), cost: cost_of(record), report };
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
 * What to compute.
 * @typedef {object} RunOptions
 * @property {number} [every] rows each so many seconds [s]; 0: 200 of them
 * @property {import("./arrays.js").Numbers} [at] rows at these times instead [s]
 * @property {string} [method] rosenbrock (adaptive) or fixed
 * @property {number} [step] of "fixed" [s]
 * @property {number} [rtol] tolerance [-]; 0: the usual one
 * @property {number} [atol] of places and velocities [m, m/s]; 0: the usual one
 * @property {number} [atol_z] of bristles [m]; 0: the usual one
 * @property {number} [max_step] [s]
 * @property {(t: number) => unknown} [stop] asked after every step, with the time [s]: true ends the run with a
 *   StoppedError
 */

/**
 * The numbers of a br_run_def.
 * @param {number} duration
 * @param {RunOptions} options
 */
export function run_numbers(duration, options) {
  const { every = 0, step = 0, rtol = 0, atol = 0, atol_z = 0, max_step = Infinity } = options;
  return [duration, every, step, rtol, atol, atol_z, max_step];
}
