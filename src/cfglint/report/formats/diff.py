"""Fixes as a patch that `git apply` takes."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from difflib import unified_diff

from cfglint.base.paths import relative_path
from cfglint.base.type_names import Protocol
from cfglint.report.style import Style
from cfglint.source.text import SourceText


class Changed(Protocol):
    """A file that fixes change, with its text before and after."""

    @property
    def path(self) -> str: ...

    @property
    def original(self) -> SourceText | None: ...

    @property
    def fixed_source(self) -> SourceText | None: ...


def render(
    files: Sequence[Changed], *, for_terminal: bool = False, style: Style | None = None
) -> str:
    """One patch for all files that fixes would change.

    Args:
        for_terminal: escape control characters; such a patch is for reading, not for applying.
        style: how to color one for reading; plain when None.
    """
    patch = patch_of(files)
    if for_terminal:
        from cfglint.report.escaping import visible

        lines = [visible(line) for line in patch.split("\n")[:-1]]
        return "".join((_painted(line, style) if style else line) + "\n" for line in lines)
    if os.environ.get("GITHUB_ACTIONS") == "true" and _has_commands(patch):
        # A CI runner would execute a workflow command that a line of the config contains.
        token = secrets.token_hex(16)
        return f"::stop-commands::{token}\n{patch}::{token}::\n"
    return patch


def patch_of(files: Sequence[Changed]) -> str:
    """One patch for all files that fixes would change, for a program that reads it."""
    return "".join("".join(_file_patch(file)) for file in files)


def _painted(line: str, style: Style) -> str:
    if line.startswith(("--- ", "+++ ")):
        return style.bold(line)
    paint = {"-": style.removed, "+": style.added, "@": style.related}.get(line[:1])
    return paint(line) if paint is not None else line


def _has_commands(patch: str) -> bool:
    return "##[" in patch or any(line[1:].lstrip().startswith("::") for line in patch.split("\n"))


def _file_patch(file: Changed) -> Iterator[str]:
    if file.fixed_source is None or file.original is None:
        return
    name = relative_path(file.path).replace(os.sep, "/")
    before, after = _lines(file.original), _lines(file.fixed_source)
    for line in unified_diff(before, after, _quoted(f"a/{name}"), _quoted(f"b/{name}")):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(source: SourceText) -> list[str]:
    text = ("\ufeff" if source.bom else "") + source.text
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _quoted(name: str) -> str:
    """A file name as git writes it in a patch: quoted when it contains unusual characters."""
    if all(" " <= char < "\x7f" and char not in '"\\' for char in name):
        return name
    out = ""
    for byte in name.encode("utf-8", "surrogateescape"):
        char = chr(byte)
        if char in '"\\':
            out += "\\" + char
        elif 0x20 <= byte < 0x7F:
            out += char
        else:
            out += f"\\{byte:03o}"
    return f'"{out}"'
