/** Keeps the page for use without network: all its files when it is first opened, one version at a time. */
const VERSION = "@version@"; // of all files, filled in by build.mjs
const FILES = ["@files@"];

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(VERSION)
      .then((cache) => cache.addAll(FILES))
      .then(() => skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  const old = (name) => name !== VERSION;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  );
});

// what comes with a scene is kept from then on
const LATER = /\/(engines|rigid)\//;
async function fetched(request) {
  const answer = await fetch(request);
  if (answer.ok && LATER.test(new URL(request.url).pathname)) (await caches.open(VERSION)).put(request, answer.clone());
  return answer;
}

addEventListener("fetch", (event) => {
  if (event.request.method === "GET")
    event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept ?? fetched(event.request)));
});
