"""Compiles the playground's modules, and sorts them into packs: runs in Node.js, in the browser's Python."""

from __future__ import annotations

import ast
import marshal
import re
import zipfile
from collections.abc import Iterator
from importlib.util import MAGIC_NUMBER

#: Modules of one framework: all that a check of its files needs, or only what other questions do.
_OF_FRAMEWORK = re.compile(
    r"cfglint\.(?:knowledge\._compiled|frameworks)\.(?P<framework>[a-z]+)(?:_.*?)?"
    r"(?P<values>_effective|_fields|_history)?(?:\..*)?"
)
#: Parts of Python's library that modules name for uses which a browser has not: processes, tests, servers.
_NEVER = (
    "multiprocessing",
    "unittest",
    "pdb",
    "pydoc",
    "doctest",
    "http",
    "xmlrpc",
    "ftplib",
    "ctypes",
    "_pyrepl",
)

#: What is imported by the name of a text's encoding.
_ENCODINGS = (
    "ascii",
    "cp1252",
    "latin_1",
    "utf_16",
    "utf_16_be",
    "utf_16_le",
    "utf_32",
    "utf_8_sig",
)

Modules = dict[str, tuple[bool, bytes]]


def compiled(*archives: str) -> Modules:
    """All modules of archives, without what only a debugger shows: docstrings, columns."""
    out = {}
    for archive in archives:
        with zipfile.ZipFile(archive) as opened:
            for inside in sorted(opened.namelist()):
                if not inside.endswith(".py"):
                    continue
                name = inside.removesuffix(".py").replace("/", ".")
                code = compile(opened.read(inside), inside, "exec", dont_inherit=True, optimize=2)
                package = name.endswith("__init__")
                out[name.removesuffix(".__init__")] = (package, marshal.dumps(code))
    # A folder without a module of its own is a package, too.
    for name in list(out):
        while name := name.rpartition(".")[0]:
            out.setdefault(name, (True, marshal.dumps(compile("", name, "exec"))))
    return out


def for_start(path: str, modules: Modules) -> None:
    """Write modules as the archive that Python starts from."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, (package, code) in modules.items():
            inside = name.replace(".", "/") + ("/__init__.pyc" if package else ".pyc")
            # The magic number, no checks, no date.
            archive.writestr(inside, MAGIC_NUMBER + bytes(12) + code)


def reached(archive: str, library: str) -> set[str]:
    """The modules of Python's library that an archive's modules import, directly or not."""
    with zipfile.ZipFile(archive) as opened:
        texts = [opened.read(name) for name in opened.namelist() if name.endswith(".py")]
    with zipfile.ZipFile(library) as opened:
        files = {
            name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): name
            for name in opened.namelist()
            if name.endswith(".py")
        }
        found: set[str] = set()
        waiting = [name for text in texts for name in _imports(text, "")]
        waiting += [f"encodings.{name}" for name in _ENCODINGS]
        while waiting:
            name = waiting.pop()
            if name in found or name not in files or name.partition(".")[0] in _NEVER:
                continue
            found.add(name)
            home = name if files[name].endswith("__init__.py") else name.rpartition(".")[0]
            waiting += [name.rpartition(".")[0], *_imports(opened.read(files[name]), home)]
    return found


def _imports(text: bytes, package: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level]
            base = ".".join(
                [*(above if node.level else ()), *([node.module] if node.module else ())]
            )
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def pack_of(module: str) -> str:
    """The pack that a module is in."""
    own = _OF_FRAMEWORK.fullmatch(module)
    if own is None:
        return "more"
    return own["framework"] + ("-values" if own["values"] else "")


def packed(modules: Modules) -> dict[str, bytes]:
    """Name of a pack -> its modules, compressed."""
    from compression import zstd  # type: ignore[import-not-found,unused-ignore]

    packs: dict[str, Modules] = {}
    for name, module in modules.items():
        packs.setdefault(pack_of(name), {})[name] = module
    return {name: zstd.compress(marshal.dumps(one), 19) for name, one in packs.items()}
