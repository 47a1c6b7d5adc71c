"""The keys of the `v1` layout of one release: its dataclasses, and what its plugins read.

The argument classes are in `llamafactory.v1.config`. Some arguments are sections for a plugin: `name`
chooses it, and what it reads of the rest is seen in its source (`config.get("r", 8)`).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tools.llamafactory_release.keys import facts, fields_of
from tools.python_sources.facts import KeyFacts, ReleaseKeys
from tools.python_sources.modules import Modules
from tools.python_sources.values import dotted_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.python_sources.sources import Release

_V1 = "llamafactory.v1"
_CLASSES = (
    ("model_args", "ModelArguments"),
    ("data_args", "DataArguments"),
    ("training_args", "TrainingArguments"),
    ("sample_args", "SampleArguments"),
)
#: Section -> the class whose plugins it chooses from.
_PLUGINS = {
    "dist_config": "DistributedPlugin",
    "init_config": "InitPlugin",
    "kernel_config": "KernelPlugin",
    "lr_scheduler_config": "LRSchedulerPlugin",
    "optim_config": "OptimizerPlugin",
    "peft_config": "PeftPlugin",
    "quant_config": "QuantizationPlugin",
}
#: What modules call a section that they are handed under a shorter name.
_HANDED = {
    f"{_V1}.plugins.model_plugins.peft": {"config": "peft_config", "export_config": "peft_config"},
    f"{_V1}.accelerator.interface": {"config": "dist_config"},
}
_TEMPLATES = f"{_V1}.plugins.model_plugins.templates."
#: The template that needs no plugin.
_BUILT_IN_TEMPLATE = "chatml"
_SECTION = "model:PluginConfig|null"
#: A section that a release declares, and for which it has no plugin.
_UNREAD = "dict<str,any>|null"


def read_v1_keys(release: Release) -> ReleaseKeys | None:
    """Everything that a file of the layout can say; None for a release without the layout."""
    modules = Modules(release)
    if f"{_V1}.config.model_args" not in modules:
        return None
    keys: dict[str, KeyFacts] = {}
    forbidding = {"": True}
    for module, name in _CLASSES:
        for key, one in fields_of(modules, f"{_V1}.config.{module}", name).items():
            keys[key] = facts(one)
    for section, plugin in _PLUGINS.items():
        if section not in keys:
            continue
        names = sorted(_registered(modules, plugin))
        members = _read_members(modules, section) | _declared_members(modules, names)
        if not names and not members:
            keys[section] = KeyFacts(_UNREAD)
            continue
        keys[section] = KeyFacts(_SECTION)
        forbidding[section] = False
        kind = "literal" if names else "any"
        keys[f"{section}.name"] = KeyFacts(kind, required=True, enum=list(names))
        for member in sorted(members - {"name"}):
            keys[f"{section}.{member}"] = KeyFacts("any")
    if "template" in keys:
        names = [one.rpartition(".")[2] for one in modules if one.startswith(_TEMPLATES)]
        default = keys["template"].default
        known = sorted({_BUILT_IN_TEMPLATE, *names})
        keys["template"] = KeyFacts("literal", default=default, enum=list(known))
    return ReleaseKeys(release.version, dict(sorted(keys.items())), forbidding)


def _registered(modules: Modules, plugin: str) -> set[str]:
    """The names under which plugins of a class are registered: `@PeftPlugin("lora").register()`."""
    return {
        node.args[0].value
        for _, node in _calls(modules)
        if dotted_name(node.func) == plugin
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    }


def _declared_members(modules: Modules, names: list[str]) -> set[str]:
    """The fields of the dictionary types of plugins: those whose `name` is one of their names."""
    found: set[str] = set()
    for module in modules:
        if not module.startswith(f"{_V1}.plugins."):
            continue
        for node in ast.walk(modules.tree(module)):
            if not isinstance(node, ast.ClassDef) or "TypedDict" not in map(
                dotted_name, node.bases
            ):
                continue
            declared = {
                one.target.id: one.annotation
                for one in node.body
                if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
            }
            chosen = declared.get("name")
            literal = chosen.slice if isinstance(chosen, ast.Subscript) else None
            if isinstance(literal, ast.Constant) and literal.value in names:
                found |= declared.keys()
    return found


def _read_members(modules: Modules, section: str) -> set[str]:
    """The keys of a section that are read anywhere: `self.args.dist_config.get("cp_size", 1)`."""
    found: set[str] = set()
    for module, node in _calls(modules):
        receiver, _, method = (dotted_name(node.func) or "").rpartition(".")
        if method != "get" or not node.args or not isinstance(node.args[0], ast.Constant):
            continue
        name = receiver.rpartition(".")[2]
        if _HANDED.get(module, {}).get(name, name) == section:
            found.add(str(node.args[0].value))
    return found


def _calls(modules: Modules) -> Iterator[tuple[str, ast.Call]]:
    for module in modules:
        if module.startswith(f"{_V1}."):
            for node in ast.walk(modules.tree(module)):
                if isinstance(node, ast.Call):
                    yield module, node
