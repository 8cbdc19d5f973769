// A language that isn't compiled in: a translator's files, packed, and shown by the page. Nothing of it is in Rust.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { violations } from "./axe.mjs";
import { bin, dist, launch, open, ready, run, serve, view } from "./harness.mjs";

const place = mkdtempSync(join(tmpdir(), "tensoryard-language-"));
const lessons = join(place, "lessons");
let server, browser, address;

/** A translation of the fixture lesson, made by the command line and by replacing what it says is left. */
const WORDS = JSON.parse(readFileSync(new URL("language/es.json", import.meta.url), "utf8"));

before(async () => {
  mkdirSync(lessons);
  copyFileSync(new URL("language/01-two-devices.md", import.meta.url), join(lessons, "01-two-devices.md"));
  execFileSync(bin, ["lesson", "translate", lessons, "es", "--all"]);
  for (const [file, words] of Object.entries(WORDS)) {
    let text = readFileSync(join(lessons, "es", file), "utf8");
    for (const [english, spanish] of words) {
      assert.ok(text.includes(english), english);
      text = text.replace(english, () => spanish);
    }
    writeFileSync(join(lessons, "es", file), text);
  }
  const left = execFileSync(bin, ["lesson", "translate", join(lessons, "01-two-devices.md"), "es"], { encoding: "utf8" });
  assert.match(left, /all \d+ texts are translated/);
  execFileSync(bin, ["lesson", "check", "--executor", "cpu", join(lessons, "es", "01-two-devices.md")]);
  execFileSync(bin, ["lesson", "pack", lessons, "--dist", dist, "--out", join(place, "out")]);
  server = spawn(bin, ["serve", "--port", "0", "--dir", join(place, "out/site")], { stdio: ["ignore", "pipe", "inherit"] });
  address = await new Promise((found, failed) => {
    createInterface({ input: server.stdout }).on("line", (line) => {
      const match = /http:\/\/127\.0\.0\.1:\d+\//.exec(line);
      if (match) found(match[0]);
    });
    server.on("exit", (code) => failed(new Error(`tensoryard serve ended with ${code}`)));
  });
  browser = await launch({ webgpu: false });
});
after(async () => {
  await browser?.close();
  server?.kill();
  rmSync(place, { recursive: true });
});

test("the page offers the language, speaks it, and shows the lesson and the cards in it", async () => {
  const page = await open(browser, address, "#/lessons");
  page.setDefaultTimeout(90_000);
  const choice = page.locator("select.language");
  await choice.locator("option[value=es]").waitFor({ state: "attached" });
  assert.deepEqual(await choice.locator("option").allTextContents(), ["English", "Deutsch", "Español"]);
  await choice.selectOption("es");
  await page.getByRole("link", { name: "Dos dispositivos", exact: true }).click();
  await page.getByRole("heading", { name: "Muévelo" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "es");
  await page.getByText("Un tensor nace en la CPU").waitFor();
  await ready(page);
  await run(page);
  // The sentence of a card, with its gaps filled; what nobody translated is in English.
  await page.locator(".card").getByText(/ está en (cpu|cuda:0), pero .* está en (cpu|cuda:0)\. Los tensores/).waitFor();
  await page.getByRole("button", { name: "Ejecutar" }).waitFor();
  await page.getByRole("button", { name: "Reset" }).waitFor();
  // The choice is remembered, although the language is known only when the list of lessons is here.
  await page.reload();
  await page.getByRole("heading", { name: "Muévelo" }).waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a visitor whose browser prefers the language gets it, and so does a frame", async () => {
  const page = await open(browser, address, "#/lesson/two-devices", { locale: "es-MX" });
  page.setDefaultTimeout(90_000);
  await page.getByRole("heading", { name: "Muévelo" }).waitFor();
  await page.goto(`${address}embed.html#lesson=two-devices&lang=es`);
  await page.getByRole("button", { name: "Empezar esta lección" }).click();
  await page.getByRole("heading", { name: "Muévelo" }).waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("the course of this site speaks Spanish: home, lesson, card, glossary and tracks", async () => {
  const own = await serve();
  const page = await open(browser, own.address, "#/lesson/same-device-rule", { locale: "es-MX" });
  page.setDefaultTimeout(90_000);
  await page.getByRole("heading", { name: "Dos tensores, dos dispositivos" }).waitFor();
  await ready(page);
  await run(page);
  await page.locator(".card").getByText(/ está en (cpu|cuda:0)/).first().waitFor();
  assert.deepEqual(await violations(page), []);
  for (const [hash, words] of [
    ["#/glossary", "dispositivo"],
    ["#/debug", "Encuentra el fallo"],
    ["#/puzzles", "Retos con tensores"],
    ["#/anatomy", "Anatomía"],
    ["#/lessons", "La regla del mismo dispositivo"],
    ["#/", "Abrir el taller"],
  ]) {
    await view(page, hash);
    await page.locator("main").getByText(words, { exact: true }).first().waitFor();
    // Words of the page that every view would show in English if a list of texts were not there.
    assert.doesNotMatch(await page.locator("main").innerText(), /\b(lessons?|minutes|steps|Glossary|Next)\b/, hash);
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
  own.close();
});
