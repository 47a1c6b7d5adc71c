"""What text and JSON say alike of the end of a run: what to do, and what is wrong with an argument."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cfglint.answers.logs.histories import history, is_decided
from cfglint.base.record import NamedTuple

if TYPE_CHECKING:
    from cfglint.answers.logs.causes import End
    from cfglint.answers.logs.diagnosis import RunDiagnosis
    from cfglint.answers.logs.found import ConfigFinding
    from cfglint.answers.logs.refused import RefusedKey

#: The word for the config in the commands that are advised, and how those begin that Python itself runs.
_CONFIG, _PYTHON = "CONFIG", "`python -m "


class Subject(NamedTuple):
    """The configs that were given, for the commands that are advised."""

    #: The only one, as a word of a shell; empty for several and none.
    config: str = ""
    #: The first one that `fit` counts; None where it counts none of them, empty where none is known.
    counted: str | None = ""


#: Where no config is known.
NO_SUBJECT = Subject()


def advises_counting(found: RunDiagnosis) -> bool:
    """Whether a remedy is a count of what the run needs."""
    return any(cause.end is not None and cause.end.uncounted for cause in found.causes)


def remedy(end: End, found: RunDiagnosis, subject: Subject) -> str:
    """What to do about an end, with the names of the files that are there, and the Python that ran."""
    if end.uncounted and subject.counted is None:
        return end.uncounted
    config = (subject.counted if end.uncounted else subject.config) or _CONFIG
    text = end.remedy.replace(_CONFIG, config)
    return text.replace(_PYTHON, f"`{found.python} -m ") if found.python else text


def message(key: RefusedKey, place: ConfigFinding, found: RunDiagnosis) -> str:
    """What is wrong with an argument of a config.

    What is advised for one release may be wrong in another one, and what a check has doubts about has happened.
    """
    readers = found.readers.get(key, ())
    remark, _, varies = history(key, found.versions, found.left, readers)
    is_doubted = bool(remark) and place.diagnostic.severity == "note"
    if (varies or is_doubted) and not is_decided(key, found.versions, readers):
        return f"{key.title}. {remark}"
    return place.diagnostic.message
