"""What a framework is: its names, and what is known about it.

A framework is a package below `cfglint.frameworks` with a module `framework` that holds a subclass
of `Framework` under the name `FRAMEWORK`, and a folder below `rules/` of the same name. How it
behaves is the affair of its roles (`cfglint.roles`): of those in `own_roles` the package has a module
of that name with a class `ROLE`, the others are the defaults.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property, lru_cache
from importlib import import_module

from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar
from cfglint.knowledge import compiled, recognition
from cfglint.knowledge.keys import classes
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.keys.table import KeyTable
from cfglint.knowledge.releases.table import Releases, releases_of
from cfglint.knowledge.rules.index.candidates import Lookup
from cfglint.knowledge.rules.knowledge import Knowledge, ProjectRules, load_knowledge
from cfglint.roles.parts import CheckSource
from cfglint.source.calls import call_of
from cfglint.source.document import Document

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings
    from cfglint.roles.key_policy import KeyPolicy
    from cfglint.roles.launching import Launching
    from cfglint.roles.own_code import OwnCode
    from cfglint.roles.parsing import Parsing
    from cfglint.roles.readings import Readings
    from cfglint.source.languages.base import Language


class Framework:
    """The identity of a framework, the knowledge about it, and its roles.

    Args:
        project_rules: rules of the project that is checked, in addition to those of cfglint.
        kind: of the files that it is for, if they are of several kinds; empty for any.
        in_scripts: whether it is for the scripts that start it with options, where its files are written
            in another language.
    """

    #: The name of its package and of its folder below `rules/`.
    name: ClassVar[str]
    #: Its own checks, by the names that rule files use.
    checks: ClassVar[Mapping[str, CheckSource]] = {}
    #: The roles that its package implements.
    own_roles: ClassVar[frozenset[str]] = frozenset()

    def __init__(
        self,
        project_rules: ProjectRules | None = None,
        kind: str = "",
        *,
        in_scripts: bool = False,
    ) -> None:
        self.kind = kind
        self.in_scripts = in_scripts
        self.project_rules = project_rules
        self._release_keys: dict[tuple[str, frozenset[str]], ReleaseKeys] = {}
        self.variants: dict[tuple[str, bool], Framework] = {}

    # ------------------------------------------------------------------ its identity

    @cached_property
    def row(self) -> Mapping[str, Any]:
        """What `framework.yaml` states, as far as a run needs it."""
        return compiled.load("frameworks").FRAMEWORKS[self.name]  # type: ignore[no-any-return]

    @cached_property
    def title(self) -> str:
        """Its name in messages, with that of the kind of files."""
        return str(self.row["title"])

    @cached_property
    def is_second(self) -> bool:
        """Whether files of other frameworks name its files."""
        return bool(self.row["named_by_others"])

    @cached_property
    def packages(self) -> tuple[str, ...]:
        """The packages whose releases decide; the first one is the framework itself."""
        return tuple(self.row["packages"])

    @property
    def language(self) -> Language:
        """The language that its files are written in."""
        return self.parsing.language

    def recognizes(self, document: Document) -> bool:
        """Whether a document is one of this framework's files, by its keys and by `is_own`."""
        if not self.is_own(document):
            return False
        if self._has_own_name:
            return True
        language = self.language.name
        if language in recognition.OF_TEXTS:
            return recognition.of_text(document.text, language) == self.name
        entries = document.root.entries
        names = frozenset(entry.name for entry in entries if entry.name is not None)
        return recognition.of_keys(names) == self.name

    def is_own(self, document: Document) -> bool:
        """Whether a document whose keys look like this framework's is one of its files."""
        return True

    def for_document(self, document: Document, around: Surroundings) -> Framework:
        """The framework with the keys of the kind of file that a document is."""
        call = call_of(document.root)
        if call is not None:
            return variant(self, kind=call.name)
        written = variant(self, language=document.language.name)
        return variant(written, kind=written.kind_of(document, around))

    @cached_property
    def _has_own_name(self) -> bool:
        """Whether its files are of a kind that a name decides."""
        return any(self.kind == named["kind"] for named in self.row["named_files"].values())

    def kind_of(self, document: Document, around: Surroundings) -> str:
        """Of which kind a file is, where a framework has several."""
        return self.kind

    @cached_property
    def _of_class(self) -> bool:
        """Whether its kind is a class, whose calls in programs are checked."""
        return "." in self.kind

    # ------------------------------------------------------------------ what is known about it

    @cached_property
    def knowledge(self) -> Knowledge:
        """Its rules, texts and tables."""
        if self.project_rules is not None:
            return Knowledge(self.name, self.project_rules)
        return load_knowledge(self.name)

    @cached_property
    def lookup(self) -> Lookup:
        """Finds the rules and rewrites that may apply to a file."""
        return self.knowledge.lookup(self.parsing.coerce)

    @cached_property
    def rules(self) -> int:
        """A bit for each rule that may matter in its files."""
        if self._has_own_name:
            return self.knowledge.rules_of_checks(self.knowledge.check_names)
        if self.row["of_sections"]:
            # It has no keys: only what its own code checks is about its files as a whole.
            return self.knowledge.rules_of_checks(self.checks)
        if self._of_class and not classes.is_below(self.name, self.kind):
            # Of a class that is no config of a run, the names of its parameters count.
            return self.knowledge.rules_of_family("KEY") | self.knowledge.rules_of_family("TYP")
        families: Mapping[str, str] = self.row["rules_of_kinds"]
        of_kinds = {
            kind: self.knowledge.rules_of_family(prefix) for kind, prefix in families.items()
        }
        if self.kind in of_kinds:
            general = self.knowledge.rules_of_checks(self.knowledge.check_names)
            return of_kinds[self.kind] | general
        found = self.knowledge.every_rule
        for rules in of_kinds.values():
            found &= ~rules
        return found

    @cached_property
    def keys(self) -> KeyTable:
        """The keys of its files, with their history."""
        if self._of_class:
            return classes.table_of(self.name, self.kind)
        if _has_own_table(self):
            return KeyTable(compiled.load(f"{self.name}_{self.kind}_keys"))
        return KeyTable(self.knowledge.keys)

    @property
    def fields(self) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
        """Section -> key -> its types and defaults, release by release."""
        if _has_own_table(self):
            return compiled.load(f"{self.name}_{self.kind}_fields").FIELDS  # type: ignore[no-any-return]
        return self.knowledge.fields

    @cached_property
    def releases(self) -> Releases:
        """The releases of its first package."""
        return releases_of(self.packages[0])

    def release_keys(self, release: str, hidden: frozenset[str] = frozenset()) -> ReleaseKeys:
        """The keys of one release (or of a version between releases).

        Args:
            hidden: releases whose new keys are as unknown as if they did not exist.
        """
        known = self._release_keys.get((release, hidden))
        if known is None:
            known = self._release_keys[release, hidden] = ReleaseKeys(
                self.keys,
                self.releases.versions,
                release,
                self.key_policy.own_key,
                self.readings.several_classes,
                self.parsing.judge(release),
                hidden=hidden,
            )
        return known

    # ------------------------------------------------------------------ its roles

    @classmethod
    def role(cls, name: str) -> Any:
        """The class of a role, whose module is imported now."""
        home = f"cfglint.frameworks.{cls.name}" if name in cls.own_roles else "cfglint.roles"
        return import_module(f"{home}.{name}").ROLE

    def _made(self, name: str) -> Any:
        """A role; for the calls of a class, and the options that fill one, it may be another than for files."""
        of_class = f"{'option' if self.in_scripts else 'call'}_{name}"
        return self.role(of_class if self._of_class and of_class in self.own_roles else name)(self)

    @cached_property
    def parsing(self) -> Parsing:
        """What its reader makes of a text."""
        return self._made("parsing")  # type: ignore[no-any-return]

    @cached_property
    def key_policy(self) -> KeyPolicy:
        """What becomes of a written key."""
        return self._made("key_policy")  # type: ignore[no-any-return]

    @cached_property
    def own_code(self) -> OwnCode:
        """What a project has of the framework itself."""
        return self._made("own_code")  # type: ignore[no-any-return]

    @cached_property
    def launching(self) -> Launching:
        """How the commands that start a file complete it."""
        return self._made("launching")  # type: ignore[no-any-return]

    @cached_property
    def readings(self) -> Readings:
        """What follows from a file."""
        return self._made("readings")  # type: ignore[no-any-return]


def for_path(framework: Framework, path: str) -> Framework:
    """The framework for a file of that name: for the kind that the name decides, in its language."""
    named = framework.row["named_files"].get(os.path.basename(path))
    kind = None if named is None else named["kind"]
    return variant(framework, kind=kind, language=recognition.language_of(path))


def variant(framework: Framework, *, kind: str | None = None, language: str = "") -> Framework:
    """A framework for a kind of its files, or for those in a language.

    Args:
        kind: its own when None.
        language: the name of one; empty for its own. Only scripts are in another one.
    """
    in_scripts = framework.in_scripts
    if language:
        in_scripts = framework.row["scripts"] and language == "shell"
    key = (framework.kind if kind is None else kind, in_scripts)
    if key == (framework.kind, framework.in_scripts):
        return framework
    known = framework.variants.get(key)
    if known is None:
        known = type(framework)(framework.project_rules, key[0], in_scripts=in_scripts)
        framework.variants[key] = known
    return known


def _has_own_table(framework: Framework) -> bool:
    """Whether the keys of its kind of files are in a table of their own."""
    return framework.kind in framework.row["kinds"]


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
