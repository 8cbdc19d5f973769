// Puts the playground together: what index.html marks for Trunk, with page and engine as cargo compiled them. Trunk itself would have
// to be built from source first, which takes minutes on a new machine.
//
//     node www/assemble.mjs FOLDER_OF_PROFILES DIST dev|release
//
// index.html names the profiles in which page and engine are compiled, for each of the two.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import "./build.mjs";

const [compiled, dist] = process.argv.slice(2, 4).map((folder) => resolve(folder));
const kind = process.argv[4];
if (!/^(dev|release)$/.test(kind)) throw new Error("usage: node www/assemble.mjs FOLDER_OF_PROFILES DIST dev|release");
await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });

const source = (path) => fileURLToPath(new URL(path, import.meta.url));
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

/** Copies a file under a name that changes with its content, so that no browser keeps an old one. */
async function copied(path) {
  const bytes = await readFile(source(path));
  const extension = extname(path);
  const name = `${basename(path, extension)}-${hash(bytes)}${extension}`;
  await writeFile(join(dist, name), bytes);
  return `./${name}`;
}

async function bound(bin, profile, isWorker) {
  const wasm = join(compiled, profile, `${bin}.wasm`);
  const name = isWorker ? bin : `${bin}-${hash(await readFile(wasm))}`;
  const options = ["--target", "web", "--no-typescript", "--out-dir", dist, "--out-name", name];
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
      await cp(source(href), join(dist, basename(href)), { recursive: true });
      return "";
    case "rust":
      return bound(value("data-bin"), value(`data-cargo-profile-${kind}`), value("data-type") === "worker");
    default:
      throw new Error(`index.html: assemble.mjs knows no ${tag}`);
  }
}

let html = await readFile(source("index.html"), "utf8");
for (const [tag] of [...html.matchAll(/<link\s+data-trunk[^>]*>|<script\s+data-trunk[^>]*><\/script>/g)]) {
  const text = await placed(tag);
  html = html.replace(tag, () => text);
}
await writeFile(join(dist, "index.html"), html);

// Where Trunk would tell it to look.
process.env.TRUNK_STAGING_DIR = dist;
await import("./finish.mjs");
