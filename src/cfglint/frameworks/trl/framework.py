"""TRL: the YAML file that `trl sft --config` and its other commands read.

Two packages say what may be in it: TRL's own classes, and below them transformers'
TrainingArguments. The key table writes a release of the second with its name in front.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from cfglint.base.type_names import ClassVar
from cfglint.checks.context import CheckContext
from cfglint.checks.sources import has_folder, has_project, in_module, of_scripts
from cfglint.frameworks.trl.commands import COMMANDS
from cfglint.frameworks.trl.serving import SERVE, SERVER
from cfglint.knowledge.rules.index.triggers import has_value, is_true
from cfglint.roles.framework import Framework
from cfglint.roles.parts import CheckSource


def _is_of_command(ctx: CheckContext) -> bool:
    """Whether the context is a script's command of TRL's own."""
    return ctx.framework.kind in COMMANDS and ctx.framework.in_scripts


def _may_be_started(ctx: CheckContext) -> bool:
    """Whether the context is a file that a program of the project may be given."""
    return ctx.framework.language.name in ("yaml", "json")


def _is_of_trainer(ctx: CheckContext) -> bool:
    """Whether the context is the call of a trainer."""
    return ctx.framework.kind.endswith("Trainer")


class Trl(Framework):
    """TRL's files, each kind for a command, or for the script of a method that has no command."""

    name = "trl"
    own_roles = frozenset(
        {
            *("key_policy", "launching", "own_code", "own_files", "parsing", "readings"),
            *("call_key_policy", "call_own_code", "call_parsing", "call_readings"),
            *("option_key_policy", "option_own_code", "option_readings"),
        }
    )
    checks: ClassVar[Mapping[str, CheckSource]] = {
        **of_scripts(),
        **in_module(
            "cfglint.frameworks.deepspeed.trainer_pair",
            "deepspeed-settings-differ",
            needs=frozenset({is_true("deepspeed")}),
        ),
        **in_module(
            "cfglint.frameworks.deepspeed.other_schedule",
            "deepspeed-schedule-replaces",
            needs=frozenset({is_true("deepspeed")}),
        ),
        **in_module(
            "cfglint.frameworks.accelerate.launched_deepspeed",
            "launched-deepspeed-settings-differ",
            around=has_project,
        ),
        **in_module(
            "cfglint.frameworks.accelerate.other_strategy",
            "launch-of-other-strategy",
            around=has_project,
        ),
        **in_module(
            "cfglint.frameworks.accelerate.trainer_pair",
            "launch-settings-differ",
            around=has_folder,
            needs=frozenset({has_value("gradient_accumulation_steps"), has_value("max_grad_norm")}),
        ),
        **in_module(
            "cfglint.frameworks.trl.checks",
            "launcher-option-behind-program",
            file=_is_of_command,
            needs=frozenset({has_value("program")}),
        ),
        **in_module(
            "cfglint.frameworks.trl.refused_options",
            "option-of-no-class",
            file=_may_be_started,
        ),
        **in_module(
            "cfglint.frameworks.trl.checks",
            "both-names-of-the-tokenizer",
            file=_is_of_trainer,
            needs=frozenset({has_value("processing_class")}),
        ),
    }

    @cached_property
    def title(self) -> str:
        if self.kind == SERVER:
            return f"`trl {SERVE}`"
        if "." in self.kind:
            return f"`{self.kind.rpartition('.')[2]}`"
        return f"`trl {self.kind}`" if self.kind in COMMANDS else str(self.row["title"])


FRAMEWORK = Trl
