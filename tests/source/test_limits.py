"""Hostile input: a clear finding at the right place, quickly and in little memory."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cfglint.engine.runner import Runner
from cfglint.engine.session import Options, UnrecognizedError
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.source.languages.yaml import compose
from cfglint.source.languages.yaml_builder import MAX_DEPTH, MAX_NODES
from cfglint.source.problems import ProblemKind, SourceError
from cfglint.source.text import MAX_BYTES, SourceText
from tests.draws import each

SECONDS = 2.0
MEGABYTES = 80


@contextmanager
def bounded() -> Iterator[None]:
    started = time.process_time()
    yield
    assert time.process_time() - started < SECONDS


def problem(text: str) -> SourceError:
    with bounded(), pytest.raises(SourceError) as caught:
        compose(SourceText.from_str(text))
    assert 0 <= caught.value.span.start <= caught.value.span.end <= len(text)
    return caught.value


def bomb(levels: int, *, mapping: bool) -> str:
    lines = ["l0: &l0 [x]"]
    for level in range(1, levels):
        names = [f"*l{level - 1}"] * 9
        if mapping:
            names = [f"k{number}: {name}" for number, name in enumerate(names)]
        opening, closing = "{}" if mapping else "[]"
        lines.append(f"l{level}: &l{level} {opening}{', '.join(names)}{closing}")
    return "\n".join(lines) + "\n"


@each(
    ("text", "kind", "start"),
    [
        ("a: " + "[" * 100_000, ProblemKind.TOO_DEEP, 3 + MAX_DEPTH - 1),
        ("a: " + "{b: " * 100_000, ProblemKind.TOO_DEEP, 3 + 4 * (MAX_DEPTH - 1)),
        ("- " * 100_000, ProblemKind.TOO_DEEP, 2 * MAX_DEPTH),
        ("? " * 100_000, ProblemKind.TOO_DEEP, 2 * MAX_DEPTH),
        ("\n".join(" " * n + "a:" for n in range(1_000)), ProblemKind.TOO_DEEP, None),
        (bomb(12, mapping=False), ProblemKind.ALIAS_EXPANSION, None),
        (bomb(12, mapping=True), ProblemKind.ALIAS_EXPANSION, None),
        ("a: &a [*a]\n", ProblemKind.ALIAS_CYCLE, 7),
        ("a: &a {b: {c: *a}}\n", ProblemKind.ALIAS_CYCLE, 14),
        ("&r\na: *r\n", ProblemKind.ALIAS_CYCLE, 6),
        ("a: &a\n  <<: *a\n", ProblemKind.ALIAS_CYCLE, 12),
        ('b: 1\na: "x', ProblemKind.UNTERMINATED_QUOTE, 8),
        ("a: 'x\nb: 1\n", ProblemKind.UNTERMINATED_QUOTE, 3),
        ('a: "' + "x\n " * 60_000, ProblemKind.UNTERMINATED_QUOTE, 3),
        ("a: \x00\n", ProblemKind.CONTROL_CHARACTER, 3),
        ("é: \x1b\n", ProblemKind.CONTROL_CHARACTER, 3),
        ("\U0001f680: 'x\x08'\n", ProblemKind.CONTROL_CHARACTER, 5),
        ("a: 1\n---\nb: 2\n", ProblemKind.SEVERAL_DOCUMENTS, 5),
        ("a: 1\n---\n" * 1000, ProblemKind.SEVERAL_DOCUMENTS, 5),
        ("", ProblemKind.EMPTY, 0),
        (" \n\n", ProblemKind.EMPTY, 0),
        ("# only\n# comments\n", ProblemKind.EMPTY, 0),
        ("---\n...\n", ProblemKind.EMPTY, 0),
        ("- a\n- b\n", ProblemKind.ROOT_NOT_MAPPING, None),
        ("[a]\n", ProblemKind.ROOT_NOT_MAPPING, None),
        ("just text\n", ProblemKind.ROOT_NOT_MAPPING, None),
        ("12\n", ProblemKind.ROOT_NOT_MAPPING, None),
        ("a:\t1\n", ProblemKind.TAB, 2),
        ("a:\n\tb: 1\n", ProblemKind.TAB, 3),
        ("a: [\n", ProblemKind.SYNTAX, None),
        ("a: b: c\n", ProblemKind.SYNTAX, 4),
        ("a: *b\n", ProblemKind.SYNTAX, 3),
        ("a: &x 1\nb: &x 2\n", ProblemKind.SYNTAX, None),
        ("[a]: 1\n", ProblemKind.UNBUILDABLE, 0),
        ("a: 2024-13-45\n", ProblemKind.UNBUILDABLE, 3),
        ("a: !x 1\n", ProblemKind.UNBUILDABLE, 3),
        ("a: " + "9" * 900_000 + "\n", ProblemKind.UNBUILDABLE, 3),
        ("a: 1" + ":59" * 200_000 + "\n", ProblemKind.UNBUILDABLE, 3),
        ("".join(f"k{n}: {n}\n" for n in range(100_000)), ProblemKind.ALIAS_EXPANSION, None),
        ("a:\t1\n" * 100_000, None, None),
        ("%YAML 1.1\n" * 30_000 + "---\na: 1", ProblemKind.TOO_LARGE, 0),
    ],
)
def test_problem(text: str, kind: ProblemKind | None, start: int | None) -> None:
    error = problem(text)
    if kind is not None:
        assert error.kind is kind
    if start is not None:
        assert error.span.start == start


@each(
    "text",
    [
        "a: " + "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1),
        "a: " + "x" * 900_000,
        "a: '" + "x y " * 200_000 + "'",
        "a: |\n" + "\n" * 900_000,
        "a: 1\n" + "# comment\n" * 90_000,
        "".join(f"k{n}: {n}\n" for n in range(MAX_NODES // 2 - 1)),
        "a: &a x\n" + "".join(f"k{n}: *a\n" for n in range(30_000)),
        "".join(f"k{n}: &a{n} x\n" for n in range(30_000)),
        "a: " + "1" * 300_000 + ".5",
    ],
)
def test_large_but_read(text: str) -> None:
    with bounded():
        document = compose(SourceText(text))
    assert document.root.entries


def test_deep_through_aliases() -> None:
    """Each line is 90 deep on its own; followed to the end it is thousands."""
    lines = ["base_model: x", "a0: &a0 [1]"]
    lines += [f"a{n}: &a{n} {'[' * 90}*a{n - 1}{']' * 90}" for n in range(1, 42)]
    text = "\n".join([*lines, "datasets: *a41", "plugins: *a41"])
    options = Options(fix=True, unsafe_fixes=True, framework="axolotl")
    runner = Runner(options, SettingsFinder(isolated=True))
    report = runner.check_bytes(text.encode(), "a.yml", named=True)
    assert report is not None
    assert [found.name for found in report.diagnostics] == [ProblemKind.TOO_DEEP.value]


def test_memory_is_bounded() -> None:
    tracemalloc.start()
    try:
        for text in (bomb(12, mapping=False), "a: " + "[" * 1_000_000, "- " * 500_000):
            problem(text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MEGABYTES * 2**20


@pytest.fixture
def runner() -> Runner:
    return Runner(Options(), SettingsFinder(isolated=True))


def test_huge_file_is_not_read(tmp_path: Path, runner: Runner) -> None:
    path = tmp_path / "huge.yml"
    with path.open("wb") as file:
        file.write(b"base_model: x\nsequence_len: 1\nmicro_batch_size: 1\n")
        file.truncate(50 * 2**20)
    tracemalloc.start()
    try:
        with bounded():
            report = runner.check_file(str(path), named=True)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert report is not None
    (found,) = report.diagnostics
    assert found.name == ProblemKind.TOO_LARGE.value
    assert "52,428,800" in found.message or "52428800" in found.message
    assert peak < MEGABYTES * 2**20
    assert runner.check_file(str(path), named=False) is None


def test_file_of_exactly_the_limit(tmp_path: Path, runner: Runner) -> None:
    path = tmp_path / "large.yml"
    path.write_bytes(b"base_model: x\n#".ljust(MAX_BYTES, b"x"))
    report = runner.check_file(str(path), named=True)
    assert report is not None
    assert ProblemKind.TOO_LARGE.value not in [found.name for found in report.diagnostics]


@each(
    ("data", "kind"),
    [
        (b"a: \xff\n", ProblemKind.NOT_UTF8),
        ("base_model: x\n".encode("utf-16"), ProblemKind.NOT_UTF8),
        ("base_model: x\n".encode("utf-16-le"), ProblemKind.CONTROL_CHARACTER),
        (b"\x00" * 100, ProblemKind.CONTROL_CHARACTER),
        (b"\x89PNG\r\n\xff\xfe\xff", ProblemKind.NOT_UTF8),
        (b"", ProblemKind.EMPTY),
        (b"\xef\xbb\xbf", ProblemKind.EMPTY),
    ],
)
def test_bytes(data: bytes, kind: ProblemKind) -> None:
    runner = Runner(Options(framework="axolotl"), SettingsFinder(isolated=True))
    report = runner.check_bytes(data, "a.yml", named=True)
    assert report is not None
    assert [found.name for found in report.diagnostics] == [kind.value]


@pytest.mark.parametrize("data", [b"\x00" * 100, b"", "base_model: x\n".encode("utf-16-le")])
def test_bytes_of_no_framework(data: bytes, runner: Runner) -> None:
    with pytest.raises(
        UnrecognizedError, match=r"^a\.yml: not recognized: it (is empty|contains NUL)"
    ):
        runner.check_bytes(data, "a.yml", named=True)


@pytest.mark.parametrize("data", [b"a: \xff\n", b"\x89PNG\r\n\xff\xfe\xff"])
def test_what_is_no_text_is_reported_for_any_framework(data: bytes, runner: Runner) -> None:
    report = runner.check_bytes(data, "a.yml", named=True)
    assert report is not None
    assert [found.name for found in report.diagnostics] == [ProblemKind.NOT_UTF8.value]
    assert runner.check_bytes(data, "a.yml", named=False) is None
