// What can disappear during a run: the GPU, the worker, the engine. Each loss is explained in a sentence and the missing part
// is replaced. The program, its output and the learner's work stay.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eventually, finished, launch, open, output, ready, run, serve, write } from "./harness.mjs";

let server;
before(async () => {
  server = await serve();
});
after(() => server?.close());

const editor = (page) => page.getByLabel("Python program").inputValue();
const runButton = (page) => page.getByRole("button", { name: /^Run\b/ }).first();
const chip = (page) => page.locator(".chip.engine");

/** Ends the browser's GPU process, like a crash of the driver. */
async function killGpu(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const gpu = processInfo.find(({ type }) => type === "GPU");
  assert.ok(gpu, "no GPU process");
  process.kill(gpu.id, "SIGKILL");
  await session.detach();
}

const COUNTING = `import torch, time
x = torch.ones(1000, device="cuda")
for i in range(600):
    x = x + 1
    print(i, x.sum().item())
    time.sleep(0.1)
`;

const SUM = 'import torch\nprint("sum", torch.ones(3, device="cuda").sum().item())\n';

const lost = (page) =>
  page.waitForFunction(() => document.querySelector(".chip.engine").textContent.includes("GPU lost"), undefined, { timeout: 30_000 });

/** A browser stops restarting its GPU process after a few crashes, so each case has its own browser. */
async function withGpu(what) {
  const browser = await launch();
  try {
    const page = await open(browser, server.address);
    assert.match(await ready(page), /WebGPU/);
    await page.locator("#machine").selectOption("cuda:1");
    await what(page, browser);
    assert.deepEqual(page.problems, []);
  } finally {
    await browser.close();
  }
}

async function another(page) {
  await write(page, SUM);
  assert.match(await run(page), /^sum 3\.0/);
  assert.match(await ready(page), /WebGPU/);
  assert.match(await page.locator(".devices h2 small").innerText(), /WebGPU/);
}

test("a GPU that is lost under a program is said to be lost, and the next run has another", () =>
  withGpu(async (page, browser) => {
    await write(page, COUNTING);
    await runButton(page).click();
    await page.waitForFunction(() => document.querySelector(".log").textContent.includes("5 7000.0"), undefined, { timeout: 60_000 });
    await killGpu(browser);
    await finished(page, 60_000);
    assert.match(await output(page), /0 2000\.0\n1 3000\.0[^]*AcceleratorError/);
    assert.equal(await editor(page), COUNTING);
    await lost(page);
    await page.getByText("The browser lost the GPU, and with it every tensor on it.").waitFor();
    await another(page);
  }));

test("a GPU that is lost while nothing runs is noticed, and the next run has another", () =>
  withGpu(async (page, browser) => {
    await another(page);
    await killGpu(browser);
    await lost(page);
    await another(page);
  }));

test("where no other GPU can be had the run says so, and the CPU executor is the way out", () =>
  withGpu(async (page, browser) => {
    await page.workers()[0].evaluate(() => {
      navigator.gpu.requestAdapter = async () => null;
    });
    await killGpu(browser);
    await lost(page);
    await write(page, SUM);
    const said = await run(page);
    assert.match(said, /Your program didn't run: the browser lost the GPU .* choose “This computer's CPU” under “Computed by”/);
    assert.doesNotMatch(said, /sum/);
    assert.match(await chip(page).innerText(), /GPU lost/);
    assert.match(await run(page, { executor: "cpu" }), /^sum 3\.0/);
    assert.match(await page.locator(".devices h2 small").innerText(), /simulated by this computer's CPU/);
  }));

test("a worker that the browser ended is replaced, at rest and when a run is given to it", async () => {
  const browser = await launch({ webgpu: false });
  try {
    const page = await open(browser, server.address);
    await ready(page);
    const code = 'print("still", "here")\n';
    await write(page, code);
    const end = async () => {
      // The browser tells a little later that the worker before this one is gone.
      await eventually(() => page.workers().length, 1);
      await page.workers()[0].evaluate(() => self.close()).catch(() => {});
    };
    const gone = page.getByText("The engine stopped answering, so a new one was started. Your program hasn't changed.");
    await end();
    await gone.waitFor({ timeout: 60_000 });
    await ready(page);
    assert.match(await run(page), /^still here/);
    assert.equal(await gone.count(), 0);
    await end();
    await runButton(page).click();
    await page.getByText("still here").waitFor({ timeout: 60_000 });
    await gone.waitFor();
    assert.equal(await editor(page), code);
    assert.deepEqual(page.problems, []);
  } finally {
    await browser.close();
  }
});

// Between two runs the engine makes an interpreter, and can't answer meanwhile.
test("an engine that needs long to prepare for the next run is waited for", async () => {
  const browser = await launch({ webgpu: false });
  try {
    const page = await open(browser, server.address, "#/about");
    await page.route(/\/boot\.js/, async (route) => {
      const response = await route.fetch();
      // As on a machine that is twenty times as slow.
      const body = (await response.text()).replace(
        "const post = (json) => self.postMessage(json);",
        `const post = (json) => {
          const until = performance.now() + (json.includes('"prepared"') ? 18_000 : 0);
          while (performance.now() < until);
          self.postMessage(json);
        };`,
      );
      assert.match(body, /18_000/);
      await route.fulfill({ response, body });
    });
    await page.evaluate(() => (location.hash = "#/play"));
    await page.reload();
    await ready(page);
    await write(page, 'print("first")\n');
    assert.match(await run(page), /^first/);
    await write(page, 'print("second")\n');
    assert.match(await run(page), /^second/);
    assert.equal(await page.getByText("The engine stopped answering").count(), 0);
    assert.deepEqual(page.problems, []);
  } finally {
    await browser.close();
  }
});

test("a mistake of the engine's own leaves program, output and progress, and a report", async () => {
  const browser = await launch({ webgpu: false });
  try {
    const page = await open(browser, server.address, "#/lesson/same-device-rule");
    await ready(page);
    await page.locator(".step-title").waitFor();
    // Without the attempts, which each run adds to.
    const kept = async () => {
      const entries = await page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.includes("progress")));
      return entries.map(([key, value]) => [key, { ...JSON.parse(value), work: undefined }]);
    };
    const before = await kept();
    // Bytecode that no compiler makes: it crashes the interpreter.
    const code = `print("printed before it")
code = (lambda: 0).__code__
exec(code.replace(co_code=b"\\xff" * 20))
`;
    for (let turn = 0; turn < 2; turn += 1) {
      await write(page, code);
      await runButton(page).click();
      const notice = page.getByRole("alert").filter({ hasText: "because of a mistake in Tensoryard, not in your program" });
      await notice.waitFor({ timeout: 60_000 });
      assert.match(await notice.locator("pre").innerText(), /panicked at/);
      await notice.getByRole("button", { name: "Copy the report" }).waitFor();
      await eventually(() => output(page), /printed before it\n[^]*The engine ended here/);
      assert.equal(await editor(page), code);
      await ready(page);
      await write(page, 'print("alive")\n');
      assert.match(await run(page), /^alive/);
      assert.equal(await notice.count(), 0);
    }
    assert.deepEqual(await kept(), before);
    assert.deepEqual(page.problems, []);
  } finally {
    await browser.close();
  }
});

test("a run that a broken engine never began is begun by the next one", async () => {
  const browser = await launch({ webgpu: false });
  try {
    const page = await open(browser, server.address);
    // The page's first engine breaks when it's asked to run, before it says that the run has started.
    let engines = 0;
    await page.route(/\/boot\.js/, async (route) => {
      engines += 1;
      const response = await route.fetch();
      const body = await response.text();
      const broken = body.replace("await run(data);", 'if (message.type === "run") throw new Error("out of order");\n      await run(data);');
      assert.notEqual(broken, body);
      await route.fulfill({ response, body: engines === 1 ? broken : body });
    });
    await page.reload();
    await ready(page);
    await write(page, 'print("begun", 6 * 7)\n');
    await runButton(page).click();
    await page.getByRole("alert").filter({ hasText: "because of a mistake in Tensoryard, not in your program" }).waitFor();
    await finished(page, 60_000);
    assert.match(await output(page), /^begun 42\n/);
    assert.doesNotMatch(await output(page), /The engine ended here/);
    assert.equal(engines, 2);
    assert.deepEqual(page.problems, []);
  } finally {
    await browser.close();
  }
});

test("a page that ends over a mistake of its own says so, and is whole after a reload", async () => {
  const browser = await launch({ webgpu: false });
  try {
    const page = await open(browser, server.address);
    await ready(page);
    const code = 'print("kept over a reload")\n';
    await write(page, code);
    // If the browser refuses this, nothing of the page can be drawn.
    await page.evaluate(() => {
      Node.prototype.cloneNode = () => {
        throw new Error("refused");
      };
    });
    await page.getByRole("link", { name: "Teach" }).click();
    const notice = page.locator(".last-words");
    await notice.waitFor();
    assert.match(await notice.innerText(), /This page stopped because of a mistake in Tensoryard\. Reload it[^]*panicked at/);
    await page.evaluate(() => {
      location.hash = "#/play";
    });
    await page.reload();
    await ready(page);
    assert.equal(await editor(page), code);
  } finally {
    await browser.close();
  }
});
