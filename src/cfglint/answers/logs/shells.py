"""What shells print of a command that they do not find: one that starts runs, or options that a line cut off."""

from __future__ import annotations

import re

#: The end of each message, whichever shell it is of, and in which language.
NOT_FOUND = ": command not found"
#: What starts runs; that another command is missing is mostly no end of a run.
_STARTERS = "accelerate|torchrun|deepspeed|axolotl|llamafactory-cli|swift|megatron|trl|ray|python3?"
#: An option at the beginning of a line, with Windows line endings at its end, or an override of Hydra.
_OPTION = r"--[A-Za-z][\w.-]{0,100}(?:=\S{0,400}?)?|\$'[^'\s]{0,400}\\r'"
_OVERRIDE = r"\+{0,2}[A-Za-z_]\w{0,100}(?:\.\w{1,100}){1,12}=\S{0,400}?"
_WORD = rf"(?P<word>{_STARTERS}|{_OPTION}|(?P<override>{_OVERRIDE}))"
#: `run.sh: line 3: accelerate: command not found` of bash, also behind what a program puts before it.
_OF_BASH = re.compile(
    r"(?P<place>(?:^-?[\w./-]{1,200}|: (?:line|行) ?\d{1,6}|: 第 ?\d{1,6} ?行))[:\uff1a] ?"
    rf"{_WORD}[:\uff1a] ?(?:command not found|未找到命令)\s*$"
)
#: bash tries a word with a slash as a path; `/bin/sh: 1: accelerate: not found` is of dash.
_OF_PATHS = re.compile(rf"(?P<place>: line \d{{1,6}}): {_WORD}: No such file or directory\s*$")
_OF_DASH = re.compile(rf"(?P<place>^[\w./-]{{1,200}}: \d{{1,6}}): {_WORD}: not found\s*$")
_OF_ZSH = re.compile(
    rf"(?P<place>^[\w./-]{{1,200}}(?::\d{{1,6}})?): command not found: {_WORD}\s*$"
)
_OF_OTHERS = re.compile(
    rf"^(?P<place>nohup): failed to run command ['\u2018](?P<word>{_STARTERS})['\u2019]: No such file"
    rf"|^'(?P<windows>{_STARTERS})' is not recognized as an internal or external command"
    rf"|^(?P<powershell>{_STARTERS}) ?: The term '[\w-]{{1,40}}' is not recognized as "
)
_MARKS = ("not found", "未找到命令", "No such file or directory", "is not recognized as ")


def not_found(text: str) -> str:
    """What a line says of a command that starts runs, or of options, in the words of bash; empty for another line.

    An override of Hydra is marked as one, since any other text may have an equals sign.
    """
    if len(text) > 1_000 or not any(mark in text for mark in _MARKS):
        return ""
    for pattern in (_OF_BASH, _OF_PATHS, _OF_DASH, _OF_ZSH):
        found = pattern.search(text)
        if found is not None and (pattern is not _OF_PATHS or "=" in found["word"]):
            word = f"override {found['word']}" if found["override"] else found["word"]
            return f"{found['place'].removeprefix(': ')}: {word}{NOT_FOUND}"
    other = _OF_OTHERS.search(text)
    if other is None:
        return ""
    return f"{other['word'] or other['windows'] or other['powershell']}{NOT_FOUND}"


def is_cut(message: str) -> bool:
    """Whether such a message is about options, which were cut off from the command above them."""
    if not message.endswith(NOT_FOUND):
        return False
    return any(mark in message for mark in (": --", ": override ", ": $'"))
