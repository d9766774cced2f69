// A box on a slope of 15 degrees in Rapier, with bristle's friction: it stays.

import RAPIER from "@dimforge/rapier3d-compat";

import { RapierFriction } from "../rapier.js";

await RAPIER.init();
const slope = (15 * Math.PI) / 180;
const world = new RAPIER.World({ x: 9.81 * Math.sin(slope), y: 0, z: -9.81 * Math.cos(slope) });
world.createCollider(RAPIER.ColliderDesc.cuboid(5, 5, 0.5).setTranslation(0, 0, -0.5).setFriction(0.5));
const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(0, 0, 0.05));
world.createCollider(RAPIER.ColliderDesc.cuboid(0.05, 0.05, 0.05).setMass(0.5).setFriction(0.5), body);

const friction = new RapierFriction(RAPIER, world);
for (let second = 0; second <= 5; second++) {
  console.log(`${second} s: ${(1e6 * body.translation().x).toFixed(2)} um down the slope`);
  for (let i = 0; i < 60; i++) {
    friction.step(); // instead of world.step()
  }
}
friction.free();
