"""What a Python program asks for of the containers that it starts: `modal.Image….pip_install("torch==2.6.0")`.

Only what is written there as text counts; nothing of the program is run.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

from cfglint.source.python_names import last_name

#: Methods whose words are packages, and those whose words are commands.
_PACKAGES = frozenset({"pip_install", "uv_pip_install"})
_COMMANDS = frozenset({"dockerfile_commands", "run_commands"})
#: A longer program is not read as one.
_MAX_CHARACTERS = 300_000


class Written:
    """The texts that a program gives to the methods of an image, and where they are.

    Args:
        text: the program; one that Python does not parse gives none.
    """

    def __init__(self, text: str) -> None:
        self._starts = [0]
        for line in text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._text = text
        #: Whether the program could be read.
        self.is_read = False
        self.packages: list[tuple[str, int, int]] = []
        self.commands: list[tuple[str, int, int]] = []
        tree = _parsed(text)
        if tree is None:
            return
        self.is_read = True
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                name = last_name(node.func)
                if name in _PACKAGES:
                    self.packages += self._texts(node)
                elif name in _COMMANDS:
                    self.commands += self._texts(node)

    def _texts(self, call: ast.Call) -> Iterator[tuple[str, int, int]]:
        """The words of a call, those of lists included, each with the place of its contents."""
        for given in call.args:
            inner = given.value if isinstance(given, ast.Starred) else given
            listed = inner.elts if isinstance(inner, (ast.List, ast.Tuple)) else [inner]
            for one in listed:
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    start = self._text.find(one.value, self._offset(one))
                    if start >= 0:
                        yield one.value, start, start + len(one.value)

    def _offset(self, node: ast.expr) -> int:
        """Where a node begins, in characters."""
        start = self._starts[node.lineno - 1]
        line = self._text[start : self._starts[node.lineno]]
        return start + len(line.encode()[: node.col_offset].decode(errors="ignore"))


def _parsed(text: str) -> ast.Module | None:
    if len(text) > _MAX_CHARACTERS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
