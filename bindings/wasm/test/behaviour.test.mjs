// Use of bristle.js: errors, memory, callbacks; scenarios, compared with the tables and messages of the command. Arguments: the folder of bristle.js, the command, the folder of scenarios.

import { execFileSync, spawnSync } from "node:child_process";
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

const [folder, command, scenarios] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(folder, name)).href);
const bristle = await load("bristle.js");
const { core } = await load("core.js");
const has_yaml = await load("yaml.js").then(
  () => true,
  () => false, // the package is not installed
);
const scratch = mkdtempSync(join(tmpdir(), "bristle-"));
process.on("exit", () => rmSync(scratch, { recursive: true }));
const { Body, BodyContact, Constrained, Contact, Field, Law, LimitSurface, Mechanism, Patch, Pusher, Scenario } = bristle;

const BOX = {
  body: { mass: 0.5, size: [0.1, 0.1], velocity: [0.5, 0, 3] },
  friction: { mu: 0.3 },
  contact: { frame: "body", patch: { shape: "rectangle", size: [0.1, 0.1] } },
  duration: 0.4,
};

test("a body from mu is that of a scenario", () => {
  const square = new Contact(Patch.rectangle([0.1, 0.1]), 0.3);
  const on_table = new BodyContact(square, "weight", { frame: "body" });
  const inertia = (0.5 * (0.1 ** 2 + 0.1 ** 2)) / 12;
  const body = new Body(0.5, inertia, [on_table], { velocity: [0.5, 0, 3] });
  assert.ok(body.contacts[0].contact.law.sigma1 > 2 * square.law.sigma1);
  const [got, expected] = [body.simulate(0.4), new Scenario(BOX).run()];
  for (const name of ["x", "y", "theta"]) {
    // rounding; with a damping time of 1 ms they differ by 4e-6 or more
    assert.ok(Math.abs(got.columns[name].at(-1) - expected.columns[name].at(-1)) < 1e-9, name);
  }
  const given = new Contact(square.patch, square.law);
  const kept = new Body(0.5, inertia, [new BodyContact(given, 5, { frame: "body" })]);
  assert.equal(kept.contacts[0].contact, given);
});

test("a body on grained ground is that of a scenario", () => {
  const anisotropy = { ratio: 1.6, angle: 0.5, axes: "ground" };
  const square = new Contact(Patch.rectangle([0.1, 0.1]), 0.3, "blocks", { anisotropy });
  assert.deepEqual(square.anisotropy, anisotropy);
  const inertia = (0.5 * (0.1 ** 2 + 0.1 ** 2)) / 12;
  const on_table = new BodyContact(square, "weight", { frame: "body" });
  const got = new Body(0.5, inertia, [on_table], { velocity: [0.5, 0, 3] }).simulate(0.4);
  const expected = new Scenario({ ...BOX, friction: { mu: 0.3, anisotropy } }).run();
  const plain = new Scenario(BOX).run();
  for (const name of ["x", "y", "theta"]) {
    assert.ok(Math.abs(got.columns[name].at(-1) - expected.columns[name].at(-1)) < 1e-9, name); // rounding
    assert.ok(Math.abs(plain.columns[name].at(-1) - expected.columns[name].at(-1)) > 1e-4, name);
  }
});

test("a bad anisotropy is refused", () => {
  const make = (anisotropy) => () => new Contact(Patch.disc(0.01), 0.3, "reduced", { anisotropy });
  assert.throws(make({ ratio: 0 }), /anisotropy.ratio: must be in 0.001..1000, got 0/);
  assert.throws(make({ ratio: NaN }), /anisotropy.ratio/);
  assert.throws(make({ ratio: 2, axes: "table" }), /anisotropy.axes: must be one of body, ground/);
  assert.throws(make({ ratoi: 2 }), /did you mean 'ratio'/);
  const ground = { ratio: 2, axes: "ground" };
  assert.throws(() => new Contact(Patch.rectangle([0.01, 0.02]), 0.3, "reduced", { anisotropy: ground }), /anisotropy.axes/);
  assert.throws(() => new LimitSurface(Patch.disc(0.01), { anisotropy: ground }), /anisotropy.axes: must be body/);
});

test("a box slides onto ice as in a scenario, and half on it in closed form", () => {
  const field = new Field([[1, 0.1]], [1, 1]); // ice for x > 0
  const options = { resolution: 10, field, field_moves: true };
  const numbers = { mu_c: 0.4, mu_s: 0.4, sigma0: 1e6, sigma1: 1000, sigma2: 0 };
  const law = new Law({ kind: "elasto-plastic", ...numbers, v_stribeck: 2e-3 });
  const contact = new Contact(Patch.rectangle([0.2, 0.1]), law, "distributed", options);
  const { pressure, friction, factor } = contact.centres();
  assert.ok(Math.abs(factor - 0.55) < 1e-13);
  assert.ok(Math.abs(friction[0] + (0.9 * 0.2) / 8 / 0.55) < 1e-13);
  assert.ok(Math.abs(pressure[0]) < 1e-15);
  assert.ok(Math.abs(contact.at([-0.5, 0, 0]).steady([0, 1, 0], 10)[1] + 4) < 1e-12);
  const foot = new BodyContact(contact, 0.5 * 9.81, { frame: "body" });
  const start = { pose: [-0.2, 0.02, 0.3], velocity: [1, 0, 0] };
  const got = new Body(0.5, 0.002, [foot], start).simulate(0.4, { every: 0.01 });
  const expected = new Scenario({
    body: { mass: 0.5, inertia: 0.002, ...start },
    model: "distributed",
    friction: { ...numbers, v_s: 2e-3, field: { grid: [[1, 0.1]], size: [1, 1] } },
    contact: {
      frame: "body",
      patch: { shape: "rectangle", size: [0.2, 0.1], resolution: 10 },
      normal_force: 0.5 * 9.81,
    },
    duration: 0.4,
    output: { every: 0.01 },
  }).run();
  for (const name of ["x", "y", "theta", "cof_x", "mu_factor"]) {
    assert.equal(got.columns[name].at(-1), expected.columns[name].at(-1), name);
  }
  assert.ok(Math.abs(got.columns.theta.at(-1) - 0.3) > 1e-3);
  assert.throws(() => new Field([[1, -1]], [1, 1]), { field: "grid" });
  const reduced = () => new Contact(Patch.disc(0.01), 0.3, "reduced", { field, field_moves: true });
  assert.throws(reduced, { field: "field" });
});

test("a contact on triangles follows pressures and vertices, and refuses wrong ones", () => {
  const square = [[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]]; // prettier-ignore
  const halves = [[0, 1, 2], [0, 2, 3]]; // prettier-ignore
  const make = (pressures, method = "distributed") => new Contact(Patch.triangles(square, pressures, halves), 0.4, method);
  const pad = make([1, 1, 1, 1]);
  const pressures = Float64Array.of(1, 3, 3, 1);
  const [now, created] = [pad.at_pressure(pressures), make(pressures)];
  pressures.fill(1); // it has a copy
  assert.ok(Math.abs(now.cop[0] - 0.7 / 12) < 1e-15 && Math.abs(now.cop[1] - 0.05) < 1e-15); // closed form
  created.steady([0.1, 0.2, 3], 5).forEach((f, i) => assert.ok(Math.abs(now.steady([0.1, 0.2, 3], 5)[i] - f) < 1e-12));
  assert.deepEqual(now.patch.numbers, created.patch.numbers);
  assert.notDeepEqual(pad.patch.numbers, created.patch.numbers);
  const wide = now.at_pressure([1, 3, 3, 1], { vertices: square.flat().map((x) => 2 * x) });
  assert.ok(Math.abs(wide.cop[0] - 1.4 / 12) < 1e-15);
  const z = pad.state();
  for (let i = 0; i < 50; i++) {
    const step = pad.at_pressure([1 + Math.sin(i), 1, 2, 1]);
    const f = step.step(z, [0.1, 0, 0], 5, 0.01);
    step.free();
    assert.ok(f[0] < 0 && f[0] > -2.1); // mu fn = 2, whatever the pressure
  }
  const none = pad.at_pressure([0, 0, 0, 0]);
  assert.equal(none.patch, pad.patch);
  pad.free(); // from which others borrow
  assert.ok(now.steady([1, 0, 0], 5)[0] < -1.9);
  const fresh = make([1, 1, 1, 1]);
  assert.throws(() => fresh.at_pressure([1, 2, 3]), /pressures: must be as many as there are vertices, 4, got 3/);
  assert.throws(() => fresh.at_pressure([1, 2, 3, -1]), /pressures: must be >= 0 and finite, got -1 at vertex 3/);
  assert.throws(() => fresh.at_pressure([1, NaN, 3, 4]), /pressures: must be >= 0 and finite, got -?nan at vertex 1/);
  assert.throws(() => fresh.at_pressure([1, 2, 3, 4], { vertices: [0, 0] }), /vertices: must be 8 numbers, got 2/);
  assert.throws(() => fresh.at_pressure([1, 2, 3, 4], { vertics: square }), /did you mean 'vertices'/);
  assert.throws(() => make([1, 1, 1, 1], "reduced").at_pressure([1, 2, 3, 4]), /method: must be blocks or distributed/);
  assert.throws(() => new Contact(Patch.disc(0.01), 0.3).at_pressure([1]), /patch: must be triangles/);
});

test("a body from mu_c and mu_s is that of a scenario", () => {
  const body = { mass: 1, inertia: 1.25e-3, velocity: [3, 0, 20] };
  const contact = { frame: "body", patch: { shape: "disc", radius: 0.05 }, normal_force: "weight" };
  for (const friction of [{ mu_c: 0.1, mu_s: 0.1 }, { mu_c: 0.1, mu_s: 0.12, sigma1: 5 }, { mu: 0.1, sigma0: 1e4 }]) {
    const pad = new BodyContact(new Contact(Patch.disc(0.05), new Law(friction)), "weight", { frame: "body" });
    const got = new Body(1, 1.25e-3, [pad], { velocity: body.velocity }).simulate(4);
    const expected = new Scenario({ body, contact, friction, duration: 4 }).run();
    for (const name of ["x", "y", "theta"]) {
      // rounding
      assert.ok(Math.abs(got.columns[name].at(-1) - expected.columns[name].at(-1)) < 1e-9, name);
    }
  }
  const table = new Law();
  assert.deepEqual([table.mu_s, table.sigma0, table.sigma1, table.sigma2], [1.2, 1e6, 800, 0.2]);
  const law = new Law({ mu_c: 0.3, mu_s: 0.4, sigma0: 1e5, sigma1: 3 });
  assert.equal(new Contact(Patch.disc(0.01), law).law, law);
  assert.throws(() => new Law({ mu_c: 0.3 }), { field: "mu_c", reason: /needs mu_s, too; or give mu/ });
  assert.throws(() => new Law({ mu: 0.3, mu_c: 0.3, mu_s: 0.3 }), { field: "mu", reason: /no meaning beside/ });
  assert.equal(new Law({ kind: "coulomb", mu_c: 0.3 }).mu_s, 0.3);
});

test("unknown options are refused with the nearest name and all names", () => {
  const [disc, contact] = [Patch.disc(0.01), new Contact(Patch.disc(0.01), 0.3)];
  const refused = [
    [() => Patch.disc(0.01, { center: [1, 2] }), "Patch.disc: no option 'center'; did you mean 'centre'? there are: pressure, centre, angle, sampling"],
    [() => Patch.points([[0, 0]], { weight: [1] }), "Patch.points: no option 'weight'; did you mean 'weights'?"],
    [() => new Law({ mu: 0.3, v_dampng: 1 }), "Law: no option 'v_dampng'; did you mean 'v_damping'? there are: mu, kind, mu_c,"],
    [() => Law.from_mu(0.3, { m: 1 }), "Law.from_mu: no option 'm'; "],
    [() => new Contact(disc, 0.3, "blocks", { mu: 0.3 }), "Contact: no option 'mu'; a coefficient is the second argument"],
    [() => contact.steady([1, 0, 0], 1, { zz: 1 }), "Contact.steady: no option 'zz'"],
    [() => new BodyContact(contact, 1, { position: [0, 0] }), "BodyContact: no option 'position'; its position is 'at', the motion"],
    [() => new BodyContact(contact, 1, { support: { x: 1 } }), "BodyContact.support: no option 'x'"],
    [() => new Body(1, 1, [], { velocty: [0, 0, 0] }), "Body: no option 'velocty'; did you mean 'velocity'?"],
    [() => new Body(1, 1).simulate(1, { evry: 0.1 }), "Body.simulate: no option 'evry'; did you mean 'every'?"],
    [() => new bristle.Grip({ target: 0.5 }), "Grip: no option 'target'; there are: period,"],
    [() => new bristle.Load({ fz: 1 }), "Load: no option 'fz'; did you mean 'fx'?"],
    [() => bristle.Profile.sine(1, 1, 1, 0, { begin: 1 }), "Profile.sine: no option 'begin'"],
    [() => new bristle.ByForce(1, { exp: 1 }), "ByForce: no option 'exp'"],
    [() => new LimitSurface(disc, { metod: "exact" }), "LimitSurface: no option 'metod'; did you mean 'method'?"],
    [() => new Scenario(BOX, { sets: {} }), "Scenario: no option 'sets'; did you mean 'set'?"],
    [() => bristle.run(BOX, { stopp: null }), "run: no option 'stopp'; did you mean 'stop'?"],
    [() => Patch.disc(0.01, "hertz"), "Patch.disc: options must be an object { pressure, centre, angle, sampling }, got hertz"],
  ];
  for (const [make, text] of refused) {
    assert.throws(make, (error) => error instanceof TypeError && error.message.startsWith(text), text);
  }
});

test("arguments that are numbers or Profiles are named", () => {
  const contact = new Contact(Patch.disc(0.01), 0.3);
  const missing = { name: "ArgumentError", field: "normal_force", reason: /is missing before the options/ };
  assert.throws(() => new BodyContact(contact, { weight: 1, frame: "body" }), missing);
  assert.throws(() => new BodyContact(contact, NaN), { field: "normal_force", reason: /finite number or a Profile, got number NaN/ });
  assert.throws(() => new Body(1, 1, [], { gravity: [0, "g"] }), { field: "gravity", reason: /got string g/ });
  assert.throws(() => new bristle.Load({ fx: undefined, tau: {} }), { field: "tau" });
});

test("errors are exceptions with field and reason", () => {
  const expected = { name: "DefinitionError", field: "mu_s", reason: /must be >= mu_c/ };
  assert.throws(() => new Law({ mu_c: 0.3, mu_s: 0.2 }), expected);
  assert.throws(() => Patch.disc(-1), { field: "radius" });
  assert.throws(() => new Contact(Patch.disc(0.01), 0.3, "nonsense"), { field: "method" });
  const contact = new Contact(Patch.disc(0.01), 0.3);
  assert.throws(() => contact.step(contact.state(), [1, 0, 0], -1, 1e-3), { field: "fn" });
  assert.throws(() => contact.step(contact.state(), [1, 0, 0], 1, 0), { field: "h" });
  assert.throws(() => contact.step(contact.state(), [1, 0], 1, 1e-3), { field: "v" });
  assert.throws(() => contact.step([0, 0], [1, 0, 0], 1, 1e-3), TypeError);
  assert.throws(() => new Law({ kind: "dry" }), bristle.ArgumentError);
  const nobody = [new BodyContact(contact, 1, { count: 0 })];
  assert.throws(() => new Body(0.2, 5e-4, nobody), { name: "DefinitionError", field: "contacts[0].count" }); // prettier-ignore
  assert.throws(() => new Body(1, 1, [], { gravity: [0, 0, -9.81] }), { field: "gravity" });
  assert.throws(() => new Body(1, 1, [], { start: "at once" }), { field: "start" });
});

test("arrays that the module would read or write past are refused", () => {
  const contact = new Contact(Patch.disc(0.01), 0.3, "distributed", { resolution: 4 });
  const n = contact.state_count;
  const wrong = [new Float64Array(n - 1), new Float64Array(n + 1), new Float32Array(n), Array(n).fill(0), null]; // prettier-ignore
  for (const z of wrong) {
    const body = new Body(1, 1e-3, [new BodyContact(contact, 5, { frame: "body" })]);
    body.states[0] = z;
    const expected = new RegExp(`must be a Float64Array of ${n}, got`);
    assert.throws(() => body.step(1e-3), { field: "states[0]", reason: expected });
    body.states = [];
    assert.throws(() => body.step(1e-3), { field: "states", reason: /must be 1 arrays, got 0/ });
  }
  const pairs = { rows: [[0, 0], [1, 1]], width: 2, numbers: [0, 0, 1, 1] }; // prettier-ignore
  assert.throws(() => new Patch("points", { table: pairs }, {}), { field: "table", reason: /2 rows of 3 numbers, got 4 numbers in rows of 2/ }); // prettier-ignore
  assert.throws(() => new Patch("polygon", { table: { ...pairs, numbers: [0] } }, {}), { field: "table" }); // prettier-ignore
  assert.throws(() => new Patch("disc", { table: pairs }, {}), { field: "table" });
});

test("steps are those of a fixed run, and a run continues from them", () => {
  const pad = new Contact(Patch.disc(0.01), 0.3);
  const base = Patch.rectangle([0.15, 0.08]);
  const table = (from, to) => bristle.Profile.table([0, 10], [from, to]);
  const foot = new BodyContact(pad, 0, { frame: "body", weight: 1 });
  const cases = [
    () => new Body(1, 1e-3, [foot], { velocity: [1, 0, 3] }),
    () => new Body(1, 1e-3, [new BodyContact(pad, 5, { frame: "body", motion: [table(0, 5), 0, 0] })]),
    () => new Body(0.2, 1e-3, [new BodyContact(pad, 5, { count: 2, grip: new bristle.Grip() })], { gravity: [0, -9.81] }), // prettier-ignore
    () => new Body(0.5, 1e-3, [foot], { outline: base, pusher: new bristle.BodyPusher(table(-0.081, 0.919), 0.02) }), // prettier-ignore
    () => new Body(0.5, 1e-3, [new BodyContact(pad, 2)], { outline: base, velocity: [1.5, 0, 1] }),
  ];
  for (const make of cases) {
    const [whole, body] = [make().simulate(0.2, { method: "fixed", step: 1e-3 }), make()];
    for (let i = 0; i < 100; i++) {
      body.step(1e-3);
    }
    const rest = body.simulate(0.1, { method: "fixed", step: 1e-3, every: 0.03 });
    assert.deepEqual(Array.from(rest.get("t"), (t) => t.toFixed(9)), ["0.100000000", "0.130000000", "0.160000000", "0.190000000", "0.200000000"]); // prettier-ignore
    for (let i = 0; i < 100; i++) {
      body.step(1e-3);
    }
    ["x", "y", "theta"].forEach((name, i) => {
      for (const result of [whole, rest]) {
        assert.ok(Math.abs(result.get(name).at(-1) - body.pose[i]) < 1e-11, name); // rounding
      }
    });
  }
});

test("many elements in one call equal single calls", () => {
  const contact = new Contact(Patch.disc(0.01), 0.3, "reduced");
  const twists = [[0.1, 0, 0], [0, 0.02, 1], [1e-4, 0, -3]]; // prettier-ignore
  const many = contact.state(3);
  const wrenches = contact.step(many, twists, [1, 2, 3], 1e-3);
  twists.forEach((twist, i) => {
    const z = contact.state();
    const wrench = contact.step(z, twist, i + 1, 1e-3);
    assert.deepEqual(wrenches.slice(3 * i, 3 * i + 3), wrench);
    assert.deepEqual(many.slice(3 * i, 3 * i + 3), z);
  });
  assert.equal(contact.steady([0.1, 0, 0], [1, 2, 3]).length, 9);
});

test("memory is released, by free() and by using", () => {
  const make = () => {
    const patch = Patch.disc(0.01);
    const contact = new Contact(patch, 0.3, "distributed", { resolution: 101 });
    patch.free(); // the contact keeps what it needs
    assert.ok(contact.steady([0.1, 0, 0], 5)[0] < 0);
    contact[Symbol.dispose]();
    assert.throws(() => contact.steady([0.1, 0, 0], 5), /has been freed/);
    contact.free();
    new Pusher(Patch.rectangle([0.1, 0.1])).free();
    bristle.run(BOX);
  };
  make();
  const before = core.memory.buffer.byteLength;
  for (let i = 0; i < 200; i++) {
    make();
  }
  // small objects wait for the garbage collector; a leak would be some 300 kB each time
  const grown = core.memory.buffer.byteLength - before;
  assert.ok(grown < 4e6, `memory grew by ${grown} bytes`);
});

test("moves and accelerations start and end as defined", () => {
  const move = bristle.Profile.move(0.5, 1, { from: -0.5, start: 2 });
  assert.deepEqual(Array.from(move.at([0, 2, 2.5, 3, 9])), [-0.5, -0.5, 0, 0.5, 0.5]);
  const fast = bristle.Profile.accelerate(0.5, 1);
  assert.deepEqual(Array.from(fast.at([0, 1, 2])), [0, 0.25, 0.75]);
  assert.throws(() => bristle.Profile.move(1, 0), bristle.DefinitionError);
  const heavy = { ...BOX, body: { ...BOX.body, mass: "500 g" } };
  assert.deepEqual(Array.from(bristle.run(heavy).get("x")), Array.from(bristle.run(BOX).get("x")));
});

test("blocks of any size do not overlap, are aligned, and are reused", () => {
  const size = (i) => Math.floor(1.21 ** (i % 70)); // [bytes], up to 0.5 MB
  const blocks = Array.from({ length: 140 }, (_, i) => [core.memory_allocate(size(i)), size(i)]);
  const sorted = [...blocks].sort(([a], [b]) => a - b);
  sorted.forEach(([address, bytes], i) => {
    assert.equal(address % 16, 0);
    assert.ok(i + 1 === sorted.length || address + bytes <= sorted[i + 1][0], `${bytes} bytes at ${address}`);
  });
  const before = core.memory.buffer.byteLength;
  const addresses = () => blocks.map(([address]) => address).sort();
  const first = addresses();
  blocks.forEach(([address]) => core.memory_release(address));
  blocks.forEach((block) => (block[0] = core.memory_allocate(block[1])));
  assert.deepEqual(addresses(), first);
  assert.equal(core.memory.buffer.byteLength, before);
  blocks.forEach(([address]) => core.memory_release(address));
  assert.equal(core.memory_allocate(0xfffffff0), 0); // more than there can be
});

test("an object that borrows from a freed object keeps it alive", () => {
  const patch = Patch.disc(0.01);
  const surface = new LimitSurface(patch);
  patch.free();
  assert.equal(surface.wrench([1, 0, 0])[0], -1);
  surface.free();
});

test("a box that friction cannot hold falls at once", () => {
  const finger = new Contact(Patch.disc(0.01, { pressure: "hertz" }), 0.8);
  const box = new Body(0.2, 4e-4, [new BodyContact(finger, 1.2, { count: 2 })], { gravity: [0, -9.81] });
  const y = box.simulate(0.5).columns.y;
  assert.ok(Math.abs(y[y.length - 1] + 0.02625) < 1e-5); // closed form: (g - 2 mu fn/m) t^2/2 [m]
});

test("feet share the weight by the lever rule", () => {
  const pad = new Contact(Patch.disc(0.005), 0.4);
  const foot = (x) => new BodyContact(pad, "weight", { frame: "body", at: [x, 0] });
  const { fn1, fn2 } = new Body(1, 1e-3, [foot(0.09), foot(-0.03)]).simulate(0.01).columns;
  assert.ok(Math.abs(fn1[0] - 0.25 * 9.81) < 1e-12 && Math.abs(fn2[0] - 0.75 * 9.81) < 1e-12);
  assert.throws(() => new Body(1, 1e-3, [foot(0.09), foot(0.03)]).simulate(0.01), /outside of the support/);
});

test("the outline of many points in any order is their convex hull", () => {
  const ring = Array.from({ length: 41 }, (_, i) => [0.05 * Math.cos((2 * Math.PI * i) / 41), 0.03 * Math.sin((2 * Math.PI * i) / 41)]);
  const points = ring.flatMap((_, i) => [ring[(12 * i) % 41], ring[(7 * i) % 41].map((x) => 0.9 * x)]);
  const outline = new Pusher(Patch.points(points)).outline();
  const corners = Array.from({ length: outline.length / 2 }, (_, i) => Array.from(outline.subarray(2 * i, 2 * i + 2)));
  const by_angle = (a, b) => Math.atan2(a[1] / 3, a[0] / 5) - Math.atan2(b[1] / 3, b[0] / 5);
  assert.deepEqual(corners.at(-1), corners[0]); // it is closed
  assert.deepEqual(corners.slice(1).sort(by_angle), ring.sort(by_angle));
});

test("a puck stops after v^2/(2 mu g)", () => {
  const table = new Contact(Patch.disc(0.02), 0.3);
  const entry = new BodyContact(table, 9.81, { frame: "body" });
  const puck = new Body(1, 2e-4, [entry], { velocity: [1, 0, 0] });
  while (Math.abs(puck.velocity[0]) > 1e-4) {
    puck.step(0.01);
  }
  // closed form, minus the error of a step of 10 ms of order 1
  assert.ok(Math.abs(puck.pose[0] - 1 / (2 * 0.3 * 9.81)) < 1e-4, `${puck.pose[0]}`);
});

// closed form: I w^2/(2 mu m g L), L = 50 mm; tolerances: errors of bristles and of steps of 0.1 ms
test("a bar on two feet turns by their distance, in runs and steps", () => {
  const foot = new Contact(Patch.disc(0.005), 0.4);
  const feet = [0.05, -0.05].map((x) => new BodyContact(foot, 0, { frame: "body", at: [x, 0], weight: 0.5 }));
  const inertia = (0.12 ** 2 + 0.02 ** 2) / 12;
  const turned = (inertia * 4.4 ** 2) / (2 * 0.4 * 9.81 * 0.05);
  const bar = new Body(1, inertia, feet, { velocity: [0, 0, 4.4] });
  const theta = bar.simulate(0.1).columns.theta;
  assert.ok(Math.abs(theta.at(-1) - turned) < 5e-3 * turned, `${theta.at(-1)}`);

  const pressed = feet.map(({ at }) => new BodyContact(foot, 0.5 * 9.81, { frame: "body", at }));
  const stepped = new Body(1, inertia, pressed, { velocity: [0, 0, 4.4] });
  for (let i = 0; i < 1000; i++) {
    stepped.step(1e-4);
  }
  assert.ok(Math.abs(stepped.pose[2] - turned) < 5e-3 * turned, `${stepped.pose[2]}`);

  // the position of a table without motion has no effect; that of the contact was meant
  const wrong = new BodyContact(foot, 5, { frame: "body", support: { position: [0.05, 0] } });
  const expected = { field: "contacts[0].motion", reason: /`at`/ };
  assert.throws(() => new Body(1, inertia, [wrong]).simulate(0.1), expected);
  assert.throws(() => new BodyContact(foot, 5, { support: {}, motion: [0, 0, 0] }), { field: "support" });
});

const unit = [[1, 0], [0, 1]]; // prettier-ignore
const floor = (t, q) => [[[0, 1]], [0], [q[1]]];
const touch = (t, q) => [q, unit, [0, 0], [[0, 1]]];

test("a mechanism from JavaScript functions stops after v^2/(2 mu g)", () => {
  const dynamics = (t, q) => [unit, [0, -9.81], 9.81 * q[1], 0];
  const block = new Mechanism(dynamics, floor, touch, new Law({ mu: 0.3, kind: "coulomb" }));
  const result = block.simulate(0.5, [0, 0], [1, 0]);
  assert.deepEqual(result.events.map(({ kind }) => kind), ["stick"]);
  // the tolerances of mechanisms, 1e-11
  assert.ok(Math.abs(result.get("q1").at(-1) - 1 / (2 * 0.3 * 9.81)) < 1e-9);
});

const block_on = (constraint, contact, options) =>
  new Mechanism((t, q) => [unit, [0, -9.81], 9.81 * q[1], 0], constraint, contact, new Law({ mu: 0.3, kind: "coulomb" }), options);

test("a mechanism's floor may rise, and its surface may move", () => {
  const faster = (t, q) => [[[0, 1]], [2], [q[1] - t * t], [-2 * t]];
  const risen = block_on(faster, touch).simulate(0.25, [0, 0]);
  // closed forms; 1e-9: the tolerances of mechanisms
  assert.ok(Math.abs(risen.get("q2").at(-1) - 0.0625) < 1e-9);
  assert.ok(Math.abs(risen.get("work_constraints").at(-1) - (9.81 * 0.0625 + 0.125)) < 1e-9);
  assert.equal(risen.summary.work_constraints, risen.get("work_constraints").at(-1));
  const belt = (t, q) => [q, unit, [0, 0], [[0, 1]], [1.2, 0], [0, 0]];
  const carried = block_on(floor, belt).simulate(1, [0, 0]);
  assert.ok(Math.abs(carried.get("q1").at(-1) - (1.2 - 1.2 ** 2 / (2 * 0.3 * 9.81))) < 1e-9);
  const system = [unit, [0, -9.81], [[0, 1]], [0], unit, [1, 0.5]];
  const slide = new Constrained(...system, { normal: [[0, 1]], mu: 0.3, surface_velocity: [3, 0.5] }).slide();
  assert.ok(Math.abs(slide.friction[0] - 0.3 * 9.81) < 1e-14 && slide.friction[1] === 0);
});

test("results of functions with motion are checked", () => {
  const run = (constraint, contact, options) => () => block_on(constraint, contact, options).simulate(0.25, [0, 0]);
  const without = (t, q) => [[[0, 1]], [0], [q[1] - 0.5 * t]];
  assert.throws(run(without, touch), { field: "rate", reason: /rate d\(gap\)\/dt at fixed q/ });
  assert.throws(run(() => [[[0, 1]], [0]], touch), /constraint: must return \[A, b, gap\] or \[A, b, gap, rate\], got an array of 2/);
  assert.throws(run(() => [[[0, 1]], [0], [0], [0, 0]], touch), /rate: must be 1 numbers, got 2/);
  assert.throws(run(() => [[[0], [1]], [0], [0]], touch), /A: row 0 must have 2 numbers, got 1/);
  assert.throws(run(floor, (t, q) => [...touch(t, q), [0, 0]]), /contact: must return .*, got an array of 5/);
  assert.throws(run(floor, touch, { sigma_axes: [1, 1] }), /need kind: dahl/);
  assert.throws(run(floor, touch, { dahl: "axes" }), /dahl: must be one of vector, per-axis, printed/);
});

test("an exception of a callback ends the run and is thrown", () => {
  const fail = () => {
    throw new RangeError("mine");
  };
  assert.throws(() => new Mechanism(fail, floor, touch).simulate(0.5, [0, 0], [1, 0]), /mine/);
  const scenario = new Scenario(BOX);
  assert.throws(() => scenario.run({ stop: fail }), /mine/);
  assert.throws(() => scenario.run({ stop: (t) => t > 0.01 }), bristle.StoppedError);
  assert.ok(scenario.run().rows > 100); // and it runs again
});

test("a scenario from an object reports all its errors, and accepts other values", () => {
  assert.throws(
    () => bristle.run({ body: { mass: -1 } }),
    (error) => {
      const keys = error.problems.map(({ key }) => key);
      assert.equal(error.mistakes, error.problems); // the name in version 0.2
      assert.deepEqual(keys, ["duration", "body.mass", "body.size"]);
      return error instanceof bristle.ScenarioError;
    },
  );
  const box = new Scenario(BOX);
  const far = (mu) => box.variant({ "friction.mu": mu }).run().get("x").at(-1);
  assert.ok(far(0.2) > far(0.4));
  const turned = box.variant({ "body.velocity": [0, 0.5, 3] }).run();
  assert.ok(turned.get("y").at(-1) > 0.02);
  assert.throws(() => box.variant({ "friction.muu": 1 }), /did you mean mu/);
});

test("text without a reader of YAML gives an error with a hint", { skip: has_yaml }, () => {
  assert.throws(() => new Scenario("a: 1\n"), bristle.AbsentError);
});

const files = Object.fromEntries(
  readdirSync(scenarios)
    .filter((name) => name.endsWith(".csv"))
    .map((name) => [name, readFileSync(join(scenarios, name))]),
);

/** The last row of the command's table, by columns. */
function by_command(path) {
  const table = join(scratch, "table.csv");
  execFileSync(command, ["run", path, "-o", table, "-q"]);
  const lines = readFileSync(table, "utf8").trim().split("\n");
  const rows = lines.filter((line) => !line.startsWith("#")).map((line) => line.split(","));
  return rows[0].map((name, i) => [name, rows.slice(1).map((row) => row[i])]);
}

/** Fails unless a run has the command's table. */
function compare(path, text) {
  const result = bristle.run(text, { name: path, files });
  for (const [column, words] of by_command(path)) {
    const own = result.get(column);
    assert.equal(own.length, words.length);
    // words; and the error of the energy balance, which is nothing but the error of either run
    if (!(own instanceof Float64Array) || column === "residual") {
      continue;
    }
    const numbers = words.map(Number);
    const scale = Math.max(...numbers.map(Math.abs));
    const off = Math.max(...numbers.map((number, i) => Math.abs(number - own[i])));
    // both are within the tolerances of adaptive runs, rtol 1e-6 and more over many steps; where nothing moves,
    // numbers are noise below the absolute tolerance, 2e-8
    assert.ok(off <= 1e-3 * scale + 2e-8, `${column}: off by ${off} of ${scale}`);
  }
}

// quick ones of each kind
for (const name of ["in_hand", "incline", "presliding", "stick_slip", "pushed_box", "slider_path", "mechanism_block"]) {
  const path = join(scenarios, `${name}.yaml`);
  test(`${name}.yaml gives the command's table`, { skip: !has_yaml && "the package yaml is not installed" }, () => {
    compare(path, readFileSync(path, "utf8"));
  });
}

// random everyday scenes, by the program of test/scenes
const scenes = process.env.BRISTLE_SCENES;
for (let i = 0; i < 12 && scenes; i++) {
  test(`scene ${i} gives the command's table`, { skip: !has_yaml && "the package yaml is not installed" }, () => {
    const path = join(scratch, `scene${i}.yaml`);
    const text = execFileSync(scenes, ["print", "1", String(i)], { encoding: "utf8" });
    writeFileSync(path, text);
    compare(path, text);
  });
}

const BROKEN = [
  "body:\n  mass: -1e-3\n  size: [0.1, 0.1]\nfriction: {mu: 0.3, muu: 2}\ncontact:\n  frame: bodie\n" +
    "  patch: {shape: disc, radius: 0.01}\n",
  "law: {kind: lugre, mu_c: 1}\nrig:\n  mass: one\n  stiffness: 100\n  pull: 0.01\nduration: 1\n",
  "body: {mass: 1}\nbody: {mass: 2}\n",
  "body: &anchor {mass: 1}\n",
  "- a\n- b\n",
  "",
  "a: 1\n---\nb: 2\n",
  "motion:\n  file: nowhere.csv\nlaw: {kind: dahl}\n",
];

for (const [i, text] of BROKEN.entries()) {
  test(`broken text ${i} gives the command's messages`, { skip: !has_yaml && "the package yaml is not installed" }, () => {
    const path = join(scratch, "broken.yaml");
    writeFileSync(path, text);
    const { stderr, status } = spawnSync(command, ["check", path], { encoding: "utf8" });
    assert.equal(status, 2);
    const expected = stderr.trim().split("\n").map((line) => line.replace(/^bristle: /, ""));
    assert.throws(
      () => new Scenario(text, { name: path }),
      (error) => {
        const reported = error.message.split("\n").map((line) => line.replace(/no such file was given/, "No such file or directory"));
        assert.deepEqual(reported, expected);
        return true;
      },
    );
  });
}

test("an error of YAML has its line", { skip: !has_yaml && "the package yaml is not installed" }, () => {
  assert.throws(
    () => new Scenario("body:\n  mass: [1, 2\nduration: 1\n", { name: "x.yaml" }),
    (error) => error.problems[0].line >= 2 && /is not YAML/.test(error.message),
  );
});
