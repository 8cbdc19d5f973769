// Libraries that most programs never import, such as NumPy: each is fetched when a program first imports it, and once.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eventually, launch, open, ready, run, serve, write } from "./harness.mjs";

let browser;
let server;

before(async () => {
  [server, browser] = [await serve(), await launch({ webgpu: false })];
});

after(async () => {
  await browser.close();
  server.close();
});

const fetched = (page) => page.requests.filter((url) => url.includes("/library/")).map((url) => url.split("/library/")[1].split("-")[0]);

test("a library comes when a program first imports it, and stays for the next program", { timeout: 180_000 }, async () => {
  const page = await open(browser, server.address);
  await ready(page);
  await write(page, "import torch, json, random, dataclasses, pathlib\nprint(torch.ones(2).sum().item())\n");
  assert.match(await run(page, { machine: "cpu" }), /2\.0/);
  assert.deepEqual(fetched(page), []);
  const program = "import numpy as np\nfrom torch.distributions import Normal\nprint(np.arange(3).sum(), Normal(0, 1).mean.item(), np)\n";
  await write(page, program);
  for (let times = 0; times < 2; times += 1) {
    assert.match(await run(page), /3 0\.0 <module 'numpy' \(frozen\)>/);
    await eventually(() => fetched(page).sort(), ["numpy", "torch.distributions"]);
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a library that cannot be fetched ends the import with a reason, and the next run tries again", { timeout: 180_000 }, async () => {
  const page = await open(browser, server.address);
  await ready(page);
  let answer = (route) => route.abort();
  await page.route("**/library/**", (route) => answer(route));
  await write(page, "try:\n    import numpy\nexcept ImportError as error:\n    print(error.name, error)\nimport decimal\n");
  const said = await run(page, { machine: "cpu" });
  assert.match(said, /numpy numpy could not be loaded: its file can't be fetched\. Is there a network\?/);
  assert.match(said, /ImportError: decimal could not be loaded/);
  answer = (route) => (route.request().url().includes("numpy") ? route.fulfill({ status: 404, body: "" }) : route.continue());
  await write(page, "import decimal\nprint(decimal.Decimal('0.1') * 3)\nimport numpy\n");
  const again = await run(page);
  assert.match(again, /0\.3\n/);
  assert.match(again, /numpy could not be loaded: its file is not there \(404\)\. Reload the page/);
  await page.context().close();
});
