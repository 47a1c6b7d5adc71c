"""The config of a run: that of a release, or one of the project, with the words of the command laid over it."""

from __future__ import annotations

from cfglint.base.logic import UNKNOWN
from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.environment.copies import around_copy
from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.for_files import variant
from cfglint.frameworks.verl.commands import (
    ENGINE,
    MAIN,
    Config,
    config_of,
    groups_of,
    kind_of_config,
    released_names,
)
from cfglint.frameworks.verl.defaults import choices_of, config_of_release
from cfglint.frameworks.verl.merging import NO_KEY, Merged
from cfglint.frameworks.verl.own_configs import OwnConfig, own_config
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.roles.framework import Framework, load_framework
from cfglint.roles.scripts import command_of as program_of
from cfglint.source.document import Document
from cfglint.source.languages.overrides import ConfigWord
from cfglint.source.languages.shell import Command, command_of
from cfglint.source.values import Unexpanded, copied

if TYPE_CHECKING:
    from cfglint.roles.parts import FileContext

#: What a script is called with, which seldom is anything but a few values.
_ARGUMENTS = frozenset({"$@", "$*", "${@:1}", "${@:2}", "${@:3}"})
_SEARCH_PATH = "hydra.searchpath"


class Choice(Record):
    """A word that chooses from a group, and why Hydra refuses it."""

    word: ConfigWord
    #: In words; empty when it is accepted, or when that is not known.
    refused: str = ""


class RunConfig(Record):
    """The config of a run, as far as it is known."""

    merged: Merged
    #: What the config is before the first word; `UNKNOWN` where a choice fills a section.
    before: dict[str, Any]
    choices: tuple[Choice, ...]
    #: The config of the project that decides; None when that of a release does.
    own: OwnConfig | None


def config_in(ctx: FileContext) -> RunConfig | None:
    """The config of the run that a file starts, in the release that it is checked against."""
    return latest_config(ctx.document, ctx.target, ctx.around)


def latest_config(
    document: Document, target: Environment, around: Surroundings
) -> RunConfig | None:
    """The config of the run that a document starts; that of the latest document is kept."""
    kept: list[tuple[Document, Environment, RunConfig | None]] = around.memory.once(
        "latest run of verl", list
    )
    for known, its_target, found in kept[-1:]:
        if known is document and its_target is target:
            return found
    found = run_config(document, target, around)
    kept[:] = [(document, target, found)]
    return found


def run_config(
    document: Document, target: Environment, around: Surroundings, release: str = ""
) -> RunConfig | None:
    """The config of the run that a document starts; None when it cannot be followed.

    Args:
        release: another one than the target's.
    """
    config, command = config_of(document.root), command_of(document.root)
    if config is None or command is None or command.overrides is None:
        return None
    release = release or target.release
    name = config.name or MAIN
    framework = _framework(name)
    keys = framework.release_keys(release)
    words = [one for one in command.overrides if one.key]
    folders = choices_of(name, keys)[1]
    groups = [one for one in words if one.is_group and _is_choice(one, folders)]
    # Other folders may have other groups, and other choices.
    is_wider = any(one.key == _SEARCH_PATH for one in words)
    own = None
    if not config.name or not _is_installed(target):
        own = _own(document, config, groups, release, around)
    if own is None and (not config.name or not keys.has_section("")):
        return None
    if own is not None and own.missing:
        return None
    if own is not None:
        before = copied(own.tree)
        # Where none of its folders is of that name, the word sets a key.
        groups = [one for one in groups if one.key not in own.unused or "@" in one.key]
        choices = [Choice(word) for word in groups]
        if own.base or any(one.key in own.unused or one.sign for one in groups):
            _open(before, _filled(name, groups))
    else:
        before = copied(config_of_release(framework, keys))
        choices = [Choice(word, "" if is_wider else _why_not(word, name, keys)) for word in groups]
        _open(before, _filled(name, groups))
    if _may_choose(command):
        offered = own.choices if own is not None else choices_of(name, keys)[0]
        _open(before, [_section_of(group) for group in offered])
    before["hydra"] = UNKNOWN  # Hydra's own settings
    merged = Merged(copied(before))
    for word in words:
        if word not in groups:
            merged.add(word)
    if own is None and not is_wider:
        # In other releases it is a group, so that it is not a key of the document.
        lost = [one.word for one in merged.refused if one.why == NO_KEY and one.word.is_group]
        choices += [Choice(word, "it has no group of this name, nor a key") for word in lost]
    return RunConfig(merged, before, tuple(choices), own)


def broken_config(ctx: FileContext) -> OwnConfig | None:
    """The config of the project's own copy of verl that a command reads, where a parent of it is not there."""
    config, command = config_of(ctx.document.root), command_of(ctx.document.root)
    if config is None or command is None or command.overrides is None or not config.name:
        return None
    words = [one for one in command.overrides if one.key]
    if _is_installed(ctx.target) or any(one.key == _SEARCH_PATH for one in words):
        return None
    folders = choices_of(config.name, ctx.release_keys)[1]
    groups = [one for one in words if one.is_group and _is_choice(one, folders)]
    own = _own(ctx.document, config, groups, ctx.target.release, ctx.around)
    return own if own is not None and own.missing else None


def _is_installed(target: Environment) -> bool:
    """Whether verl is a package of the environment, and not a part of the project."""
    pin = target.pins.get("verl")
    return pin is not None and not pin.in_project


def _framework(name: str) -> Framework:
    return variant(load_framework("verl"), kind=kind_of_config(name), language="shell")


def _own(
    document: Document,
    config: Config,
    groups: list[ConfigWord],
    release: str,
    around: Surroundings,
) -> OwnConfig | None:
    """The config of the project that the command reads."""
    chosen = {one.key: one.value for one in groups if not one.sign}

    def released(name: str) -> dict[str, Any] | None:
        if name not in released_names():
            return None
        framework = _framework(name)
        keys = framework.release_keys(release)
        return config_of_release(framework, keys) if keys.has_section("") else None

    named = config.replaced(name=config.written) if config.written else config
    around = around_copy("verl", document.text, around)
    return own_config(named, program_of(document.root), around, chosen, released)


def _is_choice(word: ConfigWord, folders: dict[str, list[str]]) -> bool:
    """Whether a word chooses from a group in this release, and does not set a key of the same name."""
    group, at, _ = word.key.partition("@")
    return bool(at) or "/" in group or (group in folders and not isinstance(word.value, dict))


def _why_not(word: ConfigWord, config: str, keys: ReleaseKeys) -> str:
    """Why Hydra refuses a choice; empty if it does not, or if that is not known."""
    chosen, options = choices_of(config, keys)
    group, value = word.key.partition("@")[0], word.value
    if word.sign == "++":
        return "`++` does not choose from a group of configs"
    if isinstance(value, Unexpanded):
        return ""
    if not isinstance(value, str if word.sign == "~" else (str, list)):
        return "a choice from a group of configs is a name"
    if word.sign == "+" and word.key in chosen:
        return f"it chooses from `{word.key}` already; without the `+` it chooses another one"
    if word.key not in chosen and word.sign != "+":
        others = [key for key in chosen if key.partition("@")[0] == group]
        hint = f"; it has `{'`, `'.join(others)}`" if others else ""
        return f"it chooses nothing from `{word.key}`{hint}"
    if word.sign == "~":
        if value not in ("", chosen[word.key]):
            return f"it chooses `{chosen[word.key]}` from `{word.key}`"
        return f"other choices depend on that from `{group}`" if group == ENGINE else ""
    names = options.get(group, [])
    missing = [one for one in (value if isinstance(value, list) else [value]) if one not in names]
    if missing and all(isinstance(one, str) for one in missing) and names:
        return f"`{group}` has no config `{missing[0]}`, only `{'`, `'.join(names)}`"
    return ""


def _may_choose(command: Command) -> bool:
    """Whether a word that is not known may be one of the script's own, and choose from a group."""
    return any(
        not one.key and isinstance(one.value, Unexpanded) and one.value not in _ARGUMENTS
        for one in command.overrides or ()
    )


def _section_of(group: str) -> str:
    """The section that a choice fills: the package behind `@`, or the name of the group."""
    return group.rpartition("@")[2].replace("/", ".")


def _filled(config: str, chosen: list[ConfigWord]) -> list[str]:
    """The sections of a config of verl's whose keys depend on choices, which are not followed."""
    groups = groups_of(config)
    found: list[str] = []
    for one in chosen:
        row = groups.get(one.key)
        if row is None:
            found.append(_section_of(one.key))
        elif one.value not in row["usual"] or one.sign:
            found += row["sections"]
    return found


def _open(tree: dict[str, Any], sections: list[str]) -> None:
    """Forget what is below sections of a tree."""
    for section in sections:
        *above, name = section.split(".")
        here: Any = tree
        for part in above:
            if here is not UNKNOWN:
                here = here.setdefault(part, {})
        if isinstance(here, dict):
            here[name] = UNKNOWN
