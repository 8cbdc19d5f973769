// Finishes what Trunk built, before it is moved into place.
//
// - The module script that Trunk writes into index.html becomes a file, so that the page's content security policy needs
//   neither a hash nor 'unsafe-inline'.
// - The lessons are copied beside it.
// - The worker's files keep their names, so the page asks for them with a version: a hash of their content.

import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { publishLessons } from "./lessons.mjs";

const dist = process.env.TRUNK_STAGING_DIR;
const page = join(dist, process.env.TRUNK_HTML_FILE?.split("/").pop() ?? "index.html");
const hash = (...parts) => parts.reduce((h, part) => h.update(part), createHash("sha256")).digest("hex").slice(0, 16);

await publishLessons(fileURLToPath(new URL("../lessons", import.meta.url)), join(dist, "lessons"));

let html = await readFile(page, "utf8");

const inline = /<script type="module"[^>]*>([^<]+)<\/script>/g;
for (const [tag, code] of [...html.matchAll(inline)]) {
  const name = `start-${hash(code)}.js`;
  await writeFile(join(dist, name), code);
  html = html.replace(tag, () => `<script type="module" src="./${name}"></script>`);
}
if (/<script(?![^>]*\bsrc=)/.test(html)) throw new Error("index.html still has an inline script");

const worker = await Promise.all(["boot.js", "worker.js", "worker_bg.wasm"].map((file) => readFile(join(dist, file))));
const empty = '<meta name="tensoryard-build" content="" />';
const plain = '<meta name="tensoryard-build" content="">';
const version = `<meta name="tensoryard-build" content="${hash(...worker)}">`;
const marked = html.replace(empty, version).replace(plain, version);
if (marked === html) throw new Error("index.html has no place for the build's version");

await writeFile(page, marked);
