"""How runs ended, beside what cfglint says of their configs."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cfglint import Disk, Linter
from tools.runs.campaign import Campaign
from tools.runs.outcome import Outcome

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic

#: What a cost says of a run that ends; one that ends only in some cases is told with "or".
_ENDS = re.compile(r"does not start|run (that )?ends|training ends|\bfails?\b")
_HEDGED = re.compile(r"\bor\b|\bif\b|\bmay\b")
_WORD = re.compile(r"[A-Za-z_]\w*")
_QUOTED = re.compile(r"`([A-Za-z_]\w*)")

#: Verdicts, the worst first.
FALSE = "FALSE"
MISSED = "missed"
MISSED_AT_START = "missed at start"
POINTED = "pointed"
NAMED = "named"
NAMED_AT_START = "named at start"
COMPLETES = "completes"
NOT_TRIED = "not tried"
HARNESS = "harness"
VERDICTS = (
    *(FALSE, MISSED, MISSED_AT_START, POINTED, NAMED, NAMED_AT_START, COMPLETES, HARNESS, NOT_TRIED),
)  # fmt: skip


class Finding(NamedTuple):
    """What matters here of one of cfglint's findings."""

    code: str
    severity: str
    #: Whether it says that the run ends, or may end.
    ends: bool
    #: Whether it says so without an alternative.
    certain: bool
    #: The keys that it is at, relates to or names, the first the one that it is at.
    keys: tuple[str, ...]
    message: str


class Compared(NamedTuple):
    """A run and what cfglint says."""

    outcome: Outcome
    changes: tuple[str, ...]
    verdict: str
    #: Those that the verdict is owed to; all of them when there is none.
    findings: tuple[Finding, ...]


#: Ends that are the machine's or the tiny model's, by what the exception says.
ARTEFACTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "no GPU",
        re.compile(
            r"CUDA|requires a GPU|No GPU|no accelerator|not 'cpu'|'CPU' backend|on 'cpu'|on CPU|autocast::|None of the available devices|NVIDIA|triton|Triton"
        ),
    ),
    (
        "no network",
        re.compile(
            r"couldn't connect to|LocalEntryNotFound|[Oo]ffline|outgoing traffic|Can't load the configuration of|is not a local folder"
        ),
    ),
    (
        "package not installed",
        re.compile(
            r"^(ModuleNotFoundError|ImportError|PackageNotFoundError)|[Pp]lease (`?pip )?install|not installed"
        ),
    ),
)


def finding_of(found: Diagnostic, text: str) -> Finding:
    """A finding as it is compared."""
    words = (_WORD.match(text, one.span.start) for one in found.related if one.file is None)
    at = tuple(str(part) for part in found.path[:1])
    related = tuple(match.group() for match in words if match)
    keys = dict.fromkeys((*at, *related, *_QUOTED.findall(found.message)))
    silent = found.bites == "silent"
    ends = not silent and (found.upstream == "rejects" or _ENDS.search(found.cost) is not None)
    certain = ends and not found.undecided and not _HEDGED.search(found.cost)
    return Finding(found.code, found.severity, ends, certain, tuple(keys), found.message)


def judged(outcome: Outcome, changes: tuple[str, ...], findings: Iterable[Finding]) -> Compared:
    """The verdict on a run.

    Args:
        changes: the keys that were changed; when there are none, any finding may name the cause.
    """
    live = [one for one in findings if not set(one.keys[:1]) & outcome.replaced_keys]
    claims = [one for one in live if one.certain and one.severity == "error"]
    if not outcome.tried:
        return Compared(outcome, changes, NOT_TRIED, ())
    if outcome.completes:
        verdict = FALSE if claims else COMPLETES
        return Compared(outcome, changes, verdict, tuple(claims))
    text = f"{outcome.exception}: {outcome.message}"
    about = {*changes, *_mentioned(text, live)}
    near = [one for one in live if not changes or about & set(one.keys) or not one.keys]
    named = [one for one in near if one.ends and one.severity != "note"]
    at_start = outcome.stage == "parse"
    if named:
        verdict = NAMED_AT_START if at_start else NAMED
        return Compared(outcome, changes, verdict, tuple(named))
    if any(pattern.search(text) for _, pattern in ARTEFACTS):
        return Compared(outcome, changes, HARNESS, tuple(near))
    if at_start:
        return Compared(outcome, changes, MISSED_AT_START, tuple(near))
    return Compared(outcome, changes, POINTED if near else MISSED, tuple(near))


def _mentioned(text: str, findings: Iterable[Finding]) -> set[str]:
    """The keys of findings that an exception mentions, too."""
    words = set(_WORD.findall(text))
    return {key for one in findings for key in one.keys if key in words and len(key) > 3}


def compare(campaign: Campaign) -> Iterator[Compared]:
    """All runs of a campaign; a config is checked with the launch script beside it."""
    rows = {row["id"]: row for row in campaign.manifest()}
    linter = Linter(target=campaign.targets, gpus=1, files=Disk())
    for outcome in campaign.outcomes():
        row = rows.get(outcome.id, {})
        file = campaign.config(outcome.id)
        found = findings(linter, file)
        yield judged(outcome, tuple(row.get("changes", ())), found)


def findings(linter: Linter, file: Path) -> list[Finding]:
    """What cfglint says of a file."""
    report = linter.lint_file(file)
    text = report.source.text
    return [finding_of(one, text) for one in report.diagnostics if one.file is None]


def report(compared: Iterable[Compared], shown: int) -> str:
    """The counts, then what differs, grouped by cause.

    Args:
        shown: how many groups of each verdict.
    """
    rows = list(compared)
    counts = Counter(one.verdict for one in rows)
    later = [one for one in rows if one.outcome.after_validation and one.verdict != HARNESS]
    lines = [f"{len(rows)} runs, {len(later)} of them ended after validation"]
    lines += [f"{counts[name]:6} {name}" for name in VERDICTS if counts[name]]
    for verdict in VERDICTS[: VERDICTS.index(NAMED)]:
        groups: dict[str, list[Compared]] = defaultdict(list)
        for one in rows:
            if one.verdict == verdict:
                groups[_cause(one)].append(one)
        for cause, group in sorted(groups.items(), key=lambda pair: -len(pair[1]))[:shown]:
            first = group[0]
            lines.append(f"\n{verdict} ({len(group)}): {cause}")
            lines += [f"  {one.outcome.id}: {', '.join(one.changes)}" for one in group[:4]]
            lines += [f"  {one.code}: {one.message}" for one in first.findings[:2]]
    return "\n".join(lines) + "\n"


def _cause(one: Compared) -> str:
    if one.outcome.completes:
        return ", ".join(sorted({found.code for found in one.findings}))
    outcome = one.outcome
    message = re.sub(r"0x[0-9a-f]+|/\S+/", "", outcome.message.strip())[:160].replace("\n", " ")
    return f"{outcome.stage}, {outcome.exception}: {message} [{outcome.frame}]"
