"""Whether a script goes to a folder outside its project before it starts a run: what lies around it is not what is read then."""

from __future__ import annotations

import os

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.files.folders import climb
from cfglint.source.languages.shell import command_of, script_of
from cfglint.source.shell_values import ExpandedWord, ShellVariables

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings
    from cfglint.source.document import Document

_GOES: Final = frozenset({"cd", "pushd"})
_COMES_BACK: Final = "popd"
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
        return False
    at = document.root.start
    script = script_of(document.text)
    statements = [one for one in script.statements if one.words and one.words[0].start <= at]
    if not statements:
        return False
    variables, block = ShellVariables(script, document.text), statements[-1].block
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
