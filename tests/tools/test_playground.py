"""What the playground's page is answered, and the files that answer it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from cfglint.engine.session import UnrecognizedError
from cfglint.knowledge import compiled
from tools.playground import building, bundle
from tools.playground.answers import answer
from tools.playground.texts import Texts

RUN = Path(__file__).resolve().parents[2] / "docs" / "examples" / "run"


def asked(ask: str, *texts: str, **more: Any) -> dict[str, Any]:
    names = ("train.yml", "ds_config.json", "requirements.txt")
    files = [{"name": name, "text": text} for name, text in zip(names, texts, strict=False)]
    found: dict[str, Any] = json.loads(answer(json.dumps({"ask": ask, "files": files, **more})))
    return found


def codes(found: dict[str, Any], number: int = 0) -> list[str]:
    return [one["code"] for one in found["files"][number]["findings"]]


def in_utf16(text: str, start: int, end: int) -> str:
    """What a browser has between two offsets."""
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_positions_count_utf16_units(mark: str) -> None:
    text = mark + "# 🚀模型🚀\nbase_model: a/b\nlearning_ratee: 1\n"
    [found] = [
        one for one in asked("check", text)["files"][0]["findings"] if one["code"] == "KEY001"
    ]
    assert in_utf16(text, found["from"], found["to"]) == "learning_ratee"
    [edit] = found["fixes"][0]["edits"]
    assert in_utf16(text, edit["from"], edit["to"]) == "learning_ratee"
    assert found["rows"][1]["text"] == "^" * len("learning_ratee")


def test_files_are_checked_together() -> None:
    texts = [(RUN / name).read_text(encoding="utf-8") for name in ("train.yml", "ds_config.json")]
    found = asked("check", *texts)
    assert [file["name"] for file in found["files"]] == ["train.yml", "ds_config.json"]
    assert codes(found) == ["KEY002"]
    assert codes(found, 1) == ["KEY001", "DST553"]
    assert found["files"][1]["findings"][1]["elsewhere"] == [
        {"name": "train.yml", "line": 16, "note": "the config says so"}
    ]
    assert {"rules": 2, "field": "the GPU model"} in found["undecided"]


def test_files_around_a_config_state_its_versions() -> None:
    found = asked("check", "base_model: a/b\n", "{}", "axolotl==0.18.0\n")
    assert any("axolotl 0.18.0 (requirements.txt" in target for target in found["targets"])
    assert "requirements.txt" in found["unchecked"]


def test_a_stated_target_has_no_origin() -> None:
    found = asked("check", "base_model: a/b\n", target="axolotl==0.18.0", gpus=8, gpu="h100")
    assert found["targets"] == ["axolotl 0.18.0, 8 GPUs, h100"]


@pytest.mark.parametrize("ask", ["check", "fixed"])
def test_a_first_file_of_no_framework_is_refused(ask: str) -> None:
    assert asked(ask, "learning_ratee: 1\n") == {
        "refused": "train.yml: not recognized: it has no key of a framework that cfglint knows; "
        "not checked. Choose the framework that it is for."
    }
    assert "closest framework is Axolotl" in asked(ask, "base_model: a/b\na: 1\nb: 2\n")["refused"]


def test_the_framework_of_the_first_file() -> None:
    assert asked("check", "base_model: a/b\n")["assumed"] == "Axolotl"
    assert asked("check", (RUN / "train.yml").read_text(encoding="utf-8"))["assumed"] is None
    forced = asked("check", "learning_rate: 1\n", framework="trl")
    assert (forced["files"][0]["framework"], forced["assumed"]) == ("trl", None)


def test_only_the_first_file_is_of_the_chosen_framework() -> None:
    second = (RUN / "ds_config.json").read_text(encoding="utf-8")
    found = asked(
        "check", "model_name_or_path: a/b\ndeepspeed: ds_config.json\n", second, framework="trl"
    )
    assert [file["framework"] for file in found["files"]] == ["trl", "deepspeed"]


def test_all_safe_fixes_are_shown_as_a_patch() -> None:
    [file] = asked("fixed", "base_model: a/b\nlearning_ratee: 1\n")["files"]
    assert file["text"] == "base_model: a/b\nlearning_rate: 1\n"
    assert file["patch"][:2] == ["--- a/train.yml", "+++ b/train.yml"]
    assert "+learning_rate: 1" in file["patch"]
    assert asked("fixed", "base_model: a/b\n")["files"] == []


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"gpus": 0.5, "gpu": "h1"}, "gpus expects a whole number"),
        ({"target": "axolotl==99"}, "axolotl 99 is newer"),
        ({"framework": "os"}, "'os' is not a framework"),
        (
            {"files": [{"name": "a.yml", "text": ""}, {"name": "cfglint.toml", "text": "a = ["}]},
            "cfglint.toml: not valid TOML",
        ),
        ({"gpus": 0.5}, "gpus expects a whole number"),
        ({"files": [{"name": "../a.yml", "text": ""}]}, "not a valid file name"),
        ({"files": [{"name": "a\0.yml", "text": ""}]}, "not a valid file name"),
        ({"files": [{"name": "a.yml", "text": ""}, {"name": "./a.yml", "text": ""}]}, "Two files"),
        (
            {"files": [{"name": "a.yml", "text": ""}, {"name": "a.yml/b", "text": ""}]},
            "cannot be overlaid",
        ),
    ],
)
def test_what_cannot_be_used_is_refused(more: dict[str, Any], said: str) -> None:
    refused = asked("check", "base_model: a/b\n", **more)["refused"]
    assert said in refused
    assert str(Path.cwd()) not in refused


def test_a_half_typed_gpu_is_left_out_and_named() -> None:
    found = asked("check", "base_model: a/b\n", target="axolotl==0.18.0", gpus=8, gpu="h10")
    assert found["targets"] == ["axolotl 0.18.0, 8 GPUs"]
    [problem] = found["problems"]
    assert "'h10' is not a GPU" in problem
    assert asked("check", "base_model: a/b\n", gpu="h100")["problems"] == []


def test_files_that_no_other_names_step_back() -> None:
    second = '{"zero_optimization": {"stage": 3, "overlap_com": true}}'
    found = asked("check", "base_model: a/b\n", second)
    assert found["apart"] == ["ds_config.json"]
    assert [file["name"] for file in found["files"]] == ["train.yml"]
    assert [file["name"] for file in asked("fixed", "base_model: a/b\n", second)["files"]] == []
    named = asked("check", "base_model: a/b\ndeepspeed: ds_config.json\n", second)
    assert named["apart"] == []
    assert "KEY001" in codes(named, 1)
    # A script that starts the config names it, and so do files between the two.
    files = [
        {"name": "train.yml", "text": "base_model: a/b\n"},
        {"name": "ds.json", "text": second},
        {
            "name": "run.sh",
            "text": "accelerate launch -m axolotl.cli.train train.yml --deepspeed ds.json\n",
        },
    ]
    told = json.loads(answer(json.dumps({"ask": "check", "files": files})))
    assert told["apart"] == []


TEXT = "# 🚀模型\nbase_model: a/b\nsequence_len: 2048\nadapter: lora\nmicro_batch_size: 2\nlearn"


def place(text: str, of: str) -> int:
    """The offset of a text as the page counts, behind a place."""
    return len(text[: text.index(of) + len(of)].encode("utf-16-le")) // 2


def test_a_key_is_explained_where_the_mouse_is() -> None:
    text = TEXT.removesuffix("learn")
    found = asked("hover", text, name="train.yml", offset=place(text, "micro"))
    assert in_utf16(text, found["from"], found["to"]) == "micro_batch_size"
    assert found["text"].startswith("`micro_batch_size` (Axolotl)\n\nSamples")
    assert "Default: `1`" in found["text"]
    assert "**" not in found["text"]
    assert asked("hover", text, name="train.yml", offset=0) == {}
    assert asked("hover", "a: 1\n", name="train.yml", offset=1) == {}


def test_what_may_be_written_is_proposed() -> None:
    found = asked("complete", TEXT, name="train.yml", offset=place(TEXT, "learn"))
    assert in_utf16(TEXT, found["from"], found["to"]) == "learn"
    [rate] = [one for one in found["proposals"] if one["label"] == "learning_rate"]
    assert (rate["text"], rate["isKey"]) == ("learning_rate: ", True)
    assert "micro_batch_size" not in [one["label"] for one in found["proposals"]]
    value = TEXT.removesuffix("learn") + "optimizer: ada"
    told = asked("complete", value, name="train.yml", offset=place(value, "optimizer: ada"))
    assert "adamw_torch" in [one["text"] for one in told["proposals"]]
    assert asked("complete", "a: 1\n", name="train.yml", offset=1) == {}


@pytest.mark.parametrize("view", ["effective", "fit", "migrate"])
def test_other_commands_print_what_they_print_in_a_terminal(
    view: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (RUN / "train.yml").read_text(encoding="utf-8")
    second = (RUN / "ds_config.json").read_text(encoding="utf-8")
    found = asked(view, text, second, target="axolotl==0.18.0", gpus=8)
    (tmp_path / "train.yml").write_text(text, encoding="utf-8")
    (tmp_path / "ds_config.json").write_text(second, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    option = "--from" if view == "migrate" else "--target"
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "cfglint",
            view,
            "train.yml",
            option,
            "axolotl==0.18.0",
            "--gpus",
            "8",
        ],
        capture_output=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "PYTHONPATH": str(RUN.parents[2] / "src"), "NO_COLOR": "1"},
    )
    assert found["text"] == done.stdout, done.stderr
    assert len(found["text"]) > 100


def test_a_migration_changes_all_files_that_it_has_to() -> None:
    text = (RUN / "train.yml").read_text(encoding="utf-8")
    found = asked("migrate", text, to="axolotl==0.10.0")
    [file] = found["files"]
    assert file["name"] == "train.yml"
    assert "flash_attention: true" in file["text"]
    assert "+flash_attention: true" in file["patch"]
    assert "0.99" in asked("migrate", text, to="axolotl==0.99")["refused"]


@pytest.mark.parametrize("sample", building.SAMPLES)
def test_every_sample_has_a_mistake_to_find(sample: str) -> None:
    [files] = [one["files"] for one in building.samples() if one["title"] == sample]
    found = json.loads(answer(json.dumps({"ask": "check", "files": files})))
    assert found["files"][0]["name"].startswith("train.")
    assert found["assumed"] is None
    assert found["apart"] == found["unchecked"] == []
    assert any(one["severity"] == "error" for file in found["files"] for one in file["findings"])


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bundle") / "sources.zip"
    bundle.write(path)
    return path


def alone(folder: Path, requests: list[str]) -> list[str]:
    """The answers of an interpreter that has only what is in a folder."""
    program = (
        "import sys, json; sys.path.insert(0, sys.argv[1]); from tools.playground.answers import answer\n"
        "print(json.dumps([answer(one) for one in json.load(sys.stdin)]))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(folder)],
        input=json.dumps(requests),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return list(json.loads(done.stdout))


@pytest.mark.skipif(
    sys.version_info < (3, 11), reason="the Python that is brought along reads TOML by itself"
)
def test_settings_that_need_more_than_a_check_are_refused(archive: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(archive).extractall(tmp_path)
    settings = {"name": "cfglint.toml", "text": 'rules = ["own"]\n'}
    files = [{"name": "train.yml", "text": "base_model: a/b\n"}, settings]
    [said] = alone(tmp_path, [json.dumps({"ask": "check", "files": files})])
    assert "the playground lacks (cfglint.knowledge.compiling)" in said


def test_only_what_a_check_reaches_is_brought_along(archive: Path) -> None:
    names = set(zipfile.ZipFile(archive).namelist())
    assert {
        "tools/playground/answers.py",
        "yaml/__init__.py",
        "cfglint/knowledge/_compiled/axolotl_rules.py",
    } <= names
    assert not any(
        name.startswith(("cfglint/api/scan/", "cfglint/knowledge/compiling/"))
        or name.endswith((".so", "language_server.py", "bases.py"))
        for name in names
    )


def _is_known(file: dict[str, str]) -> bool:
    """Whether a file shows by itself which framework it is for."""
    try:
        return Texts({"files": [file]}).reports() is not None
    except UnrecognizedError:
        return False


def test_the_files_need_nothing_else(archive: Path, tmp_path: Path) -> None:
    """An interpreter with nothing installed finds what this one finds."""
    zipfile.ZipFile(archive).extractall(tmp_path)
    requests, unknown = [], []
    for file in sorted((RUN.parents[2] / "fixtures").rglob("*.*")):
        if file.suffix in (".yml", ".yaml", ".json", ".sh") and file.stat().st_size < 20_000:
            one = {"name": file.name, "text": file.read_bytes().decode("utf-8", "surrogateescape")}
            for ask in ("check", "fixed"):
                more = {} if _is_known(one) else {"framework": "axolotl"}
                requests.append(json.dumps({"ask": ask, "files": [one], **more}))
                unknown += [json.dumps({"ask": ask, "files": [one]})] if more else []
    assert len(requests) > 100
    # Each framework has modules that only its files need.
    for name, about in compiled.load("frameworks").FRAMEWORKS.items():
        path = {"json": "a.json", "shell": "a.sh"}.get(about["language"], "a.yml")
        one = {"name": path, "text": '{"fp16": true}'}
        requests.append(json.dumps({"ask": "check", "framework": name, "files": [one]}))
    assert unknown
    refused = alone(tmp_path, unknown)
    assert refused == [answer(one) for one in unknown]
    assert all("Choose the framework" in json.loads(one)["refused"] for one in refused)
    answers = alone(tmp_path, requests)
    assert answers == [answer(one) for one in requests]
    assert not [one for one in answers if one.startswith('{"refused"')]
