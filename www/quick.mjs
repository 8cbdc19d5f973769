// Puts together the first playground, which `./play` serves until the optimized one is ready. Trunk would do the same, but it's built
// from source first, which takes minutes. This reads the same index.html, and takes page and engine as cargo compiled them.
//
//     node www/quick.mjs FOLDER_OF_WASM DIST

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import "./build.mjs";

const [compiled, dist] = process.argv.slice(2).map((folder) => resolve(folder));
if (!dist) throw new Error("usage: node www/quick.mjs FOLDER_OF_WASM DIST");
const staging = `${dist}-next`;
await rm(staging, { recursive: true, force: true });
await mkdir(staging, { recursive: true });

const source = (path) => fileURLToPath(new URL(path, import.meta.url));
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

/** Copies a file under a name that changes with its content, so that no browser keeps an old one. */
async function copied(path) {
  const bytes = await readFile(source(path));
  const kind = extname(path);
  const name = `${basename(path, kind)}-${hash(bytes)}${kind}`;
  await writeFile(join(staging, name), bytes);
  return `./${name}`;
}

async function bound(bin, isWorker) {
  const wasm = join(compiled, `${bin}.wasm`);
  const name = isWorker ? bin : `${bin}-${hash(await readFile(wasm))}`;
  const options = ["--target", "web", "--no-typescript", "--out-dir", staging, "--out-name", name];
  execFileSync("wasm-bindgen", [...options, wasm], { stdio: "inherit" });
  if (isWorker) return "";
  return `<script type="module">
import init from "./${name}.js";
await init({ module_or_path: "./${name}_bg.wasm" });
</script>`;
}

/** What stands in the page for an element that is marked for Trunk. */
async function placed(tag) {
  const value = (name) => tag.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1];
  if (tag.startsWith("<script")) return `<script src="${await copied(value("src"))}" type="module"></script>`;
  const [rel, href] = [value("rel"), value("href")];
  switch (rel) {
    case "css":
      return `<link rel="stylesheet" href="${await copied(href)}"/>`;
    case "icon":
      return `<link rel="icon" href="${await copied(href)}"/>`;
    case "copy-file":
    case "copy-dir":
      await cp(source(href), join(staging, basename(href)), { recursive: true });
      return "";
    case "rust":
      return bound(value("data-bin"), value("data-type") === "worker");
    default:
      throw new Error(`index.html: quick.mjs knows no ${tag}`);
  }
}

let html = await readFile(source("index.html"), "utf8");
for (const [tag] of [...html.matchAll(/<link\s+data-trunk[^>]*>|<script\s+data-trunk[^>]*><\/script>/g)]) {
  const text = await placed(tag);
  html = html.replace(tag, () => text);
}
await writeFile(join(staging, "index.html"), html);

process.env.TRUNK_STAGING_DIR = staging;
await import("./finish.mjs");
await rm(dist, { recursive: true, force: true });
await rename(staging, dist);
