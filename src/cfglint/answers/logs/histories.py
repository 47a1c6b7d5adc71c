"""What became of an argument that something did not take, as far as its name tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from cfglint.answers.logs.refused import RefusedKey
from cfglint.base.record import FrozenDict, NamedTuple
from cfglint.checks.key_spelling import key_speller, nested_name
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.environment.pins import TargetError
from cfglint.frameworks.for_files import variant
from cfglint.knowledge.keys.classes import known_classes
from cfglint.knowledge.keys.places import full_key
from cfglint.knowledge.keys.table import KeyInfo
from cfglint.knowledge.releases.ranges import within
from cfglint.roles.foreign_names import older_name_in
from cfglint.roles.framework import Framework, frameworks, load_framework

#: Package -> the releases that it may be.
Left = Mapping[str, Sequence[str]]
_NONE: Left = FrozenDict()
#: Releases in their order, the text about them, and the name of a key in them.
_Span = tuple[list[str], tuple[str, str]]
#: The releases of one package are of different minds about what replaces a key so many times at most.
_MAX_SPANS = 3
#: A shorter name of a class is the end of many (`Trainer`).
_FEWEST = 8


class History(NamedTuple):
    """What became of an argument; what is not known of it is empty."""

    text: str
    #: The name to explain.
    name: str
    #: Whether the releases that may have run are of different minds.
    varies: bool = False


def history(
    key: RefusedKey,
    versions: Mapping[str, str],
    left: Left = _NONE,
    readers: Sequence[str] = (),
) -> History:
    """What became of an argument: that it was removed and what replaces it, or what it is a slip for.

    Only the class that the error names is looked at, or the framework that has the section, or else those that may
    have read the argument, and those whose release is known.

    Args:
        versions: of the packages that ran, as far as they are known.
        left: package -> the releases that it may be, where others are ruled out.
        readers: the frameworks that may have read an argument of no class.
    """
    for framework in _readers(key, versions, readers):
        info = framework.keys.info(key.section, key.name)
        if info is None:
            guess = key_speller(framework.keys, key.section).closest(key.name)
            if guess is not None and guess.sure:
                full = full_key(key.section, guess.name)
                return History(f"Did you mean `{guess.name}`?", full)
            nested = nested_name(framework.keys, key.section, key.name) if key.section else ""
            if nested:
                remark = f"The key with the closest name is `{nested}`."
                return History(remark, full_key(key.section, nested))
        elif info.removed:
            came = _came(info, key, framework)
            below = framework.key_policy.removed_below(key.name) if not key.section else None
            gone = f"was removed in {_release(below or info.removed, framework)}."
            text = f"{came} and {gone}" if came else f"It {gone}"
            spans = _replaced_by(key, framework, versions, left)
            remark = _in_spans(spans) if spans else ""
            newer = spans[-1][1][1] if spans else ""
            whole = " ".join(filter(None, (text, remark)))
            return History(whole, newer or key.name, len(spans) > 1)
        elif (came := _came(info, key, framework)) and _may_be_older(info, framework, versions):
            spans = _before(key, framework, versions, left)
            remark = " or ".join(_named_in(spans))
            older = f" There it is called {remark}." if remark else ""
            name = spans[-1][1][1] if spans else key.name
            return History(f"{came}: an older release runs here.{older}", name, len(spans) > 1)
    known = any(load_framework(one).keys.info("", key.name) for one in frameworks())
    return History("", key.name if known else "")


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


def is_decided(key: RefusedKey, versions: Mapping[str, str], readers: Sequence[str] = ()) -> bool:
    """Whether the release is known of what refused an argument."""
    return any(one.packages[0] in versions for one in _readers(key, versions, readers))


def _readers(
    key: RefusedKey, versions: Mapping[str, str], readers: Sequence[str]
) -> Iterator[Framework]:
    for name in sorted(frameworks(), key=lambda one: (one not in readers, one)):
        framework = load_framework(name)
        if key.section:
            if key.section in framework.keys.sections():
                yield framework
        elif not key.by:
            is_known = name in readers or framework.packages[0] in versions
            if is_known and not framework.row["of_sections"]:
                yield framework
        else:
            for full in known_classes(name):
                if _is_or_extends(key.by, full.rpartition(".")[2]):
                    yield variant(framework, kind=full)


def _is_or_extends(name: str, known: str) -> bool:
    """Whether a class is a known one, or has its name with a word in front, as those have that hand on what they are given."""
    return name == known or (len(known) >= _FEWEST and name.endswith(known))


def _replaced_by(
    key: RefusedKey, framework: Framework, versions: Mapping[str, str], left: Left
) -> list[_Span]:
    """What replaces a key that was removed, and its name; of the release that ran, or else of each that may have."""
    if key.section:
        return []
    stated = _environment(framework, versions)
    if stated is not None:
        return _spans([("", _advice(key.name, framework, stated))])
    found = []
    for release, target in _possible(framework, left):
        info = framework.keys.info("", key.name)
        if info is not None and framework.key_policy.keys_in(target).is_gone(info.removed):
            found.append((release, _advice(key.name, framework, target)))
    return _spans(found)


def _before(
    key: RefusedKey, framework: Framework, versions: Mapping[str, str], left: Left
) -> list[_Span]:
    """What a key is called in the releases before the one that brought it."""
    info = framework.keys.info("", key.name)
    if key.section or info is None:
        return []
    policy, found = framework.key_policy, []
    stated = _environment(framework, versions)
    targets = _possible(framework, left) if stated is None else [("", stated)]
    for release, target in targets:
        keys = policy.keys_in(target)
        if not keys.released(info.since):
            older = older_name_in(policy, keys, key.name) or ""
            found.append((release, (f"`{older}`" if older else "", older)))
    spans = _spans(found)
    # Otherwise the spans would be of another package than the one that brought it.
    return spans if " " not in info.since or len(spans) == 1 else []


def _possible(framework: Framework, left: Left) -> Iterator[tuple[str, Environment]]:
    """The releases of a framework that may have run."""
    package = framework.packages[0]
    for release in left.get(package, framework.releases.versions):
        yield release, build_environment(framework.releases, pins=[f"{package}=={release}"])


def _spans(found: Iterable[tuple[str, tuple[str, str]]]) -> list[_Span]:
    """Releases in their order with the text about them, that of several once; none where they differ too often."""
    spans = [
        ([release for release, _ in rows], advice)
        for advice, rows in (
            (advice, list(rows)) for advice, rows in groupby(found, lambda row: row[1])
        )
    ]
    spans = [(releases, advice) for releases, advice in spans if advice[0]]
    return spans if len(spans) <= _MAX_SPANS else []


def _in_spans(spans: list[_Span]) -> str:
    """Sentences on what replaces a key."""
    *earlier, (releases, (last, _)) = spans
    parts = [f"Up to {own[-1]}: {advice[0]}" for own, advice in earlier]
    return " ".join((*parts, f"From {releases[0]} on: {last}" if parts else last))


def _named_in(spans: list[_Span]) -> list[str]:
    """The names of a key, each with its releases where they differ."""
    if len(spans) < 2:
        return [advice[0] for _, advice in spans]
    *earlier, (releases, (last, _)) = spans
    names = [f"{advice[0]} (up to {own[-1]})" for own, advice in earlier]
    return [*names, f"{last} (from {releases[0]} on)"]


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
