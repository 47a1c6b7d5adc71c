"""Looks up what to try on a file: the rules and rewrites of which it has all that is necessary.

What is necessary are sets of tokens (`triggers`), and a file has one of each set. Each set is one bit
of a large integer: the first sets of all rules are side by side in the lowest plane, their second
sets in the next one, and so on. The keys of a file switch bits on; the planes laid over each other
(`&`) leave one bit for each rule all of whose sets are on. Tokens are tested once for each value of
a key, however many rules ask and however many files have it.

Without it every rule is tried on every file: a third more for one file, twice the time for many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cfglint.base.logic import UNKNOWN
from cfglint.base.packing import pack, unpack
from cfglint.base.record import Remembered
from cfglint.base.type_names import Any
from cfglint.knowledge.rules.index.triggers import Tests, Tokens
from cfglint.knowledge.rules.predicates import bound
from cfglint.source.document import Document, Mapping, Scalar
from cfglint.source.document import Sequence as SequenceNode

#: More sets of a rule than this tell next to nothing, and make every integer longer.
_MAX_PLANES = 6

Coerce = Callable[[tuple[str | int, ...], Any], Any]


def plan(needed: Sequence[list[Tokens] | None]) -> dict[str, Any]:
    """The tables for a `Lookup`.

    Args:
        needed: by number, the sets of tokens that are necessary; with none it is always found,
            with None never.
    """
    width = len(needed)
    unique = [
        None if sets is None else sorted(dict.fromkeys(sets), key=len)[:_MAX_PLANES]
        for sets in needed
    ]
    planes = max([1, *(len(sets) for sets in unique if sets is not None)])
    always = 0
    places: dict[str, dict[Tests, list[int]]] = {}
    for number, sets in enumerate(unique):
        if sets is None:
            continue
        for plane in range(planes):
            bit = plane * width + number
            if plane >= len(sets):
                always |= 1 << bit
                continue
            for place, tests in sorted(sets[plane], key=repr):
                places.setdefault(place, {}).setdefault(tests, []).append(bit)
    return {
        "width": width,
        "planes": planes,
        "always": always,
        "places": {place: pack(tuple(places[place].items())) for place in sorted(places)},
    }


class _Place:
    """The tokens at one place, ready to be tested."""

    def __init__(self, name: str, tokens: tuple[tuple[Tests, list[int]], ...]) -> None:
        outer, dot, inner = name.partition(".")
        listed = outer.removesuffix("[]")
        #: Such a path. (The index does not matter to what a value is turned into.)
        self.path = (listed, *((0,) if listed != outer else ()), *((inner,) if dot else ()))
        #: The bits of all tokens: of a list or a mapping only its key is looked at.
        self.all = 0
        self._tokens: list[tuple[list[Callable[[Any], bool]], int]] = []
        for tests, bits in tokens:
            mask = 0
            for bit in bits:
                mask |= 1 << bit
            self.all |= mask
            self._tokens.append(([bound(*test) for test in tests], mask))

    def switched(self, value: Any) -> int:
        """The bits of the tokens that a scalar passes."""
        on = 0
        for tests, mask in self._tokens:
            for test in tests:
                if not test(value):
                    break
            else:
                on |= mask
        return on


class Lookup:
    """Finds the numbers whose necessary tokens a file has.

    Args:
        coerce: what the framework makes of a scalar at a path; tokens may be about either value.
    """

    def __init__(
        self, coerce: Coerce, *, width: int, planes: int, always: int, places: dict[str, bytes]
    ) -> None:
        self._coerce = coerce
        self._width = width
        self._planes = planes
        self._always = always
        self._places = places
        self._ready: dict[str, _Place] = {}
        #: The keys that have places below them, as `key` or `key[]`.
        self._outer = {place.partition(".")[0] for place in places if "." in place}
        #: Place, type and value of a scalar -> the bits that it switches on.
        self._known: Remembered[tuple[str, type, Any], int] = Remembered()

    def found(self, document: Document) -> int:
        """One bit for each number whose necessary tokens a document has."""
        on = self._always | self._of_keys("", document.root)
        found = on & ((1 << self._width) - 1)
        for _ in range(self._planes - 1):
            on >>= self._width
            found &= on
        return found

    def _of_keys(self, prefix: str, mapping: Mapping) -> int:
        """The bits that the keys of a mapping switch on, and those of the mappings below it."""
        on = 0
        places, known, outer = self._places, self._known, self._outer
        for name, entry in mapping.lookup.items():
            if type(name) is not str:
                continue
            place = prefix + name
            node = entry.value.target()
            if place in places:
                if type(node) is Scalar and node.value is not UNKNOWN:
                    # 1, 1.0 and true are equal.
                    seen = (place, type(node.value), node.value)
                    bits = known.get(seen)
                    on |= self._of_value(seen) if bits is None else bits
                else:
                    on |= self._place(place).all
            if type(node) is Mapping:
                if place in outer:
                    on |= self._of_keys(f"{place}.", node)
            elif type(node) is SequenceNode and f"{place}[]" in outer:
                for item in [item.target() for item in node.items]:
                    if type(item) is Mapping:
                        on |= self._of_keys(f"{place}[].", item)
        return on

    def _of_value(self, seen: tuple[str, type, Any]) -> int:
        name, _, value = seen
        place = self._place(name)
        coerced = self._coerce(place.path, value)
        return self._known.keep(seen, place.switched(value) | place.switched(coerced))

    def _place(self, name: str) -> _Place:
        place = self._ready.get(name)
        if place is None:
            place = self._ready[name] = _Place(name, unpack(self._places[name]))
        return place


def numbers(bits: int) -> Iterator[int]:
    """The numbers of the bits that are on, in ascending order."""
    # Faster in digits than in arithmetic on integers of this size.
    digits = bin(bits)[:1:-1]
    number = digits.find("1")
    while number >= 0:
        yield number
        number = digits.find("1", number + 1)
