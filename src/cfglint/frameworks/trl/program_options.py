"""The options of a program of the project whose parser fills classes with them."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.environment.environment import Environment
from cfglint.frameworks.for_files import variant
from cfglint.frameworks.trl.filled_classes import Filled, filled_by
from cfglint.frameworks.trl.scripts import LISTS, ON, left_open
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.table import KeyTable
from cfglint.roles.class_options import options_of
from cfglint.roles.framework import load_framework
from cfglint.source.languages.arguments import Arguments

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings

_OPPOSITE: Final = "no_"
#: The two names of one field: a command that has one of them leaves the other unset.
_OF_TWO_NAMES: Final = frozenset({"eval_strategy", "evaluation_strategy"})


def options_of_program(program: str, target: Environment, around: Surroundings) -> Arguments | None:
    """The options of a program; None where it is not in the project, or fills a class that is not known.

    Args:
        program: the file or the module, as a command names it.
        target: the releases of the packages that have the classes.
    """
    filled = filled_by(program, around)
    if filled is None:
        return None
    return around.memory.once(
        ("options of a program", filled, target.release, tuple(target.pins.items())),
        lambda: _options(filled, target),
    )


def unset_of_program(program: str, around: Surroundings) -> frozenset[str]:
    """The fields that have the default of the released class where a command does not set them, whatever the program is.

    Args:
        program: the file or the module, as a command names it.
    """
    filled = filled_by(program, around)
    own = filled.fields.own_names if filled is not None else _OF_TWO_NAMES
    return frozenset() if own & _OF_TWO_NAMES else _OF_TWO_NAMES


def _options(filled: Filled, target: Environment) -> Arguments:
    framework = variant(load_framework("trl"), kind=filled.kind, language="shell")
    beside = Environment(framework.releases, target.pins, target.facts, as_of=target.as_of)
    keys = framework.key_policy.keys_in(beside)
    tables = [framework.keys]
    if len(filled.fields.described) > 1:
        # The tables of TRL's files have the fields of all its classes.
        tables.append(KeyTable(compiled.load("trl_keys")))
    nothing = left_open(filled.kind, keys)
    found = [
        options_of(table, keys, lists=LISTS, on=ON, nothing=nothing) for table in reversed(tables)
    ]
    arities = {name: arity for one in found for name, arity in one.table.items()}
    names = {name: key for one in found for name, key in one.keys.items()}
    off = {name for one in found for name in one.off}
    truths = {name for one in found for name in one.truths}
    for field in filled.fields.own:
        for name in _spelled(field.name):
            arities[name] = field.arity
            names[name] = field.name
            truths.discard(name)
            if field.is_truth:
                truths.add(name)
        if field.has_opposite:
            for name in _spelled(_OPPOSITE + field.name):
                arities[name] = "0"
                names[name] = field.name
                off.add(name)
    return Arguments(arities, names, frozenset(off), truths=frozenset(truths))


def _spelled(name: str) -> tuple[str, str]:
    return name, name.replace("_", "-")
