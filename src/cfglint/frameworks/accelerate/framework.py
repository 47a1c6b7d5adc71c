"""accelerate: the YAML file that `accelerate launch --config_file` reads."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.environment.named_files import named_file
from cfglint.environment.surroundings import Surroundings
from cfglint.framework import Framework
from cfglint.frameworks.accelerate.check_sources import CHECKS
from cfglint.frameworks.accelerate.texts import TEXTS
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.keys.table import ReadWhen
from cfglint.roles.parts import Reference
from cfglint.source.document import Document, Scalar
from cfglint.source.document import Mapping as MappingNode

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment

#: Sections whose keys get this in front when they do not begin with it.
_PREFIXES = {"fsdp_config": "fsdp", "fp8_config": "fp8", "dynamo_config": "dynamo"}

#: The key that names a DeepSpeed file.
_DEEPSPEED_FILE = ("deepspeed_config", "deepspeed_config_file")
#: The largest real DeepSpeed file has 5 kB.
_MAX_BYTES = 200_000
#: What `accelerate config` calls keys of fp8_config that are read under other names.
_QUESTIONNAIRE = frozenset({"amax_history_length", "amax_compute_algorithm", "optimization_level"})


class Accelerate(Framework):
    """How accelerate recognizes, reads and completes a file.

    The launcher makes options of itself of all keys, those of sections too, and hands them on to
    the training process as variables of its environment. Who reads these decides what is taken,
    and that depends on `distributed_type` and `mixed_precision`.
    """

    name = "accelerate"
    checks = CHECKS

    def judge(self, release: str) -> Judge:
        return TEXTS

    def reading(self, target: Environment) -> None:
        """Its reader's own conversions are not followed yet."""

    def reads_section(self, section: str, document: Document, keys: ReleaseKeys) -> bool:
        """Whether the strategy that a section is for is the one of the file."""
        own = keys.section("")
        if section and own is not None and not own[section.partition(".")[0]].ordinary:
            return False  # the section itself is what the release does not have
        when = self.keys.read_when(section, keys.released)
        return when is not None and _holds(when, document.root)

    def own_key(self, section: str, name: str) -> str:
        """A key of a section with the prefix that the launcher puts in front of it."""
        prefix = _PREFIXES.get(section)
        return name if prefix is None or name.startswith(prefix) else f"{prefix}_{name}"

    def is_overwritten(
        self, section: str, name: str, mapping: MappingNode, keys: ReleaseKeys
    ) -> bool:
        """Whether its other spelling comes later, or another setting beside it makes it idle."""
        prefix = _PREFIXES.get(section, "")
        full = self.own_key(section, name)
        other = mapping.lookup.get(_short(full, prefix) if name == full else full)
        if prefix and other is not None and other is not mapping.lookup.get(name):
            entry = mapping.lookup[name]
            if other.key.span.start > entry.key.span.start:
                return True
        when = self.keys.read_when(f"{section}.{full}" if section else full, keys.released)
        return when is None or not _holds(when, mapping, prefix)

    def told_by_rules(self, section: str, name: str) -> bool:
        """Names of the questionnaire (ACC066 to ACC068), missing prefixes (ACC065), `kt_config` (ACC073)."""
        if not section:
            return name == "kt_config"
        if section == "parallelism_config":
            return f"{section}_{name}" in self.keys.names(section)
        return section == "fp8_config" and name.removeprefix("fp8_") in _QUESTIONNAIRE

    def read_as(self, section: str, name: str) -> str | None:
        """The section that a key belongs to when it is in another one: all are options alike."""
        prefix = _PREFIXES.get(section, "")
        return self._homes.get(name) if section and name.startswith(prefix) else None

    def references(self, document: Document, around: Surroundings) -> Iterator[Reference]:
        """DeepSpeed's settings, where `distributed_type` asks for DeepSpeed."""
        node = document.node(_DEEPSPEED_FILE)
        keys = self.release_keys(self.releases.newest)
        if isinstance(node, Scalar) and self.reads_section(_DEEPSPEED_FILE[0], document, keys):
            path = named_file(node.value, around, _MAX_BYTES)
            if path is not None:
                yield Reference("deepspeed", _DEEPSPEED_FILE, path)

    @cached_property
    def _homes(self) -> dict[str, str]:
        """Key -> the section that it belongs to."""
        return {
            name: section
            for section in reversed(self.keys.sections())
            for name in self.keys.current(section)
        }


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


FRAMEWORK = Accelerate
