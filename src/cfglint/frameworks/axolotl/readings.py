"""What follows from one of Axolotl's files: the values of its run, its memory, its other files."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.logic import MISSING, plain
from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.axolotl.derived import DERIVED
from cfglint.knowledge.rules.views import View, written_value
from cfglint.roles.model_facts import fact_of_model
from cfglint.roles.parts import Opened, Reference
from cfglint.roles.readings import Readings
from cfglint.source.document import Document, Mapping, Scalar

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.roles.reading.base import Reading
    from cfglint.runs.memory.planning import Planner
    from cfglint.runs.starts.start import Start

#: The frameworks whose files belong to a config; the first one is also the key that names it.
_DEEPSPEED = "deepspeed"
_ACCELERATE = "accelerate"


class AxolotlReadings(Readings):
    """What a run of Axolotl makes of a file."""

    derived_values = DERIVED

    def fact(self, name: str, view: View, around: Surroundings) -> Any:
        """A fact about the base model, of its files or else of its name."""
        base_model = plain(view.value(("base_model",)))
        other = written_value(view.document, ("base_model_config",))
        revision = written_value(view.document, ("revision_of_model",))
        return fact_of_model(
            name,
            base_model,
            self.framework.knowledge,
            # Where the config is another model's, so are its files.
            around if other in (MISSING, None, base_model) else None,
            None if revision is MISSING else revision,
        )

    def reading(self, target: Environment) -> Reading:
        from cfglint.frameworks.axolotl.reading import AxolotlReading

        return AxolotlReading(self.framework, target)

    def planner(
        self, document: Document, target: Environment, around: Surroundings
    ) -> Planner | None:
        from cfglint.frameworks.axolotl.fit.planner import AxolotlPlanner
        from cfglint.runs.memory.values import Values

        has_bf16 = target.fact("gpu.bf16") is not False
        values = Values(document, self.framework, target.release)
        return AxolotlPlanner(values, around, has_bf16=has_bf16)

    def references(self, document: Document, around: Surroundings) -> Iterator[Reference]:
        """DeepSpeed's settings, and accelerate's where a command names them."""
        node = document.node((_DEEPSPEED,))
        if isinstance(node, Mapping):
            yield Reference(_DEEPSPEED, (_DEEPSPEED,))
        elif isinstance(node, Scalar) and isinstance(node.value, str) and node.value:
            from cfglint.environment.named_files import named_file
            from cfglint.frameworks.axolotl.deepspeed_files import MAX_BYTES

            path = named_file(node.value, around, MAX_BYTES)
            yield Reference(_DEEPSPEED, (_DEEPSPEED,), path)
        for path, launches in _launch_settings(around).items():
            yield Reference(_ACCELERATE, (_ACCELERATE,), path, tuple(launches))

    def opened(self, document: Document) -> Iterator[Opened]:
        from cfglint.frameworks.axolotl.opened_files import opened

        return opened(document)

    def trains_nothing(self, document: Document, around: Surroundings) -> bool:
        from cfglint.frameworks.axolotl.used_models import is_only_used

        return is_only_used(document, around)


def _launch_settings(around: Surroundings) -> dict[str, list[Start]]:
    """The settings of accelerate that commands name which start the file, with these commands."""
    project, folder = around.project, around.folder
    found: dict[str, list[Start]] = {}
    if project is None or folder is None:
        return found
    for line in around.launches:
        word = line.option("config_file") if line.launcher == _ACCELERATE else None
        named = project.named(word.text, folder) if word is not None and not word.open else None
        if named is not None:
            found.setdefault(named[0], []).append(line)
    return found


ROLE = AxolotlReadings
