"""The arguments of each command of a release."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from tools.python_sources.facts import KeyFacts, ReleaseKeys
from tools.python_sources.modules import ClassRef, Modules
from tools.swift_release.dataclass_fields import ArgumentReader
from tools.swift_release.registries import add_choices, registries

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tools.python_sources.sources import Release

PACKAGE = "swift"
#: Command -> the names that its class has had, the newest first.
CLASSES: Mapping[str, tuple[str, ...]] = {
    "sft": ("SftArguments", "TrainArguments"),
    "pt": ("PretrainArguments", "PtArguments", "SftArguments", "TrainArguments"),
    "rlhf": ("RLHFArguments",),
    "infer": ("InferArguments",),
    "export": ("ExportArguments",),
    "deploy": ("DeployArguments",),
    "eval": ("EvalArguments",),
    "app": ("AppArguments", "AppUIArguments"),
    "rollout": ("RolloutArguments",),
    "sample": ("SamplingArguments",),
    "megatron_sft": ("MegatronSftArguments", "MegatronTrainArguments"),
    "megatron_pt": (
        "MegatronPretrainArguments",
        "MegatronSftArguments",
        "MegatronTrainArguments",
    ),
    "megatron_rlhf": ("MegatronRLHFArguments",),
    "megatron_export": ("MegatronExportArguments",),
}
#: Modules that have classes of arguments have it in their path.
_MARK = "argument"


class NoCommandError(Exception):
    """A release has none of the classes that the commands' arguments should come from."""


def read_commands(release: Release, below: Mapping[str, KeyFacts]) -> dict[str, ReleaseKeys]:
    """Command -> its arguments, for the commands that the release has.

    Args:
        below: the arguments of the transformers that it goes with.

    Raises:
        NoCommandError: none of the classes is there.
    """
    modules = Modules(release)
    reader = ArgumentReader(modules, below)
    classes, types_of = _classes(modules), registries(modules)
    found = {}
    for command, names in CLASSES.items():
        name = next((one for one in names if one in classes), None)
        if name is not None:
            keys = {
                key: replace(one) for key, one in sorted(reader.arguments(classes[name]).items())
            }
            add_choices(types_of, keys)
            found[command] = ReleaseKeys(release.version, keys, {"": True})
    if "sft" not in found:
        raise NoCommandError(f"{release.version} has no class {CLASSES['sft'][0]}")
    return found


def _classes(modules: Modules) -> dict[str, ClassRef]:
    """The dataclasses of arguments by name."""
    found: dict[str, ClassRef] = {}
    for module in modules:
        if _MARK not in module:
            continue
        for ref in modules.classes(module):
            if any(_is_dataclass(one) for one in ref.node.decorator_list):
                found.setdefault(ref.name, ref)
    return found


def _is_dataclass(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "dataclass"
