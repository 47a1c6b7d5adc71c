"""The keys of a config to which a program of the project gives other values, before a framework gets them.

Such a program is started with the file, or names it; it loads YAML by itself, and sets keys of what it has loaded: one by
one, or whatever its options are called.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.other_programs import programs_named_with
from cfglint.environment.python_sources import LOADERS, sources_around
from cfglint.environment.surroundings import Surroundings
from cfglint.source.document import Document

#: `config["data"]["seed"] = …`, `del config["seed"]`, `config.pop("seed")`, `config.setdefault("seed", …)`.
_ITEM = lazy_pattern(
    r"""\w\[["'](\w{1,60})["']\](?:\[[^\[\]\n]{1,60}\]){0,4}[ \t]{0,4}(?:[|+]=|=(?!=))"""
)
_TAKEN_OUT = lazy_pattern(
    r"""(?:\bdel \w{1,40}\[|\.pop\(\s{0,9}|\.setdefault\(\s{0,9})["'](\w{1,60})["']"""
)
#: `config.seed = …` of what a library of settings has loaded.
_ATTRIBUTE = lazy_pattern(
    r"(?<![\w.])(?:\w{0,30}_)?(?:cfg|config|conf)\.(\w{1,60})(?:\.\w{1,60}){0,4}[ \t]{0,4}=(?!=)"
)
#: `config.update({"seed": 1})`, `config.update(seed=1)`.
_UPDATE = lazy_pattern(r"\.update\(([^()]{0,2000})")
_PAIR = lazy_pattern(r"""["'](\w{1,60})["']\s{0,9}:|(?<![\w.])(\w{1,60})[ \t]{0,4}=(?!=)""")
#: `setattr(config, "seed", …)`, `set_if_auto(config, "seed", …)` of a function of the program.
_BY_FUNCTION = lazy_pattern(
    r"""\bset\w{0,40}\(\s{0,40}(?:cfg|config|conf)\w{0,20},\s{0,40}["'](\w{1,60})["']\s{0,40},"""
)
#: A function that is given the settings, and one with all that is in it.
_HANDED = lazy_pattern(r"\b(\w{1,60})\(\s{0,40}(?:\w{0,30}_)?(?:cfg|config|conf)\b")
_FUNCTION = lazy_pattern(r"(?m)^def (\w{1,60})\([^\n]*(?:\n(?:[ \t)][^\n]*)?)*")
_MAX_CALLS = 100
_OPTION = lazy_pattern(r"""["']--(\w[\w-]{0,60})["'/]""")
#: What goes over all options of a program, one after the other.
_OVER_OPTIONS = ("vars(", ".__dict__", "setattr(", "getattr(", "**kwargs")


def keys_laid_over(document: Document, around: Surroundings) -> frozenset[str]:
    """The keys at the top of a config whose values in a run a program of the project decides."""
    folder = around.folder
    if folder is None or not around.path:
        return frozenset()

    def look() -> frozenset[str]:
        return frozenset(key for text in _programs(document, around, folder) for key in _set(text))

    return around.memory.once(("keys laid over", around.path), look)


def keys_filled_in(document: Document, around: Surroundings) -> frozenset[str]:
    """The keys at the top of a config that a program of the project gives to a function which sets them, under conditions of its own."""
    folder = around.folder
    if folder is None or not around.path:
        return frozenset()

    def look() -> frozenset[str]:
        texts = _programs(document, around, folder)
        return frozenset(found[1] for text in texts for found in _BY_FUNCTION.finditer(text))

    return around.memory.once(("keys filled in", around.path), look)


def _programs(document: Document, around: Surroundings, folder: str) -> Iterator[str]:
    """The texts of the programs that load the file by themselves, and of the functions that they hand it to."""
    name = os.path.basename(around.path)
    sources = sources_around(around).values()
    quoted = f'{name}"', f"{name}'"
    texts = [text for text in sources if text and any(one in text for one in quoted)]
    constants = _constants(texts, name)
    if constants is not None:
        texts += [text for text in sources if text and constants.search(text)]
    texts += [program.text for program in programs_named_with(document, around)]
    handed: set[str] = set()
    for text in dict.fromkeys(texts):
        if any(loader in text for loader in LOADERS):
            yield text
            handed.update(found[1] for found in islice(_HANDED.finditer(text), _MAX_CALLS))
    for source in sources if handed else ():
        for found in _FUNCTION.finditer(source or ""):
            if found[1] in handed:
                yield found[0]


def _constants(texts: list[str], name: str) -> re.Pattern[str] | None:
    """The names of constants that are the path of a file, as other modules use them; None without one."""
    constant = re.compile(
        rf"""(?m)^([A-Z][A-Z0-9_]{{2,60}})[ ]?=[^\n]{{0,200}}{re.escape(name)}["']"""
    )
    names = {found[1] for text in texts for found in constant.finditer(text)}
    return re.compile(rf"\b(?:{'|'.join(sorted(names))})\b") if names else None


def _set(text: str) -> Iterator[str]:
    """The keys that a program sets."""
    for pattern in (_ITEM, _TAKEN_OUT, _ATTRIBUTE):
        for found in pattern.finditer(text):
            yield found[1]
    for update in _UPDATE.finditer(text):
        for pair in _PAIR.finditer(update[1]):
            yield pair[1] or pair[2]
    if any(one in text for one in _OVER_OPTIONS):
        for found in _OPTION.finditer(text):
            yield found[1].replace("-", "_")
