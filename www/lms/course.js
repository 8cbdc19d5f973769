// A lesson in a course of a learning management system: the element of element.js, whose reports are passed to the
// system. `tensoryard lesson pack` writes the page around it, which contains the lesson, the number of its exercises and
// the system's standard.

const told = (name) => document.querySelector(`meta[name="tensoryard-${name}"]`)?.content ?? "";

/** The score of an unfinished lesson: the best result of each exercise, averaged over all exercises. */
export function score(verdicts, exercises) {
  const sum = [...verdicts.values()].reduce((all, one) => all + one, 0);
  return Math.min(sum / Math.max(exercises, 1), 1);
}

/** Connects an element and a system; `page` is the window. */
export async function attach(page, element, system, exercises) {
  const verdicts = new Map();
  const failed = (error) => page.dispatchEvent(new page.CustomEvent("tensoryard-lms-error", { detail: String(error) }));
  const carry = (task) => Promise.resolve(task).catch(failed);
  // Every key changes the state; the system gets it at most once a second.
  let latest = null;
  let timer = null;
  const keep = () => {
    const state = latest;
    page.clearTimeout(timer);
    latest = timer = null;
    return state === null ? undefined : carry(system.keep(state));
  };
  page.addEventListener("tensoryard-state", ({ detail }) => {
    latest = detail;
    timer ??= page.setTimeout(keep, 1000);
  });
  page.addEventListener("tensoryard-completed", ({ detail }) => carry(system.completed(detail)));
  page.addEventListener("tensoryard-checked", ({ detail }) => {
    // Checks have no name except their labels.
    const exercise = detail.checks.map(({ label }) => label).join("\n");
    verdicts.set(exercise, Math.max(verdicts.get(exercise) ?? 0, detail.score));
  });
  page.addEventListener("pagehide", () => carry(system.end()));
  if (system.language) element.setAttribute("lang", system.language);
  element.start();
  if (system.work) element.restore(system.work);
  return {
    async handIn() {
      await keep();
      await carry(system.handedIn({ score: score(verdicts, exercises) }));
      await carry(system.end());
      if (system.after) page.location.assign(system.after);
    },
  };
}

const words = {
  en: { end: "Finish and hand in", ended: "Handed in. You can close this page.", failed: "Your course cannot be reached: " },
  de: { end: "Beenden und abgeben", ended: "Abgegeben. Du kannst diese Seite schließen.", failed: "Dein Kurs ist nicht erreichbar: " },
};

async function main() {
  const how = told("lms");
  const element = document.querySelector("tensoryard-lesson");
  const notice = document.getElementById("notice");
  const speak = () => words[(element.getAttribute("lang") ?? "en").slice(0, 2)] ?? words.en;
  const complain = (error) => {
    notice.textContent = speak().failed + error;
  };
  addEventListener("tensoryard-lms-error", ({ detail }) => complain(detail));
  try {
    const { connect } = await import(how === "cmi5" ? "./cmi5.js" : "./scorm.js");
    const system = await connect(how === "cmi5" ? location.href : window);
    const course = await attach(window, element, system, Number(told("exercises")));
    const button = document.getElementById("hand-in");
    button.textContent = speak().end;
    button.hidden = false;
    button.addEventListener("click", async () => {
      button.disabled = true;
      await course.handIn();
      element.remove();
      notice.textContent ||= speak().ended;
    });
  } catch (error) {
    // The lesson works anyway. The course gets no reports, and the learner is told so.
    complain(error instanceof Error ? error.message : error);
    element.start();
  }
}

if (globalThis.document && told("lms")) await main();
