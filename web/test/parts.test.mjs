/**
 * Parts of the page that need no browser: addresses, trees, limits. Oracle: an address read back is the state that was
 * written; what is refused changes nothing and is reported.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fromAddress, toAddress } from "../src/address.js";
import { LONGEST, MOST_ACROSS, checkCount, checkSizes, checkTime, spent, startBudget } from "../src/budget.js";
import { runScenario } from "../src/module.js";
import { get, set } from "../src/tree.js";

const START = { body: { mass: 0.2, pose: [0, 0, 0] }, label: "box" };

test("an address read back is the state that was written", () => {
  const state = { body: { mass: 0.3, pose: [0.1, 0, 2] }, patch: { shape: "disc", text: "50 % (a+b)" } };
  assert.deepEqual(fromAddress(toAddress("limit", START, state), START), { state, problems: [] });
});

test("a bad escape is left out and reported; the rest of the address counts", () => {
  const { state, problems } = fromAddress("#limit?body.mass=%E0%A4%A&label=%zz&body.pose=[1,2,3]", START);
  assert.deepEqual(state, { body: { mass: 0.2, pose: [1, 2, 3] }, label: "box" });
  assert.equal(problems.length, 2);
  assert.match(problems[0], /^the address: "body\.mass=%E0%A4%A" is left out: .*%25/);
  assert.match(fromAddress("#limit?mass", START).problems[0], /"mass" is left out: must be a key, = and a value/);
});

test("an address cannot reach the prototype of all objects", () => {
  for (const path of ["__proto__.polluted", "body.__proto__.polluted", "constructor.prototype.polluted", "%5f_proto__.polluted"]) {
    const { problems } = fromAddress(`#limit?${path}=1`, START);
    assert.equal({}.polluted, undefined, path);
    assert.equal(problems.length, path.startsWith("constructor") ? 0 : 1, path);
  }
  assert.throws(() => set({}, "a.__proto__.b", 1), /__proto__ is not a key/);
  assert.equal(get({}, "constructor.name"), undefined);
});

test("sizes that would block the page are refused with their key", () => {
  const cells = Array.from({ length: 300 }, () => Array(300).fill(1));
  assert.throws(
    () => checkSizes({ contacts: [{ patch: { resolution: 4000 } }] }),
    /^Error: contacts\[0\]\.patch\.resolution: this page takes at most 200, got 4000/,
  );
  assert.throws(() => checkSizes({ patch: { cells } }), /^Error: patch\.cells: this page takes at most 40000, got 90000/);
  assert.doesNotThrow(() => checkSizes({ patch: { resolution: MOST_ACROSS }, motion: null, cells: cells[0] }));
  assert.throws(() => checkCount("faces", 1e6, 1000), /faces: this page takes at most 1000/);
});

/** A clock that goes by 1 ms whenever it is read. */
function withClock(work) {
  const real = globalThis.performance;
  let ms = 0;
  Object.defineProperty(globalThis, "performance", { value: { now: () => ms++ }, configurable: true });
  try {
    work();
  } finally {
    Object.defineProperty(globalThis, "performance", { value: real, configurable: true });
  }
}

test("time is over after LONGEST, and only then", () =>
  withClock(() => {
    startBudget();
    let count = 0;
    while (!spent()) count++;
    assert.equal(count, LONGEST - 1);
    assert.throws(() => checkTime("the run"), /^Error: the run: ended after 2 s of computing/);
    startBudget();
    assert.doesNotThrow(() => checkTime("the run"));
  }));

/** A module whose run takes `steps` steps of 1 ms. */
function moduleOf(rows, steps) {
  class StoppedError extends Error {}
  class Scenario {
    duration = 10;
    rows = rows;
    free() {
      Scenario.freed = true;
    }
    run({ stop }) {
      for (let i = 0; i < steps; i++) if (stop((10 * i) / steps)) throw new StoppedError("stopped");
      return "result";
    }
  }
  return { Scenario, StoppedError };
}

test("a run is stopped when the time is over, and reports how far it came", () =>
  withClock(() => {
    startBudget();
    assert.equal(runScenario(moduleOf(100, 1000), {}), "result");
    startBudget();
    const long = moduleOf(100, 1e9);
    assert.throws(() => runScenario(long, {}), /^Error: the run at t = .* s of 10 s: ended after 2 s/);
    assert.ok(long.Scenario.freed);
    assert.throws(() => runScenario(moduleOf(1e6, 10), {}), /rows of the run: this page takes at most 100000, got 1000000/);
  }));
