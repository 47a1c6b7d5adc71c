"""What starts of the words of a command: a text that a shell reads once more, and files of installed packages."""

from __future__ import annotations

from collections.abc import Sequence

from cfglint.base.lazy import lazy_pattern
from cfglint.base.package_folders import with_package_names
from cfglint.source.shell_values import ExpandedWord

#: What a shell makes of a value that is not quoted.
_FIELDS = lazy_pattern(r"[^ \t\n]+")
#: What makes more of a text than words.
_SIGNS = lazy_pattern(r"""[;&|<>()'"\\`$#\n*?\[{}~!]""")
#: Shells that run a text, and their options for it.
_SHELLS = frozenset({"bash", "sh", "zsh", "dash"})
_OF_TEXT = frozenset({"-c", "-lc", "-ec", "-xc"})


def started(words: list[ExpandedWord]) -> list[ExpandedWord]:
    """The words of what a command starts, a file below the folder of a package by its name in the package."""
    return [
        word._replace(text=with_package_names(word.text)) if word.open else word
        for word in _evaluated(words)
    ]


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
