/** The files of the page, one of which is shown. */

import { button, byId } from "./dom";
import type { File } from "./questions";

/** Names for files that are added; the first that is free is taken. */
const NAMES = ["ds_config.json", "accelerate.yml", "train.sh", "requirements.txt"];

export class Tabs {
  readonly #list = byId("tabs", HTMLElement);
  readonly #name = byId("file-name", HTMLInputElement);
  readonly #remove = byId("remove-file", HTMLButtonElement);
  readonly #shown: (file: File, before: string | undefined) => void;
  #files: File[] = [];
  #active = 0;

  /** @param shown - is called with the file to show, and the name of one that is gone. */
  constructor(shown: (file: File, gone?: string) => void) {
    this.#shown = shown;
    byId("add-file", HTMLButtonElement).addEventListener("click", () => { this.#add(); });
    this.#remove.addEventListener("click", () => { this.#drop(); });
    this.#name.addEventListener("change", () => { this.#rename(this.#name.value.trim()); });
    this.#list.addEventListener("keydown", (event) => { this.#moved(event); });
  }

  get files(): readonly File[] {
    return this.#files;
  }

  get active(): File {
    const file = this.#files[this.#active];
    if (!file) throw new Error("there is always a file");
    return file;
  }

  /** Take other files in the place of all. */
  take(files: readonly File[]): void {
    this.#files = [...files];
    this.show(0);
  }

  /** Take another text of the file that is shown. */
  typed(text: string): void {
    this.#files[this.#active] = { ...this.active, text };
  }

  /** Take another text of any file. */
  put(name: string, text: string): void {
    this.#files = this.#files.map((file) => (file.name === name ? { name, text } : file));
  }

  /** Show the file of a name. */
  open(name: string): void {
    const place = this.#files.findIndex((file) => file.name === name);
    if (place >= 0 && place !== this.#active) this.show(place);
  }

  /** Let files step back that the first has nothing to do with. */
  apart(names: readonly string[]): void {
    for (const tab of this.#list.children) tab.classList.toggle("apart", names.includes(tab.textContent));
  }

  show(place: number, gone?: string): void {
    this.#active = place;
    this.#draw();
    this.#shown(this.active, gone);
  }

  #draw(): void {
    this.#list.replaceChildren(...this.#files.map(({ name }, place) =>
      button(name, () => { this.show(place); }, {
        role: "tab", id: `tab-${place}`, "aria-controls": "editor",
        "aria-selected": String(place === this.#active), tabindex: place === this.#active ? "0" : "-1",
      })));
    byId("editor", HTMLElement).setAttribute("aria-labelledby", `tab-${this.#active}`);
    this.#name.value = this.active.name;
    this.#remove.disabled = this.#files.length === 1;
  }

  /** The arrow keys move between tabs, as in every list of tabs. */
  #moved(event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    this.show((this.#active + step + this.#files.length) % this.#files.length);
    document.getElementById(`tab-${this.#active}`)?.focus();
  }

  #add(): void {
    const taken = new Set(this.#files.map((file) => file.name));
    let name = NAMES.find((one) => !taken.has(one));
    for (let count = 1; name === undefined; count += 1) if (!taken.has(`file-${count}.yml`)) name = `file-${count}.yml`;
    this.#files.push({ name, text: "" });
    this.show(this.#files.length - 1);
    this.#name.select();
    this.#name.focus();
  }

  #drop(): void {
    const { name } = this.active;
    this.#files.splice(this.#active, 1);
    this.show(Math.max(0, this.#active - 1), name);
  }

  #rename(name: string): void {
    const before = this.active;
    if (name === "" || this.#files.some((file) => file.name === name)) {
      this.#name.value = before.name;
      return;
    }
    this.#files[this.#active] = { ...before, name };
    this.show(this.#active, before.name);
  }
}
