// What a learner sees and does with a run: cards and their edits, steps, figures, plots, layout, motion, forced colors,
// large text.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { violations } from "./axe.mjs";
import { drawn, finished, launch, open, output, ready, run, serve, toEnd, view, write } from "./harness.mjs";

const two = `import torch
x = torch.ones(256, 256)
y = torch.ones(256, 256, device="cuda")
z = x.to("cuda") @ y
print(z.sum().item())
`;

let server, browser, page;
before(async () => {
  server = await serve();
  // On the CPU, because this tests the page.
  browser = await launch({ webgpu: false });
  page = await open(browser, server.address, "#/play");
  page.setDefaultTimeout(60_000);
  await ready(page);
});
after(async () => {
  await browser?.close();
  server?.close();
});

const program = () => page.getByLabel("Python program").inputValue();
const wide = (on = page) => on.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test("a card names the tensors, shows the edit as a diff, leads to its lesson, and its edit makes the program run", async () => {
  await write(page, 'import torch\nx = torch.ones(3)\ny = torch.ones(3).to("cuda")\nprint(x + y)\n');
  await run(page, { machine: "cuda:1" });
  const card = page.locator(".card");
  assert.deepEqual(await card.locator("h3 small").allInnerTexts(), ["D01"]);
  const rows = await card.locator("tbody tr").evaluateAll((all) => all.map((row) => row.innerText.replace(/\s+/g, " ").trim()));
  assert.deepEqual(rows, ["x cpu [3] 12 B created in line 2", "y cuda:0 [3] 12 B moved in line 3"]);
  assert.match(await card.locator("del").innerText(), /^−?\s*print\(x \+ y\)$/);
  assert.match(await card.locator("ins").innerText(), /^\+?\s*print\(x\.to\(y\.device\) \+ y\)$/);
  assert.equal(await card.getByRole("link", { name: "A lesson about this" }).getAttribute("href"), "#/lesson/same-device-rule");
  const rule = await card.getByRole("link", { name: "Rule D01, with an example" }).getAttribute("href");
  assert.match(rule, /\/rules\.html#d01$/);
  assert.match(await (await fetch(rule)).text(), /<section id="d01">/);
  await card.getByRole("button", { name: "Try it" }).press("Enter");
  await finished(page);
  assert.match(await program(), /^print\(x\.to\(y\.device\) \+ y\)$/m);
  assert.match(await output(page), /tensor\(\[2\., 2\., 2\.\], device='cuda:0'\)/);
  assert.equal(await card.count(), 0);
});

test("a mistake that raises nothing has a card, and its edit ends it", async () => {
  await write(page, 'import torch\nx = torch.ones(3)\nx.to("cuda")\nprint(x.device)\n');
  assert.match(await run(page, { machine: "cuda:1" }), /^cpu\n/);
  const card = page.locator(".card");
  await card.getByRole("heading", { name: /^No error, but/ }).waitFor();
  assert.deepEqual(await card.locator("h3 small").allInnerTexts(), ["D04"]);
  await card.getByRole("button", { name: "Try it" }).click();
  await finished(page);
  assert.match(await program(), /^x = x\.to\("cuda"\)$/m);
  assert.match(await output(page), /^cuda:0\n/);
  assert.equal(await card.count(), 0);
  // An edit for a line that is no longer there can't be applied.
  await write(page, 'import torch\nx = torch.ones(3)\nx.to("cuda")\nprint(x.device)\n');
  await run(page);
  await write(page, "print(1)\n");
  assert.ok(await card.getByRole("button", { name: "Try it" }).isDisabled());
});

// Every line of an edit has its sign, and the number is that of the first line that changes.
test("every line of an edit has its sign, and each edit the number of the line that changes", async () => {
  const loop = 'import torch\nw = torch.ones(2, device="cuda")\nfor step in range(120):\n    w = w * 0.9\n';
  const diffs = (part) => page.locator(".card .diff").locator(part).allInnerTexts();
  await write(page, `${loop}    print(w.sum().item())\n`);
  await run(page, { machine: "cuda:1" });
  const card = page.locator(".card");
  assert.deepEqual(await card.locator("h3 small").allInnerTexts(), ["D23"]);
  assert.deepEqual(await diffs("del"), ["−     print(w.sum().item())"]);
  assert.deepEqual(await diffs("ins"), ["+     if step % 10 == 0:\n+         print(w.sum().item())"]);
  await write(page, `${loop}    half = w / 2\n    total = w.sum()\n    last = total.item()\nprint(last)\n`);
  await run(page);
  assert.deepEqual(await diffs("del"), ["−     last = total.item()"]);
  assert.deepEqual(await diffs("ins"), ["+ last = total.item()"]);
  assert.deepEqual(await card.locator("figcaption").allInnerTexts(), ["The smallest change, in line 7:", "The smallest change, in line 8:"]);
  await card.getByRole("button", { name: "Try it" }).click();
  await finished(page);
  assert.equal(await card.count(), 0);
});

test("the score of a run has its six figures", async () => {
  await write(page, two);
  await run(page, { machine: "cuda:1" });
  await toEnd(page);
  const score = () =>
    page.locator(".score dl > div").evaluateAll((all) => all.map((cell) => cell.innerText.split("\n").map((t) => t.trim())));
  const figures = Object.fromEntries(await score());
  assert.equal(Object.keys(figures).length, 6, JSON.stringify(figures));
  const [h2d, d2h, copies, waits, launches, peak] = Object.values(figures);
  // Both copies are waited for: the one to the GPU too.
  assert.deepEqual([h2d, d2h, copies, waits], ["256 KiB", "4 B", "2", "2"]);
  assert.ok(Number(launches) >= 3, launches);
  assert.match(peak, /MiB$/);
});

test("a run step by step waits at its beginning and follows the lines, forward and back", async () => {
  await write(page, two);
  await page.getByLabel("Step by step").check();
  await run(page, { machine: "cuda:1" });
  const gpu = page.locator(".yard").filter({ has: page.locator("#yard-cuda0") });
  const moment = () => page.locator(".moment").innerText();
  const next = page.getByRole("button", { name: "Next line" });
  // Not "of 0", which is shown until the first events are drawn.
  await page.waitForFunction(() => /^moment 0 of [1-9]/.test(document.querySelector(".moment").textContent));
  assert.equal(await page.locator(".yard .block").count(), 0);
  await page.getByLabel("Step by step").uncheck();
  const walk = async (button) => {
    const before = await moment();
    await button.press("Enter");
    await page.waitForFunction((was) => document.querySelector(".moment").textContent !== was, before);
    return Number((await moment()).match(/line (\d+)/)?.[1]);
  };
  const lines = [];
  while (lines.at(-1) !== 4) lines.push(await walk(next));
  // Every line, including the first, which makes no tensor, and the second, whose variable gets its name when the third
  // begins.
  assert.deepEqual(lines, [1, 2, 3, 4]);
  await gpu.getByRole("button", { name: /^y/ }).waitFor();
  await walk(page.getByRole("button", { name: "Previous line" }));
  await walk(page.getByRole("button", { name: "Previous line" }));
  assert.equal(await gpu.locator(".block").count(), 0);
});

test("losses are plotted and tabled, and the graph of a tensor says where each node is", async () => {
  await page.locator("#example").selectOption("training");
  await run(page, { machine: "cuda:1" });
  await toEnd(page);
  const curve = page.locator(".curve").first();
  assert.match(await curve.getByRole("img").getAttribute("aria-label"), /^loss: \d+ values, from [\d.]+ to [\d.]+$/);
  const values = Number((await curve.getByRole("img").getAttribute("aria-label")).match(/(\d+) values/)[1]);
  await curve.getByText("as a table").click();
  await curve.locator("tbody tr").first().waitFor();
  assert.equal(await curve.locator("tbody tr").count(), Math.min(values, 400));
  await page.getByRole("tab", { name: "Autograd graph" }).click();
  const graph = page.locator(".graph");
  await graph.locator("svg").waitFor();
  await graph.getByText("as a table").click();
  await graph.locator("tbody tr").first().waitFor();
  const nodes = await graph.locator("tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((c) => c.innerText.trim())));
  assert.ok(nodes.length > 3, JSON.stringify(nodes));
  assert.ok(nodes.some(([, name]) => name === "AccumulateGrad"), JSON.stringify(nodes));
  assert.ok(nodes.every(([, , device]) => device === "cuda:0"), JSON.stringify(nodes));
  const wrong = await violations(page);
  await page.getByRole("tab", { name: "Autograd graph" }).press("Home");
  assert.deepEqual(wrong, []);
});

test("the timeline has a table that says what its lanes show", async () => {
  await write(page, two);
  await run(page, { machine: "cuda:1" });
  await toEnd(page);
  const table = page.getByRole("group", { name: /^What happened on each device/ });
  await page.locator(".timeline summary").click();
  await table.locator("tbody tr").first().waitFor();
  const rows = await table.locator("tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((c) => c.innerText.trim())));
  const events = Number((await page.locator(".moment").innerText()).match(/of (\d+)/)[1]);
  assert.ok(rows.length > 5, JSON.stringify(rows));
  assert.match(rows[0][0], /^1(–\d+)?$/);
  assert.ok(rows.every(([range]) => Number(range.split("–").at(-1)) <= events), JSON.stringify(rows));
  const link = rows.filter(([, , lane]) => lane === "between cpu and cuda:0");
  assert.deepEqual(link.map((row) => row.slice(6, 8)), [["1 copy, 256 KiB", "—"], ["—", "1 copy, 4 B"]]);
  assert.equal(link[0][1], "4");
  const gpu = rows.filter(([, , lane]) => lane === "cuda:0");
  assert.ok(gpu.some(([, lines, , allocated, kernels]) => lines === "3" && /256 KiB|—/.test(allocated) && kernels !== ""), JSON.stringify(gpu));
  assert.equal(gpu.reduce((sum, row) => sum + (Number(row[5]) || 0), 0), 2, "waits");
  assert.deepEqual(await violations(page), []);
  await page.locator(".timeline summary").click();
});

test("a program is opened from a file, and saved under names that say what it is", async () => {
  await page.getByText("Files and links").click();
  const field = ".files input[type=file]";
  await page.setInputFiles(field, { name: "mine.py", mimeType: "text/x-python", buffer: Buffer.from("print('from a file')\n") });
  await page.waitForFunction(() => document.querySelector("code-editor").value === "print('from a file')\n");
  assert.match(await run(page, { machine: "cuda:1" }), /from a file/);
  for (const [button, name] of [[".py", "program.py"], [".ipynb", "program.ipynb"]]) {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button, exact: true }).click()]);
    assert.equal(file.suggestedFilename(), name);
    assert.match(readFileSync(await file.path(), "utf8"), /from a file/);
  }
  await page.getByText("Files and links").click();
});

test("two columns on a wide screen, one below 800 pixels; output is a polite log", async () => {
  const places = () =>
    page.evaluate(() =>
      [".column.work", ".timeline"].map((s) => {
        const { left, right, top, bottom } = document.querySelector(s).getBoundingClientRect();
        return { left, right, top, bottom };
      }),
    );
  for (const [width, columns] of [[1440, 2], [800, 2], [799, 1], [320, 1]]) {
    await page.setViewportSize({ width, height: 900 });
    // The page hears of its new width a little later.
    const one = (part) => page.locator(part).first().waitFor({ timeout: 10_000 });
    await one(columns === 2 ? ".column.sight .devices" : ".output ~ .devices");
    const [work, sight] = await places();
    if (columns === 2) assert.ok(work.right <= sight.left, `${width}: ${JSON.stringify([work, sight])}`);
    else assert.ok(work.bottom <= sight.top && work.left === sight.left, `${width}: ${JSON.stringify([work, sight])}`);
    // In one column the devices come right after the output; there is always one place for them.
    const beside = await page.locator(".column.sight .devices").count();
    const below = await page.locator(".output ~ .devices").count();
    assert.deepEqual([beside, below], columns === 2 ? [1, 0] : [0, 1], `${width}`);
    assert.equal(await wide(), 0, `${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  const log = page.getByRole("log", { name: /^Output/ });
  assert.equal(await log.getAttribute("aria-live"), "polite");
  assert.equal(await log.getAttribute("tabindex"), "0");
});

test("copies travel as blocks with their bytes, unless motion is unwelcome", async () => {
  const watch = () =>
    page.evaluate(() => {
      globalThis.moved = [];
      globalThis.watcher?.disconnect();
      globalThis.watcher = new MutationObserver((records) => {
        for (const { addedNodes } of records) {
          for (const node of addedNodes) if (node.classList?.contains("mover")) globalThis.moved.push(node.innerText);
        }
      });
      globalThis.watcher.observe(document.querySelector(".devices"), { childList: true, subtree: true });
    });
  await write(page, two);
  await watch();
  await run(page, { machine: "cuda:1" });
  await page.waitForFunction(() => globalThis.moved.some((text) => /x[^]*256 KiB/.test(text)));
  const link = page.locator(".berth .link").first();
  // The time that the same copy would take on a real link is shown next to the time here.
  await toEnd(page);
  assert.match((await link.innerText()).replace(/\s+/g, " "), /1 copy, 256 KiB .* here, 20 µs on PCIe 4\.0 x16/);

  // Between GPUs, the link is NVLink.
  await write(page, 'import torch\nx = torch.ones(256, 256, device="cuda:0")\ny = x.to("cuda:1")\n');
  await run(page, { machine: "cuda:2" });
  await toEnd(page);
  const peer = page.getByRole("list", { name: "Copies between GPUs" }).getByRole("listitem");
  await peer.waitFor();
  assert.match((await peer.innerText()).replace(/\s+/g, " "), /^cuda:0 → cuda:1 1 copy, 256 KiB .*µs on NVLink/);

  await write(page, two);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await watch();
  await run(page, { machine: "cuda:1" });
  await toEnd(page);
  await link.getByText("1 copy, 256 KiB").waitFor();
  assert.deepEqual(await page.evaluate(() => globalThis.moved), []);
  assert.deepEqual(await page.evaluate(() => document.getAnimations().map((a) => a.animationName ?? a.transitionProperty)), []);
  await page.emulateMedia({ reducedMotion: "no-preference" });
});

test("forced colours keep what the pictures show", async () => {
  await write(page, two);
  await run(page, { machine: "cuda:1" });
  await toEnd(page);
  const seen = () =>
    page.evaluate(() => {
      const style = (s) => getComputedStyle(document.querySelector(s));
      return {
        canvas: style("body").backgroundColor,
        allocated: style(".berth .gauge .allocated").backgroundColor,
        reserved: style(".berth .gauge .reserved").backgroundColor,
        lane: style(".lane-row .forward").fill,
        head: style(".track-over .head").backgroundColor,
      };
    });
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
  const forced = await seen();
  for (const [part, colour] of Object.entries(forced)) {
    if (part !== "canvas") assert.notEqual(colour, forced.canvas, `${part} is lost: ${JSON.stringify(forced)}`);
  }
  assert.notEqual(forced.allocated, forced.reserved);
  // In dark mode, axe uses a button's own color for text that the browser paints in the system's color.
  await page.emulateMedia({ forcedColors: "active", colorScheme: "light" });
  assert.deepEqual(await violations(page), []);
  await page.emulateMedia({ forcedColors: "none" });

});

test("with text of twice the size, and with the whole page at 200 %, nothing is wider than the screen", async () => {
  const cdp = await page.context().newCDPSession(page);
  const text = (size) => cdp.send("Page.setFontSizes", { fontSizes: { standard: size, fixed: size } });
  for (const [width, size] of [[1440, 32], [1000, 32], [640, 32], [720, 16]]) {
    await page.setViewportSize({ width, height: 900 });
    await text(size);
    for (const hash of ["#/play", "#/lesson/same-device-rule", "#/lessons", "#/instructors", "#/about", "#/"]) {
      await view(page, hash);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await drawn(page);
      assert.equal(await wide(), 0, `${hash}, ${width} pixels, text of ${size}`);
    }
  }
  await text(16);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test("the keyboard goes from the skip link through the bar, and in and out of the editor", async () => {
  const own = await open(browser, server.address, "#/lesson/same-device-rule");
  await own.locator(".step-title").waitFor();
  await own.locator("code-editor .cm-content").waitFor();
  const focused = () => own.evaluate(() => document.activeElement.textContent.trim() || document.activeElement.getAttribute("aria-label") || document.activeElement.id);
  const order = [];
  for (let i = 0; i < 5; i += 1) {
    await own.keyboard.press("Tab");
    order.push(await focused());
  }
  assert.deepEqual(order, ["Skip to the content", "Tensoryard", "Lessons", "Playground", "Teach"]);
  for (let i = 0; i < 4; i += 1) await own.keyboard.press("Shift+Tab");
  await own.keyboard.press("Enter");
  assert.equal(await own.evaluate(() => document.activeElement.id), "main");
  // Tab indents, until Escape.
  const value = () => own.locator("code-editor").evaluate((e) => e.value);
  await own.locator("code-editor .cm-content").focus();
  const before = await value();
  await own.keyboard.press("Control+Home");
  await own.keyboard.press("Tab");
  assert.equal(await value(), `    ${before}`);
  await own.keyboard.press("Escape");
  await own.keyboard.press("Tab");
  assert.ok(await own.evaluate(() => !document.activeElement.closest("code-editor") && document.activeElement !== document.body));
  // Run gives way to Stop, and Stop to Run: the focus goes along.
  await ready(own);
  await own.locator("button.run").press("Enter");
  await finished(own);
  await own.waitForFunction(() => document.activeElement.matches("button.run"));
  // The focus is on the title of the next step.
  await own.getByRole("button", { name: "Next step" }).press("Enter");
  await own.waitForFunction(() => document.activeElement.matches(".step-title"));
  assert.match(await focused(), /Why PyTorch doesn't help/);
  assert.deepEqual(own.problems, []);
  await own.context().close();
});

test("axe finds nothing in a lesson's poster and in an embedded lesson, in light and dark", async () => {
  const wrong = [];
  const own = await open(browser, server.address, "embed.html#lesson=same-device-rule", { reducedMotion: "reduce" });
  const look = async (state) => {
    for (const colorScheme of ["light", "dark"]) {
      await own.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      for (const fault of await violations(own, { coloursOnly: colorScheme === "dark" })) wrong.push(`${state}, ${colorScheme}: ${fault}`);
    }
  };
  await own.getByRole("button", { name: "Start this lesson" }).waitFor();
  await look("poster");
  await own.getByRole("button", { name: "Start this lesson" }).click();
  await own.locator(".step-title").waitFor();
  await look("lesson");
  await run(own);
  await look("error");
  assert.deepEqual(wrong, []);
  await own.context().close();
});

test("the builder's HTML names what was chosen, and shows the lesson on a page", async () => {
  await view(page, "#/instructors");
  await page.locator("#embed-lesson").selectOption("model-and-data");
  await page.locator("#embed-theme").selectOption("dark");
  await page.locator("#embed-language").selectOption("de");
  await page.locator("#embed-height").fill("500");
  const html = () => page.locator(".builder pre").innerText();
  const frame = await html();
  assert.match(frame, /embed\.html#lesson=model-and-data&amp;theme=dark&amp;lang=de"/);
  assert.match(frame, /sandbox="allow-scripts allow-same-origin allow-downloads allow-popups"/);
  assert.match(frame, /loading="lazy"[^]*width:100%;height:500px;border:0/);
  const http = createServer((_, response) => response.end(`<!doctype html><title>host</title>${frame}`));
  await new Promise((done) => http.listen(0, "127.0.0.1", done));
  const host = await (await browser.newContext()).newPage();
  await host.goto(`http://localhost:${http.address().port}/`);
  const poster = host.frameLocator("iframe");
  await poster.getByRole("button", { name: "Lektion beginnen" }).waitFor();
  assert.equal(await poster.locator("html").getAttribute("data-theme"), "dark");
  assert.equal(await host.locator("iframe").evaluate((f) => f.clientHeight), 500);
  await host.context().close();
  http.close();
  await page.locator("#embed-level").selectOption("element");
  assert.match(await html(), /<tensoryard-lesson lesson="model-and-data" load="click" theme="dark" lang="de">/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy the HTML" }).click();
  await page.getByText("The HTML is copied.").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await html());
});

test("the page can be installed", async () => {
  const context = await browser.newContext({ serviceWorkers: "allow" });
  const home = await context.newPage();
  await home.goto(server.address);
  const session = await context.newCDPSession(home);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito"), []);
  const { errors, url } = await session.send("Page.getAppManifest");
  assert.deepEqual([errors, url.endsWith("app.webmanifest")], [[], true]);
  await context.close();
});

test("no script error, no policy violation, no other host", () => {
  assert.deepEqual(page.problems, []);
});
