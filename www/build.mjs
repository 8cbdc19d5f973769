// Builds what the page needs from npm, before the page is put together: the editor's bundle, and the one that draws the texts of
// notebooks, which is fetched when a notebook is opened.

import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

await build({
  entryPoints: [here("editor/editor.js"), here("editor/markdown.js")],
  outdir: here("vendor"),
  // The editor fetches the other one when it's needed.
  external: ["./markdown.js"],
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
});
