// Makes a release build of the playground small: `node www/optimise.mjs DIST`.
//
// Every .wasm goes through wasm-opt; everything a browser fetches as text or wasm gets a Brotli neighbor (`.br`), which
// `tensoryard serve` and most static hosts send to clients that accept it. Prints what each file weighs.

import { execFile } from "node:child_process";
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const dist = process.argv[2];
const wasmOpt = fileURLToPath(new URL("node_modules/.bin/wasm-opt", import.meta.url));
const features = [
  "--enable-bulk-memory",
  "--enable-bulk-memory-opt",
  "--enable-exception-handling",
  "--enable-multivalue",
  "--enable-mutable-globals",
  "--enable-nontrapping-float-to-int",
  "--enable-reference-types",
  "--enable-sign-ext",
  "--enable-simd",
  "--enable-extended-const",
];

const files = (await readdir(dist, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  .filter((path) => !path.endsWith(".br"));

// Side by side: each of them uses one processor.
const wasm = files.filter((path) => path.endsWith("_bg.wasm"));
await Promise.all(
  wasm.map(async (path) => {
    // The page is downloaded before anything shows, so it is made small; the engine computes, so it is made fast too.
    // Not -Oz: with Binaryen 132 it leaves a page that never finishes loading.
    const level = path.includes("worker") ? "-O2" : "-Os";
    const { stderr } = await promisify(execFile)(wasmOpt, [level, ...features, path, "-o", `${path}.opt`]);
    process.stderr.write(stderr);
    await rename(`${path}.opt`, path);
  }),
);

const texts = files.filter((path) => /\.(wasm|js|mjs|css|html|json|svg|md|webmanifest|py)$/.test(path)).sort();
const sizes = await Promise.all(
  texts.map(async (path) => {
    const bytes = await readFile(path);
    const packed = await promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_LGWIN]: 24,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    });
    await writeFile(`${path}.br`, packed);
    return [packed.length, bytes.length];
  }),
);
texts.forEach((path, i) => {
  const [packed, size] = sizes[i].map((n) => String(n).padStart(9));
  console.log(`${packed} of ${size}  ${path.slice(dist.length + 1)}`);
});
const total = sizes.reduce((sum, [packed]) => sum + packed, 0);
console.log(`${String(total).padStart(9)} bytes of brotli in all`);
