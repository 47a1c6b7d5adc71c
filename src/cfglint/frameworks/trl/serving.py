"""TRL's command that starts a server for a training: its options, release by release.

It fills a class of its own and none of a training; the table of that class is named after the command.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from cfglint.base.type_names import Final
from cfglint.frameworks.for_files import variant
from cfglint.knowledge.marks import MODULE
from cfglint.roles.class_options import options_of
from cfglint.roles.framework import Framework
from cfglint.roles.script_programs import names_file
from cfglint.source.languages.arguments import Arguments
from cfglint.source.languages.shell import Program, Programs
from cfglint.source.shell_values import ExpandedWord

#: The command, and the class that has its options.
SERVE: Final = "vllm-serve"
SERVER: Final = "trl.vllm-serve"
_OWN: Final = "trl"
_MODULE: Final = "trl.scripts.vllm_serve"
_FILE: Final = "trl/scripts/vllm_serve.py"
#: Since this release, words that it does not know are handed to vLLM's own server (cli/commands/vllm_serve.py).
_HANDS_ON_SINCE: Final = "1.11.0"


def server_programs(framework: Framework, release: str) -> Programs:
    """What finds the command among the words of a script."""

    def program_at(words: Sequence[ExpandedWord], at: int) -> Program | None:
        taken = _taken(words, at)
        if taken is None:
            return None
        following = words[at + 1 + taken :]
        if not following or names_file(following):
            return None
        return Program(SERVE, _options(framework, release), taken)

    return program_at


def hands_on(release: str) -> bool:
    """Whether a release gives words that it does not know to vLLM's own server."""
    return variant_of_server().release_keys(release).released(_HANDS_ON_SINCE)


def variant_of_server() -> Framework:
    """The framework with the options of the command."""
    from cfglint.roles.framework import load_framework

    return variant(load_framework(_OWN), kind=SERVER, language="shell")


def _taken(words: Sequence[ExpandedWord], at: int) -> int | None:
    """How many words behind one name the command; None where the word does not call it."""
    name = words[at].text
    if name.rpartition("/")[2] == _OWN:
        return 1 if at + 1 < len(words) and words[at + 1].text == SERVE else None
    if name == _MODULE:
        return 0 if at and words[at - 1].text in MODULE else None
    return 0 if name.endswith(_FILE) else None


@lru_cache(maxsize=16)
def _options(framework: Framework, release: str) -> Arguments:
    one = variant(framework, kind=SERVER, language="shell")
    keys = one.release_keys(release)
    found = options_of(one.keys, keys, lists=frozenset(), on=frozenset())
    return Arguments(found.table, found.keys, found.off, truths=found.truths)
