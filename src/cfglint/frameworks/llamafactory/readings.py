"""What follows from one of LLaMA-Factory's files."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.logic import UNKNOWN, plain
from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.frameworks.deepspeed.references import deepspeed_settings
from cfglint.frameworks.llamafactory.derived import DERIVED
from cfglint.frameworks.llamafactory.layout import is_v1
from cfglint.roles.parts import Reference
from cfglint.roles.readings import Readings

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.fit.planning import Planner
    from cfglint.knowledge.rules.views import View
    from cfglint.roles.reading.base import Reading
    from cfglint.source.document import Document

_MODEL: Final = "model."


class LLaMAFactoryReadings(Readings):
    """What a run of LLaMA-Factory makes of a file."""

    derived_values = DERIVED

    def fact(self, name: str, view: View, around: Surroundings) -> Any:
        """A fact about the model, known by its name."""
        model = plain(view.value(("model_name_or_path",)))
        if not name.startswith(_MODEL) or not isinstance(model, str):
            return UNKNOWN
        known = self.framework.knowledge.model(model.rstrip("/").rpartition("/")[2])
        return UNKNOWN if known is None else known.get(name[len(_MODEL) :], UNKNOWN)

    def reading(self, target: Environment) -> Reading:
        from cfglint.frameworks.llamafactory.reading import LLaMAFactoryReading, V1Reading

        return (
            V1Reading(self.framework, target)
            if self.framework.kind
            else LLaMAFactoryReading(self.framework, target)
        )

    def planner(
        self, document: Document, target: Environment, around: Surroundings
    ) -> Planner | None:
        if is_v1(document, around):
            return None
        from cfglint.fit.values import Values
        from cfglint.frameworks.llamafactory.fit.planner import LLaMAFactoryPlanner

        return LLaMAFactoryPlanner(Values(document, self.framework, target.release), around)

    def references(self, document: Document, around: Surroundings) -> Iterator[Reference]:
        # The rules about both files are about the older layout's trainer.
        return iter(()) if self.framework.kind else deepspeed_settings(document, around)


ROLE = LLaMAFactoryReadings
