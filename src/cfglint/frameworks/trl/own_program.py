"""The programs of a project that read its recipes.

They use TRL's parser with arguments of their own, or load the file themselves.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.surroundings import Surroundings
from cfglint.files.base import Files
from cfglint.files.folders import climb
from cfglint.files.nearby import read

#: What a program fills its classes with: TRL's parser, transformers' own, the alignment-handbook's.
_PARSERS = ("TrlParser", "HfArgumentParser", "H4ArgumentParser")
#: The alignment-handbook's before 0.5: it refuses every key that it does not know.
_STRICT = "H4ArgumentParser"
#: What one loads a file with that hands the values on by itself.
_LOADERS = ("yaml.safe_load", "yaml.load", "OmegaConf.load")
#: A file without any has neither classes of arguments nor uses them.
_OF_ARGUMENTS = (*_PARSERS, *_LOADERS, "@dataclass", "BaseModel")
#: The line of a field of a class: `name: type`, or that with a default. A parameter of a function ends with a comma or
#: a colon.
_FIELD = lazy_pattern(
    r"""(?x)(?:[ ]{4}|\t)[A-Za-z_]\w*[ \t]*:[ \t]*
    ["']?[A-Za-z_][\w.]*(?:\[[^=]{0,200})?(?:[ \t]*\|[^=]{0,200})?["']?[ \t]{0,9}
    (?:=.*)?(?<![,:\s])[ \t]{0,9}"""
)
_FIELD_INDENT = ("    ", "\t")
#: What is before an argument that a program reads: `training_args.NAME`, `config["NAME"`, `loaded.get("NAME"`.
_READ = lazy_pattern(r"""(?:(?:args|arguments|config|cfg)\.|(?:\[|\.(?:get|pop)\()["'])$""")
#: What follows on one whose value is compared: `loss_type == "ranked"`, and the word.
_COMPARED = lazy_pattern(r"""[ \t]*==[ \t]*["']([\w.-]{1,60})["']""")
#: How much of a text before and after a name is looked at; a longer line is no field.
_NEAR = 20
_LONGEST_LINE = 1_000
_MAX_BYTES = 1_000_000
#: Of all files together, after which no more is read.
_MAX_CHARACTERS = 10_000_000
#: The largest of the public forks of open-r1 and the alignment-handbook has 150 of each.
_MAX_FILES = 400
_MAX_FOLDERS = 400
_SKIPPED = frozenset({"build", "dist", "node_modules", "site-packages", "venv", "wandb"})


class OwnArguments:
    """The arguments of a project's programs; none if nothing parses them.

    They are looked for by name: to list those of a large project would take longer than all else.
    """

    def __init__(self, sources: Iterable[str] = ()) -> None:
        all_sources = list(sources)
        texts = [text for text in all_sources if any(word in text for word in _OF_ARGUMENTS)]
        parsers = {word for word in _PARSERS if any(word in text for text in texts)}
        loads = any(word in text for word in _LOADERS for text in texts)
        self.has_parser = bool(parsers)
        #: Nothing parses them, and something loads YAML.
        self.has_loader = loads and not parsers
        #: What parses them refuses every key that it does not know.
        self.is_strict = _STRICT in parsers and _PARSERS[0] not in parsers
        is_read = self.has_parser or self.has_loader
        self._texts = texts if is_read else []
        self._all = all_sources if is_read else []
        self._known: dict[str, tuple[bool, bool]] = {}

    def have(self, name: str, *, known: bool) -> bool:
        """Whether a program makes of an argument what it likes.

        Args:
            known: whether TRL has, or has had, an argument of the name.
        """
        is_field, is_read = self._uses(name)
        return is_field or (is_read and (self.has_loader or not known))

    def are_for(self, names: Collection[str]) -> bool:
        """Whether a program that loads its config by itself has most of the keys of a file."""
        return self.has_loader and sum(any(self._uses(name)) for name in names) * 2 >= len(names)

    def compare(self, name: str, word: object) -> bool:
        """Whether an argument is compared with a word, which a trainer of its own knows then."""
        return any(
            (found := _COMPARED.match(text, end)) is not None and found[1] == word
            for text in self._all
            for _, end in _places(text, name)
        )

    def _uses(self, name: str) -> tuple[bool, bool]:
        """(whether a class has a field of the name, whether something reads it as an argument).

        The class that it is read from is not looked at.
        """
        if name not in self._known:
            is_field = is_read = False
            for text in self._texts:
                for start, end in _places(text, name):
                    is_field = is_field or _is_field(text, start)
                    is_read = is_read or _is_read(text, start, end)
            self._known[name] = is_field, is_read
        return self._known[name]


def _places(text: str, name: str) -> Iterator[tuple[int, int]]:
    """Where a name is that is not a part of a longer one."""
    if not name.isidentifier():
        return
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        around = text[start - 1 : start] + text[end : end + 1]
        if not any(character.isalnum() or character == "_" for character in around):
            yield start, end
        start = text.find(name, end)


def _is_field(text: str, start: int) -> bool:
    begin = text.rfind("\n", 0, start) + 1
    if text[begin:start] not in _FIELD_INDENT:
        return False
    stop = text.find("\n", start)
    line = text[begin : stop if stop >= 0 else len(text)]
    return len(line) <= _LONGEST_LINE and _FIELD.fullmatch(line) is not None


def _is_read(text: str, start: int, end: int) -> bool:
    before = _READ.search(text[max(0, start - _NEAR) : start])
    if before is None:
        return False
    # A quoted name ends with a quote.
    return before[0].endswith(".") or text[end : end + 1] in ("'", '"')


def arguments_around(around: Surroundings) -> OwnArguments:
    """The arguments that the programs of a config's project have or read.

    There are none when no program reads a config, and when a command of TRL's own is known to start the config.
    """
    folder = around.folder
    if folder is None or any(line.own for line in around.launches):
        return OwnArguments()
    root = around.memory.once(("project of", folder), lambda: _project(folder, around.files))
    return around.memory.once(("own program", root), lambda: OwnArguments(_sources(around, root)))


def _project(folder: str, files: Files) -> str:
    """The repository of a folder. Outside one it is the folder alone: those above may contain anything."""
    root = climb(folder, files)[0]
    return root if files.has(os.path.join(root, ".git")) else folder


def _sources(around: Surroundings, root: str) -> Iterator[str]:
    """The texts of the Python files of a project, those of the upper folders first."""
    folders = [root]
    files = characters = 0
    for folder in folders:
        try:
            entries = sorted(around.files.entries(folder), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            path = os.path.join(folder, entry.name)
            if entry.kind == "folder":
                if entry.name[0] != "." and entry.name not in _SKIPPED:
                    folders.append(path)
            elif entry.kind == "file" and entry.name.endswith(".py") and files < _MAX_FILES:
                files += 1
                contents = read(path, _MAX_BYTES, around.files)
                if contents is not None:
                    yield contents.source.text.replace("\r\n", "\n")
                    characters += len(contents.source.text)
                if characters > _MAX_CHARACTERS:
                    return
        del folders[_MAX_FOLDERS:]
