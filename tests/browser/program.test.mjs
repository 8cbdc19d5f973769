// A learner's training program in a real browser: on WebGPU, on the CPU, and without JavaScript Promise Integration.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { readFileSync } from "node:fs";
import { launch, open, ready, run, serve, write } from "./harness.mjs";

const text = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
const program = text("programs/training_day.py");
const onCpu = text("oracle/training_day.cpu.txt");
const onCuda = text("oracle/training_day.cuda.txt");

const lines = (s) => s.trim().split("\n");
const losses = (s) => [...s.matchAll(/(?:loss|error) (\d+\.\d+)/g)].map((m) => Number(m[1]));
/** Everything except the digits of computed values, which differ in the last place between kernels. */
const shape = (s) => lines(s).map((line) => line.replace(/(loss|error) \d+\.\d+/, "$1 #"));

function assertPrinted(printed, expected, tolerance) {
  assert.deepEqual(shape(printed), shape(expected));
  losses(expected).forEach((value, i) => {
    assert.ok(Math.abs(losses(printed)[i] - value) <= tolerance, `${losses(printed)[i]} against ${value}`);
  });
}

const CLOCKS = `import time, torch
names = ["time", "monotonic", "perf_counter", "process_time", "thread_time"]
still = []
for name in names + [name + "_ns" for name in names]:
    clock = getattr(time, name)
    readings = [clock() for _ in range(300)]
    if any(b <= a for a, b in zip(readings, readings[1:])):
        still.append(name)
took = []
for _ in range(20):
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    x = torch.ones(8, device="cuda") * 2
    end.record()
    end.synchronize()
    took.append(start.elapsed_time(end))
print(still, min(took) > 0)
`;

const settings = [
  { name: "WebGPU on", webgpu: true, jspi: true, engine: /webgpu/i },
  { name: "WebGPU off", webgpu: false, jspi: true, engine: /cpu/i },
  { name: "no promise integration", webgpu: true, jspi: false, engine: /cpu/i },
];

for (const { name, webgpu, jspi, engine } of settings) {
  describe(name, () => {
    let server, browser, page;
    before(async () => {
      server = await serve();
      browser = await launch({ webgpu });
      page = await open(browser, server.address, "#/play", { jspi });
    });
    after(async () => {
      await browser?.close();
      server?.close();
    });

    test("the page says what executes", async () => {
      assert.match(await ready(page), engine);
    });

    test("the training program on one GPU prints what PyTorch prints", async () => {
      await write(page, program);
      const printed = await run(page, { machine: "cuda:1", executor: "auto" });
      assertPrinted(printed, onCuda, 1e-4);
      // The page says what is simulated.
      const simulated = page.getByText("GPUs simulated by this computer's CPU");
      assert.equal((await simulated.count()) > 0, engine.test("cpu"));
    });

    // Browsers read their clocks in steps of up to a millisecond, and programs divide by what lies between two readings.
    test("no clock stands still, and what the GPU does takes time", async () => {
      await write(page, CLOCKS);
      assert.equal((await run(page, { machine: "cuda:1", executor: "auto" })).trim(), "[] True");
    });

    test("the training program without a GPU prints PyTorch's numbers to 4 decimals", async () => {
      await write(page, program);
      const printed = await run(page, { machine: "cpu" });
      assert.equal(printed.trim(), onCpu.trim());
    });

    test("a mistake shows PyTorch's text and an explanation", async () => {
      await write(page, 'import torch\nx = torch.ones(3)\ny = torch.ones(3, device="cuda")\nprint(x + y)\n');
      const printed = await run(page, { machine: "cuda:1" });
      assert.match(
        printed,
        /RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!/,
      );
      assert.match(printed, /line 4/);
      await page.getByRole("heading", { name: /Why this happened/ }).waitFor();
    });

    test("no script error, no policy violation, no other host", () => {
      assert.deepEqual(page.problems, []);
    });
  });
}
