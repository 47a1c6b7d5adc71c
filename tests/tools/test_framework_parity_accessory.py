"""The generator of LLaMA2-Accessory's scripts, and cfglint held to recorded verdicts on them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.framework_parity.accessory import LATER, generate, judge, main, words_of
from tools.framework_parity.recorded import read_recorded, refused_keys

FILES = read_recorded(Path(__file__).with_name("accessory_recorded.json.gz"))
SOURCE = """
import argparse
import torch

def get_args_parser():
    parser = argparse.ArgumentParser("x", add_help=False)
    parser.add_argument("--epochs", default=1, type=int)
    return parser
"""


def test_the_same_seed_makes_the_same_scripts() -> None:
    scripts = generate(40, 3)
    assert scripts == generate(40, 3)
    assert scripts != generate(40, 4)
    assert {name.partition("-")[2] for name, *_ in scripts} == {"finetune.sh", "pretrain.sh"}
    assert any(changes for *_, changes in scripts)


def test_verdicts_are_those_of_the_programs_own_parsers() -> None:
    wrong = []
    for file in FILES:
        ((release, (refused, _)),) = file["verdicts"].items()
        ours = refused_keys(file, "accessory", "2024.5.24", LATER.split(","))
        if bool(ours) != refused:
            wrong.append((file["file"], release, ours))
    assert len(FILES) == 500
    assert sum(refused for file in FILES for refused, _ in file["verdicts"].values()) > 200
    assert wrong == []


def test_scripts_are_split_by_bash_and_judged(tmp_path: Path) -> None:
    for kind in ("finetune", "pretrain"):
        path = tmp_path / "source" / "accessory" / f"main_{kind}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SOURCE)
    made = tmp_path / "made"
    made.mkdir()
    (made / "a.sh").write_text("x='1 2'\ntorchrun main_finetune.py --epochs \"$x\"\n")
    (made / "b.sh").write_text("torchrun -n 2 main_pretrain.py --epochs 3 2>&1 | tee log\n")
    assert words_of(made / "a.sh") == ["main_finetune.py", "--epochs", "1 2"]
    first, second = judge(made, tmp_path / "source")
    assert (first["ok"], "invalid int value: '1 2'" in first["error"]) == (False, True)
    values = {"epochs": 3}
    file = str(made / "b.sh")
    assert second == {"file": file, "stage": "argparse", "ok": True, "values": values}


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "made"
    assert main(["generate", "--count", "4", str(folder)]) == 0
    names = sorted(path.name for path in folder.glob("*.sh"))
    theirs, ours = tmp_path / "theirs.jsonl", tmp_path / "ours.json"
    rows = [{"file": name, "ok": name != names[0], "error": "x"} for name in names]
    theirs.write_text("\n".join(map(json.dumps, rows)))
    ours.write_text(json.dumps({"files": [{"path": name, "diagnostics": []} for name in names]}))
    words = ["compare", str(folder), "--theirs", str(theirs), "--ours", str(ours)]
    assert main(words) == 1
    assert "0 refused wrongly, 1 missed" in capsys.readouterr().out
    out = tmp_path / "f.gz"
    assert main(["record", str(folder), "--theirs", str(theirs), "--out", str(out)]) == 0
    assert len(read_recorded(out)) == 4
