// A full storage, a hostile host, an endless program, a file that is too large: the page shows a sentence and continues to
// work.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { eventually, launch, open, output, ready, run, serve, toEnd, write } from "./harness.mjs";

const LESSON = "same-device-rule";

let server, browser, host;
const pages = new Map();
before(async () => {
  server = await serve();
  browser = await launch({ webgpu: false });
  const http = createServer((request, response) => {
    response.writeHead(200, { "Content-Type": "text/html" });
    response.end(pages.get(request.url) ?? "");
  });
  await new Promise((done) => http.listen(0, "127.0.0.1", done));
  host = { address: `http://localhost:${http.address().port}`, close: () => http.close() };
});
after(async () => {
  await browser?.close();
  server?.close();
  host?.close();
});

/** A page of another site. */
async function visit(html) {
  pages.set("/host", `<!doctype html><html lang="en"><title>host</title>${html.replaceAll("HOME/", server.address)}`);
  const page = await (await browser.newContext({ locale: "en-US" })).newPage();
  page.requests = [];
  page.problems = [];
  page.on("request", (request) => page.requests.push(request.url()));
  page.on("pageerror", (error) => page.problems.push(String(error)));
  await page.goto(`${host.address}/host`);
  return page;
}

const wide = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test("with a full storage a step keeps the latest program, and says that it will not outlive the page", async () => {
  const page = await open(browser, server.address, `#/lesson/${LESSON}`);
  await write(page, "old = 1\n");
  await page.evaluate(() => {
    for (let size = 1 << 20; size > 0; size >>= 1) {
      try {
        for (let i = 0; ; i += 1) localStorage.setItem(`fill.${size}.${i}`, "x".repeat(size));
      } catch {
        // Fills the storage, with smaller and smaller pieces at the end.
      }
    }
  });
  const latest = `new = "${"y".repeat(4000)}"\n`;
  await write(page, latest);
  await page.getByText("This browser isn't saving anything for this page").waitFor();
  await page.locator(".steps li:nth-child(2) button").click();
  await page.locator(".steps li:nth-child(2) button[aria-current=step]").waitFor();
  await page.locator(".steps li:nth-child(1) button").click();
  await page.locator(".steps li:nth-child(1) button[aria-current=step]").waitFor();
  assert.equal(await page.getByLabel("Python program").inputValue(), latest);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a reload brings the program of its own tab, and a new tab the latest", async () => {
  const first = await open(browser, server.address, "#/play");
  await write(first, "mine = 1\n");
  const second = await first.context().newPage();
  await second.goto(`${server.address}#/play`);
  await write(second, "other = 2\n");
  await first.reload();
  const third = await first.context().newPage();
  await third.goto(`${server.address}#/play`);
  const programs = [first, second, third].map((tab) => tab.getByLabel("Python program").inputValue());
  assert.deepEqual(await Promise.all(programs), ["mine = 1\n", "other = 2\n", "other = 2\n"]);
  assert.deepEqual(first.problems, []);
  await first.context().close();
});

test("the memory map draws a tensor whose bytes times twelve are beyond 32 bits", async () => {
  const page = await open(browser, server.address, "#/play");
  await ready(page);
  await write(page, 'import torch\nlarge = torch.empty(400, 1024, 256, device="cuda")\n');
  await run(page, { machine: "cuda:1" });
  await page.getByRole("tab", { name: "Memory map" }).click();
  await page.locator(".map .strip button", { hasText: "large" }).waitFor({ timeout: 30_000 });
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a host that says hello and sends commands without end is answered once, and the lesson starts", async () => {
  const page = await visit(`<iframe title="lesson" src="HOME/embed.html#lesson=${LESSON}" width="900" height="700"></iframe>`);
  const frame = page.locator("iframe").contentFrame();
  await frame.getByRole("button", { name: "Start this lesson" }).waitFor();
  // The answer with the lesson's origins is delayed.
  await frame.locator("html").evaluate(() => {
    const own = fetch;
    globalThis.asked = 0;
    globalThis.fetch = async (...given) => {
      globalThis.asked += 1;
      await new Promise((done) => setTimeout(done, 2000));
      return own(...given);
    };
  });
  await page.evaluate(() => {
    const inner = document.querySelector("iframe").contentWindow;
    globalThis.heard = [];
    for (let i = 0; i < 3000; i += 1) {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => globalThis.heard.push([i, data.type]);
      inner.postMessage({ tensoryard: 1, type: "hello", id: i, data: { theme: "light", lang: '"><script>' } }, "*", [port2]);
      for (const type of ["restore", "step", "reset", "stop"]) {
        port1.postMessage({ tensoryard: 1, type, id: i, data: { state: "x".repeat(1000), step: i } });
      }
      globalThis.first ??= port1;
    }
    for (let i = 0; i < 20_000; i += 1) globalThis.first.postMessage({ tensoryard: 1, type: "step", id: i, data: { step: i } });
  });
  await page.waitForFunction(() => globalThis.heard.length > 0);
  await page.waitForTimeout(1000);
  assert.deepEqual([...new Set((await page.evaluate(() => globalThis.heard)).map(([i]) => i))], [0]);
  const asked = await frame.locator("html").evaluate(() => globalThis.asked);
  assert.ok(asked <= 5, `the lesson was asked about ${asked} times`);
  await frame.getByRole("button", { name: "Start this lesson" }).click();
  await frame.locator(".step-title").waitFor({ timeout: 60_000 });
  assert.equal(await frame.locator("html").getAttribute("lang"), "en");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("markup in an attribute and a path for a lesson are words, not markup and no path", async () => {
  const harm = `&quot;&gt;&lt;img src=x onerror=&quot;parent.harm=1&quot;&gt;`;
  const page = await visit(`<script type="module" src="HOME/element.js"></script>
    <tensoryard-lesson lesson="../../${harm}" lang="${harm}" theme="${harm}" title="${harm}" keep="${harm}" load="eager"></tensoryard-lesson>
    <iframe title="lesson" src="HOME/embed.html#lesson=..%2F..%2Fapp&theme=%3Cimg%3E&lang=__proto__"></iframe>`);
  for (const frame of [page.locator("tensoryard-lesson iframe"), page.locator("body > iframe")].map((f) => f.contentFrame())) {
    await frame.getByRole("alert").filter({ hasText: /no (such )?lesson/ }).waitFor({ timeout: 60_000 });
    assert.equal(await frame.locator("body :is(img, script)").count(), 0);
    assert.equal(await frame.locator("html").getAttribute("lang"), "en");
    assert.equal(await frame.locator("html").getAttribute("data-theme"), "auto");
  }
  assert.equal(await page.evaluate(() => globalThis.harm), undefined);
  assert.deepEqual(page.requests.filter((address) => /posters\/.*(\.\.|app)|%3C|img/.test(address.split("#")[0])), []);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("programs without measure leave a page that can be read and goes on", async () => {
  const page = await open(browser, server.address, "#/play");
  await ready(page);
  // Millions of lines at once: the page shows the last ones, and says that there were more.
  await write(page, 'print("line\\n" * 3_000_000)\nprint("the end")\n');
  assert.match(await run(page), /line\nline\n\n?the end\n$/);
  await page.getByText("This is the latest part of a long output.").waitFor();
  const shown = await page.locator(".log").evaluate((log) => log.textContent.length);
  assert.ok(shown > 100_000 && shown <= 200_000, `${shown} characters`);
  await write(page, 'raise ValueError("y" * 3_000_000)\n');
  assert.ok((await run(page)).length <= 200_000);
  // Names that are wider than the screen.
  const long = "v".repeat(3000);
  await write(page, `import torch\n${long} = torch.ones(3, device="cuda")\n${long}.to("cpu")\nx = torch.ones(3)\nx + ${long}\n`);
  await run(page, { machine: "cuda:1" });
  await page.locator(".yard .block button").last().click();
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    for (const tab of ["Memory map", "nvidia-smi", "Cost of this run"]) {
      await page.getByRole("tab", { name: tab }).click();
      await eventually(() => wide(page), 0, `${tab} at ${width} pixels`);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  // Deeper than the engine's stack: compiled code gets Python's error. If the interpreter itself has no guard, the engine
  // crashes; the page says so and restarts it.
  await write(page, 'exec("x = " + "-" * 200_000 + "1")\n');
  assert.match(await run(page), /RecursionError: maximum recursion depth exceeded during compilation/);
  await write(page, "it = iter([1])\nfor _ in range(100_000): it = map(int, it)\nnext(it)\n");
  await page.getByRole("button", { name: /^Run\b/ }).first().click();
  await page.getByRole("alert").filter({ hasText: "more deeply than this browser allows" }).waitFor({ timeout: 60_000 });
  await ready(page);
  await write(page, 'print("alive")\n');
  assert.match(await run(page), /alive/);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("numbers beyond 32 bits are right or refused, and never cut", async () => {
  // Each expression with the result of 64-bit PyTorch, or null if that depends on the size of memory.
  const table = JSON.parse(readFileSync(new URL("../programs/sizes_32_bits.json", import.meta.url), "utf8"));
  const page = await open(browser, server.address, "#/play");
  await ready(page);
  const list = JSON.stringify(table.map(([expression]) => expression));
  await write(page, `import torch
import torch.nn.functional as F
m = torch.arange(12.).reshape(3, 4)
for expression in ${list}:
    try:
        print("=", " ".join(str(eval(expression)).split()))
    except Exception as error:
        print("=", type(error).__name__ + ": " + str(error).splitlines()[0])
`);
  const answers = (await run(page)).split("\n").filter((line) => line.startsWith("= ")).map((line) => line.slice(2));
  assert.equal(answers.length, table.length);
  const wrong = table.flatMap(([expression, right], i) => {
    const refused = answers[i].startsWith("RuntimeError: ");
    const same = answers[i] === right || (refused && !right?.includes("Error: "));
    return same ? [] : [`${expression}: ${answers[i]}, and not ${right}`];
  });
  assert.deepEqual(wrong, []);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a notebook full of images is opened; what is too large says how large it may be", async () => {
  const page = await open(browser, server.address, "#/play");
  await page.getByText("Files and links").click();
  const give = (name, buffer) => page.setInputFiles(".files input[type=file]", { name, mimeType: "application/json", buffer });
  const notebook = (source, drawn) => {
    const output = { output_type: "display_data", metadata: {}, data: { "image/png": "A".repeat(drawn), "text/html": "<img src=x onerror=alert(1)>" } };
    return Buffer.from(JSON.stringify({ cells: [{ cell_type: "code", source, metadata: {}, outputs: [output] }], nbformat: 4 }));
  };
  await give("n.ipynb", notebook("print('from a notebook')", 5 << 20));
  await page.waitForFunction(() => document.querySelector(".notebook code-editor")?.value === "print('from a notebook')");
  await give("n.ipynb", notebook("x", 33 << 20));
  await page.getByText("This notebook is larger than 32 MiB.").waitFor();
  await give("p.py", Buffer.alloc(600 << 10, 35));
  await page.getByText("This program is larger than 512 KiB.").waitFor();
  const images = await page.locator("main img").evaluateAll((all) => all.map((image) => image.src.slice(0, 15)));
  assert.deepEqual(images, ["data:image/png;"], "nothing of the notebook becomes markup");
  assert.equal(await page.locator(".notebook .cell").count(), 1, "what is refused costs nothing");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("selected devices are drawn as the machine's cards that they are", async () => {
  const page = await open(browser, server.address, "#/play");
  await ready(page);
  const select = (value) => `import os
os.environ["CUDA_VISIBLE_DEVICES"] = "${value}"
import torch
x = torch.ones(1 << 20, device="cuda")
print(torch.cuda.device_count())
`;
  const yards = () => page.locator(".yard").evaluateAll((all) => all.map((yard) => yard.querySelector("header").innerText.replace(/\s+/g, " ")));
  await write(page, select("3"));
  assert.match(await run(page, { machine: "cuda:4" }), /^1\n/);
  await toEnd(page);
  assert.deepEqual(await yards(), ["cpu the computer's own processor and memory 0 tensors", "cuda:0 NVIDIA A100-SXM4-80GB (simulated), the machine's GPU 3 1 tensor"]);
  // The lanes are drawn a few times a second.
  await eventually(() => page.locator(".lane-row").count(), 3);
  await page.getByRole("tab", { name: "nvidia-smi" }).click();
  // `nvidia-smi` numbers the machine's cards.
  const used = [...(await page.locator(".smi pre").innerText()).matchAll(/(\d+)MiB \/ +\d+MiB/g)].map(([, mib]) => Number(mib));
  assert.deepEqual(used.map((mib) => mib > 0), [false, false, false, true]);
  await write(page, select(""));
  assert.match(await run(page), /RuntimeError/);
  await eventually(yards, ["cpu the computer's own processor and memory 0 tensors"]);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
