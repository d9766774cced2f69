// Rapier for the scenes: alone, or with bristle's friction.

import RAPIER from "@dimforge/rapier3d-compat";

await RAPIER.init();
export const name = `Rapier ${RAPIER.version()}`;
export const steps = [1 / 60, 1 / 240];

export class Engine {
  /**
   * @param {any} Friction RapierFriction, or null for the engine alone
   * @param {number} h
   * @param {object} [options] of the layer
   */
  constructor(Friction, h, options) {
    this.world = new RAPIER.World({ x: 0, y: 0, z: 0 });
    this.world.timestep = h;
    this.friction = Friction && new Friction(RAPIER, this.world, options);
    this.bodies = [];
    this.forces = [];
  }

  start() {}

  gravity(x, y, z) {
    this.world.gravity = { x, y, z };
  }

  /** Coefficients are multiplied, as in the other engines. */
  collider(desc, mu) {
    return desc.setFriction(mu).setFrictionCombineRule(RAPIER.CoefficientCombineRule.Multiply);
  }

  ground(mu) {
    this.world.createCollider(this.collider(RAPIER.ColliderDesc.cuboid(5, 5, 0.5).setTranslation(0, 0, -0.5), mu));
  }

  add({ cylinder, half, mass, mu, kinematic, axis, velocity }, x, y, z) {
    const desc = kinematic ? RAPIER.RigidBodyDesc.kinematicVelocityBased() : RAPIER.RigidBodyDesc.dynamic();
    desc.setTranslation(x, y, z).setCanSleep(false);
    if (axis !== undefined) {
      desc.enabledTranslations(axis === 0, axis === 1, axis === 2).lockRotations();
    }
    const body = this.world.createRigidBody(desc);
    const s = Math.SQRT1_2;
    const shape = cylinder
      ? RAPIER.ColliderDesc.cylinder(half[2], half[0]).setRotation({ x: s, y: 0, z: 0, w: s })
      : RAPIER.ColliderDesc.cuboid(...half);
    this.world.createCollider(this.collider(shape, mu).setMass(mass), body);
    this.bodies.push(body);
    return this.bodies.length - 1;
  }

  hinge(i, k, at, axis) {
    const local = (n) => {
      const { x } = this.get(n);
      return { x: at[0] - x[0], y: at[1] - x[1], z: at[2] - x[2] };
    };
    const data = RAPIER.JointData.revolute(local(i), local(k), { x: axis[0], y: axis[1], z: axis[2] });
    this.world.createImpulseJoint(data, this.bodies[i], this.bodies[k], true);
  }

  force(i, x, y, z) {
    this.forces.push([i, { x, y, z }]);
  }

  set_velocity(i, v, w) {
    this.bodies[i].setLinvel({ x: v[0], y: v[1], z: v[2] }, true);
    this.bodies[i].setAngvel({ x: w[0], y: w[1], z: w[2] }, true);
  }

  step() {
    for (const [i, f] of this.forces) {
      this.bodies[i].addForce(f, true);
    }
    if (this.friction) {
      this.friction.step();
    } else {
      this.world.step();
    }
    for (const [i] of this.forces) {
      this.bodies[i].resetForces(false);
    }
    this.forces.length = 0;
  }

  /** Position, rotation as a quaternion x, y, z, w, velocity, angular velocity. */
  get(i) {
    const body = this.bodies[i];
    const [x, q, v, w] = [body.translation(), body.rotation(), body.linvel(), body.angvel()];
    return { x: [x.x, x.y, x.z], q: [q.x, q.y, q.z, q.w], v: [v.x, v.y, v.z], w: [w.x, w.y, w.z] };
  }

  get report() {
    return this.friction?.layer.report;
  }

  free() {
    this.friction?.free();
    this.world.free();
  }
}
