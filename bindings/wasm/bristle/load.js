// Loads modules of WebAssembly from the folder of this file, and formats numbers for them.

import { BristleError } from "./errors.js";

// for `using`; if the language does not have it, only the symbol is defined
if (!Symbol.dispose) {
  Object.defineProperty(Symbol, "dispose", { value: Symbol.for("Symbol.dispose") });
}

// the smallest module with a simd128 instruction: (func (result v128) i32.const 0 i8x16.splat)
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
]);

/** Functions that a module imports, under the name "bristle". @typedef {Record<string, (...numbers: number[]) => any>} Host */

/**
 * Load a WebAssembly module from the folder of this file; null if there is none. It is compiled while it downloads, if
 * the server sends its type.
 * @param {string} name
 * @param {Host} host
 * @returns {Promise<WebAssembly.WebAssemblyInstantiatedSource | null>}
 */
async function instantiate(name, host) {
  const url = new URL(name, import.meta.url);
  const imports = { bristle: host, Math: /** @type {any} */ (Math) };
  if (url.protocol === "file:") {
    const node = "node:fs/promises"; // not a literal, so that bundlers for browsers do not look for it
    const { readFile } = await import(node);
    const bytes = await readFile(url).catch(() => null);
    return bytes && WebAssembly.instantiate(bytes, imports);
  }
  const answer = await fetch(url);
  if (!answer.ok) {
    return null;
  }
  return answer.headers.get("Content-Type") === "application/wasm"
    ? WebAssembly.instantiateStreaming(answer, imports)
    : WebAssembly.instantiate(await answer.arrayBuffer(), imports);
}

/**
 * Load the best of the modules `name`-simd.wasm and `name`.wasm that this machine can run.
 * @param {string} name
 * @param {Host} host
 */
export async function load(name, host) {
  const names = [`${name}-simd.wasm`, `${name}.wasm`].slice(WebAssembly.validate(SIMD_PROBE) ? 0 : 1);
  for (const file of names) {
    const source = await instantiate(file, host);
    if (source) {
      return { name: file, exports: source.instance.exports };
    }
  }
  throw new BristleError(`${name}.wasm`, `is not beside ${import.meta.url}`);
}

/**
 * A number as C's printf("%.<digits>g") spells it.
 * @param {number} number
 * @param {number} digits
 */
export function spell(number, digits) {
  if (!Number.isFinite(number)) {
    return Number.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
  }
  const places = Math.max(digits, 1);
  const [mantissa, exponent] = number.toExponential(places - 1).split("e");
  const power = Number(exponent);
  const sign = Object.is(number, -0) ? "-" : "";
  if (power < -4 || power >= places) {
    const size = String(Math.abs(power)).padStart(2, "0");
    return `${without_zeros(mantissa)}e${power < 0 ? "-" : "+"}${size}`;
  }
  return sign + without_zeros(number.toFixed(places - 1 - power));
}

/** @param {string} digits */
function without_zeros(digits) {
  return digits.includes(".") ? digits.replace(/\.?0*$/, "") : digits;
}
