// The explorable pages: every control runs the program again, and the drawing and the numbers follow.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { violations } from "./axe.mjs";
import { eventually, launch, open, run, serve, toEnd, view } from "./harness.mjs";

let server, browser;
before(async () => {
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Waits until what is drawn belongs to what is chosen. */
const settled = (page) =>
  page.waitForFunction(() => document.querySelector(".standing")?.textContent === "" && document.querySelector(".finding"), undefined, {
    timeout: 120_000,
  });
/** What the page shows of a run: the sentences, the table, and the drawing itself. */
const shown = (page) =>
  page.evaluate(() => ({
    finding: [...document.querySelectorAll(".finding")].map((e) => e.textContent).join("\n"),
    rows: [...document.querySelectorAll("details.tables tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent)),
    drawing: document.querySelector(".plane, .life").outerHTML,
    code: document.querySelector(".listing").textContent,
  }));
/** Moves a slider by a key and waits for the page to follow. */
async function press(page, label, key) {
  const slider = page.getByRole("slider", { name: label });
  const before = await slider.getAttribute("aria-valuetext");
  await slider.press(key);
  const now = await slider.getAttribute("aria-valuetext");
  assert.notEqual(now, before, label);
  await settled(page);
  return now;
}

/** Whether all of an element's box is inside the box of another one, or of the window. */
const inside = (page, selector, of) =>
  page.evaluate(
    ([inner, outer]) => {
      const around = outer ? document.querySelector(outer).getBoundingClientRect() : { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
      const boxes = [...document.querySelectorAll(inner)].map((e) => e.getBoundingClientRect());
      const within = (b) => b.left >= around.left && b.right <= around.right && b.top >= around.top && b.bottom <= around.bottom;
      return boxes.length > 0 && boxes.every(within);
    },
    [selector, of],
  );

/** No violation, nothing wider than the screen, at both widths and in both themes. */
async function accessible(page) {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const theme of ["light", "dark"]) {
      await page.evaluate((t) => document.documentElement.setAttribute("data-theme", t), theme);
      assert.deepEqual(await violations(page, { coloursOnly: theme === "dark" }), [], `${width}, ${theme}`);
    }
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(over, 0, `${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

const mib = (text) => {
  const [number, unit] = text.split(" ");
  return Number(number) * { B: 2 ** -20, KiB: 2 ** -10, MiB: 1, GiB: 2 ** 10 }[unit];
};

test("the pages are reached from the course and from home", async () => {
  const page = await open(browser, server.address, "#/lessons");
  await page.locator("main").getByRole("link", { name: "Anatomy" }).click();
  await page.getByRole("heading", { level: 1, name: "Anatomy" }).waitFor();
  assert.deepEqual(await violations(page), []);
  await view(page, "#/");
  assert.equal(await page.locator("main").getByRole("link", { name: "Anatomy" }).getAttribute("href"), "#/anatomy");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a training step: each control redraws the mountain and its numbers", { timeout: 600_000 }, async () => {
  const page = await open(browser, server.address, "#/anatomy/step");
  page.setDefaultTimeout(60_000);
  await settled(page);
  await page.locator("details.tables summary").click();
  // Small, so that the CPU that simulates the GPU is quick.
  for (const label of ["Batch size", "Width"]) await press(page, label, "Home");
  let before = await shown(page);
  const moved = async (what, change) => {
    await change();
    await settled(page);
    await page.waitForFunction((old) => document.querySelector(".plane").outerHTML !== old, before.drawing);
    const now = await shown(page);
    for (const key of ["finding", "code"]) assert.notEqual(now[key], before[key], `${what}: ${key}`);
    assert.notDeepEqual(now.rows, before.rows, what);
    assert.equal(now.rows.length, 7, what);
    // The parts of each row add up to its last cell, as far as they are written out.
    for (const row of now.rows) {
      const [total, ...parts] = row.slice(2).map(mib).reverse();
      const sum = parts.reduce((a, b) => a + b, 0);
      assert.ok(Math.abs(sum - total) < 0.01 * total + 0.05, `${what}: ${row}`);
    }
    before = now;
    return now;
  };
  // The columns after stretch and line: parameters, state, data, gradients, activations, scratch, workspace, total.
  const at = (rows, stretch, column) => mib(rows[stretch][column + 2]);
  const small = before.rows;
  const wide = await moved("width", () => press(page, "Width", "ArrowRight"));
  assert.ok(Math.abs(at(wide.rows, 0, 0) / at(small, 0, 0) - 4) < 0.2, "twice the width, four times the parameters");
  const deep = await moved("depth", () => press(page, "Depth", "ArrowRight"));
  assert.ok(at(deep.rows, 0, 0) > at(wide.rows, 0, 0));
  const large = await moved("batch", () => press(page, "Batch size", "ArrowRight"));
  assert.equal(at(large.rows, 0, 0), at(deep.rows, 0, 0));
  assert.ok(at(large.rows, 0, 2) > at(deep.rows, 0, 2));
  assert.ok(at(large.rows, 6, 1) > 1.9 * at(large.rows, 0, 0), "Adam keeps two numbers for each parameter");
  const momentum = await moved("momentum", () => page.getByRole("radio", { name: "SGD, momentum" }).check());
  assert.ok(Math.abs(at(momentum.rows, 6, 1) - at(momentum.rows, 0, 0)) < 0.01);
  const plain = await moved("sgd", () => page.getByRole("radio", { name: "SGD", exact: true }).check());
  assert.equal(at(plain.rows, 6, 1), 0);
  await moved("autocast", () => page.getByRole("radio", { name: "autocast bfloat16" }).check());
  assert.match(before.code, /torch\.autocast\("cuda", dtype=torch\.bfloat16\)/);
  // The sentence and the table say the same peak.
  const peak = /The peak is ([\d.]+ \w+)\./.exec(before.finding)[1];
  assert.equal(before.rows.map((row) => row.at(-1)).sort((a, b) => mib(b) - mib(a))[0], peak);
  await accessible(page);
  // Another language keeps what was chosen, and runs nothing again.
  await page.locator("select.language").selectOption("de");
  await page.getByRole("heading", { level: 1, name: "Ein Trainingsschritt" }).waitFor();
  assert.equal((await shown(page)).code, before.code);
  assert.match((await shown(page)).finding, /^Der Gipfel ist/);
  // The same program in the playground has the same peak.
  await page.locator("select.language").selectOption("en");
  await page.getByRole("link", { name: "Open in the playground" }).click();
  await page.getByRole("heading", { level: 1, name: "Playground" }).waitFor();
  await run(page, { executor: "cpu" });
  await toEnd(page);
  await page.locator(".yard").filter({ has: page.locator("#yard-cuda0") }).getByText(peak).waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a run that isn't wanted any more is dropped", { timeout: 300_000 }, async () => {
  const page = await open(browser, server.address, "#/anatomy/step");
  page.setDefaultTimeout(120_000);
  await settled(page);
  const width = page.getByRole("slider", { name: "Width" });
  await width.press("End");
  // Longer than a control has to rest: the large model runs.
  await page.waitForFunction(() => document.querySelector(".chip.engine").dataset.state === "running");
  await width.press("Home");
  await settled(page);
  assert.match((await shown(page)).code, /batch, width, depth = 512, 64, 4\n/);
  // Whatever arrives late changes nothing.
  const drawing = (await shown(page)).drawing;
  await page.waitForTimeout(1500);
  assert.equal((await shown(page)).drawing, drawing);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a tensor's life: the scrubber goes from its creation to the block's return", { timeout: 300_000 }, async () => {
  const page = await open(browser, server.address, "#/anatomy/life");
  page.setDefaultTimeout(60_000);
  await settled(page);
  await page.locator("details.tables summary").click();
  const facts = () =>
    page.locator(".facts > div").evaluateAll((all) => Object.fromEntries(all.map((f) => [f.querySelector("dt").textContent, f.querySelector("dd").textContent])));
  const line = page.getByRole("slider", { name: "Line of the program" });
  await line.press("Home");
  const walked = [];
  for (;;) {
    const { drawing, finding } = await shown(page);
    walked.push({ ...(await facts()), drawing, finding, line: await page.locator(".code-line.now").innerText() });
    const next = page.getByRole("button", { name: "Next", exact: true });
    if (await next.isDisabled()) break;
    await next.press("Enter");
  }
  // At the end the button keeps the focus, and does nothing.
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Next");
  assert.equal(walked.length, 9);
  assert.equal(new Set(walked.map((at) => at.finding)).size, 9);
  const column = (name) => walked.map((at) => at[name]);
  assert.deepEqual(column("Names"), ["none", "g", "g, same", "g, same", "same", "none", "none", "none", "none"]);
  const two = "2 MiB", four = "4 MiB", all = "20 MiB";
  assert.deepEqual(column("Allocated on the GPU"), ["0 B", two, two, four, four, two, four, "0 B", "0 B"]);
  assert.deepEqual(column("Reserved on the GPU"), ["0 B", all, all, all, all, all, all, all, "0 B"]);
  assert.equal(walked[1].Block, "2 MiB, in segment 1 from byte 0");
  // The next tensor is drawn where this one was.
  assert.match(walked[3].drawing, /followed[^>]*>g, same</);
  assert.doesNotMatch(walked[6].drawing, /followed/);
  assert.match(walked[6].drawing, />z</);
  // The slider says the line, and the table has what the facts said.
  assert.match(await line.getAttribute("aria-valuetext"), /^line 11: torch\.cuda\.empty_cache\(\)$/);
  const { rows } = await shown(page);
  assert.deepEqual(rows.map((row) => row.at(-1)), column("Reserved on the GPU"));
  // Other sizes take memory in other ways.
  for (const [size, block, reserved] of [["400 B", "512 B", "2 MiB"], ["16 MiB", "16 MiB", "16 MiB"]]) {
    const before = await shown(page);
    await page.getByRole("radio", { name: size }).check();
    await settled(page);
    await page.waitForFunction((old) => document.querySelector(".listing").textContent !== old, before.code);
    assert.notDeepEqual((await shown(page)).rows, before.rows);
    await line.press("Home");
    await line.press("ArrowRight");
    const now = await facts();
    assert.deepEqual([now["Allocated on the GPU"], now["Reserved on the GPU"]], [block, reserved]);
  }
  // On a phone the slider and its buttons stay beside what they change.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator(".finding").evaluate((e) => e.scrollIntoView({ block: "center" }));
  for (const part of [".held", ".finding"]) await eventually(() => inside(page, part), true, part);
  await accessible(page);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a copy's cost: latency first, then bandwidth", { timeout: 300_000 }, async () => {
  const page = await open(browser, server.address, "#/anatomy/copy");
  page.setDefaultTimeout(60_000);
  await settled(page);
  const times = () => page.locator(".ways b").allInnerTexts();
  const size = page.getByRole("slider", { name: "Size of the copy" });
  assert.equal(await page.locator(".ways li").count(), 3);
  await size.press("Home");
  await settled(page);
  assert.equal(await size.getAttribute("aria-valuetext"), "4 B");
  assert.deepEqual(await times(), ["10\u00a0µs", "10\u00a0µs", "10\u00a0µs"]);
  assert.match((await shown(page)).finding, /^CPU to GPU \(PCIe 4\.0 x16\): a copy of 4 B takes 10.µs\. The fixed cost is 100 %/);
  // The run says which copy the program waits for.
  const said = await page.locator(".ways p").allInnerTexts();
  assert.deepEqual(said.map((text) => text.split(". ")[0]), [
    "4 B, your program waits for it",
    "4 B, your program goes on",
    "4 B, your program goes on",
  ]);
  const small = await shown(page);
  for (let i = 0; i < 20; i += 1) await size.press("ArrowRight");
  await settled(page);
  const middle = await shown(page);
  assert.match(middle.code, /n = 4194304\n/);
  for (const key of ["finding", "drawing", "code"]) assert.notEqual(middle[key], small[key], key);
  assert.match(await page.locator(".ways p").first().innerText(), /^4 MiB, your program waits for it/);
  // A gigabyte is estimated and not copied.
  await size.press("End");
  await settled(page);
  await page.getByText("Copies of more than 16 MiB aren't made here").waitFor();
  assert.deepEqual(await times(), ["43.0\u00a0ms", "43.0\u00a0ms", "3.6\u00a0ms"]);
  assert.match(await page.locator(".ways p").first().innerText(), /^not run at 1 GiB\. 24\.99 GB\/s/);
  // One GPU has nobody to copy to.
  await size.press("Home");
  await page.getByRole("radio", { name: "One GPU" }).check();
  await settled(page);
  assert.equal(await page.locator(".ways li").count(), 2);
  assert.equal(await page.locator(".plane polyline").count(), 1);
  assert.doesNotMatch((await shown(page)).code, /cuda:1/);
  await page.getByRole("radio", { name: "Two GPUs" }).check();
  await settled(page);
  await page.locator("details.tables summary").click();
  assert.equal((await shown(page)).rows.length, 15);
  await page.getByText("Both axes are logarithmic").waitFor();
  const ticks = (await page.locator(".plane .scale li").allTextContents()).slice(1);
  assert.deepEqual(ticks.map((text) => text.replace("\u00a0", " ")), ["10 µs", "100 µs", "1 ms", "10 ms", "100 ms"]);
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await eventually(() => inside(page, ".plane .turn span", ".plane"), true, `${width}`);
  }
  await accessible(page);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
