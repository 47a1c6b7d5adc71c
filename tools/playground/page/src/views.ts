/** What the page shows about the first file: its findings, or what another command prints. */

import { button, byId, element } from "./dom";
import type { Catalog, Fixed, Refused, View, Viewed } from "./questions";
import { VIEWS } from "./questions";
import { patch } from "./results";

const WAITING: Readonly<Record<View, string>> = {
  check: "",
  effective: "Working out what the framework makes of the file …",
  fit: "Counting what is certain …",
  migrate: "Migrating …",
};

export class Views {
  readonly #list = byId("views", HTMLElement);
  readonly #findings = byId("findings", HTMLElement);
  readonly #changes = byId("changes", HTMLElement);
  readonly #changed: () => void;
  readonly #applyAll: (fixed: Fixed) => void;
  readonly #release = element("select", { id: "to" });
  #shown: View = "check";
  #listed = "";

  constructor(changed: () => void, applyAll: (fixed: Fixed) => void) {
    this.#changed = changed;
    this.#applyAll = applyAll;
    this.#release.addEventListener("change", changed);
    for (const view of VIEWS) this.#tab(view).addEventListener("click", () => { this.show(view); });
    // The arrow keys move between tabs, as in every list of tabs.
    this.#list.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      const view = VIEWS[(VIEWS.indexOf(this.#shown) + step + VIEWS.length) % VIEWS.length];
      if (step === 0 || !view) return;
      event.preventDefault();
      this.show(view);
      this.#tab(view).focus();
    });
  }

  get shown(): View {
    return this.#shown;
  }

  /** The release to migrate to; empty for the newest. */
  get to(): string {
    return this.#shown === "migrate" ? this.#release.value : "";
  }

  #tab(view: View): HTMLButtonElement {
    return byId(`view-${view}`, HTMLButtonElement);
  }

  show(view: View): void {
    this.#shown = view;
    for (const one of VIEWS) {
      this.#tab(one).setAttribute("aria-selected", String(one === view));
      this.#tab(one).tabIndex = one === view ? 0 : -1;
    }
    byId("view", HTMLElement).setAttribute("aria-labelledby", `view-${view}`);
    this.#changes.replaceChildren();
    this.#findings.replaceChildren(element("p", { class: "waiting" }, WAITING[view]));
    this.#changed();
  }

  /** List the releases that the first file can be migrated to. */
  list(catalog: Catalog, name: string | null): void {
    const framework = catalog.frameworks.find((one) => one.name === name);
    if (name === this.#listed || !framework) return;
    this.#listed = framework.name;
    this.#release.replaceChildren(
      element("option", { value: "" }, `newest known (${framework.releases[0] ?? ""})`),
      ...framework.releases.map((version) => element("option", { value: `${framework.package}==${version}` }, version)),
    );
  }

  /** Show what a command printed. */
  viewed(view: View, answer: Viewed | Refused): void {
    if (view !== this.#shown) return;
    const head = view === "migrate" ? [element("div", { class: "field" }, element("label", { for: "to" }, "To release"), this.#release)] : [];
    const said = "refused" in answer
      ? element("p", { class: "aside" }, answer.refused)
      : element("pre", { class: "printed", tabindex: "0", role: "group", "aria-label": "What is printed" }, answer.text);
    const files = "refused" in answer ? [] : answer.files ?? [];
    this.#findings.replaceChildren(...head, said);
    this.#changes.replaceChildren(...(files.length === 0 ? [] : [
      element("div", { class: "head" },
        element("h2", {}, "The changes"),
        button("Apply all", () => { this.#applyAll({ files }); }, { class: "fix" })),
      ...files.map((file) => patch(file.name, file.patch)),
    ]));
  }
}
