"""What becomes of a keyword in the call of a class: a wrong name is refused at once."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.logic import UNKNOWN
from cfglint.base.spelling import is_one_slip
from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar, Final
from cfglint.environment.below import version_below
from cfglint.frameworks.for_files import variant
from cfglint.frameworks.trl.call_parsing import CALLS
from cfglint.frameworks.trl.commands import commands_of_classes
from cfglint.frameworks.trl.examined import ExaminedKeys, is_unseen
from cfglint.frameworks.trl.patched import is_patched
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.classes import parameters_of, table_of
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.releases.ranges import within
from cfglint.roles.foreign_names import ForeignName
from cfglint.roles.key_policy import (
    IDLE,
    LEFT_ALONE,
    READ,
    REFUSED,
    UNKNOWN_KEY,
    UNREAD,
    KeyPolicy,
    Verdict,
    WrittenKey,
)
from cfglint.source.calls import call_of
from cfglint.source.document import Scalar

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.knowledge.keys.table import KeyTable
    from cfglint.roles.framework import Framework
    from cfglint.roles.parts import FileContext

#: How the names of two classes that belong together end.
_PAIRS: Final = (("Trainer", "Config"), ("Config", "Trainer"), ("Trainer", "TrainingArguments"))


class CallKeyPolicy(KeyPolicy):
    """The parameters of a class: what it does not have is a TypeError."""

    #: Says which values the parameters take.
    values: ClassVar[Judge] = CALLS

    def __init__(self, framework: Framework) -> None:
        super().__init__(framework)
        self._in: dict[tuple[tuple[str, str], ...], ExaminedKeys] = {}
        self._aliases: dict[str, tuple[Any, ...]] | None = None

    @property
    def noun(self) -> str:
        return "a parameter"

    @property
    def refused_whole(self) -> str:
        return "the call"

    def keys_in(self, target: Environment) -> ExaminedKeys:
        """The parameters in the stated releases of the packages, or those that came out together."""
        below, classes = compiled.load("trl_below"), compiled.load("trl_classes")
        others = {
            package: (releases, target.beside(package, releases[-1], releases))
            for package, releases in classes.RELEASES.items()
        }
        others[below.PACKAGE] = (below.RELEASES, version_below(target, "trl"))
        asked = tuple((package, release) for package, (_, release) in others.items())
        place = (("", target.release), *asked)
        known = self._in.get(place)
        if known is None:
            known = self._in[place] = ExaminedKeys(
                self.framework.keys,
                self.framework.releases.versions,
                target.release,
                self.own_key,
                judge=self.values,
                other_packages=others,
            )
            known.command = commands_of_classes().get(self.framework.kind, "")
        return known

    def standing(self, key: WrittenKey, ctx: FileContext) -> Verdict:
        verdict = self._standing(key, ctx)
        if verdict.state != UNREAD:
            return verdict
        if verdict.foreign is not None and _is_sifted(self.framework, ctx):
            verdict = verdict.replaced(reader="Unsloth", upstream="warns")
        return verdict.replaced(
            belongs_to=self._belongs_to(key, ctx), before_deletion=self._before_deletion(key, ctx)
        )

    def _standing(self, key: WrittenKey, ctx: FileContext) -> Verdict:
        value = key.entry.value.target()
        is_open = isinstance(value, Scalar) and value.value is UNKNOWN
        verdict = super().standing(key, ctx)
        if verdict.state in (READ, REFUSED) and not is_open and not key.section:
            return Verdict(IDLE) if self._is_unseen(key, ctx) else verdict
        if verdict.state == UNREAD and not verdict.refuses and verdict.why == UNKNOWN_KEY:
            # A class that takes anything has no use for a slip.
            return verdict if is_slip(key, self.framework.keys) else Verdict(LEFT_ALONE)
        if verdict.why == UNKNOWN_KEY:
            advice = self._at_home(key.name)
            return verdict.replaced(hint=f" {advice}" if advice else "")
        return verdict

    def _is_unseen(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether nothing looks at a value."""
        return is_unseen(key.name, key.mapping, ctx.release_keys)

    def aliases(self) -> dict[str, tuple[Any, ...]]:
        """Older names of parameters, and where a parameter is that the class has given up."""
        if self._aliases is None:
            own = super().aliases()
            current = frozenset(self.framework.keys.current(""))
            found = {name: row for name, row in own.items() if row[1] in current}
            for name in self.framework.keys.names(""):
                if name not in current and name not in found:
                    newer = own.get(name, ("", None))[1] or name
                    advice = self._at_home(newer)
                    if advice:
                        found[name] = "", None, "", {}, advice
            self._aliases = found
        return self._aliases

    def foreign(self, name: str, target: Environment) -> ForeignName | None:
        found = super().foreign(name, target)
        if found is None or not found.advice:
            return found
        advice = self._at_home_in(name, target)
        if advice:
            return found.replaced(advice=advice)
        # Where a sentence about another class is all there is, it may not hold in this release.
        return found if found.to is not None else None

    def _belongs_to(self, key: WrittenKey, ctx: FileContext) -> tuple[str, str] | None:
        """The config of the same trainer that takes a parameter, and its name there."""
        call = call_of(ctx.document.root)
        config = call.config if call is not None else None
        if config is None or config.keywords is None or parameters_of("trl", config.name) is None:
            return None
        other = variant(self.framework, kind=config.name).key_policy
        keys = other.keys_in(ctx.target)
        older = other.aliases().get(key.name)
        for name in (key.name, older[1] if older is not None and older[2] == "same" else None):
            if name is not None and keys.standing("", name).ordinary:
                return None if name in config.keywords else (config.section, name)
        return None

    def _before_deletion(self, key: WrittenKey, ctx: FileContext) -> str:
        """Which class would keep a parameter in force that `TrainingArguments` does not have."""
        call = call_of(ctx.document.root)
        given = call.config.name if call is not None and call.config is not None else ""
        home = self._home_in(key.name, ctx.target)
        if given != "transformers.TrainingArguments" or home is None:
            return ""
        return (
            f"Does the run need it? It stays in force if the trainer is given `{home[0]}(…)` in place of"
            f" `TrainingArguments(…)`, with the same arguments and `{home[1]}`."
        )

    def _at_home_in(self, name: str, target: Environment) -> str:
        """The same as `_at_home` for a release, which may know the parameter by its older name."""
        home = self._home_in(name, target)
        return f"`{home[0]}` has `{home[1]}`." if home is not None else ""

    def _home_in(self, name: str, target: Environment) -> tuple[str, str] | None:
        """The class of the same method that has a parameter in a release, and the parameter's name there."""
        for full in self._others():
            policy = variant(self.framework, kind=full).key_policy
            keys = policy.keys_in(target)
            older = policy.aliases().get(name)
            for one in (older[1] if older is not None else None, name):
                if one is not None and keys.standing("", one).ordinary:
                    return full.rpartition(".")[2], one
        return None

    def _others(self) -> Iterator[str]:
        """The other class of the same method."""
        kind = self.framework.kind
        for end, other in _PAIRS:
            full = kind.removesuffix(end) + other
            if kind.endswith(end) and parameters_of("trl", full) is not None:
                yield full

    def _at_home(self, name: str) -> str:
        """A sentence about the class of the same method that has a parameter; empty without one."""
        for full in self._others():
            if name in table_of("trl", full).current(""):
                return f"`{full.rpartition('.')[2]}` has `{name}`."
        return ""


ROLE = CallKeyPolicy


def _is_sifted(framework: Framework, ctx: FileContext) -> bool:
    """Whether Unsloth's class is called, which from 2026.8.11 on drops what the released one does not take."""
    package = framework.kind.partition(".")[0]
    if not framework.kind.endswith("Config") or not is_patched(package, ctx.document, ctx.around):
        return False
    pin = ctx.target.pins.get("unsloth")
    stated = pin.version if pin is not None else None
    return stated is None or within(stated, ">=2026.8.11")


def is_slip(key: WrittenKey, keys: KeyTable) -> bool:
    """Whether a parameter that the call does not have is one letter away from one that the call leaves out."""
    written = key.mapping.names
    return any(
        is_one_slip(key.name, one) for one in keys.current(key.section) if one not in written
    )
