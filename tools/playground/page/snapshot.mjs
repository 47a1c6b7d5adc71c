// Prepares Python for the page: node snapshot.mjs SOURCES.zip COMPILING.py SAMPLES.json OUT
//
// OUT/memory.bin.gz is the memory of an interpreter that has imported cfglint and answered with it:
// restoring it takes a tenth of the time that starting Python and importing takes. What is in the
// memory of every new interpreter is zero there. The modules that it lacks are in OUT/NAME.pack.
// Prints what it answers to the first sample.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { loadPyodide } from "pyodide";

const [sources, compiling, samples, out] = process.argv.slice(2);
const LIBRARY = join(createRequire(import.meta.url).resolve("pyodide"), "..", "python_stdlib.zip");
const START = join(out, "start.zip");
// Columns of every instruction would take a fifth of the memory.
const env = { HOME: "/home/pyodide", PYTHONNODEBUGRANGES: "1" };

const compiler = await loadPyodide({ env });
for (const [name, path] of [["sources.zip", sources], ["library.zip", LIBRARY], ["compiling.py", compiling]]) {
  compiler.FS.writeFile(`/${name}`, readFileSync(path));
}
compiler.runPython(`
import marshal, sys
sys.path.insert(0, "/")
import compiling

library = compiling.compiled("/library.zip")
own = compiling.compiled("/sources.zip")
needed = compiling.reached("/sources.zip", "/library.zip")
compiling.for_start("/start.zip", library)
modules = own | {name: library[name] for name in needed}
places = {}
with open("/modules.bin", "wb") as file:
    for name, (package, code) in modules.items():
        places[name] = package, file.tell(), len(code)
        file.write(code)
with open("/places.bin", "wb") as file:
    marshal.dump(places, file)
`);
writeFileSync(START, compiler.FS.readFile("/start.zip"));

// The memory of an interpreter in which nothing has run.
let fresh;
const instantiate = WebAssembly.instantiate.bind(WebAssembly);
WebAssembly.instantiate = async (source, imports) => {
  const made = await instantiate(source, imports);
  const memory = (made.instance ?? made).exports.memory;
  if (memory) fresh ??= new Uint8Array(memory.buffer).slice();
  return made;
};
const python = await loadPyodide({ env, _makeSnapshot: true, stdLibURL: START });
for (const name of ["/modules.bin", "/places.bin"]) python.FS.writeFile(name, compiler.FS.readFile(name));
python.FS.writeFile("/samples.json", readFileSync(samples));
python.runPython(`
import gc, json, marshal, sys, zipimport

class Stored(dict):
    # Reads one module at a time: what was read stays in memory that is free again.
    def pop(self, name):
        package, place, size = super().pop(name)
        with open("/modules.bin", "rb") as file:
            file.seek(place)
            return package, file.read(size)

    def __getitem__(self, name):
        return super().__getitem__(name)[0], b""

with open("/places.bin", "rb") as file:
    everything = Stored(marshal.load(file))
loader = type(sys)("packs")
exec(marshal.loads(everything.pop("tools.playground.packs")[1]), loader.__dict__)
packs = loader.install(everything)
sys.path[:] = []
# The archive that Python started from is not brought along.
sys.path_importer_cache.clear()
zipimport._zip_directory_cache.clear()
from tools.playground.answers import answer

with open("/samples.json", encoding="utf-8") as file:
    samples = json.load(file)
first = answer(json.dumps({"ask": "check", "files": samples[0]["files"]}))
fixed = answer(json.dumps({"ask": "fixed", "files": samples[0]["files"]}))
for said in (first, fixed):
    if "refused" in json.loads(said):
        raise SystemExit(said)
with open("/rest.json", "w") as file:
    json.dump(sorted(packs.here.keys() - sys.modules.keys()), file)
with open("/first.json", "w") as file:
    file.write(first)
del Stored, everything, loader, samples, first, fixed, said, file
`);
compiler.FS.writeFile("/rest.json", python.FS.readFile("/rest.json"));
compiler.runPython(`
import json, os

with open("/rest.json") as file:
    rest = json.load(file)
os.mkdir("/packs")
for name, data in compiling.packed({name: modules[name] for name in rest}).items():
    with open(f"/packs/{name}.pack", "wb") as file:
        file.write(data)
with open("/index.json", "w") as file:
    json.dump({name: compiling.pack_of(name) for name in rest}, file)
`);
for (const name of compiler.FS.readdir("/packs")) {
  if (name.endsWith(".pack")) writeFileSync(join(out, name), compiler.FS.readFile(`/packs/${name}`));
}
python.FS.writeFile("/index.json", compiler.FS.readFile("/index.json"));
python.runPython(`
with open("/index.json") as file:
    packs.index = {sys.intern(name): sys.intern(pack) for name, pack in json.load(file).items()}
packs.here = {}
del file
gc.collect()
`);
if (process.env.TOLD) console.error(python._module.HEAPU8.length, python._module._sbrk(0));
const memory = python.makeMemorySnapshot();
// What goes before the memory itself is Pyodide's own.
const start = memory.length - python._module.HEAPU8.length;
for (let place = 0; place < fresh.length; place += 1) memory[start + place] ^= fresh[place];
writeFileSync(join(out, "memory.bin.gz"), gzipSync(memory, { level: 9 }));
process.stdout.write(python.FS.readFile("/first.json", { encoding: "utf8" }));
