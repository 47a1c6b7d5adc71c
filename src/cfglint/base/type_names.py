"""Names of `typing` for modules that every check loads.

Importing `typing` takes a twentieth of the time in which one file is checked, and nothing evaluates
an annotation at run time. A type checker takes these names from `typing`. At run time they are
stand-ins: they can be subscripted, called as `TypeVar` and `cast` are, and inherited from.
"""

from __future__ import annotations

__all__ = [
    "IO",
    "TYPE_CHECKING",
    "Any",
    "ClassVar",
    "Final",
    "Literal",
    "NoReturn",
    "Protocol",
    "TypeVar",
    "cast",
]

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import IO, Any, ClassVar, Final, Literal, NoReturn, Protocol, TypeVar, cast
else:

    class Any:
        """Stand-in for every special form."""

        def __class_getitem__(cls, _parameters: object) -> type:
            return cls

    IO = ClassVar = Final = Literal = NoReturn = Any
    Protocol = object

    def TypeVar(name: str, **_options: object) -> str:  # noqa: N802 - its name in `typing`
        """Stand-in at run time."""
        return name

    def cast(_type: object, value: object) -> object:
        """The value."""
        return value
