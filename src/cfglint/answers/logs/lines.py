"""The lines of a log as they were meant: without colors, progress bars and the marks of ranks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cfglint.answers.logs.parts import LogPart
from cfglint.base.record import Record

#: A longer line is cut.
_MAX_LINE = 4_000
_COLORS = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[@-Z\\-_])")
#: `[rank3]: …` of torch, `[default3]:…` of torchrun, `3: …` of srun, `(worker pid=12) …` of Ray.
_RANK = re.compile(
    r"(?:\[(?:rank(?P<torch>\d{1,5})|default(?P<local>\d{1,5}))\]:? ?"
    r"|(?P<slurm>\d{1,5}): (?=\s|Traceback|[\w.]+(?:Error|Exception):)"
    r"|\((?:[\w.]+ )?pid=(?P<ray>\d{1,9})(?:, ip=[\d.]+)?\) ?)"
)
#: `ERROR 08-29 10:18:10 [core.py:459] …` of vLLM, which logs the tracebacks of its processes line by line.
_LOGGED = re.compile(
    r"(?:\([\w.]{1,60} pid=\d{1,9}\) )?"
    r"(?:ERROR|CRITICAL) \d\d-\d\d \d\d:\d\d:\d\d \[?[\w./]{1,100}:\d{1,7}\] "
)
#: The frame that rich draws around a traceback.
_BOX = re.compile(r"^[│╭╰╮╯─┃┏┗ ]*[│╭╰┃┏┗][─━ ]?|(?<! )[ ]*[│╮╯┃┓┛][ ]*$")
#: Notebooks in a browser make links of the files of a traceback, and pages keep those.
_LINK = re.compile(r"\[([^\[\]\n]{1,400})\]\((?:https?|file|vscode[\w-]{0,40}):[^()\s]{0,2000}\)")
_BOX_CHARS = frozenset("│╭╰╮╯┃┏┗┓┛")


#: What a mark is the number of, where that is no rank of the run: torchrun counts on each machine.
_OTHERS = {"local": "local rank", "ray": "process"}


class LogLine(Record):
    """One line of a log."""

    #: Its number, from 1.
    number: int
    #: The rank that printed it, or words for another process (`process 43`); empty where that is not marked.
    rank: str
    text: str


def lines(parts: Iterable[LogPart]) -> Iterator[LogLine]:
    """The lines of the parts of a log."""
    for part in parts:
        for number, raw in enumerate(part.text.split(b"\n"), part.line):
            shown = raw.rstrip(b"\r").rpartition(b"\r")[2]  # a progress bar is drawn over itself
            text = shown[: 2 * _MAX_LINE].decode("utf-8", "replace")[:_MAX_LINE]
            if "\x1b" in text:
                text = _COLORS.sub("", text)
            rank = ""
            mark = _RANK.match(text)
            if mark is not None:
                kind = mark.lastgroup or ""
                rank = f"{_OTHERS[kind]} {mark[kind]}" if kind in _OTHERS else mark[kind]
                text = text[mark.end() :]
            logged = _LOGGED.match(text)
            if logged is not None:
                text = text[logged.end() :]
            if "](" in text:
                text = _LINK.sub(r"\1", text)
            if not _BOX_CHARS.isdisjoint(text):
                text = _BOX.sub("", text)
            yield LogLine(number, rank, text)
