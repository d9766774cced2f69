/**
 * Box2D 3 for the scenes, alone: it is planar, so slope and pinch are seen from the side. A puck is seen from above,
 * where Box2D has no floor: a motor joint with a limit of force and one of torque stands for it, as usual with Box2D.
 * SI units; z of the scenes is y of Box2D in a side view.
 */
import load from "box2d3-wasm";

const B = await load();
export const steps = [1 / 60, 1 / 240];

/** Substeps of a step: what Box2D recommends. */
const SUBSTEPS = 4;

export class Engine {
  /** @param {null} _friction there is no adapter @param {number} h */
  constructor(_friction, h) {
    this.h = h;
    this.world = B.b2CreateWorld(B.b2DefaultWorldDef());
    this.fixed = B.b2CreateBody(this.world, B.b2DefaultBodyDef());
    /** @type {{id: any, flat: boolean, half: number[]}[]} */
    this.bodies = [];
    this.g = 0; // along -z [m/s^2]
  }

  /** @param {number} x @param {number} _y @param {number} z */
  gravity(x, _y, z) {
    this.g = -z;
    B.b2World_SetGravity(this.world, new B.b2Vec2(x, z));
  }

  /** @param {number} mu */
  ground(mu) {
    const floor = B.b2MakeOffsetBox(5, 0.5, new B.b2Vec2(0, -0.5), B.b2MakeRot(0));
    B.b2CreatePolygonShape(this.fixed, this.#material(mu, 1), floor);
  }

  /** Box2D's rule is sqrt(mu1 mu2); in the scenes coefficients are multiplied. @param {number} mu @param {number} density */
  #material(mu, density) {
    const def = B.b2DefaultShapeDef();
    const { material } = def;
    material.friction = mu * mu;
    def.material = material;
    def.density = density;
    return def;
  }

  /** @param {any} shape @param {number} x @param {number} _y @param {number} z */
  add(shape, x, _y, z) {
    const { cylinder, half, mass, mu, axis } = shape;
    const def = B.b2DefaultBodyDef();
    def.type = B.b2BodyType.b2_dynamicBody;
    def.enableSleep = false;
    def.position = new B.b2Vec2(x, cylinder ? 0 : z);
    if (cylinder) def.gravityScale = 0;
    if (axis === 0) {
      const { motionLocks } = def;
      motionLocks.linearY = true;
      motionLocks.angularZ = true;
      def.motionLocks = motionLocks;
    }
    const id = B.b2CreateBody(this.world, def);
    if (cylinder) this.#addPuck(id, half[0], mass, mu);
    else B.b2CreatePolygonShape(id, this.#material(mu, mass / (4 * half[0] * half[2])), B.b2MakeBox(half[0], half[2]));
    this.bodies.push({ id, flat: Boolean(cylinder), half });
    return this.bodies.length - 1;
  }

  /** Seen from above: at most mu m g against sliding, and 2/3 mu m g R against spin, independent of each other. @param {any} id @param {number} radius @param {number} mass @param {number} mu */
  #addPuck(id, radius, mass, mu) {
    const circle = new B.b2Circle();
    circle.center = new B.b2Vec2(0, 0);
    circle.radius = radius;
    const def = this.#material(0, mass / (Math.PI * radius * radius));
    const { filter } = def;
    filter.maskBits = 0; // the ground's box is not in its way
    def.filter = filter;
    B.b2CreateCircleShape(id, def, circle);
    const joint = B.b2DefaultMotorJointDef();
    const { base } = joint;
    base.bodyIdA = this.fixed;
    base.bodyIdB = id;
    joint.base = base;
    joint.maxVelocityForce = mu * mass * this.g;
    joint.maxVelocityTorque = (2 / 3) * mu * mass * this.g * radius;
    B.b2CreateMotorJoint(this.world, joint);
  }

  start() {}

  /** @param {number} i @param {number} x @param {number} _y @param {number} z */
  force(i, x, _y, z) {
    B.b2Body_ApplyForceToCenter(this.bodies[i].id, new B.b2Vec2(x, z), true);
  }

  /** @param {number} i @param {number[]} v @param {number[]} w */
  set_velocity(i, v, w) {
    const { id, flat } = this.bodies[i];
    B.b2Body_SetLinearVelocity(id, new B.b2Vec2(v[0], flat ? v[1] : v[2]));
    B.b2Body_SetAngularVelocity(id, flat ? w[2] : -w[1]);
  }

  step() {
    B.b2World_Step(this.world, this.h, SUBSTEPS);
  }

  /** @param {number} i */
  get(i) {
    const { id, flat, half } = this.bodies[i];
    const { x, y } = B.b2Body_GetPosition(id);
    const angle = B.b2Rot_GetAngle(B.b2Body_GetRotation(id)) / 2;
    const [s, c] = [Math.sin(angle), Math.cos(angle)];
    return flat ? { x: [x, y, half[2]], q: [0, 0, s, c] } : { x: [x, 0, y], q: [0, -s, 0, c] };
  }

  free() {
    B.b2DestroyWorld(this.world);
  }
}
