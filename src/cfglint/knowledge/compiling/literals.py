"""The texts of which one is in whatever a regular expression matches."""

from __future__ import annotations

from typing import Any

from cfglint.base.regex_trees import REPEATS, constants, parse

#: More texts than this take as long to look for as the pattern.
_MAX_TEXTS = 12

Texts = tuple[str, ...]


def literals(pattern: str) -> Texts:
    """Lower-case texts of which one is in every match, in any case; () when none are certain.

    Raises:
        ParseError: the pattern is not a regular expression.
    """
    return _of_sequence(parse(pattern))


def _of_sequence(tree: Any) -> Texts:
    """The texts that tell most, of all that a sequence has to contain."""
    found: list[Texts] = []
    run = ""
    for code, argument in tree:
        if code is constants.LITERAL:
            run += chr(argument).lower()
            continue
        found.append(_of_run(run))
        run = ""
        if code is constants.SUBPATTERN:
            found.append(_of_sequence(argument[-1]))
        elif code is constants.BRANCH:
            found.append(_of_branches([_of_sequence(branch) for branch in argument[1]]))
        elif code is constants.IN:
            found.append(_of_branches([_of_member(member) for member in argument]))
        elif code in REPEATS and argument[0] > 0:
            found.append(_of_sequence(argument[2]))
    found.append(_of_run(run))
    return max(found, key=_worth)


def _of_run(run: str) -> Texts:
    return (run,) if run else ()


def _of_branches(branches: list[Texts]) -> Texts:
    texts = tuple(dict.fromkeys(text for branch in branches for text in branch))
    return texts if all(branches) and len(texts) <= _MAX_TEXTS else ()


def _of_member(member: tuple[Any, Any]) -> Texts:
    code, argument = member
    return (chr(argument).lower(),) if code is constants.LITERAL else ()


def _worth(texts: Texts) -> tuple[int, int]:
    """Long texts are rare, and few are looked for faster."""
    return (min(map(len, texts), default=0), -len(texts))
