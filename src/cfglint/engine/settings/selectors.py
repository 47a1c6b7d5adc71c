"""Selectors of rules: a code, a prefix of codes (`KEY`), or a name. Case does not matter."""

from __future__ import annotations

import os

from cfglint.base.paths import relative_path
from cfglint.diagnostic import SEVERITIES, SEVERITY_NAMES, SeverityName
from cfglint.engine.settings.file import PerFileIgnores, RuleSeverity
from cfglint.knowledge.rules.knowledge import Knowledge


def selector(text: str, knowledge: Knowledge) -> str | None:
    """The selector of a framework's rules in its canonical spelling; None if it matches none."""
    code, name = text.upper(), text.lower()
    if code in knowledge.renamed:
        return knowledge.renamed[code]
    labels = list(knowledge.labels())
    if code and any(known.startswith(code) for known, _ in labels):
        return code
    return name if any(known == name for _, known in labels) else None


def meant(text: str, knowledge: Knowledge) -> str:
    """`; did you mean KEY001?` for an unknown rule; empty if nothing is close."""
    from difflib import get_close_matches

    labels = {label.lower(): label for pair in knowledge.labels() for label in pair}
    close = get_close_matches(text.lower(), labels, n=1, cutoff=0.7)
    return f"; did you mean {labels[close[0]]}?" if close else ""


def severity_option(text: str) -> list[RuleSeverity]:
    """What `--severity KEY001=warning,YML=note` says.

    Raises:
        ValueError: it is not understood.
    """
    found = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        rule, _, word = part.rpartition("=")
        severity: SeverityName | None = SEVERITY_NAMES.get(word.strip())
        if not rule or severity is None:
            raise ValueError(
                f"{part!r} does not set a rule's severity: write it as KEY001=warning, "
                f"with one of {', '.join(SEVERITIES)}"
            )
        found.append(RuleSeverity(None, rule.strip(), severity))
    return found


def per_file_option(text: str) -> PerFileIgnores:
    """What `--per-file-ignores 'archive/:KEY,YML'` says.

    Raises:
        ValueError: it is not understood.
    """
    pattern, _, codes = text.rpartition(":")
    rules = tuple(codes.replace(",", " ").split())
    if not pattern or not rules:
        raise ValueError(
            f"{text!r} does not name rules for files: write a pattern and codes such as archive/:KEY"
        )
    from cfglint.base.globs import is_glob

    if not is_glob(pattern):
        raise ValueError(f"{pattern!r} is not a valid pattern")
    return PerFileIgnores(None, pattern, rules)


def covers(ignores: PerFileIgnores, path: str) -> bool:
    """Whether a file matches a pattern."""
    return matches((ignores.pattern,), ignores.origin, path)


def matches(patterns: tuple[str, ...], origin: str | None, path: str) -> bool:
    """Whether patterns of a settings file (None for an option) name a file."""
    from cfglint.base.globs import globs

    base = os.getcwd() if origin is None else os.path.dirname(origin)
    relative = relative_path(path, os.path.abspath(base))
    return globs(patterns).covers(relative.replace(os.sep, "/"))
