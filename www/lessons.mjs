// Copies the lessons beside the page, with a list of them and a poster for each: what an embedded lesson shows before it is
// started. A poster is its title, the first program, and what that program printed when it was recorded
// (lessons/recorded.json, kept true by a test).

import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
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

/** Copies every lesson of the folder `from` into `to`, and writes `to/index.json`: one entry a lesson, by file name. */
export async function publishLessons(from, to) {
  await mkdir(to, { recursive: true });
  const files = (existsSync(from) ? await readdir(from) : []).filter((file) => file.endsWith(".md")).sort();
  const recorded = join(from, "recorded.json");
  const printed = existsSync(recorded) ? JSON.parse(await readFile(recorded, "utf8")) : {};
  await mkdir(join(to, "posters"), { recursive: true });
  const entries = [];
  for (const file of files) {
    const text = await readFile(join(from, file), "utf8");
    const front = text.match(/^---\r?\n(.*?)\r?\n---\r?\n/s);
    if (!front) throw new Error(`${file}: there is no front matter`);
    const value = (key) => scalar(front[1], key, file);
    entries.push({ id: value("id"), file, title: value("title"), minutes: Number(value("minutes")) });
    await copyFile(join(from, file), join(to, file));
    const code = text.match(/^```python starter[^\n]*\n(.*?)^```$/ms)?.[1] ?? "";
    const poster = { title: value("title"), code, output: printed[value("id")] ?? "" };
    await writeFile(join(to, "posters", `${value("id")}.json`), JSON.stringify(poster));
  }
  await writeFile(join(to, "index.json"), JSON.stringify(entries));
}
