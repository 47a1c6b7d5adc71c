/** What was found, and what the fixes change. */

import { button, byId, element, prose } from "./dom";
import type { Catalog, Checked, Finding, Fix, Fixed, Row } from "./questions";

/** What a reader may do about findings. */
export interface Actions {
  go(name: string, from: number): void;
  apply(name: string, fix: Fix): void;
  applyAll(fixed: Fixed): void;
}

const SEVERITIES = { error: "Error", warning: "Warning", note: "Note" } as const;

export class Results {
  readonly #catalog: Catalog;
  readonly #actions: Actions;
  readonly #summary = byId("summary", HTMLElement);
  readonly #findings = byId("findings", HTMLElement);
  readonly #changes = byId("changes", HTMLElement);

  constructor(catalog: Catalog, actions: Actions) {
    this.#catalog = catalog;
    this.#actions = actions;
  }

  /** Say one thing, in the place of all results. */
  say(text: string, kind: "waiting" | "problem"): void {
    this.#summary.replaceChildren(element("p", { class: kind }, text));
    this.#findings.replaceChildren();
    this.#changes.replaceChildren();
  }

  /** Show the findings, or only how many there are; several files are headed by their names. */
  checked(answer: Checked, isListed: boolean): void {
    const found = answer.files.flatMap((file) => file.findings);
    const worst = found[0]?.severity ?? "none";
    const counts = answer.counts || (answer.files.length > 0 ? "No problems" : "Not a config of a known framework");
    const lines = [
      ...(answer.targets.length > 0 ? [`Checked for ${answer.targets.join(" and ")}.`] : []),
      ...(answer.assumed === null ? [] : [`Little in the file says what it is for: it is read as a config of ${answer.assumed}. Choose the framework if it is another.`]),
      ...answer.warnings,
      ...answer.apart.map((name) => `${name} is not checked: no other file names it.`),
      ...answer.unchecked.map((name) => `${name} is not a training config; it is read as a file around the first.`),
      ...(answer.undecided.length > 0 ? [`Would decide more rules: ${answer.undecided.map(({ rules, field }) => `${field} (${rules})`).join(", ")}.`] : []),
      ...(answer.suppressed > 0 ? [`${answer.suppressed} suppressed by comments.`] : []),
    ];
    this.#summary.replaceChildren(
      element("p", { class: `counts ${worst}` }, counts),
      ...answer.problems.map((problem) => element("p", { class: "problem" }, problem)),
      ...lines.map((line) => element("p", { class: "aside" }, line)),
    );
    if (!isListed) return;
    this.#findings.replaceChildren(...answer.files.flatMap((file) => {
      if (file.findings.length === 0) return [];
      const list = element("ol", { class: "findings" }, ...file.findings.map((one, place) => this.#finding(file.name, one, file.findings[place - 1])));
      return answer.files.length > 1 ? [element("h2", {}, file.name), list] : [list];
    }));
    if (!found.some((one) => one.fixes.length > 0)) this.#changes.replaceChildren();
  }

  /** @param before - the finding above; what it has said, this one does not say again. */
  #finding(name: string, found: Finding, before: Finding | undefined): HTMLLIElement {
    const place = button(`${found.line}:${found.column}`, () => { this.#actions.go(name, found.from); }, {
      class: "place", "aria-label": `${found.line}:${found.column}, show in the editor`,
    });
    const address = this.#catalog.documentation === null ? undefined : `${this.#catalog.documentation}/rules/${found.code}.html`;
    const code = address === undefined ? element("span", { class: "code" }, found.code) : element("a", { class: "code", href: address }, found.code);
    const isNew = before?.code !== found.code;
    const asides = [
      ...(found.cost && isNew ? [`Cost: ${found.cost}`] : []),
      ...(found.other_releases ? ["Only on other releases than this one."] : []),
      ...(found.decided_by.length > 0 ? [`Decided by ${found.decided_by.join(", ")}.`] : []),
      ...found.elsewhere.map((other) => `${other.name}, line ${other.line}: ${other.note}`),
    ];
    return element("li", { class: found.severity },
      element("div", { class: "head" },
        element("strong", { class: "severity" }, SEVERITIES[found.severity]), code,
        element("span", { class: "name" }, found.name), place),
      ...(isNew || before.message !== found.message ? [element("p", {}, ...prose(found.message))] : []),
      ...(found.rows.length > 0 ? [snippet(found.rows)] : []),
      ...asides.map((text) => element("p", { class: "aside" }, ...prose(text))),
      ...found.fixes.map((fix) => this.#fix(name, found, fix)));
  }

  #fix(name: string, found: Finding, fix: Fix): HTMLElement {
    if (fix.refused !== null || fix.edits.length === 0) {
      return element("p", { class: "aside" }, `Fix by hand: ${fix.title}${fix.refused === null ? "" : ` (${fix.refused})`}.`);
    }
    const about = found.undecided ? " (if it applies)" : fix.safety === "unsafe" ? " (review it)" : "";
    return button(`Fix: ${fix.title}${about}`, () => { this.#actions.apply(name, fix); }, { class: "fix" });
  }

  /** Show what all safe fixes change. */
  fixed(answer: Fixed): void {
    if (answer.files.length === 0) {
      this.#changes.replaceChildren();
      return;
    }
    const count = answer.files.reduce((sum, file) => sum + file.fixed.length, 0);
    this.#changes.replaceChildren(
      element("div", { class: "head" },
        element("h2", {}, count === 1 ? "1 safe fix" : `${count} safe fixes`),
        button("Apply all", () => { this.#actions.applyAll(answer); }, { class: "fix" })),
      ...answer.files.map((file) => patch(file.name, file.patch)));
  }
}

/** Lines of a config with carets below what is meant. */
function snippet(rows: readonly Row[]): HTMLElement {
  const width = Math.max(...rows.map((row) => String(row.number ?? "").length));
  const shown = element("pre", { class: "snippet", tabindex: "0", role: "group", "aria-label": "Lines of the file" });
  for (const row of rows) {
    const number = element("span", { class: "number" }, `${String(row.number ?? "").padStart(width)} │ `);
    const text = row.number === null
      ? [element("span", { class: row.primary ? "carets" : "dashes" }, row.text.slice(0, row.marks)), row.text.slice(row.marks)]
      : [row.text];
    shown.append(number, ...text, "\n");
  }
  return shown;
}

/** A patch, its lines marked. */
export function patch(name: string, lines: readonly string[]): HTMLElement {
  const shown = element("pre", { class: "patch", tabindex: "0", role: "group", "aria-label": `Changes of ${name}` });
  lines.forEach((line, index) => {
    const sign = line.slice(0, 1);
    const kind = index < 2 ? "file" : sign === "@" ? "hunk" : undefined;
    const tag = sign === "+" ? "ins" : sign === "-" ? "del" : "span";
    shown.append(element(kind ? "span" : tag, kind ? { class: kind } : {}, line), "\n");
  });
  return shown;
}
