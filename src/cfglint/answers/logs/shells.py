"""What shells print of a command that they do not find: one that starts runs, or options that a line cut off."""

from __future__ import annotations

import re
from functools import cache

from cfglint.knowledge import compiled

#: The end of each message, whichever shell it is of, and in which language.
NOT_FOUND = ": command not found"
#: An option at the beginning of a line, with Windows line endings at its end, or an override of Hydra.
_OPTION = r"--[A-Za-z][\w.-]{0,100}(?:=\S{0,400}?)?|\$'[^'\s]{0,400}\\r'"
_OVERRIDE = r"\+{0,2}[A-Za-z_]\w{0,100}(?:\.\w{1,100}){1,12}=\S{0,400}?"
_MARKS = ("not found", "未找到命令", "No such file or directory", "is not recognized as ")
#: A longer line is no message of a shell.
_MAX_LINE = 1_000


def not_found(text: str) -> str:
    """What a line says of a command that starts runs, or of options, in the words of bash; empty for another line.

    An override of Hydra is marked as one, since any other text may have an equals sign.
    """
    if len(text) > _MAX_LINE or not any(mark in text for mark in _MARKS):
        return ""
    found = next(filter(None, (pattern.search(text) for pattern in _patterns())), None)
    if found is None:
        return ""
    parts = found.groupdict()
    word = f"override {parts['word']}" if parts.get("override") else parts["word"]
    place = (parts.get("place") or "").removeprefix(": ")
    return f"{place}: {word}{NOT_FOUND}" if place else f"{word}{NOT_FOUND}"


def is_cut(message: str) -> bool:
    """Whether such a message is about options, which were cut off from the command above them."""
    if not message.endswith(NOT_FOUND):
        return False
    return any(mark in message for mark in (": --", ": override ", ": $'"))


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """What finds the messages of the shells."""
    starter = "|".join(map(re.escape, _starters()))
    word = rf"(?P<word>{starter}|{_OPTION}|(?P<override>{_OVERRIDE}))"
    path = rf"(?P<word>--[A-Za-z][\w.-]{{0,100}}=\S{{0,400}}?|(?P<override>{_OVERRIDE}))"
    script = r"[\w./-]{1,200}"
    return tuple(
        map(
            re.compile,
            (
                # `run.sh: line 3: python: command not found` of bash, also behind what a program puts before it.
                rf"(?P<place>^-?{script}|: (?:line|行) ?\d{{1,6}}|: 第 ?\d{{1,6}} ?行)[:\uff1a] ?"
                rf"{word}[:\uff1a] ?(?:command not found|未找到命令)\s*$",
                # It tries a word with a slash as a path.
                rf"(?P<place>: line \d{{1,6}}): {path}: No such file or directory\s*$",
                # `/bin/sh: 1: python: not found` of dash.
                rf"(?P<place>^{script}: \d{{1,6}}): {word}: not found\s*$",
                # `zsh: command not found: python`
                rf"(?P<place>^{script}(?::\d{{1,6}})?): command not found: {word}\s*$",
                rf"^nohup: failed to run command ['\u2018](?P<word>{starter})['\u2019]: No such file",
                rf"^'(?P<word>{starter})' is not recognized as an internal or external command",
                rf"^(?P<word>{starter}) ?: The term '[\w-]{{1,40}}' is not recognized as ",
            ),
        )
    )


def _starters() -> list[str]:
    """The commands that an end has such a message of; that another one is missing is mostly no end of a run."""
    texts = {
        text for row in compiled.load("symptoms").ENDS for symptom in row[-1] for text in symptom
    }
    words = (text.removesuffix(NOT_FOUND) for text in texts if text.endswith(NOT_FOUND))
    return sorted(word for word in words if re.fullmatch(r"[\w-]{1,40}", word))
