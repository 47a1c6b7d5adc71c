"""Programs that a script starts and that the project does not have, though it has their folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial

from cfglint.base.lazy import lazy_pattern
from cfglint.base.spelling import is_one_slip
from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.environment.project_texts import project_texts
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.environment.surroundings import Surroundings
from cfglint.source.files.folders import climb
from cfglint.source.files.nearby import is_in_clone
from cfglint.source.languages.shell import script_of
from cfglint.source.shell_values import ExpandedWord, ShellVariables
from cfglint.source.text import Span

_PYTHON: Final = frozenset({"python", "python3"})
_SUFFIX: Final = ".py"
#: What goes to another folder, or may bring files from elsewhere.
_ELSEWHERE = lazy_pattern(
    r"(?m)(?:^|[\s;&|(`])(?:cd|pushd|git[ \t]+(?:clone|checkout|submodule|pull|apply)|wget|curl|cp|mv|ln|rsync|scp|tar|unzip"
    r"|tee|patch|gsutil|s3cmd|aws|docker|singularity|apptainer|chdir|eval|source)(?=[\s;]|$)|<<|>[ \t]*\S{0,200}\.py\b"
)
#: Files that name what the repository itself does not have.
_ASIDE: Final = (".gitignore", ".gitmodules")
_MAX_BYTES: Final = 200_000
#: With as many sources some may have been left out.
_MANY: Final = 400
_MAX_FOUND: Final = 20


def missing_program(ctx: CheckContext) -> Iterator[Hit]:
    """`python scripts/train_sfx.py`, and `scripts/` has no such file."""
    around, text = ctx.around, ctx.document.text
    folder = around.folder
    if folder is None or around.left or _SUFFIX not in text or _ELSEWHERE.search(text):
        return
    root = project_root(around, folder)
    if not around.files.has(os.path.join(root, ".git")):
        return
    script = script_of(text)
    variables, found = ShellVariables(script, text), 0
    for statement in script.statements:
        word = _program(variables.expanded(statement))
        if word is None:
            continue
        program = word.text
        is_missing = around.memory.once(
            ("missing program", folder, program),
            partial(_is_missing, program, folder, root, around),
        )
        if not is_missing:
            continue
        place, _, name = word.text.rpartition("/")
        meant = _alike(name, place, folder, around)
        hint = f" It has `{meant}`." if meant else ""
        params = {"program": word.text, "folder": place, "hint": hint}
        yield Hit((), Span(word.start, word.end), params)
        found += 1
        if found == _MAX_FOUND:
            return


def _program(words: Sequence[ExpandedWord]) -> ExpandedWord | None:
    """The file that a command starts with Python, by a path in the project; None if that is not plain."""
    names = [word.text.rpartition("/")[2] for word in words]
    at = next((number for number, name in enumerate(names) if name in _PYTHON), None)
    if at is None or at + 1 >= len(words):
        return None
    word = words[at + 1]
    if word.open or word.many or not word.text.endswith(_SUFFIX):
        return None
    path = word.text.removeprefix("./")
    is_plain = "/" in path and not path.startswith(("/", "~", "-")) and ".." not in path
    return word if is_plain and "$" not in path and "*" not in path else None


def _is_missing(program: str, folder: str, root: str, around: Surroundings) -> bool:
    """Whether a program is not in the project, though programs of its folder are, and nothing seems to bring it."""
    levels = climb(folder, around.files)[1]
    parts = [one for one in program.split("/") if one not in ("", ".")]
    places = (os.path.join(level, *parts) for level in levels)
    if any(is_in_clone(place, folder, around.files) for place in places):
        return False
    sources = python_sources(around, root)
    homes = [os.path.join(level, *parts[:-1]) for level in levels]
    if len(sources) >= _MANY or not any(os.path.dirname(path) in homes for path in sources):
        return False
    name = parts[-1]
    if any(os.path.basename(path) == name for path in sources):
        return False  # it is meant from another folder
    texts = [text for _, text in project_texts(around, root)]
    texts += [_beside(one, root, around) for one in _ASIDE]
    if None in texts:
        return False
    lines = (line for text in texts if text and name in text for line in text.splitlines())
    aside = texts[-len(_ASIDE) :]
    return not (
        any(name in line and _ELSEWHERE.search(line) for line in lines)
        or any(text and (parts[0] in text or f"*{_SUFFIX}" in text) for text in aside)
        or any(text and name in text for text in sources.values())
    )


def _beside(name: str, root: str, around: Surroundings) -> str | None:
    """A file at the top of the project; empty if there is none, None if it cannot be read."""
    path = os.path.join(root, name)
    if not around.files.is_file(path):
        return ""
    try:
        return around.files.read(path, _MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return None


def _alike(name: str, place: str, folder: str, around: Surroundings) -> str:
    """The program of nearly a name in a folder; empty if there is none, or several."""
    for level in climb(folder, around.files)[1]:
        try:
            names = around.files.names(os.path.join(level, *place.split("/")))
        except OSError:
            continue
        found = [one for one in names if one.endswith(_SUFFIX) and is_one_slip(one, name)]
        if len(found) == 1:
            return f"{place}/{found[0]}"
    return ""


CHECKS = {"missing-program": missing_program}
