// Friction cones, their polyhedra, wrench cones.

import { choose, rows_of, some } from "./arrays.js";
import { call, make, named } from "./calls.js";
import { Definition } from "./core.js";
import { ArgumentError } from "./errors.js";
import { expect_options } from "./options.js";

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
    this._hold(...make("cone_make", ...this.normal, mu));
    Object.freeze(this);
  }

  /** Unit normal and two unit tangents, as rows (3 x 3). */
  get axes() {
    return /** @type {Float64Array} */ (call("cone_axes", this));
  }

  /**
   * Normal and tangential parts f_n, f_t1, f_t2 of forces [N] (3 each).
   * @param {Numbers} f [N] (3 each)
   * @returns {Float64Array}
   */
  split(f) {
    return call("cone_split", this, f);
  }

  /**
   * mu f_n - |f_t| [N]: >= 0 holds, < 0 slips.
   * @param {Numbers} f [N] (3 each)
   * @returns {Scalar}
   */
  margin(f) {
    return call("cone_margin", this, f);
  }

  /**
   * Is a force inside or on the boundary, up to rounding?
   * @param {Numbers} f [N] (3 each)
   * @returns {any} true or false, for many an array of them
   */
  contains(f) {
    return call("cone_contains", this, f);
  }

  /**
   * The nearest force in the cone [N] (3 each).
   * @param {Numbers} f [N] (3 each)
   * @returns {Float64Array}
   */
  project(f) {
    return call("cone_project", this, f);
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
 * @property {number} [f_min] smallest normal force [N]; 0: none
 * @property {number} [f_max] largest normal force [N]; Infinity: none
 */

/** A friction cone with flat faces; created by FrictionCone.polyhedron. A f <= b, for a QP or LP. */
export class Polyhedron extends Definition {
  /**
   * @param {FrictionCone} cone
   * @param {number} [faces] >= 3
   * @param {string} [side] "inner" or "outer"
   * @param {PolyhedronOptions} [options]
   */
  constructor(cone, faces = 4, side = "inner", options = {}) {
    super();
    expect_options("Polyhedron", options, ["phase", "f_min", "f_max"]);
    const { phase = 0, f_min = 0, f_max = Infinity } = options;
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
    this._hold(...make("polyhedron_make", faces, outer, phase, f_min, f_max, cone));
    Object.freeze(this);
  }

  /** Faces: rows ax, ay, az, b of a.f <= b (n x 4). */
  get h() {
    return /** @type {Float64Array} */ (named("polyhedron_rows", this).h);
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
    return /** @type {Float64Array} */ (named("polyhedron_rows", this).v);
  }

  /**
   * Share of the cone's section that it misses or adds [-], and the largest angle [rad].
   * @returns {[area: number, angle: number]}
   */
  get error() {
    const { area, angle } = named("polyhedron_rows", this);
    return [area, angle];
  }

  /**
   * Distance from the nearest face [N]: >= 0 inside.
   * @param {Numbers} f [N] (3 each)
   * @returns {Scalar}
   */
  margin(f) {
    return call("polyhedron_margin", this, f);
  }

  /**
   * Is a force inside or on the boundary, up to rounding?
   * @param {Numbers} f [N] (3 each)
   * @returns {any} true or false, for many an array of them
   */
  contains(f) {
    return call("polyhedron_contains", this, f);
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
   * @param {Numbers} places positions of the supports [m, m, m]: an array of points
   * @param {FrictionCone | Polyhedron | (FrictionCone | Polyhedron)[]} forces what each can carry: a FrictionCone
   *   (then four inner faces) or a Polyhedron, one for all or one for each
   */
  constructor(places, forces) {
    super();
    const points = rows_of(places, 3, "places");
    const many = Array.isArray(forces) ? forces : points.rows.map(() => forces);
    if (many.length !== points.rows.length) {
      const text = `must be one, or one for each of ${points.rows.length} positions`;
      throw new ArgumentError("forces", text);
    }
    this.places = points.rows;
    this.forces = many.map((f) => (f instanceof FrictionCone ? f.polyhedron() : f));
    this._hold(...make("wrench_cone_make", points, this.forces));
    Object.freeze(this);
  }

  /**
   * Faces (16 x 6) of a rectangular sole of half sizes x, y [m], in closed form: a.w <= 0.
   * @param {number} x
   * @param {number} y
   * @param {number} mu
   */
  static rectangle(x, y, mu) {
    return /** @type {Float64Array} */ (call("wrench_cone_rectangle", null, x, y, mu));
  }

  /** Faces: rows a of a.w <= 0 (n x 6). */
  get h() {
    return /** @type {Float64Array} */ (named("wrench_cone_rows", this).h);
  }

  /** Rays (m x 6). */
  get v() {
    return /** @type {Float64Array} */ (named("wrench_cone_rows", this).v);
  }

  /**
   * Smallest distance from a face: >= 0 inside.
   * @param {Numbers} w (6 each)
   * @returns {Scalar}
   */
  margin(w) {
    return call("wrench_cone_margin", this, w);
  }

  /**
   * Is a wrench inside or on the boundary, up to rounding?
   * @param {Numbers} w (6 each)
   * @returns {any} true or false, for many an array of them
   */
  contains(w) {
    return call("wrench_cone_contains", this, w);
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
    this._hold(...make("limit_polyhedron_make", points, outer, surface));
    const { h, v, error } = named("limit_polyhedron_rows", this);
    /** faces: rows ax, ay, at, b of ax fx + ay fy + at tau <= b (n x 4) @type {Float64Array} */
    this.h = h;
    /** vertices (m x 3) @type {Float64Array} */
    this.v = v;
    /** largest relative distance from the surface [-] @type {number} */
    this.error = error;
    Object.freeze(this);
  }
}
