"""What follows from a file: the values that a run has, its memory, and the files that it names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cfglint.base.logic import UNKNOWN, plain
from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar
from cfglint.roles.model_facts import fact_of_model

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.knowledge.rules.views import View
    from cfglint.roles.framework import Framework
    from cfglint.roles.parts import Asked, Derived, Reference
    from cfglint.roles.reading.base import Reading
    from cfglint.runs.memory.planning import Planner
    from cfglint.source.document import Document, Path


class Readings:
    """What the engine computes from a file; by default what a schema of pydantic's makes of it."""

    derived_values: ClassVar[Mapping[str, Derived]] = {}
    #: Where a file names the model that rules ask facts about; empty for none.
    model_key: ClassVar[Path] = ()
    #: Whether a file says what is trained, and not only how a trainer's processes share it.
    has_run: ClassVar[bool] = True

    def __init__(self, framework: Framework) -> None:
        self.framework = framework

    def reading(self, target: Environment) -> Reading | None:
        """How the framework's reading of a file is followed; None when that is not supported."""
        from cfglint.roles.reading.schema import SchemaReading

        return SchemaReading(self.framework, target)

    def not_answered(self, command: str) -> str:
        """Why a command has no answer for the framework's files."""
        title = self.framework.title
        if self.has_run:
            of_script = self.framework.in_scripts or self.framework.language.structure == "words"
            what = "commands" if of_script else "files"
            return f"`{command}` does not support {what} of {title} yet"
        return (
            f"`{command}` is about a run, and a file of {title} only says how its processes share it; name the"
            " config, the script or the program that is trained with it"
        )

    def planner(
        self, document: Document, target: Environment, around: Surroundings
    ) -> Planner | None:
        """What is known about a file's need for memory; None when `cfglint fit` does not support it."""
        return None

    def trains_nothing(self, document: Document, around: Surroundings) -> bool:
        """Whether a file, or its name, says that its run only evaluates or predicts."""
        return False

    def references(self, document: Document, around: Surroundings) -> Iterable[Reference]:
        """The files of other frameworks that a file names, or has a section in place of."""
        return ()

    def fact(self, name: str, view: View, around: Surroundings) -> Any:
        """A fact about what the file names (`model.layers`); `UNKNOWN` if nothing states it.

        By default a model is known by its name alone.
        """
        if not self.model_key:
            return UNKNOWN
        return fact_of_model(name, plain(view.value(self.model_key)), self.framework.knowledge)

    def derived(self, name: str, view: View, asked: Asked, *, assume: bool) -> Any:
        """A derived value, `UNKNOWN` if the file does not decide it.

        Args:
            assume: take the newest candidate release when several fit.
        """
        return self.derived_values[name].function(view, asked, assume)

    def derived_needs(self, name: str) -> str:
        """The fact whose absence makes a derived value unknown."""
        return self.derived_values[name].unknown_for_want_of or f"derived {name}"


ROLE = Readings
