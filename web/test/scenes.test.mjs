/**
 * What holds for every scene: keys move it, an error stays after a reload and goes with "Start over", a finger scrolls
 * the page beside handles, labels of axes fit. Oracle: what the page promises; numbers have tests of their own.
 */
import assert from "node:assert/strict";
import { after, before, test as unlimited } from "node:test";
import { error, numbers, open, settled, start, stop } from "./browser.mjs";

/** A test that ends, whatever hangs [ms]. */
const test = (name, body) => unlimited(name, { timeout: 900e3 }, body);

before(start);
after(stop);

/** Each scene: what a key moves, an address that is wrong, and the error it shows. */
const SCENES = {
  puck: { key: "[data-handle=velocity]", bad: "friction.mu=-1", message: /friction\.mu: must be > 0/ },
  limit: { key: "[data-handle=rotation]", bad: "patch.size=[0.03,-0.02]", message: /size/ },
  slide: { key: "[data-handle=start]", bad: "friction.mu=-1", message: /friction\.mu: must be > 0/ },
  gripper: { key: '[data-control="body.mass"]', bad: "body.mass=-1", message: /body\.mass: must be > 0/ },
  push: { key: "[data-handle=tip]", bad: "pusher.mu=-1", message: /mu/ },
  rig: { key: '[data-control="rig.mass"]', bad: "rig.mass=-1", message: /rig\.mass: must be > 0/ },
  steps: { key: '[data-control="integrator.step"]', bad: "friction.mu=-1", message: /mu/ },
  cones: { key: "[data-handle=force]", bad: "faces=1", message: /faces/ },
  engines: { key: '[data-control="puck.speed"]', bad: "puck.mu=-1", message: /mu/ },
  file: { key: "[data-control=duration]", bad: "duration=-1", message: /duration: must be/ },
};

/** Results that are shown, without those that are still open. */
const shown = async (page) => Object.entries(await numbers(page)).filter(([, value]) => value !== undefined);

test("a key changes every scene: its numbers, and its address", async () => {
  for (const [scene, { key }] of Object.entries(SCENES)) {
    const page = await open(`#${scene}`),
      was = [page.url(), JSON.stringify(await numbers(page))];
    await page.evaluate(() => /** @type {any} */ (window).page.view.pause?.()); // players change numbers, too
    await page.focus(key);
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
    await settled(page);
    assert.notEqual(page.url(), was[0], `${scene}: address`);
    assert.notEqual(JSON.stringify(await numbers(page)), was[1], `${scene}: numbers`);
    assert.equal(await error(page), "", scene);
    assert.deepEqual(page.errors, [], scene);
    await page.context().close();
  }
});

test("every scene: an error is still there after a reload, without numbers; Start over ends it", async () => {
  for (const [scene, { bad, message }] of Object.entries(SCENES)) {
    const page = await open(`#${scene}?${bad}`);
    for (const visit of ["first", "reloaded"]) {
      assert.match(await error(page), message, `${scene}, ${visit}`);
      assert.deepEqual(await shown(page), [], `${scene}, ${visit}`);
      if (visit === "first") await page.reload();
      await page.waitForSelector("body[data-ready]");
      await settled(page);
    }
    await page.click("#reset");
    await settled(page);
    assert.equal(await error(page), "", scene);
    assert.ok((await shown(page)).length > 1, scene);
    assert.deepEqual(page.errors, [], scene);
    await page.context().close();
  }
});

/** A finger goes up or down from a point [px]. */
async function swipe(client, [x, y], by) {
  const touch = (type, points) => client.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await touch("touchStart", [{ x, y }]);
  for (let i = 1; i <= 8; i++) await touch("touchMove", [{ x, y: y + (by * i) / 8 }]);
  await touch("touchEnd", []);
}

/** A point of each picture of the stage that no handle covers, once the picture is in sight [px]. */
async function freePoint(picture) {
  await picture.evaluate((box) => box.scrollIntoView({ block: "center", behavior: "instant" }));
  return picture.evaluate((box) => {
    const { left, top, width, height } = box.getBoundingClientRect();
    for (const share of [0.9, 0.1, 0.5, 0.7, 0.3])
      for (const across of [0.06, 0.94, 0.5]) {
        const at = [left + across * width, top + share * height];
        if (box.contains(document.elementFromPoint(at[0], at[1])) && !document.elementFromPoint(at[0], at[1])?.closest(".handle")) return at;
      }
    return null;
  });
}

test("touch: beside handles the page scrolls, over every picture of every scene; nothing changes by that", async () => {
  for (const scene of Object.keys(SCENES)) {
    const page = await open(`#${scene}`, { width: 390, height: 700, touch: true }),
      client = await page.context().newCDPSession(page),
      address = page.url();
    await page.evaluate(() => /** @type {any} */ (window).page.view.pause?.());
    // the drawn grip of the gripper is a control, which a finger draws
    const pictures = await page.$$("#stage :is(.plane:not(.grip), .space, .curves, .lane)");
    assert.ok(pictures.length > 0, scene);
    for (const [i, picture] of pictures.entries()) {
      const at = await freePoint(picture);
      assert.ok(at, `${scene}, picture ${i}: no place without handles`);
      const was = await page.evaluate(() => scrollY);
      await swipe(client, at, was > 100 ? 120 : -120);
      await page.waitForFunction((from) => Math.abs(scrollY - from) > 20, was).catch(() => assert.fail(`${scene}, picture ${i}: the page does not scroll`));
    }
    await settled(page);
    assert.equal(page.url(), address, scene);
    assert.equal(await error(page), "", scene);
    assert.deepEqual(page.errors, [], scene);
    await page.context().close();
  }
});

test("touch: a finger on a handle moves it, and the page stays; a tap sets the tip of Push down", async () => {
  for (const [scene, { key }] of Object.entries(SCENES)) {
    if (!key.startsWith("[data-handle")) continue;
    const page = await open(`#${scene}`, { width: 390, height: 700, touch: true }),
      client = await page.context().newCDPSession(page),
      address = page.url();
    await page.locator(key).evaluate((handle) => handle.scrollIntoView({ block: "center", behavior: "instant" }));
    const { x, y, width, height } = await page.locator(key).boundingBox(),
      was = await page.evaluate(() => scrollY);
    await swipe(client, [x + width / 2, y + height / 2], -30);
    await settled(page);
    assert.notEqual(page.url(), address, scene);
    assert.equal(await page.evaluate(() => scrollY), was, scene);
    if (scene === "push") {
      const box = await page.locator(".plane").boundingBox();
      await page.touchscreen.tap(box.x + 0.1 * box.width, box.y + 0.85 * box.height);
      await page.waitForFunction(() => /** @type {any} */ (window).page.state.pusher.points.length === 1);
    }
    assert.equal(await error(page), "", scene);
    assert.deepEqual(page.errors, [], scene);
    await page.context().close();
  }
});

test("labels of axes fit: numbers are as wide as their place at most, on a phone, too", async () => {
  for (const width of [1280, 375])
    for (const scene of Object.keys(SCENES)) {
      const page = await open(`#${scene}`, { width });
      await page.waitForFunction(() => [...document.querySelectorAll(".curves")].every((box) => box.querySelector("canvas")));
      const wide = await page.evaluate(() => {
        const pen = document.createElement("canvas").getContext("2d"),
          found = [];
        for (const { plot, options } of Object.values(/** @type {any} */ (window).page.view).flat().filter((part) => part?.plot)) {
          const [x, y] = plot.axes;
          pen.font = "11px system-ui";
          const size = (text) => pen.measureText(text ?? "").width;
          // beside the numbers are a tick and a gap
          const room = y._size - y.ticks.size - y.gap;
          for (const text of y._values ?? []) if (size(text) > room) found.push(`${options.title}: y ${text}, ${size(text).toFixed(0)} of ${room} px`);
          const across = (x._values ?? []).reduce((sum, text) => sum + size(text) + 4, 0);
          if (across > plot.width) found.push(`${options.title}: x ${x._values.join(" ")}`);
        }
        return found;
      });
      assert.deepEqual(wide, [], `${scene}, ${width} px`);
      await page.context().close();
    }
});
