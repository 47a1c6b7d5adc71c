"""One object for many texts: options, files around a text, fixes, memory."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import pytest

from cfglint import Disk, FileReport, InMemory, Linter, Overlay, lint_file, lint_text
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.cli.files import CLEAN, MISSPELT, TWICE, TWICE_FIXED
from tests.draws import each
from tools.bench.configs import write_configs
from tools.bench.warm import warm

WORLD = {
    "run/requirements.txt": b"axolotl==0.18.0\n",
    "run/cfglint.toml": b'ignore = ["KEY", "OPT"]\ngpus = 8\n',
    "run/train.yml": MISSPELT.encode(),
    "run/ds.json": b'{"zero_optimization": {"stage": 2, "overlap_com": true}}',
}


def codes(report: FileReport) -> list[str]:
    return [found.code for found in report.diagnostics]


def test_same_as_one_by_one() -> None:
    linter = Linter(select=("KEY", "YML"), gpus=2)
    for _ in range(2):
        for text in (MISSPELT, TWICE, CLEAN, "a: [", "\ud800"):
            report, other = linter.lint(text), lint_text(text, select=("KEY", "YML"), gpus=2)
            assert report.diagnostics == other.diagnostics
            assert report.source == other.source


def test_nothing_lies_around_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, data in WORLD.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(data)
    linter = Linter()
    report = linter.lint(MISSPELT, "run/train.yml")
    assert (codes(report), report.target.facts, report.target.pins) == (["KEY001"], {}, {})
    with pytest.raises(ValueError, match="pass it some, such as files=Disk"):
        linter.lint_file("run/train.yml")
    settled = linter.with_files(Disk()).lint(MISSPELT, "run/train.yml")
    assert (codes(settled), settled.target.release) == ([], "0.18.0")
    assert codes(lint_file("run/train.yml")) == []


def test_settings() -> None:
    files = InMemory({**WORLD, "other.toml": b'ignore = ["YML"]\n', "bad.toml": b"color = 1\n"})
    assert codes(Linter(files=files).lint_file("run/train.yml")) == []
    without = Linter(files=files, settings=False, select="KEY").lint_file("run/train.yml")
    assert (codes(without), without.target.release) == (["KEY001"], "0.18.0")
    assert "gpus" not in without.target.facts
    other = Linter(files=files, settings="other.toml", select=("KEY", "YML"))
    assert codes(other.lint(MISSPELT + TWICE, "run/train.yml")) == ["KEY001"]
    with pytest.raises(ValueError, match="unknown setting 'color'"):
        Linter(files=files, settings=Path("bad.toml"))
    broken = files_with("run/cfglint.toml", b"color = 1\n")
    with pytest.raises(ValueError, match="unknown setting 'color'"):
        Linter(files=broken).lint(CLEAN, "run/train.yml")
    with pytest.raises(ValueError, match="unknown setting 'color'"):
        Linter(files=files, settings="other.toml").with_files(
            Overlay({"other.toml": b"color = 1\n"}, files)
        )


def files_with(path: str, data: bytes) -> Overlay:
    return Overlay({path: data}, InMemory(WORLD))


def test_unsaved_texts_of_other_files_count() -> None:
    text = CLEAN + "deepspeed: ds.json\n"
    linter = Linter(files=InMemory(WORLD), settings=False, gpus=2)
    report = linter.lint(text, "run/train.yml")
    (named,) = report.elsewhere
    assert os.path.basename(named.path) == "ds.json"
    (found,) = [one for one in named.diagnostics if one.code == "KEY001"]
    assert (found.line, found.column) == (1, 36)
    repaired = files_with("run/ds.json", b'{"zero_optimization": {"stage": 2}}')
    (named,) = linter.with_files(repaired).lint(text, "run/train.yml").elsewhere
    assert "KEY001" not in codes(named)
    # The first one goes on with what it read.
    assert "KEY001" in codes(linter.lint(text, "run/train.yml").elsewhere[0])


def test_a_file_that_is_not_there() -> None:
    linter = Linter(files=InMemory(WORLD))
    with pytest.raises(FileNotFoundError):
        linter.lint_file("run/none.yml")
    with pytest.raises(OSError, match="not a regular file"):
        linter.lint_file("run")


def test_fixing() -> None:
    linter = Linter(select=("KEY", "YML"))
    assert linter.fix(MISSPELT).text == CLEAN
    assert linter.fix(TWICE).text == TWICE
    unsafe = linter.fix(TWICE, unsafe=True)
    assert (unsafe.text, [fix.code for fix in unsafe.fixed]) == (TWICE_FIXED, ["YML020"])
    assert codes(linter.lint(TWICE)) == ["YML020"]
    with pytest.raises(TypeError, match="text expects a str"):
        linter.fix(b"")  # type: ignore[arg-type]


def test_fixing_writes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    path.write_text(MISSPELT, encoding="utf-8")
    linter = Linter(files=Disk())
    assert linter.fix(MISSPELT, path).text == CLEAN
    assert path.read_text(encoding="utf-8") == MISSPELT


@each(
    ("arguments", "message"),
    [
        ({"target": "axolotl==0.81.0"}, "newer than the releases"),
        ({"gpu": "potato"}, "is not a GPU"),
        ({"select": "NOPE"}, "unknown rule"),
        ({"min_confidence": "sure"}, "high, medium, low"),
    ],
)
def test_wrong_options_are_an_error_at_once(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Linter(**arguments)  # type: ignore[arg-type]


def odd(number: int) -> str:
    """A config with keys, values and sections that no other has."""
    return (
        f"base_model: org/model-{number}\nunheard_of_{number}: {number}\nlearning_rate: 0.{number}\n"
        f"section_{number}:\n  inner_{number}: {number}\ndatasets:\n  - path: data-{number}\n"
        f"    type: alpaca\n    odd_{number}: 1\nfsdp_config:\n  strange_{number}: true\n"
        f"lora_target_modules: [a{number}]\nsequence_lenn{number}: 5\nwandb_name: run-{number}\n"
    )


def test_one_more_text_costs_a_few_loads_of_it(tmp_path: Path) -> None:
    texts = [path.read_text(encoding="utf-8") for path in write_configs(tmp_path, 12, 1)]
    # Measured: 5.3 of PyYAML's C loader, and 14 on a machine with twice as many processes as cores.
    assert warm(texts).ratios.median < 20


def most_blocks(linter: Linter, numbers: range) -> int:
    """How many pieces of memory are in use at most while texts are checked."""
    most = 0
    for number in numbers:
        linter.lint(odd(number), f"{number}.yml")
        if number % 50 == 0:
            gc.collect()
            most = max(most, sys.getallocatedblocks())
    return most


def test_memory_is_flat(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("base.record", "knowledge.keys.release_keys"):
        monkeypatch.setattr(f"cfglint.{module}._MAX_REMEMBERED", 200)
    # The largest tables hold 16,384 scalars, of 12 a text, and are filled by reading alone; every other
    # one is full after 300 texts that are checked.
    for number in range(1_500):
        compose(SourceText(odd(number)))
    linter = Linter()
    # What other tests left behind would be searched for garbage again and again.
    gc.collect()
    gc.freeze()
    most_blocks(linter, range(1_500, 1_800))
    before = most_blocks(linter, range(1_800, 2_100))
    # A table that keeps something of each text takes more than this.
    assert most_blocks(linter, range(2_100, 2_400)) - before < 420


@pytest.mark.parametrize(
    ("length", "shown"), [(57, "b'" + "x" * 57 + "'"), (58, "b'" + "x" * 58 + "…")]
)
def test_a_long_argument_is_repeated_in_part(length: int, shown: str) -> None:
    with pytest.raises(TypeError) as caught:
        Linter().lint(b"x" * length)  # type: ignore[arg-type]
    assert str(caught.value) == f"text expects a str but got {shown}; lint_file reads files"


def test_a_text_that_is_not_changed_is_given_back() -> None:
    linter = Linter(select="KEY")
    for text in (CLEAN, "\ufeff" + CLEAN, "a: [", ""):
        assert linter.fix(text, "train.yml").text == text


def test_bytes_that_are_found_are_checked_when_they_are_a_config() -> None:
    linter = Linter(select="KEY")
    found = linter.lint_found(MISSPELT.encode(), "a.yml")
    assert found is not None
    assert [one.code for one in found.diagnostics] == ["KEY001"]
    assert found.diagnostics[0].line > 0
    assert linter.lint_found(b"services: {}\n", "compose.yml") is None
    assert linter.lint_found(b"\xff\xfe\x00", "a.yml") is None
