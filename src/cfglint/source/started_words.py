"""What starts of the words of a command: a text that a shell reads once more, and files of installed packages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cfglint.base.lazy import lazy_pattern
from cfglint.base.package_folders import with_package_names
from cfglint.base.type_names import Final
from cfglint.source.shell_values import ExpandedWord

#: What a shell makes of a value that is not quoted.
_FIELDS = lazy_pattern(r"[^ \t\n]+")
#: What makes more of a text than words.
_SIGNS = lazy_pattern(r"""[;&|<>()'"\\`$#\n*?\[{}~!]""")
#: What a variable has unless who runs the script gives it another value: `${PYTHON:-python}`.
_DEFAULT = lazy_pattern(
    r"\$\{[A-Za-z_]\w{0,80}:?[-=][\"']?((?:[\w./+-]|\$[A-Za-z_]\w{0,80}|\$\{[A-Za-z_]\w{0,80}\}){1,200})[\"']?\}"
)
_NONE: Final[Mapping[str, str]] = {}
#: A program of Python, wherever it is in a command.
_PROGRAM = ".py"
#: Shells that run a text, and their options for it.
_SHELLS = frozenset({"bash", "sh", "zsh", "dash"})
_OF_TEXT = frozenset({"-c", "-lc", "-ec", "-xc"})


def started(words: list[ExpandedWord], defaults: Mapping[str, str] = _NONE) -> list[ExpandedWord]:
    """The words of what a command starts, a file below the folder of a package by its name in the package.

    What names a program is what a variable has by default, where it is given no other value: `${TOOL:-tool} train`.

    Args:
        defaults: what variables have that another command of the script gives a default.
    """
    found, options = [], False
    for word in _evaluated(words):
        options = options or word.text.startswith("-")
        found.append(_named(word, defaults, options) if word.open else word)
    return found


def _named(word: ExpandedWord, defaults: Mapping[str, str], options: bool) -> ExpandedWord:
    """A word that is not known, by the name of a program that it has unless it is given another.

    Args:
        options: whether it comes behind an option, so that it may be the value of one.
    """
    text = with_package_names(word.text)
    match = _DEFAULT.fullmatch(text)
    name = match[1] if match is not None else defaults.get(text.removeprefix("$"), "")
    if name and (not options or name.endswith(_PROGRAM)):
        return word._replace(text=name, open="$" in name, many=False)
    return word._replace(text=text)


def _evaluated(words: list[ExpandedWord]) -> list[ExpandedWord]:
    """The words that `eval`, or `bash -c`, makes of one text, if no sign in it means more to a shell than a letter."""
    if len(words) < 2:
        return words
    *before, text = words
    by_shell = [one.text.rpartition("/")[2] for one in before[-2:]]
    if len(before) > 1 and by_shell[0] in _SHELLS and by_shell[1] in _OF_TEXT:
        before = before[:-2]
    elif [one.text for one in before] == ["eval"]:
        before = []
    else:
        return words
    if text.open or text.many or _SIGNS.search(text.text):
        return words
    return before + [ExpandedWord(one, text.start, text.end) for one in _FIELDS.findall(text.text)]


def is_of_another(words: Sequence[ExpandedWord], at: int) -> bool:
    """Whether a word is the value of an option of a Python program: `patch.py --target src/train.py`."""
    option = words[at - 1].text if at else ""
    is_value = option.startswith("--") and "=" not in option
    return is_value and any(one.text.endswith(".py") for one in words[: at - 1])
