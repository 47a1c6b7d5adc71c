"""Comments that silence findings: `# cfglint: ignore[CODE] reason` and `ignore-file[CODE]`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.checks.context import Hit
from cfglint.diagnostic import Diagnostic, Edit, Fix
from cfglint.engine.selection import Selection
from cfglint.rules.knowledge import Knowledge
from cfglint.rules.rule import Rule
from cfglint.source.document import Document
from cfglint.source.text import Comment, SourceText, Span

_DIRECTIVE = re.compile(r"#\s*cfglint:\s*(ignore-file|ignore)\s*(?:\[([^\]]*)\])?")
_MENTION = re.compile(r"#\s*cfglint:")
_CODE_OR_NAME = re.compile(r"[A-Z][A-Z0-9]*\d+|[a-z0-9]+(?:-[a-z0-9]+)+")


class _Suppression:
    """One code in one comment."""

    def __init__(self, code: str, span: Span, comment: Comment, line: int | None) -> None:
        self.code = code
        self.span = span
        self.comment = comment
        #: The line it speaks of (from 1), None for the whole file.
        self.line = line
        self.used = False

    def covers(self, diagnostic: Diagnostic) -> bool:
        return self.code in (diagnostic.code, diagnostic.name)


class Suppressions:
    """The suppressions of one document."""

    def __init__(self, document: Document) -> None:
        self._text = document.text
        self._all: list[_Suppression] = []
        self._by_line: dict[int | None, list[_Suppression]] = {}
        self._malformed: list[tuple[Comment, Span]] = []

    @classmethod
    def read(cls, document: Document) -> Suppressions:
        """Find all suppressions in a document's comments."""
        found = cls(document)
        comments = document.language.comments(document)
        own_lines = {
            document.source.position(comment.span.start).line
            for comment in comments
            if comment.own_line
        }
        for comment in comments:
            match = _DIRECTIVE.match(comment.text)
            if match is None:
                if _MENTION.match(comment.text):
                    found._malformed.append((comment, comment.span))
                continue
            found._read_comment(comment, match, document.source, own_lines)
        return found

    def _read_comment(
        self, comment: Comment, match: re.Match[str], source: SourceText, own_lines: set[int]
    ) -> None:
        codes = match.group(2)
        if codes is None or not codes.strip():
            self._malformed.append((comment, comment.span))
            return
        line: int | None = source.position(comment.span.start).line
        if match.group(1) == "ignore-file":
            line = None
        elif comment.own_line:
            # It speaks of the key below; further comments may stand between.
            assert line is not None
            last = source.line_count()
            line += 1
            while line < last and (line in own_lines or not source.line(line).strip()):
                line += 1
        offset = comment.span.start + match.start(2)
        for part in re.finditer(r"[^,\s]+", codes):
            span = Span(offset + part.start(), offset + part.end())
            if _CODE_OR_NAME.fullmatch(part.group()):
                suppression = _Suppression(part.group(), span, comment, line)
                self._all.append(suppression)
                self._by_line.setdefault(line, []).append(suppression)
            else:
                self._malformed.append((comment, span))

    def cover(self, diagnostic: Diagnostic, source: SourceText) -> bool:
        """Whether a finding is silenced; remembers which suppressions were of use."""
        covered = False
        candidates = list(self._by_line.get(None, ()))
        if diagnostic.file is None:
            # The lines of another file are none of this one's.
            line = source.position(diagnostic.span.start).line
            candidates += self._by_line.get(line, ())
        for suppression in candidates:
            if suppression.covers(diagnostic):
                suppression.used = covered = True
        return covered

    def findings(self, knowledge: Knowledge, selection: Selection) -> Iterator[tuple[Rule, Hit]]:
        """Suppressions that silence nothing, and comments that are meant to be one."""
        rules = {rule.name: rule for rule in knowledge.all_rules()}
        labels = {rule.code: rule for rule in rules.values()} | rules
        unused, malformed = rules["unused-suppression"], rules["malformed-suppression"]
        if selection.has(malformed.code, malformed.name):
            for comment, span in self._malformed:
                yield malformed, Hit((), span, {"comment": comment.text[:60]})
        if not selection.has(unused.code, unused.name):
            return
        for suppression in self._all:
            rule = labels.get(suppression.code)
            # A rule that is switched off cannot tell whether its suppression is of use.
            if suppression.used or (rule is not None and not selection.has(rule.code, rule.name)):
                continue
            reason = "silences nothing" if rule is not None else "names no rule"
            fix = Fix("Remove the suppression", "safe", (self._removal(suppression),), (), True)
            yield (
                unused,
                Hit(
                    (),
                    suppression.span,
                    {"code": suppression.code, "reason": reason},
                    fixes=(fix,),
                ),
            )

    def _removal(self, suppression: _Suppression) -> Edit:
        """The edit that takes one code out, with the whole comment when it is the only one."""
        comment = suppression.comment
        siblings = [s for s in self._by_line[suppression.line] if s.comment is comment]
        text = self._text
        if len(siblings) > 1:
            start, end = suppression.span
            after = re.compile(r"\s*,\s*").match(text, end)
            if after:
                return Edit(start, after.end(), "")
            before = re.search(r"\s*,\s*$", text[comment.span.start : start])
            cut = comment.span.start + before.start() if before else start
            return Edit(cut, end, "")
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
