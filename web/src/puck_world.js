/**
 * Pucks on a board, seen from above: friction as engines with independent limits have it, in closed form; walls and
 * hits between pucks. What a puck feels between two hits is its own affair: step().
 */

export const GRAVITY = 9.81; // [m/s^2]
export const BOUNCE = 0.8; // of the speed along the normal that a hit leaves [-], see hit()
export const AT_REST = 1e-3; // [m/s]: slower than this, of centre and rim, is at rest

/** @typedef {{pose: ArrayLike<number>, velocity: ArrayLike<number>}} Motion pose x, y, angle [m, m, rad] and velocity */
/**
 * What moves between two hits.
 * @typedef {object} Mover
 * @property {Float64Array} pose
 * @property {Float64Array} velocity
 * @property {(h: number) => void} step
 * @property {() => () => void} keep the state now; what it returns goes back to it
 */
/** @typedef {{t: number[], x: number[], y: number[], theta: number[], vx: number[], vy: number[], w: number[]}} Track */

/**
 * A disc of uniform pressure after a time t, where friction has a limit for the force and another one for the torque,
 * each as if the other motion were not there (a contact with spinning friction in Bullet, b2FrictionJoint in Box2D):
 *
 *     dv/dt = -mu g           against v, until v = 0: at v0/(mu g), after v0^2/(2 mu g)
 *     dw/dt = -4/3 mu g/R     against w, until w = 0: at 3/4 R w0/(mu g), after 3/8 R w0^2/(mu g)
 *
 * from force mu m g, torque 2/3 R mu m g (the integral of mu p r over the disc) and inertia m R^2/2.
 * @param {Motion} from @param {number} mu @param {number} radius [m] @param {number} t [s]
 */
export function independent({ pose, velocity }, mu, radius, t) {
  const [x, y, theta] = Array.from(pose),
    [vx, vy, w] = Array.from(velocity);
  const speed = Math.hypot(vx, vy),
    slide = slowed(speed, mu * GRAVITY, t),
    turn = slowed(Math.abs(w), ((4 / 3) * mu * GRAVITY) / radius, t);
  const along = speed > 0 ? [vx / speed, vy / speed] : [0, 0];
  return {
    pose: [x + along[0] * slide.distance, y + along[1] * slide.distance, theta + Math.sign(w) * turn.distance],
    velocity: [along[0] * slide.rate, along[1] * slide.rate, Math.sign(w) * turn.rate],
  };
}

/** A rate that a constant deceleration ends, and the distance so far. @param {number} rate @param {number} by @param {number} t */
function slowed(rate, by, t) {
  const until = Math.min(t, rate / by);
  return { rate: t < rate / by ? rate - by * t : 0, distance: rate * until - 0.5 * by * until * until };
}

/** When both motions of independent() end. @param {ArrayLike<number>} velocity @param {number} mu @param {number} radius [m] */
export const independentEnds = (velocity, mu, radius) => ({
  slide: Math.hypot(velocity[0], velocity[1]) / (mu * GRAVITY),
  spin: (0.75 * radius * Math.abs(velocity[2])) / (mu * GRAVITY),
});

/** A puck with independent limits. @implements {Mover} */
export class IndependentPuck {
  /** @param {Motion} start @param {number} mu @param {number} radius [m] */
  constructor({ pose, velocity }, mu, radius) {
    this.pose = Float64Array.from(pose);
    this.velocity = Float64Array.from(velocity);
    this.mu = mu;
    this.radius = radius;
  }

  /** @param {number} h [s] */
  step(h) {
    const { pose, velocity } = independent(this, this.mu, this.radius, h);
    this.pose.set(pose);
    this.velocity.set(velocity);
  }

  keep() {
    const was = [this.pose.slice(), this.velocity.slice()];
    return () => {
      this.pose.set(was[0]);
      this.velocity.set(was[1]);
    };
  }
}

/**
 * Two surfaces that may touch: their distance, the direction from the first to the second, and what is there.
 * @typedef {{gap: number, normal: number[], first: Mover, second: Mover | null}} Pair second null: a wall
 */

/** @param {Mover[]} pucks @param {number} radius [m] @param {number[]} board half of its sides [m, m] @returns {Pair[]} */
function pairsOf(pucks, radius, board) {
  /** @type {Pair[]} */
  const pairs = [];
  pucks.forEach((first, i) => {
    for (const axis of [0, 1])
      for (const side of [-1, 1]) {
        const normal = axis ? [0, side] : [side, 0];
        pairs.push({ gap: board[axis] - radius - side * first.pose[axis], normal, first, second: null });
      }
    for (const second of pucks.slice(i + 1)) {
      const by = [second.pose[0] - first.pose[0], second.pose[1] - first.pose[1]],
        far = Math.hypot(...by);
      pairs.push({ gap: far - 2 * radius, normal: [by[0] / far, by[1] / far], first, second });
    }
  });
  return pairs;
}

/** Speed at which two approach each other [m/s]. @param {Pair} pair */
const closing = ({ normal: [nx, ny], first, second }) =>
  nx * (first.velocity[0] - (second?.velocity[0] ?? 0)) + ny * (first.velocity[1] - (second?.velocity[1] ?? 0));

/**
 * A hit: the speed along the normal comes back BOUNCE times as large, shared by two pucks of equal mass; rims and
 * walls are smooth, so that spin and the speed along the wall stay.
 * @param {Pair} pair
 */
export function hit(pair) {
  const { normal, first, second } = pair,
    by = (1 + BOUNCE) * Math.max(closing(pair), 0) * (second ? 0.5 : 1);
  for (const axis of [0, 1]) {
    first.velocity[axis] -= by * normal[axis];
    if (second) second.velocity[axis] += by * normal[axis];
  }
}

/**
 * Advance all by at most h, up to the first hit, which is included; returns the time that has passed. The instant of a
 * hit is where the distance, taken as linear over the step, is 0.
 * @param {Mover[]} pucks @param {number} h [s] @param {number} radius [m] @param {number[]} board
 */
export function advance(pucks, h, radius, board) {
  const before = pairsOf(pucks, radius, board),
    back = pucks.map((puck) => puck.keep());
  for (const puck of pucks) puck.step(h);
  const after = pairsOf(pucks, radius, board);
  let first = -1,
    share = 1;
  after.forEach((pair, i) => {
    if (pair.gap >= 0 || closing(pair) <= 0) return;
    const at = Math.max(before[i].gap, 0) / (Math.max(before[i].gap, 0) - pair.gap);
    if (at < share) [first, share] = [i, at];
  });
  if (first < 0) return h;
  for (const undo of back) undo();
  if (share > 0) for (const puck of pucks) puck.step(share * h);
  hit(pairsOf(pucks, radius, board)[first]);
  return share * h;
}

/** @param {Motion} puck @param {number} radius [m] */
const rests = ({ velocity }, radius) =>
  Math.hypot(velocity[0], velocity[1]) < AT_REST && radius * Math.abs(velocity[2]) < AT_REST;

/** @returns {Track} */
export const track = () => ({ t: [], x: [], y: [], theta: [], vx: [], vy: [], w: [] });

/** @param {Track} to @param {number} t @param {Motion} now */
export function note(to, t, { pose, velocity }) {
  const row = { t, x: pose[0], y: pose[1], theta: pose[2], vx: velocity[0], vy: velocity[1], w: velocity[2] };
  for (const [name, value] of Object.entries(row)) to[/** @type {keyof Track} */ (name)].push(value);
}

/**
 * Tracks of all pucks until they rest.
 * @param {Mover[]} pucks
 * @param {{radius: number, board: number[], step: number, longest: number, check?: (t: number) => void}} options
 *        step, longest [s]; check: called after each step
 */
export function play(pucks, { radius, board, step, longest, check }) {
  const tracks = pucks.map(track);
  let t = 0;
  const noteAll = () => pucks.forEach((puck, i) => note(tracks[i], t, puck));
  noteAll();
  while (t < longest && !pucks.every((puck) => rests(puck, radius))) {
    t += advance(pucks, step, radius, board);
    noteAll();
    check?.(t);
  }
  return tracks;
}

/**
 * The first instant at which a rate that starts above 0 is 0, between rows linearly; 0 for one that starts at 0, NaN
 * where it never is. Friction brings a rate through 0: bristles that were bent by sliding spring back by micrometres.
 * @param {ArrayLike<number>} t @param {(i: number) => number} rate
 */
function firstZero(t, rate) {
  if (rate(0) <= 0) return 0;
  for (let i = 1; i < t.length; i++) {
    const [a, b] = [rate(i - 1), rate(i)];
    if (b <= 0) return t[i - 1] + ((t[i] - t[i - 1]) * a) / (a - b);
  }
  return NaN;
}

/** When a puck without hits ends to slide, along its start, and to spin. @param {any} run with columns t, vx, vy, w */
export const endsOf = ({ t, vx, vy, w }) => ({
  slide: firstZero(t, (i) => vx[i] * vx[0] + vy[i] * vy[0]),
  spin: firstZero(t, (i) => w[i] * w[0]),
});
