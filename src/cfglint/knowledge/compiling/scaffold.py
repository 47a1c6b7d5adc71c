"""A rule file to begin with: whole, but for the parts that are marked to be filled in."""

from __future__ import annotations

from cfglint.knowledge.compiling.rule_problems import KEY_TO_FILL_IN, TO_FILL_IN


def scaffold(code: str, *, framework: str, base: str, is_own: bool, is_shared: bool) -> str:
    """The text of a new rule file.

    Args:
        framework: whose files the rule reads, or whose example a shared rule begins with.
        base: the config that its examples extend; empty for none.
        is_own: whether it is a rule of cfglint, whose evidence anyone can look up.
        is_shared: whether its condition is written with concepts.
    """
    key = f"${KEY_TO_FILL_IN}" if is_shared else KEY_TO_FILL_IN
    of = f"framework: {framework}, " if is_shared else ""
    lines = [
        f"code: {code}",
        f'summary: "{TO_FILL_IN}: one line, without a full stop"',
        *([] if is_own else [f"framework: {framework}"]),
        f'severity: "{TO_FILL_IN}: error, warning or note"',
        f'confidence: "{TO_FILL_IN}: high, medium or low"',
        f'bites: "{TO_FILL_IN}: start, data, model-load, train, evaluation, save or silent"',
        f'upstream: "{TO_FILL_IN}: rejects, warns or silent"',
        "when:",
        f"  - {key}: {{truthy: true}}",
        f"at: [{key}]",
        f'message: "{TO_FILL_IN}: what is wrong in this file, and what to do"',
        f'cost: "{TO_FILL_IN}: what it costs, and when"',
        f'why: "{TO_FILL_IN}: what happens, when, and how that is known"',
        *(_REFERENCES if is_own else []),
        *([f"base: {base}"] if base and not is_shared else []),
        "examples:",
        f'  - {{{of}bad: "{KEY_TO_FILL_IN}: true  # <- {code}"}}',
        f'  - {{{of}good: "{KEY_TO_FILL_IN}: false"}}',
    ]
    return "\n".join(lines) + "\n"


_REFERENCES = [
    "references:",
    f'  - {{kind: source, title: "{TO_FILL_IN}: what shows it", url: "https://example.org"}}',
]
