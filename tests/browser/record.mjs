// Records the page's first example with the built playground: `node tests/browser/record.mjs http://127.0.0.1:PORT/`.
//
// The page draws this recording until its engine is ready, so it has to be what this engine really did. Record again
// when the example, the events or the messages change.

import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--enable-unsafe-webgpu", "--disable-background-networking", "--no-first-run"],
});
const page = await browser.newPage();
await page.addInitScript(() => {
  globalThis.heard = [];
  // The page's policy only allows the page's own way of making the worker, so its messages are recorded from the first
  // one on.
  const known = new WeakSet();
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (...values) {
    if (!known.has(this)) this.addEventListener("message", ({ data }) => globalThis.heard.push(JSON.parse(data)));
    known.add(this);
    return postMessage.apply(this, values);
  };
});
await page.goto(new URL("#/play", process.argv[2]).href);
await page.waitForFunction(() => document.querySelector(".chip.engine")?.dataset.state === "ready");
// The first run compiles shaders; the second is what a learner sees most of the time.
for (let run = 1; run <= 2; run += 1) {
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForFunction((n) => globalThis.heard.filter((message) => message.type === "done").length === n, run);
}
const heard = (await page.evaluate(() => globalThis.heard)).filter((message) => message.run === 2);
await browser.close();

const { outcome } = heard.find((message) => message.type === "done");
if (outcome.error) throw new Error(outcome.error.traceback);
const output = heard.filter((message) => message.type === "output").map((message) => message.text).join("");
const events = heard.filter((message) => message.type === "events").flatMap((message) => message.events);
if (events.length === 0) throw new Error("the engine sent no events");
const file = fileURLToPath(new URL("../../src/app/examples/first.run.json", import.meta.url));
await writeFile(file, `${JSON.stringify({ output, events })}\n`);
console.log(`${events.length} events recorded`);
