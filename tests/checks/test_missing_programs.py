"""Programs that a script starts and that are not there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

LINE = "swift sft --model Qwen/Qwen3-0.6B --dataset a\n"
MISSING = "python scripts/merge_loras.py --out o\n"


def found(folder: Path, text: str, files: dict[str, str] | None = None) -> list[str]:
    (folder / ".git").mkdir()
    for name, content in {"scripts/merge_lora.py": "", **(files or {}), "run.sh": text}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    report = json.loads(run(str(folder / "run.sh"), "--preview", "--format", "json").out)
    hits = [hit for file in report["files"] for hit in file["diagnostics"]]
    return [hit["message"] for hit in hits if hit["code"] == "LCH830"]


@pytest.mark.parametrize(
    "text",
    [
        LINE + MISSING,
        f"{LINE}python3 ./scripts/merge_loras.py\n",
        f"D=scripts\n{LINE}python $D/merge_loras.py\n",
    ],
)
def test_a_missing_program(tmp_path: Path, text: str) -> None:
    (message,) = found(tmp_path, text)
    assert message.endswith("It has `scripts/merge_lora.py`.") or "./scripts" in message


@pytest.mark.parametrize(
    ("text", "files"),
    [
        (f"{LINE}python scripts/merge_lora.py\n", {}),
        (f"cd other\n{LINE}{MISSING}", {}),
        (f"git clone https://example.org/a scripts\n{LINE}{MISSING}", {}),
        (f"cat > scripts/merge_loras.py <<EOF\nEOF\n{LINE}{MISSING}", {}),
        (f"{LINE}python $HERE/merge_loras.py\n", {}),
        (f"{LINE}python other/merge_loras.py\n", {}),
        (f"{LINE}python merge_loras.py\n", {}),
        (f"{LINE}python ../scripts/merge_loras.py\n", {}),
        (LINE + MISSING, {"more/merge_loras.py": ""}),
        (LINE + MISSING, {".gitignore": "scripts/\n"}),
        (LINE + MISSING, {".gitmodules": '[submodule "scripts"]\n\tpath = scripts\n'}),
        (LINE + MISSING, {"README.md": "curl -o scripts/merge_loras.py https://example.org/a\n"}),
        (LINE + MISSING, {"make.py": "open('scripts/merge_loras.py', 'w')\n"}),
    ],
)
def test_programs_that_may_be_there(tmp_path: Path, text: str, files: dict[str, str]) -> None:
    assert found(tmp_path, text, files) == []


def test_beside_a_program_of_the_project(tmp_path: Path) -> None:
    own = (
        "from transformers import HfArgumentParser, TrainingArguments\n"
        "args, = HfArgumentParser((TrainingArguments,)).parse_args_into_dataclasses()\n"
    )
    line = "python train.py --output_dir o --learning_rate 1e-5 --num_train_epochs 1\n"
    assert len(found(tmp_path, line + MISSING, {"train.py": own})) == 1
