"""Configs that nothing names, beside those that scripts start."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

#: With a value of another type, and without data.
BLANK = (
    "model_name_or_path: a/b\ndataset_name: null\nnum_generations: some\nbeta: 0.1\nlearning_rate: 1.0e-6\n"
    "max_completion_length: 64\nper_device_train_batch_size: 8\nbf16: true\n"
)
FULL = BLANK.replace("null", "a/b").replace(": some", ": 4")
START = "python grpo.py --config conf/a.yaml\npython grpo.py --config conf/b.yaml\n"


def severities(folder: Path, own: str, **files: str) -> list[str]:
    """The severities of what is found in `conf/own.yaml`; `run_dot_sh` is the file `run.sh`."""
    (folder / ".git").mkdir()
    (folder / "conf").mkdir()
    for name, text in {"own.yaml": own, "a.yaml": FULL, "b.yaml": FULL}.items():
        (folder / "conf" / name).write_text(files.pop(name, text), encoding="utf-8")
    for name, text in {"run_dot_sh": START, **files}.items():
        (folder / name.replace("_dot_", ".")).write_text(text, encoding="utf-8")
    reports = json.loads(run("--format", "json", str(folder)).out)["files"]
    found = [one for file in reports if "own.yaml" in file["path"] for one in file["diagnostics"]]
    for one in found:
        assert ("nothing names this file" in one["message"]) == (one["severity"] == "note")
    return [one["severity"] for one in found if one["code"] == "TYP001"]


@pytest.mark.parametrize("blank", ["null", "", "# later", "''"])
def test_it_lacks_what_the_others_have(tmp_path: Path, blank: str) -> None:
    assert severities(tmp_path, BLANK.replace("null", blank)) == ["note"]


@pytest.mark.parametrize(
    ("own", "files"),
    [
        (FULL.replace(": 4", ": some"), {}),
        (BLANK, {"run_dot_sh": START.replace("b.yaml", "c.yaml")}),
        (BLANK, {"more_dot_sh": "python grpo.py --config conf/own.yaml\n"}),
        (BLANK, {"more_dot_sh": "trl grpo --config conf/$NAME.yaml\n"}),
        (BLANK, {"README_dot_md": "Start `conf/own.yaml` last.\n"}),
        # Each file of the folder is started.
        (BLANK, {"more_dot_sh": 'for one in conf/*; do python grpo.py --config "$one"; done\n'}),
        (BLANK, {"all_dot_py": "for name in os.listdir('conf'):\n    start(name)\n"}),
        # The others do without as well.
        (BLANK, {"a.yaml": BLANK.replace(": some", ": 4")}),
    ],
)
def test_others(tmp_path: Path, own: str, files: dict[str, str]) -> None:
    assert severities(tmp_path, own, **files) == ["error"]


def test_data_below_the_key_are_data(tmp_path: Path) -> None:
    own = BLANK.replace("dataset_name: null", "datasets:\n  - path: a/b")
    full = FULL.replace("dataset_name: a/b", "datasets:\n- path: a/b")
    assert severities(tmp_path, own, **{"a.yaml": full, "b.yaml": full}) == ["error"]


@pytest.mark.parametrize(
    ("script", "severity"),
    [
        ("python eval.py --model b --config conf/a/base.yaml\n", "note"),
        ("for one in conf/b/*; do trl grpo --config $one; done\n", "error"),
        ("cd conf/b\n", "error"),
        ("cd conf; for one in b/*; do trl grpo --config $one; done\n", "error"),
    ],
)
def test_a_model_with_the_name_of_the_folder(tmp_path: Path, script: str, severity: str) -> None:
    (tmp_path / "conf/b").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    start = START.replace("conf/", "conf/b/")
    (tmp_path / "data.json").write_text(" " * 1_000_001)
    for name, text in {"own.yaml": BLANK, "a.yaml": FULL, "b.yaml": FULL}.items():
        (tmp_path / "conf/b" / name).write_text(text)
    for name, text in {"run.sh": start, "more.sh": script}.items():
        (tmp_path / name).write_text(text)
    reports = json.loads(run("--format", "json", str(tmp_path)).out)["files"]
    (own,) = [file for file in reports if file["path"].endswith("own.yaml")]
    assert [one["severity"] for one in own["diagnostics"] if one["code"] == "TYP001"] == [severity]
