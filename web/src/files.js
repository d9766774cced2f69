/**
 * Files that are dropped or opened: a scenario or a patch as YAML, and the CSV files that it names. Those become
 * part of the tree, since a page has no folder to look into, and an address holds all that is seen.
 */
import { LineCounter, isMap as isYamlMap, isSeq, parseDocument } from "yaml";
import "bristle/yaml.js"; // the module reads text with it
import { MOST_ACROSS, checkCount } from "./budget.js";
import { readCsv } from "./csv.js";
import { isMap } from "./tree.js";

/** @typedef {import('./drops.js').TextFile} TextFile */

/** A scenario or patch as it was dropped. */
export class Dropped {
  /** @param {string} text @param {string} name @param {Record<string, string>} tables CSV files, by name */
  constructor(text, name, tables) {
    this.text = text;
    this.name = name;
    this.tables = tables;
    this.counter = new LineCounter();
    this.document = parseDocument(text, { lineCounter: this.counter });
    const [broken] = this.document.errors;
    if (broken)
      throw new Error(
        `${name}:${this.counter.linePos(broken.pos[0]).line}: is not YAML: ${broken.message.split("\n")[0]}`,
      );
    this.tree = this.document.toJS({ maxAliasCount: 100 });
    if (!isMap(this.tree)) throw new Error(`${name}:1: must be a map of keys and values, such as \`shape: disc\``);
  }

  /** The line of a key, "pressure.k" or "vertices[3]"; of the nearest above it where it is absent. @param {string} key */
  line(key) {
    let node = /** @type {any} */ (this.document.contents),
      line = 1;
    for (const part of key.split(/[.[\]]+/).filter(Boolean)) {
      const pair = isYamlMap(node) ? node.items.find((item) => String(item.key) === part) : undefined;
      const next = pair ? pair.value : isSeq(node) ? node.items[Number(part)] : undefined;
      const at = pair ? /** @type {any} */ (pair.key) : next;
      if (!at?.range) break;
      line = this.counter.linePos(at.range[0]).line;
      node = next;
    }
    return line;
  }

  /** Errors with their lines. @param {{key: string, text: string}[]} errors */
  error(errors) {
    return new Error(
      errors
        .map(({ key, text }) => [`${this.name}:${this.line(key)}`, key, text].filter(Boolean).join(": "))
        .join("\n"),
    );
  }

  /** The tree with its tables inside; a motion's file also gives the duration and the rows. */
  whole() {
    const tree = this.#inline(this.tree, "");
    const times = this.tree.motion?.file ? (tree.motion.vx ?? tree.motion.velocity).times : null;
    return times ? { duration: times.at(-1), output: { every: times[1] - times[0] }, ...tree } : tree;
  }

  /** @param {any} value @param {string} key @returns {any} */
  #inline(value, key) {
    if (Array.isArray(value)) return value.map((entry, i) => this.#inline(entry, `${key}[${i}]`));
    if (!isMap(value)) return value;
    const named =
      typeof value.file === "string" ? "file" : key === "pusher" && typeof value.path === "string" ? "path" : "";
    if (named) return this.#withTable(value, named, key);
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [name, this.#inline(entry, key ? `${key}.${name}` : name)]),
    );
  }

  /** @param {any} value @param {string} named @param {string} key */
  #withTable(value, named, key) {
    const { [named]: name, column, ...rest } = value;
    const text = Object.hasOwn(this.tables, name) ? this.tables[name] : undefined;
    if (text === undefined)
      throw this.error([
        { key: key ? `${key}.${named}` : named, text: `${name} is not here: drop it together with ${this.name}` },
      ]);
    const { columns, rows } = readCsv(text, name);
    const all = (/** @type {string} */ wanted) => rows.map((row) => row[columns.indexOf(wanted)]);
    const profile = (/** @type {string} */ wanted) => ({
      kind: "table",
      times: all("t"),
      values: all(wanted),
      ...rest,
    });
    if (column) return profile(column);
    if (value.shape === "grid") return { ...rest, cells: rows };
    if (named === "path")
      return { ...rest, points: rows.map((row) => ["t", "x", "y"].map((wanted) => row[columns.indexOf(wanted)])) };
    if (columns.includes("vx")) return { vx: profile("vx"), vy: profile("vy"), w: profile("w") };
    return { velocity: profile("v"), ...(columns.includes("fn") ? { normal_force: profile("fn") } : {}) };
  }
}

/** A map of pressure from a sensor: a CSV file without a header, or a picture. Null for other files. @param {TextFile} file @returns {number[][] | null} */
export function mapOf({ name, text, cells }) {
  if (!cells && !/\.csv$/i.test(name)) return null;
  const { columns, rows } = cells ? { columns: [], rows: cells } : readCsv(text, name);
  if (columns.length) return null; // a table over time
  if (!rows.length || rows.some((row) => row.length !== rows[0].length))
    throw new Error(`${name}: is no map of pressure: all of its rows must be equally long`);
  checkCount(`${name}: cells`, rows.length * rows[0].length, MOST_ACROSS ** 2);
  const map = rows.map((row) => row.map((p) => Math.max(p, 0))); // sensors without load are a little below 0
  if (!map.flat().some((p) => p > 0)) throw new Error(`${name}: is a map without any pressure`);
  return map;
}

/** @param {TextFile[]} files as they were dropped */
export function readDropped(files) {
  const main =
    files.find(({ name }) => /\.(ya?ml|json)$/i.test(name)) ?? files.find(({ name }) => !/\.csv$/i.test(name));
  if (!main) throw new Error(`${files[0].name}: is no scenario: drop a .yaml file, with the .csv files that it names`);
  return new Dropped(
    main.text,
    main.name,
    Object.fromEntries(files.filter((file) => file !== main).map(({ name, text }) => [name, text])),
  );
}
