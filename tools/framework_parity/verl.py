"""Commands of verl: what Hydra makes of their words, and what cfglint says of them.

    python -m tools.framework_parity.verl generate --count 300 --seed 1 --release 0.8.0 FOLDER
    python -m tools.framework_parity.verl own --checkout CHECKOUT FOLDER
    python -m tools.framework_parity.verl judge FOLDER --checkout CHECKOUT --python PYTHON --out ROWS.jsonl
    python -m tools.framework_parity.verl compare FOLDER --theirs ROWS.jsonl --ours CFGLINT.json

`generate` writes scripts with one to three changed words in each; `own` writes a script for each command in
the scripts of a checkout, with a text in place of what only a run knows. `judge` gives the words of both to
Hydra, in a Python that has `hydra-core`. Ours is the output of `cfglint --format json --target verl==RELEASE FOLDER`.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cfglint.base.logic import MISSING
from cfglint.base.shortened import shortened
from cfglint.frameworks.for_files import variant
from cfglint.frameworks.verl.commands import ENGINE, MAIN, program_at, programs
from cfglint.frameworks.verl.defaults import default_of
from cfglint.frameworks.verl.spans import is_released
from cfglint.roles.framework import Framework, load_framework
from cfglint.source.languages.shell import script_of
from cfglint.source.shell_values import ShellVariables
from tools.framework_parity import folders
from tools.framework_parity.verdicts import compare, read_ours, read_theirs, report
from tools.verl_release.configs import ask, place_of

_VALUES = (
    *(
        "1",
        "0.5",
        "1e-6",
        "true",
        "null",
        "text",
        "[a,b]",
        "'[\"x y\",1]'",
        "a/b.c",
        "${data.seed}",
    ),
    *("{a:1}", "", "path/to-file_1", "'a=b'", "-1", "1_000", "'\"run #7\"'", "[]", "{}"),
)
_BAD_VALUES = ("a=b", "run #7", "a,b", "foo(1)", "[a", '"open', "{a}", "a;b", "é", "[a]b")
#: What verl itself refuses, after Hydra has composed the config.
_LATER = frozenset(
    f"VRL{number:03}" for number in (*range(10, 18), *range(21, 80), 81, 83, 84, *range(700, 800))
)
#: So much of a word is in a finding.
_SHOWN = 60
#: How Hydra names the word, or the key, that it refuses.
_NAMED = re.compile(
    r"(?:Could not override|already at|Could not delete from config\.|not supported:"
    r"|LexerNoViableAltException:|Error parsing override|Error merging override|No module named)"
    r"\s+'?(.+?)'?(?: does not exist)?\.?$",
    re.MULTILINE,
)
#: A value that a person is to fill in: the script is a template, and not refused.
_BLANK = re.compile(r"=<[A-Za-z][^<>]*>$")
_OWN = "#!/bin/bash\npython3 -m {module} \\\n    {words}\n"


def generate(count: int, seed: int, release: str) -> Iterator[tuple[str, str, list[str]]]:
    """Scripts (name, text, keys that were changed)."""
    chance = random.Random(seed)
    base = load_framework("verl")
    frameworks = {
        module: one
        for module, name in programs().items()
        if (one := _of(base, name)).release_keys(release).has_section("")
        and is_released(module, release)
    }
    for number in range(count):
        module = chance.choice(sorted(frameworks))
        framework = frameworks[module]
        names = sorted(_keys(framework))
        words = [_word(chance, framework, release, names, plain=True) for _ in range(4)]
        changed = [_word(chance, framework, release, names) for _ in range(chance.randint(0, 2))]
        every = [*words, *changed]
        chance.shuffle(every)
        quoted = " \\\n    ".join(shlex.quote(word) for word, _ in every)
        yield f"{number:05d}.sh", _OWN.format(module=module, words=quoted), [k for _, k in changed]


def _of(framework: Framework, config: str) -> Framework:
    return variant(framework, kind="" if config == MAIN else config, language="shell")


def _keys(framework: Framework) -> Iterator[str]:
    for section, keys in framework.file_kind.fields.items():
        yield from (f"{section}.{name}" if section else name for name in keys)


def _word(
    chance: random.Random,
    framework: Framework,
    release: str,
    names: list[str],
    *,
    plain: bool = False,
) -> tuple[str, str]:
    """A word, and its key: one that Hydra takes if it is plain."""
    keys = framework.release_keys(release)
    key = chance.choice(names)
    value = chance.choice(_VALUES[:6] if plain else _VALUES)
    if plain:
        while default_of(framework, keys, key) in (MISSING, {}) or not _is_leaf(framework, key):
            key = chance.choice(names)
        return f"{key}={value}", key
    kind = chance.randrange(8)
    if kind == 0:
        return f"+{key}={value}", key
    if kind == 1:
        return f"++{key}={value}", key
    if kind == 2:
        return f"~{key}", key
    if kind == 3:
        key = f"{key}{chance.choice('xyz')}"
        return f"{chance.choice(['', '', '+'])}{key}={value}", key
    if kind == 4:
        section = key.rpartition(".")[0]
        key = f"{section}.new_section.inner" if section else "new_key"
        return f"{chance.choice(['', '+', '++'])}{key}={value}", key
    if kind == 5:
        return f"{key}={chance.choice(_BAD_VALUES)}", key
    if kind == 6:
        word = chance.choice([key, f"--{key}", f"{key}.", f".{key}=1", f"{key}-=1"])
        return word, shortened(word.removesuffix("=1"), _SHOWN)
    return f"{key}={value}", key


def _is_leaf(framework: Framework, key: str) -> bool:
    """Whether a key takes any value: no section, nor the name of a group, which takes one of its configs."""
    return key not in framework.keys.sections() and key != ENGINE


def own(checkout: Path) -> Iterator[tuple[str, str, list[str]]]:
    """A script for each command of a checkout that starts one of its programs."""
    number = 0
    for path in sorted(checkout.rglob("*.sh")):
        text = path.read_text(encoding="utf-8", errors="replace")
        script = script_of(text)
        variables = ShellVariables(script, text)
        for statement in script.statements:
            words = variables.expanded(statement)
            for at, _ in enumerate(words):
                program = program_at(words, at)
                if program is not None and words[0].text not in ("echo", "ps", "pkill"):
                    given = [w for w in words[at + 1 :] if not w.open or "=" in w.text]
                    texts = [
                        _known(w.text) if w.open or _BLANK.search(w.text) else w.text for w in given
                    ]
                    number += 1
                    quoted = " \\\n    ".join(map(shlex.quote, texts))
                    name = f"{number:04d}-{path.stem}.sh"
                    yield name, _OWN.format(module=program.name, words=quoted), []
                    break


def _known(text: str) -> str:
    """A word with something in place of what is not known."""
    name, _, _ = text.partition("=")
    return f"{name}=1" if "$" not in name and "`" not in name else "trainer.nnodes=1"


def judge(folder: Path, checkout: Path, python: str) -> Iterator[dict[str, Any]]:
    """What Hydra says of each script."""
    rows, names = [], []
    for path in sorted(folder.glob("*.sh")):
        text = path.read_text(encoding="utf-8").replace("\\\n", " ")
        _, _, module, *words = shlex.split(text, comments=True)
        if not is_there(module, checkout):
            yield {"file": path.name, "ok": False, "error": f"No module named {module}"}
            continue
        row = row_of(module, words, checkout)
        if row is not None:
            rows.append(row)
            names.append(path.name)
    for name, answer in zip(names, ask(checkout, python, rows, "--verdicts"), strict=True):
        error = answer.get("error", "")
        kind = "missing file" if "MissingConfig" in error or "Could not load" in error else ""
        yield {"file": name, "ok": not error, "error": error, "kind": kind}


def is_there(module: str, checkout: Path) -> bool:
    """Whether a checkout has a program; what no release has is a fork's, or lies where the script starts it."""
    if not module.startswith("verl.") or module not in programs():
        return True
    home = checkout.joinpath(*module.split("."))
    return home.with_suffix(".py").is_file() or (home / "__main__.py").is_file()


def blamed(reason: str, changes: list[str]) -> list[str]:
    """The keys one of which a finding has to be at: that of the word which Hydra names, if it does."""
    match = _NAMED.search(reason)
    if match is None:
        return changes
    # Of a word that is nothing but blanks the next line is the mark below it.
    word = match[1].strip().removeprefix("^") or '""'
    return [shortened(word, _SHOWN), word.lstrip("+~").partition("=")[0]]


def row_of(module: str, words: list[str], checkout: Path) -> dict[str, Any] | None:
    """What to ask Hydra; None where the config is not in the checkout, or only a program of its own names it."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--config-path", "-cp")
    parser.add_argument("--config-name", "-cn")
    parser.add_argument("overrides", nargs="*")
    # A word with other dashes is one that Hydra's own parser refuses.
    try:
        options, strange = parser.parse_known_args(words)
    except SystemExit:
        return None
    named = options.config_name or programs().get(module)
    if named is None:
        return None
    name = named.removesuffix(".yaml")
    home = checkout.joinpath(*module.split(".")).parent
    if options.config_path is not None:
        # Hydra looks for the config there, and nowhere else.
        own = home / options.config_path
        folder = own if (own / f"{name}.yaml").is_file() else None
    else:
        own = home / "config"
        folder = own if (own / f"{name}.yaml").is_file() else place_of(checkout, name)
    if folder is None:
        return None
    return {"folder": str(folder), "name": name, "words": [*strange, *options.overrides]}


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("generate", "own", "judge", "compare"):
        command = commands.add_parser(name)
        command.add_argument("folder", type=Path)
        if name == "generate":
            command.add_argument("--count", type=int, default=300)
            command.add_argument("--seed", type=int, default=1)
            command.add_argument("--release", required=True)
        if name in ("own", "judge"):
            command.add_argument("--checkout", type=Path, required=True)
        if name == "judge":
            command.add_argument("--python", required=True)
            command.add_argument("--out", type=Path, required=True)
        if name == "compare":
            command.add_argument("--theirs", type=Path, required=True)
            command.add_argument("--ours", type=Path, required=True)
            command.add_argument("--show", type=int, default=10)
    given = parser.parse_args(arguments)
    if given.command == "generate":
        folders.write(given.folder, generate(given.count, given.seed, given.release))
    elif given.command == "own":
        folders.write(given.folder, own(given.checkout.resolve()))
    elif given.command == "judge":
        rows = judge(given.folder, given.checkout.resolve(), given.python)
        given.out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        theirs, ours = read_theirs(given.theirs), read_ours(given.ours, _LATER)
        changes = folders.changes(given.folder)
        keys = {name: blamed(one.reason, changes.get(name, [])) for name, one in theirs.items()}
        print(report(compare(theirs, ours, keys), given.show), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
