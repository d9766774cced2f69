/**
 * The state in the address: #scene?path=value&..., only what differs from the scene's start, with the paths
 * and values that `bristle run --set` takes. A value is JSON; a word may be without quotes, and nothing
 * takes a key out.
 */
import { copy, difference, set } from "./tree.js";

/** @param {any} value @returns {string} */
function write(value) {
  if (value === undefined) return "";
  if (typeof value === "string" && /^[a-z][a-z _-]*$/i.test(value) && !/^(true|false|null)$/.test(value)) return value;
  return JSON.stringify(value);
}

/** @param {string} text @returns {any} */
function read(text) {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

// what a fragment may hold as it is: links stay readable
const SHORT = { "%2C": ",", "%3A": ":", "%5B": "[", "%5D": "]", "%7B": "(", "%7D": ")", "%22": "'", "%20": "+" };
const plain = (/** @type {string} */ text) =>
  encodeURIComponent(text)
    .replace(/[()']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
    .replace(/%[2357][0-9A-D]/g, (code) => SHORT[/** @type {keyof typeof SHORT} */ (code)] ?? code);
const unplain = (/** @type {string} */ text) =>
  decodeURIComponent(
    text.replace(/[()'+]/g, (sign) => Object.entries(SHORT).find(([, short]) => short === sign)?.[0] ?? sign),
  );

/**
 * @param {string} scene @param {any} start the scene's own start @param {any} state
 * @returns {string} the fragment, with its #
 */
export function toAddress(scene, start, state) {
  const pairs = difference(start, state).map(([path, value]) => `${path}=${plain(write(value))}`);
  return `#${scene}${pairs.length ? "?" : ""}${pairs.join("&")}`;
}

/** The scene that an address names; '' for none. @param {string} fragment */
export const sceneOf = (fragment) => fragment.replace(/^#/, "").split("?")[0];

/**
 * What an address holds; a part that cannot be read is left out and reported.
 * @param {string} fragment @param {any} start @returns {{state: any, problems: string[]}}
 */
export function fromAddress(fragment, start) {
  const state = copy(start),
    problems = [];
  const query = fragment.includes("?") ? fragment.slice(fragment.indexOf("?") + 1) : "";
  for (const pair of query.split("&").filter(Boolean)) {
    try {
      readPair(state, pair);
    } catch (error) {
      const { name, message } = /** @type {Error} */ (error);
      const why = name === "URIError" ? "a bad escape; % is followed by two hexadecimal digits, and %25 is % itself" : message;
      problems.push(`the address: "${pair}" is left out: ${why}`);
    }
  }
  return { state, problems };
}

/** @param {any} state @param {string} pair "path=value" */
function readPair(state, pair) {
  const at = pair.indexOf("=");
  if (at < 1) throw new Error("must be a key, = and a value");
  set(state, unplain(pair.slice(0, at)), read(unplain(pair.slice(at + 1))));
}
