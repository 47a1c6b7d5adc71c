/** Python, in a thread of its own: it answers one question at a time. */

import type { loadPyodide as Load } from "pyodide";
import type { Checked, Fixed, Question, Refused, Reply } from "./questions";

const ARCHIVE = "/cfglint.zip";

function reply(message: Reply): void {
  postMessage(message);
}

/** The bytes of a file of the site. */
async function bytes(address: URL): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok || !response.body) throw new Error(`${address.pathname}: ${response.statusText}`);
  return response;
}

async function memory(engine: URL): Promise<Uint8Array> {
  const packed = await bytes(new URL("memory.bin.gz", engine));
  // A server that declares the encoding has had it undone by the browser.
  const whole = new Uint8Array(await packed.arrayBuffer());
  if (whole[0] !== 0x1f || whole[1] !== 0x8b) return whole;
  const unpacked = new Blob([whole]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

/** Let Python begin with enough memory for what is restored: Pyodide does not enlarge it. */
function enlargeMemory(restored: Promise<Uint8Array>): void {
  const instantiate = WebAssembly.instantiateStreaming.bind(WebAssembly);
  WebAssembly.instantiateStreaming = async (source, imports) => {
    const made = await instantiate(source, imports);
    const own = made.instance.exports["memory"];
    const missing = (await restored).length - (own instanceof WebAssembly.Memory ? own.buffer.byteLength : 0);
    if (own instanceof WebAssembly.Memory && missing > 0) own.grow(Math.ceil(missing / 65536));
    return made;
  };
}

async function start(engine: URL): Promise<(request: string) => string> {
  const snapshot = memory(engine);
  const archive = bytes(new URL("cfglint.zip", engine)).then((got) => got.arrayBuffer());
  enlargeMemory(snapshot);
  const { loadPyodide } = (await import(new URL("pyodide.mjs", engine).href)) as { loadPyodide: typeof Load };
  const python = await loadPyodide({ indexURL: engine.href, _loadSnapshot: snapshot });
  // Modules that were not needed yet are imported from here.
  python.FS.writeFile(ARCHIVE, new Uint8Array(await archive));
  return python.runPython("answer") as (request: string) => string;
}

let answer: Promise<(request: string) => string> | undefined;

addEventListener("message", (event: MessageEvent<Question | { engine: string }>) => {
  const asked = event.data;
  if ("engine" in asked) {
    answer = start(new URL(asked.engine));
    answer.then(
      () => { reply({ id: null }); },
      (error: unknown) => { reply({ id: null, failure: String(error) }); },
    );
    return;
  }
  answer?.then((ask) => {
    try {
      const got = ask(JSON.stringify({ ask: asked.ask, ...asked.subject }));
      reply({ id: asked.id, answer: JSON.parse(got) as Checked | Fixed | Refused });
    } catch (error) {
      reply({ id: asked.id, failure: String(error) });
    }
  }, () => undefined);
});
