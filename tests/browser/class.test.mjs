// The class page: what learners' own files say, 200 of them at once, and what isn't a learner's file.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { violations } from "./axe.mjs";
import { launch, open, ready, run, serve } from "./harness.mjs";

const folder = fileURLToPath(new URL("../../lessons/", import.meta.url));
// The first exercise of each lesson: its id as the list of lessons has it.
const solutions = JSON.parse(readFileSync(`${folder}index.json`, "utf8")).map(({ id, solutions }) => [id, Object.keys(solutions)[0]]);
const exercises = solutions.filter(([, step]) => step);

let server, browser;
before(async () => {
  server = await serve();
  browser = await launch({ webgpu: false });
});
after(async () => {
  await browser?.close();
  server?.close();
});

const json = (name, content) => ({ name, mimeType: "application/json", buffer: Buffer.from(content) });
const exported = (kept) => JSON.stringify({ tensoryard: 1, kept: Object.fromEntries(Object.entries(kept).map(([k, v]) => [k, JSON.stringify(v)])) });

/** A learner who did some lessons and is stuck in the next one, by a random walk that is the same each time. */
function learner(number) {
  let seed = number * 2654435761 % 4294967296;
  const random = (most) => (seed = (seed * 1664525 + 1013904223) % 4294967296) % most;
  const kept = {};
  const began = 1_790_000_000 + random(1_000_000);
  const far = 1 + random(exercises.length - 1);
  for (let i = 0; i <= far; i += 1) {
    const [lesson, step] = exercises[i];
    const done = i < far || random(3) === 0;
    kept[`progress.${lesson}`] = {
      done: done ? [step] : [], steps: 4, at: 1, hints: { [step]: random(3) },
      work: { [step]: { best: done ? 100 : 40, attempts: 3 + random(6), failed: { [random(3)]: 1 + random(4) }, rules: { [`D0${1 + random(9)}`]: 2 }, first: began + 3600 * i, last: began + 3600 * i + 600 } },
    };
    kept[`code.lesson.${lesson}.${step}`] = "import torch\n".repeat(40);
  }
  const file = { tensoryard: 1, kept: {} };
  for (const [key, value] of Object.entries(kept)) file.kept[key] = typeof value === "string" ? value : JSON.stringify(value);
  return json(`learner-${String(number).padStart(3, "0")}.json`, JSON.stringify(file));
}

const table = (page, id) => page.locator(`section[aria-labelledby=${id}]`);
const cells = async (page, id, column) =>
  table(page, id).locator(`tbody tr > :nth-child(${column})`).evaluateAll((all) => all.map((cell) => cell.innerText.trim()));

test("what a learner did is in their own file, and on the class page", async () => {
  const page = await open(browser, server.address, "#/lesson/same-device-rule");
  page.setDefaultTimeout(90_000);
  await ready(page);
  await page.locator(".step-title").waitFor();
  // The untouched starter says nothing about a learner.
  await run(page);
  const plain = page.getByLabel("Plain text");
  if (!(await plain.isChecked())) await plain.check();
  const box = page.locator(".workbench textarea");
  const starter = await box.inputValue();
  for (const comment of ["# one\n", "# two\n", "# three\n"]) {
    await box.fill(comment + starter);
    await run(page);
  }
  await page.goto(`${server.address}#/lessons`);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save to a file" }).click()]);
  const content = readFileSync(await saved.path());
  const work = JSON.parse(JSON.parse(content).kept["progress.same-device-rule"]).work["two-tensors-two-devices"];
  assert.equal(work.attempts, 4);
  assert.equal(work.rules.D01, 3);
  assert.ok(Object.values(work.failed).every((runs) => runs === 3) && Object.keys(work.failed).length > 0, JSON.stringify(work));
  assert.ok(work.last >= work.first && work.first > 1_700_000_000);

  await page.goto(`${server.address}#/class`);
  await page.locator(".drop input").setInputFiles({ name: "ann.json", mimeType: "application/json", buffer: content });
  await page.getByText("1 file read in").waitFor();
  await page.getByText("The same-device rule · Two tensors, two devices").first().waitFor();
  assert.deepEqual(await cells(page, "class-learners", 1), ["ann"]);
  assert.match((await cells(page, "class-learners", 6))[0], /The same-device rule/);
  await page.getByText(/The most common mistake: D01 .+\(1 of 1 learners\)/).waitFor();
  assert.equal(await table(page, "class-mistakes").getByRole("link").getAttribute("href"), "rules.html#d01");
  await page.locator("select.language").selectOption("de");
  await page.getByText("D01 Tensoren auf zwei Geräten in einer Operation").first().waitFor();
  await page.locator("select.language").selectOption("en");
  // Nothing is kept: neither by the page's own storage nor after it was loaded again.
  const stored = await page.evaluate(() => Object.keys(localStorage).filter((key) => /class|ann/.test(key)));
  assert.deepEqual(stored, []);
  await page.reload();
  await page.locator(".drop").waitFor();
  assert.equal(await table(page, "class-learners").count(), 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("200 learners at once, sorted, saved as CSV; bad files are named and take nothing away", async (t) => {
  const page = await open(browser, server.address, "#/class");
  page.setDefaultTimeout(60_000);
  await page.locator(".drop").waitFor();
  const files = Array.from({ length: 198 }, (_, number) => learner(number));
  const began = Date.now();
  await page.locator(".drop input").setInputFiles(files);
  await page.getByText(/^198 files read in/).waitFor();
  await page.locator("#class-exercises").waitFor();
  await page.getByText("The same-device rule · Two tensors, two devices").first().waitFor();
  t.diagnostic(`${Date.now() - began} ms from the drop of 198 files to the tables; the page says: ${await page.locator(".drop [role=status]").innerText()}`);
  assert.equal((await cells(page, "class-learners", 1)).length, 198);
  const rows = await cells(page, "class-exercises", 1);
  assert.ok(rows.length > exercises.length / 2 && rows.length <= exercises.length, `${rows.length} of ${exercises.length}`);
  // By their titles, not by their ids.
  assert.deepEqual(rows.filter((row) => exercises.some(([lesson]) => row.startsWith(`${lesson} ·`))), []);

  // Sorting, by mouse and by keyboard, in both directions.
  const head = table(page, "class-exercises").getByRole("button", { name: "Ran it" });
  await head.click();
  const numbers = async () => (await cells(page, "class-exercises", 2)).map(Number);
  assert.deepEqual(await numbers(), [...(await numbers())].sort((a, b) => a - b));
  await head.press("Enter");
  assert.deepEqual(await numbers(), [...(await numbers())].sort((a, b) => b - a));
  assert.equal(await table(page, "class-exercises").locator("th[aria-sort]").getAttribute("aria-sort"), "descending");

  const [saved] = await Promise.all([page.waitForEvent("download"), table(page, "class-learners").getByRole("button", { name: "Save as CSV" }).click()]);
  const lines = readFileSync(await saved.path(), "utf8").trimEnd().split("\r\n");
  assert.equal(lines.length, 199);
  assert.equal(lines[0], '\ufeff"Learner","Steps done","Runs","Hints","Last run","Stuck at","Since","Failed checks"');

  // Whatever is dropped by mistake or on purpose.
  const bad = [
    json("photo.json", "\u0000\u0001PNG"),
    json("list.json", "[1, 2]"),
    json("newer.json", '{"tensoryard": 2, "kept": {}}'),
    json("empty.json", '{"tensoryard": 1, "kept": {}}'),
    json("deep.json", `{"tensoryard":1,"kept":${"[".repeat(50_000)}`),
    json("<img src=x onerror=alert(1)>.json", "{}"),
    json("large.json", " ".repeat(5 << 20)),
    learner(7),
    json("=HYPERLINK(1).json", exported({ "progress.same-device-rule": { done: ["<b>x</b>"], steps: 2, at: 1, work: { "two-tensors-two-devices": { attempts: 4e9, rules: { "<script>": 1, D02: 4e9 } } } } })),
    learner(500),
    learner(501),
  ];
  await page.locator(".drop input").setInputFiles(bad);
  await page.getByText("9 files skipped:").waitFor();
  const skipped = await page.locator(".skipped li").allInnerTexts();
  assert.deepEqual(skipped, [
    "photo.json: not a progress file, or damaged",
    "list.json: not a progress file, or damaged",
    "newer.json: not a progress file, or damaged",
    "empty.json: no lesson was begun",
    "deep.json: not a progress file, or damaged",
    "<img src=x onerror=alert(1)>.json: not a progress file, or damaged",
    "large.json: larger than 4 MiB",
    "learner-007.json: is here already",
    "learner-501.json: this page reads 200 files at most",
  ]);
  assert.equal((await cells(page, "class-learners", 1)).length, 200);
  assert.equal(await page.locator("main script, main img").count(), 0);

  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await violations(page), [], `${width} pixels`);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)) <= 0, `${width} pixels`);
  }
  // Another language keeps the class.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.locator("select.language").selectOption("de");
  await page.getByRole("heading", { name: "Deine Klasse" }).waitFor();
  assert.equal((await cells(page, "class-learners", 1)).length, 200);
  await page.getByRole("button", { name: "Alle entfernen" }).click();
  assert.equal(await table(page, "class-learners").count(), 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
