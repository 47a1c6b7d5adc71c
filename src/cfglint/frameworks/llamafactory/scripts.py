"""LLaMA-Factory's options on the line that starts it, in place of a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.marks import marks_of
from cfglint.roles.class_options import options_of
from cfglint.roles.script_programs import programs_of
from cfglint.roles.scripts import command_of
from cfglint.source.languages.arguments import Arguments
from cfglint.source.languages.shell import Shell
from cfglint.source.shell_values import ExpandedWord
from cfglint.source.text import SourceText

if TYPE_CHECKING:
    from cfglint.roles.framework import Framework

_SHARED: Final = frozenset({"ModelArguments", "DataArguments", "FinetuningArguments"})
_INFERENCE: Final = _SHARED | {"GeneratingArguments"}
#: Command -> the classes whose fields are its options; those of training are transformers', too.
CLASSES: Final = {
    "train": _SHARED | {"TrainingArguments", "GeneratingArguments"},
    "eval": _SHARED | {"EvaluationArguments"},
    **dict.fromkeys(("api", "chat", "export", "webchat"), _INFERENCE),
}
#: Options that take several words although their type is a text, too.
_LISTS: Final = frozenset({"debug"})
#: Options that earlier releases have on by default.
_ON: Final = frozenset({"use_cache"})
#: The first release whose transformers takes dashes for underscores.
_DASHES_SINCE: Final = "0.9.0"
#: Training's program up to 0.7.0, and that of the releases since.
OLDER_FILE: Final = "src/train_bash.py"
LAST_WITH_OLDER_FILE: Final = "0.7.0"
_OLDER_FILE_UNTIL: Final = "0.7.1"
_FILE: Final = "src/train.py"


def script_language(framework: Framework, release: str) -> Shell:
    """The language of scripts that start a release."""
    keys = framework.release_keys(release)

    def options_for(command: str, program: str, words: Sequence[ExpandedWord]) -> Arguments | None:
        if command not in CLASSES or not _is_there(program, keys, words):
            return None
        return _options(framework, release, command)

    return Shell(programs_of(framework.name, options_for))


def _is_there(program: str, keys: ReleaseKeys, words: Sequence[ExpandedWord]) -> bool:
    """Whether a release has the file that a word names, and other words show that it is this one."""
    of_older = program.endswith(OLDER_FILE)
    if not of_older and not program.endswith(_FILE):
        return True
    if keys.released(_OLDER_FILE_UNTIL) == of_older:
        return False
    starter = marks_of("llamafactory").starter
    assert starter is not None
    return any(word.text.partition("=")[0] in starter.file_options for word in words)


def starts_older_file(framework: Framework, text: str) -> bool:
    """Whether a script starts a command of the last release with the older program, and none of the newest."""
    source = SourceText(text)

    def starts(release: str) -> bool:
        return bool(command_of(script_language(framework, release).read(source).root))

    return starts(LAST_WITH_OLDER_FILE) and not starts(framework.releases.newest)


@lru_cache(maxsize=32)
def _options(framework: Framework, release: str, command: str) -> Arguments:
    keys = framework.release_keys(release)
    reads = reads_of(command, keys)
    return options_of(
        framework.keys,
        keys,
        reads=reads,
        lists=_LISTS,
        on=_ON,
        dashes=keys.released(_DASHES_SINCE),
    )


def reads_of(command: str, keys: ReleaseKeys) -> Callable[[str], bool]:
    """Whether a command has an option, by its name."""
    spans: dict[str, dict[str, tuple[str, str | None]]] = compiled.load(
        "llamafactory_effective"
    ).CLASSES
    classes = CLASSES[command]
    if command == "train":
        other = spans["EvaluationArguments"].keys() - {
            name for one in classes for name in spans.get(one, ())
        }
        return lambda name: name not in other

    def reads(name: str) -> bool:
        for one in classes:
            since, end = spans[one].get(name, (None, None))
            if since and keys.released(since) and not (end is not None and keys.released(end)):
                return True
        return False

    return reads
