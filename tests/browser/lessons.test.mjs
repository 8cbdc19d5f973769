// Every lesson, from the list to its last step, by keyboard alone. Issue 4.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch, open, ready, serve } from "./harness.mjs";

const folder = new URL("../../lessons/", import.meta.url);

/** A lesson file's title and steps: of each the right answers and the solution. */
function read(file) {
  const text = readFileSync(new URL(file, folder), "utf8");
  const [head, ...steps] = text.split(/^## /m);
  return {
    title: /^title: (.*)$/m.exec(head)[1].replace(/^"(.*)"$/, "$1"),
    steps: steps.map((step) => ({
      answers: [...step.matchAll(/^```(?:predict|quiz)\n(.*?)^```$/gms)].map(([, question]) => {
        const options = question.slice(0, question.search(/^because:/m)).split(/^ *- text:/m).slice(1);
        return options.findIndex((option) => /^ *correct: true$/m.test(option));
      }),
      solution: /^```python solution[^\n]*\n(.*?)^```$/ms.exec(step)?.[1],
    })),
  };
}

const lessons = readdirSync(folder).filter((name) => /^\d\d-.*\.md$/.test(name)).sort().map(read);

let server, browser, page;
before(async () => {
  server = await serve();
  // On the processor, without replays: this is about the page, and 53 programs have to take minutes only.
  browser = await launch({ webgpu: false });
});
after(async () => {
  await browser?.close();
  server?.close();
});

const press = (key) => page.keyboard.press(key);

/** Presses Tab (or Shift+Tab) until the focus is where `selector` says; `n` counts the places that it matches. */
async function tabTo(selector, { n = 0, back = false } = {}) {
  for (let i = 0; i < 150; i += 1) {
    const [there, editor] = await page.evaluate(
      ([wanted, at]) => {
        const focused = document.activeElement;
        return [focused === document.querySelectorAll(wanted)[at], focused?.localName === "code-editor"];
      },
      [selector, n],
    );
    if (there) return;
    // In the editor Tab indents, until Escape.
    if (editor) await press("Escape");
    await press(back ? "Shift+Tab" : "Tab");
  }
  assert.fail(`no Tab leads to ${selector}, number ${n}`);
}

/** Chooses the answers of a step's questions: a group of radio buttons is one stop, the arrows move within it. */
async function answer(answers) {
  for (const [n, right] of answers.entries()) {
    assert.ok(right >= 0, "a question without a right answer");
    const group = `.question:nth-of-type(1n) input`;
    const names = await page.locator(group).evaluateAll((all) => [...new Set(all.map((input) => input.name))]);
    await tabTo(`input[name="${names[n]}"]`);
    await press("Space");
    for (let i = 0; i < right; i += 1) await press("ArrowDown");
    await page.waitForFunction(
      ([name, at]) => document.querySelectorAll(`input[name="${name}"]`)[at].checked,
      [names[n], right],
    );
  }
}

test("twenty lessons are completed by keyboard alone", { timeout: 600_000 }, async () => {
  assert.equal(lessons.length, 20);
  page = await open(browser, server.address, "", { reducedMotion: "reduce" });
  page.setDefaultTimeout(60_000);
  await tabTo(".bar nav a");
  await press("Enter");
  const failed = [];
  for (const [number, lesson] of lessons.entries()) {
    const began = Date.now();
    const first = lesson.steps.findIndex((step) => step.solution);
    await page.locator(".lessons a").nth(number).waitFor();
    await tabTo(".lessons a", { n: number });
    await press("Enter");
    await page.locator(".step-title").waitFor();
    for (const [at, { answers, solution }] of lesson.steps.entries()) {
      await page.locator(`.steps li:nth-child(${at + 1}) button[aria-current=step]`).waitFor();
      await answer(answers);
      if (solution) {
        // The first step of all says that a plain field will do; the browser remembers it.
        if (!(await page.getByLabel("Plain text").isChecked())) {
          await tabTo(".editor .foot input");
          await press("Space");
          await tabTo(".editor textarea", { back: true });
        }
        await tabTo(".editor textarea");
        await press("Control+a");
        // Key by key for a lesson's first program; its others at once, as from a clipboard.
        if (at === first) await page.keyboard.type(solution);
        else await page.keyboard.insertText(solution);
        await press("Control+Enter");
        await page.waitForFunction(() => document.querySelector(".output h2 small")?.textContent, undefined, { timeout: 120_000 });
        const open = await page.locator(".checks li:not([data-state=passed])").allInnerTexts();
        if (open.length > 0) {
          failed.push(`${lesson.title}, step ${at + 1}: ${open.join("; ")}\n${await page.locator(".output").innerText()}`);
        } else await page.locator(".why").waitFor();
      }
      if (at + 1 < lesson.steps.length) {
        await tabTo(".onward button:last-child");
        await press("Enter");
      }
    }
    const done = await page.locator(".steps li.done").count();
    if (done !== lesson.steps.length) failed.push(`${lesson.title}: ${done} of ${lesson.steps.length} steps are done`);
    console.log(`${lesson.title}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
    await tabTo(".onward a");
    await press("Enter");
  }
  assert.deepEqual(failed, []);
  assert.equal(await page.locator(".lessons li.done").count(), 20);
  assert.deepEqual(page.problems, []);
});
