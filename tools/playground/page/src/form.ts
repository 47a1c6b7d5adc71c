/** What the config is checked for: framework, release, GPUs. */

import { byId, element } from "./dom";
import type { Catalog, Subject } from "./questions";

/** The part of a subject that the form has. */
export type Target = Omit<Subject, "files">;

export class Form {
  readonly #catalog: Catalog;
  readonly #framework = byId("framework", HTMLSelectElement);
  readonly #release = byId("release", HTMLSelectElement);
  readonly #gpus = byId("gpus", HTMLInputElement);
  readonly #gpu = byId("gpu", HTMLInputElement);
  /** The framework whose releases are listed. */
  #listed = "";

  constructor(catalog: Catalog, changed: () => void) {
    this.#catalog = catalog;
    this.#framework.append(
      element("option", { value: "" }, "by its keys"),
      ...catalog.frameworks.map(({ name, title }) => element("option", { value: name }, title)),
    );
    byId("gpu-models", HTMLDataListElement).append(...catalog.gpus.map((name) => element("option", { value: name })));
    this.#list("");
    this.#framework.addEventListener("change", () => { this.#list(this.#framework.value); changed(); });
    this.#release.addEventListener("change", changed);
    this.#gpus.addEventListener("input", changed);
    this.#gpu.addEventListener("input", changed);
  }

  get target(): Target {
    const framework = this.#framework.value;
    const target = this.#release.value;
    const gpu = this.#gpu.value.trim();
    return {
      ...(framework && { framework }),
      ...(target && { target }),
      ...(this.#gpus.value && { gpus: this.#gpus.valueAsNumber }),
      ...(gpu && { gpu }),
    };
  }

  /** Show what a link says. */
  show(target: Target): void {
    const known = this.#catalog.frameworks;
    const framework = known.find(({ name }) => name === target.framework);
    this.#framework.value = framework?.name ?? "";
    const own = framework ?? known.find((one) => target.target?.startsWith(`${one.package}==`));
    this.#list(own?.name ?? "");
    this.#release.value = target.target ?? "";
    // A version that is not in the list.
    if (this.#release.selectedIndex < 0) this.#release.value = "";
    this.#gpus.value = target.gpus === undefined ? "" : String(target.gpus);
    this.#gpu.value = target.gpu ?? "";
  }

  /** List the releases of the framework that the config is for, unless one is chosen. */
  recognised(framework: string | null): void {
    if (this.#framework.value === "" && framework !== null) this.#list(framework);
  }

  #list(name: string): void {
    if (name !== "" && name === this.#listed) return;
    this.#listed = name;
    const framework = this.#catalog.frameworks.find((one) => one.name === name);
    this.#release.replaceChildren(
      element("option", { value: "" }, framework ? `newest known (${framework.releases[0] ?? ""})` : "newest known"),
      ...(framework?.releases ?? []).map((version) =>
        element("option", { value: `${framework?.package ?? ""}==${version}` }, version)),
    );
  }
}
