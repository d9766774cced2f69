// Contact patches: contact areas with their pressure distributions.

import { choose, rows_of, some } from "./arrays.js";
import { call, make, named } from "./calls.js";
import { Definition } from "./core.js";
import { ArgumentError, BristleError } from "./errors.js";
import { expect_options } from "./options.js";

/** @typedef {import("./arrays.js").Numbers} Numbers */
/** @typedef {import("./arrays.js").Scalar} Scalar */

const SHAPES = ["disc", "ring", "rectangle", "line", "polygon", "points", "grid", "ellipse", "triangles"];
const NAMES = ["pressure", "centre", "angle", "sampling"];

/**
 * A number that grows with the normal force: min(coefficient fn^exponent, max).
 *
 *     new ByForce(0.002, { exponent: 1 / 3, max: 0.01 }) // the radius of a soft fingertip [m]
 */
export class ByForce {
  /**
   * @param {number} coefficient > 0; the number itself if the exponent is 0
   * @param {object} [options]
   * @param {number} [options.exponent] [-], >= 0
   * @param {number} [options.max] > 0
   */
  constructor(coefficient, options = {}) {
    expect_options("ByForce", options, ["exponent", "max"]);
    const { exponent = 0, max = Infinity } = options;
    this.coefficient = coefficient;
    this.exponent = exponent;
    this.max = max;
    Object.freeze(this);
  }
}

/** Pressure (1 - (rho/a)^k)^(1/k) of a disc or ellipse, a the distance of the rim; k = 2 is Hertz's. */
export class PowerPressure {
  /** @param {number | ByForce} k exponent [-], > 0 */
  constructor(k) {
    this.k = by_force(k);
    Object.freeze(this);
  }
}

/** Pressure that changes linearly along x of the patch, in any unit; of an ellipse in any direction. */
export class LinearPressure {
  /**
   * @param {number} left >= 0
   * @param {number} right >= 0, not both 0
   * @param {number} [angle] of an ellipse: direction from x of the patch [rad]
   */
  constructor(left, right, angle = 0) {
    this.left = left;
    this.right = right;
    this.angle = angle;
    Object.freeze(this);
  }
}

/**
 * A Hertz contact at a normal force.
 * @typedef {object} HertzValue
 * @property {Scalar} a semi-axis along x of the ellipse [m]
 * @property {Scalar} b semi-axis along y of the ellipse [m]
 * @property {Scalar} angle of the ellipse's x from that of the body [rad]
 * @property {Scalar} depth approach of the bodies [m]
 * @property {Scalar} pressure at the centre, the largest [Pa]
 * @property {Scalar} stiffness d fn/d depth [N/m]
 */

/**
 * Two elastic bodies that touch in a point: their contact is an ellipse that grows with the force.
 *
 *     new Hertz([0.01, 0.01], 1e9).at(10).depth; // 3.8e-6 m
 */
export class Hertz extends Definition {
  /**
   * @param {Numbers} radii of curvature of the body along x and y [m, m]; Infinity: flat, below 0: concave
   * @param {number} modulus E* of both bodies [Pa], 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2
   * @param {object} [options]
   * @param {Numbers} [options.ground] radii of curvature of the ground along its own axes [m, m]
   * @param {number} [options.ground_angle] of these axes from those of the body [rad]
   */
  constructor(radii, modulus, options = {}) {
    super();
    expect_options("Hertz", options, ["ground", "ground_angle"]);
    this.radii = some(radii, 2, "radii");
    this.modulus = modulus;
    this.ground = some(options.ground ?? [Infinity, Infinity], 2, "ground");
    this.ground_angle = options.ground_angle ?? 0;
    this._hold(...make("hertz_make", ...this.radii, ...this.ground, this.ground_angle, modulus));
    Object.freeze(this);
  }

  /**
   * Semi-axes, depth, peak pressure and stiffness at a normal force.
   * @param {Numbers} fn [N], >= 0
   * @returns {HertzValue}
   */
  at(fn) {
    return named("hertz_eval", this, fn);
  }
}

/** @typedef {"uniform" | "hertz" | PowerPressure | LinearPressure} Pressure */

/**
 * Position of a patch in the contact frame, and its pressure.
 * @typedef {object} PatchOptions
 * @property {Pressure} [pressure] "uniform", "hertz", a PowerPressure or a LinearPressure
 * @property {Numbers} [centre] position, contact frame [m, m]
 * @property {number} [angle] rotation, contact frame [rad]
 * @property {"covered" | "centre"} [sampling] the pressure of a cell: that on the part that the patch covers, or
 *   the one at its centre
 */

/**
 * Properties of a patch at a normal force.
 * @typedef {object} PatchValue
 * @property {Float64Array} cop centre of pressure [m, m]
 * @property {Scalar} r mean distance from it, the rim radius [m]
 * @property {Scalar} u mean squared distance from it [m^2]
 * @property {Scalar} area [m^2]; 0 for line, ring and points
 */

/**
 * The dimensions of a patch.
 * @typedef {object} Extent
 * @property {ByForce} [radius]
 * @property {number[]} [size]
 * @property {number} [length]
 * @property {number} [ratio]
 * @property {number} [vertices]
 * @property {{ numbers: number[], rows: number[][], width: number }} [table]
 */

/** @param {number | ByForce} value */
function by_force(value) {
  return value instanceof ByForce ? value : new ByForce(value);
}

/**
 * @param {Pressure} value
 * @returns {PowerPressure | LinearPressure | null}
 */
function pressure_of(value) {
  if (value === "uniform") {
    return null;
  }
  if (value === "hertz") {
    return new PowerPressure(2);
  }
  if (value instanceof PowerPressure || value instanceof LinearPressure) {
    return value;
  }
  const allowed = "'uniform', 'hertz', a PowerPressure or a LinearPressure";
  throw new ArgumentError("pressure", `must be ${allowed}, got ${value}`);
}

/** Numbers in a row of each shape that has a table; null: any. */
const COLUMNS = /** @type {Record<string, number | null>} */ ({ polygon: 2, points: 3, grid: null, triangles: 3 });

/**
 * Does a table fit its shape? The module reads all of its rows.
 * @param {string} shape
 * @param {Extent["table"]} table
 */
function check_table(shape, table) {
  if (!table) {
    return;
  }
  if (!(shape in COLUMNS)) {
    throw new ArgumentError("table", `must be left out: a ${shape} has no table`);
  }
  const width = COLUMNS[shape] ?? table.width;
  const count = table.rows.length * width;
  if (table.width !== width || table.numbers.length !== count) {
    const expected = `${table.rows.length} rows of ${width} numbers`;
    const got = `${table.numbers.length} numbers in rows of ${table.width}`;
    throw new ArgumentError("table", `must be ${expected}, got ${got}`);
  }
}

/**
 * A contact patch: a shape with a pressure that integrates to 1. Created by its static methods.
 *
 *     const patch = Patch.disc(0.01, { pressure: "hertz" });
 *     patch.r; // 0.00589: 3 pi/16 of the radius
 */
export class Patch extends Definition {
  /**
   * @param {string} shape disc, ellipse, ring, rectangle, line, polygon, points, grid or triangles
   * @param {Extent} extent
   * @param {PatchOptions} options
   */
  constructor(shape, extent, options) {
    super();
    expect_options(`Patch.${shape}`, options, [...NAMES, ...(shape === "points" ? ["weights"] : [])]);
    this.shape = shape;
    /** of a disc or ring, or the semi-axis of an ellipse along x [m] */
    this.radius = extent.radius ?? new ByForce(0.01);
    /** of a rectangle or grid [m, m] */
    this.size = extent.size ?? [1, 1];
    /** of a line [m] */
    this.length = extent.length ?? 1;
    /** semi-axis of an ellipse along y over that along x */
    this.ratio = extent.ratio ?? 1;
    /** number of vertices of triangles */
    this.vertices = extent.vertices ?? 0;
    /**
     * corners (x, y), points (x, y, weight), rows of a grid, or vertices (x, y, pressure) and triangles; null for other
     * shapes
     */
    this.numbers = extent.table?.rows ?? null;
    this.pressure = pressure_of(options.pressure ?? "uniform");
    /** contact frame [m, m] */
    this.centre = some(options.centre ?? [0, 0], 2, "centre");
    /** contact frame [rad] */
    this.angle = options.angle ?? 0;
    this.sampling = options.sampling ?? "covered";
    this._hold(...this.#make(extent.table));
    Object.freeze(this);
  }

  /** @param {Extent["table"]} table */
  #make(table) {
    check_table(this.shape, table);
    const { pressure } = this;
    const k = pressure instanceof PowerPressure ? pressure.k : new ByForce(2);
    const ends = pressure instanceof LinearPressure ? [pressure.left, pressure.right] : [1, 1];
    const slope = pressure instanceof LinearPressure ? pressure.angle : 0;
    if (slope !== 0 && this.shape !== "ellipse") {
      throw new ArgumentError("pressure", `angle is for ellipses only, got ${slope} for a ${this.shape}`);
    }
    const kind = pressure === null ? 0 : pressure instanceof PowerPressure ? 1 : 2;
    const sampling = choose(this.sampling, ["covered", "centre"], "sampling");
    const { radius: r } = this;
    const n = [r.coefficient, r.exponent, r.max, ...this.size, this.length];
    n.push(kind, k.coefficient, k.exponent, k.max, ...ends, sampling, ...this.centre, this.angle);
    n.push(this.ratio, slope, this.vertices);
    const shape = choose(this.shape, SHAPES, "shape");
    return make("patch_make", shape, ...n, table);
  }

  /**
   * A disc.
   * @param {number | ByForce} radius [m], > 0, or a ByForce
   * @param {PatchOptions} [options]
   */
  static disc(radius, options = {}) {
    return new Patch("disc", { radius: by_force(radius) }, options);
  }

  /**
   * A thin ring.
   * @param {number | ByForce} radius [m], > 0
   * @param {PatchOptions} [options]
   */
  static ring(radius, options = {}) {
    return new Patch("ring", { radius: by_force(radius) }, options);
  }

  /**
   * A rectangle.
   * @param {Numbers} size along x and y [m, m], > 0
   * @param {PatchOptions} [options]
   */
  static rectangle(size, options = {}) {
    return new Patch("rectangle", { size: some(size, 2, "size") }, options);
  }

  /**
   * A line along x.
   * @param {number} length [m], > 0
   * @param {PatchOptions} [options]
   */
  static line(length, options = {}) {
    return new Patch("line", { length }, options);
  }

  /**
   * A simple polygon, convex or not.
   * @param {Numbers} points its corners (x, y) [m, m]
   * @param {PatchOptions} [options]
   */
  static polygon(points, options = {}) {
    return new Patch("polygon", { table: rows_of(points, 2, "points") }, options);
  }

  /**
   * Support points.
   * @param {Numbers} xy positions [m, m]
   * @param {PatchOptions & { weights?: Numbers }} [options] weights: shares of the normal force, > 0; equal
   *   if none are given
   */
  static points(xy, options = {}) {
    const places = rows_of(xy, 2, "xy").rows;
    const weights = some(options.weights ?? places.map(() => 1), places.length, "weights");
    const rows = places.map((place, i) => [...place, weights[i]]);
    return new Patch("points", { table: rows_of(rows, 3, "xy") }, options);
  }

  /**
   * A measured pressure, ordered as in an image: row 0 at the largest y.
   * @param {Numbers} pressure of each cell, >= 0, in any unit: an array of rows
   * @param {Numbers} size extent of the grid along x and y [m, m]
   * @param {PatchOptions} [options]
   */
  static grid(pressure, size, options = {}) {
    const table = rows_of(pressure, null, "pressure");
    return new Patch("grid", { table, size: some(size, 2, "size") }, options);
  }

  /**
   * An ellipse.
   * @param {Numbers | { radius: number | ByForce, ratio: number }} extent semi-axes along x and y [m, m], or that along x,
   *   which may be a ByForce, and the ratio of the other to it
   * @param {PatchOptions} [options]
   */
  static ellipse(extent, options = {}) {
    if (extent !== null && typeof extent === "object" && "radius" in extent) {
      const { radius, ratio } = extent;
      return new Patch("ellipse", { radius: by_force(radius), ratio }, options);
    }
    const [a, b] = some(/** @type {Numbers} */ (extent), 2, "extent");
    return new Patch("ellipse", { radius: by_force(a), ratio: b / a }, options);
  }

  /**
   * The ellipse of a Hertz contact, which grows with the force.
   * @param {Hertz} bodies
   * @param {number} [max_force] the largest normal force [N]; cells and blocks need a finite one
   * @param {PatchOptions} [options]
   */
  static hertz(bodies, max_force = Infinity, options = {}) {
    if (!(max_force > 0)) {
      throw new ArgumentError("max_force", `must be > 0 (it may be infinite), got ${max_force}`);
    }
    const { radius, max, ratio, angle } = named("hertz_patch", bodies, max_force);
    const grown = new ByForce(radius, { exponent: 1 / 3, max });
    const turned = { ...options, pressure: /** @type {Pressure} */ ("hertz"), angle: (options.angle ?? 0) + angle };
    return new Patch("ellipse", { radius: grown, ratio }, turned);
  }

  /**
   * A pressure field that is linear on triangles, such as a hydroelastic contact patch.
   * @param {Numbers} vertices corners of the triangles (x, y) [m, m]
   * @param {Numbers} pressures at the vertices, >= 0, in any unit
   * @param {Numbers} triangles three numbers of vertices each, from 0, any orientation
   * @param {PatchOptions} [options]
   */
  static triangles(vertices, pressures, triangles, options = {}) {
    const corners = rows_of(vertices, 2, "vertices").rows;
    const heights = some(pressures, corners.length, "pressures");
    const rows = [...corners.map((corner, i) => [...corner, heights[i]]), ...rows_of(triangles, 3, "triangles").rows];
    return new Patch("triangles", { table: rows_of(rows, 3, "vertices"), vertices: corners.length }, options);
  }

  /**
   * The same triangles with other pressures, or with other vertices and pressures, row by row.
   * @param {ArrayLike<number>} numbers
   * @param {number} width 1 or 3
   */
  _at_pressure(numbers, width) {
    const { vertices, centre, angle } = this;
    const all = /** @type {number[][]} */ (this.numbers).map((row, i) =>
      row.map((old, k) => (i < vertices && k >= 3 - width ? numbers[width * i + k - 3 + width] : old)),
    );
    return new Patch("triangles", { table: rows_of(all, 3, "vertices"), vertices }, { centre, angle });
  }

  /** Does its size or its pressure change with the normal force? */
  get depends_on_force() {
    return /** @type {boolean} */ (call("patch_depends_on_force", this));
  }

  /**
   * Centre of pressure, r, u and area at a normal force.
   * @param {Numbers} fn [N], >= 0
   * @returns {PatchValue}
   */
  at(fn) {
    return named("patch_eval", this, fn);
  }

  #fixed() {
    if (this.depends_on_force) {
      throw new BristleError("patch", "it depends on the normal force: use patch.at(fn)");
    }
    return this.at(0);
  }

  /** Centre of pressure, contact frame [m, m]. */
  get cop() {
    return this.#fixed().cop;
  }

  /** Mean distance from the centre of pressure [m]. @returns {number} */
  get r() {
    return this.#fixed().r;
  }

  /** Mean squared distance from the centre of pressure [m^2]. @returns {number} */
  get u() {
    return this.#fixed().u;
  }

  /** Area [m^2]; 0 for line, ring and points. @returns {number} */
  get area() {
    return this.#fixed().area;
  }
}
