"""What is known of the model that a file names: from its files on this machine, or else by its name."""

from __future__ import annotations

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.source.files.hub import may_have_files

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings
    from cfglint.knowledge.rules.knowledge import Knowledge

_MODEL: Final = "model."


def fact_of_model(
    name: str,
    written: object,
    knowledge: Knowledge,
    around: Surroundings | None = None,
    revision: object = None,
) -> Any:
    """A fact such as `model.layers`; `UNKNOWN` for one that is not about the model, or not known.

    Args:
        written: what the file has for the model.
        around: where the model's files are looked for; None where only its name counts.
        revision: the one that the file asks for.
    """
    if not name.startswith(_MODEL) or not isinstance(written, str) or not written:
        return UNKNOWN
    name = name[len(_MODEL) :]
    known = knowledge.model(written.rstrip("/").rpartition("/")[2])
    stated = None if around is None else _of_files(written, knowledge, around, revision)
    if stated is not None:
        if name in stated:
            return stated[name]
        from cfglint.source.files.model import are_of_one_type

        if known is not None and not are_of_one_type(known, stated):
            # The name is another model's: a folder may have any name.
            return UNKNOWN
    return UNKNOWN if known is None else known.get(name, UNKNOWN)


def _of_files(
    written: str, knowledge: Knowledge, around: Surroundings, revision: object
) -> dict[str, Any] | None:
    """What the files of a model on this machine state; None when there are none."""
    folder = around.folder
    if folder is None:
        return None
    place = ("may have files", written, folder)
    if not around.memory.once(place, lambda: may_have_files(written, folder, around.files)):
        return None
    from cfglint.source.files.model import facts

    return around.memory.once(
        ("model files", written, folder, str(revision)),
        lambda: facts(written, folder, knowledge.models_of_type, around.files, revision),
    )
