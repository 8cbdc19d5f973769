// What is around a program: the picture beside the code, what is inside a tensor, the course and its next lesson, and the
// home page's recording.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { violations } from "./axe.mjs";
import { launch, open, ready, run, serve, toEnd, view, write } from "./harness.mjs";

const LESSON = "same-device-rule";
const shared = `import torch
x = torch.arange(6, device="cuda").view(2, 3)
turned = x.t()
tail = x[1]
large = torch.linspace(-1, 1, 400).view(20, 20)
gone = torch.ones(3)
del gone
`;

let server, browser;
before(async () => {
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

const place = (page, selector) =>
  page.locator(selector).first().evaluate((e) => {
    const { top, bottom, left, right } = e.getBoundingClientRect();
    return { top, bottom, left, right };
  });
/** The order in the document of the first elements that match. */
const order = (page, selectors) =>
  page.evaluate((all) => {
    const found = all.map((s) => [s, document.querySelector(s)]).filter(([, e]) => e);
    found.sort(([, a], [, b]) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    return found.map(([s]) => s);
  }, selectors);

test("on a wide screen the devices stay in view while the text scrolls", async () => {
  for (const hash of ["#/play", `#/lesson/${LESSON}`]) {
    const page = await open(browser, server.address, hash, { viewport: { width: 1200, height: 600 } });
    await page.locator(".column.sight .yard").first().waitFor();
    // To the last line of the text; the page's footer comes after it.
    await page.locator(".column.work > *:last-child").evaluate((e) => e.scrollIntoView({ block: "end" }));
    await page.waitForTimeout(100);
    assert.ok((await page.evaluate(() => scrollY)) > 50, hash);
    const { top, bottom } = await place(page, ".column.sight");
    assert.ok(top >= 0 && bottom <= 600, `${hash}: ${top} to ${bottom}`);
    assert.equal(await page.locator(".glance").count(), 0);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});

test("on a narrow screen the devices come after the output, and a strip leads to them", async () => {
  const page = await open(browser, server.address, `#/lesson/${LESSON}`, { viewport: { width: 390, height: 800 } });
  await page.locator(".devices .yard").first().waitFor();
  const parts = [".step-title", ".workbench", ".output", ".devices", ".checks", ".onward", ".timeline", ".panels", ".glance"];
  assert.deepEqual(await order(page, parts), parts);
  // What comes later in the document is lower on the screen.
  const tops = [];
  for (const part of parts.slice(0, -1)) tops.push((await place(page, part)).top);
  assert.deepEqual(tops, tops.toSorted((a, b) => a - b));
  const strip = page.getByRole("navigation", { name: "Devices at a glance" });
  await strip.waitFor();
  const { bottom } = await place(page, ".glance");
  assert.ok(Math.abs(bottom - 800) < 2, `${bottom}`);
  await strip.getByRole("button", { name: /^Show cuda:0/ }).click();
  await strip.waitFor({ state: "hidden" });
  const yard = await place(page, "article[aria-labelledby=yard-cuda0]");
  assert.ok(yard.top < 800 && yard.bottom > 0, JSON.stringify(yard));
  await page.evaluate(() => scrollTo(0, 0));
  await strip.waitFor();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await strip.waitFor();
  // At the end nothing is below the strip.
  assert.ok((await place(page, ".panels")).bottom <= (await place(page, ".glance")).top);
  // Nothing small is half covered by the strip here: that would be a matter of where the page is scrolled to.
  await page.setViewportSize({ width: 390, height: 640 });
  await page.goto(`${server.address}#/play`);
  await page.getByRole("heading", { name: "Playground" }).waitFor();
  await strip.waitFor();
  for (const forcedColors of ["none", "active"]) {
    await page.emulateMedia({ forcedColors });
    assert.deepEqual(await violations(page), []);
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a tensor shows its numbers, and views are windows on one storage", async () => {
  const page = await open(browser, server.address, "#/play");
  page.setDefaultTimeout(60_000);
  await ready(page);
  for (const executor of ["auto", "cpu"]) {
    await write(page, shared);
    await run(page, { machine: "cuda:1", executor });
    await toEnd(page);
    const gpu = page.locator(".yard").filter({ has: page.locator("#yard-cuda0") });
    const block = gpu.locator(".block").filter({ has: page.locator(".windows") });
    await block.waitFor();
    assert.deepEqual(await block.locator(".windows > span").allInnerTexts(), ["x", "turned", "tail"]);
    await block.getByRole("button", { name: /3 tensors share this storage: x; turned; tail/ }).click();
    const about = page.getByRole("group", { name: /^About/ });
    await about.getByText(/3 tensors share one storage of 6 numbers/).waitFor();
    const table = (name) =>
      about.getByRole("group", { name }).locator("tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((c) => c.innerText)));
    assert.deepEqual(await table(/^The numbers in x/), [["0", "1", "2"], ["3", "4", "5"]]);
    assert.deepEqual(await table(/^The numbers in turned/), [["0", "3"], ["1", "4"], ["2", "5"]]);
    assert.deepEqual(await table(/^The numbers in tail/), [["3", "4", "5"]]);
    await about.getByText("shape [3, 2], strides [1, 3], starts at element 0").waitFor();
    await about.getByText("shape [3], strides [1], starts at element 3").waitFor();
    await about.getByRole("img", { name: "In memory, one after the other: 0, 1, 2, 3, 4, 5" }).waitFor();
    // The look is not part of the run: nothing came back to the CPU, and nothing waited.
    await page.getByRole("tab", { name: "Cost of this run" }).click();
    const figures = await page.locator(".score dl > div").evaluateAll((all) => all.map((cell) => cell.innerText.split("\n").map((t) => t.trim())));
    const { "GPU → CPU": back, waits, copies } = Object.fromEntries(figures);
    assert.deepEqual([back, copies, waits], ["0 B", "0", "0"], JSON.stringify(figures));
    const cpu = page.locator(".yard").filter({ has: page.locator("#yard-cpu") });
    await cpu.getByRole("button", { name: /^large/ }).click();
    await cpu.getByRole("img", { name: /The numbers in large, \[20, 20\], from -1 \(faint\) to 1 \(strong\)/ }).waitFor();
    assert.ok((await cpu.locator(".heat path").count()) >= 10);
    // It was made with another shape; the block says the one that the variable has.
    assert.match(await cpu.locator(".block").filter({ hasText: "large" }).locator(".shape").innerText(), /^\[20, 20\]/);
    assert.deepEqual(await violations(page), []);
    // The panel gives the focus back to its block.
    for (const key of ["Enter", "Escape"]) {
      if (key === "Escape") await cpu.getByRole("button", { name: /^large/ }).click();
      await cpu.getByRole("button", { name: "Close" }).press(key);
      await cpu.locator(".chosen").waitFor({ state: "detached" });
      assert.ok(await page.evaluate(() => document.activeElement.matches(".block button")), key);
    }
    // Earlier in the run the numbers were others.
    await page.getByLabel("Moment of the run").press("ArrowLeft");
    await page.waitForFunction(() => !document.querySelector(".windows"));
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("the course shows parts, aims and what is next, and home and the bar lead to it", async () => {
  const entries = [
    ["where-a-tensor-lives", "b", "say where a tensor is"],
    ["to-returns-a-new-tensor", "b", "keep what `.to()` returns"],
    ["created-or-copied", "0", "move a block"],
    ["same-device-rule", null, null],
  ];
  const page = await open(browser, server.address, "#/about");
  await page.route(/lessons\/index\.json/, async (route) => {
    const list = await (await route.fetch()).json();
    const entry = ([id, part, aim]) => ({ ...list.find((e) => e.id === id), part, aim });
    await route.fulfill({ json: entries.map(entry) });
  });
  await page.goto(`${server.address}#/`);
  await page.reload();
  const start = page.locator(".hero .actions a").first();
  await page.getByRole("link", { name: /^Start: Created there/ }).first().waitFor();
  assert.equal(await start.getAttribute("href"), "#/lesson/created-or-copied");
  assert.equal(await page.locator("a.go-on").count(), 0);
  await view(page, "#/lessons");
  const parts = await page.locator(".part").evaluateAll((all) =>
    all.map((part) => [part.querySelector("h2").innerText, part.querySelectorAll(".lessons li").length]),
  );
  assert.deepEqual(parts, [["A tour of the yard", 1], ["Devices", 2], ["More lessons", 1]]);
  await page.getByText("After this you can keep what .to() returns.").waitFor();
  assert.equal(await page.locator("li.next a").innerText(), "Created there, or copied there");
  assert.match(await page.locator(".part .so-far").nth(1).innerText(), /0 of 2 done, \d+ min/);
  await page.evaluate(() => {
    localStorage.setItem("tensoryard.progress.created-or-copied", JSON.stringify({ done: ["a"], steps: 1, at: 0 }));
    localStorage.setItem("tensoryard.last", "created-or-copied");
  });
  await page.reload();
  const next = "Continue: Where a tensor lives";
  await page.locator("main").getByRole("link", { name: next }).waitFor();
  await page.locator(".bar").getByRole("link", { name: next }).waitFor();
  assert.equal(await page.locator("li.done").count(), 1);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await violations(page), []);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(over, 0, `${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.locator(".bar").getByRole("link", { name: "Tensoryard" }).click();
  await page.locator(".hero").getByRole("link", { name: next }).click();
  await page.locator(".step-title").waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("the home page's recording plays once, and again only when asked", async () => {
  const watching = { viewport: { width: 1440, height: 900 } };
  const page = await open(browser, server.address, "#/about", watching);
  await page.evaluate(() => {
    globalThis.moved = 0;
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) if (node.classList?.contains("mover")) globalThis.moved += 1;
    }).observe(document.body, { childList: true, subtree: true });
  });
  const again = page.getByRole("button", { name: "Play it again" });
  await view(page, "#/");
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await again.waitFor({ timeout: 8000 });
  const once = await page.evaluate(() => globalThis.moved);
  assert.ok(once >= 1, `${once} blocks moved`);
  assert.ok((await page.locator(".hero .block").count()) > 1);
  await view(page, "#/play");
  await page.locator("#example").waitFor();
  await view(page, "#/");
  await again.waitFor({ timeout: 500 });
  assert.equal(await page.evaluate(() => globalThis.moved), once);
  await again.click();
  await page.waitForFunction((n) => globalThis.moved > n, once);
  assert.deepEqual(page.problems, []);
  await page.context().close();

  const still = await open(browser, server.address, "#/", { ...watching, reducedMotion: "reduce" });
  await still.locator(".hero .block").nth(1).waitFor();
  assert.equal(await still.locator(".mover").count(), 0);
  assert.equal(await still.getByRole("button", { name: "Pause" }).count(), 0);
  assert.deepEqual(await violations(still), []);
  await still.context().close();
});
