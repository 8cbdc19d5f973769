// Measures the built playground in Chromium: bytes and time of a cold and a warm first run, and the costs of single calls.
//
//     TENSORYARD_BIN=… TENSORYARD_DIST=dist node benches/browser.mjs [OUT.json]

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished, launch, open, ready, run, serve, write } from "../tests/browser/harness.mjs";

const source = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const server = await serve();
const metered = await meter(server.address);
const result = { date: new Date().toISOString().slice(0, 10), page: {}, calls: {} };

/** A proxy in front of the server that counts every byte, including headers: what a visitor downloads, whatever
 * requests it. */
async function meter(address) {
  const { hostname, port } = new URL(address);
  let bytes = 0;
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    upstream.on("data", (data) => (bytes += data.length));
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on("error", () => socket.destroy());
  });
  await new Promise((listening) => proxy.listen(0, "127.0.0.1", listening));
  return {
    address: `http://127.0.0.1:${proxy.address().port}/`,
    take: () => [bytes, (bytes = 0)][0],
    close: () => proxy.close(),
  };
}

async function firstRun(page) {
  const begin = performance.now();
  await page.goto(`${metered.address}#/play`, { waitUntil: "commit" });
  await page.locator(".yard").first().waitFor();
  const drawn = performance.now() - begin;
  await ready(page);
  const usable = performance.now() - begin;
  const button = page.getByRole("button", { name: /^Run\b/ }).first();
  await button.click();
  await finished(page);
  return { yardsMs: Math.round(drawn), readyMs: Math.round(usable), firstRunMs: Math.round(performance.now() - begin) };
}

for (const webgpu of [true, false]) {
  const browser = await launch({ webgpu });
  result.chromium = browser.version();
  const key = webgpu ? "webgpu" : "cpu";
  {
    // A profile on disk, like a visitor's: the second visit finds what the first one cached.
    const profile = mkdtempSync(join(tmpdir(), "tensoryard-"));
    const context = await launch({ webgpu, profile });
    result.page[key] = {};
    for (const visit of ["cold", "warm"]) {
      const page = await context.newPage();
      metered.take();
      const figures = await firstRun(page);
      result.page[key][visit] = { ...figures, bytes: metered.take() };
      console.error(key, visit, result.page[key][visit]);
      // The browser writes compiled code to disk only after some time.
      await page.waitForTimeout(5_000);
      await page.close();
    }
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
  {
    const page = await open(browser, server.address);
    await ready(page);
    for (const file of ["train_program.py", "micro.py"]) {
      // The page's clock and adapter are slower: fewer repetitions, the same medians.
      const code = source(file).replace("range(40)", "range(7)").replace("repeat=30, inner=200", "repeat=7, inner=100");
      await write(page, code);
      // The browser optimizes hot code while it runs. The second run is typical of a short visit; on fast machines, the
      // sixth is typical of a longer session.
      const machine = webgpu ? "cuda:1" : "cpu";
      const runs = [];
      for (let i = 0; i < (webgpu ? 2 : 6); i++) runs.push(await run(page, { machine, timeout: 300_000 }));
      console.error(key, file, "has run");
      const printed = runs.at(-1);
      for (const line of webgpu ? [] : runs[1].split("\n")) {
        const [name, value] = line.split(" ");
        if (Number.isFinite(Number(value)) && value) (result.calls[name] ??= {})[`${key}_second_run`] = Number(value);
      }
      if (printed.includes("Traceback")) throw new Error(`${file}: ${printed}`);
      for (const line of printed.split("\n")) {
        const [name, value] = line.split(" ");
        if (Number.isFinite(Number(value)) && value) (result.calls[name] ??= {})[key] = Number(value);
      }
    }
  }
  await browser.close();
}
metered.close();
server.close();
console.log(JSON.stringify(result, null, 1));
if (process.argv[2]) writeFileSync(process.argv[2], `${JSON.stringify(result, null, 1)}\n`);
