"""What follows from one of LLaMA-Factory's files."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.frameworks.deepspeed.references import deepspeed_settings, opened_settings
from cfglint.frameworks.llamafactory.brought_files import is_brought
from cfglint.frameworks.llamafactory.datasets import DATASET_DIR, list_name, list_path
from cfglint.frameworks.llamafactory.derived import DERIVED
from cfglint.frameworks.llamafactory.layout import DATASETS, V1, is_v1
from cfglint.roles.parts import Opened, Reference
from cfglint.roles.readings import Readings
from cfglint.roles.scripts import further_commands
from cfglint.source.document import Scalar

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.roles.reading.base import Reading
    from cfglint.runs.memory.planning import Planner
    from cfglint.source.document import Document


class LLaMAFactoryReadings(Readings):
    """What a run of LLaMA-Factory makes of a file."""

    derived_values = DERIVED
    model_key = ("model_name_or_path",)

    def reading(self, target: Environment) -> Reading | None:
        from cfglint.frameworks.llamafactory.reading import LLaMAFactoryReading, V1Reading

        if self.framework.kind == DATASETS:
            return None
        return (
            V1Reading(self.framework, target)
            if self.framework.kind == V1
            else LLaMAFactoryReading(self.framework, target)
        )

    def planner(
        self, document: Document, target: Environment, around: Surroundings
    ) -> Planner | None:
        if self.framework.kind == DATASETS or is_v1(document, around):
            return None
        from cfglint.frameworks.llamafactory.fit.planner import LLaMAFactoryPlanner
        from cfglint.runs.memory.values import values_of

        if self.framework.in_scripts:
            from cfglint.environment.project.own_processes import (
                settings_elsewhere,
                with_own_command,
            )

            if settings_elsewhere(document, around):
                return None
            around = with_own_command(document, around)
        return LLaMAFactoryPlanner(values_of(document, self.framework, target.release), around)

    def trains_nothing(self, document: Document, around: Surroundings) -> bool:
        node = document.node(("do_train",))
        return not self.framework.kind and isinstance(node, Scalar) and node.value is False

    def references(self, document: Document, around: Surroundings) -> Iterator[Reference]:
        if self.framework.in_scripts:
            yield from further_commands(document, self.framework.name)
        # The rules about both files are about the older layout's trainer.
        if self.framework.kind:
            return
        yield from deepspeed_settings(document, around)
        path = list_path(document, around)
        if path is not None:
            yield Reference(self.framework.name, DATASET_DIR, path)

    def opened(self, document: Document) -> Iterator[Opened]:
        if self.framework.kind:
            return
        yield from opened_settings(document, is_brought=is_brought)
        name = list_name(document)
        if name is not None:
            yield Opened(DATASET_DIR, name, is_brought=True)


ROLE = LLaMAFactoryReadings
