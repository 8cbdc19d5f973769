// What a visitor downloads stays within budgets.json: the page's and the engine's WebAssembly, and everything that the home page
// asks for on a first visit. Sizes are those of the release build, as they are, and as hosts send them: with Brotli, or with
// gzip where a host knows nothing better.
//
// A budget is raised in the commit that needs it, which then says what the bytes are good for. Numbers are a little above what
// the build weighs, so that a mended sentence fails nothing.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { dist, launch, open, ready, serve } from "./harness.mjs";

const budgets = JSON.parse(readFileSync(new URL("budgets.json", import.meta.url), "utf8"));

// The first playground of ./play has little optimization and isn't compressed, and nobody serves it to others.
const skip = existsSync(join(dist, "worker_bg.wasm.br")) ? false : "this is not the release build";

/** The size of a file in each form; `optimise.mjs` makes no Brotli version of files that are already compressed. */
function weighed(file) {
  const path = join(dist, file);
  const bytes = readFileSync(path);
  const packed = existsSync(`${path}.br`);
  return {
    bytes: bytes.length,
    brotli: packed ? readFileSync(`${path}.br`).length : bytes.length,
    gzip: packed ? gzipSync(bytes, { level: 9 }).length : bytes.length,
  };
}

function sum(files) {
  const all = files.map(weighed);
  const total = (form) => all.reduce((sum, one) => sum + one[form], 0);
  return { bytes: total("bytes"), brotli: total("brotli"), gzip: total("gzip"), requests: files.length };
}

const written = (n) => n.toLocaleString("en-US");

/** Says by how much a file exceeds its budget, in each form that has one. */
function keeps(name, found) {
  const over = Object.entries(budgets[name])
    .filter(([form, most]) => found[form] > most)
    .map(([form, most]) => `${name}, ${form}: ${written(found[form])}, which is ${written(found[form] - most)} over its budget of ${written(most)}`);
  assert.equal(over.length, 0, over.join("\n"));
}

test("the page's WebAssembly keeps its budget", { skip }, () => {
  const [file, ...others] = readdirSync(dist).filter((name) => /^app-.*_bg\.wasm$/.test(name));
  assert.ok(file && others.length === 0, "there is one page");
  keeps("page", sum([file]));
});

test("the engine's WebAssembly keeps its budget", { skip }, () => keeps("engine", sum(["worker_bg.wasm"])));

test("the libraries, which are fetched when a program imports them, keep their budget", { skip }, () => {
  const files = readdirSync(join(dist, "library")).filter((name) => name.endsWith(".wasm"));
  keeps("libraries", sum(files.map((name) => join("library", name))));
});

test("a first visit of the home page keeps its budget", { skip, timeout: 120_000 }, async (t) => {
  const server = await serve();
  const browser = await launch();
  t.after(async () => {
    await browser.close();
    server.close();
  });
  const page = await open(browser, server.address, "#/");
  await ready(page);
  const own = page.requests.filter((address) => address.startsWith(server.address));
  const files = new Set(own.map((address) => new URL(address).pathname.slice(1) || "index.html"));
  for (const needed of ["index.html", "boot.js", "worker_bg.wasm", "lessons/index.json"]) {
    assert.ok(files.has(needed), `${needed} was not asked for: is everything seen here? ${[...files].join(" ")}`);
  }
  keeps("first visit", sum([...files].sort()));
});
