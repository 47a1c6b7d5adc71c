"""What is found in settings files that nothing in their project names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

DEEPSPEED = '{"zero_optimization": {"stage": 2, "overlap_com": true}, "train_batch_size": 8}\n'
ACCELERATE = "compute_environment: LOCAL_MACHINE\ndistributed_type: NO\nnum_proceses: 1\n"
START = "accelerate launch train.py\n"
NAMED = "Nothing in the project names this file."


def severities(folder: Path, *paths: str, **files: str) -> dict[str, list[str]]:
    """File -> the severities of its findings; `run_dot_sh` is the file `run.sh`."""
    (folder / ".git").mkdir(exist_ok=True)
    for name, text in {"ds_dot_json": DEEPSPEED, "acc_dot_yaml": ACCELERATE, **files}.items():
        (folder / name.replace("_dot_", ".")).write_text(text)
    done = run("--format", "json", *(str(folder / path) for path in paths or (".",)))
    found: dict[str, list[str]] = {}
    for file in json.loads(done.out)["files"]:
        rows = found.setdefault(Path(file["path"]).name, [])
        for one in file["diagnostics"]:
            rows.append(one["severity"])
            assert (NAMED in one["message"]) == (one["severity"] == "note")
    return found


def test_what_no_file_names_has_notes(tmp_path: Path) -> None:
    assert severities(tmp_path, run_dot_sh=START) == {"ds.json": ["note"], "acc.yaml": ["note"]}
    # Who names it means it.
    assert severities(tmp_path, "ds.json") == {"ds.json": ["error"]}


def test_what_is_only_a_note_says_nothing_about_a_file_that_no_run_has(tmp_path: Path) -> None:
    # Stage 3 that saves no whole weights.
    stage3 = '{"zero_optimization": {"stage": 3}, "train_batch_size": 8}\n'
    (tmp_path / ".git").mkdir()
    (tmp_path / "ds.json").write_text(stage3)
    (tmp_path / "run.sh").write_text(START)

    def codes(*paths: str) -> list[str]:
        done = run("--format", "json", *(str(tmp_path / path) for path in paths or (".",)))
        return [
            one["code"] for file in json.loads(done.out)["files"] for one in file["diagnostics"]
        ]

    assert codes() == []
    assert codes("ds.json") == ["DSZ001"]
    (tmp_path / "run.sh").write_text(f"{START}deepspeed train.py --deepspeed ds.json\n")
    assert codes() == ["DSZ001"]


@pytest.mark.parametrize(
    ("name", "text", "file"),
    [
        ("go_dot_sh", "deepspeed train.py --deepspeed ds.json\n", "ds.json"),
        ("go_dot_sh", "accelerate launch --config_file acc.yaml train.py\n", "acc.yaml"),
        ("train_dot_py", 'args = dict(deepspeed="./ds.json")\n', "ds.json"),
        ("README_dot_md", "Start it with `acc.yaml`.\n", "acc.yaml"),
        ("x_dot_yaml", "base_model: a/b\ndeepspeed: ds.json\n", "ds.json"),
        # Any of them may be meant.
        ("go_dot_sh", "accelerate launch --config_file $KIND.yaml train.py\n", "acc.yaml"),
        ("train_dot_py", 'args = dict(deepspeed=f"{stage}.json")\n', "ds.json"),
        ("train_dot_py", 'args = dict(deepspeed=stage + ".json")\n', "ds.json"),
    ],
)
def test_what_a_file_names_or_may_name(tmp_path: Path, name: str, text: str, file: str) -> None:
    found = severities(tmp_path, run_dot_sh=START, **{name: text})
    assert found[file][0] in ("error", "warning")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("go_dot_sh", "# deepspeed train.py --deepspeed ds.json\n"),
        ("go_dot_sh", "deepspeed train.py --deepspeed other/ds.json\n"),
        ("train_dot_py", "# ds.json\n"),
    ],
)
def test_a_comment_and_another_folder_name_nothing(tmp_path: Path, name: str, text: str) -> None:
    assert severities(tmp_path, run_dot_sh=START, **{name: text})["ds.json"] == ["note"]


def test_without_a_command_any_file_may_be_meant(tmp_path: Path) -> None:
    assert severities(tmp_path, run_dot_sh="echo\n")["ds.json"] == ["error"]


def test_where_not_all_is_read_any_file_may_be_meant(tmp_path: Path) -> None:
    found = severities(tmp_path, run_dot_sh=START, big_dot_sh="x" * 1_000_001)
    assert found["ds.json"] == ["error"]


SHOWN = """\
import json

with open("ds.json") as f:
    settings = json.load(f)
print("DeepSpeed:", settings)
"""


@pytest.mark.parametrize(
    ("program", "script", "expected"),
    [
        (SHOWN, "", ["note"]),
        (f"{SHOWN}args = TrainingArguments(deepspeed=settings)\n", "", ["error"]),
        (f"{SHOWN}args = TrainingArguments(deepspeed='ds.json')\n", "", ["error"]),
        (SHOWN, "deepspeed train.py --deepspeed ds.json\n", ["error"]),
        (SHOWN.replace("print(", "show("), "", ["error"]),
        (SHOWN.replace("settings)", "train(settings))"), "", ["error"]),
        (SHOWN.replace("settings)", "json.dumps(settings))"), "", ["note"]),
        (f"{SHOWN}# settings are for later\n", "", ["note"]),
        (f"{SHOWN}other = settings\n", "", ["error"]),
        (SHOWN.partition("print")[0], "", ["error"]),
    ],
)
def test_what_programs_only_print_is_no_config_of_a_run(
    program: str, script: str, expected: list[str], tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    files = {"ds.json": DEEPSPEED, "show.py": program, "run.sh": script}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    done = run("--format", "json", str(tmp_path))
    found = json.loads(done.out)["files"]
    rows = [
        one for file in found if file["path"].endswith("ds.json") for one in file["diagnostics"]
    ]
    assert [one["severity"] for one in rows] == expected
    assert ("print this file" in rows[0]["message"]) == (expected == ["note"])


def test_where_no_file_is_about_the_library_nothing_reads_its_settings(tmp_path: Path) -> None:
    found = severities(tmp_path, run_dot_sh="python train.py\n", train_dot_py="import torch\n")
    assert found["ds.json"] == ["note"]


def test_any_program_shows_that_a_file_which_others_name_is_unused(tmp_path: Path) -> None:
    program = "import torch\nprint(torch.ones(1))\n"
    assert severities(tmp_path, train_dot_py=program) == {"ds.json": ["note"], "acc.yaml": ["note"]}
    named = f'{program}deepspeed.initialize(config="ds.json")\n'
    assert severities(tmp_path, train_dot_py=named)["ds.json"] == ["error"]
