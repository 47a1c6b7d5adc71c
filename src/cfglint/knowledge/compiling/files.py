"""Files of a rules folder, read and checked, with errors that name the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

_Model = TypeVar("_Model", bound=BaseModel)
#: The type of errors that are whole sentences.
AS_IT_IS = "cfglint"


class RuleFileError(Exception):
    """Rule files cannot be used; each line of the message says which, where and why."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        #: One line for each problem.
        self.problems = problems

    @property
    def brief(self) -> str:
        """The first problem, and how many more there are."""
        first, *others = self.problems
        more = f"{len(others)} more problem{'s' if len(others) > 1 else ''}"
        return f"{first} (and {more}; `cfglint rules test` lists them)" if others else first


def parse_yaml(text: str) -> Any:
    """What `yaml.safe_load` gives, by libyaml where it is there: rule files are many."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(text, Loader=loader)  # noqa: S506 - both are safe loaders


def read_yaml(path: Path) -> Any:
    """The contents of a file.

    Raises:
        RuleFileError: it cannot be read as YAML.
    """
    try:
        return parse_yaml(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise RuleFileError(f"{path}: {error}") from None


def line_of(path: Path, place: tuple[str | int, ...]) -> int:
    """The line, from 1, of a key or an item of a readable file, or of what is nearest.

    Args:
        place: keys and numbers of items, from the outside to the inside.
    """
    node = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    line = 0
    for part in place:
        if isinstance(node, yaml.MappingNode):
            found = [(key, value) for key, value in node.value if key.value == part]
            if not found:
                break
            key, node = found[-1]
            line = key.start_mark.line
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
            node = node.value[part]
            line = node.start_mark.line
        else:
            break
    return line + 1


def problem_text(model: type[BaseModel], part: Any, whole: str = "") -> str:
    """What an error of pydantic says, with the name of what it is about.

    Args:
        whole: what the data are a part of, in front of that name.
    """
    own = ".".join(map(str, part["loc"]))
    name = ".".join(filter(None, (whole, own)))
    if part["type"] == AS_IT_IS:
        return str(part["msg"])
    if part["type"] != "missing":
        text = part["msg"].removeprefix("Value error, ")
        return f"{name}: {text}" if name else text
    field = model.model_fields.get(own)
    about = (field.description if field is not None else None) or ""
    return f"`{name}` is missing" + (
        f": {about[0].lower()}{about[1:].rstrip('.')}" if about else ""
    )


def validate(
    model: type[_Model],
    data: Any,
    path: Path,
    place: str = "",
    *,
    at: tuple[str | int, ...] | None = None,
) -> _Model:
    """The data as a model.

    Args:
        place: what the data are called in the file.
        at: where in the file the data are, for the lines of what is wrong; None if that is unknown.

    Raises:
        RuleFileError: they do not fit; all that is wrong is in it.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        found = [
            (
                0 if at is None or not path.is_file() else line_of(path, (*at, *part["loc"])),
                problem_text(model, part, place),
            )
            for part in error.errors()
        ]
        raise RuleFileError(
            *(
                f"{path}:{line}: {text}" if line else f"{path}: {text}"
                for line, text in sorted(found)
            )
        ) from None
