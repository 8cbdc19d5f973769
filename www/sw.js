// Serves the page without a network, after its first visit.
//
// finish.mjs writes the two constants: one store a build, with its files. A new build is stored beside the old one
// and takes over when no page of the old one is open, so that a page never meets files of another build.

const BUILD = "";
const FILES = [];

const STORE = `tensoryard-${BUILD}`;

// On a port of this machine something else may be served tomorrow (offline.js): a worker that an earlier build left there
// removes itself.
const passing = location.protocol === "http:" && /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

self.addEventListener("install", (event) => {
  if (passing) {
    self.skipWaiting();
    return;
  }
  // A file whose address changes with its content is what the page has just fetched; the browser's cache may hold older
  // copies of the others.
  const lasting = (file) => /\?|-[0-9a-f]{15}/.test(file);
  const all = FILES.map((file) => new Request(file, { cache: lasting(file) ? "default" : "no-cache" }));
  event.waitUntil(caches.open(STORE).then((store) => store.addAll(all)));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("tensoryard-") && (passing || name !== STORE);
  const cleared = caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))));
  event.waitUntil(passing ? cleared.then(() => self.registration.unregister()) : cleared);
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (passing || request.method !== "GET" || address.origin !== self.location.origin) return;
  event.respondWith(
    caches.open(STORE).then(async (store) => {
      // The worker's files are asked for with the build as a query.
      const kept = await store.match(request, { ignoreSearch: true });
      if (kept) return kept;
      const home = new URL("./", self.location.href).pathname;
      if (request.mode === "navigate" && address.pathname === home) return (await store.match("./index.html")) ?? fetch(request);
      const found = await fetch(request);
      // A library that no program of the course imports is kept from its first use on.
      if (found.ok && /\/library\/[^/]+\.wasm$/.test(address.pathname)) await store.put(request, found.clone());
      return found;
    }),
  );
});
