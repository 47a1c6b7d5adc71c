"""What became of an argument that something did not take, as far as its name tells."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.answers.logs.refused import RefusedKey
from cfglint.answers.logs.stated import LogFacts
from cfglint.checks.key_spelling import key_speller
from cfglint.frameworks.for_files import variant
from cfglint.knowledge.keys.classes import known_classes
from cfglint.roles.framework import Framework, frameworks, load_framework


def history(key: RefusedKey, stated: LogFacts) -> tuple[str, str]:
    """That an argument was removed and what replaces it, or what it is a slip for, and the name to explain.

    What is not known of them is empty.

    Only the class that the error names is looked at, or else the frameworks whose release the log states.
    """
    for framework in _readers(key, stated):
        info = framework.keys.info("", key.name)
        if info is None:
            guess = key_speller(framework.keys, "").closest(key.name)
            if guess is not None and guess.sure:
                return f"Did you mean `{guess.name}`?", guess.name
        elif info.removed:
            package, _, release = info.removed.rpartition(" ")
            text = f"It was removed in {package or framework.release_title} {release}."
            row = framework.key_policy.aliases().get(key.name)
            newer = info.rename or (row[1] if row is not None else None)
            advice = row[4] if row is not None else ""
            use = f"Use `{newer}`." if newer else ""
            return " ".join(filter(None, (text, use, advice))), newer or key.name
    known = any(load_framework(one).keys.info("", key.name) for one in frameworks())
    return "", key.name if known else ""


def _readers(key: RefusedKey, stated: LogFacts) -> Iterator[Framework]:
    for name in sorted(frameworks()):
        framework = load_framework(name)
        if not key.by:
            if framework.packages[0] in stated.versions and not framework.row["of_sections"]:
                yield framework
            continue
        for full in known_classes(name):
            if full.rpartition(".")[2] == key.by:
                yield variant(framework, kind=full)
