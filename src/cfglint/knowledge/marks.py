"""What shows in a project's files that it runs a framework, and in which release.

The marks of each framework are data: `marks` in its `rules/<framework>/framework.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import FrozenDict, Record
from cfglint.base.type_names import Any
from cfglint.knowledge import compiled

_COMMENT = lazy_pattern(r"(?m)(^|[ \t])#.*$")
#: The word that follows on a command, or the sign of a variable, in a line or in a list of strings.
_WORD = lazy_pattern(r"(?:[ \t\"',]|\\\r?\n){1,40}(\$|[A-Za-z][\w-]*)")
#: An option, other than the one for a config.
_OPTION = lazy_pattern(r"(?:[ \t\"',]|\\\r?\n){1,40}--(?!config\b)[A-Za-z]")
#: What the name of a module follows on.
MODULE = ("-m", "--module")
#: How much of a text is looked through for that word.
_NEAR = 200


class Starter(Record):
    """The commands of a framework that start a run with a config."""

    #: Its own command by each of its names; a module or a file may be the same.
    scripts: tuple[str, ...]
    #: The package whose modules start one (`-m package.module`).
    modules: str
    #: Files of its repository that start one.
    files: tuple[str, ...]
    #: Options one of which shows that a file of such a name is its own; none if the name alone does.
    file_options: tuple[str, ...]
    #: The sub-commands (and modules) that take a config.
    commands: frozenset[str]
    #: Those that train.
    trains: frozenset[str]
    #: The launcher that its own command uses, and the option that switches it off.
    launched_with: str
    launched_plainly_by: str
    #: Its options whose value is a file of another kind than a config.
    other_files: tuple[str, ...] = ()
    #: The one of these whose file states how many GPUs a run has.
    hardware_in: str = ""
    #: The one whose file has the values of several runs.
    sweeps_in: str = ""
    #: Its option that names the settings file of the launcher, beside the launcher's own.
    settings_in: str = ""
    #: The variables by which its own command starts processes on each machine, and on how many.
    processes_from: str = ""
    machines_from: str = ""
    #: Without them, it starts a process for each GPU that it sees.
    every_device: bool = False
    #: The variable without which it starts no others where it sees a single GPU.
    forced_by: str = ""
    #: Variables that, switched on, leave all this to something else.
    unless_set: tuple[str, ...] = ()
    #: Sub-commands that take options and no config, and train nothing.
    commands_beside: tuple[str, ...] = ()

    def is_command(self, name: str) -> bool:
        """Whether a word of a command line is its own command, whatever folder it names."""
        return f"/{name}".endswith(tuple(f"/{script}" for script in self.scripts))

    def trains_with(self, command: str, following: str) -> bool:
        """Whether a command trains.

        Args:
            command: what it was recognized by: the script, a module, or a file.
            following: the text after it. A variable there may expand to a command that trains.
        """
        if command in self.files:
            return True
        if command not in self.scripts:
            return command.rpartition(".")[2].replace("_", "-") in self.trains
        word = _WORD.match(following)
        return word is not None and (word[1] == "$" or word[1] in self.trains)


class SettingsFile(Record):
    """The file in which a launcher keeps how many processes it starts."""

    starts: tuple[str, ...]
    named: tuple[str, ...]
    #: Keys at the top level; a file with none of them is another one.
    keys: tuple[str, ...]
    processes: str
    machines: str
    #: What its text has when it starts one process, whatever else it says.
    alone: str


class Launcher(Record):
    """A program that starts the processes of a run."""

    name: str
    #: How it is called: one word, or two (`NAME launch`).
    commands: tuple[str, ...]
    #: Options with the number of processes: of all machines, or of each.
    total: tuple[str, ...]
    each: tuple[str, ...]
    machines: tuple[str, ...]
    #: The option that names its settings file.
    settings: str
    #: Its options that have no value.
    flags: tuple[str, ...] = ()
    #: The other options that it has in any release; none where they are not known.
    options: tuple[str, ...] = ()
    #: The sub-commands of its program that start nothing.
    commands_beside: tuple[str, ...] = ()
    #: An option may be shortened as long as it is clear which one is meant.
    abbreviates: bool = False
    #: Without the number, it starts a process for each GPU that it sees.
    every_device: bool = False
    #: The option that lists the GPUs of each machine, `HOST:0,1@HOST`, in place of a number.
    devices_in: str = ""
    #: Instead of the number, for each GPU that it sees.
    all_devices: tuple[str, ...] = ()
    #: Options that name other machines.
    elsewhere: tuple[str, ...] = ()
    #: The key of its settings file that says what it starts.
    kind: str = ""
    #: Framework -> the kind of run for which it hands a file of that framework on, and what asks for it besides.
    hands_on: Mapping[str, str] = FrozenDict()
    hands_on_with: tuple[str, ...] = ()
    #: The kinds for which none of these files is read.
    other_kinds: tuple[str, ...] = ()
    #: Its options that take the place of the kind.
    instead: tuple[str, ...] = ()


class Marks(Record):
    """The marks of one framework."""

    framework: str
    #: The package whose version is the framework's.
    package: str
    #: A text with none of these words is about something else.
    words: tuple[str, ...]
    #: Accounts and name of its container images, and of those without the framework itself.
    image_accounts: tuple[str, ...]
    image_repository: str
    image_base: str
    #: Account that gets no images any longer -> the day of the last ones, YYYYMMDD.
    images_until: Mapping[str, str]
    #: The name of its source repository.
    repository: str
    #: The files of a clone that state its version.
    version_files: tuple[str, ...]
    starter: Starter | None
    launcher: Launcher | None
    settings_file: SettingsFile | None
    #: The accounts whose repository of this name is no fork.
    owners: tuple[str, ...] = ()

    def in_text(self, text: str) -> bool:
        """Whether a text is about the framework at all, in whatever case it writes the name."""
        lowered = text.lower()
        return any(word in lowered for word in self.words)

    def starts_in(self, text: str, *, plainly: bool = False) -> bool:
        """Whether a text has a command that trains; never where no such command is known.

        Args:
            plainly: not one whose first word is an option, which says itself what is trained.
        """
        return self.starter is not None and self.starts_among(
            without_comments(text), plainly=plainly
        )

    def starts_among(self, commands: str, *, plainly: bool = False) -> bool:
        """The same of a text that has no comments any more."""
        starter = self.starter
        if starter is None:
            return False
        for match in re.finditer(_started_by(starter), commands):
            following = commands[match.end() : match.end() + _NEAR]
            if starter.trains_with(match[0], following) and not (
                plainly and _OPTION.match(following)
            ):
                return True
        return False


@lru_cache(maxsize=1)
def all_marks() -> tuple[Marks, ...]:
    """The marks of every framework, in a fixed order."""
    return tuple(_marks(name, row) for name, row in compiled.load("frameworks").MARKS.items())


def marks_of(framework: str) -> Marks:
    """The marks of one framework."""
    return next(marks for marks in all_marks() if marks.framework == framework)


@lru_cache(maxsize=1)
def launchers() -> tuple[Launcher, ...]:
    """The launchers: torch's own and those of frameworks."""
    own = [marks.launcher for marks in all_marks() if marks.launcher is not None]
    return (*own, _TORCHRUN)


@lru_cache(maxsize=1)
def options_of_other_files() -> frozenset[str]:
    """The options, with both spellings, whose value is a file of another kind than a config.

    They name the settings of a launcher, or what a framework's own command takes besides.
    """
    names = {one.settings for one in launchers() if one.settings}
    for marks in all_marks():
        if marks.starter is not None:
            names.update(marks.starter.other_files)
            names.update(filter(None, [marks.starter.settings_in]))
    return frozenset(f"--{one}" for name in names for one in (name, name.replace("_", "-")))


@lru_cache(maxsize=1)
def settings_files() -> tuple[SettingsFile, ...]:
    """The settings files of launchers."""
    return tuple(marks.settings_file for marks in all_marks() if marks.settings_file is not None)


def is_about_any(text: str) -> bool:
    """Whether a text names a framework whose images, clones or commands can be read."""
    return any(marks.in_text(text) for marks in all_marks())


@lru_cache(maxsize=1)
def image_pattern() -> re.Pattern[str] | None:
    """An image of one of the frameworks: account, repository, tag; None when none has images."""
    named = [marks for marks in all_marks() if marks.image_repository]
    if not named:
        return None
    accounts = "|".join(re.escape(one) for marks in named for one in marks.image_accounts)
    names = "|".join(re.escape(marks.image_repository) for marks in named)
    return lazy_pattern(
        r"(?<![\w./-])(?:docker://|docker:|(?:[a-z0-9.-]+\.)?docker\.io/|[a-z0-9.-]+(?::\d+)?/)?"
        rf"(({accounts})/((?:{names})(?:-[a-z-]+)?)):"
        r"((?:[A-Za-z0-9_]|\$(?=[{\w]))(?:[\w.$-]|\{\{[^{}\n]{1,60}\}\}|\{[^{}\n]{1,100}\}){0,200})"
    )


@lru_cache(maxsize=1)
def start_pattern() -> re.Pattern[str] | None:
    """What a command that starts a config is recognized by; None when no framework has one."""
    starters = [marks.starter for marks in all_marks() if marks.starter is not None]
    return lazy_pattern("|".join(map(_started_by, starters))) if starters else None


@lru_cache(maxsize=1)
def own_commands() -> tuple[str, ...]:
    """The own commands of all frameworks."""
    starters = (marks.starter for marks in all_marks())
    return tuple(script for one in starters if one is not None for script in one.scripts)


def without_comments(text: str) -> str:
    """A launch file with spaces for its comments, so that all else keeps its place."""
    return _COMMENT.sub(lambda match: " " * len(match.group()), text)


def _started_by(starter: Starter) -> str:
    """The pattern of a framework's command, and of what else starts a config."""
    names = "|".join(re.escape(word) for word in (*starter.scripts, *starter.files))
    modules = rf"{re.escape(starter.modules)}\.\w{{1,40}}"
    return rf"(?<![\w.-])(?:{modules}|{names})(?![\w.-])"


def command_at(words: Sequence[str], at: int, starter: Starter) -> tuple[str, int] | None:
    """What of a framework one of the words of a command calls.

    Returns:
        (the sub-command, or the one that the module or file implements; how many of the words behind
        it name it), None when the word calls nothing that takes a config.
    """
    name = words[at]
    if starter.is_command(name):
        known = at + 1 < len(words) and words[at + 1] in starter.commands
        return (words[at + 1], 1) if known else None
    script = name.endswith(starter.files)
    is_module = at > 0 and words[at - 1] in MODULE and name.startswith(f"{starter.modules}.")
    if not script and not is_module:
        return None
    stem = (name.removesuffix(".py").rpartition("/") if script else name.rpartition("."))[2]
    command = stem.replace("_", "-")
    if script and command not in starter.commands:
        command = "train"
    return (command, 0) if command in starter.commands else None


def starter_of(name: str) -> Starter | None:
    """The starter whose command, module or file a word of a command is."""
    for marks in all_marks():
        starter = marks.starter
        if starter is None:
            continue
        if starter.is_command(name) or name.endswith(starter.files):
            return starter
        if name.startswith(f"{starter.modules}."):
            return starter
    return None


_TORCHRUN = Launcher(
    "torchrun",
    ("torchrun", "torch.distributed.run", "torch.distributed.launch"),
    (),
    ("nproc_per_node", "num_gpus"),
    ("nnodes", "num_nodes"),
    "",
    ("standalone", "no_python", "run_path", "virtual_local_rank", "use_env"),
    # torch 2.13, torch/distributed/run.py.
    (
        *("rdzv_backend", "rdzv_endpoint", "rdzv_id", "rdzv_conf", "max_restarts"),
        *("monitor_interval", "start_method", "event_log_handler", "role", "log_dir"),
        *("redirects", "tee", "local_ranks_filter", "duplicate_stdout_filters"),
        *("duplicate_stderr_filters", "node_rank", "master_addr", "master_port", "local_addr"),
        *("logs_specs", "numa_binding", "signals_to_handle", "shutdown_timeout"),
    ),
    abbreviates=True,
    all_devices=("gpu", "auto"),
)


def _marks(framework: str, row: dict[str, Any]) -> Marks:
    images = row.get("images", {})
    started, launcher, settings = (
        row.get(part) for part in ("started_by", "launcher", "settings_file")
    )
    starter = None
    if started is not None:
        values = {
            **started,
            "scripts": (started["script"], *started["script_is_also"]),
            "commands": frozenset(started["commands"]),
            "trains": frozenset(started["trains"]),
        }
        starter = Starter(**{name: values[name] for name in Starter._fields})
    return Marks(
        framework,
        row["package"],
        tuple(row.get("words", ())),
        tuple(images.get("accounts", ())),
        images.get("repository", ""),
        images.get("base", ""),
        images.get("retired", {}),
        row.get("repository", ""),
        tuple(row.get("version_files", ())),
        starter,
        None if launcher is None else Launcher(**launcher),
        None if settings is None else SettingsFile(**settings),
        tuple(row.get("owners", ())),
    )
