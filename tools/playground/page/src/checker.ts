/** Asks the worker: always the newest question, and never two at once. */

import type { Answer, Ask, Checked, Completions, Fixed, Hovered, More, Question, Refused, Reply, Subject, View, Viewed } from "./questions";

/** Milliseconds without a change after which fixes are computed, too. */
const FIX_DELAY = 250;

export interface Listener {
  ready(): void;
  loading(percent: number): void;
  checked(answer: Checked | Refused): void;
  fixed(answer: Fixed | Refused): void;
  viewed(view: View, answer: Viewed | Refused): void;
  failed(reason: string): void;
}

interface Waiting {
  readonly ask: Ask;
  readonly subject: Subject & More;
  /** What was asked meanwhile makes an answer about an older text useless. */
  readonly answered: (answer: Answer, isOld: boolean) => void;
}

export class Checker {
  readonly #listener: Listener;
  readonly #worker: Worker;
  #asked: (Question & Waiting) | undefined;
  /** What waits: the check first, and of each kind only the newest. */
  readonly #waiting = new Map<Ask, Waiting>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #count = 0;

  /** @param worker - which has been told where Python lies, and answers once that is here. */
  constructor(worker: Worker, listener: Listener) {
    this.#listener = listener;
    this.#worker = worker;
    this.#worker.addEventListener("message", (event: MessageEvent<Reply>) => { this.#heard(event.data); });
    this.#worker.addEventListener("error", (event) => { listener.failed(event.message || "the worker did not start"); });
  }

  /** Check a subject as soon as the worker is free, then ask for a view of it, or for its fixes. */
  check(subject: Subject, view: View, to: string): void {
    clearTimeout(this.#timer);
    this.#waiting.delete("fixed");
    const more = to === "" ? {} : { to };
    this.#put({ ask: "check", subject, answered: (answer, isOld) => {
      if (isOld) return;
      this.#listener.checked(answer as Checked | Refused);
      this.#timer = setTimeout(() => { this.#then(view === "check" ? "fixed" : view, { ...subject, ...more }); }, FIX_DELAY);
    } });
  }

  #then(ask: "fixed" | View, subject: Subject & More): void {
    this.#put({ ask, subject, answered: (answer, isOld) => {
      if (isOld) return;
      if (ask === "fixed") this.#listener.fixed(answer as Fixed | Refused);
      else this.#listener.viewed(ask, answer as Viewed | Refused);
    } });
  }

  /** What is known about a place, or undefined when it was refused. */
  at(ask: "hover", subject: Subject & More): Promise<Hovered | undefined>;
  at(ask: "complete", subject: Subject & More): Promise<Completions | undefined>;
  at(ask: "hover" | "complete", subject: Subject & More): Promise<Hovered | Completions | undefined> {
    return new Promise((resolve) => {
      this.#waiting.get(ask)?.answered({ refused: "" }, true);
      this.#put({ ask, subject, answered: (answer) => { resolve("refused" in answer ? undefined : (answer as Hovered | Completions)); } });
    });
  }

  #put(waiting: Waiting): void {
    this.#waiting.set(waiting.ask, waiting);
    this.#go();
  }

  #go(): void {
    if (this.#asked) return;
    const next = this.#waiting.get("complete") ?? this.#waiting.get("check") ?? this.#waiting.values().next().value;
    if (!next) return;
    this.#waiting.delete(next.ask);
    this.#asked = { id: ++this.#count, ...next };
    const { id, ask, subject } = this.#asked;
    this.#worker.postMessage({ id, ask, subject } satisfies Question);
  }

  #heard(reply: Reply): void {
    if (reply.id === null) {
      if (reply.failure !== undefined) this.#listener.failed(reply.failure);
      else if (reply.percent === undefined) this.#listener.ready();
      else this.#listener.loading(reply.percent);
    } else if (this.#asked?.id === reply.id) {
      const { answered } = this.#asked;
      this.#asked = undefined;
      // The text has changed since: places in it are others, and a newer answer comes soon.
      if (reply.answer !== undefined) answered(reply.answer, this.#waiting.has("check"));
      else this.#listener.failed(reply.failure ?? "no answer");
      this.#go();
    }
  }
}
