"""The options of a check: one table for the command's help and for reading the usual command lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any, Literal

from cfglint.diagnostic import CONFIDENCES, SEVERITIES, SEVERITY_ALIASES
from cfglint.record import Record

FORMATS = ("text", "concise", "json", "github", "markdown", "sarif", "gitlab", "junit")


class Option(Record):
    """One option of `cfglint check`."""

    flag: str
    #: What follows it: nothing, a text, a list that may be repeated, texts that are repeated, a
    #: number from 1, one of `choices`, a path to read from, files to write reports to.
    kind: Literal["flag", "text", "list", "texts", "count", "choice", "path", "reports"]
    #: `{example}` stands for a version of a framework.
    help: str
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    #: Other names of some choices.
    aliases: Mapping[str, str] = {}
    default: str | None = None

    @property
    def name(self) -> str:
        """What it is called among the options that a check gets."""
        return "format_" if self.flag == "--format" else self.flag[2:].replace("-", "_")

    def unset(self) -> Any:
        """Its value when it is not given."""
        return {"flag": False, "list": (), "texts": (), "reports": ()}.get(self.kind, self.default)


OPTIONS = (
    Option("--fix", "flag", "Repair what can be repaired safely."),
    Option(
        "--unsafe-fixes",
        "flag",
        "Offer also the repairs that a person should look at; writes nothing without --fix.",
    ),
    Option("--diff", "flag", "Print the repairs as a patch; change no file."),
    Option("--show-fixes", "flag", "List the repairs that were made."),
    Option(
        "--add-ignores",
        "flag",
        "Write comments that silence what is found, with a reason for you to fill in.",
    ),
    Option(
        "--target",
        "list",
        "A version the file will meet, such as {example}, or `installed`. May be repeated.",
        "PACKAGE==VERSION",
    ),
    Option(
        "--sweep",
        "path",
        "Check each config also with every combination of this sweep file.",
        "FILE",
    ),
    Option("--gpus", "count", "GPUs of the run, over all nodes.", "N"),
    Option("--gpu", "text", "Their kind, such as h100, or sm_90:96GB if it is not known.", "NAME"),
    Option("--select", "list", "Use only these rules (codes, prefixes of codes, names).", "CODES"),
    Option("--ignore", "list", "Leave these rules out.", "CODES"),
    Option(
        "--per-file-ignores",
        "texts",
        "Leave rules out for files that a pattern names, such as 'archive/:KEY'. May be repeated.",
        "PATTERN:CODES",
    ),
    Option(
        "--severity",
        "texts",
        "What findings of a rule are, such as KEY001=warning. May be repeated.",
        "CODE=SEVERITY",
    ),
    Option(
        "--fail-on",
        "choice",
        "The least severe finding that makes the exit code 1. [default: error]",
        choices=(*SEVERITIES, "never"),
        aliases=SEVERITY_ALIASES,
    ),
    Option("--exit-zero", "flag", "Exit with 0 unless something could not be checked."),
    Option(
        "--min-confidence",
        "choice",
        "The least sure finding that is told. [default: low, and medium for notes]",
        choices=CONFIDENCES,
    ),
    Option("--format", "choice", "How findings are printed.", choices=FORMATS, default="text"),
    Option("--verbose", "flag", "Tell notes, and all places of a finding, in full (text)."),
    Option("--quiet", "flag", "Print the summary alone (text)."),
    Option(
        "--output",
        "reports",
        "Write the report to a file; with FORMAT: another one beside it. May be repeated.",
        "[FORMAT:]FILE",
    ),
    Option("--baseline", "path", "Tell only findings that this file does not know.", "FILE"),
    Option(
        "--write-baseline",
        "flag",
        "Make all findings known: write them to the baseline. [default: .cfglint-baseline.json]",
    ),
    Option(
        "--changed-since",
        "text",
        "Look only at files that differ from a commit, and at those that name them.",
        "REF",
    ),
    Option("--statistics", "flag", "Count the findings of each rule instead of listing them."),
    Option("--config", "path", "Use this settings file.", "FILE"),
    Option("--isolated", "flag", "Use no settings file and nothing of the project around."),
    Option(
        "--detect",
        "flag",
        "Check named files, too, only when their content is a training config. An argument that is"
        " the name of a file is one, even when it begins with a dash.",
    ),
    Option(
        "--stdin-filename",
        "text",
        "What standard input (`-`) is called in reports and for finding settings.",
        "PATH",
        default="-",
    ),
    Option(
        "--color",
        "choice",
        "Colour the text report.",
        choices=("auto", "always", "never"),
        default="auto",
    ),
)
_BY_FLAG = {option.flag: option for option in OPTIONS}


def split_list(values: tuple[str, ...]) -> tuple[str, ...]:
    """The values of a list option: it may be repeated, and hold several between commas."""
    return tuple(part for text in values for part in text.replace(",", " ").split())


def read(arguments: list[str]) -> tuple[tuple[str, ...], dict[str, Any]] | None:
    """The paths and options of a usual command line; None for what click has to look at.

    That is everything wrong, and everything rare: to import click takes as long as to check three
    files. What is read here has the meaning that click gives it.
    """
    if "_CFGLINT_COMPLETE" in os.environ or sys.platform == "win32":
        # Completion is click's, and so is the expansion of patterns where no shell does it.
        return None
    paths: list[str] = []
    found: dict[str, Any] = {option.name: option.unset() for option in OPTIONS}
    waiting = list(reversed(arguments))
    while waiting:
        argument = waiting.pop()
        if argument == "-" or argument[:1] not in ("-", ""):
            paths.append(argument)
            continue
        flag, equals, value = argument.partition("=")
        option = _BY_FLAG.get(flag)
        if option is None or (option.kind == "flag" and equals):
            return None
        if option.kind == "flag":
            found[option.name] = True
            continue
        if not equals:
            value = waiting.pop() if waiting else ""
        value = option.aliases.get(value, value)
        if not _is_usual(option, value):
            return None
        if option.kind in ("list", "texts", "reports"):
            found[option.name] += split_list((value,)) if option.kind == "list" else (value,)
        else:
            found[option.name] = int(value) if option.kind == "count" else value
    return (tuple(paths), found) if paths else None


def _is_usual(option: Option, value: str) -> bool:
    if not value or (value[0] == "-" and value != "-"):
        return False
    if option.kind == "count":
        return value.isascii() and value.isdigit() and int(value[:10]) >= 1 and len(value) <= 10
    return option.kind != "choice" or value in option.choices
