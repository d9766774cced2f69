// Friction of bristle in Jolt Physics (jolt-physics):
//
//     const friction = new JoltFriction(Jolt, jolt); // the module, a JoltInterface
//     friction.step(h); // instead of jolt.Step(h, 1)
//
// Jolt's own friction is set to 0; the coefficients of its bodies are used by bristle, with Jolt's rule sqrt(mu1 mu2).
// The JavaScript interface has no function for normal impulses. They are in the state of the contacts that
// PhysicsSystem.SaveState() writes: its format is that of jolt-physics 1.1.0, and a state of another form is an error.
// Nothing can be put between Jolt's solve and its motion, so bodies are moved by h times the change afterwards.

import { BristleError } from "./errors.js";
import { is_upright, put_matrix, to_world, turn } from "./pose.js";
import { BODY, POINT, RigidFriction } from "./rigid.js";

/** @typedef {any} Jolt the module */

// a body of the engine
class Slot {
  /** @param {any} body */
  constructor(body) {
    this.body = body;
    this.mu = 0;
    this.radius = 0; // of a cylinder
    this.moves = false; // it is dynamic
    this.awake = false;
    this.joined = false; // it has a joint
    this.q = { x: 0, y: 0, z: 0, w: 1 }; // rotation before the step
  }
}

/** Bytes of the state of contacts; see JoltFriction.#find_points(). */
const PAIR = 8 + 12 + 12;
const MANIFOLD = 16 + 2 + 12 + 8 + 4;
const CONTACT = 12 + 12 + 4;

/** Gap that counts as touching [m]: about ten roundings of a single-precision position of 1 m. */
const SKIN = 1e-6;

/** Share of a joint's error that is removed in a step [-]. */
const CORRECTION = 0.2;

/** Locked axes of joints, for RigidFriction.add_joint(); the first axis of the constraint's frame is that of the joint. */
const LOCKED = {
  EConstraintSubType_Fixed: 0b111111,
  EConstraintSubType_Point: 0b000111,
  EConstraintSubType_Hinge: 0b110111,
  EConstraintSubType_Slider: 0b111110,
};

/** @typedef {{ constraint: any, locked: number }} Joint */

const AXES = ["X", "Y", "Z"];

export class JoltFriction {
  #jolt;
  #interface;
  #system;
  #bodies;
  /** @type {Map<number, number>} */
  #index = new Map();
  /** @type {(Slot | null)[]} */
  #slots = [];
  #recorder;
  #state = new Uint8Array(4096);
  #view = new DataView(this.#state.buffer);
  #length = 0;
  #ids;
  // values that Jolt's functions take
  #vec;
  #rvec;
  #quat;
  #q = { x: 0, y: 0, z: 0, w: 1 };
  #n = new Float64Array(3);
  #p1 = new Float64Array(3);
  #p2 = new Float64Array(3);
  #axis = new Float64Array(3);
  #axes = new Float64Array(9);
  #targets = new Float64Array(6);
  /** @type {Joint[]} */
  #joints = [];

  /**
   * @param {Jolt} Jolt the module
   * @param {any} jolt a JoltInterface
   * @param {import("./rigid.js").RigidOptions} [options]
   */
  constructor(Jolt, jolt, options) {
    this.#jolt = Jolt;
    this.#interface = jolt;
    this.#system = jolt.GetPhysicsSystem();
    this.#bodies = this.#system.GetBodyInterface();
    this.#ids = new Jolt.BodyIDVector();
    this.#vec = new Jolt.Vec3(0, 0, 0);
    this.#rvec = new Jolt.RVec3(0, 0, 0);
    this.#quat = new Jolt.Quat(0, 0, 0, 1);
    this.#recorder = new Jolt.StateRecorderJS();
    Object.assign(this.#recorder, {
      WriteBytes: (/** @type {number} */ from, /** @type {number} */ count) => this.#write(from, count),
      ReadBytes: () => {},
      IsEOF: () => false,
      IsFailed: () => false,
    });
    /** The layer, for its report and contacts. */
    this.layer = new RigidFriction(options);
  }

  /**
   * Coefficient of friction of a body; Jolt's own stays 0.
   * @param {any} body
   * @param {number} mu
   */
  set_friction(body, mu) {
    /** @type {Slot} */ (this.#slots[this.#register(body)]).mu = mu;
  }

  /** @param {any} body */
  #register(body) {
    const id = body.GetID().GetIndexAndSequenceNumber();
    const known = this.#index.get(id);
    if (known !== undefined) {
      return known;
    }
    const free = this.#slots.indexOf(null);
    const at = free < 0 ? this.#slots.length : free;
    const slot = new Slot(body);
    slot.mu = body.GetFriction();
    body.SetFriction(0);
    const shape = body.GetShape();
    if (shape.GetSubType() === this.#jolt.EShapeSubType_Cylinder) {
      slot.radius = this.#jolt.castObject(shape, this.#jolt.CylinderShape).GetRadius();
    }
    this.#slots[at] = slot;
    this.#index.set(id, at);
    return at;
  }

  /** Bodies that were added or removed. */
  #scan() {
    const found = new Set();
    this.#ids.clear();
    this.#system.GetBodies(this.#ids);
    const lock = this.#system.GetBodyLockInterfaceNoLock();
    for (let i = 0; i < this.#ids.size(); i++) {
      const body = lock.TryGetBody(this.#ids.at(i));
      found.add(this.#register(body));
    }
    for (const [id, at] of this.#index) {
      if (!found.has(at)) {
        this.#index.delete(id);
        this.#slots[at] = null;
      }
    }
  }

  // --- bodies ---------------------------------------------------------------------------------------

  /**
   * Pose and inverse mass of body i before the step, in which points are found.
   * @param {number} i
   * @param {Slot} slot
   */
  #read_body(i, slot) {
    const { numbers } = this.layer;
    const at = this.layer.body(i);
    const { body } = slot;
    const x = body.GetCenterOfMassPosition();
    numbers[at + BODY.x] = x.GetX();
    numbers[at + BODY.x + 1] = x.GetY();
    numbers[at + BODY.x + 2] = x.GetZ();
    this.#read_rotation(body);
    put_matrix(numbers, at + BODY.R, this.#q);
    Object.assign(slot.q, this.#q);
    slot.joined = false;
    slot.moves = body.IsDynamic();
    slot.awake = slot.moves && body.IsActive();
    if (slot.moves) {
      this.#read_mass(at, body);
    }
  }

  /** @param {any} body */
  #read_rotation(body) {
    const q = body.GetRotation();
    this.#q.x = q.GetX();
    this.#q.y = q.GetY();
    this.#q.z = q.GetZ();
    this.#q.w = q.GetW();
  }

  /**
   * @param {number} at
   * @param {any} body
   */
  #read_mass(at, body) {
    const { numbers } = this.layer;
    const motion = body.GetMotionProperties();
    const allowed = motion.GetAllowedDOFs();
    for (let k = 0; k < 3; k++) {
      numbers[at + BODY.inv_mass + k] = allowed & (1 << k) ? motion.GetInverseMass() : 0;
    }
    const inertia = body.GetInverseInertia();
    for (let k = 0; k < 3; k++) {
      const column = inertia.GetColumn3(k);
      AXES.forEach((axis, row) => (numbers[at + BODY.inv_inertia + 3 * row + k] = column[`Get${axis}`]()));
    }
  }

  /**
   * @param {number} i
   * @param {any} body
   * @param {number} h
   */
  #add_force(i, body, h) {
    const { numbers } = this.layer;
    const at = this.layer.impulse(i);
    this.#vec.Set(numbers[at] / h, numbers[at + 1] / h, numbers[at + 2] / h);
    body.AddForce(this.#vec);
    this.#vec.Set(numbers[at + 3] / h, numbers[at + 4] / h, numbers[at + 5] / h);
    body.AddTorque(this.#vec);
  }

  /**
   * @param {number} i
   * @param {Slot} slot
   */
  #read_velocity(i, slot) {
    const { numbers, words } = this.layer;
    const at = this.layer.body(i);
    const { body } = slot;
    if (body.IsStatic()) {
      return;
    }
    const v = body.GetLinearVelocity();
    numbers[at + BODY.v] = v.GetX();
    numbers[at + BODY.v + 1] = v.GetY();
    numbers[at + BODY.v + 2] = v.GetZ();
    const w = body.GetAngularVelocity();
    numbers[at + BODY.w] = w.GetX();
    numbers[at + BODY.w + 1] = w.GetY();
    numbers[at + BODY.w + 2] = w.GetZ();
    slot.awake &&= body.IsActive(); // one that woke in this step has not got the last friction
    words[2 * at + BODY.asleep] = slot.moves && !slot.awake ? 1 : 0;
  }

  // --- points ---------------------------------------------------------------------------------------

  /**
   * @param {number} from
   * @param {number} count
   */
  #write(from, count) {
    if (this.#length + count > this.#state.length) {
      const larger = new Uint8Array(2 * (this.#length + count));
      larger.set(this.#state);
      this.#state = larger;
      this.#view = new DataView(larger.buffer);
    }
    this.#state.set(this.#jolt.HEAPU8.subarray(from, from + count), this.#length);
    this.#length += count;
  }

  /**
   * The state of the contacts: a byte; the number of pairs; for each pair two body ids, a relative pose (24 bytes), the
   * number of manifolds; for each of these the ids of bodies and sub-shapes (16), the number of points (2), the
   * normal in the axes of body 2, friction impulses (12); for each point its position in both bodies, and its normal
   * impulse. Then the number of contacts of continuous collision.
   */
  #find_points() {
    this.#length = 0;
    this.#system.SaveState(this.#recorder, this.#jolt.EStateRecorderState_Contacts);
    let at = 1;
    const pairs = this.#word(at);
    at += 4;
    for (let p = 0; p < pairs; p++) {
      const one = this.#index.get(this.#word(at)) ?? -1;
      const two = this.#index.get(this.#word(at + 4)) ?? -1;
      const manifolds = this.#word(at + PAIR);
      at += PAIR + 4;
      for (let k = 0; k < manifolds; k++) {
        at = this.#read_manifold(at, one, two);
      }
    }
    if (at + 4 > this.#length) {
      throw new BristleError("jolt-physics", "its state of contacts has an unknown form; version 1.1.0 is known");
    }
  }

  /** @param {number} at */
  #word(at) {
    if (at + 4 > this.#length) {
      throw new BristleError("jolt-physics", "its state of contacts has an unknown form; version 1.1.0 is known");
    }
    return this.#view.getUint32(at, true);
  }

  /**
   * @param {number} at
   * @param {number} one
   * @param {number} two
   * @returns {number} where the next one starts
   */
  #read_manifold(at, one, two) {
    const parts = (this.#word(at + 4) ^ (this.#word(at + 12) << 8)) >>> 0;
    const count = this.#view.getUint16(at + 16, true);
    const end = at + MANIFOLD + count * CONTACT;
    const [first, second] = [this.#slots[one], this.#slots[two]];
    if (!first || !second || !(first.moves || second.moves)) {
      return end;
    }
    const { numbers } = this.layer;
    const R2 = this.layer.body(two) + BODY.R;
    const [x, y, z] = [0, 1, 2].map((k) => this.#view.getFloat32(at + 18 + 4 * k, true));
    for (let i = 0; i < 3; i++) {
      this.#n[i] = numbers[R2 + 3 * i] * x + numbers[R2 + 3 * i + 1] * y + numbers[R2 + 3 * i + 2] * z;
    }
    const disc = this.#disc(one) || this.#disc(two);
    // bodies and sub-shapes: parts of compound shapes are pairs of their own
    for (let k = 0; k < count; k++) {
      const to = this.layer.add_point(one, two, one ^ (parts << 12), two);
      this.#put_point(to, at + MANIFOLD + k * CONTACT, one, two);
      this.layer.numbers[to + POINT.mu] = Math.sqrt(first.mu * second.mu);
      this.layer.numbers[to + POINT.disc] = disc;
      this.layer.words[2 * to + POINT.bounces] = this.#bounces(first, second) ? 1 : 0;
    }
    return end;
  }

  /**
   * @param {Slot} first
   * @param {Slot} second
   */
  #bounces(first, second) {
    return first.body.GetRestitution() > 0 || second.body.GetRestitution() > 0;
  }

  /**
   * @param {number} to
   * @param {number} at
   * @param {number} one
   * @param {number} two
   */
  #put_point(to, at, one, two) {
    const { numbers } = this.layer;
    this.#place(one, at, this.#p1);
    this.#place(two, at + 12, this.#p2);
    let gap = 0;
    for (let i = 0; i < 3; i++) {
      numbers[to + POINT.x + i] = 0.5 * (this.#p1[i] + this.#p2[i]);
      numbers[to + POINT.n + i] = this.#n[i];
      gap += this.#n[i] * (this.#p2[i] - this.#p1[i]);
    }
    // bodies at rest have gaps of rounding errors: without a skin, points would touch and leave at random
    numbers[to + POINT.gap] = gap - SKIN * Math.max(1, Math.abs(this.#p1[0]), Math.abs(this.#p1[1]), Math.abs(this.#p1[2]));
    numbers[to + POINT.impulse] = Math.max(0, this.#view.getFloat32(at + 24, true));
  }

  /**
   * A point of the state in world axes.
   * @param {number} i
   * @param {number} at
   * @param {Float64Array} to
   */
  #place(i, at, to) {
    const body = this.layer.body(i);
    const [x, y, z] = [this.#view.getFloat32(at, true), this.#view.getFloat32(at + 4, true), this.#view.getFloat32(at + 8, true)];
    to_world(this.layer.numbers, body + BODY.R, body + BODY.x, x, y, z, to);
  }

  /**
   * Radius of a cylinder that stands on its face, else 0.
   * @param {number} i
   */
  #disc(i) {
    const { radius } = /** @type {Slot} */ (this.#slots[i]);
    const R = this.layer.body(i) + BODY.R;
    for (let k = 0; k < 3; k++) {
      this.#axis[k] = this.layer.numbers[R + 3 * k + 1]; // its axis is y
    }
    return radius > 0 && is_upright(this.#axis, this.#n) ? radius : 0;
  }

  // --- joints ---------------------------------------------------------------------------------------

  /**
   * A joint of the world: Fixed, Point, Hinge or Slider. Jolt has no list of its constraints, so the program names them.
   * @param {any} constraint a TwoBodyConstraint
   */
  add_constraint(constraint) {
    const { castObject, TwoBodyConstraint } = this.#jolt;
    const locked = Object.entries(LOCKED).find(([name]) => this.#jolt[name] === constraint.GetSubType())?.[1];
    if (locked === undefined) {
      throw new BristleError("constraint", "must be a Fixed, Point, Hinge or Slider constraint");
    }
    this.#joints.push({ constraint: castObject(constraint, TwoBodyConstraint), locked });
  }

  /**
   * A constraint that was added is removed from the world.
   * @param {any} constraint
   */
  remove_constraint(constraint) {
    this.#joints = this.#joints.filter((joint) => this.#jolt.getPointer(joint.constraint) !== this.#jolt.getPointer(constraint));
  }

  /**
   * @param {Joint} joint
   * @param {number} h
   */
  #put_joint({ constraint, locked }, h) {
    const [a, b] = [this.#register(constraint.GetBody1()), this.#register(constraint.GetBody2())];
    const [first, second] = [/** @type {Slot} */ (this.#slots[a]), /** @type {Slot} */ (this.#slots[b])];
    first.joined = second.joined = true;
    const other = constraint.GetConstraintToBody2Matrix().GetTranslation();
    const body2 = this.layer.body(b);
    to_world(this.layer.numbers, body2 + BODY.R, body2 + BODY.x, other.GetX(), other.GetY(), other.GetZ(), this.#p2);
    const frame = constraint.GetConstraintToBody1Matrix();
    const { numbers } = this.layer;
    const body = this.layer.body(a);
    const at = frame.GetTranslation();
    to_world(numbers, body + BODY.R, body + BODY.x, at.GetX(), at.GetY(), at.GetZ(), this.#p1);
    for (let k = 0; k < 3; k++) {
      const column = frame.GetColumn3(k);
      const [x, y, z] = [column.GetX(), column.GetY(), column.GetZ()];
      for (let i = 0; i < 3; i++) {
        const r = body + BODY.R + 3 * i;
        this.#axes[3 * k + i] = numbers[r] * x + numbers[r + 1] * y + numbers[r + 2] * z;
      }
    }
    for (let k = 0; k < 3; k++) {
      let apart = 0;
      for (let i = 0; i < 3; i++) {
        apart += this.#axes[3 * k + i] * (this.#p2[i] - this.#p1[i]);
      }
      this.#targets[k] = (-CORRECTION * apart) / h;
    }
    this.layer.add_joint(a, b, this.#p1, this.#axes, locked, this.#targets);
  }

  // --- the step -------------------------------------------------------------------------------------

  /**
   * A step of the world, with bristle's friction.
   * @param {number} h [s]
   */
  step(h) {
    this.#scan();
    const count = this.#slots.length;
    this.layer.before(h, count);
    this.layer.clear(count);
    this.#slots.forEach((slot, i) => {
      this.layer.numbers.fill(0, this.layer.body(i), this.layer.body(i + 1));
      if (slot) {
        this.#read_body(i, slot);
        if (slot.awake) {
          this.#add_force(i, slot.body, h);
        }
      }
    });
    this.#interface.Step(h, 1);
    this.#slots.forEach((slot, i) => slot && this.#read_velocity(i, slot));
    this.#find_points();
    this.#joints.forEach((joint) => this.#put_joint(joint, h));
    this.layer.after(h, count);
    this.#slots.forEach((slot, i) => slot?.awake && this.#move(i, slot, h));
  }

  /**
   * @param {number} i
   * @param {Slot} slot
   * @param {number} h
   */
  #move(i, slot, h) {
    const { body } = slot;
    const { numbers } = this.layer;
    const d = this.layer.change(i);
    const at = this.layer.body(i);
    this.#vec.Set(numbers[at + BODY.v] + numbers[d], numbers[at + BODY.v + 1] + numbers[d + 1], numbers[at + BODY.v + 2] + numbers[d + 2]);
    body.SetLinearVelocity(this.#vec);
    this.#vec.Set(numbers[at + BODY.w] + numbers[d + 3], numbers[at + BODY.w + 1] + numbers[d + 4], numbers[at + BODY.w + 2] + numbers[d + 5]);
    body.SetAngularVelocity(this.#vec);
    if (slot.joined) {
      this.#integrate(i, slot, h);
      return;
    }
    this.#read_rotation(body);
    const x = body.GetPosition();
    const centre = body.GetCenterOfMassPosition();
    // the origin turns about the centre of mass
    const [p, q, r] = [x.GetX() - centre.GetX(), x.GetY() - centre.GetY(), x.GetZ() - centre.GetZ()];
    const [a, b, c] = [h * numbers[d + 3], h * numbers[d + 4], h * numbers[d + 5]];
    this.#rvec.Set(
      x.GetX() + h * numbers[d] + b * r - c * q,
      x.GetY() + h * numbers[d + 1] + c * p - a * r,
      x.GetZ() + h * numbers[d + 2] + a * q - b * p,
    );
    turn(this.#q, a, b, c);
    this.#quat.Set(this.#q.x, this.#q.y, this.#q.z, this.#q.w);
    this.#bodies.SetPositionAndRotation(body.GetID(), this.#rvec, this.#quat, this.#jolt.EActivation_DontActivate);
  }

  /**
   * Pose of a body with a joint: the one before the step, moved by its new velocity. Jolt corrects positions of joints
   * without friction, which makes their bodies creep; here rows of the joint correct them.
   * @param {number} i
   * @param {Slot} slot
   * @param {number} h
   */
  #integrate(i, slot, h) {
    const { numbers } = this.layer;
    const [d, at] = [this.layer.change(i), this.layer.body(i)];
    const step = (/** @type {number} */ k) => h * (numbers[at + BODY.v + k] + numbers[d + k]);
    const com = slot.body.GetShape().GetCenterOfMass();
    turn(slot.q, step(3), step(4), step(5));
    put_matrix(this.#axes, 0, slot.q);
    const [x, y, z] = [com.GetX(), com.GetY(), com.GetZ()];
    const at_origin = [0, 1, 2].map((k) => {
      const arm = this.#axes[3 * k] * x + this.#axes[3 * k + 1] * y + this.#axes[3 * k + 2] * z;
      return numbers[at + BODY.x + k] + step(k) - arm;
    });
    this.#rvec.Set(at_origin[0], at_origin[1], at_origin[2]);
    this.#quat.Set(slot.q.x, slot.q.y, slot.q.z, slot.q.w);
    this.#bodies.SetPositionAndRotation(slot.body.GetID(), this.#rvec, this.#quat, this.#jolt.EActivation_DontActivate);
  }

  /** Forget all contacts: after bodies were moved by the program. */
  reset() {
    this.layer.reset();
  }

  /** Release the layer's memory and the objects of Jolt that it uses. */
  free() {
    this.layer.free();
    for (const object of [this.#ids, this.#vec, this.#rvec, this.#quat, this.#recorder]) {
      this.#jolt.destroy(object);
    }
  }
}
