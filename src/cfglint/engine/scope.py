"""One file with its views and facts: what the conditions of rules are tested on."""

from __future__ import annotations

from functools import cached_property, partial

from cfglint.base.logic import MISSING, UNKNOWN, AtLeast, Truth, plain
from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext
from cfglint.environment.environment import AppliesTo
from cfglint.knowledge.rules.derivations import Derivation, apply_derivations
from cfglint.knowledge.rules.evaluate import OPEN, ByPath
from cfglint.knowledge.rules.views import View
from cfglint.roles.parts import Asked
from cfglint.source.calls import call_of
from cfglint.source.document import Path, Scalar
from cfglint.source.values import Unexpanded

#: What is among unknown facts for a value that only a run decides.
VALUE = "derived value"
#: No number that means to be read has as many characters.
_LONG = 24
#: What is unknown when a value is that the file does not state; no option tells it.
_WORDS = "derived words"


class FileScope:
    """The facts and views of one file. `use` chooses what the next condition is tested on."""

    def __init__(self, context: CheckContext) -> None:
        document = self.document = context.document
        self.framework = context.framework
        self.target = context.target
        self.around = context.around
        self.plugins_key: str = self.framework.row["plugins_key"]
        #: Facts that were asked for and are not known, since `use` was called.
        self.unknown: set[str] = set()
        #: Of these, the ones to which the file itself suggests an answer.
        self.guessed: set[str] = set()
        #: Facts that were asked for, and that nothing shows to be of this run.
        self.weak: set[str] = set()
        #: What may matter in this file, as bits (`Lookup`).
        self.found = self.framework.lookup.found(document)
        self.view = self._raw = View(document)
        self._is_command = document.language.structure == "words"
        self._is_call = call_of(document.root) is not None
        self.at: ByPath = self._values_of(self._raw)
        self._views: dict[str, View] = {"raw": self._raw}
        self._item: Path = ()
        self._assume = True
        self._asked = Asked(self.target, self.around)

    def use(self, view: str, *, item: Path = (), assume: bool = True) -> None:
        """Choose the view, the list item that `item.` refers to, and how to take versions."""
        self.view = self._views.get(view) or self._view(view)
        self.at = self._values_of(self.view)
        self._item = item
        self._assume = assume
        if self.unknown:
            self.unknown = set()
        if self.guessed:
            self.guessed = set()
        if self.weak:
            self.weak = set()

    def _values_of(self, view: View) -> ByPath:
        return _Noted(view.at, self) if self._is_command else view.at

    @cached_property
    def _implies_several(self) -> bool:
        """Whether the file is meant for more than one GPU: it requests a way to share the work."""
        spread_by = self.framework.row["spread_by"]
        return any(plain(self._raw.value((key,))) for key in spread_by)

    def _view(self, name: str) -> View:
        view = self._views.get(name)
        if view is None:
            if name == "late":
                view = View(self.document, coerce=self.framework.parsing.coerce)
                previous = self.view, self.at, self._assume, self._item
                self.view, self.at, self._assume = view, self._values_of(view), True
                derivations = self.framework.knowledge.derivations_for(self.found)
                apply_derivations(
                    derivations,
                    view,
                    self,
                    self._derivation_applies,
                    partial(_unknown_in, view) if self._is_command else None,
                )
                self.view, self.at, self._assume, self._item = previous
            else:
                view = View(
                    self.document,
                    base=self._view("late"),
                    coerce=self.framework.parsing.coerce,
                    defaults=self.framework.keys.defaults,
                )
            self._views[name] = view
        return view

    def _derivation_applies(self, applies: AppliesTo) -> bool:
        return self.target.applies(applies, assume=True) is True

    def at_item(self, item: Path) -> None:
        """Let `item.` refer to an item of a list."""
        self._item = item

    def value(self, path: Path) -> Any:
        """The value at a path in the view that was chosen, or MISSING."""
        return self.at[path]

    def values(self, path: tuple[str, ...]) -> list[Any]:
        return self.view.values(path)

    def item_value(self, path: tuple[str, ...]) -> Any:
        return self.view.value((*self._item, *path))

    def fact(self, name: str) -> Any:
        value = self.target.fact(name)
        if value is not UNKNOWN and self.target.facts[name].weak:
            self.weak.add(name)
        if value is UNKNOWN and "." in name:
            value = self.framework.readings.fact(name, self.view, self.around)
        if value is UNKNOWN:
            self.unknown.add(name)
            if name == "gpus" and self._implies_several:
                self.guessed.add(name)
                return AtLeast(2)
        return value

    def undetermined(self) -> None:
        # In a file, what a rewrite leaves open hangs on facts, which are noted by themselves.
        if self._is_call:
            self.unknown.add(VALUE)

    def derived(self, name: str) -> Any:
        value = self.framework.readings.derived(name, self.view, self._asked, assume=self._assume)
        if value is UNKNOWN:
            self.unknown.add(self.framework.readings.derived_needs(name))
        return value

    def applies(self, versions: tuple[tuple[Any, ...], ...]) -> Truth:
        truth = self.target.admits(versions, assume=self._assume)
        if truth is None:
            self.unknown.update(row[0] for row in versions)
        return truth

    def placeholder(self, name: str, item: Path) -> str | None:
        """The text for a message's `{name}` in this file; None when the value is not known."""
        if name.startswith("fact "):
            value = self.fact(name[len("fact ") :].strip())
        elif name.startswith("derived "):
            value = self.derived(name[len("derived ") :].strip())
        elif name == "release":
            value = self.target.release
        elif name.startswith("item"):
            value = self.view.value((*item, *name.split(".")[1:]))
        else:
            value = self.view.value(tuple(name.split(".")))
        if value is MISSING or value is UNKNOWN or value is None:
            return None
        if isinstance(value, Unexpanded):
            return self._as_text(name, item)
        if isinstance(value, AtLeast):
            return "several"
        if value is True or value is False:
            return "true" if value else "false"
        if isinstance(value, (list, tuple, dict)):
            from cfglint.engine.places import flow, spoken

            return spoken(tuple(map(str, value))) if name.startswith("fact ") else flow(value)
        if isinstance(value, float) and (text := self._as_written(name, item, value)):
            return text
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
            return str(int(value)) if name.startswith(("fact ", "derived ")) else str(value)
        return str(value)

    def _as_text(self, name: str, item: Path) -> str | None:
        """A value that is not known, as it is written: `$RATE`."""
        parts = tuple(name.split("."))
        path = (*item, *parts[1:]) if parts[0] == "item" else parts
        node = self.document.node(path)
        if node is None:
            return None
        return " ".join(self.document.text[node.start : node.end].split()) or None

    def _as_written(self, name: str, item: Path, value: float) -> str | None:
        """A number in the spelling of the file: `0.000001` where Python would say `1e-06`."""
        parts = tuple(name.split("."))
        path = self.view.written_path((*item, *parts[1:]) if parts[0] == "item" else parts)
        node = self.document.node(path) if path is not None else None
        if isinstance(node, Scalar) and node.value == value and len(node.text) < _LONG:
            return node.text
        return None


class _Noted:
    """Values by path; that one of them is not known is noted in a scope."""

    def __init__(self, values: ByPath, scope: FileScope) -> None:
        self._values = values
        self._scope = scope

    def __getitem__(self, path: Path) -> Any:
        value = self._values[path]
        if type(value) in OPEN:
            self._scope.unknown.add(_WORDS)
        return value


def _unknown_in(view: View, derivation: Derivation, paths: list[Path]) -> None:
    """Let what a rewrite may have changed be unknown."""
    for path in paths:
        view.change(path, UNKNOWN, origin=None, reason=derivation.reason)
