"""The words `key=value` behind a file: `llamafactory-cli train x.yaml learning_rate=1e-5`.

OmegaConf reads each value as it reads one of a YAML file, and lays it over the file.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Any, Final
from cfglint.runs.settings.words import Override
from cfglint.runs.starts.start import Start
from cfglint.source.languages.base import Language
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from cfglint.source.values import to_python

#: A key at the top level; those in sections have dots.
_WORD: Final = lazy_pattern(r"([A-Za-z_]\w{0,99})=(.*)")
_KEY: Final = ("value",)


def word_of(key: str, value: Any) -> str | None:
    """The word that sets a key to a value; None for one that is no single word."""
    if value is None or isinstance(value, (dict, list)):
        return None
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"{key}={shlex.quote(text)}"


def overrides(line: Start, language: Language) -> Iterator[Override]:
    """The values that a launch line lays over a file."""
    for word in line.words:
        match = _WORD.fullmatch(word.text)
        if match is None or word.open:
            continue
        try:
            document = language.read(SourceText(f"value: {match[2]}\n"))
        except SourceError:
            continue
        node = document.node(_KEY)
        if node is not None:
            yield Override((match[1],), to_python(node), word.start, word.end)
