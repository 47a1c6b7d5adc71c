"""Walks from the root model and the plugins' argument classes to every key path of a release."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from tools.axolotl_release.external import members_used, resolve
from tools.axolotl_release.pins import read_pins
from tools.axolotl_release.plugins import Plugin, find_plugins
from tools.python_sources.annotations import Place, TypeFacts, union
from tools.python_sources.facts import KeyFacts, ReleaseKeys
from tools.python_sources.models import FieldFacts, ModelFacts, ModelReader
from tools.python_sources.modules import ClassRef, Modules

if TYPE_CHECKING:
    from tools.python_sources.sources import Release

ROOT_MODEL = "AxolotlInputConfig"
_ROOT_MODULES = (
    "axolotl.utils.schemas.config",
    "axolotl.utils.config.models.input.v0_4_1",
)


class NoRootModelError(Exception):
    """The release defines no model for the whole configuration."""


def read_keys(release: Release) -> ReleaseKeys:
    """Everything that a configuration for this release can say."""
    modules = Modules(release)
    reader = ModelReader(modules)
    root = _root(modules)
    walk = _Walk(reader)
    core = reader.read(root)
    walk.section("", [core], None)
    plugins = find_plugins(release, modules)
    core_keys = set(walk.keys)
    for plugin in plugins.values():
        if plugin.args is not None:
            # a key that the core has already is the core's: its classes come first
            args = reader.read(plugin.args)
            own = {n: f for n, f in args.fields.items() if n not in core_keys}
            walk.section("", [_with_fields(args, own)], plugin.path, merge=True)
    _model_deprecations(reader, root, plugins, walk.keys)
    for key, facts in walk.keys.items():
        words = {word for text in facts.mentions for word in _WORD.findall(text)}
        facts.mentions = sorted(words & walk.keys.keys() - {key, key.rpartition(".")[2]})
    transformers = read_pins(release)["pins"].get("transformers", "")
    used = members_used(facts.default for facts in walk.keys.values())
    for facts in walk.keys.values():
        facts.type, facts.enum = resolve(facts.type, facts.enum, transformers, used)
    return ReleaseKeys(release.version, walk.keys, walk.forbidding, plugins)


def _root(modules: Modules) -> ClassRef:
    candidates = [m for m in _ROOT_MODULES if m in modules]
    for module in [*candidates, *modules]:
        for ref in modules.classes(module):
            if ref.name == ROOT_MODEL:
                return ref
    raise NoRootModelError(ROOT_MODEL)


def _with_fields(facts: ModelFacts, fields: dict[str, FieldFacts]) -> ModelFacts:
    return ModelFacts(facts.ref, fields, facts.forbids_unknown, facts.by_name)


class _Walk:
    """Collects keys section by section."""

    def __init__(self, reader: ModelReader) -> None:
        self._reader = reader
        self.keys: dict[str, KeyFacts] = {}
        self.forbidding: dict[str, bool] = {}

    def section(
        self,
        path: str,
        models: list[ModelFacts],
        plugin: str | None,
        within: tuple[str, ...] = (),
        merge: bool = False,
    ) -> None:
        """Add the keys of a section that any of ``models`` may describe."""
        if not (merge and path in self.forbidding):
            self.forbidding[path] = all(model.forbids_unknown for model in models)
        names = sorted({name for model in models for name in model.fields})
        for name in names:
            self._key(path, name, models, plugin, within)

    def _key(
        self,
        path: str,
        name: str,
        models: list[ModelFacts],
        plugin: str | None,
        within: tuple[str, ...],
    ) -> None:
        having = [model for model in models if name in model.fields]
        fields = [model.fields[name] for model in having]
        spelled, others = _spellings(fields[0], having[0].by_name)
        key = f"{path}.{spelled}" if path else spelled
        if key in self.keys:
            return
        kind = union([one.type for one in fields])
        limits: dict[str, Any] = {}
        for one in fields:
            for limit, value in one.limits.items():
                limits.setdefault(limit, value)
        self.keys[key] = KeyFacts(
            type=kind.text,
            required=len(having) == len(models) and all(one.required for one in fields),
            default=next((one.default for one in fields if one.default is not None), None)
            if len(having) == 1 or not _literal_tag(fields)
            else fields[0].default,
            enum=sorted(kind.enum, key=lambda value: (str(type(value)), str(value))),
            constraints=dict(sorted(limits.items())),
            alias=others,
            plugin=plugin,
            models=[m.ref.name for m in having] if len(having) < len(models) else [],
            model_types=_types_by_model(having, fields),
            coerced=any(one.coerced for one in fields),
            deprecated=any(_is_about(one) for one in fields),
            mentions=[one.deprecated for one in fields if one.deprecated and _is_about(one)],
        )
        self._below(key, kind, plugin, within)

    def _below(
        self, key: str, kind: TypeFacts, plugin: str | None, within: tuple[str, ...]
    ) -> None:
        by_step: dict[str, list[Place]] = {}
        for place in kind.models:
            if place.model.path not in within:
                by_step.setdefault(place.step, []).append(place)
        for step, places in by_step.items():
            models = [self._reader.read(place.model) for place in places]
            deeper = (*within, *(place.model.path for place in places))
            self.section(key + step, models, plugin, deeper)


def _types_by_model(models: list[ModelFacts], fields: list[FieldFacts]) -> dict[str, str]:
    types = {model.ref.name: one.type.text for model, one in zip(models, fields, strict=True)}
    return types if len(set(types.values())) > 1 else {}


def _is_about(one: FieldFacts) -> bool:
    """Whether what is said of a deprecation means the field itself, not one of its values."""
    if one.deprecated is None:
        return False
    if one.deprecated_field:
        return True
    return any(
        {one.name, "field"} & set(_subjects(match.group(1)))
        for match in _CALLED_DEPRECATED.finditer(one.deprecated)
    )


def _literal_tag(fields: list[FieldFacts]) -> bool:
    """Whether one of the models fixes the key to a literal, as a discriminator does."""
    return any(one.type.parts == frozenset({"literal"}) for one in fields)


def _spellings(one: FieldFacts, by_name: bool) -> tuple[str, list[str]]:
    """The path's own spelling and the other ones that YAML may use."""
    accepted = list(dict.fromkeys([*one.also, *([one.alias] if one.alias else [])]))
    if not accepted or by_name:
        accepted = list(dict.fromkeys([one.name, *accepted]))
    main = one.name if one.name in accepted else accepted[0]
    return main, [name for name in accepted if name != main]


_CALLED_DEPRECATED = re.compile(
    r"((?:[`'\"]?[A-Za-z_][\w.]*[`'\"]?(?:,| and| or| /)? )+)"
    r"(?:\([^)]*\) )?"
    r"(?:is|are|has been|have been)(?: now)? (?:deprecated|no longer supported)"
)
_KINDS = {"argument", "arguments", "option", "options", "parameter", "flag", "flags", "setting"}
_WORD = re.compile(r"[A-Za-z_][\w.]*\w")


def _model_deprecations(
    reader: ModelReader,
    root: ClassRef,
    plugins: dict[str, Plugin],
    keys: dict[str, KeyFacts],
) -> None:
    """Mark keys that a validator of a whole model calls deprecated by name."""
    refs = [root, *(plugin.args for plugin in plugins.values() if plugin.args is not None)]
    looked: set[str] = set()
    for ref in refs:
        for one in reader.lineage(ref):
            if one.path in looked:
                continue
            looked.add(one.path)
            for function in one.node.body:
                if isinstance(function, ast.FunctionDef):
                    for text in _messages(function):
                        _mark(text, keys)


def _messages(function: ast.FunctionDef) -> list[str]:
    return [
        part.value
        for part in ast.walk(function)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]


def _mark(text: str, keys: dict[str, KeyFacts]) -> None:
    named = [
        name for match in _CALLED_DEPRECATED.finditer(text) for name in _subjects(match.group(1))
    ]
    for name in named:
        if name in keys:
            keys[name].deprecated = True
            keys[name].mentions.append(text)


def _subjects(phrase: str) -> list[str]:
    """The names that a sentence is about: the last word, and those joined to it."""
    names: list[str] = []
    words = phrase.split()
    while words and words[-1] in _KINDS:
        words.pop()
    for word in reversed(words):
        if word in {"and", "or", "/"}:
            continue
        joined = not names or word.endswith(",") or f"{word} and" in phrase or f"{word} /" in phrase
        if not joined:
            break
        names.append(word.strip("`'\",."))
    return names
