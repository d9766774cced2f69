/** Stick-slip rig: a mass on a friction law, pulled by a slow spring or shaken by a force. */
import { Controls } from "../controls.js";
import { Curves } from "../curves.js";
import { colour, element } from "../dom.js";
import { scenarioInC, scenarioInPython } from "../exporting.js";
import { digits } from "../format.js";
import { takeScenario } from "../module.js";
import { Plane } from "../plane.js";
import { Player, rowAt } from "../player.js";
import { FASTER, Sound, pitchOf } from "../sound.js";
import { copy } from "../tree.js";
import { tex } from "../why.js";

/** @typedef {import('../plane.js').Point} Point */

const STICK_SLIP = {
  law: { kind: "elasto-plastic", mu_c: 0.3, mu_s: 0.4, v_s: 5e-3, sigma0: 2000, sigma1: 3, sigma2: 1, s_ba: 0.9 },
  rig: { mass: 1, stiffness: 100, pull: 0.01, normal_force: 9.81 },
  duration: 20,
  output: { every: 0.01 },
};

const HELD = {
  law: { kind: "elasto-plastic", mu_c: 1, mu_s: 1, v_s: 1e-3, sigma0: 1e5, sigma1: 316.2, sigma2: 0.4, s_ba: 0.9 },
  rig: {
    mass: 1,
    stiffness: 0,
    pull: 0,
    force: { kind: "sine", mean: 0.45, amplitude: 0.35, frequency: 4 },
    normal_force: 1,
  },
  duration: 4,
  output: { every: 0.01 },
};

const BRISTLES = ["lugre", "elasto-plastic"];
const LAWS = /** @type {[string, string][]} */ ([
  ["coulomb", "Coulomb"],
  ["stiction", "Coulomb and stiction"],
  ["stribeck", "Stribeck"],
  ["dahl", "Dahl"],
  ["lugre", "LuGre"],
  ["elasto-plastic", "elasto-plastic"],
]);

/** A law of the module. @param {any} bristle @param {any} law as a scenario has it */
function lawOf(bristle, { v_s, ...law }) {
  return new bristle.Law({ ...law, ...(v_s === undefined ? {} : { v_stribeck: v_s }) });
}

/** The same rig with the other law of bristles. @param {any} state */
const twin = (state) => ({
  ...state,
  law: { ...state.law, kind: state.law.kind === "lugre" ? "elasto-plastic" : "lugre" },
});

class RigView {
  /** @param {import('../controls.js').Host} host */
  constructor(host) {
    this.host = host;
    const { stage } = host;
    /** @type {any} the columns of the run that is shown, and the state it belongs to */
    this.run = null;
    this.state = host.state;
    this.row = 0;
    this.sound = new Sound();
    this.still = 1e-4; // slower than this it sticks [m/s]
    const top = element("div", { class: "wide" });
    stage.append(top);
    this.picture = new Plane(top, {
      label: "The mass, the spring, and the end that is pulled",
      span: 0.1,
      draw: (pen) => this.#drawRig(pen),
    });
    this.picture.box.classList.add("strip");
    this.picture.box.append(element("div", { class: "title" }, "The rig: the mass is blue while it sticks, orange while it slips"));
    this.player = new Player(top, (t) => host.later(() => this.#show(t)));
    this.listen = element(
      "button",
      { type: "button", "aria-pressed": "false", "data-sound": "", onclick: () => this.#hear(!this.sound.on) },
      "Hear it",
    );
    this.player.box.append(this.listen);
    this.speed = new Curves(stage, {
      title: "Friction over speed: steady sliding, and the path of the mass",
      x: "v [mm/s]",
      y: "f [N]",
      height: 260,
      path: true,
      lines: [
        { label: "steady", colour: "muted", dash: [6, 4] },
        { label: "run", colour: "accent" },
      ],
    });
    this.place = new Curves(stage, {
      title: "Position of the mass over time",
      x: "t [s]",
      y: "x [mm]",
      height: 260,
      lines: [
        { label: "this law", colour: "accent" },
        { label: "the other one of LuGre and elasto-plastic", colour: "warm", dash: [6, 4] },
      ],
    });
    this.controls = this.#controls();
  }

  #controls() {
    const c = new Controls(this.host),
      has =
        (/** @type {string[]} */ ...kinds) =>
        (/** @type {any} */ s) =>
          kinds.includes(s.law.kind);
    c.buttons([
      ["Stick-slip", (s) => replace(s, STICK_SLIP), "a slow spring pulls"],
      ["Shaken, but held", (s) => replace(s, HELD), "a load that oscillates below what friction holds: LuGre creeps"],
    ]);
    c.heading("Law").choice("law.kind", "Law", LAWS, { write: setLaw });
    c.number("law.mu_c", "Sliding μ_c", { unit: "-", from: 0.05, to: 1.5, step: 0.01 });
    c.number("law.mu_s", "Static μ_s", {
      unit: "-",
      from: 0.05,
      to: 2,
      step: 0.01,
      when: has("stiction", "stribeck", "lugre", "elasto-plastic"),
    });
    c.number("law.v_s", "Stribeck v_s", {
      unit: "m/s",
      from: 1e-4,
      to: 0.1,
      log: true,
      when: has("stribeck", "lugre", "elasto-plastic"),
    });
    c.number("law.sigma0", "Stiffness σ₀", {
      unit: "1/m",
      from: 100,
      to: 1e6,
      log: true,
      when: has("dahl", "lugre", "elasto-plastic"),
    });
    c.number("law.sigma1", "Damping σ₁", {
      unit: "s/m",
      from: 0.1,
      to: 1000,
      log: true,
      when: has("lugre", "elasto-plastic"),
    });
    c.number("law.sigma2", "Viscous σ₂", {
      unit: "s/m",
      from: 0,
      to: 5,
      step: 0.05,
      read: (s) => s.law.sigma2 ?? 0,
      when: has("stribeck", "lugre", "elasto-plastic"),
    });
    c.number("law.s_ba", "Breakaway", {
      unit: "-",
      from: 0,
      to: 0.99,
      step: 0.01,
      read: (s) => s.law.s_ba ?? 0.9,
      when: has("elasto-plastic"),
      help: "share of the largest deflection up to which a bristle holds without creep",
    });
    c.heading("Rig").number("rig.mass", "Mass", { unit: "kg", from: 0.1, to: 5, step: 0.1 });
    c.number("rig.stiffness", "Spring", { unit: "N/m", from: 0, to: 500, step: 5, read: (s) => s.rig.stiffness ?? 0 });
    c.number("rig.pull", "Pulled at", { unit: "m/s", from: 0, to: 0.1, step: 0.001, read: (s) => s.rig.pull ?? 0 });
    c.number("rig.normal_force", "Pressed by", {
      unit: "N",
      from: 0.5,
      to: 30,
      step: 0.1,
      read: (s) => s.rig.normal_force ?? 1,
      when: (s) => typeof (s.rig.normal_force ?? 1) === "number",
    });
    const sine = (/** @type {any} */ s) => s.rig.force?.kind === "sine";
    c.number("rig.force.mean", "Load", { unit: "N", from: 0, to: 2, step: 0.01, when: sine });
    c.number("rig.force.amplitude", "its amplitude", { unit: "N", from: 0, to: 2, step: 0.01, when: sine });
    c.number("duration", "Duration", { unit: "s", from: 1, to: 30, step: 1 });
    return c;
  }

  update() {
    const { state } = this.host;
    this.controls.update();
    const trees = BRISTLES.includes(state.law.kind) ? [state, twin(state)] : [state];
    this.host.run(trees, ([run, other], of) => this.#result(run, other ?? null, of));
  }

  /** @param {any} run @param {any} other @param {any} state they belong to */
  #result(run, other, state) {
    this.state = state;
    const law = lawOf(this.host.bristle, state.law);
    try {
      this.#draw(law, run, other);
      this.#report(law, run, other);
    } finally {
      law.free();
    }
  }

  /** @param {any} law @param {any} run @param {any} other */
  #draw(law, run, other) {
    const t = run.get("t"),
      v = run.get("v"),
      f = run.get("f"),
      x = run.get("x");
    const milli = (/** @type {Float64Array} */ list) => list.map((/** @type {number} */ y) => 1e3 * y);
    const most = Math.max(
        v.reduce((/** @type {number} */ a, /** @type {number} */ b) => Math.max(a, Math.abs(b)), 0),
        1e-4,
      ),
      fn = typeof this.state.rig.normal_force === "object" ? 1 : (this.state.rig.normal_force ?? 1);
    const steady = Float64Array.from({ length: 401 }, (_, i) => (i / 200 - 1) * 1.1 * most);
    // steady sliding: long steps bring a bristle there
    const z = law.state(steady.length);
    for (let i = 0; i < 3; i++) law.step(z, steady, fn, 100);
    const g = law.eval(z, steady, fn)[0];
    this.speed.set([null, [milli(steady), g], [milli(v), f]]);
    this.place.set([t, milli(x), other ? milli(other.get("x")) : t.map(() => NaN)]);
    this.run = { t, x, v, f };
    this.still = this.state.rig.pull > 0 ? 0.1 * this.state.rig.pull : 1e-4;
    this.player.setDuration(t.at(-1));
    if (this.sound.on) this.#hear(true);
  }

  /** @param {number} t */
  #show(t) {
    if (!this.run) return;
    this.row = rowAt(this.run.t, t);
    this.picture.drawNow();
    this.place.mark(t);
  }

  /** Turn the sound on or off. @param {boolean} on */
  #hear(on) {
    const sounds = on && this.sound.play(this.run.t, this.run.v);
    if (!on) this.sound.stop();
    this.listen.setAttribute("aria-pressed", String(sounds));
    this.listen.textContent = sounds ? "Silence" : "Hear it";
    if (on && !sounds) this.host.say("There is nothing to hear: it does not stick and slip.");
  }

  /** Where the pulled end is [m]: the spring is at rest when it is `rest` ahead of the mass. @param {number} row */
  #end(row) {
    return (this.state.rig.pull ?? 0) * this.run.t[row];
  }

  /** @param {import('../plane.js').Pen} pen */
  #drawRig(pen) {
    if (!this.run) return;
    const { x, v } = this.run,
      { rig } = this.state,
      springy = (rig.stiffness ?? 0) > 0,
      last = x.length - 1;
    const least = x.reduce((/** @type {number} */ to, /** @type {number} */ y) => Math.min(to, y), 0),
      most = x.reduce((/** @type {number} */ to, /** @type {number} */ y) => Math.max(to, y), 0);
    const reach = Math.max(most - least, springy ? this.#end(last) : 0, 1e-6),
      side = 0.16 * reach,
      rest = springy ? 0.5 * reach : 0;
    const { clientWidth: width, clientHeight: height } = this.picture.box,
      total = 1.1 * (reach + side + rest + (springy ? 0 : reach));
    this.picture.span = (total * Math.min(width, height)) / width;
    this.picture.centre = [least + (reach + rest) / 2, 0.25 * this.picture.span];
    pen.scale = this.picture.scale;
    const now = x[this.row],
      slips = Math.abs(v[this.row]) > this.still;
    pen.line([[least - total, 0], [most + total, 0]], { stroke: colour("ink"), width: 1.5, open: true });
    for (let i = -40; i < 80; i++)
      pen.line(/** @type {Point[]} */ ([[(i * total) / 40, 0], [((i - 0.6) * total) / 40, -0.012 * total]]), { stroke: colour("muted"), width: 0.8, open: true });
    /** @type {Point[]} */
    const box = [[now - side / 2, 0], [now + side / 2, 0], [now + side / 2, side], [now - side / 2, side]];
    pen.line(box, { fill: colour(slips ? "warm" : "accent"), stroke: colour("ink") });
    pen.text(slips ? "slips" : "sticks", [now, side], { align: "center", dy: -6, fill: colour("ink") });
    const from = now + side / 2,
      to = this.#end(this.row) + side / 2 + rest;
    if (springy) this.#drawSpring(pen, from, to, side);
    const { force } = rig;
    if (!springy && force) pen.arrow([from, side / 2], [0.5 * reach, 0], colour("violet"));
  }

  /** @param {import('../plane.js').Pen} pen @param {number} from @param {number} to @param {number} side */
  #drawSpring(pen, from, to, side) {
    const turns = 14,
      y = side / 2;
    const points = Array.from({ length: turns + 1 }, (_, i) => /** @type {Point} */ ([from + ((to - from) * (i + 1)) / (turns + 2), y + (i % 2 ? 0.22 : -0.22) * side]));
    pen.line(/** @type {Point[]} */ ([[from, y], ...points, [to, y]]), { stroke: colour("ink"), width: 1.5, open: true });
    pen.line([[to, 0], [to, side]], { stroke: colour("violet"), width: 4, open: true });
    pen.arrow([to, y], [0.6 * side, 0], colour("violet"));
    pen.text("pulled", [to, side], { align: "center", dy: -6 });
  }

  pause() {
    this.player.pause();
    this.#hear(false);
  }

  /** @param {any} law @param {any} run @param {any} other */
  #report(law, run, other) {
    const x = run.get("x"),
      margin = law.passivity_margin,
      passive = margin > -1e-9; // rounding is no energy
    this.host.numbers([
      { name: "x", label: "x, end", value: x.at(-1), unit: "m" },
      { name: "f", label: "friction, end", value: run.get("f").at(-1), unit: "N" },
      { name: "v", label: "v, end", value: run.get("v").at(-1), unit: "m/s" },
      { name: "other.x", label: `${this.state.law.kind === "lugre" ? "elasto-plastic" : "LuGre"}, end`, value: other ? other.get("x").at(-1) : NaN, unit: "m" },
      {
        name: "pitch",
        label: "Stick-slips per s",
        value: pitchOf(run.get("t"), run.get("v")),
        unit: "Hz",
        kind: "wide",
        help: `"Hear it" plays them ${FASTER} times faster`,
      },
      {
        name: "margin",
        label: "Passivity margin",
        value: margin,
        unit: "s/m",
        help: "sigma2 - sigma1 (mu_s - mu_c)/mu_c: below 0 some motions may take energy out of the bristles that nobody put in",
        kind: "wide",
        more: true,
      },
    ]);
    const [mine, others] = [x.at(-1) - x[0], other ? other.get("x").at(-1) - x[0] : NaN].map(
      (distance) => `${digits(1e3 * distance)} mm`,
    );
    const warning = passive
      ? ""
      : " Not passive for sure: the bristles may give energy that nobody put in; less σ₁ or more σ₂ mends it.";
    const held =
      this.state.rig.stiffness === 0 && other
        ? `It moved ${mine}; ${this.state.law.kind === "lugre" ? "the elasto-plastic law" : "LuGre"} moves it ${others}.`
        : "";
    this.host.say(
      `${held}${warning}`.trim() || "The law is passive: friction never gives energy.",
      passive ? "good" : "bad",
    );
  }

  close() {
    this.sound.close();
    for (const part of [this.player, this.picture, this.speed, this.place]) part.close();
  }
}

/** @param {any} state @param {any} by */
function replace(state, by) {
  for (const key of Object.keys(state)) delete state[key];
  Object.assign(state, copy(by));
}

/** Another law, with what it needs. @param {any} state @param {string} kind */
function setLaw(state, kind) {
  const defaults = { mu_s: state.law.mu_c * 1.3, v_s: 5e-3, sigma0: 2000, sigma1: 3 };
  state.law = { ...defaults, ...state.law, kind };
}

/** @type {import('../scenes.js').Scene} */
export const rig = {
  id: "rig",
  title: "Stick-slip rig",
  lead: "A mass on a friction law, pulled by a slow spring: it sticks, breaks away, slips. Or shaken by a load that friction should hold: LuGre creeps, the elasto-plastic law holds.",
  start: () => copy(STICK_SLIP),
  why: {
    text: "While it sticks, the spring pulls harder and harder, until it reaches static friction. As soon as it slides, friction is smaller, so the mass shoots ahead, relaxes the spring and sticks again. Where friction does not fall with the speed, or the spring is stiff, it slides smoothly.",
    formula: (of, { law, rig }) => {
      const fn = typeof rig.normal_force === "object" ? 1 : (rig.normal_force ?? 1),
        top = (law.mu_s ?? law.mu_c) * fn,
        drop = top - law.mu_c * fn;
      return `\\begin{aligned} f_s &= \\mu_s f_n = ${tex(top, "N")}\\\\ f_c &= \\mu_c f_n = ${tex(law.mu_c * fn, "N")}\\\\ \\Delta x &\\approx \\frac{2 (f_s - f_c)}{k} = ${tex((2 * drop) / (rig.stiffness || NaN), "m")} \\text{ a jump}\\\\ \\frac1T &= ${of("pitch")} \\end{aligned}`;
    },
    steps: [
      { text: "A soft spring pulls slowly: it sticks and slips.", to: (s) => replace(s, STICK_SLIP) },
      { text: "A spring five times as stiff: smaller jumps, more of them.", to: (s) => (replace(s, STICK_SLIP), (s.rig.stiffness = 500)) },
      { text: "Static friction no larger than sliding: it slides smoothly.", to: (s) => (replace(s, STICK_SLIP), (s.law.mu_s = 0.3)) },
    ],
  },
  open: (host) => new RigView(host),
  takes: (tree) => Boolean(tree.law && tree.rig),
  take: (file, bristle) => takeScenario(bristle, file),
  exports: (state, { toYaml }) => {
    const yaml = toYaml(state);
    return {
      files: [{ name: "rig.yaml", text: yaml }],
      command: "bristle run rig.yaml -o rig.csv --plot rig.png",
      c: scenarioInC(yaml, "rig"),
      python: scenarioInPython(yaml, ["x", "v", "f"]),
    };
  },
};
