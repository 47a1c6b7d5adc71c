/** Starts Python before the rest of the page is here. */

import type { Start } from "./questions";

// A worker that is made from a blob is bound by this page's content security policy; one that
// comes from a file of its own is not.
const code = new URL("worker.js", document.baseURI).href;
const blob = new Blob([`import ${JSON.stringify(code)};`], { type: "text/javascript" });
const worker = new Worker(URL.createObjectURL(blob), { type: "module" });
const { engine, sizes } = JSON.parse(document.documentElement.dataset["started"] ?? "") as Start;
worker.postMessage({ engine: new URL(`${engine}/`, document.baseURI).href, sizes } satisfies Start);
Object.assign(globalThis, { engine: worker });
