// Friction of bristle in MuJoCo 3 (@mujoco/mujoco):
//
//     const friction = new MujocoFriction(mujoco, model, data);
//     friction.step(); // instead of mujoco.mj_step(model, data)
//
// All contacts become frictionless (condim 1); MuJoCo's coefficients and their rules are used by bristle. After mj_step,
// kinematics and contacts are still those of the pose before the step, as bristle needs them. Integrators: Euler,
// implicit, implicitfast; not RK4. Joints of trees of bodies are rows of the layer.

import { is_upright, put_rotation_vector } from "./pose.js";
import { BODY, POINT, RigidFriction, ROW } from "./rigid.js";

/** @typedef {any} Mujoco the module */

const FREE = 0;
const BALL = 1;
const SLIDE = 2;
const CYLINDER = 5; // mjGEOM_CYLINDER

/** Arrays of the model and the data that a step reads; each access of the binding creates a view. */
const MODEL_ARRAYS = [
  "body_mass", "body_inertia", "body_parentid", "body_weldid", "body_jntnum", "body_jntadr", "body_dofnum",
  "body_mocapid", "jnt_type", "jnt_dofadr", "geom_bodyid", "geom_type", "geom_size",
]; // prettier-ignore
const DATA_ARRAYS = [
  "xpos", "xmat", "xquat", "xipos", "ximat", "xanchor", "xaxis", "geom_xmat", "qpos", "qvel", "xfrc_applied",
]; // prettier-ignore

/** Distance within which points are reported before they touch [m]: those that lose contact for a step keep their bristles. */
const REACH = 1e-4;

/** Points in `gap` are reported and carry no force. @param {Float64Array} gaps */
function widen(gaps) {
  for (let i = 0; i < gaps.length; i++) {
    gaps[i] = Math.max(gaps[i], REACH);
  }
}

/**
 * @param {any} owner
 * @param {string[]} names
 * @returns {Record<string, any>}
 */
const views = (owner, names) => Object.fromEntries(names.map((name) => [name, owner[name]]));

export class MujocoFriction {
  #mujoco;
  #model;
  #data;
  /** @type {Record<string, any>} */
  #m;
  /** @type {Record<string, any>} */
  #d;
  #saved;
  #change;
  // motion of a body by its joints: up to six columns, at its centre of mass
  #columns = new Float64Array(36);
  #basis = new Float64Array(36);
  #relative = new Float64Array(6);
  #n = new Float64Array(3);
  #axis = new Float64Array(3);
  /** Quaternion and position of mocap bodies in the last step. @type {Map<number, Float64Array>} */
  #mocap = new Map();

  /**
   * @param {Mujoco} mujoco the module
   * @param {any} model MjModel
   * @param {any} data MjData
   * @param {import("./rigid.js").RigidOptions} [options]
   */
  constructor(mujoco, model, data, options) {
    this.#mujoco = mujoco;
    this.#model = model;
    this.#data = data;
    model.geom_condim.fill(1);
    widen(model.geom_gap);
    if (model.npair > 0) {
      model.pair_dim.fill(1);
      widen(model.pair_gap);
    }
    this.#m = views(model, MODEL_ARRAYS);
    this.#d = views(data, DATA_ARRAYS);
    this.#saved = new Float64Array(6 * model.nbody);
    this.#change = new Float64Array(model.nv);
    /** The layer, for its report and contacts. Bodies have MuJoCo's numbers. */
    this.layer = new RigidFriction(options);
  }

  /** Views become invalid when MuJoCo's memory grows. */
  #refresh() {
    if (this.#d.qvel.length === 0) {
      this.#m = views(this.#model, MODEL_ARRAYS);
      this.#d = views(this.#data, DATA_ARRAYS);
    }
  }

  /** A step of the simulation, with bristle's friction. */
  step() {
    const h = this.#model.opt.timestep;
    const count = this.#model.nbody;
    this.#refresh();
    this.layer.before(h, count);
    this.layer.clear(count);
    this.#saved.set(this.#d.xfrc_applied);
    const from = this.layer.impulse(0);
    for (let i = 0; i < 6 * count; i++) {
      this.#d.xfrc_applied[i] += this.layer.numbers[from + i] / h;
    }
    this.#mujoco.mj_step(this.#model, this.#data);
    this.#refresh();
    this.#d.xfrc_applied.set(this.#saved);
    for (let i = 0; i < count; i++) {
      this.#read_body(i);
    }
    this.#find_points(h);
    for (let i = 1; i < count; i++) {
      this.#add_rows(i);
    }
    this.layer.after(h, count);
    this.#apply(h, count);
  }

  // --- bodies ---------------------------------------------------------------------------------------

  /** @param {number} i */
  #is_fixed(i) {
    return this.#m.body_weldid[i] === 0 || this.#m.body_mocapid[i] >= 0;
  }

  /** @param {number} i */
  #read_body(i) {
    const { numbers } = this.layer;
    const at = this.layer.body(i);
    const fixed = this.#is_fixed(i);
    numbers.fill(0, at, at + BODY.size);
    for (let k = 0; k < 3; k++) {
      numbers[at + BODY.inv_mass + k] = fixed ? 0 : 1 / this.#m.body_mass[i];
      numbers[at + BODY.x + k] = this.#d.xipos[3 * i + k];
    }
    for (let k = 0; k < 9; k++) {
      numbers[at + BODY.R + k] = this.#d.ximat[9 * i + k];
    }
    if (!fixed) {
      this.#put_inertia(i, at);
      this.#put_velocity(i, at);
    } else if (this.#m.body_mocapid[i] >= 0) {
      this.#observe(i, at);
    }
  }

  /**
   * Velocity of a mocap body, by its motion since the last step. MuJoCo's own contacts take it as 0.
   * @param {number} i
   * @param {number} at
   */
  #observe(i, at) {
    const { numbers } = this.layer;
    const h = this.#model.opt.timestep;
    const from = this.#mocap.get(i);
    const [w, x, y, z] = this.#d.xquat.subarray(4 * i, 4 * i + 4);
    const now = Float64Array.of(x, y, z, w, ...this.#d.xipos.subarray(3 * i, 3 * i + 3));
    this.#mocap.set(i, now);
    if (from) {
      put_rotation_vector(from, now, 0, this.#axis);
      for (let k = 0; k < 3; k++) {
        numbers[at + BODY.v + k] = (now[4 + k] - from[4 + k]) / h;
        numbers[at + BODY.w + k] = this.#axis[k] / h;
      }
    }
  }

  /**
   * I^-1 = R diag(1 / I) R^T.
   * @param {number} i
   * @param {number} at
   */
  #put_inertia(i, at) {
    const { numbers } = this.layer;
    const R = at + BODY.R;
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) {
          sum += (numbers[R + 3 * r + k] * numbers[R + 3 * c + k]) / this.#m.body_inertia[3 * i + k];
        }
        numbers[at + BODY.inv_inertia + 3 * r + c] = sum;
      }
    }
  }

  /**
   * Velocity after the step, in the pose before it: that of the parent, which was set before, and of the joints.
   * @param {number} i
   * @param {number} at
   */
  #put_velocity(i, at) {
    const { numbers } = this.layer;
    const parent = this.layer.body(this.#m.body_parentid[i]);
    this.#carry(numbers, parent + BODY.v, parent + BODY.x, at + BODY.x, this.#relative);
    const count = this.#find_columns(i);
    const first = this.#first_dof(i);
    for (let c = 0; c < count; c++) {
      for (let k = 0; k < 6; k++) {
        this.#relative[k] += this.#columns[6 * c + k] * this.#d.qvel[first + c];
      }
    }
    numbers.set(this.#relative, at + BODY.v); // v, then w
  }

  /**
   * Velocity at `to` of a rigid body with velocity (v, w) at `from`.
   * @param {Float64Array} numbers
   * @param {number} twist
   * @param {number} from
   * @param {number} to
   * @param {Float64Array} out (6)
   */
  #carry(numbers, twist, from, to, out) {
    const [x, y, z] = [numbers[to] - numbers[from], numbers[to + 1] - numbers[from + 1], numbers[to + 2] - numbers[from + 2]];
    const [a, b, c] = [numbers[twist + 3], numbers[twist + 4], numbers[twist + 5]];
    out[0] = numbers[twist] + b * z - c * y;
    out[1] = numbers[twist + 1] + c * x - a * z;
    out[2] = numbers[twist + 2] + a * y - b * x;
    out[3] = a;
    out[4] = b;
    out[5] = c;
  }

  /** @param {number} i */
  #first_dof(i) {
    return this.#m.body_jntnum[i] > 0 ? this.#m.jnt_dofadr[this.#m.body_jntadr[i]] : 0;
  }

  /**
   * Columns of the body's motion over its parent, at its centre of mass, for each of its degrees of freedom.
   * @param {number} i
   * @returns {number} how many
   */
  #find_columns(i) {
    let count = 0;
    for (let k = 0; k < this.#m.body_jntnum[i]; k++) {
      const joint = this.#m.body_jntadr[i] + k;
      const type = this.#m.jnt_type[joint];
      if (type === FREE || type === BALL) {
        const anchor = type === FREE ? this.#d.xpos.subarray(3 * i, 3 * i + 3) : this.#d.xanchor.subarray(3 * joint, 3 * joint + 3);
        for (let a = 0; type === FREE && a < 3; a++) {
          this.#put_column(count++, i, +(a === 0), +(a === 1), +(a === 2), null);
        }
        for (let a = 0; a < 3; a++) {
          // rotation is in the axes of the body
          const x = this.#d.xmat;
          this.#put_column(count++, i, x[9 * i + a], x[9 * i + 3 + a], x[9 * i + 6 + a], anchor);
        }
      } else {
        const a = this.#d.xaxis;
        const anchor = type === SLIDE ? null : this.#d.xanchor.subarray(3 * joint, 3 * joint + 3);
        this.#put_column(count++, i, a[3 * joint], a[3 * joint + 1], a[3 * joint + 2], anchor);
      }
    }
    return count;
  }

  /**
   * @param {number} c
   * @param {number} i
   * @param {number} x axis
   * @param {number} y
   * @param {number} z
   * @param {ArrayLike<number> | null} anchor of a rotation; null: translation
   */
  #put_column(c, i, x, y, z, anchor) {
    const out = this.#columns;
    const at = 6 * c;
    if (!anchor) {
      out.set([x, y, z, 0, 0, 0], at);
      return;
    }
    const [p, q, r] = [0, 1, 2].map((k) => this.#d.xipos[3 * i + k] - anchor[k]);
    out.set([y * r - z * q, z * p - x * r, x * q - y * p, x, y, z], at);
  }

  // --- joints ---------------------------------------------------------------------------------------

  /**
   * Rows of a body that does not move freely over its parent: all directions that its joints do not have. Angular parts
   * count with a length, its radius of gyration.
   * @param {number} i
   */
  #add_rows(i) {
    const count = this.#find_columns(i);
    if (count === 6 || this.#is_fixed(i)) {
      return;
    }
    const length = Math.sqrt(this.#m.body_inertia[3 * i] / this.#m.body_mass[i]) || 1;
    let found = 0;
    for (let c = 0; c < count + 6 && found < 6; c++) {
      const v = this.#basis.subarray(6 * found, 6 * found + 6);
      for (let k = 0; k < 6; k++) {
        const unit = k === c - count ? 1 : 0;
        v[k] = c < count ? this.#columns[6 * c + k] * (k < 3 ? 1 : length) : unit;
      }
      if (orthonormalise(this.#basis, found)) {
        if (c >= count) {
          this.#put_row(i, v, length);
        }
        found++;
      }
    }
  }

  /**
   * @param {number} i
   * @param {Float64Array} v direction, angular part times `length`
   * @param {number} length
   */
  #put_row(i, v, length) {
    const at = this.layer.add_row();
    const { numbers, words } = this.layer;
    const parent = this.#m.body_parentid[i];
    const [x, y, z] = [0, 1, 2].map((k) => this.#d.xipos[3 * i + k] - this.#d.xipos[3 * parent + k]);
    // length: row . (v, w) with w in rad/s
    const [p, q, r, a, b, c] = [v[0], v[1], v[2], v[3] * length, v[4] * length, v[5] * length];
    numbers.set([p, q, r, a, b, c], at + ROW.jb);
    if (this.#is_fixed(parent)) {
      words[2 * at + ROW.a] = -1;
    } else {
      words[2 * at + ROW.a] = parent;
      numbers.set([-p, -q, -r, -a - (y * r - z * q), -b - (z * p - x * r), -c - (x * q - y * p)], at + ROW.ja);
    }
    words[2 * at + ROW.b] = i;
  }

  // --- points ---------------------------------------------------------------------------------------

  /** @param {number} h */
  #find_points(h) {
    const { contact, ncon } = this.#data;
    const force = ncon > 0 ? this.#data.efc_force : null;
    for (let k = 0; k < ncon; k++) {
      const c = contact.get(k);
      const [one, two] = [c.geom[0], c.geom[1]];
      const [a, b] = [this.#m.geom_bodyid[one], this.#m.geom_bodyid[two]];
      if (one >= 0 && two >= 0 && !(this.#is_fixed(a) && this.#is_fixed(b))) {
        const at = this.layer.add_point(a, b, one, two);
        const { numbers } = this.layer;
        const { frame, pos } = c;
        for (let i = 0; i < 3; i++) {
          numbers[at + POINT.x + i] = pos[i];
          numbers[at + POINT.n + i] = this.#n[i] = frame[i];
        }
        numbers[at + POINT.gap] = c.dist;
        numbers[at + POINT.mu] = c.friction[0];
        numbers[at + POINT.impulse] = c.efc_address >= 0 ? Math.max(0, h * /** @type {any} */ (force)[c.efc_address]) : 0;
        numbers[at + POINT.disc] = this.#disc(one) || this.#disc(two);
      }
      c.delete();
    }
    contact.delete?.();
  }

  /**
   * Radius of a cylinder that stands on its face, else 0.
   * @param {number} geom
   */
  #disc(geom) {
    if (this.#m.geom_type[geom] !== CYLINDER) {
      return 0;
    }
    for (let i = 0; i < 3; i++) {
      this.#axis[i] = this.#d.geom_xmat[9 * geom + 3 * i + 2];
    }
    return is_upright(this.#axis, this.#n) ? this.#m.geom_size[3 * geom] : 0;
  }

  // --- changes --------------------------------------------------------------------------------------

  /**
   * Changes of velocity as changes of qvel, and of the pose.
   * @param {number} h
   * @param {number} count
   */
  #apply(h, count) {
    const { numbers } = this.layer;
    this.#change.fill(0);
    for (let i = 1; i < count; i++) {
      const columns = this.#is_fixed(i) ? 0 : this.#find_columns(i);
      if (columns > 0) {
        const parent = this.#m.body_parentid[i];
        const at = this.layer.change(i);
        this.#carry(numbers, this.layer.change(parent), this.layer.body(parent) + BODY.x, this.layer.body(i) + BODY.x, this.#relative);
        for (let k = 0; k < 6; k++) {
          this.#relative[k] = numbers[at + k] - (this.#is_fixed(parent) ? 0 : this.#relative[k]);
        }
        fit(this.#columns, columns, this.#relative, this.#change, this.#first_dof(i));
      }
    }
    for (let k = 0; k < this.#change.length; k++) {
      this.#d.qvel[k] += this.#change[k];
    }
    this.#mujoco.mj_integratePos(this.#model, this.#d.qpos, this.#change, h);
  }

  /** Forget all contacts: after bodies were moved by the program. */
  reset() {
    this.#mocap.clear();
    this.layer.reset();
  }

  /** Release the layer's memory. */
  free() {
    this.layer.free();
  }
}

/**
 * Make vector `n` of a basis orthogonal to those before it, of length 1.
 * @param {Float64Array} basis
 * @param {number} n
 * @returns {boolean} false: it depends on them
 */
function orthonormalise(basis, n) {
  const at = 6 * n;
  let before = 0;
  for (let k = 0; k < 6; k++) {
    before += basis[at + k] ** 2;
  }
  // twice, as rounding of the first pass leaves a part of the others
  for (let pass = 0; pass < 2; pass++) {
    for (let j = 0; j < n; j++) {
      let dot = 0;
      for (let k = 0; k < 6; k++) {
        dot += basis[at + k] * basis[6 * j + k];
      }
      for (let k = 0; k < 6; k++) {
        basis[at + k] -= dot * basis[6 * j + k];
      }
    }
  }
  let after = 0;
  for (let k = 0; k < 6; k++) {
    after += basis[at + k] ** 2;
  }
  if (!(after > 1e-6 * before)) {
    return false;
  }
  for (let k = 0; k < 6; k++) {
    basis[at + k] /= Math.sqrt(after);
  }
  return true;
}

/**
 * Least squares: the combination of `count` columns that is nearest to `target`, into `out` from `first` on.
 * @param {Float64Array} columns
 * @param {number} count
 * @param {Float64Array} target
 * @param {Float64Array} out
 * @param {number} first
 */
function fit(columns, count, target, out, first) {
  const n = count;
  const a = new Float64Array(n * (n + 1));
  for (let r = 0; r < n; r++) {
    for (let c = 0; c <= n; c++) {
      for (let k = 0; k < 6; k++) {
        a[r * (n + 1) + c] += columns[6 * r + k] * (c < n ? columns[6 * c + k] : target[k]);
      }
    }
  }
  // the matrix is symmetric and positive definite: elimination without exchange
  for (let p = 0; p < n; p++) {
    for (let r = 0; r < n; r++) {
      const factor = r === p ? 0 : a[r * (n + 1) + p] / a[p * (n + 1) + p];
      for (let c = p; factor !== 0 && c <= n; c++) {
        a[r * (n + 1) + c] -= factor * a[p * (n + 1) + c];
      }
    }
  }
  for (let r = 0; r < n; r++) {
    out[first + r] = a[r * (n + 1) + n] / a[r * (n + 1) + r];
  }
}
