"""The Python files that a check in the browser can reach, and no others."""

from __future__ import annotations

import ast
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

from cfglint.knowledge.compiled import ensure_compiled

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src"
#: The modules of the playground that run in the browser; the last one finds all others.
OWN = ("answers", "texts", "editing", "views", "packs")
#: Loaded by the names of what is checked, so no import statement leads to them.
_BY_NAME = (
    "cfglint.knowledge._compiled",
    "cfglint.environment.project",
    "cfglint.frameworks",
    "cfglint.source.languages",
)
#: What a check imports under conditions that no browser meets: a checkout compiles its rules, and
#: a project its own. Then what only tests of rules need.
_UNUSED = (
    "cfglint.knowledge.compiling",
    "cfglint.knowledge._compiled.bases",
)
#: The dependencies of a check and of fixing, without their compiled parts: distribution -> package.
_DEPENDENCIES = {
    "click": "click",
    "PyYAML": "yaml",
    "ruamel.yaml": "ruamel/yaml",
    "packaging": "packaging",
}


def write(path: Path) -> None:
    """Write the files as a zip archive: `answers.py`, and the packages that it imports."""
    ensure_compiled()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("__init__", *OWN):
            archive.write(_own(name), f"tools/playground/{name}.py")
        for file in sorted(reached()):
            archive.write(file, file.relative_to(SOURCES).as_posix())
        for name, package in _DEPENDENCIES.items():
            for file, inside in _python_files(name, package):
                archive.write(file, inside)


def reached() -> set[Path]:
    """The files of cfglint that the entry imports, directly or not, inside functions too."""
    modules = _modules()
    found: set[str] = set()
    entered = [one for name in OWN for one in _imports(_own(name), modules)]
    waiting = [*entered, *(name for name in modules if _is_below(name, _BY_NAME))]
    while waiting:
        module = waiting.pop()
        if module in found or _is_below(module, _UNUSED):
            continue
        found.add(module)
        package = module.rpartition(".")[0]
        waiting += [package] if package in modules else []
        waiting += _imports(modules[module], modules)
    return {modules[module] for module in found}


def _own(name: str) -> Path:
    return Path(__file__).with_name(f"{name}.py")


def licences() -> Iterator[tuple[str, str]]:
    """The licences of the dependencies that are brought along, each with its name and version."""
    for name in _DEPENDENCIES:
        about = distribution(name)
        for file in about.files or ():
            if file.name.upper().startswith(("LICENSE", "LICENCE")) and "dist-info" in str(file):
                yield f"{name} {about.version}", file.read_text(encoding="utf-8")


def _is_below(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in packages)


def _modules() -> dict[str, Path]:
    """All modules of cfglint by name."""
    out = {}
    for file in (SOURCES / "cfglint").rglob("*.py"):
        parts = file.relative_to(SOURCES).with_suffix("").parts
        out[".".join(parts).removesuffix(".__init__")] = file
    return out


def _imports(file: Path, modules: dict[str, Path]) -> Iterator[str]:
    if "_compiled" in file.parts:  # large, and imports nothing
        return
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names = [node.value]
        else:
            continue
        yield from (name for name in names if name in modules)


def _python_files(name: str, package: str) -> Iterator[tuple[Path, str]]:
    """The Python files of a distribution that is installed here.

    Raises:
        SystemExit: it is not installed.
    """
    found = [
        (Path(str(file.locate())), file.as_posix())
        for file in distribution(name).files or ()
        if file.suffix == ".py" and file.as_posix().startswith(f"{package}/")
    ]
    if not found:
        sys.exit(f"the files of {name} are not installed here")
    yield from sorted(found)
