"""What a value is worth as text: accelerate hands the values of its file on in the environment.

Whatever is written reaches its reader as `str(value)`: null as "None", true as "True". The types
of the key table say what that reader takes of it.

    truth    a word for yes or no (`str_to_bool`)
    whole    what `int()` takes
    decimal  what `float()` takes
    word     one of the choices, in any case
    exact    one of the choices, as it is
    choice   a text has to be one of the choices; what is not text is not looked up
    null     null, where the launcher leaves the variable out
"""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Any, ClassVar
from cfglint.knowledge.keys.judges import Judge

#: Words of `accelerate.utils.environment.str_to_bool`, in any case.
TRUE = frozenset(["y", "yes", "t", "true", "on", "1"])
FALSE = frozenset(["n", "no", "f", "false", "off", "0"])
_WHOLE = lazy_pattern(r"\s*[-+]?\d+(?:_\d+)*\s*")


def accepts_text(kinds: tuple[str, ...], choices: tuple[Any, ...], value: Any) -> bool:
    """Whether the reader of a variable takes the value that its key has in the file.

    Args:
        kinds: the alternatives of the type (`word|whole|null`).
        choices: the words of `word`, `exact` and `choice`.
    """
    return any(_takes(kind, choices, value) for kind in kinds)


def _takes(kind: str, choices: tuple[Any, ...], value: Any) -> bool:
    text = str(value)
    if kind == "any":
        return True
    if kind == "null":
        return value is None
    if kind == "str":
        return isinstance(value, str)
    if kind == "truth":
        return text.lower() in TRUE or text.lower() in FALSE
    if kind == "whole":
        return _is_whole(text)
    if kind == "decimal":
        return _is_decimal(text)
    if kind == "word":
        return text.upper() in {str(one).upper() for one in choices}
    if kind == "exact":
        return text in {str(one) for one in choices}
    if kind == "choice":
        return not isinstance(value, str) or value in choices
    return True


def _is_whole(text: str) -> bool:
    # `int` takes no more than 4,300 digits.
    return len(text) < 4_000 and _WHOLE.fullmatch(text) is not None


def _is_decimal(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


class Texts(Judge):
    """Judges values as the readers of environment variables do."""

    names: ClassVar[Mapping[str, str]] = {
        **Judge.names,
        "truth": "true or false",
        "whole": "a whole number",
        "decimal": "a number",
    }
    of_choices = frozenset({"word", "exact", "choice"})
    words = frozenset({"word", "exact"})
    truths = frozenset({"truth"})
    null = "an empty value, which is handed on as the text None"
    sees_text = True

    def takes(
        self, kinds: tuple[str, ...], choices: tuple[Any, ...], bounds: dict[str, Any], value: Any
    ) -> bool:
        """Whether the reader of a variable takes a value; a number out of bounds is a number."""
        return accepts_text(kinds, choices, value)

    def broken_bound(
        self, kinds: tuple[str, ...], bounds: dict[str, Any], value: Any
    ) -> tuple[str, Any] | None:
        """The bound that a whole number breaks, if it can be nothing else."""
        text = str(value)
        if bounds and "whole" in kinds and _is_whole(text):
            return super().broken_bound(kinds, bounds, int(text))
        return None


#: The one judge of all releases: what differs between them is in the key table.
TEXTS = Texts()
