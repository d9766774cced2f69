// Scenarios from YAML text, or from objects with the same keys.

import { core, Definition, double_at, doubles_at, during, made } from "./core.js";
import { put_text, put_words, reserve, text_at, within, word_at } from "./core.js";
import { AbsentError, DefinitionError } from "./errors.js";
import { expect_options } from "./options.js";
import { columns_at, columns_of, Result, units_of } from "./result.js";

/** @typedef {import("./result.js").Event} Event */

/**
 * An error in a scenario, and its position.
 * @typedef {object} ScenarioProblem
 * @property {string} file the file, or the name of the object
 * @property {number} line from 1; 0: unknown
 * @property {number} column from 1; 0: unknown
 * @property {string} key "contact.patch.radius"
 * @property {string} text what is wrong and what is allowed
 * @property {string} allowed only what is allowed
 * @property {string} nearest the nearest allowed word
 */

/**
 * An error in one line, as the command prints it.
 * @param {ScenarioProblem} problem
 */
function problem_text({ file, line, key, text }) {
  return [line ? `${file}:${line}` : file, key, text].filter(Boolean).join(": ");
}

/** A scenario with errors, all of them in `problems`. */
export class ScenarioError extends DefinitionError {
  /** @param {ScenarioProblem[]} problems */
  constructor(problems) {
    super(problems[0].key, problems[0].text);
    this.problems = problems;
    this.message = problems.map(problem_text).join("\n");
  }

  /** The name of `problems` in version 0.2. */
  get mistakes() {
    return this.problems;
  }
}

/** The kinds of values in a tree, by their numbers in C. */
const KINDS = { nothing: 0, flag: 1, number: 2, text: 3, list: 5, map: 6 };

/**
 * A value of a tree, its position in a text (0: unknown), and its key in a map.
 * @typedef {object} TreeValue
 * @property {keyof typeof KINDS} kind
 * @property {string} [key]
 * @property {number} [number]
 * @property {string} [text]
 * @property {TreeValue[]} [children]
 * @property {number} [line]
 * @property {number} [column]
 */

/**
 * A tree from objects, arrays, text, numbers, true, false and null.
 * @param {any} value
 * @returns {TreeValue}
 */
function tree_of(value) {
  if (value === null || value === undefined) {
    return { kind: "nothing" };
  }
  switch (typeof value) {
    case "boolean":
      return { kind: "flag", number: value ? 1 : 0 };
    case "number":
      return { kind: "number", number: value };
    case "string":
      return { kind: "text", text: value };
    case "object":
      break;
    default:
      throw new TypeError(`a scenario holds objects, arrays, text and numbers, got ${typeof value}`);
  }
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const list = Array.from(/** @type {any} */ (value));
    return { kind: "list", children: list.map(tree_of) };
  }
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return { kind: "map", children: entries.map(([key, entry]) => ({ key, ...tree_of(entry) })) };
}

/**
 * A tree in the module's memory.
 * @param {TreeValue} value
 * @param {number} array
 * @param {number} index
 */
function put_tree(value, array, index) {
  const children = value.children ?? [];
  const below = children.length ? reserve(children.length * core.tree_size()) : 0;
  children.forEach((child, i) => put_tree(child, below, i));
  const key = value.key === undefined ? 0 : put_text(value.key);
  const text = value.text === undefined ? 0 : put_text(value.text);
  const what = [KINDS[value.kind], key, value.number ?? 0, text, below, children.length];
  core.tree_set(array, index, ...what, value.line ?? 0, value.column ?? 0);
}

/**
 * Reads YAML text; null until ./yaml.js is imported.
 * @type {((text: string, name: string) => TreeValue) | null}
 */
let read_yaml = null;

/**
 * Set the reader of YAML text.
 * @param {(text: string, name: string) => TreeValue} reader returns a tree, or throws a ScenarioError
 */
export function use_yaml(reader) {
  read_yaml = reader;
}

/**
 * @param {string | object} source
 * @param {string} name
 */
function read_source(source, name) {
  if (typeof source !== "string") {
    return tree_of(source);
  }
  if (!read_yaml) {
    throw new AbsentError("yaml", 'import "./yaml.js" to read text, or pass an object');
  }
  return read_yaml(source, name);
}

/**
 * @param {any} value
 * @returns {value is object}
 */
function has_parts(value) {
  return typeof value === "object" && value !== null;
}

// "contact.patch.vertices[3]" is contact, patch, vertices, 3
/** @param {string} path */
function keys_of(path) {
  return path.split(/\.|(?=\[)/).map((key) => (key.startsWith("[") ? Number(key.slice(1, -1)) : key));
}

/**
 * A copy of the tree with another value at a path.
 * @param {TreeValue} tree
 * @param {(string | number)[]} path
 * @param {TreeValue} value
 * @returns {TreeValue}
 */
function with_value(tree, [first, ...rest], value) {
  const children = [...(tree.children ?? [])];
  const found = typeof first === "number" ? first : children.findIndex(({ key }) => key === first);
  const place = found >= 0 ? found : children.length;
  const key = typeof first === "number" ? undefined : first;
  const old = children[place] ?? { kind: "map", children: [] };
  children[place] = { ...(rest.length ? with_value(old, rest, value) : value), key };
  return { ...tree, children };
}

/**
 * @typedef {object} ScenarioOptions
 * @property {Record<string, any>} [set] values that replace its own, by their full keys: { "friction.mu": 0.3 }
 * @property {string} [name] of a text or object, in messages
 * @property {Record<string, string | Uint8Array>} [files] that it refers to, by name
 */

/**
 * A scenario that has been read and can be run.
 *
 *     const box = new Scenario({
 *       body: { mass: 1, inertia: 0.01, velocity: [1, 0, 0] },
 *       friction: { mu: 0.3 },
 *       contact: { frame: "body", patch: { shape: "disc", radius: 0.05 }, normal_force: 9.81 },
 *       duration: 0.5,
 *     });
 *     box.run().get("x").at(-1); // 0.17: v^2/(2 mu g)
 */
export class Scenario extends Definition {
  /** @type {TreeValue} */
  #tree;
  /** @type {ScenarioOptions} */
  #options;

  /**
   * @param {string | object} source YAML or JSON text (needs "./yaml.js"), or an object with the same
   *   keys
   * @param {ScenarioOptions} [options]
   */
  constructor(source, options = {}) {
    super();
    expect_options("Scenario", options, ["set", "name", "files"]);
    const { name = "scenario" } = options;
    const { set = {}, ...others } = options;
    this.#options = others;
    this.#tree = source instanceof Scenario ? source.#tree : read_source(source, name);
    const words = Object.entries(set).filter(([, value]) => !has_parts(value));
    for (const [key, value] of Object.entries(set)) {
      if (has_parts(value)) {
        this.#tree = with_value(this.#tree, keys_of(key), tree_of(value));
      }
    }
    const scenario = this.#read(name, words);
    this._hold(scenario, core.scenario_destroy);
    /** kind of scenario: "body", "law + motion", ... */
    this.kind = text_at(core.scenario_kind(scenario));
    /** [s] */
    this.duration = core.scenario_duration(scenario);
    /** number of rows, unless it ends early */
    this.rows = core.scenario_row_count(scenario);
    /** notes of the reader */
    this.text = text_at(core.scenario_text(scenario));
    this.warnings = texts(scenario, core.scenario_warning_count, core.scenario_warning);
    /** files that it refers to and that were read */
    this.files = texts(scenario, core.scenario_file_count, core.scenario_file);
    Object.freeze(this);
  }

  /**
   * @param {string} name
   * @param {[string, any][]} words
   */
  #read(name, words) {
    return within(() => {
      const tree = reserve(core.tree_size());
      put_tree(this.#tree, tree, 0);
      const overrides = words.map(([key, value]) => put_text(`${key}=${value ?? "''"}`));
      const where = [tree, put_text(name), put_words([...overrides, 0])];
      const { files } = this.#options;
      const scenario = during({ files }, () => made(core.scenario_read_tree(...where)));
      const problems = problems_of(scenario);
      if (problems.length) {
        core.scenario_destroy(scenario);
        throw new ScenarioError(problems);
      }
      return scenario;
    });
  }

  /**
   * The same scenario with other values, without parsing it again; for sweeps.
   * @param {Record<string, any>} set
   */
  variant(set) {
    return new Scenario(this, { ...this.#options, set });
  }

  /**
   * Run it.
   * @param {object} [options]
   * @param {(t: number) => unknown} [options.stop] called after every step with the time [s]: true ends the run with
   *   a StoppedError
   */
  run(options = {}) {
    expect_options("Scenario.run", options, ["stop"]);
    const { stop } = options;
    const table = during({ stop }, () => made(core.scenario_run(this._handle, stop ? 1 : 0)));
    try {
      return result_of(this.kind, this.warnings, table);
    } finally {
      core.table_destroy(table);
    }
  }
}

/**
 * @param {number} thing
 * @param {(thing: number) => number} count
 * @param {(thing: number, index: number) => number} get
 */
function texts(thing, count, get) {
  return Array.from({ length: count(thing) }, (_, i) => text_at(get(thing, i)));
}

/**
 * @param {number} scenario
 * @returns {ScenarioProblem[]}
 */
function problems_of(scenario) {
  return Array.from({ length: core.scenario_error_count(scenario) }, (_, i) => {
    const at = core.scenario_error(scenario, i);
    const [file, line, column, key, text, allowed, nearest] = words_at(at, 7);
    return {
      file: text_at(file),
      line,
      column,
      key: text_at(key),
      text: text_at(text),
      allowed: text_at(allowed),
      nearest: text_at(nearest),
    };
  });
}

/**
 * @param {number} address
 * @param {number} count
 */
function words_at(address, count) {
  return Array.from({ length: count }, (_, i) => word_at(address + 4 * i));
}

/**
 * @param {string} kind
 * @param {string[]} warnings of reading
 * @param {number} table
 */
function result_of(kind, warnings, table) {
  const about = columns_at(core.table_columns(table), core.table_column_count(table));
  const rows = doubles_at(core.table_rows(table), core.table_row_count(table) * about.length);
  const result = new Result(kind, columns_of(rows, about), table_events(table), table_values(table));
  result.units = units_of(about);
  result.text = text_at(core.table_text(table));
  result.warnings = [...warnings, ...texts(table, core.table_warning_count, core.table_warning)];
  return result;
}

/**
 * @param {number} table
 * @returns {Event[]}
 */
function table_events(table) {
  return Array.from({ length: core.table_event_count(table) }, (_, i) => {
    const at = core.table_event(table, i);
    const [contact, kind] = words_at(at + 8, 2);
    return { t: double_at(at), kind: text_at(kind), contact: Math.max(contact - 1, 0) };
  });
}

/**
 * @param {number} table
 * @returns {Record<string, number | string>}
 */
function table_values(table) {
  return Object.fromEntries(
    Array.from({ length: core.table_value_count(table) }, (_, i) => {
      const at = core.table_value(table, i);
      const word = word_at(at + 16);
      return [text_at(word_at(at)), word ? text_at(word) : double_at(at + 8)];
    }),
  );
}

/**
 * Run a scenario: YAML text or an object; `set` replaces values by their full keys.
 * @param {string | object} source
 * @param {ScenarioOptions & { stop?: (t: number) => unknown }} [options]
 */
export function run(source, options = {}) {
  expect_options("run", options, ["set", "name", "files", "stop"]);
  const { stop, ...others } = options;
  const scenario = new Scenario(source, others);
  try {
    return scenario.run({ stop });
  } finally {
    scenario.free();
  }
}
