"""Options beside a file that no class has which the started program fills: its parser refuses the command."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.base.spelling import Speller
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import OtherFile
from cfglint.environment.project_texts import text_of_script
from cfglint.frameworks.for_files import variant
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.table import KeyTable
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText, Span

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.source.languages.arguments import Arguments

_NAME: Final = lazy_pattern(r"--([A-Za-z_][\w-]{0,80})(?:=|$)")
#: A page shows commands of any release.
_PAGE: Final = ".md"
#: Options of the parsers themselves.
_OF_PARSER: Final = frozenset({"config", "help"})


def option_of_no_class(ctx: CheckContext) -> Iterator[Hit]:
    """`train.py --config sft.yaml --wandb_project mine`: what is in a file may be dropped, a word of the command is not."""
    lines = ctx.framework.launching.own_starts(ctx.around)
    if not lines:
        return
    # What parses programs is not loaded for a file that none is given.
    from cfglint.frameworks.trl.filled_classes import filled_by
    from cfglint.frameworks.trl.program_options import options_of_program

    for line in lines:
        filled = filled_by(line.program, ctx.around)
        options = options_of_program(line.program, ctx.target, ctx.around)
        if filled is None or options is None or line.path.endswith(_PAGE):
            continue
        file = None
        for word in line.words:
            match = None if word.open else _NAME.match(word.text)
            name = match[1] if match is not None else ""
            if not name or name in _OF_PARSER or options.fitting(name):
                continue
            if _may_be_known(name.replace("-", "_"), filled.kind, ctx.target):
                continue
            guess = _speller(options).closest(name)
            meant = "" if guess is None else _spelled_as(name, guess.name)
            hint = f" Did you mean `--{meant}`?" if meant else ""
            end = word.start + 2 + len(name)
            params = {"option": f"--{name}", "program": line.program.rpartition("/")[2]}
            file = file or OtherFile(line.path, SourceText(text_of_script(line.path, ctx.around)))
            span = Span(word.start, min(end, word.end))
            yield Hit((), span, {**params, "hint": hint}, file=file)


def _spelled_as(name: str, other: str) -> str:
    """Another option, with the signs between its words that a written one has: parsers take both."""
    return other.replace("-", "_") if "_" in name else other.replace("_", "-")


def _may_be_known(name: str, kind: str, target: Environment) -> bool:
    """Whether a release has an option that is not known to be another one than the run's, or another class of TRL."""
    name = name.removeprefix("no_")
    of_class = variant(load_framework("trl"), kind=kind, language="shell").keys
    if of_class.info("", name) is None:
        return KeyTable(compiled.load("trl_keys")).info("", name) is not None
    below = compiled.load("trl_below").PACKAGE
    stated = (target.pins.get(package) for package in (target.releases.package, below))
    return any(pin is None or pin.version is None for pin in stated)


@lru_cache(maxsize=4)
def _speller(options: Arguments) -> Speller:
    return Speller(options.table)


CHECKS = {"option-of-no-class": option_of_no_class}
