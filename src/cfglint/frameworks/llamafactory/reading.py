"""How LLaMA-Factory reads a file: `parse_dict` fills dataclasses, and converts nothing.

What the classes and the parser make of the values then is in `rules/llamafactory/derivations.yaml`, and in
`v1-derivations.yaml` next to it. The arguments of transformers' TrainingArguments have the defaults of the
transformers release that is installed with it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache

from cfglint.base.type_names import Any
from cfglint.environment.environment import Environment
from cfglint.frameworks.llamafactory.derived import command_of
from cfglint.frameworks.llamafactory.scripts import CLASSES
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.rules.derivations import Derivation, read_derivation
from cfglint.roles.framework import Framework
from cfglint.roles.reading.arguments import ArgumentsReader
from cfglint.roles.reading.base import Reading, default_reason, with_version
from cfglint.roles.reading.fields import Field
from cfglint.roles.reading.words import word_of_script, written_in_script
from cfglint.roles.scripts import command_of as command_of_script
from cfglint.source.document import Document, Path

_BELOW = "transformers"
#: Command -> its classes, for files.
_CLASSES = {command: CLASSES[command] for command in ("train", "chat", "eval")}


class LLaMAFactoryReading(Reading):
    """Follows the parser of one command of the older layout."""

    def __init__(self, framework: Framework, target: Environment) -> None:
        module = compiled.load("llamafactory_effective")
        super().__init__(framework, with_version(target, _BELOW, module.BESIDE))
        self._spans: dict[str, dict[str, tuple[str, str | None]]] = module.CLASSES
        #: The command that a script starts; empty for a file.
        self._command = ""

    @property
    def keys(self) -> ReleaseKeys:
        beside = str(self.target.pins[_BELOW].version)
        return _keys(self.framework, self.target.release, beside)

    def values(self, document: Document) -> dict[str, Any]:
        values = super().values(document)
        self._command = command_of_script(document.root)
        return written_in_script(values, document, self.framework.keys)

    def reader(self, default: str, value: Callable[[Path], Any]) -> ArgumentsReader:
        wanted = CLASSES[self._command] if self._command else _CLASSES[command_of(value)]

        def reads(field: Field) -> bool:
            if field.package and "TrainingArguments" in wanted:
                return True
            return any(self._has(one, field.name) for one in wanted)

        reason = default_reason(default, self.keys)
        if self._command:
            return ArgumentsReader(self.fields(), reason, word_of_script, reads, words=True)
        return ArgumentsReader(self.fields(), reason, lambda _field, given: given, reads)

    def _has(self, name: str, key: str) -> bool:
        """Whether a class has a key in the release."""
        since, end = self._spans[name].get(key, (None, None))
        released = self.keys.released
        return since is not None and released(since) and not (end is not None and released(end))


class V1Reading(Reading):
    """Follows the parser of the v1 layout: all of its commands fill the same classes."""

    @cached_property
    def derivations(self) -> list[Derivation]:
        rows = compiled.load("llamafactory_v1_fields").DERIVATIONS
        return [read_derivation(row) for row in rows]

    def reader(self, default: str, value: Callable[[Path], Any]) -> ArgumentsReader:
        reason = default_reason(default, self.keys)
        return ArgumentsReader(self.fields(), reason, lambda _field, given: given)


@lru_cache(maxsize=16)
def _keys(framework: Framework, release: str, beside: str) -> ReleaseKeys:
    """The keys of a release with a release of transformers."""
    versions = framework.releases.versions
    known: tuple[str, ...] = compiled.load("llamafactory_effective").RELEASES
    below = {_BELOW: (known, beside)}
    return ReleaseKeys(
        framework.keys, versions, release, framework.key_policy.own_key, other_packages=below
    )
