"""What the summary says about the target, and what the options do about it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.engine.files_together.test_other_files import CONFIG

LOCK = """\
version = 1

[[package]]
name = "axolotl"
version = "0.9.2"

[[package]]
name = "torch"
version = "2.6.0"

[[package]]
name = "trl"
version = "0.17.0"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    Path("train.yml").write_text(CONFIG)
    return tmp_path


def target(*options: str) -> str:
    printed = run("train.yml", "--select", "YML", *options).out.replace("\n  ", " ")
    counts, *following = printed.splitlines()
    # What does not fit beside the counts is a line of its own, or several.
    return counts.partition(" · ")[2] or following[0][0].lower() + following[0][1:]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "uv.lock",
            LOCK,
            "checked for axolotl 0.9.2 (uv.lock line 4), torch 2.6.0 and 1 more (uv.lock)"
            "; transformers 4.51.3 implied",
        ),
        (
            "Dockerfile",
            "FROM axolotlai/axolotl:0.9.2-py3.11-cu124-2.6.0\n",
            "checked for axolotl 0.9.2 (Dockerfile line 1)"
            "; torch 2.6.0, transformers 4.51.3, trl 0.17.0 implied",
        ),
        (
            "Dockerfile",
            "FROM axolotlai/axolotl:main-20241001-py3.11-cu121-2.4.1\n",
            "checked for axolotl between 0.4.0 and 0.4.1, nearer 0.4.1"
            " (Dockerfile line 1, the build of 20241001)"
            "; torch 2.4.1 implied",
        ),
        (
            "requirements.txt",
            "git+https://github.com/axolotl-ai-cloud/axolotl@54673fd6ca39bf86addb20ba7d44a77071b4dc4f\n",
            "checked for axolotl 54673fd6c between 0.4.1 and 0.5.0, nearer 0.4.1 (requirements.txt line 1)",
        ),
        (
            "requirements.txt",
            "axolotl<0.10\n",
            "checked for axolotl 0.9.2 (the newest in <0.10; requirements.txt line 1)",
        ),
        ("requirements.txt", "requests\n", "checked for axolotl 0.21.0 (the newest known)"),
        (
            "sky.yaml",
            "resources:\n  accelerators: H100:8\nrun: axolotl train train.yml\n",
            "checked for axolotl 0.21.0 (the newest known), 8 GPUs (sky.yaml line 2), h100 (sky.yaml line 2)",
        ),
    ],
)
def test_summary(name: str, text: str, expected: str) -> None:
    Path(name).write_text(text)
    assert target() == expected


def test_a_release_is_noted_once_for_files_of_several_frameworks() -> None:
    Path("requirements.txt").write_text("axolotl==0.21.0\ndeepspeed==0.19.8\npeft==0.21.2\n")
    Path("train.yml").write_text(CONFIG + "deepspeed: ds.json\n")
    Path("ds.json").write_text('{"zero_optimization": {"stage": 2}}')
    said = run(".", "--select", "YML").out.replace("\n  ", " ")
    beside = "peft 0.21.2 (requirements.txt line 3)"
    assert "deepspeed 0.19.8 (requirements.txt line 2), " in said
    assert f"axolotl 0.21.0 (requirements.txt line 1), {beside}" in said
    for name in ("axolotl 0.21.0", "deepspeed 0.19.8", "peft 0.21.2"):
        assert said.count(name) == 1


def test_options_win() -> None:
    Path("uv.lock").write_text(LOCK)
    assert target("--target", "axolotl==0.18.0").startswith("checked for axolotl 0.18.0 (--target)")
    assert target("--isolated") == "checked for axolotl 0.21.0 (the newest known)"


def test_installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = folder / "env" / "lib" / "python3.11" / "site-packages" / "axolotl-0.12.2.dist-info"
    home.mkdir(parents=True)
    (home / "METADATA").write_text("Name: axolotl\nVersion: 0.12.2\n")
    monkeypatch.setenv("VIRTUAL_ENV", str(folder / "env"))
    Path("uv.lock").write_text(LOCK)
    assert target("--target", "installed").startswith(
        f"checked for axolotl 0.12.2 (installed in {folder / 'env'})"
    )
    monkeypatch.setenv("VIRTUAL_ENV", str(folder / "none"))
    assert run("train.yml", "--target", "installed").code == 2


def test_json() -> None:
    Path("Dockerfile").write_text("FROM axolotlai/axolotl:main-20241001-py3.11-cu121-2.4.1\n")
    found = json.loads(run("train.yml", "--format", "json").out)["target"]
    assert found["axolotl"] == {
        "version": None,
        "from": "Dockerfile line 1, the build of 20241001",
        "after": "0.4.0",
        "before": "0.4.1",
    }
    assert found["torch"] == {"version": "2.4.1", "from": "Dockerfile line 1", "implied": True}
    Path("Dockerfile").write_text("FROM axolotlai/axolotl:0.9.2\n")
    found = json.loads(run("train.yml", "--format", "json").out)["target"]
    assert found["axolotl"]["implies"]["trl"] == "0.17.0"
    assert "flash-attn" not in found["axolotl"]["implies"]


def test_markdown_names_both_releases() -> None:
    Path("Dockerfile").write_text("FROM axolotlai/axolotl:main-20241001-py3.11-cu121-2.4.1\n")
    out = run("train.yml", "--format", "markdown").out
    assert "between 0.4.0 and 0.4.1" in out


def test_a_key_that_went_in_the_window_is_no_error() -> None:
    Path("train.yml").write_text(CONFIG + "relora_steps: 100\n")  # gone in 0.12.0
    for tag, severity in (("0.12.0", "error"), ("main-20250720-py3.11-cu126-2.7.1", "warning")):
        Path("Dockerfile").write_text(f"FROM axolotlai/axolotl:{tag}\n")
        out = run("train.yml", "--select", "KEY", "--format", "concise").out
        assert f": {severity} KEY005" in out


def test_the_window_of_a_dated_image() -> None:
    Path("train.yml").write_text(CONFIG + "sample_packing: true\nval_set_size: 0.05\n")
    Path("Dockerfile").write_text("FROM winglian/axolotl:main-20241001-py3.11-cu121-2.4.1\n")
    assert "PAK001" in run("train.yml", "--gpus", "8").out
    Path("Dockerfile").write_text("FROM winglian/axolotl:main-20241101-py3.11-cu121-2.4.1\n")
    assert "PAK001" not in run("train.yml", "--gpus", "8").out


def test_sharding_means_more_than_one_gpu() -> None:
    Path("train.yml").write_text(
        CONFIG
        + "sample_packing: true\nval_set_size: 0.05\ndeepspeed: deepspeed_configs/zero2.json\n"
    )
    options = ("--target", "axolotl@54673fd6c", "--select", "PAK001", "--format", "json")
    (found,) = json.loads(run("train.yml", *options).out)["files"][0]["diagnostics"]
    assert (found["severity"], found["needs"]) == ("warning", ["--gpus N"])
    (found,) = json.loads(run("train.yml", *options, "--gpus", "8").out)["files"][0]["diagnostics"]
    assert (found["severity"], found["needs"]) == ("error", [])
    assert (
        json.loads(run("train.yml", *options, "--gpus", "1").out)["files"][0]["diagnostics"] == []
    )


def test_the_versions_of_the_folder_that_was_named_count_without_a_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "recipes" / "model" / "sft"
    folder.mkdir(parents=True)
    (tmp_path / "requirements.txt").write_text("trl==0.15.1\n")
    (folder / "sft.yaml").write_text(
        "model_name_or_path: a/b\ndataset_name: c/d\noutput_dir: out\n"
    )
    monkeypatch.chdir(tmp_path)
    assert "trl 0.15.1 (requirements.txt line 1)" in run(".").out
    assert "trl 0.15.1" in run(str(tmp_path)).out
    # Only the folder above that one has the file.
    assert "trl 0.15.1" not in run("recipes").out
