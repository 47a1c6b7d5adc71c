"""What is known about one kind of a framework's files: its keys, and which rules are for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from cfglint.base.type_names import Any
from cfglint.knowledge import compiled
from cfglint.knowledge.keys import classes
from cfglint.knowledge.keys.table import KeyTable
from cfglint.knowledge.rules.knowledge import Knowledge

#: What a framework calls all classes that are not the config of a run, in `rules_of_kinds`.
_OF_CLASSES = "call"


class FileKind:
    """A kind of a framework's files, such as those for one command, or the calls of one class.

    Args:
        framework: its name.
        row: what its `framework.yaml` states.
        name: that of the kind; empty for files of no kind in particular.
    """

    def __init__(self, framework: str, row: Mapping[str, Any], name: str) -> None:
        self.framework = framework
        self.name = name
        self._row = row

    @property
    def is_class(self) -> bool:
        """Whether the kind is a class, whose calls in programs are checked."""
        return "." in self.name

    @property
    def has_file_name(self) -> bool:
        """Whether its files are recognized by their name."""
        return any(self.name == named["kind"] for named in self._row["named_files"].values())

    @property
    def filling(self) -> str:
        """The kind of files whose keys fill the class that it is; its own name where there is none."""
        found: str = self._row["filled_classes"].get(self.name, self.name)
        return found

    @property
    def _has_own_table(self) -> bool:
        """Whether its keys are in a table of their own."""
        return self.name in self._row["kinds"]

    @cached_property
    def keys(self) -> KeyTable:
        """Its keys, with their history."""
        if self.is_class:
            return classes.table_of(self.framework, self.name)
        table = f"{self.framework}_{self.name}" if self._has_own_table else self.framework
        return KeyTable(compiled.load(f"{table}_keys"))

    @property
    def fields(self) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
        """Section -> key -> its types and defaults, release by release."""
        table = f"{self.name}_fields" if self._has_own_table else "effective"
        found: Mapping[str, Mapping[str, Mapping[str, Any]]] = compiled.load(
            f"{self.framework}_{table}"
        ).FIELDS
        return found

    def rules(self, knowledge: Knowledge, checks: Iterable[str]) -> int:
        """A bit for each rule of the framework that may matter in its files.

        Args:
            checks: the names of the framework's own checks.
        """
        if self.has_file_name:
            return knowledge.rules_of_checks(knowledge.check_names)
        if self._row["of_sections"]:
            # It has no keys: only what the framework's own code checks is about its files as a whole.
            return knowledge.rules_of_checks(checks)
        families: Mapping[str, str] = self._row["rules_of_kinds"]
        of_kinds = {kind: knowledge.rules_of_family(prefix) for kind, prefix in families.items()}
        if self.is_class and not classes.is_below(self.framework, self.name):
            # Of a class that is not the config of a run, the names of its parameters count, and what it
            # refuses itself.
            of_names = knowledge.rules_of_family("KEY") | knowledge.rules_of_family("TYP")
            return of_names | of_kinds.get(_OF_CLASSES, 0)
        if self.name in of_kinds:
            return of_kinds[self.name] | knowledge.rules_of_checks(knowledge.check_names)
        found = knowledge.every_rule
        for rules in of_kinds.values():
            found &= ~rules
        return found
