// Friction that depends on the direction of sliding.

import { choose } from "./arrays.js";
import { expect_options } from "./options.js";

const AXES = ["body", "ground"];

/**
 * Friction of each point with |A^-1 f| <= mu fn, f = -mu fn A^2 v/|A v|: mu holds along the second axis, ratio times mu along
 * the first. Stiffness, damping and viscous friction are ratio^2 times as large along the first axis.
 * @typedef {object} Anisotropy
 * @property {number} [ratio] friction along the first axis over that along the second [-], 1e-3 to 1e3
 * @property {number} [angle] of the first axis from x of the contact frame, or of the ground [rad]
 * @property {string} [axes] what the axes are fixed to: body, the side with the patch, or ground, the other one
 */

/**
 * An anisotropy with all its members; null is isotropic.
 * @param {Anisotropy | null} given
 * @returns {Readonly<Required<Anisotropy>>}
 */
export function anisotropy_of(given) {
  expect_options("anisotropy", given ?? {}, ["ratio", "angle", "axes"]);
  const { ratio = 1, angle = 0, axes = "body" } = given ?? {};
  choose(axes, AXES, "anisotropy.axes");
  return Object.freeze({ ratio, angle, axes });
}

/**
 * In the form that the module expects.
 * @param {Readonly<Required<Anisotropy>>} of
 * @returns {[number, number, number]}
 */
export function anisotropy_numbers({ ratio, angle, axes }) {
  return [ratio, angle, AXES.indexOf(axes)];
}
