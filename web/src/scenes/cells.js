/**
 * What a run gave, and the bristles of the contact that is shown, as the run itself has them at each row: which parts of
 * the patch hold and which slip.
 */
import { patchOf } from "../module.js";
import { outlineOf } from "../plane.js";
import { contactOf } from "./grips.js";

const ACROSS = 48; // points across a patch that are drawn, each as the part next to it
const SLIDES = 0.5; // a part slides if its bristle takes up less than this share of its motion [-]
const STILL = 1e-6; // and moves faster than this [m/s]

/** A number over time as a scenario has it, as a function. @param {any} bristle @param {any} value @returns {(t: number) => number} */
function profileOf(bristle, value) {
  if (typeof value === "number") return () => value;
  const { kind, times, values, mean = 0, amplitude, frequency, phase = 0, start = 0 } = value;
  const { Profile } = bristle;
  const ends =
    kind === "ramp"
      ? [
          [value.start ?? 0, value.end],
          [value.from ?? 0, value.to],
        ]
      : [times, values];
  const made =
    kind === "sine"
      ? Profile.sine(mean, amplitude, frequency, phase, { start })
      : kind === "steps"
        ? Profile.steps(times, values)
        : Profile.table(ends[0], ends[1]);
  return (t) => made.at(t);
}

/** What a run gave, and how the body moves over the finger. */
export class Run {
  /** @param {any} bristle @param {any} tree @param {any} result */
  constructor(bristle, tree, result) {
    const one = (/** @type {string} */ name) => result.get(name) ?? result.get(`${name}1`);
    this.result = result;
    this.t = result.get("t");
    this.x = result.get("x");
    this.y = result.get("y");
    this.theta = result.get("theta");
    this.fn = one("fn");
    this.fx = one("fx");
    this.fy = one("fy");
    this.tau = one("tau");
    this.load = one("load");
    this.state = one("state");
    const { frame = "world", position = [0, 0] } = contactOf(tree);
    this.turns = frame === "body";
    this.ground = position.map((/** @type {any} */ value) => profileOf(bristle, value));
  }

  /** Where the contact's frame is: x, y, angle. @param {number} row */
  frame(row) {
    if (this.turns) return [this.x[row], this.y[row], this.theta[row]];
    return [...this.ground.map((/** @type {(t: number) => number} */ at) => at(this.t[row])), 0];
  }

  /**
   * The twist of the body over what it touches at a row, at a point of the contact's frame, in its axes.
   * @param {number} row @param {ArrayLike<number>} at
   */
  twist(row, at) {
    const [ax, ay, angle] = this.frame(row),
      [c, s] = [Math.cos(angle), Math.sin(angle)];
    const { vx, vy, w } = this.velocity(row),
      px = ax + c * at[0] - s * at[1] - this.x[row],
      py = ay + s * at[0] + c * at[1] - this.y[row];
    const [gx, gy] = this.groundSpeed(row);
    const x = vx - w * py - gx,
      y = vy + w * px - gy;
    return [c * x + s * y, c * y - s * x, w];
  }

  /** @param {number} row */
  velocity(row) {
    const [vx, vy, w] = ["vx", "vy", "w"].map((name) => this.result.get(name)[row]);
    return { vx, vy, w };
  }

  /** Of what the body touches, by the difference over a ten thousandth of a second. @param {number} row */
  groundSpeed(row) {
    if (this.turns) return [0, 0];
    const h = 1e-4,
      t = this.t[row];
    return this.ground.map((/** @type {(t: number) => number} */ at) => (at(t + h / 2) - at(t - h / 2)) / h);
  }

  /** Friction on the body by one finger at a point of the contact's frame, in its axes. @param {number} row @param {ArrayLike<number>} at */
  wrench(row, at) {
    const [fx, fy, tau] = [this.fx[row], this.fy[row], this.tau[row]];
    return [fx, fy, tau - at[0] * fy + at[1] * fx];
  }
}

export class Cells {
  /** @param {any} bristle @param {any} tree @param {Run} run */
  constructor(bristle, tree, run) {
    const { patch: tip, friction = tree.friction, model = tree.model ?? "blocks" } = contactOf(tree);
    this.run = run;
    this.model = model;
    this.patch = patchOf(bristle, tip);
    this.law = lawOf(bristle, friction, this.patch, tree.body.mass, run.fn[0]);
    this.contact = new bristle.Contact(this.patch, this.law, model, {
      resolution: model === "blocks" ? (contactOf(tree).blocks ?? tree.blocks ?? 0) : (tip.resolution ?? 0),
      anisotropy: friction.anisotropy ?? null,
    });
    /** A floor whose friction depends on the position changes the parts; bristles of a whole patch have none. */
    this.shown = !friction.field && this.contact.part_count > 1 && this.#isOfRun(tree);
    const { weight, position } = this.contact.parts();
    // parts without weight fill up a vector of the processor
    this.weight = weight;
    this.list = Array.from(weight, (_, i) => i).filter((i) => weight[i] > 0);
    this.thin = ["points", "ring", "line"].includes(tip.shape);
    /** The edge of the patch from the centre of pressure. @type {import('../plane.js').Point[]} */
    this.edge = outlineOf(tip).map(([x, y]) => [x - (tip.centre ? 0 : this.contact.cop[0]), y - (tip.centre ? 0 : this.contact.cop[1])]);
    this.places = this.shown && !this.thin ? placesOf(tip, this.contact.cop, position, this.list) : [];
    /** @type {Float64Array[]} */
    this.columns = !this.shown ? [] : Array.from({ length: this.contact.state_count }, (_, i) => run.result.get(`z${i + 1}`));
  }

  /** Has the contact as many states as the run has for it? @param {any} tree */
  #isOfRun(tree) {
    const { state_count: count } = this.contact,
      has = (/** @type {number} */ i) => this.run.result.get(`z${i}`) !== undefined;
    return has(count) && (Boolean(tree.contacts) || !has(count + 1));
  }

  /** The state of the run's bristles at a row. @param {number} row */
  state(row) {
    return Float64Array.from(this.columns, (column) => column[row]);
  }

  /**
   * What the parts do at a row: loads, the speed, the share that slides.
   * @param {number} row
   */
  at(row) {
    const { contact, run, weight } = this,
      fn = run.fn[row],
      values = contact.part_values(this.state(row), run.twist(row, contact.cop), fn);
    const most = Math.max(this.law.mu_s, this.law.mu_c) / this.law.sigma0,
      size = (/** @type {ArrayLike<number>} */ list, /** @type {number} */ i) => Math.hypot(list[2 * i], list[2 * i + 1]);
    const slides = Array.from(weight, (_, i) => {
      const speed = size(values.v, i);
      return fn > 0 && speed > STILL && size(values.dz, i) < SLIDES * speed;
    });
    const load = Array.from(weight, (_, i) => Math.min(size(values.z, i) / most, 1));
    const share = this.list.reduce((sum, i) => sum + (slides[i] ? weight[i] : 0), 0);
    return { ...values, slides, load, share };
  }

  free() {
    for (const made of [this.contact, this.law, this.patch]) made.free();
  }
}

/**
 * Points within a patch, each with the part that is next to it.
 * @param {any} tip @param {ArrayLike<number>} cop @param {ArrayLike<number>} position of the parts @param {number[]} list
 */
function placesOf(tip, cop, position, list) {
  const edge = outlineOf(tip),
    reach = Math.max(...edge.flat().map(Math.abs)),
    step = (2 * reach) / ACROSS;
  const places = [];
  for (let i = 0; i < ACROSS; i++) {
    for (let j = 0; j < ACROSS; j++) {
      const x = -reach + (i + 0.5) * step,
        y = -reach + (j + 0.5) * step;
      if (!isWithin(x, y, edge)) continue;
      const [px, py] = [x - (tip.centre ? 0 : cop[0]), y - (tip.centre ? 0 : cop[1])];
      const part = list.reduce((best, k) => (away(position, k, px, py) < away(position, best, px, py) ? k : best), list[0]);
      places.push({ x: px, y: py, part, step });
    }
  }
  return places;
}

/** @param {ArrayLike<number>} position @param {number} k @param {number} x @param {number} y */
const away = (position, k, x, y) => (position[2 * k] - x) ** 2 + (position[2 * k + 1] - y) ** 2;

/** Rays to the right cross the edge oddly often. @param {number} x @param {number} y @param {import('../plane.js').Point[]} corners */
function isWithin(x, y, corners) {
  return corners.reduce((inside, [ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length];
    return ay > y !== by > y && x < ax + ((y - ay) * (bx - ax)) / (by - ay) ? !inside : inside;
  }, false);
}

/** A law as a scenario has it: what mu alone gives, and what is given besides. @param {any} bristle @param {any} friction @param {any} patch @param {number} mass @param {number} fn */
function lawOf(bristle, friction, patch, mass, fn) {
  const { v_s, elasto_plastic = true, mu, anisotropy: _a, field: _f, ...given } = friction;
  const own = {
    ...given,
    ...(v_s === undefined ? {} : { v_stribeck: v_s }),
    kind: elasto_plastic ? "elasto-plastic" : "lugre",
  };
  if (mu === undefined) return new bristle.Law(own);
  const rule = bristle.Law.from_mu(mu, { r: patch.at(fn).r, mass, fn: 2 * fn });
  const { mu_c, mu_s, v_stribeck, gamma, sigma0, sigma1, sigma2, s_ba } = rule;
  const v_damping = own.sigma1 === undefined ? rule.v_damping : 0;
  rule.free();
  return new bristle.Law({
    ...{ mu_c, mu_s, v_stribeck, gamma, sigma0, sigma1, sigma2, s_ba, v_damping },
    ...own,
  });
}
