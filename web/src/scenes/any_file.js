/** Your file: any other scenario, run as `bristle run` runs it, its columns over time. */
import { Controls } from "../controls.js";
import { Curves } from "../curves.js";
import { element } from "../dom.js";
import { scenarioInC, scenarioInPython } from "../exporting.js";
import { takeScenario } from "../module.js";
import { Plane } from "../plane.js";
import { Player, rowAt } from "../player.js";
import { copy } from "../tree.js";
import { tex } from "../why.js";
import { pictureOf } from "./pictures.js";

const COLOURS = ["accent", "warm", "good", "violet", "yellow", "ink"];

const START = {
  mechanism: {
    kind: "bead",
    mass: 0.1,
    gravity: 9.81,
    path: { kind: "helix", radius: 0.3, pitch: 0.6 },
    start: { angle: 0, v: 4 },
    mu: 0.15,
    mu_s: 0.2,
  },
  duration: 3,
  output: { every: 0.01 },
};

class FileView {
  /** @param {import('../controls.js').Host} host */
  constructor(host) {
    this.host = host;
    /** @type {Curves[]} */
    this.curves = [];
    /** @type {any} the run that is shown */
    this.run = null;
    /** @type {import('./pictures.js').Picture | null} */
    this.picture = null;
    this.row = 0;
    this.top = element("div", { class: "wide" });
    host.stage.append(this.top);
    this.plane = new Plane(this.top, {
      label: "What moves",
      span: 1,
      draw: (pen) => this.picture?.draw(pen, this.row),
    });
    this.plane.box.classList.add("wide");
    this.title = element("div", { class: "title" });
    this.plane.box.append(this.title);
    this.player = new Player(this.top, (t) => host.later(() => this.#show(t)));
    this.controls = new Controls(host).number("duration", "Duration", {
      unit: "s",
      from: 0.1,
      to: 20,
      step: 0.1,
      when: (s) => typeof s.duration === "number",
    });
  }

  update() {
    this.controls.update();
    this.host.run([this.host.state], ([run], state) => this.#draw(run, state));
  }

  /** @param {any} run @param {any} state it belongs to */
  #draw(run, state) {
    const t = run.get("t");
    this.#picture(run, t, state);
    for (const curve of this.curves) curve.close();
    /** @type {Map<string, string[]>} columns that share a unit share a picture */
    const groups = new Map();
    for (const name of run
      .names()
      .filter((/** @type {string} */ n) => n !== "t" && run.get(n) instanceof Float64Array)) {
      const unit = run.units[name] ?? "-";
      groups.set(unit, [...(groups.get(unit) ?? []), name]);
    }
    this.curves = [...groups].map(([unit, names]) => {
      const curve = new Curves(this.host.stage, {
        title: names.join(", "),
        x: "t [s]",
        y: unit,
        lines: names.map((label, i) => ({ label, colour: COLOURS[i % COLOURS.length] })),
        height: 200,
      });
      curve.set([t, ...names.map((name) => run.get(name))]);
      return curve;
    });
    this.host.numbers(
      [...groups.values()]
        .flat()
        .slice(0, 12)
        .map((name) => ({ name, label: `${name}, end`, value: run.get(name).at(-1), unit: run.units[name] ?? "-" })),
    );
    this.host.say(`${run.kind}: ${t.length} rows, ${run.events.length === 1 ? "1 event" : `${run.events.length} events`}.`);
  }

  /** What moves, seen in 2-D, where it is something to see. @param {any} run @param {ArrayLike<number>} t @param {any} state */
  #picture(run, t, state) {
    this.run = run;
    this.picture = pictureOf(state, run);
    this.top.hidden = !this.picture;
    if (!this.picture) return this.player.pause();
    this.title.textContent = this.picture.title;
    const middle = [0, 1].map((i) => this.picture?.points.map((p) => p[i]) ?? []).map((list) => [Math.min(...list), Math.max(...list)]);
    this.plane.centre = /** @type {any} */ (middle.map(([a, b]) => (a + b) / 2));
    const [[left, right], [below, above]] = middle;
    this.plane.span = 1.2 * Math.max((right - left) / 1.6, above - below, 1e-3); // the picture is 1.75 times as wide as high
    this.player.setDuration(t[t.length - 1]);
    return undefined;
  }

  /** @param {number} t */
  #show(t) {
    if (!this.run) return;
    this.row = rowAt(this.run.get("t"), t);
    this.plane.redraw();
    for (const curve of this.curves) curve.mark(t);
  }

  pause() {
    this.player.pause();
  }

  close() {
    this.player.close();
    this.plane.close();
    for (const curve of this.curves) curve.close();
  }
}

/** @param {any} state @param {any} by */
function replaceBy(state, by) {
  for (const key of Object.keys(state)) delete state[key];
  Object.assign(state, copy(by));
}

/** @type {import('../scenes.js').Scene} */
export const anyFile = {
  id: "file",
  title: "Your file",
  lead: "Any scenario file of the command runs here, too: drop one on the page. Bodies on a table, belts, sliders and mechanisms are drawn; grippers, pushes, rigs and patches open in their own scenes. To start with, a bead on a helix.",
  start: () => copy(START),
  why: {
    text: "Whatever the file describes, friction obeys the same rule: it never exceeds μ times the normal force, and it takes energy, never gives any. A bead on a wire is pressed to it by gravity and by the bends, the more the faster it goes.",
    formula: (of, s) =>
      s.mechanism?.kind === "bead"
        ? `\\begin{aligned} f &\\le \\mu f_n = ${tex(s.mechanism.mu)}\\,f_n\\\\ y &= ${of("y")},\\ v_y = ${of("vy")} \\end{aligned}`
        : "|f| \\le \\mu f_n, \\qquad f \\cdot v \\le 0",
    steps: [
      { text: "Throw the bead up the helix at 4 m/s.", to: (s) => replaceBy(s, START) },
      { text: "No friction: it keeps all of its energy.", to: (s) => (replaceBy(s, START), Object.assign(s.mechanism, { mu: 0, mu_s: 0 })) },
      { text: "Static friction of 0.6: it stops on the wire and stays.", to: (s) => (replaceBy(s, START), Object.assign(s.mechanism, { mu: 0.5, mu_s: 0.6 })) },
    ],
  },
  open: (host) => new FileView(host),
  takes: () => false, // it has what no other scene takes
  take: (file, bristle) => takeScenario(bristle, file),
  exports: (state, { toYaml }) => {
    const yaml = toYaml(state);
    return {
      files: [{ name: "scenario.yaml", text: yaml }],
      command: "bristle run scenario.yaml -o scenario.csv --plot scenario.png",
      c: scenarioInC(yaml, "scenario"),
      python: scenarioInPython(yaml, ["t"]),
    };
  },
};
