"""TRL: the YAML file that `trl sft --config` and its other commands read.

Two packages say what may be in it: TRL's own classes, and below them transformers'
TrainingArguments. The key table writes a release of the second with its name in front.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Table
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from cfglint import compiled
from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import Surroundings
from cfglint.framework import Framework
from cfglint.framework_parts import Asked, Derived, Override, Reference
from cfglint.frameworks.deepspeed.references import deepspeed_settings
from cfglint.frameworks.trl.arguments import ARGUMENTS, converted
from cfglint.frameworks.trl.commands import command_of
from cfglint.frameworks.trl.examined import ExaminedKeys, is_unseen
from cfglint.frameworks.trl.unknown_keys import is_dropped
from cfglint.keys.judges import Judge
from cfglint.keys.pydantic_types import split_type
from cfglint.keys.release_keys import ReleaseKeys
from cfglint.keys.table import KeyTable
from cfglint.logic import UNKNOWN
from cfglint.rules.index.triggers import has_value
from cfglint.rules.knowledge import ProjectRules
from cfglint.rules.views import View
from cfglint.source.document import Document, Mapping, Path

if TYPE_CHECKING:
    from cfglint.environment.project.launch_commands import LaunchLine
    from cfglint.fit.planning import Planner

#: Keys of other programs' classes that extend TRL's: the alignment-handbook's, open-r1's, an example's.
_EXTENDED = frozenset(
    {
        "chat_template",
        "dataset_mixer",
        "dataset_mixture",
        "dataset_configs",
        "dataset_splits",
        "preprocessing_num_workers",
        "hub_model_revision",
        "push_to_hub_revision",
        "overwrite_hub_revision",
        "benchmarks",
        "callbacks",
        "auto_insert_empty_system_msg",
        "dataset_id_or_path",
        "dataset_prompt_column",
        "system_prompt",
        "gamma_beta_ratio",
        "tokenizer_name_or_path",
        "spectrum_config_path",
        "code_language",
        # Of scripts among TRL's own examples.
        "eval_dataset_path",
        "project_name",
    }
)


#: Keys that name data, and how many unknown keys in a file without one of them speak for a script
#: with arguments of its own.
_DATA = frozenset({"dataset_name", "datasets"})
_MANY = 3
#: Keys of which every file has one that somebody trains with.
_USUAL = (
    *("model_name_or_path", "dataset_name", "datasets", "output_dir", "learning_rate"),
    *("per_device_train_batch_size", "num_train_epochs", "max_steps"),
)


def _command(_view: View, _asked: Asked, _assume: bool) -> Any:
    """The command is known to the framework of the file, not to the view: see `Trl.derived`."""
    return UNKNOWN


class Trl(Framework):
    """How TRL recognizes, reads and completes a file.

    Args:
        command: the command that the files are for; empty when nobody knows.
    """

    name = "trl"
    completes = False
    shared_from = 6
    derived_values: ClassVar[Table[str, Derived]] = {
        "command": Derived(_command, frozenset(has_value(key) for key in _USUAL))
    }

    def __init__(self, project_rules: ProjectRules | None = None, command: str = "") -> None:
        super().__init__(project_rules)
        self.command = command
        self._of_commands: dict[str, Trl] = {}
        self._in: dict[tuple[str, str], ExaminedKeys] = {}

    def for_document(self, document: Document, around: Surroundings) -> Framework:
        """The framework with the keys of the command that a file is for."""
        command = command_of(document, around)
        if command == self.command:
            return self
        found = self._of_commands.get(command)
        if found is None:
            found = self._of_commands[command] = Trl(self._project_rules, command)
        return found

    @cached_property
    def title(self) -> str:
        return f"`trl {self.command}`" if self.command else self.own_title

    @cached_property
    def keys(self) -> KeyTable:
        if not self.command:
            return super().keys
        return KeyTable(compiled.load(f"trl_{self.command}_keys"))

    def derived(self, name: str, view: View, asked: Asked, *, assume: bool) -> Any:
        return self.command or UNKNOWN

    def coerce(self, path: Path, value: Any) -> Any:
        """A text that an argument of a number or a switch is converted from: `"1e-5"`, `"true"`."""
        if not isinstance(value, str) or (type_ := self.keys.type_at(path)) is None:
            return value
        return converted(split_type(type_), value)

    def judge(self, release: str) -> Judge:
        return ARGUMENTS

    def keys_in(self, target: Environment) -> ReleaseKeys:
        """The keys of a release of TRL with the stated version of transformers, or the one that came with it."""
        below = compiled.load("trl_below")
        pin = target.pins.get(below.PACKAGE)
        told = pin.version if pin is not None else None
        beside = told or below.BESIDE.get(target.release, below.RELEASES[-1])
        known = self._in.get((target.release, beside))
        if known is None:
            known = self._in[target.release, beside] = ExaminedKeys(
                self.keys,
                self.releases.versions,
                target.release,
                self.own_key,
                judge=ARGUMENTS,
                beside={below.PACKAGE: (below.RELEASES, beside)},
            )
            known.command = self.command
        return known

    def is_overwritten(self, section: str, name: str, mapping: Mapping, keys: ReleaseKeys) -> bool:
        return not section and is_unseen(name, mapping)

    def is_extended(self, document: Document) -> bool:
        """Whether a program of its own reads a file: its keys say so, or it names its data otherwise."""
        names = {entry.name for entry in document.root.entries}
        if not _EXTENDED.isdisjoint(names):
            return True
        unknown = [name for name in names if name and self.keys.info("", name) is None]
        return _DATA.isdisjoint(names) and len(unknown) >= _MANY

    def known_elsewhere(self, section: str, name: str) -> str:
        kinds = compiled.load("trl_below").KINDS.get(name, ()) if not section else ()
        if not kinds:
            return ""
        names = [f"`trl {kind}`" for kind in sorted(kinds)]
        return f" It is a key of {' and '.join(names)}."

    def planner(
        self, document: Document, target: Environment, around: Surroundings
    ) -> Planner | None:
        from cfglint.fit.values import Values
        from cfglint.frameworks.trl.fit.planner import TrlPlanner

        command = command_of(document, around)
        own = "" if self.is_extended(document) else command
        return TrlPlanner(own, Values(document, self, target.release), around)

    def overrides(self, line: LaunchLine, document: Document, release: str) -> Iterable[Override]:
        from cfglint.frameworks.trl.launch_options import overrides

        return overrides(line, self.keys)

    def references(self, document: Document, around: Surroundings) -> Iterator[Reference]:
        return deepspeed_settings(document, around)

    def leaves_out(self, section: str, name: str, value: Any, keys: ReleaseKeys) -> bool:
        """Whether the release goes on without a key that its command does not have."""
        info = self.keys.info(section, name)
        of_launcher = info is not None and info.type == "any" and " " not in info.since
        return is_dropped(self.command, name, keys, of_launcher=of_launcher)


FRAMEWORK = Trl
