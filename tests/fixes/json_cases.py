"""Random JSON texts in random layouts, random actions, and what the actions do to plain data."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from cfglint.fixes.actions import (
    Action,
    AppendItem,
    DeleteKey,
    MoveKey,
    RenameKey,
    RewriteScalar,
    SetValue,
)

NAMES = st.sampled_from(["a", "b", "stage", "x y", 'q"', "é", "", "\\", "zero_optimization", "//"])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8"), max_size=6)
    | st.sampled_from(["auto", "// no comment", "# none", "a, b", "}", '"', "\u2028", "\x85"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)


class Writer:
    """Writes an object in a layout that is drawn: spaces, tabs, breaks, comments, commas."""

    def __init__(self, draw: Any, *, comments: bool) -> None:
        self.draw = draw
        self.newline: str = draw(st.sampled_from(["\n", "\r\n", "\n", "\r"]))
        self.unit: str = draw(st.sampled_from(["  ", "    ", "\t", " "]))
        self.colon: str = draw(st.sampled_from([": ", ":", " : ", ":\t"]))
        self.wild = draw(st.booleans())
        self.comments = comments
        self.ascii = draw(st.booleans())

    def text(self, value: Any) -> str:
        tail: str = self.draw(st.sampled_from(["", self.newline, self.newline * 2]))
        head: str = self.draw(st.sampled_from(["", "", self.newline, "  "]))
        return head + self.write(value, "") + tail

    def write(self, value: Any, indent: str) -> str:
        if not isinstance(value, (dict, list)):
            return json.dumps(value, ensure_ascii=self.ascii)
        pairs = value.items() if isinstance(value, dict) else ((None, item) for item in value)
        layout = self.draw(st.sampled_from(["one line", "lines", "lines", "wild"]))
        if layout == "wild" and not self.wild:
            layout = "lines"
        deeper = indent + self.unit
        parts: list[str] = []
        for key, item in pairs:
            written = self.write(item, deeper if layout != "one line" else indent)
            if key is not None:
                name = json.dumps(key, ensure_ascii=self.ascii)
                written = name + (self.gap() if layout == "wild" else self.colon) + written
            parts.append(written)
        opener, closer = "{}" if isinstance(value, dict) else "[]"
        if not parts:
            inside: str = self.draw(st.sampled_from(["", "", " ", self.newline + indent]))
            return opener + inside + closer
        if layout == "one line":
            comma: str = self.draw(st.sampled_from([", ", ",", " , "]))
            pad: str = self.draw(st.sampled_from(["", "", " "]))
            return opener + pad + comma.join(parts) + pad + closer
        out = opener
        for number, part in enumerate(parts):
            mark = "," if number < len(parts) - 1 else ""
            if layout == "wild":
                out += self.blank(deeper) + part + self.blank(deeper) + mark
            else:
                out += self.newline + deeper + part + mark + self.note()
        return out + (self.blank(indent) if layout == "wild" else self.newline + indent) + closer

    def gap(self) -> str:
        return str(self.draw(st.sampled_from([":", " : ", ":\t", f":{self.newline} "])))

    def blank(self, indent: str) -> str:
        choices = ["", " ", self.newline + indent, self.newline * 2 + indent, "\t"]
        if self.comments:
            choices += ["/* c */", f" // c{self.newline}", f"{self.newline}# c{self.newline}"]
        return str(self.draw(st.sampled_from(choices)))

    def note(self) -> str:
        if not self.comments:
            return ""
        choices = ["", "", " // note", " /* note */", f"{self.newline}  // above"]
        return str(self.draw(st.sampled_from(choices)))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every path below a value with what it holds."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in pairs:
        yield (*path, key), item
        if isinstance(item, (dict, list)):
            yield from places(item, (*path, key))


@st.composite
def edits(draw: Any, value: dict[str, Any]) -> tuple[Action, Any] | None:
    """An action, and the value that it should give; None when the draw makes no sense."""
    known = list(places(value))
    kind = draw(st.sampled_from(["set", "insert", "delete", "rename", "append", "move", "rewrite"]))
    if kind == "insert" or not known:
        parents = [((), value), *(pair for pair in known if isinstance(pair[1], dict))]
        path, held = draw(st.sampled_from(parents))
        names = [draw(NAMES)] + (["made"] if draw(st.booleans()) else [])
        if names[0] in held:
            return None
        new = draw(VALUES)
        after = copy.deepcopy(value)
        parent = at(after, path)
        parent[names[0]] = {names[1]: new} if len(names) > 1 else new
        return SetValue((*path, *names), new), after
    path, held = draw(st.sampled_from(known))
    after = copy.deepcopy(value)
    parent, last = at(after, path[:-1]), path[-1]
    if kind == "set":
        parent[last] = new = draw(VALUES)
        return SetValue(path, new), after
    if kind == "delete":
        del parent[last]
        return DeleteKey(path), after
    if kind == "rewrite":
        if isinstance(held, (dict, list)):
            return None
        parent[last] = 1e-5
        return RewriteScalar(path, "1e-05"), after
    if kind == "append":
        if not isinstance(held, list):
            return None
        new = draw(VALUES)
        parent[last].append(new)
        return AppendItem(path, new), after
    if isinstance(last, int):
        return None
    name = draw(NAMES)
    if kind == "rename":
        if name in parent:
            return None
        pairs = [(name if key == last else key, item) for key, item in parent.items()]
        parent.clear()
        parent.update(pairs)
        return RenameKey(path, name), after
    targets = [((), value), *(pair for pair in known if isinstance(pair[1], dict))]
    target, receiver = draw(st.sampled_from(targets))
    if target[: len(path)] == path or name in receiver or target == path[:-1]:
        return None
    at(after, target)[name] = held
    del parent[last]
    return MoveKey(path, (*target, name)), after


def at(value: Any, path: tuple[Any, ...]) -> Any:
    """What stands at a path."""
    for part in path:
        value = value[part]
    return value


def same(left: Any, right: Any) -> bool:
    """Deep equality with types, key order, and the sign of zero."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, float):
        return (math.isnan(left) and math.isnan(right)) or repr(left) == repr(right)
    return bool(left == right)
