"""The answer of `cfglint diagnose`, for people and coding agents."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from cfglint.answers.logs.asking import asks
from cfglint.answers.logs.callers import last_frame, passed_by
from cfglint.answers.logs.causes import home_of
from cfglint.answers.logs.guesses import condition
from cfglint.answers.logs.histories import history
from cfglint.answers.logs.lacked import account
from cfglint.base.shortened import shortened
from cfglint.report.diagnosis_words import NO_SUBJECT, Subject, message, remedy
from cfglint.report.escaping import line_start, visible, visible_path
from cfglint.report.prose import terminal
from cfglint.report.style import Style
from cfglint.roles.framework import load_framework

_UNDECIDED = "A check finds that (KEY001, KEY005) only for the release that ran; state it with `--target PACKAGE==VERSION`."
_UNCHECKED = (
    "cfglint does not check this file, as it knows no options of what the command starts: the program, or its "
    "`--help`, says what they are called."
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from cfglint.answers.logs.causes import ProbableCause
    from cfglint.answers.logs.diagnosis import RunDiagnosis
    from cfglint.answers.logs.failures import Failure
    from cfglint.answers.logs.found import ConfigFinding
    from cfglint.answers.logs.refused import RefusedKey

#: Characters of a failure that are shown; failures without a known cause; other errors of the config.
_MAX_FAILURE, _MAX_UNEXPLAINED, _MAX_ERRORS = 300, 2, 5
#: A width in which nothing is wrapped.
_ONE_LINE = 100_000
#: Characters of what follows on an explained failure.
_MAX_FOLLOWER = 100
_WHERE = (
    "It is misspelt, or what passes it is made for another release. If a file of yours has it, "
    "`cfglint CONFIG` names its line."
)
_NOT_THERE = (
    "The files that were checked do not have it: what passes it is made for another release."
)

_PASSED = (
    "It is {by} that passes it ({place}), so the two are of different times. Code that comes with a model "
    "(`trust_remote_code`) or is written for another release of that package follows it: update what refuses the "
    "argument, or install the release of the one that passes it which it was made for."
)


def render_text(
    found: RunDiagnosis, log: str, style: Style, width: int, subject: Subject = NO_SUBJECT
) -> str:
    """What is known about the end of a run, the most probable cause first."""
    lines: list[str] = []
    for alike in _alike(found).values():
        for own in alike:
            lines += _failure(own[0].failure, log, style, width)
        own = alike[0]
        is_led = any(cause.leads or cause.lacked or cause.key for cause in own)
        for cause in own:
            lines += _cause(cause, found, style, width, subject, brief=is_led)
        followers = [one for own in alike for one in _followers(own[0].failure, found)]
        lines += [style.dim(f"  {line}") for line in _following(followers, width - 2)]
        lines.append("")
    lines += _unexplained(found, log, style, width)
    if found.other_errors:
        lines.append("Other errors of the config:")
        for one in found.other_errors[:_MAX_ERRORS]:
            lines += _error(one, width)
        left = len(found.other_errors) - _MAX_ERRORS
        lines += [f"  and {left} more; `cfglint CONFIG` lists them"] if left > 0 else []
        lines.append("")
    first = _first_failed(found)
    if first and not any(one.failure.is_consequence for one in found.causes):
        lines += map(style.dim, _wrapped(first, width))
    lines.append(style.dim(_read_from(found)))
    return "\n".join(lines) + "\n"


def render_agent(found: RunDiagnosis, log: str, subject: Subject = NO_SUBJECT) -> str:
    """The same for coding agents: a line for each failure, `PLACE | FAILURE | CAUSE | WHAT TO DO | ADDRESS`."""
    text = render_text(found, log, Style(color=False), _ONE_LINE, subject)
    blocks = [block.splitlines() for block in text.split("\n\n")]
    lines = [" | ".join(line.strip() for line in block) for block in blocks if block]
    return "".join(f"{line}\n" for line in [*lines, f"causes named: {len(found.accounted)}"])


def _alike(found: RunDiagnosis) -> dict[tuple[Any, ...], list[list[ProbableCause]]]:
    """The causes of each failure, under what they say: failures with the same causes are explained once.

    What an end leads, and the config does not have, is no difference.
    """
    of_failures: dict[Failure, list[ProbableCause]] = {}
    for cause in found.causes:
        of_failures.setdefault(cause.failure, []).append(cause)
    alike: dict[tuple[Any, ...], list[list[ProbableCause]]] = {}
    for own in of_failures.values():
        is_led = any(one.leads for one in own)
        content = tuple(
            (one.codes, one.end and one.end.name, one.key, one.lacked and one.lacked.name.name)
            for one in own
            if one.leads or not is_led or not found.places.keys().isdisjoint(one.codes)
        )
        alike.setdefault(content, []).append(own)
    return alike


def _failure(failure: Failure, log: str, style: Style, width: int) -> list[str]:
    by = f" ({failure.printed_by})" if failure.rank else ""
    place = style.bold(f"{visible_path(log)}:{failure.line}") + visible(by)
    text = failure.text
    shown = _wrapped(shortened(text, _MAX_FAILURE), width - 2)
    return [place, *(f"  {visible(line)}" for line in shown)]


def _cause(
    cause: ProbableCause,
    found: RunDiagnosis,
    style: Style,
    width: int,
    subject: Subject,
    *,
    brief: bool,
) -> list[str]:
    filled = partial(terminal, style=style, width=width)

    if cause.end is not None:
        first = _first_failed(found) if cause.failure.is_consequence else ""
        return [
            *filled(f"**{cause.end.title}.** {cause.end.why}", "  "),
            *(filled(first, "    ") if first else ()),
            *filled(remedy(cause.end, found, subject), "    "),
            *(
                filled(last, "    ")
                if cause.end.vague and (last := last_frame(cause.failure))
                else ()
            ),
            *(f"    {visible(url)}" for _, _, url in cause.end.references[:1]),
        ]
    if cause.key is not None:
        return _key(cause.key, cause.codes, cause.failure, found, style, filled)
    if cause.lacked is not None:
        return filled(account(cause.lacked, found.versions), "  ")
    lines: list[str] = []
    for code, framework in cause.rules.items():
        knowledge = load_framework(home_of(framework)).knowledge
        details = knowledge.details(code)
        place = found.places.get(code)
        if place is not None:
            where = f"{visible_path(place.path)}:{place.line}"
            lines += [
                f"  {style.bold(code)} at {style.bold(where)}",
                *filled(place.diagnostic.message, "    "),
            ]
        else:
            sure = "Perhaps" if brief else "Probably"
            if cause.is_guess:
                sure = f"If {condition(framework, details.applies, found.versions)}, perhaps"
            lines += filled(f"{sure} {code}: {details.summary}.", "  ")
            if brief:
                continue
            lines += filled(details.why.split("\n\n")[0], "    ")
        lines += [f"    {visible(url)}" for _, _, url in details.references[:1]]
        lines.append(f"    cfglint explain {code}")
    return lines


def _key(
    key: RefusedKey,
    codes: tuple[str, ...],
    failure: Failure,
    found: RunDiagnosis,
    style: Style,
    filled: Callable[[str, str], list[str]],
) -> list[str]:
    """An argument that was not known: the line that has it and what is wrong, or where to look."""
    place = found.keys.get(key.name)
    mention = found.mentions.get(key.name)
    readers = found.readers.get(key, ())
    remark, name, _ = history(key, found.versions, found.left, readers)
    if mention is not None:
        where = f"  {style.bold(f'{visible_path(mention.path)}:{mention.line}')}"
        if not mention.checked:
            return [where, *filled(f"`{key.name}` is not known there. {_UNCHECKED}", "    ")]
        content = filled(f"{key.title}. {remark or _UNDECIDED}", "    ")
        return [where, *content, f"    cfglint explain {visible(name or key.name)}"]
    if place is None:
        known = remark or _passed(failure, key) or _where(failure, found)
        lines = filled(f"**{key.title}.** {known}".rstrip(), "  ")
        return [*lines, f"    cfglint explain {visible(name)}"] if name else lines
    where = f"{visible_path(place.path)}:{place.line}"
    head = f"  {style.bold(codes[0])} at {style.bold(where)}"
    # A slip is no key that could be explained.
    known = name if codes[0] != "KEY001" else ""
    return [
        head,
        *filled(message(key, place, found), "    "),
        f"    cfglint explain {visible(known or codes[0])}",
    ]


def _passed(failure: Failure, key: RefusedKey) -> str:
    """That a package passes an argument, and not the script; empty where the code below the frames does not tell."""
    by = passed_by(failure, key.name)
    return _PASSED.format(by=by.shown, place=by.place) if by is not None else ""


def _where(failure: Failure, found: RunDiagnosis) -> str:
    """What may be wrong with an argument that nothing is known of; empty where the failure has another cause."""
    if any(one.failure == failure and one.key is None for one in found.causes):
        return ""
    return _NOT_THERE if found.has_config else _WHERE


def _followers(failure: Failure, found: RunDiagnosis) -> list[Failure]:
    """The failures without a cause of their own that Python has chained to one before them."""
    accounted = found.accounted
    return [
        one
        for one in found.failures
        if (one.chain, one.rank) == (failure.chain, failure.rank)
        and one.line > failure.line
        and one not in accounted
    ]


def _following(followers: list[Failure], width: int) -> list[str]:
    """A sentence on what follows in the same traceback."""
    if not followers:
        return []
    shown = [
        f"{shortened(one.text, _MAX_FOLLOWER)} (line {one.line})"
        for one in followers[:_MAX_UNEXPLAINED]
    ]
    more = len(followers) - len(shown)
    rest = f"; and {more} more" if more > 0 else ""
    sentence = f"Then, in the same traceback: {'; '.join(shown)}{rest}"
    return [visible(one) for one in _wrapped(sentence, width)]


def _unexplained(found: RunDiagnosis, log: str, style: Style, width: int) -> list[str]:
    """The failures that no cause is known of, without those that only pass on others."""
    explained = {cause.failure for cause in found.causes}
    followers = {one for cause in explained for one in _followers(cause, found)}
    own = [
        one
        for one in found.failures
        if one not in explained and one not in followers and not one.is_consequence
    ]
    if not own and not explained:
        own = list(found.failures[:1])
    if not own:
        return [] if explained else ["The log has no error that cfglint recognizes.", ""]
    lines = []
    for failure in own[:_MAX_UNEXPLAINED]:
        lines += _failure(failure, log, style, width)
        named = found.named.get(failure, ())
        for one in named[:_MAX_ERRORS]:
            lines += _error(one, width)
        lines += [] if named else [f"  {line}" for line in _wrapped(_unknown(failure), width - 2)]
        lines.append("")
    return lines


def _unknown(failure: Failure) -> str:
    """The sentence below a failure whose cause is not known."""
    if asks(failure.message):
        return "The message says itself what it asks for; cfglint knows no other cause of it."
    return "cfglint knows no cause of this error."


def _error(one: ConfigFinding, width: int) -> list[str]:
    text = f"{visible_path(one.path)}:{one.line} {one.diagnostic.code} {visible(one.diagnostic.message)}"
    first, *more = _wrapped(text, width - 4)
    return [f"  {line_start(first)}", *(f"    {line}" for line in more)]


def _first_failed(found: RunDiagnosis) -> str:
    """A sentence on the process that the launcher saw fail first; empty without one."""
    first = found.first_failed
    if first is None:
        return ""
    local = f", local rank {first.local_rank}" if first.local_rank != first.rank else ""
    host = f" (host {visible(first.host)}{local})" if first.host else ""
    return (
        f"Rank {first.rank}{host} failed first, with exit code {first.exit_code}, as torchrun's table "
        f"tells (line {first.line})."
    )


def _read_from(found: RunDiagnosis) -> str:
    """What was taken from the log, in a line."""
    stated = found.stated
    parts = [f"{name} {version}" for name, (version, _) in stated.versions.items()]
    parts += [f"{stated.gpus[0]} GPUs"] if stated.gpus is not None else []
    parts += [f"config {stated.config[0]}"] if stated.config is not None else []
    shown = ", ".join(map(visible, parts[:6]))
    more = f" and {len(parts) - 6} more" if len(parts) > 6 else ""
    remark = f"The log states {shown}{more}" if parts else "The log states no versions"
    ranges = ", ".join(f"{name} {visible(spec)}" for name, spec in stated.ranges.items())
    return f"{remark}; its files and errors fit {ranges}" if ranges else remark


def _wrapped(text: str, width: int) -> list[str]:
    from textwrap import wrap

    return wrap(text, max(20, width), break_long_words=True) or [""]
