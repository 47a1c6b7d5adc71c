"""Shell scripts that start a Python program: its options are the keys of the document.

`Shell` reads what is general. A framework whose configs are scripts makes one of its own, which
knows its programs and their options; words are assigned to options as Python's `argparse` does, or
follow a grammar of the program's own.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.base.paths import SCRIPT_SUFFIXES
from cfglint.base.record import NamedTuple, Record
from cfglint.base.type_names import TYPE_CHECKING, Any, Final, Literal
from cfglint.source import shell_words
from cfglint.source.document import Alias, Document, Entry, Node, Scalar
from cfglint.source.document import Mapping as MappingNode
from cfglint.source.document import Sequence as SequenceNode
from cfglint.source.languages.arguments import Argument, Arguments, Problem, parsed
from cfglint.source.languages.base import Unwritable
from cfglint.source.languages.dotted_options import nested
from cfglint.source.languages.words import ReadWords, WordGrammar
from cfglint.source.shell_values import ExpandedWord, ShellVariables
from cfglint.source.shell_words import Script
from cfglint.source.started_words import is_of_another, started
from cfglint.source.text import Comment, SourceText
from cfglint.source.values import Unexpanded

if TYPE_CHECKING:
    from cfglint.source.languages.overrides import ConfigWord

_STR = "tag:yaml.org,2002:str"
_BOOL = "tag:yaml.org,2002:bool"
_NULL = "tag:yaml.org,2002:null"
_TRUTHS = {
    **dict.fromkeys(("true", "t", "yes", "y", "1"), True),
    **dict.fromkeys(("false", "f", "no", "n", "0"), False),
}
#: What Hydra lays over a config, in a name that no variable has.
_OVERRIDE: Final = lazy_pattern(r"[+~]{0,2}[A-Za-z_]\w{0,80}(?:[.@/][\w-]{1,80}){1,20}=")
#: Commands that only talk of others.
_TALKING = frozenset({"cat", "echo", "printf", "log", "logger", "grep", "sed", "ls", "rm", "cp"})
#: Switches of torch's launcher; all other options of it have a value.
_SWITCHES = frozenset({"standalone", "no_python", "module", "m", "run_path", "use_env", "u"})
_LAUNCHERS = frozenset({"torchrun", "torch.distributed.run", "torch.distributed.launch"})
_MAX_COMMANDS = 20
#: Entries of a document that are not options, other than further commands.
_FRAME = frozenset({"environment", "launcher", "program"})
_FURTHER = "command "
#: The longest real command has 60.
_MAX_WORDS = 1_000


class Program(NamedTuple):
    """A program that a command starts."""

    name: str
    options: Arguments | WordGrammar
    #: How many of the words behind its own are not options: a sub-command, for example.
    taken: int = 0


#: The words of a command, the place of one of them -> the program that it is; None for all others.
Programs = Callable[[Sequence[ExpandedWord], int], Program | None]


class Command(Record):
    """What is known about a command besides its options (`Mapping.about`)."""

    #: Whether it may be meant to have options that are not read: words that expand to what is not known
    #: may be any, and a broken line end cuts off those behind it.
    hides_keys: bool
    #: What the program's parser refuses of the words.
    problems: tuple[Problem, ...]
    #: Where its last word ends.
    end: int
    #: The words of the command that follows it, unless its output goes there.
    after: tuple[tuple[ExpandedWord, ...], ...]
    #: The command that its output is piped into; empty when it is not.
    piped: str
    #: The words that change a composed configuration, in their order; None for options with dashes.
    overrides: tuple[ConfigWord, ...] | None = None
    #: The sections that the dots of its options name.
    sections: frozenset[str] = frozenset()
    #: The first word that may be any others, as it is written: `$ARGS`.
    hiding: str = ""


def command_of(node: Node) -> Command | None:
    """What is known about the command that a document, or a section of one, is."""
    about = node.about if isinstance(node, MappingNode) else None
    return about if isinstance(about, Command) else None


def options_of(command: tuple[ExpandedWord, ...]) -> tuple[ExpandedWord, ...]:
    """The words of a command that is nothing but options, which belong to the one before it.

    So does a word such as `trainer.nnodes=1`: no command has such a name, and no variable.
    """
    if command and (command[0].text.startswith("--") or _OVERRIDE.match(command[0].text)):
        return command
    return ()


def is_frame(name: str) -> bool:
    """Whether an entry of a document is no option, but what starts the program, or a further command."""
    return name in _FRAME or name.startswith(_FURTHER)


class Shell:
    """The language of shell scripts.

    Args:
        programs: finds the program that a word of a command is.
        behind: the program that is the first command of a script only if it has no others.
    """

    name = "shell"
    suffixes = SCRIPT_SUFFIXES
    structure: Literal["words"] = "words"

    def __init__(self, programs: Programs = lambda _words, _at: None, behind: str = "") -> None:
        self.programs = programs
        self._behind = behind

    def read(self, source: SourceText, *, pure: bool = False) -> Document:
        """The document: the first command of a script that starts one of the programs.

        Further ones are sections of it: `command 2`, `command 3` and so on.
        """
        text = source.text
        script = script_of(text)
        variables = ShellVariables(script, text)
        commands: list[MappingNode] = []
        for number, statement in enumerate(script.statements):
            if len(statement.words) > _MAX_WORDS:
                continue
            words = started(variables.expanded(statement), variables.defaults)
            end = statement.words[-1].end
            command = self._command(words, end, text) if len(words) <= _MAX_WORDS else None
            if command is None:
                continue
            node, read = command
            following = [
                one
                for one in script.statements[number + 1 : number + 2]
                if len(one.words) <= _MAX_WORDS
            ]
            after = tuple(tuple(variables.expanded(one)) for one in following)
            pipes = bool(after) and following[0].joined in ("|", "|&") and bool(after[0])
            piped = after[0][0].text if pipes else ""
            after = () if pipes else after
            hides = read.hides or bool(after and options_of(after[0]))
            node.about = Command(
                hides,
                read.problems,
                end,
                after,
                piped,
                read.overrides,
                read.sections,
                read.hiding,
            )
            commands.append(node)
            if len(commands) == _MAX_COMMANDS:
                break
        if not commands:
            return Document(source, MappingNode(0, 0, None, None, flow=True), language=self)
        commands.sort(key=lambda one: self._behind != "" and _program(one) == self._behind)
        root, *others = commands
        for number, other in enumerate(others, 2):
            key = _scalar(f"{_FURTHER}{number}", other.start, other.start, str(number))
            root.entries.append(Entry(key, other))
        return Document(source, root, language=self)

    def _command(
        self, words: list[ExpandedWord], end: int, text: str
    ) -> tuple[MappingNode, ReadWords] | None:
        """A command that starts one of the programs, and what its words are."""
        if not words or words[0].text in _TALKING:
            return None
        for at, word in enumerate(words):
            program = None if is_of_another(words, at) else self.programs(words, at)
            if program is not None:
                first = at + 1 + program.taken
                return _built(words[:at], word, program, words[first:], end, text)
        return None

    def render(self, value: Any, *, flow: bool = False, style: str = "") -> str:
        """A value as words.

        Raises:
            Unwritable: it is a mapping, or nothing.
        """
        return render(value)

    def comments(self, document: Document) -> list[Comment]:
        """All comments, in file order."""
        return list(script_of(document.text).comments)

    def doubts(self, before: Document, after: SourceText) -> str | None:
        """Why Python's `shlex` splits a changed text into other words than we do."""
        if _agrees(after.text) or not _agrees(before.text):
            return None
        return "Python's shlex splits the result into other words"


def _program(command: MappingNode) -> Any:
    """The program that a command starts."""
    values = (one.value for one in command.entries if one.name == "program")
    return next((value.value for value in values if isinstance(value, Scalar)), None)


@lru_cache(maxsize=8)
def script_of(text: str) -> Script:
    """The commands of a script; the same text is read once."""
    return shell_words.read(text)


def render(value: Any) -> str:
    """A value as words of a command.

    Raises:
        Unwritable: it is a mapping, or nothing.
    """
    if isinstance(value, (list, tuple)):
        return " ".join(render(item) for item in value)
    if isinstance(value, bool) or value is None or isinstance(value, dict):
        raise Unwritable(
            f"A value of the kind {type(value).__name__} cannot be a word of a command."
        )
    text = str(value)
    if "\n" in text or "\r" in text:
        raise Unwritable("The value has several lines.")
    return shlex.quote(text)


def _agrees(text: str) -> bool:
    """Whether `shlex` finds the words that we find, in this order; variables are left aside."""
    ours = [
        "".join(piece.text for piece in word.pieces)
        for statement in script_of(text).statements
        for word in statement.words
        if all(piece.kind == "text" for piece in word.pieces)
    ]
    joined = text.replace("\\\r\n", " ").replace("\\\n", " ")
    lexer = shlex.shlex(joined, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    try:
        theirs = iter(list(lexer))
    except ValueError:
        return False
    return all(any(word == other for other in theirs) for word in ours)


def _built(
    before: list[ExpandedWord],
    word: ExpandedWord,
    program: Program,
    words: list[ExpandedWord],
    end: int,
    text: str,
) -> tuple[MappingNode, ReadWords]:
    """The mapping that a command is, and what its words are."""
    node = MappingNode((before[0] if before else word).start, end, None, None, flow=True)
    for part in (_environment(before), _launcher(before)):
        if part is not None:
            node.entries.append(part)
    key = _scalar("program", word.start, word.end)
    node.entries.append(Entry(key, _scalar(program.name, word.start, word.end)))
    read = _read(words, program.options, text)
    node.entries += read.entries
    return node, read


def _read(words: list[ExpandedWord], options: Arguments | WordGrammar, text: str) -> ReadWords:
    if not isinstance(options, Arguments):
        return options.read(words, text)
    found = parsed(words, options)
    entries = [_entry(argument) for argument in found.found]
    if options.sections:
        entries = nested(entries, options.sections)
    hiding = "" if found.hiding is None else found.hiding.text
    hides = found.hiding is not None
    return ReadWords(
        entries, tuple(found.problems), hides, sections=options.sections, hiding=hiding
    )


def _environment(words: list[ExpandedWord]) -> Entry | None:
    """What is set for the command alone: `CUDA_VISIBLE_DEVICES=0,1 torchrun …`."""
    found: list[Entry] = []
    for word in words:
        name, equals, value = word.text.partition("=")
        if not equals or not name.isidentifier():
            break
        key, inner = _split(word, name, value)
        found.append(Entry(_scalar(name, *key), _value(inner)))
    if not found:
        return None
    node = MappingNode(found[0].key.start, found[-1].value.end, None, None, flow=True)
    node.entries = found
    return Entry(_scalar("environment", node.start, node.start), node)


def _launcher(words: list[ExpandedWord]) -> Entry | None:
    """The program that starts the processes, with its options."""
    for at, word in enumerate(words):
        name = word.text.rpartition("/")[2]
        if name in _LAUNCHERS or name.startswith("python"):
            if name.startswith("python") and any(one.text in _LAUNCHERS for one in words[at:]):
                continue
            node = MappingNode(word.start, words[-1].end, None, None, flow=True)
            held = name if name in _LAUNCHERS else "python"
            named = _scalar("name", word.start, word.end)
            node.entries.append(Entry(named, _scalar(held, word.start, word.end)))
            node.entries += _launch_options(words[at + 1 :])
            return Entry(_scalar("launcher", word.start, word.end), node)
    return None


def _split(word: ExpandedWord, name: str, value: str) -> tuple[tuple[int, int], ExpandedWord]:
    """The place of the name in `name=value`, and the value as a word."""
    end = min(word.start + len(name), word.end)
    return (word.start, end), word._replace(text=value, start=min(end + 1, word.end), origin=None)


def _launch_options(words: list[ExpandedWord]) -> list[Entry]:
    found: list[Entry] = []
    left = list(words)
    while left:
        word = left.pop(0)
        name, equals, value = word.text.partition("=")
        plain = name.lstrip("-").replace("-", "_")
        if not name.startswith("-") or not plain:
            if word.many:
                found.append(Entry(_scalar("?", word.start, word.end), _value(word)))
            continue
        (start, end), inner = _split(word, name, value)
        key = _scalar(plain, start, end)
        if equals:
            found.append(Entry(key, _value(inner)))
        elif plain not in _SWITCHES and left and not left[0].text.startswith("-"):
            found.append(Entry(key, _value(left.pop(0))))
        else:
            found.append(Entry(key, _switch(word)))
    return found


def _entry(argument: Argument) -> Entry:
    """The entry of an option."""
    key = _scalar(argument.name, argument.start, argument.end, argument.written)
    if argument.kind in ("switch", "off"):
        on = argument.kind == "switch"
        node = Scalar(argument.start, argument.end, None, None, argument.written, "", _BOOL, on)
        return Entry(key, node)
    if argument.kind == "list":
        start = argument.words[0].start if argument.words else argument.end
        end = argument.words[-1].end if argument.words else argument.end
        items = SequenceNode(start, end, None, None, flow=True)
        items.items = [_value(word) for word in argument.words]
        return Entry(key, items)
    if not argument.words:
        return Entry(key, Scalar(argument.end, argument.end, None, None, "", "", _NULL, None))
    if argument.kind == "truth":
        return Entry(key, _truth(argument.words[0]))
    return Entry(key, _value(argument.words[0]))


def _truth(word: ExpandedWord) -> Node:
    """The truth that a word is to `HfArgumentParser`; any other word is the text that it refuses."""
    node = _value(word)
    scalar = node.target()
    truth = _TRUTHS.get(word.text.lower())
    if isinstance(scalar, Scalar) and scalar.value == word.text and truth is not None:
        scalar.value, scalar.resolved = truth, _BOOL
    return node


def _value(word: ExpandedWord) -> Node:
    """The value that a word is; where a variable is the whole word, at the place that sets it."""
    value = Unexpanded(word.text) if word.open or word.many else word.text
    if word.origin is not None and not word.open:
        held = Scalar(*word.origin, None, None, word.text, "", _STR, value)
        return Alias(word.start, word.end, held)
    return Scalar(word.start, word.end, None, None, word.text, "", _STR, value)


def _switch(word: ExpandedWord) -> Scalar:
    return Scalar(word.start, word.end, None, None, word.text, "", _BOOL, True)


def _scalar(value: str, start: int, end: int, text: str | None = None) -> Scalar:
    return Scalar(start, end, None, None, value if text is None else text, "", _STR, value)


SHELL = Shell()
