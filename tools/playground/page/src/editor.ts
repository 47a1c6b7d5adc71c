/** The editor: CodeMirror, with the findings underlined. */

import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, indentOnInput, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import type { Edit, File, Finding } from "./questions";

function language(name: string): Extension {
  if (name.endsWith(".json")) return json();
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

/** One editor with a state for each file. */
export class Editor {
  readonly #view: EditorView;
  readonly #states = new Map<string, EditorState>();
  readonly #changed: () => void;
  #name = "";

  /** @param host - gets a shadow tree, where CodeMirror's styles are objects and no elements: the content security policy forbids those. */
  constructor(host: HTMLElement, changed: () => void) {
    this.#changed = changed;
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
        keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
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
