/**
 * The site in a real browser: node check.mjs SITE PACKAGES [PICTURES]. On each of the pages below: axe-core finds no
 * violation, light and dark; nothing is wider than the window, on a desktop and on a phone; nothing is loaded from another
 * host, and the console has no errors. The search lists the tutorial first. Pictures of all go to PICTURES.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { after, before, test as unlimited } from "node:test";
import { fileURLToPath } from "node:url";

const [site, packages, pictures] = process.argv.slice(2).map((path) => resolve(path));
const { serve } = await import(fileURLToPath(new URL("../../../web/serve.mjs", import.meta.url)));
const require = createRequire(join(packages, "package.json"));
const { chromium } = require("playwright-core");
const AXE = require.resolve("axe-core/axe.min.js");

const PAGES = [
  "index.html",
  "overview.html",
  "docs/tutorial/guide.html",
  "docs/howto/embedding.html",
  "docs/explanation/formulas.html",
  "docs/explanation/equations.html",
  "docs/reference/keys.html",
  "docs/reproduction/summary.html",
  "reference/c/index.html",
  "reference/python/body.html",
];
const WINDOWS = { desktop: { width: 1280, height: 900 }, phone: { width: 375, height: 720 } };

/** A test that ends, whatever hangs [ms]. */
const test = (name, body) => unlimited(name, { timeout: 900e3 }, body);

let browser, server;

before(async () => {
  server = await serve(site, 0);
  const path = execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();
  const args = ["--no-sandbox", "--disable-quic", "--disable-background-networking", "--disable-component-update"];
  browser = await chromium.launch({ executablePath: path, headless: true, args });
  if (pictures) mkdirSync(pictures, { recursive: true });
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** A page, with what it loaded from elsewhere and the errors on its console. */
async function open(address, { window, scheme }) {
  const context = await browser.newContext({ viewport: WINDOWS[window], colorScheme: scheme, serviceWorkers: "block" });
  context.setDefaultTimeout(120e3); // [ms]: other programs run on the machine, too
  const page = await context.newPage(),
    problems = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(server.url) && !/^(data|blob|about):/.test(url)) problems.push(`loads ${url}`);
  });
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.goto(server.url + address, { waitUntil: "load" });
  return Object.assign(page, { problems });
}

/** Violations of accessibility, a line each; the explorer has tests of its own. */
async function violations(page) {
  await page.addScriptTag({ path: AXE });
  const { violations: found } = await page.evaluate(() =>
    window.axe.run({ exclude: [["iframe.explorer"]] }, { resultTypes: ["violations"] }),
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.slice(0, 4).map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`),
  );
}

/** Open a page, keep a picture, and check its width. */
async function look(address, window, scheme) {
  const page = await open(address, { window, scheme });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  if (pictures) await page.screenshot({ path: join(pictures, `${address.replace(/\W/g, "-")}-${window}-${scheme}.png`) });
  assert.ok(width <= WINDOWS[window].width, `${address} is ${width} px wide`);
  return page;
}

for (const address of PAGES) {
  for (const [window, scheme] of [["desktop", "light"], ["desktop", "dark"], ["phone", "light"]]) {
    test(`${address}, ${window}, ${scheme}`, async () => {
      const page = await look(address, window, scheme);
      if (window === "desktop") assert.deepEqual(await violations(page), []);
      assert.deepEqual(page.problems, []);
      await page.context().close();
    });
  }
}

test("the explorer is as wide as the window, and as high as its page", async () => {
  const page = await open("index.html", { window: "desktop", scheme: "light" });
  const frame = page.locator("iframe.explorer");
  await frame.scrollIntoViewIfNeeded();
  const inner = await (await frame.elementHandle()).contentFrame();
  await inner.waitForSelector("body[data-ready]");
  await page.waitForFunction(() => {
    const found = document.querySelector("iframe.explorer");
    return found.contentDocument.documentElement.scrollHeight <= found.clientHeight + 1;
  });
  const box = await frame.boundingBox();
  assert.ok(box.width >= 0.9 * WINDOWS.desktop.width, `${box.width} px wide`);
  assert.match(await inner.textContent(".links"), /Documentation/);
  await page.context().close();
});

test("equations are typeset, in lines and on lines of their own", async () => {
  const page = await open("docs/explanation/formulas.html", { window: "phone", scheme: "dark" });
  assert.ok((await page.locator("p .katex").count()) > 10);
  assert.ok((await page.locator(".katex-display").count()) > 10);
  assert.doesNotMatch(await page.innerText("article"), /\\[([]|\$/);
  await page.context().close();
});

test("search lists a page of the tutorial first", async () => {
  const page = await open("docs/reference/keys.html", { window: "desktop", scheme: "light" });
  for (const word of ["friction", "gripper", "scenario"]) {
    await page.fill(".md-search__input", "");
    await page.type(".md-search__input", word);
    await page.waitForSelector(`.md-search-result__link[href*="h=${word}"]`); // of this word, not of the one before
    const first = await page.getAttribute(".md-search-result__link", "href");
    assert.match(first, /docs\/tutorial\//, `${word}: ${first}`);
  }
  await page.context().close();
});
