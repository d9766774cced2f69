/** Numbers for people: lengths in mm, a few digits, units. SI inside, other units only here. */

/** @type {Record<string, [number, string]>} SI unit: factor and unit that is shown */
const SHOWN = {
  m: [1e3, "mm"],
  "m^2": [1e6, "mm²"],
  rad: [180 / Math.PI, "°"],
  s: [1, "s"],
  N: [1, "N"],
  "N m": [1e3, "mN m"],
  J: [1e3, "mJ"],
  "m/s": [1e3, "mm/s"],
  "rad/s": [1, "rad/s"],
  kg: [1, "kg"],
  "-": [1, ""],
  "%": [100, "%"],
  "1/m": [1, "1/m"],
  "s/m": [1, "s/m"],
  "N/m": [1, "N/m"],
  ms: [1e3, "ms"],
  Hz: [1, "1/s"],
};

/** Up to four digits, without a tail of zeros. @param {number} x */
export function digits(x) {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "—" : x > 0 ? "∞" : "−∞";
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text = size >= 1e5 || size < 1e-4 ? x.toExponential(2).replace("e+", "e") : String(Number(x.toPrecision(4)));
  return text.replace("-", "−");
}

/** @param {number} x in SI @param {string} unit SI unit @returns {string} */
export function quantity(x, unit) {
  const [factor, shown] = SHOWN[unit] ?? [1, unit];
  // rounding errors of what is 0 would read like a result
  const value = Math.abs(x * factor) < 1e-6 ? 0 : x * factor;
  return shown ? `${digits(value)} ${shown}` : digits(value);
}

/** Factor and name of the unit that is shown for an SI unit. @param {string} unit @returns {[number, string]} */
export const shownUnit = (unit) => SHOWN[unit] ?? [1, unit];
