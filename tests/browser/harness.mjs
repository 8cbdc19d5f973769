// Drives the built playground in Debian's Chromium: one server and one browser for each test file.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../../", import.meta.url));
export const bin = process.env.TENSORYARD_BIN ?? `${root}target/release/tensoryard`;
export const dist = process.env.TENSORYARD_DIST ?? `${root}dist`;

/** Starts `tensoryard serve` on a free port. Returns its address and a function that ends it. */
export async function serve() {
  const server = spawn(bin, ["serve", "--port", "0", "--dir", dist], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: server.stdout });
  const address = await new Promise((found, failed) => {
    lines.on("line", (line) => {
      const match = /http:\/\/127\.0\.0\.1:\d+\//.exec(line);
      if (match) found(match[0]);
    });
    server.on("exit", (code) => failed(new Error(`tensoryard serve ended with ${code}`)));
  });
  return { address, close: () => server.kill() };
}

/** A name for this machine that a browser launched with `secure` treats as another machine, whose pages it trusts. */
export const ELSEWHERE = "yard.example";

/**
 * The server as a host on the web would be: under a name of its own, on a page that the browser trusts (`launch({ secure })` with
 * the answer). On this machine's own addresses nothing is stored for times without a network.
 */
export async function published(server) {
  const inner = new URL(server.address);
  const outer = createServer((request, response) => {
    const { url: path, method, headers } = request;
    const options = { host: inner.hostname, port: inner.port, path, method, headers: { ...headers, host: inner.host } };
    const asked = ask(options, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    asked.on("error", () => response.destroy());
    asked.end();
  });
  await new Promise((done) => outer.listen(0, "127.0.0.1", done));
  const close = () => {
    outer.closeAllConnections();
    outer.close();
  };
  return { address: `http://${ELSEWHERE}:${outer.address().port}/`, close };
}

/** Launches Chromium with WebGPU (SwiftShader) or without; with a `profile` folder, as a context that keeps its caches there. */
export async function launch({ webgpu = true, profile, secure } = {}) {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
  if (!executablePath) throw new Error("no Chromium: apt-get install chromium");
  const args = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  if (secure) {
    const { origin } = new URL(secure);
    args.push(`--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1`, `--unsafely-treat-insecure-origin-as-secure=${origin}`);
  }
  if (webgpu) args.push("--enable-unsafe-webgpu");
  else args.push("--disable-gpu", "--disable-features=WebGPU,WebGPUService");
  if (profile) return chromium.launchPersistentContext(profile, { executablePath, args, viewport: { width: 1440, height: 900 } });
  return chromium.launch({ executablePath, args });
}

/** Opens a page (`jspi: false` removes JavaScript Promise Integration) and fails the test on any script error, CSP
 * violation or request to another host. */
export async function open(browser, address, path = "#/play", { jspi = true, ...options } = {}) {
  // Without a service worker, every request comes from the page itself and can be seen here.
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    serviceWorkers: "block",
    locale: "en-US",
    ...options,
  });
  const page = await context.newPage();
  if (!jspi) {
    // Like a browser without JavaScript Promise Integration: the worker finds neither name.
    await page.route(/\/boot\.js/, async (route) => {
      const response = await route.fetch();
      const body = `delete WebAssembly.Suspending;\ndelete WebAssembly.promising;\n${await response.text()}`;
      await route.fulfill({ response, body });
    });
  }
  page.problems = [];
  page.requests = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") page.problems.push(message.text());
  });
  page.on("request", (request) => {
    page.requests.push(request.url());
    if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) {
      page.problems.push(`request to another host: ${request.url()}`);
    }
  });
  // A run that was asked for may begin some time after that. `finished` waits for it by these counts.
  await page.addInitScript(() => {
    globalThis.runs = { begun: 0, seen: 0 };
    const stops = (nodes) => [...nodes].some((node) => node.matches?.("button.stop") || node.querySelector?.("button.stop"));
    const watch = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) if (stops(addedNodes)) globalThis.runs.begun += 1;
    });
    watch.observe(document, { childList: true, subtree: true });
  });
  await page.goto(address + path, { waitUntil: "load" });
  return page;
}

/** Waits until the engine is ready. Returns the text of the status chip. */
export async function ready(page, timeout = 60_000) {
  const chip = page.locator(".chip.engine");
  await page.waitForFunction(
    () => document.querySelector(".chip.engine")?.getAttribute("data-state") === "ready",
    undefined,
    { timeout },
  );
  return (await chip.innerText()).trim();
}

/**
 * Repeats a question until its answer is deeply equal to `expected`, or matches it if that is a regular expression. After ten
 * seconds the assertion fails as usual, and shows the difference. For what a page shows some time after its cause: unlike
 * `innerText()` or `click()`, `count()` and `evaluateAll()` don't even wait until the element is there.
 */
export async function eventually(question, expected, message, patience = 10_000) {
  const pattern = expected instanceof RegExp;
  const until = Date.now() + patience;
  for (;;) {
    const answer = await question();
    const holds = pattern ? expected.test(answer) : isDeepStrictEqual(answer, expected);
    if (holds || Date.now() >= until) return (pattern ? assert.match : assert.deepEqual)(answer, expected, message);
    await pause(50);
  }
}

/** Waits for a frame. With it, a page hears that its size or its colors have changed, and draws what it had put off until then. */
export const drawn = (page) => page.evaluate(() => new Promise((next) => requestAnimationFrame(() => next())));

/**
 * Goes to another view, and waits until the page has left the old one: `hashchange` comes later than the new address. What the
 * new view has to fetch, such as a lesson, may still be missing.
 */
export const view = (page, hash) =>
  page.evaluate(
    (to) =>
      new Promise((left) => {
        const before = location.href;
        // The page's own listener was there first. What it changes is drawn before the next task.
        addEventListener("hashchange", () => setTimeout(left), { once: true });
        location.hash = to;
        if (location.href === before) left();
      }),
    hash,
  );

/** Moves the playhead to the end of a run that has ended, and waits until that moment is shown. */
export async function toEnd(page) {
  const playhead = page.locator(".playhead input");
  // The key goes to the last moment that the page knew of when it was drawn. Going back first draws it with all of them.
  await playhead.fill("0");
  await drawn(page);
  await playhead.press("End");
  await page.waitForFunction(() => {
    const [at = "0", of] = document.querySelector(".moment").textContent.match(/\d[\d\u202f]*/g) ?? [];
    return at === of && at !== "0";
  });
}

/** Puts a program into the editor. */
export async function write(page, code) {
  const plain = page.getByLabel("Plain text");
  if (!(await plain.isChecked())) await plain.check();
  await page.getByLabel("Python program").fill(code);
}

/** Does what a step without an exercise asks for, in a page or a frame: runs its program, and answers each quiz until it's
 * right. */
export async function doStep(on) {
  if ((await on.locator(".workbench").count()) && !(await on.locator(".checks").count())) {
    await on.locator("button.run").click();
    await on.locator(".output h2 small:not(:empty)").waitFor({ timeout: 120_000 });
  }
  for (const question of await on.locator(".question").all()) {
    if (!/^(Question|Frage)/.test(await question.locator("legend").innerText())) continue;
    for (const option of await question.locator("input").all()) {
      await option.check();
      const verdict = question.locator("[role=status] b");
      await verdict.waitFor();
      if (/^(Right|Richtig)\./.test(await verdict.innerText())) break;
    }
  }
}

/** Presses Run, waits for the end, and returns the text of the output pane. */
export async function run(page, { machine, executor, timeout = 120_000 } = {}) {
  if (machine) await page.locator("#machine").selectOption(machine);
  if (executor) await page.locator("#executor").selectOption(executor);
  // By its class: a step may be called "Run a program".
  const button = page.locator("button.run").first();
  await button.waitFor();
  await page.evaluate(() => {
    if (globalThis.runs) globalThis.runs.seen = globalThis.runs.begun;
  });
  await button.click();
  await finished(page, timeout);
  return output(page);
}

/** Waits for the end of the run that was asked for last. Its output, its checks and its score are shown then. What happened on the
 * devices is played back after that, or is shown at once where motion is unwelcome. */
export async function finished(page, timeout = 120_000) {
  await page.waitForFunction(
    () => {
      const begun = !globalThis.runs || globalThis.runs.begun > globalThis.runs.seen;
      const idle = document.querySelector("button.run:not([disabled])");
      const ended = document.querySelector(".output h2 small")?.textContent;
      if (!begun || !idle || !(ended || document.querySelector(".output .page-says"))) return false;
      if (globalThis.runs) globalThis.runs.seen = globalThis.runs.begun;
      return true;
    },
    undefined,
    { timeout },
  );
  // The last events came before the end, and are drawn in the frame after it.
  await drawn(page);
}

export async function output(page) {
  return page.locator(".output pre.log").innerText();
}
