"""The classes of Axolotl's schema that an entry of a list of datasets may be of.

Source: `utils/schemas/config.py` and `utils/schemas/datasets.py` of the releases.
"""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.base.type_names import Any
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.roles.parts import ClassesOfEntries
from cfglint.source.document import Document, Path, Scalar

#: The lists whose entries are of several classes.
LISTS = ("datasets[]", "test_datasets[]", "pretraining_dataset[]")
#: The classes of entries and of their `type:`, in the order in which the schema's unions name them.
ORDER = (
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
#: From here on `rl` and the entry's type select the class of an entry of `datasets`.
ONE_CLASS_SINCE = "0.7.0"
#: Which `rl` selects DPODataset, the newest release first.
_PAIRED = (
    ("0.13.0", ("dpo", "ipo", "simpo")),
    ("0.12.0", ("dpo", "simpo")),
    ("0.7.0", ("dpo",)),
)
_SYNTHETIC_SINCE = "0.16.0"
_STEPWISE_SINCE = "0.7.0"
#: Class of an entry -> class of its `type:` section.
_CLASS_OF_TYPE = {
    "SFTDataset": "UserDefinedPrompterType",
    "DPODataset": "UserDefinedDPOType",
    "KTODataset": "UserDefinedKTOType",
}


def refuses(model: str, entry: Mapping[Any, Any]) -> bool:
    """Whether a class refuses an entry: SFTDataset does, where `jinja` comes without a template."""
    return (
        model == "SFTDataset"
        and entry.get("chat_template") == "jinja"
        and not entry.get("chat_template_jinja")
    )


def chosen_class(keys: ReleaseKeys, section: str, rl: Any, type_: Any) -> str | None:
    """The one class that an entry becomes whatever its keys; None when the keys decide."""
    if not section.startswith("datasets[]") or not keys.released(ONE_CLASS_SINCE):
        return None
    if rl in next(names for since, names in _PAIRED if keys.released(since)):
        return "DPODataset"
    if rl == "kto":
        return "KTODataset"
    if type_ == "_synthetic" and keys.released(_SYNTHETIC_SINCE):
        return "SyntheticDataset"
    return "SFTDataset"


class DatasetClasses(ClassesOfEntries):
    """The classes of datasets, and of their `type:` where it is a mapping."""

    lists = LISTS

    def of_entry(
        self, keys: ReleaseKeys, section: str, entry: Path, document: Document
    ) -> tuple[str, ...]:
        if section.startswith("pretraining_dataset[]"):
            return ("PretrainingDataset", "SFTDataset")
        rl, type_ = (
            node.value if isinstance(node, Scalar) else None
            for node in map(document.node, (("rl",), (*entry, "type")))
        )
        chosen = chosen_class(keys, section, rl, type_)
        if chosen is not None:
            return (chosen,)
        several = ["SFTDataset", "DPODataset", "KTODataset"]
        several += ["StepwiseSupervisedDataset"] if keys.released(_STEPWISE_SINCE) else []
        several += ["SyntheticDataset"] if keys.released(_SYNTHETIC_SINCE) else []
        return tuple(several)

    def of_section(self, section: str, model: str) -> str:
        return _CLASS_OF_TYPE.get(model, model) if section.endswith(".type") else model
