"""What lies around the file that is checked, as far as it may be examined."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from cfglint.environment.project.project import Project
    from cfglint.knowledge.schemas.schema import UserSchema
    from cfglint.runs.starts.start import Start
    from cfglint.source.files.base import Files

_T = TypeVar("_T")


class Memory:
    """What the files of one run share: each thing is computed by the first that asks for it."""

    def __init__(self) -> None:
        self._known: dict[Any, Any] = {}

    def once(self, key: Any, make: Callable[[], _T]) -> _T:
        """What `make` gave the first time that this key was asked for."""
        if key not in self._known:
            self._known[key] = make()
        return cast("_T", self._known[key])


class Surroundings(Record):
    """The folder and the project of one file, and the commands that start it."""

    memory: Memory
    #: Where the file and all others lie.
    files: Files
    #: The file as it was named; empty for a text without one.
    path: str = ""
    #: The folder of the file, when what it refers to may be examined.
    folder: str | None = None
    #: What the project's files say, when that was looked for.
    project: Project | None = None
    #: The commands that start the file, when the project has some.
    launches: tuple[Start, ...] = ()
    #: Whether one of them starts it, as its words are laid over the file.
    is_started: bool = False
    #: The file that a command gives to a program, where several do.
    fed_with: str = ""
    #: The framework whose config names the file, when it is checked on that account.
    named_by: str | None = None
    #: The project's own schemas for the file.
    schemas: tuple[UserSchema, ...] = ()
    #: The folder of a script that goes to one outside the project first, so that its own may not be examined.
    left: str = ""


def nowhere() -> Surroundings:
    """The surroundings of a text that lies in no folder."""
    from cfglint.source.files.memory import InMemory

    return Surroundings(Memory(), InMemory({}))
