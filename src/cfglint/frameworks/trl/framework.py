"""TRL: the YAML file that `trl sft --config` and its other commands read.

Two packages say what may be in it: TRL's own classes, and below them transformers'
TrainingArguments. The key table writes a release of the second with its name in front.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Table
from functools import cached_property

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar
from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import Surroundings
from cfglint.framework import Framework
from cfglint.frameworks.deepspeed.references import deepspeed_settings
from cfglint.frameworks.trl import programs
from cfglint.frameworks.trl.arguments import ARGUMENTS, converted
from cfglint.frameworks.trl.commands import (
    KEPT_BY_OTHERS,
    command_of,
    is_of_another_method,
    not_of_all,
)
from cfglint.frameworks.trl.examined import ExaminedKeys, is_unseen
from cfglint.frameworks.trl.unknown_keys import is_dropped
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.keys.pydantic_types import split_type
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.keys.table import KeyTable
from cfglint.knowledge.rules.index.triggers import has_value
from cfglint.knowledge.rules.knowledge import ProjectRules
from cfglint.knowledge.rules.views import View
from cfglint.roles.parts import Asked, Derived, Reference
from cfglint.source.document import Document, Mapping, Path, Scalar
from cfglint.source.values import is_placeholder

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.fit.planning import Planner
    from cfglint.frameworks.trl.own_program import OwnArguments
    from cfglint.roles.reading.base import Reading
    from cfglint.settings.words import Override
    from cfglint.starts.start import Start

#: Keys of which every file has one that somebody trains with.
_USUAL = frozenset(
    has_value(key)
    for key in (
        *("model_name_or_path", "dataset_name", "datasets", "output_dir", "learning_rate"),
        *("per_device_train_batch_size", "num_train_epochs", "max_steps"),
    )
)


#: What `trl` itself makes an option of the launcher from.
_FOR_LAUNCHER = "accelerate_config"
#: The codes of the rules about TRL's own classes.
_OWN_RULES = "TRL"


def _of_file(_view: View, _asked: Asked, _assume: bool) -> Any:
    """What is known to the framework of the file, not to the view: see `Trl.derived`."""
    return UNKNOWN


def _own_arguments(around: Surroundings) -> OwnArguments:
    """What the programs of the project do with arguments: loaded only when there is something to say."""
    from cfglint.frameworks.trl.own_program import arguments_around

    return arguments_around(around)


def _is_own_choice(name: str, document: Document, own: OwnArguments) -> bool:
    """Whether a program of the project compares a key with the word that a file has for it."""
    node = document.node((name,))
    return isinstance(node, Scalar) and own.compare(name, node.value)


class Trl(Framework):
    """How TRL recognizes, reads and completes a file.

    Args:
        command: the command that the files are for; empty when nobody knows.
        other: whether they are for the script of a method that has no command.
    """

    name = "trl"
    shared_from = 6
    # Scripts that train with GRPO, open-r1's first, had it before TRL's own did.
    read_sooner: ClassVar[Table[str, str]] = {"reward_funcs": "0.14.0"}
    # What GRPO did before there was a key for it.
    done_sooner: ClassVar[Table[str, tuple[str, Any]]] = {
        "num_iterations": ("0.14.0", 1),
        "scale_rewards": ("0.14.0", True),
        "repetition_penalty": ("0.14.0", 1.0),
        "top_p": ("0.14.0", 1.0),
    }
    derived_values: ClassVar[Table[str, Derived]] = {
        "command": Derived(_of_file, _USUAL),
        "extended": Derived(_of_file, _USUAL),
    }

    def __init__(
        self, project_rules: ProjectRules | None = None, command: str = "", *, other: bool = False
    ) -> None:
        super().__init__(project_rules)
        self.command = command
        self._other = other
        self._of_files: dict[tuple[str, bool], Trl] = {}
        self._in: dict[tuple[str, str], ExaminedKeys] = {}

    def for_document(self, document: Document, around: Surroundings) -> Framework:
        """The framework with the keys of the command that a file is for."""
        command = command_of(document, around)
        other = not command and is_of_another_method(around)
        if (command, other) == (self.command, self._other):
            return self
        found = self._of_files.get((command, other))
        if found is None:
            found = Trl(self._project_rules, command, other=other)
            self._of_files[command, other] = found
        return found

    @cached_property
    def title(self) -> str:
        return f"`trl {self.command}`" if self.command else self.own_title

    @cached_property
    def keys(self) -> KeyTable:
        if not self.command:
            return super().keys
        return KeyTable(compiled.load(f"trl_{self.command}_keys"))

    @property
    def fields(self) -> Table[str, Table[str, Table[str, Any]]]:
        if not self.command:
            return super().fields
        fields: Table[str, Any] = compiled.load(f"trl_{self.command}_fields").FIELDS
        return fields

    def derived(self, name: str, view: View, asked: Asked, *, assume: bool) -> Any:
        if name == "extended":
            return self.is_extended(view.document)
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
        return not section and is_unseen(name, mapping, keys)

    def is_extended(self, document: Document) -> bool:
        return self._other or programs.is_extended(document, self.keys)

    def has_own_program(self, document: Document, around: Surroundings) -> bool:
        own = _own_arguments(around)
        return self.is_extended(document) or own.has_parser or own.has_loader

    def is_parsed_strictly(self, document: Document, around: Surroundings) -> bool:
        return programs.is_of_older_handbook(document) or _own_arguments(around).is_strict

    def may_be_extended(self, document: Document, name: str) -> bool:
        of_program = self.keys.info("", name) is None and programs.may_be_extended(document)
        return self._other or of_program

    def has_own_class(
        self, document: Document, name: str, keys: ReleaseKeys, around: Surroundings
    ) -> bool:
        if document.text.startswith(programs.OF_HYDRA):
            return True
        own = _own_arguments(around)
        is_known = self.keys.info("", name) is not None
        if own.have(name, known=is_known) or _is_own_choice(name, document, own):
            return True
        if is_known and name in programs.own_keys(document):
            return True
        if programs.has_in_own_class(document, name) or (self._other and name in KEPT_BY_OTHERS):
            return True
        if self.command or not not_of_all(name) or not self.is_extended(document):
            return False
        # A program of another kind: what a command has had since then may be older there.
        info = self.keys.info("", name)
        return info is not None and " " not in info.since and not keys.released(info.since)

    def own_copy_differs(
        self, hit: Diagnostic, document: Document, target: Environment, around: Surroundings
    ) -> bool:
        """What TRL does with a key that a program has in its own class, or whose value is filled in later."""
        if not hit.code.startswith(_OWN_RULES) or len(hit.path) != 1:
            return False
        name, own = str(hit.path[0]), _own_arguments(around)
        node = document.node((name,))
        if isinstance(node, Scalar) and isinstance(node.value, str) and is_placeholder(node.value):
            return True
        names = [entry.name or "" for entry in document.root.entries]
        if own.have(name, known=True) or own.are_for(names):
            return True
        return _is_own_choice(name, document, own)

    def keys_of_extension(self, document: Document) -> frozenset[str]:
        return programs.own_keys(document)

    def known_elsewhere(self, section: str, name: str) -> str:
        if name != _FOR_LAUNCHER and self.is_option_of_launcher(section, name):
            return f" It is an option of `accelerate launch`: `--{name}`."
        kinds = compiled.load("trl_below").KINDS.get(name, ()) if not section else ()
        if not kinds:
            return ""
        names = [f"`trl {kind}`" for kind in sorted(kinds)]
        return f" It is a key of {' and '.join(names)}."

    def reading(self, target: Environment) -> Reading:
        from cfglint.frameworks.trl.reading import TrlReading

        return TrlReading(self, target)

    def planner(
        self, document: Document, target: Environment, around: Surroundings
    ) -> Planner | None:
        from cfglint.fit.values import Values
        from cfglint.frameworks.trl.fit.planner import TrlPlanner

        command = command_of(document, around)
        extended = self.is_extended(document)
        if extended and (self._other or not programs.loads_like_trl(document, self.keys)):
            command = ""
        values = Values(document, self, target.release)
        return TrlPlanner(command, values, around, of_program=extended)

    def overrides(self, line: Start, document: Document, release: str) -> Iterable[Override]:
        from cfglint.frameworks.trl.launch_options import overrides

        return overrides(line, self.keys)

    def references(self, document: Document, around: Surroundings) -> Iterator[Reference]:
        return deepspeed_settings(document, around)

    def is_option_of_launcher(self, section: str, name: str) -> bool:
        info = self.keys.info(section, name)
        return info is not None and info.type == "any" and " " not in info.since

    def leaves_out(self, section: str, name: str, value: Any, keys: ReleaseKeys) -> bool:
        """Whether the release goes on without a key that its command does not have."""
        of_launcher = self.is_option_of_launcher(section, name)
        return is_dropped(self.command, name, keys, of_launcher=of_launcher)


FRAMEWORK = Trl
