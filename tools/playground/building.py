"""Building the playground: the page, Python for the browser, and cfglint for that Python."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from html import escape
from pathlib import Path
from typing import Any

import cfglint
from cfglint.knowledge import compiled
from cfglint.knowledge.releases.table import releases_of
from tools.playground import bundle

PAGE = Path(__file__).with_name("page")
COMPILING = Path(__file__).with_name("compiling.py")
#: What Python consists of, unchanged from the package `pyodide`.
_RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
#: What the worker fetches before it can answer.
_AT_START = ("pyodide.asm.wasm", "memory.bin.gz")
#: A file that every playground has.
_MARK = "catalog.json"
#: The samples: titles, and the folders of their files. The page begins with the first.
SAMPLES = {
    "Axolotl with DeepSpeed": "docs/examples/run",
    **{
        title: f"tools/playground/samples/{name}"
        for title, name in (
            ("LLaMA-Factory", "llamafactory"),
            ("TRL", "trl"),
            ("accelerate", "accelerate"),
            ("DeepSpeed", "deepspeed"),
            ("verl: a launch script", "verl"),
            ("ms-swift: a launch script", "swift"),
            ("OpenRLHF: a launch script", "openrlhf"),
            ("TRL: a Python program", "python"),
        )
    },
}


def build(out: Path, documentation: str | None = None) -> None:
    """Write the playground into a folder, in the place of an earlier one.

    Args:
        documentation: where the documentation's pages are, relative to the playground.

    Raises:
        SystemExit: a tool is missing or fails, or the folder holds something else.
    """
    npm, node = _program("npm"), _program("node")
    if out.is_dir() and any(out.iterdir()) and not (out / _MARK).exists():
        sys.exit(f"{out} holds something that is not a playground")
    with tempfile.TemporaryDirectory(prefix="playground-") as temporary:
        # A copy: two builds at once do not meet, and nothing of the checkout decides.
        page = Path(temporary) / "page"
        shutil.copytree(PAGE, page, ignore=shutil.ignore_patterns("node_modules"))
        _run([npm, "ci", "--prefer-offline"], page)
        _run([npm, "run", "compile"], page)
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        _run([npm, "run", "bundle", "--", f"--outdir={out}"], page)
        for name in ("index.html", "style.css", "icon.svg"):
            shutil.copyfile(page / name, out / name)
        listed = samples()
        engine, first = _engine(out, page, node, listed)
        (out / "licences.txt").write_text(_licences(page), encoding="utf-8")
    # What is found in the first sample is there before Python is.
    listed[0]["answer"] = first
    (out / "samples.json").write_text(json.dumps(listed), encoding="utf-8")
    catalog = _catalog(out / engine, documentation)
    (out / _MARK).write_text(json.dumps(catalog), encoding="utf-8")
    page_of = out / "index.html"
    started = {name: catalog[name] for name in ("engine", "sizes")}
    text = page_of.read_text(encoding="utf-8")
    page_of.write_text(text.replace("STARTED", escape(json.dumps(started))), encoding="utf-8")


def samples() -> list[dict[str, Any]]:
    """The samples of the page: titles, and files by name with their texts."""
    return [
        {
            "title": title,
            "files": [
                {"name": path.name, "text": path.read_text(encoding="utf-8")}
                for path in sorted((bundle.ROOT / folder).iterdir(), key=_order)
            ],
        }
        for title, folder in SAMPLES.items()
    ]


def _order(path: Path) -> tuple[bool, str]:
    """The config comes before the files around it."""
    return path.stem != "train", path.name


def _engine(out: Path, page: Path, node: str, listed: list[dict[str, Any]]) -> tuple[str, Any]:
    """Write Python and cfglint into a folder that is named after its contents.

    The second value is what it answers to the first sample.

    A browser that has kept files of an earlier version never mixes them with these.
    """
    with tempfile.TemporaryDirectory(dir=out) as temporary:
        made = Path(temporary) / "made"
        made.mkdir()
        sources = Path(temporary) / "sources.zip"
        bundle.write(sources)
        asked = Path(temporary) / "samples.json"
        asked.write_text(json.dumps(listed), encoding="utf-8")
        command = [node, "snapshot.mjs", str(sources), str(COMPILING), str(asked), str(made)]
        first = json.loads(_run(command, page))
        (made / "start.zip").unlink()
        with zipfile.ZipFile(made / "empty.zip", "w"):
            pass  # Python's own library is in its memory, and in packs
        runtime = page / "node_modules" / "pyodide"
        for name in _RUNTIME:
            shutil.copyfile(runtime / name, made / name)
        lock = json.loads((runtime / "pyodide-lock.json").read_text(encoding="utf-8"))
        # No packages: none are downloaded from anywhere.
        lock["packages"] = {}
        (made / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
        digest = hashlib.sha256()
        for file in sorted(made.iterdir()):
            digest.update(file.name.encode() + b"\0" + file.read_bytes())
        name = f"engine-{digest.hexdigest()[:12]}"
        made.rename(out / name)
    return name, first


def _catalog(engine: Path, documentation: str | None) -> dict[str, Any]:
    """The choices of the page's form, and where Python lies."""
    known = compiled.load("frameworks").FRAMEWORKS
    return {
        "version": cfglint.__version__,
        "engine": engine.name,
        "sizes": {name: (engine / name).stat().st_size for name in _AT_START},
        "documentation": documentation,
        "gpus": sorted(compiled.load("hardware").GPUS),
        "frameworks": [
            {
                "name": name,
                "title": about["title"],
                "package": about["packages"][0],
                "releases": list(reversed(releases_of(about["packages"][0]).versions)),
            }
            for name, about in sorted(known.items(), key=lambda pair: pair[1]["title"].lower())
        ],
    }


def _licences(page: Path) -> str:
    """The licences of all that the folder brings along."""
    texts = [("cfglint", (bundle.ROOT / "LICENSE").read_text(encoding="utf-8"))]
    texts += bundle.licences()
    packages = page / "node_modules"
    about = json.loads((page / "package.json").read_text(encoding="utf-8"))
    for name in _closure(sorted(about["dependencies"]), packages):
        folder = packages / name
        manifest = json.loads((folder / "package.json").read_text(encoding="utf-8"))
        files = [*folder.glob("LICEN[CS]E*")]
        text = files[0].read_text(encoding="utf-8") if files else _terms(manifest)
        texts.append((f"{name} {manifest['version']}", text))
    return "\n\n".join(f"{title}\n{'=' * len(title)}\n\n{text.strip()}" for title, text in texts)


def _terms(manifest: dict[str, Any]) -> str:
    """What a package without a licence file says of its licence and of its source."""
    source = manifest.get("repository", "")
    address = source.get("url", "") if isinstance(source, dict) else source
    return f"{manifest['license']}. Source: {address}"


def _closure(names: list[str], packages: Path) -> list[str]:
    """Packages with all that they depend on, as far as they are installed."""
    found: list[str] = []
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        folder = packages / name
        if name in found or not folder.is_dir():
            continue
        found.append(name)
        manifest = json.loads((folder / "package.json").read_text(encoding="utf-8"))
        waiting += manifest.get("dependencies", {})
    return sorted(found)


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        sys.exit(f"{name} is not installed")
    return found


def _run(command: list[str], folder: Path) -> str:
    """The output of a command.

    Raises:
        SystemExit: it fails.
    """
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 0:
        # What Pyodide prints of itself when it fails is a megabyte of script.
        said = "\n".join(line[:500] for line in (done.stdout + done.stderr).splitlines())
        sys.exit(f"{' '.join(command[:3])} failed:\n{said}")
    return done.stdout
