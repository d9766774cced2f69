/**
 * Bristles in every cell of a finger, which follow a run that is already known: to see which part of a patch holds
 * and which slips. They start as deflected as the friction of the first row requires.
 */
import { checkTime } from "../budget.js";
import { patchOf } from "../module.js";
import { contactOf } from "./grips.js";

const SETTLING = { step: 0.005, count: 80 }; // [s]; bristles come to rest within 0.1 s

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
   * The mean twist of the body over what it touches since the row before, at a point of the contact's frame, in its
   * axes: bristles feel micrometres, which velocities of rows do not add up to.
   * @param {number} row @param {ArrayLike<number>} at
   */
  twist(row, at) {
    const now = Math.max(row, 1),
      was = now - 1,
      h = this.t[now] - this.t[was];
    const mean = (/** @type {ArrayLike<number>} */ list) => (list[now] + list[was]) / 2;
    const [ax, ay, angle] = this.frame(now).map((value, i) => (value + this.frame(was)[i]) / 2);
    const c = Math.cos(angle),
      s = Math.sin(angle),
      w = (this.theta[now] - this.theta[was]) / h;
    const px = ax + c * at[0] - s * at[1] - mean(this.x),
      py = ay + s * at[0] + c * at[1] - mean(this.y);
    const [gx, gy] = this.ground.map(
      (/** @type {(t: number) => number} */ place) => (place(this.t[now]) - place(this.t[was])) / h,
    );
    const vx = (this.x[now] - this.x[was]) / h - w * py - gx,
      vy = (this.y[now] - this.y[was]) / h + w * px - gy;
    return [c * vx + s * vy, c * vy - s * vx, w];
  }
}

export class Cells {
  /** @param {any} bristle @param {any} tree @param {Run} run */
  constructor(bristle, tree, run) {
    const { patch: tip, friction = tree.friction } = contactOf(tree);
    this.bristle = bristle;
    this.run = run;
    this.patch = patchOf(bristle, tip);
    this.law = lawOf(bristle, friction, this.patch, tree.body.mass, run.fn[0]);
    this.contact = new bristle.Contact(this.patch, this.law, "distributed", { resolution: tip.resolution ?? 21 });
    // parts without weight fill up a vector of the processor
    const { weight } = this.contact.parts();
    this.list = Array.from(weight, (_, i) => i).filter((i) => weight[i] > 0);
    this.first = this.contact.state();
    if (run.state?.[0] === "stick" && run.fn[0] > 0) this.#settle(tree.body.mass);
    this.z = Float64Array.from(this.first);
    this.row = 0;
  }

  /** Load the bristles with the first row, and let them come to rest. @param {number} mass */
  #settle(mass) {
    const { bristle, contact, run } = this;
    const hold = new bristle.BodyContact(contact, run.fn[0], { frame: "world" });
    const body = new bristle.Body(mass, mass * this.contact.u || mass * 1e-4, [hold]);
    const load = [-run.fx[0], -run.fy[0], -run.tau[0]];
    for (let i = 0; i < SETTLING.count; i++) {
      body.step(SETTLING.step, load);
      checkTime("the cells under the finger");
    }
    this.first = Float64Array.from(body.states[0]);
  }

  /** What the cells do at a row. @param {number} row */
  at(row) {
    const { contact, run } = this;
    if (row < this.row) {
      this.z.set(this.first);
      this.row = 0;
    }
    while (this.row < row) {
      const i = ++this.row;
      if (i % 64 === 0) checkTime(`the cells under the finger at t = ${run.t[i]} s`);
      contact.step(this.z, run.twist(i, contact.cop), run.fn[i], run.t[i] - run.t[i - 1]);
    }
    return contact.part_values(this.z, run.twist(row, contact.cop), run.fn[row]);
  }

  free() {
    for (const made of [this.contact, this.law, this.patch]) made.free();
  }
}

/** A law as a scenario has it: what mu alone gives, and what is given besides. @param {any} bristle @param {any} friction @param {any} patch @param {number} mass @param {number} fn */
function lawOf(bristle, friction, patch, mass, fn) {
  const { v_s, elasto_plastic = true, mu, ...given } = friction;
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
