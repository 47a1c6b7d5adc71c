"""LLaMA2-Accessory: the shell scripts that start its programs.

A script is the only config there is: its options say everything, and name the YAML file of the data
and the JSON files of the model. It is read as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar
from cfglint.checks.sources import has_folder, in_module
from cfglint.environment.surroundings import Surroundings
from cfglint.framework import Framework
from cfglint.frameworks.accessory.derived import DERIVED
from cfglint.frameworks.accessory.judge import WORDS, converted
from cfglint.frameworks.accessory.options import arguments_of, is_frame, kind_of, table_of
from cfglint.knowledge import compiled, recognition
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.keys.pydantic_types import split_type
from cfglint.knowledge.keys.table import KeyTable
from cfglint.knowledge.rules.index.triggers import has_value
from cfglint.knowledge.rules.knowledge import ProjectRules
from cfglint.roles.parts import CheckSource, Reference
from cfglint.source.document import Document, Path
from cfglint.source.languages.base import Language
from cfglint.source.languages.shell import Shell, command_of

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.roles.reading.base import Reading

_STARTED = frozenset({has_value("program")})


class Accessory(Framework):
    """How LLaMA2-Accessory reads a script.

    Args:
        kind: of the program that the files start; empty when nobody knows.
    """

    name = "accessory"
    top_level = "among its options"
    checks: ClassVar[Mapping[str, CheckSource]] = {
        **in_module(
            "cfglint.frameworks.accessory.checks.words",
            "stray-argument",
            "ambiguous-option",
            "option-without-value",
            "switch-with-value",
            "repeated-option",
            "options-cut-off",
            "files-in-one-word",
            "pipe-cut-off",
            "pipe-hides-exit-code",
            "carriage-returns",
            needs=_STARTED,
        ),
        **in_module(
            "cfglint.frameworks.accessory.checks.named_files",
            "data-file-entries",
            "model-file-keys",
            around=has_folder,
            needs=_STARTED,
        ),
        **in_module(
            "cfglint.frameworks.accessory.checks.model_types", "model-type", needs=_STARTED
        ),
    }
    derived_values = DERIVED

    def __init__(self, project_rules: ProjectRules | None = None, kind: str = "") -> None:
        super().__init__(project_rules)
        self.kind = kind
        self._of_kinds: dict[str, Accessory] = {}

    def for_document(self, document: Document, around: Surroundings) -> Framework:
        """The framework with the options of the program that a script starts."""
        kind = kind_of(document.root)
        if kind == self.kind:
            return self
        found = self._of_kinds.get(kind)
        if found is None:
            found = self._of_kinds[kind] = Accessory(self._project_rules, kind)
        return found

    @cached_property
    def language(self) -> Language:
        return Shell(arguments_of)

    @cached_property
    def keys(self) -> KeyTable:
        return table_of(self.kind) if self.kind else super().keys

    @property
    def fields(self) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
        if not self.kind:
            return super().fields
        fields: Mapping[str, Any] = compiled.load(f"accessory_{self.kind}_fields").FIELDS
        return fields

    def reading(self, target: Environment) -> Reading:
        from cfglint.frameworks.accessory.reading import AccessoryReading

        return AccessoryReading(self, target)

    def recognizes(self, document: Document) -> bool:
        """Whether a command of the script starts one of the programs, with options of theirs."""
        return (
            bool(kind_of(document.root))
            and recognition.of_text(document.text, "shell") == self.name
        )

    def coerce(self, path: Path, value: Any) -> Any:
        """The number that a word stands for."""
        if type(value) is not str or (type_ := self.keys.type_at(path)) is None:
            return value
        kinds = split_type(type_)
        found = converted(kinds[0], value) if len(kinds) == 1 else None
        return value if found is None else found

    def judge(self, release: str) -> Judge:
        return WORDS

    def told_by_rules(self, section: str, name: str) -> bool:
        """What starts the program, and further commands of the script."""
        return is_frame(name)

    def in_own_copy(self, word: str, target: Environment, around: Surroundings) -> bool:
        """Whether the project's own program has an option that the last commit's does not have."""
        pin = target.pins.get(self.packages[0])
        if around.folder is None or not self.kind or (pin is not None and not pin.in_project):
            return False
        from cfglint.frameworks.accessory.own_copy import options_around

        return word in options_around(self.kind, around)

    def references(self, document: Document, around: Surroundings) -> list[Reference]:
        """The commands of a script behind the first one, each a section."""
        return [
            Reference(self.name, (entry.label,))
            for entry in document.root.entries
            if command_of(entry.value) is not None
        ]


FRAMEWORK = Accessory
