"""The families of rules: the titles of the prefixes that codes begin with.

General families are in `families.yaml` of the rules folder, those of one framework in its
`framework.yaml`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from pathlib import Path

from cfglint.knowledge.compiling.files import RuleFileError, read_yaml
from cfglint.knowledge.compiling.frameworks import described
from cfglint.knowledge.compiling.loading import RuleFile

FILE = "families.yaml"


def family_titles(folder: Path, homes: Iterable[Path], files: Iterable[RuleFile]) -> dict[str, str]:
    """Prefix -> what its rules are about: the general families first, then those of each framework.

    Args:
        homes: the folders of the frameworks.
        files: the rules, whose families all need a title.

    Raises:
        RuleFileError: a file is malformed, or a prefix has two titles or none.
    """
    titles: dict[str, str] = dict(read_yaml(folder / FILE))
    for home in homes:
        for prefix, title in described(home)["families"].items():
            if prefix in titles:
                raise RuleFileError(
                    f"{home / 'framework.yaml'}: the family {prefix} already has a title: {titles[prefix]!r}"
                )
            titles[prefix] = title
    _require_titles(files, titles)
    return titles


def _require_titles(files: Iterable[RuleFile], titles: Container[str]) -> None:
    for file in files:
        prefix = file.rule.code.rstrip("0123456789")
        if prefix not in titles:
            raise RuleFileError(
                f"{file.path}: the family {prefix} has no title; add one to `families` in the"
                f" framework.yaml of its framework, or to {FILE} if it is general"
            )
