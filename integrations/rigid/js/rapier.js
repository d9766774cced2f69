// Friction of bristle in Rapier (@dimforge/rapier3d-compat or @dimforge/rapier3d):
//
//     const friction = new RapierFriction(RAPIER, world);
//     friction.step(); // instead of world.step()
//
// Rapier's own friction is set to 0; its coefficients and their combination rules are used by bristle. Nothing can be
// put between Rapier's solve and its motion, so bodies are moved by h times the change of velocity afterwards.

import { is_upright, put_matrix, put_quaternion, put_rotation_vector, to_world, turn } from "./pose.js";
import { BODY, POINT, RigidFriction } from "./rigid.js";

/** @typedef {any} Rapier the module */
/** @typedef {any} World */

// a collider: coefficient of friction, its rule, body, and pose in the body
class Shape {
  id = 0;
  mu = 0;
  rule = 0;
  body = -1;
  radius = 0; // of a cylinder
  x = new Float64Array(3);
  R = new Float64Array(9);
  axis = new Float64Array(3); // of a cylinder, in the body
}

// a body of the engine, and what is read of it in a step
class Slot {
  /** @param {any} body */
  constructor(body) {
    this.body = body;
    this.moves = false;
    this.pushed = false; // it has the last friction in this step
    this.x = new Float64Array(3); // position that was set last, in double precision
  }
}

/** Numbers of a pose: origin, rotation matrix, quaternion. */
const POSE = 16;

/** Penetration from which on Rapier's push-out counts [m]: its own allowed error. */
const SLOP = 1e-3;

/** Locked axes of joints by their type, for RigidFriction.add_joint(); the first axis of the frame is that of the joint. */
const LOCKED = { Revolute: 0b110111, Fixed: 0b111111, Prismatic: 0b111110, Spherical: 0b000111 };

/** Distance below which two points are the same [m]. */
const DOUBLE = 1e-5;

/** Share of a joint's error that is removed in a step [-]. Velocities that Rapier leaves contain its own correction. */
const CORRECTION = 0.2;

/** Elements of a symmetric matrix in Rapier's order: 11, 12, 13, 22, 23, 33. */
const SYMMETRIC = [0, 1, 2, 1, 3, 4, 2, 4, 5];

/** Rapier's rules: 0 average, 1 minimum, 2 product, 3 maximum; of two the larger number counts. */
const COMBINE = [
  (/** @type {number} */ a, /** @type {number} */ b) => 0.5 * (a + b),
  Math.min,
  (/** @type {number} */ a, /** @type {number} */ b) => a * b,
  Math.max,
];

export class RapierFriction {
  #rapier;
  #world;
  /** @type {Map<number, Shape>} */
  #shapes = new Map();
  /** @type {Map<number, number>} */
  #index = new Map();
  /** @type {(Slot | null)[]} */
  #slots = [];
  #next = 0;
  // targets of Rapier's getters, so that a step allocates nothing
  #v = { x: 0, y: 0, z: 0 };
  #q = { x: 0, y: 0, z: 0, w: 1 };
  #p1 = new Float64Array(3);
  #p2 = new Float64Array(3);
  #n = new Float64Array(3);
  #axis = new Float64Array(3);
  /** @type {any} */
  #inertia = undefined;
  /** @type {any} */
  #collider = null;
  /** @type {Shape[]} */
  #pair = [];

  /**
   * @param {Rapier} rapier the module, initialised
   * @param {World} world
   * @param {import("./rigid.js").RigidOptions} [options]
   */
  constructor(rapier, world, options) {
    this.#rapier = rapier;
    this.#world = world;
    /** The layer, for its report and contacts. */
    this.layer = new RigidFriction(options);
  }

  /**
   * Coefficient of friction of a collider; Rapier's own stays 0.
   * @param {any} collider
   * @param {number} mu
   */
  set_friction(collider, mu) {
    this.#shape(collider).mu = mu;
  }

  /** Index of a body in the layer. @param {any} body */
  index(body) {
    return this.#index.get(body.handle) ?? -1;
  }

  /** @param {any} collider */
  #shape(collider) {
    let shape = this.#shapes.get(collider.handle);
    if (!shape) {
      shape = new Shape();
      shape.id = this.#next++;
      shape.mu = collider.friction();
      shape.rule = collider.frictionCombineRule();
      collider.setFriction(0);
      this.#shapes.set(collider.handle, shape);
      this.#set_geometry(shape, collider);
    }
    return shape;
  }

  /**
   * @param {Shape} shape
   * @param {any} collider
   */
  #set_geometry(shape, collider) {
    const parent = collider.parent();
    shape.body = parent ? this.#register(parent) : -1;
    const x = parent ? collider.translationWrtParent() : collider.translation();
    shape.x.set([x.x, x.y, x.z]);
    put_matrix(shape.R, 0, parent ? collider.rotationWrtParent() : collider.rotation());
    if (collider.shapeType() === this.#rapier.ShapeType.Cylinder) {
      shape.radius = collider.radius();
      shape.axis.set([shape.R[1], shape.R[4], shape.R[7]]); // its axis is y
    }
  }

  /** @param {any} body */
  #register(body) {
    const known = this.#index.get(body.handle);
    if (known !== undefined) {
      return known;
    }
    const free = this.#slots.indexOf(null);
    const at = free < 0 ? this.#slots.length : free;
    this.#slots[at] = new Slot(body);
    this.#index.set(body.handle, at);
    return at;
  }

  /** Bodies and colliders that were added or removed. */
  #scan() {
    const world = this.#world;
    this.#slots.forEach((slot, i) => {
      if (slot && !world.bodies.contains(slot.body.handle)) {
        this.#index.delete(slot.body.handle);
        this.#slots[i] = null;
      }
    });
    for (const handle of this.#shapes.keys()) {
      if (!world.colliders.contains(handle)) {
        this.#shapes.delete(handle);
      }
    }
    world.forEachRigidBody(this.#visit_body);
    world.forEachCollider(this.#visit_collider);
  }

  #visit_body = (/** @type {any} */ body) => {
    this.#register(body);
  };

  #visit_collider = (/** @type {any} */ collider) => {
    this.#shape(collider);
  };

  /**
   * Pose and inverse mass of body i before the step, in which points are found.
   * @param {number} i
   * @param {any} body
   */
  #read_body(i, body) {
    const { numbers } = this.layer;
    const at = this.layer.body(i);
    const pose = POSE * i;
    this.#read_pose(this.#starts, i, body);
    for (let k = 0; k < 9; k++) {
      numbers[at + BODY.R + k] = this.#starts[pose + 3 + k];
    }
    const com = body.localCom(this.#v);
    to_world(this.#starts, pose + 3, pose, com.x, com.y, com.z, this.#p1);
    numbers.set(this.#p1, at + BODY.x);
    this.#read_mass(at, body);
  }

  /**
   * @param {number} at
   * @param {any} body
   */
  #read_mass(at, body) {
    const { numbers } = this.layer;
    const m = body.effectiveInvMass(this.#v);
    const moves = body.isDynamic();
    numbers[at + BODY.inv_mass] = moves ? m.x : 0;
    numbers[at + BODY.inv_mass + 1] = moves ? m.y : 0;
    numbers[at + BODY.inv_mass + 2] = moves ? m.z : 0;
    this.#inertia = body.effectiveWorldInvInertia(this.#inertia);
    const e = this.#inertia.elements;
    for (let k = 0; k < 9; k++) {
      numbers[at + BODY.inv_inertia + k] = moves ? e[SYMMETRIC[k]] : 0;
    }
  }

  /**
   * The last friction becomes a force of this step, so that it acts in all of Rapier's substeps as gravity does.
   * @param {number} i
   * @param {any} body
   * @param {number} h
   * @param {number} sign
   */
  #add_force(i, body, h, sign) {
    const { numbers } = this.layer;
    const at = this.layer.impulse(i);
    const f = this.#v;
    const factor = sign / h;
    f.x = factor * numbers[at];
    f.y = factor * numbers[at + 1];
    f.z = factor * numbers[at + 2];
    body.addForce(f, false);
    f.x = factor * numbers[at + 3];
    f.y = factor * numbers[at + 4];
    f.z = factor * numbers[at + 5];
    body.addTorque(f, false);
  }

  /**
   * Velocity after the step.
   * @param {number} i
   * @param {Slot} slot
   */
  #read_velocity(i, slot) {
    const { body } = slot;
    const { numbers, words } = this.layer;
    const at = this.layer.body(i);
    const v = body.linvel(this.#v);
    numbers[at + BODY.v] = v.x;
    numbers[at + BODY.v + 1] = v.y;
    numbers[at + BODY.v + 2] = v.z;
    const w = body.angvel(this.#v);
    numbers[at + BODY.w] = w.x;
    numbers[at + BODY.w + 1] = w.y;
    numbers[at + BODY.w + 2] = w.z;
    // one that woke in this step has not got the last friction
    words[2 * at + BODY.asleep] = body.isSleeping() || (slot.moves && !slot.pushed) ? 1 : 0;
  }

  // --- points ---------------------------------------------------------------------------------------

  #find_points() {
    this.#world.forEachCollider(this.#visit_pairs);
  }

  #visit_pairs = (/** @type {any} */ collider) => {
    this.#collider = collider;
    this.#world.contactPairsWith(collider, this.#visit_pair);
  };

  #visit_pair = (/** @type {any} */ other) => {
    const one = this.#shape(this.#collider);
    const two = this.#shape(other);
    if (one.id < two.id && (one.body >= 0 || two.body >= 0)) {
      this.#pair = [one, two];
      this.#world.contactPair(this.#collider, other, this.#visit_manifold);
    }
  };

  #visit_manifold = (/** @type {any} */ manifold, /** @type {boolean} */ flipped) => {
    const first = this.#pair[flipped ? 1 : 0];
    const second = this.#pair[flipped ? 0 : 1];
    const n = manifold.normal(this.#v);
    this.#n[0] = n.x;
    this.#n[1] = n.y;
    this.#n[2] = n.z;
    const [one, two] = this.#pair;
    const mu = COMBINE[Math.max(one.rule, two.rule)](one.mu, two.mu);
    const disc = this.#disc(one) || this.#disc(two);
    const sub = (manifold.subshape1() * 31 + manifold.subshape2()) | 0; // parts of compound shapes are pairs of their own
    this.#find_solved(manifold, first, second);
    for (let k = 0; k < manifold.numContacts(); k++) {
      if (!this.#solved[k] && this.#is_double(manifold, k)) {
        continue;
      }
      const at = this.layer.add_point(first.body, second.body, one.id ^ (sub << 16), two.id);
      this.#put_point(at, manifold, k, first, second);
      const { numbers, words } = this.layer;
      numbers[at + POINT.mu] = mu;
      numbers[at + POINT.disc] = disc;
      words[2 * at + POINT.bounces] = manifold.restitution() > 0 ? 1 : 0;
    }
  };

  /** Which contacts of the manifold Rapier solved. @type {boolean[]} */
  #solved = [];

  /**
   * Rapier solves at most four contacts of a manifold; the others keep an impulse of earlier steps, which counts
   * nothing. Solved points are at the middle of the two surfaces, in the poses after the step.
   * @param {any} manifold
   * @param {Shape} first
   * @param {Shape} second
   */
  #find_solved(manifold, first, second) {
    const count = manifold.numContacts();
    const solved = manifold.numSolverContacts();
    for (let k = 0; k < count; k++) {
      this.#solved[k] = solved >= count;
    }
    for (let s = 0; solved < count && s < solved; s++) {
      const p = manifold.solverContactPoint(s, this.#v);
      const [x, y, z] = [p.x, p.y, p.z];
      let nearest = -1;
      let least = Infinity;
      for (let k = 0; k < count; k++) {
        this.#place(first, manifold.localContactPoint1(k, this.#v), this.#p1, this.#ends);
        this.#place(second, manifold.localContactPoint2(k, this.#v), this.#p2, this.#ends);
        const far = Math.hypot(
          0.5 * (this.#p1[0] + this.#p2[0]) - x,
          0.5 * (this.#p1[1] + this.#p2[1]) - y,
          0.5 * (this.#p1[2] + this.#p2[2]) - z,
        );
        if (far < least && !this.#solved[k]) {
          [least, nearest] = [far, k];
        }
      }
      this.#solved[nearest] = true;
    }
  }

  /**
   * Rapier may have the same point twice, of which it solves one.
   * @param {any} manifold
   * @param {number} k
   */
  #is_double(manifold, k) {
    const { x, y, z } = manifold.localContactPoint2(k, this.#v);
    for (let j = 0; j < manifold.numContacts(); j++) {
      const p = manifold.localContactPoint2(j, this.#v);
      if (j !== k && this.#solved[j] && Math.hypot(p.x - x, p.y - y, p.z - z) < DOUBLE) {
        return true;
      }
    }
    return false;
  }

  /**
   * Radius of a cylinder that stands on its face, else 0.
   * @param {Shape} shape
   */
  #disc(shape) {
    if (!(shape.radius > 0) || shape.body < 0) {
      return 0;
    }
    const { numbers } = this.layer;
    const r = this.layer.body(shape.body) + BODY.R;
    for (let i = 0; i < 3; i++) {
      this.#axis[i] =
        numbers[r + 3 * i] * shape.axis[0] + numbers[r + 3 * i + 1] * shape.axis[1] + numbers[r + 3 * i + 2] * shape.axis[2];
    }
    return is_upright(this.#axis, this.#n) ? shape.radius : 0;
  }

  /**
   * Rapier keeps the points of a pair while it moves little, so position and gap are computed from the poses of the
   * step. Where one shape is fixed, the point goes with the other.
   * @param {number} at
   * @param {any} manifold
   * @param {number} k
   * @param {Shape} first
   * @param {Shape} second
   */
  #put_point(at, manifold, k, first, second) {
    this.#place(first, manifold.localContactPoint1(k, this.#v), this.#p1, this.#starts);
    this.#place(second, manifold.localContactPoint2(k, this.#v), this.#p2, this.#starts);
    const { numbers } = this.layer;
    const share = !this.#is_fixed(first) ? (this.#is_fixed(second) ? 0 : 0.5) : 1;
    let gap = 0;
    for (let i = 0; i < 3; i++) {
      numbers[at + POINT.x + i] = (1 - share) * this.#p1[i] + share * this.#p2[i];
      numbers[at + POINT.n + i] = this.#n[i];
      gap += this.#n[i] * (this.#p2[i] - this.#p1[i]);
    }
    numbers[at + POINT.gap] = gap;
    const impulse = this.#solved[k] ? Math.max(0, manifold.contactImpulse(k)) : 0;
    numbers[at + POINT.impulse] = impulse;
    for (const i of [first.body, second.body]) {
      if (i >= 0 && impulse > 0) {
        this.#deepest[i] = this.#deepest[i] < Infinity ? Math.max(this.#deepest[i], -gap) : -gap;
      }
    }
  }

  /** @param {Shape} shape */
  #is_fixed(shape) {
    return shape.body < 0 || !(/** @type {Slot} */ (this.#slots[shape.body]).moves);
  }

  /**
   * A point of a shape in world axes.
   * @param {Shape} shape
   * @param {{ x: number, y: number, z: number }} p
   * @param {Float64Array} to
   * @param {Float64Array} poses of bodies, origin and rotation: before or after the step
   */
  #place(shape, p, to, poses) {
    for (let i = 0; i < 3; i++) {
      to[i] = shape.R[3 * i] * p.x + shape.R[3 * i + 1] * p.y + shape.R[3 * i + 2] * p.z + shape.x[i];
    }
    if (shape.body >= 0) {
      to_world(poses, POSE * shape.body + 3, POSE * shape.body, to[0], to[1], to[2], to);
    }
  }

  /** Origin and rotation of bodies before and after the step; the layer has centres of mass. */
  #starts = new Float64Array(0);
  #ends = new Float64Array(0);
  /** Deepest penetration of each body [m]; Infinity: nothing presses on it. */
  #deepest = new Float64Array(0);
  #twist = new Float64Array(6);
  #matrix = new Float64Array(9);
  #axes = new Float64Array(9);
  #targets = new Float64Array(6);

  /**
   * Rapier rounds positions to single precision, which moves a body by micrometres in a second. A body that is where it
   * was set goes on from the position before rounding.
   * @param {number} i
   * @param {Slot} slot
   */
  #restore(i, slot) {
    const { numbers } = this.layer;
    const at = this.layer.body(i) + BODY.x;
    const pose = POSE * i;
    if (slot.x.every((x, k) => Math.fround(x) === this.#starts[pose + k])) {
      slot.x.forEach((x, k) => {
        numbers[at + k] += x - this.#starts[pose + k];
        this.#starts[pose + k] = x;
      });
    }
  }

  /**
   * A kinematic body moves by its rounded positions, and what it carries has to follow them.
   * @param {number} i
   * @param {number} h
   */
  #observe(i, h) {
    const at = this.layer.body(i);
    for (let k = 0; k < 3; k++) {
      this.layer.numbers[at + BODY.v + k] = (this.#ends[POSE * i + k] - this.#starts[POSE * i + k]) / h;
    }
    put_rotation_vector(this.#starts, this.#ends, POSE * i + 12, this.#p1);
    for (let k = 0; k < 3; k++) {
      this.layer.numbers[at + BODY.w + k] = this.#p1[k] / h;
    }
  }

  /**
   * @param {Float64Array} poses
   * @param {number} i
   * @param {any} body
   */
  #read_pose(poses, i, body) {
    const t = body.translation(this.#v);
    const at = POSE * i;
    poses[at] = t.x;
    poses[at + 1] = t.y;
    poses[at + 2] = t.z;
    const q = body.rotation(this.#q);
    put_matrix(poses, at + 3, q);
    poses[at + 12] = q.x;
    poses[at + 13] = q.y;
    poses[at + 14] = q.z;
    poses[at + 15] = q.w;
  }

  // --- joints ---------------------------------------------------------------------------------------

  #visit_joint = (/** @type {any} */ joint) => {
    const { JointType } = this.#rapier;
    const locked = Object.entries(LOCKED).find(([name]) => JointType[name] === joint.type());
    if (!locked) {
      return; // ropes, springs and generic joints act as forces of the step
    }
    const [a, b] = [this.#register(joint.body1()), this.#register(joint.body2())];
    const one = joint.anchor1();
    to_world(this.#starts, POSE * a + 3, POSE * a, one.x, one.y, one.z, this.#p1);
    const two = joint.anchor2();
    to_world(this.#starts, POSE * b + 3, POSE * b, two.x, two.y, two.z, this.#p2);
    put_matrix(this.#matrix, 0, joint.frameX1());
    for (let k = 0; k < 3; k++) {
      const [x, y, z] = [this.#matrix[k], this.#matrix[3 + k], this.#matrix[6 + k]];
      for (let i = 0; i < 3; i++) {
        const r = POSE * a + 3 + 3 * i;
        this.#axes[3 * k + i] = this.#starts[r] * x + this.#starts[r + 1] * y + this.#starts[r + 2] * z;
      }
    }
    for (let k = 0; k < 3; k++) {
      let apart = 0;
      for (let i = 0; i < 3; i++) {
        apart += this.#axes[3 * k + i] * (this.#p2[i] - this.#p1[i]);
      }
      this.#targets[k] = (-CORRECTION * apart) / this.#world.timestep;
    }
    this.layer.add_joint(a, b, this.#p1, this.#axes, locked[1], this.#targets);
    if (joint.type() !== JointType.Prismatic) {
      // a joint that came apart is left to Rapier, as penetrations are
      const apart = Math.hypot(this.#p2[0] - this.#p1[0], this.#p2[1] - this.#p1[1], this.#p2[2] - this.#p1[2]);
      this.#deepest[a] = Math.max(this.#deepest[a], apart);
      this.#deepest[b] = Math.max(this.#deepest[b], apart);
    }
  };

  // --- the step -------------------------------------------------------------------------------------

  /**
   * A step of the world, with bristle's friction.
   * @param {...any} args of world.step()
   */
  step(...args) {
    const h = this.#world.timestep;
    this.#scan();
    const count = this.#slots.length;
    this.layer.before(h, count);
    this.layer.clear(count);
    this.#enter(h, count);
    this.#world.step(...args);
    this.#leave(h, count);
    this.#deepest.fill(Infinity);
    this.#find_points();
    this.#world.impulseJoints.forEach(this.#visit_joint);
    this.layer.after(h, count);
    this.#slots.forEach((slot, i) => slot?.moves && this.#move(i, slot.body, h));
  }

  /**
   * @param {number} h
   * @param {number} count
   */
  #enter(h, count) {
    if (this.#starts.length < POSE * count) {
      this.#starts = new Float64Array(2 * POSE * count);
      this.#ends = new Float64Array(2 * POSE * count);
      this.#deepest = new Float64Array(2 * count);
    }
    for (let i = 0; i < count; i++) {
      const slot = this.#slots[i];
      this.layer.numbers.fill(0, this.layer.body(i), this.layer.body(i + 1));
      if (slot) {
        this.#read_body(i, slot.body);
        this.#restore(i, slot);
        slot.moves = slot.body.isDynamic();
        slot.pushed = slot.moves && !slot.body.isSleeping();
        if (slot.pushed) {
          this.#add_force(i, slot.body, h, 1);
        }
      }
    }
  }

  /**
   * @param {number} h
   * @param {number} count
   */
  #leave(h, count) {
    for (let i = 0; i < count; i++) {
      const slot = this.#slots[i];
      if (slot) {
        if (slot.pushed) {
          this.#add_force(i, slot.body, h, -1);
        }
        this.#read_velocity(i, slot);
        this.#read_pose(this.#ends, i, slot.body);
        if (slot.body.isKinematic()) {
          this.#observe(i, h);
        }
      }
    }
  }

  /**
   * @param {number} i
   * @param {any} body
   * @param {number} h
   */
  #move(i, body, h) {
    const { numbers } = this.layer;
    const change = this.layer.change(i);
    const at = this.layer.body(i);
    const v = this.#v;
    if (body.isSleeping()) {
      return;
    }
    v.x = numbers[at + BODY.v] + numbers[change];
    v.y = numbers[at + BODY.v + 1] + numbers[change + 1];
    v.z = numbers[at + BODY.v + 2] + numbers[change + 2];
    body.setLinvel(v, false);
    v.x = numbers[at + BODY.w] + numbers[change + 3];
    v.y = numbers[at + BODY.w + 1] + numbers[change + 4];
    v.z = numbers[at + BODY.w + 2] + numbers[change + 5];
    body.setAngvel(v, false);
    if (this.#deepest[i] < SLOP) {
      this.#integrate(i, body, h);
    } else {
      this.#shift(i, body, h);
    }
  }

  /**
   * Pose of a body that touches: the one before the step, moved by its new velocity. Rapier's own motion in its substeps
   * contains the sinking of soft contacts and its correction, which friction does not see: bodies creep by it.
   * @param {number} i
   * @param {any} body
   * @param {number} h
   */
  #integrate(i, body, h) {
    const { numbers } = this.layer;
    const at = this.layer.body(i);
    const change = this.layer.change(i);
    for (let k = 0; k < 6; k++) {
      this.#twist[k] = h * (numbers[at + BODY.v + k] + numbers[change + k]); // v, then w
    }
    put_quaternion(this.#starts, POSE * i + 12, this.#q);
    this.#set_pose(i, body, numbers, at + BODY.x);
  }

  /**
   * A body that does not touch, or that Rapier pushes out of another: its pose after the step, moved by the change.
   * @param {number} i
   * @param {any} body
   * @param {number} h
   */
  #shift(i, body, h) {
    const { numbers } = this.layer;
    const change = this.layer.change(i);
    for (let k = 0; k < 6; k++) {
      this.#twist[k] = h * numbers[change + k];
    }
    if (this.#twist.some((value) => value !== 0)) {
      put_quaternion(this.#ends, POSE * i + 12, this.#q);
      const com = body.localCom(this.#v);
      to_world(this.#ends, POSE * i + 3, POSE * i, com.x, com.y, com.z, this.#p1);
      this.#set_pose(i, body, this.#p1, 0);
    }
  }

  /**
   * @param {number} i
   * @param {any} body
   * @param {Float64Array} centre of mass, before the motion by #twist; the rotation is in #q
   * @param {number} at
   */
  #set_pose(i, body, centre, at) {
    const [dx, dy, dz, a, b, c] = this.#twist;
    turn(this.#q, a, b, c);
    put_matrix(this.#matrix, 0, this.#q);
    const com = body.localCom(this.#v);
    const [x, y, z] = [com.x, com.y, com.z];
    const m = this.#matrix;
    this.#v.x = centre[at] + dx - (m[0] * x + m[1] * y + m[2] * z);
    this.#v.y = centre[at + 1] + dy - (m[3] * x + m[4] * y + m[5] * z);
    this.#v.z = centre[at + 2] + dz - (m[6] * x + m[7] * y + m[8] * z);
    const { x: slot } = /** @type {Slot} */ (this.#slots[i]);
    slot[0] = this.#v.x;
    slot[1] = this.#v.y;
    slot[2] = this.#v.z;
    body.setTranslation(this.#v, false);
    body.setRotation(this.#q, false);
  }

  /** Forget all contacts: after bodies were moved by the program. */
  reset() {
    this.layer.reset();
  }

  /** Release the layer's memory. */
  free() {
    this.layer.free();
  }
}
