// What the page may make of text: the one policy that its content security policy allows (Trusted Types).
//
// The views' fixed parts arrive as text, because Leptos clones them from templates. They hold plain elements; anything that
// could run is refused, so that no text of anyone's becomes a script should it ever get there. Scripts and workers come from
// this site.

const home = new URL("./", import.meta.url).href;

const TAG = /<\/?([a-z][a-z0-9-]*)((?:\s+[a-zA-Z:-]+(?:="[^"]*")?)*)\s*\/?>/gi;
const ATTRIBUTE = /([a-zA-Z:-]+)(?:="([^"]*)")?/g;
const RUNS = new Set(["script", "iframe", "frame", "object", "embed", "base", "link", "meta", "style", "form", "template", "math"]);
const LEADS = new Set(["href", "xlink:href", "src", "action", "formaction", "data", "poster", "ping"]);

/** Whether a piece of HTML only shows something. */
export function isPlain(html) {
  for (const [, name, attributes] of html.matchAll(TAG)) {
    if (RUNS.has(name.toLowerCase())) return false;
    for (const [, attribute, value = ""] of attributes.matchAll(ATTRIBUTE)) {
      const called = attribute.toLowerCase();
      if (called.startsWith("on") || called === "srcdoc") return false;
      if (LEADS.has(called) && !/^(#|\.\/|https:\/\/)/.test(value)) return false;
    }
  }
  return !html.replace(TAG, "").includes("<");
}

const own = (address) => {
  const to = new URL(address, document.baseURI);
  // In a sandbox without an origin a worker starts from a blob of the frame's own; no one else can make one there.
  return to.href.startsWith(home) || (to.protocol === "blob:" && origin === "null");
};

globalThis.trustedTypes?.createPolicy("default", {
  createHTML: (html) => (isPlain(html) ? html : null),
  createScriptURL: (address) => (own(address) ? address : null),
});
