"""Errors that only the assumption of a release makes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.engine.severity.releases.assumed import OtherReleases
from tests.draws import each
from tests.linting import lint

TRAINING = """\
base_model: NousResearch/Llama-3.2-1B
datasets:
  - path: ./data/train.jsonl
    type: alpaca
sequence_len: 2048
micro_batch_size: 2
gradient_accumulation_steps: 4
num_epochs: 1
learning_rate: 0.0002
optimizer: adamw_torch
lr_scheduler: cosine
output_dir: ./out
"""
ZERO = '{"train_batch_size": 8, "bf16": {"enabled": true, "hysteresis": 2}}'
MIXTURE = (
    TRAINING.replace("NousResearch/Llama-3.2-1B", "mistralai/Mixtral-8x7B-v0.1")
    + "adapter: qlora\n"
)


def severities(text: str, framework: str, *target: str) -> dict[str, str]:
    found = lint(text, framework=framework, target=target)
    return {one.code: one.severity for one in found if one.severity != "note"}


@each(
    ("text", "framework", "target", "code", "severity"),
    [
        # DeepSpeed looks at the keys of this section since 0.17.3.
        (ZERO, "deepspeed", (), "KEY003", "warning"),
        (ZERO, "deepspeed", ("deepspeed==0.19.8",), "KEY003", "error"),
        (f"{TRAINING}gradient_checkpointing: unsloth\n", "axolotl", (), "TYP002", "warning"),
        (
            f"{TRAINING}gradient_checkpointing: unsloth\n",
            "axolotl",
            ("axolotl==0.21.0",),
            "TYP002",
            "error",
        ),
        # Experts are no linear layers since transformers 5.
        (f"{MIXTURE}load_in_4bit: true\n", "axolotl", ("axolotl==0.21.0",), "PEF468", "warning"),
        # No release takes these.
        (f"{TRAINING}micro_batch_size: many\n", "axolotl", (), "TYP001", "error"),
        ('{"train_batch_size": "many"}', "deepspeed", (), "TYP001", "error"),
    ],
)
def test_an_error_holds_in_the_releases_of_a_year_and_a_half(
    text: str, framework: str, target: tuple[str, ...], code: str, severity: str
) -> None:
    assert severities(text, framework, *target)[code] == severity


def test_it_says_which_release_takes_the_file() -> None:
    found = lint(f"{TRAINING}gradient_checkpointing: unsloth\n")
    [one] = [one for one in found if one.code == "TYP002"]
    assert "No file states the release, and Axolotl 0." in one.message
    # A range begins where somebody has looked: it does not show that an earlier release is right.
    assert one.message.endswith(" is not known to have this error.")


def test_the_release_is_that_of_the_package(tmp_path: Path) -> None:
    """Programs have the releases of transformers; the name of their kind has none."""
    program = tmp_path / "train.py"
    program.write_text(
        'from trl import GRPOConfig\nc = GRPOConfig(output_dir="o", vllm_mode="colocated")\n'
    )
    [one] = [one for one in lint_file(str(program)).diagnostics if one.code == "TRL022"]
    # The rule is about releases of TRL: those of transformers would not decide it.
    told = "No file states the release of trl (--target trl==VERSION does), and the one beside transformers "
    assert told in one.message


def test_a_warning_of_the_assumed_release_alone_is_a_note() -> None:
    [one] = [one for one in lint(f"{MIXTURE}load_in_4bit: true\n") if one.code == "PEF468"]
    assert one.severity == "note"
    assert "No file states the release, and Axolotl 0." in one.message


def test_an_undecided_warning_is_not_lowered_twice() -> None:
    text = "model_name_or_path: a/b\nstage: sft\nquantization_bit: 4\nquantization_method: bitsandbytes\n"
    [one] = [one for one in lint(text, framework="llamafactory") if one.code == "LLF011"]
    assert one.undecided
    assert one.severity == "warning"


@pytest.fixture
def old_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose last commit was made when Axolotl 0.6 was the newest release."""
    config = tmp_path / "train.yml"
    text = TRAINING.replace("type: alpaca", "type: alpaca\n    ds_type: json")
    config.write_text(f"{text}gradient_checkpointing: unsloth\nval_set_size: 0.1\n")
    commit_on("2025-01-20", tmp_path, monkeypatch)
    return config


def commit_on(day: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(name, f"{day}T12:00:00+0000")
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for command in (("init", "-q"), ("add", "-A"), (*who, "commit", "-qm", "first")):
        subprocess.run(("git", "-C", str(folder), *command), check=True)


def doubted(config: Path) -> dict[str, tuple[str, bool]]:
    """Code -> severity, and whether the message names the day of the last commit."""
    found = lint_file(config).diagnostics
    return {one.code: (one.severity, "last commit (2025-01-20)" in one.message) for one in found}


def test_a_project_that_was_left_long_ago(old_project: Path) -> None:
    (old_project.parent / "README.md").write_text("pip install axolotl\n")
    found = doubted(old_project)
    assert found["TYP002"] == ("warning", True)
    assert found["SAV205"] == ("note", False)


def test_a_project_that_installs_nothing_and_was_left(old_project: Path) -> None:
    assert doubted(old_project)["TYP002"] == ("note", True)


@pytest.mark.parametrize("installed", [False, True])
def test_a_project_of_not_long_ago(
    installed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The release of the last commit has the error; others that ran not long before do not."""
    config = tmp_path / "train.yml"
    config.write_text(
        f"{TRAINING}adapter: lora\nlora_r: 8\nlora_alpha: 16\nlora_target_linear: true\nload_in_4bit: true\n"
    )
    if installed:
        (tmp_path / "README.md").write_text("pip install axolotl\n")
    commit_on("2026-02-22", tmp_path, monkeypatch)
    assert doubted(config)["PEF451"] == ("warning", False)


def test_a_file_that_was_changed_since(old_project: Path) -> None:
    with old_project.open("a") as stream:
        stream.write("# tried again\n")
    found = doubted(old_project)
    assert found["TYP002"] == ("warning", False)
    assert found["SAV205"] == ("note", False)


def test_a_file_that_is_not_tracked_yet(old_project: Path) -> None:
    copy = old_project.with_name("new.yml")
    copy.write_text(old_project.read_text())
    assert doubted(copy)["TYP002"] == ("warning", False)


def test_a_stated_release_counts_whenever_the_project_was_left(old_project: Path) -> None:
    old_project.with_name("requirements.txt").write_text("axolotl==0.21.0\n")
    found = doubted(old_project)
    assert found["TYP002"] == ("error", False)
    assert found["SAV205"] == ("warning", False)


@pytest.mark.parametrize("day", ["2023-08-31", "2025-01-20"])
@pytest.mark.parametrize("account", ["someone", "axolotl-ai-cloud"])
def test_what_every_release_refuses_is_not_said_of_a_fork_of_before_them(
    day: str, account: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "train.yml"
    config.write_text(f"{TRAINING}save_strategy: epoch\nsave_steps: 100\n")
    (tmp_path / "README.md").write_text(
        f"```\ngit clone https://github.com/{account}/axolotl.git\npip install -e axolotl/.\n```\n"
    )
    commit_on(day, tmp_path, monkeypatch)
    is_older_fork = day < "2024" and account == "someone"
    assert doubted(config).get("SAV103") == (None if is_older_fork else ("error", False))


def test_a_commit_of_a_project_that_was_left_long_ago_is_no_later_release(
    old_project: Path,
) -> None:
    """Nobody can check out a release of today under a commit that was there on that day."""
    address = "git+https://github.com/axolotl-ai-cloud/axolotl@0123456789abcdef"
    old_project.with_name("requirements.txt").write_text(f"axolotl @ {address}\n")
    assert "TYP002" not in doubted(old_project)


def test_a_range_leaves_it_open_as_well(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("axolotl>=0.9\n")
    found = lint(f"{TRAINING}gradient_checkpointing: unsloth\n", folder=tmp_path)
    assert {one.code: one.severity for one in found}["TYP002"] == "warning"


def test_what_older_releases_refuse_for_another_reason_stays_an_error() -> None:
    # Without its section, `fsdp` is refused by those that have it.
    assert severities(f"{TRAINING}fsdp: [full_shard]\n", "axolotl")["KEY005"] == "error"


def test_a_commit_without_a_known_place_may_be_of_any_time() -> None:
    text = f"{TRAINING.replace('type: alpaca', 'type: sharegpt')}"
    assert severities(text, "axolotl")["DAT101"] == "error"
    assert severities(text, "axolotl", "axolotl@0123456789abcdef")["DAT101"] == "warning"
    found = lint(text, target=("axolotl@0123456789abcdef",))
    [one] = [one for one in found if one.code == "DAT101"]
    assert (
        "No release is known for the commit 012345678 (--target), and Axolotl 0.4." in one.message
    )


@pytest.mark.parametrize(
    ("requirement", "codes"),
    [
        ("axolotl @ git+https://github.com/axolotl-ai-cloud/axolotl", {"TYP001"}),
        ("axolotl @ git+https://github.com/someone/axolotl", {"TYP001"}),
        ("axolotl @ git+https://github.com/someone/axolotl@v0.21.0", {"SAV205", "TYP001"}),
    ],
)
def test_what_some_releases_do_is_not_said_of_a_fork(
    tmp_path: Path, requirement: str, codes: set[str]
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text(f"{requirement}\n")
    config = tmp_path / "config.yaml"
    config.write_text(f"{TRAINING}val_set_size: 0.1\nlogging_steps: often\n")
    report = lint_file(config, framework="axolotl")
    found = [one for one in report.diagnostics if one.severity != "note"]
    assert {one.code for one in found} == codes
    # Nor does an error count that the oldest of the releases in question does not have.
    others = OtherReleases(report.target, "Axolotl", lambda _: [], lambda _: ())
    certain = others.milder_unless_certain(found, None, lambda: True)
    assert ("TYP001" in {one.code for one in certain}) is (not report.target.is_fork())


PROGRAM = """\
from trl import GRPOConfig, GRPOTrainer

args = GRPOConfig(
    output_dir="out", use_vllm=True, vllm_mode="colocate", num_generations=4, max_completion_length=64
)
trainer = GRPOTrainer(model="m", reward_funcs=[len], args=args, train_dataset=data)
"""


@each(
    ("stated", "severity"),
    [
        # Transformers 4.47.1 goes with TRL up to 0.17.0, the first one that this vLLM is too old for.
        (("transformers==4.47.1", "vllm==0.6.3"), "warning"),
        # An installer takes the newest that goes with it.
        (("transformers==4.47.1", "trl==0.17.0", "vllm==0.6.3"), "error"),
        # All that go with it, and are not long out of date, are too new.
        (("transformers==5.5.0", "vllm==0.6.3"), "error"),
    ],
)
def test_a_package_that_only_imports_show_may_be_older(
    tmp_path: Path, stated: tuple[str, ...], severity: str
) -> None:
    (tmp_path / "requirements.txt").write_text("\n".join(stated), encoding="utf-8")
    program = tmp_path / "train.py"
    program.write_text(PROGRAM, encoding="utf-8")
    found = {one.code: one for one in lint_file(program).diagnostics}
    assert found["TRL219"].severity == severity
    says = "No file states the release of trl " in found["TRL219"].message
    assert says == (severity == "warning")


CONFIG = "model_name_or_path: m\ndataset_name: a/b\noutput_dir: out\nuse_vllm: true\nreward_funcs: [format]\n"


@each(
    ("line", "severity"),
    [
        # Keys of 0.18 show that the pins are of another environment.
        ("", "error"),
        # Some are of releases before: they are a project's own, or were left behind.
        ("vllm_device: auto\n", "warning"),
    ],
)
def test_keys_of_no_one_release_do_not_outweigh_what_is_stated(
    tmp_path: Path, line: str, severity: str
) -> None:
    config = tmp_path / "grpo.yaml"
    config.write_text(CONFIG + line, encoding="utf-8")
    (tmp_path / "train.py").write_text("from trl import GRPOConfig, TrlParser\n", encoding="utf-8")
    stated = "transformers==4.49.0\nvllm==0.7.2\naccelerate==1.4.0\n"
    (tmp_path / "requirements.txt").write_text(stated, encoding="utf-8")
    found = lint_file(config, framework="trl").diagnostics
    assert {one.code: one.severity for one in found}["TRL219"] == severity
