// Each of the messages between a lesson in a frame and the page around it; and the ways in which the element can load.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { doStep, eventually, launch, serve } from "./harness.mjs";

const LESSON = "same-device-rule";
const source = readFileSync(new URL("../../lessons/b-4-same-device.md", import.meta.url), "utf8");
const [, starter] = /^```python starter[^\n]*\n(.*?)^```$/ms.exec(source);
const [, solution] = /^```python solution[^\n]*\n(.*?)^```$/ms.exec(source);

let server, host, browser;
const pages = new Map();
before(async () => {
  server = await serve();
  browser = await launch({ webgpu: false });
  const http = createServer((request, response) => {
    const [type, body] = pages.get(request.url) ?? ["text/plain", ""];
    response.writeHead(200, { "Content-Type": type });
    response.end(body);
  });
  await new Promise((done) => http.listen(0, "127.0.0.1", done));
  host = { address: `http://localhost:${http.address().port}/`, close: () => http.close() };
});
after(async () => {
  await browser?.close();
  server?.close();
  host?.close();
});

async function visit(html) {
  pages.set("/host", ["text/html", `<!doctype html><html lang="en"><title>host</title>${html.replaceAll("HOME/", server.address)}`]);
  const page = await (await browser.newContext({ locale: "en-US", viewport: { width: 1000, height: 800 } })).newPage();
  page.setDefaultTimeout(60_000);
  page.problems = [];
  page.requests = [];
  page.on("request", (request) => page.requests.push(request.url()));
  page.on("pageerror", (error) => page.problems.push(String(error)));
  await page.goto(`${host.address}host`);
  return page;
}

// How a page without the element would embed a lesson.
const frame = `<iframe src="HOME/embed.html#lesson=${LESSON}&theme=auto" title="Interactive lesson" loading="lazy"
  sandbox="allow-scripts allow-same-origin allow-downloads allow-popups"
  allow="clipboard-write; fullscreen" style="width:100%;height:480px;border:0"></iframe>`;

test("ready is said every 250 ms, twenty times, and with nothing of the learner in it", async () => {
  const page = await visit(`<script>globalThis.heard = [];
    addEventListener("message", ({ data, origin }) => heard.push({ data, origin, at: performance.now() }));</script>${frame}`);
  await page.waitForFunction(() => globalThis.heard.length >= 20);
  await page.waitForTimeout(800);
  const heard = await page.evaluate(() => globalThis.heard);
  assert.equal(heard.length, 20);
  for (const [n, { data, origin }] of heard.entries()) {
    assert.deepEqual(data, { tensoryard: 1, type: "ready", id: n + 1, lesson: LESSON, data: { version: 1 } });
    assert.equal(`${origin}/`, server.address);
  }
  const between = heard.slice(1).map(({ at }, n) => at - heard[n].at).sort((a, b) => a - b);
  assert.ok(between[9] > 200 && between[9] < 350, between.join());
  await page.context().close();
});

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
// With additional properties that an agent can't have.
const AGENT = { name: "Ada", account: { homePage: "https://lms.example/", name: "17", grade: 1 }, role: "student" };

test("who learned is in the statement: whom the host names as xAPI does, else nobody known", async () => {
  const embeds = [
    undefined,
    JSON.stringify({ mbox: "mailto:ada@example.org" }),
    JSON.stringify({ openid: "https://ada.example.org/" }),
    JSON.stringify({ mbox_sha1sum: "ebd31e95054c018b10727ccffd2ef2ec3a016ee9", objectType: "Agent" }),
    // These aren't agents: two identifiers, none, a group, an invalid address, invalid JSON.
    JSON.stringify({ mbox: "mailto:ada@example.org", openid: "https://ada.example.org/" }),
    JSON.stringify({ name: "Ada" }),
    JSON.stringify({ objectType: "Group", mbox: "mailto:all@example.org" }),
    JSON.stringify({ mbox: "ada" }),
    JSON.stringify({ account: { homePage: "lms", name: "17" } }),
    "Ada",
  ];
  const page = await visit(`<script type="module" src="HOME/element.js"></script>${embeds
    .map((actor) => `<tensoryard-lesson lesson="${LESSON}" ${actor ? `actor='${actor}'` : ""}></tensoryard-lesson>`)
    .join("")}`);
  const actors = [];
  for (const at of embeds.keys()) {
    const element = page.locator("tensoryard-lesson").nth(at);
    await element.locator("iframe").scrollIntoViewIfNeeded();
    await element.locator("iframe").contentFrame().getByRole("button", { name: "Start this lesson" }).waitFor();
    // The height is reported after hello.
    await element.evaluate((e) => new Promise((done) => {
      const look = () => (e.shadowRoot.querySelector("iframe").style.height ? done() : setTimeout(look, 20));
      look();
    }));
    // What the lesson reports at its end.
    const heard = element.evaluate((e) => new Promise((done) => e.addEventListener("tensoryard-statement", ({ detail }) => done(detail))));
    await element.locator("iframe").contentFrame().locator("html").evaluate(() =>
      dispatchEvent(new CustomEvent("tensoryard-report", { detail: JSON.stringify({ type: "statement", data: {} }) })));
    actors.push((await heard).actor);
  }
  assert.deepEqual(actors.slice(1, 4), embeds.slice(1, 4).map((actor) => ({ objectType: "Agent", ...JSON.parse(actor) })));
  const unknown = [actors[0], ...actors.slice(4)];
  for (const actor of unknown) {
    assert.deepEqual({ ...actor, account: { ...actor.account, name: "" } }, { objectType: "Agent", account: { homePage: server.address, name: "" } });
    assert.match(actor.account.name, UUID);
  }
  assert.equal(new Set(unknown.map(({ account }) => account.name)).size, unknown.length);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a host without the element sends every command and hears every report", async () => {
  const page = await visit(`<script>
    const { port1, port2 } = new MessageChannel();
    globalThis.heard = [];
    globalThis.windowHeard = 0;
    let id = 0;
    globalThis.tell = (type, data = {}) => port1.postMessage({ tensoryard: 1, type, id: (id += 1), data });
    port1.onmessage = ({ data }) => heard.push(data);
    addEventListener("message", ({ source, origin, data }) => {
      windowHeard += 1;
      if (data.type !== "ready" || windowHeard > 1) return;
      source.postMessage({ tensoryard: 1, type: "hello", id: 0, re: data.id, data: { theme: "dark", lang: "de", caps: ["output"], actor: ${JSON.stringify(AGENT)} } }, origin, [port2]);
    });</script>${frame}`);
  const lesson = page.locator("iframe").contentFrame();
  const tell = (type, data) => page.evaluate(([t, d]) => globalThis.tell(t, d), [type, data]);
  const data = (type) => page.evaluate((t) => globalThis.heard.filter((m) => m.type === t).map((m) => m.data), type);
  const hear = async (type, nth = 0) => {
    await page.waitForFunction(([t, n]) => globalThis.heard.filter((m) => m.type === t).length > n, [type, nth]);
    return (await data(type))[nth];
  };

  // hello sets theme and language. The poster follows them, then and later.
  await lesson.getByRole("button", { name: "Lektion beginnen" }).waitFor();
  assert.equal(await lesson.locator("html").getAttribute("data-theme"), "dark");
  await tell("theme", { theme: "light" });
  await tell("lang", { lang: "en" });
  await lesson.getByRole("button", { name: "Start this lesson" }).waitFor();
  assert.equal(await lesson.locator("html").getAttribute("data-theme"), "light");
  const { height } = await hear("resize");
  assert.ok(height > 50 && height < 2000, `${height}`);
  // Another lesson's poster, and back.
  await tell("load", { lesson: "model-and-data" });
  await lesson.getByRole("heading", { name: "Model and data" }).waitFor();
  await tell("load", { lesson: LESSON });
  await lesson.getByRole("heading", { name: "The same-device rule" }).waitFor();
  // Unknown messages have no effect.
  await tell("open", { lesson: "model-and-data" });
  await tell("load", { lesson: "../app" });
  assert.ok(!page.requests.some((r) => /wasm|boot/.test(r)));

  // `run` starts the page and runs the present program: the starter, which fails.
  await tell("run");
  const started = await hear("started");
  assert.deepEqual(Object.keys(started).sort(), ["bootMs", "executor"]);
  assert.ok(started.executor === "cpu" && started.bootMs > 0, JSON.stringify(started));
  const checked = await hear("checked");
  assert.equal(checked.passed, false);
  assert.ok(checked.checks.length >= 4 && checked.checks.every((c) => typeof c.label === "string" && typeof c.passed === "boolean"));
  // Some checks pass, but they're guards: an untouched starter earns nothing.
  assert.ok(checked.checks.some((c) => c.passed));
  assert.equal(checked.score, 0);
  assert.deepEqual(await hear("diagnosed"), { rule: "D01", line: starter.split("\n").findIndex((l) => l.startsWith("total =")) + 1 });
  assert.match((await hear("output")).text, /Expected all tensors to be on the same device/);

  // `stop` ends an endless program; `reset` restores the starter.
  await lesson.getByLabel("Plain text").check();
  const editor = lesson.getByLabel("Python program");
  await editor.fill("while True:\n    pass\n");
  await tell("run");
  await lesson.locator("button.stop").waitFor();
  await tell("stop");
  await lesson.locator("button.run").waitFor();
  // On a busy machine Python doesn't answer in time; then the page restarts the engine and says so, and no output follows.
  await lesson.locator(".output h2 small:not(:empty), .output .page-says").first().waitFor();
  const restarted = await lesson.getByText("so the engine was restarted").count();
  if (restarted === 0) assert.match((await hear("output", 1)).text, /KeyboardInterrupt/);
  await tell("reset");
  await page.waitForFunction(() => globalThis.heard.some((m) => m.type === "state"));
  await lesson.locator("code-editor").evaluate(
    (e, text) => new Promise((done) => { const look = () => (e.value === text ? done() : setTimeout(look, 50)); look(); }),
    starter,
  );

  // `step` by number and by id.
  await tell("step", { step: 1 });
  await lesson.locator(".steps li:nth-child(2) button[aria-current=step]").waitFor();
  await tell("step", { step: 99 });
  await tell("step", { step: "two-tensors-two-devices" });
  await lesson.locator(".steps li:nth-child(1) button[aria-current=step]").waitFor();

  // The work in one step, which the host stores and restores after the learner has lost it.
  await lesson.getByRole("button", { name: /^Show a hint/ }).click();
  await lesson.getByLabel("Python program").fill(solution);
  await tell("run");
  await lesson.locator(".why").waitFor();
  await lesson.locator(".steps li:nth-child(1).done").waitFor();
  // The frame's report of it arrives later than the frame shows it.
  await eventually(async () => JSON.parse((await data("state")).at(-1)).progress.done, ["two-tensors-two-devices"]);
  const kept = (await data("state")).at(-1);
  assert.ok(typeof kept === "string" && kept.length <= 64 * 1024);
  await tell("reset");
  await eventually(() => editor.inputValue(), starter);
  await tell("restore", { state: kept });
  await eventually(() => editor.inputValue(), solution);

  // To the end: `completed` is sent once, with the effort it took; and `bye` when the frame is removed.
  const solutions = [...source.matchAll(/^```python solution[^\n]*\n(.*?)^```$/gms)].map(([, code]) => code);
  const steps = await lesson.locator(".steps li").count();
  for (let at = 1, next = 1; at < steps; at += 1) {
    await tell("step", { step: at });
    await lesson.locator(`.steps li:nth-child(${at + 1}) button[aria-current=step]`).waitFor();
    if (!(await lesson.locator(".checks").count())) {
      await doStep(lesson);
      continue;
    }
    await lesson.getByLabel("Python program").fill(solutions[next]);
    await tell("run");
    await lesson.locator(".why").waitFor();
    next += 1;
  }
  const completed = await hear("completed");
  assert.deepEqual(Object.keys(completed).sort(), ["attempts", "hints", "score", "seconds"]);
  // The hint cost a tenth of one exercise.
  const score = 1 - 0.1 / solutions.length;
  assert.equal(completed.score, score);
  // The hint that was shown before the work was restored.
  assert.equal(completed.hints, 1);
  // A run that never ended is no attempt.
  assert.equal(completed.attempts, (restarted === 0 ? 2 : 1) + solutions.length + source.match(/^```python look/gm).length);
  assert.ok(completed.seconds >= 1, JSON.stringify(completed));
  // A statement as xAPI 1.0.3 requires it. The learner is the host's, without properties that an agent doesn't have.
  const { id, timestamp, result, ...statement } = await hear("statement");
  assert.match(id, UUID);
  assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000 && timestamp.endsWith("Z"), timestamp);
  assert.deepEqual(statement, {
    actor: { objectType: "Agent", name: "Ada", account: { homePage: "https://lms.example/", name: "17" } },
    verb: { id: "http://adlnet.gov/expapi/verbs/completed", display: { en: "completed", de: "abgeschlossen" } },
    object: {
      id: `${server.address}#/lesson/${LESSON}`,
      objectType: "Activity",
      definition: { type: "http://adlnet.gov/expapi/activities/lesson", name: { en: "The same-device rule" } },
    },
  });
  assert.match(result.duration, /^PT\d+S$/);
  assert.deepEqual([result.completion, result.success, result.score], [true, true, { scaled: score }]);
  await page.locator("iframe").evaluate((e) => (e.src = "about:blank"));
  assert.deepEqual(await hear("bye"), {});

  const all = await page.evaluate(() => globalThis.heard);
  assert.ok(all.every((m) => m.tensoryard === 1 && m.lesson && Number.isInteger(m.id)), "an envelope");
  assert.ok(all.every((m, n) => n === 0 || m.id > all[n - 1].id), "numbers count up");
  // Over the window, it only said that it was there.
  assert.ok((await page.evaluate(() => globalThis.windowHeard)) <= 20);
  assert.equal((await data("completed")).length, 1);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("output is reported to those alone who asked for it", async () => {
  const page = await visit(`<script>globalThis.heard = [];
    for (const type of ["output", "checked"]) addEventListener("tensoryard-" + type, () => heard.push(type));</script>
    <script type="module" src="HOME/element.js"></script>
    <tensoryard-lesson lesson="${LESSON}" load="eager"></tensoryard-lesson>`);
  await page.locator("iframe").contentFrame().locator(".step-title").waitFor();
  await page.locator("tensoryard-lesson").evaluate((e) => e.run());
  await page.waitForFunction(() => globalThis.heard.includes("checked"));
  await page.waitForTimeout(300);
  assert.deepEqual(await page.evaluate(() => globalThis.heard), ["checked"]);
  await page.context().close();
});

test("where the browser blocks storage, a lesson runs and keeps the learner's work as long as the page", async () => {
  pages.set("/host", ["text/html", `<!doctype html><html lang="en"><title>host</title>${frame.replaceAll("HOME/", server.address)}`]);
  const context = await browser.newContext({ locale: "en-US" });
  // Like a browser that gives a third party's frame no storage.
  await context.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
      Object.defineProperty(globalThis, name, {
        get() {
          throw new DOMException("blocked", "SecurityError");
        },
      });
    }
  });
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.goto(`${host.address}host`);
  const lesson = page.locator("iframe").contentFrame();
  await lesson.getByRole("button", { name: "Start this lesson" }).click();
  await lesson.getByLabel("Plain text").check({ timeout: 60_000 });
  await lesson.getByLabel("Python program").fill(solution);
  await lesson.getByText("This browser isn't saving anything for this page").waitFor();
  await lesson.getByRole("button", { name: /^Run\b/ }).click();
  await lesson.locator(".why").waitFor({ timeout: 60_000 });
  await lesson.locator(".steps button").nth(1).click();
  await lesson.locator(".steps li:nth-child(2) button[aria-current=step]").waitFor();
  await lesson.locator(".steps button").nth(0).click();
  await lesson.locator(".steps li:nth-child(1).done button[aria-current=step]").waitFor();
  assert.equal(await lesson.getByLabel("Python program").inputValue(), solution);
  // The only way for progress to leave such a frame is a link.
  const [elsewhere] = await Promise.all([
    context.waitForEvent("page"),
    lesson.getByRole("link", { name: "Tensoryard" }).click(),
  ]);
  await elsewhere.getByText("This link records 1 step as done.").waitFor();
  await elsewhere.getByRole("button", { name: "Take it over" }).click();
  await elsewhere.locator(".steps li:nth-child(1).done").waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test("mistakes that raise nothing are reported like the others", async () => {
  const page = await visit(`<script>globalThis.heard = [];
    addEventListener("tensoryard-diagnosed", ({ detail }) => heard.push(detail));</script>
    <script type="module" src="HOME/element.js"></script>
    <tensoryard-lesson lesson="${LESSON}" load="eager"></tensoryard-lesson>`);
  const lesson = page.locator("iframe").contentFrame();
  await lesson.getByLabel("Plain text").check();
  await lesson.getByLabel("Python program").fill('import torch\nx = torch.ones(3)\nx.to("cuda")\nprint(x.device)\n');
  await lesson.getByRole("button", { name: /^Run\b/ }).click();
  await lesson.locator(".card").waitFor();
  await eventually(() => page.evaluate(() => globalThis.heard), [{ rule: "D04", line: 3 }]);
  await page.context().close();
});

test("load=visible starts a lesson when it is seen, and src shows a lesson of the page's own", async () => {
  const own = source.replace("id: same-device-rule", "id: my-own").replace("title: The same-device rule", "title: A lesson of my own").replace(/^requires:.*\n/m, "");
  pages.set("/own.md", ["text/markdown", own]);
  const page = await visit(`<script type="module" src="HOME/element.js"></script>
    <tensoryard-lesson src="/own.md"><p>What I say of it</p></tensoryard-lesson>
    <div style="height: 3000px"></div>
    <tensoryard-lesson id="below" lesson="${LESSON}" load="visible"></tensoryard-lesson>`);
  await page.getByText("What I say of it").waitFor();
  assert.equal(await page.locator("iframe").count(), 0);
  await page.getByRole("button", { name: "Start this lesson" }).first().click();
  const mine = page.locator("tensoryard-lesson").first().locator("iframe").contentFrame();
  await mine.getByRole("heading", { level: 1, name: "A lesson of my own" }).waitFor();
  await mine.getByRole("button", { name: /^Run\b/ }).click();
  await mine.locator(".checks li[data-state=failed]").first().waitFor();
  assert.equal(await page.locator("iframe").count(), 1);
  await page.locator("#below").scrollIntoViewIfNeeded();
  await page.locator("#below iframe").contentFrame().locator(".step-title").waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

// A lesson of format 2 says how much of the score was earned: nothing untouched, less with help.
test("the score of a lesson of format 2 is reported", async () => {
  const own = readFileSync(new URL("format2/every-block.md", import.meta.url), "utf8");
  const program = (role) => new RegExp(`^\`\`\`python ${role}[^\n]*\n(.*?)^\`\`\`$`, "ms").exec(own)[1];
  pages.set("/own.md", ["text/markdown", own]);
  const page = await visit(`<script>globalThis.heard = { checked: [], completed: [], statement: [] };
    for (const type in heard) addEventListener(\`tensoryard-\${type}\`, ({ detail }) => heard[type].push(detail));</script>
    <script type="module" src="HOME/element.js"></script>
    <tensoryard-lesson src="/own.md" load="eager"></tensoryard-lesson>`);
  const lesson = page.locator("iframe").contentFrame();
  const heard = (type) => page.evaluate((t) => globalThis.heard[t], type);
  const go = async (at) => {
    await lesson.locator(".steps button").nth(at).click();
    await lesson.locator(`.steps li:nth-child(${at + 1}) button[aria-current=step]`).waitFor();
  };
  const press = () => lesson.getByRole("button", { name: /^Run\b/ }).click();
  for (const at of [0, 2]) {
    await go(at);
    await press();
    await lesson.locator(".seen").waitFor();
  }
  await go(1);
  await doStep(lesson);
  await go(3);
  await press();
  await lesson.locator(".checks li[data-state=failed]").first().waitFor();
  await lesson.getByRole("button", { name: /^Show a hint/ }).click();
  await lesson.getByLabel("Plain text").check();
  await lesson.getByLabel("Python program").fill(program("solution"));
  await press();
  await lesson.locator(".why").waitFor();
  const scores = async () => (await heard("checked")).map(({ passed, score }) => [passed, score]);
  await eventually(scores, [[false, 0], [true, 0.9]]);
  await page.waitForFunction(() => globalThis.heard.statement.length > 0);
  const [completed] = await heard("completed");
  assert.deepEqual([completed.score, completed.hints], [0.9, 1]);
  assert.deepEqual((await heard("statement")).map(({ result }) => result.score), [{ scaled: 0.9 }]);
  // The frame shows one lesson: its card leads to no other.
  await go(4);
  await lesson.locator(".closing").waitFor();
  assert.equal(await lesson.locator(".closing a, .onward a").count(), 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
