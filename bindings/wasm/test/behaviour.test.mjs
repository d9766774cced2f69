// bristle.js as it is used: mistakes, memory, callbacks; scenarios beside the command, whose tables and messages are
// the oracle. Arguments: the folder of bristle.js, the command, the folder of scenarios.

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
const { Body, BodyContact, Contact, Law, LimitSurface, Mechanism, Patch, Pusher, Scenario } = bristle;

const BOX = {
  body: { mass: 0.5, size: [0.1, 0.1], velocity: [0.5, 0, 3] },
  friction: { mu: 0.3 },
  contact: { frame: "body", patch: { shape: "rectangle", size: [0.1, 0.1] } },
  duration: 0.4,
};

test("mistakes are exceptions with field and reason", () => {
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
  const nobody = new Body(0.2, 5e-4, [new BodyContact(contact, 1, { count: 0 })]);
  assert.throws(() => nobody.step(1e-3), { name: "DefinitionError", field: "contacts.count" });
});

test("many elements in one call are those of single calls", () => {
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

test("memory comes back, by free() and by using", () => {
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
  // small things wait for the garbage collector; what leaked would be some 300 kB a time
  const grown = core.memory.buffer.byteLength - before;
  assert.ok(grown < 4e6, `memory grew by ${grown} bytes`);
});

test("memory of any size is apart, in line, and given again", () => {
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

test("what borrows from a freed thing keeps it alive", () => {
  const patch = Patch.disc(0.01);
  const surface = new LimitSurface(patch);
  patch.free();
  assert.equal(surface.wrench([1, 0, 0])[0], -1);
  surface.free();
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
  // closed form, less what a step of 10 ms of order 1 is off
  assert.ok(Math.abs(puck.pose[0] - 1 / (2 * 0.3 * 9.81)) < 1e-4, `${puck.pose[0]}`);
});

const unit = [[1, 0], [0, 1]]; // prettier-ignore
const floor = (t, q) => [[[0, 1]], [0], [q[1]]];
const touch = (t, q) => [q, unit, [0, 0], [[0, 1]]];

test("a mechanism of one's own functions stops after v^2/(2 mu g)", () => {
  const dynamics = (t, q) => [unit, [0, -9.81], 9.81 * q[1], 0];
  const block = new Mechanism(dynamics, floor, touch, new Law({ mu: 0.3, kind: "coulomb" }));
  const result = block.simulate(0.5, [0, 0], [1, 0]);
  assert.deepEqual(result.events.map(({ kind }) => kind), ["stick"]);
  // the tolerances of mechanisms, 1e-11
  assert.ok(Math.abs(result.get("q1").at(-1) - 1 / (2 * 0.3 * 9.81)) < 1e-9);
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

test("a scenario from an object tells all its mistakes, and takes other values", () => {
  assert.throws(
    () => bristle.run({ body: { mass: -1 } }),
    (error) => {
      const keys = error.mistakes.map(({ key }) => key);
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

test("text without a reader of YAML says what to do", { skip: has_yaml }, () => {
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

// quick ones of each kind
for (const name of ["in_hand", "incline", "presliding", "stick_slip", "pushed_box", "slider_path", "mechanism_block"]) {
  const path = join(scenarios, `${name}.yaml`);
  test(`${name}.yaml gives the command's table`, { skip: !has_yaml && "the package yaml is not installed" }, () => {
    const result = bristle.run(readFileSync(path, "utf8"), { name: path, files });
    for (const [column, words] of by_command(path)) {
      const own = result.get(column);
      assert.equal(own.length, words.length);
      if (!(own instanceof Float64Array)) {
        continue;
      }
      const numbers = words.map(Number);
      const scale = Math.max(...numbers.map(Math.abs));
      const off = Math.max(...numbers.map((number, i) => Math.abs(number - own[i])));
      // both are within the tolerances of adaptive runs, rtol 1e-6 and more over many steps; where nothing moves,
      // numbers are noise below the absolute tolerance, 2e-8
      assert.ok(off <= 1e-3 * scale + 2e-8, `${column}: off by ${off} of ${scale}`);
    }
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
        const told = error.message.split("\n").map((line) => line.replace(/no such file was given/, "No such file or directory"));
        assert.deepEqual(told, expected);
        return true;
      },
    );
  });
}

test("text that is not YAML tells its line", { skip: !has_yaml && "the package yaml is not installed" }, () => {
  assert.throws(
    () => new Scenario("body:\n  mass: [1, 2\nduration: 1\n", { name: "x.yaml" }),
    (error) => error.mistakes[0].line >= 2 && /is not YAML/.test(error.message),
  );
});
