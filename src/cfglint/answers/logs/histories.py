"""What became of an argument that something did not take, as far as its name tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from cfglint.answers.logs.refused import RefusedKey
from cfglint.checks.key_spelling import key_speller
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.environment.pins import TargetError
from cfglint.frameworks.for_files import variant
from cfglint.knowledge.keys.classes import known_classes
from cfglint.knowledge.keys.places import full_key
from cfglint.knowledge.keys.table import KeyInfo
from cfglint.knowledge.releases.ranges import within
from cfglint.roles.framework import Framework, frameworks, load_framework

#: The releases of one package are of different minds about what replaces a key so many times at most.
_MAX_SPANS = 3
#: A shorter name of a class is the end of many (`Trainer`).
_FEWEST = 8


def history(key: RefusedKey, versions: Mapping[str, str]) -> tuple[str, str]:
    """That an argument was removed and what replaces it, or what it is a slip for, and the name to explain.

    What is not known of them is empty.

    Only the class that the error names is looked at, or the framework that has the section, or else the
    frameworks whose release is known.

    Args:
        versions: of the packages that ran, as far as they are known.
    """
    for framework in _readers(key, versions):
        info = framework.keys.info(key.section, key.name)
        if info is None:
            guess = key_speller(framework.keys, key.section).closest(key.name)
            if guess is not None and guess.sure:
                full = full_key(key.section, guess.name)
                return f"Did you mean `{guess.name}`?", full
        elif info.removed:
            came = _came(info, key, framework)
            gone = f"was removed in {_release(info.removed, framework)}."
            text = f"{came} and {gone}" if came else f"It {gone}"
            advice, newer = _replaced_by(key, framework, versions)
            return " ".join(filter(None, (text, advice))), newer or key.name
        elif (came := _came(info, key, framework)) and _may_be_older(info, framework, versions):
            return f"{came}: an older release runs here.", key.name
    known = any(load_framework(one).keys.info("", key.name) for one in frameworks())
    return "", key.name if known else ""


def _came(info: KeyInfo, key: RefusedKey, framework: Framework) -> str:
    """The release that brought an argument, if the class or the section is older than that."""
    package, _, release = info.since.rpartition(" ")
    infos = (framework.keys.info(key.section, one) for one in framework.keys.names(key.section))
    first = {one.since for one in infos if one is not None}
    others = (one.rpartition(" ") for one in first)
    is_later = any(name == package and within(one, f"<{release}") for name, _, one in others)
    return f"It came in {_release(info.since, framework)}" if is_later else ""


def _may_be_older(info: KeyInfo, framework: Framework, versions: Mapping[str, str]) -> bool:
    """Whether the release that ran is older than the one that brought an argument, as far as that is known."""
    package, _, release = info.since.rpartition(" ")
    version = versions.get(package or framework.packages[0])
    return version is None or within(version, f"<{release}")


def _release(written: str, framework: Framework) -> str:
    """A package and its release, as a table of keys has them; that of the framework itself has no name there."""
    package, _, release = written.rpartition(" ")
    return f"{package or framework.release_title} {release}"


def _readers(key: RefusedKey, versions: Mapping[str, str]) -> Iterator[Framework]:
    for name in sorted(frameworks()):
        framework = load_framework(name)
        if key.section:
            if key.section in framework.keys.sections():
                yield framework
        elif not key.by:
            if framework.packages[0] in versions and not framework.row["of_sections"]:
                yield framework
        else:
            for full in known_classes(name):
                if _is_or_extends(key.by, full.rpartition(".")[2]):
                    yield variant(framework, kind=full)


def _is_or_extends(name: str, known: str) -> bool:
    """Whether a class is a known one, or has its name with a word in front, as those have that hand on what they are given."""
    return name == known or (len(known) >= _FEWEST and name.endswith(known))


def _replaced_by(
    key: RefusedKey, framework: Framework, versions: Mapping[str, str]
) -> tuple[str, str]:
    """What replaces a key that was removed, and its name; of the release that ran, or else of each that may have."""
    if key.section:
        return "", ""
    stated = _environment(framework, versions)
    if stated is not None:
        return _advice(key.name, framework, stated)
    found = []
    for release in framework.releases.versions:
        target = build_environment(framework.releases, pins=[f"{framework.packages[0]}=={release}"])
        info = framework.keys.info("", key.name)
        if info is not None and framework.key_policy.keys_in(target).is_gone(info.removed):
            found.append((release, _advice(key.name, framework, target)))
    spans = [
        ([release for release, _ in rows], advice)
        for advice, rows in (
            (advice, list(rows)) for advice, rows in groupby(found, lambda row: row[1])
        )
    ]
    spans = [(releases, advice) for releases, advice in spans if advice[0]]
    if not spans or len(spans) > _MAX_SPANS:
        return "", ""
    parts = [f"Up to {releases[-1]}: {advice[0]}" for releases, advice in spans[:-1]]
    releases, (last, newer) = spans[-1]
    parts.append(f"From {releases[0]} on: {last}" if parts else last)
    return " ".join(parts), newer


def _environment(framework: Framework, versions: Mapping[str, str]) -> Environment | None:
    """The release that ran; None where nothing states it."""
    if framework.packages[0] not in versions:
        return None
    pins = [f"{package}=={version}" for package, version in versions.items()]
    try:
        return build_environment(framework.releases, pins=pins)
    except TargetError:
        return None


def _advice(name: str, framework: Framework, target: Environment) -> tuple[str, str]:
    found = framework.key_policy.counterpart(name, target)
    if found is None:
        return "", ""
    use = f"Use `{found.to}`." if found.to else ""
    return " ".join(filter(None, (use, found.advice))), found.to or ""
