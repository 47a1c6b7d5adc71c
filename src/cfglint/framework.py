"""The interface of a framework, with defaults for one without special behavior.

A framework is a package below `cfglint.frameworks` with a module `framework` that holds a subclass
of `Framework` under the name `FRAMEWORK`, and a folder below `rules/` of the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache

from cfglint.base.lazy import import_module
from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar
from cfglint.knowledge import compiled, recognition
from cfglint.knowledge.keys.judges import PYDANTIC, Judge
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.keys.table import KeyTable
from cfglint.knowledge.releases.table import Releases, releases_of
from cfglint.knowledge.rules.index.candidates import Lookup
from cfglint.knowledge.rules.knowledge import Knowledge, ProjectRules, load_knowledge
from cfglint.knowledge.rules.views import written_value
from cfglint.roles.parts import (
    Asked,
    CheckSource,
    Derived,
    Reference,
    SweepFormat,
)
from cfglint.source.document import Document, Path, Scalar
from cfglint.source.document import Mapping as MappingNode
from cfglint.source.languages.named import language

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic, SeverityName
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.fit.planning import Planner
    from cfglint.knowledge.rules.views import View
    from cfglint.roles.reading.base import Reading
    from cfglint.settings.words import Override
    from cfglint.source.json_problems import SourceProblem
    from cfglint.source.languages.base import Language
    from cfglint.starts.start import Start


#: Names that say too little to tell where they belong.
GENERIC_NAMES = frozenset(
    {"data", "enabled", "format", "mode", "name", "path", "size", "target", "type", "version"}
)


class Framework:
    """How one framework recognizes, reads and completes a file.

    Args:
        project_rules: rules of the project that is checked, beside those that come with cfglint.
    """

    #: The name of its package and of its folder below `rules/`.
    name: ClassVar[str]
    #: Its own checks, by the names that rule files use.
    checks: ClassVar[Mapping[str, CheckSource]] = {}
    derived_values: ClassVar[Mapping[str, Derived]] = {}
    #: Lists whose entries may be of several classes.
    several_classes: ClassVar[tuple[str, ...]] = ()
    #: How its refusal of a value reads, after "the run does not start" (`; it names no key`).
    refusal: ClassVar[str] = ""
    #: Where its files have keys that are in no section, in words.
    top_level: ClassVar[str] = "at the top level"
    #: Keys of plugins that a command of their own reads, with the plugin listed or not.
    read_by_commands: ClassVar[frozenset[str]] = frozenset()
    #: Keys that a release reads before its schema has them: key path -> that release.
    read_sooner: ClassVar[Mapping[str, str]] = {}
    #: Key -> a value that is the default before the key exists, and the release since which it is.
    done_sooner: ClassVar[Mapping[str, tuple[str, Any]]] = {}
    #: Key -> word that releases no longer accept -> the word that means the same.
    newer_words: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    #: Setting -> the one that decides if both are written.
    stronger: ClassVar[Mapping[str, str]] = {}
    #: Keys, at least one of which is in every file of its own; without them, many settings under the names of
    #: other tools mean that the file is another program's.
    essential: ClassVar[tuple[str, ...]] = ()

    #: The minimum severity of a key for which the newest release refuses the file, if earlier ones
    #: have it and it is not stated which one reads the file.
    refused_by_newest: ClassVar[SeverityName] = "note"
    #: With this many unknown keys at the top level, a file is also another program's.
    shared_from: ClassVar[int | None] = None

    def __init__(self, project_rules: ProjectRules | None = None) -> None:
        self._project_rules = project_rules
        self._release_keys: dict[str, ReleaseKeys] = {}

    # ------------------------------------------------------------------ its names

    @cached_property
    def _row(self) -> Mapping[str, Any]:
        return compiled.load("frameworks").FRAMEWORKS[self.name]  # type: ignore[no-any-return]

    @cached_property
    def title(self) -> str:
        """Its name in messages."""
        return str(self._row["title"])

    @property
    def own_title(self) -> str:
        """Its name in front of a release."""
        return str(self._row["title"])

    @cached_property
    def is_second(self) -> bool:
        """Whether files of other frameworks name its files."""
        return bool(self._row["named_by_others"])

    @cached_property
    def packages(self) -> tuple[str, ...]:
        """The packages whose releases decide; the first one is the framework itself."""
        return tuple(self._row["packages"])

    @cached_property
    def language(self) -> Language:
        """The language that its files are written in."""
        return language(self._row["language"])

    def language_for(self, text: str, release: str) -> Language:
        """The language in which a release reads a text."""
        return self.language

    # ------------------------------------------------------------------ what is known about it

    @cached_property
    def knowledge(self) -> Knowledge:
        """Its rules, texts and tables."""
        if self._project_rules is not None:
            return Knowledge(self.name, self._project_rules)
        return load_knowledge(self.name)

    @cached_property
    def lookup(self) -> Lookup:
        """Finds the rules and rewrites that may apply to a file."""
        return self.knowledge.lookup(self.coerce)

    @property
    def rules(self) -> int:
        """A bit for each rule that may matter in its files."""
        return self.knowledge.every_rule

    @cached_property
    def aliases(self) -> dict[str, tuple[Any, ...]]:
        """Keys of other frameworks -> (from, to, value, values, advice)."""
        return self.knowledge.aliases

    @cached_property
    def keys(self) -> KeyTable:
        """The keys of its files, with their history."""
        return KeyTable(self.knowledge.keys)

    @property
    def fields(self) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
        """Section -> key -> its types and defaults, release by release."""
        return self.knowledge.fields

    @cached_property
    def releases(self) -> Releases:
        """The releases of its first package."""
        return releases_of(self.packages[0])

    def release_keys(self, release: str) -> ReleaseKeys:
        """The keys of one release (or of a version between releases)."""
        known = self._release_keys.get(release)
        if known is None:
            known = ReleaseKeys(
                self.keys,
                self.releases.versions,
                release,
                self.own_key,
                self.several_classes,
                self.judge(release),
            )
            self._release_keys[release] = known
        return known

    def keys_in(self, target: Environment) -> ReleaseKeys:
        """The keys of the releases that a file is checked against."""
        return self.release_keys(target.release)

    def for_document(self, document: Document, around: Surroundings) -> Framework:
        """The framework as it reads one file, where its files are of several kinds."""
        return self

    # ------------------------------------------------------------------ its behavior

    def recognizes(self, document: Document) -> bool:
        """Whether a document is one of this framework's files, by its keys and by `is_own`."""
        entries = document.root.entries
        names = frozenset(entry.name for entry in entries if entry.name is not None)
        return recognition.of_keys(names) == self.name and self.is_own(document)

    def is_own(self, document: Document) -> bool:
        """Whether a document whose keys look like this framework's is one of its files."""
        return True

    def knows_any(self, root: MappingNode) -> bool:
        """Whether at least one top-level key belongs to this framework."""
        return any(
            entry.name is not None and entry.name in self.keys.names("") for entry in root.entries
        )

    def coerce(self, path: Path, value: Any) -> Any:
        """The value that the framework reads from a scalar at a path."""
        return value

    def judge(self, release: str) -> Judge:
        """The values that the reader of a release accepts for the types of the key table."""
        return PYDANTIC

    def own_key(self, section: str, name: str) -> str:
        """The name under which the key table has a key that no release has as it is written."""
        return name

    def is_overwritten(
        self, section: str, name: str, mapping: MappingNode, keys: ReleaseKeys
    ) -> bool:
        """Whether a key's value is not read because another key of the mapping decides.

        Another spelling of it takes its place, or another setting makes it idle.
        """
        return False

    def reads_section(self, section: str, document: Document, keys: ReleaseKeys) -> bool:
        """Whether a release reads the keys of a section in this file.

        Where it does not, no key is unknown and no value is refused.
        """
        return True

    def told_by_rules(self, section: str, name: str) -> bool:
        """Whether rules of the framework's own refer to a key that it does not read."""
        return False

    def value_told_by_rules(self, section: str, name: str, value: Any) -> bool:
        """Whether such rules refer to a value that is refused, or whose key is unknown."""
        return False

    def in_own_copy(self, word: str, target: Environment, around: Surroundings) -> bool:
        """Whether the project has a copy of the framework that knows a key or a choice."""
        return False

    def own_copy_differs(
        self, hit: Diagnostic, document: Document, target: Environment, around: Surroundings
    ) -> bool:
        """Whether that copy, or a program of the project, does not do what a rule says of the releases."""
        return False

    def may_be_completed(self, target: Environment, around: Surroundings) -> bool:
        """Whether the line that starts a file may state keys, and is not known."""
        return False

    def taken_by(self, name: str) -> str:
        """The release of another package with which a key went; empty if it is the framework's own."""
        return ""

    def read_as(self, section: str, name: str) -> str | None:
        """The section that a key is read from if its own section does not have it, if any."""
        return None

    def as_read(
        self, section: str, name: str, value: Any, document: Document, keys: ReleaseKeys
    ) -> Any:
        """A value as it is when its type is examined."""
        return value

    def is_remark(self, name: str) -> bool:
        """Whether a key that no release knows is meant for human readers."""
        return False

    def is_extended(self, document: Document) -> bool:
        """Whether a program that adds keys of its own to this framework's reads a document."""
        return False

    def has_own_program(self, document: Document, around: Surroundings) -> bool:
        """Whether such a program is in the project, or shows in a document."""
        return self.is_extended(document)

    def is_parsed_strictly(self, document: Document, around: Surroundings) -> bool:
        """Whether such a program refuses keys that the release leaves out."""
        return False

    def may_be_extended(self, document: Document, name: str) -> bool:
        """Whether such a program may read a key, in a document that does not show if one reads it."""
        return False

    def has_own_class(
        self, document: Document, name: str, keys: ReleaseKeys, around: Surroundings
    ) -> bool:
        """Whether such a program reads a key of which the release makes something else with a class of its own."""
        return False

    def keys_of_extension(self, document: Document) -> frozenset[str]:
        """The keys of its own that the program which reads a document is known to have."""
        return frozenset()

    def known_elsewhere(self, section: str, name: str) -> str:
        """A hint about a key that files of another kind have; empty if none does."""
        return ""

    def is_option_of_launcher(self, section: str, name: str) -> bool:
        """Whether the command that starts the processes may have a key's value as an option."""
        return False

    def leaves_out(self, section: str, name: str, value: Any, keys: ReleaseKeys) -> bool:
        """Whether a key of a section with this value counts as one that is not there."""
        return False

    def tolerates(self, problem: SourceProblem, document: Document, around: Surroundings) -> bool:
        """Whether its own reader accepts a file with a mistake that the format forbids."""
        return False

    def refuses_duplicates(self, document: Document, around: Surroundings) -> bool:
        """Whether it refuses a file with a duplicate key."""
        return False

    def classes(
        self, keys: ReleaseKeys, section: str, entry: Path, document: Document
    ) -> tuple[str, ...]:
        """The classes that an entry of a list may be of: it is refused when none takes it.

        Args:
            section: one of `several_classes`, or a section below one.
            entry: the path of the entry.
        """
        return ()

    def class_in_section(self, section: str, model: str) -> str:
        """The class of a section below an entry of a class."""
        return model

    def fact(self, name: str, view: View, around: Surroundings) -> Any:
        """A fact about what the file names (`model.layers`); `UNKNOWN` if nothing states it."""
        return UNKNOWN

    def derived(self, name: str, view: View, asked: Asked, *, assume: bool) -> Any:
        """A derived value, `UNKNOWN` if the file does not decide it.

        Args:
            assume: take the newest candidate release when several fit.
        """
        return self.derived_values[name].function(view, asked, assume)

    def derived_needs(self, name: str) -> str:
        """The fact whose absence makes a derived value unknown."""
        return self.derived_values[name].unknown_for_want_of or f"derived {name}"

    def homes(self, section: str, name: str, homes: list[str]) -> list[str]:
        """The sections that a misplaced key was probably meant for, the likeliest first.

        Args:
            section: where it stands.
            homes: all sections that have a key of this name.
        """
        if "" in homes:
            return [""]
        return [] if name in GENERIC_NAMES else homes

    def home_in_words(self, home: str, name: str, path: Path, document: Document) -> str | None:
        """Where a misplaced key belongs, if that is more than the section's name."""
        return None

    def asks_for_nothing(self, section: str, name: str, path: Path, document: Document) -> bool:
        """Whether what an unread key requests happens anyway."""
        return True

    def plugins(self, document: Document) -> frozenset[str]:
        """The class names of the plugins that a file lists."""
        return self.plugins_in(lambda path: written_value(document, path))

    def plugins_in(self, value: Callable[[Path], Any]) -> frozenset[str]:
        """The class names of the plugins that a configuration lists, by its values."""
        return frozenset()

    def hands_on_as_written(self, path: Path, document: Document) -> str | None:
        """What converts the text of a value below a free-form key to a number; None if nothing does."""
        return None

    def implies_several_gpus(self, view: View) -> bool:
        """Whether a file requests a way to share the work between GPUs. It does not say how many."""
        return False

    def earliest_release(self, document: Document) -> str | None:
        """The first release that has every top-level key of a file; None if all are old.

        A file that sets a key was written for a release that reads it. (Sections tell nothing:
        releases took mappings as they came before they described their keys.)
        """
        ages = self.keys.ages(self.releases.versions)
        newest = 0
        for entry in document.root.entries:
            age = ages.get(entry.name, 0)
            if age > newest:
                value = entry.value.target()
                if not isinstance(value, Scalar) or value.value is not None:
                    newest = age
        return self.releases.versions[newest] if newest else None

    def reading(self, target: Environment) -> Reading | None:
        """How its reading of a file is followed; None when `cfglint effective` does not support it.

        By default that is a schema of pydantic's.
        """
        from cfglint.roles.reading.schema import SchemaReading

        return SchemaReading(self, target)

    def planner(
        self, document: Document, target: Environment, around: Surroundings
    ) -> Planner | None:
        """What is known about a file's need for memory; None when `cfglint fit` does not support it."""
        return None

    def references(self, document: Document, around: Surroundings) -> Iterable[Reference]:
        """The files of other frameworks that a file names, or has a section in place of."""
        return ()

    def sweeps(self) -> SweepFormat | None:
        """How its sweep files are read; None when it has none."""
        return None

    def overrides(self, line: Start, document: Document, release: str) -> Iterable[Override]:
        """The values that a command lays over a file, as far as its keys take them."""
        return ()

    def option(self, line: Start, key: str, value: Any, release: str) -> str | None:
        """The words that set a key on a launch line; None when a release has no option for it."""
        return None


def frameworks() -> tuple[str, ...]:
    """The names of all frameworks that can check a file."""
    return tuple(compiled.load("frameworks").FRAMEWORKS)


def framework_class(name: str) -> type[Framework]:
    """The class of a framework, whose package is imported now."""
    found: type[Framework] = import_module(f"cfglint.frameworks.{name}.framework").FRAMEWORK
    return found


@lru_cache(maxsize=16)
def load_framework(name: str) -> Framework:
    """A framework, with all that earlier files of this process computed."""
    return framework_class(name)()
