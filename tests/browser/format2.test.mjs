// A lesson of format 2 that uses every block once: what a learner sees, does and gets, from its aim to the card at its end.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { violations } from "./axe.mjs";
import { eventually, finished, launch, open, ready, run, serve, write } from "./harness.mjs";

const file = (name) => readFileSync(new URL(`format2/${name}`, import.meta.url), "utf8");
const lesson = file("every-block.md");
const block = (role) => new RegExp(`^\`\`\`python ${role}[^\n]*\n(.*?)^\`\`\`$`, "ms").exec(lesson)[1];

// As the list of lessons gives them.
const SOLUTIONS = { "put-it-on-the-gpu": { copies: 1, waits: 1, peak_bytes: 512 } };

let server, browser, page;

/** Opens the lesson, as if it were the first one of the course. */
async function begin(options = {}) {
  const on = await open(browser, server.address, "#/about", options);
  on.setDefaultTimeout(60_000);
  await on.route("**/lessons/index.json*", async (route) => {
    const list = await (await route.fetch()).json();
    const entry = { id: "every-block", file: "every-block.md", title: "Every block once", part: "a", minutes: 8, titles: {}, solutions: SOLUTIONS };
    await route.fulfill({ json: [entry, ...list] });
  });
  await on.route("**/lessons/every-block.md*", (route) => route.fulfill({ contentType: "text/markdown", body: lesson }));
  await on.route("**/lessons/glossary.json*", (route) => route.fulfill({ json: JSON.parse(file("glossary.json")) }));
  await on.route("**/lessons/files/*", (route) =>
    route.fulfill({ contentType: "image/svg+xml", body: file(`files/${new URL(route.request().url()).pathname.split("/").at(-1)}`) }),
  );
  await on.evaluate(() => (location.hash = "#/lesson/every-block"));
  await on.reload();
  await on.locator(".step-title").waitFor();
  await ready(on);
  return on;
}

before(async () => {
  server = await serve();
  browser = await launch({ webgpu: false });
  page = await begin();
});
after(async () => {
  await browser?.close();
  server?.close();
});

const kept = (on = page) => on.evaluate(() => JSON.parse(localStorage.getItem("tensoryard.progress.every-block")));
const choose = (text) => page.locator(".question label").filter({ hasText: text }).locator("input").check();
const next = () => page.getByRole("button", { name: "Next step" }).click();
const atEnd = (on = page) =>
  on.waitForFunction(() => Number(document.querySelector(".playhead input").value) === Number(document.querySelector(".playhead input").max));

test("a lesson says what it is for, draws its diagram and figure, and opens its terms by keyboard", async () => {
  assert.match(await page.locator(".aim").innerText(), /^After this you can say what each block of a lesson looks like\. 8 min$/);
  assert.deepEqual(await page.locator(".steps .optional small").allInnerTexts(), ["optional"]);
  const diagram = page.getByRole("img", { name: "Two names, two tensors, one storage on the GPU" });
  assert.deepEqual(await diagram.locator(".label").allTextContents(), ["x", "y", "2 × 3", "3 × 2, transposed", "24 bytes"]);
  assert.equal(await diagram.locator(".arrow").count(), 4);
  assert.equal(await diagram.locator(".storage").getAttribute("data-accent"), "cuda0");
  // The image fits the page's colors.
  const shown = () => page.locator("figure.picture img:visible").evaluateAll((all) => all.map((i) => i.getAttribute("src")));
  await eventually(shown, ["lessons/files/storage.svg"]);
  await page.emulateMedia({ colorScheme: "dark" });
  // It's fetched only now.
  await eventually(shown, ["lessons/files/storage.dark.svg"]);
  assert.deepEqual(await violations(page, { coloursOnly: true }), []);
  await page.emulateMedia({ colorScheme: "light" });

  const term = page.getByRole("button", { name: "shape", exact: true });
  assert.equal(await term.getAttribute("aria-expanded"), "false");
  await term.press("Enter");
  const meaning = page.locator(".meaning");
  await meaning.getByText("The size of a tensor along each of its dimensions").waitFor();
  assert.equal(await term.getAttribute("aria-expanded"), "true");
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("Escape");
  assert.equal(await meaning.count(), 0);
  assert.ok(await term.evaluate((e) => e === document.activeElement));
  // Only one is open, also without Escape.
  await term.press("Enter");
  await page.getByRole("button", { name: "dtype", exact: true }).click();
  await meaning.getByText("The type of a tensor's numbers").waitFor();
  assert.equal(await meaning.count(), 1);
  await page.locator("h1").click();
  assert.equal(await meaning.count(), 0);
});

test("a look is done when it has run, shows what was to be seen, and points at its copy", async () => {
  assert.equal(await page.locator(".steps li.done").count(), 0);
  await choose("none");
  await page.getByText("Your answer is saved. Run the program").waitFor();
  assert.equal(await page.locator(".seen").count(), 0);
  await run(page);
  await page.locator(".question").getByText("Not what you predicted").waitFor();
  assert.match(await page.locator(".seen").innerText(), /^What you just saw\n\s*One box crossed the link/);
  assert.match(await page.locator(".pointing p").innerText(), /^Look at Devices: each block is a tensor.*right after copy 1/);
  await page.locator(".devices.pointed .lane.down.pointed").waitFor();
  // The playhead goes to the moment of the copy: the one back hasn't happened.
  const copied = (lane) => page.locator(`.lane.${lane} .totals`).innerText();
  await eventually(async () => /1 copy/.test(await copied("up")), false, "the copy back is shown");
  assert.match(await copied("down"), /1 copy/);
  assert.deepEqual((await kept()).done, ["a-tensor-has-a-shape"]);
  await page.waitForFunction(() => !document.querySelector(".mover"));
  assert.deepEqual(await violations(page), []);
});

test("a quiz is done when it is answered right", async () => {
  await next();
  await choose("five");
  await page.getByText("Not quite").waitFor();
  assert.equal(await page.locator(".steps li.done").count(), 1);
  await choose("six");
  await page.locator(".question").getByText("Right.").waitFor();
  assert.equal(await page.locator(".steps li.done").count(), 2);
});

test("a panel that is a tab is opened, and the block that the text speaks of is highlighted", async () => {
  await next();
  assert.equal(await page.locator(".pointed").count(), 0);
  await run(page);
  await page.locator(".block.pointed").waitFor();
  assert.match(await page.locator(".block.pointed").innerText(), /^big/);
  assert.equal(await page.getByRole("tab", { name: "Memory map" }).getAttribute("aria-selected"), "true");
  assert.ok(await page.locator(".panels.pointed").isVisible());
});

test("an exercise shows its checks after the guess, scores nothing untouched, and less with each hint", async () => {
  await next();
  assert.equal(await page.locator(".checks li").count(), 0);
  assert.match(await page.locator(".checks").innerText(), /Answer the question above first/);
  await choose("on the CPU");
  assert.equal(await page.locator(".checks li").count(), 3);
  await run(page);
  await page.locator(".question").getByText("Just as you predicted.").waitFor();
  const points = page.locator(".points");
  assert.equal(await points.innerText(), "Score: 0% · 1 attempt");
  assert.deepEqual(await page.locator(".checks li").evaluateAll((all) => all.map((li) => li.dataset.state)), ["failed", "failed", "passed"]);
  await page.getByRole("button", { name: "Show a hint (1 of 2)" }).click();
  await write(page, block("solution"));
  await run(page);
  await page.locator(".why").waitFor();
  assert.equal(await points.innerText(), "Score: 90% · 2 attempts · 1 hint");
  const { first, last, ...work } = (await kept()).work["put-it-on-the-gpu"];
  assert.deepEqual(work, { best: 90, attempts: 2, cost: { copies: 1, waits: 1, peak: 512 } });
  assert.ok(Date.now() / 1000 - 600 < first && first <= last, `runs at ${first} and ${last}, in seconds`);
  // A worse run takes nothing away, and neither does what is opened after passing.
  await page.getByText("Show a solution").click();
  await write(page, block("starter"));
  await run(page);
  assert.equal(await points.innerText(), "Score: 0% · your best: 90% · 3 attempts · 1 hint");
  assert.equal((await kept()).work["put-it-on-the-gpu"].solution, undefined);
  await page.waitForFunction(() => !document.querySelector(".mover"));
  assert.deepEqual(await violations(page), []);
});

test("the card at the end says what the learner can do, what to remember and what is next", async () => {
  await next();
  const card = page.locator(".closing");
  // Every step that counts is done; the last one is optional.
  await card.waitFor();
  assert.equal(await card.locator("h2").innerText(), "You can now say what each block of a lesson looks like.");
  assert.deepEqual(await card.locator(".objectives li").evaluateAll((all) => all.map((li) => li.dataset.state)), ["passed", "passed"]);
  assert.equal(await card.locator(".remember li").count(), 3);
  const rows = await card.locator("tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((c) => c.innerText)));
  assert.deepEqual(rows, [
    ["Put it on the GPU · 3 attempts · 1 hint"],
    ["you", "90%", "1", "1", "512 B"],
    ["solution", "–", "1", "1", "512 B"],
  ]);
  assert.deepEqual(await violations(page), []);
  await page.emulateMedia({ colorScheme: "dark" });
  assert.deepEqual(await violations(page, { coloursOnly: true }), []);
  await page.emulateMedia({ colorScheme: "light" });
  assert.equal((await kept()).steps, 4);
  await run(page);
  assert.deepEqual((await kept()).beyond, ["going-further"]);
  assert.equal((await kept()).done.length, 4);
  const onward = card.getByRole("link", { name: /^Next: / });
  const title = (await onward.innerText()).replace("Next: ", "");
  await onward.click();
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  assert.deepEqual(page.problems, []);
});

test("a change of language counts nothing twice, and a solution opened first leaves half", async () => {
  const own = await begin({ reducedMotion: "reduce" });
  await own.locator(".steps button").nth(3).click();
  await own.getByText("Show a solution").click();
  await own.getByRole("button", { name: "Put it into the editor" }).click();
  await run(own);
  assert.equal(await own.locator(".points").innerText(), "Score: 50% · 1 attempt");
  await own.locator(".language").selectOption("de");
  await own.getByText("Punkte: 50 % · 1 Versuch").waitFor();
  assert.equal((await kept(own)).work["put-it-on-the-gpu"].attempts, 1);
  await own.locator(".language").selectOption("en");
  // The card waits for the steps that are open, and leads to them.
  await own.locator(".steps button").nth(4).click();
  assert.equal(await own.locator(".closing").count(), 0);
  await run(own);
  assert.equal(await own.locator(".closing h2").innerText(), "Almost done");
  await own.locator(".closing").getByRole("button", { name: "What a shape says" }).click();
  await own.locator(".step-title").getByText("What a shape says").waitFor();
  assert.deepEqual(own.problems, []);
  await own.context().close();
});

test("on a narrow screen the page moves to what is pointed at only when asked", async () => {
  const own = await begin({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });
  await own.locator(".steps button").nth(2).click();
  await own.locator("button.run").scrollIntoViewIfNeeded();
  const top = () => own.evaluate(() => Math.round(scrollY));
  const before = await top();
  await own.locator("button.run").click();
  await finished(own);
  await atEnd(own);
  await own.waitForTimeout(300);
  assert.equal(await top(), before);
  await own.getByRole("button", { name: "Show me" }).click();
  await own.waitForFunction(() => {
    const { top, bottom } = document.querySelector(".block.pointed").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  await eventually(() => own.evaluate(() => document.activeElement.closest(".block.pointed") !== null), true, "the focus is elsewhere");
  assert.equal(await own.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
  assert.deepEqual(await violations(own), []);
  assert.deepEqual(own.problems, []);
  await own.context().close();
});

test("the glossary lists every word, in the page's language where it has it", async () => {
  const own = await begin();
  await own.locator(".foot-bar").getByRole("link", { name: "Glossary" }).click();
  await own.locator(".glossary dt").first().waitFor();
  assert.deepEqual(await own.locator(".glossary dt").allInnerTexts(), ["dtype", "shape"]);
  assert.deepEqual(await violations(own), []);
  await own.locator(".language").selectOption("de");
  await own.getByText("Die Größe eines Tensors in jeder Richtung.", { exact: true }).waitFor();
  // A translated word stands in its place of the alphabet, one without a translation in English.
  assert.deepEqual(await own.locator(".glossary dt").allInnerTexts(), ["dtype", "Form"]);
  await own.context().close();
});
