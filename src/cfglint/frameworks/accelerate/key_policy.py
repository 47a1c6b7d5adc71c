"""What becomes of a key in one of accelerate's files."""

from __future__ import annotations

from functools import cached_property

from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.keys.table import KeyTable, ReadWhen
from cfglint.roles.key_policy import (
    ELSEWHERE,
    IDLE,
    LEFT_ALONE,
    READ,
    REFUSED,
    UNKNOWN_KEY,
    KeyPolicy,
    Verdict,
    WrittenKey,
)
from cfglint.source.document import Document, Scalar
from cfglint.source.document import Mapping as MappingNode
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.roles.parts import FileContext

#: Sections whose keys get this in front when they do not begin with it.
_PREFIXES: Final = {"fsdp_config": "fsdp", "fp8_config": "fp8", "dynamo_config": "dynamo"}
#: What `accelerate config` calls keys of fp8_config that are read under other names.
_QUESTIONNAIRE: Final = frozenset(
    {"amax_history_length", "amax_compute_algorithm", "optimization_level"}
)
#: How the names of what DeepSpeed reads in its stage 3 alone begin.
_OF_STAGE_3: Final = ("offload_param_", "zero3_")
#: DeepSpeed's section, and accelerate's own names for some of its keys; one of them has had shorter names.
_ZERO: Final = "deepspeed_config.zero_optimization"
_OWN_NAMES: Final = {
    "stage": "zero_stage",
    "stage3_gather_16bit_weights_on_model_save": "zero3_save_16bit_model",
    "stage3_gather_16bit_weights_on_save": "zero3_save_16bit_model",
}


class AccelerateKeyPolicy(KeyPolicy):
    """Keys that are read under the settings which they are for."""

    def own_key(self, section: str, name: str) -> str:
        """A key of a section with the prefix that the launcher puts in front of it."""
        prefix = _PREFIXES.get(section)
        return name if prefix is None or name.startswith(prefix) else f"{prefix}_{name}"

    def reads_section(self, section: str, ctx: FileContext) -> bool:
        return is_for(section, ctx.document, self.framework.keys, ctx.release_keys)

    def by_name(self, section: str, name: str, keys: ReleaseKeys) -> Verdict:
        verdict = super().by_name(section, name, keys)
        if verdict.why != UNKNOWN_KEY:
            return verdict
        if self._has_own_rule(section, name):
            return Verdict(LEFT_ALONE)
        # A key that belongs to another section: all are options alike.
        prefix = _PREFIXES.get(section, "")
        home = self._homes.get(name) if section and name.startswith(prefix) else None
        return verdict if home is None else Verdict(ELSEWHERE, section=home)

    def standing(self, key: WrittenKey, ctx: FileContext) -> Verdict:
        verdict = super().standing(key, ctx)
        is_at_home = key.section == ".".join(map(str, key.path[:-1]))
        if verdict.state in (READ, REFUSED) and is_at_home:
            return Verdict(IDLE) if self._is_idle(key, ctx.release_keys) else verdict
        asks_for_nothing = _is_mixed_anyway, _is_given_elsewhere, _is_of_another_stage
        if any(one(key, ctx.document) for one in asks_for_nothing):
            return verdict.replaced(needless=True)
        return verdict

    def _is_idle(self, key: WrittenKey, keys: ReleaseKeys) -> bool:
        """Whether its other spelling comes later, or another setting makes it idle."""
        section, name, mapping = key.section, key.name, key.mapping
        prefix = _PREFIXES.get(section, "")
        full = self.own_key(section, name)
        other = mapping.lookup.get(_short(full, prefix) if name == full else full)
        if prefix and other is not None and other is not mapping.lookup.get(name):
            entry = mapping.lookup[name]
            if other.key.span.start > entry.key.span.start:
                return True
        when = self.framework.keys.read_when(
            f"{section}.{full}" if section else full, keys.released
        )
        return when is None or not _holds(when, mapping, prefix)

    def _has_own_rule(self, section: str, name: str) -> bool:
        """Names of the questionnaire (ACC066 to ACC068), missing prefixes (ACC065), `kt_config` (ACC073)."""
        if not section:
            return name == "kt_config"
        if section == "parallelism_config":
            return f"{section}_{name}" in self.framework.keys.names(section)
        return section == "fp8_config" and name.removeprefix("fp8_") in _QUESTIONNAIRE

    @cached_property
    def _homes(self) -> dict[str, str]:
        """Key -> the section that it belongs to."""
        table = self.framework.keys
        return {
            name: section
            for section in reversed(table.sections())
            for name in table.current(section)
        }


def _is_mixed_anyway(key: WrittenKey, document: Document) -> bool:
    """Whether a precision in the section of DeepSpeed is the one that `mixed_precision` asks for."""
    if key.section != "deepspeed_config" or key.info is not None:
        return False
    entry = document.entry(("mixed_precision",))
    node = entry.value.target() if entry is not None else None
    return isinstance(node, Scalar) and key.name.removesuffix("_enabled") == node.value


def _is_given_elsewhere(key: WrittenKey, _: Document) -> bool:
    """Whether accelerate's own keys in the section say all that DeepSpeed's names say in a mapping of it."""
    value = to_python(key.entry.value)
    if key.full_name != _ZERO or not isinstance(value, dict) or not value:
        return False
    for name, asked in value.items():
        own = _OWN_NAMES.get(str(name).replace("fp16_weights", "16bit_weights"))
        entry = key.mapping.lookup.get(own) if own is not None else None
        if entry is None or to_python(entry.value) != asked:
            return False
    return True


def _is_of_another_stage(key: WrittenKey, document: Document) -> bool:
    """Whether a key of no release, or a slip of one, is about what DeepSpeed does in stage 3 alone, and the stage is another."""
    if key.section != "deepspeed_config" or key.info is not None:
        return False
    stage = document.node((key.section, "zero_stage"))
    is_other = isinstance(stage, Scalar) and stage.value in (0, 1, 2)
    return is_other and key.name.startswith(_OF_STAGE_3)


def is_for(section: str, document: Document, table: KeyTable, keys: ReleaseKeys) -> bool:
    """Whether the strategy that a section is for is the one of a file."""
    own = keys.section("")
    if section and own is not None and not own[section.partition(".")[0]].ordinary:
        return False  # the section itself is what the release does not have
    when = table.read_when(section, keys.released)
    return when is not None and _holds(when, document.root)


def _holds(when: ReadWhen, mapping: MappingNode, prefix: str = "") -> bool:
    """Whether the settings of a mapping are those that something depends on.

    Args:
        prefix: what may be missing at the beginning of their names.
    """
    return all(
        _word(mapping, key, prefix) in _words(wanted) for key, wanted in when.has.items()
    ) and not any(
        _word(mapping, key, prefix) in _words(unwanted) for key, unwanted in when.has_not.items()
    )


def _words(values: list[Any]) -> list[str]:
    return [str(value).upper() for value in values]


def _short(key: str, prefix: str) -> str:
    return key.removeprefix(f"{prefix}_")


def _word(mapping: MappingNode, key: str, prefix: str) -> str:
    """The word or number of a key in capitals, as case does not matter; empty without one."""
    entry = mapping.lookup.get(key, mapping.lookup.get(_short(key, prefix)))
    value = entry.value.target() if entry is not None else None
    if not isinstance(value, Scalar) or isinstance(value.value, bool) or value.value is None:
        return ""
    return str(value.value).upper()


ROLE = AccelerateKeyPolicy
