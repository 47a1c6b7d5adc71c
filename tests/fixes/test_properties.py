"""Random documents, random actions: the declared value comes out, or the action is refused."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from cfglint.fixes.actions import (
    Action,
    AppendItem,
    DeleteKey,
    MoveKey,
    RenameKey,
    SetValue,
)
from cfglint.fixes.applying import apply_edits
from cfglint.fixes.planning import plan
from cfglint.fixes.verification import verify
from cfglint.source.comments import find_comments
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import examples

NAMES = ("a", "b", "c", "'d'", '"e"', "long_key", "é")
SCALARS = (
    "1",
    "1e-5",
    "true",
    "no",
    "x",
    "two words",
    "'q # r'",
    '"d: \\n"',
    "~",
    "null",
    "a#b",
    "",
)
BLOCKS = ("|", "|-", ">", "|+", "| # header")
NEW_VALUES: tuple[Any, ...] = (
    None, True, 3, 1e-5, "x", "no", "a: b", "", "# x", [], {}, [1, "a, b"], {"k": ["v", {"w": 1}]},
    "line\nbreak", [[1], [2]],
)  # fmt: skip


@st.composite
def mappings(draw: st.DrawFn, depth: int = 0) -> list[str]:
    """The lines of a block mapping at column 0."""
    lines: list[str] = []
    step = " " * draw(st.sampled_from([1, 2, 2, 2, 4]))
    for name in draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True)):
        lines += draw(above)
        colon = draw(st.sampled_from([":", ":", " :"]))
        kind = draw(st.sampled_from(["scalar"] * 4 + ["flow", "block", "map", "list", "below"]))
        tail = draw(st.sampled_from(["", "", " # t", "  # t u", "  "]))
        if kind == "map" and depth < 2:
            lines += [f"{name}{colon}{tail}", *(step + line if line else line
                      for line in draw(mappings(depth + 1)))]  # fmt: skip
        elif kind == "list" and depth < 2:
            dash = draw(st.sampled_from(["", step]))
            lines.append(f"{name}{colon}{tail}")
            lines += [dash + line if line else line for line in draw(lists(depth + 1))]
        elif kind == "block":
            body = draw(st.sampled_from([["x"], ["x", "", "y # z"], ["x", ""], ["x: 1", "- y"]]))
            lines.append(f"{name}{colon} {draw(st.sampled_from(BLOCKS))}")
            lines += [step + line if line else line for line in body]
        elif kind == "flow":
            first, *rest = draw(flows)
            lines += [f"{name}{colon} {first}", *(step + line for line in rest)]
            lines[-1] += tail
        elif kind == "below":
            lines += [f"{name}{colon}{tail}", step + "below" + tail]
        else:
            lines.append(f"{name}{colon} {draw(st.sampled_from(SCALARS))}".rstrip() + tail)
    lines += draw(above)
    return lines


@st.composite
def lists(draw: st.DrawFn, depth: int) -> list[str]:
    """The lines of a block list at column 0."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        lines += draw(above)
        kind = draw(st.sampled_from(["scalar", "scalar", "map", "alone", "list", "flow"]))
        if kind in ("map", "list") and depth < 3:
            inner = draw(mappings(depth + 1) if kind == "map" else lists(depth + 1))
            while inner and (not inner[0].strip() or inner[0].lstrip().startswith("#")):
                del inner[0]
            lines += ["- " + inner[0], *("  " + line if line else line for line in inner[1:])]
        elif kind == "alone" and depth < 3:
            inner = draw(mappings(depth + 1))
            lines += ["-", *("  " + line if line else line for line in inner)]
        elif kind == "flow":
            first, *rest = draw(flows)
            lines += ["- " + first, *("  " + line for line in rest)]
        else:
            tail = draw(st.sampled_from(["", " # t"]))
            lines.append(f"- {draw(st.sampled_from(SCALARS))}".rstrip() + tail)
    return lines


above = st.lists(st.sampled_from(["", "# c", "# d", "  # deeper"]), max_size=2)
flows = st.sampled_from([
    ["{}"], ["[]"], ["[ ]"], ["[1, x]"], ["[x]"], ["{k: 1}"], ["{k: 1, l: [2], m: }"],
    ['{"k": 1, "l": "x"}'], ["[{k: 1}, {k: 2, l: 3}]"], ["[", "  1,", "  2", "]"],
    ["{", "  k: 1,", "  l: 2,", "}"], ["[1, # c", " 2]"], ["{k, l: 1}"], ["[a: 1, b]"],
    ["[1,", " 2,", "]"],
])  # fmt: skip


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A text that is one mapping."""
    text = draw(st.sampled_from(["\n", "\r\n"])).join(draw(mappings()))
    if draw(st.booleans()):
        text += "\r\n" if "\r\n" in text else "\n"
    try:
        assume(isinstance(yaml.safe_load(text), dict))
    except yaml.YAMLError:
        assume(False)
    return text


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    """Every path below a value, with what it holds."""
    if isinstance(data, dict):
        children = list(data.items())
    elif isinstance(data, list):
        children = list(enumerate(data))
    else:
        return []
    return [
        found
        for key, item in children
        for found in [((*path, key), item), *places(item, (*path, key))]
    ]


def same(left: Any, right: Any) -> bool:
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for part in path:
        data = data[part]
    return data


@st.composite
def edits(draw: st.DrawFn, data: Any) -> tuple[Action, Any]:
    """An action that makes sense for some data, and the data after it."""
    known = places(data)
    path, held = draw(st.sampled_from(known))
    assume(all(isinstance(part, (str, int)) for part in path))
    after = copy.deepcopy(data)
    parent = at(after, path[:-1])
    kind = draw(st.sampled_from(["set", "delete", "rename", "insert", "append", "move"]))
    value = draw(st.sampled_from(NEW_VALUES))
    name = draw(st.sampled_from(["new", "no", "x y"]))
    if kind == "set":
        parent[path[-1]] = copy.deepcopy(value)
        return SetValue(path, value), after
    if kind == "delete":
        del parent[path[-1]]
        return DeleteKey(path), after
    if kind == "append":
        if held is None:
            parent[path[-1]] = [value]
        else:
            assume(isinstance(held, list))
            parent[path[-1]].append(value)
        return AppendItem(path, value), after
    if kind == "insert":
        target = at(after, path) if isinstance(held, dict) else parent
        assume(isinstance(target, dict))
        target[name] = value
        return SetValue((*(path if isinstance(held, dict) else path[:-1]), name), value), after
    assume(isinstance(parent, dict))
    if kind == "rename":
        pairs = [(name if key == path[-1] else key, item) for key, item in parent.items()]
        parent.clear()
        parent.update(pairs)
        return RenameKey(path, name), after
    targets = [(), *(where for where, what in known if isinstance(what, dict))]
    new_path = (*draw(st.sampled_from(targets)), name)
    target = at(after, new_path[:-1])
    assume(target is not parent and new_path[: len(path)] != path)
    target[name] = parent.pop(path[-1])
    return MoveKey(path, new_path), after


@settings(max_examples=examples(120), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_action_does_what_it_says(data: st.DataObject) -> None:
    text = data.draw(documents())
    before = yaml.safe_load(text)
    action, intended = data.draw(edits(before))
    document = compose(SourceText.from_str(text))
    made = plan(document, (action,))
    if made.refused is not None:
        return
    result = apply_edits(text, made.edits)
    assert same(yaml.safe_load(result), intended), result
    old = Counter(each.text for each in find_comments(text, pure=True))
    new = Counter(each.text for each in find_comments(result, pure=True))
    assert new == old
    reason = verify(document, result, made.paths, edits=made.edits)
    assert reason is None, result


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_several_actions_do_what_they_say(data: st.DataObject) -> None:
    text = data.draw(documents())
    value = yaml.safe_load(text)
    actions = []
    for _ in range(data.draw(st.integers(2, 3))):
        if not places(value):
            break
        action, value = data.draw(edits(value))
        actions.append(action)
    document = compose(SourceText.from_str(text))
    made = plan(document, actions)
    if made.refused is not None:
        return
    result = apply_edits(text, made.edits)
    assert same(yaml.safe_load(result), value), result
    reason = verify(document, result, made.paths, edits=made.edits)
    assert reason is None, result
