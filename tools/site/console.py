"""What a terminal shows, in the colors of a terminal."""

from __future__ import annotations

import re
from html import escape

_SEVERITY = r"(?P<severity>error|warning|note)"
#: A finding: where, how bad, which rule.
_HEAD = re.compile(rf"(?P<place>\S+?:\d+(?::\d+)?)(?P<gap>\s+){_SEVERITY}(?P<rest>\s.*)?")
_CODE = re.compile(r"(?<![\w-])[A-Z]{3}\d{3}(?!\w)")
#: A line of a file, or of the marks below it.
_ROW = re.compile(r"(?P<number>\s*\d*\s[│|])(?P<text>.*)")
_MARKS = re.compile(r"(?P<before>\s*)(?P<marks>\^+|-+)(?P<note>(?:\s.*)?)")
_LABEL = re.compile(
    r"(?P<label>\s+(?:also in [^:]*:|also in|also settles|also|cost:|related:|decide it with:|fix:))(?P<rest>.*)"
)
_COUNTS = re.compile(r"(?P<counts>\d+ (?:errors?|warnings?|notes?)(?:, \d+ \w+)*)(?P<rest>.*)")
_PROMPT = re.compile(r"(?P<prompt>[$>] )(?P<command>.*)")


def colored(text: str) -> str:
    """A session of a terminal, or what cfglint printed, as HTML."""
    out, severity = [], "error"
    for line in text.split("\n"):
        head = _HEAD.fullmatch(line)
        if head is not None:
            severity = head["severity"]
            out.append(
                f"{_span('b', head['place'])}{head['gap']}{_span(severity, severity)}{_codes(head['rest'] or '')}"
            )
        else:
            out.append(_line(line, severity))
    return "\n".join(out)


def _line(line: str, severity: str) -> str:
    """Any other line, below a finding of a severity."""
    if prompt := _PROMPT.fullmatch(line):
        return _span("dim", prompt["prompt"]) + _span("b", prompt["command"])
    if row := _ROW.fullmatch(line):
        return _span("dim", row["number"]) + _marked(row["text"], severity)
    if label := _LABEL.fullmatch(line):
        return _span("dim", label["label"]) + escape(label["rest"])
    if counts := _COUNTS.fullmatch(line):
        return _span("b", counts["counts"]) + escape(counts["rest"])
    if line.startswith(("`cfglint explain", "  +", "  -")) or line.lstrip().startswith(
        ("+ ", "- ")
    ):
        kind = {"+": "added", "-": "removed"}.get(line.lstrip()[:1], "dim")
        return _span(kind, line)
    return _codes(line)


def _marked(text: str, severity: str) -> str:
    marks = _MARKS.fullmatch(text)
    if marks is None:
        return escape(text)
    if marks["marks"][0] == "^":
        return marks["before"] + _span(severity, marks["marks"]) + escape(marks["note"])
    return marks["before"] + _span("note", marks["marks"] + marks["note"])


def _codes(text: str) -> str:
    """A text with the codes of rules in bold."""
    return _CODE.sub(lambda code: _span("b", code.group()), escape(text))


def _span(kind: str, text: str) -> str:
    return f'<span class="t-{kind}">{escape(text)}</span>'
