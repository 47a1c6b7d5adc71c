"""The LLaMA-Factory in a project's own tree: what it has is known, whatever the releases have."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.environment.surroundings import Memory, Surroundings, nowhere
from cfglint.files.disk import Disk
from cfglint.frameworks.llamafactory.own_copy import words_around
from tests.linting import lint

FORKED = (
    "model_name_or_path: Qwen/Qwen2-7B\nstage: cls\ndo_train: true\nfinetuning_type: lora\n"
    "dataset: tickets\ntemplate: tickets_v2\noutput_dir: out\nloss_of_class: focal\n"
)
ARGUMENTS = """
class FinetuningArguments:
    loss_of_class: str = field(default="plain")
    stage: Literal["pt", "sft", "cls"] = field(default="sft")
"""
TEMPLATES = 'register_template(\n    name="tickets_v2",\n)\n'


def copy_in(folder: Path, package: str = "llamafactory") -> None:
    source = folder / "src" / package
    (source / "hparams").mkdir(parents=True)
    (source / "data").mkdir()
    (source / "hparams/finetuning_args.py").write_text(ARGUMENTS, encoding="utf-8")
    (source / "data/template.py").write_text(TEMPLATES, encoding="utf-8")


def codes(folder: Path, *target: str) -> list[str]:
    return [d.code for d in lint(FORKED, target=target, framework="llamafactory", folder=folder)]


@pytest.mark.parametrize(
    ("at", "package", "config"),
    [
        (".", "llamafactory", "examples/mine"),
        (".", "llmtuner", "examples"),
        ("LLaMA-Factory", "llamafactory", "configs"),
        ("third/360_LlamaFactory-x", "llamafactory", "third"),
    ],
)
def test_keys_and_choices_of_a_fork(tmp_path: Path, at: str, package: str, config: str) -> None:
    folder = tmp_path / config
    folder.mkdir(parents=True, exist_ok=True)
    (tmp_path / ".git").mkdir()
    assert codes(folder) == ["TYP002", "TYP002", "KEY001"]
    copy_in(tmp_path / at, package)
    assert codes(folder) == []


def test_a_release_that_the_user_names_decides_alone(tmp_path: Path) -> None:
    copy_in(tmp_path)
    assert codes(tmp_path, "llamafactory==0.9.5") == ["TYP002", "TYP002", "KEY001"]


def test_a_key_that_the_releases_had_or_will_have(tmp_path: Path) -> None:
    copy_in(tmp_path)
    text = FORKED.replace("loss_of_class: focal", "ray_run_name: one")
    path = tmp_path / "src/llamafactory/hparams/training_args.py"
    assert [d.code for d in lint(text, framework="llamafactory", folder=tmp_path)] == ["KEY005"]
    path.write_text("class RayArguments:\n    ray_run_name: str = None\n", encoding="utf-8")
    assert lint(text, framework="llamafactory", folder=tmp_path) == []


def test_what_is_no_copy_says_nothing(tmp_path: Path) -> None:
    assert words_around(nowhere()) == frozenset()
    folder = tmp_path / "project"
    arguments = folder / "src/llamafactory/hparams"
    arguments.mkdir(parents=True)
    (folder / ".git").mkdir()
    copy_in(tmp_path / "elsewhere")
    outside = tmp_path / "elsewhere/src/llamafactory/hparams/finetuning_args.py"
    (arguments / "linked.py").symlink_to(outside)
    (arguments / "notes.txt").write_text(ARGUMENTS, encoding="utf-8")
    (arguments / "broken.py").write_bytes(b"\xff    a: int")
    (arguments / "folder.py").mkdir()
    around = Surroundings(Memory(), Disk(), folder=str(folder))
    assert words_around(around) == frozenset()


V1_FILE = (
    "model: Qwen/Qwen3-4B\nmodel_class: llm\ntrain_dataset: data/tickets.yaml\noutput_dir: out\n"
    "optim_config:\n  name: muon\ncp_size: 2\n"
)


def v1_copy_in(folder: Path, plugin: str) -> None:
    package = folder / "src/llamafactory"
    optimizers = package / "v1/plugins/trainer_plugins/optimizers"
    for made in (package / "hparams", package / "v1/config", optimizers):
        made.mkdir(parents=True)
    (package / "v1/config/training_args.py").write_text(
        "class TrainingArguments:\n    cp_size: int = 1\n", encoding="utf-8"
    )
    (optimizers / "optimizer.py").write_text(
        f'@OptimizerPlugin("{plugin}").register()\ndef create(): ...\n', encoding="utf-8"
    )


def test_arguments_and_plugins_of_the_v1_layout(tmp_path: Path) -> None:
    def found() -> list[str]:
        return [d.code for d in lint(V1_FILE, framework="llamafactory", folder=tmp_path)]

    assert found() == ["LFV010", "KEY003"]
    v1_copy_in(tmp_path, "muon")
    assert found() == []


def test_another_plugin_does_not_count(tmp_path: Path) -> None:
    v1_copy_in(tmp_path, "lion")
    assert [d.code for d in lint(V1_FILE, framework="llamafactory", folder=tmp_path)] == ["LFV010"]


def test_a_key_of_the_main_branch_in_a_clone_of_it(tmp_path: Path) -> None:
    text = FORKED + "kt_cpu_activation: recompute\n"

    def told() -> bool:
        return "LLF157" in {d.code for d in lint(text, framework="llamafactory", folder=tmp_path)}

    assert told()
    copy_in(tmp_path)
    assert told()
    (tmp_path / "src/llamafactory/hparams/model_args.py").write_text(
        "class ModelArguments:\n    kt_cpu_activation: str = 'none'\n", encoding="utf-8"
    )
    assert not told()


def test_a_key_that_a_fork_takes_away_before_parsing(tmp_path: Path) -> None:
    text = FORKED + "evaluators: [boxes]\n"
    copy_in(tmp_path)
    (tmp_path / "src/llamafactory/train").mkdir()
    tuner = tmp_path / "src/llamafactory/train/tuner.py"
    for line, left in (('args.get("evaluators")', ["KEY001"]), ('args.pop("evaluators", 0)', [])):
        tuner.write_text(f"def run(args):\n    {line}\n", encoding="utf-8")
        found = lint(text, framework="llamafactory", folder=tmp_path)
        assert [d.code for d in found] == left


def test_the_name_of_a_quantization_method(tmp_path: Path) -> None:
    text = FORKED.replace(
        "loss_of_class: focal", "quantization_bit: 4\nquantization_method: bitsandbytes"
    )

    def told() -> bool:
        return "LLF011" in {d.code for d in lint(text, framework="llamafactory", folder=tmp_path)}

    copy_in(tmp_path)
    assert told()
    (tmp_path / "src/llamafactory/hparams/model_args.py").write_text(
        'class M:\n    quantization_method: Literal["bitsandbytes", "hqq"] = None\n', "utf-8"
    )
    assert not told()
