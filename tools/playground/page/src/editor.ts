/** The editor: CodeMirror, with the findings underlined. */

import { autocompletion, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, indentOnInput, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers, type Tooltip,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { python } from "@codemirror/legacy-modes/mode/python";
import { element, prose } from "./dom";
import type { Completions, Edit, File, Finding, Hovered } from "./questions";

/** What the editor asks about a place in the file that is shown. */
export interface Helper {
  hover(offset: number, text: string): Promise<Hovered | undefined>;
  complete(offset: number, text: string): Promise<Completions | undefined>;
}

function language(name: string): Extension {
  if (name.endsWith(".json")) return json();
  if (name.endsWith(".py")) return StreamLanguage.define(python);
  return /\.(sh|bash|slurm|sbatch)$/.test(name) ? StreamLanguage.define(shell) : yaml();
}

/** Colours come from the page, which has them for light and dark, and frames the editor that has the keyboard. */
const THEME = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--surface)", fontSize: "0.875rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { color: "var(--faint)", backgroundColor: "var(--surface)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--active)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection)" },
  ".cm-tooltip": { color: "var(--text)", backgroundColor: "var(--raised)", border: "1px solid var(--line)", maxWidth: "36rem" },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { color: "var(--on-accent)", backgroundColor: "var(--accent)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected] .cm-completionDetail": { color: "var(--on-accent)" },
  ".cm-completionDetail": { color: "var(--faint)" },
  ".cm-about": { padding: "0.4rem 0.7rem", maxHeight: "18rem", overflowY: "auto", whiteSpace: "pre-wrap" },
  ".cm-about p": { margin: "0.3rem 0" },
  ".cm-diagnostic": { borderLeftWidth: "3px" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--error)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warning)" },
  ".cm-diagnostic-info": { borderLeftColor: "var(--note)" },
  ".cm-lintRange-error, .cm-lintRange-warning, .cm-lintRange-info": { backgroundImage: "none", textDecoration: "underline wavy 1px", textUnderlineOffset: "3px" },
  ".cm-lintRange-error": { textDecorationColor: "var(--error)" },
  ".cm-lintRange-warning": { textDecorationColor: "var(--warning)" },
  ".cm-lintRange-info": { textDecorationColor: "var(--note)" },
  ".tok-comment": { color: "var(--faint)", fontStyle: "italic" },
  ".tok-propertyName, .tok-definition": { color: "var(--key)" },
  ".tok-string, .tok-string2": { color: "var(--string)" },
  ".tok-number, .tok-bool, .tok-atom, .tok-keyword": { color: "var(--number)" },
});

/** Paragraphs about a key. */
function about(text: string): HTMLElement {
  return element("div", { class: "cm-about" }, ...text.split("\n\n").map((part) => element("p", {}, ...prose(part))));
}

function hovering(helper: Helper): Extension {
  return hoverTooltip(async (view, offset): Promise<Tooltip | null> => {
    const found = await helper.hover(offset, view.state.doc.toString());
    if (found?.text === undefined || found.from === undefined || found.to === undefined) return null;
    const { text, from, to } = found;
    return { pos: from, end: to, create: () => ({ dom: about(text) }) };
  });
}

async function completing(helper: Helper, context: CompletionContext): Promise<CompletionResult | null> {
  // Without a word only where somebody asks, or behind the key of a value.
  if (!context.explicit && !context.matchBefore(/[\w."'-]$|: $/)) return null;
  const found = await helper.complete(context.pos, context.state.doc.toString());
  if (found?.proposals === undefined || found.from === undefined || context.aborted) return null;
  return {
    from: found.from,
    ...(found.to !== undefined && { to: found.to }),
    options: found.proposals.map((one, place) => ({
      label: one.label, apply: one.text, detail: one.detail, type: one.isKey ? "property" : "enum", boost: -place / 10,
      ...(one.about && { info: () => about(one.about) }),
    })),
    validFor: /^[\w."'-]*$/,
  };
}

/** One editor with a state for each file. */
export class Editor {
  readonly #view: EditorView;
  readonly #states = new Map<string, EditorState>();
  readonly #changed: () => void;
  readonly #helper: Helper;
  #name = "";

  /** @param host - gets a shadow tree, where CodeMirror's styles are objects and no elements: the content security policy forbids those. */
  constructor(host: HTMLElement, changed: () => void, helper: Helper) {
    this.#changed = changed;
    this.#helper = helper;
    const root = host.attachShadow({ mode: "open" });
    this.#view = new EditorView({ parent: root, root });
  }

  /** Show a file; its history of changes is kept while the page is open. */
  show(file: File): void {
    if (this.#name !== "") this.#states.set(this.#name, this.#view.state);
    this.#name = file.name;
    const known = this.#states.get(file.name);
    this.#view.setState(known?.doc.toString() === file.text ? known : this.#fresh(file));
  }

  /** Forget a file that was removed or renamed. */
  forget(name: string): void {
    this.#states.delete(name);
    if (this.#name === name) this.#name = "";
  }

  #fresh(file: File): EditorState {
    return EditorState.create({
      doc: file.text,
      extensions: [
        lineNumbers(), lintGutter(), highlightActiveLine(), highlightActiveLineGutter(), history(),
        drawSelection(), bracketMatching(), indentOnInput(), syntaxHighlighting(classHighlighter),
        THEME, language(file.name), EditorView.lineWrapping,
        hovering(this.#helper),
        autocompletion({ override: [(context) => completing(this.#helper, context)], icons: false }),
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({ "aria-label": `Text of ${file.name}`, spellcheck: "false", tabindex: "0" }),
        EditorView.updateListener.of((update) => { if (update.docChanged) this.#changed(); }),
      ],
    });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Underline the findings of the file that is shown. */
  mark(findings: readonly Finding[]): void {
    const end = this.#view.state.doc.length;
    const marks = findings.map((found): Diagnostic => ({
      from: Math.min(found.from, end),
      to: Math.min(found.to, end),
      severity: found.severity === "note" ? "info" : found.severity,
      message: `${found.code} ${found.message}`,
    }));
    this.#view.dispatch(setDiagnostics(this.#view.state, marks));
  }

  /** Move the cursor to a place, and the keyboard into the editor. */
  go(from: number): void {
    const end = this.#view.state.doc.length;
    this.#view.dispatch({ selection: { anchor: Math.min(from, end) }, effects: EditorView.scrollIntoView(Math.min(from, end), { y: "center" }) });
    this.#view.focus();
  }

  /** Make changes that are undone together, and apart from what was typed just before. */
  apply(edits: readonly Edit[]): void {
    this.#view.dispatch({ changes: edits, annotations: isolateHistory.of("full") });
  }

  /** Replace the whole text, as one change. */
  replace(text: string): void {
    this.apply([{ from: 0, to: this.#view.state.doc.length, insert: text }]);
  }
}
