/** A subject as the fragment of an address, which browsers keep to themselves. */

import type { File, Subject } from "./questions";

/** Names the format, so that a later one can be told from it. */
const PREFIX = "#v1.";
/** Of a link's JSON; a link may come from anybody. */
const MAX_CHARACTERS = 2_000_000;
const MAX_FILES = 20;

function piped(data: Uint8Array<ArrayBuffer>, through: CompressionStream | DecompressionStream): ReadableStream<Uint8Array> {
  return new Blob([data]).stream().pipeThrough(through);
}

/** The fragment for a subject. */
export async function toFragment(subject: Subject): Promise<string> {
  const plain = new TextEncoder().encode(JSON.stringify(subject));
  const packed = await new Response(piped(plain, new CompressionStream("deflate-raw"))).arrayBuffer();
  const text = Array.from(new Uint8Array(packed), (byte) => String.fromCharCode(byte)).join("");
  return PREFIX + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The subject of a fragment; undefined when there is none. Throws for one that cannot be read. */
export async function fromFragment(fragment: string): Promise<Subject | undefined> {
  if (!fragment.startsWith(PREFIX)) return undefined;
  const text = atob(fragment.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
  const packed = Uint8Array.from(text, (char) => char.charCodeAt(0));
  let json = "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = piped(packed, new DecompressionStream("deflate-raw")).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    json += decoder.decode(value, { stream: !done });
    if (json.length > MAX_CHARACTERS) throw new Error("the link is too large");
    if (done) break;
  }
  return subjectOf(JSON.parse(json));
}

/** What a link says, as far as it has the form of a subject. */
function subjectOf(said: unknown): Subject {
  const { files, framework, target, gpus, gpu } = record(said);
  if (!Array.isArray(files) || files.length === 0 || files.length > MAX_FILES) throw new Error("no files");
  return {
    files: files.map((file: unknown): File => {
      const { name, text } = record(file);
      if (typeof name !== "string" || typeof text !== "string") throw new Error("not a file");
      return { name, text };
    }),
    ...(typeof framework === "string" && { framework }),
    ...(typeof target === "string" && { target }),
    ...(typeof gpus === "number" && { gpus }),
    ...(typeof gpu === "string" && { gpu }),
  };
}

function record(value: unknown): Partial<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw new Error("not an object");
  return value;
}
