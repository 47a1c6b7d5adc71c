"""What a notebook installs by itself, with `!pip install` or `%pip install`: files around it may be of something else."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.readers import pip_commands
from cfglint.environment.project.readers.requirements import statement_of
from cfglint.environment.project.stated_versions import Source, Statement, is_sane, undisputed
from cfglint.knowledge import compiled
from cfglint.source.python_program import program_of

_CONTINUED = lazy_pattern(r"\\\r?\n")
_INSTALL = lazy_pattern(r"\binstall\b")
#: What of the project a command installs: the packages that a file lists, or the project.
_LISTED = lazy_pattern(
    r"[ \t](?:(?:-[A-Za-z]{0,3}[rec]\b|--(?:requirement|editable|constraint)\b)[ \t=]{0,9}([\w./-]{0,200})|[\"']?\.)"
)
_OF_PROJECT = lazy_pattern(
    r"\b(?:uv[ \t]+sync|poetry[ \t]+install|pdm[ \t]+install|conda[ \t]+env)\b"
)


def read(path: str, text: str) -> Source | None:
    """The packages of interest that the commands of a notebook install; None without any.

    It is complete when it has the classes of its programs from there, and takes over no list of the project.
    """
    program = program_of(text)
    commands = program.commands
    found = []
    for word in pip_commands.words(commands):
        begin, stop = program.place(word.start), program.place_of_end(word.end)
        statement = statement_of(word.content, path, text, begin, stop)
        if statement is not None:
            found.append((word, statement))
    if not found:
        return None
    of_programs = {
        package
        for row in compiled.load("frameworks").FRAMEWORKS.values()
        if row["language"] == "python"
        for package in row["packages"]
    }
    has_classes = any(statement.package in of_programs for _, statement in found)
    complete = has_classes and not _take_over(commands, text)
    kept = pip_commands.with_company(pip_commands.without_replaced(found))
    return Source(path, "notebook", 0, tuple(undisputed(kept)), complete=complete)


def _take_over(commands: str, text: str) -> bool:
    """Whether commands install what files of the project list, or the project.

    Args:
        text: the notebook's, which may write such a list itself.
    """
    for line in _CONTINUED.sub(" ", commands).splitlines():
        install = _INSTALL.search(line)
        listed = _LISTED.search(line, install.end()) if install is not None else None
        if listed is not None and not (listed[1] and _is_written(listed[1], text)):
            return True
        if _OF_PROJECT.search(line) is not None:
            return True
    return False


def _is_written(path: str, text: str) -> bool:
    """Whether a notebook opens a file to write it."""
    return any(f"open({quote}{path}{quote}, {quote}w" in text for quote in ('\\"', "'", '"'))


def outweighing(stated: dict[str, Statement], own: Source) -> dict[str, Statement]:
    """What counts: what a notebook installs, in the place of what files state of the same packages."""
    out = {package: found for package, found in stated.items() if not own.mentions(package)}
    for package in dict.fromkeys(one.package for one in own.statements):
        found = own.of(package)
        if found is not None and is_sane(found):
            out[package] = found
    return out
