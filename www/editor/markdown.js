// Draws the texts of a notebook's cells.
//
// They're built node by node from the parser's tokens, and nothing of it is ever parsed as HTML: a notebook is a stranger's file. Tags
// in the text are left out and their words stay, links lead to web pages only, and images come from the notebook alone.

import { lexer } from "marked";

const element = (name, children = [], attributes = {}) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

/** The parser leaves it to HTML to read entities such as `&lt;`. */
const entities = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
const plain = (text) => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]);

const isWeb = (address) => /^https?:\/\//i.test(address);
const isPicture = (address) => /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i.test(address);

const all = (tokens) => (tokens ?? []).flatMap(draw);

const cells = (row, name) => row.map((cell) => element(name, all(cell.tokens), name === "th" ? { scope: "col" } : {}));

/** The nodes of one token. */
function draw(token) {
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      // The page has its own heading above.
      return [element(`h${Math.min(6, token.depth + 2)}`, all(token.tokens))];
    case "paragraph":
      return [element("p", all(token.tokens))];
    case "blockquote":
      return [element("blockquote", all(token.tokens))];
    case "hr":
      return [element("hr")];
    case "code":
      return [element("pre", [element("code", [token.text])], { class: "sample", tabindex: "0" })];
    case "list": {
      const items = token.items.map((item) => element("li", all(item.tokens)));
      return [token.ordered ? element("ol", items, { start: String(token.start || 1) }) : element("ul", items)];
    }
    case "checkbox":
      return [token.checked ? "☑ " : "☐ "];
    case "table": {
      const rows = token.rows.map((row) => element("tr", cells(row, "td")));
      const head = element("thead", [element("tr", cells(token.header, "th"))]);
      return [element("div", [element("table", [head, element("tbody", rows)])], { class: "scroll", tabindex: "0" })];
    }
    case "strong":
      return [element("strong", all(token.tokens))];
    case "em":
      return [element("em", all(token.tokens))];
    case "del":
      return [element("del", all(token.tokens))];
    case "codespan":
      return [element("code", [token.text])];
    case "br":
      return [element("br")];
    case "link": {
      const words = all(token.tokens);
      return isWeb(token.href) ? [element("a", words, { href: token.href, rel: "noopener noreferrer", target: "_blank" })] : words;
    }
    case "image":
      return [isPicture(token.href) ? element("img", [], { src: token.href, alt: plain(token.text) }) : plain(token.text)];
    case "escape":
      return [token.text];
    case "text":
      return token.tokens ? all(token.tokens) : [plain(token.text)];
    case "html":
      if (/^<br\s*\/?>$/i.test(token.raw)) return [element("br")];
      return [plain(token.raw.replace(/<!--[\s\S]*?-->|<\/?[a-z][^>]*>/gi, ""))];
    default:
      return [token.raw];
  }
}

/** Markdown as nodes of the page. */
export function nodes(text) {
  return all(lexer(text));
}
