"""The parameters of the classes that programs call: those of TRL, transformers, PEFT and accelerate.

Each class has a table of its own, `classes/NAME.json`. What a config inherits from transformers'
TrainingArguments is in the table of that package.
"""

from __future__ import annotations

import ast
import json
import re
from typing import TYPE_CHECKING, Any

from tools.python_sources import table
from tools.python_sources.facts import KeyFacts, ReleaseKeys
from tools.python_sources.modules import ClassRef, Modules
from tools.python_sources.values import dotted_name
from tools.trl_release.dataclass_fields import DataclassReader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tools.python_sources.sources import Release

#: What the configs of TRL inherit from, in another package.
BASE = "transformers.TrainingArguments"
#: Package -> the part of it that programs import classes from.
_PARTS = {"trl": "trl", "transformers": "transformers", "peft": "peft", "accelerate": "accelerate"}
#: The classes of transformers that programs call, each with its module.
_OF_TRANSFORMERS = {
    "Seq2SeqTrainingArguments": "transformers.training_args_seq2seq",
    "Trainer": "transformers.trainer",
    "Seq2SeqTrainer": "transformers.trainer_seq2seq",
    "BitsAndBytesConfig": "transformers.utils.quantization_config",
}
#: The one of accelerate that is no dataclass, and where those are that it is given.
_ACCELERATOR, _GIVEN = "Accelerator", "accelerate.utils.dataclasses"
#: Dataclasses there that are made by accelerate itself, or read by functions.
_NOT_GIVEN = re.compile(r"KwargsHandler|TensorInformation|Bnb|MSAMP|Intel|.*Config$")
#: What transformers imports of these, where a class derives from one of them.
_CONFIGS, _ADAPTERS = "TrainingArguments", "PeftConfig"
#: What people added by hand, for the classes whose names end so.
_REVIEWED: dict[str, dict[str, Any]] = {"Trainer": {"tokenizer": {"rename": "processing_class"}}}
#: Classes that are there to be derived from, and those of PPO, which were rewritten under their names.
_ABSTRACT = re.compile(r"Base|Example|OnPolicyConfig|SelfDistillationConfig|PPO")
#: The command that starts a server, whose arguments are read like a class, and where it has them.
_SERVER, _SERVED_BY, _ARGUMENTS = "vllm-serve", "trl.scripts.vllm_serve", "ScriptArguments"
#: Decorators that let a function take one more keyword: what the first argument is called.
_RENAMING = frozenset({"deprecate_kwarg"})


def read_classes(release: Release, package: str) -> dict[str, tuple[ReleaseKeys, bool]]:
    """Class -> its parameters in one release, and whether it has those of `BASE` besides."""
    reader = _Classes(Modules(release))
    found: dict[str, tuple[ReleaseKeys, bool]] = {}
    for ref in reader.candidates(package):
        if ref.name in found:
            continue
        parameters = reader.parameters(ref)
        if parameters is not None:
            keys, takes_others = parameters
            one = ReleaseKeys(release.version, keys, {"": not takes_others})
            found[ref.name] = one, reader.stands_on_arguments(ref)
    server = reader.server() if package == "trl" else None
    if server is not None:
        found[_SERVER] = ReleaseKeys(release.version, server, {"": True}), False
    return found


class Histories:
    """The parameters of classes, release by release."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._tables: dict[str, table.Table] = {}
        self._standing: set[str] = set()

    def add(self, release: Release) -> None:
        """Read one more release."""
        for name, (keys, stands) in read_classes(release, self._package).items():
            # Outside of the releases that have a class, nothing is known about its parameters.
            table.merge(self._tables.setdefault(name, table.Table()), keys)
            if stands:
                self._standing.add(name)

    def write(self, folder: Path) -> int:
        """Write a file for each class; returns how many."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, history in self._tables.items():
            full = f"{self._package}.{name}"
            folded = table.fold(history, {"keys": _REVIEWED.get(name[-7:], {})}, full)
            above = BASE if name in self._standing else ""
            (folder / f"{name}.json").write_text(_dump(full, above, folded), encoding="utf-8")
        return len(self._tables)


class _Classes(DataclassReader):
    """Finds the classes of a release that programs call, and reads their parameters."""

    def candidates(self, package: str) -> Iterator[ClassRef]:
        """The public classes, those of a package's main part before its experimental ones."""
        if package == "transformers":
            for name, module in _OF_TRANSFORMERS.items():
                if module in self.modules:
                    yield from (one for one in self.modules.classes(module) if one.name == name)
            return
        if package == "accelerate":
            for ref in self.modules.classes("accelerate.accelerator"):
                if ref.name == _ACCELERATOR:
                    yield ref
            yield from (
                one
                for one in self.modules.classes(_GIVEN)
                if _is_dataclass(one) and not _NOT_GIVEN.match(one.name)
            )
            return
        modules = sorted(self.modules, key=lambda name: (".experimental" in name, name))
        for module in modules:
            if module.partition(".")[0] == _PARTS[package]:
                for ref in self.modules.classes(module):
                    if not ref.name.startswith("_") and not _ABSTRACT.match(ref.name):
                        yield ref

    def parameters(self, ref: ClassRef) -> tuple[dict[str, KeyFacts], bool] | None:
        """The parameters of a class, and whether it takes others, too; None for one of no interest."""
        if _is_dataclass(ref) and self.stands_on_arguments(ref):
            return dict(self.arguments(ref)), False
        if _is_dataclass(ref) and self._is_adapter(ref):
            # PEFT looks at few values before it makes an adapter: the names alone decide.
            return {name: KeyFacts(type="any") for name in self.arguments(ref)}, False
        if _is_dataclass(ref) and ref.module == _GIVEN:
            return {name: KeyFacts(type="any") for name in self.arguments(ref)}, False
        if ref.name.endswith("Trainer") or ref.name in {_ACCELERATOR, "BitsAndBytesConfig"}:
            return self._of_function(ref)
        return None

    def server(self) -> dict[str, KeyFacts] | None:
        """The arguments of TRL's command that starts a server; None in a release without it."""
        if _SERVED_BY not in self.modules:
            return None
        refs = self.modules.classes(_SERVED_BY)
        return next((dict(self.arguments(one)) for one in refs if one.name == _ARGUMENTS), None)

    def stands_on_arguments(self, ref: ClassRef) -> bool:
        """Whether a class derives from transformers' TrainingArguments."""
        return self._derives(ref, _CONFIGS) and ref.name != _CONFIGS

    def _is_adapter(self, ref: ClassRef) -> bool:
        return self._derives(ref, _ADAPTERS)

    def _derives(self, ref: ClassRef, name: str) -> bool:
        return any(
            (dotted_name(base) or "").rpartition(".")[2] == name
            for one in self.lineage(ref)
            for base in one.node.bases
        )

    def _of_function(self, ref: ClassRef) -> tuple[dict[str, KeyFacts], bool] | None:
        """The parameters of `__init__`, its own or the one that it inherits in its package.

        One that hands on whatever it is given has those of the class above: so a class says that it has moved.
        """
        first = None
        for one in self.lineage(ref):
            for statement in one.node.body:
                if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
                    first = first or _signature(statement)
                    if not _hands_on(statement):
                        return _signature(statement)
        return first


def _hands_on(function: ast.FunctionDef) -> bool:
    """Whether a function takes anything and gives it to the class above: `super().__init__(*args, **kwargs)`."""
    of = function.args
    if not of.vararg or not of.kwarg or len(of.args) > 1 or of.posonlyargs or of.kwonlyargs:
        return False
    given = f"super().__init__(*{of.vararg.arg}, **{of.kwarg.arg})"
    return any(
        isinstance(one, ast.Expr) and ast.unparse(one.value) == given for one in function.body
    )


def _signature(function: ast.FunctionDef) -> tuple[dict[str, KeyFacts], bool]:
    arguments = function.args
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args)][1:]
    names += [one.arg for one in arguments.kwonlyargs]
    for decorator in function.decorator_list:
        names += [name for name in _renamed(decorator) if name not in names]
    # Of a positional one the call may leave out the name, so its absence proves nothing.
    return {name: KeyFacts(type="any") for name in names}, arguments.kwarg is not None


def _renamed(decorator: ast.expr) -> Iterable[str]:
    """The older names that a decorator gives on under newer ones."""
    if not isinstance(decorator, ast.Call) or not decorator.args:
        return
    first = decorator.args[0]
    if dotted_name(decorator.func) in _RENAMING and isinstance(first, ast.Constant):
        yield str(first.value)


def _is_dataclass(ref: ClassRef) -> bool:
    return any(
        (dotted_name(one.func if isinstance(one, ast.Call) else one) or "").endswith("dataclass")
        for one in ref.node.decorator_list
    )


def _dump(name: str, above: str, folded: dict[str, Any]) -> str:
    """JSON with one parameter a line."""
    rows = ",\n".join(
        f"  {json.dumps(path)}: {json.dumps(entry, ensure_ascii=False)}"
        for path, entry in sorted(folded["keys"].items())
    )
    head = "".join(
        f" {json.dumps(part)}: {json.dumps(value)},\n"
        for part, value in (
            ("class", name),
            ("above", above),
            ("releases", folded["releases"]),
            ("sections", folded["sections"]),
        )
    )
    return f'{{\n{head} "keys": {{\n{rows}\n }}\n}}\n'
