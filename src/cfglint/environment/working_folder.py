"""Whether a script goes to a folder outside its project before it starts a run: what lies around it is not what is read then."""

from __future__ import annotations

import os
from collections.abc import Sequence

from cfglint.base.paths import SCRIPT_SUFFIXES
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.source.files.folders import climb
from cfglint.source.languages.shell import command_of, script_of
from cfglint.source.shell_values import ExpandedWord, ShellVariables

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings
    from cfglint.source.document import Document
    from cfglint.source.shell_words import Script, SimpleCommand

_GOES: Final = frozenset({"cd", "pushd"})
_COMES_BACK: Final = "popd"
_STARTS: Final = frozenset({".", "bash", "sh", "source"})
_MAX_WORDS: Final = 6


def leaves_project(document: Document, around: Surroundings) -> bool:
    """Whether the last folder that a script surely goes to before its command is not one of the project.

    Args:
        document: of a script; what its text does up to the first of its commands counts.
    """
    folder = around.folder
    if folder is None or command_of(document.root) is None:
        return False
    if not any(word in document.text for word in _GOES):
        return _is_started_outside(around, folder)
    at = document.root.start
    script = script_of(document.text)
    statements = [one for one in script.statements if one.words and one.words[0].start <= at]
    return _is_away(statements, script, document.text, folder, around)


def _is_away(
    statements: Sequence[SimpleCommand],
    script: Script,
    text: str,
    folder: str,
    around: Surroundings,
) -> bool:
    """Whether a script is outside the project when it comes to the last of some statements."""
    if not statements:
        return False
    variables, block = ShellVariables(script, text), statements[-1].block
    is_away = False
    for one in statements[:-1]:
        if block[: len(one.block)] != one.block or len(one.words) > _MAX_WORDS:
            continue
        words = variables.expanded(one)
        name = words[0].text if words else ""
        if name == _COMES_BACK:
            is_away = False
        elif name in _GOES:
            is_away = _is_outside(words[1:], folder, around, is_away=is_away)
    return is_away


def _is_started_outside(around: Surroundings, folder: str) -> bool:
    """Whether another script of the project starts one of the file's folder, and has gone outside the project before.

    Scripts of one folder are mostly started in one way: `cd /path/to/checkout`, `source scripts/train.sh`.
    """
    path = os.path.abspath(around.path)
    if not path.endswith(SCRIPT_SUFFIXES):
        return False

    def look() -> bool:
        # Most scripts say by themselves where they go.
        from cfglint.environment.project_texts import project_texts
        from cfglint.environment.python_sources import project_root

        texts = project_texts(around, project_root(around, folder))
        return any(
            text is not None
            and one != path
            and any(word in text for word in _GOES)
            and f"{os.path.basename(folder)}/" in text
            and _starts_one_outside(text, folder, os.path.dirname(one), around)
            for one, text in texts
            if one.endswith(SCRIPT_SUFFIXES)
        )

    return around.memory.once(("started outside", folder), look)


def _starts_one_outside(text: str, folder: str, own: str, around: Surroundings) -> bool:
    """Whether a script in a folder of its own starts one of another folder from outside the project."""
    script = script_of(text)
    statements = [one for one in script.statements if one.words]
    for at, one in enumerate(statements):
        words = text[one.words[0].start : one.words[-1].end].split()
        if len(words) < 2 or words[0] not in _STARTS:
            continue
        name = words[1].strip("\"'").rpartition("/")[2]
        if (
            name.endswith(SCRIPT_SUFFIXES)
            and around.files.is_file(os.path.join(folder, name))
            and _is_away(statements[: at + 1], script, text, own, around)
        ):
            return True
    return False


def _is_outside(
    words: list[ExpandedWord], folder: str, around: Surroundings, *, is_away: bool
) -> bool:
    """Whether a script is outside the project once it has gone to a folder.

    A path of the author's machine may lead to the project itself: it does where it ends as a folder of it does, or in
    the project's own name.
    """
    given = [one for one in words if not one.text.startswith("-")]
    if len(given) != 1 or given[0].open or given[0].many:
        return False
    parts = [one for one in given[0].text.split("/") if one not in ("", ".")]
    is_absolute = given[0].text.startswith(("/", "~"))
    if not is_absolute and (is_away or all(one == ".." for one in parts)):
        return is_away
    root, levels = climb(folder, around.files)
    if not is_absolute:
        bases = (os.path.normpath(os.path.join(level, *parts)) for level in levels)
        return not any(one == root or around.files.is_folder(one) for one in bases)
    if os.path.basename(root) in parts:
        return False
    tails = (os.path.join(level, *parts[at:]) for level in levels for at in range(len(parts)))
    return not any(map(around.files.is_folder, tails))
