// Measures the built playground in Chromium: bytes and time of a cold and a warm first run, and the costs of single calls.
//
//     TENSORYARD_BIN=… TENSORYARD_DIST=dist node benches/browser.mjs [OUT.json]

import { readFileSync, writeFileSync } from "node:fs";
import { finished, launch, open, output, ready, run, serve, write } from "../tests/browser/harness.mjs";

const source = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const server = await serve();
const result = { date: new Date().toISOString().slice(0, 10), page: {}, calls: {} };

async function weigh(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", (event) => (bytes += event.encodedDataLength));
  return () => bytes;
}

async function firstRun(page, code) {
  const begin = performance.now();
  await page.goto(server.address, { waitUntil: "commit" });
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
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const bytes = await weigh(page);
    const cold = await firstRun(page);
    cold.bytes = bytes();
    const warmPage = await context.newPage();
    const warmBytes = await weigh(warmPage);
    const warm = await firstRun(warmPage);
    warm.bytes = warmBytes();
    result.page[key] = { cold, warm };
    await context.close();
  }
  {
    const page = await open(browser, server.address);
    await ready(page);
    for (const file of ["train_program.py", "micro.py"]) {
      // The page's clock and adapter are slower: fewer repetitions, the same medians.
      const code = source(file).replace("range(40)", "range(7)").replace("repeat=30, inner=200", "repeat=7, inner=100");
      await write(page, code);
      const printed = await run(page, { machine: webgpu ? "cuda:1" : "cpu", timeout: 300_000 });
      if (printed.includes("Traceback")) throw new Error(`${file}: ${printed}`);
      for (const line of printed.split("\n")) {
        const [name, value] = line.split(" ");
        if (Number.isFinite(Number(value)) && value) (result.calls[name] ??= {})[key] = Number(value);
      }
    }
  }
  await browser.close();
}
server.close();
console.log(JSON.stringify(result, null, 1));
if (process.argv[2]) writeFileSync(process.argv[2], `${JSON.stringify(result, null, 1)}\n`);
