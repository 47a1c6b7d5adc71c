"""The ways in which a command is written down, one module each.

Each has a function `words(text, at, variables)`: the words of the command that a place is in, empty
where it is not written that way. A new way is a module with such a function, and its name in `WAYS`.
"""

from __future__ import annotations

from collections.abc import Callable

from cfglint.runs.starts.start import Word
from cfglint.runs.starts.ways import items, shell, strings

#: Text, the place of the program in it, the variables that the text sets -> the words.
Way = Callable[[str, int, dict[str, str]], list[Word]]
#: In this order; the last one takes any text for a shell's.
WAYS: tuple[Way, ...] = (strings.words, items.words, shell.words)
