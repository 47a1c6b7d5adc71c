"""`cfglint explain CODES-OR-KEYS`: all that is known about rules and keys."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NoReturn

import click

from cfglint.cli.one_file import fail, pins
from cfglint.cli.project import rules_here
from cfglint.engine.session import Options, RunError, Session, path_here
from cfglint.engine.settings import Settings, SettingsError, SettingsFinder
from cfglint.framework import frameworks
from cfglint.knowledge.releases.table import example_target
from cfglint.report.explain import render, suggestions
from cfglint.report.style import Style, terminal_width, wants_color

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


#: What an error message has in quotes, such as the name of an argument.
_QUOTED = re.compile(r"['\"`]([A-Za-z_][\w.]{1,80})['\"`]")


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from cfglint.cli.completing import rules

    return rules(ctx, param, incomplete)


@click.command("explain", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("subjects", metavar="CODES-OR-KEYS", nargs=-1, shell_complete=_complete)
@click.option(
    "--symptom",
    metavar="WORDS",
    help="Words of an error, whose rules are named instead.",
)
@click.option(
    "--target",
    multiple=True,
    metavar="PACKAGE==VERSION",
    help=f"The release whose keys are explained, such as {example_target()}.",
)
@click.option(
    "--framework",
    "only",
    metavar="NAME",
    help="The framework whose keys are explained. [default: all that have the key]",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    subjects: tuple[str, ...],
    symptom: str | None,
    target: tuple[str, ...],
    only: str | None,
) -> None:
    """Explain rules and keys.

    A rule is named by its code or its name: what happens, when, and the evidence. A prefix of codes
    (`KEY`) lists a family. A key is named as in a file (`sample_packing`, `datasets[].type`): what it
    does, its values, since when it exists, the rules about it, and its names in other tools.

    --symptom takes a part of an error message and names what it is a symptom of.
    """
    if only is not None and only not in frameworks():
        raise click.UsageError(
            f"unknown framework {only!r}; expected one of {', '.join(sorted(frameworks()))}"
        )
    if bool(subjects) == (symptom is not None):
        raise click.UsageError("name a rule or a key, or give words of an error with --symptom")
    if symptom is not None:
        _explain_symptom(ctx, symptom, pins(target), only)
    style, width = Style(color=wants_color(sys.stdout)), terminal_width()
    try:
        pages, wrong = explained(subjects, pins(target), only, style, width)
    except (RunError, SettingsError) as error:
        fail(ctx, error)
    # Pages that begin with a code are separated by a line.
    sys.stdout.write(f"\n{style.dim('─' * width)}\n\n".join(pages))
    if wrong:
        from cfglint.report.escaping import visible

        for message in wrong:
            click.echo(f"cfglint: {visible(message)}", err=True)
        ctx.exit(2)


def explained(
    subjects: tuple[str, ...], target: tuple[str, ...], only: str | None, style: Style, width: int
) -> tuple[list[str], list[str]]:
    """The pages of rules and keys, and errors about what is neither.

    Args:
        target: the releases whose keys are explained.
        only: the framework whose keys are explained; all that have a key when None.

    Raises:
        RunError: the target is not known.
        SettingsError: the settings of the current folder are broken.
    """
    from cfglint.report import rules_list

    known = rules_here()
    pages, wrong = [], []
    for text in subjects:
        found = [] if only else rules_list.named(known, text)
        exact = [
            rule
            for rule in found
            if text.upper() in (rule[0].code, *rule[0].formerly) or text.lower() == rule[0].name
        ]
        keys = [] if exact else list(_keys(text, target, only, style, width))
        if exact:
            pages += [render(*rule, style, width) for rule in exact]
        elif keys:
            pages += keys
        elif found:
            pages.append(rules_list.render(found, style))
        else:
            wrong.append(_unknown(text, suggestions(text, [rule for rule, _ in known])))
    return pages, wrong


def symptom_pages(
    words: str, target: tuple[str, ...], only: str | None, style: Style, width: int
) -> list[str]:
    """What some words of an error are a symptom of; nothing when that is not known.

    Where no rule has such a symptom, the keys that the words have in quotes are explained.

    Raises:
        RunError: the target is not known.
        SettingsError: the settings of the current folder are broken.
    """
    from cfglint.logs.causes import Symptoms
    from cfglint.report import symptom

    known = Symptoms()
    rules, ends = known.with_words(words), known.ends_with_words(words)
    if rules or ends:
        return [symptom.render(rules, ends, style, width)]
    names = dict.fromkeys(_QUOTED.findall(words))
    return [page for name in names for page in _keys(name, target, only, style, width)]


def _explain_symptom(
    ctx: click.Context, words: str, target: tuple[str, ...], only: str | None
) -> NoReturn:
    """Print what some words of an error are a symptom of; the exit code is 1 when that is not known."""
    style, width = Style(color=wants_color(sys.stdout)), terminal_width()
    try:
        pages = symptom_pages(words, target, only, style, width)
    except (RunError, SettingsError) as error:
        fail(ctx, error)
    if not pages:
        click.echo("cfglint: no rule has a symptom with these words; try fewer of them", err=True)
        ctx.exit(1)
    sys.stdout.write("\n".join(pages))
    ctx.exit(0)


def _keys(
    text: str, target: tuple[str, ...], only: str | None, style: Style, width: int
) -> Iterator[str]:
    """The pages of a key, one per framework that has it or another name for it.

    Raises:
        RunError: the target is not known.
        SettingsError: the settings of the current folder are broken.
    """
    from cfglint.report import key_page

    session = Session(Options(target=target), SettingsFinder())
    meant: dict[str, str] = {}
    found = False
    for name in [only] if only else sorted(frameworks()):
        framework = session.framework(name)
        environment, _ = session.environment(framework, Settings(), path_here())
        keys = key_page.find(text, framework, environment)
        for key in keys:
            found = True
            yield key_page.render(key, style, width)
        if not keys:
            for own, _ in key_page.own_names(text, framework):
                meant.setdefault(own, framework.title)
    if meant:
        names = ", ".join(f"`{own}` in {title}" for own, title in meant.items())
        lead = "Elsewhere it is" if found else f"{style.bold(text)} is"
        yield f"{lead} {names}.\n"


def _unknown(text: str, hint: str) -> str:
    """The error about a text that names neither a rule nor a key."""
    if "_" not in text:
        return f"unknown rule {text!r}{hint}"
    from cfglint.framework import load_framework
    from cfglint.report.key_page import suggestions as similar_keys

    close = similar_keys(text, [load_framework(name) for name in frameworks()])
    if not close and "did you mean" in hint:
        return f"unknown rule {text!r}{hint}"
    hint = f"; did you mean {' or '.join(close)}?" if close else hint
    return f"unknown rule or key {text!r}{hint}"
