// The content security policy: in the pages, in the responses of `tensoryard serve`, and in the file for hosts that
// read one.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { isPlain } from "../../www/trusted.js";
import { dist, launch, open, output, ready, run, serve, write } from "./harness.mjs";

let server, browser;
before(async () => {
  server = await serve();
  browser = await launch({ webgpu: false });
});
after(async () => {
  await browser?.close();
  server?.close();
});

const TYPES = { html: "text/html", js: "text/javascript", css: "text/css", wasm: "application/wasm", json: "application/json", md: "text/markdown", svg: "image/svg+xml", webmanifest: "application/manifest+json" };

/** The built page on a host that sends only content types as headers, like GitHub Pages. */
async function bare() {
  const http = createServer((request, response) => {
    const path = new URL(request.url, "http://x").pathname.replace(/\/$/, "/index.html");
    try {
      const body = readFileSync(join(dist, path));
      response.writeHead(200, { "Content-Type": TYPES[path.split(".").pop()] ?? "application/octet-stream", "Access-Control-Allow-Origin": "*" });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => http.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${http.address().port}/`, close: () => (http.closeAllConnections(), http.close()) };
}

const within = (html) => /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(html)?.[1];

test("the pages, the server and the file for hosts say the same", async () => {
  const rules = new Map(
    readFileSync(join(dist, "_headers"), "utf8").trim().split("\n\n").map((rule) => {
      const [path, ...lines] = rule.split("\n");
      return [path, Object.fromEntries(lines.map((line) => line.trim().split(/: (.*)/).slice(0, 2)))];
    }),
  );
  for (const path of ["/", "/index.html", "/embed.html", "/boot.js", "/sw.js"]) {
    const answer = await fetch(new URL(path, server.address));
    const policy = answer.headers.get("Content-Security-Policy");
    assert.equal(rules.get(path)["Content-Security-Policy"], policy, path);
    for (const [name, value] of Object.entries(rules.get("/*"))) assert.equal(answer.headers.get(name), value, `${path} ${name}`);
    const html = await answer.text();
    if (path.endsWith("js")) continue;
    assert.equal(within(html), policy.replace("; frame-ancestors 'self'", ""), path);
    assert.ok(html.indexOf("http-equiv") < html.indexOf("<script"), "before the first script");
    assert.equal(policy.includes("frame-ancestors"), path !== "/embed.html");
  }
  // With two policies for one address, both would apply.
  assert.ok(!("Content-Security-Policy" in rules.get("/*")));
});

test("a page is protected, and works, on a host that sends no headers", async () => {
  const host = await bare();
  for (const path of ["#/play", "embed.html#lesson=same-device-rule&load=eager"]) {
    const page = await open(browser, host.address, path);
    if (path.startsWith("#")) {
      await ready(page);
      await write(page, "print(6 * 7)\n");
      await run(page, { machine: "cpu" });
      assert.match(await output(page), /42/);
      for (const view of ["#/", "#/lessons", "#/lesson/same-device-rule", "#/instructors", "#/about"]) {
        await page.evaluate((hash) => (location.hash = hash), view);
        await page.waitForTimeout(400);
      }
    } else await page.locator(".step-title").waitFor({ timeout: 60_000 });
    assert.deepEqual(page.problems, []);
    // Scripts from others, inline handlers, and text that becomes a script.
    const tried = await page.evaluate(async () => {
      const refused = [];
      const attempt = (name, act) => {
        try {
          act();
          refused.push(`${name} was done`);
        } catch (error) {
          refused.push(error.name);
        }
      };
      const element = document.createElement("div");
      attempt("handler", () => (element.innerHTML = '<img src="x" onerror="globalThis.harm = 1">'));
      attempt("script", () => (element.innerHTML = "<script>globalThis.harm = 1</scr" + "ipt>"));
      attempt("worker", () => new Worker("https://evil.example/x.js"));
      element.innerHTML = "<p>plain</p>";
      const script = document.createElement("script");
      attempt("address", () => (script.src = "https://evil.example/x.js"));
      const link = document.createElement("a");
      link.href = "javascript:globalThis.harm = 1";
      document.body.append(link);
      link.click();
      // The test's own browser tools may evaluate text immediately, but not later.
      await new Promise((done) => setTimeout(() => done(attempt("eval", () => (0, eval)("globalThis.harm = 1"))), 200));
      return { refused, harm: globalThis.harm, plain: element.textContent };
    });
    assert.deepEqual(tried, { refused: ["TypeError", "TypeError", "TypeError", "TypeError", "EvalError"], harm: undefined, plain: "plain" });
    await page.context().close();
  }
  host.close();
});

test("a lesson in a sandbox without an origin works on a host that sends no policy", async () => {
  const host = await bare();
  const around = createServer((request, response) => {
    response.writeHead(200, { "Content-Type": "text/html" });
    response.end(`<!doctype html><title>x</title><iframe src="${host.address}embed.html#lesson=same-device-rule&load=eager" sandbox="allow-scripts" width="900" height="700"></iframe>`);
  });
  await new Promise((done) => around.listen(0, "127.0.0.1", done));
  const page = await (await browser.newContext()).newPage();
  const problems = [];
  page.on("console", (message) => message.type() === "error" && !/favicon/.test(message.location().url) && problems.push(message.text()));
  await page.goto(`http://localhost:${around.address().port}/`);
  const frame = page.frameLocator("iframe");
  await frame.locator(".step-title").waitFor({ timeout: 60_000 });
  await frame.getByRole("button", { name: /^Run\b/ }).click();
  await frame.locator(".checks li[data-state=failed]").first().waitFor({ timeout: 90_000 });
  assert.deepEqual(problems, []);
  await page.context().close();
  around.closeAllConnections();
  around.close();
  host.close();
});

test("other sites can't frame the playground, and can frame a lesson", async () => {
  const around = createServer((request, response) => {
    response.writeHead(200, { "Content-Type": "text/html" });
    response.end(`<!doctype html><title>x</title><iframe src="${server.address}"></iframe><iframe src="${server.address}embed.html#lesson=same-device-rule"></iframe>`);
  });
  await new Promise((done) => around.listen(0, "127.0.0.1", done));
  const page = await (await browser.newContext()).newPage();
  await page.goto(`http://localhost:${around.address().port}/`);
  await page.frameLocator("iframe >> nth=1").getByRole("button", { name: "Start this lesson" }).waitFor();
  assert.ok(!page.frames().some((frame) => frame.url() === server.address), "the playground is in a frame");
  await page.context().close();
  around.closeAllConnections();
  around.close();
});

test("fixed parts of views are let through, and what could run is not", () => {
  for (const html of [
    "",
    "<slot></slot>",
    '<svg class="mark" viewBox="0 0 28 28" aria-hidden="true"><rect class="mark-a" x="2" rx="2"></rect></svg>',
    '<p class="a b">1 &lt; 2 &amp; 3</p><br><input disabled>',
    '<a href="#/play">x</a><a href="https://example.org/">y</a>',
  ]) {
    assert.ok(isPlain(html), html);
  }
  for (const html of [
    "<script>x</script>",
    "<SCRIPT src=x>",
    "<img src=x onerror=alert(1)>",
    '<img src="#" onerror="alert(1)">',
    '<svg><a xlink:href="javascript:alert(1)"></a></svg>',
    '<a href="java&#115;cript:alert(1)">x</a>',
    '<iframe srcdoc="x"></iframe>',
    '<p id="x"on"">',
    "<!-- --><p>",
    "<p",
    '<svg/onload="x">',
    '<form action="https://evil.example/"></form>',
  ]) {
    assert.ok(!isPlain(html), html);
  }
});
