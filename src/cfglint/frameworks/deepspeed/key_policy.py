"""What becomes of a key in one of DeepSpeed's files."""

from __future__ import annotations

from functools import cached_property

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.frameworks.deepspeed.filling import AUTO
from cfglint.frameworks.deepspeed.own_code import DeepSpeedOwnCode
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.roles.key_policy import (
    GENERIC_NAMES,
    IDLE,
    LEFT_ALONE,
    READ,
    REFUSED,
    UNKNOWN_KEY,
    KeyPolicy,
    Verdict,
    WrittenKey,
)
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.roles.parts import FileContext

#: Names that do not show where they belong.
_EVERYWHERE = GENERIC_NAMES | {
    "block",
    "config",
    "debug",
    "dtype",
    "kwargs",
    "offload",
    "params",
    "seed",
}
#: Whose arguments people write into the file, though a command or a config of theirs has them as well.
_TRAINERS = frozenset({"transformers", "accelerate"})
#: The section that is read when something is swapped to a disk, and where that is asked for.
_SWAPPING = "aio"
_DEVICES = tuple(
    ("zero_optimization", section, "device") for section in ("offload_param", "offload_optimizer")
)

#: The section that is read for a curriculum of data, and the section in it that asks for one.
_SAMPLING, _CURRICULUM = "data_sampling", "curriculum_learning"
_NO_CURRICULUM = "DeepSpeed looks into it for `curriculum_learning` alone, which is not there."


def _has_curriculum(key: WrittenKey) -> bool:
    value = to_python(key.entry.value)
    return not isinstance(value, dict) or _CURRICULUM in value


def _swaps(ctx: FileContext) -> bool:
    """Whether the file offloads something to anything but the memory."""
    nodes = [node for path in _DEVICES if (node := ctx.document.node(path)) is not None]
    return any(to_python(node) not in ("cpu", "none") for node in nodes)


class DeepSpeedKeyPolicy(KeyPolicy):
    """The keys of DeepSpeed's models and of the sections that it walks."""

    # A library that many programs pin: the newest release may well not be the one that reads it.
    refused_by_newest = "warning"
    #: GPT-NeoX and the like keep their own settings in the same file.
    shared_from = 5

    def reads_section(self, section: str, ctx: FileContext) -> bool:
        """Whether a section is read: `bfloat16` is not if there is `bf16`."""
        return section != "bfloat16" or ctx.document.node(("bf16",)) is None

    def by_name(self, section: str, name: str, keys: ReleaseKeys) -> Verdict:
        """A key that no release knows may be meant for human readers."""
        verdict = super().by_name(section, name, keys)
        is_remark = name.startswith(("_", "//", "#")) or name.lower() in ("comment", "comments")
        if verdict.why == UNKNOWN_KEY and not section and is_remark:
            return Verdict(LEFT_ALONE)
        return verdict

    def standing(self, key: WrittenKey, ctx: FileContext) -> Verdict:
        verdict = super().standing(key, ctx)
        is_older_name = key.full_name == "bfloat16" and "bf16" in key.mapping.lookup
        if is_older_name and verdict.state in (READ, REFUSED):
            return Verdict(IDLE)
        if key.section == _SWAPPING and not verdict.refuses and not _swaps(ctx):
            return verdict if verdict.state == READ else Verdict(LEFT_ALONE)
        if verdict.why != UNKNOWN_KEY or key.section or verdict.refuses:
            return verdict
        if key.name == _SAMPLING and not _has_curriculum(key):
            return verdict.replaced(needless=True, hint=_NO_CURRICULUM)
        if verdict.foreign is None:
            # Many keep remarks and settings of their own in the file, and all of them DeepSpeed leaves alone.
            is_own = not verdict.homes and key.name not in self._in_sections
            return verdict.replaced(severity="note") if is_own else verdict
        is_argument = verdict.foreign.to is None and verdict.foreign.origin in _TRAINERS
        own_code = self.framework.own_code
        if is_argument and isinstance(own_code, DeepSpeedOwnCode) and own_code.sets(key, ctx):
            return verdict.replaced(needless=True)
        return verdict

    @cached_property
    def _in_sections(self) -> frozenset[str]:
        """The keys that some section has."""
        table = self.framework.keys
        return frozenset(name for one in table.sections() if one for name in table.current(one))

    def refuses(self, key: WrittenKey, ctx: FileContext) -> bool:
        """A model drops its "auto" members before it looks at their names."""
        reader = ctx.release_keys.reader(key.section)
        is_model = reader.startswith("pydantic") and not reader.endswith("plain")
        if is_model and to_python(key.entry.value) == AUTO:
            return False
        return super().refuses(key, ctx)

    def homes(self, section: str, name: str, homes: list[str]) -> list[str]:
        """A key is misplaced when only one section has it, and not what it is in."""
        if section.rpartition(".")[2] == name or name in _EVERYWHERE:
            return []
        return homes if len(homes) == 1 else []


ROLE = DeepSpeedKeyPolicy
