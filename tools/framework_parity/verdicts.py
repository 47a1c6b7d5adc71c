"""Two verdicts a file: theirs from JSON lines, ours from cfglint's report."""

from __future__ import annotations

import json
import re
from ast import literal_eval
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_QUOTED = re.compile(r"`([^`]+)`")
#: What argparse says of a word that belongs to no option, and of one that may be several.
_LEFT_OVER = re.compile(r"unrecognized arguments: (.*)", re.DOTALL)
_REMAINING = re.compile(r"remaining_argv: (\[.*\])", re.DOTALL)
_AMBIGUOUS = re.compile(r"ambiguous option: (.*?)(?:=.*?)? could match", re.DOTALL)
#: The option whose words argparse refuses.
_OF_OPTION = re.compile(r"error: argument --([\w.-]+)[/:]")
#: A number with an exponent that YAML reads as text.
_TEXT_FOR_NUMBER = "YML021"
_UNKNOWN_KEYS = re.compile(r"(?:unknown keys \(|not used by the HfArgumentParser: )(\[.*?\])")


@dataclass(frozen=True)
class Verdict:
    """Whether a file is refused; by what, and for which keys (none when that is not told)."""

    refused: bool
    reason: str = ""
    keys: tuple[str, ...] = ()


@dataclass
class Comparison:
    """The counts of a comparison, and the files on which the two disagree."""

    files: int = 0
    wrongly_refused: list[tuple[str, str]] = field(default_factory=list)
    missed: list[tuple[str, str]] = field(default_factory=list)
    refused_by_both: int = 0
    same_key: int = 0
    other_key: list[tuple[str, str]] = field(default_factory=list)

    @property
    def differing(self) -> int:
        return len(self.wrongly_refused) + len(self.missed)


def read_theirs(path: Path) -> dict[str, Verdict]:
    """File name -> verdict; files that another file is missing for say nothing and are left out."""
    found: dict[str, Verdict] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row.get("kind") != "missing file":
            # Texts in place of numbers: the parser lets them pass, what computes with them not.
            texts = row.get("string_numbers") or []
            reason = "" if row["ok"] else f"{row.get('stage', '')}: {row.get('error', '')}"
            reason = reason or ("text for a number: " + ", ".join(texts) if texts else "")
            found[Path(row["file"]).name] = Verdict(bool(reason), reason)
    return found


def is_refusal(code: str, severity: str, upstream: str | None) -> bool:
    """Whether a finding says that a run is refused, or that a text is in the place of a number.

    The parser lets such a text pass and what calculates with it does not; theirs counts it, too.
    """
    return upstream == "rejects" or (code == _TEXT_FOR_NUMBER and severity == "error")


def read_ours(
    path: Path, later: frozenset[str] = frozenset(), on_lines: frozenset[str] = frozenset()
) -> dict[str, Verdict]:
    """File name -> verdict: refused when a finding says that the framework itself refuses it.

    Args:
        later: codes of what is refused only after the point up to which theirs looks.
        on_lines: codes of what the framework refuses as a word of a command, and lets pass in a file.
    """
    report = json.loads(path.read_text(encoding="utf-8"))
    found: dict[str, Verdict] = {}
    for file in report["files"]:
        hits = [
            one
            for one in file["diagnostics"]
            if one["code"] not in later
            and (
                one["code"] in on_lines
                or is_refusal(one["code"], one.get("severity", ""), one["upstream"])
            )
        ]
        name = Path(file["path"]).name
        if hits:
            reason = f"{hits[0]['code']} {hits[0]['message']}"
            found[name] = Verdict(True, reason, tuple(_keys(hits)))
        else:
            found[name] = Verdict(False)
    return found


def compare(
    theirs: dict[str, Verdict],
    ours: dict[str, Verdict],
    changed: dict[str, list[str]],
    deciding: frozenset[str] = frozenset(),
) -> Comparison:
    """Compare file by file.

    Theirs stops at the first error and ours tells all, so the key that theirs names has to be one
    of ours. Where theirs names none, or none that was changed, one that was changed will do.

    Args:
        deciding: keys that decide which others are known. Where one of them was changed, it is to
            blame as well: theirs then names only what it no longer knows.
    """
    result = Comparison()
    for name, verdict in sorted(theirs.items()):
        own = ours.get(name)
        if own is None:
            continue
        result.files += 1
        if own.refused and not verdict.refused:
            result.wrongly_refused.append((name, own.reason))
        elif verdict.refused and not own.refused:
            result.missed.append((name, verdict.reason))
        elif own.refused:
            result.refused_by_both += 1
            changes = changed.get(name, [])
            named = named_keys(verdict.reason)
            to_blame = _among(named, changes) or named + changes
            to_blame += [key for key in changes if key in deciding]
            if any(_touches(key, path) for key in own.keys for path in to_blame) or _names_a_word(
                verdict.reason, own.keys
            ):
                result.same_key += 1
            else:
                result.other_key.append((name, f"{own.keys}: {own.reason} | {verdict.reason}"))
    return result


def _keys(hits: list[dict[str, Any]]) -> Iterator[str]:
    """The keys of findings: where they stand, and what they name first (a key may be missing)."""
    for hit in hits:
        yield ".".join(str(part) for part in hit["path"])
        quoted = [one.removesuffix("=…") for one in _QUOTED.findall(hit["message"])]
        yield from quoted[:1]
        # The advice of some comes before the word that is refused.
        yield from (one for one in quoted[1:] if one.startswith("--"))


def _among(named: list[str], changes: list[str]) -> list[str]:
    return [key for key in named if any(_touches(key, path) for path in changes)]


def named_keys(reason: str) -> list[str]:
    """The keys that a refusal names itself: `had unknown keys (['a', 'b'])`, `argument --a/--b: invalid int value`."""
    option = _OF_OPTION.search(reason)
    if option is not None:
        return [option[1]]
    match = _UNKNOWN_KEYS.search(reason)
    return re.findall(r"'([^']*)'", match[1]) if match is not None else []


def _names_a_word(reason: str, keys: tuple[str, ...]) -> bool:
    """Whether argparse and one of our findings name the same word of a command line."""
    remaining = _REMAINING.search(reason)
    if remaining is not None:
        found = {str(word).strip().removeprefix("--") for word in literal_eval(remaining[1])}
        named = {key.strip('"').strip().removeprefix("--") for key in keys}
        return bool(found & (named | {key.replace("_", "-") for key in named}))
    ambiguous = _AMBIGUOUS.search(reason)
    left_over = _LEFT_OVER.search(reason)
    # The words are printed as they are, with blanks between them.
    said = (
        ambiguous[1] if ambiguous is not None else left_over[1] if left_over is not None else None
    )
    if said is None:
        return False
    words = (key.strip('"') for key in keys if key)
    return any(f" {word} " in f" {said} " for word in words)


def _touches(key: str, path: str) -> bool:
    """Whether a finding is at a changed key, above it or below it; nowhere is at none."""
    return key == path or key.startswith(path + ".") or (key != "" and path.startswith(key + "."))


def report(result: Comparison, show: int) -> str:
    """The figures, and the first differences of each sort."""
    files = max(result.files, 1)
    both = max(result.refused_by_both, 1)
    lines = [
        f"{result.files} files, {100 * (1 - result.differing / files):.2f} % the same verdict",
        f"{len(result.wrongly_refused)} refused wrongly, {len(result.missed)} missed",
        f"{result.refused_by_both} refused by both, {100 * result.same_key / both:.2f} % for the key"
        " that is to blame",
    ]
    sorts: list[tuple[str, list[tuple[str, Any]]]] = [
        ("refused wrongly", result.wrongly_refused),
        ("missed", result.missed),
        ("other key", result.other_key),
    ]
    for title, rows in sorts:
        counts = Counter(str(reason)[:90] for _, reason in rows)
        lines += [f"{title} {count:5d}  {reason}" for reason, count in counts.most_common(show)]
        lines += [f"  {name}: {str(reason)[:160]}" for name, reason in rows[:show]]
    return "\n".join(lines) + "\n"
