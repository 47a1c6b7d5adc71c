"""The data types of results, shared by every part of cfglint."""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.base.record import NamedTuple, Record
from cfglint.base.type_names import Any, Literal
from cfglint.source.document import Path
from cfglint.source.text import Position, SourceText, Span

#: In `Fix.leads_to`: hidden findings of any code may appear.
ANY = "*"

SeverityName = Literal["error", "warning", "note"]
ConfidenceName = Literal["high", "medium", "low"]

#: From the most to the least severe.
SEVERITIES: tuple[SeverityName, ...] = ("error", "warning", "note")
#: Other names that options, settings and rule files may use.
SEVERITY_ALIASES: dict[str, SeverityName] = {"info": "note"}
#: Accepted name of a severity -> the severity.
SEVERITY_NAMES: dict[str, SeverityName] = {
    **{name: name for name in SEVERITIES},
    **SEVERITY_ALIASES,
}
#: How many of the findings that are reported as one its message names; the others are counted.
_KIN_NAMED = 4
#: The moments at which a problem can show, from the start of a run on.
MOMENTS = ("start", "data", "model-load", "train", "evaluation", "save", "silent")
#: From the most to the least certain.
CONFIDENCES: tuple[ConfidenceName, ...] = ("high", "medium", "low")


def at_least(severity: SeverityName, threshold: SeverityName) -> bool:
    """Whether a severity is as severe as a threshold, or more."""
    return SEVERITIES.index(severity) <= SEVERITIES.index(threshold)


def one_lower(severity: SeverityName) -> SeverityName:
    """The next less severe one; `note` stays."""
    return SEVERITIES[min(SEVERITIES.index(severity) + 1, len(SEVERITIES) - 1)]


def one_lowered(found: Diagnostic) -> Diagnostic:
    """An error as a warning; others stay."""
    if found.severity != "error":
        return found
    return found.replaced(severity="warning", own_severity="error")


def as_note(found: Diagnostic, reason: str = "") -> Diagnostic:
    """The finding as a note, with a sentence on why it is no more; a note stays.

    Args:
        reason: the sentence, which the message ends with.
    """
    if found.severity == "note":
        return found
    message = f"{found.message} {reason}".rstrip()
    return found.replaced(severity="note", own_severity=found.rule_severity, message=message)


class Edit(NamedTuple):
    """Replace the characters of a half-open span with a text (offsets in the original text)."""

    start: int
    end: int
    text: str


class Fix(Record):
    """A repair: all of its edits, or none.

    `safe`: the run means the same, or what was evidently meant; `unsafe`: a person should look.
    `paths` are the only places whose value may change. `refused` says why there are no edits.
    `drops_comments`: it is the purpose of the fix to remove a comment, as its title says. A safe
    one may remove only comments that are addressed to cfglint.
    `leads_to` are the codes of findings that the result may have and the file had not; a safe fix
    leads to no others. `ANY` means all codes. `look_at` states what a person should review, where
    the finding does not.
    """

    title: str
    safety: Literal["safe", "unsafe"]
    edits: tuple[Edit, ...]
    paths: tuple[Path, ...]
    drops_comments: bool = False
    refused: str | None = None
    leads_to: tuple[str, ...] = ()
    look_at: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The fix as the JSON report has it."""
        return {
            "title": self.title,
            "safety": self.safety,
            "edits": [edit._asdict() for edit in self.edits],
            **({"refused": self.refused} if self.refused else {}),
        }


class OtherFile(Record):
    """A file besides the config that carries a finding: a lock file, a launch script.

    `path` is absolute.
    """

    path: str
    source: SourceText


#: Line and column of a place before they are computed.
_NOT_LOOKED_UP = Position(0, 0)


class Related(Record):
    """Another place that contributes to a finding."""

    span: Span
    note: str
    #: The file that `span` counts in, when it is not the finding's.
    file: OtherFile | None = None
    #: Line and column of the first character, and of the one behind the last.
    start: Position = _NOT_LOOKED_UP
    end: Position = _NOT_LOOKED_UP

    def located(self, source: SourceText) -> Related:
        """The place with its lines and columns in the finding's file, or in its own."""
        start, end = _positions(self.span, self.file.source if self.file is not None else source)
        return self.replaced(start=start, end=end)

    def to_dict(self) -> dict[str, Any]:
        """The place as the JSON report has it."""
        row = {"range": _range(self.span, self.start, self.end), "message": self.note}
        return row if self.file is None else {**row, "path": self.file.path}


class Diagnostic(Record):
    """One finding. Two are equal if all their fields are."""

    #: The rule, such as `KEY001` and `unknown-key`.
    code: str
    name: str
    #: That of a conditional finding has already been lowered.
    severity: SeverityName
    confidence: ConfidenceName
    #: What the framework does because of it: `rejects`, `warns`, `silent`.
    upstream: str
    #: The moment at which the problem shows: `start`, `data`, `model-load`, `train`, `evaluation`,
    #: `save`, `silent`.
    bites: str
    message: str
    #: The keys and list positions that lead to it; empty if it is about the whole file.
    path: Path
    #: Offsets in the text, in code points and after a byte-order mark.
    span: Span
    cost: str = ""
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    #: Whether it applies only to some of the possible targets.
    undecided: bool = False
    #: The options that would decide it.
    needs: tuple[str, ...] = ()
    #: The file that `span` counts in when that is not the config itself.
    file: OtherFile | None = None
    #: The name of the framework that reacts, if it is not the one that the file is for.
    title: str = ""
    #: That of the rule, before it was lowered; None when it was not.
    own_severity: SeverityName | None = None
    #: Whether no release is stated, and the assumed one is not affected.
    other_releases: bool = False
    #: Its subject in a word; findings of a rule that have one are reported together.
    kin: str = ""
    #: The key that a written one is probably meant for; empty if it is not about such a key.
    meant: str = ""
    #: Code and place of the finding of this file whose fix also settles this one.
    cause: tuple[str, Span] | None = None
    #: Whether its rule is not part of a release yet; it never makes a run fail.
    preview: bool = False
    #: Whether it is true and nothing follows from it in this file, so that only those see it who ask.
    harmless: bool = False
    #: Whether it is harmless only until an upgrade; how many are is counted in the summary.
    due: bool = False
    #: The releases in which what is due was removed, with their packages (`NAME 0.16.0`).
    removed: tuple[str, ...] = ()
    #: The package of which a later release has what it is about; empty if it is not about such a thing.
    later: str = ""
    #: Line and column of the first character, and of the one behind the last, in what the library
    #: returns; (0, 0) inside the engine, which counts characters.
    start: Position = _NOT_LOOKED_UP
    end: Position = _NOT_LOOKED_UP

    @property
    def rule_severity(self) -> SeverityName:
        """The severity of the rule, before it was lowered for an undecided target."""
        return self.own_severity or self.severity

    @property
    def refuses(self) -> bool:
        """Whether the release certainly does not start with this file because of it."""
        own = self.file is None and not self.undecided
        return own and self.upstream == "rejects" and self.bites == "start"

    @property
    def importance(self) -> tuple[int, ...]:
        """Sorts findings, the most important first: by consequence, then by certainty.

        What ends the run comes before what does not, the sooner the earlier; what applies only to
        other releases comes last.
        """
        return (
            self.other_releases,
            SEVERITIES.index(self.severity),
            self.undecided,
            self.upstream != "rejects",
            MOMENTS.index(self.bites),
            CONFIDENCES.index(self.confidence),
        )

    @property
    def line(self) -> int:
        """The line of its first character, from 1."""
        return self.start.line

    @property
    def column(self) -> int:
        """The column of its first character, from 1, in code points."""
        return self.start.column

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two findings the same one."""
        return (self.code, self.file.path if self.file else "", self.span, self.message)

    def fix(self, *, unsafe: bool = False) -> Fix | None:
        """The fix to apply, if there is one of the wanted safety.

        An undecided finding has none, because it may not apply at all.
        """
        for fix in () if self.undecided else self.fixes:
            if fix.edits and (fix.safety == "safe" or unsafe):
                return fix
        return None

    def located(self, source: SourceText) -> Diagnostic:
        """The finding with its lines and columns.

        Args:
            source: the text that `span` counts in.
        """
        start, end = _positions(self.span, source)
        related = tuple(one.located(source) for one in self.related)
        return self.replaced(start=start, end=end, related=related)

    def to_dict(self) -> dict[str, Any]:
        """The finding as the JSON report has it (docs/json-report.schema.json)."""
        from cfglint.base.documentation import rule_address

        return {
            "code": self.code,
            "name": self.name,
            "severity": self.severity,
            "confidence": self.confidence,
            "upstream": self.upstream,
            "bites": self.bites,
            "message": self.message,
            "cost": self.cost,
            "undecided": self.undecided,
            "other_releases": self.other_releases,
            "needs": list(self.needs),
            "path": list(self.path),
            "range": _range(self.span, self.start, self.end),
            "related": [related.to_dict() for related in self.related],
            "fixes": [fix.to_dict() for fix in self.fixes],
            "url": rule_address(self.code),
            **({"preview": True} if self.preview else {}),
        }

    def __repr__(self) -> str:
        return f"<{self.code} {self.severity} {self.span.start}-{self.span.end} {self.message!r}>"


def _positions(span: Span, source: SourceText) -> tuple[Position, Position]:
    return source.position(span.start), source.position(span.end)


def _range(span: Span, start: Position, end: Position) -> dict[str, Any]:
    return {
        "start": {"line": start.line, "column": start.column, "offset": span.start},
        "end": {"line": end.line, "column": end.column, "offset": span.end},
    }


def unique(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings in their order, each once."""
    first: dict[tuple[object, ...], Diagnostic] = {}
    for found in diagnostics:
        first.setdefault(found.key, found)
    return list(first.values())


def kin_joined(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """The findings, those of one rule that are kin as one: at the first place, with the others.

    A family is of one severity.
    """
    families: dict[tuple[str, str], list[Diagnostic]] = {}
    for found in diagnostics:
        if found.kin:
            families.setdefault((found.code, found.severity), []).append(found)
    out = [found for found in diagnostics if not found.kin]
    for family in families.values():
        family.sort(key=lambda found: found.span)
        first, others = family[0], family[1:]
        if others:
            names = [f"`{found.kin}`" for found in others]
            if len(names) > _KIN_NAMED + 1:
                names[_KIN_NAMED:] = [f"{len(names) - _KIN_NAMED} more"]
            listed = " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
            related = tuple(Related(found.span, "the same applies to this one") for found in others)
            first = first.replaced(
                message=f"{first.message} The same applies to {listed}.",
                related=first.related + related,
                kin="",
            )
        out.append(first)
    return out
