"""The options of a check: one table for the command's help and for reading the usual command lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING, Any, Literal
from cfglint.diagnostic import (
    CONFIDENCES,
    SEVERITIES,
    SEVERITY_ALIASES,
    ConfidenceName,
    SeverityName,
)

if TYPE_CHECKING:
    from cfglint.engine.settings.nearest import FailOn

FORMATS = ("text", "concise", "agent", "json", "github", "markdown", "sarif", "gitlab", "junit")


class CheckOptions(Record):
    """The options of one check, by the names of `OPTIONS`, with their values when not given."""

    fix: bool = False
    fix_only: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    show_fixes: bool = False
    add_ignores: bool = False
    fixable: tuple[str, ...] = ()
    unfixable: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    as_of: str | None = None
    sweep: str | None = None
    gpus: int | None = None
    gpu: str | None = None
    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore_suppressions: bool = False
    preview: bool = False
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[str, ...] = ()
    severity: tuple[str, ...] = ()
    fail_on: FailOn | None = None
    exit_zero: bool = False
    min_severity: SeverityName | None = None
    min_confidence: ConfidenceName | None = None
    #: One of `FORMATS`.
    format_: str = "text"
    verbose: bool = False
    other_releases: bool = False
    quiet: bool = False
    output: tuple[str, ...] = ()
    baseline: str | None = None
    write_baseline: bool = False
    changed_since: str | None = None
    staged: bool = False
    exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    show_files: bool = False
    watch: bool = False
    statistics: bool = False
    config: tuple[str, ...] = ()
    isolated: bool = False
    detect: bool = False
    framework: str | None = None
    all: bool = False
    stdin_filename: str = "-"
    color: str = "auto"


_UNSET = CheckOptions()


class Option(Record):
    """One option of `cfglint check`."""

    flag: str
    #: What follows it: nothing, a text, a list that may be repeated, texts that are repeated, a
    #: number from 1, one of `choices`, a path to read from, files to write reports to.
    kind: Literal["flag", "text", "list", "texts", "count", "choice", "path", "reports"]
    #: `{example}` becomes a version of a framework.
    help: str
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    #: Other names of some choices.
    aliases: Mapping[str, str] = {}
    #: Its short form, such as `-q`.
    short: str | None = None

    @property
    def name(self) -> str:
        """The field of `CheckOptions` that has its value."""
        return "format_" if self.flag == "--format" else self.flag[2:].replace("-", "_")

    def unset(self) -> Any:
        """Its value when it is not given."""
        return getattr(_UNSET, self.name)


OPTIONS = (
    Option("--fix", "flag", "Repair what can be repaired safely."),
    Option(
        "--fix-only",
        "flag",
        "Repair like --fix, and neither report nor fail for what is left.",
    ),
    Option(
        "--unsafe-fixes",
        "flag",
        "Also offer repairs that a person should review; writes nothing without --fix.",
    ),
    Option("--diff", "flag", "Print the repairs as a patch; change no file."),
    Option("--show-fixes", "flag", "List the repairs that were made."),
    Option(
        "--add-ignores",
        "flag",
        "Add comments that silence each finding, with a reason for you to fill in.",
    ),
    Option("--fixable", "list", "Repair only what these rules find.", "CODES"),
    Option("--unfixable", "list", "Do not repair what these rules find.", "CODES"),
    Option(
        "--target",
        "list",
        "A version the file will run with, such as {example}, or `installed`. May be repeated.",
        "PACKAGE==VERSION",
    ),
    Option(
        "--as-of",
        "text",
        "Where no release is stated, assume the newest one of this day (YYYY-MM-DD).",
        "DATE",
    ),
    Option(
        "--sweep",
        "path",
        "Also check each config with every combination of this sweep file.",
        "FILE",
    ),
    Option("--gpus", "count", "Number of GPUs in the run, over all nodes.", "N"),
    Option("--gpu", "text", "GPU model, such as h100, or sm_90:96GB if it is not listed.", "NAME"),
    Option(
        "--select",
        "list",
        "Check only these rules (codes, prefixes of codes, names).",
        "CODES",
        short="-s",
    ),
    Option("--extend-select", "list", "Check these rules as well.", "CODES"),
    Option(
        "--ignore-suppressions",
        "flag",
        "Also show findings that comments silence; they are not repaired.",
    ),
    Option("--preview", "flag", "Also check rules that are not part of a release yet."),
    Option("--ignore", "list", "Skip these rules.", "CODES"),
    Option(
        "--per-file-ignores",
        "texts",
        "Skip rules for files that match a pattern, such as 'archive/:KEY'. May be repeated.",
        "PATTERN:CODES",
    ),
    Option(
        "--severity",
        "texts",
        "Severity of a rule's findings, such as KEY001=warning. May be repeated.",
        "CODE=SEVERITY",
    ),
    Option(
        "--fail-on",
        "choice",
        "The lowest severity that makes the exit code 1. [default: error]",
        choices=(*SEVERITIES, "never"),
        aliases=SEVERITY_ALIASES,
    ),
    Option("--exit-zero", "flag", "Exit with 0 unless something could not be checked."),
    Option(
        "--min-severity",
        "choice",
        "The lowest severity that is reported. [default: note]",
        choices=SEVERITIES,
        aliases=SEVERITY_ALIASES,
    ),
    Option(
        "--min-confidence",
        "choice",
        "The lowest confidence that is reported. [default: low, and medium for notes]",
        choices=CONFIDENCES,
    ),
    Option("--format", "choice", "Output format of the findings.", choices=FORMATS),
    Option(
        "--verbose", "flag", "Show notes and lists in full, and which rules are undecided (text)."
    ),
    Option("--other-releases", "flag", "List what applies only to other releases (text)."),
    Option("--quiet", "flag", "Print only one line with the counts (text).", short="-q"),
    Option(
        "--output",
        "reports",
        "Write the report to a file; with FORMAT: an additional one in that format. May be repeated.",
        "[FORMAT:]FILE",
        short="-o",
    ),
    Option(
        "--baseline", "path", "Report only findings that are not in this baseline file.", "FILE"
    ),
    Option(
        "--write-baseline",
        "flag",
        "Write all findings to the baseline, which --baseline or the settings then name. [default: .cfglint-baseline.json]",
    ),
    Option(
        "--changed-since",
        "text",
        "Check only files that differ from a commit, and files that name them.",
        "REF",
    ),
    Option("--staged", "flag", "Check only files that are staged, and files that name them."),
    Option(
        "--exclude",
        "texts",
        "Skip files in folders that match a pattern, such as 'archive/'. May be repeated.",
        "PATTERN",
        short="-e",
    ),
    Option("--force-exclude", "flag", "Skip excluded files even if they are named."),
    Option(
        "--show-files",
        "flag",
        "List which files are checked, and which are left out and why; nothing else is done.",
    ),
    Option("--watch", "flag", "Check again whenever a file changes, until you press Ctrl-C."),
    Option("--statistics", "flag", "Count the findings of each rule instead of listing them."),
    Option(
        "--config",
        "texts",
        "Use this settings file, or override one setting, such as 'fail-on = \"warning\"'. May be repeated.",
        "FILE|SETTING",
    ),
    Option("--isolated", "flag", "Ignore settings files and the surrounding project."),
    Option(
        "--detect",
        "flag",
        "Check a named file only if its content is a training config, as in a folder; an existing file"
        " is then taken as one even if its name starts with a dash.",
    ),
    Option(
        "--framework",
        "text",
        "The framework that reads the named files, for those that are not recognized.",
        "NAME",
    ),
    Option(
        "--all",
        "flag",
        "Also show findings in unchanged copies of files that a framework's project publishes.",
    ),
    Option(
        "--stdin-filename",
        "text",
        "Path to use for standard input (`-`) in reports and to look up settings.",
        "PATH",
    ),
    Option(
        "--color",
        "choice",
        "Color the text report.",
        choices=("auto", "always", "never"),
    ),
)
#: The options as a person looks for them: what a part of them is for -> their long forms.
GROUPS: Mapping[str, tuple[str, ...]] = {
    "Repairs": (
        *(
            "--fix",
            "--fix-only",
            "--unsafe-fixes",
            "--diff",
            "--fixable",
            "--unfixable",
            "--show-fixes",
        ),
        "--add-ignores",
    ),
    "Versions and hardware": ("--target", "--as-of", "--gpus", "--gpu", "--sweep"),
    "Rules": (
        *("--select", "--extend-select", "--ignore", "--per-file-ignores", "--severity"),
        *("--ignore-suppressions", "--preview", "--all"),
    ),
    "Files": (
        *("--exclude", "--force-exclude", "--changed-since", "--staged", "--show-files", "--watch"),
        *("--framework", "--detect", "--stdin-filename"),
    ),
    "Report": (
        *("--format", "--output", "--min-severity", "--min-confidence", "--quiet", "--verbose"),
        *("--other-releases", "--statistics", "--color"),
    ),
    "Exit code and baseline": ("--fail-on", "--exit-zero", "--baseline", "--write-baseline"),
    "Settings": ("--config", "--isolated"),
}
#: Long and short form -> option.
_BY_FLAG = {form: option for option in OPTIONS for form in (option.flag, option.short) if form}


def split_list(values: tuple[str, ...]) -> tuple[str, ...]:
    """The values of a list option: it may be repeated, and hold several between commas."""
    return tuple(part for text in values for part in text.replace(",", " ").split())


def read(arguments: list[str]) -> tuple[tuple[str, ...], CheckOptions] | None:
    """The paths and options of a usual command line; None for what click has to parse.

    That is everything wrong, and everything unusual: importing click takes as long as checking three
    files. What is read here has the same meaning as with click.
    """
    if "_CFGLINT_COMPLETE" in os.environ or sys.platform == "win32":
        # Completion is click's, and so is the expansion of patterns where no shell does it.
        return None
    paths: list[str] = []
    found: dict[str, Any] = {}
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
            more = split_list((value,)) if option.kind == "list" else (value,)
            found[option.name] = found.get(option.name, ()) + more
        else:
            found[option.name] = int(value) if option.kind == "count" else value
    return (tuple(paths), CheckOptions(**found)) if paths and "watch" not in found else None


def _is_usual(option: Option, value: str) -> bool:
    if not value or (value[0] == "-" and value != "-"):
        return False
    if option.kind == "count":
        return value.isascii() and value.isdigit() and int(value[:10]) >= 1 and len(value) <= 10
    return option.kind != "choice" or value in option.choices
