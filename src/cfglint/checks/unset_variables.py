"""Variables that a command has and its script sets nowhere, though it sets one of nearly the same name for nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.spelling import is_one_slip
from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Edit, Fix, Related
from cfglint.source.languages.shell import command_of, script_of
from cfglint.source.shell_words import Script
from cfglint.source.text import Span

_NAME = lazy_pattern(r"[A-Za-z_]\w*")
_USED = lazy_pattern(r"\$\{?([A-Za-z_]\w*)")
#: Where nothing is put in the place of a variable that is not set: not `${SIZE:-8}`.
_PLAIN = lazy_pattern(r"\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})")
_ASSIGNED = lazy_pattern(r"([A-Za-z_]\w{2,60})=(?=.)")
#: What may set any variable, or name one by the value of another.
_HIDING = lazy_pattern(
    r"\beval\b|\bsource\b|(?:^|[;&|\n])[ \t]*\.[ \t]|\$\{!|\bdeclare\b|\bset[ \t]+-\w{0,9}a"
)
#: The variables of one script with fewer letters are often alike: `lr1`, `lr2`.
_SHORTEST: Final = 5


def unset_variable(ctx: CheckContext) -> Iterator[Hit]:
    """`--output_dir $OUTPUT_DIR` behind `OUTPT_DIR=out`."""
    text, root = ctx.document.text, ctx.document.root
    command = command_of(root)
    if command is None or _HIDING.search(text) is not None:
        return
    script = script_of(text)
    used, all_names = (
        Counter(_USED.findall(text)),
        Counter(_NAME.findall(_without_comments(text, script))),
    )
    for word_start, word_end in _words(script, root.start, command.end):
        for match in _PLAIN.finditer(text, word_start, word_end):
            name = match[1] or match[2]
            if len(name) < _SHORTEST or all_names[name] != used[name]:
                continue
            other = _set_for_nothing(name, script, text, all_names)
            if other is not None:
                own = text[other.start : other.end]
                fix = Fix(
                    f"Write {own}", "unsafe", (Edit(*match.span(match.lastindex or 1), own),), ()
                )
                related = Related(other, "is set and not used")
                params = {"variable": name, "other": own}
                yield Hit(
                    (), Span(*match.span(match.lastindex or 1)), params, (related,), fixes=(fix,)
                )


def _without_comments(text: str, script: Script) -> str:
    parts, at = [], 0
    for comment in script.comments:
        parts.append(text[at : comment.span.start])
        at = comment.span.end
    return "".join((*parts, text[at:]))


def _words(script: Script, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The places of the words of a command."""
    for statement in script.statements:
        if statement.words[0].start <= start < statement.words[-1].end:
            yield from ((word.start, word.end) for word in statement.words if word.end <= end)


def _set_for_nothing(name: str, script: Script, text: str, names: Counter[str]) -> Span | None:
    """Where the script sets a variable of nearly that name that it has nowhere else."""
    for statement in script.statements:
        first = statement.words[0]
        exports = text[first.start : first.end] == "export"
        words = statement.words[1:] if exports else statement.words
        found = [_ASSIGNED.match(text, word.start, word.end) for word in words]
        for match in found:
            if match is None or None in found:
                break  # for one command alone
            other = match[1]
            is_alike = other.lower() == name.lower() or is_one_slip(other, name)
            if names[other] == 1 and is_alike and not _differ_in_number(other, name):
                return Span(*match.span(1))
    return None


def _differ_in_number(left: str, right: str) -> bool:
    return re.sub(r"\D", "", left) != re.sub(r"\D", "", right)


CHECKS = {"unset-variable": unset_variable}
