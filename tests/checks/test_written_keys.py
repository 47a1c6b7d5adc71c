"""The keys of a file that are remarkable: unknown, gone, refused, missing."""

from __future__ import annotations

from typing import Any

from cfglint.base.logic import MISSING
from cfglint.checks import written_keys
from cfglint.checks.context import CheckContext
from cfglint.checks.written_keys import file_keys
from cfglint.source.document import Entry, Path
from tests.draws import each
from tests.linting import case_in
from tests.server.opening import BASE, DATA


def context(lines: str, *, base: str = BASE + DATA, release: str = "0.18.0") -> CheckContext:
    case, source = case_in({}, base + lines, target=(f"axolotl=={release}",))
    document = case.framework.language.read(source)
    return CheckContext(document, case.framework, case.target, case.around)


def entry_of(ctx: CheckContext, *path: str | int) -> Entry:
    found = ctx.document.entry(path)
    assert found is not None
    return found


def dotted(path: Path) -> str:
    return ".".join(map(str, path))


@each(
    ("lines", "unknown", "unusual", "refused", "missing"),
    [
        ("", [], [], [], []),
        ("no_such: 1\n", ["no_such"], [], [], []),
        ("trl: {no_such: 1, beta: 1}\n", ["trl.no_such"], [], [], []),
        # Gone, not there yet, of a plugin that is not listed.
        ("relora_steps: 1\n", [], ["relora_steps"], [], []),
        ("liger_rope: true\n", [], ["liger_rope"], [], []),
        (
            "liger_rope: true\nplugins: [axolotl.integrations.liger.LigerPlugin]\n",
            *([], [], [], []),
        ),
        ("seed: abc\n", [], [], ["seed 'abc'"], []),
        ("seed: 1\nlora_r: 8\n", [], [], [], []),
        ("trl: {beta: x}\n", [], [], ["trl.beta 'x'"], []),
        ("lora_dropout: 0.1\nlora_r: [1]\n", [], [], ["lora_r [1]"], []),
        ("test_datasets:\n  - path: [x]\n", [], [], ["test_datasets.0.path ['x']"], []),
        ("test_datasets:\n  - path: x\n    no_such: 1\n", ["test_datasets.0.no_such"], [], [], []),
        # The same value twice is looked at once, and told of both keys.
        ("save_steps: [1]\neval_steps: [1]\n", [], [], ["save_steps [1]", "eval_steps [1]"], []),
        ("<<: {no_such: 1}\n", [], [], [], []),
    ],
)
def test_remarkable_keys(
    lines: str, unknown: list[str], unusual: list[str], refused: list[str], missing: list[str]
) -> None:
    found = file_keys(context(lines))
    assert [dotted(key.path) for key in found.unknown] == unknown
    assert [dotted(key.path) for key in found.unusual] == unusual
    assert [f"{dotted(key.path)} {value!r}" for key, _, value in found.refused] == refused
    assert [dotted((*path, name)) for path, name in found.missing] == missing


def test_a_file_of_something_else_has_none() -> None:
    ctx = context("no_such: 1\nother: 2\n", base="")
    assert not written_keys.knows_any(ctx)
    assert file_keys(ctx) == written_keys.FileKeys([], [], [], [])
    assert written_keys.knows_any(context("no_such: 1\nseed: 2\n", base=""))


def test_keys_with_odd_characters_have_a_rule_of_their_own() -> None:
    ctx = context("no_such: 1\n\N{LEFT DOUBLE QUOTATION MARK}seed: 1\n")
    assert len(file_keys(ctx).unknown) == 2
    assert [key.name for key in written_keys.unknown_keys(ctx)] == ["no_such"]


@each(
    ("lines", "plugins"),
    [
        ("", []),
        ("plugins: [axolotl.integrations.liger.LigerPlugin]\n", []),
        ("plugins: [own.B, axolotl.integrations.liger.LigerPlugin, own.A]\n", ["A", "B"]),
    ],
)
def test_plugins_of_others(lines: str, plugins: list[str]) -> None:
    assert written_keys.own_plugins(context(lines)) == plugins


@each(
    ("value", "null", "off"),
    [
        *(("", True, True), ("~", True, True), ("null", True, True), ("false", False, True)),
        *(("0", False, False), ("''", False, False), ("no", False, True), ("[]", False, False)),
    ],
)
def test_what_asks_for_nothing(value: str, null: bool, off: bool) -> None:
    entry = entry_of(context(f"strict: {value}\n"), "strict")
    assert (written_keys.is_null(entry), written_keys.value_is_off(entry)) == (null, off)


@each(
    ("path", "value"),
    [
        (("num_epochs",), 1),
        (("datasets", 0, "type"), "alpaca"),
        (("sequence_len",), 512),
        (("learning_rate",), MISSING),
        (("lora_r",), MISSING),
        (("no_such",), MISSING),
    ],
)
def test_what_is_in_force(path: Path, value: Any) -> None:
    assert written_keys.in_force(context("learning_rate:\n"), path) == value


@each(
    ("written", "meant", "expected"),
    [
        ("x: false\n", None, True),
        ("x: true\n", None, False),
        ("x:\n", None, False),
        ("x: {}\n", None, False),
        ("x: 512\n", ("sequence_len",), True),
        ("x: 1024\n", ("sequence_len",), False),
        ("x: false\n", ("sequence_len",), False),
        ("x: 1\n", ("num_epochs",), True),
        ("x: 2\n", ("num_epochs",), False),
        ("x: 2\n", ("x",), False),
        ("x: false\n", ("lora_r",), False),
    ],
)
def test_whether_a_run_is_the_same_without_it(
    written: str, meant: Path | None, expected: bool
) -> None:
    ctx = context(written)
    assert written_keys.asks_for_nothing(ctx, entry_of(ctx, "x"), meant) is expected


def test_releases() -> None:
    ctx = context("")
    assert written_keys.released(ctx, "0.18.0")
    assert written_keys.released(ctx, "0.9.0")
    assert not written_keys.released(ctx, "0.19.0")
