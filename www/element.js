// <tensoryard-lesson>: a lesson of this site on any page. No dependency, no cookie, no Python before it is started.
//
//   <tensoryard-lesson lesson="ID" load="click|visible|eager" theme="auto|light|dark" lang="en|de" keep="none"
//     src="my-lesson.md" caps="output" actor='{"account": {"homePage": "https://lms.example/", "name": "17"}}'>
//     what is shown where scripts do not run
//   </tensoryard-lesson>
//
// With load="click" a frame with the lesson's poster (its first program and what that prints) is there at once, and the
// learner starts it. A lesson of the host's own (src) has no poster: its content and a button are there until then.
//
// Methods: start(), run(), stop(), reset(), step(step), restore(state). Property: state, the latest that was reported.
// Events, all named tensoryard-…: started, checked, completed, statement, diagnosed, output, state, resize. The frame
// hears nothing from this page but these messages, and this page hears the frame only: window and origin are checked.

const HOME = new URL("./", import.meta.url);
const VERSION = 1;
const EVENTS = new Set(["started", "checked", "completed", "statement", "diagnosed", "output", "state"]);
const WORDS = { en: "Start this lesson", de: "Lektion beginnen" };
const TALLEST = 20000;

const styles = new CSSStyleSheet();
styles.replaceSync(`
  :host { display: block; }
  :host([hidden]) { display: none; }
  .start { font: 600 1rem/1 system-ui, sans-serif; padding: .7em 1.1em; border: 1px solid #1f3fbf; border-radius: 6px;
    background: #1f3fbf; color: #fff; cursor: pointer; }
  .start:focus-visible { outline: 3px solid #1f3fbf; outline-offset: 2px; }
  iframe { display: block; width: 100%; height: 480px; border: 0; color-scheme: normal; }
`);

class TensoryardLesson extends HTMLElement {
  static observedAttributes = ["theme", "lang", "lesson"];

  state = null;
  #frame = null;
  #port = null;
  #id = 0;
  #late = [];
  #seen = null;
  #asked = false;

  connectedCallback() {
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [styles];
    if (this.#frame) return;
    addEventListener("message", this.#heard);
    const load = this.getAttribute("load");
    if (load === "eager") {
      this.start();
      return;
    }
    if (load !== "visible" && !this.getAttribute("src")) {
      this.#open("click");
      return;
    }
    const button = document.createElement("button");
    button.type = "button";
    button.className = "start";
    button.textContent = WORDS[this.#language] ?? WORDS.en;
    button.addEventListener("click", () => this.start());
    shadow.replaceChildren(document.createElement("slot"), button);
    if (load === "visible") {
      this.#seen = new IntersectionObserver((entries) => {
        if (entries.some((entry) => entry.isIntersecting)) this.start();
      });
      this.#seen.observe(this);
    }
  }

  disconnectedCallback() {
    removeEventListener("message", this.#heard);
    this.#seen?.disconnect();
    this.#port?.close();
    this.#frame?.remove();
    this.#frame = this.#port = null;
    this.#asked = false;
  }

  attributeChangedCallback(name, before, now) {
    if (before === now || !this.#frame) return;
    if (name === "lesson") this.#send("load", { lesson: now });
    else this.#send(name, { [name]: name === "theme" ? this.#theme : this.#language });
  }

  /** Starts the lesson. */
  start() {
    if (this.#asked) return;
    this.#asked = true;
    this.#seen?.disconnect();
    const own = this.getAttribute("src");
    if (this.#frame) {
      this.#frame.loading = "eager";
      this.#send("load", { lesson: this.getAttribute("lesson") ?? "", start: true });
    } else {
      this.#open(own ? "click" : "eager");
      // The host's own lesson is read here, with the host's rights, and passed to the frame.
      if (own) this.#read(own);
    }
  }

  #open(load) {
    const frame = document.createElement("iframe");
    const address = new URL("embed.html", HOME);
    const lesson = this.getAttribute("lesson") ?? "";
    const own = this.getAttribute("src");
    const wanted = { lesson: own ? "" : lesson, theme: this.#theme, lang: this.#language, load };
    // The host stores the learner's work, and the browser shouldn't.
    if (this.getAttribute("keep") === "none") wanted.keep = "none";
    address.hash = new URLSearchParams(wanted);
    frame.title = this.getAttribute("title") || `Tensoryard: ${lesson || own}`;
    frame.allow = "clipboard-write; fullscreen";
    frame.setAttribute("sandbox", this.getAttribute("sandbox") ?? "allow-scripts allow-same-origin allow-downloads allow-popups");
    if (load === "click" && !own) frame.loading = "lazy";
    frame.src = address;
    this.#frame = frame;
    this.shadowRoot.replaceChildren(frame);
  }

  async #read(source) {
    try {
      const answer = await fetch(new URL(source, document.baseURI));
      if (!answer.ok) throw new Error(`${source}: ${answer.status}`);
      this.#send("load", { text: await answer.text(), start: true });
    } catch (error) {
      this.dispatchEvent(new CustomEvent("tensoryard-error", { bubbles: true, detail: String(error) }));
    }
  }

  run() {
    this.start();
    this.#send("run", {});
  }

  stop() {
    this.#send("stop", {});
  }

  reset() {
    this.#send("reset", {});
  }

  step(step) {
    this.#send("step", { step });
  }

  restore(state) {
    this.#send("restore", { state: String(state) });
  }

  get #theme() {
    const theme = this.getAttribute("theme");
    return theme === "light" || theme === "dark" ? theme : "auto";
  }

  get #language() {
    return (this.getAttribute("lang") || this.closest("[lang]")?.lang || "en").slice(0, 2);
  }

  /** The learner, for the statement. Invalid JSON is ignored. */
  get #actor() {
    const said = this.getAttribute("actor");
    if (!said) return {};
    try {
      return { actor: JSON.parse(said) };
    } catch (error) {
      console.warn(`<tensoryard-lesson>: the attribute actor is not JSON: ${error.message}`);
      return {};
    }
  }

  #send(type, data) {
    const message = { tensoryard: VERSION, type, id: (this.#id += 1), data };
    if (this.#port) this.#port.postMessage(message);
    else this.#late.push(message);
  }

  #heard = (event) => {
    const frame = this.#frame;
    if (!frame || event.source !== frame.contentWindow) return;
    const sandboxed = !frame.sandbox.contains("allow-same-origin");
    if (event.origin !== (sandboxed ? "null" : HOME.origin)) return;
    const message = event.data;
    if (message?.tensoryard !== VERSION || message.type !== "ready" || this.#port) return;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }) => this.#report(data);
    const caps = (this.getAttribute("caps") ?? "").split(/\s+/).filter(Boolean);
    const hello = { tensoryard: VERSION, type: "hello", id: (this.#id += 1), re: message.id };
    hello.data = { theme: this.#theme, lang: this.#language, caps, ...this.#actor };
    frame.contentWindow.postMessage(hello, sandboxed ? "*" : HOME.origin, [port2]);
    for (const late of this.#late.splice(0)) port1.postMessage(late);
  };

  #report(message) {
    if (message?.tensoryard !== VERSION) return;
    const { type, data } = message;
    if (type === "resize" && Number.isFinite(data?.height)) {
      const height = Math.min(Math.max(data.height, 120), TALLEST);
      this.#frame.style.height = `${height}px`;
      this.dispatchEvent(new CustomEvent("tensoryard-resize", { bubbles: true, detail: { height } }));
    } else if (EVENTS.has(type)) {
      if (type === "state") this.state = data;
      // The learner may already have started it.
      this.#asked = true;
      this.dispatchEvent(new CustomEvent(`tensoryard-${type}`, { bubbles: true, detail: data }));
    }
  }
}

if (!customElements.get("tensoryard-lesson")) customElements.define("tensoryard-lesson", TensoryardLesson);
