/** Python, in a thread of its own: it answers one question at a time. */

import type { loadPyodide as Load } from "pyodide";
import type { Answer, Question, Reply, Start } from "./questions";

type Asking = (request: string) => string;

function reply(message: Reply): void {
  postMessage(message);
}

/** Count what is fetched of files whose sizes are known, and tell how much of all it is. */
function tellProgress(sizes: Readonly<Record<string, number>>): void {
  const all = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  let got = 0;
  let told = 0;
  const fetched = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (address, options) => {
    const response = await fetched(address, options);
    const name = response.url.split("/").at(-1) ?? "";
    if (!response.body || !(name in sizes)) return response;
    const counted = response.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        got += chunk.length;
        controller.enqueue(chunk);
        const percent = Math.min(99, Math.floor((100 * got) / all));
        if (percent > told) reply({ id: null, percent: (told = percent) });
      },
    }));
    return new Response(counted, { status: response.status, headers: response.headers });
  };
}

async function memory(engine: URL): Promise<Uint8Array> {
  const response = await fetch(new URL("memory.bin.gz", engine));
  if (!response.ok) throw new Error(`memory.bin.gz: ${response.statusText}`);
  // A server that declares the encoding has had it undone by the browser.
  const whole = new Uint8Array(await response.arrayBuffer());
  if (whole[0] !== 0x1f || whole[1] !== 0x8b) return whole;
  const unpacked = new Blob([whole]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

/** Complete a memory that is stored without what every new interpreter has, and make room for it: Pyodide does not. */
function complete(restored: Uint8Array, own: WebAssembly.Memory): void {
  // Before the memory itself, which consists of whole pages, is what Pyodide says of it.
  const start = restored.length % 65536;
  const fresh = new Uint32Array(own.buffer);
  const saved = new Uint32Array(restored.buffer, start, fresh.length);
  for (let place = 0; place < fresh.length; place += 1) saved[place] = (saved[place] ?? 0) ^ (fresh[place] ?? 0);
  const missing = restored.length - start - own.buffer.byteLength;
  if (missing > 0) own.grow(missing / 65536);
}

/** The memory that Pyodide restores: it is complete once there is a new interpreter. */
function awaitInterpreter(stored: Promise<Uint8Array>): Promise<Uint8Array> {
  const instantiate = WebAssembly.instantiateStreaming.bind(WebAssembly);
  WebAssembly.instantiateStreaming = async (source, imports) => {
    const [made, restored] = await Promise.all([instantiate(source, imports), stored]);
    const own = made.instance.exports["memory"];
    if (own instanceof WebAssembly.Memory) complete(restored, own);
    return made;
  };
  return stored;
}

/** A pack of modules: an import waits for it, so the thread does. */
function pack(engine: URL, name: string): Uint8Array {
  const request = new XMLHttpRequest();
  request.open("GET", new URL(`${name}.pack`, engine), false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${name}.pack: ${request.statusText}`);
  return new Uint8Array(request.response as ArrayBuffer);
}

async function start(engine: URL, sizes: Readonly<Record<string, number>>): Promise<Asking> {
  tellProgress(sizes);
  const restored = awaitInterpreter(memory(engine));
  const { loadPyodide } = (await import(new URL("pyodide.mjs", engine).href)) as { loadPyodide: typeof Load };
  const python = await loadPyodide({ indexURL: engine.href, stdLibURL: new URL("empty.zip", engine).href, _loadSnapshot: restored });
  const { globals } = python as unknown as { globals: { get(name: string): unknown } };
  const packs = globals.get("packs") as { fetch: (name: string) => Uint8Array };
  packs.fetch = (name) => pack(engine, name);
  return globals.get("answer") as Asking;
}

let answer: Promise<Asking> | undefined;

addEventListener("message", (event: MessageEvent<Question | Start>) => {
  const asked = event.data;
  if ("engine" in asked) {
    answer = start(new URL(asked.engine), asked.sizes);
    answer.then(
      () => { reply({ id: null }); },
      (error: unknown) => { reply({ id: null, failure: String(error) }); },
    );
    return;
  }
  answer?.then((ask) => {
    try {
      const got = ask(JSON.stringify({ ask: asked.ask, ...asked.subject }));
      reply({ id: asked.id, answer: JSON.parse(got) as Answer });
    } catch (error) {
      reply({ id: asked.id, failure: String(error) });
    }
  }, () => undefined);
});
