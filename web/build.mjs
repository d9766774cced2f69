/**
 * Builds the page: node web/build.mjs WASM PACKAGES OUT copies the page, the module (WASM) and what it needs of
 * the npm packages (PACKAGES/node_modules) into OUT, and writes the service worker that keeps it all for use
 * without network. Nothing is bundled or changed: what is served is what is written.
 */
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const [wasm, packages, out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));

/** from, to: of the page, of the packages, of the module */
const FILES = [
  ...["index.html", "style.css", "icon.svg", "src"].map((name) => [join(here, name), name]),
  ...Object.entries({
    "three/build/three.module.min.js": "three/three.module.min.js",
    "three/examples/jsm/controls/OrbitControls.js": "three/addons/controls/OrbitControls.js",
    "three/LICENSE": "three/LICENSE",
    "uplot/dist/uPlot.esm.js": "uplot/uPlot.esm.js",
    "uplot/dist/uPlot.min.css": "uplot/uPlot.min.css",
    "uplot/LICENSE": "uplot/LICENSE",
    "yaml/browser": "yaml",
    "yaml/LICENSE": "yaml/LICENSE",
  }).map(([from, to]) => [join(packages, "node_modules", from), join("vendor", to)]),
  [wasm, "bristle"],
];

/** All files below a folder. */
async function list(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  return (
    await Promise.all(
      entries.map((entry) => (entry.isDirectory() ? list(join(folder, entry.name)) : [join(folder, entry.name)])),
    )
  ).flat();
}

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
for (const [from, to] of FILES) await cp(from, join(out, to), { recursive: true });

const files = (await list(out))
  .map((file) => relative(out, file))
  .filter((file) => !/LICENSE|package.json/.test(file))
  .sort();
const hash = createHash("sha256");
for (const file of files) hash.update(file).update(await readFile(join(out, file)));
// all that the first picture needs is requested at once, not module by module; 3-D comes after it
const early = files
  .filter((file) => /^(src|bristle)\/.*\.js$|uPlot.*\.js$/.test(file) && file !== "src/space.js")
  .map((file) => `<link rel="modulepreload" href="${file}">`);
const html = await readFile(join(out, "index.html"), "utf8");
await writeFile(
  join(out, "index.html"),
  html.replace(
    "<!-- preload -->",
    ['<link rel="preload" as="fetch" crossorigin href="bristle/bristle-simd.wasm">', ...early].join("\n"),
  ),
);

/** A text with a place in it filled, which must be there. */
function filled(text, place, value) {
  if (!text.includes(place)) throw new Error(`there is no ${place} to fill`);
  return text.replace(place, JSON.stringify(value));
}

const service = filled(
  await readFile(join(here, "service.js"), "utf8"),
  '"@version@"',
  hash.digest("hex").slice(0, 16),
);
await writeFile(join(out, "service.js"), filled(service, '["@files@"]', ["./", ...files]));
console.log(`${join(out, "index.html")}: ${files.length} files`);
