/**
 * Pictures of what a scenario moves: bodies and sliders from above, mechanisms from the side. Each is a list of points to
 * see, and a function that draws a row of its run.
 */
import { colour } from "../dom.js";
import { outlineOf, placed } from "../plane.js";

/** @typedef {import('../plane.js').Point} Point */
/** @typedef {import('../plane.js').Pen} Pen */
/** @typedef {{title: string, points: Point[], draw: (pen: Pen, row: number) => void}} Picture */

const GHOSTS = 6; // earlier poses that are drawn
const GUESS = 0.05; // side of a slider whose shape its file does not say [m]

/** @param {any} run @param {string} x @param {string} y @returns {Point[]} */
const track = (run, x, y) => Array.from(run.get(x), (/** @type {number} */ at, /** @type {number} */ i) => [at, run.get(y)[i]]);

/** @param {any} run @param {number} row @returns {[number, number, number]} */
const poseAt = (run, row) => [run.get("x")[row], run.get("y")[row], run.get("theta")?.[row] ?? 0];

/** A picture of a run; null where there is nothing to draw: laws and contacts that do not move a body. @param {any} tree @param {any} run @returns {Picture | null} */
export function pictureOf(tree, run) {
  if (tree.body && run.get("x")) return bodyPicture(tree, run);
  if (tree.slider && run.get("x")) return sliderPicture(tree, run);
  const make = tree.mechanism && MECHANISMS[tree.mechanism.kind];
  return make ? make(tree.mechanism, run) : null;
}

/** The edge of a body. @param {any} body @returns {Point[]} */
const edgeOf = ({ outline, size, radius }) =>
  outline ?? outlineOf(size ? { shape: "rectangle", size } : { shape: "disc", radius: radius ?? GUESS });

/** Something with an edge that moves over a table. @param {any} run @param {Point[]} edge @param {string} title @param {(pen: Pen, row: number, pose: [number, number, number]) => void} more @returns {Picture} */
function fromAbove(run, edge, title, more) {
  const path = track(run, "x", "y"),
    last = path.length - 1,
    rows = Array.from({ length: GHOSTS }, (_, i) => Math.round((last * i) / (GHOSTS - 1)));
  return {
    title,
    points: rows.flatMap((row) => placed(edge, poseAt(run, row))),
    draw: (pen, row) => {
      for (const ghost of rows) pen.line(placed(edge, poseAt(run, ghost)), { stroke: colour("muted"), width: 1, alpha: 0.45 });
      pen.line(path, { stroke: colour("accent"), width: 1.5, open: true, dash: [5, 4] });
      const pose = poseAt(run, row);
      pen.line(placed(edge, pose), { fill: colour("body"), stroke: colour("ink"), width: 1.5, alpha: 0.92 });
      more(pen, row, pose);
      pen.dot([pose[0], pose[1]], 3.5, { fill: colour("ink") });
    },
  };
}

/** A number over time as a scenario has it: tables and steps; 0 for others. @param {any} value @param {number} t */
function valueAt(value, t) {
  if (typeof value === "number") return value;
  const { kind, times, values } = value ?? {};
  if (!times) return 0;
  const i = times.findLastIndex((/** @type {number} */ at) => at <= t);
  if (i < 0 || i === times.length - 1 || kind === "steps") return values[Math.max(i, 0)];
  return values[i] + ((values[i + 1] - values[i]) * (t - times[i])) / (times[i + 1] - times[i]);
}

/** @param {any} tree @param {any} run */
function bodyPicture(tree, run) {
  const contacts = tree.contacts ?? (tree.contact ? [tree.contact] : []),
    belt = contacts.find((/** @type {any} */ c) => c.frame === "body" && (c.support ?? c.motion)),
    t = run.get("t");
  const title = belt ? "The body on its belt, from above: the lines are on the belt" : "The body on the table, from above";
  return fromAbove(run, edgeOf(tree.body), title, (pen, row, pose) => {
    if (belt) drawBelt(pen, belt, t[row], pose);
    for (const { patch, frame, at = [0, 0] } of contacts) {
      const on = frame === "body" ? placed([at], pose)[0] : at;
      const spot = placed(placed(outlineOf(patch), [...(patch.centre ?? [0, 0]), patch.angle ?? 0]), [on[0], on[1], frame === "body" ? pose[2] : 0]);
      pen.line(spot, { fill: colour("patch"), stroke: colour("accent"), width: 1, alpha: 0.35, open: spot.length < 3 });
    }
    if (tree.pusher) {
      const [x, y] = tree.pusher.position ?? [0, 0];
      pen.circle([valueAt(x, t[row]), valueAt(y, t[row])], tree.pusher.radius ?? 0.005, { fill: colour("warm"), alpha: 0.7 });
    }
  });
}

/** @param {Pen} pen @param {any} contact @param {number} t @param {number[]} pose */
function drawBelt(pen, contact, t, [x, y]) {
  const [bx, by] = (contact.support?.position ?? contact.motion).map((/** @type {any} */ value) => valueAt(value, t)),
    step = 0.05,
    reach = 0.5;
  for (let i = -40; i < 40; i++) {
    const at = bx + i * step;
    if (Math.abs(at - x) < reach) pen.line([[at, by + y - 0.1], [at, by + y + 0.1]], { stroke: colour("muted"), width: 1, alpha: 0.5, open: true });
  }
}

/** @param {any} tree @param {any} run */
function sliderPicture(tree, run) {
  const { slider } = tree,
    known = slider.outline ?? slider.patch;
  const edge = known ? outlineOf(known) : outlineOf({ shape: "rectangle", size: [GUESS, GUESS] });
  const title = `The slider from above${known ? "" : "; its file has no shape: a square of 5 cm stands for it"}. Green: its contact point`;
  return fromAbove(run, edge, title, (pen, row, pose) => {
    if (run.get("ax")) pen.dot([run.get("ax")[row], run.get("ay")[row]], 5, { fill: colour("good") });
    const { push } = tree;
    if (push) {
      const [from] = placed([push.point], pose),
        [by] = placed([push.direction.map((/** @type {number} */ x) => 0.04 * x)], [0, 0, pose[2]]);
      pen.arrow([from[0] - by[0], from[1] - by[1]], by, colour("warm"));
    }
  });
}

/** Links one after the other from a fixed point. @param {any} mechanism @param {any} run @returns {Picture} */
function armPicture({ lengths }, run) {
  const angles = lengths.map((/** @type {number} */ _, /** @type {number} */ i) => run.get(`theta${i + 1}`));
  const joints = (/** @type {number} */ row) => {
    /** @type {Point[]} */
    const points = [[0, 0]];
    let angle = 0;
    lengths.forEach((/** @type {number} */ length, /** @type {number} */ i) => {
      angle += angles[i][row];
      const [x, y] = points[i];
      points.push([x + length * Math.cos(angle), y + length * Math.sin(angle)]);
    });
    return points;
  };
  const path = track(run, "x", "y");
  return {
    title: "The arm from the side: its end slides along the path",
    points: [...path, [0, 0], ...joints(0), ...joints(path.length - 1)],
    draw: (pen, row) => {
      pen.line(path, { stroke: colour("muted"), width: 5, open: true, alpha: 0.4 });
      const points = joints(row);
      pen.line(points, { stroke: colour("ink"), width: 4, open: true });
      for (const point of points.slice(0, -1)) pen.dot(point, 5, { fill: colour("panel"), stroke: colour("ink"), width: 2 });
      drawContact(pen, run, row);
    },
  };
}

/** The point that slides, and whether it sticks. @param {Pen} pen @param {any} run @param {number} row */
function drawContact(pen, run, row) {
  const mode = run.get("mode")?.[row];
  pen.dot([run.get("x")[row], run.get("y")[row]], 8, { fill: colour(mode === "stick" ? "accent" : "warm"), stroke: colour("ink") });
  pen.text(mode === "stick" ? "sticks" : "slides", [run.get("x")[row], run.get("y")[row]], { dx: 12, dy: -8, fill: colour("ink") });
}

/** A block on a slope or a conveyor. @param {any} mechanism @param {any} run @returns {Picture} */
function blockPicture({ angle = 0 }, run) {
  const path = track(run, "x", "y"),
    reach = Math.max(...path.flat().map(Math.abs), 0.02),
    side = 0.12 * reach,
    [c, s] = [Math.cos(angle), Math.sin(angle)];
  return {
    title: "The block from the side: blue while it sticks, orange while it slides",
    points: [...path, ...path.map(([x, y]) => /** @type {Point} */ ([x, y + 2 * side]))],
    draw: (pen, row) => {
      const [x, y] = path[row],
        mode = run.get("mode")?.[row];
      // the path goes through the middle of the face below
      pen.line([[x - 9 * reach * c, y - 9 * reach * s], [x + 9 * reach * c, y + 9 * reach * s]], { stroke: colour("ink"), width: 1.5, open: true });
      /** @type {Point[]} */
      const box = [[-side, 0], [side, 0], [side, 1.4 * side], [-side, 1.4 * side]];
      pen.line(placed(box, [x, y, angle]), { fill: colour(mode === "stick" ? "accent" : "warm"), stroke: colour("ink") });
    },
  };
}

/** A bead on a wire, seen from the front: x to the right, y up. @param {any} _mechanism @param {any} run @returns {Picture} */
function beadPicture(_mechanism, run) {
  const path = track(run, "x", "y");
  return {
    title: "The bead on its wire, from the front (y is up)",
    points: path,
    draw: (pen, row) => {
      pen.line(path, { stroke: colour("muted"), width: 2, open: true });
      drawContact(pen, run, row);
    },
  };
}

/** @type {Record<string, (mechanism: any, run: any) => Picture>} */
const MECHANISMS = { "two-link": armPicture, chain: armPicture, block: blockPicture, incline: blockPicture, bead: beadPicture };
