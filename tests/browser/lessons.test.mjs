// Every lesson, from the list to its last step, using only the keyboard; and axe finds no fault in any state.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { violations } from "./axe.mjs";
import { lessons } from "./course.mjs";
import { finished, launch, open, serve } from "./harness.mjs";

let server, browser, page;
before(async () => {
  server = await serve();
  // On the CPU and without replays: this tests the page, and all these programs shouldn't take more than some minutes.
  browser = await launch({ webgpu: false });
});
after(async () => {
  await browser?.close();
  server?.close();
});

const press = (key) => page.keyboard.press(key);

/** Presses Tab (or Shift+Tab) until the focus is on `selector`; `n` selects one of several matches. */
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

/** Chooses the answers to a step's questions: a group of radio buttons is one tab stop, and the arrow keys move within
 * it. */
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

/** Checks the entire page, wide in light and dark, and narrow in light: page.test.mjs looks at narrow pages in dark. Returns the
 * faults and the time it took. */
async function look(state) {
  const began = Date.now();
  const wrong = [];
  const wide = page.viewportSize();
  for (const size of [wide, { width: 390, height: 844 }]) {
    await page.setViewportSize(size);
    for (const colorScheme of size === wide ? ["light", "dark"] : ["light"]) {
      await page.emulateMedia({ colorScheme });
      // Everything except colors was already checked in light mode.
      for (const fault of await violations(page, { coloursOnly: colorScheme === "dark" })) {
        wrong.push(`${state}, ${size.width}, ${colorScheme}: ${fault}`);
      }
    }
    const [scroll, client] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    if (scroll > client) wrong.push(`${state}, ${size.width}: scrolls sideways`);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(wide);
  return { wrong, took: Date.now() - began };
}

/** Puts a program into the editor, which has the focus, and runs it. */
async function start(program) {
  await press("Control+a");
  await page.keyboard.insertText(program);
  await press("Control+Enter");
}

/** Presses keys until they have an effect. On a machine with other work, keys were sometimes lost after a run that filled a GPU; the
 * cause isn't known, so a second attempt is printed. */
async function insist(title, keys, effect) {
  for (let attempt = 1; ; attempt += 1) {
    await keys();
    try {
      await effect();
      return;
    } catch (error) {
      if (attempt === 2) throw error;
      const shown = await page.evaluate(() => ({
        focus: document.activeElement?.outerHTML.slice(0, 80),
        program: document.querySelector(".editor textarea")?.value.slice(0, 80),
        buttons: document.querySelector(".controls .buttons")?.innerText,
        notices: [...document.querySelectorAll(".notice")].map((notice) => notice.innerText),
        output: document.querySelector(".output")?.innerText.slice(0, 300),
      }));
      console.log(`${title}: the keys had no effect, and are pressed again; the page is`, shown);
    }
  }
}

/** A mistake that raises an error on every machine: with a GPU, two devices in one operation; without one, a missing
 * GPU. */
const MIXED = 'import torch\ntorch.ones(3, device="cuda") + torch.ones(3)\n';
// One tensor in the page has at most 1 GiB, so a card of 80 GiB needs many; memory that is never written costs nothing.
const full = (device) => `import torch\nkept = [torch.empty(1 << 28, device="${device}") for _ in range(100)]\n`;

/** How many lessons apart the states are that hold little of a lesson's own: error, out of memory, and running. */
const APART = 5;

/** Brings a lesson's program into each state except the last, and checks the page. */
async function states({ title, machine }, starter) {
  const looks = [];
  const ended = async () => (await page.locator(".output h2 small").innerText()).split(" ")[0];
  await start(starter);
  await finished(page);
  // Some starters run without an error but do the wrong thing.
  if (!(await ended()).endsWith("Error")) {
    await start(`${starter}\n${MIXED}`);
    await finished(page);
  }
  assert.match(await ended(), /Error$/, title);
  looks.push(await look(`${title}, error`));
  const [device, raised] = machine.includes("cuda") ? ["cuda", /OutOfMemoryError$/] : ["mps", /RuntimeError$/];
  await start(full(device));
  await finished(page);
  assert.match(await ended(), raised, title);
  // Only the card of the out-of-memory rule.
  assert.deepEqual(await page.locator(".card h3 small").allInnerTexts(), ["D20"], title);
  looks.push(await look(`${title}, out of memory`));
  await insist(
    title,
    () => start("while True:\n    pass\n"),
    () => page.locator(".stop").waitFor({ timeout: 30_000 }),
  );
  looks.push(await look(`${title}, running`));
  await insist(
    title,
    async () => {
      await tabTo(".stop", { back: true });
      await press("Enter");
    },
    () => finished(page, 30_000),
  );
  await tabTo(".editor textarea");
  return looks;
}

test("every lesson is completed by keyboard alone, and axe finds nothing on the way", { timeout: 1_800_000 }, async () => {
  assert.ok(lessons.length >= 20, `${lessons.length} lessons`);
  page = await open(browser, server.address, "", { reducedMotion: "reduce" });
  page.setDefaultTimeout(60_000);
  await tabTo(".bar nav a");
  await press("Enter");
  const failed = [];
  const looks = [];
  for (const [number, lesson] of lessons.entries()) {
    const began = Date.now();
    const first = lesson.steps.findIndex((step) => step.solution);
    await page.locator(".lessons a").nth(number).waitFor();
    await tabTo(".lessons a", { n: number });
    await press("Enter");
    await page.locator(".step-title").waitFor();
    for (const [at, { answers, looks: isLook, starter, solution }] of lesson.steps.entries()) {
      await page.locator(`.steps li:nth-child(${at + 1}) button[aria-current=step]`).waitFor();
      await answer(answers);
      if (isLook) {
        await tabTo(".run");
        await press("Enter");
        await finished(page);
      }
      if (solution) {
        // The very first step says that a plain text field is enough; the browser remembers the choice.
        if (!(await page.getByLabel("Plain text").isChecked())) {
          await tabTo(".editor .foot input");
          await press("Space");
          await tabTo(".editor textarea", { back: true });
        }
        await tabTo(".editor textarea");
        if (at === first) looks.push(await look(`${lesson.title}, idle`));
        if (at === first && number % APART === 0) looks.push(...(await states(lesson, starter)));
        await press("Control+a");
        // A lesson's first program is typed key by key; its others are inserted at once, as by pasting.
        if (at === first) await page.keyboard.type(solution);
        else await page.keyboard.insertText(solution);
        await press("Control+Enter");
        await page.waitForFunction(() => document.querySelector(".output h2 small")?.textContent, undefined, { timeout: 120_000 });
        const open = await page.locator(".checks li:not([data-state=passed])").allInnerTexts();
        if (open.length > 0) {
          failed.push(`${lesson.title}, step ${at + 1}: ${open.join("; ")}\n${await page.locator(".output").innerText()}`);
        } else {
          await page.locator(".why").waitFor();
          if (at === first) looks.push(await look(`${lesson.title}, done`));
        }
      }
      if (at + 1 < lesson.steps.length) {
        await tabTo(".onward button:last-child");
        await press("Enter");
      }
    }
    // The card at the end says what was learned.
    if (lesson.closes) {
      if ((await page.locator(".closing .objectives li:not([data-state=passed])").count()) > 0) failed.push(`${lesson.title}: an objective is open`);
      looks.push(await look(`${lesson.title}, closing card`));
    }
    const done = await page.locator(".steps li.done").count();
    if (done !== lesson.steps.length) failed.push(`${lesson.title}: ${done} of ${lesson.steps.length} steps are done`);
    console.log(`${lesson.title}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
    await tabTo(".onward a");
    await press("Enter");
  }
  const seconds = looks.reduce((sum, { took }) => sum + took, 0) / 1000;
  console.log(`axe: ${looks.length} states, wide in light and dark, narrow in light, ${seconds.toFixed(1)} s`);
  assert.deepEqual(failed, []);
  // Each lesson with an exercise idle and done, some also with an error, out of memory and running; and each closing card.
  const expected = ({ steps, closes }, number) => {
    const tried = steps.some((step) => step.solution);
    return (tried ? 2 : 0) + (tried && number % APART === 0 ? 3 : 0) + (closes ? 1 : 0);
  };
  assert.equal(looks.length, lessons.reduce((sum, lesson, number) => sum + expected(lesson, number), 0));
  assert.deepEqual(looks.flatMap(({ wrong }) => wrong), []);
  await page.locator(".lessons a").nth(lessons.length - 1).waitFor();
  assert.equal(await page.locator(".lessons li.done").count(), lessons.length);
  assert.deepEqual(page.problems, []);
});

test("what is wrong in one of the colours only is found", async () => {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("#bad { background: #222; color: #eee } @media (prefers-color-scheme: dark) { #bad { color: #444 } }");
    document.adoptedStyleSheets.push(sheet);
    // Built piece by piece, because the page's policy doesn't allow text to become markup.
    const words = Object.assign(document.createElement("p"), { id: "bad", textContent: "Words" });
    const picture = Object.assign(document.createElement("img"), { src: "data:,", width: 9, height: 9 });
    document.querySelector("main").append(words, picture);
  });
  const { wrong } = await look("spoiled");
  assert.equal(wrong.length, 3, wrong.join("\n"));
  const { width } = page.viewportSize();
  assert.ok(wrong[0].startsWith(`spoiled, ${width}, light: image-alt at img`), wrong[0]);
  assert.ok(wrong[1].startsWith(`spoiled, ${width}, dark: color-contrast at #bad`), wrong[1]);
});
