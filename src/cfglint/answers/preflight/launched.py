"""What a command, a script or a config starts, and with which files."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise

from cfglint.base.globs import globs
from cfglint.base.paths import SCRIPT_SUFFIXES, relative_path
from cfglint.base.record import Record
from cfglint.base.type_names import Literal
from cfglint.engine.session import RunError
from cfglint.knowledge import compiled
from cfglint.knowledge.marks import all_marks, starter_of, without_comments
from cfglint.knowledge.marks import launchers as known_launchers
from cfglint.knowledge.recognition import language_of
from cfglint.runs.starts import commands, launchers
from cfglint.runs.starts.called import (
    UnknownWord,
    unknown_in,
    unknown_in_commands,
    unknown_words,
)
from cfglint.runs.starts.start import Start
from cfglint.source.files.base import Files
from cfglint.source.files.folders import climb
from cfglint.source.files.inside import of_project
from cfglint.source.files.links import read_inside
from cfglint.source.script_arguments import with_arguments, without_arguments

#: The name of the script that a command line counts as.
COMMAND = "command-line.sh"
#: Larger scripts are not looked into, in bytes.
MAX_SCRIPT_BYTES = 1_000_000
_MAX_FILES = 50
_WORD = re.compile(r"[^\s\"'`=,;:()<>&|$]+")
_MAX_NAME = 300
#: What goes to another folder, in a script or for its job.
_GOES = re.compile(r"\b(?:cd|pushd|chdir|workdir)\b")
#: What starts a command on another machine, or in an image, whose folders are not these.
_ELSEWHERE = frozenset(
    {
        *("apptainer", "docker", "enroot", "kubectl", "modal", "nerdctl", "podman", "pyxis", "ray"),
        *("runai", "singularity", "sky", "ssh"),
    }
)
#: What such an option of a wrapper is called (`uv run --directory app`, `env -C app`).
_GOES_BY = re.compile(r"-C|--(?:cwd|directory|working[-_]dir)(?:=.*)?")
#: A folder without variables and patterns.
_PLAIN = re.compile(r"[\w./-]*")
_SHEBANG = re.compile(rb"#![^\n]{0,100}\b(?:ba|da|k|z)?sh\b")
#: What starts a script that is named behind it.
_SHELLS = frozenset({"bash", "sh", "zsh", "sbatch", "srun"})
_READ = (".yaml", ".yml", ".json", ".py", ".ipynb")

Role = Literal["command", "script", "program", "launcher settings", "config", "file"]


class RunPart(Record):
    """A file that a run is started with."""

    path: str
    role: Role
    #: What reads it, as the command names it; empty for what was named itself.
    by: str = ""
    #: The framework that reads it; empty where its keys decide.
    framework: str = ""
    #: Why it is not to be had; empty for a file that is there.
    missing: str = ""
    #: It certainly is not there, so the run fails.
    fails: bool = False


class Launched(Record):
    """A run, as it is started."""

    #: The command, or the path that was named.
    title: str
    parts: tuple[RunPart, ...]
    #: The absolute path of the script whose commands count; None for those of the project.
    script: str | None = None
    #: The folder in which it starts; None where that is not known.
    folder: str | None = None
    #: Texts that are no files: path -> contents.
    texts: tuple[tuple[str, bytes], ...] = ()
    #: Files as this call of them reads: path -> contents.
    called: tuple[tuple[str, bytes], ...] = ()
    #: Whether these have arguments in place of `$1`, so that their lines are not those of the files.
    filled: bool = False
    #: Words of the command that what it calls does not have.
    unknown: tuple[UnknownWord, ...] = ()


def of_path(path: str, files: Files) -> Launched:
    """A run that is started by a script, or with a config or a program.

    Raises:
        RunError: there is no such file, or it cannot be read.
    """
    if not files.is_file(path):
        kind = "a folder" if files.is_folder(path) else "no file"
        raise RunError(
            f"{path}: {kind}; name a config, a script or a program, or put a command behind `--`"
        )
    if _is_unnamed_script(path, files):
        return _of_copy(path, files)
    if language_of(path) != "shell" and not path.endswith(".py"):
        role: Role = "program" if path.endswith(".ipynb") else "config"
        return Launched(path, (RunPart(path, role),))
    try:
        text = read_inside(path, MAX_SCRIPT_BYTES, files).decode("utf-8", "replace")
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror}") from None
    if path.endswith(".py"):
        return _of_program(path, text, files)
    return _of_script(path, os.path.abspath(path), text, files)


def _of_script(path: str, script: str, text: str, files: Files) -> Launched:
    """A run that a script starts.

    Args:
        script: its absolute path, or the one that it counts as.
    """
    here = os.path.dirname(script)
    folders = dict.fromkeys((os.getcwd(), here, climb(here, files)[0]))
    words = (match.group().rstrip(".]}") for match in _WORD.finditer(without_comments(text)))
    names = (word for word in words if word.endswith(_READ) and len(word) <= _MAX_NAME)
    parts = _Parts({one: of_project(one, files) for one in folders}, certain=False)
    parts.add_starts(script, text)
    parts.add_named(islice(names, _MAX_FILES))
    found = (RunPart(path, "script"), *parts.found())
    return Launched(path, found, script, unknown=unknown_in(text))


def _of_program(path: str, text: str, files: Files) -> Launched:
    """A run that a program is, with what the commands start that it hands to others."""
    from cfglint.source.python_commands import commands_of

    own = RunPart(path, "program")
    commands = [command.words() for command in commands_of(text)]
    if not commands:
        return Launched(path, (own,))
    folders = dict.fromkeys((os.getcwd(), os.path.dirname(os.path.abspath(path))))
    parts = _Parts({one: of_project(one, files) for one in folders}, certain=False)
    parts.add_starts(os.path.abspath(path), text)
    return Launched(path, (own, *parts.found()), unknown=unknown_in_commands(commands))


def _is_unnamed_script(path: str, files: Files) -> bool:
    """Whether a file whose name has no ending says in its first line that a shell runs it."""
    if os.path.splitext(path)[1] or not files.is_file(path):
        return False
    try:
        return _SHEBANG.match(read_inside(path, MAX_SCRIPT_BYTES, files)) is not None
    except OSError:
        return False


def _of_copy(path: str, files: Files) -> Launched:
    """A script whose name does not show it, such as the copy that Slurm runs: one of the current folder."""
    here = os.getcwd()
    data = read_inside(path, MAX_SCRIPT_BYTES, files)
    script = _free(os.path.join(here, f"{os.path.basename(path)}.sh"), files)
    found = _of_script(os.path.basename(script), script, data.decode("utf-8", "replace"), files)
    return found.replaced(title=path, folder=here, texts=((script, data),))


def of_command(words: Sequence[str], files: Files) -> Launched:
    """A run that a command starts in the current folder.

    Raises:
        RunError: it starts a script that cannot be read.
    """
    for place, word in enumerate(words):
        if word.endswith(_READ):
            break
        if place and words[place - 1] in _SHELLS and _is_unnamed_script(word, files):
            return _of_copy(word, files).replaced(title=shlex.join(words))
        if word.endswith(SCRIPT_SUFFIXES) and files.is_file(word):
            launched = _called_with(words[place + 1 :], of_path(word, files), files)
            folder = _folder_of_script(word, files)
            return launched.replaced(title=shlex.join(words), folder=folder)
    gone = _missing_script(words, files)
    if gone:
        return Launched(shlex.join(words), (gone,))
    here = os.getcwd()
    script = _free(os.path.join(here, COMMAND), files)
    text = shlex.join(_from_the_root(word, files) for word in words) + "\n"
    stays = _stays(words)
    parts = _Parts({here: files}, certain=stays)
    parts.add_starts(script, text)
    parts.add_program(words)
    parts.add_opened(words)
    parts.add_named(name for word in words for name in (word, word.partition("=")[2]))
    own = RunPart(os.path.basename(script), "command")
    texts = ((script, text.encode("utf-8", "surrogateescape")),)
    found = (own, *parts.found())
    folder = here if stays else None
    return Launched(shlex.join(words), found, script, folder, texts, unknown=unknown_words(words))


def _stays(words: Sequence[str]) -> bool:
    """Whether a command runs in the folder in which it is typed."""
    return not any(
        os.path.basename(word) in _ELSEWHERE
        or _GOES_BY.fullmatch(word)
        or (_GOES.search(word) and not word.endswith(_READ))
        for word in words
    )


def _folder_of_script(path: str, files: Files) -> str | None:
    """The folder in which the commands of a script run that is started here; None where it may go to another one."""
    text = read_inside(path, MAX_SCRIPT_BYTES, files).decode("utf-8", "replace")
    return None if _GOES.search(text) else os.getcwd()


def _called_with(arguments: Sequence[str], launched: Launched, files: Files) -> Launched:
    """A script with what its arguments are in this call: without any, `"$@"` in it is nothing."""
    script = launched.script
    if script is None:
        return launched
    text = read_inside(script, MAX_SCRIPT_BYTES, files).decode("utf-8", "surrogateescape")
    called = with_arguments(text, arguments) if arguments else without_arguments(text)
    if called == text:
        return launched
    if arguments:
        launched = _of_script(launched.title, script, called, files)
    texts = ((script, called.encode("utf-8", "surrogateescape")),)
    return launched.replaced(called=texts, filled=bool(arguments))


def _missing_script(words: Sequence[str], files: Files) -> RunPart | None:
    """The script that a command runs from the current folder, if it is not there."""
    for word in words:
        if word.endswith(SCRIPT_SUFFIXES) and not word.startswith("-"):
            is_own = not os.path.isabs(word) and not re.search(r"[$~*?:]", word)
            gone = is_own and not files.is_file(word)
            return RunPart(word, "script", "", "", "there is no such file", True) if gone else None
        if word.endswith(_READ):
            return None
    return None


class _Parts:
    """Collects the files of a run, each once.

    Args:
        folders: where relative paths may count from, each with the files that may be named there: for what the user
            did not type, those of its project.
        certain: they count from there and nowhere else.
    """

    def __init__(self, folders: dict[str, Files], *, certain: bool) -> None:
        self._folders = folders
        self._real = next(iter(folders.values())).real
        self._certain = certain
        self._parts: dict[str, RunPart] = {}

    def found(self) -> tuple[RunPart, ...]:
        """The files, in the order in which the command names them."""
        return tuple(self._parts.values())

    def add_starts(self, script: str, text: str) -> None:
        """The files of what starts a framework, and of launchers."""
        for start in _starts(script, text):
            of_launcher = start.command == "launch"
            role: Role = "launcher settings" if of_launcher else "config"
            by = start.launcher if of_launcher else start.program
            reader = _reader(start, of_launcher=of_launcher)
            self._add(start.config.text, role, by, reader, is_open=start.config.open)
            if of_launcher and start.program.endswith(".py"):
                self._add(start.program, "program", start.launcher)

    def add_program(self, words: Sequence[str]) -> None:
        """The program that a command starts, where that is a file."""
        for place, word in enumerate(words):
            before = words[place - 1] if place else ""
            if word.endswith(".py") and ("=" in before or not before.startswith("--")):
                self._add(word, "program", before)
                break

    def add_opened(self, words: Sequence[str]) -> None:
        """The settings of a framework that options name which begin with its name."""
        rows = compiled.load("frameworks").FRAMEWORKS
        of_others = tuple(name for name, row in rows.items() if row["named_by_others"])
        for option, word in pairwise((*words, "")):
            name, equals, value = option.partition("=")
            file = value if equals else word
            is_option = name.startswith("-") and name.lstrip("-").startswith(of_others)
            if is_option and file.endswith(".json"):
                self._add(file, "file", self._program())

    def add_named(self, names: Iterable[str]) -> None:
        """Whatever else is the name of a file."""
        program = self._program()
        for name in names:
            if name.endswith(_READ) and (path := self._path(name)) is not None:
                role: Role = "program" if name.endswith((".py", ".ipynb")) else "file"
                self._parts.setdefault(
                    self._real(path), RunPart(path, role, program if role == "file" else "")
                )

    def _program(self) -> str:
        return next((one.path for one in self.found() if one.role == "program"), "")

    def _add(
        self, name: str, role: Role, by: str, framework: str = "", *, is_open: bool = False
    ) -> None:
        matched = self._matching(name) if is_open else []
        path = None if is_open else self._path(name)
        for one in matched or filter(None, [path]):
            self._parts.setdefault(self._real(one), RunPart(one, role, by, framework))
        if matched or path is not None:
            return
        why, fails = "there is no such file", False
        if not self._certain:
            why += " in the project"
        if is_open:
            why = "which file that is shows when the script runs"
        elif "://" in name:
            why = "it is not on this machine"
        else:
            fails = self._certain and not os.path.isabs(name)
        self._parts.setdefault(name, RunPart(name, role, by, "", why, fails))

    def _matching(self, pattern: str) -> list[str]:
        """The paths of the files that a pattern of names in one folder means, as reports show them."""
        inside, _, last = pattern.rpartition("/")
        if "*" not in last or not _PLAIN.fullmatch(inside):
            return []
        names = globs((last,))
        for folder, files in self._folders.items():
            try:
                entries = sorted(one.name for one in files.entries(os.path.join(folder, inside)))
            except OSError:
                continue
            found = [os.path.join(inside, one) for one in entries if names.covers(one)]
            if found:
                return [path for one in found[:_MAX_FILES] if (path := self._path(one)) is not None]
        return []

    def _path(self, name: str) -> str | None:
        """The path of a file as reports show it; None when it is not there."""
        for folder, files in self._folders.items():
            path = os.path.join(folder, os.path.expanduser(name))
            if files.is_file(path):
                return path if os.path.isabs(name) else relative_path(path)
        return None


def _starts(script: str, text: str) -> Iterator[Start]:
    for launcher in known_launchers():
        yield from launchers.read(script, text, launcher)
    yield from commands.read(script, text)


def _reader(start: Start, *, of_launcher: bool) -> str:
    """The framework that a command has read its config."""
    for marks in all_marks():
        launcher = marks.launcher
        if of_launcher and launcher is not None and launcher.name == start.launcher:
            return marks.framework
        starter = None if of_launcher else marks.starter
        if starter is not None and starter is starter_of(start.program):
            return marks.framework
    return ""


def _from_the_root(word: str, files: Files) -> str:
    """A word of a command, written so that it names its file from any folder."""
    option, equals, value = word.rpartition("=")
    if value.startswith("..") and files.is_file(value):
        return f"{option}{equals}{os.path.abspath(value)}"
    return word


def _free(path: str, files: Files) -> str:
    """A path at which there is no file."""
    stem, suffix = os.path.splitext(path)
    number = 1
    while files.has(path):
        number += 1
        path = f"{stem}-{number}{suffix}"
    return path
