"""The pages of rules and keys, and what words of an error are a symptom of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.api.asked_releases import stated_here, target_here
from cfglint.engine.session import Options, Session, path_here
from cfglint.engine.settings.nearest import Settings, SettingsFinder
from cfglint.environment.environment import Environment
from cfglint.frameworks.for_files import variant
from cfglint.knowledge.keys.classes import fields_in, known_classes
from cfglint.knowledge.recognition import fallback
from cfglint.knowledge.rules.knowledge import Knowledge
from cfglint.knowledge.rules.rule import Rule
from cfglint.report.pages import imported_name, key_page, rules_list
from cfglint.report.pages.explain import render, suggestions
from cfglint.report.prose import terminal
from cfglint.report.snippet import wrapped
from cfglint.report.style import Style
from cfglint.roles.framework import Framework, frameworks

#: How many classes with a parameter are named.
_MOST_CLASSES = 4
#: How many further sections with a key of the same name are named.
_MOST_SECTIONS = 4
#: A shorter text is the beginning of too many names.
_SHORTEST_BEGINNING = 4
#: The name of a variable of the environment, which no rule and no key has.
_VARIABLE = re.compile(r"[A-Z]{2,40}(?:_[A-Z0-9]{1,40}){1,8}")
#: The rule about slips in the names of such variables.
_MISSPELT = "LCH817"
#: What an error message has in quotes, such as the name of an argument.
_QUOTED = re.compile(r"['\"`]([A-Za-z_][\w.]{1,80})['\"`]")
#: How an error calls something of a file, a call or a command.
_OF_ARGUMENTS = re.compile(
    r"(?i)\b(?:argument|option|parameter|key|field|input|config|override)s?\b"
)


def known_rules() -> list[tuple[Rule, Knowledge]]:
    """The rules that are known in the current folder, each once, in the order of codes.

    Raises:
        RunError: the project's settings or rules are broken.
    """
    session = Session(Options(), SettingsFinder())
    found: dict[str, tuple[Rule, Knowledge]] = {}
    settings = session.settings(path_here())
    # A shared rule is shown as for the most common framework.
    usual = fallback("yaml")
    for name in sorted(frameworks(), key=lambda name: name != usual):
        knowledge = session.framework(name, settings).knowledge
        for rule in (*knowledge.all_rules(), *knowledge.migration_rules):
            found.setdefault(rule.code, (rule, knowledge))
    return [found[code] for code in sorted(found)]


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
    known = known_rules()
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
        elif names := list(imported_name.pages(text, style, width)):
            pages += names
        else:
            wrong.append(_unknown(text, known))
    return pages, wrong


def symptom_pages(
    words: str, target: tuple[str, ...], only: str | None, style: Style, width: int
) -> list[str]:
    """What some words of an error are a symptom of; nothing when that is not known.

    A name that an import does not find is answered with its releases. Where no rule has such a symptom, what the words
    have in quotes is explained if it is a key.

    Raises:
        RunError: the target is not known.
        SettingsError: the settings of the current folder are broken.
    """
    from cfglint.answers.logs.causes import Symptoms
    from cfglint.answers.logs.failures import Failure
    from cfglint.answers.logs.lacked import account, lacked_name
    from cfglint.answers.logs.refused import refused_keys
    from cfglint.api.diagnosing import versions_given
    from cfglint.report.pages import symptom

    known, failure = Symptoms(), Failure("", words, (), "", 0)
    lacked = lacked_name(failure)
    given = {one: version for one, version in versions_given(target).items() if version}
    remark = "" if lacked is None else account(lacked, given)
    pages = ["\n".join(terminal(remark, style=style, width=width)) + "\n"] if remark else []
    rules, ends = known.with_words(words), known.ends_with_words(words)
    if rules or ends:
        return [*pages, symptom.render(rules, ends, style, width)]
    if pages:
        return pages
    quoted = _QUOTED.findall(words)
    # A plain word may be anything, such as the `weight` of a layer, unless the error says that it is an argument.
    plain = _OF_ARGUMENTS.search(words) is not None
    names = dict.fromkeys(name for name in quoted if plain or "_" in name or "." in name)
    names |= dict.fromkeys(key.name for key in refused_keys(failure))
    return [page for name in names for page in _keys(name, target, only, style, width)]


def _keys(
    text: str, target: tuple[str, ...], only: str | None, style: Style, width: int
) -> Iterator[str]:
    """The pages of a key, one per framework that has it or another name for it.

    Those of keys deep in a section, which have only their last name in common with the text, come last.

    Raises:
        RunError: the target is not known.
        SettingsError: the settings of the current folder are broken.
    """
    session = Session(Options(target=target), SettingsFinder())
    meant: dict[str, str] = {}
    shown: set[str] = set()
    classes: list[str] = []
    alike: dict[str, list[str]] = {}
    deep: list[str] = []
    found = False
    for name in [only] if only else _asked_for(text, target, session):
        framework = session.framework(name)
        environment = target_here(session, framework)
        keys = key_page.find(text, framework, environment) or [
            *_of_class(text, framework, environment)
        ]
        if not keys and _is_class(text, framework, environment):
            yield f"{style.bold(text)} is a class; `cfglint keys {text}` lists what it takes.\n"
        if keys and "." not in text and all("." in key.section for key in keys):
            deep += _deep_pages(keys, style, width)
            keys = []
        for key in keys:
            found = True
            shown |= key_page.tools_named(key)
            yield key_page.render(key, style, width)
        if not keys and "." in text:
            deep += _deep_pages(key_page.ending(text, framework, environment), style, width)
        if not keys:
            for other in _longer_names(text, framework):
                alike.setdefault(other, []).append(framework.title)
            for own, _ in key_page.own_names(text, framework):
                meant.setdefault(own, framework.title)
            classes += [full.rpartition(".")[2] for full in _with_parameter(text, framework)]
    # What the pages themselves have is not repeated.
    meant = {own: title for own, title in meant.items() if title not in shown}
    yield from _elsewhere(text, meant, classes, style, found=found)
    if alike and not (found or classes):
        names = "; ".join(f"`{name}` ({', '.join(titles)})" for name, titles in alike.items())
        text = f"Keys that begin with {style.bold(text)}: {names}."
        yield "\n".join(wrapped(text, width)) + "\n"
    yield from deep


def _elsewhere(
    text: str, meant: dict[str, str], classes: list[str], style: Style, *, found: bool
) -> Iterator[str]:
    """What a key is called by others, and the classes that have it as a parameter.

    Args:
        meant: its name -> the framework that calls it so.
        found: whether the key has a page of its own.
    """
    if meant:
        names = ", ".join(f"`{own}` in {title}" for own, title in meant.items())
        lead = "Elsewhere it is" if found else f"{style.bold(text)} is"
        yield f"{lead} {names}.\n"
    if classes:
        more = len(classes) - _MOST_CLASSES
        several = f" and {more} more" if more > 0 else ""
        names = ", ".join(f"`{name}`" for name in classes[:_MOST_CLASSES])
        subject = "It" if found or meant else style.bold(text)
        yield (
            f"{subject} is a parameter of {names}{several}; `cfglint explain {classes[0]}.{text}` says"
            " more.\n"
        )


def _deep_pages(keys: list[key_page.KnownKey], style: Style, width: int) -> list[str]:
    """The page of a key in a section, with the other sections that have one of its name."""
    if not keys:
        return []
    first, *others = keys
    pages = [key_page.render(first, style, width)]
    if others:
        names = ", ".join(f"`{key.full_name}`" for key in others[:_MOST_SECTIONS])
        rest = f" and {len(others) - _MOST_SECTIONS} more" if len(others) > _MOST_SECTIONS else ""
        pages.append("\n".join(wrapped(f"Of the same name: {names}{rest}.", width)) + "\n")
    return pages


def _longer_names(text: str, framework: Framework) -> Iterator[str]:
    """The keys of files that begin with a text."""
    if len(text) >= _SHORTEST_BEGINNING and text.isidentifier():
        yield from (name for name in framework.keys.current("") if name.startswith(f"{text}_"))


def _of_class(text: str, framework: Framework, target: Environment) -> Iterator[key_page.KnownKey]:
    """The parameter of a class that a text names: `SFTConfig.packing`."""
    name, _, key = text.rpartition(".")
    if not name:
        return
    for full in _classes(name, framework):
        yield from key_page.find(key, variant(framework, kind=full), target)
    if key in _fields(name, framework, target):
        yield from key_page.find(key, framework, target)


def _with_parameter(text: str, framework: Framework) -> Iterator[str]:
    """The full names of the classes that have a parameter, those of the usual methods first."""
    if not text.isidentifier():
        return
    names = [
        full
        for full in known_classes(framework.name)
        if variant(framework, kind=full).keys.info("", text) is not None
    ]
    usual = [kind.upper() for kind in reversed(framework.row["kinds"])]

    def rank(full: str) -> tuple[int, int]:
        name = full.rpartition(".")[2]
        place = next((at for at, kind in enumerate(usual) if name.startswith(kind)), len(usual))
        # `LoraConfig` before those that are named after it.
        return place, -sum(other.endswith(name) for other in names)

    yield from sorted(names, key=rank)


def _is_class(text: str, framework: Framework, target: Environment) -> bool:
    """Whether a text is the name of a class whose parameters are known."""
    found = any(_classes(text, framework))
    return found or bool(_fields(text, framework, target))


def _fields(name: str, framework: Framework, target: Environment) -> frozenset[str]:
    """The keys that fill a class which has no table of its own."""
    return fields_in(framework.name, name, framework.key_policy.keys_in(target))


def _classes(name: str, framework: Framework) -> Iterator[str]:
    """The full names of the classes that a name means."""
    for full in known_classes(framework.name):
        if name in (full, full.rpartition(".")[2]):
            yield full


def _asked_for(text: str, target: tuple[str, ...], session: Session) -> list[str]:
    """The frameworks whose release is stated, by options or else by the project, if one of them has the key; all of them otherwise."""
    packages = {pin.partition("==")[0].partition("@")[0] for pin in target}
    every = sorted(frameworks())
    stated = [name for name in every if session.framework(name).packages[0] in packages]
    stated = stated or stated_here(session)
    for name in stated:
        framework = session.framework(name)
        environment, _ = session.environment(framework, Settings(), path_here())
        if (
            key_page.find(text, framework, environment)
            or key_page.own_names(text, framework)
            or _is_class(text.rpartition(".")[0] or text, framework, environment)
        ):
            return stated
    return every


def _of_variable(name: str, known: list[tuple[Rule, Knowledge]]) -> str:
    """What is known about a variable of the environment: that it is a slip, or which rules mention it."""
    from cfglint.checks.misspelt_variables import is_read, meant_variable

    meant = meant_variable(name)
    if meant is not None:
        return f"; did you mean {meant}? (`cfglint explain {_MISSPELT}` says more)"
    if rules_list.containing(known, name):
        return f"; `cfglint rules --search {name}` lists the rules that mention it"
    if is_read(name):
        return f" that CUDA, NCCL or a library reads; {_MISSPELT} finds slips in its name"
    return ", which no rule mentions"


def _unknown(text: str, known: list[tuple[Rule, Knowledge]]) -> str:
    """The error about a text that names neither a rule nor a key.

    Args:
        known: all rules.
    """
    if " " in text.strip():
        return f"{text!r} is neither a rule nor a key; --symptom looks for the words of an error message"
    if _VARIABLE.fullmatch(text):
        variable = f"{text!r} is not a key, but looks like a variable of the environment"
        return f"{variable}{_of_variable(text, known)}"
    hint = suggestions(text, [rule for rule, _ in known])
    if "_" not in text and "." not in text:
        return f"unknown rule {text!r}{hint}"
    from cfglint.report.pages.key_page import suggestions as similar_keys
    from cfglint.roles.framework import load_framework

    close = similar_keys(text, [load_framework(name) for name in frameworks()])
    is_key = "." in text  # no rule has a dot in its name
    if not close and not is_key and "did you mean" in hint:
        return f"unknown rule {text!r}{hint}"
    if close:
        hint = f"; did you mean {' or '.join(close)}?"
    if is_key:
        return f"unknown key {text!r}{hint if close else '; `cfglint keys` lists them'}"
    return f"unknown rule or key {text!r}{hint}"
