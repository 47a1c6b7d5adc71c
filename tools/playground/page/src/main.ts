/** The page: a text on the left, what is found in it on the right. */

import { Checker } from "./checker";
import { byId, element } from "./dom";
import { Editor } from "./editor";
import { Form } from "./form";
import { fromFragment, toFragment } from "./link";
import type { Catalog, Checked, Finding, Fixed, More, Refused, Sample, Subject } from "./questions";
import { Results } from "./results";
import { Tabs } from "./tabs";
import { Views } from "./views";

async function read(address: string): Promise<Response> {
  const response = await fetch(new URL(address, document.baseURI));
  if (!response.ok) throw new Error(`${address}: ${response.statusText}`);
  return response;
}

async function json<T>(address: string): Promise<T> {
  return (await (await read(address)).json()) as T;
}

const STARTING = "Starting cfglint in your browser …";

class Page {
  readonly #editor: Editor;
  readonly #form: Form;
  readonly #results: Results;
  readonly #tabs: Tabs;
  readonly #views: Views;
  readonly #catalog: Catalog;
  readonly #checker: Checker;
  readonly #status = byId("status", HTMLElement);
  readonly #loaded = byId("loaded", HTMLElement);
  #found = new Map<string, readonly Finding[]>();
  /** Whether the editor changes because the page says so, not because somebody writes. */
  #isShowing = false;

  readonly #samples: readonly Sample[];
  readonly #sample = byId("sample", HTMLSelectElement);

  constructor(catalog: Catalog, samples: readonly Sample[]) {
    this.#samples = samples;
    this.#editor = new Editor(byId("editor", HTMLElement), () => { this.#typed(); }, {
      hover: (offset, text) => this.#checker.at("hover", this.#at(offset, text)),
      complete: (offset, text) => this.#checker.at("complete", this.#at(offset, text)),
    });
    this.#catalog = catalog;
    const applyAll = (fixed: Fixed): void => {
      for (const { name, text } of fixed.files) {
        this.#tabs.open(name);
        this.#editor.replace(text);
      }
    };
    this.#views = new Views(() => { this.#check(); }, applyAll);
    this.#results = new Results(catalog, {
      go: (name, from) => { this.#tabs.open(name); this.#editor.go(from); },
      apply: (name, fix) => { this.#tabs.open(name); this.#editor.apply(fix.edits); },
      applyAll,
    });
    this.#form = new Form(catalog, () => { this.#check(); });
    this.#tabs = new Tabs((file, gone) => {
      if (gone !== undefined) this.#editor.forget(gone);
      this.#isShowing = true;
      this.#editor.show(file);
      this.#isShowing = false;
      this.#editor.mark(this.#found.get(file.name) ?? []);
      this.#check();
    });
    this.#results.say(STARTING, "waiting");
    this.#checker = new Checker((globalThis as unknown as { engine: Worker }).engine, {
      ready: () => {
        document.documentElement.dataset["state"] = "ready";
        this.#loaded.textContent = "";
      },
      loading: (percent) => { this.#loading(percent); },
      checked: (answer) => { this.#show(answer); },
      viewed: (view, answer) => { this.#views.viewed(view, answer); },
      fixed: (answer) => { if (!("refused" in answer)) this.#results.fixed(answer); },
      failed: (reason) => { this.#results.say(`cfglint could not run: ${reason}`, "problem"); },
    });
    this.#sample.append(...samples.map(({ title }, place) => element("option", { value: String(place) }, title)));
    this.#sample.addEventListener("change", () => { this.#take(this.#samples[Number(this.#sample.value)]); });
    byId("clear", HTMLButtonElement).addEventListener("click", () => { this.#take(undefined); });
    if (catalog.documentation !== null) {
      const ways = byId("documentation", HTMLElement);
      ways.hidden = false;
      for (const [title, page] of [["Documentation", "index"], ["Rules", "rules/index"], ["Keys", "keys/index"]] as const) {
        ways.append(element("a", { href: `${catalog.documentation}/${page}.html` }, title));
      }
    }
    byId("share", HTMLButtonElement).addEventListener("click", () => { void this.#share(); });
    addEventListener("hashchange", () => { void this.open(); });
  }

  /** Show what the address says, or else the example. */
  async open(): Promise<void> {
    let subject: Subject | undefined;
    let problem = "";
    try {
      subject = await fromFragment(location.hash);
    } catch {
      problem = "This link cannot be read; here is the example instead.";
    }
    if (subject) {
      this.#form.show(subject);
      this.#tabs.take(subject.files);
    } else {
      const [first] = this.#samples;
      this.#take(first);
      if (first?.answer) this.#show(first.answer);
    }
    this.#status.textContent = problem;
  }

  /** Show a sample, or an empty file, in the place of all. */
  #take(sample: Sample | undefined): void {
    this.#sample.value = sample ? String(this.#samples.indexOf(sample)) : "";
    this.#found = new Map();
    this.#form.show({});
    this.#tabs.take(sample?.files ?? [{ name: "train.yml", text: "" }]);
    if (!sample) this.#editor.go(0);
  }

  /** Say how much of Python is here. */
  #loading(percent: number): void {
    this.#loaded.textContent = percent < 99 ? `${STARTING} ${percent} %` : STARTING;
  }

  /** A place in the file that is shown, which may have changed since the editor asked. */
  #at(offset: number, text: string): Subject & More {
    const { name } = this.#tabs.active;
    const files = this.#tabs.files.map((file) => (file.name === name ? { name, text } : file));
    return { ...this.#subject, files, name, offset };
  }

  get #subject(): Subject {
    return { files: this.#tabs.files, ...this.#form.target };
  }

  #typed(): void {
    if (this.#isShowing) return;
    this.#tabs.typed(this.#editor.text);
    this.#check();
  }

  #check(): void {
    this.#status.textContent = "";
    this.#checker.check(this.#subject, this.#views.shown, this.#views.to);
  }

  #show(answer: Checked | Refused): void {
    if ("refused" in answer) {
      this.#found = new Map();
      this.#results.say(answer.refused, "problem");
    } else {
      this.#found = new Map(answer.files.map((file) => [file.name, file.findings]));
      this.#results.checked(answer, this.#views.shown === "check");
      this.#tabs.apart(answer.apart);
      const first = this.#tabs.files[0]?.name;
      const framework = answer.files.find((file) => file.name === first)?.framework ?? null;
      this.#form.recognised(framework);
      this.#views.list(this.#catalog, framework);
    }
    this.#editor.mark(this.#found.get(this.#tabs.active.name) ?? []);
  }

  async #share(): Promise<void> {
    const fragment = await toFragment(this.#subject);
    history.replaceState(null, "", fragment);
    try {
      await navigator.clipboard.writeText(location.href);
      this.#status.textContent = "The link is copied. The text is in the link itself; it was sent nowhere.";
    } catch {
      this.#status.textContent = "The link is in the address bar. The text is in the link itself; it was sent nowhere.";
    }
  }
}

async function start(): Promise<void> {
  const [catalog, samples] = await Promise.all([json<Catalog>("catalog.json"), json<readonly Sample[]>("samples.json")]);
  await new Page(catalog, samples).open();
}

start().catch((error: unknown) => {
  byId("summary", HTMLElement).textContent = `The page could not be loaded: ${String(error)}`;
});
