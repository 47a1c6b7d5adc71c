"""A second opinion on a fixed file, from a parser that shares no code with ours.

ruamel.yaml reads a file's structure and comments by itself. It takes some scalars for other
values than PyYAML, so only the text of scalars is compared, never what they mean.
"""

from __future__ import annotations

from functools import lru_cache

from cfglint.base.type_names import Any
from cfglint.source.comments import find_comments
from cfglint.source.document import Document, Mapping, Node, Scalar, Sequence


def second_reading(before: Document, after: Document) -> str | None:
    """Why ruamel.yaml disagrees about a fixed file; None when it agrees.

    What it cannot read, or read differently, before the fix is not an argument against the fix.
    """
    known = _agrees(before)
    if known is None:
        return None
    comments = _agrees(after)
    if comments is None:
        return "ruamel.yaml reads the result differently"
    if known and not comments:
        return "ruamel.yaml finds other comments in the result"
    return None


@lru_cache(maxsize=2)
def _agrees(document: Document) -> bool | None:
    """Whether ruamel.yaml sees as many comments as we do; None when it sees another structure."""
    from ruamel.yaml.error import YAMLError

    text = document.text
    try:
        if not _same(_loader().compose(text), document.root):
            return None
        return _count_comments(text) == len(find_comments(text, pure=True))
    except (YAMLError, NotImplementedError, AttributeError, ValueError):
        return None


def _loader() -> Any:
    from ruamel.yaml import YAML

    loader = YAML()
    loader.version = (1, 1)
    loader.allow_duplicate_keys = True
    return loader


def _same(theirs: Any, ours: Node) -> bool:
    """Whether two node trees have the same keys in the same order and the same scalar texts."""
    from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode

    ours = ours.target()
    if isinstance(theirs, ScalarNode):
        return isinstance(ours, Scalar) and theirs.value == ours.text
    if isinstance(theirs, SequenceNode):
        return (
            isinstance(ours, Sequence)
            and len(theirs.value) == len(ours.items)
            and all(_same(one, two) for one, two in zip(theirs.value, ours.items, strict=True))
        )
    return (
        isinstance(theirs, MappingNode)
        and isinstance(ours, Mapping)
        and len(theirs.value) == len(ours.entries)
        and all(
            _same(key, entry.key) and _same(value, entry.value)
            for (key, value), entry in zip(theirs.value, ours.entries, strict=True)
        )
    )


def _count_comments(text: str) -> int:
    """How many comments ruamel.yaml attaches to its tokens."""
    seen: dict[int, str] = {}
    plain = 0
    for token in _loader().scan(text):
        waiting: list[Any] = [getattr(token, "_comment", None)]
        while waiting:
            part = waiting.pop()
            if isinstance(part, (list, tuple)):
                waiting.extend(part)
            elif isinstance(part, str):
                plain += part.lstrip().startswith("#")
            elif part is not None:
                # The same comment may hang on two tokens.
                seen[part.start_mark.index] = part.value
    lines = (line for value in seen.values() for line in value.splitlines())
    return plain + sum(line.lstrip().startswith("#") for line in lines)
