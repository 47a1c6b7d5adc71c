"""Which releases of a package a program may import from: those that something states, and what pip chooses where nothing does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cfglint.base.record import NamedTuple
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.environment.pythons import those_installable
from cfglint.knowledge.releases.names import known_versions
from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.table import known_releases

if TYPE_CHECKING:
    from cfglint.checks.context import CheckContext
    from cfglint.environment.pins import Fact, Pin

#: Packages whose releases state which ones of others they need, in the order in which they are asked.
_ASKING: Final = ("trl", "transformers", "llamafactory", "axolotl", "ms-swift")
#: What releases need; one of these that is stated may keep a package old.
_NEEDED: Final = (
    *("accelerate", "datasets", "huggingface-hub", "peft", "tokenizers", "torch", "transformers"),
    *("trl", "unsloth", "axolotl", "llamafactory", "ms-swift", "vllm"),
)
#: Packages that need no torch.
_WITHOUT_TORCH: Final = frozenset({"datasets", "huggingface-hub"})


class Admitted(NamedTuple):
    """The releases of a package that what is stated admits."""

    versions: Sequence[str]
    #: As a message says it: `peft 0.10.0`, `datasets >=3.0.0 (which trl 0.20.0 asks for)`.
    text: str

    def are_all(self, spec: str) -> bool:
        """Whether all of them are in a range."""
        return all(within(one, spec) for one in self.versions)

    def __str__(self) -> str:
        return self.text


def admitted_releases(ctx: CheckContext, package: str) -> Admitted | None:
    """The releases that a stated version or range of a package admits, or those of packages that ask for it; None for any."""
    pin = ctx.target.pins.get(package)
    if pin is not None and (pin.implied or pin.fork or pin.commit or pin.commits or pin.between):
        return None
    if pin is not None and not pin.inferred:
        if pin.version is not None:
            return Admitted([pin.version], f"{package} {pin}")
        if pin.spec is not None:
            own = [one for one in known_versions(package) if within(one, pin.spec)]
            if own and len(own) < len(known_versions(package)):
                return _narrowed(ctx, package, Admitted(own, f"{package} {pin}"))
    known = known_versions(package)
    return _narrowed(ctx, package, Admitted(known, "")) if known else None


def _narrowed(ctx: CheckContext, package: str, own: Admitted) -> Admitted | None:
    """Those among some releases that the package's stated users ask for; None where nothing is stated."""
    for other in _ASKING:
        pin = ctx.target.pins.get(other)
        spec = _asked_by(other, package, pin) if pin is not None and other != package else None
        if spec is None or pin is None:
            continue
        admitted = [one for one in own.versions if within(one, spec)]
        if admitted and len(admitted) < len(own.versions):
            text = f"{package} {spec} (which {other} {pin} asks for)"
            return Admitted(admitted, text)
    return own if own.text else None


def _asked_by(other: str, package: str, pin: Pin) -> str | None:
    """The range of a package that the stated release of another one asks for."""
    releases = known_releases(other)
    if releases is None or pin.version is None or _is_vague(pin):
        return None
    return releases.pins.get(pin.version, {}).get(package)


def _is_vague(pin: Pin) -> bool:
    return pin.inferred or pin.implied or pin.weak or pin.dated or bool(pin.fork)


def newest_of(package: str, facts: Mapping[str, Fact]) -> str:
    """The newest release that the project's Python can have."""
    return those_installable(package, [*known_versions(package)], facts)[-1]


def is_free(ctx: CheckContext, package: str) -> bool:
    """Whether pip is free to choose the newest release: nothing states it, nor bounds what it needs."""
    own = ctx.target.pins.get(package)
    if own is not None and not own.inferred and not own.dated and _binds(own):
        return False
    needed = [one for one in _NEEDED if one != "torch" or package not in _WITHOUT_TORCH]
    return not any(
        name != package and pin is not None and not pin.inferred and _binds(pin)
        for name in (*needed, "python")
        for pin in [ctx.target.pins.get(name)]
    )


def _binds(pin: Pin) -> bool:
    """Whether a release is stated, or an upper bound."""
    if pin.version is not None or pin.commit is not None:
        return True
    return pin.spec is not None and any(sign in pin.spec for sign in ("<", "=="))
