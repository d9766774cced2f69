// Oracle: the C library. A sample of every function agrees to 1e-12: libm and the order of sums differ.
// Arguments: the folder of bristle.js, the programs `same` of Python's and of these tests.

import { execFileSync } from "node:child_process";
import assert from "node:assert/strict";
import test from "node:test";
import { pathToFileURL } from "node:url";

const [folder, ...programs] = process.argv.slice(2);
const bristle = await import(pathToFileURL(`${folder}/bristle.js`).href);

// of each number, or of a tenth of the largest in its line: forces of hundreds of cells that cancel leave their rounding
const TOLERANCE = 1e-12;
// a gauge is accurate to 1e-9 (limit.h), its twist to the root of that; adaptive runs have their own tolerances
const LOOSER = { "twist.exact": 1e-6, grip_force: 1e-9, "grip_force.soft": 1e-9, grasp: 1e-8, "body.rosenbrock": 1e-4 };

const TWISTS = [0.1, 0, 0, 0, -0.02, 3, 1e-4, 2e-4, -0.5, 0, 0, 0];
const FORCES = [5, 2, 0.7, 1];
const POLYGON = [[0, 0], [0.03, 0], [0.03, 0.01], [0.01, 0.01], [0.01, 0.04], [0, 0.04]]; // prettier-ignore

/** A number as C's %a prints it. */
function from_hex(word) {
  const found = /^(-?)0x([0-9a-f]+)\.?([0-9a-f]*)p([+-]\d+)$/.exec(word);
  if (!found) {
    return word === "-inf" ? -Infinity : word === "inf" ? Infinity : NaN;
  }
  const [, sign, whole, part, power] = found;
  const digits = BigInt(`0x${whole}${part}`);
  const size = Number(digits) * 2 ** (Number(power) - 4 * part.length);
  return sign ? -size : size;
}

function from_c(program) {
  const text = execFileSync(program, { encoding: "utf8", maxBuffer: 1 << 26 });
  const lines = text.trim().split("\n").map((line) => line.split(" "));
  return lines.map(([name, ...words]) => [name, words.map(from_hex)]);
}

function contact_samples(patch, law, found) {
  for (const method of ["blocks", "distributed", "reduced", "ellipsoid"]) {
    const contact = new bristle.Contact(patch, law, method);
    const states = contact.state(4);
    const energy = new Float64Array(12);
    found[`${method}.step`] = contact.step(states, TWISTS, FORCES, 1e-3, { energy });
    found[`${method}.energy`] = energy;
    found[`${method}.eval`] = contact.eval(states, TWISTS, FORCES);
    found[`${method}.steady`] = contact.steady(TWISTS, FORCES);
    found[`${method}.load`] = contact.load(states, TWISTS, FORCES);
    found[`${method}.stored`] = contact.stored(states, FORCES);
    const first = [states.slice(0, contact.state_count), TWISTS.slice(0, 3), FORCES[0]];
    found[`${method}.gradient`] = contact.gradient(...first).f_z;
  }
}

function of_python(found) {
  const law = new bristle.Law();
  const z = Float64Array.of(1e-5);
  found["law.eval"] = law.eval(z, 0.003, 2);
  found["law.gradient"] = law.gradient(z, 0.003, 2);
  found["law.step"] = [law.step(z, 0.003, 2, 1e-3), z];
  const patch = bristle.Patch.polygon(POLYGON, { angle: 0.3, centre: [0.01, 0.02] });
  found.patch = Object.values(patch.at(1));
  const surface = new bristle.LimitSurface(patch);
  const wrench = surface.wrench(TWISTS);
  found["limit.wrench"] = wrench;
  found["limit.jacobian"] = surface.jacobian(TWISTS);
  found["limit.gauge"] = surface.gauge(wrench.slice(0, 9).map((number) => 0.7 * number));
  contact_samples(patch, law, found);
}

function laws(found) {
  const speeds = [0, 1e-4, -0.02, 1.5];
  for (const kind of ["coulomb", "stiction", "stribeck", "dahl", "lugre", "elasto-plastic"]) {
    const law = new bristle.Law({ kind });
    found[kind] = speeds.map((v) => {
      const z = Float64Array.of(1e-6);
      const [f, dz] = law.eval(z, v, 2);
      return [law.g(v), f, dz, law.step(z, v, 2, 1e-3)];
    });
  }
  const mu = bristle.Law.from_mu(0.4, { r: 0.01, mass: 0.2, fn: 5 });
  found["law.from_mu"] = [mu.mu_c, mu.mu_s, mu.sigma0, mu.sigma1, mu.s_ba, mu.v_damping];
  found["law.passivity_margin"] = mu.passivity_margin;
}

function shapes(found) {
  const slope = new bristle.LinearPressure(1, 3, 0.7);
  const bodies = new bristle.Hertz([0.05, 0.02], 1e6, { ground: [0.1, Infinity], ground_angle: 0.4 });
  const square = [[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]];
  const patches = {
    ellipse: [bristle.Patch.ellipse([0.02, 0.01], { pressure: slope, centre: [0.001, 0.002], angle: 0.2 }), 1],
    hertz: [bristle.Patch.hertz(bodies, 20, { angle: 0.1 }), 5],
    triangles: [bristle.Patch.triangles(square, [1, 3, 2, 0.5], [[0, 1, 2], [0, 3, 2]], { angle: 0.3 }), 1],
  };
  for (const [name, [patch, fn]] of Object.entries(patches)) {
    const surface = new bristle.LimitSurface(patch, { fn });
    found[`patch.${name}`] = [...Object.values(patch.at(fn)), surface.wrench([0.3, -0.1, 20])];
  }
  found["hertz.at"] = Object.values(bodies.at(5));
}

function soft_patch(found) {
  const radius = new bristle.ByForce(0.002, { exponent: 1 / 3, max: 0.01 });
  const soft = bristle.Patch.disc(radius, { pressure: "hertz" });
  found["patch.soft"] = Object.values(soft.at(8));
  found["grip_force.soft"] = bristle.grip_force(soft, 0.5, [1, 0.5, 0.002]);
  const contact = new bristle.Contact(soft, new bristle.Law({ kind: "lugre" }));
  const z = contact.state();
  found["contact.soft"] = contact.step(z, [1e-3, -2e-3, 0.4], 3, 2e-3);
  found["contact.slip"] = Object.values(contact.slip(z, [1e-3, -2e-3, 0.4], 3));
  const third = (array, width) => array.slice(3 * width, 4 * width);
  const { position, weight, covariance } = contact.parts();
  found["contact.part"] = [third(position, 2), weight[3], third(covariance, 3)];
  const values = contact.part_values(z, [1e-3, -2e-3, 0.4], 3);
  const vectors = [values.position, values.v, values.z, values.dz].map((array) => third(array, 2));
  found["contact.part_value"] = [...vectors, third(values.wrench, 3)];
}

function grained(found) {
  const box = bristle.Patch.rectangle([0.03, 0.02]);
  const anisotropy = { ratio: 1.5, angle: 0.4 };
  for (const method of ["blocks", "distributed", "reduced", "ellipsoid"]) {
    const contact = new bristle.Contact(box, new bristle.Law({ kind: "lugre" }), method, { anisotropy });
    found[`grained.${method}`] = contact.step(contact.state(), [1e-3, -2e-3, 0.4], 3, 2e-3);
  }
  const surface = new bristle.LimitSurface(box, { anisotropy });
  found["grained.surface"] = [surface.wrench([0.3, -0.1, 20]), surface.gauge([0.5, 0.1, 0.003])];
}

function fields(found) {
  const grid = [
    [1, 0.2, 0],
    [0.5, 1.5, 0.8],
  ];
  const field = new bristle.Field(grid, [0.03, 0.02], { angle: 0.4, outside: 0.7 });
  const law = new bristle.Law({ kind: "elasto-plastic" });
  const options = { field, field_moves: true };
  const contact = new bristle.Contact(bristle.Patch.disc(0.01), law, "blocks", options);
  const there = contact.at([0.005, 0.002, 0.3]);
  found["field.factor"] = field.eval([0.004, -0.003]);
  found["field.contact"] = there.step(there.state(), [1e-3, -2e-3, 0.4], 3, 2e-3);
  found["field.centres"] = Object.values(there.centres());
}

function pressed(found) {
  const square = [[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]]; // prettier-ignore
  const moved = [[0.01, 0], [0.1, 0], [0.1, 0.12], [0, 0.1]]; // prettier-ignore
  const [first, second] = [[1, 3, 2, 0.5], [0, 1, 4, 2]]; // prettier-ignore
  const mesh = bristle.Patch.triangles(square, first, [[0, 1, 2], [0, 3, 2]]); // prettier-ignore
  const contact = new bristle.Contact(mesh, new bristle.Law({ kind: "elasto-plastic" }));
  const z = contact.state();
  const f = contact.at_pressure(second).step(z, [1e-3, -2e-3, 0.4], 3, 2e-3);
  const now = contact.at_pressure(first, { vertices: moved });
  const g = now.step(z, [1e-3, -2e-3, 0.4], 3, 2e-3);
  found["pressed.contact"] = [f, g, now.cop, now.r, now.u];
}

function surfaces(found) {
  const disc = bristle.Patch.disc(0.01);
  for (const method of ["exact", "smooth", "bilinear", "grid", "published", "ellipsoid", "fitted", "curve"]) {
    const surface = new bristle.LimitSurface(disc, { method });
    const twist = [0.3, -0.1, 20];
    found[method] = [surface.dissipation(twist), surface.wrench(twist), surface.spin_centre];
  }
  const ellipsoid = new bristle.LimitSurface(disc, { method: "ellipsoid" });
  const exact = new bristle.LimitSurface(disc);
  found.error = Object.values(ellipsoid.error());
  found["twist.exact"] = exact.twist([0.5, 0.1, 0.003]);
  found["twist.ellipsoid"] = ellipsoid.twist([0.5, 0.1, 0.003]);
  found["polyhedron.exact"] = new bristle.LimitPolyhedron(exact, 40, "outer").error;
  found["polyhedron.ellipsoid"] = new bristle.LimitPolyhedron(ellipsoid, 40, "outer").error;
  found.grip_force = bristle.grip_force(disc, 0.5, [2, 0, 0.01]);
  found.grasp = new bristle.Grasp([disc, disc], [0.5, 0.4], 0.02).force([0.3, -2, 0.1, 0, 0, 0.01]).fn;
}

function sliding(found) {
  const slider = new bristle.Slider(0.5, 2e-4, 0.3, { patch: bristle.Patch.disc(0.02) });
  const [q, v, load] = [Float64Array.of(0, 0, 0.1), Float64Array.of(1, 0.2, 5), [0.1, 0, 0.01]];
  const rate = slider.eval(q, v, load);
  found["slider.eval"] = [rate.friction, rate.acceleration, rate.sigma];
  const step = slider.step(q, v, 1e-3, load);
  found["slider.step"] = [q, v, step.impulse, step.sigma];
  const box = new bristle.Pusher(bristle.Patch.rectangle([0.1, 0.06]), { mu: 0.3, radius: 0.005 });
  const push = box.push([-0.05, 0.01], [1, 0], [0.01, 0.002]);
  found["pushing.eval"] = [push.twist, push.friction, push.force, push.mode];
  found["pushing.cone"] = box.cone([-0.05, 0.01], [1, 0]);
  const pose = new Float64Array(3);
  box.step(pose, [-0.06, 0.01], [-0.03, 0.015]);
  found["pushing.step"] = pose;
}

function cones(found) {
  const cone = new bristle.FrictionCone([0.1, -0.2, 1], 0.5);
  const f = [2, 0.3, 0.5];
  found["cone.split"] = cone.split(f);
  found["cone.margin"] = cone.margin(f);
  found["cone.project"] = cone.project(f);
  found["polyhedron.h"] = cone.polyhedron(6, "inner", { f_max: 20 }).h;
  const places = [[0.1, 0, 0], [-0.1, 0.05, 0], [-0.1, -0.05, 0.01]]; // prettier-ignore
  const wrenches = new bristle.WrenchCone(places, cone.polyhedron(6));
  found["wrench_cone.margin"] = wrenches.margin([0.5, 0, 10, 0.1, 0.2, 0]);
}

function bodies(found) {
  const sine = bristle.Profile.sine(1.73, 0.91, 2);
  found.profile = sine.at([0, 0.13, 0.4]);
  found["grip.eval"] = new bristle.Grip().eval(2, 0.9, 1e-4);
  const disc = bristle.Patch.disc(0.01);
  const finger = new bristle.Contact(disc, bristle.Law.from_mu(1, { r: disc.r }));
  const options = { pose: [0.002, 0, 0], gravity: [0, -9.81] };
  const cup = new bristle.Body(0.2, 5e-4, [new bristle.BodyContact(finger, sine, { count: 2 })], options);
  const names = ["x", "y", "theta", "vx", "vy", "w", "dissipated"];
  const last = (result) => names.map((name) => result.get(name).at(-1));
  found["body.fixed"] = last(cup.simulate(0.5, { method: "fixed", step: 1e-3 }));
  found["body.rosenbrock"] = last(cup.simulate(0.5));

  const belt = bristle.Profile.table([0, 10], [0, 1]);
  const feet = [
    new bristle.BodyContact(finger, 0, { frame: "body", weight: 0.5, count: 2, at: [0.01, 0], support: { position: [belt, 0] } }), // prettier-ignore
    new bristle.BodyContact(finger, 1.5, { grip: new bristle.Grip() }),
  ];
  const held = new bristle.Body(0.2, 5e-4, feet, options);
  let step;
  for (let i = 0; i < 30; i++) {
    step = held.step(2e-3, [0.1, 0, 0.001]);
  }
  found["body.step"] = [held.pose, held.velocity, step.friction, step.work_contacts];
}

function constrained(found) {
  const unit = [[1, 0], [0, 1]]; // prettier-ignore
  const options = { normal: [[0, 1]], mu: 0.3, mu_s: 0.4 };
  const block = new bristle.Constrained(unit, [0.5, -9.81], [[0, 1]], [0], unit, [1, 0], options);
  const value = block.eval();
  found["constrained.eval"] = [value.q_id, value.f_c[0]];
  const slide = block.slide();
  found["constrained.slide"] = [slide.qdd, slide.n];
  const hold = block.hold();
  found["constrained.hold"] = [hold.force, hold.tangential];
}

// of each program
const SAMPLES = [[of_python], [laws, soft_patch, shapes, fields, pressed, grained, surfaces, sliding, cones, bodies, constrained]];

function computed(samples) {
  const found = {};
  samples.forEach((sample) => sample(found));
  return found;
}

function all_numbers(value) {
  return typeof value === "number" ? [value] : Array.from(value).flatMap(all_numbers);
}

function compare(name, expected, found) {
  assert.equal(found.length, expected.length, `${name}: how many numbers`);
  const scale = Math.max(...expected.map(Math.abs).filter(Number.isFinite));
  expected.forEach((number, i) => {
    const tolerance = (LOOSER[name] ?? TOLERANCE) * Math.max(Math.abs(number), 0.1 * scale);
    const same = Object.is(number, found[i]) || Math.abs(found[i] - number) <= tolerance;
    assert.ok(same, `${name}[${i}]: ${found[i]}, C has ${number}, off by ${found[i] - number}`);
  });
}

programs.forEach((program, i) => {
  const found = computed(SAMPLES[i]);
  const expected = Object.fromEntries(from_c(program));
  if (i === 1) {
    test("every sample of C is compared", () => {
      assert.deepEqual(Object.keys(found).sort(), Object.keys(expected).sort());
    });
  }
  for (const [name, value] of Object.entries(found)) {
    test(name, () => compare(name, expected[name], all_numbers(value)));
  }
});
