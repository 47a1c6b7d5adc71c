"""Where a class of TRL is that the stated release no longer has at its old place, and the edits that follow it.

Since 0.26 the classes of many methods are below `trl.experimental` as well, and since 0.29 only there. What is imported from
there has the name that it had, so that the import alone changes. A class with another name is renamed wherever the
program names it, together with its import.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.diagnostic import Edit, Fix
from cfglint.knowledge import compiled

if TYPE_CHECKING:
    from cfglint.source.python_program import PythonProgram

_PACKAGE: Final = "trl"
#: The modules of the package from which programs import what is at its top.
_FROM_TOP: Final = frozenset({"", "trainer"})
#: Class -> its other name, and the first release with that (TRL 0.12.0, trainer/ppov2_trainer.py).
_RENAMED: Final = {
    "PPOv2Config": ("PPOConfig", "0.12.0"),
    "PPOv2Trainer": ("PPOTrainer", "0.12.0"),
}


class Moved(Record):
    """Where something is, and what it is called there."""

    module: str
    name: str


def moved(module: str, name: str, are_all: Callable[[str], bool]) -> Moved | None:
    """Where what a program imports from TRL is in the releases that it may run with; None if that is not known.

    Args:
        module: the module in the package that it is imported from.
        are_all: whether all of these releases are in a range.
    """
    if module not in _FROM_TOP:
        return None
    new, since = _RENAMED.get(name, (name, "0"))
    for home, first, gone in compiled.load("trl_programs_data").MOVED.get(new, ()):
        if are_all(f">={max(first, since, key=_order)}" + (f",<{gone}" if gone else "")):
            return Moved(f"{_PACKAGE}.{home}", new)
    if new != name and are_all(f">={since},<0.29.0"):
        return Moved(_PACKAGE, new)
    return None


def _order(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def following(
    program: PythonProgram, node: ast.ImportFrom, homes: dict[str, Moved]
) -> tuple[Fix, ...]:
    """The fix that imports names from where they are, and renames what has another name there.

    Args:
        node: the statement that imports them.
        homes: the names of the statement that are elsewhere.
    """
    start = program.offset(node.lineno, node.col_offset)
    end = program.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
    written = program.code[start:end]
    if program.pieces or "#" in written or program.tree is None:
        return ()  # a cell of a notebook, or comments that would have to stay
    names = {one.name: one for one in node.names}
    left = [one for one in node.names if one.name not in homes]
    by_module: dict[str, list[ast.alias]] = {}
    for name, home in homes.items():
        alias = ast.alias(home.name, names[name].asname)
        by_module.setdefault(home.module, []).append(alias)
    own = f"{node.module}"
    if left and own in by_module:
        left += by_module.pop(own)
    parts = [(own, left)] if left else []
    newline = "\r\n" if "\r\n" in program.code else "\n"
    text = newline.join(
        _statement(module, aliases, newline) for module, aliases in (*parts, *by_module.items())
    )
    edits = [Edit(start, end, text)]
    for name, home in homes.items():
        if home.name != name and not names[name].asname:
            edits += _uses(program, name, home.name)
    modules = " and ".join(sorted({home.module for home in homes.values()}))
    title = f"Import {', '.join(home.name for home in homes.values())} from {modules}"
    renamed = {name: home.name for name, home in homes.items() if home.name != name}
    paths = tuple((label,) for pair in renamed.items() for label in pair)
    return (Fix(title, "unsafe" if renamed else "safe", tuple(sorted(edits)), paths),)


def _uses(program: PythonProgram, name: str, new: str) -> list[Edit]:
    """The edits that give a name another one wherever the program uses it."""
    assert program.tree is not None
    places = [
        program.offset(one.lineno, one.col_offset)
        for one in ast.walk(program.tree)
        if isinstance(one, ast.Name) and one.id == name
    ]
    return [Edit(at, at + len(name), new) for at in places]


def _statement(module: str, aliases: list[ast.alias], newline: str) -> str:
    """An import as code, in brackets if it would be longer than a line."""
    names = [one.name + (f" as {one.asname}" if one.asname else "") for one in aliases]
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= 100:
        return line
    listed = "".join(f"    {name},{newline}" for name in names)
    return f"from {module} import ({newline}{listed})"
