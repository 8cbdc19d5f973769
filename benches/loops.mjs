// Times the ten programs of benches/loops in the built playground and in Pyodide, in turn in one Chromium, and prints the ratios.
//
//     npm install --no-save pyodide            (in a folder of your choice: PYODIDE is its node_modules/pyodide)
//     TENSORYARD_BIN=… TENSORYARD_DIST=dist PYODIDE=… node benches/loops.mjs [OUT.json]
//
// Only the program itself is timed, not the start of the interpreter. Each side has a page of its own, where each program runs
// six times: browsers compile what is hot while it runs. The median of the last four counts.

import { createReadStream, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { launch, open, ready, run, serve, write } from "../tests/browser/harness.mjs";

const RUNS = 6;
const COUNTED = 4;
const folder = new URL("loops/", import.meta.url);
const pyodide = process.env.PYODIDE;
if (!pyodide || !existsSync(join(pyodide, "pyodide.mjs"))) throw new Error("PYODIDE is not the folder of npm's pyodide");

const timed = (source) =>
  `import time as _t\n_b = _t.perf_counter()\n${source}\nprint((_t.perf_counter() - _b) * 1e3)\n`;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const programs = readdirSync(folder)
  .filter((name) => name.endsWith(".py"))
  .map((name) => [name.slice(0, -3), timed(readFileSync(new URL(name, folder), "utf8"))]);

/** The files of the package, and an empty page beside them. */
async function peer() {
  const types = { ".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json", ".html": "text/html" };
  const server = createServer((request, response) => {
    const name = request.url.slice(1);
    if (!name) return response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>");
    if (!readdirSync(pyodide).includes(name)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": types[extname(name)] ?? "application/octet-stream" });
    createReadStream(join(pyodide, name)).pipe(response);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

const server = await serve();
const other = await peer();
const browser = await launch({ webgpu: false });
const ours = await open(browser, server.address);
await ready(ours);
const theirs = await browser.newPage();
await theirs.goto(other.address);
const version = await theirs.evaluate(async () => {
  const { loadPyodide, version } = await import("/pyodide.mjs");
  globalThis.printed = "";
  globalThis.python = await loadPyodide({ stdout: (text) => (globalThis.printed += `${text}\n`) });
  return version;
});
const sides = {
  pyodide: (source) =>
    theirs.evaluate((code) => {
      globalThis.printed = "";
      // Names of their own for each run, as a program has.
      globalThis.python.runPython(code, { globals: globalThis.python.toPy({ __name__: "__main__" }) });
      return globalThis.printed;
    }, source),
  ours: async (source) => {
    await write(ours, source);
    return run(ours, { machine: "cpu", timeout: 300_000 });
  },
};

const figures = {};
for (const [name, source] of programs) {
  const times = { pyodide: [], ours: [] };
  for (let i = 0; i < RUNS; i++) {
    for (const [side, time] of Object.entries(sides)) {
      const printed = await time(source);
      const value = Number(printed.trim().split("\n").at(-1));
      if (!(value > 0)) throw new Error(`${side} ${name}: ${printed}`);
      times[side].push(value);
    }
  }
  const row = Object.fromEntries(Object.entries(times).map(([side, values]) => [side, Math.round(median(values.slice(-COUNTED)))]));
  figures[name] = { ...row, ratio: Number((row.ours / row.pyodide).toFixed(2)) };
  console.log(`${name.padEnd(16)} Pyodide ${row.pyodide} ms, ours ${row.ours} ms, ${figures[name].ratio} times`);
}
const result = {
  date: new Date().toISOString().slice(0, 10),
  chromium: browser.version(),
  pyodide: version,
  unit: `milliseconds, medians of the last ${COUNTED} of ${RUNS} runs`,
  figures,
};
await browser.close();
server.close();
other.close();
if (process.argv[2]) writeFileSync(process.argv[2], `${JSON.stringify(result, null, 1)}\n`);
