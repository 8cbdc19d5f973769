// The lessons' files as the tests need them: what a learner would answer, and the programs.

import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../lessons/", import.meta.url);

/** A lesson file's title and steps, each with the right answers and the solution. */
function read(file) {
  const text = readFileSync(new URL(file, folder), "utf8");
  const [head, ...steps] = text.split(/^## /m);
  return {
    id: /^id: (.*)$/m.exec(head)[1],
    title: /^title: (.*)$/m.exec(head)[1].replace(/^"(.*)"$/, "$1"),
    machine: /^machine: (.*)$/m.exec(head)?.[1],
    part: /^part: "?(.)"?$/m.exec(head)?.[1] ?? "other",
    closes: /^```remember$/m.test(text),
    steps: steps.map((step) => ({
      answers: [...step.matchAll(/^```(?:predict|quiz)\n(.*?)^```$/gms)].map(([, question]) => {
        const options = question.slice(0, question.search(/^because:/m)).split(/^ *- text:/m).slice(1);
        return options.findIndex((option) => /^ *correct: true$/m.test(option));
      }),
      looks: /^```python look/m.test(step),
      starter: /^```python starter[^\n]*\n(.*?)^```$/ms.exec(step)?.[1],
      solution: /^```python solution[^\n]*\n(.*?)^```$/ms.exec(step)?.[1],
    })),
  };
}

// In the order of the course: by part, and those without one last.
const order = ["0", "a", "b", "c", "d", "e", "f", "g", "other"];
export const lessons = readdirSync(folder)
  .filter((name) => name.endsWith(".md"))
  .sort()
  .map(read)
  .sort((one, other) => order.indexOf(one.part) - order.indexOf(other.part));
