"""The commands with which a launcher starts a program by its own settings file.

`launch --config_file X.yaml --num_processes 8 train.py …`: what the launcher's options say is laid over X.yaml,
whatever program it starts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.knowledge.marks import Launcher
from cfglint.runs.starts.commands import (
    NO_CONFIG,
    called_in,
    environment_of,
    exported,
)
from cfglint.runs.starts.launcher_options import behind_options
from cfglint.runs.starts.start import Start, Word, option_in
from cfglint.runs.starts.variables import variables_of

_MAX_STARTS = 50
#: What is between two words of a command, also of one that is a list of texts.
_BETWEEN = r"(?:[ \t]+|[\"'],[ \t\r\n]{0,80}[\"'])"
#: A word that is the value of a variable alone.
_WHOLE = lazy_pattern(r"\$(?:\{(\w{1,60})\}|(\w{1,60}))")
#: Of the words in a variable, further ones are left out.
_MAX_PARTS = 60


def read(path: str, text: str, launcher: Launcher) -> list[Start]:
    """The commands of a file that start something by a settings file of a launcher."""
    if not launcher.settings:
        return []
    return [one for one in read_all(path, text, launcher) if one.config.end]


def read_all(path: str, text: str, launcher: Launcher) -> list[Start]:
    """The commands of a file in which a launcher starts something; `config` is empty where none names its settings."""
    if not any(called.split()[0] in text for called in launcher.commands):
        return []
    variables = variables_of(text)
    called = "|".join(re.escape(one).replace(r"\ ", _BETWEEN) for one in launcher.commands)
    found: list[Start] = []
    matches = islice(re.finditer(rf"(?<![\w.-])(?:{called})(?![\w-])", text), _MAX_STARTS)
    for match, written in called_in(text, matches, variables):
        at = match.start()
        words = list(_split_variables(written, text, variables))
        outer = environment_of(
            [word for word in words if word.start < at], exported(text, variables)
        )
        found.append(_start(path, words, at, match.end(), launcher, outer))
    return found


def _split_variables(words: list[Word], text: str, variables: dict[str, str]) -> Iterator[Word]:
    """The words with those in place of a variable that has variables among its words: `torchrun $OPTIONS train.py`."""
    for word in words:
        name = _WHOLE.fullmatch(word.text) if word.open else None
        values = _settings_of(name[1] or name[2], text) if name is not None else []
        if len(values) != 1:
            yield word
            continue
        for part in values[0].replace("\\", " ").split()[:_MAX_PARTS]:
            inner = _WHOLE.fullmatch(part)
            value = variables.get(inner[1] or inner[2]) if inner is not None else None
            known = part if value is None else value
            yield Word(known, word.start, word.end, "$" in known or "`" in known)


def _settings_of(name: str, text: str) -> list[str]:
    """What a script sets a variable to, in quotes; several where it sets or extends it several times."""
    found = re.finditer(rf"(?m)^[ \t]*(?:export[ \t]+)?{re.escape(name)}\+?=(\S?)", text)
    values = []
    for match in islice(found, _MAX_STARTS):
        quote = match[1]
        end = text.find(quote, match.end()) if quote in ('"', "'") else -1
        values.append(text[match.end() : end] if end >= 0 else "")
    return values if all(values) else ["", ""]


def _start(
    path: str,
    words: list[Word],
    at: int,
    end: int,
    launcher: Launcher,
    environment: tuple[tuple[str, str], ...],
) -> Start:
    """The start that a command of a launcher is."""
    own, rest = _divided([word for word in words if word.start >= end], launcher)
    config = option_in(own, (launcher.settings,)) if launcher.settings else None
    return Start(
        path=path,
        program=rest[0].text if rest else "",
        at=at,
        command="launch",
        trains=True,
        own=False,
        launcher=launcher.name,
        before=own,
        words=rest[1:],
        handed=(),
        config=config if config is not None else NO_CONFIG,
        environment=environment,
        copied=False,
    )


def _divided(words: list[Word], launcher: Launcher) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """(a launcher's options with their values, the program that it starts with its arguments)."""
    place = behind_options([word.text for word in words], launcher)
    return tuple(words[:place]), tuple(words[place:])
