"""What becomes of a key that a word sets: Hydra refuses those that the config does not have."""

from __future__ import annotations

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import TYPE_CHECKING, ClassVar
from cfglint.frameworks.verl.merging import NO_KEY, found_at
from cfglint.frameworks.verl.run_config import config_in
from cfglint.frameworks.verl.spans import last_with
from cfglint.roles.framework import load_framework
from cfglint.roles.key_policy import LEFT_ALONE, UNREAD, KeyPolicy, Verdict, WrittenKey
from cfglint.roles.scripts import command_of
from cfglint.source.languages.overrides import OPTIONS
from cfglint.source.languages.shell import is_frame

if TYPE_CHECKING:
    from cfglint.diagnostic import SeverityName
    from cfglint.roles.parts import FileContext

_LEFT_ALONE = Verdict(LEFT_ALONE)
#: What is Hydra's own: the section with its settings, and its options.
_HYDRA = frozenset({"hydra", *OPTIONS})


class VerlKeyPolicy(KeyPolicy):
    """The keys of the config that a command reads."""

    refused_by_newest: ClassVar[SeverityName] = "warning"
    refusal: ClassVar[str] = "; Hydra names the key"
    shared_from = 3
    shared_effect: ClassVar[str] = (
        "the command seems to start a fork, which may have keys of its own"
    )

    @property
    def noun(self) -> str:
        return "a key"

    @property
    def refused_whole(self) -> str:
        return "the command"

    def standing(self, key: WrittenKey, ctx: FileContext) -> Verdict:
        if not key.section and (key.name in _HYDRA or is_frame(key.name)):
            return _LEFT_ALONE
        verdict = super().standing(key, ctx)
        if verdict.state == UNREAD and ctx.target.assumed and _may_be_later(key, ctx):
            return _LEFT_ALONE
        return verdict if verdict.state != UNREAD or _is_refused(key, ctx) else _LEFT_ALONE

    def reads_section(self, section: str, ctx: FileContext) -> bool:
        """Whether the keys of a section are those of the release's config."""
        found = config_in(ctx)
        if found is None or found.own is not None:
            return False
        return found_at(found.before, filter(None, section.split("."))) is not UNKNOWN

    def homes(self, section: str, name: str, homes: list[str]) -> list[str]:
        """The one section that has a key of the name; many have the same ones."""
        return homes if len(homes) == 1 else []


def _may_be_later(key: WrittenKey, ctx: FileContext) -> bool:
    """Whether a program that goes on elsewhere may have a key by now: one of the config that its own builds on."""
    if last_with(command_of(ctx.document.root)) is None:
        return False
    return key.name in load_framework("verl").keys.current(key.section)


def _is_refused(key: WrittenKey, ctx: FileContext) -> bool:
    """Whether Hydra refuses the word that sets a key, or one below it."""
    found = config_in(ctx)
    name = f"{key.full_name}."
    refused = found.merged.refused if found is not None else ()
    return any(
        one.why == NO_KEY
        and (f"{one.word.key}.".startswith(name) or name.startswith(f"{one.word.key}."))
        for one in refused
    )


ROLE = VerlKeyPolicy
