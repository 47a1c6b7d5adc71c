"""The options of `accelerate launch`, and how it fills them from a config file."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from tools.accelerate_release.trees import constant, functions, methods_of

#: Group of options in the parser -> section of the config file.
_SECTIONS = {
    "deepspeed_args": "deepspeed_config",
    "fsdp_args": "fsdp_config",
    "megatron_lm_args": "megatron_lm_config",
    "fp8_args": "fp8_config",
    "mpirun_args": "mpirun_config",
    "parallelism_config_args": "parallelism_config",
    "tp_args": "tp_config",
}
#: Options of general groups that `accelerate config` writes into a section.
_ELSEWHERE = {"ipex": "ipex_config", "use_xpu": "ipex_config"}
_SWITCHES = ("store_true", "store_false")


@dataclass(frozen=True)
class Option:
    """One option: its name, the section its value is written in (or ""), type, default, choices."""

    name: str
    section: str
    type: str
    default: Any
    choices: tuple[Any, ...]

    @property
    def is_filled(self) -> bool:
        """Whether a top-level key of the file is used: only options without a default are open."""
        return self.default is None


@dataclass(frozen=True)
class Filling:
    """What the launcher copies from a file's sections into its options.

    `prefixes` maps a section to the prefix that a key may go without; `sections` names those that
    are copied, None when all are.
    """

    sections: frozenset[str] | None
    prefixes: dict[str, str]


def read_options(module: ast.Module, constants: dict[str, Any]) -> dict[str, Option]:
    """The options of the launcher's parser, by destination."""
    found: dict[str, Option] = {}
    for function in functions(module, "launch_command_parser"):
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and methods_of(node) == "add_argument":
                option = _option(node, constants)
                if option is not None:
                    found.setdefault(option.name, option)
    return found


def _option(node: ast.Call, constants: dict[str, Any]) -> Option | None:
    names = [str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)]
    long = next((name for name in names if name.startswith("--")), None)
    if long is None or not isinstance(node.func, ast.Attribute):
        return None
    given = {word.arg: word.value for word in node.keywords if word.arg is not None}
    name = str(constant(given["dest"], constants)) if "dest" in given else long[2:]
    group = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
    section = _SECTIONS.get(group) or _ELSEWHERE.get(name, "")
    if name.startswith("dynamo_"):
        section = "dynamo_config"
    action = constant(given["action"], constants) if "action" in given else None
    default = constant(given["default"], constants) if "default" in given else None
    if action in _SWITCHES and "default" not in given:
        default = action == "store_false"
    kind = "bool" if action in _SWITCHES else ast.unparse(given["type"]) if "type" in given else ""
    choices = constant(given["choices"], constants) if "choices" in given else None
    return Option(name, section, kind, default, tuple(choices or ()))


def read_filling(module: ast.Module) -> Filling:
    """How `_validate_launch_command` copies sections, in the form of loops or of one for all."""
    text = "\n".join(
        ast.unparse(function) for function in functions(module, "_validate_launch_command")
    )
    looped = frozenset(
        node.iter.attr
        for function in functions(module, "_validate_launch_command")
        for node in ast.walk(function)
        if isinstance(node, ast.For)
        and isinstance(node.iter, ast.Attribute)
        and isinstance(node.iter.value, ast.Name)
        and node.iter.value.id == "defaults"
    )
    prefixes = {
        section: prefix
        for section, prefix in (
            ("fsdp_config", "fsdp_"),
            ("fp8_config", "fp8_"),
            ("dynamo_config", "dynamo_"),
        )
        if f"'{prefix}' + " in text
    }
    return Filling(looped or None, prefixes)
