"""Writes what the imported models of an installed DeepSpeed say into a file, as JSON.

The only part that imports DeepSpeed; for comparing (``python -m tools.deepspeed_release compare``)
what was read as text. Run it by path in an environment that has DeepSpeed and nothing of cfglint.
"""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any

_LIMITS = ("gt", "ge", "lt", "le")
_MODULES = ("deepspeed.runtime.config", "deepspeed.runtime.tensor_parallel.config")


def main() -> int:
    """Write the release, and its models by class name."""
    (path,) = sys.argv[1:]
    for name in _MODULES:
        try:
            importlib.import_module(name)
        except ModuleNotFoundError:
            continue  # a module of later releases
    version = importlib.import_module("deepspeed").__version__
    models = {}
    for module in list(sys.modules.values()):
        if not getattr(module, "__name__", "").startswith("deepspeed."):
            continue
        for one in vars(module).values():
            if isinstance(one, type) and _is_model(one) and one.__module__ == module.__name__:
                models[one.__name__] = _model(one)
    # DeepSpeed itself prints as it is imported.
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"version": version, "models": models}, file)
    return 0


def _is_model(one: type) -> bool:
    return any(base.__name__ == "BaseModel" for base in one.__mro__[1:])


def _model(one: Any) -> dict[str, Any]:
    if hasattr(one, "model_fields"):
        fields = {name: _second(field) for name, field in one.model_fields.items()}
        return {"forbids": one.model_config.get("extra") == "forbid", "fields": fields}
    fields = {name: _first(field) for name, field in one.__fields__.items()}
    return {"forbids": getattr(one.__config__.extra, "value", "") == "forbid", "fields": fields}


def _first(field: Any) -> dict[str, Any]:
    """A field of pydantic 1."""
    extra = field.field_info.extra
    return {
        "alias": field.alias if field.alias != field.name else None,
        "required": bool(field.required),
        "default": _plain(field.default),
        "null": bool(field.allow_none),
        "limits": {
            name: getattr(field.field_info, name)
            for name in _LIMITS
            if getattr(field.field_info, name) is not None
        },
        "deprecated": bool(extra.get("deprecated", False)),
        "new_param": extra.get("new_param") if extra.get("deprecated") else None,
    }


def _second(field: Any) -> dict[str, Any]:
    """A field of pydantic 2."""
    extra = field.json_schema_extra or {}
    limits = {
        name: getattr(part, name)
        for part in field.metadata
        for name in _LIMITS
        if getattr(part, name, None) is not None
    }
    return {
        "alias": field.alias,
        "required": field.is_required(),
        "default": _plain(field.get_default(call_default_factory=True)),
        "null": any(word in str(field.annotation) for word in ("None", "Optional", "Any")),
        "limits": limits,
        "deprecated": bool(extra.get("deprecated", False)),
        "new_param": extra.get("new_param") if extra.get("deprecated") else None,
    }


def _plain(value: Any) -> Any:
    """A default as JSON has it; a model stands for an empty section."""
    value = getattr(value, "value", value)
    if value is None or isinstance(value, (bool, str, float)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return {} if isinstance(value, dict) or _is_model(type(value)) else repr(value)


if __name__ == "__main__":
    sys.exit(main())
