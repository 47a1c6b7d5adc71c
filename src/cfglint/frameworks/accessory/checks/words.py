"""The words of a command: what `argparse` refuses, and what the shell makes of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import ANY, Edit, Fix, Related
from cfglint.source.document import Path, Sequence
from cfglint.source.languages.arguments import Problem
from cfglint.source.languages.shell import command_of
from cfglint.source.shell_values import ExpandedWord
from cfglint.source.text import Span

_BLANKS = lazy_pattern(r"\\[ \t]+(?=\r?\n)")
#: Behind the last word of a command: a pipe on a later line, of a command that only redirects.
_PIPE_ON_ITS_OWN = lazy_pattern(
    r"(?:[ \t]|\\\r?\n)*(?:(?P<comment>#[^\n]*)|\r)?\n(?:[ \t]*(?:#[^\n]*|\r)?\n)*[ \t]*"
    r"(?P<written>[12&]?>[^|\n]*\|&?[ \t]*[\w./-]+)"
)
_SHOWN = 60
#: Options whose value is a list of files.
_LISTS = ("llama_config", "pretrained_path")
#: Shells that have `pipefail`.
_SHELLS = frozenset({"bash", "zsh", "ksh"})


def _problems(ctx: CheckContext, kind: str) -> Iterator[Problem]:
    command = command_of(ctx.document.root)
    for problem in command.problems if command is not None else ():
        if problem.kind == kind:
            yield problem


def stray_argument(ctx: CheckContext) -> Iterator[Hit]:
    """A word that belongs to no option; the programs take no others."""
    cut_off = _cut_off(ctx)
    for problem in _problems(ctx, "stray"):
        if cut_off and not problem.name.strip():
            continue  # `\` and a blank at the end of a line: see `options_cut_off`
        yield Hit((), problem.span, {"word": problem.name.strip()[:_SHOWN] or '""'})


def ambiguous_option(ctx: CheckContext) -> Iterator[Hit]:
    """An abbreviation that fits several options."""
    for problem in _problems(ctx, "ambiguous"):
        fitting = ", ".join(f"`--{name}`" for name in problem.others[:6])
        yield Hit((), problem.span, {"written": problem.name[:_SHOWN], "fitting": fitting})


def option_without_value(ctx: CheckContext) -> Iterator[Hit]:
    """An option that needs a value, and the next word is an option, or nothing."""
    for problem in _problems(ctx, "no-value"):
        yield Hit((problem.name,), problem.span, {"option": problem.name})


def switch_with_value(ctx: CheckContext) -> Iterator[Hit]:
    """`--quant=true`: a switch takes no value."""
    for problem in _problems(ctx, "switch-with-value"):
        written = ctx.document.text[problem.span.start : problem.span.end]
        name, _, value = written.partition("=")
        at = problem.span.start + len(name)
        fixes: tuple[Fix, ...] = ()
        if value.strip("\"'").lower() in ("true", "1", "yes"):
            edit = Edit(at, problem.span.end, "")
            paths: tuple[Path, ...] = ((problem.name,),)
            fixes = (Fix(f"Write {name}", "safe", (edit,), paths, leads_to=(ANY,)),)
        params = {"option": problem.name, "written": written[:_SHOWN]}
        yield Hit((problem.name,), problem.span, params, fixes=fixes)


def repeated_option(ctx: CheckContext) -> Iterator[Hit]:
    """An option that is written twice: the last one counts."""
    seen: dict[str, Span] = {}
    for entry in reversed(ctx.document.root.entries):
        if entry.name is None:
            continue
        last = seen.setdefault(entry.name, entry.key.span)
        if last != entry.key.span and ctx.framework.keys.info("", entry.name) is not None:
            related = (Related(last, "this one counts"),)
            yield Hit((entry.name,), entry.span, {"option": entry.name}, related=related)


def _cut_off(ctx: CheckContext) -> tuple[ExpandedWord, ...]:
    """The words of the next command when they are options; else none."""
    command = command_of(ctx.document.root)
    words = command.after[0] if command is not None and command.after else ()
    return words if words and words[0].text.startswith("--") else ()


def options_cut_off(ctx: CheckContext) -> Iterator[Hit]:
    """A line of options that the shell runs as a command of its own."""
    command, following = command_of(ctx.document.root), _cut_off(ctx)
    if command is None or not following:
        return
    first = following[0]
    text = ctx.document.text
    between = text[command.end : first.start]
    blank = _BLANKS.search(text, max(0, command.end - 80), first.start)
    fixes: tuple[Fix, ...] = ()
    why = "the line above does not end with `\\`"
    if blank is not None:
        why = "a space follows the `\\` of the line above"
        fixes = (_joining(Edit(blank.start() + 1, blank.end(), ""), "Remove the space", following),)
    elif not between.strip():
        end = command.end
        fixes = (_joining(Edit(end, end, " \\"), "End the line above with `\\`", following),)
    elif "#" in between:
        why = "the comment between the lines ends the command"
    yield Hit(
        (), Span(first.start, first.end), {"option": first.text[:_SHOWN], "why": why}, fixes=fixes
    )


def _joining(edit: Edit, title: str, words: tuple[ExpandedWord, ...]) -> Fix:
    """A fix that brings the options of the next line back."""
    paths = tuple((word.text[2:].partition("=")[0],) for word in words if word.text[:2] == "--")
    return Fix(title, "safe", (edit,), paths, leads_to=(ANY,))


def files_in_one_word(ctx: CheckContext) -> Iterator[Hit]:
    """Several files in one pair of quotes: the program looks for one file of that name."""
    for name in _LISTS:
        entry = ctx.document.root.lookup.get(name)
        node = entry.value.target() if entry is not None else None
        if not isinstance(node, Sequence):
            continue
        for number, item in enumerate(node.items):
            value = getattr(item.target(), "value", None)
            parts = value.split() if isinstance(value, str) else []
            written = ctx.document.text[item.start : item.end]
            is_quoted = written[:1] in ("'", '"')  # else the shell splits it
            if len(parts) < 2 or not is_quoted or not all(_is_file(name, one) for one in parts):
                continue
            fixes: tuple[Fix, ...] = ()
            if re.fullmatch(r'"[^"\\]*"', written):
                edits = (Edit(item.start, item.end, written[1:-1]),)
                paths: tuple[Path, ...] = ((name,),)
                fixes = (Fix("Remove the quotes", "safe", edits, paths, leads_to=(ANY,)),)
            params = {"option": name, "count": len(parts), "written": written[:_SHOWN]}
            yield Hit((name, number), item.span, params, fixes=fixes)


def _is_file(option: str, part: str) -> bool:
    """Whether a part of a word is a file of its own, or an unknown variable."""
    if re.fullmatch(r"\$\{?\w+\}?", part):
        return True
    return part.endswith(".json") if option == "llama_config" else "/" in part


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
    yield Hit(("program",), entry.key.span, {"command": command.piped[:_SHOWN]}, fixes=fixes)


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
    params = {"remedy": remedy, "written": " ".join(match["written"].split())[:_SHOWN]}
    yield Hit((), Span(match.start("written"), match.end("written")), params)


def carriage_returns(ctx: CheckContext) -> Iterator[Hit]:
    """Lines that end as on Windows: no backslash joins them, and each last word has a letter more."""
    at = ctx.document.text.find("\r\n")
    if at >= 0:
        yield Hit((), ctx.document.source.line_span(ctx.document.source.position(at).line), {})


CHECKS = {
    "ambiguous-option": ambiguous_option,
    "carriage-returns": carriage_returns,
    "files-in-one-word": files_in_one_word,
    "option-without-value": option_without_value,
    "options-cut-off": options_cut_off,
    "pipe-cut-off": pipe_cut_off,
    "pipe-hides-exit-code": pipe_hides_exit_code,
    "repeated-option": repeated_option,
    "stray-argument": stray_argument,
    "switch-with-value": switch_with_value,
}
