"""Shell scripts: how words are written in generated ones, and what bash and cfglint make of them."""

from __future__ import annotations

import random
import shlex
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import nowhere
from cfglint.source import shell_words
from cfglint.source.languages.shell import Shell
from cfglint.source.shell_values import ShellVariables

if TYPE_CHECKING:
    from cfglint.roles.framework import Framework
    from cfglint.source.languages.base import Language


def language_of(framework: Framework, text: str, release: str) -> Language:
    """The language in which a release reads the commands of a script, wherever that lies."""
    target = Environment(framework.releases).at(release)
    return framework.parsing.language_for(text, target, nowhere())


def quoted(word: str, lines: list[str], chance: random.Random) -> str:
    """A word as a shell reads it: quoted in one way or another, or held by a variable."""
    kind = chance.choice(("plain", "plain", "plain", "single", "double", "variable", "half"))
    name = f"v{len(lines)}"
    if kind == "variable":
        lines.append(f"{name}={shlex.quote(word)}")
        simple = bool(word) and not any(c.isspace() or c in "[{*?" for c in word)
        return chance.choice((f"${name}", f"${{{name}}}", f'"${name}"')) if simple else f'"${name}"'
    if kind == "half" and len(word) > 3 and '"' not in word:
        lines.append(f'{name}="{word[2:]}"')
        return f'{shlex.quote(word[:2])}"${name}"'
    if kind == "double" and '"' not in word:
        return f'"{word}"'
    return f"'{word}'" if kind == "single" else shlex.quote(word)


def words_of(path: Path, programs: Iterable[str]) -> list[str]:
    """What a script gives to its program, which is not run, behind the program's name.

    Args:
        programs: the names that scripts start programs by; a stand-in takes the place of each.
    """
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(temporary)
        for name in programs:
            stand_in = home / name
            stand_in.write_text(f'#!/bin/sh\nprintf "%s\\\\0" "{name}" "$@" > {home}/words\n')
            stand_in.chmod(0o755)
        subprocess.run(
            ["/bin/bash", path.resolve()],
            env={"PATH": f"{home}:/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
            cwd=home,
            check=False,
            capture_output=True,
            timeout=10,
        )
        return (home / "words").read_text(encoding="utf-8").split("\0")[:-1]


def starts_in(text: str, language: Language) -> Iterator[tuple[str, list[str], bool]]:
    """(program, the words behind it, whether all of them are known) of each start in a script, as cfglint reads it.

    Args:
        language: that of the scripts of a framework.
    """
    assert isinstance(language, Shell)
    script = shell_words.read(text)
    variables = ShellVariables(script, text)
    for statement in script.statements:
        words = variables.expanded(statement)
        for at in range(len(words)):
            program = language.programs(words, at)
            if program is not None:
                own = words[at + 1 + program.taken :]
                known = not any(word.open or word.many for word in own)
                yield program.name, [word.text for word in own], known
                break
