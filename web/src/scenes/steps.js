/**
 * Step size: one scene, three ways to step it. A block rests on a slope that friction holds; a sideways push, too
 * weak to move it alone, makes it slide for a moment. Ours is `bristle run` with fixed steps. The others are what
 * engines do, written out here because they are the bad examples: the same bristles with an explicit step, and
 * Coulomb friction softened so that an engine can solve it.
 */
import { TooLong, checkTime } from "../budget.js";
import { Controls } from "../controls.js";
import { Curves } from "../curves.js";
import { colour, element } from "../dom.js";
import { scenarioInC, scenarioInPython } from "../exporting.js";
import { digits } from "../format.js";
import { patchOf, runScenario, takeScenario } from "../module.js";
import { Plane, placed } from "../plane.js";
import { Player, rowAt } from "../player.js";
import { tex } from "../why.js";
import { copy } from "../tree.js";

const START = {
  body: { mass: 0.5, size: [0.06, 0.04] },
  gravity: [0, -3.35522], // 9.81 sin 20 degrees
  friction: { mu: 0.4 },
  contact: { frame: "body", patch: { shape: "rectangle", size: [0.06, 0.04] } },
  loads: [{ fx: { kind: "steps", times: [0, 1, 1.3], values: [0, 1.5, 0] } }],
  duration: 2.5,
  integrator: { kind: "fixed", step: 0.005 },
};

/** @typedef {import('../plane.js').Point} Point */

const LANE = 0.26; // of the picture, one for each of three blocks [m]
const FAR = 1; // metres: a block that far away has blown up
const STEPS = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1]; // ms, for the picture over the step size
const ROWS = 250; // that are kept of an explicit run

/** The normal force of a block on a slope whose plane has this gravity. @param {any} s */
const normalOf = (s) => s.body.mass * Math.sqrt(Math.max(9.81 ** 2 - s.gravity[0] ** 2 - s.gravity[1] ** 2, 0));

/** Force along the plane at a time. @param {any} s @param {number} t @returns {[number, number]} */
function loadAt(s, t) {
  const { times, values } = s.loads?.[0]?.fx ?? { times: [0], values: [0] };
  const i = times.findLastIndex((/** @type {number} */ x) => x <= t);
  return [values[Math.max(i, 0)] + s.body.mass * s.gravity[0], s.body.mass * s.gravity[1]];
}

/**
 * The bristles of the module with an explicit step (Euler's, velocity first, as engines have it).
 * @param {any} bristle @param {any} s @param {number} h
 */
function explicit(bristle, s, h) {
  const patch = patchOf(bristle, s.contact.patch),
    fn = normalOf(s),
    law = bristle.Law.from_mu(s.friction.mu, { r: patch.r, mass: s.body.mass, fn });
  const contact = new bristle.Contact(patch, law, "reduced");
  const { mass, size } = s.body,
    inertia = (mass * (size[0] ** 2 + size[1] ** 2)) / 12;
  const z = contact.state(),
    v = [0, 0, 0],
    q = [0, 0];
  let most = 0;
  const step = (/** @type {number} */ t) => {
    const [f, dz] = contact.eval(z, v, fn),
      [lx, ly] = loadAt(s, t);
    most = Math.max(most, Math.hypot(f[0], f[1]) / (s.friction.mu * fn));
    v[0] += (h / mass) * (lx + f[0]);
    v[1] += (h / mass) * (ly + f[1]);
    v[2] += (h / inertia) * f[2];
    for (let i = 0; i < z.length; i++) z[i] += h * dz[i];
    q[0] += h * v[0];
    q[1] += h * v[1];
    return q;
  };
  try {
    return { ...track(s, h, step), most };
  } finally {
    for (const made of [contact, law, patch]) made.free();
  }
}

/**
 * Coulomb friction as a soft constraint, with MuJoCo's defaults (solref 0.02 1, solimp 0.9 0.95): friction aims at
 * the acceleration -b v, and is as soft as R. What it must hold for long it lets creep, at R f/b.
 * @param {any} s @param {number} h
 */
function softened(s, h) {
  const { mass } = s.body,
    most = s.friction.mu * normalOf(s),
    d = 0.95;
  const b = 2 / (d * Math.max(0.02, 2 * h)),
    A = 1 / mass,
    R = ((1 - d) / d) * A;
  const v = [0, 0],
    q = [0, 0];
  return track(s, h, (t) => {
    const load = loadAt(s, t),
      wanted = load.map((x, i) => -(x / mass + b * v[i]) / (A + R)),
      size = Math.hypot(...wanted);
    const share = size > most ? most / size : 1;
    for (let i = 0; i < 2; i++) {
      v[i] += (h / mass) * (load[i] + share * wanted[i]);
      q[i] += h * v[i];
    }
    return q;
  });
}

/** Step to the end, and keep some rows. @param {any} s @param {number} h @param {(t: number) => number[]} step */
function track(s, h, step) {
  const count = Math.round(s.duration / h),
    every = Math.max(1, Math.round(count / ROWS));
  const t = [0],
    y = [0];
  let blown = Infinity;
  for (let i = 0; i < count && blown === Infinity; i++) {
    const q = step(i * h);
    if (i % 256 === 0) checkTime(`the explicit and softened steps at t = ${digits(i * h)} s of ${digits(s.duration)} s`);
    if (!(Math.hypot(q[0], q[1]) < FAR)) blown = (i + 1) * h;
    else if ((i + 1) % every === 0 || i + 1 === count) {
      t.push((i + 1) * h);
      y.push(q[1]);
    }
  }
  return { t, y, blown };
}

/** Values at other times, none behind the end. @param {{t: number[], y: number[], blown: number}} run @param {ArrayLike<number>} times @param {number} most */
function resampled({ t, y, blown }, times, most) {
  let j = 0;
  return Array.from(times, (x) => {
    while (j + 1 < t.length && t[j + 1] <= x + 1e-9) j++;
    return x >= blown || Math.abs(y[j]) > most ? null : 1e3 * y[j];
  });
}

/** Where a run ends [mm]; null: it blew up. @param {{y: number[], blown: number}} run */
const endOf = ({ y, blown }) => (blown < Infinity ? null : 1e3 * /** @type {number} */ (y.at(-1)));

/** @type {((bristle: any, state: any, h: number) => number | null)[]} where ours, explicit and softened steps end [mm] */
const ENDS = [
  (bristle, state, h) => 1e3 * runScenario(bristle, { ...state, integrator: { kind: "fixed", step: h } }).get("y").at(-1),
  (bristle, state, h) => endOf(explicit(bristle, state, h)),
  (bristle, state, h) => endOf(softened(state, h)),
];

/** A block on a slope, seen from the side. @param {(points: Point[]) => Point[]} on the slope @param {number} at @param {number} side [m] */
const boxOn = (on, at, side) => on([[at - side / 2, 0], [at + side / 2, 0], [at + side / 2, side / 2], [at - side / 2, side / 2]]);

class StepsView {
  /** @param {import('../controls.js').Host} host */
  constructor(host) {
    this.host = host;
    this.fineOf = "";
    /** @type {any} the run at a small step, and where runs at several steps end */
    this.fineRun = null;
    /** @type {(number | null)[][]} */
    this.ends = [];
    this.timer = 0;
    const lines = [
      { label: "ours", colour: "accent", width: 2.4 },
      { label: "explicit step", colour: "bad" },
      { label: "softened Coulomb", colour: "yellow" },
      { label: "ours, adaptive steps", colour: "muted", dash: [5, 4] },
    ];
    /** @type {{name: string, look: string, run: {t: ArrayLike<number>, y: ArrayLike<number>, blown: number}}[]} */
    this.lanes = [];
    this.playSoon = !matchMedia("(prefers-reduced-motion: reduce)").matches; // shows at once what it is about
    const top = element("div", { class: "wide" });
    host.stage.append(top);
    this.picture = new Plane(top, {
      label: "The block on the slope, by three methods",
      span: LANE,
      draw: (pen) => this.#drawBlocks(pen),
    });
    this.picture.box.classList.add("strip");
    this.picture.box.append(
      element("div", { class: "title" }, "The slope from the side, three times: the block must rest until it is pushed, slide, and rest again"),
    );
    this.player = new Player(top, (t) => host.later(() => this.#show(t)));
    this.path = new Curves(host.stage, {
      title: "Where the block is, down the slope, over time",
      x: "t [s]",
      y: "y [mm]",
      height: 300,
      lines,
    });
    this.path.box.classList.add("wide");
    this.near = new Curves(host.stage, {
      title: "The first second, when it should not move",
      x: "t [s]",
      y: "y [mm]",
      height: 220,
      lines,
    });
    this.all = new Curves(host.stage, {
      title: "Where it ends, over the step size; gaps: it blew up",
      x: "step [ms]",
      powers: true,
      y: "y [mm]",
      height: 220,
      lines: lines.slice(0, 3),
    });
    this.controls = new Controls(host)
      .heading("Step")
      .number("integrator.step", "Step", { unit: "ms", from: 1e-4, to: 0.03, log: true })
      .heading("Scene")
      .number("friction.mu", "Friction μ", {
        unit: "-",
        from: 0.37,
        to: 1,
        step: 0.01,
        help: "the slope of 20° takes 0.364",
      })
      .number("body.mass", "Mass", { unit: "kg", from: 0.1, to: 2, step: 0.1 })
      .number("push", "Push", {
        unit: "N",
        from: 0,
        to: 3,
        step: 0.05,
        read: (s) => s.loads[0].fx.values[1],
        write: (s, x) => (s.loads[0].fx.values[1] = x),
        help: "sideways, from 1 s to 1.3 s",
      });
  }

  update() {
    this.controls.update();
    const { state, bristle } = this.host,
      h = state.integrator.step,
      top = 0.12;
    const ours = runScenario(bristle, state),
      t = ours.get("t"),
      y = ours.get("y");
    const bad = explicit(bristle, state, h),
      soft = softened(state, h),
      fine = this.#fine();
    const rows = [
      Array.from(y, (x) => 1e3 * x),
      resampled(bad, t, top),
      resampled(soft, t, top),
      resampled(fine, t, top),
    ];
    this.path.set([t, ...rows]);
    const until = t.findIndex((/** @type {number} */ x) => x > 1 + 1e-9),
      cut = (/** @type {ArrayLike<any>} */ list) => Array.prototype.slice.call(list, 0, until > 1 ? until : undefined);
    this.near.set([cut(t), ...[rows[0], resampled(bad, t, 0.01), rows[2], rows[3]].map(cut)]);
    this.#drawAll();
    this.#report({ run: ours, bad, soft, fine });
    this.lanes = [
      { name: "ours", look: "accent", run: { t, y, blown: Infinity } },
      { name: "explicit step", look: "bad", run: bad },
      { name: "softened", look: "yellow", run: soft },
    ];
    this.player.setDuration(state.duration);
    if (this.playSoon) this.player.play();
    this.playSoon = false;
  }

  /** @param {number} t */
  #show(t) {
    this.picture.redraw();
    this.path.mark(t);
    this.near.mark(t);
  }

  /** @param {import('../plane.js').Pen} pen */
  #drawBlocks(pen) {
    const { clientWidth: width, clientHeight: height } = this.picture.box,
      { state } = this.host;
    this.picture.span = (this.lanes.length * LANE * Math.min(width, height)) / width;
    this.picture.centre = [1.5 * LANE, -0.12 * LANE];
    pen.scale = this.picture.scale;
    const slope = -Math.asin(Math.min(Math.abs(state.gravity[1]) / 9.81, 1)),
      t = Math.min(this.player.t, state.duration);
    this.lanes.forEach((lane, i) => this.#drawBlock(pen, lane, [(i + 0.04) * LANE, 0], slope, t));
  }

  /** @param {import('../plane.js').Pen} pen @param {any} lane @param {Point} top of the slope @param {number} slope [rad] @param {number} t */
  #drawBlock(pen, { name, look, run }, top, slope, t) {
    const on = (/** @type {Point[]} */ points) => placed(points, [...top, slope]),
      [side] = this.host.state.body.size,
      at = 0.06 - run.y[rowAt(run.t, t)],
      pushed = loadAt(this.host.state, t)[0] !== this.host.state.body.mass * this.host.state.gravity[0];
    pen.line(on([[0, 0], [0.98 * LANE, 0]]), { stroke: colour("muted"), width: 1.5, open: true });
    const blown = t >= run.blown,
      label = /** @type {Point} */ ([top[0], top[1] - 0.33 * LANE]);
    pen.text(name, label, { fill: colour("ink") });
    if (pushed || blown) pen.text(blown ? "blew up" : "pushed", label, { dy: 16, fill: colour(blown ? "bad" : "violet") });
    // where it started
    pen.line(boxOn(on, 0.06, side), { stroke: colour("muted"), width: 1, dash: [3, 3] });
    if (!blown) pen.line(boxOn(on, Math.min(at, LANE), side), { fill: colour(look), stroke: colour("ink"), alpha: 0.9 });
  }

  /** The same with steps that are chosen to keep errors small; kept as long as nothing else changes. */
  #fine() {
    const { state, bristle } = this.host,
      { integrator: _, ...scene } = state,
      text = JSON.stringify(scene);
    if (text !== this.fineOf) {
      const run = runScenario(bristle, scene);
      this.fineOf = text;
      this.fineRun = { t: Array.from(run.get("t")), y: Array.from(run.get("y")), blown: Infinity };
      this.ends = [];
      clearTimeout(this.timer);
      this.#nextEndAfter(200, copy(state));
    }
    return this.fineRun;
  }

  /**
   * Where runs at one more step size end, each method in a task of its own, so that the page goes on meanwhile. Step
   * sizes that take too long are left out, with all smaller ones.
   * @param {any} state @param {(number | null)[]} row of the methods before
   */
  #nextEnd(state, row) {
    const h = STEPS[this.ends.length] / 1000;
    try {
      row.push(ENDS[row.length](this.host.bristle, state, h));
    } catch (error) {
      if (error instanceof TooLong) return;
      throw error;
    }
    if (row.length === ENDS.length) {
      this.ends.push(row);
      this.#drawAll();
    }
    if (this.ends.length < STEPS.length) this.#nextEndAfter(30, state, row.length < ENDS.length ? row : []);
  }

  /** @param {number} wait [ms] @param {any} state @param {(number | null)[]} [row] */
  #nextEndAfter(wait, state, row = []) {
    this.timer = setTimeout(() => this.host.later(() => this.#nextEnd(state, row)), wait);
  }

  #drawAll() {
    const rows = this.ends.map((row, i) => [Math.log10(STEPS[i]), ...row]).reverse();
    this.all.set([0, 1, 2, 3].map((i) => rows.map((row) => row[i])));
    this.all.mark(Math.log10(1e3 * this.host.state.integrator.step));
  }

  /** @param {any} runs */
  #report({ run, bad, soft, fine }) {
    const t = run.get("t"),
      y = run.get("y"),
      before = (/** @type {any} */ other) =>
        other.y[
          Math.max(
            other.t.findLastIndex((/** @type {number} */ x) => x <= 1 + 1e-9),
            0,
          )
        ];
    const second = t.findLastIndex((/** @type {number} */ x) => x <= 1 + 1e-9);
    this.host.numbers([
      { name: "y", label: "Ours", value: y.at(-1), unit: "m" },
      { name: "fine.y", label: "Adaptive", value: fine.y.at(-1), unit: "m" },
      {
        name: "drift",
        label: "Ours, in the first second",
        value: y[second],
        unit: "m",
        kind: "wide",
        help: "the give of the bristles, then nothing",
      },
      {
        name: "explicit",
        label: "Explicit",
        value: bad.blown < Infinity ? `blew up at ${digits(bad.blown)} s` : `ends at ${digits(1e3 * bad.y.at(-1))} mm`,
        kind: "wide",
      },
      {
        name: "most",
        label: "Explicit, largest friction over μ fn",
        value: bad.most,
        kind: "wide",
        help: "Coulomb allows 1",
      },
      {
        name: "soft",
        label: "Softened, first second",
        value: before(soft),
        unit: "m",
        kind: "wide",
        help: "it creeps: friction that an engine softens holds nothing for ever",
      },
      { name: "soft.end", label: "Softened ends at", value: soft.y.at(-1), unit: "m", kind: "wide" },
    ]);
    const step = `${digits(1e3 * this.host.state.integrator.step)} ms`,
      off = digits(Math.abs(1e3 * (y.at(-1) - fine.y.at(-1))));
    const ours = `ours holds still, and ends ${off} mm from where small steps end`;
    const wrong = Math.abs(bad.y.at(-1) - fine.y.at(-1)) > 0.005 || bad.most > 2;
    if (bad.blown < Infinity) this.host.say(`At steps of ${step} the explicit step blows up; ${ours}.`, "good");
    else if (wrong)
      this.host.say(
        `At steps of ${step} the explicit step gives nonsense, ${digits(bad.most)} times the friction there can be; ${ours}.`,
        "good",
      );
    else this.host.say(`At steps of ${step} the explicit step still works. Make it larger.`);
  }

  pause() {
    this.player.pause();
  }

  close() {
    clearTimeout(this.timer);
    for (const part of [this.player, this.picture, this.path, this.near, this.all]) part.close();
  }
}

/** Is it the block of this scene, perhaps with other numbers? @param {any} tree */
const isBlock = (tree) =>
  tree.integrator?.kind === "fixed" &&
  tree.body?.size &&
  tree.contact?.frame === "body" &&
  tree.friction?.mu !== undefined &&
  Array.isArray(tree.gravity);

/** @type {import('../scenes.js').Scene} */
export const steps = {
  id: "steps",
  title: "Step size",
  lead: "A block rests on a slope, a sideways push makes it slide for a moment. Make the step larger: an explicit step blows up, softened friction creeps, ours does neither.",
  start: () => copy(START),
  why: {
    text: "An explicit step multiplies a stiff bristle by more than it can bear: its steps must be shorter than the bristle needs to come to rest. Softened friction is stable, but it holds nothing for ever: it creeps at a speed that grows with the load. Ours solves each step implicitly, so that a resting block stays at rest.",
    formula: (of, s) =>
      `\\begin{aligned} h &= ${tex(s.integrator.step, "ms")}\\\\ \\text{ours, first second} &: ${of("drift")}\\\\ \\text{softened} &: ${of("soft")}\\\\ \\mu \\cos\\alpha = ${tex((s.friction.mu * normalOf(s)) / s.body.mass / 9.81)} &> \\sin\\alpha = ${tex(Math.abs(s.gravity[1]) / 9.81)} \\end{aligned}`,
    steps: [
      { text: "Short steps of 0.5 ms: all three agree, but for the creep.", to: (s) => (s.integrator.step = 0.0005) },
      { text: "Steps of 5 ms: the explicit one is nonsense.", to: (s) => (s.integrator.step = 0.005) },
      { text: "Steps of 30 ms: it blows up; ours still holds still.", to: (s) => (s.integrator.step = 0.03) },
    ],
  },
  open: (host) => new StepsView(host),
  takes: (tree) => Boolean(isBlock(tree)),
  take: (file, bristle) => takeScenario(bristle, file),
  exports: (state, { toYaml }) => {
    const yaml = toYaml(state);
    return {
      files: [{ name: "steps.yaml", text: yaml }],
      command: "bristle run steps.yaml -o steps.csv --plot steps.png",
      c: scenarioInC(yaml, "steps"),
      python: scenarioInPython(yaml, ["x", "y", "theta"]),
    };
  },
};
