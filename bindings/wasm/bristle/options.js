// Options of functions: unknown ones are refused.

/**
 * Edits (a letter inserted, removed or replaced) that turn one word into another.
 * @param {string} from
 * @param {string} to
 */
function distance(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of Array.from(from).entries()) {
    const above = row;
    row = [i + 1];
    for (let k = 0; k < to.length; k++) {
      row.push(Math.min(above[k] + (letter === to[k] ? 0 : 1), above[k + 1] + 1, row[k] + 1));
    }
  }
  return row[to.length];
}

/**
 * The nearest of some words, if it is near enough to be meant.
 * @param {string} word
 * @param {readonly string[]} words
 */
function nearest(word, words) {
  const by_distance = words.map((each) => ({ each, edits: distance(word, each) }));
  const [best] = by_distance.sort((a, b) => a.edits - b.edits);
  return best && best.edits <= Math.ceil(Math.max(word.length, best.each.length) / 3) ? best.each : undefined;
}

/**
 * Refuse options that do not exist, with the nearest name and all names.
 * @param {string} where class or function
 * @param {object} options
 * @param {readonly string[]} names
 * @param {Record<string, string>} [hints] in place of the nearest name, for words that are often tried
 */
export function expect_options(where, options, names, hints = {}) {
  if (options === null || typeof options !== "object") {
    throw new TypeError(`${where}: options must be an object { ${names.join(", ")} }, got ${options}`);
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const near = nearest(unknown, names);
    const hint = hints[unknown] ?? (near && `did you mean '${near}'?`);
    throw new TypeError(`${where}: no option '${unknown}'; ${hint ? `${hint} ` : ""}there are: ${names.join(", ")}`);
  }
}
