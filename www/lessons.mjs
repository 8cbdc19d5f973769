// Copies the lessons beside the page, with a list of them and a poster for each: what an embedded lesson shows before it is
// started. A poster is its title, the first program, and what the command line (named by TENSORYARD_CLI; without it the
// poster has no output) prints when it runs that program.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

// A scalar of the front matter: plain, or quoted.
function scalar(front, key, file) {
  const found = front.match(new RegExp(`^${key}:[ \\t]*(.+?)[ \\t]*$`, "m"));
  if (!found) throw new Error(`${file}: the front matter has no ${key}`);
  const text = found[1];
  if (text.startsWith('"')) return JSON.parse(text);
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  return text;
}

/** A list of the front matter: `[a, b]`, or a line of `- a` for each. */
function list(front, key) {
  const found = front.match(new RegExp(`^${key}:[ \\t]*(\\[[^\\]]*\\]|((?:\\r?\\n[ \\t]*-[^\\n]*)+))`, "m"));
  if (!found) return [];
  const items = found[2] ? found[2].split("\n").map((line) => line.replace(/^[ \t]*-/, "")) : found[1].slice(1, -1).split(",");
  return items.map((item) => item.trim().replace(/^(["'])(.*)\1$/, "$2")).filter(Boolean);
}

/** What a program prints on a machine, and the last line of its error if it ends in one. */
function printed(code, machine) {
  const cli = process.env.TENSORYARD_CLI;
  // A machine of the lesson's own is written as a mapping below its key.
  if (!cli || !code || !/^(cpu|cpu-build|cuda:\d+|mps)$/.test(machine)) return "";
  const folder = mkdtempSync(join(tmpdir(), "tensoryard-poster-"));
  try {
    const file = join(folder, "main.py");
    writeFileSync(file, code);
    const ran = spawnSync(cli, ["run", "--hosted", "--machine", machine, "--executor", "cpu", file], { encoding: "utf8", timeout: 60_000 });
    const error = ran.status ? (ran.stderr.trim().split("\n").findLast((line) => /^\S*(Error|Exception)\b/.test(line)) ?? "") : "";
    return (ran.stdout + error).trimEnd().slice(0, 4000);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A file's text and its front matter. */
async function read(path) {
  const text = await readFile(path, "utf8");
  const front = text.match(/^---\r?\n(.*?)\r?\n---\r?\n/s);
  if (!front) throw new Error(`${path}: there is no front matter`);
  return { text, front: front[1], value: (key) => scalar(front[1], key, path) };
}

/**
 * Copies every lesson of the folder `from` into `to` with its translations (`de/` holds those into German), and writes
 * `to/index.json`: one entry a lesson, by file name.
 */
export async function publishLessons(from, to) {
  await mkdir(to, { recursive: true });
  const files = (existsSync(from) ? await readdir(from) : []).filter((file) => file.endsWith(".md")).sort();
  await mkdir(join(to, "posters"), { recursive: true });
  const folders = existsSync(from) ? await readdir(from, { withFileTypes: true }) : [];
  const languages = folders.filter((entry) => entry.isDirectory() && /^[a-z]{2}$/.test(entry.name)).map(({ name }) => name).sort();
  const entries = [];
  for (const file of files) {
    const { text, front, value } = await read(join(from, file));
    await copyFile(join(from, file), join(to, file));
    const titles = {};
    for (const language of languages.filter((name) => existsSync(join(from, name, file)))) {
      titles[language] = (await read(join(from, language, file))).value("title");
      await mkdir(join(to, language), { recursive: true });
      await copyFile(join(from, language, file), join(to, language, file));
    }
    entries.push({ id: value("id"), file, title: value("title"), minutes: Number(value("minutes")), titles });
    const code = text.match(/^```python starter[^\n]*\n(.*?)^```$/ms)?.[1] ?? "";
    const machine = front.match(/^machine:[ \t]*(\S+)[ \t]*$/m)?.[1] ?? "";
    const poster = { title: value("title"), titles, origins: list(front, "origins"), code, output: printed(code, machine) };
    await writeFile(join(to, "posters", `${value("id")}.json`), JSON.stringify(poster));
  }
  await writeFile(join(to, "index.json"), JSON.stringify(entries));
}
