/**
 * Typesets equations: node equations.mjs PACKAGES SITE replaces the TeX in each page of SITE by what KaTeX
 * (PACKAGES/node_modules) makes of it, so that pages need no script for it. TeX with an error ends the build.
 */
import { readFile, readdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [packages, site] = process.argv.slice(2).map((path) => resolve(path));
const katex = createRequire(join(packages, "package.json"))("katex");

// \(...\) in a span, \[...\] in a div, as pymdownx.arithmatex writes them
const EQUATION = /<(span|div) class="arithmatex">(\\\(|\\\[)([\s\S]*?)(?:\\\)|\\\])<\/\1>/g;
const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };

/** All pages below a folder, the explorer aside. */
async function list(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  const inner = entries.map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? (entry.name === "explorer" ? [] : list(path)) : path.endsWith(".html") ? [path] : [];
  });
  return (await Promise.all(inner)).flat();
}

function typeset(page, tag, open, text) {
  const tex = text.replace(/&(lt|gt|quot|#39|amp);/g, (name) => ENTITIES[name]).trim();
  try {
    const shown = katex.renderToString(tex, { displayMode: open === "\\[", throwOnError: true, strict: "error" });
    return `<${tag} class="arithmatex">${shown}</${tag}>`;
  } catch (error) {
    throw new Error(`${page}: ${tex}: ${error.message}`);
  }
}

let count = 0;
for (const page of await list(site)) {
  const html = await readFile(page, "utf8");
  const typeset_html = html.replace(EQUATION, (_, tag, open, text) => {
    count++;
    return typeset(page, tag, open, text);
  });
  if (typeset_html !== html) await writeFile(page, typeset_html);
}
console.log(`${count} equations typeset`);
