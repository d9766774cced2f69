// How long a contact takes in modules of WebAssembly: node bench.mjs FOLDER..., each with a bristle.js (build/wasm, and a
// copy of it from before). Their calls are interleaved; the smallest time of each is printed, without JavaScript's share.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const METHODS = { distributed: 10, blocks: 50, reduced: 200 }; // contacts in a call
const KINDS = ["lugre", "elasto-plastic"];
const CALLS = 20; // between two readings of the clock
const TIME = 1500; // for each line [ms]

const load = (folder, name) => import(pathToFileURL(resolve(folder, name)).href);
const modules = await Promise.all(
  process.argv.slice(2).map(async (folder) => ({
    ...(await load(folder, "bristle.js")),
    ...(await load(folder, "core.js")),
    ...(await load(folder, "table.js")),
  })),
);

/** Contacts that slide and turn, each differently: functions that reset, evaluate and step all of them. */
function prepare({ core, put, put_words, Contact, Law, Patch, TABLE }, method, kind, count) {
  const patch = Patch.disc(0.01, { pressure: "hertz" });
  const contact = new Contact(patch, new Law({ mu: 0.3, kind }), method);
  const allocate = (numbers) => core.memory_allocate(8 * numbers);
  const states = count * contact.state_count;
  const [z, dz, f] = [allocate(states), allocate(states), allocate(3 * count)];
  const v = put(Array.from({ length: 3 * count }, (_, i) => [0.02, 0.03, 1.5][i % 3] * Math.cos(3 * i)));
  const fn = put(Array(count).fill(5));
  const line = (name) => TABLE.findIndex((text) => text.startsWith(`${name} `));
  const call = (name, to, h = 0) => {
    const [index, handle, args] = [line(name), contact._handle, put_words([z, v, fn, ...to])];
    return () => core.binding_call(index, handle, h, count, args, 0);
  };
  return {
    rest: () => new Float64Array(core.memory.buffer, z, states).fill(0),
    eval: call("contact_eval", [f, dz]),
    step: call("contact_step", [f, 0], put([1e-3])),
  };
}

/** The smallest time of a call of each [ms], over calls that start at rest. */
function measure(prepared, what) {
  const best = prepared.map(() => Infinity);
  for (const end = performance.now() + TIME; performance.now() < end; ) {
    prepared.forEach((one, i) => {
      one.rest();
      one.step(); // a state for eval that is not zero
      const start = performance.now();
      for (let k = 0; k < CALLS; k++) one[what]();
      best[i] = Math.min(best[i], (performance.now() - start) / CALLS);
    });
  }
  return best;
}

for (const [method, count] of Object.entries(METHODS)) {
  for (const kind of KINDS) {
    const prepared = modules.map((module) => prepare(module, method, kind, count));
    for (const what of ["eval", "step"]) {
      const times = measure(prepared, what).map((ms) => (1e6 * ms) / count);
      const columns = times.map((ns) => `${ns.toFixed(0).padStart(8)} ns ${(ns / times[0]).toFixed(2)}`);
      console.log(`${method} ${kind} ${what}`.padEnd(34), ...columns);
    }
  }
}
