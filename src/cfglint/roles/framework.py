"""What a framework is: its names, and what is known about it.

A framework is a package below `cfglint.frameworks` with a module `framework` that holds a subclass
of `Framework` under the name `FRAMEWORK`, and a folder below `rules/` of the same name. How it
behaves is the affair of its roles (`cfglint.roles`): of those in `own_roles` the package has a module
of that name with a class `ROLE`, the others are the defaults.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from importlib import import_module

from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar, cast
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.keys.table import KeyTable
from cfglint.knowledge.kinds import FileKind
from cfglint.knowledge.releases.table import Releases, releases_of
from cfglint.knowledge.rules.index.candidates import Lookup
from cfglint.knowledge.rules.knowledge import Knowledge, ProjectRules, load_knowledge
from cfglint.roles.parts import CheckSource

if TYPE_CHECKING:
    from cfglint.roles.key_policy import KeyPolicy
    from cfglint.roles.launching import Launching
    from cfglint.roles.own_code import OwnCode
    from cfglint.roles.own_files import OwnFiles
    from cfglint.roles.parsing import Parsing
    from cfglint.roles.readings import Readings
    from cfglint.source.languages.base import Language


class Framework:
    """The identity of a framework, the knowledge about it, and its roles.

    Args:
        project_rules: rules of the project that is checked, in addition to those of cfglint.
        kind: of the files that it is for, if they are of several kinds; empty for any.
        in_scripts: whether it is for the scripts that start it with options, not for its files.
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
        return cast("Mapping[str, Any]", compiled.load("frameworks").FRAMEWORKS[self.name])

    @cached_property
    def title(self) -> str:
        """Its name in messages, with that of the kind of files."""
        return str(self.row["title"])

    @cached_property
    def release_title(self) -> str:
        """What its releases are called after: its name, or the package that has them in its place."""
        return self.releases.called(str(self.row["title"]))

    @cached_property
    def packages(self) -> tuple[str, ...]:
        """The packages whose releases decide; the first one is the framework itself."""
        return tuple(self.row["packages"])

    @property
    def language(self) -> Language:
        """The language that its files are written in."""
        return self.parsing.language

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
    def file_kind(self) -> FileKind:
        """What is known about the kind of files that it is for."""
        return FileKind(self.name, self.row, self.kind)

    @cached_property
    def keys(self) -> KeyTable:
        """The keys of its files, with their history."""
        return self.file_kind.keys

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
                self.row["entry_classes"],
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
        is_of_class = self.file_kind.is_class and of_class in self.own_roles
        return self.role(of_class if is_of_class else name)(self)

    @cached_property
    def parsing(self) -> Parsing:
        """What its reader makes of a text."""
        return cast("Parsing", self._made("parsing"))

    @cached_property
    def own_files(self) -> OwnFiles:
        """Which documents are its files."""
        return cast("OwnFiles", self._made("own_files"))

    @cached_property
    def key_policy(self) -> KeyPolicy:
        """What becomes of a written key."""
        return cast("KeyPolicy", self._made("key_policy"))

    @cached_property
    def own_code(self) -> OwnCode:
        """What a project has of the framework itself."""
        return cast("OwnCode", self._made("own_code"))

    @cached_property
    def launching(self) -> Launching:
        """How the commands that start a file complete it."""
        return cast("Launching", self._made("launching"))

    @cached_property
    def readings(self) -> Readings:
        """What follows from a file."""
        return cast("Readings", self._made("readings"))


def frameworks() -> tuple[str, ...]:
    """The names of all frameworks that can check a file."""
    return tuple(compiled.load("frameworks").FRAMEWORKS)


def framework_class(name: str) -> type[Framework]:
    """The class of a framework, whose package is imported now."""
    found: type[Framework] = import_module(f"cfglint.frameworks.{name}.framework").FRAMEWORK
    return found


@lru_cache(maxsize=16)
def load_framework(name: str) -> Framework:
    """A framework, with all that earlier files computed."""
    return framework_class(name)()
