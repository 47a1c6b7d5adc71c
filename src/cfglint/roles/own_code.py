"""What a project has of a framework itself: a fork, a copy, or a program whose classes extend it."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar, Final

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.environment.surroundings import Surroundings
    from cfglint.knowledge.rules.rule import Rule
    from cfglint.roles.framework import Framework
    from cfglint.roles.key_policy import WrittenKey
    from cfglint.roles.parts import FileContext
    from cfglint.source.document import Document

#: The families of rules about keys and their types, and the other rules that know them from a release.
_FAMILIES: Final = ("KEY", "TYP")
_OF_OPTIONS: Final = frozenset({"ambiguous-abbreviation", "option-without-word"})

#: So many keys that a program has by the same name are no coincidence.
_SEVERAL: Final = 2


class OwnCode:
    """The code of a project that reads a file in place of a release; by default there is none."""

    #: The package as it is imported, and what lies in it where it is whole; empty where that decides nothing.
    modules: ClassVar[tuple[str, ...]] = ()
    wholes: ClassVar[tuple[str, ...]] = ()
    #: What shows that a folder of the package's name has a part of it, though it cannot be imported.
    parts: ClassVar[tuple[str, ...]] = ()

    def __init__(self, framework: Framework) -> None:
        self.framework = framework

    def is_all_that_reads(self, document: Document, around: Surroundings) -> bool:
        """Whether a program asks for most keys of a file, with its own among them, and no command of the framework starts it.

        Files of a framework whose parsers such programs use are judged all the same: most of what a release says of a
        key holds for them as well.
        """
        row, framework = self.framework.row, self.framework
        if row["of_sections"] or row["named_by_others"] or row["parsers"]:
            return False
        if framework.in_scripts or framework.keys.names_are_free:
            return False
        if document.language.structure != "indentation" or around.folder is None:
            return False
        names = document.root.names
        strange = [one for one in names if framework.keys.info("", one) is None]
        if len(strange) < _SEVERAL:
            return False
        if not all(self._is_of_project(one.program, around) for one in around.launches):
            return False
        from cfglint.environment.project.other_programs import is_read_by_one

        def look() -> bool:
            # What names the package is of a copy of it, or hands the file on.
            return is_read_by_one(names, strange, _SEVERAL, self.modules, around)

        return around.memory.once(("another program reads it", around.path, document.text), look)

    def _is_of_project(self, program: str, around: Surroundings) -> bool:
        """Whether a started file is a program of the project that has only the name of the framework's: it does not import it."""
        from cfglint.environment.python_sources import named_by, project_root, python_sources

        if around.folder is None or not program.endswith(".py"):
            return False
        sources = python_sources(around, project_root(around, around.folder))
        found = [sources[path] for path in named_by(program, sources)]
        return bool(found) and all(
            text is not None and not any(word in text.lower() for word in self.modules)
            for text in found
        )

    def has(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether such code has a key that the release does not read."""
        return False

    def is_patched_in(self, key: WrittenKey, ctx: FileContext) -> bool:
        """Whether a patch of the project adds a key to the package."""
        from cfglint.environment.patches import is_patched_in

        modules = self.modules or (self.framework.packages[0].replace("-", "_"),)
        return any(is_patched_in(key.name, module, ctx.around) for module in modules)

    def takes(self, key: WrittenKey, value: Any, ctx: FileContext) -> bool:
        """Whether such code takes a value that the release refuses; by default, if it has the key at all."""
        return self.has(key, ctx)

    def differs(self, finding: Diagnostic, ctx: FileContext) -> bool:
        """Whether such code does not do what a rule reports about the releases."""
        return False

    def is_in_part(self, ctx: FileContext) -> bool:
        """Whether the project has a part of the package itself: of a fork of no known release, whose keys are not there."""
        pin = ctx.target.pins.get(self.framework.packages[0])
        if pin is not None and pin.version is not None:
            return False
        from cfglint.environment.copies import is_in_part

        return ctx.once(
            "package in part",
            lambda: any(
                is_in_part(module, self.wholes, self.parts, ctx.around) for module in self.modules
            ),
        )

    def rests_on_release(self, rule: Rule, finding: Diagnostic) -> bool:
        """Whether a rule finds only what a release does, or some releases do."""
        if rule.code.startswith(_FAMILIES) or rule.name in _OF_OPTIONS:
            return True
        if rule.framework != self.framework.name:
            return False
        if rule.name in self.framework.row["rules_of_all_releases"]:
            return False
        return finding.upstream == "rejects" or self.framework.packages[0] in rule.applies

    def may_differ(self, finding: Diagnostic, ctx: FileContext) -> bool:
        """Whether a build of the authors' own may not do it, so that an error is no more than a warning."""
        return False


ROLE = OwnCode
