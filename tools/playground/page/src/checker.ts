/** Asks the worker: always the newest question, and never two at once. */

import type { Ask, Checked, Fixed, Question, Refused, Reply, Subject } from "./questions";

/** Milliseconds without a change after which fixes are computed, too. */
const FIX_DELAY = 250;

export interface Listener {
  ready(): void;
  loading(percent: number): void;
  checked(subject: Subject, answer: Checked | Refused): void;
  fixed(subject: Subject, answer: Fixed | Refused): void;
  failed(reason: string): void;
}

export class Checker {
  readonly #listener: Listener;
  readonly #worker: Worker;
  #asked: Question | undefined;
  #next: Subject | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #count = 0;

  /** @param worker - which has been told where Python lies, and answers once that is here. */
  constructor(worker: Worker, listener: Listener) {
    this.#listener = listener;
    this.#worker = worker;
    this.#worker.addEventListener("message", (event: MessageEvent<Reply>) => { this.#heard(event.data); });
    this.#worker.addEventListener("error", (event) => { listener.failed(event.message || "the worker did not start"); });
  }

  /** Check a subject as soon as the worker is free; an older one that still waits is forgotten. */
  check(subject: Subject): void {
    this.#next = subject;
    clearTimeout(this.#timer);
    this.#go();
  }

  #go(): void {
    if (this.#asked || !this.#next) return;
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
      if (reply.percent === undefined) this.#listener.ready();
      else this.#listener.loading(reply.percent);
      return;
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
