/**
 * The scene "Engines" in a real browser. Oracle: the scenes of integrations/rigid/js in Node, in the same packages, and
 * what `bristle run` has.
 */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test as unlimited } from "node:test";
import { fileURLToPath } from "node:url";
import { error, native, numbers, open, picture, settled, start, stop } from "./browser.mjs";

const [, folder, packages] = process.argv.slice(2).map((path) => resolve(path));
const root = fileURLToPath(new URL("../..", import.meta.url));
const js = join(root, "integrations/rigid/js");

/** A test that ends, whatever hangs [ms]. */
const test = (name, body) => unlimited(name, { timeout: 900e3 }, body);

before(start);
after(stop);

/** The scenes for Node beside the packages of the page. */
function scenesInNode() {
  const at = mkdtempSync(join(tmpdir(), "bristle-engines-"));
  cpSync(join(js, "scenes"), join(at, "scenes"), { recursive: true });
  cpSync(join(root, "build/rigid"), at, { recursive: true });
  symlinkSync(join(packages, "node_modules"), join(at, "node_modules"));
  return at;
}

const GLUE = { rapier: "RapierFriction", jolt: "JoltFriction", mujoco: "MujocoFriction" };
let engines;

/** The engines, loaded once. */
async function loaded() {
  if (engines) return engines;
  const at = scenesInNode(),
    scenes = await import(join(at, "scenes/scenes.mjs")),
    list = [];
  for (const [id, glue] of Object.entries(GLUE)) {
    const engine = await import(join(at, "scenes", `${id}.mjs`));
    list.push({ id, engine, Friction: (await import(join(at, `${id}.js`)))[glue] });
  }
  return (engines = { ...scenes, list });
}

/** A scene of integrations/rigid/js, in Node. */
function inNode({ engine, Friction }, mode, rate, scene) {
  const h = engine.steps.length > 1 ? 1 / rate : engine.steps[0],
    world = new engine.Engine(mode === "alone" ? null : Friction, h);
  try {
    return scene(world, h);
  } finally {
    world.free();
  }
}

/** Browser and Node run the same WebAssembly: rounding of elementary functions of JavaScript is all that may differ. */
const SAME = 1e-6;
/** Creep that is rounding of poses in an engine, which starts from other last digits [m/s]. */
const ROUNDING = 1e-10;

const near = (a, b, least, what) =>
  assert.ok(Math.abs(a - b) <= SAME * Math.abs(b) + least, `${what}: the page has ${a}, Node ${b}`);

/** Go to the scene from another one. */
async function go(page) {
  await page.click('nav a[href="#engines"]');
  await page.waitForFunction(() => document.title.startsWith("Engines"));
}

/** Results of all engines, by their numbers; nothing went wrong. */
async function results(page) {
  await settled(page);
  assert.equal(await error(page), "");
  assert.deepEqual(page.errors, []);
  return numbers(page);
}

test("puck: stops where the scenes of the adapters stop in Node, and with bristle where bristle run stops", async () => {
  const { list, slide_puck } = await loaded(),
    page = await open("#engines"),
    shown = await results(page);
  for (const each of list)
    for (const mode of ["alone", "bristle"]) {
      const { distance } = inNode(each, mode, 60, (world, h) => slide_puck(world, h, 40));
      near(shown[`${each.id}.${mode}`], distance, 1e-9, `${each.id} ${mode}`);
    }
  const run = (await native(page)).table("puck.csv").x.at(-1);
  near(shown["run.x"], run, 0, "bristle run");
  // an explicit step shortens the path by h v / 2, 4.2 mm at 1/60 s; 1 %
  for (const { id } of list) near(shown[`${id}.bristle`], run, 0.01 * run + 0.25 / 60, id);
  // closed form: Box2D's joint brakes by mu g whatever the spin is; its explicit step leaves up to h v
  const slide = 0.5 ** 2 / (2 * 0.2 * 9.81);
  assert.ok(Math.abs(shown["box2d.alone"] - slide) <= 0.5 / 60, `Box2D ${shown["box2d.alone"]}, closed form ${slide}`);
  assert.match(await page.textContent("#say"), /Alone the engines stop it after 60 to 160 mm; with bristle after 181 to 185 mm/);
  await picture(page, "engines-puck");
  await page.context().close();
});

test("slope and pinch: creep as in Node; with bristle all hold; changes by keyboard, and a reload, keep it", async () => {
  const { list, HOLDS } = await loaded(),
    page = await open("#engines?scene=slope");
  const same = async (title, rate) => {
    const shown = await results(page);
    const scene = HOLDS.find(([name]) => name === title)[1];
    for (const each of list)
      for (const mode of ["alone", "bristle"]) {
        const speed = inNode(each, mode, rate, scene);
        near(shown[`${each.id}.${mode}`], speed, ROUNDING, `${title}, ${each.id} ${mode}`);
        if (mode === "bristle") assert.ok(shown[`${each.id}.bristle`] < 1e-6, `${each.id} creeps`);
      }
    return shown;
  };
  const slope = await same("box on 15 degrees", 60);
  assert.ok(slope["mujoco.alone"] > 1e-4 && Math.abs(slope.share - Math.tan(Math.PI / 12) / 0.5) < 1e-12);
  await page.selectOption("[data-control=rate]", "240");
  await same("box on 15 degrees", 240);
  await page.focus("[data-scene=pinch]");
  await page.keyboard.press("Enter");
  const pinch = await same("pinch, 6 N", 240);
  assert.match(page.url(), /#engines\?scene=pinch&rate=240$/);
  await page.reload();
  await page.waitForSelector("body[data-ready]");
  const again = await results(page);
  for (const [name, value] of Object.entries(pinch)) near(again[name], value, ROUNDING, `${name} after a reload`);
  await picture(page, "engines-pinch");
  // too weak a grip: what is held falls, in every engine
  await page.fill('[data-field="pinch.force"]', "0.4");
  await page.press('[data-field="pinch.force"]', "Enter");
  const weak = await results(page);
  for (const { id } of list) assert.equal(weak[`${id}.bristle`], Infinity, `${id} holds with too little force`);
  await page.context().close();
});

test("on a phone, in the dark: fits, is moved by touch, plays; the player's slider moves the pucks", async () => {
  const page = await open("#engines?scene=slope", { width: 390, height: 844, dark: true, touch: true });
  await results(page);
  await page.tap("[data-scene=puck]");
  await page.waitForSelector("[data-scene=puck][aria-pressed=true]");
  await results(page);
  const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(inner <= outer, `${inner} px wide on ${outer}`);
  await page.evaluate(() => /** @type {any} */ (window).page.view.player.pause());
  const read = () => page.textContent('[data-number="rapier.bristle"]');
  await page.evaluate(() => /** @type {any} */ (window).page.view.player.seek(0.2));
  const early = await read();
  await page.evaluate(() => /** @type {any} */ (window).page.view.player.seek(2));
  assert.notEqual(await read(), early);
  assert.equal(await read(), "181.8 mm");
  await picture(page, "engines-phone");
  await page.context().close();
});

test("nothing of an engine is requested before the scene is opened; what then comes has the size that is shown", async () => {
  const page = await open("#limit"),
    requested = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  const before = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  assert.deepEqual(before.filter((name) => /\/(engines|rigid)\/|vendor\/engines/.test(name)), []);
  await go(page);
  await results(page);
  const list = await page.evaluate(() => import(new URL("src/scenes/engines.js", location.href).href).then(({ ENGINES }) => ENGINES));
  const files = {
    rapier: ["rapier.js"],
    jolt: ["jolt.js", "jolt-physics.wasm.wasm"],
    mujoco: ["mujoco.js", "mujoco.wasm"],
    box2d: ["box2d.js", "Box2D.compat.wasm"],
  };
  for (const { id, size } of list) {
    const bytes = files[id].reduce((sum, name) => sum + statSync(join(folder, "vendor/engines", name)).size, 0);
    assert.equal(size, Number((bytes / 1e6).toFixed(1)), `${id}: MB`);
    for (const name of files[id]) assert.ok(requested.some((path) => path.endsWith(`/vendor/engines/${name}`)), `${name} was not requested`);
  }
  // and it goes when another scene is opened
  await page.click('nav a[href="#cones"]');
  await page.waitForFunction(() => document.title.startsWith("Cones"));
  for (let i = 0; page.workers().length && i < 1500; i++) await page.waitForTimeout(20); // until the browser reports it
  assert.equal(page.workers().length, 0, "its workers are still there");
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("an engine that does not arrive is reported; the others run", async () => {
  const page = await open("#cones");
  await page.route("**/vendor/engines/mujoco.wasm", (route) => route.abort());
  await go(page);
  await settled(page);
  const shown = await numbers(page);
  assert.ok(shown["jolt.bristle"] > 0.18 && shown["rapier.bristle"] > 0.18);
  assert.equal(shown["mujoco.alone"], undefined);
  assert.match(await page.textContent(".lane.alone:has([data-number='mujoco.alone']) .note"), /\w/);
  await page.context().close();
});

test("nothing moves while engines load and run: layout shift below 0.05", async () => {
  const WATCH = () => {
    const w = /** @type {any} */ (window);
    w.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) w.shift += /** @type {any} */ (entry).value;
    }).observe({ type: "layout-shift", buffered: true });
  };
  for (const scene of ["puck", "slope"])
    for (const width of [1280, 390]) {
      const page = await open(`#engines?scene=${scene}`, { width, before: WATCH });
      await results(page);
      await page.waitForTimeout(700);
      const shift = await page.evaluate(() => /** @type {any} */ (window).shift);
      console.log(`# layout shift of ${scene}, ${width} px: ${shift.toFixed(4)}`);
      assert.ok(shift < 0.05, `${scene}, ${width} px: ${shift}`);
      await page.context().close();
    }
});

test("no violations of axe-core", async () => {
  const source = readFileSync(createRequire(join(packages, "package.json")).resolve("axe-core/axe.min.js"), "utf8");
  const page = await open("#engines?scene=slope");
  await results(page);
  await page.evaluate(source);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" }); // colours change at once
    await page.waitForTimeout(100);
    const { violations } = await page.evaluate(() => /** @type {any} */ (window).axe.run());
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(" ")}`), []);
  }
  await page.context().close();
});

test("opened once, the engines work without network", async () => {
  const page = await open("#cones", { keep: true });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  const later = [];
  page.context().on("request", (request) => /\/(engines|rigid)\//.test(request.url()) && later.push(request.url()));
  await go(page);
  const shown = await results(page);
  // what was fetched is kept a moment later
  later.push(new URL("vendor/engines/mujoco.wasm", page.url()).href);
  await page.waitForFunction(async (urls) => (await Promise.all(urls.map((url) => caches.match(url, { ignoreSearch: true })))).every(Boolean), later);
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForSelector("body[data-ready]");
  const again = await results(page);
  assert.equal(again["mujoco.bristle"], shown["mujoco.bristle"]);
  assert.equal(again["rapier.alone"], shown["rapier.alone"]);
  await page.context().close();
});
