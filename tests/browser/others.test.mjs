// The page in Firefox and in WebKitGTK, on the CPU executor: the first things that a learner does.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { serve } from "./harness.mjs";
import { OTHERS } from "./others.mjs";

const lesson = readFileSync(new URL("../../lessons/01-where-a-tensor-lives.md", import.meta.url), "utf8");
const [, step] = lesson.split(/^## /m);
const solution = /^```python solution[^\n]*\n(.*?)^```$/ms.exec(step)[1];
const starter = /^```python starter[^\n]*\n(.*?)^```$/ms.exec(step)[1];

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
      await page.click("button.run:not([disabled])");
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

    test("a step of a lesson is failed, then solved", async () => {
      await page.goto("about:blank");
      await page.goto(`${server.address}#/lesson/where-a-tensor-lives`);
      await page.ready();
      await page.write(starter);
      await page.run();
      assert.match(await page.text("section.checks"), /Not (yet|met)|Failed|Open|Missing/i);
      await page.write(solution);
      await page.run();
      await page.until("every check is met", () => {
        const checks = [...document.querySelectorAll("section.checks li")];
        return checks.length > 0 && checks.every((check) => check.dataset.state === "passed" || check.matches(".met, .passed, .ok"));
      });
    });
  });
}
