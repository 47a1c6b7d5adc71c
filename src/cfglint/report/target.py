"""The releases and hardware that a file was checked against, as text and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator

from cfglint.base.type_names import Any
from cfglint.environment.below import Below, unstated_below
from cfglint.environment.environment import Environment
from cfglint.environment.pins import Pin
from cfglint.knowledge import compiled


def described(target: Environment, elsewhere: Container[str] = ()) -> str:
    """`peft 0.17.0 (uv.lock line 31), torch 2.6.0 and 12 more (uv.lock), 8 GPUs (--gpus)`.

    Args:
        elsewhere: the packages whose releases the targets of the run's files are; they are not
            repeated.
    """
    return _listed([text for _, text in _parts(target, elsewhere)], _implied(target, elsewhere))


def of_run(targets: Iterable[Environment]) -> str:
    """The same for all files of a run: what most of them were checked for, once per package.

    The packages that the files are for come first.
    """
    every = list(targets)
    packages = Counter(target.releases.package for target in every)
    if len(every) == 1:
        return described(every[0], packages)
    names = sorted(packages, key=lambda name: -packages[name])
    found: dict[str, Counter[str]] = {name: Counter() for name in names}
    implied: dict[str, None] = {}
    for target in every:
        for about, text in _parts(target, packages):
            found.setdefault(about, Counter())[text] += 1
        implied.update(dict.fromkeys(_implied(target, packages)))
    texts = []
    for about, values in found.items():
        others = len(values) - 1
        noun = "release" if about in packages else "value"
        more = f" and {others} other {noun}{'s' * (others > 1)}" if others else ""
        texts.append(max(values, key=values.__getitem__) + more)
    return _listed(texts, list(implied))


def _listed(texts: list[str], implied: list[str]) -> str:
    text = ", ".join(texts)
    return f"{text}; {', '.join(implied)} implied" if implied else text


def _parts(target: Environment, elsewhere: Container[str]) -> Iterator[tuple[str, str]]:
    """What a file was checked for: the package or fact, and the value with its origin."""
    own = target.releases.package
    lower = {one.package: one for one in unstated_below(target)}
    yield own, _with_lower(release_described(target), lower.pop(own, None))
    for name, one in lower.items():
        yield name, f"{name} {one.version} ({one.origin})"
    stated = {}
    for name, pin in target.pins.items():
        if name == own or name in elsewhere or name in lower:
            continue
        if not pin.in_project:
            yield name, f"{name} {pin} ({pin.origin})"
        elif pin.spec is None and not pin.implied:
            stated[name] = pin
    if stated:
        yield "stated", _several(stated, own)
    gpus, gpu = target.facts.get("gpus"), target.facts.get("gpu")
    if gpus is not None:
        yield "gpus", f"{gpus.value} {'GPU' if gpus.value == 1 else 'GPUs'} ({gpus.origin})"
    if gpu is not None:
        yield "gpu", f"{gpu.value} ({gpu.origin})"


def _with_lower(text: str, lower: Below | None) -> str:
    """`transformers 5.24.0 (the newest known; 4.51.3 for classes of …)`."""
    if lower is None:
        return text
    return (
        f"{text.removesuffix(')')}; {lower.version} for classes of {lower.above} {lower.release})"
    )


def _implied(target: Environment, elsewhere: Container[str]) -> list[str]:
    """The versions that follow from others, of the packages that people look for most."""
    own, release = target.releases.package, implied_versions(target)
    pins = ((name, pin) for name, pin in target.pins.items() if name != own)
    found = [f"{name} {pin}" for name, pin in pins if pin.implied and name not in elsewhere]
    return found + [f"{name} {release[name]}" for name in _shown()[1:] if name in release]


def release_described(target: Environment) -> str:
    """`peft 0.17.0 (uv.lock line 31)`, or the two releases that a build lies between."""
    name = target.releases.package
    own = target.pins.get(name)
    if own is None or own.version is not None:
        return f"{name} {target.release} ({target.release_origin})"
    if own.between is not None and target.placed:
        after, before = own.between
        which = f" {own}" if own.commit else ""
        if after == before and own.commit:
            return f"{name} {after} (commit{which}; {own.origin})"
        if after == before:
            place = f"as it was for {after}"
        elif after is None or before is None:
            place = f"after {after}" if after else f"before {before}"
        else:
            place = f"between {after} and {before}{_nearer(name, own)}"
        return f"{name}{which} {place} ({own.origin})"
    if own.commit is not None:
        which = f"commit {own}" if own.commit else "the commit of a submodule"
        return (
            f"{name} {target.release} ({target.release_origin}; "
            f"{which} has no known position, {own.origin})"
        )
    if own.fork:
        return f"{name} {target.release} ({target.release_origin}; {own.origin} has the fork {own.fork})"
    return f"{name} {target.release} (the newest in {own.spec}; {own.origin})"


#: What to do where the settings state what one environment cannot have.
_ONE_ENVIRONMENT = (
    "the `target` of a settings file is one environment; files that run in another one need a cfglint.toml of their "
    'own in their folder, with `extend = "../cfglint.toml"` and a `target`'
)


def warnings(targets: Iterable[Environment]) -> list[str]:
    """Warnings about versions that cfglint does not know or that contradict each other, each once."""
    found: dict[str, None] = {}
    is_shared = False
    for target in targets:
        for package, doubt in target.unlisted().items():
            is_own = package == target.releases.package
            if doubt.is_build and not is_own:
                continue  # the files of that framework say between which releases it lies
            effect = ""
            if is_own:
                effect = (
                    "; its keys are not checked"
                    if doubt.is_older
                    else "; its keys are checked against the releases around it"
                )
            found[f"{doubt} ({target.pins[package].origin}){effect}"] = None
        for package, wanted in target.contradicting().items():
            found[
                f"{target.releases.package} {target.release} asks for {package} {wanted}, not "
                f"{target.pins[package]} ({target.pins[package].origin}); the files are checked for both"
            ] = None
            is_shared |= target.pins[package].origin.endswith(".toml")
    if is_shared:
        found[_ONE_ENVIRONMENT] = None
    return list(found)


def _nearer(package: str, pin: Pin) -> str:
    """A note on which of two releases a build is much closer to; empty when neither is."""
    from cfglint.knowledge.releases.commits import nearer

    assert pin.between is not None
    commits = pin.commits or ((pin.commit,) if pin.commit else ())
    found = nearer(package, commits, pin.between)
    return f", nearer {found}" if found else ""


def _shown() -> tuple[str, ...]:
    """Packages whose version people look for most, the most wanted first."""
    found: tuple[str, ...] = compiled.load("frameworks").SHOWN
    return found


def _several(pins: dict[str, Pin], own: str) -> str:
    """The version that people look for most, and how many more; what builds on the file's own package comes first."""
    shown = _shown()
    later = shown.index(own) + 1 if own in shown else 0
    order = (*shown[later:], *shown)
    first = next((name for name in order if name in pins), next(iter(pins)))
    others = len(pins) - 1
    file = pins[first].origin
    if not others:
        return f"{first} {pins[first]} ({file})"
    file, _, rest = file.partition(" line ")
    why = f", {rest.partition(', ')[2]}" if pins[first].weak else ""
    return f"{first} {pins[first]} and {others} more ({file}{why})"


def implied_versions(target: Environment) -> dict[str, str]:
    """Packages of one version that the release of a project's file pins, and that no file states."""
    framework = target.releases.package
    own = target.pins.get(framework)
    if own is None or not own.in_project or own.version is None:
        return {}
    from cfglint.knowledge.releases.ranges import exact

    return {
        name: version
        for name, spec in target.releases.pins.get(own.version, {}).items()
        if name not in target.pins
        and name not in compiled.load("frameworks").BY_EXTRA
        and (version := exact(spec)) is not None
    }


def as_data(target: Environment) -> dict[str, Any]:
    """The target as data: package or fact -> value and where it is from."""
    framework = target.releases.package
    out: dict[str, Any] = {framework: {"version": target.release, "from": target.release_origin}}
    doubts = target.unlisted()
    for package, pin in target.pins.items():
        row: dict[str, Any] = {"version": pin.version, "from": pin.origin}
        if pin.commit:
            row["commit"] = pin.commit
        if pin.spec is not None:
            row["range"] = pin.spec
        if pin.fork:
            row["fork"] = pin.fork
        if pin.between is not None:
            row["after"], row["before"] = pin.between
        if pin.implied:
            row["implied"] = True
        if package in doubts:
            row["warning"] = str(doubts[package])
        out[package] = row
    for one in unstated_below(target):
        if one.package == framework:
            out[framework]["for_classes_of"] = {one.above: one.version}
        else:
            own = target.pins.get(one.package)
            asked = {"range": own.spec} if own is not None and own.spec else {}
            out[one.package] = {
                "version": one.version,
                "from": one.origin,
                **asked,
                "implied": True,
            }
    implied = implied_versions(target)
    if implied:
        out[framework]["implies"] = implied
    for name, fact in target.facts.items():
        out[name] = {"value": fact.value, "from": fact.origin}
    return out
