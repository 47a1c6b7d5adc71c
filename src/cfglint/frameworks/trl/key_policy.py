"""What becomes of a key in one of TRL's files."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.environment.below import version_below
from cfglint.frameworks.trl.commands import COMMANDS, commands_of_classes
from cfglint.frameworks.trl.examined import ExaminedKeys, is_unseen
from cfglint.frameworks.trl.unknown_keys import is_dropped, is_dropped_by_parser
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.roles.key_policy import (
    EXTENDED,
    IDLE,
    LATER,
    LEFT_ALONE,
    READ,
    REFUSED,
    UNKNOWN_KEY,
    UNREAD,
    KeyPolicy,
    Verdict,
    WrittenKey,
)
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.frameworks.trl.own_code import TrlOwnCode
    from cfglint.roles.framework import Framework
    from cfglint.roles.parts import FileContext

#: Scripts that train with GRPO, open-r1's first, had it before TRL's own did.
_READ_SOONER: Final = {"reward_funcs": "0.14.0"}
#: What GRPO did before there was a key for it.
_DONE_SOONER: Final[dict[str, tuple[str, Any]]] = {
    "num_iterations": ("0.14.0", 1),
    "scale_rewards": ("0.14.0", True),
    "repetition_penalty": ("0.14.0", 1.0),
    "top_p": ("0.14.0", 1.0),
}
#: What `trl` itself makes an option of the launcher from.
_FOR_LAUNCHER: Final = "accelerate_config"
_MAY_BE_LEFT_OUT: Final = "a program of the project, which loads the file itself, may leave it out"
_NOT_IN_PROJECT: Final = " No class that a program of this project parses has it either."


class TrlKeyPolicy(KeyPolicy):
    """The arguments of a command, of transformers below it, and of the launcher."""

    shared_from = 6

    def __init__(self, framework: Framework) -> None:
        super().__init__(framework)
        self._in: dict[tuple[str, str, frozenset[str]], ExaminedKeys] = {}

    def keys_in(self, target: Environment) -> ReleaseKeys:
        """The keys of a release of TRL with the stated version of transformers, or the one that came with it."""
        return self.keys_of(target.release, version_below(target, "trl"), target.hidden)

    def keys_of(
        self, release: str, stated: str | None = None, hidden: frozenset[str] = frozenset()
    ) -> ReleaseKeys:
        """The keys of a release of TRL with a release of transformers, or the one that came with it."""
        below, framework = compiled.load("trl_below"), self.framework
        beside = stated or below.BESIDE.get(release, below.RELEASES[-1])
        at = (release, beside, hidden)
        known = self._in.get(at)
        if known is None:
            known = self._in[at] = ExaminedKeys(
                framework.keys,
                framework.releases.versions,
                release,
                self.own_key,
                judge=framework.parsing.judge(release),
                other_packages={below.PACKAGE: (below.RELEASES, beside)},
                hidden=hidden,
            )
            known.command = self._command
        return known

    def by_name(self, section: str, name: str, keys: ReleaseKeys) -> Verdict:
        verdict = super().by_name(section, name, keys)
        if self.framework.in_scripts and verdict.why == UNKNOWN_KEY:
            from cfglint.frameworks.trl.scripts import is_left_alone

            return Verdict(LEFT_ALONE) if is_left_alone(section, name) else verdict
        sooner = _READ_SOONER.get(name) if not section and verdict.why == LATER else None
        return Verdict(READ) if sooner is not None and keys.released(sooner) else verdict

    def standing(self, key: WrittenKey, ctx: FileContext) -> Verdict:
        verdict = super().standing(key, ctx)
        if verdict.state in (READ, REFUSED):
            if self.framework.in_scripts:
                return verdict  # every word is converted
            is_idle = not key.section and is_unseen(key.name, key.mapping, ctx.release_keys)
            return Verdict(IDLE) if is_idle else verdict
        if verdict.state == UNREAD:
            verdict = self._as_programs_read(verdict, key, ctx)
        if verdict.why == UNKNOWN_KEY:
            hint = self._known_elsewhere(key.section, key.name)
            if not verdict.has_no_reader or self.framework.in_scripts:
                return verdict.replaced(hint=hint)
            # Whether the program's parser refuses it depends on a release that nothing states.
            doubtful = verdict.doubtful or ctx.target.assumed
            return verdict.replaced(hint=hint or _NOT_IN_PROJECT, doubtful=doubtful)
        if verdict.why == LATER:
            usual = _DONE_SOONER.get(key.name)
            if usual is not None and ctx.release_keys.released(usual[0]):
                is_usual = to_python(key.entry.value) == usual[1]
                verdict = verdict.replaced(needless=verdict.needless or is_usual)
            if self.is_option_of_launcher(key.section, key.name):
                # Who starts a program of their own gives the launcher its options themselves.
                return verdict.replaced(
                    hint=self._known_elsewhere(key.section, key.name),
                    severity="note" if self._own_code.is_there(ctx) else "warning",
                )
        return verdict

    def _as_programs_read(self, verdict: Verdict, key: WrittenKey, ctx: FileContext) -> Verdict:
        """What becomes of an unread key with the programs of the project in mind."""
        own = self._own_code
        return verdict.replaced(
            doubtful=own.may_have(key, ctx),
            doubt=_MAY_BE_LEFT_OUT if own.is_loaded(ctx) else "",
            other_reader=EXTENDED if own.reads(ctx.document) else "",
            has_no_reader=own.lacks(key, ctx) or self._is_for_trl_alone(ctx),
            reader=self._reader(ctx),
        )

    def _is_for_trl_alone(self, ctx: FileContext) -> bool:
        """Whether a command starts `trl` itself, and no program of a project's own."""
        from cfglint.frameworks.trl.scripts import starts_itself

        return self.framework.in_scripts and starts_itself(ctx.document)

    def drops_words(self, ctx: FileContext) -> bool:
        from cfglint.frameworks.trl.scripts import drops_words

        return drops_words(self._command, ctx.document, ctx.release_keys)

    def refuses(self, key: WrittenKey, ctx: FileContext) -> bool:
        """A release may go on without a key that its command does not have."""
        if self.framework.in_scripts:
            return not self.drops_words(ctx)
        if self.framework.keys.forbids_unknown_since(key.section) is None:
            return False
        if self._own_code.is_loaded(ctx):
            return False  # it picks from the file what it knows
        if self._own_code.takes_over(ctx):
            return self._own_code.is_strict(ctx)
        if self._own_code.is_script(ctx):
            # Without `trl`, nothing hands the key on to the launcher.
            is_left = is_dropped_by_parser(ctx.release_keys)
            return not is_left or self._own_code.is_strict(ctx)
        of_launcher = self.is_option_of_launcher(key.section, key.name)
        if is_dropped(self._command, key.name, ctx.release_keys, of_launcher=of_launcher):
            return self._own_code.is_strict(ctx)
        return super().refuses(key, ctx)

    def _reader(self, ctx: FileContext) -> str:
        """The class of TRL's that a program of the project fills from the file; empty without one."""
        if not self._command or self.framework.in_scripts or not self._own_code.is_there(ctx):
            return ""
        names = (one for one, command in commands_of_classes().items() if command == self._command)
        return f"TRL's `{next(names, self._command).rpartition('.')[2]}`"

    @property
    def _command(self) -> str:
        return self.framework.kind if self.framework.kind in COMMANDS else ""

    @property
    def _own_code(self) -> TrlOwnCode:
        return self.framework.own_code  # type: ignore[return-value]

    def is_option_of_launcher(self, section: str, name: str) -> bool:
        """Whether the command that starts the processes may have a key's value as an option."""
        info = self.framework.keys.info(section, name)
        return info is not None and info.type == "any" and " " not in info.since

    def _known_elsewhere(self, section: str, name: str) -> str:
        """A hint about a key that files of another kind have; empty if none does."""
        if name != _FOR_LAUNCHER and self.is_option_of_launcher(section, name):
            return f" It is an option of `accelerate launch`: `--{name}`."
        kinds = compiled.load("trl_below").KINDS.get(name, ()) if not section else ()
        if not kinds:
            return ""
        names = [f"`trl {kind}`" for kind in sorted(kinds)]
        return f" It is a key of {' and '.join(names)}."


ROLE = TrlKeyPolicy
