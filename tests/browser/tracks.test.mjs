// The tracks: every bug and every puzzle of this site is worked through from its list, and six small ones show each state.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { violations } from "./axe.mjs";
import { finished, launch, open, ready, run, serve, view, write } from "./harness.mjs";

/** A bug's or a puzzle's file, with what a learner has to do. */
function read(folder, file) {
  const text = readFileSync(new URL(file, folder), "utf8");
  const front = (key) => new RegExp(`^${key}: (.*)$`, "m").exec(text)?.[1].replace(/^"(.*)"$/, "$1");
  const program = (role) => new RegExp(`^\`\`\`python ${role}[^\n]*\n(.*?)^\`\`\`$`, "ms").exec(text)[1];
  const find = /^```find\nlines?: \[?([\d, ]+)\]?$/m.exec(text);
  return {
    text,
    file,
    id: front("id"),
    track: front("track"),
    level: Number(front("level")),
    title: front("title"),
    minutes: Number(front("minutes")),
    starter: program("starter"),
    solution: program("solution"),
    lines: find ? find[1].split(",").map(Number) : [],
  };
}

function all(folder) {
  const of = (track) => {
    try {
      return readdirSync(new URL(`${track}/`, folder)).filter((name) => name.endsWith(".md")).sort().map((name) => read(folder, `${track}/${name}`));
    } catch {
      return [];
    }
  };
  return { debug: of("debug"), puzzles: of("puzzles") };
}

const site = all(new URL("../../lessons/", import.meta.url));
const small = all(new URL("../format2/", import.meta.url));
const SOLUTIONS = { "fill-it-without-a-loop": { copies: 0, waits: 0, kernels: 3, peak_bytes: 1536 } };

let server, browser;
before(async () => {
  server = await serve();
  browser = await launch({ webgpu: false });
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Opens the page with these lessons in its list, whatever was built. */
async function begin(lessons, hash, options = {}) {
  const on = await open(browser, server.address, "#/about", { reducedMotion: "reduce", ...options });
  on.setDefaultTimeout(60_000);
  await on.route("**/lessons/index.json*", async (route) => {
    const list = await (await route.fetch()).json();
    const entry = ({ id, file, title, minutes, track, level }) => ({ id, file, title, minutes, track, level, titles: {}, solutions: SOLUTIONS });
    await route.fulfill({ json: [...list.filter((other) => !other.track), ...lessons.map(entry)] });
  });
  for (const { file, text } of lessons) {
    await on.route(`**/lessons/${file}*`, (route) => route.fulfill({ contentType: "text/markdown", body: text }));
  }
  await on.evaluate((to) => (location.hash = to), hash);
  await on.reload();
  await on.locator(".track-done").waitFor();
  await ready(on);
  return on;
}

const kept = (on, id) => on.evaluate((of) => JSON.parse(localStorage.getItem(`tensoryard.progress.${of}`)), id);
const work = async (on, id) => Object.values((await kept(on, id)).work)[0];
const focused = (on, selector) => on.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);

/** What is wrong with the page in light and dark, wide and narrow. */
async function seen(on, state) {
  const wrong = [];
  for (const width of [1440, 390]) {
    await on.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"]) {
      await on.emulateMedia({ colorScheme });
      for (const fault of await violations(on, { coloursOnly: colorScheme === "dark" })) wrong.push(`${state}, ${width}, ${colorScheme}: ${fault}`);
    }
    const [scroll, client] = await on.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    if (scroll > client) wrong.push(`${state}, ${width}: scrolls sideways`);
  }
  await on.emulateMedia({ colorScheme: "light" });
  await on.setViewportSize({ width: 1440, height: 900 });
  return wrong;
}

const look = async (on, state) => assert.deepEqual(await seen(on, state), []);

test("a bug is searched, run and mended by keyboard", { timeout: 600_000 }, async () => {
  const [bug, second] = small.debug;
  const page = await begin(small.debug, "#/debug");
  assert.equal(await page.locator("h1").innerText(), "Debug this");
  assert.equal(await page.locator(".track-done").innerText(), "0 of 3 done");
  assert.deepEqual(await page.locator(".part h2").allInnerTexts(), ["Easy", "Medium", "Hard"]);
  await look(page, "list");
  await page.getByRole("link", { name: `Start: ${bug.title}` }).click();
  await page.locator(".find").waitFor();
  assert.match(await page.locator(".crumbs").innerText(), /^Debug this · Easy$/);
  // Before the line is named nothing runs, and the checks' labels wait.
  assert.equal(await page.locator(".workbench").count(), 0);
  assert.equal(await page.locator(".checks li").count(), 0);
  await look(page, "search");
  // Each line says its number and what it is. The arrow keys pass over empty ones.
  const lines = page.locator(".find-lines button");
  assert.equal(await page.locator(".find-lines li").count(), bug.starter.trimEnd().split("\n").length);
  assert.equal(await page.locator('.find-lines [tabindex="0"]').count(), 1);
  await lines.first().focus();
  await page.keyboard.press("ArrowDown");
  await focused(page, "#find-3");
  await page.keyboard.press("End");
  await focused(page, "#find-9");
  await page.keyboard.press("Home");
  await focused(page, "#find-1");
  await page.keyboard.press("ArrowUp");
  await focused(page, "#find-1");
  for (let i = 0; i < 2; i += 1) await page.keyboard.press("ArrowDown");
  await focused(page, "#find-4");
  assert.equal(await page.getByRole("button", { name: "Line 4: prices = torch.rand(8)" }).count(), 1);
  await page.keyboard.press("Enter");
  const said = page.locator(".found[role=status]");
  await said.getByText("It isn't line 4. · 1 wrong line").waitFor();
  // The same line again takes nothing more.
  await page.keyboard.press("Enter");
  assert.deepEqual((await work(page, bug.id)).search, { wrong: [4] });
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await said.getByText("Yes, it's line 5. · 1 wrong line").waitFor();
  await said.getByText("returns a new tensor").waitFor();
  await focused(page, ".found");
  await look(page, "found");
  // Now it runs as usual.
  await run(page);
  assert.deepEqual(await page.locator(".checks li").evaluateAll((list) => list.map((li) => li.dataset.state)), ["failed", "failed"]);
  assert.match(await page.locator(".points").innerText(), /^Score: 0% · 1 attempt · 1 wrong line$/);
  await page.getByRole("button", { name: "Show a hint (1 of 2)" }).click();
  await write(page, bug.solution);
  await run(page);
  await page.locator(".why").waitFor();
  assert.match(await page.locator(".points").innerText(), /^Score: 80% · 2 attempts · 1 hint · 1 wrong line$/);
  await look(page, "mended");
  // It's kept, and the search isn't asked for again.
  await page.reload();
  await page.locator(".workbench").waitFor();
  await said.getByText("Yes, it's line 5.").waitFor();
  await page.getByRole("link", { name: `Next: ${second.title}` }).click();
  await page.locator(".find-lines").waitFor();
  // Shown, and run at once.
  await ready(page);
  await page.getByRole("button", { name: "I don't know: show me" }).click();
  await said.getByText("It's line 7 or 9.").waitFor();
  await finished(page);
  await write(page, second.solution);
  await run(page);
  await page.locator(".why").waitFor();
  assert.match(await page.locator(".points").innerText(), /^Score: 70% · 2 attempts · line shown$/);
  // The list knows, and the last one leads back to it.
  await page.locator(".onward a").first().click();
  assert.equal(await page.locator(".track-done").innerText(), "2 of 3 done");
  assert.deepEqual(await page.locator(".lessons .state").allInnerTexts(), ["done, 80%", "done, 70%", `${small.debug[2].minutes} min`]);
  await page.getByRole("link", { name: `Continue: ${small.debug[2].title}` }).waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a puzzle shows its budget beside the last run, the best and the solution", { timeout: 600_000 }, async () => {
  const [puzzle] = small.puzzles;
  const page = await begin(small.puzzles, "#/puzzles");
  await page.getByRole("link", { name: `Start: ${puzzle.title}` }).click();
  await page.locator(".budget").waitFor();
  const rows = () => page.locator(".budget tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  const none = ["–", "–", "–", "–"];
  const solution = ["solution", "0", "0", "3", "1.50 KiB"];
  assert.deepEqual(await rows(), [["Budget", "–", "–", "≤ 3", "–"], ["last run", ...none], ["your best", ...none], solution]);
  await run(page);
  // Too many kernels: that is no best.
  let [, last, best] = await rows();
  assert.ok(Number(last[3]) > 3, last.join());
  assert.deepEqual(best.slice(1), none);
  await look(page, "over budget");
  // Printing takes copies, waits and kernels, and isn't counted.
  await write(page, `${puzzle.solution}print(table)\n`);
  await run(page);
  await page.locator(".why").waitFor();
  [, last, best] = await rows();
  assert.deepEqual(last.slice(1, 4), ["0", "0", "3"]);
  assert.deepEqual(best.slice(1), last.slice(1));
  // A later run over the budget takes nothing away.
  await write(page, puzzle.starter);
  await run(page);
  assert.deepEqual((await rows())[2], best);
  assert.equal((await work(page, puzzle.id)).least.kernels, 3);
  await page.locator(".onward a").first().click();
  await page.getByText("Your best: copies 0, waits 0, kernels 3").waitFor();
  await look(page, "list with a best");
  // One line on the course's page and on the home page leads here.
  for (const hash of ["#/lessons", "#/"]) {
    await view(page, hash);
    await page.locator(".beside a", { hasText: "Tensor puzzles" }).waitFor();
  }
  // The course goes on where it was: its lists don't have the tracks' lessons.
  assert.equal(await page.getByRole("link", { name: puzzle.title, exact: true }).count(), 0);
  // In German, with the same work.
  await view(page, "#/puzzles");
  await page.locator("select.language").selectOption("de");
  await page.getByText("Dein Bestes: Kopien 0").waitFor();
  assert.equal(await page.locator("h1").innerText(), "Tensor-Rätsel");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

for (const track of ["debug", "puzzles"]) {
  test(`every lesson of the track ${track} of this site is worked through`, { timeout: 3_600_000, skip: site[track].length === 0 }, async () => {
    const lessons = site[track];
    const page = await begin(lessons, `#/${track}`);
    await page.locator("a.button.primary").click();
    const failed = [];
    let looked = 0;
    for (const [number, lesson] of lessons.entries()) {
      await page.getByRole("heading", { level: 1, name: lesson.title, exact: true }).waitFor();
      if (track === "debug") {
        const wrong = lesson.starter.split("\n").findIndex((line, at) => line.trim() && !lesson.lines.includes(at + 1)) + 1;
        await page.locator(`#find-${wrong}`).click();
        await page.locator(".found").getByText(`It isn't line ${wrong}.`).waitFor();
        await page.locator(`#find-${lesson.lines.at(-1)}`).click();
      }
      await page.locator(".workbench").waitFor();
      await run(page);
      const states = await page.locator(".checks li").evaluateAll((all) => all.map((li) => li.dataset.state));
      if (!states.includes("failed")) failed.push(`${lesson.file}: the untouched program passes`);
      await page.getByRole("button", { name: /^Show a hint \(1 of/ }).click();
      await write(page, lesson.solution);
      await run(page);
      const still = await page.locator(".checks li:not([data-state=passed])").allInnerTexts();
      if (still.length > 0) failed.push(`${lesson.file}: ${still.join("; ")}\n${await page.locator(".output").innerText()}`);
      const { best } = await work(page, lesson.id);
      if (best !== (track === "debug" ? 80 : 90)) failed.push(`${lesson.file}: the score is ${best}`);
      const began = Date.now();
      failed.push(...(await seen(page, `${lesson.file}, solved`)));
      looked += Date.now() - began;
      if (number + 1 < lessons.length) await page.locator(".onward a.button").click();
    }
    console.log(`axe: ${lessons.length} solved, wide and narrow, light and dark, ${(looked / 1000).toFixed(1)} s`);
    assert.deepEqual(failed, []);
    await page.locator(".onward a").first().click();
    // Waits until the list is drawn; the count would not.
    assert.equal(await page.locator(".track-done").innerText(), `${lessons.length} of ${lessons.length} done`);
    assert.equal(await page.locator(".lessons li.done").count(), lessons.length);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}
