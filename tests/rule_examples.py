"""The examples of rules as tests; `cfglint rules test` tries all of them.

Of Axolotl's rules that only read values, thousands of examples, two of each are tried. Those of a rule
with a check, and those of the other frameworks, are what tests the code behind them: all are tried.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.engine.authoring.selftest import failures, framework_name, run_example
from cfglint.knowledge.compiling.examples import prepare
from cfglint.knowledge.compiling.loading import RuleFile
from cfglint.knowledge.compiling.model import Example
from cfglint.roles.framework import frameworks, load_framework
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from tests.draws import WHOLE, drawn
from tests.shipped import FAMILIES, RULES, shipped_rules

#: The rules of which a fix is tried.
FIXED = frozenset(
    drawn(
        {
            file.rule.code
            for file in shipped_rules()
            if any(one.fixed for one in file.rule.examples)
        },
        100,
    )
)


def families(folder: str) -> list[str]:
    """The folders of the rules of a framework, or of the shared ones."""
    found = [family for family in FAMILIES if family.startswith(f"{folder}/")]
    assert found
    return found


def rules_of(family: str) -> list[RuleFile]:
    """The rules in a folder, with those of their examples that are tried."""
    files = [_with_tried(file) for file in shipped_rules() if file.path.parent == RULES / family]
    assert files
    return files


def _with_tried(file: RuleFile) -> RuleFile:
    """A rule with those of its examples that are tried; of many, a bad and a good one, and maybe a fixed one."""
    every = file.rule.examples
    bad, good, fixed = (
        [example for example in every if getattr(example, kind) is not None]
        for kind in ("bad", "good", "fixed")
    )
    if WHOLE or file.rule.check or file.rule.framework != "axolotl":
        tried = every
    elif file.rule.code in FIXED:
        tried = [*drawn(fixed, 1), *drawn(good, 1)]
    else:
        # To fix takes as long as to check a dozen.
        tried = [one.model_copy(update={"fixed": None}) for one in drawn(bad, 1)] + drawn(good, 1)
    return file._replace(rule=file.rule.model_copy(update={"examples": tried}))


def wrong_examples(family: str) -> list[str]:
    """What is wrong with the examples of the rules in a folder."""
    return list(failures(rules_of(family)))


def failing_alone(family: str) -> list[str]:
    """The examples with files beside them on which a rule fails where nothing is known but their text."""
    return [
        f"{file.rule.code}: {failed}"
        for file in rules_of(family)
        for failed in _failing_alone(file)
    ]


def _failing_alone(file: RuleFile) -> Iterator[str]:
    for example in file.rule.examples:
        if example.files:
            yield from _failing(file, example, prepare(example)[0])


def failing_changed(family: str) -> list[str]:
    """The examples on which a rule fails where one of their lines is missing or has an odd value."""
    return [
        f"{file.rule.code}: {failed} in {changed!r}"
        for file in rules_of(family)
        for example in file.rule.examples[:1]
        for changed in _changed(prepare(example)[0], file.rule.code)
        for failed in _failing(file, example, changed)
    ]


#: What a value is replaced by that is of no use to anybody.
ODD = (b"", b" null", b" []", b" {}", b" -1", b" $X", b" x", b" 0", b" [1, {a: 2}]")
#: Of longer texts none is changed.
MOST = 60


def _changed(data: bytes, salt: str) -> Iterator[bytes]:
    """A text without one of its lines, and with an odd value in the place of that of a line."""
    lines = data.splitlines(keepends=True)
    if len(lines) > MOST:
        return
    for at in drawn(range(len(lines)), 1, salt):
        yield b"".join((*lines[:at], *lines[at + 1 :]))
    for at in drawn(range(len(lines)), 1, f"{salt} odd"):
        name, sign, _ = lines[at].partition(b":" if b":" in lines[at] else b"=")
        for odd in drawn(ODD, 1, salt):
            yield b"".join((*lines[:at], name, sign, odd, b"\n", *lines[at + 1 :]))


def _failing(file: RuleFile, example: Example, data: bytes) -> Iterator[str]:
    """What fails on a text in the place of an example's, without files beside it."""
    name = framework_name(file.rule, example)
    if name not in frameworks():
        return
    try:
        source = SourceText.from_bytes(data)
        result, _, _ = run_example(
            source, example, load_framework(name), None, step=False, sweep=False
        )
    except SourceError:
        return
    yield from (one.message for one in result.diagnostics if one.name == "rule-failed")
