"""What ms-swift's commands make of the words of a line, and of the values of a file.

A file becomes the words of a line: `key: value` is `--key` and what `str` makes of the value, a list is one word for
each of its members, a mapping its JSON. Before 4.6.0 the members of a list were left as they were.
"""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.frameworks.swift.judge import FILE_WORDS, JOINED_WORDS
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.keys.release_keys import not_before
from cfglint.knowledge.keys.word_judge import CLASS_WORDS
from cfglint.roles.option_parsing import OptionParsing

if TYPE_CHECKING:
    from cfglint.source.languages.base import Language

#: The first release that makes words of all members of lists.
_WORDS_SINCE: Final = "4.6.0"


class SwiftParsing(OptionParsing):
    """YAML, or the words of a command; `argparse` converts both."""

    def make_script_language(self, release: str) -> Language:
        from cfglint.frameworks.swift.scripts import script_language

        return script_language(self.framework, release)

    def judge(self, release: str) -> Judge:
        if self.framework.in_scripts:
            return CLASS_WORDS
        versions = self.framework.releases.versions
        return FILE_WORDS if not_before(versions, release, _WORDS_SINCE) else JOINED_WORDS


ROLE = SwiftParsing
