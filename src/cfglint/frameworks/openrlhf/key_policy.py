"""What becomes of an option in a script of OpenRLHF."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.roles.foreign_names import ForeignName
from cfglint.roles.key_policy import (
    LEFT_ALONE,
    REMOVED,
    UNKNOWN_KEY,
    UNREAD,
    KeyPolicy,
    Verdict,
    WrittenKey,
)
from cfglint.source.languages.shell import is_frame

if TYPE_CHECKING:
    from cfglint.roles.parts import FileContext

#: Options of the program that trains with Ray of which each model has one by now.
_SEVERAL: Final = {
    "adam_betas": ("actor.adam.betas", "critic.adam.betas"),
    "l2": ("actor.adam.weight_decay", "critic.adam.weight_decay"),
    "lr_scheduler": ("actor.lr_scheduler", "critic.lr_scheduler"),
    "lr_warmup_ratio": ("actor.lr_warmup_ratio", "critic.lr_warmup_ratio"),
    "max_norm": ("actor.max_norm", "critic.max_norm"),
    "ref_reward_offload": ("ref.offload", "reward.offload"),
}


class OpenRLHFKeyPolicy(KeyPolicy):
    """The options of the program that a script starts."""

    @property
    def refused_whole(self) -> str:
        return "the command"

    def by_name(self, section: str, name: str, keys: ReleaseKeys) -> Verdict:
        """What starts the program, and further commands of the script, are no options."""
        verdict = super().by_name(section, name, keys)
        is_left = verdict.why == UNKNOWN_KEY and not section and (is_frame(name) or name == "help")
        return Verdict(LEFT_ALONE) if is_left else verdict

    def standing(self, key: WrittenKey, ctx: FileContext) -> Verdict:
        verdict = super().standing(key, ctx)
        several = _SEVERAL.get(key.full_name)
        if verdict.state != UNREAD or verdict.why != REMOVED or several is None:
            return verdict
        advice = f"Each model has its own option now: `{several[0]}` and `{several[1]}`."
        foreign = ForeignName("older releases", None, "by other keys", {}, advice)
        return verdict.replaced(foreign=foreign)


ROLE = OpenRLHFKeyPolicy
