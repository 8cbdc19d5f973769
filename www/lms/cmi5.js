// A lesson as an assignable unit of a cmi5 course: what it says to the learning record store that launched it.
//
// connect(address, tools) reads the launch parameters, fetches the token (once: the second answer would be an error), the
// launch data and the learner's preferences, and says `initialized`. Everything after it goes through the answer's methods;
// statements are sent one after the other, because their order is part of the specification.

const CATEGORY = "https://w3id.org/xapi/cmi5/context/categories/";
const EXTENSION = "https://w3id.org/xapi/cmi5/context/extensions/";
const STATE = "tensoryard-lesson";
const VERSION = "1.0.3";

const VERBS = {
  initialized: "http://adlnet.gov/expapi/verbs/initialized",
  completed: "http://adlnet.gov/expapi/verbs/completed",
  passed: "http://adlnet.gov/expapi/verbs/passed",
  failed: "http://adlnet.gov/expapi/verbs/failed",
  terminated: "http://adlnet.gov/expapi/verbs/terminated",
};

/** ISO 8601, to the hundredth of a second. */
export const duration = (milliseconds) => `PT${(Math.max(milliseconds, 0) / 1000).toFixed(2)}S`;

const list = (one) => (one === undefined ? [] : Array.isArray(one) ? one : [one]);

/**
 * Where the course goes on after the end: the launch's `returnURL`, if it leads back to the system that opened this page, which
 * is the page's own origin or that of the page before. The launch data come from the record store, and the store from a
 * parameter of the address, so anyone who writes a link to this page chooses both: neither is a reason to go anywhere.
 */
export function wayBack(returnURL, page, before) {
  if (typeof returnURL !== "string" || !URL.canParse(returnURL, page)) return null;
  const to = new URL(returnURL, page);
  const known = [page, before].filter((address) => URL.canParse(address)).map((address) => new URL(address).origin);
  return /^https?:$/.test(to.protocol) && known.includes(to.origin) ? to.href : null;
}

/** The store, or an error that says which parameter of the launch is missing. `before` is the address of the page before. */
export async function connect(
  address,
  { fetch = globalThis.fetch, now = Date.now, uuid = () => crypto.randomUUID(), before = globalThis.document?.referrer ?? "" } = {},
) {
  const given = new URL(address).searchParams;
  const parameter = (name) => {
    const value = given.get(name);
    if (!value) throw new Error(`the launch has no parameter '${name}'`);
    return value;
  };
  const endpoint = parameter("endpoint").replace(/\/*$/, "/");
  const actor = JSON.parse(parameter("actor"));
  const registration = parameter("registration");
  const activity = parameter("activityId");
  const began = now();

  const answer = await fetch(parameter("fetch"), { method: "POST" });
  const token = (await answer.json())["auth-token"];
  if (!answer.ok || !token) throw new Error("the launch's token cannot be fetched; start the lesson again from the course");

  const headers = { Authorization: `Basic ${token}`, "X-Experience-API-Version": VERSION };
  const agent = JSON.stringify(actor);
  const document = (resource, more) => `${endpoint}${resource}?${new URLSearchParams({ ...more, agent })}`;
  const stateAt = (stateId) => document("activities/state", { activityId: activity, registration, stateId });
  const read = async (url) => {
    const found = await fetch(url, { headers });
    if (found.status === 404) return null;
    if (!found.ok) throw new Error(`the learning record store answers ${found.status}`);
    return found;
  };

  const launch = await (await read(stateAt("LMS.LaunchData")))?.json();
  if (!launch?.contextTemplate) throw new Error("the learning record store has no launch data for this lesson");
  const preferences = await (await read(document("agents/profile", { profileId: "cmi5LearnerPreferences" })))?.json();
  const kept = await (await read(stateAt(STATE)))?.json();

  const normal = (launch.launchMode ?? "Normal") === "Normal";
  const mastery = launch.masteryScore;
  // Statements that were sent in an earlier session of this registration aren't sent again.
  const said = new Set(kept?.said ?? []);
  let work = kept?.work ?? null;
  let ended = false;

  let line = Promise.resolve();
  const inLine = (task) => {
    const done = line.then(task);
    line = done.catch(() => {});
    return done;
  };
  const put = async (url, method, body, keepalive) => {
    const options = { method, keepalive, body: JSON.stringify(body), headers: { ...headers, "Content-Type": "application/json" } };
    const reply = await fetch(url, options);
    if (!reply.ok) throw new Error(`the learning record store answers ${reply.status}`);
  };

  function statement(verb, result) {
    const context = structuredClone(launch.contextTemplate);
    context.registration = registration;
    context.contextActivities ??= {};
    const category = list(context.contextActivities.category);
    const belongs = (name) => {
      if (!category.some(({ id }) => id === CATEGORY + name)) category.push({ objectType: "Activity", id: CATEGORY + name });
    };
    belongs("cmi5");
    if (result && ("completion" in result || "success" in result)) belongs("moveon");
    context.contextActivities.category = category;
    if (mastery !== undefined && result && "success" in result) {
      context.extensions = { ...context.extensions, [`${EXTENSION}masteryscore`]: mastery };
    }
    const display = { "en-US": verb };
    return {
      id: uuid(),
      timestamp: new Date(now()).toISOString(),
      actor,
      verb: { id: VERBS[verb], display },
      object: { objectType: "Activity", id: activity },
      ...(result && { result }),
      context,
    };
  }

  const tell = (verb, result, keepalive = false) => {
    const made = statement(verb, result);
    return inLine(() => put(`${endpoint}statements`, "POST", made, keepalive));
  };
  const save = () => inLine(() => put(stateAt(STATE), "PUT", { said: [...said], work }, false));
  const spent = () => duration(now() - began);

  await tell("initialized");

  return {
    /** The learner's preferred language, if the store knows it. */
    language: preferences?.languagePreference?.split(",")[0]?.trim() || null,
    /** The lesson's state of an earlier session. */
    work,
    /** Where the course continues after the end, if that is known to be the course's system. */
    after: wayBack(launch.returnURL, address, before),
    async keep(state) {
      work = state;
      await save();
    },
    /** The lesson is done. `score` is from 0 to 1. */
    async completed({ score }) {
      if (!normal || ended) return;
      if (!said.has("completed")) {
        said.add("completed");
        await tell("completed", { completion: true, duration: spent() });
      }
      if (!said.has("passed") && score >= (mastery ?? 0)) {
        said.add("passed");
        await tell("passed", { success: true, score: { scaled: score }, duration: spent() });
      }
      await save();
    },
    /** The learner hands the lesson in unfinished. */
    async handedIn({ score }) {
      if (!normal || ended || said.has("passed") || said.has("completed")) return;
      // A score that the course accepts as mastery can't be a failure.
      const scored = score < (mastery ?? 1);
      await tell("failed", { success: false, ...(scored && { score: { scaled: score } }), duration: spent() });
    },
    /** The last statement of a session, also sent when the page is closed. */
    async end() {
      if (ended) return;
      ended = true;
      await tell("terminated", { duration: spent() }, true);
    },
  };
}
