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
const rigid = join(here, "../integrations/rigid/js");

/** from, to: of the page, of the packages, of the module */
const FILES = [
  ...["index.html", "style.css", "icon.svg", "card.png", "src"].map((name) => [join(here, name), name]),
  ...Object.entries({
    "katex/dist/katex.min.js": "katex/katex.min.js",
    "katex/dist/katex.min.css": "katex/katex.min.css",
    "katex/LICENSE": "katex/LICENSE",
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
  // engines of the scene "Engines", run by a worker that comes when it is opened
  [join(here, "engines"), "engines"],
  ...["jolt", "mujoco", "rapier"].flatMap((name) => [
    [join(rigid, "scenes", `${name}.mjs`), `engines/${name}.js`],
    [join(dirname(wasm), "rigid", `${name}.js`), `rigid/${name}.js`],
  ]),
  ...["errors.js", "load.js", "pose.js", "rigid.js", "bristle-rigid.wasm", "bristle-rigid-simd.wasm"].map((name) => [
    join(dirname(wasm), "rigid", name),
    join("rigid", name),
  ]),
  ...Object.entries({
    "@dimforge/rapier3d-compat/dist/rapier.mjs": "rapier.js",
    "@dimforge/rapier3d-compat/LICENSE": "rapier.LICENSE",
    "@mujoco/mujoco/mujoco.js": "mujoco.js",
    "@mujoco/mujoco/mujoco.wasm": "mujoco.wasm",
    "@mujoco/mujoco/package.json": "mujoco.package.json", // it has no file of its licence, but its name
    "jolt-physics/dist/jolt-physics.wasm.js": "jolt.js",
    "jolt-physics/dist/jolt-physics.wasm.wasm": "jolt-physics.wasm.wasm",
    "jolt-physics/LICENSE": "jolt.LICENSE",
    "box2d3-wasm/build/dist/es/compat/Box2D.compat.mjs": "box2d.js",
    "box2d3-wasm/build/dist/es/compat/Box2D.compat.wasm": "Box2D.compat.wasm",
    "box2d3-wasm/LICENSE": "box2d.LICENSE",
  }).map(([from, to]) => [join(packages, "node_modules", from), join("vendor/engines", to)]),
];

/** Names of packages in the scenes of the engines: a worker has no import map. */
const PACKAGES = {
  "jolt.js": ["jolt-physics/wasm-compat", "../vendor/engines/jolt.js"],
  "mujoco.js": ["@mujoco/mujoco", "../vendor/engines/mujoco.js"],
  "rapier.js": ["@dimforge/rapier3d-compat", "../vendor/engines/rapier.js"],
  "box2d.js": ["box2d3-wasm", "../vendor/engines/box2d.js"],
};

/** What comes when a scene is opened: not kept before. */
const LATER = /^(engines|rigid|vendor\/engines)\//;

/** A text with a place in it filled, which must be there. */
function filled(text, place, value) {
  if (!text.includes(place)) throw new Error(`there is no ${place} to fill`);
  return text.replace(place, JSON.stringify(value));
}

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
for (const [name, [bare, address]] of Object.entries(PACKAGES)) {
  const file = join(out, "engines", name);
  await writeFile(file, filled(await readFile(file, "utf8"), JSON.stringify(bare), address));
}
// every browser that runs the module reads woff2: the other fonts stay where they are
const fonts = join(packages, "node_modules/katex/dist/fonts");
for (const name of await readdir(fonts))
  if (name.endsWith(".woff2")) await cp(join(fonts, name), join(out, "vendor/katex/fonts", name));

const files = (await list(out))
  .map((file) => relative(out, file))
  .filter((file) => !/LICENSE|package.json/.test(file))
  .sort();
const hash = createHash("sha256");
for (const file of files) hash.update(file).update(await readFile(join(out, file)));
// all that the first picture needs is requested at once, not module by module; 3-D and runs come after it
const preloaded = files
  .filter((file) => /^(src|bristle)\/.*\.js$|uPlot.*\.js$/.test(file) && !["src/space.js", "src/run_worker.js"].includes(file))
  .map((file) => `<link rel="modulepreload" href="${file}">`);

/**
 * The policy of the page: nothing of other hosts, no code from text but WebAssembly, one inline script, the import map,
 * by its hash. Elements may have style attributes, which curves and formulas set.
 */
function policyOf(html) {
  const map = /<script type="importmap">([\s\S]*?)<\/script>/.exec(html)[1];
  const rules = [
    "default-src 'self'",
    `script-src 'self' 'wasm-unsafe-eval' 'sha256-${createHash("sha256").update(map).digest("base64")}'`,
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<meta http-equiv="Content-Security-Policy" content="${rules.join("; ")}">`;
}

/** Links to the documentation and the source, where it is known where they are: SITE, SOURCE. */
const LINKS = Object.entries({ Documentation: process.env.SITE, Source: process.env.SOURCE })
  .filter(([, address]) => address)
  .map(([text, address]) => `<a href="${address}" target="_top">${text}</a>`); // not into a frame

const html = await readFile(join(out, "index.html"), "utf8");
const places = {
  "<!-- policy -->": policyOf(html),
  "<!-- preload -->": ['<link rel="preload" as="fetch" crossorigin href="bristle/bristle-simd.wasm">', ...preloaded].join("\n"),
  "<!-- links -->": LINKS.join("\n"),
  // other sites do not look for a picture beside the page: they need its whole address
  'content="card.png"': `content="${process.env.SITE ? new URL("explorer/card.png", process.env.SITE) : "card.png"}"`,
};
let page = html;
for (const [place, text] of Object.entries(places)) {
  if (!page.includes(place)) throw new Error(`there is no ${place} to fill`);
  page = page.replace(place, () => text);
}
await writeFile(join(out, "index.html"), page);

const service = filled(
  await readFile(join(here, "service.js"), "utf8"),
  '"@version@"',
  hash.digest("hex").slice(0, 16),
);
const early = files.filter((file) => !LATER.test(file));
await writeFile(join(out, "service.js"), filled(service, '["@files@"]', ["./", ...early]));
console.log(`${join(out, "index.html")}: ${files.length} files`);
