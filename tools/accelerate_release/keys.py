"""One entry a key of the config file, joined from a release's classes, options and variables.

The value of a key in a section travels: section -> option -> environment variable -> field of a
plugin. A key that ends on the way has no effect. Types say what the last reader takes of the
value *as text*: `truth` (yes, no, on, off, 1, 0 …), `whole` and `decimal` (what `int` and `float`
take of a string), `word` (one of the choices, in any case) and `exact` (one of them as it is).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tools.accelerate_release.handing import (
    FP8_SWITCHES,
    Variable,
    assigned_options,
    fp8_variable,
    hands_fp8,
    options_in,
    read_variables,
)
from tools.accelerate_release.options import Filling, Option, read_filling, read_options
from tools.accelerate_release.plugins import Reading, read_readings
from tools.accelerate_release.trees import constant, constants_of, enum_values

if TYPE_CHECKING:
    from tools.accelerate_release.sources import Release

_CLASSES = ("ClusterConfig", "SageMakerConfig")
#: Keys that `from_yaml_file` removes before the class is called, with the type they had.
_OLDER = {"fp16": "bool", "dynamo_backend": "str"}
#: What is taken for a top-level key, whatever its class declares: no type is checked, but the
#: launcher splits `gpu_ids`, and looks words (nothing else) up in enumerations.
_TAKEN = {"gpu_ids": "str|null", "compute_environment": "choice", "distributed_type": "choice"}
#: Top-level keys whose words are looked up in an enumeration.
_ENUMS = {
    "compute_environment": ("ComputeEnvironment",),
    "distributed_type": ("DistributedType", "SageMakerDistributedType"),
}
#: The launcher asks for these by name, although their options have defaults.
_ASKED = ("debug", "tpu_use_cluster")


@dataclass(frozen=True)
class KeyFacts:
    """What a release knows about a key."""

    type: str
    declared: str | None = None
    required: bool = False
    default: Any = None
    enum: list[Any] = field(default_factory=list)
    constraints: dict[str, int] = field(default_factory=dict)
    alias: list[str] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    variable: str | None = None
    effect: bool = True


@dataclass(frozen=True)
class ReleaseKeys:
    """The keys of one release by path, and its sections: path -> whether they are read at all."""

    version: str
    keys: dict[str, KeyFacts]
    sections: dict[str, bool]


def read_keys(release: Release) -> ReleaseKeys:
    """Everything that a config file of this release may hold."""
    launch, helpers = release.module("commands/launch.py"), release.module("utils/launch.py")
    plugins = release.module("utils/dataclasses.py")
    constants = constants_of(release.module("utils/constants.py"))
    constants.setdefault(
        "DYNAMO_BACKENDS", [one.upper() for one in enum_values(plugins, "DynamoBackend")]
    )
    options = read_options(launch, constants)
    filling = read_filling(launch)
    variables = read_variables(helpers, launch)
    readings = read_readings([plugins, release.module("parallelism_config.py")], constants)
    keys = _top(release, options)
    sections = {"": True} | {
        name: filling.sections is None or name in filling.sections
        for name, facts in keys.items()
        if facts.declared == "dict" and facts.models != ["SageMakerConfig"]
    }
    used = set(options_in(helpers)) | set(options_in(launch))
    fp8 = hands_fp8(helpers, launch)
    for option in options.values():
        if option.section and option.section in sections:
            variable = variables.get(option.name)
            if variable is None and fp8:
                variable = fp8_variable(option.name)
            facts = _inner(option, variable, readings, used)
            _put(keys, option, facts, filling, sections[option.section])
    for name in sorted(set(variables) - set(options) - assigned_options(launch)):
        _without_option(keys, name, variables[name], readings, sections, filling)
    _plugin_only(keys, readings, sections, filling, fp8=fp8)
    _dynamo(keys, plugins)
    return ReleaseKeys(release.version, keys, sections)


def _top(release: Release, options: dict[str, Option]) -> dict[str, KeyFacts]:
    """The fields of the config classes, as the top-level keys."""
    module = release.module("commands/config/config_args.py")
    plugins = release.module("utils/dataclasses.py")
    fields = {name: _fields(module, name) for name in ("BaseConfig", *_CLASSES)}
    keys: dict[str, KeyFacts] = {}
    for name in dict.fromkeys(key for part in fields.values() for key in part):
        models = [one for one in _CLASSES if name in fields[one] or name in fields["BaseConfig"]]
        node = next(part[name] for part in reversed(fields.values()) if name in part)
        if name in fields["ClusterConfig"]:
            node = fields["ClusterConfig"][name]
        option = options.get(name)
        effect = option is None or option.is_filled or name in _ASKED or bool(option.section)
        enum = [one for part in _ENUMS.get(name, ()) for one in enum_values(plugins, part)]
        keys[name] = KeyFacts(
            type=_TAKEN.get(name, "any"),
            declared=_declared(node.annotation),
            required=node.value is None and name not in _filled_in(module),
            default=constant(node.value, {}) if node.value is not None else None,
            enum=list(dict.fromkeys(enum)),
            models=models if len(models) < len(_CLASSES) else [],
            effect=effect,
        )
    for name, declared in _OLDER.items():
        keys.setdefault(name, KeyFacts("any", declared))
    return keys


def _fields(module: ast.Module, name: str) -> dict[str, ast.AnnAssign]:
    for node in module.body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return {
                part.target.id: part
                for part in node.body
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
            }
    return {}


def _filled_in(module: ast.Module) -> set[str]:
    """The keys that the loader writes when a file lacks them (`if "debug" not in config_dict`)."""
    return {
        str(node.left.value)
        for node in ast.walk(module)
        if isinstance(node, ast.Compare)
        and isinstance(node.ops[0], ast.NotIn)
        and isinstance(node.left, ast.Constant)
    } - {"distributed_type", "num_processes"}


def _declared(annotation: ast.expr) -> str:
    """The type of a field as it is documented; the loader itself checks none."""
    text = ast.unparse(annotation)
    optional = text.startswith("Optional[")
    text = text.removeprefix("Optional[").removesuffix("]") if optional else text
    if text == "dict":
        return "dict"
    if text.lower().startswith("list"):
        return "list<str>|null"
    base = text if text in ("int", "str", "bool", "float") else "str"
    return f"{base}|null" if optional else base


def _inner(
    option: Option, variable: Variable | None, readings: dict[str, Reading], used: set[str]
) -> KeyFacts:
    reading = readings.get(variable.name) if variable is not None else None
    effect = option.name in used or reading is not None or option.name == FP8_SWITCHES
    if reading is None:
        choices = list(option.choices)
        return KeyFacts(
            "any",
            default=option.default,
            enum=choices,
            variable=variable.name if variable is not None else None,
            effect=effect,
        )
    kind = reading.type
    if variable is not None and variable.optional and kind != "any":
        kind += "|null"
    return KeyFacts(
        kind,
        default=option.default,
        enum=list(reading.choices or option.choices),
        constraints={"ge": 1, "le": reading.numbers} if reading.numbers else {},
        variable=variable.name if variable is not None else None,
    )


def _put(
    keys: dict[str, KeyFacts], option: Option, facts: KeyFacts, filling: Filling, read: bool
) -> None:
    path = f"{option.section}.{option.name}"
    prefix = filling.prefixes.get(option.section)
    short = option.name.removeprefix(prefix) if prefix else option.name
    alias = [f"{option.section}.{short}"] if short != option.name else []
    keys[path] = KeyFacts(
        **{**vars(facts), "alias": alias, "effect": facts.effect and read},
    )


def _without_option(
    keys: dict[str, KeyFacts],
    name: str,
    variable: Variable,
    readings: dict[str, Reading],
    sections: dict[str, bool],
    filling: Filling,
) -> None:
    """A key that the launcher hands on although its command line has no such option."""
    section = next((one for one in sections if one and name.startswith(one[:4])), "")
    if section and name not in keys:
        option = Option(name, section, "", None, ())
        facts = _inner(option, variable, readings, {name})
        _put(keys, option, facts, filling, sections[section])


def _plugin_only(
    keys: dict[str, KeyFacts],
    readings: dict[str, Reading],
    sections: dict[str, bool],
    filling: Filling,
    *,
    fp8: bool,
) -> None:
    """`fp8_…` keys that only the plugin knows: every key of the section becomes a variable."""
    prefix = "ACCELERATE_FP8_"
    if not fp8 or "fp8_config" not in sections:
        return
    for variable, reading in readings.items():
        name = "fp8_" + variable.removeprefix(prefix).lower()
        known = f"fp8_config.{name}"
        if variable.startswith(prefix) and known not in keys and "_override_" not in name:
            option = Option(name, "fp8_config", "", None, ())
            facts = _inner(option, Variable(variable, optional=True), {variable: reading}, set())
            _put(keys, option, facts, filling, sections["fp8_config"])


def _dynamo(keys: dict[str, KeyFacts], plugins: ast.Module) -> None:
    """The launcher looks the backend up itself, under its older name, too."""
    backends = enum_values(plugins, "DynamoBackend")
    for path in ("dynamo_backend", "dynamo_config.dynamo_backend"):
        if path in keys:
            changed = {"type": "word|null", "enum": backends, "constraints": {}}
            keys[path] = KeyFacts(**{**vars(keys[path]), **changed})
