/** Kinds of grip, and fingertips: trees of scenarios, and what they are called. */
import { rounded } from "../tree.js";

const KNOTS = 11; // of a drawn grip

export const START = {
  body: { mass: 0.2, size: [0.15, 0.1], pose: [0.002, 0, 0] },
  gravity: [0, -9.81],
  friction: { mu: 1 },
  contact: {
    frame: "world",
    count: 2,
    patch: { shape: "disc", radius: 0.01 },
    normal_force: { kind: "sine", mean: 1.73, amplitude: 0.91, frequency: 2, hold: 0.01 },
  },
  duration: 2,
  output: { every: 0.01, energy: true, contacts: true },
};

export const TIPS = /** @type {Record<string, any>} */ ({
  disc: { shape: "disc", radius: 0.01 },
  soft: {
    shape: "disc",
    radius: { coefficient: 0.008, exponent: 1 / 3, max: 0.014 },
    pressure: { kind: "power", k: 2 },
  },
  ring: { shape: "ring", radius: 0.01 },
  pad: { shape: "rectangle", size: [0.02, 0.012] },
  edge: { shape: "line", length: 0.02 },
  prongs: {
    shape: "points",
    points: [
      [-0.008, 0, 1],
      [0.008, 0, 1],
    ],
  },
});

/** @type {Record<string, (grip: number, duration: number) => any>} ways to grip */
export const GRIPS = {
  constant: (grip) => grip,
  hand: (grip) => ({ kind: "steps", times: [0], values: [grip] }),
  sine: (grip) => ({ kind: "sine", mean: grip, amplitude: rounded(grip / 2, 0.01), frequency: 2, hold: 0.01 }),
  table: (grip, duration) => ({
    kind: "table",
    times: Array.from({ length: KNOTS }, (_, i) => rounded((i * duration) / (KNOTS - 1), 1e-3)),
    values: Array(KNOTS).fill(grip),
  }),
  drop: (grip) => ({ kind: "steps", times: [0, 0.5], values: [grip, 0] }),
  control: (grip) => ({
    kind: "control",
    start: Math.max(grip, 0.5),
    aim: 0.8,
    period: 0.01,
    slip_limit: 0.001,
    release: 0.2,
  }),
};

/** @param {any} grip a normal force as a scenario has it */
export const gripKind = (grip) =>
  typeof grip === "number"
    ? "constant"
    : grip.kind === "steps"
      ? grip.values.at(-1) === 0
        ? "drop"
        : "hand"
      : grip.kind;

/** A number that represents a grip. @param {any} grip */
export function gripLevel(grip) {
  if (typeof grip === "number") return grip;
  return grip.mean ?? grip.start ?? Math.max(...(grip.values ?? [2]));
}

/** The scene's own contact; scenarios with several have their first one shown. @param {any} tree */
export const contactOf = (tree) => tree.contact ?? tree.contacts?.[0];

/** @param {any} patch */
export const tipKind = (patch) =>
  patch.shape === "disc"
    ? typeof patch.radius === "number"
      ? "disc"
      : "soft"
    : ({ ring: "ring", rectangle: "pad", line: "edge", points: "prongs" }[/** @type {string} */ (patch.shape)] ??
      "own");
