/** Cones: forces that a point contact can carry, with flat faces inside or around; a force and its nearest one. */
import { MOST_FACES, checkCount } from "../budget.js";
import { Controls } from "../controls.js";
import { writeCsv } from "../csv.js";
import { Curves } from "../curves.js";
import { colour, element } from "../dom.js";
import { Plane } from "../plane.js";
import { conesInC, conesInPython } from "../snippets.js";
import { SpaceLater } from "../space_later.js";
import { tex } from "../why.js";
import { copy, rounded } from "../tree.js";

const START = { mu: 0.6, faces: 6, side: "inner", force: [0.7, 0.2, 0.8] };

/** @param {any} bristle @param {any} s */
function compute(bristle, s) {
  checkCount("faces", s.faces, MOST_FACES);
  const cone = new bristle.FrictionCone([0, 0, 1], s.mu);
  const made = ["inner", "outer"].map((side) => cone.polyhedron(s.faces, side));
  try {
    const [inner, outer] = made,
      flat = s.side === "outer" ? outer : inner;
    const [area, angle] = flat.error;
    return {
      margin: cone.margin(s.force),
      holds: cone.contains(s.force),
      nearest: cone.project(s.force),
      flatHolds: flat.contains(s.force),
      area,
      angle,
      rays: raysOf(flat),
    };
  } finally {
    for (const thing of [...made, cone]) thing.free();
  }
}

/** Rays of a polyhedron on f.n = 1, in order. @param {any} flat @returns {number[][]} */
function raysOf(flat) {
  const { v } = flat,
    rows = Array.from({ length: v.length / 4 }, (_, i) => Array.from(v.slice(4 * i, 4 * i + 4))).filter(
      (row) => row[3] === 0,
    );
  return rows.map(([x, y, z]) => [x / z, y / z, 1]).sort((a, b) => Math.atan2(a[1], a[0]) - Math.atan2(b[1], b[0]));
}

const FACES = Array.from({ length: 30 }, (_, i) => i + 3);

/** Errors of polyhedra with 3, 4, ... faces, inside and around [%]. @param {any} bristle @param {number} mu */
function errorsOf(bristle, mu) {
  const cone = new bristle.FrictionCone([0, 0, 1], mu);
  const errors = ["inner", "outer"].map((side) =>
    FACES.map((faces) => {
      const flat = cone.polyhedron(faces, side),
        [area] = flat.error;
      flat.free();
      return 100 * area;
    }),
  );
  cone.free();
  return errors;
}

const TOP = 1.25; // height of the drawn cone [N]

class ConesView {
  /** @param {import('../controls.js').Host} host */
  constructor(host) {
    this.host = host;
    /** @type {any} what compute() gives */
    this.now = null;
    this.plane = new Plane(host.stage, {
      label: "The section of the cone at the height of the force",
      span: 2.6,
      scale: false,
      draw: (pen) => this.#draw(pen),
    });
    this.plane.box.append(
      element(
        "div",
        { class: "title" },
        "Section at the force’s height: drag the force (violet); green is the nearest that friction can give",
      ),
    );
    this.space = new SpaceLater(host.stage, "The cone and its flat faces: drag to turn", {
      label: "The friction cone in three dimensions",
      axes: ["fx", "fy", "fn"],
      distance: 4.6,
      size: 1.35,
      middle: [0, 0, 0.6],
    });
    const wide = element("div", { class: "wide" });
    host.stage.append(wide);
    this.errors = new Curves(wide, {
      title: "What flat faces cost: share of the section’s area that they miss (inside) or add (around)",
      x: "faces",
      y: "%",
      height: 220,
      lines: [
        { label: "inside miss", colour: "accent" },
        { label: "around add", colour: "warm" },
      ],
    });
    const c = new Controls(host);
    c.heading("Cone").number("mu", "Friction μ", { unit: "-", from: 0.05, to: 1.5, step: 0.01 });
    c.number("faces", "Faces", {
      unit: "-",
      from: 3,
      to: 32,
      step: 1,
      write: (s, x) => (s.faces = Math.min(Math.max(Math.round(x), 3), MOST_FACES)),
    });
    c.choice("side", "They are", [
      ["inner", "inside the cone"],
      ["outer", "around it"],
    ]);
    c.heading("Force");
    for (const [i, label] of ["fx", "fy", "fn"].entries())
      c.number(`force${i}`, label, {
        unit: "N",
        from: i < 2 ? -1.5 : -0.5,
        to: 1.5,
        step: 0.01,
        read: (s) => s.force[i],
        write: (s, x) => (s.force[i] = x),
      });
    this.controls = c;
  }

  update() {
    this.controls.update();
    const { state } = this.host;
    this.now = compute(this.host.bristle, state);
    this.plane.setHandles([
      {
        id: "force",
        label: "Force",
        kind: "load",
        step: 0.02,
        at: () => [state.force[0], state.force[1]],
        move: (to) => this.host.change((s) => s.force.splice(0, 2, rounded(to[0], 0.01), rounded(to[1], 0.01))),
      },
    ]);
    this.space.draw((space) => this.#drawCone(space));
    this.errors.set([FACES, ...errorsOf(this.host.bristle, state.mu)]);
    this.errors.mark(state.faces);
    this.#report();
  }

  /** @param {import('../space.js').Space} space */
  #drawCone(space) {
    const { now } = this,
      { mu, force } = this.host.state,
      n = 64;
    space.clear();
    // rows from the tip to the rim, of the round cone and of the flat one
    const round = [],
      flat = [];
    for (let i = 0; i <= 1; i++)
      for (let j = 0; j <= n; j++)
        round.push(
          i * TOP * mu * Math.cos((2 * Math.PI * j) / n),
          i * TOP * mu * Math.sin((2 * Math.PI * j) / n),
          i * TOP,
        );
    const rays = [...now.rays, now.rays[0]];
    for (let i = 0; i <= 1; i++) for (const ray of rays) flat.push(i * TOP * ray[0], i * TOP * ray[1], i * TOP);
    space.surface(round, 2, n + 1, { colour: "patch", opacity: 0.45 });
    space.surface(flat, 2, rays.length, { colour: "yellow", opacity: 0.3 });
    for (const ray of now.rays) space.line([[0, 0, 0], ray.map((/** @type {number} */ x) => x * TOP)], "yellow");
    space.line(
      rays.map((ray) => ray.map((/** @type {number} */ x) => x * TOP)),
      "yellow",
    );
    space.arrow([0, 0, 0], force, "violet");
    space.ball(force, 0.04, now.holds ? "good" : "bad");
    if (!now.holds) {
      space.line([force, Array.from(now.nearest)], "good");
      space.ball(now.nearest, 0.04, "good");
    }
  }

  /** @param {import('../plane.js').Pen} pen */
  #draw(pen) {
    if (!this.now) return;
    const { mu, force } = this.host.state,
      { rays, nearest, holds } = this.now,
      height = Math.max(force[2], 0);
    pen.line(
      [
        [-9, 0],
        [9, 0],
      ],
      { stroke: colour("line"), width: 1, open: true },
    );
    pen.line(
      [
        [0, -9],
        [0, 9],
      ],
      { stroke: colour("line"), width: 1, open: true },
    );
    pen.circle([0, 0], mu * height, { fill: colour("patch"), stroke: colour("accent"), alpha: 0.55 });
    pen.line(
      rays.map((/** @type {number[]} */ ray) => [ray[0] * height, ray[1] * height]),
      { stroke: colour("yellow"), width: 2 },
    );
    pen.text(`radius μ fn = ${(mu * height).toFixed(2)} N`, [0, -mu * height], { align: "center", dy: 16 });
    pen.arrow([0, 0], [force[0], force[1]], colour("violet"));
    if (!holds) {
      pen.line(
        [
          [force[0], force[1]],
          [nearest[0], nearest[1]],
        ],
        { stroke: colour("good"), dash: [4, 3], open: true },
      );
      pen.dot([nearest[0], nearest[1]], 6, { fill: colour("good") });
    }
  }

  #report() {
    const { margin, holds, nearest, flatHolds, area, angle } = this.now,
      { force, side, faces } = this.host.state;
    const away = Math.hypot(force[0] - nearest[0], force[1] - nearest[1], force[2] - nearest[2]);
    this.host.numbers([
      { name: "margin", label: "Margin", value: margin, unit: "N", help: "mu fn - |ft|: at least 0 holds", more: true },
      { name: "distance", label: "Outside by", value: away, unit: "N", help: "distance to the nearest force that friction can give" },
      { name: "px", label: "nearest fx", value: nearest[0], unit: "N", more: true },
      { name: "py", label: "nearest fy", value: nearest[1], unit: "N", more: true },
      { name: "pz", label: "nearest fn", value: nearest[2], unit: "N", more: true },
      { name: "soc", label: "Round cone", value: holds ? "holds" : "slips" },
      { name: "polyhedron", label: "Flat faces", value: flatHolds ? "holds" : "slips" },
      {
        name: "area",
        label: side === "inner" ? "Faces miss" : "Faces add",
        value: area,
        unit: "%",
        help: "share of the section’s area",
      },
      { name: "angle", label: "Faces are off by", value: angle, unit: "rad", kind: "wide", help: "largest angle between the faces and the cone" },
    ]);
    if (holds === flatHolds)
      this.host.say(
        holds ? "Friction can give this force." : "Friction cannot give this force: the contact slips.",
        holds ? "good" : "bad",
      );
    else
      this.host.say(
        `${faces} flat faces ${side === "inner" ? "inside are too strict here" : "around are too generous here"}: by the round cone it ${holds ? "holds" : "slips"}.`,
      );
  }

  close() {
    this.plane.close();
    this.space.close();
    this.errors.close();
  }
}

/** @type {import('../scenes.js').Scene} */
export const cones = {
  id: "cones",
  title: "Cones",
  lead: "What a point contact can carry is a cone of forces. Planners make it flat: inside it or around it, with an error. Drag a force and see the nearest that friction can give.",
  start: () => copy(START),
  why: {
    text: "A point contact can give any force whose part along the surface is at most μ times its normal part: a round cone. Many programs make it flat, so that planning is linear; with n faces inside, the worst direction has only cos(π/n) of the friction.",
    formula: (of, s) =>
      `\\begin{aligned} |f_t| &\\le \\mu f_n\\\\ ${tex(Math.hypot(s.force[0], s.force[1]), "N")} &${Math.hypot(s.force[0], s.force[1]) <= s.mu * s.force[2] ? "\\le" : ">"} ${tex(s.mu)} \\cdot ${tex(s.force[2], "N")} = ${tex(s.mu * s.force[2], "N")}\\\\ \\cos\\tfrac{\\pi}{${s.faces}} &= ${tex(Math.cos(Math.PI / s.faces))}\\\\ \\text{faces ${s.side === "inner" ? "miss" : "add"}} &: ${of("area")} \\end{aligned}`,
    steps: [
      { text: "A force within both cones: it holds.", to: (s) => (s.force = [0.3, 0.1, 0.8]) },
      { text: "Four faces inside: the round cone holds this force, the flat one does not.", to: (s) => Object.assign(s, { faces: 4, side: "inner", force: [0.33, 0.29, 0.8] }) },
      { text: "Sixteen faces: they agree again.", to: (s) => (s.faces = 16) },
    ],
  },
  open: (host) => new ConesView(host),
  takes: () => false,
  take: () => copy(START),
  exports: (s) => ({
    files: [{ name: "force.csv", text: writeCsv(["fx", "fy", "fz"], [s.force]) }],
    command: `bristle cone --mu ${s.mu} --faces ${s.faces} --approx ${s.side} --check force.csv; bristle cone --mu ${s.mu} --project force.csv; bristle cone --mu ${s.mu} --faces ${s.faces} --approx ${s.side} --json`,
    c: conesInC(s),
    python: conesInPython(s),
  }),
};
