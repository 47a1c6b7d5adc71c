"""How Axolotl reads a file: a pydantic schema, with the fields of the plugins that are listed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cfglint.base.type_names import Any
from cfglint.roles.parts import plugin_names
from cfglint.roles.reading.base import Reading, fields_of
from cfglint.roles.reading.fields import Fields
from cfglint.roles.reading.schema import ReadingHabits, SchemaReader
from cfglint.roles.reading.state import ReadingState
from cfglint.source.document import Path

#: The classes of entries and of their `type:`, in the order in which the schema's unions name them.
_ORDER = (
    "PretrainingDataset",
    "SFTDataset",
    "DPODataset",
    "KTODataset",
    "StepwiseSupervisedDataset",
    "SyntheticDataset",
    "UserDefinedPrompterType",
    "UserDefinedDPOType",
    "UserDefinedKTOType",
)


def _refuses(model: str, entry: Mapping[Any, Any]) -> bool:
    """Whether a class refuses an entry: SFTDataset does, where `jinja` comes without a template."""
    return (
        model == "SFTDataset"
        and entry.get("chat_template") == "jinja"
        and not entry.get("chat_template_jinja")
    )


_HABITS = ReadingHabits(
    without_defaults=frozenset({"context_parallel"}),
    name_first=frozenset({("fsdp_config", "fsdp_version")}),
    default_of={
        ("pretraining_dataset[]", "split"): "PretrainingDataset",
        ("pretraining_dataset[]", "type"): "PretrainingDataset",
    },
    classes=_ORDER,
    refuses=_refuses,
)
#: The first release with pydantic 2.8, which prefers the class that has most keys of a mapping.
_COUNTS_KEYS_SINCE = "0.7.0"


class AxolotlReading(Reading):
    """Follows Axolotl's validation of a file."""

    def prepare(self, state: ReadingState) -> None:
        """An entry that is an empty list is taken for one without keys."""
        entries = state.value(("datasets",))
        if isinstance(entries, list) and self.keys.entry_classes.chooses("datasets[]"):
            entries[:] = [{} if entry == [] else entry for entry in entries]

    def fields(self, plugins: frozenset[str] = frozenset()) -> Fields:
        counts_keys = self.keys.released(_COUNTS_KEYS_SINCE)
        return fields_of(self.framework, self.keys, plugins, counts_keys)

    def reader(self, default: str, value: Callable[[Path], Any]) -> SchemaReader:
        classes = self.keys.entry_classes

        def class_of(section: str, entry: dict[Any, Any]) -> str | None:
            if section not in classes.lists:
                return None
            return classes.chosen(section, lambda key: value((key,)), entry.get)

        return SchemaReader(self.fields(self._plugins(value)), default, class_of, _HABITS)

    def _plugins(self, value: Callable[[Path], Any]) -> frozenset[str]:
        """The plugins whose keys are read for this file."""
        table = self.framework.keys
        names = plugin_names(value((self.framework.row["plugins_key"],)))
        return frozenset(
            path
            for path in table.plugins
            if path.rpartition(".")[2] in names
            or ((since := table.builtin_since(path)) is not None and self.keys.released(since))
        )
