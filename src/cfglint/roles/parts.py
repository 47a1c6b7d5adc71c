"""The parts of a framework, and the records that it passes to the engine."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib import import_module

from cfglint.base.logic import plain
from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING, Any, TypeVar, cast
from cfglint.knowledge.rules.index.triggers import Tokens
from cfglint.knowledge.rules.views import written_value
from cfglint.source.document import Document, Path

if TYPE_CHECKING:
    from cfglint.checks.context import Check, CheckContext
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.knowledge.keys.release_keys import ReleaseKeys
    from cfglint.knowledge.rules.views import View
    from cfglint.roles.framework import Framework
    from cfglint.runs.starts.start import Start

_T = TypeVar("_T")


class FileContext:
    """One file with all that a role or a check may look at besides it."""

    def __init__(
        self,
        document: Document,
        framework: Framework,
        target: Environment,
        around: Surroundings,
    ) -> None:
        self.document = document
        self.framework = framework
        self.target = target
        self.around = around
        self._shared: dict[str, Any] = {}

    def once(self, name: str, make: Callable[[], _T]) -> _T:
        """A value that several checks of this file share, computed by the first that needs it."""
        if name not in self._shared:
            self._shared[name] = make()
        return cast("_T", self._shared[name])

    def value(self, *path: str | int) -> Any:
        """The value that is written at a path; None without one, as for null."""
        return plain(written_value(self.document, path))

    @cached_property
    def release_keys(self) -> ReleaseKeys:
        """The keys of the target's release."""
        return self.framework.key_policy.keys_in(self.target)

    @cached_property
    def plugins(self) -> frozenset[str]:
        """The class names of the plugins that the file lists."""
        key = self.framework.row["plugins_key"]
        return plugin_names(written_value(self.document, (key,))) if key else frozenset()


def plugin_names(listed: Any) -> frozenset[str]:
    """The class names of listed plugins, which are written as `module.Class` or `module:Class`."""
    if not isinstance(listed, list):
        return frozenset()
    return frozenset(
        name.replace(":", ".").rpartition(".")[2] for name in listed if isinstance(name, str)
    )


class Derived(Record):
    """A value that follows from several keys, for rules to ask about (`derived name`)."""

    #: Computes it from a view; `UNKNOWN` if the file does not determine it. The last argument
    #: is whether to take the newest candidate release when several fit.
    function: Callable[[View, Asked, bool], Any]
    #: A file has at least one of these keys whenever the value is neither null nor missing.
    needs: Tokens
    #: The fact whose absence makes it unknown, if an option sets that fact.
    unknown_for_want_of: str = ""


class Asked(Record):
    """What a derived value may look at besides the file."""

    environment: Environment
    around: Surroundings


class CheckSource(Record):
    """A check in code, imported when there is something for it to check."""

    module: str
    name: str
    #: Whether there is anything to check, as far as the surroundings of a file tell.
    around: Callable[[Surroundings], bool] | None = None
    #: Whether there is anything to check in the file.
    file: Callable[[CheckContext], bool] | None = None
    #: A file has at least one of these keys whenever the check has findings.
    needs: Tokens = frozenset()

    def load(self) -> Check:
        """The check itself."""
        checks: dict[str, Check] = import_module(self.module).CHECKS
        return checks[self.name]


class Opened(Record):
    """A file that a run opens as it starts, by a path that counts from the folder in which it does."""

    #: The key that names it, or would.
    at: Path
    #: As the run opens it.
    name: str
    #: The run ends without it; for data, which is often brought later, only where it lies elsewhere in the project.
    is_data: bool = False
    #: It also comes with a checkout of the framework, or with a command of it.
    is_brought: bool = False
    #: What makes the file unnecessary where it is there, such as the folder of data that is prepared already.
    unless: str = ""


class Reference(Record):
    """A second file that belongs to a file, or a section that could be one."""

    #: The framework that it is for.
    framework: str
    #: The key that names it; rules on the edge find its keys below this one.
    at: Path
    #: Its absolute path; None for a section of the file itself, and if the path is not known.
    path: str | None = None
    #: The commands that name both files, when it is named by commands.
    launches: tuple[Start, ...] | None = None
