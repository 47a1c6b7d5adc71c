"""Looks up what to try on a file: the rules and rewrites of which it has all that is necessary.

What is necessary are sets of tokens (`triggers`), and of each set one holds. Each set is one bit
of a large integer: the first sets of all rules lie side by side in the lowest plane, their second
sets in the next one, and so on. What the keys of a file hold switches bits on; the planes laid
over each other (`&`) leave one bit for each rule all of whose sets are on. Tokens are tested once
for each value of a key, however many rules ask and however many files have it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cfglint.base.packing import pack, unpack
from cfglint.base.type_names import Any
from cfglint.knowledge.rules.index.triggers import Token, Tokens, cost, tester
from cfglint.source.document import Document, Mapping, Node, Scalar
from cfglint.source.document import Sequence as SequenceNode

#: More sets of a rule than this tell next to nothing, and make every integer longer.
_MAX_PLANES = 6
#: How many values are remembered with their bits: enough for the usual ones, whatever is linted.
_MAX_REMEMBERED = 5_000

#: Texts of which one at least is turned into something else wherever any text is.
_CONVERTIBLE = ("true", "1", "1.5")

Coerce = Callable[[tuple[str | int, ...], Any], Any]
Bits = tuple[int, ...]


def plan(needed: Sequence[list[Tokens] | None]) -> dict[str, Any]:
    """The tables for a `Lookup`.

    Args:
        needed: by number, the sets of tokens that are necessary; with none it is always found,
            with None never.
    """
    width = len(needed)
    unique = [
        None if sets is None else sorted(dict.fromkeys(sets), key=cost)[:_MAX_PLANES]
        for sets in needed
    ]
    planes = max([1, *(len(sets) for sets in unique if sets is not None)])
    always = 0
    bits: dict[Token, list[int]] = {}
    for number, sets in enumerate(unique):
        if sets is None:
            continue
        for plane in range(planes):
            bit = plane * width + number
            if plane >= len(sets):
                always |= 1 << bit
                continue
            for token in sets[plane]:
                bits.setdefault(token, []).append(bit)
                if token.is_made_by_absence:
                    always |= 1 << bit
    places: dict[str, list[tuple[Any, ...]]] = {}
    for token in sorted(bits, key=repr):
        # What a token is asked more than once is computed here.
        traits = (token.holds_when_absent, token.asks_for_kind)
        row = (token.tests, token.wanted, tuple(bits[token]), *traits)
        places.setdefault(token.place, []).append(row)
    return {
        "width": width,
        "planes": planes,
        "always": always,
        "places": {place: pack(tuple(tokens)) for place, tokens in places.items()},
    }


#: What a value does to the bits: those that it switches on, and those that are on while the key is
#: missing and off with this value.
_Switched = tuple[int, int]
_NOTHING: _Switched = (0, 0)


class _Place:
    """The tokens at one place, ready to be tested."""

    def __init__(
        self, name: str, tokens: tuple[tuple[Any, bool, Bits, bool, bool], ...], coerce: Coerce
    ) -> None:
        outer, dot, inner = name.partition(".")
        listed = outer.removesuffix("[]")
        #: Where such a value may stand (the index does not matter to what it is turned into).
        self.path = (listed, *((0,) if listed != outer else ()), *((inner,) if dot else ()))
        self._tokens: list[tuple[Callable[[Any], bool], int, int]] = []
        #: The bits of tokens that hold without a value.
        self.absent = 0
        self._unseen = 0
        for tests, wanted, bits, holds_when_absent, asks_for_kind in tokens:
            mask = 0
            for bit in bits:
                mask |= 1 << bit
            if not asks_for_kind:
                self._unseen |= mask
            absent = mask if holds_when_absent else 0
            self.absent |= absent
            self._tokens.append((tester(tests, wanted), mask, absent))
        #: Whether all texts are alike to the tokens, except for the empty one.
        self.by_kind = not self._unseen and all(coerce(self.path, t) == t for t in _CONVERTIBLE)
        if self.by_kind:
            self.nothing, self.something = self.switched("", ""), self.switched("x", "x")

    def switched(self, value: Any, coerced: Any) -> _Switched:
        """What a scalar does, as it is written and as the framework takes it."""
        on = off = 0
        same = coerced is value
        for test, mask, absent in self._tokens:
            if test(value) or (not same and test(coerced)):
                on |= mask
            else:
                off |= absent
        # Of the tokens of a set, one is enough.
        return on, off & ~on

    def of_collection(self, stand_in: Any) -> _Switched:
        """The same for a list or a mapping of which only the kind is examined."""
        on, off = self.switched(stand_in, stand_in)
        on |= self._unseen
        return on, off & ~on


class Lookup:
    """Finds the numbers whose necessary tokens a file has.

    Args:
        coerce: what the framework makes of a scalar at a path; tokens may be about either value.
    """

    def __init__(
        self,
        coerce: Coerce,
        *,
        width: int,
        planes: int,
        always: int,
        places: dict[str, bytes],
    ) -> None:
        self._coerce = coerce
        self._width = width
        self._planes = planes
        self._always = always
        self._places = places
        self._ready: dict[str, _Place] = {}
        self._inner = {place.partition(".")[0] for place in places if "." in place}
        #: List -> key of its items -> the bits that an item without it switches on.
        self._absent: dict[str, dict[str, int]] = {}
        #: Place, type and value of a scalar (of a collection, whether it is empty) -> what it does.
        self._known: dict[tuple[Any, type, Any], _Switched] = {}

    def found(self, document: Document) -> int:
        """One bit for each number whose necessary tokens a document has."""
        on, off = self._always, 0
        known = self._known
        for name, entry in document.root.lookup.items():
            node = entry.value
            if type(node) is not Scalar:
                node = node.target()
            if type(node) is Scalar:
                # 1, 1.0 and true are one value here; no token tells them apart but by their type.
                seen = (name, type(node.value), node.value)
                switched = known.get(seen)
                if switched is None:
                    switched = self._remember(seen)
                on |= switched[0]
                off |= switched[1]
            elif type(name) is str:
                switched = self._of_collection(name, node)
                on |= switched[0] | self._of_inner(name, node)
                off |= switched[1]
        return self._laid_over(on & ~off)

    @property
    def everything(self) -> int:
        """A bit for each number."""
        return (1 << self._width) - 1

    def _laid_over(self, on: int) -> int:
        found = on & self.everything
        for _ in range(self._planes - 1):
            on >>= self._width
            found &= on
        return found

    def _remember(self, seen: tuple[Any, type, Any]) -> _Switched:
        name, kind, value = seen
        place = self._place(name)
        if place is None:
            switched = _NOTHING
        elif place.by_kind and kind is str:
            # Paths and names: of no two files the same, and nobody asks for more than whether.
            return place.nothing if not value else place.something
        else:
            switched = place.switched(value, self._coerce(place.path, value))
        if len(self._known) >= _MAX_REMEMBERED:
            self._known.clear()
        self._known[seen] = switched
        return switched

    def _place(self, name: Any) -> _Place | None:
        place = self._ready.get(name)
        if place is None and type(name) is str and name in self._places:
            place = self._ready[name] = _Place(name, unpack(self._places[name]), self._coerce)
        return place

    def _of_collection(self, name: str, node: Node) -> _Switched:
        place = self._place(name)
        if place is None:
            return _NOTHING
        stand_in: Any
        if type(node) is Mapping:
            stand_in = {"": None} if node.entries else {}
        else:
            stand_in = [None] if type(node) is SequenceNode and node.items else []
        seen = (name, type(node), bool(stand_in))
        switched = self._known.get(seen)
        if switched is None:
            switched = self._known[seen] = place.of_collection(stand_in)
        return switched

    def _of_inner(self, name: str, node: Node) -> int:
        """The bits that the keys below a key switch on."""
        if type(node) is Mapping:
            return self._of_keys(name, node) if name in self._inner else 0
        on = 0
        if f"{name}[]" in self._inner and type(node) is SequenceNode:
            absent = self._absent_in(f"{name}[]")
            for item in node.items:
                target = item.target()
                written: Any = ()
                if type(target) is Mapping:
                    on |= self._of_keys(f"{name}[]", target)
                    written = target.lookup
                for key, bits in absent.items():
                    if key not in written:
                        on |= bits
        return on

    def _absent_in(self, prefix: str) -> dict[str, int]:
        found = self._absent.get(prefix)
        if found is None:
            found = self._absent[prefix] = {}
            for name in self._places:
                outer, _, key = name.partition(".")
                if outer == prefix and (place := self._place(name)) is not None and place.absent:
                    found[key] = place.absent
        return found

    def _of_keys(self, prefix: str, node: Mapping) -> int:
        on = 0
        known = self._known
        for key, entry in node.lookup.items():
            if type(key) is not str:
                continue
            place = f"{prefix}.{key}"
            value = entry.value.target()
            if type(value) is Scalar:
                seen = (place, type(value.value), value.value)
                on |= (known.get(seen) or self._remember(seen))[0]
            else:
                on |= self._of_collection(place, value)[0]
        return on


def numbers(bits: int) -> Iterator[int]:
    """The numbers of the bits that are on, in ascending order."""
    # Faster in digits than in arithmetic on integers of this size.
    digits = bin(bits)[:1:-1]
    number = digits.find("1")
    while number >= 0:
        yield number
        number = digits.find("1", number + 1)
