"""What a framework's reader makes of a text: its language, its mistakes, its values."""

from __future__ import annotations

from functools import cached_property

from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.knowledge.keys.judges import PYDANTIC, Judge
from cfglint.source.languages.named import language

if TYPE_CHECKING:
    from cfglint.diagnostic import SeverityName
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.roles.framework import Framework
    from cfglint.source.document import Document, Path
    from cfglint.source.languages.base import Language


class TextForNumber(Record):
    """What a text does in a key whose value is calculated with, though nothing converts it by the key's type."""

    severity: SeverityName
    #: What it costs, and what the framework does with it; empty for what is usual of such a key.
    costs: str = ""
    effect: str = ""


class Parsing:
    """The reader of a text; by default its language's parser, and pydantic."""

    def __init__(self, framework: Framework) -> None:
        self.framework = framework

    @cached_property
    def language(self) -> Language:
        """The language that the framework's files are written in."""
        return language(self.framework.row["language"])

    def language_for(self, text: str, target: Environment, around: Surroundings) -> Language:
        """The language in which the target's release reads a text, with what the files around it say of it."""
        return self.language

    def release_for(self, text: str, target: Environment) -> str:
        """The release of a target that a text is read by: none after `last_release`, where the target leaves that open."""
        return target.at_most(self.last_release(text)).release

    def last_release(self, text: str) -> str | None:
        """The last release that a text can be for, where the text itself shows that."""
        return None

    def shown(self, document: Document, target: Environment) -> Environment:
        """A target without the releases that a document cannot be for, where it leaves the release open."""
        if not target.assumed or target.foreign_version is not None:
            return target
        versions = self.framework.releases.versions
        keys = self.framework.keys
        first = keys.earliest_release(document, versions)
        is_later = first is not None and versions.index(first) > versions.index(target.release)
        if first is not None and is_later and keys.has_gone(document, first, versions):
            # Some of its keys are of a project's own, or left behind: what is stated decides.
            first = None
        return target.at_least(first).at_most(self.last_release(document.text))

    def coerce(self, path: Path, value: Any) -> Any:
        """The value that the framework reads from a scalar at a path."""
        return value

    def judge(self, release: str) -> Judge:
        """The values that the reader of a release accepts for the types of the key table."""
        return PYDANTIC

    def text_for_number(self, path: Path, document: Document) -> TextForNumber | None:
        """What a text in place of a number does, where no type converts it; None where a calculation with it fails."""
        return None


ROLE = Parsing
