// Every state of the page, wide and narrow, light and dark, on one contact sheet.
//
// The pictures go to the folder TENSORYARD_SHOTS, or to one of the system's for temporary files; its name is printed. What
// they look like is for people to judge; that nothing is wider than the screen is judged here.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { finished, launch, open, ready, run, serve, view, write } from "./harness.mjs";

const LESSON = "same-device-rule";
const source = readFileSync(new URL("../../lessons/b-4-same-device.md", import.meta.url), "utf8");
const [, solution] = /^```python solution[^\n]*\n(.*?)^```$/ms.exec(source);
// A small card: this program may use 64 MiB of the GPU.
const tooMuch = `import torch
total = torch.cuda.get_device_properties(0).total_memory
torch.cuda.set_per_process_memory_fraction(64 * 2**20 / total)
kept = []
while True:
    kept.append(torch.zeros(1024, 2048, device="cuda"))
`;

const SIZES = [
  { width: 1440, height: 1000 },
  { width: 360, height: 1400 },
];
const COLORS = ["light", "dark"];

let server, browser, folder;
before(async () => {
  folder = process.env.TENSORYARD_SHOTS ?? mkdtempSync(join(tmpdir(), "tensoryard-shots-"));
  mkdirSync(folder, { recursive: true });
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

test("a contact sheet of every state, wide and narrow, light and dark", { timeout: 600_000 }, async () => {
  const page = await open(browser, server.address, "", { reducedMotion: "reduce", viewport: SIZES[0] });
  page.setDefaultTimeout(60_000);
  const rows = [];
  const wrong = [];

  /** Pictures of a state; `from` is scrolled to the top. */
  async function shoot(state, { on = page, from = "body" } = {}) {
    const shots = [];
    for (const size of SIZES) {
      await on.setViewportSize(size);
      for (const colours of COLORS) {
        await on.evaluate((theme) => (document.documentElement.dataset.theme = theme), colours);
        await on.locator(from).first().evaluate((e) => e.scrollIntoView({ block: "start" }));
        await on.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
        const over = await on.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        if (over > 0) wrong.push(`${state}, ${colours}, ${size.width}: ${over} pixels wider than the screen`);
        const file = join(folder, `${state.replaceAll(" ", "-")}-${size.width}-${colours}.png`);
        shots.push({ bytes: await on.screenshot({ path: file }), width: size.width });
      }
    }
    await on.setViewportSize(SIZES[0]);
    rows.push({ state, shots });
  }
  const go = async (fragment, there) => {
    await view(page, fragment);
    await page.locator(there).first().waitFor();
  };

  await ready(page);
  await page.locator(".yard .block").first().waitFor();
  await shoot("home");
  await go("#/lessons", ".lessons a");
  await shoot("lessons");
  await go(`#/lesson/${LESSON}`, ".step-title");
  await shoot("lesson idle");
  await page.locator(".question input").last().check();
  await write(page, "import torch\nx = torch.ones(4, device=\"cuda\")\nwhile True:\n    x = x + 1\n");
  await page.getByRole("button", { name: /^Run\b/ }).first().click();
  await page.getByRole("button", { name: /^Stop/ }).waitFor();
  await shoot("lesson running");
  await page.getByRole("button", { name: /^Stop/ }).click();
  await finished(page);
  await page.getByRole("button", { name: "Reset" }).click();
  await run(page);
  await page.locator(".card").waitFor();
  await shoot("lesson error", { from: ".output" });
  await page.getByRole("button", { name: /^Show a hint/ }).click();
  await shoot("lesson, question answered", { from: ".question" });
  await write(page, tooMuch);
  await run(page);
  await page.locator(".log").filter({ hasText: "OutOfMemoryError" }).waitFor();
  await shoot("lesson out of memory", { from: ".output" });
  await write(page, solution);
  await run(page);
  await page.locator(".why").waitFor();
  await shoot("lesson done", { from: ".output" });
  await go("#/play", "#example");
  await page.locator("#example").selectOption("two-gpus");
  await run(page, { machine: "cuda:2" });
  await page.locator(".yard .block button").last().click();
  await shoot("playground");
  await page.getByText("Files and links").click();
  await page.getByRole("tab", { name: "Memory map" }).click();
  await page.locator(".strip button").first().click();
  await shoot("playground, files");
  await shoot("memory map", { from: ".timeline" });
  await page.getByRole("tab", { name: "nvidia-smi" }).click();
  await page.getByText("The same as tables").click();
  await shoot("tables and nvidia-smi", { from: ".tables" });
  await page.locator("#example").selectOption("training");
  await run(page);
  await page.getByRole("tab", { name: "Autograd graph" }).click();
  await page.locator(".graph svg").waitFor();
  await shoot("loss and autograd graph", { from: ".panels" });
  await go("#/instructors", ".builder");
  await page.getByRole("button", { name: "Show it here" }).click();
  await page.frameLocator("iframe").getByRole("button", { name: "Start this lesson" }).waitFor();
  await shoot("instructors");
  await go("#/about", "h1");
  await shoot("about");
  assert.deepEqual(page.problems, []);
  await page.context().close();

  const poster = await open(browser, server.address, `embed.html#lesson=${LESSON}`, { reducedMotion: "reduce" });
  await poster.getByRole("button", { name: "Start this lesson" }).waitFor();
  await shoot("embed before it is started", { on: poster });
  await poster.getByRole("button", { name: "Start this lesson" }).click();
  await poster.locator(".step-title").waitFor();
  await run(poster);
  await shoot("embed", { on: poster, from: ".output" });
  assert.deepEqual(poster.problems, []);
  await poster.context().close();

  const cell = ({ bytes, width }) =>
    `<td><img width="${width > 800 ? 620 : 190}" src="data:image/png;base64,${bytes.toString("base64")}" alt=""></td>`;
  const body = rows.map(({ state, shots }) => `<tr><th>${state}</th>${shots.map(cell).join("")}</tr>`).join("");
  const sheet = await browser.newPage({ viewport: { width: 1800, height: 1000 } });
  await sheet.setContent(`<!doctype html><style>
    body { font: 14px system-ui; margin: 16px; background: #777; } th { width: 100px; text-align: left; vertical-align: top; color: #fff; }
    td { vertical-align: top; padding: 4px; }</style><table>${body}</table>`);
  const file = join(folder, "contact-sheet.png");
  await sheet.screenshot({ path: file, fullPage: true });
  await sheet.close();
  console.log(`${rows.length} states, ${rows.length * SIZES.length * COLORS.length} pictures: ${file}`);
  assert.deepEqual(wrong, []);
});
