// Notebooks open as cells, and programs may be several files.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { violations } from "./axe.mjs";
import { launch, open, ready, run, serve } from "./harness.mjs";

const code = (source, more = {}) => ({ cell_type: "code", execution_count: null, metadata: {}, outputs: [], source, ...more });
const text = (source) => ({ cell_type: "markdown", metadata: {}, source });
const written = (cells) => Buffer.from(JSON.stringify({ cells, metadata: { own: 1 }, nbformat: 4, nbformat_minor: 4 }));

let server, browser, page;
before(async () => {
  server = await serve();
  browser = await launch({ webgpu: false });
});
after(async () => {
  await browser?.close();
  server?.close();
});

const ipynb = (name, cells) => ({ name, mimeType: "application/json", buffer: written(cells) });
const cell = (n) => page.locator(".notebook .cell").nth(n);
const log = (n) => cell(n).locator(".log");
const state = (n) => cell(n).locator(".state");

async function begin() {
  page = await open(browser, server.address, "#/play", { reducedMotion: "reduce" });
  page.setDefaultTimeout(60_000);
  await ready(page);
  await page.locator(".files summary").click();
}

/** Opens a notebook as a learner would, with cells as plain text fields. The file is read some time after it was chosen, and until
 * then the cells of the notebook before it are shown. */
async function give(cells) {
  const shown = await page.locator(".notebook .cell").evaluateAll((all) => all.map(({ id }) => id));
  await page.getByLabel("Open a .py, .ipynb or .pt").setInputFiles(ipynb("mine.ipynb", cells));
  await page.waitForFunction(
    ([old, count]) => {
      const now = [...document.querySelectorAll(".notebook .cell")].map(({ id }) => id);
      return now.length === count && !now.some((id) => old.includes(id));
    },
    [shown, cells.length],
  );
}

const idle = () => page.waitForFunction(() => !document.querySelector(".notebook button.stop"), undefined, { timeout: 120_000 });

async function runAll() {
  await page.getByRole("button", { name: "Run all" }).click();
  await page.waitForFunction(() => [...document.querySelectorAll(".notebook .state")].some((state) => state.textContent));
  await idle();
}

async function saved() {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: ".ipynb", exact: true }).click()]);
  return JSON.parse(readFileSync(await file.path(), "utf8"));
}

test("cells run one after the other in one interpreter, and each shows what it gives", async () => {
  await begin();
  await give([
    text("# A title <img src=x onerror=alert(1)>"),
    code("import torch\nx = torch.arange(3)\nx"),
    code("print(x + 1)\nx.sum()"),
    code("import matplotlib.pyplot as plt\nplt.plot([1, 2, 3])\nplt.show()"),
    code("import pandas as pd\npd.DataFrame({'a': [1, 2]})"),
    code("%matplotlib inline\n%%nothing"),
    code("!pip install torch"),
  ]);
  await runAll();
  assert.match(await log(1).innerText(), /tensor\(\[0, 1, 2\]\)/);
  assert.match(await log(2).innerText(), /tensor\(\[1, 2, 3\]\)\s+tensor\(3\)/);
  assert.equal(await state(2).innerText(), "In [2]");
  assert.equal(await log(3).locator("img.figure").count(), 1);
  assert.match(await log(4).innerText(), /a\s+0\s+1\s+1\s+2/);
  // Nothing of a notebook becomes HTML.
  assert.equal(await page.locator(".notebook img[src=x]").count(), 0);
  assert.deepEqual(page.problems, []);
});

test("texts are drawn from Markdown, nothing of them is HTML, and they can be edited", async () => {
  const words = cell(0).locator("markdown-text");
  assert.equal(await words.locator("h3").innerText(), "A title");
  await give([
    text("## Aim\n\n- *one* &lt; `x < 2`\n- [link](https://example.com) and [none](javascript:alert(1))\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<script>alert(1)</script><div onclick=x>in a tag</div>\n\n![far](https://example.com/a.png)"),
    code("1"),
  ]);
  await words.locator("table").waitFor();
  assert.deepEqual(await words.locator("li").allInnerTexts(), ["one < x < 2", "link and none"]);
  assert.deepEqual(await words.locator("a").evaluateAll((links) => links.map((link) => link.href)), ["https://example.com/"]);
  assert.deepEqual(await words.locator("td").allInnerTexts(), ["1", "2"]);
  assert.equal(await words.locator("script, div[onclick], img").count(), 0);
  assert.match(await words.innerText(), /in a tag[\s\S]*far/);
  await cell(0).getByRole("button", { name: "Edit" }).click();
  await cell(0).getByRole("textbox").fill("# New words");
  await page.keyboard.press("Shift+Enter");
  await words.getByRole("heading", { name: "New words" }).waitFor();
  assert.equal((await saved()).cells[0].source.join(""), "# New words");
  assert.deepEqual(page.problems, []);
});

test("it is saved as a notebook with its outputs, and loses nothing", async () => {
  await give([text("words"), code("import torch\nx = torch.arange(3)"), code("print(x + 1)\nx.sum()"), code("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()")]);
  await runAll();
  const notebook = await saved();
  assert.equal(notebook.nbformat, 4);
  assert.deepEqual(notebook.metadata, { own: 1 });
  assert.equal(notebook.cells[0].cell_type, "markdown");
  assert.equal(notebook.cells[2].execution_count, 2);
  assert.equal(notebook.cells[2].outputs[0].text.join(""), "tensor([1, 2, 3])\n");
  assert.equal(notebook.cells[2].outputs[1].output_type, "execute_result");
  assert.ok(notebook.cells[3].outputs.some((output) => output.data?.["image/svg+xml"]));
});

test("an error stays in its cell, the cells after it don't run, and variables stay", async () => {
  await give([code("a = 20"), code("1 / 0"), code("print(a + 1)")]);
  await runAll();
  assert.match(await log(1).innerText(), /ZeroDivisionError/);
  assert.equal(await log(2).count(), 0);
  await cell(2).getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("21", { exact: true }).waitFor();
  assert.equal((await saved()).cells[1].outputs[0].ename, "ZeroDivisionError");
});

test("Stop ends an endless cell, and the cells after it don't begin", async () => {
  await give([code("b = 7"), code("print('begun')\nwhile True:\n    pass"), code("print(b)")]);
  await page.getByRole("button", { name: "Run all" }).click();
  await log(1).getByText("begun").waitFor();
  await page.locator(".notebook button.stop").click();
  await idle();
  assert.match(await log(1).innerText(), /KeyboardInterrupt/);
  assert.equal(await log(2).count(), 0);
  await cell(2).getByRole("button", { name: "Run", exact: true }).click();
  await log(2).getByText("7", { exact: true }).waitFor();
});

test("Restart forgets variables", async () => {
  await page.getByRole("button", { name: "Restart" }).click();
  await cell(2).getByRole("button", { name: "Run", exact: true }).click();
  await log(2).getByText("NameError").first().waitFor();
});

test("by keyboard: Shift+Enter runs a cell and goes on; cells are added and deleted", async () => {
  await give([code("c = 5"), code("c * 2")]);
  await cell(0).getByRole("textbox").focus();
  await page.keyboard.press("Shift+Enter");
  await state(0).getByText("In [1]").waitFor();
  await page.waitForFunction(() => document.activeElement?.closest(".cell") === document.querySelectorAll(".notebook .cell")[1]);
  await page.keyboard.press("Control+Enter");
  await log(1).getByText("10", { exact: true }).waitFor();
  await cell(1).getByRole("button", { name: "Add below" }).click();
  assert.equal(await page.locator(".notebook .cell").count(), 3);
  await cell(2).getByRole("button", { name: "Delete" }).click();
  assert.equal(await page.locator(".notebook .cell").count(), 2);
});

test("a mistake's card is in its cell, and its edit changes that cell", async () => {
  await give([code("import torch\nx = torch.ones(3, device='cuda')"), code("y = torch.ones(3)\nx + y"), code("y.device")]);
  await runAll();
  const card = cell(1).locator(".card");
  await card.waitFor();
  assert.equal(await page.locator(".notebook .card").count(), 1);
  await page.locator(".yard button", { hasText: /^x/ }).first().waitFor();
  await card.getByRole("row", { name: /^x/ }).getByRole("button", { name: "created in line 2" }).click();
  await cell(0).locator(".cm-focus-line").waitFor();
  await card.getByRole("button", { name: "Try it" }).first().click();
  await state(1).getByText("In [3]").waitFor();
  await idle();
  assert.match((await saved()).cells[1].source.join(""), /y\.to\(x\.device\)/);
  assert.match(await log(1).innerText(), /tensor\(\[2\., 2\., 2\.\], device='cuda:0'\)/);
});

test("a tensor's line is marked in the cell that made it, and a move by hand is a new cell", async () => {
  await give([code("import torch\n\nkept = torch.ones(4)"), code("1\n2\n3")]);
  await runAll();
  await page.locator(".yard button", { hasText: "kept" }).first().click();
  await cell(0).locator(".cm-focus-line").waitFor();
  assert.equal(await cell(1).locator(".cm-focus-line").count(), 0);
  await page.getByRole("button", { name: "cuda:0", exact: true }).first().click();
  await page.locator(".notebook .cell").nth(2).waitFor();
  await state(2).getByText("In [3]").waitFor();
  assert.equal((await saved()).cells[2].source.join(""), 'kept = kept.to("cuda:0")');
  assert.deepEqual(page.problems, []);
});

test("nothing of it is lost by another program, a lesson or a reload", async () => {
  await give([text("mine"), code("print('kept')")]);
  await runAll();
  await cell(1).getByRole("textbox").fill("print('edited')");
  await page.locator("#example").selectOption("out-of-memory");
  await page.locator("#program code-editor").waitFor();
  await run(page, { machine: "cuda:1" });
  await page.locator("#example").selectOption("notebook");
  await log(1).getByText("kept").waitFor();
  await page.goto(`${server.address}#/lesson/same-device-rule`);
  await page.locator(".step-title").first().waitFor();
  await page.goto(`${server.address}#/play`);
  await log(1).getByText("kept").waitFor();
  await page.reload({ waitUntil: "load" });
  await ready(page);
  await page.locator(".notebook .cell").nth(1).waitFor();
  await page.locator(".files summary").click();
  assert.deepEqual((await saved()).cells.map((cell) => cell.source.join("")), ["mine", "print('edited')"]);
  await page.locator("#example").selectOption("out-of-memory");
  await page.reload({ waitUntil: "load" });
  await ready(page);
  assert.equal(await page.locator(".notebook").count(), 0, "an example that was chosen stays chosen");
  await page.locator("#example").selectOption("notebook");
  await page.locator(".notebook .cell").nth(1).waitFor();
  await page.locator(".files summary").click();
  assert.deepEqual(page.problems, []);
});

test("a notebook of a thousand cells opens, and one of many more is refused", async () => {
  await give(Array.from({ length: 1000 }, (_, n) => code(`${n}`)));
  await cell(999).getByRole("button", { name: "Run", exact: true }).click();
  await log(999).getByText("999").waitFor();
  const many = ipynb("many.ipynb", Array.from({ length: 2001 }, () => code("1")));
  await page.getByLabel("Open a .py, .ipynb or .pt").setInputFiles(many);
  await page.getByText("This notebook has more than 2000 cells.").waitFor();
  assert.equal(await page.locator(".notebook .cell").count(), 1000);
});

test("axe finds nothing, wide and narrow, light and dark", async () => {
  await give([text("# Words"), code("import matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.show()\n'shown'"), code("1 / 0")]);
  await runAll();
  const wrong = [];
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      wrong.push(...(await violations(page)).map((fault) => `${width}, ${colorScheme}: ${fault}`));
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) wrong.push(`${width}: ${over} pixels too wide`);
      if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `notebook-${width}-${colorScheme}.png`), fullPage: true });
    }
  }
  assert.deepEqual(wrong, []);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
});

test("a program may be a folder: it imports and reads its other files", async () => {
  await begin();
  const folder = mkdtempSync(join(tmpdir(), "program-"));
  try {
    mkdirSync(join(folder, "pkg"));
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "main.py"), "import helper_functions\nfrom pkg import inner\nprint(helper_functions.twice(21), inner.WORD, open('data/a.txt').read())\n");
    writeFileSync(join(folder, "helper_functions.py"), "def twice(x):\n    return 2 * x\n");
    writeFileSync(join(folder, "pkg", "__init__.py"), "");
    writeFileSync(join(folder, "pkg", "inner.py"), "WORD = 'within'\n");
    writeFileSync(join(folder, "data", "a.txt"), "read");
    await page.getByLabel("Open a folder with a program").setInputFiles(folder);
    await page.getByText("helper_functions.py").first().waitFor();
    assert.match(await run(page, { machine: "cpu" }), /42 within read/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("files that are added later are found by a notebook's next cell", async () => {
  await give([code("import helper_functions\nhelper_functions.NUMBER")]);
  await page.getByLabel("Add files that the program reads or imports").setInputFiles({ name: "helper_functions.py", mimeType: "text/x-python", buffer: Buffer.from("NUMBER = 11\n") });
  await page.locator(".files [role=status]").filter({ hasText: "Your program finds these files: helper_functions.py." }).waitFor();
  await runAll();
  assert.match(await log(0).innerText(), /^11$/m);
  assert.deepEqual(page.problems, []);
});
