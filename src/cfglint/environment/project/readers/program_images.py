"""What a Python program asks for of the containers that it starts: `modal.Image….pip_install("torch==2.6.0")`.

Only what is written there as text counts; nothing of the program is run.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.source.python_names import last_name

#: Methods whose words are packages, and those whose words are commands.
_PACKAGES = frozenset({"pip_install", "uv_pip_install"})
_COMMANDS = frozenset({"dockerfile_commands", "run_commands"})
#: A text that is a command of its own, not one word of a command.
_INSTALLS = lazy_pattern(r"\binstall[ \t]")
#: An argument is put together of so many parts at most.
_MAX_PARTS = 20
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


def commands_about(text: str, name: str) -> Iterator[str]:
    """The commands of a program, and its calls, that name a file among their words: texts, words between blanks.

    Of `image.pip_install_from_requirements("a.txt", extra_options="--no-deps")` it is `a.txt --no-deps`.
    """
    tree = _parsed(text) if name in text else None
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Call):
            # What is called may be the end of a chain of other calls.
            given = [*node.args, *(one.value for one in node.keywords)]
        elif isinstance(node, (ast.List, ast.Tuple)):
            given = node.elts
        else:
            continue
        words = [word for one in given for word in _words_in(one)]
        for word in words:
            if name in word and _INSTALLS.search(word):
                yield from (line for line in word.replace("\\\n", " ").splitlines() if name in line)
        row = " ".join(word for word in words if not _INSTALLS.search(word))
        if name in row:
            yield row


def _words_in(node: ast.expr) -> Iterator[str]:
    """The text that an argument is, or those of a path such as `str(root / "a.txt")`; lists are commands of their own."""
    waiting = [node]
    for one in islice(waiting, _MAX_PARTS):
        if isinstance(one, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "…" for part in one.values)
            yield "".join(map(str, parts))
        elif isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value
        elif isinstance(one, ast.BinOp):
            waiting += (one.left, one.right)
        elif isinstance(one, ast.Call) and not one.keywords:
            waiting += one.args


def _parsed(text: str) -> ast.Module | None:
    if len(text) > _MAX_CHARACTERS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
