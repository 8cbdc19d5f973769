// Firefox and WebKitGTK behind one small interface, so that the same tests run in both. They have no driver in common:
// Firefox is driven with WebDriver BiDi (puppeteer), WebKitGTK with the WebDriver from its own package (selenium).

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import puppeteer from "puppeteer-core";
import { Builder, By, Capabilities } from "selenium-webdriver";

const there = (program) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Calls `question` until its result is truthy, and returns that. */
async function until(question, what, timeout = 60_000) {
  const begun = Date.now();
  for (;;) {
    const answer = await question().catch(() => undefined);
    if (answer) return answer;
    if (Date.now() - begun > timeout) throw new Error(`${what}: not within ${timeout} ms`);
    await pause(100);
  }
}

class Page {
  /** Milliseconds that anything may take. WebKitGTK needs a minute for a program that Chromium ends in seconds. */
  patience = 480_000;

  /** Runs a function in the page. Its arguments must be representable in JSON. */
  evaluate() {
    throw new Error("each driver implements this");
  }

  until(what, question, ...values) {
    return this.telling(until(() => this.evaluate(question, ...values), what, this.patience));
  }

  /** Clicks on the first element that matches a selector. In WebKitGTK the element must already be there. */
  click(selector) {
    return this.telling(this.press(selector), `${selector} can't be clicked`);
  }

  /** The click itself. */
  press() {
    throw new Error("each driver implements this");
  }

  /** Waits for something. If it fails, the error also says what the page shows. */
  async telling(task, what) {
    try {
      return await task;
    } catch (error) {
      const shown = await this.shown().catch((reason) => `beyond reach: ${reason.message}`);
      // Some errors of the drivers have a name and no message.
      throw new Error(`${what ? `${what}: ` : ""}${error}; the page is ${shown}`, { cause: error });
    }
  }

  /** The text of the first element that matches a selector. */
  text(selector) {
    return this.evaluate((wanted) => document.querySelector(wanted)?.innerText ?? "", selector);
  }

  appears(selector) {
    return this.until(selector, (wanted) => document.querySelector(wanted) !== null, selector);
  }

  ready() {
    return this.until("the engine is ready", () => document.querySelector(".chip.engine")?.dataset.state === "ready");
  }

  /** Puts a program into the editor, which is shown as a plain text field, as by pasting. */
  async write(code) {
    await this.appears("code-editor");
    await this.evaluate(() => {
      const box = [...document.querySelectorAll("label.check")].find((label) => label.innerText.includes("Plain text"));
      if (!box.querySelector("input").checked) box.querySelector("input").click();
    });
    await this.appears("code-editor[plain]");
    await this.evaluate((text) => {
      const area = document.querySelector("code-editor textarea");
      area.focus();
      area.value = text;
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }, code);
  }

  /** Runs the program to its end and returns the text of the output pane. */
  async run() {
    await this.start();
    await this.ended();
    return this.text(".output pre.log");
  }

  /** Presses Run. */
  async start() {
    await this.appears("button.run:not([disabled])");
    // The run may begin some time after that. `ended` waits until the page has shown the button that stops it.
    await this.evaluate(() => {
      globalThis.begun = false;
      const stops = (nodes) => [...nodes].some((node) => node.matches?.("button.stop") || node.querySelector?.("button.stop"));
      const watch = new MutationObserver((changes) => {
        if (!changes.some(({ addedNodes }) => stops(addedNodes))) return;
        globalThis.begun = true;
        watch.disconnect();
      });
      watch.observe(document, { childList: true, subtree: true });
    });
    const begun = () => this.evaluate(() => globalThis.begun);
    for (let press = 1; !(await begun()); press += 1) {
      if (press > 1) console.log(`Run had no effect within 20 s, and is pressed again; the page is ${await this.shown()}`);
      if (press > 3) await this.telling(Promise.reject(new Error("Run has no effect")));
      // The button may be moving, or may be gone because the run begins only now.
      await this.click("button.run:not([disabled])").catch((error) => console.log(`Run can't be pressed: ${error.message}`));
      await until(begun, "the run begins", 20_000).catch(() => {});
    }
  }

  /** What the page shows of its engine and its run, for a report. */
  async shown() {
    const shown = await this.evaluate(() => {
      const texts = (selector) => [...document.querySelectorAll(selector)].map((e) => e.innerText);
      return {
        // After a crash the browser shows a page of its own.
        address: location.href.slice(0, 200),
        title: document.querySelector("h1")?.innerText,
        // How long ago this document was loaded. If that's less than the test has run, the page was loaded again.
        seconds: Math.round(performance.now() / 1000),
        engine: document.querySelector(".chip.engine")?.dataset.state,
        says: document.querySelector(".chip.engine")?.innerText,
        buttons: [...document.querySelectorAll(".controls button, .hero-buttons button")].map((b) => `${b.className} ${b.disabled}`),
        focus: document.activeElement?.outerHTML.slice(0, 200),
        program: document.querySelector("code-editor textarea")?.value.slice(0, 200),
        // Why an engine was replaced, and what else the page complains about.
        accidents: texts(".accident"),
        notices: texts(".notice:not(.accident), [role=alert]:not(.notice), .last-words"),
        // How the last run ended; empty while it runs, and after its engine was ended.
        ended: document.querySelector(".output h2 small")?.textContent,
        notes: texts(".output .page-says"),
        checks: texts(".checks li:not([data-state=passed])"),
        output: document.querySelector(".output")?.innerText.slice(0, 500),
      };
    });
    return JSON.stringify(shown);
  }

  ended() {
    return this.until("the program has ended", () => {
      const idle = document.querySelector("button.run:not([disabled])");
      const ended = document.querySelector(".output h2 small")?.textContent;
      return Boolean(globalThis.begun && idle && (ended || document.querySelector(".output .page-says")));
    });
  }
}

class FirefoxPage extends Page {
  constructor(browser, page) {
    super();
    Object.assign(this, { browser, page });
  }

  static async open() {
    const browser = await puppeteer.launch({ browser: "firefox", executablePath: "/usr/bin/firefox-esr", headless: true });
    const page = await browser.newPage();
    await page.setViewport({ width: 1440, height: 900 });
    return new FirefoxPage(browser, page);
  }

  goto(address) {
    return this.page.goto(address, { waitUntil: "load" });
  }

  evaluate(question, ...values) {
    return this.page.evaluate(question, ...values);
  }

  press(selector) {
    return this.page.locator(selector).click();
  }

  close() {
    return this.browser.close();
  }
}

class WebKitPage extends Page {
  constructor(driver, processes) {
    super();
    Object.assign(this, { driver, processes });
  }

  static async open() {
    const display = `:${90 + (process.pid % 100)}`;
    const screen = spawn("Xvfb", [display, "-screen", "0", "1440x900x24", "-nolisten", "tcp"], { stdio: "ignore" });
    const port = 4500 + (process.pid % 1000);
    const env = { ...process.env, DISPLAY: display, GDK_BACKEND: "x11", LIBGL_ALWAYS_SOFTWARE: "1" };
    const server = spawn("WebKitWebDriver", [`--port=${port}`], { stdio: "ignore", env });
    const browser = new Capabilities();
    browser.setBrowserName("MiniBrowser");
    browser.set("webkitgtk:browserOptions", { binary: WebKitPage.binary(), args: ["--automation"] });
    try {
      await until(async () => (await fetch(`http://127.0.0.1:${port}/status`)).ok, "WebKitWebDriver answers", 20_000);
      const driver = await new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(browser).build();
      await driver.manage().setTimeouts({ script: 60_000, pageLoad: 60_000 });
      return new WebKitPage(driver, [server, screen]);
    } catch (error) {
      server.kill();
      screen.kill();
      throw error;
    }
  }

  static binary() {
    // Debian installs it among the library's own programs, in a folder named after the machine's triple.
    const folders = readdirSync("/usr/lib").filter((name) => name.endsWith("-linux-gnu"));
    const paths = folders.flatMap((name) => ["4.1", "4.0"].map((api) => `/usr/lib/${name}/webkit2gtk-${api}/MiniBrowser`));
    return paths.find((path) => existsSync(path));
  }

  goto(address) {
    return this.driver.get(address);
  }

  evaluate(question, ...values) {
    return this.driver.executeScript(`return (${question})(...arguments)`, ...values);
  }

  async press(selector) {
    const element = await this.driver.findElement(By.css(selector));
    await this.evaluate((wanted) => document.querySelector(wanted).scrollIntoView({ block: "center" }), selector);
    await element.click();
  }

  async close() {
    await this.driver.quit().catch(() => {});
    for (const one of this.processes) one.kill();
  }
}

/** The browsers: how each is opened, or why it isn't available. */
export const OTHERS = [
  {
    name: "Firefox",
    missing: existsSync("/usr/bin/firefox-esr") ? false : "firefox-esr is not installed",
    open: () => FirefoxPage.open(),
  },
  {
    name: "WebKitGTK",
    missing:
      there("WebKitWebDriver") && there("Xvfb") && WebKitPage.binary() ? false : "webkit2gtk-driver or xvfb is not installed",
    open: () => WebKitPage.open(),
  },
];
