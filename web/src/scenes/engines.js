/**
 * Engines side by side: one scene in physics engines from npm, with their own friction and with bristle's. Each engine
 * runs in a worker of its own (engines/worker.js), which comes when this scene is opened; what they recorded is
 * played here.
 */
import { Controls } from "../controls.js";
import { colour, element, onTheme } from "../dom.js";
import { scenarioInC, scenarioInPython } from "../exporting.js";
import { digits } from "../format.js";
import { runScenario } from "../module.js";
import { Player } from "../player.js";
import { copy } from "../tree.js";
import { tex } from "../why.js";

const g = 9.81;
const DAY = 86400; // [s]
/** Creep that nobody sees in a day: 86 mm; docs/howto/engines_js.md promises less [m/s]. */
const HOLDS = 1e-6;
/** Numbers of a row of a recording, as engines/runs.js has them. */
const ROW = 4;
const WAIT = 250; // from a change to the runs [ms]

/** What arrives is what is served: packages in MB before compression. */
export const ENGINES = [
  { id: "rapier", name: "Rapier", size: 4.3 },
  { id: "jolt", name: "Jolt", size: 3.0 },
  { id: "mujoco", name: "MuJoCo 3", size: 10.6 },
  { id: "box2d", name: "Box2D 3", size: 0.5 },
];

const START = {
  scene: "puck",
  puck: { speed: 0.5, spin: 40, mu: 0.2 },
  slope: { angle: (15 * Math.PI) / 180, mu: 0.5 },
  pinch: { force: 6, mass: 0.045, mu: 0.5 },
  rate: 60,
};

const TITLES = { puck: "Spinning puck", slope: "Box on a slope", pinch: "Box in a pinch" };

/** What should happen, in TeX. @type {Record<string, (values: any) => string>} */
const FORMULAS = {
  puck: ({ speed, mu }) => `d_\\text{no spin} = \\frac{v^2}{2 \\mu g} = ${tex((speed * speed) / (2 * mu * g), "m")}`,
  slope: ({ angle, mu }) => `\\tan\\alpha = ${tex(Math.tan(angle))} ${Math.tan(angle) < mu ? "<" : "\\ge"} \\mu = ${tex(mu)}`,
  pinch: ({ force, mass, mu }) =>
    `m g = ${tex(mass * g, "N")} ${mass * g < 2 * mu * force ? "<" : "\\ge"} 2 \\mu F = ${tex(2 * mu * force, "N")}`,
};

/** The same scene for `bristle run`. @type {Record<string, (values: any) => any>} */
const SCENARIOS = {
  puck: ({ speed, spin, mu }) => ({
    body: { mass: 0.1, radius: 0.04, velocity: [speed, 0, spin] },
    friction: { mu },
    contact: { frame: "body", patch: { shape: "disc", radius: 0.04 } },
    duration: 3,
    output: { every: 0.01 },
  }),
  slope: ({ angle, mu }) => ({
    body: { mass: 0.5, size: [0.1, 0.1] },
    gravity: [g * Math.sin(angle), 0],
    friction: { mu },
    contact: { frame: "body", patch: { shape: "rectangle", size: [0.1, 0.1] }, normal_force: 0.5 * g * Math.cos(angle) },
    duration: 11,
    output: { every: 0.05 },
  }),
  pinch: ({ force, mass, mu }) => ({
    body: { mass, size: [0.04, 0.04] },
    gravity: [0, -g],
    friction: { mu },
    contact: { frame: "world", count: 2, patch: { shape: "rectangle", size: [0.04, 0.04] }, normal_force: force },
    duration: 11,
    output: { every: 0.05 },
  }),
};

/** A length in the unit that fits it. @param {number} x [m], >= 0 */
export function length(x) {
  const units = /** @type {[number, string][]} */ ([[1, "m"], [1e3, "mm"], [1e6, "µm"], [1e9, "nm"]]);
  const [factor, unit] = units.find(([each]) => x * each >= 1) ?? [0, ""];
  return factor ? `${Number((x * factor).toPrecision(3))} ${unit}` : "less than 1 nm";
}

/** @param {number} v [m/s] */
const creep = (v) =>
  v === Infinity ? "slips" : v < 1e-10 ? "< 0.0001 µm/s" : `${digits(Number((1e6 * v).toPrecision(2)))} µm/s`;

/**
 * One engine in one mode: its picture and its numbers.
 */
class Lane {
  /** @param {HTMLElement} parent @param {{id: string, name: string, size: number}} engine @param {"alone" | "bristle"} mode */
  constructor(parent, engine, mode) {
    this.engine = engine;
    this.mode = mode;
    /** @type {any} */
    this.result = null;
    this.number = element("strong", { "data-number": `${engine.id}.${mode}` });
    this.note = element("span", { class: "note" });
    this.canvas = element("canvas", { role: "img" });
    this.box = element(
      "div",
      { class: `lane ${mode}`, role: "group", "aria-label": `${engine.name}, ${mode === "alone" ? "its own friction" : "with bristle"}` },
      element("div", { class: "lane-head" }, element("span", { class: "lane-name" }, engine.name, element("small", {}, mode === "alone" ? " alone" : " + bristle")), this.number),
      this.canvas,
      this.note,
    );
    parent.append(this.box);
    this.wait();
  }

  wait(text = `loading ${this.engine.size} MB …`) {
    this.result = null;
    this.box.setAttribute("aria-busy", "true");
    this.report("", text, "");
    this.canvas.getContext("2d").clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /** Nothing is known and nothing is computed. */
  empty() {
    this.wait("");
    delete this.number.dataset.value;
    this.box.removeAttribute("aria-busy");
  }

  /** @param {string} number @param {string} note @param {string} kind good | bad */
  report(number, note, kind) {
    // an empty line has the height of a number: nothing moves when it comes
    if (this.number.textContent !== (number || "\u00a0")) this.number.textContent = number || "\u00a0";
    if (this.note.textContent !== note) this.note.textContent = note;
    this.number.className = kind;
  }

  /** @param {string} text */
  fail(text) {
    this.empty();
    this.report("—", text, "bad");
  }

  /** @param {any} result @param {string} kind */
  set(result, kind) {
    this.result = result;
    this.number.dataset.value = String(kind === "puck" ? result.moved : result.speed);
    this.box.removeAttribute("aria-busy");
  }

  /** When it came to rest: less than 0.1 mm and 1 mrad before the end [s]. */
  rest() {
    const { rows, every } = this.result,
      end = rows.length - ROW;
    let i = end;
    while (i > 0 && Math.abs(rows[end + 3] - rows[i + 3]) < 1e-4 && Math.abs(rows[end + 2] - rows[i + 2]) < 1e-3) i -= ROW;
    return (i / ROW + 1) * every;
  }

  /** Row of the recording at a time: motion in the picture, angle, distance. @param {number} t */
  at(t) {
    const { rows, every } = this.result;
    const i = Math.min(Math.round(t / every), rows.length / ROW - 1);
    return rows.subarray(ROW * i, ROW * i + ROW);
  }

  /** @param {number} t @param {EnginesView} view */
  show(t, view) {
    if (!this.result) return;
    const row = this.at(t),
      kind = view.host.state.scene;
    if (kind === "puck") {
      this.report(`${(1e3 * row[3]).toFixed(1)} mm`, `turned by ${row[2].toFixed(2)} rad`, "");
      this.canvas.setAttribute("aria-label", `the puck after ${length(row[3])}`);
    } else {
      const { speed } = this.result,
        ok = speed <= HOLDS;
      this.report(creep(speed), `${length(row[3])} in ${t.toFixed(1)} s${speed === Infinity ? "" : `: ${length(speed * DAY)} in a day`}`, ok ? "good" : "bad");
      this.canvas.setAttribute("aria-label", `the box after ${length(row[3])}`);
    }
    draw(this.canvas, kind, row, view, this.mode);
  }
}

/** A pen whose unit is the metre, its origin at a share of the canvas. @param {any} canvas @param {number} width of the picture [m] @param {[number, number]} origin shares */
function penOf(canvas, width, origin) {
  const box = canvas.getBoundingClientRect(),
    ratio = devicePixelRatio || 1,
    pen = canvas.getContext("2d");
  const [w, h] = [Math.round(box.width * ratio), Math.round(box.height * ratio)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, w, h);
  const scale = canvas.width / width;
  pen.setTransform(scale, 0, 0, -scale, origin[0] * canvas.width, origin[1] * canvas.height);
  pen.lineWidth = (1.5 * ratio) / scale;
  return { pen, px: ratio / scale, height: canvas.height / scale };
}

/** @param {any} canvas @param {string} kind @param {ArrayLike<number>} row @param {EnginesView} view @param {string} mode */
function draw(canvas, kind, row, view, mode) {
  const ink = mode === "alone" ? "warm" : "accent";
  if (kind === "puck") drawPuck(canvas, row, view, ink);
  else if (kind === "slope") drawSlope(canvas, row, view.host.state.slope.angle, ink);
  else drawPinch(canvas, row, ink);
}

/** Words in a picture, whose pen is in metres and whose y points up. @param {any} pen @param {string} text @param {number} x @param {number} y @param {number} px */
function words(pen, text, x, y, px, align = "center") {
  pen.save();
  pen.translate(x, y);
  pen.scale(px, -px);
  pen.font = "11px system-ui, sans-serif";
  pen.textAlign = align;
  pen.fillText(text, 0, 0);
  pen.restore();
}

/** @param {any} canvas @param {ArrayLike<number>} row @param {EnginesView} view @param {string} ink */
function drawPuck(canvas, row, view, ink) {
  const R = 0.04,
    width = view.reach + 2.6 * R,
    { pen, px, height } = penOf(canvas, width, [(1.3 * R) / width, 0.44]);
  const low = -0.56 * height;
  // a ruler from the start of the puck's centre
  pen.strokeStyle = pen.fillStyle = colour("muted");
  const tick = view.reach > 0.5 ? 0.2 : view.reach > 0.25 ? 0.1 : 0.05;
  for (let x = 0; x < view.reach + R; x += tick) {
    pen.fillRect(x - px / 2, low + 14 * px, px, 5 * px);
    words(pen, String(Math.round(1e3 * x)), x, low + 3 * px, px);
  }
  // where friction of the whole disc ends it
  pen.setLineDash([5 * px, 4 * px]);
  pen.strokeStyle = colour("good");
  pen.beginPath();
  pen.moveTo(view.reference, low + 14 * px);
  pen.lineTo(view.reference, height);
  pen.stroke();
  pen.fillStyle = colour("good");
  // a phone has no place for it: the sentence below has the line's name
  if (width / px > 260) words(pen, "bristle run", view.reference - 4 * px, 0.44 * height - 11 * px, px, "right");
  pen.strokeStyle = colour("muted");
  pen.beginPath();
  pen.arc(0, 0, R, 0, 7);
  pen.stroke();
  pen.setLineDash([]);
  pen.translate(row[0], row[1]);
  pen.rotate(row[2]);
  pen.fillStyle = colour("body");
  pen.strokeStyle = colour(ink);
  pen.beginPath();
  pen.arc(0, 0, R, 0, 7);
  pen.fill();
  pen.stroke();
  pen.fillStyle = colour(ink);
  pen.beginPath();
  pen.moveTo(0, 0);
  pen.arc(0, 0, R, -0.3, 0.3);
  pen.fill();
}

/** A box, and where it was at first. @param {any} pen @param {number} px @param {ArrayLike<number>} row @param {number} half @param {string} ink */
function boxes(pen, px, row, half, ink) {
  pen.setLineDash([4 * px, 3 * px]);
  pen.strokeStyle = colour("muted");
  pen.strokeRect(-half, -half, 2 * half, 2 * half);
  pen.setLineDash([]);
  pen.save();
  pen.translate(row[0], row[1]);
  pen.rotate(row[2]);
  pen.fillStyle = colour("body");
  pen.strokeStyle = colour(ink);
  pen.fillRect(-half, -half, 2 * half, 2 * half);
  pen.strokeRect(-half, -half, 2 * half, 2 * half);
  pen.restore();
}

/** @param {any} canvas @param {ArrayLike<number>} row @param {number} angle @param {string} ink */
function drawSlope(canvas, row, angle, ink) {
  const { pen, px } = penOf(canvas, 0.42, [0.45, 0.53]);
  pen.rotate(-angle);
  pen.fillStyle = colour("line");
  pen.fillRect(-1, -1.05, 2, 1);
  boxes(pen, px, row, 0.05, ink);
}

/** An arrow. @param {any} pen @param {number} px @param {number} x @param {number} y @param {number} dx @param {number} dy */
function arrow(pen, px, x, y, dx, dy) {
  const size = Math.hypot(dx, dy),
    [ux, uy] = [dx / size, dy / size],
    head = 6 * px;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + dx, y + dy);
  pen.moveTo(x + dx - head * (ux + uy / 2), y + dy - head * (uy - ux / 2));
  pen.lineTo(x + dx, y + dy);
  pen.lineTo(x + dx - head * (ux - uy / 2), y + dy - head * (uy + ux / 2));
  pen.stroke();
}

/** @param {any} canvas @param {ArrayLike<number>} row @param {string} ink */
function drawPinch(canvas, row, ink) {
  const { pen, px } = penOf(canvas, 0.16, [0.5, 0.5]);
  boxes(pen, px, row, 0.02, ink);
  pen.fillStyle = colour("muted");
  pen.fillRect(-0.04, -0.02, 0.02, 0.04);
  pen.fillRect(0.02, -0.02, 0.02, 0.04);
  pen.strokeStyle = colour("ink");
  arrow(pen, px, -0.068, 0, 0.026, 0);
  arrow(pen, px, 0.068, 0, -0.026, 0);
  arrow(pen, px, row[0], row[1], 0, -0.013);
}

class EnginesView {
  /** @param {import('../controls.js').Host} host */
  constructor(host) {
    this.host = host;
    this.id = 0; // of the newest request
    this.timer = 0;
    this.loading = true; // until the first request
    this.reference = 0; // distance of `bristle run` [m]
    this.reach = 0.2; // of the picture [m]
    this.key = ""; // of what was computed last
    this.box = element("div", { class: "wide engines" });
    host.stage.append(this.box);
    this.choices = Object.entries(TITLES).map(([kind, title]) =>
      element("button", { type: "button", "data-scene": kind, onclick: () => host.change((s) => (s.scene = kind)) }, title),
    );
    this.box.append(element("div", { class: "lane-scenes", role: "group", "aria-label": "Scene" }, ...this.choices));
    this.box.append(element("p", { class: "lane-mode alone" }, "Its own friction"), element("p", { class: "lane-mode bristle" }, "With bristle"));
    /** @type {Lane[]} */
    this.lanes = [];
    /** @type {Map<string, Worker>} */
    this.workers = new Map();
    for (const engine of ENGINES) this.#addEngine(engine);
    this.player = new Player(this.box, (t) => this.draw(t));
    this.controls = this.#controls();
    this.resized = new ResizeObserver(() => this.draw(this.player.t));
    this.resized.observe(this.box);
    this.themed = onTheme(() => this.draw(this.player.t));
  }

  /** @param {typeof ENGINES[number]} engine */
  #addEngine(engine) {
    this.lanes.push(new Lane(this.box, engine, "alone"));
    if (engine.id === "box2d") {
      this.box.append(
        element("p", { class: "lane none" }, "Box2D is planar, its contacts are lines: it is shown alone. It has no floor seen from above: under the puck is its motor joint, which limits force and torque one by one."),
      );
    } else this.lanes.push(new Lane(this.box, engine, "bristle"));
    const worker = new Worker(new URL("../../engines/worker.js", import.meta.url), { type: "module", name: engine.id });
    worker.addEventListener("message", ({ data }) => this.host.later(() => this.#receive(engine.id, data)));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      for (const lane of this.#lanesOf(engine.id)) lane.fail(`not loaded: ${event.message ?? "its files did not arrive"}`);
    });
    this.workers.set(engine.id, worker);
  }

  /** @param {string} id */
  #lanesOf(id) {
    return this.lanes.filter(({ engine }) => engine.id === id);
  }

  #controls() {
    const c = new Controls(this.host);
    const of = (/** @type {string} */ kind) => ({ when: (/** @type {any} */ s) => s.scene === kind });
    c.heading("Change it");
    c.number("puck.speed", "Speed", { unit: "m/s", from: 0.1, to: 1, step: 0.05, ...of("puck") });
    c.number("puck.spin", "Spin", { unit: "rad/s", from: 0, to: 60, step: 1, ...of("puck") });
    c.number("puck.mu", "Friction μ", { unit: "-", from: 0.1, to: 0.8, step: 0.01, ...of("puck") });
    c.number("slope.angle", "Slope", { unit: "rad", from: 0, to: Math.PI / 6, step: Math.PI / 360, ...of("slope") });
    c.number("slope.mu", "Friction μ", { unit: "-", from: 0.1, to: 0.9, step: 0.01, ...of("slope") });
    c.number("pinch.force", "Grip", { unit: "N", from: 0.5, to: 20, step: 0.5, ...of("pinch") });
    c.number("pinch.mass", "Mass", { unit: "kg", from: 0.01, to: 0.5, step: 0.005, ...of("pinch") });
    c.number("pinch.mu", "Friction μ", { unit: "-", from: 0.1, to: 0.9, step: 0.01, ...of("pinch") });
    c.choice("rate", "Steps", [["60", "60 in a second"], ["240", "240 in a second"]], {
      write: (s, word) => (s.rate = Number(word)),
      help: "MuJoCo always takes its 500",
    });
    return c;
  }

  update() {
    this.controls.update();
    const { state, bristle } = this.host,
      { scene: kind, rate } = state,
      values = state[kind],
      key = JSON.stringify([kind, values, rate]);
    if (key === this.key) return;
    this.#stop();
    if (!SCENARIOS[kind]) throw new Error(`scene: must be puck, slope or pinch, got ${kind}`);
    if (!(rate >= 30 && rate <= 1000)) throw new Error(`rate: must be 30 to 1000 steps a second, got ${rate}`);
    const run = runScenario(bristle, SCENARIOS[kind](values));
    this.key = key;
    this.choices.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.scene === kind)));
    this.reference = run.get("x").at(-1);
    this.#figures(kind, values, run);
    this.player.pause();
    this.player.setSpeed(kind === "puck" ? 0.25 : 1);
    this.box.classList.toggle("pinch", kind === "pinch");
    for (const lane of this.lanes) lane.wait(this.loading ? undefined : "computing …");
    this.host.say("The engines run the same scene …");
    this.timer = setTimeout(() => this.#request(kind, values, rate), this.loading ? 0 : WAIT);
    this.loading = false;
  }

  /** No results of the state before: those that still come are outdated. */
  #stop() {
    this.key = "";
    this.id++;
    clearTimeout(this.timer);
    for (const lane of this.lanes) lane.empty();
  }

  /** @param {string} kind @param {any} values @param {number} rate */
  #request(kind, values, rate) {
    for (const worker of this.workers.values()) worker.postMessage({ id: this.id, kind, values: copy(values), rate });
  }

  /** What bristle itself has. @param {string} kind @param {any} values @param {any} run */
  #figures(kind, values, run) {
    const share = kind === "slope" ? Math.tan(values.angle) / values.mu : (values.mass * g) / (2 * values.mu * values.force);
    this.host.numbers(
      kind === "puck"
        ? [
            { name: "run.x", label: "bristle run stops after", value: this.reference, unit: "m", kind: "wide" },
            { name: "run.theta", label: "and turned by", value: `${run.get("theta").at(-1).toFixed(2)} rad`, kind: "wide" },
          ]
        : [{ name: "share", label: "Load, share of what friction holds", value: share, unit: "%", kind: "wide" }],
    );
  }

  /** @param {string} id @param {any} data a message of engines/worker.js */
  #receive(id, data) {
    if (data.id !== this.id) return;
    const kind = this.host.state.scene;
    for (const lane of this.#lanesOf(id)) {
      if (data.error) lane.fail(data.error);
      else if (lane.mode === data.mode) lane.set(data.result, kind);
    }
    this.#fit();
    this.draw(this.player.t);
    if (this.lanes.every(({ box }) => !box.hasAttribute("aria-busy"))) this.#finish(kind);
  }

  /** The picture reaches as far as the furthest puck. */
  #fit() {
    this.reach = Math.max(this.reference, 0.02, ...this.lanes.map(({ result }) => result?.moved ?? 0)) * 1.05;
  }

  /** All engines have run: what they have in common, and play it. @param {string} kind */
  #finish(kind) {
    const of = (/** @type {string} */ mode) => this.lanes.filter((lane) => lane.mode === mode && lane.result);
    if (!of("alone").length) return this.host.say("");
    if (kind === "puck") this.#sayPuck(of("alone"), of("bristle"));
    else this.#sayHeld(of("alone"), of("bristle"));
    this.player.setDuration(kind === "puck" ? Math.max(...of("alone").concat(of("bristle")).map((lane) => lane.rest())) + 0.1 : 10);
    this.player.seek(0);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.player.seek(this.player.duration);
    else this.player.play();
    return undefined;
  }

  /** @param {Lane[]} alone @param {Lane[]} ours */
  #sayPuck(alone, ours) {
    const range = (/** @type {Lane[]} */ lanes) => {
      const all = lanes.map(({ result }) => 1e3 * result.moved);
      return `${Math.min(...all).toFixed(0)} to ${Math.max(...all).toFixed(0)} mm`;
    };
    this.host.say(
      `Same push, same spin. Alone the engines stop it after ${range(alone)}${ours.length ? `; with bristle after ${range(ours)}` : ""}. Green, dashed: bristle run, ${(1e3 * this.reference).toFixed(0)} mm. While a disc spins, friction brakes its path less.`,
    );
  }

  /** @param {Lane[]} alone @param {Lane[]} ours */
  #sayHeld(alone, ours) {
    const worst = (/** @type {Lane[]} */ lanes) => lanes.reduce((a, b) => (b.result.speed > a.result.speed ? b : a));
    const [one, two] = [worst(alone), ours.length ? worst(ours) : null];
    const text = (/** @type {Lane} */ { engine, result: { speed } }) =>
      speed === Infinity ? `${engine.name} lets it slip` : `${engine.name} creeps ${creep(speed)}, ${length(speed * DAY)} in a day`;
    this.host.say(`Worst alone: ${text(one)}. ${two ? `Worst with bristle: ${text(two)}.` : ""}`);
  }

  /** @param {number} t */
  draw(t) {
    for (const lane of this.lanes) lane.show(t, this);
  }

  pause() {
    this.player.pause();
  }

  close() {
    clearTimeout(this.timer);
    for (const worker of this.workers.values()) worker.terminate();
    this.player.close();
    this.resized.disconnect();
    this.themed();
  }
}

/** @type {import('../scenes.js').Scene} */
export const engines = {
  id: "engines",
  title: "Engines",
  lead: "The same scene in four physics engines, in your browser: with their own friction on the left, with bristle's on the right. Watch which pucks stop too early, and which boxes creep although they should be held.",
  start: () => copy(START),
  why: {
    text: "Most engines limit sliding and spinning friction one by one, and let the contact slide slowly below the limit instead of holding it. bristle has one limit for force and torque together, and bristles that hold.",
    formula: (_, s) => FORMULAS[s.scene](s[s.scene]),
    steps: [
      { text: "A spinning puck: with limits one by one it stops after v²/(2 μ g), as if it did not spin.", to: (s) => (s.scene = "puck") },
      { text: "A box on a slope below the angle of friction: it should not move at all.", to: (s) => (s.scene = "slope") },
      { text: "A box in a pinch that can carry it: it should not sink.", to: (s) => (s.scene = "pinch") },
    ],
  },
  open: (host) => new EnginesView(host),
  takes: () => false,
  take: (file) => file.tree,
  exports: (state, { toYaml }) => {
    const kind = state.scene,
      yaml = toYaml(SCENARIOS[kind](state[kind]));
    return {
      files: [{ name: `${kind}.yaml`, text: yaml }],
      command: `bristle run ${kind}.yaml -o ${kind}.csv --plot ${kind}.png`,
      c: scenarioInC(yaml, kind),
      python: scenarioInPython(yaml, ["x", "y", "theta"]),
    };
  },
};
