/**
 * Puck: it is flicked, with spin, and stops sliding and spinning at the same instant. Beside it, the same flick under
 * the friction of engines. Alone it is a scenario, whose run is shown; with walls and a second puck it is a game, whose
 * friction is the library's step by step and whose hits are those of puck_world.js.
 */
import { checkTime, spent } from "../budget.js";
import { Controls } from "../controls.js";
import { Curves } from "../curves.js";
import { colour, element } from "../dom.js";
import { scenarioInC, scenarioInPython } from "../exporting.js";
import { digits } from "../format.js";
import { runScenario, takeScenario } from "../module.js";
import { Plane } from "../plane.js";
import { Player, rowAt } from "../player.js";
import { IndependentPuck, endsOf, independent, independentEnds, note, play, track } from "../puck_world.js";
import { copy, rounded } from "../tree.js";
import { tex } from "../why.js";

/** @typedef {import('../plane.js').Point} Point */
/** @typedef {import('../plane.js').Pen} Pen */
/** @typedef {import('../puck_world.js').Motion} Motion */
/** @typedef {import('../puck_world.js').Mover} Mover */

const START = {
  body: { mass: 0.1, radius: 0.04, pose: [-0.45, 0, 0], velocity: [0.788, 0.139, 60] },
  friction: { mu: 0.2 },
  contact: { frame: "body", patch: { shape: "disc", radius: 0.04 } },
  integrator: { kind: "fixed", step: 0.004 }, // a third of the time of adaptive steps: it is dragged
  output: { every: 0.004 },
};

const AHEAD = 0.14; // the velocity is drawn as the distance in this time [s]
const FASTEST = 1.5; // flick [m/s]
const MOST_SPIN = 80; // [rad/s]
const RING = 0.1; // radius of the arc that shows the spin [m]
const FULL_ARC = (5 / 6) * Math.PI; // of that arc, at MOST_SPIN [rad]
const SPANS = [0.8, 1.1, 1.6, 2.4, 4]; // of the view [m]: it does not follow every pixel
const SHAPE = 1.75; // width over height of the view, as style.css has it

/** The game: half of the board's sides, where the second puck waits, the targets of its flicks [m]. */
const BOARD = [0.62, 0.34];
const SECOND = [0.12, 0.02, 0];
const TARGETS = [
  [0.42, 0.16],
  [0.46, -0.2],
  [0.36, 0.02],
];
const RINGS = [0.1, 0.06, 0.02]; // radii of a target [m]
const STEP = 0.004; // of the game [s]: a flick goes at most 6 mm in it
const LONGEST = 10; // flick of the game [s]

const velocityOf = (/** @type {any} */ s) => s.body.velocity ?? [0, 0, 0];
const poseOf = (/** @type {any} */ s) => s.body.pose ?? [0, 0, 0];
/** Is the game open? It knows friction by mu alone. @param {any} s */
const inGame = (s) => Boolean(s.game) && plain(s);
const plain = (/** @type {any} */ s) => Object.keys(s.friction).join() === "mu" && s.friction.mu > 0;
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * The scenario of a state: without what only this page knows, and until it rests. Friction that spin weakens stops a
 * puck later than friction alone would, by at most the time that would end the spin.
 * @param {any} state
 */
function scenarioOf({ game: _, ...state }) {
  const { slide, spin } = independentEnds(velocityOf(state), muOf(state), state.body.radius),
    longest = Math.ceil(10 * (slide + spin) + 1) / 10;
  // where friction or velocity are wrong, the error is about them
  return { ...state, duration: state.duration ?? (longest > 0 && longest < Infinity ? longest : 1) };
}

/** A puck whose friction is the library's. @implements {Mover} */
class BristlePuck {
  /** @param {any} bristle @param {Motion} start @param {{mass: number, radius: number}} body @param {number} mu */
  constructor({ Patch, Contact, Body, BodyContact }, { pose, velocity }, { mass, radius }, mu) {
    this.made = [Patch.disc(radius)];
    this.made.push(new Contact(this.made[0], mu));
    const under = new BodyContact(this.made[1], "weight", { frame: "body" });
    this.body = new Body(mass, 0.5 * mass * radius ** 2, [under], { pose, velocity });
  }

  get pose() {
    return this.body.pose;
  }

  get velocity() {
    return this.body.velocity;
  }

  step(/** @type {number} */ h) {
    this.body.step(h);
  }

  keep() {
    const { body } = this,
      was = [body.pose, body.velocity, body.states[0]].map((list) => list.slice());
    return () => [body.pose, body.velocity, body.states[0]].forEach((list, i) => list.set(was[i]));
  }

  free() {
    for (const each of this.made.reverse()) each.free();
  }
}

/** A button that flicks again, and the time. */
class FlickPlayer extends Player {
  /** @param {HTMLElement} parent @param {(t: number) => void} show @param {() => void} flick */
  constructor(parent, show, flick) {
    super(parent, show);
    this.flick = flick;
    this.pause();
  }

  toggle() {
    if (this.playing) this.pause();
    else if (this.t > 0 && this.t < this.duration) this.play();
    else this.flick();
  }

  pause() {
    super.pause();
    this.button.textContent = this.t > 0 && this.t < this.duration ? "Play" : "Flick it";
  }
}

class PuckView {
  /** @param {import('../controls.js').Host} host */
  constructor(host) {
    this.host = host;
    /** @type {any} tracks of this flick: puck, ghost, in the game the second puck */
    this.shot = null;
    /** @type {number[]} distances of the game so far [m] */
    this.score = [];
    this.scored = false; // is this flick in the score?
    this.started = false;
    this.t = 0;
    const stage = element("div", { class: "wide" });
    host.stage.append(stage);
    this.plane = new Plane(stage, { label: "The board, seen from above", span: SPANS[0], draw: (pen) => this.#draw(pen) });
    this.plane.box.classList.add("wide");
    this.title = element("div", { class: "title" }, "Pull the arrow out of the puck, turn the spin (orange), release it: it is flicked");
    this.plane.box.append(this.title);
    this.player = new FlickPlayer(
      stage,
      (t) => host.later(() => this.#show(t)),
      () => host.later(() => this.#flick()),
    );
    this.curves = new Curves(host.stage, {
      title: "Speed of its centre, v, and of its rim, R w. With bristle both end at once; dashed: independent limits",
      x: "t [s]",
      y: "[m/s]",
      height: 150,
      lines: [
        { label: "v", colour: "accent", width: 2.2 },
        { label: "R w", colour: "good", width: 2.2 },
        { label: "v, independent", colour: "accent", dash: [5, 4] },
        { label: "R w, independent", colour: "good", dash: [5, 4] },
      ],
    });
    this.curves.box.classList.add("wide");
    this.controls = this.#controls();
  }

  #controls() {
    const c = new Controls(this.host);
    const polar = (/** @type {any} */ s) => [
      rounded(Math.hypot(...velocityOf(s).slice(0, 2)), 1e-3),
      rounded(Math.atan2(velocityOf(s)[1], velocityOf(s)[0]), Math.PI / 1800),
    ];
    const put = (/** @type {any} */ s, /** @type {number} */ speed, /** @type {number} */ angle) =>
      (s.body.velocity = [...[Math.cos(angle), Math.sin(angle)].map((part) => rounded(speed * part, 1e-3)), velocityOf(s)[2]]);
    c.heading("Flick");
    c.number("body.velocity.speed", "Speed", {
      unit: "m/s",
      from: 0,
      to: FASTEST,
      step: 0.02,
      read: (s) => polar(s)[0],
      write: (s, x) => put(s, Math.max(x, 0), polar(s)[1]),
    });
    c.number("body.velocity.angle", "Direction", {
      unit: "rad",
      from: -Math.PI,
      to: Math.PI,
      step: Math.PI / 180,
      read: (s) => polar(s)[1],
      write: (s, x) => put(s, polar(s)[0], x),
    });
    c.number("body.velocity.spin", "Spin", {
      unit: "rad/s",
      from: -MOST_SPIN,
      to: MOST_SPIN,
      step: 1,
      read: (s) => velocityOf(s)[2],
      write: (s, x) => (s.body.velocity = [...velocityOf(s).slice(0, 2), x]),
    });
    c.number("friction.mu", "Friction μ", { unit: "-", from: 0.05, to: 0.6, step: 0.01, when: (s) => s.friction.mu !== undefined });
    c.heading("Game");
    c.check("game", "Play: walls, a second puck", {
      read: inGame,
      write: (s, on) => {
        [this.score, this.scored, this.shot] = [[], false, null];
        if (on) Object.assign(s, { game: true });
        else delete s.game;
      },
      when: plain,
      help: "Three flicks without preview; the score is how far from the targets they stop",
    });
    return c;
  }

  update() {
    const { state } = this.host,
      game = inGame(state);
    this.controls.update();
    if (game) this.#count(); // a flick that is not seen to its end counts, too
    if (this.score.length === TARGETS.length) this.score = [];
    this.scored = false;
    this.shot = game ? null : this.#alone();
    this.title.hidden = game; // the walls are there
    this.curves.box.hidden = game;
    this.#fit();
    this.#handles();
    this.player.setDuration(this.shot ? this.#untilRest() : LONGEST);
    this.player.seek(this.shot ? this.player.duration : 0); // where it will stop
    this.player.pause();
    this.#drawCurves();
    this.#report();
    if (!this.started && this.shot && !calm()) this.player.play();
    this.started = true;
  }

  /** The scenario, and beside it the same instants with independent limits. */
  #alone() {
    const { bristle, state } = this.host,
      scenario = scenarioOf(state),
      result = runScenario(bristle, scenario),
      ghost = track();
    const puck = Object.fromEntries(["t", "x", "y", "theta", "vx", "vy", "w"].map((name) => [name, result.get(name)]));
    const from = { pose: poseOf(state), velocity: velocityOf(state) };
    for (const t of puck.t) note(ghost, t, independent(from, muOf(state), state.body.radius, t));
    return { puck, ghost };
  }

  /** A little after the last motion [s]. */
  #untilRest() {
    const { state } = this.host,
      last = this.shot.puck.t.at(-1),
      alone = independentEnds(velocityOf(state), muOf(state), state.body.radius);
    const ends = [...Object.values(endsOf(this.shot.puck)), ...Object.values(alone)];
    return ends.some(Number.isNaN) ? last : Math.min(Math.max(...ends) + 0.1, last);
  }

  /** Let go. */
  #flick() {
    const { state } = this.host;
    if (inGame(state)) {
      this.#count();
      if (this.score.length === TARGETS.length) this.score = [];
      this.scored = false;
      this.shot = this.#game();
      this.player.setDuration(Math.max(...Object.values(this.shot).map(({ t }) => t.at(-1))));
      this.#handles();
      this.#report();
    }
    if (!this.shot) return;
    this.player.pause();
    this.player.seek(calm() ? this.player.duration : 0);
    if (!calm()) this.player.play();
  }

  /** A flick on the board: both pucks, with the friction of the library and with independent limits. */
  #game() {
    const { bristle, state } = this.host,
      { mass, radius } = state.body,
      { mu } = state.friction;
    const starts = [
      { pose: poseOf(state), velocity: velocityOf(state) },
      { pose: SECOND, velocity: [0, 0, 0] },
    ];
    const check = (/** @type {number} */ t) => spent() && checkTime(`the flick at t = ${digits(t)} s`);
    const options = { radius, board: BOARD, step: STEP, longest: LONGEST, check };
    const pucks = starts.map((start) => new BristlePuck(bristle, start, { mass, radius }, mu));
    try {
      const [puck, other] = play(pucks, options);
      const [ghost] = play(
        starts.map((start) => new IndependentPuck(start, mu, radius)),
        options,
      );
      return { puck, other, ghost };
    } finally {
      for (const each of pucks) each.free();
    }
  }

  #target() {
    return TARGETS[this.scored ? this.score.length - 1 : this.score.length];
  }

  /** How far from the target's centre it stops [m]. */
  #missed() {
    const { x, y } = this.shot.puck,
      [tx, ty] = this.#target();
    return Math.hypot(x.at(-1) - tx, y.at(-1) - ty);
  }

  /** A view that contains the board, or the path. */
  #fit() {
    const { puck } = this.shot ?? {};
    const reach = puck ? Math.max(Math.abs(puck.x.at(-1)) / SHAPE, Math.abs(puck.y.at(-1))) + 0.06 : 0;
    this.plane.span = SPANS.find((span) => 0.5 * span > reach) ?? SPANS[SPANS.length - 1];
    this.plane.redraw();
  }

  #handles() {
    const { state, change } = this.host,
      [x, y] = poseOf(state),
      [vx, vy, w] = velocityOf(state);
    const put = (/** @type {number[]} */ v, spin = velocityOf(state)[2]) => {
      const size = Math.hypot(...v),
        share = size > FASTEST ? FASTEST / size : 1;
      change((s) => (s.body.velocity = [...v.map((part) => rounded(part * share, 0.01)), spin]));
    };
    const pull = (/** @type {Point} */ to) => put([(to[0] - x) / AHEAD, (to[1] - y) / AHEAD]);
    const nudge = ([dx, dy] = [0, 0]) => put([velocityOf(state)[0] + 0.02 * dx, velocityOf(state)[1] + 0.02 * dy]);
    const done = () => this.host.later(() => this.#flick());
    const angle = (w / MOST_SPIN) * FULL_ARC;
    this.plane.setHandles([
      { id: "puck", label: "Puck, Enter flicks it", kind: "puck", at: () => [x, y], move: pull, nudge, done },
      {
        id: "spin",
        label: "Spin, Enter flicks it",
        kind: "centre",
        at: () => [x - RING * Math.sin(angle), y + RING * Math.cos(angle)],
        move: (to) => {
          const turned = Math.atan2(x - to[0], to[1] - y) / FULL_ARC;
          const share = Math.abs(turned) > 1 ? Math.sign(velocityOf(state)[2]) : turned; // below: stay on its side
          put([velocityOf(state)[0], velocityOf(state)[1]], rounded(MOST_SPIN * share, 1));
        },
        nudge: ([dx, dy] = [0, 0]) => {
          const spin = velocityOf(state)[2] - dx + dy;
          put([velocityOf(state)[0], velocityOf(state)[1]], Math.min(Math.max(spin, -MOST_SPIN), MOST_SPIN));
        },
        done,
      },
      {
        id: "velocity",
        label: "Flick, Enter releases it",
        at: () => [x + AHEAD * vx, y + AHEAD * vy],
        move: pull,
        nudge,
        done,
      },
    ]);
  }

  /** @param {Pen} pen */
  #draw(pen) {
    const { state } = this.host,
      { radius } = state.body,
      [x, y] = poseOf(state),
      [vx, vy, w] = velocityOf(state);
    this.#drawBoard(pen);
    if (this.shot) this.#drawShot(pen, radius);
    else drawPuck(pen, [x, y, poseOf(state)[2]], radius, { fill: colour("body"), stroke: colour("accent"), width: 2.5 });
    if (inGame(state) && !this.shot) drawPuck(pen, SECOND, radius, { fill: colour("body"), stroke: colour("muted") });
    pen.arrow([x, y], [AHEAD * vx, AHEAD * vy], colour("accent"), 3.5);
    drawArc(pen, [x, y], (w / MOST_SPIN) * FULL_ARC);
  }

  /** @param {Pen} pen */
  #drawBoard(pen) {
    const target = /** @type {Point} */ (this.#target());
    RINGS.forEach((radius, i) => pen.circle(target, radius, { fill: colour("good"), alpha: 0.12 + 0.08 * i, stroke: colour("good"), width: 1 }));
    pen.text("target", [target[0], target[1] - RINGS[0]], { fill: colour("good"), dy: 14, align: "center" });
    if (!inGame(this.host.state)) return;
    const [a, b] = BOARD;
    pen.line([[-a, -b], [a, -b], [a, b], [-a, b]], { stroke: colour("ink"), width: 5 });
  }

  /** @param {Pen} pen @param {number} radius [m] */
  #drawShot(pen, radius) {
    const { puck, ghost, other } = this.shot,
      { t } = this,
      [x0, y0, theta0] = poseOf(this.host.state),
      w0 = velocityOf(this.host.state)[2];
    pen.circle([x0, y0], radius, { stroke: colour("accent"), width: 1.5, dash: [3, 3] });
    drawPath(pen, ghost, rowAt(ghost.t, t), { stroke: colour("warm"), width: 1.5, dash: [2, 4] });
    drawPath(pen, puck, rowAt(puck.t, t), { stroke: colour("accent"), width: 2 });
    // outer: independent limits; inner: the same distance, and a spin that nothing slows
    const ghostPose = poseAt(ghost, t);
    drawPuck(pen, ghostPose, radius, { fill: colour("panel"), stroke: colour("warm"), width: 2, dash: [5, 3], alpha: 0.85 });
    drawPuck(pen, [ghostPose[0], ghostPose[1], theta0 + w0 * t], 0.55 * radius, { stroke: colour("violet"), width: 1.5, dash: [2, 2] });
    if (other) drawPuck(pen, poseAt(other, t), radius, { fill: colour("body"), stroke: colour("muted") });
    drawPuck(pen, poseAt(puck, t), radius, { fill: colour("body"), stroke: colour("accent"), width: 2.5 });
    this.#drawNames(pen, radius);
  }

  /** Whose puck it is and how far it is, on both sides of the path. @param {Pen} pen @param {number} radius */
  #drawNames(pen, radius) {
    const { puck, ghost } = this.shot,
      { t } = this,
      up = velocityOf(this.host.state)[1] >= 0;
    const put = (/** @type {any} */ run, /** @type {number} */ side, /** @type {[string, string][]} */ lines) => {
      const [x, y] = poseAt(run, t),
        top = side > 0 ? -15 * (lines.length - 1) : 11;
      lines.forEach(([text, fill], i) =>
        pen.text(text, [x - radius, y + 1.25 * side * radius], { fill: colour(fill), dy: top + 15 * i }),
      );
    };
    const mm = (/** @type {any} */ run) => `${Math.round(1000 * wayOf(run, rowAt(run.t, t)))} mm`;
    put(puck, up ? 1 : -1, [[`bristle: ${mm(puck)}`, "accent"]]);
    /** @type {[string, string][]} */
    const names = [
      [`independent limits: ${mm(ghost)}`, "warm"],
      ["as in Bullet and Box2D", "warm"],
      ["violet: one point, endless spin", "violet"],
    ];
    put(ghost, up ? -1 : 1, inGame(this.host.state) ? names.slice(0, 1) : names);
  }

  /** @param {number} t */
  #show(t) {
    this.t = t;
    this.curves.mark(t);
    this.plane.redraw();
    if (t < this.player.duration || !this.#count()) return;
    this.#report();
  }

  /** Put a flick of the game into the score, once; is it new there? */
  #count() {
    if (!this.shot?.other || this.scored) return false;
    this.score.push(this.#missed());
    return (this.scored = true);
  }

  #drawCurves() {
    if (!this.shot || this.curves.box.hidden) return;
    const { puck, ghost } = this.shot,
      { radius } = this.host.state.body;
    const speed = (/** @type {any} */ run) => Array.from(run.vx, (v, i) => Math.hypot(v, run.vy[i]));
    const rim = (/** @type {any} */ run) => Array.from(run.w, (w) => Math.abs(radius * w));
    const rows = rowAt(puck.t, this.player.duration) + 1;
    this.curves.set([Array.from(puck.t), speed(puck), rim(puck), speed(ghost), rim(ghost)].map((list) => list.slice(0, rows)));
  }

  #report() {
    if (inGame(this.host.state)) this.#reportGame();
    else this.#reportRun();
  }

  #reportRun() {
    const { puck, ghost } = this.shot,
      { state } = this.host,
      ends = endsOf(puck),
      alone = independentEnds(velocityOf(state), muOf(state), state.body.radius);
    const far = (/** @type {any} */ { x, y }) => Math.hypot(x.at(-1) - x[0], y.at(-1) - y[0]);
    this.host.numbers([
      { name: "distance", label: "Slides", value: far(puck), unit: "m" },
      { name: "ghost.distance", label: "Ghost", value: far(ghost), unit: "m", help: "v²/(2 μ g): with limits of their own for sliding and spinning" },
      { name: "t_slide", label: "Slide ends", value: ends.slide, unit: "s" },
      { name: "t_spin", label: "Spin ends", value: ends.spin, unit: "s" },
      { name: "theta", label: "Turns", value: puck.theta.at(-1) - poseOf(state)[2], unit: "rad" },
      { name: "missed", label: "To target", value: this.#missed(), unit: "m" },
    ]);
    this.host.say(sentence(ends, alone, far(puck) / far(ghost)), "good");
  }

  #reportGame() {
    const { score } = this,
      total = score.reduce((sum, each) => sum + each, 0),
      over = score.length === TARGETS.length;
    this.host.numbers([
      { name: "flicks", label: "Flicks", value: `${score.length} of ${TARGETS.length}` },
      { name: "missed", label: "To target", value: score.length ? score[score.length - 1] : NaN, unit: "m" },
      { name: "total", label: "Total", value: total, unit: "m" },
    ]);
    const mm = (/** @type {number} */ x) => `${Math.round(1000 * x)} mm`;
    if (over) this.host.say(`${mm(total)} from the targets in three flicks: the less, the better. Flick again for a new game.`, "good");
    else if (!score.length) this.host.say("Pull the arrow, turn the spin, release it: it should stop on the green target, which it hardly reaches without spin.");
    else this.host.say(`${mm(score[score.length - 1])} from the target. Now flick ${score.length + 1} of ${TARGETS.length}.`);
  }

  pause() {
    this.player.pause();
  }

  close() {
    this.player.close();
    this.curves.close();
    this.plane.close();
  }
}

/** @param {any} s @param {number} w [rad/s] */
function setSpin(s, w) {
  const [vx, vy] = velocityOf(s);
  s.body.velocity = [vx, vy, w];
}

const muOf = (/** @type {any} */ s) => s.friction.mu ?? s.friction.mu_c;

/** What the run says. @param {{slide: number, spin: number}} ends @param {{slide: number, spin: number}} alone @param {number} ratio */
function sentence(ends, alone, ratio) {
  const s = (/** @type {number} */ x) => `${x.toFixed(2)} s`;
  if (!ends.slide || !ends.spin) return "With sliding or spinning alone, all models of friction agree. Give it both.";
  if (Number.isNaN(ends.slide + ends.spin)) return "It still moves when the run ends.";
  return (
    `It stops sliding and spinning at the same instant: ${s(ends.slide)} and ${s(ends.spin)}. ` +
    `Independent limits would end them at ${s(alone.slide)} and ${s(alone.spin)}; it slides ${ratio.toFixed(1)} times as far as with those.`
  );
}

/** How far it has slid [m]. @param {any} run @param {number} row */
function wayOf({ x, y }, row) {
  let distance = 0;
  for (let i = 1; i <= row; i++) distance += Math.hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
  return distance;
}

/** @param {any} run @param {number} t @returns {[number, number, number]} */
function poseAt(run, t) {
  const i = rowAt(run.t, t);
  return [run.x[i], run.y[i], run.theta[i]];
}

/** A disc with spokes, so that its spin is seen. @param {Pen} pen @param {number[]} pose @param {number} radius [m] @param {any} look */
function drawPuck(pen, [x, y, theta], radius, look) {
  pen.circle([x, y], radius, look);
  const by = (/** @type {number} */ share, /** @type {number} */ turn) =>
    /** @type {Point} */ ([x + share * radius * Math.cos(theta + turn), y + share * radius * Math.sin(theta + turn)]);
  pen.line([[x, y], by(0.92, 0)], { stroke: look.stroke, width: 2.5, open: true });
  for (const turn of [2.1, 4.2]) pen.line([by(0.72, turn), by(0.92, turn)], { stroke: look.stroke, width: 1.5, open: true });
}

/** The path up to a row. @param {Pen} pen @param {any} run @param {number} row @param {any} look */
function drawPath(pen, run, row, look) {
  const points = Array.from({ length: row + 1 }, (_, i) => /** @type {Point} */ ([run.x[i], run.y[i]]));
  pen.line(points, { ...look, open: true });
}

/** The spin as an arc from the top. @param {Pen} pen @param {Point} centre @param {number} angle [rad] */
function drawArc(pen, [x, y], angle) {
  const at = (/** @type {number} */ a) => /** @type {Point} */ ([x - RING * Math.sin(a), y + RING * Math.cos(a)]);
  const arc = (/** @type {number} */ from, /** @type {number} */ to) => Array.from({ length: 41 }, (_, i) => at(from + ((to - from) * i) / 40));
  pen.line(arc(-FULL_ARC, FULL_ARC), { stroke: colour("line"), width: 2, open: true });
  pen.line(arc(0, angle), { stroke: colour("warm"), width: 3, open: true });
}

/** @type {import('../scenes.js').Scene} */
export const puck = {
  id: "puck",
  title: "Puck",
  lead: "Flick a puck, and spin it: the faster it spins, the less friction slows its slide. It stops sliding and spinning at the same instant; many engines stop it far too early.",
  start: () => copy(START),
  why: {
    text: "Friction opposes the velocity of each part of the contact. Where spin is fast, most parts move sideways, and only a small share of friction opposes the slide. As the slide slows down, so does the spin: both end at the same instant.",
    formula: (of, s) => {
      const [vx, vy, w] = velocityOf(s),
        v = Math.hypot(vx, vy),
        R = s.contact.patch.radius,
        mu = muOf(s);
      return `\\begin{aligned} f &\\approx \\mu m g\\,\\frac{v}{R |\\omega|} \\text{ for } R |\\omega| \\gg v\\\\ R |\\omega| &= ${tex(R * Math.abs(w), "m/s")},\\ v = ${tex(v, "m/s")}\\\\ d_\\text{no spin} &= \\frac{v^2}{2 \\mu g} = ${tex((v * v) / (2 * mu * 9.81), "m")}\\\\ \\text{here: } d &= ${of("distance")} \\end{aligned}`;
    },
    steps: [
      { text: "No spin: the puck and its ghost stop after v²/(2 μ g).", to: (s) => setSpin(s, 0) },
      { text: "Spin: the puck slides further than its ghost, and both motions end together.", to: (s) => setSpin(s, 60) },
      { text: "More spin: it slides further still.", to: (s) => setSpin(s, MOST_SPIN) },
    ],
  },
  open: (host) => new PuckView(host),
  takes: (tree) =>
    tree.body?.radius !== undefined &&
    Boolean(tree.body.velocity) &&
    tree.contact?.frame === "body" &&
    tree.contact.patch?.shape === "disc" &&
    (tree.friction?.mu ?? tree.friction?.mu_c) > 0 &&
    !["gravity", "loads", "pusher", "grip", "motion"].some((key) => tree[key] ?? tree.contact[key]) &&
    !tree.friction.field &&
    !tree.friction.anisotropy,
  take: (file, bristle) => {
    const { duration: _, plot: __, ...tree } = takeScenario(bristle, file);
    return tree;
  },
  exports: (state, { toYaml }) => {
    const yaml = toYaml(scenarioOf(state));
    return {
      files: [{ name: "puck.yaml", text: yaml }],
      command: "bristle run puck.yaml -o puck.csv --plot puck.png",
      c: scenarioInC(yaml, "puck"),
      python: scenarioInPython(yaml, ["x", "y", "theta"]),
    };
  },
};
