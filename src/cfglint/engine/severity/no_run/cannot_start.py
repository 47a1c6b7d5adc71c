"""Programs that import a part of their project which is not there any more, and the scripts that start only such."""

from __future__ import annotations

import os
import re
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.environment.python_sources import python_sources
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge.marks import all_marks
from cfglint.source.files.nearby import text_of
from cfglint.source.files.scripts import PAGES

#: A module of a package, at the top of a program: what is imported under a condition may be missing.
_IMPORT = lazy_pattern(r"(?m)^(?:from|import)[ \t]+([A-Za-z_]\w{0,60})\.([A-Za-z_]\w{0,60})")
#: Names of a module, at the top of a program: on a line, or in parentheses.
_NAMES = lazy_pattern(
    r"(?m)^from[ \t]+([A-Za-z_][\w.]{0,120})[ \t]+import[ \t]+(?:\(([^()#]{1,2000})\)|([^()\n#;\\]{1,500}))"
)
#: A module with one of these may have names that are not written in it.
_MAKES_NAMES = ("import *", "__getattr__", "globals()", "setattr(")
_STARTED = lazy_pattern(r"(?<![\w.*$}{-])([\w./-]{1,200}\.py)\b")
#: What leads to other folders.
_ELSEWHERE = ("sys.path", "PYTHONPATH", "importlib")
#: Files that say what a copy of the project may lack.
_LEFT_OUT = (".gitignore", ".gitmodules")
_MAX_STARTED, _MAX_BYTES = 20, 200_000


def why_cannot_start(file: SearchedFile) -> str:
    """Why no run meets what is found in a program that cannot be started as it is, or in its script; empty for any other."""
    around, root, text = file.around, file.root, file.report.source.text
    if file.name.endswith(PAGES) or any(word in text for word in _ELSEWHERE):
        return ""
    sources = python_sources(around, root)
    if None in sources.values() or not around.files.has(os.path.join(root, ".git")):
        return ""
    programs = [file.path] if file.path in sources else _started(text, file.path, root, sources)
    missing = [_missing(program, root, sources, around) for program in programs]
    if not missing or not all(missing):
        return ""
    return f"{file.inside(programs[0])} imports `{missing[0]}`, which the project does not have."


def _started(text: str, own: str, root: str, sources: dict[str, str | None]) -> list[str]:
    """The programs of the project that a script names."""
    found = []
    for match in islice(_STARTED.finditer(text), _MAX_STARTED):
        folder = os.path.dirname(own)
        while folder.startswith(root):
            path = os.path.normpath(os.path.join(folder, match[1]))
            if path in sources:
                found.append(path)
                break
            folder = os.path.dirname(folder)
        else:
            return []  # that of another project
    return found


def _missing(program: str, root: str, sources: dict[str, str | None], around: Surroundings) -> str:
    """What a program imports of its project, and what the project does not have."""
    text = sources[program] or ""
    if any(word in text for word in _ELSEWHERE):
        return ""
    return _missing_name(program, text, sources) or _missing_module(text, root, sources, around)


def _missing_name(program: str, text: str, sources: dict[str, str | None]) -> str:
    """A name that a program imports from a module beside it, and that does not occur there."""
    folder = os.path.dirname(program)
    for module, *lists in _NAMES.findall(text):
        path = os.path.join(folder, *module.split("."))
        content = sources.get(f"{path}.py")
        is_package = os.path.join(path, "__init__.py") in sources
        if content is None or is_package or any(word in content for word in _MAKES_NAMES):
            continue
        for name in "".join(lists).split(","):
            word = name.split(" as ")[0].strip()
            if word.isidentifier() and not re.search(rf"\b{word}\b", content):
                return f"{module}.{word}"
    return ""


def _missing_module(
    text: str, root: str, sources: dict[str, str | None], around: Surroundings
) -> str:
    """A module that a program imports from a folder at the top of its project, and that lies nowhere in it."""
    known = {one.package.replace("-", "_") for one in all_marks()}
    at_top = {path[len(os.path.join(root, "")) :].partition(os.sep)[0] for path in sources}
    listed = [text_of(os.path.join(root, one), _MAX_BYTES, around.files) for one in _LEFT_OUT]
    for package, module in dict.fromkeys(_IMPORT.findall(text)):
        if package in known or package not in at_top:
            continue
        ends = os.path.join(os.sep, package, module)
        if any(f"{ends}{os.sep}" in path or path.endswith(f"{ends}.py") for path in sources):
            continue
        names = re.compile(rf"\b{module}\b")
        if names.search(sources.get(os.path.join(root, package, "__init__.py")) or ""):
            continue
        left_out = re.compile(rf"(?m)(?:^|[/=\s]){module}(?:/\*{{0,2}})?[ \t\r]*$")
        if not any(left_out.search(one or "") for one in listed):
            return f"{package}.{module}"
    return ""
