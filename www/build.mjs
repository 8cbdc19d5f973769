// Builds what the page needs from npm, before Trunk looks at index.html: the editor's bundle.

import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

await build({
  entryPoints: [here("editor/editor.js")],
  outfile: here("vendor/editor.js"),
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
});
