"""The keys of one release, joined from its own dataclasses and those of transformers."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from tools.python_sources.annotations import union
from tools.python_sources.dataclass_fields import DataclassReader
from tools.python_sources.facts import KeyFacts, ReleaseKeys
from tools.python_sources.modules import ClassRef, Modules
from tools.python_sources.values import dotted_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tools.python_sources.models import FieldFacts
    from tools.python_sources.sources import Release

#: What the package was called up to 0.7, and since.
PACKAGES = ("llmtuner", "llamafactory")
#: The classes of a release by module below `hparams`; older releases lack some.
CLASSES = (
    ("model_args", "ModelArguments"),
    ("data_args", "DataArguments"),
    ("finetuning_args", "FinetuningArguments"),
    ("generating_args", "GeneratingArguments"),
    ("evaluation_args", "EvaluationArguments"),
    ("training_args", "TrainingArguments"),
)
TRAINING = "TrainingArguments"
_TRAINING = ("transformers.training_args_seq2seq", "Seq2SeqTrainingArguments")
#: The class below it, whose keys another table has.
_BELOW = ("transformers.training_args", "TrainingArguments")

Fields = dict[str, "FieldFacts"]


class UnreadableClassError(Exception):
    """A release lacks a class that its keys should come from."""


def training_fields(release: Release) -> Fields:
    """The training arguments of a release of transformers."""
    return fields_of(Modules(release), *_TRAINING)


def generating_fields(release: Release) -> set[str]:
    """The keys that only models which generate are trained with, in a release of transformers."""
    modules = Modules(release)
    return fields_of(modules, *_TRAINING).keys() - fields_of(modules, *_BELOW).keys()


def came_with(pin: str, fit: list[str]) -> str:
    """The transformers that an installation of a release has: the newest that it admits.

    Args:
        fit: what `fitting` found for the pin, which may be later patches of the same series.
    """
    admitted = [one for one in fit if one in SpecifierSet(pin)]
    return (admitted or fit)[-1]


def fitting(pin: str, training: Mapping[str, Fields], newest: str) -> list[str]:
    """The releases of transformers that a pin admits, the oldest first.

    Each stands for its series (4.45.2 for 4.45), of which later patches came out.

    Args:
        newest: the last one to count for a pin without an upper limit.
    """
    spec = SpecifierSet(pin)
    limits = [one.version for one in spec if one.operator in ("<", "<=", "==")]
    last = _series(min((Version(one) for one in limits), default=Version(newest)))
    rest = SpecifierSet(",".join(str(one) for one in spec if one.operator not in ("<", "<=")))
    found = [one for one in training if _series(Version(one)) <= last and one in rest]
    return sorted(found, key=Version)


def read_keys(release: Release, training: list[Fields]) -> ReleaseKeys:
    """Everything that a config for this release can say.

    Args:
        training: the training arguments of the transformers that it goes with, the newest last. A
            key that any of them has is known, with the choices of all.
    """
    modules = Modules(release)
    package = next(one for one in PACKAGES if f"{one}.hparams.parser" in modules)
    keys: dict[str, KeyFacts] = {}
    for fields in reversed(training):
        for name, one in fields.items():
            keys[name] = _joined(keys[name], one) if name in keys else facts(one)
    for module, name in CLASSES:
        path = f"{package}.hparams.{module}"
        if path in modules:
            optional = name == "EvaluationArguments"
            for key, one in fields_of(modules, path, name).items():
                found = facts(one)
                # Only the command `eval` asks for a task.
                keys[key] = replace(found, required=False) if optional else found
    keys["template"] = replace(
        keys["template"], type="literal|null", enum=_templates(modules, package)
    )
    return ReleaseKeys(release.version, dict(sorted(keys.items())), {"": True})


def keys_of_classes(release: Release) -> dict[str, set[str]]:
    """Class -> the keys that it has itself, without those of transformers."""
    modules = Modules(release)
    package = next(one for one in PACKAGES if f"{one}.hparams.parser" in modules)
    known = {name: f"{package}.hparams.{module}" for module, name in CLASSES}
    return {
        name: set(fields_of(modules, path, name)) if path in modules else set()
        for name, path in known.items()
    }


def spans(having: Mapping[str, list[str]], releases: list[str]) -> dict[str, list[str | None]]:
    """Key -> the first release of those that have it, and the one after the last, if there is one."""
    found: dict[str, list[str | None]] = {}
    for key, versions in sorted(having.items()):
        after = releases[releases.index(versions[-1]) + 1 :]
        found[key] = [versions[0], after[0] if after else None]
    return found


def fields_of(modules: Modules, module: str, name: str) -> Fields:
    """The fields of a dataclass, with those of its bases."""
    ref = modules.find(module, name)
    if not isinstance(ref, ClassRef):
        raise UnreadableClassError(f"{module}.{name}")
    return DataclassReader(modules).fields(ref)


def _templates(modules: Modules, package: str) -> list[str]:
    """The names under which a release registers its chat templates."""
    names = {
        str(keyword.value.value)
        for node in ast.walk(modules.tree(f"{package}.data.template"))
        if isinstance(node, ast.Call)
        and (dotted_name(node.func) or "").lstrip("_") == "register_template"
        for keyword in node.keywords
        if keyword.arg == "name" and isinstance(keyword.value, ast.Constant)
    }
    return sorted(names)


def facts(one: FieldFacts) -> KeyFacts:
    """A field as the table has it."""
    return KeyFacts(
        type=one.type.text,
        required=one.required and one.name != "output_dir",
        default=one.default,
        enum=sorted(one.type.enum, key=lambda value: (str(type(value)), str(value))),
    )


def _joined(newer: KeyFacts, older: FieldFacts) -> KeyFacts:
    """A key as any of two releases of transformers takes it."""
    parts = [part for part in older.type.parts if part not in newer.type.split("|")]
    enums = [part for part in parts if part.startswith("enum:")]
    if not newer.enum and not older.type.enum:
        parts = [part for part in parts if not enums]
    values = union([older.type]).enum
    enum = newer.enum + [value for value in values if value not in newer.enum]
    return replace(
        newer,
        type="|".join(sorted({*newer.type.split("|"), *parts}, key=lambda p: (p == "null", p))),
        enum=sorted(enum, key=lambda value: (str(type(value)), str(value))),
    )


def _series(version: Version) -> tuple[int, int]:
    return version.major, version.minor
