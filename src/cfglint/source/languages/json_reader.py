"""JSON text to a positioned document.

Python's `json` decides what is valid and what a value is: it decodes the strings, and it reads
the whole (repaired) text once more. What it refuses but has one evident repair is recorded along with
the tree, so that all of it is found at once; anything else is a `SourceError`.
"""

from __future__ import annotations

import json
import re

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Any
from cfglint.source.document import Entry, Mapping, Node, Scalar, Sequence
from cfglint.source.json_problems import JsonProblemKind, SourceProblem
from cfglint.source.languages.json_errors import (
    after_the_end,
    bad_escape,
    hint,
    no_colon,
    no_json,
    no_value,
    not_ended,
    syntax,
    unclosed,
)
from cfglint.source.languages.json_repairs import (
    MAX_INTEGER_CHARS,
    as_number,
    in_double_quotes,
    is_printable,
)
from cfglint.source.languages.json_scanner import BREAK, Scanner
from cfglint.source.problems import ProblemKind, SourceError
from cfglint.source.text import Span

# Public by name only in the standard library's source; its own decoder is built on it.
_scan_string: Any = json.decoder.scanstring  # type: ignore[attr-defined]

# The tags that YAML has for the same values, so that a rule need not ask for the language.
STR = "tag:yaml.org,2002:str"
INT = "tag:yaml.org,2002:int"
FLOAT = "tag:yaml.org,2002:float"
BOOL = "tag:yaml.org,2002:bool"
NULL = "tag:yaml.org,2002:null"

_WORDS: dict[str, tuple[str, Any]] = {
    "true": (BOOL, True),
    "false": (BOOL, False),
    "null": (NULL, None),
    "NaN": (FLOAT, float("nan")),
    "Infinity": (FLOAT, float("inf")),
    "-Infinity": (FLOAT, float("-inf")),
}
#: The characters that open and close collections, one of them by itself.
_OPENING = frozenset("{[")
_CLOSING = frozenset("}]")
_FINITE = frozenset({"true", "false", "null"})
#: What other languages write, in lower case, with what JSON writes.
_FOREIGN = {"true": "true", "false": "false", "none": "null", "null": "null"}
#: Words that may be meant as a value or as text.
_AMBIGUOUS = frozenset({"yes", "no", "on", "off", "nan", "inf", "infinity", "nil", "undefined"})

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?").match
#: The characters that a number or a word runs on with.
_BARE = re.compile(r"[^\s{}\[\],:\"'/#]*").match


_NAME = lazy_pattern(r"[A-Za-z_$][\w$.-]*")
_KEY_AHEAD = lazy_pattern(
    r"""(?:"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'|[A-Za-z_$][\w$.-]*)[ \t]*:"""
)
_SINGLE_QUOTED = lazy_pattern(r"'((?:[^'\\\r\n]|\\.)*)'")
_IN_SINGLE_QUOTES = lazy_pattern(r"\\.|\"")
_DOUBLE_QUOTED = lazy_pattern(r'"(?:[^"\\\r\n]|\\[^\r\n])*"')
_CONTROL = lazy_pattern(r"[\x00-\x1f]")


def read_tree(text: str) -> tuple[Mapping, tuple[SourceProblem, ...]]:
    """The root object of a JSON text, and what Python would refuse though its repair is evident.

    Raises:
        SourceError: the text has no evident repair, has no object, or breaks a limit.
    """
    reader = _Reader(text)
    root = reader.read()
    if not isinstance(root, Mapping):
        kind = "a list" if isinstance(root, Sequence) else "one value"
        end = text.find("\n", root.start)
        span = Span(root.start, min(root.end, end) if end > root.start else root.end)
        raise SourceError(ProblemKind.ROOT_NOT_MAPPING, span, kind=kind)
    problems = tuple(sorted(reader.problems, key=lambda problem: problem.span))
    _confirm(text, root, problems)
    return root, problems


def repaired(text: str, problems: tuple[SourceProblem, ...]) -> str:
    """The text after all proposed edits."""
    parts: list[str] = []
    at = 0
    for start, end, new in sorted(edit for problem in problems for edit in problem.edits):
        parts += (text[at:start], new)
        at = end
    parts.append(text[at:])
    return "".join(parts)


def _confirm(text: str, root: Mapping, problems: tuple[SourceProblem, ...]) -> None:
    """Let Python read the text as repaired.

    Raises:
        SourceError: it refuses it, or reads other values than we did.
    """
    right = repaired(text, problems) if problems else text
    try:
        value = json.loads(right)
    except json.JSONDecodeError as error:
        at = min(error.pos, len(text)) if not problems else 0
        raise syntax(at, at, error.msg[:1].lower() + error.msg[1:]) from None
    except ValueError as error:
        raise syntax(0, 0, str(error)) from None
    if problems:
        from cfglint.source.values import same, to_python

        if not same(value, to_python(root)):
            raise syntax(0, 0, "its mistakes can be read in more than one way")


class _Reader(Scanner):
    """Goes through a text once, from left to right."""

    # ------------------------------------------------------------------ structure

    def read(self) -> Node:
        """The root value.

        Raises:
            SourceError: see `read_tree`.
        """
        text, size, skip, above = self.text, self.size, self.skip, self.above
        at = skip(0)
        if at >= size:
            raise SourceError(ProblemKind.EMPTY, Span(0, 0))
        # The collection that is being filled, its key that waits for a value, the last comma in
        # it that nothing follows yet, and whether a value has just ended.
        parent: Mapping | Sequence | None = None
        key: Scalar | None = None
        comma = -1
        ended = False
        node: Node
        while True:
            char = text[at] if at < size else ""
            if ended and parent is not None:
                if char == ",":
                    comma, ended = at, False
                    at = skip(at + 1)
                    continue
                if char not in _CLOSING:
                    self._missing_comma(parent, at)
                    ended = False
                    continue
            if char in _CLOSING and parent is not None and key is None:
                node = parent
                at = self.close(parent, at, comma)
                parent, key = above.pop()
            elif type(parent) is Mapping and key is None:
                if char == ",":
                    self.extra_comma(parent, at)
                    at = skip(at + 1)
                else:
                    key, at = self._key_with_colon(parent, at, char)
                continue
            elif char in _OPENING:
                opened = self.opened(at, char)
                above.append((parent, key))
                parent, key, comma = opened, None, -1
                at = skip(at + 1)
                continue
            else:
                node, at = self._scalar(parent, key, at, char)
            self.count(node)
            ended, comma = True, -1
            at = skip(at)
            if parent is None:
                if at < size:
                    raise after_the_end(text, at)
                return node
            _put(node, parent, key)
            key = None

    # ------------------------------------------------------------------ keys and values

    def _key_with_colon(self, parent: Mapping, at: int, char: str) -> tuple[Scalar, int]:
        """A key, and where its value begins."""
        key, at = self._key(parent, at, char)
        self.nodes += 1
        at = self.skip(at)
        if self.text[at : at + 1] == ":":
            return key, self.skip(at + 1)
        raise no_colon(key) if at < self.size else unclosed(self.text, parent, self.closed)

    def _key(self, parent: Mapping, at: int, char: str) -> tuple[Scalar, int]:
        if char == '"':
            return self._string(parent, None, at)
        if char == "'":
            return self._single_quoted(parent, None, at)
        match = _NAME.match(self.text, at)
        if match is None:
            if not char:
                raise unclosed(self.text, parent, self.closed)
            raise syntax(at, at + 1, f"expected a key in double quotes here{hint(char)}")
        word, end = match.group(), match.end()
        if self.text[end : end + 1] in ('"', "'"):
            # Only the opening quote is missing.
            end += 1
        path = (*self.path_of(parent, None), word)
        edits = ((at, end, json.dumps(word, ensure_ascii=False)),)
        self.note(JsonProblemKind.UNQUOTED_TEXT, at, end, path, edits, text=word, what="key")
        return Scalar(at, end, None, None, word, "", STR, word), end

    def _scalar(
        self, parent: Mapping | Sequence | None, key: Scalar | None, at: int, char: str
    ) -> tuple[Scalar, int]:
        if char == '"':
            return self._string(parent, key, at)
        text = self.text
        end = _BARE(text, at).end()  # type: ignore[union-attr]
        word = text[at:end]
        known = _WORDS.get(word)
        if known is not None:
            tag, value = known
            if word not in _FINITE:
                path = self.path_of(parent, key)
                self.note(JsonProblemKind.NON_FINITE, at, end, path, (), literal=word)
            return Scalar(at, end, None, None, word, "", tag, value), end
        match = _NUMBER(word)
        if match is not None and match.end() == len(word):
            if match.group(1) is not None or match.group(2) is not None:
                return Scalar(at, end, None, None, word, "", FLOAT, float(word)), end
            if len(word) > MAX_INTEGER_CHARS:
                raise syntax(at, end, f"a number of more than {MAX_INTEGER_CHARS} digits")
            return Scalar(at, end, None, None, word, "", INT, int(word)), end
        if char == "'":
            return self._single_quoted(parent, key, at)
        if not word:
            if not char and parent is not None and key is None:
                raise unclosed(self.text, parent, self.closed)
            raise no_value(parent, key, at, char)
        return self._odd_word(parent, key, at, word), end

    def _odd_word(
        self, parent: Mapping | Sequence | None, key: Scalar | None, at: int, word: str
    ) -> Scalar:
        """A value that is written as in Python, JavaScript or YAML."""
        end = at + len(word)
        path = self.path_of(parent, key)
        right = _FOREIGN.get(word.lower()) or as_number(word)
        if right is not None:
            tag, value = _WORDS.get(right) or (_number_tag(right), json.loads(right))
            number = tag in (INT, FLOAT)
            kind = JsonProblemKind.NUMBER_FORM if number else JsonProblemKind.LITERAL
            self.note(kind, at, end, path, ((at, end, right),), literal=word, right=right)
            return Scalar(at, end, None, None, word, "", tag, value)
        if word.lower() in _AMBIGUOUS or not _NAME.fullmatch(word):
            raise syntax(at, end, no_json(word))
        edits = ((at, end, json.dumps(word, ensure_ascii=False)),)
        self.note(JsonProblemKind.UNQUOTED_TEXT, at, end, path, edits, text=word, what="text")
        return Scalar(at, end, None, None, word, "", STR, word)

    def _string(
        self, parent: Mapping | Sequence | None, key: Scalar | None, at: int
    ) -> tuple[Scalar, int]:
        try:
            value, end = _scan_string(self.text, at + 1, True)
        except json.JSONDecodeError:
            value, end = self._odd_string(parent, key, at)
        return Scalar(at, end, None, None, value, '"', STR, value), end

    def _odd_string(
        self, parent: Mapping | Sequence | None, key: Scalar | None, at: int
    ) -> tuple[str, int]:
        """A string with control characters in it."""
        text = self.text
        match = _DOUBLE_QUOTED.match(text, at)
        if match is None:
            raise syntax(at, at + 1, 'this `"` is not closed on its line')
        end = match.end()
        try:
            value, _ = _scan_string(text, at + 1, False)
        except json.JSONDecodeError as error:
            raise bad_escape(text, error.pos) from None
        edits = tuple(
            (odd.start(), odd.end(), json.dumps(odd.group())[1:-1])
            for odd in _CONTROL.finditer(text, at, end)
        )
        path = self.path_of(parent, key)
        if type(parent) is Mapping and key is None:
            path = (*path, value)
        name = f"U+{ord(text[edits[0][0]]):04X}" if edits else ""
        first = edits[0][0]
        self.note(JsonProblemKind.RAW_CONTROL, first, first + 1, path, edits, character=name)
        return value, end

    def _single_quoted(
        self, parent: Mapping | Sequence | None, key: Scalar | None, at: int
    ) -> tuple[Scalar, int]:
        match = _SINGLE_QUOTED.match(self.text, at)
        if match is None:
            raise syntax(at, at + 1, "this `'` is not closed on its line")
        end = match.end()
        right = '"' + _IN_SINGLE_QUOTES.sub(in_double_quotes, match.group(1)) + '"'
        try:
            value, stop = _scan_string(right, 1, False)
        except json.JSONDecodeError:
            stop = -1
        if stop != len(right):
            raise syntax(at, end, "text in single quotes, with an escape that JSON does not know")
        right = json.dumps(value, ensure_ascii=not is_printable(value))
        path = self.path_of(parent, key)
        if type(parent) is Mapping and key is None:
            path = (*path, value)
        self.note(JsonProblemKind.SINGLE_QUOTES, at, end, path, ((at, end, right),), text=value)
        return Scalar(at, end, None, None, value, "'", STR, value), end

    # ------------------------------------------------------------------ slips

    def _missing_comma(self, parent: Mapping | Sequence, at: int) -> None:
        """Go on behind a value that no comma follows, if it is clear that one is missing.

        Raises:
            SourceError: it is not.
        """
        text = self.text
        if at >= self.size:
            raise unclosed(self.text, parent, self.closed)
        if type(parent) is Mapping:
            last = parent.entries[-1]
            end, name = last.value.end, last.label
            own_line = BREAK.search(text, end, at) is not None
            clear = _KEY_AHEAD.match(text, at) and (own_line or text[at] == '"')
        else:
            assert type(parent) is Sequence
            item = parent.items[-1]
            end, name = item.end, str(len(parent.items) - 1)
            own_line = BREAK.search(text, end, at) is not None
            clear = own_line and (text[at] in '"{[-' or text[at].isalnum())
        if not clear:
            raise not_ended(text, parent, at)
        path = self.path_of(parent, None)[: len(self.above) - 1]
        edits = ((end, end, ","),)
        self.note(JsonProblemKind.MISSING_COMMA, end - 1, end, path, edits, after=name)


def _put(node: Node, parent: Mapping | Sequence, key: Scalar | None) -> None:
    """Put a value into the collection that is being filled."""
    parent.size += node.size
    if type(node) is not Scalar and node.depth >= parent.depth:
        parent.depth = node.depth + 1
    if type(parent) is Sequence:
        parent.items.append(node)
    else:
        assert key is not None
        assert type(parent) is Mapping
        parent.size += 1
        parent.entries.append(Entry(key, node))


def _number_tag(literal: str) -> str:
    return FLOAT if any(sign in literal for sign in ".eE") else INT
