// A lesson in a frame of another page: a poster until someone starts it, then the page itself; and the messages between
// the frame and the page around it.
//
//   embed.html#lesson=ID&theme=auto|light|dark&lang=en|de&load=click|eager&keep=none
//
//   host page                      this frame                         the page's wasm
//      ◀── ready (window, "*") ──      says only that it is there
//      ─── hello + MessagePort ──▶     pins the origin
//      ◀── port: resize, started, … ── CustomEvent tensoryard-report ◀──
//      ─── port: theme, run, … ──▶     CustomEvent tensoryard-command ──▶
//
// Every message is {tensoryard: 1, type, id, re?, lesson?, data}. What has another shape or an unknown type is ignored.

const VERSION = 1;
const READY_EVERY = 250;
const READY_TIMES = 20;
const STATE_MOST = 64 * 1024;
// The most commands that wait for the page to start. If there are more, the oldest are dropped.
const WAITING_MOST = 64;
const COMMANDS = new Set(["theme", "lang", "load", "run", "stop", "reset", "step", "restore"]);
const REPORTS = new Set(["started", "checked", "completed", "statement", "diagnosed", "output", "state"]);

const wanted = new URLSearchParams(location.hash.slice(1));
const isId = (text) => typeof text === "string" && /^[a-z0-9-]{1,80}$/.test(text);
let lesson = isId(wanted.get("lesson")) ? wanted.get("lesson") : null;

const texts = {
  en: { start: "Start this lesson", prints: "It prints", none: "There is no such lesson here.", minutes: "min", code: "Program", output: "Output" },
  de: { start: "Lektion beginnen", prints: "Es gibt aus", none: "Diese Lektion gibt es hier nicht.", minutes: "min", code: "Programm", output: "Ausgabe" },
};
const speaks = (code) => (/^[a-z]{2}$/.test(code) ? code : "en");
let language = speaks(wanted.get("lang") ?? "en");
const root = document.documentElement;

function setTheme(theme) {
  root.dataset.theme = theme === "light" || theme === "dark" ? theme : "auto";
}

function setLanguage(code) {
  language = speaks(code);
  // Of any other language it's known later whether the lesson is translated into it.
  root.lang = Object.hasOwn(texts, language) ? language : "en";
  // The page reads this when it starts.
  root.dataset.language = language;
}

// The page then stores nothing in the browser: the host does, with `state` and `restore`.
if (wanted.get("keep") === "none") root.dataset.keep = "none";
setTheme(wanted.get("theme"));
setLanguage(language);

// ---- the poster ----

const poster = document.getElementById("poster");

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/**
 * What is known of a lesson before it is started: its title, its first program, who may hear from it. Null if there is no
 * such lesson, or if it can't be fetched, which is tried again for a few seconds.
 */
async function describe(id) {
  if (!id) return null;
  const address = new URL(`./lessons/posters/${id}.json`, import.meta.url);
  for (let pause = 250; ; pause *= 2) {
    const answer = await fetch(address).catch(() => null);
    if (answer) return answer.ok ? answer.json().catch(() => null) : null;
    if (pause > 2000) return null;
    await new Promise((done) => setTimeout(done, pause));
  }
}

/** Whether pages of an origin may exchange messages with the lesson. A lesson about which nothing is known only answers
 * its own site. */
async function answers(id, origin) {
  if (!id || origin === location.origin) return true;
  const origins = (await describe(id))?.origins;
  return Array.isArray(origins) && (origins.length === 0 || origins.includes(origin));
}

/** The words around the poster. Those of a language that isn't here are in the file of the page's texts, by their English. */
async function wordsIn(code, translated) {
  if (Object.hasOwn(texts, code)) return texts[code];
  if (!translated) return texts.en;
  root.lang = code;
  const answer = await fetch(new URL(`./lessons/${code}/page.json`, import.meta.url)).catch(() => null);
  const own = answer?.ok ? await answer.json().catch(() => ({})) : {};
  return Object.fromEntries(Object.entries(texts.en).map(([name, text]) => [name, own[text] ?? text]));
}

async function showPoster() {
  const about = await describe(lesson);
  const words = await wordsIn(language, Object.hasOwn(about?.titles ?? {}, language));
  if (started) return;
  poster.removeAttribute("aria-busy");
  if (!about && !supplied) {
    poster.replaceChildren(element("p", { className: "notice bad", role: "alert", textContent: words.none }));
    return;
  }
  const button = element("button", { type: "button", className: "primary", textContent: words.start });
  button.addEventListener("click", () => start());
  const title = about?.titles?.[language] ?? about?.title ?? "";
  const head = element("div", { className: "poster-head" }, element("h1", { textContent: title }), button);
  poster.replaceChildren(head);
  if (title) document.title = title;
  const block = (label, text, className = "sample") => {
    const box = element("pre", { className, tabIndex: 0, textContent: text });
    box.setAttribute("aria-label", label);
    return box;
  };
  if (about?.code) poster.append(block(words.code, about.code));
  if (about?.output) {
    poster.append(element("p", { className: "faint", textContent: `${words.prints}:` }), block(words.output, about.output, "sample printed"));
  }
}

// ---- starting the page ----

let started = false;
let supplied = null;
let running = false;
const waiting = [];

async function start() {
  if (started) return;
  started = true;
  poster.setAttribute("aria-busy", "true");
  // The page's wasm reads which lesson to show.
  root.dataset.lesson = lesson ?? "";
  if (supplied) {
    root.dataset.source = supplied;
    // The work in a host's own lesson is stored under the host's name. A host without an origin has no name, so another
    // such host would find the work.
    if (host === "null") root.dataset.keep = "none";
  }
  const named = (name) => document.querySelector(`meta[name="${name}"]`).content;
  await import(new URL("./vendor-editor.js", import.meta.url)).catch(() => null);
  await import(new URL(named("tensoryard-start"), import.meta.url));
}

addEventListener("tensoryard-mounted", () => {
  poster.remove();
  running = true;
  for (const message of waiting.splice(0)) command(message);
});

// ---- messages ----

let port = null;
let host = null;
let caps = new Set();
let id = 0;

// ---- xAPI ----

/** A random UUID of version 4. `crypto.randomUUID` only exists on secure pages. */
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

// How an agent is identified (xAPI 1.0.3, Data, 2.4.2.3): by exactly one of these.
const text = (value, form) => typeof value === "string" && value.length <= 1000 && form.test(value);
const IDENTIFIERS = {
  mbox: (value) => text(value, /^mailto:[^@\s]+@[^@\s]+$/),
  mbox_sha1sum: (value) => text(value, /^[0-9a-f]{40}$/i),
  openid: (value) => text(value, /^https?:/) && URL.canParse(value),
  account: (value) => text(value?.homePage, /^[a-z][a-z0-9+.-]*:/i) && URL.canParse(value.homePage) && text(value.name, /\S/),
};

/** The agent that a host names, without any other properties; null if it isn't an agent. */
function agent(said) {
  const kinds = Object.keys(IDENTIFIERS).filter((kind) => said?.[kind] !== undefined);
  const [kind] = kinds;
  if (kinds.length !== 1 || !["Agent", undefined].includes(said.objectType) || !IDENTIFIERS[kind](said[kind])) return null;
  const { homePage, name } = said[kind];
  const identifier = kind === "account" ? { homePage, name } : said[kind];
  return { objectType: "Agent", ...(text(said.name, /\S/) && { name: said.name }), [kind]: identifier };
}

// This page doesn't know the learner. Unless the host names one, it's a random name that exists only as long as the
// frame.
let actor = { objectType: "Agent", account: { homePage: new URL("./", import.meta.url).href, name: uuid() } };
const statement = (data) => ({ id: uuid(), actor, timestamp: new Date().toISOString(), ...data });

const envelope = (type, data, re) => ({ tensoryard: VERSION, type, id: (id += 1), ...(re && { re }), ...(lesson && { lesson }), data });
const send = (type, data, re) => port?.postMessage(envelope(type, data, re));
const isMessage = (data) =>
  typeof data === "object" && data !== null && data.tensoryard === VERSION && typeof data.type === "string";

function command({ type, data, id: re }) {
  if (type === "theme") {
    setTheme(data?.theme);
    return;
  }
  if (type === "lang") {
    setLanguage(data?.lang);
    if (!started) {
      showPoster();
      return;
    }
  }
  if (type === "load" && !started) {
    if (typeof data?.text === "string" && data.text.length <= 1 << 20) {
      supplied = data.text;
      // Messages only name lessons of this site.
      lesson = null;
    } else if (isId(data?.lesson)) {
      lesson = data.lesson;
      supplied = null;
    }
    if (data?.start === true) start();
    else showPoster();
    return;
  }
  if (type === "restore" && !(typeof data?.state === "string" && data.state.length <= STATE_MOST)) return;
  if (!running) {
    waiting.push({ type, data, id: re });
    if (waiting.length > WAITING_MOST) waiting.shift();
    if (type === "run") start();
    return;
  }
  dispatchEvent(new CustomEvent("tensoryard-command", { detail: JSON.stringify({ type, data: data ?? {} }) }));
}

// The lesson's origins are fetched. For a host that keeps saying hello, only one request runs at a time.
let greeted = false;

async function hello(event) {
  const { data } = event.data;
  greeted = true;
  // A lesson that lists origins answers no others; this site's own pages are always allowed.
  const open = await answers(lesson, event.origin).catch(() => false);
  greeted = false;
  if (!open) return;
  host = event.origin;
  // A lesson that is loaded later may have a stricter list.
  root.dataset.host = host;
  caps = new Set(Array.isArray(data?.caps) ? data.caps : []);
  const named = agent(data?.actor);
  if (named) actor = named;
  else if (data?.actor !== undefined) console.warn("Tensoryard: the actor of hello is not an xAPI agent and is not used.");
  port = event.ports[0];
  port.onmessage = ({ data: message }) => {
    if (isMessage(message) && COMMANDS.has(message.type)) command(message);
  };
  clearInterval(calling);
  if (data?.theme) setTheme(data.theme);
  if (data?.lang) {
    setLanguage(data.lang);
    if (!started) showPoster();
  }
  lastHeight = -1;
  measure();
}

addEventListener("message", (event) => {
  if (event.source !== parent || parent === window || !isMessage(event.data) || event.data.type !== "hello") return;
  // Only the first origin that says hello is answered.
  if (host !== null || greeted || event.ports.length !== 1) return;
  hello(event);
});

let calls = 0;
const call = () => {
  calls += 1;
  if (calls > READY_TIMES || host !== null) {
    clearInterval(calling);
    return;
  }
  parent.postMessage(envelope("ready", { version: VERSION }), "*");
};
const calling = parent === window ? 0 : setInterval(call, READY_EVERY);
if (parent !== window) call();

addEventListener("tensoryard-report", ({ detail }) => {
  const { type, data } = JSON.parse(detail);
  if (!REPORTS.has(type) || (type === "output" && !caps.has("output"))) return;
  send(type, type === "statement" ? statement(data) : data);
});

addEventListener("pagehide", () => send("bye", {}));

// ---- height ----

let lastHeight = -1;

function measure() {
  // The height of the content, because that of the frame would only ever grow.
  const content = document.body.getBoundingClientRect();
  const height = Math.ceil(content.height);
  if (height === lastHeight || !port) return;
  lastHeight = height;
  send("resize", { height });
}

new ResizeObserver(measure).observe(document.body);

await showPoster();
if (wanted.get("load") === "eager") await start();
