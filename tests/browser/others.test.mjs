// The page in Firefox and in WebKitGTK, on the CPU executor: the first things that a learner does.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { lessons } from "./course.mjs";
import { serve } from "./harness.mjs";
import { OTHERS } from "./others.mjs";

/** Works through a lesson as a learner who knows every answer. Returns what stayed open. */
async function work(page, lesson) {
  const open = [];
  // Without loading the page again: WebKitGTK needs half a minute to start an engine.
  await page.evaluate((id) => void (location.hash = `#/lesson/${id}`), lesson.id);
  await page.until("the lesson is shown", (title) => document.querySelector("h1")?.innerText === title, lesson.title);
  await page.ready();
  for (const [at, { answers, looks, solution }] of lesson.steps.entries()) {
    await page.appears(`.steps li:nth-child(${at + 1}) button[aria-current=step]`);
    await page.evaluate((rights) => {
      const inputs = [...document.querySelectorAll(".question input")];
      const names = [...new Set(inputs.map((input) => input.name))];
      for (const [n, right] of rights.entries()) inputs.filter((input) => input.name === names[n])[right].click();
    }, answers);
    if (solution) await page.write(solution);
    if (looks || solution) {
      const began = Date.now();
      await page.run();
      if (Date.now() - began > 20_000) console.log(`${lesson.title}, step ${at + 1}: ran for ${Math.round((Date.now() - began) / 1000)} s`);
    }
    const failed = await page.evaluate(() =>
      [...document.querySelectorAll(".checks li:not([data-state=passed])")].map((check) => check.innerText),
    );
    if (solution && failed.length > 0) open.push(`${lesson.title}, step ${at + 1}: ${failed.join("; ")}`);
    if (at + 1 < lesson.steps.length) await page.evaluate(() => document.querySelector(".onward button:last-child").click());
  }
  const done = await page.evaluate(() => document.querySelectorAll(".steps li.done").length);
  if (done !== lesson.steps.length) open.push(`${lesson.title}: ${done} of ${lesson.steps.length} steps are done`);
  if (lesson.closes) await page.appears(".closing .objectives li[data-state=passed]");
  return open;
}

for (const { name, missing, open } of OTHERS) {
  describe(name, { skip: missing && `skipped: ${missing}` }, () => {
    let server, page;
    before(async () => {
      server = await serve();
      page = await open();
    });
    after(async () => {
      await page?.close();
      server?.close();
    });

    test("home shows tensors in their yards, and the engine becomes ready", async () => {
      await page.goto(server.address);
      await page.appears("h1");
      await page.appears(".yard .block");
      await page.ready();
    });

    test("a program runs, and its tensors are drawn", async () => {
      await page.goto(`${server.address}#/play`);
      await page.ready();
      await page.write('import torch\nx = torch.ones(3, device="cuda")\nprint((x * 2).tolist(), x.device)\n');
      assert.match(await page.run(), /\[2\.0, 2\.0, 2\.0\] cuda:0/);
      await page.appears(".yard .block");
    });

    test("PyTorch's error stands with its card", async () => {
      await page.write('import torch\na = torch.ones(3, device="cuda")\nb = torch.ones(3)\nprint(a + b)\n');
      assert.match(await page.run(), /RuntimeError: Expected all tensors to be on the same device/);
      await page.appears("section.card");
      assert.match(await page.text("section.card"), /cuda:0[^]*cpu|cpu[^]*cuda:0/);
    });

    test("Stop ends an endless loop, and the next program runs", async () => {
      await page.write('print("begun")\nwhile True:\n    pass\n');
      await page.start();
      await page.appears("button.stop");
      await new Promise((done) => setTimeout(done, 1500));
      await page.click("button.stop");
      await page.ended();
      await page.ready();
      await page.write("print(6 * 7)\n");
      assert.match(await page.run(), /42/);
    });

    test("a share link opens its program", async () => {
      await page.write('print("shared " + "program")\n');
      await page.evaluate(() => {
        const names = (button) => [button.textContent, button.title, button.ariaLabel].join(" ");
        [...document.querySelectorAll("button")].find((b) => names(b).includes("Copy a link to this program")).click();
      });
      const link = await page.until("the link is shown", () =>
        [...document.querySelectorAll("input")].map((input) => input.value).find((value) => /#\/s\//.test(value)),
      );
      await page.goto("about:blank");
      await page.goto(link);
      await page.ready();
      assert.match(await page.run(), /shared program/);
    });

    test("a step of a lesson is failed by its starter", async () => {
      const lesson = lessons.find(({ id }) => id === "same-device-rule");
      const at = lesson.steps.findIndex(({ solution }) => solution);
      await page.goto("about:blank");
      await page.goto(`${server.address}#/lesson/${lesson.id}`);
      await page.ready();
      // The lesson may come later than the engine.
      await page.appears(`.steps li:nth-child(${at + 1}) button`);
      await page.click(`.steps li:nth-child(${at + 1}) button`);
      await page.appears(`.steps li:nth-child(${at + 1}) button[aria-current=step]`);
      await page.write(lesson.steps[at].starter);
      await page.run();
      await page.appears("section.checks li[data-state=failed]");
    });

    test("the lessons of parts 0, A and B are worked through to their closing cards", { timeout: 3_600_000 }, async () => {
      const beginning = lessons.filter(({ part }) => ["0", "a", "b"].includes(part));
      assert.ok(beginning.length >= 11, `${beginning.length} lessons`);
      const open = [];
      for (const lesson of beginning) open.push(...(await work(page, lesson)));
      assert.deepEqual(open, []);
    });
  });
}
