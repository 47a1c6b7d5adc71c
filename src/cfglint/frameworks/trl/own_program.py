"""The programs of a project that read its recipes: with TRL's parser and arguments beside TRL's, or by themselves."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator

from cfglint.environment.surroundings import Surroundings
from cfglint.files.folders import climb
from cfglint.files.nearby import read
from cfglint.record import Record

#: What a program fills its classes with: TRL's parser, transformers' own, the alignment-handbook's.
_PARSERS = ("TrlParser", "HfArgumentParser", "H4ArgumentParser")
#: The alignment-handbook's before 0.5: it refuses every key that it does not know.
_STRICT = "H4ArgumentParser"
#: What one loads a file with that hands the values on by itself.
_LOADERS = ("yaml.safe_load", "yaml.load", "OmegaConf.load")
#: A file without any has neither classes of arguments nor uses them.
_OF_ARGUMENTS = (*_PARSERS, *_LOADERS, "@dataclass", "BaseModel")
#: A field of a class: `name: type`, or that with a default. A parameter of a function ends with a comma or a colon.
_FIELD = re.compile(
    r"""^(?:[ ]{4}|\t)([A-Za-z_]\w*)[ \t]*:[ \t]*
    ["']?[A-Za-z_][\w.]*(?:\[[^\n=]{0,200})?(?:[ \t]*\|[^\n=]{0,200})?["']?[ \t]{0,9}
    (?:=[^\n]*)?(?<![,:\s])[ \t]{0,9}$""",
    re.MULTILINE | re.VERBOSE,
)
#: `if self.loss_type == "reinforce"`: a trainer of its own knows the word.
_CHOICE = re.compile(r"""\b([A-Za-z_]\w*)[ \t]*==[ \t]*["']([\w.-]{1,60})["']""")
_ATTRIBUTE = re.compile(r"\b\w*(?:args|arguments|config|cfg)\.([A-Za-z_]\w*)")
_ENTRY = re.compile(r"(?:\[|\.(?:get|pop)\()[\"']([A-Za-z_]\w*)[\"']")
_MAX_BYTES = 1_000_000
#: The largest of the public forks of open-r1 and the alignment-handbook has 150 of each.
_MAX_FILES = 400
_MAX_FOLDERS = 400
_SKIPPED = frozenset({"build", "dist", "node_modules", "site-packages", "venv", "wandb"})


class OwnArguments(Record):
    """The arguments of a project's programs; none if nothing parses them."""

    has_parser: bool = False
    #: Nothing parses them, and something loads YAML.
    has_loader: bool = False
    #: What parses them refuses every key that it does not know.
    is_strict: bool = False
    #: Fields of their classes.
    fields: frozenset[str] = frozenset()
    #: What they read of objects that look like arguments, whoever has the class.
    read: frozenset[str] = frozenset()
    #: An argument, and a word that its value is compared with.
    choices: frozenset[tuple[str, str]] = frozenset()

    def have(self, name: str, *, known: bool) -> bool:
        """Whether a program makes of an argument what it likes.

        Args:
            known: whether TRL has, or has had, an argument of the name.
        """
        return name in self.fields or (name in self.read and (self.has_loader or not known))

    def are_for(self, names: Collection[str]) -> bool:
        """Whether a program that loads its config by itself has most of the keys of a file."""
        own = sum(name in self.fields or name in self.read for name in names)
        return self.has_loader and own * 2 >= len(names)


def arguments_around(around: Surroundings) -> OwnArguments:
    """The arguments that the programs of a config's project have or read.

    There are none when no program reads a config, and when a command of TRL's own is known to start the config.
    """
    folder = around.folder
    if folder is None or any(line.own for line in around.launches):
        return OwnArguments()
    root = around.memory.once(("project of", folder), lambda: climb(folder, around.files)[0])
    return around.memory.once(("own program", root), lambda: _arguments(around, root))


def _arguments(around: Surroundings, root: str) -> OwnArguments:
    fields: set[str] = set()
    read_: set[str] = set()
    choices: set[tuple[str, str]] = set()
    parsers: set[str] = set()
    has_loader = False
    for text in _sources(around, root):
        choices.update(_CHOICE.findall(text))
        if any(word in text for word in _OF_ARGUMENTS):
            parsers.update(word for word in _PARSERS if word in text)
            has_loader = has_loader or any(word in text for word in _LOADERS)
            fields.update(_FIELD.findall(text))
            read_.update(_ATTRIBUTE.findall(text))
            read_.update(_ENTRY.findall(text))
    if not parsers and not has_loader:
        return OwnArguments()
    return OwnArguments(
        has_parser=bool(parsers),
        has_loader=not parsers,
        is_strict=_STRICT in parsers and _PARSERS[0] not in parsers,
        fields=frozenset(fields),
        read=frozenset(read_),
        choices=frozenset(choices),
    )


def _sources(around: Surroundings, root: str) -> Iterator[str]:
    """The texts of the Python files of a project, those of the upper folders first."""
    folders = [root]
    files = 0
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
        del folders[_MAX_FOLDERS:]
