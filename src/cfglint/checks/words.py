"""The words of a command: what `argparse` refuses, and what the shell makes of them.

Some checks have a second name, for the rules about the scripts of every framework.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from cfglint.base.lazy import lazy_pattern
from cfglint.base.shortened import shortened
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import ANY, Edit, Fix, Related, SeverityName
from cfglint.source.document import Entry, Path
from cfglint.source.languages.arguments import Problem
from cfglint.source.languages.dotted_options import options_in, path_of
from cfglint.source.languages.shell import command_of, options_of
from cfglint.source.shell_values import ExpandedWord
from cfglint.source.text import Span

_BLANKS = lazy_pattern(r"\\[ \t]+(?=\r?\n)")
#: Behind the last word of a command: a pipe on a later line, of a command that only redirects.
_PIPE_ON_ITS_OWN = lazy_pattern(
    r"(?:[ \t]|\\\r?\n)*(?:(?P<comment>#[^\n]*)|\r)?\n(?:[ \t]*(?:#[^\n]*|\r)?\n)*[ \t]*"
    r"(?P<written>[12&]?>[^|\n]*\|&?[ \t]*[\w./-]+)"
)
#: An option and its value, before a word that belongs to none.
_VALUE_BEFORE = lazy_pattern(r"(?<!\S)(--?[A-Za-z][\w.-]{0,80})(?:=|[ \t]+)(?!-)[^\s=]+[ \t]+\Z")
#: How far before a word they are looked for.
_NEAR = 400
_SHOWN = 60
#: How the options end whose values only a person knows.
_FILLED_IN = (
    "path",
    "dir",
    "file",
    "name",
    "dataset",
    "token",
    "key",
    "model",
    "data",
    "checkpoint",
)
#: Options that say where a run writes, and what it is called.
_OF_OUTPUT = frozenset({"output_dir", "logging_dir", "run_name", "save_path"})
#: Shells that have `pipefail`.
_SHELLS = frozenset({"bash", "zsh", "ksh"})

#: An option without a value switches on, as these behind it do.
_SWITCHED_ON = frozenset({"", "true", "True"})
#: The linear modules of the common models, and the words for all of them.
_LINEAR = frozenset(f"{name}_proj" for name in ("down", "gate", "k", "o", "q", "up", "v"))
_ALL_LINEAR = frozenset({"all", "all-linear"})


def problems_of(ctx: CheckContext, kind: str) -> Iterator[Problem]:
    """The words of the command that the file is, of which a kind of problem was found while it was read."""
    command = command_of(ctx.document.root)
    for problem in command.problems if command is not None else ():
        if problem.kind == kind:
            yield problem


def _path(ctx: CheckContext, option: str) -> Path:
    """The path of an option's key: below the sections that its dots name, where they do."""
    command = command_of(ctx.document.root)
    return path_of(option, command.sections if command is not None else frozenset())


def stray_argument(ctx: CheckContext) -> Iterator[Hit]:
    """A word that belongs to no option; the programs take no others."""
    behind = cut_off(ctx)
    title = ctx.framework.title
    how = {"effect": f"{title} accepts options only"}
    severity: SeverityName | None = None
    upstream: str | None = None
    if ctx.framework.key_policy.drops_words(ctx):
        how = {"effect": f"{title} silently ignores it"}
        severity, upstream = "warning", "silent"
    for problems in _in_a_row(ctx, list(problems_of(ctx, "stray"))):
        problem = problems[0]
        if len(problems) > 1:
            span = Span(problem.span.start, problems[-1].span.end)
            params = {**_unquoted(ctx, problems), **how}
            yield Hit((), span, params, severity=severity, upstream=upstream)
            continue
        if behind and not problem.name.strip():
            continue  # `\` and a blank at the end of a line: see `options_cut_off`
        at = problem.span.start
        blank = _BLANKS.match(ctx.document.text, at)
        if blank is None:
            word = shortened(problem.name.strip(), _SHOWN) or '""'
            params = {"words": f"`{word}` does not belong", "hint": "", **how}
            yield Hit((), problem.span, params, severity=severity, upstream=upstream)
            continue
        fix = Fix("Remove the space", "safe", (Edit(at + 1, blank.end(), ""),), (), leads_to=(ANY,))
        words = "`\\ (a backslash and a space)` does not belong"
        params = {"words": words, "hint": "", **how}
        yield Hit((), problem.span, params, fixes=(fix,), severity=severity, upstream=upstream)


def _in_a_row(ctx: CheckContext, problems: list[Problem]) -> Iterator[list[Problem]]:
    """The words that belong to no option, those together that only blanks divide: one text without its quotes."""
    text, row = ctx.document.text, problems[:1]
    for before, problem in pairwise(problems):
        between = text[before.span.end : problem.span.start]
        if between.strip(" \t") or not problem.name.strip() or not before.name.strip():
            yield row
            row = []
        row.append(problem)
    if row:
        yield row


def _unquoted(ctx: CheckContext, problems: list[Problem]) -> dict[str, str]:
    """The finding about several words in a row, and about the option whose value they seem to continue."""
    first, more = shortened(problems[0].name, _SHOWN), len(problems) - 1
    words = f"`{first}` and {more} more {'words do' if more > 1 else 'word do'} not belong"
    start = problems[0].span.start
    option = _VALUE_BEFORE.search(ctx.document.text, max(0, start - _NEAR), start)
    if option is None:
        return {"words": words, "hint": ""}
    return {"words": words, "hint": f" Put quotes around the value of `{option[1]}`."}


def ambiguous_option(ctx: CheckContext) -> Iterator[Hit]:
    """An abbreviation that fits several options."""
    for problem in problems_of(ctx, "ambiguous"):
        fitting = ", ".join(f"`--{name}`" for name in problem.others[:6])
        params = {"written": shortened(problem.name, _SHOWN), "fitting": fitting}
        older = _older_option(ctx, problem.name)
        if older is None:
            yield Hit((), problem.span, {**params, "advice": "Write the option in full"})
            continue
        (to, since), name = older, problem.name.lstrip("-")
        advice = f"Write `--{to}`, as `{shortened(problem.name, _SHOWN)}` is called since {since}"
        # The words behind it are nothing's yet, and those of the option then.
        edit, paths = Edit(problem.span.start, problem.span.end, f"--{to}"), ((name,), (to,))
        is_whole = ctx.document.text[problem.span.start : problem.span.end] == problem.name
        is_free = is_whole and ctx.document.node((to,)) is None
        fix = Fix(f"Write --{to}", "unsafe", (edit,), paths, leads_to=(ANY,))
        params["advice"] = advice
        yield Hit((name,), problem.span, params, fixes=(fix,) if is_free else ())


def _older_option(ctx: CheckContext, written: str) -> tuple[str, str] | None:
    """(today's name, the release since which it is that) of an abbreviation that was an option in older releases."""
    name = written.lstrip("-")
    info = ctx.framework.keys.info("", name)
    to = ctx.framework.key_policy.aliases().get(name, (None, None))[1]
    return None if info is None or not info.removed or to is None else (to, info.removed)


def option_without_value(ctx: CheckContext) -> Iterator[Hit]:
    """An option that needs a value, and the next word is an option, or nothing.

    Blanks that a person is to fill in are no slips: several of them, or that of what only a person knows.
    """
    problems = list(problems_of(ctx, "no-value"))
    for problem in problems:
        several = problem.others[0] if problem.others and problem.others[0].isdigit() else "1"
        needs = "a value, and none follows it"
        if several != "1":
            needs = f"{several} values, and fewer follow it"
        path = _path(ctx, problem.name)
        hit = Hit(path, problem.span, {"option": problem.name, "needs": needs})
        is_blank = several == "1" and (
            len(problems) > 1 or problem.name.lower().endswith(_FILLED_IN)
        )
        yield hit.replaced(severity="note") if is_blank else hit


def switch_with_value(ctx: CheckContext) -> Iterator[Hit]:
    """`--quant=true`: a switch takes no value."""
    for problem in problems_of(ctx, "switch-with-value"):
        written = ctx.document.text[problem.span.start : problem.span.end]
        name, _, value = written.partition("=")
        path = _path(ctx, problem.name)
        at = problem.span.start + len(name)
        fixes: tuple[Fix, ...] = ()
        if value.strip("\"'").lower() in ("true", "1", "yes"):
            edit = Edit(at, problem.span.end, "")
            fixes = (Fix(f"Write {name}", "safe", (edit,), (path,), leads_to=(ANY,)),)
        params = {"option": problem.name, "written": shortened(written, _SHOWN)}
        yield Hit(path, problem.span, params, fixes=fixes)


def repeated_option(ctx: CheckContext) -> Iterator[Hit]:
    """An option that is written twice: the last one counts."""
    for path, entry, last in _repeated(ctx):
        yield _repetition(path, entry, last)


def option_given_twice(ctx: CheckContext) -> Iterator[Hit]:
    """An option that is written twice with different words.

    It is no slip where the words of a variable are replaced, or replace others, and none that matters where only
    the place of what a run writes is another one. Without the value that it needs it ends the command.
    """
    unfilled = {problem.span.start for problem in problems_of(ctx, "no-value")}
    for path, entry, last in _repeated(ctx):
        if entry.key.start in unfilled:
            continue
        if not _mean_the_same(_words_of(ctx, entry), _words_of(ctx, last)):
            hit = _repetition(path, entry, last)
            is_meant = _is_of_variable(ctx, entry) or _is_of_variable(ctx, last)
            is_mild = is_meant or str(path[-1]) in _OF_OUTPUT
            yield hit.replaced(severity="note") if is_mild else hit


def _is_of_variable(ctx: CheckContext, entry: Entry) -> bool:
    """Whether an option is not written in the command itself."""
    command = command_of(ctx.document.root)
    start = entry.key.start
    is_inside = command is not None and ctx.document.root.start <= start < command.end
    return not is_inside or ctx.document.text[start : start + 1] != "-"


def _repeated(ctx: CheckContext) -> Iterator[tuple[Path, Entry, Entry]]:
    """(an option's path, it, the later one that takes its place), the last ones first."""
    seen: dict[Path, Entry] = {}
    for path, entry in reversed(list(options_in(ctx.document.root))):
        last = seen.setdefault(path, entry)
        section = ".".join(map(str, path[:-1]))
        if last is not entry and ctx.framework.keys.info(section, str(path[-1])) is not None:
            yield path, entry, last


def _repetition(path: Path, entry: Entry, last: Entry) -> Hit:
    related = (Related(last.key.span, "this one counts"),)
    return Hit(path, entry.span, {"option": ".".join(map(str, path))}, related=related)


def _words_of(ctx: CheckContext, entry: Entry) -> str:
    value = entry.value
    text = ctx.document.text[value.start : value.end].strip("\"'")
    is_bare = value.start == entry.key.start or text in _SWITCHED_ON
    return "true" if is_bare else text


def _mean_the_same(words: str, others: str) -> bool:
    """Whether two values are one: a number in two spellings, or all linear modules, by their names and by a word for all."""
    if words == others:
        return True
    try:
        return float(words) == float(others)
    except ValueError:
        names = {words, others} - _ALL_LINEAR
        return len(names) == 1 and set(names.pop().replace(",", " ").split()) == _LINEAR


def cut_off(ctx: CheckContext) -> tuple[ExpandedWord, ...]:
    """The words of the next command when they are options; else none."""
    command = command_of(ctx.document.root)
    return options_of(command.after[0]) if command is not None and command.after else ()


def options_cut_off(ctx: CheckContext) -> Iterator[Hit]:
    """A line of options that the shell runs as a command of its own."""
    command, following = command_of(ctx.document.root), cut_off(ctx)
    if command is None or not following:
        return
    first = following[0]
    text = ctx.document.text
    between = text[command.end : first.start]
    blank = _BLANKS.search(text, max(0, command.end - 80), first.start)
    fixes: tuple[Fix, ...] = ()
    why, upstream = "the line above does not end with `\\`", None
    outcome = "starts without this option and those after it"
    if blank is not None:
        why = "a space follows the `\\` of the line above"
        if not ctx.framework.key_policy.drops_words(ctx):
            upstream, outcome = "rejects", "refuses the space, which is a word of its own"
        fixes = (_joining(Edit(blank.start() + 1, blank.end(), ""), "Remove the space", following),)
    elif not between.strip():
        end = command.end
        fixes = (_joining(Edit(end, end, " \\"), "End the line above with `\\`", following),)
    elif "#" in between:
        why = "the comment between the lines ends the command"
    if first.text[:2] != "--":
        fixes = ()  # the keys of Hydra's words come in the order of their sections
    params = {"option": shortened(first.text, _SHOWN), "why": why, "outcome": outcome}
    yield Hit((), Span(first.start, first.end), params, fixes=fixes, upstream=upstream)


def _joining(edit: Edit, title: str, words: tuple[ExpandedWord, ...]) -> Fix:
    """A fix that brings the options of the next line back."""
    paths = tuple((word.text[2:].partition("=")[0],) for word in words if word.text[:2] == "--")
    return Fix(title, "safe", (edit,), paths, leads_to=(ANY,))


def pipe_hides_exit_code(ctx: CheckContext) -> Iterator[Hit]:
    """`… | tee log`: the script's own result is that of `tee`."""
    command = command_of(ctx.document.root)
    text = ctx.document.text
    if command is None or not command.piped:
        return
    if "pipefail" in text or "PIPESTATUS" in text:
        return
    entry = ctx.document.root.lookup["program"]
    fixes: tuple[Fix, ...] = ()
    first = ctx.document.source.line(1)
    known_shell = first.startswith("#!") and first.rpartition("/")[2].rpartition(" ")[2] in _SHELLS
    # With Windows line ends the option would be `pipefail\r`, and the shell would end there.
    if known_shell and "\r" not in text:
        at = ctx.document.source.line_starts[1]
        edit = Edit(at, at, "set -eo pipefail" + ctx.document.source.newline)
        fixes = (Fix("Add `set -eo pipefail`", "unsafe", (edit,), ()),)
    yield Hit(
        ("program",), entry.key.span, {"command": shortened(command.piped, _SHOWN)}, fixes=fixes
    )


def pipe_cut_off(ctx: CheckContext) -> Iterator[Hit]:
    """`2>&1 | tee log` on a line of its own: it is a command without a program."""
    command = command_of(ctx.document.root)
    match = _PIPE_ON_ITS_OWN.match(ctx.document.text, command.end) if command is not None else None
    if match is None:
        return
    comment = match["comment"]
    remedy = (
        "Move the comment above the command"
        if comment is not None
        else "End the line above with `\\`"
    )
    params = {"remedy": remedy, "written": shortened(" ".join(match["written"].split()), _SHOWN)}
    yield Hit((), Span(match.start("written"), match.end("written")), params)


def carriage_returns(ctx: CheckContext) -> Iterator[Hit]:
    """Lines that end as on Windows: no backslash joins them, and each last word has a letter more."""
    at = ctx.document.text.find("\r\n")
    if at >= 0:
        yield Hit((), ctx.document.source.line_span(ctx.document.source.position(at).line), {})


CHECKS = {
    "ambiguous-option": ambiguous_option,
    "carriage-returns": carriage_returns,
    "option-without-value": option_without_value,
    "options-cut-off": options_cut_off,
    "pipe-cut-off": pipe_cut_off,
    "pipe-hides-exit-code": pipe_hides_exit_code,
    "repeated-option": repeated_option,
    "stray-argument": stray_argument,
    "switch-with-value": switch_with_value,
    # Those of the rules for every framework's scripts.
    "ambiguous-abbreviation": ambiguous_option,
    "lines-not-joined": options_cut_off,
    "option-given-twice": option_given_twice,
    "option-without-word": option_without_value,
    "stray-word": stray_argument,
    "windows-line-ends": carriage_returns,
}
