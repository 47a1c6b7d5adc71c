"""The interface by which `resolve` computes what a framework reads from a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from cfglint.environment.environment import Environment
from cfglint.environment.pins import Pin
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.releases.table import releases_of
from cfglint.roles.reading.fields import Field, Fields
from cfglint.roles.reading.state import ReadingState
from cfglint.source.document import Document, Path
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.knowledge.rules.derivations import Derivation
    from cfglint.roles.framework import Framework


class NotDeterminedError(ValueError):
    """It is not known how a file is read; the message states what would determine it."""


class FieldReader(Protocol):
    """Converts written values as a release does, and records the reasons."""

    #: Path -> the reason of its value.
    reasons: dict[Path, str]
    #: Path -> the path at which its value is written.
    moved: dict[Path, Path]
    #: The mappings that have fields; in others null is a value.
    sections: set[Path]
    #: Keys that the release does not read.
    dropped: list[Path]
    #: Field -> the fact of the machine that its value depends on.
    unknown: dict[Path, str]

    def read(self, section: str, data: dict[Any, Any]) -> dict[str, Any]:
        """The values of a section, defaults included; null where a key has no value."""


class Reading:
    """Follows one framework's reading of files for one target.

    Args:
        target: one whose release is among the known ones.

    Attributes:
        target: the same, with the versions of other packages that it implies.
    """

    def __init__(self, framework: Framework, target: Environment) -> None:
        self.framework = framework
        self.target = target

    @property
    def keys(self) -> ReleaseKeys:
        """The keys of the release."""
        return self.framework.key_policy.keys_in(self.target)

    @property
    def derivations(self) -> list[Derivation]:
        """The rewrites of a file, in their order."""
        return self.framework.knowledge.effective_derivations

    def values(self, document: Document) -> dict[str, Any]:
        """The values as a file has them.

        Raises:
            NotDeterminedError: it is not known how the file is read.
        """
        values: dict[str, Any] = to_python(document.root)
        return values

    def values_in(self, document: Document, around: Surroundings) -> dict[str, Any]:
        """The values as a file has them, with those of other files that it extends.

        Raises:
            NotDeterminedError: it is not known how the file is read.
        """
        return self.values(document)

    def prepare(self, state: ReadingState) -> None:
        """Prepare the values for the rewrites that run before the fields are read."""

    def fields(self, plugins: frozenset[str] = frozenset()) -> Fields:
        """What the release reads with some plugins, with its types and defaults."""
        return fields_of(self.framework, self.keys, plugins)

    def reader(self, default: str, value: Callable[[Path], Any]) -> FieldReader:
        """The reader of the fields.

        Args:
            default: the reason of a value that is a default.
            value: gives the values of the whole configuration.
        """
        raise NotImplementedError


# A list of all keys with their defaults needs the fields of each plugin.
@lru_cache(maxsize=64)
def fields_of(
    framework: Framework, keys: ReleaseKeys, plugins: frozenset[str], counts_keys: bool = False
) -> Fields:
    """What a release reads with some plugins, with its types and defaults."""
    return Fields(framework.file_kind.fields, keys, plugins, counts_keys=counts_keys)


#: How the reason of a value that is a default begins.
DEFAULT_OF = "default of "


def default_reason(default: str, keys: ReleaseKeys) -> Callable[[Field], str]:
    """The reason of a default, which may be that of a package below the framework.

    Args:
        default: the reason of the framework's own defaults.
    """

    def reason(field: Field) -> str:
        if not field.package:
            return default
        return f"{DEFAULT_OF}{field.package} {keys.release_of(f'{field.package} ')}"

    return reason


def with_version(target: Environment, package: str, versions: Mapping[str, str]) -> Environment:
    """A target with the version of a package: the stated one, or the one that the release implies where it is admitted.

    Args:
        versions: release of the framework -> version of the package.
    """
    pin = target.pins.get(package)
    if pin is not None and pin.version is not None:
        return target
    version = target.beside(package, versions[target.release], releases_of(package).versions)
    pins = {**target.pins, package: Pin(version, None, "", implied=True)}
    extended = Environment(target.releases, pins, target.facts, as_of=target.as_of)
    extended.candidates, extended.placed = target.candidates, target.placed
    return extended
