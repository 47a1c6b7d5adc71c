"""What follows from one of TRL's files."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Table

from cfglint.base.logic import UNKNOWN, plain
from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar, Final
from cfglint.frameworks.deepspeed.references import deepspeed_settings, opened_settings
from cfglint.frameworks.trl import programs
from cfglint.frameworks.trl.commands import COMMANDS, OF_OTHERS, command_of
from cfglint.knowledge.rules.index.triggers import has_value
from cfglint.roles.model_facts import fact_of_model
from cfglint.roles.parts import Asked, Derived, Opened, Reference
from cfglint.roles.readings import Readings
from cfglint.roles.scripts import command_of as command_of_script
from cfglint.roles.scripts import further_commands
from cfglint.source.calls import call_of

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.knowledge.rules.views import View
    from cfglint.roles.reading.base import Reading
    from cfglint.runs.memory.planning import Planner
    from cfglint.source.document import Document

#: Keys of which every file for training has at least one.
_USUAL = frozenset(
    has_value(key)
    for key in (
        *("model_name_or_path", "dataset_name", "datasets", "output_dir", "learning_rate"),
        *("per_device_train_batch_size", "num_train_epochs", "max_steps"),
    )
)

#: Keys of which a call has one that decides how many answers a generation has.
_OF_GROUPS = frozenset(
    has_value(key)
    for key in ("num_generations", "per_device_train_batch_size", "gradient_accumulation_steps")
)
#: Further ones where a rule asks whether the classes are patched.
_OF_PATCHED = frozenset(
    has_value(key)
    for key in ("use_vllm", "steps_per_generation", "mask_truncated_completions", "temperature")
)


def _of_file(_view: View, _asked: Asked, _assume: bool) -> Any:
    """What is known of the file, not of the view: see `TrlReadings.derived`."""
    return UNKNOWN


#: One of these is written where a rule asks for the class of an adapter.
_OF_ADAPTERS: Final = frozenset(
    has_value(name)
    for name in (
        *("target_modules", "task_type", "layers_pattern", "total_step", "init_r", "target_r"),
        *("feedforward_modules", "load_in_4bit", "load_in_8bit", "llm_int8_threshold"),
        *("oft_block_size", "processing_class"),
        *("bnb_4bit_use_double_quant", "llm_int8_enable_fp32_cpu_offload", "llm_int8_skip_modules"),
        "fsdp_version",
    )
)


class TrlReadings(Readings):
    """What a command of TRL makes of a file."""

    model_key = ("model_name_or_path",)
    derived_values: ClassVar[Table[str, Derived]] = {
        "command": Derived(_of_file, _USUAL | _OF_GROUPS),
        "extended": Derived(_of_file, _USUAL),
        # The class that a program calls: what is not written there has its default.
        "call": Derived(_of_file, _OF_GROUPS | {has_value("trainer")}),
        # The class of an adapter, of quantization or of a plugin that it calls.
        "adapter": Derived(_of_file, _OF_ADAPTERS),
        # The class of the trainer, where all calls of a program's run are seen together.
        "trainer": Derived(_of_file, frozenset({has_value("trainer")})),
        # How many processes the project's commands start of the program, on each machine.
        "processes": Derived(_of_file, frozenset({has_value("trainer")})),
        # Which launcher starts it in all of them.
        "launcher": Derived(_of_file, frozenset({has_value("trainer")})),
        # Which FSDP the settings of accelerate switch on in all of them.
        "launched_fsdp": Derived(_of_file, _USUAL | {has_value("trainer")}),
        # Whether the program imports a package that runs vLLM, or trains, in a way of its own.
        "patched": Derived(_of_file, _OF_GROUPS | _OF_PATCHED | {has_value("trainer")}),
    }

    def derived(self, name: str, view: View, asked: Asked, *, assume: bool) -> Any:
        if name in ("call", "adapter", "trainer", "processes", "launcher"):
            return None
        if name == "launched_fsdp":
            from cfglint.frameworks.accelerate.launched_fsdp import launched_fsdp_of_file

            return UNKNOWN if self.framework.in_scripts else launched_fsdp_of_file(asked.around)
        if name == "patched":
            return False
        if name == "extended":
            return not self.framework.in_scripts and self._is_extended(view.document)
        return self.framework.kind if self.framework.kind in COMMANDS else UNKNOWN

    def _is_extended(self, document: Document) -> bool:
        """Whether a document shows that a program which adds keys of its own reads it."""
        from cfglint.frameworks.trl.own_code import TrlOwnCode

        own_code = self.framework.own_code
        return isinstance(own_code, TrlOwnCode) and own_code.reads(document)

    def fact(self, name: str, view: View, around: Surroundings) -> Any:
        written = plain(view.value(self.model_key))
        return fact_of_model(name, written, self.framework.knowledge, around)

    def reading(self, target: Environment) -> Reading:
        from cfglint.frameworks.trl.reading import TrlReading

        return TrlReading(self.framework, target)

    def planner(
        self, document: Document, target: Environment, around: Surroundings
    ) -> Planner | None:
        from cfglint.frameworks.trl.fit.planner import TrlPlanner
        from cfglint.runs.memory.values import values_of

        values = values_of(document, self.framework, target.release)
        if self.framework.in_scripts:
            from cfglint.environment.project.own_processes import (
                settings_elsewhere,
                with_own_command,
            )

            command = command_of_script(document.root)
            if command not in COMMANDS or settings_elsewhere(document, around):
                return None
            return TrlPlanner(command, values, with_own_command(document, around))
        if call_of(document.root) is not None:
            from cfglint.frameworks.trl.fit.program import ProgramPlanner, ProgramValues

            own = ProgramValues(document, self.framework, target.release)
            return ProgramPlanner(self.framework.kind, own, around)
        command = command_of(document, around)
        extended = self._is_extended(document)
        other = self.framework.kind == OF_OTHERS
        if extended and (other or not programs.loads_like_trl(document, self.framework.keys)):
            command = ""
        return TrlPlanner(command, values, around, of_program=extended)

    def opened(self, document: Document) -> Iterator[Opened]:
        return opened_settings(document)

    def references(self, document: Document, around: Surroundings) -> Iterator[Reference]:
        if self.framework.in_scripts:
            yield from further_commands(document, self.framework.name)
        yield from deepspeed_settings(document, around)


ROLE = TrlReadings
