"""Options of a command that the program which it starts does not have: its parser refuses them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.base.spelling import Speller
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import OtherFile
from cfglint.environment.project_texts import starting_texts
from cfglint.environment.python_sources import named_by, project_root, python_sources
from cfglint.source.files.scripts import PAGES
from cfglint.source.languages.shell import script_of
from cfglint.source.python_options import literal_options
from cfglint.source.python_program import program_of
from cfglint.source.shell_values import ExpandedWord, ShellVariables
from cfglint.source.text import SourceText, Span

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings

#: What starts a program by its file.
_STARTING: Final = frozenset({"python", "python3", "torchrun", "deepspeed", "accelerate"})
#: An option by its name, or the name and a value.
_OPTION = lazy_pattern(r"(--[A-Za-z][\w-]{0,60})(?:=|\Z)")
#: What a program may hand its parser to, and the options that it adds.
_ADDING: Final = {
    "add_config_arguments": (
        *("--deepspeed", "--deepspeed_config", "--deepscale", "--deepscale_config"),
    ),
}
_PROGRAMS: Final = (".py", ".ipynb")
#: So many options of the command have to be the program's: it may be another one of the name.
_LEAST: Final = 3
_MAX_FOUND: Final = 10
#: No program has as many options, and no command as many words.
_MANY: Final = 2_000


def option_not_in_program(ctx: CheckContext) -> Iterator[Hit]:
    """`python train.py --gamma 0.9 …`, and the parser of `train.py` has no `--gamma`."""
    around = ctx.around
    program = program_of(ctx.document.text)
    if around.folder is None or around.left or program.tree is None or program.pieces:
        return
    known = literal_options(program, _ADDING)
    if known is not None and len(known) <= _MANY:
        yield from islice(_found(known, project_root(around, around.folder), around), _MAX_FOUND)


def _found(known: frozenset[str], root: str, around: Surroundings) -> Iterator[Hit]:
    path, project = os.path.abspath(around.path), around.project
    name = os.path.basename(path)
    sources = {*python_sources(around, root), path}
    for script, text in starting_texts(around, root):
        if text is None or name not in text or script.endswith((*PAGES, *_PROGRAMS)):
            continue
        if project is not None and not project.may_start(script):
            continue
        for words in _commands(script, text, around):
            place = _program_at(words, name)
            if place is None or not _is_only(words[place].text, path, sources):
                continue
            for one in _unknown(words[place + 1 :], known):
                params = {"option": one.text.partition("=")[0], "program": name, "hint": ""}
                guess = Speller(sorted(known)).closest(params["option"])
                if guess is not None and guess.sure:
                    params["hint"] = f" Did you mean `{guess.name}`?"
                span = Span(one.start, min(one.end, one.start + len(params["option"])))
                yield Hit((), span, params, file=OtherFile(script, SourceText(text)))


def _commands(script: str, text: str, around: Surroundings) -> list[Sequence[ExpandedWord]]:
    """The words of the commands of a script, which several programs may ask for."""

    def look() -> list[Sequence[ExpandedWord]]:
        shell = script_of(text)
        variables = ShellVariables(shell, text)
        return [variables.expanded(one) for one in shell.statements]

    return around.memory.once(("commands of", script), look)


def _program_at(words: Sequence[ExpandedWord], name: str) -> int | None:
    """The place of a program of some name in a command that starts it."""
    starts = False
    for place, word in enumerate(words):
        last = word.text.rpartition("/")[2]
        starts = starts or last in _STARTING
        if last.endswith(".py"):
            is_plain = not word.open and not word.many and word.origin is None
            return place if starts and last == name and is_plain else None
    return None


def _is_only(written: str, path: str, sources: set[str]) -> bool:
    """Whether no other file of the project is what a command names."""
    return named_by(written, sources) == [path]


def _unknown(words: Sequence[ExpandedWord], known: frozenset[str]) -> list[ExpandedWord]:
    """The options among the words of a command that a program does not have, if most of them are the program's."""
    if len(words) > _MANY or any(word.text == "--" for word in words):
        return []
    missing: dict[str, ExpandedWord] = {}
    there = 0
    for word in words:
        option = _OPTION.match(word.text)
        if option is None:
            continue
        # A beginning that several options have is refused as well, in other words.
        if option[1] in known or any(one.startswith(option[1]) for one in known):
            there += 1
        elif word.origin is None and not word.many:
            missing.setdefault(option[1], word)
    return list(missing.values()) if there >= max(_LEAST, 2 * len(missing)) else []


CHECKS = {"option-not-in-program": option_not_in_program}
