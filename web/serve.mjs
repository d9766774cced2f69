/** Shows a folder on localhost: node web/serve.mjs FOLDER [PORT], for `make serve` and the tests. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".json": "application/json",
  ".png": "image/png",
};

/**
 * @param {string} folder @param {number} port 0: any that is free
 * @returns {Promise<{url: string, close: () => void}>}
 */
export async function serve(folder, port) {
  const server = createServer(async (request, answer) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname));
    const file = join(folder, path.endsWith("/") ? join(path, "index.html") : path);
    const found = path.includes("..") ? null : await stat(file).catch(() => null);
    if (!found?.isFile()) {
      answer.writeHead(404, { "Content-Type": "text/plain" }).end("not found\n");
      return;
    }
    answer.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "text/plain", "Content-Length": found.size });
    createReadStream(file).pipe(answer);
  });
  await new Promise((done, fail) => server.once("error", fail).listen(port, "127.0.0.1", () => done(undefined)));
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://localhost:${address.port}/`, close: () => server.close() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await serve(process.argv[2], Number(process.argv[3] ?? 8000));
  console.log(`${url}  (Ctrl-C ends it)`);
}
