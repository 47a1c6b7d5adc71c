"""Plain Python data from a positioned document, as `yaml.safe_load` builds it."""

from __future__ import annotations

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import Any
from cfglint.source.document import Mapping, Node, Scalar, Sequence

_PAIRS = ("tag:yaml.org,2002:omap", "tag:yaml.org,2002:pairs")


class Unexpanded(str):
    """A text of which a part is not known before a script runs."""

    __slots__ = ()


class Interpolation(Unexpanded):
    """A text that a program replaces by the value of another key."""

    __slots__ = ()


def to_python(node: Node) -> Any:
    """The value of a node. Aliased nodes give the same object each time, as PyYAML does."""
    return _build(node, {})


def _build(node: Node, seen: dict[int, Any]) -> Any:
    node = node.target()
    if isinstance(node, Scalar):
        return node.value
    known = seen.get(id(node))
    if known is not None:
        return known
    if isinstance(node, Sequence):
        items: list[Any] = []
        seen[id(node)] = items
        if node.tag in _PAIRS:
            # `!!omap` and `!!pairs` have one mapping of one key per item, whatever its tag.
            for item in node.items:
                pair = item.target()
                if isinstance(pair, Mapping):
                    for entry in pair.flattened():
                        items.append((_build(entry.key, seen), _build(entry.value, seen)))
            return items
        items.extend(_build(item, seen) for item in node.items)
        return items
    assert isinstance(node, Mapping)
    if node.tag == "tag:yaml.org,2002:set":
        members = {_build(entry.key, seen) for entry in node.flattened()}
        seen[id(node)] = members
        return members
    table: dict[Any, Any] = {}
    seen[id(node)] = table
    for entry in node.flattened():
        table[_build(entry.key, seen)] = _build(entry.value, seen)
    return table


#: Words in the place of a value that the command line gives.
_STAND_INS = frozenset({"dummy", "placeholder", "tbd", "todo"})


def same(left: Any, right: Any) -> bool:
    """Equality that distinguishes types, respects the order of keys, and treats two NaN as equal."""
    if type(left) is not type(right):
        return False
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return (
            len(left) == len(right)
            and all(map(same, left, right))
            and all(map(same, left.values(), right.values()))
        )
    return bool(left == right) or (left != left and right != right)


def copied(value: Any) -> Any:
    """A value whose mappings and lists may be changed; what they hold besides is the same."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value


def is_placeholder(text: str) -> bool:
    """Whether a text is a placeholder: `dummy`, or a variable that a script or a template fills in.

    A variable is `$name`, `${name}`, `${section.name}` or `{{ name }}`.
    """
    if text.lower() in _STAND_INS:
        return True
    if text.startswith("{{") and text.endswith("}}"):
        name = text[2:-2].strip()
    else:
        name = text[2:-1] if text[:2] == "${" and text[-1:] == "}" else text[1:]
        name = name if text[:1] == "$" else ""
    return all(part.isidentifier() for part in name.split("."))


def is_known(node: Node) -> bool:
    """Whether nothing of a value is left open."""
    value = node.target()
    if isinstance(value, Mapping):
        return all(is_known(one.value) for one in value.entries)
    if isinstance(value, Sequence):
        return all(map(is_known, value.items))
    return not (isinstance(value, Scalar) and value.value is UNKNOWN)
