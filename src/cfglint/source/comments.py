"""YAML's comments: text between the tokens that starts with `#`."""

from __future__ import annotations

from functools import lru_cache

import yaml
from yaml.tokens import ScalarToken

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Any
from cfglint.source.pure_loader import PureLoader
from cfglint.source.text import Comment, Span

# Besides CR and LF: the breaks of YAML 1.1 that the pure loader knows.
_COMMENT = lazy_pattern("#[^\r\n\x85\u2028\u2029]*")
_BREAK = lazy_pattern("[\r\n\x85\u2028\u2029]")
_C_LOADER: Any = getattr(yaml, "CSafeLoader", None)


def find_comments(text: str, *, pure: bool = False) -> list[Comment]:
    """All comments of a text that parses, in file order.

    Args:
        text: a YAML text that was read.
        pure: scan with the pure-Python loader; needed where that one read the document.

    Raises:
        yaml.YAMLError: the text does not parse.
    """
    return list(_found(text, pure)) if "#" in text else []


@lru_cache(maxsize=4)
def _found(text: str, pure: bool) -> tuple[Comment, ...]:
    # A fix asks several times for those of the file before and after it.
    loader = PureLoader if pure or _C_LOADER is None else _C_LOADER
    out: list[Comment] = []
    previous = 0
    for token in yaml.scan(text, Loader=loader):
        start = token.start_mark.index
        if start > previous:
            _scan_gap(text, previous, start, out)
        previous = token.end_mark.index
        if type(token) is ScalarToken and token.style in ("|", ">"):
            # The header line of a block scalar may carry a comment inside the token.
            header_end = _BREAK.search(text, start, previous)
            _scan_gap(text, start, header_end.start() if header_end else previous, out)
    _scan_gap(text, previous, len(text), out)
    return tuple(out)


def _scan_gap(text: str, start: int, end: int, out: list[Comment]) -> None:
    for match in _COMMENT.finditer(text, start, end):
        begin = match.start()
        line_start = max(text.rfind("\n", 0, begin), text.rfind("\r", 0, begin)) + 1
        out.append(
            Comment(Span(begin, match.end()), match.group(), not text[line_start:begin].strip())
        )
