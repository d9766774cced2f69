// The scenes of `make engines` in JavaScript, those of the engines in C++: each is a function of an engine without
// bodies and its step [s]. SI units.

const g = 9.81;
const SLOPE = (15 * Math.PI) / 180;
const TRAY = 2 * Math.PI * 3; // of a shaken tray [rad/s]
const SPRING = 200; // [N/m]

const box = (x, y, z, mass, mu) => ({ half: [x, y, z], mass, mu });
const count_of = (seconds, h) => Math.round(seconds / h);
const yaw = ([x, y, z, w]) => Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
const wrap = (angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));

/** A vector in the axes of a body with the rotation q. */
function to_body([x, y, z, w], v) {
  const t = [2 * (z * v[1] - y * v[2]), 2 * (x * v[2] - z * v[0]), 2 * (y * v[0] - x * v[1])];
  return [
    v[0] + w * t[0] + z * t[1] - y * t[2],
    v[1] + w * t[1] + x * t[2] - z * t[0],
    v[2] + w * t[2] + y * t[0] - x * t[1],
  ];
}

// --- bodies that shall not move -------------------------------------------------------------------

/** Positions of bodies in the axes of the body `over`, or of the world. */
function positions(engine, bodies, over) {
  const base = over === undefined ? { x: [0, 0, 0], q: [0, 0, 0, 1] } : engine.get(over);
  return bodies.map((i) => to_body(base.q, engine.get(i).x.map((x, k) => x - base.x[k])));
}

/** The largest distance between two lists of positions, along some axes. */
function largest_motion(from, to, axes) {
  const far = from.map((x, i) => Math.hypot(...axes.map((k) => to[i][k] - x[k])));
  return far.some(Number.isNaN) ? Infinity : Math.max(...far);
}

/** Run for `settle`, then for `time`; the speed between both [m/s]. More than 50 mm is a fall: Infinity. */
function creep_of(engine, h, bodies, { axes = [0, 1], settle = 1, time = 10, drive = () => {}, over = undefined } = {}) {
  engine.start();
  const start = positions(engine, bodies, over);
  let from = start;
  const first = count_of(settle, h);
  for (let i = 0; i < first + count_of(time, h); i++) {
    if (i === first) {
      from = positions(engine, bodies, over);
    }
    drive(i * h);
    engine.step();
  }
  const to = positions(engine, bodies, over);
  return largest_motion(start, to, [0, 1, 2]) > 0.05 ? Infinity : largest_motion(from, to, axes) / time;
}

function tilt(engine, angle) {
  engine.gravity(g * Math.sin(angle), 0, -g * Math.cos(angle));
}

function box_on_slope(engine, h) {
  engine.ground(1);
  tilt(engine, SLOPE);
  return creep_of(engine, h, [engine.add(box(0.05, 0.05, 0.05, 0.5, 0.5), 0, 0, 0.05)]);
}

function stack_on_slope(engine, h) {
  engine.ground(1);
  tilt(engine, SLOPE);
  const id = [0, 1, 2].map((i) => engine.add(box(0.05, 0.05, 0.03, 0.5, Math.SQRT1_2), 0, 0, 0.03 + 0.06 * i));
  return creep_of(engine, h, id);
}

/** A pad that moves along x only. */
const PAD = { ...box(0.01, 0.02, 0.02, 1, 1), axis: 0 };

function pinch(engine, h) {
  engine.gravity(0, 0, -g);
  const left = engine.add(PAD, -0.03, 0, 0);
  const right = engine.add(PAD, 0.03, 0, 0);
  const held = engine.add(box(0.02, 0.02, 0.02, 0.045, 0.5), 0, 0, 0);
  const drive = () => {
    engine.force(left, 6, 0, 0);
    engine.force(right, -6, 0, 0);
  };
  return creep_of(engine, h, [held], { axes: [1, 2], drive });
}

/** A tray that is shaken at 3 Hz with 0.6 mu g. */
function tray(engine, h) {
  engine.gravity(0, 0, -g);
  const moving = engine.add({ ...box(0.2, 0.2, 0.02, 1, 1), kinematic: true }, 0, 0, -0.02);
  const load = engine.add(box(0.03, 0.05, 0.04, 0.3, 0.5), 0.01, 0.02, 0.04);
  const drive = (time) => {
    const speed = (Math.min(1, time) * 0.6 * 0.5 * g) / TRAY;
    engine.set_velocity(moving, [speed * Math.sin(TRAY * (time + 0.5 * h)), 0, 0], [0, 0, 0]);
  };
  return creep_of(engine, h, [load], { settle: 2, drive, over: moving });
}

function build_pyramid(engine) {
  engine.ground(1);
  engine.gravity(0, 0, -g);
  const id = [];
  for (let r = 0; r < 5; r++) {
    for (let k = 0; k < 5 - r; k++) {
      id.push(engine.add(box(0.05, 0.05, 0.03, 0.5, Math.SQRT1_2), 0.11 * (k + 0.5 * r), 0, 0.03 + 0.06 * r));
    }
  }
  return id;
}

const pyramid = (engine, h) => creep_of(engine, h, build_pyramid(engine), { time: 5 });

/** Four fingers with 5 N each, too narrow to touch each other; the weight turns once in 10 s. */
function grasp(engine, h) {
  engine.gravity(0, 0, 0);
  const along = (axis) => ({ ...(axis === 0 ? box(0.01, 0.015, 0.02, 1, 1) : box(0.015, 0.01, 0.02, 1, 1)), axis });
  const fingers = [engine.add(along(0), -0.03, 0, 0), engine.add(along(0), 0.03, 0, 0)];
  fingers.push(engine.add(along(1), 0, -0.03, 0), engine.add(along(1), 0, 0.03, 0));
  const held = engine.add(box(0.02, 0.02, 0.02, 0.2, 0.5), 0, 0, 0);
  const forces = [[5, 0, 0], [-5, 0, 0], [0, 5, 0], [0, -5, 0]]; // prettier-ignore
  const drive = (time) => {
    fingers.forEach((finger, k) => engine.force(finger, ...forces[k]));
    const angle = (2 * Math.PI * Math.max(0, time - 1)) / 10;
    engine.force(held, 0, 0.2 * g * Math.sin(angle), -0.2 * g * Math.cos(angle));
  };
  return creep_of(engine, h, [held], { axes: [2], drive });
}

/** A spring pulls a box with 0.8 mu m g. */
function pulled_box(engine, h) {
  engine.ground(1);
  engine.gravity(0, 0, -g);
  const i = engine.add(box(0.05, 0.05, 0.05, 0.5, 0.3), 0, 0, 0.05);
  const end = (0.8 * 0.3 * 0.5 * g) / SPRING;
  const drive = (time) => engine.force(i, SPRING * (end * Math.min(1, time) - engine.get(i).x[0]), 0, 0);
  return creep_of(engine, h, [i], { settle: 2, time: 5, drive });
}

/** A belt that starts with 0.5 mu g and runs at 0.5 m/s: the box follows it. */
function belt(engine, h) {
  engine.gravity(0, 0, -g);
  const moving = engine.add({ ...box(3, 0.2, 0.02, 1, 1), kinematic: true }, 0, 0, -0.02);
  const load = engine.add(box(0.04, 0.04, 0.03, 0.3, 0.4), 0, 0.02, 0.03);
  const drive = (time) => engine.set_velocity(moving, [Math.min(0.5, 0.5 * 0.4 * g * time), 0, 0], [0, 0, 0]);
  return creep_of(engine, h, [load], { time: 3, drive, over: moving });
}

/** Kept back: a turntable whose rim needs 0.5 mu g. */
function turntable(engine, h) {
  engine.gravity(0, 0, -g);
  const table = engine.add({ ...box(0.3, 0.3, 0.02, 1, 1), kinematic: true, turns: true }, 0, 0, -0.02);
  const load = engine.add(box(0.03, 0.04, 0.03, 0.4, 0.5), 0.2, 0, 0.03);
  const speed = Math.sqrt((0.5 * 0.5 * g) / 0.2);
  const drive = (time) => engine.set_velocity(table, [0, 0, 0], [0, 0, speed * Math.min(1, time)]);
  return creep_of(engine, h, [load], { settle: 2, time: 8, drive, over: table });
}

/** Kept back: five boxes on 10 degrees, the highest one is ten times as heavy. */
function heavy_top(engine, h) {
  engine.ground(1);
  tilt(engine, (10 * Math.PI) / 180);
  const id = [0, 1, 2, 3, 4].map((i) =>
    engine.add(box(0.06, 0.06, 0.02, i < 4 ? 0.3 : 3, Math.SQRT1_2), 0, 0, 0.02 + 0.04 * i),
  );
  return creep_of(engine, h, id, { time: 8 });
}

/** Kept back: a plate that is pinched 10 mm beside its centre: its weight twists the contacts. */
function plate(engine, h) {
  engine.gravity(0, 0, -g);
  const finger = { ...box(0.01, 0.015, 0.015, 0.5, 1), axis: 0 };
  const left = engine.add(finger, -0.015, 0, 0);
  const right = engine.add(finger, 0.015, 0, 0);
  const held = engine.add(box(0.005, 0.05, 0.02, 0.1, 0.6), 0, 0.01, 0);
  const drive = () => {
    engine.force(left, 15, 0, 0);
    engine.force(right, -15, 0, 0);
  };
  return creep_of(engine, h, [held], { axes: [1, 2], time: 8, drive });
}

/** Kept back: two boxes with a hinge between them on 15 degrees; the lower one has little friction. */
function hinged_boxes(engine, h) {
  engine.ground(1);
  tilt(engine, SLOPE);
  const high = engine.add(box(0.05, 0.05, 0.03, 0.5, 0.6), 0, 0, 0.03);
  const low = engine.add(box(0.05, 0.05, 0.03, 0.5, 0.1), 0.12, 0, 0.03);
  engine.hinge(high, low, [0.06, 0, 0.03], [0, 1, 0]);
  return creep_of(engine, h, [high, low], { time: 8 });
}

/** Kept back: a tray on 10 degrees that is shaken across the slope. */
function cross_slope(engine, h) {
  const angle = (10 * Math.PI) / 180;
  engine.gravity(0, g * Math.sin(angle), -g * Math.cos(angle));
  const moving = engine.add({ ...box(0.2, 0.2, 0.02, 1, 1), kinematic: true }, 0, 0, -0.02);
  const load = engine.add(box(0.04, 0.03, 0.02, 0.2, 0.5), 0.02, -0.01, 0.02);
  const drive = (time) => {
    const speed = (Math.min(1, time) * 0.3 * 0.5 * g) / TRAY;
    engine.set_velocity(moving, [speed * Math.sin(TRAY * (time + 0.5 * h)), 0, 0], [0, 0, 0]);
  };
  return creep_of(engine, h, [load], { settle: 2, time: 8, drive, over: moving });
}

/** Kept back: a plank on two supports on 8 degrees, with a heavy box beside its middle. */
function bridge(engine, h) {
  engine.ground(1);
  tilt(engine, (8 * Math.PI) / 180);
  const id = [0, 1].map((i) => engine.add(box(0.03, 0.05, 0.03, 0.3, Math.SQRT1_2), 0.2 * i, 0, 0.03));
  id.push(engine.add(box(0.15, 0.04, 0.01, 0.2, Math.SQRT1_2), 0.1, 0, 0.07));
  id.push(engine.add(box(0.03, 0.03, 0.03, 2, Math.SQRT1_2), 0.13, 0, 0.11));
  return creep_of(engine, h, id, { time: 8 });
}

/** Kept back: three books that are pressed together by two pads and held in the air. */
function books(engine, h) {
  engine.gravity(0, 0, -g);
  const pad = { ...box(0.01, 0.03, 0.03, 1, 1), axis: 0 };
  const left = engine.add(pad, -0.04, 0, 0);
  const right = engine.add(pad, 0.04, 0, 0);
  const id = [-1, 0, 1].map((i) => engine.add(box(0.01, 0.03, 0.04, 0.1, 0.5), 0.02 * i, 0, 0));
  const drive = () => {
    engine.force(left, 30, 0, 0);
    engine.force(right, -30, 0, 0);
  };
  return creep_of(engine, h, id, { axes: [1, 2], time: 8, drive });
}

/** Name, scene that returns a speed [m/s], and whether it was kept back while the layer was developed. */
export const HOLDS = [
  ["box on 15 degrees", box_on_slope, false],
  ["stack of 3 on 15 degrees", stack_on_slope, false],
  ["pinch, 6 N", pinch, false],
  ["tray, 0.6 mu g", tray, false],
  ["pyramid of 15", pyramid, false],
  ["four fingers", grasp, false],
  ["box on a spring", pulled_box, false],
  ["belt", belt, false],
  ["turntable", turntable, true],
  ["stack with a heavy top", heavy_top, true],
  ["plate pinched beside its centre", plate, true],
  ["two boxes with a hinge", hinged_boxes, true],
  ["tray shaken across a slope", cross_slope, true],
  ["bridge with a heavy box", bridge, true],
  ["three books between two pads", books, true],
];

// --- bodies that move -----------------------------------------------------------------------------

/** A puck of 40 mm, mu 0.2, at 0.5 m/s with spin [rad/s]: distance [m] and angle [rad] when it rests. */
export function slide_puck(engine, h, spin) {
  engine.gravity(0, 0, -g);
  engine.ground(1);
  const i = engine.add({ cylinder: true, half: [0.04, 0.04, 0.01], mass: 0.1, mu: 0.2 }, 0, 0, 0.01);
  engine.start();
  for (let k = 0; k < count_of(0.5, h); k++) {
    engine.step(); // settles
  }
  const start = engine.get(i);
  engine.set_velocity(i, [0.5, 0, 0], [0, 0, spin]);
  let last = yaw(start.q);
  let angle = 0;
  for (let k = 0; k < count_of(3, h); k++) {
    engine.step();
    const now = yaw(engine.get(i).q);
    angle += wrap(now - last);
    last = now;
  }
  const end = engine.get(i);
  return { distance: Math.hypot(end.x[0] - start.x[0], end.x[1] - start.x[1]), angle };
}

/** A box dragged by a spring whose end moves at 20 mm/s: mean force over mu m g [-]. */
export function drag_force(engine, h) {
  engine.ground(1);
  engine.gravity(0, 0, -g);
  const i = engine.add(box(0.05, 0.05, 0.05, 0.5, 0.3), 0, 0, 0.05);
  engine.start();
  const count = count_of(3, h);
  const counted = count_of(2, h);
  let sum = 0;
  for (let k = 0; k < count; k++) {
    const force = SPRING * (0.02 * k * h - engine.get(i).x[0]);
    engine.force(i, force, 0, 0);
    engine.step();
    sum += k >= count - counted ? force : 0;
  }
  return sum / counted / (0.3 * 0.5 * g);
}

/** Options of the layer for stick_slip(). */
export const STICKY = { static_ratio: 1.5 };

/** A spring whose end moves at 2 mm/s pulls a box for 12 s: largest force over mu_c m g, the least one after it, slips. */
export function stick_slip(engine, h) {
  engine.ground(1);
  engine.gravity(0, 0, -g);
  const i = engine.add(box(0.05, 0.05, 0.05, 0.5, 0.3), 0, 0, 0.05);
  engine.start();
  const limit = 0.3 * 0.5 * g;
  const result = { most: 0, least: Infinity, slips: 0 };
  let high = 0;
  for (let k = 0; k < count_of(12, h); k++) {
    const force = (SPRING * (0.002 * k * h - engine.get(i).x[0])) / limit;
    engine.force(i, force * limit, 0, 0);
    engine.step();
    result.least = force > result.most ? force : Math.min(result.least, force);
    result.most = Math.max(result.most, force);
    high = Math.max(high, force);
    if (force < high - 0.5) {
      result.slips++;
      high = force;
    }
  }
  return result;
}

/** Kinetic and potential energy of boxes. */
function energy(engine, bodies, { mass, half }) {
  let sum = 0;
  for (const i of bodies) {
    const { x, q, v, w } = engine.get(i);
    const local = to_body(q, w);
    sum += mass * g * x[2];
    for (let k = 0; k < 3; k++) {
      const square = half[(k + 1) % 3] ** 2 + half[(k + 2) % 3] ** 2;
      sum += 0.5 * mass * v[k] ** 2 + ((mass * square) / 6) * local[k] ** 2;
    }
  }
  return sum;
}

/** A sequence of numbers in [-1, 1), the same on every machine. */
function sequence() {
  let state = 1n;
  return () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number(state >> 33n) / 2 ** 30 - 1;
  };
}

/** Three boxes on the ground, pushed at random: sum of the energy gained in steps beyond the work of the pushes [J], and the largest gain by friction [J]. */
export function random_pushes(engine, h, steps) {
  const shape = box(0.05, 0.05, 0.03, 0.5, 0.5);
  const places = [[0, 0], [0.25, 0], [0.1, 0.2]]; // prettier-ignore
  engine.gravity(0, 0, -g);
  engine.ground(1);
  const id = places.map(([x, y]) => engine.add(shape, x, y, 0.03));
  engine.start();
  const random = sequence();
  const result = { engine: 0, friction: 0, unconverged: 0 };
  let push = [];
  for (let i = 0; i < steps; i++) {
    if (i % 20 === 0) {
      push = id.map(() => [4 * random(), 4 * random(), 4 * random()]);
    }
    const before = energy(engine, id, shape);
    const from = id.map((k) => engine.get(k).x);
    const pushes = i % 40 < 20 ? 1 : 0;
    const force = push.map((f, k) => [f[0] - 3 * from[k][0], f[1] - 3 * from[k][1], 0.2 * f[2]].map((x) => pushes * x));
    id.forEach((k, n) => engine.force(k, ...force[n]));
    engine.step();
    let work = 0;
    id.forEach((k, n) => engine.get(k).x.forEach((x, axis) => (work += force[n][axis] * (x - from[n][axis]))));
    const gain = energy(engine, id, shape) - before - work;
    result.engine += gain > 1e-9 ? gain : 0;
    result.friction = Math.max(result.friction, engine.report?.gain ?? 0);
    result.unconverged += engine.report?.unconverged ?? 0;
  }
  return result;
}

/** Kinds of step_time(). */
export const KINDS = ["a box", "stack of 3", "20 boxes", "pyramid of 15"];

/** Time of a step [s]: the least of 80 means over 25 steps. */
export function step_time(engine, h, kind) {
  if (kind === 3) {
    build_pyramid(engine);
  } else {
    engine.ground(1);
    engine.gravity(kind === 2 ? 0 : g * Math.sin(SLOPE), 0, -g * Math.cos(SLOPE));
    for (let i = 0; i < [1, 3, 20][kind]; i++) {
      if (kind === 2) {
        engine.add(box(0.05, 0.05, 0.05, 0.5, 0.5), 0.2 * (i % 5), 0.2 * Math.floor(i / 5), 0.05);
      } else {
        engine.add(box(0.05, 0.05, 0.03, 0.5, Math.SQRT1_2), 0, 0, 0.03 + 0.06 * i);
      }
    }
  }
  engine.start();
  let best = Infinity;
  for (let k = 0; k < 80; k++) {
    const start = performance.now();
    for (let i = 0; i < 25; i++) {
      engine.step();
    }
    best = Math.min(best, (performance.now() - start) / 25);
  }
  return best / 1e3;
}
