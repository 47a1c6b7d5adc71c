"""Findings in launch files and in accelerate's config: where they stand, and when nothing is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file
from tests.engine.files_together.test_other_files import CONFIG

ACCELERATE = (
    "compute_environment: LOCAL_MACHINE\ndistributed_type: {kind}\nnum_processes: 2\n{more}"
)
RUN = "accelerate launch --config_file {file} -m axolotl.cli.train train.yml\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / "conf").mkdir()
    monkeypatch.chdir(project)


def found(
    files: dict[str, str], config: str = CONFIG, release: str | None = "0.18.0"
) -> list[tuple[str, str, str]]:
    """(code, severity, the text it stands at) of the findings in other files."""
    Path("train.yml").write_text(config)
    for name, text in files.items():
        Path(name).write_text(text)
    target = [] if release is None else [f"axolotl=={release}"]
    report = lint_file("train.yml", target=target)
    return [
        (d.code, d.severity, other.source.text[d.span.start : d.span.end])
        for other in report.elsewhere
        for d in other.diagnostics
    ]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("axolotl train train.yml --learning_rate 1e-4", ("LCH001", "error", "--learning_rate")),
        ("axolotl train train.yml --wandb-name=42", ("LCH002", "error", "--wandb-name=42")),
        ("axolotl train train.yml --tf32x\n", ("LCH001", "error", "--tf32x")),
        ("axolotl train train.yml --seed\n", ("LCH003", "error", "--seed")),
        ("axolotl train train.yml --xformers-attention true", ("LCH003", "error", "--xformers-attention true")),
        ("python -m axolotl.cli.train train.yml --lora_rr=8", ("LCH001", "warning", "--lora_rr=8")),
    ],
)  # fmt: skip
def test_launch_lines(script: str, expected: tuple[str, str, str]) -> None:
    assert found({"train.sh": script}) == [expected]


def test_the_job_of_a_cloud() -> None:
    job = (
        "resources:\n  accelerators: H100:8\nrun: |\n  cd w\n  axolotl train train.yml --lora_r 8\n"
    )
    assert found({"sky.yaml": job}) == [("LCH001", "error", "--lora_r")]


def test_an_image() -> None:
    image = 'FROM python:3.11\nCMD ["axolotl", "train", "train.yml", "--lora_r", "8"]\n'
    assert found({"Dockerfile": image}) == [("LCH001", "error", "--lora_r")]


def test_a_comment_silences() -> None:
    script = "axolotl train train.yml --learning_rate 1e-4  # cfglint: ignore[LCH001] patched\n"
    assert found({"train.sh": script}) == []


def test_what_depends_on_an_unknown_release_is_a_warning() -> None:
    script = "axolotl train train.yml --sample-packing true\n"
    assert found({"train.sh": script}, release=None)[0][:2] == ("LCH003", "warning")
    assert found({"train.sh": script})[0][:2] == ("LCH003", "error")


def test_the_command_of_a_later_release() -> None:
    script = "axolotl train train.yml\n"
    assert found({"train.sh": script}, release="0.5.2") == [
        ("LCH005", "error", "axolotl train train.yml")
    ]
    assert found({"train.sh": script}, release=None) == []


def test_the_items_of_a_list() -> None:
    job = "args:\n  - axolotl\n  - train\n  - train.yml\n  - --lora_r\n  - '8'\n"
    assert found({"job.yaml": job}) == [("LCH001", "error", "--lora_r")]


def test_a_release_that_is_not_known() -> None:
    files = {"train.sh": "axolotl train train.yml --nonsense\n"}
    # A build between two releases has what both of them have.
    assert found(files, release="0.18.0.dev0") == found(files, release="0.18.0")
    assert found({**files, "requirements.txt": "axolotl==99.0\n"}, release=None) == []


@pytest.mark.parametrize(
    ("kind", "more", "expected"),
    [
        ("MULTI_GPU", "", []),
        ("MULTI_GPU", "micro_batch_size: 2\n", [("KEY002", "error", "micro_batch_size")]),
        ("'NO'", "", [("ACC047", "warning", "num_processes: 2")]),
        ("FSDP", "", []),
    ],
)
def test_accelerate(kind: str, more: str, expected: list[tuple[str, str, str]]) -> None:
    text = ACCELERATE.format(kind=kind, more=more)
    assert found({"train.sh": RUN.format(file="conf/acc.yaml"), "conf/acc.yaml": text}) == expected


def test_an_accelerate_file_that_is_not_named() -> None:
    assert found({"accelerate.yaml": ACCELERATE.format(kind="'NO'", more="x: 1\n")}) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("conf/acc.yaml", ""),
        ("conf/acc.yaml", "x: 1\n" * 500_000),
        ("/etc/passwd", ""),
        ("../acc.yaml", ACCELERATE.format(kind="NO", more="")),
        ("$ACC", ""),
    ],
)
def test_accelerate_files_that_cannot_be_used(name: str, text: str, tmp_path: Path) -> None:
    if text and not name.startswith("/"):
        Path(name).write_text(text)
    assert found({"train.sh": RUN.format(file=name)}) == []


@pytest.mark.parametrize(("text", "code"), [("{", "YML001"), ("- 1\n", "YML006")])
def test_accelerate_files_that_cannot_be_read(text: str, code: str) -> None:
    rows = found({"train.sh": RUN.format(file="conf/acc.yaml"), "conf/acc.yaml": text})
    assert [row[0] for row in rows] == [code]


def test_a_link_out_of_the_project(tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("other") / "acc.yaml"
    secret.write_text(ACCELERATE.format(kind="'NO'", more=""))
    Path("conf/acc.yaml").symlink_to(secret)
    assert found({"train.sh": RUN.format(file="conf/acc.yaml")}) == []


def test_isolated_runs_look_at_nothing() -> None:
    from cfglint.engine.runner import Runner
    from cfglint.engine.session import Options
    from cfglint.engine.settings.nearest import SettingsFinder

    Path("train.yml").write_text(CONFIG)
    Path("train.sh").write_text("axolotl train train.yml --nonsense\n")
    runner = Runner(Options(), SettingsFinder(isolated=True))
    report = runner.check_file("train.yml", named=True)
    assert report is not None
    assert report.elsewhere == ()


def test_a_section_in_place_of_a_value() -> None:
    script = {"train.sh": "axolotl train train.yml --selective-checkpointing.offload\n"}
    for written, expected in (("false", 1), ("true", 1), ("{}", 0), ("null", 0)):
        config = CONFIG + f"selective_checkpointing: {written}\n"
        codes = [code for code, _, _ in found(script, config)]
        assert codes.count("LCH800") == expected, written
    config = CONFIG + "selective_checkpointing: false\n"
    assert "LCH800" not in [code for code, _, _ in found(script, config, "0.15.0")]


def test_data_prepared_into_the_default_folder() -> None:
    script = {"train.sh": "axolotl preprocess train.yml\n"}
    config = "".join(
        line for line in CONFIG.splitlines(True) if "dataset_prepared_path" not in line
    )
    assert [code for code, _, _ in found(script, config)] == ["LCH801"]
    assert found(script, config + "dataset_prepared_path: ./p\n") == []
    assert found(script, config + "pretraining_dataset: a/b\n") == []
    chosen = {"train.sh": "axolotl preprocess train.yml --dataset-prepared-path ./p\n"}
    assert found(chosen, config) == []


@pytest.mark.parametrize(
    ("option", "wanted"),
    [("--relora-prune-ratio=2", "at most 1"), ("--micro-batch-size=x", "a whole number")],
)
def test_what_an_option_wants(option: str, wanted: str) -> None:
    Path("train.yml").write_text(CONFIG)
    Path("train.sh").write_text(f"axolotl train train.yml {option}\n")
    (script,) = lint_file("train.yml", target=["axolotl==0.18.0"]).elsewhere
    (found,) = [d for d in script.diagnostics if d.code == "LCH002"]
    assert wanted in found.message
