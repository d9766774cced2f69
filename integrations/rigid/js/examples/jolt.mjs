// A box on a slope of 15 degrees in Jolt, with bristle's friction: it stays.

import load from "jolt-physics/wasm-compat";

import { JoltFriction } from "../jolt.js";

const Jolt = await load();
const settings = new Jolt.JoltSettings();
const layers = new Jolt.ObjectLayerPairFilterTable(1);
layers.EnableCollision(0, 0);
const phases = new Jolt.BroadPhaseLayerInterfaceTable(1, 1);
phases.MapObjectToBroadPhaseLayer(0, new Jolt.BroadPhaseLayer(0));
settings.mObjectLayerPairFilter = layers;
settings.mBroadPhaseLayerInterface = phases;
settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(phases, 1, layers, 1);
const jolt = new Jolt.JoltInterface(settings);
const system = jolt.GetPhysicsSystem();
const slope = (15 * Math.PI) / 180;
system.SetGravity(new Jolt.Vec3(9.81 * Math.sin(slope), 0, -9.81 * Math.cos(slope)));

function add_box(half, z, motion) {
  const shape = new Jolt.BoxShape(new Jolt.Vec3(...half), 0.001);
  const at = new Jolt.RVec3(0, 0, z);
  const box = new Jolt.BodyCreationSettings(shape, at, new Jolt.Quat(0, 0, 0, 1), motion, 0);
  box.mFriction = 0.5;
  const body = system.GetBodyInterface().CreateBody(box);
  system.GetBodyInterface().AddBody(body.GetID(), Jolt.EActivation_Activate);
  return body;
}
add_box([5, 5, 0.5], -0.5, Jolt.EMotionType_Static);
const body = add_box([0.05, 0.05, 0.05], 0.05, Jolt.EMotionType_Dynamic);

const friction = new JoltFriction(Jolt, jolt);
for (let second = 0; second <= 5; second++) {
  console.log(`${second} s: ${(1e6 * body.GetPosition().GetX()).toFixed(2)} um down the slope`);
  for (let i = 0; i < 60; i++) {
    friction.step(1 / 60); // instead of jolt.Step(1 / 60, 1)
  }
}
friction.free();
