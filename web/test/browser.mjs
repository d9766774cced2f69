/** A browser with the page open, what it prints, and the command to compare with. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { serve } from "../serve.mjs";

const [bristle, folder, packages, pictures] = process.argv.slice(2).map((path) => resolve(path));
const { chromium } = createRequire(join(packages, "package.json"))("playwright-core");

// as root and without a graphics card; nothing but the page is requested
const FLAGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
];

let browser, server;

const PATIENCE = 120e3; // other programs run on the machine, too [ms]

export async function start() {
  server = await serve(folder, 0);
  browser = await chromium.launch({ executablePath: chromiumPath(), headless: true, args: FLAGS, timeout: PATIENCE });
}

const chromiumPath = () => execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();

export async function stop() {
  await browser?.close();
  server?.close();
}

/** Open an address; `errors` gathers the messages of the console; `before` runs in the page before its own scripts. */
export async function open(address, { width = 1280, height = 900, dark = false, keep = false, touch = false, before } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    hasTouch: touch,
    serviceWorkers: keep ? "allow" : "block",
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage(),
    errors = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  if (before) await page.addInitScript(before);
  await page.goto(server.url + address);
  await page.waitForSelector("body[data-ready]");
  await settled(page);
  return Object.assign(page, { errors });
}

/** Wait until all is computed and drawn, and the address has the state. */
export const settled = (page) =>
  page.waitForFunction(() => !document.body.dataset.busy && !document.querySelector("[aria-busy=true]"));

/** Results that the page shows, by name, in full. */
export const numbers = (page) =>
  page.$$eval("[data-number]", (list) =>
    Object.fromEntries(
      list.map((dd) => [
        dd.dataset.number,
        Number.isNaN(Number(dd.dataset.value)) ? dd.dataset.value : Number(dd.dataset.value),
      ]),
    ),
  );

export const error = (page) => page.textContent("#error");

/** Drag from a handle, or from a share of a picture, by pixels. */
export async function drag(page, selector, by, { share } = {}) {
  await page.locator(selector).first().scrollIntoViewIfNeeded();
  const box = await page.locator(selector).first().boundingBox();
  const [x, y] = share
    ? [box.x + share[0] * box.width, box.y + share[1] * box.height]
    : [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by[0], y + by[1], { steps: 5 });
  await page.mouse.up();
  await settled(page);
}

/** The files and commands of an export, as the page shows them. */
export async function exported(page, tab) {
  await page.evaluate(() => (document.querySelector("details.export").open = true));
  await page.click(`[data-export=${tab}]`);
  await page.waitForSelector(`.export-body[data-shown=${tab}]`);
  const files = await page.$$eval(".code", (list) =>
    list.map((box) => ({ name: box.querySelector(".name").textContent, text: box.querySelector("pre").textContent })),
  );
  const command = tab === "yaml" ? await page.textContent(".command code") : "";
  return { files, command };
}

/** Save the export and run its commands natively: what each printed, and its tables. */
export async function native(page) {
  const { files, command } = await exported(page, "yaml"),
    at = mkdtempSync(join(tmpdir(), "bristle-web-"));
  for (const { name, text } of files) writeFileSync(join(at, name), text);
  const printed = command.split(";").map((line) => {
    const words = line.trim().split(/\s+/).slice(1);
    const plot = words.indexOf("--plot");
    if (plot >= 0) words.splice(plot, 2);
    return execFileSync(bristle, [...words, "-q"], { cwd: at, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  });
  return { printed, at, table: (name) => csv(readFileSync(join(at, name), "utf8")) };
}

/** Columns of a CSV text: numbers, words where they are none. */
export function csv(text) {
  const [header, ...rows] = text
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  return Object.fromEntries(
    header.map((name, i) => [name, rows.map((row) => (Number.isNaN(Number(row[i])) ? row[i] : Number(row[i])))]),
  );
}

/** Drop files on the page, as from a folder. */
export async function drop(page, files) {
  const data = await page.evaluateHandle((list) => {
    const transfer = new DataTransfer();
    for (const { name, text } of list) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
  await settled(page);
}

/** A picture, for people to look at. */
export const picture = (page, name) => page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
