"""What is known of the model that a file or a program of TRL names: from its files on this machine, or else by its name."""

from __future__ import annotations

from cfglint.base.logic import UNKNOWN, plain
from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.files.hub import may_have_files

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings
    from cfglint.knowledge.rules.knowledge import Knowledge
    from cfglint.knowledge.rules.views import View

_MODEL: Final = "model."
_KEY: Final = ("model_name_or_path",)


def fact_of_model(name: str, knowledge: Knowledge, view: View, around: Surroundings) -> Any:
    """A fact such as `model.model_type`; `UNKNOWN` for one that is not about the model, or not known."""
    written = plain(view.value(_KEY))
    if not name.startswith(_MODEL) or not isinstance(written, str) or not written:
        return UNKNOWN
    name = name[len(_MODEL) :]
    known = knowledge.model(written.rstrip("/").rpartition("/")[2])
    stated = _of_files(written, knowledge, around)
    if stated is not None:
        if name in stated:
            return stated[name]
        if known is not None and known.get("model_type") != stated["model_type"]:
            # The name is another model's: a folder may have any name.
            return UNKNOWN
    return UNKNOWN if known is None else known.get(name, UNKNOWN)


def _of_files(written: str, knowledge: Knowledge, around: Surroundings) -> dict[str, Any] | None:
    """What the files of a model on this machine state; None when there are none."""
    folder = around.folder
    if folder is None:
        return None
    place = ("may have files", written, folder)
    if not around.memory.once(place, lambda: may_have_files(written, folder, around.files)):
        return None
    from cfglint.files.model import facts

    return around.memory.once(
        ("model files", written, folder, "None"),
        lambda: facts(written, folder, knowledge.models_of_type, around.files, None),
    )
