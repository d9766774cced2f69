/** Snippets that the page hands out, compiled and run. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const build = resolve(dirname(process.argv[2]), ".."); // of the command that is compared with
const run = (program, words, cwd) =>
  execFileSync(program, words, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, MPLBACKEND: "Agg", MPLCONFIGDIR: cwd },
  });

/** SUNDIALS, where that build has it. */
const cvode = () => (existsSync("/usr/include/cvode/cvode.h") ? ["-lsundials_cvode", "-lsundials_nvecserial"] : []);

/** What a program in C prints. */
export function runC(text) {
  const at = mkdtempSync(join(tmpdir(), "bristle-c-"));
  writeFileSync(join(at, "scene.c"), text);
  const libraries = ["bristle-scenario", "bristle-sim", "bristle"].map((name) => join(build, `lib${name}.a`));
  run(
    "cc",
    [
      "-std=c17",
      "-Wall",
      "-Wextra",
      "-Werror",
      `-I${root}/include`,
      `-I${build}/include`,
      "scene.c",
      ...libraries,
      "-lyaml",
      ...cvode(),
      "-lm",
      "-o",
      "scene",
    ],
    at,
  );
  return run(join(at, "scene"), [], at);
}

/** What a program in Python prints; null where the package is not built (`make python`). */
export function runPython(text) {
  const python = join(root, "build/python/venv/bin/python");
  if (!existsSync(python)) return null;
  const at = mkdtempSync(join(tmpdir(), "bristle-python-"));
  // the picture needs matplotlib, which is not the subject here
  writeFileSync(join(at, "scene.py"), text.replace(/^result\.plot.*$/m, ""));
  return run(python, ["-P", "scene.py"], at);
}
