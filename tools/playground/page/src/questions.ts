/** What the page asks the worker, and what comes back: see `answers.py`. */

export interface File {
  readonly name: string;
  readonly text: string;
}

/** What is checked. */
export interface Subject {
  readonly files: readonly File[];
  readonly framework?: string;
  /** A version, such as `axolotl==0.18.0`. */
  readonly target?: string;
  readonly gpus?: number;
  readonly gpu?: string;
}

export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

export interface Fix {
  readonly title: string;
  readonly safety: "safe" | "unsafe";
  readonly refused: string | null;
  readonly edits: readonly Edit[];
}

export interface Row {
  readonly number: number | null;
  readonly text: string;
  readonly marks: number;
  readonly primary: boolean;
}

export interface Finding {
  readonly code: string;
  readonly name: string;
  readonly severity: "error" | "warning" | "note";
  readonly message: string;
  readonly cost: string;
  readonly decided_by: readonly string[];
  readonly undecided: boolean;
  readonly other_releases: boolean;
  readonly line: number;
  readonly column: number;
  readonly from: number;
  readonly to: number;
  readonly rows: readonly Row[];
  readonly elsewhere: readonly { readonly name: string; readonly line: number; readonly note: string }[];
  readonly fixes: readonly Fix[];
}

export interface Checked {
  readonly files: readonly {
    readonly name: string;
    /** Null when it is not known what reads the file. */
    readonly framework: string | null;
    readonly findings: readonly Finding[];
  }[];
  /** The framework that the first file is assumed to be for, as little in it says so. */
  readonly assumed: string | null;
  /** Files that are not configs; those around the first may be settings or lock files. */
  readonly unchecked: readonly string[];
  /** Files that the first has nothing to do with: their findings are not counted. */
  readonly apart: readonly string[];
  /** What was left out of the question, because it is not understood. */
  readonly problems: readonly string[];
  readonly counts: string;
  readonly targets: readonly string[];
  readonly warnings: readonly string[];
  /** How many more rules a field of the form would decide. */
  readonly undecided: readonly { readonly rules: number; readonly field: string }[];
  readonly suppressed: number;
}

export interface Fixed {
  readonly files: readonly {
    readonly name: string;
    readonly text: string;
    readonly fixed: readonly { readonly code: string; readonly title: string; readonly line: number }[];
    readonly patch: readonly string[];
  }[];
}

/** What `effective`, `fit` or `migrate` print; and, of the last, the files as its steps leave them. */
export interface Viewed {
  readonly text: string;
  readonly files?: Fixed["files"];
}

/** What is known about the key at a place; empty without one. */
export interface Hovered {
  readonly text?: string;
  readonly from?: number;
  readonly to?: number;
}

/** What may be written in the place of a part of the text; empty where that is not known. */
export interface Completions {
  readonly from?: number;
  readonly to?: number;
  readonly proposals?: readonly {
    readonly label: string;
    readonly text: string;
    readonly isKey: boolean;
    readonly detail: string;
    readonly about: string;
  }[];
}

export interface Refused {
  readonly refused: string;
}

/** Files to begin with. */
export interface Sample {
  readonly title: string;
  readonly files: readonly File[];
  /** What is found in them; it is stored for the first sample. */
  readonly answer?: Checked;
}

/** What `catalog.json` tells: the choices of the form, and where Python lies. */
export interface Catalog {
  readonly version: string;
  /** The folder with Python and cfglint. */
  readonly engine: string;
  readonly frameworks: readonly {
    readonly name: string;
    readonly title: string;
    readonly package: string;
    /** The newest first. */
    readonly releases: readonly string[];
  }[];
  readonly gpus: readonly string[];
  /** The folder of the documentation, relative to the playground; null without one. */
  readonly documentation: string | null;
}

export const VIEWS = ["check", "effective", "fit", "migrate"] as const;
export type View = (typeof VIEWS)[number];
export type Ask = View | "fixed" | "hover" | "complete";

/** What some questions have besides the subject: the place of the cursor, or a release. */
export interface More {
  readonly name?: string;
  readonly offset?: number;
  readonly to?: string;
}

export interface Question {
  readonly id: number;
  readonly ask: Ask;
  readonly subject: Subject & More;
}

export type Answer = Checked | Fixed | Viewed | Hovered | Completions | Refused;

/** The first message to the worker: where Python lies, and the sizes of its files. */
export interface Start {
  readonly engine: string;
  readonly sizes: Readonly<Record<string, number>>;
}

/** The first messages have no question: how much of Python is here, that it is ready, or why it is not. */
export interface Reply {
  readonly id: number | null;
  readonly percent?: number;
  readonly answer?: Answer;
  readonly failure?: string;
}
