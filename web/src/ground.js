/** Ground whose friction depends on the direction (grain) or on the position (ice, a strip): controls and pictures. */
import { colour } from "./dom.js";
import { get, set } from "./tree.js";

/** @typedef {import('./plane.js').Point} Point */
/** @typedef {import('./plane.js').Pen} Pen */

const GRAIN = { ratio: 2, angle: Math.PI / 2 }; // across it, at first; the grain itself is along x

/**
 * Controls of an anisotropy, which is at a path of the state or missing.
 * @param {import('./controls.js').Controls} c @param {string} path @param {boolean} hasAxes of the ground as well as of the body
 */
export function grainControls(c, path, hasAxes) {
  const has = (/** @type {any} */ s) => Boolean(get(s, path));
  c.check(path, "Friction depends on the direction", {
    read: has,
    write: (s, on) => set(s, path, on ? { ...GRAIN, ...(hasAxes ? { axes: "ground" } : {}) } : undefined),
    help: "as on wood or corduroy: lines show the direction of the smaller friction",
  });
  c.number(`${path}.ratio`, "Ratio", {
    unit: "-",
    from: 0.25,
    to: 4,
    log: true,
    when: has,
    help: "friction along the first axis is this times μ; along the second it is μ",
  });
  c.number(`${path}.angle`, "First axis at", {
    unit: "rad",
    from: -Math.PI / 2,
    to: Math.PI / 2,
    step: Math.PI / 36,
    read: (s) => get(s, path).angle ?? 0,
    when: has,
  });
  if (hasAxes)
    c.choice(
      `${path}.axes`,
      "The axes",
      [
        ["ground", "are those of the ground"],
        ["body", "turn with the body"],
      ],
      { read: (s) => get(s, path).axes ?? "body", when: has },
    );
}

/**
 * Lines along the direction of the smaller friction, none where there is no difference.
 * @param {Pen} pen @param {{ratio: number, angle?: number} | undefined} grain @param {Point} centre @param {number} reach [m]
 * @param {number} [turned] of the axes [rad] @param {Point[]} [within] only inside of this edge
 */
export function drawGrain(pen, grain, centre, reach, turned = 0, within) {
  if (!grain || grain.ratio === 1) return;
  const along = turned + (grain.angle ?? 0) + (grain.ratio > 1 ? Math.PI / 2 : 0);
  const strength = Math.min(Math.abs(Math.log(grain.ratio)) / Math.log(4), 1);
  const [c, s] = [Math.cos(along), Math.sin(along)],
    count = 24;
  pen.context.save();
  if (within) pen.clip(within);
  for (let i = -count; i <= count; i++) {
    const off = (i / count) * reach,
      [x, y] = [centre[0] - s * off, centre[1] + c * off];
    pen.line(
      [
        [x - c * reach, y - s * reach],
        [x + c * reach, y + s * reach],
      ],
      { stroke: colour("muted"), width: 1, alpha: 0.15 + 0.45 * strength, open: true },
    );
  }
  pen.context.restore();
}

/** @typedef {{grid: number[][], size: number[], centre?: number[], angle?: number, outside?: number}} Field */

/** @type {Record<string, () => Field>} floors that can be chosen */
const FLOORS = {
  half: () => ({ grid: [[1, 0.1]], size: [1, 1], centre: [0.05, 0], angle: 0 }),
  strip: () => ({ grid: [[1, 0.1, 1]], size: [0.6, 1], centre: [0.05, 0], angle: 0 }),
};

/** Which floor a field is: none, half, strip, or own, of a file. @param {Field | undefined} field */
export function floorOf(field) {
  if (!field) return "none";
  const [row] = field.grid ?? [];
  const is = (/** @type {number} */ count) => field.grid?.length === 1 && row.length === count && row[0] === 1;
  return is(2) ? "half" : is(3) && row[2] === 1 ? "strip" : "own";
}

/** @param {import('./controls.js').Controls} c @param {string} path of the field */
export function floorControls(c, path) {
  const field = (/** @type {any} */ s) => get(s, path);
  const is =
    (/** @type {string[]} */ ...kinds) =>
    (/** @type {any} */ s) =>
      kinds.includes(floorOf(field(s)));
  c.choice(
    path,
    "The floor",
    [
      ["none", "is the same everywhere"],
      ["half", "is half ice"],
      ["strip", "has a strip"],
      ["own", "is that of the file"],
    ],
    {
      read: (s) => floorOf(field(s)),
      write: (s, kind) => kind !== "own" && set(s, path, FLOORS[kind]?.()),
    },
  );
  c.number(`${path}.factor`, "μ there, times", {
    unit: "-",
    from: 0,
    to: 2,
    step: 0.05,
    read: (s) => field(s).grid[0][1],
    write: (s, x) => (field(s).grid[0][1] = Math.max(x, 0)),
    when: is("half", "strip"),
  });
  c.number(`${path}.x`, "Position", {
    unit: "m",
    from: -0.5,
    to: 0.5,
    step: 0.01,
    read: (s) => field(s).centre?.[0] ?? 0,
    write: (s, x) => (field(s).centre = [x, field(s).centre?.[1] ?? 0]),
    when: is("half", "strip"),
  });
  c.number(`${path}.width`, "Width", {
    unit: "m",
    from: 0.02,
    to: 0.5,
    step: 0.01,
    read: (s) => field(s).size[0] / 3,
    write: (s, x) => (field(s).size[0] = Number((3 * Math.max(x, 1e-3)).toPrecision(12))),
    when: is("strip"),
  });
  c.number(`${path}.angle`, "Turned by", {
    unit: "rad",
    from: -Math.PI / 2,
    to: Math.PI / 2,
    step: Math.PI / 36,
    read: (s) => field(s).angle ?? 0,
    when: is("half", "strip"),
  });
}

const FAR = 20; // [m]: the outermost cells of a field continue

/** Tint the ground where friction is smaller (blue) or larger (orange). @param {Pen} pen @param {Field | undefined} field */
export function drawField(pen, field) {
  if (!field?.grid) return;
  const { grid, size, centre = [0, 0], angle = 0, outside } = field,
    rows = grid.length,
    columns = grid[0].length;
  const edges = (/** @type {number} */ count, /** @type {number} */ extent) =>
    Array.from({ length: count + 1 }, (_, i) => {
      const isOuter = outside === undefined && (i === 0 || i === count);
      return isOuter ? Math.sign(i - count / 2) * FAR : (i / count - 0.5) * extent;
    });
  const xs = edges(columns, size[0]),
    ys = edges(rows, size[1]);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const place = (/** @type {number} */ x, /** @type {number} */ y) =>
    /** @type {Point} */ ([centre[0] + c * x - s * y, centre[1] + s * x + c * y]);
  grid.forEach((row, i) =>
    row.forEach((factor, j) => {
      if (factor === 1) return;
      const [top, bottom] = [ys[rows - i], ys[rows - i - 1]]; // rows are ordered as in an image
      const corners = [place(xs[j], bottom), place(xs[j + 1], bottom), place(xs[j + 1], top), place(xs[j], top)];
      const alpha = 0.06 + 0.3 * Math.min(Math.abs(1 - factor), 1);
      pen.line(corners, { fill: colour(factor < 1 ? "patch" : "warm"), alpha });
      pen.line(corners, { stroke: colour("muted"), width: 1, alpha: 0.5 });
    }),
  );
}
