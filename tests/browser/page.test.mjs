// The page around a program: views, timeline, moving tensors, memory map, files, links, languages, accessibility,
// offline use.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { violations } from "./axe.mjs";
import { eventually, finished, launch, open, output, published, ready, run, serve, toEnd, view, write } from "./harness.mjs";

const two = `import torch
x = torch.ones(256, 256)
y = torch.ones(256, 256, device="cuda")
z = x.to("cuda") @ y
print(z.device)
`;

let server, browser;
before(async () => {
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

const theme = (page, name) => page.evaluate((t) => document.documentElement.setAttribute("data-theme", t), name);

async function downloaded(page, name) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

describe("one page, one engine", () => {
  let page;
  before(async () => {
    page = await open(browser, server.address, "");
    page.setDefaultTimeout(60_000);
  });
  after(() => page?.context().close());

  test("home shows a recorded run before the engine is ready, and runs it live", async () => {
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.locator(".yard .block").first().waitFor();
    await ready(page);
    await page.getByRole("button", { name: "Run it here" }).click();
    await page.getByText(/executed by|simulated by/).first().waitFor();
  });

  test("the playground lists examples by topic, and each is a program", async () => {
    await page.getByRole("link", { name: "Playground", exact: true }).click();
    await page.locator("#example optgroup").first().waitFor({ state: "attached" });
    const groups = await page.locator("#example optgroup").evaluateAll((all) => all.map((g) => g.label));
    assert.ok(groups.length >= 7, groups.join());
    assert.ok((await page.locator("#example option").count()) >= 20);
  });

  test("lanes show each device and link, and lines are walked forward and back", async () => {
    await write(page, two);
    await run(page, { machine: "cuda:2" });
    // The lanes are drawn a few times a second.
    await eventually(() => page.locator(".lane-row").count(), 5);
    await page.waitForFunction(() => document.querySelector(".link-row .forward").getAttribute("d") !== "");
    const moment = () => page.locator(".moment").innerText();
    await page.getByLabel("Moment of the run").fill("0");
    await page.waitForFunction(() => /^moment 0 of/.test(document.querySelector(".moment").textContent));
    assert.equal(await page.locator(".yard .block").count(), 0);
    const lines = [];
    for (let i = 0; i < 12 && (await page.getByRole("button", { name: "Next line" }).isEnabled()); i += 1) {
      const before = await moment();
      await page.getByRole("button", { name: "Next line" }).click();
      await page.waitForFunction((was) => document.querySelector(".moment").textContent !== was, before);
      lines.push((await moment()).match(/line (\d+)/)?.[1]);
    }
    assert.deepEqual(lines.filter(Boolean).slice(0, 3), ["2", "3", "4"]);
    await page.getByRole("button", { name: "Previous line" }).click();
    await page.waitForFunction(() => !/^moment (\d+) of \1,/.test(document.querySelector(".moment").textContent));
  });

  test("the memory map names what keeps each block alive", async () => {
    await toEnd(page);
    await page.getByRole("tab", { name: "Memory map" }).click();
    const block = page.locator(".strip button").first();
    await block.click();
    assert.match(await page.locator(".map .held").innerText(), /created in line \d.*(Kept alive by the variable|No variable)/);
    await page.getByRole("tab", { name: "Memory map" }).press("End");
    assert.match(await page.locator(".smi pre").innerText(), /MiB \/ +81152MiB/);
    await page.getByRole("tab", { name: "nvidia-smi" }).press("Home");
    await page.getByRole("heading", { name: "Cost of this run" }).waitFor({ state: "attached" });
  });

  test("a tensor placed by keyboard writes the line that moves it, and the run follows", async () => {
    await write(page, two);
    await run(page, { machine: "cuda:1" });
    const block = page.locator("#yard-cpu ~ *, .yard").filter({ has: page.locator("#yard-cpu") }).getByRole("button", { name: /^x/ });
    await block.press("Enter");
    await page.getByRole("group", { name: "About x" }).getByRole("button", { name: "cuda:0" }).press("Enter");
    await finished(page);
    assert.match(await page.getByLabel("Python program").inputValue(), /^x = torch.ones\(256, 256\)\nx = x\.to\("cuda:0"\)$/m);
    const gpu = page.locator(".yard").filter({ has: page.locator("#yard-cuda0") });
    await gpu.getByRole("button", { name: /^x/ }).waitFor();
    await page.getByText(/Wrote the line that moves x/).waitFor();
  });

  test("a tensor dragged back, or moved back by keyboard, changes that line", async () => {
    const gpu = page.locator(".yard").filter({ has: page.locator("#yard-cuda0") });
    const cpu = page.locator(".yard").filter({ has: page.locator("#yard-cpu") });
    const x = (yard) => yard.getByRole("button", { name: /^x/ });
    const moved = (device) => page.getByText(`Wrote the line that moves x to ${device}`).waitFor();
    // The line, once, and where it was.
    const holds = async (device) => {
      const lines = (await page.getByLabel("Python program").inputValue()).split("\n").slice(1, 4);
      assert.deepEqual(lines, ["x = torch.ones(256, 256)", `x = x.to("${device}")`, two.split("\n")[2]]);
    };
    // Dispatches the events of a drag: if the page scrolls while a button is pressed, the browser doesn't drag
    // anything.
    const data = await page.evaluateHandle(() => new DataTransfer());
    const block = gpu.locator(".block").filter({ has: page.locator(".name", { hasText: /^x$/ }) });
    await block.dispatchEvent("dragstart", { dataTransfer: data });
    for (const type of ["dragenter", "dragover", "drop"]) await cpu.dispatchEvent(type, { dataTransfer: data });
    await moved("cpu");
    await finished(page);
    await holds("cpu");
    await x(cpu).press("Enter");
    await page.getByRole("group", { name: "About x" }).getByRole("button", { name: "cuda:0" }).press("Enter");
    await moved("cuda:0");
    await finished(page);
    await x(gpu).press("Enter");
    await page.getByRole("group", { name: "About x" }).getByRole("button", { name: "cpu" }).press("Enter");
    await moved("cpu");
    await finished(page);
    await holds("cpu");
  });

  test("files: .py, notebook, trace and snapshot are what they say", async () => {
    await write(page, two);
    await run(page, { machine: "cuda:1" });
    await page.getByText("Files and links").click();
    const py = await downloaded(page, ".py");
    assert.equal(py.bytes.toString(), two);
    const notebook = JSON.parse((await downloaded(page, ".ipynb")).bytes);
    assert.equal(notebook.nbformat, 4);
    assert.equal(notebook.cells.flatMap((c) => c.source).join(""), two.trimEnd());
    const trace = JSON.parse((await downloaded(page, "Perfetto trace")).bytes);
    assert.ok(trace.traceEvents.some((e) => e.cat === "copy"));
    const snapshot = await downloaded(page, "Memory snapshot");
    assert.equal(snapshot.name, "snapshot.pickle");
    assert.deepEqual([...snapshot.bytes.subarray(0, 2)], [0x80, 2]);
    await page.setInputFiles(".files input[type=file]", {
      name: "mine.ipynb",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify({ cells: [{ cell_type: "code", source: "%time\nprint(6 * 7)", metadata: {}, outputs: [] }], nbformat: 4 })),
    });
    await page.getByRole("button", { name: "Run all" }).click();
    await page.locator(".notebook .log").getByText("42").waitFor();
    await page.setInputFiles(".files input[type=file]", { name: "x.ipynb", mimeType: "text/plain", buffer: Buffer.from("no") });
    await page.getByText("This file is not a notebook.").waitFor();
    assert.equal(await page.locator(".notebook .cell").count(), 1, "a file that can't be opened costs nothing");
    await page.locator("#example").selectOption("out-of-memory");
    await page.getByLabel("Python program").first().waitFor();
  });

  test("a checkpoint is given to programs; one that is cut off is refused", async () => {
    const field = ".files input[type=file]";
    const give = (name, buffer) => page.setInputFiles(field, { name, mimeType: "application/octet-stream", buffer });
    // Recorded: a file that torch.save of PyTorch 2.15 wrote.
    const checkpoint = readFileSync(new URL("../oracle/save/state_dict.pt", import.meta.url));
    await give("model.pt", checkpoint.subarray(0, checkpoint.length - 40));
    await page.getByText("This checkpoint is incomplete").waitFor();
    await give("model.pt", Buffer.from("print(1)"));
    await page.getByText("This file is not a checkpoint").waitFor();
    assert.equal(await page.locator(".given li").count(), 0);
    await give("model.pt", checkpoint);
    await page.getByText('Programs find model.pt in their folder: torch.load("model.pt").').waitFor();
    await write(page, 'import os, torch\nprint(os.listdir())\nstate = torch.load("model.pt")\nprint(sorted(state))\n');
    const said = await run(page, { machine: "cuda:1" });
    assert.match(said, /'model\.pt'/);
    assert.match(said, /\['/, said);
    await page.getByRole("button", { name: "Remove model.pt" }).click();
    assert.match(await run(page), /FileNotFoundError/);
  });

  test("a link carries the program, and nothing of it goes to a server", async () => {
    await write(page, "print('shared ' + 'program')\n");
    await page.getByRole("button", { name: "Copy a link to this program" }).click();
    const link = await page.getByLabel("Link to this program").inputValue();
    assert.match(link, /#\/s\/[\w-]+$/);
    const other = await open(browser, link.split("#")[0], `#${link.split("#")[1]}`);
    await ready(other);
    assert.match(await run(other), /shared program/);
    assert.deepEqual(other.requests.filter((r) => r.includes("/s/")), []);
    assert.deepEqual(other.problems, []);
    await other.context().close();
  });

  test("links never share a learner's copy", async () => {
    const { deflateRawSync } = await import("node:zlib");
    // Short programs are stored without compression, so all these links end alike.
    const link = (code) => deflateRawSync(Buffer.from(JSON.stringify({ v: 1, code, machine: "cuda:1" })), { level: 0 }).toString("base64url");
    const [one, two] = ["x = 1\nprint(x)\n", "x = 2\nprint(x)\n"].map(link);
    assert.equal(one.slice(-16), two.slice(-16));
    const other = await open(browser, server.address, `#/s/${one}`);
    await write(other, "x = 1\nprint(x)\n# mine\n");
    const shows = async (packed, code) => {
      await view(other, `#/s/${packed}`);
      await other.waitForFunction((text) => document.querySelector("code-editor textarea")?.value === text, code, { timeout: 10_000 });
    };
    await shows(two, "x = 2\nprint(x)\n");
    await shows(one, "x = 1\nprint(x)\n# mine\n");
    assert.deepEqual(other.problems, []);
    await other.context().close();
  });

  test("a link from a lesson opens its step, and keeps the learner's own program", async () => {
    const { deflateRawSync } = await import("node:zlib");
    const pack = (value) => deflateRawSync(Buffer.from(JSON.stringify(value)), { level: 9 }).toString("base64url");
    const editor = (on) => on.getByLabel("Python program").inputValue();
    // Made in the third step of a lesson.
    const author = await open(browser, server.address, "#/lesson/same-device-rule");
    await author.locator(".steps li:nth-child(3) button").click();
    await write(author, "print('from the link')\n");
    await author.getByRole("button", { name: "Copy a link to this program" }).click();
    const link = await author.getByLabel("Link to this program").inputValue();
    const step = await author.locator(".step-title").innerText();
    await author.context().close();

    // Opened by someone who already has a program there.
    const learner = await open(browser, server.address, "#/lesson/same-device-rule");
    await learner.locator(".steps li:nth-child(3) button").click();
    await write(learner, "print('my own')\n");
    await learner.locator(".steps li:nth-child(1) button").click();
    await view(learner, `#${link.split("#")[1]}`);
    await learner.getByText("This program came from a link.").waitFor();
    assert.equal(await learner.locator(".step-title").innerText(), step);
    assert.equal(await editor(learner), "print('from the link')\n");
    assert.equal(await learner.locator("nav a[aria-current=page]").innerText(), "Lessons");
    await ready(learner);
    // It's a program of the lesson, so the step's checks apply to it.
    assert.match(await run(learner), /from the link/);
    assert.ok((await learner.locator(".checks li:not([data-state=open])").count()) > 0);
    await write(learner, "print('changed')\n");
    await learner.getByRole("button", { name: "Show my own program" }).click();
    assert.equal(await editor(learner), "print('my own')\n");
    assert.equal(await learner.getByText("This program came from a link.").count(), 0);
    // When the link is opened again, its program is as it was left; the lesson itself holds the learner's program.
    await view(learner, "#/lessons");
    await view(learner, `#${link.split("#")[1]}`);
    await learner.getByText("This program came from a link.").waitFor();
    assert.equal(await editor(learner), "print('changed')\n");
    await view(learner, "#/lesson/same-device-rule");
    await learner.locator(".steps li:nth-child(3) button").click();
    assert.equal(await editor(learner), "print('my own')\n");

    // A lesson that isn't here, a step that it doesn't have, a step without a program: the program isn't lost.
    for (const [place, says] of [
      [{ lesson: "no-such-lesson", step: "one" }, /There is no lesson 'no-such-lesson'/],
      [{ lesson: "same-device-rule", step: "no-such-step" }, /has no step 'no-such-step'/],
      [{ lesson: "same-device-rule" }, /has no step ''/],
    ]) {
      const code = `print('${place.lesson} ${place.step}')\n`;
      await view(learner, `#/s/${pack({ v: 1, code, ...place })}`);
      await learner.getByRole("alert").filter({ hasText: says }).waitFor();
      assert.equal(await learner.getByRole("heading", { level: 1 }).innerText(), "Playground");
      assert.equal(await editor(learner), code);
    }
    assert.deepEqual(learner.problems, []);
    await learner.context().close();
  });

  test("hostile links show an error and nothing else", async () => {
    const { deflateRawSync } = await import("node:zlib");
    const pack = (bytes) => deflateRawSync(bytes, { level: 9 }).toString("base64url");
    const bomb = pack(Buffer.alloc(48 << 20, 32));
    const script = pack(Buffer.from(JSON.stringify({ v: 1, code: "x", lesson: "<script>alert(1)</script>" })));
    for (const [packed, says] of [
      [bomb, /content of this link is too large/],
      [script, /damaged/],
      ["A".repeat(210_000), /too long/],
      ["%3Cimg%20src=x%20onerror=alert(1)%3E", /damaged/],
    ]) {
      await view(page, `#/s/${packed}`);
      await page.getByRole("alert").filter({ hasText: says }).waitFor();
    }
    assert.equal(await page.locator("main img, main script").count(), 0);
  });

  test("scrubbing 10 000 events takes no longer than a thirtieth of a second for a frame", async () => {
    await view(page, "#/play");
    await write(page, 'import torch\nx = torch.zeros(8, device="cuda")\nfor i in range(2600):\n    y = x + 1\n    z = y.clone()\n');
    await run(page, { machine: "cuda:1", executor: "cpu" });
    await toEnd(page);
    const events = await page.getByLabel("Moment of the run").evaluate((input) => Number(input.max));
    assert.ok(events >= 10_000, `${events} events`);
    const { frames, work } = await page.evaluate(async () => {
      const input = document.querySelector(".playhead input");
      const max = Number(input.max);
      const frame = () => new Promise((next) => requestAnimationFrame(next));
      const began = performance.now();
      const spent = [];
      while (performance.now() - began < 2000) {
        // Back and forth over the entire run.
        const part = Math.abs(((performance.now() - began) / 500) % 2 - 1);
        const from = performance.now();
        input.value = String(Math.round(part * max));
        input.dispatchEvent(new Event("input", { bubbles: true }));
        await Promise.resolve();
        // Forces style and layout now, instead of when the browser gets to it.
        document.body.getBoundingClientRect();
        spent.push(performance.now() - from);
        await frame();
      }
      const frames = (spent.length * 1000) / (performance.now() - began);
      return { frames, work: spent.sort((a, b) => a - b)[spent.length >> 1] };
    });
    // The page's work for a frame must fit into a frame. How many frames are shown depends on what else the machine
    // does.
    console.log(`scrubbing ${events} events: ${work.toFixed(1)} ms of work a frame, ${frames.toFixed(1)} frames a second`);
    assert.ok(work <= 1000 / 30, `${work} ms a frame`);
  });

  test("the second language reaches every view, the card of a run too, and leaves the program alone", async () => {
    await write(page, 'import torch\nx = torch.ones(3)\ny = torch.ones(3, device="cuda")\nx + y\n');
    await run(page, { machine: "cuda:1" });
    await page.locator(".card").getByText("is on cuda:0, but").waitFor();
    const before = await page.getByLabel("Python program").inputValue();
    await page.getByLabel("Language").selectOption("de");
    await page.getByRole("button", { name: "Ausführen" }).waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
    assert.equal(await page.getByLabel("Python-Programm").inputValue(), before);
    // The explanation changes its language; PyTorch's message stays.
    await page.locator(".card").getByText("liegt auf cuda:0, aber").waitFor();
    const card = await page.locator(".card").innerText();
    assert.match(card, /erzeugt in Zeile 2[^]*kleinste Änderung, in Zeile 4[^]*Eine Lektion dazu/);
    assert.doesNotMatch(card, /\b(is|and|the|created|lesson|needs)\b/);
    assert.match(await output(page), /RuntimeError: Expected all tensors to be on the same device/);
    await page.getByLabel("Sprache").selectOption("en");
    await page.getByRole("button", { name: /^Run\b/ }).waitFor();
  });

  test("progress goes to a file and comes back, and nothing else does", async () => {
    await page.evaluate(() => localStorage.setItem("tensoryard.progress.a-lesson", '{"done":["one"],"steps":2,"at":1}'));
    await view(page, "#/lessons");
    const { bytes } = await downloaded(page, "Save to a file");
    assert.equal(JSON.parse(bytes).kept["progress.a-lesson"], '{"done":["one"],"steps":2,"at":1}');
    await page.setInputFiles(".keep input[type=file]", { name: "p.json", mimeType: "application/json", buffer: Buffer.from("{}") });
    await page.getByText("This isn't a progress file.").waitFor();
    await page.evaluate(() => localStorage.removeItem("tensoryard.progress.a-lesson"));
    await Promise.all([
      page.waitForEvent("load"),
      page.setInputFiles(".keep input[type=file]", { name: "p.json", mimeType: "application/json", buffer: bytes }),
    ]);
    assert.equal(await page.evaluate(() => localStorage.getItem("tensoryard.progress.a-lesson")), '{"done":["one"],"steps":2,"at":1}');
  });

  test("progress goes into a link, and is taken over only when asked for", async () => {
    const key = "tensoryard.progress.same-device-rule";
    const kept = () => page.evaluate((key) => JSON.parse(localStorage.getItem(key)), key);
    // If nothing has been done, a link carries nothing, and the page says so.
    await page.evaluate(() => {
      for (const name of Object.keys(localStorage)) if (name.startsWith("tensoryard.progress.")) localStorage.removeItem(name);
    });
    await view(page, "#/lessons");
    await page.getByRole("button", { name: "Copy a link" }).click();
    const empty = await page.getByLabel("Link that carries your progress").inputValue();
    await view(page, empty.split("#")[1]);
    await page.getByText("This link carries no progress").waitFor();
    assert.equal(await page.getByRole("button", { name: "Take it over" }).count(), 0);
    await page.evaluate(([key]) => {
      localStorage.setItem(key, '{"done":["two-tensors-two-devices"],"steps":4,"at":1}');
      localStorage.setItem("tensoryard.code.lesson.same-device-rule.two-tensors-two-devices", "secret = 1");
    }, [key]);
    await view(page, "#/lessons");
    await page.getByRole("button", { name: "Copy a link" }).click();
    const link = await page.getByLabel("Link that carries your progress").inputValue();
    assert.match(link, /#\/p\/[\w-]+$/);
    // In another browser, where another step is done.
    await page.evaluate((key) => localStorage.setItem(key, '{"done":["the-message-that-names-an-argument"],"steps":4,"at":2}'), key);
    const carried = link.split("#")[1];
    await view(page, carried);
    await page.getByText(/^This link records \d+ steps? as done\./).waitFor();
    assert.deepEqual((await kept()).done, ["the-message-that-names-an-argument"]);
    await page.getByRole("button", { name: "Take it over" }).click();
    await page.waitForFunction(() => !location.hash.startsWith("#/p/"));
    assert.deepEqual(await kept(), { done: ["the-message-that-names-an-argument", "two-tensors-two-devices"], steps: 4, at: 2 });
    for (const hostile of [carried.slice(0, -6), "/p/AAAA", "/p/%3Cscript%3E"]) {
      await view(page, hostile);
      await page.getByText("This link is damaged or cut off. Nothing was opened.").waitFor();
      assert.equal(await page.getByRole("button", { name: "Take it over" }).count(), 0);
      await view(page, "#/lessons");
    }
  });

  test("no script error, no policy violation, no other host", () => {
    assert.deepEqual(page.problems, []);
  });
});

describe("accessibility", () => {
  const wrong = [];

  for (const width of [1440, 320]) {
    test(`axe finds nothing at ${width} pixels, in light and dark`, async () => {
      // Colors must be checked after all transitions.
      const page = await open(browser, server.address, "", { viewport: { width, height: 900 }, reducedMotion: "reduce" });
      const look = async (state) => {
        for (const colours of ["light", "dark"]) {
          await theme(page, colours);
          // Everything except colors was already checked in light mode.
          for (const fault of await violations(page, { coloursOnly: colours === "dark" })) wrong.push(`${state}, ${colours}, ${width}: ${fault}`);
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          if (overflow > 0) wrong.push(`${state}, ${colours}, ${width}: ${overflow} pixels wider than the screen`);
        }
      };
      await page.getByRole("heading", { level: 1 }).waitFor();
      await look("home");
      for (const name of ["lessons", "instructors", "about"]) {
        await view(page, `#/${name}`);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await look(name);
      }
      const ids = await page.evaluate(async () => (await (await fetch("./lessons/index.json")).json()).map((l) => l.id));
      for (const id of ids) {
        await view(page, `#/lesson/${id}`);
        await page.locator(".step-title").waitFor();
        await look(`lesson ${id}`);
      }
      await view(page, "#/play");
      await ready(page);
      await look("idle");
      await write(page, two);
      await run(page, { machine: "cuda:1" });
      await page.locator(".block button").first().click();
      await look("done");
      for (const tab of ["Memory map", "nvidia-smi"]) {
        await page.getByRole("tab", { name: tab }).click();
        await look(tab);
      }
      await page.getByText("Files and links").click();
      await page.getByText("The same as tables").click();
      await look("everything open");
      const long = "a_name_for_a_tensor_that_is_longer_than_a_narrow_page_is_wide";
      await write(page, `import torch\n${long} = torch.ones(3)\ny = torch.ones(3, device="cuda")\n${long} + y\n`);
      await run(page);
      await look("error");
      // If a line of code were wrapped, the carets below it would point at something else.
      const rows = await page.locator(".log .aligned").evaluateAll((pairs) =>
        pairs.map((pair) => new Set([...pair.getClientRects()].map((part) => Math.round(part.top))).size),
      );
      assert.deepEqual(rows, [2]);
      assert.match(await page.locator(".log .aligned").textContent(), / \+ y\n +~+\^~+\n$/);
      await page.locator("#example").selectOption("out-of-memory");
      await run(page);
      assert.match(await output(page), /OutOfMemoryError/);
      await look("out of memory");
      await write(page, "while True:\n    pass\n");
      await page.getByRole("button", { name: /^Run\b/ }).first().click();
      await page.getByRole("button", { name: /^Stop/ }).waitFor();
      await look("running");
      await page.getByRole("button", { name: /^Stop/ }).click();
      assert.deepEqual(wrong, []);
      await page.context().close();
    });
  }
});

test("each view gives the tab its title, and a link inside a view passes the focus on", async () => {
  const page = await open(browser, server.address, "#/lessons");
  const titled = (title) => page.waitForFunction((wanted) => document.title === wanted, title);
  await titled("Lessons · Tensoryard");
  await page.locator("main").getByRole("link", { name: "Anatomy" }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Anatomy" }).waitFor();
  await titled("Anatomy · Tensoryard");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  // A link in the bar is still there, and keeps the focus.
  await page.locator(".bar").getByRole("link", { name: "Teach" }).press("Enter");
  await titled("For instructors · Tensoryard");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Teach");
  await page.evaluate(() => (location.hash = "#/lesson/same-device-rule"));
  await titled("The same-device rule · Tensoryard");
  await page.evaluate(() => (location.hash = "#/"));
  await titled("Tensoryard: See where your tensors live");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("after the first visit it works without a network", async () => {
  const inner = await serve();
  const own = await published(inner);
  const visitor = await launch({ secure: own.address });
  const page = await open(visitor, own.address, "", { serviceWorkers: "allow" });
  await page.evaluate(() => navigator.serviceWorker.ready);
  // The engine is stored under the address that the page requested, so that it's fetched only once.
  const [asked, stored] = await page.evaluate(async () => {
    const [name] = (await caches.keys()).filter((key) => key.startsWith("tensoryard-"));
    const keys = await (await caches.open(name)).keys();
    const version = document.querySelector("meta[name='tensoryard-build']").content;
    return [`worker_bg.wasm?v=${version}`, keys.map((key) => key.url).filter((url) => url.includes("worker_bg.wasm"))];
  });
  assert.deepEqual(stored.map((url) => url.split("/").pop()), [asked]);
  own.close();
  inner.close();
  await page.reload();
  await page.evaluate(() => (location.hash = "#/play"));
  await ready(page);
  await write(page, "import numpy\nprint(6 * numpy.int64(7))\n");
  assert.match(await run(page, { machine: "cpu" }), /42/);
  await page.evaluate(() => (location.hash = "#/lesson/same-device-rule"));
  await page.locator(".step-title").waitFor();
  await visitor.close();
});

// Something else may be served on a port of this machine tomorrow, and the stored page would answer in its place.
test("on this machine's own addresses nothing is stored, and what an earlier build stored goes", async () => {
  const own = await serve();
  const page = await open(browser, own.address, "#/about", { serviceWorkers: "allow" });
  const registered = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  const stored = () => page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("tensoryard-")));
  await page.waitForTimeout(5500);
  assert.equal(await registered(), 0);
  // Stored by an earlier build: the page's next visit removes it, and the next version of its worker removes itself.
  const early = () => page.evaluate(async () => {
    await caches.open("tensoryard-old");
    await navigator.serviceWorker.register("./sw.js");
  });
  await early();
  for (let spent = 0; (await registered()) || (await stored()).length; spent += 100) {
    assert.ok(spent < 10_000, "the worker did not remove itself");
    await page.waitForTimeout(100);
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
  own.close();
});

test("without WebGPU the page says so in one plain sentence, once", async () => {
  const plain = await launch({ webgpu: false });
  const page = await open(plain, server.address);
  assert.match(await ready(page), /CPU/);
  await write(page, two);
  await run(page, { machine: "cuda:1" });
  const text = await page.locator("body").innerText();
  assert.equal(text.split("this computer's CPU simulates the GPUs").length, 2, text);
  assert.doesNotMatch(text, /noop|adapter|not requested/);
  assert.deepEqual(page.problems, []);
  await plain.close();
});
