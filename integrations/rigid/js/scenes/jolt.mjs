// Jolt for the scenes: alone, or with bristle's friction.

import load from "jolt-physics/wasm-compat";

const Jolt = await load();
export const name = "Jolt (jolt-physics 1.1.0)";
export const steps = [1 / 60, 1 / 240];

const FIXED = 0;
const MOVING = 1;

function create_interface() {
  const settings = new Jolt.JoltSettings();
  const pairs = new Jolt.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(FIXED, MOVING);
  pairs.EnableCollision(MOVING, MOVING);
  const phases = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
  phases.MapObjectToBroadPhaseLayer(FIXED, new Jolt.BroadPhaseLayer(0));
  phases.MapObjectToBroadPhaseLayer(MOVING, new Jolt.BroadPhaseLayer(1));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = phases;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(phases, 2, pairs, 2);
  settings.mMaxWorkerThreads = 0;
  const jolt = new Jolt.JoltInterface(settings);
  Jolt.destroy(settings);
  return jolt;
}

export class Engine {
  /**
   * @param {any} Friction JoltFriction, or null for the engine alone
   * @param {number} h
   * @param {object} [options] of the layer
   */
  constructor(Friction, h, options) {
    this.h = h;
    this.jolt = create_interface();
    this.system = this.jolt.GetPhysicsSystem();
    this.friction = Friction && new Friction(Jolt, this.jolt, options);
    this.bodies = [];
    this.forces = [];
    this.vec = new Jolt.Vec3(0, 0, 0);
  }

  start() {}

  gravity(x, y, z) {
    this.vec.Set(x, y, z);
    this.system.SetGravity(this.vec);
  }

  create(shape, x, y, z, motion, mass, mu, axis, layer) {
    const s = Math.SQRT1_2;
    const turn = shape.GetSubType() === Jolt.EShapeSubType_Cylinder ? new Jolt.Quat(s, 0, 0, s) : new Jolt.Quat(0, 0, 0, 1);
    const settings = new Jolt.BodyCreationSettings(shape, new Jolt.RVec3(x, y, z), turn, motion, layer);
    settings.mOverrideMassProperties = Jolt.EOverrideMassProperties_CalculateInertia;
    settings.mMassPropertiesOverride.mMass = mass;
    settings.mFriction = mu * mu; // Jolt's rule is sqrt(mu1 mu2); in the scenes coefficients are multiplied
    settings.mAllowSleeping = false;
    settings.mLinearDamping = 0;
    settings.mAngularDamping = 0;
    if (axis !== undefined && motion === Jolt.EMotionType_Dynamic) {
      settings.mAllowedDOFs = 1 << axis;
    }
    const bodies = this.system.GetBodyInterface();
    const body = bodies.CreateBody(settings);
    bodies.AddBody(body.GetID(), Jolt.EActivation_Activate);
    Jolt.destroy(settings);
    return body;
  }

  ground(mu) {
    const shape = new Jolt.BoxShape(new Jolt.Vec3(5, 5, 0.5), 0.001);
    this.create(shape, 0, 0, -0.5, Jolt.EMotionType_Static, 1, mu, undefined, FIXED);
  }

  add({ cylinder, half, mass, mu, kinematic, axis }, x, y, z) {
    const radius = 0.001;
    const shape = cylinder
      ? new Jolt.CylinderShape(half[2], half[0], radius)
      : new Jolt.BoxShape(new Jolt.Vec3(...half), radius);
    const motion = kinematic ? Jolt.EMotionType_Kinematic : Jolt.EMotionType_Dynamic;
    this.bodies.push(this.create(shape, x, y, z, motion, mass, mu, axis, MOVING));
    return this.bodies.length - 1;
  }

  hinge(i, k, at, axis) {
    const settings = new Jolt.HingeConstraintSettings();
    settings.mPoint1 = settings.mPoint2 = new Jolt.RVec3(...at);
    settings.mHingeAxis1 = settings.mHingeAxis2 = new Jolt.Vec3(...axis);
    settings.mNormalAxis1 = settings.mNormalAxis2 = new Jolt.Vec3(axis[1], axis[2], axis[0]);
    const constraint = settings.Create(this.bodies[i], this.bodies[k]);
    this.system.AddConstraint(constraint);
    this.friction?.add_constraint(constraint);
  }

  force(i, x, y, z) {
    this.vec.Set(x, y, z);
    this.bodies[i].AddForce(this.vec);
  }

  set_velocity(i, v, w) {
    this.vec.Set(...v);
    this.bodies[i].SetLinearVelocity(this.vec);
    this.vec.Set(...w);
    this.bodies[i].SetAngularVelocity(this.vec);
  }

  step() {
    if (this.friction) {
      this.friction.step(this.h);
    } else {
      this.jolt.Step(this.h, 1);
    }
  }

  get(i) {
    const body = this.bodies[i];
    const list = (v) => [v.GetX(), v.GetY(), v.GetZ()];
    const q = body.GetRotation();
    return {
      x: list(body.GetCenterOfMassPosition()),
      q: [...list(q), q.GetW()],
      v: list(body.GetLinearVelocity()),
      w: list(body.GetAngularVelocity()),
    };
  }

  get report() {
    return this.friction?.layer.report;
  }

  free() {
    this.friction?.free();
    Jolt.destroy(this.jolt);
  }
}
