/**
 * The limit surface of a finger as a section: torque over force. What friction gives is a point in it, and what weight
 * asks for another one, which may be outside: then the object slips.
 */
import { colour, element } from "../dom.js";
import { Plane } from "../plane.js";
import { contactOf } from "./grips.js";

/** @typedef {import('../plane.js').Point} Point */

const RAYS = 120; // of the section
const TRAIL = 60; // rows before this one that are drawn
const FAR = 1.9; // what is further away is drawn at the edge

export class Limits {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.plane = new Plane(parent, {
      label: "What the grip can hold: torque over force, and the load",
      span: 3.4,
      centre: [0, 0.42],
      scale: false,
      draw: (pen) => this.#draw(pen),
    });
    this.plane.box.append(
      element("div", { class: "title" }, "What the grip can hold (shaded): blue is the friction now, violet what the weight asks for"),
    );
    /** @type {any} */
    this.bristle = null;
    /** @type {any} */
    this.state = null;
    /** @type {any} */
    this.run = null;
    /** @type {any} */
    this.cells = null;
    this.row = 0;
    this.mu = NaN;
    this.r = NaN;
    /** @type {number[]} force x, y and torque of friction now, at the centre of pressure */
    this.now = [0, 0, 0];
    /** @type {{along: string, edge: Point[]}} */
    this.section = { along: "", edge: [] };
  }

  /** Another run. @param {any} bristle @param {any} state @param {import('./cells.js').Run} run @param {import('./cells.js').Cells} cells */
  set(bristle, state, run, cells) {
    Object.assign(this, { bristle, state, run, cells });
    this.mu = Math.max(cells.law.mu_s, cells.law.mu_c);
    this.section = { along: "", edge: [] };
  }

  /** @param {number} row */
  show(row) {
    this.row = row;
    this.now = this.run.wrench(row, this.cells.contact.cop);
    const fn = this.run.fn[row];
    this.#cut(fn > 0 ? fn : Math.max(...this.run.fn.slice(0, row + 1)));
    this.plane.drawNow();
  }

  /** The section through the torque and the direction of the force; made again when that turns, or the patch grows. @param {number} fn */
  #cut(fn) {
    const [fx, fy] = this.#demand() ?? this.now,
      angle = Math.round((Math.atan2(fy, fx) * 180) / Math.PI / 2) * 2,
      along = `${angle} ${this.cells.patch.depends_on_force ? fn.toPrecision(2) : ""}`;
    if (along === this.section.along) return;
    const surface = new this.bristle.LimitSurface(this.cells.patch, { fn, anisotropy: this.cells.contact.anisotropy });
    const [c, s] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
    this.r = surface.r;
    const rays = Array.from({ length: RAYS }, (_, i) => (2 * Math.PI * i) / RAYS);
    const wrenches = Float64Array.from(rays.flatMap((a) => [Math.sin(a) * c, Math.sin(a) * s, Math.cos(a) * this.r]));
    const gauge = surface.gauge(wrenches);
    surface.free();
    this.section = { along, edge: rays.map((a, i) => /** @type {Point} */ ([Math.cos(a) / gauge[i], Math.sin(a) / gauge[i]])) };
  }

  /** What one finger must give for the object to rest: force and torque at the centre of pressure. Not known of several contacts, or a weight that changes. */
  #demand() {
    const { state, run, row } = this,
      { count = 1, frame = "world" } = contactOf(state);
    const others = state.contacts || state.loads || state.pusher;
    if (others || frame !== "world" || !state.gravity?.every?.((/** @type {any} */ g) => typeof g === "number")) return null;
    const [gx, gy] = state.gravity,
      [fx, fy] = [(-state.body.mass * gx) / count, (-state.body.mass * gy) / count];
    const [ox, oy] = run.frame(row),
      [cx, cy] = this.cells.contact.cop;
    const [ax, ay] = [ox + cx - run.x[row], oy + cy - run.y[row]]; // from the centre of mass
    return [fx, fy, -(ax * fy - ay * fx)];
  }

  /** Where a wrench is in the picture. @param {number[]} wrench @param {number} fn @param {number[]} [along] the force that is up @returns {Point} */
  #place([fx, fy, tau], fn, along = [fx, fy]) {
    const size = Math.hypot(along[0], along[1]) || 1,
      full = this.mu * Math.max(fn, 1e-9);
    const at = [tau / (full * (this.r || 1)), (fx * along[0] + fy * along[1]) / size / full];
    const far = Math.hypot(at[0], at[1]);
    return far > FAR ? [(at[0] * FAR) / far, (at[1] * FAR) / far] : [at[0], at[1]];
  }

  /** @param {import('../plane.js').Pen} pen */
  #draw(pen) {
    if (!this.run) return;
    const { edge } = this.section,
      fn = this.run.fn[this.row],
      demand = this.#demand(),
      up = demand ?? this.now;
    for (const line of [[[-1.55, 0], [1.55, 0]], [[0, -1.1], [0, 1.85]]])
      pen.line(/** @type {Point[]} */ (line), { stroke: colour("line"), width: 1, open: true });
    pen.line(edge, { fill: colour("patch"), alpha: 0.35 });
    pen.line(edge, { stroke: colour("accent"), width: 2 });
    pen.text("force / μ fn", [0, 1.72], { dx: 6 });
    pen.text("torque / μ fn r", [1.68, 0], { align: "right", dy: 30 });
    for (const [text, at] of /** @type {[string, Point][]} */ ([["1", [0, 1]], ["1", [1, 0]], ["−1", [-1, 0]]]))
      pen.text(text, at, { dx: 5, dy: -4 });
    if (!(fn > 0)) return pen.text("no grip: nothing is held", [0, 0.4], { align: "center", fill: colour("bad") });
    this.#drawTrail(pen, up);
    const at = this.#place(this.now, fn, up);
    if (demand) {
      const wanted = this.#place(demand, fn);
      pen.line([[0, 0], wanted], { stroke: colour("violet"), width: 1, open: true, dash: [4, 4] });
      if (Math.hypot(wanted[0] - at[0], wanted[1] - at[1]) > 0.04)
        pen.arrow(at, [wanted[0] - at[0], wanted[1] - at[1]], colour("violet"), 1.5);
      pen.dot(wanted, 8, { stroke: colour("violet"), width: 2.5 });
    }
    pen.dot(at, 6, { fill: colour(this.run.state?.[this.row] === "slip" ? "warm" : "accent"), stroke: colour("panel"), width: 1.5 });
    return undefined;
  }

  /** @param {import('../plane.js').Pen} pen @param {number[]} up */
  #drawTrail(pen, up) {
    const { run, row } = this,
      { cop } = this.cells.contact;
    /** @type {Point[]} */
    const points = [];
    for (let i = Math.max(row - TRAIL, 0); i <= row; i++)
      if (run.fn[i] > 0) points.push(this.#place(run.wrench(i, cop), run.fn[i], up));
    pen.line(points, { stroke: colour("accent"), width: 1.5, open: true, alpha: 0.5 });
  }

  close() {
    this.plane.close();
  }
}
