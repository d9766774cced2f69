/**
 * Push: a tip is dragged, the object follows as slow pushing has it: friction on the table balances the push at
 * every instant. The path of the tip is kept, and the YAML repeats it.
 */
import { MOST_ROWS, checkCount } from "../budget.js";
import { Controls } from "../controls.js";
import { colour, element } from "../dom.js";
import { scenarioInC, scenarioInPython } from "../exporting.js";
import { patchOf, takePatch, takeScenario } from "../module.js";
import { Plane, outlineOf, placed } from "../plane.js";
import { tex } from "../why.js";
import { copy, rounded } from "../tree.js";

/** @typedef {import('../plane.js').Point} Point */

const STEP = 0.02; // seconds between points of the path
const LEAST = 0.0005; // a tip that goes less far has not moved [m]
const MOST = 0.004; // a long distance is divided into such steps [m]
const SLICE = 100; // a long path is pushed in slices, between which the page reacts [ms]

/** @type {Record<string, any>} shapes of the MIT pushing dataset (Yu et al., 2016), and one more */
const SHAPES = {
  rect1: { shape: "rectangle", size: [0.09, 0.09] },
  rect3: { shape: "rectangle", size: [0.13501, 0.08994] },
  hex: {
    shape: "polygon",
    vertices: Array.from({ length: 6 }, (_, k) => [
      rounded(0.0605 * Math.cos((k * Math.PI) / 3), 1e-6),
      rounded(0.0605 * Math.sin((k * Math.PI) / 3), 1e-6),
    ]),
  },
  ellip1: { shape: "disc", radius: 0.0525 },
  tri1: {
    shape: "polygon",
    vertices: [
      [0.045, 0.045],
      [-0.0809, 0.045],
      [0.045, -0.08087],
    ],
  },
  L: {
    shape: "polygon",
    vertices: [
      [-0.044, -0.044],
      [0.076, -0.044],
      [0.076, -0.004],
      [-0.004, -0.004],
      [-0.004, 0.076],
      [-0.044, 0.076],
    ],
  },
};

/** A straight push beside the middle. */
const firstPath = () =>
  Array.from({ length: 41 }, (_, i) => [rounded(i * STEP, 1e-6), rounded(-0.075 + 0.0025 * i, 1e-6), 0.015]);

const START = {
  slider: { patch: SHAPES.rect1, surface: "exact", pose: [0, 0, 0] },
  pusher: { points: firstPath(), radius: 0.00475, mu: 0.25 },
  model: "quasistatic",
  step: STEP,
};

const edgeOf = (/** @type {any} */ s) => s.slider.outline ?? s.slider.patch;

/** Three feet below a shape: near its edge, in three directions. @param {any} shape */
function feetOf(shape) {
  const edge = outlineOf(shape);
  const furthest = (/** @type {number} */ angle) =>
    edge.reduce((best, p) =>
      p[0] * Math.cos(angle) + p[1] * Math.sin(angle) > best[0] * Math.cos(angle) + best[1] * Math.sin(angle)
        ? p
        : best,
    );
  return [90, 210, 330].map((degrees) => [
    ...furthest((degrees * Math.PI) / 180).map((x) => rounded(0.8 * x, 1e-4)),
    1,
  ]);
}

/** Which shape the state has. @param {any} s */
const shapeOf = (s) =>
  Object.keys(SHAPES).find((name) => JSON.stringify(SHAPES[name]) === JSON.stringify(edgeOf(s))) ?? "own";

/** Is a point within a polygon? Rays to the right cross its edge oddly often. @param {Point} at @param {Point[]} corners */
function isInside([x, y], corners) {
  return corners.reduce((inside, [ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length];
    return ay > y !== by > y && x < ax + ((y - ay) * (bx - ax)) / (by - ay) ? !inside : inside;
  }, false);
}

/**
 * A path with a point for every step, as the command goes along it: linear between its own points.
 * @param {any} tree a scenario with pusher.points
 */
function stepped(tree) {
  const { points } = tree.pusher;
  const end = tree.duration ?? points.at(-1)[0];
  const step = tree.step ?? end / 200;
  checkCount("steps along the path", Math.round(end / step), MOST_ROWS);
  let at = 0;
  const fine = Array.from({ length: Math.round(end / step) + 1 }, (_, i) => {
    const t = i * step;
    while (at + 2 < points.length && points[at + 1][0] <= t) at++;
    const [a, b] = [points[at], points[at + 1]];
    const share = Math.min(Math.max((t - a[0]) / (b[0] - a[0]), 0), 1);
    return [rounded(t, 1e-9), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])];
  });
  return { ...tree, step, pusher: { ...tree.pusher, points: fine } };
}

class PushView {
  /** @param {import('../controls.js').Host} host */
  constructor(host) {
    this.host = host;
    /** @type {any} the module's object, and its parameters */
    this.pusher = null;
    this.made = "";
    /** @type {number[][]} of the object, along the path */
    this.poses = [];
    this.pose = new Float64Array(3);
    this.count = 0; // points of the path that have been passed
    this.replayed = "";
    this.timer = 0;
    /** @type {any} what the last step did */
    this.last = null;
    this.plane = new Plane(host.stage, {
      label: "The table, seen from above",
      span: 0.32,
      draw: (pen) => this.#draw(pen),
      press: (at, kind) => this.#press(at, kind),
      tapped: () => true,
    });
    this.plane.box.classList.add("wide");
    this.plane.box.append(
      element(
        "div",
        { class: "title" },
        "Drag the orange tip against the object; press elsewhere to set it down there. Green: the push; blue: the path of the centre",
      ),
    );
    this.isDown = false; // a tip that was set down follows the pointer
    /** @type {Point[][]} paths of the centre before the tip was lifted */
    this.past = [];
    this.controls = this.#controls();
  }

  #controls() {
    const c = new Controls(this.host);
    const again = (/** @type {any} */ s) => {
      s.slider.pose = [0, 0, 0];
      s.pusher.points = firstPath();
      this.past = [];
    };
    c.heading("Object").choice(
      "shape",
      "Shape",
      [
        ["rect1", "square (MIT rect1)"],
        ["rect3", "rectangle (MIT rect3)"],
        ["hex", "hexagon (MIT hex)"],
        ["ellip1", "disc (MIT ellip1)"],
        ["tri1", "triangle (MIT tri1)"],
        ["L", "an L"],
        ["own", "from a file"],
      ],
      {
        read: shapeOf,
        write: (s, name) => {
          if (!SHAPES[name]) return;
          const feet = s.slider.outline && s.slider.patch.shape === "points";
          s.slider = {
            ...s.slider,
            patch: feet ? { shape: "points", points: feetOf(SHAPES[name]) } : copy(SHAPES[name]),
            outline: feet ? copy(SHAPES[name]) : undefined,
          };
          if (!feet) delete s.slider.outline;
          again(s);
        },
      },
    );
    c.choice(
      "support",
      "It rests on",
      [
        ["whole", "its whole face"],
        ["feet", "three feet"],
        ["own", "a fitted map, from a file"],
      ],
      {
        read: (s) => (!s.slider.outline ? "whole" : s.slider.patch.points?.length === 3 ? "feet" : "own"),
        write: (s, kind) => {
          const shape = edgeOf(s);
          if (kind === "own")
            return this.host.say("Drop a patch here, as `bristle fit pressure -o patch.yaml` writes it.");
          s.slider.patch = kind === "feet" ? { shape: "points", points: feetOf(shape) } : shape;
          if (kind === "feet") s.slider.outline = shape;
          else delete s.slider.outline;
        },
      },
    );
    c.choice(
      "slider.surface",
      "Surface",
      [
        ["exact", "exact limit surface"],
        ["ellipsoid", "ellipsoid"],
      ],
      { read: (s) => s.slider.surface ?? "ellipsoid" },
    );
    c.heading("Tip").number("pusher.mu", "Friction μ", { unit: "-", from: 0, to: 1, step: 0.01 });
    c.number("pusher.radius", "Radius", { unit: "m", from: 0, to: 0.02, step: 0.00025 });
    c.buttons([
      ["Push again from the start", again],
      ["Lift the tip", (s) => this.#lift(s), "what was pushed stays; the path starts again"],
    ]);
    return c;
  }

  /** The object of the module that pushes; created again when its parameters change. */
  #pusher() {
    const { bristle, state } = this.host;
    const text = JSON.stringify([
      state.slider.patch,
      state.slider.outline,
      state.slider.surface,
      state.pusher.mu,
      state.pusher.radius,
    ]);
    if (text === this.made) return this.pusher;
    const support = patchOf(bristle, state.slider.patch),
      body = patchOf(bristle, edgeOf(state));
    const surface = new bristle.LimitSurface(support, { method: state.slider.surface ?? "ellipsoid" });
    try {
      const { mu, radius } = state.pusher;
      const pusher = new bristle.Pusher(body, { mu, radius, support: surface });
      this.pusher?.free();
      Object.assign(this, { pusher, made: text, replayed: "" });
    } finally {
      for (const part of [support, body, surface]) part.free();
    }
    return this.pusher;
  }

  update() {
    this.controls.update();
    const pusher = this.#pusher(),
      { state } = this.host;
    this.#replay(pusher, state.slider.pose, state.pusher.points);
    this.plane.setHandles([
      { id: "tip", label: "Tip", kind: "tip", step: 0.003, at: () => this.#tip(), move: (to) => this.#drag(to) },
    ]);
    this.#report();
  }

  /**
   * Push along the points that are new, or along all if the past has changed; what a slice does not reach comes later.
   * @param {any} pusher @param {number[] | undefined} pose at the start @param {number[][]} points
   */
  #replay(pusher, pose, points) {
    const text = (/** @type {number} */ count) => JSON.stringify([pose, points.slice(0, count)]);
    const goes_on = this.count > 0 && this.count <= points.length && text(this.count) === this.replayed;
    if (!goes_on) {
      this.pose = Float64Array.from(pose ?? [0, 0, 0]);
      this.poses = [Array.from(this.pose)];
      this.count = 1;
      this.last = null;
    }
    const end = performance.now() + SLICE;
    for (; this.count < points.length && performance.now() < end; this.count++) {
      const [, ax, ay] = points[this.count - 1],
        [, bx, by] = points[this.count];
      this.last = pusher.step(this.pose, [ax, ay], [bx, by]);
      this.poses.push(Array.from(this.pose));
    }
    this.replayed = text(this.count);
    clearTimeout(this.timer);
    if (this.count < points.length) this.timer = setTimeout(() => this.host.refresh(), 0);
  }

  /** @returns {Point} */
  #tip() {
    const [, x, y] = this.host.state.pusher.points.at(-1);
    return [x, y];
  }

  /** @param {Point} to */
  #drag(to) {
    const [x, y] = this.#tip(),
      distance = Math.hypot(to[0] - x, to[1] - y);
    if (distance < LEAST) return;
    this.host.change((s) => {
      const steps = Math.ceil(distance / MOST),
        { points } = s.pusher;
      for (let i = 1; i <= steps; i++)
        points.push([
          rounded(points.at(-1)[0] + s.step, 1e-6),
          rounded(x + ((to[0] - x) * i) / steps, 1e-6),
          rounded(y + ((to[1] - y) * i) / steps, 1e-6),
        ]);
    });
  }

  /** Start a new path where the tip and the object are. @param {any} s */
  #lift(s) {
    if (this.poses.length > 1) this.past.push(this.poses.map(([x, y]) => [x, y]));
    s.slider.pose = Array.from(this.pose);
    s.pusher.points = [[0, ...this.#tip()]];
  }

  /** The tip is set down elsewhere. @param {Point} at @param {string} kind */
  #press(at, kind) {
    if (kind === "move") return this.isDown ? this.#drag(at) : undefined;
    this.isDown = false;
    if (kind === "down" && isInside(at, placed(outlineOf(edgeOf(this.host.state)), /** @type {any} */ (this.pose)))) {
      this.host.say("The tip is set down beside the object, not on it.", "bad");
    } else if (kind === "down") {
      this.isDown = true;
      this.host.change((s) => {
        this.#lift(s);
        s.pusher.points = [[0, rounded(at[0], 1e-4), rounded(at[1], 1e-4)]];
      });
    }
    return undefined;
  }

  #report() {
    const { pose, last } = this,
      mode = last
        ? ["sticks to the edge", "slides to the left", "slides to the right", "does not touch"][last.mode]
        : "does not touch";
    this.host.numbers([
      { name: "x", label: "x", value: pose[0], unit: "m" },
      { name: "y", label: "y", value: pose[1], unit: "m" },
      { name: "theta", label: "Turned", value: pose[2], unit: "rad" },
      { name: "steps", label: "Points of the path", value: this.count, more: true },
      { name: "mode", label: "Tip", value: mode, kind: "wide" },
      {
        name: "force",
        label: "Push, over μ fn",
        kind: "wide",
        value: last ? Math.hypot(last.force[0], last.force[1]) : 0,
        help: "of the tip on the object, over the friction of the whole object: μ times its weight",
      },
    ]);
    this.host.say(this.count < 2 ? "The tip is set down: drag it against the object." : "");
  }

  /** @param {import('../plane.js').Pen} pen */
  #draw(pen) {
    const { state } = this.host,
      edge = outlineOf(edgeOf(state)),
      feet = state.slider.patch;
    const every = Math.max(1, Math.floor(this.poses.length / 6));
    for (let i = 0; i < this.poses.length - 1; i += every)
      pen.line(placed(edge, this.poses[i]), { stroke: colour("muted"), width: 1, alpha: 0.35 });
    for (const path of this.past) pen.line(path, { stroke: colour("muted"), width: 1.2, open: true, dash: [3, 3] });
    pen.line(placed(edge, /** @type {any} */ (this.pose)), {
      fill: colour("body"),
      stroke: colour("ink"),
      width: 2,
      alpha: 0.92,
    });
    if (state.slider.outline) this.#drawSupport(pen, feet);
    pen.line(
      this.poses.map(([x, y]) => /** @type {Point} */ ([x, y])),
      { stroke: colour("accent"), width: 2, open: true },
    );
    pen.line(
      state.pusher.points.map((/** @type {number[]} */ p) => [p[1], p[2]]),
      { stroke: colour("warm"), width: 1.2, open: true, dash: [4, 3] },
    );
    const tip = this.#tip();
    pen.circle(tip, state.pusher.radius, { fill: colour("warm"), alpha: 0.6 });
    if (this.last && this.last.mode < 3) this.#drawForce(pen);
  }

  /** @param {import('../plane.js').Pen} pen @param {any} support */
  #drawSupport(pen, support) {
    const pose = /** @type {any} */ (this.pose);
    if (support.shape === "points") {
      const most = Math.max(...support.points.map((/** @type {number[]} */ p) => p[2]));
      support.points.forEach((/** @type {number[]} */ p) =>
        pen.dot(placed([[p[0], p[1]]], pose)[0], 2 + 6 * Math.sqrt(p[2] / most), {
          fill: colour("patch"),
          stroke: colour("accent"),
          width: 1,
        }),
      );
    } else pen.line(placed(outlineOf(support), pose), { fill: colour("patch"), alpha: 0.5 });
  }

  /** @param {import('../plane.js').Pen} pen */
  #drawForce(pen) {
    const { force, point } = this.last,
      pose = /** @type {any} */ (this.pose);
    const [at] = placed([[point[0], point[1]]], pose),
      [by] = placed([[force[0], force[1]]], [0, 0, pose[2]]);
    pen.arrow(at, [by[0] * 0.05, by[1] * 0.05], colour("good"));
  }

  close() {
    clearTimeout(this.timer);
    this.plane.close();
    this.pusher?.free();
  }
}

/** @type {import('../scenes.js').Scene} */
export const push = {
  id: "push",
  title: "Push",
  lead: "Push an object over a table, slowly, and it turns by the friction below it. Drag the tip; try three feet instead of the whole face.",
  start: () => copy(START),
  why: {
    text: "A slow push has no inertia: at each instant the friction on the table balances the tip. So the force and torque of the push are on the limit surface, and the object moves along its normal there. That fixes how much it turns for how much it goes.",
    formula: (of, s) =>
      `\\begin{aligned} \\text{push} &= ${of("force")}\\,\\mu f_n \\le \\mu f_n\\\\ \\mu_{\\text{tip}} &= ${tex(s.pusher.mu)}\\\\ (x, y) &= (${of("x")},\\ ${of("y")})\\\\ \\theta &= ${of("theta")} \\end{aligned}`,
    steps: [
      { text: "Push through the middle: it does not turn.", to: (s) => Object.assign(s, copy(START), { pusher: { ...copy(START.pusher), points: firstPath().map(([t, x]) => [t, x, 0]) } }) },
      { text: "Push 30 mm beside it: it turns away.", to: (s) => Object.assign(s, copy(START), { pusher: { ...copy(START.pusher), points: firstPath().map(([t, x]) => [t, x, 0.03]) } }) },
      { text: "The same push on three feet: another pressure, another path.", to: (s) => (s.slider = { ...s.slider, outline: SHAPES.rect1, patch: { shape: "points", points: feetOf(SHAPES.rect1) } }) },
    ],
  },
  open: (host) => new PushView(host),
  takes: (tree) => Boolean(tree.slider && (tree.pusher?.points ?? tree.pusher?.path)) || typeof tree.shape === "string",
  take: (file, bristle, state) => {
    if (!file.tree.shape) return stepped(takeScenario(bristle, file));
    // a fitted map of pressure: the present object rests on it
    const next = copy(state ?? START);
    return { ...next, slider: { ...next.slider, outline: edgeOf(next), patch: takePatch(bristle, file) } };
  },
  exports: (state, { toYaml }) => {
    const yaml = toYaml(state);
    return {
      files: [{ name: "push.yaml", text: yaml }],
      command: "bristle run push.yaml -o push.csv --plot push.png",
      c: scenarioInC(yaml, "push"),
      python: scenarioInPython(yaml, ["x", "y", "theta"]),
    };
  },
};
