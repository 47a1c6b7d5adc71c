"""Holds the key table against the models of an installed DeepSpeed (``real_models.py``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from tools.python_sources.table import Table

_UNKNOWN = ("computed_from",)
#: A bound of ours that says more about the type; validators of the release enforce it.
_OWN = "strict"


def differences(
    table: Table, real: Mapping[str, Any], reviewed: Collection[str] = ()
) -> Iterator[str]:
    """Every fact of a field in which the table and the imported models are not one.

    Args:
        reviewed: fields whose validators take more or less than their declaration says.
    """
    version = real["version"]
    keys, sections = table.keys[version], table.sections[version]
    seen = False
    for path, facts in sections.items():
        model = real["models"].get(_model_of(keys.get(path, {}).get("type", "")))
        if model is None:
            if not str(facts["reader"]).startswith("hand"):
                yield f"{version} {path}: no imported model for it"
            continue
        seen = True
        if facts["forbids_unknown"] != model["forbids"]:
            yield f"{version} {path}: forbids unknown keys: {model['forbids']}"
        names = {key.rpartition(".")[2]: key for key in keys if key.rpartition(".")[0] == path}
        for name in sorted(names.keys() ^ model["fields"].keys()):
            yield f"{version} {path}.{name}: only in the {'table' if name in names else 'models'}"
        for name in sorted(names.keys() & model["fields"].keys()):
            if names[name] not in reviewed:
                ours, theirs = keys[names[name]], model["fields"][name]
                yield from _field(f"{version} {names[name]}", ours, theirs)
    if not seen:
        yield f"{version}: nothing to compare"


def count(table: Table, real: Mapping[str, Any]) -> int:
    """How many fields were compared."""
    keys = table.keys[real["version"]]
    models = {
        path: real["models"].get(_model_of(keys.get(path, {}).get("type", "")))
        for path in table.sections[real["version"]]
    }
    return sum(len(model["fields"]) for model in models.values() if model is not None)


def _model_of(type_: str) -> str:
    for part in type_.split("|"):
        if part.startswith("model:"):
            return part.removeprefix("model:")
    return ""


def _field(where: str, ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Iterator[str]:
    facts = {
        "alias": (ours["alias"], [theirs["alias"]] if theirs["alias"] else []),
        "required": (ours["required"], theirs["required"]),
        "limits": ({k: v for k, v in ours["constraints"].items() if k != _OWN}, theirs["limits"]),
        "deprecated": (ours["deprecated"], theirs["deprecated"]),
        "new_param": (ours["new_param"], theirs["new_param"]),
    }
    default = ours["default"]
    if not (isinstance(default, dict) and any(name in default for name in _UNKNOWN)):
        facts["default"] = (default, theirs["default"])
    if not {"any", "null"} & set(ours["type"].split("|")) and theirs["null"]:
        yield f"{where}: accepts null"
    if "null" in ours["type"].split("|") and not theirs["null"]:
        yield f"{where}: does not accept null"
    for name, (our, their) in facts.items():
        if our != their:
            yield f"{where}: {name} is {their!r}, not {our!r}"
