/**
 * The state in the address: #scene?path=value&..., only what differs from the scene's start, with the paths
 * and values that `bristle run --set` takes. A value is JSON; a word may stand without quotes, and nothing
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
const plain = (/** @type {string} */ text) =>
  encodeURIComponent(text).replace(
    /%(2C|3A|5B|5D|7B|7D|22|20)/g,
    (code) =>
      ({ "%2C": ",", "%3A": ":", "%5B": "[", "%5D": "]", "%7B": "(", "%7D": ")", "%22": "'", "%20": "+" })[code] ??
      code,
  );
const unplain = (/** @type {string} */ text) =>
  decodeURIComponent(text.replaceAll("+", "%20")).replaceAll("(", "{").replaceAll(")", "}").replaceAll("'", '"');

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
 * @param {string} fragment @param {any} start @returns {any} the state
 */
export function fromAddress(fragment, start) {
  const state = copy(start);
  const query = fragment.includes("?") ? fragment.slice(fragment.indexOf("?") + 1) : "";
  for (const pair of query.split("&").filter(Boolean)) {
    const at = pair.indexOf("=");
    if (at > 0) set(state, pair.slice(0, at), read(unplain(pair.slice(at + 1))));
  }
  return state;
}
