"""Every regular expression in the package, tried on texts made to hurt it.

The texts follow from the pattern itself: what each of its repeats takes, many times over, behind
what comes before it, and with an end that fits nothing.
"""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from cfglint.base.regex_trees import REPEATS, constants, parse

SOURCES = Path(__file__).resolve().parents[2] / "src" / "cfglint"
#: Where the first argument is a pattern.
_MAKERS = {"compile", "findall", "finditer", "fullmatch", "lazy_pattern", "match", "search"}
_MAKERS |= {"split", "sub", "subn"}
_METHODS = {"findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn"}
#: Sizes of the texts, in characters; larger ones are tried while that takes no time.
SIZES = (25, 100, 400, 1_600, 6_400)
#: A pattern that takes less is not examined further, in seconds.
LIMIT = 0.005
#: The same for texts below `_LARGE`, in which a limited repeat (`{1,300}`) may be as long as any.
_AT_ONCE = 0.05
_LARGE = 1_600
#: Four times the text may take so many times as long.
_RATIO = 8
#: A text of these sizes that takes so long needs no second measurement, in seconds.
_HOPELESS = 1
#: How often a pattern has to exceed the ratio.
_ROUNDS = 5
#: Modules that read only what cfglint itself ships, or what has a limited length.
_OWN_TEXTS = (
    *("knowledge/compiling/", "engine/authoring/selftest.py", "knowledge/rules/example_marks.py"),
    "report/prose.py",  # texts of rules, whose length is limited
    # Lines of at most 1,000 or 2,000 characters.
    *("environment/project/readers/conda.py", "environment/project/readers/conda_locks.py"),
)


class Found(NamedTuple):
    """A pattern of the package."""

    path: str
    line: int
    pattern: str
    flags: int
    #: Whether it is matched at one place of a text only.
    anchored: bool


class Slow(NamedTuple):
    """A pattern with a text that takes it long."""

    found: Found
    start: str
    pump: str
    #: Of the text, in characters.
    size: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.found.path}:{self.found.line}: {self.found.pattern!r} takes {self.seconds:.3f} s "
            f"for {self.size:,} characters of {self.start!r} + {self.pump!r} + …"
        )


def patterns() -> list[Found]:
    """The patterns in the sources of the package that read what others wrote."""
    return [
        found
        for path in sorted(SOURCES.rglob("*.py"))
        if "_compiled" not in path.parts
        and not path.relative_to(SOURCES).as_posix().startswith(_OWN_TEXTS)
        for found in _patterns_in(path)
    ]


def _patterns_in(path: Path) -> Iterator[Found]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    constants_of = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    used: dict[str, set[str]] = {}
    names: dict[int, str] = {}
    #: Of `re.compile(…).match`: the method.
    at_once: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            used.setdefault(node.value.id, set()).add(node.attr)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call):
            at_once[id(node.value)] = node.attr
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            names[id(node.value)] = node.targets[0].id
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        maker = ast.unparse(node.func)
        own = maker.removeprefix("re.")
        if own not in _MAKERS or (own == maker and own != "lazy_pattern"):
            continue
        text = _text(node.args[0], constants_of)
        if text is None:
            continue
        if id(node) in at_once:
            own = at_once[id(node)]
        methods = used.get(names.get(id(node), ""), set()) & _METHODS
        methods = methods or ({own} & _METHODS) or {"search"}
        yield Found(
            path.relative_to(SOURCES).as_posix(),
            node.lineno,
            text,
            _flags(node),
            methods <= {"match", "fullmatch"},
        )


def _text(node: ast.expr, known: dict[str, ast.expr], depth: int = 0) -> str | None:
    """The text of a constant expression; a part that is not known stands for `x`."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name) and node.id in known and depth < 5:
        return _text(known[node.id], known, depth + 1)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = (_text(part, known, depth + 1) for part in (node.left, node.right))
        return None if left is None or right is None else left + right
    if isinstance(node, ast.JoinedStr):
        parts = [
            _text(part.value if isinstance(part, ast.FormattedValue) else part, known, depth + 1)
            for part in node.values
        ]
        return "".join("x" if part is None else part for part in parts)
    return None


def _flags(node: ast.Call) -> int:
    written = " ".join(
        ast.unparse(part) for part in (*node.args[1:], *(one.value for one in node.keywords))
    )
    return sum(int(getattr(re, name)) for name in set(re.findall(r"\bre\.([A-Z]+)\b", written)))


def texts(pattern: str, flags: int) -> list[tuple[str, str]]:
    """(start, what to repeat) of the texts that may hurt a pattern."""
    tree = parse(pattern, flags)
    whole = _sample(tree)
    pumps: dict[tuple[str, str], None] = {}
    for before, body in _repeats(tree, ""):
        pump = _sample(body) or "a"
        for start in ("", before):
            pumps[start, pump] = None
            pumps[start, before + pump] = None
            pumps[start, pump + " "] = None
    literals = {chr(code) for code in _literals(tree)}
    for pump in (whole, whole[:-1], *sorted(literals), *"a1 \t\n_-./\"'(["):
        if pump:
            pumps["", pump] = None
            pumps[whole[:-1], pump] = None
    return list(pumps)


def _repeats(tree: Any, before: str) -> Iterator[tuple[str, Any]]:
    """(a text for what is before it, the body) of each repeat."""
    for code, argument in tree:
        if code in REPEATS:
            if argument[1] is constants.MAXREPEAT or argument[1] > 20:
                yield before, argument[2]
            yield from _repeats(argument[2], before)
        elif code is constants.SUBPATTERN:
            yield from _repeats(argument[-1], before)
        elif code is constants.BRANCH:
            for branch in argument[1]:
                yield from _repeats(branch, before)
        before += _sample([(code, argument)])


def _literals(tree: Any) -> Iterator[int]:
    for code, argument in tree:
        if code is constants.LITERAL:
            yield argument
        elif code in REPEATS:
            yield from _literals(argument[2])
        elif code is constants.SUBPATTERN:
            yield from _literals(argument[-1])
        elif code is constants.BRANCH:
            for branch in argument[1]:
                yield from _literals(branch)


def _sample(tree: Any) -> str:
    """A short text that a part of a pattern takes, or nearly."""
    return "".join(_sample_of(code, argument) for code, argument in tree)


def _sample_of(code: Any, argument: Any) -> str:
    if code is constants.LITERAL:
        return chr(argument)
    if code in (constants.ANY, constants.NOT_LITERAL):
        return "a" if argument != ord("a") else "b"
    if code is constants.IN:
        return _member(argument)
    if code in REPEATS:
        return _sample(argument[2]) * max(1, min(int(argument[0]), 40))
    if code is constants.SUBPATTERN:
        return _sample(argument[-1])
    if code is constants.BRANCH:
        return max(map(_sample, argument[1]), key=len)
    return ""


@lru_cache(maxsize=1)
def _candidates() -> str:
    return "a1 _-./\t\"'" + "".join(map(chr, range(33, 127)))


def _member(members: Any) -> str:
    """A character of a class."""
    if members[0] == (constants.NEGATE, None):
        taken = {chr(value) for code, value in members[1:] if code is constants.LITERAL}
        return next(one for one in _candidates() if one not in taken)
    code, value = members[0]
    if code is constants.LITERAL:
        return chr(value)
    if code is constants.RANGE:
        return chr(value[0])
    name = str(value)
    return "1" if "DIGIT" in name else " " if "SPACE" in name else "a"


def slow(found: Found) -> Slow | None:
    """The first text that takes a pattern longer than its size explains."""
    compiled = re.compile(found.pattern, found.flags)

    def seconds(size: int, start: str, pump: str, end: str) -> float:
        return _seconds(compiled, start + pump * (size // len(pump)) + end, found.anchored)

    for start, pump in texts(found.pattern, found.flags):
        for end in ("\0!", "\n"):
            for size in SIZES:
                limit = LIMIT if size >= _LARGE else _AT_ONCE
                needed = seconds(size, start, pump, end)
                if needed < limit:
                    continue
                if needed > _HOPELESS:
                    return Slow(found, start, pump, size, needed)
                # Again: the machine may have been busy.
                for _ in range(_ROUNDS):
                    needed = seconds(size, start, pump, end)
                    if needed <= max(limit, _RATIO * seconds(size // 4, start, pump, end)):
                        break
                else:
                    return Slow(found, start, pump, size, needed)
    return None


def _seconds(compiled: re.Pattern[str], text: str, anchored: bool) -> float:
    started = time.process_time()
    if anchored:
        compiled.match(text)
    else:
        for _ in compiled.finditer(text):
            pass
    return time.process_time() - started
