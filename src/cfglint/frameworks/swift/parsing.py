"""What ms-swift's commands make of the words of a line, and of the values of a file.

A file becomes the words of a line: `key: value` is `--key` and what `str` makes of the value, a list is one word for
each of its members, a mapping its JSON.
"""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.frameworks.swift.judge import FILE_WORDS
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.keys.word_judge import CLASS_WORDS
from cfglint.roles.option_parsing import OptionParsing

if TYPE_CHECKING:
    from cfglint.source.languages.base import Language


class SwiftParsing(OptionParsing):
    """YAML, or the words of a command; `argparse` converts both."""

    def make_script_language(self, release: str) -> Language:
        from cfglint.frameworks.swift.scripts import script_language

        return script_language(self.framework, release)

    def judge(self, release: str) -> Judge:
        return CLASS_WORDS if self.framework.in_scripts else FILE_WORDS


ROLE = SwiftParsing
