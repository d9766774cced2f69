/** Your file: any other scenario, run as `bristle run` runs it, its columns over time. */
import { Controls } from "../controls.js";
import { Curves } from "../curves.js";
import { scenarioInC, scenarioInPython } from "../exporting.js";
import { runScenario, takeScenario } from "../module.js";
import { copy } from "../tree.js";

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
    const run = runScenario(this.host.bristle, this.host.state),
      t = run.get("t");
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

  close() {
    for (const curve of this.curves) curve.close();
  }
}

/** @type {import('../scenes.js').Scene} */
export const anyFile = {
  id: "file",
  title: "Your file",
  lead: "Any scenario file of the command runs here, too: drop one on the page. Those of bodies, pushes, rigs and patches open in their own scenes. To start with, a bead on a helix.",
  start: () => copy(START),
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
