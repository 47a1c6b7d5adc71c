"""Building the playground: the page, Python for the browser, and cfglint for that Python."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import cfglint
from cfglint.knowledge import compiled
from cfglint.knowledge.releases.table import releases_of
from tools.playground import bundle

PAGE = Path(__file__).with_name("page")
#: What Python consists of, unchanged from the package `pyodide`.
_RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
#: A file that every playground has.
_MARK = "catalog.json"
#: The example that the page begins with.
_EXAMPLE = bundle.ROOT / "docs" / "examples" / "run"


def build(out: Path, rule_pages: str | None = None) -> None:
    """Write the playground into a folder, in the place of an earlier one.

    Args:
        rule_pages: the address of a rule's page, with `{code}` in it.

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
        for name in ("index.html", "style.css"):
            shutil.copyfile(page / name, out / name)
        engine = _engine(out, page, node)
        (out / "licences.txt").write_text(_licences(page), encoding="utf-8")
    (out / _MARK).write_text(json.dumps(_catalog(engine, rule_pages)), encoding="utf-8")
    example = [
        {"name": name, "text": (_EXAMPLE / name).read_text(encoding="utf-8")}
        for name in ("train.yml", "ds_config.json")
    ]
    (out / "example.json").write_text(json.dumps(example), encoding="utf-8")


def _engine(out: Path, page: Path, node: str) -> str:
    """Write Python and cfglint into a folder that is named after its contents.

    A browser that has kept files of an earlier version never mixes them with these.
    """
    with tempfile.TemporaryDirectory(dir=out) as temporary:
        made = Path(temporary) / "made"
        made.mkdir()
        sources = Path(temporary) / "sources.zip"
        bundle.write(sources)
        _run([node, "snapshot.mjs", str(sources), str(made)], page)
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
    return name


def _catalog(engine: str, rule_pages: str | None) -> dict[str, Any]:
    """The choices of the page's form, and where Python lies."""
    known = compiled.load("frameworks").FRAMEWORKS
    return {
        "version": cfglint.__version__,
        "engine": engine,
        "rulePages": rule_pages,
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


def _run(command: list[str], folder: Path) -> None:
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
