// RigidFriction without an engine: node rigid.test.mjs FOLDER, the folder of rigid.js.

import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2]);
const { BODY, POINT, RigidFriction, ROW } = await import(pathToFileURL(join(folder, "rigid.js")).href);

const g = 9.81;
const HALF = [0.05, 0.05, 0.03];
const MASS = 0.5;
const h = 1 / 240;

/** A box that stands on the world, as an engine with exact normal forces would have it. */
class Box {
  x = [0, 0, HALF[2]];
  v = [0, 0, 0];

  constructor(mu) {
    this.friction = new RigidFriction();
    this.mu = mu;
  }

  /** A step with the acceleration `a` along x; returns the velocity. */
  step(a) {
    const { friction } = this;
    friction.before(h, 1);
    this.v[0] += h * a + friction.numbers[friction.impulse(0)] / MASS;
    friction.clear(1);
    this.set_body();
    for (const [x, y] of [[1, 1], [1, -1], [-1, -1], [-1, 1]]) this.add_point(x, y); // prettier-ignore
    friction.after(h, 1);
    this.v[0] += friction.numbers[friction.change(0)];
    this.x[0] += h * this.v[0];
    return this.v[0];
  }

  set_body() {
    const { numbers } = this.friction;
    const at = this.friction.body(0);
    numbers.fill(0, at, at + BODY.size);
    numbers.fill(1 / MASS, at + BODY.inv_mass, at + BODY.inv_mass + 3);
    for (let k = 0; k < 3; k++) {
      const inertia = (MASS / 3) * (HALF[(k + 1) % 3] ** 2 + HALF[(k + 2) % 3] ** 2);
      numbers[at + BODY.inv_inertia + 4 * k] = 1 / inertia;
      numbers[at + BODY.R + 4 * k] = 1;
    }
    numbers.set(this.x, at + BODY.x);
    numbers.set(this.v, at + BODY.v);
  }

  add_point(x, y) {
    const at = this.friction.add_point(-1, 0, 7, 1);
    const { numbers } = this.friction;
    numbers.set([this.x[0] + x * HALF[0], y * HALF[1], 0, 0, 0, 1], at + POINT.x);
    numbers[at + POINT.impulse] = (MASS * g * h) / 4;
    numbers[at + POINT.mu] = this.mu;
  }
}

// Oracle: Coulomb's law. A box on which less than mu m g acts stays, but for the deflection of its bristles.
test("a box that is pulled with 0.8 mu g stays", () => {
  const box = new Box(0.5);
  for (let i = 0; i < 480; i++) box.step(0.8 * 0.5 * g);
  const settled = box.x[0];
  for (let i = 0; i < 480; i++) box.step(0.8 * 0.5 * g);
  assert.ok(Math.abs(box.x[0] - settled) < 2e-9, `creeps ${(1e6 * (box.x[0] - settled)) / 2} um/s`); // 1e-3 um/s
  box.friction.free();
});

// Oracle: Coulomb's law. v0^2 / (2 mu g), less h v0 / 2 of the explicit step.
test("a box stops after v0^2 / (2 mu g)", () => {
  const box = new Box(0.2);
  box.v[0] = 0.5;
  for (let i = 0; i < 240; i++) box.step(0);
  const expected = 0.25 / (2 * 0.2 * g) - 0.25 * h;
  assert.ok(Math.abs(box.x[0] - expected) < 0.01 * expected, `${box.x[0]} instead of ${expected}`);
  assert.ok(Math.abs(box.v[0]) < 1e-6);
  const contact = box.friction.contact(7, 1);
  assert.ok(Math.abs(contact.fn - MASS * g) < 1e-9 * MASS * g); // rounding: the points carry its weight
  assert.equal(contact.slider, 0);
  assert.equal(box.friction.contact(8, 1), null);
  assert.ok(box.friction.report.gain < 1e-15);
  box.friction.free();
});

// Oracle: invariant. Lists of the module grow in the first steps; afterwards memory stays as it is.
test("steps do not allocate", () => {
  const box = new Box(0.5);
  for (let i = 0; i < 100; i++) box.step(0.1);
  const { buffer } = box.friction.numbers;
  for (let i = 0; i < 20000; i++) box.step(i % 100 < 50 ? 3 : -3);
  assert.equal(box.friction.numbers.buffer, buffer);
  box.friction.free();
});

// Oracle: a row that holds the body with no impulse limit: friction has nothing to do.
test("rows of joints hold a body", () => {
  const box = new Box(0.5);
  const { friction } = box;
  friction.before(h, 1);
  friction.clear(1);
  box.v[0] = 0;
  box.set_body();
  box.add_point(1, 1);
  friction.add_joint(-1, 0, box.x, [1, 0, 0, 0, 1, 0, 0, 0, 1], 0b111111);
  assert.equal(friction.row_count, 6);
  const at = friction.add_row();
  assert.equal(friction.numbers[at + ROW.upper], Infinity);
  friction.row_count--;
  friction.after(h, 1);
  assert.ok(Math.hypot(...friction.numbers.subarray(friction.change(0), friction.change(0) + 6)) < 1e-12);
  friction.free();
});

test("errors are exceptions with their field", () => {
  assert.throws(() => new RigidFriction({ softnes: 1 }), { name: "ArgumentError", field: "softnes" });
  assert.throws(() => new RigidFriction({ softness: -1 }), { name: "DefinitionError" });
  const friction = new RigidFriction({ rounds: 4 });
  friction.before(h, 1);
  friction.clear(1);
  friction.add_point(-1, 3, 0, 0); // there is no body 3
  assert.throws(() => friction.after(h, 1), { name: "ArgumentError" });
  friction.free();
  friction.free();
});

// a page downloads one of them
test("the modules have their size", () => {
  for (const [name, most] of [["bristle-rigid-simd.wasm", 300600], ["bristle-rigid.wasm", 270000]]) { // prettier-ignore
    const bytes = readFileSync(join(folder, name));
    console.log(`# ${name}: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} gzipped`);
    assert.ok(bytes.length <= most || !process.argv.includes("optimised"), `${name}: ${bytes.length} bytes`);
  }
});
