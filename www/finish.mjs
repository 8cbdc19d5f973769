// Finishes what assemble.mjs put together, or Trunk.
//
// - The module script that was written into index.html becomes a file, so that the page's content security policy needs
//   neither a hash nor 'unsafe-inline'.
// - The lessons are copied beside it, with the list and the posters that `tensoryard lesson publish lessons` wrote.
// - The libraries that most programs never import leave the engine: each becomes a file that is fetched when a program imports it.
// - The worker's files keep their names, so the page asks for them with a version: a hash of their content.
// - embed.html gets the page's styles, its editor and its start, and each lesson a poster.
// - rules.html gets the colors and typefaces of the page.
// - All pages say their content security policy themselves, for hosts that send no headers; `_headers` is for those that
//   read one. All of it comes from headers.json, as what `tensoryard serve` sends.
// - The service worker learns which files there are.

import { createHash } from "node:crypto";
import { copyFile, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const dist = process.env.TRUNK_STAGING_DIR;
const page = join(dist, "index.html");
const hash = (...parts) => parts.reduce((h, part) => h.update(part), createHash("sha256")).digest("hex").slice(0, 16);

// What translators and authors write in YAML, the page has as JSON.
const served = (file) => !file.endsWith(".yaml");
await cp(fileURLToPath(new URL("../lessons", import.meta.url)), join(dist, "lessons"), { recursive: true, filter: served });

let html = await readFile(page, "utf8");

let start = "";
const inline = /<script type="module"[^>]*>([^<]+)<\/script>/g;
for (const [tag, code] of [...html.matchAll(inline)]) {
  const name = `start-${hash(code)}.js`;
  await writeFile(join(dist, name), code);
  start = `./${name}`;
  html = html.replace(tag, () => `<script type="module" src="./${name}"></script>`);
}
if (/<script(?![^>]*\bsrc=)/.test(html)) throw new Error("index.html still has an inline script");

// A library is a custom section of the engine's WebAssembly (build.rs). With the eight bytes that every module begins with it is a
// module by itself, and hosts know and compress that type of file. A quickly built page shares the engine's code, and with it these
// sections.
await mkdir(join(dist, "library"), { recursive: true });
for (const file of (await readdir(dist)).filter((name) => name.endsWith("_bg.wasm"))) {
  const whole = await readFile(join(dist, file));
  const opening = whole.subarray(0, 8);
  const kept = [opening];
  let libraries = 0;
  for (let at = 8; at < whole.length; ) {
    let [size, shift, start] = [0, 0, at + 1];
    do {
      size += (whole[start] & 127) * 2 ** shift;
      shift += 7;
    } while (whole[start++] & 128);
    const section = whole.subarray(at, start + size);
    // Names are shorter than 128 bytes here, so that their length is one byte.
    const name = whole[at] === 0 ? whole.toString("latin1", start + 1, start + 1 + whole[start]) : "";
    if (name.startsWith("library.")) {
      await writeFile(join(dist, "library", `${name.slice(8)}.wasm`), Buffer.concat([opening, section]));
      libraries += 1;
    } else kept.push(section);
    at = start + size;
  }
  // A linker that drops what no code refers to would drop all of them.
  if (libraries === 0 && file === "worker_bg.wasm") throw new Error("the engine carries no libraries");
  await writeFile(join(dist, file), Buffer.concat(kept));
}

const engine = ["boot.js", "worker.js", "worker_bg.wasm"];
const build = hash(...(await Promise.all(engine.map((file) => readFile(join(dist, file))))));
const empty = '<meta name="tensoryard-build" content="" />';
const plain = '<meta name="tensoryard-build" content="">';
const version = `<meta name="tensoryard-build" content="${build}">`;
const marked = html.replace(empty, version).replace(plain, version);
if (marked === html) throw new Error("index.html has no place for the build's version");

// Before the first script. The character set stays within the first bytes, in which a browser looks for it.
const headers = JSON.parse(await readFile(new URL("headers.json", import.meta.url), "utf8"));
const named = (directives) => new Map(directives.map((directive) => [directive.split(" ")[0], directive]));
const policies = {
  site: headers.policy.join("; "),
  frame: [...new Map([...named(headers.policy), ...named(headers.frame)]).values()].join("; "),
};
const guarded = (text, policy, file) => {
  const start = /<meta charset="utf-8"\s*\/?>/;
  if (!start.test(text)) throw new Error(`${file} has no place for its policy`);
  return text.replace(start, (tag) => `${tag}\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`);
};

await writeFile(page, guarded(marked, policies.site, "index.html"));

const rule = (path, entries) => [path, ...entries.map(([name, value]) => `  ${name}: ${value}`)].join("\n");
const site = [["Content-Security-Policy", `${policies.site}; ${headers.framing.join("; ")}`]];
// No address matches two of these rules, because hosts would send both, and browsers obey both.
const rules = [
  rule("/*", [...Object.entries(headers.always), ...Object.entries(headers.shared)]),
  ...["/", "/index.html", "/lesson/*", "/boot.js", "/sw.js"].map((path) => rule(path, site)),
  ...["/embed.html", "/embed"].map((path) => rule(path, [["Content-Security-Policy", policies.frame]])),
];
await writeFile(join(dist, "_headers"), `${rules.join("\n\n")}\n`);

// The frame for other pages: the same styles, and the start script that runs only when someone starts the lesson.
const styles = [...marked.matchAll(/<link rel="(?:icon|stylesheet)"[^>]*>/g)].map(([tag]) => tag).join("\n    ");
const editor = marked.match(/<script\b[^>]*\bsrc="([^"]*editor[^"]*)"/)?.[1];
if (!styles || !editor || !start) throw new Error("index.html has no styles, no editor or no start");
await copyFile(join(dist, editor), join(dist, "vendor-editor.js"));
const embed = await readFile(join(dist, "embed.html"), "utf8");
const place = /<!-- finish\.mjs[^>]*-->/;
if (!place.test(embed)) throw new Error("embed.html has no place for its styles");
const facts = `${styles}\n    ${version}\n    <meta name="tensoryard-start" content="${start}">`;
await writeFile(join(dist, "embed.html"), guarded(embed.replace(place, () => facts), policies.frame, "embed.html"));

const about = await readFile(join(dist, "rules.html"), "utf8");
const basic = styles.split("\n").filter((tag) => /rel="icon"|(?:tokens|base)-/.test(tag));
if (basic.length !== 3 || !place.test(about)) throw new Error("rules.html does not get its styles");
const dressed = about.replace(place, () => basic.map((tag) => tag.trim()).join("\n"));
await writeFile(join(dist, "rules.html"), guarded(dressed, policies.site, "rules.html"));

// Everything that is needed offline. Most files have hashes in their names, so the names are a version.
const entries = (await readdir(dist, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
const path = (entry) => join(entry.parentPath ?? entry.path, entry.name);

// Of the libraries these are PyTorch's own and what it loads checkpoints with, and those that a program of the course imports.
const imported = new Set(["torch", "pickle", "copyreg", "page"]);
for (const entry of entries.filter((entry) => entry.name.endsWith(".md"))) {
  for (const [, name] of (await readFile(path(entry), "utf8")).matchAll(/^\s*(?:import|from) +(\w+)/gm)) imported.add(name);
}
const isRare = (file) => file.startsWith("./library/") && !imported.has(file.slice(10).split(/[-.]/)[0]);
const files = entries
  .filter((entry) => !/\.br$|^sw\.js$|^_headers$|^\./.test(entry.name))
  .map((entry) => `./${path(entry).slice(dist.length).replace(/^[/\\]+/, "")}`)
  .filter((file) => !isRare(file))
  .sort();
const contents = await Promise.all(files.map((file) => readFile(join(dist, file))));
const script = await readFile(join(dist, "sw.js"), "utf8");
// The service worker requests the engine by the addresses that the page uses, so that it's fetched only once.
const addresses = files.map((file) => (engine.includes(file.slice(2)) ? `${file}?v=${build}` : file));
const told = script
  .replace('const BUILD = "";', `const BUILD = "${hash(...contents)}";`)
  .replace("const FILES = [];", `const FILES = ${JSON.stringify(addresses)};`);
if (told === script) throw new Error("sw.js has no place for the files");
await writeFile(join(dist, "sw.js"), told);
