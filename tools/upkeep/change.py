"""What a release changes in the tables, as the text of a change to review (Markdown)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

#: More lines of a kind are counted, not listed: the difference of the tables has them all. The
#: second and third number are for texts that would be too long with the one before.
_SHOWN = (60, 15, 3)
#: Characters of a text. GitHub takes 65,536, and the comparison has its share.
_LONGEST = 40_000
_CODE = str.maketrans({"`": "'", "\n": " ", "|": "/"})

#: What no tool does for a release of a framework.
_STEPS = (
    "rules for validators that are new, gone or changed, and the `applies` of rules that end here",
    "rewrites of values (`derivations.yaml`), and keys of other names (`reviewed.json`)",
    "what differs in the comparison with the release's own reader (`docs/new-release.md`, step 4), and"
    " the comparison itself where none is below",
    "the table of releases in README.md",
)


@dataclass
class Change:
    """One release that was read, or could not be."""

    package: str
    version: str
    #: The release before it.
    before: str
    #: Name of the table -> the tables, before and after.
    tables: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    pins: tuple[dict[str, str], dict[str, str]] = ({}, {})
    #: What the tools ask a person to look at.
    questions: list[str] = field(default_factory=list)
    #: New, changed and gone validators.
    validators: list[str] = field(default_factory=list)
    #: The table of commits and images, before and after; empty where there is none.
    history: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    #: What no tool does.
    steps: tuple[str, ...] = _STEPS
    #: Why it could not be read.
    problem: str = ""


def body(changes: list[Change]) -> str:
    """The text of the change, no longer than what GitHub takes."""
    for shown in _SHOWN:
        text = _body(changes, shown)
        if len(text) <= _LONGEST:
            return text
    return text[:_LONGEST].rpartition("\n")[0] + "\n\n… and more than fits here.\n"


def _body(changes: list[Change], shown: int) -> str:
    lines = [
        "Releases that came out since the last look, read into the tables by `python -m tools.upkeep`."
        " What a machine cannot know is listed for each of them; `docs/new-release.md` has the steps.",
    ]
    for change in changes:
        lines += ["", f"## {change.package} {change.version} (after {change.before})", ""]
        lines += (
            [f"Could not be read: {_text(change.problem)}"]
            if change.problem
            else _parts(change, shown)
        )
    return "\n".join(lines) + "\n"


def title(changes: list[Change]) -> str:
    """One line for all of them."""
    return "Read " + ", ".join(f"{change.package} {change.version}" for change in changes)


def _parts(change: Change, shown: int) -> Iterator[str]:
    before, after = change.tables
    for name in after:
        new, changed, gone = differences(before.get(name, {}), after[name], "keys", change.version)
        table = f" of `{name}`" if len(after) > 1 else ""
        yield from _listed(f"New keys{table}", new, shown)
        yield from _listed(f"Changed keys{table}", changed, shown)
        yield from _listed(f"Keys{table} that are gone", gone, shown)
        new, _, gone = differences(before.get(name, {}), after[name], "plugins", change.version)
        yield from _listed("New plugins", new, shown)
        yield from _listed("Plugins that are gone", gone, shown)
    old, now = change.pins
    yield from _listed(
        "Requirements",
        [
            f"`{_text(name)}` {_text(old.get(name, 'nothing'))} → {_text(now.get(name, 'nothing'))}"
            for name in sorted({*old, *now})
            if old.get(name) != now.get(name)
        ],
        shown,
    )
    yield from _listed("Validators", [_text(line) for line in change.validators], shown)
    yield from _listed("Commits and images", _history(*change.history), shown)
    yield "### For a person"
    yield ""
    for question in change.questions[:shown]:
        yield f"- [ ] {_text(question)}"
    if len(change.questions) > shown:
        yield f"- [ ] {len(change.questions) - shown} more, which the tools print"
    for step in change.steps:
        yield f"- [ ] {step}"


def differences(
    before: dict[str, Any], after: dict[str, Any], kind: str, version: str
) -> tuple[list[str], list[str], list[str]]:
    """What of a table's keys (or plugins) is new, changed and gone in a release, each in words."""
    old, now = before.get(kind, {}), after.get(kind, {})
    new, changed, gone = [], [], []
    for name, row in now.items():
        if name not in old:
            new.append(f"`{_text(name)}`" + (f" ({_text(row['type'])})" if "type" in row else ""))
        elif _end(row) == version != _end(old[name]):
            gone.append(f"`{_text(name)}`")
        elif row != old[name]:
            facts = sorted(
                fact for fact in {*row, *old[name]} if row.get(fact) != old[name].get(fact)
            )
            changed.append(f"`{_text(name)}`: {_text(', '.join(facts))}")
    return new, changed, gone


def _end(row: dict[str, Any]) -> Any:
    """The first release without a key under its own name."""
    return row.get("removed") or row.get("alias_since")


def _history(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The releases and the number of commits that are new in a table of them."""
    told = []
    for version, entry in after.get("releases", {}).items():
        if version not in before["releases"]:
            images = ", ".join(sorted(entry.get("images", {}))) or "none"
            told.append(f"`{_text(version)}` is {_text(entry['commit'])}, images: {_text(images)}")
    commits = len(after.get("commits", ())) - len(before.get("commits", ()))
    if commits > 0:
        told.append(f"commits since the last look: {commits}")
    return told


def _listed(heading: str, rows: list[str], shown: int) -> Iterator[str]:
    if not rows:
        return
    yield f"### {heading} ({len(rows)})"
    yield ""
    for row in rows[:shown]:
        yield f"- {row}"
    if len(rows) > shown:
        yield f"- … and {len(rows) - shown} more"
    yield ""


def _text(value: Any) -> str:
    """What a release says, on one line, that Markdown takes for nothing else."""
    text = "".join(char if char.isprintable() else "�" for char in str(value).translate(_CODE))
    return text.replace("<", "&lt;").replace("@", "@\u200b")[:300]
