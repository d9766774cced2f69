// Dry friction between surfaces that slide and spin on each other.
//
// SI units and radians. Friction is always the force on the body, so it opposes its motion. Names and
// conventions are those of the Python package.
//
//     import { Contact, Law, Patch } from "./bristle.js";

export { Body, BodyContact, BodyPusher, Grip, Load } from "./body.js";
export { FrictionCone, LimitPolyhedron, Polyhedron, WrenchCone } from "./cone.js";
export { Contact } from "./contact.js";
export { module_name, version } from "./core.js";
export {
  AbsentError,
  ArgumentError,
  BristleError,
  ConvergenceError,
  DefinitionError,
  NoMemoryError,
  StoppedError,
} from "./errors.js";
export { Grasp, grip_force } from "./grasp.js";
export { Law } from "./law.js";
export { LimitSurface } from "./limit.js";
export { Constrained, Mechanism } from "./mechanism.js";
export { Field } from "./field.js";
export { ByForce, Hertz, LinearPressure, Patch, PowerPressure } from "./patch.js";
export { Profile } from "./profile.js";
export { Result } from "./result.js";
export { run, Scenario, ScenarioError } from "./scenario.js";
export { Pusher, Slider } from "./slider.js";
