/**
 * Slide: a box or a puck on a floor with grain, half of ice, or a strip of other friction. Every change runs the
 * scenario again, and the player shows it.
 */
import { Controls } from "../controls.js";
import { colour, element } from "../dom.js";
import { scenarioInC, scenarioInPython } from "../exporting.js";
import { drawField, drawGrain, floorControls, floorOf, grainControls } from "../ground.js";
import { takeScenario } from "../module.js";
import { Plane, outlineOf, placed } from "../plane.js";
import { Player, rowAt } from "../player.js";
import { tex } from "../why.js";
import { copy, rounded } from "../tree.js";

/** @typedef {import('../plane.js').Point} Point */

const START = {
  body: { mass: 0.5, size: [0.12, 0.08], pose: [-0.45, 0, 0], velocity: [1.7, 0, 0] },
  friction: { mu: 0.3, field: { grid: [[1, 0.1]], size: [1, 1], centre: [-0.1, -0.05], angle: -1.1 } },
  contact: { frame: "body", patch: { shape: "rectangle", size: [0.12, 0.08] } },
  duration: 1.2,
  integrator: { kind: "fixed", step: 0.005 }, // a tenth of the time of adaptive steps: it is dragged
  output: { every: 0.01, energy: true },
};

const AHEAD = 0.12; // the velocity is drawn as the distance in this time [s]
const SPANS = [0.9, 1.4, 2.2, 3.5]; // of the view [m]: it does not follow every pixel
const GHOSTS = 6; // earlier poses that are drawn

/** @type {Record<string, (s: any) => void>} */
const BODIES = {
  box: (s) => {
    delete s.body.radius;
    s.body.size = [0.12, 0.08];
    s.contact.patch = { shape: "rectangle", size: [0.12, 0.08] };
  },
  puck: (s) => {
    delete s.body.size;
    s.body.radius = 0.05;
    s.contact.patch = { shape: "disc", radius: 0.05 };
  },
};

/** Which of them a state has. @param {any} s */
const bodyOf = (s) => ({ rectangle: "box", disc: "puck" })[/** @type {string} */ (s.contact.patch.shape)] ?? "own";

const poseOf = (/** @type {any} */ s) => s.body.pose ?? [0, 0, 0];
const velocityOf = (/** @type {any} */ s) => s.body.velocity ?? [0, 0, 0];

class SlideView {
  /** @param {import('../controls.js').Host} host */
  constructor(host) {
    this.host = host;
    /** @type {any} columns of the run, and the state it belongs to */
    this.run = null;
    this.state = host.state;
    this.row = 0;
    const stage = element("div", { class: "wide" });
    host.stage.append(stage);
    this.plane = new Plane(stage, {
      label: "The floor, seen from above",
      span: SPANS[0],
      draw: (pen) => this.#draw(pen),
    });
    this.plane.box.classList.add("wide");
    this.plane.box.append(
      element("div", { class: "title" }, "The floor from above: drag the start, the velocity (orange), the edge of the ice (violet)"),
    );
    this.player = new Player(stage, (t) => host.later(() => this.#show(t)));
    this.controls = this.#controls();
  }

  #controls() {
    const c = new Controls(this.host);
    c.heading("Body").choice(
      "body",
      "It is",
      [
        ["box", "a box"],
        ["puck", "a puck"],
        ["own", "that of the file"],
      ],
      { read: bodyOf, write: (s, kind) => BODIES[kind]?.(s) },
    );
    c.number("friction.mu", "Friction μ", { unit: "-", from: 0.05, to: 1, step: 0.01, when: (s) => s.friction.mu !== undefined });
    const part = (/** @type {string} */ name, /** @type {number} */ i, /** @type {string} */ label, /** @type {any} */ range) =>
      c.number(`body.${name}${i}`, label, {
        read: (s) => (s.body[name] ?? [0, 0, 0])[i],
        write: (s, x) => (s.body[name] = [0, 1, 2].map((k) => (k === i ? x : (s.body[name] ?? [0, 0, 0])[k]))),
        ...range,
      });
    part("velocity", 2, "Spin", { unit: "rad/s", from: -20, to: 20, step: 0.5 });
    part("pose", 2, "Turned by", { unit: "rad", from: -Math.PI / 2, to: Math.PI / 2, step: Math.PI / 36 });
    c.number("duration", "Duration", { unit: "s", from: 0.2, to: 4, step: 0.1 });
    c.heading("Floor");
    floorControls(c, "friction.field");
    c.heading("Grain");
    grainControls(c, "friction.anisotropy", true);
    return c;
  }

  update() {
    this.controls.update();
    this.#handles();
    this.host.run([this.host.state], ([result], state) => this.#result(result, state));
  }

  /** @param {any} result @param {any} state it belongs to */
  #result(result, state) {
    this.state = state;
    const names = ["t", "x", "y", "theta", "vx", "vy", "dissipated", "mu_factor"];
    this.run = Object.fromEntries(names.map((name) => [name, result.get(name)]));
    this.#fit();
    this.player.setDuration(this.run.t.at(-1));
    this.#report();
  }

  /** A view that contains the path, the start and the velocity; it stays while one of them is dragged. */
  #fit() {
    if (this.plane.held || !this.run) return;
    const { x, y } = this.run,
      { state } = this.host;
    const reach = Math.max(...poseOf(state).slice(0, 2).map(Math.abs), ...[x.at(-1), 1.75 * y.at(-1)].map(Math.abs)) + 0.1;
    this.plane.span = SPANS.find((span) => 0.875 * span > reach) ?? SPANS[SPANS.length - 1];
    this.plane.redraw();
  }

  #handles() {
    const { state, change } = this.host,
      mm = (/** @type {number} */ x) => rounded(x, 1e-3);
    /** @type {import('../plane.js').Handle[]} */
    const list = [],
      done = () => this.#fit();
    list.push(
      {
        id: "start",
        label: "Start",
        step: 0.01,
        at: () => [poseOf(state)[0], poseOf(state)[1]],
        move: (to) => change((s) => (s.body.pose = [...to.map(mm), poseOf(s)[2]])),
        done,
      },
      {
        id: "velocity",
        label: "Velocity",
        kind: "centre",
        step: 0.01,
        at: () => [poseOf(state)[0] + AHEAD * velocityOf(state)[0], poseOf(state)[1] + AHEAD * velocityOf(state)[1]],
        move: (to) =>
          change((s) => (s.body.velocity = [...to.map((x, i) => rounded((x - poseOf(s)[i]) / AHEAD, 0.01)), velocityOf(s)[2]])),
        done,
      },
    );
    if (["half", "strip"].includes(floorOf(state.friction.field)))
      list.push({
        id: "edge",
        label: floorOf(state.friction.field) === "half" ? "Edge of the ice" : "Strip",
        kind: "load",
        step: 0.01,
        at: () => state.friction.field.centre ?? [0, 0],
        move: (to) => change((s) => (s.friction.field.centre = to.map(mm))),
        done,
      });
    this.plane.setHandles(list);
  }

  /** @param {number} row @returns {[number, number, number]} */
  #pose(row) {
    const { x, y, theta } = this.run;
    return [x[row], y[row], theta[row]];
  }

  /** The edge of the body at a row. @param {number} row */
  #edge(row) {
    const { patch } = this.state.contact;
    return placed(placed(outlineOf(patch), [...(patch.centre ?? [0, 0]), patch.angle ?? 0]), this.#pose(row));
  }

  /** @param {import('../plane.js').Pen} pen */
  #draw(pen) {
    if (!this.run) return;
    const { state } = this.host,
      { anisotropy: grain, field } = state.friction,
      onGround = grain?.axes === "ground",
      last = this.run.t.length - 1;
    drawField(pen, field?.over === "body" ? undefined : field);
    if (onGround) drawGrain(pen, grain, [0, 0], 1.2 * this.plane.span);
    for (let i = 0; i < GHOSTS; i++)
      pen.line(this.#edge(Math.round((last * i) / (GHOSTS - 1))), { stroke: colour("muted"), width: 1, alpha: 0.55 });
    const path = Array.from(this.run.x, (x, i) => /** @type {Point} */ ([x, this.run.y[i]]));
    pen.line(path, { stroke: colour("accent"), width: 1.5, open: true, dash: [5, 4] });
    const now = this.#edge(this.row);
    pen.line(now, { fill: colour("body"), stroke: colour("ink"), width: 1.5, alpha: 0.9 });
    const [x, y, theta] = this.#pose(this.row);
    if (grain && !onGround) drawGrain(pen, grain, [x, y], 0.15, theta, now);
    pen.line([[x, y], placed([now.length ? [0.03, 0] : [0, 0]], [x, y, theta])[0]], { stroke: colour("ink"), open: true });
    const [px, py] = poseOf(state),
      [vx, vy] = velocityOf(state);
    pen.arrow([px, py], [AHEAD * vx, AHEAD * vy], colour("warm"));
  }

  /** @param {number} t */
  #show(t) {
    if (!this.run) return;
    this.row = rowAt(this.run.t, t);
    this.plane.redraw();
  }

  #report() {
    const { run } = this,
      end = (/** @type {string} */ name) => run[name].at(-1);
    const { body, friction } = this.state;
    const speed = Math.hypot(end("vx"), end("vy")),
      [px, py] = body.pose ?? [0, 0];
    this.host.numbers([
      { name: "x", label: "x, end", value: end("x"), unit: "m" },
      { name: "y", label: "y, end", value: end("y"), unit: "m" },
      { name: "theta", label: "Turned", value: end("theta"), unit: "rad" },
      { name: "speed", label: "Speed, end", value: speed, unit: "m/s" },
      { name: "dissipated", label: "Dissipated", value: end("dissipated"), unit: "J" },
      ...(run.mu_factor
        ? [{ name: "mu_factor", label: "Factor on μ", value: end("mu_factor"), unit: "-", help: "mean under the body, at the end" }]
        : []),
    ]);
    const far = Math.round(100 * Math.hypot(end("x") - px, end("y") - py));
    const bent = friction.anisotropy && friction.anisotropy.ratio !== 1 ? " Grain bends its path: friction is not opposite to the velocity." : "";
    this.host.say(`${speed < 1e-3 ? `It stops after ${far} cm.` : `After ${far} cm it still slides.`}${bent}`);
  }

  pause() {
    this.player.pause();
  }

  close() {
    this.player.close();
    this.plane.close();
  }
}

/** @type {import('../scenes.js').Scene} */
export const slide = {
  id: "slide",
  title: "Slide",
  lead: "A box or a puck slides over a floor that is half ice, has a strip of other friction, or has a grain along which it slides more easily. Drag the edge of the ice, turn the grain.",
  start: () => copy(START),
  why: {
    text: "Friction takes the energy of the motion: without spin, on a floor that is the same everywhere, the distance is the square of the speed over 2 μ g. Where a part of the box is on ice, the other part pulls beside the middle, and the box turns.",
    formula: (of, s) => {
      const [vx, vy] = velocityOf(s),
        v = Math.hypot(vx, vy),
        mu = s.friction.mu ?? s.friction.mu_c;
      return `\\begin{aligned} d &= \\frac{v^2}{2 \\mu g} = \\frac{(${tex(v, "m/s")})^2}{2 \\cdot ${tex(mu)} \\cdot 9.81\\,\\mathrm{m/s^2}}\\\\ &= ${tex((v * v) / (2 * mu * 9.81), "m")} \\text{ on a uniform floor}\\\\ \\text{here: } x &= ${of("x")},\\ \\theta = ${of("theta")} \\end{aligned}`;
    },
    steps: [
      { text: "The same floor everywhere: it stops after v²/(2 μ g), and does not turn.", to: (s) => delete s.friction.field },
      { text: "Give it spin: it goes further, because friction is shared between sliding and turning.", to: (s) => (delete s.friction.field, (s.body.velocity = [1.7, 0, 15])) },
      { text: "Half of the floor is ice: the other half brakes, and turns it.", to: (s) => ((s.body.velocity = [1.7, 0, 0]), (s.friction.field = copy(START.friction.field))) },
    ],
  },
  open: (host) => new SlideView(host),
  takes: (tree) =>
    tree.contact?.frame === "body" && Boolean(tree.body && (tree.friction?.field ?? tree.friction?.anisotropy)) && !tree.gravity,
  take: (file, bristle) => {
    const tree = takeScenario(bristle, file);
    return { ...tree, output: { ...tree.output, energy: true } };
  },
  exports: (state, { toYaml }) => {
    const yaml = toYaml(state);
    return {
      files: [{ name: "slide.yaml", text: yaml }],
      command: "bristle run slide.yaml -o slide.csv --plot slide.png",
      c: scenarioInC(yaml, "slide"),
      python: scenarioInPython(yaml, ["x", "y", "theta"]),
    };
  },
};
