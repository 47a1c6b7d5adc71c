"""What becomes of an argument of ms-swift."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.frameworks.swift.commands import COMMANDS, OF_RAY, TRAINING, having, is_for_ray
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.argument_types import converted
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.roles.foreign_names import ForeignName
from cfglint.roles.key_policy import (
    LEFT_ALONE,
    READ,
    REMOVED,
    UNKNOWN_KEY,
    UNREAD,
    KeyPolicy,
    Verdict,
    WrittenKey,
)
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.roles.parts import FileContext
    from cfglint.source.document import Document

_BELOW: Final = "transformers"
#: The first release whose commands that train take transformers' arguments.
_WITH_BELOW_SINCE: Final = "3.0.0"
#: The argument with which a command goes on without what it does not know.
_SWITCH: Final = "ignore_args_error"
#: The mapping of environment variables in a file, which the command takes out of it.
_ENVIRONMENT: Final = "ENV"
#: The commands that all releases between the first and the last one have.
_ALL_ALONG: Final = frozenset(COMMANDS) - {"app"}
_MAX_RENAMES: Final = 4
#: No message lists more commands that have an argument.
_MAX_NAMED: Final = 3


class SwiftKeyPolicy(KeyPolicy):
    """The arguments of a command, among them those of the transformers that is installed with it."""

    @property
    def noun(self) -> str:
        return "an argument"

    def by_name(self, section: str, name: str, keys: ReleaseKeys) -> Verdict:
        verdict = super().by_name(section, name, keys)
        if verdict.why != UNKNOWN_KEY or section:
            return verdict
        if name == _ENVIRONMENT and not self.framework.in_scripts:
            return Verdict(LEFT_ALONE)
        if self.framework.in_scripts:
            from cfglint.source.languages.shell import is_frame

            return Verdict(LEFT_ALONE) if is_frame(name) else verdict
        # A file becomes the words of a line, where an option may be abbreviated.
        fitting = [one for one in self.framework.keys.names("") if one.startswith(name)]
        return Verdict(LEFT_ALONE) if fitting else verdict

    def removed_below(self, name: str) -> str | None:
        span = compiled.load("swift_data").TRANSFORMERS["keys"].get(name)
        return None if span is None else _last(span[1])

    def standing(self, key: WrittenKey, ctx: FileContext) -> Verdict:
        verdict = super().standing(key, ctx)
        if verdict.state == READ and not key.section:
            verdict = self._in_gap(verdict, key, ctx)
        if verdict.state != UNREAD or key.section:
            return verdict
        if key.name in OF_RAY and is_for_ray(ctx.document):
            return Verdict(LEFT_ALONE)
        verdict = self._by_transformers(verdict, key, ctx)
        if verdict.state != UNREAD:
            return verdict
        if verdict.foreign is not None:
            verdict = verdict.replaced(foreign=self._current(verdict.foreign, ctx.release_keys))
        hint = "" if verdict.foreign is not None else self._elsewhere(key.name, ctx.release_keys)
        return verdict.replaced(hint=hint) if hint else verdict

    def refuses(self, key: WrittenKey, ctx: FileContext) -> bool:
        return not self.drops_words(ctx)

    def drops_words(self, ctx: FileContext) -> bool:
        """`--ignore_args_error true` makes of the refusal a line in the log."""
        return ctx.once(_SWITCH, lambda: ignores_unknown(ctx.document))

    def _in_gap(self, verdict: Verdict, key: WrittenKey, ctx: FileContext) -> Verdict:
        """The verdict on an argument that went, and came again after the release."""
        known, table = self.framework.releases.versions, self.framework.keys
        at = known.index(ctx.target.release) if ctx.target.release in known else 0
        if self.framework.kind not in _ALL_ALONG or not self._lacks(key.name, known[at]):
            return verdict
        while at and self._lacks(key.name, known[at - 1]):
            at -= 1
        begins_another = any(
            one != key.name and one.startswith(key.name) for one in table.names("")
        )
        if begins_another or self.framework.own_code.has(key, ctx):
            return verdict
        gone = Verdict(
            UNREAD, why=REMOVED, removed_with=f"{self.framework.packages[0]} {known[at]}"
        )
        return self._unread(gone, key, ctx)

    def _lacks(self, name: str, release: str) -> bool:
        return self.framework.keys.is_absent("", name, release)

    def _by_transformers(self, verdict: Verdict, key: WrittenKey, ctx: FileContext) -> Verdict:
        """The verdict on an argument that some releases of transformers have and others do not."""
        span = compiled.load("swift_data").TRANSFORMERS["keys"].get(key.name)
        may_train = self.framework.kind in TRAINING or self.framework.kind not in COMMANDS
        if span is None or not may_train or not ctx.release_keys.released(_WITH_BELOW_SINCE):
            return verdict
        since, removed = span
        pin = ctx.target.pins.get(_BELOW)
        if pin is None or pin.version is None:
            # The newest that is admitted does not have it; an older one may be installed.
            return verdict.replaced(severity="warning", removed_with=_last(removed))
        if _reached(pin.version, since) and not (removed and _reached(pin.version, removed)):
            return Verdict(READ)
        return verdict.replaced(removed_with=_last(removed) if verdict.why == REMOVED else "")

    def _current(self, foreign: ForeignName, keys: ReleaseKeys) -> ForeignName:
        """The name that a release has for an argument that was renamed more than once."""
        known = self.aliases()
        for _ in range(_MAX_RENAMES):
            to = foreign.to
            info = self.framework.keys.info("", to) if to else None
            if to is None or to not in known or info is None or not info.removed:
                break
            if not keys.released(info.removed):
                break
            further = ForeignName(*known[to])
            if further.how != "same":
                break
            foreign = foreign.replaced(to=further.to)
        return foreign

    def _elsewhere(self, name: str, keys: ReleaseKeys) -> str:
        """A hint about an argument that other commands have; empty if none does."""
        if self.framework.kind not in COMMANDS:
            return ""
        *names, last = [f"`{one}`" for one in having(name, keys)][:_MAX_NAMED] or [""]
        if not last:
            return ""
        return f" It is an argument of {', '.join(names) + ' and ' if names else ''}{last}."


def ignores_unknown(document: Document) -> bool:
    """Whether a command is to go on without arguments that it does not know."""
    node = document.node((_SWITCH,))
    value = to_python(node) if node is not None else None
    return value is True or (isinstance(value, str) and converted(("bool",), value) is True)


def _last(removed: str | None) -> str:
    return f"{_BELOW} {removed}" if removed else ""


def _reached(version: object, release: str) -> bool:
    from packaging.version import Version

    return Version(str(version)) >= Version(release)


ROLE = SwiftKeyPolicy
