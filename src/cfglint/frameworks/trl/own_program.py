"""The programs of a project that read its recipes.

They use TRL's parser with arguments of their own, or load the file themselves.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.other_programs import programs_named_with
from cfglint.environment.project_texts import project_texts
from cfglint.environment.python_sources import (
    LOADERS,
    is_read_at,
    places,
    project_root,
    python_sources,
    sources_around,
)
from cfglint.environment.surroundings import Surroundings
from cfglint.source.document import Document

#: What a program fills its classes with: TRL's parser, transformers' own, the alignment-handbook's.
_PARSERS = ("TrlParser", "HfArgumentParser", "H4ArgumentParser")
#: The alignment-handbook's before 0.5: it refuses every key that it does not know.
_STRICT = "H4ArgumentParser"
#: With these arguments of its methods, a parser does not refuse what no class has.
_TAKES_OVER = ("fail_with_unknown_args", "return_remaining_strings", "allow_extra_keys")
#: A program takes from a file what a class has: `fields(GRPOConfig)`, `inspect.signature(GRPOConfig)`.
_PICKS = lazy_pattern(
    r"\b(?:fields|signature)\(\s{0,20}[A-Za-z_.]{0,60}(?:Config|Arguments|Args)\b|(?:Config|Arguments|Args)\.__dataclass_fields__"
)
#: The method of TRL's parser that reads the file behind `--config`. All others are handed a mapping, or name a file.
_READS_OPTION = "parse_args_and_config"
#: A file without any, and without what loads a file, has neither classes of arguments nor uses them.
_OF_ARGUMENTS = (*_PARSERS, "@dataclass", "BaseModel")
#: What loads a JSON file, `json.loads` included.
_JSON_LOADERS = ("json.load",)
#: The line of a field of a class: `name: type`, or that with a default. A parameter of a function ends with a comma or
#: a colon.
_FIELD = lazy_pattern(
    r"""(?x)(?:[ ]{4}|\t)[A-Za-z_]\w*[ \t]*:[ \t]*
    ["']?[A-Za-z_][\w.]*(?:\[[^=]{0,200})?(?:[ \t]*\|[^=]{0,200})?["']?[ \t]{0,9}
    (?:=.*)?(?<![,:\s])[ \t]{0,9}"""
)
_FIELD_INDENT = ("    ", "\t")
#: What follows on one whose value is compared: `loss_type == "ranked"`, and the word.
_COMPARED = lazy_pattern(r"""[ \t]*==[ \t]*["']([\w.-]{1,60})["']""")
#: What hands all keys of a file on to a class of arguments.
_HANDED_ON = lazy_pattern(r"(?:Config|Arguments|Args)\(\s{0,40}\*\*")
#: What a program has that trains with a file.
_TRAINS = ("Trainer", "TrainingArguments", "from trl", "import trl")
#: What sets only the arguments that a class has.
_SETS_KNOWN = ("hasattr(", "setattr(")
#: A file that a command gives to a program.
_GIVEN = lazy_pattern(r"--config(?:=|[ \t]+)[\"']?([\w./-]{1,300}\.ya?ml)\b")
#: What loads the dataset that an argument names: `load_dataset(script_args.dataset_name`, `get_dataset(script_args)`.
_LOADS_NAMED = lazy_pattern(
    r"load_dataset\(\s{0,40}(?:path\s{0,9}=\s{0,9})?[\w.]{0,80}\bdataset_name\b|get_dataset\("
)
_QUOTES = ('"', "'")
_BEFORE_NAME = (*_QUOTES, "/")
#: A longer line is no field.
_LONGEST_LINE = 1_000


class OwnArguments:
    """The arguments of a project's programs; none if nothing parses them.

    They are looked for by name: to list those of a large project would take longer than all else.

    Args:
        loaders: what loads a file of the config's language.
    """

    def __init__(
        self, sources: Iterable[str | None] = (), loaders: tuple[str, ...] = LOADERS
    ) -> None:
        read_or_not = list(sources)
        all_sources = [text for text in read_or_not if text is not None]
        self._is_whole = len(all_sources) == len(read_or_not)
        texts = [
            text for text in all_sources if any(word in text for word in (*_OF_ARGUMENTS, *loaders))
        ]
        parsers = {word for word in _PARSERS if any(word in text for text in texts)}
        loads = self._loads = any(word in text for word in loaders for text in texts)
        self.has_parser = bool(parsers)
        #: Nothing parses them, and something loads files of the language.
        self.has_loader = loads and not parsers
        #: One of them is TRL's own parser.
        self.uses_trl = _PARSERS[0] in parsers
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

    def take_over(self, command: str, is_given: Callable[[], bool]) -> bool:
        """Whether programs ask for the arguments that their classes do not have, or go on without them.

        Args:
            command: the one of TRL whose class counts, where a program has it; empty when unknown. All programs
                with that class have to, and one of those of unknown use.
            is_given: whether a command of the project gives a program the file with `--config`. What loads the file
                without that option says nothing about such a run.
        """
        if self.has_loader and command:
            filling = [text for text in self._texts if f"{command}config" in text.lower()]
            return bool(filling) and all(_PICKS.search(text) for text in filling)
        programs = self._programs(command)
        asking = [text for text in programs if any(word in text for word in _TAKES_OVER)]
        reading = [text for text in programs if _READS_OPTION in text]
        if asking and reading and not any(text in reading for text in asking):
            return not is_given()
        return len(asking) == len(programs) if self.replace(command) else bool(asking)

    def replace(self, command: str) -> bool:
        """Whether a program that fills the class of a command is there, which need not do what TRL's script does."""
        return bool(command) and any(
            f"{command}config" in text.lower() for text in self._programs(command)
        )

    def leave_idle(self, name: str, command: str) -> bool:
        """Whether programs fill classes of their own alone, and make nothing of an argument of theirs."""
        from cfglint.frameworks.trl.own_classes import are_own_and_idle, with_own_parsers

        texts = self._programs(command)
        return are_own_and_idle(texts, with_own_parsers(texts, _PARSERS), name)

    def load_named_data(self, command: str) -> bool:
        """Whether such a program hands `dataset_name` on to what loads data, or leaves that to TRL."""
        return any(_LOADS_NAMED.search(text) for text in self._programs(command))

    def _programs(self, command: str) -> list[str]:
        """The sources that parse arguments: those with the class of a command, if any have it."""
        texts = [text for text in self._texts if any(word in text for word in _PARSERS)]
        own = [text for text in texts if command and f"{command}config" in text.lower()]
        return own or texts

    def lack(self, name: str) -> bool:
        """Whether no program has an argument that TRL never had: all their classes are known, and nothing names it.

        A program that loads YAML by itself may hand on what it does not name.
        """
        return self._is_closed and not any(True for text in self._all for _ in places(text, name))

    @cached_property
    def _is_closed(self) -> bool:
        """Whether every source was read, and every class that is filled with arguments is known."""
        if not (self.has_parser and self._is_whole) or self._loads:
            return False
        from cfglint.frameworks.trl.own_classes import are_all_known, with_own_parsers

        return are_all_known(self._texts, with_own_parsers(self._texts, _PARSERS))

    def compare(self, name: str, word: object) -> bool:
        """Whether an argument is compared with a word, which a trainer of its own knows then."""
        return any(
            (found := _COMPARED.match(text, end)) is not None and found[1] == word
            for text in self._all
            for _, end in places(text, name)
        )

    def _uses(self, name: str) -> tuple[bool, bool]:
        """(whether a class has a field of the name, whether something reads it as an argument).

        The class that it is read from is not looked at.
        """
        if name not in self._known:
            is_field = is_read = False
            for text in self._texts:
                for start, end in places(text, name):
                    is_field = is_field or _is_field(text, start)
                    is_read = is_read or is_read_at(text, start, end)
            self._known[name] = is_field, is_read
        return self._known[name]


def is_given_with_option(around: Surroundings) -> bool:
    """Whether a script or a page of the project has a command with `--config` and the file's name."""
    folder, name = around.folder, os.path.basename(around.path)
    if folder is None or not name:
        return False
    root = project_root(around, folder)
    given = around.memory.once(
        ("given with --config", root), lambda: frozenset(_given_names(around, root))
    )
    return name in given


def _given_names(around: Surroundings, root: str) -> Iterator[str]:
    for _, text in project_texts(around, root):
        for match in _GIVEN.finditer(text or ""):
            yield match[1].rpartition("/")[2]


def is_loaded(around: Surroundings, *, states_trl: bool) -> bool:
    """Whether a program of the project loads a file by itself, and makes of its keys what it likes."""
    if around.path.lower().endswith(".json"):
        return is_loaded_as_json(around, states_trl=states_trl)
    return is_loaded_as_yaml(around)


def is_loaded_as_yaml(around: Surroundings) -> bool:
    """Whether a program of the project loads a YAML file by itself, and refuses no key of it.

    It names the file, or is the only one that takes such a file and sets only what its arguments have. One that hands
    all keys on to a class refuses what that class does not have.
    """
    folder, name = around.folder, os.path.basename(around.path)
    if folder is None or not name or any(line.own for line in around.launches):
        return False
    texts = [text for text in sources_around(around).values() if text]
    reading = [text for text in texts if any(word in text for word in (*LOADERS, *_PARSERS))]
    own = [
        text
        for text in reading
        if not any(parser in text for parser in _PARSERS) and _HANDED_ON.search(text) is None
    ]
    if len(reading) > len(own):
        # One that does not train may load what another program trains with.
        own = [text for text in own if any(word in text for word in _TRAINS)]
    if any(_names(text, name) for text in own):
        return not any(_names(text, name) for text in reading if text not in own)
    return len(reading) == 1 and any(all(one in text for one in _SETS_KNOWN) for text in own)


def _names(text: str, name: str) -> bool:
    """Whether a source has the name of a file as a text, or as the end of a path."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if text[at - 1 : at] in _BEFORE_NAME and text[end : end + 1] in _QUOTES:
            return True
        at = text.find(name, end)
    return False


def is_loaded_as_json(around: Surroundings, *, states_trl: bool) -> bool:
    """Whether a program of the project loads a JSON file by itself, without a parser of arguments.

    It names the file, or no program has such a parser and nothing in the project is about TRL.

    Args:
        states_trl: a file of the project asks for TRL.
    """
    folder, name = around.folder, os.path.basename(around.path)
    if folder is None or not name.lower().endswith(".json") or around.launches:
        return False
    texts = [text for text in sources_around(around).values() if text]
    loading = [text for text in texts if any(loader in text for loader in _JSON_LOADERS)]
    own = [text for text in loading if not any(parser in text for parser in _PARSERS)]
    if any(f'"{name}"' in text or f"'{name}'" in text for text in own):
        return True
    others = (*_PARSERS, "from trl", "import trl")
    return (
        bool(own) and not states_trl and not any(word in text for word in others for text in texts)
    )


def _is_field(text: str, start: int) -> bool:
    begin = text.rfind("\n", 0, start) + 1
    if text[begin:start] not in _FIELD_INDENT:
        return False
    stop = text.find("\n", start)
    line = text[begin : stop if stop >= 0 else len(text)]
    return len(line) <= _LONGEST_LINE and _FIELD.fullmatch(line) is not None


def arguments_near(document: Document, around: Surroundings, command: str) -> OwnArguments | None:
    """Those of the programs that a command starts with the file, else of those in its folder; None if neither tells."""
    folder = around.folder
    if folder is None:
        return None
    named = [one.text for one in programs_named_with(document, around)]
    sources = sources_around(around).items()
    beside = [text for path, text in sources if os.path.dirname(path) == folder]
    for texts in (named, beside):
        own = OwnArguments(text for text in texts if text)
        if own.has_parser and own.replace(command):
            return own
    return None


def arguments_around(around: Surroundings) -> OwnArguments:
    """The arguments that the programs of a config's project have or read.

    There are none when no program reads a config, and when a command of TRL's own is known to start the config.
    """
    folder = around.folder
    if folder is None or any(line.own for line in around.launches):
        return OwnArguments()
    root = project_root(around, folder)
    loaders = _JSON_LOADERS if around.path.lower().endswith(".json") else LOADERS
    return around.memory.once(
        ("own program", root, loaders),
        lambda: OwnArguments(python_sources(around, root).values(), loaders),
    )
