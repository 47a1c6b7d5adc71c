"""Symptoms: what logs print when a rule's problem shows, and when a run ends whatever its config says."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from cfglint.knowledge.compiling.files import read_yaml, validate
from cfglint.knowledge.compiling.loading import RuleFile
from cfglint.knowledge.compiling.model import Evidence, Model, Symptom, distinctive
from cfglint.knowledge.compiling.texts import one_line

FILE = "ends.yaml"
#: A gap: any text.
GAP = "…"


class EndModel(Model):
    """A way in which runs end, whatever the config says."""

    name: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    title: str = Field(max_length=120, description="One line, without a full stop.")
    symptoms: list[Annotated[Symptom, AfterValidator(distinctive)]] = Field(min_length=1)
    remedy: str
    uncounted: str = Field(
        "", description="What to do instead where `cfglint fit` cannot count the run."
    )
    why: str
    references: list[Evidence] = Field(min_length=1)
    vague: bool = Field(
        False,
        description="Whether the texts say so little that it is named only where nothing else has a cause.",
    )


def compiled(folder: Path, files: Iterable[RuleFile]) -> dict[str, Any]:
    """The tables of symptoms.

    `RULES` has (framework, code, the pieces of the text in their order), `ENDS` the fields of
    `cfglint.answers.logs.causes.End`. `BORROWED` has (framework, code) of the rules whose texts are not their own: what they
    are about is not refused, and something else fails later.

    Raises:
        RuleFileError: the list of ends is malformed.
    """
    path = folder / FILE
    rows = read_yaml(path) if path.is_file() else []
    ends = [
        validate(EndModel, data, path, str(number), at=(number,))
        for number, data in enumerate(rows)
    ]
    return {
        "RULES": tuple(
            (file.rule.framework, file.rule.code, pieces(text))
            for file in files
            for text in file.rule.symptoms
        ),
        "BORROWED": tuple(
            sorted(
                {
                    (file.rule.framework, file.rule.code)
                    for file in files
                    if file.rule.symptoms and file.rule.upstream != "rejects"
                }
            )
        ),
        "ENDS": tuple(
            (
                end.name,
                end.title,
                one_line(end.remedy),
                one_line(end.uncounted),
                one_line(end.why),
                tuple((part.kind, part.title, part.url) for part in end.references),
                end.vague,
                tuple(pieces(text) for text in end.symptoms),
            )
            for end in ends
        ),
    }


def pieces(symptom: str) -> tuple[str, ...]:
    """The texts that a symptom consists of, in their order, with single spaces."""
    return tuple(piece for part in symptom.split(GAP) if (piece := " ".join(part.split())) != "")
