// Lessons in a page of another origin: frame, custom element, messages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { doStep, eventually, launch, serve } from "./harness.mjs";

const LESSON = "same-device-rule";
const source = readFileSync(new URL("../../lessons/b-4-same-device.md", import.meta.url), "utf8");
const solutions = [...source.matchAll(/^```python solution[^\n]*\n(.*?)^```$/gms)].map(([, code]) => code);

let server, host, browser;
const pages = new Map();

/** A page of the host. In `html`, HOME stands for the playground's address. */
function hosted(name, html, headers = {}) {
  pages.set(`/${name}`, { body: html.replaceAll("HOME/", server.address), headers, type: "text/html" });
  return `${host.address}${name}`;
}

before(async () => {
  server = await serve();
  const http = createServer((request, response) => {
    // Chromium requests an icon on its own.
    const page = request.url === "/favicon.ico" ? { body: "" } : pages.get(request.url);
    response.writeHead(page ? 200 : 404, { "Content-Type": page?.type ?? "text/plain", ...page?.headers });
    response.end(page?.body ?? "");
  });
  await new Promise((done) => http.listen(0, "127.0.0.1", done));
  // Another host name and another port make it a different site.
  host = { address: `http://localhost:${http.address().port}/`, close: () => http.close() };
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
  host?.close();
});

/** The host's pages again, as another site: the same server under another name. */
const elsewhere = () => host.address.replace("localhost", "127.0.0.1");

/** Records in the host page every message that doesn't have the form of a lesson's. */
const HEARS = `<script>globalThis.harm = [];
  addEventListener("message", ({ data }) => data?.tensoryard || globalThis.harm.push(data));</script>`;

async function visit(address) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 }, locale: "en-US" });
  const page = await context.newPage();
  page.problems = [];
  page.requests = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  page.on("request", (request) => page.requests.push(request.url()));
  await page.goto(address, { waitUntil: "load" });
  return page;
}

/** The frame's content, after its engine is ready. */
async function lessonIn(page, locator = page.locator("iframe")) {
  const frame = locator.contentFrame();
  await frame.locator(".step-title").waitFor({ timeout: 60_000 });
  return frame;
}

async function solve(frame, code) {
  const plain = frame.getByLabel("Plain text");
  if (!(await plain.isChecked())) await plain.check();
  await frame.getByLabel("Python program").fill(code);
  await frame.getByRole("button", { name: /^Run\b/ }).click();
  await frame.locator(".checks li[data-state=passed]").first().waitFor({ timeout: 90_000 });
}

const element = (attributes = "") => `<!doctype html><html lang="en"><title>host</title>
  <script type="module" src="HOME/element.js"></script>
  <script src="/log.js"></script>
  <tensoryard-lesson lesson="${LESSON}" ${attributes}><p>Fallback text</p></tensoryard-lesson>`;

const log = `globalThis.log = [];
for (const type of ["started", "checked", "completed", "statement", "diagnosed", "output", "state", "resize"])
  addEventListener("tensoryard-" + type, ({ detail }) => globalThis.log.push({ type, detail }));`;

const logged = (page, type) => page.evaluate((t) => globalThis.log.filter((m) => m.type === t).map((m) => m.detail), type);

test("the custom element weighs at most 10 kB, a poster at most 30", async () => {
  const weigh = async (path) => brotliCompressSync(Buffer.from(await (await fetch(server.address + path)).arrayBuffer())).length;
  const script = await weigh("element.js");
  console.log(`element.js: ${script} bytes of brotli`);
  assert.ok(script <= 10_000, `${script}`);
  pages.set("/log.js", { body: log, type: "text/javascript" });
  const page = await visit(`${server.address}embed.html#lesson=${LESSON}`);
  await page.getByRole("button", { name: "Start this lesson" }).waitFor();
  assert.ok(!page.requests.some((r) => /\.wasm/.test(r)), "wasm before anyone started the lesson");
  let bytes = 0;
  for (const request of page.requests) bytes += await weigh(request.slice(server.address.length));
  console.log(`poster: ${bytes} bytes of brotli in ${page.requests.length} requests`);
  assert.ok(bytes <= 30_000, `${bytes}`);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("on a strict page the element starts, resizes, follows the theme, reports, and gives and takes state", async () => {
  const policy = `default-src 'none'; script-src 'self' ${server.address}; frame-src ${server.address}`;
  const address = hosted("element", element('caps="output"'), { "Content-Security-Policy": policy });
  const page = await visit(address);
  // A poster: the first program, and what it printed when that was recorded; and nothing of Python.
  const poster = page.locator("iframe").contentFrame();
  await poster.getByLabel("Program").filter({ hasText: "total = prices * quantities" }).waitFor();
  await poster.getByLabel("Output").filter({ hasText: "Expected all tensors to be on the same device" }).waitFor();
  assert.equal(await page.getByText("Fallback text").isVisible(), false);
  assert.ok(!page.requests.some((r) => /wasm|boot/.test(r)), page.requests.join("\n"));
  await poster.getByRole("button", { name: "Start this lesson" }).click();
  const frame = await lessonIn(page);
  await page.waitForFunction(() => globalThis.log.some((m) => m.type === "state"));

  // The height matches the content within a pixel, and stops changing.
  const gap = () =>
    frame.locator("body").evaluate((body) => Math.abs(body.getBoundingClientRect().height - innerHeight));
  await page.waitForTimeout(700);
  const before = (await logged(page, "resize")).length;
  await page.waitForTimeout(700);
  assert.equal((await logged(page, "resize")).length, before, "the height does not come to rest");
  assert.ok((await gap()) <= 1, `${await gap()} pixels apart`);

  await page.locator("tensoryard-lesson").evaluate((e) => e.setAttribute("theme", "dark"));
  await frame.locator("html[data-theme=dark]").waitFor({ state: "attached" });
  await page.locator("tensoryard-lesson").evaluate((e) => e.setAttribute("lang", "de"));
  await frame.getByRole("button", { name: "Ausführen" }).waitFor();
  await page.locator("tensoryard-lesson").evaluate((e) => e.setAttribute("lang", "en"));
  await frame.getByRole("button", { name: /^Run\b/ }).waitFor();

  // Completes the lesson.
  const steps = await frame.locator(".steps li").count();
  for (let i = 0, next = 0; i < steps; i += 1) {
    await frame.locator(".steps button").nth(i).click();
    await frame.locator(`.steps li:nth-child(${i + 1}) button[aria-current=step]`).waitFor();
    if (await frame.locator(".checks").count()) {
      await solve(frame, solutions[next]);
      await frame.locator(".why").waitFor({ timeout: 60_000 });
      next += 1;
    } else await doStep(frame);
  }
  await page.waitForFunction(() => globalThis.log.some((m) => m.type === "completed"), undefined, { timeout: 30_000 });
  const [completed] = await logged(page, "completed");
  assert.equal(completed.score, 1);
  assert.ok(completed.attempts >= solutions.length && completed.seconds >= 0, JSON.stringify(completed));
  const started = await logged(page, "started");
  assert.ok(started[0].bootMs > 0 && started[0].executor, JSON.stringify(started[0]));
  assert.ok((await logged(page, "checked")).some((c) => c.passed && c.score === 1));
  // Each report is a message of its own, and arrives by itself.
  await eventually(async () => (await logged(page, "statement"))[0]?.verb.id, /completed$/);
  assert.ok((await logged(page, "output")).length > 0, "output was asked for");
  await eventually(() => page.locator("tensoryard-lesson").evaluate((e) => JSON.parse(e.state).progress.done.length), steps);
  const state = await page.locator("tensoryard-lesson").evaluate((e) => e.state);
  assert.ok(state.length <= 64 * 1024);
  assert.deepEqual(page.problems, []);
  await page.context().close();

  // Another browser knows nothing until the host gives the state back. Anything that isn't a state, or is too long, has
  // no effect.
  const other = await visit(address);
  // The surrounding page starts it: the poster that is already there becomes the lesson.
  await other.locator("tensoryard-lesson").evaluate((e) => (e.start(), e.start()));
  const again = await lessonIn(other);
  assert.equal(await again.locator(".steps li.done").count(), 0);
  const restore = (s) => other.locator("tensoryard-lesson").evaluate((e, given) => e.restore(given), s);
  const { code, ...rest } = JSON.parse(state);
  const oversized = JSON.stringify({ ...rest, code: { [Object.keys(code)[0]]: "#".repeat(64 * 1024) } });
  for (const bad of ["{}", "x".repeat(100_000), oversized, state.replace(LESSON, "<b>")]) await restore(bad);
  await other.waitForTimeout(300);
  assert.equal(await again.locator(".steps li.done").count(), 0);
  await restore(state);
  await again.locator(".steps li.done").nth(steps - 1).waitFor();
  assert.deepEqual(other.problems, []);
  await other.context().close();
});

test("ten embeds: nothing before one is started, and one engine each", async () => {
  const ten = `<!doctype html><html lang="en"><title>ten</title><script type="module" src="HOME/element.js"></script>
    ${`<tensoryard-lesson lesson="${LESSON}" caps="output"></tensoryard-lesson>`.repeat(10)}`;
  const page = await visit(hosted("ten", ten));
  const lesson = (n) => page.locator("iframe").nth(n).contentFrame();
  assert.equal(await page.locator("iframe").count(), 10);
  for (let n = 0; n < 10; n += 1) {
    // A poster is loaded when it gets near the screen.
    await page.locator("iframe").nth(n).scrollIntoViewIfNeeded();
    await lesson(n).getByRole("button", { name: "Start this lesson" }).waitFor();
  }
  assert.ok(!page.requests.some((r) => /wasm|boot/.test(r)));
  const workers = () => page.requests.filter((r) => /\/boot\.js/.test(r)).length;
  for (let n = 1; n <= 10; n += 1) {
    // By keyboard, because right after a page has scrolled, Chromium may still send a click to the frame that was there
    // before.
    await lesson(n - 1).getByRole("button", { name: "Start this lesson" }).press("Enter");
    const frame = await lessonIn(page, page.locator("iframe").nth(n - 1));
    if (n <= 2) await solve(frame, solutions[0]);
    await eventually(workers, n);
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a plain frame in a sandbox without an origin and without storage runs a lesson", async () => {
  const html = `<!doctype html><html lang="en"><title>frame</title>
    <iframe src="HOME/embed.html#lesson=${LESSON}&theme=light" title="lesson" sandbox="allow-scripts"
      style="width:100%;height:700px;border:0"></iframe>`;
  const page = await visit(hosted("frame", html));
  const poster = page.locator("iframe").contentFrame();
  await poster.getByRole("button", { name: "Start this lesson" }).click();
  const frame = await lessonIn(page);
  assert.equal(await frame.locator("html").evaluate(() => origin), "null");
  // The frame shows a single lesson, so a link to another one leaves the frame.
  await frame.getByRole("button", { name: /^Run\b/ }).click();
  const about = frame.getByRole("link", { name: "A lesson about this" });
  assert.equal(await about.getAttribute("href"), `${server.address}#/lesson/${LESSON}`);
  assert.equal(await about.getAttribute("target"), "_blank");
  await solve(frame, solutions[0]);
  // What the learner wrote lasts as long as the page.
  await frame.locator(".steps button").nth(1).click();
  await frame.locator(".steps button").nth(0).click();
  assert.equal(await frame.getByLabel("Python program").inputValue(), solutions[0]);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("messages from a wrong window or a wrong origin are not heard", async () => {
  const html = `<!doctype html><html lang="en"><title>wrong</title><script type="module" src="HOME/element.js"></script>
    <tensoryard-lesson lesson="${LESSON}" load="eager" theme="light"></tensoryard-lesson>
    <iframe id="stranger" title="stranger" src="/stranger"></iframe>
    <iframe title="stranger of another site" src="${elsewhere()}stranger"></iframe>`;
  pages.set("/stranger", { body: "<!doctype html><title>s</title>", type: "text/html" });
  const page = await visit(hosted("wrong", html));
  const frame = await lessonIn(page, page.locator("tensoryard-lesson iframe"));
  // Strangers next to the lesson, from the host's site and from another, say hello to it, and pretend to be the lesson
  // to the host.
  const strangers = page.frames().filter((f) => f.url().endsWith("/stranger"));
  assert.equal(strangers.length, 2);
  for (const stranger of strangers) await stranger.evaluate(() => {
    const { port1, port2 } = new MessageChannel();
    globalThis.heard = [];
    port1.onmessage = ({ data }) => globalThis.heard.push(data);
    const hello = { tensoryard: 1, type: "hello", id: 1, data: { theme: "dark", caps: ["output"] } };
    for (let i = 0; i < parent.frames.length; i += 1) {
      if (parent.frames[i] !== window) parent.frames[i].postMessage(hello, "*", i === 0 ? [port2] : []);
    }
    parent.postMessage({ tensoryard: 1, type: "ready", id: 1 }, "*");
    parent.postMessage({ tensoryard: 1, type: "resize", id: 2, data: { height: 9999 } }, "*");
  });
  // The host itself cannot say hello a second time, and anything that isn't a message is ignored.
  await page.evaluate(() => {
    const inner = document.querySelector("tensoryard-lesson").shadowRoot.querySelector("iframe").contentWindow;
    const { port1, port2 } = new MessageChannel();
    globalThis.second = [];
    port1.onmessage = ({ data }) => globalThis.second.push(data);
    inner.postMessage({ tensoryard: 1, type: "hello", id: 1, data: { theme: "dark" } }, "*", [port2]);
    for (const odd of [null, 1, "{}", [], { tensoryard: 2, type: "hello" }, { tensoryard: 1 }, { tensoryard: 1, type: "run" }]) {
      inner.postMessage(odd, "*");
    }
  });
  await page.waitForTimeout(600);
  assert.equal(await frame.locator("html").getAttribute("data-theme"), "light");
  assert.deepEqual(await page.evaluate(() => globalThis.second), []);
  for (const stranger of strangers) assert.deepEqual(await stranger.evaluate(() => globalThis.heard), []);
  assert.equal(await frame.locator(".output .stdout").count(), 0);
  const height = await page.locator("tensoryard-lesson").evaluate((e) => e.getBoundingClientRect().height);
  assert.ok(height < 9000, `${height}`);
  await page.context().close();
});

test("a frame that went to another site is told nothing", async () => {
  pages.set("/pretender", {
    body: `<!doctype html><title>p</title><script>
      globalThis.heard = []; addEventListener("message", ({ data }) => globalThis.heard.push(data));
      setInterval(() => parent.postMessage({ tensoryard: 1, type: "ready", id: 1, data: { version: 1 } }, "*"), 50);</script>`,
    type: "text/html",
  });
  const page = await visit(hosted("gone", element('caps="output"')));
  await page.locator("iframe").contentFrame().getByRole("button", { name: "Start this lesson" }).waitFor();
  await page.locator("tensoryard-lesson").evaluate((e, address) => {
    e.start();
    e.shadowRoot.querySelector("iframe").src = address;
  }, `${elsewhere()}pretender`);
  const pretender = await (await page.locator("iframe").elementHandle()).contentFrame();
  await pretender.waitForFunction(() => globalThis.heard !== undefined);
  await page.waitForTimeout(500);
  assert.deepEqual(await pretender.evaluate(() => globalThis.heard), []);
  await page.context().close();
});

test("a hostile lesson file does nothing but show its faults", async () => {
  const harm = "parent.postMessage('harm', '*'); globalThis.harm = true";
  const [head, ...body] = source.split("\n## ");
  const hostile = [
    [`<script>${harm}</script>`, /HTML/],
    [`<img src="x" onerror="${harm}">`, /HTML/],
    [`An <b onclick="${harm}">innocent</b> word`, /HTML/],
    [`[Read on](javascript:${encodeURIComponent(harm)})`, /javascript:/],
    ["x".repeat(1 << 20), /lesson/i],
  ];
  for (const [text, says] of hostile) {
    pages.set("/hostile.md", { body: [`${head}\n${text}\n`, ...body].join("\n## "), type: "text/markdown" });
    const page = await visit(hosted("hostile", element('src="/hostile.md" load="eager"').replace("<script", HEARS + "<script")));
    const frame = page.locator("iframe").contentFrame();
    await frame.getByRole("alert").filter({ hasText: says }).waitFor({ timeout: 60_000 });
    assert.equal(await frame.locator("body :is(script, img, [onclick], a[href^=javascript])").count(), 0);
    assert.equal(await frame.locator("html").evaluate(() => globalThis.harm), undefined);
    assert.deepEqual(await page.evaluate(() => globalThis.harm), []);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});

/** A host that talks to the frame itself: `globalThis.heard`, and `globalThis.send(type, data)` after the frame has
 * answered. */
const speaker = (fragment, home = "HOME/", sandbox = "") => `<!doctype html><html lang="en"><title>speaker</title>
  <iframe src="${home}embed.html#${fragment}" title="lesson" ${sandbox} style="width:900px;height:700px"></iframe>
  <script>globalThis.heard = []; const frame = document.querySelector("iframe");
    addEventListener("message", ({ source, data }) => {
      if (source !== frame.contentWindow || globalThis.send || data?.type !== "ready") return;
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => globalThis.heard.push(data);
      globalThis.send = (type, data) => port1.postMessage({ tensoryard: 1, type, id: 9, data });
      frame.contentWindow.postMessage({ tensoryard: 1, type: "hello", id: 1, data: { caps: ["output"] } }, "*", [port2]);
    });</script>`;
const told = (page, type) => page.evaluate((t) => globalThis.heard.filter((m) => m.type === t), type);
/** The host and the playground belong to one site, so the frame has the playground's storage. */
const near = (name, fragment) => hosted(name, speaker(fragment)).replace("localhost", "127.0.0.1");

/** The learner's work in the real lesson. */
async function written(context) {
  const page = await context.newPage();
  await page.goto(`${server.address}#/lesson/${LESSON}`);
  await page.locator(".step-title").waitFor({ timeout: 60_000 });
  const plain = page.getByLabel("Plain text");
  if (!(await plain.isChecked())) await plain.check();
  await page.getByLabel("Python program").fill("secret = 'the learner'\n");
  await page.waitForFunction(() => Object.values(localStorage).some((value) => value.includes("the learner")));
  const kept = () => page.evaluate(() => Object.entries(localStorage).filter(([key]) => /same-device/.test(key)).sort());
  return { before: await kept(), kept };
}

/** A small lesson that a page passes as text. */
const small = (id, title = "A lesson of the host") => `---
format: 1
id: ${id}
title: ${title}
minutes: 3
machine: cuda:1
---

Words.

## Two tensors

Text.

\`\`\`python starter
print("of the host")
\`\`\`

\`\`\`check
- kind: no_error
  label: It runs.
\`\`\`

\`\`\`hint
Run it.
\`\`\`

\`\`\`python solution
x = 2
\`\`\`
`;

test("a text that a page hands over cannot pass for a lesson of this site", async () => {
  const page = await visit(near("borrow", "lesson=&load=click"));
  const { before, kept } = await written(page.context());
  await page.waitForFunction(() => globalThis.send);
  await page.evaluate((text) => globalThis.send("load", { text, start: true }), small(LESSON));
  const frame = page.locator("iframe").contentFrame();
  await frame.getByRole("alert").filter({ hasText: LESSON }).waitFor({ timeout: 60_000 });
  for (const [type, data] of [["run", {}], ["restore", { state: JSON.stringify({ v: 1, lesson: LESSON, progress: {}, code: { "two-tensors": "EVIL = 1" } }) }]]) {
    await page.evaluate(([t, d]) => globalThis.send(t, d), [type, data]);
  }
  await page.waitForTimeout(2000);
  const heard = JSON.stringify(await page.evaluate(() => globalThis.heard));
  assert.doesNotMatch(heard, /the learner|"state"|"completed"|"statement"/);
  assert.deepEqual(await kept(), before);
  await page.context().close();
});

test("what is done in a lesson of the host's own is kept under the host's name, and its statement is of another activity", async () => {
  const page = await visit(near("own", "lesson=&load=click"));
  await page.waitForFunction(() => globalThis.send);
  await page.evaluate((text) => globalThis.send("load", { text, start: true }), small("of-the-host"));
  const frame = await lessonIn(page);
  await solve(frame, "x = 3\n");
  await page.waitForFunction(() => globalThis.heard.some((m) => m.type === "statement"), undefined, { timeout: 30_000 });
  const origin = elsewhere().replace(/\/$/, "");
  const [{ data: statement }] = await told(page, "statement");
  assert.equal(statement.object.id, `${server.address}#/own/${encodeURIComponent(origin)}/of-the-host`);
  // The state belongs to the lesson that the host named, and is restored there.
  const state = (await told(page, "state")).at(-1).data;
  assert.deepEqual([JSON.parse(state).lesson, JSON.parse(state).code], ["of-the-host", { "two-tensors": "x = 3\n" }]);
  const names = await frame.locator("html").evaluate(() => Object.keys(localStorage).filter((key) => key.includes("of-the-host")).sort());
  const name = `own.${origin.replace(/[:/]/g, (c) => (c === ":" ? "X3A" : "X2F"))}.of-the-host`;
  assert.deepEqual(names, [`tensoryard.code.lesson.${name}.two-tensors`, `tensoryard.progress.${name}`]);
  await page.evaluate((s) => globalThis.send("restore", { state: s }), state.replace("x = 3", "x = 4"));
  await frame.locator("code-editor textarea").evaluate(
    (area) => new Promise((done) => { const look = () => (document.querySelector("code-editor textarea").value === "x = 4\n" ? done() : setTimeout(look, 50)); look(); }),
  );
  await page.context().close();
});

test("restore reaches the lesson that is shown and no other", async () => {
  const page = await visit(near("restore", "lesson=&load=click"));
  const { before, kept } = await written(page.context());
  await page.waitForFunction(() => globalThis.send);
  const state = { v: 1, lesson: LESSON, progress: { done: ["x"], steps: 1, at: 0 }, code: { "two-tensors": "EVIL = 1" } };
  const lessons = await (await fetch(`${server.address}lessons/index.json`)).json();
  const other = lessons.find(({ id }) => id !== LESSON).id;
  await page.evaluate((id) => globalThis.send("load", { lesson: id, start: true }), other);
  // Before and after the lesson has been loaded.
  await page.evaluate((s) => globalThis.send("restore", { state: s }), JSON.stringify(state));
  await lessonIn(page);
  await page.evaluate((s) => globalThis.send("restore", { state: s }), JSON.stringify(state));
  await page.waitForTimeout(500);
  assert.deepEqual(await kept(), before);
  await page.context().close();
});

test("a lesson whose origins cannot be read answers no other site", async () => {
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
  const page = await context.newPage();
  await page.route(/\/lessons\/posters\//, (route) => route.abort());
  await page.goto(hosted("closed", speaker(`lesson=${LESSON}&load=eager`)));
  await page.frameLocator("iframe").locator(".step-title").waitFor({ timeout: 60_000 });
  await page.waitForFunction(() => globalThis.send);
  await page.waitForTimeout(6000);
  assert.deepEqual(await page.evaluate(() => globalThis.heard), []);
  // A hello that was just late is answered.
  const late = await context.newPage();
  let refused = 0;
  await late.route(/\/lessons\/posters\//, (route) => ((refused += 1) > 2 ? route.continue() : route.abort()));
  await late.goto(hosted("late", speaker(`lesson=${LESSON}&load=click`)));
  await late.waitForFunction(() => globalThis.heard.some((m) => m.type === "resize"), undefined, { timeout: 15_000 });
  await context.close();
});

test("without its script the element shows what the author wrote", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const bare = await context.newPage();
  await bare.goto(hosted("bare", element()));
  await bare.getByText("Fallback text").waitFor();
  await context.close();
});
