// Friction cones, their polyhedra, wrench cones.

import { Call, choose, filled, put, rows_of, some, within } from "./arrays.js";
import { core, Definition, doubles_at, made, put_words } from "./core.js";
import { ArgumentError } from "./errors.js";
import { truth } from "./slider.js";

/** @typedef {import("./arrays.js").Numbers} Numbers */
/** @typedef {import("./arrays.js").Scalar} Scalar */
/** @typedef {import("./limit.js").LimitSurface} LimitSurface */

const SIDES = ["inner", "outer"];

/**
 * All forces that a point contact can carry: |f_t| <= mu f_n.
 *
 *     const cone = new FrictionCone([0, 0, 1], 0.5);
 *     cone.contains([0.4, 0, 1]); // true
 */
export class FrictionCone extends Definition {
  /**
   * @param {Numbers} normal of the contact, into the body that the force acts on; any length
   * @param {number} mu coefficient of friction [-], > 0
   */
  constructor(normal, mu) {
    super();
    this.normal = some(normal, 3, "normal");
    this.mu = mu;
    const [x, y, z] = this.normal;
    this._hold(made(core.cone_make(x, y, z, mu)), core.memory_release);
    Object.freeze(this);
  }

  /** Unit normal and two unit tangents, as rows (3 x 3). */
  get axes() {
    return filled(9, (address) => core.cone_axes(this._handle, address));
  }

  /**
   * Normal and tangential parts f_n, f_t1, f_t2 of forces [N] (3 each).
   * @param {Numbers} f [N] (3 each)
   * @returns {Float64Array}
   */
  split(f) {
    const call = new Call().input("f", f, 3).output(3);
    return call.run((count, ...at) => core.cone_split(this._handle, count, ...at))[0];
  }

  /**
   * mu f_n - |f_t| [N]: >= 0 holds, < 0 slips.
   * @param {Numbers} f [N] (3 each)
   * @returns {Scalar}
   */
  margin(f) {
    const call = new Call().input("f", f, 3).output(0);
    return call.run((count, ...at) => core.cone_margin(this._handle, count, ...at))[0];
  }

  /**
   * Is a force inside, or on the boundary but for rounding?
   * @param {Numbers} f [N] (3 each)
   * @returns {any} true or false, for many an array of them
   */
  contains(f) {
    const call = new Call().input("f", f, 3).output(0);
    return truth(call.run((count, ...at) => core.cone_contains(this._handle, count, ...at))[0]);
  }

  /**
   * The nearest force of the cone [N] (3 each).
   * @param {Numbers} f [N] (3 each)
   * @returns {Float64Array}
   */
  project(f) {
    const call = new Call().input("f", f, 3).output(3);
    return call.run((count, ...at) => core.cone_project(this._handle, count, ...at))[0];
  }

  /** All g with g.f >= 0 for all f of the cone. */
  dual() {
    return new FrictionCone(this.normal, 1 / this.mu);
  }

  /**
   * The cone with flat faces.
   * @param {number} [faces] >= 3
   * @param {string} [side] "inner" (within the cone) or "outer" (around it)
   * @param {PolyhedronOptions} [options]
   */
  polyhedron(faces = 4, side = "inner", options = {}) {
    return new Polyhedron(this, faces, side, options);
  }
}

/**
 * @typedef {object} PolyhedronOptions
 * @property {number} [phase] angle of the first edge [rad]
 * @property {number} [f_min] least normal force [N]; 0: none
 * @property {number} [f_max] largest normal force [N]; Infinity: none
 */

/** A friction cone with flat faces; made by FrictionCone.polyhedron. A f <= b, for a QP or LP. */
export class Polyhedron extends Definition {
  /**
   * @param {FrictionCone} cone
   * @param {number} [faces] >= 3
   * @param {string} [side] "inner" or "outer"
   * @param {PolyhedronOptions} [options]
   */
  constructor(cone, faces = 4, side = "inner", { phase = 0, f_min = 0, f_max = Infinity } = {}) {
    super();
    this.cone = cone;
    this.faces = faces;
    this.side = side;
    this.phase = phase;
    this.f_min = f_min;
    this.f_max = f_max;
    const outer = choose(side, SIDES, "side");
    if (!(faces >= 0)) {
      throw new ArgumentError("faces", `must be >= 3, got ${faces}`);
    }
    const how = [cone._handle, faces, outer, phase, f_min, f_max];
    this._hold(made(core.polyhedron_make(...how)), core.memory_release);
    Object.freeze(this);
  }

  /** Faces: rows ax, ay, az, b of a.f <= b (n x 4). */
  get h() {
    const count = core.polyhedron_h_count(this._handle);
    return filled(4 * count, (address) => core.polyhedron_h(this._handle, address));
  }

  /** Left side of A f <= b (n x 3). */
  get A() {
    return this.h.filter((_, i) => i % 4 < 3);
  }

  /** Right side of A f <= b [N] (n). */
  get b() {
    return this.h.filter((_, i) => i % 4 === 3);
  }

  /** Rows x, y, z, w (m x 4); w = 1: a vertex [N], w = 0: a ray. */
  get v() {
    const count = core.polyhedron_v_count(this._handle);
    return filled(4 * count, (address) => core.polyhedron_v(this._handle, address));
  }

  /**
   * Share of the cone's section that it misses or adds [-], and the largest angle [rad].
   * @returns {[area: number, angle: number]}
   */
  get error() {
    const [area, angle] = filled(2, (address) => core.polyhedron_error(this._handle, address));
    return [area, angle];
  }

  /**
   * Distance from the nearest face [N]: >= 0 inside.
   * @param {Numbers} f [N] (3 each)
   * @returns {Scalar}
   */
  margin(f) {
    const call = new Call().input("f", f, 3).output(0);
    return call.run((count, ...at) => core.polyhedron_margin(this._handle, count, ...at))[0];
  }

  /**
   * Is a force inside, or on the boundary but for rounding?
   * @param {Numbers} f [N] (3 each)
   * @returns {any} true or false, for many an array of them
   */
  contains(f) {
    const call = new Call().input("f", f, 3).output(0);
    return truth(
      call.run((count, ...at) => core.polyhedron_contains(this._handle, count, ...at))[0],
    );
  }
}

/**
 * All wrenches (fx, fy, fz, tx, ty, tz) that support points can carry together.
 *
 *     const corners = [[0.1, 0.05, 0], [-0.1, 0.05, 0], [-0.1, -0.05, 0], [0.1, -0.05, 0]];
 *     const foot = new WrenchCone(corners, new FrictionCone([0, 0, 1], 0.6));
 *     foot.contains([0, 0, 100, 0, 0, 0]); // true
 */
export class WrenchCone extends Definition {
  /**
   * @param {Numbers} places of the supports [m, m, m]: an array of points
   * @param {FrictionCone | Polyhedron | (FrictionCone | Polyhedron)[]} forces what each can carry: a FrictionCone
   *   (then four inner faces) or a Polyhedron, one for all or one for each
   */
  constructor(places, forces) {
    super();
    const points = rows_of(places, 3, "places");
    const many = Array.isArray(forces) ? forces : points.rows.map(() => forces);
    if (many.length !== points.rows.length) {
      const text = `must be one, or one for each of ${points.rows.length} places`;
      throw new ArgumentError("forces", text);
    }
    this.places = points.rows;
    this.forces = many.map((f) => (f instanceof FrictionCone ? f.polyhedron() : f));
    const handles = this.forces.map((f) => f._handle);
    const cone = within(() =>
      made(core.wrench_cone_make(many.length, put(points.numbers), put_words(handles))),
    );
    this._hold(cone, core.wrench_cone_destroy);
    Object.freeze(this);
  }

  /**
   * Faces (16 x 6) of a rectangular sole of half sizes x, y [m], in closed form: a.w <= 0.
   * @param {number} x
   * @param {number} y
   * @param {number} mu
   */
  static rectangle(x, y, mu) {
    return filled(16 * 6, (address) => core.wrench_cone_rectangle(x, y, mu, address));
  }

  /** Faces: rows a of a.w <= 0 (n x 6). */
  get h() {
    const count = core.wrench_cone_h_count(this._handle);
    return doubles_at(core.wrench_cone_h(this._handle), 6 * count);
  }

  /** Rays (m x 6). */
  get v() {
    const count = core.wrench_cone_v_count(this._handle);
    return doubles_at(core.wrench_cone_v(this._handle), 6 * count);
  }

  /**
   * Least distance from a face: >= 0 inside.
   * @param {Numbers} w (6 each)
   * @returns {Scalar}
   */
  margin(w) {
    const call = new Call().input("w", w, 6).output(0);
    return call.run((count, ...at) => core.wrench_cone_margin(this._handle, count, ...at))[0];
  }

  /**
   * Is a wrench inside, or on the boundary but for rounding?
   * @param {Numbers} w (6 each)
   * @returns {any} true or false, for many an array of them
   */
  contains(w) {
    const call = new Call().input("w", w, 6).output(0);
    return truth(
      call.run((count, ...at) => core.wrench_cone_contains(this._handle, count, ...at))[0],
    );
  }
}

/** A limit surface with flat faces: linear bounds on fx, fy, tau for mu fn = 1. */
export class LimitPolyhedron extends Definition {
  /**
   * @param {LimitSurface} surface exact or an ellipsoid
   * @param {number} [points] vertices (inner) or faces (outer), 6 to 2048
   * @param {string} [side] "inner" or "outer"
   */
  constructor(surface, points = 64, side = "inner") {
    super();
    this.surface = surface;
    this.points = points;
    this.side = side;
    const outer = choose(side, SIDES, "side");
    const p = made(core.limit_polyhedron_make(surface._handle, Math.max(points, 0)));
    this._hold(p, core.limit_polyhedron_destroy);
    const [faces, corners] = [
      core.limit_polyhedron_h_count(p, outer),
      core.limit_polyhedron_v_count(p, outer),
    ];
    /** faces: rows ax, ay, at, b of ax fx + ay fy + at tau <= b (n x 4) */
    this.h = doubles_at(core.limit_polyhedron_h(p, outer), 4 * faces);
    /** vertices (m x 3) */
    this.v = doubles_at(core.limit_polyhedron_v(p, outer), 3 * corners);
    /** share by which it misses the surface [-] */
    this.error = core.limit_polyhedron_error(p, outer);
    Object.freeze(this);
  }
}
