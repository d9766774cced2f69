/**
 * Runs beside the page, in a real browser: progress, cancel, the newest state wins, and browsers without workers. Oracle:
 * the native command on what the page exports.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, test as unlimited } from "node:test";
import { drop, error, native, numbers, open, picture, settled, start, stop } from "./browser.mjs";

const [, , packages] = process.argv.slice(2).map((path) => resolve(path));

/** A test that ends, whatever hangs [ms]. */
const test = (name, body) => unlimited(name, { timeout: 900e3 }, body);

before(start);
after(stop);

/** Adaptive runs may choose other steps where elementary functions differ in the last digit; they keep to their tolerance. */
const RUN = 2e-6;

/** A run that takes hours. */
const ENDLESS = "#file?mechanism.mu=0&mechanism.mu_s=0&duration=1e6&output.every=100";

/** Note the longest time for which the page does not react, and its tasks of 50 ms and more. */
const WATCH = () => {
  const w = /** @type {any} */ (window);
  Object.assign(w, { gap: 0, tasks: [], reactions: 0 });
  let last = performance.now();
  setInterval(() => {
    w.reactions++;
    w.gap = Math.max(w.gap, performance.now() - last);
    last = performance.now();
  }, 5);
  new PerformanceObserver((list) => w.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
};

const go = (page, address) => page.goto(page.url().replace(/#.*/, address));

/** Wait until a run that takes a while shows how far it is. */
const progressing = (page, than = 0) =>
  page.waitForFunction((least) => {
    const bar = /** @type {any} */ (document.querySelector("#computing:not([hidden]) progress"));
    return bar && bar.value > least;
  }, than);

const progress = (page) => page.$eval("#computing progress", (bar) => /** @type {any} */ (bar).value);

/** The command's last row. */
async function sameEnd(page, names) {
  const shown = await numbers(page),
    columns = (await native(page)).table("scenario.csv");
  for (const name of names) {
    const end = columns[name].at(-1);
    assert.ok(Math.abs(shown[name] - end) <= RUN * Math.max(Math.abs(end), 1e-3), `${name}: the page has ${shown[name]}, the command ${end}`);
  }
}

async function close(page) {
  assert.deepEqual(page.errors, []);
  await page.context().close();
}

test("a long run shows its progress while the page goes on; cancel ends it", async () => {
  const page = await open("#file");
  await page.evaluate(WATCH);
  await go(page, ENDLESS);
  await progressing(page);
  assert.match(await page.textContent("#computing"), /^Computing the run at t = \S+ s of 1\.00e6 s/);
  await picture(page, "computing");
  await page.evaluate(readFileSync(join(packages, "node_modules/axe-core/axe.min.js"), "utf8"));
  assert.deepEqual(await page.evaluate(async () => (await /** @type {any} */ (window).axe.run()).violations.map(({ id }) => id)), []);
  await page.evaluate(() => Object.assign(window, { gap: 0, tasks: [], reactions: 0 })); // axe-core blocks the page itself
  const from = Date.now();
  // it grows, and the page takes input
  await progressing(page, await progress(page));
  const why = page.locator("#why > details > summary");
  await why.click();
  assert.ok(await page.locator("#why .formula, #why p").first().isVisible());
  assert.equal(await page.evaluate(() => document.body.dataset.busy), "yes");
  await page.waitForTimeout(Math.max(3000 - (Date.now() - from), 0));
  const took = Date.now() - from;
  const { gap, tasks, reactions } = await page.evaluate(() => {
    const { gap, tasks, reactions } = /** @type {any} */ (window);
    return { gap, tasks, reactions };
  });
  console.log(`# ${took} ms of computing; the page did not react for at most ${gap.toFixed(0)} ms; tasks of 50 ms and more: ${tasks.map((ms) => ms.toFixed(0)).join(", ") || "none"}`);
  // other programs stretch it, but a page that computed itself would react once in all that time
  assert.ok(reactions > 20, `the page reacted ${reactions} times in ${took} ms`);
  await page.click("[data-computing=cancel]");
  await settled(page);
  assert.match(await error(page), /^the run at t = \S+ s of 1\.00e6 s: cancelled after \d+(\.\d)? s of computing\./);
  assert.deepEqual(await numbers(page), {});
  assert.equal(await page.isVisible("#computing"), false);
  for (let i = 0; page.workers().length && i < 1500; i++) await page.waitForTimeout(20); // until the browser reports it
  assert.equal(page.workers().length, 0, "the worker still computes");

  await page.fill("[data-field=duration]", "20");
  await page.press("[data-field=duration]", "Enter");
  await settled(page);
  assert.equal(await error(page), "");
  await sameEnd(page, ["x", "y", "vx"]);
  await close(page);
});

test("the gripper and the slide compute beside the page, too: progress, cancel, start over", async () => {
  for (const address of ["#gripper?model=distributed&contact.patch.resolution=200&duration=10", "#slide?duration=1e5&output.every=10&integrator.step=1e-4"]) {
    const page = await open("#cones");
    await go(page, address);
    await progressing(page);
    assert.match(await page.textContent("#computing"), /^Computing the run at t = /, address);
    await page.click("[data-computing=cancel]");
    await settled(page);
    assert.match(await error(page), /^the run at t = .*: cancelled after /, address);
    assert.deepEqual(await numbers(page), {}, address);
    await page.click("#reset");
    await settled(page);
    assert.equal(await error(page), "", address);
    assert.ok(Object.keys(await numbers(page)).length > 4, address);
    await close(page);
  }
});

test("runs longer than the budget of the page end with the command's numbers", async () => {
  const page = await open("#cones");
  page.setDefaultTimeout(120e3); // ten times as long as on a busy machine
  await page.evaluate(WATCH);
  const text = `body: {mass: 0.3, size: [0.1, 0.1], velocity: [3, 0, 8]}
friction: {mu: 0.3}
model: distributed
contact:
  frame: body
  patch: {shape: disc, radius: 0.05, resolution: 51}
  normal_force: 2.943
duration: 1.2
integrator: {kind: fixed, step: 1e-4}
`;
  const from = Date.now();
  await drop(page, [{ name: "disc.yaml", text }]);
  const took = Date.now() - from,
    gap = await page.evaluate(() => /** @type {any} */ (window).gap);
  console.log(`# shown after ${took} ms; the page did not react for at most ${gap.toFixed(0)} ms`);
  assert.equal(await error(page), "");
  assert.match(page.url(), /#file/);
  assert.ok(took > 2000, `${took} ms: too short for what this test is about`);
  await sameEnd(page, ["x", "y", "theta"]);
  await close(page);
});

test("the newest state wins: outdated runs end, other scenes go on, errors end the run before", async () => {
  const page = await open("#file");
  await go(page, ENDLESS);
  await progressing(page);
  // a change replaces it
  await page.click("#reset");
  await settled(page);
  assert.equal(await error(page), "");
  await sameEnd(page, ["x", "y"]);
  // many changes at once: the last one is shown
  await page.evaluate(() => {
    const host = /** @type {any} */ (window).page.host();
    for (let i = 1; i <= 20; i++) host.change((state) => (state.duration = i / 10));
  });
  await settled(page);
  assert.match(page.url(), /duration=2$/);
  await sameEnd(page, ["x", "y"]);
  // another scene, while it computes
  await go(page, ENDLESS);
  await progressing(page);
  await go(page, "#cones");
  await settled(page);
  assert.ok("margin" in (await numbers(page)));
  assert.equal(await page.isVisible("#computing"), false);
  await page.waitForFunction(() => !document.body.dataset.busy);
  // two runs, the law and the other one
  await go(page, "#rig?duration=10000000&output.every=1000");
  await progressing(page);
  assert.match(await page.textContent("#computing"), /^Computing run 1 of 2 at t = \S+ s of 1\.00e7 s/);
  await page.click("[data-computing=cancel]");
  await settled(page);
  assert.match(await error(page), /^run 1 of 2 at t = \S+ s of 1\.00e7 s: cancelled after/);
  // an error of the scenario is that of the reader, and nothing else is shown
  await go(page, ENDLESS);
  await progressing(page);
  await go(page, "#file?duration=-1");
  await settled(page);
  assert.match(await error(page), /duration: must be/);
  assert.deepEqual(await numbers(page), {});
  await go(page, "#rig");
  await settled(page);
  assert.equal(await error(page), "");
  assert.ok((await numbers(page)).x > 0);
  await close(page);
});

test("states between are shown while a control moves", async () => {
  const page = await open("#rig");
  const shown = await page.evaluate(async () => {
    const host = /** @type {any} */ (window).page.host(),
      seen = new Set(),
      number = /** @type {any} */ (document.querySelector("[data-number=x]"));
    const watch = new MutationObserver(() => seen.add(number.dataset.value));
    watch.observe(number, { attributes: true });
    let count = 0;
    // sixty changes in a row; more where other programs take the time of the worker
    for (; count < 60 || (seen.size <= 2 && count < 2000); count++) {
      host.change((state) => (state.rig.mass = 1 + (count % 60) / 100));
      await new Promise((done) => setTimeout(done, 30));
    }
    return { seen: seen.size, count };
  });
  console.log(`# ${shown.seen} of ${shown.count} states were shown`);
  assert.ok(shown.seen > 2, `${shown.seen} of ${shown.count} states were shown`);
  await settled(page);
  const { x } = await numbers(page),
    end = (await native(page)).table("rig.csv").x.at(-1);
  assert.ok(Math.abs(x - end) <= RUN * Math.abs(end), `x: the page has ${x}, the command ${end}`);
  await close(page);
});

/** Workers of classic scripts only: one of modules fails when it is loaded. */
const OLD_WORKER = () => {
  window.Worker = /** @type {any} */ (
    class extends EventTarget {
      constructor() {
        super();
        setTimeout(() => this.dispatchEvent(new Event("error", { cancelable: true })), 0);
      }
      postMessage() {}
      terminate() {}
    }
  );
};

test("without workers of modules the page computes itself, within its budget", async () => {
  for (const old of ["delete window.Worker", OLD_WORKER]) {
    const page = await open("#file?duration=0.5", { before: old }); // within the budget on a busy machine, too
    assert.equal(await error(page), "");
    await sameEnd(page, ["x", "y"]);
    await go(page, ENDLESS);
    await settled(page);
    assert.match(await error(page), /ended after 2 s of computing/);
    assert.deepEqual(await numbers(page), {});
    await close(page);
  }
});

test("runs work without network", async () => {
  const page = await open("#cones", { keep: true });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.context().setOffline(true);
  await go(page, "#file");
  await settled(page);
  assert.equal(await error(page), "");
  assert.equal(page.workers().length, 1, "it was not computed in a worker");
  await sameEnd(page, ["x", "y"]);
  await page.context().close();
});
