/**
 * The scenes that all engines run, with numbers of the reader's choice, and what is recorded of them. An engine is an
 * Engine of integrations/rigid/js/scenes or of box2d.js beside this file. With the numbers of the start these are
 * the scenes of integrations/rigid/js/scenes/scenes.mjs. SI units.
 */
const g = 9.81;

/** A run that slipped further than this did not hold [m]; as in scenes.mjs. */
export const FALL = 0.05;

const box = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z, /** @type {number} */ mass, /** @type {number} */ mu) => ({
  half: [x, y, z],
  mass,
  mu,
});

/** A pad that moves along x only. */
const PAD = { ...box(0.01, 0.02, 0.02, 1, 1), axis: 0 };

/**
 * @typedef {object} Setup
 * @property {number} body the body that is looked at
 * @property {number} settle time before the recording [s]
 * @property {number} time that is recorded [s]
 * @property {number[]} along axes of the world in which its motion counts
 * @property {[number, number]} shown axes of the picture
 * @property {() => void} [drive] called before each step
 * @property {() => void} [launch] called when the recording starts
 */

/** @type {Record<string, (engine: any, values: any) => Setup>} */
export const SETUPS = {
  /** A puck of 40 mm that slides and spins on a floor. */
  puck(engine, { speed, spin, mu }) {
    engine.gravity(0, 0, -g);
    engine.ground(1);
    const body = engine.add({ cylinder: true, half: [0.04, 0.04, 0.01], mass: 0.1, mu }, 0, 0, 0.01);
    const launch = () => engine.set_velocity(body, [speed, 0, 0], [0, 0, spin]);
    return { body, settle: 0.5, time: 3, along: [0, 1], shown: [0, 1], launch };
  },

  /** A box on a slope: the world is turned, so that x is down the slope. */
  slope(engine, { angle, mu }) {
    engine.ground(1);
    engine.gravity(g * Math.sin(angle), 0, -g * Math.cos(angle));
    const body = engine.add(box(0.05, 0.05, 0.05, 0.5, mu), 0, 0, 0.05);
    return { body, settle: 1, time: 10, along: [0, 1], shown: [0, 2] };
  },

  /** A box between two pads that are pressed together. */
  pinch(engine, { force, mass, mu }) {
    engine.gravity(0, 0, -g);
    const left = engine.add(PAD, -0.03, 0, 0);
    const right = engine.add(PAD, 0.03, 0, 0);
    const body = engine.add(box(0.02, 0.02, 0.02, mass, mu), 0, 0, 0);
    const drive = () => {
      engine.force(left, force, 0, 0);
      engine.force(right, -force, 0, 0);
    };
    return { body, settle: 1, time: 10, along: [1, 2], shown: [0, 2], drive };
  },
};

/** Angle about an axis of the rotation q, for a body that turns about it alone [rad]. */
const turnAbout = (/** @type {number[]} */ q, /** @type {number} */ axis) => 2 * Math.atan2(q[axis], q[3]);
const wrap = (/** @type {number} */ angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));

/** Numbers of a recorded row: motion in the picture [m, m], angle in it [rad], distance that counts [m]. */
export const ROW = 4;

/**
 * Run a scene and record it, at most 120 rows a second.
 * @param {any} engine without bodies @param {number} h its step [s] @param {string} kind of SETUPS @param {any} values
 * @returns {{every: number, rows: Float64Array, moved: number, angle: number, speed: number}} time between rows [s],
 *          ROW numbers each; at the end: distance [m], angle [rad]; the mean speed [m/s], Infinity for a fall
 */
export function record(engine, h, kind, values) {
  const { body, settle, time, along, shown, drive, launch } = SETUPS[kind](engine, values);
  engine.start();
  const step = () => {
    drive?.();
    engine.step();
  };
  const first = engine.get(body).x;
  for (let i = 0; i < Math.round(settle / h); i++) step();
  const start = engine.get(body);
  launch?.();
  // of a rotation about y the angle in the picture of x and z is the opposite one
  const about = shown[1] === 1 ? 2 : 1,
    sign = about === 2 ? 1 : -1;
  const count = Math.round(time / h),
    stride = Math.max(1, Math.round(1 / 120 / h)),
    rows = new Float64Array(ROW * (Math.floor(count / stride) + 1));
  let last = turnAbout(start.q, about),
    angle = 0,
    moved = 0,
    now = start;
  for (let i = 1; i <= count; i++) {
    step();
    now = engine.get(body);
    const turn = turnAbout(now.q, about);
    angle += sign * wrap(turn - last);
    last = turn;
    moved = Math.hypot(...along.map((k) => now.x[k] - start.x[k]));
    if (i % stride === 0) rows.set([now.x[shown[0]] - start.x[shown[0]], now.x[shown[1]] - start.x[shown[1]], angle, moved], (ROW * i) / stride);
  }
  if (!Number.isFinite(moved + angle)) throw new Error("the engine returned positions that are no numbers");
  const far = Math.hypot(...now.x.map((/** @type {number} */ x, /** @type {number} */ k) => x - first[k]));
  return { every: stride * h, rows, moved, angle, speed: far > FALL ? Infinity : moved / time };
}
