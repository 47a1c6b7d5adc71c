"""What a module has at its margin, without what its functions and classes do.

A module of three thousand lines has thirty at its margin, and hundreds of releases are read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

_DEFINED = re.compile(r"(?:async[ \t]+)?(def|class)[ \t]+(\w+)")
_INSIDE = (" ", "\t", "\n", "\r", ")", "]", "}", "#", "@")


@lru_cache(maxsize=20_000)
def margin(text: str) -> tuple[ast.stmt, ...]:
    """The statements of a module; functions and classes are empty.

    Raises:
        SyntaxError: the text is no Python.
    """
    if "from __future__" not in text and "\ndef " not in text and "\nclass " not in text:
        return tuple(ast.parse(text).body)
    try:
        return tuple(ast.parse("".join(_without_bodies(text))).body)
    except SyntaxError:  # a text over several lines that begins at the margin
        return tuple(ast.parse(text).body)


def _without_bodies(text: str) -> Iterator[str]:
    inside = False
    for line in text.splitlines(keepends=True):
        if line.startswith("@"):
            inside = True
            continue
        defined = _DEFINED.match(line)
        if defined is not None:
            inside = True
            yield f"{defined[1]} {defined[2]}{'()' if defined[1] == 'def' else ''}: pass\n"
        elif not inside:
            yield line
        elif not line.startswith(_INSIDE):
            inside = False
            yield line
