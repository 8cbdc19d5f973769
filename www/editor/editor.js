// <code-editor>: a Python editor around a plain textarea.
//
// The textarea in its light DOM always holds the text and is what the page listens to; CodeMirror, in an open shadow
// root, is a nicer way to change it. Without this script, or with the attribute `plain`, the textarea itself is shown.
//
//   value        property    the text; setting it is an edit that Undo can take back
//   error-line   attribute   line to mark as the one that raised
//   focus-line   attribute   line to mark; `7!` also scrolls to it
//   plain        attribute   show the textarea
//   label        attribute   accessible name
//   cell         attribute   it's a cell of a notebook: Shift+Enter runs it, and the event `run` has the detail "next"
//
// The shadow root also lets CodeMirror bring its styles as constructed style sheets, which a strict content security
// policy allows.

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags as t } from "@lezer/highlight";

// Every color is one of the page's custom properties, so a change of theme needs nothing here.
const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "transparent", fontSize: "var(--code-size)", height: "100%" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { padding: "var(--s3) 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 var(--s4) 0 var(--s2)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--faint)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 var(--s2) 0 var(--s4)", minWidth: "2.2em" },
  ".cm-activeLine": { backgroundColor: "var(--line-now)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection) !important",
  },
  ".cm-matchingBracket": { backgroundColor: "var(--selection)", outline: "1px solid var(--line)" },
  ".cm-error-line": { backgroundColor: "var(--bad-tint)", boxShadow: "inset 3px 0 0 var(--bad)" },
  ".cm-focus-line": { backgroundColor: "var(--focus-tint)", boxShadow: "inset 3px 0 0 var(--focus)" },
  ".cm-panels": { backgroundColor: "var(--surface)", color: "var(--ink)" },
  ".cm-panels-bottom": { borderTop: "1px solid var(--line)" },
});

const colours = HighlightStyle.define([
  { tag: [t.keyword, t.operatorKeyword, t.definitionKeyword, t.controlKeyword, t.moduleKeyword], color: "var(--code-keyword)" },
  { tag: [t.string, t.special(t.string)], color: "var(--code-string)" },
  { tag: [t.number, t.bool, t.null], color: "var(--code-number)" },
  { tag: t.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [t.function(t.variableName), t.function(t.propertyName)], color: "var(--code-call)" },
  { tag: [t.definition(t.variableName), t.className], color: "var(--ink)" },
  { tag: t.invalid, color: "var(--bad)" },
]);

// A field that marks one complete line. An effect sets it, and an edit of that line removes it.
function lineMark(className) {
  const set = StateEffect.define();
  const decoration = Decoration.line({ class: className });
  const field = StateField.define({
    create: () => Decoration.none,
    update(marks, transaction) {
      if (transaction.docChanged) marks = Decoration.none;
      for (const effect of transaction.effects) {
        if (!effect.is(set)) continue;
        const { doc } = transaction.state;
        const known = effect.value >= 1 && effect.value <= doc.lines;
        marks = known ? Decoration.set([decoration.range(doc.line(effect.value).from)]) : Decoration.none;
      }
      return marks;
    },
    provide: (f) => EditorView.decorations.from(f),
  });
  return { set, field };
}
const errorLine = lineMark("cm-error-line");
const focusLine = lineMark("cm-focus-line");

// Types over a selection. Otherwise Chrome would copy the style of the replaced text into a style attribute, which the
// content security policy blocks and reports.
function replaceSelection(event, view) {
  const { main } = view.state.selection;
  if (event.inputType !== "insertText" || event.isComposing || event.data === null || main.empty) return false;
  const type = () =>
    view.state.update(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handle) => handle(view, main.from, main.to, event.data, type))) view.dispatch(type());
  return true;
}

class CodeEditor extends HTMLElement {
  static observedAttributes = ["error-line", "focus-line", "plain", "label"];

  #view = null;
  #labels = new Compartment();

  connectedCallback() {
    // The page may have set the property before this class was defined.
    if (Object.hasOwn(this, "value")) {
      const early = this.value;
      delete this.value;
      this.#textarea.value = early;
    }
    if (!this.shadowRoot) this.attachShadow({ mode: "open" }).innerHTML = "<slot></slot>";
    this.#textarea.addEventListener("keydown", this.#keys);
    this.#show();
  }

  disconnectedCallback() {
    this.#textarea?.removeEventListener("keydown", this.#keys);
    this.#view?.destroy();
    this.#view = null;
  }

  attributeChangedCallback(name) {
    if (!this.isConnected) return;
    if (name === "plain") this.#show();
    if (!this.#view) return;
    if (name === "error-line") this.#mark(errorLine, name);
    if (name === "focus-line") this.#mark(focusLine, name);
    if (name === "label") this.#view.dispatch({ effects: this.#labels.reconfigure(this.#label()) });
  }

  get value() {
    return this.#textarea?.value ?? "";
  }

  set value(text) {
    if (text === this.value && (!this.#view || text === this.#view.state.doc.toString())) return;
    this.#textarea.value = text;
    const view = this.#view;
    if (view && view.state.doc.toString() !== text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    }
  }

  get #textarea() {
    return this.querySelector("textarea");
  }

  #keys = (event) => {
    const next = event.shiftKey && this.hasAttribute("cell");
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey || next)) {
      event.preventDefault();
      this.#run(next ? "next" : null);
    }
  };

  #run(detail = null) {
    this.dispatchEvent(new CustomEvent("run", { bubbles: true, detail }));
    return true;
  }

  // In a cell of a notebook, Shift+Enter runs it and goes on to the next one.
  #runAndGoOn() {
    return this.hasAttribute("cell") && this.#run("next");
  }

  focus(options) {
    if (this.#view) this.#view.focus();
    else this.#textarea.focus(options);
  }

  #label() {
    return EditorView.contentAttributes.of({
      "aria-label": this.getAttribute("label") ?? "Python program",
      "aria-multiline": "true",
      tabindex: "0",
      spellcheck: "false",
      autocapitalize: "off",
      autocorrect: "off",
    });
  }

  #mark(mark, attribute) {
    const wanted = this.getAttribute(attribute) ?? "";
    const line = Number.parseInt(wanted, 10) || 0;
    const { doc } = this.#view.state;
    const effects = [mark.set.of(line)];
    if (wanted.endsWith("!") && line >= 1 && line <= doc.lines) {
      effects.push(EditorView.scrollIntoView(doc.line(line).from, { y: "nearest", yMargin: 40 }));
    }
    this.#view.dispatch({ effects });
  }

  #show() {
    if (this.hasAttribute("plain")) {
      this.#view?.destroy();
      this.#view = null;
      this.shadowRoot.innerHTML = "<slot></slot>";
      return;
    }
    if (this.#view) return;
    this.shadowRoot.innerHTML = "";
    this.#view = new EditorView({
      root: this.shadowRoot,
      parent: this.shadowRoot,
      state: EditorState.create({
        doc: this.#textarea.value,
        extensions: [
          lineNumbers(),
          highlightActiveLineGutter(),
          history(),
          drawSelection(),
          indentUnit.of("    "),
          EditorState.tabSize.of(4),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          search(),
          python(),
          syntaxHighlighting(colours),
          theme,
          errorLine.field,
          focusLine.field,
          this.#labels.of(this.#label()),
          keymap.of([
            { key: "Mod-Enter", run: () => this.#run() },
            { key: "Shift-Enter", run: () => this.#runAndGoOn() },
            ...closeBracketsKeymap,
            ...defaultKeymap.filter((binding) => binding.key !== "Mod-Enter"),
            ...searchKeymap,
            ...historyKeymap,
            // Tab indents. Escape and then Tab leaves the editor (built into the view).
            indentWithTab,
          ]),
          EditorView.domEventHandlers({ beforeinput: replaceSelection }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            const textarea = this.#textarea;
            const text = update.state.doc.toString();
            if (textarea.value === text) return;
            textarea.value = text;
            textarea.dispatchEvent(new Event("input", { bubbles: true }));
          }),
        ],
      }),
    });
    this.#mark(errorLine, "error-line");
    this.#mark(focusLine, "focus-line");
  }
}

customElements.define("code-editor", CodeEditor);

// <markdown-text>: the text of a notebook's cell, given as its property `value`. Few pages show one, so what draws it is fetched when
// the first one does; until then, and if it can't be had, the text is shown as it's written.
class MarkdownText extends HTMLElement {
  #value = "";

  connectedCallback() {
    // The page may have set the property before this class was defined.
    if (!Object.hasOwn(this, "value")) return;
    const early = this.value;
    delete this.value;
    this.value = early;
  }

  get value() {
    return this.#value;
  }

  set value(text) {
    this.#value = text;
    this.#draw(text).catch(() => this.replaceChildren(text));
  }

  async #draw(text) {
    const { nodes } = await import("./markdown.js");
    if (text === this.#value) this.replaceChildren(...nodes(text));
  }
}

customElements.define("markdown-text", MarkdownText);
