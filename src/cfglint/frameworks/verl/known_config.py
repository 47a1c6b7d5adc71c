"""The config of a run whose trainer checks it, key by key.

A value is the one that a word sets, or else the default of the config. Where words are not known, or
the config cannot be followed, it is unknown, and rules that depend on it stay silent.
"""

from __future__ import annotations

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.base.type_names import Any, Final
from cfglint.frameworks.verl.commands import programs
from cfglint.frameworks.verl.run_config import latest_config
from cfglint.knowledge.rules.views import View
from cfglint.roles.framework import load_framework
from cfglint.roles.parts import Asked
from cfglint.roles.scripts import command_of
from cfglint.source.values import Unexpanded, to_python

PPO: Final = "verl.trainer.main_ppo"
#: The programs whose trainers check their config in this way.
CHECKED: Final = frozenset({PPO, "recipe.dapo.main_dapo"})
_MODEL: Final = ("actor_rollout_ref", "model", "path")
_OWN_CODE: Final = ("actor_rollout_ref", "model", "external_lib")


class KnownConfig:
    """The config of a run, as far as it is known."""

    def __init__(self, view: View, asked: Asked) -> None:
        self._document = view.document
        self.program = command_of(view.document.root)
        self._found = (
            latest_config(view.document, asked.environment, asked.around)
            if self.program in CHECKED
            else None
        )

    def value(self, dotted: str) -> Any:
        """The value of a key; `UNKNOWN` when it is not known, `MISSING` without the key."""
        if self._found is None:
            return UNKNOWN
        if self._document.hides_keys and self._document.node(tuple(dotted.split("."))) is None:
            return UNKNOWN
        value = self._found.merged.value(dotted)
        return UNKNOWN if isinstance(value, Unexpanded) else value

    def number(self, dotted: str) -> Any:
        """A whole number; `UNKNOWN` for all else."""
        value = self.value(dotted)
        return value if isinstance(value, int) and not isinstance(value, bool) else UNKNOWN

    def flag(self, dotted: str) -> Any:
        """Whether a key is true; `UNKNOWN` for what is neither true nor false, false without the key."""
        value = self.value(dotted)
        if value is MISSING or value is None:
            return False
        return value if isinstance(value, bool) else UNKNOWN

    def is_null(self, dotted: str) -> Any:
        """Whether a key is null; `UNKNOWN` when its value is, or where there is no such key."""
        value = self.value(dotted)
        return UNKNOWN if value is UNKNOWN or value is MISSING else value is None

    @property
    def is_whole(self) -> bool:
        """Whether the command is meant to run as it is: it says which model is trained."""
        return self._document.node(_MODEL) is not None

    @property
    def names_own_code(self) -> bool:
        """Whether the command starts a program of one's own, or names a library. Words that are not known, as in `$@`, seldom do."""
        if self.program not in programs():
            return True
        node = self._document.node(_OWN_CODE)
        return node is not None and bool(to_python(node))


def product(*factors: Any) -> Any:
    """The product of whole numbers; `UNKNOWN` when one of them is."""
    found = 1
    for one in factors:
        if not isinstance(one, int):
            return UNKNOWN
        found *= one
    return found


def gpus_of(config: KnownConfig) -> Any:
    """The GPUs of all machines."""
    return product(config.number("trainer.n_gpus_per_node"), config.number("trainer.nnodes"))


def any_of(*flags: Any) -> Any:
    """Whether one of the flags is true; `UNKNOWN` when that hangs on one that is not known."""
    if any(one is True for one in flags):
        return True
    return UNKNOWN if UNKNOWN in flags else False


def all_of(*flags: Any) -> Any:
    """Whether all flags are true; `UNKNOWN` when that hangs on one that is not known."""
    if any(one is False for one in flags):
        return False
    return UNKNOWN if UNKNOWN in flags else True


def negated(flag: Any) -> Any:
    """The opposite of a flag; `UNKNOWN` for what is none."""
    return not flag if isinstance(flag, bool) else UNKNOWN


def is_before(asked: Asked, release: str) -> bool:
    """Whether the run's release of verl is older than the named one."""
    return not load_framework("verl").release_keys(asked.environment.release).released(release)
