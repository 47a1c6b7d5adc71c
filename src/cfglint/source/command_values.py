"""What the lists and texts of a program's commands hold, word by word."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import NamedTuple
from cfglint.source import shell_words
from cfglint.source.python_names import Names, last_name
from cfglint.source.python_program import PythonProgram
from cfglint.source.shell_values import ExpandedWord, ShellVariables

#: Longer commands are cut off.
MAX_WORDS = 400
_MAX_TEXT = 4_000
#: Deeper expressions are not followed.
_MAX_DEPTH = 12
#: Of a list that is another one in each branch, so many are followed.
MAX_ALTERNATIVES = 4
#: So many expressions of a program are looked at.
_MAX_STEPS = 50_000
#: How far behind the word before it a word is looked for in what the program has.
_NEAR = 600
#: In place of what is not known, as a shell has it.
OPEN = "$1"
#: What gives back the path, or the text, that it is called on or with.
_SAME = frozenset({"str", "Path", "PurePath", "PosixPath", "abspath", "realpath", "expanduser", "fspath", "which", "quote"})  # fmt: skip
_SAME_METHODS = frozenset({"resolve", "absolute", "as_posix", "expanduser", "strip", "rstrip"})
#: The Python that runs the program.
_PYTHON = ("sys", "executable")
_QUOTED = lazy_pattern(r"[rRuUbB]{0,2}(\"\"\"|'''|\"|')")


class CommandItem(NamedTuple):
    """A word of a command."""

    word: ExpandedWord
    #: The number of the branch that adds it; 0 if it is always there.
    branch: int = 0


Items = tuple[CommandItem, ...]


class CommandValues:
    """The lists of words that the expressions of a program are."""

    def __init__(self, program: PythonProgram, names: Names) -> None:
        self._program = program
        self._names = names
        self._steps = 0
        #: The names of lists that a method changes somewhere.
        self.changed: set[str] = set()

    def lists(
        self,
        node: ast.expr,
        state: Mapping[str, tuple[Items, ...]],
        scope: tuple[int, ...],
        *,
        single: bool = False,
        adds: bool = False,
        depth: int = _MAX_DEPTH,
    ) -> tuple[Items, ...] | None:
        """The lists that an expression may be, of which a text is the words that a shell makes of it; None for all else.

        Args:
            state: the lists that names are.
            single: it is one word, not a list of them.
            adds: it is put behind another one, so that a text may be one word.
        """
        if single:
            return (tuple(self._word(node, scope)),)
        if depth == 0:
            return None
        depth -= 1
        if isinstance(node, ast.Attribute):
            return state.get(plain_name(node))
        if isinstance(node, ast.Name):
            known = state.get(node.id)
            held = None if known is not None else self._names.held(node.id, scope, node.lineno)
            if node.id in self.changed and known is None:
                return None
            if held is not None and isinstance(held, (ast.List, ast.Tuple, ast.BinOp)):
                return self.lists(held, {}, (), depth=depth)
            return known
        if isinstance(node, (ast.List, ast.Tuple)):
            return self._display(node, state, scope, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self._sum(node, state, scope, depth, adds=adds)
        if isinstance(node, ast.IfExp):
            both = [self.lists(one, state, scope, depth=depth) for one in (node.body, node.orelse)]
            every = tuple(items for one in both if one is not None for items in one)
            return every[:MAX_ALTERNATIVES] if None not in both else None
        if isinstance(node, ast.Call):
            return self._called(node, state, scope, depth)
        return self._shell(node, scope, adds=adds) if is_text(node) else None

    def unknown(self, node: ast.expr) -> Items:
        """A word that may be any, in place of an expression."""
        span = self._program.span_of(node)
        return (CommandItem(ExpandedWord(OPEN, span.start, span.end, True, True)),)

    def divided(self, items: Items) -> Iterator[CommandItem]:
        """The words of a list that is joined to a text for a shell."""
        for item in items:
            word = item.word
            if word.many or " " not in word.text.strip():
                yield item
                continue
            for one in self._words(word.text, word.start, word.end):
                yield CommandItem(one, item.branch)

    def _display(
        self,
        node: ast.List | ast.Tuple,
        state: Mapping[str, tuple[Items, ...]],
        scope: tuple[int, ...],
        depth: int,
    ) -> tuple[Items, ...]:
        """The lists that one which is written out may be."""
        found: tuple[Items, ...] = ((),)
        for one in node.elts[:MAX_WORDS]:
            if isinstance(one, ast.Starred):
                inner = self.lists(one.value, state, scope, depth=depth)
                more = (self.unknown(one),) if inner is None or len(inner) > 1 else inner
            else:
                more = (tuple(self._word(one, scope)),)
            if sum(map(len, found)) + len(more[0]) > MAX_WORDS * len(found):
                break
            found = tuple((*items, *more[0]) for items in found)
        return found

    def _sum(
        self,
        node: ast.BinOp,
        state: Mapping[str, tuple[Items, ...]],
        scope: tuple[int, ...],
        depth: int,
        *,
        adds: bool,
    ) -> tuple[Items, ...] | None:
        if is_text(node) or is_text(node.right):
            return self._shell(node, scope, adds=adds) if is_text(node) else None
        both = [self.lists(one, state, scope, depth=depth) for one in (node.left, node.right)]
        if both[0] is None and both[1] is None:
            return None
        left, right = (
            (self.unknown(one),) if found is None else found
            for found, one in zip(both, (node.left, node.right), strict=True)
        )
        pairs = ((*one, *other)[:MAX_WORDS] for one in left for other in right)
        return tuple(pairs)[:MAX_ALTERNATIVES]

    def _called(
        self,
        node: ast.Call,
        state: Mapping[str, tuple[Items, ...]],
        scope: tuple[int, ...],
        depth: int,
    ) -> tuple[Items, ...] | None:
        """The list that a call gives back."""
        name = last_name(node.func)
        if name in ("list", "tuple") and len(node.args) == 1:
            return self.lists(node.args[0], state, scope, depth=depth)
        if isinstance(node.func, ast.Attribute) and not node.args and name in ("copy", "split"):
            return self.lists(node.func.value, state, scope, depth=depth)
        if name == "split" and len(node.args) == 1 and getattr(node.func, "value", None):
            inner = node.args[0]
            return self._shell(inner, scope) if self._text(inner, scope, depth) else None
        if name == "join" and len(node.args) == 1 and isinstance(node.func, ast.Attribute):
            found = self.lists(node.args[0], state, scope, depth=depth)
            return None if found is None else tuple(tuple(self.divided(one)) for one in found)
        return None

    def _word(self, node: ast.expr, scope: tuple[int, ...]) -> Iterator[CommandItem]:
        """The word that an item of a list is."""
        text = self._text(node, scope, _MAX_DEPTH)
        span = self._program.span_of(node)
        value, is_open = text or (OPEN, True)
        start, end = span.start, span.end
        inner = self._inside(node, value) if not is_open else None
        if inner is not None:
            start, end = inner
        # Which option a word is that begins with what is not known, or whether it is one, is not known either.
        option = value.partition("=")[0]
        many = is_open and value.startswith("-") and "$" in option
        yield CommandItem(ExpandedWord(OPEN if many else value, start, end, is_open, many))

    def _inside(self, node: ast.expr, value: str) -> tuple[int, int] | None:
        """Where a literal has its text, if that is written as it is."""
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or not value:
            return None
        span = self._program.span_of(node)
        written = self._program.written(span.start, span.end)
        match = _QUOTED.match(written)
        begin = match.end() if match is not None else 0
        if written[begin : begin + len(value)] != value or len(written) > len(value) + 8:
            return None
        return span.start + begin, span.start + begin + len(value)

    def _shell(
        self, node: ast.expr, scope: tuple[int, ...], *, adds: bool = False
    ) -> tuple[Items, ...] | None:
        """The words that a shell makes of a text; None for what is no command of several."""
        text = self._text(node, scope, _MAX_DEPTH)
        if text is None or not (adds or " " in text[0].strip()):
            return None
        span = self._program.span_of(node)
        return (tuple(map(CommandItem, self._words(text[0], span.start, span.end))),)

    def _words(self, text: str, start: int, end: int) -> list[ExpandedWord]:
        """The words of a shell's text, each where a part of the program has it.

        Of several commands the longest counts: what is before it prepares it.
        """
        script = shell_words.read(text)
        variables = ShellVariables(script, text)
        commands = [variables.expanded(one) for one in script.statements[:20]]
        words = max(commands, key=len, default=[])
        at, found = start, []
        for word in words[:MAX_WORDS]:
            literal = word.text.partition("$")[0].rstrip()
            place = self._find(literal, at, end) if literal else -1
            if place < 0:
                found.append(word._replace(start=at, end=at + 1, origin=None))
                continue
            at = place + len(literal)
            found.append(word._replace(start=place, end=at, origin=None))
        return found

    def _find(self, text: str, start: int, end: int) -> int:
        """Where the file has a text, a little behind a place."""
        last = min(end, start + _NEAR + len(text))
        if last <= start:
            return -1
        place = self._program.written(start, last).find(text)
        return place if place < 0 else start + place

    def _text(self, node: ast.expr, scope: tuple[int, ...], depth: int) -> tuple[str, bool] | None:
        """(the text that an expression is, whether a part of it is not known); None if nothing of it is known to be a text."""
        self._steps += 1
        if depth == 0 or self._steps > _MAX_STEPS:
            return None
        depth -= 1
        if isinstance(node, ast.Constant):
            value = node.value
            if isinstance(value, bool) or not isinstance(value, (str, int, float)):
                return None
            return (str(value), False) if len(str(value)) <= _MAX_TEXT else None
        if isinstance(node, ast.JoinedStr):
            return self._joined(node, scope, depth)
        if isinstance(node, ast.Name):
            value = self._names.value_in(node, scope, node.lineno)
            if isinstance(value, bool) or not isinstance(value, (str, int, float)):
                held = self._names.held(node.id, scope, node.lineno)
                return None if held is None else self._text(held, scope, min(depth, 4))
            return str(value), False
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Div)):
            return self._put_together(node, scope, depth)
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            last = self._text(node.values[-1], scope, depth)
            return None if last is None else (last[0], True)
        if isinstance(node, ast.Attribute):
            is_python = (last_name(node.value), node.attr) == _PYTHON
            return ("python", False) if is_python else None
        return self._text_called(node, scope, depth) if isinstance(node, ast.Call) else None

    def _text_called(
        self, node: ast.Call, scope: tuple[int, ...], depth: int
    ) -> tuple[str, bool] | None:
        """The text that a call gives back."""
        name = last_name(node.func)
        if name in _SAME and len(node.args) == 1:
            return self._text(node.args[0], scope, depth)
        if isinstance(node.func, ast.Attribute) and name in _SAME_METHODS and not node.args:
            return self._text(node.func.value, scope, depth)
        if name == "join" and len(node.args) > 1:
            parts = [self._text(one, scope, depth) or (OPEN, True) for one in node.args[:20]]
            return "/".join(part for part, _ in parts), any(is_open for _, is_open in parts)
        return None

    def _put_together(
        self, node: ast.BinOp, scope: tuple[int, ...], depth: int
    ) -> tuple[str, bool] | None:
        """A text of two; a path, where they are divided."""
        left, right = (self._text(one, scope, depth) for one in (node.left, node.right))
        if left is None and right is None:
            return None
        between = "/" if isinstance(node.op, ast.Div) else ""
        (first, first_open), (second, second_open) = left or (OPEN, True), right or (OPEN, True)
        text = first + between + second
        return (text, first_open or second_open) if len(text) <= _MAX_TEXT else None

    def _joined(
        self, node: ast.JoinedStr, scope: tuple[int, ...], depth: int
    ) -> tuple[str, bool] | None:
        """An f-string, with a variable of a shell in place of what is not known."""
        parts, is_open = [], False
        for part in node.values[:MAX_WORDS]:
            if isinstance(part, ast.FormattedValue):
                plain = part.conversion == -1 and part.format_spec is None
                known = self._text(part.value, scope, min(depth, 4)) if plain else None
                text, unknown = known if known is not None else ("${1}", True)
            else:
                text, unknown = self._text(part, scope, 1) or ("", True)
            parts.append(text)
            is_open = is_open or unknown
        whole = "".join(parts)
        return (whole, is_open) if len(whole) <= _MAX_TEXT else None


def is_text(node: ast.expr) -> bool:
    """Whether an expression is a text that is written out, or several."""
    for _ in range(_MAX_DEPTH):
        if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)):
            break
        node = node.left
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def plain_name(node: ast.expr) -> str:
    """A plain name, or an attribute of one; empty for anything else."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""
