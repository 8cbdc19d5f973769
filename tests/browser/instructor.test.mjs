// What an instructor can do with a lesson, in a browser: packages in a course, and a lesson that answers only chosen
// pages.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { bin, dist, doStep, eventually, launch } from "./harness.mjs";
import { Store } from "./lms.mjs";

const LESSON = "same-device-rule";
const file = fileURLToPath(new URL("../../lessons/b-4-same-device.md", import.meta.url));
const source = readFileSync(file, "utf8");
const solutions = [...source.matchAll(/^```python solution[^\n]*\n(.*?)^```$/gms)].map(([, code]) => code);
const KINDS = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml" };

const place = mkdtempSync(join(tmpdir(), "tensoryard-instructor-"));
const open = [];
let browser;

/** A plain web server for a course: files, and no headers except content types. */
async function host(folder) {
  const http = createServer((request, response) => {
    const path = join(folder, normalize(decodeURIComponent(new URL(request.url, "http://x").pathname)));
    let body;
    try {
      body = readFileSync(path);
    } catch {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": KINDS[extname(path)] ?? "text/plain" }).end(body);
  });
  await new Promise((done) => http.listen(0, "127.0.0.1", done));
  open.push(() => {
    http.closeAllConnections();
    http.close();
  });
  return http.address().port;
}

/** Packs lessons. Returns the folder. */
function packed(name, path) {
  const out = join(place, name);
  execFileSync(bin, ["lesson", "pack", path, "--dist", dist, "--out", out]);
  for (const system of ["cmi5", "scorm"]) execFileSync("python3", ["-m", "zipfile", "-e", join(out, `${system}.zip`), join(out, system)]);
  return out;
}

let course;
before(async () => {
  course = packed("course", file);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  for (const close of open) close();
  rmSync(place, { recursive: true });
});

async function visit(address) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 }, locale: "en-US", serviceWorkers: "block" });
  const page = await context.newPage();
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  await page.goto(address, { waitUntil: "load" });
  return page;
}

/** The lesson's frame inside a page or a frame. */
async function lessonIn(page) {
  const frame = page.locator("tensoryard-lesson iframe").contentFrame();
  await frame.locator(".step-title").waitFor({ timeout: 90_000 });
  return frame;
}

/** Solves the first `count` exercises. If these are all, also answers the questions of the other steps. */
async function solve(frame, count) {
  const steps = await frame.locator(".steps li").count();
  for (let i = 0, next = 0; i < steps && (next < count || count === solutions.length); i += 1) {
    await frame.locator(".steps button").nth(i).click();
    await frame.locator(`.steps li:nth-child(${i + 1}) button[aria-current=step]`).waitFor();
    if (!(await frame.locator(".checks").count())) {
      await doStep(frame);
      continue;
    }
    const plain = frame.getByLabel(/^(Plain text|Nur Text)$/);
    if (!(await plain.isChecked())) await plain.check();
    await frame.locator(".workbench textarea").fill(solutions[next]);
    await frame.locator("button.run").click();
    await frame.locator(".why").waitFor({ timeout: 120_000 });
    next += 1;
  }
}

const verbs = (store) => store.statements.map((s) => s.verb.id.split("/").pop());

async function until(holds, what, most = 30_000) {
  for (let spent = 0; !holds(); spent += 100) {
    assert.ok(spent < most, what());
    await new Promise((done) => setTimeout(done, 100));
  }
}

test("a cmi5 package in a course: every statement in its order, and the work of an earlier session", async () => {
  const store = new Store();
  await store.listen();
  open.push(() => store.close());
  const unit = `http://127.0.0.1:${await host(join(course, "cmi5"))}/cmi5-${LESSON}.html`;
  const page = await visit(store.launch({ masteryScore: 1 }, unit));
  const frame = await lessonIn(page);
  // The stand-in's learner prefers German.
  await frame.getByRole("button", { name: "Ausführen" }).waitFor();
  await solve(frame, solutions.length);
  await until(() => verbs(store).includes("passed"), () => verbs(store).join());
  await page.getByRole("button", { name: "Beenden und abgeben" }).click();
  await page.getByText("Abgegeben.").waitFor();
  assert.deepEqual(verbs(store), ["initialized", "completed", "passed", "terminated"]);
  assert.deepEqual([store.faults, page.problems], [[], []]);
  // Everything is in the record store, so the next learner at this computer finds nothing.
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), []);
  await page.context().close();

  const later = await visit(store.again(unit));
  const again = await lessonIn(later);
  await again.locator(".steps li.done").nth((await again.locator(".steps li").count()) - 1).waitFor();
  // When the page is closed, it still sends its last statement.
  await later.goto("about:blank");
  await until(() => verbs(store).length === 6, () => verbs(store).join());
  assert.deepEqual(verbs(store).slice(4), ["initialized", "terminated"]);
  assert.deepEqual([store.faults, later.problems], [[], []]);
  await later.context().close();
});

test("a cmi5 page without a launch shows the lesson and says that no course hears it", async () => {
  const page = await visit(`http://127.0.0.1:${await host(join(course, "cmi5"))}/cmi5-${LESSON}.html`);
  await page.getByText("the launch has no parameter 'endpoint'").waitFor();
  await lessonIn(page);
  await page.context().close();
});

// The link names the record store, and the store says where the page should return to.
test("a record store neither runs a script in a course's page nor sends the learner away", async () => {
  const store = new Store();
  await store.listen();
  open.push(() => store.close());
  const port = await host(join(course, "cmi5"));
  const unit = `http://127.0.0.1:${port}/cmi5-${LESSON}.html`;
  for (const returnURL of ["javascript:globalThis.harm = 1;void 0", `${store.address}phishing`]) {
    const page = await visit(store.launch({ returnURL, launchMode: "Browse" }, unit));
    await page.locator("#hand-in").click();
    await page.locator("#notice").filter({ hasText: "Abgegeben." }).waitFor();
    await page.waitForTimeout(300);
    assert.equal(new URL(page.url()).pathname, new URL(unit).pathname);
    // Even if a page tried, it couldn't.
    await page.evaluate(() => location.assign("javascript:globalThis.harm = 1;void 0"));
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => globalThis.harm), undefined);
    await page.context().close();
  }
  const back = await visit(store.launch({ returnURL: `http://127.0.0.1:${port}/cmi5-${LESSON}.html?back`, launchMode: "Browse" }, unit));
  await back.locator("#hand-in").click();
  await back.waitForURL(/\?back$/);
  await back.context().close();
});

test("a SCORM package in a course: found API, status, score, time, and suspended work", async () => {
  const folder = join(course, "scorm");
  writeFileSync(join(folder, "api.mjs"), readFileSync(new URL("./scorm-api.mjs", import.meta.url)));
  writeFileSync(
    join(folder, "lms.html"),
    `<!doctype html><title>LMS</title><script type="module">
      import { Api } from "./api.mjs";
      const given = JSON.parse(decodeURIComponent(location.hash.slice(1) || "%7B%7D"));
      globalThis.API = new Api(given);
      const frame = Object.assign(document.createElement("iframe"), { src: "scorm-${LESSON}.html", title: "SCO" });
      frame.style = "width: 100%; height: 860px";
      document.body.append(frame);
    </script>`,
  );
  const address = `http://127.0.0.1:${await host(folder)}/lms.html`;
  const page = await visit(address);
  const sco = page.locator("iframe").contentFrame();
  await solve(await lessonIn(sco), 1);
  const data = () => page.evaluate(() => globalThis.API.data);
  // The work reaches the system once a second; with this step done, it has the step's score as well.
  await eventually(async () => (await data())["cmi.suspend_data"] ?? "", /"done":\["two-tensors-two-devices"\]/);
  assert.equal((await data())["cmi.core.lesson_status"], "incomplete");
  await sco.getByRole("button", { name: "Finish and hand in" }).click();
  await sco.getByText("Handed in.").waitFor();
  const failed = await data();
  assert.equal(failed["cmi.core.lesson_status"], "failed");
  assert.equal(failed["cmi.core.score.raw"], String(Math.round(100 / solutions.length)));
  assert.deepEqual([await page.evaluate(() => globalThis.API.faults), page.problems], [[], []]);
  await page.context().close();

  // The next session continues where this one ended, and passes.
  const later = await visit(`${address}#${encodeURIComponent(JSON.stringify(failed))}`);
  const inner = later.locator("iframe").contentFrame();
  const frame = await lessonIn(inner);
  await frame.locator(".steps li.done").first().waitFor();
  await solve(frame, solutions.length);
  await later.waitForFunction(() => globalThis.API.data["cmi.core.lesson_status"] === "passed");
  await inner.getByRole("button", { name: "Finish and hand in" }).click();
  await inner.getByText("Handed in.").waitFor();
  assert.match((await later.evaluate(() => globalThis.API.data))["cmi.core.session_time"], /^\d{4}:\d\d:\d\d\.\d\d$/);
  assert.deepEqual([await later.evaluate(() => globalThis.API.faults), later.problems], [[], []]);
  await later.context().close();
});

test("a lesson with a list of origins answers these pages and no others", async () => {
  // One server under two names: two origins.
  const pages = join(place, "pages");
  mkdirSync(pages);
  const port = await host(pages);
  const lessons = join(place, "lessons");
  mkdirSync(lessons);
  writeFileSync(join(lessons, "b-4-same-device.md"), source.replace("minutes:", `origins: ["http://localhost:${port}"]\nminutes:`));
  const other = source.replace("id: same-device-rule", "id: elsewhere").replace("minutes:", 'origins: ["https://a.example"]\nminutes:');
  writeFileSync(join(lessons, "05-elsewhere.md"), other);
  const site = join(packed("guarded", lessons), "site");
  const server = `http://127.0.0.1:${await host(site)}/`;
  writeFileSync(
    join(pages, "host.html"),
    `<!doctype html><html lang="en"><title>host</title>
    <iframe src="${server}embed.html#lesson=${LESSON}" title="lesson" style="width:100%;height:700px"></iframe>
    <script>
      const { port1, port2 } = new MessageChannel();
      globalThis.heard = [];
      globalThis.ready = 0;
      globalThis.port = port1;
      port1.onmessage = ({ data }) => globalThis.heard.push(data.type);
      let ports = [port2];
      addEventListener("message", ({ source, data }) => {
        globalThis.ready += 1;
        const hello = { tensoryard: 1, type: "hello", id: 1, data: { theme: "dark", caps: ["output"] } };
        source.postMessage(hello, "${server}", ports.splice(0));
        port1.postMessage({ tensoryard: 1, type: "run", id: 2, data: {} });
      });
    </script>`,
  );
  const stranger = await visit(`http://127.0.0.1:${port}/host.html`);
  const poster = stranger.locator("iframe").contentFrame();
  await poster.getByRole("button", { name: "Start this lesson" }).waitFor();
  // It sends `ready` until it's answered or has sent it twenty times. This page doesn't answer.
  await stranger.waitForFunction(() => globalThis.ready >= 3);
  await stranger.waitForTimeout(1500);
  assert.deepEqual(await stranger.evaluate(() => globalThis.heard), []);
  assert.notEqual(await poster.locator("html").getAttribute("data-theme"), "dark");
  assert.equal(await poster.locator(".step-title").count(), 0, "the stranger has started the lesson");
  await stranger.context().close();

  const friend = await visit(`http://localhost:${port}/host.html`);
  await friend.waitForFunction(() => globalThis.heard.includes("resize"));
  const lesson = friend.locator("iframe").contentFrame();
  await lesson.locator("html[data-theme=dark]").waitFor({ state: "attached" });
  await lesson.locator(".step-title").waitFor({ timeout: 90_000 });
  await friend.waitForFunction(() => globalThis.heard.includes("output"), undefined, { timeout: 120_000 });
  // A lesson that only answers other pages isn't shown to this one.
  await friend.evaluate(() => {
    globalThis.heard.length = 0;
    globalThis.port.postMessage({ tensoryard: 1, type: "load", id: 3, data: { lesson: "elsewhere" } });
  });
  await lesson.getByText(`This lesson can't be embedded on http://localhost:${port}.`).waitFor();
  assert.equal(await lesson.locator(".step-title").count(), 0);
  const after = await friend.evaluate(() => globalThis.heard);
  assert.deepEqual(after.filter((type) => !["resize", "state"].includes(type)), []);
  assert.deepEqual([stranger.problems, friend.problems], [[], []]);
  await friend.context().close();
});

test("a lesson is in the page's language, with the same progress and the same program", async () => {
  const title = JSON.parse(readFileSync(join(dist, "lessons/index.json"), "utf8")).find(({ id }) => id === LESSON).titles.de;
  const page = await visit(`http://127.0.0.1:${await host(dist)}/index.html#/lesson/${LESSON}`);
  await page.getByRole("heading", { level: 1, name: "The same-device rule" }).waitFor({ timeout: 60_000 });
  const plain = page.getByLabel("Plain text");
  await plain.check();
  await page.getByLabel("Python program").fill("mine = 1\n");
  await page.locator(".steps button").last().click();
  await doStep(page);
  await page.locator(".steps li:last-child.done").waitFor();
  await page.locator(".steps button").first().click();
  await page.locator("select.language").selectOption("de");
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await page.locator(".steps li:last-child.done").waitFor();
  assert.equal(await page.getByLabel("Python-Programm").inputValue(), "mine = 1\n");
  // The results of checks are in German as well; the program and PyTorch's messages don't change.
  await page.locator("button.run").click();
  await page.getByText(/NameError/).first().waitFor({ timeout: 120_000 });
  // The traceback may be drawn before the run's end is known, and the checks are drawn with that.
  await page.locator(".checks li[data-state=failed]").first().waitFor({ timeout: 120_000 });
  const found = await page.locator(".checks li[data-state=failed] small").allInnerTexts();
  assert.ok(found.some((text) => /löst NameError aus: name 'total' is not defined/.test(text)), found.join("\n"));
  // In the middle of a step, only the language changes: run, yards, machine, step, answer and hints stay.
  await page.locator("#machine").selectOption("cuda:2");
  await page.locator(".workbench textarea").fill("import torch\nx = torch.ones(3, device='cuda:1')\nprint('printed')\n");
  await page.locator("button.run").click();
  await page.locator(".log .stdout").filter({ hasText: "printed" }).waitFor({ timeout: 120_000 });
  await page.locator(".output h2 small:not(:empty)").waitFor({ timeout: 120_000 });
  await page.locator(".block .name").filter({ hasText: /^x$/ }).waitFor();
  await page.locator(".question input").nth(1).check();
  await page.locator(".help button.quiet").click();
  const seen = () =>
    page.evaluate(() => {
      const text = (selector) => [...document.querySelectorAll(selector)].map((e) => e.innerText.trim());
      const values = (selector) => [...document.querySelectorAll(selector)].map((e) => e.checked ?? e.value);
      return {
        program: values(".workbench textarea, #machine"),
        answers: values(".question input"),
        printed: text(".log"),
        yards: text(".yard h3").concat(text(".block .name")),
        failed: text(".checks li[data-state=failed]").length,
        hints: text(".help > ol > li").length,
        step: document.querySelectorAll(".steps button[aria-current=step]").length && text(".steps button[aria-current=step] .number"),
      };
    });
  const before = await seen();
  assert.deepEqual([before.answers[1], before.hints, before.yards.includes("x"), before.program[0]], [true, 1, true, "cuda:2"]);
  assert.ok(before.failed > 0);
  await page.locator("select.language").focus();
  await page.locator("select.language").selectOption("en");
  await page.getByRole("heading", { level: 1, name: "The same-device rule" }).waitFor();
  await page.getByText("What is checked").waitFor();
  assert.deepEqual(await seen(), before);
  assert.ok(await page.evaluate(() => document.activeElement.matches("select.language")), "the focus is lost");
  // A running program continues.
  await page.locator(".workbench textarea").fill("while True:\n    pass\n");
  await page.locator("button.run").click();
  await page.locator("button.stop").waitFor();
  await page.locator("select.language").selectOption("de");
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await page.locator("button.stop").click();
  await page.locator("button.run").waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a preview reads the lesson anew when its file changes, and shows its faults", async () => {
  const own = join(place, "mine.md");
  const text = source.replace("id: same-device-rule", "id: mine").replace(/^requires:.*\n/m, "");
  writeFileSync(own, text);
  const preview = spawn(bin, ["lesson", "preview", own, "--dist", dist], { stdio: ["ignore", "pipe", "inherit"] });
  open.push(() => preview.kill());
  const said = await new Promise((found) => preview.stdout.once("data", (data) => found(String(data))));
  const page = await visit(said.match(/http:\S+/)[0]);
  await page.getByRole("heading", { level: 1, name: "The same-device rule" }).waitFor({ timeout: 60_000 });
  writeFileSync(own, text.replace("title: The same-device rule", "title: Another title"));
  await page.getByRole("heading", { level: 1, name: "Another title" }).waitFor({ timeout: 60_000 });
  writeFileSync(own, text.replace("```python starter", "```python strater"));
  await page.getByText("unknown role 'strater' of a python block").waitFor({ timeout: 60_000 });
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("the format's schema is published at its fixed path", () => {
  const own = readFileSync(new URL("../../www/schema/lesson-1.json", import.meta.url), "utf8");
  assert.equal(readFileSync(join(dist, "schema/lesson-1.json"), "utf8"), own);
});

test("a package has the lessons in the form that the page of this site has them", async () => {
  const out = packed("all", fileURLToPath(new URL("../../lessons", import.meta.url)));
  const read = (folder, path) => JSON.parse(readFileSync(join(folder, "lessons", path), "utf8"));
  const site = join(out, "site");
  assert.deepEqual(read(site, "index.json"), read(dist, "index.json"));
  const poster = `posters/${LESSON}.json`;
  assert.deepEqual(read(site, poster), read(dist, poster));
});
