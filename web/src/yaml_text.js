/** Trees as YAML text, as a person would write it. */
import { Document, isScalar, isSeq, visit } from "yaml";

const LINE = 96; // a map or list that fits into so many characters is on one line

/** @param {any} node @returns {boolean} */
const flat = (node) => isSeq(node) && node.items.every((item) => isScalar(item));

/**
 * @param {any} tree @param {string} [comment] above it
 * @returns {string}
 */
export function toYaml(tree, comment) {
  const document = new Document(tree);
  visit(document, {
    Collection(key, node, path) {
      if (path.length < 2) return; // keys of the file are below each other
      const { items } = /** @type {any} */ (node);
      if (items.length === 0 || flat(node) || JSON.stringify(node).length < LINE) /** @type {any} */ (node).flow = true;
    },
  });
  const text = document.toString({ lineWidth: 110, flowCollectionPadding: false, indent: 2 });
  return comment
    ? `${comment
        .split("\n")
        .map((line) => `# ${line}`)
        .join("\n")}\n${text}`
    : text;
}
