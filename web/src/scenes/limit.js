/**
 * Limit surface: all wrenches that friction of a patch can give. The centre of rotation is dragged on the patch,
 * the wrench moves on the surface; a load is dragged, and the gauge shows whether it is held.
 */
import { Controls } from "../controls.js";
import { writeCsv } from "../csv.js";
import { Curves } from "../curves.js";
import { colour, element } from "../dom.js";
import { drawGrain, grainControls } from "../ground.js";
import { patchOf, takePatch, withPatch } from "../module.js";
import { Plane, outlineOf } from "../plane.js";
import { limitInC, limitInPython } from "../snippets.js";
import { SpaceLater } from "../space_later.js";
import { copy, rounded } from "../tree.js";

/** @typedef {import('../plane.js').Point} Point */

const ROWS = 33; // of the drawn surface, from spin to spin
const GRID = 15; // cells across of a painted pressure
const MOST_CORNERS = 80; // of a polygon whose surface is drawn
const MOST_HANDLES = 60; // more corners than that are seen, but not dragged
const CORNERS = [
  [1, -1],
  [1, 1],
  [-1, 1],
  [-1, -1],
];
const FORCE = 0.6; // length of a force of mu fn on the patch, in radii of the view

const START = {
  patch: { shape: "rectangle", size: [0.03, 0.02] },
  motion: { kind: "turn", centre: [0.012, 0.008], sense: 1, angle: 0 },
  load: [0.45, 0.25, 0.3], // over mu fn, the torque over mu fn r
  ellipsoid: "around",
};

/** @type {Record<string, any>} patches that a shape begins with */
const SHAPES = {
  disc: { shape: "disc", radius: 0.012 },
  ellipse: { shape: "ellipse", radius: 0.015, ratio: 0.6 },
  ring: { shape: "ring", radius: 0.012 },
  rectangle: START.patch,
  line: { shape: "line", length: 0.03 },
  polygon: {
    shape: "polygon",
    vertices: [
      [-0.014, -0.01],
      [0.016, -0.01],
      [0.016, 0],
      [-0.002, 0],
      [-0.002, 0.014],
      [-0.014, 0.014],
    ],
  },
  points: {
    shape: "points",
    points: [
      [-0.014, -0.01, 1],
      [0.014, -0.01, 1],
      [0, 0.014, 1],
    ],
  },
  grid: { shape: "grid", size: [0.03, 0.03], cells: Array.from({ length: GRID }, () => Array(GRID).fill(1)) },
};

/** The twist at the centre of pressure in the state. @param {any} motion @param {ArrayLike<number>} cop @param {number} r */
function twistOf(motion, cop, r) {
  if (motion.kind === "slide") return [Math.cos(motion.angle) * r, Math.sin(motion.angle) * r, 0];
  const [x, y] = motion.centre;
  return [-motion.sense * (cop[1] - y), motion.sense * (cop[0] - x), motion.sense];
}

/** What depends on the patch alone, kept while it stays the same: it takes longer than all else. */
let kept = { text: "", made: /** @type {any} */ (null), pictures: /** @type {any} */ (null) };

/** Corners enough to be seen: the surface is drawn for them, the numbers are for all. @param {any} patch */
function simpler(patch) {
  const every = Math.ceil((patch.vertices?.length ?? 0) / MOST_CORNERS);
  if (patch.shape !== "polygon" || every < 2) return patch;
  return { ...patch, vertices: patch.vertices.filter((/** @type {any} */ _, /** @type {number} */ i) => i % every === 0) };
}

/** @param {any} bristle @param {any} state */
const picturesOf = (bristle, state) =>
  withPatch(bristle, simpler(state.patch), (patch) => {
    const fn = 1,
      { anisotropy = null } = state;
    const exact = new bristle.LimitSurface(patch, { fn, anisotropy }),
      ellipsoid = new bristle.LimitSurface(patch, { method: "ellipsoid", fn, anisotropy }),
      law = new bristle.Law({ mu: 1 }),
      contact = new bristle.Contact(patch, law, "distributed", { resolution: state.patch.resolution ?? 21 });
    const r = anisotropy ? exact.r : patch.at(fn).r;
    try {
      return {
        exact: scaled(exact.points(ROWS), r),
        ellipsoid: scaled(ellipsoid.points(ROWS), r),
        parts: contact.parts(),
        angle: contact.angle,
        sections: [exact, ellipsoid].map((surface) => surface.wrench(sweep(r))),
      };
    } finally {
      for (const made of [exact, ellipsoid, law, contact]) made.free();
    }
  });

/** @param {any} bristle @param {any} state */
function keep(bristle, { patch: tree, anisotropy = null }) {
  const fn = 1,
    patch = patchOf(bristle, tree);
  const exact = new bristle.LimitSurface(patch, { fn, anisotropy });
  const { cop, r: distance, u, area } = patch.at(fn);
  patch.free();
  // r of the stretched patch: torque of a spin over mu fn
  return { exact, cop, u, area, r: anisotropy ? exact.r : distance, spinCentre: exact.spin_centre };
}

/** Everything that is shown. @param {any} bristle @param {any} state */
function compute(bristle, state) {
  const text = JSON.stringify([state.patch, state.anisotropy]);
  if (kept.text !== text) {
    const made = keep(bristle, state);
    kept.made?.exact.free();
    kept = { text, made, pictures: null };
  }
  const { exact, cop, r, u, area, spinCentre } = kept.made;
  kept.pictures ??= picturesOf(bristle, state);
  const twist = twistOf(state.motion, cop, r),
    load = [state.load[0], state.load[1], state.load[2] * r];
  return { cop, r, u, area, twist, load, wrench: exact.wrench(twist), gauge: exact.gauge(load), spinCentre, ...kept.pictures };
}

/** Places of a centre of rotation along x, from the centre of pressure, over r. */
const PLACES = Array.from({ length: 161 }, (_, i) => i / 20 - 4);

/** Twists about them. @param {number} r */
const sweep = (r) => Float64Array.from(PLACES.flatMap((x) => [0, -x * (r || 1), 1]));

/** Torques over r, so that the surface is round. @param {any} points @param {number} r */
function scaled(points, r) {
  const flat = Float64Array.from(points);
  for (let i = 2; i < flat.length; i += 3) flat[i] /= r || 1;
  return flat;
}

class LimitView {
  /** @param {import('../controls.js').Host} host */
  constructor(host) {
    this.host = host;
    /** @type {any} what compute() gives */
    this.now = null;
    /** @type {any} those that are drawn */
    this.sections = null;
    this.judged = ""; // the patch whose ellipsoid was judged
    this.error = NaN;
    this.timer = 0;
    const left = element("div"),
      right = element("div");
    host.stage.append(left, right);
    this.plane = new Plane(left, {
      label: "The patch, seen from above",
      span: 0.06,
      draw: (pen) => this.#draw(pen),
      press: (at, kind) => this.#paint(at, kind),
      tapped: () => host.state.patch.shape !== "grid",
    });
    this.plane.box.append(
      element(
        "div",
        { class: "title" },
        "The patch: drag its corners, the centre of rotation (orange), the load (violet); friction is blue",
      ),
    );
    this.space = new SpaceLater(
      right,
      "All wrenches that friction can give, over μ fn, and the ellipsoid (yellow); balls: friction now, the load",
      { label: "The limit surface in three dimensions", axes: ["fx", "fy", "τ/r"] },
    );
    const wide = element("div", { class: "wide" });
    host.stage.append(wide);
    this.section = new Curves(wide, {
      title: "Friction as the centre of rotation goes along x, through the CoP: exact (full), ellipsoid (dashed)",
      x: "centre of rotation right of the CoP [r]",
      y: "over μ fn",
      height: 230,
      lines: [
        { label: "force fy", colour: "accent" },
        { label: "torque τ/r", colour: "warm" },
        { label: "fy, ellipsoid", colour: "accent", dash: [6, 4] },
        { label: "τ/r, ellipsoid", colour: "warm", dash: [6, 4] },
      ],
    });
    this.controls = this.#controls();
    this.brush = 1;
  }

  #controls() {
    const is =
      (/** @type {string[]} */ ...shapes) =>
      (/** @type {any} */ s) =>
        shapes.includes(s.patch.shape);
    const c = new Controls(this.host);
    const size = (/** @type {string} */ label, /** @type {number} */ i) =>
      c.number(`patch.size${i}`, label, {
        unit: "m",
        from: 0.005,
        to: 0.05,
        step: 0.001,
        read: (s) => s.patch.size[i],
        write: (s, x) => (s.patch.size[i] = x),
        when: is("rectangle", "grid"),
      });
    c.heading("Patch").choice(
      "patch.shape",
      "Shape",
      [
        ["disc", "Disc"],
        ["ellipse", "Ellipse"],
        ["ring", "Ring"],
        ["rectangle", "Rectangle"],
        ["line", "Line"],
        ["polygon", "Polygon"],
        ["points", "Feet"],
        ["grid", "Painted pressure"],
      ],
      { write: (s, shape) => (s.patch = copy(SHAPES[shape])) },
    );
    c.number("patch.radius", "Radius", {
      unit: "m",
      from: 0.002,
      to: 0.025,
      step: 0.0005,
      when: (s) => is("disc", "ring", "ellipse")(s) && typeof s.patch.radius === "number",
    });
    c.number("patch.ratio", "Ratio of semi-axes", {
      unit: "-",
      from: 0.1,
      to: 3,
      step: 0.05,
      when: (s) => is("ellipse")(s) && typeof s.patch.ratio === "number",
    });
    size("Width", 0);
    size("Height", 1);
    c.number("patch.length", "Length", { unit: "m", from: 0.005, to: 0.05, step: 0.001, when: is("line") });
    c.choice(
      "patch.pressure",
      "Pressure",
      [
        ["uniform", "uniform"],
        ["power", "Hertz (disc, ellipse)"],
        ["linear", "rising to the right"],
      ],
      {
        read: (s) => s.patch.pressure?.kind ?? "uniform",
        when: is("disc", "ellipse", "rectangle", "polygon", "line"),
        write: (s, kind) => {
          if (kind === "uniform") delete s.patch.pressure;
          else s.patch.pressure = kind === "power" ? { kind, k: 2 } : { kind, from: 1, to: 3 };
        },
      },
    );
    c.buttons(
      [
        ["Add a corner", addCorner],
        ["Take one away", (s) => s.patch.vertices.length > 3 && s.patch.vertices.pop()],
      ],
      is("polygon"),
    );
    c.buttons(
      [
        ["Add a foot", (s) => s.patch.points.push([0.002 * s.patch.points.length, 0.004, 1])],
        ["Take one away", (s) => s.patch.points.length > 1 && s.patch.points.pop()],
      ],
      is("points"),
    );
    c.choice(
      "brush",
      "Paint",
      [
        ["1", "more pressure"],
        ["-1", "less pressure"],
      ],
      {
        read: () => String(this.brush),
        write: (_, word) => (this.brush = Number(word)),
        when: is("grid"),
        help: "Drag over the patch",
      },
    );
    c.buttons(
      [
        ["Uniform again", (s) => (s.patch.cells = copy(SHAPES.grid.cells))],
        ["Only a rim", rim],
      ],
      is("grid"),
    );
    c.heading("Grain");
    grainControls(c, "anisotropy", false);
    c.heading("Motion").choice("motion.kind", "It", [
      ["turn", "turns about a point"],
      ["slide", "slides without turning"],
    ]);
    c.choice(
      "motion.sense",
      "Turns",
      [
        ["1", "to the left"],
        ["-1", "to the right"],
      ],
      {
        read: (s) => String(s.motion.sense),
        write: (s, word) => (s.motion.sense = Number(word)),
        when: (s) => s.motion.kind === "turn",
      },
    );
    c.number("motion.angle", "Direction", {
      unit: "rad",
      from: -Math.PI,
      to: Math.PI,
      step: Math.PI / 36,
      when: (s) => s.motion.kind === "slide",
    });
    c.heading("What can it hold?");
    for (const [i, label] of ["Force x", "Force y", "Torque"].entries()) {
      c.number(`load${i}`, label, {
        unit: i < 2 ? "μ fn" : "μ fn r",
        from: -1.5,
        to: 1.5,
        step: 0.01,
        read: (s) => s.load[i],
        write: (s, x) => (s.load[i] = x),
      });
    }
    c.heading("View").choice("ellipsoid", "Ellipsoid", [
      ["around", "over the surface"],
      ["beside", "beside it"],
      ["none", "not shown"],
    ]);
    return c;
  }

  update() {
    this.controls.update();
    this.now = compute(this.host.bristle, this.host.state);
    this.#fit();
    this.#handles();
    this.space.draw((space) => this.#drawSurface(space));
    this.#judge();
    this.#drawSections();
    this.#report();
  }

  /** Of the patch alone: they stay while a load or a motion is dragged. */
  #drawSections() {
    const { sections, r } = this.now,
      of = (/** @type {any} */ f, /** @type {number} */ i, /** @type {number} */ over) =>
        PLACES.map((_, k) => f[3 * k + i] / over);
    if (sections === this.sections) return;
    this.sections = sections;
    const [exact, ellipsoid] = sections;
    this.section.set([PLACES, of(exact, 1, 1), of(exact, 2, r || 1), of(ellipsoid, 1, 1), of(ellipsoid, 2, r || 1)]);
  }

  #fit() {
    const { patch } = this.host.state,
      reach = Math.max(...outlineOf(patch).flat().map(Math.abs), 1e-3);
    this.plane.span = Math.max(3.4 * reach, 0.01);
    this.plane.redraw();
  }

  #handles() {
    const { state } = this.host,
      { patch } = state,
      grid = patch.shape === "grid";
    /** @type {import('../plane.js').Handle[]} */
    const list = [];
    const add = (
      /** @type {string} */ id,
      /** @type {string} */ label,
      /** @type {() => Point} */ at,
      /** @type {(s: any, to: Point) => void} */ by,
      /** @type {string} */ kind,
    ) => list.push({ id, label, at, move: (to) => this.host.change((s) => by(s, to)), kind, step: 0.0005 });
    const mm = (/** @type {number} */ x) => rounded(x, 1e-4);
    // a patch that a file puts elsewhere or turns is shown, but not dragged
    if (!patch.centre && !patch.angle && !grid) {
      const corners = patch.shape === "polygon" && patch.vertices.length <= MOST_HANDLES ? patch.vertices : [];
      corners.forEach((/** @type {Point} */ _, /** @type {number} */ i) =>
        add(
          `corner-${i}`,
          `Corner ${i + 1}`,
          () => state.patch.vertices[i],
          (s, to) => (s.patch.vertices[i] = to.map(mm)),
          "corner",
        ),
      );
      patch.points?.forEach((/** @type {number[]} */ _, /** @type {number} */ i) =>
        add(
          `foot-${i}`,
          `Foot ${i + 1}`,
          () => [state.patch.points[i][0], state.patch.points[i][1]],
          (s, to) => s.patch.points[i].splice(0, 2, ...to.map(mm)),
          "corner",
        ),
      );
      if (typeof patch.radius === "number")
        add(
          "radius",
          "Radius",
          () => [state.patch.radius * Math.SQRT1_2, -state.patch.radius * (state.patch.ratio ?? 1) * Math.SQRT1_2],
          (s, [x, y]) => (s.patch.radius = Math.max(mm(Math.hypot(x, y / (s.patch.ratio ?? 1))), 5e-4)),
          "corner",
        );
      for (const [i, [sx, sy]] of patch.size ? CORNERS.entries() : [])
        add(
          i ? `size-${i}` : "size",
          `Size, corner ${i + 1}`,
          () => [(sx * state.patch.size[0]) / 2, (sy * state.patch.size[1]) / 2],
          (s, to) => (s.patch.size = to.map((x) => Math.max(mm(2 * Math.abs(x)), 1e-3))),
          "corner",
        );
      if (patch.length)
        add(
          "length",
          "Length",
          () => [state.patch.length / 2, 0],
          (s, to) => (s.patch.length = Math.max(mm(2 * Math.abs(to[0])), 1e-3)),
          "corner",
        );
    }
    if (state.motion.kind === "turn")
      add(
        "rotation",
        "Centre of rotation",
        () => state.motion.centre,
        (s, to) => (s.motion.centre = to.map(mm)),
        "centre",
      );
    const unit = () => (FORCE * this.plane.span) / 2;
    add(
      "load",
      "Load: force",
      () => [this.now.cop[0] + state.load[0] * unit(), this.now.cop[1] + state.load[1] * unit()],
      (s, to) =>
        s.load.splice(
          0,
          2,
          rounded((to[0] - this.now.cop[0]) / unit(), 0.01),
          rounded((to[1] - this.now.cop[1]) / unit(), 0.01),
        ),
      "load",
    );
    this.plane.setHandles(list);
  }

  /** @param {import('../plane.js').Pen} pen */
  #draw(pen) {
    if (!this.now) return;
    const { patch, motion } = this.host.state,
      { cop, wrench, r, load, twist } = this.now;
    this.#drawParts(pen);
    const c = Math.cos(patch.angle ?? 0),
      s = Math.sin(patch.angle ?? 0),
      [ox, oy] = patch.centre ?? [0, 0];
    /** @type {Point[]} */
    const edge = outlineOf(patch).map(([x, y]) => [ox + c * x - s * y, oy + s * x + c * y]);
    const isThin = ["points", "line", "ring"].includes(patch.shape);
    drawGrain(pen, this.host.state.anisotropy, [ox, oy], this.plane.span, 0, isThin ? undefined : edge);
    if (patch.shape !== "points") pen.line(edge, { stroke: colour("ink"), width: 1.5, open: patch.shape === "line" });
    const at = /** @type {Point} */ ([cop[0], cop[1]]),
      unit = (FORCE * this.plane.span) / 2;
    pen.dot(at, 3.5, { fill: colour("ink") });
    pen.text("CoP", at, { dx: 7, dy: -6 });
    const [sx, sy] = this.now.spinCentre;
    if (Math.hypot(sx - at[0], sy - at[1]) > 0.01 * r) {
      pen.dot([sx, sy], 3.5, { stroke: colour("ink") });
      pen.text("p_s", [sx, sy], { dx: 7, dy: 12 });
    }
    if (motion.kind === "turn") {
      pen.circle(motion.centre, Math.hypot(at[0] - motion.centre[0], at[1] - motion.centre[1]), {
        stroke: colour("warm"),
        dash: [4, 4],
        width: 1,
        alpha: 0.6,
      });
      pen.turn(motion.centre, 0.6 * motion.sense, 20, colour("warm"));
    }
    const speed = Math.hypot(twist[0], twist[1]);
    if (speed > 1e-9)
      pen.arrow(at, [(0.25 * unit * twist[0]) / speed, (0.25 * unit * twist[1]) / speed], colour("warm"), 1.5);
    pen.arrow(at, [wrench[0] * unit, wrench[1] * unit], colour("accent"));
    if (r > 0) pen.turn(at, (0.8 * wrench[2]) / r, 26, colour("accent"));
    pen.arrow(at, [load[0] * unit, load[1] * unit], colour("violet"));
    if (r > 0) pen.turn(at, (0.8 * load[2]) / r, 34, colour("violet"));
  }

  /** Cells, shaded by their pressure. @param {import('../plane.js').Pen} pen */
  #drawParts(pen) {
    const { parts, cop, angle } = this.now,
      { patch } = this.host.state,
      n = parts.weight.length;
    const most = Math.max(...parts.weight),
      c = Math.cos(angle),
      s = Math.sin(angle);
    const place = (/** @type {number} */ i) =>
      /** @type {Point} */ ([
        cop[0] + c * parts.position[2 * i] - s * parts.position[2 * i + 1],
        cop[1] + s * parts.position[2 * i] + c * parts.position[2 * i + 1],
      ]);
    pen.context.fillStyle = colour("accent");
    const thin = ["points", "ring", "line"].includes(patch.shape);
    const side = thin ? 0 : Math.sqrt(this.now.area / n) * 1.02;
    for (let i = 0; i < n; i++) {
      const share = parts.weight[i] / most;
      if (share < 1e-6) continue;
      if (thin)
        pen.dot(place(i), patch.shape === "points" ? 4 + 10 * Math.sqrt(share) : 3, {
          fill: colour("patch"),
          alpha: 0.9,
        });
      else {
        pen.context.globalAlpha = 0.08 + 0.72 * share;
        pen.cell(...place(i), side, colour("patch"));
      }
    }
    pen.context.globalAlpha = 1;
  }

  /** @param {import('../space.js').Space} space */
  #drawSurface(space) {
    const { now } = this,
      { ellipsoid: where, anisotropy } = this.host.state,
      columns = 2 * ROWS;
    space.clear();
    const side = where === "beside" && now.r > 0 ? 1.2 : 0,
      apart = [0.757 * side, 0.653 * side, 0]; // across the first view
    space.setCentre(
      apart.map((x) => -x),
      (side ? 7.5 : 5) * Math.max(anisotropy?.ratio ?? 1, 1), // forces go up to ratio mu fn
    );
    space.surface(now.exact, ROWS, columns, { colour: "patch", opacity: 0.72, shift: apart.map((x) => -x) });
    space.surface(now.exact, ROWS, columns, {
      colour: "accent",
      wire: true,
      opacity: 0.35,
      shift: apart.map((x) => -x),
    });
    if (where !== "none" && now.r > 0)
      space.surface(now.ellipsoid, ROWS, columns, { colour: "yellow", wire: true, opacity: 0.8, shift: apart });
    if (where === "beside" && now.r > 0)
      space.surface(now.ellipsoid, ROWS, columns, { colour: "yellow", opacity: 0.5, shift: apart });
    const { wrench, load, twist, r, gauge } = now,
      over = r || 1;
    const at = [wrench[0] - apart[0], wrench[1] - apart[1], wrench[2] / over],
      end = [load[0] - apart[0], load[1] - apart[1], load[2] / over];
    const size = Math.hypot(twist[0], twist[1], twist[2] * r) || 1;
    space.ball(at, 0.06, "accent");
    space.arrow(at, [(-0.45 * twist[0]) / size, (-0.45 * twist[1]) / size, (-0.45 * twist[2] * r) / size], "warm");
    space.line([apart.map((x) => -x), end], "violet");
    space.ball(end, 0.06, gauge <= 1 ? "good" : "bad");
  }

  /** The error of the ellipsoid takes a while: it is shown when the patch has come to rest. */
  #judge() {
    const { patch, anisotropy = null } = this.host.state,
      text = JSON.stringify([patch, anisotropy]);
    if (text === this.judged) return;
    this.judged = text;
    this.error = NaN;
    clearTimeout(this.timer);
    const judge = () => {
      this.error = withPatch(this.host.bristle, patch, (made) => {
        const ellipsoid = new this.host.bristle.LimitSurface(made, { method: "ellipsoid", anisotropy });
        const { max } = this.now.r > 0 ? ellipsoid.error() : { max: NaN };
        ellipsoid.free();
        return max;
      });
      this.#report();
    };
    this.timer = setTimeout(() => this.host.later(judge), 120);
  }

  #report() {
    const { error } = this,
      grained = Boolean(this.host.state.anisotropy),
      { cop, r, u, area, spinCentre, wrench, gauge } = this.now;
    this.host.numbers([
      { name: "cop.x", label: "CoP x", value: cop[0], unit: "m", help: "centre of pressure", more: true },
      { name: "cop.y", label: "CoP y", value: cop[1], unit: "m", more: true },
      {
        name: "r",
        label: "r",
        value: r,
        unit: "m",
        help: grained
          ? "torque of a pure spin over mu N"
          : "mean distance from the centre of pressure: the torque of a pure spin is mu N r",
      },
      ...(grained ? [] : [{ name: "u", label: "u", value: u, unit: "m^2", help: "mean squared distance from it", more: true }]),
      {
        name: "p_s.x",
        label: "p_s x",
        value: spinCentre[0],
        unit: "m",
        help: "where the patch turns about under a torque alone",
        more: true,
      },
      { name: "p_s.y", label: "p_s y", value: spinCentre[1], unit: "m", more: true },
      { name: "area", label: "Area", value: area, unit: "m^2", more: true },
      {
        name: "error",
        label: "Ellipsoid",
        value: error,
        unit: "%",
        help: "largest distance of the ellipsoid from the exact surface, over mu N",
      },
      { name: "fx", label: "fx", value: wrench[0], unit: "-", help: "friction on the body over mu N, for the motion" },
      { name: "fy", label: "fy", value: wrench[1], unit: "-" },
      { name: "tau", label: "τ", value: wrench[2], unit: "m", help: "torque over mu N, at the centre of pressure" },
      {
        name: "gauge",
        label: "Load",
        value: gauge,
        unit: "%",
        help: "share of what friction can hold in that direction",
      },
    ]);
    const spare = Math.round((1 / gauge - 1) * 100);
    if (gauge <= 1)
      this.host.say(
        spare > 999
          ? "Friction holds the load with ease."
          : `Friction holds the load: it may grow by ${spare} % before it slides.`,
        "good",
      );
    else
      this.host.say(
        `Too much: friction holds only ${Math.round(100 / gauge)} % of this load; the patch slides.`,
        "bad",
      );
  }

  /** @param {Point} at @param {string} kind */
  #paint(at, kind) {
    const { patch } = this.host.state;
    if (patch.shape !== "grid" || kind === "up") return;
    const { cells, size } = patch,
      rows = cells.length,
      columns = cells[0].length;
    const j = Math.floor((at[0] / size[0] + 0.5) * columns),
      i = Math.floor((0.5 - at[1] / size[1]) * rows);
    this.host.change((s) => {
      for (let a = Math.max(i - 1, 0); a <= Math.min(i + 1, rows - 1); a++) {
        for (let b = Math.max(j - 1, 0); b <= Math.min(j + 1, columns - 1); b++) {
          const by = 0.5 / (1 + Math.hypot(a - i, b - j));
          s.patch.cells[a][b] = Math.min(Math.max(rounded(s.patch.cells[a][b] + this.brush * by, 0.01), 0), 9);
        }
      }
      if (s.patch.cells.flat().every((/** @type {number} */ p) => p === 0))
        s.patch.cells[Math.min(Math.max(i, 0), rows - 1)][Math.min(Math.max(j, 0), columns - 1)] = 1;
    });
  }

  close() {
    clearTimeout(this.timer);
    this.plane.close();
    this.space.close();
    this.section.close();
  }
}

/** A corner in the middle of the longest edge. @param {any} state */
function addCorner(state) {
  const { vertices } = state.patch;
  const length = (/** @type {number} */ i) =>
    Math.hypot(
      vertices[(i + 1) % vertices.length][0] - vertices[i][0],
      vertices[(i + 1) % vertices.length][1] - vertices[i][1],
    );
  const at = vertices
    .map((/** @type {any} */ _, /** @type {number} */ i) => i)
    .reduce((/** @type {number} */ a, /** @type {number} */ b) => (length(b) > length(a) ? b : a));
  const next = vertices[(at + 1) % vertices.length];
  vertices.splice(at + 1, 0, [
    rounded((vertices[at][0] + next[0]) / 2, 1e-4),
    rounded((vertices[at][1] + next[1]) / 2, 1e-4),
  ]);
}

/** Pressure along the edge alone, as a cup has it. @param {any} state */
function rim(state) {
  state.patch.cells = Array.from({ length: GRID }, (_, i) =>
    Array.from({ length: GRID }, (_, j) => {
      const rho = Math.hypot(i - (GRID - 1) / 2, j - (GRID - 1) / 2) / ((GRID - 1) / 2);
      return rho > 0.72 && rho <= 1.05 ? 1 : 0;
    }),
  );
}

/** @param {any} patch @param {number[]} twist @param {number[]} load @param {(tree: any) => string} toYaml */
const patchFiles = (patch, twist, load, toYaml) => ({
  files: [
    { name: "patch.yaml", text: toYaml(patch) },
    { name: "twist.csv", text: writeCsv(["vx", "vy", "w"], [twist]) },
    { name: "load.csv", text: writeCsv(["fx", "fy", "tau"], [load]) },
  ],
  command:
    "bristle surface patch.yaml --twists twist.csv; bristle surface patch.yaml --json; bristle cone --mu 1 --patch-wrench patch.yaml --check load.csv",
});

/** Grain is a property of friction, which a patch alone does not have: the motion as a scenario. @param {any} state @param {number[]} twist @param {(tree: any) => string} toYaml */
function grainedFiles({ patch, anisotropy }, [vx, vy, w], toYaml) {
  const contact = { patch, normal_force: 1 },
    friction = { mu: 1, anisotropy };
  const tree = { model: "reduced", friction, contact, motion: { vx, vy, w }, duration: 1 };
  return { files: [{ name: "grain.yaml", text: toYaml(tree) }], command: "bristle run grain.yaml -o grain.csv" };
}

/** A map of pressure as the patch: squares of the map stay squares. @param {number[][]} cells */
const mapped = (cells) => ({
  shape: "grid",
  size: [START.patch.size[0], rounded((START.patch.size[0] * cells.length) / cells[0].length, 1e-4)],
  cells,
});

/** @type {import('../scenes.js').Scene} */
export const limit = {
  id: "limit",
  title: "Limit surface",
  lead: "What friction can hold: each motion of a contact patch has one wrench, and all of them make this surface. Change the patch, turn it about a point, load it.",
  start: () => copy(START),
  why: {
    text: "Each motion of the patch gives one force and one torque of friction: every bit of the patch pulls against its own velocity. All of them together make a closed surface. A load inside it is held; a load outside makes the patch slide. The ellipsoid is the usual shortcut.",
    formula: (of, s) =>
      s.motion.kind === "turn"
        ? `\\begin{aligned} f &= -\\mu \\int p\\,\\frac{v}{|v|}\\,dA\\\\ \\frac{f}{\\mu f_n} &= \\bigl(${of("fx")},\\ ${of("fy")}\\bigr)\\\\ \\frac{\\tau}{\\mu f_n} &= ${of("tau", "m")}, \\quad r = ${of("r")}\\\\ \\text{load} &= ${of("gauge")} \\end{aligned}`
        : `\\begin{aligned} f &= -\\mu f_n \\frac{v}{|v|}\\\\ \\frac{f}{\\mu f_n} &= \\bigl(${of("fx")},\\ ${of("fy")}\\bigr)\\\\ \\text{load} &= ${of("gauge")} \\end{aligned}`,
    steps: [
      { text: "It only slides: friction is μ fn, all of it against the motion, and no torque.", to: (s) => (s.motion = { ...s.motion, kind: "slide", angle: 0 }) },
      { text: "It only turns, about its middle: all of it torque, and no force.", to: (s) => (s.motion = { kind: "turn", centre: [0, 0], sense: 1, angle: 0 }) },
      { text: "Both at once, about a point beside it: less force and less torque than alone.", to: (s) => (s.motion = { kind: "turn", centre: [0.012, 0], sense: 1, angle: 0 }) },
    ],
  },
  open: (host) => new LimitView(host),
  takes: (tree) => typeof tree.shape === "string",
  take: (file, bristle) => ({ ...copy(START), patch: takePatch(bristle, file) }),
  takeMap: (cells, state) => ({ ...copy(state ?? START), patch: mapped(cells) }),
  exports: (state, { bristle, toYaml }) => {
    const { twist, load } = compute(bristle, state),
      { patch, anisotropy } = state;
    return {
      ...(anisotropy ? grainedFiles(state, twist, toYaml) : patchFiles(patch, twist, load, toYaml)),
      c: limitInC(patch, twist, load, anisotropy),
      python: limitInPython(patch, twist, load, anisotropy),
    };
  },
};
