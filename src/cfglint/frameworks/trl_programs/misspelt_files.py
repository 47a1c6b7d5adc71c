"""Configs that a program opens, or that its command names, and that are not there while one of almost the same name is."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from itertools import islice

from cfglint.base.spelling import is_one_slip
from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.checks.launcher_options import lines_of
from cfglint.diagnostic import OtherFile
from cfglint.environment.project_texts import every_text
from cfglint.environment.python_sources import project_root
from cfglint.environment.surroundings import Surroundings
from cfglint.runs.starts.start import Start, option_in
from cfglint.source.files.nearby import search
from cfglint.source.python_names import Names, last_name
from cfglint.source.python_program import program_of
from cfglint.source.text import SourceText, Span

_ENDS: Final = (".yaml", ".yml", ".json")
#: What reads the file of its first argument.
_READING: Final = frozenset({"open", "load"})
#: Keywords that are given the path of a file.
_KEYWORDS: Final = frozenset({"deepspeed", "config", "config_params", "deepspeed_config"})
#: Options of launchers and programs that are.
_OPTIONS: Final = ("config_file", "config", "deepspeed", "deepspeed_config")
#: A program that looks whether there is a file may do without it.
_LOOKING: Final = ("exists(", "isfile(", "is_file(", "FileNotFoundError", "OSError")
_LONGEST: Final = 200
_MAX_FOUND: Final = 10
#: A larger folder is of data.
_MAX_NAMES: Final = 500


def misspelt_file(ctx: CheckContext) -> Iterator[Hit]:
    """`open("configs/sft.ymal")` beside `configs/sft.yaml`."""
    folder = ctx.around.folder
    if folder is not None and not ctx.around.left:
        yield from islice(_slips(ctx, folder), _MAX_FOUND)


def _slips(ctx: CheckContext, folder: str) -> Iterator[Hit]:
    around, text = ctx.around, ctx.document.text
    for written, span in _opened(text):
        if meant := _meant(written, folder, around, text):
            yield Hit((), span, {"file": written, "meant": meant})
    for line, script in lines_of(ctx):
        for written, span in _named_in(line):
            if meant := _meant(written, folder, around, script):
                file = OtherFile(line.path, SourceText(script))
                yield Hit((), span, {"file": written, "meant": meant}, file=file)


def _opened(text: str) -> Iterator[tuple[str, Span]]:
    """The paths that a program opens to read, with their places."""
    program = program_of(text)
    if program.tree is None or any(one in text for one in _LOOKING):
        return
    for call in program.names.calls:
        for node in _paths(call, program.names):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value, program.span_of(node)


def _paths(call: ast.Call, names: Names) -> Iterator[ast.expr]:
    """What a call is given as the path of a file that it reads."""
    if last_name(call.func) in _READING and call.args and _reads(call):
        yield names.expression(call.args[0], call)
    for keyword in call.keywords:
        if keyword.arg in _KEYWORDS:
            yield names.expression(keyword.value, call)


def _reads(call: ast.Call) -> bool:
    """Whether a call of `open` does not write."""
    modes = [*call.args[1:2], *(one.value for one in call.keywords if one.arg == "mode")]
    return all(
        isinstance(one, ast.Constant) and str(one.value).startswith("r")
        for one in modes
        if last_name(call.func) == "open"
    )


def _named_in(line: Start) -> Iterator[tuple[str, Span]]:
    """The paths that a command has for options which are given some, with their places."""
    for words in (line.before, line.words):
        for option in _OPTIONS:
            word = option_in(words, (option,))
            if word is not None and not word.open:
                yield word.text, word.span


def _meant(written: str, folder: str, around: Surroundings, text: str) -> str:
    """The file of the project that a path which leads nowhere is a slip for; empty without one."""
    name = written.rpartition("/")[2]
    if len(written) > _LONGEST or os.path.isabs(written):
        return ""
    if "." not in name[1:] or "\\" in written or any(sign in written for sign in "$*{~:\0"):
        return ""
    if text.count(name) != 1:
        return ""  # it may be written before it is read
    places = search(written, folder, around.files)
    if places.found or places.missing_in is None or not places.in_repository:
        return ""
    try:
        names = around.files.names(places.missing_in)
    except OSError:
        return ""
    if len(names) > _MAX_NAMES:
        return ""
    close = [one for one in names if one.endswith(_ENDS) and is_one_slip(name, one)]
    if len(close) != 1 or _is_elsewhere(name, text, around, folder):
        return ""
    return written.removesuffix(name) + close.pop()


def _is_elsewhere(name: str, text: str, around: Surroundings, folder: str) -> bool:
    """Whether another file of the project has a name, so that something may make the file."""
    return any(
        other is None or (name in other and other != text)
        for _, other in every_text(around, project_root(around, folder))
    )


CHECKS = {"misspelt-file": misspelt_file}
