/** Sharing in a real browser: links, frames, videos, the card for other sites, and the policy that keeps out foreign code. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test as unlimited } from "node:test";
import { numbers, open, settled, start, stop } from "./browser.mjs";

const [, folder, packages, pictures] = process.argv.slice(2).map((path) => resolve(path));

/** A test that ends, whatever hangs [ms]. */
const test = (name, body) => unlimited(name, { timeout: 900e3 }, body);

before(start);
after(stop);

/** What the page puts on the clipboard, which a browser without a window does not lend out. */
const CLIPBOARD = () => {
  const w = /** @type {any} */ (window);
  Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => (w.copied = text) } });
};
const copied = (page, name) => page.click(`[data-share=${name}]`).then(() => page.evaluate(() => /** @type {any} */ (window).copied));

test("link and frame: both open what is seen, the frame with the stage alone", async () => {
  const page = await open("#cones?faces=7", { before: CLIPBOARD }),
    shown = await numbers(page);
  assert.equal(await copied(page, "link"), page.url());
  assert.match(await page.textContent("#share .done"), /link copied/);
  const html = await copied(page, "embed");
  assert.match(html, /^<iframe src="[^"]*\?embed=1#cones\?faces=7" title="[^"]+"/);
  await page.setContent(html);
  const frame = await (await page.waitForSelector("iframe")).contentFrame();
  await frame.waitForSelector("body[data-ready]");
  await settled(frame);
  assert.deepEqual(await numbers(frame), shown);
  const seen = (selector) => frame.locator(selector).first().isVisible();
  for (const selector of ["header", "nav", "aside", "#export", "#title"]) assert.equal(await seen(selector), false, selector);
  for (const selector of ["#stage .space", ".whole"]) assert.equal(await seen(selector), true, selector);
  // what is dragged in the frame is in the link to the whole page
  await frame.evaluate(() => /** @type {any} */ (window).page.host().change((state) => (state.faces = 9)));
  await settled(frame);
  await frame.locator(".whole a").focus();
  assert.match(await frame.getAttribute(".whole a", "href"), /\/#cones\?faces=9$/);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("a video is saved: it plays, has the size of the stage, and shows canvases, drawings and words", async () => {
  const page = await open("#slide", { width: 900, height: 800 });
  const saved = page.waitForEvent("download");
  await page.click("[data-share=record]");
  await page.waitForFunction(() => /\((?:[3-9]|\d\d) s\)/.test(document.querySelector("[data-share=record]").textContent));
  await page.click("[data-share=record]");
  const file = await saved;
  assert.equal(file.suggestedFilename(), "bristle-slide.webm");
  const bytes = readFileSync(await file.path());
  assert.equal(bytes.readUInt32BE(0), 0x1a45dfa3, "no EBML head");
  await page.waitForFunction(() => document.querySelector("#share .done").textContent.startsWith("saved bristle-slide.webm"));
  assert.equal(await page.textContent("[data-share=record]"), "Record");
  const video = await page.evaluate(async (data) => {
    const element = document.createElement("video"),
      bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
    element.src = URL.createObjectURL(new Blob([bytes], { type: "video/webm" }));
    element.muted = true;
    const ended = new Promise((done) => element.addEventListener("ended", done));
    await element.play();
    await ended;
    const { videoWidth: width, videoHeight: height } = element,
      canvas = document.createElement("canvas");
    Object.assign(canvas, { width, height });
    const pen = canvas.getContext("2d");
    pen.drawImage(element, 0, 0);
    const { data: pixels } = pen.getImageData(0, 0, width, height),
      colours = new Set();
    for (let i = 0; i < pixels.length; i += 4) colours.add((pixels[i] >> 5) * 64 + (pixels[i + 1] >> 5) * 8 + (pixels[i + 2] >> 5));
    // a handle is in a drawing: pixels of its ring's colour, which compression changes a little
    const knob = document.querySelector("[data-handle=velocity] .knob"),
      ring = getComputedStyle(knob).stroke.match(/\d+/g).map(Number),
      [at, corner] = [knob, document.querySelector("#stage > *")].map((each) => each.getBoundingClientRect());
    let ringed = 0;
    for (let y = Math.floor(at.top - corner.top - 3); y < at.bottom - corner.top + 3; y++)
      for (let x = Math.floor(at.left - corner.left - 3); x < at.right - corner.left + 3; x++)
        if (ring.every((part, k) => Math.abs(pixels[4 * (y * width + x) + k] - part) < 50)) ringed++;
    const stage = [...document.querySelectorAll("#stage > *")].map((each) => each.getBoundingClientRect());
    const extent = (low, high) => Math.max(...stage.map((box) => box[high])) - Math.min(...stage.map((box) => box[low]));
    return { width, height, ringed, colours: colours.size, picture: canvas.toDataURL(), stage: [extent("left", "right"), extent("top", "bottom")] };
  }, bytes.toString("base64"));
  assert.ok(Math.abs(video.width - video.stage[0]) <= 2, `${video.width} px wide, the stage ${video.stage[0]}`);
  assert.ok(Math.abs(video.height - video.stage[1]) <= 2, `${video.height} px high, the stage ${video.stage[1]}`);
  assert.ok(video.colours > 20, `${video.colours} colours`); // an empty stage has two
  assert.ok(video.ringed > 15, `${video.ringed} pixels of a handle`);
  writeFileSync(join(pictures, "recorded.png"), Buffer.from(video.picture.split(",")[1], "base64"));
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("the card for other sites: title, words, a picture of 1200 x 630", async () => {
  const html = readFileSync(join(folder, "index.html"), "utf8");
  for (const name of ["title", "description", "image", "image:alt"]) assert.match(html, new RegExp(`<meta property="og:${name}" content="[^"]+">`));
  const png = readFileSync(join(folder, "card.png"));
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630]);
  assert.doesNotMatch(html, /<!-- (policy|preload|links) -->/);
});

test("SITE and SOURCE give links to the documentation and the source, and the card its whole address", () => {
  const at = mkdtempSync(join(tmpdir(), "bristle-site-")),
    build = fileURLToPath(new URL("../build.mjs", import.meta.url)),
    env = { ...process.env, SITE: "https://example.org/docs/", SOURCE: "https://example.org/source" };
  execFileSync("node", [build, join(dirname(folder), "wasm"), packages, at], { env });
  const html = readFileSync(join(at, "index.html"), "utf8");
  for (const link of ['href="https://example.org/docs/" target="_top">Documentation', 'href="https://example.org/source" target="_top">Source', 'og:image" content="https://example.org/docs/explorer/card.png"'])
    assert.ok(html.includes(link), link);
  rmSync(at, { recursive: true });
});

test("the policy is in force: no inline script, no code from text, no other host; every scene keeps to it", async () => {
  const page = await open("#limit", {
    before: () => {
      const w = /** @type {any} */ (window);
      w.violations = [];
      document.addEventListener("securitypolicyviolation", (event) => w.violations.push(`${event.effectiveDirective} ${event.blockedURI}`));
    },
  });
  const violations = () => page.evaluate(() => /** @type {any} */ (window).violations.splice(0));
  const scenes = await page.$$eval("nav a", (list) => list.map((link) => link.getAttribute("href")));
  assert.ok(scenes.length >= 9);
  for (const scene of scenes) {
    await page.evaluate((hash) => (location.hash = hash), scene);
    await page.waitForFunction((hash) => document.querySelector("nav a[aria-current]")?.getAttribute("href") === hash, scene);
    await settled(page);
    assert.deepEqual([scene, await violations()], [scene, []]);
    assert.deepEqual([scene, page.errors], [scene, []]);
  }
  const tried = await page.evaluate(async () => {
    const w = /** @type {any} */ (window);
    const script = document.createElement("script");
    script.textContent = "window.broken = true";
    document.body.append(script);
    // in a task of the page's own: what the browser's tools call may do it
    const code = await new Promise((done) =>
      setTimeout(() => {
        try {
          done(String(new Function("return 1")()));
        } catch {
          done("refused");
        }
      }),
    );
    const other = await fetch("https://example.org/").then(() => "fetched", () => "refused");
    return { inline: w.broken ?? "refused", code, other };
  });
  assert.deepEqual(tried, { inline: "refused", code: "refused", other: "refused" });
  const seen = (await violations()).map((text) => text.split(" ")[0]).sort();
  assert.deepEqual(seen, ["connect-src", "script-src", "script-src-elem"]);
  await page.context().close();
});

test("sharing has no violations of axe-core, in frames, too", async () => {
  const source = readFileSync(createRequire(join(packages, "package.json")).resolve("axe-core/axe.min.js"), "utf8");
  for (const address of ["#cones", "?embed=1#cones"]) {
    const page = await open(address);
    await page.evaluate(source);
    const { violations } = await page.evaluate(() => /** @type {any} */ (window).axe.run());
    assert.deepEqual(violations.map(({ id, nodes }) => `${address} ${id}: ${nodes.map((n) => n.html).join(" ")}`), []);
    await page.context().close();
  }
});
