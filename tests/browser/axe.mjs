// Accessibility by axe-core: no violation of WCAG 2.2 A and AA.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { drawn } from "./harness.mjs";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** For these rules, the result can change with the colors alone. */
const colours = ["color-contrast", "link-in-text-block"];

/** What axe finds wrong on the present page, one line per fault; `coloursOnly` if the page has already been checked
 * with other colors. */
export async function violations(page, { coloursOnly = false } = {}) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(source);
  // What is scrolled to the edge of the screen may be half covered by the strip there, which says nothing about its size. The
  // strip itself is checked in its place at the end of the page.
  const style = await page.addStyleTag({ content: ".glance { position: static !important; }" });
  // The page hears of a new size or new colors with the next frame.
  await drawn(page);
  // Colors are checked in their final state, not while they fade in or while a copy crosses its link.
  await page.evaluate(() => {
    const ends = (a) => a.playState === "running" && a.effect?.getComputedTiming().endTime !== Infinity;
    return Promise.all(document.getAnimations().filter(ends).map((a) => a.finished.catch(() => {})));
  });
  const found = await page.evaluate(
    async (wanted) => (await globalThis.axe.run(document, { runOnly: wanted, resultTypes: ["violations"] })).violations,
    coloursOnly ? { type: "rule", values: colours } : { type: "tag", values: tags },
  );
  await style.evaluate((e) => e.remove());
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary.replace(/\s+/g, " ")}`),
  );
}
