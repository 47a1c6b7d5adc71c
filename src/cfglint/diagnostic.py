"""The vocabulary of results: what every part of cfglint says in the same words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from cfglint.record import NamedTuple, Record
from cfglint.source.document import Path
from cfglint.source.text import SourceText, Span

#: In `Fix.leads_to`: what was hidden comes to light, whatever it is.
ANY = "*"

SeverityName = Literal["error", "warning", "info"]
ConfidenceName = Literal["high", "medium", "low"]

#: From the most to the least severe.
SEVERITIES: tuple[SeverityName, ...] = ("error", "warning", "info")
#: So many of the findings that are told as one are named in its message, and the others counted.
_KIN_NAMED = 4
#: From the most to the least sure.
CONFIDENCES: tuple[str, ...] = ("high", "medium", "low")


def at_least(severity: SeverityName, threshold: SeverityName) -> bool:
    """Whether a severity is as severe as a threshold, or more."""
    return SEVERITIES.index(severity) <= SEVERITIES.index(threshold)


def one_lower(severity: SeverityName) -> SeverityName:
    """The next less severe one; `info` stays."""
    return SEVERITIES[min(SEVERITIES.index(severity) + 1, len(SEVERITIES) - 1)]


class Edit(NamedTuple):
    """Replace the characters of a half-open span with a text (offsets in the original text)."""

    start: int
    end: int
    text: str


class Fix(Record):
    """A repair: all of its edits, or none.

    `safe`: the run means the same, or what was evidently meant; `unsafe`: a person should look.
    `paths` are the only places whose value may change. `refused` says why there are no edits.
    `leads_to` are the codes of findings that the result may have and the file had not; a safe fix
    leads to no others. `ANY` stands for all.
    """

    title: str
    safety: Literal["safe", "unsafe"]
    edits: tuple[Edit, ...]
    paths: tuple[Path, ...]
    drops_comments: bool = False
    refused: str | None = None
    leads_to: tuple[str, ...] = ()


class Related(Record):
    """Another place that has part in a finding."""

    span: Span
    note: str
    #: The file that `span` counts in, when it is not the finding's.
    file: OtherFile | None = None


class OtherFile(Record):
    """A file besides the config that carries a finding: a lock file, a launch script.

    `path` is absolute.
    """

    path: str
    source: SourceText


class Diagnostic:
    """One finding.

    `span` counts code points of the file's text; `path` is the key path it is about (empty when
    it is about the file). `undecided` is true for a conditional finding, whose severity is
    already lowered from `rule_severity`. `needs` lists the options that would decide it.
    `other_releases` is true when no release is told and the one that is assumed is not affected.
    Findings of a rule with a `kin`, which is what each is about in a word, are told as one.
    `file` is the file that `span` counts in when that is not the config itself. `title` is what
    the framework that reacts is called, when it is not the one that the file is for.
    """

    __slots__ = (
        "bites",
        "code",
        "confidence",
        "cost",
        "file",
        "fixes",
        "kin",
        "message",
        "name",
        "needs",
        "other_releases",
        "path",
        "related",
        "rule_severity",
        "severity",
        "span",
        "title",
        "undecided",
        "upstream",
    )

    def __init__(
        self,
        *,
        code: str,
        name: str,
        severity: SeverityName,
        confidence: str,
        upstream: str,
        bites: str,
        message: str,
        path: Path,
        span: Span,
        cost: str = "",
        related: tuple[Related, ...] = (),
        fixes: tuple[Fix, ...] = (),
        undecided: bool = False,
        needs: tuple[str, ...] = (),
        file: OtherFile | None = None,
        title: str = "",
        rule_severity: SeverityName | None = None,
        other_releases: bool = False,
        kin: str = "",
    ) -> None:
        self.code = code
        self.name = name
        self.severity = severity
        self.confidence = confidence
        self.upstream = upstream
        self.bites = bites
        self.message = message
        self.path = path
        self.span = span
        self.cost = cost
        self.related = related
        self.fixes = fixes
        self.undecided = undecided
        self.needs = needs
        self.file = file
        self.title = title
        self.rule_severity: SeverityName = rule_severity or severity
        self.other_releases = other_releases
        self.kin = kin

    def moved(self, **changes: Any) -> Diagnostic:
        """The same finding with other values for some of its members."""
        members = {name: getattr(self, name) for name in self.__slots__}
        return Diagnostic(**{**members, **changes})

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two findings the same one."""
        return (self.code, self.file.path if self.file else "", self.span, self.message)

    def fix(self, *, unsafe: bool = False) -> Fix | None:
        """The fix to apply, if there is one of the wanted safety.

        An undecided finding has none: nobody knows yet whether there is anything to repair.
        """
        for fix in () if self.undecided else self.fixes:
            if fix.edits and (fix.safety == "safe" or unsafe):
                return fix
        return None

    def __repr__(self) -> str:
        return f"<{self.code} {self.severity} {self.span.start}-{self.span.end} {self.message!r}>"


def unique(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings in their order, each once."""
    first: dict[tuple[object, ...], Diagnostic] = {}
    for found in diagnostics:
        first.setdefault(found.key, found)
    return list(first.values())


def kin_joined(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """The findings, those of one rule that are kin as one: at the first place, with the others."""
    families: dict[str, list[Diagnostic]] = {}
    for found in diagnostics:
        if found.kin:
            families.setdefault(found.code, []).append(found)
    out = [found for found in diagnostics if not found.kin]
    for family in families.values():
        family.sort(key=lambda found: found.span)
        first, others = family[0], family[1:]
        if others:
            names = [f"`{found.kin}`" for found in others]
            if len(names) > _KIN_NAMED + 1:
                names[_KIN_NAMED:] = [f"{len(names) - _KIN_NAMED} more"]
            listed = " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
            related = tuple(Related(found.span, "the same goes for this one") for found in others)
            first = first.moved(
                message=f"{first.message} The same goes for {listed}.",
                related=first.related + related,
                kin="",
            )
        out.append(first)
    return out
