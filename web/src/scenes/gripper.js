/**
 * Gripper: an object between two fingers slips and turns. Every change runs the scenario again, and the player
 * shows it in real time; what is seen is what the YAML gives. Beside it is the limit surface of a finger, to which the
 * load runs, and the bristles under the finger, as the run itself has them.
 */
import { Controls } from "../controls.js";
import { Curves } from "../curves.js";
import { colour, element } from "../dom.js";
import { scenarioInC, scenarioInPython } from "../exporting.js";
import { digits } from "../format.js";
import { takeScenario } from "../module.js";
import { Plane, outlineOf, placed, roundLength } from "../plane.js";
import { Player, rowAt } from "../player.js";
import { copy, rounded } from "../tree.js";
import { Cells, Run } from "./cells.js";
import { Limits } from "./limits.js";
import { GRIPS, START, TIPS, contactOf, gripKind, gripLevel, tipKind } from "./grips.js";

/** @typedef {import('../plane.js').Point} Point */

const MOST_STATES = 2e7; // of bristles over a run that are fetched to be shown
const ACROSS = 21; // cells of a patch that names no resolution

/** The same run, which also gives its bristles, where they are not too many. @param {any} state */
function withBristles(state) {
  const { patch } = contactOf(state),
    cells = state.model === "distributed" ? (patch?.resolution ?? ACROSS) ** 2 : 0;
  const bristles = (2 * cells * state.duration) / (state.output?.every ?? 0.001) <= MOST_STATES;
  return { ...state, output: { ...state.output, bristles } };
}

/** @type {Record<string, string>} */
const STATES = { stick: "holds", slip: "slips", open: "lost it" };

class GripperView {
  /** @param {import('../controls.js').Host} host */
  constructor(host) {
    this.host = host;
    this.ran = ""; // the state that was run, as text
    this.state = host.state; // and as a tree
    /** @type {any} the last run */
    this.run = null;
    /** @type {any} */
    this.bristles = null;
    /** @type {any} what the cells do at the instant that is shown */
    this.cells = null;
    /** @type {Point[]} */
    this.outline = [];
    this.row = 0;
    this.cost = 0; // of the run [ms]
    this.perNewton = 0.01; // length of a drawn force [m/N]
    this.perSpeed = 0.01; // and of a drawn velocity [s]
    this.playSoon = !matchMedia("(prefers-reduced-motion: reduce)").matches; // shows at once what it is about
    const { stage } = host;
    this.plane = new Plane(stage, {
      label: "The object between the fingers",
      span: 0.24,
      draw: (pen) => this.#draw(pen),
    });
    this.plane.box.append(element("div", { class: "title" }, "The object; the finger is the shaded spot"));
    this.badge = element("div", { class: "badge", hidden: true });
    this.plane.box.append(this.badge);
    this.limits = new Limits(stage);
    this.player = new Player(stage, (t) => host.later(() => this.#show(t)));
    this.close_up = new Plane(stage, {
      label: "Under the finger: which part of the patch is loaded, and which slips",
      span: 0.03,
      draw: (pen) => this.#drawCells(pen),
    });
    this.caption = element("div", { class: "title" });
    this.close_up.box.append(this.caption);
    const beside = element("div", { class: "beside" });
    stage.append(beside);
    this.grip = new Plane(beside, {
      label: "Grip over time: draw on it",
      span: 1,
      draw: (pen) => this.#drawGrip(pen),
      press: (at, kind) => this.#pressGrip(at, kind),
      scale: false,
    });
    this.grip.box.classList.add("grip");
    this.load = new Curves(beside, {
      title: "Load of a finger, share of what it can hold, and grip",
      x: "t [s]",
      y: "load [-], grip [N]",
      lines: [
        { label: "load", colour: "accent" },
        { label: "grip [N]", colour: "muted" },
      ],
    });
    const below = element("div", { class: "wide" });
    stage.append(below);
    this.energy = new Curves(below, {
      title: "Energy",
      x: "t [s]",
      y: "mJ",
      lines: [
        { label: "lost to friction", colour: "warm" },
        { label: "from gravity", colour: "accent", dash: [6, 4] },
        { label: "in motion", colour: "good" },
        { label: "in the bristles", colour: "violet" },
      ],
    });
    this.controls = this.#controls();
  }

  #controls() {
    const c = new Controls(this.host);
    const one = (/** @type {any} */ s) => s.contact?.normal_force !== undefined;
    c.heading("Object").number("body.mass", "Mass", { unit: "kg", from: 0.02, to: 1, step: 0.01 });
    c.number("pose0", "Offset", {
      unit: "m",
      from: -0.03,
      to: 0.03,
      step: 0.0005,
      help: "of its centre of mass from the fingers",
      read: (s) => s.body.pose?.[0] ?? 0,
      write: (s, x) => (s.body.pose = [x, ...(s.body.pose ?? [0, 0, 0]).slice(1)]),
    });
    c.number("friction.mu", "Friction μ", {
      unit: "-",
      from: 0.1,
      to: 1.5,
      step: 0.01,
      when: (s) => s.friction?.mu !== undefined,
    });
    c.heading("Grip").choice(
      "grip",
      "Method",
      [
        ["constant", "constant"],
        ["sine", "oscillating"],
        ["hand", "manually, while it runs"],
        ["table", "drawn over time"],
        ["drop", "released after 0.5 s"],
        ["control", "controller: least force"],
      ],
      {
        read: (s) => gripKind(s.contact.normal_force),
        write: (s, kind) => this.#setGrip(s, kind),
        when: one,
      },
    );
    c.number("level", "Force", {
      unit: "N",
      from: 0,
      to: 12,
      step: 0.05,
      help: "of each finger",
      when: (s) => one(s) && ["constant", "sine", "hand", "drop", "control"].includes(gripKind(s.contact.normal_force)),
      read: (s) =>
        gripKind(s.contact.normal_force) === "hand"
          ? s.contact.normal_force.values.at(-1)
          : gripLevel(s.contact.normal_force),
      write: (s, x) => this.#setLevel(s, x),
    });
    c.number("contact.normal_force.aim", "Aim", {
      unit: "%",
      from: 0.3,
      to: 0.95,
      step: 0.01,
      help: "share of what friction can hold that the controller lets the load use",
      when: (s) => one(s) && s.contact.normal_force.kind === "control",
    });
    c.buttons(
      [
        ["Drop it", (s) => this.#setGrip(s, "drop"), "released after half a second"],
        [
          "Hold it with least force",
          (s) => this.#setGrip(s, "control"),
          "a digital controller grips as hard as the load needs",
        ],
      ],
      one,
    );
    c.heading("Fingertip").choice(
      "tip",
      "Shape",
      [
        ["disc", "disc"],
        ["soft", "soft: grows with the force"],
        ["ring", "ring"],
        ["pad", "rectangular pad"],
        ["edge", "edge"],
        ["prongs", "two prongs"],
        ["own", "from the file"],
      ],
      {
        read: (s) => tipKind(s.contact.patch),
        write: (s, kind) => TIPS[kind] && (s.contact.patch = copy(TIPS[kind])),
        when: one,
      },
    );
    c.number("contact.patch.radius", "Radius", {
      unit: "m",
      from: 0.002,
      to: 0.02,
      step: 0.0005,
      when: (s) => one(s) && typeof s.contact.patch.radius === "number",
    });
    c.heading("Run").number("duration", "Duration", { unit: "s", from: 0.5, to: 10, step: 0.5 });
    c.choice(
      "model",
      "Model",
      [
        ["blocks", "blocks (default)"],
        ["distributed", "every cell (slow)"],
        ["reduced", "reduced, as published"],
        ["ellipsoid", "reduced, ellipsoid"],
      ],
      {
        read: (s) => s.model ?? "blocks",
        write: (s, word) => (word === "blocks" ? delete s.model : (s.model = word)),
        when: one,
      },
    );
    return c;
  }

  /** @param {any} s @param {string} kind */
  #setGrip(s, kind) {
    const now = s.contact.normal_force,
      level = Math.max(gripLevel(now), 0.5);
    if (kind === "drop" || kind === "control") this.player.seek(0);
    s.contact.normal_force = GRIPS[kind](rounded(level, 0.01), s.duration);
    this.playSoon = true;
  }

  /** @param {any} s @param {number} level */
  #setLevel(s, level) {
    const grip = s.contact.normal_force;
    if (typeof grip === "number") s.contact.normal_force = level;
    else if (grip.kind === "control") grip.start = Math.max(level, 0.1);
    else if (grip.kind === "sine") Object.assign(grip, { mean: level, amplitude: Math.min(grip.amplitude, level) });
    else if (gripKind(grip) === "drop") grip.values[0] = level;
    else this.#steer(grip, level);
  }

  /** Manual: from this instant on another force. @param {any} grip @param {number} level */
  #steer(grip, level) {
    const t = rounded(this.player.t, 0.01);
    while (grip.times.length > 1 && grip.times.at(-1) >= t - 1e-9) {
      grip.times.pop();
      grip.values.pop();
    }
    if (t <= grip.times[0]) grip.values[0] = level;
    else {
      grip.times.push(t);
      grip.values.push(Math.max(level, 0.01));
    }
  }

  update() {
    const { state } = this.host,
      started = performance.now();
    this.controls.update();
    this.#handles();
    if (JSON.stringify(state) === this.ran) return this.#ready();
    this.host.run([withBristles(state)], ([result], of) => {
      this.cost = performance.now() - started;
      this.#result(result, of);
      this.#ready();
    });
    return undefined;
  }

  /** The run of the state is there. */
  #ready() {
    this.player.setDuration(this.run.t.at(-1));
    if (this.playSoon && !this.player.playing) this.player.play();
    this.playSoon = false;
  }

  /** @param {any} result @param {any} state it belongs to */
  #result(result, state) {
    const { bristle } = this.host,
      run = new Run(bristle, state, result);
    const bristles = new Cells(bristle, state, run);
    this.bristles?.free();
    Object.assign(this, { run, bristles, state, ran: JSON.stringify(state) });
    this.limits.set(bristle, state, run, bristles);
    this.caption.textContent = bristles.shown
      ? `Under the finger, the bristles of this run (${bristles.list.length} ${bristles.model === "blocks" ? "blocks" : "cells"}): blue holds, orange slides; the darker, the nearer to sliding`
      : bristles.model === "distributed" || bristles.model === "blocks"
        ? "The bristles under the finger of this run are not shown: there are too many, or its contact has no map"
        : "This model has no cells under the finger: choose blocks or every cell";
    const { size, radius, outline } = state.body;
    this.outline =
      outline ??
      (size ? outlineOf({ shape: "rectangle", size }) : outlineOf({ shape: "disc", radius: radius ?? 0.05 }));
    const reach = Math.max(...this.outline.flat().map(Math.abs));
    this.plane.span = 3 * reach;
    this.perNewton = roundLength(this.plane.span / 4 / this.#largestForce());
    this.perSpeed = roundLength((0.15 * this.close_up.span) / this.#largestSpeed());
    this.close_up.span = 2.6 * Math.max(...outlineOf(contactOf(state).patch).flat().map(Math.abs), 1e-3);
    const { t } = this.run,
      milli = (/** @type {string} */ name) => (result.get(name) ?? t).map((/** @type {number} */ x) => 1e3 * x);
    if (result.get("dissipated"))
      this.energy.set([t, milli("dissipated"), milli("work_gravity"), milli("kinetic"), milli("stored")]);
    if (this.run.load) this.load.set([t, this.run.load, this.run.fn]);
  }

  /** Of weight and friction, over the run [N]: the scale of arrows stays while it plays. */
  #largestForce() {
    const { fx, fy } = this.run,
      { count = 1 } = contactOf(this.state);
    const friction = fx.reduce((/** @type {number} */ most, /** @type {number} */ x, /** @type {number} */ i) => Math.max(most, count * Math.hypot(x, fy[i])), 0);
    return Math.max(friction, this.state.body.mass * 9.81);
  }

  /** Of the patch over the finger while it touches [m/s]. */
  #largestSpeed() {
    const { run, bristles } = this,
      reach = this.close_up.span / 2.6;
    let most = 1e-4;
    for (let i = 0; i < run.t.length; i++) {
      if (!(run.fn[i] > 0)) continue;
      const [vx, vy, w] = run.twist(i, bristles.contact.cop);
      most = Math.max(most, Math.hypot(vx, vy) + Math.abs(w) * reach);
    }
    return most;
  }

  /** The view goes along with an object that would leave it. @param {number} row */
  #follow(row) {
    const free = 0.3 * this.plane.span,
      beyond = (/** @type {number} */ x) => Math.sign(x) * Math.max(Math.abs(x) - free, 0);
    this.plane.centre = [beyond(this.run.x[row]), beyond(this.run.y[row])];
  }

  /** @param {number} t */
  #show(t) {
    if (!this.run) return;
    this.row = rowAt(this.run.t, t);
    this.cells = this.bristles.shown ? this.bristles.at(this.row) : null;
    this.#follow(this.row);
    this.#mark();
    for (const plane of [this.plane, this.close_up, this.grip]) plane.drawNow();
    this.limits.show(this.row);
    this.energy.mark(t);
    this.load.mark(t);
    this.#report();
  }

  /** The badge: how much of the contact slides. */
  #mark() {
    const open = !(this.run.fn[this.row] > 0),
      share = this.cells?.share ?? 0,
      percent = Math.round(100 * share);
    const [text, kind] = open
      ? ["no contact: it falls", "bad"]
      : !this.cells
        ? ["", ""]
        : share > 0.995
          ? ["gross slip: all of the contact slides", "bad"]
          : percent > 0
            ? [`incipient slip: ${percent} % of the contact slides`, "warm"]
            : ["it holds: no part of the contact slides", "good"];
    this.badge.textContent = text;
    this.badge.className = `badge ${kind}`;
    this.badge.hidden = !text;
  }

  #report() {
    const { run, row } = this,
      last = run.t.length - 1,
      { result } = run;
    const at = (/** @type {string} */ name, /** @type {number} */ i = row) =>
      (result.get(name) ?? result.get(`${name}1`))?.[i] ?? NaN;
    const word = run.state ? run.state[row] : "";
    const { mu } = this.limits;
    this.host.numbers([
      { name: "state", label: "Finger", value: STATES[word] ?? word },
      { name: "fn", label: "Grip", value: at("fn"), unit: "N" },
      { name: "load", label: "Load", value: at("load"), unit: "%", help: "share of what the grip can hold just now" },
      { name: "share", label: "Slides", value: this.cells ? this.cells.share : NaN, unit: "%", help: "share of the contact whose bristles slide just now" },
      { name: "final.y", label: "y, end", value: at("y", last), unit: "m" },
      { name: "final.theta", label: "turned, end", value: at("theta", last), unit: "rad" },
      { name: "t", label: "Time", value: run.t[row], unit: "s", more: true },
      { name: "x", label: "x", value: at("x"), unit: "m", more: true },
      { name: "y", label: "y", value: at("y"), unit: "m", more: true },
      { name: "theta", label: "Turned", value: at("theta"), unit: "rad", more: true },
      { name: "slip", label: "Slips at", value: at("slip"), unit: "m/s", more: true },
      { name: "final.x", label: "x, end", value: at("x", last), unit: "m", more: true },
      { name: "dissipated", label: "Heat", value: at("dissipated", last), unit: "J", more: true },
      { name: "force", label: "Friction", value: Math.hypot(at("fx"), at("fy")), unit: "N", more: true },
      { name: "limit", label: "μ fn", value: mu * at("fn"), unit: "N", more: true },
      { name: "r", label: "r", value: this.limits.r, unit: "m", more: true },
      { name: "tau", label: "τ", value: this.limits.now[2], unit: "N m", more: true, help: "torque of friction at the centre of pressure" },
      { name: "cells", label: "Parts shown", value: this.bristles.list.length, more: true },
      { name: "cost", label: "Took", value: this.cost / 1000, unit: "ms", more: true },
    ]);
    const lost = result.events.find((/** @type {any} */ e) => e.kind === "open"),
      most = run.fn.reduce((/** @type {number} */ a, /** @type {number} */ b) => Math.max(a, b), 0);
    if (lost) this.host.say(`The object is lost after ${lost.t.toFixed(2)} s.`, "bad");
    else if (gripKind(contactOf(this.state).normal_force ?? 0) === "control")
      this.host.say(
        `The controller holds it with ${digits(at("fn", last))} N at the end, at most ${digits(most)} N.`,
        "good",
      );
    else
      this.host.say(
        Math.hypot(at("x", last) - at("x", 0), at("y", last) - at("y", 0)) < 1e-3
          ? "It is held."
          : `It slips by ${digits(1e3 * Math.hypot(at("x", last) - at("x", 0), at("y", last) - at("y", 0)))} mm in all.`,
      );
  }

  /** @param {import('../plane.js').Pen} pen */
  #draw(pen) {
    if (!this.run) return;
    const { run, row, outline, state } = this;
    const pose = [run.x[row], run.y[row], run.theta[row]];
    this.#drawGrid(pen);
    pen.line(placed(outline, pose), { fill: colour("body"), stroke: colour("ink"), width: 1.5, alpha: 0.95 });
    for (const { patch, frame } of state.contacts ?? [state.contact])
      this.#drawTip(pen, patch, frame === "body" ? pose : run.turns ? [0, 0, 0] : run.frame(row));
    const unit = this.perNewton,
      weight = state.body.mass * 9.81;
    pen.dot([pose[0], pose[1]], 4, { fill: colour("ink") });
    if (Array.isArray(state.gravity)) pen.arrow([pose[0], pose[1]], [0, -weight * unit], colour("muted"));
    const { count = 1 } = contactOf(state),
      at = run.frame(row);
    const [force] = placed([[run.fx[row] * count * unit, run.fy[row] * count * unit]], [0, 0, at[2]]);
    pen.arrow([at[0], at[1]], force, colour("accent"));
    this.#drawLegend(pen, [
      ["friction", "accent"],
      ...(Array.isArray(state.gravity) ? /** @type {[string, string][]} */ ([["weight", "muted"]]) : []),
    ]);
  }

  /** Lines every 5 cm, or more: they show that the view follows. @param {import('../plane.js').Pen} pen */
  #drawGrid(pen) {
    const { span, centre } = this.plane,
      step = roundLength(span / 4),
      far = span;
    for (const axis of [0, 1]) {
      const first = Math.ceil((centre[axis] - far) / step);
      for (let i = first; i * step < centre[axis] + far; i++) {
        /** @type {(along: number) => Point} */
        const at = (along) => (axis === 0 ? [i * step, along] : [along, i * step]);
        const other = centre[1 - axis];
        pen.line([at(other - far), at(other + far)], { stroke: colour("line"), width: i === 0 ? 1.5 : 0.7, open: true });
      }
    }
    if (Math.abs(centre[1]) > span)
      pen.text(`${digits(Math.abs(this.run.y[this.row]))} m ${this.run.y[this.row] < 0 ? "below" : "above"} the finger`, [centre[0], centre[1] + 0.36 * span], { align: "center" });
  }

  /** Arrows of a round force, to the scale of the picture. @param {import('../plane.js').Pen} pen @param {[string, string][]} list */
  #drawLegend(pen, list) {
    const { span, centre } = this.plane,
      round = roundLength((0.2 * span) / this.perNewton),
      length = round * this.perNewton;
    list.forEach(([name, look], i) => {
      /** @type {Point} */
      const at = [centre[0] - 0.47 * span, centre[1] - 0.46 * span + 0.06 * span * i];
      pen.arrow(at, [length, 0], colour(look));
      pen.text(`${digits(round)} N, ${name}`, [at[0] + length, at[1]], { dx: 6, dy: 4 });
    });
  }

  /** @param {import('../plane.js').Pen} pen @param {any} patch @param {number[]} frame */
  #drawTip(pen, patch, frame) {
    const [ox, oy] = patch.centre ?? [0, 0];
    const spot = placed(placed(outlineOf(patch), [ox, oy, patch.angle ?? 0]), frame);
    if (patch.shape === "points")
      for (const point of spot) pen.dot(point, 5, { fill: colour("patch"), stroke: colour("accent") });
    else if (spot.length > 2) pen.line(spot, { fill: colour("patch"), stroke: colour("accent"), alpha: 0.85 });
    else pen.line(spot, { stroke: colour("accent"), width: 4, open: true });
  }

  /** @param {import('../plane.js').Pen} pen */
  #drawCells(pen) {
    if (!this.cells) return;
    const { position, load, slides, v } = this.cells,
      { list, places, thin } = this.bristles,
      fn = this.run.fn[this.row];
    if (!(fn > 0)) return pen.text("The finger does not touch.", [0, 0], { align: "center" });
    const look = (/** @type {number} */ i) => colour(slides[i] ? "warm" : "accent"),
      alpha = (/** @type {number} */ i) => 0.12 + 0.85 * load[i];
    pen.context.save();
    if (places.length) pen.clip(this.bristles.edge);
    for (const { x, y, part, step } of places) {
      pen.context.globalAlpha = alpha(part);
      pen.cell(x, y, step, look(part));
    }
    pen.context.restore();
    for (const i of thin ? list : [])
      pen.dot([position[2 * i], position[2 * i + 1]], 7, { fill: look(i), alpha: 0.2 + 0.8 * load[i] });
    this.#drawField(pen, position, v, list);
    return undefined;
  }

  /** Where the parts go, for some of them, and the scale of these arrows. @param {import('../plane.js').Pen} pen @param {ArrayLike<number>} position @param {ArrayLike<number>} v @param {number[]} cells */
  #drawField(pen, position, v, cells) {
    const unit = this.perSpeed,
      { span } = this.close_up,
      every = Math.max(1, Math.round(cells.length / 60));
    for (const i of cells.filter((_, k) => k % every === Math.floor(every / 2)))
      pen.arrow([position[2 * i], position[2 * i + 1]], [v[2 * i] * unit, v[2 * i + 1] * unit], colour("ink"), 1);
    const round = roundLength((0.2 * span) / unit);
    pen.arrow([-0.47 * span, -0.46 * span], [round * unit, 0], colour("ink"), 1);
    pen.text(`${digits(1e3 * round)} mm/s`, [-0.47 * span + round * unit, -0.46 * span], { dx: 6, dy: 4 });
  }

  // --- grip over time: a plane of its own whose "metres" are shares of the box

  /** @param {number} t @param {number} force @returns {Point} */
  #gripPlace(t, force) {
    const { clientWidth: w, clientHeight: h } = this.grip.box,
      least = Math.min(w, h) || 1;
    return [
      ((t / this.host.state.duration - 0.5) * (w - 40)) / least,
      ((force / this.#gripTop() - 0.5) * (h - 34)) / least,
    ];
  }

  /** @param {Point} at @returns {[number, number]} time and force */
  #gripAt(at) {
    const { clientWidth: w, clientHeight: h } = this.grip.box,
      least = Math.min(w, h) || 1,
      { duration } = this.host.state;
    return [
      ((at[0] * least) / (w - 40) + 0.5) * duration,
      Math.max(((at[1] * least) / (h - 34) + 0.5) * this.#gripTop(), 0),
    ];
  }

  #gripTop() {
    const most = this.run
      ? this.run.fn.reduce((/** @type {number} */ a, /** @type {number} */ b) => Math.max(a, b), 0)
      : 1;
    return [2, 5, 10, 20, 50, 100, 1000, 1e5].find((top) => top >= 1.1 * most) ?? most;
  }

  #handles() {
    const grip = contactOf(this.host.state).normal_force;
    if (grip?.kind !== "table") return this.grip.setHandles([]);
    return this.grip.setHandles(
      grip.times.map((/** @type {number} */ t, /** @type {number} */ i) => ({
        id: `knot-${i}`,
        label: `Grip at ${digits(t)} s`,
        kind: "corner",
        step: 0.02,
        at: () => this.#gripPlace(t, contactOf(this.host.state).normal_force.values[i]),
        move: (/** @type {Point} */ to) =>
          this.host.change((s) => (contactOf(s).normal_force.values[i] = rounded(this.#gripAt(to)[1], 0.01))),
      })),
    );
  }

  /** Draw a grip. @param {Point} at @param {string} kind */
  #pressGrip(at, kind) {
    if (!this.host.state.contact || kind === "up") return;
    const [t, force] = this.#gripAt(at);
    this.host.change((s) => {
      if (s.contact.normal_force.kind !== "table")
        s.contact.normal_force = GRIPS.table(rounded(gripLevel(s.contact.normal_force), 0.01), s.duration);
      const { times, values } = s.contact.normal_force;
      const i = times.reduce(
        (/** @type {number} */ best, /** @type {number} */ x, /** @type {number} */ j) =>
          Math.abs(x - t) < Math.abs(times[best] - t) ? j : best,
        0,
      );
      values[i] = rounded(Math.min(force, 100), 0.01);
    });
  }

  /** @param {import('../plane.js').Pen} pen */
  #drawGrip(pen) {
    if (!this.run) return;
    const { t, fn } = this.run,
      top = this.#gripTop(),
      { duration } = this.host.state;
    pen.line([this.#gripPlace(0, 0), this.#gripPlace(duration, 0)], { stroke: colour("line"), open: true });
    pen.line([this.#gripPlace(0, top), this.#gripPlace(duration, top)], {
      stroke: colour("line"),
      open: true,
      dash: [3, 3],
    });
    pen.text(`${top} N`, this.#gripPlace(0, top), { dy: 12, dx: 4 });
    pen.text("Grip of a finger over time: draw here", this.#gripPlace(duration / 2, top), { align: "center", dy: 12 });
    pen.text(`${digits(duration)} s`, this.#gripPlace(duration, 0), { align: "right", dy: -5 });
    const step = Math.max(1, Math.floor(t.length / 800));
    /** @type {Point[]} */
    const points = [];
    for (let i = 0; i < t.length; i += step) points.push(this.#gripPlace(t[i], fn[i]));
    pen.line(points, { stroke: colour("accent"), width: 2, open: true });
    pen.line([this.#gripPlace(this.player.t, 0), this.#gripPlace(this.player.t, top)], {
      stroke: colour("ink"),
      width: 1,
      open: true,
    });
  }

  pause() {
    this.player.pause();
  }

  close() {
    this.player.close();
    for (const part of [this.plane, this.limits, this.close_up, this.grip, this.energy, this.load]) part.close();
    this.bristles?.free();
  }
}

/** @type {import('../scenes.js').Scene} */
export const gripper = {
  id: "gripper",
  title: "Gripper",
  lead: "Two fingers hold an object beside its middle. Grip it less, and it slips and turns; release it; or let a controller hold it with the least force.",
  start: () => copy(START),
  why: {
    text:
      "Friction of a finger can give a force and a torque, but not both in full: all it can give is the shaded area beside the object. Weight beside the finger asks for both. When the grip falls, that load reaches the edge; the rim of the contact slides first, then all of it, and the object turns and slips.",
    formula: (of) =>
      `\\begin{aligned} \\mu f_n &= ${of("limit")}\\\\ |f| &= ${of("force")}\\\\ \\tau &= ${of("tau")}\\\\ r &= ${of("r")}\\\\ \\Bigl(\\tfrac{|f|}{\\mu f_n}, \\tfrac{\\tau}{\\mu f_n r}\\Bigr) &: ${of("load")}\\text{ of the limit} \\end{aligned}`,
    steps: [
      { text: "Hold it in its middle, with a constant grip of 1.2 N: only the weight loads the finger, and it holds.", to: (s) => Object.assign(s, copy(START), { body: { ...START.body, pose: [0, 0, 0] }, contact: { ...copy(START.contact), normal_force: 1.2 } }) },
      { text: "Move it 10 mm aside: now a torque comes on top, and the same grip cannot hold it.", to: (s) => Object.assign(s, copy(START), { body: { ...START.body, pose: [0.01, 0, 0] }, contact: { ...copy(START.contact), normal_force: 1.2 } }) },
      { text: "Let a controller find the least force that holds both.", to: (s) => Object.assign(s, copy(START), { body: { ...START.body, pose: [0.01, 0, 0] }, contact: { ...copy(START.contact), normal_force: GRIPS.control(2.5, START.duration) } }) },
    ],
  },
  open: (host) => new GripperView(host),
  takes: (tree) => Boolean(tree.body) && [tree.contact ?? tree.contacts ?? []].flat().some(({ frame = "world" }) => frame !== "body"),
  take: (file, bristle) => {
    const tree = takeScenario(bristle, file);
    return { ...tree, output: { ...tree.output, energy: true, contacts: true } };
  },
  exports: (state, { toYaml }) => {
    const yaml = toYaml(state);
    return {
      files: [{ name: "gripper.yaml", text: yaml }],
      command: "bristle run gripper.yaml -o gripper.csv --plot gripper.png",
      c: scenarioInC(yaml, "gripper"),
      python: scenarioInPython(yaml, ["x", "y", "theta"]),
    };
  },
};
