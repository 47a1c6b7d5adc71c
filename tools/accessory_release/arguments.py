"""The options of a program, from the calls of `add_argument` in its source. Nothing is run."""

from __future__ import annotations

import ast
from typing import Any

_TYPES = {"int": "int", "float": "float", "str": "str", None: "str"}


class UnreadableArgumentsError(Exception):
    """The source declares its options in a way that is not known here."""


def read(source: str) -> dict[str, dict[str, Any]]:
    """Option -> its entry in the key table, from `get_args_parser` of a program.

    Raises:
        UnreadableArgumentsError: there is no such function, or an option that is not understood.
    """
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == "get_args_parser":
            calls = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
            found = dict(sorted(_entry(call) for call in calls if _calls(call, "add_argument")))
            for call in calls:
                for keyword in call.keywords if _calls(call, "set_defaults") else ():
                    if keyword.arg in found:
                        found[keyword.arg]["default"] = ast.literal_eval(keyword.value)
            return found
    raise UnreadableArgumentsError("there is no function get_args_parser")


def _calls(call: ast.Call, name: str) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == name


def _entry(call: ast.Call) -> tuple[str, dict[str, Any]]:
    (name,) = [ast.literal_eval(argument) for argument in call.args]
    if not isinstance(name, str) or not name.startswith("--"):
        raise UnreadableArgumentsError(f"{name!r} is not a long option")
    said = {keyword.arg: keyword.value for keyword in call.keywords}
    default = ast.literal_eval(said["default"]) if "default" in said else None
    action = ast.literal_eval(said["action"]) if "action" in said else None
    if action in ("store_true", "store_false"):
        # What sets another argument has no value of its own.
        return name[2:], {"type": "bool", **({} if "dest" in said else {"default": False})}
    if action is not None:
        raise UnreadableArgumentsError(f"{name} has the action {action!r}")
    kind = said.get("type")
    type_ = _TYPES.get(kind.id if isinstance(kind, ast.Name) else None)
    if type_ is None or (kind is not None and not isinstance(kind, ast.Name)):
        raise UnreadableArgumentsError(f"{name} has a type that is not known here")
    entry: dict[str, Any] = {"type": type_}
    words = ast.literal_eval(said["nargs"]) if "nargs" in said else None
    if words is not None:
        entry["type"] = f"list<{type_}>"
        if words == "+":
            entry["constraints"] = {"min_length": 1}
        elif words != "*":
            raise UnreadableArgumentsError(f"{name} has nargs={words!r}")
    elif "choices" in said:
        entry["type"], entry["enum"] = "literal", ast.literal_eval(said["choices"])
    if default is not None:
        entry["default"] = default
    return name[2:], entry
