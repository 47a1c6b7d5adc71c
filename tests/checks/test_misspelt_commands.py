"""Sub-commands that are misspelt, in scripts that start nothing else and in others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.draws import each

SLIP = "axolotl trian a.yml\n"
LLAMAFACTORY = "llamafactory-cli train --stage sft --do_train --model_name_or_path m --dataset a --template default --output_dir o\n"


def found(path: Path, *options: str) -> list[tuple[str, str, int]]:
    done = run(str(path), "--format", "json", *options)
    return [
        (Path(file["path"]).name, hit["code"], hit["range"]["start"]["line"])
        for file in json.loads(done.out)["files"]
        for hit in file["diagnostics"]
    ]


@each(
    ("script", "line"),
    [
        (SLIP, 1),
        ("RUN=${RUN:-axolotl}\n$RUN trian a.yml --x 2\n", 2),
        ("set -e\naccelerate lanch train.py\n", 2),
        (f"{LLAMAFACTORY}{SLIP}", 2),
        ("trl sfft --config a.yaml\n", 1),
    ],
)
def test_a_slip(tmp_path: Path, script: str, line: int) -> None:
    (tmp_path / "run.sh").write_text(script, encoding="utf-8")
    expected = [("run.sh", "LCH821", line)]
    assert found(tmp_path / "run.sh", "--select", "LCH821") == expected
    assert found(tmp_path, "--select", "LCH821") == expected


@each(
    "script",
    [
        "axolotl train a.yml\n",
        f"alias axolotl=./own.sh\n{SLIP}",
        f"# cfglint: ignore[LCH821] ours\n{SLIP}",
        "swift build\nswift test\n",
        "echo axolotl trian\n",
    ],
)
def test_no_slip(tmp_path: Path, script: str) -> None:
    (tmp_path / "run.sh").write_text(script, encoding="utf-8")
    assert found(tmp_path / "run.sh") == []


def test_it_is_repaired(tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    path.write_text(f"#!/bin/bash\n{SLIP}", encoding="utf-8")
    assert run(str(path), "--fix").code == 0
    assert path.read_text(encoding="utf-8") == "#!/bin/bash\naxolotl train a.yml\n"


def test_what_the_script_starts_is_said_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    config = "base_model: a/b\ndatasets: [{path: a/b, type: alpaca}]\nlearning_rate: 0.1\n"
    (tmp_path / "a.yml").write_text(config, encoding="utf-8")
    (tmp_path / "run.sh").write_text(f"{SLIP}axolotl train a.yml --learning-rat 1\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    codes = [code for name, code, _ in found(Path("run.sh"), "--select", "LCH") if name == "run.sh"]
    assert codes == ["LCH821", "LCH001"]
