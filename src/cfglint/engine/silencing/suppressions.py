"""Comments that silence findings: `# cfglint: ignore[CODE] reason` and `ignore-file[CODE]`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice, takewhile

from cfglint.base.lazy import lazy_pattern
from cfglint.checks.context import Hit
from cfglint.diagnostic import Diagnostic, Edit, Fix
from cfglint.engine.settings.selection import Selection
from cfglint.knowledge import compiled
from cfglint.knowledge.rules.knowledge import Knowledge, load_knowledge
from cfglint.knowledge.rules.rule import Rule
from cfglint.source.document import Document
from cfglint.source.text import Comment, SourceText, Span

_DIRECTIVE = re.compile(r"#\s*cfglint:\s*((?i:ignore-file|ignore))(?![\w-])\s*(?:\[([^\]]*)(\]?))?")
#: A comment with more codes is not read; there are not so many rules.
_MAX_CODES = 2_000
#: So many suppressions of a file are reported; more are not read.
_MAX_FINDINGS = 1_000
#: So many unknown codes of a file get a suggestion; finding one takes milliseconds.
_MAX_HINTS = 50
_MENTION = lazy_pattern(r"#\s*cfglint:\s*([\w-]*)")
#: A comment that is open behind one of its codes.
_BEGUN = lazy_pattern(
    r"""(?:^|[ \t])#[ \t]*cfglint:[ \t]*(?i:ignore-file|ignore)[ \t]*\[[\w ,-]*?(?P<code>[\w-]*)"""
)
_CODE_OR_NAME = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")


def begun_code(text: str, offset: int) -> int | None:
    """Where the code begins that is being written in a comment at an offset; None outside of one."""
    line = text[max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1 : offset]
    mark = line.rfind("#")
    if mark < 0 or len(line) - mark > _MAX_CODES:
        return None
    found = _BEGUN.fullmatch(line, max(mark - 1, 0))
    return offset - len(found["code"]) if found is not None else None


class _Suppression:
    """One code, prefix of codes, or name in one comment."""

    def __init__(
        self, written: str, code: str, span: Span, comment: Comment, line: int | None
    ) -> None:
        #: As it is in the comment.
        self.written = written
        #: A code or a prefix of codes, as which it may be meant.
        self.code = code
        #: The name as which it may be meant.
        self.name = written.lower()
        self.span = span
        self.comment = comment
        #: The line it refers to (from 1), None for the whole file.
        self.line = line
        self.used = False


class Suppressions:
    """The suppressions of one document."""

    def __init__(self, document: Document, renamed: Mapping[str, str]) -> None:
        self._renamed = renamed
        self._text = document.text
        #: Whether lines are joined, so that no comment can be above each of them.
        self._joins = document.language.structure == "words"
        self._all: list[_Suppression] = []
        #: Comment -> the number of suppressions in it. `_all` keeps the comments alive.
        self._in_comment: dict[int, int] = {}
        #: Line, and a prefix of codes or a name -> the suppressions that were not used so far.
        self._unused: dict[tuple[int | None, str], list[_Suppression]] = {}
        #: A line below a comment, and the line of the key that such comments refer to.
        self._run = (0, 0)
        #: What is not understood: its place, and what is wrong with it; None for what can be
        #: neither a code nor a name.
        self._malformed: list[tuple[Span, str | None]] = []

    @classmethod
    def read(cls, document: Document, renamed: Mapping[str, str]) -> Suppressions:
        """Find all suppressions in a document's comments.

        Args:
            renamed: codes that rules had, with those that they have now.
        """
        found = cls(document, renamed)
        comments = document.language.comments(document)
        own_lines = {
            document.source.position(comment.span.start).line
            for comment in comments
            if comment.own_line
        }
        for comment in comments:
            match = _DIRECTIVE.match(comment.text)
            if match is None:
                mention = _MENTION.match(comment.text)
                if mention is not None:
                    found._malformed.append((comment.span, _not_a_word(mention.group(1))))
                continue
            found._read_comment(comment, match, document.source, own_lines)
        return found

    def _read_comment(
        self, comment: Comment, match: re.Match[str], source: SourceText, own_lines: set[int]
    ) -> None:
        codes = match.group(2)
        problem = _no_codes(match)
        if problem is not None:
            self._malformed.append((comment.span, problem))
            return
        line: int | None = source.position(comment.span.start).line
        if match.group(1).lower() == "ignore-file":
            line = None
        elif comment.own_line:
            assert line is not None
            line = self._key_below(line + 1, source, own_lines)
        offset = comment.span.start + match.start(2)
        for part in re.finditer(r"[^,\s]+", codes):
            span = Span(offset + part.start(), offset + part.end())
            written = part.group()
            if _CODE_OR_NAME.fullmatch(written):
                code = self._renamed.get(written.upper(), written.upper())
                suppression = _Suppression(written, code, span, comment, line)
                self._all.append(suppression)
                count = self._in_comment.get(id(suppression.comment), 0)
                self._in_comment[id(suppression.comment)] = count + 1
                for label in (suppression.code, suppression.name):
                    self._unused.setdefault((line, label), []).append(suppression)
            else:
                self._malformed.append((span, None))

    def _key_below(self, line: int, source: SourceText, own_lines: set[int]) -> int:
        """The line of the key below comments; further comments may come between."""
        start, end = self._run
        if not start <= line <= end:
            last, end = source.line_count(), line
            while end < last and (end in own_lines or not source.line(end).strip()):
                end += 1
            self._run = (line, end)
        return end

    def cover(self, diagnostic: Diagnostic, source: SourceText) -> bool:
        """Whether a finding is silenced; remembers which suppressions were used."""
        if not self._all:
            return False
        covered = False
        lines: list[int | None] = [None]
        if diagnostic.file is None:
            # The lines of another file are not this one's.
            line = source.position(diagnostic.span.start).line
            lines += [line, source.joined_to(line)] if self._joins else [line]
        code = diagnostic.code
        labels = [diagnostic.name, *(code[:end] for end in range(1, len(code) + 1))]
        for place in lines:
            for label in labels:
                found = self._unused.get((place, label))
                if found is not None:
                    covered = True
                    for suppression in found:
                        suppression.used = True
                    found.clear()
        return covered

    def findings(self, knowledge: Knowledge, selection: Selection) -> Iterator[tuple[Rule, Hit]]:
        """Suppressions that silence nothing, and comments that are meant to be one; not all if there are very many."""
        return islice(self._findings(knowledge, selection), _MAX_FINDINGS)

    def _findings(self, knowledge: Knowledge, selection: Selection) -> Iterator[tuple[Rule, Hit]]:
        hints = 0

        def hint(written: str) -> str:
            from cfglint.engine.settings.selectors import meant

            nonlocal hints
            hints += 1
            return meant(written, knowledge) if hints <= _MAX_HINTS else ""

        unused = knowledge.named("unused-suppression")
        malformed = knowledge.named("malformed-suppression")
        if selection.has(malformed.code, malformed.name):
            for span, problem in self._malformed:
                if problem is None:
                    written = self._text[span.start : span.end]
                    problem = _no_rule(written, hint(written))
                yield malformed, Hit((), span, {"problem": problem})
        if not selection.has(unused.code, unused.name):
            return
        rules = _Labels(knowledge)
        #: Written -> whether it names a rule; None if its use cannot be decided.
        known: dict[str, bool | None] = {}
        for suppression in self._all:
            if suppression.used:
                continue
            written = suppression.written
            if written not in known:
                named = rules.named(suppression)
                # A rule that is switched off cannot tell whether its suppression is of use.
                open_ = not all(selection.has(code, name) for code, name in named)
                open_ = open_ or _speaks_of_other_files(written, bool(named), knowledge)
                known[written] = None if open_ else bool(named)
            if known[written] is None:
                continue
            problem = f"The suppression of {written} silences nothing."
            if not known[written]:
                problem = _no_rule(written, hint(written))
            fix = Fix("Remove the suppression", "safe", (self._removal(suppression),), (), True)
            yield unused, Hit((), suppression.span, {"problem": problem}, fixes=(fix,))

    def _removal(self, suppression: _Suppression) -> Edit:
        """The edit that takes one code out, with the whole comment when it is the only one."""
        comment = suppression.comment
        text = self._text
        if self._in_comment[id(comment)] > 1:
            start, end = suppression.span
            after = re.compile(r"\s*,\s*").match(text, end)
            if after:
                return Edit(start, after.end(), "")
            before = _without_blanks(text, start)
            if text[before - 1] == ",":
                start = _without_blanks(text, before - 1)
            return Edit(start, end, "")
        start, end = comment.span
        line_start = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        if comment.own_line:
            start = line_start
            if end < len(text):
                end += 2 if text.startswith("\r\n", end) else 1
            else:
                # The file goes on ending without a line break.
                start = len(text[:start].rstrip("\r\n"))
        else:
            while start > line_start and text[start - 1] in " \t":
                start -= 1
        return Edit(start, end, "")


class _Labels:
    """The rules by their codes and names."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._names = {name: code for code, name in knowledge.labels()}
        self._codes = sorted((code, name) for name, code in self._names.items())

    def named(self, suppression: _Suppression) -> list[tuple[str, str]]:
        """Codes and names of the rules that a suppression names."""
        prefix = suppression.code
        first = bisect_left(self._codes, (prefix,))
        found = list(
            takewhile(lambda label: label[0].startswith(prefix), islice(self._codes, first, None))
        )
        code = self._names.get(suppression.name)
        return found if code is None else [*found, (code, suppression.name)]


def _without_blanks(text: str, end: int) -> int:
    """Where the blanks before a place begin."""
    while text[end - 1].isspace():
        end -= 1
    return end


def _no_rule(written: str, hint: str) -> str:
    return f"`{written[:60]}` is not a rule{hint or '.'}"


def _not_a_word(word: str) -> str:
    """What is wrong with a comment for cfglint that has neither of the two known words."""
    if not word:
        return "the comment is empty."
    return f"`{word[:60]}` is neither `ignore` nor `ignore-file`."


def _no_codes(match: re.Match[str]) -> str | None:
    """Why a suppression does not name rules; None if it names some."""
    word, codes, closed = match.groups()
    if codes is None:
        return f"expected a rule in brackets after `{word}`."
    if not closed:
        return "the bracket is never closed."
    if codes.count(",") > _MAX_CODES or len(codes.split(None, _MAX_CODES + 1)) > _MAX_CODES:
        return f"it has more than {_MAX_CODES:,} codes."
    return None if codes.strip() else "the brackets are empty."


@lru_cache(maxsize=1)
def _all_codes() -> tuple[str, ...]:
    """The codes of the rules of all frameworks, sorted."""
    frameworks = compiled.load("frameworks").FRAMEWORKS
    return tuple(
        sorted({code for name in frameworks for code in compiled.load(f"{name}_words").WORDS})
    )


def _speaks_of_other_files(written: str, named: bool, knowledge: Knowledge) -> bool:
    """Whether a suppression may be for what a file that names this one causes."""
    codes, code = _all_codes(), written.upper()
    first = bisect_left(codes, code)
    if not named:
        return first < len(codes) and codes[first].startswith(code)
    if first < len(codes) and codes[first] == code:
        return False
    frameworks = compiled.load("frameworks").FRAMEWORKS
    others = [name for name in frameworks if name != knowledge.framework]
    return any(
        rule.code.startswith(code)
        for name in others
        for rule in load_knowledge(name).rules_on_edge(knowledge.framework)
    )
