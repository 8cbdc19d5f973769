// A lesson as a sharable content object of SCORM 1.2: what it reports to the learning management system that opened it.
//
// connect(window) looks for the system's API object as SCORM 1.2 says: upward through the parents, then the opener and its
// parents. Every call returns a string. Anything except "true" is an error, which the API describes.

/** How many parents are searched; SCORM's own examples stop there as well. */
const HIGHEST = 7;
/** The most characters in `cmi.suspend_data`. */
const SUSPEND = 4096;

function above(window) {
  let here = window;
  for (let i = 0; i <= HIGHEST; i += 1) {
    // A parent of another origin can't be accessed.
    try {
      if (here.API) return here.API;
    } catch {
      return null;
    }
    if (!here.parent || here.parent === here) return null;
    here = here.parent;
  }
  return null;
}

export const findApi = (window) => above(window) ?? (window.opener ? above(window.opener) : null);

/** `HHHH:MM:SS.SS`. */
export function timespan(milliseconds) {
  const hundredths = Math.round(Math.max(milliseconds, 0) / 10);
  const two = (n) => String(n).padStart(2, "0");
  const seconds = Math.floor(hundredths / 100);
  const hours = String(Math.min(Math.floor(seconds / 3600), 9999)).padStart(4, "0");
  return `${hours}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${two(hundredths % 100)}`;
}

async function through(stream, bytes) {
  const writer = stream.writable.getWriter();
  writer.write(bytes);
  writer.close();
  return new Uint8Array(await new Response(stream.readable).arrayBuffer());
}

const fits = (state) => state.length < SUSPEND && !state.startsWith("z:");

/** A state in few characters; `null` if it doesn't fit. */
export async function pack(state) {
  if (fits(state)) return state;
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(state));
  const text = `z:${btoa(String.fromCharCode(...bytes))}`;
  return text.length <= SUSPEND ? text : null;
}

export async function unpack(text) {
  if (!text.startsWith("z:")) return text;
  const bytes = Uint8Array.from(atob(text.slice(2)), (c) => c.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}

export async function connect(window, { now = Date.now } = {}) {
  const api = findApi(window);
  if (!api) throw new Error("no learning management system is here: its API object is not found");
  const call = (name, ...values) => {
    const answer = String(api[name](...values));
    if (answer === "true") return;
    const code = String(api.LMSGetLastError());
    throw new Error(`${name}(${values.slice(0, 1)}): ${api.LMSGetErrorString(code)} (${code})`);
  };
  const set = (element, value) => call("LMSSetValue", element, String(value));
  const get = (element) => String(api.LMSGetValue(element) ?? "");

  call("LMSInitialize", "");
  const began = now();
  const before = get("cmi.core.lesson_status");
  // A course that is opened only for review or browsing records nothing.
  const normal = !["browse", "review"].includes(get("cmi.core.lesson_mode"));
  let done = before === "passed" || before === "completed";
  let ended = false;
  if (normal && (before === "not attempted" || before === "")) {
    set("cmi.core.lesson_status", "incomplete");
    call("LMSCommit", "");
  }
  const score = (value) => {
    set("cmi.core.score.raw", Math.round(value * 100));
    // A system needn't support these two. Without them, a raw score is from 0 to 100.
    for (const [element, bound] of [["min", 0], ["max", 100]]) api.LMSSetValue(`cmi.core.score.${element}`, String(bound));
  };
  const suspended = get("cmi.suspend_data");
  // States are packed one after the other; only the latest is worth writing.
  let latest = 0;

  return {
    language: null,
    work: suspended ? await unpack(suspended).catch(() => null) : null,
    after: null,
    async keep(state) {
      const turn = (latest += 1);
      // Without waiting where that is possible: the page may be going away.
      const text = fits(state) ? state : await pack(state);
      if (ended || turn !== latest || text === null) return;
      set("cmi.suspend_data", text);
      call("LMSCommit", "");
    },
    async completed(result) {
      if (!normal || ended) return;
      done = true;
      score(result.score);
      set("cmi.core.lesson_status", "passed");
      call("LMSCommit", "");
    },
    async handedIn(result) {
      if (!normal || ended || done) return;
      score(result.score);
      set("cmi.core.lesson_status", "failed");
      call("LMSCommit", "");
    },
    /** Makes no call that waits: a page that's closing has no time for it. */
    async end() {
      if (ended) return;
      ended = true;
      set("cmi.core.session_time", timespan(now() - began));
      set("cmi.core.exit", done ? "" : "suspend");
      call("LMSCommit", "");
      call("LMSFinish", "");
    },
  };
}
