// Scenarios from YAML text, by the package "yaml": import this file, then `new Scenario(text)` accepts text.

import { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments } from "yaml";
import { ScenarioError, use_yaml } from "./scenario.js";

/** @typedef {import("./scenario.js").TreeValue} TreeValue */

/** Reads one text. */
class Reading {
  /**
   * @param {string} text
   * @param {string} name
   */
  constructor(text, name) {
    this.name = name;
    this.lines = new LineCounter();
    this.documents = parseAllDocuments(text, { lineCounter: this.lines, uniqueKeys: false });
  }

  /**
   * @param {number} offset in the text
   * @param {string} text the error
   * @returns {never}
   */
  fail(offset, text) {
    const { line, col } = this.lines.linePos(offset);
    const place = { file: this.name, line, column: col };
    throw new ScenarioError([{ ...place, key: "", text, allowed: "", nearest: "" }]);
  }

  /** @returns {TreeValue} */
  tree() {
    const { documents } = this;
    if (!Array.isArray(documents) || documents.length === 0) {
      const place = { file: this.name, line: 0, column: 0, key: "" };
      throw new ScenarioError([{ ...place, text: "is empty", allowed: "", nearest: "" }]);
    }
    const [document, another] = documents;
    const [error] = document.errors;
    if (error) {
      this.fail(error.pos[0], `is not YAML: ${error.message.split("\n")[0]}`);
    }
    if (another) {
      this.fail(another.range[0], "holds more than one YAML document");
    }
    if (!isMap(document.contents)) {
      const got = isSeq(document.contents) ? "a list" : "a single value";
      this.fail(document.range[0], `must be a map of keys (key: value); got ${got}`);
    }
    return this.value(document.contents, undefined, 0);
  }

  /**
   * A value; its position is that of its key, as in the command.
   * @param {any} node
   * @param {string | undefined} key
   * @param {number} offset of the key
   * @returns {TreeValue}
   */
  value(node, key, offset) {
    const start = node?.range?.[0] ?? offset;
    this.refuse(node, start);
    const { line, col } = this.lines.linePos(key === undefined ? start : offset);
    const place = { key, line, column: col };
    if (isMap(node)) {
      return { ...place, kind: "map", children: this.entries(node) };
    }
    if (isSeq(node)) {
      const children = node.items.map((item) => this.value(item, undefined, start));
      return { ...place, kind: "list", children };
    }
    return { ...place, kind: "text", text: scalar_text(node) };
  }

  /**
   * @param {any} node
   * @param {number} offset
   */
  refuse(node, offset) {
    if (isAlias(node)) {
      this.fail(offset, "aliases (*name) are not allowed; repeat the value");
    }
    if (node?.anchor) {
      this.fail(offset, "anchors (&name) are not allowed; repeat the value");
    }
  }

  /** @param {import("yaml").YAMLMap} map */
  entries(map) {
    const seen = new Set();
    return map.items.map((/** @type {any} */ { key, value }) => {
      const offset = key?.range?.[0] ?? 0;
      this.refuse(key, offset);
      if (!isScalar(key)) {
        this.fail(offset, "a key must be a plain word");
      }
      const name = scalar_text(key);
      if (seen.has(name)) {
        this.fail(offset, `${name.slice(0, 60)}: the key is there twice`);
      }
      seen.add(name);
      return this.value(value, name, offset);
    });
  }
}

/**
 * The text of a scalar as it was written: "1e-3" stays so in messages.
 * @param {any} node
 */
function scalar_text(node) {
  return node ? String(node.source ?? node.value ?? "") : "";
}

use_yaml((text, name) => new Reading(text, name).tree());
