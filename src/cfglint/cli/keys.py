"""`cfglint keys SUBJECT`: what may be written."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from cfglint.api.asked_releases import target_here
from cfglint.base.spelling import is_one_slip
from cfglint.cli.one_file import fail, format_option, pins
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings.nearest import SettingsError, SettingsFinder
from cfglint.environment.environment import Environment
from cfglint.frameworks.for_files import variant
from cfglint.knowledge.keys.classes import fields_in, known_classes
from cfglint.knowledge.releases.table import example_target
from cfglint.report.pages import key_list
from cfglint.report.pages.key_list import KeyList
from cfglint.roles.framework import Framework, frameworks

#: A slip in so few letters may be any other word.
_TOO_SHORT = 2


@click.command("keys", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("subject", nargs=-1, required=True, metavar="SUBJECT…")
@click.option(
    "--target",
    multiple=True,
    metavar="PACKAGE==VERSION",
    help=f"The release whose keys are listed, such as {example_target()}.",
)
@click.option("--framework", "only", metavar="NAME", help="The framework whose keys are listed.")
@click.option(
    "--all", "every", is_flag=True, help="List every key with its values and what it does."
)
@format_option(
    "text",
    "agent",
    "json",
    text="A list of at most 2 kB (`agent` is the same), or all keys as JSON.",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    subject: tuple[str, ...],
    target: tuple[str, ...],
    only: str | None,
    every: bool,
    format_: str,
) -> None:
    """List the keys that may be written, the most important ones first.

    SUBJECT is a framework, a command or a kind of its files, a class that a program calls, a section
    (`datasets[]`), a value that decides what is trained, or several of these; of a key it prints what
    `cfglint explain` says. Each key is `name:type=default`.
    """
    if only is not None and only not in frameworks():
        raise click.UsageError(
            f"unknown framework {only!r}; expected one of {', '.join(sorted(frameworks()))}"
        )
    try:
        lists, key = listed(subject, pins(target), only)
    except (RunError, SettingsError) as error:
        fail(ctx, error)
    if not lists and key:
        from cfglint.cli.explain import command as explain

        framework = ["--framework", only] if only else []
        stated = [part for one in target for part in ("--target", one)]
        ctx.exit(explain.main([*framework, *stated, "--", key], standalone_mode=False) or 0)
    if not lists:
        _unknown(ctx, subject)
    if format_ == "json":
        text = key_list.render_json(lists)
    else:
        text = "\n".join((key_list.render_all if every else key_list.render)(one) for one in lists)
        if len(lists) > 1 and not every:
            sys.stdout.write(_several(lists))
    sys.stdout.write(text)


def _several(lists: list[KeyList]) -> str:
    """A line above the lists of several frameworks or commands."""
    names = ", ".join(f"{one.title or one.framework.title}" for one in lists)
    return f"Several have this name: {names}; --framework or --target chooses.\n\n"


def _unknown(ctx: click.Context, subject: tuple[str, ...]) -> None:
    from cfglint.report.escaping import visible

    shown = visible(" ".join(subject))
    meant = _meant(subject)
    hint = (
        f"did you mean {visible(meant)}?"
        if meant
        else f"name a framework ({', '.join(_with_files())}), a command, a class, a section or a key"
    )
    click.echo(f"cfglint: unknown subject {shown!r}; {hint}", err=True)
    ctx.exit(2)


def _meant(subject: tuple[str, ...]) -> str:
    """What a subject is probably a slip for; empty if it is like nothing."""
    from cfglint.base.spelling import Speller
    from cfglint.roles.framework import load_framework

    *before, word = subject
    own = _called(Session(Options(), SettingsFinder(isolated=True)), subject[0])
    words = [one.lower() for one in (subject[1:] if own else subject)]
    names: dict[str, None] = {}
    for name in [own] if own else _with_files():
        framework = load_framework(name)
        kinds = framework.row["kinds"]
        # Words with an underscore between them, or a part of a longer name.
        kind = next((one for one in kinds if words and one == "_".join(words)), "")
        kind = kind or next((one for one in kinds if own and words and words[-1] in one), "")
        if kind and kind != word:
            return f"{name} {kind}"
        classes = (one.rpartition(".")[2] for one in known_classes(name))
        names |= dict.fromkeys((*kinds, *classes))
        names |= dict.fromkeys((*framework.keys.names(""), *framework.keys.sections()))
        if not before:
            names |= dict.fromkeys((name, framework.packages[0]))
    # A command is short, and one letter away from others.
    close = next((one for one in names if one.lower() == word.lower()), "")
    if not close and len(word) > _TOO_SHORT:
        close = next((one for one in names if is_one_slip(word.lower(), one.lower())), "")
    guess = None if close else Speller(names).closest(word)
    found = close or ("" if guess is None else guess.name)
    if found == word:
        return ""
    return " ".join([*before, found]) if found else ""


def _with_files() -> list[str]:
    """The frameworks that have files of their own."""
    from cfglint.roles.framework import load_framework

    return [name for name in sorted(frameworks()) if not load_framework(name).row["of_sections"]]


def listed(
    subject: tuple[str, ...], target: tuple[str, ...], only: str | None
) -> tuple[list[KeyList], str]:
    """The lists that a subject means, of the most specific kind of meaning; or the key that it names.

    Raises:
        RunError: the target is not known.
        SettingsError: the settings of the current folder are broken.
    """
    session = Session(Options(target=target), SettingsFinder())
    packages = {pin.partition("==")[0].partition("@")[0] for pin in target}
    names = [only] if only else _with_files()
    word, *rest = subject
    own = None if only else _called(session, word)
    if own is not None:
        names, words = [own], rest
    else:
        words = list(subject)
        stated = [name for name in names if session.framework(name).packages[0] in packages]
        names = stated or names
    known = []
    for name in names:
        framework = session.framework(name)
        known.append((framework, target_here(session, framework)))
    for meaning in (_kind, _class, _section, _key, _choice):
        found = [(pair, list(meaning(*pair, words))) for pair in known]
        lists = [one for _, of_one in found for one in of_one]
        if lists and meaning is _key:
            return [], words[-1]
        if lists:
            # What the project has is meant, where it shows that.
            of_project = [one for (_, at), of_one in found if not at.assumed for one in of_one]
            return of_project or lists, ""
    return [], ""


def _called(session: Session, word: str) -> str | None:
    """The framework of a name: its own, that of its package, or the one that people write."""
    for name in _with_files():
        framework = session.framework(name)
        if word.lower() in (name, framework.packages[0].lower(), framework.title.lower()):
            return name
    return None


def _kind(framework: Framework, target: Environment, words: list[str]) -> Iterator[KeyList]:
    """All files of a framework, or those of a kind."""
    if words and words[0] not in framework.row["kinds"]:
        return
    own = variant(framework, kind=words[0]) if words else framework
    if len(words) < 2:
        yield _list(own, target)
    else:
        yield from _section(own, target, words[1:])


def _class(framework: Framework, target: Environment, words: list[str]) -> Iterator[KeyList]:
    """A class, by its name or the full one, or a command with options alone, which has the table of one."""
    is_name = len(words) == 1 and words[0][:1].isalpha()
    if is_name and (words[0] != words[0].lower() or "-" in words[0]):
        for name in known_classes(framework.name):
            if words[0] in (name, name.rpartition(".")[2]):
                yield _list(variant(framework, kind=name), target)
        fields = fields_in(framework.name, words[0], framework.key_policy.keys_in(target))
        if fields:
            every = _list(framework, target)
            keys = tuple(key for key in every.keys if key.full_name in fields)
            yield every.replaced(keys=keys, title=f"`{words[0].rpartition('.')[2]}`")


def _section(framework: Framework, target: Environment, words: list[str]) -> Iterator[KeyList]:
    """A section of the files."""
    if len(words) == 1:
        for name in (words[0], f"{words[0]}[]"):
            if name in framework.keys.sections() and name:
                yield _list(framework, target, name)


def _key(framework: Framework, target: Environment, words: list[str]) -> Iterator[KeyList]:
    """Whether the words are a key: a list without keys."""
    from cfglint.report.pages.key_page import find

    if len(words) == 1 and find(words[0], framework, target):
        yield KeyList(framework, target, "", ())


def _choice(framework: Framework, target: Environment, words: list[str]) -> Iterator[KeyList]:
    """A word that a key offers, which decides what the other keys mean."""
    if len(words) == 1 and (with_ := key_list.offering(framework, target, words[0])):
        yield _list(framework, target, only_with=with_)


def _list(
    framework: Framework, target: Environment, section: str | None = None, only_with: str = ""
) -> KeyList:
    keys = tuple(key_list.keys_of(framework, target, section))
    return KeyList(framework, target, only_with, keys)
