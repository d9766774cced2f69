/**
 * Trees: scenarios and patches as plain objects, as YAML has them. Paths are keys with dots,
 * "contact.patch.radius", as `bristle run --set` takes them; lists are values, not places.
 */

/** @typedef {null | boolean | number | string | any[] | {[key: string]: any}} Tree */

/** @param {any} value @returns {value is {[key: string]: any}} */
export const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** @template T @param {T} tree @returns {T} */
export const copy = (tree) => structuredClone(tree);

/** Does a tree have a key of its own? @param {any} tree @param {string} key */
const hasKey = (tree, key) => tree !== null && tree !== undefined && Object.hasOwn(tree, key);

/**
 * The value at a path; undefined where there is none.
 * @param {any} tree @param {string} path @returns {any}
 */
export function get(tree, path) {
  return path.split(".").reduce((at, key) => (hasKey(at, key) ? at[key] : undefined), tree);
}

/**
 * Put a value at a path, creating maps where needed; undefined takes the key out. Keys that objects inherit are never
 * followed: a path may come from an address.
 * @param {any} tree @param {string} path @param {any} value
 */
export function set(tree, path, value) {
  const keys = path.split(".");
  if (keys.includes("__proto__")) throw new Error(`${path}: __proto__ is not a key`);
  const last = /** @type {string} */ (keys.pop());
  let at = tree;
  for (const key of keys) {
    if (!hasKey(at, key) || at[key] === null || typeof at[key] !== "object") at[key] = {};
    at = at[key];
  }
  if (value === undefined) delete at[last];
  else at[last] = value;
}

/**
 * What turns `from` into `to`: pairs of path and value, undefined where a key is gone. A map of another kind
 * or shape is one value, since its keys mean other things.
 * @param {any} from @param {any} to @param {string} [path] @returns {[string, any][]}
 */
export function difference(from, to, path = "") {
  if (isMap(from) && isMap(to) && from.kind === to.kind && from.shape === to.shape) {
    const keys = new Set([...Object.keys(from), ...Object.keys(to)]);
    return [...keys].flatMap((key) => difference(from[key], to[key], path ? `${path}.${key}` : key));
  }
  return JSON.stringify(from) === JSON.stringify(to) ? [] : [[path, to]];
}

/** A number rounded to a step, without the tail that binary fractions leave. @param {number} x @param {number} step */
export function rounded(x, step) {
  return Number((Math.round(x / step) * step).toPrecision(12));
}
