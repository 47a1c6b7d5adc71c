"""What a shell completes: codes and names of rules, releases, files."""

from __future__ import annotations

import os
from typing import Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    add_completion_class,
    split_arg_string,
)

from cfglint.roles.framework import frameworks, load_framework


def rules(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Codes of rules, and names once one is started; after a comma another one."""
    from cfglint.cli.project import Unusable, rules_here

    before, comma, begun = incomplete.rpartition(",")
    try:
        known = rules_here()
    except Unusable:
        return []
    labels = {
        label: knowledge.details(rule.code).summary
        for rule, knowledge in known
        for label in ((rule.code, rule.name) if begun and begun.islower() else (rule.code,))
        if label.startswith(begun if begun.islower() else begun.upper())
    }
    return [
        CompletionItem(f"{before}{comma}{label}", help=about) for label, about in labels.items()
    ]


def targets(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Frameworks with their releases, the newest first."""
    found = []
    for name in frameworks():
        releases = load_framework(name).releases
        if releases.package.startswith(incomplete.partition("=")[0]):
            found += [f"{releases.package}=={version}" for version in reversed(releases.versions)]
    return [CompletionItem(one) for one in ["installed", *found] if one.startswith(incomplete)]


#: What is completed for an option.
BY_FLAG: dict[str, Any] = {
    "--select": rules,
    "--ignore": rules,
    "--target": targets,
}


class _Bash(BashComplete):
    """bash splits a word at `=`, and expects the part after the last one."""

    def get_completion_args(self) -> tuple[list[str], str]:
        words = split_arg_string(os.environ["COMP_WORDS"])
        place = int(os.environ["COMP_CWORD"])
        joined: list[str] = []
        apart = False
        for word in [*words[1:place], words[place] if place < len(words) else ""]:
            if joined and (apart or (word and not word.strip("="))):
                joined[-1] += word
            else:
                joined.append(word)
            apart = bool(word) and not word.strip("=")
        incomplete = joined.pop() if joined else ""
        self._cut = incomplete.rfind("=") + 1
        return joined, incomplete

    def format_completion(self, item: CompletionItem) -> str:
        return f"{item.type},{item.value[self._cut :] if item.type == 'plain' else item.value}"


class _Fish(FishComplete):
    """A comma may be part of what is completed."""

    def source(self) -> str:
        return super().source().replace('string split ","', 'string split --max 1 ","')


def register() -> None:
    """Take these for the shells' own."""
    add_completion_class(_Bash)
    add_completion_class(_Fish)
