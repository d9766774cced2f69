/**
 * The page as people use it, in a real browser. Oracle: the native command on what the page exports; the same
 * state after a reload. Times are printed, not judged: other programs run on the machine, too (goals: a second to
 * load, 16 ms a frame).
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test as unlimited } from "node:test";
import { csv, drag, drop, error, exported, native, numbers, open, picture, settled, start, stop } from "./browser.mjs";
import { runC, runPython } from "./snippets.mjs";

const [command, , packages] = process.argv.slice(2).map((path) => resolve(path));

/** A test that ends, whatever hangs [ms]. */
const test = (name, body) => unlimited(name, { timeout: 900e3 }, body);

before(start);
after(stop);

/** Two libraries of elementary functions, JavaScript's and the system's, differ in the last digit: closed forms to 1e-9. */
const CLOSED = 1e-9;
/** Adaptive runs may choose other steps for that; they keep to their tolerance. */
const RUN = 2e-6;

/** @param {number} a @param {number} b @param {number} tolerance relative @param {number} least size below which it is absolute */
function near(a, b, tolerance, least, what) {
  assert.ok(
    Math.abs(a - b) <= tolerance * Math.max(Math.abs(b), least),
    `${what}: the page has ${a}, the command ${b}`,
  );
}

/** Reload from the address: the same numbers to the last bit. */
async function reloads(page, names) {
  await settled(page);
  const was = await numbers(page),
    address = page.url();
  await page.goto("about:blank");
  await page.goto(address);
  await page.waitForSelector("body[data-ready]");
  await settled(page);
  const now = await numbers(page);
  for (const name of names) assert.equal(now[name], was[name], `${name} after a reload`);
  assert.deepEqual(page.errors, []);
}

async function finished(page, name) {
  assert.equal(await error(page), "");
  assert.deepEqual(page.errors, []);
  await picture(page, name);
  await page.context().close();
}

test("limit surface: dragged, its numbers are those of bristle surface and cone", async () => {
  const page = await open("#limit", { width: 940, height: 700 });
  for (const shape of ["disc", "ellipse", "ring", "rectangle", "line", "polygon", "points", "grid"]) {
    await page.selectOption('[data-control="patch.shape"]', shape);
    if (shape === "disc") await drag(page, "[data-handle=rotation]", [-30, 24]);
    if (shape === "ellipse") await drag(page, "[data-handle=radius]", [12, 8]);
    if (shape === "points") await drag(page, "[data-handle=load]", [20, -15]);
    if (shape === "polygon") await drag(page, "[data-handle=corner-2]", [25, -10]);
    await settled(page);
    if (shape === "grid") await drag(page, ".plane", [60, 30], { share: [0.3, 0.6] });
    const shown = await numbers(page),
      { printed } = await native(page);
    const wrench = csv(printed[0]),
      json = JSON.parse(printed[1]),
      held = csv(printed[2]);
    const r = json.r;
    near(shown.r, json.r, CLOSED, 1e-3, `${shape}: r`);
    near(shown.u, json.u, CLOSED, 1e-6, `${shape}: u`);
    near(shown.area, json.area, CLOSED, 1e-6, `${shape}: area`);
    for (const [i, axis] of ["x", "y"].entries()) {
      near(shown[`cop.${axis}`], json.cop[i], CLOSED, r, `${shape}: cop`);
      near(shown[`p_s.${axis}`], json.p_s[i], 1e-6, r, `${shape}: p_s`); // a root, found to 1e-9 of the force
      near(shown[`f${axis}`], wrench[`f${axis}`][0], CLOSED, 1, `${shape}: f${axis}`);
    }
    near(shown.tau, wrench.tau[0], CLOSED, r, `${shape}: tau`);
    near(shown.gauge, held.gauge[0], 1e-6, 1, `${shape}: gauge`);
  }
  await page.selectOption('[data-control="patch.shape"]', "polygon");
  await reloads(page, ["r", "u", "fx", "fy", "tau", "gauge", "error"]);
  await finished(page, "limit");
});

/** Names of the page beside columns of the last row of a table; `least` of theta may differ. */
async function sameEnd(page, file, pairs, tolerance, least, leastAngle = least) {
  const shown = await numbers(page),
    table = (await native(page)).table(file);
  for (const [name, column] of Object.entries(pairs))
    near(shown[name], table[column].at(-1), tolerance, column === "theta" ? leastAngle : least, column);
}

test("limit surface: grain by its controls, as bristle run has it", async () => {
  const page = await open("#limit", { width: 940, height: 900 });
  const plain = await numbers(page);
  const fill = async (path, text) => {
    await page.fill(`[data-field="${path}"]`, text);
    await page.press(`[data-field="${path}"]`, "Enter");
    await settled(page);
  };
  /** The error of the table that the command's reduced contact has in place of the exact surface, 1e-3 to 3e-3. */
  const errorOfTable = () =>
    page.evaluate(() => {
      const { bristle, state } = /** @type {any} */ (window).page;
      const patch = bristle.Patch.rectangle(state.patch.size);
      return new bristle.LimitSurface(patch, { method: "smooth", anisotropy: state.anisotropy }).error().max;
    });
  // closer: sliding below, and the snippets in C and Python, whose surface is exact
  const same = async () => {
    const shown = await numbers(page),
      table = (await native(page)).table("grain.csv"),
      most = await errorOfTable();
    assert.ok(most < 4e-3);
    for (const name of ["fx", "fy", "tau"]) near(shown[name], table[name].at(-1), most, name === "tau" ? shown.r : 1, name);
    return shown;
  };
  await page.check("[data-control=anisotropy]");
  await settled(page);
  assert.notEqual((await same()).fx, plain.fx);
  await fill("anisotropy.ratio", "1.5");
  await fill("anisotropy.angle", "20");
  await drag(page, "[data-handle=rotation]", [-20, 24]);
  await same();
  // sliding in closed form: f = -A^2 v/|A v|, A = diag(1.5, 1) in axes at 20 degrees
  await page.selectOption('[data-control="motion.kind"]', "slide");
  await fill("motion.angle", "70");
  const { fx, fy } = await same(),
    [c, s] = [Math.cos(Math.PI / 9), Math.sin(Math.PI / 9)],
    along = Math.cos((50 * Math.PI) / 180),
    across = Math.sin((50 * Math.PI) / 180),
    size = Math.hypot(1.5 * along, across);
  near(fx, -(c * 2.25 * along - s * across) / size, CLOSED, 1, "fx of sliding");
  near(fy, -(s * 2.25 * along + c * across) / size, CLOSED, 1, "fy of sliding");
  assert.match(page.url(), /anisotropy=/);
  await reloads(page, ["fx", "fy", "tau", "gauge", "error"]);
  await picture(page, "limit-grain");
  await page.uncheck("[data-control=anisotropy]");
  await page.selectOption('[data-control="motion.kind"]', "turn");
  await page.evaluate(() => /** @type {any} */ (window).page.host().change((state) => (state.motion.centre = [0.012, 0.008])));
  await settled(page);
  assert.equal((await numbers(page)).fx, plain.fx); // as it was
  await finished(page, "limit-plain");
});

test("slide: ice, a strip and grain by their controls and handles, as bristle run has them", async () => {
  const page = await open("#slide", { width: 1280, height: 1000 }),
    ends = { x: "x", y: "y", theta: "theta", dissipated: "dissipated" },
    floor = '[data-control="friction.field"]';
  /** Fixed steps: rounding alone differs, which friction that turns round magnifies. */
  const same = (more = {}) => sameEnd(page, "slide.csv", { ...ends, ...more }, 1e-7, 1e-2, 1e-1);
  /** Change, and see that the end has changed, too. */
  const changes = async (by, more) => {
    const was = await numbers(page);
    await by();
    await settled(page);
    const now = await numbers(page);
    assert.ok(Math.abs(now.x - was.x) + Math.abs(now.y - was.y) + Math.abs(now.theta - was.theta) > 1e-6, "the end stays");
    await same(more);
  };
  const fill = async (path, text) => {
    await page.fill(`[data-field="${path}"]`, text);
    await page.press(`[data-field="${path}"]`, "Enter");
  };
  const onField = { mu_factor: "mu_factor" };
  await same(onField);
  await changes(() => drag(page, "[data-handle=edge]", [-30, -12]), onField);
  await changes(() => drag(page, "[data-handle=velocity]", [10, 6]), onField);
  await changes(() => fill("friction.field.factor", "0.5"), onField);
  await changes(() => fill("friction.field.angle", "-30"), onField);
  await picture(page, "slide-ice");
  await changes(() => page.selectOption(floor, "strip"), onField);
  await changes(() => fill("friction.field.width", "50"), onField);
  await changes(() => fill("friction.field.x", "-120"), onField);
  await reloads(page, Object.keys(ends));
  await picture(page, "slide-strip");
  await changes(() => page.selectOption(floor, "none"));
  assert.equal((await numbers(page)).mu_factor, undefined);
  await changes(() => page.check('[data-control="friction.anisotropy"]'));
  await changes(() => fill("friction.anisotropy.ratio", "0.6"));
  await changes(() => fill("friction.anisotropy.angle", "35"));
  await picture(page, "slide-grain");
  await changes(async () => {
    await fill("body.velocity2", "6");
    await page.selectOption('[data-control="friction.anisotropy.axes"]', "body");
  });
  assert.match((await exported(page, "yaml")).files[0].text, /anisotropy: \{ratio: 0\.6, angle: 0\.61\d*, axes: body\}/);
  await reloads(page, Object.keys(ends));
  await page.selectOption('[data-control="body"]', "puck");
  await settled(page);
  await same();
  await page.uncheck('[data-control="friction.anisotropy"]');
  await settled(page);
  assert.doesNotMatch(page.url(), /anisotropy/);
  // closed form of a puck without spin on a floor that is the same everywhere: v^2/(2 mu g)
  await fill("body.velocity2", "0");
  await settled(page);
  const [vx, vy] = await page.evaluate(() => /** @type {any} */ (window).page.state.body.velocity);
  const { x, y } = await numbers(page),
    [px, py] = await page.evaluate(() => /** @type {any} */ (window).page.state.body.pose);
  near(Math.hypot(x - px, y - py), (vx ** 2 + vy ** 2) / (2 * 0.3 * 9.81), 1e-3, 1e-2, "distance"); // bristles give
  await drop(page, [
    {
      name: "ice.yaml",
      text: "body: {mass: 2, size: [0.3, 0.2], velocity: [1, 0, 0]}\nfriction: {mu: 0.4, field: {grid: [[1, 1], [1, 0.05]], size: [2, 2]}}\ncontact: {frame: body, patch: {shape: rectangle, size: [0.3, 0.2]}}\nduration: 0.5\n",
    },
  ]);
  assert.match(page.url(), /#slide/);
  await sameEnd(page, "slide.csv", { ...ends, ...onField }, RUN, 1e-2, 1);
  await finished(page, "slide");
});

// absolute tolerances of bodies: 2e-8 m, and for angles that over the rim of the fingertip, 0.01 m: 2e-6 rad
test("gripper: mass, offset, grip, fingertip; drop it; hold it", async () => {
  const page = await open("#gripper"),
    ends = { "final.x": "x", "final.y": "y", "final.theta": "theta", dissipated: "dissipated" };
  await sameEnd(page, "gripper.csv", ends, RUN, 1e-2, 1);
  await page.fill('[data-field="body.mass"]', "0.25");
  await page.press('[data-field="body.mass"]', "Enter");
  await page.selectOption("[data-control=tip]", "pad");
  await settled(page);
  await sameEnd(page, "gripper.csv", ends, RUN, 1e-2, 1);
  await drag(page, ".plane.grip", [200, -30], { share: [0.3, 0.6] });
  await sameEnd(page, "gripper.csv", ends, RUN, 1e-2, 1);
  await reloads(page, Object.keys(ends));
  await page.click("text=Drop it");
  await page.waitForTimeout(1500);
  assert.match(await page.textContent("#say"), /lost/);
  await page.click("text=Hold it with least force");
  await settled(page);
  assert.match(await page.textContent("#say"), /controller holds it/);
  await sameEnd(page, "gripper.csv", ends, RUN, 1e-2, 1);
  await finished(page, "gripper");
});

test("gripper: the map is the run's own bristles; the badge, the limit surface, the view that follows", async () => {
  const page = await open("#gripper");
  // oracle: the command's bristles of the same run. Their pressure-weighted sum is the friction of the finger
  const shown = await page.evaluate(() => {
    const { view } = /** @type {any} */ (window).page;
    view.player.pause();
    const { run, bristles, limits } = view;
    const shares = Array.from(run.t, (_, i) => bristles.at(i).share);
    const early = shares.findIndex((share, i) => share > 0.1 && share < 0.9 && run.state[i] === "stick");
    view.player.seek(run.t[early]);
    const badge = document.querySelector(".badge").textContent,
      { wrench } = bristles.at(early);
    const sum = [0, 1].map((k) => bristles.list.reduce((all, i) => all + wrench[3 * i + k], 0));
    const slipping = run.state.findIndex((/** @type {string} */ word) => word === "slip");
    view.player.seek(run.t[slipping]);
    const cop = bristles.contact.cop,
      full = limits.mu * run.fn[slipping];
    const gross = document.querySelector(".badge").textContent,
      [fx, fy, tau] = run.wrench(slipping, cop);
    const surface = new view.host.bristle.LimitSurface(bristles.patch, { fn: 1 });
    const gauge = surface.gauge([fx / full, fy / full, tau / full]);
    surface.free();
    return { early, badge, sum, friction: [run.fx[early], run.fy[early]], fn: run.fn[early], share: shares[early], gross, gauge, z: Array.from(bristles.state(early)) };
  });
  assert.equal(shown.badge, `incipient slip: ${Math.round(100 * shown.share)} % of the contact slides`);
  // the map shows deflections and slip; damping, which it does not show, is 0.3 % of the friction here and follows from the
  // body's modes in the run, from one finger alone in the map
  for (const k of [0, 1]) near(shown.sum[k], shown.friction[k], 5e-3, shown.fn, "friction of all parts");
  // on the surface when it slips, to the 1 % by which the blocks differ from the exact surface and the bristles lag
  assert.ok(Math.abs(shown.gauge - 1) < 0.01, `it slips at ${shown.gauge} of the surface`);
  const { files } = await exported(page, "yaml"),
    at = mkdtempSync(join(tmpdir(), "bristle-web-"));
  writeFileSync(join(at, "g.yaml"), files[0].text);
  execFileSync(command, ["run", "g.yaml", "--set", "output.bristles=true", "-o", "g.csv", "-q"], { cwd: at });
  const table = csv(readFileSync(join(at, "g.csv"), "utf8"));
  shown.z.forEach((z, i) => near(z, table[`z${i + 1}`][shown.early], 1e-6, 1e-6, `z${i + 1}`));
  assert.equal(table[`z${shown.z.length + 1}`], undefined);
  await picture(page, "gripper-map");

  await page.click("text=Drop it");
  await settled(page);
  const falls = await page.evaluate(() => {
    const { view } = /** @type {any} */ (window).page;
    view.player.pause();
    view.player.seek(1.9);
    const [x, y] = view.plane.pixels([view.run.x[view.row], view.run.y[view.row]]);
    return { y: view.run.y[view.row], at: [x / view.plane.box.clientWidth, y / view.plane.box.clientHeight], badge: document.querySelector(".badge").textContent };
  });
  assert.ok(falls.y < -1, `it has fallen to ${falls.y} m`);
  for (const share of falls.at) assert.ok(share > 0.1 && share < 0.9, `it is at ${falls.at} of the picture`);
  assert.equal(falls.badge, "no contact: it falls");
  // a reduced model has no cells, and the picture says that
  await page.selectOption("[data-control=model]", "reduced");
  await settled(page);
  assert.match(await page.textContent(".stage"), /This model has no cells/);
  await finished(page, "gripper-falls");
});

test("why: formulas with the numbers that are shown, steps that move controls, help by tap and key", async () => {
  for (const scene of ["puck", "limit", "slide", "gripper", "push", "rig", "steps", "cones", "engines", "file"]) {
    const page = await open(`#${scene}`),
      asked = [];
    page.on("request", (request) => asked.push(request.url()));
    assert.equal(asked.filter((url) => url.includes("katex")).length, 0);
    assert.equal(await page.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => name.includes("katex"))), false);
    assert.ok((await page.locator("#numbers > div").count()) <= 6, `${scene}: more than six numbers`);
    await page.focus(".why > summary");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".why .katex");
    assert.equal(await page.locator(".why .katex-error").count(), 0, scene);
    assert.doesNotMatch(await page.getAttribute(".why .formula", "data-tex"), /NaN|undefined/, scene);
    assert.equal(await page.locator(".why [data-step]").count(), 3, scene);
    for (const step of [1, 2, 3]) {
      const was = page.url() + (await page.getAttribute(".why .formula", "data-tex"));
      await page.click(`.why [data-step="${step}"]`);
      await settled(page);
      assert.equal(await error(page), "", `${scene}, step ${step}`);
      const now = page.url() + (await page.getAttribute(".why .formula", "data-tex"));
      if (step > 1) assert.notEqual(now, was, `${scene}: step ${step} changes nothing`);
      assert.equal(await page.locator(".why .katex-error").count(), 0, `${scene}, step ${step}`);
    }
    await finished(page, `why-${scene}`);
  }
  const page = await open("#gripper");
  const help = page.locator(".control .help").first();
  assert.equal(await help.getAttribute("aria-expanded"), "false");
  await help.focus();
  await page.keyboard.press("Enter");
  assert.equal(await help.getAttribute("aria-expanded"), "true");
  assert.ok(await page.locator(`#${await help.getAttribute("aria-controls")}`).isVisible());
  await page.context().close();
});

test("accessibility: axe-core finds nothing, with all that opens being open, light and dark", async () => {
  const axe = readFileSync(join(packages, "node_modules/axe-core/axe.min.js"), "utf8");
  for (const dark of [false, true])
    for (const scene of ["limit", "slide", "gripper", "push", "rig", "steps", "cones", "file"]) {
      if (dark && !["limit", "gripper", "rig"].includes(scene)) continue;
      const page = await open(`#${scene}`, { dark });
      await page.emulateMedia({ reducedMotion: "reduce" }); // no colours half-way
      await page.evaluate(() => {
        /** @type {any} */ (window).page.view.pause?.(); // players leave axe no time
        for (const box of document.querySelectorAll("details")) box.open = true;
        for (const button of document.querySelectorAll("button.help")) /** @type {any} */ (button).click();
      });
      await page.waitForSelector(".why .katex").catch(() => assert.fail(`${scene}: no formula`));
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => /** @type {any} */ (window).axe.run());
      assert.deepEqual(
        violations.map((v) => [v.id, v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120))]),
        [],
        `${scene}${dark ? ", dark" : ""}`,
      );
      await page.context().close();
    }
});

test("stick-slip rig: drawn, coloured, heard", async () => {
  const page = await open("#rig");
  const { pitch } = await numbers(page),
    { x } = (await native(page)).table("rig.csv");
  // oracle: jumps of the command's mass, half a millimetre in 0.05 s
  const jumps = x.filter((at, i) => i > 5 && at - x[i - 5] > 5e-4 && x[i - 1] - x[Math.max(i - 6, 0)] <= 5e-4).length;
  const from = x.findIndex((at) => at > 1e-3) / 100;
  near(pitch, (jumps - 1) / (20 - from), 0.15, 1e-3, "stick-slips per second"); // the last one may have just begun
  const look = () =>
    page.evaluate(() => {
      const { view } = /** @type {any} */ (window).page,
        { v } = view.run;
      const fastest = v.indexOf(v.reduce((/** @type {number} */ a, /** @type {number} */ b) => Math.max(a, b)));
      const at = (/** @type {number} */ row) => {
        view.player.seek(view.run.t[row]);
        const [px, py] = view.picture.pixels([view.run.x[row], 0]),
          ratio = view.picture.canvas.width / view.picture.box.clientWidth;
        return Array.from(view.picture.canvas.getContext("2d").getImageData(px * ratio, (py - 10) * ratio, 1, 1).data.slice(0, 3));
      };
      return { slips: at(fastest), sticks: at(100) };
    });
  const { slips, sticks } = await look();
  assert.ok(slips[0] > slips[2] + 60, `it slips, and is ${slips}`);
  assert.ok(sticks[2] > sticks[0] + 60, `it sticks, and is ${sticks}`);
  assert.equal(await page.locator(".stage .curves").count(), 2);
  await page.click("[data-sound]");
  assert.equal(await page.getAttribute("[data-sound]", "aria-pressed"), "true");
  const heard = await page.evaluate(() => {
    const { source } = /** @type {any} */ (window).page.view.sound;
    const data = source.buffer.getChannelData(0);
    let rising = 0;
    for (let i = 0; i < data.length; i++) if (data[i] < 0.3 && data[(i + 1) % data.length] >= 0.3) rising++;
    return { rising, duration: source.buffer.duration, loop: source.loop };
  });
  near(heard.rising / heard.duration, 400 * pitch, 0.02, 1, "pitch that is heard");
  assert.ok(heard.loop);
  await page.click("[data-sound]");
  assert.equal(await page.getAttribute("[data-sound]", "aria-pressed"), "false");
  await finished(page, "rig-drawn");
});

test("files: bodies, sliders and mechanisms are drawn; a tactile map becomes the pressure", async () => {
  const page = await open("#limit"),
    scenarios = new URL("../../scenarios/", import.meta.url);
  for (const name of ["belt", "bar_on_feet", "pusher", "slider_free", "slider_pushed", "mechanism_two_link", "mechanism_chain", "mechanism_incline", "mechanism_conveyor", "mechanism_block"]) {
    // a second of it: the page's budget of 2 s is not what this test is about
    const text = readFileSync(new URL(`${name}.yaml`, scenarios), "utf8").replace(/^duration: [\d.]+/m, "duration: 1");
    await drop(page, [{ name: `${name}.yaml`, text }]);
    assert.equal(await error(page), "", name);
    assert.match(page.url(), /#file/, name);
    const seen = await page.evaluate(() => {
      const { view } = /** @type {any} */ (window).page;
      view.player.pause();
      const { run, plane } = view;
      const rows = [0, Math.floor(run.get("t").length / 2), run.get("t").length - 1];
      return rows.map((row) => {
        view.player.seek(run.get("t")[row]);
        plane.drawNow();
        const [px, py] = plane.pixels([run.get("x")[row], run.get("y")[row]]);
        const { width, height } = plane.canvas,
          { data } = plane.canvas.getContext("2d").getImageData(0, 0, width, height);
        let drawn = 0;
        for (let i = 3; i < data.length; i += 4) drawn += data[i] > 0 ? 1 : 0;
        return px > 0 && py > 0 && px < plane.box.clientWidth && py < plane.box.clientHeight && drawn > 500;
      });
    });
    assert.deepEqual(seen, [true, true, true], name);
  }
  await picture(page, "file-drawn");
  await page.goto(page.url().replace(/#.*/, "#limit"));
  await settled(page);
  const rows = [[0, 0, 1, 0], [0, 2, 4, 1], [0, 1, 3, -0.2]];
  await drop(page, [{ name: "pad.csv", text: rows.map((row) => row.join(",")).join("\n") }]);
  assert.equal(await error(page), "");
  const shown = await numbers(page),
    json = JSON.parse((await native(page)).printed[1]);
  near(shown.r, json.r, CLOSED, 1e-3, "r of the map");
  // oracle: the mean place of the pressure, cells of 7.5 mm, row 0 at the top
  const all = rows.flat().reduce((sum, p) => sum + Math.max(p, 0), 0);
  const x = rows.flatMap((row) => row.map((p, j) => Math.max(p, 0) * (j - 1.5) * 0.0075)).reduce((a, b) => a + b) / all;
  near(shown["cop.x"], x, 1e-9, 1e-3, "centre of pressure");
  await drop(page, [{ name: "flat.csv", text: "0,0\n0,0\n" }]);
  assert.match(await error(page), /flat\.csv: is a map without any pressure/);
  // a picture: white in its lower left quarter
  await page.evaluate(async () => {
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: 20, height: 20 });
    const context = canvas.getContext("2d");
    context.fillRect(0, 0, 20, 20);
    context.fillStyle = "white";
    context.fillRect(0, 10, 10, 10);
    const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
    const transfer = new DataTransfer();
    transfer.items.add(new File([blob], "pad.png", { type: "image/png" }));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await settled(page);
  assert.equal(await error(page), "");
  const { "cop.x": px, "cop.y": py } = await numbers(page);
  near(px, -0.0075, 1e-9, 1e-3, "x of the white quarter");
  near(py, -0.0075, 1e-9, 1e-3, "y of the white quarter");
  await finished(page, "tactile-map");
});

test("large patches and four handles; the layout stays where it is", async () => {
  const page = await open("#limit", { before: "window.shifts = 0; new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) window.shifts += e.value; }).observe({ type: 'layout-shift', buffered: true });" });
  for (const [handle, by] of [["size", [10, 6]], ["size-1", [-8, 6]], ["size-2", [-8, -6]], ["size-3", [12, 4]]]) {
    const was = await page.evaluate(() => String(/** @type {any} */ (window).page.state.patch.size));
    await drag(page, `[data-handle=${handle}]`, by);
    assert.notEqual(await page.evaluate(() => String(/** @type {any} */ (window).page.state.patch.size)), was, handle);
  }
  const times = await page.evaluate(() => {
    const { page: now } = /** @type {any} */ (window);
    now.state.patch = { shape: "polygon", vertices: Array.from({ length: 1000 }, (_, i) => [0.014 * Math.cos((i * Math.PI) / 500), 0.012 * Math.sin((i * Math.PI) / 500)]) };
    now.view.update();
    const median = (by) => {
      const list = Array.from({ length: 25 }, (_, i) => {
        by(i);
        const started = performance.now();
        now.view.update();
        return performance.now() - started;
      });
      return list.sort((a, b) => a - b)[12];
    };
    return [median((i) => (now.state.load[0] = 0.01 * i)), median((i) => (now.state.patch.vertices[3][0] = 0.013995 + 1e-9 * i))];
  });
  console.log(`# a polygon of 1000 corners: medians of ${times.map((t) => t.toFixed(1)).join(" ms as a load is dragged, ")} ms as a corner moves`);
  // area of the ellipse, less the corners that are cut off: pi^2/(6 n^2) 4
  near((await numbers(page)).area, Math.PI * 0.014 * 0.012, 1e-5, 1e-9, "area");
  const shifts = [];
  for (const scene of ["limit", "slide", "gripper", "push", "rig", "steps", "cones", "file?duration=0.2"]) {
    const fresh = await open(`#${scene}`, { before: "window.shifts = 0; new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) window.shifts += e.value; }).observe({ type: 'layout-shift', buffered: true });" });
    await fresh.waitForTimeout(300);
    shifts.push([scene, await fresh.evaluate(() => /** @type {any} */ (window).shifts)]);
    await fresh.context().close();
  }
  console.log(`# layout shift: ${shifts.map(([scene, value]) => `${scene} ${value.toFixed(3)}`).join(", ")}`);
  for (const [scene, value] of shifts) assert.ok(value < 0.05, `${scene}: layout shift ${value}`);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("gripper: frames with bristles in every cell of a disc of 21 follow the time", async () => {
  const page = await open("#gripper?model='distributed'");
  // a disc of 21 cells across: 317 have their centre inside, 373 bear some of the load
  assert.equal((await numbers(page)).cells, 373);
  // what the page itself does for a frame: bristles of all cells, pictures, numbers; not the wait for the screen
  const before = await numbers(page);
  const medians = await page.evaluate(async () => {
    const { view } = /** @type {any} */ (window).page;
    view.player.pause();
    const median = async () => {
      const list = [];
      // between frames the browser paints, which takes seconds where other programs keep the processors busy
      for (let i = 0; i < 20; i++) {
        await new Promise((done) => setTimeout(done));
        const started = performance.now();
        view.player.seek(i / 12);
        list.push(performance.now() - started);
      }
      return list.sort((a, b) => a - b)[10];
    };
    return [await median(), await median(), await median()];
  });
  console.log(`# frame at 373 cells: medians of 20 frames ${medians.map((t) => t.toFixed(2)).join(", ")} ms`);
  assert.notDeepEqual(await numbers(page), before); // the frames have drawn
  await page.context().close();
});

test("push: the tip is dragged, the object follows as bristle run has it", async () => {
  const page = await open("#push"),
    ends = { x: "x", y: "y", theta: "theta" };
  await sameEnd(page, "push.csv", ends, CLOSED, 1e-2);
  await drag(page, "[data-handle=tip]", [90, 25]);
  await drag(page, "[data-handle=tip]", [20, -60]);
  await sameEnd(page, "push.csv", ends, CLOSED, 1e-2);
  await reloads(page, Object.keys(ends));
  for (const shape of ["rect3", "hex", "ellip1", "tri1"]) {
    await page.selectOption("[data-control=shape]", shape);
    await page.selectOption("[data-control=support]", shape === "hex" ? "feet" : "whole");
    await drag(page, "[data-handle=tip]", [80, 10]);
    await sameEnd(page, "push.csv", ends, 1e-7, 1e-2); // pushes on three feet are found by search
  }
  await drop(page, [
    {
      name: "fitted.yaml",
      text: "shape: points\npoints: [[0.02, 0.01, 2], [-0.03, 0.02, 1], [0, -0.03, 1], [0.03, -0.02, 0.5]]\n",
    },
  ]);
  await sameEnd(page, "push.csv", ends, 1e-7, 1e-2);
  await finished(page, "push");
});

test("stick-slip rig: laws by sliders; LuGre creeps, elasto-plastic holds", async () => {
  const page = await open("#rig");
  for (const law of ["coulomb", "stiction", "stribeck", "dahl", "lugre", "elasto-plastic"]) {
    await page.selectOption('[data-control="law.kind"]', law);
    await settled(page);
    await sameEnd(page, "rig.csv", { x: "x", f: "f" }, RUN, 1e-2);
  }
  await page.click("text=Shaken, but held");
  await settled(page);
  const { x, "other.x": other } = await numbers(page);
  assert.ok(Math.abs(x) < 2e-5 && other > 20 * Math.abs(x), `elasto-plastic ${x} m, LuGre ${other} m`);
  await reloads(page, ["x", "f", "margin"]);
  await finished(page, "rig");
});

test("step size: ours as bristle run has it; the explicit step blows up, softened friction creeps", async () => {
  const page = await open("#steps");
  for (const ms of ["0.5", "5", "30"]) {
    await page.fill('[data-field="integrator.step"]', ms);
    await page.press('[data-field="integrator.step"]', "Enter");
    await settled(page);
    await sameEnd(page, "steps.csv", { y: "y" }, 1e-7, 1e-3);
    const shown = await numbers(page);
    assert.ok(Math.abs(shown.drift) < 1e-4, `ours gives by ${shown.drift} m in the first second`);
    assert.ok(Math.abs(shown.soft) > 10 * Math.abs(shown.drift), `softened creeps by ${shown.soft} m`);
    if (ms === "30") assert.match(shown.explicit, /blew up/);
  }
  // drawn: three blocks where they start; at the end ours and the softened one are below, the other one is gone
  const drawn = await page.evaluate(() => {
    const { view } = /** @type {any} */ (window).page;
    view.player.pause();
    const { canvas } = view.picture,
      pen = canvas.getContext("2d");
    return [0, view.player.duration].map((t) => {
      view.player.seek(t);
      view.picture.drawNow();
      return [0, 1, 2].map((lane) => {
        const from = Math.round((lane * canvas.width) / 3),
          { data, width } = pen.getImageData(from, 0, Math.floor(canvas.width / 3), canvas.height);
        let count = 0,
          sum = 0;
        // blocks are filled with a colour, lines and words are narrow: seven pixels of it in a row
        for (let i = 0, row = 0; i < data.length; i += 4) {
          row = data[i + 3] > 200 && Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 60 ? row + 1 : 0;
          if (row > 7) (count++, (sum += (i / 4) % width));
        }
        return { count, at: sum / count / width };
      });
    });
  });
  for (const lane of [0, 1, 2]) assert.ok(drawn[0][lane].count > 500, JSON.stringify(drawn));
  assert.equal(drawn[1][1].count, 0, "the explicit block is gone");
  for (const lane of [0, 2]) assert.ok(drawn[1][lane].count > 500 && drawn[1][lane].at > drawn[0][lane].at + 0.1, JSON.stringify(drawn));
  await reloads(page, ["y", "drift", "soft"]);
  await finished(page, "steps");
});

test("cones: a force is dragged; margin, projection and errors are those of bristle cone", async () => {
  const page = await open("#cones");
  for (const side of ["inner", "outer"]) {
    await page.selectOption("[data-control=side]", side);
    await drag(page, "[data-handle=force]", [-25, side === "inner" ? -60 : 30]);
    const shown = await numbers(page),
      { printed } = await native(page);
    const check = csv(printed[0]),
      project = csv(printed[1]),
      json = JSON.parse(printed[2]);
    near(shown.margin, check.margin[0], CLOSED, 1, "margin");
    assert.equal(shown.soc, check.soc[0] ? "holds" : "slips");
    assert.equal(shown.polyhedron, check.polyhedron[0] ? "holds" : "slips");
    for (const name of ["px", "py", "pz", "distance"]) near(shown[name], project[name][0], CLOSED, 1, name);
    near(shown.area, json.error.area, CLOSED, 1, "area");
    near(shown.angle, json.error.angle, CLOSED, 1, "angle");
  }
  await reloads(page, ["margin", "px", "area"]);
  await finished(page, "cones");
});

test("files: dropped scenarios run, with the tables they name; broken ones show their line", async () => {
  const page = await open("#limit");
  await drop(page, [
    {
      name: "motion.yaml",
      text: "model: distributed\nfriction: {mu: 1}\ncontact:\n  patch: {shape: disc, radius: 0.01}\n  normal_force: 1\nmotion: {file: v.csv}\n",
    },
    { name: "v.csv", text: "t,vx,vy,w\n0,0.01,0,0\n0.5,0.01,0.02,3\n1,0,0.01,5\n" },
  ]);
  assert.equal(await error(page), "");
  assert.match(page.url(), /#file/);
  await sameEnd(page, "scenario.csv", { fx: "fx", tau: "tau" }, RUN, 1e-3);
  assert.match((await exported(page, "yaml")).files[0].text, /duration: 1\n/);

  await drop(page, [
    {
      name: "box.yaml",
      text: "body: {mass: 0.3, size: [0.1, 0.1]}\ngravity: [0, -9.81]\nfriction:\n  mu: -1\ncontact:\n  frame: world\n  patch: {shape: disc, radius: 0.01}\n  normal_force: 2\nduration: 1\n",
    },
  ]);
  assert.match(await error(page), /^box\.yaml:4: friction\.mu: must be > 0/);
  await drop(page, [{ name: "bad.yaml", text: "shape: disc\nradius: [0.01\n" }]);
  assert.match(await error(page), /^bad\.yaml:[23]: /);
  await drop(page, [{ name: "odd.yaml", text: "shape: disc\nradios: 0.01\n" }]);
  assert.match(await error(page), /^odd\.yaml:2: radios: unknown key/);
  await drop(page, [{ name: "far.yaml", text: "law: {kind: coulomb, mu_c: 1}\nmotion:\n  file: elsewhere.csv\n" }]);
  assert.match(await error(page), /^far\.yaml:3: motion\.file: .*drop it together/);
  const rig =
    "law: {kind: stiction, mu_c: 0.3, mu_s: 0.4}\nrig: {mass: 1, stiffness: 100, pull: 0.01, normal_force: 9.81}\nduration: 2\n";
  await drop(page, [{ name: "rig.yaml", text: rig }]);
  assert.match(page.url(), /#rig/);
  assert.equal(await error(page), "");
  await page.click("#reset");
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

/** What is seen of the results: numbers, the sentence, pictures. */
const results = (page) =>
  page.evaluate(() => ({
    numbers: document.querySelectorAll("[data-number]").length,
    say: /** @type {any} */ (document.querySelector("#say")).hidden ? "" : document.querySelector("#say").textContent,
    pictures: [...document.querySelectorAll("#stage canvas")].filter((c) => getComputedStyle(c).visibility === "visible").length,
  }));
const NONE = { numbers: 0, say: "", pictures: 0 };

test("errors stay on open and after a reload, without results of before; a good state shows both again", async () => {
  const refused = /friction\.mu: must be > 0/;
  const page = await open("#gripper?friction.mu=-1");
  assert.match(await error(page), refused);
  assert.deepEqual(await results(page), NONE);
  await page.reload();
  await page.waitForSelector("body[data-ready]");
  await settled(page);
  assert.match(await error(page), refused);

  await page.fill('[data-field="friction.mu"]', "0.8");
  await page.press('[data-field="friction.mu"]', "Enter");
  await settled(page);
  assert.equal(await error(page), "");
  const good = await results(page);
  assert.ok(good.numbers > 5 && good.say && good.pictures > 3, JSON.stringify(good));

  // while the player runs, too
  await page.click("[data-player=play]");
  await page.fill('[data-field="body.mass"]', "-1");
  await page.press('[data-field="body.mass"]', "Enter");
  await settled(page);
  assert.match(await error(page), /body\.mass: must be > 0/);
  assert.deepEqual(await results(page), NONE);
  await page.click("#reset");
  await settled(page);
  assert.equal(await error(page), "");
  assert.ok((await results(page)).pictures > 3);

  // a handle is still there to be dragged back
  await page.goto(page.url().replace(/#.*/, "#limit?patch=('shape':'polygon','vertices':[[0,0],[0.02,0],[0,0]])"));
  await settled(page);
  assert.notEqual(await error(page), "");
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("addresses that cannot be read are reported, and the page goes on", async () => {
  const page = await open("#limit?__proto__.polluted=1&motion.sense=%E0%A4%A&load=[0.1,0.1,0.1]");
  const text = await error(page);
  assert.match(text, /__proto__\.polluted=1" is left out/);
  assert.match(text, /motion\.sense=%E0%A4%A" is left out/);
  assert.equal(await page.evaluate(() => /** @type {any} */ ({}).polluted), undefined);
  assert.ok((await numbers(page)).r > 0);
  assert.match(page.url(), /#limit\?load=\[0\.1,0\.1,0\.1\]$/);
  await page.goto(page.url().replace(/#.*/, "#limits"));
  await settled(page);
  assert.match(await error(page), /there is no scene "limits"/);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("long runs end with a message: nothing blocks the page for more than its budget", async () => {
  const page = await open("#cones");
  const base = page.url().replace(/#.*/, "");
  const cases = {
    "#gripper?contact.patch.resolution=4000": /contact\.patch\.resolution: this page takes at most 200/,
    "#gripper?output.every=0.00001": /rows of the run: this page takes at most 100000/,
    "#steps?integrator.step=1e-7": /ended after 2 s of computing/,
    "#limit?patch.resolution=4000": /resolution: this page takes at most 200/,
    "#cones?faces=1000000": /faces: this page takes at most 1000/,
  };
  // the longest time for which the page did not react; other programs on the machine stretch it: printed
  const longest = [];
  for (const [address, message] of Object.entries(cases)) {
    await page.evaluate(() => {
      const w = /** @type {any} */ (window);
      w.longest = 0;
      let last = performance.now();
      clearInterval(w.watch);
      w.watch = setInterval(() => {
        w.longest = Math.max(w.longest, performance.now() - last);
        last = performance.now();
      }, 5);
    });
    await page.goto(base + address);
    await settled(page);
    assert.match(await error(page), message, address);
    assert.deepEqual(await results(page), NONE, address);
    longest.push(await page.evaluate(() => /** @type {any} */ (window).longest));
  }
  console.log(`# blocked for at most ${longest.map((ms) => ms.toFixed(0)).join(", ")} ms`);
  // a long push is no error: it comes in slices
  const points = Array.from({ length: 1500 }, (_, i) => [i * 0.02, Number((-0.075 + 1e-4 * i).toFixed(4)), 0.015]);
  await page.goto(`${base}#push?pusher.points=${JSON.stringify(points)}`);
  await page.waitForFunction(() => document.querySelector("[data-number=steps]")?.textContent === "1500", null, { timeout: 60e3 });
  assert.equal(await error(page), "");
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("curves are drawn between pixels, where their values are", async () => {
  const page = await open("#cones", {
    // points of all paths that are drawn
    before: () => {
      const w = /** @type {any} */ (window),
        { lineTo } = Path2D.prototype;
      w.ys = [];
      Path2D.prototype.lineTo = function (x, y) {
        w.ys.push(y);
        return lineTo.call(this, x, y);
      };
    },
  });
  const { ys, exact } = await page.evaluate(async () => {
    const w = /** @type {any} */ (window),
      { plot, data } = w.page.view.errors;
    w.ys.length = 0;
    plot.redraw(true);
    await new Promise((done) => requestAnimationFrame(done));
    return { ys: [...w.ys], exact: data[1].map((/** @type {number} */ v) => plot.valToPos(v, "y", true)) };
  });
  for (const y of exact.slice(1)) assert.ok(ys.some((at) => Math.abs(at - y) < 1e-6), `no point at ${y} px`);
  await page.context().close();
});

test("keyboard: scenes, controls and handles work without a pointer", async () => {
  const page = await open("#limit");
  const was = (await numbers(page)).fx;
  await page.focus("[data-handle=rotation]");
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.notEqual((await numbers(page)).fx, was);
  await page.focus('nav a[href="#cones"]');
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.title.startsWith("Cones"));
  await page.context().close();
});

test("phone and dark: every scene fits its width, its name is in sight", async () => {
  for (const scene of ["limit", "slide", "gripper", "push", "rig", "steps", "cones", "file"]) {
    const page = await open(`#${scene}`, { width: 390, height: 844, dark: true });
    const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    assert.ok(inner <= outer, `${scene}: ${inner} px wide on ${outer}`);
    const name = await page.locator("nav a[aria-current]").boundingBox();
    assert.ok(name.x >= 0 && name.x + name.width <= outer, `${scene}: its name is at ${name.x} px`);
    await finished(page, `${scene}-phone`);
  }
});

test("works without network after the first load, and loads again", async () => {
  const page = await open("#limit", { keep: true });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForSelector("body[data-ready]");
  assert.ok((await numbers(page)).r > 0);
  await page.context().close();

  const times = [];
  for (let i = 0; i < 3; i++) {
    const fresh = await open("#limit");
    times.push(await fresh.evaluate(() => /** @type {any} */ (window).page.readyAt));
    await fresh.context().close();
  }
  console.log(`# loaded after ${times.map((t) => t.toFixed(0)).join(", ")} ms`);
});

test("as C and as Python: both run, and print the numbers of the page", async () => {
  const patches = [
    "('shape':'grid','size':[0.03,0.03],'cells':[[1,2],[0,1]])",
    "('shape':'points','points':[[-0.01,-0.01,1],[0.01,-0.01,1],[0,0.01,2]])",
    "('shape':'polygon','vertices':[[0,0],[0.02,0],[0,0.02]],'pressure':('kind':'linear','from':1,'to':3))",
    "('shape':'disc','radius':0.01,'pressure':('kind':'power','k':2))",
    "('shape':'ellipse','radius':0.015,'ratio':0.6)",
  ];
  const pages = [
    ...patches.map((patch) => `#limit?patch=${patch}`),
    "#limit",
    "#limit?anisotropy=('ratio':1.5,'angle':0.4)",
    "#slide?friction.anisotropy=('ratio':0.6,'angle':0.5,'axes':'ground')",
    "#gripper",
    "#push",
    "#rig",
    "#steps",
    "#cones",
    "#file",
  ];
  for (const address of pages) {
    const page = await open(address),
      shown = await numbers(page);
    for (const language of ["c", "python"]) {
      const [{ text }] = (await exported(page, language)).files,
        printed = language === "c" ? runC(text) : runPython(text);
      if (printed !== null)
        for (const value of expectedOf(address, shown))
          assert.ok(holds(printed, value), `${address} as ${language}: ${value} is not in\n${printed}`);
    }
    await page.context().close();
  }
});

/** Numbers that a snippet must print. */
function expectedOf(address, shown) {
  if (address.startsWith("#limit")) return [shown.r, shown.fx, shown.tau, shown.gauge];
  if (address === "#cones") return [shown.margin, shown.px, shown.area];
  if (address.startsWith("#slide")) return [shown.x, shown.y, shown.theta];
  if (address === "#gripper") return [shown["final.y"], shown["final.theta"]];
  return { "#push": [shown.x, shown.theta], "#rig": [shown.x, shown.f], "#steps": [shown.y], "#file": [] }[address];
}

/** Is a number in a text? Python prints arrays with eight digits. */
const holds = (text, value) =>
  (text.match(/-?\d+\.?\d*(e-?\d+)?/g) ?? []).some(
    (word) => Math.abs(Number(word) - value) <= 2e-6 * Math.abs(value) + 1e-8,
  );
