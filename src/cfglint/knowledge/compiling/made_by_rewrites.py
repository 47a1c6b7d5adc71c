"""Which keys can give another key its value by a derivation, so that no rule is looked up without success.

A rule for the `late` view may be about a value that the file does not have: `flash_attention:
true` makes an `attn_implementation`. So the tokens (`triggers`) that a rule needs grow by the
tokens of every derivation that may make them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from cfglint.knowledge.compiling.derivation_model import DerivationModel
from cfglint.knowledge.compiling.necessary import KeysBehind, necessary
from cfglint.knowledge.rules.conditions import parse_condition, parse_path
from cfglint.knowledge.rules.index.triggers import (
    Token,
    Tokens,
    has_value,
    is_true,
    written,
)

#: A value that is computed or taken from elsewhere.
_ANY = object()


class _Maker(NamedTuple):
    value: Any
    #: A file has one of these.
    tokens: Tokens


class Makers:
    """The derivations for the view of rules, by what they make."""

    def __init__(self, derivations: Iterable[DerivationModel], behind: KeysBehind) -> None:
        self._behind = behind
        self._makers: dict[str, list[_Maker]] = {}
        self._prefixes: dict[str, str] = {}
        #: A section -> the other name under which it may be written.
        self._sections: dict[str, str] = {}
        for part in derivations:
            if part.view != "effective":
                self._add(part)

    def _add(self, part: DerivationModel) -> None:
        for old, new in part.rename.items():
            for source, made in zip(_names(old, part), _names(new, part), strict=True):
                self._make(made, _Maker(_ANY, frozenset({has_value(source)})))
                if "." not in made:
                    self._sections[made] = source
        self._prefixes.update(part.strip_prefix)
        for path in part.convert:
            for made in _names(path, part):
                self._make(made, _Maker(_ANY, frozenset({written(made)})))
        if part.set:
            tokens = min(needed_by(part, self._behind), key=len)
            for path, value in part.set.items():
                made_value = _ANY if isinstance(value, dict) else value
                for made in _names(path, part):
                    self._make(made, _Maker(made_value, tokens))

    def _make(self, name: str, maker: _Maker) -> None:
        self._makers.setdefault(name, []).append(maker)
        outer, _, inner = name.partition(".")
        if inner and not outer.endswith("[]"):
            self._makers.setdefault(outer, []).append(maker._replace(value=_ANY))

    def expand(self, sets: Iterable[Tokens]) -> list[Tokens]:
        """Each set with the tokens of everything that may make one of it."""
        return [self._expanded(tokens) for tokens in sets]

    def _expanded(self, tokens: Tokens) -> Tokens:
        found: set[Token] = set()
        waiting = list(tokens)
        while waiting:
            token = waiting.pop()
            if token in found:
                continue
            found.add(token)
            name = token.place
            outer, _, inner = name.partition(".")
            prefix = self._prefixes.get(outer)
            if inner and prefix is not None and not inner.startswith(prefix):
                waiting.append(token._replace(place=f"{outer}.{prefix}{inner}"))
            if inner and outer in self._sections:
                waiting.append(has_value(self._sections[outer]))
            for maker in self._makers.get(name, ()):
                if maker.value is _ANY or token.is_passed_by(maker.value):
                    waiting.extend(maker.tokens)
            if outer.endswith("[]"):
                # The list itself may be made, with items.
                for maker in self._makers.get(outer.removesuffix("[]"), ()):
                    waiting.extend(maker.tokens)
        return frozenset(found)


def needed_by(part: DerivationModel, behind: KeysBehind) -> list[Tokens]:
    """Sets of tokens of each of which a file has one (by itself or made) for it to do anything.

    Raises:
        ValueError: it might be done in every file.
    """
    sets = necessary(parse_condition(part.when), behind) if part.when is not None else []
    if part.each:
        sets.append(frozenset(is_true(parse_path(path)[0]) for path in part.each))
    if part.set and not sets:
        raise ValueError(f"derivation {part.name}: no key is necessary for it; say view: effective")
    if not sets:
        paths = (*part.rename, *part.strip_prefix, *part.convert, *part.delete)
        sets.append(frozenset(written(path.partition(".")[0]) for path in paths))
    return sets


def _names(path: str, part: DerivationModel) -> list[str]:
    """What tokens call a path: its first two parts, for each list whose items `item` is."""
    parts = parse_path(path)
    if parts[0] == "item":
        return [".".join((f"{parse_path(each)[0]}[]", *parts[1:2])) for each in part.each]
    return [".".join(parts[:2])]
