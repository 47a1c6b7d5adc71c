/** Asks the worker: always the newest question, and never two at once. */

import type { Ask, Checked, Fixed, Question, Refused, Reply, Subject } from "./questions";

/** Milliseconds without a change after which fixes are computed, too. */
const FIX_DELAY = 250;

export interface Listener {
  ready(): void;
  checked(subject: Subject, answer: Checked | Refused): void;
  fixed(subject: Subject, answer: Fixed | Refused): void;
  failed(reason: string): void;
}

export class Checker {
  readonly #listener: Listener;
  readonly #worker: Worker;
  #isReady = false;
  #asked: Question | undefined;
  #next: Subject | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #count = 0;

  constructor(engine: string, listener: Listener) {
    this.#listener = listener;
    // A worker that is made from a blob is bound by this page's content security policy; one that
    // comes from a file of its own is not.
    const code = new URL("worker.js", document.baseURI).href;
    const blob = new Blob([`import ${JSON.stringify(code)};`], { type: "text/javascript" });
    this.#worker = new Worker(URL.createObjectURL(blob), { type: "module" });
    this.#worker.addEventListener("message", (event: MessageEvent<Reply>) => { this.#heard(event.data); });
    this.#worker.addEventListener("error", (event) => { listener.failed(event.message || "the worker did not start"); });
    this.#worker.postMessage({ engine: new URL(`${engine}/`, document.baseURI).href });
  }

  /** Check a subject as soon as the worker is free; an older one that still waits is forgotten. */
  check(subject: Subject): void {
    this.#next = subject;
    clearTimeout(this.#timer);
    this.#go();
  }

  #go(): void {
    if (!this.#isReady || this.#asked || !this.#next) return;
    const subject = this.#next;
    this.#next = undefined;
    this.#ask("check", subject);
  }

  #ask(ask: Ask, subject: Subject): void {
    this.#asked = { id: ++this.#count, ask, subject };
    this.#worker.postMessage(this.#asked);
  }

  #heard(reply: Reply): void {
    if (reply.id === null) {
      if (reply.failure !== undefined) {
        this.#listener.failed(reply.failure);
        return;
      }
      this.#isReady = true;
      this.#listener.ready();
    } else if (this.#asked?.id === reply.id) {
      const { ask, subject } = this.#asked;
      this.#asked = undefined;
      if (reply.answer === undefined) this.#listener.failed(reply.failure ?? "no answer");
      // The text has changed since: places in it are others, and a newer answer comes soon.
      else if (this.#next) { /* superseded */ }
      else if (ask === "fixed") this.#listener.fixed(subject, reply.answer as Fixed | Refused);
      else {
        this.#listener.checked(subject, reply.answer as Checked | Refused);
        this.#timer = setTimeout(() => {
          if (!this.#asked && !this.#next) this.#ask("fixed", subject);
        }, FIX_DELAY);
      }
    }
    this.#go();
  }
}
