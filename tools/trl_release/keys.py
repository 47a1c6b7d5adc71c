"""The keys that each command of a TRL release takes, and those of transformers' TrainingArguments."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tools.python_sources.facts import KeyFacts, ReleaseKeys
from tools.python_sources.modules import ClassRef, Modules
from tools.python_sources.values import dotted_name
from tools.trl_release.dataclass_fields import DataclassReader

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.python_sources.sources import Release

PACKAGE = "trl"
BELOW = "transformers"

#: The commands that train; `chat`, `env` and `vllm-serve` have no file of this kind.
COMMANDS = ("distillation", "dpo", "grpo", "kto", "reward", "rloo", "sft")
#: Where a command's script has been, the newest place first.
_SCRIPTS = ("trl.scripts", "trl.commands.scripts")
_PARSERS = frozenset({"TrlParser", "HfArgumentParser"})
#: Keys that every command takes beside its classes, with the release that brought them.
ENV = KeyFacts(type="dict<any,any>")
#: Classes of transformers whose fields the other table has.
_BELOW = frozenset({"TrainingArguments"})
#: The name of the file itself, which cannot be in it.
_NOT_IN_FILE = frozenset({"config"})


class NoCommandError(Exception):
    """A release has none of the commands."""


def read_commands(release: Release, launcher: Iterable[str] = ()) -> dict[str, ReleaseKeys]:
    """Command -> its keys in one release; commands that the release does not have are left out.

    Args:
        launcher: the options of `accelerate launch`, for commands that hand on what they leave.

    Raises:
        NoCommandError: it has none.
    """
    modules = Modules(release)
    reader = DataclassReader(modules)
    known = _classes(modules)
    found: dict[str, ReleaseKeys] = {}
    for command in COMMANDS:
        names = _parsed_classes(modules, command)
        if not names:
            continue
        keys: dict[str, KeyFacts] = {"env": ENV}
        for name in names:
            if name in _BELOW:
                continue
            ref = _as_imported(modules, _module(modules, command), name) or known[name]
            for key, facts in reader.arguments(ref).items():
                if key not in _NOT_IN_FILE:
                    keys.setdefault(key, facts)
        if _hands_on(modules, command):
            for option in launcher:
                keys.setdefault(option, KeyFacts(type="any"))
        found[command] = ReleaseKeys(release.version, keys, {"": True})
    if not found:
        raise NoCommandError(f"TRL {release.version} has no command that reads a config file")
    return found


def read_training_arguments(release: Release) -> ReleaseKeys:
    """The arguments of transformers' TrainingArguments in one release."""
    modules = Modules(release)
    ref = ClassRef(
        "transformers.training_args",
        next(
            one.node
            for one in modules.classes("transformers.training_args")
            if one.name == "TrainingArguments"
        ),
    )
    keys = DataclassReader(modules).arguments(ref)
    return ReleaseKeys(release.version, keys, {"": True})


def _hands_on(modules: Modules, command: str) -> bool:
    """Whether a command gives the launcher what its classes do not take."""
    if "trl.cli.commands.training" in modules:
        return True
    return "trl.cli" in modules and (
        f"launch_args + [str({command}_training_script)]" in modules.text("trl.cli")
    )


def _module(modules: Modules, command: str) -> str:
    return next((f"{one}.{command}" for one in _SCRIPTS if f"{one}.{command}" in modules), "")


def _parsed_classes(modules: Modules, command: str) -> list[str]:
    """The names of the dataclasses that a command's script hands to its parser."""
    module = _module(modules, command)
    if not module:
        return []
    tree = modules.tree(module)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _name(node.targets[0]) == "dataclass_types":
            return _names(node.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in _PARSERS and node.args:
            return _names(node.args[0])
    return []


def _as_imported(modules: Modules, script: str, name: str) -> ClassRef | None:
    """The class that a script calls by a name: its own, or one that a function of it imports."""
    found = modules.find(script, name)
    if isinstance(found, ClassRef):
        return found
    for node in ast.walk(modules.tree(script)):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    found = modules.find_path(f"{node.module}.{alias.name}")
                    if isinstance(found, ClassRef):
                        return found
    return None


def _names(node: ast.expr) -> list[str]:
    return [_name(one) for one in node.elts] if isinstance(node, (ast.Tuple, ast.List)) else []


def _name(node: ast.expr) -> str:
    return (dotted_name(node) or "").rpartition(".")[2]


def _classes(modules: Modules) -> dict[str, ClassRef]:
    """The classes of the package by name, without those of its experimental part."""
    found: dict[str, ClassRef] = {}
    for module in modules:
        if ".experimental" not in module:
            for ref in modules.classes(module):
                found.setdefault(ref.name, ref)
    return found
