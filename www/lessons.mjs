// Copies the lessons beside the page, with a list of them.

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
  const entries = [];
  for (const file of files) {
    const text = await readFile(join(from, file), "utf8");
    const front = text.match(/^---\r?\n(.*?)\r?\n---\r?\n/s);
    if (!front) throw new Error(`${file}: there is no front matter`);
    const value = (key) => scalar(front[1], key, file);
    entries.push({ id: value("id"), file, title: value("title"), minutes: Number(value("minutes")) });
    await copyFile(join(from, file), join(to, file));
  }
  await writeFile(join(to, "index.json"), JSON.stringify(entries));
}
