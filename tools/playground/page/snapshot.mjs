// Prepares Python for the page: node snapshot.mjs SOURCES.zip OUT
//
// OUT/cfglint.zip holds the sources, compiled to bytecode. OUT/memory.bin.gz is the memory of an
// interpreter that has imported and used them once: restoring it takes a tenth of the time that
// starting Python and importing takes.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { loadPyodide } from "pyodide";

const [sources, out] = process.argv.slice(2);
const ARCHIVE = "/cfglint.zip";

const compiler = await loadPyodide();
compiler.FS.writeFile("/sources.zip", readFileSync(sources));
compiler.runPython(`
import os, py_compile, shutil, zipfile

shutil.unpack_archive("/sources.zip", "/sources")
with zipfile.ZipFile("${ARCHIVE}", "w", zipfile.ZIP_DEFLATED) as archive:
    for folder, _, names in sorted(os.walk("/sources")):
        for name in sorted(names):
            source = os.path.join(folder, name)
            inside = os.path.relpath(source, "/sources")
            # A zip archive has the bytecode where the source would be; no date of it counts.
            compiled = py_compile.compile(
                source,
                cfile="/one.pyc",
                dfile=inside,
                doraise=True,
                invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
            )
            entry = zipfile.ZipInfo(inside + "c", date_time=(1980, 1, 1, 0, 0, 0))
            with open(compiled, "rb") as data:
                archive.writestr(entry, data.read(), zipfile.ZIP_DEFLATED)
`);
const archive = compiler.FS.readFile(ARCHIVE);
writeFileSync(join(out, "cfglint.zip"), archive);

const python = await loadPyodide({ _makeSnapshot: true });
python.FS.writeFile(ARCHIVE, archive);
python.runPython(`
import gc, json, sys

sys.path.insert(0, "${ARCHIVE}")
from answers import answer

for ask in ("check", "fixed"):
    text = "base_model: a/b\\nlearning_ratee: 1\\n"
    answer(json.dumps({"ask": ask, "files": [{"name": "train.yml", "text": text}]}))
del ask, text
gc.collect()
`);
writeFileSync(join(out, "memory.bin.gz"), gzipSync(python.makeMemorySnapshot(), { level: 9 }));
