"""Which words LLaMA-Factory looks up, and which it only compares with those that it knows.

`parse_dict` checks no `Literal` and no enumeration. A word that is only compared is, when it is another
one, as if the key was not written, or it fails in the code behind.
"""

from __future__ import annotations

from cfglint.base.type_names import Final
from cfglint.frameworks.llamafactory.judge import COMPARED
from cfglint.knowledge.keys.release_keys import ReleaseKeys, Schema

#: Keys whose word is looked up in every run: by a `__post_init__`, the trainer that the stage chooses, the data or
#: the model.
_LOOKED_UP: Final = frozenset({"finetuning_type", "stage", "template", "flash_attn"})
#: The enumerations that transformers makes its training arguments' words members of.
_OF_TRANSFORMERS: Final = frozenset(
    f"enum:{name}"
    for name in (
        *("IntervalStrategy", "SaveStrategy", "HubStrategy"),
        *("SchedulerType", "OptimizerNames", "FSDPOption"),
    )
)
#: Settings of an optimizer that are read only where it is switched on: what they begin with -> the switch.
_SWITCHES: Final = {"galore_": "use_galore", "apollo_": "use_apollo", "badam_": "use_badam"}


class KeysWithComparedWords(ReleaseKeys):
    """The keys of a release; a word that is only compared has a judge that refuses none."""

    def _schema(self, section: str, name: str, model: str | None = None) -> Schema | None:
        found = super()._schema(section, name, model)
        if found is None or name in _LOOKED_UP or not found.offers():
            return found
        if _OF_TRANSFORMERS.intersection(part for kind in found.kinds for part in _parts(kind)):
            return found
        return Schema("|".join(found.kinds), found.choices, found.bounds, COMPARED)


class KeysOfWords(ReleaseKeys):
    """The keys of a release for a command: `argparse` compares a word with the choices, whatever a file may say."""

    def _schema(self, section: str, name: str, model: str | None = None) -> Schema | None:
        found = self._table.schema(section, name, self.released, model, of_words=True)
        return Schema(*found, self.judge) if found is not None else None


def _parts(kind: str) -> tuple[str, ...]:
    """A type, and that of its items: `list<enum:FSDPOption>`."""
    return (kind, kind.partition("<")[2].rstrip(">"))


def switch_of(name: str) -> str:
    """The switch without which a setting of an optimizer is not read; empty if there is none."""
    return next((switch for start, switch in _SWITCHES.items() if name.startswith(start)), "")
